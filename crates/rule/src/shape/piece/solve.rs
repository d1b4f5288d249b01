//! Solves for the variables of an alternative: what each is in terms of the base and the heaps left.

use super::walk::slots;
use crate::ends::linear::{Linear, Unknown};
use crate::expr::{AtomKind, Expr, Int, Op, RelOp, Set, Slot};
use crate::rule::{Param, Value};

/// Linear forms over unknowns, with an auxiliary for each expression that is not linear.
pub(super) struct Forms<'a> {
    pub(super) params: &'a [Param],
    /// The unknown of slot 0.
    pub(super) first: Unknown,
    pub(super) frame: usize,
    /// The expressions (slots of the rule) with the slots in them.
    pub(super) auxiliaries: Vec<(Expr, Vec<Slot>)>,
}

impl Forms<'_> {
    /// The form of an expression over the slots of the rule; `None` on overflow.
    pub(super) fn form(&mut self, expr: &Expr) -> Option<Linear> {
        match expr {
            Expr::Const(number) => Some(Linear::constant(*number)),
            Expr::Slot(slot) if *slot < self.frame => Some(Linear::unknown(self.first + slot)),
            Expr::Param(id) => match self.params.get(*id)?.value.as_ref() {
                Some(Value::Number(number)) => Some(Linear::constant(*number)),
                _ => Some(self.auxiliary(expr)),
            },
            Expr::Neg(a) => self.form(a)?.times(-1),
            Expr::Binary(Op::Add, a, b) => self.form(a)?.plus(&self.form(b)?),
            Expr::Binary(Op::Sub, a, b) => self.form(a)?.minus(&self.form(b)?),
            Expr::Binary(Op::Mul, a, b) => {
                let (x, y) = (self.form(a)?, self.form(b)?);
                match (x.as_constant(), y.as_constant()) {
                    (Some(number), _) => y.times(number),
                    (_, Some(number)) => x.times(number),
                    _ => Some(self.auxiliary(expr)),
                }
            }
            _ if slots(expr).is_empty() => match expr.eval(&[], self.params) {
                Ok(number) => Some(Linear::constant(number)),
                Err(_) => Some(self.auxiliary(expr)),
            },
            _ => Some(self.auxiliary(expr)),
        }
    }

    /// The form of an expression without auxiliaries, if it has one.
    fn straight(&self, expr: &Expr) -> Option<Linear> {
        match expr {
            Expr::Const(number) => Some(Linear::constant(*number)),
            Expr::Slot(slot) if *slot < self.frame => Some(Linear::unknown(self.first + slot)),
            Expr::Param(id) => match self.params.get(*id)?.value.as_ref()? {
                Value::Number(number) => Some(Linear::constant(*number)),
                _ => None,
            },
            Expr::Neg(a) => self.straight(a)?.times(-1),
            Expr::Binary(Op::Add, a, b) => self.straight(a)?.plus(&self.straight(b)?),
            Expr::Binary(Op::Sub, a, b) => self.straight(a)?.minus(&self.straight(b)?),
            Expr::Binary(Op::Mul, a, b) => {
                let (x, y) = (self.straight(a)?, self.straight(b)?);
                match (x.as_constant(), y.as_constant()) {
                    (Some(number), _) => y.times(number),
                    (_, Some(number)) => x.times(number),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn auxiliary(&mut self, expr: &Expr) -> Linear {
        let found = self.auxiliaries.iter().position(|(held, _)| held == expr).unwrap_or_else(|| {
            self.auxiliaries.push((expr.clone(), slots(expr)));
            self.auxiliaries.len() - 1
        });
        Linear::unknown(self.first + self.frame + found)
    }

    /// What an atom says as `form >= 0`, all of them, an equation being its own form and the opposite one.
    /// `Some(None)`: not of that kind.
    #[allow(clippy::option_option, reason = "the outer one is overflow, the inner one is the answer")]
    pub(super) fn inequalities(&mut self, atom: &AtomKind) -> Option<Option<Vec<Linear>>> {
        let rows = match atom {
            AtomKind::Rel(a, op, b) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                match op {
                    RelOp::Eq => vec![a.minus(&b)?, b.minus(&a)?],
                    RelOp::Le => vec![b.minus(&a)?],
                    RelOp::Lt => vec![b.minus(&a)?.add(-1)?],
                    RelOp::Ge => vec![a.minus(&b)?],
                    RelOp::Gt => vec![a.minus(&b)?.add(-1)?],
                    RelOp::Ne => return Some(None),
                }
            }
            AtomKind::In(e, false, Set::Range(low, high)) => {
                let e = self.form(e)?;
                let mut rows = vec![e.minus(&self.form(low)?)?];
                if let Some(high) = high {
                    rows.push(self.form(high)?.minus(&e)?);
                }
                rows
            }
            AtomKind::In(e, false, Set::Named(crate::expr::NamedSet::Naturals, _)) => vec![self.form(e)?],
            _ => return Some(None),
        };
        Some(Some(rows))
    }
}

/// What the variables are in terms of the base, the heaps left, leftovers and auxiliaries.
pub(super) struct Solution {
    solved: Vec<(Unknown, Linear)>,
    /// Auxiliaries that an equation of `rest` makes equal to a form without auxiliaries.
    straightened: Vec<(Unknown, Linear)>,
    pub(super) rest: Vec<Linear>,
}

impl Solution {
    /// Solves equations for `variables`, as many as have a coefficient of 1 or -1.
    pub(super) fn of(
        mut equations: Vec<Linear>,
        variables: std::ops::Range<Unknown>,
        forms: &Forms<'_>,
    ) -> Option<Solution> {
        let mut solution = Solution { solved: Vec::new(), straightened: Vec::new(), rest: Vec::new() };
        let bent = |form: &Linear| form.terms().iter().any(|(u, _)| *u >= forms.first + forms.frame);
        loop {
            // Straight equations first: they keep auxiliaries out of the variables.
            equations.sort_by_key(&bent);
            let mut pick = None;
            'search: for (i, equation) in equations.iter().enumerate() {
                for (unknown, coefficient) in equation.terms() {
                    if variables.contains(unknown)
                        && coefficient.unsigned_abs() == 1
                        && !solution.depends(equation, *unknown, forms)
                    {
                        pick = Some((i, *unknown, *coefficient));
                        break 'search;
                    }
                }
            }
            let Some((i, unknown, coefficient)) = pick else { break };
            let equation = equations.remove(i);
            // coefficient * unknown + rest = 0
            let value = equation.replace(unknown, &Linear::default())?.times(-coefficient)?;
            for other in &mut equations {
                *other = other.replace(unknown, &value)?;
            }
            for (_, held) in &mut solution.solved {
                *held = held.replace(unknown, &value)?;
            }
            solution.solved.push((unknown, value));
        }
        equations.retain(|e| e.as_constant() != Some(0));
        for equation in &equations {
            let mut auxiliaries = equation.terms().iter().filter(|t| t.0 >= forms.first + forms.frame);
            if let (Some((unknown, coefficient)), None) = (auxiliaries.next(), auxiliaries.next())
                && coefficient.unsigned_abs() == 1
                && solution.straightened.iter().all(|s| s.0 != *unknown)
            {
                let value = equation.replace(*unknown, &Linear::default())?.times(-coefficient)?;
                solution.straightened.push((*unknown, value));
            }
        }
        solution.rest = equations;
        Some(solution)
    }

    /// Whether an auxiliary in `form` depends on `unknown`, directly or through what is solved already.
    fn depends(&self, form: &Linear, unknown: Unknown, forms: &Forms<'_>) -> bool {
        let first_auxiliary = forms.first + forms.frame;
        let mut seen: Vec<Unknown> = Vec::new();
        let mut todo: Vec<Unknown> =
            form.terms().iter().map(|t| t.0).filter(|u| *u >= first_auxiliary).collect();
        while let Some(at) = todo.pop() {
            let next: Vec<Unknown> = if at >= first_auxiliary {
                forms.auxiliaries[at - first_auxiliary].1.iter().map(|slot| forms.first + slot).collect()
            } else {
                let value = self.solved.iter().find(|(solved, _)| *solved == at);
                value.map_or(Vec::new(), |(_, form)| form.terms().iter().map(|t| t.0).collect())
            };
            for u in next {
                if u == unknown {
                    return true;
                }
                if !seen.contains(&u) {
                    seen.push(u);
                    todo.push(u);
                }
            }
        }
        false
    }

    pub(super) fn is_free(&self, unknown: Unknown) -> bool {
        self.solved.iter().all(|(solved, _)| *solved != unknown)
    }

    /// A form with every solved variable replaced.
    pub(super) fn apply(&self, form: &Linear) -> Option<Linear> {
        let mut form = form.clone();
        for (unknown, value) in &self.solved {
            form = form.replace(*unknown, value)?;
        }
        Some(form)
    }

    /// A form with every solved variable replaced, and auxiliaries that equal something straight.
    pub(super) fn reduce(&self, form: &Linear) -> Option<Linear> {
        let mut form = self.apply(form)?;
        for (unknown, value) in &self.straightened {
            form = form.replace(*unknown, value)?;
        }
        Some(form)
    }

    /// An expression over the slots of the rule as one over the unknowns; linear parts become forms, so that what
    /// cancels is gone.
    pub(super) fn rewrite(&self, expr: &Expr, forms: &Forms<'_>) -> Option<Expr> {
        if let Some(form) = forms.straight(expr) {
            return self.rewrite_form(&self.apply(&form)?, forms);
        }
        let go = |e: &Expr| Some(Box::new(self.rewrite(e, forms)?));
        Some(match expr {
            Expr::Slot(_) | Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => expr.clone(),
            Expr::Item(id, a) => Expr::Item(*id, go(a)?),
            Expr::Neg(a) => Expr::Neg(go(a)?),
            Expr::Grundy(a) => Expr::Grundy(go(a)?),
            Expr::Binary(op, a, b) => Expr::Binary(*op, go(a)?, go(b)?),
            Expr::Call(func, args) => {
                Expr::Call(*func, args.iter().map(|a| self.rewrite(a, forms)).collect::<Option<_>>()?)
            }
        })
    }

    /// A form as an expression over the unknowns.
    pub(super) fn rewrite_form(&self, form: &Linear, forms: &Forms<'_>) -> Option<Expr> {
        let first_auxiliary = forms.first + forms.frame;
        let mut sum: Option<Expr> = None;
        for (unknown, coefficient) in form.terms() {
            // Auxiliaries never depend on themselves, so this ends; see `depends`.
            let term = match unknown.checked_sub(first_auxiliary) {
                Some(auxiliary) => self.rewrite(&forms.auxiliaries[auxiliary].0, forms)?,
                None => Expr::Slot(*unknown),
            };
            let size = Int::try_from(coefficient.unsigned_abs()).ok()?;
            let scaled = match size {
                1 => term,
                _ => Expr::Binary(Op::Mul, Box::new(Expr::Const(size)), Box::new(term)),
            };
            sum = Some(match (sum, *coefficient > 0) {
                (None, true) => scaled,
                (None, false) => Expr::Neg(Box::new(scaled)),
                (Some(sum), true) => Expr::Binary(Op::Add, Box::new(sum), Box::new(scaled)),
                (Some(sum), false) => Expr::Binary(Op::Sub, Box::new(sum), Box::new(scaled)),
            });
        }
        Some(match (sum, form.constant) {
            (None, constant) => Expr::Const(constant),
            (Some(sum), 0) => sum,
            (Some(sum), c) if c > 0 => Expr::Binary(Op::Add, Box::new(sum), Box::new(Expr::Const(c))),
            (Some(sum), c) => Expr::Binary(Op::Sub, Box::new(sum), Box::new(Expr::Const(c.checked_neg()?))),
        })
    }
}
