//! The full window with finitely many options taken out: constrained Nim.
//!
//! Heaps `x >= start` have the options `start..x`, except for finitely many pairs (heap, option). Such a rule
//! is Nim with a few *deleted* heaps. Process the heaps upwards and let `c(x)` be the number of heaps in
//! `start..x` that are not deleted. Then
//!
//! * a heap without exceptions has all lower values as options' values: `g(x) = c(x)`, and every value below
//!   `c(x)` has exactly one *regular* heap that carries it;
//! * a heap with exceptions misses a value `v < c(x)` exactly if **all** lower heaps of value `v` - the regular
//!   one and those deleted before - are taken out. The least such `v` is its value, and the heap is
//!   deleted: later heaps count as if it were not there. If there is none, its value is `c(x)` too.
//!
//! Both statements hold by induction on `x`: a deleted heap repeats a value that was there before, so the
//! values below `x` are always exactly `0..c(x)`.
//!
//! Set-up sorts the `m` exceptions and looks each up once, O(m log m); a question costs O(log m) at any size.
//! A table would need the sizes themselves, which reach 10^18 in contests (ABC 255 G).

use rustc_hash::FxHashMap;

/// The values of a full window with finitely many options taken out.
#[derive(Clone, Debug)]
pub struct DeletedPoints {
    start: u128,
    /// (heap, option) taken out, ascending.
    exceptions: Vec<(u128, u128)>,
    /// The deleted heaps, ascending, with their values.
    deleted: Vec<(u128, u128)>,
    /// For each value that a deleted heap has: those heaps, ascending.
    by_value: FxHashMap<u128, Vec<u128>>,
}

impl DeletedPoints {
    /// The game in which a heap `x >= start` has the options `start..x` except for the given pairs
    /// (heap, option). Pairs that take nothing out are ignored, repeated ones count once.
    #[must_use]
    pub fn new(start: u128, pairs: impl IntoIterator<Item = (u128, u128)>) -> Self {
        let mut exceptions: Vec<(u128, u128)> =
            pairs.into_iter().filter(|&(heap, option)| start <= option && option < heap).collect();
        exceptions.sort_unstable();
        exceptions.dedup();
        let mut this = DeletedPoints {
            start,
            exceptions: Vec::new(),
            deleted: Vec::new(),
            by_value: FxHashMap::default(),
        };
        let mut values = Vec::new();
        for group in exceptions.chunk_by(|a, b| a.0 == b.0) {
            let heap = group[0].0;
            values.clear();
            values.extend(group.iter().map(|&(_, option)| this.nimber(option)));
            values.sort_unstable();
            let regular = this.regular_below(heap);
            let missing = values.chunk_by(|a, b| a == b).find(|run| {
                let carriers = 1 + this.by_value.get(&run[0]).map_or(0, Vec::len);
                run[0] < regular && run.len() == carriers
            });
            if let Some(run) = missing {
                this.deleted.push((heap, run[0]));
                this.by_value.entry(run[0]).or_default().push(heap);
            }
        }
        this.exceptions = exceptions;
        this
    }

    /// The heaps whose exceptions matter, ascending, with their values.
    #[must_use]
    pub fn deleted(&self) -> &[(u128, u128)] {
        &self.deleted
    }

    /// How many pairs are taken out.
    #[must_use]
    pub fn exceptions(&self) -> usize {
        self.exceptions.len()
    }

    /// Whether heap `x` may become `y`.
    #[must_use]
    pub fn has_option(&self, x: u128, y: u128) -> bool {
        self.start <= y && y < x && self.exceptions.binary_search(&(x, y)).is_err()
    }

    /// The nimber of a heap `x >= start`; O(log m).
    #[must_use]
    pub fn nimber(&self, x: u128) -> u128 {
        match self.deleted.binary_search_by_key(&x, |&(heap, _)| heap) {
            Ok(at) => self.deleted[at].1,
            Err(_) => self.regular_below(x),
        }
    }

    /// The heaps of value `value` in `lo..=hi`, ascending: at most one regular heap and the deleted ones.
    pub fn heaps_with(&self, value: u128, lo: u128, hi: u128) -> impl Iterator<Item = u128> + '_ {
        let lo = lo.max(self.start);
        let deleted = self.by_value.get(&value).map_or(&[][..], Vec::as_slice);
        let from = deleted.partition_point(|&heap| heap < lo);
        let regular = self.regular(value).filter(move |&heap| lo <= heap && heap <= hi);
        // The regular heap of a value is below every deleted one of that value: it must exist to be missed.
        regular.into_iter().chain(deleted[from..].iter().copied().take_while(move |&heap| heap <= hi))
    }

    /// Heaps in `start..x` that are not deleted.
    fn regular_below(&self, x: u128) -> u128 {
        let gone = self.deleted.partition_point(|&(heap, _)| heap < x);
        x.saturating_sub(self.start) - u128::try_from(gone).expect("usize is at most 64 bits")
    }

    /// The regular heap with that value: the one with `value` regular heaps below it.
    fn regular(&self, value: u128) -> Option<u128> {
        let mut lo = 0;
        let mut hi = self.deleted.len();
        // D[i] - start - i regular heaps lie below D[i], a nondecreasing count.
        while lo < hi {
            let mid = lo + (hi - lo) / 2;
            let below = self.deleted[mid].0 - self.start - u128::try_from(mid).ok()?;
            if below <= value { lo = mid + 1 } else { hi = mid }
        }
        value.checked_add(self.start)?.checked_add(u128::try_from(lo).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(start: u128, top: u128, pairs: &[(u128, u128)]) -> Vec<u128> {
        let mut values: Vec<u128> = Vec::new();
        for x in start..=top {
            let seen: Vec<u128> = (start..x)
                .filter(|&y| !pairs.contains(&(x, y)))
                .map(|y| values[usize::try_from(y - start).unwrap()])
                .collect();
            values.push((0..).find(|v| !seen.contains(v)).unwrap());
        }
        values
    }

    proptest! {
        #[test]
        fn values_and_inverse_are_those_of_the_rule(
            start in 0u128..3,
            // Few distinct heaps, so that whole sets of carriers are taken out.
            pairs in proptest::collection::vec((1u128..24, 0u128..12), 0..90),
        ) {
            let top = 30;
            let game = DeletedPoints::new(start, pairs.iter().copied());
            let values = naive(start, top, &pairs);
            for (i, &value) in values.iter().enumerate() {
                prop_assert_eq!(game.nimber(start + i as u128), value, "heap {}", start + i as u128);
            }
            for value in 0..=top {
                for (lo, hi) in [(0, top), (4, 17), (9, 9)] {
                    let want: Vec<u128> = (start.max(lo)..=hi)
                        .filter(|&x| values[usize::try_from(x - start).unwrap()] == value)
                        .collect();
                    prop_assert_eq!(game.heaps_with(value, lo, hi).collect::<Vec<_>>(), want);
                }
            }
        }
    }

    #[test]
    fn a_heap_far_away_counts_the_deleted_points() {
        // From 1 nothing, from 2 nothing: both have value 0, so 3 is like 1 of Nim.
        let game = DeletedPoints::new(0, [(1, 0), (2, 0), (2, 1)]);
        assert_eq!(game.deleted(), [(1, 0), (2, 0)]);
        assert_eq!(game.nimber(10u128.pow(18)), 10u128.pow(18) - 2);
        assert_eq!(game.heaps_with(10u128.pow(18) - 2, 0, u128::MAX).collect::<Vec<_>>(), [10u128.pow(18)]);
        assert!(!game.has_option(2, 1) && game.has_option(3, 1) && !game.has_option(3, 3));
    }
}
