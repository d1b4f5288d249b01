//! What the checker accepts and what it refuses, proof rule by proof rule.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeMap;

use grundy_check::certificate::{
    Automatic, Automaton, Certificate, FORMAT, Other, Period, Proof, SlidingWindow,
};
use grundy_check::{Fault, Limits, check};

fn certificate(rule: &str, law: &str, proof: Proof) -> Certificate {
    Certificate {
        format: FORMAT.to_string(),
        rule: rule.to_string(),
        kind: None,
        entries: 1,
        parameters: BTreeMap::new(),
        law: law.to_string(),
        first: 0,
        play: "normal".to_string(),
        proof,
    }
}

fn subtraction(preperiod: u64, period: u64) -> Proof {
    Proof::FiniteSubtraction(Period { preperiod, period })
}

fn guy_smith(preperiod: u64, period: u64) -> Proof {
    Proof::GuySmith(Period { preperiod, period })
}

fn window() -> Proof {
    Proof::SlidingWindow(SlidingWindow {})
}

fn accepted(certificate: &Certificate) {
    let verdict = check(&certificate.to_string(), Limits::default());
    assert!(verdict.is_ok(), "{}: {}", certificate.law, verdict.unwrap_err());
}

/// Refused, with this name of an obligation.
fn refused(certificate: &Certificate, by: &str) {
    match check(&certificate.to_string(), Limits::default()) {
        Err(Fault::Refused(name, why)) => assert_eq!(name, by, "{why}"),
        other => panic!("{}: {other:?}", certificate.law),
    }
}

const KAYLES: &str = "n -> a, b where a + b = n - t, t in 1..2, a <= b";
const KAYLES_LAW: &str = "g(0..) = 0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, \
    7, 2, 1, 8, 6, 7, 4, 1, 2, 3, 1, 4, 7, 2, 1, 8, 2, 7, 4, 1, 2, 8, 1, 4, 7, 2, 1, 4, 2, 7, 4, 1, 2, 8, 1, 4, 7, 2, 1, \
    8, 6, 7, 4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2\ng(n + 12) = g(n) for n >= 71";

#[test]
fn subtraction_games_are_settled_by_one_window() {
    let rule = "n -> n - t where t in {2, 5, 7}";
    let law = "g(0..) = 0, 0, 1, 1, 0, 2, 1, 3, 2, 2, 0, 3, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2\ng(n + 22) = g(n) for n >= 0";
    accepted(&certificate(rule, law, subtraction(0, 22)));
    refused(&certificate(rule, law, subtraction(0, 21)), "period");
    refused(&certificate(rule, law, subtraction(0, 0)), "period");
    refused(&certificate(rule, &law.replace("3, 3, 2", "3, 3, 3"), subtraction(0, 22)), "law");
    refused(&certificate("n -> n - t where t in {2, 5, 8}", law, subtraction(0, 22)), "period");
    refused(&certificate("n -> n - t where t >= 2", law, subtraction(0, 22)), "shape");
    // A law of another form, and with a longer period than needed.
    accepted(&certificate("n -> n - t where t in 1..3", "g(n) = n % 4", subtraction(0, 4)));
    accepted(&certificate("n -> n - t where t in 2..3", "g(n) = n % 5 // 2", subtraction(0, 5)));
    let longer = "g(0..) = 0, 1, 2, 0, 1, 2\ng(n + 6) = g(n)";
    accepted(&certificate("n -> n - t where t in 1..2", longer, subtraction(0, 3)));
}

#[test]
fn a_law_that_differs_late_is_refused() {
    let rule = "n -> n - t where t in 1..2";
    refused(&certificate(rule, "g(n) = n % 3 for n < 1000\ng(n) = n % 2", subtraction(0, 3)), "law");
    refused(&certificate(rule, "g(n) = n % 3 for n < 1000", subtraction(0, 3)), "law");
    refused(
        &certificate(rule, "g(7n) = 7n % 3 for n < 100\ng(n) = n % 3 for n % 7 != 0", subtraction(0, 3)),
        "law",
    );
    refused(&certificate(rule, "g(n) = n % 3 for n != 100\ng(n) = 0", subtraction(0, 3)), "law");
    accepted(&certificate(rule, "g(3n) = 0\ng(3n + 1) = 1\ng(n) = 2", subtraction(0, 3)));
    refused(&certificate(rule, "g(n) = g(n)", subtraction(0, 3)), "law");
    refused(&certificate(rule, "g(n) = n % 3 + 0*n*n", subtraction(0, 3)), "law");
}

#[test]
fn a_law_may_begin_later() {
    let rule = "n -> n - t where t in 1..2";
    let mut late = certificate(rule, "g(n) = n % 3 for n >= 100", subtraction(0, 3));
    refused(&late, "law");
    late.first = 100;
    accepted(&late);
    late.first = 99;
    refused(&late, "law");
    late.law = "g(99..) = 0, 1, 2\ng(n + 3) = g(n) for n >= 99".to_string();
    accepted(&late);
    late.law = "g(99..) = 0, 1\ng(n + 3) = g(n) for n >= 98".to_string();
    refused(&late, "law");
}

#[test]
fn kayles_is_settled_by_guy_and_smith() {
    accepted(&certificate(KAYLES, KAYLES_LAW, guy_smith(71, 12)));
    accepted(&certificate(KAYLES, KAYLES_LAW, guy_smith(100, 24)));
    refused(&certificate(KAYLES, KAYLES_LAW, guy_smith(70, 12)), "period");
    refused(&certificate(KAYLES, &KAYLES_LAW.replace("8, 2\n", "8, 1\n"), guy_smith(71, 12)), "law");
    let dawson = "n -> a, b where a + b = n - 2, a <= b";
    refused(&certificate(dawson, KAYLES_LAW, guy_smith(71, 12)), "period");
    refused(&certificate("n -> a, b where a + b = n, 1 <= a < b", KAYLES_LAW, guy_smith(71, 12)), "shape");
    let mut huge = certificate(KAYLES, KAYLES_LAW, guy_smith(u64::MAX, 12));
    assert!(matches!(check(&huge.to_string(), Limits::default()), Err(Fault::Limit(_))));
    huge.proof = guy_smith(1 << 40, 12);
    assert!(matches!(check(&huge.to_string(), Limits::default()), Err(Fault::Limit(_))));
}

#[test]
fn hexadecimal_codes_have_their_own_bound() {
    // 0.08: take two and leave three heaps; 0.0A would be another game.
    let rule = "n -> a, b, c where a + b + c = n - 2, 1 <= a <= b <= c";
    let law = "g(0..) = 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1\ng(n + 1) = g(n) for n >= 5";
    match check(&certificate(rule, law, guy_smith(5, 1)).to_string(), Limits::default()) {
        // Whatever the values are, the checker computes them: no false law passes.
        Ok(_) => panic!("the values of 0.08 are not all 1"),
        Err(fault) => assert!(matches!(fault, Fault::Refused(..)), "{fault}"),
    }
}

const BLACKBOARD: &str = "game blackboard(k) where k >= 2\nx -> y where x/k <= y < x";
const BLACKBOARD_LAW: &str =
    "g(0..) = 0, 0\ng(a*k + 1) = g(a) for a >= 1\ng(a*k + b) = a*(k - 1) + b - 1 for 2 <= b <= k";

#[test]
fn the_blackboard_game_is_proved_for_every_k_and_for_each() {
    let every = certificate(BLACKBOARD, BLACKBOARD_LAW, window());
    accepted(&every);
    for k in ["2", "3", "10", "10^18"] {
        let mut fixed = every.clone();
        fixed.parameters.insert("k".to_string(), k.to_string());
        accepted(&fixed);
    }
    let changes = [
        ("a*k + 1", "a*k + 2", "law"),
        ("g(a)", "g(a + 1)", "law"),
        ("a >= 1", "a >= 2", "speaks"),
        ("(k - 1)", "(k - 2)", "law"),
        ("b - 1", "b", "law"),
        ("2 <= b", "1 <= b", "law"),
        ("2 <= b", "3 <= b", "speaks"),
        ("b <= k", "b <= k + 1", "law"),
        ("b <= k", "b <= k - 1", "speaks"),
        ("0, 0", "0", "speaks"),
    ];
    for (old, new, by) in changes {
        assert!(BLACKBOARD_LAW.contains(old));
        refused(&certificate(BLACKBOARD, &BLACKBOARD_LAW.replacen(old, new, 1), window()), by);
    }
}

#[test]
fn windows_of_other_shapes() {
    let half = "n -> n - t where 1 <= t <= n/2";
    accepted(&certificate(half, "g(0) = 0\ng(2n + 1) = g(n)\ng(2n) = n", window()));
    refused(&certificate(half, "g(0) = 0\ng(2n + 1) = g(n)\ng(2n) = n + 1", window()), "law");
    refused(&certificate(half, "g(0) = 0\ng(4n + 1) = g(2n)\ng(2n) = n", window()), "speaks");
    accepted(&certificate("n -> m where m < n", "g(0) = 0\ng(n) = n", window()));
    let third = "n -> n - t where 1 <= t <= n/3";
    accepted(&certificate(third, "g(0) = 0\ng(3n) = n\ng(3n + r) = g(2n + r - 1) for r in 1..2", window()));
    let part = "game part(k) where k >= 2\nn -> n - t where 1 <= t <= n/k";
    let law = "g(0) = 0\ng(k*n) = n\ng(k*n + r) = g((k - 1)*n + r - 1) for 1 <= r <= k - 1";
    accepted(&certificate(part, law, window()));
    refused(&certificate(part, &law.replace("r - 1)", "r)"), window()), "law");
    let bachet = "game bachet(k) where k >= 1\nn -> n - t where 1 <= t <= k";
    accepted(&certificate(bachet, "g(n) = n for n <= k\ng(n + k + 1) = g(n)", window()).clone());
}

#[test]
fn a_law_may_name_the_window() {
    let root = "n -> n - t where 1 <= t <= sqrt(n)";
    let law = "window L(n) = n - sqrt(n)";
    accepted(&certificate(root, law, window()));
    refused(&certificate(root, "window L(n) = n - 1 - sqrt(n)", window()), "law");
    refused(&certificate(root, "window L(n) = n - root(n, 3)", window()), "law");
    refused(&certificate(root, "window L(n) = n - sqrt(n) for n >= 1", window()), "law");
    refused(&certificate("n -> n - t where 1 <= t <= root(n, 3)", law, window()), "law");
    accepted(&certificate(BLACKBOARD, "window L(n) = ceil(n/k)", window()));
    refused(&certificate(BLACKBOARD, "window L(n) = floor(n/k)", window()), "law");
    accepted(&certificate("x -> y where x/3 <= y < x", "window L(n) = floor((n + 2)/3)", window()));
    refused(&certificate("x -> y where x/3 <= y < x", "window L(n) = floor((n + 1)/3)", window()), "law");
    let mut late =
        certificate("n -> m where n/4 <= m < n, m >= 3", "window L(n) = ceil(n/4) for n >= 3", window());
    refused(&late, "speaks");
    late.first = 3;
    accepted(&late);
}

#[test]
fn misere_play_and_play_without_end_are_refused() {
    let law = "g(n) = n % 3";
    refused(&certificate("misere game x\nn -> n - t where t in 1..2", law, subtraction(0, 3)), "play");
    let mut other = certificate("n -> n - t where t in 1..2", law, subtraction(0, 3));
    other.play = "misere".to_string();
    refused(&other, "play");
    refused(&certificate("n -> n + 1 - t where t in 1..2", law, subtraction(0, 3)), "ends");
    refused(&certificate("game x(k)\nn -> n - t where 1 <= t <= k", law, subtraction(0, 3)), "parameters");
}

#[test]
fn what_is_no_certificate_is_an_error_and_no_crash() {
    let good = certificate("n -> n - t where t in 1..2", "g(n) = n % 3", subtraction(0, 3)).to_string();
    for cut in 0..good.trim_end().len() {
        assert!(matches!(check(&good[..cut], Limits::default()), Err(Fault::Unreadable(_))), "{cut}");
    }
    for (old, new) in [
        ("certificate 1", "certificate 2"),
        ("\"first\": 0", "\"first\": -1"),
        ("\"first\": 0", "\"first\": 0, \"first\": 0"),
        ("\"first\": 0", "\"first\": 0, \"last\": 9"),
        ("\"period\": 3", "\"period\": 3, \"saltus\": 0"),
        ("t in 1..2", "t in 1..z"),
        ("n % 3", "n %"),
        ("finite subtraction", "finite addition"),
    ] {
        assert!(good.contains(old));
        let text = good.replacen(old, new, 1);
        assert!(matches!(check(&text, Limits::default()), Err(Fault::Unreadable(_))), "{new}");
    }
    let deep = format!("{}{}", "[".repeat(1 << 20), "]".repeat(1 << 20));
    assert!(matches!(check(&deep, Limits::default()), Err(Fault::Unreadable(_))));
    let long = format!("{{\"format\": \"{}\"}}", " ".repeat(100 << 20));
    assert!(matches!(check(&long, Limits::default()), Err(Fault::Limit(_))));
    let small = Limits { bytes: 1 << 10, ..Limits::default() };
    assert!(matches!(check(&good, small), Err(Fault::Limit(_))));
}

#[test]
fn laws_of_other_forms_are_no_business_of_these_proof_rules() {
    let rule = "n -> n - t where t in {1, 2}";
    // Right as it is: the lost heaps are the multiples of 3, and so say the forms.
    for law in [
        "zeros\nz(0..) = 0\nz(i + 1) = z(i) + 3",
        "automaton base 3 { 0*: 0/0 to 1, 1/1 to 1, 2/2 to 1  1*: 0/0 to 1, 1/0 to 1, 2/0 to 1 }",
        "automatic base 3 { 0 = 0: 0, 1, 2  1 = 1: 1, 1, 1  2 = 2: 2, 2, 2 }",
        "window L(n) = n - 2",
    ] {
        refused(&certificate(rule, law, subtraction(0, 3)), "law");
        if !law.starts_with("window") {
            refused(&certificate(rule, law, window()), "law");
        }
    }
}

#[test]
fn heaps_with_several_entries_are_proved_by_automata_only() {
    let nim = "(a, b) -> (a - t, b) | (a, b - t) where t >= 1";
    let law = "automaton base 2 entries 2 { 0*: 0 0/0 to 0, 1 0/1 to 0, 0 1/1 to 0, 1 1/0 to 0 }";
    let automaton = Automaton { next: vec![vec![0, -1, -1, 0, -1, 0, 0, -1]], accepting: vec![0] };
    let automatic = Automatic { automaton, ..plain(&[]) };
    let proof = Proof::Automatic(Box::new(automatic));
    let certificate = Certificate { entries: 2, ..certificate(nim, law, proof) };
    accepted(&certificate);
    for proof in [subtraction(0, 3), guy_smith(0, 3), window()] {
        refused(&Certificate { proof, ..certificate.clone() }, "kind");
    }
    for entries in [0, 1, 3, usize::MAX] {
        let other = Certificate { entries, ..certificate.clone() };
        assert!(matches!(check(&other.to_string(), Limits::default()), Err(Fault::Unreadable(_))));
    }
    for (old, new) in [("1 0/1 to 0", "1 0/0 to 0"), ("1 1/0 to 0", "1 1/1 to 0"), ("0*:", "0:")] {
        refused(&Certificate { law: law.replace(old, new), ..certificate.clone() }, "law");
    }
    refused(&Certificate { law: "g(n) = n".to_string(), ..certificate.clone() }, "law");
    refused(&Certificate { law: "g(0..) = 0, 1".to_string(), ..certificate.clone() }, "law");
    // Moves of both entries at once, or of one too few.
    let more = format!("{nim}\n(a, b) -> (a - t, b - t) where t >= 1");
    refused(&Certificate { rule: more, ..certificate.clone() }, "O2");
    refused(&Certificate { rule: nim.replace("t >= 1", "t >= 2"), ..certificate }, "O3");
}

#[test]
fn every_kind_of_heap_needs_its_automaton() {
    // Red heaps lead to blue ones and back; all are like nim heaps.
    let rule = "red(n) -> blue(m) where m < n\nblue(n) -> red(m) where m < n";
    let nim = plain(&[[0, -1, -1, 0]]);
    let other = |kind: &str| Other {
        kind: Some(kind.to_string()),
        entries: 1,
        automaton: nim.automaton.clone(),
        prefix: None,
        pool: None,
    };
    let with = |others: Vec<Other>| {
        let proof = Proof::Automatic(Box::new(Automatic { others, ..nim.clone() }));
        Certificate { kind: Some("red".to_string()), ..certificate(rule, "g(n) = n", proof) }
    };
    accepted(&with(vec![other("blue")]));
    for others in [vec![], vec![other("red")], vec![other("blue"), other("blue")], vec![other("green")]] {
        refused(&with(others), "automaton");
    }
    refused(
        &Certificate {
            rule: rule.replace("red(m) where m < n", "red(m) where m < n - 1"),
            ..with(vec![other("blue")])
        },
        "O3",
    );
    let nameless = Certificate { kind: None, ..with(vec![other("blue")]) };
    assert!(matches!(check(&nameless.to_string(), Limits::default()), Err(Fault::Unreadable(_))));
}

/// An automatic proof in base 2 whose states all accept.
fn automatic(next: &[[i64; 4]]) -> Proof {
    Proof::Automatic(Box::new(plain(next)))
}

fn plain(next: &[[i64; 4]]) -> Automatic {
    let automaton = Automaton {
        next: next.iter().map(|row| row.to_vec()).collect(),
        accepting: (0..next.len() as u64).collect(),
    };
    Automatic { base: 2, automaton, coded: false, prefix: None, pool: None, others: Vec::new() }
}

#[test]
fn nim_is_proved_by_one_state() {
    accepted(&certificate("n -> m where m < n", "g(n) = n", automatic(&[[0, -1, -1, 0]])));
    refused(&certificate("n -> m where m + 1 < n", "g(n) = n", automatic(&[[0, -1, -1, 0]])), "O3");
    refused(&certificate("n -> m where m < n", "g(n) = n + 1", automatic(&[[0, -1, -1, 0]])), "law");
    refused(&certificate("n -> m where m < n", "g(n) = n", automatic(&[[0, 0, -1, 0]])), "F");
    refused(&certificate("n -> m where m < n", "g(n) = n", automatic(&[[0, -1, -1, -1]])), "T");
    refused(
        &certificate("n -> a, b where a + b = n, 1 <= a <= b", "g(n) = n", automatic(&[[0, -1, -1, 0]])),
        "O2",
    );
}

#[test]
fn exceptions_without_end_are_a_limit() {
    let bans: Vec<String> = (1..200_000).map(|n| format!("({n},1)")).collect();
    let rule = "game x(b: pairs)\nn -> n - t where t >= 1, (n, t) not in b";
    let mut many = certificate(rule, "g(n) = n", automatic(&[[0, -1, -1, 0]]));
    many.parameters.insert("b".to_string(), bans.join(","));
    let small = Limits { bytes: 1 << 28, ..Limits::default() };
    assert!(matches!(check(&many.to_string(), small), Err(Fault::Limit(_))));
}

/// The verdict is no verdict if nobody could be told.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_an_error() {
    let status = |out: &str| {
        let out = std::fs::File::create(out).unwrap();
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../certificates/kayles.json");
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_grundy-check"));
        program.arg(file).stdout(out).stderr(std::process::Stdio::null());
        program.status().unwrap().code()
    };
    assert_eq!(status("/dev/null"), Some(0));
    assert_eq!(status("/dev/full"), Some(2));
}
