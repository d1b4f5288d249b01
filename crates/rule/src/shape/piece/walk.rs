//! Walks over expressions and atoms: which slots stand in them, and what they are with others.

use crate::expr::{AtomKind, Expr, Set, Slot};

/// The slots in an expression, ascending.
pub(in crate::shape) fn slots(expr: &Expr) -> Vec<Slot> {
    let mut found = Vec::new();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        match expr {
            Expr::Slot(slot) => found.push(*slot),
            Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => {}
            Expr::Item(_, a) | Expr::Neg(a) | Expr::Grundy(a) => todo.push(a),
            Expr::Binary(_, a, b) => todo.extend([&**a, &**b]),
            Expr::Call(_, args) => todo.extend(args),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The expressions of an atom.
pub(in crate::shape) fn atom_exprs(atom: &AtomKind) -> Vec<&Expr> {
    match atom {
        AtomKind::Rel(a, _, b) | AtomKind::PairIn(a, b, ..) | AtomKind::Divides(a, _, b) => vec![a, b],
        AtomKind::In(e, _, set) => {
            let mut all = vec![e];
            match set {
                Set::List(items) => all.extend(items),
                Set::Range(low, high) => {
                    all.push(low);
                    all.extend(high);
                }
                Set::Named(_, args) => all.extend(args),
                Set::Param(_) => {}
            }
            all
        }
    }
}

/// The slots in an atom.
pub(in crate::shape) fn atom_slots(atom: &AtomKind) -> Vec<Slot> {
    let mut all: Vec<Slot> = atom_exprs(atom).into_iter().flat_map(slots).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// An expression with something else for each slot. (Nesting is bounded by the parser.)
pub(in crate::shape) fn map(expr: &Expr, slot: &mut dyn FnMut(Slot) -> Option<Expr>) -> Option<Expr> {
    Some(match expr {
        Expr::Slot(s) => slot(*s)?,
        Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => expr.clone(),
        Expr::Item(id, a) => Expr::Item(*id, Box::new(map(a, slot)?)),
        Expr::Neg(a) => Expr::Neg(Box::new(map(a, slot)?)),
        Expr::Grundy(a) => Expr::Grundy(Box::new(map(a, slot)?)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, Box::new(map(a, slot)?), Box::new(map(b, slot)?)),
        Expr::Call(func, args) => {
            Expr::Call(*func, args.iter().map(|a| map(a, slot)).collect::<Option<_>>()?)
        }
    })
}

/// An expression with `value` for one slot.
pub(super) fn replace(expr: &Expr, slot: Slot, value: &Expr) -> Expr {
    let mut at = |s: Slot| Some(if s == slot { value.clone() } else { Expr::Slot(s) });
    map(expr, &mut at).expect("every slot has a replacement")
}

/// An atom with each expression mapped.
pub(in crate::shape) fn map_atom(
    atom: &AtomKind,
    f: &mut dyn FnMut(&Expr) -> Option<Expr>,
) -> Option<AtomKind> {
    Some(match atom {
        AtomKind::Rel(a, op, b) => AtomKind::Rel(f(a)?, *op, f(b)?),
        AtomKind::PairIn(a, b, negated, id) => AtomKind::PairIn(f(a)?, f(b)?, *negated, *id),
        AtomKind::Divides(a, negated, b) => AtomKind::Divides(f(a)?, *negated, f(b)?),
        AtomKind::In(e, negated, set) => {
            let e = f(e)?;
            let set = match set {
                Set::List(items) => Set::List(items.iter().map(&mut *f).collect::<Option<_>>()?),
                Set::Range(low, high) => {
                    let low = f(low)?;
                    let high = match high {
                        Some(high) => Some(f(high)?),
                        None => None,
                    };
                    Set::Range(low, high)
                }
                Set::Named(name, args) => Set::Named(*name, args.iter().map(&mut *f).collect::<Option<_>>()?),
                Set::Param(id) => Set::Param(*id),
            };
            AtomKind::In(e, *negated, set)
        }
    })
}
