//! `grundy law`: the law behind the values of a rule, and how well it is known.
//!
//! The text answer is a law that can be read back: what is said about it stands in comments.

mod family;
pub(crate) mod grid;

use std::io::Write;
use std::time::Duration;

use grundy::law::discover::Tried;
use grundy::standing::{self, Finding, Request, Standing, Stated};
use grundy_check::certificate::Certificate;
use serde::Serialize;

use crate::args::Law;
use crate::failure::{self, Failure};
use crate::load::{self, Loaded};
use crate::long::{self, Spinner};
use crate::report::{self, QUIET, RESULT};
use crate::{output, render, units};

/// How long to look if `--time` does not say.
const TIME: Duration = Duration::from_secs(10);

/// What `--json` prints: these keys and no others, null where a law has none such.
#[derive(Serialize)]
pub(crate) struct Answer {
    law: Option<String>,
    kind: Option<&'static str>,
    preperiod: Option<u128>,
    period: Option<u128>,
    saltus: Option<u128>,
    status: Option<&'static str>,
    checked_to: Option<u64>,
    certificate: Option<Certificate>,
    /// The kinds of law that were tried and dropped.
    tried: Vec<TriedAnswer>,
    /// The limit that ended the search early.
    stopped: Option<String>,
    /// What may break an observed law beyond the table: the next number that may be taken.
    untested: Option<String>,
}

/// A kind of law that was tried, and why it was dropped.
#[derive(Serialize)]
struct TriedAnswer {
    kind: &'static str,
    why: String,
}

impl TriedAnswer {
    fn of(tried: &Tried) -> TriedAnswer {
        TriedAnswer { kind: tried.kind.name(), why: tried.why.clone() }
    }
}

/// `grundy law RULE`
pub(crate) fn run(args: &Law) -> Result<(), Failure> {
    if let Some(spelled) = load::family::family(&args.rule)? {
        return family::run(args, &spelled);
    }
    let loaded = load::load(&args.rule)?;
    loaded.no_position("law")?;
    loaded.need_values()?;
    if let Some(kind) = grid::kind(args, &loaded) {
        return grid::run(args, &loaded, kind);
    }
    let mut limits = long::limits(&args.limits)?;
    limits.time = limits.time.or(Some(TIME));
    limits.whole = limits.time;
    let mut request = Request { kind: args.kind.clone(), prove: !args.no_proof, ..Request::new(limits) };
    if let Some(heaps) = &args.heaps {
        let last = single(heaps)?;
        request.most = last.saturating_add(1);
        request.first = request.first.min(request.most);
    }
    let finding = match find(&loaded, &request) {
        // One's own patience is no limit that was set: then nothing was found, in no values.
        Err(Failure::Message { id: "time", message, .. }) if args.limits.time.is_none() => {
            let (tried, stopped) = (Vec::new(), Some(message));
            Finding { stated: None, tried, values: 0, stopped, unproved: None, untested: None }
        }
        found => found?,
    };
    if args.json {
        output::json(&answer(&finding))?;
    } else if args.latex || args.dot {
        drawn(args, &finding)?;
    } else {
        output::text(|out| write(out, &finding))?;
    }
    found_or_not(args, finding.stated.is_some(), finding.stopped.as_deref())
}

/// The exit status: a law, none, or none because a limit came that the caller set.
fn found_or_not(args: &Law, found: bool, stopped: Option<&str>) -> Result<(), Failure> {
    let limited = args.limits.time.is_some() || args.limits.memory.is_some();
    match stopped.map(first_line) {
        Some(stopped) if !found && limited && is_limit(stopped) => {
            Err(Failure::new("limit", format!("no law was found before the limit: {stopped}"))
                .help("give more with --time or --memory"))
        }
        _ if found => Ok(()),
        _ => Err(Failure::No),
    }
}

/// Whether the words are those of a limit of time or memory, and not of the table's length.
fn is_limit(stopped: &str) -> bool {
    stopped.contains("time limit") || stopped.contains("memory")
}

/// The last heap, where heaps have one entry.
fn single(heaps: &units::Numbers) -> Result<u64, Failure> {
    match heaps.0.as_slice() {
        [last] => Ok(*last),
        several => {
            let message = format!("-n gives {} ends, and these heaps have one entry", several.len());
            Err(Failure::new("usage", message).help("one number is the last heap"))
        }
    }
}

/// Looks for the law of a rule.
pub(crate) fn find(loaded: &Loaded, request: &Request) -> Result<Finding, Failure> {
    let spinner = Spinner::start(format!("looking for the law of {}", loaded.title()));
    let found = standing::find(&loaded.rule, Some(&loaded.file), request, &mut |_| {});
    drop(spinner);
    found.map_err(|error| failure::from_library(&error, &loaded.source))
}

/// A finding in JSON.
pub(crate) fn answer(finding: &Finding) -> Answer {
    let stated = finding.stated.as_ref();
    let period = stated.and_then(|stated| stated.law.period());
    Answer {
        law: stated.map(|stated| stated.law.to_string()),
        kind: stated.map(|stated| stated.law.kind().name()),
        preperiod: period.map(|period| period.preperiod),
        period: period.map(|period| period.period),
        saltus: period.map(|period| period.saltus),
        status: stated.map(|stated| stated.standing.word()),
        checked_to: match stated {
            Some(stated) => stated.checked_to,
            None => finding.values.checked_sub(1),
        },
        certificate: stated.and_then(|stated| match &stated.standing {
            Standing::Proved { certificate, .. } => certificate.as_deref().cloned(),
            _ => None,
        }),
        tried: finding.tried.iter().map(TriedAnswer::of).collect(),
        stopped: finding.stopped.clone(),
        untested: finding.untested.clone(),
    }
}

/// As LaTeX, or as a drawing of its automaton.
fn drawn(args: &Law, finding: &Finding) -> Result<(), Failure> {
    let Some(Stated { law, standing, .. }) = &finding.stated else {
        return output::text(|out| write(out, finding));
    };
    render::note(&format!("{} law, {standing}", law.kind()));
    let text = if args.latex { Some(law.latex()) } else { law.graphviz() };
    let text = text.ok_or_else(|| {
        Failure::new("dot", format!("this law is {} and has no automaton to draw", law.kind()))
            .help("`grundy law RULE --latex` writes any law")
    })?;
    output::data(|out| Ok(out.write_all(text.as_bytes())?))
}

fn write(out: &mut dyn Write, finding: &Finding) -> Result<(), Failure> {
    match &finding.stated {
        Some(stated) => {
            writeln!(out, "{RESULT}{}{RESULT:#}", stated.law)?;
            for line in remarks(stated, finding) {
                writeln!(out, "{QUIET}# {line}{QUIET:#}")?;
            }
        }
        None => {
            match finding.values.checked_sub(1) {
                Some(to) => writeln!(out, "{RESULT}none found to {to}{RESULT:#}")?,
                None => writeln!(out, "{RESULT}no law was looked for{RESULT:#}")?,
            }
            if let Some(stopped) = &finding.stopped {
                let ended = if is_limit(stopped) { "ended by a limit: " } else { "" };
                writeln!(out, "{ended}{}", first_line(stopped))?;
            }
            let rows: Vec<Vec<String>> =
                finding.tried.iter().map(|tried| vec![tried.kind.to_string(), tried.why.clone()]).collect();
            report::columns(out, &rows, &[])?;
        }
    }
    Ok(())
}

/// What there is to say about a law, a sentence each.
pub(crate) fn remarks(stated: &Stated, finding: &Finding) -> Vec<String> {
    let law = &stated.law;
    let mut remarks = Vec::new();
    remarks.push(match law.period() {
        None => law.kind().to_string(),
        Some(period) => {
            let saltus = match period.saltus {
                0 => String::new(),
                saltus => format!(", saltus {saltus}"),
            };
            format!(
                "{}: period {}{saltus}, preperiod {} (the least heap, counted from 0, from which on it repeats)",
                law.kind(),
                period.period,
                period.preperiod
            )
        }
    });
    remarks.push(stated.standing.to_string());
    if let (true, Some(to)) = (stated.standing.is_proved(), stated.checked_to) {
        remarks.push(format!("agrees with the table to {to}"));
    }
    remarks.extend(finding.untested.clone());
    if let Some(evidence) = stated.evidence {
        remarks.push(format!("the first {evidence} values are enough to guess it"));
    }
    if let (Some(why), false) = (&finding.unproved, stated.standing.is_proved()) {
        remarks.push(format!("not proved: {}", first_line(why)));
    }
    if let Some(stopped) = &finding.stopped {
        remarks.push(format!("the search was ended by a limit: {}", first_line(stopped)));
    }
    remarks
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}
