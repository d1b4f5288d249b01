//! Finite sets of positive numbers in codes: reading `2,5,7..9`, and writing them as lists and conditions.

use super::error;
use crate::diagnostic::{Diagnostic, Span};

/// The most numbers a set in a code may hold; larger sets come as a parameter from a file.
const MOST: usize = 100_000;

/// The greatest number in a code.
const GREATEST: u64 = 10_u64.pow(18);

/// A set with more runs than this is written as one list: every `or` doubles work elsewhere.
const MOST_RUNS: usize = 8;

/// Reads the inside of `name(...)` as a set, if it is not too large for that.
pub(super) fn parse(body: &str, inside: &str, name: &str) -> Result<Vec<u64>, Diagnostic> {
    let runs = parse_runs(body, inside, name)?;
    let size =
        runs.iter().fold(0, |sum: u64, (low, high)| sum.saturating_add((high - low).saturating_add(1)));
    if usize::try_from(size).map_or(true, |size| size > MOST) {
        return Err(error(0, body.len(), format!("more than {MOST} numbers"))
            .help("a rule says it shorter: `n -> n - t where t in 1..1000000`"));
    }
    Ok(runs.into_iter().flat_map(|(low, high)| low..=high).collect())
}

/// Reads the inside of `name(...)`: numbers and ranges parted by commas, in any order. The maximal runs, ascending.
pub(super) fn parse_runs(body: &str, inside: &str, name: &str) -> Result<Vec<(u64, u64)>, Diagnostic> {
    if !body.ends_with(')') {
        return Err(error(body.len(), body.len(), format!("`{name}(` is not closed"))
            .patch(Span::new(body.len(), body.len()), ")"));
    }
    let offset = body.find('(').map_or(0, |at| at + 1);
    let mut runs: Vec<(u64, u64)> = Vec::new();
    let mut at = offset;
    if inside.trim().is_empty() {
        if name == "allbut" {
            return Ok(runs);
        }
        return Err(error(0, body.len(), format!("`{name}()` names no number to take"))
            .help(format!("list the numbers: `{name}(2,5,7)` or `{name}(1..3)`")));
    }
    for item in inside.split(',') {
        let (start, end) = (at, at + item.len());
        at = end + 1;
        let (low, high) = match item.split_once("..") {
            Some((low, high)) => (number(low, start, end)?, number(high, start, end)?),
            None => {
                let one = number(item, start, end)?;
                (one, one)
            }
        };
        if low == 0 {
            return Err(Diagnostic::error(
                "loop",
                Span::new(start, end),
                "taking 0 leaves the heap as it is",
            )
            .help("the numbers to take are at least 1"));
        }
        if high < low {
            return Err(error(start, end, format!("the range {low}..{high} is empty")));
        }
        runs.push((low, high));
    }
    runs.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::with_capacity(runs.len());
    for (low, high) in runs {
        match joined.last_mut() {
            Some((_, end)) if low <= end.saturating_add(1) => *end = high.max(*end),
            _ => joined.push((low, high)),
        }
    }
    Ok(joined)
}

/// One number up to 10^18, perhaps written as a power: `10^18`.
fn number(text: &str, start: usize, end: usize) -> Result<u64, Diagnostic> {
    let digits = text.trim();
    if digits.is_empty() {
        return Err(error(start, end, "a number is missing here"));
    }
    if let Some((base, exponent)) = digits.split_once('^') {
        let (base, exponent) = (plain_number(base, start, end)?, plain_number(exponent, start, end)?);
        let power = u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent));
        return power.filter(|power| *power <= GREATEST).ok_or_else(|| too_large(start, end));
    }
    plain_number(digits, start, end)
}

/// Digits.
fn plain_number(digits: &str, start: usize, end: usize) -> Result<u64, Diagnostic> {
    let digits = digits.trim();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(error(start, end, format!("`{digits}` is no number"))
            .help("numbers and ranges, parted by commas: `S(1..3,7)`"));
    }
    let digits = digits.trim_start_matches('0');
    let value = if digits.is_empty() { Some(0) } else { digits.parse().ok() };
    value.filter(|value| *value <= GREATEST).ok_or_else(|| too_large(start, end))
}

fn too_large(start: usize, end: usize) -> Diagnostic {
    error(start, end, "numbers in a code go to 10^18")
}

/// The maximal runs of consecutive numbers of an ascending set.
pub(super) fn runs(set: &[u64]) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &x in set {
        match runs.last_mut() {
            Some((_, high)) if *high + 1 == x => *high = x,
            _ => runs.push((x, x)),
        }
    }
    runs
}

/// `1..3,7`: the normal form within the brackets of a code. Runs of three and more are ranges.
pub(super) fn list(set: &[u64]) -> String {
    let mut items = Vec::new();
    for (low, high) in runs(set) {
        if high - low >= 2 {
            items.push(format!("{low}..{high}"));
        } else {
            items.extend((low..=high).map(|x| x.to_string()));
        }
    }
    items.join(",")
}

/// A condition that says "`name` is in the set", as one part of a condition (`or` inside is safe between
/// commas). The set is not empty.
pub(super) fn membership(name: &str, set: &[u64]) -> String {
    let runs = runs(set);
    if let [(low, high)] = runs[..] {
        return if low == high { format!("{name} = {low}") } else { format!("{name} in {low}..{high}") };
    }
    let long: Vec<_> = runs.iter().filter(|(low, high)| high - low >= 4).collect();
    if set.len() <= 12 || long.is_empty() || long.len() > MOST_RUNS {
        return format!("{name} in {{{}}}", plain(set));
    }
    let mut parts: Vec<String> = long.iter().map(|(low, high)| format!("{name} in {low}..{high}")).collect();
    let rest: Vec<u64> =
        runs.iter().filter(|(low, high)| high - low < 4).flat_map(|&(low, high)| low..=high).collect();
    if !rest.is_empty() {
        parts.push(format!("{name} in {{{}}}", plain(&rest)));
    }
    parts.join(" or ")
}

/// The same for few runs, however long: nothing is listed. `None`: there are too many runs.
pub(super) fn run_membership(name: &str, runs: &[(u64, u64)]) -> Option<String> {
    let parts: Vec<String> = runs.iter().map(|(low, high)| format!("{name} in {low}..{high}")).collect();
    (!parts.is_empty() && parts.len() <= MOST_RUNS).then(|| parts.join(" or "))
}

/// The negation of that.
pub(super) fn run_exclusion(name: &str, runs: &[(u64, u64)]) -> Option<String> {
    let parts: Vec<String> = runs.iter().map(|(low, high)| format!("{name} not in {low}..{high}")).collect();
    (!parts.is_empty() && parts.len() <= MOST_RUNS).then(|| parts.join(", "))
}

/// A condition that says "`name` is not in the set". The set is not empty.
pub(super) fn exclusion(name: &str, set: &[u64]) -> String {
    match set {
        [one] => format!("{name} != {one}"),
        _ => format!("{name} not in {{{}}}", plain(set)),
    }
}

/// `1, 2, 3`
pub(super) fn plain(set: &[u64]) -> String {
    set.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
