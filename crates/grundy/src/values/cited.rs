//! A law that is asked for large heaps: one that the game file cites, compared with the rule before it is believed, or one
//! that the caller brings along with its standing.

use grundy_rule::{Int, Rule, ast, law_text};

use grundy_rule::law_text::Subject;

use super::Source;
use crate::error::Error;
use crate::law::Law;
use crate::nimber::Nimber;

/// A law for large heaps.
#[derive(Debug)]
pub(super) struct Cited {
    law: Law,
    origin: Origin,
    tested: Option<u64>,
}

/// Who vouches for it.
#[derive(Debug)]
enum Origin {
    /// The literature; where.
    Literature(String),
    /// The caller, who says how well it is known.
    Caller(Source),
}

/// Heaps that the rule answers without asking the law, and that no comparison need cover first.
const SMALL: u128 = 64;
const SMALL_TESTED: u64 = 64;

/// The most heaps a comparison covers.
pub(super) const TESTED: u64 = 4096;

impl Cited {
    /// The law of a game file, if it states one.
    pub(super) fn of(rule: &Rule, file: &ast::File) -> Result<Option<Self>, Error> {
        if file.law.is_empty() {
            return Ok(None);
        }
        let law = Law::new(law_text::resolve(&file.law, &rule.params)?, &rule.params)?;
        let source = file.law_source().unwrap_or("the game file").to_string();
        Ok(Some(Cited { law, origin: Origin::Literature(source), tested: None }))
    }

    /// A law that the caller vouches for, asked for heaps beyond `tested`.
    pub(super) fn vouched(law: Law, source: Source, tested: Option<u64>) -> Self {
        Cited { law, origin: Origin::Caller(source), tested: Some(tested.unwrap_or(SMALL_TESTED)) }
    }

    /// What an answer of the law rests upon.
    pub(super) fn source(&self) -> Source {
        match &self.origin {
            Origin::Literature(source) => {
                // Before a comparison has run the law is not asked.
                Source::Cited { source: source.clone(), tested_to: self.tested.unwrap_or(0) }
            }
            Origin::Caller(source) => source.clone(),
        }
    }

    pub(super) fn is_tested(&self) -> bool {
        self.tested.is_some()
    }

    /// Whether a heap is so large that the law is asked.
    pub(super) fn speaks_beyond(&self, n: u128) -> bool {
        n > self.tested.map_or(SMALL, u128::from)
    }

    /// Compares the law with the rule for heaps 0, 1, 2, ..., of which `value` gives the rule's values until it has
    /// had enough (`None`).
    ///
    /// # Errors
    /// `law-false`; those of the law, except that it may be silent about a heap; those of `value`.
    pub(super) fn test(
        &mut self,
        mut value: impl FnMut(u64) -> Result<Option<Nimber>, Error>,
    ) -> Result<(), Error> {
        let mut last = 0;
        for n in 0..=TESTED {
            let Some(right) = value(n)? else { break };
            let said = match self.law.speaks_of() {
                Subject::Nimbers => {
                    self.value(u128::from(n))?.filter(|said| *said != right).map(|v| v.to_string())
                }
                Subject::Zeros => {
                    let lost = self.law.lost(u128::from(n))?;
                    let words = if lost { "a loss" } else { "a win" };
                    (lost != (right == 0)).then(|| words.to_string())
                }
            };
            if let Some(said) = said {
                let source = match &self.origin {
                    Origin::Literature(source) => source.as_str(),
                    Origin::Caller(_) => "by the caller",
                };
                return Err(Error::new(
                    "law-false",
                    format!("the law that is cited ({source}) gives {said} for heap {n}, and the rule gives {right}"),
                )
                .help("mend the law in the game file, or leave it out"));
            }
            last = n;
        }
        self.tested = Some(last);
        Ok(())
    }

    /// How many entries the heaps have that the law is about.
    pub(super) fn arity(&self) -> usize {
        self.law.arity()
    }

    /// Compares a law about heaps with several entries with the rule for all whose entries are small.
    ///
    /// # Errors
    /// As [`Cited::test`].
    pub(super) fn test_tuples(
        &mut self,
        arity: usize,
        mut value: impl FnMut(&[Int]) -> Result<Nimber, Error>,
    ) -> Result<(), Error> {
        let end = match arity {
            2 => SMALL_TESTED,
            3 => 15,
            _ => 5,
        };
        let mut heap = vec![0; arity];
        loop {
            let wide: Vec<u128> = heap.iter().map(|n: &u64| u128::from(*n)).collect();
            let entries: Vec<Int> = heap.iter().map(|n| Int::from(*n)).collect();
            let right = value(&entries)?;
            if let Some(said) = self.value_of(&wide)?
                && said != right
            {
                let source = self.source();
                let message = format!(
                    "a law that is {source} gives {said} for heap {heap:?}, and the rule gives {right}"
                );
                return Err(
                    Error::new("law-false", message).help("mend the law in the game file, or leave it out")
                );
            }
            // The next heap, as a number whose last digit is the first entry.
            let Some(at) = heap.iter().position(|n| *n < end) else { break };
            heap[..at].fill(0);
            heap[at] += 1;
        }
        self.tested = Some(end);
        Ok(())
    }

    /// The value of a heap with several entries; `None` if the law says nothing about it.
    pub(super) fn value_of(&self, heap: &[u128]) -> Result<Option<Nimber>, Error> {
        match self.law.value_of(heap) {
            Ok(value) => Ok(Some(value)),
            Err(error) if matches!(error.id(), "law-silent" | "law-outcome") => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The value of a heap that the law is asked for, where it is a walk over digits in 64 bits.
    #[inline]
    pub(super) fn long(&self, n: u64) -> Option<u64> {
        let tested = self.tested?;
        if n > tested { self.law.long(n) } else { None }
    }

    /// The value of a heap; `None` if the law says nothing about it.
    pub(super) fn value(&self, n: u128) -> Result<Option<Nimber>, Error> {
        match self.law.value(n) {
            Ok(value) => Ok(Some(value)),
            // Who tells the outcome alone says nothing about a nimber other than 0.
            Err(error) if matches!(error.id(), "law-silent" | "law-outcome") => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether the law can name the heaps with a value: one about the outcome alone knows those of value 0 only.
    pub(super) fn inverts(&self, value: Nimber) -> bool {
        value == 0 || self.law.speaks_of() == Subject::Nimbers
    }

    /// The least heap in `from..=to` to which the law gives that value; it must be one that the law [inverts](Cited::inverts).
    pub(super) fn next_with(&self, value: Nimber, from: u128, to: u128) -> Result<Option<u128>, Error> {
        self.law.heaps_with(value, from, to).next().transpose()
    }
}
