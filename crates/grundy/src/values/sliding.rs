//! The sliding window: options `L(n)..n` whose left end stands still or steps by one (rule R3).
//!
//! Let heaps `n >= start` have the options `L(n), L(n) + 1, ..., n - 1`, with `L(start) = start`, `L(n) <= n` and
//! `L(n + 1) - L(n)` 0 or 1. Then `g` maps `L(n)..=n` one-to-one onto `0..=n - L(n)`. For `start` this is clear. From
//! `n` to `n + 1` either the left end stands still: all values `0..=n - L(n)` are among the options, and the mex
//! is the next one, `g(n + 1) = n + 1 - L(n + 1)`; or it steps: exactly the value `g(L(n))` leaves the
//! window, is therefore the mex, and is taken up again: `g(n + 1) = g(L(n))`.
//!
//! So a value is found by walking down, `n -> L(n - 1)`, until the left end stands still, and the heaps with a given
//! value by walking up: the least heap with that value is the least `x` with `x - L(x) = v`, and the next one after
//! `x` is the first heap whose window no longer holds `x`. With `L(n) = ceil(n/k)` both walks take log n
//! steps, for every `k` up to 10^18 and without a table. A window holds at most one heap of each value, so
//! at most one option of a heap has a given value.

use crate::error::Error;
use crate::limits::Clock;

/// A left end: `L(n)`, nondecreasing by steps of 0 or 1, `L(n) <= n`.
pub trait LeftEnd {
    /// `L(n)` for `n >= self.start()`.
    fn at(&self, n: u128) -> u128;

    /// The least heap the lemma speaks about; `L(start) = start`.
    fn start(&self) -> u128 {
        0
    }

    /// One or many steps of the walk down at once: from `n > start` either `Ok(value)` or a smaller heap of the
    /// same value.
    fn down(&self, n: u128) -> Result<u128, u128> {
        let (left, before) = (self.at(n), self.at(n - 1));
        if left == before || left == n { Ok(n - left) } else { Err(before) }
    }
}

/// `ceil(n/k)`: replace `n` by a `y` with `n/k <= y < n`.
#[derive(Clone, Copy, Debug)]
pub struct CeilOver(pub u128);

impl LeftEnd for CeilOver {
    fn at(&self, n: u128) -> u128 {
        n.div_ceil(self.0)
    }

    fn down(&self, n: u128) -> Result<u128, u128> {
        // L steps to n exactly if k divides n - 1: one division, by 64 bits where they do.
        let (quotient, rest) = match (u64::try_from(n - 1), u64::try_from(self.0)) {
            (Ok(m), Ok(k)) => (u128::from(m / k), u128::from(m % k)),
            _ => ((n - 1) / self.0, (n - 1) % self.0),
        };
        if rest == 0 { Err(quotient) } else { Ok(n - 1 - quotient) }
    }
}

/// `n - floor(n/c)`: take at most a `c`-th of the heap.
#[derive(Clone, Copy, Debug)]
pub struct MinusFloorOver(pub u128);

impl LeftEnd for MinusFloorOver {
    fn at(&self, n: u128) -> u128 {
        n - n / self.0
    }

    fn down(&self, n: u128) -> Result<u128, u128> {
        // L stands still exactly at the multiples of c. For n in qc+1..qc+c-1 a step down takes q + 1; go on
        // with the same q until the block is left: max(c, log) blocks in all.
        let (quotient, rest) = (n / self.0, n % self.0);
        if rest == 0 {
            return Ok(quotient);
        }
        if quotient == 0 {
            return Ok(0);
        }
        Err(n - (quotient + 1) * rest.div_ceil(quotient + 1))
    }
}

/// `n - isqrt(n)`: take at most the square root.
#[derive(Clone, Copy, Debug)]
pub struct MinusSqrt;

impl LeftEnd for MinusSqrt {
    fn at(&self, n: u128) -> u128 {
        n - n.isqrt()
    }

    fn down(&self, n: u128) -> Result<u128, u128> {
        // Write n = q^2 + r, 0 <= r <= 2q. L stands still exactly at the squares, r = 0, with value q; else a step
        // down takes q + 1. If r > q, it leads to (q, r - q - 1). If r <= q, it leads to (q - 1, q - 2 + r); for
        // r >= 2 the step after that to (q - 1, r - 2), so even r end at (q - r/2, 0) and odd ones at
        // (q - (r-1)/2, 1), from where one step leads to (q', q') with q' one less: the root is halved.
        let mut q = n.isqrt();
        let mut r = n - q * q;
        if r > q {
            r -= q + 1;
        }
        q -= r / 2;
        if r.is_multiple_of(2) {
            return Ok(q);
        }
        q -= 1;
        Err(q * q + q)
    }
}

/// `n - m`, cut off at `start`: take at most `m`.
#[derive(Clone, Copy, Debug)]
pub struct MinusConstant {
    /// The most one may take, at least 1.
    pub most: u128,
    /// The least heap that may be left.
    pub start: u128,
}

impl LeftEnd for MinusConstant {
    fn at(&self, n: u128) -> u128 {
        n.saturating_sub(self.most).max(self.start)
    }

    fn start(&self) -> u128 {
        self.start
    }

    fn down(&self, n: u128) -> Result<u128, u128> {
        // The walk goes down by m + 1 while that is possible.
        let n = n - self.start;
        Ok(self.most.checked_add(1).map_or(n, |period| n % period))
    }
}

/// The nimber of `n`; `None` below the start, of which the lemma does not speak.
///
/// # Errors
/// Those of the clock. (Only `n - floor(n/c)` with a large `c` takes long: about `c` ln `n` steps.)
pub fn nimber<L: LeftEnd + ?Sized>(left: &L, mut n: u128, clock: &Clock) -> Result<Option<u128>, Error> {
    if n < left.start() {
        return Ok(None);
    }
    for step in 1u32.. {
        if n == left.start() {
            return Ok(Some(0));
        }
        match left.down(n) {
            Ok(value) => return Ok(Some(value)),
            Err(lower) => n = lower,
        }
        if step.is_multiple_of(65_536) {
            clock.check()?;
        }
    }
    Ok(None)
}

/// The option of `n` whose nimber is `value`: there is at most one.
///
/// # Errors
/// Those of the clock.
pub fn option_with<L: LeftEnd + ?Sized>(
    left: &L,
    n: u128,
    value: u128,
    clock: &Clock,
) -> Result<Option<u128>, Error> {
    let lo = left.at(n);
    if n <= left.start() || value > n - lo {
        return Ok(None);
    }
    // The last heap of that value up to n, walking up from the first. If it is n itself, no option has it: the
    // window holds each value once.
    let mut x = least(left.start(), n, |x| x - left.at(x) >= value);
    for step in 1u32.. {
        // n's window holds x, or x is n.
        if x >= lo {
            return Ok((x != n).then_some(x));
        }
        // L(n) > x, so there is a first heap above x whose window has lost x; it takes up the value of x.
        x = least(x, n, |m| left.at(m) > x);
        if step.is_multiple_of(4096) {
            clock.check()?;
        }
    }
    Ok(None)
}

/// The least number in `lo..=hi` that satisfies a condition which, once true, stays true and is true at `hi`.
fn least(mut lo: u128, mut hi: u128, mut holds: impl FnMut(u128) -> bool) -> u128 {
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if holds(mid) { hi = mid } else { lo = mid + 1 }
    }
    lo
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;

    /// The values for start..=top from the rule alone.
    fn naive(left: &dyn LeftEnd, top: u128) -> Vec<u128> {
        let start = left.start();
        let mut values: Vec<u128> = Vec::new();
        for n in start..=top {
            let from = usize::try_from(left.at(n) - start).unwrap();
            let mex = (0..).find(|v| !values[from..].contains(v)).unwrap();
            values.push(mex);
        }
        values
    }

    fn agrees(left: &dyn LeftEnd, top: u128) -> Result<(), TestCaseError> {
        let clock = Limits::default().clock();
        let values = naive(left, top);
        let start = left.start();
        for (n, &value) in (start..).zip(&values) {
            prop_assert_eq!(nimber(left, n, &clock).unwrap(), Some(value), "heap {}", n);
            for v in 0..=20 {
                let want = (left.at(n)..n).find(|&x| values[usize::try_from(x - start).unwrap()] == v);
                prop_assert_eq!(option_with(left, n, v, &clock).unwrap(), want, "from {} to {}", n, v);
            }
        }
        Ok(())
    }

    /// A left end with arbitrary steps.
    #[derive(Debug)]
    struct Steps {
        start: u128,
        ends: Vec<u128>,
    }

    impl LeftEnd for Steps {
        fn at(&self, n: u128) -> u128 {
            self.ends[usize::try_from(n - self.start).unwrap()]
        }
        fn start(&self) -> u128 {
            self.start
        }
    }

    proptest! {
        #[test]
        fn any_left_end_with_small_steps(start in 0u128..3, steps in proptest::collection::vec(any::<bool>(), 1..90)) {
            let mut ends = vec![start];
            for step in &steps {
                ends.push(ends[ends.len() - 1] + u128::from(*step));
            }
            let left = Steps { start, ends };
            agrees(&left, start + steps.len() as u128)?;
        }

        #[test]
        fn the_quick_walks(k in 2u128..12, start in 0u128..3) {
            agrees(&CeilOver(k), 150)?;
            agrees(&MinusFloorOver(k), 150)?;
            agrees(&MinusConstant { most: k, start }, 60)?;
        }

        #[test]
        fn the_quick_walks_far_away(n in 1u128..10u128.pow(30), k in 2u128..10u128.pow(18)) {
            // Against the plain walk, which takes its steps one by one.
            struct Plain<L>(L);
            impl<L: LeftEnd> LeftEnd for Plain<L> {
                fn at(&self, n: u128) -> u128 { self.0.at(n) }
            }
            let clock = Limits::default().clock();
            prop_assert_eq!(
                nimber(&CeilOver(k), n, &clock).unwrap(),
                nimber(&Plain(CeilOver(k)), n, &clock).unwrap()
            );
            let c = k % 300 + 2;
            prop_assert_eq!(
                nimber(&MinusFloorOver(c), n, &clock).unwrap(),
                nimber(&Plain(MinusFloorOver(c)), n, &clock).unwrap()
            );
            let m = n % 1_000_000_000;
            prop_assert_eq!(
                nimber(&MinusSqrt, m + 1, &clock).unwrap(),
                nimber(&Plain(MinusSqrt), m + 1, &clock).unwrap()
            );
        }
    }

    #[test]
    fn square_roots() {
        agrees(&MinusSqrt, 300).unwrap();
    }

    #[test]
    fn the_walk_up_inverts_the_walk_down_at_any_size() {
        let clock = Limits::default().clock();
        let n = 10u128.pow(18);
        for k in [2, 3, 7, 1_000_003, 10u128.pow(18)] {
            let left = CeilOver(k);
            for value in [0, 1, 12_345, n - n.div_ceil(k) - 1, n - n.div_ceil(k)] {
                if let Some(x) = option_with(&left, n, value, &clock).unwrap() {
                    assert!(left.at(n) <= x && x < n);
                    assert_eq!(nimber(&left, x, &clock).unwrap(), Some(value));
                } else {
                    assert!(value > n - left.at(n) || nimber(&left, n, &clock).unwrap() == Some(value));
                }
            }
        }
    }
}
