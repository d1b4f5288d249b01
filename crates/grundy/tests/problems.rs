//! The problems that come with the program, against their judges' samples, small cases with answers by brute force
//! from the rules, and input that must be refused.

use std::fs;
use std::path::{Path, PathBuf};

use grundy::limits::Limits;
use grundy::problem::{self, Problem};
use serde_json::Value;

/// Folder of `testdata/cases` and the problem that it tests.
const CASES: [(&str, &str); 6] = [
    ("g1661_blackboard", "51nod-1661"),
    ("abc255g_cnim", "abc255-g"),
    ("melon", "codem-2017-melon"),
    ("sos", "ec-final-2017-l"),
    ("hdu3537_coins", "hdu-3537"),
    ("hnoi2007_split", "hnoi-2007-split"),
];

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn load(name: &str) -> Problem {
    let text = problem::find(name).expect("a problem of the catalogue");
    match Problem::parse(text) {
        Ok(problem) => problem,
        Err(said) => panic!("{}", said.iter().map(|d| d.plain(text)).collect::<String>()),
    }
}

fn solve(problem: &Problem, input: &str) -> Result<String, String> {
    let mut out = Vec::new();
    match problem.solve(input.as_bytes(), &mut out, &Limits::default()) {
        Ok(()) => Ok(String::from_utf8(out).expect("text")),
        Err(error) => {
            assert!(out.is_empty(), "printed before an error: {}", String::from_utf8_lossy(&out));
            Err(format!("{}: {error}", error.id()))
        }
    }
}

fn rows(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("test data");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The answers agree line by line, blanks at line ends and the last line end aside.
fn same(a: &str, b: &str) -> bool {
    let lines = |text: &str| text.trim_end().lines().map(|l| l.trim_end().to_string()).collect::<Vec<_>>();
    lines(a) == lines(b)
}

/// `Alice i y` with any of the winning moves, or `Bob`.
fn is_winning(case: &Value, output: &str) -> bool {
    let words: Vec<&str> = output.split_whitespace().collect();
    match words[..] {
        ["Bob"] => case["winner"] == "Bob",
        ["Alice", i, y] if case["winner"] == "Alice" => {
            let (i, y): (u64, u64) = (i.parse().expect("a number"), y.parse().expect("a number"));
            let moves = case["winning_moves"].as_array();
            let all = moves.is_some_and(|m| Some(m.len() as u64) == case["n_winning_moves"].as_u64());
            let listed = moves.is_some_and(|m| m.iter().any(|m| m[0] == i && m[1] == y));
            listed || !all && case["canonical"].as_str().is_some_and(|c| same(c, output))
        }
        _ => false,
    }
}

/// The stored cases of one folder, all answered; how many there are.
fn answer_cases(folder: &str) -> usize {
    let (_, name) = CASES.iter().find(|(f, _)| *f == folder).expect("a folder of CASES");
    let problem = load(name);
    let mut asked = 0;
    for case in rows(&root().join("testdata/cases").join(folder).join("small.jsonl")) {
        let input = case["input"].as_str().expect("input");
        let output = solve(&problem, input).unwrap_or_else(|e| panic!("{name} {}: {e}", case["id"]));
        let right = if case["mode"] == "checker" {
            is_winning(&case, &output)
        } else {
            same(&output, case["output"].as_str().expect("output"))
        };
        assert!(right, "{name} {}: {output:?} for {input:?}", case["id"]);
        asked += 1;
    }
    for number in 1..=2 {
        let path = root().join("testdata/cases").join(folder).join(format!("sample_{number}.in"));
        let Ok(input) = fs::read_to_string(&path) else { continue };
        let expected = fs::read_to_string(path.with_extension("out")).expect("the sample's output");
        let output = solve(&problem, &input).unwrap_or_else(|e| panic!("{name} sample {number}: {e}"));
        // The blackboard's sample prints one of several winning moves.
        let right = if folder == "g1661_blackboard" {
            output.starts_with("Alice ") == expected.starts_with("Alice ")
        } else {
            same(&output, &expected)
        };
        assert!(right, "{name} sample {number}: {output:?}");
        asked += 1;
    }
    asked
}

#[test]
fn cases_of_blackboard() {
    assert!(answer_cases("g1661_blackboard") > 20);
}

#[test]
fn cases_of_constrained_nim() {
    assert!(answer_cases("abc255g_cnim") > 20);
}

#[test]
fn cases_of_melons() {
    assert!(answer_cases("melon") > 20);
}

#[test]
fn cases_of_sos() {
    assert!(answer_cases("sos") > 20);
}

#[test]
fn cases_of_coins() {
    assert!(answer_cases("hdu3537_coins") > 20);
}

#[test]
fn cases_of_splitting() {
    assert!(answer_cases("hnoi2007_split") > 20);
}

#[test]
fn bad_input_is_refused_in_one_line_that_names_the_fault() {
    for (folder, name) in CASES {
        let problem = load(name);
        for case in rows(&root().join("testdata/cases").join(folder).join("invalid.jsonl")) {
            let input = case["input"].as_str().expect("input");
            let said = match solve(&problem, input) {
                Err(said) => said,
                Ok(output) => panic!("{name} {}: {input:?} was answered {output:?}", case["id"]),
            };
            assert!(
                said.starts_with("input: line ") && !said.contains('\n'),
                "{name} {}: {said}",
                case["id"]
            );
            for word in case["message_should_mention"].as_array().expect("words") {
                let word = word.as_str().expect("a word");
                let found = said.to_lowercase().contains(&word.to_lowercase());
                assert!(found, "{name} {}: `{word}` is not in: {said}", case["id"]);
            }
        }
    }
}

#[test]
fn the_catalogue_is_the_folder() {
    let mut files: Vec<String> = fs::read_dir(root().join("problems"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter_map(|name| name.strip_suffix(".problem").map(str::to_string))
        .collect();
    files.sort();
    let embedded: Vec<&str> = problem::catalogue().iter().map(|(name, _)| *name).collect();
    assert_eq!(embedded, files);
    for (name, _) in problem::catalogue() {
        assert_eq!(load(name).name(), *name);
    }
}

/// Inputs changed at random: an answer or one line about the input, never a panic and never a part of an answer.
#[test]
fn changed_input_is_answered_or_refused() {
    let mut state = 7_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % below
    };
    let words =
        ["0", "1", "-1", "2", "x", "1.5", "99999999999999999999999999999999999999999", "3", "5", "\n"];
    for (folder, name) in CASES {
        let problem = load(name);
        let cases = rows(&root().join("testdata/cases").join(folder).join("small.jsonl"));
        for _ in 0..300 {
            let case = &cases[random(cases.len())];
            let input = case["input"].as_str().expect("input");
            if input.len() > 300 {
                continue;
            }
            let mut tokens: Vec<&str> = input.split_whitespace().collect();
            for _ in 0..=random(2) {
                let at = random(tokens.len() + 1);
                let word = words[random(words.len())];
                match random(3) {
                    0 => tokens.insert(at, word),
                    1 if at < tokens.len() => tokens[at] = word,
                    _ if at < tokens.len() => drop(tokens.remove(at)),
                    _ => {}
                }
            }
            let input = tokens.join(" ");
            if let Err(said) = solve(&problem, &input) {
                assert!(
                    said.starts_with("input: line ") && !said.contains('\n'),
                    "{name}: {input:?}: {said}"
                );
            }
        }
    }
}
