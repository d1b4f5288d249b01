//! `grundy test`: a formula against the rule - holds to N, or the least counterexample with the options that decide it.

use std::io::Write;

use grundy::comparison::{self, Claim, Comparison, Decision, Said, Wrong};
use grundy::law::Law;
use grundy::table::{self, Options, SoFar};
use grundy_rule::{Heap, Int, Rule};
use serde::Serialize;

use super::moves;
use crate::args::{RuleArgs, Test};
use crate::failure::{self, Failure};
use crate::law_source;
use crate::load::{self, Loaded};
use crate::long::{self, Spinner};
use crate::output;
use crate::report::{self, QUIET, RESULT};
use crate::wire::{self, WireHeap};

#[derive(Serialize)]
struct Answer {
    law: String,
    holds: bool,
    /// A table refutes and does not prove: `observed` if it holds, else null.
    status: Option<&'static str>,
    checked_to: u64,
    counterexample: Option<Counterexample>,
    failures: Option<Failures>,
    silent: Option<Silent>,
}

#[derive(Serialize)]
struct Counterexample {
    heap: WireHeap,
    /// What the law says; null if that is no nimber, or only that the heap is won.
    law: Option<u128>,
    nimber: u128,
    reason: String,
    /// The options that decide: that which has the law's value, or one for each value that options have.
    options: Vec<DecidingOption>,
}

#[derive(Serialize)]
struct DecidingOption {
    to: Vec<WireHeap>,
    nimber: u128,
}

#[derive(Serialize)]
struct Failures {
    count: u64,
    r#where: String,
    modulus: Option<u64>,
    residues: Option<Vec<u64>>,
}

#[derive(Serialize)]
struct Silent {
    count: u64,
    first: u64,
    reason: String,
}

/// `grundy test RULE LAW`
pub(crate) fn run(args: &Test) -> Result<(), Failure> {
    let loaded = load::load(&RuleArgs { rule: args.rule.clone(), rest: args.rest.clone() })?;
    loaded.need_values()?;
    if loaded.rule.kinds.iter().all(|kind| kind.arity != 1) {
        let message = format!(
            "{} has no heap with one entry, and the clauses of a law speak about such heaps",
            loaded.title()
        );
        return Err(Failure::new("kind", message));
    }
    let law = law_source::law(&loaded)?;
    let limits = long::limits(&args.limits)?;
    let said = |error| failure::from_library(&error, &loaded.source);
    let what = format!("testing a law of {}", loaded.title());
    let (spinner, done) = Spinner::counting(what, "heaps", args.heaps.saturating_add(1));
    let options = Options {
        kind: args.kind.clone(),
        limits: limits.clone(),
        progress: Some(done),
        ..Options::default()
    };
    let clock = limits.clock();
    let SoFar { table, stopped } = table::so_far(&loaded.rule, &[args.heaps], &options).map_err(said)?;
    if let (true, Some(_)) = (table.is_empty(), &stopped) {
        return stopped.map_or(Ok(()), |error| Err(said(error)));
    }
    // The law reaches as far as the table; a table that time cut short leaves time for nothing else.
    let clock = if stopped.is_some() { grundy::limits::Limits::default().clock() } else { clock };
    let found = comparison::compare(|n| Claim::of(&law, n), &table, &clock).map_err(said)?;
    let reason = match &found.first {
        None => None,
        Some(Wrong { heap, said: value, nimber }) => {
            let kind = loaded.rule.kind(table.kind(), 1).expect("the kind that was tabulated");
            let decision = comparison::decide(&loaded.rule, kind, (*heap, value, *nimber), &table, &limits)
                .map_err(said)?;
            Some((Heap::new(kind, &[Int::from(*heap)]), decision))
        }
    };
    drop(spinner);
    if args.json.json {
        output::json(&answer(&loaded.rule, &law, &found, reason.as_ref()))?;
    } else {
        output::text(|out| write(out, &loaded, &found, reason.as_ref()))?;
    }
    match (found.holds(), stopped) {
        (false, _) => Err(Failure::No),
        (true, Some(error)) => Err(said(error)),
        (true, None) => Ok(()),
    }
}

fn write(
    out: &mut dyn Write,
    loaded: &Loaded,
    found: &Comparison,
    reason: Option<&(Heap, Decision)>,
) -> Result<(), Failure> {
    let to = found.checked_to;
    if let (Some(first), Some((heap, decision))) = (&found.first, reason) {
        let heap = loaded.rule.show_heap(heap.kind, &heap.entries);
        writeln!(out, "{RESULT}false at heap {heap}{RESULT:#}: {}", against(first))?;
        for line in because(&loaded.rule, &heap, decision) {
            writeln!(out, "{line}")?;
        }
        if let Some(extent) = &found.extent {
            let elsewhere =
                if found.wrong < found.spoken { format!("; holds elsewhere to {to}") } else { String::new() };
            writeln!(out, "fails for {extent}{elsewhere}")?;
        }
    } else {
        writeln!(out, "{RESULT}holds to {to}{RESULT:#}  {QUIET}observed, not proved{QUIET:#}")?;
    }
    if let Some(unsaid) = &found.unsaid {
        let heaps = report::count(unsaid.count, "heap", "heaps");
        writeln!(out, "says nothing about {heaps}, the first of them {}: {}", unsaid.first, unsaid.reason)?;
    }
    Ok(())
}

/// What the law says and what is true.
fn against(first: &Wrong) -> String {
    match &first.said {
        Said::Value(value) => format!("the law says {value}, the nimber is {}", first.nimber),
        Said::Won => format!("the law says it is won, the nimber is {}", first.nimber),
        Said::NoNimber(message) => format!("{message}, the nimber is {}", first.nimber),
    }
}

/// Most options that are written out.
const WRITTEN: usize = 12;

/// The options that decide, in sentences.
fn because(rule: &Rule, heap: &str, decision: &Decision) -> Vec<String> {
    match decision {
        Decision::Has { option, value } => vec![format!(
            "{heap} -> {} has value {value}, and no heap has the value of one of its options",
            moves::sum(rule, option)
        )],
        Decision::Lacks { value, options, complete, moves } => {
            let none = format!("no option of {heap} has value {value}, so its nimber is at most {value}");
            if *moves == 0 {
                return vec![format!("{heap} has no option, so its nimber is 0")];
            }
            let mut lines = vec![none];
            let shown = options
                .iter()
                .take(WRITTEN)
                .map(|(option, value)| format!("  {heap} -> {} has value {value}", moves::sum(rule, option)));
            lines.extend(shown);
            if options.len() > WRITTEN || !complete {
                let more = if *complete { "" } else { " at least" };
                lines.push(format!("  and{more} {} other values", options.len().saturating_sub(WRITTEN)));
            }
            lines
        }
    }
}

fn answer(rule: &Rule, law: &Law, found: &Comparison, reason: Option<&(Heap, Decision)>) -> Answer {
    let counterexample = found.first.as_ref().zip(reason).map(|(first, (heap, decision))| {
        let options = match decision {
            Decision::Has { option, value } => vec![(option, *value)],
            Decision::Lacks { options, .. } => options.iter().map(|(sum, value)| (sum, *value)).collect(),
        };
        let options = options
            .into_iter()
            .map(|(sum, nimber)| DecidingOption { to: wire::sum(rule, sum), nimber })
            .collect();
        Counterexample {
            heap: wire::heap(rule, heap),
            law: match first.said {
                Said::Value(value) => Some(value),
                Said::Won | Said::NoNimber(_) => None,
            },
            nimber: first.nimber,
            reason: because(rule, &rule.show_heap(heap.kind, &heap.entries), decision)
                .into_iter()
                .next()
                .unwrap_or_default(),
            options,
        }
    });
    let failures = found.extent.as_ref().map(|extent| {
        let (modulus, residues) = match extent {
            comparison::Extent::Residues { modulus, residues, .. } => {
                (Some(*modulus), Some(residues.clone()))
            }
            _ => (None, None),
        };
        Failures { count: found.wrong, r#where: extent.to_string(), modulus, residues }
    });
    Answer {
        law: law.to_string(),
        holds: found.holds(),
        status: found.holds().then_some("observed"),
        checked_to: found.checked_to,
        counterexample,
        failures,
        silent: found.unsaid.as_ref().map(|unsaid| Silent {
            count: unsaid.count,
            first: unsaid.first,
            reason: unsaid.reason.clone(),
        }),
    }
}
