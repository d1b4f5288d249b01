//! A rule whose heaps have one more entry: for narrower questions about the moves of a heap.
//!
//! The question is one more condition that speaks about the new entry ("what is left is `y`", "the first variable is
//! `y`"). It stands last, behind whatever guards the expressions of the rule, and the propagation of bounds makes it narrow
//! the search.

use grundy_rule::Rule;
use grundy_rule::diagnostic::Span;
use grundy_rule::expr::{Atom, AtomKind, Cond, Expr, Set, Slot};
use grundy_rule::heap::KindId;
use grundy_rule::rule::{Alternative, HeapExpr, Kind, Part};

/// The rule with a further kind of heap `(n, .., y)`. Its lines are those of `kind`, with the alternatives that are `wanted`
/// (line, alternative) and the condition that `question` makes from an alternative of the wider frame and the slot of `y`.
/// The lines stand behind those of the rule, in the same order. `None` if `question` has none for some alternative.
pub(super) fn widened(
    rule: &Rule,
    kind: KindId,
    wanted: impl Fn(usize, usize) -> bool,
    question: impl Fn(&Alternative, Slot) -> Option<AtomKind>,
) -> Option<(Rule, KindId)> {
    let asked = KindId(u16::try_from(rule.kinds.len()).ok()?);
    let arity = rule.kinds.get(usize::from(kind.0))?.arity;
    let by = Wider { arity };
    let mut wider = rule.clone();
    wider.coins = false;
    wider.kinds.push(Kind { name: Some("asked".to_string()), arity: arity + 1 });
    for (at, line) in rule.lines.iter().enumerate().filter(|(_, line)| line.kind == kind) {
        let mut line = line.clone();
        line.kind = asked;
        line.pattern.push(None);
        line.entry_names.push("asked".to_string());
        let alternatives = std::mem::take(&mut line.alternatives);
        let kept = alternatives.into_iter().enumerate().filter(|(alternative, _)| wanted(at, *alternative));
        for (_, mut alternative) in kept {
            alternative.frame += 1;
            alternative.cond = by.cond(&alternative.cond);
            for branch in &mut alternative.branches {
                branch.atoms.iter_mut().for_each(|atom| atom.kind = by.atom(&atom.kind));
            }
            alternative.parts = alternative.parts.iter().map(|part| by.part(part)).collect();
            let hits = Atom { kind: question(&alternative, by.arity)?, span: Span::default() };
            alternative.cond = Cond::And(vec![alternative.cond, Cond::Atom(hits.clone())]);
            alternative.branches.iter_mut().for_each(|branch| branch.atoms.push(hits.clone()));
            line.alternatives.push(alternative);
        }
        if !line.alternatives.is_empty() {
            wider.lines.push(line);
        }
    }
    Some((wider, asked))
}

/// Moves what refers to a frame into one with another entry behind the first `arity`.
struct Wider {
    arity: usize,
}

impl Wider {
    fn slot(&self, slot: Slot) -> Slot {
        if slot < self.arity { slot } else { slot + 1 }
    }

    fn expr(&self, expr: &Expr) -> Expr {
        let boxed = |e: &Expr| Box::new(self.expr(e));
        match expr {
            Expr::Slot(slot) => Expr::Slot(self.slot(*slot)),
            Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => expr.clone(),
            Expr::Item(list, index) => Expr::Item(*list, boxed(index)),
            Expr::Neg(of) => Expr::Neg(boxed(of)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, boxed(a), boxed(b)),
            Expr::Call(func, of) => Expr::Call(*func, of.iter().map(|e| self.expr(e)).collect()),
            Expr::Grundy(of) => Expr::Grundy(boxed(of)),
        }
    }

    fn set(&self, set: &Set) -> Set {
        match set {
            Set::List(of) => Set::List(of.iter().map(|e| self.expr(e)).collect()),
            Set::Range(lo, hi) => Set::Range(self.expr(lo), hi.as_ref().map(|e| self.expr(e))),
            Set::Named(name, of) => Set::Named(*name, of.iter().map(|e| self.expr(e)).collect()),
            Set::Param(_) => set.clone(),
        }
    }

    fn atom(&self, atom: &AtomKind) -> AtomKind {
        match atom {
            AtomKind::Rel(a, op, b) => AtomKind::Rel(self.expr(a), *op, self.expr(b)),
            AtomKind::In(a, not, set) => AtomKind::In(self.expr(a), *not, self.set(set)),
            AtomKind::PairIn(a, b, not, pairs) => AtomKind::PairIn(self.expr(a), self.expr(b), *not, *pairs),
            AtomKind::Divides(a, not, b) => AtomKind::Divides(self.expr(a), *not, self.expr(b)),
        }
    }

    fn cond(&self, cond: &Cond) -> Cond {
        match cond {
            Cond::And(of) => Cond::And(of.iter().map(|c| self.cond(c)).collect()),
            Cond::Or(of) => Cond::Or(of.iter().map(|c| self.cond(c)).collect()),
            Cond::Not(of) => Cond::Not(Box::new(self.cond(of))),
            Cond::Atom(atom) => Cond::Atom(Atom { kind: self.atom(&atom.kind), span: atom.span }),
        }
    }

    fn part(&self, part: &Part) -> Part {
        match part {
            Part::Heap(heap) => Part::Heap(HeapExpr {
                entries: heap.entries.iter().map(|e| self.expr(e)).collect(),
                ..heap.clone()
            }),
            Part::List { parts, slot, set, unrolled, span } => Part::List {
                parts: parts.iter().map(|part| self.part(part)).collect(),
                slot: self.slot(*slot),
                set: self.set(set),
                unrolled: *unrolled,
                span: *span,
            },
        }
    }
}
