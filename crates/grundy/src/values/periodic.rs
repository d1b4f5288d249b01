//! A finite subtraction set: the values repeat, provably (rule R1).
//!
//! If heaps lose a number of the finite set `S`, the nimber of `n` is a function of the `max(S)` values
//! before it. So once `max(S)` successive values occur a second time, `p` heaps later, everything from there on
//! repeats with period `p`. The table grows by doubling; after each doubling the last `max(S)` values are looked
//! for in what came before with the Z-function of the reversed table, which finds the least shift in linear
//! time and does not mind how long the period is. Preperiods and periods may be exponential in `max(S)`, so the
//! search is bounded by memory and says how far it got.
//!
//! Considered: Brent's cycle finding (constant memory, three times the work, and the preperiod needs another run)
//! and a hash of every window (more memory than the table itself).

use crate::error::Error;
use crate::limits::Clock;

/// The values of a subtraction game: a preperiod, then a period repeated for ever.
///
/// The preperiod is the least `n0` with `g(n + p) = g(n)` for all `n >= n0`, and `p` is the least period.
#[derive(Clone, Debug)]
pub struct Periodic {
    values: Vec<u32>,
    preperiod: usize,
}

/// How far a search for the period went in vain: heaps `0..heaps` were tabulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotYet {
    /// Heaps tabulated.
    pub heaps: usize,
}

impl Periodic {
    /// Finds preperiod and period of `n -> n - s where s in set`, with at most `heaps` values in memory.
    ///
    /// # Errors
    /// `Ok(Err(NotYet))` if the window of the largest element did not repeat within `heaps` values; an error of
    /// `clock` when time is up.
    pub fn of_subtraction(set: &[u64], heaps: usize, clock: &Clock) -> Result<Result<Self, NotYet>, Error> {
        let mut set: Vec<u64> = set.iter().copied().filter(|&s| s > 0).collect();
        set.sort_unstable();
        set.dedup();
        let Some(&max) = set.last() else {
            return Ok(Ok(Periodic { values: vec![0], preperiod: 0 }));
        };
        // The elements that fit the memory; if the largest does not, no window does.
        let Some(window) = usize::try_from(max).ok().filter(|&m| m < heaps / 2) else {
            return Ok(Err(NotYet { heaps: 0 }));
        };
        let set: Vec<usize> = set.iter().filter_map(|&s| usize::try_from(s).ok()).collect();
        let mut values: Vec<u32> = Vec::new();
        let mut size = (2 * window + 2).max(64).min(heaps);
        loop {
            extend(&set, &mut values, size, clock)?;
            if let Some(period) = least_shift(&values, window) {
                let mut preperiod = values.len() - period;
                while preperiod > 0 && values[preperiod - 1] == values[preperiod - 1 + period] {
                    preperiod -= 1;
                }
                values.truncate(preperiod + period);
                values.shrink_to_fit();
                return Ok(Ok(Periodic { values, preperiod }));
            }
            if size == heaps {
                return Ok(Err(NotYet { heaps }));
            }
            size = size.saturating_mul(2).min(heaps);
        }
    }

    /// Least n0 with g(n + p) = g(n) for all n >= n0.
    #[must_use]
    pub fn preperiod(&self) -> usize {
        self.preperiod
    }

    /// The least period.
    #[must_use]
    pub fn period(&self) -> usize {
        self.values.len() - self.preperiod
    }

    /// The nimber of a heap of any size.
    #[must_use]
    pub fn nimber(&self, n: u128) -> u32 {
        match usize::try_from(n) {
            Ok(n) if n < self.values.len() => self.values[n],
            _ => {
                let period = u128::try_from(self.period()).expect("usize is at most 64 bits");
                let preperiod = u128::try_from(self.preperiod).expect("usize is at most 64 bits");
                let rest = usize::try_from((n - preperiod) % period).expect("less than the period");
                self.values[self.preperiod + rest]
            }
        }
    }
}

/// Appends the values of heaps up to `size` (exclusive).
fn extend(set: &[usize], values: &mut Vec<u32>, size: usize, clock: &Clock) -> Result<(), Error> {
    values.reserve_exact(size.saturating_sub(values.len()));
    // seen[v] = n + 1: value v occurs among the options of n. A mex is at most |S|.
    let mut seen = vec![0usize; set.len() + 2];
    for n in values.len()..size {
        if n.is_multiple_of(65_536) {
            clock.check()?;
        }
        for &s in set.iter().take_while(|&&s| s <= n) {
            let value = usize::try_from(values[n - s]).expect("a u32 fits");
            seen[value] = n + 1;
        }
        let mex = seen.iter().position(|&at| at != n + 1).expect("more places than options");
        values.push(u32::try_from(mex).expect("at most the number of elements of the set"));
    }
    Ok(())
}

/// The least `p >= 1` such that the last `window` values also stand `p` places earlier.
fn least_shift(values: &[u32], window: usize) -> Option<usize> {
    let n = values.len();
    let at = |i: usize| values[n - 1 - i];
    // Z-function of the reversed table: z[i] = length of the common prefix of it and its suffix from i.
    let mut z = vec![0u32; n];
    let (mut left, mut right) = (0, 0);
    for i in 1..n {
        let mut length = 0;
        if i < right {
            length = (right - i).min(usize::try_from(z[i - left]).expect("a u32 fits"));
        }
        while length < window && i + length < n && at(length) == at(i + length) {
            length += 1;
        }
        if length >= window {
            return Some(i);
        }
        z[i] = u32::try_from(length).unwrap_or(u32::MAX);
        if i + length > right {
            (left, right) = (i, i + length);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;

    fn find(set: &[u64], heaps: usize) -> Result<Periodic, NotYet> {
        Periodic::of_subtraction(set, heaps, &Limits::default().clock()).unwrap()
    }

    fn naive(set: &[u64], top: usize) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::new();
        for n in 0..=top {
            let seen: Vec<u32> = set
                .iter()
                .filter_map(|&s| n.checked_sub(usize::try_from(s).unwrap()).map(|m| values.get(m).copied()))
                .flatten()
                .collect();
            values.push((0..).find(|v| !seen.contains(v)).unwrap());
        }
        values
    }

    proptest! {
        #[test]
        fn the_repeated_window_is_the_game(set in proptest::collection::vec(1u64..14, 0..6)) {
            let game = find(&set, 1 << 20).unwrap();
            let values = naive(&set, 3000);
            for (n, &value) in values.iter().enumerate() {
                prop_assert_eq!(game.nimber(n as u128), value, "heap {}", n);
            }
            let (n0, p) = (game.preperiod(), game.period());
            // Least: neither an earlier start nor a smaller period fits.
            prop_assert!(n0 == 0 || values[n0 - 1] != values[n0 - 1 + p]);
            for shorter in 1..p {
                prop_assert!((n0..2000).any(|n| values[n] != values[n + shorter]), "{} repeats", shorter);
            }
        }
    }

    #[test]
    fn published_periods() {
        // Preperiod and period: testdata of the literature (Winning Ways ch. 4; Althoefer and Bueltermann 1995).
        for (set, preperiod, period) in
            [(&[1, 2, 3][..], 0, 4), (&[1, 3, 4], 0, 7), (&[2, 5, 7], 0, 22), (&[2, 4, 7], 8, 3)]
        {
            let game = find(set, 1 << 20).unwrap();
            assert_eq!((game.preperiod(), game.period()), (preperiod, period), "{set:?}");
        }
        assert_eq!(
            find(&[1, 3, 4], 1 << 20).unwrap().nimber(10u128.pow(18)),
            [0, 1, 0, 1, 2, 3, 2][(10u64.pow(18) % 7) as usize]
        );
    }

    #[test]
    fn a_search_that_is_cut_off_says_so() {
        assert_eq!(find(&[2, 4, 7], 16).unwrap_err(), NotYet { heaps: 16 });
        assert_eq!(find(&[1 << 40], 1 << 20).unwrap_err(), NotYet { heaps: 0 });
    }
}
