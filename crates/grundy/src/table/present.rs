//! A set of numbers that says at once which is the least absent one.

/// A set of numbers as bits, with a summary above: a bit of a level says that the word below is full.
///
/// Insertion and removal touch one word, and one more for each level whose word becomes or ceases to be
/// full; [`Present::least_absent`] reads one word a level. Four levels serve 2^24 numbers, six all of 2^32.
#[derive(Clone, Debug)]
pub(super) struct Present {
    /// The numbers themselves first, then the summaries; the last level is one word.
    levels: Vec<Vec<u64>>,
}

impl Default for Present {
    fn default() -> Self {
        Present { levels: vec![vec![0]] }
    }
}

impl Present {
    /// Adds a number.
    #[inline]
    pub(super) fn insert(&mut self, number: usize) {
        if number / 64 >= self.levels[0].len() {
            self.grow(number);
        }
        let mut index = number;
        for level in &mut self.levels {
            let word = &mut level[index / 64];
            *word |= 1 << (index % 64);
            if *word != u64::MAX {
                break;
            }
            index /= 64;
        }
    }

    /// Takes a number out, if it is in.
    #[inline]
    pub(super) fn remove(&mut self, number: usize) {
        if number / 64 >= self.levels[0].len() {
            return;
        }
        let mut index = number;
        for level in &mut self.levels {
            let word = &mut level[index / 64];
            let was_full = *word == u64::MAX;
            *word &= !(1 << (index % 64));
            if !was_full {
                break;
            }
            index /= 64;
        }
    }

    /// The least number that is not in the set.
    #[inline]
    pub(super) fn least_absent(&self) -> usize {
        let mut index = 0;
        for level in self.levels.iter().rev() {
            // A summary's words may end early: what is beyond them is absent.
            let ones = level.get(index).map_or(0, |word| word.trailing_ones());
            index = index * 64 + ones as usize;
        }
        index
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> u64 {
        self.levels.iter().map(|level| level.capacity() as u64 * 8).sum()
    }

    #[cold]
    fn grow(&mut self, number: usize) {
        let words = (number / 64 + 1).next_power_of_two();
        self.levels[0].resize(words, 0);
        let mut level = 0;
        while self.levels[level].len() > 1 {
            let words = self.levels[level].len().div_ceil(64);
            if level + 1 == self.levels.len() {
                self.levels.push(Vec::new());
            }
            let old = self.levels[level + 1].len();
            self.levels[level + 1].resize(words, 0);
            if old < words {
                // A new level, or a longer one: say anew which of the words below are full.
                let (below, above) = self.levels.split_at_mut(level + 1);
                for (index, word) in below[level].iter().enumerate() {
                    if *word == u64::MAX {
                        above[0][index / 64] |= 1 << (index % 64);
                    }
                }
            }
            level += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn says_the_least_absent(steps in prop::collection::vec((0_usize..9000, 1_usize..9000, any::<bool>()), 1..30)) {
            let mut present = Present::default();
            let mut plain = BTreeSet::new();
            for (start, length, add) in steps {
                for number in start..(start + length).min(9000) {
                    if add {
                        present.insert(number);
                        plain.insert(number);
                    } else {
                        present.remove(number);
                        plain.remove(&number);
                    }
                }
                let least = (0..).find(|n| !plain.contains(n)).unwrap();
                prop_assert_eq!(present.least_absent(), least);
            }
            prop_assert!((0..9000).all(|n| (present.levels[0].get(n / 64).is_some_and(|w| w >> (n % 64) & 1 == 1)) == plain.contains(&n)));
        }

        #[test]
        fn full_from_the_start(count in 0_usize..300_000) {
            let mut present = Present::default();
            (0..count).for_each(|n| present.insert(n));
            prop_assert_eq!(present.least_absent(), count);
        }
    }
}
