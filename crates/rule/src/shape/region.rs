//! Sets of integer points: is a cell inside a union of regions, is it apart from them?
//!
//! A region is a conjunction of `form >= 0`. "Inside" is proved by refuting what is left of the cell when
//! the regions are taken away one after the other; "apart" by refuting cell and region together. Both answers are
//! proofs; failing to get either one is no answer.

use crate::ends::fourier_motzkin::System;
use crate::ends::linear::{Linear, Unknown};
use crate::expr::Int;

/// A conjunction of `form >= 0`.
pub(super) type Region = Vec<Linear>;

/// What elimination of unknowns gave.
pub(super) enum Projection {
    /// No point at all.
    Empty,
    /// Exactly these points have a completion.
    Exact(Region),
    /// Not decided.
    Unknown,
}

/// The points for which some integers stand for `unknowns` and satisfy the system.
pub(super) fn project(system: &System, unknowns: &[Unknown]) -> Projection {
    project_or_none(system, unknowns).unwrap_or(Projection::Unknown)
}

fn project_or_none(system: &System, unknowns: &[Unknown]) -> Option<Projection> {
    let mut rows = system.at_least_zero.clone();
    let mut equations = system.zero.clone();
    let mut left: Vec<Unknown> = unknowns.to_vec();
    let mut kept: Vec<Linear> = Vec::new();
    while let Some(mut equation) = equations.pop() {
        if !equation.may_be_zero()? {
            return Some(Projection::Empty);
        }
        if equation.as_constant().is_some() {
            continue;
        }
        equation.tighten();
        let mine: Vec<(Unknown, Int)> =
            equation.terms().iter().filter(|t| left.contains(&t.0)).copied().collect();
        if mine.is_empty() {
            kept.push(equation);
            continue;
        }
        let (unknown, coefficient) = *mine.iter().find(|t| t.1.unsigned_abs() == 1)?;
        let value = equation.replace(unknown, &Linear::default())?.times(-coefficient)?;
        for row in rows.iter_mut().chain(&mut equations).chain(&mut kept) {
            *row = row.replace(unknown, &value)?;
        }
        left.retain(|u| *u != unknown);
    }
    for equation in kept {
        rows.push(equation.times(-1)?);
        rows.push(equation);
    }
    for unknown in left {
        for row in &mut rows {
            row.tighten();
        }
        let [free, low, high] = Linear::part(rows, unknown);
        rows = free;
        // With all lower (or all upper) coefficients 1 the rational shadow is the integer one.
        let unit = |side: &[Linear]| side.iter().all(|row| row.coefficient(unknown).unsigned_abs() == 1);
        if !unit(&low) && !unit(&high) {
            return None;
        }
        for l in &low {
            for h in &high {
                rows.push(l.meet(h, unknown)?);
            }
        }
        if rows.len() > crate::ends::fourier_motzkin::LIMIT {
            return None;
        }
    }
    for row in &mut rows {
        row.tighten();
    }
    if rows.iter().any(|row| row.as_constant().is_some_and(|c| c < 0)) {
        return Some(Projection::Empty);
    }
    rows.retain(|row| row.as_constant().is_none());
    rows.sort();
    rows.dedup();
    Some(Projection::Exact(rows))
}

/// A region as a system.
pub(super) fn system(region: &[Linear]) -> System {
    System { at_least_zero: region.to_vec(), zero: Vec::new() }
}

/// Whether no point of the cell is in the region: proved.
pub(super) fn apart(cell: &System, region: &[Linear]) -> bool {
    let mut both = cell.clone();
    both.at_least_zero.extend_from_slice(region);
    both.refuted()
}

/// Whether every point of the cell is in the region: proved.
pub(super) fn inside(cell: &System, region: &[Linear]) -> bool {
    region.iter().all(|row| cell.implies(row))
}

/// Whether every point of the cell is in the union of the regions: proved.
pub(super) fn covered(cell: &System, regions: &[&Region]) -> bool {
    const MOST_STEPS: usize = 4000;
    if regions.iter().any(|region| inside(cell, region)) {
        return true;
    }
    let mut steps = MOST_STEPS;
    // What is left of the cell, and how many regions were taken away from it.
    let mut todo = vec![(cell.clone(), 0)];
    while let Some((rest, taken)) = todo.pop() {
        let Some(left) = steps.checked_sub(1) else { return false };
        steps = left;
        if rest.refuted() {
            continue;
        }
        let Some(region) = regions.get(taken) else { return false };
        // Not in the region: the first row that fails is this one.
        let mut before = rest;
        for row in region.iter() {
            let Some(fails) = row.times(-1).and_then(|r| r.add(-1)) else { return false };
            let mut part = before.clone();
            part.demand(fails);
            todo.push((part, taken + 1));
            before.demand(row.clone());
        }
    }
    true
}

/// A region with unknowns renamed: `to[u]` for unknown `u`.
pub(super) fn renamed(region: &[Linear], to: &[Linear]) -> Option<Region> {
    let mut found = Vec::with_capacity(region.len());
    for row in region {
        let mut sum = Linear::constant(row.constant);
        for (unknown, coefficient) in row.terms() {
            sum = sum.combine(1, to.get(*unknown)?, *coefficient)?;
        }
        found.push(sum);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(constant: Int, coefficients: &[Int]) -> Linear {
        let mut sum = Linear::constant(constant);
        for (unknown, coefficient) in coefficients.iter().enumerate() {
            sum = sum.combine(1, &Linear::unknown(unknown), *coefficient).unwrap();
        }
        sum
    }

    #[test]
    fn a_cell_in_a_union() {
        // 0 <= x, y; the regions x <= y and y <= x cover it, x < y and y < x do not.
        let cell = system(&[form(0, &[1, 0]), form(0, &[0, 1])]);
        let (up, down) = (vec![form(0, &[-1, 1])], vec![form(0, &[1, -1])]);
        assert!(covered(&cell, &[&up, &down]));
        let (up, down) = (vec![form(-1, &[-1, 1])], vec![form(-1, &[1, -1])]);
        assert!(!covered(&cell, &[&up, &down]));
        assert!(apart(&cell, &[form(-1, &[-1, -1])]));
    }

    #[test]
    fn projection_is_exact_or_nothing() {
        // x = 2k: not decided; y - 1 <= k <= x: y <= x + 1.
        let mut even = System::default();
        even.equate(form(0, &[1, 0, -2]));
        assert!(matches!(project(&even, &[2]), Projection::Unknown));
        let mut between = System::default();
        between.demand(form(1, &[0, -1, 1]));
        between.demand(form(0, &[1, 0, -1]));
        let Projection::Exact(rows) = project(&between, &[2]) else { panic!("exact") };
        assert_eq!(rows, [form(1, &[1, -1])]);
        // 6 = 2k leaves no condition, 7 = 2k no point.
        for (number, empty) in [(6, false), (7, true)] {
            let mut fixed = System::default();
            fixed.equate(form(number, &[0, 0, -2]));
            assert_eq!(matches!(project(&fixed, &[2]), Projection::Empty), empty);
        }
    }
}
