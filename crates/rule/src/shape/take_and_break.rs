//! Take-and-break games: what may be taken, and into how many heaps the rest may be broken.
//!
//! A code is a row of digits d0.d1d2d3...; digit d_t says what may be left after `t` are taken. The
//! literature writes a digit as a sum of 1 (nothing is left), 2 (one heap), 4 (two heaps), 8 (three heaps),
//! with a mark for equal or unequal parts. Here a digit is the set of *patterns* that may be left, so that
//! unions of lines are unions of sets and every combination has a place.

use std::fmt;

/// What may be left after taking a certain number: a set of patterns of non-empty heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Digit(pub u8);

impl Digit {
    /// Nothing is left: the whole heap is taken.
    pub const NOTHING: Digit = Digit(1);
    /// One heap is left (at least 1).
    pub const ONE: Digit = Digit(2);
    /// Two heaps of the same size.
    pub const TWO_EQUAL: Digit = Digit(4);
    /// Two heaps of different sizes.
    pub const TWO_UNEQUAL: Digit = Digit(8);
    /// Three heaps of the same size.
    pub const THREE_EQUAL: Digit = Digit(16);
    /// Three heaps, exactly two of them of the same size.
    pub const THREE_TWO_ALIKE: Digit = Digit(32);
    /// Three heaps of three sizes.
    pub const THREE_UNEQUAL: Digit = Digit(64);
    /// No pattern.
    pub const NONE: Digit = Digit(0);
    /// Any two heaps.
    pub const TWO: Digit = Digit(4 | 8);
    /// Any three heaps.
    pub const THREE: Digit = Digit(16 | 32 | 64);

    /// Whether every pattern of `other` is in `self`.
    #[must_use]
    pub fn has(self, other: Digit) -> bool {
        self.0 & other.0 == other.0
    }

    /// The patterns of both.
    #[must_use]
    pub fn union(self, other: Digit) -> Digit {
        Digit(self.0 | other.0)
    }

    /// The digit of the literature (1, 2, 4, 8 added up) if no part of it is restricted to equal or
    /// unequal heaps.
    #[must_use]
    pub fn plain(self) -> Option<u8> {
        let two = match self.0 & Digit::TWO.0 {
            0 => 0,
            12 => 4,
            _ => return None,
        };
        let three = match self.0 & Digit::THREE.0 {
            0 => 0,
            112 => 8,
            _ => return None,
        };
        Some((self.0 & 3) | two | three)
    }
}

/// A take-and-break game.
///
/// Heap `n` has as options, for every `t` in `0..=n` and every pattern in the digit of `t`, all multisets
/// of heaps, each at least 1, that match the pattern and add up to `n - t`: [`Digit::NOTHING`] applies when
/// `t = n`, [`Digit::ONE`] when `t < n`, and so on. The digit of `t` is `digits[t]` for `t < digits.len()`;
/// from there on the digits of `tail` repeat for ever (all zero if `tail` is empty). Heap 0 has no options.
///
/// Normal form: `digits` has at least one digit (d0, without [`Digit::NOTHING`] and [`Digit::ONE`]), is as
/// short as `tail` allows, and `tail` is as short as possible and never all zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TakeAndBreak {
    /// d0, d1, ...
    pub digits: Vec<Digit>,
    /// What repeats after them.
    pub tail: Vec<Digit>,
}

impl TakeAndBreak {
    /// The game in its normal form.
    #[must_use]
    pub fn new(mut digits: Vec<Digit>, mut tail: Vec<Digit>) -> TakeAndBreak {
        if tail.iter().all(|d| *d == Digit::NONE) {
            tail.clear();
        }
        let whole = tail.len();
        let period =
            (1..=whole).find(|p| whole.is_multiple_of(*p) && (*p..whole).all(|i| tail[i] == tail[i - p]));
        tail.truncate(period.unwrap_or(0));
        if digits.is_empty() {
            digits.push(tail.first().copied().unwrap_or_default());
            if !tail.is_empty() {
                tail.rotate_left(1);
            }
        }
        while digits.len() > 1 {
            let last = digits[digits.len() - 1];
            match tail.last() {
                None if last == Digit::NONE => {}
                Some(repeated) if *repeated == last => tail.rotate_right(1),
                _ => break,
            }
            digits.pop();
        }
        TakeAndBreak { digits, tail }
    }

    /// The digit of `t`.
    #[must_use]
    pub fn digit(&self, t: usize) -> Digit {
        match (self.digits.get(t), self.tail.len()) {
            (Some(digit), _) => *digit,
            (None, 0) => Digit::NONE,
            (None, period) => self.tail[(t - self.digits.len()) % period],
        }
    }
}

impl fmt::Display for TakeAndBreak {
    /// In the notation of the literature; a digit that has no such form stands as its patterns in braces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (t, digit) in self.digits.iter().enumerate() {
            digit.fmt(f)?;
            if t == 0 {
                write!(f, ".")?;
            }
        }
        if !self.tail.is_empty() {
            write!(f, "[")?;
            for digit in &self.tail {
                digit.fmt(f)?;
            }
            write!(f, "]")?;
        } else if self.digits.len() == 1 {
            write!(f, "0")?;
        }
        Ok(())
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(plain) = self.plain() {
            return write!(f, "{plain:X}");
        }
        let alike = Digit(self.0 & (4 | 16));
        let unlike = Digit(self.0 & (8 | 64));
        let ones = self.0 & 3;
        let parts = |d: Digit| u8::from(d.0 & 12 != 0) * 4 + u8::from(d.0 & 112 != 0) * 8;
        let rest = self.0 & !3;
        if rest == alike.0 {
            write!(f, "{:X}=", ones + parts(alike))
        } else if rest == unlike.0 {
            write!(f, "{:X}!", ones + parts(unlike))
        } else if rest & (4 | 16) == 0 && rest & 112 == 96 {
            write!(f, "{:X}?", ones + parts(*self))
        } else {
            const NAMES: [&str; 7] = ["0", "1", "2=", "2!", "3=", "3~", "3!"];
            let names: Vec<&str> = (0..7).filter(|i| self.0 >> i & 1 == 1).map(|i| NAMES[i]).collect();
            write!(f, "{{{}}}", names.join(","))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_form_is_short() {
        let three = Digit(3);
        let none = Digit::NONE;
        let code = TakeAndBreak::new(vec![none, three, three, none, none], vec![]);
        assert_eq!(code.to_string(), "0.33");
        let code = TakeAndBreak::new(vec![none, three, three], vec![three, three]);
        assert_eq!(code.to_string(), "0.[3]");
        let code = TakeAndBreak::new(vec![none, three, none, three], vec![none, three]);
        assert_eq!((code.digits.len(), code.tail.len()), (1, 2));
        assert_eq!((code.digit(0), code.digit(1), code.digit(2), code.digit(7)), (none, three, none, three));
        assert_eq!(TakeAndBreak::new(vec![], vec![]).to_string(), "0.0");
        assert_eq!(TakeAndBreak::new(vec![Digit::TWO_UNEQUAL], vec![]).to_string(), "4!.0");
    }
}
