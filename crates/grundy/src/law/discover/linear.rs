//! Recursions on n/k: g(kn + r) = a g(n) + b n + c for each residue r, over the rationals.
//!
//! For each k from 2 to 10 and each residue the three unknowns are fixed by the first half of the table, away from its
//! beginning, and then everything must agree but a few first heaps, which the law lists. A residue whose
//! numbers are too few to judge (fewer than [`ENOUGH`]) lets k drop. The least k wins; its powers would fit too.
//!
//! The same with a = 0 and larger k is a split arithmetic period: each residue rises on a line of its own. With
//! so many free slopes it fits more than it should, so it is tried after the fractals, and its k may be at most a
//! sixteenth of the table.

use std::fmt::Write;

use super::fit::Fit;
use super::{Guess, Law, least_prefix};
use crate::error::Error;
use crate::limits::Clock;

/// Fewest numbers of a residue class that are judged: three fix the clause, the others test it.
const ENOUGH: usize = 10;

/// The clause of a residue: from `from` on, counted in n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Residue {
    fit: Fit,
    from: usize,
}

/// A recursion on n/k.
pub(super) fn recursion(values: &[u32], _: &Clock) -> Result<Guess, Error> {
    for k in 2..=10 {
        if let Some(found) = residues(values, k, true)
            && let Some(accepted) = accept(values, k, &found, true)?
        {
            return Ok(Ok(accepted));
        }
    }
    Ok(Err("none of g(kn + r) = a g(n) + b n + c for k = 2 to 10".to_string()))
}

/// A line for each residue.
pub(super) fn split(values: &[u32], _: &Clock) -> Result<Guess, Error> {
    let most = values.len() / 16;
    for k in 2..=most {
        // Nearly every k fails at the end of the table, at once.
        let end = values.len();
        let straight = (end - k..end).rev().all(|n| {
            let at = |n: usize| i64::from(values[n]);
            at(n) - at(n - k) == at(n - k) - at(n - 2 * k)
        });
        if !straight {
            continue;
        }
        if let Some(found) = residues(values, k, false)
            && let Some(accepted) = accept(values, k, &found, false)?
        {
            return Ok(Ok(accepted));
        }
    }
    Ok(Err(format!("no lines by residue for a modulus up to {most}")))
}

/// The clauses of all residues modulo k, if there are.
fn residues(values: &[u32], k: usize, with_g: bool) -> Option<Vec<Residue>> {
    (0..k).map(|r| residue(values, k, r, with_g)).collect()
}

fn residue(values: &[u32], k: usize, r: usize, with_g: bool) -> Option<Residue> {
    let count = values.len().checked_sub(r)?.div_ceil(k);
    if count < ENOUGH {
        return None;
    }
    let point = |n: usize| {
        let x = if with_g { i128::from(values[n]) } else { 0 };
        (i128::try_from(n).unwrap_or(0), x, i128::from(values[k * n + r]))
    };
    let half = count / 2;
    // A recursion has few exceptions, for it has small heaps of its own; a period may begin late.
    let late = if with_g { half / 8 + 1 } else { half / 2 };
    let fit = Fit::of((late..half).map(point))?;
    let from = (0..count).rev().find(|n| !fit.holds(point(*n))).map_or(0, |n| n + 1);
    (from <= late).then_some(Residue { fit, from })
}

/// The law, unless it shows only in the last fifth of the table: then little was left to test it.
fn accept(values: &[u32], k: usize, found: &[Residue], with_g: bool) -> Result<Option<(Law, u64)>, Error> {
    let needed = least_prefix(values.len(), |n| residues(&values[..n], k, with_g).as_deref() == Some(found));
    // A short table has no more than what is judged by.
    let late = u64::try_from((values.len() * 4 / 5).max(k * ENOUGH + k)).unwrap_or(u64::MAX);
    if needed > late {
        return Ok(None);
    }
    let text = write(values, k, found);
    let law = Law::parse(&text, &[]).map_err(|error| Error::new("law", format!("{text}: {error}")))?;
    Ok(Some((law, needed)))
}

fn write(values: &[u32], k: usize, found: &[Residue]) -> String {
    // Heaps that some clause does not reach, and 0, which would be its own quotient.
    let reaches = |(r, residue): (usize, &Residue)| match residue.from {
        0 if r == 0 && residue.fit.a != 0 => 1,
        0 => 0,
        from => k * (from - 1) + r + 1,
    };
    let listed = found.iter().enumerate().map(reaches).max().unwrap_or(0);
    let mut text = String::new();
    if listed == 1 {
        let _ = writeln!(text, "g(0) = {}", values[0]);
    } else if listed > 1 {
        let list: Vec<String> = values[..listed].iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "g(0..) = {}", list.join(", "));
    }
    let mut r = 0;
    while r < k {
        let fit = found[r].fit;
        let run = run(&found[r..]);
        if run >= 3 {
            let rise = found[r + 1].fit.c - fit.c;
            let first = i128::try_from(r).unwrap_or(0);
            let sum = Fit { c: fit.c - rise * first, ..fit };
            let value = write_run(sum, rise);
            let last = r + run - 1;
            let _ = writeln!(text, "g({k}n + r) = {value} for {r} <= r <= {last}");
            r = last + 1;
            continue;
        }
        let shift = if r > 0 { format!(" + {r}") } else { String::new() };
        let _ = writeln!(text, "g({k}n{shift}) = {}", fit.write("g(n)"));
        r += 1;
    }
    text
}

/// How many clauses from the first on are one, with constants that rise evenly.
fn run(found: &[Residue]) -> usize {
    let same = |x: &Fit, y: &Fit| (x.a, x.b, x.d) == (y.a, y.b, y.d) && x.d == 1;
    let (Some(first), Some(second)) = (found.first(), found.get(1)) else { return 1 };
    let rise = second.fit.c - first.fit.c;
    let even = found
        .windows(2)
        .take_while(|pair| same(&pair[0].fit, &pair[1].fit) && pair[1].fit.c - pair[0].fit.c == rise);
    even.count() + 1
}

fn write_run(sum: Fit, rise: i128) -> String {
    let r = match rise {
        0 => return sum.write("g(n)"),
        1 | -1 => "r".to_string(),
        rise => format!("{}r", rise.abs()),
    };
    let rest = sum.write("g(n)");
    match (rest.as_str(), rise < 0) {
        ("0", false) => r,
        ("0", true) => format!("-{r}"),
        (rest, true) => format!("{rest} - {r}"),
        // `9n + r - 1`, not `9n - 1 + r`.
        (_, false) if sum.c < 0 => {
            let head = Fit { c: 0, ..sum }.write("g(n)");
            let tail = sum.c.abs();
            if head == "0" { format!("{r} - {tail}") } else { format!("{head} + {r} - {tail}") }
        }
        (rest, false) => format!("{rest} + {r}"),
    }
}
