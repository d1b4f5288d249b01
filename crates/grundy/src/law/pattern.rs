//! Solving a clause's pattern: for which naturals is `3a + b` equal to n?
//!
//! Affine patterns of one and two names are solved by division and by congruence, so that `k*a + b for
//! 2 <= b <= k` costs the same for every k. Others must grow with each of their names (`2^k`, `n*n`, three
//! names): all names but the last are tried in turn and the last is bisected, within a limit.

use std::ops::ControlFlow;

use grundy_rule::ast::RelOp;
use grundy_rule::expr::{AtomKind, Cond, Expr, Func, Int, Op, Set};
use grundy_rule::rule::Param;

use super::affine::{Affine, mentions_names};
use crate::error::Error;

/// How many assignments of one pattern are looked at for one heap before giving up.
const TRIES: u32 = 1 << 16;

/// The interval that the condition of a clause leaves to a name, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) lo: Int,
    pub(crate) hi: Int,
}

/// The left side of an equation.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// Coefficients of at least 1.
    Affine(Affine),
    /// Grows (weakly) with each name.
    Growing(Expr),
}

/// What is done with each assignment found.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&[Int]) -> Result<ControlFlow<()>, Error>;

impl Pattern {
    /// Reads the pattern; `None` if it cannot be solved.
    pub(crate) fn of(expr: &Expr, names: usize, params: &[Param]) -> Option<Pattern> {
        match Affine::of(expr, names, params) {
            Some(affine) if affine.coefficients.iter().all(|c| *c >= 1) => Some(Pattern::Affine(affine)),
            Some(_) => None,
            None => (names <= 4 && grows(expr, params)).then(|| Pattern::Growing(expr.clone())),
        }
    }

    /// The affine form, if it is one.
    pub(crate) fn affine(&self) -> Option<&Affine> {
        match self {
            Pattern::Affine(affine) => Some(affine),
            Pattern::Growing(_) => None,
        }
    }

    /// Visits the assignments within `intervals` for which the pattern is `n`, until told to stop.
    pub(crate) fn solve(
        &self,
        n: Int,
        intervals: &[Interval],
        params: &[Param],
        visit: Visit,
    ) -> Result<(), Error> {
        match self {
            Pattern::Affine(affine) => {
                let Some(rest) = n.checked_sub(affine.constant) else { return Ok(()) };
                solve_affine(&affine.coefficients, rest, intervals, visit)
            }
            Pattern::Growing(expr) => {
                let mut frame: Vec<Int> = intervals.iter().map(|i| i.lo).collect();
                let mut tries = TRIES;
                // Beyond 128 bits is above every heap.
                let at = |frame: &[Int]| expr.eval(frame, params).unwrap_or(Int::MAX);
                solve_growing(&at, n, intervals, 0, &mut frame, &mut tries, visit).map(|_| ())
            }
        }
    }
}

/// Visits the points of `coefficients . x = rest` in the box, for coefficients of at least 1.
pub(crate) fn solve_affine(
    coefficients: &[Int],
    rest: Int,
    intervals: &[Interval],
    visit: Visit,
) -> Result<(), Error> {
    let mut tries = TRIES;
    let mut frame = vec![0; coefficients.len()];
    solve_from(coefficients, rest, intervals, 0, &mut frame, &mut tries, visit).map(|_| ())
}

type Flow = Result<ControlFlow<()>, Error>;

/// The names from `at` on; the depth is the number of names.
fn solve_from(
    coefficients: &[Int],
    rest: Int,
    intervals: &[Interval],
    at: usize,
    frame: &mut [Int],
    tries: &mut u32,
    visit: Visit,
) -> Flow {
    match coefficients[at..] {
        [] if rest == 0 => visit(frame),
        [] => Ok(ControlFlow::Continue(())),
        [c] => {
            let x = rest / c;
            if rest < 0 || rest % c != 0 || x < intervals[at].lo || x > intervals[at].hi {
                return Ok(ControlFlow::Continue(()));
            }
            frame[at] = x;
            visit(frame)
        }
        [c, d] => {
            let Some((mut x, mut y, step, last)) = line(c, d, rest, intervals[at], intervals[at + 1]) else {
                return Ok(ControlFlow::Continue(()));
            };
            let drop = d / gcd(c, d);
            loop {
                (frame[at], frame[at + 1]) = (x, y);
                spend(tries)?;
                if visit(frame)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                if last - y < step {
                    return Ok(ControlFlow::Continue(()));
                }
                (x, y) = (x - drop, y + step);
            }
        }
        [c, ..] => {
            let mut x = intervals[at].lo;
            while x <= intervals[at].hi && c.checked_mul(x).is_some_and(|cx| cx <= rest) {
                spend(tries)?;
                frame[at] = x;
                if solve_from(coefficients, rest - c * x, intervals, at + 1, frame, tries, visit)?.is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
                x += 1;
            }
            Ok(ControlFlow::Continue(()))
        }
    }
}

/// The points of c x + d y = rest in a box: the one with the least y, the step in y, and the last y allowed.
fn line(c: Int, d: Int, rest: Int, xs: Interval, ys: Interval) -> Option<(Int, Int, Int, Int)> {
    let g = gcd(c, d);
    if rest < 0 || rest % g != 0 {
        return None;
    }
    let (c, d, rest) = (c / g, d / g, rest / g);
    // y = rest / d modulo c; c and d are coprime now.
    let residue = (rest % c).checked_mul(inverse(d % c, c))? % c;
    let mut lo = ys.lo;
    if let Some(most) = c.checked_mul(xs.hi).filter(|most| *most < rest) {
        lo = lo.max((rest - most + d - 1) / d);
    }
    let left = rest.checked_sub(c.checked_mul(xs.lo)?)?;
    if left < 0 {
        return None;
    }
    let last = ys.hi.min(left / d);
    let first = lo.checked_add((residue - lo % c + c) % c)?;
    (first <= last).then(|| ((rest - d * first) / c, first, c, last))
}

fn solve_growing(
    at: &dyn Fn(&[Int]) -> Int,
    n: Int,
    intervals: &[Interval],
    name: usize,
    frame: &mut [Int],
    tries: &mut u32,
    visit: Visit,
) -> Flow {
    let Interval { lo, hi } = intervals[name];
    let value = |frame: &mut [Int], x: Int| {
        frame[name] = x;
        at(frame)
    };
    if lo > hi {
        return Ok(ControlFlow::Continue(()));
    }
    if name + 1 < intervals.len() {
        let mut x = lo;
        loop {
            for later in name + 1..intervals.len() {
                frame[later] = intervals[later].lo;
            }
            if value(frame, x) > n {
                return Ok(ControlFlow::Continue(()));
            }
            spend(tries)?;
            if solve_growing(at, n, intervals, name + 1, frame, tries, visit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if x == hi {
                return Ok(ControlFlow::Continue(()));
            }
            x += 1;
        }
    }
    // The least x with a value of at least n: double, then bisect.
    let mut reach = 1;
    let mut above = lo;
    while value(frame, above) < n {
        if above == hi {
            return Ok(ControlFlow::Continue(()));
        }
        above = above.saturating_add(reach).min(hi);
        reach = Int::saturating_mul(reach, 2);
    }
    let mut below = lo;
    while below < above {
        let middle = below + (above - below) / 2;
        if value(frame, middle) < n { below = middle + 1 } else { above = middle }
    }
    let mut x = above;
    while value(frame, x) == n {
        spend(tries)?;
        if visit(frame)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if x == hi {
            break;
        }
        x += 1;
    }
    Ok(ControlFlow::Continue(()))
}

fn spend(tries: &mut u32) -> Result<(), Error> {
    *tries = tries.checked_sub(1).ok_or_else(|| {
        Error::new("law-pattern", format!("a pattern has more than {TRIES} candidates for one heap"))
            .help("bound its names after `for`")
    })?;
    Ok(())
}

pub(crate) fn gcd(a: Int, b: Int) -> Int {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The inverse of `a` modulo `m` for coprime `a` and `m >= 1`.
pub(crate) fn inverse(a: Int, m: Int) -> Int {
    let (mut old, mut new, mut s, mut t) = (a, m, 1, 0);
    while new != 0 {
        let q = old / new;
        (old, new) = (new, old - q * new);
        (s, t) = (t, s - q * t);
    }
    s.rem_euclid(m)
}

/// Whether an expression never falls when a name rises, for naturals.
fn grows(expr: &Expr, params: &[Param]) -> bool {
    let constant = |e: &Expr| if mentions_names(e) { None } else { e.eval(&[], params).ok() };
    if constant(expr).is_some() {
        return true;
    }
    match expr {
        Expr::Slot(_) => true,
        Expr::Binary(Op::Add, a, b) => grows(a, params) && grows(b, params),
        Expr::Binary(Op::Sub, a, b) => grows(a, params) && constant(b).is_some(),
        Expr::Binary(Op::Mul, a, b) => [a, b].iter().all(|e| grows(e, params) && natural(e, params)),
        Expr::Binary(Op::FloorDiv | Op::CeilDiv, a, b) => {
            grows(a, params) && constant(b).is_some_and(|b| b > 0)
        }
        Expr::Binary(Op::Pow, a, b) => match (constant(a), constant(b)) {
            (Some(a), _) => a >= 1 && grows(b, params),
            (_, Some(b)) => b >= 1 && grows(a, params) && natural(a, params),
            _ => false,
        },
        Expr::Call(Func::Min | Func::Max, all) => all.iter().all(|e| grows(e, params)),
        Expr::Call(Func::Sqrt | Func::Fib, all) => all.iter().all(|e| grows(e, params)),
        _ => false,
    }
}

/// Whether an expression is at least 0 for naturals.
pub(crate) fn natural(expr: &Expr, params: &[Param]) -> bool {
    if !mentions_names(expr) {
        return expr.eval(&[], params).is_ok_and(|value| value >= 0);
    }
    match expr {
        Expr::Slot(_) => true,
        Expr::Binary(Op::Add | Op::Mul | Op::FloorDiv | Op::CeilDiv | Op::Pow, a, b) => {
            natural(a, params) && natural(b, params)
        }
        Expr::Call(Func::Min | Func::Max | Func::Sqrt | Func::Fib, all) => {
            all.iter().all(|e| natural(e, params))
        }
        _ => false,
    }
}

/// The box that a condition implies: from those of its parts that bound one name alone. The condition
/// itself still decides.
pub(crate) fn intervals(cond: &Cond, names: usize, params: &[Param]) -> Vec<Interval> {
    let mut all = vec![Interval { lo: 0, hi: Int::MAX }; names];
    narrow(cond, params, &mut all);
    all
}

/// Whether `cond` says no more than `name >= lo` for the single name: then the interval decides alone.
pub(crate) fn only_from(cond: &Cond, params: &[Param]) -> bool {
    match cond {
        Cond::And(all) => all.iter().all(|c| only_from(c, params)),
        Cond::Atom(atom) => match &atom.kind {
            AtomKind::Rel(a, op, b) => matches!(bound(a, *op, b, 1, params), Some((0, Some(_), None))),
            _ => false,
        },
        Cond::Or(_) | Cond::Not(_) => false,
    }
}

fn narrow(cond: &Cond, params: &[Param], all: &mut [Interval]) {
    match cond {
        Cond::And(parts) => parts.iter().for_each(|c| narrow(c, params, all)),
        Cond::Atom(atom) => match &atom.kind {
            AtomKind::Rel(a, op, b) => apply(bound(a, *op, b, all.len(), params), all),
            AtomKind::In(a, false, Set::Range(lo, hi)) => {
                apply(bound(a, RelOp::Ge, lo, all.len(), params), all);
                if let Some(hi) = hi {
                    apply(bound(a, RelOp::Le, hi, all.len(), params), all);
                }
            }
            _ => {}
        },
        Cond::Or(_) | Cond::Not(_) => {}
    }
}

type Bound = Option<(usize, Option<Int>, Option<Int>)>;

fn apply(bound: Bound, all: &mut [Interval]) {
    if let Some((name, lo, hi)) = bound {
        let interval = &mut all[name];
        interval.lo = interval.lo.max(lo.unwrap_or(interval.lo));
        interval.hi = interval.hi.min(hi.unwrap_or(interval.hi));
    }
}

/// What `a op b` says about one name alone: its number, a lower and an upper bound.
fn bound(a: &Expr, op: RelOp, b: &Expr, names: usize, params: &[Param]) -> Bound {
    let (a, b) = (Affine::of(a, names, params)?, Affine::of(b, names, params)?);
    let mut single = None;
    for (name, (p, q)) in a.coefficients.iter().zip(&b.coefficients).enumerate() {
        let c = p.checked_sub(*q)?;
        if c != 0 && single.replace((name, c)).is_some() {
            return None;
        }
    }
    let (name, c) = single?;
    // c * name op d
    let d = b.constant.checked_sub(a.constant).filter(|d| d.unsigned_abs() < 1 << 126)?;
    // For c > 0: name <= floor(d / c), name >= ceil(d / c); for c < 0 the relation turns round.
    let down = |d: Int| if c > 0 { d.div_euclid(c) } else { -(d.div_euclid(-c)) };
    let up = |d: Int| if c > 0 { -((-d).div_euclid(c)) } else { (-d).div_euclid(-c) };
    let at_most = |d: Int| if c > 0 { (name, None, Some(down(d))) } else { (name, Some(down(d)), None) };
    let at_least = |d: Int| if c > 0 { (name, Some(up(d)), None) } else { (name, None, Some(up(d))) };
    match op {
        RelOp::Le => Some(at_most(d)),
        RelOp::Lt => Some(at_most(d.checked_sub(1)?)),
        RelOp::Ge => Some(at_least(d)),
        RelOp::Gt => Some(at_least(d.checked_add(1)?)),
        RelOp::Eq => (d % c == 0).then(|| (name, Some(d / c), Some(d / c))),
        RelOp::Ne => None,
    }
}
