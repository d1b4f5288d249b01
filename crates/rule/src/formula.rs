//! A rule as formulas over the naturals: what a proof by automata reads.
//!
//! Each way to move becomes a [`Form`]: naturals, of which the first are the entries of the heap moved, [`Condition`]s that
//! they satisfy, and the heaps left, each named by one of them. **The options of a heap are exactly those that some form gives
//! for some naturals**, in both directions: a proof leans on it, so nothing here is an approximation. (Where evaluating the rule
//! itself is an error, such as a bit of a negative number, a form says nothing; such a heap has no nimber.)
//!
//! The conditions are those for which there are automata: linear equations and inequalities, congruences, powers of
//! one base, finite tables, bits. `floor(e/3)` becomes a new natural between two inequalities; `max`, `abs`, `!=` and `or` become cases,
//! each a form of its own. What lies outside - products of two unknowns, roots, primes - is an [`Unfit`] with the place. The class
//! is Buchi arithmetic with the functions that users write: V. Bruyere, G. Hansel, C. Michaux, R. Villemaire, *Logic and p-recognizable
//! sets of integers*, Bull. Belg. Math. Soc. 1 (1994).

mod cases;
mod expression;
mod statement;
mod tidy;

use std::fmt;

use crate::diagnostic::Span;
pub use crate::ends::linear::{Linear, Unknown};
use crate::expr::Int;
use crate::heap::KindId;
use crate::rule::Rule;
pub use statement::{Statement, statements};

/// Most forms that a rule may come to.
pub const MOST_FORMS: usize = 256;

/// One way to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The kind of the heap moved.
    pub kind: KindId,
    /// How many entries it has: the unknowns `0..arity`.
    pub arity: usize,
    /// How many unknowns there are, all of them naturals.
    pub unknowns: usize,
    /// What holds between them.
    pub conditions: Vec<Condition>,
    /// What the move leaves.
    pub left: Vec<Left>,
    /// The line of the rule.
    pub span: Span,
}

/// What unknowns satisfy.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// `form = 0`
    Zero(Linear),
    /// `form >= 0`
    AtLeastZero(Linear),
    /// The modulus, at least 2, divides the form - or does not, where `holds` is false.
    Divisible {
        /// What is divided.
        form: Linear,
        /// By what.
        modulus: Int,
        /// Whether it divides.
        holds: bool,
    },
    /// The unknown is 1, base, base^2, ... - or is not.
    Power {
        /// At least 2.
        base: Int,
        /// Which unknown.
        unknown: Unknown,
        /// Whether it is a power.
        holds: bool,
    },
    /// The unknowns are one of the rows - or are not.
    Among {
        /// Which unknowns.
        unknowns: Vec<Unknown>,
        /// The rows, ascending, of naturals, as long as `unknowns`.
        rows: Vec<Vec<Int>>,
        /// Whether they are.
        holds: bool,
    },
    /// `result` is the bits of `left` and `right`, joined by `op`.
    Bits {
        /// How.
        op: Bits,
        /// One.
        left: Unknown,
        /// The other.
        right: Unknown,
        /// What comes out.
        result: Unknown,
    },
}

/// How bits are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bits {
    /// In one of them, not in both.
    Xor,
    /// In both.
    And,
    /// In one of them or both.
    Or,
}

/// A part of what a move leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// One heap: its kind, and the unknown that is each entry.
    Heap(KindId, Vec<Unknown>),
    /// One heap of one entry for each number from the first unknown on and below the second.
    Run(KindId, Unknown, Unknown),
}

/// Why a rule has no forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// What is in the way, in the user's terms: `sqrt(..) is not linear`.
    pub reason: String,
    /// The line of the rule.
    pub span: Span,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// The forms of a rule, line by line.
///
/// ```
/// use grundy_rule::formula::{self, Left};
/// let (rule, _) = grundy_rule::Rule::parse("n -> a, b where a + b = n - t, t in 1..2, a <= b", &[]).unwrap();
/// let forms = formula::forms(&rule).unwrap();
/// // One form for t = 1 and one for t = 2, both of them about n, a and b alone. `a <= b` has gone: heaps have no order.
/// assert_eq!(forms.len(), 2);
/// assert!(forms.iter().all(|form| form.unknowns == 3 && form.left.len() == 2 && form.conditions.len() == 1));
/// let (rule, _) = grundy_rule::Rule::parse("n -> n - t where t in primes", &[]).unwrap();
/// assert!(formula::forms(&rule).is_err());
/// ```
///
/// # Errors
/// What lies outside the class, a parameter without a value, more than [`MOST_FORMS`] cases, or a number beyond 128 bits.
pub fn forms(rule: &Rule) -> Result<Vec<Form>, Unfit> {
    let mut forms = Vec::new();
    for line in &rule.lines {
        for alternative in &line.alternatives {
            if line.player.is_some() || alternative.ending.is_some() {
                let reason = "it is one player's move, or ends the game".to_string();
                return Err(Unfit { reason, span: alternative.span });
            }
            for branch in &alternative.branches {
                cases::cases(rule, line, alternative, branch, &mut forms)?;
            }
        }
    }
    Ok(forms)
}

fn too_many() -> String {
    format!("this comes to more than {MOST_FORMS} cases")
}
