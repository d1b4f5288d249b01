//! What form a law has, and its period if it has one.
//!
//! The kind is read off the clauses, not off the way in which the law was found: a law that a user types is of
//! the same kind as one that a table gave. A period that is stated need not be the least; [`Law::period`] gives the
//! least one, with the least preperiod.

use std::fmt;

use grundy_rule::expr::{Expr, Func, Int, Op};
use grundy_rule::law_text::Subject;
use grundy_rule::rule::Param;

use super::pattern::gcd;
use super::{Clause, Equation, Law};

/// The forms of laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// g(n + p) = g(n) from some heap on.
    Periodic,
    /// g(n + p) = g(n) + s, s > 0, from some heap on.
    ArithmeticPeriodic,
    /// g(p n + r) = c n + d, with c and d depending on the residue r.
    SplitArithmetic,
    /// g(k n + r) = a g(n) + b n + c, with a, b, c depending on the residue r.
    Linear,
    /// The values of a sliding window: without the first occurrences of each value the sequence is itself again.
    Fractal,
    /// A formula with a function of number theory, of digits or a root: `g(n) = valuation(n, 2)`.
    NumberTheoretic,
    /// A line plus the output of an automaton that reads n.
    Automatic,
    /// An automaton that accepts the pairs (n, g(n)).
    Automaton,
    /// An automaton that accepts the pairs (n, b^g(n)).
    CodedAutomaton,
    /// The lost heaps only.
    Zeros,
    /// Clauses of no special form.
    Formula,
}

impl Kind {
    /// All kinds, in the order in which discovery tries them; the last two are never guessed.
    pub const ALL: [Kind; 11] = [
        Kind::Periodic,
        Kind::ArithmeticPeriodic,
        Kind::Linear,
        Kind::Fractal,
        Kind::SplitArithmetic,
        Kind::NumberTheoretic,
        Kind::Automatic,
        Kind::Automaton,
        Kind::CodedAutomaton,
        Kind::Zeros,
        Kind::Formula,
    ];

    /// The stable name, lowercase with hyphens.
    ///
    /// ```
    /// assert_eq!(grundy::law::Kind::ArithmeticPeriodic.name(), "arithmetic-periodic");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Periodic => "periodic",
            Kind::ArithmeticPeriodic => "arithmetic-periodic",
            Kind::SplitArithmetic => "split-arithmetic",
            Kind::Linear => "k-linear",
            Kind::Fractal => "fractal",
            Kind::NumberTheoretic => "number-theoretic",
            Kind::Automatic => "automatic",
            Kind::Automaton => "automaton",
            Kind::CodedAutomaton => "coded-automaton",
            Kind::Zeros => "zeros",
            Kind::Formula => "formula",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// g(n + period) = g(n) + saltus for n >= preperiod, heaps counted from 0; the least preperiod and period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// The first heap from which on it holds.
    pub preperiod: u128,
    /// At least 1.
    pub period: u128,
    /// What is added; 0 for a period in the plain sense.
    pub saltus: u128,
}

/// The longest part of a law that is looked through for a shorter period.
const LONGEST: Int = 1 << 20;

impl Law {
    /// The form of the law, read off its clauses.
    ///
    /// ```
    /// use grundy::law::{Kind, Law};
    /// let kind = |text| Law::parse(text, &[]).unwrap().kind();
    /// assert_eq!(kind("g(n) = n mod 4"), Kind::Periodic);
    /// assert_eq!(kind("g(0) = 0\ng(2n) = 2g(n)\ng(2n+1) = 1"), Kind::Linear);
    /// assert_eq!(kind("window L(n) = n - sqrt(n)"), Kind::Fractal);
    /// ```
    #[must_use]
    pub fn kind(&self) -> Kind {
        if self.speaks_of() == Subject::Zeros {
            return Kind::Zeros;
        }
        let mut equations = Vec::new();
        for clause in &self.clauses {
            match clause {
                Clause::Values { .. } => {}
                Clause::Equation(e) => equations.push(&**e),
                // A block speaks about all that the values before it leave.
                Clause::Window(_) if equations.is_empty() => return Kind::Fractal,
                Clause::Pairs(pairs) if equations.is_empty() && pairs.is_coded() => {
                    return Kind::CodedAutomaton;
                }
                Clause::Pairs(_) if equations.is_empty() => return Kind::Automaton,
                Clause::Outputs(_) if equations.is_empty() => return Kind::Automatic,
                _ => return Kind::Formula,
            }
        }
        if let Some(stated) = self.stated_period() {
            return if stated.saltus == 0 { Kind::Periodic } else { Kind::ArithmeticPeriodic };
        }
        if equations.is_empty() {
            return Kind::Formula;
        }
        if let Some(kind) = by_residue(&equations) {
            return kind;
        }
        let special = equations.iter().any(|e| has_special(&e.value));
        let direct = equations.iter().all(|e| !super::affine::has_grundy(&e.value));
        if special && direct { Kind::NumberTheoretic } else { Kind::Formula }
    }

    /// The period, if the law states one: `g(n + p) = g(n) + s`, or a formula in which n stands under `mod` or is
    /// multiplied and divided by numbers only.
    ///
    /// ```
    /// use grundy::law::{Law, Period};
    /// let period = |text| Law::parse(text, &[]).unwrap().period();
    /// let lasker = "g(0..) = 0, 1, 2, 4\ng(n + 4) = g(n) + 4 for n >= 1";
    /// assert_eq!(period(lasker), Some(Period { preperiod: 1, period: 4, saltus: 4 }));
    /// assert_eq!(period("g(n) = floor((n mod 6)/2)"), Some(Period { preperiod: 0, period: 6, saltus: 0 }));
    /// assert_eq!(period("g(n) = sqrt(n)"), None);
    /// ```
    #[must_use]
    pub fn period(&self) -> Option<Period> {
        let stated = self.stated_period()?;
        let least =
            if stated.preperiod + stated.period <= LONGEST { self.least_period(stated) } else { None };
        let Stated { preperiod, period, saltus } = least.unwrap_or(stated);
        Some(Period {
            preperiod: preperiod.try_into().ok()?,
            period: period.try_into().ok()?,
            saltus: saltus.try_into().ok()?,
        })
    }

    fn stated_period(&self) -> Option<Stated> {
        let (last, before) = self.clauses.split_last()?;
        if self.speaks_of() == Subject::Zeros || before.iter().any(|c| !is_list(c)) {
            return None;
        }
        // Heaps that are listed, or given one by one.
        let listed = before.iter().try_fold(0, |end: Int, clause| match clause {
            Clause::Values { start, values } => {
                Some(end.max(start.checked_add(Int::try_from(values.len()).ok()?)?))
            }
            Clause::Equation(e) => Some(end.max(e.pattern.affine()?.constant.checked_add(1)?)),
            _ => None,
        })?;
        match last {
            Clause::Values { .. }
            | Clause::Pair(_)
            | Clause::Tuple(_)
            | Clause::Window(_)
            | Clause::Pairs(_)
            | Clause::Outputs(_) => None,
            Clause::Equation(e) => {
                if let Some(shift) = &e.shift {
                    // Below this an earlier clause may decide.
                    let first = shift.from.checked_add(shift.period)?.max(listed);
                    let preperiod = first.checked_sub(shift.period)?.max(shift.from);
                    return (shift.saltus >= 0).then_some(Stated {
                        preperiod,
                        period: shift.period,
                        saltus: shift.saltus,
                    });
                }
                let left = e.pattern.affine()?;
                let [interval] = e.intervals.as_slice() else { return None };
                let free = super::pattern::only_from(&e.cond, &self.params);
                if left.coefficients != [1] || left.constant != 0 || !free {
                    return None;
                }
                let (period, saltus) = quasi_period(&e.value, &self.params)?;
                (saltus >= 0).then_some(Stated { preperiod: interval.lo.max(listed), period, saltus })
            }
        }
    }

    fn least_period(&self, stated: Stated) -> Option<Stated> {
        let Stated { preperiod, period, saltus } = stated;
        let values: Vec<Int> = (0..preperiod + 2 * period).map(|n| self.at(n).ok()).collect::<Option<_>>()?;
        let at = |n: Int| usize::try_from(n).ok().and_then(|n| values.get(n)).copied();
        let repeats = |from: Int, to: Int, by: Int, rise: Int| {
            (from..to).all(|n| at(n + by).zip(at(n)).is_some_and(|(later, now)| later == now + rise))
        };
        let mut best = stated;
        for shorter in (1..period).filter(|d| period % d == 0 && saltus % (period / d) == 0) {
            let rise = saltus / (period / shorter);
            if repeats(preperiod, preperiod + period, shorter, rise) {
                best = Stated { preperiod, period: shorter, saltus: rise };
                break;
            }
        }
        let (by, rise) = (best.period, best.saltus);
        while best.preperiod > 0 && repeats(best.preperiod - 1, best.preperiod, by, rise) {
            best.preperiod -= 1;
        }
        Some(best)
    }
}

#[derive(Clone, Copy)]
struct Stated {
    preperiod: Int,
    period: Int,
    saltus: Int,
}

/// Listed values, or the value of one heap.
fn is_list(clause: &Clause) -> bool {
    match clause {
        Clause::Values { .. } => true,
        Clause::Equation(e) => e.intervals.is_empty(),
        _ => false,
    }
}

/// Equations that all divide the heaps by the same number, each about a residue.
fn by_residue(equations: &[&Equation]) -> Option<Kind> {
    let mut base = None;
    let mut recursive = false;
    for e in equations {
        let left = e.pattern.affine()?;
        let Some(k) = left.coefficients.first() else { continue };
        if *k < 2 || base.replace(*k).is_some_and(|old| old != *k) {
            return None;
        }
        for argument in arguments(&e.value) {
            recursive = true;
            // The quotient, give or take a few.
            let names = e.intervals.len();
            let argument = super::affine::Affine::of(argument, names, &[])?;
            if argument.coefficients.first() != Some(&1) || argument.coefficients[1..].iter().any(|c| *c != 0)
            {
                return None;
            }
        }
        if arguments(&e.value).is_empty() && e.form.is_none() {
            return None;
        }
    }
    base?;
    Some(if recursive { Kind::Linear } else { Kind::SplitArithmetic })
}

/// The heaps at which `g` is asked.
fn arguments(expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        match expr {
            Expr::Grundy(a) => found.push(&**a),
            Expr::Item(_, a) | Expr::Neg(a) => todo.push(a),
            Expr::Binary(_, a, b) => todo.extend([&**a, &**b]),
            Expr::Call(_, all) => todo.extend(all),
            Expr::Const(_) | Expr::Slot(_) | Expr::Param(_) | Expr::Len(_) => {}
        }
    }
    found
}

fn has_special(expr: &Expr) -> bool {
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        match expr {
            Expr::Call(func, all) => {
                if !matches!(func, Func::Min | Func::Max | Func::Abs) {
                    return true;
                }
                todo.extend(all);
            }
            Expr::Grundy(a) | Expr::Item(_, a) | Expr::Neg(a) => todo.push(a),
            Expr::Binary(_, a, b) => todo.extend([&**a, &**b]),
            Expr::Const(_) | Expr::Slot(_) | Expr::Param(_) | Expr::Len(_) => {}
        }
    }
    false
}

/// A period p and rise s with f(n + p) = f(n) + s for all n, from the form of `f`. The depth is that of the
/// expression, which the parser bounds.
fn quasi_period(expr: &Expr, params: &[Param]) -> Option<(Int, Int)> {
    let lcm = |a: Int, b: Int| (a / gcd(a, b)).checked_mul(b);
    if !super::affine::mentions_names(expr) {
        return Some((1, 0));
    }
    match expr {
        Expr::Slot(_) => Some((1, 1)),
        Expr::Neg(a) => quasi_period(a, params).map(|(p, s)| (p, -s)),
        Expr::Binary(op, a, b) => {
            let ((p, s), (q, t)) = (quasi_period(a, params)?, quasi_period(b, params)?);
            let fixed =
                |e: &Expr| if super::affine::mentions_names(e) { None } else { e.eval(&[], params).ok() };
            match (op, fixed(a), fixed(b)) {
                (Op::Mul, Some(c), _) => return Some((q, t.checked_mul(c)?)),
                (Op::Mul, _, Some(c)) => return Some((p, s.checked_mul(c)?)),
                (Op::Mod | Op::FloorDiv | Op::CeilDiv, _, Some(m)) if m >= 1 => {
                    // After so many periods the rise is a multiple of m.
                    let times = m / gcd(m, s.abs());
                    let rise = if *op == Op::Mod { 0 } else { s.checked_mul(times)? / m };
                    return Some((p.checked_mul(times)?, rise));
                }
                _ => {}
            }
            let both = lcm(p, q)?;
            let (s, t) = (s.checked_mul(both / p)?, t.checked_mul(both / q)?);
            match op {
                Op::Add => Some((both, s.checked_add(t)?)),
                Op::Sub => Some((both, s.checked_sub(t)?)),
                _ => (s == 0 && t == 0).then_some((both, 0)),
            }
        }
        Expr::Call(_, all) => {
            let mut period = 1;
            for argument in all {
                let (p, s) = quasi_period(argument, params)?;
                if s != 0 {
                    return None;
                }
                period = lcm(period, p)?;
            }
            Some((period, 0))
        }
        _ => None,
    }
}
