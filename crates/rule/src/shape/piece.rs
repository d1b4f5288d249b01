//! Pieces: each way of moving in a small normal form, over the heaps left instead of the variables written.
//!
//! Unknown 0 is the *base*: what is taken ([`View::Taken`]) or the heap itself ([`View::Heap`]). Unknowns
//! `1..=parts` are the heaps left. The variables of the rule are solved for by linear equations with a
//! coefficient of 1 or -1; those that stay are *leftovers*. Everything is a substitution of equals, so a
//! piece has exactly the moves of the alternative and branch it came from; together the pieces of a rule
//! have exactly the moves of the rule.

mod solve;
mod split;
mod walk;

use crate::ends::fourier_motzkin::System;
use crate::ends::linear::{Linear, Unknown};
use crate::ends::translate::Translator;
use crate::expr::{AtomKind, Expr, Int, Op, RelOp, Set, Slot};
use crate::heap::KindId;
use crate::rule::{Alternative, Line, Param, Part, Rule};

pub(super) use split::Way;
pub(super) use walk::{atom_slots, map, map_atom, slots};

use solve::{Forms, Solution};
use walk::{atom_exprs, replace};

/// What unknown 0 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// The heap less the sum of the heaps left.
    Taken,
    /// The heap.
    Heap,
}

/// One way of moving.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// How many heaps are left.
    pub(super) parts: usize,
    /// Linear facts, free of auxiliaries, about more than the base.
    pub(super) facts: System,
    /// Linear facts, free of auxiliaries, about the base alone. They are among `base` too.
    pub(super) base_facts: System,
    /// Linear facts in which auxiliaries depend on the base alone ([`View::Heap`] only).
    pub(super) curved: System,
    /// Conditions on the base alone: slot 0 is the base.
    pub(super) base: Vec<AtomKind>,
    /// Those conditions on the base alone that no linear fact states.
    pub(super) guards: Vec<AtomKind>,
    /// All other conditions: slots are unknowns. If there is one, the linear facts do not say everything.
    pub(super) mixed: Vec<AtomKind>,
    /// Variables that could not be solved for: naturals of which some must exist.
    pub(super) leftovers: Vec<Unknown>,
    /// Auxiliaries, with what they stand for (slots are unknowns).
    pub(super) auxiliaries: Vec<(Unknown, Expr)>,
    /// One more than the greatest unknown.
    pub(super) unknowns: usize,
}

impl Piece {
    /// All linear facts together.
    pub(super) fn all_facts(&self) -> System {
        let mut all = self.facts.clone();
        all.join(&self.base_facts);
        all.join(&self.curved);
        all
    }
}

impl Piece {
    /// All linear facts, and what the other conditions tell of signs and sizes: squares are at least 1.
    pub(super) fn facts_with_signs(&self, rule: &Rule) -> System {
        const PASSES: usize = 3;
        let mut translator = Translator::new(&rule.params, self.unknowns);
        for pass in 0..PASSES {
            if pass > 0 {
                translator.again();
            }
            for unknown in (1..=self.parts).chain(self.leftovers.iter().copied()) {
                translator.demand(Some(Linear::unknown(unknown)));
            }
            for atom in self.base.iter().chain(&self.mixed) {
                translator.atom(atom);
            }
        }
        let mut facts = translator.facts;
        facts.join(&self.all_facts());
        facts
    }
}

/// More pieces than this are not looked at.
const MOST_PIECES: usize = 256;
/// More cases of one branch than this are not looked at: each `!=` doubles them.
const MOST_CASES: usize = 4096;

/// The ways of moving of a kind with one entry; `None` if they cannot be brought into this form.
pub(super) fn pieces(rule: &Rule, kind: KindId, view: View) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    for (line, alternative) in alternatives(rule, kind) {
        let entries = listed(rule, kind, &alternative.parts)?;
        pieces_of(rule, line, alternative, &entries, view, &mut found)?;
    }
    Some(found)
}

/// The ways of moving of an alternative that leaves a run of heaps from `low` to `high`: pieces with `low + 1`
/// and `high + 1` as the heaps left. (An empty run of heap 0 ends at -1, and heaps left are naturals.)
pub(super) fn spans(
    rule: &Rule,
    line: &Line,
    alternative: &Alternative,
    low: &Expr,
    high: &Expr,
) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let next = |e: &Expr| Expr::Binary(Op::Add, Box::new(e.clone()), Box::new(Expr::Const(1)));
    pieces_of(rule, line, alternative, &[next(low), next(high)], View::Heap, &mut found)?;
    Some(found)
}

/// Adds the pieces of one alternative.
fn pieces_of(
    rule: &Rule,
    line: &Line,
    alternative: &Alternative,
    entries: &[Expr],
    view: View,
    found: &mut Vec<Piece>,
) -> Option<()> {
    for branch in &alternative.branches {
        let mut way = Way {
            entries: entries.to_vec(),
            atoms: branch.atoms.iter().map(|atom| atom.kind.clone()).collect(),
        };
        if let [Some(number)] = line.pattern.as_slice() {
            way.atoms.push(AtomKind::Rel(Expr::Slot(0), RelOp::Eq, Expr::Const(*number)));
        }
        let mut todo = vec![way];
        let mut looked_at = 0;
        while let Some(way) = todo.pop() {
            looked_at += 1;
            if looked_at > MOST_CASES {
                return None;
            }
            if let Some(cases) = way.split_functions(view) {
                todo.extend(cases);
            } else {
                match normal_form(rule, alternative, &way, view)? {
                    Normal::Piece(piece) => {
                        if !piece.all_facts().refuted() {
                            found.push(*piece);
                        }
                    }
                    Normal::Cases(cases) => todo.extend(cases),
                }
            }
            if found.len() + todo.len() > MOST_PIECES {
                return None;
            }
        }
    }
    Some(())
}

/// The alternatives of a kind.
pub(super) fn alternatives(rule: &Rule, kind: KindId) -> impl Iterator<Item = (&Line, &Alternative)> {
    let lines = rule.lines.iter().filter(move |line| line.kind == kind);
    lines.flat_map(|line| line.alternatives.iter().map(move |alternative| (line, alternative)))
}

/// The heaps left, one expression each; lists of a fixed small length are written out.
fn listed(rule: &Rule, kind: KindId, parts: &[Part]) -> Option<Vec<Expr>> {
    // The longest in the literature: Moidores turns nine coins.
    const MOST_PARTS: usize = 10;
    let mut found = Vec::new();
    for part in parts {
        match part {
            Part::Heap(heap) if heap.kind == kind => found.push(heap.entries.first()?.clone()),
            Part::Heap(_) => return None,
            Part::List { parts, slot, set, .. } => {
                let members = constant_members(set, &rule.params, MOST_PARTS)?;
                let body = listed(rule, kind, parts)?;
                for member in members {
                    found.extend(body.iter().map(|e| replace(e, *slot, &Expr::Const(member))));
                }
            }
        }
        if found.len() > MOST_PARTS {
            return None;
        }
    }
    Some(found)
}

/// The members of a set without names, if they are at most `most`.
fn constant_members(set: &Set, params: &[Param], most: usize) -> Option<Vec<Int>> {
    let free = match set {
        Set::List(items) => items.iter().all(|e| slots(e).is_empty()),
        Set::Range(low, high) => slots(low).is_empty() && high.as_ref().is_some_and(|h| slots(h).is_empty()),
        Set::Param(_) => true,
        Set::Named(..) => false,
    };
    if !free {
        return None;
    }
    let members: Vec<Int> = set.members(&[], params).ok()?.take(most + 1).collect();
    (members.len() <= most).then_some(members)
}

/// Either a piece, or cases that must be looked at one by one.
enum Normal {
    Piece(Box<Piece>),
    Cases(Vec<Way>),
}

/// Solves for the variables and sorts the conditions.
fn normal_form(rule: &Rule, alternative: &Alternative, way: &Way, view: View) -> Option<Normal> {
    let parts = way.entries.len();
    let frame = 1 + alternative.variables.len();
    let mut forms = Forms { params: &rule.params, first: parts + 1, frame, auxiliaries: Vec::new() };
    let variable = |slot: Slot| parts + 1 + slot;

    // Equations first: what is left, what the base is, and those that the condition states.
    let mut equations: Vec<Linear> = Vec::new();
    let mut sum = Linear::default();
    for (i, entry) in way.entries.iter().enumerate() {
        let left = Linear::unknown(1 + i);
        equations.push(forms.form(entry)?.minus(&left)?);
        sum = sum.plus(&left)?;
    }
    let base = Linear::unknown(0);
    let heap = Linear::unknown(variable(0));
    equations.push(match view {
        View::Taken => heap.minus(&base)?.minus(&sum)?,
        View::Heap => heap.minus(&base)?,
    });
    let mut stated: Vec<Option<Vec<Linear>>> = Vec::new();
    for atom in &way.atoms {
        let linear = forms.inequalities(atom)?;
        if let (AtomKind::Rel(_, RelOp::Eq, _), Some(rows)) = (atom, &linear) {
            equations.push(rows[0].clone());
        }
        stated.push(linear);
    }
    let solution = Solution::of(equations, variable(0)..variable(frame), &forms)?;

    let mut piece = Piece {
        parts,
        facts: System::default(),
        base_facts: System::default(),
        curved: System::default(),
        base: Vec::new(),
        guards: Vec::new(),
        mixed: Vec::new(),
        leftovers: Vec::new(),
        auxiliaries: Vec::new(),
        unknowns: parts + 1 + frame + forms.auxiliaries.len(),
    };
    let rewrite = |expr: &Expr| solution.rewrite(expr, &forms);
    for (i, (expr, _)) in forms.auxiliaries.iter().enumerate() {
        piece.auxiliaries.push((parts + 1 + frame + i, rewrite(expr)?));
    }
    let curved: Vec<bool> = piece.auxiliaries.iter().map(|(_, e)| slots(e).iter().any(|s| *s != 0)).collect();
    let first_auxiliary = parts + 1 + frame;

    // Heaps left, variables and the heap are naturals; equations that solved for nothing still hold.
    let naturals = (1..=parts).map(Linear::unknown).chain((0..frame).map(|s| Linear::unknown(variable(s))));
    let mut rows: Vec<(Linear, RelOp)> = Vec::new();
    for natural in naturals {
        rows.push((solution.reduce(&natural)?, RelOp::Ge));
    }
    rows.extend(solution.rest.iter().map(|equation| (equation.clone(), RelOp::Eq)));
    for (row, op) in rows {
        if !piece.sort_in(row.clone(), op == RelOp::Eq, first_auxiliary, &curved, view) {
            let atom = AtomKind::Rel(solution.rewrite_form(&row, &forms)?, op, Expr::Const(0));
            if atom_slots(&atom).iter().all(|s| *s == 0) {
                piece.guards.push(atom.clone());
                piece.base.push(atom);
            } else {
                piece.mixed.push(atom);
            }
        }
    }
    for slot in 0..frame {
        if solution.is_free(variable(slot)) {
            piece.leftovers.push(variable(slot));
        }
    }
    for (i, (atom, linear)) in way.atoms.iter().zip(&stated).enumerate() {
        let rewritten = map_atom(atom, &mut |e| rewrite(e))?;
        if atom_slots(&rewritten).iter().all(|s| *s == 0) {
            let mut said = linear.is_some();
            for row in linear.iter().flatten() {
                said &= piece.sort_in(solution.reduce(row)?, false, first_auxiliary, &curved, view);
            }
            if !said {
                piece.guards.push(rewritten.clone());
            }
            piece.base.push(rewritten);
            continue;
        }
        if let Some(cases) = way.split_atom(i, rule) {
            return Some(Normal::Cases(cases));
        }
        let mut said = linear.is_some();
        for row in linear.iter().flatten() {
            said &= piece.sort_in(solution.reduce(row)?, false, first_auxiliary, &curved, view);
        }
        if !said {
            piece.mixed.push(rewritten);
        }
    }
    Some(Normal::Piece(Box::new(piece)))
}

impl Piece {
    /// Files a linear fact where it belongs; false if it holds an auxiliary that is not a function of the
    /// base, or any auxiliary in [`View::Taken`].
    fn sort_in(
        &mut self,
        row: Linear,
        equation: bool,
        first_auxiliary: Unknown,
        curved: &[bool],
        view: View,
    ) -> bool {
        let auxiliary = |u: &Unknown| u.checked_sub(first_auxiliary);
        let bent: Vec<usize> = row.terms().iter().filter_map(|(u, _)| auxiliary(u)).collect();
        let system = if bent.is_empty() {
            if row.terms().iter().all(|(u, _)| *u == 0) {
                // Also as a condition: cells look at the base by evaluation.
                let times =
                    Expr::Binary(Op::Mul, Box::new(Expr::Const(row.coefficient(0))), Box::new(Expr::Slot(0)));
                let sum = Expr::Binary(Op::Add, Box::new(times), Box::new(Expr::Const(row.constant)));
                let op = if equation { RelOp::Eq } else { RelOp::Ge };
                let atom = AtomKind::Rel(sum, op, Expr::Const(0));
                if row.as_constant().is_none_or(|c| c < 0 || (equation && c != 0))
                    && !self.base.contains(&atom)
                {
                    self.base.push(atom);
                }
                &mut self.base_facts
            } else {
                &mut self.facts
            }
        } else if view == View::Heap && bent.iter().all(|i| !curved[*i]) {
            &mut self.curved
        } else {
            return false;
        };
        if equation {
            system.equate(row)
        } else {
            system.demand(row)
        }
        true
    }
}
