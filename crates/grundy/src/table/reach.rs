//! Subtraction games with a large or infinite set S: primes, squares, predicates.
//!
//! For each value v, the heaps that have an option of value v are a bit set. When heap n gets the value v, the heaps
//! n + t for t in S join it: the bits of S, moved up by n, in one pass over words. The value of a heap is the first v
//! whose set it is not in. That is n/64 words a heap, and no matter how many numbers may be taken; it beats reading
//! the options back ([`super::subtraction`]) where S holds more than about one number in 64.
//!
//! A predicate is not asked for again: what may be taken does not depend on the heap, so the set is read off the
//! options of the last heap of the table.

use std::ops::ControlFlow;

use grundy_rule::Rule;
use grundy_rule::expr::Int;
use grundy_rule::heap::KindId;
use grundy_rule::moves::{Moves, Scratch, Sink};

use super::Store;
use super::engine::Engine;
use crate::error::Error;
use crate::limits::{self, Clock};

/// The engine.
pub(super) struct Reach {
    /// The numbers that may be taken, as bits; has a word of zeros at its end.
    taken: Vec<u64>,
    /// For each value, the heaps that have an option with it; words before `next / 64` are no longer true.
    reach: Vec<Vec<u64>>,
    next: usize,
    /// Words of the heaps `0..=n`.
    words: usize,
    clock: Clock,
}

/// Reading the options back costs about as much as this many words for each of them.
const PULL: usize = 4;

impl Reach {
    /// Whether it is better than reading the values of the options back, for heaps up to `n`.
    pub(super) fn is_better(set: &[u64], n: u64) -> bool {
        let taken = set.iter().filter(|t| **t <= n).count();
        usize::try_from(n / 64).is_ok_and(|words| taken.saturating_mul(PULL) > words)
    }

    /// For heaps up to `n`.
    pub(super) fn new(set: &[u64], n: u64, clock: &Clock) -> Result<Self, Error> {
        let long = || Error::new("memory", format!("{n} heaps are more than any memory holds"));
        let words = usize::try_from(n / 64 + 1).map_err(|_| long())?;
        clock.memory(words as u64 * 16)?;
        let mut taken = Vec::new();
        limits::reserve(&mut taken, words + 1)?;
        taken.resize(words + 1, 0);
        for t in set.iter().filter(|t| **t <= n).filter_map(|t| usize::try_from(*t).ok()) {
            taken[t / 64] |= 1 << (t % 64);
        }
        Ok(Reach { taken, reach: Vec::new(), next: 0, words, clock: clock.clone() })
    }

    /// Lets the heaps that can move to heap `n` join the set of its value.
    fn join(&mut self, n: usize, value: usize) -> Result<(), Error> {
        if value == self.reach.len() {
            self.clock.memory(self.bytes() + self.words as u64 * 8)?;
            let mut set = Vec::new();
            limits::reserve(&mut set, self.words)?;
            set.resize(self.words, 0);
            self.reach.push(set);
        }
        let (start, up) = (n / 64, n % 64);
        let to = &mut self.reach[value][start..];
        if up == 0 {
            to.iter_mut().zip(&self.taken).for_each(|(to, from)| *to |= from);
        } else {
            to[0] |= self.taken[0] << up;
            let from = self.taken.iter().zip(&self.taken[1..]);
            to[1..].iter_mut().zip(from).for_each(|(to, (low, high))| *to |= low >> (64 - up) | high << up);
        }
        Ok(())
    }
}

impl Engine for Reach {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        for n in self.next..self.next + more {
            let (word, bit) = (n / 64, n % 64);
            let reached = self.reach.iter().position(|set| set[word] >> bit & 1 == 0);
            let value = reached.unwrap_or(self.reach.len());
            store.push(value as u64)?;
            self.join(n, value)?;
            self.next += 1;
        }
        Ok(())
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        ((self.reach.len() + 1) * self.words * 8) as u64
    }
}

/// What may be taken from heap `n`, ascending: for rules where that does not depend on the heap otherwise than by
/// `t <= n`.
pub(super) fn taken(rule: &Rule, kind: KindId, n: u64, clock: &Clock) -> Result<Vec<u64>, Error> {
    struct Taken<'a> {
        n: Int,
        set: Vec<u64>,
        clock: &'a Clock,
        stop: Option<Error>,
    }
    impl Sink for Taken<'_> {
        fn start(&mut self, _line: usize, _alternative: usize, _assignment: &[Int]) {}

        fn heap(&mut self, _kind: KindId, entries: &[Int], _count: u128) {
            self.set.extend(entries.first().and_then(|left| u64::try_from(self.n - left).ok()));
        }

        fn finish(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn tick(&mut self) -> ControlFlow<()> {
            let checked = self.clock.check().and_then(|()| self.clock.memory(self.set.capacity() as u64 * 8));
            match checked {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    self.stop = Some(error);
                    ControlFlow::Break(())
                }
            }
        }
    }
    let moves = Moves::new(rule)?;
    let heap = Int::from(n);
    let mut sink = Taken { n: heap, set: Vec::new(), clock, stop: None };
    moves.visit(&mut Scratch::default(), kind, &[heap], &mut sink).map_err(|error| error.to_diagnostic())?;
    if let Some(error) = sink.stop {
        return Err(error);
    }
    let mut set = sink.set;
    set.retain(|t| *t >= 1);
    set.sort_unstable();
    set.dedup();
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_definition(set in prop::collection::btree_set(1_u64..400, 0..150), n in 0_u64..500, cut in 1_usize..300) {
            let set: Vec<u64> = set.into_iter().collect();
            let plain = naive(n, |n| set.iter().filter(|t| **t <= n).map(|t| vec![n - t]).collect());
            agrees(&mut Reach::new(&set, n, &Limits::default().clock()).unwrap(), &plain, cut)?;
        }
    }
}
