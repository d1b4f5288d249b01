//! Whether a nondeterministic automaton accepts every word that a deterministic one does, with a short reason.
//!
//! The textbook way follows the set of all states in which the nondeterministic automaton can be; for the options of
//! a heap that breaks into three such sets have thousands of members and there are hundreds of thousands of them. Yet a
//! few well-chosen states are enough to accept what is left to read. A **pool** is a set of pairs (state of the one, state of
//! the other) that are allowed beside each other; the sets are cut down to it. If every accepted word still meets an
//! accepting state, the inclusion holds, whatever the pool is: a bad pool can only fail. So the pool is the reason, and whoever
//! doubts it follows the cut sets once more ([`Pool`] is what a certificate holds).
//!
//! It grows by failure. Words that the pool cannot accept are collected, some hundreds at a time, and for each of
//! them the run with the fewest new pairs is allowed; a word without any accepting run refutes the inclusion.
//! Sets that contain a set met before at the same state need not be followed (*antichains*: De Wulf, Doyen,
//! Henzinger and Raskin, CAV 2006): what the smaller accepts, the larger does.

mod shelf;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use rustc_hash::FxHashMap;

use super::{DEAD, Dfa, State};
use crate::error::Error;
use crate::limits::Clock;
use shelf::{Bits, Shelf};

/// Words for which the pool is grown before all sets are followed again.
const WORDS: usize = 300;

/// A nondeterministic automaton that is built while it is read. States are numbered by whoever builds it.
pub trait Nondeterministic {
    /// The state in which reading begins.
    fn start(&self) -> State;

    /// How many letters there are.
    fn letters(&self) -> usize;

    /// Where `letter` may lead, ascending and each once.
    ///
    /// # Errors
    /// A limit of memory or time.
    fn successors(&mut self, state: State, letter: usize) -> Result<Vec<State>, Error>;

    /// Whether reading may end here.
    ///
    /// # Errors
    /// As [`Nondeterministic::successors`].
    fn accepting(&mut self, state: State) -> Result<bool, Error>;
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// Every word is accepted, and these pairs (state of the deterministic automaton, state of the other) are enough
    /// to see it.
    Holds(Pool),
    /// This word is accepted by the deterministic automaton and not by the other.
    Fails(Vec<usize>),
}

/// The pairs of states that are allowed beside each other, in ascending order.
pub type Pool = Vec<(State, State)>;

/// Whether `all` accepts only words that `some` accepts, where `project[letter]` is what `some` reads when
/// `all` reads `letter`.
///
/// ```
/// use grundy::automaton::Dfa;
/// use grundy::automaton::inclusion::{Inclusion, Nondeterministic, inclusion};
/// use grundy::error::Error;
///
/// /// Words over {0, 1} with a 1 that is followed by at least one letter.
/// struct Inner;
/// impl Nondeterministic for Inner {
///     fn start(&self) -> u32 { 0 }
///     fn letters(&self) -> usize { 2 }
///     fn successors(&mut self, state: u32, letter: usize) -> Result<Vec<u32>, Error> {
///         Ok(match (state, letter) { (0, 1) => vec![0, 1], (0, _) => vec![0], _ => vec![2] })
///     }
///     fn accepting(&mut self, state: u32) -> Result<bool, Error> { Ok(state == 2) }
/// }
/// // One or more times 1: the word `1` has nothing after its 1.
/// let ones = Dfa::new(2, 1, vec![u32::MAX, 1, u32::MAX, 1], vec![false, true]).unwrap();
/// let clock = grundy::limits::Limits::default().clock();
/// assert_eq!(inclusion(&ones, &[0, 1], &mut Inner, &clock).unwrap(), Inclusion::Fails(vec![1]));
/// // Two or more times 1.
/// let ones = Dfa::new(2, 1, vec![u32::MAX, 1, u32::MAX, 2, u32::MAX, 2], vec![false, false, true]).unwrap();
/// assert!(matches!(inclusion(&ones, &[0, 1], &mut Inner, &clock).unwrap(), Inclusion::Holds(_)));
/// ```
///
/// # Errors
/// A limit of the clock, or what `some` says. `letters` if `project` does not fit the automata.
pub fn inclusion<W: Nondeterministic>(
    all: &Dfa,
    project: &[usize],
    some: &mut W,
    clock: &Clock,
) -> Result<Inclusion, Error> {
    if project.len() != all.letters() || project.iter().any(|&letter| letter >= some.letters()) {
        return Err(Error::new("letters", "the letters of the two automata do not fit each other"));
    }
    let start = some.start();
    let mut search = Search {
        all,
        project,
        shelves: (0..all.states()).map(|_| Shelf::new(all.letters())).collect(),
        endings: endings(all),
        some: Memo { letters: some.letters(), automaton: some, next: Vec::new(), accepting: Vec::new() },
        clock,
    };
    search.allow(0, start)?;
    loop {
        let words = search.failing()?;
        if words.is_empty() {
            return Ok(Inclusion::Holds(search.pool()));
        }
        for word in words {
            search.clock.check()?;
            if !search.admit(&word, start)? {
                return Ok(Inclusion::Fails(word));
            }
        }
    }
}

/// The nondeterministic automaton with what it has answered.
struct Memo<'a, W> {
    automaton: &'a mut W,
    letters: usize,
    next: Vec<Option<Box<[State]>>>,
    accepting: Vec<Option<bool>>,
}

impl<W: Nondeterministic> Memo<'_, W> {
    fn successors(&mut self, state: State, letter: usize) -> Result<&[State], Error> {
        let at = state as usize * self.letters + letter;
        if at >= self.next.len() {
            self.next.resize(at + self.letters, None);
        }
        let known = match self.next[at].take() {
            Some(known) => known,
            None => self.automaton.successors(state, letter)?.into_boxed_slice(),
        };
        Ok(self.next[at].insert(known))
    }

    fn accepting(&mut self, state: State) -> Result<bool, Error> {
        let at = state as usize;
        if at >= self.accepting.len() {
            self.accepting.resize(at + 1, None);
        }
        if let Some(known) = self.accepting[at] {
            return Ok(known);
        }
        let known = self.automaton.accepting(state)?;
        self.accepting[at] = Some(known);
        Ok(known)
    }
}

struct Search<'a, W> {
    all: &'a Dfa,
    project: &'a [usize],
    some: Memo<'a, W>,
    /// For each state of `all` the states of `some` that are allowed beside it.
    shelves: Vec<Shelf>,
    /// For each state of `all` the first letter of a shortest way to acceptance and its length.
    endings: Vec<Option<(u32, usize)>>,
    clock: &'a Clock,
}

/// A set met while following words: where, and how it was reached.
struct Node {
    state: State,
    set: Bits,
    /// The node before it and the letter between; the first node has none.
    from: Option<(usize, usize)>,
    /// Whether no smaller set was met since.
    alive: bool,
}

impl<W: Nondeterministic> Search<'_, W> {
    fn allow(&mut self, state: State, beside: State) -> Result<(), Error> {
        let accepting = self.some.accepting(beside)?;
        self.shelves[state as usize].put(beside, accepting);
        Ok(())
    }

    fn pool(&self) -> Pool {
        let mut pool: Pool = Vec::new();
        for (state, shelf) in (0..).zip(&self.shelves) {
            pool.extend(shelf.states().iter().map(|&beside| (state, beside)));
        }
        pool.sort_unstable();
        pool
    }

    /// Some words of `all` for which the pool has no run; none if it has one for each.
    fn failing(&mut self) -> Result<Vec<Vec<usize>>, Error> {
        let mut words: Vec<Vec<usize>> = Vec::new();
        let first = Bits::single(0);
        if self.all.accepting(0) && !first.meets(self.shelves[0].accepting()) {
            words.push(Vec::new());
        }
        let mut nodes = vec![Node { state: 0, set: first, from: None, alive: true }];
        let mut smallest: Vec<Vec<usize>> = vec![Vec::new(); self.all.states()];
        smallest[0].push(0);
        let mut queue = VecDeque::from([0]);
        let mut followed = 0_u32;
        while let Some(at) = queue.pop_front() {
            if !nodes[at].alive {
                continue;
            }
            followed += 1;
            if followed.is_multiple_of(16) {
                self.clock.check()?;
            }
            let state = nodes[at].state;
            for letter in 0..self.all.letters() {
                let to = self.all.step(state, letter);
                if to == DEAD || self.endings[to as usize].is_none() {
                    continue;
                }
                let set = self.after(state, &nodes[at].set, letter, to)?;
                let shelf = &self.shelves[to as usize];
                if set.is_empty() || (self.all.accepting(to) && !set.meets(shelf.accepting())) {
                    words.push(self.word(&nodes, at, letter, if set.is_empty() { Some(to) } else { None }));
                    if words.len() == WORDS {
                        return Ok(words);
                    }
                    continue;
                }
                let met = &mut smallest[to as usize];
                if met.iter().any(|&m| nodes[m].set.within(&set)) {
                    continue;
                }
                met.retain(|&m| {
                    nodes[m].alive = !set.within(&nodes[m].set);
                    nodes[m].alive
                });
                met.push(nodes.len());
                queue.push_back(nodes.len());
                nodes.push(Node { state: to, set, from: Some((at, letter)), alive: true });
            }
        }
        Ok(words)
    }

    /// The states beside `to` that `letter` leads to from those of `set`, which stand beside `state`.
    fn after(&mut self, state: State, set: &Bits, letter: usize, to: State) -> Result<Bits, Error> {
        let mut reached = Bits::default();
        for place in set.members() {
            let size = self.shelves[to as usize].states().len();
            if !self.shelves[state as usize].is_known(letter, place, size) {
                let beside = self.shelves[state as usize].states()[place];
                let next = self.some.successors(beside, self.project[letter])?;
                let seen = self.shelves[state as usize].seen(letter, place);
                let places = self.shelves[to as usize].places(next, seen);
                self.shelves[state as usize].learn(letter, place, &places, size);
            }
            reached.join(self.shelves[state as usize].step(letter, place));
        }
        Ok(reached)
    }

    /// The word that leads to the node and goes on with `letter`; from `open` on it goes the shortest way to acceptance.
    fn word(&self, nodes: &[Node], at: usize, letter: usize, open: Option<State>) -> Vec<usize> {
        let mut word = vec![letter];
        let mut node = &nodes[at];
        while let Some((before, letter)) = node.from {
            word.push(letter);
            node = &nodes[before];
        }
        word.reverse();
        let mut state = open.unwrap_or(DEAD);
        while state != DEAD && !self.all.accepting(state) {
            let Some((_, letter)) = self.endings[state as usize] else { break };
            word.push(letter);
            state = self.all.step(state, letter);
        }
        word
    }

    /// Allows the pairs of an accepting run over the word with the fewest new ones; `false` if there is no such run.
    fn admit(&mut self, word: &[usize], start: State) -> Result<bool, Error> {
        let mut path = vec![0];
        for &letter in word {
            path.push(self.all.step(path[path.len() - 1], letter));
        }
        // Fewest new pairs first, then those that have come farthest.
        let mut queue = BinaryHeap::from([Reverse((0_u32, word.len(), start))]);
        let mut best: FxHashMap<(usize, State), (u32, Option<State>)> = FxHashMap::default();
        best.insert((0, start), (0, None));
        while let Some(Reverse((cost, left, beside))) = queue.pop() {
            let at = word.len() - left;
            if best[&(at, beside)].0 < cost {
                continue;
            }
            if left == 0 {
                if self.some.accepting(beside)? {
                    self.allow_run(&path, &best, beside)?;
                    return Ok(true);
                }
                continue;
            }
            let shelf = &self.shelves[path[at + 1] as usize];
            for &next in self.some.successors(beside, self.project[word[at]])? {
                let cost = cost + u32::from(!shelf.holds(next));
                let known = best.entry((at + 1, next)).or_insert((u32::MAX, None));
                if cost < known.0 {
                    *known = (cost, Some(beside));
                    queue.push(Reverse((cost, left - 1, next)));
                }
            }
        }
        Ok(false)
    }

    fn allow_run(
        &mut self,
        path: &[State],
        best: &FxHashMap<(usize, State), (u32, Option<State>)>,
        last: State,
    ) -> Result<(), Error> {
        let mut beside = Some(last);
        for (at, &state) in path.iter().enumerate().rev() {
            let Some(now) = beside else { break };
            self.allow(state, now)?;
            beside = best[&(at, now)].1;
        }
        Ok(())
    }
}

/// For each state the length of a shortest way to acceptance and its first letter; `None` where there is no way.
fn endings(automaton: &Dfa) -> Vec<Option<(u32, usize)>> {
    let states = 0..State::try_from(automaton.states()).unwrap_or(DEAD);
    let mut endings: Vec<Option<(u32, usize)>> =
        states.clone().map(|state| automaton.accepting(state).then_some((0, 0))).collect();
    let mut before: Vec<Vec<(State, usize)>> = vec![Vec::new(); automaton.states()];
    for state in states {
        for letter in 0..automaton.letters() {
            let to = automaton.step(state, letter);
            if to != DEAD {
                before[to as usize].push((state, letter));
            }
        }
    }
    let mut queue: VecDeque<State> =
        (0..).zip(&endings).filter(|(_, ending)| ending.is_some()).map(|(state, _)| state).collect();
    while let Some(state) = queue.pop_front() {
        let Some((length, _)) = endings[state as usize] else { continue };
        for &(earlier, letter) in &before[state as usize] {
            if endings[earlier as usize].is_none() {
                endings[earlier as usize] = Some((length + 1, letter));
                queue.push_back(earlier);
            }
        }
    }
    endings
}

#[cfg(test)]
mod tests;
