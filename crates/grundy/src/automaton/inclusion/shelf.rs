//! The states that are allowed beside one state, and what is known of the steps from them.

use rustc_hash::FxHashMap;

use super::super::State;

/// A set of small numbers; without trailing zero words, so that equal sets are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn single(member: usize) -> Bits {
        let mut bits = Bits::default();
        bits.insert(member);
        bits
    }

    pub(super) fn insert(&mut self, member: usize) {
        if self.0.len() <= member / 64 {
            self.0.resize(member / 64 + 1, 0);
        }
        self.0[member / 64] |= 1 << (member % 64);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn join(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    pub(super) fn within(&self, other: &Bits) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(word, more)| word & !more == 0)
    }

    pub(super) fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(word, more)| word & more != 0)
    }

    pub(super) fn members(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| at * 64 + rest.trailing_zeros() as usize)
        })
    }
}

/// Where one letter leads from one state of a shelf: places on the next shelf, as far as that one was looked at.
#[derive(Clone, Debug, Default)]
struct Step {
    reached: Bits,
    seen: usize,
}

/// The states beside one state, in the order in which they were allowed: their *places*.
#[derive(Clone, Debug, Default)]
pub(super) struct Shelf {
    states: Vec<State>,
    place: FxHashMap<State, usize>,
    accepting: Bits,
    /// For each letter, for each place.
    steps: Vec<Vec<Step>>,
}

impl Shelf {
    pub(super) fn new(letters: usize) -> Shelf {
        Shelf { steps: vec![Vec::new(); letters], ..Shelf::default() }
    }

    pub(super) fn put(&mut self, state: State, accepting: bool) {
        let place = self.states.len();
        if self.place.contains_key(&state) {
            return;
        }
        self.place.insert(state, place);
        self.states.push(state);
        if accepting {
            self.accepting.insert(place);
        }
        for steps in &mut self.steps {
            steps.push(Step::default());
        }
    }

    pub(super) fn states(&self) -> &[State] {
        &self.states
    }

    pub(super) fn accepting(&self) -> &Bits {
        &self.accepting
    }

    pub(super) fn holds(&self, state: State) -> bool {
        self.place.contains_key(&state)
    }

    /// The places from `seen` on that hold one of `states`, which ascend.
    pub(super) fn places(&self, states: &[State], seen: usize) -> Vec<usize> {
        let fresh = &self.states[seen..];
        if fresh.len() > states.len() {
            states.iter().filter_map(|state| self.place.get(state).copied()).collect()
        } else {
            (seen..)
                .zip(fresh)
                .filter(|(_, state)| states.binary_search(state).is_ok())
                .map(|(p, _)| p)
                .collect()
        }
    }

    /// Whether the step from `place` with `letter` is known for a next shelf of `size` states.
    pub(super) fn is_known(&self, letter: usize, place: usize, size: usize) -> bool {
        self.seen(letter, place) == size
    }

    pub(super) fn seen(&self, letter: usize, place: usize) -> usize {
        self.steps[letter][place].seen
    }

    pub(super) fn learn(&mut self, letter: usize, place: usize, reached: &[usize], size: usize) {
        let step = &mut self.steps[letter][place];
        for &member in reached {
            step.reached.insert(member);
        }
        step.seen = size;
    }

    pub(super) fn step(&self, letter: usize, place: usize) -> &Bits {
        &self.steps[letter][place].reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_give_their_members_and_compare() {
        let mut set = Bits::default();
        for member in [0, 63, 64, 200] {
            set.insert(member);
        }
        assert_eq!(set.members().collect::<Vec<_>>(), [0, 63, 64, 200]);
        assert!(Bits::single(64).within(&set) && !set.within(&Bits::single(64)));
        assert!(set.meets(&Bits::single(200)) && !set.meets(&Bits::single(199)));
        assert!(Bits::default().is_empty() && Bits::default().within(&set));
    }
}
