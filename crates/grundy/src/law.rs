//! Laws: a closed description of the values of all heaps, evaluated at any size.
//!
//! A law is a list of clauses (`g(2n+1) = 6n + 3 - g(n)`), of which the first that speaks about a heap decides.
//! [`Law::value`] follows a clause down to smaller heaps, remembering what it has met, on a stack of its own: the
//! depth is not that of the machine. Three things make it fast: a clause `g(n + p) = g(n) + s` is taken as
//! many times at once as it applies; patterns are solved and not searched (`law/pattern.rs`); and a law whose
//! clauses divide the heaps by one number (`g(2n)`, `g(2n+1)`) becomes a table of several digits at once
//! (`law/digits.rs`). `law/inverse.rs` goes the other way, from a value to the heaps that have it.
//!
//! A law says nothing about where it comes from: whether it is cited, observed or proved is the caller's word.

mod affine;
mod digits;
mod inverse;
mod pattern;

use std::fmt;
use std::ops::ControlFlow;

use grundy_rule::expr::{Cond, EvalError, Expr, Int};
use grundy_rule::law_text::{self, LawText};
use grundy_rule::rule::Param;
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::nimber::Nimber;
use affine::Form;
use digits::Digits;
use pattern::{Interval, Pattern};

pub use inverse::Heaps;

/// Clauses that one value may take before the law is called too slow: a second's work.
const STEPS: u32 = 1 << 22;

/// A law whose parameters have values.
///
/// ```
/// use grundy::law::Law;
/// let law = Law::parse("g(0) = 1\ng(2n) = g(n) + 2n\ng(2n+1) = 6n + 3 - g(n)\n", &[]).unwrap();
/// assert_eq!(law.value(6).unwrap(), 13);
/// assert_eq!(law.value(10_u128.pow(18)).unwrap(), 2 * 10_u128.pow(18) + 1);
/// ```
#[derive(Clone, Debug)]
pub struct Law {
    text: LawText,
    params: Vec<Param>,
    clauses: Vec<Clause>,
    digits: Option<Digits>,
}

/// A clause made ready.
#[derive(Clone, Debug)]
enum Clause {
    /// `g(start..) = values`
    Values { start: Int, values: Vec<Int> },
    /// `g(pattern) = value for cond`
    Equation(Box<Equation>),
}

#[derive(Clone, Debug)]
struct Equation {
    pattern: Pattern,
    value: Expr,
    cond: Cond,
    intervals: Vec<Interval>,
    /// The value as a form, if it is one.
    form: Option<Form>,
    shift: Option<Shift>,
    /// The clause as written, for messages.
    shown: String,
}

/// `g(n + period) = g(n) + saltus for n >= from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shift {
    period: Int,
    saltus: Int,
    from: Int,
    /// No clause before it speaks about a heap from here on, so that it may be taken many times at once;
    /// `None` where that is not known.
    alone_from: Option<Int>,
}

impl Shift {
    /// How many times it applies at `n`, one after the other, with nothing else between.
    fn times(&self, n: Int) -> Int {
        let least = self.from.saturating_add(self.period);
        let least = self.alone_from.map_or(Int::MAX, |alone| alone.max(least));
        if n >= least { (n - least) / self.period + 1 } else { 1 }
    }
}

/// What one look at a heap gives.
enum Look {
    Value(Int),
    /// The value of this smaller heap is needed first.
    Needs(Int),
}

impl Law {
    /// Reads a law in the notation in which it prints. `params` are the parameters of the rule, with their
    /// values.
    ///
    /// # Errors
    /// What the parser says; `law-pattern` for a left side that cannot be solved for its names;
    /// `unknown-name` if a parameter has no value.
    pub fn parse(text: &str, params: &[Param]) -> Result<Law, Error> {
        Law::new(law_text::parse(text, params)?, params)
    }

    /// The law that a resolved text states.
    ///
    /// # Errors
    /// As [`Law::parse`].
    pub fn new(text: LawText, params: &[Param]) -> Result<Law, Error> {
        if let Some(param) = params.iter().find(|p| p.value.is_none()) {
            return Err(Error::new("unknown-name", format!("the law needs the value of `{}`", param.name))
                .help(format!("{}=3", param.name)));
        }
        let mut clauses: Vec<Clause> = Vec::with_capacity(text.clauses.len());
        for clause in &text.clauses {
            let clause = match clause {
                law_text::Clause::Values { start, values, .. } => {
                    Clause::Values { start: *start, values: values.clone() }
                }
                law_text::Clause::Equation { .. } => {
                    Clause::Equation(Box::new(Equation::new(clause, params, &clauses)?))
                }
            };
            clauses.push(clause);
        }
        let mut law = Law { text, params: params.to_vec(), clauses, digits: None };
        law.digits = Digits::of(&law);
        Ok(law)
    }

    /// The value of a heap of `n`.
    ///
    /// # Errors
    /// `law-silent` if no clause speaks about a heap that is needed; `law-ambiguous` if a clause does so in two
    /// ways; `law-circular` if a clause needs a heap that is not smaller; `law-negative` if what it gives is no
    /// nimber; `law-slow` after four million clauses; and what evaluation may say (`overflow`, ...).
    pub fn value(&self, n: u128) -> Result<Nimber, Error> {
        let heap = Int::try_from(n)
            .map_err(|_| Error::new("overflow", format!("a law speaks about heaps below 2^127, not {n}")))?;
        let value = self.at(heap)?;
        u128::try_from(value)
            .map_err(|_| Error::new("law-negative", format!("the law gives {value} for heap {n}")))
    }

    fn at(&self, n: Int) -> Result<Int, Error> {
        match self.digits.as_ref().and_then(|digits| digits.at(n)) {
            Some(value) => Ok(value),
            None => self.by_clauses(n),
        }
    }

    /// The value as the clauses say, one by one.
    fn by_clauses(&self, n: Int) -> Result<Int, Error> {
        let mut known: FxHashMap<Int, Int> = FxHashMap::default();
        let mut stack = vec![n];
        let mut steps = STEPS;
        while let Some(heap) = stack.last().copied() {
            steps = steps.checked_sub(1).ok_or_else(|| {
                Error::new("law-slow", format!("the law takes more than {STEPS} steps for heap {n}"))
            })?;
            match self.look(heap, &known)? {
                Look::Value(value) => {
                    known.insert(heap, value);
                    stack.pop();
                }
                Look::Needs(smaller) => stack.push(smaller),
            }
        }
        known.get(&n).copied().ok_or_else(|| Error::new("law-silent", format!("no clause speaks about {n}")))
    }

    fn look(&self, n: Int, known: &FxHashMap<Int, Int>) -> Result<Look, Error> {
        for clause in &self.clauses {
            match clause {
                Clause::Values { start, values } => {
                    let found = n.checked_sub(*start).and_then(|i| usize::try_from(i).ok());
                    if let Some(value) = found.and_then(|i| values.get(i)) {
                        return Ok(Look::Value(*value));
                    }
                }
                Clause::Equation(equation) => {
                    if let Some(names) = equation.names(n, &self.params)? {
                        return equation.look(n, &names, known, &self.params);
                    }
                }
            }
        }
        Err(Error::new("law-silent", format!("no clause of the law speaks about {n}")))
    }

    /// The clauses as written.
    #[must_use]
    pub fn text(&self) -> &LawText {
        &self.text
    }

    /// The heaps from `from` to `to`, both included, whose value is `value`, in ascending order, each found when
    /// it is asked for.
    ///
    /// Values, affine clauses and periods are inverted, at the cost of a few evaluations for each heap found.
    /// Where a clause cannot be, heap after heap is tried, a million of them at most for each one found.
    ///
    /// ```
    /// # use grundy::law::Law;
    /// let law = Law::parse("g(3a + 1) = g(a) for a >= 1\ng(1) = 0\ng(0) = 0\ng(3a+b) = 2a+b-1 for 2 <= b <= 3", &[]).unwrap();
    /// let heaps: Vec<u128> = law.heaps_with(4, 1, 10_u128.pow(9)).take(3).collect::<Result<_, _>>().unwrap();
    /// assert_eq!(heaps, [6, 19, 58]);
    /// ```
    #[must_use]
    pub fn heaps_with(&self, value: Nimber, from: u128, to: u128) -> Heaps<'_> {
        Heaps::new(self, value, from, to)
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl Equation {
    fn new(clause: &law_text::Clause, params: &[Param], before: &[Clause]) -> Result<Equation, Error> {
        let law_text::Clause::Equation { names, pattern, value, cond, .. } = clause else {
            unreachable!("asked for equations only")
        };
        let shown = clause.to_string();
        let solved = Pattern::of(pattern, names.len(), params).ok_or_else(|| {
            Error::new("law-pattern", format!("`{shown}`: its left side cannot be solved for its names"))
                .help("write a sum that grows with each name, such as `g(3a + b)` or `g(2^k)`")
        })?;
        let intervals = pattern::intervals(cond, names.len(), params);
        let form = Form::of(value, names.len(), params);
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
                Clause::Equation(_) => None,
            };
            alone_from = alone_from.zip(end).map(|(a, b): (Int, Int)| a.max(b));
        }
        Some(Shift { period, saltus, from, alone_from })
    }

    /// The names for which the clause speaks about `n`.
    fn names(&self, n: Int, params: &[Param]) -> Result<Option<Vec<Int>>, Error> {
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

    fn look(
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

    fn failed(&self, n: Int, error: &EvalError) -> Error {
        Error::new(error.id, format!("`{}` at {n}: {error}", self.shown))
    }
}

#[cfg(test)]
mod tests;
