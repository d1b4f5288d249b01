//! What is known about the parameters: values in the forms that bounding and enumeration search.

use std::sync::Arc;

use super::interval::{Interval, NEG_FINITE, POS_FINITE};
use crate::expr::{Int, ParamId};
use crate::rule::{Param, Value};

/// What is known about one parameter.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    /// The number, or where it lies.
    pub(crate) number: Interval,
    /// The hull of the members of a list or set.
    pub(crate) hull: Interval,
    /// The members of a list or set, ascending, without repeats.
    pub(crate) members: Option<Arc<[Int]>>,
    /// The items of a list in order.
    pub(crate) items: Option<Arc<[Int]>>,
    /// The rows of a set of pairs.
    pub(crate) pairs: Option<Arc<Pairs>>,
    /// How many items or rows.
    pub(crate) len: Interval,
}

/// A set of pairs, searchable from either side.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// The rows, ascending.
    pub(crate) rows: Arc<Vec<(Int, Int)>>,
    /// The rows turned round, ascending by the second number.
    pub(crate) turned: Vec<(Int, Int)>,
}

impl Pairs {
    /// The rows by first number, or turned round.
    pub(crate) fn side(&self, turned: bool) -> &[(Int, Int)] {
        if turned { &self.turned } else { &self.rows }
    }

    pub(crate) fn contains(&self, a: Int, b: Int) -> bool {
        self.rows.binary_search(&(a, b)).is_ok()
    }
}

/// What is known about all parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts(pub(crate) Vec<Fact>);

impl Facts {
    /// Reads the values that are given; `turned` says for which parameters rows are looked up from the second
    /// number as well.
    pub(crate) fn new(params: &[Param], turned: impl Fn(ParamId) -> bool) -> Facts {
        Facts(params.iter().enumerate().map(|(id, p)| Fact::new(p.value.as_ref(), turned(id))).collect())
    }

    pub(crate) fn get(&self, id: ParamId) -> Option<&Fact> {
        self.0.get(id)
    }
}

impl Fact {
    fn new(value: Option<&Value>, turned: bool) -> Fact {
        let mut fact = Fact {
            number: Interval::FINITE,
            hull: Interval::FINITE,
            members: None,
            items: None,
            pairs: None,
            len: Interval { lo: 0, hi: POS_FINITE },
        };
        let len = |len: usize| Interval::point(len as Int);
        match value {
            None => fact.hull.lo = NEG_FINITE,
            Some(Value::Number(x)) => fact.number = Interval::point(*x),
            Some(Value::Set(items) | Value::List(items)) => {
                let mut members = items.clone();
                if !members.is_sorted_by(|a, b| a < b) {
                    members.sort_unstable();
                    members.dedup();
                }
                fact.hull = match (members.first(), members.last()) {
                    (Some(&lo), Some(&hi)) => Interval::point(lo).hull(Interval::point(hi)),
                    _ => Interval { lo: 1, hi: 0 },
                };
                fact.len = len(items.len());
                fact.members = Some(members.into());
                fact.items = Some(items.as_slice().into());
            }
            Some(Value::Pairs(rows)) => {
                let mut rows = Arc::clone(rows);
                if !rows.is_sorted_by(|a, b| a < b) {
                    let rows = Arc::make_mut(&mut rows);
                    rows.sort_unstable();
                    rows.dedup();
                }
                let mut other: Vec<_> =
                    if turned { rows.iter().map(|&(a, b)| (b, a)).collect() } else { Vec::new() };
                other.sort_unstable();
                fact.len = len(rows.len());
                fact.pairs = Some(Arc::new(Pairs { rows, turned: other }));
            }
        }
        fact
    }
}

/// The members of an ascending slice within `lo..=hi`.
pub(crate) fn within(members: &[Int], lo: Int, hi: Int) -> &[Int] {
    let start = members.partition_point(|&m| m < lo);
    let end = members.partition_point(|&m| m <= hi);
    members.get(start..end).unwrap_or(&[])
}
