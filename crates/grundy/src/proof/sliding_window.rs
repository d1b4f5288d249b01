//! R3: a window whose left end moves by steps of 0 and 1. Nothing has to be found: the law is written from the window.
//!
//! With `L(n) = floor((a n + c)/b)` the end moves alike in all heaps of one remainder by b, so that each remainder has its
//! clause: `g(b n + r)` is a number where the end stands, and the value of a smaller heap where it steps. Where b is
//! large, or L is no such quotient, the recursion of the lemma is the law.

use grundy_check::certificate::{Proof as Data, SlidingWindow as NoData};
use grundy_rule::shape::{LeftEnd, Ratio, Shape, SlidingWindow};

use super::{Attempt, Goal};
use crate::error::Error;

/// Most clauses that are written.
const CLAUSES: i128 = 12;

pub(super) fn attempt(goal: &Goal) -> Result<Attempt, Error> {
    let window = goal.shapes.iter().find_map(|shape| match shape {
        Shape::SlidingWindow(window) => Some(window),
        _ => None,
    });
    let Some(window) = window else {
        return Ok(Attempt::Unfit("its options are no window that slides".to_string()));
    };
    let law = goal.law.map(ToString::to_string).or_else(|| by_remainders(window));
    let Some(law) = law.or_else(|| grundy_check::recursion(window)) else {
        return Ok(Attempt::Unfit(
            "the window begins too far up for a law to list the heaps before".to_string(),
        ));
    };
    Ok(Attempt::Found { data: Data::SlidingWindow(NoData {}), law })
}

/// A clause for each remainder.
fn by_remainders(window: &SlidingWindow) -> Option<String> {
    let LeftEnd::Ratio(Ratio { a, c, b }) = window.left else { return None };
    // Below, every heap r has L(r) = floor((a r + c)/b) and not the first heap in its place.
    let first = i128::from(window.first);
    if !(1..=CLAUSES).contains(&b) || !(0..=b).contains(&a) || first > CLAUSES {
        return None;
    }
    let end = |n: i128| Some(a.checked_mul(n)?.checked_add(c)?.div_euclid(b));
    let mut text = format!("g(0..) = {}", vec!["0"; usize::try_from(first).ok()? + 1].join(", "));
    let sum = |factor: i128, offset: i128| match (factor, offset) {
        (0, offset) => offset.to_string(),
        (factor, 0) => format!("{}n", if factor == 1 { String::new() } else { factor.to_string() }),
        (factor, offset) => {
            let sign = if offset < 0 { '-' } else { '+' };
            format!(
                "{}n {sign} {}",
                if factor == 1 { String::new() } else { factor.to_string() },
                offset.abs()
            )
        }
    };
    for r in first + 1..=first + b {
        let (before, left) = (end(r - 1)?, end(r)?);
        if before < first {
            return None;
        }
        let value = match left - before {
            0 => sum(b - a, r - left),
            _ => format!("g({})", sum(a, before)),
        };
        text += &format!("\ng({}) = {value}", sum(b, r));
    }
    Some(text)
}
