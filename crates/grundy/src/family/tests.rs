//! Families whose law in the parameter the literature knows.

use grundy_rule::argument::Argument;

use super::*;

fn look(text: &str, names: &[&str], points: &[Vec<Int>]) -> Family {
    let rules: Vec<Rules> = points
        .iter()
        .map(|point| {
            let arguments: Vec<(String, Argument)> = names
                .iter()
                .zip(point)
                .map(|(name, value)| (name.to_string(), Argument::Number(*value)))
                .collect();
            Rules { point: point.clone(), rule: Rule::parse(text, &arguments).unwrap().0 }
        })
        .collect();
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    family(&names, &rules, &Search { kind: None, to: 399, most: 6400, limits: Limits::default() }).unwrap()
}

fn one(text: &str, range: std::ops::RangeInclusive<Int>) -> Family {
    look(text, &["k"], &range.map(|k| vec![k]).collect::<Vec<_>>())
}

#[test]
fn take_one_to_k() {
    let found = one("n -> n - t where t in 1..k", 1..=12);
    assert_eq!(found.common.as_ref().unwrap().text, "g(n) = n mod (k + 1)");
    assert_eq!(found.periods, ["period k + 1", "preperiod 0"]);
    assert!(found.members.iter().all(|member| member.stated.is_some()));
}

#[test]
fn take_l_to_r() {
    let points: Vec<Vec<Int>> = (1..=4).flat_map(|l| (l..=7).map(move |r| vec![l, r])).collect();
    let found = look("n -> n - t where t in l..r", &["l", "r"], &points);
    // The members with l = 1 write `n mod (r + 1)`, and the law holds for them, too.
    assert_eq!(found.common.unwrap().text, "g(n) = n mod (l + r) // l");
}

#[test]
fn windows_and_recursions() {
    let found = one("x -> y where x/k <= y < x", 2..=6);
    assert_eq!(found.common.unwrap().text, "window L(n) = ceil(n/k)");
    let found = one("n -> a where a < n\nn -> nothing where k >= 1, n >= 1", 1..=4);
    assert_eq!(found.common.unwrap().text, "g(n) = n");
}

#[test]
fn members_that_break_the_law_are_named() {
    // One may take k, and always 1: for odd k parity; for even k a period of k + 1. No one expression for two thirds.
    let found = one("n -> n - t where t in {1, k}", 2..=9);
    assert!(found.common.is_none());
    assert_eq!(found.members.len(), 8);
    // max(k, 3) is 3 for k = 2 alone, and so is its law: n mod 4, and not n mod 3.
    let found = one("n -> n - t where t in 1..max(k, 3)", 2..=9);
    let common = found.common.unwrap();
    assert_eq!((common.text.as_str(), common.broken.as_slice()), ("g(n) = n mod (k + 1)", &[(0, 3)][..]));
    // 7 is never taken: from k = 7 on the law is another, for these k it is a late one.
    let found = one("n -> n - t where t in 1..k, k < 7 or t != 7", 1..=8);
    let common = found.common.unwrap();
    assert_eq!(common.text, "g(n) = n mod (k + 1)");
    let broken: Vec<Int> = common.broken.iter().map(|(place, _)| found.members[*place].point[0]).collect();
    assert_eq!(broken, [7, 8]);
}

#[test]
fn two_members_are_no_family() {
    let found = one("n -> n - t where t in 1..k", 3..=4);
    assert!(found.common.is_none() && found.periods.is_empty());
}

#[test]
fn products_of_primes() {
    // Nobody may take a number with more than k different prime factors: 6, 30, 210 are the first that nobody may.
    let found = one("n -> n - t where t >= 1, omega(t) <= k", 0..=3);
    let common = found.common.unwrap();
    assert_eq!(common.text, "g(n) = n mod p");
    assert_eq!(common.given, [("p".to_string(), "the product of the first k + 1 primes".to_string())]);
    assert!(common.broken.is_empty());
    assert_eq!(found.periods, ["period the product of the first k + 1 primes", "preperiod 0"]);
}

#[test]
fn a_limit_leaves_members_out_and_says_so() {
    let text = "n -> n - t where t in 1..k";
    let rules: Vec<Rules> = (1..=4)
        .map(|k| {
            let argument = ("k".to_string(), Argument::Number(k));
            Rules { point: vec![k], rule: Rule::parse(text, &[argument]).unwrap().0 }
        })
        .collect();
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let search = Search { kind: None, to: 399, most: 6400, limits };
    let found = family(&["k".to_string()], &rules, &search).unwrap();
    assert!(found.common.is_none());
    assert!(found.members.iter().all(|member| member.checked_to.is_none() && member.stopped.is_some()));
    let many: Vec<Rules> = std::iter::repeat_n(rules[0].clone(), MEMBERS + 1).collect();
    assert_eq!(family(&["k".to_string()], &many, &search).unwrap_err().id(), "family");
}

#[test]
fn the_numbers_of_a_law_are_parted_from_its_words() {
    let (words, numbers) = parted("g(3n + 1) = x2 + 14");
    assert_eq!(words, ["g(", "n + ", ") = x2 + ", ""]);
    assert_eq!(numbers, [3, 1, 14]);
    let all = [(vec![2], vec![3, 1, 14]), (vec![3], vec![4, 1, 16]), (vec![4], vec![5, 1, 18])];
    let guess = joined(&["k".to_string()], &words, &all).unwrap();
    assert_eq!(guess.text, "g((k + 1)*n + 1) = x2 + (2*k + 10)");
    assert!(guess.given.is_empty());
}

#[test]
fn stairs_of_one_step_are_stairs() {
    // Take l to 4, for l = 1, 2, 3: the first is written `n mod 5`.
    let found = one("n -> n - t where t in k..4", 1..=3);
    assert_eq!(found.common.unwrap().text, "g(n) = n mod (k + 4) // k");
    // And where all are of one step nothing else is said.
    assert_eq!(one("n -> n - t where t in 1..k", 2..=5).common.unwrap().text, "g(n) = n mod (k + 1)");
}
