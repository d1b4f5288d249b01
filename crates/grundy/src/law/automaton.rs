//! Laws that an automaton states: the pairs (n, g(n)), the pairs (n, b^g(n)), or what is added to a line.
//!
//! All read digits least significant first. A value is found by following all states that agree with the digits
//! of n, each with the least number so far; the way back, from a value to heaps, is a search over places.
//! Acceptance is meant up to leading zeros: a pair is in the law if it is accepted with some number of them.

use grundy_rule::expr::Int;
use grundy_rule::law_text::{self, AutomaticState};

use crate::automaton::find::{Places, length};
use crate::automaton::{DEAD, Dfa, State};
use crate::error::Error;

/// The pairs (n, g(n)) or (n, b^g(n)).
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    dfa: Dfa,
    coded: bool,
    /// From which states leading zeros lead to acceptance.
    ends: Vec<bool>,
}

impl Pairs {
    pub(super) fn new(block: &law_text::Automaton) -> Result<Pairs, Error> {
        let dfa = dfa_of(block).ok_or_else(|| {
            Error::new("law-automaton", "the automaton has digits or states that its base does not have")
        })?;
        Ok(Pairs { coded: block.coded, ends: padded_ends(&dfa), dfa })
    }

    /// Whether the second number of a pair is a power.
    pub(super) fn is_coded(&self) -> bool {
        self.coded
    }

    /// The value of a heap; `None` if no pair has it.
    pub(super) fn value(&self, n: Int) -> Option<Int> {
        let n = u128::try_from(n).ok()?;
        self.value_of(&[n])
    }

    /// The same with several entries.
    pub(super) fn value_of(&self, heap: &[u128]) -> Option<Int> {
        let value = if self.coded { self.coded_value(heap) } else { self.dfa.value_of(heap) };
        value.and_then(|v| Int::try_from(v).ok())
    }

    /// The place of the one.
    fn coded_value(&self, heap: &[u128]) -> Option<u128> {
        let base = self.dfa.base() as usize;
        let digits = heap.iter().map(|n| length(*n, base)).max()?;
        // A digit 1 of the value in a letter.
        let one = base.checked_pow(u32::try_from(heap.len()).ok()?)?;
        // The state while no one was read, and each state after one, with the least place at which it was.
        let mut before: Option<State> = Some(0);
        let mut after: Vec<Option<u128>> = vec![None; self.dfa.states()];
        let mut rest = heap.to_vec();
        // Beyond the digits of the heap a state comes back before there are more places than states.
        for place in 0..=digits + self.dfa.states() {
            if place >= digits {
                let ended = (0..self.ends.len()).filter(|s| self.ends[*s]).filter_map(|s| after[s]).min();
                if ended.is_some() {
                    return ended;
                }
            }
            let mut digit = 0;
            for n in rest.iter_mut().rev() {
                digit = digit * base + usize::try_from(*n % base as u128).ok()?;
                *n /= base as u128;
            }
            let mut then = vec![None; self.dfa.states()];
            let mut put = |to: State, place: u128| {
                if let Some(slot) = then.get_mut(to as usize) {
                    *slot = Some(slot.map_or(place, |old: u128| old.min(place)));
                }
            };
            for (state, at) in (0..).zip(&after) {
                if let Some(at) = at {
                    put(self.dfa.step(state, digit), *at);
                }
            }
            if let Some(state) = before {
                put(self.dfa.step(state, digit + one), u128::try_from(place).ok()?);
            }
            before = before.map(|state| self.dfa.step(state, digit)).filter(|state| *state != DEAD);
            after = then;
        }
        None
    }

    /// The least heap in `from..=to` with that value.
    pub(super) fn least(&self, value: Int, from: Int, to: Int) -> Option<Int> {
        let (from, to) = (u128::try_from(from).ok()?, u128::try_from(to).ok()?);
        let base = self.dfa.base() as usize;
        let digits: Vec<usize> = if self.coded {
            let place = usize::try_from(value).ok().filter(|place| *place <= 128 + self.dfa.states())?;
            (0..=place).map(|at| usize::from(at == place)).collect()
        } else {
            let mut rest = u128::try_from(value).ok()?;
            let count = length(rest, base);
            let mut next = || {
                let digit = usize::try_from(rest % base as u128).unwrap_or(0);
                rest /= base as u128;
                digit
            };
            (0..count).map(|_| next()).collect()
        };
        let step = |state: usize, place: usize, digit: usize| {
            let other = digits.get(place).copied().unwrap_or(0);
            let to = self.dfa.step(State::try_from(state).unwrap_or(DEAD), digit + other * base);
            usize::try_from(to).ok().filter(|_| to != DEAD)
        };
        let count = digits.len().max(length(to, base));
        let places = Places { base, states: self.dfa.states(), count, step: &step, good: self.ends.clone() };
        places.least(from, to).and_then(|n| Int::try_from(n).ok())
    }
}

/// The dense automaton of a block; `None` if its digits or states do not fit.
pub(crate) fn dfa_of(block: &law_text::Automaton) -> Option<Dfa> {
    let base = usize::try_from(block.base).ok()?;
    let tracks = u32::try_from(block.entries).ok()?.checked_add(1)?;
    let letters = base.checked_pow(tracks)?;
    let digits = letters / base;
    let mut next = vec![DEAD; block.states.len().checked_mul(letters)?];
    for (i, state) in block.states.iter().enumerate() {
        for (n, v, to) in &state.next {
            let (n, v) = (usize::try_from(*n).ok()?, usize::try_from(*v).ok()?);
            if n >= digits || v >= base {
                return None;
            }
            next[i * letters + n + v * digits] = *to;
        }
    }
    Dfa::new(block.base, tracks, next, block.states.iter().map(|s| s.accepting).collect())
}

/// From which states some leading zeros lead to acceptance.
fn padded_ends(dfa: &Dfa) -> Vec<bool> {
    let mut ends: Vec<bool> =
        (0..dfa.states()).map(|s| dfa.accepting(State::try_from(s).unwrap_or(DEAD))).collect();
    loop {
        let mut grown = false;
        for s in 0..ends.len() {
            let to = dfa.step(State::try_from(s).unwrap_or(DEAD), 0);
            if !ends[s] && to != DEAD && ends[to as usize] {
                (ends[s], grown) = (true, true);
            }
        }
        if !grown {
            return ends;
        }
    }
}

/// A line plus the output of an automaton.
#[derive(Clone, Debug)]
pub(super) struct Outputs {
    base: u32,
    slope: (Int, Int),
    states: Vec<AutomaticState>,
    /// The different outputs, ascending.
    outputs: Vec<Int>,
}

impl Outputs {
    pub(super) fn new(block: &law_text::Automatic) -> Outputs {
        let mut outputs: Vec<Int> = block.states.iter().map(|s| s.output).collect();
        outputs.sort_unstable();
        outputs.dedup();
        Outputs { base: block.base, slope: block.slope, states: block.states.clone(), outputs }
    }

    /// The value of a heap.
    ///
    /// # Errors
    /// `overflow` beyond 128 bits.
    pub(super) fn value(&self, n: Int) -> Result<Int, Error> {
        let mut state = 0;
        let mut rest = n;
        while rest > 0 {
            let digit = usize::try_from(rest % Int::from(self.base)).unwrap_or(0);
            state = usize::try_from(self.states[state].next[digit]).unwrap_or(0);
            rest /= Int::from(self.base);
        }
        let (p, q) = self.slope;
        let line = p.checked_mul(n).map(|pn| pn.div_euclid(q));
        line.and_then(|line| line.checked_add(self.states[state].output))
            .ok_or_else(|| Error::new("overflow", format!("the law passes 128 bits at {n}")))
    }

    /// The least heap in `from..=to` with that value.
    pub(super) fn least(&self, value: Int, from: Int, to: Int) -> Option<Int> {
        let (p, q) = self.slope;
        let mut best: Option<Int> = None;
        for output in &self.outputs {
            let line = value.checked_sub(*output)?;
            // The heaps n with floor(p n/q) = line.
            let (lo, hi) = match p {
                0 if line == 0 => (from, to),
                0 => continue,
                _ => {
                    let up = |line: Int| line.checked_mul(q).map(|lq| (lq + p - 1).div_euclid(p));
                    let (Some(lo), Some(end)) = (up(line), up(line + 1)) else { continue };
                    (lo.max(from), (end - 1).min(to))
                }
            };
            let hi = best.map_or(hi, |b| hi.min(b - 1));
            if let Some(n) = self.least_with_output(*output, lo, hi) {
                best = Some(n);
            }
        }
        best
    }

    fn least_with_output(&self, output: Int, lo: Int, hi: Int) -> Option<Int> {
        let (lo, hi) = (u128::try_from(lo).ok()?, u128::try_from(hi).ok()?);
        let base = usize::try_from(self.base).ok()?;
        let step =
            |state: usize, _: usize, digit: usize| usize::try_from(self.states[state].next[digit]).ok();
        let good = self.states.iter().map(|s| s.output == output).collect();
        let places = Places { base, states: self.states.len(), count: length(hi, base), step: &step, good };
        places.least(lo, hi).and_then(|n| Int::try_from(n).ok())
    }
}
