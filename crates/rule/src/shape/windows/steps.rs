//! How much an end of a window moves from one heap to the next, by its form.
//!
//! **Lemma (steps).** Write `f` has steps in `[l, h]` if `l <= f(n+1) - f(n) <= h` for all n. Then: `n` has
//! steps in [1, 1], a number in [0, 0]; sums add; a factor scales; `floor(f/d)` and `ceil(f/d)` have steps in
//! `[floor(l/d), ceil(h/d)]`; the maximum and the minimum of two have steps in the hull of both; with steps of `f` in
//! [0, 1], `sqrt(f)`, `root(f, k)` and `log(f, b)` have steps in [0, 1]. (For the maximum: if both change by at
//! most h so does the greater one. For the roots: floor(sqrt(m + 1)) <= floor(sqrt(m)) + 1.)
//!
//! An end is monotone if l >= 0; a left end slides if l >= 0 and h <= 1. `n - floor(n/3)` needs more than
//! this lemma, since the steps of the two terms are not independent; as the ratio floor((2n + 2)/3) its
//! steps are floor and ceil of 2/3. `n - sqrt(n)` has steps in [0, 1] by the sum.

use crate::ends::fourier_motzkin::System;
use crate::ends::linear::{Linear, Unknown};
use crate::ends::translate::Translator;
use crate::expr::{Expr, Func, Int, Op};
use crate::rule::Rule;

use super::super::piece::slots;
use super::super::window::Ratio;

/// An expression as `floor((a*n + c) / b)`, exactly.
pub(super) fn ratio(rule: &Rule, expr: &Expr) -> Option<Ratio> {
    let number = |n: Int| Some(Ratio { a: 0, c: n, b: 1 });
    let add = |x: Ratio, y: Ratio| {
        // One of them is whole: floor(w + r) = w + floor(r).
        let (whole, other) = if x.b == 1 { (x, y) } else { (y, x) };
        if whole.b != 1 {
            return None;
        }
        Some(Ratio {
            a: whole.a.checked_mul(other.b)?.checked_add(other.a)?,
            c: whole.c.checked_mul(other.b)?.checked_add(other.c)?,
            b: other.b,
        })
    };
    // -floor(x/b) = ceil(-x/b) = floor((-x + b - 1)/b)
    let negative =
        |x: Ratio| Some(Ratio { a: x.a.checked_neg()?, c: x.b.checked_sub(1)?.checked_sub(x.c)?, b: x.b });
    if slots(expr).is_empty() {
        return number(expr.eval(&[], &rule.params).ok()?);
    }
    match expr {
        Expr::Slot(0) => Some(Ratio { a: 1, c: 0, b: 1 }),
        Expr::Neg(a) => negative(ratio(rule, a)?),
        Expr::Binary(Op::Add, a, b) => add(ratio(rule, a)?, ratio(rule, b)?),
        Expr::Binary(Op::Sub, a, b) => add(ratio(rule, a)?, negative(ratio(rule, b)?)?),
        Expr::Binary(Op::Mul, a, b) => {
            let (a, b) = (ratio(rule, a)?, ratio(rule, b)?);
            let (k, r) = if a.a == 0 && a.b == 1 { (a.c, b) } else { (b.c, a) };
            if !((a.a == 0 && a.b == 1) || (b.a == 0 && b.b == 1)) || r.b != 1 {
                return None;
            }
            Some(Ratio { a: r.a.checked_mul(k)?, c: r.c.checked_mul(k)?, b: 1 })
        }
        Expr::Binary(op @ (Op::FloorDiv | Op::CeilDiv), a, b) => {
            let r = ratio(rule, a)?;
            let d = ratio(rule, b)?;
            if d.a != 0 || d.b != 1 || d.c < 1 {
                return None;
            }
            if *op == Op::FloorDiv {
                return Some(Ratio { b: r.b.checked_mul(d.c)?, ..r });
            }
            let negated = negative(r)?;
            negative(Ratio { b: negated.b.checked_mul(d.c)?, ..negated })
        }
        _ => None,
    }
}

/// Steps of expressions, see the module.
pub(super) struct Steps<'a> {
    pub(super) rule: &'a Rule,
    pub(super) known: &'a System,
    pub(super) auxiliaries: &'a [(Unknown, Expr)],
}

impl Steps<'_> {
    /// The least and the greatest step; `None` if not known.
    pub(super) fn of(&self, expr: &Expr) -> Option<(Int, Int)> {
        if let Some(ratio) = ratio(self.rule, expr) {
            let up = -((-ratio.a).div_euclid(ratio.b));
            return Some((ratio.a.div_euclid(ratio.b), up));
        }
        if slots(expr).is_empty() {
            return Some((0, 0));
        }
        match expr {
            Expr::Slot(0) => Some((1, 1)),
            Expr::Neg(a) => {
                let (l, h) = self.of(a)?;
                Some((h.checked_neg()?, l.checked_neg()?))
            }
            Expr::Binary(Op::Add, a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
            }
            Expr::Binary(Op::Sub, a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?))
            }
            Expr::Binary(Op::Mul, a, b) => {
                let (number, other) = match (ratio(self.rule, a), ratio(self.rule, b)) {
                    (Some(Ratio { a: 0, c, b: 1 }), _) => (c, b),
                    (_, Some(Ratio { a: 0, c, b: 1 })) => (c, a),
                    _ => return None,
                };
                let (l, h) = self.of(other)?;
                let (l, h) = (l.checked_mul(number)?, h.checked_mul(number)?);
                Some((l.min(h), l.max(h)))
            }
            Expr::Binary(Op::FloorDiv | Op::CeilDiv, a, b) => {
                let (l, h) = self.of(a)?;
                match b.eval(&[], &self.rule.params) {
                    Ok(d) if d >= 1 => Some((l.div_euclid(d), -((-h).div_euclid(d)))),
                    Ok(_) => None,
                    // A divisor that is only known to be at least 1.
                    Err(_) if l >= 0 && self.positive(b) => Some((0, h)),
                    Err(_) => None,
                }
            }
            Expr::Call(Func::Max | Func::Min, args) => {
                let all: Vec<(Int, Int)> = args.iter().map(|a| self.of(a)).collect::<Option<_>>()?;
                Some((all.iter().map(|s| s.0).min()?, all.iter().map(|s| s.1).max()?))
            }
            Expr::Call(Func::Sqrt | Func::Root | Func::Log, args) => {
                let (l, h) = self.of(args.first()?)?;
                let fixed = args.iter().skip(1).all(|a| slots(a).is_empty());
                (fixed && l >= 0 && h <= 1).then_some((0, h))
            }
            _ => None,
        }
    }

    /// Whether an expression without n is proved to be at least 1: a parameter, by the header.
    fn positive(&self, expr: &Expr) -> bool {
        if !slots(expr).is_empty() {
            return false;
        }
        let Some((unknown, _)) = self.auxiliaries.iter().find(|(_, held)| held == expr) else {
            return self.by_header(expr);
        };
        Linear::unknown(*unknown).add(-1).is_some_and(|row| self.known.implies(&row)) || self.by_header(expr)
    }

    fn by_header(&self, expr: &Expr) -> bool {
        let mut translator = Translator::new(&self.rule.params, 0);
        translator.cond(&self.rule.param_cond);
        let value = translator.expr(expr);
        let facts = translator.facts.clone();
        value.add(-1).is_some_and(|row| facts.implies(&row))
    }
}
