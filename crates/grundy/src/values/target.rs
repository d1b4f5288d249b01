//! The moves that turn one heap into a given heap.
//!
//! A closed form names an option (`the heap of value 5 in this window`); the rule knows where that option
//! stands in its order and which assignment makes it. Enumerating all moves to find one is hopeless at 10^18.
//! So the rule itself is asked a narrower question: a second kind of heap `(n, y)` whose lines are those of `n` with
//! one more condition, that what is left is `y`. Propagation of bounds then determines the variables, and the
//! answers come in rule order by construction.

use grundy_rule::Rule;
use grundy_rule::diagnostic::Span;
use grundy_rule::expr::{Atom, AtomKind, Cond, Expr, Int, RelOp, Set, Slot};
use grundy_rule::heap::{Heap, KindId};
use grundy_rule::moves::{Move, Moves};
use grundy_rule::rule::{Kind, Part};

use crate::error::Error;

/// A rule that is asked for the moves between two heaps.
#[derive(Debug)]
pub(super) struct Targets {
    moves: Moves,
    kind: KindId,
}

/// The slot of the heap that is to be left, behind that of the heap that is moved.
const TARGET: Slot = 1;

impl Targets {
    /// For a kind with one entry whose every move leaves exactly one heap of that kind; else `None`.
    pub(super) fn of(rule: &Rule, kind: KindId) -> Option<Result<Self, Error>> {
        if !leaves_one(rule, kind) {
            return None;
        }
        let asked = KindId(u16::try_from(rule.kinds.len()).ok()?);
        let mut wider = rule.clone();
        wider.coins = false;
        wider.kinds.push(Kind { name: Some("target".to_string()), arity: 2 });
        for line in &rule.lines {
            if line.kind != kind {
                continue;
            }
            let mut line = line.clone();
            line.kind = asked;
            line.pattern.push(None);
            line.entry_names.push("target".to_string());
            for alternative in &mut line.alternatives {
                alternative.frame += 1;
                alternative.cond = shift_cond(&alternative.cond);
                for branch in &mut alternative.branches {
                    branch.atoms.iter_mut().for_each(|atom| atom.kind = shift_atom(&atom.kind));
                }
                let [Part::Heap(left)] = alternative.parts.as_mut_slice() else { return None };
                left.entries.iter_mut().for_each(|entry| *entry = shift(entry));
                let hits = Atom {
                    kind: AtomKind::Rel(left.entries.first()?.clone(), RelOp::Eq, Expr::Slot(TARGET)),
                    span: Span::default(),
                };
                // Last: what guards the expressions of the rule stands before it.
                alternative.cond = Cond::And(vec![alternative.cond.clone(), Cond::Atom(hits.clone())]);
                alternative.branches.iter_mut().for_each(|branch| branch.atoms.push(hits.clone()));
            }
            wider.lines.push(line);
        }
        Some(Moves::new(&wider).map(|moves| Targets { moves, kind: asked }).map_err(Error::from))
    }

    /// The moves from `n` to `y`, in rule order. Lines are numbered behind those of the rule, in the same order.
    pub(super) fn moves(&self, n: Int, y: Int) -> Result<Vec<Move>, Error> {
        self.moves.moves(&Heap::new(self.kind, &[n, y])).map_err(|error| error.to_diagnostic().into())
    }
}

/// Whether every alternative of the kind leaves one heap of the same kind, which has one entry.
fn leaves_one(rule: &Rule, kind: KindId) -> bool {
    rule.kinds.get(usize::from(kind.0)).is_some_and(|k| k.arity == 1)
        && rule.lines.iter().filter(|line| line.kind == kind).flat_map(|line| &line.alternatives).all(
            |alternative| matches!(alternative.parts.as_slice(), [Part::Heap(left)] if left.kind == kind),
        )
}

/// The expression in the wider frame.
fn shift(expr: &Expr) -> Expr {
    let boxed = |e: &Expr| Box::new(shift(e));
    match expr {
        Expr::Slot(0) => Expr::Slot(0),
        Expr::Slot(slot) => Expr::Slot(slot + 1),
        Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => expr.clone(),
        Expr::Item(list, index) => Expr::Item(*list, boxed(index)),
        Expr::Neg(of) => Expr::Neg(boxed(of)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, boxed(a), boxed(b)),
        Expr::Call(func, of) => Expr::Call(*func, of.iter().map(shift).collect()),
        Expr::Grundy(of) => Expr::Grundy(boxed(of)),
    }
}

fn shift_set(set: &Set) -> Set {
    match set {
        Set::List(of) => Set::List(of.iter().map(shift).collect()),
        Set::Range(lo, hi) => Set::Range(shift(lo), hi.as_ref().map(shift)),
        Set::Named(name, of) => Set::Named(*name, of.iter().map(shift).collect()),
        Set::Param(_) => set.clone(),
    }
}

fn shift_atom(atom: &AtomKind) -> AtomKind {
    match atom {
        AtomKind::Rel(a, op, b) => AtomKind::Rel(shift(a), *op, shift(b)),
        AtomKind::In(a, not, set) => AtomKind::In(shift(a), *not, shift_set(set)),
        AtomKind::PairIn(a, b, not, pairs) => AtomKind::PairIn(shift(a), shift(b), *not, *pairs),
        AtomKind::Divides(a, not, b) => AtomKind::Divides(shift(a), *not, shift(b)),
    }
}

fn shift_cond(cond: &Cond) -> Cond {
    match cond {
        Cond::And(of) => Cond::And(of.iter().map(shift_cond).collect()),
        Cond::Or(of) => Cond::Or(of.iter().map(shift_cond).collect()),
        Cond::Not(of) => Cond::Not(Box::new(shift_cond(of))),
        Cond::Atom(atom) => Cond::Atom(Atom { kind: shift_atom(&atom.kind), span: atom.span }),
    }
}
