//! Random rules: what is proved to end has no small heap that reaches itself.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{proof, small};
use crate::rule::Rule;

/// What a one-entry heap `n` may become, with variables t and s.
const ONE: &[&str] = &[
    "n - t",
    "t",
    "n - 1",
    "floor(n/2)",
    "n + t - s",
    "max(n - t, s)",
    "n % (t + 1)",
    "n - s*t",
    "xor(n, t)",
    "bitand(n, t)",
    "bitor(t, s)",
    "gcd(n, t)",
    "abs(n - t)",
    "abs(t - s)",
    "sqrt(n)",
    "min(t, s)",
    "n - 2^t",
    "t*s",
    "2*t - n",
    "floor(n/(t + 1))",
    "ceil(n/(s + 2))",
    "lcm(t, s)",
    "fib(t)",
    "n - popcount(t)",
    "digitsum(n, t + 2)",
];

/// What a heap `(n, m)` may become.
const TWO: &[&str] = &[
    "(n - t, m)",
    "(n, m - t)",
    "(m, n - t)",
    "(m, n % (m + 1))",
    "(n - t, m + t)",
    "(n + s, m - t)",
    "(t, s)",
    "(min(n, t), m)",
    "(n - t, 2*t)",
    "(max(n, m) - t, min(n, m))",
    "(n - t, s), (t, m)",
    "(abs(n - m), t)",
];

/// What may be asked.
const CONDITIONS: &[&str] = &[
    "t >= 1",
    "t < n",
    "t <= n",
    "s < t",
    "s <= t",
    "s >= 1",
    "s < n",
    "t divides n",
    "s divides t",
    "t != n",
    "t != s",
    "t in {1, 2, 5}",
    "s in 1..3",
    "t in 1..n-1",
    "2*t <= n",
    "t*s = n",
    "t*t <= n",
    "t in primes",
    "s in powers(2)",
    "n >= 1",
    "n >= 2",
    "n <= 9",
    "t + s = n",
    "t + s < n",
    "t = 0 or s = 1",
    "t < s or s < n",
    "not t in {0, n}",
    "n % 2 = 1",
    "xor(n, t) < n",
    "gcd(n, t) = 1",
    "t in digits(n)",
    "abs(n - t) <= s",
];

fn pick(from: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(from)
}

/// A line in which every variable is introduced and bounded, whatever else is asked.
fn line(heaps: &'static [&'static str], left: &'static str) -> impl Strategy<Value = String> {
    (prop::collection::vec(pick(heaps), 1..3), prop::collection::vec(pick(CONDITIONS), 0..4)).prop_map(
        move |(heaps, conditions)| {
            let mut all = vec!["t in 0..n+1", "s in 0..n+1"];
            all.extend(conditions);
            format!("{left} -> {} where {}", heaps.join(", "), all.join(", "))
        },
    )
}

fn game() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(line(ONE, "n"), 1..3),
        prop::collection::vec(line(TWO, "(n, m)"), 1..3),
    ]
    .prop_map(|lines| lines.join("; "))
}

#[test]
fn what_is_proved_to_end_has_no_loop() {
    let proved = AtomicUsize::new(0);
    let mut runner = TestRunner::new(Config { cases: 500, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&game(), |text| {
        let Ok((rule, _)) = Rule::parse(&text, &[]) else { return Ok(()) };
        if let Ok(measures) = proof(&rule) {
            proved.fetch_add(1, Ordering::Relaxed);
            let found = small::find_loop(&rule);
            prop_assert!(found.is_none(), "{text}\nproved by {measures:?}\n{found:?}");
        }
        Ok(())
    });
    outcome.unwrap();
    // The test says nothing unless proofs are found.
    let proved = proved.load(Ordering::Relaxed);
    assert!(proved >= 25, "only {proved} of the rules were proved to end");
}
