//! Finds out that a window of values has come again, and repeats what lay between.
//!
//! If the next value of a sequence is decided by the `m` values before it, then the same `m` values a second
//! time mean that it is periodic from there (proof rule R1). The window to look for is taken at places that
//! double (Brent's way of finding cycles), and looked for with the failure function of Knuth, Morris and
//! Pratt: one or two comparisons a value, no hashing, and a hit is equality, not a likelihood.

use super::Store;
use super::store::Cell;
use crate::error::Error;

/// Watches a sequence for a window of `m` values that comes again.
#[derive(Clone, Debug)]
pub(super) struct Repeat<T> {
    m: usize,
    /// The window to look for; empty at first.
    pattern: Vec<T>,
    /// For each length of a matched beginning, the next shorter one that is also matched.
    fail: Vec<u32>,
    matched: usize,
    /// The values since the window.
    past: Vec<T>,
    /// A new window is taken when there are as many.
    limit: usize,
}

/// Longer periods are not looked for: they would cost more memory than they save time.
const LONGEST: usize = 1 << 26;

impl<T: Cell> Repeat<T> {
    /// Watches for windows of `m` values (0 is read as 1); `None` if they are too long to be worth it.
    pub(super) fn new(m: usize) -> Option<Self> {
        let (pattern, fail, past) = (Vec::new(), Vec::new(), Vec::new());
        (m <= LONGEST).then(|| Repeat { m: m.max(1), pattern, fail, matched: 0, past, limit: m.max(64) })
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> u64 {
        ((self.past.capacity() + self.pattern.capacity()) * size_of::<T>() + self.fail.capacity() * 4) as u64
    }

    /// Looks at the next values; at the first window that has come again, what repeats from there on.
    pub(super) fn look(&mut self, values: &[T]) -> Option<Cycle<T>> {
        for (i, value) in values.iter().enumerate() {
            self.past.push(*value);
            if !self.pattern.is_empty() {
                while self.matched > 0 && self.pattern[self.matched] != *value {
                    self.matched = self.fail[self.matched - 1] as usize;
                }
                if self.pattern[self.matched] == *value {
                    self.matched += 1;
                }
                if self.matched == self.m {
                    // What came since the window was taken comes again; of that the caller has the rest already.
                    return Some(Cycle::new(&self.past, values.len() - i - 1));
                }
            }
            if self.past.len() >= self.limit {
                self.take_pattern();
            }
        }
        None
    }

    /// Whether it is still worth looking.
    pub(super) fn is_hopeful(&self) -> bool {
        self.limit <= LONGEST
    }

    /// Takes the last `m` values as the window to look for.
    fn take_pattern(&mut self) {
        self.pattern.clear();
        self.pattern.extend_from_slice(&self.past[self.past.len() - self.m..]);
        self.fail.clear();
        self.fail.push(0);
        let mut length = 0_usize;
        for i in 1..self.m {
            while length > 0 && self.pattern[length] != self.pattern[i] {
                length = self.fail[length - 1] as usize;
            }
            if self.pattern[length] == self.pattern[i] {
                length += 1;
            }
            self.fail.push(u32::try_from(length).expect("m is at most LONGEST"));
        }
        // Windows that overlap the pattern begin with one of its own ends.
        self.matched = self.fail[self.m - 1] as usize;
        self.past.clear();
        self.limit *= 2;
    }
}

/// Values that repeat.
#[derive(Clone, Debug)]
pub(super) struct Cycle<T> {
    /// A whole number of periods, long enough to copy in large pieces.
    values: Vec<T>,
    at: usize,
}

/// A cycle is unrolled to at least this many values.
const UNROLLED: usize = 1 << 14;

impl<T: Cell> Cycle<T> {
    /// Repeats `period`, which is not empty, from its value number `start` (modulo its length) on.
    pub(super) fn new(period: &[T], start: usize) -> Self {
        Cycle { at: start % period.len(), values: period.repeat(UNROLLED.div_ceil(period.len())) }
    }

    /// Appends the next `more` values.
    pub(super) fn fill(&mut self, store: &mut Store, mut more: usize) -> Result<(), Error> {
        while more > 0 {
            let piece = more.min(self.values.len() - self.at);
            store.extend(&self.values[self.at..self.at + piece])?;
            self.at = (self.at + piece) % self.values.len();
            more -= piece;
        }
        Ok(())
    }

    /// Leaves values out.
    pub(super) fn pass(&mut self, count: usize) {
        self.at = (self.at + count % self.values.len()) % self.values.len();
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> u64 {
        (self.values.capacity() * size_of::<T>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::Values;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_window_that_comes_again_is_found(
            before in prop::collection::vec(0_u8..3, 0..150),
            cycle in prop::collection::vec(0_u8..3, 1..40),
            m in 1_usize..30,
            cut in 1_usize..50,
        ) {
            let values: Vec<u8> = before.iter().chain(cycle.iter().cycle().take(4000)).copied().collect();
            let mut repeat = Repeat::new(m).unwrap();
            let mut given = 0;
            let found = values.chunks(cut).find_map(|chunk| {
                given += chunk.len();
                repeat.look(chunk)
            });
            let mut found = found.expect("it is periodic in the end");
            prop_assert!(given <= 8 * (before.len() + cycle.len() + m + 64) + cut, "{} values were needed", given);
            // Periodic with that period for m values at least, and the cycle goes on where they end.
            let period = repeat.past.len();
            prop_assert!(given - cut.min(given) + 1 >= period);
            let mut store = Store::new();
            found.fill(&mut store, 1000).unwrap();
            if m >= before.len() + cycle.len() {
                prop_assert_eq!(store.values(), Values::U8(&values[given..given + 1000]));
            }
        }
    }

    #[test]
    fn no_window_no_hit() {
        let mut repeat = Repeat::new(3).unwrap();
        let values: Vec<u32> = (0..10_000).collect();
        assert!(repeat.look(&values).is_none());
    }
}
