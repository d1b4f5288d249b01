//! The mex from the rare heaps, where nearly all are common.
//!
//! By [`super::parity`], a value that would make heap n common is attained only by a rare and a common part: going
//! through the rare parts decides all those values exactly. The first that is free is the *candidate*. It is the mex
//! unless some smaller value, one that would make n rare, is not attained either. So these must be seen among the
//! splits: a short prefix of them shows nearly all, and what is left is looked for by comparison among the rest.
//! Nothing is assumed: a value that is nowhere in all splits is the mex, and heap n then joins the rare ones. So every
//! value is exact, whatever the parity, and the parity may be trained anew at any time.
//!
//! With `candidates` the second step is left out: the values are then observed, not proved.

use super::super::simd::find4;
use super::game::{Game, Known, Marks};
use super::parity::Parity;

/// Fills values one by one.
pub(super) struct Sparse {
    parity: Parity,
    /// The rare heaps from 1 on, ascending, with their values.
    rare: Vec<(u32, u16)>,
    marks: Marks,
    /// For values that would make a heap common, 0; else 1. Once for heaps that do not turn, once for those that do.
    passed: [Vec<u8>; 2],
    /// The same as bits that are set for the common ones.
    stops: [u64; 2],
    candidates: bool,
}

/// Splits marked before values are looked for, for each number taken.
const PREFIX: usize = 512;
/// Of a game with small values: splits marked between two looks at what is missing.
const STEP: usize = 8;

impl Sparse {
    /// With a parity; the heaps so far are sorted by it.
    pub(super) fn new(parity: Parity, known: &Known, candidates: bool) -> Self {
        let passed = [false, true].map(|turn| {
            let passes = |value: usize| {
                u8::from(
                    u16::try_from(value).is_ok_and(|v| ((v & parity.mask).count_ones() & 1 == 1) == turn),
                )
            };
            (0..1 << 16).map(passes).collect::<Vec<u8>>()
        });
        let bits = |passed: &[u8]| {
            passed[..64].iter().enumerate().fold(0, |bits, (v, p)| bits | u64::from(*p == 0) << v)
        };
        let stops = [bits(&passed[0]), bits(&passed[1])];
        let mut sparse = Sparse { parity, rare: Vec::new(), marks: Marks::new(), passed, stops, candidates };
        for (heap, value) in known.forward.iter().enumerate().skip(1) {
            sparse.sort(heap, *value);
        }
        sparse
    }

    /// The parity.
    #[cfg(test)]
    pub(super) fn parity(&self) -> Parity {
        self.parity
    }

    /// How many heaps are rare.
    pub(super) fn rare(&self) -> usize {
        self.rare.len()
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> u64 {
        (self.rare.capacity() * 8) as u64
    }

    /// Takes the value of a heap, the next one after those so far.
    pub(super) fn sort(&mut self, heap: usize, value: u16) {
        if heap > 0 && !self.parity.is_common(heap, value) {
            self.rare.push((u32::try_from(heap).expect("tables of such games are shorter than 2^32"), value));
        }
    }

    /// Appends the values of the next `more` heaps; `Err` if one passes 2^16 - 1.
    pub(super) fn fill(&mut self, game: &Game, known: &mut Known, more: usize) -> Result<(), ()> {
        for n in known.len()..known.len() + more {
            let small = if known.universe() <= 64 { self.small(game, known, n) } else { None };
            let value = match small {
                Some(value) => value,
                None => self.large(game, known, n)?,
            };
            known.push(value);
            self.sort(n, value);
        }
        Ok(())
    }

    /// The value of heap `n`, if all nim-sums are below 64; `None` if it may be 64 or more.
    #[inline]
    fn small(&mut self, game: &Game, known: &Known, n: usize) -> Option<u16> {
        let mut seen = 0_u64;
        game.singles(n, known, |value| seen |= 1 << value);
        for (sum, _) in game.sums(n) {
            let parts = &known.forward[..sum];
            for (heap, value) in &self.rare {
                let heap = *heap as usize;
                if heap >= sum {
                    break;
                }
                if 2 * heap != sum {
                    seen |= 1 << (value ^ parts[sum - heap]);
                }
            }
        }
        let stops = self.stops[usize::from(self.parity.turns(n))];
        let candidate = (!seen & stops).trailing_zeros();
        let below = 1_u64.checked_shl(candidate)? - 1;
        let mut missing = !seen & below;
        if missing == 0 || self.candidates {
            return Some(low(candidate));
        }
        for (sum, last) in game.sums(n) {
            let (a, b) = known.pairs(sum, 1..last.min(PREFIX) + 1);
            for (a, b) in a.chunks(STEP).zip(b.chunks(STEP)) {
                for (a, b) in a.iter().zip(b) {
                    missing &= !(1 << (a ^ b));
                }
                if missing == 0 {
                    return Some(low(candidate));
                }
            }
        }
        while missing != 0 {
            let value = low(missing.trailing_zeros());
            if !attained(game, known, n, [value; 4]) {
                return Some(value);
            }
            missing &= missing - 1;
        }
        Some(low(candidate))
    }

    /// The value of heap `n`.
    fn large(&mut self, game: &Game, known: &Known, n: usize) -> Result<u16, ()> {
        let universe = known.universe();
        self.marks.clear(universe);
        game.singles(n, known, |value| self.marks.mark(value));
        for (sum, last) in game.sums(n) {
            let parts = &known.forward[..sum];
            for (heap, value) in &self.rare {
                let heap = *heap as usize;
                if heap >= sum {
                    break;
                }
                if 2 * heap != sum {
                    self.marks.mark(value ^ parts[sum - heap]);
                }
            }
            if !self.candidates {
                self.marks.mark_pairs(known.pairs(sum, 1..last.min(PREFIX) + 1));
            }
        }
        let passed = &self.passed[usize::from(self.parity.turns(n))];
        let candidate = self.marks.next_free_but(passed);
        if !self.candidates {
            let mut value = self.marks.next_free(0);
            while value < candidate {
                let target = u16::try_from(value).map_err(|_| ())?;
                if !attained(game, known, n, [target; 4]) {
                    return Ok(target);
                }
                value = self.marks.next_free(value + 1);
            }
        }
        u16::try_from(candidate).map_err(|_| ())
    }
}

/// Whether a value is attained by a split beyond the prefix.
#[cold]
fn attained(game: &Game, known: &Known, n: usize, targets: [u16; 4]) -> bool {
    game.sums(n).any(|(sum, last)| {
        let (a, b) = known.pairs(sum, last.min(PREFIX) + 1..last + 1);
        find4(a, b, targets) != 0
    })
}

/// A number below 2^16.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "it is the place of a bit in a word")]
fn low(bit: u32) -> u16 {
    bit as u16
}
