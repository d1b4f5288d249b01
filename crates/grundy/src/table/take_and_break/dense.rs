//! The mex over all splits, without marking all of them.
//!
//! The plain way marks the nim-sum of every pair: one scattered store a pair, which is what bounds it. But almost
//! all values below the mex are common, and a few thousand pairs show them. So only a *prefix* of the pairs is
//! marked; then the least values without a mark are looked for among the remaining pairs, and the first one that is
//! nowhere is the mex. Where the processor can pick words out of a register, hundreds of them are looked for
//! together: a set of bits in registers, of which each value is taken out when it is met. Elsewhere four at a time are
//! compared with the pairs, 16 or more pairs an instruction. How long the prefix should be depends on the game; it
//! is adapted to what marks and comparisons were made, by their number and not by the clock, so that a run does
//! the same work every time.
//!
//! Heaps come in blocks. What the pairs of two heaps *before* the block leave free is the same for each heap of the
//! block whatever the values inside it are: these lists are made by all cores at once. Then the block's own
//! values are settled in order, each from its list and the few pairs that reach into the block.
//!
//! Considered and dropped: one bit set for each value of the heaps that have it (the intersection of as many
//! pairs of sets as there are values, for each candidate); bits instead of bytes for the marks (a read and a
//! dependence for each pair).

use rayon::prelude::*;

use super::super::simd::{WIDEST, Wanted, find4};
use super::game::{Game, Known, Marks};

/// Fills values in blocks.
pub(super) struct Dense {
    /// Marks of one core each.
    marks: Vec<Marks>,
    near: Marks,
    /// Pairs marked for each number taken, before values are looked for.
    prefix: usize,
    /// Whether values are looked for as a set.
    sifts: bool,
    /// The cost since the prefix was last changed, and the heaps it was for.
    cost: u64,
    heaps: u64,
    /// The cost a heap and a pair before that, in 1/1024.
    before: u64,
    longer: bool,
}

/// Values that the pairs before the block leave free, ascending: all below the first were attained, and all
/// between two of them.
struct Free {
    values: [u16; 4],
    count: usize,
    /// Where the next search begins.
    next: usize,
    cost: u64,
}

/// Heaps of a block.
const BLOCK: usize = 64;
/// From this heap on the work of a block is worth a second core.
const PARALLEL: usize = 1 << 13;
/// Values that are looked for as a set.
const TARGETS: u32 = 192;
/// Values that are looked for by comparison.
const COMPARED: usize = 4;
/// A mark costs about as much as this many pairs compared with four values.
const MARK: u64 = 12;
/// And a value that is met in a set, as this many pairs looked up in it.
const HIT: u64 = 150;
/// Blocks between two changes of the prefix.
const ADAPT: u64 = 32 * BLOCK as u64;

impl Dense {
    /// With that many cores.
    pub(super) fn new(cores: usize) -> Self {
        let marks = (0..cores.max(1)).map(|_| Marks::new()).collect();
        let (near, sifts) = (Marks::new(), Wanted::is_fast());
        Dense { marks, near, prefix: 2048, sifts, cost: 0, heaps: 0, before: u64::MAX, longer: false }
    }

    /// As it was made.
    pub(super) fn anew(&self) -> Self {
        Dense::new(self.marks.len())
    }

    /// Looks for values as a set or by comparison, whatever this processor does better.
    #[cfg(test)]
    pub(super) fn look_as(&mut self, set: bool) {
        self.sifts = set;
    }

    /// Appends the values of the next `more` heaps; `Err` if one passes 2^16 - 1.
    pub(super) fn fill(&mut self, game: &Game, known: &mut Known, more: usize) -> Result<(), ()> {
        let end = known.len() + more;
        while known.len() < end {
            let start = known.len();
            // Small blocks at first: a block is to be mostly about heaps before it.
            let count = (start / 8).clamp(1, BLOCK).min(end - start);
            let cores = if start < PARALLEL { 1 } else { self.marks.len() };
            let how = How { prefix: self.prefix, sifts: self.sifts };
            let known_ref = &*known;
            let list = |marks: &mut Marks, core: usize| -> Vec<Free> {
                let heaps = (start + core..start + count).step_by(cores);
                heaps.map(|n| free(game, known_ref, n, start, how, 0, marks)).collect()
            };
            let lists: Vec<Vec<Free>> = if cores == 1 {
                vec![list(&mut self.marks[0], 0)]
            } else {
                self.marks.par_iter_mut().enumerate().map(|(core, marks)| list(marks, core)).collect()
            };
            for i in 0..count {
                let free = &lists[i % cores][i / cores];
                let value = self.settle(game, known, start + i, start, free)?;
                known.push(value);
            }
            self.adapt(lists.iter().flatten().map(|free| free.cost).sum(), start, count);
        }
        Ok(())
    }

    /// The value of heap `n`, from what the pairs before the block leave free and all other options.
    fn settle(
        &mut self,
        game: &Game,
        known: &Known,
        n: usize,
        start: usize,
        first: &Free,
    ) -> Result<u16, ()> {
        let universe = known.universe();
        self.near.clear(universe);
        game.singles(n, known, |value| self.near.mark(value));
        for (sum, last) in game.sums(n) {
            let inside = sum.saturating_sub(start).min(last);
            self.near.mark_pairs(known.pairs(sum, 1..inside + 1));
        }
        let pick = |free: &Free, near: &Marks| {
            free.values[..free.count].iter().copied().find(|value| !near.has(usize::from(*value)))
        };
        if let Some(value) = pick(first, &self.near) {
            return Ok(value);
        }
        let mut next = first.next;
        while next <= usize::from(u16::MAX) {
            let how = How { prefix: self.prefix, sifts: self.sifts };
            let free = free(game, known, n, start, how, next, &mut self.marks[0]);
            if let Some(value) = pick(&free, &self.near) {
                return Ok(value);
            }
            next = free.next;
        }
        Err(())
    }

    /// Tries a longer or shorter prefix, and turns round when that was worse.
    fn adapt(&mut self, cost: u64, start: usize, count: usize) {
        self.cost += cost;
        self.heaps += count as u64;
        if self.heaps < ADAPT {
            return;
        }
        let now = self.cost.saturating_mul(1024) / (self.heaps * (start as u64 + 1));
        if now > self.before {
            self.longer = !self.longer;
        }
        self.prefix = if self.longer { self.prefix * 5 / 4 } else { self.prefix * 4 / 5 }.clamp(64, 1 << 20);
        (self.before, self.cost, self.heaps) = (now, 0, 0);
    }
}

/// How values are looked for.
#[derive(Clone, Copy)]
struct How {
    prefix: usize,
    sifts: bool,
}

/// The least values from `from` on that no pair of two heaps below `start` gives heap `n`.
fn free(
    game: &Game,
    known: &Known,
    n: usize,
    start: usize,
    how: How,
    from: usize,
    marks: &mut Marks,
) -> Free {
    let (universe, prefix) = (known.universe(), how.prefix);
    marks.clear(universe);
    let mut cost = 0;
    // Pairs (i, sum - i) with both parts below `start`.
    let ranges = || {
        game.sums(n).filter_map(move |(sum, last)| {
            let first = (sum + 1).saturating_sub(start).max(1);
            (first <= last).then_some((sum, first..last + 1))
        })
    };
    for (sum, range) in ranges() {
        let end = range.end.min(range.start + prefix);
        marks.mark_pairs(known.pairs(sum, range.start..end));
        cost += MARK * (end - range.start) as u64;
    }
    let rests = || {
        ranges()
            .map(|(sum, range)| (sum, range.start + prefix..range.end))
            .filter(|(_, rest)| !rest.is_empty())
    };
    let mut next = from;
    loop {
        let mut free = Free { values: [0; 4], count: 0, next: 0, cost: 0 };
        if how.sifts && universe < WIDEST && next <= universe {
            // What lies just beyond the universe is never attained: something is always left.
            let (mut wanted, mut count, end) = Wanted::unmarked(marks.below(universe + 16), next, TARGETS);
            next = end;
            for (sum, rest) in rests() {
                cost += rest.len() as u64;
                let (a, b) = known.pairs(sum, rest);
                let hits = wanted.sift(a, b, universe, count);
                cost += HIT * u64::from(hits);
                count -= hits;
            }
            free.take(wanted.iter());
        } else {
            let (mut targets, mut count) = ([0; COMPARED], 0);
            while count < COMPARED {
                next = marks.next_free(next);
                let Ok(value) = u16::try_from(next) else { break };
                targets[count] = value;
                count += 1;
                next += 1;
                if next > universe {
                    // Nothing is attained from here on, so one is enough.
                    break;
                }
            }
            if count == 0 {
                return Free { next, cost, ..free };
            }
            // Too few: the last one again.
            for k in count..COMPARED {
                targets[k] = targets[count - 1];
            }
            let mut found = 0;
            for (sum, rest) in rests() {
                if found != 0b1111 {
                    cost += rest.len() as u64;
                    let (a, b) = known.pairs(sum, rest);
                    found |= find4(a, b, targets);
                }
            }
            free.take(
                targets
                    .into_iter()
                    .take(count)
                    .enumerate()
                    .filter(|(k, _)| found >> k & 1 == 0)
                    .map(|(_, v)| v),
            );
        }
        if free.count > 0 {
            // Those that there was no room for are found again.
            free.next = if free.next > 0 { free.next } else { next };
            return Free { cost, ..free };
        }
    }
}

impl Free {
    /// Takes the first values, and notes which was the first that it had no room for.
    fn take(&mut self, values: impl Iterator<Item = u16>) {
        for value in values {
            if self.count == self.values.len() {
                self.next = usize::from(value);
                return;
            }
            self.values[self.count] = value;
            self.count += 1;
        }
    }
}
