//! The trait for a two-player game of perfect information, and the one for impartial games that fall apart.
//!
//! A game says what its moves are and what they lead to: two methods. All else is provided and may be said
//! better: how play ends, what a move earns, which positions are the same by symmetry, what is known without
//! search, how a position falls into parts. The solvers know nothing but these traits:
//!
//! | solver | answers | for games |
//! | --- | --- | --- |
//! | [`Memo`](super::memo::Memo) | outcome or score, every best move, a line of best play | without loops |
//! | [`ProofNumber`](super::proof_number::ProofNumber) | the outcome alone | without loops or scores |
//! | [`Explored`](super::explore::Explored) | win, loss, draw and the distance to the end, of every position reached | with loops too |
//! | [`Nimbers`](super::nimbers::Nimbers) | the nimber, by parts | [`Impartial`], without loops |
//!
//! A position says whose turn it is only if the two players move differently: all results are those of the
//! player to move. A game of one's own is complete in a few lines:
//!
//! ```
//! use grundy::limits::Limits;
//! use grundy::search::{Outcome, game::Game, memo::Memo};
//!
//! /// Take one, two or three stones from a heap; whoever takes the last one wins.
//! struct Stones;
//!
//! impl Game for Stones {
//!     type Position = u32; // stones left
//!     type Move = u32; // stones taken
//!
//!     fn moves(&self, left: &u32) -> Vec<u32> {
//!         (1..=3.min(*left)).collect()
//!     }
//!
//!     fn after(&self, left: &u32, taken: &u32) -> u32 {
//!         left - taken
//!     }
//! }
//!
//! let mut solver = Memo::new(&Stones, &Limits::default());
//! assert_eq!(solver.outcome(&100)?, Outcome::Loss);
//! assert_eq!(solver.best(&103)?.moves, [3]);
//! # Ok::<(), grundy::error::Error>(())
//! ```
//!
//! Considered and dropped: one method that hands out a move together with what it leads to (games whose moves
//! are cheap to list and dear to make pay for moves that a cut-off never looks at), and separate traits for
//! outcomes and scores (an outcome is a score of -1, 0 or 1, and the same search serves both).

use std::fmt;
use std::hash::Hash;

use super::Outcome;

/// How good a position is for the player to move: what is still to come for that player, less what is to come
/// for the other. In a game that is won, drawn or lost: [`WIN`], [`DRAW`] or [`LOSS`].
pub type Score = i64;

/// The player to move wins.
pub const WIN: Score = 1;
/// Nobody wins.
pub const DRAW: Score = 0;
/// The player to move loses.
pub const LOSS: Score = -1;

/// A single end or gain is at most this great, so that no sum of them along a line leaves [`Score`].
pub const GREATEST: Score = 1 << 31;

/// More than any line of play can come to: the bound of a score of which nothing is known.
pub const UNKNOWN: Score = 1 << 62;

/// A two-player game of perfect information. See the [module](self) for an example.
pub trait Game {
    /// A position, with whatever the rest of the game depends on; whose turn it is only if the players move
    /// differently.
    type Position: Clone + Eq + Hash;
    /// A move.
    type Move: Clone;

    /// The moves of the player to move, in the order in which answers list them. None: the game is over, see
    /// [`Game::stuck`].
    fn moves(&self, position: &Self::Position) -> Vec<Self::Move>;

    /// The position after one of [`Game::moves`], as the player who moves next sees it.
    fn after(&self, position: &Self::Position, chosen: &Self::Move) -> Self::Position;

    /// How the game is over before moves run out, for the player who would move: [`LOSS`] where the other has
    /// just completed three in a row. Asked before [`Game::moves`]. Unless said: it is not.
    fn end(&self, _position: &Self::Position) -> Option<Score> {
        None
    }

    /// What it is to have no move: [`LOSS`] unless said otherwise, as in normal play; [`WIN`] in misère play.
    fn stuck(&self, _position: &Self::Position) -> Score {
        LOSS
    }

    /// Whether the game is about how much one gets and not only about who wins. Games that say yes may have
    /// ends of any size up to [`GREATEST`] and [gains](Game::gain).
    fn scored(&self) -> bool {
        false
    }

    /// What a move earns at once.
    fn gain(&self, _position: &Self::Position, _chosen: &Self::Move) -> Score {
        0
    }

    /// Whether the player who makes this move moves again.
    fn again(&self, _position: &Self::Position, _chosen: &Self::Move) -> bool {
        false
    }

    /// The least and the greatest that the score can be, as far as is known without search. Must be true;
    /// narrow bounds cut more.
    fn bounds(&self, _position: &Self::Position) -> (Score, Score) {
        if self.scored() { (-UNKNOWN, UNKNOWN) } else { (LOSS, WIN) }
    }

    /// A position with the same score and the same distance to the end that stands for all those which
    /// symmetry makes equal. Unless said: the position itself.
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// Bytes that a position takes beyond its own size, for memory limits: those behind a `Box` or a `Vec`.
    fn heap_bytes(&self, _position: &Self::Position) -> usize {
        0
    }
}

/// An impartial game in normal play: both players have the same moves, and whoever cannot move loses. Its
/// positions have nimbers, and a position that is the sum of independent parts has the nim-sum of theirs
/// (Sprague 1935, Grundy 1939).
///
/// The promise: [`Game::end`], [`Game::stuck`], [`Game::scored`], [`Game::gain`] and [`Game::again`] are as
/// provided.
///
/// ```
/// use grundy::limits::Limits;
/// use grundy::search::{game::{Game, Impartial}, nimbers::Nimbers};
///
/// /// Kayles: rows of pins; a ball knocks down one pin or two neighbours.
/// struct Kayles;
///
/// impl Game for Kayles {
///     type Position = Vec<u32>; // the rows
///     type Move = (usize, u32, u32); // which row, pins before the ball, pins knocked down
///
///     fn moves(&self, rows: &Vec<u32>) -> Vec<Self::Move> {
///         let balls = |(row, &pins): (usize, &u32)| {
///             (1..=2.min(pins)).flat_map(move |down| (0..=pins - down).map(move |before| (row, before, down)))
///         };
///         rows.iter().enumerate().flat_map(balls).collect()
///     }
///
///     fn after(&self, rows: &Vec<u32>, &(row, before, down): &Self::Move) -> Vec<u32> {
///         let mut left = rows.clone();
///         let pins = left.swap_remove(row);
///         left.extend([before, pins - before - down]);
///         left
///     }
/// }
///
/// impl Impartial for Kayles {
///     fn parts(&self, rows: Vec<u32>) -> Vec<Vec<u32>> {
///         rows.into_iter().filter(|&pins| pins > 0).map(|pins| vec![pins]).collect()
///     }
/// }
///
/// let mut solver = Nimbers::new(&Kayles, &Limits::default());
/// assert_eq!(solver.nimber(&vec![5, 7, 12])?, 4 ^ 2 ^ 4);
/// # Ok::<(), grundy::error::Error>(())
/// ```
pub trait Impartial: Game {
    /// The independent parts that the position is the sum of, parts without moves left out; one part or none
    /// is allowed. Unless said: the position is its only part.
    fn parts(&self, position: Self::Position) -> Vec<Self::Position> {
        vec![position]
    }

    /// The nimber of a part where it is known without search.
    fn known(&self, _part: &Self::Position) -> Option<u32> {
        None
    }
}

/// How a game writes its moves in answers.
pub trait Words: Game {
    /// A move in the game's own words.
    fn word(&self, position: &Self::Position, chosen: &Self::Move) -> String;
}

/// The outcome that a score of a game without scores means: its sign.
#[must_use]
pub fn outcome(score: Score) -> Outcome {
    match score {
        ..=-1 => Outcome::Loss,
        0 => Outcome::Draw,
        1.. => Outcome::Win,
    }
}

/// The score of an outcome.
#[must_use]
pub fn score(outcome: Outcome) -> Score {
    match outcome {
        Outcome::Loss => LOSS,
        Outcome::Draw => DRAW,
        Outcome::Win => WIN,
    }
}

/// What is known about a score: it lies between these two, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Between {
    /// At least this.
    pub least: Score,
    /// At most this.
    pub most: Score,
}

impl Between {
    /// Exactly that.
    #[must_use]
    pub fn exactly(score: Score) -> Between {
        Between { least: score, most: score }
    }

    /// Whether the score is known.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.least == self.most
    }

    /// What a move is worth that earns `gain` and leads to a position of this score.
    pub(super) fn before(self, gain: Score, again: bool) -> Between {
        if again {
            Between { least: gain.saturating_add(self.least), most: gain.saturating_add(self.most) }
        } else {
            Between { least: gain.saturating_sub(self.most), most: gain.saturating_sub(self.least) }
        }
    }
}

impl fmt::Display for Between {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least > -UNKNOWN, self.most < UNKNOWN) {
            _ if self.is_exact() => write!(f, "exactly {}", self.least),
            (true, true) => write!(f, "from {} to {}", self.least, self.most),
            (true, false) => write!(f, "at least {}", self.least),
            (false, true) => write!(f, "at most {}", self.most),
            (false, false) => f.write_str("unknown"),
        }
    }
}
