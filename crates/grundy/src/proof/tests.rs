#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use grundy_rule::argument::Argument;
use grundy_rule::law_text;

use super::*;

fn rule(text: &str, arguments: &[(&str, &str)]) -> Rule {
    let arguments: Vec<(String, Argument)> =
        arguments.iter().map(|(name, value)| (name.to_string(), Argument::parse(value).unwrap())).collect();
    Rule::parse(text, &arguments).unwrap().0
}

fn proved(rule: &Rule, law: Option<&str>) -> Certificate {
    let law = law.map(|law| law_text::parse(law, &rule.params).unwrap());
    match prove(rule, law.as_ref(), &Limits::default()).unwrap() {
        Outcome::Proved(proof) => proof.certificate,
        other => panic!("{}: {other:?}", rule.source),
    }
}

/// The law of a certificate agrees with the table.
fn agrees(rule: &Rule, certificate: &Certificate) {
    let law = Law::parse(&certificate.law, &rule.params).unwrap();
    let table = table::tabulate(rule, 2000, &Options::default()).unwrap();
    for (n, value) in (0..).zip(table.iter()).filter(|(n, _)| *n >= u128::from(certificate.first)) {
        assert_eq!(law.value(n).unwrap(), Nimber::from(value), "{} at {n}", rule.source);
    }
}

#[test]
fn games_without_a_law_get_one_that_is_proved() {
    let games = [
        "n -> n - t where t in {2, 5, 7}",
        "n -> n - t where t in {1}",
        "n -> nothing where n = 3",
        "n -> a, b where a + b = n - t, t in 1..2, a <= b",
        "n -> a, b where a + b = n - 2, a <= b",
        "n -> m where m < n",
        "n -> n - t where 1 <= t <= n/2",
        "n -> n - t where 1 <= t <= n/3",
        "n -> n - t where 1 <= t <= 2n/3",
        "n -> m where 3n/5 <= m < n",
        "n -> n - t where 1 <= t <= sqrt(n)",
        "n -> n - t where 1 <= t <= n/40",
        "n -> m where n/4 <= m < n, m >= 3",
        "x -> y where x/3 <= y < x",
    ];
    for text in games {
        let rule = rule(text, &[]);
        agrees(&rule, &proved(&rule, None));
    }
}

#[test]
fn the_blackboard_game_is_proved_for_all_k_at_once_and_for_large_ones() {
    let text = "game blackboard(k) where k >= 2\nx -> y where x/k <= y < x";
    let law = "g(0..) = 0, 0\ng(a*k + 1) = g(a) for a >= 1\ng(a*k + b) = a*(k - 1) + b - 1 for 2 <= b <= k";
    let every = proved(&rule(text, &[]), Some(law));
    assert!(every.parameters.is_empty());
    for k in ["2", "3", "4", "5", "6", "7", "8", "9", "10"] {
        let rule = rule(text, &[("k", k)]);
        agrees(&rule, &proved(&rule, Some(law)));
        agrees(&rule, &proved(&rule, None));
    }
    let large = proved(&rule(text, &[("k", "10^18")]), Some(law));
    assert_eq!(large.parameters["k"], "1000000000000000000");
    // Without a law the window is named.
    assert!(proved(&rule(text, &[]), None).law.contains("ceil(n/k)"));
}

#[test]
fn a_false_law_gets_its_first_counterexample() {
    let rule = rule("n -> n - t where t in {1, 2}", &[]);
    for (law, n, value) in [("g(n) = n % 4", 3, 0), ("g(n) = n % 3 for n <= 100", 101, 2)] {
        let law = law_text::parse(law, &rule.params).unwrap();
        let outcome = prove(&rule, Some(&law), &Limits::default()).unwrap();
        let Outcome::Refuted { n: found, value: is, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!((found, is), (n, value));
    }
}

#[test]
fn a_period_that_breaks_later_is_not_proved() {
    // Right for 2000 heaps.
    let rule = rule("n -> n - t where t in {1, 2}", &[]);
    let law = law_text::parse("g(n) = n % 3 for n <= 2000\ng(n) = 0", &[]).unwrap();
    assert!(matches!(prove(&rule, Some(&law), &Limits::default()).unwrap(), Outcome::NoRule(_)));
}

#[test]
fn what_no_rule_fits_is_said() {
    for text in [
        "misere game x\nn -> n - t where t in {1, 2}",
        "n -> n - t where t in primes",
        "(a, b) -> (a - t, b) | (a, b - t) where t >= 1",
        "n -> a, b where a + b = n, 1 <= a < b",
    ] {
        let outcome = prove(&rule(text, &[]), None, &Limits::default()).unwrap();
        assert!(matches!(outcome, Outcome::NoRule(_)), "{text}: {outcome:?}");
    }
}

#[test]
fn parameters_are_written_as_they_are_typed() {
    let rule = rule("game x(S: set)\nn -> n - t where t in S", &[("S", "2,5,7")]);
    let certificate = proved(&rule, None);
    assert_eq!(certificate.parameters["S"], "{2, 5, 7}");
}
