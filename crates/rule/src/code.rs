//! The notations of the literature for whole families of games, read wherever a rule is.
//!
//! | notation | game |
//! | --- | --- |
//! | `0.77`, `.137`, `4.0`, `4!.0`, `0.2048`, `0.3[3]` | take and break: [`TakeAndBreak`] |
//! | `S(2,5,7)`, `S(1..3)`, `allbut(2,3)` | subtraction |
//! | `1-3`, `1+C`, `3E`, `1-3C(5)` | coin turning: [`Turning`] |
//!
//! A code is nothing but a short way to write rule text: [`Code::to_rule_text`] gives the text, which then
//! goes the way of every other rule, so that engines, proofs and the checker know one source only.
//! [`of_rule`] goes back where a rule has the shape of a code. Every code has one normal form, which
//! [`Code`]'s `Display` prints and [`parse`] reads back to the same value.
//!
//! Considered and dropped: digits for four and more heaps (`G` and up in other programs), sets of heap
//! counts as digits, and digits before d0, which let a heap grow. A rule says these more plainly.

mod from_shape;
mod number_set;
mod take_and_break;
#[cfg(test)]
mod tests;
mod turning;

use std::fmt;

pub use from_shape::of_rule;
pub use take_and_break::{Digit, Mode, TakeAndBreak};
pub use turning::{Spacing, Turn, Turning};

use crate::diagnostic::{Diagnostic, Span};

/// A game in a notation of the literature.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// `0.77`: how many may be taken, and into how many heaps the rest may be broken.
    TakeAndBreak(TakeAndBreak),
    /// `S(2,5,7)`: take one of these numbers; ascending, each at least 1.
    Subtraction(Vec<u64>),
    /// `allbut(2,3)`: take any positive number but these; ascending, each at least 1.
    AllBut(Vec<u64>),
    /// `1-3`: turn coins, the rightmost of them from heads to tails.
    Turning(Turning),
}

/// Reads a code.
///
/// `None`: the text is no code at all (it may be the name of a game). `Some(Err(_))`: it looks like a
/// code and is wrong (id `code`), or it is one of a game that would go on for ever (id `loop`).
///
/// ```
/// use grundy_rule::code;
/// let kayles = code::parse(".77").unwrap().unwrap();
/// assert_eq!(kayles.to_string(), "0.77");
/// assert!(code::parse("kayles").is_none());
/// assert!(code::parse("3.0").unwrap().is_err());
/// ```
#[must_use]
pub fn parse(text: &str) -> Option<Result<Code, Diagnostic>> {
    let start = text.len() - text.trim_start().len();
    let body = text.trim();
    let shift = |diagnostic: Diagnostic| shifted(diagnostic, start);
    if let Some(inside) = call(body, "S") {
        return Some(number_set::parse(body, inside, "S").map(Code::Subtraction).map_err(shift));
    }
    if let Some(inside) = call(body, "allbut") {
        return Some(number_set::parse(body, inside, "allbut").map(Code::AllBut).map_err(shift));
    }
    if take_and_break::looks_like(body) {
        return Some(TakeAndBreak::parse(body).map(Code::TakeAndBreak).map_err(shift));
    }
    if turning::looks_like(body) {
        return Some(Turning::parse(body).map(Code::Turning).map_err(shift));
    }
    None
}

/// Turns a code into rule text; `None` if the text is no code.
///
/// ```
/// use grundy_rule::code;
/// let text = code::to_rule_text("S(1..3)").unwrap().unwrap();
/// assert_eq!(text, "n -> n - t where t in 1..3\n");
/// let large = code::to_rule_text("S(1..10^18)").unwrap().unwrap();
/// assert_eq!(large, "n -> n - t where t in 1..1000000000000000000\n");
/// ```
#[must_use]
pub fn to_rule_text(text: &str) -> Option<Result<String, Diagnostic>> {
    let read = parse(text)?;
    // A set too large to list may still be a few ranges.
    let body = text.trim();
    let ranges = |name| number_set::parse_runs(body, call(body, name)?, name).ok();
    let taken = || ranges("S").and_then(|runs| number_set::run_membership("t", &runs));
    let left_out = || {
        let runs = ranges("allbut")?;
        number_set::run_exclusion("t", &runs).map(|condition| format!("t >= 1, {condition}"))
    };
    Some(read.map(|code| code.to_rule_text()).or_else(|wrong| {
        let condition = taken().or_else(left_out).ok_or(wrong)?;
        Ok(format!("n -> n - t where {condition}\n"))
    }))
}

impl Code {
    /// The rule in the language: a line for each number of heaps (or coins) that a move may leave.
    ///
    /// Options are written once each, without mirror images, and a heap that is left by a take-and-break
    /// code is not empty; only where a code is the same as a subtraction game (all digits 0 or 3) does the
    /// text leave a heap of 0 for nothing.
    #[must_use]
    pub fn to_rule_text(&self) -> String {
        match self {
            Code::TakeAndBreak(code) => code.to_rule_text(),
            Code::Subtraction(set) if set.is_empty() => take_and_break::NO_MOVE.to_string(),
            Code::Subtraction(set) => {
                format!("n -> n - t where {}\n", number_set::membership("t", set))
            }
            Code::AllBut(set) if set.is_empty() => "n -> n - t where t >= 1\n".to_string(),
            Code::AllBut(set) => {
                format!("n -> n - t where t >= 1, {}\n", number_set::exclusion("t", set))
            }
            Code::Turning(code) => code.to_rule_text(),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::TakeAndBreak(code) => code.fmt(f),
            Code::Subtraction(set) if set.is_empty() => write!(f, "0.0"),
            Code::Subtraction(set) => write!(f, "S({})", number_set::list(set)),
            Code::AllBut(set) => write!(f, "allbut({})", number_set::list(set)),
            Code::Turning(code) => code.fmt(f),
        }
    }
}

/// The inside of `name( ... )`, or of what was begun as such and not closed.
fn call<'a>(body: &'a str, name: &str) -> Option<&'a str> {
    let rest = body.strip_prefix(name)?.trim_start();
    let inside = rest.strip_prefix('(')?;
    Some(inside.strip_suffix(')').unwrap_or(inside))
}

/// An error about a code as written.
fn error(start: usize, end: usize, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("code", Span::new(start, end), message)
}

/// The same message about a text that begins `by` bytes later.
fn shifted(mut diagnostic: Diagnostic, by: usize) -> Diagnostic {
    let moved = |span: Span| Span::new(span.start + by, span.end + by);
    diagnostic.span = moved(diagnostic.span);
    for (span, _) in &mut diagnostic.notes {
        *span = moved(*span);
    }
    if let Some(patch) = &mut diagnostic.patch {
        patch.span = moved(patch.span);
    }
    diagnostic
}
