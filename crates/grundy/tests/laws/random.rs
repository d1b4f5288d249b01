//! Random sequences of the kinds that have laws: found or refused, never a law that four times the values refute.

use std::collections::BTreeMap;

use grundy::law::discover::{agrees, discover};
use grundy::limits::Limits;

/// A linear congruential generator: the same sequences on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(n)).expect("below n")
    }
}

/// The output of a random automaton that reads n, the last or the first digit first, plus a line.
fn automatic(random: &mut Random, count: u32) -> Vec<u32> {
    let base = 2 + random.below(3);
    let states = 2 + random.below(7);
    let outputs: Vec<u32> = (0..states).map(|_| random.below(4)).collect();
    let mut next: Vec<Vec<u32>> =
        (0..states).map(|_| (0..base).map(|_| random.below(states)).collect()).collect();
    // Leading zeros read first must change nothing.
    let first_digit_first = random.below(2) == 0;
    if first_digit_first {
        next[0][0] = 0;
    }
    let slope = random.below(3) * random.below(2);
    let value = |n: u32| {
        let mut digits: Vec<u32> = Vec::new();
        let mut rest = n;
        while rest > 0 {
            digits.push(rest % base);
            rest /= base;
        }
        if first_digit_first {
            digits.reverse();
        }
        let end = digits.iter().fold(0, |state: u32, d| next[state as usize][*d as usize]);
        slope * n + outputs[end as usize]
    };
    (0..count).map(value).collect()
}

/// g(kn + r) = a g(n) + b n + c, where that stays small and not negative.
fn linear(random: &mut Random, count: u32) -> Vec<u32> {
    loop {
        let k = 2 + random.below(4);
        let clauses: Vec<[i64; 3]> = (0..k)
            .map(|_| [random.below(4), random.below(5), random.below(9)].map(i64::from))
            .map(|[a, b, c]| [a - 1, b, c - 2])
            .collect();
        let mut values: Vec<i64> = vec![i64::from(random.below(3))];
        for n in 1..count {
            let [a, b, c] = clauses[(n % k) as usize];
            values.push(a * values[(n / k) as usize] + b * i64::from(n / k) + c);
        }
        let values: Option<Vec<u32>> = values.into_iter().map(|v| u32::try_from(v).ok()).collect();
        if let Some(values) = values {
            return values;
        }
    }
}

/// A random beginning, then a period with a saltus, which may differ by residue.
fn arithmetic(random: &mut Random, count: u32) -> Vec<u32> {
    let (preperiod, period) = (random.below(120), 1 + random.below(40));
    let split = random.below(3) == 0;
    let saltus = random.below(9);
    let rises: Vec<u32> = (0..period).map(|_| if split { random.below(5) } else { saltus }).collect();
    let start: Vec<u32> = (0..preperiod + period).map(|_| random.below(12)).collect();
    let value = |n: u32| {
        if n < preperiod {
            return start[n as usize];
        }
        let (times, place) = ((n - preperiod) / period, (n - preperiod) % period);
        start[(preperiod + place) as usize] + times * rises[place as usize]
    };
    (0..count).map(value).collect()
}

/// Looks for the laws of a thousand sequences in their first values, and tests them with four times as many. How many
/// are found, by how they were made.
fn found(seen: u32) -> BTreeMap<&'static str, u32> {
    let all = 4 * seen;
    let mut random = Random(2026);
    let mut found = BTreeMap::new();
    for round in 0..1000 {
        let (made, values) = match round % 3 {
            0 => ("automatic", automatic(&mut random, all)),
            1 => ("linear", linear(&mut random, all)),
            _ => ("arithmetic", arithmetic(&mut random, all)),
        };
        let Some(law) = discover(&values[..seen as usize]).found else { continue };
        let wrong = agrees(&law.law, &values, &Limits::default().clock()).expect("no limit");
        assert_eq!(wrong, None, "round {round}, {made}, {} from {seen} values:\n{}", law.law.kind(), law.law);
        *found.entry(made).or_default() += 1;
    }
    found
}

#[test]
fn a_thousand_random_sequences_are_found_or_refused() {
    // Recursions always show. A period of up to 40 after up to 120 heaps needs 560 values.
    let short = found(500);
    assert!(short["automatic"] > 100 && short["linear"] == 333 && short["arithmetic"] > 260, "{short:?}");
    let long = found(2000);
    assert!(long["automatic"] > 180 && long["linear"] == 333 && long["arithmetic"] == 333, "{long:?}");
}
