//! R4: an automaton for the pairs (n, g(n)), learned from the table, and the witnesses that it is right.
//!
//! The automaton is a guess ([`crate::automaton::learn`]); the checker's obligations decide. A wrong guess gives a heap for which it is
//! wrong, the table is made longer than that, and another is learned. Guesses with many states are taken only when half of the
//! table gives the same, because a wrong one costs much to refute.

mod witness;

use std::collections::HashSet;

use grundy_check::automatic::has_runs;
use grundy_check::certificate::Proof as Data;
use grundy_rule::ast::block;
use grundy_rule::diagnostic::Span;
use grundy_rule::formula::{self, Form};
use grundy_rule::law_text::Clause;

use super::{Attempt, Goal};
use crate::automaton::learn::synchronized;
use crate::automaton::{DEAD, Dfa, State};
use crate::error::Error;
use crate::limits::Clock;
use crate::table::{self, Options};
use witness::{Verdict, witness};

/// Lengths of the table, one after the other.
const LENGTHS: [u64; 4] = [500, 1000, 3000, 10_000];

/// Most states of an automaton that is tried, and most for which half a table need not give the same.
const STATES: (usize, usize) = (400, 16);

/// A way to write numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Writing {
    base: u32,
    coded: bool,
}

/// Learns an automaton and looks for its witnesses.
pub(super) fn attempt(goal: &Goal) -> Result<Attempt, Error> {
    let forms = match formula::forms(goal.rule) {
        Ok(forms) => forms,
        Err(unfit) => return Ok(Attempt::Unfit(format!("automatic: {unfit}"))),
    };
    let clock = goal.limits.clock();
    match search(goal, &forms, &clock) {
        Err(error) if error.is_limit() => Ok(Attempt::Unknown(error.message())),
        other => other,
    }
}

fn search(goal: &Goal, forms: &[Form], clock: &Clock) -> Result<Attempt, Error> {
    let writings = writings(goal, forms);
    let mut refuted: HashSet<(Writing, Dfa)> = HashSet::new();
    let mut reasons: Vec<String> = Vec::new();
    for length in LENGTHS {
        let options = Options { limits: goal.limits.clone(), ..Options::default() };
        let table = table::tabulate(goal.rule, length, &options)?;
        let values: Vec<u32> = table.iter().collect();
        for &writing in &writings {
            clock.check()?;
            let Some(written) = write(&values, writing) else { continue };
            let Some(g) = synchronized(&written, writing.base, STATES.0) else { continue };
            let stable = g.states() <= STATES.1
                || synchronized(&written[..written.len() / 2], writing.base, STATES.0).as_ref() == Some(&g);
            if !stable || !refuted.insert((writing, g.clone())) {
                continue;
            }
            let prefix = match has_runs(forms) {
                true => match prefix(&values, writing.base) {
                    Some(prefix) => Some(prefix),
                    None => continue,
                },
                false => None,
            };
            match witness(forms, &g, prefix.as_ref(), writing.coded, clock)? {
                Verdict::Witnessed(data) => {
                    let law = goal.law.map_or_else(|| block(&g, writing.coded), ToString::to_string);
                    return Ok(Attempt::Found { data: Data::Automatic(data), law, first: 0 });
                }
                Verdict::Refuted(n) => {
                    reasons.push(format!("an automaton of {} states is wrong at {n}", g.states()));
                }
                Verdict::Unfit(why) => reasons.push(why),
            }
        }
    }
    let bases: Vec<String> = writings.iter().map(|w| w.base.to_string()).collect();
    reasons.push(format!(
        "no automaton in base {} fits {} values and half of them",
        bases.join(", "),
        LENGTHS[LENGTHS.len() - 1]
    ));
    Ok(Attempt::Unfit(format!("automatic: {}", reasons.join("; "))))
}

/// The ways in which the law may be an automaton: the one in which it is written; else all that the options allow.
fn writings(goal: &Goal, forms: &[Form]) -> Vec<Writing> {
    let law = goal.law.iter().flat_map(|law| &law.clauses).find_map(|clause| match clause {
        Clause::Automaton(block) => Some(Writing { base: block.base, coded: block.coded }),
        Clause::Automatic(block) => Some(Writing { base: block.base, coded: false }),
        _ => None,
    });
    if let Some(law) = law {
        return vec![law];
    }
    let plain = |base| Writing { base, coded: false };
    if forms.iter().any(|form| form.left.len() > 1) || has_runs(forms) {
        return vec![plain(2)];
    }
    // Base 6 before others: halves and thirds are common.
    let mut all: Vec<Writing> = [2, 3, 6, 4, 5, 10, 7, 8, 9].map(plain).to_vec();
    if goal.law.is_none() {
        all.push(Writing { base: 2, coded: true });
    }
    all
}

/// The values as they are written; `None` if one is too large for that.
fn write(values: &[u32], writing: Writing) -> Option<Vec<u128>> {
    if !writing.coded {
        return Some(values.iter().map(|&v| u128::from(v)).collect());
    }
    values.iter().map(|&v| u128::from(writing.base).checked_pow(v)).collect()
}

/// The automaton of (n, nim-sum of the values below n).
fn prefix(values: &[u32], base: u32) -> Option<Dfa> {
    let mut sums = vec![0_u128];
    for &value in values {
        sums.push(sums[sums.len() - 1] ^ u128::from(value));
    }
    synchronized(&sums, base, STATES.0)
}

/// The automaton as the text of a law.
fn block(g: &Dfa, coded: bool) -> String {
    let letter_of = |letter: usize| {
        let letter = u32::try_from(letter).unwrap_or(u32::MAX);
        (letter % g.base(), letter / g.base())
    };
    let states = 0..State::try_from(g.states()).unwrap_or(DEAD);
    let state = |state: State| {
        let mut next: Vec<(u32, u32, u32)> = (0..g.letters())
            .map(|letter| (letter_of(letter), g.step(state, letter)))
            .filter(|(_, to)| *to != DEAD)
            .map(|((n, v), to)| (n, v, to))
            .collect();
        next.sort_unstable();
        block::AutomatonState { accepting: g.accepting(state), next }
    };
    block::Automaton { base: g.base(), coded, states: states.map(state).collect(), span: Span::default() }
        .to_string()
}

#[cfg(test)]
mod tests;
