//! The nimber of a heap of any size, and where it comes from.

use std::fmt;
use std::ops::ControlFlow;

use grundy_rule::{Heap, Rule, Sum, ast};

use crate::error::Error;
use crate::limits::Limits;
use crate::nimber::Nimber;

pub mod deleted;
pub mod periodic;
pub mod sliding;

/// What a nimber rests upon. Printed beside every answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Source {
    /// The heaps that play can reach were searched by the rule alone.
    Reached {
        /// How many heaps.
        heaps: usize,
    },
    /// A table of heaps `0..=n`, filled by an engine.
    Table {
        /// The greatest heap.
        n: u64,
    },
    /// A lemma about the shape of the rule, true for all heaps.
    Lemma {
        /// Which, in words: `sliding window ceil(n/3)..n-1 (rule R3)`.
        name: String,
    },
    /// A law that the literature states and nobody here has proved.
    Cited {
        /// Where it is stated.
        source: String,
        /// It agrees with the table of heaps `0..=tested_to`.
        tested_to: u64,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Reached { heaps: 1 } => write!(f, "the one heap that can be reached"),
            Source::Reached { heaps } => write!(f, "the {heaps} heaps that can be reached"),
            Source::Table { n } => write!(f, "table to {n}"),
            Source::Lemma { name } => write!(f, "{name}"),
            Source::Cited { source, tested_to } => write!(f, "cited ({source}), tested to {tested_to}"),
        }
    }
}

/// The nimbers of a rule's heaps, found in the best way that the rule allows.
#[derive(Debug)]
pub struct Values {
    _limits: Limits,
}

impl Values {
    /// Prepares for questions about a rule. `file` is the game file it was read from, if it states a law.
    ///
    /// # Errors
    /// A parameter without a value, a cited law that cannot be read.
    pub fn new(_rule: &Rule, _file: Option<&ast::File>, limits: Limits) -> Result<Self, Error> {
        Ok(Values { _limits: limits })
    }

    /// The nimber of a heap.
    ///
    /// # Errors
    /// `misere` for a misere rule; a limit, naming the size that can be reached; `loop`; a cited law that the
    /// table contradicts; whatever the rule's own expressions give.
    pub fn nimber(&mut self, _heap: &Heap) -> Result<Nimber, Error> {
        Err(Error::new("values", "not there yet"))
    }

    /// What the answers so far rest upon, each once.
    #[must_use]
    pub fn sources(&self) -> Vec<Source> {
        Vec::new()
    }

    /// The distinct options of `heap` whose nimber (the nim-sum of their heaps) is `value`, in rule order, until
    /// `found` breaks.
    ///
    /// # Errors
    /// As [`Values::nimber`].
    pub fn options_with(
        &mut self,
        _heap: &Heap,
        _value: Nimber,
        _found: &mut dyn FnMut(&Sum) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        Err(Error::new("values", "not there yet"))
    }
}
