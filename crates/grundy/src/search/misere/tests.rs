//! Misere play against its definition and against the literature.

use std::collections::HashMap;
use std::time::Duration;

use proptest::prelude::*;

use grundy_rule::heap::KindId;

use super::*;

/// A rule given as a table: `options[n]` lists what heap `n` becomes.
#[derive(Debug)]
struct Listed(Vec<Vec<Vec<usize>>>);

/// A rule given as a function.
struct By<F>(F);

fn heap(n: usize) -> Heap {
    Heap::new(KindId(0), &[i128::try_from(n).unwrap()])
}

fn size(heap: &Heap) -> usize {
    usize::try_from(heap.entries[0]).unwrap()
}

fn sum(sizes: &[usize]) -> Sum {
    Sum::new(sizes.iter().map(|&n| (heap(n), 1)).collect()).unwrap()
}

impl<F: Fn(usize) -> Vec<Vec<usize>>> Play for By<F> {
    fn options(&self, heap: &Heap, _: &Clock) -> Result<Vec<Sum>, Error> {
        Ok((self.0)(size(heap)).iter().map(|parts| sum(parts)).collect())
    }

    fn show(&self, heap: &Heap) -> String {
        size(heap).to_string()
    }
}

impl Play for Listed {
    fn options(&self, heap: &Heap, _: &Clock) -> Result<Vec<Sum>, Error> {
        Ok(self.0[size(heap)].iter().map(|parts| sum(parts)).collect())
    }

    fn show(&self, heap: &Heap) -> String {
        size(heap).to_string()
    }
}

/// The definition: a sum without moves is won; else it is lost if every option is won.
fn naive(rule: &Listed, coins: bool, place: &[usize], known: &mut HashMap<Vec<usize>, bool>) -> bool {
    let mut place = place.to_vec();
    place.sort_unstable();
    if let Some(&loses) = known.get(&place) {
        return loses;
    }
    let (mut moves, mut loses) = (false, true);
    for i in 0..place.len() {
        for option in &rule.0[place[i]] {
            moves = true;
            let mut child = place.clone();
            child.remove(i);
            for &part in option {
                match child.iter().position(|&other| other == part) {
                    Some(at) if coins => drop(child.remove(at)),
                    _ => child.push(part),
                }
            }
            loses &= !naive(rule, coins, &child, known);
        }
    }
    let loses = moves && loses;
    known.insert(place, loses);
    loses
}

fn rules(coins: bool) -> impl Strategy<Value = Listed> {
    // Up to 4 options a heap, each of at most 2 lower heaps (counted from 0 below the heap).
    let part = prop::collection::vec(0usize..100, 0..3);
    prop::collection::vec(prop::collection::vec(part, 0..5), 7).prop_map(move |raw| {
        let lower = |n: usize, parts: Vec<usize>| -> Vec<usize> {
            let mut parts: Vec<usize> = parts.iter().filter(|_| n > 0).map(|part| part % n.max(1)).collect();
            if coins {
                parts.sort_unstable();
                parts.dedup();
            }
            parts
        };
        Listed(
            raw.into_iter()
                .enumerate()
                .map(|(n, options)| options.into_iter().map(|parts| lower(n, parts)).collect())
                .collect(),
        )
    })
}

fn counted(sizes: &[usize]) -> Vec<(Heap, u128)> {
    sizes.iter().map(|&n| (heap(n), 1)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn sums_are_answered_as_defined(
        rule in rules(false),
        places in prop::collection::vec(prop::collection::vec(0usize..7, 0..4), 1..6),
    ) {
        let mut known = HashMap::new();
        for theorem in [true, false] {
            let mut misere = Misere::new(Listed(rule.0.clone()), false, &Limits::default());
            misere.arena.theorem = theorem;
            for place in &places {
                let want = naive(&rule, false, place, &mut known);
                prop_assert_eq!(misere.loses(&counted(place)).unwrap(), want, "{:?} by theorem: {}", place, theorem);
            }
        }
    }

    #[test]
    fn coins_that_meet_vanish(
        rule in rules(true),
        places in prop::collection::vec(prop::collection::btree_set(0usize..7, 0..5), 1..6),
    ) {
        let mut known = HashMap::new();
        let mut misere = Misere::new(Listed(rule.0.clone()), true, &Limits::default());
        for place in &places {
            let place: Vec<usize> = place.iter().copied().collect();
            let want = naive(&rule, true, &place, &mut known);
            prop_assert_eq!(misere.loses(&counted(&place)).unwrap(), want, "{:?}", place);
        }
    }

    #[test]
    fn nim_is_boutons(sizes in prop::collection::vec(0usize..60, 0..7), small in prop::collection::vec(0usize..7, 0..4)) {
        let bouton = |sizes: &[usize]| {
            let x = sizes.iter().fold(0, |x, n| x ^ n);
            if sizes.iter().all(|&n| n <= 1) { x == 1 } else { x == 0 }
        };
        let nim = || By(|n| (0..n).map(|m| vec![m]).collect());
        let mut misere = Misere::new(nim(), false, &Limits::default());
        prop_assert_eq!(misere.loses(&counted(&sizes)).unwrap(), bouton(&sizes));
        let tame = matches!(misere.method(), Method::Tame { .. });
        prop_assert!(tame);
        // By search alone, too.
        let mut misere = Misere::new(nim(), false, &Limits::default());
        misere.arena.theorem = false;
        prop_assert_eq!(misere.loses(&counted(&small)).unwrap(), bouton(&small));
        let searched = matches!(misere.method(), Method::Search { .. });
        prop_assert!(searched);
    }
}

/// Options of an octal code with digits d0 d1 d2 ..; `unequal`: splits into two equal heaps are not allowed.
fn octal(digits: &[u8], unequal: bool) -> impl Fn(usize) -> Vec<Vec<usize>> {
    let digits = digits.to_vec();
    move |n| {
        let mut options = Vec::new();
        for (t, digit) in digits.iter().enumerate().filter(|(t, _)| *t <= n) {
            let rest = n - t;
            if digit & 1 != 0 && rest == 0 {
                options.push(vec![]);
            }
            if digit & 2 != 0 && rest > 0 {
                options.push(vec![rest]);
            }
            if digit & 4 != 0 {
                options
                    .extend((1..=rest / 2).filter(|a| !unequal || a + a != rest).map(|a| vec![a, rest - a]));
            }
        }
        options
    }
}

#[test]
fn single_heaps_of_the_literature() {
    let text = include_str!("../../../../../testdata/misere_single_heaps.tsv");
    let mut games = 0;
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, code, lost, to, ..] = fields[..] else { panic!("five fields: {line}") };
        let to: usize = to.parse().unwrap();
        let want: Vec<usize> = lost.split(',').map(|n| n.parse().unwrap()).collect();
        let options: Box<dyn Fn(usize) -> Vec<Vec<usize>>> = match code {
            "0.15" => Box::new(octal(&[0, 1, 5], false)),
            "0.6" => Box::new(octal(&[0, 6], false)),
            "4!.0" => Box::new(octal(&[4], true)),
            "0.26" => Box::new(octal(&[0, 2, 6], false)),
            "0.77" => Box::new(octal(&[0, 7, 7], false)),
            "sub" => {
                let set: Vec<usize> =
                    name.trim_matches(|c| "S()".contains(c)).split(',').map(|s| s.parse().unwrap()).collect();
                Box::new(move |n| set.iter().filter(|&&s| s <= n).map(|s| vec![n - s]).collect())
            }
            other => panic!("no options for {other}"),
        };
        let mut misere = Misere::new(By(options), false, &Limits::default());
        let got: Vec<usize> = (1..=to).filter(|&n| misere.loses(&[(heap(n), 1)]).unwrap()).collect();
        assert_eq!(got, want, "{name}");
        games += 1;
    }
    assert_eq!(games, 7);
}

#[test]
fn ten_thousand_positions_of_nim() {
    let mut misere = Misere::new(By(|n| (0..n).map(|m| vec![m]).collect()), false, &Limits::default());
    let random = &mut super::super::random::Random::new(1);
    for _ in 0..10_000 {
        let heaps = random.below(9);
        // Many small heaps, so that positions without a great one come up as well.
        let sizes: Vec<usize> =
            (0..heaps).map(|_| random.below(*[2, 3, 40].get(heaps as usize % 3).unwrap()) as usize).collect();
        let sum = sizes.iter().fold(0, |sum, n| sum ^ n);
        let lost = if sizes.iter().all(|&n| n <= 1) { sum == 1 } else { sum == 0 };
        assert_eq!(misere.loses(&counted(&sizes)).unwrap(), lost, "{sizes:?}");
    }
}

/// Whether the player to move loses misere Kayles with these rows, ascending, by the definition.
fn kayles_is_lost(rows: &[usize], known: &mut HashMap<Vec<usize>, bool>) -> bool {
    if rows.is_empty() {
        // The other player took the last pin.
        return false;
    }
    if let Some(lost) = known.get(rows) {
        return *lost;
    }
    let mut lost = true;
    for (at, &row) in rows.iter().enumerate() {
        for taken in 1..=2.min(row) {
            for before in 0..=(row - taken) / 2 {
                let mut left = rows.to_vec();
                left.remove(at);
                left.extend([before, row - taken - before].into_iter().filter(|&part| part > 0));
                left.sort_unstable();
                lost &= !kayles_is_lost(&left, known);
            }
        }
    }
    known.insert(rows.to_vec(), lost);
    lost
}

#[test]
fn all_sums_of_kayles_with_up_to_24_pins() {
    let mut known = HashMap::new();
    let mut misere = Misere::new(By(octal(&[0, 7, 7], false)), false, &Limits::default());
    let (mut sums, mut lost) = (0, 0);
    // Rows in ascending order with at most 24 pins.
    let mut begun: Vec<Vec<usize>> = vec![vec![]];
    while let Some(rows) = begun.pop() {
        let pins: usize = rows.iter().sum();
        begun.extend(
            (rows.last().copied().unwrap_or(1)..=24 - pins.min(24)).map(|row| [&rows[..], &[row]].concat()),
        );
        let wanted = kayles_is_lost(&rows, &mut known);
        assert_eq!(misere.loses(&counted(&rows)).unwrap(), wanted, "{rows:?}");
        sums += 1;
        lost += usize::from(wanted);
    }
    // The partitions of the numbers 0 to 24.
    assert_eq!(sums, 7_338);
    assert!(lost > 100, "{lost}");
}

#[test]
fn the_nim_sum_would_be_wrong() {
    // Kayles: 1 + 1 has nim-sum 0, yet the player to move wins the misere game; 4 is lost alone.
    let mut misere = Misere::new(By(octal(&[0, 7, 7], false)), false, &Limits::default());
    assert!(!misere.loses(&counted(&[1, 1])).unwrap());
    assert!(misere.loses(&counted(&[4])).unwrap());
    assert_ne!(misere.normal_nimber(&heap(4)), Some(0));
}

#[test]
fn limits_are_said_with_what_was_reached() {
    let limits = Limits { time: Some(Duration::from_millis(30)), ..Limits::default() };
    let mut misere = Misere::new(By(octal(&[0, 7, 7], false)), false, &limits);
    let error = misere.loses(&counted(&[60, 61, 62, 63])).unwrap_err();
    assert_eq!(error.id(), "time");
    assert!(error.to_string().contains("positions decided"), "{error}");
    let limits = Limits { memory: Some(200_000), ..Limits::default() };
    let mut misere = Misere::new(By(octal(&[0, 7, 7], false)), false, &limits);
    assert_eq!(misere.loses(&counted(&[30, 31, 32])).unwrap_err().id(), "memory");
}

#[test]
fn a_loop_is_named() {
    let mut misere = Misere::new(By(|n| vec![vec![(n + 1) % 3]]), false, &Limits::default());
    let error = misere.loses(&counted(&[1])).unwrap_err();
    assert_eq!(error.id(), "loop");
    assert!(error.to_string().contains("1 -> 2 -> 0 -> 1"), "{error}");
}

#[test]
fn deep_rules_need_no_deep_stack() {
    let mut misere = Misere::new(
        By(|n: usize| n.checked_sub(1).map(|m| vec![m]).into_iter().collect()),
        false,
        &Limits::default(),
    );
    assert!(misere.loses(&counted(&[50_001])).unwrap());
}
