//! Problem files for contest problems (`testdata/problems`), each against the verified pairs of
//! `testdata/problems.tsv`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use grundy::limits::Limits;
use grundy::problem::Problem;

/// Constructs that problem files are meant for: single heaps, several heaps, kinds and parameters, tuples, coins.
const CONSTRUCTS: [&str; 5] = ["A", "B", "C", "D", "G"];

/// Problems with loops that ask for the outcome of one position.
const LOOPY: [&str; 1] = ["mathstrek CGT lesson V (Square-But-One)"];

/// Problems that ask for something else than the outcome or the moves of a position, or whose position needs a
/// construct that no two other problems need.
const NO_FILE: [(&str, &str); 11] = [
    ("CSES 1729", "prints a table of outcomes"),
    ("CF 305E", "the heaps are runs of centres of palindromes"),
    ("Project Euler 509", "counts positions"),
    ("Project Euler 301", "counts positions"),
    ("AtCoder ARC 087 E", "the heaps are the free subtrees of a binary tree of strings"),
    ("CF 850C", "the heaps are sets of exponents, one for each prime"),
    ("CF 1823E", "the stored pairs are not in the judge's format"),
    ("UVa 11859", "the heaps are sums over the rows of a matrix"),
    ("Project Euler 325", "sums over positions"),
    ("Claim check (cheat sheet)", "asks about formulas"),
    ("Luogu P5387 (Cnoi2019)", "counts positions"),
];

/// Pairs (counted from 1) with heaps that only a law reaches.
const TOO_LARGE: [(&str, usize); 4] = [("HDU 2516", 1), ("HDU 2516", 2), ("CF 1537D", 2), ("51nod 1185", 1)];

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn files() -> BTreeMap<String, Problem> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root().join("testdata/problems")).expect("the folder") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("text");
        let problem = Problem::parse(&text).unwrap_or_else(|said| {
            panic!("{}:\n{}", path.display(), said.iter().map(|d| d.plain(&text)).collect::<String>())
        });
        found.insert(problem.name().to_string(), problem);
    }
    found
}

/// Id, construct, and pairs of input and output.
type Row = (String, String, Vec<(String, String)>);

/// Id, construct and verified pairs of each problem.
fn table() -> Vec<Row> {
    let text = fs::read_to_string(root().join("testdata/problems.tsv")).expect("test data");
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().expect("a header");
    let column = |name: &str| head.iter().position(|h| *h == name).expect("a column");
    let (id, construct, pairs) = (column("id"), column("construct"), column("verified_pairs_json"));
    lines
        .map(|row| {
            let pairs = serde_json::from_str(row[pairs]).expect("JSON");
            (row[id].to_string(), row[construct].to_string(), pairs)
        })
        .collect()
}

#[test]
fn every_problem_has_a_file_or_a_reason() {
    let files = files();
    for (id, construct, _) in table() {
        let wanted = CONSTRUCTS.iter().any(|c| construct.starts_with(&format!("{c} ")))
            || LOOPY.contains(&id.as_str());
        let excused = NO_FILE.iter().any(|(known, _)| *known == id);
        assert_eq!(files.contains_key(&id), wanted && !excused, "{id}");
    }
    assert_eq!(files.len(), 33);
}

#[test]
fn verified_pairs_are_answered() {
    let files = files();
    let limits = Limits { time: Some(Duration::from_secs(20)), memory: Some(1 << 29), ..Limits::default() };
    let mut failures = Vec::new();
    for (id, _, pairs) in table() {
        let Some(problem) = files.get(&id) else { continue };
        for (number, (input, expected)) in (1..).zip(&pairs) {
            if TOO_LARGE.contains(&(id.as_str(), number)) {
                continue;
            }
            let mut out = Vec::new();
            match problem.solve(input.as_bytes(), &mut out, &limits) {
                Ok(()) if String::from_utf8_lossy(&out) == *expected => {}
                Ok(()) => failures.push(format!("{id} {number}: {:?}", String::from_utf8_lossy(&out))),
                Err(error) => failures.push(format!("{id} {number}: {error}")),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
