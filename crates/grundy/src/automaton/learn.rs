//! From a table to an automaton: residues that look the same are one state.
//!
//! Read k digits of n and of v = f(n), least significant first: what can still follow depends on the *residual*
//! f'(m) = (f(b^k m + r) - s) / b^k, defined where the digits of f agree with s. Two residuals that are equal
//! are one state (Myhill and Nerode), and a table of N values shows N / b^k values of a residual. So a state
//! met after k digits is known by N / b^k values; when fewer than [`EVIDENCE`] are left, the table is too
//! short and nothing is learned.
//!
//! What comes out fits the table by construction, and is still a guess: whoever uses it compares the automata
//! of N and 2N values (39 of 149 guesses from up to 2500 values were wrong, nearly all with 90 states or
//! more).

use rustc_hash::FxHashMap;

use super::{DEAD, Dfa, State};

/// Fewest values by which a residual is told from another.
pub const EVIDENCE: usize = 8;

/// A value that is not there: the digits read so far contradict it.
const NONE: u128 = u128::MAX;

/// The automaton of {(n, f(n))} in base `base` that the values f(0), f(1), ... show, minimal and with states in
/// reading order; `None` if it needs more than `most_states` or the table is too short.
///
/// ```
/// let odious: Vec<u128> = (0..200u32).map(|n| u128::from(2 * n + u32::from(n.count_ones() % 2 == 0))).collect();
/// let found = grundy::automaton::learn::synchronized(&odious, 2, 100).unwrap();
/// assert_eq!(found.value(1_000_000), Some(2_000_000 + u128::from(1_000_000u32.count_ones() % 2 == 0)));
/// ```
#[must_use]
pub fn synchronized(values: &[u128], base: u32, most_states: usize) -> Option<Dfa> {
    let b = usize::try_from(base).ok().filter(|b| (2..=36).contains(b))?;
    if values.len() < EVIDENCE || values.contains(&NONE) {
        return None;
    }
    let mut residuals: Vec<Vec<u128>> = vec![values.to_vec()];
    // States with the same first values, to be compared in full.
    let mut alike: FxHashMap<Vec<u128>, Vec<State>> = FxHashMap::default();
    alike.insert(values[..EVIDENCE].to_vec(), vec![0]);
    let mut next: Vec<State> = Vec::new();
    let mut at = 0;
    while at < residuals.len() {
        for letter in 0..b * b {
            let (n_digit, v_digit) = (letter % b, letter / b);
            let rest = residual(&residuals[at], b, n_digit, v_digit);
            if rest.iter().all(|&v| v == NONE) {
                next.push(DEAD);
                continue;
            }
            if rest.len() < EVIDENCE {
                return None;
            }
            let bucket = alike.entry(rest[..EVIDENCE].to_vec()).or_default();
            let known = bucket.iter().copied().find(|&s| {
                let other = &residuals[s as usize];
                let common = other.len().min(rest.len());
                other[..common] == rest[..common]
            });
            let state = match known {
                Some(state) => state,
                None => {
                    if residuals.len() >= most_states {
                        return None;
                    }
                    let state = State::try_from(residuals.len()).ok()?;
                    bucket.push(state);
                    residuals.push(rest);
                    state
                }
            };
            next.push(state);
        }
        at += 1;
    }
    let accepting = residuals.iter().map(|r| r[0] == 0).collect();
    Some(Dfa::new(base, 2, next, accepting)?.minimal())
}

/// What can follow the digits `n_digit`, `v_digit`.
fn residual(values: &[u128], base: usize, n_digit: usize, v_digit: usize) -> Vec<u128> {
    let (b, v_digit) = (base as u128, v_digit as u128);
    values
        .iter()
        .skip(n_digit)
        .step_by(base)
        .map(|&v| if v != NONE && v % b == v_digit { v / b } else { NONE })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(f: impl Fn(u128) -> u128, n: u128, base: u32) -> Option<Dfa> {
        synchronized(&(0..n).map(&f).collect::<Vec<_>>(), base, 500)
    }

    #[test]
    fn laws_of_the_literature_are_learned_from_few_values_and_hold_far_out() {
        let lasker = |n: u128| match n % 4 {
            0 if n > 0 => n - 1,
            3 => n + 1,
            _ => n,
        };
        let ruler = |n: u128| if n == 0 { 0 } else { n & n.wrapping_neg() };
        let odd_part_parity = |n: u128| u128::from(n.trailing_zeros() % 2 == 1 && n > 0);
        for (f, base, states) in [
            (&(|n| n) as &dyn Fn(u128) -> u128, 2, 1),
            (&(|n| n % 3), 2, 0),
            (&lasker, 2, 0),
            (&ruler, 2, 0),
            (&odd_part_parity, 2, 0),
            (&(|n: u128| n / 6), 6, 0),
        ] {
            let found = learn(f, 600, base).expect("600 values are plenty");
            assert!(states == 0 || found.states() == states);
            assert!(found.ignores_padding());
            for n in (0..5000).chain([10u128.pow(18) + 11]) {
                assert_eq!(found.value(n), Some(f(n)), "n={n} base {base}");
            }
        }
    }

    #[test]
    fn a_table_too_short_or_without_pattern_teaches_nothing() {
        assert!(learn(|n| n, 7, 2).is_none());
        // Values of a generator without structure in base 2.
        let noise = |n: u128| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 17) % 5;
        assert!(learn(noise, 2000, 2).is_none());
    }
}
