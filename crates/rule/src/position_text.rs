//! Positions as typed: `5 7 12`, `3x5`, `(3, 8)`, `row(7)`.
//!
//! A position has its own scanner because `3x5` is three heaps of 5 here and `3*x5` in a rule. An entry of the
//! position keeps its count: `3x5` is one source of moves, `5 5 5` are three.

use std::collections::HashSet;

use crate::cursor::Cursor;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Int;
use crate::heap::Heap;
use crate::rule::Rule;

/// A heap of a position with how often it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The heap.
    pub heap: Heap,
    /// How often, at least 1.
    pub count: u128,
    /// Where it was written.
    pub span: Span,
}

/// Reads a position of the rule; the empty text is the empty position.
///
/// # Errors
/// `error[position]` for what cannot be read, `error[no-rule]` for a heap that no line of the rule moves; one for
/// each place. Never empty.
///
/// ```
/// # use grundy_rule::{Rule, position_text};
/// let (rule, _) = Rule::parse("row(n) -> row(a), row(b) where a + b = n - 1", &[]).unwrap();
/// let entries = position_text::parse("3xrow(7) row(10^18)", &rule).unwrap();
/// assert_eq!((entries[0].count, entries[1].heap.entries[0]), (3, 1_000_000_000_000_000_000));
/// ```
pub fn parse(text: &str, rule: &Rule) -> Result<Vec<Entry>, Vec<Diagnostic>> {
    let mut scanner = Scanner { cursor: Cursor::new(text) };
    let mut entries = Vec::new();
    let mut errors = Vec::new();
    loop {
        scanner.cursor.blanks();
        if scanner.cursor.at_end() {
            break;
        }
        if errors.len() >= 20 {
            break;
        }
        match scanner.entry(rule) {
            Ok(entry) => entries.push(entry),
            Err(error) => {
                // A heap of an unknown kind was read to its end.
                if error.id != "no-rule" {
                    scanner.skip();
                }
                errors.push(error);
            }
        }
    }
    if errors.is_empty() { Ok(entries) } else { Err(errors) }
}

/// Warns about coins that are listed more than once: they are one coin.
#[must_use]
pub fn repeated_coins(entries: &[Entry], rule: &Rule) -> Vec<Diagnostic> {
    if !rule.coins {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let repeated = entries.iter().filter(|entry| !seen.insert(&entry.heap) || entry.count > 1);
    let warning = |entry: &Entry| {
        let shown = rule.show_heap(entry.heap.kind, &entry.heap.entries);
        Diagnostic::warning("repeated-coin", entry.span, format!("coin {shown} is listed more than once"))
            .help("coins are a set: it is taken as one coin")
    };
    repeated.map(warning).collect()
}

struct Scanner<'a> {
    cursor: Cursor<'a>,
}

impl Scanner<'_> {
    /// After an error: to the next blank outside the brackets of the heap, and over at least one character.
    fn skip(&mut self) {
        if !self.cursor.peek().is_whitespace() {
            self.cursor.bump();
        }
        while !self.cursor.at_end() && !self.cursor.peek().is_whitespace() {
            self.cursor.bump();
        }
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("position", self.cursor.here(), message)
            .help("heaps are parted by blanks: `5 7 12`, `3x5`, `(3, 8)`, `row(7)`")
    }

    fn entry(&mut self, rule: &Rule) -> Result<Entry, Diagnostic> {
        let start = self.cursor.at;
        let mut count = 1_u128;
        if self.cursor.peek().is_ascii_digit() {
            let number = self.number()?;
            // The cross of `3x5` may be typed or pasted; a name after blanks would be a kind.
            let cross = matches!(self.cursor.rest().chars().next(), Some('x' | 'X' | '\u{d7}' | '\u{ff58}'));
            if !cross && !self.spaced_cross() {
                self.must_end(start)?;
                return self.heap(rule, None, vec![number], start, count);
            }
            self.cursor.blanks();
            self.cursor.bump();
            count = u128::try_from(number).unwrap_or(0);
            if count == 0 {
                let span = Span::new(start, self.cursor.at);
                return Err(Diagnostic::error("position", span, "a heap stands in a position at least once"));
            }
            self.cursor.blanks();
            if self.cursor.peek().is_ascii_digit() {
                let heap = self.cursor.at;
                let number = self.number()?;
                self.must_end(heap)?;
                return self.heap(rule, None, vec![number], start, count);
            }
        }
        let name_start = self.cursor.at;
        while self.cursor.peek() == '_' || self.cursor.peek().is_alphanumeric() {
            self.cursor.bump();
        }
        let name = crate::lexer::name_text(self.cursor.text, Span::new(name_start, self.cursor.at));
        if !self.cursor.eat('(') {
            let shown = self.cursor.peek();
            return Err(match shown {
                '-' => self.error("a heap is a natural number"),
                ',' | ';' | '+' => self.error(format!("`{shown}` does not part heaps")),
                '\0' => self.error("expected a heap, found the end"),
                _ => self.error(format!("expected a heap, found `{shown}`")),
            });
        }
        let mut entries = vec![self.number()?];
        while self.cursor.eat(',') {
            entries.push(self.number()?);
        }
        if !self.cursor.eat(')') {
            return Err(self.error("expected `)`"));
        }
        let kind = if name.is_empty() { None } else { Some(name.as_str()) };
        self.heap(rule, kind, entries, start, count)
    }

    /// Whether ` x ` and a heap follow, as in `3 x 5`.
    fn spaced_cross(&self) -> bool {
        let mut rest = self.cursor.rest().trim_start().chars();
        let cross = matches!(rest.next(), Some('x' | 'X' | '\u{d7}'));
        let after = rest.next();
        cross && after.is_some_and(|c| c.is_whitespace() || c.is_ascii_digit())
    }

    /// After the digits of a heap: `1e6`, `1_000` and `2.5` are no numbers here.
    fn must_end(&mut self, start: usize) -> Result<(), Diagnostic> {
        let of_word = |c: char| c == '_' || c == '.' || c == '\'' || c.is_alphanumeric();
        if !of_word(self.cursor.peek()) {
            return Ok(());
        }
        while of_word(self.cursor.peek()) {
            self.cursor.bump();
        }
        let word = &self.cursor.text[start..self.cursor.at];
        Err(Diagnostic::error("position", Span::new(start, self.cursor.at), format!("`{word}` is no number"))
            .help("a number is written with digits, or as a power: `1000000`, `10^6`"))
    }

    /// Digits, possibly a power of digits.
    fn number(&mut self) -> Result<Int, Diagnostic> {
        self.cursor.blanks();
        let start = self.cursor.at;
        let base = self.digits(start)?;
        if self.cursor.peek() != '^' {
            return Ok(base);
        }
        self.cursor.bump();
        let exponent = self.digits(start)?;
        let value = u32::try_from(exponent).ok().and_then(|e| base.checked_pow(e));
        value.ok_or_else(|| self.cursor.overflow(start))
    }

    fn digits(&mut self, start: usize) -> Result<Int, Diagnostic> {
        match self.cursor.digits() {
            Some(number) => number.ok_or_else(|| self.cursor.overflow(start)),
            None => Err(self.error("expected a number")),
        }
    }

    fn heap(
        &self,
        rule: &Rule,
        kind: Option<&str>,
        entries: Vec<Int>,
        start: usize,
        count: u128,
    ) -> Result<Entry, Diagnostic> {
        let span = Span::new(start, self.cursor.at);
        if let Some(found) = rule.kind(kind, entries.len()) {
            return Ok(Entry { heap: Heap { kind: found, entries: entries.into() }, count, span });
        }
        let mut lefts: Vec<String> = Vec::new();
        for line in &rule.lines {
            let left = rule.show_left(line);
            if !lefts.contains(&left) && lefts.len() < 4 {
                lefts.push(left);
            }
        }
        let shown = &self.cursor.text[start..self.cursor.at];
        let mut help = format!("the lines move {}", lefts.join(", "));
        if let Some(meant) = self.meant(rule) {
            help = format!("{help}: the position may be meant as `{meant}`");
        }
        Err(Diagnostic::error("no-rule", span, format!("no line moves a heap {shown}")).help(help))
    }

    /// `3 8` where all heaps are pairs: `(3, 8)`.
    fn meant(&self, rule: &Rule) -> Option<String> {
        let numbers: Vec<&str> = self.cursor.text.split_whitespace().collect();
        let plain = numbers.iter().all(|word| word.bytes().all(|b| b.is_ascii_digit()));
        let [kind] = &rule.kinds[..] else { return None };
        let whole = kind.arity > 1 && numbers.len().is_multiple_of(kind.arity);
        (plain && whole && kind.name.is_none() && numbers.len() <= 12).then(|| {
            let heaps = numbers.chunks(kind.arity).map(|heap| format!("({})", heap.join(", ")));
            heaps.collect::<Vec<_>>().join(" ")
        })
    }
}

impl Rule {
    /// The left side of a line as it is typed: `n`, `(a, b)`, `row(0)`.
    #[must_use]
    pub fn show_left(&self, line: &crate::rule::Line) -> String {
        let entry = |(name, number): (&String, &Option<Int>)| number.map_or(name.clone(), |n| n.to_string());
        let entries: Vec<String> = line.entry_names.iter().zip(&line.pattern).map(entry).collect();
        let kind = self.kinds.get(usize::from(line.kind.0)).and_then(|k| k.name.as_deref());
        match (kind, entries.as_slice()) {
            (None, [only]) => only.clone(),
            (kind, _) => format!("{}({})", kind.unwrap_or(""), entries.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(source: &str) -> Rule {
        Rule::parse(source, &[]).unwrap().0
    }

    fn shown(text: &str, rule: &Rule) -> Vec<(u128, String)> {
        let entries = parse(text, rule).unwrap();
        entries.iter().map(|e| (e.count, rule.show_heap(e.heap.kind, &e.heap.entries))).collect()
    }

    #[test]
    fn heaps_and_counts_are_read() {
        let single = rule("n -> a where a < n");
        let expected = [(1, "5".to_string()), (3, "5".to_string()), (1, "12".to_string())];
        assert_eq!(shown("5 3x5 12", &single), expected);
        assert_eq!(shown(" 5\n3 x 5\t\u{ff11}2", &single), expected);
        assert_eq!(shown("5 3\u{d7}5 (12)", &single), expected);
        assert_eq!(shown("", &single), []);
        let mixed = rule("row(n) -> row(a), row(b) where a + b = n - 1\n(a, b) -> (a - 1, b)");
        assert_eq!(shown("2xrow(7)(3,8) 10x( 1 , 2 )", &mixed)[2], (10, "(1, 2)".to_string()));
    }

    #[test]
    fn what_is_no_heap_is_said_at_its_place() {
        let single = rule("n -> a where a < n");
        let ids = |text: &str| -> Vec<(&str, usize)> {
            parse(text, &single).unwrap_err().iter().map(|e| (e.id, e.span.start)).collect()
        };
        assert_eq!(ids("5 (3,8) row(7)"), [("no-rule", 2), ("no-rule", 8)]);
        assert_eq!(ids("5, 7"), [("position", 1)]);
        assert_eq!(ids("-3"), [("position", 0)]);
        assert_eq!(ids("0x5"), [("position", 0)]);
        assert_eq!(ids("(3"), [("position", 2)]);
        assert_eq!(ids("3x"), [("position", 2)]);
        assert_eq!(ids("999999999999999999999999999999999999999999"), [("overflow", 0)]);
        assert_eq!(ids("5 1e6 2x1_000 7 2.5"), [("position", 2), ("position", 8), ("position", 16)]);
        let error = &parse("1e6", &single).unwrap_err()[0];
        assert_eq!((error.message.as_str(), error.span.end), ("`1e6` is no number", 3));
    }

    #[test]
    fn brackets_that_were_forgotten_are_offered() {
        let pairs = rule("(a, b) -> (a - 1, b)");
        let help = |text: &str| parse(text, &pairs).unwrap_err()[0].help.clone().unwrap_or_default();
        assert!(
            help("3 8 1 2").ends_with("the lines move (a, b): the position may be meant as `(3, 8) (1, 2)`")
        );
        assert!(help("3 8 1").ends_with("the lines move (a, b)"));
        assert!(help("3 (8, 1)").ends_with("the lines move (a, b)"));
    }

    #[test]
    fn a_repeated_coin_is_one_coin() {
        let coins = rule("coins\nn -> nothing");
        let entries = parse("3 5 3 2x7", &coins).unwrap();
        let spans: Vec<usize> = repeated_coins(&entries, &coins).iter().map(|d| d.span.start).collect();
        assert_eq!(spans, [4, 6]);
    }
}
