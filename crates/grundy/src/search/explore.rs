//! A game with loops: every position that can be reached, solved by retrograde analysis.
//!
//! The positions are numbered as a walk in breadth finds them, the moves become a graph, and
//! [`retrograde`] does the rest. Symmetry enters by the canonical form; bounds do not, for they
//! could make play seem to end where it goes on.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::Outcome;
use super::game::{self, Game};
use super::graph::Digraph;
use super::memo::wrong_score;
use super::retrograde::{self, Solved};
use crate::error::Error;
use crate::limits::{Clock, Limits};

/// The clock is asked once in so many positions.
const STEPS: usize = 1024;

/// All positions that can be reached from one, with their results.
///
/// ```
/// use grundy::limits::Limits;
/// use grundy::search::{Outcome, explore::Explored, game::Game};
///
/// /// A counter from 0 to 5: add 1 (5 is followed by 0), or stop at 3. Whoever stops wins.
/// struct Round;
///
/// impl Game for Round {
///     type Position = Option<u8>;
///     type Move = bool; // whether to stop
///
///     fn moves(&self, at: &Option<u8>) -> Vec<bool> {
///         match at {
///             None => vec![],
///             Some(3) => vec![false, true],
///             Some(_) => vec![false],
///         }
///     }
///
///     fn after(&self, at: &Option<u8>, stop: &bool) -> Option<u8> {
///         at.filter(|_| !stop).map(|n| (n + 1) % 6)
///     }
/// }
///
/// let round = Round;
/// let all = Explored::new(&round, &Some(0), &Limits::default())?;
/// assert_eq!(all.outcome(&Some(2)), Some(Outcome::Loss));
/// assert_eq!(all.outcome(&Some(1)), Some(Outcome::Win));
/// assert_eq!(all.distance(&Some(0)), Some(4));
/// # Ok::<(), grundy::error::Error>(())
/// ```
pub struct Explored<'g, G: Game> {
    game: &'g G,
    numbers: FxHashMap<G::Position, u32>,
    graph: Digraph,
    solved: Solved,
}

impl<'g, G: Game> Explored<'g, G> {
    /// Walks through every position that `start` leads to and solves them all.
    ///
    /// # Errors
    /// `score` for a game about how much one gets, `again` for one with moves after which the same player moves again
    /// (let the position say whose turn it is instead); `time`, `memory`, `cancelled`.
    pub fn new(game: &'g G, start: &G::Position, limits: &Limits) -> Result<Self, Error> {
        let clock = limits.clock();
        let mut numbers: FxHashMap<G::Position, u32> = FxHashMap::default();
        let mut queue: Vec<G::Position> = Vec::new();
        let mut ends: Vec<Option<Outcome>> = Vec::new();
        let mut graph = Digraph::new();
        let mut behind = 0;
        let start = game.canonical(start.clone());
        numbers.insert(start.clone(), 0);
        queue.push(start);
        while let Some(position) = queue.get(ends.len()).cloned() {
            if ends.len().is_multiple_of(STEPS) {
                let table = super::table_bytes::<(G::Position, u32)>(numbers.capacity());
                let list = queue.capacity() * size_of::<G::Position>() + ends.capacity();
                check(&clock, table + list + 2 * behind + graph.bytes())
                    .map_err(|e| e.so_far(format!("{} positions reached, none decided", queue.len())))?;
            }
            let end = game.end(&position);
            let moves = if end.is_some() { Vec::new() } else { game.moves(&position) };
            let end = end.or_else(|| moves.is_empty().then(|| game.stuck(&position)));
            if let Some(wrong) = end.filter(|end| game.scored() || end.abs() > 1) {
                return Err(wrong_score("the game ends with", wrong, false));
            }
            let mut heads = Vec::with_capacity(moves.len());
            for chosen in &moves {
                if game.again(&position, chosen) {
                    return Err(Error::new(
                        "again",
                        "a player moves twice, and retrograde analysis takes turns",
                    )
                    .help(
                        "let the position say whose turn it is, and give the other player a move that passes",
                    ));
                }
                let after = game.canonical(game.after(&position, chosen));
                let next = u32::try_from(queue.len())
                    .map_err(|_| Error::new("graph", "the game has more than 2^32 positions"))?;
                let number = match numbers.entry(after) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        behind += game.heap_bytes(new.key());
                        queue.push(new.key().clone());
                        *new.insert(next)
                    }
                };
                heads.push(number);
            }
            graph.push(heads)?;
            ends.push(end.map(game::outcome));
        }
        drop(queue);
        // What is left of the limits, for the rest of the work.
        let table = super::table_bytes::<(G::Position, u32)>(numbers.capacity()) + behind + ends.capacity();
        let table = u64::try_from(table).unwrap_or(u64::MAX);
        let rest = Limits {
            time: limits.time.map(|time| time.saturating_sub(clock.elapsed())),
            memory: limits.memory.map(|memory| memory.saturating_sub(table)),
            ..limits.clone()
        };
        let reached = format!("{} positions reached, none decided", ends.len());
        let solved =
            retrograde::solve(&graph, |node| ends[node as usize], &rest).map_err(|e| e.so_far(reached))?;
        Ok(Explored { game, numbers, graph, solved })
    }

    /// How many positions were reached.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.graph.nodes()
    }

    /// How many moves they have.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.graph.arcs()
    }

    /// The result for the player to move. `None` if the position was not reached.
    #[must_use]
    pub fn outcome(&self, position: &G::Position) -> Option<Outcome> {
        self.number(position).map(|node| self.solved.outcome(node))
    }

    /// How many moves the game still takes if the winner hurries and the loser delays. `None` for a draw, and
    /// for a position that was not reached.
    #[must_use]
    pub fn distance(&self, position: &G::Position) -> Option<u32> {
        self.number(position).and_then(|node| self.solved.distance(node))
    }

    /// The moves that keep the result, in the game's order: all winning ones, all that draw, or all if all lose.
    /// Empty for a position that was not reached.
    #[must_use]
    pub fn best(&self, position: &G::Position) -> Vec<G::Move> {
        let Some(outcome) = self.outcome(position).filter(|_| self.game.end(position).is_none()) else {
            return Vec::new();
        };
        let keeps =
            |chosen: &G::Move| self.outcome(&self.game.after(position, chosen)) == Some(outcome.reversed());
        self.game.moves(position).into_iter().filter(keeps).collect()
    }

    /// A line of best play, in which the winner hurries and the loser delays. It stops at the end, or, in a draw by
    /// repetition, before the first position that comes again.
    #[must_use]
    pub fn line(&self, position: &G::Position) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut at = position.clone();
        let mut seen = vec![false; self.positions()];
        while let Some(node) = self.number(&at) {
            if std::mem::replace(&mut seen[node as usize], true) {
                line.pop();
                break;
            }
            if self.game.end(&at).is_some() {
                break;
            }
            let merit = |chosen: &G::Move| {
                self.number(&self.game.after(&at, chosen)).map(|after| self.solved.merit(after))
            };
            let mut best: Option<(i64, G::Move)> = None;
            for chosen in self.game.moves(&at) {
                if let Some(merit) = merit(&chosen) {
                    // The first of the best ones.
                    if best.as_ref().is_none_or(|(known, _)| merit > *known) {
                        best = Some((merit, chosen));
                    }
                }
            }
            let Some((_, chosen)) = best else { break };
            at = self.game.after(&at, &chosen);
            line.push(chosen);
        }
        line
    }

    fn number(&self, position: &G::Position) -> Option<u32> {
        self.numbers.get(&self.game.canonical(position.clone())).copied()
    }
}

fn check(clock: &Clock, bytes: usize) -> Result<(), Error> {
    clock.check()?;
    clock.memory(u64::try_from(bytes).unwrap_or(u64::MAX))
}
