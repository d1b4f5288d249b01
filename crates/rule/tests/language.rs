//! Rules that must be read: one of every form, with what they mean.

use grundy_rule::ast::ParamType;
use grundy_rule::rule::{Ending, Part, Player, Value};
use grundy_rule::{Rule, argument::Argument};

fn args(given: &[(&str, &str)]) -> Vec<(String, Argument)> {
    let read = |(name, text): &(&str, &str)| ((*name).to_string(), Argument::parse(text).expect("a value"));
    given.iter().map(read).collect()
}

fn rule(source: &str, given: &[(&str, &str)]) -> Rule {
    match Rule::parse(source, &args(given)) {
        Ok((rule, warnings)) => {
            assert!(warnings.is_empty(), "{source}\n{}", warnings[0].plain(source));
            rule
        }
        Err(errors) => {
            let all: Vec<String> = errors.iter().map(|e| e.plain(source)).collect();
            panic!("{source}\n{}", all.join("\n"))
        }
    }
}

#[test]
fn games_of_every_form_are_read() {
    let sources = [
        "n -> n - t where t in {1, 3, 4}",
        "game splitting\nd -> j, k   where j <= k, k < d",
        "game blackboard(k) where k >= 2\nx -> y      where x/k <= y < x",
        "game constrained-nim(banned: pairs)\nx -> x - t  where t >= 1, (x, t) not in banned",
        "coins mock-turtles  # a coin\nn -> nothing\nn -> a      where a < n\nn -> a, b   where a < b < n",
        "game wythoff\n(a, b) -> (a - t, b) | (a, b - t) | (a - t, b - t)  where t >= 1",
        "game ring-kayles\nring(n) -> row(n - t) where t in 1..2\nrow(n) -> row(a), row(b) where a + b = n - t, t in 1..2",
        "game consecutive\nn -> [a + i for i in 0..k-1]  where k >= 2, a >= 1, 2*n = k*(2*a + k - 1)",
        "game prefix-free\nn -> [n - i for i in 1..d]            where d in 0..n-1",
        "game fibonacci-nim\nn -> (n - t, 2*t) where 1 <= t < n\n(n, most) -> (n - t, 2*t) where 1 <= t <= most",
        "game divisors\nn -> n - d  where d divides n, 1 < d < n",
        "misere game last-loses\nn -> n - t  where t in 1..3",
        "game graph(edges: pairs)\nv -> u      where (v, u) in edges",
        "loopy game square-but-one\nn -> n - t where t in squares\nn -> n + 1 where 2 divides n, n >= 1",
        "misere loopy coins x\nn -> nothing | win where n = 3\nleft: n -> a where a < n\nright: n -> draw | lose",
        // The words of these constructs are names elsewhere.
        "left -> left - win where win in 1..3\nloopy -> right where right < loopy",
    ];
    for source in sources {
        rule(source, &[]);
    }
}

#[test]
fn players_endings_and_loops() {
    let read =
        rule("loopy misere game x; left: n -> n - 1 | win where n >= 2; right: n -> lose; n -> draw", &[]);
    assert!(read.loopy && read.misere && read.is_partisan() && read.has_endings() && !read.has_nimbers());
    let players: Vec<_> = read.lines.iter().map(|line| line.player).collect();
    assert_eq!(players, [Some(Player::Left), Some(Player::Right), None]);
    let endings: Vec<_> =
        read.lines.iter().flat_map(|line| line.alternatives.iter().map(|one| one.ending)).collect();
    assert_eq!(endings, [None, Some(Ending::Win), Some(Ending::Lose), Some(Ending::Draw)]);
    let plain = rule("n -> n - 1", &[]);
    assert!(!plain.loopy && plain.has_nimbers());
}

#[test]
fn kinds_are_names_with_a_number_of_entries() {
    let rule =
        rule("n -> (n - t, 2*t) where 1 <= t < n\n(n, most) -> (n - t, 2*t) where 1 <= t <= most", &[]);
    let arities: Vec<_> = rule.kinds.iter().map(|k| (k.name.clone(), k.arity)).collect();
    assert_eq!(arities, [(None, 1), (None, 2)]);
    assert_eq!(rule.lines[1].entry_names, ["n", "most"]);
}

#[test]
fn variables_stand_in_order_of_first_mention_and_parameters_never_range() {
    let free = rule("n -> [a + i for i in 0..k-1] where k >= 2, a >= 1, 2*n = k*(2*a + k - 1)", &[]);
    let alternative = &free.lines[0].alternatives[0];
    let names: Vec<&str> = alternative.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!((names, alternative.frame), (vec!["a", "k"], 4));
    let given = rule("n -> n - t where t in 1..m", &[("m", "3")]);
    assert_eq!(given.lines[0].alternatives[0].variables.len(), 1);
    assert_eq!(given.params[0].value, Some(Value::Number(3)));
}

#[test]
fn types_of_parameters_follow_from_their_use() {
    let rule = rule(
        "game x(S, c, p, k, q: set) where k >= 2\nn -> n - t where t in S, t <= c[0], len(c) = k, (n, t) in p, t in q",
        &[],
    );
    let types: Vec<ParamType> = rule.params.iter().map(|p| p.ty).collect();
    use ParamType::{List, Number, Pairs, Set};
    assert_eq!(types, [Set, List, Pairs, Number, Set]);
}

#[test]
fn a_list_that_does_not_mention_its_name_is_only_counted() {
    let unrolled = |source: &str| {
        let rule = rule(source, &[]);
        match &rule.lines[0].alternatives[0].parts[0] {
            Part::List { unrolled, .. } => *unrolled,
            Part::Heap(_) => panic!("a list"),
        }
    };
    assert!(unrolled("n -> [n - i for i in 1..d] where d in 0..n-1"));
    assert!(!unrolled("n -> [n - 1 for i in 1..10^18] where n >= 1"));
    assert!(unrolled("n -> [[a for j in 1..i] for i in 1..a] where a < n"));
}

#[test]
fn a_name_wins_over_a_function_or_set_where_it_is_not_called() {
    rule("min -> min - 1 where min >= 1", &[]);
    rule("n -> n - t where t in primes", &[("primes", "2,3")]);
}

#[test]
fn values_must_satisfy_the_header() {
    let source = "game x(k, S: set) where k >= 2, 1 not in S\nn -> n - t where t in S, t <= k";
    rule(source, &[("k", "2"), ("S", "5")]);
    rule(source, &[("k", "2")]);
    let errors = Rule::parse(source, &args(&[("k", "1")])).unwrap_err();
    assert_eq!((errors[0].id, errors[0].message.as_str()), ("parameter", "k = 1 does not satisfy `k >= 2`"));
    assert_eq!(Rule::parse(source, &args(&[("S", "{1,2}")])).unwrap_err()[0].id, "parameter");
}
