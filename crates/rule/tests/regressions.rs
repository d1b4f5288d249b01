//! Rules that once went wrong, one test a fault.

use std::time::{Duration, Instant};

use grundy_rule::ends::ends;
use grundy_rule::heap::KindId;
use grundy_rule::moves::Moves;
use grundy_rule::shape::shapes;
use grundy_rule::{Heap, Rule};

fn rule(text: &str) -> Rule {
    Rule::parse(text, &[]).unwrap_or_else(|said| panic!("{text}: {said:?}")).0
}

fn options(text: &str, n: i128) -> Vec<Vec<(i128, u128)>> {
    let moves = Moves::new(&rule(text)).expect("a rule without parameters");
    let found = moves.options(&Heap::new(KindId(0), &[n])).expect("no error at this heap");
    found
        .iter()
        .map(|sum| sum.heaps().iter().map(|(heap, count)| (heap.entries[0], *count)).collect())
        .collect()
}

#[test]
fn a_list_without_copies_demands_nothing_of_its_entries() {
    for (counted, unrolled) in [
        ("n -> n - 1, [n - 5 for i in 1..0]", "n -> n - 1"),
        ("n -> n - 1, [n - 5 for i in 1..n - 3]", "n -> n - 1, [n - 5 + 0*i for i in 1..n - 3]"),
        ("n -> [n - 2 for i in 1..k], n - 1 where k in 0..1", "n -> n - 1; n -> n - 2, n - 1"),
        ("n -> n - 1, [n - 3 for i in 1..2]", "n -> n - 1, n - 3, n - 3"),
    ] {
        for n in 0..9 {
            assert_eq!(options(counted, n), options(unrolled, n), "{counted} at {n}");
        }
    }
}

#[test]
fn a_list_that_is_never_empty_still_bounds_its_variables() {
    assert_eq!(options("n -> [n - t for i in 1..2] where t >= 1", 3), [[(2, 2)], [(1, 2)], [(0, 2)]]);
    assert!(Rule::parse("n -> [n - t for i in 1..n] where t >= 1", &[]).is_err());
}

#[test]
fn facts_that_contradict_each_other_end_the_search_for_measures() {
    for text in [
        "n -> n // t where 2 <= t <= n, n < 2",
        "n -> n - n//t where 2 <= t <= n, n <= 1",
        "n -> n - t where t in 1..2, t^2 % (t + 1) >= 5",
        "n -> n - 1 where n // (n + 1) <= n, n < 0",
        "n -> n // n where n <= 0",
    ] {
        let rule = rule(text);
        let _ = (ends(&rule), shapes(&rule));
    }
}

#[test]
fn many_inequalities_are_given_up_on_soon() {
    let squares: Vec<String> = (1..=60).map(|i| format!("t != {}", i * i)).collect();
    let rule = rule(&format!("n -> n - t where t >= 1, {}", squares.join(", ")));
    let start = Instant::now();
    let _ = (ends(&rule), shapes(&rule));
    // It took longer than anyone would wait; now it is a matter of a second in a test build.
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn divisors_of_0_are_an_error_also_where_a_variable_ranges_over_them() {
    let moves = Moves::new(&rule("n -> n - t where t in divisors(n - 1), n >= 1")).unwrap();
    assert!(moves.options(&Heap::new(KindId(0), &[1])).is_err());
    assert_eq!(moves.options(&Heap::new(KindId(0), &[5])).unwrap().len(), 3);
}

#[test]
fn a_bound_without_a_value_is_named_also_where_a_settled_variable_takes_the_value_away() {
    for text in [
        "n -> n - y where n >= 1 or x >= 0, x = n, y = ceil(n/x)",
        "row(n) -> ring(n) where (y/2 = max(y, n) and y % 2 = 1), x = n, y = ceil(n/x)\nring(n) -> nothing",
        "n -> n - y where x in n..n, y <= n % x",
        "n -> n - y where x = n - 5, z = x, y <= n // z",
    ] {
        let moves = Moves::new(&rule(text)).unwrap();
        let heap = if text.contains("n - 5") { 5 } else { 0 };
        let error = moves.options(&Heap::new(KindId(0), &[heap])).expect_err("a bound without a value");
        assert_eq!(error.id, "division", "{text}: {error}");
    }
}
