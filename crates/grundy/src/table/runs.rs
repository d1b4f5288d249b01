//! Runs directly below the heap: heap n has the options {n-1, n-2, .., n-d}.
//!
//! With A(k) the nim-sum of the values of all heaps below k, the run of d heaps has the value A(n) ^ A(n-d). So
//! the values of the options are the numbers A(j) for the j that a run may reach down to, all translated by A(n).
//! The set of the A(j) gains one member a heap (and loses one where runs have a greatest length); its mex after a
//! translation is found by walking down a binary tree whose nodes say whether all numbers below them are present:
//! to the side where the translated bit is 0, if something is absent there. That is a step a bit, where the
//! definition goes through all d.

use std::collections::VecDeque;

use grundy_rule::shape::Runs;

use super::Store;
use super::engine::Engine;
use super::xor_closure::permuted;
use crate::error::Error;

/// The engine.
pub(super) struct OfRuns {
    least: usize,
    shortest: usize,
    longest: usize,
    next: usize,
    /// A(n) for the next heap n.
    sum: u32,
    /// A(j) for j in `from..=n`, as far as they are still to come or to go.
    sums: VecDeque<u32>,
    /// The j whose A(j) are present are `from..to`.
    from: usize,
    to: usize,
    present: Translated,
}

impl OfRuns {
    /// For those runs.
    pub(super) fn new(runs: &Runs) -> Self {
        let far = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        OfRuns {
            least: far(runs.least),
            shortest: far(runs.shortest),
            longest: runs.longest.map_or(usize::MAX, far),
            next: 0,
            sum: 0,
            sums: VecDeque::new(),
            from: far(runs.least),
            to: far(runs.least),
            present: Translated::new(runs.longest.is_some()),
        }
    }

    /// The value of heap `n >= least`.
    fn step(&mut self, n: usize) -> u64 {
        self.sums.push_back(self.sum);
        // Runs of d heaps reach down to j = n - d.
        let first = self.from.max(n.saturating_sub(self.longest));
        while self.to + self.shortest.min(n + 1) <= n {
            let at = if self.longest == usize::MAX { 0 } else { self.to - self.from };
            self.present.insert(self.sums[at]);
            self.to += 1;
            if self.longest == usize::MAX {
                // Never to go again.
                self.sums.pop_front();
                self.from += 1;
            }
        }
        if self.longest != usize::MAX {
            while self.from < first {
                let sum = self.sums.pop_front().expect("it has one for each j from here on");
                if self.from < self.to {
                    self.present.remove(sum);
                }
                self.from += 1;
            }
            self.to = self.to.max(self.from);
        }
        self.present.mex(self.sum)
    }
}

impl Engine for OfRuns {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        for _ in 0..more {
            if self.next < self.least {
                store.push(0)?;
            } else {
                let value = self.step(self.next);
                store.push(value)?;
                self.sum ^= u32::try_from(value).expect("the store took it");
            }
            self.next += 1;
        }
        Ok(())
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        self.sums.capacity() as u64 * 4 + self.present.bytes()
    }
}

/// A set of numbers that gives its mex after a translation.
struct Translated {
    /// The numbers as bits; the length is a power of 2.
    words: Vec<u64>,
    /// A binary tree over the words: node 1 is the root, node i has the children 2i and 2i + 1, the words are the
    /// leaves. Says whether all is present below.
    full: Vec<bool>,
    /// How often each number was put in, if they are also to be taken out.
    counts: Option<Vec<u32>>,
}

impl Translated {
    fn new(counted: bool) -> Self {
        Translated { words: vec![0], full: vec![false; 2], counts: counted.then(|| vec![0; 64]) }
    }

    fn insert(&mut self, number: u32) {
        let number = number as usize;
        let words = (number / 64 + 1).next_power_of_two();
        if words > self.words.len() {
            self.words.resize(words, 0);
            if let Some(counts) = &mut self.counts {
                counts.resize(words * 64, 0);
            }
            self.full = vec![false; 2 * words];
            for node in (1..2 * words).rev() {
                self.full[node] = match node.checked_sub(words) {
                    Some(word) => self.words[word] == u64::MAX,
                    None => self.full[2 * node] && self.full[2 * node + 1],
                };
            }
        }
        if let Some(counts) = &mut self.counts {
            counts[number] += 1;
        }
        let word = &mut self.words[number / 64];
        *word |= 1 << (number % 64);
        if *word == u64::MAX {
            let mut node = self.words.len() + number / 64;
            self.full[node] = true;
            while node > 1 && self.full[node ^ 1] {
                node /= 2;
                self.full[node] = true;
            }
        }
    }

    fn remove(&mut self, number: u32) {
        let number = number as usize;
        if let Some(counts) = &mut self.counts {
            counts[number] -= 1;
            if counts[number] > 0 {
                return;
            }
        }
        let word = &mut self.words[number / 64];
        *word &= !(1 << (number % 64));
        let mut node = self.words.len() + number / 64;
        while node > 0 && self.full[node] {
            self.full[node] = false;
            node /= 2;
        }
    }

    /// The least v such that v ^ `by` is absent.
    fn mex(&self, by: u32) -> u64 {
        let (by, words) = (by as usize, self.words.len());
        if by / 64 >= words {
            // 0 itself goes beyond everything that is present.
            return 0;
        }
        if self.full[1] {
            // Present is exactly what lies below a power of 2, and so are its translates.
            return words as u64 * 64;
        }
        let (mut node, mut bit, mut mex) = (1, words / 2, 0);
        while node < words {
            let straight = usize::from((by / 64) & bit != 0);
            let turn = usize::from(self.full[2 * node + straight]);
            node = 2 * node + (straight ^ turn);
            mex = 2 * mex + turn;
            bit /= 2;
        }
        let word = permuted(self.words[node - words], by % 64);
        mex as u64 * 64 + u64::from(word.trailing_ones())
    }

    fn bytes(&self) -> u64 {
        let counts = self.counts.as_ref().map_or(0, |counts| counts.capacity() * 4);
        (self.words.capacity() * 8 + self.full.capacity() + counts) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use proptest::prelude::*;

    fn check(
        shortest: u64,
        longest: Option<u64>,
        least: u64,
        n: u64,
        cut: usize,
    ) -> Result<(), TestCaseError> {
        let runs = Runs { shortest, longest, least };
        let plain = naive(n, |n| {
            let most = longest.unwrap_or(u64::MAX);
            if n < least {
                return Vec::new();
            }
            (shortest..=most.min(n - least)).map(|d| (n - d..n).collect()).collect()
        });
        agrees(&mut OfRuns::new(&runs), &plain, cut)
    }

    proptest! {
        #[test]
        fn equals_the_definition(shortest in 0_u64..6, longest in prop::option::of(0_u64..40), least in 0_u64..4, n in 0_u64..200, cut in 1_usize..90) {
            check(shortest, longest, least, n, cut)?;
        }
    }

    #[test]
    fn ruler_is_the_greatest_power_of_two() {
        let mut engine = OfRuns::new(&Runs { shortest: 0, longest: None, least: 1 });
        let law: Vec<u32> = (0..5000_u32).map(|n| n & n.wrapping_neg()).collect();
        agrees(&mut engine, &law, 1000).unwrap();
    }
}
