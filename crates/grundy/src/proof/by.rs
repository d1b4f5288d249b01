//! The proof rules by name.

use std::fmt;
use std::str::FromStr;

use grundy_check::certificate::Proof as Data;

use super::{Attempt, Goal, automatic, finite_subtraction, guy_smith, sliding_window};
use crate::error::Error;

/// A proof rule; `docs/certificates.md` has their proofs.
///
/// ```
/// use grundy::proof::By;
/// assert_eq!("guy-smith".parse::<By>().unwrap(), By::GuySmith);
/// assert!("magic".parse::<By>().unwrap_err().to_string().contains("finite-subtraction"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// R1.
    FiniteSubtraction,
    /// R3.
    SlidingWindow,
    /// R2.
    GuySmith,
    /// R4.
    Automatic,
}

impl By {
    /// All of them in the order in which they are tried: the cheapest first.
    pub const ALL: [By; 4] = [By::FiniteSubtraction, By::SlidingWindow, By::GuySmith, By::Automatic];

    /// As it is typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            By::FiniteSubtraction => "finite-subtraction",
            By::SlidingWindow => "sliding-window",
            By::GuySmith => "guy-smith",
            By::Automatic => "automatic",
        }
    }

    /// The rule by which a certificate proves its law.
    #[must_use]
    pub fn of(data: &Data) -> By {
        match data {
            Data::FiniteSubtraction(_) => By::FiniteSubtraction,
            Data::SlidingWindow(_) => By::SlidingWindow,
            Data::GuySmith(_) => By::GuySmith,
            Data::Automatic(_) => By::Automatic,
        }
    }

    /// Looks for what the proof rule needs.
    pub(super) fn attempt(self, goal: &Goal) -> Result<Attempt, Error> {
        match self {
            By::FiniteSubtraction => finite_subtraction::attempt(goal),
            By::SlidingWindow => sliding_window::attempt(goal),
            By::GuySmith => guy_smith::attempt(goal),
            By::Automatic => automatic::attempt(goal),
        }
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for By {
    type Err = Error;

    /// # Errors
    /// `by`, with the names there are.
    fn from_str(text: &str) -> Result<By, Error> {
        By::ALL.into_iter().find(|by| by.name() == text).ok_or_else(|| {
            let names: Vec<&str> = By::ALL.iter().map(|by| by.name()).collect();
            Error::new("by", format!("`{text}` is no proof rule; there are {}", names.join(", ")))
        })
    }
}
