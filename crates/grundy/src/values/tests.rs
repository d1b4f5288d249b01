//! Closed forms, inverses and cited laws against the rule itself.

use std::ops::ControlFlow;

use proptest::prelude::*;

use grundy_rule::argument::Argument;
use grundy_rule::heap::KindId;
use grundy_rule::{Sum, parser};

use super::*;
use crate::nimber::nim_sum;

fn rule(text: &str, args: &[(&str, &str)]) -> Rule {
    let args: Vec<(String, Argument)> =
        args.iter().map(|(name, value)| ((*name).to_string(), Argument::parse(value).unwrap())).collect();
    Rule::parse(text, &args).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).0
}

fn game(text: &str, args: &[(&str, &str)], limits: Limits) -> Values {
    let (file, _) = parser::parse_file(text);
    Values::new(&rule(text, args), Some(&file), limits).unwrap()
}

fn heap(n: u128) -> Heap {
    Heap::new(KindId(0), &[i128::try_from(n).unwrap()])
}

fn options(values: &mut Values, n: u128, value: Nimber) -> Vec<Sum> {
    let mut out = Vec::new();
    values
        .options_with(&heap(n), value, &mut |option| {
            out.push(option.clone());
            ControlFlow::Continue(())
        })
        .unwrap();
    out
}

/// Values and inverse of all heaps `0..=top` against the reference, with and without enumeration.
fn agrees(rule: &Rule, top: u128) -> Result<(), TestCaseError> {
    let mut reference = Reference::new(rule, &Limits::default()).unwrap();
    for moves in [0, 1 << 20] {
        let mut values = Values::new(rule, None, Limits::default()).unwrap();
        values.inverse.moves = moves;
        for n in 0..=top {
            let right = Nimber::from(reference.nimber(&heap(n)).unwrap());
            prop_assert_eq!(values.nimber(&heap(n)).unwrap(), right, "heap {} of {}", n, rule.source);
        }
        for n in (0..=top).rev().step_by(3) {
            let mut weighed = Vec::new();
            for option in values.moves().options(&heap(n)).unwrap() {
                let parts = option.heaps().iter().filter(|(_, count)| count % 2 == 1);
                let sum = nim_sum(parts.map(|(part, _)| Nimber::from(reference.nimber(part).unwrap())));
                weighed.push((sum, option));
            }
            for value in 0..12 {
                let want: Vec<&Sum> = weighed.iter().filter(|(v, _)| *v == value).map(|(_, o)| o).collect();
                let first = values.first_option_with(&heap(n), value).unwrap();
                if moves == 0 {
                    // Line by line: any of them.
                    prop_assert_eq!(first.is_some(), !want.is_empty(), "{} to {}, {}", n, value, rule.source);
                    prop_assert!(first.iter().all(|first| want.contains(&first)), "{} to {}", n, value);
                } else {
                    prop_assert_eq!(
                        first.as_ref(),
                        want.first().copied(),
                        "{} to {}, {}",
                        n,
                        value,
                        rule.source
                    );
                }
                let got = options(&mut values, n, value);
                prop_assert_eq!(
                    got.iter().collect::<Vec<_>>(),
                    want,
                    "{} to {} of {}",
                    n,
                    value,
                    rule.source
                );
            }
        }
    }
    Ok(())
}

fn braces(numbers: &[u64]) -> String {
    let words: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("{{{}}}", words.join(","))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn windows(k in 2u64..8, l in 1u64..6, more in 0u64..6) {
        let r = l + more;
        let args = [("k", k.to_string()), ("l", l.to_string()), ("r", r.to_string())];
        let args: Vec<(&str, &str)> = args.iter().map(|(a, b)| (*a, b.as_str())).collect();
        for text in [
            "game g(k)\nx -> y where x/k <= y < x",
            "game g(k)\nx -> x - t where 1 <= t <= x/k",
            "x -> x - t where 1 <= t <= sqrt(x)",
            "x -> y where y < x",
            "x -> y where 1 <= y < x",
            "game g(l, r)\nx -> x - t where t in l..r",
            "game g(l, r)\nx -> y where y >= x - r, y <= x - l",
        ] {
            let used = args.iter().filter(|(name, _)| text.contains(&format!("({name}")) || text.contains(&format!(" {name})")));
            agrees(&rule(text, &used.copied().collect::<Vec<_>>()), 45)?;
        }
    }

    #[test]
    fn subtraction_sets(set in prop::collection::btree_set(1u64..12, 1..6)) {
        let set: Vec<u64> = set.into_iter().collect();
        agrees(&rule("game g(S: set)\nx -> x - t where t in S", &[("S", &braces(&set))]), 60)?;
        agrees(&rule("game g(S: set)\nx -> x - t where t >= 1, t not in S", &[("S", &braces(&set))]), 30)?;
    }

    #[test]
    fn constrained_nim(pairs in prop::collection::vec((1u64..20, 1u64..12), 1..60)) {
        let pairs: Vec<String> = pairs.iter().map(|(x, t)| format!("({x},{})", (t % x).max(1))).collect();
        let pairs = pairs.join(",");
        for text in [
            "game g(banned: pairs)\nx -> x - t where t >= 1, (x, t) not in banned",
            "game g(banned: pairs)\nx -> y where y < x, (x, x - y) not in banned",
        ] {
            agrees(&rule(text, &[("banned", &pairs)]), 25)?;
        }
    }
}

#[test]
fn combinations_and_splits() {
    for text in [
        "coins m\nn -> nothing\nn -> a where a < n\nn -> a, b where a < b < n",
        "coins m\nn -> a, b where a < b < n\nn -> nothing",
        "coins t\nn -> a where a < n",
        "coins four\nn -> nothing\nn -> a where a < n\nn -> a, b where a < b < n\nn -> a, b, c where a < b < c < n",
        "d -> j, k where j <= k, k < d",
        "d -> j, k where j >= k, j < d",
        "n -> a, b where a + b = n - t, t in 1..2",
        "n -> a where a < n\nn -> a, b where a + b = n, 1 <= a <= b",
        "n -> [n - i for i in 1..d] where d in 0..n-1",
        "n -> n - d where d divides n, 1 < d < n",
        "n -> n - t | n - t, 0 where t in 1..2, t <= n",
    ] {
        agrees(&rule(text, &[]), 13).unwrap();
    }
}

#[test]
fn heaps_of_any_size() {
    let big = 10u128.pow(18);
    let mut blackboard = game("game g(k)\nx -> y where x/k <= y < x", &[("k", "3")], Limits::default());
    // sg(ak + 1) = sg(a), sg(ak + b) = a (k - 1) + b - 1.
    assert_eq!(blackboard.nimber(&heap(3 * big + 2)).unwrap(), 2 * big + 1);
    assert_eq!(blackboard.nimber(&heap(3 * (3 * big + 2) + 1)).unwrap(), 2 * big + 1);
    let one = options(&mut blackboard, 5 * big, 2 * big);
    assert_eq!(one.len(), 1);
    let back = &one[0].heaps()[0].0;
    assert_eq!(blackboard.nimber(back).unwrap(), 2 * big);
    assert!(matches!(blackboard.sources().as_slice(), [Source::Lemma { name }] if name.contains("R3")));

    let text = "game g(banned: pairs)\nx -> x - t where t >= 1, (x, t) not in banned";
    let mut constrained = game(text, &[("banned", "(1,1),(2,1),(2,2)")], Limits::default());
    assert_eq!(constrained.nimber(&heap(big)).unwrap(), big - 2);
    // Value 0 at heaps 0, 1 and 2: taking less comes first.
    let zeros = options(&mut constrained, big, 0);
    let left: Vec<i128> = zeros.iter().map(|option| option.heaps()[0].0.entries[0]).collect();
    assert_eq!(left, [2, 1, 0]);

    let mut set = game("n -> n - t where t in {1, 3, 4}", &[], Limits::default());
    assert_eq!(set.nimber(&heap(7 * big + 5)).unwrap(), 3);
    assert!(set.sources()[0].to_string().contains("period 7"), "{:?}", set.sources());
    assert_eq!(options(&mut set, 7 * big + 5, 2).len(), 1);
}

const TURTLES: &str = "coins mock-turtles
n -> nothing
n -> a where a < n
n -> a, b where a < b < n
source \"Winning Ways, ch. 14\"
law
g(0) = 1
g(2n) = g(n) + 2n
g(2n + 1) = 6n + 3 - g(n)
";

#[test]
fn a_cited_law_is_tested_and_then_used() {
    let mut turtles = game(TURTLES, &[], Limits::default());
    let n = 100_000_000;
    let right = |n: u128| 2 * n + u128::from(n.count_ones().is_multiple_of(2));
    assert_eq!(turtles.nimber(&heap(n)).unwrap(), right(n));
    match turtles.sources().as_slice() {
        [Source::Cited { source, tested_to }] => {
            assert_eq!(source, "Winning Ways, ch. 14");
            assert!(*tested_to >= 64, "{tested_to}");
        }
        other => panic!("{other:?}"),
    }
    // 5 * 10^15 options: the first of a value comes at once.
    let mut first = None;
    turtles
        .options_with(&heap(n), right(77_777) ^ right(1_234_567), &mut |option| {
            first = Some(option.clone());
            ControlFlow::Break(())
        })
        .unwrap();
    let parts: Vec<u128> =
        first.unwrap().heaps().iter().map(|(h, _)| u128::try_from(h.entries[0]).unwrap()).collect();
    assert_eq!(nim_sum(parts.iter().map(|&p| right(p))), right(77_777) ^ right(1_234_567));
}

#[test]
fn a_false_law_is_found_out() {
    let text = TURTLES.replace("6n + 3", "6n + 5");
    let mut turtles = game(&text, &[], Limits::default());
    let error = turtles.nimber(&heap(100_000)).unwrap_err();
    assert_eq!(error.id(), "law-false");
    assert!(error.to_string().contains("heap 1"), "{error}");
    // Small heaps never ask it.
    assert_eq!(turtles.nimber(&heap(5)).unwrap(), 11);
}

#[test]
fn a_law_about_tuples_answers_for_large_ones() {
    let nim = "(a, b) -> (a - t, b) | (a, b - t) where t >= 1\nlaw\ng(a, b) = a xor b\n";
    let pair =
        |a: u128, b: u128| Heap::new(KindId(0), &[Int::try_from(a).unwrap(), Int::try_from(b).unwrap()]);
    let far = 10_u128.pow(30);
    let mut game_of_nim = game(nim, &[], Limits::default());
    assert_eq!(game_of_nim.nimber(&pair(far, 7)).unwrap(), far ^ 7);
    assert!(game_of_nim.sources().iter().any(|source| source.to_string().contains("tested to 64")));
    // False at (1, 1), and that is found before the law is believed; small heaps never ask it.
    let mut sum = game(&nim.replace("a xor b", "a + b"), &[], Limits::default());
    assert_eq!(sum.nimber(&pair(far, 7)).unwrap_err().id(), "law-false");
    assert_eq!(sum.nimber(&pair(5, 5)).unwrap(), 0);
    // A law that is silent about a heap leaves it to the rule.
    let mut half = game(&nim.replace("a xor b", "a xor b for a >= b"), &[], Limits::default());
    assert_eq!(half.nimber(&pair(2, 66)).unwrap(), 64);
    assert_eq!(half.nimber(&pair(far, 7)).unwrap(), far ^ 7);
}

#[test]
fn a_law_finds_options_far_away() {
    // Half or a third: the law speaks about heaps of any size, the options are two.
    let text = "n -> n - t where t >= 1, t <= n, bit(t, 0) = 1\nlaw\ng(n) = n mod 2\n";
    let mut odd = game(text, &[], Limits::default());
    let n = 10u128.pow(15);
    assert_eq!(odd.nimber(&heap(n + 1)).unwrap(), 1);
    let mut first = None;
    odd.options_with(&heap(n + 1), 0, &mut |option| {
        first = Some(option.clone());
        ControlFlow::Break(())
    })
    .unwrap();
    assert_eq!(first.unwrap().heaps()[0].0, heap(n));
}

#[test]
fn one_option_among_more_than_can_be_listed() {
    let mut checked = 0;
    for (name, n) in
        [("kayles", 1_000_000_000), ("lasker-nim", 1_000_000_000_000), ("kayles", 999_999_999_999)]
    {
        let text = crate::catalogue::find(name).unwrap().text().unwrap();
        let mut values = game(text, &[], Limits::default());
        // Every smaller value is that of an option.
        for value in 0..values.nimber(&heap(n)).unwrap().min(4) {
            let found = values.first_option_with(&heap(n), value).unwrap().unwrap();
            let parts = found.heaps().iter().filter(|(_, count)| count % 2 == 1);
            let sum = nim_sum(parts.map(|(part, _)| values.nimber(part).unwrap()));
            assert_eq!(sum, value, "{name} {n}");
            assert!(
                found.heaps().iter().map(|(part, _)| part.entries[0]).sum::<Int>()
                    <= Int::try_from(n).unwrap()
            );
            checked += 1;
        }
        let all = values.options_with(&heap(n), 0, &mut |_| ControlFlow::Continue(()));
        assert_eq!(all.unwrap_err().id(), "moves", "{name} {n}");
    }
    assert!(checked >= 6, "{checked}");
}

#[test]
fn out_of_reach_names_what_was_reached() {
    let limits = Limits { memory: Some(1 << 20), time: Some(Duration::from_secs(5)), ..Limits::default() };
    let mut kayles = game("n -> n - t where t >= 1, gcd(n, t) = 1, bit(t, 1) = 0", &[], limits);
    let error = kayles.nimber(&heap(10u128.pow(15))).unwrap_err();
    assert!(error.is_limit());
    assert!(error.to_string().contains("were reached, 1000000000000000 needs a law"), "{error}");
}

#[test]
fn misere_rules_have_no_nimbers() {
    let mut values =
        Values::new(&rule("misere game m\nn -> a where a < n", &[]), None, Limits::default()).unwrap();
    assert_eq!(values.nimber(&heap(3)).unwrap_err().id(), "misere");
}
