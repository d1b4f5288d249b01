//! `grundy law RULE k=1..12`: the laws of a family of rules, and the law in the parameters.

use std::io::Write;

use grundy::family::{self, Member, Search};
use grundy_rule::Int;
use serde::Serialize;

use super::TIME;
use crate::args::Law;
use crate::failure::{self, Failure};
use crate::load::family::Family;
use crate::long::{self, Spinner};
use crate::output;
use crate::report::{self, QUIET, RESULT};

/// The last heap of the tables, and the most values for the law of one member, if `-n` does not say.
const TO: u64 = 3999;
const MOST: u64 = 1 << 18;

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    family: Vec<Range>,
    law: Option<String>,
    /// Names in the law beside the parameters, and what they stand for.
    r#where: Vec<Given>,
    /// Statements about the periods of all members: `period k + 1`.
    periods: Vec<String>,
    /// A family is observed, or has no law: null.
    status: Option<&'static str>,
    checked_to: u64,
    members: Vec<MemberAnswer>,
    /// Choices of values that the header of the rule does not allow.
    refused: usize,
}

#[derive(Serialize)]
struct Range {
    name: String,
    values: String,
}

#[derive(Serialize)]
struct Given {
    name: String,
    is: String,
}

#[derive(Serialize)]
struct MemberAnswer {
    parameters: serde_json::Map<String, serde_json::Value>,
    law: Option<String>,
    kind: Option<&'static str>,
    preperiod: Option<u128>,
    period: Option<u128>,
    saltus: Option<u128>,
    checked_to: Option<u64>,
    /// Whether the law of the family holds for it; null if there is none, or the member was not looked at far enough.
    fits: Option<bool>,
    /// The first heap where the law of the family is false for it.
    broken_at: Option<u64>,
    /// The period that the law of the family says, if no table shows it.
    open_period: Option<u128>,
    stopped: Option<String>,
}

/// The laws of a family.
pub(super) fn run(args: &Law, spelled: &Family) -> Result<(), Failure> {
    if args.latex || args.dot {
        let option = if args.latex { "--latex" } else { "--dot" };
        return Err(Failure::new(
            "usage",
            format!("{option} is about one law, and this is a family of rules"),
        )
        .help("give each parameter one value"));
    }
    let single = |member: &grundy::family::Rules| member.rule.kinds.iter().any(|kind| kind.arity == 1);
    if !spelled.members.iter().all(single) {
        return Err(Failure::new("family", "families are of heaps with one entry, and these have several")
            .help("give each parameter one value"));
    }
    let mut limits = long::limits(&args.limits)?;
    limits.time = limits.time.or(Some(TIME));
    limits.whole = limits.time;
    let to = args.heaps.as_ref().map_or(Ok(TO), super::single)?;
    let most = if args.heaps.is_some() { to.saturating_add(1) } else { MOST };
    let search = Search { kind: args.kind.clone(), to, most, limits };
    let count = spelled.members.len();
    let spinner = Spinner::start(format!("looking at {count} members of {}", spelled.title));
    let found = family::family(&spelled.names, &spelled.members, &search);
    drop(spinner);
    let found = found.map_err(|error| failure::from_library(&error, &spelled.source))?;
    if found.members.iter().all(|member| member.checked_to.is_none()) {
        let why = found.members.iter().find_map(|member| member.stopped.clone()).unwrap_or_default();
        return Err(Failure::new("time", format!("no member could be tabulated to heap {to}: {why}"))
            .help("give more --time, shorter ranges, or a smaller -n"));
    }
    if args.json {
        output::json(&answer(spelled, &found))?;
    } else {
        output::text(|out| write(out, spelled, &found))?;
    }
    if found.common.is_some() || !found.periods.is_empty() { Ok(()) } else { Err(Failure::No) }
}

/// `k=3`, `l=1 r=5`
fn called(names: &[String], point: &[Int]) -> String {
    let each: Vec<String> = names.iter().zip(point).map(|(name, value)| format!("{name}={value}")).collect();
    each.join(" ")
}

fn write(out: &mut dyn Write, spelled: &Family, found: &family::Family) -> Result<(), Failure> {
    let names = &spelled.names;
    let ranges: Vec<String> =
        names.iter().zip(&spelled.ranges).map(|(name, range)| format!("{name}={range}")).collect();
    let looked: Vec<&Member> = found.members.iter().filter(|member| member.checked_to.is_some()).collect();
    let members = report::count(u64::try_from(looked.len()).unwrap_or(u64::MAX), "member", "members");
    let to = found.members.iter().filter_map(|member| member.checked_to).min().unwrap_or(0);
    let mut remarks = Vec::new();
    let named = names.join(", ");
    match &found.common {
        // With a name that stands for a number in words only it is no law that can be read back.
        Some(common) => {
            let mark = if common.given.is_empty() { "" } else { "# " };
            writeln!(out, "{mark}{RESULT}{}{RESULT:#}", common.text)?;
            for (name, words) in &common.given {
                remarks.push(format!("where {name} is {words}"));
            }
        }
        None if !found.periods.is_empty() => {
            writeln!(out, "# {RESULT}{}{RESULT:#}", found.periods.join(", "))?;
        }
        None => writeln!(out, "# {RESULT}no law in {named} found{RESULT:#}")?,
    }
    let members = match &found.common {
        Some(common) if !common.broken.is_empty() || !common.open.is_empty() => {
            let holds = looked.len() - common.broken.len() - common.open.len();
            format!("{holds} of {members}")
        }
        _ => members,
    };
    remarks.push(format!("{}: {members}, observed, each to {to} at least", ranges.join(" ")));
    if let (Some(_), false) = (&found.common, found.periods.is_empty()) {
        remarks.push(found.periods.join(", "));
    }
    if spelled.refused > 0 {
        remarks.push(format!("{} more that the rule does not allow", spelled.refused));
    }
    for line in remarks {
        writeln!(out, "{QUIET}# {line}{QUIET:#}")?;
    }
    // Without one law each member speaks for itself; with one, those for which it is not all.
    let rows: Vec<Vec<String>> = found
        .members
        .iter()
        .enumerate()
        .filter_map(|(place, member)| {
            let own = one(member);
            let said = match &found.common {
                None => own,
                Some(common) => match (common.broken_at(place), common.open_period(place)) {
                    (Some(heap), _) => format!("false at heap {heap}: {own}"),
                    (_, Some(period)) => {
                        let to = member.checked_to.unwrap_or(0);
                        format!("open: {period} is a period or number of it, and the table ends at {to}")
                    }
                    _ if member.checked_to.is_none() => own,
                    _ => return None,
                },
            };
            Some(vec![called(names, &member.point), said])
        })
        .collect();
    let mut lines = Vec::new();
    report::columns(&mut lines, &rows, &[])?;
    for line in String::from_utf8_lossy(&lines).lines() {
        writeln!(out, "{QUIET}#{line}{QUIET:#}")?;
    }
    Ok(())
}

/// The law of one member in a line.
fn one(member: &Member) -> String {
    let Some(to) = member.checked_to else {
        return format!("not looked at: {}", member.stopped.as_deref().unwrap_or("a limit was reached"));
    };
    let Some(stated) = &member.stated else {
        let stopped = member.stopped.as_ref().map_or(String::new(), |why| format!("; {}", first_line(why)));
        return format!("no law of its own found, looked at to {to} at least{stopped}");
    };
    let text = stated.law.to_string();
    match (text.lines().count(), stated.law.period()) {
        (1, _) => text,
        (_, Some(period)) => {
            let saltus =
                if period.saltus > 0 { format!(", saltus {}", period.saltus) } else { String::new() };
            let said = format!("period {}{saltus}, preperiod {}", period.period, period.preperiod);
            // A short one is said in full, too.
            let whole = text.replace('\n', "; ");
            if whole.len() <= 60 { format!("{whole}  ({said})") } else { said }
        }
        _ => format!("{} law of {} clauses", stated.law.kind(), stated.law.text().clauses.len()),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}

fn answer(spelled: &Family, found: &family::Family) -> Answer {
    let members = found.members.iter().enumerate().map(|(place, member)| {
        let parameters = spelled.names.iter().zip(&member.point).map(|(name, value)| {
            (name.clone(), serde_json::to_value(value).unwrap_or(serde_json::Value::Null))
        });
        let law = member.stated.as_ref().map(|stated| &stated.law);
        let period = law.and_then(grundy::law::Law::period);
        let common = found.common.as_ref();
        let broken = common.and_then(|common| common.broken_at(place));
        let open = common.and_then(|common| common.open_period(place));
        MemberAnswer {
            parameters: parameters.collect(),
            law: law.map(ToString::to_string),
            kind: law.map(|law| law.kind().name()),
            preperiod: period.map(|period| period.preperiod),
            period: period.map(|period| period.period),
            saltus: period.map(|period| period.saltus),
            checked_to: member.checked_to,
            fits: common.filter(|_| member.checked_to.is_some() && open.is_none()).map(|_| broken.is_none()),
            broken_at: broken,
            open_period: open,
            stopped: member.stopped.clone(),
        }
    });
    let common = found.common.as_ref();
    Answer {
        family: spelled
            .names
            .iter()
            .zip(&spelled.ranges)
            .map(|(name, values)| Range { name: name.clone(), values: values.clone() })
            .collect(),
        law: common.map(|common| common.text.clone()),
        r#where: common.map_or(Vec::new(), |common| {
            let given = common.given.iter();
            given.map(|(name, is)| Given { name: name.clone(), is: is.clone() }).collect()
        }),
        periods: found.periods.clone(),
        status: (common.is_some() || !found.periods.is_empty()).then_some("observed"),
        checked_to: found.checked_to,
        members: members.collect(),
        refused: spelled.refused,
    }
}
