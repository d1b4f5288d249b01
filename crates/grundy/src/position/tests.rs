//! Positions against a direct search of whole positions, and the words of the answer.

use std::collections::HashMap;

use proptest::prelude::*;

use grundy_rule::argument::Argument;
use grundy_rule::moves::Moves;
use grundy_rule::{parser, position_text};

use super::*;
use crate::limits::Limits;

fn ask(
    text: &str,
    args: &[(&str, &str)],
    place: &str,
    question: &Question,
) -> (Rule, Analysis, Vec<Diagnostic>) {
    let args: Vec<(String, Argument)> =
        args.iter().map(|(name, value)| ((*name).to_string(), Argument::parse(value).unwrap())).collect();
    let (rule, _) = Rule::parse(text, &args).unwrap();
    let (file, _) = parser::parse_file(text);
    let written = position_text::parse(place, &rule).unwrap();
    let (position, warnings) =
        Position::of(&rule, written.into_iter().map(|entry| (entry.heap, entry.count, entry.span)));
    let mut values = Values::new(&rule, Some(&file), Limits::default()).unwrap();
    let analysis = analyse(&rule, &mut values, &position, question).unwrap();
    (rule, analysis, warnings)
}

/// Moves as `entry: from -> to`.
fn moves(rule: &Rule, analysis: &Analysis) -> Vec<String> {
    let show = |m: &WinningMove| {
        let from = rule.show_heap(m.from.kind, &m.from.entries);
        format!("{}: {from} -> {}", m.entry, explain::shown(rule, &m.to))
    };
    analysis.moves.iter().map(show).collect()
}

const KAYLES: &str = "n -> a, b where a + b = n - t, t in 1..2";

#[test]
fn kayles_is_explained() {
    let (rule, analysis, _) = ask(KAYLES, &[], "5 7 12", &Question::default());
    assert_eq!(analysis.outcome, Outcome::Win);
    assert_eq!(analysis.nimber, Some(2));
    assert_eq!(moves(&rule, &analysis), ["1: 7 -> 1, 4", "1: 7 -> 3, 3", "2: 12 -> 0, 11", "2: 12 -> 2, 9"]);
    let text = analysis.explanation.join("\n");
    assert!(
        text.starts_with(
            "5 has nimber 4, 7 has nimber 2, 12 has nimber 4.\nThe nim-sum is 4 xor 2 xor 4 = 2."
        ),
        "{text}"
    );
    let move_of_7 = "7 -> 3, 3: nimber 2 becomes 3 xor 3 = 0, and the nim-sum 2 becomes 0.";
    assert!(text.contains(move_of_7), "{text}");
    assert!(text.ends_with("Nimbers from: table to 12."), "{text}");
    let (_, analysis, _) = ask(KAYLES, &[], "3 3", &Question::default());
    assert_eq!((analysis.outcome, analysis.count), (Outcome::Loss, Some(0)));
    assert!(analysis.explanation.join("\n").contains("It is 0: the player to move loses"));
}

#[test]
fn entries_are_counted_as_written() {
    let (rule, analysis, _) = ask("n -> a where a < n", &[], "1 1 1", &Question::default());
    assert_eq!(moves(&rule, &analysis), ["0: 1 -> 0", "1: 1 -> 0", "2: 1 -> 0"]);
    let (rule, analysis, _) = ask("n -> a where a < n", &[], "3x1", &Question::default());
    assert_eq!(moves(&rule, &analysis), ["0: 1 -> 0"]);
    let first = Question { first: true, ..Question::default() };
    let (rule, analysis, _) = ask("n -> a where a < n", &[], "2 1 1 1", &first);
    assert_eq!((moves(&rule, &analysis), analysis.count), (vec!["0: 2 -> 1".to_string()], None));
}

#[test]
fn the_outcome_alone_and_one_move_where_all_are_too_many() {
    let kayles = crate::catalogue::find("kayles").unwrap().text().unwrap();
    let place = "1000000000 3";
    let only = Question { outcome_only: true, ..Question::default() };
    let (_, analysis, _) = ask(kayles, &[], place, &only);
    assert_eq!((analysis.outcome, analysis.count, analysis.moves.len()), (Outcome::Win, None, 0));
    let first = Question { first: true, ..Question::default() };
    let (rule, analysis, _) = ask(kayles, &[], place, &first);
    let [winning] = analysis.moves.as_slice() else { panic!("one move") };
    let mut values = Values::new(&rule, Some(&parser::parse_file(kayles).0), Limits::default()).unwrap();
    let other = analysis.heaps[1 - winning.entry].nimber.unwrap();
    let left = winning.to.heaps().iter().filter(|(_, count)| count % 2 == 1);
    let left = left.fold(0, |sum, (heap, _)| sum ^ values.nimber(heap).unwrap());
    assert_eq!(left, other);
    // All of them: what is known is said.
    let position =
        Position { entries: vec![Entry { heap: Heap::new(winning.from.kind, &[1_000_000_000]), count: 1 }] };
    let error = analyse(&rule, &mut values, &position, &Question::default()).unwrap_err();
    assert_eq!(error.id(), "moves");
    assert!(error.known().unwrap().starts_with("the player to move wins"), "{error}");
    // Without nimbers, too.
    for (text, place) in [
        ("misere game; n -> n - t where t in 1..2", "3 3 2"),
        ("loopy game; n -> n - t where t in 1..2", "4 3"),
    ] {
        let (_, analysis, _) = ask(text, &[], place, &only);
        let (_, full, _) = ask(text, &[], place, &Question::default());
        assert_eq!(
            (analysis.outcome, analysis.count, analysis.moves.len()),
            (full.outcome, None, 0),
            "{text}"
        );
        assert_eq!(full.outcome, Outcome::Win, "{text}");
    }
}

#[test]
fn equal_entries_are_told_apart_and_moves_are_told_once() {
    let misere = Question { misere: true, ..Question::default() };
    let (_, analysis, _) = ask(KAYLES, &[], "1 1", &misere);
    let told: Vec<&String> = analysis.explanation.iter().filter(|line| line.contains("->")).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[1].starts_with("1 -> 0, 0 (entry 2): "), "{told:?}");
    // More than an explanation tells: they are in the list of moves alone.
    let ones = ["1"; 14].join(" ");
    let (_, analysis, _) = ask("n -> n - 1 where n >= 1", &[], &ones, &misere);
    assert_eq!((analysis.moves.len(), analysis.told().len()), (14, 0));
    assert!(!analysis.explanation.join(" ").contains("->"), "{:?}", analysis.explanation);
}

#[test]
fn mirror_images_are_one_option_with_two_assignments() {
    let question = Question { assignments: true, ..Question::default() };
    let (_, analysis, _) = ask(KAYLES, &[], "4", &question);
    let spelled: Vec<Vec<Vec<(String, Int)>>> = analysis
        .moves
        .iter()
        .map(|m| m.assignments.iter().map(|assignment| assignment.variables.clone()).collect())
        .collect();
    let named = |a, b, t| vec![("a".to_string(), a), ("b".to_string(), b), ("t".to_string(), t)];
    assert_eq!(spelled, [vec![named(1, 1, 2)]]);
    let (_, analysis, _) = ask(KAYLES, &[], "5 4", &question);
    assert!(analysis.moves.iter().any(|m| m.assignments.len() == 2));
}

#[test]
fn coins_are_a_set() {
    let turtles = "coins m\nn -> nothing\nn -> a where a < n\nn -> a, b where a < b < n";
    let (_, analysis, warnings) = ask(turtles, &[], "2 3 2", &Question::default());
    assert_eq!(warnings.len(), 1);
    assert_eq!(analysis.heaps.len(), 2);
    assert_eq!(analysis.nimber, Some(4 ^ 7));
    // Turning 2 over takes it away: with coins 0..3, 2 -> 0 and so on are judged by what is left of each.
    for winning in &analysis.moves {
        assert!(winning.to.heaps().iter().all(|(_, count)| *count == 1));
    }
}

#[test]
fn misere_play_is_searched() {
    let chomp = "misere game chomp3\n(a, b, c) -> (t, min(b, t), min(c, t)) where t < a\n\
                 (a, b, c) -> (a, t, min(c, t)) where t < b\n(a, b, c) -> (a, b, t) where t < c";
    for (place, outcome) in
        [("(3,3,0)", Outcome::Win), ("(3,2,0)", Outcome::Loss), ("(4,2,2)", Outcome::Loss)]
    {
        let (_, analysis, _) = ask(chomp, &[], place, &Question::default());
        assert_eq!(analysis.outcome, outcome, "{place}");
        assert_eq!((analysis.nimber, analysis.misere), (None, true));
    }
    let misere = Question { misere: true, ..Question::default() };
    let (_, analysis, _) = ask(KAYLES, &[], "1 1", &misere);
    assert_eq!(analysis.outcome, Outcome::Win);
    assert!(analysis.explanation.join("\n").contains("The nim-sum is 0 and would have said loss"));
    let nim = "n -> a where a < n";
    let big = "1000000000000000000 1000000000000000001 1";
    let (_, analysis, _) = ask(nim, &[], big, &misere);
    assert_eq!(analysis.outcome, Outcome::Loss);
    let (rule, analysis, _) = ask(nim, &[], "1000000000000000000 1 1", &misere);
    assert_eq!(moves(&rule, &analysis), ["0: 1000000000000000000 -> 1"]);
}

/// Whole positions as the definition has them; coins as sets.
struct Naive<'a> {
    moves: &'a Moves,
    coins: bool,
    misere: bool,
    known: HashMap<Vec<Heap>, bool>,
}

impl Naive<'_> {
    fn children(&self, place: &[Heap]) -> Vec<(usize, Sum, Vec<Heap>)> {
        let mut out = Vec::new();
        for at in 0..place.len() {
            for option in self.moves.options(&place[at]).unwrap() {
                let mut left = place.to_vec();
                left.remove(at);
                for (heap, count) in option.heaps() {
                    for _ in 0..*count {
                        match left.iter().position(|other| other == heap) {
                            Some(same) if self.coins => drop(left.remove(same)),
                            _ => left.push(heap.clone()),
                        }
                    }
                }
                left.sort();
                out.push((at, option, left));
            }
        }
        out
    }

    fn loses(&mut self, place: &[Heap]) -> bool {
        if let Some(&loses) = self.known.get(place) {
            return loses;
        }
        let children = self.children(place);
        let loses = if children.is_empty() {
            !self.misere
        } else {
            !children.iter().any(|(_, _, left)| self.loses(left))
        };
        self.known.insert(place.to_vec(), loses);
        loses
    }
}

const RULES: [&str; 6] = [
    KAYLES,
    "n -> n - t where t in {1, 3, 4}",
    "n -> a where a < n\nn -> a, b where a + b = n, 1 <= a <= b",
    "d -> j, k where j <= k, k < d",
    "coins m\nn -> nothing\nn -> a where a < n\nn -> a, b where a < b < n",
    "x -> y where x/2 <= y < x",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn answers_are_those_of_whole_positions(
        which in 0..RULES.len(),
        sizes in prop::collection::btree_set(0i128..6, 0..4),
        misere: bool,
    ) {
        let place = sizes.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        let question = Question { misere, ..Question::default() };
        let (rule, analysis, _) = ask(RULES[which], &[], &place, &question);
        let compiled = Moves::new(&rule).unwrap();
        let mut naive = Naive { moves: &compiled, coins: rule.coins, misere, known: HashMap::new() };
        let heaps: Vec<Heap> = sizes.iter().map(|&n| Heap::new(grundy_rule::heap::KindId(0), &[n])).collect();
        let want = if naive.loses(&heaps) { Outcome::Loss } else { Outcome::Win };
        prop_assert_eq!(analysis.outcome, want);
        let children = naive.children(&heaps);
        let winning: Vec<(usize, Sum)> = children
            .into_iter()
            .filter(|(_, _, left)| naive.loses(left))
            .map(|(at, option, _)| (at, option))
            .collect();
        let got: Vec<(usize, Sum)> = analysis.moves.iter().map(|m| (m.entry, m.to.clone())).collect();
        prop_assert_eq!(analysis.count, Some(winning.len() as u128));
        prop_assert_eq!(got, winning);
    }
}
