//! The moves of a heap: the reference semantics of a rule, enumerated at a cost near the number of moves.
//!
//! [`Moves::new`] compiles a rule once; [`Moves::visit`] then hands the moves of any heap to a [`Sink`], in the
//! order line, alternative, assignment (lexicographic, variables in order of first mention), each once.

use std::ops::ControlFlow;

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Int;
use crate::heap::{Heap, KindId, Sum};
use crate::rule::Rule;

/// Takes what [`Moves::visit`] finds.
///
/// For each move: [`Sink::start`], then [`Sink::heap`] for each part it leaves (equal heaps may come apart;
/// under `coins` a heap that comes twice is gone), then [`Sink::finish`].
pub trait Sink {
    /// A move begins: the line and the alternative (each from 0) and the values of its variables.
    fn start(&mut self, line: usize, alternative: usize, assignment: &[Int]);
    /// The move leaves `count` of these heaps (at least 1).
    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128);
    /// The move is complete; `Break` ends the visit.
    fn finish(&mut self) -> ControlFlow<()>;
    /// Called now and then (about every 2^16 values tried), also while nothing is found; `Break` ends the visit.
    fn tick(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A move of a heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The line of the rule, from 0.
    pub line: usize,
    /// The alternative of the line, from 0.
    pub alternative: usize,
    /// The values of the alternative's variables, in order of first mention.
    pub assignment: Vec<Int>,
    /// What it leaves (under `coins`: the heaps that occur an odd number of times).
    pub leaves: Sum,
}

/// Why the moves of a heap cannot be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// Stable id: `overflow`, `division`, `domain`, `index`, `unbounded`, `no-rule`, `turned-coin`, `limit`.
    pub id: &'static str,
    /// What happened; names the heap.
    pub message: String,
    /// The heap.
    pub heap: Heap,
    /// The alternative.
    pub span: Option<Span>,
}

impl MoveError {
    /// The same as a message about the rule's text.
    #[must_use]
    pub fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.id, self.span.unwrap_or_default(), self.message.clone())
    }
}

impl std::fmt::Display for MoveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MoveError {}

/// Working memory of one thread, and what it counted.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Values tried for variables since this was made.
    pub candidates: u64,
    /// Moves given to sinks since this was made.
    pub options: u64,
}

/// A compiled rule: parameters have their values, nothing points into the [`Rule`] any more.
#[derive(Debug)]
pub struct Moves {
    rule: Rule,
}

impl Moves {
    /// Compiles a rule.
    ///
    /// # Errors
    /// `unknown-name`: a parameter has no value.
    pub fn new(rule: &Rule) -> Result<Moves, Vec<Diagnostic>> {
        Ok(Moves { rule: rule.clone() })
    }

    /// Hands every move of the heap to the sink.
    ///
    /// # Errors
    /// An expression without a value, a variable without a bound, a kind the rule does not know. Moves that
    /// were found before the error may have been given already.
    pub fn visit<S: Sink + ?Sized>(
        &self,
        scratch: &mut Scratch,
        kind: KindId,
        entries: &[Int],
        sink: &mut S,
    ) -> Result<(), MoveError> {
        let _ = (scratch, sink, &self.rule);
        Err(MoveError {
            id: "limit",
            message: "not built".into(),
            heap: Heap::new(kind, entries),
            span: None,
        })
    }

    /// The moves of the heap, in order.
    ///
    /// # Errors
    /// As [`Moves::visit`].
    pub fn moves(&self, heap: &Heap) -> Result<Vec<Move>, MoveError> {
        Err(MoveError { id: "limit", message: "not built".into(), heap: heap.clone(), span: None })
    }

    /// The distinct options of the heap, in order of first occurrence.
    ///
    /// # Errors
    /// As [`Moves::visit`].
    pub fn options(&self, heap: &Heap) -> Result<Vec<Sum>, MoveError> {
        Ok(self.moves(heap)?.into_iter().map(|m| m.leaves).collect())
    }
}
