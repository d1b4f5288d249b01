//! `grundy test`: a formula against the rule - holds to N, or the least counterexample with the options that decide it.

use std::cell::Cell;
use std::io::Write;

use grundy::comparison::{self, Claim, Comparison, Decision, Said, Wrong};
use grundy::law::Law;
use grundy::table::{self, Options, SoFar, Table};
use grundy_rule::law_text::Subject;
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
    checked_to: Place,
    counterexample: Option<Counterexample>,
    failures: Option<Failures>,
    silent: Option<Silent>,
    /// For how many heaps the law says how their values hang together, and not what they are.
    related: u64,
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
    first: Place,
    reason: String,
}

/// A heap by its entries: `5`, `[3, 8]`.
#[derive(Serialize)]
#[serde(untagged)]
enum Place {
    Heap(u64),
    Tuple(Vec<usize>),
}

impl Place {
    fn of(table: &Table, place: u64) -> Place {
        match table.dims() {
            [_] => Place::Heap(place),
            _ => Place::Tuple(table.entries(index(place))),
        }
    }
}

fn index(place: u64) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

/// The last heap of each entry if `-n` does not say: grids of about ten thousand heaps.
fn extent(arity: usize) -> u64 {
    match arity {
        1 => 2000,
        2 => 100,
        3 => 20,
        4 => 9,
        _ => 5,
    }
}

/// `grundy test RULE LAW`
pub(crate) fn run(args: &Test) -> Result<(), Failure> {
    let rule_args = RuleArgs { rule: args.rule.clone(), rest: args.rest.clone() };
    let is_parameter = |word: &&String| load::is_parameter(word);
    let parameters = args.rest.iter().filter(is_parameter).cloned().collect();
    if let Some(spelled) = load::family::family(&RuleArgs { rule: args.rule.clone(), rest: parameters })? {
        return family(args, &spelled);
    }
    let loaded = load::load(&rule_args)?;
    loaded.need_values()?;
    let law = law_source::law(&loaded)?;
    let arity = law.arity();
    if loaded.rule.kinds.iter().all(|kind| kind.arity != arity) {
        return Err(other_entries(&loaded, arity));
    }
    let ends = match args.heaps.as_ref().map(|heaps| heaps.0.as_slice()) {
        None => vec![extent(arity); arity],
        Some([one]) => vec![*one; arity],
        Some(ends) if ends.len() == arity => ends.to_vec(),
        Some(ends) => {
            let given = report::count(u64::try_from(ends.len()).unwrap_or(u64::MAX), "end", "ends");
            let message = format!("-n gives {given}, and the law speaks about {}", entries(arity));
            return Err(Failure::new("usage", message).help("one number is the last of each entry"));
        }
    };
    let limits = long::limits(&args.limits)?;
    let said = |error| failure::from_library(&error, &loaded.source);
    let what = format!("testing a law of {}", loaded.title());
    let (spinner, done) = Spinner::counting(what, "heaps", ends[0].saturating_add(1));
    let options = Options {
        kind: args.kind.clone(),
        limits: limits.clone(),
        progress: Some(done),
        ..Options::default()
    };
    let clock = limits.clock();
    let SoFar { table, stopped } = table::so_far(&loaded.rule, &ends, &options).map_err(said)?;
    if let (true, Some(_)) = (table.is_empty(), &stopped) {
        return stopped.map_or(Ok(()), |error| Err(said(error)));
    }
    // The law reaches as far as the table; a table that time cut short leaves time for nothing else.
    let clock = if stopped.is_some() { grundy::limits::Limits::default().clock() } else { clock };
    let related = Cell::new(0_u64);
    let found = {
        let said_of = |place| match claim(&law, &table, place) {
            // What is said about other values is a statement about a table all the same.
            Err(error) if error.id() == "law-silent" && arity == 1 && law.speaks_of() == Subject::Nimbers => {
                let known = |heap: u128| {
                    let heap = usize::try_from(heap).ok().filter(|heap| *heap < table.len())?;
                    Some(u128::from(table.get(heap)))
                };
                let value = law.value_given(place.into(), &known)?;
                related.set(related.get() + 1);
                Ok(Claim::Value(value))
            }
            other => other,
        };
        comparison::compare(said_of, &table, &clock).map_err(said)?
    };
    let reason = match &found.first {
        None => None,
        Some(Wrong { heap, said: value, nimber }) => {
            let kind = loaded.rule.kind(table.kind(), arity).expect("the kind that was tabulated");
            let decision = comparison::decide(&loaded.rule, kind, (*heap, value, *nimber), &table, &limits)
                .map_err(said)?;
            let entries: Vec<Int> = match table.dims() {
                [_] => vec![Int::from(*heap)],
                _ => table
                    .entries(index(*heap))
                    .into_iter()
                    .filter_map(|entry| Int::try_from(entry).ok())
                    .collect(),
            };
            Some((Heap::new(kind, &entries), decision))
        }
    };
    drop(spinner);
    if args.json.json {
        output::json(&answer(&loaded.rule, &law, &table, (&found, reason.as_ref(), related.get())))?;
    } else {
        output::text(|out| write(out, &loaded, &table, (&found, reason.as_ref(), related.get())))?;
    }
    match (found.holds(), stopped) {
        (false, _) => Err(Failure::No),
        (true, Some(error)) => Err(said(error)),
        (true, None) => Ok(()),
    }
}

/// The law for each member of a family, until one refutes it.
fn family(args: &Test, spelled: &load::family::Family) -> Result<(), Failure> {
    if args.json.json {
        return Err(Failure::new("usage", "--json is about one rule, and this is a family of rules")
            .help("give each parameter one value"));
    }
    for member in &spelled.members {
        let value = |name: &str| {
            let at = spelled.names.iter().position(|known| known == name)?;
            member.point.get(at).map(|value| format!("{name}={value}"))
        };
        let rest: Vec<String> = args
            .rest
            .iter()
            .map(|word| {
                let name = word.split_once('=').map(|(name, _)| name).filter(|_| load::is_parameter(word));
                name.and_then(value).unwrap_or_else(|| word.clone())
            })
            .collect();
        let called: Vec<String> = spelled.names.iter().filter_map(|name| value(name)).collect();
        output::text(|out| Ok(write!(out, "{QUIET}{}:{QUIET:#} ", called.join(" "))?))?;
        let one = Test { rest, ..args.clone() };
        run(&one)?;
    }
    Ok(())
}

/// What the law says about the heap at a place of the table.
fn claim(law: &Law, table: &Table, place: u64) -> Result<Claim, grundy::error::Error> {
    match table.dims() {
        [_] => Claim::of(law, place),
        _ => {
            let entries = table.entries(index(place));
            let wide: Vec<u128> =
                entries.into_iter().filter_map(|entry| u128::try_from(entry).ok()).collect();
            Claim::about(law, &wide)
        }
    }
}

fn entries(arity: usize) -> String {
    if arity == 1 { "heaps with one entry".to_string() } else { format!("heaps with {arity} entries") }
}

/// The error for a law about other heaps than those of the rule.
fn other_entries(loaded: &Loaded, arity: usize) -> Failure {
    let message = format!("the law speaks about {}, and {} has none", entries(arity), loaded.title());
    let failure = Failure::new("kind", message);
    let example = |arity: usize| match arity {
        1 => "g(n) = n".to_string(),
        2 => "g(a, b) = a xor b".to_string(),
        3 => "g(a, b, c) = a xor b xor c".to_string(),
        _ => "g(a, b, ...) = ...".to_string(),
    };
    match loaded.rule.kinds.first() {
        Some(kind) => failure.help(format!("write a law such as `{}`", example(kind.arity))),
        None => failure,
    }
}

fn write(
    out: &mut dyn Write,
    loaded: &Loaded,
    table: &Table,
    (found, reason, related): (&Comparison, Option<&(Heap, Decision)>, u64),
) -> Result<(), Failure> {
    let to = table.heap(index(found.checked_to));
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
    if related > 0 {
        let heaps = report::count(related, "heap", "heaps");
        writeln!(out, "for {heaps} as a statement about values: those on the right are the table's")?;
    }
    if let Some(unsaid) = &found.unsaid {
        let heaps = report::count(unsaid.count, "heap", "heaps");
        let first = table.heap(index(unsaid.first));
        writeln!(out, "says nothing about {heaps}, the first of them {first}: {}", unsaid.reason)?;
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

fn answer(
    rule: &Rule,
    law: &Law,
    table: &Table,
    (found, reason, related): (&Comparison, Option<&(Heap, Decision)>, u64),
) -> Answer {
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
        checked_to: Place::of(table, found.checked_to),
        counterexample,
        failures,
        silent: found.unsaid.as_ref().map(|unsaid| Silent {
            count: unsaid.count,
            first: Place::of(table, unsaid.first),
            reason: unsaid.reason.clone(),
        }),
        related,
    }
}
