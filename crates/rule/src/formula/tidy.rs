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
    let mut system = System::default();
    for condition in &form.conditions {
        match condition {
            Condition::Zero(zero) => system.equate(zero.clone()),
            Condition::AtLeastZero(least) => system.demand(least.clone()),
            _ => {}
        }
    }
    (0..form.unknowns).for_each(|unknown| system.demand(Linear::unknown(unknown)));
    !system.refuted()
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
