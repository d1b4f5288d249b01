//! One equation of a law, `g(pattern) = value for cond`, made ready for evaluation.

use std::ops::ControlFlow;

use grundy_rule::expr::{Cond, EvalError, Expr, Int};
use grundy_rule::rule::Param;
use rustc_hash::FxHashMap;

use super::affine::Form;
use super::pattern::{self, Interval, Pattern};
use super::{Clause, Look};
use crate::error::Error;

/// An equation.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    pub(super) pattern: Pattern,
    pub(super) value: Expr,
    pub(super) cond: Cond,
    pub(super) intervals: Vec<Interval>,
    /// The value as a form, if it is one.
    pub(super) form: Option<Form>,
    pub(super) shift: Option<Shift>,
    /// The clause as written, for messages.
    pub(super) shown: String,
}

/// `g(n + period) = g(n) + saltus for n >= from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    pub(super) period: Int,
    pub(super) saltus: Int,
    pub(super) from: Int,
    /// No clause before it speaks about a heap from here on, so that it may be taken many times at once;
    /// `None` where that is not known.
    pub(super) alone_from: Option<Int>,
}

impl Shift {
    /// How many times it applies at `n`, one after the other, with nothing else between.
    fn times(&self, n: Int) -> Int {
        let least = self.from.saturating_add(self.period);
        let least = self.alone_from.map_or(Int::MAX, |alone| alone.max(least));
        if n >= least { (n - least) / self.period + 1 } else { 1 }
    }
}

impl Equation {
    /// Solves the pattern and reads what can be read of the value; `before` are the clauses that come first.
    pub(super) fn new(
        (names, pattern, value, cond): (usize, &Expr, &Expr, &Cond),
        written: &str,
        params: &[Param],
        before: &[Clause],
    ) -> Result<Equation, Error> {
        let shown = written.to_string();
        let solved = Pattern::of(pattern, names, params).ok_or_else(|| {
            Error::new("law-pattern", format!("`{shown}`: its left side cannot be solved for its names"))
                .help("write a sum that grows with each name, such as `g(3a + b)` or `g(2^k)`")
        })?;
        let intervals = pattern::intervals(cond, names, params);
        let form = Form::of(value, names, params);
        let mut equation = Equation {
            pattern: solved,
            value: value.clone(),
            cond: cond.clone(),
            intervals,
            form,
            shift: None,
            shown,
        };
        equation.shift = equation.find_shift(params, before);
        Ok(equation)
    }

    /// Reads `g(n + p) = g(n) + s for n >= m`.
    fn find_shift(&self, params: &[Param], before: &[Clause]) -> Option<Shift> {
        let (left, form) = (self.pattern.affine()?, self.form.as_ref()?);
        let [(1, argument)] = form.terms.as_slice() else { return None };
        let same = left.coefficients == [1] && argument.coefficients == [1];
        let period = left.constant.checked_sub(argument.constant)?;
        if !same || period < 1 || !pattern::only_from(&self.cond, params) {
            return None;
        }
        let saltus = form.rest.as_constant()?;
        let from = self.intervals[0].lo.checked_add(argument.constant)?;
        let mut alone_from = Some(0);
        for clause in before {
            let end = match clause {
                Clause::Values { start, values } => {
                    Int::try_from(values.len()).ok().and_then(|count| start.checked_add(count))
                }
                Clause::Equation(e) if e.intervals.is_empty() => {
                    e.pattern.affine().and_then(|a| a.constant.checked_add(1))
                }
                _ => None,
            };
            alone_from = alone_from.zip(end).map(|(a, b): (Int, Int)| a.max(b));
        }
        Some(Shift { period, saltus, from, alone_from })
    }

    /// The names for which the clause speaks about `n`.
    pub(super) fn names(&self, n: Int, params: &[Param]) -> Result<Option<Vec<Int>>, Error> {
        let mut found: Option<Vec<Int>> = None;
        self.pattern.solve(n, &self.intervals, params, &mut |names| {
            if !self.cond.eval(names, params).map_err(|e| self.failed(n, &e))? {
                return Ok(ControlFlow::Continue(()));
            }
            if let Some(first) = &found {
                return Err(Error::new(
                    "law-ambiguous",
                    format!("`{}` speaks about {n} in two ways: {first:?} and {names:?}", self.shown),
                )
                .help("bound the names after `for`, so that one way is left"));
            }
            found = Some(names.to_vec());
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }

    pub(super) fn look(
        &self,
        n: Int,
        names: &[Int],
        known: &FxHashMap<Int, Int>,
        params: &[Param],
    ) -> Result<Look, Error> {
        if let Some(shift) = &self.shift {
            let times = shift.times(n);
            let smaller = n - times * shift.period;
            let Some(value) = known.get(&smaller) else { return self.need(n, smaller) };
            let risen = times.checked_mul(shift.saltus).and_then(|rise| value.checked_add(rise));
            return risen
                .map(Look::Value)
                .ok_or_else(|| Error::new("overflow", format!("`{}` passes 128 bits at {n}", self.shown)));
        }
        let mut missing = None;
        let result = self.value.eval_with(names, params, &mut |heap| match known.get(&heap) {
            Some(value) => Ok(*value),
            None => {
                missing = Some(heap);
                Err(EvalError { id: "missing", message: String::new() })
            }
        });
        match (result, missing) {
            (_, Some(heap)) => self.need(n, heap),
            (Ok(value), None) => Ok(Look::Value(value)),
            (Err(error), None) => Err(self.failed(n, &error)),
        }
    }

    fn need(&self, n: Int, heap: Int) -> Result<Look, Error> {
        if heap >= n {
            return Err(Error::new(
                "law-circular",
                format!("`{}` needs g({heap}) for g({n}), which is not smaller", self.shown),
            ));
        }
        if heap < 0 {
            return Err(Error::new(
                "law-silent",
                format!("`{}` needs g({heap}) for g({n}), and there is no such heap", self.shown),
            ));
        }
        Ok(Look::Needs(heap))
    }

    pub(super) fn failed(&self, n: Int, error: &EvalError) -> Error {
        Error::new(error.id, format!("`{}` at {n}: {error}", self.shown))
    }
}
