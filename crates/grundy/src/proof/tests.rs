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
        let Outcome::Refuted { heap, value: is, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!((&*heap.entries, is), (&[n][..], value));
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
        "(a, b) -> (a - t, b) | (a, b - t) | (a - t, b - t) where t >= 1",
        "n -> a, b where a + b = n, 1 <= a < b",
    ] {
        let outcome = prove(&rule(text, &[]), None, &Limits::default()).unwrap();
        assert!(matches!(outcome, Outcome::NoRule(_)), "{text}: {outcome:?}");
    }
}

#[test]
fn each_proof_rule_says_why_it_does_not_fit_and_one_can_be_chosen() {
    let kayles = rule("n -> a, b where a + b = n - t, t in 1..2, a <= b", &[]);
    let by = |rule: &Rule, by: &str| {
        let request = Request { by: Some(by.parse().unwrap()), ..Request::default() };
        prove_request(rule, &request, &Limits::default()).unwrap()
    };
    for name in ["guy-smith", "automatic"] {
        let Outcome::Proved(proof) = by(&kayles, name) else { panic!("{name}") };
        assert_eq!(By::of(&proof.certificate.proof).name(), name);
    }
    let Outcome::NoRule(why) = by(&kayles, "sliding-window") else { panic!("no window") };
    assert_eq!(why, "sliding-window: its options are no window that slides");
    // Guy and Smith do not know, and the others say what is in their way all the same.
    let dark = rule("n -> a, b, c where a + b + c = n - 2, 1 <= a <= b <= c\nn -> n - 1 where n = 7", &[]);
    for text in ["n -> a, b where a + b = n - 3, 1 <= a <= b\nn -> n - 3", &dark.source] {
        let outcome = prove(&rule(text, &[]), None, &Limits::default()).unwrap();
        let (Outcome::NoRule(why) | Outcome::Unknown(why)) = outcome else { continue };
        for by in By::ALL {
            assert!(why.contains(&format!("{by}: ")), "{why}");
        }
    }
}

#[test]
fn a_law_is_about_one_kind() {
    let text = "ring(n) -> row(n - t) where t in 1..2\nrow(n) -> row(n - t) where t in 1..2";
    let kinds = rule(text, &[]);
    let law = law_text::parse("g(n) = n % 3", &[]).unwrap();
    // A ring of one and one of two have the options 0 and 0, 1: 1 and 2; then n - 1 and n - 2, of three.
    let row = Some(kind_of(&kinds, Some("row"), Some(&law)).unwrap());
    for (kind, by) in [(row, None), (row, Some(By::Automatic)), (None, None)] {
        let request = Request { law: Some(&law), kind, by };
        let outcome = prove_request(&kinds, &request, &Limits::default()).unwrap();
        let Outcome::Proved(proof) = outcome else { panic!("{outcome:?}") };
        let name = if kind.is_some() { "row" } else { "ring" };
        assert_eq!(proof.certificate.kind.as_deref(), Some(name));
        assert!(proof.accepted.claim.contains(&format!("every heap {name}(n) with")));
    }
    assert_eq!(kind_of(&kinds, Some("heap"), None).unwrap_err().id(), "kind");
    let pairs = law_text::parse("automaton base 2 entries 2 { 0*: 0 0/0 to 0 }", &[]).unwrap();
    assert_eq!(kind_of(&kinds, None, Some(&pairs)).unwrap_err().id(), "kind");
}

#[test]
fn parameters_are_written_as_they_are_typed() {
    let rule = rule("game x(S: set)\nn -> n - t where t in S", &[("S", "2,5,7")]);
    let certificate = proved(&rule, None);
    assert_eq!(certificate.parameters["S"], "{2, 5, 7}");
}
