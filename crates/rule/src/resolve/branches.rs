//! Disjunctive form: a condition as a few lists of atoms, `not` pushed inward.

use crate::ast::RelOp;
use crate::expr::{Atom, AtomKind, Cond};

/// How many branches one condition may have.
pub const BRANCHES: usize = 64;

/// The branches of a condition, each a conjunction in the order written; `None` if there are more than
/// [`BRANCHES`].
///
/// The condition holds exactly if all atoms of some branch do. An always-true condition is one empty branch.
#[must_use]
pub fn branches(cond: &Cond) -> Option<Vec<Vec<Atom>>> {
    pushed(cond, false)
}

fn pushed(cond: &Cond, negated: bool) -> Option<Vec<Vec<Atom>>> {
    match cond {
        Cond::Atom(atom) if negated => Some(vec![vec![opposite(atom)]]),
        Cond::Atom(atom) => Some(vec![vec![atom.clone()]]),
        Cond::Not(inner) => pushed(inner, !negated),
        Cond::And(parts) if !negated => product(parts, negated),
        Cond::Or(parts) if negated => product(parts, negated),
        Cond::And(parts) | Cond::Or(parts) => {
            let mut out = Vec::new();
            for part in parts {
                out.extend(pushed(part, negated)?);
                if out.len() > BRANCHES {
                    return None;
                }
            }
            Some(out)
        }
    }
}

fn product(parts: &[Cond], negated: bool) -> Option<Vec<Vec<Atom>>> {
    let mut out: Vec<Vec<Atom>> = vec![Vec::new()];
    for part in parts {
        let mut ways = pushed(part, negated)?;
        if out.len() * ways.len() > BRANCHES {
            return None;
        }
        if let [only] = ways.as_mut_slice() {
            // The common case, kept linear in the length of the condition.
            for branch in &mut out {
                branch.extend(only.iter().cloned());
            }
            continue;
        }
        let joined = |branch: &Vec<Atom>| {
            ways.iter().map(|way| branch.iter().chain(way).cloned().collect()).collect::<Vec<Vec<Atom>>>()
        };
        out = out.iter().flat_map(joined).collect();
    }
    Some(out)
}

fn opposite(atom: &Atom) -> Atom {
    let kind = match &atom.kind {
        AtomKind::Rel(left, op, right) => {
            let op = match op {
                RelOp::Eq => RelOp::Ne,
                RelOp::Ne => RelOp::Eq,
                RelOp::Lt => RelOp::Ge,
                RelOp::Ge => RelOp::Lt,
                RelOp::Gt => RelOp::Le,
                RelOp::Le => RelOp::Gt,
            };
            AtomKind::Rel(left.clone(), op, right.clone())
        }
        AtomKind::In(e, not, set) => AtomKind::In(e.clone(), !not, set.clone()),
        AtomKind::PairIn(a, b, not, param) => AtomKind::PairIn(a.clone(), b.clone(), !not, *param),
        AtomKind::Divides(a, not, b) => AtomKind::Divides(a.clone(), !not, b.clone()),
    };
    Atom { kind, span: atom.span }
}
