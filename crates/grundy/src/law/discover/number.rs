//! Laws with a function of number theory, of digits, or a root: g(n) = a F(n) + b n + c.
//!
//! The functions are a short list, each for n and for its neighbours n - 1, n + 1, n + 2. Constants are fitted as for
//! recursions, and a few first heaps may be exceptions, which the law lists. A function is first compared on a
//! short piece of the table, so that nearly all cost next to nothing.

use super::fit::{Fit, Point};
use super::{Guess, Law, least_prefix};
use crate::error::Error;
use crate::limits::Clock;

/// The functions, with `x` for the number.
const FUNCTIONS: [&str; 23] = [
    "bigomega(x)",
    "omega(x)",
    "lpf(x)",
    "valuation(x, 2)",
    "valuation(x, 3)",
    "valuation(x, 5)",
    "valuation(x, 7)",
    "popcount(x)",
    "digitsum(x, 3)",
    "digitsum(x, 4)",
    "digitsum(x, 5)",
    "digitsum(x)",
    "sqrt(x)",
    "root(x, 3)",
    "root(x, 4)",
    "log(x, 2)",
    "log(x, 3)",
    "log(x, 4)",
    "log(x, 5)",
    "log(x, 10)",
    "popcount(x) mod 2",
    "bigomega(x) mod 2",
    "valuation(x, 2) mod 2",
];

/// Most first heaps that may be exceptions.
const EXCEPTIONS: usize = 8;

/// Heaps of the first comparison.
const FIRST: usize = 160;

/// Fewest values that are judged.
const FEWEST: usize = 50;

/// A law with one of the functions.
pub(super) fn function(values: &[u32], clock: &Clock) -> Result<Guess, Error> {
    if values.len() < FEWEST {
        return Ok(Err(format!("{FEWEST} values are needed")));
    }
    for number in ["n", "n + 1", "n - 1", "n + 2"] {
        for function in FUNCTIONS {
            let written = function.replace("(x", &format!("({number}"));
            let law = Law::parse(&format!("g(n) = {written}"), &[])?;
            if let Some((fit, from)) = fits(&law, values) {
                clock.check()?;
                let needed = least_prefix(values.len(), |n| {
                    n >= FEWEST && fits(&law, &values[..n]) == Some((fit, from))
                });
                return accept(values, fit, from, &written).map(|law| Ok((law, needed)));
            }
            clock.check()?;
        }
    }
    Ok(Err(format!("none with one of {} functions of n and its neighbours", FUNCTIONS.len())))
}

/// The constants that make a function fit all values from a heap on.
fn fits(function: &Law, values: &[u32]) -> Option<(Fit, usize)> {
    let short = values.len().min(FIRST);
    let half = short / 2;
    let fit = Fit::of((half / 2..half).filter_map(|n| point(function, values, n)))?;
    // Without the function it is a line, and lines have been tried.
    if fit.a == 0 {
        return None;
    }
    let holds = |n: usize| point(function, values, n).is_some_and(|p| fit.holds(p));
    let from = (0..short).rev().find(|n| !holds(*n)).map_or(0, |n| n + 1);
    (from <= EXCEPTIONS && (short..values.len()).all(holds)).then_some((fit, from))
}

fn point(function: &Law, values: &[u32], n: usize) -> Option<Point> {
    let x = function.value(u128::try_from(n).ok()?).ok()?;
    Some((i128::try_from(n).ok()?, i128::try_from(x).ok()?, i128::from(values[n])))
}

fn accept(values: &[u32], fit: Fit, from: usize, written: &str) -> Result<Law, Error> {
    // `2 mod` would bind otherwise than meant.
    let factor = if written.contains(" mod ") && (fit.a.abs() != 1 || fit.d > 1) {
        format!("({written})")
    } else {
        written.to_string()
    };
    let list: Vec<String> = values[..from].iter().map(ToString::to_string).collect();
    let first = match from {
        0 => String::new(),
        1 => format!("g(0) = {}\n", values[0]),
        _ => format!("g(0..) = {}\n", list.join(", ")),
    };
    let text = format!("{first}g(n) = {}", fit.write(&factor));
    Law::parse(&text, &[]).map_err(|error| Error::new("law", format!("{text}: {error}")))
}
