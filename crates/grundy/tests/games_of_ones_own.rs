//! Problems of `testdata/problems.tsv` that no sum of heaps describes, as games of one's own over the trait `Game`, each
//! against its verified pairs of input and output.
//!
//! The constructs are E (rows, order, strings), F (graphs, trees, boards), H (no disjunctive sum) and I (loops, turns,
//! scores); every row with one of them is here. Where a built-in game states the problem it is asked; the others
//! are written out as a competitor would write them: position, moves, end. They are searched, so only their
//! verified pairs are in reach, not the judges' largest inputs. Square-But-One is here by retrograde analysis of a graph.

mod own;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use grundy::limits::Limits;
use grundy::search::game::{self, Game, Score};
use grundy::search::memo::Memo;
use grundy::search::{Given, Outcome, Verdict, built_in};

type Solver = fn(&str) -> String;

/// Each problem and the program that answers it.
const SOLVERS: [(&str, Solver); 15] = [
    ("POJ 3537", own::crosses),
    ("CF 1704F", own::colouring),
    ("POJ 1704", own::georgia),
    ("AtCoder AGC 017 D", own::cut_the_tree),
    ("Chomp (OEIS A029899-A029905, classic; ICPC variants)", own::chomp),
    ("Moore's Nim (LOJ/Luogu P2490 core)", own::moore),
    ("HDU 4111", own::merge),
    ("POJ 2068", own::circle),
    ("AtCoder ABC 048 D (= ARC 064 D)", own::ordinary),
    ("CF 787C", own::berzerk),
    ("CF 388C", own::cards),
    ("mathstrek CGT lesson V (Square-But-One)", own::square_but_one),
    ("CF 1585G", own::poachers),
    ("Luogu P3480 (POI 2009 KAM)", own::pebbles),
    ("Luogu P8347", own::other_side),
];

/// Pairs (counted from 1) whose positions are beyond search, with the reason.
const TOO_LARGE: [(&str, usize, &str); 0] = [];

fn table() -> BTreeMap<String, (String, Vec<(String, String)>)> {
    let text = include_str!("../../../testdata/problems.tsv");
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().expect("a header");
    let column = |name: &str| head.iter().position(|h| *h == name).expect("a column");
    let (id, construct, pairs) = (column("id"), column("construct"), column("verified_pairs_json"));
    lines
        .map(|row| {
            let pairs = serde_json::from_str(row[pairs]).expect("JSON");
            (row[id].to_string(), (row[construct].to_string(), pairs))
        })
        .collect()
}

#[test]
fn every_problem_of_these_constructs_has_a_solver() {
    for (id, (construct, _)) in table() {
        let wanted = ["E ", "F ", "H ", "I "].iter().any(|letter| construct.starts_with(letter));
        assert_eq!(SOLVERS.iter().any(|(known, _)| *known == id), wanted, "{id}");
    }
}

#[test]
fn verified_pairs_are_answered() {
    let table = table();
    let mut failures = String::new();
    for (id, solver) in SOLVERS {
        let (_, pairs) = &table[id];
        assert!(!pairs.is_empty(), "{id} has no verified pair");
        for (number, (input, expected)) in (1..).zip(pairs) {
            if TOO_LARGE.iter().any(|(known, at, _)| *known == id && *at == number) {
                continue;
            }
            let found = solver(input);
            if found != *expected {
                writeln!(failures, "{id} {number}: {found:?}, not {expected:?}").expect("a string");
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Whether the player to move wins.
fn wins<G: Game>(game: &G, position: &G::Position) -> bool {
    outcome(game, position) == Outcome::Win
}

fn outcome<G: Game>(game: &G, position: &G::Position) -> Outcome {
    Memo::new(game, &limits()).outcome(position).expect("within the limits")
}

fn score<G: Game>(game: &G, position: &G::Position) -> Score {
    Memo::new(game, &limits()).score(position).expect("within the limits")
}

/// The answer of a built-in game: who wins, and every best move.
fn ask(name: &str, text: &str) -> (Outcome, Vec<String>) {
    let game = built_in(name).expect("a built-in game");
    let answer = game.answer(&Given::Text(text.to_string()), &limits()).expect("within the limits");
    match answer.verdict {
        Verdict::Outcome(outcome) => (outcome, answer.moves.unwrap_or_default()),
        Verdict::Score(score) => (game::outcome(score.signum().try_into().expect("a sign")), Vec::new()),
    }
}

fn limits() -> Limits {
    Limits { memory: Some(1 << 30), ..Limits::default() }
}
