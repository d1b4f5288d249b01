//! Random rules of the recognised forms: what is recognised must be what the rule says.
//!
//! These tests look at what is proved, before small heaps are compared, and at more heaps than that comparison does.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::promise::Options;
use super::small::{Enumerated, SmallHeaps};
use super::{Shape, Wanted, recognised};
use crate::expr::Int;
use crate::heap::{Heap, KindId};
use crate::moves::Moves;
use crate::rule::Rule;

const KIND: KindId = KindId(0);

fn rule(text: &str) -> Rule {
    Rule::parse(text, &[]).unwrap_or_else(|e| panic!("{text}: {e:?}")).0
}

/// The options of heap `n`, as the promise speaks of them: without heaps of 0 if `drop_zero`. The plain way; the
/// comparison that everyone pays for must find the same.
fn enumerated(moves: &Moves, n: u64, drop_zero: bool) -> Options {
    let options = moves.options(&Heap::new(KIND, &[Int::from(n)])).unwrap();
    let sizes = |(heap, count): &(Heap, u128)| {
        let size = u64::try_from(heap.entries[0]).unwrap();
        std::iter::repeat_n(size, usize::try_from(*count).unwrap())
    };
    let heaps = options.iter().map(|option| option.heaps().iter().flat_map(sizes));
    heaps.map(|heaps| heaps.filter(|size| *size > 0 || !drop_zero).collect()).collect()
}

/// Compares the promise of every shape with the options of heaps `0..=most`.
fn check(text: &str, most: u64) -> Vec<Shape> {
    let rule = rule(text);
    let moves = Moves::new(&rule).unwrap();
    let shapes = recognised(&rule, KIND, Wanted::All);
    let zero = !rule.coins && moves.options(&Heap::new(KIND, &[0])).unwrap().is_empty();
    let mut small = SmallHeaps::new(&rule, KIND);
    for n in 0..=most {
        let found = enumerated(&moves, n, zero);
        let heap = small.heap(n);
        assert!(matches!(heap, Enumerated::Heaps(_) | Enumerated::Options(_)), "{text}\nheap {n}: {heap:?}");
        assert_eq!(heap.options(zero), found, "{text}\nheap {n}");
        for shape in &shapes {
            let promised: Options = shape
                .options(&rule, n)
                .unwrap()
                .into_iter()
                .map(|mut heaps| {
                    heaps.retain(|size| *size > 0 || !zero);
                    heaps
                })
                .collect();
            assert_eq!(promised, found, "{text}\nheap {n}: {shape}");
        }
    }
    shapes
}

/// A condition on `t` that a subtraction set may have.
fn on_t() -> impl Strategy<Value = String> {
    prop_oneof![
        (1..9u8, 0..6u8).prop_map(|(a, b)| format!("{a} <= t <= {}", a + b)),
        prop::collection::vec(1..12u8, 1..5).prop_map(|set| format!("t in {{{}}}", words(&set))),
        prop::collection::vec(1..9u8, 1..4).prop_map(|set| format!("t >= 1, t not in {{{}}}", words(&set))),
        (2..5u8, 0..4u8).prop_map(|(m, r)| format!("t >= 1, t % {m} = {}", r % m)),
        (1..7u8, 2..20u8).prop_map(|(a, b)| format!("t >= {a}, t divides {b}")),
        (2..9u8).prop_map(|m| format!("t >= 1, gcd(t, {m}) = 1")),
        (1..9u8).prop_map(|b| format!("t in primes, t <= {b}")),
        (1..9u8, 1..4u8).prop_map(|(a, b)| format!("t = {a} or t > {}", a + b)),
        (1..4u8).prop_map(|a| format!("2*t > {a}, t != {a}")),
        Just("t in squares".to_string()),
    ]
}

fn words(numbers: &[u8]) -> String {
    numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

/// A line that leaves up to three heaps of `n - t`, in one of several spellings.
fn taking() -> impl Strategy<Value = String> {
    let order = prop_oneof![
        Just(""),
        Just(", a <= b"),
        Just(", a < b"),
        Just(", b <= a"),
        Just(", a != b"),
        Just(", a = b"),
        Just(", a <= b + 1"),
        Just(", a >= 1"),
        Just(", a >= 1, b >= 1"),
        Just(", 1 <= a <= b"),
        Just(", b >= 2"),
    ];
    let three = prop_oneof![
        Just(""),
        Just(", a <= b <= c"),
        Just(", a < b < c"),
        Just(", 1 <= a <= b <= c"),
        Just(", a = b"),
        Just(", a >= 1, b >= 1, c >= 1"),
        Just(", a = b, b != c"),
        Just(", a = b, b = c"),
    ];
    prop_oneof![
        3 => on_t().prop_map(|t| format!("n -> n - t where {t}")),
        1 => on_t().prop_map(|t| format!("n -> a where t = n - a, a <= n, {t}")),
        1 => on_t().prop_map(|t| format!("n -> n - t where {t}, t < n")),
        1 => (1..5u8).prop_map(|t| format!("n -> nothing where n = {t}")),
        1 => (1..5u8).prop_map(|t| format!("n -> n - {t}")),
        3 => (on_t(), order.clone()).prop_map(|(t, order)| format!("n -> a, b where a + b = n - t, t in naturals, {t}{order}")),
        2 => (on_t(), order).prop_map(|(t, order)| format!("n -> a, n - a - t where t in 0..n, b = n - a - t, {t}{order}")),
        2 => (on_t(), three).prop_map(|(t, order)| format!("n -> a, b, c where a + b + c = n - t, t in 0.., {t}{order}")),
        1 => (0..4u8, 0..4u8, 1..3u8)
            .prop_map(|(i, j, l)| format!("n -> max(i - {i}, 0), max(n - i - {j}, 0) where {l} <= i <= n, i + 1 <= n + {i}")),
    ]
}

/// An end of a window.
fn end() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..6u8, 1..7u8, 0..9u8).prop_map(|(a, b, c)| format!("({a}*n + {c})/{b}")),
        (1..6u8).prop_map(|k| format!("n - {k}")),
        (2..6u8).prop_map(|k| format!("n - floor(n/{k})")),
        Just("n - sqrt(n)".to_string()),
        Just("sqrt(n)".to_string()),
        (1..5u8).prop_map(|k| format!("max(n - {k}, 0)")),
        (0..5u8).prop_map(|k| format!("{k}")),
        (2..5u8).prop_map(|k| format!("min(floor(n/{k}), n - {k})")),
        Just("n % 3".to_string()),
    ]
}

fn window() -> impl Strategy<Value = String> {
    let relation = prop_oneof![Just("<="), Just("<")];
    let guard = prop_oneof![3 => Just(String::new()), 1 => (0..5u8).prop_map(|k| format!(", n >= {k}"))];
    prop_oneof![
        (end(), relation.clone(), guard.clone())
            .prop_map(|(low, r, g)| format!("n -> y where {low} {r} y, y < n{g}")),
        (end(), end(), relation, guard)
            .prop_map(|(low, high, r, g)| format!("n -> y where {low} {r} y, y <= {high}, y < n{g}")),
        (1..4u8, 1..4u8, 0..5u8)
            .prop_map(|(a, b, c)| format!("n -> n - t where t >= 1, {a}*t <= {b}*n + {c}")),
        (2..5u8).prop_map(|k| format!("n -> n - t where t >= 1, t^{k} <= n")),
        (2..5u8).prop_map(|k| format!("n -> n - t where t >= 1, t*t < n; n -> n - {k} where n < 0")),
    ]
}

/// Lower heaps in any combination, or nearly so.
fn closure() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("n -> nothing"),
        Just("n -> nothing where n >= 1"),
        Just("n -> a where a < n"),
        Just("n -> a where 1 <= a < n"),
        Just("n -> a, b where a < b < n"),
        Just("n -> a, b where a <= b < n"),
        Just("n -> a, b where a < n, b < n"),
        Just("n -> a, b where a < n, b < n, a != b"),
        Just("n -> b, a where 1 <= a < b < n"),
        Just("n -> a, b where a < b + 2, b < n, a < n"),
        Just("n -> a, b, c where a < b < c < n"),
        Just("n -> a, c, b where a <= b <= c, c + 1 <= n"),
        Just("n -> a, b, c, d where d < c < b < a < n"),
        Just("n -> [n - i for i in 1..d] where d in 0..n-1"),
        Just("n -> [n - i for i in 1..d] where d <= n"),
        Just("n -> [n - i for i in 1..d] where 2 <= d <= 4, d < n"),
        Just("n -> [i for i in a..n-1] where 1 <= a <= n"),
        Just("n -> n - 1, n - 2 where n >= 2"),
        Just("n -> n - 1"),
    ];
    (prop_oneof![Just("coins c; "), Just("")], prop::collection::vec(line, 1..4))
        .prop_map(|(head, lines)| format!("{head}{}", lines.join("; ")))
}

/// Checks random rules; at least one in `share` must have a shape, or the test would say nothing.
fn check_all(rules: impl Strategy<Value = String>, most: u64, share: usize) {
    const CASES: u32 = 80;
    let found = AtomicUsize::new(0);
    let mut runner = TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&rules, |text| {
        found.fetch_add(usize::from(!check(&text, most).is_empty()), Ordering::Relaxed);
        Ok(())
    });
    outcome.unwrap();
    let found = found.load(Ordering::Relaxed);
    assert!(found * share >= 80, "only {found} of {CASES} rules have a shape");
}

#[test]
fn taking_games_are_what_they_promise() {
    check_all(prop::collection::vec(taking(), 1..4).prop_map(|lines| lines.join("; ")), 40, 4);
}

#[test]
fn windows_are_what_they_promise() {
    check_all(window(), 60, 3);
}

#[test]
fn closures_are_what_they_promise() {
    check_all(closure(), 10, 6);
}

#[test]
fn the_forms_of_these_tests_are_mostly_recognised() {
    // A test of promises cannot fail if nothing is recognised.
    let games = [
        "n -> a, b where a + b = n - t, t in {2, 5}, a <= b; n -> n - 1",
        "n -> a, b, c where a + b + c = n - t, t in 1.., gcd(t, 6) = 1, a <= b <= c",
        "n -> max(i - 2, 0), max(n - i - 3, 0) where 1 <= i <= n",
        "n -> y where (2*n + 3)/5 <= y, y < n",
        "n -> y where sqrt(n) <= y, y <= n - floor(n/3), y < n, n >= 3",
        "n -> n - t where t >= 1, t^3 <= n",
        "coins c; n -> nothing; n -> a, b, c, d where d < c < b < a < n",
        "coins c; n -> [n - i for i in 1..d] where 2 <= d <= 4, d < n",
    ];
    for game in games {
        assert!(!check(game, 24).is_empty(), "{game}");
    }
}
