//! `grundy moves`: who wins a position, every winning move, and the reason; also `grundy outcome` for rules.

use std::io::Write;

use grundy::position::{self, Analysis, Assignment, EXPLAINED, Position, Question, WinningMove};
use grundy::values::Values;
use grundy_rule::{Int, Rule, Sum};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::args::{LimitArgs, Moves, Outcome, RuleArgs};
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assignments: Vec<WireAssignment>,
}

#[derive(Serialize)]
struct WireEntry {
    heap: WireHeap,
    count: u128,
    nimber: Option<u128>,
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
    let question = Question { misere: args.misere, first: args.first, assignments: args.assignments };
    let (loaded, analysis) = analyse(&args.rule, &args.limits, &question, args.trust_observed)?;
    if args.json.json {
        return output::json(&answer(&loaded.rule, &analysis));
    }
    output::text(|out| write(out, &loaded.rule, &analysis))
}

/// `grundy outcome RULE POSITION`: the first line of `moves` alone.
pub(crate) fn outcome(args: &Outcome) -> Result<(), Failure> {
    let rule = RuleArgs { rule: args.game.clone(), rest: args.rest.clone() };
    let question = Question { misere: args.misere, first: !args.json.json, assignments: false };
    let (loaded, analysis) = analyse(&rule, &args.limits, &question, false)?;
    if args.json.json {
        return output::json(&answer(&loaded.rule, &analysis));
    }
    output::text(|out| {
        writeln!(out, "{RESULT}{}{RESULT:#} for the player to move", analysis.outcome.word())?;
        Ok(())
    })
}

fn analyse(
    rule: &RuleArgs,
    limits: &LimitArgs,
    question: &Question,
    trust_observed: bool,
) -> Result<(Loaded, Analysis), Failure> {
    let loaded = load::load(rule)?;
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
        assignments: found.assignments.iter().map(assignment).collect(),
    });
    let heaps = analysis.heaps.iter().map(|value| WireEntry {
        heap: wire::heap(rule, &value.heap),
        count: value.count,
        nimber: value.nimber,
    });
    Answer {
        outcome: analysis.outcome.word(),
        misere: analysis.misere,
        nimber: analysis.nimber,
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
        Some(count) => format!(": {}", report::count(count, "winning move", "winning moves")),
        None => ": here is one winning move".to_string(),
    };
    writeln!(out, "{RESULT}{}{RESULT:#} for the player to move{many}\n", analysis.outcome.word())?;
    for sentence in &analysis.explanation {
        writeln!(out, "{sentence}")?;
    }
    let moves = &analysis.moves;
    let told = moves.len() <= EXPLAINED && moves.iter().all(|found| found.assignments.is_empty());
    if told && moves.iter().all(|found| entry(analysis, found).is_none()) {
        return Ok(());
    }
    writeln!(out, "\n{HEADING}Winning moves{HEADING:#}")?;
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

/// The number of the entry that is moved, from 1, where the position has several equal ones.
fn entry(analysis: &Analysis, found: &WinningMove) -> Option<usize> {
    let equal = analysis.heaps.iter().filter(|entry| entry.heap == found.from).count();
    (equal > 1).then_some(found.entry + 1)
}

/// `7 -> 3, 3`, with the number of the entry where equal heaps stand in the position.
fn shown(rule: &Rule, analysis: &Analysis, found: &WinningMove) -> String {
    let from = rule.show_heap(found.from.kind, &found.from.entries);
    let place = entry(analysis, found).map_or(String::new(), |entry| format!("  (entry {entry})"));
    format!("{from} -> {}{place}", sum(rule, &found.to))
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
