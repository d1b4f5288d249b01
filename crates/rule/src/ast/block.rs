//! The block forms of laws: automata written out state by state.
//!
//! Digits are read least significant first, because sums and nim-sums carry in that direction. State 0 is where
//! reading begins, and states are numbered in the order in which they are written, so that a block is its own
//! table. There are no names in a block, hence nothing to resolve: parser, laws and the checker share these types.

use std::fmt;

use crate::diagnostic::Span;
use crate::expr::Int;

/// Most states of an automaton in a law. The text of that many is several megabytes.
pub const MOST_STATES: usize = 1 << 16;

/// Most entries of a heap in an automaton.
pub const MOST_ENTRIES: usize = 6;

/// `automaton base b { ... }`: accepts exactly the pairs (n, g(n)), or with `coded` the pairs (n, b^g(n)). With `entries 2` it
/// accepts the triples (a, b, g(a, b)), and so on.
///
/// A pair is accepted if reading ends in an accepting state after the digits of both numbers and as many leading
/// zeros as needed to make them equally long; whether more zeros change the verdict is for the reader to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The base, from 2 to 10.
    pub base: u32,
    /// How many entries the heaps have, 1 to [`MOST_ENTRIES`].
    pub entries: usize,
    /// Whether the second number is `base^g(n)`: a one at the place g(n).
    pub coded: bool,
    /// At least one; the first is where reading begins.
    pub states: Vec<AutomatonState>,
    /// Where.
    pub span: Span,
}

/// A state of an [`Automaton`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonState {
    /// Whether the digits read so far may be all.
    pub accepting: bool,
    /// `(digit of n, digit of the value, next state)`, ascending, no two for one pair of digits; pairs that are
    /// missing refuse. Digits of several entries are packed as `d0 + d1*base + ...`.
    pub next: Vec<(u32, u32, u32)>,
}

/// `automatic base b slope p/q { ... }`: g(n) = floor(p n/q) + the output of the state reached by the digits of n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automatic {
    /// The base, from 2 to 10.
    pub base: u32,
    /// `p`, `q`: at least 0 and at least 1, without a common divisor.
    pub slope: (Int, Int),
    /// At least one; the first is where reading begins.
    pub states: Vec<AutomaticState>,
    /// Where.
    pub span: Span,
}

/// A state of an [`Automatic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomaticState {
    /// What is added where reading ends here. A further digit 0 leads to a state of the same output.
    pub output: Int,
    /// The next state for the digits 0, 1, ..., `base - 1`.
    pub next: Vec<u32>,
}

impl Automaton {
    /// The digits of the entries, one after the other, that stand packed in a state's list.
    #[must_use]
    pub fn digits(&self, packed: u32) -> String {
        let mut rest = packed;
        let mut digits = Vec::with_capacity(self.entries);
        for _ in 0..self.entries {
            digits.push((rest % self.base).to_string());
            rest /= self.base;
        }
        digits.join(" ")
    }
}

impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "automaton base {}", self.base)?;
        if self.entries != 1 {
            write!(f, " entries {}", self.entries)?;
        }
        writeln!(f, "{} {{", if self.coded { " coded" } else { "" })?;
        for (i, state) in self.states.iter().enumerate() {
            write!(f, "  {i}{}:", if state.accepting { "*" } else { "" })?;
            for (j, (n, v, to)) in state.next.iter().enumerate() {
                write!(f, "{} {}/{v} to {to}", if j > 0 { "," } else { "" }, self.digits(*n))?;
            }
            writeln!(f)?;
        }
        f.write_str("}")
    }
}

impl fmt::Display for Automatic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "automatic base {}", self.base)?;
        match self.slope {
            (0, _) => {}
            (p, 1) => write!(f, " slope {p}")?,
            (p, q) => write!(f, " slope {p}/{q}")?,
        }
        writeln!(f, " {{")?;
        for (i, state) in self.states.iter().enumerate() {
            write!(f, "  {i} = {}:", state.output)?;
            for (j, to) in state.next.iter().enumerate() {
                write!(f, "{} {to}", if j > 0 { "," } else { "" })?;
            }
            writeln!(f)?;
        }
        f.write_str("}")
    }
}
