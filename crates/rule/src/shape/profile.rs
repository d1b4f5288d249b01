//! Where a condition on one number changes: break points and a period.
//!
//! A condition on `t` alone has a *profile* if between break points it depends only on `t` modulo a period.
//! Then it need be evaluated at finitely many `t` only: at the break points and once for each gap (and
//! residue). Linear relations, memberships in finite sets, remainders and divisibility by numbers have one;
//! "is prime" has none, except where other facts bound `t`.

use crate::ends::linear::gcd;
use crate::expr::{AtomKind, Expr, Func, Int, NamedSet, Op, Set};
use crate::rule::{Param, Value};

/// Break points and period of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Profile {
    /// The condition may change at these numbers and just after them.
    pub(super) breaks: Vec<Int>,
    /// At least 1.
    pub(super) period: Int,
}

/// How an expression depends on `t`.
enum Form {
    /// `a*t + c`
    Affine(Int, Int),
    /// On `t` modulo this number.
    Periodic(Int),
}

/// The longest period, and the most break points that a list of divisors may have.
pub(super) const MOST: Int = 4096;

/// The profile of a condition on slot 0.
pub(super) fn profile(atom: &AtomKind, params: &[Param]) -> Option<Profile> {
    let breaks = |breaks: Vec<Int>| Some(Profile { breaks, period: 1 });
    match atom {
        AtomKind::Rel(a, _, b) => {
            let difference = Expr::Binary(Op::Sub, Box::new(a.clone()), Box::new(b.clone()));
            match form(&difference, params)? {
                Form::Affine(0, _) => breaks(Vec::new()),
                Form::Affine(a, c) => breaks(vec![root(a, c, 0)?.0]),
                Form::Periodic(period) => Some(Profile { breaks: Vec::new(), period }),
            }
        }
        AtomKind::In(e, _, set) => {
            let e = form(e, params)?;
            let members: Vec<Int> = match set {
                Set::Range(low, high) => {
                    let ends: Vec<&Expr> = std::iter::once(low).chain(high).collect();
                    let mut all = Vec::new();
                    for end in ends {
                        match (&e, form(end, params)?) {
                            (Form::Affine(a, c), Form::Affine(b, d)) => {
                                let (a, c) = (a.checked_sub(b)?, c.checked_sub(d)?);
                                if a != 0 {
                                    all.push(root(a, c, 0)?.0);
                                }
                            }
                            (Form::Periodic(p), Form::Affine(0, _)) => {
                                return Some(Profile { breaks: Vec::new(), period: *p });
                            }
                            _ => return None,
                        }
                    }
                    return breaks(all);
                }
                Set::List(items) => items
                    .iter()
                    .map(|item| match form(item, params)? {
                        Form::Affine(0, c) => Some(c),
                        _ => None,
                    })
                    .collect::<Option<_>>()?,
                Set::Param(id) => match params.get(*id)?.value.as_ref()? {
                    Value::Set(values) | Value::List(values) => values.clone(),
                    _ => return None,
                },
                Set::Named(NamedSet::Naturals, _) => vec![-1],
                Set::Named(NamedSet::Divisors | NamedSet::Digits, args)
                    if args.iter().all(|a| matches!(form(a, params), Some(Form::Affine(0, _)))) =>
                {
                    set.members(&[], params).ok()?.take(usize::try_from(MOST).ok()?).collect()
                }
                Set::Named(..) => match e {
                    Form::Periodic(period) => return Some(Profile { breaks: Vec::new(), period }),
                    Form::Affine(..) => return None,
                },
            };
            match e {
                Form::Affine(0, _) => breaks(Vec::new()),
                Form::Affine(a, c) => {
                    let roots: Option<Vec<(Int, bool)>> = members.iter().map(|m| root(a, c, *m)).collect();
                    breaks(roots?.into_iter().map(|r| r.0).collect())
                }
                Form::Periodic(period) => Some(Profile { breaks: Vec::new(), period }),
            }
        }
        AtomKind::PairIn(a, b, _, id) => {
            let Value::Pairs(rows) = params.get(*id)?.value.as_ref()? else { return None };
            let mut all = Vec::new();
            let forms = (form(a, params)?, form(b, params)?);
            // The row fixes t through the side that moves.
            let (x, c, second) = match forms {
                (Form::Affine(x, c), Form::Affine(..)) if x != 0 => (x, c, false),
                (Form::Affine(0, _), Form::Affine(x, c)) if x != 0 => (x, c, true),
                _ => return None,
            };
            for row in rows.iter() {
                all.push(root(x, c, if second { row.1 } else { row.0 })?.0);
            }
            breaks(all)
        }
        AtomKind::Divides(a, _, b) => match (form(a, params)?, form(b, params)?) {
            (Form::Affine(0, 0), Form::Affine(b, d)) if b != 0 => breaks(vec![root(b, d, 0)?.0]),
            (Form::Affine(0, _), Form::Affine(0, _)) => breaks(Vec::new()),
            (Form::Affine(0, c), Form::Affine(..)) => periodic(c),
            (Form::Affine(0, _), Form::Periodic(period)) => Some(Profile { breaks: Vec::new(), period }),
            // What divides a number that is not 0 is not greater.
            (Form::Affine(a, c), Form::Affine(0, d)) if d != 0 => {
                let (low, high) =
                    (root(a, c, d.checked_abs()?)?.0, root(a, c, d.checked_abs()?.checked_neg()?)?.0);
                let (low, high) = (low.min(high), low.max(high).checked_add(1)?);
                (high - low <= MOST).then(|| Profile { breaks: (low..=high).collect(), period: 1 })
            }
            (Form::Affine(a, c), Form::Affine(0, _)) if a != 0 => breaks(vec![root(a, c, 0)?.0]),
            _ => None,
        },
    }
}

/// `floor` of where `a*t + c = value`, and whether that is exact. (Conditions may change there and one later.)
fn root(a: Int, c: Int, value: Int) -> Option<(Int, bool)> {
    let difference = value.checked_sub(c)?;
    let (a, difference) = if a < 0 { (a.checked_neg()?, difference.checked_neg()?) } else { (a, difference) };
    Some((difference.div_euclid(a), difference.rem_euclid(a) == 0))
}

fn periodic(modulus: Int) -> Option<Profile> {
    let period = modulus.checked_abs()?;
    (1..=MOST).contains(&period).then_some(Profile { breaks: Vec::new(), period })
}

fn form(expr: &Expr, params: &[Param]) -> Option<Form> {
    if super::piece::slots(expr).is_empty() {
        return expr.eval(&[], params).ok().map(|c| Form::Affine(0, c));
    }
    let joined = |p: Int, q: Int| {
        let lcm = (p / gcd(p, q)).checked_mul(q)?;
        (lcm <= MOST).then_some(Form::Periodic(lcm))
    };
    let period_of = |f: &Form| match f {
        Form::Affine(0, _) => Some(1),
        Form::Periodic(p) => Some(*p),
        Form::Affine(..) => None,
    };
    match expr {
        Expr::Slot(0) => Some(Form::Affine(1, 0)),
        Expr::Neg(a) => match form(a, params)? {
            Form::Affine(a, c) => Some(Form::Affine(a.checked_neg()?, c.checked_neg()?)),
            periodic @ Form::Periodic(_) => Some(periodic),
        },
        Expr::Binary(op, a, b) => {
            let (a, b) = (form(a, params)?, form(b, params)?);
            match (op, &a, &b) {
                (Op::Add, Form::Affine(x, c), Form::Affine(y, d)) => {
                    Some(Form::Affine(x.checked_add(*y)?, c.checked_add(*d)?))
                }
                (Op::Sub, Form::Affine(x, c), Form::Affine(y, d)) => {
                    Some(Form::Affine(x.checked_sub(*y)?, c.checked_sub(*d)?))
                }
                (Op::Mul, Form::Affine(0, k), Form::Affine(x, c))
                | (Op::Mul, Form::Affine(x, c), Form::Affine(0, k)) => {
                    Some(Form::Affine(x.checked_mul(*k)?, c.checked_mul(*k)?))
                }
                (Op::Mod, Form::Affine(_, _), Form::Affine(0, d)) => {
                    let period = d.checked_abs()?;
                    (1..=MOST).contains(&period).then_some(Form::Periodic(period))
                }
                _ => joined(period_of(&a)?, period_of(&b)?),
            }
        }
        Expr::Call(func, args) => {
            let forms: Vec<Form> = args.iter().map(|a| form(a, params)).collect::<Option<_>>()?;
            if *func == Func::Gcd {
                // gcd(t, c) with c != 0 depends on t modulo c.
                let fixed = forms.iter().find_map(|f| match f {
                    Form::Affine(0, c) if *c != 0 => c.checked_abs(),
                    _ => None,
                });
                if let Some(period) = fixed {
                    let others =
                        forms.iter().filter_map(period_of).try_fold(period, |p, q| match joined(p, q)? {
                            Form::Periodic(p) => Some(p),
                            Form::Affine(..) => None,
                        })?;
                    return (others <= MOST).then_some(Form::Periodic(others));
                }
            }
            let mut period = 1;
            for f in &forms {
                match joined(period, period_of(f)?)? {
                    Form::Periodic(p) => period = p,
                    Form::Affine(..) => return None,
                }
            }
            Some(Form::Periodic(period))
        }
        _ => None,
    }
}
