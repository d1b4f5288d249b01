//! The moves of a heap: what is found, in which order, and at what cost.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::ops::ControlFlow;

use grundy_rule::argument::Argument;
use grundy_rule::expr::Int;
use grundy_rule::heap::{Heap, KindId};
use grundy_rule::moves::{Moves, Scratch, Sink};
use grundy_rule::{Diagnostic, Rule};

fn arguments(args: &[&str]) -> Vec<(String, Argument)> {
    args.iter()
        .map(|a| {
            let (name, value) = a.split_once('=').unwrap();
            (name.to_string(), Argument::parse(value).unwrap())
        })
        .collect()
}

fn read(text: &str, args: &[&str]) -> Result<Rule, Vec<Diagnostic>> {
    Rule::parse(text, &arguments(args)).map(|r| r.0)
}

fn compile(text: &str, args: &[&str]) -> Moves {
    let rule = read(text, args).unwrap_or_else(|e| panic!("{text}: {}", e[0].plain(text)));
    Moves::new(&rule).unwrap()
}

/// Counts moves.
#[derive(Default)]
struct Count {
    moves: u64,
    heaps: u128,
}

impl Sink for Count {
    fn start(&mut self, _: usize, _: usize, _: &[Int]) {
        self.moves += 1;
    }
    fn heap(&mut self, _: KindId, _: &[Int], count: u128) {
        self.heaps += count;
    }
    fn finish(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Candidates tried, moves, different options.
fn cost(text: &str, args: &[&str], heap: &[Int]) -> (u64, u64, u64) {
    let moves = compile(text, args);
    let mut scratch = Scratch::default();
    let mut count = Count::default();
    moves.visit(&mut scratch, KindId(0), heap, &mut count).unwrap();
    let options = moves.options(&Heap::new(KindId(0), heap)).unwrap().len() as u64;
    (scratch.candidates, count.moves, options)
}

type Cost = (&'static str, &'static [&'static str], &'static [Int], u64, u64);

/// Rows of the table "what enumeration may cost": rule, parameters, heap, options, candidates an option times 100.
const COSTS: &[Cost] = &[
    ("n -> a, b where a + b = n - t, t in 1..2", &[], &[500], 500, 401),
    ("n -> a, b where a + b = n, 1 <= a < b", &[], &[500], 249, 200),
    ("n -> a, b, c where a + b + c = n, 1 <= a <= b <= c", &[], &[120], 1200, 230),
    ("d -> j, k where j <= k, k < d", &[], &[200], 20100, 101),
    ("n -> [a + i for i in 0..k-1] where k >= 2, a >= 1, 2*n = k*(2*a + k - 1)", &[], &[5000], 4, 2550),
    ("n -> n - d where d divides n, 1 < d < n", &[], &[5040], 58, 104),
    ("n -> n - t where t in primes", &[], &[1000], 168, 100),
    ("n -> n - t where t in squares", &[], &[10000], 100, 100),
    ("n -> n - t where t in powers(2)", &[], &[1 << 40], 41, 100),
    ("n -> n - t where t in fibonacci", &[], &[1 << 40], 58, 100),
    ("n -> n - t where t >= 1, gcd(n, t) = 1", &[], &[1000], 400, 250),
    ("x -> x - d where bitand(x, d) = d, d >= 1", &[], &[2730], 63, 4334),
    (
        "game g(P: pairs); (l, r) -> (a, b) where (a, b) in P, l <= a, b <= r",
        &["P=(1,2),(1,5),(3,4),(4,9),(5,7)"],
        &[0, 9],
        5,
        200,
    ),
    ("(a, b) -> (a - t, b) | (a, b - t) | (a - t, b - t) where t >= 1", &[], &[300, 200], 700, 100),
    (
        "(a, b) -> (a - k*b, b) where k >= 1, 1 <= b <= a; (a, b) -> (a, b - k*a) where k >= 1, 1 <= a <= b",
        &[],
        &[1000, 3],
        333,
        100,
    ),
    ("game g(k); x -> y where k*y >= x, y < x", &["k=3"], &[1000], 666, 100),
    ("game g(k); x -> y where x/k <= y < x", &["k=3"], &[1000], 666, 100),
    ("n -> n - t where 1 <= t <= sqrt(n)", &[], &[1000], 31, 100),
];

#[test]
fn enumeration_costs_what_the_table_allows() {
    let mut table = String::new();
    let mut over = false;
    for &(text, args, heap, options, allowed) in COSTS {
        let (candidates, _, found) = cost(text, args, heap);
        let per = candidates * 100 / found.max(1);
        over |= per > allowed || found != options;
        table += &format!("{per:>6} of {allowed:>6} {found:>6} of {options:>6}  {text}\n");
    }
    assert!(!over, "candidates for 100 options, options\n{table}");
}

fn shown(text: &str, args: &[&str], heap: &[Int]) -> String {
    let rule = read(text, args).unwrap_or_else(|e| panic!("{text}: {}", e[0].plain(text)));
    let moves = match Moves::new(&rule).unwrap().moves(&Heap::new(KindId(0), heap)) {
        Ok(moves) => moves,
        Err(error) => return format!("{}: {}", error.id, error.message),
    };
    let one = |(h, count): &(Heap, u128)| {
        let heap = rule.show_heap(h.kind, &h.entries);
        if *count == 1 { heap } else { format!("{count}x{heap}") }
    };
    let of = |m: &grundy_rule::moves::Move| {
        let leaves: Vec<String> = m.leaves.heaps().iter().map(one).collect();
        format!("{}.{}{:?} {}", m.line, m.alternative, m.assignment, leaves.join(" "))
    };
    moves.iter().map(of).collect::<Vec<_>>().join("; ")
}

#[test]
fn moves_come_by_line_alternative_and_assignment() {
    assert_eq!(
        shown("n -> a, b where a + b = n - t, t in 1..2", &[], &[3]),
        "0.0[0, 1, 2] 0 1; 0.0[0, 2, 1] 0 2; 0.0[1, 0, 2] 0 1; 0.0[1, 1, 1] 2x1; 0.0[2, 0, 1] 0 2"
    );
    assert_eq!(
        shown("(a, b) -> (a - t, b) | (a, b - t) where t >= 1; (a, b) -> (0, 0) where a = 2", &[], &[2, 1]),
        "0.0[1] (1, 1); 0.0[2] (0, 1); 0.1[1] (2, 0); 1.0[] (0, 0)"
    );
}

#[test]
fn an_assignment_found_in_two_branches_is_one_move() {
    assert_eq!(shown("n -> n - t where t in {3, 1} or t in 1..2", &[], &[3]), "0.0[1] 2; 0.0[2] 1; 0.0[3] 0");
    assert_eq!(shown("n -> nothing where n >= 1 or n >= 2", &[], &[3]), "0.0[] ");
}

#[test]
fn a_list_that_does_not_use_its_name_is_a_multiplicity() {
    assert_eq!(
        shown("n -> [1 for i in 1..10^18], [[2, 3] for i in 1..n]", &[], &[3]),
        "0.0[] 1000000000000000000x1 3x2 3x3"
    );
    assert_eq!(
        shown("n -> [n - i for i in 1..d] where d in 0..n-1", &[], &[3]),
        "0.0[0] ; 0.0[1] 2; 0.0[2] 1 2"
    );
    let error = shown("n -> [[1 for i in 1..10^30] for j in 1..10^30]", &[], &[3]);
    assert!(error.starts_with("overflow: heap 3: the number of heaps"), "{error}");
}

#[test]
fn an_entry_below_zero_is_no_move() {
    assert_eq!(shown("n -> [n - 2*i for i in 0..d] where d in 0..n", &[], &[3]), "0.0[0] 3; 0.0[1] 1 3");
    assert_eq!(shown("n -> [n - i for i in {0, 5}], n - 1 where n >= 1", &[], &[3]), "");
    assert_eq!(shown("n -> max(n - 5, 0) where n >= 1", &[], &[3]), "0.0[] 0");
    // A list that turns out empty has no entry.
    assert_eq!(shown("n -> [n - 5 for i in 1..0]", &[], &[3]), "0.0[] ");
}

#[test]
fn coins_cancel_in_pairs() {
    assert_eq!(
        shown("coins c; n -> a, b where a < n, b < n", &[], &[2]),
        "0.0[0, 0] ; 0.0[0, 1] 0 1; 0.0[1, 0] 0 1; 0.0[1, 1] "
    );
}

#[test]
fn heaps_of_any_size_that_have_few_options() {
    let n: Int = 10i128.pow(18);
    let huge: Int = 10i128.pow(30);
    assert_eq!(cost("n -> n - t where t in 1..3", &[], &[n]), (3, 3, 3));
    assert_eq!(cost("n -> n - t where t in 1..3", &[], &[huge]), (3, 3, 3));
    assert_eq!(cost("n -> n - t where t in powers(2)", &[], &[huge]), (100, 100, 100));
    assert_eq!(cost("n -> n - t where t in S", &["S=2,5,7"], &[huge]), (3, 3, 3));
    assert_eq!(cost("n -> a, b where a + b = n, a = 3*b", &[], &[4 * huge]).2, 1);
    assert_eq!(cost("n -> n - d where d divides n, d >= 10^17", &[], &[n]).2, 6);
    assert_eq!(cost("n -> n - t where t in {n, n - 1}", &[], &[huge]), (2, 2, 2));
    assert_eq!(cost("n -> a where a*a = n", &[], &[huge]), (1, 1, 1));
    assert_eq!(cost("m -> bitor(m % 2^k, floor(m/2^k)) where k >= 1, 2^k <= m", &[], &[n]).1, 59);
    assert_eq!(cost("n -> n - t where t in primes, t >= n - 10", &[], &[n]).2, 0);
}

#[test]
fn large_parameters_are_searched_not_scanned() {
    let set: Vec<Int> = (1..=1_000_000).map(|i| i * 1000).collect();
    let pairs: Vec<(Int, Int)> = (0..1_000_000).map(|i| (i / 3, i)).collect();
    let args = [("S".to_string(), Argument::Numbers(set)), ("P".to_string(), Argument::Pairs(pairs))];
    let text = "game g(S: set, P: pairs); n -> n - t where t in S, t <= 5000; n -> u where (n, u) in P; n -> u where (u, n) in P";
    let rule = Rule::parse(text, &args).unwrap().0;
    let moves = Moves::new(&rule).unwrap();
    let mut scratch = Scratch::default();
    let mut count = Count::default();
    let clock = std::time::Instant::now();
    for n in 0..10_000 {
        moves.visit(&mut scratch, KindId(0), &[300_000 + n], &mut count).unwrap();
    }
    assert_eq!((count.moves, scratch.candidates), (10_000 * (5 + 3 + 1), 10_000 * (5 + 3 + 1)));
    assert!(clock.elapsed().as_secs() < 5, "10^4 heaps took {:?}", clock.elapsed());
}

#[test]
fn what_has_no_value_names_the_heap() {
    for (text, args, heap, expected) in [
        (
            "n -> n - t where t in 1..c[n]",
            &["c=[1,2]"][..],
            &[5][..],
            "index: heap 5 with t = 1: c[5]: c holds c[0]..c[1]",
        ),
        ("(a, b) -> (a - 1, b) where a % b = 0", &[], &[3, 0], "division: heap (3, 0): 3 mod 0"),
        ("n -> n - t where t in 0..1, 6 // t >= 1", &[], &[3], "division: heap 3 with t = 0: 6 divided by 0"),
        (
            "n -> max(n - 10^30*10^n, 0)",
            &[],
            &[20],
            "overflow: heap 20: 1000000000000000000000000000000 * 100000000000000000000 does not fit 128 bits",
        ),
        ("n -> n - 1 where n >= 1, lpf(n) > 1", &[], &[1], "domain: heap 1: lpf of 1"),
    ] {
        let rule = Rule::parse(text, &arguments(args));
        let Ok((rule, _)) = rule else { panic!("{text}: {rule:?}") };
        let error = Moves::new(&rule).unwrap().moves(&Heap::new(KindId(0), heap)).unwrap_err();
        assert_eq!(format!("{}: {}", error.id, error.message), expected, "{text}");
    }
    // The guard on the left keeps it from being evaluated.
    assert_eq!(shown("(a, b) -> (a - 1, b) where b >= 1, a % b = 0", &[], &[3, 0]), "");
    assert_eq!(shown("(a, b) -> (a - 1, b) where b = 0 or a % b = 0", &[], &[3, 0]), "0.0[] (2, 0)");
}

#[test]
fn a_heap_of_a_kind_that_does_not_exist_is_an_error() {
    let moves = compile("n -> n - 1 where n >= 1", &[]);
    let mut scratch = Scratch::default();
    for (kind, heap) in [(KindId(0), &[1, 2][..]), (KindId(7), &[1]), (KindId(0), &[])] {
        let error = moves.visit(&mut scratch, kind, heap, &mut Count::default()).unwrap_err();
        assert_eq!(error.id, "no-rule");
    }
    let error = moves.visit(&mut scratch, KindId(0), &[-1], &mut Count::default()).unwrap_err();
    assert_eq!(error.id, "overflow");
}

#[test]
fn a_parameter_without_a_value_is_asked_for() {
    let rule = read("game g(k, S: set); n -> n - t where t in 1..k, t in S", &[]).unwrap();
    let errors = Moves::new(&rule).unwrap_err();
    assert_eq!(
        errors.iter().map(|e| e.message.as_str()).collect::<Vec<_>>(),
        ["`k` has no value", "`S` has no value"]
    );
    assert_eq!(errors[0].help.as_deref(), Some("give it one: `k=3`"));
}

#[test]
fn a_sink_can_stop() {
    struct First(Option<Vec<Int>>);
    impl Sink for First {
        fn start(&mut self, _: usize, _: usize, assignment: &[Int]) {
            assert!(self.0.is_none());
            self.0 = Some(assignment.to_vec());
        }
        fn heap(&mut self, _: KindId, _: &[Int], _: u128) {}
        fn finish(&mut self) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    // The order of trying is the order of listing here, so nothing is set aside.
    let mut first = First(None);
    let heap = [10i128.pow(18)];
    compile("n -> a where a < n", &[]).visit(&mut Scratch::default(), KindId(0), &heap, &mut first).unwrap();
    assert_eq!(first.0, Some(vec![0]));
    let mut first: Box<dyn Sink> = Box::new(First(None));
    compile("n -> a, b where a + b = n", &[])
        .visit(&mut Scratch::default(), KindId(0), &heap, &mut *first)
        .unwrap();
}

/// Every rule of `testdata/rules.json` (its source is named in `testdata/README.md`) has moves on small heaps, and
/// leaves naturals only.
#[test]
fn the_rules_of_contest_problems_enumerate() {
    let text = include_str!("../../../testdata/rules.json");
    let strings = |line: &str, key: &str| -> Vec<String> {
        let Some(at) = line.find(&format!("\"{key}\": ")) else { return vec![] };
        let rest = &line[at + key.len() + 4..];
        let rest = if rest.starts_with('[') { &rest[..rest.find("\"]").map_or(1, |i| i + 1)] } else { rest };
        let parts: Vec<&str> = rest.split('"').collect();
        let take = if rest.starts_with('[') { parts.len() } else { 2 };
        parts[..take].iter().skip(1).step_by(2).map(ToString::to_string).collect()
    };
    let mut rules = 0;
    for line in text.lines().filter(|l| l.contains("\"rule\": ")) {
        let rule_text = strings(line, "rule").remove(0);
        let args = strings(line, "params");
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let rule =
            read(&rule_text, &args).unwrap_or_else(|e| panic!("{rule_text}: {}", e[0].plain(&rule_text)));
        let moves = Moves::new(&rule).unwrap();
        let mut scratch = Scratch::default();
        let mut count = Count::default();
        for (kind, of) in rule.kinds.iter().enumerate() {
            for n in 0..12 {
                let heap: Vec<Int> = (0..of.arity as Int).map(|i| (n + i * 5) % 12).collect();
                let visited =
                    moves.visit(&mut scratch, KindId(u16::try_from(kind).unwrap()), &heap, &mut count);
                if let Err(error) = visited {
                    // A heap beyond what the list in the parameter describes.
                    assert_eq!(error.id, "index", "{rule_text}: {error}");
                }
            }
        }
        assert!(count.moves > 0, "{rule_text}");
        assert!(
            scratch.candidates <= 4 * count.moves + 200,
            "{rule_text}: {} for {}",
            scratch.candidates,
            count.moves
        );
        rules += 1;
    }
    assert!(rules >= 50, "{rules}");
}
