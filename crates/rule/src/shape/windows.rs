//! Recognises windows: sliding ones, monotone ones, and Nim with finitely many exceptions.
//!
//! All that a move says about the heap left, `y`, is brought to `L(n) <= y <= R(n)`; bounds that follow
//! from others are dropped, by proof, with what is known of `ceil(n/k)`, `sqrt(n)` and so on. Then the ends
//! are read by their form: the lemma in `steps` tells which are monotone and which slide.

mod steps;

use std::cmp::Ordering;

use crate::ends::fourier_motzkin::System;
use crate::ends::linear::{Linear, Unknown};
use crate::ends::translate::Translator;
use crate::expr::{AtomKind, Expr, Func, Int, Op, ParamId};
use crate::rule::{Rule, Value};

use super::piece::{Piece, slots};
use super::region::{Projection, Region, project};
use super::window::{Formula, LeftEnd, Ratio, SlidingWindow, Window, WindowExcept};
use super::{Graph, Shape};

use steps::{Steps, ratio};

/// The unknowns of a piece with one heap left.
const HEAP: Unknown = 0;
const LEFT: Unknown = 1;

/// The windows that a rule with this single piece has; the piece is in terms of the heap.
pub(super) fn windows(rule: &Rule, piece: &Piece) -> Vec<Shape> {
    let Some(ends) = Bounds::of(rule, piece) else { return Vec::new() };
    if let Some(graph) = ends.graph(piece) {
        return vec![graph];
    }
    let exceptions = match ends.exceptions(rule, piece) {
        Some(exceptions) => exceptions,
        None => return Vec::new(),
    };
    if !exceptions.is_empty() {
        return exceptions_of(&ends, exceptions).into_iter().collect();
    }
    let mut found = Vec::new();
    if let Some(sliding) = ends.sliding(rule) {
        if sliding.left == LeftEnd::Ratio(Ratio { a: 0, c: 0, b: 1 }) && sliding.first == 0 {
            found.push(Shape::AllBut(Vec::new()));
        }
        found.push(Shape::SlidingWindow(sliding));
    }
    found.extend(ends.window(rule).map(Shape::Window));
    found
}

/// `low <= y <= high` for each low and high, and `guard >= 0`.
struct Bounds<'a> {
    piece: &'a Piece,
    /// What holds of the heap, the parameters and the auxiliaries, whatever the move.
    known: System,
    /// All rows that a move must satisfy, without those that follow.
    rows: Region,
}

impl<'a> Bounds<'a> {
    /// `None` if the move says more than bounds.
    fn of(rule: &Rule, piece: &'a Piece) -> Option<Bounds<'a>> {
        if piece.parts != 1 || !piece.guards.is_empty() {
            return None;
        }
        let Projection::Exact(rows) = project(&piece.all_facts(), &piece.leftovers) else { return None };
        let known = known(rule, piece);
        let mut bounds = Bounds { piece, known, rows };
        bounds.drop_what_follows();
        Some(bounds)
    }

    /// Drops rows that follow from others: conditions on n first, then odd bounds, then plain ones.
    fn drop_what_follows(&mut self) {
        let plain = |row: &Linear| row.terms().iter().all(|(u, c)| *u <= LEFT && c.unsigned_abs() == 1);
        self.rows.sort_by_key(|row| match row.coefficient(LEFT) {
            0 => 0,
            // `y >= number` before `y >= something`, so that the stronger one stays.
            1 if row.terms().len() == 1 => 1,
            _ if !plain(row) => 2,
            _ => 3,
        });
        let mut at = 0;
        while at < self.rows.len() {
            let mut others = self.known.clone();
            others
                .at_least_zero
                .extend(self.rows.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, row)| row.clone()));
            if others.implies(&self.rows[at]) {
                self.rows.remove(at);
            } else {
                at += 1;
            }
        }
    }

    fn rows_with(&self, sign: Int) -> impl Iterator<Item = &Linear> {
        self.rows.iter().filter(move |row| row.coefficient(LEFT).signum() == sign)
    }

    /// The lower ends as expressions of n; those that are numbers apart.
    fn lows(&self) -> Option<(Int, Vec<Expr>)> {
        let (mut least, mut ends) = (0, Vec::new());
        for row in self.rows_with(1) {
            let factor = row.coefficient(LEFT);
            let rest = row.replace(LEFT, &Linear::default())?.times(-1)?;
            match rest.as_constant() {
                Some(number) => least = least.max(-((-number).div_euclid(factor))),
                None => ends.push(self.divided(&rest, factor, Op::CeilDiv)?),
            }
        }
        Some((least, ends))
    }

    /// The upper ends as expressions of n.
    fn highs(&self) -> Option<Vec<Expr>> {
        self.rows_with(-1)
            .map(|row| {
                let factor = row.coefficient(LEFT).checked_neg()?;
                self.divided(&row.replace(LEFT, &Linear::default())?, factor, Op::FloorDiv)
            })
            .collect()
    }

    fn divided(&self, form: &Linear, by: Int, op: Op) -> Option<Expr> {
        let whole = self.expr(form)?;
        Some(match by {
            1 => whole,
            _ => Expr::Binary(op, Box::new(whole), Box::new(Expr::Const(by))),
        })
    }

    /// A form in n and auxiliaries as an expression: slot 0 is n.
    fn expr(&self, form: &Linear) -> Option<Expr> {
        let mut sum: Option<Expr> = None;
        // Positive terms first: `n - sqrt(n)`, not `-sqrt(n) + n`.
        let mut terms = form.terms().to_vec();
        terms.sort_by_key(|(_, c)| *c < 0);
        for (unknown, coefficient) in terms {
            let term = match unknown {
                HEAP => Expr::Slot(0),
                _ => self.piece.auxiliaries.iter().find(|a| a.0 == unknown)?.1.clone(),
            };
            let size = coefficient.checked_abs()?;
            let scaled = match size {
                1 => term,
                _ => Expr::Binary(Op::Mul, Box::new(Expr::Const(size)), Box::new(term)),
            };
            sum = Some(match (sum, coefficient > 0) {
                (None, true) => scaled,
                (None, false) => Expr::Neg(Box::new(scaled)),
                (Some(sum), true) => Expr::Binary(Op::Add, Box::new(sum), Box::new(scaled)),
                (Some(sum), false) => Expr::Binary(Op::Sub, Box::new(sum), Box::new(scaled)),
            });
        }
        let number = Expr::Const(form.constant.checked_abs()?);
        Some(match (sum, form.constant.signum()) {
            (None, _) => Expr::Const(form.constant),
            (Some(sum), 0) => sum,
            (Some(sum), 1) => Expr::Binary(Op::Add, Box::new(sum), Box::new(number)),
            (Some(sum), _) => Expr::Binary(Op::Sub, Box::new(sum), Box::new(number)),
        })
    }

    /// Whether the only upper end is n - 1.
    fn ends_below_heap(&self) -> bool {
        let highs: Vec<&Linear> = self.rows_with(-1).collect();
        matches!(highs.as_slice(), [only] if only.terms() == [(HEAP, 1), (LEFT, -1)] && only.constant == -1)
    }

    /// Whether `y <= n - 1` follows.
    fn falls(&self) -> bool {
        let mut all = self.known.clone();
        all.at_least_zero.extend_from_slice(&self.rows);
        Linear::unknown(HEAP)
            .minus(&Linear::unknown(LEFT))
            .and_then(|row| row.add(-1))
            .is_some_and(|row| all.implies(&row))
    }

    /// The first heap that may move by the conditions on n alone; `None` if they are no lower bound.
    fn first(&self) -> Option<Int> {
        let mut first = 0;
        for row in self.rows_with(0) {
            match row.terms() {
                [(HEAP, factor)] if *factor > 0 => {
                    first = first.max(-(row.constant.div_euclid(*factor)));
                }
                _ => return None,
            }
        }
        Some(first)
    }

    /// Proof rule R3's window.
    fn sliding(&self, rule: &Rule) -> Option<SlidingWindow> {
        if !self.ends_below_heap() {
            return None;
        }
        let guard = self.first()?;
        let (least, ends) = self.lows()?;
        let steps = Steps { rule, known: &self.known, auxiliaries: &self.piece.auxiliaries };
        // Steps of the maximum with a number, in which 0 is a step of the number.
        for end in &ends {
            let (low, high) = steps.of(end)?;
            if low < 0 || high > 1 {
                return None;
            }
        }
        let first = self.start(rule, guard, least, &ends)?;
        let left = match ends.as_slice() {
            [] => LeftEnd::Ratio(Ratio { a: 0, c: least, b: 1 }),
            [only] => end_of(rule, only),
            many => end_of(rule, &Expr::Call(Func::Max, many.to_vec())),
        };
        Some(SlidingWindow { first: u64::try_from(first).ok()?, left })
    }

    /// The least n0 with L(n0) = n0 such that no heap below n0 has an option.
    fn start(&self, rule: &Rule, guard: Int, least: Int, ends: &[Expr]) -> Option<Int> {
        const MOST_TRIED: Int = 4096;
        let valued = ends.iter().all(|end| params_of(end).iter().all(|p| has_value(rule, *p)));
        if !valued {
            // By proof: no move below n0, and at n0 the least end is n0.
            let at = |n: Int| {
                let mut system = self.known.clone();
                system.equate(Linear::unknown(HEAP).add(-n)?);
                Some(system)
            };
            return (guard..guard + 3).find(|n0| {
                let empty = |n: Int| {
                    at(n).is_some_and(|mut system| {
                        system.at_least_zero.extend_from_slice(&self.rows);
                        system.refuted()
                    })
                };
                let holds = |sign: Int| {
                    let gap = |row: &Linear| row.replace(LEFT, &Linear::constant(*n0 - sign));
                    at(*n0).is_some_and(|system| {
                        let mut rows = self.rows_with(1);
                        match sign {
                            // n0 itself satisfies every lower bound,
                            0 => rows.all(|row| gap(row).is_some_and(|g| system.implies(&g))),
                            // n0 - 1 fails one of them.
                            _ => rows.any(|row| {
                                let fails = gap(row).and_then(|g| g.times(-1)).and_then(|g| g.add(-1));
                                fails.is_some_and(|f| system.implies(&f))
                            }),
                        }
                    })
                };
                (0..*n0).all(empty) && holds(0) && (holds(1) || *n0 == 0)
            });
        }
        let left = |n: Int| {
            let values: Result<Vec<Int>, _> = ends.iter().map(|end| end.eval(&[n], &rule.params)).collect();
            Some(values.ok()?.into_iter().fold(least, Int::max))
        };
        // Heaps below the guard have no option, nor have those below `least`; from there on none until
        // L(n) = n.
        for n in guard.max(least)..guard.max(least).checked_add(MOST_TRIED)? {
            match left(n)?.cmp(&n) {
                Ordering::Equal => return Some(n),
                Ordering::Less => return None,
                Ordering::Greater => {}
            }
        }
        None
    }

    /// A window with two monotone ends.
    fn window(&self, rule: &Rule) -> Option<Window> {
        if !self.falls() {
            return None;
        }
        let first = self.first()?;
        let (least, lows) = self.lows()?;
        let mut highs = self.highs()?;
        // The window ends below the heap anyway.
        let below = Expr::Binary(Op::Sub, Box::new(Expr::Slot(0)), Box::new(Expr::Const(1)));
        if highs.len() > 1 {
            highs.retain(|high| *high != below);
        }
        let steps = Steps { rule, known: &self.known, auxiliaries: &self.piece.auxiliaries };
        for end in lows.iter().chain(&highs) {
            if steps.of(end)?.0 < 0 || !params_of(end).iter().all(|p| has_value(rule, *p)) {
                return None;
            }
        }
        let mut lows = lows;
        if least > 0 {
            lows.push(Expr::Const(least));
        }
        let left = match lows.as_slice() {
            [] => LeftEnd::Ratio(Ratio { a: 0, c: 0, b: 1 }),
            [only] => end_of(rule, only),
            many => end_of(rule, &Expr::Call(Func::Max, many.to_vec())),
        };
        let right = match highs.as_slice() {
            [] => return None,
            [only] => end_of(rule, only),
            many => end_of(rule, &Expr::Call(Func::Min, many.to_vec())),
        };
        // Where the ends can be computed at all.
        let first = u64::try_from(first).ok()?;
        (left.at(first.into()).is_ok() && right.at(first.into()).is_ok()).then_some(Window {
            first,
            left,
            right,
        })
    }

    /// One token on a graph: the only thing said is that the pair is a row.
    fn graph(&self, piece: &Piece) -> Option<Shape> {
        let [AtomKind::PairIn(a, b, false, edges)] = piece.mixed.as_slice() else { return None };
        if !self.rows.is_empty() {
            return None;
        }
        let reversed = match (a, b) {
            (Expr::Slot(HEAP), Expr::Slot(LEFT)) => false,
            (Expr::Slot(LEFT), Expr::Slot(HEAP)) => true,
            _ => return None,
        };
        Some(Shape::Graph(Graph { edges: *edges, reversed }))
    }

    /// The pairs (n, y) that are taken out; `None` if the piece says anything else, or if a condition takes
    /// out more than finitely many.
    fn exceptions(&self, rule: &Rule, piece: &Piece) -> Option<Vec<(u64, u64)>> {
        let mut found = Vec::new();
        for atom in &piece.mixed {
            let AtomKind::PairIn(a, b, true, id) = atom else { return None };
            let Some(Value::Pairs(rows)) = rule.params.get(*id)?.value.as_ref() else { return None };
            let (a, b) = (affine(a)?, affine(b)?);
            // a.0*n + a.1*y + a.2 = p and b.0*n + b.1*y + b.2 = q, by Cramer's rule.
            let determinant = a.0.checked_mul(b.1)?.checked_sub(a.1.checked_mul(b.0)?)?;
            if determinant == 0 {
                return None;
            }
            for (p, q) in rows.iter() {
                let (p, q) = (p.checked_sub(a.2)?, q.checked_sub(b.2)?);
                let n = times(b.1, p)?.checked_sub(times(a.1, q)?)?;
                let y = times(a.0, q)?.checked_sub(times(b.0, p)?)?;
                if let (Some(n), Some(y)) = (divided(n, determinant), divided(y, determinant))
                    && let (Ok(n), Ok(y)) = (u64::try_from(n), u64::try_from(y))
                    && y < n
                {
                    found.push((n, y));
                }
            }
        }
        // Rows stand in order. Where they name what is taken, the heaps left come in the opposite order for each heap.
        for group in found.chunk_by_mut(|a, b| a.0 == b.0) {
            if group.first() > group.last() {
                group.reverse();
            }
        }
        if !found.is_sorted() {
            found.sort_unstable();
        }
        found.dedup();
        Some(found)
    }
}

/// `k * x`; the factors are nearly always -1, 0 and 1, the rows many.
fn times(k: Int, x: Int) -> Option<Int> {
    match k {
        0 => Some(0),
        1 => Some(x),
        -1 => x.checked_neg(),
        _ => k.checked_mul(x),
    }
}

/// `x / by` if it is whole.
fn divided(x: Int, by: Int) -> Option<Int> {
    match by {
        1 => Some(x),
        -1 => x.checked_neg(),
        _ => (x.checked_rem(by)? == 0).then(|| x / by),
    }
}

/// Nim from `least` on with pairs taken out.
fn exceptions_of(bounds: &Bounds<'_>, mut except: Vec<(u64, u64)>) -> Option<Shape> {
    let (least, ends) = bounds.lows()?;
    // A first heap that no lower heap can come before says nothing.
    if !ends.is_empty() || !bounds.ends_below_heap() || bounds.first()? > least + 1 {
        return None;
    }
    let least = u64::try_from(least).ok()?;
    except.retain(|(_, y)| *y >= least);
    Some(match (except.is_empty(), least) {
        (true, 0) => Shape::AllBut(Vec::new()),
        (true, least) => Shape::SlidingWindow(SlidingWindow {
            first: least,
            left: LeftEnd::Ratio(Ratio { a: 0, c: least.into(), b: 1 }),
        }),
        (false, least) => Shape::WindowExcept(WindowExcept { least, except }),
    })
}

/// What holds whatever the move: the heap and what is left are naturals, the header, the auxiliaries.
fn known(rule: &Rule, piece: &Piece) -> System {
    const PASSES: usize = 3;
    let mut translator = Translator::new(&rule.params, piece.unknowns);
    for pass in 0..PASSES {
        if pass > 0 {
            translator.again();
        }
        translator.demand(Some(Linear::unknown(HEAP)));
        translator.demand(Some(Linear::unknown(LEFT)));
        translator.cond(&rule.param_cond);
        for (unknown, expr) in &piece.auxiliaries {
            if slots(expr).iter().all(|slot| *slot == HEAP) {
                let value = translator.expr(expr);
                let same = Linear::unknown(*unknown).minus(&value);
                translator.demand(same.clone());
                translator.demand(same.and_then(|row| row.times(-1)));
            }
        }
    }
    translator.facts
}

/// `(a, b, c)` with `a*n + b*y + c`.
fn affine(expr: &Expr) -> Option<(Int, Int, Int)> {
    let pair = |x: (Int, Int, Int), y: (Int, Int, Int), sign: Int| {
        Some((
            x.0.checked_add(y.0.checked_mul(sign)?)?,
            x.1.checked_add(y.1.checked_mul(sign)?)?,
            x.2.checked_add(y.2.checked_mul(sign)?)?,
        ))
    };
    match expr {
        Expr::Const(c) => Some((0, 0, *c)),
        Expr::Slot(HEAP) => Some((1, 0, 0)),
        Expr::Slot(LEFT) => Some((0, 1, 0)),
        Expr::Neg(a) => pair((0, 0, 0), affine(a)?, -1),
        Expr::Binary(Op::Add, a, b) => pair(affine(a)?, affine(b)?, 1),
        Expr::Binary(Op::Sub, a, b) => pair(affine(a)?, affine(b)?, -1),
        Expr::Binary(Op::Mul, a, b) => match (affine(a)?, affine(b)?) {
            ((0, 0, k), form) | (form, (0, 0, k)) => pair((0, 0, 0), form, k),
            _ => None,
        },
        _ => None,
    }
}

fn params_of(expr: &Expr) -> Vec<ParamId> {
    let mut found = Vec::new();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        match expr {
            Expr::Param(id) | Expr::Len(id) => found.push(*id),
            Expr::Item(id, a) => {
                found.push(*id);
                todo.push(a);
            }
            Expr::Const(_) | Expr::Slot(_) => {}
            Expr::Neg(a) | Expr::Grundy(a) => todo.push(a),
            Expr::Binary(_, a, b) => todo.extend([&**a, &**b]),
            Expr::Call(_, args) => todo.extend(args),
        }
    }
    found
}

fn has_value(rule: &Rule, id: ParamId) -> bool {
    rule.params.get(id).is_some_and(|p| p.value.is_some())
}

/// An end in its simplest form.
fn end_of(rule: &Rule, expr: &Expr) -> LeftEnd {
    ratio(rule, expr).map_or_else(
        || LeftEnd::Formula(Formula { expr: expr.clone(), params: rule.params.clone() }),
        LeftEnd::Ratio,
    )
}
