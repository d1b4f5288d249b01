//! Laws about the outcome only: `z(i)` is the i-th lost heap, in ascending order.
//!
//! The clauses are those of any law, and say a period (`z(i + 2) = z(i) + 12`), a recurrence
//! (`z(i + 2) = z(i + 1) + z(i)`) or a sequence of Beatty (`z(i) = floor((i + sqrt(5i^2))/2)`: since the integer square
//! root loses less than one, the division by 2 rounds to the same whole, and no float is needed). Whether a heap
//! is lost is found by bisection over i. An index about which no clause speaks means that there are no more.
//!
//! For heaps of two entries a clause gives pairs, whose first entries ascend; each stands for both orders.

use grundy_rule::expr::{Expr, Int};
use grundy_rule::law_text::Subject;

use super::equation::Equation;
use super::{Clause, Law};
use crate::error::Error;

/// Indices beyond this are not asked for: no table or input counts so far.
const MOST: Int = 1 << 100;

impl Law {
    /// 0 for a lost heap.
    pub(super) fn value_by_zeros(&self, n: Int) -> Result<u128, Error> {
        match self.zero_from(0, n, n)? {
            Some(_) => Ok(0),
            None => Err(Error::new(
                "law-outcome",
                format!("the law tells who wins, not nimbers: heap {n} is won, of whatever nimber"),
            )),
        }
    }

    /// The least lost heap in `from..=to`; `value` must be 0.
    pub(super) fn zero_from(&self, value: Int, from: Int, to: Int) -> Result<Option<Int>, Error> {
        if value != 0 {
            return Err(Error::new(
                "law-outcome",
                format!("the law tells who wins, not which heaps have the value {value}"),
            ));
        }
        let index = first_index(from, &mut |i| self.zero(i))?;
        Ok(self.zero(index)?.filter(|z| *z <= to))
    }

    /// `z(i)`; `None` if there are not so many, or it passes 128 bits.
    fn zero(&self, i: Int) -> Result<Option<Int>, Error> {
        known(self.at(i))
    }

    /// Whether the heap `(a, b)` is lost, for a law about heaps of two entries.
    ///
    /// # Errors
    /// `law-pairs` if the law does not speak about pairs; what evaluation may say.
    ///
    /// ```
    /// use grundy::law::Law;
    /// let wythoff = "zeros\nz(i) = (floor((i + sqrt(5*i^2))/2), floor((3*i + sqrt(5*i^2))/2))";
    /// let wythoff = Law::parse(wythoff, &[]).unwrap();
    /// assert!(wythoff.lost_pair(4, 7).unwrap() && wythoff.lost_pair(7, 4).unwrap());
    /// assert!(!wythoff.lost_pair(4, 8).unwrap());
    /// ```
    pub fn lost_pair(&self, a: u128, b: u128) -> Result<bool, Error> {
        let pair = self.clauses.iter().find_map(|clause| match clause {
            Clause::Pair(pair) => Some(pair),
            _ => None,
        });
        let Some(pair) = pair.filter(|_| self.speaks_of() == Subject::Zeros) else {
            return Err(Error::new("law-pairs", "the law does not speak about heaps of two entries"));
        };
        self.is_lost_pair(pair, a, b)
    }

    /// Whether a clause about pairs says that `(a, b)` is lost.
    pub(super) fn is_lost_pair(&self, pair: &(Equation, Expr), a: u128, b: u128) -> Result<bool, Error> {
        let too_large = |_| Error::new("overflow", "a law speaks about heaps below 2^127");
        let (a, b) = (Int::try_from(a).map_err(too_large)?, Int::try_from(b).map_err(too_large)?);
        for (a, b) in [(a, b), (b, a)] {
            let index = first_index(a, &mut |i| Ok(self.pair(pair, i)?.map(|(first, _)| first)))?;
            if self.pair(pair, index)? == Some((a, b)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn pair(&self, (first, second): &(Equation, Expr), i: Int) -> Result<Option<(Int, Int)>, Error> {
        let Some(names) = first.names(i, &self.params)? else { return Ok(None) };
        let at = |expr: &Expr| known(expr.eval(&names, &self.params).map_err(|e| first.failed(i, &e)));
        Ok(at(&first.value)?.zip(at(second)?))
    }
}

/// What is not said is not there, and what passes 128 bits is above every heap.
fn known(value: Result<Int, Error>) -> Result<Option<Int>, Error> {
    match value {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.id(), "law-silent" | "overflow") => Ok(None),
        Err(error) => Err(error),
    }
}

/// The least index whose term is at least `n`, or is not there.
fn first_index(n: Int, term: &mut dyn FnMut(Int) -> Result<Option<Int>, Error>) -> Result<Int, Error> {
    let mut below = |i: Int| Ok::<bool, Error>(term(i)?.is_some_and(|z| z < n));
    let mut hi = 1;
    while below(hi - 1)? && hi < MOST {
        hi *= 2;
    }
    let (mut lo, mut hi) = (hi / 2, hi - 1);
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if below(mid)? { lo = mid + 1 } else { hi = mid }
    }
    Ok(lo)
}
