//! Subtraction games with a finite set S: heap n has the options n - t for t in S.
//!
//! **Push.** A value v of heap n is an option's value for the heaps n + t. So the mask of values reached from
//! each of the next max(S) heaps lies in a ring, and n's value goes into |S| of them by one OR each; its own
//! value is the least zero bit of its mask. There is no mex loop, and nothing is read back. Values are at most
//! |S|, so a 64-bit mask serves sets of up to 63 numbers.
//!
//! **Repeat.** max(S) successive values decide all later ones. When such a window comes again
//! ([`super::repeat`]), the rest is copied.
//!
//! **Pull** is for larger sets and for numbers so large that the ring would not fit the cache: the values of
//! the options are read from the table. For set sizes beyond 63 it is also faster than masks of several
//! words. One word for each *value* holding the heaps that have it (a bit set shifted by each t) was tried on
//! paper: it moves n/64 words a heap, more than |S| for every set that people write.

use super::Store;
use super::engine::Engine;
use super::repeat::{Cycle, Repeat};
use crate::error::Error;
use crate::nimber::Mex;

/// The engine that pushes masks.
pub(super) struct Masks {
    set: Vec<usize>,
    /// Masks of the heaps to come, at their number modulo the length, which is a power of 2.
    ring: Vec<u64>,
    next: usize,
    past: Past<u8>,
}

/// The most a ring may hold: it is to stay in the cache.
const LARGEST_RING: usize = 1 << 16;
/// Values filled before the next look for a repeated window.
const PIECE: usize = 1 << 12;

impl Masks {
    /// For heaps up to `n`; `None` if the set is too large or its numbers are.
    pub(super) fn new(set: &[u64], n: u64) -> Option<Self> {
        let set = taken(set, n);
        let greatest = set.last().copied().unwrap_or(0);
        if set.len() > 63 || greatest >= LARGEST_RING {
            return None;
        }
        let ring = vec![0; (greatest + 1).next_power_of_two()];
        Some(Masks { set, ring, next: 0, past: Past::new(greatest) })
    }

    /// Values of the next heaps; `out` is filled.
    fn push(&mut self, out: &mut [u8]) {
        let wrap = self.ring.len() - 1;
        for value in out {
            let here = self.next & wrap;
            let mex = self.ring[here].trailing_ones();
            self.ring[here] = 0;
            for t in &self.set {
                self.ring[(self.next + t) & wrap] |= 1 << mex;
            }
            *value = mex.to_le_bytes()[0];
            self.next += 1;
        }
    }
}

impl Engine for Masks {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        let mut piece = [0; PIECE];
        let mut rest = more;
        while rest > 0 {
            if let Past::Cycle(cycle) = &mut self.past {
                return cycle.fill(store, rest);
            }
            let piece = &mut piece[..rest.min(PIECE)];
            self.push(piece);
            store.extend(piece)?;
            self.past.look(piece);
            rest -= piece.len();
        }
        Ok(())
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        self.ring.len() as u64 * 8 + self.past.bytes()
    }
}

/// The engine that reads the values of the options back.
pub(super) struct Pull {
    set: Vec<usize>,
    seen: Mex,
    past: Past<u32>,
}

impl Pull {
    /// For heaps up to `n`.
    pub(super) fn new(set: &[u64], n: u64) -> Self {
        let set = taken(set, n);
        let greatest = set.last().copied().unwrap_or(0);
        Pull { set, seen: Mex::new(), past: Past::new(greatest) }
    }
}

impl Engine for Pull {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        let end = store.len() + more;
        let mut piece = Vec::with_capacity(PIECE);
        while store.len() < end {
            if let Past::Cycle(cycle) = &mut self.past {
                return cycle.fill(store, end - store.len());
            }
            piece.clear();
            for n in store.len()..end.min(store.len() + PIECE) {
                self.seen.clear();
                for t in self.set.iter().take_while(|t| **t <= n) {
                    self.seen.insert(store.values().get(n - t));
                }
                let value = self.seen.mex();
                store.push(value)?;
                piece.push(store.values().get(n));
            }
            self.past.look(&piece);
        }
        Ok(())
    }

    fn reads_back(&self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        self.past.bytes() + self.seen.bytes()
    }
}

/// The numbers that can be taken from heaps up to `n`.
fn taken(set: &[u64], n: u64) -> Vec<usize> {
    set.iter().filter(|t| **t <= n).filter_map(|t| usize::try_from(*t).ok()).collect()
}

/// What is known about a repetition.
enum Past<T> {
    /// Not yet found.
    Watched(Repeat<T>),
    /// No longer looked for.
    Free,
    /// Found.
    Cycle(Cycle<T>),
}

impl<T: super::store::Cell> Past<T> {
    fn new(m: usize) -> Self {
        Repeat::new(m).map_or(Past::Free, Past::Watched)
    }

    fn look(&mut self, values: &[T]) {
        let Past::Watched(repeat) = self else { return };
        if let Some(cycle) = repeat.look(values) {
            *self = Past::Cycle(cycle);
        } else if !repeat.is_hopeful() {
            *self = Past::Free;
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Past::Watched(repeat) => repeat.bytes(),
            Past::Free => 0,
            Past::Cycle(cycle) => cycle.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_equal_the_definition(set in prop::collection::btree_set(1_u64..40, 0..9), n in 0_u64..900, cut in 1_usize..300) {
            let set: Vec<u64> = set.into_iter().collect();
            let plain = naive(n, |n| set.iter().filter(|t| **t <= n).map(|t| vec![n - t]).collect());
            agrees(&mut Masks::new(&set, n).unwrap(), &plain, cut)?;
            agrees(&mut Pull::new(&set, n), &plain, cut)?;
        }
    }

    #[test]
    fn large_sets_and_numbers() {
        let set: Vec<u64> = (1..200).chain([10_000_000_000]).collect();
        assert!(Masks::new(&set, 1000).is_none());
        let plain = naive(1000, |n| set.iter().filter(|t| **t <= n).map(|t| vec![n - t]).collect());
        agrees(&mut Pull::new(&set, 1000), &plain, 77).unwrap();
        // Numbers beyond every heap do not make the ring large.
        assert!(Masks::new(&[1, 2, u64::MAX], 1000).is_some());
    }
}
