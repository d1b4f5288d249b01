//! Laws against their clauses read naively, against what they must give, and against their inverse.

mod forms;

use std::ops::ControlFlow;

use grundy_rule::ast::ParamType;
use grundy_rule::rule::Value;
use proptest::prelude::*;

use super::pattern::Interval;
use super::*;

fn number(name: &str, value: Int) -> Param {
    Param { name: name.to_string(), ty: ParamType::Number, value: Some(Value::Number(value)) }
}

fn law(text: &str) -> Law {
    Law::parse(text, &[]).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn blackboard(k: Int) -> Law {
    let text = "g(0..) = 0, 0\ng(a*k + 1) = g(a) for a >= 1\ng(a*k + b) = a*(k - 1) + b - 1 for 2 <= b <= k";
    Law::parse(text, &[number("k", k)]).unwrap_or_else(|e| panic!("{e}"))
}

fn id(result: Result<Nimber, Error>) -> &'static str {
    result.map_or_else(|e| e.id(), |value| panic!("value {value}"))
}

const MOCK_TURTLES: &str = "g(0) = 1\ng(2n) = g(n) + 2n\ng(2n + 1) = 6n + 3 - g(n)";

#[test]
fn mock_turtles_are_the_odious_numbers_at_any_size() {
    let law = law(MOCK_TURTLES);
    assert!(law.digits.is_some());
    let odious = |n: u128| 2 * n + u128::from(n.count_ones().is_multiple_of(2));
    for n in (0..5000).chain([10_u128.pow(8) - 1, 10_u128.pow(18), 10_u128.pow(18) + 1, (1 << 120) + 7]) {
        assert_eq!(law.value(n).unwrap(), odious(n), "{n}");
    }
}

#[test]
fn the_blackboard_holds_for_every_k() {
    for k in [2, 3, 4, 7, 10] {
        let law = blackboard(k);
        // The rule, naively: mex of the window.
        let mut values: Vec<u128> = vec![0];
        for n in 1..=400 {
            let low = usize::try_from((n + k - 1) / k).unwrap();
            let window = &values[low..];
            values.push((0..).find(|v| !window.contains(v)).unwrap());
        }
        for (n, value) in (0..).zip(values) {
            assert_eq!(law.value(n).unwrap(), value, "k = {k}, n = {n}");
        }
    }
    let huge = blackboard(10_i128.pow(18));
    assert_eq!(huge.value(10_u128.pow(18)).unwrap(), 10_u128.pow(18) - 1);
    let two = blackboard(2);
    assert_eq!(two.value((1 << 60) - 1).unwrap(), 0);
}

#[test]
fn periods_are_taken_at_once() {
    let law = law("g(0..) = 0, 1, 2, 3, 1, 4\ng(n + 3) = g(n) + 2 for n >= 3");
    let values: Vec<u128> = (0..12).map(|n| law.value(n).unwrap()).collect();
    assert_eq!(values, [0, 1, 2, 3, 1, 4, 5, 3, 6, 7, 5, 8]);
    assert_eq!(law.value(3 * 10_u128.pow(18)).unwrap(), 3 + 2 * (10_u128.pow(18) - 1));

    let silent = super::tests::law("g(0..) = 5\ng(n + 4) = g(n) for n >= 2");
    assert_eq!(id(silent.value(10_u128.pow(18))), "law-silent");
}

#[test]
fn an_earlier_clause_interrupts_a_period() {
    // Every heap divisible by 10 is 7, whatever the period says.
    let law = law("g(0..) = 0, 1, 2\ng(10n) = 7 for n >= 1\ng(n + 3) = g(n)");
    let naive = |n: u128| {
        let mut n = n;
        loop {
            match n {
                0..=2 => return n,
                _ if n.is_multiple_of(10) => return 7,
                _ => n -= 3,
            }
        }
    };
    for n in 0..200 {
        assert_eq!(law.value(n).unwrap(), naive(n), "{n}");
    }
}

#[test]
fn what_a_law_cannot_say_is_an_error() {
    assert_eq!(id(law("g(2n) = 1").value(3)), "law-silent");
    assert_eq!(id(law("g(n) = g(n + 1)").value(3)), "law-circular");
    assert_eq!(id(law("g(n) = g(n)").value(3)), "law-circular");
    assert_eq!(id(law("g(n) = g(n - 5)").value(3)), "law-silent");
    assert_eq!(id(law("g(a + b) = a").value(1)), "law-ambiguous");
    assert_eq!(id(law("g(2a + 3b) = 1").value(6)), "law-ambiguous");
    assert_eq!(law("g(2a + 3b) = 1 for b <= 1").value(6).unwrap(), 1);
    assert_eq!(id(law("g(a*b) = a for b >= 2, a >= 1").value(6)), "law-ambiguous");
    assert_eq!(law("g(n) = n for n < 1\ng(a*b) = a for a >= b, b >= 2\ng(n) = 0").value(6).unwrap(), 3);
    assert_eq!(id(law("g(n) = 3 - n").value(4)), "law-negative");
    assert_eq!(id(law("g(n) = 2^n").value(200)), "overflow");
    assert_eq!(id(law("g(n) = n // (n - 4)").value(4)), "division");
    assert_eq!(id(law("g(n) = 1").value(u128::MAX)), "overflow");
    // One step at a time for ever: refused, not endless.
    assert_eq!(id(law("g(0) = 0\ng(n) = g(n - 1) + n mod 2 for n >= 1").value(10_u128.pow(18))), "law-slow");
    assert_eq!(law("g(0) = 0\ng(n) = g(n - 1) + n mod 2 for n >= 1").value(10_001).unwrap(), 5001);
    let unsolved = Law::parse("g(5 - n) = n", &[]).unwrap_err();
    assert_eq!(unsolved.id(), "law-pattern");
    assert!(unsolved.to_string().contains("g(5 - n)"), "{unsolved}");
}

#[test]
fn patterns_that_grow_are_bisected() {
    let law = law("g(2^k) = k\ng(m*m) = m + 100 for m >= 3\ng(n) = 0");
    assert_eq!(law.value(1).unwrap(), 0);
    assert_eq!(law.value(1 << 90).unwrap(), 90);
    assert_eq!(law.value(10_u128.pow(36)).unwrap(), 10_u128.pow(18) + 100);
    assert_eq!(law.value(10_u128.pow(36) + 1).unwrap(), 0);
}

#[test]
fn nested_values_need_no_recursion() {
    let law = law("g(0) = 0\ng(n) = g(g(n - 1)) + 1 for n >= 1");
    // g(1) = g(0) + 1 = 1, g(2) = g(1) + 1 = 2, ...
    assert_eq!(law.value(50_000).unwrap(), 50_000);
}

/// The inverse against evaluation of every heap.
fn check_inverse(law: &Law, up_to: u128) {
    for value in 0..40 {
        let found: Vec<u128> = law.heaps_with(value, 0, up_to).collect::<Result<_, _>>().unwrap();
        let all: Vec<u128> = (0..=up_to).filter(|n| law.value(*n).is_ok_and(|v| v == value)).collect();
        assert_eq!(found, all, "value {value} of\n{law}");
        let some: Vec<u128> = law.heaps_with(value, 7, up_to / 2).collect::<Result<_, _>>().unwrap();
        let all: Vec<u128> = all.into_iter().filter(|n| (7..=up_to / 2).contains(n)).collect();
        assert_eq!(some, all, "value {value} of\n{law}");
    }
}

#[test]
fn the_inverse_finds_all_heaps_in_order() {
    check_inverse(&law(MOCK_TURTLES), 300);
    check_inverse(&law("g(0..) = 0, 1, 2, 3, 1, 4\ng(n + 3) = g(n) + 2 for n >= 3"), 300);
    check_inverse(&law("g(0..) = 0, 1, 2, 3, 1, 4, 0, 0\ng(n + 3) = g(n) for n >= 2"), 300);
    check_inverse(&law("g(n) = n mod 4"), 200);
    check_inverse(&law("g(n) = 3n + 1 for n >= 5\ng(n) = 2"), 200);
    check_inverse(&law("g(n) = xor(n, 5)"), 200);
    check_inverse(&law("g(0) = 0\ng(2n) = 2*g(n)\ng(2n + 1) = 1"), 300);
    check_inverse(&law("g(0) = 0\ng(10n) = 7 for n >= 1\ng(n + 3) = g(n) for n >= 1"), 200);
    check_inverse(&law("g(0..) = 0, 0\ng(3n) = g(n)\ng(3n + 1) = g(n) + 1\ng(3n + 2) = g(n + 1)"), 300);
    for k in [2, 3, 10] {
        check_inverse(&blackboard(k), 500);
    }
    check_inverse(&law("g(a*a) = a\ng(n) = n"), 200);
    check_inverse(&law("g(0) = 0\ng(n + 1) = 2n + 1 - popcount(n) % 2"), 60);
}

#[test]
fn the_inverse_reaches_far_or_refuses() {
    let far = 10_u128.pow(18);
    let law_ = blackboard(3);
    let found: Vec<u128> = law_.heaps_with(4, far / 3, far).collect::<Result<_, _>>().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(law_.value(found[0]).unwrap(), 4);

    let turtles = law(MOCK_TURTLES);
    let value = turtles.value(far + 12_345).unwrap();
    let found: Vec<u128> = turtles.heaps_with(value, 0, 2 * far).collect::<Result<_, _>>().unwrap();
    assert_eq!(found, [far + 12_345]);

    let kayles = law("g(0..) = 0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4\ng(n + 12) = g(n) for n >= 1");
    let next: u128 = kayles.heaps_with(6, far, u128::MAX).next().unwrap().unwrap();
    assert_eq!((next - 11) % 12, 0);
    assert!(next >= far && next < far + 12);

    // Values that repeat without a rule that could be turned round.
    let hard = law("g(n) = popcount(n) + digitsum(n)");
    let refused = hard.heaps_with(5000, 0, far).next().unwrap().unwrap_err();
    assert_eq!(refused.id(), "law-inverse");
    assert!(hard.heaps_with(5000, 0, 1000).next().is_none());
}

/// `g(c n + r) = a g(n) + b n + d` for each residue, with values for the heaps below c.
fn digit_law() -> impl Strategy<Value = String> {
    (2_usize..6).prop_flat_map(|c| {
        let clause = (0_i64..3, 0_i64..4, 0_i64..9);
        (prop::collection::vec(0_i64..9, c), prop::collection::vec(clause, c)).prop_map(
            move |(small, all)| {
                let small: Vec<String> = small.iter().map(i64::to_string).collect();
                let mut text = format!("g(0..) = {}\n", small.join(", "));
                for (r, (a, b, d)) in all.iter().enumerate() {
                    text += &format!("g({c}n + {r}) = {a}*g(n) + {b}*n + {d} for n >= 1\n");
                }
                text
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn digits_say_what_the_clauses_say(text in digit_law(), n in 0_i128..1_000_000_000) {
        let law = law(&text);
        prop_assert!(law.digits.is_some());
        for heap in [n, n % 1000, n % 10] {
            prop_assert_eq!(law.at(heap).unwrap(), law.by_clauses(heap).unwrap());
        }
    }

    #[test]
    fn the_inverse_of_digits_is_right(text in digit_law(), value in 0_u128..30) {
        let law = law(&text);
        let found: Result<Vec<u128>, _> = law.heaps_with(value, 0, 400).collect();
        let all: Vec<u128> = (0..=400).filter(|n| law.value(*n).unwrap() == value).collect();
        prop_assert_eq!(found.unwrap(), all);
    }

    #[test]
    fn two_names_are_solved_completely(c in 1_i128..30, d in 1_i128..30, n in 0_i128..2000,
                                       lo in 0_i128..20, width in 0_i128..40, xlo in 0_i128..5, xw in 0_i128..100) {
        let boxes = [Interval { lo: xlo, hi: xlo + xw }, Interval { lo, hi: lo + width }];
        let mut found = Vec::new();
        pattern::solve_affine(&[c, d], n, &boxes, &mut |xs| {
            found.push((xs[0], xs[1]));
            Ok(ControlFlow::Continue(()))
        }).unwrap();
        let mut all = Vec::new();
        for x in xlo..=xlo + xw {
            for y in lo..=lo + width {
                if c * x + d * y == n {
                    all.push((x, y));
                }
            }
        }
        found.sort_unstable();
        prop_assert_eq!(found, all);
    }
}

#[test]
fn the_laws_of_the_catalogue_give_its_terms() {
    let mut laws = 0;
    for game in crate::catalogue::games() {
        let Some(text) = game.text() else { continue };
        let (file, _) = grundy_rule::parser::parse_file(text);
        if file.law.is_empty() || file.header.as_ref().is_some_and(|h| !h.params.is_empty()) {
            continue;
        }
        let clauses = law_text::resolve(&file.law, &[]).unwrap_or_else(|e| panic!("{}: {}", game.name, e[0]));
        let law = Law::new(clauses, &[]).unwrap_or_else(|e| panic!("{}: {e}", game.name));
        for (n, term) in (0..).zip(file.terms.iter().flatten()) {
            match law.value(n) {
                Ok(value) => assert_eq!(Int::try_from(value), Ok(*term), "{} at {n}", game.name),
                Err(error) => assert_eq!(error.id(), "law-silent", "{} at {n}: {error}", game.name),
            }
        }
        let far = law.value_of(&vec![10_u128.pow(12); law.arity()]);
        assert!(far.as_ref().map_or_else(|e| e.id() == "law-silent", |_| true), "{}: {far:?}", game.name);
        laws += 1;
    }
    assert!(laws >= 10, "{laws} laws");
}
