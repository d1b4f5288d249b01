//! Windows that slide: heap n has the options L(n)..=n-1, where L moves by steps of 0 and 1.
//!
//! Then the values of the heaps L(n)..=n are exactly the numbers 0..=n-L(n), each once. If L stays where it is,
//! the next value is the first number not among them, n + 1 - L(n + 1). If L moves, exactly the value of heap
//! L(n) drops out, and it is at once the mex: g(n + 1) = g(L(n)). So a value costs a copy, and there is no mex
//! at all. (Proof rule R3; the induction is in the documentation of proofs.)
//!
//! The greatest value is n - L(n), known before: the width is set once for each block. Where no table is kept, see
//! [`lagging`].

mod lagging;

use grundy_rule::expr::Int;
use grundy_rule::shape::SlidingWindow;

use super::Store;
use super::ends::End;
use super::engine::Engine;
use super::store::{Cell, each_width};
use crate::error::Error;
use lagging::Maker;

/// The engine.
pub(super) struct Sliding {
    window: SlidingWindow,
    first: usize,
    end: End,
    /// L of the heap before the next one.
    left: usize,
    /// In place of the table, if none is kept: who makes the values, and room for some.
    maker: Option<(Maker, Vec<u32>)>,
}

/// Values handed over at a time where no table is kept.
const PIECE: usize = 1 << 14;

impl Sliding {
    /// For that window.
    pub(super) fn new(window: &SlidingWindow) -> Result<Self, Error> {
        let first = usize::try_from(window.first).map_err(|_| super::store::too_wide(usize::MAX))?;
        let end = End::new(&window.left, window.first);
        Ok(Sliding { window: window.clone(), first, end, left: first, maker: None })
    }

    fn fill_cells<C: Cell>(&mut self, values: &mut Vec<C>, more: usize) -> Result<(), Error> {
        let first = i64::try_from(self.first).unwrap_or(i64::MAX);
        let start = values.len();
        values.resize(start + more, C::default());
        for n in start..start + more {
            if n < self.first {
                continue;
            }
            let left = self.end.next()?.max(first);
            let left = usize::try_from(left).expect("not below the first heap");
            let value = if left == self.left {
                C::cut(u32::try_from(n - left).expect("the width was set for the greatest value"))
            } else {
                debug_assert_eq!(left, self.left + 1, "the shape promises steps of 0 and 1");
                values[self.left]
            };
            self.left = left;
            values[n] = value;
        }
        Ok(())
    }
}

impl Engine for Sliding {
    fn fill(&mut self, store: &mut Store, mut more: usize) -> Result<(), Error> {
        if let Some((maker, piece)) = &mut self.maker {
            piece.resize(PIECE, 0);
            while more > 0 {
                let piece = &mut piece[..more.min(PIECE)];
                maker.fill(piece)?;
                store.extend(piece)?;
                more -= piece.len();
            }
            return Ok(());
        }
        let end = store.len() + more;
        if end > self.first {
            let last = Int::try_from(end - 1).expect("a heap of a table fits 128 bits");
            let left = self.window.left_at(last).map_err(|error| Error::new(error.id, error.message))?;
            store.widen_for(u64::try_from(last - left).map_err(|_| super::store::too_wide(end))?)?;
        }
        store.make_room(more)?;
        each_width!(Store, store, values => self.fill_cells(values, more))
    }

    fn let_go(&mut self) {
        self.maker = Maker::new(&self.window).ok().map(|maker| (maker, Vec::new()));
    }

    fn reads_back(&self) -> bool {
        self.maker.is_none()
    }

    fn bytes(&self) -> u64 {
        self.maker.as_ref().map_or(0, |(maker, piece)| maker.bytes() + piece.capacity() as u64 * 4)
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use grundy_rule::shape::{LeftEnd, Ratio};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_definition(b in 1_i128..12, a in 0_i128..12, c in -30_i128..30, first in 0_u64..20, n in 0_u64..400, cut in 1_usize..300) {
            let ratio = Ratio { a: a.min(b), c, b };
            // The shape's promise: the left end never passes the heap.
            prop_assume!((0..=n).all(|n| ratio.at(Int::from(n)).unwrap() <= Int::from(n)));
            let window = SlidingWindow { first, left: LeftEnd::Ratio(ratio) };
            let plain = naive(n, |n| {
                let left = if n < first { n } else { u64::try_from(window.left_at(Int::from(n)).unwrap()).unwrap() };
                (left..n).map(|y| vec![y]).collect()
            });
            let mut engine = Sliding::new(&window).unwrap();
            agrees(&mut engine, &plain, cut)?;
            let mut engine = Sliding::new(&window).unwrap();
            engine.let_go();
            prop_assert!(!engine.reads_back());
            agrees(&mut engine, &plain, cut)?;
        }
    }
}
