//! False formulas in circulation are refuted where the literature's tables say, and right ones are not.

use grundy_rule::Rule;
use grundy_rule::heap::KindId;

use super::*;
use crate::law::Law;
use crate::limits::Limits;
use crate::table::{Options, tabulate};

fn rule(text: &str) -> Rule {
    Rule::parse(text, &[]).unwrap().0
}

fn compared(rule: &Rule, law: &str, n: u64) -> Result<Comparison, Error> {
    let law = Law::parse(law, &rule.params).unwrap();
    let table = tabulate(rule, n, &Options::default()).unwrap();
    compare(|n| Claim::of(&law, n), &table, &Limits::default().clock())
}

fn decided(rule: &Rule, found: &Comparison) -> Decision {
    let first = found.first.as_ref().unwrap();
    let table = tabulate(rule, first.heap.saturating_sub(1), &Options::default()).unwrap();
    decide(rule, KindId(0), (first.heap, &first.said, first.nimber), &table, &Limits::default()).unwrap()
}

/// Heaps of the kind of the rule, as a sum.
fn sum(heaps: &[i128]) -> grundy_rule::Sum {
    grundy_rule::Sum::new(heaps.iter().map(|n| (grundy_rule::Heap::new(KindId(0), &[*n]), 1)).collect())
        .unwrap()
}

#[test]
fn false_formulas_in_circulation() {
    // Take at most half: g(3) = 0, for 3 -> 2 is the only move and g(2) = 1.
    let half = rule("n -> n - t where 1 <= t <= n/2");
    let found = compared(&half, "g(n) = log(n, 2)", 1000).unwrap();
    assert_eq!(found.first, Some(Wrong { heap: 3, said: Said::Value(1), nimber: 0 }));
    assert_eq!(found.unsaid.as_ref().map(|unsaid| (unsaid.count, unsaid.first)), Some((1, 0)));
    assert_eq!(
        decided(&half, &found),
        Decision::Lacks { value: 0, options: vec![(sum(&[2]), 1)], complete: true, moves: 1 }
    );

    // Powers of 4: g(2) = 0, for 2 -> 1 is the only move and g(1) = 1.
    let powers = rule("n -> n - t where t in powers(4)");
    let found = compared(&powers, "g(n) = n mod 5", 1000).unwrap();
    assert_eq!(found.first, Some(Wrong { heap: 2, said: Said::Value(2), nimber: 0 }));
    assert_eq!(found.extent.unwrap().to_string(), "n = 2, 3, 4 mod 5");

    // Lasker's Nim: 3 -> 1, 2 has value 1 xor 2 = 3.
    let lasker = rule("n -> a where a < n\nn -> a, b where a + b = n, 1 <= a <= b");
    let found = compared(&lasker, "g(n) = n for not 4 divides n", 1000).unwrap();
    assert_eq!(found.first, Some(Wrong { heap: 3, said: Said::Value(3), nimber: 4 }));
    assert_eq!(found.extent, Some(Extent::Residues { modulus: 4, residues: vec![3], from: 3, all: true }));
    assert_eq!(found.extent.as_ref().unwrap().to_string(), "n = 3 mod 4");
    assert_eq!(decided(&lasker, &found), Decision::Has { option: sum(&[1, 2]), value: 3 });
}

#[test]
fn true_laws_hold() {
    let lasker = rule("n -> a where a < n\nn -> a, b where a + b = n, 1 <= a <= b");
    let law = "g(0) = 0\ng(4k+1) = 4k+1\ng(4k+2) = 4k+2\ng(4k+3) = 4k+4\ng(4k+4) = 4k+3";
    let found = compared(&lasker, law, 2000).unwrap();
    assert!(found.holds());
    assert_eq!((found.checked_to, found.spoken, found.wrong, found.extent), (2000, 2001, 0, None));
}

#[test]
fn a_value_that_no_option_has_comes_with_the_options_that_have_the_smaller_ones() {
    // S(1, 3, 4): values 0 1 0 1 2 3 2; heap 5 -> 4, 2, 1 with values 2, 0, 1.
    let rule = rule("n -> n - t where t in {1, 3, 4}");
    let found = compared(&rule, "g(n) = 7 for n = 5", 10).unwrap();
    let options = vec![(sum(&[2]), 0), (sum(&[1]), 1), (sum(&[4]), 2)];
    assert_eq!(decided(&rule, &found), Decision::Lacks { value: 3, options, complete: true, moves: 3 });
    assert_eq!(found.extent.unwrap().to_string(), "n = 5");
    assert_eq!(found.spoken, 1);
}

#[test]
fn only_the_least_values_of_many_options_are_kept() {
    let nim = rule("n -> a where a < n");
    let found = compared(&nim, "g(n) = 1000 for n = 100", 200).unwrap();
    let Decision::Lacks { value: 100, options, complete: false, moves: 100 } = decided(&nim, &found) else {
        panic!("no option of 100 has value 100")
    };
    assert_eq!(options.len(), decision::SHOWN);
    assert!(options.iter().zip(0..).all(|((_, value), least)| *value == least));
}

#[test]
fn coins_that_cancel_are_left_out() {
    // Turning turtles with an idle pair: what is left twice is gone.
    let rule = rule("coins x\nn -> a, a where a < n");
    let found = compared(&rule, "g(n) = 0", 5).unwrap();
    let first = found.first.clone().unwrap();
    assert_eq!((first.heap, first.nimber), (1, 1));
    assert_eq!(decided(&rule, &found), Decision::Has { option: sum(&[]), value: 0 });
}

#[test]
fn a_law_about_the_outcome_is_compared_with_the_outcome() {
    let three = rule("n -> n - t where t in 1..3");
    assert!(compared(&three, "zeros\nz(i) = 4i", 1000).unwrap().holds());
    let found = compared(&three, "zeros\nz(i) = 8i", 1000).unwrap();
    assert_eq!(found.first, Some(Wrong { heap: 4, said: Said::Won, nimber: 0 }));
    assert_eq!(found.extent.as_ref().unwrap().to_string(), "n = 4 mod 8");
    assert!(matches!(decided(&three, &found), Decision::Lacks { value: 0, .. }));
    let found = compared(&three, "zeros\nz(i) = 3i", 1000).unwrap();
    assert_eq!(found.first, Some(Wrong { heap: 3, said: Said::Value(0), nimber: 3 }));
    assert!(matches!(decided(&three, &found), Decision::Has { value: 0, .. }));
}

#[test]
fn what_is_no_nimber_is_wrong_and_what_has_no_value_is_not() {
    let nim = rule("n -> a where a < n");
    let found = compared(&nim, "g(n) = n - 1", 100).unwrap();
    let first = found.first.unwrap();
    assert_eq!((first.heap, first.nimber), (0, 0));
    assert!(matches!(first.said, Said::NoNimber(message) if message.contains("-1")));
    assert_eq!(found.extent, Some(Extent::From(0)));

    let found = compared(&nim, "g(2n) = 2n", 100).unwrap();
    assert!(found.holds());
    assert_eq!(found.spoken, 51);
    assert_eq!(found.unsaid.map(|unsaid| (unsaid.count, unsaid.first)), Some((50, 1)));

    assert_eq!(compared(&nim, "g(n + 1) = g(n) + 1", 100).unwrap_err().id(), "law-silent");
    assert_eq!(compared(&nim, "g(n) = g(n)", 100).unwrap_err().id(), "law-circular");
    assert_eq!(
        compared(&nim, "g(a + b) = a + b for a <= 1, b <= 100", 100).unwrap_err().id(),
        "law-ambiguous"
    );
    // Refuted before it becomes ambiguous: the counterexample is what there is to say.
    let found = compared(&nim, "g(n) = 1 for n <= 1\ng(a + b) = a + b for a <= 1, b <= 100", 100).unwrap();
    assert_eq!((found.first.unwrap().heap, found.checked_to), (0, 1));
}

#[test]
fn failures_are_described_only_by_what_is_in_them() {
    use Verdict::{Right, Unsaid, Wrong};
    let of = |wrong: &dyn Fn(usize) -> bool| {
        let verdicts: Vec<Verdict> = (0..1000).map(|n| if wrong(n) { Wrong } else { Right }).collect();
        Extent::of(&verdicts).map(|extent| extent.to_string())
    };
    assert_eq!(of(&|_| false), None);
    assert_eq!(of(&|n| n == 3 || n == 700).as_deref(), Some("n = 3, 700"));
    assert_eq!(of(&|n| n >= 17).as_deref(), Some("every n >= 17"));
    assert_eq!(of(&|n| n % 4 == 2).as_deref(), Some("n = 2 mod 4"));
    assert_eq!(of(&|n| n % 6 == 1 || n % 6 == 3).as_deref(), Some("n = 1, 3 mod 6"));
    assert_eq!(of(&|n| n >= 100 && n % 4 == 2).as_deref(), Some("n = 2 mod 4, n >= 102"));
    assert_eq!(
        of(&|n| n % 4 == 2 && n % 3 < 2 && n % 5 < 4 && n % 7 < 5 && n % 11 > 0).as_deref(),
        Some("some n = 0 mod 2")
    );
    assert_eq!(of(&|n| n > 5 && n.is_power_of_two()).as_deref(), Some("some n = 0 mod 2"));
    assert_eq!(of(&|n| n % 2 == 0 || n % 3 == 0).as_deref(), Some("n = 0, 2, 3, 4 mod 6"));
    assert_eq!(of(&|n| n % 2 == 0 || n * n % 1001 < 300).as_deref(), Some("662 of 1000 heaps"));
    let silent: Vec<Verdict> = (0..100).map(|n| [Unsaid, Wrong][n % 2]).collect();
    assert_eq!(Extent::of(&silent), Some(Extent::From(1)));
}

#[test]
fn a_law_of_pairs_is_compared_on_a_grid() {
    let nim = rule("(a, b) -> (a - t, b) | (a, b - t) where t >= 1");
    let table = crate::table::grid(&nim, &[6, 9], &Options::default()).unwrap();
    let compared = |text: &str| {
        let law = Law::parse(text, &[]).unwrap();
        let said = |place: u64| {
            let heap: Vec<u128> =
                table.entries(usize::try_from(place).unwrap()).into_iter().map(|e| e as u128).collect();
            Claim::about(&law, &heap)
        };
        compare(said, &table, &Limits::default().clock()).unwrap()
    };
    assert!(compared("g(a, b) = a xor b").holds());
    let wrong = compared("g(a, b) = a + b");
    let first = wrong.first.clone().unwrap();
    // (1, 1): its options have value 1 only.
    assert_eq!((first.heap, first.nimber), (11, 0));
    assert_eq!(wrong.extent, Some(Extent::Scattered { wrong: wrong.wrong, spoken: 70 }));
    let place = (first.heap, &first.said, first.nimber);
    let Decision::Lacks { value: 0, options, .. } =
        decide(&nim, KindId(0), place, &table, &Limits::default()).unwrap()
    else {
        panic!("nothing leads to 0")
    };
    assert_eq!(options.len(), 1);
    let lost = compared("zeros\n(a, b) for a = b");
    assert!(lost.holds() && lost.spoken == 70);
}
