//! Polynomials over names and parameters, and what follows from inequalities between them.
//!
//! A law for *every* value of a parameter speaks of products: `g(a*k + 1) = g(a)`. Its proof needs facts such as
//! `k*(a + 1) - (a*k + b) >= 0` from `b <= k`, which are linear once `a*k` is taken as an unknown of its own. So an
//! inequality is multiplied out exactly, each monomial becomes an unknown, and the question goes to the procedure
//! for linear inequalities of [`crate::ends`]. What is lost are facts about products themselves; then the answer is
//! "does not follow", which is the safe side.

use std::collections::BTreeMap;

use crate::ast::RelOp;
use crate::ends::fourier_motzkin::System;
use crate::ends::linear::Linear;
use crate::expr::{AtomKind, Cond, Expr, Int, Op, ParamId, Set, Slot};
use crate::rule::{Param, Value};

/// What a monomial is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unknown {
    /// What stands in a slot.
    Slot(Slot),
    /// A parameter without a value.
    Param(ParamId),
}

/// A polynomial with whole coefficients.
///
/// ```
/// use grundy_rule::polynomial::{Polynomial, Unknown};
/// let (a, k) = (Polynomial::unknown(Unknown::Slot(0)), Polynomial::unknown(Unknown::Param(0)));
/// let sum = a.plus(&Polynomial::number(1)).unwrap();
/// let product = sum.times(&k).unwrap();
/// assert_eq!(product.minus(&a.times(&k).unwrap()).unwrap(), k);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Polynomial {
    /// Coefficients, none of them 0; the monomial without unknowns is the constant.
    terms: BTreeMap<Vec<Unknown>, Int>,
}

impl Polynomial {
    /// A number.
    #[must_use]
    pub fn number(number: Int) -> Polynomial {
        Polynomial { terms: [(Vec::new(), number)].into_iter().filter(|term| term.1 != 0).collect() }
    }

    /// An unknown.
    #[must_use]
    pub fn unknown(unknown: Unknown) -> Polynomial {
        Polynomial { terms: BTreeMap::from([(vec![unknown], 1)]) }
    }

    /// The polynomial that an expression is; `None` if it is none, or beyond 128 bits.
    #[must_use]
    pub fn of(expr: &Expr, params: &[Param]) -> Option<Polynomial> {
        match expr {
            Expr::Const(number) => Some(Polynomial::number(*number)),
            Expr::Slot(slot) => Some(Polynomial::unknown(Unknown::Slot(*slot))),
            Expr::Param(id) => match &params.get(*id)?.value {
                Some(Value::Number(number)) => Some(Polynomial::number(*number)),
                Some(_) => None,
                None => Some(Polynomial::unknown(Unknown::Param(*id))),
            },
            Expr::Neg(a) => Polynomial::default().minus(&Polynomial::of(a, params)?),
            Expr::Binary(op, a, b) => {
                let (a, b) = (Polynomial::of(a, params)?, Polynomial::of(b, params)?);
                match op {
                    Op::Add => a.plus(&b),
                    Op::Sub => a.minus(&b),
                    Op::Mul => a.times(&b),
                    // Only what is a number: evaluation over no names fails where there are some.
                    Op::FloorDiv | Op::CeilDiv | Op::Mod | Op::Pow => {
                        expr.eval(&[], params).ok().map(Polynomial::number)
                    }
                }
            }
            Expr::Item(..) | Expr::Len(_) | Expr::Call(..) | Expr::Grundy(_) => {
                expr.eval(&[], params).ok().map(Polynomial::number)
            }
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_number(&self) -> Option<Int> {
        match (self.terms.len(), self.terms.get(&Vec::new())) {
            (0, _) => Some(0),
            (1, Some(number)) => Some(*number),
            _ => None,
        }
    }

    /// Its terms: monomials, each the ascending list of its unknowns, with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&[Unknown], Int)> {
        self.terms.iter().map(|(monomial, coefficient)| (monomial.as_slice(), *coefficient))
    }

    /// The sum; `None` beyond 128 bits.
    #[must_use]
    pub fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.terms {
            sum.add(monomial.clone(), *coefficient)?;
        }
        Some(sum)
    }

    /// The difference; `None` beyond 128 bits.
    #[must_use]
    pub fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.plus(&other.times(&Polynomial::number(-1))?)
    }

    /// The product; `None` beyond 128 bits, or 256 terms.
    #[must_use]
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        const MOST_TERMS: usize = 256;
        let mut product = Polynomial::default();
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                let mut monomial = [m.as_slice(), n.as_slice()].concat();
                monomial.sort_unstable();
                product.add(monomial, c.checked_mul(*d)?)?;
            }
        }
        (product.terms.len() <= MOST_TERMS).then_some(product)
    }

    /// The polynomial with `value` in place of an unknown; `None` beyond 128 bits.
    #[must_use]
    pub fn replace(&self, unknown: Unknown, value: &Polynomial) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (monomial, coefficient) in &self.terms {
            let mut term = Polynomial::number(*coefficient);
            for factor in monomial {
                let other = Polynomial::unknown(*factor);
                term = term.times(if *factor == unknown { value } else { &other })?;
            }
            sum = sum.plus(&term)?;
        }
        Some(sum)
    }

    fn add(&mut self, monomial: Vec<Unknown>, coefficient: Int) -> Option<()> {
        let held = self.terms.entry(monomial).or_insert(0);
        *held = held.checked_add(coefficient)?;
        self.terms.retain(|_, c| *c != 0);
        Some(())
    }
}

/// Inequalities `polynomial >= 0` that hold.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    known: Vec<Polynomial>,
}

impl Facts {
    /// What was stated, each at least 0.
    #[must_use]
    pub fn all(&self) -> &[Polynomial] {
        &self.known
    }

    /// States that `fact >= 0`.
    pub fn add(&mut self, fact: Polynomial) {
        self.known.push(fact);
    }

    /// States what a condition says in inequalities of polynomials, `=`, `<`, `<=`, `>`, `>=`, `!=` and ranges, joined by
    /// "and". Whatever else it says is left out; `false`: something was.
    pub fn add_condition(&mut self, cond: &Cond, params: &[Param]) -> bool {
        let mut whole = true;
        let mut todo = vec![cond];
        while let Some(cond) = todo.pop() {
            match cond {
                Cond::And(all) => todo.extend(all),
                Cond::Atom(atom) => whole &= self.add_atom(&atom.kind, params).is_some(),
                Cond::Or(_) | Cond::Not(_) => whole = false,
            }
        }
        whole
    }

    fn add_atom(&mut self, atom: &AtomKind, params: &[Param]) -> Option<()> {
        // a - b - gap >= 0
        let mut above = |a: &Expr, b: &Expr, gap: Int| {
            let difference = Polynomial::of(a, params)?.minus(&Polynomial::of(b, params)?)?;
            self.known.push(difference.minus(&Polynomial::number(gap))?);
            Some(())
        };
        match atom {
            AtomKind::Rel(a, op, b) => match op {
                RelOp::Lt => above(b, a, 1),
                RelOp::Le => above(b, a, 0),
                RelOp::Gt => above(a, b, 1),
                RelOp::Ge => above(a, b, 0),
                RelOp::Eq => above(a, b, 0).and_then(|()| above(b, a, 0)),
                RelOp::Ne => None,
            },
            AtomKind::In(x, false, Set::Range(lo, hi)) => {
                above(x, lo, 0)?;
                hi.as_ref().map_or(Some(()), |hi| above(hi, x, 0))
            }
            AtomKind::In(..) | AtomKind::PairIn(..) | AtomKind::Divides(..) => None,
        }
    }

    /// Whether it is proved that `goal >= 0` follows, for all whole numbers in place of the unknowns.
    #[must_use]
    pub fn imply(&self, goal: &Polynomial) -> bool {
        let mut numbers: BTreeMap<&[Unknown], usize> = BTreeMap::new();
        let mut system = System::default();
        for fact in &self.known {
            match linear(fact, &mut numbers) {
                Some(row) => system.demand(row),
                None => continue,
            }
        }
        linear(goal, &mut numbers).is_some_and(|row| system.implies(&row))
    }
}

/// The polynomial with an unknown for each monomial.
fn linear<'a>(polynomial: &'a Polynomial, numbers: &mut BTreeMap<&'a [Unknown], usize>) -> Option<Linear> {
    let mut sum = Linear::default();
    for (monomial, coefficient) in &polynomial.terms {
        let term = if monomial.is_empty() {
            Linear::constant(*coefficient)
        } else {
            let next = numbers.len();
            Linear::unknown(*numbers.entry(monomial).or_insert(next)).times(*coefficient)?
        };
        sum = sum.plus(&term)?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_count_as_unknowns() {
        let (a, b, k) = (Unknown::Slot(0), Unknown::Slot(1), Unknown::Param(0));
        let [a, b, k] = [a, b, k].map(Polynomial::unknown);
        let one = Polynomial::number(1);
        let mut facts = Facts::default();
        facts.add(k.minus(&b).unwrap());
        // k(a + 1) - (ka + b) >= 0 is b <= k.
        let goal =
            k.times(&a.plus(&one).unwrap()).unwrap().minus(&k.times(&a).unwrap().plus(&b).unwrap()).unwrap();
        assert!(facts.imply(&goal));
        assert!(!facts.imply(&goal.minus(&one).unwrap()));
        facts.add(b.minus(&one).unwrap());
        assert!(facts.imply(&k.minus(&one).unwrap()));
        assert!(!facts.imply(&a));
    }

    #[test]
    fn a_polynomial_is_multiplied_out() {
        let x = Polynomial::unknown(Unknown::Slot(0));
        let one = Polynomial::number(1);
        let square = x.plus(&one).unwrap().times(&x.minus(&one).unwrap()).unwrap();
        assert_eq!(square, x.times(&x).unwrap().minus(&one).unwrap());
        let shifted = square.replace(Unknown::Slot(0), &x.plus(&one).unwrap()).unwrap();
        assert_eq!(shifted, x.times(&x).unwrap().plus(&x.plus(&x).unwrap()).unwrap());
        assert_eq!(square.minus(&square).unwrap().as_number(), Some(0));
        assert!(Polynomial::number(Int::MAX).plus(&one).is_none());
    }
}
