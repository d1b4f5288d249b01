//! What is known of the law of a rule, and how well: proved, cited or observed.
//!
//! A law says nothing about where it comes from ([`crate::law`]); this module does. A rule has a law because a **lemma**
//! speaks about its shape, because a **certificate** was accepted, because the literature **states** one and the table
//! agrees, or because one was **observed**. [`find`] looks in the order in which an answer deserves belief: lemma, a law that
//! the table shows and that can be proved, the cited one, and what is only observed.

use std::fmt;

use grundy_check::certificate::{Certificate, Proof};
use grundy_rule::Rule;
use grundy_rule::heap::KindId;
use grundy_rule::{ast, law_text};

use crate::comparison::{self, Comparison};
use crate::error::Error;
use crate::law::Law;
use crate::law::discover::{self, Search, Tried};
use crate::limits::Limits;
use crate::proof::{self, Outcome};
use crate::table::{self, Options, normal_play};
use crate::values;

/// How well a law is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds for all heaps.
    Proved {
        /// The lemma about the shape of the rule, or the proof rule of the certificate.
        by: String,
        /// What makes it checkable without this program, if the checker has a proof rule for it.
        certificate: Option<Box<Certificate>>,
    },
    /// The literature states it, and the rule agrees for heaps `0..=tested_to`.
    Cited {
        /// Where it is stated.
        source: String,
        /// The last heap that was compared.
        tested_to: u64,
    },
    /// It agrees with the rule for heaps `0..=to`.
    Observed {
        /// The last heap that was compared.
        to: u64,
    },
}

impl Standing {
    /// `proved`, `cited` or `observed`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Standing::Proved { .. } => "proved",
            Standing::Cited { .. } => "cited",
            Standing::Observed { .. } => "observed",
        }
    }

    /// Whether the law holds for all heaps.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        matches!(self, Standing::Proved { .. })
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Proved { by, certificate: None } => write!(f, "proved: {by}"),
            Standing::Proved { by, certificate: Some(_) } => write!(f, "proved: {by}, with a certificate"),
            Standing::Cited { source, tested_to } => write!(f, "cited ({source}), tested to {tested_to}"),
            Standing::Observed { to } => write!(f, "observed to {to}"),
        }
    }
}

/// The proof rule of a certificate in words.
fn proof_rule(proof: &Proof) -> &'static str {
    match proof {
        Proof::FiniteSubtraction(_) => "a window of values repeats (R1)",
        Proof::GuySmith(_) => "the theorem of Guy and Smith (R2)",
        Proof::SlidingWindow(_) => "sliding window (R3)",
        Proof::Automatic(_) => "automata (R4)",
    }
}

/// A law with its standing.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The law.
    pub law: Law,
    /// How well it is known.
    pub standing: Standing,
    /// The last heap for which it was compared with a table; `None` if it was not.
    pub checked_to: Option<u64>,
    /// How many values are enough to guess it, where it was guessed.
    pub evidence: Option<u64>,
}

/// What [`find`] is to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// The kind of heap, by name; needed only if the rule has several with one entry.
    pub kind: Option<String>,
    /// Values of the first table, and of the greatest.
    pub first: u64,
    /// See `first`.
    pub most: u64,
    /// Whether a law that was found is to be proved.
    pub prove: bool,
    /// Time, memory, cancellation of the whole.
    pub limits: Limits,
}

impl Request {
    /// 2000 values to begin with, a million at most, and a proof.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let Search { first, most, .. } = Search::new(Limits::default());
        Request { kind: None, first, most, prove: true, limits }
    }
}

/// What [`find`] found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The law, if there is one.
    pub stated: Option<Stated>,
    /// The kinds of law that were tried and dropped.
    pub tried: Vec<Tried>,
    /// How many values were looked at.
    pub values: u64,
    /// The limit that ended the search early.
    pub stopped: Option<String>,
    /// Why there is no proof, if one was looked for.
    pub unproved: Option<String>,
    /// What may break an observed law beyond the table, in words: the next number that may be taken.
    pub untested: Option<String>,
}

/// The law that a lemma gives, for the kind with one entry (of that name, if there are several).
///
/// ```
/// use grundy::{limits::Limits, standing};
/// let (rule, _) = grundy_rule::Rule::parse("n -> n - t where t in 2..5", &[]).unwrap();
/// let stated = standing::lemma(&rule, None, &Limits::default()).unwrap().unwrap();
/// assert_eq!(stated.law.to_string(), "g(n) = n mod 7 // 2");
/// assert!(stated.standing.is_proved());
/// ```
///
/// # Errors
/// `misere`, `kind`, and limits.
pub fn lemma(rule: &Rule, kind: Option<&str>, limits: &Limits) -> Result<Option<Stated>, Error> {
    normal_play(rule)?;
    let kind = table::choose_kind(rule, 1, kind)?;
    let found = values::closed_law(rule, kind, &limits.clock())?;
    Ok(found.map(|(law, name)| by_lemma(law, name)))
}

fn by_lemma(law: Law, name: String) -> Stated {
    let standing = Standing::Proved { by: name, certificate: None };
    Stated { law, standing, checked_to: None, evidence: None }
}

/// The law that the game file states, if it does, as a law about that kind.
///
/// # Errors
/// A law that cannot be read.
pub fn cited(rule: &Rule, file: &ast::File) -> Result<Option<(Law, String)>, Error> {
    if file.law.is_empty() {
        return Ok(None);
    }
    let law = Law::new(law_text::resolve(&file.law, &rule.params)?, &rule.params)?;
    let source = file.law_source().unwrap_or("the game file").to_string();
    Ok(Some((law, source)))
}

/// Looks for the law of a rule. `file` is the game file, if it was read from one; `progress` is told how many values are taken
/// next.
///
/// # Errors
/// `misere`, `kind`; `law-false` for a cited law that the rule contradicts; limits that leave nothing to say.
pub fn find(
    rule: &Rule,
    file: Option<&ast::File>,
    request: &Request,
    progress: &mut dyn FnMut(u64),
) -> Result<Finding, Error> {
    normal_play(rule)?;
    let kind = table::choose_kind(rule, 1, request.kind.as_deref())?;
    let clock = request.limits.clock();
    let left = || {
        let time = request.limits.time.map(|time| time.saturating_sub(clock.elapsed()));
        Limits { time, ..request.limits.clone() }
    };
    let name = rule.kinds.get(usize::from(kind.0)).and_then(|kind| kind.name.clone());
    // Before anything takes long, for a law that is false should be known soon.
    let stated = match file {
        Some(file) if is_about(rule, kind) => cited_and_tested(rule, file, request)?,
        _ => None,
    };
    let mut finding =
        Finding { stated: None, tried: Vec::new(), values: 0, stopped: None, unproved: None, untested: None };
    // A limit here is met again by the search, which says what it has.
    if let Ok(Some((law, lemma))) = values::closed_law(rule, kind, &left().clock()) {
        finding.stated = Some(by_lemma(law, lemma));
        if request.prove {
            prove(rule, kind, &mut finding, &left());
        }
    } else {
        let mut first = request.first;
        loop {
            let table = Options { kind: name.clone(), limits: left(), ..Options::default() };
            let search = Search { table, first, most: request.most };
            let discovery = discover::search(rule, &search, progress)?;
            (finding.values, finding.stopped) = (discovery.values, discovery.stopped);
            finding.untested = discovery.untested;
            finding.tried.extend(discovery.tried);
            finding.stated = discovery.found.map(|found| Stated {
                law: found.law,
                standing: Standing::Observed { to: found.checked_to },
                checked_to: Some(found.checked_to),
                evidence: Some(found.evidence),
            });
            let refuted = if request.prove { prove(rule, kind, &mut finding, &left()) } else { None };
            // A law that fits the table and is false beyond it: the next table shows where.
            let Some(heap) = refuted else { break };
            let further = heap.saturating_add(1).max(first).saturating_mul(2).min(request.most);
            if further <= first || finding.stopped.is_some() {
                break;
            }
            first = further;
        }
    }
    if finding.stated.as_ref().is_none_or(|stated| stated.standing.is_proved()) {
        finding.untested = None;
    }
    // What the table shows is as good as what the literature states, and speaks about every heap.
    if finding.stated.is_none() {
        finding.stated = stated;
    }
    Ok(finding)
}

/// The law of the game file, compared with a first table.
fn cited_and_tested(rule: &Rule, file: &ast::File, request: &Request) -> Result<Option<Stated>, Error> {
    let Some((law, source)) = cited(rule, file)?.filter(|(law, _)| law.arity() == 1) else {
        return Ok(None);
    };
    let options =
        Options { kind: request.kind.clone(), limits: request.limits.clone(), ..Options::default() };
    let agreed = agreement(&law, rule, request.first.max(1) - 1, &options)?;
    if let Some(wrong) = agreed.first {
        let message = format!("the law that is cited ({source}) is false at heap {}", wrong.heap);
        return Err(Error::new("law-false", message).help("mend the law in the game file, or leave it out"));
    }
    let checked_to = Some(agreed.checked_to);
    let standing = Standing::Cited { source, tested_to: agreed.checked_to };
    Ok(Some(Stated { law, standing, checked_to, evidence: None }))
}

/// Laws of game files speak about the first kind with one entry that can move.
fn is_about(rule: &Rule, kind: KindId) -> bool {
    let single = |kind: &KindId| rule.kinds.get(usize::from(kind.0)).is_some_and(|kind| kind.arity == 1);
    rule.lines.iter().map(|line| line.kind).filter(single).min() == Some(kind)
}

/// Compares a law with the rule for heaps `0..=to`.
///
/// # Errors
/// Those of the table and of the law.
pub fn agreement(law: &Law, rule: &Rule, to: u64, options: &Options) -> Result<Comparison, Error> {
    let clock = options.limits.clock();
    let table = table::tabulate(rule, to, options)?;
    comparison::compare(|n| comparison::Claim::of(law, n), &table, &clock)
}

/// Tries to prove the law that was found, and says why it could not. A law that is refuted is taken out again; the heap
/// where it is false is given.
fn prove(rule: &Rule, kind: KindId, finding: &mut Finding, limits: &Limits) -> Option<u64> {
    let text = finding.stated.as_ref().map(|stated| stated.law.text().clone());
    let request = proof::Request { law: text.as_ref(), kind: Some(kind), by: None };
    match proof::prove_request(rule, &request, limits) {
        Ok(Outcome::Proved(proof)) => {
            let certificate = Some(Box::new(proof.certificate.clone()));
            let by = proof_rule(&proof.certificate.proof).to_string();
            match &mut finding.stated {
                // A lemma keeps its name; the certificate says the same to whoever does not believe it.
                Some(Stated { standing: Standing::Proved { certificate: none, .. }, .. }) => {
                    *none = certificate
                }
                Some(stated) => stated.standing = Standing::Proved { by, certificate },
                None => {
                    if let Ok(law) = Law::parse(&proof.certificate.law, &rule.params) {
                        let standing = Standing::Proved { by, certificate };
                        finding.stated = Some(Stated { law, standing, checked_to: None, evidence: None });
                    }
                }
            }
        }
        Ok(Outcome::NoRule(why) | Outcome::Unknown(why)) => finding.unproved = Some(why),
        Ok(Outcome::Refuted { heap, .. }) => {
            let stated = finding.stated.take()?;
            let n = heap.entries.first().copied().unwrap_or(0);
            let why = format!("one that {} values show is refuted by heap {n}", finding.values);
            finding.tried.push(Tried { kind: stated.law.kind(), why });
            return u64::try_from(n).ok();
        }
        Err(error) => finding.unproved = Some(error.message()),
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, first: u64, most: u64, prove: bool) -> Finding {
        let (rule, _) = Rule::parse(text, &[]).unwrap();
        let request = Request { first, most, prove, ..Request::new(Limits::default()) };
        find(&rule, None, &request, &mut |_| {}).unwrap()
    }

    /// Take one; from 2^9 = 512 on everything may be taken as well. Values 0, 1, 0, 1, ... to 511.
    const LATE: &str = "n -> n - 1 where n >= 1\nn -> 0 where log(max(n, 1), 2) >= 9";

    #[test]
    fn a_law_that_is_refuted_beyond_the_table_is_looked_for_again() {
        let short = found(LATE, 100, 100, true);
        assert!(short.stated.is_none(), "{short:?}");
        assert!(short.tried.iter().any(|tried| tried.why.contains("refuted by heap 512")), "{short:?}");
        let longer = found(LATE, 100, 10_000, true);
        let stated = longer.stated.expect("there is a law");
        // 512 -> 511 of value 1 and 0 of value 0; from there 2 and 1 take turns.
        let values: Vec<u128> = [510, 511, 512, 513, 514].map(|n| stated.law.value(n).unwrap()).to_vec();
        assert_eq!(values, [0, 1, 2, 1, 2]);
        // Who asks for no proof is told what the table shows, and how far that is.
        let unproved = found(LATE, 100, 100, false);
        assert!(matches!(unproved.stated.unwrap().standing, Standing::Observed { to: 99 }));
    }

    #[test]
    fn a_cited_law_serves_where_none_is_found_and_must_be_true() {
        let text = |law: &str| format!("n -> n - t where t in squares\nlaw\n{law}");
        let cited = |text: &str| {
            let (rule, _) = Rule::parse(text, &[]).unwrap();
            let (file, _) = grundy_rule::parser::parse_file(text);
            let request = Request { first: 64, most: 64, ..Request::new(Limits::default()) };
            find(&rule, Some(&file), &request, &mut |_| {})
        };
        let finding = cited(&text("g(0..) = 0, 1, 0, 1, 2, 0")).unwrap();
        let standing = finding.stated.expect("the literature has one").standing;
        assert_eq!(standing.word(), "cited");
        assert_eq!(standing.to_string(), "cited (the game file), tested to 63");
        assert_eq!(cited(&text("g(0..) = 0, 1, 1")).unwrap_err().id(), "law-false");
    }

    #[test]
    fn lemmas_keep_their_names_beside_the_certificate() {
        let finding = found("n -> n - t where t in 2..5", 2000, 2000, true);
        let Some(Stated { standing: Standing::Proved { by, certificate: Some(_) }, .. }) = finding.stated
        else {
            panic!("a lemma speaks, and its period has a certificate")
        };
        assert!(by.contains("(lemma)"), "{by}");
    }
}
