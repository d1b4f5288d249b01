//! Expressions and conditions compiled to closures.
//!
//! A closure gives `None` where the expression has no value; the caller then asks the plain evaluation
//! ([`crate::eval`]) for the reason, so no message is built in a loop. Numbers are 128 bits wide but mostly
//! small: products and quotients take the 64-bit way when they can, which is several times as fast.
//! Considered: a stack machine over a flat program. It spares allocations at compile time, but every operation
//! pays for the dispatch and the bounds checks that a closure over its operands does not have.

use crate::bounds::facts::Facts;
use crate::eval::{self, number, set};
use crate::expr::{AtomKind, Cond, Expr, Func, Int, Op, RelOp, Set};

/// A compiled expression over a frame.
pub(crate) type Number = Box<dyn Fn(&[Int]) -> Option<Int> + Send + Sync>;
/// A compiled condition over a frame.
pub(crate) type Test = Box<dyn Fn(&[Int]) -> Option<bool> + Send + Sync>;

/// Compiles a folded expression.
pub(crate) fn number(e: &Expr, facts: &Facts) -> Number {
    match e {
        Expr::Const(x) => {
            let x = *x;
            Box::new(move |_| Some(x))
        }
        Expr::Slot(slot) => {
            let slot = *slot;
            Box::new(move |f| f.get(slot).copied())
        }
        Expr::Item(id, index) => {
            let index = number(index, facts);
            match facts.get(*id).and_then(|f| f.items.clone()) {
                Some(items) => Box::new(move |f| items.get(usize::try_from(index(f)?).ok()?).copied()),
                None => Box::new(|_| None),
            }
        }
        // Folding has replaced those that have a value.
        Expr::Param(_) | Expr::Len(_) | Expr::Grundy(_) => Box::new(|_| None),
        Expr::Neg(a) => {
            let a = number(a, facts);
            Box::new(move |f| a(f)?.checked_neg())
        }
        Expr::Binary(op, a, b) => binary(*op, a, b, facts),
        Expr::Call(func, args) => call(*func, args, facts),
    }
}

fn binary(op: Op, a: &Expr, b: &Expr, facts: &Facts) -> Number {
    match (op, a, b) {
        (Op::Add, Expr::Slot(a), Expr::Slot(b)) => {
            let (a, b) = (*a, *b);
            Box::new(move |f| f.get(a)?.checked_add(*f.get(b)?))
        }
        (Op::Sub, Expr::Slot(a), Expr::Slot(b)) => {
            let (a, b) = (*a, *b);
            Box::new(move |f| f.get(a)?.checked_sub(*f.get(b)?))
        }
        (Op::Add, a, Expr::Const(b)) | (Op::Add, Expr::Const(b), a) => {
            let (a, b) = (number(a, facts), *b);
            Box::new(move |f| a(f)?.checked_add(b))
        }
        (Op::Mul, a, Expr::Const(b)) | (Op::Mul, Expr::Const(b), a) => {
            let (a, b) = (number(a, facts), *b);
            Box::new(move |f| number::mul(a(f)?, b))
        }
        _ => {
            let (a, b) = (number(a, facts), number(b, facts));
            match op {
                Op::Add => Box::new(move |f| a(f)?.checked_add(b(f)?)),
                Op::Sub => Box::new(move |f| a(f)?.checked_sub(b(f)?)),
                Op::Mul => Box::new(move |f| number::mul(a(f)?, b(f)?)),
                Op::FloorDiv => Box::new(move |f| number::floor_div(a(f)?, b(f)?)),
                Op::CeilDiv => Box::new(move |f| number::ceil_div(a(f)?, b(f)?)),
                Op::Mod => Box::new(move |f| modulo(a(f)?, b(f)?)),
                Op::Pow => Box::new(move |f| eval::binary(Op::Pow, a(f)?, b(f)?).ok()),
            }
        }
    }
}

fn narrow(a: Int, b: Int) -> Option<(i64, i64)> {
    Some((i64::try_from(a).ok()?, i64::try_from(b).ok()?))
}

fn modulo(a: Int, b: Int) -> Option<Int> {
    if b == 0 { None } else { Some(number::floor_mod(a, b)) }
}

fn call(func: Func, args: &[Expr], facts: &Facts) -> Number {
    let mut args: Vec<Number> = args.iter().map(|a| number(a, facts)).collect();
    if args.len() == 2 {
        // Taken from the end.
        let (Some(b), Some(a)) = (args.pop(), args.pop()) else { return Box::new(|_| None) };
        return match func {
            Func::Min => Box::new(move |f| Some(a(f)?.min(b(f)?))),
            Func::Max => Box::new(move |f| Some(a(f)?.max(b(f)?))),
            Func::Xor => Box::new(move |f| naturals(a(f)?, b(f)?).map(|(a, b)| a ^ b)),
            Func::BitAnd => Box::new(move |f| naturals(a(f)?, b(f)?).map(|(a, b)| a & b)),
            Func::BitOr => Box::new(move |f| naturals(a(f)?, b(f)?).map(|(a, b)| a | b)),
            Func::Gcd => {
                Box::new(move |f| Int::try_from(number::gcd(a(f)?.unsigned_abs(), b(f)?.unsigned_abs())).ok())
            }
            _ => Box::new(move |f| eval::call(func, &[a(f)?, b(f)?]).ok()),
        };
    }
    if args.len() == 1 {
        let Some(a) = args.pop() else { return Box::new(|_| None) };
        return Box::new(move |f| eval::call(func, &[a(f)?]).ok());
    }
    Box::new(move |f| {
        let values = args.iter().map(|a| a(f)).collect::<Option<Vec<_>>>()?;
        eval::call(func, &values).ok()
    })
}

fn naturals(a: Int, b: Int) -> Option<(Int, Int)> {
    (a >= 0 && b >= 0).then_some((a, b))
}

/// Compiles a folded atom.
pub(crate) fn atom(kind: &AtomKind, facts: &Facts) -> Test {
    match kind {
        AtomKind::Rel(a, op, b) => relation(number(a, facts), *op, number(b, facts)),
        AtomKind::In(x, negated, set) => member(number(x, facts), *negated, set, facts),
        AtomKind::PairIn(a, b, negated, id) => {
            let (a, b, negated) = (number(a, facts), number(b, facts), *negated);
            match facts.get(*id).and_then(|f| f.pairs.clone()) {
                Some(pairs) => Box::new(move |f| Some(pairs.contains(a(f)?, b(f)?) != negated)),
                None => Box::new(|_| None),
            }
        }
        AtomKind::Divides(a, negated, b) => {
            let (a, b, negated) = (number(a, facts), number(b, facts), *negated);
            Box::new(move |f| {
                let (a, b) = (a(f)?, b(f)?);
                let holds = match narrow(a, b) {
                    Some((a, b)) if a > 0 => b % a == 0,
                    _ => eval::divides(a, b),
                };
                Some(holds != negated)
            })
        }
    }
}

fn relation(a: Number, op: RelOp, b: Number) -> Test {
    match op {
        RelOp::Eq => Box::new(move |f| Some(a(f)? == b(f)?)),
        RelOp::Ne => Box::new(move |f| Some(a(f)? != b(f)?)),
        RelOp::Lt => Box::new(move |f| Some(a(f)? < b(f)?)),
        RelOp::Le => Box::new(move |f| Some(a(f)? <= b(f)?)),
        RelOp::Gt => Box::new(move |f| Some(a(f)? > b(f)?)),
        RelOp::Ge => Box::new(move |f| Some(a(f)? >= b(f)?)),
    }
}

fn member(x: Number, negated: bool, set: &Set, facts: &Facts) -> Test {
    match set {
        Set::List(all) => {
            let all: Vec<Number> = all.iter().map(|e| number(e, facts)).collect();
            Box::new(move |f| {
                let x = x(f)?;
                let mut found = false;
                for member in &all {
                    found |= member(f)? == x;
                }
                Some(found != negated)
            })
        }
        Set::Range(lo, hi) => {
            let lo = number(lo, facts);
            match hi {
                Some(hi) => {
                    let hi = number(hi, facts);
                    Box::new(move |f| {
                        let (x, lo, hi) = (x(f)?, lo(f)?, hi(f)?);
                        Some((lo <= x && x <= hi) != negated)
                    })
                }
                None => Box::new(move |f| Some((x(f)? >= lo(f)?) != negated)),
            }
        }
        Set::Named(name, args) => {
            let (name, args) = (*name, args.iter().map(|e| number(e, facts)).collect::<Vec<_>>());
            Box::new(move |f| {
                let x = x(f)?;
                let mut known = [0; 2];
                let known = known.get_mut(..args.len())?;
                for (value, arg) in known.iter_mut().zip(&args) {
                    *value = arg(f)?;
                }
                Some(set::named_contains(name, known, x).ok()? != negated)
            })
        }
        Set::Param(id) => match facts.get(*id).and_then(|f| f.members.clone()) {
            Some(members) => Box::new(move |f| Some(members.binary_search(&x(f)?).is_ok() != negated)),
            None => Box::new(|_| None),
        },
    }
}

/// Compiles a folded condition.
pub(crate) fn cond(c: &Cond, facts: &Facts) -> Test {
    match c {
        Cond::And(all) => {
            let mut all: Vec<Test> = all.iter().map(|c| cond(c, facts)).collect();
            if all.len() == 1
                && let Some(only) = all.pop()
            {
                return only;
            }
            Box::new(move |f| {
                for test in &all {
                    if !test(f)? {
                        return Some(false);
                    }
                }
                Some(true)
            })
        }
        Cond::Or(any) => {
            let any: Vec<Test> = any.iter().map(|c| cond(c, facts)).collect();
            Box::new(move |f| {
                for test in &any {
                    if test(f)? {
                        return Some(true);
                    }
                }
                Some(false)
            })
        }
        Cond::Not(c) => {
            let c = cond(c, facts);
            Box::new(move |f| Some(!c(f)?))
        }
        Cond::Atom(a) => atom(&a.kind, facts),
    }
}
