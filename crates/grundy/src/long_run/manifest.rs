//! What is known about the data file of a long run: `FILE.npy.json`.
//!
//! A person can read it, and so can any program that reads JSON. Each block has a line of its own, so that a day's
//! work is still easy to look through.

use std::collections::BTreeMap;

use grundy_rule::Rule;
use grundy_rule::heap::KindId;
use grundy_rule::rule::Value;
use serde::{Deserialize, Serialize};

use super::crc64::{self, Crc64};
use crate::error::Error;
use crate::table::Width;

/// The format that this program writes, and the newest it reads.
const FORMAT: u32 = 1;

/// What the values are values of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Subject {
    /// The lines of the rule, blanks evened out.
    pub(super) rule: Vec<String>,
    /// Whether its positions are sets of coins.
    pub(super) coins: bool,
    /// The kind of heap, if it has a name.
    pub(super) kind: Option<String>,
    /// The parameters, as they are typed; long ones by their length and checksum.
    pub(super) parameters: BTreeMap<String, String>,
}

/// A value of a parameter that is longer is told by its checksum.
const LONGEST: usize = 1000;

impl Subject {
    /// The heaps of that kind.
    pub(super) fn of(rule: &Rule, kind: KindId) -> Self {
        let even = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = |line: &grundy_rule::rule::Line| rule.source.get(line.span.start..line.span.end).map(even);
        let parameters = rule.params.iter().filter_map(|param| {
            let text = show(param.value.as_ref()?);
            let text = if text.len() <= LONGEST {
                text
            } else {
                let mut crc = Crc64::new();
                crc.update(text.as_bytes());
                format!("{} bytes with {} {:016x}", text.len(), crc64::NAME, crc.value())
            };
            Some((param.name.clone(), text))
        });
        Subject {
            rule: rule.lines.iter().filter_map(line).collect(),
            coins: rule.coins,
            kind: rule.kinds.get(usize::from(kind.0)).and_then(|kind| kind.name.clone()),
            parameters: parameters.collect(),
        }
    }

    /// Where another one differs, in words; `None` if it does not.
    pub(super) fn difference(&self, other: &Subject) -> Option<String> {
        if self.rule != other.rule {
            return Some(format!("it is about the rule `{}`", self.rule.join("; ")));
        }
        if self.coins != other.coins {
            let without = if self.coins { "" } else { "out" };
            return Some(format!("it is about the rule with{without} `coins`"));
        }
        if self.kind != other.kind {
            let kind = self.kind.as_deref().unwrap_or("without a name");
            return Some(format!("it is about the heaps {kind}"));
        }
        let names = self.parameters.keys().chain(other.parameters.keys());
        names.into_iter().find(|name| self.parameters.get(*name) != other.parameters.get(*name)).map(|name| {
            match self.parameters.get(name) {
                Some(value) => format!("it has the parameter {name}={value}"),
                None => format!("it has no parameter {name}"),
            }
        })
    }
}

fn show(value: &Value) -> String {
    let join = |items: Vec<String>| items.join(",");
    match value {
        Value::Number(number) => number.to_string(),
        Value::Set(set) => format!("{{{}}}", join(set.iter().map(ToString::to_string).collect())),
        Value::List(list) => format!("[{}]", join(list.iter().map(ToString::to_string).collect())),
        Value::Pairs(pairs) => join(pairs.iter().map(|(a, b)| format!("({a},{b})")).collect()),
    }
}

/// A block that is safe on disk: how many heaps, and the checksum of their bytes in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Block(pub(super) u64, pub(super) String);

/// The manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The version of this format.
    format: u32,
    /// Who wrote it.
    program: String,
    /// What the values are values of.
    #[serde(flatten)]
    pub(super) subject: Subject,
    /// The last heap that is wanted.
    pub(super) n: u64,
    /// How values lie in the file: `u1`, `u2`, `u4`, little endian.
    width: String,
    /// Bytes before the first value.
    header: u64,
    /// Heaps in a block, unless time or a wider value ended it earlier.
    pub(super) block: u64,
    /// The name of the checksum of the blocks.
    checksum: String,
    /// How many heaps are safe: the sum of the blocks.
    pub(super) done: u64,
    /// Whether some values were left unchecked, because [`crate::table::Options::candidates`] allowed it.
    pub(super) observed: bool,
    /// Of the values of these heaps, the line that the format `digest` gives.
    pub(super) digest: String,
    /// Last, for the sake of the eye.
    pub(super) blocks: Vec<Block>,
}

impl Manifest {
    /// For a run that begins.
    pub(super) fn new(subject: Subject, n: u64, block: u64, header: u64, digest: String) -> Self {
        Manifest {
            format: FORMAT,
            program: program(),
            subject,
            n,
            width: name(Width::U8).into(),
            header,
            block,
            checksum: crc64::NAME.into(),
            done: 0,
            observed: false,
            digest,
            blocks: Vec::new(),
        }
    }

    /// The width of the values on disk.
    pub(super) fn width(&self) -> Width {
        WIDTHS.into_iter().find(|width| name(*width) == self.width).unwrap_or(Width::U32)
    }

    /// Sets it.
    pub(super) fn set_width(&mut self, width: Width) {
        self.width = name(width).into();
    }

    /// Adds a block.
    pub(super) fn push(&mut self, heaps: u64, crc: Crc64, digest: String) {
        self.program = program();
        self.blocks.push(Block(heaps, format!("{:016x}", crc.value())));
        self.done += heaps;
        self.digest = digest;
    }

    /// As it stands in the file.
    pub(super) fn to_text(&self) -> String {
        const NONE: &str = "\"blocks\": []\n}";
        let bare = Manifest { blocks: Vec::new(), ..self.clone() };
        let head = serde_json::to_string_pretty(&bare).expect("strings and integers are always JSON");
        let mut text = head.strip_suffix(NONE).expect("the blocks come last").to_string();
        text += "\"blocks\": [";
        for (i, Block(heaps, crc)) in self.blocks.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            text += &format!("{comma}\n    [{heaps}, \"{crc}\"]");
        }
        text += if self.blocks.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" };
        text
    }

    /// Reads it again.
    ///
    /// # Errors
    /// `manifest`, in words that go on after the name of the file.
    pub(super) fn parse(text: &str, header: u64) -> Result<Self, Error> {
        let bad = |what: String| Error::new("manifest", what);
        let manifest: Manifest =
            serde_json::from_str(text).map_err(|error| bad(format!("cannot be read: {error}")))?;
        if manifest.format > FORMAT {
            return Err(bad(format!("was written by {}, which is newer", manifest.program))
                .help("go on with that version of the program"));
        }
        if manifest.checksum != crc64::NAME || manifest.header != header {
            return Err(bad("has another layout than this program writes".into()));
        }
        if !WIDTHS.into_iter().any(|width| name(width) == manifest.width) {
            return Err(bad(format!("names the width `{}`; there are u1, u2 and u4", manifest.width)));
        }
        let sum = manifest.blocks.iter().try_fold(0_u64, |sum, Block(heaps, _)| sum.checked_add(*heaps));
        if sum != Some(manifest.done) || manifest.done > manifest.n.saturating_add(1) {
            return Err(bad(format!("does not add up: its blocks are not the {} heaps done", manifest.done)));
        }
        Ok(manifest)
    }
}

const WIDTHS: [Width; 3] = [Width::U8, Width::U16, Width::U32];

/// `u1`, `u2`, `u4`: as numpy has it.
pub(super) fn name(width: Width) -> &'static str {
    match width {
        Width::U8 => "u1",
        Width::U16 => "u2",
        Width::U32 => "u4",
    }
}

fn program() -> String {
    format!("grundy {}", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(text: &str, arguments: &str) -> Manifest {
        let arguments: Vec<_> = arguments
            .split_whitespace()
            .map(|word| word.split_once('=').unwrap())
            .map(|(name, value)| (name.to_string(), grundy_rule::argument::Argument::parse(value).unwrap()))
            .collect();
        let (rule, _) = Rule::parse(text, &arguments).unwrap();
        Manifest::new(Subject::of(&rule, KindId(0)), 1000, 64, 128, "N=-1 hash=0 last=0".into())
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut all = manifest("n -> n - t where t in S", "S=1,2");
        assert_eq!(Manifest::parse(&all.to_text(), 128).unwrap(), all);
        for heaps in [64, 64, 3] {
            all.push(heaps, Crc64::new(), format!("N={heaps}"));
        }
        all.set_width(Width::U16);
        let text = all.to_text();
        assert_eq!(Manifest::parse(&text, 128).unwrap(), all);
        assert!(text.contains("\n    [64, \"0000000000000000\"],\n"), "{text}");
        assert!(text.contains("\"S\": \"{1,2}\""), "{text}");
    }

    #[test]
    fn what_does_not_add_up_is_refused() {
        let mut all = manifest("n -> n - 1", "");
        all.push(64, Crc64::new(), String::new());
        let text = all.to_text();
        for (from, to, word) in [
            ("\"done\": 64", "\"done\": 65", "does not add up"),
            ("\"n\": 1000", "\"n\": 10", "does not add up"),
            ("\"format\": 1", "\"format\": 2", "newer"),
            ("\"u1\"", "\"u3\"", "u3"),
            ("CRC-64/XZ", "MD5", "layout"),
            ("[64,", "[64", "cannot be read"),
        ] {
            assert!(text.contains(from), "{text}");
            let error = Manifest::parse(&text.replace(from, to), 128).unwrap_err();
            assert!(error.message().contains(word), "{error}");
        }
    }

    #[test]
    fn subjects_differ_by_what_matters() {
        let plain = manifest("n -> n - t where t in S", "S=1,2").subject;
        let spaced = manifest("# a comment\ngame x(S)\n  n  ->  n - t   where t in S", "S={2,1}").subject;
        assert_eq!(plain.difference(&spaced), None);
        let difference =
            |text: &str, arguments: &str| manifest(text, arguments).subject.difference(&plain).unwrap();
        assert!(difference("n -> n - t where t in S", "S=1,3").contains("S={1,3}"));
        assert!(difference("n -> n - t where t in {1,2}", "").contains("{1,2}"));
        // A long value is told by its checksum.
        let long = |last: u32| {
            let numbers: Vec<String> = (1..999).chain([last]).map(|n: u32| n.to_string()).collect();
            manifest("n -> n - t where t in S", &format!("S={}", numbers.join(","))).subject
        };
        assert!(long(5000).to_owned().parameters["S"].contains("CRC-64/XZ"));
        assert!(long(5000).difference(&long(5001)).is_some());
    }
}
