//! A law that the game file cites: tested against the rule before it is believed, and only so far as it must be.

use grundy_rule::heap::KindId;
use grundy_rule::{Rule, ast};

use crate::error::Error;
use crate::nimber::Nimber;
use crate::table::reference::Reference;

/// A cited law.
#[derive(Debug)]
pub(super) struct Cited {
    source: String,
    tested: Option<u64>,
}

impl Cited {
    /// The law of a game file, if it has one.
    pub(super) fn of(_rule: &Rule, _file: &ast::File) -> Result<Option<Self>, Error> {
        Ok(None)
    }

    pub(super) fn source(&self) -> &str {
        &self.source
    }

    pub(super) fn tested_to(&self) -> u64 {
        self.tested.unwrap_or(0)
    }

    /// Whether a heap is so large that the law is asked.
    pub(super) fn speaks_beyond(&self, _n: u128) -> bool {
        false
    }

    /// Compares the law with the rule, once.
    pub(super) fn test(&mut self, _reference: &mut Reference, _kind: KindId) -> Result<(), Error> {
        Ok(())
    }

    /// The value of a heap; `None` if the law says nothing about it.
    pub(super) fn value(&self, _n: u128) -> Result<Option<Nimber>, Error> {
        Ok(None)
    }

    /// The least heap in `from..=to` with that value.
    pub(super) fn next_with(&self, _value: Nimber, _from: u128, _to: u128) -> Result<Option<u128>, Error> {
        Ok(None)
    }
}
