//! Changed certificates: whatever a checker accepts must be true.
//!
//! Each certificate is changed at one place of its text - a digit, a sign, a letter left out - in thousands of ways. A
//! change may be harmless (a game's name), or may even give another true theorem; so what is accepted is compared with
//! the table of the rule that the changed certificate names, 10^4 heaps of it.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::HashMap;
use std::path::PathBuf;

use grundy::law::Law;
use grundy::table::{self, Options, Table};
use grundy_check::certificate::Certificate;
use grundy_check::{Fault, Limits, check};
use grundy_rule::Rule;
use grundy_rule::argument::Argument;

const HEAPS: u64 = 10_000;

fn certificate(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../certificates");
    std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap()
}

/// All texts that differ from this one at one place.
fn changed(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (at, letter) in text.char_indices() {
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
        let table =
            tables.entry(key).or_insert_with(|| table::tabulate(&rule, HEAPS, &Options::default()).unwrap());
        let law = match Law::parse(&certificate.law, &rule.params) {
            Ok(law) => law,
            // Windows without any heap in them are proved, but not evaluated: nothing false is said.
            Err(error) if error.id() == "law-window" && *value == "0" => continue,
            Err(error) => panic!("{error}\n{text}"),
        };
        for (n, nimber) in
            (0..).zip(table.iter()).skip(usize::try_from(certificate.first).unwrap_or(usize::MAX))
        {
            assert_eq!(law.value(n).unwrap(), u128::from(nimber), "heap {n} of\n{text}");
        }
    }
}

#[test]
fn no_changed_certificate_proves_a_falsehood() {
    let mut tables = HashMap::new();
    let (mut tried, mut accepted) = (0, 0);
    for name in
        ["kayles", "blackboard", "s-2-5-7", "take-at-most-half", "take-at-most-sqrt", "bachet", "guiles"]
    {
        let text = certificate(name);
        holds(&text, &mut tables);
        for text in changed(&text) {
            tried += 1;
            match check(&text, Limits { bytes: 1 << 26, steps: 1 << 28 }) {
                Ok(_) => {
                    accepted += 1;
                    holds(&text, &mut tables);
                }
                Err(Fault::Unreadable(_) | Fault::Refused(..) | Fault::Limit(_)) => {}
            }
        }
    }
    assert!(tried > 5000, "{tried}");
    // Names of games, longer periods, later preperiods: there are harmless changes, but most are not.
    assert!(accepted > 50 && accepted < tried / 4, "{accepted} of {tried}");
}

#[test]
fn laws_of_neighbours_are_refused() {
    let pairs = [
        ("kayles", "dawsons-kayles"),
        ("take-at-most-half", "take-at-most-third"),
        ("guiles", "dawsons-chess"),
    ];
    for (one, other) in pairs {
        let mut certificate = Certificate::parse(&certificate(one)).unwrap();
        certificate.law = Certificate::parse(&self::certificate(other)).unwrap().law;
        let verdict = check(&certificate.to_string(), Limits::default());
        assert!(matches!(verdict, Err(Fault::Refused(..))), "{one} {verdict:?}");
    }
}
