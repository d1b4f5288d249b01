//! The forms of a rule give exactly its options: compared by trying every assignment of small naturals.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::collections::BTreeSet;

use grundy_rule::Rule;
use grundy_rule::argument::Argument;
use grundy_rule::expr::Int;
use grundy_rule::formula::{self, Bits, Condition, Form, Left, Linear};
use grundy_rule::heap::{Heap, KindId, Sum};
use grundy_rule::moves::Moves;
use proptest::prelude::*;

fn value(form: &Linear, at: &[Int]) -> Int {
    form.terms().iter().map(|(unknown, coefficient)| at[*unknown] * coefficient).sum::<Int>() + form.constant
}

/// Whether a condition holds, as its documentation says.
fn holds(condition: &Condition, at: &[Int]) -> bool {
    match condition {
        Condition::Zero(form) => value(form, at) == 0,
        Condition::AtLeastZero(form) => value(form, at) >= 0,
        Condition::Divisible { form, modulus, holds } => {
            (value(form, at).rem_euclid(*modulus) == 0) == *holds
        }
        Condition::Power { base, unknown, holds } => {
            let mut power = 1;
            while power < at[*unknown] {
                power *= base;
            }
            (power == at[*unknown]) == *holds
        }
        Condition::Among { unknowns, rows, holds } => {
            let row: Vec<Int> = unknowns.iter().map(|u| at[*u]).collect();
            rows.contains(&row) == *holds
        }
        Condition::Bits { op, left, right, result } => {
            let (a, b) = (at[*left], at[*right]);
            at[*result]
                == match op {
                    Bits::Xor => a ^ b,
                    Bits::And => a & b,
                    Bits::Or => a | b,
                }
        }
    }
}

/// Whether a linear condition can still hold when the first `known` unknowns are set and the others are up to `most`.
fn possible(condition: &Condition, at: &[Int], known: usize, most: Int) -> bool {
    let (form, exact) = match condition {
        Condition::Zero(form) => (form, true),
        Condition::AtLeastZero(form) => (form, false),
        _ => return true,
    };
    let (mut low, mut high) = (form.constant, form.constant);
    for &(unknown, coefficient) in form.terms() {
        let ends = if unknown < known { (at[unknown], at[unknown]) } else { (0, most) };
        low += (ends.0 * coefficient).min(ends.1 * coefficient);
        high += (ends.0 * coefficient).max(ends.1 * coefficient);
    }
    high >= 0 && (!exact || low <= 0)
}

/// The options that a form gives for unknowns up to `most`.
fn options(form: &Form, heap: &[Int], most: Int, found: &mut BTreeSet<Sum>) {
    let mut todo = vec![heap.to_vec()];
    while let Some(mut at) = todo.pop() {
        if !form.conditions.iter().all(|condition| possible(condition, &at, at.len(), most)) {
            continue;
        }
        if at.len() < form.unknowns {
            at.push(0);
            for number in 0..=most {
                *at.last_mut().unwrap() = number;
                todo.push(at.clone());
            }
            continue;
        }
        if form.conditions.iter().all(|condition| holds(condition, &at)) {
            let mut left = Vec::new();
            for part in &form.left {
                match part {
                    Left::Heap(kind, entries) => {
                        let entries: Vec<Int> = entries.iter().map(|e| at[*e]).collect();
                        left.push((Heap::new(*kind, &entries), 1));
                    }
                    Left::Run(kind, from, to) => {
                        left.extend((at[*from]..at[*to]).map(|n| (Heap::new(*kind, &[n]), 1)));
                    }
                }
            }
            found.insert(Sum::new(left).unwrap());
        }
    }
}

/// Compares for heaps with entries up to `n`; whether the rule has forms.
fn compare(text: &str, arguments: &[(String, Argument)], n: Int) -> Result<bool, String> {
    let Ok((rule, _)) = Rule::parse(text, arguments) else { return Ok(false) };
    let Ok(moves) = Moves::new(&rule) else { return Ok(false) };
    let Ok(forms) = formula::forms(&rule) else { return Ok(false) };
    if forms.iter().any(|form| form.unknowns > form.arity + 4) {
        return Ok(false);
    }
    for kind in 0..rule.kinds.len() {
        let arity = rule.kinds[kind].arity;
        let kind = KindId(u16::try_from(kind).unwrap());
        let mut entries = vec![0; arity];
        loop {
            // What cannot be evaluated has no options to be compared with.
            if let Ok(expected) = moves.options(&Heap::new(kind, &entries)) {
                let expected: BTreeSet<Sum> = expected.into_iter().collect();
                let mut found = BTreeSet::new();
                for form in forms.iter().filter(|form| form.kind == kind) {
                    options(form, &entries, 64, &mut found);
                }
                if rule.coins {
                    found = found.into_iter().map(Sum::odd).collect();
                }
                if found != expected {
                    return Err(format!(
                        "`{text}` at {entries:?}: {forms:#?} give {found:?}, not {expected:?}"
                    ));
                }
            }
            let Some(place) = (0..arity).rev().find(|p| entries[*p] < n) else { break };
            entries[place] += 1;
            entries[place + 1..].fill(0);
        }
    }
    Ok(true)
}

#[test]
fn rules_of_every_kind_have_the_forms_of_their_options() {
    let set = [("S".to_owned(), Argument::Numbers(vec![2, 5, 7]))];
    let pairs = [("banned".to_owned(), Argument::Pairs(vec![(3, 1), (5, 2)]))];
    let k = [("k".to_owned(), Argument::Number(3))];
    for (text, arguments) in [
        ("n -> a, b where a + b = n - t, t in 1..2, a <= b", &[][..]),
        ("n -> a where a < n\nn -> a, b where a + b = n, 1 <= a <= b", &[]),
        ("n -> n - 1 where n >= 1\nn -> floor(n/2) where n >= 1", &[]),
        ("n -> n - t where t in S", &set),
        ("n -> n - t where t >= 1, t not in S", &set),
        ("n -> n - t where t >= 1, (n, t) not in banned", &pairs),
        ("n -> n - t where 1 <= t <= n - ceil(n/k)", &k),
        ("n -> n - t where t in powers(2)", &[]),
        ("n -> n - t where t >= 1, t not in powers(2)", &[]),
        ("coins\nn -> nothing\nn -> a where a < n\nn -> a, b where a < b < n", &[]),
        ("coins\nn -> [n - i for i in 1..d] where d in 0..n-1", &[]),
        ("n -> [i for i in 1..n-1] where n >= 2", &[]),
        ("n -> a, b, c where a + b + c = n - 1, a <= b <= c", &[]),
        ("n -> n - t where t >= 1, not (3 divides t), t <= n", &[]),
        ("n -> n - t where t >= 1, t != 4, t <= max(2, n - 5)", &[]),
        ("n -> abs(n - 5) where n >= 3, n != 5", &[]),
        ("n -> xor(n, x) where 1 <= x <= 4, xor(n, x) < n", &[]),
        ("n -> bitand(n, x) where x <= 5, bitand(n, x) != n", &[]),
        ("n -> n - 1 where n >= 1, bit(n, 1) = 1\nn -> n - 2 where n % 3 = 2", &[]),
        ("(a, b) -> (a - t, b) where 1 <= t <= a\n(a, b) -> (a, b - t) where 1 <= t <= b", &[]),
        ("(x, y) -> (x - t, y - t) where t >= 1, t <= x, t <= y", &[]),
        ("5 -> 3 | 1\nn -> n - 2 where n > 5", &[]),
        ("n -> [n - 1 for i in 1..3] where n >= 1", &[]),
        (
            "row(n) -> row(n - 2) where n >= 2\nrow(n) -> pin(1) where n = 1\npin(n) -> nothing where n = 1",
            &[],
        ),
    ] {
        assert_eq!(compare(text, arguments, 9), Ok(true), "{text}");
    }
}

#[test]
fn what_is_outside_the_class_is_said() {
    for (text, reason) in [
        ("n -> n - t where t in primes", "named sets"),
        ("n -> n - t*t where t >= 1", "product"),
        ("n -> n - t where t divides n, t < n", "divides"),
        ("n -> n - t where 1 <= t <= sqrt(n)", "sqrt"),
        ("n -> a, b where a * b = n, a >= 2, b >= 2", "product"),
    ] {
        let (rule, _) = Rule::parse(text, &[]).unwrap();
        let unfit = formula::forms(&rule).unwrap_err();
        assert!(unfit.reason.contains(reason), "{text}: {unfit}");
    }
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["n", "t", "u"]).prop_map(str::to_owned),
        2 => (0..6i32).prop_map(|c| c.to_string()),
    ];
    leaf.prop_recursive(2, 5, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            4 => two.clone().prop_map(|(a, b)| format!("{a} + {b}")),
            4 => two.clone().prop_map(|(a, b)| format!("{a} - ({b})")),
            2 => (2..4i32, inner.clone()).prop_map(|(a, b)| format!("{a}*({b})")),
            2 => (inner.clone(), 1..5i32).prop_map(|(a, b)| format!("floor(({a})/{b})")),
            1 => (inner.clone(), 1..5i32).prop_map(|(a, b)| format!("ceil(({a})/{b})")),
            1 => (inner.clone(), 1..5i32).prop_map(|(a, b)| format!("({a}) % {b}")),
            1 => two.clone().prop_map(|(a, b)| format!("max({a}, {b})")),
            1 => two.clone().prop_map(|(a, b)| format!("min({a}, {b})")),
            1 => two.prop_map(|(a, b)| format!("xor({a}, {b})")),
            1 => inner.prop_map(|a| format!("abs({a})")),
        ]
    })
}

fn condition() -> impl Strategy<Value = String> {
    let e = expression;
    let leaf = prop_oneof![
        6 => (e(), prop::sample::select(vec!["<", "<=", "=", "!=", ">", ">="]), e())
            .prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        1 => (e(), prop::bool::ANY).prop_map(|(a, not)| format!("{a} {} {{1, 3, 4}}", if not { "not in" } else { "in" })),
        1 => (e(), e(), e()).prop_map(|(a, b, c)| format!("{a} in {b}..{c}")),
        1 => (e(), e(), e()).prop_map(|(a, b, c)| format!("{a} not in {b}..{c}")),
        1 => (2..5i32, e()).prop_map(|(a, b)| format!("{a} divides ({b})")),
        1 => (e(), prop::bool::ANY).prop_map(|(a, not)| format!("{a} {} powers(2)", if not { "not in" } else { "in" })),
    ];
    leaf.prop_recursive(1, 3, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} or {b})")),
            inner.prop_map(|a| format!("not ({a})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn random_rules_have_the_forms_of_their_options(
        heap in expression(), second in prop::option::of(expression()), cond in condition(), more in prop::option::of(condition())
    ) {
        let second = second.map(|s| format!(", {s}")).unwrap_or_default();
        let more = more.map(|c| format!(", {c}")).unwrap_or_default();
        let text = format!("n -> {heap}{second} where t <= n, u <= 2, t + 0*u >= 0, {cond}{more}");
        match compare(&text, &[], 6) {
            Ok(done) => prop_assume!(done),
            Err(difference) => prop_assert!(false, "{}", difference),
        }
    }
}
