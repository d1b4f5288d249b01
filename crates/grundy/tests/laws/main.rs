//! Laws found in tables: those of the literature are found from few values and hold far out, and what has no law gets
//! none.

mod literature;
mod octal;
mod random;

use grundy::law::discover::{Discovery, Search, search};
use grundy::limits::Limits;
use grundy::table::{Options, tabulate};
use grundy_rule::argument::Argument;
use grundy_rule::{Rule, code};

/// The rule of a catalogue's name, a code or a text, with parameters given as `name=value`.
fn rule(text: &str, params: &str) -> Rule {
    let text = match (grundy::catalogue::find(text), code::parse(text)) {
        (Some(game), _) => game.text().expect("a rule").to_string(),
        (None, Some(code)) => code.expect("a good code").to_rule_text(),
        (None, None) => text.to_string(),
    };
    let params: Vec<(String, Argument)> = params
        .split_whitespace()
        .map(|param| param.split_once('=').expect("name=value"))
        .map(|(name, value)| (name.to_string(), Argument::parse(value).expect("a value")))
        .collect();
    match Rule::parse(&text, &params) {
        Ok((rule, _)) => rule,
        Err(errors) => panic!("{}", errors.iter().map(|e| e.plain(&text)).collect::<Vec<_>>().join("\n")),
    }
}

/// The values of heaps 0..count.
fn values(rule: &Rule, count: u64) -> Vec<u32> {
    tabulate(rule, count - 1, &Options::default()).expect("a table").iter().collect()
}

/// What a search with at most so many values finds.
fn searched(rule: &Rule, most: u64) -> Discovery {
    let how = Search { most, ..Search::new(Limits::default()) };
    search(rule, &how, &mut |_| {}).expect("tables and no limit")
}

/// The rows of a table in `testdata`, without comments and header.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t').collect())
}
