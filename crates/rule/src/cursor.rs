//! A place in a short text that is read character by character: values of parameters and positions.
//!
//! Both are what people type on a command line and have no tokens: `3x5` is three heaps in a position and no product.
//! Full-width characters and other look-alikes count as the plain ones, as in rules.

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Int;
use crate::lexer::plain_char;

/// A text and how far it has been read.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a str,
    /// The byte that comes next.
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    pub(crate) fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character, made plain; `'\0'` at the end.
    pub(crate) fn peek(&self) -> char {
        match self.text.as_bytes().get(self.at) {
            None => '\0',
            Some(byte) if byte.is_ascii() => char::from(*byte),
            Some(_) => self.rest().chars().next().map_or('\0', plain_char),
        }
    }

    /// Goes over a character.
    pub(crate) fn bump(&mut self) {
        self.at = self.here().end;
    }

    /// Goes over white space.
    pub(crate) fn blanks(&mut self) {
        while self.peek().is_whitespace() {
            self.bump();
        }
    }

    /// Goes over white space, and over that character if it follows.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        self.blanks();
        let found = !self.at_end() && self.peek() == wanted;
        if found {
            self.bump();
        }
        found
    }

    /// The place of the next character, empty at the end.
    pub(crate) fn here(&self) -> Span {
        let len = match self.text.as_bytes().get(self.at) {
            None => 0,
            Some(byte) if byte.is_ascii() => 1,
            Some(_) => self.rest().chars().next().map_or(1, char::len_utf8),
        };
        Span::new(self.at, self.at + len)
    }

    /// Reads decimal digits: `None` if there are none, `Some(None)` if they are beyond 128 bits.
    pub(crate) fn digits(&mut self) -> Option<Option<Int>> {
        let mut small: u64 = 0;
        let mut count = 0_u32;
        let mut large: Option<Int> = None;
        while let c @ '0'..='9' = self.peek() {
            self.bump();
            count += 1;
            let digit = u64::from(u32::from(c) - u32::from('0'));
            // 19 digits are below 2^64, and nearly all numbers have no more.
            if count <= 19 {
                small = small * 10 + digit;
            } else {
                let before = if count == 20 { Some(Int::from(small)) } else { large };
                large = before.and_then(|v| v.checked_mul(10)).and_then(|v| v.checked_add(Int::from(digit)));
            }
        }
        match count {
            0 => None,
            1..=19 => Some(Some(Int::from(small))),
            _ => Some(large),
        }
    }

    /// The number that began at `start` and has been read so far is too large.
    pub(crate) fn overflow(&self, start: usize) -> Diagnostic {
        Diagnostic::error("overflow", Span::new(start, self.at), "this number is beyond 128 bits")
    }
}
