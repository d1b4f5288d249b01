//! Must play end? The termination check: measures that every move lowers.
//!
//! A heap's nimber is defined only if no heap can be moved for ever. This module looks for a proof that
//! reads off the rule alone: numbers that no move raises and some move lowers, stage by stage (the
//! literature calls it a lexicographic ranking). A proof is found, or a small heap that reaches itself is
//! found, or neither; then play is watched.
//!
//! The stages: the kinds are the nodes of a graph, and each heap that an alternative may leave is an edge,
//! with the linear facts that hold in such a move. In each strongly connected component a measure is
//! looked for that no edge raises and some edge lowers; "no edge raises it" is the refutation of "a move
//! raises it" by Fourier-Motzkin elimination. The lowered edges are deleted, since an endless play can use them finitely
//! often only, and what is left is looked at in the same way, until no edge is left.
//!
//! Considered and dropped: synthesis of linear rankings by Farkas' lemma, which finds every linear ranking
//! but needs a rational LP solver in the trusted base; the candidates here settle all but contrived games.

mod edges;
pub(crate) mod fourier_motzkin;
pub(crate) mod linear;
mod measure;
mod small;
#[cfg(test)]
mod tests;
pub(crate) mod translate;

use std::fmt;

use crate::diagnostic::Diagnostic;
use crate::heap::KindId;
use crate::rule::Rule;

use edges::Edge;
use measure::{Candidate, Effect};

/// How many refutations are tried before the rule is called too large; a usual rule takes a few dozen.
const MOST_WORK: usize = 20_000;

/// The answer of [`ends`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Play must end from every heap, for all values of the parameters that have none. The measures, in the
    /// order in which they are used; empty if no heap leaves a heap of its own kind.
    Proved(Vec<Measure>),
    /// Neither proved nor refuted: whoever walks through the heaps must watch for a heap that reaches
    /// itself. The text says what is not known to fall.
    Watched(String),
    /// A small heap reaches itself: an error of id `loop`, with a patch where one is likely.
    Loop(Diagnostic),
}

/// A number that no move raises and some move lowers; prints as `n falls`, `a + b falls`, `100 - n falls`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Measure {
    /// The number in the names of the rule.
    pub text: String,
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} falls", self.text)
    }
}

impl Ends {
    /// Whether a proof was found.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        matches!(self, Ends::Proved(_))
    }
}

impl fmt::Display for Ends {
    /// `ends: proved (n falls)`, `ends: watched (...)`, or the error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ends::Proved(measures) if measures.is_empty() => write!(f, "ends: proved"),
            Ends::Proved(measures) => {
                let words: Vec<String> = measures.iter().map(Measure::to_string).collect();
                write!(f, "ends: proved ({})", words.join(", then "))
            }
            Ends::Watched(reason) => write!(f, "ends: watched ({reason})"),
            Ends::Loop(diagnostic) => diagnostic.fmt(f),
        }
    }
}

/// Whether play must end, see [`Ends`].
///
/// A game of which no proof is found is searched for a heap that reaches itself, among small heaps and only if
/// every parameter has a value.
#[must_use]
pub fn ends(rule: &Rule) -> Ends {
    match proof(rule) {
        Ok(measures) => Ends::Proved(measures),
        Err(reason) => match small::find_loop(rule) {
            Some(found) => Ends::Loop(found),
            None => Ends::Watched(reason),
        },
    }
}

/// The measures of a proof, or why there is none.
fn proof(rule: &Rule) -> Result<Vec<Measure>, String> {
    let bounds = edges::possible_bounds(rule);
    let edges = edges::edges(rule, &bounds).ok_or("the rule is too large for the check")?;
    // An edge without cases is no move at all.
    let edges: Vec<Edge> = edges.into_iter().filter(|edge| !edge.cases.is_empty()).collect();
    let mut measures = Vec::new();
    let mut work = MOST_WORK;
    let mut todo: Vec<Vec<&Edge>> = components(rule.kinds.len(), edges.iter().collect());
    todo.reverse();
    while let Some(component) = todo.pop() {
        let mut kinds: Vec<KindId> = component.iter().flat_map(|edge| [edge.from, edge.to]).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut best: Option<(Candidate, Vec<Effect>, usize)> = None;
        for candidate in measure::candidates(rule, &kinds, bounds.len()) {
            let mut effects = Vec::with_capacity(component.len());
            for edge in &component {
                work = work.checked_sub(1 + edge.cases.len()).ok_or("the rule is too large for the check")?;
                effects.push(candidate.effect(edge));
                if effects.last() == Some(&Effect::Unknown) {
                    break;
                }
            }
            if effects.contains(&Effect::Unknown) {
                continue;
            }
            let lowered = effects.iter().filter(|e| **e == Effect::Lowers).count();
            if lowered > best.as_ref().map_or(0, |b| b.2) {
                best = Some((candidate, effects, lowered));
            }
            if lowered == component.len() {
                break;
            }
        }
        let Some((candidate, effects, _)) = best else {
            let names: Vec<String> = kinds.iter().map(|kind| measure::shown_kind(rule, *kind)).collect();
            return Err(format!("no number is known to fall from {} on", names.join(", ")));
        };
        measures.push(candidate.measure(rule, &bounds));
        let rest = component.iter().zip(&effects).filter(|(_, effect)| **effect != Effect::Lowers);
        let mut parts = components(rule.kinds.len(), rest.map(|(edge, _)| *edge).collect());
        parts.reverse();
        todo.extend(parts);
    }
    measures.dedup();
    Ok(measures)
}

/// The edges within each strongly connected component of the graph of kinds; components without edges are
/// left out.
fn components(kinds: usize, edges: Vec<&Edge>) -> Vec<Vec<&Edge>> {
    let ends: Vec<(usize, usize)> =
        edges.iter().map(|e| (usize::from(e.from.0), usize::from(e.to.0))).collect();
    let mut of = vec![usize::MAX; kinds];
    let mut found = 0;
    for start in ends.iter().map(|e| e.0) {
        if of[start] != usize::MAX {
            continue;
        }
        // Those that `start` reaches and that reach it. Kinds are few: no need of a linear-time method.
        let ahead = reached(kinds, start, ends.iter().copied());
        let back = reached(kinds, start, ends.iter().map(|e| (e.1, e.0)));
        for kind in 0..kinds {
            if ahead[kind] && back[kind] {
                of[kind] = found;
            }
        }
        found += 1;
    }
    let mut parts = vec![Vec::new(); found];
    for (edge, (from, to)) in edges.into_iter().zip(ends) {
        if of[from] == of[to] {
            parts[of[from]].push(edge);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Which kinds are reached from `start`, itself included.
fn reached(kinds: usize, start: usize, ends: impl Iterator<Item = (usize, usize)>) -> Vec<bool> {
    let mut next = vec![Vec::new(); kinds];
    for (from, to) in ends {
        next[from].push(to);
    }
    let mut seen = vec![false; kinds];
    let mut todo = vec![start];
    seen[start] = true;
    while let Some(kind) = todo.pop() {
        for to in &next[kind] {
            if !seen[*to] {
                seen[*to] = true;
                todo.push(*to);
            }
        }
    }
    seen
}
