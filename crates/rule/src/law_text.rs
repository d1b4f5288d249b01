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

use crate::ast::{self, ParamType};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Cond, Expr, Int, ParamId, Slot};
use crate::parser;
use crate::resolve::{self, Binding, Scope};
use crate::rule::{Param, Value};

/// A law as text states it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LawText {
    /// The clauses; the first that speaks about a heap decides.
    pub clauses: Vec<Clause>,
}

/// One clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `g(start..) = v, v, ...`
    Values {
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
        /// Its value; may hold [`Expr::Grundy`].
        value: Expr,
        /// For which names.
        cond: Cond,
        /// The clause in its plain spelling.
        written: String,
        /// Where.
        span: Span,
    },
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clause::Values { start, values, span } => {
                ast::Clause::Values { start: *start, values: values.clone(), span: *span }.fmt(f)
            }
            Clause::Equation { written, .. } => f.write_str(written),
        }
    }
}

impl fmt::Display for LawText {
    /// A clause a line, without a line end after the last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, clause) in self.clauses.iter().enumerate() {
            write!(f, "{}{clause}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

/// Reads the clauses of a law about a rule with these parameters.
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

/// Resolves clauses that were read already, such as those of a game file.
///
/// # Errors
/// As [`parse`].
pub fn resolve(clauses: &[ast::Clause], params: &[Param]) -> Result<LawText, Vec<Diagnostic>> {
    let mut out = Vec::with_capacity(clauses.len());
    let mut said = Vec::new();
    if clauses.is_empty() {
        said.push(
            Diagnostic::error("syntax", Span::default(), "a law has at least one clause")
                .help("`g(n) = n mod 4`"),
        );
    }
    let mut equation_before = false;
    for tree in clauses {
        let values_late = equation_before && matches!(tree, ast::Clause::Values { .. });
        equation_before |= matches!(tree, ast::Clause::Equation { .. });
        match clause(tree, params) {
            Ok(Clause::Values { span, .. }) if values_late => {
                said.push(Diagnostic::error(
                    "law-order",
                    span,
                    "listed values come before the other clauses",
                ));
            }
            Ok(clause) => out.push(clause),
            Err(error) => said.push(error),
        }
    }
    if said.is_empty() { Ok(LawText { clauses: out }) } else { Err(said) }
}

fn clause(tree: &ast::Clause, params: &[Param]) -> Result<Clause, Diagnostic> {
    match tree {
        ast::Clause::Values { start, values, span } => {
            if let Some(negative) = values.iter().find(|v| **v < 0) {
                let message = format!("{negative} is no nimber: they are at least 0");
                return Err(Diagnostic::error("law-negative", *span, message));
            }
            Ok(Clause::Values { start: *start, values: values.clone(), span: *span })
        }
        ast::Clause::Equation { pattern, value, cond, span } => {
            let mut scope =
                LawScope { params, names: Vec::new(), slots: HashMap::new(), part: Part::Pattern };
            let resolved = resolve::expr(pattern, &mut scope)?;
            scope.part = Part::Value;
            let value = resolve::expr(value, &mut scope)?;
            scope.part = Part::Cond;
            let cond = cond.as_ref().map_or(Ok(Cond::always()), |cond| resolve::cond(cond, &mut scope))?;
            Ok(Clause::Equation {
                names: scope.names,
                pattern: resolved,
                value,
                cond,
                written: tree.to_string(),
                span: *span,
            })
        }
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
    names: Vec<String>,
    slots: HashMap<String, Slot>,
    part: Part,
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
            .help("the names of a clause come from `g(..)` on its left")
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

    fn has_grundy(&self) -> bool {
        self.part == Part::Value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_prints_in_the_notation_in_which_it_is_read() {
        let laws = [
            "g(0) = 1\ng(2n) = g(n) + 2n\ng(2n + 1) = 6n + 3 - g(n)",
            "g(0..) = 0, 0\ng(3a + 1) = g(a) for a >= 1\ng(3a + b) = 2a + b - 1 for 2 <= b <= 3",
            "g(n) = n mod 4",
            "g(0..) = 0, 1, 2\ng(n + 12) = g(n) for n >= 71",
            "g(n) = floor(n/2) for 2 divides n or n >= 5, n not in {7, 9}",
        ];
        for text in laws {
            let law = parse(text, &[]).unwrap();
            assert_eq!(law.to_string(), text);
            assert_eq!(parse(&law.to_string(), &[]).unwrap(), law);
        }
    }

    #[test]
    fn names_come_from_the_pattern_in_order() {
        let law = parse("g(3a + b) = g(a) + b for b < 3", &[]).unwrap();
        let Clause::Equation { names, value, .. } = &law.clauses[0] else { panic!("an equation") };
        assert_eq!(names, &["a", "b"]);
        let grundy = Expr::Grundy(Box::new(Expr::Slot(0)));
        assert_eq!(*value, Expr::Binary(crate::expr::Op::Add, Box::new(grundy), Box::new(Expr::Slot(1))));
    }

    #[test]
    fn what_is_wrong_with_a_law_is_said_for_every_clause() {
        let errors = parse("g(n) = m\ng(g(n)) = n\ng(n) = n/2\ng(0..) = -1", &[]).unwrap_err();
        let ids: Vec<&str> = errors.iter().map(|e| e.id).collect();
        assert_eq!(ids, ["unknown-name", "unknown-name", "rounding", "law-negative"]);
        assert_eq!(parse("g(n) = n\ng(0..) = 1", &[]).unwrap_err()[0].id, "law-order");
        assert_eq!(parse("", &[]).unwrap_err()[0].id, "syntax");
        assert_eq!(parse("f(n) = 3", &[]).unwrap_err()[0].id, "syntax");
    }
}
