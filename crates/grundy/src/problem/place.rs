//! A case as a position: which heaps, how many of each, and what index each has.
//!
//! The heaps are visited, not stored: a list of 10^5 numbers is 10^5 heaps without an object for each. The index of
//! a heap is that of its list (`a[1..n]` counts from 1) or the `for` name's value; heaps written one by one and
//! those of adaptors count from 1.

use std::ops::ControlFlow;

use grundy_rule::expr::{EvalError, Expr, Int, ParamId, Set, Slot};
use grundy_rule::heap::KindId;
use grundy_rule::rule::{Param, Value};

use super::Case;
use super::narrow::Narrow;
use crate::error::Error;

/// A part of the position.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// `m x row(n)`: one entry, `m` heaps.
    Heap {
        /// How many; one if not said.
        count: Option<Expr>,
        kind: KindId,
        entries: Vec<Expr>,
    },
    /// One heap for each number.
    Numbers { kind: KindId, numbers: Numbers },
    /// One heap `(x, y)` for each row.
    Rows { kind: KindId, columns: [ParamId; 2], first: Expr },
    /// `[place for i in set]`
    For { place: Box<Place>, slot: Slot, set: Set },
    /// A string, for games that read their own positions.
    Text(usize),
}

/// Numbers one by one.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    /// A list with the expression of its first index.
    List(ParamId, Expr),
    /// The lengths of the maximal runs of a character in a string.
    Runs(usize, u8),
    Sorted(Box<Numbers>),
    /// Each number once, at its first place.
    Unique(Box<Numbers>),
    /// The second less the first, the third less the second, ...
    Differences(Box<Numbers>),
}

/// One entry of the position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<'a> {
    pub(super) index: Int,
    pub(super) kind: KindId,
    pub(super) entries: &'a [Int],
    pub(super) count: u128,
}

type Flow = Result<ControlFlow<()>, Error>;

/// Visits the entries of the position in order, until told to stop. `frame` is a copy of the case's, for `for`
/// names.
pub(super) fn visit<F: FnMut(Spot<'_>) -> Flow>(
    places: &[Place],
    case: &Case,
    input: &[u8],
    frame: &mut Vec<Int>,
    visit: &mut F,
) -> Result<(), Error> {
    frame.clear();
    frame.extend_from_slice(&case.frame);
    for (index, place) in (1..).zip(places) {
        if place.visit(index, case, input, frame, visit)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// A position that is one list of natural numbers below 2^64: the kind of its heaps, the first index, the list.
pub(super) fn one_list<'c>(places: &[Place], case: &'c Case) -> Option<(KindId, Int, &'c Narrow)> {
    let [Place::Numbers { kind, numbers: Numbers::List(list, first) }] = places else { return None };
    let list = case.narrow.get(*list).filter(|list| list.len() > 0 && list.are_long())?;
    Some((*kind, first.eval(&case.frame, &case.lists).ok()?, list))
}

impl Place {
    /// The depth is that of the brackets in the problem file.
    fn visit<F: FnMut(Spot<'_>) -> Flow>(
        &self,
        index: Int,
        case: &Case,
        input: &[u8],
        frame: &mut Vec<Int>,
        visit: &mut F,
    ) -> Flow {
        match self {
            Place::Heap { count, kind, entries } => {
                let count = match count {
                    Some(count) => count.eval(frame, &case.lists).map_err(|e| no_meaning(&e))?,
                    None => 1,
                };
                let count = u128::try_from(count)
                    .map_err(|_| Error::new("input", format!("the position has {count} heaps of a kind")))?;
                let mut one = [0; 1];
                let mut many;
                let values: &mut [Int] = if entries.len() == 1 {
                    &mut one
                } else {
                    many = vec![0; entries.len()];
                    &mut many
                };
                for (value, entry) in values.iter_mut().zip(entries) {
                    *value = entry.eval(frame, &case.lists).map_err(|e| no_meaning(&e))?;
                }
                spot(visit, Spot { index, kind: *kind, entries: values, count })
            }
            Place::Numbers { kind, numbers: Numbers::List(list, first) } => {
                let first = first.eval(frame, &case.lists).map_err(|e| no_meaning(&e))?;
                match &case.narrow[*list] {
                    list if list.len() > 0 => each(visit, first, *kind, list.iter()),
                    _ => each(visit, first, *kind, list_of(&case.lists, *list).iter().copied()),
                }
            }
            Place::Numbers { kind, numbers } => {
                each(visit, 1, *kind, numbers.collect(case, input).into_iter())
            }
            Place::Rows { kind, columns, first } => {
                let mut index = first.eval(frame, &case.lists).map_err(|e| no_meaning(&e))?;
                let [xs, ys] = columns.map(|c| list_of(&case.lists, c));
                for (x, y) in xs.iter().zip(ys) {
                    if spot(visit, Spot { index, kind: *kind, entries: &[*x, *y], count: 1 })?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    index = index.saturating_add(1);
                }
                Ok(ControlFlow::Continue(()))
            }
            Place::For { place, slot, set } => {
                let (lo, hi) = match set {
                    Set::Range(lo, Some(hi)) => (
                        lo.eval(frame, &case.lists).map_err(|e| no_meaning(&e))?,
                        hi.eval(frame, &case.lists).map_err(|e| no_meaning(&e))?,
                    ),
                    Set::List(all) => {
                        for item in all {
                            let item = item.eval(frame, &case.lists).map_err(|e| no_meaning(&e))?;
                            frame[*slot] = item;
                            if place.visit(item, case, input, frame, visit)?.is_break() {
                                return Ok(ControlFlow::Break(()));
                            }
                        }
                        return Ok(ControlFlow::Continue(()));
                    }
                    _ => return Err(Error::new("input", "a position counts over `a..b` or `{a, b}`")),
                };
                let mut item = lo;
                while item <= hi {
                    frame[*slot] = item;
                    if place.visit(item, case, input, frame, visit)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    item += 1;
                }
                Ok(ControlFlow::Continue(()))
            }
            Place::Text(_) => Ok(ControlFlow::Continue(())),
        }
    }
}

fn each<F: FnMut(Spot<'_>) -> Flow>(
    visit: &mut F,
    first: Int,
    kind: KindId,
    values: impl Iterator<Item = Int>,
) -> Flow {
    let mut index = first;
    for value in values {
        if spot(visit, Spot { index, kind, entries: &[value], count: 1 })?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        index = index.saturating_add(1);
    }
    Ok(ControlFlow::Continue(()))
}

/// Visits an entry that is there, if its numbers are naturals.
fn spot<F: FnMut(Spot<'_>) -> Flow>(visit: &mut F, spot: Spot<'_>) -> Flow {
    if spot.entries.iter().any(|entry| *entry < 0) {
        let entries = spot.entries.iter().map(Int::to_string).collect::<Vec<_>>().join(", ");
        return Err(Error::new("input", format!("the position has a heap ({entries}), which is no heap")));
    }
    visit(spot)
}

fn list_of(lists: &[Param], list: ParamId) -> &[Int] {
    match lists.get(list).and_then(|p| p.value.as_ref()) {
        Some(Value::List(values)) => values,
        _ => &[],
    }
}

fn no_meaning(error: &EvalError) -> Error {
    Error::new(error.id, format!("the position has no meaning: {error}"))
}

impl Numbers {
    /// The depth is that of the brackets in the problem file.
    fn collect(&self, case: &Case, input: &[u8]) -> Vec<Int> {
        match self {
            Numbers::List(list, _) => match &case.narrow[*list] {
                list if list.len() > 0 => list.iter().collect(),
                _ => list_of(&case.lists, *list).to_vec(),
            },
            Numbers::Runs(text, byte) => {
                let (start, end) = case.texts[*text];
                let mut runs = Vec::new();
                let mut run: Int = 0;
                for here in input[start..end].iter().copied().chain([0]) {
                    if here == *byte {
                        run += 1;
                    } else if run > 0 {
                        runs.push(std::mem::take(&mut run));
                    }
                }
                runs
            }
            Numbers::Sorted(inner) => {
                let mut values = inner.collect(case, input);
                values.sort_unstable();
                values
            }
            Numbers::Unique(inner) => {
                let mut values = inner.collect(case, input);
                let mut seen = rustc_hash::FxHashSet::default();
                values.retain(|value| seen.insert(*value));
                values
            }
            Numbers::Differences(inner) => {
                inner.collect(case, input).windows(2).map(|w| w[1].saturating_sub(w[0])).collect()
            }
        }
    }
}
