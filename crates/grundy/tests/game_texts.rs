//! Whatever is typed as a position of a built-in game is answered or refused, and never ends the program.

use std::time::Duration;

use grundy::limits::Limits;
use grundy::search::{BUILT_IN, Given};
use proptest::prelude::*;

/// Pieces that positions are made of, and some that they are not.
const PIECES: [&str; 44] = [
    "a",
    "b",
    "0",
    "1",
    "2",
    "17",
    "-",
    "->",
    "--",
    ",",
    ";",
    "\n",
    " ",
    " ",
    "start=a",
    "ground=0",
    "start=",
    "=",
    "graph ",
    "digraph ",
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    "subgraph",
    "path 3",
    "cycle 4",
    "queens 3",
    "grid 2 2",
    "Ch",
    ">>graph6<<",
    "~",
    ".",
    "#",
    "/",
    "X",
    "S",
    "O",
    "$x",
    "<",
    "where $x != b",
    "misere",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12).prop_map(|pieces| pieces.concat())
}

fn limits() -> Limits {
    Limits { time: Some(Duration::from_millis(50)), memory: Some(1 << 22), ..Limits::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_answered_or_refused(text in text()) {
        for game in BUILT_IN {
            let given = Given::Text(text.clone());
            let verdict = game.verdict(&given, &limits());
            if let (Ok(answer), Ok(verdict)) = (game.answer(&given, &limits()), &verdict) {
                prop_assert_eq!(answer.verdict, *verdict, "{} of {:?}", game.name(), text);
            }
        }
    }

    #[test]
    fn any_numbers_are_answered_or_refused(numbers in prop::collection::vec(prop_oneof![-2..12i128, any::<i128>()], 0..5)) {
        for game in BUILT_IN {
            let given = Given::Numbers(numbers.clone());
            let verdict = game.verdict(&given, &limits());
            if let (Ok(answer), Ok(verdict)) = (game.answer(&given, &limits()), &verdict) {
                prop_assert_eq!(answer.verdict, *verdict, "{} of {:?}", game.name(), numbers);
            }
        }
    }
}
