//! Everything but a finite set S may be taken: heap n has the options n - t for t >= 1 outside S.
//!
//! A value v is missing among the options of n exactly if *every* heap of value v below n is forbidden, that
//! is, of the form n - s with s in S. So count the heaps of each value, and count, for the |S| forbidden heaps,
//! how many have each value: where the counts agree, v may be reused. The mex is the least such v, or the
//! first value that no heap has. That is O(|S|) a heap, where the definition needs n - |S| options.
//!
//! Once a heap of value v is more than max(S) below, v is never free again. New values come in order, one a
//! heap at most, and a value is given to heaps within max(S) of its first; so all that is ever asked lies within
//! 2 max(S) heaps and values, and rings of that size replace tables as long as the game.

use super::Store;
use super::engine::Engine;
use crate::error::Error;
use crate::limits::{self, Clock};

/// The engine.
pub(super) struct AllBut {
    set: Vec<usize>,
    next: usize,
    /// Values of the last heaps, at the heap modulo the length (a power of 2).
    values: Vec<u32>,
    /// For the last values, at the value modulo the length (a power of 2).
    counts: Vec<Count>,
    /// The first value that no heap has.
    fresh: u32,
    /// The forbidden heaps of a value are counted in this many bits.
    bits: u32,
}

#[derive(Clone, Copy, Default)]
struct Count {
    /// Heaps that have the value.
    have: u32,
    /// A heap, above [`AllBut::bits`] bits for the number of its forbidden heaps that have the value. A number that is
    /// less than the heap in hand stands for no forbidden heap: nothing need be set back between heaps.
    forbidden: u64,
}

/// Values made before they are put into the store.
const PIECE: usize = 1 << 12;

impl AllBut {
    /// For heaps up to `n`.
    pub(super) fn new(set: &[u64], n: u64, clock: &Clock) -> Result<Self, Error> {
        // What is larger than every heap is no restriction.
        let set: Vec<usize> =
            set.iter().filter(|s| **s <= n).filter_map(|s| usize::try_from(*s).ok()).collect();
        let greatest = set.last().copied().unwrap_or(0) as u64;
        let long =
            || Error::new("memory", format!("the forbidden number {greatest} needs more than any memory"));
        let heaps = greatest.checked_add(1).and_then(u64::checked_next_power_of_two).ok_or_else(long)?;
        let values =
            greatest.checked_mul(2).and_then(|m| m.checked_add(2)).and_then(u64::checked_next_power_of_two);
        let values = values.ok_or_else(long)?;
        clock.memory(heaps.saturating_mul(4).saturating_add(values.saturating_mul(16)))?;
        let bits = usize::BITS - set.len().leading_zeros();
        if n.leading_zeros() <= bits {
            return Err(long());
        }
        let mut ring = Vec::new();
        let heaps = usize::try_from(heaps).map_err(|_| long())?;
        limits::reserve(&mut ring, heaps)?;
        ring.resize(heaps, 0);
        let mut counts = Vec::new();
        let values = usize::try_from(values).map_err(|_| long())?;
        limits::reserve(&mut counts, values)?;
        counts.resize(values, Count::default());
        Ok(AllBut { set, next: 0, values: ring, counts, fresh: 0, bits })
    }

    /// The value of the next heap; `None` if it passes 2^32 - 1.
    #[inline]
    fn step(&mut self) -> Option<u32> {
        let n = self.next;
        let (heaps, values) = (self.values.len() - 1, self.counts.len() - 1);
        // Heaps below 0 do not forbid anything.
        let set = if n >= heaps { &self.set[..] } else { &self.set[..self.set.partition_point(|s| *s <= n)] };
        let none = (n as u64) << self.bits;
        let mut mex = self.fresh;
        for s in set {
            let value = self.values[n.wrapping_sub(*s) & heaps];
            let count = &mut self.counts[value as usize & values];
            count.forbidden = count.forbidden.max(none).wrapping_add(1);
            if count.forbidden.wrapping_sub(none) == u64::from(count.have) {
                mex = mex.min(value);
            }
        }
        let count = &mut self.counts[mex as usize & values];
        if mex == self.fresh {
            self.fresh = self.fresh.checked_add(1)?;
            *count = Count { have: 1, forbidden: none };
        } else {
            count.have += 1;
        }
        self.values[n & heaps] = mex;
        self.next += 1;
        Some(mex)
    }
}

impl Engine for AllBut {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        let mut piece = Vec::with_capacity(PIECE);
        let mut rest = more;
        while rest > 0 {
            piece.clear();
            for _ in 0..rest.min(PIECE) {
                piece.push(self.step().ok_or_else(|| super::store::too_wide(self.next))?);
            }
            store.extend(&piece)?;
            rest -= piece.len();
        }
        Ok(())
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        (self.values.len() * 4 + self.counts.len() * 16) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_definition(set in prop::collection::btree_set(1_u64..25, 0..9), n in 0_u64..400, cut in 1_usize..300) {
            let set: Vec<u64> = set.into_iter().collect();
            let plain = naive(n, |n| (1..=n).filter(|t| !set.contains(t)).map(|t| vec![n - t]).collect());
            agrees(&mut AllBut::new(&set, n, &Limits::default().clock()).unwrap(), &plain, cut)?;
        }
    }
}
