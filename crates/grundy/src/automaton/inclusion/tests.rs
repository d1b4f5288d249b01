use proptest::prelude::*;

use super::*;
use crate::limits::Limits;

/// A nondeterministic automaton given in full: for each state and letter where it may lead.
#[derive(Clone, Debug)]
struct Given {
    letters: usize,
    next: Vec<Vec<State>>,
    accepting: Vec<bool>,
}

impl Nondeterministic for Given {
    fn start(&self) -> State {
        0
    }
    fn letters(&self) -> usize {
        self.letters
    }
    fn successors(&mut self, state: State, letter: usize) -> Result<Vec<State>, Error> {
        Ok(self.next[state as usize * self.letters + letter].clone())
    }
    fn accepting(&mut self, state: State) -> Result<bool, Error> {
        Ok(self.accepting[state as usize])
    }
}

impl Given {
    fn accepts(&self, word: &[usize]) -> bool {
        let mut now = vec![0];
        for &letter in word {
            let mut then: Vec<State> =
                now.iter().flat_map(|&s| self.next[s as usize * self.letters + letter].clone()).collect();
            then.sort_unstable();
            then.dedup();
            now = then;
        }
        now.iter().any(|&s| self.accepting[s as usize])
    }
}

/// The textbook way: all sets.
fn by_sets(all: &Dfa, some: &Given) -> bool {
    let mut met = vec![(0, vec![0])];
    let mut at = 0;
    while at < met.len() {
        let (state, set) = met[at].clone();
        at += 1;
        if all.accepting(state) && !set.iter().any(|&s: &State| some.accepting[s as usize]) {
            return false;
        }
        for letter in 0..all.letters() {
            let to = all.step(state, letter);
            if to == DEAD {
                continue;
            }
            let mut then: Vec<State> =
                set.iter().flat_map(|&s| some.next[s as usize * some.letters + letter].clone()).collect();
            then.sort_unstable();
            then.dedup();
            if !met.contains(&(to, then.clone())) {
                met.push((to, then));
            }
        }
    }
    true
}

/// Follows the sets cut down to the pool, as a reader of the certificate would.
fn pool_suffices(all: &Dfa, some: &Given, pool: &Pool) -> bool {
    let cut = Given { letters: some.letters, next: some.next.clone(), accepting: some.accepting.clone() };
    let mut met = vec![(0, vec![0])];
    let mut at = 0;
    while at < met.len() {
        let (state, set) = met[at].clone();
        at += 1;
        if all.accepting(state) && !set.iter().any(|&s: &State| cut.accepting[s as usize]) {
            return false;
        }
        for letter in 0..all.letters() {
            let to = all.step(state, letter);
            if to == DEAD {
                continue;
            }
            let mut then: Vec<State> = set
                .iter()
                .flat_map(|&s| cut.next[s as usize * cut.letters + letter].clone())
                .filter(|&s| pool.binary_search(&(to, s)).is_ok())
                .collect();
            then.sort_unstable();
            then.dedup();
            if !met.contains(&(to, then.clone())) {
                met.push((to, then));
            }
        }
    }
    true
}

prop_compose! {
    fn deterministic()(states in 1_usize..6)
        (next in prop::collection::vec(prop::option::weighted(0.7, 0..states), states * 2),
         accepting in prop::collection::vec(any::<bool>(), states)) -> Dfa {
        let next = next.into_iter().map(|s| s.map_or(DEAD, |s| State::try_from(s).unwrap())).collect();
        Dfa::new(2, 1, next, accepting).unwrap()
    }
}

prop_compose! {
    fn nondeterministic()(states in 1_usize..7)
        (next in prop::collection::vec(prop::collection::btree_set(0..states, 0..3), states * 2),
         accepting in prop::collection::vec(prop::bool::weighted(0.6), states)) -> Given {
        let next = next.into_iter()
            .map(|set| set.into_iter().map(|s| State::try_from(s).unwrap()).collect()).collect();
        Given { letters: 2, next, accepting }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_pool_way_agrees_with_all_sets(all in deterministic(), some in nondeterministic()) {
        let clock = Limits::default().clock();
        match inclusion(&all, &[0, 1], &mut some.clone(), &clock).unwrap() {
            Inclusion::Holds(pool) => {
                prop_assert!(by_sets(&all, &some));
                prop_assert!(pool_suffices(&all, &some, &pool));
            }
            Inclusion::Fails(word) => {
                prop_assert!(!by_sets(&all, &some));
                let mut state = 0;
                for &letter in &word {
                    state = all.step(state, letter);
                }
                prop_assert!(all.accepting(state), "a counterexample is a word of the deterministic automaton");
                prop_assert!(!some.accepts(&word));
            }
        }
    }
}

#[test]
fn letters_that_do_not_fit_are_refused() {
    let all = Dfa::new(2, 1, vec![0, 0], vec![true]).unwrap();
    let mut some = Given { letters: 1, next: vec![vec![0]], accepting: vec![true] };
    let clock = Limits::default().clock();
    assert_eq!(inclusion(&all, &[0], &mut some, &clock).unwrap_err().id(), "letters");
    assert_eq!(inclusion(&all, &[0, 1], &mut some, &clock).unwrap_err().id(), "letters");
    assert!(matches!(inclusion(&all, &[0, 0], &mut some, &clock), Ok(Inclusion::Holds(_))));
}

#[test]
fn a_time_limit_is_an_error_and_no_answer() {
    let all = Dfa::new(2, 1, vec![0, 0], vec![true]).unwrap();
    let mut some = Given { letters: 2, next: vec![vec![], vec![]], accepting: vec![false] };
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(inclusion(&all, &[0, 1], &mut some, &limits.clock()).unwrap_err().id(), "time");
}
