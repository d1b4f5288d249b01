//! What is known about the parameters: values in the forms that bounding and enumeration search.

use std::sync::Arc;

use super::interval::{Interval, NEG_FINITE, POS_FINITE};
use crate::expr::{Int, ParamId};
use crate::pairs::Pairs;
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

/// What is known about all parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts(pub(crate) Vec<Fact>);

impl Facts {
    /// Reads the values that are given.
    pub(crate) fn new(params: &[Param]) -> Facts {
        Facts(params.iter().map(|p| Fact::new(p.value.as_ref())).collect())
    }

    pub(crate) fn get(&self, id: ParamId) -> Option<&Fact> {
        self.0.get(id)
    }
}

impl Fact {
    fn new(value: Option<&Value>) -> Fact {
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
                fact.len = len(rows.len());
                fact.pairs = Some(Arc::clone(rows));
            }
        }
        fact
    }
}

/// Where the numbers of one side of a set of pairs lie; an empty interval if there is no row.
pub(crate) fn hull_of(pairs: &Pairs, turned: bool) -> Interval {
    match pairs.hulls() {
        None => Interval { lo: 1, hi: 0 },
        Some(hulls) => {
            let (lo, hi) = if turned { hulls.second } else { hulls.first };
            Interval::point(lo).hull(Interval::point(hi))
        }
    }
}

/// The members of an ascending slice within `lo..=hi`.
pub(crate) fn within(members: &[Int], lo: Int, hi: Int) -> &[Int] {
    let start = members.partition_point(|&m| m < lo);
    let end = members.partition_point(|&m| m <= hi);
    members.get(start..end).unwrap_or(&[])
}
