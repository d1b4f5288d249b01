//! A sliding window without a table: the values that drop out are made again by one that lags behind.
//!
//! Whenever the left end moves, the next value is that of the heap it leaves. So the values are read twice: when they
//! are made, and in the same order when the left end comes by. As long as that is not far behind, the last values
//! are kept. Later a second maker of the same values, which runs where the left end is, takes their place, and when its
//! own left end is far behind, a third one. For L(n) = ceil(n/3) each does a third of the work of the one before, which
//! comes to half as much again in all, and the memory is that of a few short lists however far one goes.
//!
//! Where the left end is near the heap in proportion, as for L(n) = n - floor(n/9), makers would do almost as much work
//! as the one before; there the last values are kept on, n/9 of them.

use super::super::ends::End;
use crate::error::Error;
use crate::limits;
use grundy_rule::shape::SlidingWindow;

/// Makes the values of the heaps from 0 on, in order.
pub(super) struct Maker {
    window: SlidingWindow,
    first: usize,
    end: End,
    /// The next heap.
    next: usize,
    /// L of the heap before it: the next value that drops out is this heap's.
    left: usize,
    /// Where the values come from that drop out.
    source: Source,
    /// Heaps in the window from which on it is asked whether another maker is worth its while.
    far: usize,
}

enum Source {
    /// The values of the heaps from the given one on.
    Kept(usize, Vec<u32>),
    /// Made again by another, a few ahead of where they are wanted, and how many of these were used.
    Made(Box<Maker>, Vec<u32>, usize),
}

/// Values made at a time.
const PIECE: usize = 1 << 12;
/// Values that are kept in any case.
const FAR: usize = 1 << 15;

impl Maker {
    pub(super) fn new(window: &SlidingWindow) -> Result<Maker, Error> {
        let first = usize::try_from(window.first).map_err(|_| super::super::store::too_wide(usize::MAX))?;
        let end = End::new(&window.left, window.first);
        let source = Source::Kept(first, Vec::new());
        Ok(Maker { window: window.clone(), first, end, next: 0, left: first, source, far: FAR })
    }

    /// The same for tests, which cannot wait until the left end is far away.
    #[cfg(test)]
    pub(super) fn near(window: &SlidingWindow, far: usize) -> Maker {
        Maker { far, ..Maker::new(window).unwrap() }
    }

    /// The values of the next heaps.
    pub(super) fn fill(&mut self, values: &mut [u32]) -> Result<(), Error> {
        for piece in values.chunks_mut(PIECE) {
            // Heaps before the first one have no moves.
            let idle = self.first.saturating_sub(self.next).min(piece.len());
            let (none, piece) = piece.split_at_mut(idle);
            none.fill(0);
            self.next += none.len();
            self.piece(piece)?;
            self.forget()?;
        }
        Ok(())
    }

    fn piece(&mut self, values: &mut [u32]) -> Result<(), Error> {
        let first = i64::try_from(self.first).unwrap_or(i64::MAX);
        // No value of the piece is greater than the heaps that its last window may hold.
        let most = self.next - self.left.min(self.next) + values.len();
        u32::try_from(most).map_err(|_| super::super::store::too_wide(self.next))?;
        if let Source::Kept(_, kept) = &mut self.source {
            limits::reserve(kept, values.len())?;
        }
        for slot in values {
            let left = usize::try_from(self.end.next()?.max(first)).expect("not below the first heap");
            *slot = if left == self.left {
                u32::try_from(self.next - left).expect("it was compared before")
            } else {
                debug_assert_eq!(left, self.left + 1, "the shape promises steps of 0 and 1");
                match &mut self.source {
                    Source::Kept(base, kept) => kept[self.left - *base],
                    Source::Made(maker, made, used) => {
                        if *used == made.len() {
                            maker.fill(made)?;
                            *used = 0;
                        }
                        *used += 1;
                        made[*used - 1]
                    }
                }
            };
            if let Source::Kept(_, kept) = &mut self.source {
                kept.push(*slot);
            }
            self.left = left;
            self.next += 1;
        }
        Ok(())
    }

    /// Lets go of what is no longer needed.
    fn forget(&mut self) -> Result<(), Error> {
        let Source::Kept(base, kept) = &mut self.source else { return Ok(()) };
        let window = self.next.saturating_sub(self.left);
        if kept.len() >= 2 * window.max(PIECE) {
            kept.drain(..self.left - *base);
            *base = self.left;
        }
        if window < self.far {
            return Ok(());
        }
        if self.left > self.next / 4 * 3 {
            self.far *= 2;
            return Ok(());
        }
        let mut maker = Maker { far: self.far, ..Maker::new(&self.window)? };
        let mut made = vec![0; PIECE];
        // It starts over and is let run to where it is needed.
        while maker.next < self.left {
            let count = (self.left - maker.next).min(PIECE);
            maker.fill(&mut made[..count])?;
        }
        let used = made.len();
        self.source = Source::Made(Box::new(maker), made, used);
        Ok(())
    }

    /// Bytes taken, those of the others included.
    pub(super) fn bytes(&self) -> u64 {
        let (mut bytes, mut source) = (0, &self.source);
        loop {
            match source {
                Source::Kept(_, kept) => return bytes + kept.capacity() as u64 * 4,
                Source::Made(maker, made, _) => {
                    bytes += made.capacity() as u64 * 4;
                    source = &maker.source;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Store, engine::Engine};
    use super::super::Sliding;
    use super::*;
    use grundy_rule::shape::{LeftEnd, Ratio};
    use proptest::prelude::*;

    fn window(a: i128, b: i128, c: i128, first: u64) -> SlidingWindow {
        SlidingWindow { first, left: LeftEnd::Ratio(Ratio { a, c, b }) }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn equals_the_table(b in 1_i128..12, a in 0_i128..12, c in -300_i128..1, first in 0_u64..200, n in 0_usize..60_000, cut in 1_usize..30_000) {
            let window = window(a.min(b), b, c, first);
            let mut table = Store::new();
            Sliding::new(&window).unwrap().fill(&mut table, n).unwrap();
            for far in [10, 3000, FAR] {
                let mut maker = Maker::near(&window, far);
                let mut values = vec![0; n];
                for piece in values.chunks_mut(cut) {
                    maker.fill(piece).unwrap();
                }
                prop_assert!(table.values().iter().eq(values.iter().copied()), "far {}", far);
            }
        }
    }

    #[test]
    fn memory_stays_what_it_is() {
        let mut maker = Maker::new(&window(1, 3, 2, 0)).unwrap();
        let mut values = vec![0; 1 << 20];
        maker.fill(&mut values).unwrap();
        let bytes = maker.bytes();
        for _ in 0..7 {
            maker.fill(&mut values).unwrap();
        }
        assert!(
            maker.bytes() <= bytes + (8 * PIECE + 8 * FAR) as u64 && bytes < 2 << 20,
            "{}",
            maker.bytes()
        );
        // By the law g(3a) = g(3a - 1) + 1 = .. the greatest value is that of the last heap that makes the window longer.
        assert_eq!(values.iter().max(), Some(&((1 << 23) - 1 - ((1_u32 << 23) + 1) / 3)));
    }
}
