//! Whatever a code is turned into is rule text that the language reads without a word of complaint.

use grundy_rule::ends::{self, Ends};
use grundy_rule::{Rule, code};
use proptest::prelude::*;

fn rule(code: &str) -> Rule {
    let text = code::to_rule_text(code).expect("a code").expect("a valid code");
    match Rule::parse(&text, &[]) {
        Ok((rule, warnings)) => {
            let said: Vec<String> = warnings.iter().map(|w| w.plain(&text)).collect();
            assert!(said.is_empty(), "{code}: {}", said.join("\n"));
            rule
        }
        Err(errors) => {
            let said: Vec<String> = errors.iter().map(|e| e.plain(&text)).collect();
            panic!("{code}:\n{text}{}", said.join("\n"));
        }
    }
}

#[test]
fn the_codes_of_the_handbook_are_rules_whose_play_ends() {
    for code in [
        "0.77",
        ".137",
        "4.0",
        "0.6",
        "0.007",
        "0.8",
        "0.2048",
        "0.3[3]",
        "0.[3]",
        "4!.0",
        "4=.0",
        "C?.F!",
        "0.0",
        "4.[3]",
        "0.7[07]",
        "0.1[402]",
        "S(2,5,7)",
        "S(1..3)",
        "S(1..9,11,13..30)",
        "allbut(2,3)",
        "allbut(1)",
        "allbut()",
    ] {
        let rule = rule(code);
        assert_eq!((rule.kinds.len(), rule.coins), (1, false), "{code}");
        assert!(matches!(ends::ends(&rule), Ends::Proved(_)), "{code}");
    }
    for code in [
        "1", "2", "1-3", "1+C", "3E", "1+E", "1-3C(5)", "1-5C", "4FS", "1+S", "1+", "2-12", "3+C(20)F", "9S",
        "9SF", "2-5EF", "3+CF", "1,3S,5E",
    ] {
        let rule = rule(code);
        assert_eq!((rule.kinds.len(), rule.coins), (1, true), "{code}");
        assert!(matches!(ends::ends(&rule), Ends::Proved(_)), "{code}");
    }
}

#[test]
fn a_rule_finds_its_code_again() {
    // The code found is the same game, in normal form; a code that only takes is a subtraction game.
    for (code, found) in [
        ("0.77", "0.77"),
        ("0.007", "0.007"),
        ("4.0", "4.0"),
        ("4!.0", "4!.0"),
        ("0.6", "0.6"),
        ("0.2048", "0.2048"),
        ("0.333", "S(1..3)"),
        ("0.[3]", "0.[3]"),
        ("4.[3]", "4.[3]"),
        ("0.7[07]", "0.[70]"),
        ("0.F!F?F=", "0.F!F?F="),
        ("S(2,5,7)", "S(2,5,7)"),
        ("allbut(2,3)", "allbut(2,3)"),
        ("0.0", "0.0"),
        ("1", "1"),
        ("2", "2"),
        ("1-3", "1-3"),
        ("1,3", "1,3"),
        ("1+C", "1+C"),
        ("1-5C", "1-5C"),
        ("2+C", "2+C"),
    ] {
        let again = code::of_rule(&rule(code)).map(|code| code.to_string());
        assert_eq!(again.as_deref(), Some(found), "{code}");
    }
    for code in ["3E", "1+S", "3+C(20)F"] {
        assert_eq!(
            code::of_rule(&rule(code)),
            None,
            "{code}: evenly spaced and symmetrical coins have no shape yet"
        );
    }
}

proptest! {
    #[test]
    fn a_rule_has_the_code_it_was_made_from(text in "[04]\\.[0-7]{1,4}") {
        if let Some(Ok(code)) = code::parse(&text)
            && let Some(found) = code::of_rule(&rule(&text))
        {
            // Either the code itself, or, without splitting, the set of what may be taken.
            prop_assert!(found == code || matches!(found, code::Code::Subtraction(_)), "{text}: {found}");
            prop_assert!(rule(&found.to_string()) == rule(&text) || found == code, "{text}: {found}");
        }
    }

    #[test]
    fn every_take_and_break_code_is_a_rule(
        text in "[048C]\\.([0-9A-F][!?=]?){0,5}(\\[([0-9A-F][!?=]?){1,4}\\])?"
    ) {
        if let Some(Ok(_)) = code::parse(&text) {
            prop_assert!(!rule(&text).coins);
        }
    }

    #[test]
    fn every_turning_code_is_a_rule(text in "[1-9](-1?[1-9]|\\+)?[CES]?(C\\([1-9]\\))?F?(,[1-9]\\+?[CES]?F?)?") {
        if let Some(Ok(_)) = code::parse(&text) {
            prop_assert!(rule(&text).coins);
        }
    }
}
