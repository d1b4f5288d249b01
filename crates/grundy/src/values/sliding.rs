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

use grundy_rule::expr::{Expr, Func, Int, Op};
use grundy_rule::shape::{LeftEnd as ShapeEnd, Ratio, SlidingWindow};

use crate::error::Error;
use crate::limits::Clock;

/// A left end: `L(n)`, nondecreasing by steps of 0 or 1, `L(n) <= n`. The walks have general forms here and quick
/// ones where a shape allows.
pub trait LeftEnd {
    /// `L(n)` for `n >= self.start()`.
    ///
    /// # Errors
    /// `overflow` where the expression passes 128 bits.
    fn at(&self, n: u128) -> Result<u128, Error>;

    /// The least heap the lemma speaks about; `L(start) = start`.
    fn start(&self) -> u128 {
        0
    }

    /// One or many steps of the walk down at once, from `n > start`.
    ///
    /// # Errors
    /// Those of [`LeftEnd::at`].
    fn down(&self, n: u128) -> Result<Down, Error> {
        let (left, before) = (self.at(n)?, self.at(n - 1)?);
        Ok(if left == before || left == n { Down::Value(n - left) } else { Down::To(before) })
    }

    /// The least heap whose value is `value`; asked only if it is at most `n`.
    ///
    /// # Errors
    /// Those of [`LeftEnd::at`].
    fn first(&self, value: u128, n: u128) -> Result<u128, Error> {
        least(self.start(), n, |x| Ok(x - self.at(x)? >= value))
    }

    /// The next heap with the value of `x`, which is the first heap whose window has lost `x`; asked only if it
    /// is at most `n`.
    ///
    /// # Errors
    /// Those of [`LeftEnd::at`].
    fn up(&self, x: u128, n: u128) -> Result<u128, Error> {
        least(x, n, |m| Ok(self.at(m)? > x))
    }
}

/// Where a walk down leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Down {
    /// The value itself.
    Value(u128),
    /// A smaller heap of the same value.
    To(u128),
}

/// The left end of a shape.
#[derive(Clone, Debug)]
pub struct Window {
    shape: SlidingWindow,
    quick: Quick,
}

/// Forms whose walks need no search.
#[derive(Clone, Copy, Debug)]
enum Quick {
    CeilOver(CeilOver),
    MinusFloorOver(MinusFloorOver),
    MinusConstant(MinusConstant),
    MinusSqrt,
    None,
}

impl Window {
    /// The window that a rule was recognised to be.
    #[must_use]
    pub fn new(shape: SlidingWindow) -> Self {
        let start = u128::from(shape.first);
        let quick = match &shape.left {
            ShapeEnd::Ratio(Ratio { a: 1, c, b }) if *b >= 2 && *c == b - 1 && start <= 1 => {
                Quick::CeilOver(CeilOver { k: b.unsigned_abs(), start })
            }
            ShapeEnd::Ratio(Ratio { a, c, b }) if *b >= 2 && *a == b - 1 && *c == b - 1 && start == 0 => {
                Quick::MinusFloorOver(MinusFloorOver(b.unsigned_abs()))
            }
            ShapeEnd::Ratio(Ratio { a: 1, c, b: 1 }) if *c < 0 => {
                Quick::MinusConstant(MinusConstant { most: c.unsigned_abs(), start })
            }
            ShapeEnd::Formula(formula) if start == 0 && is_minus_sqrt(&formula.expr) => Quick::MinusSqrt,
            _ => Quick::None,
        };
        Window { shape, quick }
    }

    /// The nimber of `n` where a few operations on 64 bits give it.
    #[inline]
    pub(super) fn small(&self, n: u128) -> Option<u64> {
        match self.quick {
            Quick::CeilOver(quick) => quick.small(n),
            _ => None,
        }
    }

    /// The width of the window, n - L(n), above which no option of `n` has a nimber; where it costs one division.
    #[inline]
    pub(super) fn most(&self, n: u128) -> Option<u64> {
        let Quick::CeilOver(quick) = self.quick else { return None };
        let (n, k) = (u64::try_from(n).ok()?, u64::try_from(quick.k).ok()?);
        Some(n - n.div_ceil(k))
    }

    /// The shape it was made from.
    #[must_use]
    pub fn shape(&self) -> &SlidingWindow {
        &self.shape
    }
}

impl Window {
    /// The walk down, as far as the width of the window stays the same.
    ///
    /// The width w = x - L(x) never falls. While it is the same at x - 1 and x, L steps, and a step down leads from x
    /// to x - 1 - w. So from `n` on all steps are taken at once as long as x - 1 has the width that n - 1 has: where
    /// the width grows slowly, as with log(n), that is nearly all the way.
    fn stride(&self, n: u128) -> Result<Down, Error> {
        let (left, before) = (self.at(n)?, self.at(n - 1)?);
        if left == before || left == n {
            return Ok(Down::Value(n - left));
        }
        let width = n - 1 - before;
        // The least heap of that width: gallop down, then bisect.
        let (mut reach, mut same) = (1, n - 1);
        let lowest = loop {
            let Some(lower) = (n - 1).checked_sub(reach).filter(|lower| *lower >= self.start()) else {
                break self.start();
            };
            if lower - self.at(lower)? < width {
                break lower + 1;
            }
            same = lower;
            reach *= 2;
        };
        let first = least(lowest, same, |x| Ok(x - self.at(x)? >= width))?;
        let steps = (n - 1 - first) / (width + 1) + 1;
        Ok(Down::To(n - steps * (width + 1)))
    }
}

/// `n - sqrt(n)`, with the heap in slot 0.
fn is_minus_sqrt(expr: &Expr) -> bool {
    matches!(expr, Expr::Binary(Op::Sub, n, root)
        if **n == Expr::Slot(0)
            && matches!(&**root, Expr::Call(Func::Sqrt, of) if of.as_slice() == [Expr::Slot(0)]))
}

impl LeftEnd for Window {
    fn at(&self, n: u128) -> Result<u128, Error> {
        if let Quick::CeilOver(quick) = self.quick {
            return quick.at(n);
        }
        let too_large = || Error::new("overflow", format!("heap {n} is beyond the integers of rules, 2^127"));
        let heap = Int::try_from(n).map_err(|_| too_large())?;
        let left = self.shape.left_at(heap).map_err(|error| Error::new(error.id, error.message))?;
        u128::try_from(left).map_err(|_| too_large())
    }

    fn start(&self) -> u128 {
        u128::from(self.shape.first)
    }

    fn down(&self, n: u128) -> Result<Down, Error> {
        match self.quick {
            Quick::CeilOver(quick) => quick.down(n),
            Quick::MinusFloorOver(quick) => quick.down(n),
            Quick::MinusConstant(quick) => quick.down(n),
            Quick::MinusSqrt => MinusSqrt.down(n),
            Quick::None => self.stride(n),
        }
    }

    fn first(&self, value: u128, n: u128) -> Result<u128, Error> {
        match self.quick {
            Quick::CeilOver(quick) => quick.first(value, n),
            Quick::MinusConstant(quick) => quick.first(value, n),
            _ => least(self.start(), n, |x| Ok(x - self.at(x)? >= value)),
        }
    }

    fn up(&self, x: u128, n: u128) -> Result<u128, Error> {
        match self.quick {
            Quick::CeilOver(quick) => quick.up(x, n),
            Quick::MinusFloorOver(quick) => quick.up(x, n),
            Quick::MinusConstant(quick) => quick.up(x, n),
            _ => least(x, n, |m| Ok(self.at(m)? > x)),
        }
    }
}

/// `ceil(n/k)`, `k >= 2`: replace `n` by a `y` with `n/k <= y < n`.
#[derive(Clone, Copy, Debug)]
struct CeilOver {
    k: u128,
    /// 0 or 1.
    start: u128,
}

impl CeilOver {
    /// The nimber of `n`, if `n` and `k` fit 64 bits: all steps down at once.
    #[inline]
    fn small(&self, n: u128) -> Option<u64> {
        let (Ok(mut heap), Ok(k)) = (u64::try_from(n), u64::try_from(self.k)) else { return None };
        if k == 2 {
            // Odd heaps lose their last binary digit, which is 1. What has no other ends at 0.
            return Some(heap.checked_shr(heap.trailing_ones()).unwrap_or(0) / 2);
        }
        while heap > 1 {
            let (quotient, rest) = ((heap - 1) / k, (heap - 1) % k);
            if rest != 0 {
                return Some(heap - 1 - quotient);
            }
            heap = quotient;
        }
        Some(0)
    }
}

impl LeftEnd for CeilOver {
    fn at(&self, n: u128) -> Result<u128, Error> {
        Ok(match (u64::try_from(n), u64::try_from(self.k)) {
            (Ok(n), Ok(k)) => u128::from(n.div_ceil(k)),
            _ => n.div_ceil(self.k),
        })
    }

    fn start(&self) -> u128 {
        self.start
    }

    fn down(&self, n: u128) -> Result<Down, Error> {
        // L steps to n exactly if k divides n - 1. Where 64 bits do, all such steps are taken here: heaps of a
        // contest have up to 60.
        if let Some(value) = self.small(n) {
            return Ok(Down::Value(u128::from(value)));
        }
        let (quotient, rest) = ((n - 1) / self.k, (n - 1) % self.k);
        Ok(if rest == 0 { Down::To(quotient) } else { Down::Value(n - 1 - quotient) })
    }

    fn first(&self, value: u128, _n: u128) -> Result<u128, Error> {
        // n = qk + b, 1 <= b <= k, has n - L(n) = q (k - 1) + b - 1, and is the first with that unless b = 1.
        Ok(if value == 0 { self.start } else { value + value.div_ceil(self.k - 1) })
    }

    fn up(&self, x: u128, n: u128) -> Result<u128, Error> {
        Ok(x.checked_mul(self.k).map_or(n, |kx| kx.saturating_add(1)))
    }
}

/// `n - floor(n/c)`, `c >= 2`: take at most a `c`-th of the heap.
#[derive(Clone, Copy, Debug)]
struct MinusFloorOver(u128);

impl LeftEnd for MinusFloorOver {
    fn at(&self, n: u128) -> Result<u128, Error> {
        Ok(n - n / self.0)
    }

    fn down(&self, n: u128) -> Result<Down, Error> {
        // L stands still exactly at the multiples of c. For n in qc+1..qc+c-1 a step down takes q + 1; go on
        // with the same q until the block is left.
        let (quotient, rest) = (n / self.0, n % self.0);
        Ok(if rest == 0 {
            Down::Value(quotient)
        } else if quotient == 0 {
            Down::Value(0)
        } else {
            Down::To(n - (quotient + 1) * rest.div_ceil(quotient + 1))
        })
    }

    fn up(&self, x: u128, _n: u128) -> Result<u128, Error> {
        // qc + s, 1 <= s < c, is the first heap with left end q (c - 1) + s.
        Ok(x / (self.0 - 1) * self.0 + x % (self.0 - 1) + 1)
    }
}

/// `n - isqrt(n)`: take at most the square root.
#[derive(Clone, Copy, Debug)]
struct MinusSqrt;

impl LeftEnd for MinusSqrt {
    fn at(&self, n: u128) -> Result<u128, Error> {
        Ok(n - n.isqrt())
    }

    fn down(&self, n: u128) -> Result<Down, Error> {
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
            return Ok(Down::Value(q));
        }
        q -= 1;
        Ok(Down::To(q * q + q))
    }
}

/// `n - m`, cut off at `start`: take at most `m`.
#[derive(Clone, Copy, Debug)]
struct MinusConstant {
    /// The most one may take, at least 1.
    most: u128,
    /// The least heap that may be left.
    start: u128,
}

impl LeftEnd for MinusConstant {
    fn at(&self, n: u128) -> Result<u128, Error> {
        Ok(n.saturating_sub(self.most).max(self.start))
    }

    fn start(&self) -> u128 {
        self.start
    }

    fn down(&self, n: u128) -> Result<Down, Error> {
        // The walk goes down by m + 1 while that is possible.
        let n = n - self.start;
        Ok(Down::Value(self.most.checked_add(1).map_or(n, |period| n % period)))
    }

    fn first(&self, value: u128, n: u128) -> Result<u128, Error> {
        // And up by m + 1: the last one up to n at once.
        let first = self.start + value;
        Ok(self.most.checked_add(1).map_or(first, |period| n - (n - first) % period))
    }
}

/// The nimber of `n`; `None` below the start, of which the lemma does not speak.
///
/// # Errors
/// Those of the clock and of [`LeftEnd::at`]. (Only `n - floor(n/c)` with a large `c` takes long: up to `c` ln `n`
/// steps.)
pub fn nimber<L: LeftEnd + ?Sized>(left: &L, mut n: u128, clock: &Clock) -> Result<Option<u128>, Error> {
    if n < left.start() {
        return Ok(None);
    }
    for step in 1u32.. {
        if n == left.start() {
            return Ok(Some(0));
        }
        match left.down(n)? {
            Down::Value(value) => return Ok(Some(value)),
            Down::To(lower) => n = lower,
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
/// As [`nimber`].
pub fn option_with<L: LeftEnd + ?Sized>(
    left: &L,
    n: u128,
    value: u128,
    clock: &Clock,
) -> Result<Option<u128>, Error> {
    if n <= left.start() {
        return Ok(None);
    }
    let lo = left.at(n)?;
    if lo == n || value > n - lo {
        return Ok(None);
    }
    // The last heap of that value up to n, walking up from the first. If it is n itself, no option has it: the
    // window holds each value once.
    let mut x = left.first(value, n)?;
    for step in 1u32.. {
        // n's window holds x, or x is n.
        if x >= lo {
            return Ok((x != n).then_some(x));
        }
        // L(n) > x, so x was lost at n or before.
        x = left.up(x, n)?;
        if step.is_multiple_of(4096) {
            clock.check()?;
        }
    }
    Ok(None)
}

/// The least number in `lo..=hi` that satisfies a condition which, once true, stays true and is true at `hi`.
fn least(
    mut lo: u128,
    mut hi: u128,
    mut holds: impl FnMut(u128) -> Result<bool, Error>,
) -> Result<u128, Error> {
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if holds(mid)? { hi = mid } else { lo = mid + 1 }
    }
    Ok(lo)
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
            let from = usize::try_from(left.at(n).unwrap() - start).unwrap();
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
                let want =
                    (left.at(n).unwrap()..n).find(|&x| values[usize::try_from(x - start).unwrap()] == v);
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
        fn at(&self, n: u128) -> Result<u128, Error> {
            Ok(self.ends[usize::try_from(n - self.start).unwrap()])
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
            agrees(&CeilOver { k, start: start.min(1) }, 150)?;
            agrees(&MinusFloorOver(k), 150)?;
            agrees(&MinusConstant { most: k, start }, 60)?;
        }

        #[test]
        fn the_quick_walks_far_away(n in 1u128..10u128.pow(30), k in 2u128..10u128.pow(18)) {
            // Against the plain walk, which takes its steps one by one.
            struct Plain<L>(L);
            impl<L: LeftEnd> LeftEnd for Plain<L> {
                fn at(&self, n: u128) -> Result<u128, Error> {
                    self.0.at(n)
                }
            }
            let clock = Limits::default().clock();
            prop_assert_eq!(
                nimber(&CeilOver { k, start: 0 }, n, &clock).unwrap(),
                nimber(&Plain(CeilOver { k, start: 0 }), n, &clock).unwrap()
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
    fn no_option_has_a_value_beyond_the_width() {
        for (k, first) in [(2, 0), (3, 1), (7, 0)] {
            let shape = SlidingWindow { first, left: ShapeEnd::Ratio(Ratio { a: 1, c: k - 1, b: k }) };
            let window = Window::new(shape);
            let values = naive(&window, 120);
            for n in u128::from(first)..=120 {
                let place = |heap: u128| usize::try_from(heap - window.start()).unwrap();
                let options = &values[place(window.at(n).unwrap())..place(n)];
                let most = window.most(n).map(u128::from).unwrap();
                assert!(options.iter().all(|value| *value <= most), "{n} of {k}");
                assert_eq!(window.small(n).map(u128::from), Some(values[place(n)]), "{n} of {k}");
            }
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
            let left = CeilOver { k, start: 0 };
            for value in [0, 1, 12_345, n - n.div_ceil(k) - 1, n - n.div_ceil(k)] {
                if let Some(x) = option_with(&left, n, value, &clock).unwrap() {
                    assert!(left.at(n).unwrap() <= x && x < n);
                    assert_eq!(nimber(&left, x, &clock).unwrap(), Some(value));
                } else {
                    assert!(
                        value > n - left.at(n).unwrap() || nimber(&left, n, &clock).unwrap() == Some(value)
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn shapes_choose_the_right_walk(a in 0i128..5, b in 1i128..6, c in -7i128..7, first in 0u64..4) {
            let shape = SlidingWindow { first, left: ShapeEnd::Ratio(Ratio { a, c, b }) };
            let first = i128::from(first);
            // Only what the shape promises: L(first) = first, steps of 0 and 1, L(n) <= n.
            let ends: Vec<i128> = (first..140).map(|n| shape.left_at(n).unwrap()).collect();
            let promised = ends[0] == first
                && ends.windows(2).all(|w| w[0] == w[1] || w[0] + 1 == w[1])
                && (first..).zip(&ends).all(|(n, end)| *end <= n);
            prop_assume!(promised);
            agrees(&Window::new(shape), 130)?;
        }
    }
}
