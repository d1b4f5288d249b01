//! Likenesses: the known games whose values are given ones, as they stand or moved by a few heaps.
//!
//! Somebody has a sequence of nimbers and wants to know what it is. The catalogue is asked, then every take-and-break
//! code of up to three octal digits (with d0 = 0 or 4), every subtraction set within 1..12, every range `l..r` and every
//! set of banned numbers within 1..8. A code is given up at its first value that fits no shift, so that thousands of codes
//! cost less than one table. The same search over the values of a rule finds equivalences, such as ".45 is .177
//! moved by one".
//!
//! A likeness is *observed*: it says how many values were compared, and two sequences that begin alike may part later.
//! Shifts are part of the search because so many games are the same but for the name of a heap: the literature calls
//! them cousins (R. K. Guy, C. A. B. Smith, The G-values of various games, 1956).

mod games;
mod search;
mod sequence;

use grundy_rule::code::Code;
use grundy_rule::expr::Int;

use crate::error::Error;
use crate::limits::Limits;

/// The greatest number of heaps by which values are moved.
pub const MOST_MOVED: usize = 4;

/// How many of the next values a likeness gives.
pub const NEXT: usize = 12;

/// Fewest values that are looked for; two more are asked for with each heap that a game is moved by.
pub const FEWEST: usize = 4;

/// A game whose values are the given ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// The game.
    pub game: Known,
    /// The given value of heap `n` is the game's value of heap `n + moved`.
    pub moved: i64,
    /// How many values were compared. Where `moved` is negative the first ones have nothing to be compared with.
    pub compared: u64,
    /// The values that follow in this game.
    pub next: Vec<u32>,
}

/// A game that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// A game of the catalogue.
    Game {
        /// Its name there.
        name: &'static str,
        /// Values of its parameters.
        parameters: Vec<(String, Int)>,
        /// The kind of heap, for rules with several.
        kind: Option<String>,
    },
    /// A take-and-break code, `S(..)` or `allbut(..)`.
    Code(Code),
}

impl Known {
    /// How plain it is: the catalogue, a set of few numbers to take or to leave out, other codes, longer sets.
    fn rank(&self) -> u8 {
        match self {
            Known::Game { .. } => 0,
            Known::Code(Code::Subtraction(set) | Code::AllBut(set)) if set.len() <= FEW => 1,
            Known::Code(Code::TakeAndBreak(_) | Code::Turning(_)) => 2,
            Known::Code(Code::Subtraction(_) | Code::AllBut(_)) => 3,
        }
    }
}

/// A set of so many numbers is a plain rule, and comes before codes that break heaps.
const FEW: usize = 3;

impl std::fmt::Display for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Known::Code(code) => code.fmt(f),
            Known::Game { name, parameters, kind } => {
                f.write_str(name)?;
                for (parameter, value) in parameters {
                    write!(f, " {parameter}={value}")?;
                }
                kind.as_ref().map_or(Ok(()), |kind| write!(f, " --kind {kind}"))
            }
        }
    }
}

/// The known games with these values of heaps 0, 1, 2, ..., the likeliest first: those that are not moved, those in the
/// catalogue, sets of few numbers to take, those with a short code.
///
/// ```
/// use grundy::{likeness::likenesses, limits::Limits};
/// let found = likenesses(&[0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6], &Limits::default()).unwrap();
/// assert_eq!(found[0].game.to_string(), "kayles");
/// assert_eq!(found[0].next[..4], [4, 1, 2, 7]);
/// ```
///
/// # Errors
/// `values` for fewer than [`FEWEST`]; limits.
pub fn likenesses(values: &[u32], limits: &Limits) -> Result<Vec<Likeness>, Error> {
    if values.len() < FEWEST {
        let message = format!("{} values say too little: at least {FEWEST} are needed", values.len());
        return Err(Error::new("values", message));
    }
    let clock = limits.clock();
    let mut found = games::all(values, limits, &clock)?;
    found.extend(search::codes(values, &clock)?);
    found.extend(search::sets(values, &clock)?);
    found.sort_by_cached_key(|like| {
        let shown = like.game.to_string();
        (like.moved.unsigned_abs(), like.game.rank(), shown.len(), shown)
    });
    // A code of digits 0 and 3 only is a subtraction set, and prints as one.
    found.dedup_by(|a, b| a.game == b.game && a.moved == b.moved);
    Ok(found)
}

#[cfg(test)]
mod tests;
