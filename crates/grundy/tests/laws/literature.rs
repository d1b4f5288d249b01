//! The laws that the literature knows, and the games of which it knows none.

use grundy::law::discover::{agrees, discover};
use grundy::limits::Limits;

use super::{rows, rule, searched, values};

#[test]
fn known_laws_show_in_few_values_and_hold_far_out() {
    let mut seen = 0;
    for row in rows(include_str!("../../../../testdata/laws/evidence.tsv")) {
        let [game, params, kinds, needed, far] = row[..] else { panic!("five columns: {row:?}") };
        let (needed, far): (u64, u64) = (needed.parse().unwrap(), far.parse().unwrap());
        let rule = rule(game, params);
        let discovery = discover(&values(&rule, 2 * needed));
        let found = discovery.found.unwrap_or_else(|| panic!("{game} {params}: {:?}", discovery.tried));
        let kind = found.law.kind();
        assert!(kinds.split(',').any(|k| k == kind.name()), "{game} {params}: {kind}\n{}", found.law);
        assert!(found.evidence <= 2 * needed && found.checked_to == 2 * needed - 1, "{game}: {found:?}");
        let table = values(&rule, far + 1);
        let wrong = agrees(&found.law, &table, &Limits::default().clock()).unwrap();
        assert_eq!(wrong, None, "{game} {params}: {}", found.law);
        seen += 1;
    }
    assert_eq!(seen, 15);
}

#[test]
fn a_hexadecimal_game_has_an_automaton_of_ninety_odd_states() {
    let discovery = discover(&values(&rule("0.2048", ""), 3000));
    let found = discovery.found.expect("a law");
    let dot = found.law.graphviz().expect("an automaton");
    // One line for each state, and one that counts the refusing state in other programs.
    let states = (0..).take_while(|s| dot.contains(&format!("  s{s} [label="))).count();
    assert_eq!(states, 91, "92 with the state that refuses");
    // Far out it still gives exactly one value, of about the same size.
    for n in [10_u128.pow(6), 10_u128.pow(12) + 7, 10_u128.pow(18)] {
        let value = found.law.value(n).expect("a value");
        let heaps: Vec<u128> = found.law.heaps_with(value, n, n).map(Result::unwrap).collect();
        assert_eq!(heaps, [n]);
    }
}

#[test]
fn games_without_a_law_have_none() {
    for (game, most) in
        [("grundys-game", 16_000), ("take-a-square", 16_000), ("take-a-prime", 16_000), ("0.007", 8000)]
    {
        let discovery = searched(&rule(game, ""), most);
        assert!(discovery.found.is_none(), "{game}: {}", discovery.found.unwrap().law);
        assert!(discovery.zeros.is_none(), "{game}: {}", discovery.zeros.unwrap().law);
        assert_eq!((discovery.values, discovery.tried.len()), (most, 9), "{game}: {:?}", discovery.tried);
    }
}

#[test]
fn subtraction_sets_have_the_published_periods() {
    let mut seen = 0;
    for row in rows(include_str!("../../../../testdata/subtraction_periods.tsv")) {
        let rule = rule(&format!("S({})", row[0]), "");
        let found = searched(&rule, 1 << 16).found.unwrap_or_else(|| panic!("S({})", row[0]));
        let period = found.law.period().expect("a period");
        let published: (u128, u128) = (row[2].parse().unwrap(), row[1].parse().unwrap());
        assert_eq!(
            (period.preperiod, period.period, period.saltus),
            (published.0, published.1, 0),
            "S({})",
            row[0]
        );
        seen += 1;
    }
    assert!(seen > 300, "{seen}");
}
