//! A position: who wins, every winning move, and why.
//!
//! Under normal play a position is lost for the player to move exactly if the nim-sum of its heaps is 0, and
//! a move in heap `h` wins exactly if it leaves the nimber `nim-sum xor g(h)` in its place. So winning moves are
//! looked up by value ([`Values::options_with`]) and not tried one by one. Under misere play nimbers do not add,
//! and [`crate::search::misere`] decides each move.
//!
//! A winning move is a distinct pair of an entry as written and an option: `1 1 1` has three entries, `3x1` one;
//! mirror images are one option. Moves stand in the order of the entries, then of the rule.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use grundy_rule::rule::{Ending, Player};
use grundy_rule::{Diagnostic, Heap, Int, Rule, Span, Sum};

use crate::error::Error;
use crate::nimber::Nimber;
use crate::search::Outcome;
use crate::search::misere::Method;
use crate::values::{Source, Values};

mod assignments;
mod explain;
mod loopy;
mod misere;

/// How many heaps and moves an explanation spells out; more are counted.
pub const EXPLAINED: usize = 12;

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
    /// Allow play to go on for ever, which is then a draw, although the header does not say so.
    pub loopy: bool,
    /// Who moves first where the players have different moves; `None`: Left.
    pub to_move: Option<Player>,
    /// The outcome alone: no moves are looked for, and `count` is `None` unless there are none for certain.
    pub outcome_only: bool,
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
    /// Its nimber; `None` where nimbers say nothing (misere, loops).
    pub nimber: Option<Nimber>,
    /// The set K of a heap that is infinity(K): see [`crate::search::smith`].
    pub infinity: Option<Vec<Nimber>>,
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
    /// Whether the move ends the whole game, and how.
    pub ending: Option<Ending>,
    /// All assignments that do it, if they were asked for.
    pub assignments: Vec<Assignment>,
}

/// The answer about a position.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Win, loss or draw for the player to move.
    pub outcome: Outcome,
    /// Whether it was played misere.
    pub misere: bool,
    /// The nim-sum; `None` under misere play.
    pub nimber: Option<Nimber>,
    /// Every entry with its nimber.
    pub heaps: Vec<HeapValue>,
    /// How many winning moves there are, in a draw how many that keep it; `None` if only the first was asked for and there may be more.
    pub count: Option<u128>,
    /// The winning moves, in a draw those that keep it; by entry, then in rule order.
    pub moves: Vec<WinningMove>,
    /// What the nimbers rest upon.
    pub sources: Vec<Source>,
    /// How misere play was decided; `None` under normal play.
    pub method: Option<Method>,
    /// What more is known where play may go on for ever, be ended by a move, or differ between the players.
    pub loops: Option<Loops>,
    /// The reason, sentence by sentence.
    pub explanation: Vec<String>,
}

/// What is known about a position besides its outcome, where nimbers alone do not settle it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    /// The set K if the whole is infinity(K).
    pub infinity: Option<Vec<Nimber>>,
    /// How many moves the game lasts if the winner hurries and the loser delays; `None` in a draw, and for sums that were
    /// settled by theory.
    pub distance: Option<u32>,
    /// Who is to move, where the players have different moves.
    pub to_move: Option<Player>,
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
/// Those of [`Values::nimber`] and [`Values::options_with`]; under misere play those of
/// [`crate::search::misere`]. A limit that is reached while winning moves are listed says the outcome, if that is known.
pub fn analyse(
    rule: &Rule,
    values: &mut Values,
    position: &Position,
    question: &Question,
) -> Result<Analysis, Error> {
    if question.loopy || question.to_move.is_some() || rule.loopy || rule.is_partisan() || rule.has_endings()
    {
        return loopy::analyse(rule, values, position, question);
    }
    if rule.misere || question.misere {
        return misere::analyse(rule, values, position, question);
    }
    let mut known: FxHashMap<&Heap, Nimber> = FxHashMap::default();
    let mut order: Vec<&Entry> = position.entries.iter().collect();
    // The largest first: a table that grows to it holds the others.
    order.sort_by(|a, b| b.heap.cmp(&a.heap));
    for entry in order {
        if !known.contains_key(&entry.heap) {
            known.insert(&entry.heap, values.nimber(&entry.heap)?);
        }
    }
    let mut heaps = Vec::with_capacity(position.entries.len());
    let mut total = 0;
    for entry in &position.entries {
        let nimber = known[&entry.heap];
        if entry.count % 2 == 1 {
            total ^= nimber;
        }
        heaps.push(HeapValue {
            heap: entry.heap.clone(),
            count: entry.count,
            nimber: Some(nimber),
            infinity: None,
        });
    }
    let outcome = if total == 0 { Outcome::Loss } else { Outcome::Win };
    let mut analysis = Analysis {
        outcome,
        misere: false,
        nimber: Some(total),
        heaps,
        count: Some(0),
        moves: Vec::new(),
        sources: Vec::new(),
        method: None,
        loops: None,
        explanation: Vec::new(),
    };
    if outcome == Outcome::Win && question.outcome_only {
        analysis.count = None;
    } else if outcome == Outcome::Win {
        let known_so_far =
            |error: Error| error.so_far(format!("the player to move wins: the nim-sum is {total}"));
        // Of a heap with too many moves: another heap may show a winning move.
        let mut too_many = None;
        let mut lists: FxHashMap<&Heap, Rc<Vec<Sum>>> = FxHashMap::default();
        for (at, entry) in position.entries.iter().enumerate().filter(|(_, entry)| entry.count > 0) {
            let options = match lists.get(&entry.heap) {
                Some(options) => Rc::clone(options),
                None => {
                    let listed = winning(values, &entry.heap, total ^ known[&entry.heap], question.first);
                    let options = match listed {
                        Err(error) if question.first && error.id() == "moves" => {
                            too_many.get_or_insert(error);
                            Vec::new()
                        }
                        other => other.map_err(known_so_far)?,
                    };
                    let options = Rc::new(options);
                    lists.insert(&entry.heap, Rc::clone(&options));
                    options
                }
            };
            analysis.add(at, entry, &options, question);
            if question.first && !options.is_empty() {
                break;
            }
        }
        if let Some(error) = too_many.filter(|_| analysis.moves.is_empty()) {
            return Err(known_so_far(error));
        }
    }
    if question.assignments {
        assignments::fill(rule, values, &mut analysis.moves, None)?;
    }
    analysis.sources = values.sources();
    analysis.explanation = explain::normal(rule, &analysis, values)?;
    Ok(analysis)
}

/// The options of a heap with that nimber; if `first`, one of them.
fn winning(values: &mut Values, heap: &Heap, nimber: Nimber, first: bool) -> Result<Vec<Sum>, Error> {
    if first {
        return Ok(values.first_option_with(heap, nimber)?.into_iter().collect());
    }
    let mut options = Vec::new();
    values.options_with(heap, nimber, &mut |option| {
        options.push(option.clone());
        ControlFlow::Continue(())
    })?;
    Ok(options)
}

impl Analysis {
    /// Which of several equal entries a move is in, counted from 1: ` (entry 2)`. Empty if no other entry is equal.
    #[must_use]
    pub fn place(&self, made: &WinningMove) -> String {
        let equal = self.heaps.iter().filter(|entry| entry.heap == made.from).count();
        if equal > 1 { format!(" (entry {})", made.entry + 1) } else { String::new() }
    }

    /// The moves of which the explanation speaks: all of them or, where there are more than [`EXPLAINED`], none.
    #[must_use]
    pub fn told(&self) -> &[WinningMove] {
        if self.moves.len() <= EXPLAINED { &self.moves } else { &[] }
    }

    /// Adds the winning options of an entry.
    fn add(&mut self, at: usize, entry: &Entry, options: &[Sum], question: &Question) {
        for to in options {
            self.moves.push(WinningMove {
                entry: at,
                from: entry.heap.clone(),
                to: to.clone(),
                ending: None,
                assignments: Vec::new(),
            });
        }
        let listed = u128::try_from(self.moves.len()).unwrap_or(u128::MAX);
        self.count = if question.first && listed > 0 { None } else { Some(listed) };
    }
}

#[cfg(test)]
mod tests;
