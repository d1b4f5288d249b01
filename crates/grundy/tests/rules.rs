//! The rules of contest problems in `testdata/rules.json` with their verified answers: outcome, nimber, number of winning
//! moves; those marked loopy are played with loops allowed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use grundy::limits::Limits;
use grundy::position::{self, Position, Question};
use grundy::search::Outcome;
use grundy::values::Values;
use grundy_rule::argument::Argument;
use grundy_rule::{Rule, parser, position_text};
use serde_json::Value;

fn words(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

/// What the test asks for, as it spells it.
fn answer(text: &str, loopy: bool, test: &Value) -> String {
    let arguments: Vec<(String, Argument)> = words(&test["params"])
        .into_iter()
        .map(|word| word.split_once('=').unwrap())
        .map(|(name, value)| (name.to_string(), Argument::parse(value).unwrap()))
        .collect();
    let (rule, _) = Rule::parse(text, &arguments).unwrap_or_else(|said| panic!("{}", said[0].plain(text)));
    let (file, _) = parser::parse_file(text);
    let written = position_text::parse(test["position"].as_str().unwrap(), &rule).unwrap();
    let (position, _) =
        Position::of(&rule, written.into_iter().map(|entry| (entry.heap, entry.count, entry.span)));
    let mut values = Values::new(&rule, Some(&file), Limits::default()).unwrap();
    let question = Question { loopy, ..Question::default() };
    let analysis = position::analyse(&rule, &mut values, &position, &question).unwrap();
    match test["kind"].as_str().unwrap() {
        "outcome" => match analysis.outcome {
            Outcome::Win => "W".to_string(),
            Outcome::Loss => "L".to_string(),
            Outcome::Draw => "D".to_string(),
        },
        "nimber" => analysis.nimber.unwrap().to_string(),
        "moves" => analysis.count.unwrap().to_string(),
        other => panic!("a test asks for `{other}`"),
    }
}

#[test]
fn every_answer_is_right() {
    let rules: Value = serde_json::from_str(include_str!("../../../testdata/rules.json")).unwrap();
    let (mut right, mut drawn) = (0, 0);
    let mut wrong = Vec::new();
    for rule in rules.as_array().unwrap() {
        let (text, loopy) = (rule["rule"].as_str().unwrap(), rule["loopy"].as_bool().unwrap());
        for test in rule["tests"].as_array().unwrap() {
            let (found, wanted) = (answer(text, loopy, test), test["expect"].as_str().unwrap());
            if found == wanted {
                right += 1;
                drawn += usize::from(found == "D");
            } else {
                wrong.push(format!("{} {test}: {found}", rule["id"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(right, 232);
    assert!(drawn > 0, "a draw is among them");
}
