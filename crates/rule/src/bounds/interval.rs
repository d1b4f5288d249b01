//! Intervals of integers whose ends may be unlimited, or finite without being known yet.
//!
//! The same arithmetic serves two questions. While a heap is enumerated every end is a number or unlimited.
//! Before any heap is known (`error[unbounded]`) an entry is "finite, not known yet": a fourth sort of end that
//! stands between all numbers and the unlimited end, and that sums, products and quotients hand on. Ordering
//! the four sorts as `i128` keeps comparisons plain: below every number [`NEG`] < [`NEG_FINITE`], above every
//! number [`POS_FINITE`] < [`POS`].
//!
//! Results are always hulls: they may be too wide, never too narrow. A number past [`LIMIT`] counts as
//! unlimited.

use crate::eval::number;
use crate::expr::Int;

/// No lower end.
pub(crate) const NEG: Int = Int::MIN;
/// A lower end that exists and is not known yet.
pub(crate) const NEG_FINITE: Int = Int::MIN + 1;
/// An upper end that exists and is not known yet.
pub(crate) const POS_FINITE: Int = Int::MAX - 1;
/// No upper end.
pub(crate) const POS: Int = Int::MAX;
/// The greatest number that is an end; two of them can be added.
pub(crate) const LIMIT: Int = (1 << 126) - 1;

/// `lo..=hi`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) lo: Int,
    pub(crate) hi: Int,
}

impl Interval {
    pub(crate) const ALL: Interval = Interval { lo: NEG, hi: POS };
    pub(crate) const NATURALS: Interval = Interval { lo: 0, hi: POS };
    /// Any number, known once the heap and the parameters are.
    pub(crate) const FINITE: Interval = Interval { lo: NEG_FINITE, hi: POS_FINITE };

    pub(crate) fn new(lo: Int, hi: Int) -> Self {
        // An end that ran off on the wrong side stands for "beyond every number we handle".
        let lo = if lo > LIMIT { LIMIT } else { lo };
        let hi = if hi < -LIMIT { -LIMIT } else { hi };
        Interval { lo, hi }
    }

    pub(crate) fn point(x: Int) -> Self {
        Interval::new(clamp(x), clamp(x))
    }

    /// The number, if there is just one.
    pub(crate) fn known(self) -> Option<Int> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    /// Whether both ends are numbers.
    pub(crate) fn is_numeric(self) -> bool {
        self.lo >= -LIMIT && self.hi <= LIMIT
    }

    pub(crate) fn meet(self, other: Interval) -> Interval {
        Interval { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    pub(crate) fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub(crate) fn neg(self) -> Interval {
        Interval::new(neg(self.hi), neg(self.lo))
    }

    pub(crate) fn add(self, other: Interval) -> Interval {
        Interval::new(add(self.lo, other.lo), add(self.hi, other.hi))
    }

    pub(crate) fn sub(self, other: Interval) -> Interval {
        self.add(other.neg())
    }

    pub(crate) fn mul(self, other: Interval) -> Interval {
        if self.lo >= 0 && other.lo >= 0 {
            return Interval::new(mul(self.lo, other.lo), mul(self.hi, other.hi));
        }
        let corners =
            [mul(self.lo, other.lo), mul(self.lo, other.hi), mul(self.hi, other.lo), mul(self.hi, other.hi)];
        Interval::new(least(corners), greatest(corners))
    }

    /// The integers x with x * y in `self` for some y in `by`, which must not contain 0; or `self // by`, `self`
    /// divided upwards, by choice of the roundings of the two ends.
    fn divide(self, by: Interval, lo: fn(Int, Int) -> Int, hi: fn(Int, Int) -> Int) -> Interval {
        if by.lo >= 1 {
            // The least quotient is that of the least number, by what brings it furthest down; so for the greatest.
            let least = lo(self.lo, if self.lo >= 0 { by.hi } else { by.lo });
            let greatest = hi(self.hi, if self.hi >= 0 { by.lo } else { by.hi });
            return Interval::new(least, greatest);
        }
        let corners = [(self.lo, by.lo), (self.lo, by.hi), (self.hi, by.lo), (self.hi, by.hi)];
        Interval::new(least(corners.map(|(a, b)| lo(a, b))), greatest(corners.map(|(a, b)| hi(a, b))))
    }

    /// The integers x with x * y in `self` for some y in `by`, where `by` does not contain 0.
    pub(crate) fn exact_quotients(self, by: Interval) -> Interval {
        self.divide(by, quotient_up, quotient_down)
    }

    /// `self // by`; a divisor 0 has no quotient and is passed over.
    pub(crate) fn floor_div(self, by: Interval) -> Interval {
        self.by_sign(by, |x, y| x.divide(y, quotient_down, quotient_down))
    }

    /// `self / by` rounded up.
    pub(crate) fn ceil_div(self, by: Interval) -> Interval {
        self.by_sign(by, |x, y| x.divide(y, quotient_up, quotient_up))
    }

    fn by_sign(self, by: Interval, divide: impl Fn(Interval, Interval) -> Interval) -> Interval {
        let above = by.meet(Interval { lo: 1, hi: POS });
        let below = by.meet(Interval { lo: NEG, hi: -1 });
        match (above.is_empty(), below.is_empty()) {
            (false, true) => divide(self, above),
            (true, false) => divide(self, below),
            (false, false) => divide(self, above).hull(divide(self, below)),
            (true, true) => Interval::ALL,
        }
    }

    /// `self % by`
    pub(crate) fn modulo(self, by: Interval) -> Interval {
        if by.lo >= 1 {
            if self.lo >= 0 && self.hi < by.lo {
                return self;
            }
            let hi = add(by.hi, -1);
            return Interval::new(0, if self.lo >= 0 { hi.min(self.hi) } else { hi });
        }
        Interval::new(add(by.lo, 1).min(0), add(by.hi, -1).max(0))
    }

    /// `self ^ exponent`
    pub(crate) fn pow(self, exponent: Interval) -> Interval {
        let exponent = exponent.meet(Interval::NATURALS);
        if exponent.is_empty() {
            return Interval::ALL;
        }
        if self.lo < 0 && exponent.known().is_some_and(|e| e % 2 == 0) {
            return self.abs().pow(exponent);
        }
        if self.lo >= 1 {
            return Interval::new(pow(self.lo, exponent.lo), pow(self.hi, exponent.hi));
        }
        let size = neg(self.lo).max(self.hi).max(1);
        let hi = pow(size, exponent.hi);
        if self.lo >= 0 { Interval::new(0, hi) } else { Interval::new(neg(hi), hi) }
    }

    /// `abs(self)`
    pub(crate) fn abs(self) -> Interval {
        if self.lo >= 0 {
            self
        } else if self.hi <= 0 {
            self.neg()
        } else {
            Interval::new(0, neg(self.lo).max(self.hi))
        }
    }

    /// The floor of the square root, for the naturals in `self`.
    pub(crate) fn sqrt(self) -> Interval {
        let root = |x: Int| if x > LIMIT { x } else { x.max(0).isqrt() };
        Interval::new(root(self.lo), root(self.hi))
    }

    /// How many integers it holds; `None`: without end.
    pub(crate) fn count(self) -> Option<u128> {
        if !self.is_numeric() {
            return None;
        }
        Some(if self.is_empty() { 0 } else { self.hi.abs_diff(self.lo) + 1 })
    }
}

fn least(corners: [Int; 4]) -> Int {
    corners.into_iter().fold(POS, Int::min)
}

fn greatest(corners: [Int; 4]) -> Int {
    corners.into_iter().fold(NEG, Int::max)
}

/// A number that is too large to be an end becomes unlimited.
pub(crate) fn clamp(x: Int) -> Int {
    if x > LIMIT {
        POS
    } else if x < -LIMIT {
        NEG
    } else {
        x
    }
}

fn is_number(x: Int) -> bool {
    (-LIMIT..=LIMIT).contains(&x)
}

/// The end that is unlimited (or finite and unknown, if `finite`) in that direction.
fn beyond(positive: bool, finite: bool) -> Int {
    match (positive, finite) {
        (true, true) => POS_FINITE,
        (true, false) => POS,
        (false, true) => NEG_FINITE,
        (false, false) => NEG,
    }
}

fn is_unlimited(x: Int) -> bool {
    x == POS || x == NEG
}

pub(crate) fn neg(x: Int) -> Int {
    match x {
        NEG => POS,
        NEG_FINITE => POS_FINITE,
        POS_FINITE => NEG_FINITE,
        POS => NEG,
        _ => -x,
    }
}

pub(crate) fn add(a: Int, b: Int) -> Int {
    match (is_number(a), is_number(b)) {
        (true, true) => clamp(a + b),
        (false, true) => a,
        (true, false) => b,
        (false, false) => {
            if is_unlimited(a) {
                a
            } else {
                b
            }
        }
    }
}

pub(crate) fn mul(a: Int, b: Int) -> Int {
    if a == 0 || b == 0 {
        return 0;
    }
    let positive = (a > 0) == (b > 0);
    if is_number(a) && is_number(b) {
        return number::mul(a, b).map_or_else(|| beyond(positive, false), clamp);
    }
    beyond(positive, !is_unlimited(a) && !is_unlimited(b))
}

/// `a / b` rounded down at ends, `b != 0`.
fn quotient_down(a: Int, b: Int) -> Int {
    quotient(a, b, number::floor_div, |positive| if positive { 0 } else { -1 })
}

/// `a / b` rounded up at ends, `b != 0`.
fn quotient_up(a: Int, b: Int) -> Int {
    quotient(a, b, number::ceil_div, Int::from)
}

fn quotient(a: Int, b: Int, exact: fn(Int, Int) -> Option<Int>, tiny: impl Fn(bool) -> Int) -> Int {
    let positive = (a > 0) == (b > 0);
    match (is_number(a), is_number(b)) {
        (true, true) => exact(a, b).unwrap_or_else(|| beyond(positive, false)),
        // A number by something endless: as near to 0 as one likes, on that side.
        (true, false) => {
            if a == 0 {
                0
            } else {
                tiny(positive)
            }
        }
        (false, _) => beyond(positive, !is_unlimited(a)),
    }
}

/// `a^b` at ends, `a >= 1`, `b >= 0`.
pub(crate) fn pow(a: Int, b: Int) -> Int {
    if a == 1 || b == 0 {
        return 1;
    }
    match (is_number(a), is_number(b)) {
        (true, true) => number::pow(a, b).map_or(POS, clamp),
        _ => beyond(true, !is_unlimited(a) && !is_unlimited(b)),
    }
}

/// The greatest e with `base^e <= x`, for `base >= 2`, `x >= 1`; ends are handed on.
pub(crate) fn log_down(x: Int, base: Int) -> Int {
    if !is_number(x) {
        return x;
    }
    if base > x { 0 } else { x.checked_ilog(base).map_or(0, Int::from) }
}

/// The greatest r >= 0 with `r^k <= x`, for `x >= 0`, `k >= 1`; ends are handed on.
pub(crate) fn root_down(x: Int, k: Int) -> Int {
    if is_number(x) { number::root(x.max(0), k.max(1)) } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation holds every result of members, on all small intervals.
    #[test]
    fn hulls_hold_what_they_must() {
        let ends: Vec<Interval> = (-4..5)
            .flat_map(|lo| (lo..6).map(move |hi| Interval { lo, hi }))
            .filter(|i| i.lo <= i.hi)
            .collect();
        for &x in &ends {
            for &y in &ends {
                for a in x.lo..=x.hi {
                    for b in y.lo..=y.hi {
                        let holds = |i: Interval, v: Int, what: &str| {
                            assert!(
                                i.lo <= v && v <= i.hi,
                                "{x:?} {what} {y:?}: {a}, {b} gives {v}, not in {i:?}"
                            );
                        };
                        holds(x.add(y), a + b, "+");
                        holds(x.sub(y), a - b, "-");
                        holds(x.mul(y), a * b, "*");
                        if b != 0 {
                            holds(x.floor_div(y), number::floor_div(a, b).unwrap(), "//");
                            holds(x.ceil_div(y), number::ceil_div(a, b).unwrap(), "ceil /");
                            holds(x.modulo(y), number::floor_mod(a, b), "%");
                            if y.lo > 0 || y.hi < 0 {
                                holds(Interval::point(a * b).exact_quotients(y), a, "quotient");
                                holds(x.mul(y).exact_quotients(y), a, "quotient");
                            }
                        }
                        if b >= 0 {
                            holds(x.pow(y), number::pow(a, b).unwrap(), "^");
                        }
                        holds(x.abs(), a.abs(), "abs");
                        if a >= 0 {
                            holds(x.sqrt(), a.isqrt(), "sqrt");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unknown_ends_are_handed_on() {
        let heap = Interval { lo: 0, hi: POS_FINITE };
        assert_eq!(heap.add(heap).hi, POS_FINITE);
        assert_eq!(heap.mul(Interval { lo: -1, hi: 2 }), Interval::FINITE);
        assert_eq!(heap.add(Interval::NATURALS).hi, POS);
        assert_eq!(heap.exact_quotients(Interval { lo: 1, hi: POS }), Interval { lo: 0, hi: POS_FINITE });
        assert_eq!(Interval::point(2).pow(heap).hi, POS_FINITE);
        assert_eq!(Interval::point(Int::MAX).lo, LIMIT);
    }
}
