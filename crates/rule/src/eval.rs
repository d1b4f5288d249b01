//! What expressions, sets and conditions mean: the plain evaluation that everything else must agree with.
//!
//! This is a walk over the tree with checked arithmetic, written to be obvious rather than fast. The compiled
//! forms in [`crate::moves`] are tested against it, and whoever only needs a value now and then (laws, problem
//! files, the certificate checker) calls it directly. The depth of the walk is that of the expression, which
//! the parser limits.
//!
//! Numbers are exact. Whatever has no value (a quotient by zero, an index outside a list, a result beyond 128
//! bits) is an [`EvalError`] with the numbers in its message; conditions are evaluated from left to right and
//! stop when decided, so that `b >= 1, a % b = 0` is safe.

pub(crate) mod number;
pub(crate) mod set;

use crate::expr::{AtomKind, Cond, EvalError, Expr, Func, Int, Op, ParamId, RelOp, Set};
use crate::pairs::Pairs;
use crate::rule::{Param, Value};

pub use set::Members;

impl EvalError {
    /// A result that does not fit 128 bits.
    pub(crate) fn overflow(what: impl Into<String>) -> Self {
        EvalError { id: "overflow", message: format!("{} does not fit 128 bits", what.into()) }
    }

    /// A quotient or remainder by zero.
    pub(crate) fn division(message: impl Into<String>) -> Self {
        EvalError { id: "division", message: message.into() }
    }

    /// An argument for which the function is not defined.
    pub(crate) fn domain(message: impl Into<String>) -> Self {
        EvalError { id: "domain", message: message.into() }
    }

    /// More than anyone wants to wait for.
    pub(crate) fn too_many(message: impl Into<String>) -> Self {
        EvalError { id: "limit", message: message.into() }
    }

    /// An index outside a list.
    pub(crate) fn index(message: impl Into<String>) -> Self {
        EvalError { id: "index", message: message.into() }
    }
}

/// What `g(e)` means while a law is evaluated.
type Grundy<'a> = &'a mut dyn FnMut(Int) -> Result<Int, EvalError>;

impl Expr {
    /// The value over that frame.
    ///
    /// # Errors
    /// What has no value: see the module. `g(..)` has none here, see [`Expr::eval_with`].
    pub fn eval(&self, frame: &[Int], params: &[Param]) -> Result<Int, EvalError> {
        self.eval_with(frame, params, &mut |_| Err(EvalError::domain("g(..) has a meaning in laws only")))
    }

    /// The value over that frame, with `grundy` for `g(..)`.
    ///
    /// # Errors
    /// What has no value, and what `grundy` refuses.
    pub fn eval_with(&self, frame: &[Int], params: &[Param], grundy: Grundy<'_>) -> Result<Int, EvalError> {
        match self {
            Expr::Const(value) => Ok(*value),
            Expr::Slot(slot) => {
                frame.get(*slot).copied().ok_or_else(|| EvalError::index("a name without a value"))
            }
            Expr::Param(id) => number_of(params, *id),
            Expr::Item(id, index) => {
                let index = index.eval_with(frame, params, grundy)?;
                item(name_of(params, *id), list_of(params, *id)?, index)
            }
            Expr::Len(id) => len_of(params, *id),
            Expr::Neg(a) => {
                let a = a.eval_with(frame, params, grundy)?;
                a.checked_neg().ok_or_else(|| EvalError::overflow(format!("-({a})")))
            }
            Expr::Binary(op, a, b) => {
                let a = a.eval_with(frame, params, grundy)?;
                let b = b.eval_with(frame, params, grundy)?;
                binary(*op, a, b)
            }
            Expr::Call(func, args) => {
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    values.push(arg.eval_with(frame, params, grundy)?);
                }
                call(*func, &values)
            }
            Expr::Grundy(argument) => {
                let argument = argument.eval_with(frame, params, grundy)?;
                grundy(argument)
            }
        }
    }
}

impl AtomKind {
    /// Whether it holds over that frame.
    ///
    /// # Errors
    /// A part that has no value.
    pub fn eval(&self, frame: &[Int], params: &[Param]) -> Result<bool, EvalError> {
        match self {
            AtomKind::Rel(a, op, b) => Ok(op.holds(a.eval(frame, params)?, b.eval(frame, params)?)),
            AtomKind::In(x, negated, set) => {
                let x = x.eval(frame, params)?;
                Ok(set.contains(x, frame, params)? != *negated)
            }
            AtomKind::PairIn(a, b, negated, id) => {
                let (a, b) = (a.eval(frame, params)?, b.eval(frame, params)?);
                Ok(pairs_of(params, *id)?.contains(a, b) != *negated)
            }
            AtomKind::Divides(a, negated, b) => {
                let (a, b) = (a.eval(frame, params)?, b.eval(frame, params)?);
                Ok(divides(a, b) != *negated)
            }
        }
    }
}

impl Cond {
    /// Whether it holds over that frame; stops as soon as that is decided.
    ///
    /// # Errors
    /// A part that has no value and was needed.
    pub fn eval(&self, frame: &[Int], params: &[Param]) -> Result<bool, EvalError> {
        match self {
            Cond::And(all) => {
                for cond in all {
                    if !cond.eval(frame, params)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Cond::Or(any) => {
                for cond in any {
                    if cond.eval(frame, params)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Cond::Not(cond) => Ok(!cond.eval(frame, params)?),
            Cond::Atom(atom) => atom.kind.eval(frame, params),
        }
    }
}

impl Set {
    /// Whether `x` is a member; every expression in it is evaluated.
    ///
    /// # Errors
    /// A part that has no value.
    pub fn contains(&self, x: Int, frame: &[Int], params: &[Param]) -> Result<bool, EvalError> {
        match self {
            Set::List(all) => {
                let mut found = false;
                for member in all {
                    found |= member.eval(frame, params)? == x;
                }
                Ok(found)
            }
            Set::Range(lo, hi) => {
                let lo = lo.eval(frame, params)?;
                let hi = hi.as_ref().map(|hi| hi.eval(frame, params)).transpose()?;
                Ok(lo <= x && hi.is_none_or(|hi| x <= hi))
            }
            Set::Named(name, args) => {
                let args = args.iter().map(|arg| arg.eval(frame, params)).collect::<Result<Vec<_>, _>>()?;
                set::named_contains(*name, &args, x)
            }
            Set::Param(id) => match value_of(params, *id)? {
                Value::Set(all) => Ok(all.binary_search(&x).is_ok()),
                Value::List(all) => Ok(all.contains(&x)),
                Value::Number(_) | Value::Pairs(_) => Err(not_a(params, *id, "set")),
            },
        }
    }

    /// The members, ascending and without repeats; an endless set gives an endless iterator (it stops where 128
    /// bits end).
    ///
    /// # Errors
    /// A part that has no value.
    ///
    /// ```
    /// use grundy_rule::expr::{Expr, NamedSet, Set};
    /// let squares = Set::Named(NamedSet::Squares, vec![]);
    /// let first: Vec<_> = squares.members(&[], &[])?.take(4).collect();
    /// assert_eq!(first, [1, 4, 9, 16]);
    /// # Ok::<(), grundy_rule::expr::EvalError>(())
    /// ```
    pub fn members(&self, frame: &[Int], params: &[Param]) -> Result<Members, EvalError> {
        match self {
            Set::List(all) => {
                let all = all.iter().map(|e| e.eval(frame, params)).collect::<Result<Vec<_>, _>>()?;
                Ok(Members::listed(all))
            }
            Set::Range(lo, hi) => {
                let lo = lo.eval(frame, params)?;
                let hi = hi.as_ref().map(|hi| hi.eval(frame, params)).transpose()?;
                Ok(Members::range(lo, hi))
            }
            Set::Named(name, args) => {
                let args = args.iter().map(|arg| arg.eval(frame, params)).collect::<Result<Vec<_>, _>>()?;
                Members::named(*name, &args)
            }
            Set::Param(id) => match value_of(params, *id)? {
                Value::Set(all) | Value::List(all) => Ok(Members::listed(all.clone())),
                Value::Number(_) | Value::Pairs(_) => Err(not_a(params, *id, "set")),
            },
        }
    }
}

impl RelOp {
    /// Whether `a op b`.
    #[must_use]
    pub fn holds(self, a: Int, b: Int) -> bool {
        match self {
            RelOp::Eq => a == b,
            RelOp::Ne => a != b,
            RelOp::Lt => a < b,
            RelOp::Le => a <= b,
            RelOp::Gt => a > b,
            RelOp::Ge => a >= b,
        }
    }
}

/// `a divides b`: b is a multiple of a; 0 divides only 0.
pub(crate) fn divides(a: Int, b: Int) -> bool {
    if a == 0 { b == 0 } else { b.checked_rem(a).is_none_or(|r| r == 0) }
}

/// The value of `a op b`.
pub(crate) fn binary(op: Op, a: Int, b: Int) -> Result<Int, EvalError> {
    let done = match op {
        Op::Add => a.checked_add(b),
        Op::Sub => a.checked_sub(b),
        Op::Mul => a.checked_mul(b),
        Op::FloorDiv | Op::CeilDiv if b == 0 => return Err(EvalError::division(format!("{a} divided by 0"))),
        Op::Mod if b == 0 => return Err(EvalError::division(format!("{a} mod 0"))),
        Op::FloorDiv => number::floor_div(a, b),
        Op::CeilDiv => number::ceil_div(a, b),
        Op::Mod => Some(number::floor_mod(a, b)),
        Op::Pow if b < 0 => return Err(EvalError::domain(format!("{a}^({b}): the exponent is negative"))),
        Op::Pow => number::pow(a, b),
    };
    done.ok_or_else(|| {
        let sign = match op {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::FloorDiv | Op::CeilDiv => "/",
            Op::Mod => "%",
            Op::Pow => "^",
        };
        EvalError::overflow(format!("{a} {sign} {b}"))
    })
}

/// The value of `func(args)`.
pub(crate) fn call(func: Func, args: &[Int]) -> Result<Int, EvalError> {
    let domain = |message: String| Err(EvalError::domain(message));
    let natural = |name: &str| match args.iter().find(|&&x| x < 0) {
        Some(x) => Err(EvalError::domain(format!("{name} of the negative number {x}"))),
        None => Ok(()),
    };
    let small = |x: u32| Ok(Int::from(x));
    match (func, args) {
        (Func::Min, [first, rest @ ..]) => Ok(rest.iter().fold(*first, |m, &x| m.min(x))),
        (Func::Max, [first, rest @ ..]) => Ok(rest.iter().fold(*first, |m, &x| m.max(x))),
        (Func::Abs, [x]) => x.checked_abs().ok_or_else(|| EvalError::overflow(format!("abs({x})"))),
        (Func::Gcd, [_, ..]) => {
            let gcd = args.iter().fold(0, |g, x| number::gcd(g, x.unsigned_abs()));
            Int::try_from(gcd).map_err(|_| EvalError::overflow("gcd"))
        }
        (Func::Lcm, [first, rest @ ..]) => {
            let lcm = rest.iter().try_fold(first.unsigned_abs(), |l, x| number::lcm(l, x.unsigned_abs()));
            lcm.and_then(|l| Int::try_from(l).ok()).ok_or_else(|| EvalError::overflow("lcm"))
        }
        (Func::Sqrt, [x]) => x.checked_isqrt().ok_or_else(|| EvalError::domain(format!("sqrt of {x}"))),
        (Func::Root, [x, k]) => {
            natural("root")?;
            if *k < 1 {
                domain(format!("root({x}, {k}): the second number is below 1"))
            } else {
                Ok(number::root(*x, *k))
            }
        }
        (Func::Log, [x, b]) => {
            if *b < 2 {
                return domain(format!("log({x}, {b}): the base is below 2"));
            }
            x.checked_ilog(*b).map_or_else(|| domain(format!("log of {x}")), small)
        }
        (Func::Xor, [first, rest @ ..]) => natural("xor").map(|()| rest.iter().fold(*first, |a, b| a ^ b)),
        (Func::BitAnd, [first, rest @ ..]) => {
            natural("bitand").map(|()| rest.iter().fold(*first, |a, b| a & b))
        }
        (Func::BitOr, [first, rest @ ..]) => {
            natural("bitor").map(|()| rest.iter().fold(*first, |a, b| a | b))
        }
        (Func::Popcount, [x]) => natural("popcount").map(|()| Int::from(x.count_ones())),
        (Func::Bit, [x, i]) => {
            natural("bit")?;
            Ok(u32::try_from(*i).ok().and_then(|i| x.checked_shr(i)).map_or(0, |x| x & 1))
        }
        (Func::DigitSum, [x, b]) => {
            natural("digitsum")?;
            if *b < 2 {
                domain(format!("digitsum({x}, {b}): the base is below 2"))
            } else {
                Ok(number::digit_sum(*x, *b))
            }
        }
        (Func::Valuation, [x, p]) => match (x, p) {
            (0, _) => domain("valuation of 0".to_string()),
            (_, ..2) => domain(format!("valuation({x}, {p}): the base is below 2")),
            _ => small(number::valuation(*x, *p)),
        },
        (Func::Omega | Func::BigOmega | Func::Lpf, [x]) => {
            let name = match func {
                Func::Omega => "omega",
                Func::BigOmega => "bigomega",
                _ => "lpf",
            };
            natural(name)?;
            if *x == 0 || (*x == 1 && func == Func::Lpf) {
                return domain(format!("{name} of {x}"));
            }
            let factors = number::factor(x.unsigned_abs())?;
            match func {
                Func::Omega => Ok(factors.len() as Int),
                Func::BigOmega => Ok(factors.iter().map(|f| Int::from(f.1)).sum()),
                _ => factors
                    .first()
                    .and_then(|f| Int::try_from(f.0).ok())
                    .ok_or_else(|| EvalError::domain(format!("lpf of {x}"))),
            }
        }
        (Func::Fib, [i]) => {
            natural("fib")?;
            number::fib(*i).ok_or_else(|| EvalError::overflow(format!("fib({i})")))
        }
        _ => domain(format!("{func:?} with {} arguments", args.len())),
    }
}

/// `list[index]`.
pub(crate) fn item(name: &str, list: &[Int], index: Int) -> Result<Int, EvalError> {
    usize::try_from(index).ok().and_then(|i| list.get(i)).copied().ok_or_else(|| {
        let holds = match list.len() {
            0 => format!("{name} is empty"),
            len => format!("{name} holds {name}[0]..{name}[{}]", len - 1),
        };
        EvalError::index(format!("{name}[{index}]: {holds}"))
    })
}

fn name_of(params: &[Param], id: ParamId) -> &str {
    params.get(id).map_or("?", |p| p.name.as_str())
}

fn value_of(params: &[Param], id: ParamId) -> Result<&Value, EvalError> {
    params
        .get(id)
        .and_then(|p| p.value.as_ref())
        .ok_or_else(|| EvalError::domain(format!("`{}` has no value", name_of(params, id))))
}

fn not_a(params: &[Param], id: ParamId, what: &str) -> EvalError {
    EvalError::domain(format!("`{}` is not a {what}", name_of(params, id)))
}

fn number_of(params: &[Param], id: ParamId) -> Result<Int, EvalError> {
    match value_of(params, id)? {
        Value::Number(value) => Ok(*value),
        _ => Err(not_a(params, id, "number")),
    }
}

fn list_of(params: &[Param], id: ParamId) -> Result<&[Int], EvalError> {
    match value_of(params, id)? {
        Value::List(all) | Value::Set(all) => Ok(all),
        _ => Err(not_a(params, id, "list")),
    }
}

fn pairs_of(params: &[Param], id: ParamId) -> Result<&Pairs, EvalError> {
    match value_of(params, id)? {
        Value::Pairs(all) => Ok(all),
        _ => Err(not_a(params, id, "set of pairs")),
    }
}

fn len_of(params: &[Param], id: ParamId) -> Result<Int, EvalError> {
    let len = match value_of(params, id)? {
        Value::List(all) | Value::Set(all) => all.len(),
        Value::Pairs(all) => all.len(),
        Value::Number(_) => return Err(not_a(params, id, "list")),
    };
    Int::try_from(len).map_err(|_| EvalError::overflow("len"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(func: Func, args: &[Int]) -> Int {
        call(func, args).unwrap()
    }

    #[test]
    fn division_rounds_as_written_and_remainders_take_the_sign_of_the_divisor() {
        assert_eq!(binary(Op::FloorDiv, -7, 2), Ok(-4));
        assert_eq!(binary(Op::CeilDiv, -7, 2), Ok(-3));
        assert_eq!(binary(Op::CeilDiv, 7, 2), Ok(4));
        assert_eq!(binary(Op::Mod, -7, 3), Ok(2));
        assert_eq!(binary(Op::Mod, 7, -3), Ok(-2));
        assert_eq!(binary(Op::Mod, Int::MIN, -1), Ok(0));
        assert_eq!(binary(Op::FloorDiv, Int::MIN, -1).unwrap_err().id, "overflow");
        assert_eq!(binary(Op::Mod, 7, 0).unwrap_err().id, "division");
        assert_eq!(binary(Op::Pow, 0, 0), Ok(1));
        assert_eq!(binary(Op::Pow, -1, Int::MAX), Ok(-1));
        assert_eq!(binary(Op::Pow, 2, 127).unwrap_err().id, "overflow");
        assert_eq!(binary(Op::Pow, 2, -1).unwrap_err().id, "domain");
    }

    #[test]
    fn functions_are_exact_at_their_edges() {
        assert_eq!(value(Func::Root, &[26, 3]), 2);
        assert_eq!(value(Func::Root, &[27, 3]), 3);
        assert_eq!(value(Func::Root, &[Int::MAX, 1]), Int::MAX);
        assert_eq!(value(Func::Root, &[5, 1000]), 1);
        assert_eq!(value(Func::Log, &[7, 2]), 2);
        assert_eq!(value(Func::Bit, &[5, 2]), 1);
        assert_eq!(value(Func::Bit, &[5, 1 << 100]), 0);
        assert_eq!(value(Func::DigitSum, &[123, 10]), 6);
        assert_eq!(value(Func::Valuation, &[-8, 2]), 3);
        assert_eq!(
            (value(Func::Omega, &[1]), value(Func::Omega, &[360]), value(Func::BigOmega, &[360])),
            (0, 3, 6)
        );
        assert_eq!(value(Func::Lpf, &[1_000_000_007 * 998_244_353]), 998_244_353);
        assert_eq!((value(Func::Fib, &[0]), value(Func::Fib, &[2]), value(Func::Fib, &[10])), (0, 1, 55));
        assert_eq!(
            (value(Func::Gcd, &[0, 0]), value(Func::Gcd, &[-4, 6]), value(Func::Lcm, &[4, 0])),
            (0, 2, 0)
        );
        assert_eq!((value(Func::Min, &[3, 1, 2]), value(Func::Max, &[3, 1, 2])), (1, 3));
        for (func, args) in [
            (Func::Sqrt, vec![-1]),
            (Func::Log, vec![0, 2]),
            (Func::Log, vec![5, 1]),
            (Func::Xor, vec![-1, 2]),
            (Func::Omega, vec![0]),
            (Func::Lpf, vec![1]),
            (Func::Valuation, vec![0, 2]),
            (Func::DigitSum, vec![5, 1]),
        ] {
            assert_eq!(call(func, &args).unwrap_err().id, "domain", "{func:?} {args:?}");
        }
        assert_eq!(call(Func::Fib, &[200]).unwrap_err().id, "overflow");
        assert_eq!(call(Func::Abs, &[Int::MIN]).unwrap_err().id, "overflow");
    }

    #[test]
    fn zero_divides_only_zero() {
        assert!(divides(0, 0) && !divides(0, 3) && divides(3, 0) && divides(-1, Int::MIN));
    }

    #[test]
    fn an_index_outside_a_list_says_what_the_list_holds() {
        assert_eq!(item("c", &[4, 5], 2).unwrap_err().message, "c[2]: c holds c[0]..c[1]");
        assert_eq!(item("c", &[4, 5], 1), Ok(5));
    }
}
