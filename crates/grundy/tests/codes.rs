//! Codes of the literature: the rule text of each has the values that are published for it, and means what the
//! notation says.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use grundy::limits::Limits;
use grundy::table::reference::Reference;
use grundy_rule::code::{self, Code, Mode, Spacing, TakeAndBreak, Turn, Turning};
use grundy_rule::heap::KindId;
use grundy_rule::{Int, Rule};

fn table(name: &str) -> Vec<Vec<String>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    let text = fs::read_to_string(path).expect("the table is there");
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_string).collect()).collect()
}

fn numbers(text: &str) -> Vec<u32> {
    text.split(',').map(|x| x.parse().expect("a number")).collect()
}

/// The values of heaps 0, 1, ... from the rule text of a code.
fn values(code: &str, count: usize) -> Vec<u32> {
    let text = code::to_rule_text(code).expect("a code").expect("a valid code");
    let (rule, _) = Rule::parse(&text, &[]).unwrap_or_else(|e| panic!("{code}: {e:?}"));
    let mut reference = Reference::new(&rule, &Limits::default()).expect("the rule compiles");
    let heaps = (0..count).map(|n| Int::try_from(n).expect("a small heap"));
    heaps
        .map(|n| reference.nimber_of(KindId(0), &[n]).unwrap_or_else(|e| panic!("{code} {n}: {e}")))
        .collect()
}

#[test]
fn octal_codes_have_their_published_values() {
    let mut compared = 0;
    for row in table("octal_periods.tsv") {
        if let Some(terms) = row.get(9).filter(|terms| !terms.is_empty()) {
            assert_eq!(values(&row[0], 24), numbers(terms), "{}", row[0]);
            compared += 1;
        }
    }
    assert!(compared > 680, "{compared}");
}

#[test]
fn subtraction_sets_have_their_published_periods() {
    for row in table("subtraction_periods.tsv") {
        let set = &row[0];
        let period: usize = row[1].parse().expect("a period");
        let preperiod: usize = row[2].parse().expect("a preperiod");
        let once = numbers(&row[4]);
        assert_eq!(once.len(), period.min(120), "{set}: long periods are cut after 120 values");
        let most = numbers(set).into_iter().max().and_then(|t| usize::try_from(t).ok()).expect("a set");
        // As many values repeated as the greatest number taken: that settles all others.
        let found = values(&format!("S({set})"), preperiod + period + most);
        assert_eq!(found[preperiod..preperiod + once.len()], once, "{set}");
        for n in preperiod + period..found.len() {
            assert_eq!(found[n], found[n - period], "{set}: heap {n}");
        }
        assert!(
            preperiod == 0 || found[preperiod - 1] != found[preperiod - 1 + period],
            "{set}: not the least"
        );
    }
}

/// Values by definition: every number that may be taken, every multiset of nonempty heaps that may be left.
fn naive(code: &TakeAndBreak, count: usize) -> Vec<u32> {
    let mut table: Vec<u32> = Vec::new();
    for n in 0..count {
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        for t in 0..=n {
            let digit = code.digit(u64::try_from(t).expect("small"));
            let rest = n - t;
            let fits = |heaps: &[usize]| match digit.mode() {
                Mode::Any => true,
                Mode::AllEqual => heaps.windows(2).all(|w| w[0] == w[1]),
                Mode::NotAllEqual => heaps.windows(2).any(|w| w[0] != w[1]),
                Mode::AllUnequal => heaps.windows(2).all(|w| w[0] != w[1]),
            };
            if rest == 0 && digit.leaves(0) {
                seen.insert(0);
            }
            if rest > 0 && digit.leaves(1) {
                seen.insert(table[rest]);
            }
            for a in 1..rest {
                for b in a..rest {
                    if a + b == rest && digit.leaves(2) && fits(&[a, b]) {
                        seen.insert(table[a] ^ table[b]);
                    }
                    if rest >= a + 2 * b && digit.leaves(3) && fits(&[a, b, rest - a - b]) {
                        seen.insert(table[a] ^ table[b] ^ table[rest - a - b]);
                    }
                }
            }
        }
        table.push((0..).find(|value| !seen.contains(value)).expect("a finite set"));
    }
    table
}

#[test]
fn hexadecimal_digits_modes_and_tails_mean_what_they_say() {
    for text in [
        "0.8", "0.2048", "8.0", "C.3", "4!.0", "4=.0", "4?.07", "8!.0", "8?.0", "8=.0", "0.F", "0.F!F?F=",
        "C?.7!2", "0.[3]", "4.[3]", "0.[03]", "0.7[0]", "0.3[103]", "4.[7]", "0.7[07]", "0.1[402]", "0.[8?]",
        "C=.[4!]", "0.[124]", "8.[A]", "0.0",
    ] {
        let Some(Ok(Code::TakeAndBreak(code))) = code::parse(text) else { panic!("{text} is a code") };
        assert_eq!(values(text, 30), naive(&code, 30), "{text}");
    }
}

/// Values of coins by definition: every set of coins that the code lets turn, coin n the rightmost of them.
fn naive_coins(code: &Turning, count: usize) -> Vec<u32> {
    let first = usize::try_from(code.first_coin()).expect("0 or 1");
    let mut table: Vec<u32> = vec![0; first];
    for n in first..first + count {
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        for mask in 0_usize..1 << (n - first) {
            let mut coins: Vec<usize> =
                (0..n - first).filter(|i| mask >> i & 1 == 1).map(|i| i + first).collect();
            coins.push(n);
            if code.elements().iter().any(|turn| fits(turn, &coins, first)) {
                seen.insert(coins[..coins.len() - 1].iter().fold(0, |xor, coin| xor ^ table[*coin]));
            }
        }
        table.push((0..).find(|value| !seen.contains(value)).expect("a finite set"));
    }
    table
}

fn fits(turn: &Turn, coins: &[usize], first: usize) -> bool {
    let count = u32::try_from(coins.len()).expect("few");
    let span = u32::try_from(coins[coins.len() - 1] - coins[0] + 1).expect("few");
    let gaps: Vec<usize> = coins.windows(2).map(|w| w[1] - w[0]).collect();
    turn.least <= count
        && turn.most.is_none_or(|most| count <= most)
        && turn.within.is_none_or(|within| span <= within)
        && (!turn.first || coins[0] == first)
        && match turn.spacing {
            Spacing::Free => true,
            Spacing::Consecutive => gaps.iter().all(|gap| *gap == 1),
            Spacing::Even => gaps.windows(2).all(|w| w[0] == w[1]),
            Spacing::Symmetric => gaps.iter().eq(gaps.iter().rev()),
        }
}

#[test]
fn turning_codes_mean_what_they_say() {
    let codes = "1 2 3 1-2 1-3 1-5 2-4 1-4F 3F 1+ 2+F 3+C(6) 1-9 2-9C(5)F 2-12C(9) 1+C 2+C 1-5C 2C 3CF 1+CF 2-3CF \
                 1-3C(5) 3E 1-4E 2+E 4EF 1+EC(7) 1+EF 4S 5S 1+S 3-7S 6SF 5SF 4FS 2+SC(6) 1-9S 3+SF 1,3E 2C,4S 1F,2+C";
    for text in codes.split_whitespace() {
        let Some(Ok(Code::Turning(code))) = code::parse(text) else { panic!("{text} is a code") };
        let expected = naive_coins(&code, 11);
        assert_eq!(values(text, expected.len()), expected, "{text}");
    }
}
