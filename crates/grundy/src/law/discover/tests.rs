//! What finders find, and what they must not.

use super::*;
use crate::law::Period;

fn period(values: &[u32]) -> Option<(Kind, Period)> {
    let law = discover(values).found?.law;
    Some((law.kind(), law.period()?))
}

#[test]
fn periods_are_the_least_and_seen_twice() {
    let pattern = |n: u32| if n < 5 { 9 } else { [0, 1, 0, 2][n as usize % 4] };
    let of = |count: u32| (0..count).map(pattern).collect::<Vec<u32>>();
    let least = Period { preperiod: 5, period: 4, saltus: 0 };
    assert_eq!(period(&of(18)), Some((Kind::Periodic, least)));
    // 5 + 4 heaps are more than half of 17.
    assert_eq!(period(&of(17)), None);
    let found = discover(&of(100)).found.unwrap();
    assert_eq!((found.evidence, found.checked_to), (13, 99));
    assert_eq!(found.law.to_string(), "g(0..) = 9, 9, 9, 9, 9, 1, 0, 2, 0\ng(n + 4) = g(n) for n >= 5");
}

#[test]
fn plain_periods_are_formulas() {
    let law = |g: &dyn Fn(u32) -> u32| {
        let values: Vec<u32> = (0..100).map(g).collect();
        discover(&values).found.expect("a law").law.to_string()
    };
    assert_eq!(law(&|n| n % 4), "g(n) = n mod 4");
    assert_eq!(law(&|n| n % 7 / 2), "g(n) = floor(n mod 7/2)");
    assert_eq!(law(&|_| 0), "g(n) = 0");
    assert_eq!(law(&|n| 3 * n + 2), "g(n) = 3n + 2");
    assert_eq!(law(&|n| n), "g(n) = n");
    assert_eq!(law(&|n| n / 3), "g(0..) = 0, 0, 0\ng(n + 3) = g(n) + 1");
}
