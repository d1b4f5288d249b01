//! Relations between whole numbers and ratios, written as relations between whole numbers.
//!
//! For integers q, a, b with b >= 1, q < a/b holds exactly if q < ceil(a/b), and q <= a/b if q <= floor(a/b); the
//! mirror images likewise. Where b may be smaller the division is written so that evaluating it fails.

use crate::ast::{self, BinaryOp, ExprKind, RelOp};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Atom, AtomKind, Cond, Expr, Func, Int, Op};
use crate::resolve::{Scope, all, expr, joined};

/// A side of a relation: a whole number or a ratio.
#[derive(Clone)]
enum Side {
    Whole(Expr),
    Ratio(Expr, Expr),
}

fn side(tree: &ast::Expr, scope: &mut dyn Scope) -> Result<Side, Diagnostic> {
    if let ExprKind::Binary(BinaryOp::Ratio, top, bottom) = &tree.kind {
        return Ok(Side::Ratio(expr(top, scope)?, expr(bottom, scope)?));
    }
    Ok(Side::Whole(expr(tree, scope)?))
}

pub(super) fn relation(
    firsts: &[ast::Expr],
    links: &[(RelOp, ast::Expr)],
    scope: &mut dyn Scope,
) -> Result<Cond, Diagnostic> {
    let mut lefts = firsts.iter().map(|f| Ok((side(f, scope)?, f.span))).collect::<Result<Vec<_>, _>>()?;
    let mut parts = Vec::new();
    for (op, right_tree) in links {
        let right = side(right_tree, scope)?;
        for (left, left_span) in lefts {
            let span = left_span.to(right_tree.span);
            parts.push(link(left, *op, right.clone(), span, scope));
        }
        lefts = vec![(right, right_tree.span)];
    }
    Ok(all(parts))
}

/// One relation, ratios lowered. For integers q, a, b with b >= 1: q < a/b iff q < ceil(a/b), q <= a/b iff
/// q <= floor(a/b), and the mirror images.
fn link(left: Side, op: RelOp, right: Side, span: Span, scope: &dyn Scope) -> Cond {
    let atom = |kind| Cond::Atom(Atom { kind, span });
    match (left, right) {
        (Side::Whole(left), Side::Whole(right)) => atom(AtomKind::Rel(left, op, right)),
        (Side::Ratio(a, b), Side::Ratio(c, d)) => {
            let (b, d) = (strict(b, scope), strict(d, scope));
            atom(AtomKind::Rel(joined(Op::Mul, a, d), op, joined(Op::Mul, c, b)))
        }
        (Side::Whole(q), Side::Ratio(a, b)) => {
            let round = match op {
                RelOp::Lt | RelOp::Ge => Op::CeilDiv,
                RelOp::Le | RelOp::Gt => Op::FloorDiv,
                RelOp::Eq | RelOp::Ne => return equals_ratio(q, op, a, b, span, scope),
            };
            atom(AtomKind::Rel(q, op, joined(round, a, divisor(b, scope))))
        }
        (Side::Ratio(a, b), Side::Whole(q)) => {
            let round = match op {
                RelOp::Lt | RelOp::Ge => Op::FloorDiv,
                RelOp::Le | RelOp::Gt => Op::CeilDiv,
                RelOp::Eq | RelOp::Ne => return equals_ratio(q, op, a, b, span, scope),
            };
            atom(AtomKind::Rel(joined(round, a, divisor(b, scope)), op, q))
        }
    }
}

/// `q = a/b`: q*b = a where b is surely positive; else by division, which fails for b = 0 as it should.
fn equals_ratio(q: Expr, op: RelOp, a: Expr, b: Expr, span: Span, scope: &dyn Scope) -> Cond {
    let atom = |kind| Cond::Atom(Atom { kind, span });
    if at_least(&b, scope).is_some_and(|least| least >= 1) {
        return atom(AtomKind::Rel(joined(Op::Mul, q, b), op, a));
    }
    let bottom = divisor(b.clone(), scope);
    let quotient = atom(AtomKind::Rel(q, op, joined(Op::FloorDiv, a.clone(), bottom)));
    let divides = atom(AtomKind::Divides(b, op == RelOp::Ne, a));
    if op == RelOp::Ne { Cond::Or(vec![quotient, divides]) } else { Cond::And(vec![quotient, divides]) }
}

/// The divisor of a ratio: `b` itself if it cannot be negative, else `max(b, 0)`. For b >= 1 both are b, for
/// b <= 0 dividing by either is the error that it should be.
pub(super) fn divisor(b: Expr, scope: &dyn Scope) -> Expr {
    match &b {
        _ if at_least(&b, scope).is_some() => b,
        Expr::Const(_) => Expr::Const(0),
        _ => Expr::Call(Func::Max, vec![b, Expr::Const(0)]),
    }
}

/// `b` for b >= 1, an error otherwise: `b * (m // m)` with m = max(b, 0).
fn strict(b: Expr, scope: &dyn Scope) -> Expr {
    if at_least(&b, scope).is_some_and(|least| least >= 1) {
        return b;
    }
    let bottom = divisor(b.clone(), scope);
    let one = Expr::Binary(Op::FloorDiv, Box::new(bottom.clone()), Box::new(bottom));
    Expr::Binary(Op::Mul, Box::new(b), Box::new(one))
}

/// A lower bound of at least 0, if one is evident: `Some(1)` means at least 1.
fn at_least(e: &Expr, scope: &dyn Scope) -> Option<Int> {
    let natural = |e: &Expr| at_least(e, scope);
    let least = match e {
        Expr::Const(value) => *value,
        Expr::Slot(slot) => return scope.is_natural(*slot).then_some(0),
        Expr::Param(param) => scope.param_at_least(*param)?,
        Expr::Len(_) => 0,
        Expr::Binary(Op::Add, a, b) => natural(a)?.checked_add(natural(b)?)?,
        Expr::Binary(Op::Mul, a, b) => natural(a)?.checked_mul(natural(b)?)?,
        Expr::Binary(Op::Pow, a, _) => Int::from(natural(a)? >= 1),
        Expr::Binary(Op::FloorDiv | Op::CeilDiv, a, b) => {
            natural(a)?;
            natural(b)?;
            0
        }
        Expr::Binary(Op::Mod, _, b) => {
            natural(b)?;
            0
        }
        Expr::Call(Func::Max, args) => args.iter().filter_map(natural).max()?,
        Expr::Call(Func::Min, args) => {
            args.iter().map(natural).collect::<Option<Vec<_>>>()?.into_iter().min()?
        }
        Expr::Call(..) => 0,
        Expr::Item(..) | Expr::Neg(_) | Expr::Grundy(_) | Expr::Binary(Op::Sub, ..) => return None,
    };
    (least >= 0).then_some(least)
}
