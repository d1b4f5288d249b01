//! The mex over all splits, without marking all of them.
//!
//! The plain way marks the nim-sum of every pair: one scattered store a pair, which is what bounds it. But almost
//! all values below the mex are common, and a few thousand pairs show them. So only a *prefix* of the pairs is
//! marked; then the least values without a mark, four at a time, are looked for among the remaining pairs by
//! comparison, 16 or 32 pairs an instruction. The first one that is nowhere is the mex. How long the prefix
//! should be depends on the game; it is adapted to what marks and comparisons were made, by their number and not
//! by the clock, so that a run does the same work every time.
//!
//! Heaps come in blocks. What the pairs of two heaps *before* the block leave free is the same for each heap of the
//! block whatever the values inside it are: these lists are made by all cores at once. Then the block's own
//! values are settled in order, each from its list and the few pairs that reach into the block.
//!
//! Considered and dropped: one bit set for each value of the heaps that have it (the intersection of as many
//! pairs of sets as there are values, for each candidate); bits instead of bytes for the marks (a read and a
//! dependence for each pair).

use rayon::prelude::*;

use super::super::simd::find4;
use super::game::{Game, Known, Marks};

/// Fills values in blocks.
pub(super) struct Dense {
    /// Marks of one core each.
    marks: Vec<Marks>,
    near: Marks,
    /// Pairs marked for each number taken, before values are looked for.
    prefix: usize,
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
/// A mark costs about as much as this many pairs compared with four values.
const MARK: u64 = 8;
/// Blocks between two changes of the prefix.
const ADAPT: u64 = 32 * BLOCK as u64;

impl Dense {
    /// With that many cores.
    pub(super) fn new(cores: usize) -> Self {
        let marks = (0..cores.max(1)).map(|_| Marks::new()).collect();
        Dense { marks, near: Marks::new(), prefix: 2048, cost: 0, heaps: 0, before: u64::MAX, longer: false }
    }

    /// Appends the values of the next `more` heaps; `Err` if one passes 2^16 - 1.
    pub(super) fn fill(&mut self, game: &Game, known: &mut Known, more: usize) -> Result<(), ()> {
        let end = known.len() + more;
        while known.len() < end {
            let start = known.len();
            // Small blocks at first: a block is to be mostly about heaps before it.
            let count = (start / 8).clamp(1, BLOCK).min(end - start);
            let cores = if start < PARALLEL { 1 } else { self.marks.len() };
            let prefix = self.prefix;
            let known_ref = &*known;
            let list = |marks: &mut Marks, core: usize| -> Vec<Free> {
                let heaps = (start + core..start + count).step_by(cores);
                heaps.map(|n| free(game, known_ref, n, start, prefix, 0, marks)).collect()
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
            let free = free(game, known, n, start, self.prefix, next, &mut self.marks[0]);
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

/// The least values from `from` on that no pair of two heaps below `start` gives heap `n`.
fn free(
    game: &Game,
    known: &Known,
    n: usize,
    start: usize,
    prefix: usize,
    from: usize,
    marks: &mut Marks,
) -> Free {
    let universe = known.universe();
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
    let mut next = from;
    loop {
        let (mut targets, mut count) = ([0; 4], 0);
        while count < 4 {
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
        // Too few: the last one again, or any value if there is none at all.
        for k in count..4 {
            targets[k] = targets[count.saturating_sub(1)];
        }
        let mut found = 0;
        for (sum, range) in ranges() {
            let rest = range.start + prefix..range.end;
            if !rest.is_empty() && found != 0b1111 {
                cost += rest.len() as u64;
                let (a, b) = known.pairs(sum, rest);
                found |= find4(a, b, targets);
            }
        }
        let mut free = Free { values: [0; 4], count: 0, next, cost };
        for (k, target) in targets[..count].iter().enumerate() {
            if found >> k & 1 == 0 {
                free.values[free.count] = *target;
                free.count += 1;
            }
        }
        if free.count > 0 || count == 0 {
            return free;
        }
    }
}
