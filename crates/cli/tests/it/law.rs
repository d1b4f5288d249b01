//! Laws: formulas that people believe, tested against the rule.

use serde_json::{Value, json};

use crate::program::{grundy, run, run_with};

/// The JSON answer of a command and its exit status.
pub(crate) fn answer(args: &[&str]) -> (i32, Value) {
    let output = grundy(args).arg("--json").output().expect("the program was built for this test");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    assert_eq!(text.lines().count(), 1, "{args:?}: {text} {}", String::from_utf8_lossy(&output.stderr));
    (output.status.code().expect("no signal"), serde_json::from_str(&text).expect("output is JSON"))
}

/// The first heap where a law is wrong, what it says and what is right.
fn refuted(args: &[&str]) -> (u64, Option<u64>, u64) {
    let (status, answer) = answer(args);
    assert_eq!((status, &answer["holds"]), (1, &json!(false)), "{args:?}: {answer}");
    let found = &answer["counterexample"];
    let number = |name: &str| found[name].as_u64();
    let known = |name: &str| number(name).expect("a number");
    (known("heap"), number("law"), known("nimber"))
}

#[test]
fn false_formulas_in_circulation_are_refuted() {
    assert_eq!(refuted(&["test", "take-at-most-half", "g(n) = log(n, 2)"]), (3, Some(1), 0));
    assert_eq!(refuted(&["test", "n -> n - t where t in powers(4)", "n mod 5"]), (2, Some(2), 0));
    assert_eq!(refuted(&["test", "lasker-nim", "n for not 4 divides n"]), (3, Some(3), 4));
    assert_eq!(refuted(&["test", "nim", "g(n) = n - 1"]), (0, None, 0));
}

#[test]
fn a_counterexample_comes_with_the_options_that_decide_it() {
    insta::assert_snapshot!(run(&["test", "lasker-nim", "n for not 4 divides n"]));
    insta::assert_snapshot!(run(&["test", "kayles", "n", "-n", "100"]));
    let (_, answer) = answer(&["test", "lasker-nim", "n for not 4 divides n", "-n", "100"]);
    assert_eq!(answer["counterexample"]["options"], json!([{"to": [1, 2], "nimber": 3}]));
    assert_eq!(
        answer["failures"],
        json!({"count": 25, "where": "n = 3 mod 4", "modulus": 4, "residues": [3]})
    );
    assert_eq!(answer["silent"]["count"], 26);
}

#[test]
fn a_law_that_holds() {
    assert_eq!(
        run(&["test", "n -> n - t where t in 1..3", "g(n) = n mod 4", "-n", "10^5"]),
        "exit 0\n--- stdout\nholds to 100000  observed, not proved\n"
    );
    let (status, answer) = answer(&["test", "n -> n - t where t in 1..k", "k=5", "g(n) = n mod (k + 1)"]);
    assert_eq!((status, &answer["status"], &answer["checked_to"]), (0, &json!("observed"), &json!(2000)));
    assert_eq!(answer["counterexample"], Value::Null);
}

#[test]
fn a_law_comes_from_several_places() {
    let holds = |shown: &str| assert!(shown.starts_with("exit 0\n--- stdout\nholds to 50"), "{shown}");
    holds(&run(&["test", "kayles", "-n", "50"]));
    holds(&run(&["test", "0.77", "games/kayles.game", "-n", "50"]));
    holds(&run(&["test", "ruler", "g(0) = 0", "g(2n) = 2*g(n)", "g(2n + 1) = 1", "-n", "50"]));
    holds(&run_with(&["test", "nim", "-", "-n", "50"], "law\r\ng(n) = n\r\n"));
    let path = std::env::temp_dir().join(format!("grundy-{}.law", std::process::id()));
    std::fs::write(&path, "g(n) = n\n").unwrap();
    holds(&run(&["test", "nim", path.to_str().unwrap(), "-n", "50"]));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_law_that_cannot_be_tested_is_refused() {
    insta::assert_snapshot!(run(&["test", "nim", "g(n) = m"]));
    insta::assert_snapshot!(run(&["test", "n -> n - 1"]));
    for (args, id) in [
        (&["test", "nim", "g(n + 9000) = g(n) + 1"][..], "law-silent"),
        (&["test", "nim", "g(n) = g(n)"], "law-circular"),
        (&["test", "wythoff", "g(n) = n"], "kind"),
        (&["test", "misere game m; n -> n - t where t in 1..3", "n"], "misere"),
        (&["test", "blackboard", "n"], "unknown-name"),
        (&["test", "nim", "missing.law"], "file"),
    ] {
        let shown = run(args);
        assert!(shown.starts_with(&format!("exit 2\n--- stderr\nerror[{id}]")), "{args:?}: {shown}");
    }
}

#[test]
fn a_statement_about_values_is_compared_with_the_table() {
    assert_eq!(
        run(&["test", "kayles", "g(n+12)=g(n) for n>=71", "-n", "500"]),
        "exit 0\n--- stdout\nholds to 500  observed, not proved\n\
         for 418 heaps as a statement about values: those on the right are the table's\n\
         says nothing about 83 heaps, the first of them 0: no clause of the law speaks about 0\n"
    );
    // The last exception of Kayles is heap 70.
    assert_eq!(refuted(&["test", "kayles", "g(n+12)=g(n) for n>=70"]), (82, Some(6), 2));
    let (_, found) = answer(&["test", "nim", "g(n + 1) = g(n) + 1", "-n", "50"]);
    assert_eq!((&found["holds"], &found["related"]), (&json!(true), &json!(50)));
}

#[test]
fn a_law_of_tuples_is_tested_on_a_grid() {
    let nim = "(a, b) -> (a - t, b) | (a, b - t) where t >= 1";
    assert_eq!(
        run(&["test", nim, "g(a, b) = a xor b", "-n", "30,20"]),
        "exit 0\n--- stdout\nholds to (30, 20)  observed, not proved\n"
    );
    assert!(run(&["test", nim, "a xor b"]).contains("holds to (100, 100)"));
    let three = "(a, b, c) -> (a - t, b, c) | (a, b - t, c) | (a, b, c - t) where t >= 1";
    assert!(run(&["test", three, "g(a, b, c) = a xor b xor c", "-n", "9"]).contains("holds to (9, 9, 9)"));
    insta::assert_snapshot!(run(&["test", nim, "a + b"]));
    let (status, answer) = answer(&["test", nim, "a + b", "-n", "30,20"]);
    assert_eq!((status, &answer["checked_to"]), (1, &json!([30, 20])));
    assert_eq!(answer["counterexample"]["heap"], json!([1, 1]));
    let shown = run(&["test", nim, "a xor b", "-n", "3,4,5"]);
    assert!(shown.contains("error[usage]: -n gives 3 ends"), "{shown}");
}

#[test]
fn a_limit_leaves_what_was_tested() {
    let shown = run(&["test", "0.007", "g(n) = 0 for n <= 2", "-n", "10^7", "--time", "300ms"]);
    assert!(shown.starts_with("exit 2\n--- stdout\nholds to ") && shown.contains("error[time]"), "{shown}");
    // A counterexample that was found is an answer, however short the table is.
    let shown = run(&["test", "0.007", "n", "-n", "10^7", "--time", "300ms"]);
    assert!(shown.starts_with("exit 1\n--- stdout\nfalse at heap 1:"), "{shown}");
}

#[test]
fn values_are_identified() {
    let (status, found) = answer(&["identify", "0", "1", "2", "3", "1", "4", "3", "2", "1", "4", "2", "6"]);
    let likenesses = found["likenesses"].as_array().expect("a list");
    assert_eq!((status, &likenesses[0]["game"]), (0, &json!("kayles")));
    assert_eq!(likenesses[0]["next"][0], 4);
    assert!(likenesses.iter().any(|like| like["game"] == "0.77" && like["moved"] == 0), "{found}");
    let (_, commas) = answer(&["identify", "0,1,2,3,1,4,3,2,1,4,2,6"]);
    assert_eq!(commas, found);
    let moved = run(&["identify", "0.45", "-n", "300"]);
    assert!(moved.starts_with("exit 0\n--- stdout\ncontinues "), "{moved}");
    assert!(
        moved.contains("0.177  observed, 300 values compared  moved by 1: g(n) is its g(n - 1)"),
        "{moved}"
    );
    assert!(!moved.contains("  0.45 "), "a rule is not told that it is like itself: {moved}");
    let from_stdin = run_with(&["identify", "-"], "0 1 2\n0 1 2\n0 1 2\n");
    assert!(from_stdin.contains("bachet k=2"), "{from_stdin}");
}

#[test]
fn values_that_nothing_has() {
    insta::assert_snapshot!(run(&["identify", "0", "9", "7", "8", "5", "3"]));
    for (args, id) in [
        (&["identify", "0", "1", "2"][..], "values"),
        (&["identify", "0", "1", "-2", "4", "5"], "values"),
        (&["identify", "no-such-game"], "unknown-game"),
        (&["identify", "blackboard"], "unknown-name"),
    ] {
        let shown = run(args);
        assert!(shown.starts_with(&format!("exit 2\n--- stderr\nerror[{id}]")), "{args:?}: {shown}");
    }
}

#[test]
fn a_survey_has_a_row_for_each_code() {
    insta::assert_snapshot!(run(&["survey", "--codes", "0.7o", "-n", "600", "--prove"]));
    let (status, rows) = answer(&["survey", "--codes", "0.7o", "-n", "600"]);
    assert_eq!((status, rows.as_array().map(Vec::len)), (0, Some(8)));
    assert_eq!(rows[7]["code"], "0.77");
    assert_eq!(rows[7]["law"], "periodic");
    assert!(run(&["survey", "--codes", "0.x"]).starts_with("exit 2"));
}

#[test]
fn the_law_of_a_rule_has_its_keys() {
    let (status, law) = answer(&["law", "kayles"]);
    assert_eq!(status, 0);
    let keys: Vec<&str> = law.as_object().expect("an object").keys().map(String::as_str).collect();
    let wanted = [
        "certificate",
        "checked_to",
        "kind",
        "law",
        "period",
        "preperiod",
        "saltus",
        "status",
        "stopped",
        "tried",
        "untested",
    ];
    assert_eq!(keys, wanted);
    assert_eq!((&law["kind"], &law["status"]), (&json!("periodic"), &json!("proved")));
    assert_eq!((&law["preperiod"], &law["period"], &law["saltus"]), (&json!(71), &json!(12), &json!(0)));
    assert!(law["certificate"]["proof"]["guy-smith"].is_object(), "{law}");
    let (_, observed) = answer(&["law", "kayles", "--no-proof", "-n", "500"]);
    assert_eq!((&observed["status"], &observed["checked_to"]), (&json!("observed"), &json!(500)));
    assert_eq!((&observed["certificate"], &observed["law"]), (&Value::Null, &law["law"]));
    let (_, lasker) = answer(&["law", "lasker-nim", "--no-proof"]);
    assert_eq!((&lasker["kind"], &lasker["saltus"]), (&json!("arithmetic-periodic"), &json!(4)));
}

#[test]
fn a_law_is_text_that_can_be_read_back() {
    insta::assert_snapshot!(run(&["law", "n -> n - t where t in 2..5"]));
    insta::assert_snapshot!(run(&["law", "take-at-most-sqrt"]));
    insta::assert_snapshot!(run(&["law", "lasker-nim", "--latex"]));
    let law = grundy(&["law", "kayles", "--no-proof"]).output().expect("the program was built");
    let text = String::from_utf8(law.stdout).expect("output is UTF-8");
    let shown = run_with(&["test", "0.77", "-", "-n", "5000"], &text);
    assert_eq!(shown, "exit 0\n--- stdout\nholds to 5000  observed, not proved\n");
}

#[test]
fn no_law_is_said_with_what_was_tried() {
    let shown = run(&["law", "take-a-square", "-n", "2000"]);
    assert!(shown.starts_with("exit 1\n--- stdout\nnone found to 2000\n"), "{shown}");
    assert!(shown.contains("\n  periodic "), "{shown}");
    let (status, answer) = answer(&["law", "take-a-square", "-n", "2000"]);
    assert_eq!((status, &answer["law"], &answer["status"]), (1, &Value::Null, &Value::Null));
    assert_eq!(answer["checked_to"], 2000);
    let shown = run(&["law", "misere game m; n -> n - t where t in 1..3"]);
    assert!(shown.starts_with("exit 2\n--- stderr\nerror[misere]") && shown.contains("--misere"), "{shown}");
}

/// Writes a program of Rust, builds it with the compiler that builds this test, and gives it heaps.
fn emitted(name: &str, args: &[&str], heaps: &str) -> String {
    let mut all = vec!["emit"];
    all.extend(args);
    all.extend(["--lang", "rust"]);
    let output = grundy(&all).output().expect("the program was built for this test");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let folder = std::env::temp_dir().join(format!("grundy-emit-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the program");
    let (source, program) = (folder.join("program.rs"), folder.join("program"));
    std::fs::write(&source, output.stdout).expect("the source is written");
    let built = std::process::Command::new("rustc")
        .args(["--edition", "2024", "-o"])
        .args([&program, &source])
        .output()
        .expect("rustc is there where cargo is");
    assert!(built.status.success(), "{args:?}: {}", String::from_utf8_lossy(&built.stderr));
    let mut command = std::process::Command::new(&program);
    command.arg("--values");
    let said = crate::program::feed(command, heaps);
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    String::from_utf8(said.stdout).expect("output is UTF-8")
}

#[test]
fn a_program_gives_the_values_of_the_table() {
    let heaps: String = (0..=300).map(|n| format!("{n} ")).collect();
    for (name, args, large) in [
        ("kayles", &["kayles"][..], "1\n"),
        ("blackboard", &["blackboard", "k=3"], "222222222222222222\n"),
        ("sqrt", &["take-at-most-sqrt"], "1000000000\n"),
    ] {
        let mut table = vec!["table"];
        table.extend(args);
        table.extend(["-n", "300", "--format", "csv"]);
        let output = grundy(&table).output().expect("the program was built for this test");
        let csv = String::from_utf8(output.stdout).expect("output is UTF-8");
        let mut wanted: String =
            csv.lines().skip(1).filter_map(|line| line.split(',').nth(1)).map(|v| format!("{v}\n")).collect();
        wanted += large;
        assert_eq!(emitted(name, args, &format!("{heaps} 1000000000000000000")), wanted, "{name}");
    }
}

#[test]
fn a_program_says_its_law_and_how_well_it_is_known() {
    insta::assert_snapshot!(run(&["emit", "n -> n - t where t in 1..3", "--lang", "python"]));
    let (_, given) = answer(&["emit", "n -> n - t where t in 1..3", "--lang", "cpp", "--law", "n mod 4"]);
    assert_eq!((&given["status"], &given["standing"]), (&json!("observed"), &json!("observed to 2000")));
    let shown = run(&["emit", "n -> n - t where t in 1..3", "--lang", "cpp", "--law", "n mod 5"]);
    assert!(shown.starts_with("exit 1\n--- stderr\n") && shown.contains("false at heap 4"), "{shown}");
    let none = run(&["emit", "take-a-square", "--lang", "cpp", "--time", "500ms"]);
    assert!(none.starts_with("exit 1\n--- stderr\n"), "{none}");
}

#[test]
fn a_proved_law_answers_for_heaps_beyond_a_table() {
    // Mark: no shape, no cited law; an automaton is found and proved.
    let shown = run(&["value", "mark", "10^18"]);
    assert!(shown.starts_with("exit 0\n--- stdout\n1000000000000000000 "), "{shown}");
    assert!(shown.contains("from a law that is proved (automata (R4))"), "{shown}");
    let (_, moves) = answer(&["moves", "mark", "10^18", "10^18 1"]);
    assert_eq!(moves["nimber"], 1, "{moves}");
    assert!(moves["count"].as_u64().is_some_and(|count| count > 0), "{moves}");
}

/// A game whose law has no proof rule: a set with a parameter of two kinds of heap.
const UNPROVED: &str = "n -> s(a) where a < n % 5 + digitsum(n, 3) % 2; s(a) -> s(b) where b < a";

#[test]
fn an_observed_law_answers_only_if_it_is_trusted() {
    let (_, law) = answer(&["law", UNPROVED]);
    assert_eq!(law["status"], "observed", "{law}");
    let far = "1000000000000000000";
    let refused = run(&["value", UNPROVED, far]);
    assert!(refused.starts_with("exit 2\n--- stderr\nerror[observed]"), "{refused}");
    assert!(refused.contains("--trust-observed"), "{refused}");
    let trusted = run(&["value", UNPROVED, far, "--trust-observed"]);
    assert!(trusted.contains("from a law that is only observed, to "), "{trusted}");
    let value: u64 = trusted.lines().nth(2).and_then(|line| line.split(' ').nth(1)).unwrap().parse().unwrap();
    let digits = 10_u128.pow(18);
    let sum = (0..40).fold((0, digits), |(sum, rest), _| (sum + rest % 3, rest / 3)).0;
    assert_eq!(u128::from(value), digits % 5 + sum % 2);
}

#[test]
fn a_study_shows_the_law() {
    let (_, story) = answer(&["study", "n -> n - t where t in {1, 3, 4}", "-n", "20"]);
    assert_eq!((&story["laws"][0]["status"], &story["laws"][0]["period"]), (&json!("proved"), &json!(7)));
    let shown = run(&["study", "n -> n - t where t in {1, 3, 4}", "-n", "20"]);
    assert!(shown.contains("\nLaw  proved\n\n  g(0..) = 0, 1, 0, 1, 2, 3, 2\n"), "{shown}");
}

#[test]
fn families_have_a_law_in_the_parameter() {
    let shown = run(&["law", "n -> n - t where t in 1..k", "k=1..12", "-n", "400"]);
    insta::assert_snapshot!(shown);
    insta::assert_snapshot!(run(&["law", "subtract-range", "l=1..4", "r=3..6", "-n", "400"]));
    insta::assert_snapshot!(run(&["law", "n -> n - t where t in {1, 2, k}", "k=1..10", "-n", "400"]));
    // A period of 210 needs no table of 4000, and one of 2310 is not seen in a table of 400.
    insta::assert_snapshot!(run(&["law", "take-few-primes", "y=0..4", "-n", "500"]));
    let (status, found) = answer(&["law", "take-few-primes", "y=0..4", "-n", "500"]);
    assert_eq!((status, &found["law"], &found["status"]), (0, &json!("g(n) = n mod p"), &json!("observed")));
    assert_eq!(found["where"], json!([{"name": "p", "is": "the product of the first y + 1 primes"}]));
    let members = found["members"].as_array().expect("a list");
    assert_eq!((members.len(), &members[1]["period"], &members[1]["fits"]), (5, &json!(6), &json!(true)));
    assert_eq!(members[1]["parameters"], json!({"y": 1}));
    assert_eq!((&members[4]["fits"], &members[4]["open_period"]), (&Value::Null, &json!(2310)));
}

#[test]
fn a_family_without_a_law_shows_its_members() {
    insta::assert_snapshot!(run(&["law", "n -> n - t where t in {1, k}", "k=2..6", "-n", "400"]));
    let (status, found) = answer(&["law", "n -> n - t where t in {1, k}", "k=2..6", "-n", "400"]);
    assert_eq!((status, &found["law"], &found["status"]), (1, &Value::Null, &Value::Null));
    // A set is no family.
    assert!(run(&["law", "subtraction", "S=1..3", "--no-proof"]).contains("g(n) = n mod 4"));
}

#[test]
fn families_that_cannot_be_looked_at_are_refused() {
    let take = "n -> n - t where t in 1..k";
    for (args, error) in [
        (&["law", take, "k=12..1"][..], "error[family]: k=12..1 holds no number"),
        (&["law", take, "k=1..1000"], "error[family]: a family of 1000 members is too large"),
        (&["law", take, "k=1..3", "j=2"], "error[unknown-name]"),
        (&["law", "n -> n - t where t in 0..k", "k=1..3"], "error[loop]: for k=1"),
        (&["law", "subtract-range", "l=5..9", "r=1..2"], "error[parameter]"),
        (&["law", take, "k=1..3", "--latex"], "error[usage]"),
        (&["law", take, "k=1..3", "-n", "5,5"], "error[usage]"),
        (&["law", take, "k=a"], "error[argument]"),
        (&["table", take, "k=1..3"], "error[type]"),
    ] {
        let shown = run(args);
        assert!(shown.starts_with("exit 2\n--- stderr\n") && shown.contains(error), "{args:?}: {shown}");
    }
}

#[test]
fn grids_of_tuples_have_laws() {
    insta::assert_snapshot!(run(&["law", "wythoff", "-n", "60,60"]));
    insta::assert_snapshot!(run(&["law", "euclid", "-n", "40,40"]));
    let (status, found) = answer(&["law", "wythoff", "-n", "60"]);
    assert_eq!((status, &found["kind"], &found["status"]), (0, &json!("zeros"), &json!("observed")));
    assert_eq!((&found["checked_to"], &found["symmetric"]), (&json!([60, 60]), &json!(true)));
    assert_eq!(found["rows"][1], json!({"entry": 1, "preperiod": 0, "period": 3, "saltus": 3}));
    let nim = "(a, b) -> (a - t, b) | (a, b - t) where t in 1..3";
    let shown = run(&["law", nim, "-n", "40,40", "--no-proof"]);
    assert!(shown.starts_with("exit 0\n--- stdout\ng(a, b) = xor(a mod 4, b mod 4)\n"), "{shown}");
    let three = "(a, b, c) -> (a - t, b, c) | (a, b - t, c) | (a, b, c - t) where t >= 1";
    let (status, found) = answer(&["law", three, "-n", "12,12,12", "--no-proof"]);
    assert_eq!((status, &found["law"]), (0, &json!("g(a, b, c) = xor(a, b, c)")));
    // What is printed can be tested again, on a larger grid.
    let law = run(&["law", "euclid", "-n", "30,30"]).replace("exit 0\n--- stdout\n", "");
    let shown = run_with(&["test", "euclid", "-", "-n", "90"], &law);
    assert!(shown.contains("holds to (90, 90)"), "{shown}");
}

#[test]
fn a_grid_without_a_law_says_what_was_tried() {
    // A few lost pairs are many things.
    insta::assert_snapshot!(run(&["law", "wythoff", "-n", "20,20"]));
    let (status, found) = answer(&["law", "wythoff", "-n", "20,20"]);
    assert_eq!((status, &found["law"], found["tried"].as_array().map(Vec::len)), (1, &Value::Null, Some(2)));
    for (args, error) in [
        (&["law", "wythoff", "--dot"][..], "error[dot]"),
        (&["law", "wythoff", "-n", "5,5,5"], "error[kind]"),
        (&["law", "kayles", "-n", "5,5"], "error[usage]"),
        (&["law", "chomp-three-rows"], "error[misere]"),
        (&["emit", "wythoff", "--lang", "cpp"], "error[kind]: emit is about heaps with one entry"),
        (&["identify", "wythoff"], "error[kind]: identify is about heaps with one entry"),
    ] {
        let shown = run(args);
        assert!(shown.starts_with("exit 2\n--- stderr\n") && shown.contains(error), "{args:?}: {shown}");
        assert!(args[0] == "law" || !shown.contains("-n 20,20"), "a dead end: {shown}");
    }
}

#[test]
fn a_game_file_may_state_the_lost_heaps() {
    let path = std::env::temp_dir().join(format!("grundy-zeros-{}.game", std::process::id()));
    let file = path.to_str().unwrap();
    let rule = "n -> n - t where t in {1,3}\nn -> 0 where n mod 2 = 1, n >= 1\nlaw\nzeros\n";
    std::fs::write(&path, format!("{rule}z(i) = 2i\n")).unwrap();
    let moves = run(&["moves", file, "10003", "6"]);
    assert!(moves.contains("10003 has nimber 1, 6 has nimber 0"), "{moves}");
    for args in
        [&["value", file, "10003"][..], &["outcome", file, "10003", "5"], &["study", file], &["law", file]]
    {
        let shown = run(args);
        assert!(shown.starts_with("exit 0") && !shown.contains("law-outcome"), "{args:?}: {shown}");
    }
    // No proof, but no refutation either.
    let shown = run(&["prove", file]);
    assert!(!shown.contains("false at heap"), "{shown}");
    std::fs::write(&path, format!("{rule}z(i) = 4i\n")).unwrap();
    for command in ["value", "moves"] {
        let shown = run(&[command, file, "10003"]);
        assert!(shown.contains("error[law-false]") && shown.contains("a win for heap 2"), "{shown}");
    }
    assert!(run(&["study", file]).contains("error[law-false]"));
    std::fs::remove_file(&path).unwrap();
    let shown = run(&["outcome", "xor-nim", "999999999999", "17"]);
    assert!(shown.contains("win for the player to move"), "{shown}");
}

#[test]
fn a_number_beyond_the_table_is_said() {
    let near = "n -> n - t where t in {1, 300}, n < 400";
    assert_eq!(
        run(&["law", near, "-n", "700"]),
        "exit 1\n--- stdout\nno law was looked for\n\
         the rule speaks of 400, and a table of at most 701 values shows too little beyond that\n"
    );
    let (status, found) = answer(&["law", near, "-n", "700"]);
    assert_eq!((status, &found["checked_to"]), (1, &Value::Null));
    assert!(found["stopped"].as_str().is_some_and(|why| why.contains("speaks of 400")), "{found}");
}

#[test]
fn a_limit_that_was_set_is_named_and_no_law_is_no_error() {
    let shown = run(&["law", "0.007", "--time", "600ms"]);
    assert!(shown.starts_with("exit 2\n--- stdout\nnone found to "), "{shown}");
    assert!(
        shown.contains("error[limit]: no law was found before the limit: the time limit of 0.6 s is over"),
        "{shown}"
    );
    let (status, found) = answer(&["law", "take-a-square", "-n", "2000"]);
    assert_eq!((status, &found["law"], &found["checked_to"]), (1, &Value::Null, &json!(2000)));
    let tried = found["tried"].as_array().expect("a list");
    assert!(tried.len() >= 9 && tried[0]["kind"] == "periodic", "{found}");
}

#[test]
fn a_law_is_tested_beyond_the_next_number_that_may_be_taken() {
    // A period of 25 is what takes up to 720 show; 5040 breaks it at 5050.
    let shown = run(&["law", "take-a-factorial", "--no-proof", "-n", "3999"]);
    assert!(
        shown.contains("the next number that may be taken is 5040: the law was not tested beyond it"),
        "{shown}"
    );
    let (_, found) = answer(&["law", "take-a-factorial", "--no-proof"]);
    assert!(found["checked_to"].as_u64().is_some_and(|to| to > 10_000), "{found}");
    assert_ne!(found["period"], json!(25));
    // n mod 2310 is n as far as 2309.
    let (_, found) = answer(&["law", "take-few-primes", "y=4", "--no-proof"]);
    assert_eq!(found["law"], json!("g(n) = n mod 2310"));
    let (_, found) = answer(&["law", "take-few-primes", "y=5", "--no-proof", "-n", "3000"]);
    let untested = found["untested"].as_str().unwrap_or_default();
    assert!(untested.starts_with("every smaller number may be taken, and 30030 may not"), "{found}");
}

#[test]
fn programs_warn_beyond_what_was_compared_and_languages_have_short_names() {
    let rule = "n -> n - t where t in 1..3";
    for lang in ["c++", "rs", "py"] {
        let shown = run(&["emit", rule, "--lang", lang, "--law", "n mod 4", "-n", "300"]);
        assert!(shown.contains("the law is only observed, to heap 300"), "{lang}: {shown}");
        assert!(!run(&["emit", rule, "--lang", lang]).contains("only observed"), "{lang}");
    }
    assert!(run(&["emit", rule, "--lang", "pascal"]).contains("write cpp (c++), rust (rs) or python (py)"));
}

#[test]
fn a_law_of_a_grid_holds_beyond_the_grid_or_is_not_stated() {
    // What breaks it stands at a = 333; at 150; at 7, beyond a grid that was asked for.
    for (rule, more) in [
        ("(a, b) -> (a - 1, b) | (a, b - 1)\n(a, b) -> (0, 0) where a = 333", &[][..]),
        ("(a, b) -> (a - t, b) | (a, b - t) where t in {1, 2, 150}", &[]),
        ("(a, b) -> (a - t, b) | (a, b - t) where t in {1, 2, 30}", &["-n", "25", "--no-proof"]),
    ] {
        let (status, found) = answer(&[&["law", rule], more].concat());
        assert_eq!((status, &found["law"]), (1, &Value::Null), "{rule}: {found}");
        assert!(found["tried"].as_array().is_some_and(|tried| !tried.is_empty()), "{found}");
    }
    let short = ["law", "(a, b) -> (a - t, b) | (a, b - t) where t in {1, 2, 30}", "-n", "25", "--no-proof"];
    assert!(
        run(&short).contains("the rule speaks of 30, and a grid to (25, 25) shows too little beyond that")
    );
}

#[test]
fn the_law_that_a_file_states_about_tuples_comes_first() {
    let shown = run(&["law", "king", "--no-proof", "-n", "30"]);
    assert!(shown.contains("g(x, y) = 2(min(x, y) mod 2) + (x + y) mod 2\n# cited ("), "{shown}");
}

#[test]
fn a_family_counts_the_members_for_which_its_law_holds() {
    // Beyond heap 100 the even k differ: their own laws say so.
    let (_, found) = answer(&["law", "n -> n - t where t in {1, k}", "k=1..60", "-n", "20"]);
    for member in found["members"].as_array().expect("a list") {
        let k = member["parameters"]["k"].as_i64().unwrap();
        assert!(k % 2 == 1 || member["fits"] != json!(true), "{member}");
    }
    // What is printed is a law that can be read back, or comments.
    let text = run(&["law", "n -> n - t where t in {1, 2, k}", "k=1..10", "-n", "500"]);
    let text = text.replace("exit 0\n--- stdout\n", "");
    let law = run_with(&["test", "n -> n - t where t in {1, 2}", "-", "-n", "50"], &text);
    assert!(law.contains("holds to 50"), "{law}");
    let text = run(&["law", "take-few-primes", "y=0..3", "-n", "500"]);
    assert!(text.lines().skip(2).all(|line| line.starts_with('#')), "{text}");
    assert!(run(&["law", "wythoff-t", "t=1..5"]).contains("families are of heaps with one entry"));
}

#[test]
fn a_law_in_a_parameter_is_tested_for_each_member() {
    let shown = run(&["test", "bachet", "k=1..3", "n mod (k + 1)", "-n", "50"]);
    assert_eq!(shown.matches("holds to 50").count(), 3, "{shown}");
    let shown = run(&["test", "n -> n - t where t in {1, 2, k}", "k=1..9", "n mod 3", "-n", "50"]);
    assert!(shown.starts_with("exit 1") && shown.contains("k=3: false at heap 3"), "{shown}");
}
