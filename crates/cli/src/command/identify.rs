//! `grundy identify`: which known games have these values.

use std::io::Write;

use grundy::likeness::{self, Likeness};
use grundy::table::{self, Options};
use serde::Serialize;

use crate::args::{Identify, RuleArgs};
use crate::failure::{self, Failure, Source};
use crate::load;
use crate::long::{self, Spinner};
use crate::output;
use crate::report::{self, HEADING, QUIET};

#[derive(Serialize)]
struct Answer {
    /// The values that were looked for.
    values: Vec<u32>,
    likenesses: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    game: String,
    /// The given value of heap n is the game's value of heap n + moved.
    moved: i64,
    /// Values that were compared.
    compared: u64,
    status: &'static str,
    /// The game's values that follow.
    next: Vec<u32>,
}

/// `grundy identify VALUE...`
pub(crate) fn run(args: &Identify) -> Result<(), Failure> {
    let limits = long::limits(&args.limits)?;
    let clock = limits.clock();
    let spinner = Spinner::start("comparing with known games");
    let no_text = Source { origin: "values".to_string(), text: args.words.join(" ") };
    let (values, own) = match numbers(&args.words)? {
        Some(values) => (values, None),
        None => of_rule(args, &limits)?,
    };
    let time = limits.time.map(|time| time.saturating_sub(clock.elapsed()));
    let limits = grundy::limits::Limits { time, ..limits };
    let mut found =
        likeness::likenesses(&values, &limits).map_err(|error| failure::from_library(&error, &no_text))?;
    drop(spinner);
    found.retain(|like| like.moved != 0 || own.as_ref().is_none_or(|own| like.game.to_string() != *own));
    if args.json.json {
        output::json(&Answer { values, likenesses: found.iter().map(wire).collect() })?;
    } else {
        output::text(|out| write(out, &found))?;
    }
    if found.is_empty() { Err(Failure::No) } else { Ok(()) }
}

/// The words as values; `None` if they are no numbers, but a rule.
fn numbers(words: &[String]) -> Result<Option<Vec<u32>>, Failure> {
    let read;
    let text = match words {
        [word] if word == "-" => {
            read = load::read_stdin()?;
            read.as_str()
        }
        words if words.iter().all(|word| word.contains(|c: char| c.is_ascii_digit()) && is_list(word)) => {
            read = words.join(" ");
            read.as_str()
        }
        _ => return Ok(None),
    };
    let parts = text.split([',', ' ', '\t', '\r', '\n']).filter(|part| !part.is_empty());
    let values: Result<Vec<u32>, Failure> = parts
        .map(|part| {
            part.parse().map_err(|_| {
                Failure::new("values", format!("`{part}` is no nimber"))
                    .help("give the values of heaps 0, 1, 2, ...: 0 1 2 3 1 4, or a rule")
            })
        })
        .collect();
    values.map(Some)
}

/// Digits, signs and what parts them: not the name of a game, and not a code with its point.
fn is_list(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '-' | '\t' | '\n'))
}

/// The values of a rule, and its name.
fn of_rule(args: &Identify, limits: &grundy::limits::Limits) -> Result<(Vec<u32>, Option<String>), Failure> {
    let (rule, rest) = args.words.split_first().expect("clap asks for one word at least");
    let loaded = load::load(&RuleArgs { rule: rule.clone(), rest: rest.to_vec() })?;
    loaded.no_position("identify")?;
    loaded.need_values()?;
    loaded.need_single("identify")?;
    let options = Options { kind: args.kind.clone(), limits: limits.clone(), ..Options::default() };
    let table = table::tabulate(&loaded.rule, args.heaps, &options)
        .map_err(|error| failure::from_library(&error, &loaded.source))?;
    Ok((table.iter().collect(), loaded.name()))
}

fn wire(like: &Likeness) -> Found {
    Found {
        game: like.game.to_string(),
        moved: like.moved,
        compared: like.compared,
        status: "observed",
        next: like.next.clone(),
    }
}

/// Lines of games that continue in the same way, and how many ways are shown.
const LINES: usize = 8;
const GROUPS: usize = 8;

fn write(out: &mut dyn Write, found: &[Likeness]) -> Result<(), Failure> {
    if found.is_empty() {
        writeln!(
            out,
            "none of the known games has these values, moved by up to {} heaps or not",
            likeness::MOST_MOVED
        )?;
        return Ok(());
    }
    let mut groups: Vec<(&[u32], Vec<&Likeness>)> = Vec::new();
    for like in found {
        match groups.iter_mut().find(|(next, _)| *next == like.next) {
            Some((_, group)) => group.push(like),
            None => groups.push((&like.next, vec![like])),
        }
    }
    for (next, group) in groups.iter().take(GROUPS) {
        let next: Vec<String> = next.iter().map(ToString::to_string).collect();
        writeln!(out, "{HEADING}continues {} ...{HEADING:#}", next.join(" "))?;
        let rows: Vec<Vec<String>> = group.iter().take(LINES).map(|like| row(like)).collect();
        report::columns(out, &rows, &[])?;
        if group.len() > LINES {
            writeln!(out, "  {QUIET}and {} more{QUIET:#}", group.len() - LINES)?;
        }
    }
    let rest: usize = groups.iter().skip(GROUPS).map(|(_, group)| group.len()).sum();
    if rest > 0 {
        let ways = groups.len() - GROUPS;
        writeln!(
            out,
            "{QUIET}and {rest} games that continue in {ways} other ways: more values would tell{QUIET:#}"
        )?;
    }
    Ok(())
}

fn row(like: &Likeness) -> Vec<String> {
    let moved = match like.moved {
        0 => String::new(),
        by => {
            let sign = if by > 0 { '+' } else { '-' };
            let size = by.unsigned_abs();
            format!("moved by {size}: g(n) is its g(n {sign} {size})")
        }
    };
    let evidence = format!("observed, {} values compared", like.compared);
    vec![like.game.to_string(), evidence, moved]
}
