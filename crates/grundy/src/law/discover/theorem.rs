//! When a period that is seen long enough is for ever: finite subtraction sets and octal codes.
//!
//! If options of heap n depend on the last `m` values only, a window of m values that comes again after p heaps brings
//! back everything after it (rule R1). For an octal code whose last digit takes t, it is enough that
//! g(n + p) = g(n) for n0 <= n < 2 n0 + p + t (rule R2; Guy and Smith, *The G-values of various games*, 1956). A search
//! that knows this can stop there. It does not make the law proved: that is for the checker of certificates to say.

use grundy_rule::Rule;
use grundy_rule::shape::{self, Digit, Shape};

use crate::error::Error;
use crate::table::{self, Options};

/// What it takes for a period to be for ever.
pub(super) enum Theorem {
    /// A window of so many values that comes again.
    Window(usize),
    /// Guy and Smith, with the greatest number that may be taken.
    Octal(usize),
}

impl Theorem {
    /// The theorem about the kind of heap that the search tabulates.
    pub(super) fn of(rule: &Rule, options: &Options) -> Result<Option<Theorem>, Error> {
        let kind = table::choose_kind(rule, 1, options.kind.as_deref())?;
        Ok(shape::shapes_of(rule, kind).into_iter().find_map(|shape| match shape {
            Shape::Subtraction(set) => {
                usize::try_from(set.last().copied().unwrap_or(1)).ok().map(Theorem::Window)
            }
            // Marks such as `two unequal heaps` are not of the theorem.
            Shape::TakeAndBreak(code) if code.tail.is_empty() => {
                let octal = |d: &Digit| d.plain().is_some_and(|plain| plain < 8);
                code.digits.iter().all(octal).then(|| Theorem::Octal(code.digits.len() - 1))
            }
            _ => None,
        }))
    }

    /// Whether a period that holds on a table of so many values holds for ever.
    pub(super) fn holds(&self, values: usize, preperiod: usize, period: usize) -> bool {
        match self {
            Theorem::Window(most) => preperiod + period + most <= values,
            Theorem::Octal(most) => 2 * (preperiod + period) + most <= values,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theorems_are_known_by_the_shape_of_the_rule() {
        let of = |text: &str| {
            let (rule, _) = Rule::parse(text, &[]).unwrap();
            Theorem::of(&rule, &Options::default()).unwrap()
        };
        assert!(matches!(of("n -> n - t where t in {2, 7}"), Some(Theorem::Window(7))));
        assert!(matches!(of("n -> a, b where a + b = n - t, t in 1..2"), Some(Theorem::Octal(2))));
        // Unequal heaps, three heaps, and no end of digits.
        assert!(of("n -> a, b where a + b = n, 1 <= a < b").is_none());
        assert!(of("n -> a, b, c where a + b + c = n - 1").is_none());
        assert!(of("n -> a, b where a + b <= n - 1").is_none());
    }
}
