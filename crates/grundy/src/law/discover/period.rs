//! Periods, plain and arithmetic: g(n + p) = g(n) + s for n >= n0.
//!
//! Such a sequence has differences of period p from n0 on, and the other way round; s is their sum over a period, so
//! both kinds come from the differences. Read from the end, a period is a border: the Z function of the reversed
//! differences says for every p at once, in linear time, how far down d(n + p) = d(n) holds (Gusfield, *Algorithms
//! on Strings, Trees and Sequences*, ch. 1). The least p is taken that comes
//! [`SHOWN`] times after a preperiod of at most half the table. (With four times, sequences that are automatic in base 3
//! passed for periodic with 3^5.)
//!
//! A sequence may look periodic because what breaks the period comes ever more seldom: at the powers of 3, say. Then the
//! table must be long enough to show the next break, were they in geometric progression ([`settled`]).

use std::fmt::Write;

use super::theorem::Theorem;
use super::{Found, Guess, Kind, Law};
use crate::error::Error;
use crate::limits::Clock;

/// A period must be seen so many times.
const SHOWN: usize = 8;

/// g(n + period) = g(n) + saltus for n >= preperiod, the least ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Period {
    pub(super) preperiod: usize,
    pub(super) period: usize,
    pub(super) saltus: i64,
}

/// The period that the values show.
pub(super) fn find(values: &[u32]) -> Option<Period> {
    let differences = differences(values);
    let most = values.len();
    let found = least(values, &differences, |preperiod, period| 2 * preperiod + SHOWN * period <= most)?;
    settled(&differences, found.preperiod, found.period).then_some(found)
}

/// The plain period of which a theorem says that it is for ever.
pub(super) fn by_theorem(values: &[u32], theorem: &Theorem) -> Option<Result<Found, Error>> {
    let count = values.len();
    let holds = |preperiod, period| theorem.holds(count, preperiod, period);
    let found = least(values, &differences(values), holds).filter(|found| found.saltus == 0)?;
    let evidence = u64::try_from(found.preperiod + 2 * found.period).unwrap_or(u64::MAX);
    let checked_to = super::count(values) - 1;
    Some(law(values, found).map(|law| Found { law, evidence, checked_to }))
}

/// From the last to the first.
fn differences(values: &[u32]) -> Vec<i64> {
    values.windows(2).rev().map(|pair| i64::from(pair[1]) - i64::from(pair[0])).collect()
}

/// The least period, with its least preperiod, that the table shows long enough.
fn least(values: &[u32], differences: &[i64], enough: impl Fn(usize, usize) -> bool) -> Option<Period> {
    let common = z_function(differences);
    let count = differences.len();
    let (period, preperiod) = (1..=values.len() / 2).find_map(|p| {
        let agree = common.get(p)?;
        let preperiod = count.checked_sub(p + agree)?;
        enough(preperiod, p).then_some((p, preperiod))
    })?;
    let saltus = i64::from(values[preperiod + period]) - i64::from(values[preperiod]);
    Some(Period { preperiod, period, saltus })
}

/// Whether the table reaches beyond the next heap that would break the period, if such heaps went on in geometric
/// progression with the widest gap seen. Before a true period heaps break it all the time, so that this asks for
/// little more.
fn settled(reversed: &[i64], preperiod: usize, period: usize) -> bool {
    let Some(before) = preperiod.checked_sub(1) else { return true };
    let count = reversed.len();
    let breaks = |n: &usize| reversed[count - 1 - n] != reversed[count - 1 - n - period];
    let last = before + period;
    // The widest gap, as a ratio; the first few heaps are as they are.
    let mut widest = (1, 1);
    let mut upper = last;
    for lower in (0..before).rev().filter(breaks).map(|n| n + period) {
        if upper * widest.1 > widest.0 * lower {
            widest = (upper, lower);
        }
        upper = lower;
        if lower < last / 64 {
            break;
        }
    }
    // A tenth more than that.
    count * 10 * widest.1 >= 11 * last * widest.0
}

/// For each i the length of the longest common head of the sequence and its part from i on.
fn z_function(sequence: &[i64]) -> Vec<usize> {
    let count = sequence.len();
    let mut z = vec![0; count];
    // sequence[left..right] is known to equal the head.
    let (mut left, mut right) = (0, 0);
    for i in 1..count {
        let mut length = if i < right { z[i - left].min(right - i) } else { 0 };
        while i + length < count && sequence[length] == sequence[i + length] {
            length += 1;
        }
        z[i] = length;
        if i + length > right {
            (left, right) = (i, i + length);
        }
    }
    z
}

/// A plain period.
pub(super) fn plain(values: &[u32], _: &Clock) -> Result<Guess, Error> {
    finder(values, Kind::Periodic)
}

/// A period with a saltus.
pub(super) fn arithmetic(values: &[u32], _: &Clock) -> Result<Guess, Error> {
    finder(values, Kind::ArithmeticPeriodic)
}

fn finder(values: &[u32], kind: Kind) -> Result<Guess, Error> {
    let half = values.len() / 2;
    Ok(match find(values) {
        Some(found) if (found.saltus == 0) == (kind == Kind::Periodic) && found.saltus >= 0 => {
            // Twice, to see that it comes again.
            let evidence = found.preperiod + 2 * found.period;
            Ok((law(values, found)?, u64::try_from(evidence).unwrap_or(u64::MAX)))
        }
        Some(Period { preperiod, period, saltus }) if saltus > 0 => {
            Err(format!("the values rise by {saltus} in every {period} heaps from {preperiod} on"))
        }
        Some(Period { preperiod, period, .. }) if kind == Kind::ArithmeticPeriodic => {
            Err(format!("the values repeat after {period} heaps from {preperiod} on"))
        }
        _ => Err(format!("none that begins before heap {half} and comes {SHOWN} times")),
    })
}

/// The law in the shortest notation: as a formula where one is plain to see, else with its values listed.
fn law(values: &[u32], found: Period) -> Result<Law, Error> {
    let Period { preperiod, period, saltus } = found;
    Law::parse(&formula(values, found).unwrap_or_else(|| listed(&values[..preperiod + period], found)), &[])
        .map_err(|error| Error::new("law", format!("period {period}, saltus {saltus}: {error}")))
}

/// `g(n) = floor((n mod 6)/2)`, `g(n) = n + 1`
pub(super) fn formula(values: &[u32], found: Period) -> Option<String> {
    if found.preperiod > 0 {
        return None;
    }
    let first = values.first()?;
    if found.period == 1 {
        return Some(match (found.saltus, first) {
            (0, c) => format!("g(n) = {c}"),
            (1, 0) => "g(n) = n".to_string(),
            (1, c) => format!("g(n) = n + {c}"),
            (s, 0) => format!("g(n) = {s}n"),
            (s, c) => format!("g(n) = {s}n + {c}"),
        });
    }
    if found.saltus != 0 {
        return None;
    }
    let block = &values[..found.period];
    let width = block.iter().take_while(|v| **v == 0).count();
    let stairs = (0..).zip(block).all(|(n, v): (usize, _)| usize::try_from(*v).ok() == n.checked_div(width));
    let p = found.period;
    match width {
        1 if stairs => Some(format!("g(n) = n mod {p}")),
        _ if stairs => Some(format!("g(n) = floor((n mod {p})/{width})")),
        _ => None,
    }
}

fn listed(values: &[u32], found: Period) -> String {
    let Period { preperiod, period, saltus } = found;
    let mut text = String::from("g(0..) = ");
    for (i, value) in values.iter().enumerate() {
        let _ = write!(text, "{}{value}", if i > 0 { ", " } else { "" });
    }
    let _ = write!(text, "\ng(n + {period}) = g(n)");
    if saltus > 0 {
        let _ = write!(text, " + {saltus}");
    }
    if preperiod > 0 {
        let _ = write!(text, " for n >= {preperiod}");
    }
    text
}
