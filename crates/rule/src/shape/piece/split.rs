//! Cases: `max`, `min`, `abs`, `!=` and memberships that stand in the way of linear facts.

use super::{View, map_atom, slots};
use crate::ends::translate::Translator;
use crate::expr::{AtomKind, Expr, Func, Int, Op, RelOp, Set};
use crate::rule::{Rule, Value};

/// What is left and when, before it is solved: one branch of an alternative, or a case of it.
#[derive(Clone, Debug)]
pub(in crate::shape) struct Way {
    /// The heaps left.
    pub(super) entries: Vec<Expr>,
    /// What must hold.
    pub(super) atoms: Vec<AtomKind>,
}

impl Way {
    /// The cases of the first `max`, `min` or `abs`, innermost first; in [`View::Heap`] those of the heap
    /// alone are kept, since an end of a window may be `max(n - 3, 0)`.
    pub(super) fn split_functions(&self, view: View) -> Option<Vec<Way>> {
        let atoms = self.atoms.iter().flat_map(super::atom_exprs);
        let call = self.entries.iter().chain(atoms).find_map(|e| innermost(e, view))?.clone();
        let Expr::Call(func, args) = &call else { return None };
        let cases: Vec<(Expr, Vec<AtomKind>)> = match func {
            Func::Abs => {
                let a = &args[0];
                let sign = |op: RelOp| AtomKind::Rel(a.clone(), op, Expr::Const(0));
                vec![
                    (a.clone(), vec![sign(RelOp::Ge)]),
                    (Expr::Neg(Box::new(a.clone())), vec![sign(RelOp::Lt)]),
                ]
            }
            _ => {
                let op = if *func == Func::Max { RelOp::Ge } else { RelOp::Le };
                let best = |a: &Expr| {
                    let others = args.iter().filter(|b| *b != a);
                    others.map(|b| AtomKind::Rel(a.clone(), op, b.clone())).collect()
                };
                args.iter().map(|a| (a.clone(), best(a))).collect()
            }
        };
        let way = |(value, conditions): (Expr, Vec<AtomKind>)| {
            let swap = |e: &Expr| substitute(e, &call, &value);
            let mut atoms: Vec<AtomKind> = self
                .atoms
                .iter()
                .map(|atom| map_atom(atom, &mut |e| Some(swap(e))).expect("every expression is mapped"))
                .collect();
            atoms.extend(conditions);
            Way { entries: self.entries.iter().map(swap).collect(), atoms }
        };
        Some(cases.into_iter().map(way).collect())
    }

    /// The cases of an atom that is not linear as it stands; `None` if there are none or too many.
    pub(super) fn split_atom(&self, at: usize, rule: &Rule) -> Option<Vec<Way>> {
        const MOST: usize = 64;
        let relation = |a: &Expr, op: RelOp, b: Expr| AtomKind::Rel(a.clone(), op, b);
        // Each case is a conjunction.
        let cases: Vec<Vec<AtomKind>> = match &self.atoms[at] {
            AtomKind::Rel(a, RelOp::Ne, b) => {
                vec![vec![relation(a, RelOp::Lt, b.clone())], vec![relation(a, RelOp::Gt, b.clone())]]
            }
            AtomKind::In(e, negated, set) => {
                let members: Vec<Expr> = match set {
                    Set::Range(low, high) if *negated => {
                        let below = vec![relation(e, RelOp::Lt, low.clone())];
                        let above = high.as_ref().map(|high| vec![relation(e, RelOp::Gt, high.clone())]);
                        return Some(self.cases(at, std::iter::once(below).chain(above).collect()));
                    }
                    Set::List(items) => items.clone(),
                    Set::Param(id) => match rule.params.get(*id)?.value.as_ref()? {
                        Value::Set(values) | Value::List(values) if values.len() <= MOST => {
                            values.iter().copied().map(Expr::Const).collect()
                        }
                        _ => return None,
                    },
                    _ => return None,
                };
                if members.len() > MOST {
                    return None;
                }
                if *negated {
                    vec![members.into_iter().map(|m| relation(e, RelOp::Ne, m)).collect()]
                } else {
                    members.into_iter().map(|m| vec![relation(e, RelOp::Eq, m)]).collect()
                }
            }
            AtomKind::Rel(a, op, b) => {
                let back = flipped(*op);
                let bound = rooted(a, *op, b).or_else(|| rooted(b, back, a));
                let bound = bound.or_else(|| scaled(rule, a, *op, b)).or_else(|| scaled(rule, b, back, a));
                vec![bound?]
            }
            _ => return None,
        };
        Some(self.cases(at, cases))
    }

    fn cases(&self, at: usize, cases: Vec<Vec<AtomKind>>) -> Vec<Way> {
        let way = |case: Vec<AtomKind>| {
            let mut way = self.clone();
            way.atoms.splice(at..=at, case);
            way
        };
        cases.into_iter().map(way).collect()
    }
}

fn flipped(op: RelOp) -> RelOp {
    match op {
        RelOp::Lt => RelOp::Gt,
        RelOp::Le => RelOp::Ge,
        RelOp::Gt => RelOp::Lt,
        RelOp::Ge => RelOp::Le,
        RelOp::Eq | RelOp::Ne => op,
    }
}

/// `k*y >= x` is `y >= ceil(x/k)` for a parameter k without a value that is at least 1, and so on.
fn scaled(rule: &Rule, product: &Expr, op: RelOp, other: &Expr) -> Option<Vec<AtomKind>> {
    let Expr::Binary(Op::Mul, a, b) = product else { return None };
    let (factor, rest) = match (&**a, &**b) {
        (Expr::Param(id), rest) | (rest, Expr::Param(id)) if rule.params.get(*id)?.value.is_none() => {
            (*id, rest)
        }
        _ => return None,
    };
    let mut translator = Translator::new(&rule.params, 0);
    translator.cond(&rule.param_cond);
    let least = translator.expr(&Expr::Param(factor)).add(-1)?;
    if !translator.facts.implies(&least) {
        return None;
    }
    let round = match op {
        RelOp::Ge | RelOp::Lt => Op::CeilDiv,
        RelOp::Le | RelOp::Gt => Op::FloorDiv,
        RelOp::Eq | RelOp::Ne => return None,
    };
    let quotient = Expr::Binary(round, Box::new(other.clone()), Box::new(Expr::Param(factor)));
    Some(vec![AtomKind::Rel(rest.clone(), op, quotient)])
}

/// `t*t <= n` is `t <= sqrt(n)`, for a natural t and the heap n, which is natural too; `t^k` likewise.
fn rooted(power: &Expr, op: RelOp, bound: &Expr) -> Option<Vec<AtomKind>> {
    let (variable, exponent): (&Expr, Int) = match power {
        Expr::Binary(Op::Mul, a, b) if a == b => (a, 2),
        Expr::Binary(Op::Pow, a, k) => match **k {
            Expr::Const(k) if k >= 2 => (a, k),
            _ => return None,
        },
        _ => return None,
    };
    if !matches!(variable, Expr::Slot(_)) || !matches!(bound, Expr::Slot(0)) {
        return None;
    }
    let root = |of: Expr| match exponent {
        2 => Expr::Call(Func::Sqrt, vec![of]),
        k => Expr::Call(Func::Root, vec![of, Expr::Const(k)]),
    };
    match op {
        RelOp::Le => Some(vec![AtomKind::Rel(variable.clone(), RelOp::Le, root(bound.clone()))]),
        // t*t < n is t*t <= n - 1, which asks for n >= 1.
        RelOp::Lt => {
            let less = Expr::Binary(Op::Sub, Box::new(bound.clone()), Box::new(Expr::Const(1)));
            let held = Expr::Call(Func::Max, vec![less, Expr::Const(0)]);
            Some(vec![
                AtomKind::Rel(bound.clone(), RelOp::Ge, Expr::Const(1)),
                AtomKind::Rel(variable.clone(), RelOp::Le, root(held)),
            ])
        }
        _ => None,
    }
}

/// An innermost `max`, `min` or `abs`.
fn innermost(expr: &Expr, view: View) -> Option<&Expr> {
    let inner = match expr {
        Expr::Slot(_) | Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => None,
        Expr::Item(_, a) | Expr::Neg(a) | Expr::Grundy(a) => innermost(a, view),
        Expr::Binary(_, a, b) => innermost(a, view).or_else(|| innermost(b, view)),
        Expr::Call(_, args) => args.iter().find_map(|a| innermost(a, view)),
    };
    let splits = match expr {
        Expr::Call(Func::Max | Func::Min | Func::Abs, _) => {
            view == View::Taken || slots(expr).iter().any(|slot| *slot != 0)
        }
        _ => false,
    };
    inner.or_else(|| splits.then_some(expr))
}

/// `expr` with `to` wherever `from` stands.
fn substitute(expr: &Expr, from: &Expr, to: &Expr) -> Expr {
    if expr == from {
        return to.clone();
    }
    let go = |e: &Expr| Box::new(substitute(e, from, to));
    match expr {
        Expr::Slot(_) | Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => expr.clone(),
        Expr::Item(id, a) => Expr::Item(*id, go(a)),
        Expr::Neg(a) => Expr::Neg(go(a)),
        Expr::Grundy(a) => Expr::Grundy(go(a)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, go(a), go(b)),
        Expr::Call(func, args) => Expr::Call(*func, args.iter().map(|a| *go(a)).collect()),
    }
}
