//! Positions whose play may go on for ever, be ended by a move, or differ between the players.
//!
//! Where both players have the same moves and each move leaves one heap at most, every heap is a token on a graph:
//! Smith's theory tells what each is in a sum ([`crate::search::smith`]), at any size of the sum. All else is searched
//! as a whole ([`crate::search::rule_positions`]). The moves listed are the best ones: those that win, or, if none does,
//! those that draw.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use grundy_rule::moves::Scratch;
use grundy_rule::rule::{Ending, Player};
use grundy_rule::{Heap, Rule};

use super::explain::shown;
use super::{Analysis, EXPLAINED, HeapValue, Loops, Position, Question, WinningMove};
use crate::error::Error;
use crate::nimber::Nimber;
use crate::search::Outcome;
use crate::search::retrograde;
use crate::search::rule_graph::RuleGraph;
use crate::search::rule_moves::{RuleMoves, RuleOption};
use crate::search::rule_positions::RulePositions;
use crate::search::smith::{Labelled, LoopyNimber, LoopySum};
use crate::values::Values;

/// Options of a heap with the result for the other player, which is looked up once for equal heaps.
type Judged = Rc<Vec<(RuleOption, Outcome)>>;

/// Answers a question about a position.
pub(super) fn analyse(
    rule: &Rule,
    values: &Values,
    position: &Position,
    question: &Question,
) -> Result<Analysis, Error> {
    let misere = rule.misere || question.misere;
    let first = question.to_move.unwrap_or(Player::Left);
    if question.to_move.is_some() && !rule.is_partisan() {
        return Err(Error::new(
            "to-move",
            "both players have the same moves: it does not matter whose turn it is",
        )
        .help("lines that begin with `left:` or `right:` are one player's"));
    }
    let whole: Vec<(Heap, u128)> =
        position.entries.iter().map(|entry| (entry.heap.clone(), entry.count)).collect();
    let heaps: Vec<Heap> =
        whole.iter().filter(|(_, count)| *count > 0).map(|(heap, _)| heap.clone()).collect();
    let moves = RuleMoves::new(rule, Arc::clone(values.moves()));
    let clock = values.limits().clock();
    let tokens = if misere || !rule.has_nimbers() || rule.coins {
        None
    } else {
        RuleGraph::reached(rule, values.moves(), &heaps, &clock)?
    };
    let mut asked =
        Asked { position, question, moves: moves.clone(), scratch: Scratch::default(), first, values };
    let mut analysis = match tokens {
        Some(tokens) => asked.by_theory(rule, &tokens)?,
        None => {
            let positions = RulePositions::new(moves, &whole, first, misere, values.limits())?;
            asked.by_search(rule, &whole, positions, misere)?
        }
    };
    if question.assignments {
        super::assignments::fill(rule, values, &mut analysis.moves, Some(first))?;
    }
    Ok(analysis)
}

struct Asked<'a> {
    position: &'a Position,
    question: &'a Question,
    moves: RuleMoves,
    scratch: Scratch,
    first: Player,
    values: &'a Values,
}

impl Asked<'_> {
    /// Each heap a token, and their sum by Smith's theory.
    fn by_theory(&mut self, rule: &Rule, tokens: &RuleGraph) -> Result<Analysis, Error> {
        let labelled = Labelled::new(&tokens.graph, self.values.limits())?;
        let unreached = || Error::new("position", "a heap was not reached by the walk");
        let mut sum = LoopySum::default();
        let mut heaps = Vec::with_capacity(self.position.entries.len());
        for entry in &self.position.entries {
            let (mut nimber, mut infinity) = (None, None);
            if entry.count > 0 {
                let node = tokens.node(&entry.heap).ok_or_else(unreached)?;
                sum = sum.with(&labelled, node, entry.count);
                match labelled.at(node) {
                    LoopyNimber::Nimber(value) => nimber = Some(value.into()),
                    LoopyNimber::Infinity(set) => {
                        infinity = Some(set.into_iter().map(Nimber::from).collect())
                    }
                }
            }
            heaps.push(HeapValue { heap: entry.heap.clone(), count: entry.count, nimber, infinity });
        }
        let value = sum.value(&labelled);
        let outcome = sum.outcome(&labelled);
        let best = self.best(outcome, &mut |_, at, option| {
            let from = tokens.node(&self.position.entries[at].heap).ok_or_else(unreached)?;
            let to = tokens.node_of(&option.to).ok_or_else(unreached)?;
            Ok(sum.without(&labelled, from).with(&labelled, to, 1).outcome(&labelled))
        })?;
        // The distance is known of a single token.
        let alone = match self.position.entries.as_slice() {
            [only] if only.count == 1 => tokens.node(&only.heap),
            _ => None,
        };
        let distance = match alone {
            Some(node) => retrograde::solve(&tokens.graph, |_| None, self.values.limits())?.distance(node),
            None => None,
        };
        let explored = tokens.graph.nodes();
        let loops = Loops { infinity: value.clone().err(), distance, to_move: None };
        let mut analysis = self.analysis(outcome, false, heaps, loops, best);
        analysis.nimber = value.ok();
        explain_theory(rule, &mut analysis, explored);
        Ok(analysis)
    }

    /// All positions together, by retrograde analysis.
    fn by_search(
        &mut self,
        rule: &Rule,
        whole: &[(Heap, u128)],
        mut positions: RulePositions,
        misere: bool,
    ) -> Result<Analysis, Error> {
        let first = self.first;
        let outcome = positions.outcome(whole, first)?;
        let distance = positions.distance(whole, first)?;
        let best = self.best(outcome, &mut |_, at, option| positions.after(whole, at, option, first))?;
        let heap = |entry: &super::Entry| HeapValue {
            heap: entry.heap.clone(),
            count: entry.count,
            nimber: None,
            infinity: None,
        };
        let heaps = self.position.entries.iter().map(heap).collect();
        let to_move = rule.is_partisan().then_some(first);
        let mut analysis =
            self.analysis(outcome, misere, heaps, Loops { infinity: None, distance, to_move }, best);
        explain_search(rule, &mut analysis, positions.positions());
        Ok(analysis)
    }

    /// The moves that keep the result: by entry, then in rule order.
    fn best(
        &mut self,
        outcome: Outcome,
        judge: &mut dyn FnMut(&Heap, usize, &RuleOption) -> Result<Outcome, Error>,
    ) -> Result<Vec<WinningMove>, Error> {
        let mut best = Vec::new();
        if outcome == Outcome::Loss || self.question.outcome_only {
            return Ok(best);
        }
        let clock = self.values.limits().clock();
        let mut lists: FxHashMap<&Heap, Judged> = FxHashMap::default();
        for (at, entry) in self.position.entries.iter().enumerate().filter(|(_, entry)| entry.count > 0) {
            let list = match lists.get(&entry.heap) {
                Some(list) => Rc::clone(list),
                None => {
                    let options = self.moves.options(&entry.heap, &mut self.scratch, &clock)?;
                    let own = options.into_iter().filter(|option| option.is_for(self.first));
                    let judged =
                        own.map(|option| judge(&entry.heap, at, &option).map(|result| (option, result)));
                    let list = Rc::new(judged.collect::<Result<Vec<_>, Error>>()?);
                    lists.insert(&entry.heap, Rc::clone(&list));
                    list
                }
            };
            for (option, _) in list.iter().filter(|(_, result)| *result == outcome.reversed()) {
                best.push(WinningMove {
                    entry: at,
                    from: entry.heap.clone(),
                    to: option.to.clone(),
                    ending: option.ending,
                    assignments: Vec::new(),
                });
                if self.question.first {
                    return Ok(best);
                }
            }
        }
        Ok(best)
    }

    fn analysis(
        &self,
        outcome: Outcome,
        misere: bool,
        heaps: Vec<HeapValue>,
        loops: Loops,
        moves: Vec<WinningMove>,
    ) -> Analysis {
        let listed = u128::try_from(moves.len()).unwrap_or(u128::MAX);
        let open =
            self.question.outcome_only && outcome != Outcome::Loss || self.question.first && listed > 0;
        Analysis {
            outcome,
            misere,
            nimber: None,
            heaps,
            count: if open { None } else { Some(listed) },
            moves,
            sources: Vec::new(),
            method: None,
            loops: Some(loops),
            explanation: Vec::new(),
        }
    }
}

fn infinity(set: &[Nimber]) -> String {
    let set: Vec<String> = set.iter().map(ToString::to_string).collect();
    format!("infinity({})", set.join(", "))
}

/// Why a sum of tokens is won, lost or drawn.
fn explain_theory(rule: &Rule, analysis: &mut Analysis, nodes: usize) {
    let mut said = Vec::new();
    let played: Vec<&HeapValue> = analysis.heaps.iter().filter(|heap| heap.count > 0).collect();
    let words: Vec<String> = played
        .iter()
        .take(EXPLAINED)
        .map(|heap| {
            let name = rule.show_heap(heap.heap.kind, &heap.heap.entries);
            let name = if heap.count > 1 { format!("{}x{name}", heap.count) } else { name };
            match (&heap.nimber, &heap.infinity) {
                (Some(nimber), _) => format!("{name} has nimber {nimber}"),
                (None, set) => format!("{name} is {}", infinity(set.as_deref().unwrap_or_default())),
            }
        })
        .collect();
    if played.is_empty() {
        said.push("There is no heap: the player to move cannot move and loses.".to_string());
        analysis.explanation = said;
        return;
    }
    let more = if played.len() > EXPLAINED {
        format!(", and {} more", played.len() - EXPLAINED)
    } else {
        String::new()
    };
    said.push(format!("{}{more}.", words.join(", ")));
    let loops = analysis.loops.as_ref();
    let together = played.len() > 1 || played.iter().any(|heap| heap.count > 1);
    match (analysis.nimber, loops.and_then(|loops| loops.infinity.as_deref())) {
        (Some(nimber), _) if together => said.push(format!("Together they have nimber {nimber}.")),
        (None, Some(set)) if together => said.push(format!("Together they are {}.", infinity(set))),
        _ => {}
    }
    said.push(match (analysis.nimber, analysis.outcome) {
        (Some(0), _) => "The nimber is 0: the player to move loses.".to_string(),
        (Some(_), _) => "The nimber is not 0: a move that makes it 0 wins.".to_string(),
        (None, Outcome::Win) => {
            "infinity(K) lists the nimbers of the options: 0 is among them, and a move there wins."
                .to_string()
        }
        (None, _) => {
            "infinity(K) lists the nimbers of the options: 0 is not among them, so nobody can force the end, \
                      and play that goes on for ever is a draw."
                .to_string()
        }
    });
    list_moves(rule, analysis, &mut said);
    lasts(analysis, &mut said);
    said.push(format!("Nimbers by Smith's theory of sums with loops, over {nodes} heaps."));
    analysis.explanation = said;
}

/// Why a position that was searched as a whole is won, lost or drawn.
fn explain_search(rule: &Rule, analysis: &mut Analysis, positions: usize) {
    let mut said = Vec::new();
    if analysis.misere {
        said.push("Misere play: who makes the last move loses.".to_string());
    }
    match analysis.outcome {
        Outcome::Win if analysis.count == Some(0) => {
            said.push("Nothing can move, and so the player to move wins.".to_string())
        }
        Outcome::Win => {}
        Outcome::Loss => said.push("No move keeps the other player from winning.".to_string()),
        Outcome::Draw => {
            let alternatives = rule.lines.iter().flat_map(|line| &line.alternatives);
            let drawn = alternatives.into_iter().any(|option| option.ending == Some(Ending::Draw));
            let draw = if drawn {
                "best play ends in a draw, or goes on for ever, which is one"
            } else {
                "play that goes on for ever is a draw"
            };
            said.push(format!("Neither can force a win; {draw}."));
        }
    }
    list_moves(rule, analysis, &mut said);
    lasts(analysis, &mut said);
    said.push(format!("Decided by retrograde analysis of {positions} positions."));
    analysis.explanation = said;
}

fn list_moves(rule: &Rule, analysis: &Analysis, said: &mut Vec<String>) {
    for best in analysis.told() {
        let from = rule.show_heap(best.from.kind, &best.from.entries);
        let then = match (best.ending, analysis.outcome) {
            (Some(Ending::Win), _) => "wins at once",
            (Some(Ending::Draw), _) => "ends the game in a draw",
            (Some(Ending::Lose), _) => "loses at once",
            (None, Outcome::Win) => "what is left is lost for the other player",
            (None, _) => "what is left is a draw",
        };
        let to = match best.ending {
            Some(ending) => ending.word().to_string(),
            None => shown(rule, &best.to),
        };
        said.push(format!("{from} -> {to}{}: {then}.", analysis.place(best)));
    }
}

/// How long a game that will end still lasts.
fn lasts(analysis: &Analysis, said: &mut Vec<String>) {
    if let Some(distance) = analysis.loops.as_ref().and_then(|loops| loops.distance)
        && distance > 0
    {
        let moves = if distance == 1 { "1 more move".to_string() } else { format!("{distance} more moves") };
        said.push(format!("The game lasts {moves} if the winner hurries and the loser delays."));
    }
}
