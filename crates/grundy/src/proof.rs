//! Proofs: from a rule and a law to a certificate.
//!
//! One module a proof rule. Each looks for what its rule needs - a period, the clauses of a window - and puts it into a
//! certificate; none of them is trusted. A certificate leaves this module only after `grundy_check` accepted it, so
//! a fault here can cost a proof but never make a false one.
//!
//! A law that is given is first compared with the table, because a counterexample tells more than "not proved". A law
//! that is not given is written by the proof rule itself.
//!
//! ```
//! use grundy::limits::Limits;
//! use grundy::proof::{self, Outcome};
//! use grundy_rule::Rule;
//! let (rule, _) = Rule::parse("n -> n - t where t in {1, 3, 4}", &[]).unwrap();
//! let Outcome::Proved(proof) = proof::prove(&rule, None, &Limits::default()).unwrap() else { panic!("it is proved") };
//! assert_eq!(proof.certificate.law, "g(0..) = 0, 1, 0, 1, 2, 3, 2\ng(n + 7) = g(n) for n >= 0");
//! assert!(grundy_check::check(&proof.certificate.to_string(), Default::default()).is_ok());
//! ```

mod automatic;
mod by;
mod finite_subtraction;
mod guy_smith;
mod period;
mod sliding_window;
pub mod walnut;

use std::collections::BTreeMap;

use grundy_check::certificate::{Certificate, FORMAT, Proof as Data};
use grundy_check::{Accepted, Fault, Limits as CheckLimits};
use grundy_rule::Rule;
use grundy_rule::ends::{self, Ends};
use grundy_rule::expr::Int;
use grundy_rule::heap::{Heap, KindId};
use grundy_rule::law_text::{LawText, Subject};
use grundy_rule::rule::{Kind, Value};
use grundy_rule::shape::{self, Shape};

use crate::error::Error;
use crate::law::Law;
use crate::limits::{Clock, Limits};
use crate::nimber::Nimber;
use crate::table::{self, Options};
pub use by::By;

/// The last entries of the table with which a given law is compared before anything is proved, for one entry, two, ...
const COMPARED: [u64; 4] = [1000, 50, 15, 7];

/// What became of the attempt to prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is a certificate, and the checker accepted it.
    Proved(Box<Proof>),
    /// The law is false.
    Refuted {
        /// A heap for which it is.
        heap: Heap,
        /// What the law says there, or why it says nothing.
        says: Result<Nimber, String>,
        /// Its Grundy value.
        value: Nimber,
    },
    /// No proof rule fits; why.
    NoRule(String),
    /// A limit was reached before an answer; which.
    Unknown(String),
}

/// A certificate that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The certificate.
    pub certificate: Certificate,
    /// What the checker says it shows.
    pub accepted: Accepted,
}

/// What may be said beside the rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// The law; some law if none is given.
    pub law: Option<&'a LawText>,
    /// The kind of heap that it is about; if none is given, that of [`kind_of`].
    pub kind: Option<KindId>,
    /// The only proof rule to be tried.
    pub by: Option<By>,
}

/// What is to be proved.
struct Goal<'a> {
    rule: &'a Rule,
    kind: KindId,
    law: Option<&'a LawText>,
    shapes: Vec<Shape>,
    clock: Clock,
}

/// What one proof rule gives.
enum Attempt {
    /// Data and law for a certificate, and the first heap that the law is about.
    Found { data: Data, law: String, first: u64 },
    /// It does not fit, and why.
    Unfit(String),
    /// It might, but a limit came first.
    Unknown(String),
}

/// Proves a law about a rule, or some law if none is given: [`prove_request`] without further wishes.
///
/// # Errors
/// As there.
pub fn prove(rule: &Rule, law: Option<&LawText>, limits: &Limits) -> Result<Outcome, Error> {
    prove_request(rule, &Request { law, ..Request::default() }, limits)
}

/// Proves a law about the heaps of one kind.
///
/// # Errors
/// `time`, `memory` or `cancelled` while a law is compared with the table, and what a table may say; a law that
/// cannot be evaluated; `kind` as [`kind_of`].
pub fn prove_request(rule: &Rule, request: &Request, limits: &Limits) -> Result<Outcome, Error> {
    if rule.misere {
        return Ok(Outcome::NoRule("nimbers settle normal play only, and this rule is misere".to_string()));
    }
    if !rule.has_nimbers() {
        let why = "heaps have no nimbers where players have different moves or a move ends the game";
        return Ok(Outcome::NoRule(why.to_string()));
    }
    match ends::ends(rule) {
        Ends::Proved(_) => {}
        other => {
            return Ok(Outcome::NoRule(format!("a law is proved only where play is proved to end; {other}")));
        }
    }
    let kind = request.kind.map_or_else(|| kind_of(rule, None, request.law), Ok)?;
    let arity = rule.kinds[usize::from(kind.0)].arity;
    let shapes = if arity == 1 { shape::shapes_of(rule, kind) } else { Vec::new() };
    let goal = Goal { rule, kind, law: request.law, shapes, clock: limits.clock() };
    if let Some(refuted) = goal.compared()? {
        return Ok(refuted);
    }
    if request.law.is_some_and(|law| law.subject == Subject::Zeros) {
        let why = "a law about the outcome alone cannot be proved yet: certificates are about nimbers";
        return Ok(Outcome::NoRule(why.to_string()));
    }
    let mut reasons = Vec::new();
    let mut unknown = false;
    for by in By::ALL {
        if request.by.is_some_and(|only| only != by) {
            continue;
        }
        if arity != 1 && by != By::Automatic {
            reasons.push(format!("{by}: the heaps have several entries"));
            continue;
        }
        let why = match by.attempt(&goal)? {
            Attempt::Found { data, law, first } => match goal.checked(data, law, first) {
                Ok(proof) => return Ok(Outcome::Proved(Box::new(proof))),
                Err(fault) => {
                    unknown |= matches!(fault, Fault::Limit(_));
                    fault.to_string()
                }
            },
            Attempt::Unfit(why) => why,
            Attempt::Unknown(why) => {
                unknown = true;
                why
            }
        };
        reasons.push(format!("{by}: {why}"));
    }
    let reasons = reasons.join("; ");
    Ok(if unknown { Outcome::Unknown(reasons) } else { Outcome::NoRule(reasons) })
}

/// The kind that a law is about: the first one in the rule of that name, if one is given, and with as many entries as the law
/// speaks about, if there is one.
///
/// # Errors
/// `kind` if the rule has none.
pub fn kind_of(rule: &Rule, name: Option<&str>, law: Option<&LawText>) -> Result<KindId, Error> {
    let entries = law.map(LawText::arity);
    let fits = |kind: &Kind| {
        entries.is_none_or(|entries| kind.arity == entries)
            && name.is_none_or(|name| kind.name.as_deref() == Some(name))
    };
    let found = rule.kinds.iter().position(fits).and_then(|at| u16::try_from(at).ok());
    found.map(KindId).ok_or_else(|| {
        let name = name.map_or_else(String::new, |name| format!(" `{name}`"));
        let entries = match entries {
            None => String::new(),
            Some(1) => " with one entry, as the law speaks about".to_string(),
            Some(entries) => format!(" with {entries} entries, as the law speaks about"),
        };
        Error::new("kind", format!("the rule has no kind of heap{name}{entries}"))
    })
}

impl Goal<'_> {
    /// A heap for which the law is false, among the first [`COMPARED`]; nothing is said where parameters have no value.
    fn compared(&self) -> Result<Option<Outcome>, Error> {
        let Some(text) = self.law else { return Ok(None) };
        if self.rule.params.iter().any(|param| param.value.is_none()) {
            return Ok(None);
        }
        let law = Law::new(text.clone(), &self.rule.params)?;
        let kind = &self.rule.kinds[usize::from(self.kind.0)];
        let end = COMPARED.get(kind.arity - 1).copied().unwrap_or(3);
        let options = Options { kind: kind.name.clone(), limits: self.clock.left(), ..Options::default() };
        let table = table::grid(self.rule, &vec![end; kind.arity], &options)?;
        for (index, value) in table.iter().enumerate() {
            let entries = table.entries(index);
            let heap: Vec<u128> = entries.iter().map(|entry| *entry as u128).collect();
            let says = law.value_of(&heap);
            let value = Nimber::from(value);
            let agrees = match &says {
                Ok(says) => *says == value,
                // A law about the outcome alone is right about a won heap.
                Err(error) => error.id() == "law-outcome" && value != 0,
            };
            if !agrees {
                let says = says.map_err(|error| error.message());
                let heap: Vec<Int> = entries.iter().map(|entry| *entry as Int).collect();
                let heap = Heap::new(self.kind, &heap);
                return Ok(Some(Outcome::Refuted { heap, says, value }));
            }
        }
        Ok(None)
    }

    /// A limit in the words of the whole: the clock of a part counts what was left for it.
    fn limit(&self, error: &Error) -> Attempt {
        Attempt::Unknown(self.clock.check().err().as_ref().unwrap_or(error).message())
    }

    /// Makes a certificate and has it checked.
    fn checked(&self, data: Data, law: String, first: u64) -> Result<Proof, Fault> {
        let kind = &self.rule.kinds[usize::from(self.kind.0)];
        let certificate = Certificate {
            format: FORMAT.to_string(),
            rule: text_of(self.rule),
            kind: kind.name.clone().filter(|_| self.rule.kinds.len() > 1),
            entries: kind.arity,
            parameters: parameters(self.rule),
            law,
            first,
            play: "normal".to_string(),
            proof: data,
        };
        let accepted = grundy_check::check(
            &certificate.to_string(),
            CheckLimits { until: self.clock.end(), ..CheckLimits::default() },
        )?;
        Ok(Proof { certificate, accepted })
    }
}

/// The text that a certificate gives for a rule: without comments before it and what the literature says after it.
#[must_use]
pub fn text_of(rule: &Rule) -> String {
    let end = rule.lines.iter().map(|line| line.span.end).max().unwrap_or(rule.source.len());
    let text = rule.source.get(..end).unwrap_or(&rule.source);
    let is_rule = |line: &&str| !line.trim_start().starts_with('#') && !line.trim().is_empty();
    text.lines().filter(is_rule).map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The values of parameters as they are typed.
fn parameters(rule: &Rule) -> BTreeMap<String, String> {
    let list = |all: &[i128]| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let typed = |value: &Value| match value {
        Value::Number(number) => number.to_string(),
        Value::Set(all) => format!("{{{}}}", list(all)),
        Value::List(all) => format!("[{}]", list(all)),
        Value::Pairs(all) => all.iter().map(|(a, b)| format!("({a}, {b})")).collect::<Vec<_>>().join(", "),
    };
    let valued = rule.params.iter().filter_map(|p| Some((p.name.clone(), typed(p.value.as_ref()?))));
    valued.collect()
}

#[cfg(test)]
mod tests;
