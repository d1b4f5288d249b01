//! From a value to the moves that make it: the options of a heap with a given nimber, in rule order.
//!
//! Three ways, chosen so that small heaps are simply enumerated and large ones never are:
//!
//! * a **closed form** names the heaps of that value in the window, at most a few;
//! * **enumeration** of the moves, each weighed by its nim-sum, is streamed, so that the first hit comes early
//!   even where all of them would take for ever;
//! * where enumeration has tried a million moves and is not done, an **inverse** takes over: lower heaps in any
//!   combination (coins, splitting) are paired by value, and one-heap options are looked up in the law. Both
//!   keep rule order, so the stream goes on where enumeration broke off.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use grundy_rule::expr::{Expr, Op};
use grundy_rule::heap::KindId;
use grundy_rule::moves::{Moves, Sink};
use grundy_rule::rule::Part;
use grundy_rule::shape::{Shape, XorClosure};
use grundy_rule::{Heap, Int, Sum};

use super::Values;
use super::target::Targets;
use crate::error::Error;
use crate::nimber::Nimber;
use crate::table::normal_play;

/// [`Inverse::moves`] where no test wants it otherwise.
pub(super) const MOVES: u64 = 1 << 20;

/// From heaps beyond this there may be more moves than anybody waits for: they are tried one by one only within a time
/// that was given.
const PATIENCE: Int = 1 << 33;

/// Heaps of a value that are put in rule order by asking the rule for each.
const SORTED: u128 = 1 << 12;

/// Heaps that are sorted by value in memory; beyond, a law is asked.
const BUCKETS: u128 = 1 << 21;

/// Takes the options that are found.
pub(super) type Found<'a> = dyn FnMut(&Sum) -> ControlFlow<()> + 'a;

/// What the inverses of a rule need, made when first asked for.
#[derive(Debug)]
pub(super) struct Inverse {
    /// Moves tried one by one before an inverse takes over.
    pub(super) moves: u64,
    /// `Some(None)`: the rule has none.
    targets: Option<Option<Targets>>,
    closure: Option<Option<XorClosure>>,
    /// Heaps `least..end` by value.
    buckets: FxHashMap<Nimber, Vec<u128>>,
    end: u128,
}

impl Default for Inverse {
    fn default() -> Self {
        Inverse { moves: MOVES, targets: None, closure: None, buckets: FxHashMap::default(), end: 0 }
    }
}

impl Values {
    /// The distinct options of `heap` whose nimber (the nim-sum of their heaps) is `value`, in rule order, until
    /// `found` breaks. Options come as they are found: the first may come early where all take long.
    ///
    /// # Errors
    /// As [`Values::nimber`]; a limit if the options are too many to try. Options found before an error
    /// have been given already.
    pub fn options_with(
        &mut self,
        heap: &Heap,
        value: Nimber,
        found: &mut dyn FnMut(&Sum) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        normal_play(&self.rule)?;
        self.normal_options_with(heap, value, found)
    }

    /// The same without asking who wins: moves and nimbers are those of normal play.
    pub(crate) fn normal_options_with(
        &mut self,
        heap: &Heap,
        value: Nimber,
        found: &mut dyn FnMut(&Sum) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        if self.by_closed_form(heap, value, found)? { Ok(()) } else { self.enumerate(heap, value, found) }
    }

    /// Gives the options that a closed form names, if there is one and their order is known.
    pub(super) fn by_closed_form(
        &mut self,
        heap: &Heap,
        value: Nimber,
        found: &mut Found<'_>,
    ) -> Result<bool, Error> {
        if let Some(n) = self.single_entry(heap)
            && let Some(closed) = &self.closed
            && let Some(ranges) = closed.options_with(n, value, &self.clock)?
        {
            self.used.closed = true;
            return Ok(self.emit_ranges(heap, &ranges, found)?.is_some());
        }
        Ok(false)
    }

    /// The entry of a heap of the kind that shapes speak about.
    pub(super) fn single_entry(&self, heap: &Heap) -> Option<u128> {
        let [n] = *heap.entries else { return None };
        (self.single == Some(heap.kind)).then(|| u128::try_from(n).ok()).flatten()
    }

    /// Gives the options that are one heap in one of these ascending ranges, in rule order. `None`: the order is
    /// not known; nothing was given.
    fn emit_ranges(
        &mut self,
        heap: &Heap,
        ranges: &[(u128, u128)],
        found: &mut Found<'_>,
    ) -> Result<Option<ControlFlow<()>>, Error> {
        let count = ranges.iter().fold(0u128, |sum, (lo, hi)| sum.saturating_add(hi - lo).saturating_add(1));
        if count == 0 {
            return Ok(Some(ControlFlow::Continue(())));
        }
        if self.targets(heap.kind)?.is_none() {
            return Ok(None);
        }
        let heaps = || ranges.iter().flat_map(|&(lo, hi)| lo..=hi);
        if count == 1 {
            return Ok(heaps().next().map(|y| found(&one(heap.kind, y))));
        }
        if count <= SORTED {
            return Ok(match self.in_rule_order(heap, heaps())? {
                Some((options, 0)) => Some(options.iter().try_for_each(|&y| found(&one(heap.kind, y)))),
                _ => None,
            });
        }
        let mut steps = 0u32;
        let mut stop = Ok(());
        let mut give = |y: u128| {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(1 << 16) {
                stop = self.clock.check();
                if stop.is_err() {
                    return ControlFlow::Break(());
                }
            }
            found(&one(heap.kind, y))
        };
        let flow = match self.direction(heap.kind) {
            Some(true) => heaps().try_for_each(&mut give),
            Some(false) => ranges.iter().rev().flat_map(|&(lo, hi)| (lo..=hi).rev()).try_for_each(&mut give),
            None => return Ok(None),
        };
        stop.map(|()| Some(flow))
    }

    /// The heaps that the rule does reach from `heap`, in the order in which it does, and how many of these it does
    /// not reach. `None` without an inverse.
    fn in_rule_order(
        &mut self,
        heap: &Heap,
        heaps: impl Iterator<Item = u128>,
    ) -> Result<Option<(Vec<u128>, usize)>, Error> {
        let from = heap.entries.first().copied().unwrap_or(0);
        let Some(targets) = self.targets(heap.kind)? else { return Ok(None) };
        let (mut keyed, mut missing) = (Vec::new(), 0);
        for y in heaps {
            let Ok(target) = Int::try_from(y) else { continue };
            match targets.moves(from, target)?.into_iter().next() {
                Some(first) => keyed.push(((first.line, first.alternative, first.assignment), y)),
                None => missing += 1,
            }
        }
        keyed.sort_unstable();
        Ok(Some((keyed.into_iter().map(|(_, y)| y).collect(), missing)))
    }

    /// Whether rule order is ascending (`true`) or descending in the heap left, where that can be read off: one
    /// alternative with one variable, `y` or `n - t`.
    fn direction(&self, kind: KindId) -> Option<bool> {
        let mut lines = self.rule.lines.iter().filter(|line| line.kind == kind);
        let (Some(line), None) = (lines.next(), lines.next()) else { return None };
        let [alternative] = line.alternatives.as_slice() else { return None };
        let ([_], [Part::Heap(left)]) = (alternative.variables.as_slice(), alternative.parts.as_slice())
        else {
            return None;
        };
        match left.entries.as_slice() {
            [Expr::Slot(1)] => Some(true),
            [Expr::Binary(Op::Sub, n, t)] if **n == Expr::Slot(0) && **t == Expr::Slot(1) => Some(false),
            _ => None,
        }
    }

    fn targets(&mut self, kind: KindId) -> Result<Option<&Targets>, Error> {
        if self.inverse.targets.is_none() {
            self.inverse.targets = Some(Targets::of(&self.rule, kind).transpose()?);
        }
        Ok(self.inverse.targets.as_ref().and_then(Option::as_ref))
    }

    /// Tries the moves in rule order, and an inverse when they prove too many.
    fn enumerate(&mut self, heap: &Heap, value: Nimber, found: &mut Found<'_>) -> Result<(), Error> {
        let mut seen = FxHashSet::default();
        let budget = if self.single_entry(heap).is_some() { Some(self.inverse.moves) } else { None };
        let (moves, entries) = (Arc::clone(&self.moves), (heap.kind, &heap.entries[..]));
        match self.walk(&moves, entries, value, budget, &mut seen, found) {
            Ok(Walked::Done) => return Ok(()),
            Ok(Walked::Budget) => {}
            Err(error) if error.id() == "limit" => return Err(self.too_many(heap)),
            Err(error) => return Err(error),
        }
        let given = seen.len();
        if let Some(n) = self.single_entry(heap) {
            if let Some(closure) = self.closure(heap.kind)? {
                let mut skip = given;
                let kind = heap.kind;
                return self.combinations(kind, &closure, n, value, &mut |heaps| {
                    if skip > 0 {
                        skip -= 1;
                        return ControlFlow::Continue(());
                    }
                    found(&several(kind, heaps))
                });
            }
            if let Some(options) = self.by_law(heap, n, value)? {
                let _: ControlFlow<()> =
                    options.iter().skip(given).try_for_each(|&y| found(&one(heap.kind, y)));
                return Ok(());
            }
        }
        if self.limits.time.is_none() && heap.entries.iter().any(|&entry| entry > PATIENCE) {
            return Err(self.too_many(heap));
        }
        self.walk(&moves, entries, value, None, &mut seen, found).map(|_| ())
    }

    fn too_many(&self, heap: &Heap) -> Error {
        let shown = self.rule.show_heap(heap.kind, &heap.entries);
        Error::new("moves", format!("{shown} has too many moves to be tried one by one"))
            .help("`grundy outcome` says who wins, --first looks for one winning move, and --time tries as long as it says")
    }

    /// Enumerates moves; gives the distinct options of that value that are not in `seen`.
    pub(super) fn walk(
        &mut self,
        moves: &Moves,
        (kind, entries): (KindId, &[Int]),
        value: Nimber,
        budget: Option<u64>,
        seen: &mut FxHashSet<Sum>,
        found: &mut Found<'_>,
    ) -> Result<Walked, Error> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut walk = Walk {
            values: self,
            value,
            sum: 0,
            parts: Vec::new(),
            seen,
            found,
            tried: 0,
            budget,
            walked: Walked::Done,
            stop: None,
        };
        let visited = moves.visit(&mut scratch, kind, entries, &mut walk);
        let (walked, stop) = (walk.walked, walk.stop);
        self.scratch = scratch;
        visited.map_err(|error| error.to_diagnostic())?;
        stop.map_or(Ok(walked), Err)
    }

    /// The shape "lower heaps in any combination" of the kind, if its combinations are the options to the letter
    /// and in rule order. (The shape leaves heaps of 0 out where they cannot move, and the counts may stand in
    /// the rule in any order: small heaps show both.)
    fn closure(&mut self, kind: KindId) -> Result<Option<XorClosure>, Error> {
        let Some(shapes) = self.shapes.as_mut().filter(|_| self.single == Some(kind)) else {
            return Ok(None);
        };
        if let Some(known) = &self.inverse.closure {
            return Ok(known.clone());
        }
        let closure = shapes.all(&self.rule).iter().find_map(|shape| match shape {
            Shape::XorClosure(closure) => Some(closure.clone()),
            _ => None,
        });
        let checked = match closure {
            Some(closure) => self.in_order(kind, closure)?,
            None => None,
        };
        self.inverse.closure = Some(checked.clone());
        Ok(checked)
    }

    fn in_order(&mut self, kind: KindId, mut closure: XorClosure) -> Result<Option<XorClosure>, Error> {
        let least = u128::from(closure.least);
        let heap = |n: u128| Int::try_from(n).map(|n| Heap::new(kind, &[n]));
        let mut counts: Option<Vec<u32>> = None;
        for n in (least..=least + 7).rev() {
            let Ok(heap) = heap(n) else { return Ok(None) };
            let options = self.moves.options(&heap).map_err(|error| error.to_diagnostic())?;
            let size = |option: &Sum| option.heaps().iter().map(|(_, count)| *count).sum::<u128>();
            if counts.is_none() {
                let mut sizes: Vec<u32> = Vec::new();
                for size in options.iter().filter_map(|option| u32::try_from(size(option)).ok()) {
                    if !sizes.contains(&size) {
                        sizes.push(size);
                    }
                }
                closure.counts.sort_by_key(|count| sizes.iter().position(|size| size == count));
                counts = Some(closure.counts.clone());
            }
            let mut weighed: Vec<(Nimber, Sum)> = Vec::with_capacity(options.len());
            for option in options {
                let mut sum = 0;
                for (part, count) in option.heaps() {
                    let value = self.value(part.kind, &part.entries)?;
                    sum ^= if count % 2 == 1 { value } else { 0 };
                }
                weighed.push((sum, option));
            }
            let values: FxHashSet<Nimber> = weighed.iter().map(|(value, _)| *value).collect();
            for value in values {
                let mut got = Vec::new();
                self.combinations(kind, &closure, n, value, &mut |heaps| {
                    got.push(several(kind, heaps));
                    ControlFlow::Continue(())
                })?;
                if !got.iter().eq(weighed.iter().filter(|(v, _)| *v == value).map(|(_, option)| option)) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(closure))
    }

    /// All collections of lower heaps with that nim-sum, by count, then lexicographic. All but the last heap are
    /// tried; the last is looked up.
    fn combinations(
        &mut self,
        kind: KindId,
        closure: &XorClosure,
        n: u128,
        value: Nimber,
        found: &mut dyn FnMut(&[u128]) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let least = u128::from(closure.least);
        if n < least {
            return Ok(());
        }
        let step = u128::from(!closure.repeats);
        for &count in &closure.counts {
            let Some(last) = usize::try_from(count).ok().and_then(|count| count.checked_sub(1)) else {
                if value == 0 && found(&[]).is_break() {
                    return Ok(());
                }
                continue;
            };
            // heaps[..last] run through all ascending choices; `sums[i]` is what the heaps from i on must make.
            let mut heaps: Vec<u128> = vec![least; last + 1];
            let mut sums: Vec<Nimber> = vec![value; last + 1];
            let mut at = 0;
            let mut steps = 0u32;
            loop {
                steps = steps.wrapping_add(1);
                if steps.is_multiple_of(4096) {
                    self.clock.check()?;
                }
                // The heap at `at` has just been set; those behind it still need room below n.
                let room = step * u128::try_from(last - at).unwrap_or(u128::MAX);
                if heaps[at].checked_add(room).is_none_or(|top| top >= n) {
                    let Some(before) = at.checked_sub(1) else { break };
                    at = before;
                    heaps[at] += 1;
                } else if at < last {
                    sums[at + 1] = sums[at] ^ self.lower(kind, heaps[at])?;
                    heaps[at + 1] = heaps[at] + step;
                    at += 1;
                } else if let Some(heap) = self.next_with(kind, closure, sums[last], heaps[last], n - 1)? {
                    heaps[last] = heap;
                    if found(&heaps).is_break() {
                        return Ok(());
                    }
                    heaps[last] += 1;
                } else {
                    heaps[last] = n;
                }
            }
        }
        Ok(())
    }

    fn lower(&mut self, kind: KindId, n: u128) -> Result<Nimber, Error> {
        let entry = Int::try_from(n).map_err(|_| Error::new("overflow", format!("heap {n} is too large")))?;
        self.value(kind, &[entry])
    }

    /// The least heap in `from..=to` with that value.
    fn next_with(
        &mut self,
        kind: KindId,
        closure: &XorClosure,
        value: Nimber,
        from: u128,
        to: u128,
    ) -> Result<Option<u128>, Error> {
        if to >= BUCKETS
            && let Some(cited) = self.cited.as_ref().filter(|cited| cited.inverts(value))
        {
            return cited.next_with(value, from, to);
        }
        let first = u128::from(closure.least);
        for n in self.inverse.end.max(first)..=to {
            if n.is_multiple_of(1 << 12) {
                self.clock.check()?;
                self.clock.memory(u64::try_from(n.saturating_mul(32)).unwrap_or(u64::MAX))?;
            }
            let value = self.lower(kind, n)?;
            self.inverse.buckets.entry(value).or_default().push(n);
            self.inverse.end = n + 1;
        }
        let Some(heaps) = self.inverse.buckets.get(&value) else { return Ok(None) };
        let at = heaps.partition_point(|&heap| heap < from);
        Ok(heaps.get(at).copied().filter(|&heap| heap <= to))
    }

    /// One-heap options by the cited law: the heaps it gives the value, as far as the rule reaches them.
    fn by_law(&mut self, heap: &Heap, n: u128, value: Nimber) -> Result<Option<Vec<u128>>, Error> {
        let Some(below) = n.checked_sub(1) else { return Ok(None) };
        if self.targets(heap.kind)?.is_none() {
            return Ok(None);
        }
        let Some(cited) = self.cited.as_ref().filter(|cited| cited.inverts(value)) else { return Ok(None) };
        let (mut heaps, mut from) = (Vec::new(), 0);
        while let Some(y) = cited.next_with(value, from, below)? {
            heaps.push(y);
            from = y + 1;
            if u128::try_from(heaps.len()).is_ok_and(|len| len > SORTED) {
                return Ok(None);
            }
        }
        self.used.cited = true;
        Ok(self.in_rule_order(heap, heaps.into_iter())?.map(|(options, _)| options))
    }
}

/// The option that is one heap. Heaps come from the rule's own integers.
pub(super) fn one(kind: KindId, n: u128) -> Sum {
    several(kind, &[n])
}

fn several(kind: KindId, heaps: &[u128]) -> Sum {
    let heap = |&n: &u128| (Heap::new(kind, &[Int::try_from(n).unwrap_or(Int::MAX)]), 1);
    Sum::new(heaps.iter().map(heap).collect()).expect("few heaps")
}

/// How an enumeration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// All moves were tried, or `found` broke.
    Done,
    /// The budget was used up.
    Budget,
}

/// Weighs the moves of one heap.
struct Walk<'a> {
    values: &'a mut Values,
    value: Nimber,
    sum: Nimber,
    parts: Vec<(Heap, u128)>,
    seen: &'a mut FxHashSet<Sum>,
    found: &'a mut Found<'a>,
    tried: u64,
    budget: Option<u64>,
    walked: Walked,
    stop: Option<Error>,
}

impl Sink for Walk<'_> {
    fn start(&mut self, _line: usize, _alternative: usize, _assignment: &[Int]) {
        self.sum = 0;
        self.parts.clear();
    }

    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128) {
        if self.stop.is_none() {
            match self.values.value(kind, entries) {
                Ok(value) => self.sum ^= if count % 2 == 1 { value } else { 0 },
                Err(error) => self.stop = Some(error),
            }
        }
        self.parts.push((Heap::new(kind, entries), count));
    }

    fn finish(&mut self) -> ControlFlow<()> {
        if self.stop.is_some() {
            return ControlFlow::Break(());
        }
        self.tried += 1;
        if self.sum == self.value {
            let Some(option) = Sum::new(std::mem::take(&mut self.parts)) else {
                self.stop = Some(Error::new("overflow", "an option has more than 2^128 equal heaps"));
                return ControlFlow::Break(());
            };
            let option = if self.values.rule.coins { option.odd() } else { option };
            if !self.seen.contains(&option) {
                let flow = (self.found)(&option);
                self.seen.insert(option);
                if flow.is_break() {
                    return flow;
                }
            }
        }
        self.within_budget()
    }

    fn tick(&mut self) -> ControlFlow<()> {
        // What is tried in vain counts, too.
        self.tried = self.tried.saturating_add(1 << 14);
        let bytes = u64::try_from(self.seen.len()).unwrap_or(u64::MAX).saturating_mul(200);
        if let Err(error) = self.values.clock.check().and_then(|()| self.values.clock.memory(bytes)) {
            self.stop = Some(error.so_far(format!("{} options of that value", self.seen.len())));
            return ControlFlow::Break(());
        }
        self.within_budget()
    }
}

impl Walk<'_> {
    fn within_budget(&mut self) -> ControlFlow<()> {
        if self.budget.is_some_and(|budget| self.tried >= budget) {
            self.walked = Walked::Budget;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
