//! Heaps and what a move leaves: the objects that a rule speaks about.

use std::fmt;

use crate::expr::Int;

/// Which kind of heap: an index into [`crate::Rule::kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub u16);

/// One component of a position: a kind and its entries, all of them naturals.
///
/// Ordered by kind, then by entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Heap {
    /// The kind, which fixes how many entries there are.
    pub kind: KindId,
    /// The entries, each at least 0.
    pub entries: Box<[Int]>,
}

impl Heap {
    /// A heap of that kind with those entries.
    #[must_use]
    pub fn new(kind: KindId, entries: &[Int]) -> Self {
        Heap { kind, entries: entries.into() }
    }
}

/// What a move leaves: a multiset of heaps, in ascending order, each with how often it occurs (at least 1).
///
/// Two options are the same option exactly if their sums are equal. Under `coins` every count is 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Sum {
    heaps: Vec<(Heap, u128)>,
}

impl Sum {
    /// The multiset of these heaps with these counts; counts of 0 vanish.
    ///
    /// # Errors
    /// `None` if a count passes 2^128 - 1.
    #[must_use]
    pub fn new(mut heaps: Vec<(Heap, u128)>) -> Option<Self> {
        heaps.retain(|(_, count)| *count > 0);
        heaps.sort();
        let mut merged: Vec<(Heap, u128)> = Vec::with_capacity(heaps.len());
        for (heap, count) in heaps {
            match merged.last_mut() {
                Some((last, total)) if *last == heap => *total = total.checked_add(count)?,
                _ => merged.push((heap, count)),
            }
        }
        Some(Sum { heaps: merged })
    }

    /// The set of heaps that occur an odd number of times: what turning coins leaves.
    #[must_use]
    pub fn odd(self) -> Self {
        let mut heaps = self.heaps;
        heaps.retain(|(_, count)| count % 2 == 1);
        for (_, count) in &mut heaps {
            *count = 1;
        }
        Sum { heaps }
    }

    /// The heaps in ascending order, with their counts.
    #[must_use]
    pub fn heaps(&self) -> &[(Heap, u128)] {
        &self.heaps
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heaps.is_empty()
    }
}

/// Writes a heap the way it is typed: `5`, `(3, 8)`, `row(7)`.
pub(crate) fn write_heap(f: &mut fmt::Formatter<'_>, kind: Option<&str>, entries: &[Int]) -> fmt::Result {
    match (kind, entries) {
        (None, [one]) => write!(f, "{one}"),
        (kind, entries) => {
            write!(f, "{}(", kind.unwrap_or(""))?;
            for (i, entry) in entries.iter().enumerate() {
                write!(f, "{}{entry}", if i > 0 { ", " } else { "" })?;
            }
            write!(f, ")")
        }
    }
}
