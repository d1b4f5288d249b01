//! The graph of kinds: which heap can a move leave, and what is then true of the entries of both.

use super::fourier_motzkin::System;
use super::linear::Linear;
use super::translate::Translator;
use crate::expr::{Cond, Expr, Set, Slot};
use crate::heap::KindId;
use crate::rule::{Alternative, HeapExpr, Line, Part, Rule};

/// More edges than this and nothing is proved.
const MOST_EDGES: usize = 4000;

/// More cases of one edge than this and further choices are not looked at.
const MOST_CASES: usize = 64;

/// A heap that a move may leave: an alternative, a branch of its condition, and one of its heaps.
#[derive(Debug)]
pub(super) struct Edge {
    /// The kind that is moved.
    pub(super) from: KindId,
    /// The kind that is left.
    pub(super) to: KindId,
    /// The entries before.
    pub(super) before: Vec<Linear>,
    /// The entries after.
    pub(super) after: Vec<Linear>,
    /// In every move one of these holds; none: there is no such move.
    pub(super) cases: Vec<System>,
    /// The parameters' unknowns: those that a measure may be bounded by.
    pub(super) bounds: Vec<(Expr, Linear)>,
}

impl Edge {
    /// Whether `form >= 0` is proved to hold in every move.
    pub(super) fn implies(&self, form: &Linear) -> bool {
        self.cases.iter().all(|case| case.implies(form))
    }
}

/// All edges of a rule; `None` if there are too many.
pub(super) fn edges(rule: &Rule, bounds: &[Expr]) -> Option<Vec<Edge>> {
    let mut edges = Vec::new();
    for line in &rule.lines {
        for alternative in &line.alternatives {
            for branch in 0..alternative.branches.len() {
                for (heap, loops) in heaps(&alternative.parts) {
                    if edges.len() >= MOST_EDGES {
                        return None;
                    }
                    edges.push(edge(rule, line, alternative, branch, heap, &loops, bounds));
                }
            }
        }
    }
    Some(edges)
}

/// The heaps of an alternative, each with the `for` names around it.
fn heaps(parts: &[Part]) -> Vec<(&HeapExpr, Vec<(Slot, &Set)>)> {
    let mut found = Vec::new();
    let mut todo: Vec<(&Part, Vec<(Slot, &Set)>)> = parts.iter().map(|p| (p, Vec::new())).collect();
    while let Some((part, loops)) = todo.pop() {
        match part {
            Part::Heap(heap) => found.push((heap, loops)),
            Part::List { parts, slot, set, .. } => {
                let mut inner = loops;
                inner.push((*slot, set));
                todo.extend(parts.iter().map(|p| (p, inner.clone())));
            }
        }
    }
    found
}

fn edge(
    rule: &Rule,
    line: &Line,
    alternative: &Alternative,
    branch: usize,
    heap: &HeapExpr,
    loops: &[(Slot, &Set)],
    bounds: &[Expr],
) -> Edge {
    const PASSES: usize = 3;
    let mut translator = Translator::new(&rule.params, alternative.frame);
    let mut after = Vec::new();
    let mut hi = Vec::new();
    for pass in 0..PASSES {
        if pass > 0 {
            translator.again();
        }
        for slot in 0..line.pattern.len() + alternative.variables.len() {
            translator.demand(Some(Linear::unknown(slot)));
        }
        for (slot, entry) in line.pattern.iter().enumerate() {
            if let Some(number) = entry {
                let form = Linear::unknown(slot).minus(&Linear::constant(*number));
                translator.demand(form.clone());
                translator.demand(form.and_then(|f| f.times(-1)));
            }
        }
        translator.cond(&rule.param_cond);
        for atom in &alternative.branches[branch].atoms {
            translator.atom(&atom.kind);
        }
        for (slot, set) in loops {
            translator.member(&Linear::unknown(*slot), set);
        }
        after = heap.entries.iter().map(|e| translator.expr(e)).collect();
        for entry in &after {
            translator.demand(Some(entry.clone()));
        }
        hi = bounds.iter().map(|e| (e.clone(), translator.expr(e))).collect();
    }
    let mut cases = vec![translator.facts.clone()];
    for choice in &translator.choices {
        let mut next = Vec::new();
        for case in &cases {
            for alternative in choice {
                let mut joined = case.clone();
                joined.join(alternative);
                if !joined.refuted() {
                    next.push(joined);
                }
            }
        }
        if next.len() > MOST_CASES {
            break;
        }
        cases = next;
    }
    let before = (0..line.pattern.len()).map(Linear::unknown).collect();
    Edge { from: line.kind, to: heap.kind, before, after, cases, bounds: hi }
}

/// What a bound of a measure may be: number parameters and the numbers that conditions name.
pub(super) fn possible_bounds(rule: &Rule) -> Vec<Expr> {
    const MOST: usize = 12;
    let mut found: Vec<Expr> = super::translate::numbers(&rule.params).map(Expr::Param).collect();
    for line in &rule.lines {
        for alternative in &line.alternatives {
            let mut todo = vec![&alternative.cond];
            while let Some(cond) = todo.pop() {
                match cond {
                    Cond::And(all) | Cond::Or(all) => todo.extend(all),
                    Cond::Not(inner) => todo.push(inner),
                    Cond::Atom(atom) => {
                        if let crate::expr::AtomKind::Rel(a, _, b) = &atom.kind {
                            for side in [a, b] {
                                if matches!(side, Expr::Const(c) if *c > 0) && !found.contains(side) {
                                    found.push(side.clone());
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    found.truncate(MOST);
    found
}
