//! A rule with ranges where it wants single numbers: `k=1..12` is twelve rules.
//!
//! What a parameter is is known only once the rule is read, and a rule is read with values. So each range is replaced by one
//! of its numbers first; a parameter that then is a number spans a family, and any other takes the range as it is.

use grundy::family::{MEMBERS, Rules};
use grundy_rule::argument::Argument;
use grundy_rule::ast::ParamType;
use grundy_rule::ends::{self, Ends};
use grundy_rule::expr::Int;
use grundy_rule::{Diagnostic, Rule};

use super::{Found, argument, find, split};
use crate::args::RuleArgs;
use crate::failure::{Failure, Source};

/// The members of a family, ready for use.
pub(crate) struct Family {
    /// The parameters that range, in the order given.
    pub(crate) names: Vec<String>,
    /// What each of them ranges over, as typed.
    pub(crate) ranges: Vec<String>,
    /// The rules that the header allows.
    pub(crate) members: Vec<Rules>,
    /// How many choices of values the header does not allow.
    pub(crate) refused: usize,
    /// Where the text of the rule came from.
    pub(crate) source: Source,
    /// What people call the rule.
    pub(crate) title: String,
}

/// A parameter and its values.
struct Ranging {
    name: String,
    typed: String,
    values: Vec<Int>,
}

/// The family that the arguments spell; `None` if each parameter has one value.
pub(crate) fn family(args: &RuleArgs) -> Result<Option<Family>, Failure> {
    let (parameters, words) = split(&args.rest)?;
    if !words.is_empty() {
        return Ok(None);
    }
    let (mut fixed, mut ranging) = (Vec::new(), Vec::new());
    for (name, value) in parameters {
        match argument(name, value)? {
            Argument::Numbers(values) if !value.starts_with('@') => {
                let (name, typed) = (name.to_string(), value.to_string());
                ranging.push(Ranging { name, typed, values });
            }
            argument => fixed.push((name.to_string(), argument)),
        }
    }
    if ranging.is_empty() {
        return Ok(None);
    }
    let found = find(&args.rule)?;
    let text = found.source.text.as_str();
    // Which of them are numbers? Any choice of values that the header allows will tell.
    let mut choices: Vec<Vec<Int>> = vec![Vec::new()];
    for range in &ranging {
        let values = if range.values.is_empty() { &[1][..] } else { &range.values };
        let longer = |choice: &Vec<Int>| {
            let choice = choice.clone();
            values.iter().take(MEMBERS).map(move |value| [choice.as_slice(), &[*value]].concat())
        };
        choices = choices.iter().flat_map(longer).take(MEMBERS).collect();
    }
    let mut refusal = None;
    let read = choices.into_iter().find_map(|choice| {
        let chosen =
            ranging.iter().zip(choice).map(|(range, value)| (range.name.clone(), Argument::Number(value)));
        match Rule::parse_with(text, fixed.iter().cloned().chain(chosen).collect()) {
            Ok((rule, _)) => Some(rule),
            Err(said) => {
                refusal.get_or_insert(said);
                None
            }
        }
    });
    let Some(rule) = read else {
        return match refusal {
            // The header allows none of them.
            Some(said) if said.iter().all(|diagnostic| diagnostic.id == "parameter") => {
                Err(Failure::Said(found.source, said))
            }
            // What else is wrong with the rule is said where it is read with what was typed.
            _ => Ok(None),
        };
    };
    let is_number = |name: &str| rule.params.iter().any(|p| p.name == name && p.ty == ParamType::Number);
    let (ranging, sets): (Vec<Ranging>, Vec<Ranging>) =
        ranging.into_iter().partition(|range| is_number(&range.name));
    if ranging.is_empty() {
        return Ok(None);
    }
    fixed.extend(sets.into_iter().map(|range| (range.name, Argument::Numbers(range.values))));
    members(found, &fixed, ranging).map(Some)
}

fn members(found: Found, fixed: &[(String, Argument)], mut ranging: Vec<Ranging>) -> Result<Family, Failure> {
    for Ranging { name, typed, values } in &mut ranging {
        values.sort_unstable();
        values.dedup();
        if values.is_empty() {
            return Err(Failure::new("family", format!("{name}={typed} holds no number"))
                .help(format!("a range goes upwards: {name}=1..12")));
        }
    }
    let count = ranging.iter().try_fold(1_usize, |all, range| all.checked_mul(range.values.len()));
    if count.is_none_or(|count| count > MEMBERS) {
        let message = match count {
            Some(count) => format!("a family of {count} members is too large: {MEMBERS} at most"),
            None => format!("this family is too large: {MEMBERS} members at most"),
        };
        return Err(Failure::new("family", message).help("give shorter ranges"));
    }
    let mut points: Vec<Vec<Int>> = vec![Vec::new()];
    for range in &ranging {
        let longer = |point: &Vec<Int>| {
            let point = point.clone();
            range.values.iter().map(move |value| [point.as_slice(), &[*value]].concat())
        };
        points = points.iter().flat_map(longer).collect();
    }
    let Found { source, game, code } = found;
    let (mut members, mut refused): (Vec<Rules>, Vec<Vec<Diagnostic>>) = (Vec::new(), Vec::new());
    for point in points {
        let chosen =
            ranging.iter().zip(&point).map(|(range, value)| (range.name.clone(), Argument::Number(*value)));
        let arguments: Vec<(String, Argument)> = fixed.iter().cloned().chain(chosen).collect();
        let rule = match Rule::parse_with(&source.text, arguments) {
            Ok((rule, _)) => rule,
            Err(said) if said.iter().all(|diagnostic| diagnostic.id == "parameter") => {
                refused.push(said);
                continue;
            }
            Err(said) => return Err(Failure::Said(source, said)),
        };
        if let Ends::Loop(diagnostic) = ends::ends(&rule) {
            let mut diagnostic = diagnostic;
            let names: Vec<String> =
                ranging.iter().zip(&point).map(|(r, v)| format!("{}={v}", r.name)).collect();
            diagnostic.message = format!("for {}: {}", names.join(" "), diagnostic.message);
            return Err(Failure::Said(source, vec![diagnostic]));
        }
        members.push(Rules { point, rule });
    }
    if let (true, Some(said)) = (members.is_empty(), refused.first()) {
        return Err(Failure::Said(source, said.clone()));
    }
    let title = match (game, &code) {
        (Some(game), _) => game.name.to_string(),
        (_, Some(code)) => code.to_string(),
        _ => members[0].rule.name.clone().unwrap_or_else(|| "the rule".to_string()),
    };
    let (names, ranges) = ranging.into_iter().map(|range| (range.name, range.typed)).unzip();
    Ok(Family { names, ranges, members, refused: refused.len(), source, title })
}
