//! What is known about the parameters: values in the forms that bounding and enumeration search.

use std::sync::{Arc, OnceLock};

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
    rows: Arc<Vec<(Int, Int)>>,
    /// The rows turned round, ascending by the second number; made when first looked at.
    turned: OnceLock<Vec<(Int, Int)>>,
    /// The hulls of the first and of the second numbers; empty intervals if there is no row.
    hulls: [Interval; 2],
}

impl Pairs {
    /// Of rows in ascending order.
    fn new(rows: Arc<Vec<(Int, Int)>>) -> Pairs {
        let mut hulls = [Interval { lo: 1, hi: 0 }; 2];
        if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
            let seconds =
                rows.iter().fold((first.1, first.1), |(lo, hi), row| (lo.min(row.1), hi.max(row.1)));
            hulls =
                [(first.0, last.0), seconds].map(|(lo, hi)| Interval::point(lo).hull(Interval::point(hi)));
        }
        Pairs { rows, turned: OnceLock::new(), hulls }
    }

    /// Where the numbers of one side lie.
    pub(crate) fn hull(&self, turned: bool) -> Interval {
        self.hulls[usize::from(turned)]
    }

    /// The rows by first number, or turned round.
    pub(crate) fn side(&self, turned: bool) -> &[(Int, Int)] {
        if !turned {
            return &self.rows;
        }
        self.turned.get_or_init(|| {
            let mut turned: Vec<_> = self.rows.iter().map(|&(a, b)| (b, a)).collect();
            turned.sort_unstable();
            turned
        })
    }

    pub(crate) fn contains(&self, a: Int, b: Int) -> bool {
        self.rows.binary_search(&(a, b)).is_ok()
    }
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
                let mut rows = Arc::clone(rows);
                if !rows.is_sorted_by(|a, b| a < b) {
                    let rows = Arc::make_mut(&mut rows);
                    rows.sort_unstable();
                    rows.dedup();
                }
                fact.len = len(rows.len());
                fact.pairs = Some(Arc::new(Pairs::new(rows)));
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
