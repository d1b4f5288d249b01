//! The end of a window heap after heap, without a division each.
//!
//! `floor((a*n + c) / b)` moves by `a / b` from one n to the next, with a remainder that is carried along as in
//! Bresenham's line. Other ends are evaluated as expressions.

use grundy_rule::expr::Int;
use grundy_rule::shape::{LeftEnd, Ratio};

use crate::error::Error;

/// An end of a window that is asked for heap after heap.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// A ratio, at its place.
    Line {
        /// Its value at the present heap.
        value: i64,
        /// What is left of the division, `0..over`.
        rest: i64,
        /// How much the value grows each time, rounded down.
        whole: i64,
        /// How much the rest grows, `0..over`.
        part: i64,
        /// The divisor.
        over: i64,
    },
    /// Anything else.
    Other {
        /// The end.
        end: Box<LeftEnd>,
        /// The present heap.
        heap: Int,
    },
}

/// Heaps and ends beyond this are no business of a table.
const FAR: i64 = 1 << 61;

impl End {
    /// The end, to be asked for heap `first`, `first + 1`, ...
    pub(super) fn new(end: &LeftEnd, first: u64) -> Self {
        let line = match end {
            LeftEnd::Ratio(ratio) => End::line(ratio, first),
            _ => None,
        };
        line.unwrap_or_else(|| End::Other { end: Box::new(end.clone()), heap: Int::from(first) })
    }

    /// `None` if the numbers leave no room for a table's heaps in 64 bits.
    fn line(ratio: &Ratio, first: u64) -> Option<Self> {
        let at = ratio.a.checked_mul(Int::from(first))?.checked_add(ratio.c)?;
        let small = |x: Int| i64::try_from(x).ok().filter(|x| x.abs() < FAR);
        Some(End::Line {
            value: small(at.div_euclid(ratio.b))?,
            rest: small(at.rem_euclid(ratio.b))?,
            whole: small(ratio.a.div_euclid(ratio.b)).filter(|whole| whole.abs() < 1 << 20)?,
            part: small(ratio.a.rem_euclid(ratio.b))?,
            over: small(ratio.b)?,
        })
    }

    /// Its value at the present heap, held within +-2^61; then goes on to the next heap.
    ///
    /// # Errors
    /// Whatever the end's expression gives.
    #[inline]
    pub(super) fn next(&mut self) -> Result<i64, Error> {
        match self {
            End::Line { value, rest, whole, part, over } => {
                let now = *value;
                *value += *whole;
                *rest += *part;
                if *rest >= *over {
                    *rest -= *over;
                    *value += 1;
                }
                Ok(now)
            }
            End::Other { end, heap } => {
                let now = end.at(*heap).map_err(|error| Error::new(error.id, error.message))?;
                *heap += 1;
                let far = Int::from(FAR);
                Ok(i64::try_from(now.clamp(-far, far)).expect("it was just held within 2^61"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_equal_their_formula(a in -50_i128..50, c in -500_i128..500, b in 1_i128..50, first in 0_u64..1000) {
            let ratio = Ratio { a, c, b };
            let mut end = End::new(&LeftEnd::Ratio(ratio), first);
            let line = matches!(end, End::Line { .. });
            prop_assert!(line);
            for n in first..first + 300 {
                prop_assert_eq!(Some(Int::from(end.next().unwrap())), ratio.at(Int::from(n)));
            }
        }

        #[test]
        fn large_numbers_keep_their_formula(a in 0..1_i128 << 100, c in -(1_i128 << 100)..1 << 100, b in 1_i128..1 << 100) {
            let ratio = Ratio { a, c, b };
            let mut end = End::new(&LeftEnd::Ratio(ratio), 3);
            for n in 3..20 {
                let far = Int::from(FAR);
                prop_assert_eq!(Int::from(end.next().unwrap()), ratio.at(n).unwrap().clamp(-far, far));
            }
        }
    }
}
