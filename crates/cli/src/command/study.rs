//! `grundy study`: the whole story of a rule - what it is, its table, what the literature says - and of a position.

use std::io::Write;
use std::time::Duration;

use grundy::error::Error;
use grundy::export::{Exporter, Text, View};
use grundy::law::Law;
use grundy::limits::Limits;
use grundy::position::{Analysis, Question};
use grundy::standing::{self, Finding, Request, Standing};
use grundy::table::{self, Options, SoFar, Table};
use grundy_rule::heap::KindId;
use grundy_rule::law_text;
use serde::Serialize;

use super::law::grid::{self, Seen};
use super::{law, moves, show};
use crate::args::Study;
use crate::failure::{self, Failure};
use crate::load::{self, Loaded};
use crate::long::{self, Spinner};
use crate::report::{HEADING, QUIET};
use crate::{output, render};

/// How long a study may take if `--time` does not say.
const TIME: Duration = Duration::from_secs(10);

/// Greatest end of a grid that fits a page.
const GRID: u64 = 15;

#[derive(Serialize)]
struct Story {
    #[serde(flatten)]
    about: show::About,
    /// The last heap for which the cited law agrees with the table.
    law_tested_to: Option<u64>,
    tables: Vec<WireTable>,
    /// The law that was found for each kind of heap, as `grundy law --json` says it.
    laws: Vec<WireLaw>,
    position: Option<moves::Answer>,
}

#[derive(Serialize)]
struct WireLaw {
    heap_kind: Option<String>,
    #[serde(flatten)]
    law: WireAnswer,
}

#[derive(Serialize)]
#[serde(untagged)]
enum WireAnswer {
    One(Box<law::Answer>),
    Several(Box<law::grid::Answer>),
}

/// How long the laws are looked for, and in how many values; `grundy law` has more patience.
const LAW_TIME: Duration = Duration::from_secs(3);
const LAW_VALUES: u64 = 1 << 15;

/// What was found about a kind of heap: by a table of heaps with one entry, or a grid of those with several.
type Lawful = (Option<String>, Lore);

enum Lore {
    One(Box<Finding>),
    Several(Box<Seen>),
}

#[derive(Serialize)]
struct WireTable {
    kind: Option<String>,
    /// Heaps along each entry.
    shape: Vec<usize>,
    /// In row order: the last entry runs fastest.
    values: Vec<u32>,
}

/// `grundy study RULE [POSITION]`
pub(crate) fn run(args: &Study) -> Result<(), Failure> {
    let loaded = load::load(&args.rule)?;
    let mut limits = long::limits(&args.limits)?;
    limits.time = limits.time.or(Some(TIME));
    let spinner = Spinner::start(format!("studying {}", loaded.title()));
    let tables = tables(&loaded, args.heaps, &limits);
    let analysis = match loaded.words.is_empty() {
        true => None,
        false => Some(moves::position(&loaded, limits.clone(), &Question::default(), false)?),
    };
    let laws = laws(&loaded, &limits);
    drop(spinner);
    let mut whole = Vec::new();
    let mut failed = Vec::new();
    for tabulated in tables {
        match tabulated {
            Ok(SoFar { table, stopped }) => {
                failed.extend(stopped);
                whole.push(table);
            }
            Err(error) => failed.push(error),
        }
    }
    let tables: Vec<Table> = whole.into_iter().filter(|table| !table.is_empty()).collect();
    let failed: Vec<Failure> =
        failed.iter().map(|error| failure::from_library(error, &loaded.source)).collect();
    let tested = tested(&loaded, &tables)?;
    if args.json.json {
        story(&loaded, &tables, tested, &laws, analysis.as_ref())?;
    } else {
        output::text(|out| write(out, &loaded, &tables, tested, &laws, analysis.as_ref()))?;
    }
    // Everything known has been said; what could not be computed comes last and decides the exit status.
    let mut failed = failed.into_iter().rev();
    let last = failed.next();
    failed.rev().for_each(|failure| render::failure(&failure));
    last.map_or(Ok(()), Err)
}

/// A table for each kind of heap with one entry, a grid for each with two; none where nimbers do not answer
/// (misère play) or a parameter has no value.
fn tables(loaded: &Loaded, n: u64, limits: &Limits) -> Vec<Result<SoFar, Error>> {
    let rule = &loaded.rule;
    if !rule.has_nimbers() || rule.loopy || rule.params.iter().any(|param| param.value.is_none()) {
        return Vec::new();
    }
    let kinds = rule.kinds.iter().filter(|kind| kind.arity == 1 || kind.arity == 2);
    let tabulated = kinds.map(|kind| {
        let options =
            Options { kind: kind.name.clone(), engine: None, limits: limits.clone(), ..Options::default() };
        let ends = if kind.arity == 1 { vec![n] } else { vec![n.min(GRID); 2] };
        table::so_far(rule, &ends, &options)
    });
    tabulated.collect()
}

/// The law of each kind of heap, as far as it is found soon.
fn laws(loaded: &Loaded, limits: &Limits) -> Vec<Lawful> {
    let rule = &loaded.rule;
    if !rule.has_nimbers() || rule.loopy || rule.params.iter().any(|param| param.value.is_none()) {
        return Vec::new();
    }
    let moved = |index: usize| rule.lines.iter().any(|line| usize::from(line.kind.0) == index);
    let kinds = rule.kinds.iter().enumerate().filter(|(index, _)| moved(*index));
    let found = kinds.filter_map(|(index, kind)| {
        let time = Some(limits.time.map_or(LAW_TIME, |time| time.min(LAW_TIME)));
        let limits = Limits { time, ..limits.clone() };
        // A cited law is compared with the table below; what stops this search stops the table, too.
        let lore = if kind.arity == 1 {
            let request = Request { kind: kind.name.clone(), most: LAW_VALUES, ..Request::new(limits) };
            Lore::One(Box::new(standing::find(rule, None, &request, &mut |_| {}).ok()?))
        } else {
            let kind = KindId(u16::try_from(index).ok()?);
            Lore::Several(Box::new(grid::study(loaded, kind, &limits).ok()?))
        };
        Some((kind.name.clone(), lore))
    });
    found.collect()
}

/// What a grid shows.
fn write_grid(out: &mut dyn Write, kind: Option<&str>, seen: &Seen) -> Result<(), Failure> {
    let kind = kind.map_or(String::new(), |kind| format!(" of {kind}"));
    let word = match grid::law(seen) {
        Some(_) if grid::is_proved(seen) => "  proved",
        Some(_) => "  observed, not proved",
        None => "",
    };
    writeln!(out, "\n{HEADING}Law{kind}{HEADING:#}{QUIET}{word}{QUIET:#}\n")?;
    let mut said = Vec::new();
    grid::write(&mut said, seen)?;
    for line in String::from_utf8_lossy(&said).lines() {
        writeln!(out, "  {}", show::cut(line))?;
    }
    Ok(())
}

/// A law with what is known of it.
fn write_law(out: &mut dyn Write, kind: Option<&str>, finding: &Finding) -> Result<(), Failure> {
    let kind = kind.map_or(String::new(), |kind| format!(" of {kind}"));
    let Some(stated) = &finding.stated else {
        let values = finding.values;
        writeln!(out, "\n{HEADING}Law{kind}{HEADING:#}  {QUIET}none found in {values} values{QUIET:#}")?;
        return Ok(());
    };
    let word = match stated.standing {
        Standing::Observed { .. } => "observed, not proved",
        _ => "proved",
    };
    writeln!(out, "\n{HEADING}Law{kind}{HEADING:#}  {QUIET}{word}{QUIET:#}\n")?;
    for line in stated.law.to_string().lines() {
        writeln!(out, "  {}", show::cut(line))?;
    }
    for remark in law::remarks(stated, finding) {
        writeln!(out, "  {QUIET}# {remark}{QUIET:#}")?;
    }
    Ok(())
}

/// Compares the cited law with the table: the last heap of the table, if the law speaks and is right.
fn tested(loaded: &Loaded, tables: &[Table]) -> Result<Option<u64>, Failure> {
    let one_entry = tables.iter().find(|table| table.dims().len() == 1);
    let (false, Some(table)) = (loaded.file.law.is_empty(), one_entry) else { return Ok(None) };
    let params = &loaded.rule.params;
    let law = law_text::resolve(&loaded.file.law, params)
        .map_err(Error::from)
        .and_then(|text| Law::new(text, params))
        .map_err(|error| failure::from_library(&error, &loaded.source))?;
    // Laws of tuples are about other tables.
    if law.arity() != 1 {
        return Ok(None);
    }
    let mut last = None;
    for (n, right) in (0_u64..).zip(table.iter()) {
        match law.value(u128::from(n)) {
            Ok(said) if said == u128::from(right) => last = Some(n),
            Ok(said) => {
                let message = format!("the cited law gives {said} for heap {n}, and the rule gives {right}");
                return Err(
                    Failure::new("law-false", message).help("mend the law in the game file, or leave it out")
                );
            }
            Err(error) if error.id() == "law-silent" => {}
            Err(error) if error.id() == "law-outcome" && right != 0 => last = Some(n),
            Err(error) if error.id() == "law-outcome" => {
                let message = format!("the cited law says that heap {n} is won, and by the rule it is lost");
                return Err(
                    Failure::new("law-false", message).help("mend the law in the game file, or leave it out")
                );
            }
            Err(error) => return Err(failure::from_library(&error, &loaded.source)),
        }
    }
    Ok(last)
}

fn story(
    loaded: &Loaded,
    tables: &[Table],
    tested: Option<u64>,
    laws: &[Lawful],
    analysis: Option<&Analysis>,
) -> Result<(), Failure> {
    let tables = tables.iter().map(|table| WireTable {
        kind: table.kind().map(String::from),
        shape: table.dims().to_vec(),
        values: table.iter().collect(),
    });
    output::json(&Story {
        about: show::about(loaded),
        law_tested_to: tested,
        tables: tables.collect(),
        laws: laws
            .iter()
            .map(|(kind, lore)| WireLaw {
                heap_kind: kind.clone(),
                law: match lore {
                    Lore::One(finding) => WireAnswer::One(Box::new(law::answer(finding))),
                    Lore::Several(seen) => WireAnswer::Several(Box::new(grid::answer(seen))),
                },
            })
            .collect(),
        position: analysis.map(|analysis| moves::answer(&loaded.rule, analysis)),
    })
}

fn write(
    out: &mut dyn Write,
    loaded: &Loaded,
    tables: &[Table],
    tested: Option<u64>,
    laws: &[Lawful],
    analysis: Option<&Analysis>,
) -> Result<(), Failure> {
    show::head(out, loaded, tested)?;
    if loaded.rule.misere {
        writeln!(out, "\nUnder mis\u{e8}re play nimbers do not add, so there is no table of them.")?;
    } else if !loaded.rule.has_nimbers() || loaded.rule.loopy {
        writeln!(out, "\nNimbers alone do not settle this game, so there is no table of them.")?;
    } else if let Some(param) = loaded.rule.params.iter().find(|param| param.value.is_none()) {
        writeln!(out, "\nA table needs a value for {0}: {0}=...", param.name)?;
    }
    for table in tables {
        let columns = columns(table);
        let kind = table.kind().map_or(String::new(), |kind| format!(" of {kind}"));
        writeln!(out, "\n{HEADING}Grundy values{kind}{HEADING:#}  {QUIET}* marks the lost heaps{QUIET:#}\n")?;
        Text { view: View::Rows, columns }
            .write(table, out)
            .map_err(|error| failure::from_library(&error, &loaded.source))?;
    }
    for (kind, lore) in laws {
        match lore {
            Lore::One(finding) => write_law(out, kind.as_deref(), finding)?,
            Lore::Several(seen) => write_grid(out, kind.as_deref(), seen)?,
        }
    }
    if let Some(analysis) = analysis {
        writeln!(out, "\n{HEADING}Position {}{HEADING:#}\n", loaded.words.join(" "))?;
        moves::write(out, &loaded.rule, analysis)?;
    }
    Ok(())
}

/// Columns in which a pattern is seen: a multiple of the period if the later half of the table repeats.
fn columns(table: &Table) -> usize {
    const USUAL: usize = 10;
    const WIDEST: usize = 24;
    let values: Vec<u32> = table.iter().collect();
    let late = values.len() / 2;
    let repeats = |p: &usize| (late..values.len() - p).all(|i| values[i] == values[i + p]);
    // Three periods in sight before columns are bent to it.
    let period = (1..=WIDEST.min(values.len() / 6)).find(repeats);
    match period {
        Some(p) if p >= USUAL => p,
        Some(p) => USUAL / p * p,
        None => USUAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_follow_the_period() {
        let table = |values: &mut dyn Iterator<Item = u32>| Table::of(&values.collect::<Vec<_>>());
        assert_eq!(columns(&table(&mut (0..100).map(|n| n % 7))), 7);
        assert_eq!(columns(&table(&mut (0..100).map(|n| n % 4))), 8);
        assert_eq!(columns(&table(&mut (0..100).map(|n| n % 12))), 12);
        assert_eq!(columns(&table(&mut (0..100).map(|n| if n < 20 { 9 } else { n % 3 }))), 9);
        assert_eq!(columns(&table(&mut (0..100))), 10);
        assert_eq!(columns(&table(&mut (0..3))), 10);
        assert_eq!(columns(&Table::of(&[])), 10);
    }
}
