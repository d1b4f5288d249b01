//! When a take-and-break game is known to be periodic for ever.
//!
//! Guy and Smith: let t be the greatest number that may be taken. If g(n + p) = g(n) for all n with
//! n0 <= n < 2 n0 + p + t, then for all n >= n0. (For n >= 2 n0 + p + t the larger part of a split of n + p is at
//! least n0 + p, so p may be taken from it, and that of a split of n at least n0, so p may be added.) The larger
//! part less p may be equal to the other one, so the theorem is used only where equal parts are as good as
//! different ones.
//!
//! For every p at once, how far back the last values agree with those p before is the Z function of the sequence
//! read backwards, in linear time.

/// Where a sequence begins to repeat for ever, and with which period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Period {
    /// g(n + period) = g(n) for all n from here on.
    pub(super) from: usize,
    /// The period.
    pub(super) period: usize,
}

/// The least period that the values of heaps 0, 1, .. prove by the theorem; `longest` is its t.
pub(super) fn find(values: &[u16], longest: usize) -> Option<Period> {
    let count = values.len();
    // 2 from + 2 period + longest <= count, and from >= 1.
    let most = count.checked_sub(longest + 2)? / 2;
    let agree = z(values, most);
    (1..=most).find_map(|period| {
        let from = (count - period - agree[period] as usize).max(1);
        (2 * from + 2 * period + longest <= count).then_some(Period { from, period })
    })
}

/// For p in `0..=most`, how many of the last values equal those p before them; there are fewer than 2^32 values.
fn z(values: &[u16], most: usize) -> Vec<u32> {
    let count = values.len();
    let at = |i: usize| values[count - 1 - i];
    let mut agree = vec![0_u32; most + 1];
    // The stretch that reaches furthest: values left..right agree with those at its beginning.
    let (mut left, mut right) = (0, 0);
    for p in 1..=most {
        let mut length = if p < right { (agree[p - left] as usize).min(right - p) } else { 0 };
        while p + length < count && at(length) == at(p + length) {
            length += 1;
        }
        agree[p] = u32::try_from(length).unwrap_or(u32::MAX);
        if p + length > right {
            (left, right) = (p, p + length);
        }
    }
    agree
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_the_theorem(values in prop::collection::vec(0_u16..2, 0..60), longest in 0_usize..4) {
            let holds = |from: usize, p: usize| {
                let end = 2 * from + p + longest;
                end + p <= values.len() && (from..end).all(|n| values[n] == values[n + p])
                    && (from..values.len() - p).all(|n| values[n] == values[n + p])
            };
            let plain = (1..=values.len()).find(|p| (1..values.len()).any(|from| holds(from, *p)));
            prop_assert_eq!(find(&values, longest).map(|found| found.period), plain);
            if let Some(found) = find(&values, longest) {
                prop_assert!(holds(found.from, found.period));
                prop_assert!(found.from == 1 || !(found.from - 1..values.len() - found.period).all(|n| values[n] == values[n + found.period]));
            }
        }
    }
}
