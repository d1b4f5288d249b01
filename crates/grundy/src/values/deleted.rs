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
///
/// Heaps that take part in exceptions fit 64 bits; others may be larger.
#[derive(Clone, Debug)]
pub struct DeletedPoints {
    start: u64,
    /// (heap, option) taken out, ascending.
    exceptions: Vec<(u64, u64)>,
    /// The deleted heaps, ascending, with their values.
    deleted: Vec<(u64, u64)>,
    /// The same as (value, heap), ascending.
    by_value: Vec<(u64, u64)>,
}

impl DeletedPoints {
    /// The game in which a heap `x >= start` has the options `start..x` except for the given pairs
    /// (heap, option). Pairs that take nothing out are ignored, repeated ones count once.
    #[must_use]
    pub fn new(start: u64, mut exceptions: Vec<(u64, u64)>) -> Self {
        exceptions.retain(|&(heap, option)| start <= option && option < heap);
        exceptions.sort_unstable();
        exceptions.dedup();
        let mut this =
            DeletedPoints { start, exceptions: Vec::new(), deleted: Vec::new(), by_value: Vec::new() };
        // How many deleted heaps have a value.
        let mut repeated: FxHashMap<u64, usize> = FxHashMap::default();
        let mut values = Vec::new();
        for group in exceptions.chunk_by(|a, b| a.0 == b.0) {
            let heap = group[0].0;
            values.clear();
            values.extend(group.iter().map(|&(_, option)| this.small(option)));
            values.sort_unstable();
            let regular = this.regular_below(heap);
            let missing = values
                .chunk_by(|a, b| a == b)
                .find(|run| run[0] < regular && run.len() == 1 + repeated.get(&run[0]).copied().unwrap_or(0));
            if let Some(run) = missing {
                this.deleted.push((heap, run[0]));
                *repeated.entry(run[0]).or_default() += 1;
            }
        }
        this.exceptions = exceptions;
        this.by_value = this.deleted.iter().map(|&(heap, value)| (value, heap)).collect();
        this.by_value.sort_unstable();
        this
    }

    /// The heaps whose exceptions matter, ascending, with their values.
    #[must_use]
    pub fn deleted(&self) -> &[(u64, u64)] {
        &self.deleted
    }

    /// The first heap that counts.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// How many pairs are taken out.
    #[must_use]
    pub fn exceptions(&self) -> usize {
        self.exceptions.len()
    }

    /// Whether heap `x` may become `y`.
    #[must_use]
    pub fn has_option(&self, x: u128, y: u128) -> bool {
        let banned = match (u64::try_from(x), u64::try_from(y)) {
            (Ok(x), Ok(y)) => self.exceptions.binary_search(&(x, y)).is_ok(),
            _ => false,
        };
        u128::from(self.start) <= y && y < x && !banned
    }

    /// The nimber of a heap, 0 below the start; O(log m).
    #[must_use]
    pub fn nimber(&self, x: u128) -> u128 {
        match u64::try_from(x) {
            Ok(x) => u128::from(self.small(x)),
            Err(_) => x - u128::from(self.start) - size(self.deleted.len()),
        }
    }

    fn small(&self, x: u64) -> u64 {
        match self.deleted.binary_search_by_key(&x, |&(heap, _)| heap) {
            Ok(at) => self.deleted[at].1,
            Err(_) => self.regular_below(x),
        }
    }

    /// The heaps of value `value` in `lo..=hi`, ascending: at most one regular heap and the deleted ones.
    pub fn heaps_with(&self, value: u128, lo: u128, hi: u128) -> impl Iterator<Item = u128> + '_ {
        let lo = lo.max(u128::from(self.start));
        let regular = self.regular(value).filter(move |&heap| lo <= heap && heap <= hi);
        let from =
            self.by_value.partition_point(|&(v, heap)| (u128::from(v), u128::from(heap)) < (value, lo));
        let deleted = self.by_value[from..].iter().map(|&(v, heap)| (u128::from(v), u128::from(heap)));
        let deleted = deleted.take_while(move |&(v, heap)| v == value && heap <= hi).map(|(_, heap)| heap);
        // The regular heap of a value is below every deleted one of that value: it must exist to be missed.
        regular.into_iter().chain(deleted)
    }

    /// Heaps in `start..x` that are not deleted.
    fn regular_below(&self, x: u64) -> u64 {
        let gone = self.deleted.partition_point(|&(heap, _)| heap < x);
        x.saturating_sub(self.start) - u64::try_from(gone).expect("usize is at most 64 bits")
    }

    /// The regular heap with that value: the one with `value` regular heaps below it.
    fn regular(&self, value: u128) -> Option<u128> {
        let mut lo = 0;
        let mut hi = self.deleted.len();
        // D[i] - start - i regular heaps lie below D[i], a nondecreasing count.
        while lo < hi {
            let mid = lo + (hi - lo) / 2;
            let below = u128::from(self.deleted[mid].0 - self.start) - size(mid);
            if below <= value { lo = mid + 1 } else { hi = mid }
        }
        value.checked_add(u128::from(self.start))?.checked_add(size(lo))
    }
}

fn size(count: usize) -> u128 {
    u128::try_from(count).expect("usize is at most 64 bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(start: u128, top: u128, pairs: &[(u64, u64)]) -> Vec<u128> {
        let mut values: Vec<u128> = Vec::new();
        for x in start..=top {
            let seen: Vec<u128> = (start..x)
                .filter(|&y| !pairs.contains(&(u64::try_from(x).unwrap(), u64::try_from(y).unwrap())))
                .map(|y| values[usize::try_from(y - start).unwrap()])
                .collect();
            values.push((0..).find(|v| !seen.contains(v)).unwrap());
        }
        values
    }

    proptest! {
        #[test]
        fn values_and_inverse_are_those_of_the_rule(
            start in 0u64..3,
            // Few distinct heaps, so that whole sets of carriers are taken out.
            pairs in proptest::collection::vec((1u64..24, 0u64..12), 0..90),
        ) {
            let top = 30;
            let game = DeletedPoints::new(start, pairs.clone());
            let start = u128::from(start);
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
        let game = DeletedPoints::new(0, vec![(1, 0), (2, 0), (2, 1)]);
        assert_eq!(game.deleted(), [(1, 0), (2, 0)]);
        assert_eq!(game.nimber(10u128.pow(18)), 10u128.pow(18) - 2);
        assert_eq!(game.heaps_with(10u128.pow(18) - 2, 0, u128::MAX).collect::<Vec<_>>(), [10u128.pow(18)]);
        assert!(!game.has_option(2, 1) && game.has_option(3, 1) && !game.has_option(3, 3));
    }
}
