//! Known cousins are found, generators give the values of the engines, and what is no likeness is not called one.

use grundy_rule::code::Code;
use grundy_rule::{Rule, code};
use proptest::prelude::*;

use super::sequence::{Octal, Sequence, Taking};
use super::*;
use crate::limits::Limits;
use crate::table::{Options, tabulate};

fn values(code: &str, n: u64) -> Vec<u32> {
    let text = code::to_rule_text(code).unwrap().unwrap();
    let (rule, _) = Rule::parse(&text, &[]).unwrap();
    tabulate(&rule, n, &Options::default()).unwrap().iter().collect()
}

fn take(sequence: &mut dyn Sequence, count: usize) -> Vec<u32> {
    let mut own = Vec::new();
    while own.len() < count {
        let value = sequence.next(&own);
        own.push(value);
    }
    own
}

fn codes_only(values: &[u32]) -> Vec<Likeness> {
    search::codes(values, &Limits::default().clock()).unwrap()
}

/// The shift at which a code is found.
fn moved(found: &[Likeness], name: &str) -> Option<i64> {
    found.iter().find(|like| like.game.to_string() == name).map(|like| like.moved)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn octal_sequences_are_those_of_the_engines(digits in prop::collection::vec(0_u8..8, 1..4), splits: bool) {
        let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let first = if splits { 4 } else { 0 };
        let mut sequence = Octal::new(std::iter::once(first).chain(digits).collect());
        prop_assert_eq!(take(&mut sequence, 61), values(&format!("{first}.{text}"), 60));
    }

    #[test]
    fn sets_are_those_of_the_engines(set in 1_u64..4096, banned: bool) {
        let members: Vec<u64> = (1..=12).filter(|t| set >> (t - 1) & 1 == 1).collect();
        let code = if banned { Code::AllBut(members) } else { Code::Subtraction(members) };
        prop_assert_eq!(take(&mut Taking::new(set, banned), 61), values(&code.to_string(), 60));
    }

    #[test]
    fn whatever_is_found_continues_as_it_says(number in 1_u32..512, moved in 0_usize..=MOST_MOVED) {
        let text = format!("0.{number:03o}");
        let all = values(&text, 120);
        let found = codes_only(&all[moved..80]);
        prop_assert!(!found.is_empty());
        // Each agrees where it was compared: the given value of heap n is its value of heap n + like.moved, and the first
        // given values have nothing to be compared with where that is below 0.
        let given = &all[moved..80];
        let agrees = |like: &&Likeness| {
            let (game, shift) = (values(&like.game.to_string(), 120), usize::try_from(like.moved.unsigned_abs()).unwrap());
            if like.moved >= 0 {
                game[shift..shift + given.len()] == *given
            } else {
                game[..given.len() - shift] == given[shift..]
            }
        };
        let back: Vec<&Likeness> = found.iter().filter(agrees).collect();
        prop_assert_eq!(back.len(), found.len());
        prop_assert!(back.iter().any(|like| like.next == all[80..80 + NEXT]));
    }
}

#[test]
fn kayles_is_found_by_name_by_code_and_moved() {
    let given = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2];
    let found = likenesses(&given, &Limits::default()).unwrap();
    assert_eq!(found[0].game.to_string(), "kayles");
    assert_eq!((found[0].moved, found[0].compared), (0, 20));
    assert_eq!(moved(&found, "0.77"), Some(0));
    // Without the empty heap.
    let found = likenesses(&given[1..], &Limits::default()).unwrap();
    assert_eq!(moved(&found, "0.77"), Some(1));
    // With one heap too many, about which nothing is known.
    let late: Vec<u32> = std::iter::once(9).chain(given).collect();
    let found = likenesses(&late, &Limits::default()).unwrap();
    assert_eq!(moved(&found, "0.77"), Some(-1));
    assert_eq!(found.iter().find(|like| like.game.to_string() == "0.77").unwrap().compared, 20);
}

#[test]
fn cousins_of_the_literature() {
    // Winning Ways ch. 4, table 6: standard forms and their cousins.
    let found = codes_only(&values("0.45", 200));
    assert_eq!(moved(&found, "0.177"), Some(-1));
    assert_eq!(found.iter().map(|like| like.compared).min(), Some(200));
    // Dawson's chess .137 is Dawson's Kayles .07 moved by one.
    assert_eq!(moved(&codes_only(&values("0.137", 200)), "0.07"), Some(1));
    assert_eq!(moved(&codes_only(&values("0.07", 200)), "0.137"), Some(-1));
}

#[test]
fn games_with_parameters_and_sets() {
    let found = likenesses(&[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3], &Limits::default()).unwrap();
    assert_eq!(moved(&found, "bachet k=3"), Some(0));
    assert_eq!(moved(&found, "S(1..3)"), Some(0));
    let ranges = search::sets(&values("S(5..23)", 60), &Limits::default().clock()).unwrap();
    assert_eq!(moved(&ranges, "S(5..23)"), Some(0));
    let blackboard = likenesses(&[0, 0, 1, 2, 3, 0, 4, 5, 6, 1, 7, 8, 9, 2], &Limits::default()).unwrap();
    assert_eq!(moved(&blackboard, "blackboard k=4"), Some(0));
}

#[test]
fn nothing_is_nothing() {
    assert_eq!(likenesses(&[0, 9, 7, 8, 5, 3, 6], &Limits::default()).unwrap(), []);
    // Four values show a game as it stands, but no shift: with shifts nearly every game would fit.
    let few = likenesses(&[0, 1, 2, 3], &Limits::default()).unwrap();
    assert!(!few.is_empty() && few.iter().all(|like| like.moved == 0 && like.compared == 4));
    assert_eq!(likenesses(&[0, 1, 2], &Limits::default()).unwrap_err().id(), "values");
}

#[test]
fn a_set_of_three_numbers_is_plainer_than_a_code_that_breaks_heaps() {
    let found = likenesses(&[0, 1, 0, 1, 2, 3, 2], &Limits::default()).unwrap();
    assert_eq!(found[0].game.to_string(), "S(1,3,4)");
    assert!(found.iter().any(|like| like.game.to_string() == "0.74"));
}
