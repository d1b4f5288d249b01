//! A finite subtraction set: the values repeat, provably (rule R1).
//!
//! If heaps lose a number of the finite set `S`, the nimber of `n` is a function of the `max(S)` values
//! before it. So once `max(S)` successive values occur a second time, `p` heaps later, everything from there on
//! repeats with period `p`. The table grows by doubling as far as a heap needs it; after each doubling the last
//! `max(S)` values are looked for in what came before with the Z-function of the reversed table, which finds
//! the least shift in linear time and does not mind how long the period is. Preperiods and periods may be
//! exponential in `max(S)`, so a search is bounded by memory and says how far it got.
//!
//! Considered: Brent's cycle finding (constant memory, three times the work, and the preperiod needs another run)
//! and a hash of every window (more memory than the table itself).

use crate::error::Error;
use crate::limits::{Clock, reserve};

/// The values of a finite subtraction set: a table that grows until a period is proved.
///
/// The preperiod is the least `n0` with `g(n + p) = g(n)` for all `n >= n0`, and `p` is the least period.
#[derive(Clone, Debug)]
pub struct Subtraction {
    /// Ascending.
    set: Vec<u64>,
    values: Vec<u32>,
    /// Known once the window has repeated; then `values` ends with the first full period.
    preperiod: Option<usize>,
}

/// Values and the Z-function: bytes a heap.
const BYTES: u64 = 8;

impl Subtraction {
    /// The game `n -> n - s where s in set`; zeros in the set are ignored. Nothing is computed yet.
    #[must_use]
    pub fn new(set: &[u64]) -> Self {
        let mut set: Vec<u64> = set.iter().copied().filter(|&s| s > 0).collect();
        set.sort_unstable();
        set.dedup();
        Subtraction { set, values: Vec::new(), preperiod: None }
    }

    /// The nimber of a heap of any size.
    ///
    /// # Errors
    /// Those of the clock, saying how far the table got without a repeated window.
    pub fn nimber(&mut self, n: u128, clock: &Clock) -> Result<u32, Error> {
        loop {
            if let Some(known) = self.known(n) {
                return Ok(known);
            }
            // From a size at which the window could have repeated, by doubling.
            let window = self.set.last().copied().unwrap_or(0);
            let size = usize::try_from(window).ok().and_then(|w| w.checked_mul(2));
            let size = size.and_then(|size| size.max(self.values.len()).max(32).checked_mul(2));
            let heaps = self.values.len();
            let grown = size
                .ok_or_else(|| Error::new("memory", format!("no memory holds a window of {window} values")))
                .and_then(|size| self.grow(size, clock));
            grown.map_err(|error| {
                error.so_far(format!(
                    "the values of {heaps} heaps, in which no {window} successive ones repeat"
                ))
            })?;
        }
    }

    /// The period with its preperiod, once it is proved.
    #[must_use]
    pub fn period(&self) -> Option<(usize, usize)> {
        self.preperiod.map(|preperiod| (preperiod, self.values.len() - preperiod))
    }

    /// How many heaps were tabulated, from 0.
    #[must_use]
    pub fn tabulated(&self) -> usize {
        self.values.len()
    }

    fn known(&self, n: u128) -> Option<u32> {
        if let Some(&value) = usize::try_from(n).ok().and_then(|n| self.values.get(n)) {
            return Some(value);
        }
        let (preperiod, period) = self.period()?;
        let rest = (n - u128::try_from(preperiod).ok()?) % u128::try_from(period).ok()?;
        self.values.get(preperiod + usize::try_from(rest).ok()?).copied()
    }

    /// Tabulates `size` heaps and looks for the period.
    fn grow(&mut self, size: usize, clock: &Clock) -> Result<(), Error> {
        clock.memory(u64::try_from(size).unwrap_or(u64::MAX).saturating_mul(BYTES))?;
        self.extend(size, clock)?;
        let window = self.set.last().map_or(1, |&max| usize::try_from(max).expect("less than the size"));
        if let Some(period) = least_shift(&self.values, window)? {
            let mut preperiod = self.values.len() - period;
            while preperiod > 0 && self.values[preperiod - 1] == self.values[preperiod - 1 + period] {
                preperiod -= 1;
            }
            self.values.truncate(preperiod + period);
            self.values.shrink_to_fit();
            self.preperiod = Some(preperiod);
        }
        Ok(())
    }

    /// Appends the values of heaps up to `size` (exclusive).
    fn extend(&mut self, size: usize, clock: &Clock) -> Result<(), Error> {
        let set: Vec<usize> = self.set.iter().filter_map(|&s| usize::try_from(s).ok()).collect();
        let values = &mut self.values;
        reserve(values, size.saturating_sub(values.len()))?;
        // seen[v] = n + 1: value v occurs among the options of n. A mex is at most |S|.
        let mut seen = vec![0usize; set.len() + 1];
        for n in values.len()..size {
            if n.is_multiple_of(16_384) {
                clock.check()?;
            }
            let mex = if set.len() < 64 {
                let options = set.iter().take_while(|&&s| s <= n);
                options.fold(0u64, |mask, s| mask | 1 << values[n - s]).trailing_ones()
            } else {
                for &s in set.iter().take_while(|&&s| s <= n) {
                    seen[usize::try_from(values[n - s]).expect("a u32 fits")] = n + 1;
                }
                let mex = seen.iter().position(|&at| at != n + 1).unwrap_or(set.len() + 1);
                u32::try_from(mex).map_err(|_| Error::new("width", "more than 2^32 numbers may be taken"))?
            };
            values.push(mex);
        }
        Ok(())
    }
}

/// The least `p >= 1` such that the last `window` values also stand `p` places earlier.
fn least_shift(values: &[u32], window: usize) -> Result<Option<usize>, Error> {
    let n = values.len();
    let at = |i: usize| values[n - 1 - i];
    // Z-function of the reversed table: z[i] = length of the common prefix of it and its suffix from i, as far
    // as the window.
    let mut z: Vec<u32> = Vec::new();
    reserve(&mut z, n)?;
    z.push(0);
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
            return Ok(Some(i));
        }
        // A shorter length than the true one is still right to start from.
        z.push(u32::try_from(length).unwrap_or(u32::MAX));
        if i + length > right {
            (left, right) = (i, i + length);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;

    fn find(set: &[u64]) -> Subtraction {
        let mut game = Subtraction::new(set);
        game.nimber(u128::MAX, &Limits::default().clock()).unwrap();
        game
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
            let clock = Limits::default().clock();
            let mut game = Subtraction::new(&set);
            let values = naive(&set, 3000);
            for (n, &value) in values.iter().enumerate() {
                prop_assert_eq!(game.nimber(n as u128, &clock).unwrap(), value, "heap {}", n);
            }
            game.nimber(u128::MAX, &clock).unwrap();
            let (n0, p) = game.period().unwrap();
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
            assert_eq!(find(set).period(), Some((preperiod, period)), "{set:?}");
        }
        let clock = Limits::default().clock();
        let one_period = [0, 1, 0, 1, 2, 3, 2];
        assert_eq!(find(&[1, 3, 4]).nimber(7 * 10u128.pow(18) + 4, &clock).unwrap(), one_period[4]);
    }

    #[test]
    fn a_search_that_is_cut_off_says_so() {
        let limits = Limits { memory: Some(1 << 11), ..Limits::default() };
        let mut game = Subtraction::new(&[2, 5, 11, 23, 47, 61]);
        let error = game.nimber(10u128.pow(18), &limits.clock()).unwrap_err();
        assert_eq!(error.id(), "memory");
        assert!(error.to_string().contains("no 61 successive ones repeat"), "{error}");
        let mut game = Subtraction::new(&[u64::MAX]);
        assert_eq!(game.nimber(10u128.pow(18), &limits.clock()).unwrap_err().id(), "memory");
    }
}
