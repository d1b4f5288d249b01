//! Which heaps a law is wrong about, in a few words if there are such words.
//!
//! Tried in this order: a handful of heaps; all heaps from some heap on; residues of the least modulus such that the
//! law fails on all of them (from its first failure on) and nowhere else; residues outside of which it holds. A
//! modulus says something only if each of its residues has failed several times and, where the law fails on some of their
//! heaps only, if they leave half of all heaps out; otherwise the failures are only counted.

use std::fmt;

use super::Verdict;

/// The heaps that a law is wrong about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Only these.
    Few(Vec<u64>),
    /// Every heap it speaks about from this one on.
    From(u64),
    /// Heaps of these residues only.
    Residues {
        /// The modulus.
        modulus: u64,
        /// The residues, ascending.
        residues: Vec<u64>,
        /// The least heap where it fails.
        from: u64,
        /// Whether it fails for every heap with such a residue from there on.
        all: bool,
    },
    /// No pattern was seen in them.
    Scattered {
        /// How many heaps.
        wrong: u64,
        /// Of how many that the law speaks about.
        spoken: u64,
    },
}

/// More heaps than these are not listed.
const LISTED: usize = 6;
/// The greatest modulus that is tried, and the most residues that are listed.
const MODULUS: usize = 64;
const RESIDUES: usize = 6;
/// How often a residue must have failed.
const EVIDENCE: u64 = 3;

impl Extent {
    /// Describes the wrong ones among the verdicts on heaps 0, 1, 2, ...; `None` if there are none.
    pub(super) fn of(verdicts: &[Verdict]) -> Option<Extent> {
        let wrong = || (0_u64..).zip(verdicts).filter(|(_, v)| **v == Verdict::Wrong).map(|(heap, _)| heap);
        let first = usize::try_from(wrong().next()?).ok()?;
        let listed: Vec<u64> = wrong().take(LISTED + 1).collect();
        if listed.len() <= LISTED {
            return Some(Extent::Few(listed));
        }
        let from = *listed.first()?;
        if verdicts[first..].iter().all(|verdict| *verdict != Verdict::Right) {
            return Some(Extent::From(from));
        }
        let tried = || (2..=MODULUS).filter_map(|modulus| Residues::of(verdicts, first, modulus));
        let found = tried().find(|residues| residues.all).or_else(|| tried().next());
        Some(match found {
            Some(Residues { modulus, residues, all }) => Extent::Residues { modulus, residues, from, all },
            None => {
                let count = |of: fn(&Verdict) -> bool| verdicts.iter().filter(|v| of(v)).count();
                Extent::Scattered {
                    wrong: u64::try_from(count(|v| *v == Verdict::Wrong)).unwrap_or(u64::MAX),
                    spoken: u64::try_from(count(|v| *v != Verdict::Unsaid)).unwrap_or(u64::MAX),
                }
            }
        })
    }
}

struct Residues {
    modulus: u64,
    residues: Vec<u64>,
    all: bool,
}

impl Residues {
    /// The residues of failure if they are few enough to say something.
    fn of(verdicts: &[Verdict], first: usize, modulus: usize) -> Option<Residues> {
        let most = RESIDUES.min(modulus - 1);
        let mut wrong = vec![0_u64; modulus];
        let mut residues = 0;
        for (heap, verdict) in verdicts.iter().enumerate().skip(first) {
            if *verdict == Verdict::Wrong {
                let seen = &mut wrong[heap % modulus];
                residues += usize::from(*seen == 0);
                *seen += 1;
                if residues > most {
                    return None;
                }
            }
        }
        if wrong.iter().any(|count| (1..EVIDENCE).contains(count)) {
            return None;
        }
        let right = |heap: usize| verdicts[heap] == Verdict::Right && wrong[heap % modulus] > 0;
        let all = !(first..verdicts.len()).any(right);
        if !all && residues > modulus / 2 {
            return None;
        }
        let residues = (0_u64..).zip(&wrong).filter(|(_, count)| **count > 0).map(|(r, _)| r).collect();
        Some(Residues { modulus: u64::try_from(modulus).ok()?, residues, all })
    }
}

/// `n = 2 mod 4`, to stand after "fails for".
impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |all: &[u64]| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Extent::Few(heaps) => write!(f, "n = {}", list(heaps)),
            Extent::From(heap) => write!(f, "every n >= {heap}"),
            Extent::Residues { modulus, residues, from, all } => {
                let some = if *all { "" } else { "some " };
                write!(f, "{some}n = {} mod {modulus}", list(residues))?;
                // Where the first failure is the first heap with its residue there is nothing to add.
                if *all && from >= modulus { write!(f, ", n >= {from}") } else { Ok(()) }
            }
            Extent::Scattered { wrong, spoken } => write!(f, "{wrong} of {spoken} heaps"),
        }
    }
}
