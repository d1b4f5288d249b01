//! Changed certificates: whatever a checker accepts must be true.
//!
//! Each certificate is changed at one place of its text - a digit, a sign, a letter left out - in thousands of ways. A
//! change may be harmless (a game's name), or may even give another true theorem; so what is accepted is compared with
//! the table of the rule that the changed certificate names, 10^4 heaps of it.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::HashMap;
use std::path::PathBuf;

use grundy::law::Law;
use grundy::proof::{self, Outcome};
use grundy::table::{self, Options, Table};
use grundy_check::certificate::{Certificate, Proof};
use grundy_check::{Fault, Limits, check};
use grundy_rule::argument::Argument;
use grundy_rule::law_text::{self, Automaton, AutomatonState};
use grundy_rule::{Rule, Span};

const HEAPS: u64 = 10_000;

fn certificate(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../certificates");
    std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap()
}

/// Texts that differ from this one at one place, which is every `step`-th of its letters.
fn changed(text: &str, step: usize) -> Vec<String> {
    let mut all = Vec::new();
    for (at, letter) in text.char_indices().step_by(step) {
        let after = at + letter.len_utf8();
        let mut with = |new: &str| all.push(format!("{}{new}{}", &text[..at], &text[after..]));
        if let Some(digit) = letter.to_digit(10) {
            for new in [(digit + 1) % 10, (digit + 9) % 10, (digit + 5) % 10] {
                with(&new.to_string());
            }
            with(&format!("{digit}0"));
            with(&format!("-{digit}"));
        }
        let others = match letter {
            '+' => "-*",
            '-' => "+*",
            '*' => "+",
            '<' => ">=",
            '>' => "<=",
            '=' => "<>",
            ',' => ";.",
            'a'..='z' => "nkz",
            _ => "",
        };
        others.chars().filter(|new| *new != letter).for_each(|new| with(&new.to_string()));
        with("");
    }
    all
}

/// What a certificate says is true of the table, for some values of parameters that it leaves open.
fn holds(text: &str, tables: &mut HashMap<String, Table>) {
    let certificate = Certificate::parse(text).unwrap();
    let given: Vec<(String, Argument)> = certificate
        .parameters
        .iter()
        .map(|(name, value)| (name.clone(), Argument::parse(value).unwrap()))
        .collect();
    let (open, _) = Rule::parse(&certificate.rule, &given).unwrap();
    let missing: Vec<String> =
        open.params.iter().filter(|param| param.value.is_none()).map(|param| param.name.clone()).collect();
    let values: &[&str] = if missing.is_empty() { &[""] } else { &["0", "1", "2", "3", "7", "10"] };
    for value in values {
        let mut given = given.clone();
        given.extend(missing.iter().map(|name| (name.clone(), Argument::parse(value).unwrap())));
        // A value that the header forbids is none that the certificate is about.
        let Ok((rule, _)) = Rule::parse(&certificate.rule, &given) else { continue };
        let key = format!("{} {:?} {value}", certificate.rule, certificate.parameters);
        let table = tables.entry(format!("{key} {:?} {}", certificate.kind, certificate.entries));
        let table = table.or_insert_with(|| {
            let end = if certificate.entries == 1 { HEAPS } else { 60 };
            let options = Options { kind: certificate.kind.clone(), ..Options::default() };
            table::grid(&rule, &vec![end; certificate.entries], &options).unwrap()
        });
        let law = match Law::parse(&certificate.law, &rule.params) {
            Ok(law) => law,
            // Windows without any heap in them are proved, but not evaluated: nothing false is said.
            Err(error) if error.id() == "law-window" && *value == "0" => continue,
            Err(error) => panic!("{error}\n{text}"),
        };
        let first = usize::try_from(certificate.first).unwrap_or(usize::MAX);
        for (index, nimber) in table.iter().enumerate().skip(first) {
            let heap: Vec<u128> = table.entries(index).into_iter().map(|n| n as u128).collect();
            assert_eq!(law.value_of(&heap).unwrap(), u128::from(nimber), "heap {heap:?} of\n{text}");
        }
    }
}

/// Kayles by its automaton, without the theorem of Guy and Smith.
fn kayles_by_automata() -> String {
    let (rule, _) = Rule::parse(&Certificate::parse(&certificate("kayles")).unwrap().rule, &[]).unwrap();
    let table = table::tabulate(&rule, 3000, &Options::default()).unwrap();
    let values: Vec<u128> = table.iter().map(u128::from).collect();
    let learned = grundy::automaton::learn::synchronized(&values, 2, 100).unwrap();
    let states = (0..u32::try_from(learned.states()).unwrap()).map(|state| {
        let next = (0..4_u32).map(|letter| (letter & 1, letter >> 1, learned.step(state, letter as usize)));
        let mut next: Vec<_> = next.filter(|step| step.2 != grundy::automaton::DEAD).collect();
        next.sort_unstable();
        AutomatonState { accepting: learned.accepting(state), next }
    });
    let block =
        Automaton { base: 2, entries: 1, coded: false, states: states.collect(), span: Span::default() };
    let law = law_text::parse(&block.to_string(), &[]).unwrap();
    match proof::prove(&rule, Some(&law), &grundy::limits::Limits::default()).unwrap() {
        Outcome::Proved(proof) => proof.certificate.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Checks all changes; how many there were, and how many were accepted, all of which are true.
fn attack(text: &str, step: usize) -> (usize, usize) {
    let mut tables = HashMap::new();
    holds(text, &mut tables);
    let changed = changed(text, step);
    let accepted = changed.iter().filter(|text| {
        match check(text, Limits { bytes: 1 << 26, steps: 1 << 28, until: None }) {
            Ok(_) => holds(text, &mut tables),
            Err(Fault::Unreadable(_) | Fault::Refused(..) | Fault::Limit(_)) => return false,
        }
        true
    });
    (changed.len(), accepted.count())
}

#[test]
fn no_changed_certificate_of_a_period_or_a_window_proves_a_falsehood() {
    let (mut tried, mut accepted) = (0, 0);
    for name in
        ["kayles", "blackboard", "s-2-5-7", "take-at-most-half", "take-at-most-sqrt", "bachet", "guiles"]
    {
        let (some, true_ones) = attack(&certificate(name), 1);
        (tried, accepted) = (tried + some, accepted + true_ones);
    }
    assert!(tried > 5000, "{tried}");
    // Names of games, longer periods, later preperiods: there are harmless changes, but most are not.
    assert!(accepted > 50 && accepted < tried / 4, "{accepted} of {tried}");
}

#[test]
fn no_changed_certificate_of_an_automaton_proves_a_falsehood() {
    let (mut tried, mut accepted) = (0, 0);
    let texts = [
        (certificate("mock-turtles"), 3),
        (certificate("lasker-nim"), 2),
        (certificate("ruler"), 2),
        (certificate("nim-pair"), 1),
        (certificate("king"), 3),
        (kayles_by_automata(), 400),
    ];
    for (text, step) in texts {
        let (some, true_ones) = attack(&text, step);
        (tried, accepted) = (tried + some, accepted + true_ones);
    }
    assert!(tried > 2000, "{tried}");
    // Names, and witnesses that are not needed.
    assert!(accepted > 20 && accepted < tried / 3, "{accepted} of {tried}");
}

#[test]
fn a_certificate_cut_off_or_with_a_padded_automaton_is_refused() {
    let text = certificate("lasker-nim");
    for cut in 0..text.trim_end().len() {
        assert!(matches!(check(&text[..cut], Limits::default()), Err(Fault::Unreadable(_))), "{cut}");
    }
    // States that tell a zero at the end from none: right for every heap as it is written, and no function.
    let mut padded = Certificate::parse(&text).unwrap();
    let Proof::Automatic(data) = &mut padded.proof else { panic!("a proof by automata") };
    let refusing = i64::try_from(data.automaton.next.len()).unwrap();
    data.automaton.next.push(vec![refusing, -1, -1, -1]);
    let first = usize::try_from(data.automaton.accepting[0]).unwrap();
    data.automaton.next[first][0] = refusing;
    let verdict = check(&padded.to_string(), Limits::default());
    assert!(matches!(&verdict, Err(Fault::Refused(by, _)) if by == "P"), "{verdict:?}");
}

#[test]
fn laws_of_neighbours_are_refused() {
    let pairs = [
        ("kayles", "dawsons-kayles"),
        ("take-at-most-half", "take-at-most-third"),
        ("guiles", "dawsons-chess"),
        ("mark", "upmark"),
        ("lasker-nim", "split-in-three"),
        ("mock-turtles", "splitting"),
    ];
    for (one, other) in pairs {
        let mut certificate = Certificate::parse(&certificate(one)).unwrap();
        certificate.law = Certificate::parse(&self::certificate(other)).unwrap().law;
        let verdict = check(&certificate.to_string(), Limits::default());
        assert!(matches!(verdict, Err(Fault::Refused(..))), "{one} {verdict:?}");
    }
}
