//! Why a heap has its nimber and not the one that a law says: the options that decide it.
//!
//! A nimber is the least value that no option has. So a law that says too much is refuted by a value that no option
//! has, and a law that says too little by one option that has the value which the law says.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use grundy_rule::heap::KindId;
use grundy_rule::moves::{Scratch, Sink};
use grundy_rule::{Heap, Int, Rule, Sum};

use super::Said;
use crate::error::Error;
use crate::limits::{Clock, Limits};
use crate::nimber::Nimber;
use crate::table::Table;
use crate::values::Values;

/// The options that decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This option has the value that the law says: the nimber is another.
    Has {
        /// What the move leaves.
        option: Sum,
        /// Its nim-sum, the value that the law says.
        value: Nimber,
    },
    /// No option has this value, which is less than the law says (or what the law says is no nimber): the nimber is no
    /// greater.
    Lacks {
        /// The value.
        value: Nimber,
        /// The least values that options have, in ascending order, each with the first option that has it; among them all
        /// that are below `value`, if they are no more than [`SHOWN`].
        options: Vec<(Sum, Nimber)>,
        /// Whether no option has any other value.
        complete: bool,
        /// How many moves the heap has, all of them looked at.
        moves: u64,
    },
}

/// More options than these are not remembered.
pub const SHOWN: usize = 64;

/// Looks for the options of a heap of that kind that decide between what the law says and `nimber`. The heap is named by its
/// place in `table`, which holds the values of smaller heaps of the kind.
///
/// # Errors
/// Those of the rule's expressions, and limits.
pub fn decide(
    rule: &Rule,
    kind: KindId,
    (heap, said, nimber): (u64, &Said, Nimber),
    table: &Table,
    limits: &Limits,
) -> Result<Decision, Error> {
    let wanted = match said {
        Said::Value(value) if *value < nimber => Some(*value),
        Said::Value(_) | Said::Won | Said::NoNimber(_) => None,
    };
    let mut values = Values::new(rule, None, limits.clone())?;
    let moves = values.moves().clone();
    let mut looking = Looking {
        kind,
        coins: rule.coins,
        table,
        values: &mut values,
        clock: limits.clock(),
        wanted,
        left: Vec::new(),
        value: 0,
        moves: 0,
        options: BTreeMap::new(),
        complete: true,
        found: None,
        failed: None,
    };
    let entries: Vec<Int> = match table.dims() {
        [_] => vec![Int::from(heap)],
        _ => {
            let place = usize::try_from(heap).unwrap_or(usize::MAX);
            table.entries(place).into_iter().map(|entry| Int::try_from(entry).unwrap_or(Int::MAX)).collect()
        }
    };
    let visited = moves.visit(&mut Scratch::default(), kind, &entries, &mut looking);
    let Looking { options, complete, moves, found, failed, .. } = looking;
    if let Some(error) = failed {
        return Err(error);
    }
    visited.map_err(|error| Error::from(error.to_diagnostic()))?;
    if let (Some(value), Some(option)) = (wanted, found) {
        return Ok(Decision::Has { option, value });
    }
    let options = options.into_iter().map(|(value, sum)| (sum, value)).collect();
    Ok(Decision::Lacks { value: nimber, options, complete, moves })
}

/// Looks at the moves of the heap.
struct Looking<'a> {
    kind: KindId,
    coins: bool,
    table: &'a Table,
    values: &'a mut Values,
    clock: Clock,
    wanted: Option<Nimber>,
    /// What the move at hand leaves, and its nim-sum.
    left: Vec<(Heap, u128)>,
    value: Nimber,
    moves: u64,
    options: BTreeMap<Nimber, Sum>,
    complete: bool,
    found: Option<Sum>,
    failed: Option<Error>,
}

impl Looking<'_> {
    fn nimber(&mut self, kind: KindId, entries: &[Int]) -> Result<Nimber, Error> {
        if kind == self.kind
            && let Some(place) = self.table.place(entries)
        {
            return Ok(Nimber::from(self.table.get(place)));
        }
        self.values.nimber(&Heap::new(kind, entries))
    }

    /// Keeps the first option of each value, of the least values only.
    fn remember(&mut self) {
        let full = self.options.len() >= SHOWN;
        let greatest = self.options.last_key_value().map_or(0, |(value, _)| *value);
        if self.options.contains_key(&self.value) {
            return;
        }
        if full && self.value > greatest {
            self.complete = false;
            return;
        }
        let Some(sum) = self.sum() else { return };
        self.options.insert(self.value, sum);
        if full {
            self.options.pop_last();
            self.complete = false;
        }
    }

    /// What the move leaves; `None` for so many equal heaps that they cannot be counted.
    fn sum(&self) -> Option<Sum> {
        let sum = Sum::new(self.left.clone())?;
        Some(if self.coins { sum.odd() } else { sum })
    }
}

impl Sink for Looking<'_> {
    fn start(&mut self, _line: usize, _alternative: usize, _assignment: &[Int]) {
        self.left.clear();
        self.value = 0;
        self.moves += 1;
    }

    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128) {
        self.left.push((Heap::new(kind, entries), count));
        if count % 2 == 1 && self.failed.is_none() {
            match self.nimber(kind, entries) {
                Ok(value) => self.value ^= value,
                Err(error) => self.failed = Some(error),
            }
        }
    }

    fn finish(&mut self) -> ControlFlow<()> {
        if self.failed.is_some() {
            return ControlFlow::Break(());
        }
        if self.wanted == Some(self.value) {
            self.found = self.sum();
            return ControlFlow::Break(());
        }
        self.remember();
        if self.moves.is_multiple_of(1024) { self.tick() } else { ControlFlow::Continue(()) }
    }

    fn tick(&mut self) -> ControlFlow<()> {
        match self.clock.check() {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}
