//! Nim with exceptions: heap n has the options least..=n-1 but for finitely many pairs.
//!
//! The values of the heaps from `least` on that are below n are always 0..m-1 without a gap, for the m distinct
//! ones among them. A heap without exceptions has the value m, the first new one. A heap with exceptions may get
//! an older value v instead: if *all* heaps of value v are forbidden to it. So only the forbidden heaps are
//! looked at, and how many heaps have each value. That is O(1) a heap and O(1) a pair. Which heaps are ever forbidden is
//! known from the start, so their values are kept and no table is read back.

use std::cmp::Ordering;

use grundy_rule::shape::WindowExcept;
use rustc_hash::FxHashMap;

use super::Store;
use super::engine::Engine;
use crate::error::Error;

/// The engine.
pub(super) struct Except {
    least: usize,
    /// Pairs (heap, heap that may not be left), ascending; the last comes first to hand.
    except: Vec<(usize, usize)>,
    /// Distinct values among the heaps from `least` on.
    fresh: u32,
    /// How many heaps have a value, where that is more than one.
    have: FxHashMap<u32, u32>,
    /// How many of them are forbidden to the heap in hand.
    forbidden: FxHashMap<u32, u32>,
    /// The next heap.
    next: usize,
    /// The heaps that some pair forbids, with their values once these are known.
    values: FxHashMap<usize, u32>,
}

impl Except {
    /// For that window, for heaps up to `n`.
    pub(super) fn new(window: &WindowExcept, n: u64) -> Self {
        let pair =
            |(heap, left): &(u64, u64)| Some((usize::try_from(*heap).ok()?, usize::try_from(*left).ok()?));
        let mut except: Vec<_> =
            window.except.iter().filter(|(heap, _)| *heap <= n).filter_map(pair).collect();
        except.sort_unstable();
        except.dedup();
        except.reverse();
        // A least heap beyond every table: no heap moves.
        let least = usize::try_from(window.least).unwrap_or(usize::MAX);
        let values = except.iter().map(|(_, left)| (*left, 0)).collect();
        let (have, forbidden) = (FxHashMap::default(), FxHashMap::default());
        Except { least, except, fresh: 0, have, forbidden, next: 0, values }
    }

    /// The value of heap `n`.
    fn step(&mut self, n: usize) -> Result<u32, Error> {
        let mut mex = self.fresh;
        if self.except.last().is_some_and(|(heap, _)| *heap <= n) {
            self.forbidden.clear();
            while let Some((heap, left)) = self.except.pop_if(|(heap, _)| *heap <= n) {
                if heap == n && left >= self.least && left < n {
                    let value = self.values.get(&left).copied().unwrap_or(0);
                    let forbidden = self.forbidden.entry(value).or_insert(0);
                    *forbidden += 1;
                    if *forbidden == self.have.get(&value).copied().unwrap_or(1) {
                        mex = mex.min(value);
                    }
                }
            }
        }
        match mex.cmp(&self.fresh) {
            Ordering::Less => *self.have.entry(mex).or_insert(1) += 1,
            _ => self.fresh = self.fresh.checked_add(1).ok_or_else(|| super::store::too_wide(n))?,
        }
        Ok(mex)
    }
}

impl Engine for Except {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        for n in self.next..self.next + more {
            let value = if n < self.least { 0 } else { self.step(n)? };
            // A short list of pairs is soon done with.
            if !self.except.is_empty()
                && let Some(kept) = self.values.get_mut(&n)
            {
                *kept = value;
            }
            store.push(u64::from(value))?;
        }
        self.next += more;
        Ok(())
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        let maps = (self.have.capacity() + self.forbidden.capacity()) * 8 / 7 * 9;
        (self.except.capacity() * 16 + maps + self.values.capacity() * 8 / 7 * 17) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_definition(least in 0_u64..5, pairs in prop::collection::btree_set((0_u64..30, 0_u64..30), 0..200), n in 0_u64..60, cut in 1_usize..90) {
            let except: Vec<(u64, u64)> = pairs.into_iter().filter(|(n, y)| least <= *y && y < n).collect();
            let window = WindowExcept { least, except: except.clone() };
            let plain = naive(n, |n| (least..n).filter(|y| !except.contains(&(n, *y))).map(|y| vec![y]).collect());
            agrees(&mut Except::new(&window, n), &plain, cut)?;
        }
    }
}
