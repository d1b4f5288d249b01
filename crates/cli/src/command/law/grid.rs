//! `grundy law` for heaps of several entries: what a grid of them shows.

use std::io::Write;
use std::time::Duration;

use grundy::law::Law as Found;
use grundy::law::discover::{self, Grid, Row, Tried};
use grundy::limits::{Clock, Limits};
use grundy::proof::{self, By, Outcome};
use grundy::standing;
use grundy::table::{self, Options, SoFar, Table};
use grundy::values::Values;
use grundy_check::certificate::Certificate;
use grundy_rule::heap::KindId;
use grundy_rule::law_text::Subject;
use grundy_rule::{Heap, Int};
use serde::Serialize;

use super::{TIME, TriedAnswer, first_line};
use crate::args::Law;
use crate::failure::{self, Failure};
use crate::load::Loaded;
use crate::long::{self, Spinner};
use crate::report::{self, QUIET, RESULT};
use crate::{output, render};

/// The numbers of a rule up to which the grid is made larger, and the longest rows that are made for larger ones.
const NEAR: u64 = 150;
const LONG: u64 = 3000;

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
    /// As far as the grid reaches; null for one that was cut short.
    symmetric: Option<bool>,
    /// How far the rows were looked at.
    rows_to: Option<usize>,
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
    /// Who states the law, if the game file does.
    cited: Option<String>,
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
    // Beyond the numbers that the rule names it may be another rule.
    let number = u64::try_from(discover::greatest_number(&loaded.rule)).unwrap_or(u64::MAX);
    let further: Vec<u64> = match wanted.own_rows {
        true if number <= NEAR => ends.iter().map(|end| (*end).max(number + number / 3)).collect(),
        _ => ends.to_vec(),
    };
    let SoFar { table, stopped } = table::so_far(&loaded.rule, &further, &options())?;
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
        cited: None,
    };
    cited(loaded, &mut seen)?;
    let shortest = seen.table.dims().iter().map(|dim| dim.saturating_sub(1)).min().unwrap_or(0);
    let is_short = u64::try_from(shortest).is_ok_and(|shortest| shortest < number);
    let long = number.saturating_mul(2).max(WIDTH);
    if seen.cited.is_none() && is_short && (ends.len() != 2 || !wanted.own_rows || long > LONG) {
        let to = last(&seen.table);
        let why = format!("the rule speaks of {number}, and a grid to {to} shows too little beyond that");
        seen.grid = Grid { symmetric: seen.grid.symmetric, ..Grid::default() };
        seen.grid.tried.push(Tried { kind: grundy::law::Kind::Formula, why });
    }
    if let ([_, _], None) = (ends, &seen.stopped) {
        // What does not come in time is not said.
        let strip = match wanted.own_rows {
            true => table::grid(&loaded.rule, &[ROWS, long.min(LONG)], &options()).ok(),
            false => None,
        };
        let upright = match (&strip, law(&seen)) {
            (Some(_), Some(_)) => table::grid(&loaded.rule, &[long.min(LONG), ROWS], &options()).ok(),
            _ => None,
        };
        for strip in [&strip, &upright].into_iter().flatten() {
            refute(&mut seen, strip, &reading.clock())?;
        }
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
            Ok(Outcome::NoRule(why) | Outcome::Unknown(why)) => {
                // Where the prover stumbled, the law may be false.
                if let Some(heap) = stumbled(&why, ends.len())
                    && let Some(why) = contradicted(loaded, kind, &heap, (law, &left()))
                {
                    seen.grid.nimbers = None;
                    seen.grid.tried.push(Tried { kind: grundy::law::Kind::Formula, why });
                } else {
                    seen.unproved = Some(why);
                }
            }
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

/// Takes the law out if a further table contradicts it.
fn refute(seen: &mut Seen, table: &Table, clock: &Clock) -> Result<(), grundy::error::Error> {
    let Some(found) = law(seen) else { return Ok(()) };
    let Some(place) = discover::first_wrong(found, table, clock)? else { return Ok(()) };
    let why = format!("one that the grid shows is refuted by heap {}", table.heap(place));
    let kind = found.kind();
    (seen.grid.nimbers, seen.grid.lost, seen.cited) = (None, None, None);
    seen.grid.tried.push(Tried { kind, why });
    Ok(())
}

/// The law that the game file states about these heaps, if the grid agrees with it.
fn cited(loaded: &Loaded, seen: &mut Seen) -> Result<(), grundy::error::Error> {
    let Some((law, source)) = standing::cited(&loaded.rule, &loaded.file)? else { return Ok(()) };
    if law.arity() != seen.table.dims().len() {
        return Ok(());
    }
    if let Some(place) = discover::first_wrong(&law, &seen.table, &Limits::default().clock())? {
        let heap = seen.table.heap(place);
        let message = format!("the law that is cited ({source}) is false at heap {heap}");
        return Err(grundy::error::Error::new("law-false", message)
            .help("mend the law in the game file, or leave it out"));
    }
    match law.speaks_of() {
        Subject::Nimbers => seen.grid.nimbers = Some(law),
        // A law of the nimbers says more.
        Subject::Zeros if seen.grid.nimbers.is_none() => seen.grid.lost = Some(law),
        Subject::Zeros => return Ok(()),
    }
    seen.cited = Some(source);
    Ok(())
}

/// The heap at which the prover says that it went wrong.
fn stumbled(why: &str, arity: usize) -> Option<Vec<Int>> {
    let (_, rest) = why.split_once("wrong at (")?;
    let (heap, _) = rest.split_once(')')?;
    let entries: Vec<Int> = heap.split(',').map(|entry| entry.trim().parse().ok()).collect::<Option<_>>()?;
    (entries.len() == arity).then_some(entries)
}

/// Whether the rule gives another value than the law, in words.
fn contradicted(
    loaded: &Loaded,
    kind: KindId,
    heap: &[Int],
    (law, limits): (&Found, &Limits),
) -> Option<String> {
    let mut values = Values::new(&loaded.rule, None, limits.clone()).ok()?;
    let value = values.nimber(&Heap::new(kind, heap)).ok()?;
    let entries: Vec<u128> = heap.iter().map(|entry| u128::try_from(*entry).ok()).collect::<Option<_>>()?;
    let wrong = law.value_of(&entries).ok() != Some(value);
    let heap = loaded.rule.show_heap(kind, heap);
    wrong.then(|| format!("one that the grid shows is refuted by heap {heap}, whose nimber is {value}"))
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
        None => match &seen.cited {
            Some(source) => format!("cited ({source}), tested to {}", last(&seen.table)),
            None => format!("observed to {}", last(&seen.table)),
        },
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
    // Of a grid that was cut short there is no square to speak of.
    if seen.stopped.is_none() {
        let word = if seen.grid.symmetric { "symmetric" } else { "not symmetric" };
        remarks.push(format!("{word}, looked at to {}", last(&seen.table)));
    }
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
                format!("period {period}{saltus}, preperiod {preperiod}, looked at to {}", seen.width)
            }
            None => format!("no period, looked at to {}", seen.width),
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
        status: found.map(|_| match (&seen.certificate, &seen.cited) {
            (Some(_), _) => "proved",
            (None, Some(_)) => "cited",
            (None, None) => "observed",
        }),
        checked_to: seen.table.entries(seen.table.len().saturating_sub(1)),
        certificate: seen.certificate.clone(),
        symmetric: seen.stopped.is_none().then_some(seen.grid.symmetric),
        rows_to: (!seen.rows.is_empty()).then_some(seen.width),
        rows: rows.collect(),
        seen: seen.grid.seen.clone(),
        tried: seen.grid.tried.iter().map(TriedAnswer::of).collect(),
        stopped: seen.stopped.clone(),
    }
}
