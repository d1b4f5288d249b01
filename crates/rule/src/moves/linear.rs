//! Linear forms over variables and over what is known once the heap is, and the projection of systems of them.
//!
//! A form `sum of coefficient * variable + sum of coefficient * known + constant` stands for "is at least 0". The
//! known symbols are the entries of the heap and expressions in entries alone (`sqrt(n)`, `c[i]`), which are
//! worked out once a heap; the shadow of a system on fewer variables is then found once, at compile time, by
//! Fourier-Motzkin elimination. Dropping a derived form only makes the shadow wider, so growth is simply cut.

use super::fold;
use crate::expr::{Expr, Int, Op};

/// Coefficients stay below this, so that a sum of few products fits 128 bits with ease.
const COEFFICIENT: Int = 1 << 40;

/// More forms than this are not derived when a variable is eliminated.
const FORMS: usize = 40;

/// The symbols of the forms of a branch.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    pub(crate) arity: usize,
    pub(crate) variables: usize,
    /// Expressions in entries alone; the known symbols are the entries, then these.
    pub(crate) opaque: Vec<Expr>,
}

/// A linear form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    /// Coefficients of the variables.
    pub(crate) variables: Vec<Int>,
    /// Coefficients of known symbols: ascending by symbol, none 0.
    pub(crate) known: Vec<(usize, Int)>,
    pub(crate) constant: Int,
}

impl Form {
    pub(crate) fn constant(x: Int, variables: usize) -> Form {
        Form { variables: vec![0; variables], known: Vec::new(), constant: x }
    }

    /// The form that is that variable.
    pub(crate) fn variable(index: usize, variables: usize) -> Form {
        let mut form = Form::constant(0, variables);
        form.variables[index] = 1;
        form
    }

    /// The form of an expression; expressions in entries alone become symbols.
    pub(crate) fn of(e: &Expr, symbols: &mut Symbols) -> Option<Form> {
        let n = symbols.variables;
        let form = match e {
            Expr::Const(x) => Some(Form::constant(*x, n)),
            Expr::Slot(slot) if *slot < symbols.arity => {
                Some(Form { known: vec![(*slot, 1)], ..Form::constant(0, n) })
            }
            Expr::Slot(slot) if slot - symbols.arity < n => Some(Form::variable(slot - symbols.arity, n)),
            Expr::Neg(a) => Form::of(a, symbols)?.times(-1),
            Expr::Binary(Op::Add, a, b) => Form::of(a, symbols)?.plus(&Form::of(b, symbols)?, 1),
            Expr::Binary(Op::Sub, a, b) => Form::of(a, symbols)?.plus(&Form::of(b, symbols)?, -1),
            Expr::Binary(Op::Mul, a, b) => match (&**a, &**b) {
                (Expr::Const(c), other) | (other, Expr::Const(c)) => Form::of(other, symbols)?.times(*c),
                _ => None,
            },
            _ => None,
        };
        if form.is_some() {
            return form.filter(|f| f.constant.abs() <= COEFFICIENT * COEFFICIENT);
        }
        if fold::mentions(e, &|slot| slot >= symbols.arity) {
            return None;
        }
        let place = symbols.opaque.iter().position(|o| o == e).unwrap_or_else(|| {
            symbols.opaque.push(e.clone());
            symbols.opaque.len() - 1
        });
        Some(Form { known: vec![(symbols.arity.saturating_add(place), 1)], ..Form::constant(0, n) })
    }

    pub(crate) fn times(&self, factor: Int) -> Option<Form> {
        Form::default().padded(self.variables.len()).plus(self, factor)
    }

    fn padded(mut self, variables: usize) -> Form {
        self.variables.resize(variables, 0);
        self
    }

    /// `self + factor * other`; `None` if a coefficient grows too large.
    pub(crate) fn plus(&self, other: &Form, factor: Int) -> Option<Form> {
        let small = |x: Int| (-COEFFICIENT..=COEFFICIENT).contains(&x).then_some(x);
        let mut sum = self.clone();
        for (a, b) in sum.variables.iter_mut().zip(&other.variables) {
            *a = small(a.checked_add(b.checked_mul(factor)?)?)?;
        }
        for &(symbol, b) in &other.known {
            let b = b.checked_mul(factor)?;
            match sum.known.binary_search_by_key(&symbol, |k| k.0) {
                Ok(at) => sum.known[at].1 = small(sum.known[at].1.checked_add(b)?)?,
                Err(at) => sum.known.insert(at, (symbol, small(b)?)),
            }
        }
        sum.known.retain(|k| k.1 != 0);
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(sum)
    }

    /// The form with `other` in the place of a variable.
    pub(crate) fn substitute(&self, variable: usize, other: &Form) -> Option<Form> {
        let factor = self.variables[variable];
        let mut rest = self.clone();
        rest.variables[variable] = 0;
        if factor == 0 { Some(rest) } else { rest.plus(other, factor) }
    }

    /// Divided by what divides all coefficients; the constant goes down, as all symbols are whole.
    fn reduced(mut self) -> Form {
        let all = self.variables.iter().chain(self.known.iter().map(|k| &k.1));
        let g = all.fold(0, |g, x| crate::eval::number::gcd(g, x.unsigned_abs()));
        if let Ok(g) = Int::try_from(g)
            && g > 1
        {
            self.variables.iter_mut().for_each(|x| *x /= g);
            self.known.iter_mut().for_each(|k| k.1 /= g);
            self.constant = self.constant.div_euclid(g);
        }
        self
    }

    /// Whether it holds whatever the heap: only entries, none subtracted, and nothing below 0.
    fn is_trivial(&self, arity: usize) -> bool {
        self.variables.iter().all(|&x| x == 0)
            && self.constant >= 0
            && self.known.iter().all(|&(symbol, c)| symbol < arity && c > 0)
    }

    /// Whether `self >= 0` follows from `other >= 0`.
    fn follows_from(&self, other: &Form, arity: usize) -> bool {
        self.variables == other.variables
            && self
                .plus(other, -1)
                .is_some_and(|d| d.constant >= 0 && d.known.iter().all(|&(s, c)| s < arity && c > 0))
    }
}

/// A system of forms, all at least 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    pub(crate) forms: Vec<Form>,
    arity: usize,
}

impl System {
    pub(crate) fn new(arity: usize) -> System {
        System { forms: Vec::new(), arity }
    }

    /// Adds a form, unless another says more; those that say less go.
    pub(crate) fn add(&mut self, form: Form) {
        let form = form.reduced();
        let arity = self.arity;
        if form.is_trivial(arity) || self.forms.iter().any(|f| form.follows_from(f, arity)) {
            return;
        }
        self.forms.retain(|f| !f.follows_from(&form, arity));
        self.forms.push(form);
    }

    /// The shadow on the other variables.
    pub(crate) fn without(&self, variable: usize) -> System {
        let mut shadow = System::new(self.arity);
        for form in self.forms.iter().filter(|f| f.variables[variable] == 0) {
            shadow.add(form.clone());
        }
        for low in self.forms.iter().filter(|f| f.variables[variable] > 0) {
            for high in self.forms.iter().filter(|f| f.variables[variable] < 0) {
                let (a, b) = (low.variables[variable], -high.variables[variable]);
                let sum = low.times(b).and_then(|l| l.plus(high, a));
                if let Some(sum) = sum
                    && shadow.forms.len() < FORMS
                {
                    shadow.add(sum);
                }
            }
        }
        shadow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(variables: &[Int], n: Int, constant: Int) -> Form {
        let known = if n == 0 { vec![] } else { vec![(0, n)] };
        Form { variables: variables.to_vec(), known, constant }
    }

    #[test]
    fn a_shadow_holds_exactly_the_points_with_a_preimage() {
        // 1 <= a <= b <= n - a - b
        let mut system = System::new(1);
        for f in [form(&[1, 0], 0, -1), form(&[-1, 1], 0, 0), form(&[-1, -2], 1, 0), form(&[0, 1], 0, 0)] {
            system.add(f);
        }
        let shadow = system.without(1);
        let holds = |s: &System, a: Int, b: Int, n: Int| {
            s.forms.iter().all(|f| {
                let known: Int = f.known.iter().map(|k| k.1 * n).sum();
                f.variables[0] * a + f.variables[1] * b + known + f.constant >= 0
            })
        };
        for n in 0..20 {
            for a in 0..20 {
                let some = (0..20).any(|b| holds(&system, a, b, n));
                // Rational shadows may hold more whole points; this one does not.
                assert_eq!(holds(&shadow, a, 0, n), some, "a = {a}, n = {n}");
            }
        }
        // a <= n - 1 goes when 3a <= n is there? No: only what follows form by form.
        assert!(shadow.forms.len() <= 3, "{shadow:?}");
    }

    #[test]
    fn weaker_forms_go() {
        let mut system = System::new(1);
        system.add(form(&[-1], 1, 0));
        system.add(form(&[-2], 2, -1));
        assert_eq!(system.forms, [form(&[-1], 1, -1)]);
        system.add(form(&[-1], 1, 5));
        system.add(form(&[0], 3, 0));
        assert_eq!(system.forms, [form(&[-1], 1, -1)]);
        system.add(form(&[0], -1, 0));
        assert_eq!(system.forms.len(), 2, "n <= 0 is not trivial");
    }
}
