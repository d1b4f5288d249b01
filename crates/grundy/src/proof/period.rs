//! The least period that a table shows, as far as a theorem about periods needs it.
//!
//! The theorem asks that `g(n + p) = g(n)` for `n0 <= n < d*n0 + (d-1)*p + t` (see the checker's R1 and R2), so a table of
//! `d*(n0 + p) + t` heaps settles it. Each shift `p` is compared from the end of the table downwards: for a wrong one two
//! values soon differ, so that all shifts together cost little more than the right one.

/// What the theorem asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Theorem {
    /// d: the most heaps that a move leaves.
    pub(super) heaps: u64,
    /// t: the most that a move takes.
    pub(super) taken: u64,
    /// The least preperiod for which it is stated.
    pub(super) from: u64,
}

impl Theorem {
    /// The preperiod and the period of the shortest period that these values settle.
    pub(super) fn settled(self, values: &[u32]) -> Option<(u64, u64)> {
        let heaps = values.len() as u64;
        // d*(n0 + p) + t <= heaps
        let most = heaps.checked_sub(self.taken)? / self.heaps;
        (1..=most.checked_sub(self.from)?).find_map(|period| {
            let shift = usize::try_from(period).ok()?;
            let pairs = values[..values.len().checked_sub(shift)?].iter().zip(&values[shift..]);
            let preperiod = pairs.rev_position(|(a, b)| a != b).map_or(0, |last| last as u64 + 1);
            (preperiod.max(self.from) + period <= most).then_some((preperiod, period))
        })
    }
}

/// The last place for which something holds.
trait RevPosition: DoubleEndedIterator + ExactSizeIterator + Sized {
    fn rev_position(mut self, holds: impl Fn(Self::Item) -> bool) -> Option<usize> {
        while let Some(item) = self.next_back() {
            if holds(item) {
                return Some(self.len());
            }
        }
        None
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator> RevPosition for I {}

/// The law of that period.
pub(super) fn law(values: &[u32], preperiod: u64, period: u64) -> Option<String> {
    let listed = usize::try_from(preperiod.checked_add(period)?).ok()?;
    let listed: Vec<String> = values.get(..listed)?.iter().map(ToString::to_string).collect();
    Some(format!("g(0..) = {}\ng(n + {period}) = g(n) for n >= {preperiod}", listed.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_period_with_its_preperiod_is_found() {
        let values: Vec<u32> = (0..40).map(|n| if n < 5 { 9 } else { n % 6 }).collect();
        let one = Theorem { heaps: 1, taken: 4, from: 0 };
        assert_eq!(one.settled(&values), Some((5, 6)));
        assert_eq!(one.settled(&values[..15]), Some((5, 6)));
        assert_eq!(one.settled(&values[..14]), None);
        let two = Theorem { heaps: 2, taken: 2, from: 1 };
        assert_eq!(two.settled(&values[..24]), Some((5, 6)));
        assert_eq!(two.settled(&values[..23]), None);
        assert_eq!(two.settled(&[0; 6]), Some((0, 1)));
        assert_eq!(two.settled(&[]), None);
        assert_eq!(law(&[0, 1, 2, 1, 2], 1, 2).unwrap(), "g(0..) = 0, 1, 2\ng(n + 2) = g(n) for n >= 1");
    }
}
