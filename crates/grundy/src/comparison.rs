//! A law against the rule: does it hold on a table, and if not, where does it fail and why?
//!
//! A formula that somebody believes is compared heap by heap. What comes out is more than the least counterexample:
//! people who find a wrong formula have often found one that is right on part of the heaps, so the heaps where it
//! fails are described ([`Extent`]: "n = 2 mod 4"), and the counterexample carries the options that decide it
//! ([`Decision`]), so that nobody has to believe the table either.
//!
//! A law may be silent about a heap, or have no value there (`log(0, 2)`). That refutes nothing, for a statement
//! about part of the heaps is a statement; it is counted and said. A number below 0 does refute: it is no nimber.

mod decision;
mod extent;

use crate::error::Error;
use crate::law::Law;
use crate::limits::Clock;
use crate::nimber::Nimber;
use crate::table::Table;

pub use decision::{Decision, SHOWN, decide};
pub use extent::Extent;

/// What comes of comparing a law with the values of heaps `0..=checked_to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The last heap that was compared.
    pub checked_to: u64,
    /// How many of the heaps the law speaks about.
    pub spoken: u64,
    /// The least heap where it is wrong.
    pub first: Option<Wrong>,
    /// How many heaps it is wrong about.
    pub wrong: u64,
    /// Which heaps these are; `None` if there are none.
    pub extent: Option<Extent>,
    /// The heaps it says nothing about.
    pub unsaid: Option<Unsaid>,
}

/// A heap about which a law is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The heap.
    pub heap: u64,
    /// What the law says.
    pub said: Said,
    /// What the rule gives.
    pub nimber: Nimber,
}

/// What a law says about a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Its nimber.
    Value(Nimber),
    /// That it is won: its nimber is not 0.
    Won,
}

impl Claim {
    /// What the law says about a heap; a law about the outcome alone says who wins.
    ///
    /// # Errors
    /// Those of [`Law::value`], but never `law-outcome`.
    pub fn of(law: &Law, heap: u64) -> Result<Claim, Error> {
        Claim::about(law, &[heap.into()])
    }

    /// The same about a heap of any number of entries.
    ///
    /// # Errors
    /// Those of [`Law::value_of`], but never `law-outcome`.
    pub fn about(law: &Law, heap: &[u128]) -> Result<Claim, Error> {
        match law.value_of(heap) {
            Ok(value) => Ok(Claim::Value(value)),
            Err(error) if error.id() == "law-outcome" => Ok(Claim::Won),
            Err(error) => Err(error),
        }
    }
}

/// What a law gives for a heap about which it is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Another nimber.
    Value(Nimber),
    /// That the heap is won, and it is lost.
    Won,
    /// No nimber at all; the message says what.
    NoNimber(String),
}

/// The heaps to which a law gives no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaid {
    /// How many.
    pub count: u64,
    /// The least.
    pub first: u64,
    /// Why it has none.
    pub reason: String,
}

impl Comparison {
    /// Whether the law is right wherever it speaks.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.first.is_none()
    }
}

/// Errors of a law at one heap that say nothing against it elsewhere.
const NO_VALUE: [&str; 5] = ["law-silent", "overflow", "division", "domain", "index"];

/// What is known of the law at a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Unsaid,
    Right,
    Wrong,
}

/// Compares what a law says (`said`, asked for heaps 0, 1, 2, ...) with a table; for a grid, heaps are the places of its
/// tuples in row order, both for `said` and in what comes out.
///
/// ```
/// use grundy::{comparison::{Claim, compare}, law::Law, limits::Limits, table::Table};
/// let law = Law::parse("g(n) = n mod 4", &[]).unwrap();
/// let table = Table::of(&[0, 1, 2, 3, 0, 1, 2, 4]);
/// let found = compare(|n| Claim::of(&law, n), &table, &Limits::default().clock()).unwrap();
/// assert_eq!(found.first.unwrap().heap, 7);
/// ```
///
/// # Errors
/// What makes the law no law (`law-ambiguous`, `law-circular`, `law-slow`), unless it was refuted before that heap;
/// `law-silent` if it says nothing about any heap; limits.
pub fn compare(
    mut said: impl FnMut(u64) -> Result<Claim, Error>,
    table: &Table,
    clock: &Clock,
) -> Result<Comparison, Error> {
    let mut verdicts = Vec::new();
    crate::limits::reserve(&mut verdicts, table.len())?;
    let (mut first, mut unsaid): (Option<Wrong>, Option<Unsaid>) = (None, None);
    for (heap, right) in (0_u64..).zip(table.iter()) {
        if heap % 1024 == 0 {
            clock.check().map_err(|error| error.so_far(format!("heaps 0 to {heap} are compared")))?;
        }
        let nimber = Nimber::from(right);
        let wrong = match said(heap) {
            Ok(Claim::Value(value)) if value != nimber => Said::Value(value),
            Ok(Claim::Won) if nimber == 0 => Said::Won,
            Ok(_) => {
                verdicts.push(Verdict::Right);
                continue;
            }
            Err(error) if error.id() == "law-negative" => Said::NoNimber(error.message()),
            Err(error) if NO_VALUE.contains(&error.id()) => {
                unsaid
                    .get_or_insert_with(|| Unsaid { count: 0, first: heap, reason: error.message() })
                    .count += 1;
                verdicts.push(Verdict::Unsaid);
                continue;
            }
            Err(_) if first.is_some() => break,
            Err(error) => return Err(error),
        };
        first.get_or_insert(Wrong { heap, said: wrong, nimber });
        verdicts.push(Verdict::Wrong);
    }
    let count = |wanted: &[Verdict]| {
        u64::try_from(verdicts.iter().filter(|verdict| wanted.contains(verdict)).count()).unwrap_or(u64::MAX)
    };
    let checked_to = u64::try_from(verdicts.len()).unwrap_or(u64::MAX).saturating_sub(1);
    let spoken = count(&[Verdict::Right, Verdict::Wrong]);
    if let (0, Some(unsaid)) = (spoken, &unsaid) {
        let heaps = match table.dims() {
            [_] => format!("0..{checked_to}"),
            _ => format!("up to {}", table.heap(verdicts.len() - 1)),
        };
        return Err(Error::new("law-silent", format!("the law has no value for any heap {heaps}"))
            .help(unsaid.reason.clone()));
    }
    let wrong = count(&[Verdict::Wrong]);
    let extent = match table.dims() {
        [_] => Extent::of(&verdicts),
        // Residues and the like are about numbers, not about places in a grid.
        _ => (wrong > 0).then_some(Extent::Scattered { wrong, spoken }),
    };
    Ok(Comparison { checked_to, spoken, first, wrong, extent, unsaid })
}

#[cfg(test)]
mod tests;
