#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use grundy_check::Fault;
use grundy_check::certificate::{Automatic, Certificate, Proof as Data};
use grundy_rule::Rule;
use grundy_rule::law_text::{self, LawText};

use grundy_rule::heap::KindId;

use super::super::{Goal, Outcome, prove};
use super::*;
use crate::law::Law;
use crate::limits::Limits;
use crate::nimber::Nimber;

fn rule(text: &str) -> Rule {
    let text = grundy_rule::code::to_rule_text(text).map_or_else(|| text.to_owned(), Result::unwrap);
    Rule::parse(&text, &[]).unwrap().0
}

/// What this proof rule is asked.
fn goal<'a>(rule: &'a Rule, law: Option<&'a LawText>) -> Goal<'a> {
    Goal { rule, kind: KindId(0), law, shapes: Vec::new(), clock: Limits::default().clock() }
}

/// The certificate of a proof by this rule, whatever other rules fit.
fn proved(text: &str, law: Option<&str>) -> Certificate {
    let rule = rule(text);
    let law = law.map(|law| law_text::parse(law, &[]).unwrap());
    let goal = goal(&rule, law.as_ref());
    match attempt(&goal).unwrap() {
        Attempt::Found { data, law, first } => goal.checked(data, law, first).unwrap().certificate,
        Attempt::Unfit(why) | Attempt::Unknown(why) => panic!("{text}: {why}"),
    }
}

fn agrees(certificate: &Certificate, heaps: u64) {
    let rule = Rule::parse(&certificate.rule, &[]).unwrap().0;
    let law = Law::parse(&certificate.law, &[]).unwrap();
    let table = table::tabulate(&rule, heaps, &Options::default()).unwrap();
    for (n, value) in (0..).zip(table.iter()) {
        assert_eq!(law.value(n).unwrap(), Nimber::from(value), "{} at {n}", rule.source);
    }
}

const TURTLES: &str = "coins\nn -> nothing\nn -> a where a < n\nn -> a, b where a < b < n";
const LASKER: &str = "n -> a where a < n\nn -> a, b where a + b = n, 1 <= a <= b";

#[test]
fn laws_of_the_literature_are_proved_as_they_are_written() {
    for (text, law) in [
        ("n -> n - t where t >= 1, t <= n", "g(n) = n"),
        (TURTLES, "g(0) = 1\ng(2n) = g(n) + 2n\ng(2n+1) = 6n + 3 - g(n)"),
        (LASKER, "g(0) = 0\ng(4k + 1) = 4k + 1\ng(4k + 2) = 4k + 2\ng(4k + 3) = 4k + 4\ng(4k + 4) = 4k + 3"),
        (LASKER, "g(0..) = 0, 1, 2, 4, 3\ng(n + 4) = g(n) + 4 for n >= 1"),
        (
            "n -> floor(n/2) where n >= 1\nn -> floor(n/3) where n >= 1",
            "g(0..) = 0, 1, 2, 0, 0, 0\ng(6n + r) = g(n) for n >= 1, r <= 5",
        ),
        ("n -> n - t where t in powers(2)", "g(n) = n % 3"),
        (
            "coins\nn -> [n - i for i in 1..d] where d in 0..n-1",
            "g(0) = 0\ng(2n + 1) = 1\ng(2n) = 2*g(n) for n >= 1",
        ),
        ("n -> n - t where t in 1..3", "g(n) = n % 4"),
    ] {
        agrees(&proved(text, Some(law)), 500);
    }
}

#[test]
fn games_without_a_law_get_an_automaton() {
    for text in [
        // Splitting: HNOI 2007.
        "n -> a, b where a <= b < n",
        // Mark and UpMark.
        "n -> n - 1 where n >= 1\nn -> floor(n/2) where n >= 1",
        "n -> n - 1 where n >= 1\nn -> ceil(n/2) where n >= 2",
        "n -> n - t where t in powers(4)",
        "n -> n - t where t >= 1, t not in powers(2)",
        "n -> n - t where t >= 1, t not in {2, 3}",
        // Constrained Nim with five bans.
        "n -> n - t where t >= 1, not ((n = 3 and t = 1) or (n = 5 and t = 2) or (n = 6 and t = 6) or (n = 9 and t = 4) or (n = 12 and t = 1))",
        // Take any or split into three.
        "n -> a, b, c where a + b + c = n, 1 <= a <= b <= c\nn -> n - t where t >= 1",
        // Kayles, without the theorem of Guy and Smith.
        "0.77",
        "0.8F",
    ] {
        agrees(&proved(text, None), 1000);
    }
}

#[test]
fn false_laws_are_not_proved() {
    for (text, law) in [
        // True of the table up to 4: the fourth clause comes too early.
        (LASKER, "g(0..) = 0, 1, 2, 4\ng(n + 4) = g(n) + 4 for n >= 0"),
        ("n -> n - t where t in powers(4)", "g(n) = n % 5"),
        (TURTLES, "g(0) = 1\ng(2n) = g(n) + 2n\ng(2n+1) = 6n + 3 - g(n) for n <= 2000\ng(2n+1) = 0"),
    ] {
        let law = law_text::parse(law, &[]).unwrap();
        assert!(
            !matches!(prove(&rule(text), Some(&law), &Limits::default()).unwrap(), Outcome::Proved(_)),
            "{text}"
        );
    }
}

#[test]
fn what_has_no_automaton_is_told_why() {
    for (text, why) in [
        ("n -> n - t where t in primes", "named sets"),
        ("n -> n - t where 1 <= t <= n/2", "no automaton"),
        ("0.137", "no automaton"),
    ] {
        let rule = rule(text);
        let goal = goal(&rule, None);
        let Attempt::Unfit(said) = attempt(&goal).unwrap() else { panic!("{text}") };
        assert!(said.contains(why), "{text}: {said}");
    }
}

/// Every change of one number of the data, one at a time.
fn changed(data: &Automatic) -> Vec<Automatic> {
    let mut all = Vec::new();
    let mut push = |change: &dyn Fn(&mut Automatic)| {
        let mut changed = data.clone();
        change(&mut changed);
        all.push(changed);
    };
    let states = data.automaton.next.len();
    for (row, col) in
        (0..states).flat_map(|row| (0..data.automaton.next[row].len()).map(move |col| (row, col)))
    {
        for to in -1..i64::try_from(states).unwrap() {
            if data.automaton.next[row][col] != to {
                push(&|d| d.automaton.next[row][col] = to);
            }
        }
    }
    for state in 0..u64::try_from(states).unwrap() {
        push(&|d| match d.automaton.accepting.iter().position(|s| *s == state) {
            Some(at) => drop(d.automaton.accepting.remove(at)),
            None => d.automaton.accepting.push(state),
        });
    }
    push(&|d| d.base = 4);
    push(&|d| d.coded = true);
    all
}

#[test]
fn an_automaton_with_one_change_is_refused_or_the_same() {
    let mut tried = 0;
    for (text, law) in [(TURTLES, "g(0) = 1\ng(2n) = g(n) + 2n\ng(2n+1) = 6n + 3 - g(n)"), (LASKER, "")] {
        let certificate = proved(text, Some(law).filter(|law| !law.is_empty()));
        let Data::Automatic(data) = &certificate.proof else { panic!("a proof by automata") };
        for data in changed(data) {
            tried += 1;
            let changed = Certificate { proof: Data::Automatic(Box::new(data)), ..certificate.clone() };
            match grundy_check::check_certificate(&changed, grundy_check::Limits::default()) {
                Ok(_) => agrees(&changed, 1000),
                Err(Fault::Refused(..) | Fault::Unreadable(_)) => {}
                Err(limit) => panic!("{limit}"),
            }
        }
    }
    assert!(tried > 400, "{tried}");
}

#[test]
fn without_its_pool_a_small_certificate_still_holds_and_with_a_poor_one_not() {
    let certificate = proved(LASKER, None);
    let Data::Automatic(data) = &certificate.proof else { panic!("a proof by automata") };
    let with = |pool| {
        let data = Automatic { pool, ..(**data).clone() };
        let changed = Certificate { proof: Data::Automatic(Box::new(data)), ..certificate.clone() };
        grundy_check::check_certificate(&changed, grundy_check::Limits::default())
    };
    assert!(with(None).is_ok());
    let rows = data.pool.as_ref().unwrap().allowed.len();
    let needed = (1..rows).filter(|row| {
        let mut pool = data.pool.clone().unwrap();
        pool.allowed.remove(*row);
        matches!(with(Some(pool)), Err(Fault::Refused(..)))
    });
    assert!(needed.count() > rows / 2);
    let mut empty = data.pool.clone().unwrap();
    empty.allowed.clear();
    assert!(matches!(with(Some(empty)), Err(Fault::Refused(..))));
}

/// The values of a kind as its automaton in the certificate says, compared with the rule's.
fn agrees_with_the_rule(certificate: &Certificate, kind: KindId, end: i128) {
    let rule = Rule::parse(&certificate.rule, &[]).unwrap().0;
    let law = law_text::parse(&certificate.law, &[]).unwrap();
    let [Clause::Automaton(block)] = law.clauses.as_slice() else { panic!("an automaton") };
    let dfa = crate::law::automaton::dfa_of(block).unwrap();
    let mut reference = crate::table::reference::Reference::new(&rule, &Limits::default()).unwrap();
    let arity = u32::try_from(block.entries).unwrap();
    for at in 0..end.pow(arity) {
        let entries: Vec<i128> = (0..arity).map(|i| at / end.pow(i) % end).collect();
        let value = reference.nimber_of(kind, &entries).unwrap();
        let mut tuple: Vec<u128> = entries.iter().map(|n| u128::try_from(*n).unwrap()).collect();
        tuple.push(u128::from(value));
        assert!(dfa.accepts(&tuple), "{} at {tuple:?}", rule.source);
        tuple[block.entries] += 1;
        assert!(!dfa.accepts(&tuple), "{} at {tuple:?}", rule.source);
    }
}

#[test]
fn heaps_with_several_entries_have_automata_too() {
    for (text, end) in [
        // Bouton's theorem for two and three heaps.
        ("(a, b) -> (a - t, b) | (a, b - t) where t >= 1", 40),
        ("(a, b, c) -> (a - t, b, c) | (a, b - t, c) | (a, b, c - t) where t >= 1", 12),
        // A king goes home; a rook that does not go far; a knight.
        ("(x, y) -> (x - 1, y) | (x, y - 1) | (x - 1, y - 1)", 40),
        ("(x, y) -> (x - t, y) | (x, y - t) where t in 1..3", 40),
        ("(x, y) -> (x - 2, y + 1) | (x - 2, y - 1) | (x + 1, y - 2) | (x - 1, y - 2)", 40),
        // Pairs fall into single heaps, which have their own kind.
        ("(a, b) -> x(a), x(b) where a + b >= 1\nx(n) -> x(m) where m < n", 20),
    ] {
        let certificate = proved(text, None);
        agrees_with_the_rule(&certificate, KindId(0), end);
    }
}

#[test]
fn laws_of_tuples_are_proved_as_they_are_written() {
    let two = "(a, b) -> (a - t, b) | (a, b - t) where t >= 1";
    let three = "(a, b, c) -> (a - t, b, c) | (a, b - t, c) | (a, b, c - t) where t >= 1";
    let king = "(x, y) -> (x - 1, y) | (x, y - 1) | (x - 1, y - 1)";
    for (text, law) in [
        (two, "g(a, b) = a xor b"),
        (two, "g(0, 0) = 0\ng(a, 0) = a\ng(0, b) = b\ng(a, a) = 0\ng(a, b) = xor(b, a)"),
        (three, "g(a, b, c) = a xor b xor c"),
        (king, "g(x, y) = 2*(min(x, y) mod 2) + (x + y) mod 2"),
        ("(x, y) -> (x - t, y) | (x, y - t) where t in 1..3", "g(x, y) = (x mod 4) xor (y mod 4)"),
    ] {
        let certificate = proved(text, Some(law));
        let rule = Rule::parse(text, &[]).unwrap().0;
        let stated = Law::parse(&certificate.law, &[]).unwrap();
        let mut reference = crate::table::reference::Reference::new(&rule, &Limits::default()).unwrap();
        for at in 0..2000_u128 {
            let heap: Vec<u128> =
                [at % 13, at / 13 % 13, at / 169].into_iter().take(stated.arity()).collect();
            let entries: Vec<i128> = heap.iter().map(|n| i128::try_from(*n).unwrap()).collect();
            let value = reference.nimber_of(KindId(0), &entries).unwrap();
            assert_eq!(stated.value_of(&heap).unwrap(), Nimber::from(value), "{text} {heap:?}");
        }
    }
    // Refuted by the table; right on the table and false beyond; silent; about other heaps.
    for (text, law) in [
        (two, "g(a, b) = a + b"),
        (two, "g(a, b) = a xor b for a <= 60\ng(a, b) = 0"),
        (two, "g(a, b) = a xor b for a <= b + 60"),
        (two, "g(a, b, c) = a xor b xor c"),
        (two, "g(a, b) = a xor b for a >= 1\ng(0, b) = b for b <= 60\ng(0, b) = b + 1"),
    ] {
        let law = law_text::parse(law, &[]).unwrap();
        let outcome = prove(&rule(text), Some(&law), &Limits::default());
        assert!(!matches!(outcome, Ok(Outcome::Proved(_))), "{text} {law}");
    }
}

#[test]
fn several_kinds_are_proved_together() {
    // Kayles in a ring, and heaps that change their kind.
    for (text, end) in [
        (
            "ring(n) -> row(n - t) where t in 1..2\nrow(n) -> row(a), row(b) where a + b = n - t, t in 1..2",
            200,
        ),
        ("red(n) -> blue(m) where m < n\nblue(n) -> red(n - t) where t in 1..2\nblue(n) -> blue(n - 1)", 200),
        (
            "n -> (n - t, t) where 1 <= t < n\n(n, last) -> (n - t, t) where t in 1..2, t <= n, t >= 0*last",
            200,
        ),
    ] {
        let certificate = proved(text, None);
        let Data::Automatic(data) = &certificate.proof else { panic!("a proof by automata") };
        assert_eq!(data.others.len(), 1);
        agrees_with_the_rule(&certificate, KindId(0), end);
        // The other kind, too, has a law.
        let rule = rule(text);
        let goal = Goal { kind: KindId(1), ..goal(&rule, None) };
        let Attempt::Found { data, law, first } = attempt(&goal).unwrap() else { panic!("{text}") };
        let other = goal.checked(data, law, first).unwrap().certificate;
        agrees_with_the_rule(&other, KindId(1), end.min(40));
    }
}

#[test]
fn changed_proofs_of_tuples_and_kinds_are_refused() {
    let nim = proved("(a, b) -> (a - t, b) | (a, b - t) where t >= 1", None);
    let kinds = proved("red(n) -> blue(m) where m < n\nblue(n) -> red(n - t) where t in 1..2", None);
    let refused = |certificate: &Certificate| {
        let verdict = grundy_check::check_certificate(certificate, grundy_check::Limits::default());
        assert!(matches!(verdict, Err(Fault::Refused(..) | Fault::Unreadable(_))), "{verdict:?}");
    };
    let data = |of: &Certificate| match &of.proof {
        Data::Automatic(data) => (**data).clone(),
        other => panic!("{other:?}"),
    };
    let with = |of: &Certificate, data| Certificate { proof: Data::Automatic(Box::new(data)), ..of.clone() };
    // One entry less or more, a law of one entry, another rule.
    refused(&Certificate { entries: 1, ..nim.clone() });
    refused(&Certificate { entries: 3, ..nim.clone() });
    refused(&Certificate { law: "g(n) = n".to_owned(), ..nim.clone() });
    refused(&Certificate {
        rule: "(a, b) -> (a - t, b) | (a, b - 2t) where t >= 1".to_owned(),
        ..nim.clone()
    });
    let wythoff = "(a, b) -> (a - t, b) | (a, b - t) | (a - t, b - t) where t >= 1";
    refused(&Certificate { rule: wythoff.to_owned(), ..nim.clone() });
    // Without the other kind, with it twice, with one that is not there.
    let (own, other) = (data(&kinds), data(&kinds).others[0].clone());
    refused(&with(&kinds, Automatic { others: Vec::new(), ..own.clone() }));
    refused(&with(&kinds, Automatic { others: vec![other.clone(), other.clone()], ..own.clone() }));
    let mut strange = other.clone();
    strange.kind = Some("green".to_owned());
    refused(&with(&kinds, Automatic { others: vec![other.clone(), strange], ..own.clone() }));
    refused(&Certificate { kind: Some("green".to_owned()), ..kinds.clone() });
    refused(&Certificate { kind: None, ..kinds.clone() });
    // The law of the other kind, and every change of its automaton.
    refused(&Certificate { kind: Some("blue".to_owned()), ..kinds.clone() });
    for row in 0..other.automaton.next.len() {
        for letter in 0..other.automaton.next[row].len() {
            let mut changed = other.clone();
            let to = &mut changed.automaton.next[row][letter];
            *to = if *to == -1 { 0 } else { -1 };
            refused(&with(&kinds, Automatic { others: vec![changed], ..own.clone() }));
        }
    }
}
