//! Families: the laws of a rule for many values of its parameters, and the law in the parameters where there is one.
//!
//! Each member is looked at on its own ([`crate::standing::find`], without proof). Laws of the same build differ in
//! their numbers only, and each number is fitted as an expression in the parameters (`family/fit.rs`): `g(n) = n mod 4` for
//! k = 3 and `n mod 5` for k = 4 become `n mod (k + 1)`. The members whose laws have the most common build give the
//! candidate; whether it is the law is decided by the tables of *all* members, also of those whose own law looks different
//! (`n mod 4 // 1` is written `n mod 4`). Where listed values hide the build, periods are fitted by themselves.
//!
//! What comes out is observed: for these parameters, to these heaps.

mod fit;

use std::collections::BTreeMap;

use grundy_rule::Rule;
use grundy_rule::expr::Int;

use crate::comparison::{self, Claim};
use crate::error::Error;
use crate::law::Law;
use crate::limits::{Clock, Limits};
use crate::standing::{self, Request, Stated};
use crate::table::{self, Options, Table};

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
}

/// A law in the parameters.
#[derive(Clone, Debug)]
pub struct Common {
    /// The law as text; its parameters have no value here.
    pub text: String,
    /// How many of the first members it leaves out, because it is false for them.
    pub skipped: usize,
}

/// What a family shows.
#[derive(Clone, Debug)]
pub struct Family {
    /// The members, in order.
    pub members: Vec<Member>,
    /// The law in the parameters.
    pub common: Option<Common>,
    /// Statements about the periods, where all members have one: `period k + 1`.
    pub periods: Vec<String>,
    /// The last heap with which every member was compared.
    pub checked_to: u64,
}

/// Most members.
pub const MEMBERS: usize = 400;

/// Most members at the beginning that a law may leave out; and fewest that must be left.
const SKIPPED: usize = 3;
const FEWEST: usize = 3;

/// How a family is looked at.
#[derive(Clone, Debug)]
pub struct Search {
    /// The kind of heap, by name; needed only if the rules have several with one entry.
    pub kind: Option<String>,
    /// The last heap of the tables with which a law in the parameters is compared.
    pub to: u64,
    /// Time, memory, cancellation of the whole.
    pub limits: Limits,
}

/// Looks at all members. `names` are the parameters of the family.
///
/// # Errors
/// `family` for too many members; those of tables and limits.
pub fn family(names: &[String], rules: &[Rules], search: &Search) -> Result<Family, Error> {
    if rules.len() > MEMBERS {
        let message = format!("a family of {} members is too large: {MEMBERS} at most", rules.len());
        return Err(Error::new("family", message).help("give shorter ranges"));
    }
    let clock = search.limits.clock();
    let left = || {
        let time = search.limits.time.map(|time| time.saturating_sub(clock.elapsed()));
        Limits { time, ..search.limits.clone() }
    };
    let (mut members, mut tables) = (Vec::new(), Vec::new());
    for (done, Rules { point, rule }) in rules.iter().enumerate() {
        clock.check().map_err(|error| error.so_far(format!("{done} of {} members", rules.len())))?;
        let options = Options { kind: search.kind.clone(), limits: left(), ..Options::default() };
        tables.push(table::tabulate(rule, search.to, &options)?);
        let request = Request {
            kind: search.kind.clone(),
            most: search.to.saturating_add(1),
            first: search.to.saturating_add(1),
            prove: false,
            limits: left(),
        };
        let stated = standing::find(rule, None, &request, &mut |_| {})?.stated;
        members.push(Member { point: point.clone(), stated });
    }
    let common = common(names, &members, rules, &tables, &clock)?;
    let periods = periods(names, &members);
    Ok(Family { members, common, periods, checked_to: search.to })
}

/// The law in the parameters.
fn common(
    names: &[String],
    members: &[Member],
    rules: &[Rules],
    tables: &[Table],
    clock: &Clock,
) -> Result<Option<Common>, Error> {
    let mut tried: Vec<String> = Vec::new();
    let most = if names.len() == 1 { SKIPPED.min(members.len().saturating_sub(FEWEST)) } else { 0 };
    for skipped in 0..=most {
        for text in candidates(names, &members[skipped..]) {
            if tried.contains(&text) {
                continue;
            }
            let mut first_true = rules.len();
            for (member, (rules, table)) in rules.iter().zip(tables).enumerate().rev() {
                if !holds(&text, &rules.rule, table, clock)? {
                    break;
                }
                first_true = member;
            }
            if first_true <= most && rules.len() - first_true >= FEWEST.min(rules.len()) {
                return Ok(Some(Common { text, skipped: first_true }));
            }
            tried.push(text);
        }
    }
    Ok(None)
}

/// Whether a law in the parameters is right about every heap of a member's table.
fn holds(text: &str, rule: &Rule, table: &Table, clock: &Clock) -> Result<bool, Error> {
    let Ok(law) = Law::parse(text, &rule.params) else { return Ok(false) };
    match comparison::compare(|n| Claim::of(&law, n), table, clock) {
        Ok(found) => Ok(found.holds() && found.unsaid.is_none()),
        Err(error) if error.is_limit() => Err(error),
        Err(_) => Ok(false),
    }
}

/// The parameters of a member, and the numbers in its law.
type Numbered = (Vec<Int>, Vec<Int>);

/// Laws in the parameters that have the build of some members' laws, the commonest build first.
fn candidates(names: &[String], members: &[Member]) -> Vec<String> {
    let mut builds: BTreeMap<Vec<String>, Vec<Numbered>> = BTreeMap::new();
    for member in members {
        let Some(stated) = &member.stated else { continue };
        let (words, numbers) = parted(&stated.law.to_string());
        builds.entry(words).or_default().push((member.point.clone(), numbers));
    }
    let mut builds: Vec<_> = builds.into_iter().filter(|(_, all)| all.len() >= 2).collect();
    builds.sort_by_key(|(words, all)| (std::cmp::Reverse(all.len()), words.len()));
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
fn joined(names: &[String], words: &[String], all: &[Numbered]) -> Option<String> {
    let points: Vec<Vec<Int>> = all.iter().map(|(point, _)| point.clone()).collect();
    let mut text = words.first()?.clone();
    for (at, after) in words.iter().enumerate().skip(1) {
        let values: Vec<Int> =
            all.iter().map(|(_, numbers)| numbers.get(at - 1).copied()).collect::<Option<_>>()?;
        let fitted = fit::fit(names, &points, &values)?;
        let is_number = fitted.text.parse::<Int>().is_ok();
        // `g(0..)` takes a number, and `3n` is a product only for a number.
        text.push_str(&if fitted.loose { format!("({})", fitted.text) } else { fitted.text });
        let product = after.starts_with(|c: char| c.is_alphabetic() || c == '(');
        if product && !is_number {
            text.push('*');
        }
        text.push_str(after);
    }
    Some(text)
}

/// What can be said of the periods of all members, in words.
fn periods(names: &[String], members: &[Member]) -> Vec<String> {
    let all: Option<Vec<_>> =
        members.iter().map(|member| member.stated.as_ref().and_then(|stated| stated.law.period())).collect();
    let Some(all) = all.filter(|all| all.len() >= 2) else { return Vec::new() };
    let points: Vec<Vec<Int>> = members.iter().map(|member| member.point.clone()).collect();
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
            [name] => fit::known(name, &points, &values),
            _ => None,
        });
        match (what, words) {
            ("saltus", Some(zero)) if zero == "0" => {}
            (_, Some(words)) => said.push(format!("{what} {words}")),
            _ => {}
        }
    }
    said
}

#[cfg(test)]
mod tests;
