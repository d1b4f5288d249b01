//! The parity that parts the values of a game into a few rare ones and many common ones.
//!
//! Take a mask m of bits. A heap is *rare* if its value has an even number of the bits of m, else *common*. A split
//! into a rare and a common heap then has a nim-sum that would make its heap common, a split into two of a sort one
//! that would make it rare (Berlekamp; Winning Ways ch. 4). Where all numbers that may be taken before a split are
//! alike in parity, the parity of the heap itself may join: for the split i + j = n - t, the parities of i + t,
//! j + t and n + t then add up in the same way.
//!
//! The best mask for values seen so far is the greatest coefficient of the Walsh-Hadamard transform of their
//! histogram.

use super::game::{Game, Known};

/// A way to tell rare heaps from common ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parity {
    /// The bits of a value that count.
    pub(super) mask: u16,
    /// What is added to the heap before its parity joins; `None` if it does not.
    shift: Option<usize>,
}

impl Parity {
    /// Whether a heap with that value is common.
    #[inline]
    pub(super) fn is_common(self, heap: usize, value: u16) -> bool {
        ((value & self.mask).count_ones() & 1 == 1) ^ self.turns(heap)
    }

    /// Whether the heap's own parity makes rare what its value's would make common.
    #[inline]
    pub(super) fn turns(self, heap: usize) -> bool {
        self.shift.is_some_and(|shift| (heap + shift) & 1 == 1)
    }

    /// The parity with the fewest rare heaps among those so far, and their number.
    pub(super) fn train(game: &Game, known: &Known) -> Option<(Parity, usize)> {
        let first = *game.pairs.first()?;
        let alike = game.pairs.iter().all(|taken| taken % 2 == first % 2);
        let universe = known.universe();
        // Heap 0 is no part of a split.
        let heaps = &known.all()[1.min(known.len())..];
        let best = |turn: bool| {
            let mut sums = vec![0_i64; universe];
            for (heap, value) in (1..).zip(heaps) {
                let odd = turn && (heap + first) % 2 == 1;
                sums[usize::from(*value)] += if odd { -1 } else { 1 };
            }
            transform(&mut sums);
            // The sum for a mask is the number of rare heaps less that of the common ones.
            let masks = usize::from(!turn)..universe;
            let mask = masks.min_by_key(|mask| sums[*mask])?;
            let rare = usize::try_from((i64::try_from(heaps.len()).ok()? + sums[mask]) / 2).ok()?;
            let mask = u16::try_from(mask).ok()?;
            Some((Parity { mask, shift: turn.then_some(first) }, rare))
        };
        let (plain, turned) = (best(false), if alike { best(true) } else { None });
        [plain, turned].into_iter().flatten().min_by_key(|(_, rare)| *rare)
    }
}

/// The Walsh-Hadamard transform: at m the sum of the entries, those with an odd number of bits of m negated.
fn transform(sums: &mut [i64]) {
    let mut half = 1;
    while half < sums.len() {
        for block in sums.chunks_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}
