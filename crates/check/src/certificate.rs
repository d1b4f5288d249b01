//! The file format of certificates: readable JSON, read strictly.
//!
//! A certificate names a rule, a law about one kind of its heaps, and how the law is proved. It is data that nobody
//! trusts: whatever can be computed from the rule is not in it, and what is in it is checked. Reading is strict,
//! because a field that is ignored is a claim that nobody checked: unknown and repeated fields are refused, the
//! depth of nesting is bounded by the JSON reader (128), and the size by the caller, before anything is read.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The version of the format that this program reads and writes.
pub const FORMAT: &str = "grundy certificate 1";

/// A certificate as it stands in its file.
///
/// ```
/// use grundy_check::certificate::Certificate;
/// let text = r#"{
///   "format": "grundy certificate 1",
///   "rule": "n -> n - t where t in {1, 2}",
///   "law": "g(n) = n % 3",
///   "first": 0,
///   "play": "normal",
///   "proof": {"finite subtraction": {"preperiod": 0, "period": 3}}
/// }"#;
/// let certificate = Certificate::parse(text).unwrap();
/// assert_eq!(Certificate::parse(&certificate.to_string()).unwrap(), certificate);
/// assert!(Certificate::parse(&text.replace("\"play\"", "\"plays\"")).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`FORMAT`].
    pub format: String,
    /// The rule: the text of a game.
    pub rule: String,
    /// The kind of heap that the law is about, by its name; may be left out where a rule has one kind, or for the nameless one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How many entries the heaps have that the law is about; 1 if left out.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub entries: usize,
    /// Values of parameters, as they are typed after `name=`. A parameter without a value is meant for all values that
    /// the header allows.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// The law, in the notation in which laws are read.
    pub law: String,
    /// The first heap that the law is about.
    pub first: u64,
    /// `normal`: the last mover wins. There is no other value.
    pub play: String,
    /// The proof rule with its data.
    pub proof: Proof,
}

/// A proof rule and the data that it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proof {
    /// R1: a finite subtraction set.
    #[serde(rename = "finite subtraction")]
    FiniteSubtraction(Period),
    /// R2: a take-and-break code with finitely many digits.
    #[serde(rename = "guy-smith")]
    GuySmith(Period),
    /// R3: a window whose left end moves by steps of 0 and 1.
    #[serde(rename = "sliding window")]
    SlidingWindow(SlidingWindow),
    /// R4: an automaton for the pairs (n, g(n)).
    #[serde(rename = "automatic")]
    Automatic(Box<Automatic>),
}

/// The claim that g(n + period) = g(n) for all n >= preperiod.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// Heaps before the period begins.
    pub preperiod: u64,
    /// The period, at least 1.
    pub period: u64,
}

/// A sliding window needs no data: its shape and the law say all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlidingWindow {}

/// Data of an automatic proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Automatic {
    /// The base in which numbers are read, least significant digit first.
    pub base: u32,
    /// The automaton of (n, g(n)), or of (entries, value) where heaps have several.
    pub automaton: Automaton,
    /// Whether it is the automaton of (n, 2^g(n)) instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub coded: bool,
    /// The automaton of (n, g(0) xor .. xor g(n-1)), for rules that leave runs of heaps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<Automaton>,
    /// The pool of witnesses; without one all states are allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<Pool>,
    /// The same for each other kind of heap in the rule, whose values those of this kind depend on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Other>,
}

/// What an automatic proof says about a kind that its law is not about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Other {
    /// The name of the kind, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How many entries its heaps have; 1 if left out.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub entries: usize,
    /// As [`Automatic::automaton`].
    pub automaton: Automaton,
    /// As [`Automatic::prefix`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<Automaton>,
    /// As [`Automatic::pool`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<Pool>,
}

fn one() -> usize {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
fn is_one(entries: &usize) -> bool {
    *entries == 1
}

/// A deterministic automaton over (entries, value) in the base of the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Automaton {
    /// For each state a row: the state after each letter, where a letter is digit of n + base * digit of the value (for
    /// two entries a + base * b + base^2 * value, and so on); -1 where nothing is accepted any more. State 0 begins.
    pub next: Vec<Vec<i64>>,
    /// The states in which a word is accepted.
    pub accepting: Vec<u64>,
}

/// Which states of the options may stand beside which state of the heap, see the checker of automatic proofs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// States of the options: the number of the choice, then the states of its automata.
    pub states: Vec<Vec<u32>>,
    /// For each state of the heap its number, followed by the numbers of the states allowed beside it.
    pub allowed: Vec<Vec<u32>>,
}

impl Certificate {
    /// Reads a certificate.
    ///
    /// # Errors
    /// What is wrong with the text, in words; nothing that it claims has been checked.
    pub fn parse(text: &str) -> Result<Certificate, String> {
        let certificate: Certificate =
            serde_json::from_str(text).map_err(|error| format!("not a certificate: {error}"))?;
        if certificate.format != FORMAT {
            return Err(format!("the format is {:?}; this program reads {FORMAT:?}", certificate.format));
        }
        Ok(certificate)
    }
}

impl fmt::Display for Certificate {
    /// One field a line; rows of numbers are not broken.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Vec::new();
        let mut writer = serde_json::Serializer::with_formatter(&mut out, Rows::default());
        self.serialize(&mut writer).map_err(|_| fmt::Error)?;
        f.write_str(&String::from_utf8(out).map_err(|_| fmt::Error)?)?;
        f.write_str("\n")
    }
}

/// Objects are indented; arrays of arrays have a row on each line, other arrays stand on one.
#[derive(Default)]
struct Rows {
    objects: usize,
    arrays: usize,
}

impl Rows {
    fn line<W: ?Sized + std::io::Write>(&self, out: &mut W) -> std::io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.objects + self.arrays).try_for_each(|_| out.write_all(b"  "))
    }
}

impl serde_json::ser::Formatter for Rows {
    fn begin_object<W: ?Sized + std::io::Write>(&mut self, out: &mut W) -> std::io::Result<()> {
        self.objects += 1;
        out.write_all(b"{")
    }

    fn end_object<W: ?Sized + std::io::Write>(&mut self, out: &mut W) -> std::io::Result<()> {
        self.objects -= 1;
        self.line(out)?;
        out.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        self.line(out)
    }

    fn begin_object_value<W: ?Sized + std::io::Write>(&mut self, out: &mut W) -> std::io::Result<()> {
        out.write_all(b": ")
    }

    fn begin_array<W: ?Sized + std::io::Write>(&mut self, out: &mut W) -> std::io::Result<()> {
        if self.arrays > 0 {
            self.line(out)?;
        }
        self.arrays += 1;
        out.write_all(b"[")
    }

    fn end_array<W: ?Sized + std::io::Write>(&mut self, out: &mut W) -> std::io::Result<()> {
        self.arrays -= 1;
        out.write_all(b"]")
    }

    fn begin_array_value<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        out.write_all(if first { b"" } else { b"," })
    }
}
