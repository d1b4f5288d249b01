//! `grundy prove`: a law for all heaps - proved with a certificate, or refuted by a heap.

use std::io::Write;
use std::path::Path;

use grundy::error::Error;
use grundy::law::discover;
use grundy::limits::Clock;
use grundy::proof::{self, Outcome, Proof, Request, walnut};
use grundy::table::{self, Options};
use grundy_rule::Rule;
use grundy_rule::heap::KindId;
use grundy_rule::law_text::{self, LawText};
use serde::Serialize;

use crate::args::{Prove, RuleArgs};
use crate::failure::{self, Failure};
use crate::law_source;
use crate::load::{self, Loaded};
use crate::long::{self, Spinner};
use crate::output;
use crate::report::{QUIET, RESULT};
use crate::wire::{self, WireHeap};

#[derive(Serialize)]
struct Answer<'a> {
    /// `proved` or `refuted`.
    status: &'static str,
    law: String,
    claim: Option<&'a str>,
    obligations: Vec<Obligation<'a>>,
    counterexample: Option<Counterexample>,
    certificate: Option<serde_json::Value>,
}

#[derive(Serialize)]
struct Obligation<'a> {
    name: &'a str,
    says: &'a str,
    size: u64,
}

#[derive(Serialize)]
struct Counterexample {
    heap: WireHeap,
    /// What the law says; null if it says no nimber.
    law: Option<u128>,
    /// Why the law is false there.
    reason: String,
    nimber: u128,
}

/// `grundy prove RULE`
pub(crate) fn run(args: &Prove) -> Result<(), Failure> {
    let loaded = load::load(&RuleArgs { rule: args.rule.clone(), rest: args.rest.clone() })?;
    loaded.no_position("prove")?;
    let given = law_source::clauses(&loaded, &args.law)?;
    // One clock for all that is tried.
    let clock = long::limits(&args.limits)?.clock();
    let said = |error| failure::from_library(&error, &loaded.source);
    let spinner = Spinner::start(format!("proving a law of {}", loaded.title()));
    let cited = if given.is_none() { cited(&loaded)? } else { None };
    let law = given.as_ref().or(cited.as_ref());
    let kind = proof::kind_of(&loaded.rule, args.kind.as_deref(), law).map_err(said)?;
    let observed = if law.is_none() { observed(&loaded.rule, kind, &clock).map_err(said)? } else { None };
    let law = law.or(observed.as_ref());
    let request = Request { law, kind: Some(kind), by: args.by };
    let mut outcome = proof::prove_request(&loaded.rule, &request, &clock.left()).map_err(said)?;
    let mut shown = law.map(ToString::to_string).unwrap_or_default();
    let other = Request { law: None, ..request };
    let is_proved = |outcome: &Outcome| matches!(outcome, Outcome::Proved(_));
    // What the literature states may be out of reach where another law is not; what a grid shows was nobody's claim.
    if let (Outcome::NoRule(_), Some(_)) = (&outcome, &cited) {
        let found = proof::prove_request(&loaded.rule, &other, &clock.left()).map_err(said)?;
        outcome = if is_proved(&found) { found } else { outcome };
    } else if observed.is_some() && !is_proved(&outcome) {
        outcome = proof::prove_request(&loaded.rule, &other, &clock.left()).map_err(said)?;
    }
    drop(spinner);
    match &outcome {
        Outcome::Proved(proof) => {
            if let Some(path) = &args.output {
                super::table::to_file(path, |out| Ok(write!(out, "{}", proof.certificate)?))?;
            }
            if let Some(folder) = &args.walnut {
                let name = loaded.name().unwrap_or_else(|| "game".to_string());
                for_walnut(folder, &walnut::export(&proof.certificate, &name).map_err(said)?)?;
            }
            if args.json.json {
                return output::json(&proved(proof)?);
            }
            output::text(|out| write(out, args, proof))
        }
        Outcome::Refuted { heap, says, value } => {
            let reason = match says {
                Ok(says) => format!("the law says {says}, the nimber is {value}"),
                Err(reason) => format!("{reason}, the nimber is {value}"),
            };
            if args.json.json {
                let counterexample = Counterexample {
                    heap: wire::heap(&loaded.rule, heap),
                    law: says.as_ref().ok().copied(),
                    reason,
                    nimber: *value,
                };
                output::json(&Answer {
                    status: "refuted",
                    law: std::mem::take(&mut shown),
                    claim: None,
                    obligations: Vec::new(),
                    counterexample: Some(counterexample),
                    certificate: None,
                })?;
            } else {
                let heap = loaded.rule.show_heap(heap.kind, &heap.entries);
                output::text(|out| {
                    writeln!(out, "{RESULT}false at heap {heap}{RESULT:#}: {reason}")?;
                    Ok(())
                })?;
            }
            Err(Failure::No)
        }
        Outcome::NoRule(why) => Err(Failure::new("proof", format!("no proof rule fits: {why}"))),
        Outcome::Unknown(why) => Err(Failure::new("proof", format!("not known: {why}"))),
    }
}

/// The law that a grid shows, for heaps with several entries: it is shorter than the automaton that the proof would find.
fn observed(rule: &Rule, kind: KindId, clock: &Clock) -> Result<Option<LawText>, Error> {
    let of = &rule.kinds[usize::from(kind.0)];
    if of.arity == 1 || rule.misere || rule.params.iter().any(|param| param.value.is_none()) {
        return Ok(None);
    }
    let options = Options { kind: of.name.clone(), limits: clock.left(), ..Options::default() };
    let ends = vec![super::law::grid::side(of.arity); of.arity];
    // What does not come in time, or goes on for ever, is told by the proof.
    let Ok(table) = table::grid(rule, &ends, &options) else { return Ok(None) };
    let found = discover::grid(&table, clock)?;
    Ok(found.nimbers.map(|law| law.text().clone()))
}

/// Writes the files into Walnut's folders below `folder`, which are made where they are missing.
fn for_walnut(folder: &Path, files: &[walnut::File]) -> Result<(), Failure> {
    for file in files {
        let place = folder.join(file.folder);
        // A folder above that is missing is a slip of the pen.
        for folder in [folder, &place] {
            if !folder.is_dir() {
                std::fs::create_dir(folder)
                    .map_err(|error| Failure::file("make", &folder.display().to_string(), &error))?;
            }
        }
        super::table::to_file(&place.join(&file.name), |out| Ok(write!(out, "{}", file.text)?))?;
    }
    Ok(())
}

/// The law of the game file; one that does not resolve is the file's fault.
fn cited(loaded: &Loaded) -> Result<Option<LawText>, Failure> {
    if loaded.file.law.is_empty() {
        return Ok(None);
    }
    law_text::resolve(&loaded.file.law, &loaded.rule.params)
        .map(Some)
        .map_err(|list| Failure::Said(loaded.source.clone(), list))
}

fn write(out: &mut dyn Write, args: &Prove, proof: &Proof) -> Result<(), Failure> {
    writeln!(out, "{RESULT}proved{RESULT:#}: {}", proof.accepted.claim)?;
    for line in proof.certificate.law.lines() {
        writeln!(out, "  {}", cut(line))?;
    }
    for done in &proof.accepted.obligations {
        writeln!(out, "  {QUIET}{}: {} (size {}){QUIET:#}", done.name, done.says, done.size)?;
    }
    if let Some(folder) = &args.walnut {
        writeln!(out, "for Walnut: {}", folder.display())?;
    }
    match &args.output {
        Some(path) => writeln!(out, "certificate: {}", path.display())?,
        None => writeln!(out, "{QUIET}-o FILE keeps the certificate{QUIET:#}")?,
    }
    Ok(())
}

/// A clause for people: long lists of values are cut.
fn cut(line: &str) -> String {
    const SHOWN: usize = 100;
    if line.chars().count() <= SHOWN || !line.contains("..) =") {
        return line.to_string();
    }
    let begun: String = line.chars().take(SHOWN).collect();
    let end = begun.rfind(',').unwrap_or(begun.len());
    let values = line.split(',').count();
    format!("{}, .. ({values} values)", &begun[..end])
}

fn proved(proof: &Proof) -> Result<Answer<'_>, Failure> {
    let all = proof.accepted.obligations.iter();
    let certificate = serde_json::to_value(&proof.certificate)
        .map_err(|error| Failure::new("output", format!("the certificate cannot be written: {error}")))?;
    Ok(Answer {
        status: "proved",
        law: proof.certificate.law.clone(),
        claim: Some(&proof.accepted.claim),
        obligations: all.map(|o| Obligation { name: o.name, says: &o.says, size: o.size }).collect(),
        counterexample: None,
        certificate: Some(certificate),
    })
}
