//! Take-and-break codes d0.d1d2d3...: octal games, and hexadecimal ones with a digit bit for three heaps.
//!
//! Digit d_t says what a move that takes t from a heap may leave: bit 1 nothing, bit 2 one heap, bit 4 two
//! heaps, bit 8 three heaps, all of them nonempty (Winning Ways, ch. 4). After a digit `!` demands that the
//! heaps be pairwise unequal, `?` that they be not all equal, `=` that they be all equal; the demand
//! speaks about two heaps and more, so `7!` may still leave one heap. `[...]` at the end repeats for ever.

use std::collections::BTreeMap;
use std::fmt;

use super::{error, number_set};
use crate::diagnostic::{Diagnostic, Span};

/// The longest code that is read, in digits.
const LONGEST: usize = 4096;

/// The rule of a game in which nobody ever moves: it still has heaps.
pub(super) const NO_MOVE: &str = "n -> nothing where n < 0\n";

/// What the heaps that a move leaves must have in common, where there are two or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Nothing.
    Any,
    /// `!`: no two are equal.
    AllUnequal,
    /// `?`: they are not all equal.
    NotAllEqual,
    /// `=`: all are equal.
    AllEqual,
}

/// One digit: which numbers of heaps may be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digit {
    bits: u8,
    mode: Mode,
}

impl Digit {
    /// The digit 0: no such move.
    pub const ZERO: Digit = Digit { bits: 0, mode: Mode::Any };

    /// The digit with these bits (0 to 15) in its normal form: a mode that says nothing is dropped, and `?`
    /// about two heaps is `!`. `None` if `bits` is above 15.
    #[must_use]
    pub fn new(bits: u8, mode: Mode) -> Option<Digit> {
        let mode = match mode {
            _ if bits & 12 == 0 => Mode::Any,
            Mode::NotAllEqual if bits & 8 == 0 => Mode::AllUnequal,
            mode => mode,
        };
        (bits < 16).then_some(Digit { bits, mode })
    }

    /// The bits, 0 to 15.
    #[must_use]
    pub fn bits(self) -> u8 {
        self.bits
    }

    /// What is demanded of two and more heaps.
    #[must_use]
    pub fn mode(self) -> Mode {
        self.mode
    }

    /// Whether a move may leave exactly that many heaps.
    #[must_use]
    pub fn leaves(self, heaps: u32) -> bool {
        heaps < 4 && self.bits & (1 << heaps) != 0
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Any => "",
            Mode::AllUnequal => "!",
            Mode::NotAllEqual => "?",
            Mode::AllEqual => "=",
        };
        write!(f, "{:X}{mode}", self.bits)
    }
}

/// A take-and-break code in normal form: no digit 0 at the end, the shortest tail that begins as early as
/// it can, no tail of zeros.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TakeAndBreak {
    /// `digits[t]` is d_t; never empty, for d0 is always there.
    digits: Vec<Digit>,
    /// The digits after those, again and again; empty if only finitely many are not 0.
    tail: Vec<Digit>,
}

impl TakeAndBreak {
    /// The code with digits d0, d1, ... and a tail that follows them for ever (empty: zeros).
    ///
    /// # Errors
    /// `None` if d0 lets a move leave nothing or one heap: taking nothing, that move would not end.
    #[must_use]
    pub fn new(mut digits: Vec<Digit>, mut tail: Vec<Digit>) -> Option<TakeAndBreak> {
        if digits.is_empty() {
            digits.push(Digit::ZERO);
        }
        if digits[0].bits & 3 != 0 {
            return None;
        }
        if tail.iter().all(|digit| *digit == Digit::ZERO) {
            tail.clear();
        }
        if tail.is_empty() {
            while digits.len() > 1 && digits.last() == Some(&Digit::ZERO) {
                digits.pop();
            }
        } else {
            let whole = tail.len();
            let period = (1..=whole)
                .find(|p| whole.is_multiple_of(*p) && (*p..whole).all(|i| tail[i] == tail[i - p]))
                .unwrap_or(whole);
            tail.truncate(period);
            while digits.len() > 1 && digits.last() == tail.last() {
                digits.pop();
                tail.rotate_right(1);
            }
        }
        Some(TakeAndBreak { digits, tail })
    }

    /// d_t, for any t.
    #[must_use]
    pub fn digit(&self, t: u64) -> Digit {
        let past = match t.checked_sub(u64_of(self.digits.len())) {
            Some(past) => past,
            None => return usize::try_from(t).map_or(Digit::ZERO, |t| self.digits[t]),
        };
        let within = past.checked_rem(u64_of(self.tail.len()));
        let digit = within.and_then(|i| self.tail.get(usize::try_from(i).ok()?));
        digit.copied().unwrap_or(Digit::ZERO)
    }

    /// The digits d0, d1, ... before the tail.
    #[must_use]
    pub fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// The digits that repeat for ever after those; empty: zeros.
    #[must_use]
    pub fn tail(&self) -> &[Digit] {
        &self.tail
    }

    /// The most heaps a move may leave, 0 to 3.
    #[must_use]
    pub fn most_heaps(&self) -> u32 {
        let bits = self.digits.iter().chain(&self.tail).fold(0, |bits, digit| bits | digit.bits);
        8u32.saturating_sub(bits.leading_zeros()).saturating_sub(1)
    }

    /// Whether it is an octal code in the narrow sense: finitely many digits up to 7, without modes. The
    /// theorem of Guy and Smith speaks about these.
    #[must_use]
    pub fn is_octal(&self) -> bool {
        self.tail.is_empty() && self.digits.iter().all(|digit| digit.bits < 8 && digit.mode == Mode::Any)
    }

    pub(super) fn parse(body: &str) -> Result<TakeAndBreak, Diagnostic> {
        let mut digits: Vec<Digit> = Vec::new();
        let mut before_point = true;
        let mut tail_from = None;
        let mut closed = false;
        let mut chars = body.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let end = at + c.len_utf8();
            if closed {
                return Err(error(at, body.len(), "the repeated digits end the code"));
            }
            match c {
                '.' if before_point => {
                    before_point = false;
                    if digits.is_empty() {
                        digits.push(Digit::ZERO);
                    }
                }
                '.' => return Err(error(at, end, "a code has one point")),
                '[' if before_point => {
                    return Err(error(at, end, "digits are repeated after the point only"));
                }
                '[' if tail_from.is_none() => tail_from = Some((digits.len(), at)),
                '[' => return Err(error(at, end, "digits are repeated once, at the end")),
                ']' if tail_from.is_some_and(|(from, _)| from < digits.len()) => closed = true,
                ']' if tail_from.is_some() => return Err(error(at, end, "no digit to repeat")),
                ']' => return Err(error(at, end, "`]` without `[`")),
                '!' | '?' | '=' => {
                    return Err(error(at, end, format!("`{c}` stands directly after a digit, once")));
                }
                _ => {
                    let Some(bits) = c.to_digit(16).and_then(|bits| u8::try_from(bits).ok()) else {
                        return Err(error(
                            at,
                            end,
                            format!("`{c}` is no digit of a code: they go from 0 to F"),
                        )
                        .help("a move that leaves four heaps or more is written as a rule"));
                    };
                    let mode = match chars.peek() {
                        Some((_, '!')) => Some(Mode::AllUnequal),
                        Some((_, '?')) => Some(Mode::NotAllEqual),
                        Some((_, '=')) => Some(Mode::AllEqual),
                        _ => None,
                    };
                    if mode.is_some() {
                        chars.next();
                    }
                    if before_point && !digits.is_empty() {
                        return Err(Diagnostic::error(
                            "loop",
                            Span::new(0, end),
                            "a digit left of d0 would let a move add to the heap, and play would go on for ever",
                        )
                        .help("a code has at most one digit before its point"));
                    }
                    if before_point && bits & 3 != 0 {
                        return Err(taking_nothing(at, end, bits));
                    }
                    if digits.len() > LONGEST {
                        return Err(error(at, end, format!("more than {LONGEST} digits")));
                    }
                    digits.extend(Digit::new(bits, mode.unwrap_or(Mode::Any)));
                }
            }
        }
        if let (Some((_, at)), false) = (tail_from, closed) {
            return Err(error(at, at + 1, "`[` is not closed").patch(Span::new(body.len(), body.len()), "]"));
        }
        let tail = tail_from.map_or(Vec::new(), |(from, _)| digits.split_off(from));
        TakeAndBreak::new(digits, tail).ok_or_else(|| taking_nothing(0, 1, 3))
    }

    /// The rule text: first what leaves nothing, then what leaves one heap, two heaps, three heaps.
    pub(super) fn to_rule_text(&self) -> String {
        let of = |heaps: u32| self.takings(|digit| digit.leaves(heaps));
        let mut text = String::new();
        let one = of(1);
        if self.digits.iter().chain(&self.tail).all(|digit| digit.bits == 0 || digit.bits == 3) {
            if !one.is_empty() {
                text += &format!("n -> n - t where {}\n", one.condition("t", false));
            }
        } else {
            let none = of(0);
            match none.single() {
                Some(t) => text += &format!("{t} -> nothing\n"),
                None if none.is_empty() => {}
                None => text += &format!("n -> nothing where {}\n", none.condition("n", false)),
            }
            match one.single() {
                Some(t) => text += &format!("n -> n - {t} where n > {t}\n"),
                None if one.is_empty() => {}
                None => text += &format!("n -> n - t where {}, t < n\n", one.condition("t", false)),
            }
        }
        let mut two: BTreeMap<Mode, Takings> = BTreeMap::new();
        let mut three = BTreeMap::new();
        for mode in [Mode::Any, Mode::AllUnequal, Mode::NotAllEqual, Mode::AllEqual] {
            // Of two heaps, "not all equal" is "unequal".
            let both = |m: Mode| mode == m || mode == Mode::AllUnequal && m == Mode::NotAllEqual;
            if mode != Mode::NotAllEqual {
                two.insert(mode, self.takings(|digit| digit.leaves(2) && both(digit.mode)));
            }
            three.insert(mode, self.takings(|digit| digit.leaves(3) && digit.mode == mode));
        }
        for (mode, takings) in two {
            let (heaps, sum, order) = match mode {
                Mode::Any => ("a, b", "a + b", "1 <= a <= b"),
                Mode::AllUnequal | Mode::NotAllEqual => ("a, b", "a + b", "1 <= a < b"),
                Mode::AllEqual => ("a, a", "2*a", "1 <= a"),
            };
            text += &takings.line(heaps, sum, order);
        }
        for (mode, takings) in three {
            let (heaps, sum, order) = match mode {
                Mode::Any => ("a, b, c", "a + b + c", "1 <= a <= b <= c"),
                Mode::AllUnequal => ("a, b, c", "a + b + c", "1 <= a < b < c"),
                Mode::NotAllEqual => ("a, b, c", "a + b + c", "1 <= a <= b <= c, a < c"),
                Mode::AllEqual => ("a, a, a", "3*a", "1 <= a"),
            };
            text += &takings.line(heaps, sum, order);
        }
        if text.is_empty() { NO_MOVE.to_string() } else { text }
    }

    /// The numbers t whose digit is as wanted.
    fn takings(&self, wanted: impl Fn(Digit) -> bool) -> Takings {
        let from = u64_of(self.digits.len());
        let period = u64_of(self.tail.len());
        let residues: Vec<u64> =
            (from..from + period).filter(|t| wanted(self.digit(*t))).map(|t| t % period.max(1)).collect();
        let mut takings =
            Takings { few: (0..from).filter(|t| wanted(self.digit(*t))).collect(), from, period, residues };
        if !takings.residues.is_empty() {
            // Say `t >= 1`, not `t = 1 or t >= 2`: let the tail begin as early as the digits allow.
            while takings.from > 0 {
                let before = takings.from - 1;
                let expected = takings.residues.contains(&(before % period));
                if expected != (takings.few.last() == Some(&before)) || before == 0 && !expected {
                    break;
                }
                if expected {
                    takings.few.pop();
                }
                takings.from = before;
            }
            takings.residues.sort_unstable();
        }
        takings
    }
}

/// A set of numbers to take: a few, and from some number on those with certain residues.
struct Takings {
    few: Vec<u64>,
    from: u64,
    period: u64,
    residues: Vec<u64>,
}

impl Takings {
    fn is_empty(&self) -> bool {
        self.few.is_empty() && self.residues.is_empty()
    }

    /// The one number, if there is exactly one.
    fn single(&self) -> Option<u64> {
        match (&self.few[..], self.residues.is_empty()) {
            ([one], true) => Some(*one),
            _ => None,
        }
    }

    /// "`name` is one of these", as one part of a condition; the set is not empty. A name that is `fresh`
    /// stands nowhere else, and the condition must introduce it: `t in 1..` and not `t >= 1`.
    fn condition(&self, name: &str, fresh: bool) -> String {
        if self.residues.is_empty() {
            return number_set::membership(name, &self.few);
        }
        let mut parts = Vec::new();
        if !self.few.is_empty() {
            parts.push(number_set::membership(name, &self.few));
        }
        let begin =
            if fresh { format!("{name} in {}..", self.from) } else { format!("{name} >= {}", self.from) };
        let every = u64_of(self.residues.len()) == self.period;
        parts.push(match &self.residues[..] {
            _ if every => begin,
            [one] => format!("{begin} and {name} % {} = {one}", self.period),
            many => format!("{begin} and {name} % {} in {{{}}}", self.period, number_set::plain(many)),
        });
        parts.join(" or ")
    }

    /// The line of the moves that leave `heaps`, whose total is `sum`.
    fn line(&self, heaps: &str, sum: &str, order: &str) -> String {
        match self.single() {
            _ if self.is_empty() => String::new(),
            Some(0) => format!("n -> {heaps} where {sum} = n, {order}\n"),
            Some(t) => format!("n -> {heaps} where {sum} = n - {t}, {order}\n"),
            None => format!("n -> {heaps} where {sum} = n - t, {}, {order}\n", self.condition("t", true)),
        }
    }
}

impl fmt::Display for TakeAndBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.", self.digits[0])?;
        for digit in &self.digits[1..] {
            write!(f, "{digit}")?;
        }
        if !self.tail.is_empty() {
            write!(f, "[")?;
            for digit in &self.tail {
                write!(f, "{digit}")?;
            }
            write!(f, "]")?;
        } else if self.digits.len() == 1 {
            write!(f, "0")?;
        }
        Ok(())
    }
}

/// Whether the text is meant as a take-and-break code: a point with digits around it and nothing else.
pub(super) fn looks_like(body: &str) -> bool {
    let Some((before, after)) = body.split_once('.') else {
        return false;
    };
    let sign = |c: char| matches!(c, '!' | '?' | '=' | '[' | ']' | '.');
    // `.bed` is a file name; `.8B` and `0.bed` begin as numbers do.
    let number = !before.is_empty() || after.chars().next().is_some_and(|c| c.is_ascii_digit() || c == '[');
    number
        && before.chars().all(|c| c.is_ascii_hexdigit() || sign(c))
        && after.chars().all(|c| c.is_ascii_alphanumeric() || sign(c))
        && body
            .chars()
            .filter(char::is_ascii_alphabetic)
            .all(|c| c.is_ascii_hexdigit() || c.is_ascii_uppercase())
}

/// What is wrong with a d0 that leaves nothing or one heap.
fn taking_nothing(start: usize, end: usize, bits: u8) -> Diagnostic {
    let message = if bits & 2 != 0 {
        "this d0 lets a move take nothing and leave the heap as it is: play would go on for ever"
    } else {
        "this d0 lets a move take nothing and leave nothing, even from no heap at all: play would go on for ever"
    };
    Diagnostic::error("loop", Span::new(start, end), message)
        .help("before the point stands 0, 4 (break into two), 8 (into three) or C (either), or nothing")
}

fn u64_of(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
