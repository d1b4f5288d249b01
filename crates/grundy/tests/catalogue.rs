//! Every game of the catalogue against its terms, its law, and the tables of the literature.
//!
//! The reference engine reads each rule; the values beside it come from programs that share nothing with this one
//! (see `testdata/README.md`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use grundy::catalogue::{self, Game, Kind};
use grundy::law::Law;
use grundy::limits::Limits;
use grundy::table::reference::Reference;
use grundy_rule::argument::Argument;
use grundy_rule::ast::{Clause, File};
use grundy_rule::heap::KindId;
use grundy_rule::{Diagnostic, Int, Rule, code, law_text, parser};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of a table of `testdata/`, without its header.
fn table(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("testdata").join(name)).expect("the table is there");
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_string).collect()).collect()
}

/// `k=3 S=2,5` as arguments.
fn arguments(text: &str) -> Vec<(String, Argument)> {
    let read = |word: &str| {
        let (name, value) = word.split_once('=').expect("name=value");
        (name.to_string(), Argument::parse(value).expect("a value"))
    };
    text.split_whitespace().map(read).collect()
}

/// The rule of a text, which must be read without a word of complaint.
fn rule(name: &str, text: &str, args: &str) -> Rule {
    let said = |all: &[Diagnostic]| all.iter().map(|one| one.plain(text)).collect::<Vec<_>>().join("\n");
    match Rule::parse(text, &arguments(args)) {
        Ok((rule, warnings)) if warnings.is_empty() => rule,
        Ok((_, warnings)) => panic!("{name}: {}", said(&warnings)),
        Err(errors) => panic!("{name}: {}", said(&errors)),
    }
}

fn file(game: &Game) -> File {
    let text = game.text().expect("a game with a rule");
    let (file, diagnostics) = parser::parse_file(text);
    assert!(diagnostics.is_empty(), "{}: {:?}", game.name, diagnostics);
    file
}

/// The games that have a rule.
fn with_rule() -> impl Iterator<Item = &'static Game> {
    catalogue::games().iter().filter(|game| game.kind != Kind::BuiltIn)
}

/// The values of single heaps `from`, `from + 1`, ...
fn values(name: &str, rule: &Rule, from: usize, count: usize) -> Vec<u32> {
    let one = rule.kinds.iter().position(|kind| kind.arity == 1).expect("a kind with one entry");
    let kind = KindId(u16::try_from(one).expect("few kinds"));
    let mut reference = Reference::new(rule, &Limits::default()).expect("the rule compiles");
    let heaps = (from..from + count).map(|n| Int::try_from(n).expect("a small heap"));
    heaps.map(|n| reference.nimber_of(kind, &[n]).unwrap_or_else(|e| panic!("{name} {n}: {e}"))).collect()
}

#[test]
fn the_table_lists_the_folder() {
    let mut folder: BTreeMap<String, String> = BTreeMap::new();
    for entry in fs::read_dir(root().join("games")).expect("the folder is there") {
        let path = entry.expect("readable").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        let name = name.strip_suffix(".game").expect("only games lie in the folder").to_string();
        folder.insert(name, fs::read_to_string(&path).expect("text"));
    }
    let listed: BTreeMap<String, String> =
        with_rule().map(|game| (game.name.to_string(), game.text().expect("a rule").to_string())).collect();
    assert_eq!(listed, folder);
    assert!(listed.len() >= 45);
}

#[test]
fn every_file_is_complete() {
    for game in with_rule() {
        let file = file(game);
        let header = file.header.as_ref().unwrap_or_else(|| panic!("{}: no header", game.name));
        assert_eq!(header.name.as_ref().map(|name| name.text.as_str()), Some(game.name));
        assert!(!file.productions.is_empty(), "{}", game.name);
        assert!(game.summary.len() >= 12 && game.summary.ends_with('.'), "{}: {}", game.name, game.summary);
        assert_eq!(game.sources, file.sources, "{}", game.name);
        assert!(!game.sources.is_empty(), "{}", game.name);
        assert_eq!(header.params.is_empty(), game.parameters().is_empty(), "{}", game.name);
        assert!(code::parse(game.name).is_none(), "{}: a code of the same name", game.name);
        let rule = rule(game.name, game.text().expect("a rule"), "");
        assert_eq!(rule.params.len(), header.params.len(), "{}", game.name);
    }
}

#[test]
fn the_terms_of_every_game_are_those_of_its_rule() {
    let tabled: BTreeSet<String> =
        table("catalogue_values.tsv").into_iter().map(|row| row[0].clone()).collect();
    for game in with_rule() {
        let file = file(game);
        let Some(terms) = file.terms else {
            // Games with parameters or with tuples only are tested by `catalogue_values.tsv`; nimbers say
            // nothing about misere play, and not all about loops.
            let without = file.header.is_some_and(|header| header.misere || header.loopy);
            assert!(without || tabled.contains(game.name), "{}: neither terms nor values", game.name);
            continue;
        };
        let terms: Vec<u32> = terms.iter().map(|&term| u32::try_from(term).expect("a nimber")).collect();
        assert!(terms.len() >= 15, "{}: {} terms", game.name, terms.len());
        let rule = rule(game.name, game.text().expect("a rule"), "");
        assert_eq!(values(game.name, &rule, 0, terms.len()), terms, "{}", game.name);
    }
}

#[test]
fn games_with_parameters_and_tuples_have_the_values_of_brute_force() {
    let mut groups: BTreeMap<(String, String), Vec<(String, u32)>> = BTreeMap::new();
    for row in table("catalogue_values.tsv") {
        let [game, args, heap, nimber] = &row[..] else { panic!("four columns: {row:?}") };
        let nimber = nimber.parse().expect("a nimber");
        groups.entry((game.clone(), args.clone())).or_default().push((heap.clone(), nimber));
    }
    for ((name, args), heaps) in groups {
        let game = catalogue::find(&name).unwrap_or_else(|| panic!("no game {name}"));
        let rule = rule(&name, game.text().expect("a rule"), &args);
        let mut reference = Reference::new(&rule, &Limits::default()).expect("the rule compiles");
        for (heap, nimber) in heaps {
            let (kind, entries) = heap.trim_end_matches(')').split_once('(').unwrap_or(("", &heap));
            let entries: Vec<Int> = entries.split(',').map(|x| x.trim().parse().expect("a number")).collect();
            let kind =
                rule.kind((!kind.is_empty()).then_some(kind), entries.len()).expect("a kind of the rule");
            let found =
                reference.nimber_of(kind, &entries).unwrap_or_else(|e| panic!("{name} {args} {heap}: {e}"));
            assert_eq!(found, nimber, "{name} {args} {heap}");
        }
    }
}

#[test]
fn every_cited_law_gives_the_values_of_its_rule() {
    let mut laws = 0;
    for game in with_rule() {
        let file = file(game);
        if file.law.is_empty() {
            continue;
        }
        laws += 1;
        let mut arguments: Vec<String> = table("catalogue_values.tsv")
            .into_iter()
            .filter(|row| row[0] == game.name)
            .map(|row| row[1].clone())
            .collect();
        arguments.dedup();
        if file.terms.is_some() {
            arguments = vec![String::new()];
        }
        assert!(!arguments.is_empty(), "{}", game.name);
        for args in arguments {
            let rule = rule(game.name, game.text().expect("a rule"), &args);
            let text =
                law_text::resolve(&file.law, &rule.params).unwrap_or_else(|e| panic!("{}: {e:?}", game.name));
            let law = Law::new(text, &rule.params).unwrap_or_else(|e| panic!("{}: {e}", game.name));
            if law.arity() > 1 {
                let end: u64 = if law.arity() == 2 { 30 } else { 8 };
                let options = grundy::table::Options::default();
                let grid = grundy::table::grid(&rule, &vec![end; law.arity()], &options).expect("a grid");
                for (index, value) in grid.iter().enumerate() {
                    let heap: Vec<u128> = grid.entries(index).into_iter().map(|n| n as u128).collect();
                    let said = law.value_of(&heap).unwrap_or_else(|e| panic!("{} {heap:?}: {e}", game.name));
                    assert_eq!(said, u128::from(value), "{}: heap {heap:?}", game.name);
                }
                continue;
            }
            // Half as far again as values are listed, for there the period begins.
            let listed = file.law.clauses.iter().map(|clause| match clause {
                Clause::Values { values, .. } => values.len(),
                _ => 0,
            });
            let count = 60.max(listed.max().unwrap_or(0) * 3 / 2);
            for (n, value) in values(game.name, &rule, 0, count).into_iter().enumerate() {
                let n = u128::try_from(n).expect("a small heap");
                let said = law.value(n).unwrap_or_else(|e| panic!("{} {args} {n}: {e}", game.name));
                assert_eq!(said, u128::from(value), "{} {args}: heap {n}", game.name);
            }
        }
    }
    assert!(laws >= 30, "{laws}");
}

/// How a row of `sequences.tsv` speaks about a game.
enum Says {
    /// Term i is the value of heap i + this.
    Values(usize),
    /// Term i is the value of heap 2(i + 1).
    EvenValues,
    /// The terms are the heaps of value 0, from this heap on.
    Zeros(usize),
    /// Nothing that a rule for heaps of numbers says.
    Nothing,
}

/// The game or code of a row, and what its terms are.
fn said(name: &str, index: usize) -> (String, Says) {
    if let Some(codes) = name.strip_prefix("octal ") {
        let code = codes.split([' ', ',']).next().expect("a code");
        return (code.to_string(), Says::Values(index));
    }
    let (game, says) = match name {
        "Kayles .77" => ("kayles", Says::Values(0)),
        "Double Kayles .7777" => ("double-kayles", Says::Values(0)),
        "Couples-are-Forever; .6 Officers" => ("officers", Says::Values(0)),
        "Grundy's game" => ("grundys-game", Says::Values(0)),
        "Lasker's Nim" => ("lasker-nim", Says::Values(0)),
        "take a square" => ("take-a-square", Says::Values(0)),
        "take a square: zero positions" => ("take-a-square", Says::Zeros(0)),
        "take a triangular number" => ("take-a-triangular", Says::Values(0)),
        "subtraction S(2,5,7)" => ("s-2-5-7", Says::Values(0)),
        "Dollar Nim {1,5,10,25}: losing positions" => ("dollar-nim", Says::Zeros(0)),
        "subtract A027941 (1,4,12,33,88,...)" => ("S(1,4,12,33,88,232)", Says::Values(0)),
        "Mark: remove 1 or halve" => ("mark", Says::Values(0)),
        "i-Mark({1},{2}): subtract 1, or halve if even" => ("i-mark", Says::Values(0)),
        "take at most half: g(n)=a(n)" => ("take-at-most-half", Says::Values(0)),
        "Divisor Nim (subtract proper divisor): g(n)=v2(n)" => ("aliquot", Says::Values(1)),
        "Ruler coin-turning (any run of consecutive coins), coins numbered from 1" => {
            ("ruler", Says::Values(1))
        }
        "replace by a proper divisor: g=Omega(n)" => ("proper-divisor", Says::Values(1)),
        "Saliquant: subtract a nondivisor, at 2n" => ("saliquant", Says::EvenValues),
        "take at most 3x the previous: losing sizes" => ("triple-nim", Says::Zeros(1)),
        "1xN domino covering (Dawson Kayles) P2 wins" => ("dawsons-kayles", Says::Zeros(0)),
        "Mem0 / Short Local Nim, no previous move" => ("short-local-nim", Says::Values(0)),
        // Coins are numbered from 1 in these rows, from 0 in codes, but for the Ruler game.
        "Triplets" => ("3", Says::Values(0)),
        "Ruler" => ("1+C", Says::Values(1)),
        "Mock Turtle Fives" => ("1-3C(5)", Says::Values(0)),
        "Ruler Fives" => ("1-5C", Says::Values(0)),
        "Grunt" => ("4FS", Says::Values(0)),
        "Sym" => ("1+S", Says::Values(0)),
        "string game, cut 1 or sqrt 2"
        | "Kopper's Nim table by antidiagonals"
        | "Node Kayles on n-queens graph"
        | "Node Kayles on P(n,2), n>=5 assumed"
        | "\"nim value of complete graph K_n\" (rule not known from the header)"
        | "Catch-Up game outcome (scoring, draws)"
        | "one pile short global Nim (last take may not be repeated)"
        | "nim values that occur infinitely often in Mem0"
        | "Cram nimbers 4 x n"
        | "Cram nimbers 2 x n" => ("", Says::Nothing),
        _ => panic!("sequences.tsv has a row that no test reads: {name}"),
    };
    (game.to_string(), says)
}

#[test]
fn the_sequences_of_the_literature_are_found() {
    let mut compared = 0;
    for row in table("sequences.tsv") {
        let (name, index) = (&row[1], row[2].parse().expect("the index of the first term"));
        let (game, says) = said(name, index);
        if matches!(says, Says::Nothing) {
            continue;
        }
        // Lost heaps may lie far apart: twenty of them are enough.
        let most = if matches!(says, Says::Zeros(_)) { 20 } else { usize::MAX };
        let terms: Vec<u32> =
            row[3].split(',').take(most).map(|term| term.trim().parse().expect("a term")).collect();
        let text = match catalogue::find(&game) {
            Some(game) => game.text().expect("a rule").to_string(),
            None => code::to_rule_text(&game).expect("a code").expect("a valid code"),
        };
        let rule = rule(name, &text, "");
        let last = terms.last().copied().and_then(|term| usize::try_from(term).ok()).unwrap_or(0);
        let found: Vec<u32> = match says {
            Says::Values(from) => values(name, &rule, from, terms.len()),
            Says::EvenValues => values(name, &rule, 2, 2 * terms.len()).into_iter().step_by(2).collect(),
            Says::Zeros(from) => {
                let table = values(name, &rule, from, (last + 1 - from).min(400));
                let zeros = table.iter().enumerate().filter(|(_, value)| **value == 0);
                zeros.map(|(i, _)| u32::try_from(i + from).expect("a small heap")).collect()
            }
            Says::Nothing => continue,
        };
        let common = found.len().min(terms.len());
        assert!(common >= 12, "{name}: {common} terms");
        assert_eq!(found[..common], terms[..common], "{name}");
        compared += 1;
    }
    assert!(compared >= 50, "{compared}");
}

#[test]
fn a_set_to_take_from_must_not_hold_zero() {
    let text = catalogue::find("subtraction").and_then(Game::text).expect("a rule");
    assert!(Rule::parse(text, &arguments("S=1,2")).is_ok());
    assert!(Rule::parse(text, &arguments("S=0,1")).is_err());
}
