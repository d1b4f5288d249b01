//! Comparing a sequence with the given values, moved or not; and all codes and sets one after the other.

use grundy_rule::code::{self, Code};

use super::sequence::{Octal, Sequence, Taking};
use super::{FEWEST, Known, Likeness, MOST_MOVED, NEXT};
use crate::error::Error;
use crate::limits::Clock;

/// Digits of a code after the point.
const DIGITS: u32 = 3;
/// Subtraction sets lie within `1..=REACH`, ranges within `1..=RANGE`, banned numbers within `1..=BANNED`.
const REACH: u32 = 12;
const RANGE: u64 = 30;
const BANNED: u32 = 8;

/// How many values of a game are asked for.
pub(super) fn needed(values: &[u32]) -> usize {
    values.len() + MOST_MOVED + NEXT
}

/// Compares a sequence with the values at every shift; the least shift that fits, with how many values were
/// compared and what comes next.
pub(super) fn compare(sequence: &mut dyn Sequence, values: &[u32]) -> Option<(i64, u64, Vec<u32>)> {
    // The given value of heap n is the sequence's at n + shift - MOST_MOVED.
    let mut alive: Vec<usize> = (0..=2 * MOST_MOVED).collect();
    let mut own: Vec<u32> = Vec::new();
    while own.len() < values.len() + MOST_MOVED {
        let at = own.len();
        let value = sequence.next(&own);
        own.push(value);
        alive.retain(|shift| match (at + MOST_MOVED).checked_sub(*shift).and_then(|n| values.get(n)) {
            Some(given) => *given == value,
            None => true,
        });
        if alive.is_empty() {
            return None;
        }
    }
    let shift = *alive.iter().min_by_key(|shift| (shift.abs_diff(MOST_MOVED), **shift))?;
    let moved = i64::try_from(shift).ok()? - i64::try_from(MOST_MOVED).ok()?;
    let compared = values.len().saturating_sub(MOST_MOVED.saturating_sub(shift));
    // Among so many shifts of so many games a few values always fit somewhere.
    if compared < FEWEST + 2 * shift.abs_diff(MOST_MOVED) {
        return None;
    }
    let first = values.len() + shift - MOST_MOVED;
    while own.len() < first + NEXT {
        let value = sequence.next(&own);
        own.push(value);
    }
    Some((moved, u64::try_from(compared).ok()?, own[first..first + NEXT].to_vec()))
}

/// A likeness, if the sequence of that game fits.
pub(super) fn like(
    sequence: &mut dyn Sequence,
    values: &[u32],
    game: impl FnOnce() -> Option<Known>,
) -> Option<Likeness> {
    let (moved, compared, next) = compare(sequence, values)?;
    Some(Likeness { game: game()?, moved, compared, next })
}

/// The take-and-break codes of up to three octal digits.
pub(super) fn codes(values: &[u32], clock: &Clock) -> Result<Vec<Likeness>, Error> {
    let mut found = Vec::new();
    for first in [0, 4] {
        for number in 0..8_u32.pow(DIGITS) {
            clock.check()?;
            let digits = (0..DIGITS).rev().map(|place| number >> (3 * place) & 7);
            let mut digits: Vec<u8> =
                std::iter::once(first).chain(digits).filter_map(|digit| u8::try_from(digit).ok()).collect();
            while digits.len() > 2 && digits.last() == Some(&0) {
                digits.pop();
            }
            found.extend(like(&mut Octal::new(digits.clone()), values, || {
                let text: String = digits[1..].iter().map(|digit| char::from(b'0' + digit)).collect();
                read(&format!("{first}.{text}"))
            }));
        }
    }
    Ok(found)
}

/// Subtraction sets, ranges, and everything but a few numbers.
pub(super) fn sets(values: &[u32], clock: &Clock) -> Result<Vec<Likeness>, Error> {
    let mut found = Vec::new();
    let mut try_set = |set: u64, banned: bool| -> Result<(), Error> {
        clock.check()?;
        let members: Vec<u64> = (1..=64).filter(|t| set >> (t - 1) & 1 == 1).collect();
        let code = if banned { Code::AllBut(members) } else { Code::Subtraction(members) };
        found.extend(like(&mut Taking::new(set, banned), values, || Some(Known::Code(code))));
        Ok(())
    };
    for set in 1..1_u64 << REACH {
        try_set(set, false)?;
    }
    for most in u64::from(REACH) + 1..=RANGE {
        for least in 1..=most {
            try_set((1 << most) - (1 << (least - 1)), false)?;
        }
    }
    for set in 0..1_u64 << BANNED {
        try_set(set, true)?;
    }
    Ok(found)
}

/// A code as its normal form has it.
fn read(text: &str) -> Option<Known> {
    code::parse(text)?.ok().map(Known::Code)
}
