//! What is printed: text with expressions in braces.

use grundy_rule::expr::{AtomKind, Cond, Expr, Int, Set, Slot};
use grundy_rule::rule::Param;

use crate::error::Error;

/// When a line of the output is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum When {
    Win,
    Lose,
    Draw,
    Score,
    /// Once for each winning move.
    Each,
}

/// A line of the output.
#[derive(Clone, Debug)]
pub(super) struct Say {
    pub(super) when: When,
    pub(super) pieces: Vec<Piece>,
    /// `where i = ...`, in order.
    pub(super) lets: Vec<(Slot, Expr)>,
    /// `least i, j`: of all winning moves the one with the least of these.
    pub(super) least: Vec<Expr>,
    /// Whether it says something about a move, about the rule's variables, and about how many moves win.
    pub(super) needs: Needs,
}

/// What must be known before a line can be said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) a_move: bool,
    pub(super) variables: bool,
    pub(super) count: bool,
    /// `from` or `to` alone: a single number.
    pub(super) one_from: bool,
    pub(super) one_to: bool,
}

/// A piece of a template.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Text(String),
    Value(Expr),
}

impl Say {
    /// All expressions of the line.
    pub(super) fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let pieces = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Value(expr) => Some(expr),
            Piece::Text(_) => None,
        });
        self.lets.iter().map(|(_, expr)| expr).chain(&self.least).chain(pieces)
    }

    /// Fills in the names after `where`.
    pub(super) fn bind(&self, frame: &mut [Int], lists: &[Param]) -> Result<(), Error> {
        for (slot, expr) in &self.lets {
            frame[*slot] = value(expr, frame, lists)?;
        }
        Ok(())
    }

    /// The keys after `least`.
    pub(super) fn keys(&self, frame: &[Int], lists: &[Param]) -> Result<Vec<Int>, Error> {
        self.least.iter().map(|expr| value(expr, frame, lists)).collect()
    }

    /// Prints the line, with its end.
    pub(super) fn print(&self, frame: &[Int], lists: &[Param], out: &mut Vec<u8>) -> Result<(), Error> {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text.as_bytes()),
                Piece::Value(expr) => number(value(expr, frame, lists)?, out),
            }
        }
        out.push(b'\n');
        Ok(())
    }
}

fn value(expr: &Expr, frame: &[Int], lists: &[Param]) -> Result<Int, Error> {
    expr.eval(frame, lists)
        .map_err(|error| Error::new(error.id, format!("the output has no meaning here: {error}")))
}

fn number(value: Int, out: &mut Vec<u8>) {
    let mut digits = [0; 40];
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(rest % 10).expect("a digit");
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

/// Calls `slot` and `list` for all that an expression mentions.
pub(super) fn mentions(expr: &Expr, slot: &mut dyn FnMut(Slot), list: &mut dyn FnMut(usize)) {
    match expr {
        Expr::Const(_) => {}
        Expr::Slot(s) => slot(*s),
        Expr::Param(p) | Expr::Len(p) => list(*p),
        Expr::Item(p, a) => {
            list(*p);
            mentions(a, slot, list);
        }
        Expr::Neg(a) | Expr::Grundy(a) => mentions(a, slot, list),
        Expr::Binary(_, a, b) => {
            mentions(a, slot, list);
            mentions(b, slot, list);
        }
        Expr::Call(_, all) => all.iter().for_each(|e| mentions(e, slot, list)),
    }
}

/// As [`mentions`], for a set.
pub(super) fn set_mentions(set: &Set, slot: &mut dyn FnMut(Slot), list: &mut dyn FnMut(usize)) {
    match set {
        Set::List(all) | Set::Named(_, all) => all.iter().for_each(|e| mentions(e, slot, list)),
        Set::Range(lo, hi) => {
            mentions(lo, slot, list);
            if let Some(hi) = hi {
                mentions(hi, slot, list);
            }
        }
        Set::Param(p) => list(*p),
    }
}

/// As [`mentions`], for a condition.
pub(super) fn cond_mentions(cond: &Cond, slot: &mut dyn FnMut(Slot), list: &mut dyn FnMut(usize)) {
    match cond {
        Cond::And(all) | Cond::Or(all) => all.iter().for_each(|c| cond_mentions(c, slot, list)),
        Cond::Not(c) => cond_mentions(c, slot, list),
        Cond::Atom(atom) => match &atom.kind {
            AtomKind::Rel(a, _, b) | AtomKind::Divides(a, _, b) => {
                mentions(a, slot, list);
                mentions(b, slot, list);
            }
            AtomKind::PairIn(a, b, _, pairs) => {
                mentions(a, slot, list);
                mentions(b, slot, list);
                list(*pairs);
            }
            AtomKind::In(a, _, set) => {
                mentions(a, slot, list);
                set_mentions(set, slot, list);
            }
        },
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_print_as_always() {
        for value in [0, 7, -1, 10, i128::MAX, i128::MIN] {
            let mut out = Vec::new();
            super::number(value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), value.to_string());
        }
    }
}
