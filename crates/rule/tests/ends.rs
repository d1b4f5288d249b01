//! Which games are proved to end, by what, and what is said about those that do not.

mod common;

use common::rule;
use grundy_rule::Rule;
use grundy_rule::ends::{Ends, ends};

fn verdict(text: &str, args: &[&str]) -> String {
    match ends(&rule(text, args)) {
        Ends::Proved(measures) => measures.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        Ends::Watched(_) => "watched".to_string(),
        Ends::Loop(found) => format!("loop: {}", found.message),
    }
}

/// Rule, arguments, verdict. The rules of the language's description and of contest problems (their source is
/// named in data about them elsewhere in this repository; the names here are the usual ones).
const VERDICTS: &[(&str, &[&str], &str)] = &[
    ("n -> n - t where t in {1, 3, 4}", &[], "n falls"),
    ("n -> n - t where t in 1..m", &["m=3"], "n falls"),
    ("n -> n - t where t in 1..m", &["m=10^18"], "n falls"),
    ("n -> n - t where t in fibonacci", &[], "n falls"),
    ("n -> n - t where t in squares", &[], "n falls"),
    ("game stones(S: set); n -> n - t where t in S", &["S=2,3"], "n falls"),
    ("game stones(S: set); n -> n - t where t in S", &["S=0,3"], "loop: t = 0 leaves n"),
    ("d -> j, k   where j <= k, k < d", &[], "d falls"),
    ("game blackboard(k) where k >= 2; x -> y where x/k <= y < x", &["k=3"], "x falls"),
    (
        "game constrained-nim(banned: pairs); x -> x - t where t >= 1, (x, t) not in banned",
        &["banned=(1,1)"],
        "x falls",
    ),
    ("coins mock-turtles; n -> nothing; n -> a where a < n; n -> a, b where a < b < n", &[], "n falls"),
    ("(a, b) -> (a - t, b) | (a, b - t) | (a - t, b - t)  where t >= 1", &[], "a + b falls"),
    (
        "ring(n) -> row(n - t) where t in 1..2; row(n) -> row(a), row(b) where a + b = n - t, t in 1..2",
        &[],
        "n in row(n) falls",
    ),
    ("n -> [a + i for i in 0..k-1] where k >= 2, a >= 1, 2*n = k*(2*a + k - 1)", &[], "n falls"),
    ("n -> [n - i for i in 1..d] where d in 0..n-1", &[], "n falls"),
    (
        "n -> (n - t, 2*t) where 1 <= t < n; (n, most) -> (n - t, 2*t) where 1 <= t <= most",
        &[],
        "n in (n, most) falls",
    ),
    ("n -> n - d where d divides n, 1 < d < n", &[], "n falls"),
    ("misere game x; n -> n - t where t in 1..3", &[], "n falls"),
    (
        "misere game exactly(p, q); n -> n - t where t in p..q, n > p; n -> 0 where 1 <= n <= p",
        &["p=3", "q=4"],
        "n falls",
    ),
    ("n -> a where a < n; n -> a, b, c where a + b + c = n, 1 <= a <= b <= c", &[], "n falls"),
    ("n -> a, b where a + b < n", &[], "n falls"),
    ("(a, b) -> (c, d) where c + d = a or c + d = b, c >= 1, d >= 1", &[], "max(a, b) falls"),
    ("n -> max(i - 3, 0), max(n - i - 2, 0) where 1 <= i <= n", &[], "n falls"),
    ("n -> max(i - 2, 0), max(n - i - 1, 0) where 1 <= i <= n", &[], "n falls"),
    (
        "coins lights; (x, y) -> nothing; (x, y) -> (a, y) where 1 <= a < x; (x, y) -> (x, b) where 1 <= b < y; \
         (x, y) -> (a, y), (x, b), (a, b) where 1 <= a < x, 1 <= b < y",
        &[],
        "x + y falls",
    ),
    ("(x, y) -> (x - 1, y) | (x, y - 1) | (x - 1, y - 1)", &[], "x + y falls"),
    (
        "(w, h) -> (a, h), (b, h) where a + b = w, a >= 2, b >= 2; (w, h) -> (w, a), (w, b) where a + b = h, a >= 2, b >= 2",
        &[],
        "w + h falls",
    ),
    (
        "misere game chomp3; (a, b, c) -> (t, min(b, t), min(c, t)) where t < a; (a, b, c) -> (a, t, min(c, t)) where t < b; \
         (a, b, c) -> (a, b, t) where t < c",
        &[],
        "a + b + c falls",
    ),
    (
        "(a, b, c) -> (u, v, w) where u <= a, v <= b, w <= c, u + v + w < a + b + c, u = a or v = b or w = c",
        &[],
        "a + b + c falls",
    ),
    ("n -> n - t where 1 <= t <= sqrt(n)", &[], "n falls"),
    ("(n, used) -> (n - t, used + 2^t) where t >= 1, bit(used, t) = 0", &[], "n falls"),
    ("n -> n - d where d divides n, d < n", &[], "n falls"),
    ("n -> n - t where t >= 1, gcd(n, t) = 1", &[], "n falls"),
    ("game multiply(n); p -> p*d where 2 <= d <= 9, 1 <= p < n", &["n=100"], "n - p falls"),
    (
        "(a, b) -> (a - 1, b); (a, b) -> (a - 1, b + 1) where b >= 1; (a, b) -> (a - 2, b + 3) where b >= 1; \
         (a, b) -> (a - 2, b + 2) where b = 0; (a, b) -> (a, b - 1) where b >= 3; (a, b) -> (a + 1, 0) where b = 2",
        &[],
        "5*a + 3*b falls",
    ),
    (
        "misere game team(M: list); (s, i) -> (s - t, (i + 1) % len(M)) where 1 <= t <= M[i]",
        &["M=2,3,4"],
        "s falls",
    ),
    ("n -> n - t where t in L..R", &["L=2", "R=5"], "n falls"),
    ("game beans(c: list); i -> j where i - c[i] <= j < i", &["c=0,1,2"], "i falls"),
    ("m -> bitor(m % 2^k, floor(m/2^k)) where k >= 1, 2^k <= m", &[], "m falls"),
    (
        "ring(n) -> row(n - t) where t in l..r; row(n) -> row(a), row(b) where a + b = n - t, t in l..r",
        &["l=2", "r=3"],
        "n in row(n) falls",
    ),
    ("(n, z) -> (n - t, z) where t >= 1; (n, z) -> (n, 0) where z = 1, n >= 1", &[], "n + z falls"),
    (
        "(a, b) -> (a - k*b, b) where k >= 1, 1 <= b <= a; (a, b) -> (a, b - k*a) where k >= 1, 1 <= a <= b",
        &[],
        "a + b falls",
    ),
    ("n -> n - z where z >= 1, omega(z) <= y", &["y=2"], "n falls"),
    ("n -> n - t where t in {2, 3, 5}", &[], "n falls"),
    ("n -> n - t where 1 <= t <= n/2", &[], "n falls"),
    ("x -> xor(x, y) where 1 <= y <= x, xor(x, y) < x", &[], "x falls"),
    ("coins array(n); x -> [i*x for i in 2..k] where k >= 1, 1 <= x, k*x <= n", &["n=50"], "n - x falls"),
    // Two stages, several kinds, bounds.
    ("(a, b) -> (a - 1, c) where c <= 2*b; (a, b) -> (a, b - 1)", &[], "a falls, a + b falls"),
    ("even(n) -> odd(n); odd(n) -> even(n - 1)", &[], "n in even(n) and n in odd(n) falls"),
    ("n -> n + 1 where n < 10", &[], "10 - n falls"),
    ("n -> floor(n/2) where n >= 1", &[], "n falls"),
    ("(a, b) -> (b, a % b) where b >= 1", &[], "b falls"),
    ("game graph(edges: pairs); v -> u where (v, u) in edges", &["edges=(2,1),(2,0)"], "v falls"),
    // Those that do not end.
    ("n -> n - t", &[], "loop: t = 0 leaves n"),
    ("n -> n - d where d divides n", &[], "loop: at n = 0, d = 0 leaves 0"),
    ("n -> floor(n/2)", &[], "loop: 0 -> 0"),
    (
        "n -> n - t where t in squares; n -> n + 1 where 2 divides n, n >= 1",
        &[],
        "loop: play can go round: 2 -> 3 -> 2",
    ),
    ("n -> n + 1 | n - 1 where n < 10", &[], "loop: play can go round: 0 -> 1 -> 0"),
    ("(a, b) -> (b, a)", &[], "loop: (0, 0) -> (0, 0)"),
    (
        "game berzerk(n, A: set, B: set); (v, w) -> ((v + t) % n, 1 - w) where v != 0, w = 0 and t in A or w = 1 and t in B",
        &["n=4", "A=1", "B=2,3"],
        "loop",
    ),
    // Nothing is known of what falls, and no small heap loops.
    ("n -> n + 1", &[], "watched"),
    ("game stones(S: set); n -> n - t where t in S", &[], "watched"),
];

#[test]
fn verdicts() {
    let mut wrong = String::new();
    for (text, args, wanted) in VERDICTS {
        let found = verdict(text, args);
        if !(found == *wanted || wanted.starts_with("loop") && found.starts_with(wanted)) {
            wrong += &format!("{text}\n  wanted {wanted}\n  found  {found}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The slips of the language's description: what is said, where, and what would mend it.
#[test]
fn loops_are_explained() {
    let cases = [
        (
            "n -> n - t",
            "error[loop]: t = 0 leaves n\n\
             1:6: n -> n - t\n          ^^^^^\n\
             help: say `t >= 1`\n\
             patch: 1:11: ` where t >= 1`\n",
        ),
        (
            "n -> n - d where d divides n",
            "error[loop]: at n = 0, d = 0 leaves 0\n\
             1:10: n -> n - d where d divides n\n               ^\n\
             help: add `d >= 1`\n\
             patch: 1:29: `, d >= 1`\n",
        ),
        (
            "n -> floor(n/2)",
            "error[loop]: 0 -> 0\n\
             1:1: n -> floor(n/2)\n     ^^^^^^^^^^^^^^^\n\
             help: say `n >= 1`\n\
             patch: 1:16: ` where n >= 1`\n",
        ),
    ];
    for (text, wanted) in cases {
        let Ends::Loop(found) = ends(&rule(text, &[])) else { panic!("{text}") };
        assert_eq!(found.plain(text), wanted);
        // The patch mends it.
        let patch = found.patch.expect("a likely change");
        let mended = format!("{}{}{}", &text[..patch.span.start], patch.text, &text[patch.span.end..]);
        assert!(ends(&rule(&mended, &[])).is_proved(), "{mended}");
    }
}

/// No proof for a game that goes on, however it is dressed.
#[test]
fn what_goes_on_is_not_proved() {
    for text in [
        "n -> n + t where t >= 1, t <= 2",
        "n -> n - t where t in 0..3",
        "(a, b) -> (a - 1, b + 5) | (a + 1, b - 1)",
        "(a, b) -> (a - t, b + t) | (a + t, b - t) where t >= 1",
        "n -> n % 7 where n >= 0",
        "n -> n - t*s where t in 1..3, s in 0..1",
        "n -> abs(n - t) where 1 <= t <= n + 3",
        "even(n) -> odd(n); odd(n) -> even(n)",
        "n -> xor(n, t) where t in 1..3",
        "n -> [n - i for i in 0..2]",
    ] {
        assert!(!ends(&rule(text, &[])).is_proved(), "{text}");
    }
}

/// Every game of the catalogue is proved to end for all values of its parameters, but for these.
#[test]
fn the_catalogue_ends() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut open = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (rule, _) = Rule::parse(&text, &[]).unwrap_or_else(|e| panic!("{path:?}: {e:?}"));
        if !ends(&rule).is_proved() {
            open.push(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
    }
    open.sort();
    // The rows of a graph decide, a set may be given that holds negative numbers, and one game is there because it goes round.
    assert_eq!(open, ["graph", "square-but-one", "subtraction"]);
}
