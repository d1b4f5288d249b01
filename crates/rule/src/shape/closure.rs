//! Recognises lower heaps in any combination, consecutive runs, and sets given by a condition.

use crate::ends::fourier_motzkin::System;
use crate::ends::linear::{Linear, Unknown};
use crate::expr::{AtomKind, Expr, Int, Op, RelOp, Set};
use crate::heap::KindId;
use crate::rule::{Part, Rule};

use super::piece::{self, Piece, atom_slots, map, map_atom};
use super::region::{Projection, Region, apart, covered, project, renamed, system};
use super::{Runs, TakenPiece, TakenSet, XorClosure};

/// More lower heaps than this in one option are not looked at: Moidores turns nine coins.
const MOST_PARTS: usize = 8;

/// For more heaps than this they must be written in order, `a < b < c < d < e`.
const MOST_UNORDERED: usize = 3;

/// Lower heaps in any combination; the pieces are in terms of the heap.
pub(super) fn xor_closure(rule: &Rule, pieces: &[Piece]) -> Option<XorClosure> {
    if pieces.is_empty() || pieces.iter().any(|p| p.parts > MOST_PARTS) {
        return None;
    }
    let mut regions: Vec<(usize, Region)> = Vec::new();
    for piece in pieces {
        if !piece.guards.is_empty() || !piece.mixed.is_empty() || !piece.curved.at_least_zero.is_empty() {
            return None;
        }
        match project(&piece.all_facts(), &piece.leftovers) {
            Projection::Exact(region) => regions.push((piece.parts, region)),
            Projection::Empty => {}
            Projection::Unknown => return None,
        }
    }
    // The least heap is 0 or 1 in every game of the literature.
    (0..=1).find_map(|least| closure_from(rule, &regions, least))
}

/// The same if the least heap is `least`.
fn closure_from(rule: &Rule, regions: &[(usize, Region)], least: u64) -> Option<XorClosure> {
    let most = regions.iter().map(|r| r.0).max()?;
    let low = Int::from(least);
    let mut counts = Vec::new();
    let mut repeats: Option<bool> = None;
    // Every move is one of those promised: least <= n, least <= y < n.
    for (parts, region) in regions {
        let all = system(region);
        for unknown in 0..=*parts {
            let y = Linear::unknown(unknown);
            let gap = if unknown == 0 { Some(y.clone()) } else { Linear::unknown(0).minus(&y)?.add(-1) };
            if !all.implies(&y.add(-low)?) || (unknown > 0 && !all.implies(&gap?)) {
                return None;
            }
        }
    }
    for count in 0..=most {
        let mut mine: Vec<Region> = regions.iter().filter(|r| r.0 == count).map(|r| r.1.clone()).collect();
        if mine.is_empty() {
            continue;
        }
        // If the heaps of every move come in one order, the sorted one is the only one to look at.
        let ordered: Option<Vec<Region>> = mine.iter().map(|region| in_order(region, count)).collect();
        let is_ordered = ordered.is_some();
        match ordered {
            Some(ordered) => mine = ordered,
            None if count > MOST_UNORDERED => return None,
            None => {}
        }
        // For each way in which sorted heaps can be equal: all of it is there, or nothing.
        let (mut distinct, mut equal): (Option<bool>, Vec<bool>) = (None, Vec::new());
        for ties in 0..(1u32 << count.saturating_sub(1)) {
            let (cell, sizes) = sorted_cell(count, ties, low)?;
            let mut images = Vec::new();
            for order in if is_ordered { vec![sizes.clone()] } else { orders(&sizes) } {
                let mut to = vec![Linear::unknown(0)];
                to.extend(order.iter().map(|s| Linear::unknown(*s)));
                for region in &mine {
                    images.push(renamed(region, &to)?);
                }
            }
            images.retain(|image| !apart(&cell, image));
            let images: Vec<&Region> = images.iter().collect();
            let in_it = !images.is_empty();
            if in_it && !covered(&cell, &images) {
                return None;
            }
            if ties == 0 {
                distinct = Some(in_it);
            } else {
                equal.push(in_it);
            }
        }
        if distinct != Some(true) {
            return None;
        }
        if count > 1 {
            let all = equal.iter().all(|e| *e);
            if !all && equal.iter().any(|e| *e) || repeats.is_some_and(|r| r != all) {
                return None;
            }
            repeats = Some(all);
        }
        counts.push(u32::try_from(count).ok()?);
    }
    // Two equal coins are none: that is another game.
    if rule.coins && repeats == Some(true) {
        return None;
    }
    Some(XorClosure { counts, repeats: repeats.unwrap_or(false), least })
}

/// A region of moves whose heaps come in one order, renamed so that it is the ascending one.
fn in_order(region: &[Linear], count: usize) -> Option<Region> {
    let all = system(region);
    let below = |i: usize, j: usize| {
        Linear::unknown(j).minus(&Linear::unknown(i)).is_some_and(|gap| all.implies(&gap))
    };
    let mut order: Vec<usize> = (1..=count).collect();
    // How many heaps each is below decides its place, if the order is total.
    order.sort_by_key(|i| std::cmp::Reverse((1..=count).filter(|j| i != j && below(*i, *j)).count()));
    if order.windows(2).any(|pair| !below(pair[0], pair[1])) {
        return None;
    }
    let mut to = vec![Linear::unknown(0); count + 1];
    for (place, heap) in order.iter().enumerate() {
        to[*heap] = Linear::unknown(place + 1);
    }
    renamed(region, &to)
}

/// Sorted heaps from `low` on below heap n (unknown 0); bit i of `ties` makes heap i + 1 equal to heap i. The
/// sizes are unknowns 1, 2, ..; also given: the size of each heap.
fn sorted_cell(count: usize, ties: u32, low: Int) -> Option<(System, Vec<Unknown>)> {
    let mut cell = System::default();
    let heap = Linear::unknown(0);
    cell.demand(heap.add(-low)?);
    let mut sizes = Vec::new();
    for i in 0..count {
        match (i.checked_sub(1), sizes.last()) {
            (Some(before), Some(last)) if ties >> before & 1 == 1 => sizes.push(*last),
            (_, last) => {
                let size = last.map_or(1, |l: &Unknown| l + 1);
                let bound = match last {
                    Some(last) => Linear::unknown(*last).add(1)?,
                    None => Linear::constant(low),
                };
                cell.demand(Linear::unknown(size).minus(&bound)?);
                sizes.push(size);
            }
        }
    }
    if let Some(last) = sizes.last() {
        cell.demand(heap.minus(&Linear::unknown(*last))?.add(-1)?);
    }
    Some((cell, sizes))
}

/// All distinct orders of a few numbers.
fn orders(sizes: &[Unknown]) -> Vec<Vec<Unknown>> {
    let mut found: Vec<Vec<Unknown>> = vec![Vec::new()];
    for _ in 0..sizes.len() {
        let mut next = Vec::new();
        for order in &found {
            let mut rest = sizes.to_vec();
            for used in order {
                let at = rest.iter().position(|s| s == used).expect("taken from the sizes");
                rest.remove(at);
            }
            rest.sort_unstable();
            rest.dedup();
            next.extend(rest.into_iter().map(|s| [order.as_slice(), &[s]].concat()));
        }
        found = next;
    }
    found
}

/// The numbers that may be taken, if that does not depend on the heap; the pieces are in terms of what is
/// taken.
pub(super) fn taken_set(rule: &Rule, pieces: &[Piece]) -> Option<TakenSet> {
    const LEFT: Unknown = 1;
    let mut found = Vec::new();
    for piece in pieces {
        if piece.parts != 1 {
            return None;
        }
        let facts = piece.facts_with_signs(rule);
        if !facts.implies(&Linear::unknown(0).add(-1)?) {
            return None;
        }
        // Slot 0 is what is taken, the leftovers follow.
        let place = |slot: usize| match slot {
            0 => Some(Expr::Slot(0)),
            _ => piece.leftovers.iter().position(|l| *l == slot).map(|i| Expr::Slot(1 + i)),
        };
        let mut atoms: Vec<AtomKind> = Vec::new();
        for atom in piece.base.iter().chain(&piece.mixed) {
            atoms.push(map_atom(atom, &mut |e| map(e, &mut |slot| place(slot)))?);
        }
        let equations = piece.facts.zero.iter().map(|row| (row, RelOp::Eq));
        for (row, op) in piece.facts.at_least_zero.iter().map(|row| (row, RelOp::Ge)).chain(equations) {
            if row.coefficient(LEFT) != 0 {
                // `y >= 0` may stand, in whatever form; anything else about y may not.
                let mut others = facts_without(row, piece);
                others.demand(Linear::unknown(LEFT));
                others.demand(Linear::unknown(0).add(-1)?);
                if op == RelOp::Ge && others.implies(row) {
                    continue;
                }
                return None;
            }
            let mut sum = Expr::Const(row.constant);
            for (unknown, coefficient) in row.terms() {
                let term =
                    Expr::Binary(Op::Mul, Box::new(Expr::Const(*coefficient)), Box::new(place(*unknown)?));
                sum = Expr::Binary(Op::Add, Box::new(sum), Box::new(term));
            }
            // A leftover is a natural anyway.
            if !(op == RelOp::Ge && row.constant == 0 && matches!(row.terms(), [(_, 1)])) {
                atoms.push(AtomKind::Rel(sum, op, Expr::Const(0)));
            }
        }
        if atoms.iter().any(|atom| atom_slots(atom).iter().any(|slot| *slot > piece.leftovers.len())) {
            return None;
        }
        found.push(TakenPiece { variables: piece.leftovers.len(), atoms });
    }
    (!found.is_empty()).then_some(TakenSet { pieces: found })
}

/// The facts of a piece that do not mention the heap left.
fn facts_without(row: &Linear, piece: &Piece) -> System {
    let mut system = piece.base_facts.clone();
    let rows = piece.facts.at_least_zero.iter().filter(|other| *other != row && other.coefficient(1) == 0);
    system.at_least_zero.extend(rows.cloned());
    system.zero.extend(piece.facts.zero.iter().filter(|other| other.coefficient(1) == 0).cloned());
    system
}

/// Runs directly below the heap: unknown 0 is the heap, unknown 1 the length.
pub(super) fn runs(rule: &Rule, kind: KindId) -> Option<Runs> {
    const PROBED: Int = 24;
    let regions = run_regions(rule, kind)?;
    if regions.is_empty() {
        return None;
    }
    // Read the three numbers off small heaps, then prove that they are right for all.
    let holds = |n: Int, d: Int| {
        let point = [Linear::constant(n), Linear::constant(d)];
        regions.iter().any(|region| {
            renamed(region, &point)
                .is_some_and(|rows| rows.iter().all(|row| row.as_constant().is_some_and(|c| c >= 0)))
        })
    };
    let lengths = |n: Int| (0..=n).filter(move |d| holds(n, *d));
    let shortest = lengths(PROBED).next()?;
    let greatest = lengths(PROBED).next_back()?;
    let longest = (!holds(PROBED + 1, greatest + 1)).then_some(greatest);
    // The least heap that a run reaches: that of the longest run of a heap where no length is forbidden.
    let open = longest.unwrap_or(PROBED).max(shortest);
    let least = (0..=open).filter_map(|n| lengths(n).next_back().map(|d| n - d)).min()?;
    let mut wanted = Region::new();
    let (heap, length) = (Linear::unknown(0), Linear::unknown(1));
    wanted.push(length.add(-shortest)?);
    wanted.push(heap.minus(&length)?.add(-least)?);
    if let Some(longest) = longest {
        wanted.push(length.times(-1)?.add(longest)?);
    }
    let cell = system(&wanted);
    let all: Vec<&Region> = regions.iter().collect();
    let within = |region: &Region| wanted.iter().all(|row| system(region).implies(row));
    if !covered(&cell, &all) || !regions.iter().all(within) {
        return None;
    }
    Some(Runs {
        shortest: u64::try_from(shortest).ok()?,
        longest: longest.map(u64::try_from).transpose().ok()?,
        least: u64::try_from(least).ok()?,
    })
}

/// The moves of each alternative as points (heap, length); `None` if one leaves anything else than a run.
fn run_regions(rule: &Rule, kind: KindId) -> Option<Vec<Region>> {
    let mut regions = Vec::new();
    let mut unrolled = false;
    for (line, alternative) in piece::alternatives(rule, kind) {
        // The lowest and the highest heap, each as an expression; a run of no heap: `n` and `n - 1`.
        let (low, high) = match alternative.parts.as_slice() {
            [Part::List { parts, slot, set: Set::Range(from, Some(to)), .. }] => {
                let [Part::Heap(heap)] = parts.as_slice() else { return None };
                if heap.kind != kind {
                    return None;
                }
                unrolled = true;
                let entry = heap.entries.first()?;
                let at =
                    |i: &Expr| map(entry, &mut |s| Some(if s == *slot { i.clone() } else { Expr::Slot(s) }));
                match slope(entry, *slot)? {
                    1 => (at(from)?, at(to)?),
                    -1 => (at(to)?, at(from)?),
                    _ => return None,
                }
            }
            parts => {
                // Written out: the heaps must be n-1, n-2, .. by their form; a piece decides.
                let mut entries = Vec::new();
                for part in parts {
                    let Part::Heap(heap) = part else { return None };
                    if heap.kind != kind {
                        return None;
                    }
                    entries.push(below(heap.entries.first()?)?);
                }
                entries.sort_unstable();
                let run: Vec<Int> = (1..=Int::try_from(entries.len()).ok()?).collect();
                if entries != run {
                    return None;
                }
                let minus =
                    |by: Int| Expr::Binary(Op::Sub, Box::new(Expr::Slot(0)), Box::new(Expr::Const(by)));
                (minus(Int::try_from(entries.len()).ok()?), minus(1))
            }
        };
        for piece in piece::spans(rule, line, alternative, &low, &high)? {
            // Heaps left stand for the ends: unknown 1 is one more than the low one, unknown 2 one more than
            // the high one.
            if !piece.guards.is_empty() || !piece.mixed.is_empty() || !piece.curved.at_least_zero.is_empty() {
                return None;
            }
            let facts = piece.all_facts();
            let size = Linear::unknown(2).minus(&Linear::unknown(1))?.add(1)?;
            if !facts.implies(&size) {
                return None;
            }
            // The empty run, wherever it stands, and those directly below the heap whose heaps are naturals.
            let mut empty = facts.clone();
            empty.equate(size.clone());
            let mut some = facts;
            some.demand(size.add(-1)?);
            some.demand(Linear::unknown(1).add(-1)?);
            let gap = Linear::unknown(0).minus(&Linear::unknown(2))?;
            if !(some.implies(&gap) && some.implies(&gap.times(-1)?)) {
                return None;
            }
            for mut facts in [empty, some] {
                if facts.refuted() {
                    continue;
                }
                let length: Unknown = piece.unknowns;
                facts.equate(Linear::unknown(length).minus(&size)?);
                let mut left = piece.leftovers.clone();
                left.extend([1, 2]);
                let Projection::Exact(region) = project(&facts, &left) else { return None };
                let mut to: Vec<Linear> = (0..=length).map(Linear::unknown).collect();
                to[length] = Linear::unknown(1);
                regions.push(renamed(&region, &to)?);
            }
        }
    }
    unrolled.then_some(regions)
}

/// The factor of a slot in an expression that is linear in it, -1, 0 or 1.
fn slope(expr: &Expr, slot: usize) -> Option<Int> {
    match expr {
        Expr::Slot(s) => Some(Int::from(*s == slot)),
        Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => Some(0),
        Expr::Neg(a) => Some(-slope(a, slot)?),
        Expr::Binary(Op::Add, a, b) => Some(slope(a, slot)? + slope(b, slot)?),
        Expr::Binary(Op::Sub, a, b) => Some(slope(a, slot)? - slope(b, slot)?),
        _ if piece::slots(expr).contains(&slot) => None,
        _ => Some(0),
    }
}

/// `k` of an expression `n - k`.
fn below(expr: &Expr) -> Option<Int> {
    match expr {
        Expr::Binary(Op::Sub, a, b) => match (&**a, &**b) {
            (Expr::Slot(0), Expr::Const(k)) => Some(*k),
            _ => None,
        },
        _ => None,
    }
}
