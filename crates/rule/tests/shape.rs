//! Spellings and the shapes they have.

mod common;

use common::{read, rule};
use grundy_rule::code;
use grundy_rule::shape::{Shape, shape, shape_of, shapes};

/// Rule, arguments, the shape as it prints.
const SHAPES: &[(&str, &[&str], &str)] = &[
    // Finite subtraction sets, in many spellings.
    ("n -> n - t where t in {1, 3, 4}", &[], "subtraction game with {1, 3, 4}"),
    ("n -> n - 1 | n - 3 | n - 4", &[], "subtraction game with {1, 3, 4}"),
    ("n -> n - 4; n -> n - t where t = 1 or t = 3", &[], "subtraction game with {1, 3, 4}"),
    ("x -> y where x - y in {4, 1, 3, 3}", &[], "subtraction game with {1, 3, 4}"),
    ("x -> y where d = x - y, 1 <= d < 5, d != 2", &[], "subtraction game with {1, 3, 4}"),
    ("game g(S: set); n -> n - t where t in S", &["S=4,1,3"], "subtraction game with {1, 3, 4}"),
    ("game g(S: set); n -> m where n - m in S", &["S=4,1,3"], "subtraction game with {1, 3, 4}"),
    ("n -> n - t where t in 1..m", &["m=3"], "subtraction game with {1, 2, 3}"),
    ("n -> n - t where t in a..b", &["a=2", "b=4"], "subtraction game with {2, 3, 4}"),
    ("n -> n - 1; n -> n - 2; n -> n - t where t in 3..3", &[], "subtraction game with {1, 2, 3}"),
    ("n -> n - 2*k where k in 1..3", &[], "subtraction game with {2, 4, 6}"),
    ("n -> n - t where t in primes, t <= 12", &[], "subtraction game with {2, 3, 5, 7, 11}"),
    ("n -> n - t where t divides 12", &[], "subtraction game with {1, 2, 3, 4, 6, 12}"),
    ("n -> n - t where 1 <= t <= 9, t % 3 = 1", &[], "subtraction game with {1, 4, 7}"),
    ("n -> max(n - 2, 0) where n >= 1", &[], "take-and-break code 0.13"),
    ("n -> n - abs(s) where s in 1..2", &[], "subtraction game with {1, 2}"),
    ("n -> n - 1, 0", &[], "subtraction game with {1}"),
    // All but finitely many.
    ("n -> n - t where t >= 1, t not in {2, 3}", &[], "subtraction game with all but {2, 3}"),
    ("n -> n - 1; n -> n - t where t > 3", &[], "subtraction game with all but {2, 3}"),
    ("n -> a where a < n, n - a != 2, n - a != 3", &[], "subtraction game with all but {2, 3}"),
    ("n -> a where a < n", &[], "Nim"),
    ("n -> n - t where t >= 1", &[], "Nim"),
    ("n -> n - t where 1 <= t <= n", &[], "Nim"),
    ("n -> a where b = a + 1, b <= n", &[], "Nim"),
    ("n -> a where a < n or a + 1 = n", &[], "Nim"),
    ("coins c; n -> a where a < n", &[], "Nim"),
    // Sets given by a condition.
    ("n -> n - t where t in primes", &[], "subtraction game with a set given by a condition"),
    ("n -> m where n - m in squares", &[], "subtraction game with a set given by a condition"),
    ("n -> n - k*k where k >= 1", &[], "subtraction game with a set given by a condition"),
    ("n -> n - 2^k where k >= 0", &[], "subtraction game with a set given by a condition"),
    ("n -> n - t where t in fibonacci", &[], "subtraction game with a set given by a condition"),
    (
        "n -> n - t where t in powers(3) or t in primes",
        &[],
        "subtraction game with a set given by a condition",
    ),
    ("n -> n - z where z >= 1, omega(z) <= y", &["y=2"], "subtraction game with a set given by a condition"),
    // Windows.
    ("game blackboard(k) where k >= 2; x -> y where x/k <= y < x", &["k=3"], "sliding window ceil(n/3)..n-1"),
    (
        "game blackboard(k) where k >= 2; x -> y where x/k <= y < x",
        &["k=10^18"],
        "sliding window ceil(n/1000000000000000000)..n-1",
    ),
    ("game blackboard(k) where k >= 2; x -> y where x/k <= y < x", &[], "sliding window ceil(n/k)..n-1"),
    ("game blackboard(k) where k >= 2; x -> y where k*y >= x, y < x", &[], "sliding window ceil(n/k)..n-1"),
    ("x -> y where 3*y >= x, y < x", &[], "sliding window ceil(n/3)..n-1"),
    ("x -> x - t where t >= 1, 3*t <= 2*x", &[], "sliding window ceil(n/3)..n-1"),
    ("n -> n - t where 1 <= t <= n/3", &[], "sliding window n - floor(n/3)..n-1"),
    ("n -> n - t where t >= 1, 3*t <= n", &[], "sliding window n - floor(n/3)..n-1"),
    ("n -> n - t where 1 <= t <= sqrt(n)", &[], "sliding window n - sqrt(n)..n-1"),
    ("n -> n - t where t >= 1, t*t <= n", &[], "sliding window n - sqrt(n)..n-1"),
    ("n -> n - t where t in 1..m", &["m=10^18"], "sliding window n - 1000000000000000000..n-1"),
    ("n -> y where 1 <= y < n", &[], "sliding window 1..n-1"),
    ("n -> y where y < n, 5*y + 2 >= 2*n", &[], "sliding window floor((2n + 2)/5)..n-1"),
    ("n -> y where y <= n/2, y < n", &[], "window 0..floor(n/2)"),
    ("n -> y where n/4 <= y <= n/2, y < n", &[], "window ceil(n/4)..floor(n/2)"),
    // Nim with exceptions.
    (
        "game constrained-nim(banned: pairs); x -> x - t where t >= 1, (x, t) not in banned",
        &["banned=(3,1),(5,5),(2,3)"],
        "window 0..n-1 except 2 pairs",
    ),
    (
        "game constrained-nim(banned: pairs); x -> y where y < x, (x, y) not in banned",
        &["banned=(3,1),(5,5),(2,3)"],
        "window 0..n-1 except 1 pairs",
    ),
    // Take and break.
    ("n -> a, b where a + b = n - t, t in 1..2", &[], "take-and-break code 0.77"),
    (
        "n -> n - t where t in 1..2; n -> a, b where t = n - a - b, 1 <= t < 3, a >= 1, b >= 1",
        &[],
        "take-and-break code 0.77",
    ),
    (
        "n -> n - 1 ; n -> n - 2; n -> a, n - a - t where 1 <= a < n - t, t in 1..2",
        &[],
        "take-and-break code 0.77",
    ),
    ("n -> a, n - a - t where t = 1 or t = 2", &[], "take-and-break code 0.77"),
    (
        "n -> i - 1, n - i where 1 <= i <= n; n -> i - 1, n - i - 1 where 1 <= i < n",
        &[],
        "take-and-break code 0.77",
    ),
    ("n -> a, b where a + b = n - 2", &[], "take-and-break code 0.07"),
    ("n -> a, b where a + b = n, 1 <= a < b", &[], "take-and-break code 4!.0"),
    ("n -> a, n - a where 0 < a < n - a", &[], "take-and-break code 4!.0"),
    ("n -> a, b where a + b = n, a != b, a >= 1, b >= 1", &[], "take-and-break code 4!.0"),
    ("n -> a, a where 2*a = n, n >= 1", &[], "take-and-break code 4=.0"),
    ("n -> a where a < n; n -> a, b where a + b = n, a >= 1, b >= 1", &[], "take-and-break code 4.[3]"),
    (
        "n -> a where a < n; n -> a, b, c where a + b + c = n, 1 <= a <= b <= c",
        &[],
        "take-and-break code 8.[3]",
    ),
    ("n -> a, b where a + b < n", &[], "take-and-break code 0.[7]"),
    ("n -> a, b, c where a + b + c = n - 1, a >= 1, b >= 1, c >= 1", &[], "take-and-break code 0.8"),
    ("n -> a, b, c where a + b + c = n - 2, 1 <= a < b < c", &[], "take-and-break code 0.08!"),
    ("n -> max(i - 3, 0), max(n - i - 2, 0) where 1 <= i <= n", &[], "take-and-break code 0.11337"),
    ("n -> max(i - 2, 0), max(n - i - 1, 0) where 1 <= i <= n", &[], "take-and-break code 0.137"),
    ("n -> n - t where t % 2 = 1", &[], "take-and-break code 0.[30]"),
    ("n -> n - (2*k + 1)", &[], "take-and-break code 0.[30]"),
    ("n -> n - t where gcd(t, 6) = 1", &[], "take-and-break code 0.[300030]"),
    (
        "n -> n - 1 where n >= 2; n -> a, b where a + b = n - 1, a >= 1, b >= 1",
        &[],
        "take-and-break code 0.6",
    ),
    ("n -> nothing where n = 3; n -> n - 1 where n > 1", &[], "take-and-break code 0.201"),
    (
        "n -> n - t where t % 100 = 1",
        &[],
        "take-and-break code 0.[300000000000000000000000000000000000000000000000000000000.. of 101 digits",
    ),
    // Lower heaps in any combination.
    (
        "coins mock-turtles; n -> nothing; n -> a where a < n; n -> a, b where a < b < n",
        &[],
        "any 0 or 1 or 2 different lower heaps",
    ),
    ("d -> j, k where j <= k, k < d", &[], "any 2 lower heaps, repeats allowed"),
    ("d -> j, k where j < d, k < d", &[], "any 2 lower heaps, repeats allowed"),
    ("coins t; n -> nothing; n -> a where 1 <= a < n", &[], "general"),
    ("coins t; n -> nothing where n >= 1; n -> a where 1 <= a < n", &[], "any 0 or 1 different lower heaps"),
    ("coins t; n -> a, b, c where a < b < c < n", &[], "any 3 different lower heaps"),
    // Runs.
    (
        "coins ruler; n -> [n - i for i in 1..d] where d in 0..n-1",
        &[],
        "runs of 0 or more heaps directly below",
    ),
    (
        "coins ruler; n -> [i for i in a..n-1] where 1 <= a <= n",
        &[],
        "runs of 0 or more heaps directly below",
    ),
    (
        "coins r; n -> nothing; n -> [n - i for i in 1..d] where 1 <= d <= n",
        &[],
        "runs of 0 or more heaps directly below",
    ),
    ("coins r; n -> [n - i for i in 1..d] where d <= n, d <= 3", &[], "runs of 0 to 3 heaps directly below"),
    // A token on a graph.
    (
        "game graph(edges: pairs); v -> u where (v, u) in edges",
        &["edges=(2,1),(2,0)"],
        "one token on a graph",
    ),
    (
        "game graph(edges: pairs); v -> u where (u, v) in edges",
        &["edges=(1,2),(0,1)"],
        "one token on a graph",
    ),
    // None of these.
    ("n -> n - d where d divides n, 1 < d < n", &[], "general"),
    ("n -> n - t where t >= 1, gcd(n, t) = 1", &[], "general"),
    ("n -> n - 1 where 2 divides n", &[], "general"),
    ("n -> a, b where a + b = n - 1, a <= b + 1, a >= b - 1", &[], "general"),
    ("n -> floor(n/2) | floor(n/3) where n >= 1", &[], "general"),
    ("(a, b) -> (a - t, b) | (a, b - t) where t >= 1", &[], "general"),
    ("n -> [a + i for i in 0..k-1] where k >= 2, a >= 1, 2*n = k*(2*a + k - 1)", &[], "general"),
];

#[test]
fn spellings() {
    let mut wrong = String::new();
    for (text, args, wanted) in SHAPES {
        let found = read(text, args).map_or_else(|e| e, |rule| shape(&rule).to_string());
        if found != *wanted {
            wrong += &format!("{text} {args:?}\n  wanted {wanted}\n  found  {found}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn nim_has_many_shapes() {
    let found: Vec<String> = shapes(&rule("n -> a where a < n", &[])).iter().map(Shape::to_string).collect();
    assert_eq!(
        found,
        [
            "Nim",
            "sliding window 0..n-1",
            "any 1 different lower heaps",
            "take-and-break code 0.[3]",
            "window 0..n - 1",
        ]
    );
}

#[test]
fn a_kind_has_a_shape_of_its_own() {
    let ring = rule(
        "ring(n) -> row(n - t) where t in 1..2; row(n) -> row(a), row(b) where a + b = n - t, t in 1..2",
        &[],
    );
    let kind = |name| ring.kind(Some(name), 1).unwrap();
    assert_eq!(shape_of(&ring, kind("row")).to_string(), "take-and-break code 0.77");
    assert_eq!(shape_of(&ring, kind("ring")), Shape::General);
    assert_eq!(shape(&ring), Shape::General);
}

/// Games of the catalogue, whose spelling is another matter every time.
const CATALOGUE: &[(&str, &str)] = &[
    ("bachet", "sliding window n - k..n-1"),
    ("blackboard", "sliding window ceil(n/k)..n-1"),
    ("dawsons-chess", "take-and-break code 0.137"),
    ("dawsons-kayles", "take-and-break code 0.07"),
    ("double-kayles", "take-and-break code 0.7777"),
    ("grundys-game", "take-and-break code 4!.0"),
    ("guiles", "take-and-break code 0.15"),
    ("kayles", "take-and-break code 0.77"),
    ("lasker-nim", "take-and-break code 4.[3]"),
    ("mock-turtles", "any 0 or 1 or 2 different lower heaps"),
    ("moidores", "any 0 or 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8 different lower heaps"),
    ("octal-007", "take-and-break code 0.007"),
    ("octal-127", "take-and-break code 0.127"),
    ("octal-156", "take-and-break code 0.156"),
    ("octal-165", "take-and-break code 0.165"),
    ("octal-376", "take-and-break code 0.376"),
    ("octal-644", "take-and-break code 0.644"),
    ("officers", "take-and-break code 0.6"),
    ("palindrome-strings", "take-and-break code 0.137"),
    ("prefix-free", "runs of 0 or more heaps directly below"),
    ("rims", "take-and-break code 0.[7]"),
    ("ruler", "runs of 0 or more heaps directly below"),
    ("ruler-fives", "runs of 0 to 4 heaps directly below"),
    ("ruler-regular", "take-and-break code 0.2048"),
    ("split-in-three", "take-and-break code 8.[3]"),
    ("splitting", "any 2 lower heaps, repeats allowed"),
    ("take-a-prime-or-one", "subtraction game with a set given by a condition"),
    ("take-at-most-sqrt", "sliding window n - sqrt(n)..n-1"),
    ("treblecross", "take-and-break code 0.11337"),
    ("triplets", "any 2 different lower heaps"),
    ("twins", "Nim"),
];

#[test]
fn the_catalogue() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for (name, wanted) in CATALOGUE {
        let text = std::fs::read_to_string(folder.join(format!("{name}.game"))).unwrap();
        assert_eq!(shape(&rule(&text, &[])).to_string(), *wanted, "{name}");
    }
}

/// Random codes: the text of a code is recognised as that code.
#[test]
fn codes_are_recognised_from_their_text() {
    // Digits in a fixed pseudo-random order, so that a failure is repeatable.
    let mut state: u64 = 0x2545_f491_4f6c_dd1d;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for _ in 0..60 {
        let d0 = ["0", "4", "8", "C", "4!", "4=", "8!", "8?", "C="][usize::try_from(next(9)).unwrap()];
        let mut text = format!("{d0}.");
        for _ in 0..=next(4) {
            text += &format!("{:X}", next(16));
        }
        if next(3) == 0 {
            text += &format!("[{:X}{:X}]", next(16), 1 + next(15));
        }
        let Ok(code) = code::parse(&text).expect("it is a code") else { continue };
        let rule = rule(&code.to_rule_text(), &[]);
        let found = shapes(&rule);
        let is_code = |s: &Shape| match s {
            // The digits of the shape print as the code does.
            Shape::TakeAndBreak(found) => found.to_string() == code.to_string(),
            _ => false,
        };
        assert!(found.iter().any(is_code), "{text} = {code}: {}\n{found:?}", code.to_rule_text());
    }
}
