//! Finite automata that read tuples of naturals, one digit of each at a time, least significant first.
//!
//! A [`Dfa`] over `tracks` numbers in base `base` reads letters: one digit a track, packed as
//! `d0 + d1*b + d2*b^2 + ...`. Numbers are padded with zeros to a common length, and the language must not care
//! how many ([`Dfa::ignores_padding`]). A relation such as {(n, g(n))} that has such an automaton is *synchronized*
//! (Allouche and Shallit, *Automatic Sequences*; Shallit, *The Logical Approach to Automatic Sequences*).
//!
//! Least significant digits come first because addition and nim-addition then need no look-ahead and because a
//! table can be learned by residues ([`learn`]). The transition table is dense; a missing transition is
//! [`DEAD`] and not a state, which keeps the tables of functions, where most letters are impossible, small.

pub(crate) mod find;
pub mod inclusion;
pub mod learn;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// A state, counted from 0.
pub type State = u32;

/// No state: everything that starts here is refused.
pub const DEAD: State = State::MAX;

/// A deterministic automaton; state 0 is where reading begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dfa {
    base: u32,
    tracks: u32,
    letters: usize,
    next: Vec<State>,
    accepting: Vec<bool>,
}

impl Dfa {
    /// An automaton from its table: `next[state * base^tracks + letter]`, entries below the number of states or [`DEAD`].
    ///
    /// `None` unless 2 <= base <= 36, 1 <= tracks <= 8, base^tracks <= 65536, there is a state, and the table fits.
    #[must_use]
    pub fn new(base: u32, tracks: u32, next: Vec<State>, accepting: Vec<bool>) -> Option<Dfa> {
        if !(2..=36).contains(&base) || !(1..=8).contains(&tracks) {
            return None;
        }
        let letters = usize::try_from(base.checked_pow(tracks)?).ok().filter(|&l| l <= 1 << 16)?;
        let states = State::try_from(accepting.len()).ok().filter(|&s| s > 0 && s < DEAD)?;
        let fits = next.len() == accepting.len().checked_mul(letters)?
            && next.iter().all(|&s| s < states || s == DEAD);
        fits.then_some(Dfa { base, tracks, letters, next, accepting })
    }

    /// The base of the digits.
    #[must_use]
    pub fn base(&self) -> u32 {
        self.base
    }

    /// How many numbers are read together.
    #[must_use]
    pub fn tracks(&self) -> u32 {
        self.tracks
    }

    /// How many letters there are: base^tracks.
    #[must_use]
    pub fn letters(&self) -> usize {
        self.letters
    }

    /// How many states there are, [`DEAD`] not counted.
    #[must_use]
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Whether reading may end in `state`.
    #[must_use]
    pub fn accepting(&self, state: State) -> bool {
        state != DEAD && self.accepting[state as usize]
    }

    /// Where `letter` leads.
    #[must_use]
    pub fn step(&self, state: State, letter: usize) -> State {
        if state == DEAD { DEAD } else { self.next[state as usize * self.letters + letter] }
    }

    /// Whether the tuple is accepted; false if it does not have `tracks` numbers.
    #[must_use]
    pub fn accepts(&self, numbers: &[u128]) -> bool {
        if numbers.len() != self.tracks as usize {
            return false;
        }
        let mut rest = numbers.to_vec();
        let mut state = 0;
        while state != DEAD && rest.iter().any(|&n| n > 0) {
            let mut letter = 0;
            for number in rest.iter_mut().rev() {
                letter = letter * self.base as usize + digit(number, self.base);
            }
            state = self.step(state, letter);
        }
        self.accepting(state)
    }

    /// Whether trailing zeros never change the verdict.
    #[must_use]
    pub fn ignores_padding(&self) -> bool {
        (0..self.states()).all(|s| {
            let state = State::try_from(s).unwrap_or(DEAD);
            self.accepting(state) == self.accepting(self.step(state, 0))
        })
    }

    /// For a relation of two tracks: the least `v` with `(n, v)` accepted, if there is one below 2^127.
    ///
    /// For a function this is its value, found in time proportional to the digits of `n` times the states.
    #[must_use]
    pub fn value(&self, n: u128) -> Option<u128> {
        self.other(&[n], 1)
    }

    /// The same for a relation of several numbers and a value: the least `v` with (heap.., v) accepted.
    ///
    /// ```
    /// let xor: Vec<u128> = (0..32 * 32).map(|i| (i / 32) ^ (i % 32)).collect();
    /// let xor = grundy::automaton::learn::synchronized_grid(&xor, &[32, 32], 2, 100).unwrap();
    /// assert_eq!(xor.value_of(&[1 << 70, 5]), Some((1 << 70) + 5));
    /// ```
    #[must_use]
    pub fn value_of(&self, heap: &[u128]) -> Option<u128> {
        self.other(heap, self.tracks - 1)
    }

    /// For a relation of two tracks: the least `n` with `(n, v)` accepted, if there is one below 2^127.
    #[must_use]
    pub fn preimage(&self, v: u128) -> Option<u128> {
        self.other(&[v], 0)
    }

    /// The least number on track `track`, where `given` stands on the others.
    fn other(&self, given: &[u128], track: u32) -> Option<u128> {
        if given.len() + 1 != self.tracks as usize {
            return None;
        }
        let base = u128::from(self.base);
        let place = |track: usize| (0..track).fold(1, |place, _| place * self.base as usize);
        let free_place = place(track as usize);
        let places: Vec<usize> =
            (0..self.tracks).filter(|t| *t != track).map(|t| place(t as usize)).collect();
        // For each state after some digits the least number that leads there: later digits weigh more, and equal
        // lengths are compared as numbers, so the least is kept state by state.
        let mut least: FxHashMap<State, u128> = FxHashMap::from_iter([(0, 0)]);
        let mut rest = given.to_vec();
        let mut weight: u128 = 1;
        let mut padding = 0;
        let mut best: Option<u128> = None;
        while !least.is_empty() {
            if rest.iter().all(|n| *n == 0) {
                let ended = least.iter().filter(|&(&s, _)| self.accepting(s)).map(|(_, &v)| v).min();
                best = match (best, ended) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
                // A longer number with a new leading digit is greater than any shorter one.
                if best.is_some() || padding > self.states() {
                    return best;
                }
                padding += 1;
            }
            let fixed: usize =
                rest.iter_mut().zip(&places).map(|(n, place)| digit(n, self.base) * place).sum();
            let mut after: FxHashMap<State, u128> = FxHashMap::default();
            for (&state, &number) in &least {
                for free in 0..self.base as usize {
                    let to = self.step(state, fixed + free * free_place);
                    if to == DEAD {
                        continue;
                    }
                    let Some(grown) = weight.checked_mul(free as u128).and_then(|w| w.checked_add(number))
                    else {
                        continue;
                    };
                    after.entry(to).and_modify(|v| *v = (*v).min(grown)).or_insert(grown);
                }
            }
            least = after;
            match weight.checked_mul(base) {
                Some(w) if w < 1 << 127 => weight = w,
                _ => return best,
            }
        }
        best
    }

    /// The automaton with the fewest states for the same language, states numbered in the order in which reading
    /// meets them: two automata accept the same exactly if their minimal ones are equal.
    ///
    /// Moore's refinement by rounds, with exact signatures; a few hundred states are its use here.
    #[must_use]
    pub fn minimal(&self) -> Dfa {
        let order = self.reachable();
        let mut class: Vec<u32> = vec![0; self.states()];
        // Class 0 is the refusing one: DEAD belongs to it.
        for &s in &order {
            class[s as usize] = u32::from(self.accepting(s));
        }
        let mut classes = 0;
        loop {
            let mut signatures: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
            // DEAD first, so that what equals it shares class 0.
            signatures.insert(vec![0; self.letters + 1], 0);
            let mut refined = class.clone();
            for &s in &order {
                let mut signature = Vec::with_capacity(self.letters + 1);
                signature.push(class[s as usize]);
                for letter in 0..self.letters {
                    let to = self.step(s, letter);
                    signature.push(if to == DEAD { 0 } else { class[to as usize] });
                }
                let fresh =
                    u32::try_from(signatures.len()).expect("no more classes than states, which are u32");
                refined[s as usize] = *signatures.entry(signature).or_insert(fresh);
            }
            class = refined;
            if signatures.len() == classes {
                break;
            }
            classes = signatures.len();
        }
        self.quotient(&class)
    }

    /// One state a class, numbered as reading meets them; class 0 becomes [`DEAD`] (unless reading begins there).
    fn quotient(&self, class: &[u32]) -> Dfa {
        let mut number: FxHashMap<u32, State> = FxHashMap::from_iter([(class[0], 0)]);
        let mut next = Vec::new();
        let mut accepting = Vec::new();
        let mut queue = VecDeque::from([0]);
        while let Some(s) = queue.pop_front() {
            accepting.push(self.accepting(s));
            for letter in 0..self.letters {
                let to = self.step(s, letter);
                if to == DEAD || class[to as usize] == 0 {
                    next.push(DEAD);
                    continue;
                }
                let fresh =
                    State::try_from(number.len()).expect("no more classes than states, which are u32");
                let id = *number.entry(class[to as usize]).or_insert_with(|| {
                    queue.push_back(to);
                    fresh
                });
                next.push(id);
            }
        }
        Dfa { base: self.base, tracks: self.tracks, letters: self.letters, next, accepting }
    }

    /// The states that reading can meet, in the order in which it does.
    fn reachable(&self) -> Vec<State> {
        let mut seen = vec![false; self.states()];
        seen[0] = true;
        let mut order = vec![0];
        let mut at = 0;
        while at < order.len() {
            let s: State = order[at];
            at += 1;
            for letter in 0..self.letters {
                let to = self.step(s, letter);
                if to != DEAD && !seen[to as usize] {
                    seen[to as usize] = true;
                    order.push(to);
                }
            }
        }
        order
    }
}

/// Takes the least significant digit off.
fn digit(number: &mut u128, base: u32) -> usize {
    let base = u128::from(base);
    let last = *number % base;
    *number /= base;
    usize::try_from(last).expect("a digit is below the base, which is at most 36")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// {(n, 3n)} in base 2: the state is the carry.
    fn triple() -> Dfa {
        let mut next = Vec::new();
        for carry in 0..3u32 {
            for letter in 0..4u32 {
                let (n, v) = (letter & 1, letter >> 1);
                let sum = 3 * n + carry;
                next.push(if sum % 2 == v { sum / 2 } else { DEAD });
            }
        }
        Dfa::new(2, 2, next, vec![true, false, false]).unwrap()
    }

    #[test]
    fn a_function_is_evaluated_and_inverted() {
        let triple = triple();
        assert!(triple.ignores_padding());
        for n in (0..200).chain([10u128.pow(18), 10u128.pow(30) + 7]) {
            assert!(triple.accepts(&[n, 3 * n]));
            assert!(!triple.accepts(&[n, 3 * n + 1]));
            assert_eq!(triple.value(n), Some(3 * n));
            assert_eq!(triple.preimage(3 * n), Some(n));
            assert_eq!(triple.preimage(3 * n + 1), None);
        }
    }

    #[test]
    fn minimal_automata_are_equal_exactly_for_equal_languages() {
        let triple = triple();
        // The same with every state doubled and an unreachable one.
        let copy = |s: State, by: State| if s == DEAD { DEAD } else { s + by };
        let mut next: Vec<State> = triple.next.iter().map(|&s| copy(s, 3)).collect();
        next.extend(&triple.next);
        next.extend([0; 4]);
        let accepting = [&triple.accepting[..], &triple.accepting[..], &[true]].concat();
        let doubled = Dfa::new(2, 2, next, accepting).unwrap();
        assert_eq!(doubled.minimal(), triple.minimal());
        assert_eq!(triple.minimal().states(), 3);
        assert!(!doubled.minimal().accepts(&[1, 2]));
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        assert!(Dfa::new(2, 2, vec![0; 4], vec![true]).is_some());
        assert!(Dfa::new(2, 2, vec![0; 3], vec![true]).is_none());
        assert!(Dfa::new(2, 2, vec![1; 4], vec![true]).is_none());
        assert!(Dfa::new(1, 2, vec![0], vec![true]).is_none());
        assert!(Dfa::new(2, 1, vec![], vec![]).is_none());
    }
}
