//! Take between `l` and `r`: values in runs of `l`.
//!
//! With `p = l + r` the nimber of `n` is `floor((n mod p) / l)`. Proof by induction: let `m = n mod p` and `q = floor(m / l)`. An
//! option is `n - t`, `l <= t <= r`, and modulo `p` these are the residues at a distance of at least `l` from `n` both
//! ways round. The residues of value `q` are a run of at most `l` around `m`, all nearer than `l`: no option has value
//! `q`. For `j < q` take `t` in `m - (j+1) l + 1 ..= m - j l`, the heaps of value `j` below `n`: `m - j l >= l` and
//! `m - (j+1) l + 1 <= r - j l`, as `m < l + r`, so one of these `t` may be taken, and `t <= m <= n`. (Known since Bachet for
//! l = 1; Winning Ways ch. 4.)

/// `n -> n - t where t in l..r`, `1 <= l <= r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    least: u128,
    most: u128,
}

impl Interval {
    /// Take `least` to `most`; `None` unless `1 <= least <= most` and their sum fits 128 bits.
    #[must_use]
    pub fn new(least: u128, most: u128) -> Option<Self> {
        (1 <= least && least <= most && least.checked_add(most).is_some()).then_some(Interval { least, most })
    }

    /// The least and the most that may be taken.
    #[must_use]
    pub fn ends(&self) -> (u128, u128) {
        (self.least, self.most)
    }

    /// The nimber of a heap.
    #[must_use]
    pub fn nimber(&self, n: u128) -> u128 {
        n % (self.least + self.most) / self.least
    }

    /// The options of `n` with that nimber: ranges `lo..=hi`, ascending, not touching; at most three.
    #[must_use]
    pub fn options_with(&self, n: u128, value: u128) -> Vec<(u128, u128)> {
        let period = self.least + self.most;
        let Some(run) = value.checked_mul(self.least).filter(|&run| run < period) else { return Vec::new() };
        let Some(hi) = n.checked_sub(self.least) else { return Vec::new() };
        let lo = n.saturating_sub(self.most);
        let length = self.least.min(period - run);
        // The window spans less than a period.
        let blocks = [(lo / period).checked_sub(1), Some(lo / period), (lo / period).checked_add(1)];
        let starts = blocks.into_iter().flatten().filter_map(|b| b.checked_mul(period)?.checked_add(run));
        starts
            .map(|start| (start.max(lo), start.saturating_add(length - 1).min(hi)))
            .filter(|(from, to)| from <= to)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_and_options_are_those_of_the_rule(least in 1usize..9, more in 0usize..9) {
            let most = least + more;
            let game = Interval::new(least as u128, most as u128).unwrap();
            let mut values: Vec<u128> = Vec::new();
            for n in 0..120usize {
                let options: Vec<usize> = (least..=most).filter_map(|t| n.checked_sub(t)).collect();
                let mex = (0..).find(|v| options.iter().all(|&y| values[y] != *v)).unwrap();
                values.push(mex);
                prop_assert_eq!(game.nimber(n as u128), mex, "heap {}", n);
                for v in 0..8 {
                    let got: Vec<u128> =
                        game.options_with(n as u128, v).into_iter().flat_map(|(a, b)| a..=b).collect();
                    let mut want: Vec<u128> =
                        options.iter().filter(|&&y| values[y] == v).map(|&y| y as u128).collect();
                    want.sort_unstable();
                    prop_assert_eq!(got, want, "from {} to {}", n, v);
                }
            }
        }
    }

    #[test]
    fn sizes_of_contests() {
        let game = Interval::new(3, 10u128.pow(18)).unwrap();
        assert_eq!(game.nimber(10u128.pow(18)), 333_333_333_333_333_333);
        assert!(Interval::new(0, 4).is_none() && Interval::new(5, 4).is_none());
    }
}
