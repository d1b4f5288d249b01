//! Conditions and expressions as linear facts: what is true of the integers in any move.
//!
//! Every subexpression becomes a linear form; one that is not linear becomes an *auxiliary* unknown about
//! which linear facts are stated (a product by the McCormick inequalities, a quotient by what division
//! means). Equal expressions share one auxiliary. Facts that are a choice (`!=`, `max`, `divides`) are kept
//! apart as [`Translator::choices`]. Each fact holds in every move in which the expression was evaluated
//! without an error, and no fact is needed: forgetting one only loses proofs. So on overflow, or where
//! nothing is known, an auxiliary simply stays free.

mod functions;

use std::collections::HashMap;

use super::fourier_motzkin::System;
use super::linear::{Linear, Unknown};
use crate::ast::{ParamType, RelOp};
use crate::expr::{AtomKind, Cond, Expr, Int, NamedSet, Op, ParamId, Set};
use crate::rule::{Param, Value};

/// What an auxiliary stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Expr(Expr),
    Param(ParamId),
    Product(Linear, Linear),
    Quotient(Linear, Linear),
}

/// Lower and upper end of what an unknown can be; `None`: not known.
type Interval = (Option<Int>, Option<Int>);

/// Translates the conditions of one branch; unknowns `0..frame` are the slots of the frame.
pub(crate) struct Translator<'a> {
    params: &'a [Param],
    names: HashMap<Key, Unknown>,
    bounds: Vec<Interval>,
    /// What holds.
    pub(crate) facts: System,
    /// For each, one of the systems holds.
    pub(crate) choices: Vec<Vec<System>>,
    /// Expressions translated in this round.
    done: HashMap<Expr, Linear>,
}

impl<'a> Translator<'a> {
    /// For a frame of that many slots.
    pub(crate) fn new(params: &'a [Param], frame: usize) -> Self {
        Translator {
            params,
            names: HashMap::new(),
            bounds: vec![(None, None); frame],
            facts: System::default(),
            choices: Vec::new(),
            done: HashMap::new(),
        }
    }

    /// Forgets the facts and keeps the bounds: a second pass states sharper facts about products.
    pub(crate) fn again(&mut self) {
        self.narrow();
        self.facts = System::default();
        self.choices.clear();
        self.done.clear();
    }

    /// Demands `form >= 0`.
    pub(crate) fn demand(&mut self, form: Option<Linear>) {
        if let Some(form) = form {
            self.facts.demand(form);
        }
    }

    /// Demands `form = 0`.
    fn equate(&mut self, form: Option<Linear>) {
        if let Some(form) = form {
            self.facts.equate(form);
        }
    }

    /// Demands a contradiction: this branch has no move.
    fn never(&mut self) {
        self.facts.demand(Linear::constant(-1));
    }

    fn named(&mut self, key: Key) -> Linear {
        let next = self.bounds.len();
        let unknown = *self.names.entry(key).or_insert(next);
        if unknown == next {
            self.bounds.push((None, None));
        }
        Linear::unknown(unknown)
    }

    /// The interval of a form, from the bounds of its unknowns.
    fn interval(&self, form: &Linear) -> Interval {
        let (mut low, mut high) = (Some(form.constant), Some(form.constant));
        for (unknown, coefficient) in form.terms() {
            let (l, h) = self.bounds[*unknown];
            let (l, h) = if *coefficient > 0 { (l, h) } else { (h, l) };
            let add = |sum: Option<Int>, end: Option<Int>| sum?.checked_add(end?.checked_mul(*coefficient)?);
            low = add(low, l);
            high = add(high, h);
        }
        (low, high)
    }

    /// Draws bounds of unknowns from the facts.
    fn narrow(&mut self) {
        const ROUNDS: usize = 8;
        // Bounds only serve products; numbers this large would not help any proof.
        const USEFUL: Int = 1 << 100;
        for _ in 0..ROUNDS {
            let before = self.bounds.clone();
            let facts = &self.facts;
            let equations = facts.zero.iter().flat_map(|f| [Some(f.clone()), f.times(-1)]).flatten();
            let forms: Vec<Linear> = facts.at_least_zero.iter().cloned().chain(equations).collect();
            for form in &forms {
                for (unknown, coefficient) in form.terms() {
                    // coefficient * unknown >= -(the greatest value of the rest)
                    let Some(rest) = form.replace(*unknown, &Linear::default()) else { continue };
                    let Some(least) = self.interval(&rest).1.and_then(Int::checked_neg) else { continue };
                    let size = coefficient.unsigned_abs();
                    let Ok(size) = Int::try_from(size) else { continue };
                    let bound = &mut self.bounds[*unknown];
                    if *coefficient > 0 {
                        let end = least.div_euclid(size) + Int::from(least.rem_euclid(size) != 0);
                        if end.abs() < USEFUL {
                            bound.0 = Some(bound.0.map_or(end, |b| b.max(end)));
                        }
                    } else if least > Int::MIN {
                        let end = (-least).div_euclid(size);
                        if end.abs() < USEFUL {
                            bound.1 = Some(bound.1.map_or(end, |b| b.min(end)));
                        }
                    }
                }
            }
            if self.bounds == before {
                return;
            }
        }
    }

    /// States what a parameter condition says, as far as it is a conjunction of atoms.
    pub(crate) fn cond(&mut self, cond: &Cond) {
        let mut todo = vec![cond];
        while let Some(cond) = todo.pop() {
            match cond {
                Cond::And(all) => todo.extend(all.iter().rev()),
                Cond::Atom(atom) => self.atom(&atom.kind),
                Cond::Or(_) | Cond::Not(_) => {}
            }
        }
    }

    /// States what an atom says.
    pub(crate) fn atom(&mut self, atom: &AtomKind) {
        match atom {
            AtomKind::Rel(a, op, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.relation(&a, *op, &b);
            }
            AtomKind::In(e, negated, set) => {
                let e = self.expr(e);
                if *negated { self.not_member(&e, set) } else { self.member(&e, set) }
            }
            AtomKind::PairIn(a, b, negated, pairs) => {
                let (a, b) = (self.expr(a), self.expr(b));
                if !negated {
                    self.pair(&a, &b, *pairs);
                }
            }
            AtomKind::Divides(a, negated, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                if !negated {
                    self.divides(&a, &b);
                }
            }
        }
    }

    fn relation(&mut self, a: &Linear, op: RelOp, b: &Linear) {
        let up = b.minus(a);
        let down = a.minus(b);
        match op {
            RelOp::Eq => self.equate(down),
            RelOp::Le => self.demand(up),
            RelOp::Ge => self.demand(down),
            RelOp::Lt => self.demand(up.and_then(|f| f.add(-1))),
            RelOp::Gt => self.demand(down.and_then(|f| f.add(-1))),
            RelOp::Ne => {
                self.choose(vec![vec![up.and_then(|f| f.add(-1))], vec![down.and_then(|f| f.add(-1))]]);
            }
        }
    }

    /// One of the lists of `form >= 0` holds.
    fn choose(&mut self, cases: Vec<Vec<Option<Linear>>>) {
        let system = |case: Vec<Option<Linear>>| System {
            at_least_zero: case.into_iter().flatten().collect(),
            zero: Vec::new(),
        };
        self.choices.push(cases.into_iter().map(system).collect());
    }

    fn between(&mut self, e: &Linear, low: Option<Int>, high: Option<Int>) {
        if let Some(low) = low {
            self.demand(low.checked_neg().and_then(|l| e.add(l)));
        }
        if let Some(high) = high {
            self.demand(e.times(-1).and_then(|f| f.add(high)));
        }
    }

    fn hull(&mut self, e: &Linear, values: &[Int]) {
        match (values.iter().min(), values.iter().max()) {
            (Some(low), Some(high)) => self.between(e, Some(*low), Some(*high)),
            _ => self.never(),
        }
    }

    /// `e` is in `set`.
    pub(crate) fn member(&mut self, e: &Linear, set: &Set) {
        match set {
            Set::List(items) => {
                const SPLIT: usize = 8;
                let items: Vec<Linear> = items.iter().map(|item| self.expr(item)).collect();
                let constants: Option<Vec<Int>> = items.iter().map(Linear::as_constant).collect();
                if let Some(constants) = constants {
                    self.hull(e, &constants);
                } else if items.len() <= SPLIT {
                    let case = |item: &Linear| vec![e.minus(item), item.minus(e)];
                    self.choose(items.iter().map(case).collect());
                }
            }
            Set::Range(low, high) => {
                let low = self.expr(low);
                self.demand(e.minus(&low));
                if let Some(high) = high {
                    let high = self.expr(high);
                    self.demand(high.minus(e));
                }
            }
            Set::Named(name, args) => {
                let args: Vec<Linear> = args.iter().map(|a| self.expr(a)).collect();
                match (name, args.as_slice()) {
                    (NamedSet::Naturals, _) => self.between(e, Some(0), None),
                    (NamedSet::Primes, _) => self.between(e, Some(2), None),
                    (NamedSet::Divisors, [n]) => {
                        self.between(e, Some(1), None);
                        self.demand(n.minus(e));
                    }
                    (NamedSet::Digits, [n, base]) => {
                        self.between(e, Some(0), None);
                        self.demand(n.minus(e));
                        self.relation(e, RelOp::Lt, base);
                    }
                    _ => self.between(e, Some(1), None),
                }
            }
            Set::Param(id) => {
                let value = self.params.get(*id).and_then(|p| p.value.as_ref());
                if let Some(Value::Set(values) | Value::List(values)) = value {
                    self.hull(e, values);
                }
            }
        }
    }

    /// `e` is not in `set`.
    fn not_member(&mut self, e: &Linear, set: &Set) {
        const SPLIT: usize = 4;
        match set {
            Set::List(items) if items.len() <= SPLIT => {
                for item in items {
                    let item = self.expr(item);
                    self.relation(e, RelOp::Ne, &item);
                }
            }
            Set::Range(low, Some(high)) => {
                let (low, high) = (self.expr(low), self.expr(high));
                let below = low.minus(e).and_then(|f| f.add(-1));
                let above = e.minus(&high).and_then(|f| f.add(-1));
                self.choose(vec![vec![below], vec![above]]);
            }
            Set::Range(low, None) => {
                let low = self.expr(low);
                self.relation(e, RelOp::Lt, &low);
            }
            Set::Named(NamedSet::Naturals, _) => self.between(e, None, Some(-1)),
            _ => {}
        }
    }

    /// `(a, b)` is a row: the hulls of the columns and of their difference.
    fn pair(&mut self, a: &Linear, b: &Linear, pairs: ParamId) {
        let Some(Value::Pairs(rows)) = self.params.get(pairs).and_then(|p| p.value.as_ref()) else { return };
        let (ia, ib) = (self.interval(a), self.interval(b));
        let inside =
            |x: Int, (low, high): Interval| low.is_none_or(|l| l <= x) && high.is_none_or(|h| x <= h);
        let mut ends: Option<[(Int, Int); 3]> = None;
        // Nearly always every row is possible, and what holds of them all is known.
        let all = rows.hulls().filter(|hulls| {
            let whole = |(low, high), range| inside(low, range) && inside(high, range);
            whole(hulls.first, ia) && whole(hulls.second, ib)
        });
        if let Some(hulls) = all {
            let Some(difference) = hulls.difference else { return };
            ends = Some([hulls.first, hulls.second, difference]);
        }
        let some = rows.iter().filter(|(x, y)| inside(*x, ia) && inside(*y, ib));
        for (x, y) in some.take(if all.is_some() { 0 } else { usize::MAX }) {
            let Some(difference) = x.checked_sub(y) else { return };
            let point = [x, y, difference];
            let held = ends.get_or_insert(point.map(|p| (p, p)));
            for (end, p) in held.iter_mut().zip(point) {
                *end = (end.0.min(p), end.1.max(p));
            }
        }
        let Some(ends) = ends else { return self.never() };
        let difference = a.minus(b);
        for (form, (low, high)) in [Some(a.clone()), Some(b.clone()), difference].iter().zip(ends) {
            if let Some(form) = form {
                self.between(form, Some(low), Some(high));
            }
        }
    }

    /// `a` divides `b`: b = 0, or 1 <= |a| <= |b|.
    fn divides(&mut self, a: &Linear, b: &Linear) {
        let (minus_a, minus_b) = (a.times(-1), b.times(-1));
        let mut cases = vec![vec![Some(b.clone()), minus_b.clone()]];
        for (size_b, high_b) in [(Some(b.clone()), self.interval(b).1), (minus_b, self.low_negated(b))] {
            for (size_a, high_a) in
                [(Some(a.clone()), self.interval(a).1), (minus_a.clone(), self.low_negated(a))]
            {
                if high_a.is_some_and(|h| h < 1) || high_b.is_some_and(|h| h < 1) {
                    continue;
                }
                let gap = size_b.as_ref().zip(size_a.as_ref()).and_then(|(b, a)| b.minus(a));
                cases.push(vec![size_a.and_then(|f| f.add(-1)), gap]);
            }
        }
        self.choose(cases);
    }

    /// The upper end of the interval of `-form`.
    fn low_negated(&self, form: &Linear) -> Option<Int> {
        self.interval(form).0.and_then(Int::checked_neg)
    }

    /// The linear form of an expression.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Linear {
        if let Some(form) = self.done.get(expr) {
            return form.clone();
        }
        // Nesting is bounded by the parser, so this recursion is too.
        let form = self.shape_of(expr).unwrap_or_else(|| self.named(Key::Expr(expr.clone())));
        self.done.insert(expr.clone(), form.clone());
        form
    }

    /// `None`: an auxiliary of which nothing (more) is known.
    fn shape_of(&mut self, expr: &Expr) -> Option<Linear> {
        match expr {
            Expr::Const(number) => Some(Linear::constant(*number)),
            Expr::Slot(slot) => Some(Linear::unknown(*slot)),
            Expr::Param(id) => match self.params.get(*id).and_then(|p| p.value.as_ref()) {
                Some(Value::Number(number)) => Some(Linear::constant(*number)),
                _ => Some(self.named(Key::Param(*id))),
            },
            Expr::Len(id) => {
                let length = match self.params.get(*id)?.value.as_ref() {
                    Some(Value::Set(v) | Value::List(v)) => v.len(),
                    Some(Value::Pairs(v)) => v.len(),
                    _ => {
                        let length = self.named(Key::Expr(expr.clone()));
                        self.between(&length, Some(0), None);
                        return Some(length);
                    }
                };
                Int::try_from(length).ok().map(Linear::constant)
            }
            Expr::Item(id, index) => {
                let index = self.expr(index);
                let item = self.named(Key::Expr(expr.clone()));
                if let Some(Value::List(values)) = self.params.get(*id).and_then(|p| p.value.as_ref()) {
                    self.between(&index, Some(0), Int::try_from(values.len()).ok()?.checked_sub(1));
                    self.hull(&item, values);
                }
                Some(item)
            }
            Expr::Neg(a) => self.expr(a).times(-1),
            Expr::Binary(op, a, b) => {
                let (x, y) = (self.expr(a), self.expr(b));
                match op {
                    Op::Add => x.plus(&y),
                    Op::Sub => x.minus(&y),
                    Op::Mul => self.product(&x, &y),
                    Op::FloorDiv => Some(self.quotient(&x, &y)?.0),
                    Op::CeilDiv => self.quotient(&x.times(-1)?, &y)?.0.times(-1),
                    Op::Mod => x.minus(&self.quotient(&x, &y)?.1),
                    Op::Pow => self.power(expr, &x, &y),
                }
            }
            Expr::Call(func, args) => {
                let args: Vec<Linear> = args.iter().map(|a| self.expr(a)).collect();
                self.call(expr, *func, &args)
            }
            Expr::Grundy(_) => None,
        }
    }

    /// A product: exact if a factor is a number, else an auxiliary between the McCormick planes.
    fn product(&mut self, x: &Linear, y: &Linear) -> Option<Linear> {
        if let Some(number) = x.as_constant() {
            return y.times(number);
        }
        if let Some(number) = y.as_constant() {
            return x.times(number);
        }
        let (x, y) = if x <= y { (x, y) } else { (y, x) };
        let p = self.named(Key::Product(x.clone(), y.clone()));
        let ((lx, ux), (ly, uy)) = (self.interval(x), self.interval(y));
        // (x - ex) * (y - ey) has a known sign when each end is a lower or an upper one.
        for (ex, ey, sign) in [(lx, ly, 1), (ux, uy, 1), (lx, uy, -1), (ux, ly, -1)] {
            if let (Some(ex), Some(ey)) = (ex, ey) {
                let plane = y.combine(ex, x, ey);
                let gap = plane.and_then(|f| p.minus(&f)).zip(ex.checked_mul(ey));
                self.demand(gap.and_then(|(f, c)| f.add(c)).and_then(|f| f.times(sign)));
            }
        }
        if x == y {
            // The square of an integer is at least its size.
            self.demand(p.minus(x));
            self.demand(p.plus(x));
        }
        Some(p)
    }

    /// `(floor(e / d), d * floor(e / d))`; `None` if the sign of d is not known.
    fn quotient(&mut self, e: &Linear, d: &Linear) -> Option<(Linear, Linear)> {
        let (low, high) = self.interval(d);
        if low.is_some_and(|l| l >= 0) && high.is_some_and(|h| h <= 0) {
            // A divisor of 0, or facts that contradict each other: there is no such move.
            return None;
        }
        if high.is_some_and(|h| h <= 0) {
            // floor(e / d) = floor(-e / -d), and the product is the negated one of those.
            let (q, p) = self.quotient(&e.times(-1)?, &d.times(-1)?)?;
            return Some((q, p.times(-1)?));
        }
        if low? < 0 || d.as_constant() == Some(0) {
            return None;
        }
        // Division by 0 is an error, so in a move the divisor is at least 1.
        self.demand(d.add(-1));
        let q = self.named(Key::Quotient(e.clone(), d.clone()));
        let (low, high) = self.interval(e);
        if low.is_some_and(|l| l >= 0) {
            self.between(&q, Some(0), None);
            self.demand(e.minus(&q));
            let bound = &mut self.bounds[q.terms()[0].0].0;
            *bound = Some(bound.map_or(0, |b| b.max(0)));
        }
        if high.is_some_and(|h| h <= 0) {
            self.between(&q, None, Some(0));
            self.demand(q.minus(e));
            let bound = &mut self.bounds[q.terms()[0].0].1;
            *bound = Some(bound.map_or(0, |b| b.min(0)));
        }
        let p = self.product(d, &q)?;
        self.demand(e.minus(&p));
        self.demand(p.plus(d).and_then(|f| f.add(-1)).and_then(|f| f.minus(e)));
        Some((q, p))
    }

    fn power(&mut self, expr: &Expr, base: &Linear, exponent: &Linear) -> Option<Linear> {
        if let (Some(b), Some(e)) = (base.as_constant(), exponent.as_constant()) {
            return b.checked_pow(u32::try_from(e).ok()?).map(Linear::constant);
        }
        match exponent.as_constant() {
            Some(0) => return Some(Linear::constant(1)),
            Some(1) => return Some(base.clone()),
            Some(2) => return self.product(base, base),
            _ => {}
        }
        let p = self.named(Key::Expr(expr.clone()));
        // A negative exponent is an error.
        self.between(exponent, Some(0), None);
        let (low, _) = self.interval(base);
        if low.is_some_and(|l| l >= 0) {
            self.between(&p, Some(0), None);
        }
        if low.is_some_and(|l| l >= 1) {
            self.between(&p, Some(1), None);
        }
        if low.is_some_and(|l| l >= 2) {
            self.demand(p.minus(exponent).and_then(|f| f.add(-1)));
        }
        let least = self.interval(exponent).0;
        if low.is_some_and(|l| l >= 0) && least.is_some_and(|l| l >= 1) {
            self.demand(p.minus(base));
        }
        Some(p)
    }
}

/// The number parameters: what a measure may be bounded by.
pub(crate) fn numbers(params: &[Param]) -> impl Iterator<Item = ParamId> + '_ {
    params.iter().enumerate().filter(|(_, p)| p.ty == ParamType::Number).map(|(id, _)| id)
}
