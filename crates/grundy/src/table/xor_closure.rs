//! Up to m lower heaps in any combination: coins to turn, beans to split.
//!
//! Heap n has as options all collections of c lower heaps, for every c in a set C. Let S_k be the set of
//! nim-sums of k lower heaps; the value of n is the mex of the union of the S_c. When the next heap comes, with
//! value g, every S_k gains S_(k-1) translated by g: from the greatest k down if the heaps of an option differ, from
//! the least up if the same heap may be taken again.
//!
//! A set of nim-sums is a bit set, and translating it by g moves whole words (the word w goes to w ^ (g >> 6))
//! and permutes the bits of each word in the same way, by at most six swaps of neighbouring blocks: n heaps cost
//! n^2/64 word operations where the definition needs n^m. The sets only grow, so the mex never falls, and its
//! search goes on where it ended.

use grundy_rule::shape::XorClosure;

use super::Store;
use super::engine::Engine;
use crate::error::Error;
use crate::limits::{self, Clock};

/// The engine.
pub(super) struct Closure {
    least: usize,
    repeats: bool,
    /// S_0, S_1, .., S_m as bit sets of equal length, a power of 2 of words.
    sums: Vec<Vec<u64>>,
    /// Which of them are options.
    counts: Vec<usize>,
    next: usize,
    /// Words before this are full in the union.
    full: usize,
    clock: Clock,
}

/// Words in a set from which on the clock is asked before every pass over one.
const LONG: usize = 1 << 16;

/// More heaps in one option than anyone writes; each costs a pass over a bit set for every heap.
pub(super) const MOST: u32 = 64;

impl Closure {
    /// For that closure; `None` if its options have more than [`MOST`] heaps.
    pub(super) fn new(closure: &XorClosure, clock: &Clock) -> Option<Self> {
        let most = closure.counts.last().copied().unwrap_or(0);
        if most > MOST {
            return None;
        }
        let mut sums = vec![vec![0]; most as usize + 1];
        // The nim-sum of no heap is 0.
        sums[0][0] = 1;
        let counts = closure.counts.iter().map(|count| *count as usize).collect();
        // A least heap beyond every table: no heap moves.
        let least = usize::try_from(closure.least).unwrap_or(usize::MAX);
        Some(Closure {
            least,
            repeats: closure.repeats,
            sums,
            counts,
            next: 0,
            full: 0,
            clock: clock.clone(),
        })
    }

    /// The mex of the union.
    fn mex(&mut self) -> u64 {
        loop {
            let union = |word: usize| self.counts.iter().fold(0, |all, count| all | self.sums[*count][word]);
            if self.full == self.sums[0].len() {
                return self.full as u64 * 64;
            }
            let word = union(self.full);
            if word != u64::MAX {
                return self.full as u64 * 64 + u64::from(word.trailing_ones());
            }
            self.full += 1;
        }
    }

    /// Lets a heap with that value in.
    fn add(&mut self, value: usize) -> Result<(), Error> {
        let words = (value / 64 + 1).next_power_of_two();
        let len = self.sums[0].len();
        if words > len {
            self.clock.memory((words * self.sums.len() * size_of::<u64>()) as u64)?;
            // Nim-sums of values below a power of 2 stay below it.
            for set in &mut self.sums {
                limits::reserve(set, words - len)?;
                set.resize(words, 0);
            }
        }
        let most = self.sums.len() - 1;
        for step in 0..most {
            if words.max(len) >= LONG {
                self.clock.check()?;
            }
            let k = if self.repeats { step + 1 } else { most - step };
            let (below, above) = self.sums.split_at_mut(k);
            if k == 1 {
                // One heap alone: the translate of {0}.
                above[0][value / 64] |= 1 << (value % 64);
            } else {
                join_translated(&mut above[0], &below[k - 1], value);
            }
        }
        Ok(())
    }
}

/// `to |= { x ^ by : x in from }`.
pub(super) fn join_translated(to: &mut [u64], from: &[u64], by: usize) {
    let (words, bits) = (by / 64, by % 64);
    // The low part of `words` permutes within blocks of 8, the rest permutes blocks: so most of the way is
    // straight, and the compiler can take several words at a time.
    if to.len() < 8 {
        for (i, to) in to.iter_mut().enumerate() {
            *to |= permuted(from[i ^ words], bits);
        }
        return;
    }
    let (blocks, low) = (words / 8, words % 8);
    let from = from.as_chunks::<8>().0;
    for (i, to) in to.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let block = &from[i ^ blocks];
        for j in 0..8 {
            to[j] |= permuted(block[j ^ low], bits);
        }
    }
}

/// The bits of a word, each moved to its place ^ `by`.
#[inline]
pub(super) fn permuted(word: u64, by: usize) -> u64 {
    /// The lower half of each pair of blocks of 1, 2, 4, .. bits.
    const LOWER: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    let mut word = word;
    for (i, lower) in LOWER.iter().enumerate() {
        if by >> i & 1 == 1 {
            let shift = 1 << i;
            word = (word & lower) << shift | word >> shift & lower;
        }
    }
    word
}

impl Engine for Closure {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        for _ in 0..more {
            if self.next < self.least {
                store.push(0)?;
            } else {
                let value = self.mex();
                store.push(value)?;
                self.add(usize::try_from(value).expect("the store took it"))?;
            }
            self.next += 1;
        }
        Ok(())
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        (self.sums.len() * self.sums[0].len() * 8) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;

    /// All collections of `count` heaps in `least..n`.
    fn collections(n: u64, least: u64, count: u32, repeats: bool) -> Vec<Vec<u64>> {
        let mut all = vec![Vec::new()];
        for _ in 0..count {
            all = all
                .iter()
                .flat_map(|start: &Vec<u64>| {
                    let from = start.last().map_or(least, |last| last + u64::from(!repeats));
                    (from..n).map(move |next| start.iter().copied().chain([next]).collect())
                })
                .collect();
        }
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn equals_the_definition(counts in prop::collection::btree_set(0_u32..5, 1..4), repeats: bool, least in 0_u64..4, n in 0_u64..23, cut in 1_usize..30) {
            let closure = XorClosure { counts: counts.iter().copied().collect(), repeats, least };
            let plain = naive(n, |n| {
                if n < least { return Vec::new() }
                counts.iter().flat_map(|count| collections(n, least, *count, repeats)).collect()
            });
            agrees(&mut Closure::new(&closure, &Limits::default().clock()).unwrap(), &plain, cut)?;
        }

        #[test]
        fn translation_is_that_of_each_number(from in prop::collection::vec(any::<u64>(), 32), log in 0_u32..6, by in 0_usize..2048) {
            let length = 1 << log;
            let (from, by) = (&from[..length], by % (length * 64));
            let mut to = vec![0; length];
            join_translated(&mut to, from, by);
            for x in 0..length * 64 {
                prop_assert_eq!(to[(x ^ by) / 64] >> ((x ^ by) % 64) & 1, from[x / 64] >> (x % 64) & 1);
            }
        }
    }

    #[test]
    fn mock_turtles_and_splitting_follow_their_laws() {
        let mock = XorClosure { counts: vec![0, 1, 2], repeats: false, least: 0 };
        let law: Vec<u32> = (0..3000_u32).map(|n| 2 * n + u32::from(n.count_ones() % 2 == 0)).collect();
        agrees(&mut Closure::new(&mock, &Limits::default().clock()).unwrap(), &law, 512).unwrap();
        // Splitting a bean: 0, then the odious numbers.
        let split = XorClosure { counts: vec![2], repeats: true, least: 0 };
        let odious = (0..).filter(|n: &u32| n.count_ones() % 2 == 1);
        let law: Vec<u32> = [0].into_iter().chain(odious).take(3000).collect();
        agrees(&mut Closure::new(&split, &Limits::default().clock()).unwrap(), &law, 512).unwrap();
    }
}
