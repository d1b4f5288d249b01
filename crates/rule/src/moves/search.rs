//! The general search for the assignments of a branch: propagate, take the variable with the fewest
//! candidates, try them, go on.
//!
//! The order of trying is not the order of listing. As long as each variable taken is the first one open (or
//! has one candidate only), what is found comes in order and goes out at once; below the first level where
//! that breaks, rows are set aside and sorted when the level is done. The stack is explicit: a rule may have
//! any number of variables.

use std::ops::ControlFlow;

use super::candidates::{Candidates, Generator, Source};
use super::run::{Run, Stop};
use super::{Branch, Sink};
use crate::bounds::interval::Interval;
use crate::bounds::propagate::slot_bit;
use crate::expr::{EvalError, Expr, Int};
use crate::moves::fold;

/// One variable being tried.
#[derive(Debug)]
pub(crate) struct Level {
    /// Its index among the variables.
    variable: usize,
    candidates: Candidates,
    /// Rows below are set aside until this level is done.
    sorts: bool,
}

impl<S: Sink + ?Sized> Run<'_, S> {
    /// Finds all assignments of the branch.
    pub(crate) fn search(&mut self, branch: &Branch) -> Result<ControlFlow<()>, Stop> {
        let alt = self.alt;
        let (arity, slots) = (alt.arity, alt.arity + alt.variables);
        let facts = &self.moves.facts;
        let mut ranges = std::mem::take(&mut self.scratch.ranges);
        let mut levels = std::mem::take(&mut self.scratch.levels);
        ranges.clear();
        levels.clear();
        ranges.extend(self.scratch.frame[..arity].iter().map(|&x| Interval::point(x)));
        ranges.resize(slots, Interval::NATURALS);
        let mut result = Ok(ControlFlow::Continue(()));
        if branch.flat.narrow(facts, &mut ranges, &mut self.scratch.work, u64::MAX).is_ok()
            && self.bisect(branch, &mut ranges)
        {
            result = self.descend(branch, &mut ranges, &mut levels);
        }
        self.scratch.ranges = ranges;
        self.scratch.levels = levels;
        result
    }

    /// Lowers the upper end of each variable as far as propagation refutes the top; `false`: nothing is left.
    fn bisect(&mut self, branch: &Branch, ranges: &mut [Interval]) -> bool {
        let alt = self.alt;
        let facts = &self.moves.facts;
        if alt.variables < 2 {
            return true;
        }
        let mut trial = std::mem::take(&mut self.scratch.trial);
        let mut left = true;
        for slot in alt.arity..alt.arity + alt.variables {
            let Interval { lo, hi } = ranges[slot];
            if !ranges[slot].is_numeric() || lo == hi {
                continue;
            }
            // Everything from `high` on is refuted. Mostly the top value stands, which one trial shows.
            let (mut low, mut high, mut middle) = (lo, hi + 1, hi);
            while low < high {
                trial.clear();
                trial.extend_from_slice(ranges);
                trial[slot] = Interval { lo: middle, hi };
                if branch.flat.narrow(facts, &mut trial, &mut self.scratch.work, slot_bit(slot)).is_err() {
                    high = middle;
                } else {
                    low = middle + 1;
                }
                middle = low + (high - low) / 2;
            }
            if high <= hi {
                ranges[slot].hi = high - 1;
                if high <= lo
                    || branch.flat.narrow(facts, ranges, &mut self.scratch.work, slot_bit(slot)).is_err()
                {
                    left = false;
                    break;
                }
            }
        }
        self.scratch.trial = trial;
        left
    }

    /// Tries candidates until all levels are done. `ranges` is a stack: the ranges at each depth.
    fn descend(
        &mut self,
        branch: &Branch,
        ranges: &mut Vec<Interval>,
        levels: &mut Vec<Level>,
    ) -> Result<ControlFlow<()>, Stop> {
        let alt = self.alt;
        let (arity, slots) = (alt.arity, alt.arity + alt.variables);
        let facts = &self.moves.facts;
        if alt.variables == 0 {
            return self.leaf(false, false);
        }
        levels.push(self.choose(branch, ranges, &[])?);
        while let Some(level) = levels.last_mut() {
            let Some(value) = level.candidates.next(&self.scratch.primes) else {
                let sorted = level.sorts;
                levels.pop();
                if sorted && self.flush()?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                continue;
            };
            if self.count(1).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let slot = arity + level.variable;
            self.scratch.frame[slot] = value;
            let depth = levels.len();
            if depth == alt.variables {
                if self.leaf(false, false)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                continue;
            }
            let start = (depth - 1) * slots;
            ranges.truncate(start + slots);
            ranges.extend_from_within(start..);
            let below = &mut ranges[start + slots..];
            below[slot] = Interval::point(value);
            if branch.flat.narrow(facts, below, &mut self.scratch.work, slot_bit(slot)).is_err() {
                continue;
            }
            let next = self.choose(branch, &ranges[start + slots..], levels)?;
            levels.push(next);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The open variable with the fewest candidates, the first of several.
    fn choose(&mut self, branch: &Branch, ranges: &[Interval], levels: &[Level]) -> Result<Level, Stop> {
        let alt = self.alt;
        let mut first_open = None;
        let mut best: Option<(u128, usize, Candidates)> = None;
        for variable in 0..alt.variables {
            if levels.iter().any(|l| l.variable == variable) {
                continue;
            }
            first_open.get_or_insert(variable);
            let range = ranges[alt.arity + variable];
            let fewest = best.as_ref().map_or(u128::MAX, |b| b.0);
            let mut found = range.count().map(|n| (n, Candidates::range(range.lo, range.hi)));
            if found.as_ref().is_none_or(|f| f.0 > 1) {
                for generator in branch.generators.get(variable).map_or(&[][..], Vec::as_slice) {
                    let listed = self.generate(generator, ranges, range);
                    if let Some(listed) = listed
                        && found.as_ref().is_none_or(|f| listed.0 <= f.0)
                    {
                        found = Some(listed);
                    }
                }
            }
            if let Some((count, candidates)) = found
                && (best.is_none() || count < fewest)
            {
                best = Some((count, variable, candidates));
            }
        }
        let Some((count, variable, candidates)) = best else {
            return Err(self.unbounded(branch, ranges, first_open));
        };
        let in_order = first_open == Some(variable) || count <= 1;
        let sorts = !in_order && self.collect();
        Ok(Level { variable, candidates, sorts })
    }

    fn generate(
        &mut self,
        generator: &Generator,
        ranges: &[Interval],
        range: Interval,
    ) -> Option<(u128, Candidates)> {
        let known = |slot: usize| ranges.get(slot).and_then(|r| r.known());
        let ready = |e: &Expr| !fold::mentions(e, &|slot| known(slot).is_none());
        if !generator.needs().iter().all(ready) {
            return None;
        }
        self.settle(ranges);
        let frame = &self.scratch.frame;
        let params = &self.moves.params;
        let value = |e: &Expr| -> Option<Result<Int, EvalError>> { ready(e).then(|| e.eval(frame, params)) };
        let source = Source::of(generator, &self.moves.facts, value)?;
        Candidates::within(&source, range, &mut self.scratch.primes)
    }

    /// Puts what propagation has settled into the frame, where it is not yet.
    fn settle(&mut self, ranges: &[Interval]) {
        let alt = self.alt;
        for slot in alt.arity..alt.arity + alt.variables {
            if let Some(x) = ranges.get(slot).and_then(|r| r.known()) {
                self.scratch.frame[slot] = x;
            }
        }
    }

    /// No open variable has finitely many candidates. If that is because something of the heap, or of the
    /// variables settled so far, has no value (`y = n // x` where x can only be 0), that is the thing to say.
    fn unbounded(&mut self, branch: &Branch, ranges: &[Interval], variable: Option<usize>) -> Stop {
        let alt = self.alt;
        self.settle(ranges);
        let open = |slot: usize| ranges.get(slot).is_none_or(|r| r.known().is_none());
        for atom in &branch.atoms {
            for side in fold::sides(&atom.kind) {
                if !fold::mentions(side, &open)
                    && let Err(error) = side.eval(&self.scratch.frame, &self.moves.params)
                {
                    return Stop::Heap(error);
                }
            }
        }
        let name = variable.and_then(|v| alt.names.get(v)).map_or("?", String::as_str);
        Stop::Unbounded(name.to_string())
    }
}
