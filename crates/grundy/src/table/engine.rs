//! The engines by name, and the choice among them.

use std::fmt;
use std::str::FromStr;

use grundy_rule::Rule;
use grundy_rule::heap::KindId;

use super::{Options, SoFar, reference};
use crate::error::Error;

/// One way to fill a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineName {
    /// Reads the rule alone and serves every rule.
    Reference,
}

impl EngineName {
    /// All of them, the most general last.
    pub const ALL: [EngineName; 1] = [EngineName::Reference];

    /// The name, as `--engine` takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Reference => "reference",
        }
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EngineName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        EngineName::ALL.into_iter().find(|engine| engine.name() == text).ok_or_else(|| {
            let names: Vec<&str> = EngineName::ALL.iter().map(|engine| engine.name()).collect();
            Error::new("engine", format!("there is no engine `{text}`; there are {}", names.join(", ")))
        })
    }
}

/// The error for an engine that was asked for by name and does not serve the rule.
pub(crate) fn does_not_fit(name: EngineName, why: &str) -> Error {
    Error::new("engine", format!("the engine `{name}` does not fit this rule: {why}"))
        .help("leave --engine out, or take --engine reference, which serves every rule")
}

/// Fills heaps `0..=n` of a kind with the engine asked for, or the best that fits.
pub(super) fn run(rule: &Rule, kind: KindId, n: u64, options: &Options) -> Result<SoFar, Error> {
    match options.engine {
        None | Some(EngineName::Reference) => reference::tabulate(rule, kind, n, &options.limits),
    }
}
