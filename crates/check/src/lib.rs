//! Is this certificate true? A checker that trusts nothing but the rule crate.
//!
//! A certificate ([`certificate::Certificate`]) holds the text of a rule, a law, and how it is proved. [`check`] reads the rule
//! anew, derives from it every obligation of the proof, and settles each by itself.
//!
//! **What an accepted certificate claims.** Under normal play, for every heap `n >= first` of the kind named (of the
//! rule's only kind, if none is), and for every value that the header allows to parameters without a value: play from
//! `n` ends; some clause of the law speaks about `n`; and what the law says there - the first clause that speaks about
//! `n` decides - is the Grundy value of `n`.
//!
//! **What it does not claim.** Nothing about heaps below `first`, misere play, the names or sources in a rule's text,
//! or who found the law. That evaluating the law is quick.
//!
//! **What is trusted.** The rule crate: reading rules and laws, [`grundy_rule::ends`] (play ends),
//! [`grundy_rule::shape`] and [`grundy_rule::formula`] (which options a rule has), [`grundy_rule::polynomial`] (which
//! inequalities follow). This crate. The JSON reader, the compiler and the machine. The proof rules themselves are proved in `docs/certificates.md` and at the head of each module.

mod agreement;
pub mod automatic;
pub mod budget;
pub mod certificate;
pub mod dfa;
pub mod joint;
mod law;
mod periodic;
pub mod product;
mod sliding;

use std::fmt;

use grundy_rule::argument::Argument;
use grundy_rule::ends::{self, Ends};
use grundy_rule::heap::KindId;
use grundy_rule::law_text::{self, LawText, Subject};
use grundy_rule::shape::{self, Shape};
use grundy_rule::{Diagnostic, Rule};

use budget::Budget;
pub use budget::Limits;
use certificate::{Certificate, Proof};

/// Why a certificate was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is no certificate: not JSON, not this format, a rule or law that cannot be read.
    Unreadable(String),
    /// The obligation named does not hold, or is not shown to.
    Refused(String, String),
    /// The limits were reached before the end; nothing is known.
    Limit(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unreadable(why) => write!(f, "unreadable: {why}"),
            Fault::Refused(obligation, why) => write!(f, "refused: {obligation}: {why}"),
            Fault::Limit(why) => write!(f, "limit: {why}"),
        }
    }
}

impl std::error::Error for Fault {}

/// Refuses, naming the obligation.
fn refuse<T>(obligation: &str, why: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Refused(obligation.to_string(), why.into()))
}

/// Something that had to be shown, and was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// A short name: `ends`, `period`, `law`, `O2`, ...
    pub name: &'static str,
    /// What it says.
    pub says: String,
    /// How large it was: values compared, states met.
    pub size: u64,
}

impl Obligation {
    fn new(name: &'static str, says: impl Into<String>, size: u64) -> Obligation {
        Obligation { name, says: says.into(), size }
    }
}

/// A certificate that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// What is proved, in words.
    pub claim: String,
    /// The obligations, in the order in which they were settled.
    pub obligations: Vec<Obligation>,
}

/// What is to be shown: the certificate with its texts read.
pub(crate) struct Claim {
    rule: Rule,
    kind: KindId,
    law: LawText,
    first: u64,
}

impl Claim {
    fn read(certificate: &Certificate) -> Result<Claim, Fault> {
        let said = |what: &str, all: &[Diagnostic]| {
            let words: Vec<String> = all.iter().map(|d| d.message.clone()).collect();
            Fault::Unreadable(format!("the {what}: {}", words.join("; ")))
        };
        let mut arguments = Vec::new();
        for (name, value) in &certificate.parameters {
            let value = Argument::parse(value).map_err(|error| said("parameters", &[error]))?;
            arguments.push((name.clone(), value));
        }
        let (rule, _) = Rule::parse(&certificate.rule, &arguments).map_err(|all| said("rule", &all))?;
        let kind = match (&certificate.kind, rule.kinds.as_slice()) {
            (None, [only]) if only.arity == certificate.entries => Some(KindId(0)),
            (name, _) => rule.kind(name.as_deref(), certificate.entries),
        };
        let Some(kind) = kind else {
            return Err(Fault::Unreadable("the rule has no such kind of heap".to_string()));
        };
        let law = law_text::parse(&certificate.law, &rule.params).map_err(|all| said("law", &all))?;
        if law.subject != Subject::Nimbers {
            let why = "a law about zeros tells who wins, and a certificate claims nimbers";
            return Err(Fault::Refused("law".to_string(), why.to_string()));
        }
        Ok(Claim { rule, kind, law, first: certificate.first })
    }

    /// How many entries the heaps have that the law is about.
    fn arity(&self) -> usize {
        self.rule.kinds[usize::from(self.kind.0)].arity
    }

    /// What is proved, in words.
    fn words(&self, by: &str) -> String {
        let free: Vec<&str> =
            self.rule.params.iter().filter(|p| p.value.is_none()).map(|p| p.name.as_str()).collect();
        let every =
            if free.is_empty() { String::new() } else { format!("for every {}, ", free.join(" and ")) };
        let name = self.rule.kinds[usize::from(self.kind.0)].name.as_deref();
        let heap = match (name, self.arity()) {
            (None, 1) => format!("n >= {}", self.first),
            (Some(name), 1) if self.rule.kinds.len() > 1 => format!("{name}(n) with n >= {}", self.first),
            (Some(_), 1) => format!("n >= {}", self.first),
            (name, arity) => {
                let entries: Vec<String> = ('a'..='z').take(arity).map(String::from).collect();
                format!("{}({})", name.unwrap_or(""), entries.join(", "))
            }
        };
        format!("{every}for every heap {heap}, the law gives the Grundy value ({by})")
    }

    fn shapes(&self) -> Vec<Shape> {
        shape::shapes_of(&self.rule, self.kind)
    }
}

/// Checks a certificate, given as the text of its file.
///
/// # Errors
/// Why it is not accepted.
///
/// ```
/// use grundy_check::{Fault, Limits, check};
/// let text = r#"{
///   "format": "grundy certificate 1",
///   "rule": "n -> n - t where t in {1, 2}",
///   "law": "g(n) = n % 3",
///   "first": 0,
///   "play": "normal",
///   "proof": {"finite subtraction": {"preperiod": 0, "period": 3}}
/// }"#;
/// assert!(check(text, Limits::default()).is_ok());
/// let false_law = text.replace("n % 3", "n % 4");
/// assert!(matches!(check(&false_law, Limits::default()), Err(Fault::Refused(..))));
/// assert!(matches!(check(&text[1..], Limits::default()), Err(Fault::Unreadable(_))));
/// ```
pub fn check(text: &str, limits: Limits) -> Result<Accepted, Fault> {
    if text.len() as u64 > limits.file() {
        return Err(Fault::Limit(format!("{} bytes are more than a 64th of --limit", text.len())));
    }
    check_certificate(&Certificate::parse(text).map_err(Fault::Unreadable)?, limits)
}

/// Checks a certificate that was read already.
///
/// # Errors
/// Why it is not accepted.
pub fn check_certificate(certificate: &Certificate, limits: Limits) -> Result<Accepted, Fault> {
    let claim = Claim::read(certificate)?;
    let mut budget = Budget::new(limits);
    if certificate.play != "normal" || !claim.rule.has_nimbers() {
        return refuse("play", "nimbers are proved for normal play only");
    }
    let Ends::Proved(measures) = ends::ends(&claim.rule) else {
        return refuse("ends", "play is not proved to end");
    };
    let falls: Vec<String> = measures.iter().map(ToString::to_string).collect();
    let says =
        if falls.is_empty() { "no heap leaves its own kind".to_string() } else { falls.join(", then ") };
    let mut obligations = vec![Obligation::new("ends", says, falls.len() as u64)];
    if let (Some(param), false) = (
        claim.rule.params.iter().find(|param| param.value.is_none()),
        matches!(certificate.proof, Proof::SlidingWindow(_)),
    ) {
        return refuse("parameters", format!("`{}` has no value, and this proof rule needs one", param.name));
    }
    if claim.arity() != 1 && !matches!(certificate.proof, Proof::Automatic(_)) {
        return refuse("kind", "this proof rule speaks about heaps with one entry");
    }
    let (by, more) = match &certificate.proof {
        Proof::FiniteSubtraction(data) => {
            ("finite subtraction", periodic::finite_subtraction(&claim, data, &mut budget)?)
        }
        Proof::GuySmith(data) => ("Guy-Smith", periodic::guy_smith(&claim, data, &mut budget)?),
        Proof::SlidingWindow(_) => ("sliding window", sliding::sliding_window(&claim)?),
        Proof::Automatic(data) => {
            let (values, mut shown) = automatic::automatic(&claim, data, &mut budget)?;
            shown.extend(agreement::agreement(&claim, &values, &mut budget)?);
            ("automatic", shown)
        }
    };
    obligations.extend(more);
    Ok(Accepted { claim: claim.words(by), obligations })
}
