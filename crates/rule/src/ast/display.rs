//! Trees as text: what is written can be read back as the same tree, whatever brackets and blanks it had.

use std::fmt::{self, Display, Formatter, Write};

use crate::ast::{BinaryOp, Clause, Cond, CondKind, Entry, Expr, ExprKind, RelOp, Set, SetKind, Subject};

/// How tightly a form binds; brackets are needed where less than the surroundings want.
fn strength(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => 1,
        ExprKind::Binary(BinaryOp::Pow, ..) => 4,
        ExprKind::Binary(..) => 2,
        ExprKind::Neg(_) => 3,
        ExprKind::Number(value) if *value < 0 => 3,
        _ => 5,
    }
}

fn write_expr(expr: &Expr, wanted: u8, f: &mut Formatter<'_>) -> fmt::Result {
    if strength(expr) < wanted {
        f.write_char('(')?;
        write_expr(expr, 0, f)?;
        return f.write_char(')');
    }
    match &expr.kind {
        ExprKind::Number(value) => write!(f, "{value}"),
        ExprKind::Name(name) => f.write_str(name),
        ExprKind::Index(name, index) => write!(f, "{}[{index}]", name.text),
        ExprKind::Call(name, args) => {
            write!(f, "{}(", name.text)?;
            write_list(args, f)?;
            f.write_char(')')
        }
        ExprKind::Neg(inner) => {
            f.write_char('-')?;
            write_expr(inner, 3, f)
        }
        ExprKind::Binary(op, left, right) => {
            let (sign, left_wants, right_wants) = match op {
                BinaryOp::Add => (" + ", 1, 2),
                BinaryOp::Sub => (" - ", 1, 2),
                BinaryOp::Mul if is_product_sign_implied(left, right) => ("", 2, 3),
                BinaryOp::Mul => ("*", 2, 3),
                BinaryOp::Ratio => ("/", 2, 3),
                BinaryOp::FloorDiv => (" // ", 2, 3),
                BinaryOp::Mod => (" mod ", 2, 3),
                BinaryOp::Pow => ("^", 5, 3),
            };
            write_expr(left, left_wants, f)?;
            f.write_str(sign)?;
            write_expr(right, right_wants, f)
        }
    }
}

/// `2n`, `2(n + 1)`, `2n^2`; but `2*3^n`.
fn is_product_sign_implied(left: &Expr, right: &Expr) -> bool {
    let number = matches!(left.kind, ExprKind::Number(value) if value >= 0);
    let mut first = right;
    loop {
        match &first.kind {
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Call(..) => return number,
            ExprKind::Binary(BinaryOp::Pow, base, _) if strength(base) >= 5 => first = base,
            // What binds more loosely gets brackets.
            ExprKind::Binary(..) => return number,
            ExprKind::Number(_) | ExprKind::Neg(_) => return false,
        }
    }
}

fn write_list(exprs: &[Expr], f: &mut Formatter<'_>) -> fmt::Result {
    for (i, expr) in exprs.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write_expr(expr, 0, f)?;
    }
    Ok(())
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_expr(self, 0, f)
    }
}

impl Display for RelOp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RelOp::Eq => "=",
            RelOp::Ne => "!=",
            RelOp::Lt => "<",
            RelOp::Le => "<=",
            RelOp::Gt => ">",
            RelOp::Ge => ">=",
        })
    }
}

impl Display for Set {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            SetKind::List(members) => {
                f.write_char('{')?;
                write_list(members, f)?;
                f.write_char('}')
            }
            SetKind::Range(low, Some(high)) => write!(f, "{low}..{high}"),
            SetKind::Range(low, None) => write!(f, "{low}.."),
            SetKind::Named(name, args) if args.is_empty() => f.write_str(&name.text),
            SetKind::Named(name, args) => {
                write!(f, "{}(", name.text)?;
                write_list(args, f)?;
                f.write_char(')')
            }
        }
    }
}

/// What a condition may stand in without brackets: 0 anything, 1 a part of a comma, 2 of `or`, 3 of `and`, 4 of
/// `not`.
fn write_cond(cond: &Cond, wanted: u8, f: &mut Formatter<'_>) -> fmt::Result {
    let (parts, sign, inner, own) = match &cond.kind {
        CondKind::And(parts) if wanted == 0 => (parts, ", ", 1, 0),
        CondKind::And(parts) if wanted == 2 => (parts, " and ", 3, 2),
        CondKind::And(parts) => (parts, ", ", 1, 0),
        CondKind::Or(parts) => (parts, " or ", 2, 1),
        CondKind::Not(inner) => {
            f.write_str("not ")?;
            return write_cond(inner, 4, f);
        }
        _ => return write_relation(cond, f),
    };
    let brackets = own < wanted;
    if brackets {
        f.write_char('(')?;
    }
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(sign)?;
        }
        write_cond(part, inner, f)?;
    }
    if brackets {
        f.write_char(')')?;
    }
    Ok(())
}

fn write_relation(cond: &Cond, f: &mut Formatter<'_>) -> fmt::Result {
    let not = |not: bool| if not { "not in" } else { "in" };
    match &cond.kind {
        CondKind::Relation(firsts, links) => {
            write_list(firsts, f)?;
            for (op, right) in links {
                write!(f, " {op} {right}")?;
            }
            Ok(())
        }
        CondKind::In(members, negated, set) => {
            write_list(members, f)?;
            write!(f, " {} {set}", not(*negated))
        }
        CondKind::PairIn(pair, negated, name) => {
            write!(f, "({}, {}) {} {}", pair.0, pair.1, not(*negated), name.text)
        }
        CondKind::Divides(divisors, multiple) => {
            write_list(divisors, f)?;
            write!(f, " divides {multiple}")
        }
        CondKind::And(_) | CondKind::Or(_) | CondKind::Not(_) => write_cond(cond, 0, f),
    }
}

impl Display for Cond {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_cond(self, 0, f)
    }
}

fn write_for(cond: Option<&Cond>, f: &mut Formatter<'_>) -> fmt::Result {
    cond.map_or(Ok(()), |cond| write!(f, " for {cond}"))
}

fn write_tuple(entries: &[Entry], f: &mut Formatter<'_>) -> fmt::Result {
    for (i, entry) in entries.iter().enumerate() {
        f.write_str(if i == 0 { "(" } else { ", " })?;
        match entry {
            Entry::Name(name) => f.write_str(&name.text)?,
            Entry::Number(number, _) => write!(f, "{number}")?,
        }
    }
    f.write_str(")")
}

impl Display for Clause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Clause::Values { of, start, values, .. } => {
                write!(f, "{}({start}..) = ", of.letter())?;
                for (i, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if i > 0 { ", " } else { "" })?;
                }
                Ok(())
            }
            Clause::Equation { of, pattern, value, cond, .. } => {
                write!(f, "{}({pattern}) = {value}", of.letter())?;
                write_for(cond.as_ref(), f)
            }
            Clause::Pair { pattern, pair, cond, .. } => {
                write!(f, "{}({pattern}) = ({}, {})", Subject::Zeros.letter(), pair.0, pair.1)?;
                write_for(cond.as_ref(), f)
            }
            Clause::Tuple { entries, value, cond, .. } => {
                f.write_str("g")?;
                write_tuple(entries, f)?;
                write!(f, " = {value}")?;
                write_for(cond.as_ref(), f)
            }
            Clause::Lost { entries, cond, .. } => {
                write_tuple(entries, f)?;
                write!(f, " for {cond}")
            }
            Clause::Window { heap, left, from, .. } => {
                let heap = &heap.text;
                write!(f, "window L({heap}) = {left}")?;
                if *from > 0 { write!(f, " for {heap} >= {from}") } else { Ok(()) }
            }
            Clause::Automaton(block) => block.fmt(f),
            Clause::Automatic(block) => block.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::Parser;

    #[test]
    fn expressions_print_as_they_are_typed() {
        let same = [
            "2n + 1",
            "-2^2",
            "(-2)^2",
            "2^3^2",
            "(2^3)^2",
            "a - (b - c)",
            "a - b - c",
            "2n/3",
            "n/(2k)",
            "x mod 2*n",
            "2(n + 1)",
            "2n^2",
            "2*3^n",
            "-(a + b)",
            "floor((n - 1)/2)",
            "c[i + 1]*k",
            "2^(2n)",
            "a*(b/c)",
            "2*-n",
            "2(a*b)",
        ];
        for text in same {
            let mut parser = Parser::new(text);
            let expr = parser.expr().expect("an expression");
            assert!(parser.at_end() && parser.take_diagnostics().is_empty(), "{text}");
            assert_eq!(expr.to_string(), text);
        }
    }

    #[test]
    fn conditions_print_as_they_are_typed() {
        let same = [
            "a < b",
            "a, b >= 1, c in 1..",
            "a = 1 or b = 2, c = 3",
            "a = 1 and b = 2 or c = 3",
            "not (a = 1, b = 2)",
            "(a, b) not in S",
            "1 <= t < n",
            "d divides n",
            "t in {1, 3}",
            "x not in powers(2)",
            "(a = 1 or b = 2) and c = 3 or d = 4",
            "(a = 1, b = 2), c = 3",
            "not a = 1",
        ];
        for text in same {
            let mut parser = Parser::new(text);
            let cond = parser.cond().expect("a condition");
            assert!(parser.at_end() && parser.take_diagnostics().is_empty(), "{text}");
            assert_eq!(cond.to_string(), text);
        }
    }
}
