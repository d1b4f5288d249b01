//! What finders find, and what they must not.

use grundy_rule::Rule;

use super::*;
use crate::law::Period;
use crate::table::Options;

fn period(values: &[u32]) -> Option<(Kind, Period)> {
    let law = discover(values).found?.law;
    Some((law.kind(), law.period()?))
}

#[test]
fn periods_are_the_least_and_seen_often_enough() {
    let pattern = |n: u32| if n < 5 { 9 } else { [0, 1, 0, 2][n as usize % 4] };
    let of = |count: u32| (0..count).map(pattern).collect::<Vec<u32>>();
    let least = Period { preperiod: 5, period: 4, saltus: 0 };
    assert_eq!(period(&of(42)), Some((Kind::Periodic, least)));
    // 2 * 5 + 8 * 4 heaps are needed.
    assert_eq!(period(&of(41)), None);
    let found = discover(&of(100)).found.unwrap();
    assert_eq!((found.evidence, found.checked_to), (13, 99));
    assert_eq!(found.law.to_string(), "g(0..) = 9, 9, 9, 9, 9, 1, 0, 2, 0\ng(n + 4) = g(n) for n >= 5");
}

#[test]
fn a_period_that_is_broken_ever_more_seldom_is_none() {
    // Odd at the powers of 3; the last one within 500 values is 243, and the next 729.
    let rare = |n: u32| u32::from([3, 9, 27, 81, 243, 729].contains(&n));
    let values: Vec<u32> = (0..1000).map(rare).collect();
    assert_eq!(period(&values[..500]), None);
    assert_eq!(period(&values[..700]), None);
    // A long beginning without pattern is none of that.
    let late = |n: u32| if n < 150 { n * n % 11 } else { n % 3 };
    let values: Vec<u32> = (0..500).map(late).collect();
    assert_eq!(period(&values), Some((Kind::Periodic, Period { preperiod: 150, period: 3, saltus: 0 })));
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

fn law(count: u32, g: impl Fn(u32) -> u32) -> String {
    let values: Vec<u32> = (0..count).map(g).collect();
    let found = discover(&values).found.expect("a law");
    assert!(
        found.evidence <= u64::from(count)
            && agrees(&found.law, &values, &Limits::default().clock()).unwrap().is_none()
    );
    found.law.to_string()
}

/// The blackboard game: heap x becomes y with x/k <= y < x.
fn blackboard(k: u32) -> impl Fn(u32) -> u32 {
    move |n| {
        let mut n = n;
        while n > 1 && n % k == 1 {
            n /= k;
        }
        if n <= 1 { 0 } else { (n - 1) / k * (k - 1) + (n - 1) % k }
    }
}

#[test]
fn recursions_are_written_as_people_write_them() {
    let odious = |n: u32| 2 * n + u32::from(n.count_ones().is_multiple_of(2));
    assert_eq!(law(60, odious), "g(0) = 1\ng(2n) = g(n) + 2n\ng(2n + 1) = 6n + 3 - g(n)");
    let ruler = |n: u32| if n == 0 { 0 } else { n & n.wrapping_neg() };
    assert_eq!(law(60, ruler), "g(0) = 0\ng(2n) = 2g(n)\ng(2n + 1) = 1");
    let thirds = |n: u32| {
        let mut n = n;
        while n > 5 {
            n /= 6;
        }
        [0, 1, 2, 0, 0, 0][n as usize]
    };
    assert_eq!(law(120, thirds), "g(0..) = 0, 1, 2\ng(6n + r) = g(n) for 0 <= r <= 5");
    assert_eq!(law(60, blackboard(3)), "g(3n) = 2n\ng(3n + 1) = g(n)\ng(3n + 2) = 2n + 1");
    assert_eq!(
        law(300, blackboard(10)),
        "g(10n) = 9n\ng(10n + 1) = g(n)\ng(10n + r) = 9n + r - 1 for 2 <= r <= 9"
    );
}

#[test]
fn lines_by_residue_come_after_the_recursions() {
    let lines = |n: u32| match n % 3 {
        0 => n / 3,
        1 => 4,
        _ => 2 * n,
    };
    assert_eq!(law(60, lines), "g(3n) = n\ng(3n + 1) = 4\ng(3n + 2) = 6n + 4");
    let many = |n: u32| (n / 17) * (1 + n % 17 * (n % 17) % 5) + n % 17;
    assert!(law(600, many).contains("g(17n + 16) = 2n + 16"));
}

#[test]
fn functions_of_number_theory_are_found_by_name() {
    let prime_factors = |n: u32| {
        let (mut n, mut count) = (n, 0);
        for p in 2..n.max(1) + 1 {
            while n > 1 && n % p == 0 {
                (n, count) = (n / p, count + 1);
            }
        }
        count
    };
    assert_eq!(law(300, prime_factors), "g(0) = 0\ng(n) = bigomega(n)");
    assert_eq!(law(300, |n| 3 * n + 2 * (n + 1).isqrt() + 1), "g(n) = 2sqrt(n + 1) + 3n + 1");
    let odd = |n: u32| if n < 3 { 7 } else { n + prime_factors(n) % 2 };
    assert_eq!(law(300, odd), "g(0..) = 7, 7, 7\ng(n) = bigomega(n) mod 2 + n");
}

#[test]
fn automata_are_found_and_named_by_their_form() {
    let kind = |count: u32, g: &dyn Fn(u32) -> u32| {
        let values: Vec<u32> = (0..count).map(g).collect();
        let found = discover(&values).found.expect("a law");
        for n in (0..20_000).step_by(7) {
            assert_eq!(found.law.value(u128::from(n)).unwrap(), u128::from(g(n)), "{} at {n}", found.law);
        }
        (found.law.kind(), found.evidence)
    };
    // The number of blocks 11 in binary, modulo 3.
    let blocks = |n: u32| (n & (n >> 1)).count_ones() % 3;
    assert_eq!(kind(600, &blocks).0, Kind::Automatic);
    let near_line = |n: u32| 3 * n + blocks(n);
    assert_eq!(kind(600, &near_line).0, Kind::Automatic);
    let gray = |n: u32| n ^ (n >> 1);
    let (found, evidence) = kind(600, &gray);
    assert!(found == Kind::Automaton && evidence <= 150, "{evidence}");
    // The trailing zeros of n, and one more if the digit above the last one is a one, too.
    let zeros = |n: u32| if n == 0 { 0 } else { n.trailing_zeros() + (n >> n.trailing_zeros() >> 1 & 1) };
    assert_eq!(kind(3000, &zeros).0, Kind::CodedAutomaton);
}

fn searched(text: &str, args: &[(String, grundy_rule::argument::Argument)]) -> Discovery {
    let (rule, _) = Rule::parse(text, args).unwrap();
    search(&rule, &Search::new(Limits::default()), &mut |_| {}).unwrap()
}

#[test]
fn a_search_looks_beyond_the_numbers_of_the_rule() {
    let found = searched("n -> n - t where t in {1, 3000}", &[]).found.unwrap();
    assert_eq!(found.law.period().unwrap(), Period { preperiod: 0, period: 3001, saltus: 0 });
    let k = ("k".to_string(), grundy_rule::argument::Argument::Number(10_i128.pow(18)));
    let nothing = searched("n -> n - t where 1 <= t <= k", &[k]);
    assert!(nothing.found.is_none() && nothing.stopped.unwrap().contains("speaks of 1000000000000000000"));
}

#[test]
fn a_search_takes_more_values_until_the_law_shows() {
    let code = grundy_rule::code::parse("0.156").unwrap().unwrap();
    let (rule, _) = Rule::parse(&code.to_rule_text(), &[]).unwrap();
    let mut asked = Vec::new();
    let how = Search::new(Limits::default());
    let discovery = search(&rule, &how, &mut |count| asked.push(count)).unwrap();
    assert_eq!(asked, [2000, 4000, 8000]);
    let found = discovery.found.unwrap();
    assert_eq!(found.law.period().unwrap(), Period { preperiod: 3479, period: 349, saltus: 0 });
    // With fewer values than it takes there is no law, and it is said what was tried.
    let most = Search { most: 4000, ..how };
    let nothing = search(&rule, &most, &mut |_| {}).unwrap();
    assert_eq!((nothing.found.is_none(), nothing.values), (true, 4000));
    assert_eq!(nothing.tried[0].kind, Kind::Periodic);
    let none = Search {
        table: Options {
            limits: Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() },
            ..Options::default()
        },
        ..most
    };
    assert_eq!(search(&rule, &none, &mut |_| {}).unwrap_err().id(), "time");
}
