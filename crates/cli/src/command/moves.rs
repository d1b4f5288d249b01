//! `grundy moves`: who wins a position, every winning move, and the reason; also `grundy outcome` for rules.

use std::io::Write;

use grundy::position::{self, Analysis, Assignment, EXPLAINED, Position, Question, WinningMove};
use grundy::search;
use grundy::values::Values;
use grundy_rule::rule::{Ending, Player};
use grundy_rule::{Int, Rule, Sum};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::args::{LimitArgs, Moves, Outcome, PlayArgs, RuleArgs};
use crate::failure::{self, Failure};
use crate::far;
use crate::load::{self, Loaded};
use crate::long::{self, Spinner};
use crate::report::{self, HEADING, QUIET, RESULT};
use crate::wire::{self, WireHeap};
use crate::{output, render};

/// The answer in JSON.
#[derive(Serialize)]
pub(crate) struct Answer {
    outcome: &'static str,
    misere: bool,
    nimber: Option<u128>,
    /// The set K of infinity(K).
    #[serde(skip_serializing_if = "Option::is_none")]
    infinity: Option<Vec<u128>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_move: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
    count: Option<u128>,
    moves: Vec<WireMove>,
    heaps: Vec<WireEntry>,
    sources: Vec<String>,
    explanation: Vec<String>,
}

#[derive(Serialize)]
struct WireMove {
    entry: usize,
    from: WireHeap,
    to: Vec<WireHeap>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assignments: Vec<WireAssignment>,
}

#[derive(Serialize)]
struct WireEntry {
    heap: WireHeap,
    count: u128,
    nimber: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    infinity: Option<Vec<u128>>,
}

/// Lines and alternatives count from 1, as in messages.
#[derive(Serialize)]
struct WireAssignment {
    line: usize,
    alternative: usize,
    variables: Variables,
}

/// Names and numbers as an object, in the rule's order.
struct Variables(Vec<(String, Int)>);

impl Serialize for Variables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// `grundy moves RULE POSITION`
pub(crate) fn run(args: &Moves) -> Result<(), Failure> {
    if let Some(game) = super::outcome::solver(&args.rule.rule) {
        return super::outcome::moves(args, game);
    }
    let question = Question { first: args.first, assignments: args.assignments, ..asked(&args.play) };
    let (loaded, analysis) = analyse(&args.rule, &args.limits, &question, args.trust_observed)?;
    if args.json.json {
        return output::json(&answer(&loaded.rule, &analysis));
    }
    output::text(|out| write(out, &loaded.rule, &analysis))
}

/// `grundy outcome RULE POSITION`: the first line of `moves` alone.
pub(crate) fn outcome(args: &Outcome) -> Result<(), Failure> {
    let rule = RuleArgs { rule: args.game.clone(), rest: args.rest.clone() };
    let question = Question { outcome_only: !args.json.json, ..asked(&args.play) };
    let analysed = analyse(&rule, &args.limits, &question, false);
    let (loaded, analysis) = match analysed {
        // All winning moves cannot be had, but who wins can.
        Err(failure) if failure.id() == Some("moves") => {
            analyse(&rule, &args.limits, &Question { outcome_only: true, ..question }, false)?
        }
        other => other?,
    };
    if args.json.json {
        return output::json(&answer(&loaded.rule, &analysis));
    }
    output::text(|out| {
        writeln!(out, "{RESULT}{}{RESULT:#} for {}", analysis.outcome.word(), mover(&analysis))?;
        Ok(())
    })
}

/// How it is played, as far as the command line says.
fn asked(play: &PlayArgs) -> Question {
    Question { misere: play.misere, loopy: play.loopy, to_move: play.to_move, ..Question::default() }
}

/// Whom the outcome is about.
fn mover(analysis: &Analysis) -> String {
    match analysis.loops.as_ref().and_then(|loops| loops.to_move) {
        Some(player) => format!("{}, who is to move", player.word()),
        None => "the player to move".to_string(),
    }
}

fn analyse(
    rule: &RuleArgs,
    limits: &LimitArgs,
    question: &Question,
    trust_observed: bool,
) -> Result<(Loaded, Analysis), Failure> {
    let loaded = load::load_with(rule, question.loopy)?;
    let limits = long::limits(limits)?;
    let spinner = Spinner::start(format!("analysing {}", loaded.title()));
    let analysis = position(&loaded, limits, question, trust_observed)?;
    drop(spinner);
    Ok((loaded, analysis))
}

/// The analysis of the position that the words spell.
pub(crate) fn position(
    loaded: &Loaded,
    limits: grundy::limits::Limits,
    question: &Question,
    trust_observed: bool,
) -> Result<Analysis, Failure> {
    loaded.need_values()?;
    let (source, entries) = loaded.position()?;
    let written = entries.into_iter().map(|entry| (entry.heap, entry.count, entry.span));
    let (position, warnings) = Position::of(&loaded.rule, written);
    render::diagnostics(&source, &warnings);
    let said = |error| failure::from_library(&error, &loaded.source);
    let mut values = Values::new(&loaded.rule, Some(&loaded.file), limits.clone()).map_err(said)?;
    if !question.misere {
        let heaps = position.entries.iter().map(|entry| &entry.heap);
        far::prepare(loaded, &mut values, heaps, trust_observed, &limits)?;
    }
    position::analyse(&loaded.rule, &mut values, &position, question).map_err(said)
}

/// An analysis in JSON.
pub(crate) fn answer(rule: &Rule, analysis: &Analysis) -> Answer {
    let moves = analysis.moves.iter().map(|found| WireMove {
        entry: found.entry,
        from: wire::heap(rule, &found.from),
        to: wire::sum(rule, &found.to),
        ends: found.ending.map(Ending::word),
        assignments: found.assignments.iter().map(assignment).collect(),
    });
    let heaps = analysis.heaps.iter().map(|value| WireEntry {
        heap: wire::heap(rule, &value.heap),
        count: value.count,
        nimber: value.nimber,
        infinity: value.infinity.clone(),
    });
    let loops = analysis.loops.as_ref();
    Answer {
        outcome: analysis.outcome.word(),
        misere: analysis.misere,
        nimber: analysis.nimber,
        infinity: loops.and_then(|loops| loops.infinity.clone()),
        to_move: loops.and_then(|loops| loops.to_move).map(Player::word),
        distance: loops.and_then(|loops| loops.distance),
        count: analysis.count,
        moves: moves.collect(),
        heaps: heaps.collect(),
        sources: analysis.sources.iter().map(ToString::to_string).collect(),
        explanation: analysis.explanation.clone(),
    }
}

fn assignment(made: &Assignment) -> WireAssignment {
    WireAssignment {
        line: made.line + 1,
        alternative: made.alternative + 1,
        variables: Variables(made.variables.clone()),
    }
}

/// An analysis in words: the result, the reason, and the winning moves as far as the reason does not list them.
pub(crate) fn write(out: &mut dyn Write, rule: &Rule, analysis: &Analysis) -> Result<(), Failure> {
    let many = match analysis.count {
        Some(0) => String::new(),
        Some(count) if analysis.outcome == search::Outcome::Draw => {
            format!(": {}", report::count(count, "move keeps it", "moves keep it"))
        }
        Some(count) => format!(": {}", report::count(count, "winning move", "winning moves")),
        None if analysis.outcome == search::Outcome::Draw => ": here is one move that keeps it".to_string(),
        None => ": here is one winning move".to_string(),
    };
    writeln!(out, "{RESULT}{}{RESULT:#} for {}{many}\n", analysis.outcome.word(), mover(analysis))?;
    for sentence in &analysis.explanation {
        writeln!(out, "{sentence}")?;
    }
    let moves = &analysis.moves;
    if moves.len() <= EXPLAINED && moves.iter().all(|found| found.assignments.is_empty()) {
        return Ok(());
    }
    let heading = match analysis.outcome {
        search::Outcome::Draw => "Moves that keep the draw",
        _ => "Winning moves",
    };
    writeln!(out, "\n{HEADING}{heading}{HEADING:#}")?;
    for found in moves {
        writeln!(out, "  {}", shown(rule, analysis, found))?;
        for made in &found.assignments {
            let variables: Vec<String> =
                made.variables.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let variables =
                if variables.is_empty() { "no variables".to_string() } else { variables.join(", ") };
            writeln!(
                out,
                "      {QUIET}line {}, alternative {}: {variables}{QUIET:#}",
                made.line + 1,
                made.alternative + 1
            )?;
        }
    }
    Ok(())
}

/// `7 -> 3, 3`, with the number of the entry where equal heaps stand in the position.
fn shown(rule: &Rule, analysis: &Analysis, found: &WinningMove) -> String {
    let from = rule.show_heap(found.from.kind, &found.from.entries);
    let to = found.ending.map_or_else(|| sum(rule, &found.to), |ending| ending.word().to_string());
    format!("{from} -> {to}{}", analysis.place(found))
}

/// `3, 2x5`, or `nothing`.
pub(super) fn sum(rule: &Rule, sum: &Sum) -> String {
    if sum.is_empty() {
        return "nothing".to_string();
    }
    let heaps = sum.heaps().iter().map(|(heap, count)| {
        let shown = rule.show_heap(heap.kind, &heap.entries);
        if *count == 1 { shown } else { format!("{count}x{shown}") }
    });
    heaps.collect::<Vec<_>>().join(", ")
}
