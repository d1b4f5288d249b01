//! The games of the catalogue, with small values for their parameters.

use grundy_rule::argument::Argument;
use grundy_rule::ast::ParamType;
use grundy_rule::ends::{self, Ends};
use grundy_rule::expr::Int;
use grundy_rule::{Rule, parser};

use super::search::{like, needed};
use super::sequence::Given;
use super::{Known, Likeness, MOST_MOVED};
use crate::catalogue::{self, Game};
use crate::error::Error;
use crate::limits::{Clock, Limits};
use crate::table::{Options, tabulate};

/// A parameter is tried up to this; two of them up to the second number each.
const ONE: Int = 12;
const TWO: Int = 6;

/// The games of the catalogue with these values.
pub(super) fn all(values: &[u32], limits: &Limits, clock: &Clock) -> Result<Vec<Likeness>, Error> {
    let mut found = Vec::new();
    for game in catalogue::games() {
        clock.check()?;
        let Some(text) = game.text() else { continue };
        for parameters in choices(text, values) {
            let time = limits.time.map(|time| time.saturating_sub(clock.elapsed()));
            found.extend(of(game, text, parameters, values, &Limits { time, ..limits.clone() })?);
        }
    }
    Ok(found)
}

/// The values that the parameters of a game are given: none for a game without, nothing for one whose parameters are no
/// numbers, or whose first terms are known to be others.
fn choices(text: &str, values: &[u32]) -> Vec<Vec<(String, Int)>> {
    let (file, _) = parser::parse_file(text);
    let params = file.header.as_ref().map_or(&[][..], |header| &header.params);
    if params.is_empty() && !file.terms.as_ref().is_none_or(|terms| may_fit(terms, values)) {
        return Vec::new();
    }
    // A type that is not declared is inferred later; lists and sets then refuse the number.
    if params.iter().any(|param| param.ty.is_some_and(|ty| ty != ParamType::Number)) {
        return Vec::new();
    }
    let names: Vec<&str> = params.iter().map(|param| param.name.text.as_str()).collect();
    match names.as_slice() {
        [] => vec![Vec::new()],
        [one] => (0..=ONE).map(|value| vec![(one.to_string(), value)]).collect(),
        [one, two] => {
            let pairs = (0..=TWO).flat_map(|a| (0..=TWO).map(move |b| (a, b)));
            pairs.map(|(a, b)| vec![(one.to_string(), a), (two.to_string(), b)]).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether terms that a game file states leave a shift at which the values fit.
fn may_fit(terms: &[Int], values: &[u32]) -> bool {
    let equal = |(term, value): (&Int, &u32)| *term == Int::from(*value);
    (0..=MOST_MOVED).any(|moved| {
        terms.iter().skip(moved).zip(values).all(equal)
            || terms.iter().zip(values.iter().skip(moved)).all(equal)
    })
}

/// The likenesses of one game: a kind of heap after the other.
fn of(
    game: &'static Game,
    text: &str,
    parameters: Vec<(String, Int)>,
    values: &[u32],
    limits: &Limits,
) -> Result<Vec<Likeness>, Error> {
    let clock = limits.clock();
    let arguments: Option<Vec<(String, Argument)>> = parameters
        .iter()
        .map(|(name, value)| Some((name.clone(), Argument::parse(&value.to_string()).ok()?)))
        .collect();
    // The header forbids some values, and `ends` others.
    let Some(Ok((rule, _))) = arguments.map(|arguments| Rule::parse(text, &arguments)) else {
        return Ok(Vec::new());
    };
    if !rule.has_nimbers() || rule.params.iter().any(|param| param.value.is_none()) {
        return Ok(Vec::new());
    }
    if let Ends::Loop(_) = ends::ends(&rule) {
        return Ok(Vec::new());
    }
    let several = rule.kinds.iter().filter(|kind| kind.arity == 1).count() > 1;
    let mut found = Vec::new();
    for kind in rule.kinds.iter().filter(|kind| kind.arity == 1) {
        clock.check()?;
        let options = Options { kind: kind.name.clone(), limits: limits.clone(), ..Options::default() };
        let last = u64::try_from(needed(values)).unwrap_or(u64::MAX);
        let table = match tabulate(&rule, last, &options) {
            Ok(table) => table,
            Err(error) if error.is_limit() => return Err(error),
            Err(_) => continue,
        };
        let own: Vec<u32> = table.iter().collect();
        let kind = kind.name.clone().filter(|_| several);
        found.extend(like(&mut Given(&own), values, || {
            Some(Known::Game { name: game.name, parameters: parameters.clone(), kind })
        }));
    }
    Ok(found)
}
