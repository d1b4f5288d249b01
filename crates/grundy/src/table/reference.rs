//! The reference engine: reads the rule alone.

use grundy_rule::Rule;
use grundy_rule::heap::KindId;

use super::Table;
use crate::error::Error;
use crate::limits::Limits;

fn absent() -> Error {
    Error::new("engine", "the reference engine is not there yet")
}

pub(super) fn tabulate(_rule: &Rule, _kind: KindId, _n: u64, _limits: &Limits) -> Result<Table, Error> {
    Err(absent())
}

pub(super) fn grid(_rule: &Rule, _kind: KindId, _ends: &[u64], _limits: &Limits) -> Result<Table, Error> {
    Err(absent())
}
