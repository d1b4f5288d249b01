//! Positions under misere play: each option is decided by [`crate::search::misere`].

use super::{
    Analysis, Arc, Entry, FxHashMap, Heap, HeapValue, Nimber, Outcome, Position, Question, Rc, Rule, Sum,
    Values, explain,
};
use crate::error::Error;
use crate::search::misere::{Method, Misere, Play};
use crate::search::rule_moves::RuleMoves;

/// Answers a question about a position whose last mover loses.
pub(super) fn analyse(
    rule: &Rule,
    values: &mut Values,
    position: &Position,
    question: &Question,
) -> Result<Analysis, Error> {
    let heaps = position.entries.iter().map(|entry| HeapValue {
        heap: entry.heap.clone(),
        count: entry.count,
        nimber: None,
        infinity: None,
    });
    let mut analysis = Analysis {
        outcome: Outcome::Loss,
        misere: true,
        nimber: None,
        heaps: heaps.collect(),
        count: Some(0),
        moves: Vec::new(),
        sources: Vec::new(),
        method: None,
        loops: None,
        explanation: Vec::new(),
    };
    let played: Vec<&Entry> = position.entries.iter().filter(|entry| entry.count > 0).collect();
    let nim = !rule.coins && !played.is_empty() && played.iter().all(|entry| values.is_nim(entry.heap.kind));
    let nim_sum = if nim {
        Some(nim_position(values, position, question, &mut analysis)?)
    } else {
        searched(rule, values, position, question, &mut analysis)?
    };
    if question.assignments {
        super::assignments::fill(rule, values, &mut analysis.moves, None)?;
    }
    analysis.explanation = explain::misere(rule, &analysis, nim_sum, rule.coins);
    Ok(analysis)
}

/// Search, or the theorem on tame heaps; gives the nim-sum that normal play would have.
fn searched(
    rule: &Rule,
    values: &Values,
    position: &Position,
    question: &Question,
    analysis: &mut Analysis,
) -> Result<Option<Nimber>, Error> {
    let rules = RuleMoves::new(rule, Arc::clone(values.moves()));
    let clock = values.limits().clock();
    let mut misere = Misere::new(rules.clone(), rule.coins, values.limits());
    let whole: Vec<(Heap, u128)> =
        position.entries.iter().map(|entry| (entry.heap.clone(), entry.count)).collect();
    let loses = misere.loses(&whole)?;
    analysis.outcome = if loses { Outcome::Loss } else { Outcome::Win };
    if !loses && question.outcome_only {
        analysis.count = None;
    } else if !loses {
        let mut lists: FxHashMap<&Heap, Rc<Vec<Sum>>> = FxHashMap::default();
        for (at, entry) in position.entries.iter().enumerate().filter(|(_, entry)| entry.count > 0) {
            let winning = match lists.get(&entry.heap) {
                Some(winning) => Rc::clone(winning),
                None => {
                    let mut winning = Vec::new();
                    for option in Play::options(&rules, &entry.heap, &clock)? {
                        let mut left = whole.clone();
                        left[at].1 -= 1;
                        left.extend(option.heaps().iter().cloned());
                        if misere.loses(&left)? {
                            winning.push(option);
                            if question.first {
                                break;
                            }
                        }
                    }
                    let winning = Rc::new(winning);
                    lists.insert(&entry.heap, Rc::clone(&winning));
                    winning
                }
            };
            analysis.add(at, entry, &winning, question);
            if question.first && !winning.is_empty() {
                break;
            }
        }
    }
    analysis.method = Some(misere.method());
    let nimber = |entry: &Entry| {
        let value = misere.normal_nimber(&entry.heap).map(Nimber::from);
        if entry.count % 2 == 1 { value } else { Some(0) }
    };
    Ok(position.entries.iter().map(nimber).try_fold(0, |sum, value| Some(sum ^ value?)))
}

/// Nim at any size: Bouton's rule, and its moves by value.
fn nim_position(
    values: &mut Values,
    position: &Position,
    question: &Question,
    analysis: &mut Analysis,
) -> Result<Nimber, Error> {
    let mut sizes = Vec::with_capacity(position.entries.len());
    for entry in &position.entries {
        sizes.push(values.value(entry.heap.kind, &entry.heap.entries)?);
    }
    let (mut total, mut firm) = (0, 0u128);
    for (entry, size) in position.entries.iter().zip(&sizes) {
        if entry.count % 2 == 1 {
            total ^= size;
        }
        firm = firm.saturating_add(if *size >= 2 { entry.count } else { 0 });
    }
    let loses = if firm == 0 { total == 1 } else { total == 0 };
    analysis.outcome = if loses { Outcome::Loss } else { Outcome::Win };
    if !loses && question.outcome_only {
        analysis.count = None;
    }
    for (at, (entry, &size)) in position.entries.iter().zip(&sizes).enumerate() {
        if loses || question.outcome_only || entry.count == 0 {
            continue;
        }
        // With a firm heap beside it the nim-sum is made 0. Else what is left is all fickle, with nim-sum 1.
        let others = total ^ size;
        let alone = firm == u128::from(size >= 2);
        let wanted = if alone { 1 ^ others } else { others };
        let mut winning = Vec::new();
        if wanted < size {
            values.normal_options_with(&entry.heap, wanted, &mut |option| {
                winning.push(option.clone());
                std::ops::ControlFlow::Continue(())
            })?;
        }
        analysis.add(at, entry, &winning, question);
        if question.first && !winning.is_empty() {
            break;
        }
    }
    analysis.method = Some(Method::Tame { heaps: 1 });
    Ok(total)
}
