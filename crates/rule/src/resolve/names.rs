//! Where names stand in a tree, and which name was probably meant.

use crate::ast::{Cond, CondKind, Expr, ExprKind, HeapExpr, Part, Set, SetKind};
use crate::diagnostic::Span;

/// How a name is used, which tells its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// As a number.
    Number,
    /// After `in`.
    Set,
    /// `c[i]`
    List,
    /// `len(c)`
    Len,
    /// `(a, b) in p`
    Pairs,
    /// After `for`: bound here.
    For,
    /// As a number inside the brackets that bind it.
    Bound,
}

/// One mention of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention<'a> {
    pub(super) name: &'a str,
    pub(super) span: Span,
    pub(super) used: Use,
}

/// The mentions in an expression, in the order written.
pub(super) fn in_expr<'a>(expr: &'a Expr, out: &mut Vec<Mention<'a>>) {
    match &expr.kind {
        ExprKind::Number(_) => {}
        ExprKind::Name(name) => out.push(Mention { name, span: expr.span, used: Use::Number }),
        ExprKind::Index(name, index) => {
            out.push(Mention { name: &name.text, span: name.span, used: Use::List });
            in_expr(index, out);
        }
        ExprKind::Call(name, args) => {
            if let ("len", [Expr { kind: ExprKind::Name(list), span }]) =
                (name.text.as_str(), args.as_slice())
            {
                out.push(Mention { name: list, span: *span, used: Use::Len });
                return;
            }
            for arg in args {
                in_expr(arg, out);
            }
        }
        ExprKind::Neg(inner) => in_expr(inner, out),
        ExprKind::Binary(_, left, right) => {
            in_expr(left, out);
            in_expr(right, out);
        }
    }
}

/// The mentions in a set.
pub(super) fn in_set<'a>(set: &'a Set, out: &mut Vec<Mention<'a>>) {
    match &set.kind {
        SetKind::List(members) => members.iter().for_each(|member| in_expr(member, out)),
        SetKind::Range(low, high) => {
            in_expr(low, out);
            if let Some(high) = high {
                in_expr(high, out);
            }
        }
        SetKind::Named(name, args) if args.is_empty() => {
            out.push(Mention { name: &name.text, span: name.span, used: Use::Set });
        }
        SetKind::Named(_, args) => args.iter().for_each(|arg| in_expr(arg, out)),
    }
}

/// The mentions in a condition.
pub(super) fn in_cond<'a>(cond: &'a Cond, out: &mut Vec<Mention<'a>>) {
    match &cond.kind {
        CondKind::And(parts) | CondKind::Or(parts) => parts.iter().for_each(|part| in_cond(part, out)),
        CondKind::Not(inner) => in_cond(inner, out),
        CondKind::Relation(firsts, links) => {
            firsts.iter().for_each(|first| in_expr(first, out));
            links.iter().for_each(|(_, right)| in_expr(right, out));
        }
        CondKind::In(members, _, set) => {
            members.iter().for_each(|member| in_expr(member, out));
            in_set(set, out);
        }
        CondKind::PairIn(pair, _, name) => {
            in_expr(&pair.0, out);
            in_expr(&pair.1, out);
            out.push(Mention { name: &name.text, span: name.span, used: Use::Pairs });
        }
        CondKind::Divides(divisors, multiple) => {
            divisors.iter().for_each(|divisor| in_expr(divisor, out));
            in_expr(multiple, out);
        }
    }
}

/// The mentions in parts of a sum; the name after `for` comes where it is written, as [`Use::For`].
pub(super) fn in_parts<'a>(parts: &'a [Part], out: &mut Vec<Mention<'a>>) {
    for part in parts {
        match part {
            Part::Heap(HeapExpr { entries, .. }) => entries.iter().for_each(|entry| in_expr(entry, out)),
            Part::List(body, name, set, _) => {
                let before = out.len();
                in_parts(body, out);
                let inside =
                    out[before..].iter_mut().filter(|m| m.name == name.text && m.used == Use::Number);
                inside.for_each(|mention| mention.used = Use::Bound);
                out.push(Mention { name: &name.text, span: name.span, used: Use::For });
                in_set(set, out);
            }
        }
    }
}

/// Whether two expressions are written alike, but for blanks and brackets.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Number(a), ExprKind::Number(b)) => a == b,
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Index(a, i), ExprKind::Index(b, j)) => a.text == b.text && same(i, j),
        (ExprKind::Call(f, a), ExprKind::Call(g, b)) => {
            f.text == g.text && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (ExprKind::Neg(a), ExprKind::Neg(b)) => same(a, b),
        (ExprKind::Binary(f, a, b), ExprKind::Binary(g, c, d)) => f == g && same(a, c) && same(b, d),
        _ => false,
    }
}

/// The known name that was probably meant: one that differs in case only, or (from three letters) in one letter.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let same_case = known.clone().find(|k| *k != name && k.eq_ignore_ascii_case(name));
    same_case.or_else(|| {
        let long = |text: &str| text.chars().count() >= 3;
        known.filter(|k| long(k) && long(name)).find(|k| one_edit(name, k))
    })
}

/// Whether one insertion, deletion, change or exchange of neighbours makes one name of the other.
fn one_edit(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let head = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    if short.len() == long.len() && head + 1 < long.len() {
        let exchanged = short[head] == long[head + 1] && short[head + 1] == long[head];
        if exchanged && short[head + 2..] == long[head + 2..] {
            return true;
        }
    }
    let rest = if short.len() == long.len() { head + 1 } else { head };
    head == long.len() || short[rest.min(short.len())..] == long[head + 1..]
}
