//! Windows: the options of a heap are an interval of lower heaps.
//!
//! Ends are kept either as a ratio `floor((a*n + c) / b)`, which engines and proofs read directly, or as an
//! expression. That an end moves by steps of 0 and 1 is proved from its form, see `steps`.

use std::fmt;

use crate::expr::{EvalError, Expr, Int, Op};
use crate::rule::Param;

/// `floor((a*n + c) / b)` with `b >= 1`.
///
/// `ceil(n/k)` is `(n + k - 1) / k`, `n - floor(n/k)` is `((k-1)*n + k - 1) / k`, `n - k` is `(n - k) / 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    /// Factor of `n`.
    pub a: Int,
    /// Constant.
    pub c: Int,
    /// Divisor, at least 1.
    pub b: Int,
}

/// An expression in `n` alone, which is slot 0, and in parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The expression.
    pub expr: Expr,
    /// The parameters of the rule, with their values as far as given.
    pub params: Vec<Param>,
}

/// An end of a window as a function of the heap `n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftEnd {
    /// `floor((a*n + c) / b)`.
    Ratio(Ratio),
    /// Any other form, such as `n - sqrt(n)`, or `ceil(n/k)` for a parameter without a value.
    Formula(Formula),
}

/// A window whose right end is `n - 1` and whose left end moves by steps of 0 and 1 (proof rule R3).
///
/// Heap `n < first` has no options. Heap `n >= first` has the options `L(n)..=n-1`, where
/// `L(n) = max(first, left(n))`; `L(first) = first`, `L(n + 1) - L(n)` is 0 or 1, and `first <= L(n) <= n`.
/// So heaps below `first` have the value 0 and are never reached from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlidingWindow {
    /// n0 of R3: the first heap that counts.
    pub first: u64,
    /// The left end before it is held at `first` from below.
    pub left: LeftEnd,
}

/// A window with two ends that never fall.
///
/// Heap `n < first` has no options. Heap `n >= first` has the options
/// `max(0, left(n))..=min(n - 1, right(n))`; none if that is empty. For `n >= first` both ends are
/// nondecreasing in `n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first heap that may move.
    pub first: u64,
    /// The left end.
    pub left: LeftEnd,
    /// The right end.
    pub right: LeftEnd,
}

/// Nim with exceptions: constrained Nim.
///
/// Heap `n` has the options `y` in `least..=n-1` except those with `(n, y)` in `except`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WindowExcept {
    /// The least heap that may be left.
    pub least: u64,
    /// Pairs (heap, heap that may not be left), `least <= y < n`: ascending, without repeats. Not empty.
    pub except: Vec<(u64, u64)>,
}

impl LeftEnd {
    /// Its value at `n`.
    ///
    /// # Errors
    /// If a number passes 128 bits, or a parameter has no value.
    pub fn at(&self, n: Int) -> Result<Int, EvalError> {
        match self {
            LeftEnd::Ratio(ratio) => ratio.at(n).ok_or_else(|| EvalError {
                id: "overflow",
                message: format!("the end of the window of heap {n} exceeds 128 bits"),
            }),
            LeftEnd::Formula(formula) => formula.expr.eval(&[n], &formula.params),
        }
    }
}

impl Ratio {
    /// Its value at `n`; `None` beyond 128 bits.
    #[must_use]
    pub fn at(&self, n: Int) -> Option<Int> {
        Some(self.a.checked_mul(n)?.checked_add(self.c)?.div_euclid(self.b))
    }
}

impl SlidingWindow {
    /// L(n) for `n >= first`.
    ///
    /// # Errors
    /// Those of [`LeftEnd::at`].
    pub fn left_at(&self, n: Int) -> Result<Int, EvalError> {
        Ok(self.left.at(n)?.max(Int::from(self.first)))
    }
}

impl fmt::Display for SlidingWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sliding window {}..n-1", self.left)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "window {}..{}", self.left, self.right)
    }
}

impl fmt::Display for WindowExcept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "window {}..n-1 except {} pairs", self.least, self.except.len())
    }
}

impl fmt::Display for LeftEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeftEnd::Ratio(ratio) => ratio.fmt(f),
            LeftEnd::Formula(formula) => formula.fmt(f),
        }
    }
}

impl fmt::Display for Formula {
    /// As it could be typed, with `n` for the heap.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_expr(f, &self.expr, &self.params, 0)
    }
}

/// Writes an expression; `tight` is 0 in a sum, 1 in a product, 2 in a power.
fn write_expr(f: &mut fmt::Formatter<'_>, expr: &Expr, params: &[Param], tight: u8) -> fmt::Result {
    let name = |id: usize| params.get(id).map_or("?", |p| p.name.as_str());
    let list = |f: &mut fmt::Formatter<'_>, word: &str, args: &[&Expr], between: &str| {
        write!(f, "{word}(")?;
        for (i, arg) in args.iter().enumerate() {
            write!(f, "{}", if i > 0 { between } else { "" })?;
            // The two sides of a quotient stand closer than arguments do.
            write_expr(f, arg, params, u8::from(between == "/") * (1 + u8::from(i > 0)))?;
        }
        write!(f, ")")
    };
    let infix = |f: &mut fmt::Formatter<'_>, a: &Expr, sign: &str, b: &Expr, level: u8| {
        let open = tight > level;
        write!(f, "{}", if open { "(" } else { "" })?;
        write_expr(f, a, params, level)?;
        write!(f, "{sign}")?;
        write_expr(f, b, params, level + 1)?;
        write!(f, "{}", if open { ")" } else { "" })
    };
    match expr {
        Expr::Const(number) if *number < 0 && tight > 0 => write!(f, "({number})"),
        Expr::Const(number) => write!(f, "{number}"),
        Expr::Slot(_) => write!(f, "n"),
        Expr::Param(id) => write!(f, "{}", name(*id)),
        Expr::Len(id) => write!(f, "len({})", name(*id)),
        Expr::Item(id, index) => {
            write!(f, "{}[", name(*id))?;
            write_expr(f, index, params, 0)?;
            write!(f, "]")
        }
        Expr::Neg(a) => {
            write!(f, "-")?;
            write_expr(f, a, params, 2)
        }
        Expr::Binary(Op::Add, a, b) => infix(f, a, " + ", b, 0),
        Expr::Binary(Op::Sub, a, b) => infix(f, a, " - ", b, 0),
        Expr::Binary(Op::Mul, a, b) => infix(f, a, "*", b, 1),
        Expr::Binary(Op::Mod, a, b) => infix(f, a, " % ", b, 1),
        Expr::Binary(Op::Pow, a, b) => infix(f, a, "^", b, 2),
        Expr::Binary(Op::FloorDiv, a, b) => list(f, "floor", &[&**a, &**b], "/"),
        Expr::Binary(Op::CeilDiv, a, b) => list(f, "ceil", &[&**a, &**b], "/"),
        Expr::Call(func, args) => {
            let args: Vec<&Expr> = args.iter().collect();
            list(f, &format!("{func:?}").to_lowercase(), &args, ", ")
        }
        Expr::Grundy(a) => list(f, "g", &[&**a], ", "),
    }
}

impl fmt::Display for Ratio {
    /// As people write it: `ceil(n/3)`, `n - 3`, `n - floor(n/3)`, `floor((2n + 1)/5)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ratio { a, c, b } = *self;
        let linear = |a: Int, c: Int| {
            let n = match a {
                0 => return c.to_string(),
                1 => "n".to_string(),
                a => format!("{a}n"),
            };
            match c {
                0 => n,
                c if c < 0 => format!("{n} - {}", c.unsigned_abs()),
                c => format!("{n} + {c}"),
            }
        };
        let over = |text: String| if text.contains(' ') { format!("({text})") } else { text };
        if b == 1 {
            write!(f, "{}", linear(a, c))
        } else if a == b - 1 && a > 1 && c == b - 1 {
            write!(f, "n - floor(n/{b})")
        } else if c >= b - 1 {
            write!(f, "ceil({}/{b})", over(linear(a, c - (b - 1))))
        } else {
            write!(f, "floor({}/{b})", over(linear(a, c)))
        }
    }
}
