//! Linear forms over integer unknowns, exact or not at all.
//!
//! Every operation is checked: a coefficient beyond 128 bits gives `None`, and whoever asked does not get
//! a proof.

use crate::expr::Int;

/// An unknown, by number.
pub type Unknown = usize;

/// `sum of coefficient * unknown + constant`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Linear {
    /// Ascending by unknown, no coefficient is 0.
    terms: Vec<(Unknown, Int)>,
    /// The constant.
    pub constant: Int,
}

impl Linear {
    /// A number.
    #[must_use]
    pub fn constant(constant: Int) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    /// An unknown.
    #[must_use]
    pub fn unknown(unknown: Unknown) -> Linear {
        Linear { terms: vec![(unknown, 1)], constant: 0 }
    }

    /// The unknowns with their coefficients, ascending.
    #[must_use]
    pub fn terms(&self) -> &[(Unknown, Int)] {
        &self.terms
    }

    /// The number, if there is no unknown in it.
    #[must_use]
    pub fn as_constant(&self) -> Option<Int> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The coefficient of an unknown.
    #[must_use]
    pub fn coefficient(&self, unknown: Unknown) -> Int {
        self.terms.binary_search_by_key(&unknown, |t| t.0).map_or(0, |i| self.terms[i].1)
    }

    /// `self * p + other * q`.
    #[must_use]
    pub fn combine(&self, p: Int, other: &Linear, q: Int) -> Option<Linear> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let left = self.terms.get(i).map_or(usize::MAX, |t| t.0);
            let right = other.terms.get(j).map_or(usize::MAX, |t| t.0);
            let unknown = left.min(right);
            let mut sum: Int = 0;
            if left == unknown {
                sum = self.terms[i].1.checked_mul(p)?;
                i += 1;
            }
            if right == unknown {
                sum = sum.checked_add(other.terms[j].1.checked_mul(q)?)?;
                j += 1;
            }
            if sum != 0 {
                terms.push((unknown, sum));
            }
        }
        let constant = self.constant.checked_mul(p)?.checked_add(other.constant.checked_mul(q)?)?;
        Some(Linear { terms, constant })
    }

    /// `self + other`.
    #[must_use]
    pub fn plus(&self, other: &Linear) -> Option<Linear> {
        self.combine(1, other, 1)
    }

    /// `self - other`.
    #[must_use]
    pub fn minus(&self, other: &Linear) -> Option<Linear> {
        self.combine(1, other, -1)
    }

    /// `self * factor`.
    #[must_use]
    pub fn times(&self, factor: Int) -> Option<Linear> {
        self.combine(factor, &Linear::default(), 0)
    }

    /// `self + number`.
    #[must_use]
    pub fn add(&self, number: Int) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(number)?;
        Some(sum)
    }

    /// `self` with `value` for an unknown.
    #[must_use]
    pub fn replace(&self, unknown: Unknown, value: &Linear) -> Option<Linear> {
        let coefficient = self.coefficient(unknown);
        if coefficient == 0 {
            return Some(self.clone());
        }
        let mut rest = self.clone();
        rest.terms.retain(|t| t.0 != unknown);
        rest.combine(1, value, coefficient)
    }

    /// Divides by the common divisor of the coefficients. The constant is rounded down, which loses
    /// nothing of `self >= 0` over the integers.
    pub(crate) fn tighten(&mut self) {
        let divisor = self.content();
        if divisor > 1 {
            for term in &mut self.terms {
                term.1 /= divisor;
            }
            self.constant = self.constant.div_euclid(divisor);
        }
    }

    /// The greatest common divisor of the coefficients; 0 if there are none.
    pub(crate) fn content(&self) -> Int {
        self.terms.iter().fold(0, |g, t| gcd(g, t.1))
    }

    /// Of a form that is to be 0: whether it can be by its own coefficients. `None` if that cannot be computed.
    pub(crate) fn may_be_zero(&self) -> Option<bool> {
        match self.content() {
            0 => Some(self.constant == 0),
            content => Some(self.constant.checked_rem(content)? == 0),
        }
    }

    /// Of two forms that are at least 0, with `unknown` bounded from below by the first and from above by the second:
    /// what follows without it. `None` beyond 128 bits.
    pub(crate) fn meet(&self, above: &Linear, unknown: Unknown) -> Option<Linear> {
        let (a, b) = (self.coefficient(unknown), above.coefficient(unknown).checked_neg()?);
        let common = gcd(a, b);
        self.combine(b.checked_div(common)?, above, a.checked_div(common)?)
    }

    /// Parts forms that are at least 0: those without the unknown, those that bound it from below, from above.
    pub(crate) fn part(rows: Vec<Linear>, unknown: Unknown) -> [Vec<Linear>; 3] {
        let mut parted = [const { Vec::new() }; 3];
        for row in rows {
            let place = match row.coefficient(unknown).signum() {
                0 => 0,
                1 => 1,
                _ => 2,
            };
            parted[place].push(row);
        }
        parted
    }

    /// Drops the constant: a key for forms that differ by a constant.
    pub(crate) fn without_constant(&self) -> Vec<(Unknown, Int)> {
        self.terms.clone()
    }
}

/// Greatest common divisor, at least 0. (A coefficient of -2^127 gives 1: nothing is divided then.)
pub(crate) fn gcd(a: Int, b: Int) -> Int {
    let (Some(mut a), Some(mut b)) = (a.checked_abs(), b.checked_abs()) else { return 1 };
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
