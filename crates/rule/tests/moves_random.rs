//! Ten thousand random rules: the moves that enumeration finds are those of a naive interpretation that tries
//! every assignment, and comes in the same order.
//!
//! The interpretation here knows nothing of bounds, branches or compiled code. It evaluates the condition as
//! written for every assignment within a box; what enumeration finds outside the box is checked one by one.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::ops::ControlFlow;

use grundy_rule::argument::Argument;
use grundy_rule::expr::{EvalError, Int, Set};
use grundy_rule::heap::{Heap, KindId, Sum};
use grundy_rule::moves::{Move, Moves, Scratch, Sink};
use grundy_rule::rule::{Alternative, Line, Param, Part};
use grundy_rule::{Diagnostic, Rule};
use proptest::prelude::*;

/// What one alternative gives: moves without errors, and whether an assignment had one.
#[derive(Default)]
struct Naive {
    moves: Vec<Move>,
    error: bool,
}

fn naive(rule: &Rule, kind: KindId, heap: &[Int], size: &dyn Fn(usize) -> Int) -> Naive {
    let mut found = Naive::default();
    for (l, line) in rule.lines.iter().enumerate() {
        let fits = line.pattern.iter().zip(heap).all(|(p, e)| p.is_none_or(|p| p == *e));
        if line.kind != kind || !fits {
            continue;
        }
        for (a, alternative) in line.alternatives.iter().enumerate() {
            let variables = alternative.variables.len();
            let side = size(variables);
            let mut assignment = vec![0; variables];
            'all: loop {
                match leaves(rule, line, alternative, heap, &assignment) {
                    Ok(Some(leaves)) => {
                        found.moves.push(Move {
                            line: l,
                            alternative: a,
                            assignment: assignment.clone(),
                            leaves,
                        });
                    }
                    Ok(None) => {}
                    Err(_) => found.error = true,
                }
                let mut place = variables;
                loop {
                    if place == 0 {
                        break 'all;
                    }
                    place -= 1;
                    assignment[place] += 1;
                    if assignment[place] < side {
                        break;
                    }
                    assignment[place] = 0;
                }
            }
        }
    }
    found
}

/// What the assignment leaves, if it is a move.
fn leaves(
    rule: &Rule,
    line: &Line,
    alternative: &Alternative,
    heap: &[Int],
    assignment: &[Int],
) -> Result<Option<Sum>, EvalError> {
    let mut frame = heap.to_vec();
    frame.extend_from_slice(assignment);
    let names = frame.len();
    frame.resize(alternative.frame.max(names), 0);
    assert_eq!(line.pattern.len(), heap.len());
    if !alternative.cond.eval(&frame, &rule.params)? {
        return Ok(None);
    }
    let mut heaps = Vec::new();
    if !unroll(&alternative.parts, &mut frame, &rule.params, &mut heaps)? {
        return Ok(None);
    }
    let sum = Sum::new(heaps).unwrap();
    if rule.coins && sum.heaps().iter().any(|(h, _)| *h.entries == *heap && h.kind == line.kind) {
        return Err(EvalError { id: "own-coin", message: String::new() });
    }
    Ok(Some(if rule.coins { sum.odd() } else { sum }))
}

/// Collects the heaps; `false`: an entry is negative. Every entry is evaluated, so that an error in any of them
/// is seen.
fn unroll(
    parts: &[Part],
    frame: &mut Vec<Int>,
    params: &[Param],
    heaps: &mut Vec<(Heap, u128)>,
) -> Result<bool, EvalError> {
    let mut natural = true;
    for part in parts {
        match part {
            Part::Heap(heap) => {
                let entries =
                    heap.entries.iter().map(|e| e.eval(frame, params)).collect::<Result<Vec<_>, _>>()?;
                natural &= entries.iter().all(|&e| e >= 0);
                heaps.push((Heap::new(heap.kind, &entries), 1));
            }
            Part::List { parts, slot, set, .. } => {
                for member in set.members(frame, params)? {
                    frame[*slot] = member;
                    natural &= unroll(parts, frame, params, heaps)?;
                }
            }
        }
    }
    Ok(natural)
}

/// A list without an end would never be unrolled.
fn endless(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Heap(_) => false,
        Part::List { parts, set, .. } => {
            matches!(set, Set::Range(_, None) | Set::Named(..)) || endless(parts)
        }
    })
}

fn arguments() -> Vec<(String, Argument)> {
    ["k=3", "S=2,3,5,9", "c=[1,2,0,3,5]", "P=(0,1),(1,2),(1,5),(2,4),(3,3),(7,2)"]
        .iter()
        .map(|a| {
            let (name, value) = a.split_once('=').unwrap();
            (name.to_string(), Argument::parse(value).unwrap())
        })
        .collect()
}

/// Reads the rule and compares on some heaps: how many moves were compared. `None`: the rule is not accepted.
fn compare(text: &str, heaps: &[Vec<Int>]) -> Option<Result<usize, String>> {
    let read: Result<(Rule, _), Vec<Diagnostic>> = Rule::parse(text, &arguments());
    let (rule, _) = read.ok()?;
    if rule.lines.iter().flat_map(|l| &l.alternatives).any(|a| endless(&a.parts)) {
        return None;
    }
    let moves = Moves::new(&rule).map_err(|e| format!("{e:?}"));
    let moves = match moves {
        Ok(moves) => moves,
        Err(error) => return Some(Err(error)),
    };
    let mut compared = 0;
    for heap in heaps {
        for kind in 0..rule.kinds.len() {
            let arity = rule.kinds[kind].arity;
            let entries = &heap[..arity.min(heap.len())];
            if entries.len() == arity {
                match agree(&rule, &moves, KindId(u16::try_from(kind).unwrap()), entries) {
                    Ok(moves) => compared += moves,
                    Err(why) => return Some(Err(format!("{why}\nheap {entries:?} of {text}"))),
                }
            }
        }
    }
    Some(Ok(compared))
}

/// Collects moves until it has seen enough.
struct Collect {
    coins: bool,
    moves: Vec<Move>,
    heaps: Vec<(Heap, u128)>,
    stopped: bool,
}

impl Sink for Collect {
    fn start(&mut self, line: usize, alternative: usize, assignment: &[Int]) {
        self.heaps.clear();
        self.moves.push(Move { line, alternative, assignment: assignment.to_vec(), leaves: Sum::default() });
    }
    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128) {
        assert!(count > 0 && entries.iter().all(|&e| e >= 0));
        self.heaps.push((Heap::new(kind, entries), count));
    }
    fn finish(&mut self) -> ControlFlow<()> {
        let sum = Sum::new(std::mem::take(&mut self.heaps)).unwrap();
        self.moves.last_mut().unwrap().leaves = if self.coins { sum.odd() } else { sum };
        self.stopped |= self.moves.len() > 100_000;
        if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn tick(&mut self) -> ControlFlow<()> {
        self.stopped = true;
        ControlFlow::Break(())
    }
}

const BOX: [Int; 5] = [1, 60, 26, 13, 8];
const LARGE_BOX: [Int; 5] = [1, 1000, 90, 30, 16];

fn agree(rule: &Rule, moves: &Moves, kind: KindId, entries: &[Int]) -> Result<usize, String> {
    let side = |variables: usize| BOX[variables.min(4)];
    let expected = naive(rule, kind, entries, &side);
    let mut sink = Collect { coins: rule.coins, moves: Vec::new(), heaps: Vec::new(), stopped: false };
    let found = match moves.visit(&mut Scratch::default(), kind, entries, &mut sink) {
        // Some rules have far more assignments than anyone wants to see.
        Ok(()) if sink.stopped => return Ok(0),
        Ok(()) => sink.moves,
        Err(error) => {
            let may = expected.error
                || naive(rule, kind, entries, &|v| LARGE_BOX[v.min(4)]).error
                // The only bound of a variable has no value: nothing can be tried.
                || (error.id != "unbounded" && !error.message.contains(" with "))
                || reproduced(rule, kind, entries, &error.message);
            return if may { Ok(0) } else { Err(format!("no error expected: {error}")) };
        }
    };
    let (inside, outside): (Vec<Move>, Vec<Move>) =
        found.into_iter().partition(|m| m.assignment.iter().all(|&x| x < side(m.assignment.len())));
    if inside != expected.moves {
        return Err(format!("found    {}\nexpected {}", brief(&inside), brief(&expected.moves)));
    }
    for m in &outside {
        let line = &rule.lines[m.line];
        let alternative = &line.alternatives[m.alternative];
        match leaves(rule, line, alternative, entries, &m.assignment) {
            Ok(Some(leaves)) if leaves == m.leaves => {}
            other => return Err(format!("no such move: {m:?}, but {other:?}")),
        }
    }
    let keys: Vec<_> = outside.iter().map(|m| (m.line, m.alternative, &m.assignment)).collect();
    if !keys.is_sorted_by(|a, b| a < b) {
        return Err(format!("not in order: {keys:?}"));
    }
    Ok(inside.len() + outside.len())
}

/// Whether some alternative has an error for the assignment in the message, "heap 5 with x = 7, y = 2: ...".
fn reproduced(rule: &Rule, kind: KindId, entries: &[Int], message: &str) -> bool {
    let said = message.split(" with ").nth(1).and_then(|m| m.split(':').next()).unwrap_or("");
    let assignment: Vec<Int> =
        said.split(", ").filter_map(|v| v.split(" = ").nth(1).and_then(|v| v.parse().ok())).collect();
    rule.lines.iter().filter(|l| l.kind == kind).any(|line| {
        line.alternatives.iter().any(|alternative| {
            alternative.variables.len() == assignment.len()
                && leaves(rule, line, alternative, entries, &assignment).is_err()
        })
    })
}

fn brief(moves: &[Move]) -> String {
    moves.iter().map(|m| format!("{}.{}{:?} ", m.line, m.alternative, m.assignment)).collect()
}

type Text = BoxedStrategy<String>;

fn pick(all: &[&str]) -> Text {
    proptest::sample::select(all.iter().map(ToString::to_string).collect::<Vec<_>>()).boxed()
}

/// An expression in these names.
fn expr(names: &[&str]) -> Text {
    let leaf =
        prop_oneof![6 => pick(names), 2 => (0..7i32).prop_map(|x| x.to_string()), 1 => Just("k".to_string())];
    let leaf = leaf.boxed();
    leaf.prop_recursive(2, 4, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            6 => two.clone().prop_map(|(a, b)| format!("{a} + {b}")),
            5 => two.clone().prop_map(|(a, b)| format!("{a} - ({b})")),
            3 => two.clone().prop_map(|(a, b)| format!("({a})*({b})")),
            2 => (2..5i32, inner.clone()).prop_map(|(a, b)| format!("{a}*({b})")),
            2 => two.clone().prop_map(|(a, b)| format!("({a}) // ({b})")),
            2 => two.clone().prop_map(|(a, b)| format!("ceil(({a})/({b}))")),
            2 => (inner.clone(), 1..5i32).prop_map(|(a, b)| format!("floor(({a})/{b})")),
            2 => two.clone().prop_map(|(a, b)| format!("({a}) % ({b})")),
            1 => inner.clone().prop_map(|a| format!("2^({a})")),
            1 => (inner.clone(), 0..4i32).prop_map(|(a, b)| format!("({a})^{b}")),
            1 => inner.clone().prop_map(|a| format!("-({a})")),
            1 => inner.clone().prop_map(|a| format!("c[{a}]")),
            8 => (pick(&["min", "max", "min", "max", "gcd", "lcm", "xor", "bitand", "bitor", "bit", "root", "log",
                "digitsum", "valuation"]), inner.clone(), inner.clone())
                .prop_map(|(f, a, b)| format!("{f}({a}, {b})")),
            3 => (pick(&["abs", "abs", "sqrt", "popcount", "omega", "bigomega", "lpf", "fib"]), inner)
                .prop_map(|(f, a)| format!("{f}({a})")),
        ]
    })
    .boxed()
}

fn set(names: &[&str]) -> Text {
    let e = expr(names);
    prop_oneof![
        4 => (e.clone(), e.clone()).prop_map(|(a, b)| format!("{a}..{b}")),
        1 => e.clone().prop_map(|a| format!("{a}..")),
        3 => proptest::collection::vec(e.clone(), 1..4).prop_map(|all| format!("{{{}}}", all.join(", "))),
        4 => pick(&["primes", "squares", "cubes", "triangular", "fibonacci", "factorials", "powers(2)", "naturals", "S", "S", "c"]),
        2 => e.clone().prop_map(|a| format!("divisors({a})")),
        1 => e.prop_map(|a| format!("digits({a}, 3)")),
    ]
    .boxed()
}

fn relation(names: &[&str]) -> Text {
    let e = expr(names);
    let op = pick(&["=", "=", "!=", "<", "<=", ">", ">="]);
    prop_oneof![
        8 => (e.clone(), op.clone(), e.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        2 => (e.clone(), pick(&["<", "<="]), e.clone(), pick(&["<", "<="]), e.clone())
            .prop_map(|(a, o, b, p, c)| format!("{a} {o} {b} {p} {c}")),
        1 => (e.clone(), e.clone(), op, e.clone()).prop_map(|(a, b, op, c)| format!("({a})/({b}) {op} {c}")),
        3 => (e.clone(), pick(&["in", "in", "not in"]), set(names)).prop_map(|(a, w, s)| format!("{a} {w} {s}")),
        2 => (e.clone(), e.clone()).prop_map(|(a, b)| format!("({a}) divides {b}")),
        2 => (e.clone(), e, pick(&["in", "in", "not in"])).prop_map(|(a, b, w)| format!("({a}, {b}) {w} P")),
    ]
    .boxed()
}

fn cond(names: &[&str]) -> Text {
    relation(names)
        .prop_recursive(2, 5, 2, |inner| {
            let two = (inner.clone(), inner.clone());
            prop_oneof![
                2 => two.clone().prop_map(|(a, b)| format!("({a} or {b})")),
                1 => two.prop_map(|(a, b)| format!("({a} and {b})")),
                1 => inner.prop_map(|a| format!("not ({a})")),
            ]
        })
        .boxed()
}

/// How a variable is limited: mostly plainly, so that most rules are accepted.
fn limit(variable: &'static str, names: &[&str]) -> Text {
    let others = names.to_vec();
    let e = expr(&others);
    prop_oneof![
        3 => e.clone().prop_map(move |e| format!("{variable} in 0..{e}")),
        3 => e.clone().prop_map(move |e| format!("{variable} in {variable}..{e} or {variable} = 0")),
        4 => Just(format!("{variable} in 0..{}", names[0])),
        2 => pick(&["S", "{1, 2, 4}", "1..3", "c"]).prop_map(move |s| format!("{variable} in {s}")),
        2 => e.clone().prop_map(move |e| format!("{variable} = {e}")),
        2 => set(names).prop_map(move |s| format!("{variable} in {s}")),
        1 => e.prop_map(move |e| format!("{variable} divides {e}")),
        1 => Just(String::new()),
    ]
    .boxed()
}

fn heap(arity: usize, kind: &'static str, names: &[&str]) -> Text {
    let entries = proptest::collection::vec(expr(names), arity);
    entries
        .prop_map(move |all| {
            if arity == 1 && kind.is_empty() { all[0].clone() } else { format!("{kind}({})", all.join(", ")) }
        })
        .boxed()
}

fn part(arity: usize, kind: &'static str, names: &[&str]) -> Text {
    let mut with_for = names.to_vec();
    with_for.push("i");
    let small = expr(names);
    prop_oneof![
        8 => heap(arity, kind, names),
        1 => (heap(arity, kind, &with_for), small.clone())
            .prop_map(|(h, e)| format!("[{h} for i in 1..min({e}, 9)]")),
        1 => (heap(arity, kind, names), small).prop_map(|(h, e)| format!("[{h} for i in 0..min({e}, 9)]")),
        1 => (heap(arity, kind, &with_for), pick(&["S", "c", "{3, 1, 3}"]))
            .prop_map(|(h, s)| format!("[{h} for i in {s}]")),
    ]
    .boxed()
}

/// One line with that left side; `kind` is that of the heaps left.
fn line(left: &'static str, entries: &'static [&'static str], kind: &'static str) -> Text {
    (0..4usize)
        .prop_flat_map(move |variables| {
            let variables = &["x", "y", "z"][..variables];
            let mut names = entries.to_vec();
            names.extend(variables);
            let parts = proptest::collection::vec(part(entries.len(), kind, &names), 1..3);
            let limits: Vec<Text> =
                variables.iter().enumerate().map(|(i, v)| limit(v, &names[..entries.len() + i])).collect();
            let alternatives = proptest::collection::vec(parts, 1..3);
            (alternatives, limits, proptest::collection::vec(cond(&names), 0..3), any::<bool>())
        })
        .prop_map(move |(alternatives, limits, conds, limits_first)| {
            let sums: Vec<String> = alternatives.iter().map(|parts| parts.join(", ")).collect();
            let limits = limits
                .into_iter()
                .filter(|l| !l.is_empty())
                .map(|l| if l.contains(" or ") { format!("({l})") } else { l });
            let all: Vec<String> = if limits_first {
                limits.chain(conds).collect()
            } else {
                conds.into_iter().chain(limits).collect()
            };
            let condition = if all.is_empty() { String::new() } else { format!(" where {}", all.join(", ")) };
            format!("{left} -> {}{condition}", sums.join(" | "))
        })
        .boxed()
}

/// A sum of few multiples of names and a number.
fn linear(names: &[&str]) -> Text {
    let term = (pick(names), prop_oneof![6 => Just(1), 1 => Just(2), 1 => Just(3)], any::<bool>())
        .prop_map(|(name, c, plus)| (if c == 1 { name } else { format!("{c}*{name}") }, plus));
    (proptest::collection::vec(term, 1..3), 0..4i32, any::<bool>())
        .prop_map(|(terms, constant, plus)| {
            let mut text = String::new();
            for (i, (term, sign)) in terms.iter().enumerate() {
                text += if i == 0 {
                    ""
                } else if *sign {
                    " + "
                } else {
                    " - "
                };
                text += term;
            }
            if constant > 0 { format!("{text} {} {constant}", if plus { "+" } else { "-" }) } else { text }
        })
        .boxed()
}

/// A line whose conditions are mostly linear in up to four variables: what is compiled to loops.
fn linear_line() -> Text {
    (0..5usize, any::<bool>())
        .prop_flat_map(|(variables, two)| {
            let variables = &["x", "y", "z", "w"][..variables];
            let entries: &[&str] = if two { &["p", "q"] } else { &["n"] };
            let mut names = entries.to_vec();
            names.extend(variables);
            let e = linear(&names);
            let op = pick(&["=", "=", "<", "<=", ">=", "<="]);
            let bound = prop_oneof![
                4 => (pick(&names), pick(&names)).prop_map(|(a, b)| format!("{a} <= {b}")),
                4 => (e.clone(), op.clone(), e.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
                2 => (pick(&names), pick(&["{1, 3}", "S", "1..3", "squares", "primes", "powers(2)", "fibonacci", "c"]))
                    .prop_map(|(a, s)| format!("{a} in {s}")),
                1 => (pick(&names), pick(&["divisors(n + 1)", "divisors(p + 1)", "{n, 1}", "{q, p}"]))
                    .prop_map(|(a, s)| format!("{a} in {s}")),
                1 => (pick(&names), pick(entries), pick(&["in", "not in"])).prop_map(|(a, b, w)| format!("({a}, {b}) {w} P")),
                1 => (pick(&names), pick(&names)).prop_map(|(a, b)| format!("gcd({a}, {b}) = 1")),
                1 => (pick(&names), e.clone()).prop_map(|(a, b)| format!("{a} != {b}")),
                1 => (pick(entries), pick(&names)).prop_map(|(a, b)| format!("{b} divides {a}")),
                1 => (pick(&["2", "3", "k"]), pick(&names)).prop_map(|(a, b)| format!("{a} divides {b}")),
                1 => (pick(&names), pick(entries)).prop_map(|(a, b)| format!("{a} <= c[{b}]")),
                1 => (e.clone(), e.clone(), op).prop_map(|(a, b, op)| format!("({a} {op} {b} or {b} <= 2)")),
                1 => (e.clone(), 2..4i32).prop_map(|(a, b)| format!("({a}) % {b} = 1")),
            ];
            let limits: Vec<Text> = variables
                .iter()
                .map(|v| {
                    let v = *v;
                    let top = entries[entries.len() - 1];
                    prop_oneof![
                        6 => Just(format!("{v} in 0..{top}")),
                        2 => Just(format!("{v} in 1..3")),
                        1 => Just(format!("{v} in S")),
                        1 => e.clone().prop_map(move |e| format!("{v} = {e}")),
                        1 => Just(String::new()),
                    ]
                    .boxed()
                })
                .collect();
            let left = if two { "(p, q)" } else { "n" };
            let heaps = proptest::collection::vec(
                proptest::collection::vec(prop_oneof![2 => pick(&names), 2 => e.clone(), 1 => e.prop_map(|e| format!("max({e}, 0)"))], entries.len()),
                1..3,
            );
            (Just(left), heaps, limits, proptest::collection::vec(bound, 0..4))
        })
        .prop_map(|(left, heaps, limits, bounds)| {
            let heaps: Vec<String> = heaps
                .iter()
                .map(|h| if h.len() == 1 { h[0].clone() } else { format!("({})", h.join(", ")) })
                .collect();
            let all: Vec<String> = bounds.into_iter().chain(limits).filter(|c| !c.is_empty()).collect();
            let condition = if all.is_empty() { String::new() } else { format!(" where {}", all.join(", ")) };
            format!("{left} -> {}{condition}", heaps.join(", "))
        })
        .boxed()
}

fn rule() -> Text {
    let lines = prop_oneof![
        9 => linear_line(),
        5 => line("n", &["n"], ""),
        3 => line("(p, q)", &["p", "q"], ""),
        1 => (line("row(n)", &["n"], "ring"), line("ring(m)", &["m"], "row")).prop_map(|(a, b)| format!("{a}\n{b}")),
        1 => line("n", &["n"], "").prop_map(|l| format!("coins {l}")),
        1 => (line("(p, q)", &["p", "q"], ""), line("(p, 3)", &["p"], "")).prop_map(|(a, b)| {
            // A second line for some heaps only; its heaps have one entry, so give them a line.
            format!("{a}\n{b}\nn -> n - 1")
        }),
    ];
    lines
        .prop_map(|text| match text.strip_prefix("coins ") {
            Some(lines) => format!("coins g(k, S: set, c: list, P: pairs)\n{lines}"),
            None => format!("game g(k, S: set, c: list, P: pairs)\n{text}"),
        })
        .boxed()
}

#[test]
fn random_rules_have_the_moves_of_the_naive_interpretation() {
    let heaps = proptest::collection::vec(proptest::collection::vec(0..15i128, 2), 2);
    let config = ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let counts = std::cell::Cell::new((0u32, 0u32, 0usize));
    let result = runner.run(&(rule(), heaps), |(text, heaps)| {
        let (mut yes, mut total, mut compared) = counts.get();
        total += 1;
        if let Some(result) = compare(&text, &heaps) {
            yes += 1;
            compared += result.map_err(TestCaseError::fail)?;
        }
        counts.set((yes, total, compared));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (accepted, all, compared) = counts.get();
    println!("{accepted} of {all} rules accepted, {compared} moves compared");
    assert!(accepted * 2 > all, "only {accepted} of {all} random rules were accepted");
    assert!(compared > 100_000, "only {compared} moves were compared");
}
