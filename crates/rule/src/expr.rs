//! Expressions whose names have found their meaning, and their exact evaluation.
//!
//! One form serves rules, laws and problem files. Numbers are `i128`; whatever does not fit is an
//! [`EvalError`], never a wrapped or rounded number. Entries, variables and `for` names live in one *frame*
//! and are addressed by slot; parameters are addressed by [`ParamId`].

use std::fmt;

pub use crate::ast::RelOp;
use crate::diagnostic::Span;

/// The integers that games are made of.
pub type Int = i128;

/// Position of an entry, variable or `for` name in the frame of its line.
pub type Slot = usize;

/// Index into the parameters of a rule (or the lists of a problem).
pub type ParamId = usize;

/// An expression over a frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant.
    Const(Int),
    /// What stands in that slot of the frame.
    Slot(Slot),
    /// A parameter of type number.
    Param(ParamId),
    /// `c[i]` for a parameter of type list, from 0.
    Item(ParamId, Box<Expr>),
    /// `len(c)`: how many numbers a list or set has, how many pairs.
    Len(ParamId),
    /// `-a`
    Neg(Box<Expr>),
    /// A binary operation.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// A function of one or more arguments.
    Call(Func, Vec<Expr>),
    /// `g(e)`, in the value of a law's clause only.
    Grundy(Box<Expr>),
}

/// Binary operations on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient rounded down.
    FloorDiv,
    /// Quotient rounded up.
    CeilDiv,
    /// Remainder with the sign of the divisor.
    Mod,
    /// Power with an exponent of at least 0.
    Pow,
}

/// The functions of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Func {
    /// Least of one or more.
    Min,
    /// Greatest of one or more.
    Max,
    /// Absolute value.
    Abs,
    /// Greatest common divisor of one or more; gcd(0, 0) = 0.
    Gcd,
    /// Least common multiple of one or more; 0 if one of them is.
    Lcm,
    /// `sqrt(x)`: integer square root.
    Sqrt,
    /// `root(x, k)`: integer k-th root.
    Root,
    /// `log(x, b)`: the greatest e with b^e <= x.
    Log,
    /// Nim-sum of naturals.
    Xor,
    /// Common bits of naturals.
    BitAnd,
    /// Joined bits of naturals.
    BitOr,
    /// Number of one bits.
    Popcount,
    /// `bit(x, i)`: bit i of x.
    Bit,
    /// `digitsum(x, b)`.
    DigitSum,
    /// `valuation(x, p)`: the greatest e with p^e dividing x.
    Valuation,
    /// Number of distinct prime factors.
    Omega,
    /// Number of prime factors with multiplicity.
    BigOmega,
    /// Least prime factor.
    Lpf,
    /// Fibonacci number, fib(1) = fib(2) = 1.
    Fib,
}

/// The named sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedSet {
    /// 0, 1, 2, ...
    Naturals,
    /// 2, 3, 5, ...
    Primes,
    /// 1, 4, 9, ...
    Squares,
    /// 1, 8, 27, ...
    Cubes,
    /// 1, 3, 6, ...
    Triangular,
    /// 1, 2, 3, 5, ...
    Fibonacci,
    /// 1, 2, 6, ...
    Factorials,
    /// `powers(b)`: 1, b, b^2, ...
    Powers,
    /// `divisors(n)`, n >= 1.
    Divisors,
    /// `digits(n, b)`: the digits that occur in n.
    Digits,
}

/// A set of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Set {
    /// `{a, b}`
    List(Vec<Expr>),
    /// `lo..hi`; `None`: no upper end. Empty if hi < lo.
    Range(Expr, Option<Expr>),
    /// A named set with its arguments (defaults filled in).
    Named(NamedSet, Vec<Expr>),
    /// The numbers of a parameter of type set or list.
    Param(ParamId),
}

/// A condition without structure, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// What it says.
    pub kind: AtomKind,
    /// Where it was written.
    pub span: Span,
}

/// What an atom says. Ratios are gone: `q < a/b` has become `q < ceil(a/b)`, and so on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AtomKind {
    /// `a op b`
    Rel(Expr, RelOp, Expr),
    /// `a in set`; `true`: `not in`.
    In(Expr, bool, Set),
    /// `(a, b) in pairs`; `true`: `not in`.
    PairIn(Expr, Expr, bool, ParamId),
    /// `a divides b`; `true`: does not.
    Divides(Expr, bool, Expr),
}

/// A condition; `And` and `Or` are evaluated from left to right and stop when decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// All; the empty one is true.
    And(Vec<Cond>),
    /// At least one; the empty one is false.
    Or(Vec<Cond>),
    /// `not`
    Not(Box<Cond>),
    /// An atom.
    Atom(Atom),
}

impl Cond {
    /// The condition that always holds.
    #[must_use]
    pub fn always() -> Cond {
        Cond::And(Vec::new())
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// Stable id: `overflow`, `division`, `domain`, `index`, `limit`.
    pub id: &'static str,
    /// What happened, with the numbers.
    pub message: String,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for EvalError {}
