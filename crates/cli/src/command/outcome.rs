//! `grundy outcome`: win, loss, draw or score, also for games that nimbers do not settle.

use grundy::search::{self, BuiltIn, Given, Verdict};
use grundy_rule::Int;
use serde::Serialize;

use crate::args::Outcome;
use crate::failure::{self, Failure, Source};
use crate::long::{self, Spinner};
use crate::report::{QUIET, RESULT};
use crate::{output, units};

#[derive(Serialize)]
struct Answer {
    game: &'static str,
    outcome: Option<&'static str>,
    score: Option<Int>,
    /// Nimbers say nothing about these games: always null.
    nimber: Option<u128>,
    count: Option<usize>,
    moves: Option<Vec<String>>,
    reason: String,
}

/// `grundy outcome GAME POSITION`
pub(crate) fn run(args: &Outcome) -> Result<(), Failure> {
    match search::built_in(&args.game) {
        Some(game) => built_in(args, game),
        None => super::moves::outcome(args),
    }
}

fn built_in(args: &Outcome, game: &'static dyn BuiltIn) -> Result<(), Failure> {
    if args.misere {
        return Err(Failure::new("misere", format!("{} has no mis\u{e8}re form", game.name())));
    }
    if args.rest.is_empty() {
        return Err(Failure::new("position", format!("which position of {}?", game.name()))
            .help(format!("give {}", game.usage())));
    }
    let limits = long::limits(&args.limits)?;
    let spinner = Spinner::start(format!("searching {}", game.name()));
    let source = Source { origin: "position".to_string(), text: args.rest.join(" ") };
    let answer =
        game.answer(&given(&source.text), &limits).map_err(|e| failure::from_library(&e, &source))?;
    drop(spinner);
    let (outcome, score) = match answer.verdict {
        Verdict::Outcome(outcome) => (Some(outcome.word()), None),
        Verdict::Score(score) => (None, Some(score)),
    };
    if args.json.json {
        return output::json(&Answer {
            game: game.name(),
            outcome,
            score,
            nimber: None,
            count: answer.moves.as_ref().map(Vec::len),
            moves: answer.moves,
            reason: answer.reason,
        });
    }
    output::text(|out| {
        match (outcome, score) {
            (Some(word), _) => writeln!(out, "{RESULT}{word}{RESULT:#} for the player to move")?,
            (None, Some(score)) => writeln!(out, "{RESULT}{score}{RESULT:#} for the player who moves first")?,
            (None, None) => {}
        }
        writeln!(out, "{QUIET}{}{QUIET:#}", answer.reason)?;
        match &answer.moves {
            Some(moves) if !moves.is_empty() => {
                writeln!(out, "best moves ({}): {}", moves.len(), moves.join(", "))?;
            }
            _ => {}
        }
        Ok(())
    })
}

/// Numbers if all words are, else text that the game reads itself.
fn given(text: &str) -> Given {
    let numbers: Option<Vec<Int>> = text.split_whitespace().map(units::big).collect();
    numbers.map_or_else(|| Given::Text(text.to_string()), Given::Numbers)
}
