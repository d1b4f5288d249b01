//! Windows with two ends that never fall: heap n has the options left(n)..=right(n).
//!
//! Heaps enter the window on the right and leave it on the left, each once. A value is present while the *last*
//! heap that has it is inside, so the last heap of each value is kept, and a value goes when that heap leaves.
//! The least absent value comes from a bit set of the present ones with a summary above each 64 words, and so on
//! up ([`Present`]): a few steps whatever the values are. Counting how many heaps inside have each value instead
//! takes a second write a heap.

use grundy_rule::shape::Window;

use super::Store;
use super::ends::End;
use super::engine::Engine;
use super::present::Present;
use crate::error::Error;

/// The engine.
pub(super) struct TwoEnds {
    first: usize,
    left: End,
    right: End,
    /// The window holds the heaps `from..to`.
    from: usize,
    to: usize,
    /// The last heap of each value that has entered; heaps are taken modulo 2^32, which tells the heaps of any
    /// table apart that fits a value in 32 bits.
    last: Vec<u32>,
    present: Present,
}

impl TwoEnds {
    /// For that window.
    pub(super) fn new(window: &Window) -> Self {
        TwoEnds {
            // A first heap beyond every table: no heap moves.
            first: usize::try_from(window.first).unwrap_or(usize::MAX),
            left: End::new(&window.left, window.first),
            right: End::new(&window.right, window.first),
            from: 0,
            to: 0,
            last: Vec::new(),
            present: Present::default(),
        }
    }

    /// The value of heap `n`, whose window is `left..=right`.
    #[inline]
    fn step(&mut self, n: usize, left: i64, right: i64, store: &Store) -> usize {
        let values = store.values();
        let clip = |end: i64| usize::try_from(end.max(0)).expect("not negative").min(n);
        let (from, to) = (clip(left), clip(right.saturating_add(1)));
        while self.to < to {
            let value = values.get(self.to) as usize;
            if value >= self.last.len() {
                self.last.resize((value + 1).next_power_of_two(), 0);
            }
            self.last[value] = low(self.to);
            self.present.insert(value);
            self.to += 1;
        }
        // Heaps that the left end has passed before they came in are let in and out again.
        while self.from < from.min(self.to) {
            let value = values.get(self.from) as usize;
            if self.last[value] == low(self.from) {
                self.present.remove(value);
            }
            self.from += 1;
        }
        if to <= from { 0 } else { self.present.least_absent() }
    }
}

/// The low 32 bits of a heap.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the low bits are what is wanted")]
fn low(heap: usize) -> u32 {
    heap as u32
}

impl Engine for TwoEnds {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        for n in store.len()..store.len() + more {
            let value = if n < self.first {
                0
            } else {
                let (left, right) = (self.left.next()?, self.right.next()?);
                self.step(n, left, right, store)
            };
            store.push(value as u64)?;
        }
        Ok(())
    }

    fn reads_back(&self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        self.last.capacity() as u64 * 4 + self.present.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use grundy_rule::shape::{LeftEnd, Ratio};
    use proptest::prelude::*;

    fn ratio() -> impl Strategy<Value = Ratio> {
        (0_i128..12, -40_i128..40, 1_i128..12).prop_map(|(a, c, b)| Ratio { a, c, b })
    }

    proptest! {
        #[test]
        fn equals_the_definition(left in ratio(), right in ratio(), first in 0_u64..20, n in 0_u64..400, cut in 1_usize..300) {
            let window = Window { first, left: LeftEnd::Ratio(left), right: LeftEnd::Ratio(right) };
            let plain = naive(n, |n| {
                let heap = i128::from(n);
                let (left, right) = (left.at(heap).unwrap().max(0), right.at(heap).unwrap().min(heap - 1));
                if n < first { Vec::new() } else { (left..=right).map(|y| vec![u64::try_from(y).unwrap()]).collect() }
            });
            agrees(&mut TwoEnds::new(&window), &plain, cut)?;
        }
    }
}
