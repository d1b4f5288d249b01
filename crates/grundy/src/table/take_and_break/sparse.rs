//! The mex from the rare heaps, where nearly all are common.
//!
//! By [`super::parity`], a value that would make heap n common is attained only by a rare and a common part: going
//! through the rare parts decides all those values exactly. The first that is free is the *candidate*. It is the mex
//! unless some smaller value, one that would make n rare, is not attained either. So these must be seen among the
//! splits: a short prefix of them shows nearly all, and what is left is looked for by comparison among the rest.
//! Nothing is assumed: a value that is nowhere in all splits is the mex, and heap n then joins the rare ones. So every
//! value is exact, whatever the parity, and the parity may be trained anew at any time.
//!
//! What is read is thus the rare heaps, the first few hundred and the last heaps back to the greatest rare one before
//! the heap in hand; the rest need not be kept, as long as no new rare heap turns up and nothing is looked for among all
//! splits. Both are told, and then all values are made again.
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

/// Why values cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// One passes 2^16 - 1.
    Wide,
    /// One depends on heaps that were [forgotten](Known::forget).
    Gap,
}

/// Splits marked before values are looked for, for each number taken.
pub(super) const PREFIX: usize = 512;
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
        for (heap, value) in known.all().iter().enumerate().skip(1) {
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

    /// Whether a heap with that value is rare.
    pub(super) fn is_rare(&self, heap: usize, value: u16) -> bool {
        heap > 0 && !self.parity.is_common(heap, value)
    }

    /// Takes the value of a heap, the next one after those so far.
    pub(super) fn sort(&mut self, heap: usize, value: u16) {
        if self.is_rare(heap, value) {
            self.rare.push((u32::try_from(heap).expect("tables of such games are shorter than 2^32"), value));
        }
    }

    /// How many heaps there are up to the last rare one.
    pub(super) fn reach(&self) -> usize {
        self.rare.last().map_or(1, |(heap, _)| *heap as usize + 1)
    }

    /// Appends the values of the next `more` heaps.
    pub(super) fn fill(&mut self, game: &Game, known: &mut Known, more: usize) -> Result<(), Stop> {
        for n in known.len()..known.len() + more {
            let small = if known.universe() <= 64 { self.small(game, known, n)? } else { None };
            let value = match small {
                Some(value) => value,
                None => self.large(game, known, n)?,
            };
            // A new rare heap will be joined to all heaps from 0 on.
            if known.has_gap() && self.is_rare(n, value) {
                return Err(Stop::Gap);
            }
            known.push(value);
            self.sort(n, value);
        }
        Ok(())
    }

    /// The value of heap `n`, if all nim-sums are below 64; `None` if it may be 64 or more.
    #[inline]
    fn small(&mut self, game: &Game, known: &Known, n: usize) -> Result<Option<u16>, Stop> {
        let mut seen = 0_u64;
        game.singles(n, known, |value| seen |= 1 << value);
        each_rare(&self.rare, game, known, n, |value| seen |= 1 << value);
        let stops = self.stops[usize::from(self.parity.turns(n))];
        let candidate = (!seen & stops).trailing_zeros();
        let Some(below) = 1_u64.checked_shl(candidate).map(|bit| bit - 1) else { return Ok(None) };
        let mut missing = !seen & below;
        if missing == 0 || self.candidates {
            return Ok(Some(low(candidate)));
        }
        for (sum, last) in game.sums(n) {
            let (a, b) = known.pairs(sum, 1..last.min(PREFIX) + 1);
            for (a, b) in a.chunks(STEP).zip(b.chunks(STEP)) {
                for (a, b) in a.iter().zip(b) {
                    missing &= !(1 << (a ^ b));
                }
                if missing == 0 {
                    return Ok(Some(low(candidate)));
                }
            }
        }
        while missing != 0 {
            let value = low(missing.trailing_zeros());
            if !attained(game, known, n, value)? {
                return Ok(Some(value));
            }
            missing &= missing - 1;
        }
        Ok(Some(low(candidate)))
    }

    /// The value of heap `n`.
    fn large(&mut self, game: &Game, known: &Known, n: usize) -> Result<u16, Stop> {
        let universe = known.universe();
        self.marks.clear(universe);
        game.singles(n, known, |value| self.marks.mark(value));
        each_rare(&self.rare, game, known, n, |value| self.marks.mark(value));
        if !self.candidates {
            for (sum, last) in game.sums(n) {
                self.marks.mark_pairs(known.pairs(sum, 1..last.min(PREFIX) + 1));
            }
        }
        let passed = &self.passed[usize::from(self.parity.turns(n))];
        let candidate = self.marks.next_free_but(passed);
        if !self.candidates {
            let mut value = self.marks.next_free(0);
            while value < candidate {
                let target = u16::try_from(value).map_err(|_| Stop::Wide)?;
                if !attained(game, known, n, target)? {
                    return Ok(target);
                }
                value = self.marks.next_free(value + 1);
            }
        }
        u16::try_from(candidate).map_err(|_| Stop::Wide)
    }
}

/// The values of the splits of heap `n` into a rare heap and another one.
#[inline(always)]
fn each_rare(rare: &[(u32, u16)], game: &Game, known: &Known, n: usize, mut take: impl FnMut(u16)) {
    for (sum, _) in game.sums(n) {
        let (parts, first) = known.last(sum);
        for (heap, value) in rare {
            let heap = *heap as usize;
            if heap >= sum {
                break;
            }
            if 2 * heap != sum {
                take(value ^ parts[sum - first - heap]);
            }
        }
    }
}

/// Whether a value is attained by a split beyond the prefix.
#[cold]
fn attained(game: &Game, known: &Known, n: usize, target: u16) -> Result<bool, Stop> {
    if known.has_gap() {
        return Err(Stop::Gap);
    }
    Ok(game.sums(n).any(|(sum, last)| {
        let (a, b) = known.pairs(sum, last.min(PREFIX) + 1..last + 1);
        find4(a, b, [target; 4]) != 0
    }))
}

/// A number below 2^16.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "it is the place of a bit in a word")]
fn low(bit: u32) -> u16 {
    bit as u16
}
