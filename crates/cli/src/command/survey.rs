//! `grundy survey`: many codes at once - what law each game has, and whether it is proved.

use std::io::Write;

use grundy::limits::Limits;
use grundy::survey::{self, Proved, Row};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use crate::args::Survey;
use crate::failure::{self, Failure, Source};
use crate::long;
use crate::output;

#[derive(Serialize)]
struct Line {
    code: String,
    /// `N=.. hash=.. last=..`, as `grundy table --format digest` prints it.
    digest: String,
    law: Option<&'static str>,
    states: Option<usize>,
    /// `proved`, `observed` or `none`.
    status: &'static str,
    by: Option<&'static str>,
    bytes: Option<usize>,
    why: Option<String>,
}

/// `grundy survey --codes 0.hh`
pub(crate) fn run(args: &Survey) -> Result<(), Failure> {
    let no_text = Source { origin: "codes".to_string(), text: args.codes.clone() };
    let said = |error: &grundy::error::Error| failure::from_library(error, &no_text);
    let codes = survey::codes(&args.codes).map_err(|error| said(&error))?;
    let whole = long::limits(&args.limits)?;
    let clock = whole.clock();
    // Rows come in the order of the codes, some at a time, so that what is there when the survey is stopped is whole.
    let together = rayon::current_num_threads().max(1) * 2;
    let mut lines: Vec<Line> = Vec::new();
    let mut stopped = None;
    if !args.json.json {
        output::text(|out| Ok(writeln!(out, "{}", HEAD)?))?;
    }
    for some in codes.chunks(together) {
        if let Err(error) = clock.check() {
            stopped = Some(error);
            break;
        }
        let left = clock.left();
        let each = Limits { time: Some(left.time.map_or(args.each, |left| left.min(args.each))), ..left };
        let rows: Vec<_> =
            some.par_iter().map(|code| survey::row(code, args.heaps, args.prove, &each)).collect();
        for (code, row) in some.iter().zip(rows) {
            let line = match row {
                Ok(row) => line(row),
                Err(error) if error.id() == "cancelled" => {
                    stopped = Some(error);
                    break;
                }
                Err(error) if error.is_limit() => missing(code, error.message()),
                Err(error) => return Err(said(&error)),
            };
            if !args.json.json {
                output::text(|out| Ok(write(out, &line)?))?;
            }
            lines.push(line);
        }
        if stopped.is_some() {
            break;
        }
    }
    if args.json.json {
        output::json(&lines)?;
    } else {
        output::text(|out| Ok(totals(out, &lines, args.most)?))?;
    }
    match (stopped, codes.get(lines.len())) {
        (Some(error), Some(next)) => {
            let message = format!("{}; the survey ends before the code {next}", error.message());
            Err(said(&grundy::error::Error::new(error.id(), message)))
        }
        _ => Ok(()),
    }
}

const HEAD: &str = "code     status    law                  states  by                   bytes  digest";

fn line(row: Row) -> Line {
    let law = row.law.map(|kind| kind.name()).or(row.states.map(|_| "automaton"));
    let (status, by, bytes, why) = match row.proof {
        Some(Proved::Yes { by, bytes }) => ("proved", Some(by), Some(bytes), None),
        Some(Proved::No(why) | Proved::Unknown(why)) => ("observed", None, None, Some(why)),
        None => (if law.is_some() { "observed" } else { "none" }, None, None, None),
    };
    Line { code: row.code, digest: row.digest, law, states: row.states, status, by, bytes, why }
}

/// A code whose table was not there in time.
fn missing(code: &str, why: String) -> Line {
    Line {
        code: code.to_string(),
        digest: String::new(),
        law: None,
        states: None,
        status: "none",
        by: None,
        bytes: None,
        why: Some(why),
    }
}

fn write(out: &mut dyn Write, line: &Line) -> std::io::Result<()> {
    let number = |number: Option<usize>| number.map_or_else(|| "-".to_string(), |n| n.to_string());
    writeln!(
        out,
        "{:<8} {:<9} {:<20} {:>6}  {:<18} {:>7}  {}",
        line.code,
        line.status,
        line.law.unwrap_or("-"),
        number(line.states),
        line.by.unwrap_or("-"),
        number(line.bytes),
        line.digest,
    )
}

fn totals(out: &mut dyn Write, lines: &[Line], most: usize) -> std::io::Result<()> {
    let count = |test: &dyn Fn(&&Line) -> bool| lines.iter().filter(test).count();
    let small = |line: &&Line| line.states.is_some_and(|states| states <= most);
    writeln!(
        out,
        "\n{} codes: {} proved, {} observed, {} without a law\n{} with an automaton of at most {most} states, {} of them proved",
        lines.len(),
        count(&|l| l.status == "proved"),
        count(&|l| l.status == "observed"),
        count(&|l| l.status == "none"),
        count(&small),
        count(&|l| small(l) && l.status == "proved"),
    )
}
