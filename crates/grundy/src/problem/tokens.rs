//! A judge's input as tokens: words between white space, with their places.
//!
//! Lines mean nothing. The bytes are read once, digit by digit; ten million numbers take about a tenth of a
//! second. A place is only worked out for a message, by counting line ends from the start.

use grundy_rule::expr::Int;

/// A word of the input: bytes `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A word read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// A whole number.
    Is(Int),
    /// A whole number beyond 127 bits.
    Huge,
    /// Anything else.
    Not,
}

/// A cursor over the input.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        // A byte order mark, which some editors put first.
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Tokens { bytes, at }
    }

    /// Where the next word begins, or the end of the input.
    pub(super) fn next_start(&mut self) -> usize {
        while let Some(byte) = self.bytes.get(self.at) {
            if !is_space(*byte) {
                break;
            }
            self.at += 1;
        }
        self.at
    }

    /// Whether no word is left.
    pub(super) fn at_end(&mut self) -> bool {
        self.next_start() == self.bytes.len()
    }

    /// Goes back (or on) to a place that [`Tokens::next_start`] gave.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The next word, if there is one.
    pub(super) fn word(&mut self) -> Option<Word> {
        let start = self.next_start();
        while self.bytes.get(self.at).is_some_and(|byte| !is_space(*byte)) {
            self.at += 1;
        }
        (self.at > start).then_some(Word { start, end: self.at })
    }

    /// The next word, if it is plainly a natural number in `lo..=hi`: at most 19 digits, white space after them. If not,
    /// none is read and [`Tokens::number`] says more. Nearly all numbers of large inputs are such.
    #[inline]
    pub(super) fn plain(&mut self, lo: u64, hi: u64) -> Option<u64> {
        let (end, value) = self.plain_from(self.at)?;
        if value < lo || value > hi {
            return None;
        }
        self.at = end;
        Some(value)
    }

    /// As many numbers as [`Tokens::plain`] reads one after the other, at most as many as there is room for: how many.
    pub(super) fn plain_ones(&mut self, lo: u64, hi: u64, room: &mut [u64]) -> usize {
        let mut at = self.at;
        let mut read = 0;
        for place in room {
            match self.plain_from(at) {
                Some((end, value)) if value >= lo && value <= hi => (at, *place) = (end, value),
                _ => break,
            }
            read += 1;
        }
        self.at = at;
        read
    }

    /// The number that stands at `at` after at most some white space, and where it ends.
    #[inline]
    fn plain_from(&self, at: usize) -> Option<(usize, u64)> {
        // Mostly there is one blank before it. One look at the length serves for all bytes that may be needed.
        let mut start = at + usize::from(is_space(*self.bytes.get(at)?));
        let mut near: &[u8; 32] = self.bytes.get(start..)?.first_chunk()?;
        let (mut digits, mut value) = leading_digits(eight(near, 0));
        if digits == 0 {
            start += near.iter().position(|byte| !is_space(*byte))?;
            near = self.bytes.get(start..)?.first_chunk()?;
            (digits, value) = leading_digits(eight(near, 0));
        }
        if digits == 8 {
            // Up to 19 digits nothing wraps.
            let (more, rest) = leading_digits(eight(near, 8));
            value = value.wrapping_mul(POWERS[more]).wrapping_add(rest);
            digits += more;
            if more == 8 {
                let (more, rest) = leading_digits(eight(near, 16));
                value = value.wrapping_mul(POWERS[more]).wrapping_add(rest);
                digits += more;
            }
        }
        ((1..=19).contains(&digits) && is_space(near[digits])).then_some((start + digits, value))
    }

    /// The next word as a number, if there is a word.
    pub(super) fn number(&mut self) -> Option<(Word, Number)> {
        let start = self.next_start();
        let mut at = start;
        let negative = self.bytes.get(at) == Some(&b'-');
        at += usize::from(negative);
        let first = at;
        let mut value: u64 = 0;
        while let Some(chunk) = self.bytes.get(at..).and_then(<[u8]>::first_chunk) {
            let (digits, chunk) = leading_digits(*chunk);
            // More than 19 digits are read otherwise: here they may wrap.
            value = value.wrapping_mul(POWERS[digits]).wrapping_add(chunk);
            at += digits;
            if digits < 8 {
                break;
            }
        }
        while let Some(digit) = digit(self.bytes, at) {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
        if at == first || self.bytes.get(at).is_some_and(|byte| !is_space(*byte)) {
            return self.word().map(|word| (word, Number::Not));
        }
        self.at = at;
        let word = Word { start, end: at };
        if at - first <= 19 {
            // 19 digits are below 2^64: nothing has wrapped.
            let value = Int::from(value);
            return Some((word, Number::Is(if negative { -value } else { value })));
        }
        Some((word, long(&self.bytes[first..at], negative)))
    }
}

/// Eight of the bytes. (The compiler knows that they are there.)
#[inline]
fn eight(bytes: &[u8; 32], at: usize) -> [u8; 8] {
    std::array::from_fn(|i| bytes[at + i])
}

const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// How many of eight bytes are digits before the first that is none, and their number. All at once: digits are
/// joined to pairs, pairs to fours, fours to the eight, in one word (the method is D. Lemire's).
fn leading_digits(bytes: [u8; 8]) -> (usize, u64) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The first byte is the lowest one. A byte of `plain` is below 10 exactly if it was a digit.
    let plain = u64::from_le_bytes(bytes) ^ (0x30 * ONES);
    let others = (plain.wrapping_add(0x76 * ONES) | plain) & (0x80 * ONES);
    // (A carry can only come from a byte that is none, and disturb those after it.)
    let bits = others.trailing_zeros() & !7;
    if bits == 0 {
        return (0, 0);
    }
    // The digits move up and zeros come before them.
    let word = plain << (64 - bits);
    let pairs = word.wrapping_mul(10).wrapping_add(word >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    let eight = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF;
    (bits as usize / 8, eight)
}

fn digit(bytes: &[u8], at: usize) -> Option<u8> {
    bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10)
}

/// A number of more than 19 digits.
#[cold]
fn long(digits: &[u8], negative: bool) -> Number {
    let mut value: Int = 0;
    for byte in digits {
        let next = value.checked_mul(10).and_then(|v| v.checked_add(Int::from(byte - b'0')));
        let Some(next) = next else { return Number::Huge };
        value = next;
    }
    Number::Is(if negative { -value } else { value })
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C)
}

/// Line and column of a byte, from 1, for people.
pub(super) fn place(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = &bytes[..at.min(bytes.len())];
    let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    // Characters, not bytes: the continuation bytes of UTF-8 do not count.
    let column = before[line_start..].iter().filter(|b| **b & 0xC0 != 0x80).count() + 1;
    (line, column)
}

/// A word as shown in a message: at most 40 characters, one line.
pub(super) fn shown(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(bytes).chars().flat_map(char::escape_debug).collect();
    if text.chars().count() > 40 {
        let head: String = text.chars().take(37).collect();
        format!("{head}...")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<Number> {
        let mut tokens = Tokens::new(text.as_bytes());
        std::iter::from_fn(|| tokens.number().map(|(_, n)| n)).collect()
    }

    #[test]
    fn numbers_are_read_exactly_or_not_at_all() {
        use Number::{Huge, Is, Not};
        let most = i128::MAX.to_string();
        assert_eq!(
            numbers(&format!(
                "\u{feff}1 -2\r\n\t007 9999999999999999999 18446744073709551616 {most}9 -{most}"
            )),
            [Is(1), Is(-2), Is(7), Is(9_999_999_999_999_999_999), Is(1 << 64), Huge, Is(-i128::MAX)]
        );
        assert_eq!(numbers("1.5 1e5 - +1 x 2x --2 1\u{a0}2"), [Not; 8]);
        assert_eq!(numbers("  \n "), []);
    }

    #[test]
    fn plain_numbers_are_those_that_are_read_otherwise() {
        let blanks = " ".repeat(32);
        let text = format!(
            "0 7\n12345678 123456789\t1234567812345678 9999999999999999999 00000000000000000012 -1 1x +{blanks} 13\n\n 14 {blanks} 12"
        );
        let (mut tokens, mut read) = (Tokens::new(text.as_bytes()), 0);
        while !tokens.at_end() {
            let before = tokens.clone();
            let plain = tokens.plain(0, u64::MAX);
            let mut slow = before.clone();
            let (word, number) = slow.number().unwrap();
            match plain {
                Some(value) => {
                    assert_eq!((number, tokens.at), (Number::Is(Int::from(value)), word.end));
                    read += 1;
                }
                None => assert_eq!(tokens.next_start(), word.start),
            }
            tokens = slow;
        }
        // That of 20 digits, the signed one, the words, and the last one, after which nothing stands, are not.
        assert_eq!(read, 8);
        let (mut room, mut tokens) = ([0; 9], Tokens::new(text.as_bytes()));
        assert_eq!(tokens.plain_ones(0, 1 << 60, &mut room), 5);
        assert_eq!((room[4], tokens.plain_ones(0, u64::MAX, &mut room)), (1_234_567_812_345_678, 1));
        let mut tokens = Tokens::new(text.as_bytes());
        assert_eq!((tokens.plain_ones(0, 7, &mut room[..1]), tokens.plain_ones(0, 7, &mut room)), (1, 1));
    }

    #[test]
    fn digits_in_words_are_those_one_by_one() {
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut bytes = state.to_le_bytes();
            // Mostly digits, with others at some places.
            for (i, byte) in bytes.iter_mut().enumerate() {
                if state >> (i + 8) & 7 != 0 {
                    *byte = b'0' + *byte % 10;
                }
            }
            let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
            let value = bytes[..digits].iter().fold(0, |v, b| v * 10 + u64::from(b - b'0'));
            assert_eq!(leading_digits(bytes), (digits, value), "{bytes:?}");
        }
    }

    #[test]
    fn places_count_lines_and_characters() {
        let text = "ab\n \u{e9} c".as_bytes();
        assert_eq!(place(text, 0), (1, 1));
        assert_eq!(place(text, text.len() - 1), (2, 4));
        assert_eq!(place(text, 99), (2, 5));
    }

    #[test]
    fn words_in_messages_are_short_and_on_one_line() {
        assert_eq!(shown(b"a\nb\xff"), "a\\nb\u{fffd}");
        assert_eq!(shown(&[b'9'; 60]).len(), 40);
    }
}
