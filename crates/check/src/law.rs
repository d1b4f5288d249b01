//! What the text of a law says about each heap, for the proof rules that compute values.
//!
//! Two forms are read here, and all others are refused:
//!
//! * listed values, then one clause `g(n + p) = g(n) for n >= m`;
//! * listed values, then clauses `g(K*n + d) = value for cond` whose value does not mention `g`, is made of numbers and
//!   the name by `+ - *` with a number, `//` and `%` by a number, and whose condition compares such values.
//!
//! A heap is looked up as the law says it: the first clause that speaks about it decides. That a law of the second form
//! has a period is read off the form: with `f(n + P) = f(n) + S`, sums and multiples keep such a pair (P, S), and so do
//! `f // c` and `f % c` with `c/gcd(S, c)` times the period.

use grundy_rule::ast::RelOp;
use grundy_rule::expr::{AtomKind, Cond, EvalError, Expr, Int, Op, Set};
use grundy_rule::law_text::{Clause, LawText};
use grundy_rule::polynomial::{Polynomial, Unknown};
use grundy_rule::rule::Param;

use crate::{Fault, refuse};

/// Longest period of a law that is looked at.
const LONGEST: Int = 1 << 40;

/// A law in one of the two forms.
pub(crate) struct Law<'a> {
    params: &'a [Param],
    values: Vec<(Int, &'a [Int])>,
    clauses: Vec<Speaks<'a>>,
}

/// A clause `g(factor*n + offset) = value for cond`.
struct Speaks<'a> {
    factor: Int,
    offset: Int,
    value: &'a Expr,
    cond: &'a Cond,
}

/// `f(n + period) = f(n) + step` for `n >= from`.
#[derive(Clone, Copy)]
struct Pace {
    period: Int,
    step: Int,
    from: Int,
}

impl<'a> Law<'a> {
    pub(crate) fn new(text: &'a LawText, params: &'a [Param]) -> Result<Law<'a>, Fault> {
        let mut law = Law { params, values: Vec::new(), clauses: Vec::new() };
        for clause in &text.clauses {
            match clause {
                Clause::Values { start, values, .. } => law.values.push((*start, values)),
                Clause::Equation { pattern, value, cond, names, .. } => {
                    let Some((factor, offset)) = single(pattern, params).filter(|_| names.len() == 1) else {
                        return refuse("law", format!("`{clause}`: this proof rule reads g(K*n + d) only"));
                    };
                    law.clauses.push(Speaks { factor, offset, value, cond });
                }
                _ => return refuse("law", "this proof rule reads listed values and g(K*n + d) only"),
            }
        }
        Ok(law)
    }

    /// What the law says about `n`; `known` are its values of smaller heaps, as far as it is about them.
    pub(crate) fn value(&self, n: usize, known: &[Option<Int>]) -> Result<Int, Fault> {
        let heap = n as Int;
        for (start, values) in &self.values {
            let place = heap.checked_sub(*start).and_then(|i| usize::try_from(i).ok());
            if let Some(value) = place.and_then(|i| values.get(i)) {
                return Ok(*value);
            }
        }
        let failed = |error: EvalError| Fault::Refused("law".to_string(), format!("at {n}: {error}"));
        for clause in &self.clauses {
            let rest = heap - clause.offset;
            if rest < 0 || rest % clause.factor != 0 {
                continue;
            }
            let name = [rest / clause.factor];
            if !clause.cond.eval(&name, self.params).map_err(failed)? {
                continue;
            }
            let mut smaller = |m: Int| {
                let held = usize::try_from(m).ok().and_then(|m| known.get(m).copied().flatten());
                held.ok_or_else(|| EvalError {
                    id: "law-circular",
                    message: format!("g({m}) is not known yet"),
                })
            };
            return clause.value.eval_with(&name, self.params, &mut smaller).map_err(failed);
        }
        refuse("law", format!("no clause speaks about {n}"))
    }

    /// The period of what the law says, and a heap from which on it holds.
    pub(crate) fn period(&self) -> Result<(u64, u64), Fault> {
        let found = match self.clauses.as_slice() {
            [] => None,
            [only] if matches!(only.value, Expr::Grundy(_)) => self.repeats(only),
            all => all.iter().try_fold(Pace { period: 1, step: 0, from: 0 }, |pace, clause| {
                pace.join(self.closed(clause)?, 1)
            }),
        };
        let listed = self.values.iter().map(|(start, values)| start.checked_add(values.len() as Int));
        let listed = listed.map(|end| end.unwrap_or(Int::MAX)).max().unwrap_or(0);
        let numbers = found.and_then(|pace| {
            Some((u64::try_from(pace.from.max(listed)).ok()?, u64::try_from(pace.period).ok()?))
        });
        match numbers {
            Some(numbers) => Ok(numbers),
            None => refuse("law", "this proof rule finds no period in the clauses of the law"),
        }
    }

    /// `g(n + p) = g(n) for n >= m`: period p from m on.
    fn repeats(&self, clause: &Speaks) -> Option<Pace> {
        let same = matches!(clause.value, Expr::Grundy(of) if **of == Expr::Slot(0));
        let shift = same && clause.factor == 1 && clause.offset >= 1;
        let from = least(clause.cond, self.params)?;
        shift.then_some(Pace { period: clause.offset, step: 0, from })
    }

    /// The period of a clause without `g`, and of whether it speaks.
    fn closed(&self, clause: &Speaks) -> Option<Pace> {
        let value = pace(clause.value, self.params).filter(|pace| pace.step == 0)?;
        let mut all = value;
        let mut todo = vec![clause.cond];
        while let Some(cond) = todo.pop() {
            match cond {
                Cond::And(any) | Cond::Or(any) => todo.extend(any),
                Cond::Not(cond) => todo.push(cond),
                Cond::Atom(atom) => all = all.join(truth_pace(&atom.kind, self.params)?, 1)?,
            }
        }
        let from = all.from.checked_mul(clause.factor)?.checked_add(clause.offset)?.max(0);
        let period = all.period.checked_mul(clause.factor)?;
        Some(Pace { period, step: 0, from })
    }
}

/// `K*n + d` with K >= 1.
fn single(pattern: &Expr, params: &[Param]) -> Option<(Int, Int)> {
    let polynomial = Polynomial::of(pattern, params)?;
    let (mut factor, mut offset) = (0, 0);
    for (monomial, coefficient) in polynomial.terms() {
        match monomial {
            [] => offset = coefficient,
            [Unknown::Slot(0)] => factor = coefficient,
            _ => return None,
        }
    }
    (factor >= 1).then_some((factor, offset))
}

/// The least n of a condition that says nothing but `n >= m`.
fn least(cond: &Cond, params: &[Param]) -> Option<Int> {
    match cond {
        Cond::And(all) => all.iter().try_fold(0, |from: Int, cond| Some(from.max(least(cond, params)?))),
        Cond::Atom(atom) => {
            let number = |e: &Expr| e.eval(&[], params).ok();
            match &atom.kind {
                AtomKind::Rel(Expr::Slot(0), RelOp::Ge, m) | AtomKind::Rel(m, RelOp::Le, Expr::Slot(0)) => {
                    number(m)
                }
                AtomKind::Rel(Expr::Slot(0), RelOp::Gt, m) | AtomKind::Rel(m, RelOp::Lt, Expr::Slot(0)) => {
                    number(m)?.checked_add(1)
                }
                _ => None,
            }
        }
        Cond::Or(_) | Cond::Not(_) => None,
    }
}

impl Pace {
    /// The pace of `f + factor * other`.
    fn join(self, other: Pace, factor: Int) -> Option<Pace> {
        let common = gcd(self.period, other.period);
        let period = (self.period / common).checked_mul(other.period).filter(|period| *period <= LONGEST)?;
        let step = self.step.checked_mul(period / self.period)?;
        let other_step = other.step.checked_mul(period / other.period)?.checked_mul(factor)?;
        Some(Pace { period, step: step.checked_add(other_step)?, from: self.from.max(other.from) })
    }

    /// The pace of `f // c`, and with `remainder` that of `f % c`.
    fn divided(self, c: Int, remainder: bool) -> Option<Pace> {
        let times = c / gcd(self.step, c);
        let period = self.period.checked_mul(times).filter(|period| *period <= LONGEST)?;
        let step = if remainder { 0 } else { self.step.checked_mul(times)? / c };
        Some(Pace { period, step, from: self.from })
    }
}

fn gcd(mut a: Int, mut b: Int) -> Int {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

/// The pace of an expression in one name.
fn pace(expr: &Expr, params: &[Param]) -> Option<Pace> {
    if expr.eval(&[], params).is_ok() {
        return Some(Pace { period: 1, step: 0, from: 0 });
    }
    let number = |e: &Expr| e.eval(&[], params).ok();
    match expr {
        Expr::Slot(0) => Some(Pace { period: 1, step: 1, from: 0 }),
        Expr::Binary(Op::Add, a, b) => pace(a, params)?.join(pace(b, params)?, 1),
        Expr::Binary(Op::Sub, a, b) => pace(a, params)?.join(pace(b, params)?, -1),
        Expr::Binary(Op::Mul, a, b) => {
            let (factor, other) = number(a).map(|k| (k, b)).or_else(|| number(b).map(|k| (k, a)))?;
            Pace { period: 1, step: 0, from: 0 }.join(pace(other, params)?, factor)
        }
        Expr::Binary(op @ (Op::FloorDiv | Op::CeilDiv | Op::Mod), a, b) => {
            let c = number(b).filter(|c| *c >= 1)?;
            pace(a, params)?.divided(c, *op == Op::Mod)
        }
        _ => None,
    }
}

/// The period of whether an atom holds, and from where on.
fn truth_pace(atom: &AtomKind, params: &[Param]) -> Option<Pace> {
    let settled = |from: Int| Some(Pace { period: 1, step: 0, from });
    let number = |e: &Expr| e.eval(&[], params).ok();
    match atom {
        AtomKind::Rel(a, _, b) => {
            // The name against a number: decided from there on.
            if let (Expr::Slot(0), Some(m)) | (_, Some(m)) = (a, number(b))
                && *a == Expr::Slot(0)
            {
                return settled(m.checked_add(1)?.max(0));
            }
            if let (Some(m), Expr::Slot(0)) = (number(a), b) {
                return settled(m.checked_add(1)?.max(0));
            }
            let difference = pace(a, params)?.join(pace(b, params)?, -1)?;
            (difference.step == 0).then_some(difference)
        }
        AtomKind::Divides(a, _, b) => {
            let c = number(a).filter(|c| *c >= 1)?;
            pace(b, params)?.divided(c, true)
        }
        AtomKind::In(x, _, Set::List(all)) => {
            let numbers: Vec<Int> = all.iter().map(number).collect::<Option<_>>()?;
            match x {
                Expr::Slot(0) => settled(numbers.iter().max().copied().unwrap_or(0).checked_add(1)?.max(0)),
                _ => pace(x, params).filter(|pace| pace.step == 0),
            }
        }
        AtomKind::In(..) | AtomKind::PairIn(..) => None,
    }
}
