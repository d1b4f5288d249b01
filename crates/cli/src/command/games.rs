//! `grundy games`: the catalogue.

use grundy::catalogue::{self, Game};
use serde::Serialize;

use crate::args::Games;
use crate::failure::Failure;
use crate::{output, render, report};

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    aliases: &'a [&'a str],
    parameters: &'a str,
    summary: &'a str,
    sources: &'a [&'a str],
    /// The text of its file; null for games that have no rule but a solver of their own.
    rule: Option<&'a str>,
}

/// `grundy games [WORD]`
pub(crate) fn run(args: &Games) -> Result<(), Failure> {
    let word = args.word.as_deref().unwrap_or("").to_lowercase();
    let holds = |text: &str| text.to_lowercase().contains(&word);
    let fits = |game: &&Game| {
        holds(game.name)
            || game.aliases.iter().any(|alias| holds(alias))
            || holds(&game.text().map_or_else(|| summary(game), String::from))
    };
    let found: Vec<&Game> = catalogue::games().iter().filter(fits).collect();
    if args.json.json {
        return output::json(&found.iter().map(|game| entry(game)).collect::<Vec<_>>());
    }
    if found.is_empty() {
        render::note(&format!("no game holds `{word}`"));
    }
    let rows: Vec<Vec<String>> =
        found.iter().map(|game| vec![format!("{}{}", game.name, parameters(game)), summary(game)]).collect();
    output::text(|out| Ok(report::columns(out, &rows, &[])?))
}

/// What it is; games without a rule say which command is for them.
fn summary(game: &Game) -> String {
    match game.text() {
        Some(_) => game.summary.to_string(),
        None => format!("{} (`outcome`)", game.summary),
    }
}

fn entry(game: &Game) -> Entry<'_> {
    Entry {
        name: game.name,
        aliases: game.aliases,
        parameters: game.parameters(),
        summary: game.summary,
        sources: &game.sources,
        rule: game.text(),
    }
}

/// ` k` for `(k) where k >= 2`: the names that need a value.
fn parameters(game: &Game) -> String {
    let inside = game
        .parameters()
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'))
        .map_or("", |(list, _)| list);
    let names = inside.split(',').filter_map(|param| param.split(':').next()).map(str::trim);
    names.filter(|name| !name.is_empty()).map(|name| format!(" {name}=")).collect()
}
