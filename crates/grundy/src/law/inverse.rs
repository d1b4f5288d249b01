//! From a value to the heaps that have it, in ascending order.
//!
//! One question is asked again and again: what is the least heap from here on with this value? Each clause answers
//! for the heaps it speaks about - a list by looking, an affine value by solving, `g(3a+1) = g(a)` by asking the same
//! question about a, a period by its one block - and the least answer for which the clause really decides is
//! the heap. A law of [`Digits`](super::digits::Digits) with values close to a line (`2n`, plus or minus a few for each digit)
//! needs a look at a short interval only. What nothing fits is tried heap by heap, with a limit.

use std::ops::ControlFlow;

use grundy_rule::expr::Int;
use rustc_hash::FxHashMap;

use super::affine::Affine;
use super::digits::Digits;
use super::{Clause, Equation, Law, Shift, Subject, pattern};
use crate::error::Error;
use crate::nimber::Nimber;

/// Heaps and names tried for one answer.
const WORK: u32 = 1_000_000;

/// How deep clauses may lead to each other: halving a number of 127 bits.
const DEPTH: u32 = 128;

/// Longest part of a periodic law that is kept.
const BLOCK: Int = 1 << 20;

/// The heaps with a value: see [`Law::heaps_with`].
#[derive(Debug)]
pub struct Heaps<'a> {
    search: Search<'a>,
    value: Int,
    next: Option<Int>,
    to: Int,
}

impl<'a> Heaps<'a> {
    pub(super) fn new(law: &'a Law, value: Nimber, from: u128, to: u128) -> Heaps<'a> {
        // No value and no heap passes 127 bits.
        let next = Int::try_from(from).ok().filter(|_| Int::try_from(value).is_ok());
        Heaps {
            search: Search { law, blocks: FxHashMap::default(), work: WORK },
            value: Int::try_from(value).unwrap_or(0),
            next,
            to: Int::try_from(to).unwrap_or(Int::MAX - 1).min(Int::MAX - 1),
        }
    }
}

impl Iterator for Heaps<'_> {
    type Item = Result<u128, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let from = self.next.take()?;
        self.search.work = WORK;
        match self.search.least(self.value, from, self.to, 0) {
            Ok(found) => {
                let heap = found?;
                self.next = Some(heap + 1);
                u128::try_from(heap).ok().map(Ok)
            }
            Err(error) => Some(Err(error)),
        }
    }
}

#[derive(Debug)]
struct Search<'a> {
    law: &'a Law,
    /// By the number of a periodic clause: the heaps that it leads back to.
    blocks: FxHashMap<usize, (Int, Vec<Option<Int>>)>,
    work: u32,
}

/// What a clause knows about the least heap with a value.
enum Least {
    Found(Option<Int>),
    /// The clause cannot be inverted.
    Unknown,
}

impl Search<'_> {
    /// The least heap in `from..=to` with that value.
    fn least(&mut self, value: Int, from: Int, to: Int, depth: u32) -> Result<Option<Int>, Error> {
        if depth > DEPTH {
            return Err(refusal(value, from));
        }
        if self.law.speaks_of() == Subject::Zeros {
            return self.law.zero_from(value, from, to);
        }
        self.spend(value, from)?;
        if let Some((lo, hi)) = self.law.digits.as_ref().and_then(|digits| near_line(digits, value, to)) {
            return self.scan(value, from.max(lo), to.min(hi));
        }
        let mut from = from;
        while from <= to {
            let mut best: Option<Int> = None;
            // Clauses that try their names one by one come last, when the others have set a limit.
            for slow in [false, true] {
                for (number, clause) in self.law.clauses.iter().enumerate() {
                    if is_slow(clause) != slow {
                        continue;
                    }
                    let before = best.map_or(to, |b| b - 1);
                    match self.in_clause(number, clause, value, from, before, depth)? {
                        Least::Found(found) => best = found.or(best),
                        Least::Unknown => return self.scan(value, from, to),
                    }
                }
            }
            let Some(heap) = best else { return Ok(None) };
            if self.law.at(heap)? == value {
                return Ok(Some(heap));
            }
            // An earlier clause decides otherwise.
            self.spend(value, heap)?;
            from = heap + 1;
        }
        Ok(None)
    }

    fn scan(&mut self, value: Int, from: Int, to: Int) -> Result<Option<Int>, Error> {
        let mut heap = from;
        while heap <= to {
            self.spend(value, heap)?;
            match self.law.at(heap) {
                Ok(found) if found == value => return Ok(Some(heap)),
                Ok(_) => {}
                Err(error) if error.id() == "law-silent" => {}
                Err(error) => return Err(error),
            }
            heap += 1;
        }
        Ok(None)
    }

    fn spend(&mut self, value: Int, heap: Int) -> Result<(), Error> {
        self.work = self.work.checked_sub(1).ok_or_else(|| refusal(value, heap))?;
        Ok(())
    }

    /// The least heap in `from..=to` about which the clause speaks and says `value`, whether or not it decides.
    fn in_clause(
        &mut self,
        number: usize,
        clause: &Clause,
        value: Int,
        from: Int,
        to: Int,
        depth: u32,
    ) -> Result<Least, Error> {
        let found = match clause {
            Clause::Values { start, values } => {
                let skip = usize::try_from(from.saturating_sub(*start).max(0)).unwrap_or(usize::MAX);
                let place = values.iter().skip(skip).position(|v| *v == value);
                place.and_then(|p| start.checked_add(Int::try_from(skip + p).ok()?))
            }
            Clause::Pair(_) | Clause::Tuple(_) => None,
            Clause::Window(window) => window.least(value, from, to)?,
            Clause::Pairs(pairs) => pairs.least(value, from, to),
            Clause::Outputs(outputs) => outputs.least(value, from, to),
            Clause::Equation(equation) => match &equation.shift {
                Some(shift) => match self.periodic(number, *shift, value, from)? {
                    Least::Found(found) => found,
                    Least::Unknown => return Ok(Least::Unknown),
                },
                None => match self.equation(equation, value, from, to, depth)? {
                    Least::Found(found) => found,
                    Least::Unknown => return Ok(Least::Unknown),
                },
            },
        };
        Ok(Least::Found(found.filter(|heap| (from..=to).contains(heap))))
    }

    /// `g(n + p) = g(n) + s`: every heap is one of a block, some periods up.
    fn periodic(&mut self, number: usize, shift: Shift, value: Int, from: Int) -> Result<Least, Error> {
        let Some(alone) = shift.alone_from else { return Ok(Least::Unknown) };
        let Some(first) = shift.from.checked_add(shift.period) else { return Ok(Least::Unknown) };
        // From `least` on the clause is alone; below, it speaks from `first` on.
        let least = alone.max(first);
        let start = first.min(least - shift.period);
        if least - start > BLOCK {
            return Ok(Least::Unknown);
        }
        if !self.blocks.contains_key(&number) {
            let mut values = Vec::new();
            for heap in start..least {
                values.push(match self.law.at(heap) {
                    Ok(value) => Some(value),
                    Err(error) if error.id() == "law-silent" => None,
                    Err(error) => return Err(error),
                });
            }
            self.blocks.insert(number, (start, values));
        }
        let Some((_, values)) = self.blocks.get(&number) else { return Ok(Least::Unknown) };
        let mut best: Option<Int> = None;
        for (heap, known) in (start..least).zip(values) {
            let Some(known) = *known else { continue };
            if heap >= from.max(first) && known == value {
                best = Some(best.map_or(heap, |b| b.min(heap)));
            }
            if heap < least - shift.period {
                continue;
            }
            let times = match shift.saltus {
                0 if known != value => continue,
                0 => (from - heap + shift.period - 1).div_euclid(shift.period).max(1),
                saltus => {
                    let rise = value - known;
                    if rise % saltus != 0 || rise / saltus < 1 {
                        continue;
                    }
                    rise / saltus
                }
            };
            let up = times.checked_mul(shift.period).and_then(|up| up.checked_add(heap));
            if let Some(up) = up.filter(|up| *up >= from) {
                best = Some(best.map_or(up, |b| b.min(up)));
            }
        }
        Ok(Least::Found(best))
    }

    fn equation(&mut self, e: &Equation, value: Int, from: Int, to: Int, depth: u32) -> Result<Least, Error> {
        let Some(left) = e.pattern.affine() else { return Ok(Least::Unknown) };
        match (&left.coefficients[..], &e.form) {
            ([], Some(form)) if form.terms.is_empty() => {
                Ok(Least::Found((form.rest.constant == value).then_some(left.constant)))
            }
            (&[c], Some(form)) => {
                let b = form.rest.coefficients[0];
                match &form.terms[..] {
                    [] if b != 0 => {
                        let x = (value - form.rest.constant) / b;
                        let heap = self.speaks(e, &[x])?.filter(|_| form.rest.at(&[x]) == Some(value));
                        Ok(Least::Found(heap))
                    }
                    [] if form.rest.constant != value => Ok(Least::Found(None)),
                    [(a, argument)] if b == 0 && c >= 2 && argument.coefficients[0] >= 1 => {
                        if argument.coefficients[0] >= c {
                            return Ok(Least::Unknown);
                        }
                        self.through(e, left, (*a, argument, form.rest.constant), value, (from, to), depth)
                    }
                    [] => self.name_by_name(e, left, value, from, to),
                    _ => Ok(Least::Unknown),
                }
            }
            ([_], None) if !super::affine::has_grundy(&e.value) => {
                self.name_by_name(e, left, value, from, to)
            }
            ([_, _], Some(form)) if form.terms.is_empty() => {
                let rest = value - form.rest.constant;
                match form.rest.coefficients[..] {
                    [a, b] if a >= 1 && b >= 1 => {
                        let mut best: Option<Int> = None;
                        let mut all = Vec::new();
                        pattern::solve_affine(&[a, b], rest, &e.intervals, &mut |names| {
                            all.push([names[0], names[1]]);
                            Ok(ControlFlow::Continue(()))
                        })?;
                        for names in all {
                            let heap = self.speaks(e, &names)?.filter(|heap| *heap >= from);
                            best = best.into_iter().chain(heap).min();
                        }
                        Ok(Least::Found(best))
                    }
                    _ => Ok(Least::Unknown),
                }
            }
            _ => Ok(Least::Unknown),
        }
    }

    /// `g(c x + r) = a g(p x + q) + d`: the heaps p x + q with the value (value - d) / a.
    fn through(
        &mut self,
        e: &Equation,
        left: &Affine,
        (a, argument, d): (Int, &Affine, Int),
        value: Int,
        (from, to): (Int, Int),
        depth: u32,
    ) -> Result<Least, Error> {
        let rest = value - d;
        if rest % a != 0 || rest / a < 0 {
            return Ok(Least::Found(None));
        }
        let (p, q) = (argument.coefficients[0], argument.constant);
        let (first, last) = names_within(left, from, to);
        // Where the argument is not smaller than the heap, an earlier clause decides (or none does).
        let smaller = (q - left.constant).div_euclid(left.coefficients[0] - p) + 1;
        let first = first.max(e.intervals[0].lo).max(smaller);
        let last = last.min(e.intervals[0].hi);
        let at = |x: Int| p.checked_mul(x).and_then(|px| px.checked_add(q));
        let (Some(mut inner), Some(end)) = (at(first), at(last)) else { return Ok(Least::Unknown) };
        while inner <= end {
            let Some(found) = self.least(rest / a, inner.max(0), end, depth + 1)? else { break };
            if (found - q) % p == 0
                && let Some(heap) = self.speaks(e, &[(found - q) / p])?
            {
                return Ok(Least::Found(Some(heap)));
            }
            self.spend(value, from)?;
            inner = found + 1;
        }
        Ok(Least::Found(None))
    }

    /// Tries the single name of a clause without `g`, upwards.
    fn name_by_name(
        &mut self,
        e: &Equation,
        left: &Affine,
        value: Int,
        from: Int,
        to: Int,
    ) -> Result<Least, Error> {
        let (first, last) = names_within(left, from, to);
        let mut x = first.max(e.intervals[0].lo);
        let last = last.min(e.intervals[0].hi);
        while x <= last {
            self.spend(value, from)?;
            if let Some(heap) = self.speaks(e, &[x])? {
                let said = match &e.form {
                    Some(form) => form.rest.at(&[x]),
                    None => {
                        Some(e.value.eval(&[x], &self.law.params).map_err(|error| e.failed(heap, &error))?)
                    }
                };
                if said == Some(value) {
                    return Ok(Least::Found(Some(heap)));
                }
            }
            x += 1;
        }
        Ok(Least::Found(None))
    }

    /// The heap about which the clause speaks with these names, if it does.
    fn speaks(&self, e: &Equation, names: &[Int]) -> Result<Option<Int>, Error> {
        if names.iter().zip(&e.intervals).any(|(x, i)| *x < i.lo || *x > i.hi) {
            return Ok(None);
        }
        let Some(heap) = e.pattern.affine().and_then(|left| left.at(names)) else { return Ok(None) };
        let holds = e.cond.eval(names, &self.law.params).map_err(|error| e.failed(heap, &error))?;
        Ok(holds.then_some(heap))
    }
}

/// Whether the clause is tried name by name.
fn is_slow(clause: &Clause) -> bool {
    match clause {
        Clause::Values { .. }
        | Clause::Pair(_)
        | Clause::Tuple(_)
        | Clause::Window(_)
        | Clause::Pairs(_)
        | Clause::Outputs(_) => false,
        Clause::Equation(e) => {
            e.shift.is_none() && e.form.as_ref().is_none_or(|f| f.rest.as_constant().is_some())
        }
    }
}

/// The names x with c x + r in `from..=to`, for c >= 1 and names from 0 on.
fn names_within(left: &Affine, from: Int, to: Int) -> (Int, Int) {
    let c = left.coefficients[0];
    let up = |n: Int| n.saturating_sub(left.constant);
    (up(from).saturating_add(c - 1).div_euclid(c).max(0), up(to).div_euclid(c))
}

fn refusal(value: Int, heap: Int) -> Error {
    Error::new(
        "law-inverse",
        format!(
            "the law gives no short way to the heaps with value {value}: tried {WORK}, up to about {heap}"
        ),
    )
    .help("ask about a shorter range of heaps")
}

/// Between which heaps a value must lie, if the law stays close to a line.
///
/// With g(c n + r) = a g(n) + b n + d and a slope s such that b = s (c - a) for every residue, the distance
/// e(n) = g(n) - s n obeys e(c n + r) = a e(n) + d - s r. Where every a is -1, 0 or 1, it grows by at most the greatest
/// |d - s r| for each digit.
fn near_line(digits: &Digits, value: Int, to: Int) -> Option<(Int, Int)> {
    let c = Int::from(digits.base);
    let first = digits.steps.first()?;
    // s = up / down
    let (up, down) = (Int::from(first.b), c - Int::from(first.a));
    if down <= 0 || up <= 0 {
        return None;
    }
    let mut most: Int = 0;
    for (r, step) in (0..).zip(&digits.steps) {
        if step.a.abs() > 1 || Int::from(step.b) * down != up * (c - Int::from(step.a)) {
            return None;
        }
        most = most.max((Int::from(step.d) * down - up * r).abs());
    }
    let mut widest: Int = 0;
    for (n, g) in (0..).zip(digits.small()) {
        widest = widest.max((Int::from(*g) * down - up * n).abs());
    }
    let length = Int::from(128 - to.max(1).leading_zeros());
    let widest = widest.checked_add(most.checked_mul(length)?)?;
    let middle = value.checked_mul(down)?;
    Some(((middle.checked_sub(widest)?).div_euclid(up), middle.checked_add(widest)?.div_euclid(up) + 1))
}
