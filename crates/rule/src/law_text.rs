//! The notation of laws, read and resolved: `g(2n + 1) = 6n + 3 - g(n)`.
//!
//! A law is a list of clauses. This file gives them to whoever evaluates, inverts or proves them, in the resolved
//! form of rules: names of the pattern are slots of a frame, in the order of first mention, and range over the
//! naturals. What a law *says* about a heap - which clause decides, whether it is silent or circular - is not
//! decided here.
//!
//! A law prints in the notation in which it is read; printing and reading again gives the same clauses.

use std::collections::HashMap;
use std::fmt;

pub use crate::ast::Subject;
pub use crate::ast::block::{Automatic, AutomaticState, Automaton, AutomatonState, MOST_STATES};
use crate::ast::{self, ParamType};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Cond, Expr, Int, ParamId, Slot};
use crate::parser;
use crate::resolve::{self, Binding, Scope};
use crate::rule::{Param, Value};

/// A law as text states it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LawText {
    /// What its clauses speak about.
    pub subject: Subject,
    /// The clauses; the first that speaks about a heap decides.
    pub clauses: Vec<Clause>,
}

/// One clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `g(start..) = v, v, ...`
    Values {
        /// `g` or `z`.
        of: Subject,
        /// The first heap spoken about, at least 0.
        start: Int,
        /// Their values, each at least 0.
        values: Vec<Int>,
        /// Where.
        span: Span,
    },
    /// `g(pattern) = value for cond`
    Equation {
        /// The names of the pattern in the order of first mention: slots 0, 1, ... They range over the naturals.
        names: Vec<String>,
        /// The heap spoken about.
        pattern: Expr,
        /// Its value; may hold [`Expr::Grundy`], which in a law about zeros is `z(..)`.
        value: Expr,
        /// For which names.
        cond: Cond,
        /// The clause in its plain spelling.
        written: String,
        /// Where.
        span: Span,
    },
    /// `z(pattern) = (first, second) for cond`; for each pair also the one turned round is meant.
    Pair {
        /// As in an equation.
        names: Vec<String>,
        /// Which of the lost heaps is spoken about.
        pattern: Expr,
        /// Its two entries.
        pair: Box<(Expr, Expr)>,
        /// For which names.
        cond: Cond,
        /// The clause in its plain spelling.
        written: String,
        /// Where.
        span: Span,
    },
    /// `g(a, b) = value for cond`: heaps of several entries.
    Tuple {
        /// The names of the entries in the order of first mention: slots 0, 1, ...
        names: Vec<String>,
        /// Each entry: a slot, or a constant for the heaps that have just this number there. The same slot twice asks
        /// for equal entries.
        entries: Vec<Expr>,
        /// The value; holds no [`Expr::Grundy`].
        value: Expr,
        /// For which names.
        cond: Cond,
        /// The clause in its plain spelling.
        written: String,
        /// Where.
        span: Span,
    },
    /// `(a, b) for cond`, in a law about zeros: these heaps are lost, and others only if another clause says so.
    Lost {
        /// As in a clause about tuples.
        names: Vec<String>,
        /// As in a clause about tuples.
        entries: Vec<Expr>,
        /// Which of the heaps.
        cond: Cond,
        /// The clause in its plain spelling.
        written: String,
        /// Where.
        span: Span,
    },
    /// `window L(n) = left for n >= from`: the nimbers of the game `n -> y where L(n) <= y < n`.
    Window(Window),
    /// The pairs (n, g(n)), or with their values coded.
    Automaton(Automaton),
    /// A line plus what an automaton puts out.
    Automatic(Automatic),
}

/// `window L(n) = left for n >= from`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The left end: n is slot 0. A move may leave no heap below `from`, even where this is less.
    pub left: Expr,
    /// The first heap spoken about, at least 0: its nimber is 0.
    pub from: Int,
    /// The name of the heap.
    pub heap: String,
    /// The left end in its plain spelling.
    pub left_written: String,
    /// Where.
    pub span: Span,
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clause::Values { of, start, values, span } => {
                ast::Clause::Values { of: *of, start: *start, values: values.clone(), span: *span }.fmt(f)
            }
            Clause::Equation { written, .. }
            | Clause::Pair { written, .. }
            | Clause::Tuple { written, .. }
            | Clause::Lost { written, .. } => f.write_str(written),
            Clause::Window(Window { left_written, from, heap, .. }) => {
                write!(f, "window L({heap}) = {left_written}")?;
                if *from > 0 { write!(f, " for {heap} >= {from}") } else { Ok(()) }
            }
            Clause::Automaton(block) => block.fmt(f),
            Clause::Automatic(block) => block.fmt(f),
        }
    }
}

impl Clause {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Clause::Values { span, .. }
            | Clause::Equation { span, .. }
            | Clause::Pair { span, .. }
            | Clause::Tuple { span, .. }
            | Clause::Lost { span, .. } => *span,
            Clause::Window(window) => window.span,
            Clause::Automaton(block) => block.span,
            Clause::Automatic(block) => block.span,
        }
    }

    /// How many entries the heaps have that it speaks about.
    ///
    /// ```
    /// let law = grundy_rule::law_text::parse("g(a, b, c) = a xor b xor c", &[]).unwrap();
    /// assert_eq!(law.clauses[0].arity(), 3);
    /// ```
    #[must_use]
    pub fn arity(&self) -> usize {
        match self {
            Clause::Pair { .. } => 2,
            Clause::Tuple { entries, .. } | Clause::Lost { entries, .. } => entries.len(),
            Clause::Values { .. } | Clause::Equation { .. } | Clause::Window(_) | Clause::Automatic(_) => 1,
            Clause::Automaton(block) => block.entries,
        }
    }
}

impl LawText {
    /// How many entries the heaps have that the law speaks about: all of its clauses speak about the same.
    #[must_use]
    pub fn arity(&self) -> usize {
        self.clauses.first().map_or(1, Clause::arity)
    }
}

impl fmt::Display for LawText {
    /// A clause a line, blocks on several, without a line end after the last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.subject == Subject::Zeros {
            writeln!(f, "zeros")?;
        }
        for (i, clause) in self.clauses.iter().enumerate() {
            write!(f, "{}{clause}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

/// Reads a law about a rule with these parameters.
///
/// # Errors
/// All that is wrong, in the order of the text; never empty.
///
/// ```
/// let law = grundy_rule::law_text::parse("g(0..) = 0, 1\ng(n+2) = g(n)  for n>=0", &[]).unwrap();
/// assert_eq!(law.to_string(), "g(0..) = 0, 1\ng(n + 2) = g(n) for n >= 0");
/// ```
pub fn parse(source: &str, params: &[Param]) -> Result<LawText, Vec<Diagnostic>> {
    resolve(&parser::parse_law(source)?, params)
}

/// Resolves a law that was read already, such as that of a game file.
///
/// # Errors
/// As [`parse`].
pub fn resolve(law: &ast::Law, params: &[Param]) -> Result<LawText, Vec<Diagnostic>> {
    let mut out = Vec::with_capacity(law.clauses.len());
    let mut said = Vec::new();
    if law.clauses.is_empty() {
        said.push(
            Diagnostic::error("syntax", Span::default(), "a law has at least one clause")
                .help("`g(n) = n mod 4`"),
        );
    }
    let mut other_before = false;
    for tree in &law.clauses {
        let is_values = matches!(tree, ast::Clause::Values { .. });
        let values_late = other_before && is_values;
        other_before |= !is_values;
        match clause(tree, params) {
            Ok(Clause::Values { span, .. }) if values_late => {
                said.push(Diagnostic::error(
                    "law-order",
                    span,
                    "listed values come before the other clauses",
                ));
            }
            Ok(clause) => {
                let (before, now) = (out.first().map_or(clause.arity(), Clause::arity), clause.arity());
                if before != now {
                    let message = format!(
                        "this clause speaks about heaps with {now} entries, the first one with {before}"
                    );
                    said.push(Diagnostic::error("law-arity", clause.span(), message));
                }
                out.push(clause);
            }
            Err(error) => said.push(error),
        }
    }
    if said.is_empty() { Ok(LawText { subject: law.subject, clauses: out }) } else { Err(said) }
}

fn clause(tree: &ast::Clause, params: &[Param]) -> Result<Clause, Diagnostic> {
    match tree {
        ast::Clause::Values { of, start, values, span } => {
            if let Some(negative) = values.iter().find(|v| **v < 0) {
                let message = match of {
                    Subject::Nimbers => format!("{negative} is no nimber: they are at least 0"),
                    Subject::Zeros => format!("{negative} is no heap: they are at least 0"),
                };
                return Err(Diagnostic::error("law-negative", *span, message));
            }
            Ok(Clause::Values { of: *of, start: *start, values: values.clone(), span: *span })
        }
        ast::Clause::Equation { of, pattern, value, cond, span } => {
            let mut scope = LawScope::new(params, *of);
            let pattern = resolve::expr(pattern, &mut scope)?;
            let value = scope.value(value)?;
            let cond = scope.cond(cond.as_ref())?;
            Ok(Clause::Equation {
                names: scope.names,
                pattern,
                value,
                cond,
                written: tree.to_string(),
                span: *span,
            })
        }
        ast::Clause::Pair { pattern, pair, cond, span } => {
            let mut scope = LawScope::new(params, Subject::Zeros);
            let pattern = resolve::expr(pattern, &mut scope)?;
            let pair = Box::new((scope.value(&pair.0)?, scope.value(&pair.1)?));
            let cond = scope.cond(cond.as_ref())?;
            Ok(Clause::Pair {
                names: scope.names,
                pattern,
                pair,
                cond,
                written: tree.to_string(),
                span: *span,
            })
        }
        ast::Clause::Tuple { entries, value, cond, span } => {
            let mut scope = LawScope::new(params, Subject::Nimbers);
            let entries = scope.entries(entries)?;
            // A value is not a matter of other values here: no `g` in it.
            scope.part = Part::Cond;
            let value = resolve::expr(value, &mut scope)?;
            let cond = scope.cond(cond.as_ref())?;
            let written = tree.to_string();
            Ok(Clause::Tuple { names: scope.names, entries, value, cond, written, span: *span })
        }
        ast::Clause::Lost { entries, cond, span } => {
            let mut scope = LawScope::new(params, Subject::Zeros);
            let entries = scope.entries(entries)?;
            let cond = scope.cond(Some(cond))?;
            let written = tree.to_string();
            Ok(Clause::Lost { names: scope.names, entries, cond, written, span: *span })
        }
        ast::Clause::Window { heap, left, from, span } => {
            let mut scope = LawScope::new(params, Subject::Nimbers);
            if let Some(Binding::Param(..)) = scope.find(&heap.text) {
                let message = format!("`{}` is a parameter, and cannot name the heap", heap.text);
                return Err(Diagnostic::error("unknown-name", heap.span, message));
            }
            // The left end is not a matter of other values: no `g` in it.
            scope.part = Part::Cond;
            Ok(Clause::Window(Window {
                left: resolve::expr(left, &mut scope)?,
                from: *from,
                heap: heap.text.clone(),
                left_written: left.to_string(),
                span: *span,
            }))
        }
        ast::Clause::Automaton(block) => Ok(Clause::Automaton(block.clone())),
        ast::Clause::Automatic(block) => Ok(Clause::Automatic(block.clone())),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Pattern,
    Value,
    Cond,
}

/// The pattern introduces names; value and condition use them.
struct LawScope<'a> {
    params: &'a [Param],
    of: Subject,
    names: Vec<String>,
    slots: HashMap<String, Slot>,
    part: Part,
}

impl<'a> LawScope<'a> {
    fn new(params: &'a [Param], of: Subject) -> Self {
        LawScope { params, of, names: Vec::new(), slots: HashMap::new(), part: Part::Pattern }
    }

    /// The entries of a tuple: slots and constants.
    fn entries(&mut self, entries: &[ast::Entry]) -> Result<Vec<Expr>, Diagnostic> {
        let each = entries.iter().map(|entry| match entry {
            ast::Entry::Number(number, _) => Ok(Expr::Const(*number)),
            ast::Entry::Name(name) => match self.find(&name.text) {
                Some(Binding::Slot(slot)) => Ok(Expr::Slot(slot)),
                _ => {
                    let message = format!("`{}` is a parameter, and cannot name an entry", name.text);
                    Err(Diagnostic::error("unknown-name", name.span, message))
                }
            },
        });
        each.collect()
    }

    fn value(&mut self, value: &ast::Expr) -> Result<Expr, Diagnostic> {
        self.part = Part::Value;
        resolve::expr(value, self)
    }

    fn cond(&mut self, cond: Option<&ast::Cond>) -> Result<Cond, Diagnostic> {
        self.part = Part::Cond;
        cond.map_or(Ok(Cond::always()), |cond| resolve::cond(cond, self))
    }
}

impl Scope for LawScope<'_> {
    fn find(&mut self, name: &str) -> Option<Binding> {
        if let Some(param) = self.params.iter().position(|p| p.name == name) {
            return Some(Binding::Param(param, self.params[param].ty));
        }
        if let Some(slot) = self.slots.get(name) {
            return Some(Binding::Slot(*slot));
        }
        if self.part != Part::Pattern {
            return None;
        }
        let slot = self.names.len();
        self.names.push(name.to_string());
        self.slots.insert(name.to_string(), slot);
        Some(Binding::Slot(slot))
    }

    fn unknown(&mut self, name: &str, span: Span, _: ParamType) -> Diagnostic {
        Diagnostic::error("unknown-name", span, format!("`{name}` is neither in the pattern nor a parameter"))
            .help("the names of a clause come from its left side")
    }

    fn is_natural(&self, _: Slot) -> bool {
        true
    }

    fn param_at_least(&self, param: ParamId) -> Option<Int> {
        match (&self.params[param].value, self.params[param].ty) {
            (Some(Value::Number(value)), _) => Some(*value),
            (None, ParamType::Number) => Some(0),
            _ => None,
        }
    }

    fn recursive(&self) -> Option<&'static str> {
        (self.part == Part::Value).then(|| self.of.letter())
    }
}

#[cfg(test)]
mod tests;
