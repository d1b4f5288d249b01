//! The options of a heap, digit by digit: a nondeterministic automaton over (heap, w) that accepts where some option of
//! the heap has value w.
//!
//! It is never built as a whole. A state says which way of moving is followed ([`Form`]) and in which state each of
//! its automata is: one for each heap left, over its number and its value, and one for each condition. A step tries the
//! digits of all that is hidden - the numbers of the heaps left and their values - and keeps those that every automaton
//! survives and whose values have `w` as their nim-sum. Heaps that may stand for each other are kept in order of their
//! states, so that one state serves for all orders.

use std::collections::HashMap;

use grundy_rule::formula::{Condition, Form, Left, Linear};
use grundy_rule::heap::KindId;

use crate::Fault;
use crate::budget::Budget;
use crate::dfa::{DEAD, Dfa, split};
use crate::joint::{Component, Joint};
use crate::refuse;

/// The automata that a law gives for the kinds of a rule.
#[derive(Clone, Debug)]
pub struct Values {
    /// The base of all of them.
    pub base: u32,
    /// For each kind the automaton of (entries, value).
    pub kinds: Vec<Dfa>,
    /// For kinds that are left as runs: the automaton of (n, nim-sum of the values below n).
    pub prefixes: Vec<Option<Dfa>>,
    /// Whether values are written as powers of two.
    pub coded: bool,
}

/// A form made ready.
#[derive(Clone, Debug)]
struct Choice {
    joint: Joint,
    /// How many entries the heap moved has: the first tracks. The last track is w; what is hidden and the values of
    /// heaps are between.
    arity: usize,
    /// The tracks of the values, whose nim-sum is w.
    values: Vec<usize>,
    /// Components that may change places.
    alike: Vec<Vec<usize>>,
}

/// The nondeterministic automaton. State 0 begins.
#[derive(Debug)]
pub struct Product {
    base: u32,
    kind: KindId,
    arity: usize,
    coded: bool,
    dfas: Vec<Dfa>,
    choices: Vec<Choice>,
    states: Vec<Box<[u32]>>,
    number: HashMap<Box<[u32]>, u32>,
    next: Vec<Option<Box<[u32]>>>,
    ends: Vec<Option<bool>>,
}

impl Product {
    /// The options of heaps of that kind, which has so many entries.
    ///
    /// # Errors
    /// Options that have no automaton in this base, or the limits.
    pub fn new(
        forms: &[Form],
        (kind, arity): (KindId, usize),
        values: &Values,
        budget: &mut Budget,
    ) -> Result<Product, Fault> {
        let mut product = Product {
            base: values.base,
            kind,
            arity,
            coded: values.coded,
            dfas: Vec::new(),
            choices: Vec::new(),
            states: Vec::new(),
            number: HashMap::new(),
            next: Vec::new(),
            ends: Vec::new(),
        };
        for form in forms.iter().filter(|form| form.kind == kind) {
            let choice = product.choice(form, values, budget)?;
            product.choices.push(choice);
        }
        product.intern(Vec::new(), budget)?;
        Ok(product)
    }

    /// The kind whose options these are.
    #[must_use]
    pub fn kind(&self) -> KindId {
        self.kind
    }

    /// How many entries its heaps have.
    #[must_use]
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// How many letters it reads: digits of the entries, then of w.
    #[must_use]
    pub fn letters(&self) -> usize {
        (self.base as usize).pow(u32::try_from(self.arity + 1).unwrap_or(u32::MAX))
    }

    /// How many states were met.
    #[must_use]
    pub fn met(&self) -> usize {
        self.states.len()
    }

    /// A state as a certificate writes it: the number of the form, then the states of its automata; nothing for the
    /// state that begins.
    #[must_use]
    pub fn written(&self, state: u32) -> &[u32] {
        self.states.get(state as usize).map_or(&[], |s| s)
    }

    /// The state that a certificate writes so.
    ///
    /// # Errors
    /// What is no state, or the limits.
    pub fn read(&mut self, written: &[u32], budget: &mut Budget) -> Result<u32, Fault> {
        if let [form, parts @ ..] = written {
            let fits = self.choices.get(*form as usize).is_some_and(|choice| {
                choice.joint.components.len() == parts.len()
                    && choice
                        .joint
                        .components
                        .iter()
                        .zip(parts)
                        .all(|(component, part)| (*part as usize) < self.dfas[component.dfa].states())
            });
            if !fits {
                return refuse("pool", format!("{written:?} is no state of the options"));
            }
        }
        self.intern(written.to_vec(), budget)
    }

    fn intern(&mut self, state: Vec<u32>, budget: &mut Budget) -> Result<u32, Fault> {
        if let Some(&known) = self.number.get(state.as_slice()) {
            return Ok(known);
        }
        // Twice the numbers, and what the maps keep for a state.
        budget.hold((state.len() * 8 + 96 + self.letters() * 16) as u64)?;
        let fresh = u32::try_from(self.states.len()).unwrap_or(DEAD);
        let state = state.into_boxed_slice();
        self.states.push(state.clone());
        self.number.insert(state, fresh);
        self.ends.push(None);
        self.next.resize(self.states.len() * self.letters(), None);
        Ok(fresh)
    }

    fn dfa(&mut self, dfa: Dfa) -> usize {
        self.dfas.iter().position(|known| *known == dfa).unwrap_or_else(|| {
            self.dfas.push(dfa);
            self.dfas.len() - 1
        })
    }

    fn choice(&mut self, form: &Form, values: &Values, budget: &mut Budget) -> Result<Choice, Fault> {
        let mut components = Vec::new();
        let mut tracks = form.unknowns;
        let mut value_tracks = Vec::new();
        let mut merged = vec![false; form.conditions.len()];
        for left in &form.left {
            match left {
                Left::Heap(kind, entries) => {
                    let mut dfa = values.kinds[usize::from(kind.0)].clone();
                    // What concerns this heap alone is said once, with its value.
                    if let [entry] = entries.as_slice()
                        && *entry >= form.arity
                    {
                        for (at, condition) in form.conditions.iter().enumerate() {
                            if alone(condition) == Some(*entry) {
                                dfa = dfa
                                    .and_of_first(&Dfa::condition(condition, self.base, budget)?.1, budget)?;
                                merged[at] = true;
                            }
                        }
                    }
                    let mut own = entries.clone();
                    own.push(tracks);
                    components.push(Component { dfa: self.dfa(dfa), tracks: own });
                    value_tracks.push(tracks);
                    tracks += 1;
                }
                Left::Run(kind, from, to) => {
                    let Some(prefix) = values.prefixes[usize::from(kind.0)].clone() else {
                        return refuse("prefix", "runs of heaps need the automaton of their nim-sums");
                    };
                    let dfa = self.dfa(prefix);
                    for end in [*from, *to] {
                        components.push(Component { dfa, tracks: vec![end, tracks] });
                        value_tracks.push(tracks);
                        tracks += 1;
                    }
                }
            }
        }
        if value_tracks.len() > 1 && (self.coded || !self.base.is_power_of_two()) {
            return refuse(
                "formula",
                "nim-sums have an automaton in bases 2, 4, 8 only, and not of coded values",
            );
        }
        if value_tracks.is_empty() && self.coded {
            // Nothing left has value 0, which is written 1.
            let one = Linear::unknown(0).add(-1).map(Condition::Zero);
            let Some(one) = one else { return refuse("formula", "no number one") };
            let dfa = Dfa::condition(&one, self.base, budget)?.1;
            components.push(Component { dfa: self.dfa(dfa), tracks: vec![tracks] });
        }
        let alike = alike(form, &components, &merged);
        for (condition, merged) in form.conditions.iter().zip(merged) {
            if !merged {
                let (tracks, dfa) = Dfa::condition(condition, self.base, budget)?;
                components.push(Component { dfa: self.dfa(dfa), tracks });
            }
        }
        let given: Vec<bool> = (0..=tracks).map(|track| track < form.arity || track == tracks).collect();
        let joint = Joint::new(self.base, components, &given, &value_tracks);
        Ok(Choice { joint, arity: form.arity, values: value_tracks, alike })
    }

    /// Where the letter may lead, ascending and each once.
    ///
    /// # Errors
    /// The limits.
    pub fn successors(&mut self, state: u32, letter: usize, budget: &mut Budget) -> Result<&[u32], Fault> {
        let at = state as usize * self.letters() + letter;
        if self.next[at].is_none() {
            let mut found = Vec::new();
            match self.states[state as usize].split_first() {
                None => {
                    for choice in 0..self.choices.len() {
                        let parts = vec![0; self.choices[choice].joint.components.len()];
                        self.steps(choice, &parts, letter, &mut found, budget)?;
                    }
                }
                Some((&choice, parts)) => {
                    let parts = parts.to_vec();
                    self.steps(choice as usize, &parts, letter, &mut found, budget)?;
                }
            }
            found.sort_unstable();
            found.dedup();
            budget.hold((found.len() * 4) as u64)?;
            self.next[at] = Some(found.into_boxed_slice());
        }
        Ok(self.next[at].as_deref().unwrap_or(&[]))
    }

    /// Tries the digits of what is hidden, one track after the other.
    fn steps(
        &mut self,
        choice: usize,
        parts: &[u32],
        letter: usize,
        found: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        let form = &self.choices[choice];
        let mut outer = vec![0; form.arity + 1];
        split(letter, self.base, &mut outer);
        let mut digits = vec![0; form.joint.tracks()];
        let last = digits.len() - 1;
        for (at, digit) in (0..form.arity).chain([last]).zip(outer) {
            digits[at] = usize::try_from(digit).unwrap_or(0);
        }
        let mut complete = Vec::new();
        form.joint.steps(&self.dfas, parts, &mut digits, budget, |digits, to| {
            // The nim-sum of the values is w; nothing left has value 0, which coded has an automaton of its own.
            let sum = form.values.iter().fold(0, |sum, track| sum ^ digits[*track]);
            if sum != digits[last] && !(self.coded && form.values.is_empty()) {
                return;
            }
            let mut state = Vec::with_capacity(to.len() + 1);
            state.push(u32::try_from(choice).unwrap_or(DEAD));
            state.extend(to);
            for group in &form.alike {
                let mut own: Vec<u32> = group.iter().map(|c| to[*c]).collect();
                own.sort_unstable();
                for (c, part) in group.iter().zip(own) {
                    state[c + 1] = part;
                }
            }
            complete.push(state);
        })?;
        for state in complete {
            found.push(self.intern(state, budget)?);
        }
        Ok(())
    }

    /// Whether a word may end here, after zeros as many as are needed: what is hidden may have more digits.
    ///
    /// # Errors
    /// The limits.
    pub fn accepts_at(&mut self, state: u32, budget: &mut Budget) -> Result<bool, Fault> {
        if let Some(known) = self.ends[state as usize] {
            return Ok(known);
        }
        let mut seen = vec![state];
        let mut at = 0;
        let mut accepts = false;
        while at < seen.len() && !accepts {
            let now = seen[at];
            at += 1;
            accepts = self.ends[now as usize].unwrap_or_else(|| self.all_accept(now));
            for &next in self.successors(now, 0, budget)? {
                if !seen.contains(&next) {
                    seen.push(next);
                }
            }
        }
        self.ends[state as usize] = Some(accepts);
        Ok(accepts)
    }

    fn all_accept(&self, state: u32) -> bool {
        match self.states[state as usize].split_first() {
            None => false,
            Some((&choice, parts)) => self.choices[choice as usize].joint.accepts_at(&self.dfas, parts),
        }
    }
}

/// The unknown that a condition is about, if it is about one.
fn alone(condition: &Condition) -> Option<usize> {
    match condition {
        Condition::Zero(form) | Condition::AtLeastZero(form) | Condition::Divisible { form, .. } => {
            match form.terms() {
                [(unknown, _)] => Some(*unknown),
                _ => None,
            }
        }
        Condition::Power { unknown, .. } => Some(*unknown),
        Condition::Among { unknowns, .. } => match unknowns.as_slice() {
            [unknown] => Some(*unknown),
            _ => None,
        },
        Condition::Bits { .. } => None,
    }
}

/// Heaps with equal automata whose numbers play the same part in every condition.
fn alike(form: &Form, components: &[Component], merged: &[bool]) -> Vec<Vec<usize>> {
    let single = |c: &Component| c.tracks.len() == 2 && c.tracks[0] >= form.arity;
    let same = |a: usize, b: usize| {
        form.conditions.iter().zip(merged).all(|(condition, merged)| {
            *merged
                || match condition {
                    Condition::Zero(f) | Condition::AtLeastZero(f) | Condition::Divisible { form: f, .. } => {
                        f.coefficient(a) == f.coefficient(b)
                    }
                    Condition::Power { unknown, .. } => *unknown != a && *unknown != b,
                    Condition::Among { unknowns, .. } => !unknowns.contains(&a) && !unknowns.contains(&b),
                    Condition::Bits { left, right, result, .. } => {
                        [left, right, result].iter().all(|u| **u != a && **u != b)
                    }
                }
        })
    };
    let once = |a: usize| components.iter().filter(|c| c.tracks.contains(&a)).count() == 1;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, component) in components.iter().enumerate() {
        if !single(component) || !once(component.tracks[0]) {
            continue;
        }
        let group = groups.iter_mut().find(|group| {
            let first = &components[group[0]];
            first.dfa == component.dfa && same(first.tracks[0], component.tracks[0])
        });
        match group {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}
