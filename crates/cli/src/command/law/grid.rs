//! `grundy law` for heaps of several entries: what a grid of them shows.

use std::io::Write;
use std::time::Duration;

use grundy::law::Law as Found;
use grundy::law::discover::{self, Grid, Row, Tried};
use grundy::limits::Limits;
use grundy::proof::{self, By, Outcome};
use grundy::table::{self, Options, SoFar, Table};
use grundy_check::certificate::Certificate;
use grundy_rule::heap::KindId;
use serde::Serialize;

use super::{TIME, TriedAnswer, first_line};
use crate::args::Law;
use crate::failure::{self, Failure};
use crate::load::Loaded;
use crate::long::{self, Spinner};
use crate::report::{self, QUIET, RESULT};
use crate::{output, render};

/// Rows that are looked at for a period, and how far, if `-n` does not say.
const ROWS: u64 = 5;
const WIDTH: u64 = 600;

/// How long an automaton is looked for where no formula shows.
const AUTOMATON: Duration = Duration::from_secs(3);

/// What `--json` prints: the keys of a law of heaps with one entry, and what only grids have.
#[derive(Serialize)]
pub(crate) struct Answer {
    law: Option<String>,
    kind: Option<&'static str>,
    status: Option<&'static str>,
    /// The last heap that was compared.
    checked_to: Vec<usize>,
    certificate: Option<Certificate>,
    symmetric: bool,
    /// Of pairs: the rows that were looked at, one for each first entry from 0 on.
    rows: Vec<RowAnswer>,
    /// What is seen although it has no notation.
    seen: Vec<String>,
    tried: Vec<TriedAnswer>,
    stopped: Option<String>,
}

#[derive(Serialize)]
struct RowAnswer {
    entry: usize,
    preperiod: Option<u64>,
    period: Option<u64>,
    saltus: Option<u64>,
}

/// What is known of the grid.
pub(crate) struct Seen {
    table: Table,
    grid: Grid,
    rows: Vec<Row>,
    /// How far the rows reach.
    width: usize,
    certificate: Option<Certificate>,
    unproved: Option<String>,
    stopped: Option<String>,
}

/// The kind of the heaps with several entries that the command is about; `None` where it is about one entry.
pub(super) fn kind(args: &Law, loaded: &Loaded) -> Option<KindId> {
    let asked = args.heaps.as_ref().map(|heaps| heaps.0.len()).filter(|count| *count > 1);
    let named = |name: Option<&str>| args.kind.as_deref().is_none_or(|wanted| name == Some(wanted));
    let moves = |index: usize| loaded.rule.lines.iter().any(|line| usize::from(line.kind.0) == index);
    let kinds: Vec<(usize, usize)> = loaded
        .rule
        .kinds
        .iter()
        .enumerate()
        .filter(|(index, kind)| named(kind.name.as_deref()) && moves(*index))
        .map(|(index, kind)| (index, kind.arity))
        .collect();
    let found = match asked {
        Some(count) if kinds.iter().any(|(_, arity)| *arity == count) => {
            kinds.iter().find(|(_, arity)| *arity == count)
        }
        // Too many ends or too few: the table says so.
        Some(_) if kinds.iter().all(|(_, arity)| *arity > 1) => kinds.first(),
        Some(_) => None,
        // Heaps with one entry come first.
        None if kinds.iter().any(|(_, arity)| *arity == 1) => None,
        None => kinds.first(),
    };
    found.and_then(|(index, _)| u16::try_from(*index).ok()).map(KindId)
}

/// The law of a grid.
pub(super) fn run(args: &Law, loaded: &Loaded, kind: KindId) -> Result<(), Failure> {
    if args.dot {
        return Err(Failure::new("dot", "laws of heaps with several entries have no automaton to draw"));
    }
    let arity = loaded.rule.kinds[usize::from(kind.0)].arity;
    let ends = match args.heaps.as_ref().map(|heaps| heaps.0.as_slice()) {
        None => vec![side(arity); arity],
        Some([one]) => vec![*one; arity],
        Some(ends) => ends.to_vec(),
    };
    let mut limits = long::limits(&args.limits)?;
    limits.time = limits.time.or(Some(TIME));
    limits.whole = limits.time;
    let spinner = Spinner::start(format!("looking for the law of {}", loaded.title()));
    let wanted = Wanted { kind, ends: &ends, own_rows: args.heaps.is_none(), proof: !args.no_proof };
    let seen = look(loaded, &wanted, &limits);
    drop(spinner);
    let seen = seen.map_err(|error| failure::from_library(&error, &loaded.source))?;
    if args.json {
        output::json(&answer(&seen))?;
    } else if let (true, Some(law)) = (args.latex, law(&seen)) {
        render::note(&format!("{} law, {}", law.kind(), standing(&seen)));
        output::data(|out| Ok(out.write_all(law.latex().as_bytes())?))?;
    } else {
        output::text(|out| write(out, &seen))?;
    }
    super::found_or_not(args, law(&seen).is_some(), seen.stopped.as_deref())
}

/// The last entry of each, if `-n` does not say: about ten thousand heaps.
pub(crate) fn side(arity: usize) -> u64 {
    match arity {
        2 => 100,
        3 => 24,
        4 => 9,
        _ => 6,
    }
}

/// What is looked for.
struct Wanted<'a> {
    kind: KindId,
    /// The last heap of each entry.
    ends: &'a [u64],
    /// Whether rows are looked at farther than the grid reaches.
    own_rows: bool,
    proof: bool,
}

/// What a grid of the usual size shows, for `grundy study`.
pub(crate) fn study(loaded: &Loaded, kind: KindId, limits: &Limits) -> Result<Seen, grundy::error::Error> {
    let arity = loaded.rule.kinds[usize::from(kind.0)].arity;
    let ends = vec![side(arity); arity];
    look(loaded, &Wanted { kind, ends: &ends, own_rows: true, proof: true }, limits)
}

fn look(loaded: &Loaded, wanted: &Wanted<'_>, limits: &Limits) -> Result<Seen, grundy::error::Error> {
    let Wanted { kind, ends, .. } = *wanted;
    let clock = limits.clock();
    let left = || {
        let time = limits.time.map(|time| time.saturating_sub(clock.elapsed()));
        Limits { time, ..limits.clone() }
    };
    let name = loaded.rule.kinds[usize::from(kind.0)].name.clone();
    let options = || Options { kind: name.clone(), limits: left(), ..Options::default() };
    let SoFar { table, stopped } = table::so_far(&loaded.rule, ends, &options())?;
    if let (true, Some(_)) = (table.is_empty(), &stopped) {
        return Err(stopped.unwrap_or_else(|| grundy::error::Error::new("time", "no table")));
    }
    // A table that time cut short leaves time for nothing else, and reading it takes little.
    let reading = Limits { time: None, ..limits.clone() };
    let grid = discover::grid(&table, &reading.clock())?;
    let mut seen = Seen {
        rows: Vec::new(),
        width: 0,
        table,
        grid,
        certificate: None,
        unproved: None,
        stopped: stopped.map(|error| error.message()),
    };
    if let ([_, _], None) = (ends, &seen.stopped) {
        // What does not come in time is not said.
        let strip = match wanted.own_rows {
            true => table::grid(&loaded.rule, &[ROWS, WIDTH], &options()).ok(),
            false => None,
        };
        let rows = strip.as_ref().unwrap_or(&seen.table);
        seen.width = rows.dims().last().map_or(0, |dim| dim.saturating_sub(1));
        seen.rows = discover::rows(rows);
        seen.rows.truncate(usize::try_from(ROWS).unwrap_or(usize::MAX) + 1);
    }
    if let (true, Some(law)) = (wanted.proof, &seen.grid.nimbers) {
        let text = law.text().clone();
        let request = proof::Request { law: Some(&text), kind: Some(kind), by: None };
        match proof::prove_request(&loaded.rule, &request, &left()) {
            Ok(Outcome::Proved(proof)) => seen.certificate = Some(proof.certificate.clone()),
            Ok(Outcome::NoRule(why) | Outcome::Unknown(why)) => seen.unproved = Some(why),
            Ok(Outcome::Refuted { heap, .. }) => {
                let heap = loaded.rule.show_heap(heap.kind, &heap.entries);
                seen.grid.nimbers = None;
                let why = format!("one that the grid shows is refuted by heap {heap}");
                seen.grid.tried.push(Tried { kind: grundy::law::Kind::Formula, why });
            }
            Err(error) => seen.unproved = Some(error.message()),
        }
    }
    if let (true, None) = (wanted.proof, &seen.grid.nimbers) {
        by_automaton(loaded, kind, &left(), &mut seen);
    }
    Ok(seen)
}

/// Where no formula shows, an automaton may: one that is proved, or none.
fn by_automaton(loaded: &Loaded, kind: KindId, limits: &Limits, seen: &mut Seen) {
    let time = limits.time.map_or(AUTOMATON, |left| left.min(AUTOMATON));
    let limits = Limits { time: Some(time), ..limits.clone() };
    let request = proof::Request { law: None, kind: Some(kind), by: Some(By::Automatic) };
    let Ok(Outcome::Proved(proof)) = proof::prove_request(&loaded.rule, &request, &limits) else { return };
    seen.grid.nimbers = Found::parse(&proof.certificate.law, &loaded.rule.params).ok();
    seen.certificate = Some(proof.certificate.clone());
}

pub(crate) fn law(seen: &Seen) -> Option<&Found> {
    seen.grid.nimbers.as_ref().or(seen.grid.lost.as_ref())
}

/// The last heap of the grid.
fn last(table: &Table) -> String {
    table.heap(table.len().saturating_sub(1))
}

/// Whether what was found is proved.
pub(crate) fn is_proved(seen: &Seen) -> bool {
    seen.certificate.is_some()
}

fn standing(seen: &Seen) -> String {
    match &seen.certificate {
        Some(_) => "proved: automata (R4), with a certificate".to_string(),
        None => format!("observed to {}", last(&seen.table)),
    }
}

/// The law, and below it what is known of it.
pub(crate) fn write(out: &mut dyn Write, seen: &Seen) -> Result<(), Failure> {
    let mut remarks = Vec::new();
    match law(seen) {
        Some(law) => {
            writeln!(out, "{RESULT}{law}{RESULT:#}")?;
            if seen.grid.nimbers.is_none() {
                remarks.push("the outcome only: no law of the nimbers was found".to_string());
            }
            remarks.push(standing(seen));
            if let (Some(why), None) = (&seen.unproved, &seen.certificate) {
                remarks.push(format!("not proved: {}", first_line(why)));
            }
        }
        None => writeln!(out, "{RESULT}none found to {}{RESULT:#}", last(&seen.table))?,
    }
    remarks.extend(seen.grid.seen.iter().cloned());
    remarks.push(if seen.grid.symmetric { "symmetric" } else { "not symmetric" }.to_string());
    if let Some(stopped) = &seen.stopped {
        remarks.push(format!("ended by a limit: {}", first_line(stopped)));
    }
    for line in remarks {
        writeln!(out, "{QUIET}# {line}{QUIET:#}")?;
    }
    for row in &seen.rows {
        let said = match row.period {
            Some((preperiod, period, saltus)) => {
                let saltus = if saltus > 0 { format!(", saltus {saltus}") } else { String::new() };
                format!("period {period}{saltus}, preperiod {preperiod}")
            }
            None => format!("no period seen to {}", seen.width),
        };
        writeln!(out, "{QUIET}# row {}: {said}{QUIET:#}", row.entry)?;
    }
    if law(seen).is_none() {
        let rows: Vec<Vec<String>> =
            seen.grid.tried.iter().map(|tried| vec![tried.kind.to_string(), tried.why.clone()]).collect();
        report::columns(out, &rows, &[])?;
    }
    Ok(())
}

pub(crate) fn answer(seen: &Seen) -> Answer {
    let found = law(seen);
    let rows = seen.rows.iter().map(|row| RowAnswer {
        entry: row.entry,
        preperiod: row.period.map(|(preperiod, ..)| preperiod),
        period: row.period.map(|(_, period, _)| period),
        saltus: row.period.map(|(.., saltus)| saltus),
    });
    Answer {
        law: found.map(ToString::to_string),
        kind: found.map(|law| law.kind().name()),
        status: found.map(|_| if seen.certificate.is_some() { "proved" } else { "observed" }),
        checked_to: seen.table.entries(seen.table.len().saturating_sub(1)),
        certificate: seen.certificate.clone(),
        symmetric: seen.grid.symmetric,
        rows: rows.collect(),
        seen: seen.grid.seen.clone(),
        tried: seen.grid.tried.iter().map(TriedAnswer::of).collect(),
        stopped: seen.stopped.clone(),
    }
}
