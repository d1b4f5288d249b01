//! Families: the laws of a rule for many values of its parameters, and the law in the parameters where there is one.
//!
//! Each member is looked at on its own ([`crate::standing::find`], without proof). Laws of the same build differ in
//! their numbers only, and each number is fitted as an expression in the parameters (`family/fit.rs`): `g(n) = n mod 4` for
//! k = 3 and `n mod 5` for k = 4 become `n mod (k + 1)`. The members whose laws have the most common build give the
//! candidate; whether it is the law is decided by the tables of *all* members, also of those whose own law looks different
//! (`n mod 4 // 1` is written `n mod 4`). The members for which it is false are named. A number without an expression may be
//! one of a few sequences with a name (`family/known.rs`: products of primes). Where listed values hide the build, periods are
//! fitted by themselves.
//!
//! What comes out is observed: for these parameters, to these heaps. A table of 4000 values says nothing about a period of
//! 30030, so each member is tabulated as far as its own law needs, within its share of the time; who is left out is said.

mod fit;
mod known;

use std::collections::BTreeMap;

use grundy_rule::Rule;
use grundy_rule::ast::ParamType;
use grundy_rule::expr::Int;
use grundy_rule::rule::{Param, Value};

use crate::comparison::{self, Claim};
use crate::error::Error;
use crate::law::{Law, Period, discover};
use crate::limits::{Clock, Limits};
use crate::standing::{self, Request, Stated};
use crate::table::{self, Options, Table};
use known::Known;

/// A member before it is looked at.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The values of the parameters of the family, in the order of its names.
    pub point: Vec<Int>,
    /// The rule with these values.
    pub rule: Rule,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Member {
    /// The values of the parameters of the family.
    pub point: Vec<Int>,
    /// Its own law, if one was found.
    pub stated: Option<Stated>,
    /// The last heap that was looked at; `None` if a limit came before its first table.
    pub checked_to: Option<u64>,
    /// The limit that ended its search early.
    pub stopped: Option<String>,
}

/// A law in the parameters.
#[derive(Clone, Debug)]
pub struct Common {
    /// The law as text; its parameters have no value here.
    pub text: String,
    /// Numbers of the law for which the notation has no expression: a name, and what it stands for in words.
    pub given: Vec<(String, String)>,
    /// The members for which it is false, by their place, with the first heap where it is.
    pub broken: Vec<(usize, u64)>,
    /// The members for which it says a period, or whose rule names a number, that no table within the limits shows twice, by
    /// their place, with that number: to the heaps that were looked at it holds.
    pub open: Vec<(usize, u128)>,
}

impl Common {
    /// The first heap where it is false for the member at that place.
    #[must_use]
    pub fn broken_at(&self, place: usize) -> Option<u64> {
        self.broken.iter().find(|(broken, _)| *broken == place).map(|(_, heap)| *heap)
    }

    /// The period that it says of the member at that place, if no table shows it.
    #[must_use]
    pub fn open_period(&self, place: usize) -> Option<u128> {
        self.open.iter().find(|(open, _)| *open == place).map(|(_, period)| *period)
    }
}

/// What a family shows.
#[derive(Clone, Debug)]
pub struct Family {
    /// The members, in order.
    pub members: Vec<Member>,
    /// The law in the parameters: right for at least three members, and for two thirds of those that were looked at.
    pub common: Option<Common>,
    /// Statements about the periods, where all members that were looked at have one: `period k + 1`.
    pub periods: Vec<String>,
    /// The last heap with which every member that was looked at was compared.
    pub checked_to: u64,
}

/// Most members.
pub const MEMBERS: usize = 400;

/// Fewest members for which a law in the parameters must hold.
const FEWEST: usize = 3;

/// Most members at the beginning, or at the end, that are left out when a law is guessed.
const SPECIAL: usize = 3;

/// In larger families no member is left out by itself: that would take long.
const SINGLE: usize = 40;

/// Longest table that is kept of a member.
const KEPT: u64 = 1 << 16;

/// How a family is looked at.
#[derive(Clone, Debug)]
pub struct Search {
    /// The kind of heap, by name; needed only if the rules have several with one entry.
    pub kind: Option<String>,
    /// The last heap of the tables with which a law in the parameters is compared; the law of a member may need more.
    pub to: u64,
    /// Most values for the law of one member.
    pub most: u64,
    /// Time, memory, cancellation of the whole.
    pub limits: Limits,
}

/// Looks at all members. `names` are the parameters of the family.
///
/// ```
/// use grundy::{family::{self, Rules, Search}, limits::Limits};
/// use grundy_rule::{Rule, argument::Argument};
/// let member = |k| {
///     let argument = ("k".to_string(), Argument::Number(k));
///     Rules { point: vec![k], rule: Rule::parse("n -> n - t where t in 1..k", &[argument]).unwrap().0 }
/// };
/// let rules: Vec<Rules> = (1..=5).map(member).collect();
/// let search = Search { kind: None, to: 300, most: 1000, limits: Limits::default() };
/// let found = family::family(&["k".to_string()], &rules, &search).unwrap();
/// assert_eq!(found.common.unwrap().text, "g(n) = n mod (k + 1)");
/// ```
///
/// # Errors
/// `family` for too many members; those of tables, except limits, which are said of the members that they left out.
pub fn family(names: &[String], rules: &[Rules], search: &Search) -> Result<Family, Error> {
    if rules.len() > MEMBERS {
        let message = format!("a family of {} members is too large: {MEMBERS} at most", rules.len());
        return Err(Error::new("family", message).help("give shorter ranges"));
    }
    let begun = search.limits.clock();
    let (mut members, mut tables) = (Vec::new(), Vec::new());
    for (done, Rules { point, rule }) in rules.iter().enumerate() {
        // Each gets its share of what is left; what one does not need goes to the others.
        let waiting = u32::try_from(rules.len() - done).unwrap_or(u32::MAX);
        let time = search.limits.time.map(|time| time.saturating_sub(begun.elapsed()) / waiting);
        let (member, table) = look(point, rule, search, &Limits { time, ..search.limits.clone() })?;
        members.push(member);
        tables.push(table);
    }
    // The time is spent on tables; to compare what is there takes little more.
    let clock = Limits { time: None, ..search.limits.clone() }.clock();
    let mut common = common(names, &members, rules, &tables, &clock)?;
    if let Some((guess, common)) = &mut common {
        let left = search.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        let limits = Limits { time: left, ..search.limits.clone() };
        further(guess, common, rules, &mut members, &Search { limits, ..search.clone() })?;
    }
    let common = common
        .map(|(_, common)| common)
        .filter(|common| members.len() - common.broken.len() - common.open.len() >= FEWEST);
    let periods = periods(names, &members);
    let checked_to = members.iter().filter_map(|member| member.checked_to).min().unwrap_or(0);
    Ok(Family { members, common, periods, checked_to })
}

/// The law of one member, and a table to compare others with.
fn look(
    point: &[Int],
    rule: &Rule,
    search: &Search,
    limits: &Limits,
) -> Result<(Member, Option<Table>), Error> {
    let clock = limits.clock();
    let options = |to: u64| {
        let time = limits.time.map(|time| time.saturating_sub(clock.elapsed()));
        let limits = Limits { time, ..limits.clone() };
        (to, Options { kind: search.kind.clone(), limits, ..Options::default() })
    };
    let tabulated = |(to, options): (u64, Options)| match table::tabulate(rule, to, &options) {
        Ok(table) => Ok(Ok(table)),
        Err(error) if error.is_limit() && error.id() != "cancelled" => Ok(Err(error.message())),
        Err(error) => Err(error),
    };
    let mut member = Member { point: point.to_vec(), stated: None, checked_to: None, stopped: None };
    let mut table = match tabulated(options(search.to))? {
        Ok(table) => table,
        Err(stopped) => {
            member.stopped = Some(stopped);
            return Ok((member, None));
        }
    };
    let (_, Options { limits: left, .. }) = options(0);
    let first = search.to.saturating_add(1).div_ceil(2).min(search.most);
    let request = Request { kind: search.kind.clone(), first, most: search.most, prove: false, limits: left };
    match standing::find(rule, None, &request, &mut |_| {}) {
        Ok(finding) => {
            (member.stated, member.stopped) = (finding.stated, finding.stopped);
            let seen = finding.values.saturating_sub(1).min(KEPT);
            if member.stated.is_some()
                && seen > search.to
                && let Ok(longer) = tabulated(options(seen))?
            {
                table = longer;
            }
        }
        Err(error) if error.is_limit() && error.id() != "cancelled" => member.stopped = Some(error.message()),
        Err(error) => return Err(error),
    }
    member.checked_to = u64::try_from(table.len()).ok().and_then(|len| len.checked_sub(1));
    Ok((member, Some(table)))
}

/// The law in the parameters.
fn common(
    names: &[String],
    members: &[Member],
    rules: &[Rules],
    tables: &[Option<Table>],
    clock: &Clock,
) -> Result<Option<(Guess, Common)>, Error> {
    let mut tried: Vec<String> = Vec::new();
    let mut best: Option<(Guess, Common)> = None;
    let looked = tables.iter().flatten().count();
    for chosen in choices(members) {
        for guess in candidates(names, &chosen) {
            if tried.contains(&guess.text) {
                continue;
            }
            let mut broken = Vec::new();
            for (place, (Rules { point, rule }, table)) in rules.iter().zip(tables).enumerate() {
                let Some(table) = table else { continue };
                if let Some(heap) = first_wrong(&guess, point, rule, table, clock)? {
                    broken.push((place, heap));
                }
            }
            tried.push(guess.text.clone());
            let right = looked - broken.len();
            let enough = right >= FEWEST && 3 * right >= 2 * looked;
            if enough && best.as_ref().is_none_or(|(_, best)| broken.len() < best.broken.len()) {
                let words = |(name, known): &(String, Known)| (name.clone(), known.words(names));
                let given = guess.given.iter().map(words).collect();
                let all = broken.is_empty();
                let text = guess.text.clone();
                best = Some((guess, Common { text, given, broken, open: Vec::new() }));
                if all {
                    return Ok(best);
                }
            }
        }
    }
    Ok(best)
}

/// Tabulates the members for which the law says a period longer than their table shows, as far as that goes.
fn further(
    guess: &Guess,
    common: &mut Common,
    rules: &[Rules],
    members: &mut [Member],
    search: &Search,
) -> Result<(), Error> {
    let clock = search.limits.clock();
    for (place, (Rules { point, rule }, member)) in rules.iter().zip(members).enumerate() {
        let is_broken = common.broken.iter().any(|(broken, _)| *broken == place);
        let Some(seen) = member.checked_to.filter(|_| !is_broken) else { continue };
        let Some(law) = guess.law(point, rule) else { continue };
        // What is proved of the member says more than any table.
        if let Some(own) = member.stated.as_ref().filter(|stated| stated.standing.is_proved()) {
            let length = |law: &Law| law.period().map_or(0, |period| period.preperiod + 2 * period.period);
            let to = (length(&law) + length(&own.law)).clamp(u128::from(seen), u128::from(KEPT));
            let differs = |n: &u128| law.value(*n).ok() != own.law.value(*n).ok();
            if let Some(heap) = (u128::from(seen)..=to).find(differs) {
                common.broken.push((place, u64::try_from(heap).unwrap_or(u64::MAX)));
                continue;
            }
        }
        // Below the numbers that the rule names it may look simpler than it is.
        let number = discover::greatest_number(rule).unsigned_abs();
        let period = law.period().unwrap_or(Period { preperiod: 0, period: 0, saltus: 0 });
        // Twice, to see that it comes again.
        let needed = (period.preperiod + 2 * period.period).max(number.saturating_mul(2));
        if needed <= u128::from(seen) + 1 {
            continue;
        }
        let time = search.limits.time.map(|time| time.saturating_sub(clock.elapsed()));
        let limits = Limits { time, ..search.limits.clone() };
        let options = Options { kind: search.kind.clone(), limits, ..Options::default() };
        let table = match u64::try_from(needed).ok().filter(|needed| *needed <= search.most.max(search.to)) {
            None => None,
            Some(needed) => match table::tabulate(rule, needed, &options) {
                Ok(table) => Some(table),
                Err(error) if error.is_limit() && error.id() != "cancelled" => None,
                Err(error) => return Err(error),
            },
        };
        let Some(table) = table else {
            common.open.push((place, period.period.max(number)));
            continue;
        };
        let clock = Limits { time: None, ..search.limits.clone() }.clock();
        member.checked_to = u64::try_from(table.len()).ok().and_then(|len| len.checked_sub(1));
        if let Some(heap) = first_wrong(guess, point, rule, &table, &clock)? {
            common.broken.push((place, heap));
        }
    }
    common.broken.sort_unstable();
    Ok(())
}

/// The members from which a law is guessed: all; then without the first or last few, which are often special; then without
/// any one of them.
fn choices(members: &[Member]) -> Vec<Vec<&Member>> {
    let all: Vec<&Member> = members.iter().collect();
    let few = SPECIAL.min(all.len().saturating_sub(FEWEST));
    let mut choices = vec![all.clone()];
    choices.extend((1..=few).map(|few| all[few..].to_vec()));
    choices.extend((1..=few).map(|few| all[..all.len() - few].to_vec()));
    if few > 0 && all.len() <= SINGLE {
        choices.extend((1..all.len() - 1).map(|out| [&all[..out], &all[out + 1..]].concat()));
    }
    choices
}

/// The first heap of a member's table about which a law in the parameters is wrong or silent.
fn first_wrong(
    guess: &Guess,
    point: &[Int],
    rule: &Rule,
    table: &Table,
    clock: &Clock,
) -> Result<Option<u64>, Error> {
    let Some(law) = guess.law(point, rule) else { return Ok(Some(0)) };
    match comparison::compare(|n| Claim::of(&law, n), table, clock) {
        Ok(found) => {
            let wrong = found.first.map(|wrong| wrong.heap);
            let silent = found.unsaid.map(|unsaid| unsaid.first);
            Ok(match (wrong, silent) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            })
        }
        Err(error) if error.is_limit() => Err(error),
        Err(_) => Ok(Some(0)),
    }
}

/// A law in the parameters before it is compared.
struct Guess {
    text: String,
    given: Vec<(String, Known)>,
}

impl Guess {
    /// The law that it gives for one member; `None` if it gives none.
    fn law(&self, point: &[Int], rule: &Rule) -> Option<Law> {
        let mut params = rule.params.clone();
        for (name, known) in &self.given {
            let value = known.at(*point.first()?)?;
            params.push(Param {
                name: name.clone(),
                ty: ParamType::Number,
                value: Some(Value::Number(value)),
            });
        }
        Law::parse(&self.text, &params).ok()
    }
}

/// The parameters of a member, and the numbers in its law.
type Numbered = (Vec<Int>, Vec<Int>);

/// Laws in the parameters that have the build of some members' laws, the commonest build first.
fn candidates(names: &[String], members: &[&Member]) -> Vec<Guess> {
    let mut builds: BTreeMap<Vec<String>, Vec<Numbered>> = BTreeMap::new();
    for member in members {
        let Some(stated) = &member.stated else { continue };
        let text = stated.law.to_string();
        // `n mod 5` is also `n mod 5 // 1`, which is how takes of l to r begin at l = 1.
        if let Some(period) = text.strip_prefix("g(n) = n mod ").filter(|rest| rest.parse::<Int>().is_ok()) {
            for stairs in [format!("g(n) = n mod {period} // 1"), format!("g(n) = floor(n mod {period}/1)")] {
                let (words, numbers) = parted(&stairs);
                builds.entry(words).or_default().push((member.point.clone(), numbers));
            }
        }
        let (words, numbers) = parted(&text);
        builds.entry(words).or_default().push((member.point.clone(), numbers));
    }
    let mut builds: Vec<_> = builds.into_iter().filter(|(_, all)| all.len() >= FEWEST).collect();
    // The plainest of those with the same members.
    builds.sort_by_key(|(words, all)| (std::cmp::Reverse(all.len()), words.concat().len()));
    builds.into_iter().filter_map(|(words, all)| joined(names, &words, &all)).collect()
}

/// The law as the words between its numbers, and the numbers.
fn parted(text: &str) -> (Vec<String>, Vec<Int>) {
    let (mut words, mut numbers) = (vec![String::new()], Vec::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let inside_name = words
            .last()
            .and_then(|word| word.chars().next_back())
            .is_some_and(|c| c.is_alphanumeric() || c == '_');
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if let (true, false, Ok(number)) = (digits > 0, inside_name, rest[..digits].parse::<Int>()) {
            numbers.push(number);
            words.push(String::new());
            rest = &rest[digits..];
            continue;
        }
        if let Some(word) = words.last_mut() {
            word.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    (words, numbers)
}

/// The law with its numbers as expressions in the parameters; `None` if some number fits none.
fn joined(names: &[String], words: &[String], all: &[Numbered]) -> Option<Guess> {
    let points: Vec<Vec<Int>> = all.iter().map(|(point, _)| point.clone()).collect();
    let mut guess = Guess { text: words.first()?.clone(), given: Vec::new() };
    for (at, after) in words.iter().enumerate().skip(1) {
        let values: Vec<Int> =
            all.iter().map(|(_, numbers)| numbers.get(at - 1).copied()).collect::<Option<_>>()?;
        let written = match fit::fit(names, &points, &values) {
            Some(fitted) if fitted.loose => format!("({})", fitted.text),
            Some(fitted) => fitted.text,
            None => {
                let known = Known::of(&points, &values).filter(|_| names.len() == 1)?;
                let given =
                    guess.given.iter().find(|(_, other)| *other == known).map(|(name, _)| name.clone());
                given.unwrap_or_else(|| {
                    let free = ["p", "q", "r", "s"].iter().find(|letter| {
                        names.iter().all(|name| name != *letter)
                            && guess.given.iter().all(|(name, _)| name != *letter)
                    });
                    let name = (*free.unwrap_or(&"p_1")).to_string();
                    guess.given.push((name.clone(), known));
                    name
                })
            }
        };
        let is_number = written.parse::<Int>().is_ok();
        // `3n` is a product only for a number.
        guess.text.push_str(&written);
        let product = after.starts_with(|c: char| c.is_alphabetic() || c == '(');
        if product && !is_number {
            guess.text.push('*');
        }
        guess.text.push_str(after);
    }
    Some(guess)
}

/// What can be said of the periods of all members, in words.
fn periods(names: &[String], members: &[Member]) -> Vec<String> {
    let looked: Vec<&Member> = members.iter().filter(|member| member.checked_to.is_some()).collect();
    let all: Option<Vec<_>> =
        looked.iter().map(|member| member.stated.as_ref().and_then(|stated| stated.law.period())).collect();
    let Some(all) = all.filter(|all| all.len() >= FEWEST) else { return Vec::new() };
    let points: Vec<Vec<Int>> = looked.iter().map(|member| member.point.clone()).collect();
    let mut said = Vec::new();
    for (what, of) in [
        ("period", (|p| p.period) as fn(&crate::law::Period) -> u128),
        ("preperiod", |p| p.preperiod),
        ("saltus", |p| p.saltus),
    ] {
        let Some(values) = all.iter().map(|p| Int::try_from(of(p)).ok()).collect::<Option<Vec<Int>>>() else {
            continue;
        };
        let words = fit::fit(names, &points, &values).map(|fitted| fitted.text).or_else(|| match names {
            [_] => Known::of(&points, &values).map(|known| known.words(names)),
            _ => None,
        });
        match (what, words) {
            ("saltus", Some(zero)) if zero == "0" => {}
            (_, Some(words)) => said.push(format!("{what} {words}")),
            // Without the period the rest says little.
            ("period", None) => return said,
            _ => {}
        }
    }
    said
}

#[cfg(test)]
mod tests;
