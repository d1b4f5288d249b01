//! Running a nest on a heap.
//!
//! All numbers of a run are bounded before it starts, so the loops use 64-bit numbers wherever those suffice
//! and 128-bit numbers else; where even those might not, the nest declines and the search does the work.

use std::ops::{Add, ControlFlow, Mul, Neg};

use super::{Bounds, FREE, Nest};
use crate::bounds::interval::Interval;
use crate::expr::Int;
use crate::moves::Sink;
use crate::moves::candidates::{Candidates, Source};
use crate::moves::run::{Run, Stop};

/// Known symbols up to here can be multiplied by coefficients and summed.
const KNOWN: Int = 1 << 80;

/// The numbers of the loops.
pub(crate) trait Num:
    Copy + Ord + From<i64> + Into<Int> + Add<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// Every sum of a run stays below this.
    const SAFE: Int;
    /// The number, which is below [`Num::SAFE`].
    fn of(x: Int) -> Self;
    /// Quotient rounded down, `by >= 1`.
    fn down(self, by: Self) -> Self;
    /// The memory for values of forms.
    fn bases<'a>(narrow: &'a mut Vec<i64>, wide: &'a mut Vec<Int>) -> &'a mut Vec<Self>;
}

impl Num for i64 {
    const SAFE: Int = 1 << 61;
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "below 2^61 by what the run has checked")]
    fn of(x: Int) -> i64 {
        x as i64
    }
    #[inline]
    fn down(self, by: i64) -> i64 {
        if by == 1 { self } else { self.div_euclid(by) }
    }
    fn bases<'a>(narrow: &'a mut Vec<i64>, _: &'a mut Vec<Int>) -> &'a mut Vec<i64> {
        narrow
    }
}

impl Num for Int {
    const SAFE: Int = 1 << 125;
    #[inline]
    fn of(x: Int) -> Int {
        x
    }
    #[inline]
    fn down(self, by: Int) -> Int {
        if by == 1 { self } else { self.div_euclid(by) }
    }
    fn bases<'a>(_: &'a mut Vec<i64>, wide: &'a mut Vec<Int>) -> &'a mut Vec<Int> {
        wide
    }
}

/// Working memory of nests.
#[derive(Debug, Default)]
pub(crate) struct NestScratch {
    known: Vec<Int>,
    values: Vec<Int>,
    narrow: Vec<i64>,
    wide: Vec<Int>,
    row: Vec<i64>,
    steps: Vec<i64>,
}

impl<S: Sink + ?Sized> Run<'_, S> {
    /// Finds all assignments of a branch by its nest; `None`: the nest does not apply to this heap.
    pub(crate) fn nest(&mut self, nest: &Nest) -> Option<Result<ControlFlow<()>, Stop>> {
        let mut memory = std::mem::take(&mut self.scratch.nest);
        let result = self.prepare(nest, &mut memory);
        self.scratch.nest = memory;
        result
    }

    fn prepare(&mut self, nest: &Nest, memory: &mut NestScratch) -> Option<Result<ControlFlow<()>, Stop>> {
        let arity = self.alt.arity;
        let known = &mut memory.known;
        known.clear();
        known.extend_from_slice(&self.scratch.frame[..arity]);
        for code in &nest.opaque {
            known.push(code(&self.scratch.frame)?);
        }
        if known.iter().any(|x| !(-KNOWN..=KNOWN).contains(x)) {
            return None;
        }
        // Coefficients are below 2^40 and there are few of them.
        let values = &mut memory.values;
        values.clear();
        let mut most: Int = 0;
        for form in &nest.forms {
            let value = form.known.iter().fold(form.constant, |sum, &(symbol, c)| sum + c * known[symbol]);
            most = most.max(value.abs());
            values.push(value);
        }
        if nest.conditions.iter().any(|&c| values[c] < 0) {
            return Some(Ok(ControlFlow::Continue(())));
        }
        let mut largest: Int = 0;
        for (v, bounds) in nest.bounds[0].iter().enumerate() {
            let (lo, hi) = range::<Int>(nest, bounds, v, values, &[0; FREE]);
            if lo > hi {
                return Some(Ok(ControlFlow::Continue(())));
            }
            largest = largest.max(hi);
        }
        let most = largest.checked_mul(nest.weight).and_then(|x| x.checked_add(most))?;
        let mut sources = Vec::new();
        for (place, listed) in nest.listed.iter().enumerate() {
            for listed in listed.iter().filter(|l| l.source.is_none()) {
                let frame = &self.scratch.frame;
                let params = &self.moves.params;
                let source =
                    Source::of(&listed.generator, &self.moves.facts, |e| Some(e.eval(frame, params)))?;
                sources.push((place, source));
            }
        }
        if most < i64::SAFE {
            // An assignment of a branch meets the condition, but an earlier branch might have no value for it.
            let holds = self.alt.branches.len() == 1 || self.alt.plain;
            Some(self.run_nest::<i64>(nest, holds, memory, &sources))
        } else if most < Int::SAFE {
            Some(self.run_nest::<Int>(nest, self.alt.branches.len() == 1, memory, &sources))
        } else {
            None
        }
    }

    fn run_nest<N: Num>(
        &mut self,
        nest: &Nest,
        holds: bool,
        memory: &mut NestScratch,
        sources: &[(usize, Source)],
    ) -> Result<ControlFlow<()>, Stop> {
        let NestScratch { values, narrow, wide, row, steps, .. } = memory;
        let bases = N::bases(narrow, wide);
        bases.clear();
        bases.extend(values.iter().map(|&x| N::of(x)));
        let arity = self.alt.arity;
        for d in nest.determined.iter().filter(|d| d.fixed) {
            self.scratch.frame[arity + d.variable] = bases[d.form].into();
            if self.count(1).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let natural = nest.natural && self.alt.parts.is_flat();
        let sorts = !nest.ascending && self.collect();
        let mut loops = Loops {
            run: self,
            nest,
            bases,
            sources,
            values: [N::from(0); FREE],
            holds,
            natural,
            unsure: false,
            row,
            steps,
        };
        if let Some(unsure) = loops.pass(0, None) {
            loops.unsure = unsure;
            if loops.level(0, nest.free.len())?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        if sorts { self.flush() } else { Ok(ControlFlow::Continue(())) }
    }
}

/// The least and greatest value that the bounds leave a free variable.
#[inline]
fn range<N: Num>(nest: &Nest, bounds: &Bounds, v: usize, bases: &[N], values: &[N; FREE]) -> (N, N) {
    let rest = |form: usize| {
        let narrow = &nest.forms[form].free;
        let mut sum = bases[form];
        // The variable itself still counts as 0.
        for (&c, &x) in narrow.iter().zip(values) {
            sum = sum + N::from(c) * x;
        }
        (sum, N::from(narrow[v]))
    };
    let mut lo = N::from(0);
    for &form in &bounds.lower {
        // c * v + rest >= 0
        let (rest, c) = rest(form);
        lo = lo.max(-rest.down(c));
    }
    let mut hi: Option<N> = None;
    for &form in &bounds.upper {
        let (rest, c) = rest(form);
        let end = rest.down(-c);
        hi = Some(hi.map_or(end, |hi| hi.min(end)));
    }
    // There is an upper bound, by construction.
    (lo, hi.unwrap_or(N::from(-1)))
}

/// The lists of candidates of a free variable.
fn sources_of<'r>(
    nest: &'r Nest,
    sources: &'r [(usize, Source)],
    v: usize,
) -> impl Iterator<Item = &'r Source> {
    let fixed = nest.listed[v].iter().filter_map(|l| l.source.as_ref());
    fixed.chain(sources.iter().filter(move |s| s.0 == v).map(|s| &s.1))
}

/// The loops of a nest on a heap.
struct Loops<'r, 'a, S: ?Sized, N> {
    run: &'r mut Run<'a, S>,
    nest: &'r Nest,
    bases: &'r [N],
    /// Those that depend on the heap, by free variable.
    sources: &'r [(usize, Source)],
    /// Of the free variables; 0 while it has none.
    values: [N; FREE],
    holds: bool,
    natural: bool,
    /// A filter had no value: the condition as written decides.
    unsure: bool,
    row: &'r mut Vec<i64>,
    steps: &'r mut Vec<i64>,
}

impl<S: Sink + ?Sized, N: Num> Loops<'_, '_, S, N> {
    /// Runs the filters that wait for the variable just set (`None`: those that need none). `None`: one fails;
    /// else whether one has no value.
    fn pass(&self, mask: usize, last: Option<usize>) -> Option<bool> {
        let mut unsure = self.unsure;
        for filter in self.nest.filters.iter().filter(|f| !f.late) {
            let needs = usize::from(filter.needs);
            let due = needs & !mask == 0 && last.is_none_or(|v| needs & (1 << v) != 0);
            if due {
                match (filter.test)(&self.run.scratch.frame) {
                    Some(true) => {}
                    Some(false) => return None,
                    None => unsure = true,
                }
            }
        }
        Some(unsure)
    }

    /// Loops over one more free variable; recursion goes no deeper than [`FREE`].
    fn level(&mut self, mask: usize, left: usize) -> Result<ControlFlow<()>, Stop> {
        if left == 0 {
            return self.leaf();
        }
        let nest = self.nest;
        let bounds = &nest.bounds[mask];
        let mut first = None;
        let mut best: Option<(u128, usize, N, N, Option<Candidates>)> = None;
        for (v, bounds) in bounds.iter().enumerate() {
            if mask & (1 << v) != 0 {
                continue;
            }
            first.get_or_insert(v);
            let (lo, hi) = range(nest, bounds, v, self.bases, &self.values);
            if lo > hi {
                return Ok(ControlFlow::Continue(()));
            }
            let (low, high): (Int, Int) = (lo.into(), hi.into());
            let mut count = high.abs_diff(low) + 1;
            let mut candidates = None;
            for source in sources_of(nest, self.sources, v) {
                let interval = Interval { lo: low, hi: high };
                let found = Candidates::within(source, interval, &mut self.run.scratch.primes);
                if let Some((n, found)) = found
                    && (candidates.is_none() || n < count)
                {
                    (count, candidates) = (n, Some(found));
                }
            }
            if best.as_ref().is_none_or(|b| count < b.0) {
                best = Some((count, v, lo, hi, candidates));
            }
        }
        let Some((count, v, lo, hi, candidates)) = best else { return Ok(ControlFlow::Continue(())) };
        // A list that cannot be gone through (primes beyond what is decided): the condition says why.
        let before = self.unsure;
        self.unsure |= candidates.is_none() && !nest.listed[v].is_empty();
        let sorts = first != Some(v) && count > 1 && self.run.collect();
        let below = mask | (1 << v);
        let flow = match candidates {
            Some(candidates) => self.listed(v, candidates, below, left - 1)?,
            None if left == 1 && self.is_plain(v) => self.rows(v, lo, hi)?,
            None => self.interval(v, lo, hi, below, left - 1)?,
        };
        self.values[v] = N::from(0);
        self.unsure = before;
        if flow.is_break() || !sorts { Ok(flow) } else { self.run.flush() }
    }

    fn interval(
        &mut self,
        v: usize,
        lo: N,
        hi: N,
        mask: usize,
        left: usize,
    ) -> Result<ControlFlow<()>, Stop> {
        let mut x = lo;
        while x <= hi {
            if self.value(v, x, mask, left)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            x = x + N::from(1);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn listed(
        &mut self,
        v: usize,
        mut candidates: Candidates,
        mask: usize,
        left: usize,
    ) -> Result<ControlFlow<()>, Stop> {
        while let Some(x) = candidates.next(&self.run.scratch.primes) {
            // Within the bounds of the variable, so small enough.
            if self.value(v, N::of(x), mask, left)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Tries one value.
    #[inline]
    fn value(&mut self, v: usize, x: N, mask: usize, left: usize) -> Result<ControlFlow<()>, Stop> {
        if self.run.count(1).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        self.values[v] = x;
        let slot = self.run.alt.arity + self.nest.free[v];
        self.run.scratch.frame[slot] = x.into();
        if self.nest.filters.is_empty() {
            return self.level(mask, left);
        }
        let Some(unsure) = self.pass(mask, Some(v)) else { return Ok(ControlFlow::Continue(())) };
        let before = std::mem::replace(&mut self.unsure, unsure);
        let flow = self.level(mask, left);
        self.unsure = before;
        flow
    }

    /// The value of a determined variable.
    #[inline]
    fn form(&self, form: usize) -> N {
        let mut sum = self.bases[form];
        for (&c, &x) in self.nest.forms[form].free.iter().zip(&self.values) {
            sum = sum + N::from(c) * x;
        }
        sum
    }

    fn leaf(&mut self) -> Result<ControlFlow<()>, Stop> {
        let nest = self.nest;
        for d in nest.determined.iter().filter(|d| !d.fixed) {
            let x = self.form(d.form);
            self.run.scratch.frame[self.run.alt.arity + d.variable] = x.into();
            if self.run.count(1).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let mut holds = self.holds && !self.unsure;
        for filter in nest.filters.iter().filter(|f| f.late) {
            match (filter.test)(&self.run.scratch.frame) {
                Some(true) => {}
                Some(false) => return Ok(ControlFlow::Continue(())),
                None => holds = false,
            }
        }
        self.run.leaf(holds, self.natural)
    }

    /// Whether nothing but counting happens in the loop over this last variable.
    fn is_plain(&self, v: usize) -> bool {
        let waits = |f: &super::Filter| f.late || usize::from(f.needs) & (1 << v) != 0;
        self.holds && !self.unsure && self.natural && !self.nest.filters.iter().any(waits)
    }

    /// The innermost loop: rows that grow by the same step.
    fn rows(&mut self, v: usize, lo: N, hi: N) -> Result<ControlFlow<()>, Stop> {
        let nest = self.nest;
        let alt = self.run.alt;
        let arity = alt.arity;
        self.values[v] = lo;
        self.run.scratch.frame[arity + nest.free[v]] = lo.into();
        self.steps.clear();
        self.steps.resize(alt.variables, 0);
        self.steps[nest.free[v]] = 1;
        let mut tried = 1;
        for d in nest.determined.iter().filter(|d| !d.fixed) {
            let x = self.form(d.form);
            self.run.scratch.frame[arity + d.variable] = x.into();
            self.steps[d.variable] = nest.forms[d.form].free[v];
            tried += 1;
        }
        let (low, high): (Int, Int) = (lo.into(), hi.into());
        let count = high.abs_diff(low) + 1;
        let end = arity + alt.variables;
        if self.run.collecting {
            let room = self.run.scratch.limit.saturating_sub(self.run.scratch.collector.len());
            let Some(count) =
                u64::try_from(count).ok().filter(|&n| n.saturating_mul(end as u64) <= room as u64)
            else {
                return Err(Stop::Limit);
            };
            if self.run.count(tried * count).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let scratch = &mut *self.run.scratch;
            scratch.collector.push_run(&scratch.frame[arity..end], self.steps, count, self.row);
            return Ok(ControlFlow::Continue(()));
        }
        let mut at = 0;
        loop {
            if self.run.count(tried).is_break() || self.run.give()?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            at += 1;
            if at >= count {
                return Ok(ControlFlow::Continue(()));
            }
            for (x, &step) in self.run.scratch.frame[arity..end].iter_mut().zip(self.steps.iter()) {
                *x += Int::from(step);
            }
        }
    }
}
