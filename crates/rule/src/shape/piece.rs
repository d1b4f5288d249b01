//! Pieces: each way of moving in a small normal form, over the heaps left instead of the variables written.
//!
//! Unknown 0 is the *base*: what is taken ([`View::Taken`]) or the heap itself ([`View::Heap`]). Unknowns
//! `1..=parts` are the heaps left. The variables of the rule are solved for by linear equations with a
//! coefficient of 1 or -1; those that stay are *leftovers*. Everything is a substitution of equals, so a
//! piece has exactly the moves of the alternative and branch it came from; together the pieces of a rule
//! have exactly the moves of the rule.

mod split;

use crate::ends::fourier_motzkin::System;
use crate::ends::linear::{Linear, Unknown};
use crate::ends::translate::Translator;
use crate::expr::{AtomKind, Expr, Int, Op, RelOp, Set, Slot};
use crate::heap::KindId;
use crate::rule::{Alternative, Line, Param, Part, Rule, Value};

pub(super) use split::Way;

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
        while let Some(way) = todo.pop() {
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

/// Linear forms over unknowns, with an auxiliary for each expression that is not linear.
struct Forms<'a> {
    params: &'a [Param],
    /// The unknown of slot 0.
    first: Unknown,
    frame: usize,
    /// The expressions (slots of the rule) with the slots in them.
    auxiliaries: Vec<(Expr, Vec<Slot>)>,
}

impl Forms<'_> {
    /// The form of an expression over the slots of the rule; `None` on overflow.
    fn form(&mut self, expr: &Expr) -> Option<Linear> {
        match expr {
            Expr::Const(number) => Some(Linear::constant(*number)),
            Expr::Slot(slot) if *slot < self.frame => Some(Linear::unknown(self.first + slot)),
            Expr::Param(id) => match self.params.get(*id)?.value.as_ref() {
                Some(Value::Number(number)) => Some(Linear::constant(*number)),
                _ => Some(self.auxiliary(expr)),
            },
            Expr::Neg(a) => self.form(a)?.times(-1),
            Expr::Binary(Op::Add, a, b) => self.form(a)?.plus(&self.form(b)?),
            Expr::Binary(Op::Sub, a, b) => self.form(a)?.minus(&self.form(b)?),
            Expr::Binary(Op::Mul, a, b) => {
                let (x, y) = (self.form(a)?, self.form(b)?);
                match (x.as_constant(), y.as_constant()) {
                    (Some(number), _) => y.times(number),
                    (_, Some(number)) => x.times(number),
                    _ => Some(self.auxiliary(expr)),
                }
            }
            _ if slots(expr).is_empty() => match expr.eval(&[], self.params) {
                Ok(number) => Some(Linear::constant(number)),
                Err(_) => Some(self.auxiliary(expr)),
            },
            _ => Some(self.auxiliary(expr)),
        }
    }

    /// The form of an expression without auxiliaries, if it has one.
    fn straight(&self, expr: &Expr) -> Option<Linear> {
        match expr {
            Expr::Const(number) => Some(Linear::constant(*number)),
            Expr::Slot(slot) if *slot < self.frame => Some(Linear::unknown(self.first + slot)),
            Expr::Param(id) => match self.params.get(*id)?.value.as_ref()? {
                Value::Number(number) => Some(Linear::constant(*number)),
                _ => None,
            },
            Expr::Neg(a) => self.straight(a)?.times(-1),
            Expr::Binary(Op::Add, a, b) => self.straight(a)?.plus(&self.straight(b)?),
            Expr::Binary(Op::Sub, a, b) => self.straight(a)?.minus(&self.straight(b)?),
            Expr::Binary(Op::Mul, a, b) => {
                let (x, y) = (self.straight(a)?, self.straight(b)?);
                match (x.as_constant(), y.as_constant()) {
                    (Some(number), _) => y.times(number),
                    (_, Some(number)) => x.times(number),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn auxiliary(&mut self, expr: &Expr) -> Linear {
        let found = self.auxiliaries.iter().position(|(held, _)| held == expr).unwrap_or_else(|| {
            self.auxiliaries.push((expr.clone(), slots(expr)));
            self.auxiliaries.len() - 1
        });
        Linear::unknown(self.first + self.frame + found)
    }

    /// What an atom says as `form >= 0`, all of them, an equation being its own form and the opposite one.
    /// `Some(None)`: not of that kind.
    #[allow(clippy::option_option, reason = "the outer one is overflow, the inner one is the answer")]
    fn inequalities(&mut self, atom: &AtomKind) -> Option<Option<Vec<Linear>>> {
        let rows = match atom {
            AtomKind::Rel(a, op, b) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                match op {
                    RelOp::Eq => vec![a.minus(&b)?, b.minus(&a)?],
                    RelOp::Le => vec![b.minus(&a)?],
                    RelOp::Lt => vec![b.minus(&a)?.add(-1)?],
                    RelOp::Ge => vec![a.minus(&b)?],
                    RelOp::Gt => vec![a.minus(&b)?.add(-1)?],
                    RelOp::Ne => return Some(None),
                }
            }
            AtomKind::In(e, false, Set::Range(low, high)) => {
                let e = self.form(e)?;
                let mut rows = vec![e.minus(&self.form(low)?)?];
                if let Some(high) = high {
                    rows.push(self.form(high)?.minus(&e)?);
                }
                rows
            }
            AtomKind::In(e, false, Set::Named(crate::expr::NamedSet::Naturals, _)) => vec![self.form(e)?],
            _ => return Some(None),
        };
        Some(Some(rows))
    }
}

/// What the variables are in terms of the base, the heaps left, leftovers and auxiliaries.
struct Solution {
    solved: Vec<(Unknown, Linear)>,
    /// Auxiliaries that an equation of `rest` makes equal to a form without auxiliaries.
    straightened: Vec<(Unknown, Linear)>,
    rest: Vec<Linear>,
}

impl Solution {
    /// Solves equations for `variables`, as many as have a coefficient of 1 or -1.
    fn of(
        mut equations: Vec<Linear>,
        variables: std::ops::Range<Unknown>,
        forms: &Forms<'_>,
    ) -> Option<Solution> {
        let mut solution = Solution { solved: Vec::new(), straightened: Vec::new(), rest: Vec::new() };
        let bent = |form: &Linear| form.terms().iter().any(|(u, _)| *u >= forms.first + forms.frame);
        loop {
            // Straight equations first: they keep auxiliaries out of the variables.
            equations.sort_by_key(&bent);
            let mut pick = None;
            'search: for (i, equation) in equations.iter().enumerate() {
                for (unknown, coefficient) in equation.terms() {
                    if variables.contains(unknown)
                        && coefficient.unsigned_abs() == 1
                        && !solution.depends(equation, *unknown, forms)
                    {
                        pick = Some((i, *unknown, *coefficient));
                        break 'search;
                    }
                }
            }
            let Some((i, unknown, coefficient)) = pick else { break };
            let equation = equations.remove(i);
            // coefficient * unknown + rest = 0
            let value = equation.replace(unknown, &Linear::default())?.times(-coefficient)?;
            for other in &mut equations {
                *other = other.replace(unknown, &value)?;
            }
            for (_, held) in &mut solution.solved {
                *held = held.replace(unknown, &value)?;
            }
            solution.solved.push((unknown, value));
        }
        equations.retain(|e| e.as_constant() != Some(0));
        for equation in &equations {
            let mut auxiliaries = equation.terms().iter().filter(|t| t.0 >= forms.first + forms.frame);
            if let (Some((unknown, coefficient)), None) = (auxiliaries.next(), auxiliaries.next())
                && coefficient.unsigned_abs() == 1
                && solution.straightened.iter().all(|s| s.0 != *unknown)
            {
                let value = equation.replace(*unknown, &Linear::default())?.times(-coefficient)?;
                solution.straightened.push((*unknown, value));
            }
        }
        solution.rest = equations;
        Some(solution)
    }

    /// Whether an auxiliary in `form` depends on `unknown`, directly or through what is solved already.
    fn depends(&self, form: &Linear, unknown: Unknown, forms: &Forms<'_>) -> bool {
        let first_auxiliary = forms.first + forms.frame;
        let mut seen: Vec<Unknown> = Vec::new();
        let mut todo: Vec<Unknown> =
            form.terms().iter().map(|t| t.0).filter(|u| *u >= first_auxiliary).collect();
        while let Some(at) = todo.pop() {
            let next: Vec<Unknown> = if at >= first_auxiliary {
                forms.auxiliaries[at - first_auxiliary].1.iter().map(|slot| forms.first + slot).collect()
            } else {
                let value = self.solved.iter().find(|(solved, _)| *solved == at);
                value.map_or(Vec::new(), |(_, form)| form.terms().iter().map(|t| t.0).collect())
            };
            for u in next {
                if u == unknown {
                    return true;
                }
                if !seen.contains(&u) {
                    seen.push(u);
                    todo.push(u);
                }
            }
        }
        false
    }

    fn is_free(&self, unknown: Unknown) -> bool {
        self.solved.iter().all(|(solved, _)| *solved != unknown)
    }

    /// A form with every solved variable replaced.
    fn apply(&self, form: &Linear) -> Option<Linear> {
        let mut form = form.clone();
        for (unknown, value) in &self.solved {
            form = form.replace(*unknown, value)?;
        }
        Some(form)
    }

    /// A form with every solved variable replaced, and auxiliaries that equal something straight.
    fn reduce(&self, form: &Linear) -> Option<Linear> {
        let mut form = self.apply(form)?;
        for (unknown, value) in &self.straightened {
            form = form.replace(*unknown, value)?;
        }
        Some(form)
    }

    /// An expression over the slots of the rule as one over the unknowns; linear parts become forms, so that what
    /// cancels is gone.
    fn rewrite(&self, expr: &Expr, forms: &Forms<'_>) -> Option<Expr> {
        if let Some(form) = forms.straight(expr) {
            return self.rewrite_form(&self.apply(&form)?, forms);
        }
        let go = |e: &Expr| Some(Box::new(self.rewrite(e, forms)?));
        Some(match expr {
            Expr::Slot(_) | Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => expr.clone(),
            Expr::Item(id, a) => Expr::Item(*id, go(a)?),
            Expr::Neg(a) => Expr::Neg(go(a)?),
            Expr::Grundy(a) => Expr::Grundy(go(a)?),
            Expr::Binary(op, a, b) => Expr::Binary(*op, go(a)?, go(b)?),
            Expr::Call(func, args) => {
                Expr::Call(*func, args.iter().map(|a| self.rewrite(a, forms)).collect::<Option<_>>()?)
            }
        })
    }

    /// A form as an expression over the unknowns.
    fn rewrite_form(&self, form: &Linear, forms: &Forms<'_>) -> Option<Expr> {
        let first_auxiliary = forms.first + forms.frame;
        let mut sum: Option<Expr> = None;
        for (unknown, coefficient) in form.terms() {
            // Auxiliaries never depend on themselves, so this ends; see `depends`.
            let term = match unknown.checked_sub(first_auxiliary) {
                Some(auxiliary) => self.rewrite(&forms.auxiliaries[auxiliary].0, forms)?,
                None => Expr::Slot(*unknown),
            };
            let size = Int::try_from(coefficient.unsigned_abs()).ok()?;
            let scaled = match size {
                1 => term,
                _ => Expr::Binary(Op::Mul, Box::new(Expr::Const(size)), Box::new(term)),
            };
            sum = Some(match (sum, *coefficient > 0) {
                (None, true) => scaled,
                (None, false) => Expr::Neg(Box::new(scaled)),
                (Some(sum), true) => Expr::Binary(Op::Add, Box::new(sum), Box::new(scaled)),
                (Some(sum), false) => Expr::Binary(Op::Sub, Box::new(sum), Box::new(scaled)),
            });
        }
        Some(match (sum, form.constant) {
            (None, constant) => Expr::Const(constant),
            (Some(sum), 0) => sum,
            (Some(sum), c) if c > 0 => Expr::Binary(Op::Add, Box::new(sum), Box::new(Expr::Const(c))),
            (Some(sum), c) => Expr::Binary(Op::Sub, Box::new(sum), Box::new(Expr::Const(c.checked_neg()?))),
        })
    }
}

/// The slots in an expression, ascending.
pub(super) fn slots(expr: &Expr) -> Vec<Slot> {
    let mut found = Vec::new();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        match expr {
            Expr::Slot(slot) => found.push(*slot),
            Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => {}
            Expr::Item(_, a) | Expr::Neg(a) | Expr::Grundy(a) => todo.push(a),
            Expr::Binary(_, a, b) => todo.extend([&**a, &**b]),
            Expr::Call(_, args) => todo.extend(args),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The expressions of an atom.
pub(super) fn atom_exprs(atom: &AtomKind) -> Vec<&Expr> {
    match atom {
        AtomKind::Rel(a, _, b) | AtomKind::PairIn(a, b, ..) | AtomKind::Divides(a, _, b) => vec![a, b],
        AtomKind::In(e, _, set) => {
            let mut all = vec![e];
            match set {
                Set::List(items) => all.extend(items),
                Set::Range(low, high) => {
                    all.push(low);
                    all.extend(high);
                }
                Set::Named(_, args) => all.extend(args),
                Set::Param(_) => {}
            }
            all
        }
    }
}

/// The slots in an atom.
pub(super) fn atom_slots(atom: &AtomKind) -> Vec<Slot> {
    let mut all: Vec<Slot> = atom_exprs(atom).into_iter().flat_map(slots).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// An expression with something else for each slot. (Nesting is bounded by the parser.)
pub(super) fn map(expr: &Expr, slot: &mut dyn FnMut(Slot) -> Option<Expr>) -> Option<Expr> {
    Some(match expr {
        Expr::Slot(s) => slot(*s)?,
        Expr::Const(_) | Expr::Param(_) | Expr::Len(_) => expr.clone(),
        Expr::Item(id, a) => Expr::Item(*id, Box::new(map(a, slot)?)),
        Expr::Neg(a) => Expr::Neg(Box::new(map(a, slot)?)),
        Expr::Grundy(a) => Expr::Grundy(Box::new(map(a, slot)?)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, Box::new(map(a, slot)?), Box::new(map(b, slot)?)),
        Expr::Call(func, args) => {
            Expr::Call(*func, args.iter().map(|a| map(a, slot)).collect::<Option<_>>()?)
        }
    })
}

/// An expression with `value` for one slot.
fn replace(expr: &Expr, slot: Slot, value: &Expr) -> Expr {
    let mut at = |s: Slot| Some(if s == slot { value.clone() } else { Expr::Slot(s) });
    map(expr, &mut at).expect("every slot has a replacement")
}

/// An atom with each expression mapped.
pub(super) fn map_atom(atom: &AtomKind, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Option<AtomKind> {
    Some(match atom {
        AtomKind::Rel(a, op, b) => AtomKind::Rel(f(a)?, *op, f(b)?),
        AtomKind::PairIn(a, b, negated, id) => AtomKind::PairIn(f(a)?, f(b)?, *negated, *id),
        AtomKind::Divides(a, negated, b) => AtomKind::Divides(f(a)?, *negated, f(b)?),
        AtomKind::In(e, negated, set) => {
            let e = f(e)?;
            let set = match set {
                Set::List(items) => Set::List(items.iter().map(&mut *f).collect::<Option<_>>()?),
                Set::Range(low, high) => {
                    let low = f(low)?;
                    let high = match high {
                        Some(high) => Some(f(high)?),
                        None => None,
                    };
                    Set::Range(low, high)
                }
                Set::Named(name, args) => Set::Named(*name, args.iter().map(&mut *f).collect::<Option<_>>()?),
                Set::Param(id) => Set::Param(*id),
            };
            AtomKind::In(e, *negated, set)
        }
    })
}
