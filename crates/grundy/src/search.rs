//! Games that are searched: draws, scores, loops, boards and graphs, and play that is no sum of heaps.
//!
//! [`game`] is the trait for a game of one's own, and says which solver is for what. A [`BuiltIn`] is such a game with its own solver, found by name; problem files and the program reach it
//! through [`built_in`] alone. Every closed formula that a solver uses beyond the reach of search is compared
//! with exhaustive search in its tests.

mod answer;
pub mod arc_kayles;
pub mod board;
pub mod chomp;
pub mod cram;
pub mod dot;
pub mod explore;
pub mod game;
pub mod geography;
pub mod graph;
pub mod graph6;
pub mod hackenbush;
mod induced;
pub mod loopy_token;
mod matching;
pub mod melon;
pub mod memo;
pub mod misere;
pub mod network;
pub mod nimbers;
pub mod node_kayles;
mod parts;
mod places;
mod probe;
pub mod proof_number;
pub mod retrograde;
pub mod rewriting;
pub mod rule_graph;
pub mod rule_moves;
pub mod rule_positions;
pub mod smith;
pub mod sos;
mod taking;
pub mod treblecross_board;

#[cfg(test)]
mod random;

use grundy_rule::Int;

pub use self::answer::{Answer, Outcome, Verdict};
use crate::error::Error;
use crate::limits::Limits;

/// A position of a built-in game as given: numbers, or words that the game reads itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// `14`, `20 3`
    Numbers(Vec<Int>),
    /// `..S.O.`
    Text(String),
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
    fn verdict(&self, position: &Given, limits: &Limits) -> Result<Verdict, Error> {
        Ok(self.answer(position, limits)?.verdict)
    }

    /// The verdict with every best move and the reason.
    ///
    /// # Errors
    /// As [`BuiltIn::verdict`].
    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error>;
}

/// The built-in games.
pub static BUILT_IN: [&dyn BuiltIn; 14] = [
    &sos::Sos,
    &melon::Melon,
    &node_kayles::NodeKayles,
    &arc_kayles::ArcKayles,
    &cram::Cram,
    &chomp::Chomp,
    &geography::DIRECTED_VERTEX,
    &geography::UNDIRECTED_VERTEX,
    &geography::DIRECTED_EDGE,
    &geography::UNDIRECTED_EDGE,
    &hackenbush::Hackenbush,
    &treblecross_board::TreblecrossBoard,
    &rewriting::Rewriting,
    &loopy_token::LoopyToken,
];

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
