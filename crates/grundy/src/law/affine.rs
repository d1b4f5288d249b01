//! Affine forms: what the sides of most clauses are once the parameters have values.
//!
//! `3a + b - 1` is the coefficients 3, 1 and the constant -1. A value may hold `g(..)` of affine forms too,
//! as in `6n + 3 - g(n)`. An expression that is not of this form is evaluated as it stands, only slower.

use grundy_rule::expr::{Expr, Int, Op};
use grundy_rule::rule::Param;

/// `coefficients . names + constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Affine {
    /// One for each name of the clause.
    pub(crate) coefficients: Vec<Int>,
    /// What is left when all names are 0.
    pub(crate) constant: Int,
}

/// `sum of factor * g(argument) + rest`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// The terms with `g`, each with its factor; factors are not 0.
    pub(crate) terms: Vec<(Int, Affine)>,
    /// The part without `g`.
    pub(crate) rest: Affine,
}

impl Affine {
    /// The constant form for that many names.
    pub(crate) fn constant(names: usize, constant: Int) -> Affine {
        Affine { coefficients: vec![0; names], constant }
    }

    /// Reads an expression without `g`; `None` if it is not affine, or too large.
    pub(crate) fn of(expr: &Expr, names: usize, params: &[Param]) -> Option<Affine> {
        let form = Form::of(expr, names, params)?;
        form.terms.is_empty().then_some(form.rest)
    }

    /// The value at `names`; `None` beyond 128 bits.
    pub(crate) fn at(&self, names: &[Int]) -> Option<Int> {
        let mut sum = self.constant;
        for (coefficient, name) in self.coefficients.iter().zip(names) {
            sum = sum.checked_add(coefficient.checked_mul(*name)?)?;
        }
        Some(sum)
    }

    /// The constant, if no name has a part in it.
    pub(crate) fn as_constant(&self) -> Option<Int> {
        self.coefficients.iter().all(|c| *c == 0).then_some(self.constant)
    }

    fn combine(&self, other: &Affine, factor: Int) -> Option<Affine> {
        let join = |a: Int, b: Int| a.checked_add(b.checked_mul(factor)?);
        let mut coefficients = Vec::with_capacity(self.coefficients.len());
        for (a, b) in self.coefficients.iter().zip(&other.coefficients) {
            coefficients.push(join(*a, *b)?);
        }
        Some(Affine { coefficients, constant: join(self.constant, other.constant)? })
    }
}

impl Form {
    /// Reads an expression; `None` if it is not of this form, or too large. The depth is that of the
    /// expression, which the parser limits.
    pub(crate) fn of(expr: &Expr, names: usize, params: &[Param]) -> Option<Form> {
        let plain = |rest| Some(Form { terms: Vec::new(), rest });
        match expr {
            Expr::Const(value) => plain(Affine::constant(names, *value)),
            Expr::Slot(slot) => {
                let mut rest = Affine::constant(names, 0);
                *rest.coefficients.get_mut(*slot)? = 1;
                plain(rest)
            }
            Expr::Neg(a) => Form::of(a, names, params)?.scaled(-1),
            Expr::Binary(Op::Add, a, b) => {
                Form::of(a, names, params)?.combine(&Form::of(b, names, params)?, 1)
            }
            Expr::Binary(Op::Sub, a, b) => {
                Form::of(a, names, params)?.combine(&Form::of(b, names, params)?, -1)
            }
            Expr::Binary(Op::Mul, a, b) => {
                let (a, b) = (Form::of(a, names, params)?, Form::of(b, names, params)?);
                match (a.as_constant(), b.as_constant()) {
                    (Some(factor), _) => b.scaled(factor),
                    (_, Some(factor)) => a.scaled(factor),
                    _ => None,
                }
            }
            Expr::Grundy(argument) => Some(Form {
                terms: vec![(1, Affine::of(argument, names, params)?)],
                rest: Affine::constant(names, 0),
            }),
            Expr::Param(_) | Expr::Item(..) | Expr::Len(_) | Expr::Binary(..) | Expr::Call(..) => {
                // Whatever mentions no name has one value, found by the plain evaluation. (A slot beyond an
                // empty frame is caught here, before the evaluation could trip over it.)
                if mentions_names(expr) {
                    return None;
                }
                plain(Affine::constant(names, expr.eval(&[], params).ok()?))
            }
        }
    }

    fn as_constant(&self) -> Option<Int> {
        if self.terms.is_empty() { self.rest.as_constant() } else { None }
    }

    fn scaled(&self, factor: Int) -> Option<Form> {
        let names = self.rest.coefficients.len();
        Form { terms: Vec::new(), rest: Affine::constant(names, 0) }.combine(self, factor)
    }

    fn combine(mut self, other: &Form, factor: Int) -> Option<Form> {
        self.rest = self.rest.combine(&other.rest, factor)?;
        for (f, argument) in &other.terms {
            let f = f.checked_mul(factor)?;
            match self.terms.iter_mut().find(|(_, a)| a == argument) {
                Some((sum, _)) => *sum = sum.checked_add(f)?,
                None => self.terms.push((f, argument.clone())),
            }
        }
        self.terms.retain(|(f, _)| *f != 0);
        Some(self)
    }
}

/// Whether an expression depends on a name or on `g`.
pub(crate) fn mentions_names(expr: &Expr) -> bool {
    match expr {
        Expr::Slot(_) | Expr::Grundy(_) => true,
        Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => false,
        Expr::Item(_, a) | Expr::Neg(a) => mentions_names(a),
        Expr::Binary(_, a, b) => mentions_names(a) || mentions_names(b),
        Expr::Call(_, all) => all.iter().any(mentions_names),
    }
}

/// Whether `g` occurs.
pub(crate) fn has_grundy(expr: &Expr) -> bool {
    match expr {
        Expr::Grundy(_) => true,
        Expr::Slot(_) | Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => false,
        Expr::Item(_, a) | Expr::Neg(a) => has_grundy(a),
        Expr::Binary(_, a, b) => has_grundy(a) || has_grundy(b),
        Expr::Call(_, all) => all.iter().any(has_grundy),
    }
}
