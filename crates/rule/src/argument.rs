//! Values for parameters as a caller gives them: the right side of `k=3`.
//!
//! What a value *is* depends on the parameter: `S=5` is a number, a set or a list. An [`Argument`] keeps the form
//! that was typed, and the type decides at last, in [`crate::resolve`].
//!
//! Millions of numbers come in this way (the edges of a graph, banned pairs), so the text is scanned in one pass
//! without tokens.

use std::sync::Arc;

use crate::ast::ParamType;
use crate::cursor::Cursor;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Int;
use crate::pairs::Pairs;
use crate::rule::Value;
pub use crate::words::LIMIT;
use crate::words::Words;

/// A value as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `3`, `10^18`
    Number(Int),
    /// `2,5,7`, `{2, 5, 7}`, `[1, 1, 2]`, `1..5`: in the order written.
    Numbers(Vec<Int>),
    /// `(0,1),(0,2)`
    Pairs(Vec<(Int, Int)>),
    /// Numbers parted by white space, as in a file: two by two for pairs.
    Words(Words),
}

impl Argument {
    /// Reads what stands after `name=`.
    ///
    /// Numbers may have a sign and be written with `^ * + -` (`10^18`, `2*10^5`); a list may be in braces or
    /// brackets and may hold ranges `1..5`; pairs are `(0,1),(0,2)`.
    ///
    /// # Errors
    /// `error[argument]` with its place in `text`; `error[overflow]` for numbers beyond 128 bits.
    ///
    /// ```
    /// use grundy_rule::argument::Argument;
    /// assert_eq!(Argument::parse("10^18"), Ok(Argument::Number(1_000_000_000_000_000_000)));
    /// assert_eq!(Argument::parse("{2, 5..7}"), Ok(Argument::Numbers(vec![2, 5, 6, 7])));
    /// assert_eq!(Argument::parse("(0,1), (0,2)"), Ok(Argument::Pairs(vec![(0, 1), (0, 2)])));
    /// ```
    pub fn parse(text: &str) -> Result<Argument, Diagnostic> {
        let mut scanner = Scanner { cursor: Cursor::new(text) };
        let argument = scanner.argument()?;
        scanner.cursor.blanks();
        if !scanner.cursor.at_end() {
            return Err(scanner.error("a number, `,` or the end"));
        }
        // Whoever types `1-12` means a range, and -11 would be taken without a word.
        if let (Argument::Number(value), Some((low, high))) = (&argument, text.split_once('-'))
            && *value < 0
            && [low, high].iter().all(|end| !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit()))
        {
            let message = format!("`{text}` is the number {value}");
            let span = Span::new(0, text.len());
            let help = format!("a range is written `{low}..{high}`");
            return Err(Diagnostic::error("argument", span, message).help(help));
        }
        Ok(argument)
    }

    /// Reads numbers parted by white space (commas count as such), as a file holds them.
    ///
    /// # Errors
    /// As [`Argument::parse`].
    pub fn numbers(content: &str) -> Result<Argument, Diagnostic> {
        let mut scanner = Scanner { cursor: Cursor::new(content) };
        let mut out = Words::default();
        loop {
            scanner.cursor.at += out.read(&content.as_bytes()[scanner.cursor.at..], true);
            scanner.room(out.len())?;
            while scanner.cursor.peek() == ',' || scanner.cursor.peek().is_whitespace() {
                scanner.cursor.bump();
            }
            if scanner.cursor.at_end() {
                return Ok(Argument::Words(out));
            }
            out.push(scanner.signed()?);
            if !matches!(scanner.cursor.peek(), ',' | '\0') && !scanner.cursor.peek().is_whitespace() {
                return Err(scanner.error("a number or white space"));
            }
        }
    }

    /// The value for a parameter of that type.
    ///
    /// # Errors
    /// What is wanted, as the end of a sentence that begins with the name.
    pub fn value(self, ty: ParamType) -> Result<Value, String> {
        let numbers = |numbers: Vec<Int>| match ty {
            ParamType::List => Value::List(numbers),
            _ => Value::Set(ascending(numbers)),
        };
        let pairs = |pairs| Value::Pairs(Arc::new(pairs));
        match (ty, self) {
            (ParamType::Number, Argument::Number(value)) => Ok(Value::Number(value)),
            (ParamType::Number, Argument::Words(words)) if words.len() == 1 => {
                Ok(Value::Number(words.iter().sum()))
            }
            (ParamType::Set | ParamType::List, Argument::Number(value)) => Ok(numbers(vec![value])),
            (ParamType::Set | ParamType::List, Argument::Numbers(list)) => Ok(numbers(list)),
            (ParamType::Set | ParamType::List, Argument::Words(words)) => Ok(numbers(words.iter().collect())),
            (ParamType::Pairs, Argument::Pairs(rows)) => Ok(pairs(Pairs::new(rows))),
            (ParamType::Pairs, Argument::Words(words)) => {
                let count = words.len();
                let wanted = || format!("wants pairs, which cannot be made of {count} numbers");
                words.into_pairs().map(pairs).ok_or_else(wanted)
            }
            (ParamType::Pairs, Argument::Numbers(list)) if list.is_empty() => Ok(pairs(Pairs::default())),
            (ParamType::Number, _) => Err("wants one number, such as `3`".to_string()),
            (ParamType::Pairs, _) => Err("wants pairs, such as `(0,1),(0,2)`".to_string()),
            (_, Argument::Pairs(_)) => Err("wants numbers, such as `2,5,7`".to_string()),
        }
    }
}

fn ascending<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}

struct Scanner<'a> {
    cursor: Cursor<'a>,
}

impl Scanner<'_> {
    fn error(&self, wanted: &str) -> Diagnostic {
        let span = self.cursor.here();
        let found = match &self.cursor.text[span.start..span.end] {
            "" => "the end".to_string(),
            here => format!("`{here}`"),
        };
        Diagnostic::error("argument", span, format!("expected {wanted}, found {found}"))
            .help("a value is a number `3`, numbers `2,5,7`, a range `1..5` or pairs `(0,1),(0,2)`")
    }

    fn room(&self, len: usize) -> Result<(), Diagnostic> {
        if len <= LIMIT {
            return Ok(());
        }
        let span = Span::new(self.cursor.at, self.cursor.at);
        Err(Diagnostic::error("argument", span, format!("a value holds at most {LIMIT} numbers")))
    }

    fn argument(&mut self) -> Result<Argument, Diagnostic> {
        self.cursor.blanks();
        let close = match self.cursor.peek() {
            '{' => '}',
            '[' => ']',
            _ => '\0',
        };
        if close != '\0' {
            self.cursor.bump();
            if self.cursor.eat(close) {
                return Ok(Argument::Numbers(Vec::new()));
            }
        }
        self.cursor.blanks();
        let argument = if self.cursor.peek() == '(' { self.pairs()? } else { self.list()? };
        if close == '\0' {
            return Ok(argument);
        }
        if !self.cursor.eat(close) {
            return Err(self.error(&format!("`{close}`")));
        }
        Ok(match argument {
            Argument::Number(value) => Argument::Numbers(vec![value]),
            other => other,
        })
    }

    fn pairs(&mut self) -> Result<Argument, Diagnostic> {
        let mut out = Vec::new();
        loop {
            if !self.cursor.eat('(') {
                return Err(self.error("`(`"));
            }
            let first = self.number()?;
            if !self.cursor.eat(',') {
                return Err(self.error("`,`"));
            }
            let second = self.number()?;
            if !self.cursor.eat(')') {
                return Err(self.error("`)`"));
            }
            out.push((first, second));
            self.room(out.len())?;
            // The comma may be left out: `(0,1) (0,2)`.
            if !self.cursor.eat(',') && self.cursor.peek() != '(' {
                return Ok(Argument::Pairs(out));
            }
        }
    }

    fn list(&mut self) -> Result<Argument, Diagnostic> {
        let mut out = Vec::new();
        let mut several = false;
        loop {
            let start = self.cursor.at;
            let low = self.number()?;
            self.cursor.blanks();
            if self.cursor.rest().starts_with("..") {
                self.cursor.at += 2;
                let high = self.number()?;
                several = true;
                let many = high.checked_sub(low).and_then(|gap| usize::try_from(gap).ok());
                match many {
                    _ if high < low => {}
                    Some(gap) if gap < LIMIT && out.len() + gap < LIMIT => out.extend(low..=high),
                    _ => {
                        let span = Span::new(start, self.cursor.at);
                        let message = format!("a value holds at most {LIMIT} numbers");
                        return Err(Diagnostic::error("argument", span, message)
                            .help("write the range into the rule: `t in 1..k`"));
                    }
                }
            } else {
                out.push(low);
            }
            self.room(out.len())?;
            if !self.cursor.eat(',') {
                break;
            }
            several = true;
        }
        match out.as_slice() {
            [only] if !several => Ok(Argument::Number(*only)),
            _ => Ok(Argument::Numbers(out)),
        }
    }

    /// A number, possibly written as `2*10^5 + 1`.
    fn number(&mut self) -> Result<Int, Diagnostic> {
        self.cursor.blanks();
        let start = self.cursor.at;
        let mut total = self.product(start)?;
        loop {
            let minus = match self.cursor.peek() {
                '+' => false,
                '-' => true,
                c if c.is_whitespace() => {
                    self.cursor.blanks();
                    continue;
                }
                _ => return Ok(total),
            };
            self.cursor.bump();
            let next = self.product(start)?;
            let sum = if minus { total.checked_sub(next) } else { total.checked_add(next) };
            total = sum.ok_or_else(|| self.cursor.overflow(start))?;
        }
    }

    fn product(&mut self, start: usize) -> Result<Int, Diagnostic> {
        let mut total = self.power(start)?;
        while self.cursor.eat('*') {
            let next = self.power(start)?;
            total = total.checked_mul(next).ok_or_else(|| self.cursor.overflow(start))?;
        }
        Ok(total)
    }

    /// `10^18`; a sign binds more loosely: `-2^2` is -4.
    fn power(&mut self, start: usize) -> Result<Int, Diagnostic> {
        self.cursor.blanks();
        let negative = self.cursor.peek() == '-';
        if negative {
            self.cursor.bump();
            self.cursor.blanks();
        }
        let base = self.digits()?;
        let mut value = base;
        if self.cursor.eat('^') {
            self.cursor.blanks();
            let exponent = self.digits()?;
            let exponent = u32::try_from(exponent).ok();
            value = exponent.and_then(|e| base.checked_pow(e)).ok_or_else(|| self.cursor.overflow(start))?;
        }
        Ok(if negative { -value } else { value })
    }

    fn signed(&mut self) -> Result<Int, Diagnostic> {
        let negative = self.cursor.peek() == '-';
        if negative {
            self.cursor.bump();
        }
        let value = self.digits()?;
        Ok(if negative { -value } else { value })
    }

    fn digits(&mut self) -> Result<Int, Diagnostic> {
        let start = self.cursor.at;
        match self.cursor.digits() {
            Some(number) => number.ok_or_else(|| self.cursor.overflow(start)),
            None => Err(self.error("a number")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<Int> {
        match Argument::parse(text) {
            Ok(Argument::Numbers(list)) => list,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn values_are_read_in_every_form() {
        let number = |text: &str| Argument::parse(text).unwrap();
        assert_eq!(number(" 3 "), Argument::Number(3));
        assert_eq!(number("-2^2"), Argument::Number(-4));
        assert_eq!(number("2*10^5 - 1"), Argument::Number(199_999));
        assert_eq!(number("\u{ff11}\u{ff12}"), Argument::Number(12));
        assert_eq!(number(&Int::MAX.to_string()), Argument::Number(Int::MAX));
        assert_eq!(numbers("{2,5, 7}"), [2, 5, 7]);
        assert_eq!(numbers("[1,1,2]"), [1, 1, 2]);
        assert_eq!(numbers("{4}"), [4]);
        assert_eq!(numbers("{}"), []);
        assert_eq!(numbers("1..3, 10, 5..4, 7..7"), [1, 2, 3, 10, 7]);
        assert_eq!(number("{(0,1) (2, 3)}"), Argument::Pairs(vec![(0, 1), (2, 3)]));
        let words = [1, 2, -3, 4].into_iter().collect();
        assert_eq!(Argument::numbers(" 1 2\r\n-3,4\n"), Ok(Argument::Words(words)));
    }

    #[test]
    fn what_is_no_value_is_said_at_its_place() {
        let place = |text: &str| Argument::parse(text).map_err(|e| (e.id, e.span.start)).unwrap_err();
        assert_eq!(place(""), ("argument", 0));
        assert_eq!(place("1,,2"), ("argument", 2));
        assert_eq!(place("{1,2"), ("argument", 4));
        assert_eq!(place("1.5"), ("argument", 1));
        assert_eq!(place("(1,2"), ("argument", 4));
        assert_eq!(place("(1,2,3)"), ("argument", 4));
        assert_eq!(place("1..10^18"), ("argument", 0));
        assert_eq!(place("2^127"), ("overflow", 0));
        assert_eq!(place("1-12"), ("argument", 0));
        assert_eq!(Argument::parse("12-1"), Ok(Argument::Number(11)));
        assert_eq!(Argument::parse("1 - 12"), Ok(Argument::Number(-11)));
        assert_eq!(place("170141183460469231731687303715884105728").0, "overflow");
        assert_eq!(place("n"), ("argument", 0));
        assert_eq!(Argument::numbers("1 2x").unwrap_err().span.start, 3);
        assert_eq!(Argument::numbers("1 99999999999999999999x").unwrap_err().span.start, 22);
    }

    #[test]
    fn the_type_of_the_parameter_decides() {
        let value = |text: &str, ty| Argument::parse(text).unwrap().value(ty);
        let rows = |rows| Value::Pairs(Arc::new(Pairs::new(rows)));
        assert_eq!(value("5", ParamType::Set), Ok(Value::Set(vec![5])));
        assert_eq!(value("5", ParamType::List), Ok(Value::List(vec![5])));
        assert_eq!(value("7,2,7", ParamType::Set), Ok(Value::Set(vec![2, 7])));
        assert_eq!(value("7,2,7", ParamType::List), Ok(Value::List(vec![7, 2, 7])));
        assert_eq!(value("(3,1),(0,2),(3,1)", ParamType::Pairs), Ok(rows(vec![(3, 1), (0, 2)])));
        assert!(value("1,2", ParamType::Pairs).is_err());
        assert!(value("1,2", ParamType::Number).is_err());
        let digits =
            ["7", "12345678901234567", "123456789012345678", "1234567890123456789", "99999999999999999999"];
        assert_eq!(
            Argument::numbers(&digits.join("\n")),
            Ok(Argument::Words(digits.into_iter().map(|d| d.parse().unwrap()).collect()))
        );
        let words = Argument::numbers("4 1 2 3").unwrap();
        assert_eq!(words.value(ParamType::Pairs), Ok(rows(vec![(2, 3), (4, 1)])));
        assert!(Argument::numbers("1 2 3").unwrap().value(ParamType::Pairs).is_err());
    }
}
