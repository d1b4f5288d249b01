//! What is said about a position of a game with its own solver, and how the solvers say it.

use std::fmt;

use grundy_rule::Int;

use super::game::{self, Impartial, Words};
use super::memo::Memo;
use super::nimbers::Nimbers;
use super::probe::{self, Probe};
use crate::error::Error;
use crate::limits::Limits;
use crate::nimber::Nimber;

/// The result of best play for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player to move wins.
    Win,
    /// The player to move loses.
    Loss,
    /// Neither can force a win.
    Draw,
}

impl Outcome {
    /// The word for it in every output: `win`, `loss`, `draw`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
        }
    }

    /// The same result seen by the other player.
    #[must_use]
    pub fn reversed(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
        }
    }

    /// How good it is for the player to move: a loss 0, a draw 1, a win 2.
    #[must_use]
    pub fn rank(self) -> u8 {
        match self {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
        }
    }

    /// A win if `won`, else a loss.
    #[must_use]
    pub fn won(won: bool) -> Outcome {
        if won { Outcome::Win } else { Outcome::Loss }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What best play comes to: who wins, or how much the first player gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Win, loss or draw for the player to move.
    Outcome(Outcome),
    /// The score of the player who moves first.
    Score(Int),
}

/// The answer about one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What best play comes to.
    pub verdict: Verdict,
    /// The nimber, for impartial games whose solver finds it.
    pub nimber: Option<Nimber>,
    /// Every best move in the game's own words, if they were listed; `None` when they are too many or the
    /// verdict comes from a formula that does not give them. In a lost position every move is best.
    pub moves: Option<Vec<String>>,
    /// A line of best play to the end, or as far as it is told; `None` if none is known.
    pub line: Option<Vec<String>>,
    /// Why, in words: the method and its source.
    pub reason: String,
}

/// The moves of a line in words.
pub(super) fn spoken<G: Words>(game: &G, start: &G::Position, line: &[G::Move]) -> Vec<String> {
    let mut at = start.clone();
    let mut words = Vec::with_capacity(line.len());
    for chosen in line {
        words.push(game.word(&at, chosen));
        at = game.after(&at, chosen);
    }
    words
}

fn all<G: Words>(game: &G, position: &G::Position, moves: &[G::Move]) -> Vec<String> {
    moves.iter().map(|chosen| game.word(position, chosen)).collect()
}

/// The answer about a position of an impartial game, by nimbers.
pub(super) fn by_nimbers<G: Impartial + Words>(
    game: &G,
    position: &G::Position,
    limits: &Limits,
    what: &str,
) -> Result<Answer, Error> {
    let mut solver = Nimbers::new(game, limits);
    let nimber = solver.nimber(position)?;
    let known = |e: Error| e.only_so_far(format!("the nimber is {nimber}; not every best move was found"));
    let best = if nimber == 0 { game.moves(position) } else { solver.winning(position).map_err(known)? };
    let line = solver.line(position).map_err(known)?;
    Ok(Answer {
        verdict: Verdict::Outcome(Outcome::won(nimber != 0)),
        nimber: Some(Nimber::from(nimber)),
        moves: Some(all(game, position, &best)),
        line: Some(spoken(game, position, &line)),
        reason: format!(
            "nimber {nimber} by exact search: {what}, {} met",
            counted(solver.parts(), "part", "parts")
        ),
    })
}

/// The same, for games most of which need never be looked at to know who wins.
pub(super) fn by_probes<G: Impartial + Words>(
    game: &G,
    position: &G::Position,
    limits: &Limits,
    what: &str,
) -> Result<Answer, Error> {
    match probed(game, position, limits, what) {
        Err(error) if error.id() == probe::WIDE => by_nimbers(game, position, limits, what),
        other => other,
    }
}

fn probed<G: Impartial + Words>(
    game: &G,
    position: &G::Position,
    limits: &Limits,
    what: &str,
) -> Result<Answer, Error> {
    let mut solver = Probe::new(game, limits);
    let lost = solver.is_lost(position)?;
    let who = Outcome::won(!lost);
    let nimber = if lost {
        0
    } else {
        let known = |e: Error| e.only_so_far(format!("it is a {who}; its nimber was not found"));
        solver.nimber(position).map_err(known)?
    };
    let known = |e: Error| e.only_so_far(format!("the nimber is {nimber}; not every best move was found"));
    let best = if lost { game.moves(position) } else { solver.winning(position).map_err(known)? };
    let line = solver.line(position).map_err(known)?;
    Ok(Answer {
        verdict: Verdict::Outcome(who),
        nimber: Some(Nimber::from(nimber)),
        moves: Some(all(game, position, &best)),
        line: Some(spoken(game, position, &line)),
        reason: format!(
            "nimber {nimber} by exact search: {what}, {} met",
            counted(solver.parts(), "part", "parts")
        ),
    })
}

/// The answer about a position of a game without loops and scores, by memoised search.
pub(super) fn by_memo<G: Words>(
    game: &G,
    position: &G::Position,
    limits: &Limits,
    what: &str,
) -> Result<Answer, Error> {
    let mut solver = Memo::new(game, limits);
    let best = solver.best(position)?;
    let outcome = game::outcome(best.score);
    let line = solver.line(position).map_err(|e| {
        e.only_so_far(format!("it is a {outcome}; a line of best play was not found to its end"))
    })?;
    Ok(Answer {
        verdict: Verdict::Outcome(outcome),
        nimber: None,
        moves: Some(all(game, position, &best.moves)),
        line: Some(spoken(game, position, &line)),
        reason: format!("exact search: {what}, {} met", counted(solver.positions(), "position", "positions")),
    })
}

/// `1 part`, `2 parts`.
pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
