//! Must play end? The termination check: measures that every move lowers.
//!
//! A heap's nimber is defined only if no heap can be moved for ever. This module looks for a proof that
//! reads off the rule alone: numbers that no move raises and some move lowers, stage by stage (the
//! literature calls it a lexicographic ranking). A proof is found, or a small heap that reaches itself is
//! found, or neither; then play is watched.

mod fourier_motzkin;
mod linear;

use std::fmt;

use crate::diagnostic::Diagnostic;
use crate::rule::Rule;

/// The answer of [`ends`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Play must end from every heap, for all values of the parameters that have none. The measures, in the
    /// order in which they are used; empty if no heap leaves a heap of its own kind.
    Proved(Vec<Measure>),
    /// Neither proved nor refuted: whoever walks through the heaps must watch for a heap that reaches
    /// itself. The text says what is not known to fall.
    Watched(String),
    /// A small heap reaches itself: an error of id `loop`, with a patch where one is likely.
    Loop(Diagnostic),
}

/// A number that no move raises and some move lowers; prints as `n falls`, `a + b falls`, `100 - n falls`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Measure {
    /// The number in the names of the rule.
    pub text: String,
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} falls", self.text)
    }
}

impl Ends {
    /// Whether a proof was found.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        matches!(self, Ends::Proved(_))
    }
}

impl fmt::Display for Ends {
    /// `ends: proved (n falls)`, `ends: watched (...)`, or the error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ends::Proved(measures) if measures.is_empty() => write!(f, "ends: proved"),
            Ends::Proved(measures) => {
                let words: Vec<String> = measures.iter().map(Measure::to_string).collect();
                write!(f, "ends: proved ({})", words.join(", then "))
            }
            Ends::Watched(reason) => write!(f, "ends: watched ({reason})"),
            Ends::Loop(diagnostic) => diagnostic.fmt(f),
        }
    }
}

/// Whether play must end, see [`Ends`].
#[must_use]
pub fn ends(_rule: &Rule) -> Ends {
    Ends::Watched("not looked at".to_string())
}
