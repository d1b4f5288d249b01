//! A position: who wins, every winning move, and why.

use std::collections::HashMap;

use grundy_rule::{Diagnostic, Heap, Int, Rule, Span, Sum};

use crate::error::Error;
use crate::nimber::Nimber;
use crate::search::Outcome;
use crate::values::{Source, Values};

/// One entry of a position as written: a heap, and how many of it there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The heap.
    pub heap: Heap,
    /// How many: `3x5` is one entry of three heaps. Moves from it are listed once.
    pub count: u128,
}

/// The entries of a position in the order written; under `coins` no two are equal and every count is 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// What is asked about a position.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Play misere although the rule's header does not say so.
    pub misere: bool,
    /// Stop at the first winning move: `moves` has at most one, and `count` is `None`.
    pub first: bool,
    /// List for each winning move every assignment of the rule's variables that makes it.
    pub assignments: bool,
}

/// The nimber of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapValue {
    /// The heap.
    pub heap: Heap,
    /// How many of it.
    pub count: u128,
    /// Its nimber; `None` where nimbers say nothing (misere).
    pub nimber: Option<Nimber>,
}

/// One way in which the rule makes a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Index of the rule's line.
    pub line: usize,
    /// Index of the alternative in the line.
    pub alternative: usize,
    /// The variables in order of first mention, with their values.
    pub variables: Vec<(String, Int)>,
}

/// A winning move: a distinct pair (entry, option).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinningMove {
    /// Index of the entry, from 0 (as written, repeated coins left out).
    pub entry: usize,
    /// The heap that is moved.
    pub from: Heap,
    /// What it becomes; under `coins` the coins turned besides itself.
    pub to: Sum,
    /// All assignments that do it, if they were asked for.
    pub assignments: Vec<Assignment>,
}

/// The answer about a position.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Win or loss for the player to move.
    pub outcome: Outcome,
    /// Whether it was played misere.
    pub misere: bool,
    /// The nim-sum; `None` under misere play.
    pub nimber: Option<Nimber>,
    /// Every entry with its nimber.
    pub heaps: Vec<HeapValue>,
    /// How many winning moves there are; `None` if only the first was asked for and there may be more.
    pub count: Option<u128>,
    /// The winning moves, by entry, then in rule order.
    pub moves: Vec<WinningMove>,
    /// What the nimbers rest upon.
    pub sources: Vec<Source>,
    /// The reason, sentence by sentence.
    pub explanation: Vec<String>,
}

impl Position {
    /// The position of these entries (heap, count, where it was written). Under `coins` a position is a set: a
    /// coin that stands twice counts once, and a warning names each repetition. Entries of count 0 are kept:
    /// they number the entries, but have no move.
    #[must_use]
    pub fn of(
        rule: &Rule,
        written: impl IntoIterator<Item = (Heap, u128, Span)>,
    ) -> (Position, Vec<Diagnostic>) {
        let mut warnings = Vec::new();
        let mut first: HashMap<Heap, Span> = HashMap::new();
        let mut entries = Vec::new();
        for (heap, count, span) in written {
            if rule.coins && count > 0 {
                let shown = || rule.show_heap(heap.kind, &heap.entries);
                if let Some(before) = first.get(&heap) {
                    let message = format!("coin {} stands here twice; it is one coin", shown());
                    warnings.push(
                        Diagnostic::warning("repeated-coin", span, message).note(*before, "first named here"),
                    );
                    continue;
                }
                if count > 1 {
                    let message = format!("coin {} stands here {count} times; it is one coin", shown());
                    warnings.push(Diagnostic::warning("repeated-coin", span, message));
                }
                first.insert(heap.clone(), span);
                entries.push(Entry { heap, count: 1 });
            } else {
                entries.push(Entry { heap, count });
            }
        }
        (Position { entries }, warnings)
    }
}

/// Answers a question about a position.
///
/// # Errors
/// Those of [`Values::nimber`] and [`Values::options_with`], and under misere play those of
/// [`crate::search::misere`].
pub fn analyse(
    rule: &Rule,
    values: &mut Values,
    position: &Position,
    question: &Question,
) -> Result<Analysis, Error> {
    let _ = (rule, values, position, question);
    Err(Error::new("position", "not there yet"))
}
