//! The moves that turn one heap into a given heap.
//!
//! A closed form names an option (`the heap of value 5 in this window`); the rule knows where that option
//! stands in its order and which assignment makes it. Enumerating all moves to find one is hopeless at 10^18.
//! So the rule itself is asked a narrower question: a second kind of heap `(n, y)` whose lines are those of `n` with
//! one more condition, that what is left is `y`. Propagation of bounds then determines the variables, and the
//! answers come in rule order by construction.

use grundy_rule::Rule;
use grundy_rule::expr::{AtomKind, Expr, Int, RelOp};
use grundy_rule::heap::{Heap, KindId};
use grundy_rule::moves::{Move, Moves};
use grundy_rule::rule::{Alternative, Part};

use super::widened;
use crate::error::Error;

/// A rule that is asked for the moves between two heaps.
#[derive(Debug)]
pub(super) struct Targets {
    moves: Moves,
    kind: KindId,
}

impl Targets {
    /// For a kind with one entry whose every move leaves exactly one heap of that kind; else `None`.
    pub(super) fn of(rule: &Rule, kind: KindId) -> Option<Result<Self, Error>> {
        Targets::among(rule, kind, |_, _| true)
    }

    /// The same for some of the lines and alternatives.
    pub(super) fn among(
        rule: &Rule,
        kind: KindId,
        wanted: impl Fn(usize, usize) -> bool,
    ) -> Option<Result<Self, Error>> {
        let lines = || rule.lines.iter().enumerate().filter(|(_, line)| line.kind == kind);
        let one = |at: usize| {
            move |(alternative, of): (usize, &Alternative)| (at, alternative, leaves_one(of, kind))
        };
        let mut all = lines().flat_map(|(at, line)| line.alternatives.iter().enumerate().map(one(at)));
        if rule.kinds.get(usize::from(kind.0)).is_none_or(|k| k.arity != 1)
            || !all.all(|(line, alternative, one)| one || !wanted(line, alternative))
        {
            return None;
        }
        let (wider, kind) = widened::widened(rule, kind, wanted, |alternative, target| {
            let [Part::Heap(left)] = alternative.parts.as_slice() else { return None };
            Some(AtomKind::Rel(left.entries.first()?.clone(), RelOp::Eq, Expr::Slot(target)))
        })?;
        Some(Moves::new(&wider).map(|moves| Targets { moves, kind }).map_err(Error::from))
    }

    /// The moves from `n` to `y`, in rule order. Lines are numbered behind those of the rule, in the same order.
    pub(super) fn moves(&self, n: Int, y: Int) -> Result<Vec<Move>, Error> {
        self.moves.moves(&Heap::new(self.kind, &[n, y])).map_err(|error| error.to_diagnostic().into())
    }
}

/// Whether an alternative leaves one heap of that kind.
pub(super) fn leaves_one(alternative: &Alternative, kind: KindId) -> bool {
    alternative.ending.is_none()
        && matches!(alternative.parts.as_slice(), [Part::Heap(left)] if left.kind == kind)
}
