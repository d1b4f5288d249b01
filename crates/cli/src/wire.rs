//! The objects of `--json`: heaps, sums and values of parameters as scripts read them.
//!
//! A heap of one nameless entry is a number, a tuple is a list, a heap of a named kind is an object:
//! `5`, `[3, 8]`, `{"kind": "row", "entries": [7]}`. All numbers are integers, however large.

use grundy_rule::{Heap, Int, Rule, Sum, rule};
use serde::Serialize;

/// So many equal heaps are written one by one; more become one object with a count.
const SPELLED_OUT: u128 = 1000;

/// A heap.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
#[serde(untagged)]
pub(crate) enum WireHeap {
    /// `5`
    Number(Int),
    /// `[3, 8]`
    Tuple(Vec<Int>),
    /// `{"kind": "row", "entries": [7]}`
    Named {
        /// The name of the kind.
        kind: String,
        /// The entries.
        entries: Vec<Int>,
    },
    /// Very many equal heaps: `{"heap": 5, "count": 1000000}`
    Many {
        /// The heap.
        heap: Box<WireHeap>,
        /// How many of it.
        count: u128,
    },
}

/// A heap of a rule.
pub(crate) fn heap(rule: &Rule, heap: &Heap) -> WireHeap {
    let name = rule.kinds.get(usize::from(heap.kind.0)).and_then(|kind| kind.name.clone());
    match (name, &*heap.entries) {
        (None, [number]) => WireHeap::Number(*number),
        (None, entries) => WireHeap::Tuple(entries.to_vec()),
        (Some(kind), entries) => WireHeap::Named { kind, entries: entries.to_vec() },
    }
}

/// The heaps that a move leaves, each as often as it occurs.
pub(crate) fn sum(rule: &Rule, sum: &Sum) -> Vec<WireHeap> {
    let mut all = Vec::new();
    for (left, count) in sum.heaps() {
        let shown = heap(rule, left);
        if *count <= SPELLED_OUT {
            all.extend((0..*count).map(|_| shown.clone()));
        } else {
            all.push(WireHeap::Many { heap: Box::new(shown), count: *count });
        }
    }
    all
}

/// The value of a parameter.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    /// A number.
    Number(Int),
    /// A set or a list.
    Numbers(Vec<Int>),
    /// Pairs.
    Pairs(Vec<(Int, Int)>),
}

/// The value of a parameter.
pub(crate) fn value(value: &rule::Value) -> Value {
    match value {
        rule::Value::Number(number) => Value::Number(*number),
        rule::Value::Set(members) | rule::Value::List(members) => Value::Numbers(members.clone()),
        rule::Value::Pairs(pairs) => Value::Pairs(pairs.iter().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_all_their_digits() {
        let big = WireHeap::Number(Int::MAX);
        assert_eq!(serde_json::to_string(&big).unwrap(), i128::MAX.to_string());
        let many = WireHeap::Many { heap: Box::new(big), count: u128::MAX };
        assert!(serde_json::to_string(&many).unwrap().contains(&u128::MAX.to_string()));
    }
}
