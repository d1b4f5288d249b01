//! `--json`: one object, whole numbers of any size, stable names.

use serde_json::Value;

use crate::program::{grundy, run};

fn json(args: &[&str]) -> Value {
    let output = grundy(args).arg("--json").output().expect("the program was built for this test");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.lines().count(), 1, "one object on one line: {text}");
    serde_json::from_str(&text).expect("output is JSON")
}

#[test]
fn moves_of_a_won_position() {
    let answer = json(&["moves", "kayles", "1", "2"]);
    assert_eq!(answer["outcome"], "win");
    assert_eq!(answer["nimber"], 3);
    assert_eq!(answer["count"], 1);
    assert_eq!(answer["moves"], serde_json::json!([{"entry": 1, "from": 2, "to": [0, 1]}]));
    assert_eq!(answer["heaps"][1], serde_json::json!({"heap": 2, "count": 1, "nimber": 2}));
}

#[test]
fn moves_of_a_lost_position() {
    let answer = json(&["moves", "kayles", "3", "3"]);
    assert_eq!(
        (&answer["outcome"], &answer["nimber"], &answer["count"]),
        (&"loss".into(), &0.into(), &0.into())
    );
    assert_eq!(answer["moves"], serde_json::json!([]));
}

#[test]
fn entries_count_as_typed() {
    assert_eq!(json(&["moves", "nim", "1", "1", "1"])["count"], 3);
    assert_eq!(json(&["moves", "nim", "3x1"])["count"], 1);
    assert_eq!(json(&["moves", "nim", "1 1 1"])["count"], 3);
}

#[test]
fn heaps_have_three_forms() {
    let tuple = json(&["moves", "wythoff", "(0, 3)"]);
    assert_eq!(tuple["moves"], serde_json::json!([{"entry": 0, "from": [0, 3], "to": [[0, 0]]}]));
    let rule =
        "ring(n) -> row(n - t) where t in 1..2; row(n) -> row(a), row(b) where a + b = n - t, t in 1..2";
    let named = json(&["moves", rule, "row(1)"]);
    assert_eq!(named["moves"][0]["from"], serde_json::json!({"kind": "row", "entries": [1]}));
}

#[test]
fn numbers_beyond_64_bits_are_plain_integers() {
    let shown = run(&["value", "blackboard", "k=3", "10^30", "--json"]);
    assert!(shown.contains(r#""heap":1000000000000000000000000000000,"nimber":"#), "{shown}");
}

#[test]
fn misere_has_no_nimber() {
    let answer = json(&["moves", "nim", "1", "1", "2", "--misere"]);
    assert_eq!(answer["nimber"], Value::Null);
    assert_eq!(answer["misere"], true);
    assert_eq!(answer["outcome"], "win");
}

#[test]
fn assignments_name_the_variables_of_the_rule() {
    let answer = json(&["moves", "n -> n - t where t in {1, 3}", "3", "2", "--assignments"]);
    let made = &answer["moves"][0]["assignments"];
    assert_eq!(made[0]["line"], 1);
    assert!(made[0]["variables"]["t"].is_number(), "{answer}");
}

#[test]
fn the_first_move_alone_has_no_count() {
    let answer = json(&["moves", "nim", "1", "1", "1", "--first"]);
    assert_eq!(answer["moves"].as_array().unwrap().len(), 1);
    assert_eq!(answer["count"], Value::Null);
}

#[test]
fn every_answering_command_speaks_json() {
    assert_eq!(json(&["table", "nim", "-n", "3"])["values"], serde_json::json!([0, 1, 2, 3]));
    assert_eq!(json(&["value", "nim", "5"])["values"][0]["nimber"], 5);
    assert_eq!(json(&["show", "0.77"])["code"], "0.77");
    assert_eq!(json(&["show", "nim"])["ends"]["proved"], true);
    assert_eq!(json(&["outcome", "sos", "14"])["outcome"], "draw");
    assert_eq!(json(&["outcome", "melon", "20", "3"])["score"], 10);
    assert_eq!(json(&["outcome", "nim", "1", "1"])["outcome"], "loss");
    assert!(json(&["games"]).as_array().unwrap().iter().any(|game| game["name"] == "kayles"));
    assert!(json(&["problems"]).as_array().unwrap().iter().any(|problem| problem["id"] == "51nod-1661"));
    let story = json(&["study", "nim", "1", "2", "-n", "5"]);
    assert_eq!(story["tables"][0]["values"], serde_json::json!([0, 1, 2, 3, 4, 5]));
    assert_eq!(story["position"]["nimber"], 3);
}
