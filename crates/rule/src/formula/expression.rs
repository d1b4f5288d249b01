//! Expressions as linear forms: exact, with new unknowns and cases where they are needed.

use std::collections::HashMap;

use super::cases::{Case, Stop, fits, unfit};
use super::{Bits, Condition, Linear};
use crate::ast::RelOp;
use crate::eval::number;
use crate::expr::{Expr, Func, Int, Op};
use crate::rule::Value;

/// Greatest divisor whose remainders are listed.
const LISTED: Int = 64;

/// The forms that expressions and quotients have in this case.
#[derive(Default)]
pub(super) struct Values {
    expressions: HashMap<Expr, Linear>,
    quotients: HashMap<(Linear, Int), Linear>,
    /// Remainders: forms that are equal to an unknown of their own.
    remainders: HashMap<Linear, usize>,
}

impl Values {
    /// The meaning of a slot has changed. Quotients are told by forms and stay.
    pub(super) fn forget(&mut self) {
        self.expressions.clear();
    }
}

impl Case<'_> {
    /// The value of an expression. Nesting is bounded by the parser, so this recursion is too.
    pub(super) fn value(&mut self, expr: &Expr) -> Result<Linear, Stop> {
        if let Some(form) = self.values.expressions.get(expr) {
            return Ok(form.clone());
        }
        let form = match expr {
            Expr::Const(number) => Linear::constant(*number),
            Expr::Slot(slot) => match self.slots.get(*slot) {
                Some(Some(form)) => form.clone(),
                _ => return unfit("a `for` name outside its list"),
            },
            Expr::Param(id) => match self.params.get(*id).and_then(|p| p.value.as_ref()) {
                Some(Value::Number(number)) => Linear::constant(*number),
                _ => return self.no_value(*id),
            },
            Expr::Len(id) => {
                let length = match self.params.get(*id).and_then(|p| p.value.as_ref()) {
                    Some(Value::Set(v) | Value::List(v)) => v.len(),
                    Some(Value::Pairs(v)) => v.len(),
                    _ => return self.no_value(*id),
                };
                Linear::constant(fits(Int::try_from(length).ok())?)
            }
            Expr::Item(id, index) => {
                let index = self.value(index)?;
                let Some(index) = index.as_constant() else { return unfit("an item at an unknown place") };
                match self.params.get(*id).and_then(|p| p.value.as_ref()) {
                    Some(Value::List(v)) => match usize::try_from(index).ok().and_then(|i| v.get(i)) {
                        Some(item) => Linear::constant(*item),
                        None => return unfit("an item that the list does not have"),
                    },
                    _ => return self.no_value(*id),
                }
            }
            Expr::Neg(a) => fits(self.value(a)?.times(-1))?,
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.binary(*op, &a, &b)?
            }
            Expr::Call(func, args) => {
                let args: Vec<Linear> = args.iter().map(|arg| self.value(arg)).collect::<Result<_, _>>()?;
                self.call(*func, &args)?
            }
            Expr::Grundy(heap) => {
                let heap = self.value(heap)?;
                let nimber = self.fresh();
                let Some(calls) = &mut self.calls else { return unfit("g(..) has a meaning in laws only") };
                calls.push((heap, nimber));
                Linear::unknown(nimber)
            }
        };
        self.values.expressions.insert(expr.clone(), form.clone());
        Ok(form)
    }

    fn binary(&mut self, op: Op, a: &Linear, b: &Linear) -> Result<Linear, Stop> {
        match op {
            Op::Add => fits(a.plus(b)),
            Op::Sub => fits(a.minus(b)),
            Op::Mul => match (a.as_constant(), b.as_constant()) {
                (Some(number), _) => fits(b.times(number)),
                (_, Some(number)) => fits(a.times(number)),
                _ => unfit("a product of two unknowns is not linear"),
            },
            Op::FloorDiv => self.quotient(a, b),
            Op::CeilDiv => {
                let negative = fits(a.times(-1))?;
                let floor = self.quotient(&negative, b)?;
                fits(floor.times(-1))
            }
            Op::Mod => {
                let divisor = self.divisor(b)?;
                let floor = self.quotient(a, b)?;
                let rest = fits(floor.times(divisor).and_then(|f| a.minus(&f)))?;
                let remainder = self.values.remainders.get(&rest);
                Ok(remainder.map_or(rest, |remainder| Linear::unknown(*remainder)))
            }
            Op::Pow => match (a.as_constant(), b.as_constant()) {
                (Some(a), Some(b)) => Ok(Linear::constant(fits(number::pow(a, b))?)),
                (_, Some(0)) => Ok(Linear::constant(1)),
                (_, Some(1)) => Ok(a.clone()),
                _ => unfit("a power of unknowns is not linear"),
            },
        }
    }

    fn divisor(&self, form: &Linear) -> Result<Int, Stop> {
        match form.as_constant() {
            Some(0) => Err(Stop::Never),
            Some(number) => Ok(number),
            None => unfit("a quotient by an unknown is not linear"),
        }
    }

    /// `floor(a / b)` for a number b.
    ///
    /// What comes out of a rule is numbered in certificates, and stays as it is: two inequalities. In laws the remainder
    /// is an unknown of its own, since an equation leaves an automaton less to try than inequalities do.
    fn quotient(&mut self, a: &Linear, b: &Linear) -> Result<Linear, Stop> {
        let divisor = self.divisor(b)?;
        let (a, divisor) = if divisor < 0 {
            (fits(a.times(-1))?, fits(divisor.checked_neg())?)
        } else {
            (a.clone(), divisor)
        };
        if divisor == 1 {
            return Ok(a);
        }
        if let Some(number) = a.as_constant() {
            return Ok(Linear::constant(number.div_euclid(divisor)));
        }
        let key = (a, divisor);
        if let Some(known) = self.values.quotients.get(&key) {
            return Ok(known.clone());
        }
        let a = &key.0;
        let natural = self.is_natural(a)?;
        let unknown = Linear::unknown(self.fresh());
        let quotient = if natural { unknown } else { fits(unknown.times(-1))? };
        // 0 <= a - divisor * quotient < divisor
        let rest = fits(quotient.times(divisor).and_then(|q| a.minus(&q)))?;
        if self.strict && divisor <= LISTED {
            let remainder = self.fresh();
            self.zero(rest.minus(&Linear::unknown(remainder)))?;
            let rows = (0..divisor).map(|r| vec![r]).collect();
            self.demand(Condition::Among { unknowns: vec![remainder], rows, holds: true });
            self.values.remainders.insert(rest, remainder);
            self.values.quotients.insert(key, quotient.clone());
            return Ok(quotient);
        }
        self.at_least_zero(rest.times(-1).and_then(|r| r.add(divisor - 1)))?;
        self.at_least_zero(Some(rest))?;
        self.values.quotients.insert(key, quotient.clone());
        Ok(quotient)
    }

    fn call(&mut self, func: Func, args: &[Linear]) -> Result<Linear, Stop> {
        let constants: Option<Vec<Int>> = args.iter().map(Linear::as_constant).collect();
        if let Some(constants) = constants {
            let call = Expr::Call(func, constants.into_iter().map(Expr::Const).collect());
            return match call.eval(&[], &[]) {
                Ok(number) => Ok(Linear::constant(number)),
                Err(_) => Err(Stop::Never),
            };
        }
        match (func, args) {
            (Func::Min | Func::Max, [first, rest @ ..]) => {
                let mut best = first.clone();
                for other in rest {
                    let low = if func == Func::Min { &best } else { other };
                    let high = if func == Func::Min { other } else { &best };
                    let (op, taken) = if self.choose(2)? == 0 {
                        (RelOp::Le, best.clone())
                    } else {
                        (RelOp::Gt, other.clone())
                    };
                    self.relation(low, op, high)?;
                    best = taken;
                }
                Ok(best)
            }
            (Func::Abs, [a]) => {
                if self.is_natural(a)? {
                    Ok(a.clone())
                } else {
                    fits(a.times(-1))
                }
            }
            (Func::Xor | Func::BitAnd | Func::BitOr, [first, rest @ ..]) => {
                let op = match func {
                    Func::Xor => Bits::Xor,
                    Func::BitAnd => Bits::And,
                    _ => Bits::Or,
                };
                if self.strict && !args.iter().all(Case::is_plainly_natural) {
                    return unfit("bits of a number that may be negative");
                }
                let mut left = self.natural(first)?;
                for right in rest {
                    let right = self.natural(right)?;
                    let result = self.fresh();
                    self.demand(Condition::Bits { op, left, right, result });
                    left = result;
                }
                Ok(Linear::unknown(left))
            }
            (Func::Bit, [a, place]) => match place.as_constant().and_then(|p| number::pow(2, p)) {
                Some(weight) => {
                    let high = self.quotient(a, &Linear::constant(weight))?;
                    let higher = self.quotient(&high, &Linear::constant(2))?;
                    fits(higher.times(2).and_then(|h| high.minus(&h)))
                }
                None => unfit("bit(x, i) needs a small number i"),
            },
            _ => unfit(format!("{func:?}(..) of unknowns has no automaton").to_lowercase()),
        }
    }
}
