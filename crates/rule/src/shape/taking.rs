//! From digits to shapes: a subtraction game is a take-and-break game whose digits are 0 and 3.

use crate::expr::Int;
use crate::rule::Rule;

use super::Shape;
use super::digits::{Stretch, digits, heap_zero_moves};
use super::piece::Piece;
use super::take_and_break::{Digit, TakeAndBreak};
use super::window::{LeftEnd, Ratio, SlidingWindow};

/// Digits of more heaps taken than this are not written out.
const MOST_DIGITS: Int = 1 << 12;

/// Elements of a set that are listed.
const MOST_LISTED: u64 = 1 << 22;

/// The greatest k for which 1..k is called a subtraction set first.
const LONGEST_RUN: Int = 1024;

/// The shapes that a rule with these pieces has; the pieces are in terms of what is taken.
pub(super) fn shapes(rule: &Rule, pieces: &[Piece]) -> Vec<Shape> {
    let Some(stretches) = digits(rule, pieces) else { return Vec::new() };
    // Heaps of 0 have to vanish from sums, and one of coins may not.
    let single = pieces.iter().all(|piece| piece.parts == 1);
    if !single && (rule.coins || heap_zero_moves(pieces, &rule.params)) {
        return Vec::new();
    }
    if stretches.iter().any(|s| s.from == 0 && (s.digits[0].0 & (Digit::ONE.0 | Digit::NOTHING.0)) != 0) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let both = Digit::NOTHING.union(Digit::ONE);
    if stretches.iter().all(|s| s.digits.iter().all(|d| *d == Digit::NONE || *d == both)) {
        found.extend(subtraction(&stretches));
    }
    if !rule.coins {
        found.extend(code(&stretches).map(Shape::TakeAndBreak));
    }
    found
}

/// The ranges of a subtraction set: what may be taken, ascending. `None` if its tail has a longer period.
fn taken(stretches: &[Stretch]) -> Option<Vec<(Int, Option<Int>)>> {
    let mut ranges: Vec<(Int, Option<Int>)> = Vec::new();
    for stretch in stretches {
        let [digit] = stretch.digits.as_slice() else { return None };
        if *digit == Digit::NONE {
            continue;
        }
        match ranges.last_mut() {
            Some((_, Some(last))) if *last + 1 == stretch.from => {
                let at = ranges.len() - 1;
                ranges[at].1 = stretch.to;
            }
            _ => ranges.push((stretch.from, stretch.to)),
        }
    }
    Some(ranges)
}

/// Subtraction sets, finite or all but a finite one, and the window that 1..k is.
fn subtraction(stretches: &[Stretch]) -> Vec<Shape> {
    subtraction_or_none(stretches).unwrap_or_default()
}

fn subtraction_or_none(stretches: &[Stretch]) -> Option<Vec<Shape>> {
    let ranges = taken(stretches)?;
    let mut found = Vec::new();
    match ranges.last() {
        Some((_, None)) => {
            // All but the gaps.
            let mut gaps = Vec::new();
            let mut next = 1;
            for (from, to) in &ranges {
                gaps.push((next, Some(from - 1)));
                next = to.unwrap_or(0).checked_add(1)?;
            }
            found.push(Shape::AllBut(listed(&gaps)?));
        }
        // Long runs from 1 on are better known as windows.
        _ if matches!(ranges.as_slice(), [(1, Some(k))] if *k > LONGEST_RUN) => {}
        _ => found.extend(listed(&ranges).map(Shape::Subtraction)),
    }
    // 1..k is a window, also where k is too large for a list.
    let window = match ranges.as_slice() {
        [(1, None)] => Some(Ratio { a: 0, c: 0, b: 1 }),
        [(1, Some(k))] => Some(Ratio { a: 1, c: -k, b: 1 }),
        _ => None,
    };
    found.extend(
        window.map(|left| Shape::SlidingWindow(SlidingWindow { first: 0, left: LeftEnd::Ratio(left) })),
    );
    Some(found)
}

/// The members of ranges, if they are not too many.
fn listed(ranges: &[(Int, Option<Int>)]) -> Option<Vec<u64>> {
    let mut found = Vec::new();
    for (from, to) in ranges {
        let (from, to) = (u64::try_from(*from).ok()?, *to.as_ref()?);
        let Ok(to) = u64::try_from(to) else { continue };
        if from > to {
            continue;
        }
        if to - from > MOST_LISTED {
            return None;
        }
        found.extend(from..=to);
        if found.len() as u64 > MOST_LISTED {
            return None;
        }
    }
    Some(found)
}

/// The stretches as a code.
fn code(stretches: &[Stretch]) -> Option<TakeAndBreak> {
    let (mut row, mut tail) = (Vec::new(), Vec::new());
    for stretch in stretches {
        match stretch.to {
            Some(to) => {
                if to >= MOST_DIGITS {
                    // A long row of the same digit, unless nothing follows it.
                    return None;
                }
                for t in stretch.from..=to {
                    let at = usize::try_from(t - stretch.from).ok()?;
                    row.push(stretch.digits[at % stretch.digits.len()]);
                }
            }
            None => tail.clone_from(&stretch.digits),
        }
    }
    Some(TakeAndBreak::new(row, tail))
}
