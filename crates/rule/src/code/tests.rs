//! Codes as text: normal forms, the rule text of each kind, and what is refused and why.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Code {
    parse(text).expect("looks like a code").expect("is a code")
}

fn refused(text: &str) -> Diagnostic {
    parse(text).expect("looks like a code").expect_err("is no code")
}

#[test]
fn every_code_has_one_normal_form() {
    for (text, normal) in [
        (".77", "0.77"),
        ("0.77000", "0.77"),
        ("4.0", "4.0"),
        ("4.000", "4.0"),
        ("0.0", "0.0"),
        (".137", "0.137"),
        ("0.33[3]", "0.[3]"),
        ("0.[33]", "0.[3]"),
        ("0.3[3]", "0.[3]"),
        ("0.13[131]", "0.13[131]"),
        ("0.31[31]", "0.[31]"),
        ("0.3[13]", "0.[31]"),
        ("0.7[0]", "0.7"),
        ("4!.0", "4!.0"),
        ("4?.0", "4!.0"),
        ("0.3!", "0.3"),
        ("0.C?", "0.C?"),
        ("0.2048", "0.2048"),
        ("0.0f", "0.0F"),
        ("S(7,2,5,5)", "S(2,5,7)"),
        ("S( 1..3 , 4,9 )", "S(1..4,9)"),
        ("S(1,2)", "S(1,2)"),
        ("allbut(3,2)", "allbut(2,3)"),
        ("1-3", "1-3"),
        ("3-3", "3"),
        ("1+c", "1+C"),
        ("3e", "3E"),
        ("2E", "2"),
        ("1-3C(5)", "1-3C(5)"),
        ("1-9C(5)", "1-5C(5)"),
        ("1+C(5)", "1-5C(5)"),
        ("4FS", "4SF"),
        ("1, 3S", "1,3S"),
    ] {
        assert_eq!(read(text).to_string(), normal, "{text}");
    }
}

#[test]
fn names_and_rules_are_no_codes() {
    for text in
        ["kayles", "nim", "n -> n - 1", "", "5 7 12", "all", "x.game", "Sym", "n", ".bed", "allbut", "S"]
    {
        assert!(parse(text).is_none(), "{text}");
    }
}

#[test]
fn what_is_refused_says_why() {
    for (text, id, word) in [
        ("3.0", "loop", "leave the heap as it is"),
        ("1.7", "loop", "take nothing and leave nothing"),
        ("7.7", "loop", "for ever"),
        ("40.7", "loop", "add to the heap"),
        ("0.7G", "code", "0 to F"),
        ("0.7.7", "code", "one point"),
        ("0.7[3", "code", "not closed"),
        ("0.7[]", "code", "no digit to repeat"),
        ("0.[3]3", "code", "end the code"),
        ("0.!7", "code", "directly after a digit"),
        ("0.7!!", "code", "directly after a digit"),
        ("S()", "code", "no number"),
        ("S(0,1)", "loop", "leaves the heap"),
        ("S(3..1)", "code", "empty"),
        ("S(1,2", "code", "not closed"),
        ("S(1,,2)", "code", "missing"),
        ("S(x)", "code", "no number"),
        ("S(1..1000000)", "code", "more than"),
        ("allbut(2", "code", "not closed"),
        ("0C", "code", "at least one"),
        ("3-1", "code", "no number is between"),
        ("77", "code", "exactly 77 coins"),
        ("3CE", "code", "one of"),
        ("3X", "code", "no sign"),
        ("6C(5)", "code", "do not lie"),
        ("3C(", "code", "not closed"),
        ("3-", "code", "missing"),
    ] {
        let diagnostic = refused(text);
        assert_eq!(diagnostic.id, id, "{text}: {diagnostic}");
        assert!(diagnostic.message.contains(word), "{text}: {diagnostic}");
        assert!(diagnostic.span.end <= text.len(), "{text}");
    }
}

#[test]
fn an_error_points_into_the_text_as_typed() {
    let diagnostic = refused("  0.7G");
    assert_eq!((diagnostic.span.start, diagnostic.span.end), (5, 6));
    let patch = refused(" 137").patch.expect("a point");
    assert_eq!((patch.span.start, patch.span.end, patch.text.as_str()), (1, 4, "0.137"));
    let patch = refused(" S(1").patch.expect("a bracket");
    assert_eq!((patch.span.start, patch.text.as_str()), (4, ")"));
}

#[test]
fn the_text_says_what_the_code_says() {
    for (code, text) in [
        ("0.0", "n -> nothing where n < 0\n"),
        (
            "0.77",
            "n -> nothing where n in 1..2\nn -> n - t where t in 1..2, t < n\n\
             n -> a, b where a + b = n - t, t in 1..2, 1 <= a <= b\n",
        ),
        ("0.07", "2 -> nothing\nn -> n - 2 where n > 2\nn -> a, b where a + b = n - 2, 1 <= a <= b\n"),
        ("0.333", "n -> n - t where t in 1..3\n"),
        ("0.[3]", "n -> n - t where t >= 1\n"),
        ("0.[03]", "n -> n - t where t >= 1 and t % 2 = 0\n"),
        (
            "0.3[103]",
            "n -> nothing where n >= 1 and n % 3 in {1, 2}\n\
                      n -> n - t where t >= 1 and t % 3 = 1, t < n\n",
        ),
        ("4!.0", "n -> a, b where a + b = n, 1 <= a < b\n"),
        ("4=.0", "n -> a, a where 2*a = n, 1 <= a\n"),
        ("4.[3]", "n -> n - t where t >= 1\n"),
        ("8.0", "n -> a, b, c where a + b + c = n, 1 <= a <= b <= c\n"),
        ("0.8?", "n -> a, b, c where a + b + c = n - 1, 1 <= a <= b <= c, a < c\n"),
        ("0.8=", "n -> a, a, a where 3*a = n - 1, 1 <= a\n"),
        ("S(2,5,7)", "n -> n - t where t in {2, 5, 7}\n"),
        ("allbut(2,3)", "n -> n - t where t >= 1, t not in {2, 3}\n"),
        ("1", "coins\nn -> nothing\n"),
        ("2", "coins\nn -> a where a < n\n"),
        ("1-3", "coins\nn -> nothing\nn -> a where a < n\nn -> a, b where a < b < n\n"),
        ("1+C", "coins\nn -> [n - i for i in 1..d] where d in 0..n-1\n"),
        ("3E", "coins\nn -> [n - i*s for i in 1..d] where d = 2, s >= 1, d*s <= n\n"),
        ("3S", "coins\nn -> a, b where a < b < n, 2*b = a + n\n"),
        ("4SF", "coins\nn -> 0, a, n - a where 0 < a < n, 2*a < n\n"),
    ] {
        if code == "4.[3]" {
            assert!(read(code).to_rule_text().ends_with("a + b = n, 1 <= a <= b\n"));
            continue;
        }
        assert_eq!(read(code).to_rule_text(), text, "{code}");
    }
}

#[test]
fn a_code_knows_its_digits_for_ever() {
    let Code::TakeAndBreak(code) = read("4.31[702]") else { panic!("a take-and-break code") };
    let bits: Vec<u8> = (0..9).map(|t| code.digit(t).bits()).collect();
    assert_eq!(bits, [4, 3, 1, 7, 0, 2, 7, 0, 2]);
    assert_eq!(code.digit(3 + 3 * 1_000_000_000_000 + 2).bits(), 2);
    assert_eq!(code.most_heaps(), 2);
    assert!(!code.is_octal());
    let Code::TakeAndBreak(code) = read("0.2048") else { panic!("a take-and-break code") };
    assert_eq!((code.most_heaps(), code.is_octal()), (3, false));
}

fn digits() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0u8..16, 0u8..4), 0..7)
}

fn digit((bits, mode): &(u8, u8)) -> Digit {
    let mode = [Mode::Any, Mode::AllUnequal, Mode::NotAllEqual, Mode::AllEqual][usize::from(*mode)];
    Digit::new(*bits, mode).expect("bits below 16")
}

proptest! {
    #[test]
    fn take_and_break_codes_survive_printing(d0 in 0u8..4, mut head in digits(), tail in digits()) {
        head.insert(0, (d0 * 4, 0));
        let head: Vec<Digit> = head.iter().map(digit).collect();
        let tail: Vec<Digit> = tail.iter().map(digit).collect();
        let code = TakeAndBreak::new(head.clone(), tail.clone()).expect("d0 is 0, 4, 8 or C");
        for t in 0..40u64 {
            // The normal form has the same digits for ever.
            let at = usize::try_from(t).unwrap();
            let expected = match head.get(at) {
                Some(digit) => *digit,
                None if tail.is_empty() => Digit::ZERO,
                None => tail[(at - head.len()) % tail.len()],
            };
            prop_assert_eq!(code.digit(t), expected);
        }
        let code = Code::TakeAndBreak(code);
        prop_assert_eq!(read(&code.to_string()), code);
    }

    #[test]
    fn sets_survive_printing(set in prop::collection::btree_set(1u64..60, 1..20)) {
        let set: Vec<u64> = set.into_iter().collect();
        for code in [Code::Subtraction(set.clone()), Code::AllBut(set)] {
            prop_assert_eq!(read(&code.to_string()), code);
        }
    }

    #[test]
    fn turning_codes_survive_printing(text in "1?[1-9](-1?[1-9]|\\+)?[CES]?(C\\(1?[1-9]\\))?F?(,[1-9](\\+)?[CES]?F?)?") {
        if let Some(Ok(code)) = parse(&text) {
            prop_assert_eq!(read(&code.to_string()), code);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[0-9A-FS.!?=\\[\\]()+,a-z -]{0,12}|\\PC{0,8}") {
        if let Some(Ok(code)) = parse(&text) {
            prop_assert_eq!(read(&code.to_string()), code.clone());
            prop_assert!(!code.to_rule_text().is_empty());
        }
    }
}
