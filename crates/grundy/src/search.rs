//! Games that are searched: draws, scores, loops, boards and graphs, and play that is no sum of heaps.
//!
//! [`game`] is the trait for a game of one's own, and says which solver is for what. A [`BuiltIn`] is such a game with its own solver, found by name; problem files and the program reach it
//! through [`built_in`] alone. Every closed formula that a solver uses beyond the reach of search is compared
//! with exhaustive search in its tests.

pub mod explore;
pub mod game;
pub mod graph;
pub mod melon;
pub mod memo;
pub mod misere;
pub mod nimbers;
pub mod proof_number;
pub mod retrograde;
pub mod sos;

#[cfg(test)]
mod random;

use std::fmt;

use grundy_rule::Int;

use crate::error::Error;
use crate::limits::Limits;

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

/// A position of a built-in game as given: numbers, or words that the game reads itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// `14`, `20 3`
    Numbers(Vec<Int>),
    /// `..S.O.`
    Text(String),
}

/// The answer about one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What best play comes to.
    pub verdict: Verdict,
    /// Every best move in the game's own words, if they were listed; `None` when they are too many or the
    /// verdict comes from a formula that does not give them.
    pub moves: Option<Vec<String>>,
    /// Why, in words: the method and its source.
    pub reason: String,
}

/// A game with its own solver.
pub trait BuiltIn: Sync {
    /// The name in the catalogue.
    fn name(&self) -> &'static str;

    /// One line: the rules.
    fn summary(&self) -> &'static str;

    /// How a position is written, for messages: `a number of cells, or a board such as ..S.O.`
    fn usage(&self) -> &'static str;

    /// What best play comes to; cheap for positions that a formula covers.
    ///
    /// # Errors
    /// A position that is none, or a search past its limits.
    fn verdict(&self, position: &Given, limits: &Limits) -> Result<Verdict, Error>;

    /// The verdict with every best move and the reason.
    ///
    /// # Errors
    /// As [`BuiltIn::verdict`].
    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error>;
}

/// The built-in games.
pub static BUILT_IN: [&dyn BuiltIn; 2] = [&sos::Sos, &melon::Melon];

/// The built-in game with that name.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static dyn BuiltIn> {
    BUILT_IN.iter().copied().find(|game| game.name() == name)
}

/// Bytes that a hash map takes which has room for `capacity` entries: one byte of hash beside each, and one place
/// in eight is kept empty.
fn table_bytes<Entry>(capacity: usize) -> usize {
    (capacity + capacity / 7) * (size_of::<Entry>() + 1)
}
