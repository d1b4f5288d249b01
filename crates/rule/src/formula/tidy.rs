//! A form made small: what is plain goes, unknowns that equal others go, and cases without a move go.
//!
//! Each step keeps the heaps that the form gives, to the letter: an unknown may be replaced by a form only if what is left
//! says that the form is at least 0.

use super::cases::fits_or;
use super::{Condition, Form, Left, Linear, Unknown};
use crate::ends::fourier_motzkin::System;
use crate::expr::Int;

/// Values of one unknown between two bounds that become a case each, and of any other form.
const SPLIT: (Int, Int) = (8, 2);

/// Adds the form, tidied, or the forms into which it falls; none if it has no move.
pub(super) fn tidy(form: Form, forms: &mut Vec<Form>) -> Result<(), String> {
    let mut todo = vec![form];
    while let Some(mut form) = todo.pop() {
        if !simplify(&mut form)? {
            continue;
        }
        if let Some(values) = narrow(&form)? {
            // Last in, first out: the least value comes first.
            for value in values.into_iter().rev() {
                let mut case = form.clone();
                case.conditions.push(Condition::Zero(value));
                todo.push(case);
            }
            continue;
        }
        if eliminate(&mut form)? {
            todo.push(form);
            continue;
        }
        if has_moves(&form) {
            drop_order(&mut form);
            drop_unused(&mut form);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    Ok(())
}

/// Takes out what holds anyway; `false` if something cannot hold.
fn simplify(form: &mut Form) -> Result<bool, String> {
    let mut kept = Vec::with_capacity(form.conditions.len());
    for condition in std::mem::take(&mut form.conditions) {
        match condition {
            Condition::Zero(mut zero) => {
                let content = zero.content();
                if content == 0 {
                    if zero.constant != 0 {
                        return Ok(false);
                    }
                    continue;
                }
                if zero.constant % content != 0 {
                    return Ok(false);
                }
                if zero.terms()[0].1 < 0 {
                    zero = fits_or(zero.times(-1))?;
                }
                zero.tighten();
                kept.push(Condition::Zero(zero));
            }
            Condition::AtLeastZero(mut least) => {
                least.tighten();
                let rises = least.terms().iter().all(|t| t.1 > 0);
                let falls = least.terms().iter().all(|t| t.1 < 0);
                if rises && least.constant >= 0 {
                    continue;
                }
                if falls && least.constant < 0 {
                    return Ok(false);
                }
                kept.push(Condition::AtLeastZero(least));
            }
            Condition::Divisible { form, modulus, holds } => {
                let mut rest = Linear::constant(form.constant.rem_euclid(modulus));
                for &(unknown, coefficient) in form.terms() {
                    let coefficient = coefficient.rem_euclid(modulus);
                    rest = fits_or(rest.combine(1, &Linear::unknown(unknown), coefficient))?;
                }
                match rest.as_constant() {
                    Some(number) if (number == 0) == holds => {}
                    Some(_) => return Ok(false),
                    None => kept.push(Condition::Divisible { form: rest, modulus, holds }),
                }
            }
            Condition::Among { unknowns, mut rows, holds } => {
                rows.sort_unstable();
                rows.dedup();
                match (rows.is_empty(), holds) {
                    (true, true) => return Ok(false),
                    (true, false) => {}
                    _ => kept.push(Condition::Among { unknowns, rows, holds }),
                }
            }
            other => kept.push(other),
        }
    }
    kept.sort_unstable();
    kept.dedup();
    let zeros: Vec<Linear> = kept
        .iter()
        .filter_map(|c| if let Condition::Zero(zero) = c { Some(zero.clone()) } else { None })
        .collect();
    let mut holds = true;
    kept.retain(|condition| {
        let Condition::AtLeastZero(least) = condition else { return true };
        match zeros.iter().find_map(|zero| known(least, zero)) {
            Some(number) => {
                holds &= number >= 0;
                false
            }
            None => true,
        }
    });
    form.conditions = kept;
    Ok(holds)
}

/// What the form is where `zero` is 0, if that is a number at a glance.
fn known(form: &Linear, zero: &Linear) -> Option<Int> {
    form.minus(zero).and_then(|f| f.as_constant()).or_else(|| form.plus(zero).and_then(|f| f.as_constant()))
}

/// The forms of which one is 0, if two bounds leave few values between them.
fn narrow(form: &Form) -> Result<Option<Vec<Linear>>, String> {
    let bounds = || {
        form.conditions.iter().filter_map(|c| match c {
            Condition::AtLeastZero(least) => Some(least),
            _ => None,
        })
    };
    for upper in bounds() {
        // upper = constant - f, so f <= constant.
        let f = fits_or(upper.times(-1).and_then(|f| f.add(upper.constant)))?;
        let lower = bounds().filter(|lower| lower.terms() == f.terms()).map(|lower| lower.constant).min();
        let single = matches!(f.terms(), [(unknown, 1)] if *unknown >= form.arity);
        let lower = match lower {
            Some(constant) => fits_or(constant.checked_neg())?,
            None if single => 0,
            None => continue,
        };
        let width = if single { SPLIT.0 } else { SPLIT.1 };
        if upper.constant.saturating_sub(lower) < width {
            let value = |number: Int| fits_or(number.checked_neg().and_then(|n| f.add(n)));
            return (lower..=upper.constant).map(value).collect::<Result<_, _>>().map(Some);
        }
    }
    Ok(None)
}

/// Whether a condition or the heaps left need the unknown as a number of its own.
fn stands_alone(form: &Form, unknown: Unknown) -> bool {
    let left = form.left.iter().any(|left| match left {
        Left::Heap(_, entries) => entries.contains(&unknown),
        Left::Run(_, from, to) => *from == unknown || *to == unknown,
    });
    left || form.conditions.iter().any(|condition| match condition {
        Condition::Zero(_) | Condition::AtLeastZero(_) | Condition::Divisible { .. } => false,
        Condition::Power { unknown: u, .. } => *u == unknown,
        Condition::Among { unknowns, .. } => unknowns.contains(&unknown),
        Condition::Bits { left, right, result, .. } => [left, right, result].contains(&&unknown),
    })
}

/// Replaces one unknown that an equation gives; `false` if there is none.
fn eliminate(form: &mut Form) -> Result<bool, String> {
    for at in 0..form.conditions.len() {
        let Condition::Zero(zero) = &form.conditions[at] else { continue };
        for &(unknown, coefficient) in zero.terms() {
            if unknown < form.arity || coefficient.checked_abs() != Some(1) {
                continue;
            }
            // coefficient * unknown + rest = 0
            let rest = fits_or(zero.replace(unknown, &Linear::default()))?;
            let value = fits_or(rest.times(-coefficient))?;
            let same = match (value.terms(), value.constant) {
                ([(other, 1)], 0) => Some(*other),
                _ => None,
            };
            if same.is_none() && stands_alone(form, unknown) {
                continue;
            }
            form.conditions.remove(at);
            if let Some(other) = same {
                rename(form, unknown, other);
            }
            for condition in &mut form.conditions {
                if let Condition::Zero(f) | Condition::AtLeastZero(f) | Condition::Divisible { form: f, .. } =
                    condition
                {
                    *f = fits_or(f.replace(unknown, &value))?;
                }
            }
            form.conditions.push(Condition::AtLeastZero(value));
            return Ok(true);
        }
    }
    Ok(false)
}

/// Puts one unknown for another where unknowns stand alone.
fn rename(form: &mut Form, from: Unknown, to: Unknown) {
    let put = |unknown: &mut Unknown| {
        if *unknown == from {
            *unknown = to;
        }
    };
    for left in &mut form.left {
        match left {
            Left::Heap(_, entries) => entries.iter_mut().for_each(put),
            Left::Run(_, first, last) => [first, last].into_iter().for_each(put),
        }
    }
    for condition in &mut form.conditions {
        match condition {
            Condition::Zero(_) | Condition::AtLeastZero(_) | Condition::Divisible { .. } => {}
            Condition::Power { unknown, .. } => put(unknown),
            Condition::Among { unknowns, .. } => unknowns.iter_mut().for_each(put),
            Condition::Bits { left, right, result, .. } => [left, right, result].into_iter().for_each(put),
        }
    }
}

/// `false` only if the linear conditions contradict each other.
fn has_moves(form: &Form) -> bool {
    !system(form).refuted()
}

/// The linear conditions, and that unknowns are naturals.
fn system(form: &Form) -> System {
    let mut system = System::default();
    for condition in &form.conditions {
        match condition {
            Condition::Zero(zero) => system.equate(zero.clone()),
            Condition::AtLeastZero(least) => system.demand(least.clone()),
            _ => {}
        }
    }
    (0..form.unknowns).for_each(|unknown| system.demand(Linear::unknown(unknown)));
    system
}

/// Takes out `a <= b <= c` between heaps that may stand for each other: sorted or not, they are the same options.
fn drop_order(form: &mut Form) {
    let alone = |unknown: Unknown| {
        let count =
            form.left.iter().filter(|l| matches!(l, Left::Heap(_, e) if e.as_slice() == [unknown])).count();
        let kind = form.left.iter().find_map(|l| match l {
            Left::Heap(kind, entries) if entries.contains(&unknown) => Some(*kind),
            _ => None,
        });
        (unknown >= form.arity && count == 1).then_some(kind).flatten()
    };
    // The conditions `low <= high` between such heaps.
    let mut order: Vec<(Unknown, Unknown)> = Vec::new();
    for condition in &form.conditions {
        if let Condition::AtLeastZero(least) = condition
            && let ([(a, p), (b, q)], 0) = (least.terms(), least.constant)
            && p.checked_add(*q) == Some(0)
            && alone(*a).is_some()
            && alone(*a) == alone(*b)
        {
            order.push(if *p < 0 { (*a, *b) } else { (*b, *a) });
        }
    }
    let Some(&(first, _)) = order.iter().find(|(low, _)| order.iter().all(|(_, high)| high != low)) else {
        return;
    };
    let mut chain = vec![first];
    while let Some((_, next)) = order.iter().find(|(low, _)| chain.last() == Some(low)) {
        if chain.contains(next) {
            return;
        }
        chain.push(*next);
    }
    let links = |condition: &Condition| match condition {
        Condition::AtLeastZero(least) => chain.windows(2).any(|pair| {
            least.constant == 0
                && least.terms().len() == 2
                && least.coefficient(pair[0]) == -least.coefficient(pair[1])
                && least.coefficient(pair[1]) > 0
        }),
        _ => false,
    };
    let one_by_one = chain.windows(2).all(|pair| {
        order.iter().filter(|(low, _)| *low == pair[0]).count() == 1
            && order.iter().filter(|(_, high)| *high == pair[1]).count() == 1
    });
    if !one_by_one {
        return;
    }
    let system = system(form);
    let mut kept = Vec::with_capacity(form.conditions.len());
    for condition in form.conditions.iter().filter(|c| !links(c)) {
        match symmetric(form, condition, &chain, &system) {
            Some(moved) => kept.extend(moved),
            None => return,
        }
        kept.push(condition.clone());
    }
    kept.sort_unstable();
    kept.dedup();
    form.conditions = kept;
}

/// What has to hold beside the condition, so that the unknowns of the chain may change places: nothing, or the
/// same of each of them where that is given or follows. `None`: they may not.
fn symmetric(
    form: &Form,
    condition: &Condition,
    chain: &[Unknown],
    system: &System,
) -> Option<Vec<Condition>> {
    match condition {
        Condition::Zero(f) | Condition::AtLeastZero(f) | Condition::Divisible { form: f, .. } => {
            if chain.iter().all(|u| f.coefficient(*u) == f.coefficient(chain[0])) {
                return Some(Vec::new());
            }
            let own = chain.iter().copied().find(|u| f.terms().len() == 1 && f.coefficient(*u) != 0)?;
            let mut moved = Vec::new();
            for other in chain {
                let f = f.replace(own, &Linear::unknown(*other))?;
                let follows = matches!(condition, Condition::AtLeastZero(_)) && system.implies(&f);
                let condition = match condition {
                    Condition::Zero(_) => Condition::Zero(f),
                    Condition::AtLeastZero(_) => Condition::AtLeastZero(f),
                    Condition::Divisible { modulus, holds, .. } => {
                        Condition::Divisible { form: f, modulus: *modulus, holds: *holds }
                    }
                    _ => return None,
                };
                if !follows && !form.conditions.contains(&condition) {
                    return None;
                }
                moved.push(condition);
            }
            Some(moved)
        }
        Condition::Power { unknown, .. } => (!chain.contains(unknown)).then(Vec::new),
        Condition::Among { unknowns, .. } => (!unknowns.iter().any(|u| chain.contains(u))).then(Vec::new),
        Condition::Bits { left, right, result, .. } => {
            (![left, right, result].iter().any(|u| chain.contains(u))).then(Vec::new)
        }
    }
}

/// Numbers the unknowns that are left.
fn drop_unused(form: &mut Form) {
    let linear = |f: &Linear, unknown: Unknown| f.coefficient(unknown) != 0;
    let used = |form: &Form, unknown: Unknown| {
        stands_alone(form, unknown)
            || form.conditions.iter().any(|condition| match condition {
                Condition::Zero(f) | Condition::AtLeastZero(f) | Condition::Divisible { form: f, .. } => {
                    linear(f, unknown)
                }
                _ => false,
            })
    };
    let mut next = form.arity;
    for unknown in form.arity..form.unknowns {
        if !used(form, unknown) {
            continue;
        }
        if unknown != next {
            rename(form, unknown, next);
            for condition in &mut form.conditions {
                if let Condition::Zero(f) | Condition::AtLeastZero(f) | Condition::Divisible { form: f, .. } =
                    condition
                    && let Some(renamed) = f.replace(unknown, &Linear::unknown(next))
                {
                    *f = renamed;
                }
            }
        }
        next += 1;
    }
    form.unknowns = next;
    form.conditions.sort_unstable();
}
