//! Names to meanings: a tree becomes a [`crate::Rule`].
//!
//! Expressions and conditions are resolved against a [`Scope`], so that rules, laws and problem files share one
//! reading. Ratios disappear here: `q < a/b` becomes `q < ceil(a/b)` and so on, which is exact for integers as long
//! as `b >= 1`; where `b` could be smaller the division is written so that evaluating it is an error, never a wrong
//! answer (see `relation`). After this stage every expression is a whole number.
//!
//! What makes a rule out of lines - kinds, variables, `for` names, branches - is in the folder, one matter a file.

mod advice;
mod branches;
mod line;
mod names;
mod params;
mod relation;
mod rule;
mod variables;
mod words;

pub use branches::{BRANCHES, branches};
pub use rule::resolve;
pub use words::{function_name, is_function_name, is_set_name, set_name};

use crate::ast::{self, BinaryOp, CondKind, ExprKind, ParamType, SetKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Atom, AtomKind, Cond, Expr, Func, Int, NamedSet, Op, ParamId, Set, Slot};
use relation::{divisor, relation};
use words::{Callee, FUNCTIONS, SETS};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// An entry, a variable or a `for` name.
    Slot(Slot),
    /// A parameter.
    Param(ParamId, ParamType),
}

/// The names that an expression may use.
pub trait Scope {
    /// What the name stands for; `None` if it stands for nothing.
    fn find(&mut self, name: &str) -> Option<Binding>;

    /// What to say about a name that stands for nothing, where something of that type is wanted.
    fn unknown(&mut self, name: &str, span: Span, wanted: ParamType) -> Diagnostic {
        let _ = wanted;
        Diagnostic::error("unknown-name", span, format!("`{name}` is not known here"))
    }

    /// Whether the slot only ever holds numbers of at least 0.
    fn is_natural(&self, slot: Slot) -> bool {
        let _ = slot;
        false
    }

    /// The least value a number parameter can have, if known.
    fn param_at_least(&self, param: ParamId) -> Option<Int> {
        let _ = param;
        None
    }

    /// The letter of the sequence that may be asked for other values: `g` or `z` in the value of a law's clause.
    fn recursive(&self) -> Option<&'static str> {
        None
    }
}

/// Resolves an expression.
///
/// # Errors
/// The first thing wrong with it.
pub fn expr(tree: &ast::Expr, scope: &mut dyn Scope) -> Result<Expr, Diagnostic> {
    match &tree.kind {
        ExprKind::Number(value) => Ok(Expr::Const(*value)),
        ExprKind::Name(name) => match scope.find(name) {
            Some(Binding::Slot(slot)) => Ok(Expr::Slot(slot)),
            Some(Binding::Param(param, ParamType::Number)) => Ok(Expr::Param(param)),
            Some(Binding::Param(_, ty)) => Err(wrong_type(name, tree.span, ty, "a number")),
            None => Err(scope.unknown(name, tree.span, ParamType::Number)),
        },
        ExprKind::Index(name, index) => {
            let index = expr(index, scope)?;
            match scope.find(&name.text) {
                Some(Binding::Param(param, ParamType::List)) => Ok(Expr::Item(param, Box::new(index))),
                Some(Binding::Param(_, ty)) => Err(wrong_type(&name.text, name.span, ty, "a list")),
                Some(Binding::Slot(_)) => Err(Diagnostic::error(
                    "type",
                    name.span,
                    format!("`{}` is a number, only a list has `{}[i]`", name.text, name.text),
                )),
                None => Err(scope.unknown(&name.text, name.span, ParamType::List)),
            }
        }
        ExprKind::Call(name, args) => call(name, args, tree.span, scope),
        ExprKind::Neg(inner) => Ok(negated(expr(inner, scope)?)),
        ExprKind::Binary(BinaryOp::Ratio, top, bottom) => {
            // Errors inside come first: they are what the user wrote last.
            expr(top, scope)?;
            expr(bottom, scope)?;
            Err(rounding(tree, top, bottom))
        }
        ExprKind::Binary(op, left, right) => {
            let op = match op {
                BinaryOp::Add => Op::Add,
                BinaryOp::Sub => Op::Sub,
                BinaryOp::Mul => Op::Mul,
                BinaryOp::FloorDiv => Op::FloorDiv,
                BinaryOp::Mod => Op::Mod,
                BinaryOp::Pow | BinaryOp::Ratio => Op::Pow,
            };
            Ok(joined(op, expr(left, scope)?, expr(right, scope)?))
        }
    }
}

fn wrong_type(name: &str, span: Span, ty: ParamType, wanted: &str) -> Diagnostic {
    Diagnostic::error("type", span, format!("`{name}` is {}, here {wanted} is needed", type_name(ty)))
}

/// The type in words: "a set".
#[must_use]
pub fn type_name(ty: ParamType) -> &'static str {
    match ty {
        ParamType::Number => "a number",
        ParamType::Set => "a set",
        ParamType::List => "a list",
        ParamType::Pairs => "a set of pairs",
    }
}

fn rounding(tree: &ast::Expr, top: &ast::Expr, bottom: &ast::Expr) -> Diagnostic {
    let shown = tree.to_string();
    let message = match bottom.kind {
        ExprKind::Number(b) if b >= 2 => {
            // 7 is what the eye expects of a half or a third; any other divisor has its successor.
            let a = if 7 % b == 0 { b.saturating_add(1) } else { 7 };
            format!("`{shown}` is not always whole: {a}/{b} is not whole")
        }
        _ => format!("`{shown}` is not always whole"),
    };
    let floor = format!("floor({shown})");
    Diagnostic::error("rounding", tree.span, message)
        .help(format!("`{floor}` rounds down; or only where it is whole: `where {bottom} divides {top}`"))
        .patch(tree.span, floor)
}

fn call(name: &ast::Name, args: &[ast::Expr], span: Span, scope: &mut dyn Scope) -> Result<Expr, Diagnostic> {
    if scope.recursive() == Some(name.text.as_str()) {
        let [arg] = args else {
            return Err(Diagnostic::error("arguments", span, format!("`{}` has one argument", name.text)));
        };
        return Ok(Expr::Grundy(Box::new(expr(arg, scope)?)));
    }
    let Some((_, callee, least, most)) = FUNCTIONS.iter().find(|f| f.0 == name.text) else {
        return Err(no_function(name));
    };
    if args.len() < *least || args.len() > *most {
        let message = argument_count(&name.text, *least, *most, args.len());
        return Err(Diagnostic::error("arguments", span, message));
    }
    match callee {
        Callee::Len => len(&args[0], scope),
        Callee::Floor | Callee::Ceil => {
            let ExprKind::Binary(BinaryOp::Ratio, top, bottom) = &args[0].kind else {
                // A whole number is its own floor.
                return expr(&args[0], scope);
            };
            let op = if *callee == Callee::Floor { Op::FloorDiv } else { Op::CeilDiv };
            Ok(joined(op, expr(top, scope)?, expr(bottom, scope)?))
        }
        Callee::Func(func) => {
            let mut resolved = args.iter().map(|arg| expr(arg, scope)).collect::<Result<Vec<_>, _>>()?;
            if *func == Func::DigitSum && resolved.len() == 1 {
                resolved.push(Expr::Const(10));
            }
            Ok(Expr::Call(*func, resolved))
        }
    }
}

fn argument_count(name: &str, least: usize, most: usize, found: usize) -> String {
    match (least, most) {
        (0, _) => format!("`{name}` has no arguments"),
        (1, 1) => format!("`{name}` has one argument, not {found}"),
        _ if least == most => format!("`{name}` has {least} arguments, not {found}"),
        _ if most == usize::MAX => format!("`{name}` has at least {least} arguments, not {found}"),
        _ => format!("`{name}` has {least} or {most} arguments, not {found}"),
    }
}

/// Whether a function has nearly that name: `flor`.
fn is_nearly_function(name: &str) -> bool {
    names::nearest(name, FUNCTIONS.iter().map(|f| f.0)).is_some()
}

/// What to say about a function that there is not.
fn no_function(name: &ast::Name) -> Diagnostic {
    let said = Diagnostic::error("unknown-name", name.span, format!("`{}` is no function", name.text));
    if name.text == "g" {
        return said.help("`g(..)` may stand in the value of a law's clause only");
    }
    match names::nearest(&name.text, FUNCTIONS.iter().map(|f| f.0)) {
        Some(near) => said.help(format!("`{near}`")).patch(name.span, near),
        None => {
            let all: Vec<&str> = FUNCTIONS.iter().map(|f| f.0).collect();
            said.help(format!("functions: {}", all.join(", ")))
        }
    }
}

fn len(arg: &ast::Expr, scope: &mut dyn Scope) -> Result<Expr, Diagnostic> {
    let ExprKind::Name(name) = &arg.kind else {
        return Err(Diagnostic::error("type", arg.span, "`len` wants the name of a list"));
    };
    match scope.find(name) {
        Some(Binding::Param(_, ParamType::Number)) => {
            Err(wrong_type(name, arg.span, ParamType::Number, "a list"))
        }
        Some(Binding::Param(param, _)) => Ok(Expr::Len(param)),
        Some(Binding::Slot(_)) => {
            Err(Diagnostic::error("type", arg.span, format!("`{name}` is a number, it has no `len`")))
        }
        None => Err(scope.unknown(name, arg.span, ParamType::List)),
    }
}

/// `-e`, folded where `e` is a constant.
fn negated(inner: Expr) -> Expr {
    match inner {
        Expr::Const(value) if value != Int::MIN => Expr::Const(-value),
        other => Expr::Neg(Box::new(other)),
    }
}

/// `a op b`, folded where both are constants and the result is one; what fails is left to evaluation.
fn joined(op: Op, left: Expr, right: Expr) -> Expr {
    if let (Expr::Const(a), Expr::Const(b)) = (&left, &right) {
        let (a, b) = (*a, *b);
        let folded = match op {
            Op::Add => a.checked_add(b),
            Op::Sub => a.checked_sub(b),
            Op::Mul => a.checked_mul(b),
            Op::Pow => u32::try_from(b).ok().and_then(|e| a.checked_pow(e)),
            Op::FloorDiv => (b > 0).then(|| a.div_euclid(b)),
            Op::CeilDiv => {
                (b > 0).then(|| a.div_euclid(b)).and_then(|q| q.checked_add(Int::from(a.rem_euclid(b) > 0)))
            }
            Op::Mod => (b > 0).then(|| a.rem_euclid(b)),
        };
        if let Some(value) = folded {
            return Expr::Const(value);
        }
    }
    Expr::Binary(op, Box::new(left), Box::new(right))
}

/// Resolves a set.
///
/// # Errors
/// The first thing wrong with it.
pub fn set(tree: &ast::Set, scope: &mut dyn Scope) -> Result<Set, Diagnostic> {
    match &tree.kind {
        SetKind::List(members) => {
            Ok(Set::List(members.iter().map(|member| expr(member, scope)).collect::<Result<_, _>>()?))
        }
        SetKind::Range(low, high) => {
            let low = range_end(low, Op::CeilDiv, scope)?;
            let high = high.as_ref().map(|high| range_end(high, Op::FloorDiv, scope)).transpose()?;
            Ok(Set::Range(low, high))
        }
        SetKind::Named(name, args) => named_set(name, args, tree.span, scope),
    }
}

fn range_end(tree: &ast::Expr, op: Op, scope: &mut dyn Scope) -> Result<Expr, Diagnostic> {
    let ExprKind::Binary(BinaryOp::Ratio, top, bottom) = &tree.kind else {
        return expr(tree, scope);
    };
    let top = expr(top, scope)?;
    let bottom = expr(bottom, scope)?;
    Ok(joined(op, top, divisor(bottom, scope)))
}

fn named_set(
    name: &ast::Name,
    args: &[ast::Expr],
    span: Span,
    scope: &mut dyn Scope,
) -> Result<Set, Diagnostic> {
    let text = name.text.as_str();
    if args.is_empty() {
        match scope.find(text) {
            Some(Binding::Param(param, ParamType::Set | ParamType::List)) => return Ok(Set::Param(param)),
            Some(Binding::Param(_, ParamType::Pairs)) => {
                return Err(wrong_type(text, name.span, ParamType::Pairs, "a set of numbers"));
            }
            Some(_) => {
                let message = format!("`{text}` is a number; sets are written `{{1, 3}}` or `1..3`");
                return Err(Diagnostic::error("set", span, message)
                    .help(format!("`1..{text}`, or `= {text}` instead of `in {text}`"))
                    .patch(span, format!("1..{text}")));
            }
            None => {}
        }
    }
    let Some((_, named, least, most)) = SETS.iter().find(|s| s.0 == text) else {
        if args.is_empty() && names::nearest(text, SETS.iter().map(|s| s.0)).is_none() {
            return Err(scope.unknown(text, name.span, ParamType::Set));
        }
        let said = Diagnostic::error("unknown-name", name.span, format!("`{text}` is no set"));
        return Err(match names::nearest(text, SETS.iter().map(|s| s.0)) {
            Some(near) => said.help(format!("`{near}`")).patch(name.span, near),
            None => said,
        });
    };
    if args.len() < *least || args.len() > *most {
        let message = argument_count(text, *least, *most, args.len());
        return Err(Diagnostic::error("arguments", span, message));
    }
    let mut resolved = args.iter().map(|arg| expr(arg, scope)).collect::<Result<Vec<_>, _>>()?;
    if *named == NamedSet::Digits && resolved.len() == 1 {
        resolved.push(Expr::Const(10));
    }
    Ok(Set::Named(*named, resolved))
}

/// Resolves a condition.
///
/// # Errors
/// The first thing wrong with it.
pub fn cond(tree: &ast::Cond, scope: &mut dyn Scope) -> Result<Cond, Diagnostic> {
    match &tree.kind {
        CondKind::And(parts) => {
            Ok(all(parts.iter().map(|part| cond(part, scope)).collect::<Result<_, _>>()?))
        }
        CondKind::Or(parts) => {
            Ok(Cond::Or(parts.iter().map(|part| cond(part, scope)).collect::<Result<_, _>>()?))
        }
        CondKind::Not(inner) => Ok(Cond::Not(Box::new(cond(inner, scope)?))),
        CondKind::Relation(firsts, links) => relation(firsts, links, scope),
        CondKind::In(members, not, tree_set) => {
            let members =
                members.iter().map(|m| Ok((expr(m, scope)?, m.span))).collect::<Result<Vec<_>, _>>()?;
            let resolved = set(tree_set, scope)?;
            let atom = |(member, span): (Expr, Span)| {
                Cond::Atom(Atom {
                    kind: AtomKind::In(member, *not, resolved.clone()),
                    span: span.to(tree_set.span),
                })
            };
            Ok(all(members.into_iter().map(atom).collect()))
        }
        CondKind::PairIn(pair, not, name) => {
            let (first, second) = (expr(&pair.0, scope)?, expr(&pair.1, scope)?);
            match scope.find(&name.text) {
                Some(Binding::Param(param, ParamType::Pairs)) => Ok(Cond::Atom(Atom {
                    kind: AtomKind::PairIn(first, second, *not, param),
                    span: tree.span,
                })),
                Some(Binding::Param(_, ty)) => Err(wrong_type(&name.text, name.span, ty, "a set of pairs")),
                Some(Binding::Slot(_)) => {
                    let message = format!("`{}` is a number, here a set of pairs is needed", name.text);
                    Err(Diagnostic::error("type", name.span, message))
                }
                None => Err(scope.unknown(&name.text, name.span, ParamType::Pairs)),
            }
        }
        CondKind::Divides(divisors, multiple) => {
            let divisors =
                divisors.iter().map(|d| Ok((expr(d, scope)?, d.span))).collect::<Result<Vec<_>, _>>()?;
            let resolved = expr(multiple, scope)?;
            let atom = |(divisor, span): (Expr, Span)| {
                Cond::Atom(Atom {
                    kind: AtomKind::Divides(divisor, false, resolved.clone()),
                    span: span.to(multiple.span),
                })
            };
            Ok(all(divisors.into_iter().map(atom).collect()))
        }
    }
}

/// All of them, without needless nesting.
fn all(parts: Vec<Cond>) -> Cond {
    let mut out = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Cond::And(inner) => out.extend(inner),
            other => out.push(other),
        }
    }
    if out.len() == 1 { out.swap_remove(0) } else { Cond::And(out) }
}

#[cfg(test)]
mod tests;
