//! One suite for all engines: each fills the games it claims as the reference engine does, and both begin with
//! the values of the literature.

use grundy::error::Error;
use grundy::export::Digest;
use grundy::limits::Limits;
use grundy::table::reference::Reference;
use grundy::table::{EngineName, Options, Reader, Values, engine_for, grid, stream, tabulate};
use grundy_rule::argument::Argument;
use grundy_rule::heap::{Heap, KindId};
use grundy_rule::{Rule, code};
use proptest::prelude::*;

/// The rule of a text or a code, with parameters given as `name=value`.
fn rule(text: &str, params: &str) -> Rule {
    let text = match code::parse(text) {
        Some(code) => code.expect("a good code").to_rule_text(),
        None => text.to_string(),
    };
    let params: Vec<(String, Argument)> = params
        .split_whitespace()
        .map(|param| param.split_once('=').expect("name=value"))
        .map(|(name, value)| (name.to_string(), Argument::parse(value).expect("a value")))
        .collect();
    match Rule::parse(&text, &params) {
        Ok((rule, _)) => rule,
        Err(errors) => panic!("{}", errors.iter().map(|e| e.plain(&text)).collect::<Vec<_>>().join("\n")),
    }
}

fn forced(engine: EngineName) -> Options {
    Options { engine: Some(engine), ..Options::default() }
}

fn values(rule: &Rule, n: u64, engine: EngineName) -> Vec<u32> {
    let table = tabulate(rule, n, &forced(engine)).expect("a table");
    assert_eq!(table.engine(), engine);
    table.iter().collect()
}

#[test]
fn every_engine_equals_the_reference_and_the_literature() {
    let suite = include_str!("../../../testdata/engines.tsv");
    let mut seen = Vec::new();
    for line in suite.lines().filter(|line| !line.starts_with('#')) {
        let [engine, text, params, n, first, _source] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six columns: {line}")
        };
        let (engine, n): (EngineName, u64) = (engine.parse().unwrap(), n.parse().unwrap());
        let rule = rule(text, params);
        assert_eq!(engine_for(&rule, KindId(0)), engine, "{line}");
        let reference = values(&rule, n, EngineName::Reference);
        assert_eq!(values(&rule, n, engine), reference, "{line}");
        let first: Vec<u32> =
            first.split(',').filter(|f| !f.is_empty()).map(|f| f.parse().unwrap()).collect();
        assert_eq!(reference[..first.len()], first, "{line}");
        seen.push(engine);
    }
    for engine in EngineName::ALL {
        // No game of the suite prefers these; they have tests of their own.
        let own = [EngineName::Window, EngineName::Dense, EngineName::Sparse].contains(engine);
        assert!(seen.contains(engine) || own, "no game of the suite is for the engine `{engine}`");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the shape of a rule is found to be, its engine agrees with the reference.
    #[test]
    fn rules_of_all_shapes(text in any_rule(), n in 0_u64..120) {
        let rule = rule(&text, "");
        let engine = engine_for(&rule, KindId(0));
        prop_assert_eq!(values(&rule, n, engine), values(&rule, n, EngineName::Reference), "{}: {}", engine, text);
    }
}

/// Rules near every shape.
fn any_rule() -> impl Strategy<Value = String> {
    let set = || {
        prop::collection::btree_set(1_u32..30, 1..6).prop_map(|set| {
            format!("{{{}}}", set.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        })
    };
    prop_oneof![
        set().prop_map(|set| format!("n -> n - t where t in {set}")),
        set().prop_map(|set| format!("n -> n - t where t >= 1, t not in {set}")),
        (1_u32..6, 0_u32..6).prop_map(|(k, c)| format!("n -> y where (n + {c})/{k} <= y < n")),
        (1_u32..6, 1_u32..6).prop_map(|(a, b)| format!("n -> y where n/{} <= y <= n - {b}", a + 1)),
        (2_u32..6, 2_u32..6)
            .prop_map(|(a, b)| format!("n -> y where n/{} <= y, y*{a} <= n*({a} - 1), y < n", a * b)),
        (2_u32..5).prop_map(|k| format!("n -> n - t where 1 <= t <= root(n, {k})")),
        (1_u32..5).prop_map(|k| format!("n -> n - t where 1 <= t <= max({k}, floor(n/3))")),
        prop::collection::vec("[0-7]", 1..5).prop_map(|digits| format!("0.{}", digits.concat())),
        prop::collection::vec("[0-3]", 1..4).prop_map(|digits| format!("4.{}", digits.concat())),
        (1_u32..4, 0_u32..4)
            .prop_map(|(least, t)| format!("n -> a, b where a + b = n - {t}, a >= {least}, b > a")),
        (0_u32..4).prop_map(|t| format!("n -> a, b where a < n, b < n - {t}")),
        (0_u32..3).prop_map(|t| format!("n -> a, b where a < b, b < n - {t}")),
        (0_u32..3).prop_map(|t| format!("n -> [n - i for i in 1..d] where d in {t}..n-1")),
        (0_u32..3).prop_map(|t| format!("n -> [n - i for i in 1..d] where d in 0..n-1, d <= {}", t + 3)),
        (2_u32..6).prop_map(|k| format!("n -> floor(n/{k}) | n - 1 where n >= 1")),
    ]
}

#[test]
fn kinds_and_tuples() {
    let rings = rule(
        "ring(n) -> row(n - t) where t in 1..2\nrow(n) -> row(a), row(b) where a + b = n - t, t in 1..2",
        "",
    );
    let error = tabulate(&rings, 10, &Options::default()).unwrap_err();
    assert_eq!(error.id(), "kind");
    assert!(error.to_string().contains("--kind r"), "{error}");
    let kind = |name: &str| Options { kind: Some(name.to_string()), ..Options::default() };
    let kayles = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8];
    assert_eq!(tabulate(&rings, 27, &kind("row")).unwrap().iter().collect::<Vec<_>>(), kayles);
    // A ring leaves one row: its value is the mex of one or two values of Kayles.
    let ring = tabulate(&rings, 27, &kind("ring")).unwrap();
    assert_eq!(ring.heap(3), "ring(3)");
    for n in 2..28 {
        let (a, b) = (kayles[n - 1], kayles[n - 2]);
        assert_eq!(ring.get(n), (0..).find(|v| *v != a && *v != b).unwrap());
    }
    assert_eq!(tabulate(&rings, 10, &kind("star")).unwrap_err().id(), "kind");

    let wythoff = rule("(a, b) -> (a - t, b) | (a, b - t) | (a - t, b - t) where t >= 1", "");
    let table = grid(&wythoff, &[8, 13], &Options::default()).unwrap();
    assert_eq!(table.dims(), [9, 14]);
    let cold: Vec<Vec<usize>> =
        (0..table.len()).filter(|i| table.get(*i) == 0).map(|i| table.entries(i)).collect();
    assert_eq!(cold, [[0, 0], [1, 2], [2, 1], [3, 5], [4, 7], [5, 3], [6, 10], [7, 4], [8, 13]]);
    let error = tabulate(&wythoff, 10, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("-n 20,20"), "{error}");
}

#[test]
fn any_heap_is_settled_alone() {
    let rule = rule("n -> floor(n/2) | floor(n/3) where n >= 1", "");
    let mut reference = Reference::new(&rule, &Limits::default()).unwrap();
    let huge = Heap::new(KindId(0), &[10_i128.pow(30)]);
    let value = reference.nimber(&huge).unwrap();
    assert!(value <= 2);
    assert!(reference.settled() < 5000, "{} heaps", reference.settled());
    assert_eq!(reference.known(&huge), Some(value));
    // A long chain is no deep call.
    let chain = self::rule("n -> n - 1", "");
    let mut reference = Reference::new(&chain, &Limits::default()).unwrap();
    assert_eq!(reference.nimber(&Heap::new(KindId(0), &[200_001])).unwrap(), 1);
}

#[test]
fn loops_are_printed() {
    let go = rule("n -> m where m <= 9, n <= 9, m = (n + 3) % 10", "");
    let error = tabulate(&go, 9, &Options::default()).unwrap_err();
    assert_eq!(error.id(), "loop");
    assert!(error.to_string().contains("0 -> 3 -> 6 -> 9 -> 2 -> 5 -> 8 -> 1 -> 4 -> 7 -> 0"), "{error}");
    assert!(error.to_string().contains("outcome --loopy"), "{error}");
    // A question that failed does not spoil the next one.
    let half = rule("n -> n where n = 7\nn -> n - 1", "");
    let mut reference = Reference::new(&half, &Limits::default()).unwrap();
    let mut value = |n| reference.nimber(&Heap::new(KindId(0), &[n])).map_err(|error| error.id());
    assert_eq!(
        [value(9), value(3), value(8), value(6), value(7)],
        [Err("loop"), Ok(1), Err("loop"), Ok(0), Err("loop")]
    );
}

#[test]
fn limits_are_kept_and_said() {
    let rule = rule("n -> floor(n/2) | n - 1 where n >= 1", "");
    let memory =
        |bytes| Options { limits: Limits { memory: Some(bytes), ..Limits::default() }, ..Options::default() };
    let error = tabulate(&rule, 1 << 20, &memory(1 << 20)).unwrap_err();
    assert_eq!(error.id(), "memory");
    let table = tabulate(&rule, 1000, &memory(1 << 20)).unwrap();
    assert_eq!(table.len(), 1001);
    // Lazily: a deep heap needs as many heaps as are below it.
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    let mut reference = Reference::new(&rule, &limits).unwrap();
    let error = reference.nimber(&Heap::new(KindId(0), &[1 << 40])).unwrap_err();
    assert_eq!(error.id(), "memory");
    assert!(error.to_string().contains("known so far"), "{error}");
    let time = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let error = tabulate(&rule, 1 << 20, &Options { limits: time, ..Options::default() }).unwrap_err();
    assert_eq!(error.id(), "time");
}

#[test]
fn engines_that_do_not_fit_and_misere_are_refused() {
    let kayles = rule("0.77", "");
    let error = tabulate(&kayles, 10, &forced(EngineName::Subtraction)).unwrap_err();
    assert_eq!(error.id(), "engine");
    assert!("no-such".parse::<EngineName>().unwrap_err().to_string().contains("reference"));
    let misere = rule("misere game last-loses\nn -> n - t where t in 1..3", "");
    let error = tabulate(&misere, 10, &Options::default()).unwrap_err();
    assert_eq!(error.id(), "misere");
    assert!(error.to_string().contains("moves --misere"), "{error}");
}

#[test]
fn streams_give_the_same_values() {
    struct Hash(Digest, u64);
    impl Reader for Hash {
        fn block(&mut self, first: u64, values: Values<'_>) -> Result<(), Error> {
            assert_eq!(first, self.1);
            self.1 += values.len() as u64;
            self.0.update(values);
            Ok(())
        }
    }
    for text in ["S(2,5,7)", "0.156", "n -> y where n/3 <= y < n", "n -> n - 1 | floor(n/2) where n >= 1"] {
        let rule = rule(text, "");
        let mut hash = Hash(Digest::default(), 0);
        stream(&rule, 40_000, &Options::default(), &mut hash).unwrap();
        let mut whole = Digest::default();
        whole.update(tabulate(&rule, 40_000, &Options::default()).unwrap().values());
        assert_eq!(hash.0, whole, "{text}");
    }
}
