//! From a table to an automaton: residues that look the same are one state.
//!
//! Read k digits of n, least significant first: what can still follow depends on the *residual*, the sequence
//! m -> f(b^k m + r) where r is what was read. Two residuals that are equal are one state (Myhill and Nerode; for
//! [`outputs`] the states are the kernel of an automatic sequence). Where digits of f(n) are read along, the residual is
//! what is left of the values after these digits, and nothing where they differ. A table of N values shows N / b^k values
//! of a residual, so when fewer than [`EVIDENCE`] are left, the table is too short and nothing is learned.
//!
//! What comes out fits the table by construction, and is still a guess: whoever uses it compares the automata
//! of N and 2N values (39 of 149 guesses from up to 2500 values were wrong, nearly all with 90 states or
//! more).
//!
//! A function of several numbers has residuals m1, m2, .. -> f(b^k m1 + r1, b^k m2 + r2, ..), and its table is a grid: the same
//! code reads both, since a sequence is a grid with one side.

use rustc_hash::FxHashMap;

use super::{DEAD, Dfa, State};

/// Fewest values by which a residual is told from another.
pub const EVIDENCE: usize = 8;

/// The same for functions of several numbers, along each of them.
fn evidence(sides: usize) -> usize {
    match sides {
        1 => EVIDENCE,
        2 => 4,
        _ => 3,
    }
}

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
    synchronized_grid(values, &[values.len()], base, most_states)
}

/// The same for a function of several numbers: the automaton of {(a, b, .., f(a, b, ..))}, from the values of a grid in row
/// order with these sides.
///
/// ```
/// let xor: Vec<u128> = (0..32 * 32).map(|i| (i / 32) ^ (i % 32)).collect();
/// let found = grundy::automaton::learn::synchronized_grid(&xor, &[32, 32], 2, 100).unwrap();
/// assert_eq!(found.states(), 1);
/// assert!(found.accepts(&[1000, 24, 1000 ^ 24]) && !found.accepts(&[1000, 24, 1]));
/// ```
#[must_use]
pub fn synchronized_grid(values: &[u128], sides: &[usize], base: u32, most_states: usize) -> Option<Dfa> {
    if values.contains(&NONE)
        || sides.iter().try_fold(1, |all: usize, side| all.checked_mul(*side)) != Some(values.len())
    {
        return None;
    }
    let b = u128::from(base);
    // What is left of a value after one of its digits.
    let after = |v: u128, digit: u128| if v != NONE && v % b == digit { v / b } else { NONE };
    pairs(Grid::new(values.to_vec(), sides), base, most_states, after, |v| v == 0)
}

/// A coded value of which the one has been read.
const DONE: u128 = NONE - 1;

/// The same for {(n, base^f(n))}: the second number has a digit 1 at place f(n) and is 0 elsewhere.
///
/// ```
/// let ruler: Vec<u32> = (0..200u32).map(|n| (n + 1).trailing_zeros()).collect();
/// let found = grundy::automaton::learn::coded(&ruler, 2, 100).unwrap();
/// assert!(found.accepts(&[1023, 1 << 10]) && !found.accepts(&[1023, 1 << 9]));
/// ```
#[must_use]
pub fn coded(values: &[u32], base: u32, most_states: usize) -> Option<Dfa> {
    let after = |place: u128, digit: u128| match (place, digit) {
        (DONE, 0) | (0, 1) => DONE,
        (NONE | DONE | 0, _) => NONE,
        (place, 0) => place - 1,
        _ => NONE,
    };
    let places = values.iter().map(|v| u128::from(*v)).collect();
    pairs(Grid::new(places, &[values.len()]), base, most_states, after, |v| v == DONE)
}

/// Learns a relation of some numbers and a value; `after` takes a digit off a value, and `ended` tells those without digits.
fn pairs(
    values: Grid<u128>,
    base: u32,
    most_states: usize,
    after: impl Fn(u128, u128) -> u128,
    ended: impl Fn(u128) -> bool,
) -> Option<Dfa> {
    let b = usize::try_from(base).ok().filter(|b| (2..=36).contains(b))?;
    let sides = values.sides.len();
    let own = b.checked_pow(u32::try_from(sides).ok()?).filter(|letters| letters * b <= 1 << 16)?;
    let mut states = States::new(values, most_states)?;
    let mut next: Vec<State> = Vec::new();
    let mut at = 0;
    while at < states.residuals.len() {
        for letter in 0..own * b {
            let v_digit = (letter / own) as u128;
            let rest = states.residuals[at].part(letter % own, b, |v| after(v, v_digit));
            let dead = rest.values.iter().all(|v| *v == NONE);
            next.push(if dead { DEAD } else { states.number(rest)? });
        }
        at += 1;
    }
    let accepting = states.residuals.iter().map(|r| ended(r.values[0])).collect();
    Some(Dfa::new(base, u32::try_from(sides + 1).ok()?, next, accepting)?.minimal())
}

/// Values of all tuples below some sides, the last number running fastest.
struct Grid<T> {
    values: Vec<T>,
    sides: Box<[usize]>,
}

impl<T: Copy> Grid<T> {
    fn new(values: Vec<T>, sides: &[usize]) -> Self {
        Grid { values, sides: sides.into() }
    }

    /// What is left after one digit of each number, packed into a letter, the first number lowest.
    fn part(&self, letter: usize, base: usize, after: impl Fn(T) -> T) -> Grid<T> {
        let mut rest = letter;
        let mut digits = Vec::with_capacity(self.sides.len());
        for _ in &self.sides {
            digits.push(rest % base);
            rest /= base;
        }
        let left = |(side, digit): (&usize, &usize)| side.saturating_sub(*digit).div_ceil(base);
        let sides: Box<[usize]> = self.sides.iter().zip(&digits).map(left).collect();
        let (last, outer) = (sides.len() - 1, &sides[..sides.len() - 1]);
        let mut rows = vec![0];
        for (at, side) in outer.iter().enumerate() {
            let next = |row: &usize| {
                let first = row * self.sides[at] + digits[at];
                (0..*side).map(move |k| first + k * base)
            };
            rows = rows.iter().flat_map(next).collect();
        }
        let length = self.sides[last];
        let row = |row: usize| self.values[row * length..][..length].iter().skip(digits[last]).step_by(base);
        let values = rows.into_iter().flat_map(row).map(|v| after(*v)).collect();
        Grid { values, sides }
    }

    /// The rows of the corner with these sides, none of them longer than those of the grid.
    fn corner<'a>(&'a self, sides: &'a [usize]) -> impl Iterator<Item = &'a [T]> {
        let (last, outer) = (sides.len() - 1, &sides[..sides.len() - 1]);
        let mut rows = vec![0];
        for (at, side) in outer.iter().enumerate() {
            rows = rows.iter().flat_map(|row| (0..*side).map(move |k| row * self.sides[at] + k)).collect();
        }
        rows.into_iter().map(move |row| &self.values[row * self.sides[last]..][..sides[last]])
    }
}

/// An automaton that puts out a number: state 0 is where reading begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// What each state puts out.
    pub outputs: Vec<i64>,
    /// Where each state leads for the digits 0, 1, ...
    pub next: Vec<Vec<State>>,
}

impl Outputs {
    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> usize {
        self.outputs.len()
    }
}

/// The automaton that puts out f(n) after the digits of n, least significant first, with states in reading order;
/// `None` if it needs more than `most_states` or the table is too short.
///
/// ```
/// let parity: Vec<i64> = (0..100i64).map(|n| i64::from(n.count_ones() % 2)).collect();
/// let found = grundy::automaton::learn::outputs(&parity, 2, 10).unwrap();
/// assert_eq!((found.outputs, found.next), (vec![0, 1], vec![vec![0, 1], vec![1, 0]]));
/// ```
#[must_use]
pub fn outputs(values: &[i64], base: u32, most_states: usize) -> Option<Outputs> {
    let b = usize::try_from(base).ok().filter(|b| (2..=36).contains(b))?;
    let mut states = States::new(Grid::new(values.to_vec(), &[values.len()]), most_states)?;
    let mut next = Vec::new();
    let mut at = 0;
    while at < states.residuals.len() {
        let mut row = Vec::with_capacity(b);
        for digit in 0..b {
            row.push(states.number(states.residuals[at].part(digit, b, |v| v))?);
        }
        next.push(row);
        at += 1;
    }
    Some(Outputs { outputs: states.residuals.iter().map(|r| r.values[0]).collect(), next })
}

/// The residuals met so far, in reading order, hence by falling length.
struct States<T> {
    residuals: Vec<Grid<T>>,
    /// Those with the same first values, to be compared in full.
    alike: FxHashMap<Vec<T>, Vec<State>>,
    most: usize,
}

impl<T: Copy + Eq + std::hash::Hash> States<T> {
    fn new(values: Grid<T>, most: usize) -> Option<Self> {
        let mut states = States { residuals: Vec::new(), alike: FxHashMap::default(), most };
        states.number(values)?;
        Some(states)
    }

    /// The state of a residual, known or new; `None` if there are too many or it is too short.
    fn number(&mut self, residual: Grid<T>) -> Option<State> {
        let least = vec![evidence(residual.sides.len()); residual.sides.len()];
        if residual.sides.iter().zip(&least).any(|(side, least)| side < least) {
            return None;
        }
        let first = residual.corner(&least).flatten().copied().collect();
        let bucket = self.alike.entry(first).or_default();
        let known = bucket.iter().copied().find(|s| {
            let other = &self.residuals[*s as usize];
            let common: Vec<usize> =
                other.sides.iter().zip(&residual.sides).map(|(a, b)| *a.min(b)).collect();
            other.corner(&common).eq(residual.corner(&common))
        });
        if known.is_some() {
            return known;
        }
        if self.residuals.len() >= self.most {
            return None;
        }
        let state = State::try_from(self.residuals.len()).ok()?;
        bucket.push(state);
        self.residuals.push(residual);
        Some(state)
    }
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
    fn functions_of_several_numbers_are_learned_from_grids() {
        type Function<'a> = &'a dyn Fn(u128, u128) -> u128;
        let games: [(Function, u32); 4] = [
            (&|a, b| a ^ b, 2),
            (&|a, b| (a % 2) * 2 + b % 2, 2),
            (&|a, b| a.min(b), 2),
            (&|a, b| (a + 2 * b) % 3 + a / 3, 3),
        ];
        for (f, base) in games {
            // Sides need not be equal.
            let values: Vec<u128> = (0..90 * 70).map(|i| f(i / 70, i % 70)).collect();
            let found = synchronized_grid(&values, &[90, 70], base, 60).expect("they are plenty");
            assert!(found.ignores_padding());
            for (a, b) in (0..100).flat_map(|a| (0..100).map(move |b| (a, 7 * b))) {
                let accepted = |v: &u128| found.accepts(&[a, b, *v]);
                assert_eq!((0..1000).filter(accepted).collect::<Vec<_>>(), [f(a, b)], "{a} {b}");
            }
            assert!(synchronized_grid(&values, &[90, 71], base, 60).is_none());
        }
        // A product of numbers is no matter for automata.
        let values: Vec<u128> = (0..64 * 64).map(|i| (i / 64) * (i % 64)).collect();
        assert!(synchronized_grid(&values, &[64, 64], 2, 400).is_none());
    }

    #[test]
    fn a_table_too_short_or_without_pattern_teaches_nothing() {
        assert!(learn(|n| n, 7, 2).is_none());
        // Values of a generator without structure in base 2.
        let noise = |n: u128| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 17) % 5;
        assert!(learn(noise, 2000, 2).is_none());
        let small: Vec<u32> = (0..2000).map(|n| u32::try_from(noise(n)).unwrap()).collect();
        assert!(outputs(&small.iter().map(|v| i64::from(*v)).collect::<Vec<_>>(), 2, 100).is_none());
        assert!(coded(&small, 2, 100).is_none());
    }

    #[test]
    fn coded_values_are_places() {
        let f = |n: u32| if n == 0 { 0 } else { 2 + n.trailing_zeros() };
        let found = coded(&(0..400).map(f).collect::<Vec<_>>(), 2, 20).unwrap();
        assert!(found.ignores_padding());
        for n in 0..2000 {
            for place in 0..30 {
                let accepted = found.accepts(&[u128::from(n), 1 << place]);
                assert_eq!(accepted, place == f(n), "{n} {place}");
            }
        }
    }
}
