//! Several automata read together: each reads some of the tracks, and all of them must survive.

use crate::Fault;
use crate::budget::Budget;
use crate::dfa::{DEAD, Dfa};

/// One automaton among others, and the tracks that it reads.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its place in the list of automata.
    pub dfa: usize,
    /// The tracks, in the order of its own.
    pub tracks: Vec<usize>,
}

/// Components made ready: some tracks are given, the digits of the others are tried one after the other, and a
/// component steps as soon as its last digit stands.
#[derive(Clone, Debug)]
pub struct Joint {
    base: usize,
    tracks: usize,
    /// What reads.
    pub components: Vec<Component>,
    /// The tracks in the order in which digits are tried, and the components that are complete after each.
    order: Vec<(usize, Vec<usize>)>,
    /// Components that are complete before.
    given: Vec<usize>,
}

impl Joint {
    /// For so many tracks, of which some are given. Tracks in `late` are tried after the others of their components.
    #[must_use]
    pub fn new(base: u32, components: Vec<Component>, given: &[bool], late: &[usize]) -> Joint {
        let mut set = given.to_vec();
        let complete = |set: &[bool], c: &Component| c.tracks.iter().all(|t| set[*t]);
        let ready = (0..components.len()).filter(|c| complete(&set, &components[*c])).collect();
        let mut order = Vec::new();
        while let Some(track) = next_track(&components, &set, late) {
            let before: Vec<bool> = components.iter().map(|c| complete(&set, c)).collect();
            set[track] = true;
            let done =
                (0..components.len()).filter(|c| !before[*c] && complete(&set, &components[*c])).collect();
            order.push((track, done));
        }
        Joint { base: base as usize, tracks: given.len(), components, order, given: ready }
    }

    /// How many tracks there are.
    #[must_use]
    pub fn tracks(&self) -> usize {
        self.tracks
    }

    /// Whether all components accept.
    #[must_use]
    pub fn accepts_at(&self, dfas: &[Dfa], parts: &[u32]) -> bool {
        self.components.iter().zip(parts).all(|(c, part)| dfas[c.dfa].accepts_at(*part))
    }

    /// All steps from `parts`, the digits of the given tracks standing in `digits`: each with the digits and where it leads.
    ///
    /// # Errors
    /// The limits, or what `found` says.
    pub fn steps(
        &self,
        dfas: &[Dfa],
        parts: &[u32],
        digits: &mut [usize],
        budget: &mut Budget,
        mut found: impl FnMut(&[usize], &[u32]),
    ) -> Result<(), Fault> {
        let mut to = vec![DEAD; parts.len()];
        let step = |c: usize, digits: &[usize], to: &mut [u32]| {
            let component = &self.components[c];
            let letter =
                component.tracks.iter().rev().fold(0, |letter, track| letter * self.base + digits[*track]);
            to[c] = dfas[component.dfa].step(parts[c], letter);
            to[c] != DEAD
        };
        if !self.given.iter().all(|c| step(*c, digits, &mut to)) {
            return Ok(());
        }
        // The digit to be tried next on each track of the order.
        let mut trial = vec![0; self.order.len()];
        let mut depth = 0;
        loop {
            budget.spend(1)?;
            if depth == self.order.len() {
                found(digits, &to);
            } else if trial[depth] < self.base {
                let (track, done) = &self.order[depth];
                digits[*track] = trial[depth];
                trial[depth] += 1;
                if done.iter().all(|c| step(*c, digits, &mut to)) {
                    depth += 1;
                    if depth < trial.len() {
                        trial[depth] = 0;
                    }
                }
                continue;
            }
            if depth == 0 {
                return Ok(());
            }
            depth -= 1;
        }
    }
}

/// The track to be tried next: one of the component that lacks fewest.
fn next_track(components: &[Component], set: &[bool], late: &[usize]) -> Option<usize> {
    let missing = |c: &&Component| c.tracks.iter().filter(|t| !set[**t]).count();
    let component = components.iter().filter(|c| missing(c) > 0).min_by_key(missing)?;
    let mut open = component.tracks.iter().copied().filter(|t| !set[*t]);
    let first = open.clone().find(|t| !late.contains(t));
    first.or_else(|| open.next())
}
