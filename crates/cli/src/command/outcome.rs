//! `grundy outcome`: win, loss, draw or score, also for games that nimbers do not settle.

use std::time::Instant;

use grundy::catalogue::{self, Kind};
use grundy::error::Error;
use grundy::limits::Limits;
use grundy::search::{self, Answer, BuiltIn, Given, Verdict};
use grundy_rule::Int;
use serde::Serialize;

use crate::args::{LimitArgs, Moves, Outcome, PlayArgs};
use crate::failure::{self, Failure, Source};
use crate::long::{self, Spinner};
use crate::report::{QUIET, RESULT};
use crate::{load, output, render, report, units};

/// More moves than this are not written out for people.
const SHOWN_MOVES: usize = 40;

/// Longest list of positions that a range may stand for.
const MOST_POSITIONS: usize = 1_000_000;

#[derive(Serialize)]
struct Wire {
    game: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Vec<Int>>,
    outcome: Option<&'static str>,
    score: Option<Int>,
    /// Null where the game has none, or where its solver does not look for it.
    nimber: Option<u128>,
    count: Option<usize>,
    moves: Option<Vec<String>>,
    line: Option<Vec<String>>,
    reason: String,
}

#[derive(Serialize)]
struct WireRange {
    game: &'static str,
    answers: Vec<Wire>,
}

/// `grundy outcome GAME POSITION`
pub(crate) fn run(args: &Outcome) -> Result<(), Failure> {
    match solver(&args.game) {
        Some(game) => {
            let Outcome { rest, play, limits, json, .. } = args;
            answer(&Asked { rest, play, first: false, limits, json: json.json }, game)
        }
        None => super::moves::outcome(args),
    }
}

/// The game with a solver of its own that is called so.
pub(crate) fn solver(name: &str) -> Option<&'static dyn BuiltIn> {
    let found = catalogue::find(name).filter(|game| game.kind == Kind::BuiltIn)?;
    search::built_in(found.name)
}

/// `grundy moves GAME POSITION` for such a game: nimbers of heaps do not decide, its solver does.
pub(crate) fn moves(args: &Moves, game: &'static dyn BuiltIn) -> Result<(), Failure> {
    let Moves { rule, play, first, assignments, trust_observed: _, limits, json } = args;
    if *assignments {
        return Err(Failure::new(
            "usage",
            format!("{} has no rule, so its moves have no assignments", game.name()),
        ));
    }
    render::note(&format!(
        "{} is no sum of heaps: its own solver answers, as in `grundy outcome`",
        game.name()
    ));
    answer(&Asked { rest: &rule.rest, play, first: *first, limits, json: json.json }, game)
}

/// What was asked about a position.
struct Asked<'a> {
    rest: &'a [String],
    play: &'a PlayArgs,
    /// One best move is enough.
    first: bool,
    limits: &'a LimitArgs,
    json: bool,
}

fn answer(args: &Asked<'_>, game: &'static dyn BuiltIn) -> Result<(), Failure> {
    if args.play.loopy || args.play.to_move.is_some() {
        let option = if args.play.loopy { "--loopy" } else { "--to-move" };
        let message = format!("{option} is for rules, and {} has a solver of its own", game.name());
        return Err(Failure::new("usage", message));
    }
    if args.play.misere {
        return Err(Failure::new("misere", format!("{} has no mis\u{e8}re form", game.name())));
    }
    if args.rest.is_empty() {
        return Err(Failure::new("position", format!("which position of {}?", game.name()))
            .help(format!("give {}", game.usage())));
    }
    let limits = long::limits(args.limits)?;
    let spinner = Spinner::start(format!("searching {}", game.name()));
    if let Some(positions) = positions(args.rest)? {
        return many(args, game, &positions, &limits, spinner);
    }
    let (source, given) = given(args.rest)?;
    let mut answer = game.answer(&given, &limits).map_err(|e| failure::from_library(&e, &source))?;
    drop(spinner);
    if args.first {
        answer.moves.iter_mut().for_each(|moves| moves.truncate(1));
    }
    if args.json {
        return output::json(&wire(game, None, answer));
    }
    output::text(|out| {
        match answer.verdict {
            Verdict::Outcome(outcome) => writeln!(out, "{RESULT}{outcome}{RESULT:#} for the player to move")?,
            Verdict::Score(score) => {
                writeln!(out, "{RESULT}{score}{RESULT:#} for the player who moves first")?
            }
        }
        writeln!(out, "{QUIET}{}{QUIET:#}", answer.reason)?;
        if let Some(moves) = answer.moves.as_deref().filter(|moves| !moves.is_empty()) {
            if args.first {
                writeln!(out, "a best move: {}", moves[0])?;
            } else {
                writeln!(out, "best moves ({}): {}", moves.len(), list(moves))?;
            }
        }
        if let Some(line) = answer.line.as_deref().filter(|line| !line.is_empty()) {
            writeln!(out, "best play: {}", list(line))?;
        }
        Ok(())
    })
}

/// The answers about a range of positions, a line each. If one cannot be had, those before it are shown.
fn many(
    args: &Asked<'_>,
    game: &'static dyn BuiltIn,
    positions: &[Vec<Int>],
    limits: &Limits,
    spinner: Spinner,
) -> Result<(), Failure> {
    let start = Instant::now();
    let mut answers = Vec::new();
    let mut stopped = None;
    for numbers in positions {
        let time = limits.time.map(|time| time.saturating_sub(start.elapsed()));
        let limits = Limits { time, ..limits.clone() };
        match game.answer(&Given::Numbers(numbers.clone()), &limits) {
            Ok(mut answer) => {
                if args.first {
                    answer.moves.iter_mut().for_each(|moves| moves.truncate(1));
                }
                answers.push((numbers, answer));
            }
            Err(error) => {
                stopped = Some(because(&error, numbers));
                break;
            }
        }
    }
    drop(spinner);
    if args.json {
        if let Some(failure) = stopped {
            return Err(failure);
        }
        let answers = answers.into_iter().map(|(numbers, a)| wire(game, Some(numbers.clone()), a)).collect();
        return output::json(&WireRange { game: game.name(), answers });
    }
    let rows: Vec<Vec<String>> = answers
        .iter()
        .map(|(numbers, answer)| {
            let result = match answer.verdict {
                Verdict::Outcome(outcome) => outcome.to_string(),
                Verdict::Score(score) => score.to_string(),
            };
            let nimber = answer.nimber.map_or(String::new(), |nimber| format!("nimber {nimber}"));
            let best = answer.moves.as_deref().map_or(String::new(), list);
            vec![spelled(numbers), result, nimber, best]
        })
        .collect();
    output::text(|out| Ok(report::columns(out, &rows, &[0])?))?;
    stopped.map_or(Ok(()), Err)
}

/// The failure at one position of a range.
fn because(error: &Error, numbers: &[Int]) -> Failure {
    let source = Source { origin: "position".to_string(), text: spelled(numbers) };
    match failure::from_library(error, &source) {
        Failure::Message { id, message, known, help } => {
            Failure::Message { id, message: format!("at {}: {message}", source.text), known, help }
        }
        other => other,
    }
}

fn spelled(numbers: &[Int]) -> String {
    numbers.iter().map(Int::to_string).collect::<Vec<_>>().join(" ")
}

/// Words parted by commas, or by spaces if they hold commas; the first ones of very many.
fn list(words: &[String]) -> String {
    let between = if words.iter().any(|word| word.contains(',')) { "  " } else { ", " };
    let mut text = words.iter().take(SHOWN_MOVES).cloned().collect::<Vec<_>>().join(between);
    if words.len() > SHOWN_MOVES {
        text += between;
        text += "...";
    }
    text
}

fn wire(game: &'static dyn BuiltIn, position: Option<Vec<Int>>, answer: Answer) -> Wire {
    let (outcome, score) = match answer.verdict {
        Verdict::Outcome(outcome) => (Some(outcome.word()), None),
        Verdict::Score(score) => (None, Some(score)),
    };
    Wire {
        game: game.name(),
        position,
        outcome,
        score,
        nimber: answer.nimber,
        count: answer.moves.as_ref().map(Vec::len),
        moves: answer.moves,
        line: answer.line,
        reason: answer.reason,
    }
}

/// The positions that words such as `1..34` or `3 4..9` stand for, the last one changing fastest; `None` if there is no
/// range among them, or if they are not all numbers.
fn positions(words: &[String]) -> Result<Option<Vec<Vec<Int>>>, Failure> {
    let mut sides: Vec<(Int, Int)> = Vec::new();
    let mut total: usize = 1;
    let mut ranges = false;
    for word in words.iter().flat_map(|word| word.split_whitespace()) {
        let ends = match word.split_once("..") {
            Some((low, high)) => (units::big(low), units::big(high)),
            None => (units::big(word), units::big(word)),
        };
        let (Some(low), Some(high)) = ends else { return Ok(None) };
        ranges |= word.contains("..");
        let count = high.checked_sub(low).and_then(|n| usize::try_from(n.max(-1) + 1).ok());
        total = count
            .and_then(|count| total.checked_mul(count))
            .filter(|&n| n <= MOST_POSITIONS)
            .ok_or_else(|| {
                Failure::new("position", format!("`{word}` stands for more than {MOST_POSITIONS} positions"))
            })?;
        sides.push((low, high));
    }
    if !ranges {
        return Ok(None);
    }
    let mut all: Vec<Vec<Int>> = vec![Vec::new()];
    for (low, high) in sides {
        let longer = |start: &Vec<Int>| {
            let start = start.clone();
            (low..=high)
                .map(move |n| start.iter().copied().chain([n]).collect::<Vec<Int>>())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Ok(Some(all))
}

/// Numbers if all words are, else text that the game reads itself; `@FILE` stands for what is in the file.
fn given(words: &[String]) -> Result<(Source, Given), Failure> {
    let mut text = String::new();
    for word in words {
        match word.strip_prefix('@') {
            Some(path) => {
                let content = load::read_file_or_stdin(path)?;
                text += &format!("\n{}\n", content.trim_end());
            }
            None => {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push(' ');
                }
                text += word;
            }
        }
    }
    let numbers: Option<Vec<Int>> = text.split_whitespace().map(units::big).collect();
    let given = numbers.map_or_else(|| Given::Text(text.clone()), Given::Numbers);
    Ok((Source { origin: "position".to_string(), text }, given))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(String::from).collect()
    }

    #[test]
    fn ranges_stand_for_all_their_positions() {
        assert_eq!(positions(&words("1..3")).unwrap(), Some(vec![vec![1], vec![2], vec![3]]));
        assert_eq!(
            positions(&words("1..2 5..6")).unwrap(),
            Some(vec![vec![1, 5], vec![1, 6], vec![2, 5], vec![2, 6]])
        );
        assert_eq!(positions(&words("3..2")).unwrap(), Some(vec![]));
        for none in ["3 4", "..S.O.", "a..b", "1..x", "path 1..3"] {
            assert_eq!(positions(&words(none)).unwrap(), None, "{none}");
        }
        assert!(positions(&words("1..10^18")).is_err() && positions(&words("1..2000 1..2000")).is_err());
    }

    #[test]
    fn words_are_numbers_or_text() {
        assert_eq!(given(&words("10^2 3")).unwrap().1, Given::Numbers(vec![100, 3]));
        assert_eq!(given(&words("a-b c")).unwrap().1, Given::Text("a-b c".to_string()));
        assert!(given(&words("@/no/such/file")).is_err());
    }
}
