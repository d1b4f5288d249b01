//! Is a system of linear inequalities without a solution? Fourier-Motzkin elimination over the integers.
//!
//! One unknown after the other is eliminated by adding every lower bound to every upper bound. If that ends
//! in `-1 >= 0` the system has no solution, not even a rational one; after each step the constants are
//! rounded, which also refutes some systems that only lack integer solutions. The converse does not hold: "not
//! refuted" means nothing. That is the safe side, since every question asked here is "is this refuted?".
//!
//! The method doubles exponentially in the worst case; at [`LIMIT`] inequalities it gives up, as it does when a
//! coefficient passes 128 bits. A simplex would scale better and return a certificate, but systems here
//! have a dozen unknowns, and this is a page of code that can be read.

use std::collections::HashMap;

use super::linear::{Linear, Unknown};
use crate::expr::Int;

/// Most inequalities held at a time.
pub(crate) const LIMIT: usize = 600;

/// Inequalities `form >= 0` and equations `form = 0` over integer unknowns.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    /// Each is at least 0.
    pub(crate) at_least_zero: Vec<Linear>,
    /// Each is 0.
    pub(crate) zero: Vec<Linear>,
}

/// The system holds a contradiction.
struct Contradiction;

/// The inequalities in the making: for each direction the tightest constant.
#[derive(Default)]
struct Rows {
    rows: Vec<Linear>,
    tightest: HashMap<Vec<(Unknown, Int)>, usize>,
}

impl Rows {
    fn push(&mut self, mut row: Linear) -> Result<(), Contradiction> {
        row.tighten();
        if let Some(number) = row.as_constant() {
            return if number < 0 { Err(Contradiction) } else { Ok(()) };
        }
        match self.tightest.entry(row.without_constant()) {
            std::collections::hash_map::Entry::Occupied(at) => {
                let held = &mut self.rows[*at.get()];
                held.constant = held.constant.min(row.constant);
            }
            std::collections::hash_map::Entry::Vacant(at) => {
                at.insert(self.rows.len());
                self.rows.push(row);
            }
        }
        Ok(())
    }
}

impl System {
    /// Demands `form >= 0`.
    pub(crate) fn demand(&mut self, form: Linear) {
        self.at_least_zero.push(form);
    }

    /// Demands `form = 0`.
    pub(crate) fn equate(&mut self, form: Linear) {
        self.zero.push(form);
    }

    /// Adds everything that `other` demands.
    pub(crate) fn join(&mut self, other: &System) {
        self.at_least_zero.extend_from_slice(&other.at_least_zero);
        self.zero.extend_from_slice(&other.zero);
    }

    /// Whether it is proved that no integers satisfy the system.
    pub(crate) fn refuted(&self) -> bool {
        matches!(self.eliminate(), Some(Err(Contradiction)))
    }

    /// Whether `form >= 0` is proved to follow.
    pub(crate) fn implies(&self, form: &Linear) -> bool {
        let Some(opposite) = form.times(-1).and_then(|f| f.add(-1)) else { return false };
        let mut system = self.clone();
        system.demand(opposite);
        system.refuted()
    }

    /// `None`: gave up. `Some(Ok(()))`: all unknowns are gone and nothing contradicts.
    fn eliminate(&self) -> Option<Result<(), Contradiction>> {
        let (mut inequalities, mut equations) = (self.at_least_zero.clone(), self.zero.clone());
        while let Some(equation) = equations.pop() {
            if !equation.may_be_zero()? {
                return Some(Err(Contradiction));
            }
            let smallest = equation.terms().iter().min_by_key(|t| t.1.unsigned_abs());
            let Some(&(unknown, coefficient)) = smallest else { continue };
            for form in inequalities.iter_mut().chain(&mut equations) {
                let other = form.coefficient(unknown);
                if other != 0 {
                    // form * |c| - equation * other * sign(c): positive factor, so `>= 0` survives.
                    let common = gcd_of(coefficient, other)?;
                    let keep = (coefficient / common).checked_abs()?;
                    let factor = (other / common).checked_mul(-coefficient.signum())?;
                    *form = form.combine(keep, &equation, factor)?;
                }
            }
        }
        let mut rows = Rows::default();
        for form in inequalities {
            if let Err(contradiction) = rows.push(form) {
                return Some(Err(contradiction));
            }
        }
        loop {
            if rows.rows.len() > LIMIT {
                return None;
            }
            let Some(unknown) = cheapest(&rows.rows) else { return Some(Ok(())) };
            let [kept, lower, upper] = Linear::part(rows.rows, unknown);
            rows = Rows::default();
            for row in kept {
                if let Err(contradiction) = rows.push(row) {
                    return Some(Err(contradiction));
                }
            }
            for low in &lower {
                for up in &upper {
                    if let Err(contradiction) = rows.push(low.meet(up, unknown)?) {
                        return Some(Err(contradiction));
                    }
                    if rows.rows.len() > LIMIT {
                        return None;
                    }
                }
            }
        }
    }
}

/// The unknown whose elimination adds the fewest inequalities.
fn cheapest(rows: &[Linear]) -> Option<Unknown> {
    let mut counts: HashMap<Unknown, (usize, usize)> = HashMap::new();
    for row in rows {
        for (unknown, coefficient) in row.terms() {
            let count = counts.entry(*unknown).or_default();
            if *coefficient > 0 {
                count.0 += 1;
            } else {
                count.1 += 1;
            }
        }
    }
    // Ties go to the least number, so that the work does not depend on hashing.
    counts.into_iter().min_by_key(|(unknown, (low, up))| (low * up, *unknown)).map(|(unknown, _)| unknown)
}

/// A common divisor of two numbers that are not 0.
fn gcd_of(a: Int, b: Int) -> Option<Int> {
    let common = super::linear::gcd(a, b);
    (common != 0).then_some(common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn form(constant: Int, coefficients: &[Int]) -> Linear {
        let mut sum = Linear::constant(constant);
        for (unknown, coefficient) in coefficients.iter().enumerate() {
            sum = sum.combine(1, &Linear::unknown(unknown), *coefficient).unwrap();
        }
        sum
    }

    #[test]
    fn small_systems() {
        // x >= 1, y >= 1, x + y <= 1.
        let mut system = System::default();
        for row in [form(-1, &[1, 0]), form(-1, &[0, 1]), form(1, &[-1, -1])] {
            system.demand(row);
        }
        assert!(system.refuted());
        // x + y = 5, x - y = 0: no integers.
        let mut system = System::default();
        system.equate(form(-5, &[1, 1]));
        system.equate(form(0, &[1, -1]));
        assert!(system.refuted());
        // x >= 3 follows from 2x >= 5.
        let mut system = System::default();
        system.demand(form(-5, &[2]));
        assert!(system.implies(&form(-3, &[1])));
        assert!(!system.implies(&form(-4, &[1])));
    }

    #[test]
    fn a_number_beyond_128_bits_is_no_proof() {
        let mut system = System::default();
        system.demand(form(-1, &[Int::MAX, 3]));
        system.demand(form(-1, &[-Int::MAX, Int::MAX - 1]));
        system.demand(form(-1, &[5, -Int::MAX]));
        system.demand(form(-1, &[Int::MIN + 1, 7]));
        let _ = system.refuted();
    }

    proptest! {
        /// What has a solution in a box is never refuted; in one unknown the answer is exact.
        #[test]
        fn a_system_with_a_solution_is_not_refuted(
            rows in prop::collection::vec((-9i128..=9, prop::collection::vec(-4i128..=4, 3), any::<bool>()), 1..7)
        ) {
            let mut system = System::default();
            for (constant, coefficients, equation) in &rows {
                let row = form(*constant, coefficients);
                if *equation { system.equate(row) } else { system.demand(row) }
            }
            let holds = |x: i128, y: i128, z: i128| rows.iter().all(|(constant, c, equation)| {
                let value = constant + c[0] * x + c[1] * y + c[2] * z;
                if *equation { value == 0 } else { value >= 0 }
            });
            let mut solved = false;
            for x in -6..=6 { for y in -6..=6 { for z in -6..=6 { solved |= holds(x, y, z); } } }
            if system.refuted() { prop_assert!(!solved) }
        }
    }
}
