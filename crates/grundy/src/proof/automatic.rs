//! R4: an automaton for the pairs (n, g(n)), learned from the table, and the witnesses that it is right.
//!
//! The automaton is a guess ([`crate::automaton::learn`]); the checker's obligations decide. A wrong guess gives a heap for which it is
//! wrong, the table is made longer than that, and another is learned. Guesses with many states are taken only when half of the
//! table gives the same, because a wrong one costs much to refute.
//!
//! Heaps with several entries have automata that read all entries at once, learned from a grid; several kinds have one each, and they are
//! right or wrong together.

mod witness;

use std::collections::HashSet;
use std::time::Duration;

use grundy_check::certificate::Proof as Data;
use grundy_rule::formula::{self, Form, Left};
use grundy_rule::heap::KindId;
use grundy_rule::law_text::Clause;
use grundy_rule::rule::Kind;

use super::{Attempt, Goal};
use crate::automaton::Dfa;
use crate::automaton::learn::synchronized_grid;
use crate::error::Error;
use crate::law::discover::digits::block_of;
use crate::table::{self, Options};
use witness::{Guess, Verdict, witness};

/// Ends of the tables, one after the other, for heaps with one entry, two, three; heaps with more are hardly tabulated.
const LENGTHS: [[u64; 4]; 3] = [[500, 1000, 3000, 10_000], [31, 63, 127, 255], [15, 31, 47, 63]];

/// Most states of an automaton that is tried, and most for which half a table need not give the same.
const STATES: (usize, usize) = (400, 16);

/// When tables of tuples, or of several kinds, take longer than this, larger ones are not made.
const SLOW: Duration = Duration::from_secs(1);

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
        Err(unfit) => return Ok(Attempt::Unfit(unfit.to_string())),
    };
    match search(goal, &forms) {
        Err(error) if error.is_limit() => Ok(goal.limit(&error)),
        other => other,
    }
}

fn search(goal: &Goal, forms: &[Form]) -> Result<Attempt, Error> {
    let writings = writings(goal, forms);
    let mut refuted: HashSet<(Writing, Vec<Guess>)> = HashSet::new();
    let mut reasons: Vec<String> = Vec::new();
    let rounds = LENGTHS[0].len();
    for round in 0..rounds {
        let begun = goal.clock.elapsed();
        let tables = goal.rule.kinds.iter().map(|kind| tabulate(goal, kind, round));
        let tables = tables.collect::<Result<Vec<_>, _>>()?;
        let plain = goal.rule.kinds.len() == 1 && goal.rule.kinds[0].arity == 1;
        let slow = !plain && goal.clock.elapsed().saturating_sub(begun) > SLOW;
        for &writing in &writings {
            goal.clock.check()?;
            let guess = |(at, table): (usize, &Values)| {
                let runs = runs(forms, KindId(u16::try_from(at).unwrap_or(u16::MAX)));
                table.guess(writing, runs)
            };
            let guesses: Option<Vec<Guess>> = tables.iter().enumerate().map(guess).collect();
            let Some(guesses) = guesses else { continue };
            if !refuted.insert((writing, guesses.clone())) {
                continue;
            }
            match witness((goal.rule, goal.kind), forms, &guesses, writing.coded, &goal.clock)? {
                Verdict::Witnessed(data) => {
                    let own = &guesses[usize::from(goal.kind.0)].g;
                    let block = || block_of(own, writing.coded).to_string();
                    let law = goal.law.map_or_else(block, ToString::to_string);
                    return Ok(Attempt::Found { data: Data::Automatic(data), law, first: 0 });
                }
                Verdict::Refuted(heap) => {
                    let states = guesses[usize::from(heap.kind.0)].g.states();
                    let heap = goal.rule.show_heap(heap.kind, &heap.entries);
                    reasons.push(format!("an automaton of {states} states is wrong at {heap}"));
                }
                Verdict::Unfit(why) => reasons.push(why),
            }
        }
        // Tables of tuples grow fast.
        if slow && round + 1 < rounds {
            reasons.push("larger tables take too long".to_owned());
            break;
        }
    }
    let mut bases: Vec<u32> = writings.iter().map(|w| w.base).collect();
    bases.sort_unstable();
    bases.dedup();
    let bases: Vec<String> = bases.iter().map(ToString::to_string).collect();
    let sizes = goal.rule.kinds.iter().map(|kind| {
        let end = LENGTHS[kind.arity.clamp(1, LENGTHS.len()) - 1][rounds - 1];
        if kind.arity == 1 { format!("{end}") } else { format!("{}^{}", end + 1, kind.arity) }
    });
    let sizes: Vec<String> = sizes.collect();
    reasons.push(format!(
        "no automaton in base {} fits {} values and half of them",
        bases.join(", "),
        sizes.join(" and ")
    ));
    Ok(Attempt::Unfit(reasons.join("; ")))
}

/// The values of a kind, all tuples below some sides in row order.
struct Values {
    values: Vec<u32>,
    sides: Vec<usize>,
}

/// The table of a kind for that round.
fn tabulate(goal: &Goal, kind: &Kind, round: usize) -> Result<Values, Error> {
    let end = LENGTHS[kind.arity.clamp(1, LENGTHS.len()) - 1][round];
    let options = Options { kind: kind.name.clone(), limits: goal.clock.left(), ..Options::default() };
    let table = table::grid(goal.rule, &vec![end; kind.arity], &options)?;
    Ok(Values { values: table.iter().collect(), sides: table.dims().to_vec() })
}

impl Values {
    /// The automata that fit; none if they are many-stated and half of the table gives others.
    fn guess(&self, writing: Writing, runs: bool) -> Option<Guess> {
        let learned = |values: &[u32], sides: &[usize]| {
            synchronized_grid(&write(values, writing)?, sides, writing.base, STATES.0)
        };
        let g = learned(&self.values, &self.sides)?;
        if g.states() > STATES.1 {
            let half: Vec<usize> = self.sides.iter().map(|side| side / 2).collect();
            if learned(&self.corner(&half), &half).as_ref() != Some(&g) {
                return None;
            }
        }
        let prefix = if runs { Some(prefix(&self.values, writing.base)?) } else { None };
        Some(Guess { g, prefix })
    }

    /// The values of all tuples below these sides.
    fn corner(&self, sides: &[usize]) -> Vec<u32> {
        let within = |at: &usize| {
            let mut rest = *at;
            self.sides.iter().zip(sides).rev().all(|(side, end)| {
                let entry = rest % side;
                rest /= side;
                entry < *end
            })
        };
        (0..self.values.len()).filter(within).map(|at| self.values[at]).collect()
    }
}

/// Whether some move leaves a run of heaps of that kind.
fn runs(forms: &[Form], kind: KindId) -> bool {
    let is_run = |left: &Left| matches!(left, Left::Run(of, ..) if *of == kind);
    forms.iter().any(|form| form.left.iter().any(is_run))
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
    let is_run = |left: &Left| matches!(left, Left::Run(..));
    if forms.iter().any(|form| form.left.len() > 1 || form.left.iter().any(is_run)) {
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
    synchronized_grid(&sums, &[sums.len()], base, STATES.0)
}

#[cfg(test)]
mod tests;
