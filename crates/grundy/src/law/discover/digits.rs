//! Automata from tables: a line plus an output, the pairs (n, g(n)), the pairs (n, b^g(n)).
//!
//! All three are learned by residues ([`crate::automaton::learn`]): parts of the sequence that look the same are one
//! state. A learned automaton always fits; the question is whether it is the law. It is accepted only if the
//! half of the table gives the same one, and if its states are few beside the values: at most a thirtieth. Of guesses
//! that only fit, those with many states are nearly all wrong; with a twentieth, one of a thousand random automatic
//! sequences was still taken for another.
//!
//! Bases run from 2 to 10 but for 4, 8 and 9: what is automatic in base 4 is so in base 2.

use grundy_rule::law_text::{Automatic, AutomaticState, Automaton, AutomatonState, Clause, LawText};

use super::{Guess, Law, agrees, least_prefix};
use crate::automaton::learn::{self, Outputs};
use crate::automaton::{DEAD, Dfa, State};
use crate::error::Error;
use crate::limits::Clock;

/// The bases tried.
const BASES: [u32; 6] = [2, 3, 5, 6, 7, 10];

/// A state for so many values, at most.
const VALUES_FOR_STATE: usize = 30;

/// Most states of an automaton that anybody wants to see, or a proof could use.
const MOST_STATES: usize = 1000;

/// Values from which automata are learned; more of them only test what was learned.
const LEARNED_FROM: usize = 1 << 16;

/// A line plus the output of an automaton.
pub(super) fn automatic(values: &[u32], clock: &Clock) -> Result<Guess, Error> {
    let known = head(values);
    let slopes = slopes(known);
    let mut trail = Trail::default();
    for base in BASES {
        for (p, q) in &slopes {
            clock.check()?;
            let rest: Vec<i64> = (0..).zip(known).map(|(n, v)| i64::from(*v) - p * n / q).collect();
            let learn = |n: usize, most: usize| learn::outputs(&rest[..n], base, most);
            let Some(found) = trail.stable(base, rest.len(), learn, |o| o.states()) else { continue };
            let clause = Clause::Automatic(block_of_outputs(&found, base, (*p, *q)));
            if let Some(law) = law(clause, values, clock)? {
                let most = most_states(known.len());
                let needed = least_prefix(known.len(), |n| learn(n, most).as_ref() == Some(&found));
                if trail.early(needed, base, known.len()) {
                    return Ok(Ok((law, needed)));
                }
            }
        }
    }
    Ok(Err(match slopes.is_empty() {
        true => "the values do not stay close to a line".to_string(),
        false => trail.why(),
    }))
}

/// The pairs (n, g(n)).
pub(super) fn pairs(values: &[u32], clock: &Clock) -> Result<Guess, Error> {
    let numbers: Vec<u128> = head(values).iter().map(|v| u128::from(*v)).collect();
    by_pairs(values, false, &|n, base, most| learn::synchronized(&numbers[..n], base, most), clock)
}

/// The pairs (n, b^g(n)).
pub(super) fn coded(values: &[u32], clock: &Clock) -> Result<Guess, Error> {
    // A value of v takes v states to count down; the table must be long for its values.
    let most = values.iter().max().copied().unwrap_or(0);
    if usize::try_from(most).is_ok_and(|most| most > most_states(values.len())) {
        return Ok(Err(format!("the values rise to {most}, too far for the length of the table")));
    }
    by_pairs(values, true, &|n, base, most| learn::coded(&values[..n], base, most), clock)
}

type Learn<'a> = &'a dyn Fn(usize, u32, usize) -> Option<Dfa>;

fn by_pairs(values: &[u32], coded: bool, learn: Learn, clock: &Clock) -> Result<Guess, Error> {
    let mut trail = Trail::default();
    let count = head(values).len();
    for base in BASES {
        clock.check()?;
        let of_base = |n: usize, most: usize| learn(n, base, most);
        let Some(found) = trail.stable(base, count, of_base, Dfa::states) else { continue };
        let clause = Clause::Automaton(block_of(&found, coded));
        if let Some(law) = law(clause, values, clock)? {
            let most = most_states(count);
            let needed = least_prefix(count, |n| learn(n, base, most).as_ref() == Some(&found));
            if trail.early(needed, base, count) {
                return Ok(Ok((law, needed)));
            }
        }
    }
    Ok(Err(trail.why()))
}

fn head(values: &[u32]) -> &[u32] {
    &values[..values.len().min(LEARNED_FROM)]
}

/// The law of a block, if it gives the values of the table.
fn law(clause: Clause, values: &[u32], clock: &Clock) -> Result<Option<Law>, Error> {
    let law = Law::new(LawText { clauses: vec![clause], ..LawText::default() }, &[])?;
    Ok(agrees(&law, values, clock)?.is_none().then_some(law))
}

fn most_states(values: usize) -> usize {
    (values / VALUES_FOR_STATE).min(MOST_STATES)
}

/// Why no automaton was accepted.
#[derive(Default)]
struct Trail {
    /// Automata that more values changed, or might still change.
    unstable: Vec<String>,
}

impl Trail {
    /// The automaton of all values, if half of them give the same.
    fn stable<T: PartialEq>(
        &mut self,
        base: u32,
        count: usize,
        learn: impl Fn(usize, usize) -> Option<T>,
        states: impl Fn(&T) -> usize,
    ) -> Option<T> {
        let most = most_states(count);
        // The half first: it costs less, and is nearly always enough to say no.
        let half = learn(count / 2, most)?;
        let whole = learn(count, most);
        if whole.as_ref() != Some(&half) {
            let before = states(&half);
            let after = whole.map_or_else(|| format!("more than {most}"), |whole| states(&whole).to_string());
            self.unstable
                .push(format!("with twice the values {before} states became {after} in base {base}"));
            return None;
        }
        whole
    }

    /// Whether an automaton showed early enough to have been tested by numbers of one more digit: from a
    /// part of the table that is shorter by the base. (In base 2, nearly a half will do.)
    fn early(&mut self, needed: u64, base: u32, count: usize) -> bool {
        let count = u64::try_from(count).unwrap_or(0);
        let early = if base == 2 { needed * 20 <= count * 9 } else { needed * u64::from(base) <= count };
        if !early {
            self.unstable.push(format!("the one in base {base} shows only from {needed} values on"));
        }
        early
    }

    fn why(&self) -> String {
        if self.unstable.is_empty() {
            return "in no base from 2 to 10 one with few states for so many values".to_string();
        }
        self.unstable.join(", ")
    }
}

/// Slopes p/q, q up to 4, such that the values stay close to the line p n/q.
fn slopes(values: &[u32]) -> Vec<(i64, i64)> {
    let Ok(count) = i64::try_from(values.len()) else { return Vec::new() };
    let at = |n: i64| usize::try_from(n).map_or(0, |n| i64::from(values[n]));
    // The mean rise over the second half, from means over an eighth.
    let eighth = (count / 8).max(1);
    let mean = |from: i64| (from..from + eighth).map(at).sum::<i64>();
    let (rise, run) = (mean(count - eighth) - mean(count / 2), (count - eighth - count / 2) * eighth);
    let mut found: Vec<(i64, i64)> = Vec::new();
    for q in 1..=4 {
        let about = (rise * q).div_euclid(run.max(1));
        for p in [about, about + 1] {
            let old = found.iter().any(|(a, b)| a * q == p * b);
            if p < 0 || old {
                continue;
            }
            // What is left takes few values, and no more in the second half than in the first.
            let mut rest: Vec<i64> = (0..count).map(|n| at(n) - p * n / q).collect();
            let widest = |part: &[i64]| part.iter().map(|v| v.abs()).max().unwrap_or(0);
            let (head, tail) = rest.split_at(values.len() / 2);
            let (head, tail) = (widest(head), widest(tail));
            rest.sort_unstable();
            rest.dedup();
            if tail <= head + 1 && rest.len() <= 64.min(values.len() / 10) {
                found.push((p, q));
            }
        }
    }
    found
}

/// An automaton as it is written.
pub(crate) fn block_of(dfa: &Dfa, coded: bool) -> Automaton {
    let base = dfa.base();
    let digits = u32::try_from(dfa.letters()).unwrap_or(u32::MAX) / base;
    let states = (0..dfa.states()).map(|s| {
        let state = State::try_from(s).unwrap_or(DEAD);
        let mut next = Vec::new();
        for (n, v) in (0..digits).flat_map(|n| (0..base).map(move |v| (n, v))) {
            let letter = usize::try_from(n + v * digits).unwrap_or(0);
            let to = dfa.step(state, letter);
            if to != DEAD {
                next.push((n, v, to));
            }
        }
        AutomatonState { accepting: dfa.accepting(state), next }
    });
    let entries = usize::try_from(dfa.tracks() - 1).unwrap_or(1);
    let span = grundy_rule::diagnostic::Span::default();
    Automaton { base, entries, coded, states: states.collect(), span }
}

fn block_of_outputs(found: &Outputs, base: u32, (p, q): (i64, i64)) -> Automatic {
    let states = found
        .outputs
        .iter()
        .zip(&found.next)
        .map(|(output, next)| AutomaticState { output: i128::from(*output), next: next.clone() });
    Automatic {
        base,
        slope: (i128::from(p), i128::from(q)),
        states: states.collect(),
        span: grundy_rule::diagnostic::Span::default(),
    }
}
