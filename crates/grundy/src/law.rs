//! Laws: a closed description of the values of all heaps, evaluated at any size.
//!
//! A law is a list of clauses, of which the first that speaks about a heap decides: listed values, equations
//! (`g(2n+1) = 6n + 3 - g(n)`), a sliding window (`law/window.rs`), automata (`law/automaton.rs`). [`Law::value`] follows
//! an equation down to smaller heaps, remembering what it has met, on a stack of its own: the depth is not that of
//! the machine. Three things make it fast: a clause `g(n + p) = g(n) + s` is taken as
//! many times at once as it applies; patterns are solved and not searched (`law/pattern.rs`); and a law whose
//! clauses divide the heaps by one number (`g(2n)`, `g(2n+1)`) becomes a table of several digits at once
//! (`law/digits.rs`). `law/inverse.rs` goes the other way, from a value to the heaps that have it.
//!
//! A law may also speak about the outcome alone: then its clauses give the lost heaps in ascending order
//! (`law/zeros.rs`). Laws about heaps of several entries are expressions in the entries (`law/tuple.rs`).
//!
//! A law says nothing about where it comes from: whether it is cited, observed or proved is the caller's word.
//! [`discover`] guesses laws from tables.

mod affine;
pub(crate) mod automaton;
mod digits;
pub mod discover;
mod drawing;
mod equation;
mod inverse;
mod kind;
mod latex;
mod pattern;
pub mod program;
mod tuple;
mod window;
mod zeros;

use std::fmt;

use grundy_rule::expr::{EvalError, Expr, Int};
use grundy_rule::law_text::{self, LawText, Subject};
use grundy_rule::rule::Param;
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::nimber::Nimber;
use automaton::{Outputs, Pairs};
use digits::Digits;
use equation::{Equation, Shift};
use tuple::Tuple;
use window::Window;

pub use inverse::Heaps;
pub use kind::{Kind, Period};

/// Clauses that one value may take before the law is called too slow: a second's work.
const STEPS: u32 = 1 << 22;

/// A law whose parameters have values.
///
/// ```
/// use grundy::law::Law;
/// let law = Law::parse("g(0) = 1\ng(2n) = g(n) + 2n\ng(2n+1) = 6n + 3 - g(n)\n", &[]).unwrap();
/// assert_eq!(law.value(6).unwrap(), 13);
/// assert_eq!(law.value(10_u128.pow(18)).unwrap(), 2 * 10_u128.pow(18) + 1);
///
/// let odious = "automatic base 2 slope 2 {\n  0 = 1: 0, 1\n  1 = 0: 1, 0\n}";
/// assert_eq!(Law::parse(odious, &[]).unwrap().value(6).unwrap(), 13);
/// ```
#[derive(Clone, Debug)]
pub struct Law {
    text: LawText,
    params: Vec<Param>,
    clauses: Vec<Clause>,
    digits: Option<Digits>,
}

/// What the entries of a heap are called where people read of it: `n`, or `a, b`.
fn names_of(entries: usize) -> String {
    let names: Vec<String> = ('a'..='z').take(entries).map(String::from).collect();
    if entries == 1 { "n".to_string() } else { names.join(", ") }
}

/// A clause made ready.
#[derive(Clone, Debug)]
enum Clause {
    /// `g(start..) = values`
    Values { start: Int, values: Vec<Int> },
    /// `g(pattern) = value for cond`
    Equation(Box<Equation>),
    /// `z(pattern) = (value, second)`
    Pair(Box<(Equation, Expr)>),
    /// `g(a, b) = value for cond`, and `(a, b) for cond` of lost heaps.
    Tuple(Box<Tuple>),
    /// `window L(n) = left`
    Window(Box<Window>),
    /// `automaton base b { .. }`
    Pairs(Box<Pairs>),
    /// `automatic base b slope c { .. }`
    Outputs(Box<Outputs>),
}

/// What one look at a heap gives.
enum Look {
    Value(Int),
    /// The value of this smaller heap is needed first.
    Needs(Int),
}

impl Law {
    /// Reads a law in the notation in which it prints. `params` are the parameters of the rule, with their
    /// values.
    ///
    /// # Errors
    /// What the parser says; `law-pattern` for a left side that cannot be solved for its names; `law-window` for
    /// a left end of which it is not known that it slides; `unknown-name` if a parameter has no value.
    pub fn parse(text: &str, params: &[Param]) -> Result<Law, Error> {
        Law::new(law_text::parse(text, params)?, params)
    }

    /// The law that a resolved text states.
    ///
    /// # Errors
    /// As [`Law::parse`].
    pub fn new(text: LawText, params: &[Param]) -> Result<Law, Error> {
        if let Some(param) = params.iter().find(|p| p.value.is_none()) {
            return Err(Error::new("unknown-name", format!("the law needs the value of `{}`", param.name))
                .help(format!("{}=3", param.name)));
        }
        let mut clauses: Vec<Clause> = Vec::with_capacity(text.clauses.len());
        for clause in &text.clauses {
            let clause = match clause {
                law_text::Clause::Values { start, values, .. } => {
                    Clause::Values { start: *start, values: values.clone() }
                }
                law_text::Clause::Equation { names, pattern, value, cond, written, .. } => {
                    let parts = (names.len(), pattern, value, cond);
                    Clause::Equation(Box::new(Equation::new(parts, written, params, &clauses)?))
                }
                law_text::Clause::Pair { names, pattern, pair, cond, written, .. } => {
                    let parts = (names.len(), pattern, &pair.0, cond);
                    let first = Equation::new(parts, written, params, &clauses)?;
                    Clause::Pair(Box::new((first, pair.1.clone())))
                }
                law_text::Clause::Tuple { entries, value, cond, written, names, .. } => {
                    let parts = (entries.as_slice(), Some(value), cond, names.len());
                    Clause::Tuple(Box::new(Tuple::new(parts, written)))
                }
                law_text::Clause::Lost { entries, cond, written, names, .. } => {
                    let parts = (entries.as_slice(), None, cond, names.len());
                    Clause::Tuple(Box::new(Tuple::new(parts, written)))
                }
                law_text::Clause::Window(window) => Clause::Window(Box::new(Window::new(window, params)?)),
                law_text::Clause::Automaton(block) => Clause::Pairs(Box::new(Pairs::new(block)?)),
                law_text::Clause::Automatic(block) => Clause::Outputs(Box::new(Outputs::new(block))),
            };
            clauses.push(clause);
        }
        let mut law = Law { text, params: params.to_vec(), clauses, digits: None };
        law.digits = Digits::of(&law);
        Ok(law)
    }

    /// The value of a heap of `n`.
    ///
    /// A law about zeros gives the value 0 of lost heaps only.
    ///
    /// # Errors
    /// `law-silent` if no clause speaks about a heap that is needed; `law-ambiguous` if a clause does so in two
    /// ways; `law-arity` if the law speaks about heaps of several entries; `law-circular` if a clause needs a heap that is not smaller; `law-negative` if what it gives is no
    /// nimber; `law-slow` after four million clauses; `law-outcome` for a won heap if the law tells the outcome
    /// only; and what evaluation may say (`overflow`, ...).
    pub fn value(&self, n: u128) -> Result<Nimber, Error> {
        self.needs_arity(1)?;
        let heap = Int::try_from(n)
            .map_err(|_| Error::new("overflow", format!("a law speaks about heaps below 2^127, not {n}")))?;
        if self.speaks_of() == Subject::Zeros {
            return self.value_by_zeros(heap);
        }
        let value = self.at(heap)?;
        u128::try_from(value).map_err(|_| negative(value, n))
    }

    /// Whether a heap of `n` is lost for who must move: by its value, or as the law says.
    ///
    /// # Errors
    /// As [`Law::value`], but never `law-outcome`.
    ///
    /// ```
    /// # use grundy::law::Law;
    /// let fibonacci = Law::parse("zeros\nz(0..) = 0, 1, 2\nz(i+2) = z(i+1) + z(i) for i >= 1", &[]).unwrap();
    /// assert!(fibonacci.lost(832_040).unwrap() && !fibonacci.lost(832_041).unwrap());
    /// ```
    pub fn lost(&self, n: u128) -> Result<bool, Error> {
        match self.value(n) {
            Ok(value) => Ok(value == 0),
            Err(error) if error.id() == "law-outcome" => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether the law gives nimbers or the outcome only.
    #[must_use]
    pub fn speaks_of(&self) -> Subject {
        self.text.subject
    }

    /// The nimber of a heap where the clauses make it a walk over digits in 64 bits.
    #[inline]
    pub(crate) fn long(&self, n: u64) -> Option<u64> {
        match (&self.digits, self.text.subject) {
            (Some(digits), Subject::Nimbers) => u64::try_from(digits.long(n)?).ok(),
            _ => None,
        }
    }

    /// The value of the sequence `g` or `z` that the clauses describe.
    fn at(&self, n: Int) -> Result<Int, Error> {
        match self.digits.as_ref().and_then(|digits| digits.at(n)) {
            Some(value) => Ok(value),
            None => self.by_clauses(n),
        }
    }

    /// The value as the clauses say, one by one.
    fn by_clauses(&self, n: Int) -> Result<Int, Error> {
        let mut known: FxHashMap<Int, Int> = FxHashMap::default();
        let mut stack = vec![n];
        let mut steps = STEPS;
        while let Some(heap) = stack.last().copied() {
            steps = steps.checked_sub(1).ok_or_else(|| {
                Error::new("law-slow", format!("the law takes more than {STEPS} steps for heap {n}"))
            })?;
            match self.look(heap, &known)? {
                Look::Value(value) => {
                    known.insert(heap, value);
                    stack.pop();
                }
                Look::Needs(smaller) => stack.push(smaller),
            }
        }
        known.get(&n).copied().ok_or_else(|| silent(n))
    }

    fn look(&self, n: Int, known: &FxHashMap<Int, Int>) -> Result<Look, Error> {
        for clause in &self.clauses {
            let value = match clause {
                Clause::Equation(equation) => match equation.names(n, &self.params)? {
                    Some(names) => return equation.look(n, &names, known, &self.params),
                    None => None,
                },
                other => Law::beside_equations(other, n)?,
            };
            if let Some(value) = value {
                return Ok(Look::Value(value));
            }
        }
        Err(silent(n))
    }

    /// What the clause that speaks about a heap of `n` says if `known` gives the other values it asks for: a statement
    /// such as `g(n + 12) = g(n)` says nothing by itself, and much about a table.
    ///
    /// # Errors
    /// As [`Law::value`]; `law-silent` also for a value that is asked for and not known.
    ///
    /// ```
    /// # use grundy::law::Law;
    /// let period = Law::parse("g(n + 4) = g(n) for n >= 1", &[]).unwrap();
    /// assert_eq!(period.value(9).unwrap_err().id(), "law-silent");
    /// assert_eq!(period.value_given(9, &|heap| heap.checked_mul(10)).unwrap(), 50);
    /// ```
    pub fn value_given(&self, n: u128, known: &dyn Fn(u128) -> Option<Nimber>) -> Result<Nimber, Error> {
        self.needs_arity(1)?;
        let heap = Int::try_from(n)
            .map_err(|_| Error::new("overflow", format!("a law speaks about heaps below 2^127, not {n}")))?;
        for clause in &self.clauses {
            let Clause::Equation(equation) = clause else {
                let Some(value) = Law::beside_equations(clause, heap)? else { continue };
                return u128::try_from(value).map_err(|_| negative(value, n));
            };
            let Some(names) = equation.names(heap, &self.params)? else { continue };
            let asked = |heap: Int| {
                let value = u128::try_from(heap).ok().and_then(known).and_then(|v| Int::try_from(v).ok());
                let message = format!("the value of {heap} is not known");
                value.ok_or(EvalError { id: "law-silent", message })
            };
            let value = equation
                .value
                .eval_with(&names, &self.params, &mut |heap| asked(heap))
                .map_err(|error| equation.failed(heap, &error))?;
            return u128::try_from(value).map_err(|_| negative(value, n));
        }
        Err(silent(heap))
    }

    /// What a clause that is no equation says about a heap.
    fn beside_equations(clause: &Clause, n: Int) -> Result<Option<Int>, Error> {
        Ok(match clause {
            Clause::Values { start, values } => {
                let found = n.checked_sub(*start).and_then(|i| usize::try_from(i).ok());
                found.and_then(|i| values.get(i)).copied()
            }
            Clause::Equation(_) | Clause::Pair(_) | Clause::Tuple(_) => None,
            Clause::Window(window) => window.value(n)?,
            Clause::Pairs(pairs) => pairs.value(n),
            Clause::Outputs(outputs) => Some(outputs.value(n)?),
        })
    }

    /// The clauses as written.
    #[must_use]
    pub fn text(&self) -> &LawText {
        &self.text
    }

    /// The heaps from `from` to `to`, both included, whose value is `value`, in ascending order, each found when
    /// it is asked for.
    ///
    /// Values, affine clauses, periods, windows and automata are inverted, at the cost of a few evaluations for each
    /// heap found. Where a clause cannot be, heap after heap is tried, a million of them at most for each one found.
    ///
    /// ```
    /// # use grundy::law::Law;
    /// let law = Law::parse("g(3a + 1) = g(a) for a >= 1\ng(1) = 0\ng(0) = 0\ng(3a+b) = 2a+b-1 for 2 <= b <= 3", &[]).unwrap();
    /// let heaps: Vec<u128> = law.heaps_with(4, 1, 10_u128.pow(9)).take(3).collect::<Result<_, _>>().unwrap();
    /// assert_eq!(heaps, [6, 19, 58]);
    /// ```
    #[must_use]
    pub fn heaps_with(&self, value: Nimber, from: u128, to: u128) -> Heaps<'_> {
        Heaps::new(self, value, from, to)
    }
}

fn negative(value: Int, n: u128) -> Error {
    Error::new("law-negative", format!("the law gives {value} for heap {n}"))
}

fn silent(n: Int) -> Error {
    Error::new("law-silent", format!("no clause of the law speaks about {n}"))
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

#[cfg(test)]
mod tests;
