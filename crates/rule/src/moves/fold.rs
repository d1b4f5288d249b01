//! A rule's expressions with the values of the parameters put in and constants worked out.
//!
//! What has no value (a division by zero in a part without names, say) is left as written: it is said when a
//! heap needs it, and only then.

use crate::expr::{Atom, AtomKind, Cond, Expr, Set};
use crate::rule::{Param, Value};

/// The expression with parameters and constants folded.
pub(crate) fn expr(e: &Expr, params: &[Param]) -> Expr {
    let folded = match e {
        Expr::Const(_) | Expr::Slot(_) | Expr::Grundy(_) => return e.clone(),
        Expr::Param(id) => match params.get(*id).and_then(|p| p.value.as_ref()) {
            Some(Value::Number(x)) => Expr::Const(*x),
            _ => return e.clone(),
        },
        Expr::Len(_) => e.clone(),
        Expr::Item(id, index) => Expr::Item(*id, Box::new(expr(index, params))),
        Expr::Neg(a) => Expr::Neg(Box::new(expr(a, params))),
        Expr::Binary(op, a, b) => Expr::Binary(*op, Box::new(expr(a, params)), Box::new(expr(b, params))),
        Expr::Call(func, args) => Expr::Call(*func, args.iter().map(|a| expr(a, params)).collect()),
    };
    let constant = match &folded {
        Expr::Len(_) => true,
        Expr::Item(_, a) | Expr::Neg(a) => is_const(a),
        Expr::Binary(_, a, b) => is_const(a) && is_const(b),
        Expr::Call(_, args) => args.iter().all(is_const),
        _ => false,
    };
    if constant && let Ok(x) = folded.eval(&[], params) { Expr::Const(x) } else { folded }
}

fn is_const(e: &Expr) -> bool {
    matches!(e, Expr::Const(_))
}

/// The set, folded.
pub(crate) fn set(s: &Set, params: &[Param]) -> Set {
    let all = |list: &[Expr]| list.iter().map(|e| expr(e, params)).collect();
    match s {
        Set::List(list) => Set::List(all(list)),
        Set::Range(lo, hi) => Set::Range(expr(lo, params), hi.as_ref().map(|hi| expr(hi, params))),
        Set::Named(name, args) => Set::Named(*name, all(args)),
        Set::Param(id) => Set::Param(*id),
    }
}

/// The atom, folded.
pub(crate) fn atom(a: &Atom, params: &[Param]) -> Atom {
    let kind = match &a.kind {
        AtomKind::Rel(x, op, y) => AtomKind::Rel(expr(x, params), *op, expr(y, params)),
        AtomKind::In(x, negated, s) => AtomKind::In(expr(x, params), *negated, set(s, params)),
        AtomKind::PairIn(x, y, negated, id) => {
            AtomKind::PairIn(expr(x, params), expr(y, params), *negated, *id)
        }
        AtomKind::Divides(x, negated, y) => AtomKind::Divides(expr(x, params), *negated, expr(y, params)),
    };
    Atom { kind, span: a.span }
}

/// The condition, folded.
pub(crate) fn cond(c: &Cond, params: &[Param]) -> Cond {
    match c {
        Cond::And(all) => Cond::And(all.iter().map(|c| cond(c, params)).collect()),
        Cond::Or(any) => Cond::Or(any.iter().map(|c| cond(c, params)).collect()),
        Cond::Not(c) => Cond::Not(Box::new(cond(c, params))),
        Cond::Atom(a) => Cond::Atom(atom(a, params)),
    }
}

/// Whether the expression mentions a slot that `found` accepts.
pub(crate) fn mentions(e: &Expr, found: &dyn Fn(usize) -> bool) -> bool {
    match e {
        Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => false,
        Expr::Slot(slot) => found(*slot),
        Expr::Item(_, a) | Expr::Neg(a) | Expr::Grundy(a) => mentions(a, found),
        Expr::Binary(_, a, b) => mentions(a, found) || mentions(b, found),
        Expr::Call(_, args) => args.iter().any(|a| mentions(a, found)),
    }
}

/// The expressions of an atom.
pub(crate) fn sides(kind: &AtomKind) -> Vec<&Expr> {
    match kind {
        AtomKind::Rel(a, _, b) | AtomKind::PairIn(a, b, ..) | AtomKind::Divides(a, _, b) => vec![a, b],
        AtomKind::In(x, _, set) => {
            let mut all = vec![x];
            match set {
                Set::List(list) | Set::Named(_, list) => all.extend(list),
                Set::Range(lo, hi) => {
                    all.push(lo);
                    all.extend(hi);
                }
                Set::Param(_) => {}
            }
            all
        }
    }
}
