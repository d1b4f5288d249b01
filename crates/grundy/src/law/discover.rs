//! From a table to the law behind it.
//!
//! Each kind of law has a finder that looks at the values and either names a law that holds on *all* of them or
//! says why there is none. They are tried from the simplest kind to the richest, and the first law wins: period,
//! arithmetic period, a recursion on n/k, fractal, and so on ([`Kind::ALL`]). The order matters, because a richer kind
//! fits what a simpler one explains, and fits it worse.
//!
//! A law that fits is not yet believed. A finder makes its guess from the first half of the table, and the second
//! half must bear it out; an automaton must also come out the same from both (39 of 149 guesses from up to 2500
//! values that only fitted were wrong). [`discover`] is pure: values in, law out. [`search`](search()) tabulates, begins
//! with 2000 values and doubles them while there is no law; a guess is then put to the test of twice as
//! many values. What comes out is *observed*, never proved, and says how much was seen.
//!
//! Every finder costs about as much as reading the table a few dozen times.

pub(crate) mod digits;
mod fit;
mod fractal;
mod grid;
mod horizon;
mod linear;
mod number;
mod period;
mod reach;
mod search;
mod theorem;
mod zeros;

pub use grid::{Grid, Row, first_wrong, grid, rows};
pub use reach::greatest_number;
pub use search::{Search, search};
pub use zeros::{beatty, zeros};

use super::{Kind, Law};
use crate::error::Error;
use crate::limits::{Clock, Limits};

/// A law that holds on a whole table.
#[derive(Clone, Debug)]
pub struct Found {
    /// The law.
    pub law: Law,
    /// How many values, from heap 0 on, are enough to guess it.
    pub evidence: u64,
    /// The last heap for which it was compared with the table: *observed* to there.
    pub checked_to: u64,
}

/// A kind of law that was tried and dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Which.
    pub kind: Kind,
    /// Why not, in words.
    pub why: String,
}

/// What a table shows.
#[derive(Clone, Debug)]
pub struct Discovery {
    /// The law, if there is one.
    pub found: Option<Found>,
    /// What was tried before, in order.
    pub tried: Vec<Tried>,
    /// The law of the lost heaps, if there is one and the nimbers follow none.
    pub zeros: Option<Found>,
    /// How many values were looked at.
    pub values: u64,
    /// The limit that ended a search early.
    pub stopped: Option<String>,
    /// What may break the law beyond the table, in words: the next number that may be taken.
    pub untested: Option<String>,
}

impl Discovery {
    /// Nothing found yet in these values.
    fn none(values: &[u32]) -> Discovery {
        Discovery {
            found: None,
            tried: Vec::new(),
            zeros: None,
            values: count(values),
            stopped: None,
            untested: None,
        }
    }
}

/// Fewest values from which anything is guessed.
pub const FEWEST: usize = 16;

/// Looks for the law of the values of heaps 0, 1, 2, ...
///
/// ```
/// use grundy::law::{Kind, discover};
/// let lasker = |n: u32| match n % 4 { 0 if n > 0 => n - 1, 3 => n + 1, _ => n };
/// let table: Vec<u32> = (0..60).map(lasker).collect();
/// let found = discover::discover(&table).found.unwrap();
/// assert_eq!(found.law.kind(), Kind::ArithmeticPeriodic);
/// assert_eq!(found.law.value(10_u128.pow(18)).unwrap(), 10_u128.pow(18) - 1);
/// ```
#[must_use]
pub fn discover(values: &[u32]) -> Discovery {
    match within(values, &Limits::default().clock()) {
        Ok(discovery) => discovery,
        // Without limits nothing stops it.
        Err(_) => Discovery::none(values),
    }
}

/// The same within limits.
///
/// # Errors
/// The limit that was reached.
pub fn within(values: &[u32], clock: &Clock) -> Result<Discovery, Error> {
    let mut discovery = Discovery::none(values);
    if values.len() < FEWEST {
        return Ok(discovery);
    }
    for (kind, finder) in FINDERS {
        clock.check()?;
        match finder(values, clock)? {
            Ok((law, evidence)) => {
                let checked_to = count(values) - 1;
                discovery.found = Some(Found { law, evidence, checked_to });
                break;
            }
            Err(why) => discovery.tried.push(Tried { kind: *kind, why }),
        }
    }
    if discovery.found.is_none() {
        discovery.zeros = zeros(values, clock)?;
    }
    Ok(discovery)
}

/// A law that holds on all values, with how many of them are enough to guess it; or why there is none.
type Guess = Result<(Law, u64), String>;

/// Looks for one kind of law; an error is a limit that was reached.
type Finder = fn(&[u32], &Clock) -> Result<Guess, Error>;

/// In the order of trial.
const FINDERS: &[(Kind, Finder)] = &[
    (Kind::Periodic, period::plain),
    (Kind::ArithmeticPeriodic, period::arithmetic),
    (Kind::Linear, linear::recursion),
    (Kind::Fractal, fractal::window),
    (Kind::SplitArithmetic, linear::split),
    (Kind::NumberTheoretic, number::function),
    (Kind::Automatic, digits::automatic),
    (Kind::Automaton, digits::pairs),
    (Kind::CodedAutomaton, digits::coded),
];

/// The first heap for which a law does not give the value of the table.
///
/// # Errors
/// The limit that was reached.
pub fn agrees(law: &Law, values: &[u32], clock: &Clock) -> Result<Option<u64>, Error> {
    for (n, value) in (0_u64..).zip(values) {
        if n % 4096 == 0 {
            clock.check()?;
        }
        if law.value(u128::from(n)).ok() != Some(u128::from(*value)) {
            return Ok(Some(n));
        }
    }
    Ok(None)
}

/// The least number of first values from which the same comes out, for a question that more values answer as
/// well: by bisection.
fn least_prefix(all: usize, same: impl Fn(usize) -> bool) -> u64 {
    let (mut lo, mut hi) = (FEWEST.min(all), all);
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if same(mid) { hi = mid } else { lo = mid + 1 }
    }
    u64::try_from(hi).unwrap_or(u64::MAX)
}

fn count(values: &[u32]) -> u64 {
    u64::try_from(values.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
