//! The moves of a heap: the reference semantics of a rule, enumerated at a cost near the number of moves.
//!
//! [`Moves::new`] compiles a rule once; [`Moves::visit`] then hands the moves of any heap to a [`Sink`], in the
//! order line, alternative, assignment (lexicographic, variables in order of first mention), each once.
//!
//! A branch of a condition whose atoms are linear is a nest of loops with bounds found at compile time (`nest`);
//! any other is searched by propagation over intervals and the variable with the fewest candidates (`search`); what the atoms leave over is decided by the condition as written, evaluated from left
//! to right. Where a value is missing (a quotient by zero, an index outside a list) the visit ends with a
//! [`MoveError`] that names the heap; assignments that an atom has excluded are never evaluated.

mod candidates;
mod code;
mod collect;
mod fold;
mod linear;
mod nest;
mod parts;
mod run;
mod search;

use std::ops::ControlFlow;

use crate::bounds::facts::Facts;
use crate::bounds::interval::{Interval, LIMIT};
use crate::bounds::propagate::Propagator;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Atom, Cond, Expr, Int};
use crate::heap::{Heap, KindId, Sum};
use crate::rule::{Param, Part, Rule};
use candidates::{Generator, Primes};
use collect::Collector;
use nest::Nest;
use parts::Parts;
use run::{Run, Stop};

/// Takes what [`Moves::visit`] finds.
///
/// For each move: [`Sink::start`], then [`Sink::heap`] for each part it leaves (equal heaps may come apart;
/// under `coins` a heap that comes twice is gone), then [`Sink::finish`].
pub trait Sink {
    /// A move begins: the line and the alternative (each from 0) and the values of its variables.
    fn start(&mut self, line: usize, alternative: usize, assignment: &[Int]);
    /// The move leaves `count` of these heaps (at least 1).
    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128);
    /// The move is complete; `Break` ends the visit.
    fn finish(&mut self) -> ControlFlow<()>;
    /// Called now and then (about every 2^16 values tried), also while nothing is found; `Break` ends the visit.
    fn tick(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A move of a heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The line of the rule, from 0.
    pub line: usize,
    /// The alternative of the line, from 0.
    pub alternative: usize,
    /// The values of the alternative's variables, in order of first mention.
    pub assignment: Vec<Int>,
    /// What it leaves (under `coins`: the heaps that occur an odd number of times).
    pub leaves: Sum,
}

/// Why the moves of a heap cannot be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// Stable id: `overflow`, `division`, `domain`, `index`, `unbounded`, `no-rule`, `own-coin`, `limit`.
    pub id: &'static str,
    /// What happened; names the heap.
    pub message: String,
    /// The heap.
    pub heap: Heap,
    /// The alternative.
    pub span: Option<Span>,
}

impl MoveError {
    /// The same as a message about the rule's text.
    #[must_use]
    pub fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.id, self.span.unwrap_or_default(), self.message.clone())
    }
}

impl std::fmt::Display for MoveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MoveError {}

/// Working memory of one thread, and what it counted.
#[derive(Debug)]
pub struct Scratch {
    /// Values tried for variables since this was made.
    pub candidates: u64,
    /// Moves given to sinks since this was made.
    pub options: u64,
    /// How many numbers may be set aside to be sorted before a visit gives up (id `limit`).
    pub limit: usize,
    frame: Vec<Int>,
    entries: parts::Entries,
    ranges: Vec<Interval>,
    trial: Vec<Interval>,
    work: Vec<Interval>,
    levels: Vec<search::Level>,
    collector: Collector,
    primes: Primes,
    nest: nest::run::NestScratch,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch {
            candidates: 0,
            options: 0,
            limit: 1 << 25,
            frame: Vec::new(),
            entries: parts::Entries::default(),
            ranges: Vec::new(),
            trial: Vec::new(),
            work: Vec::new(),
            levels: Vec::new(),
            collector: Collector::default(),
            primes: Primes::default(),
            nest: nest::run::NestScratch::default(),
        }
    }
}

/// A compiled rule: parameters have their values, nothing points into the [`Rule`] any more.
#[derive(Debug)]
pub struct Moves {
    /// The rule without its lines: names for messages.
    face: Rule,
    params: Vec<Param>,
    facts: Facts,
    coins: bool,
    alternatives: Vec<Alt>,
    /// For each kind, its alternatives in order.
    by_kind: Vec<Vec<usize>>,
}

/// A compiled alternative.
struct Alt {
    line: usize,
    alternative: usize,
    arity: usize,
    variables: usize,
    /// Names of the variables.
    names: Vec<String>,
    frame: usize,
    pattern: Vec<Option<Int>>,
    span: Span,
    cond: Cond,
    test: code::Test,
    /// Every atom has a value for all numbers of moderate size.
    plain: bool,
    parts: Parts,
    branches: Vec<Branch>,
}

impl std::fmt::Debug for Alt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Alt").field("line", &self.line).field("alternative", &self.alternative).finish()
    }
}

/// A compiled branch.
#[derive(Debug)]
struct Branch {
    atoms: Vec<Atom>,
    flat: Propagator,
    /// For each variable.
    generators: Vec<Vec<Generator>>,
    nest: Option<Nest>,
}

impl Moves {
    /// Compiles a rule.
    ///
    /// # Errors
    /// `unknown-name`: a parameter has no value.
    pub fn new(rule: &Rule) -> Result<Moves, Vec<Diagnostic>> {
        let missing: Vec<Diagnostic> =
            rule.params.iter().filter(|p| p.value.is_none()).map(no_value).collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let facts = Facts::new(&rule.params);
        let mut alternatives = Vec::new();
        let mut by_kind = vec![Vec::new(); rule.kinds.len()];
        for (l, line) in rule.lines.iter().enumerate() {
            for (a, alternative) in line.alternatives.iter().enumerate() {
                if let Some(list) = by_kind.get_mut(usize::from(line.kind.0)) {
                    list.push(alternatives.len());
                }
                alternatives.push(Alt::new(rule, (l, a), line, alternative, &facts));
            }
        }
        let face = Rule { lines: Vec::new(), params: Vec::new(), ..rule.clone() };
        Ok(Moves { face, params: rule.params.clone(), facts, coins: rule.coins, alternatives, by_kind })
    }

    /// Hands every move of the heap to the sink.
    ///
    /// # Errors
    /// An expression without a value, a variable without a bound, a kind the rule does not know. Moves that
    /// were found before the error may have been given already.
    pub fn visit<S: Sink + ?Sized>(
        &self,
        scratch: &mut Scratch,
        kind: KindId,
        entries: &[Int],
        sink: &mut S,
    ) -> Result<(), MoveError> {
        let error =
            |id, message: String, span| MoveError { id, message, heap: Heap::new(kind, entries), span };
        let shown = || self.face.show_heap(kind, entries);
        let arity = self.face.kinds.get(usize::from(kind.0)).map(|k| k.arity);
        let Some(alternatives) =
            self.by_kind.get(usize::from(kind.0)).filter(|_| arity == Some(entries.len()))
        else {
            return Err(error("no-rule", format!("no line moves a heap {}", shown()), None));
        };
        if let Some(x) = entries.iter().find(|x| !(0..=LIMIT).contains(*x)) {
            return Err(error("overflow", format!("heap {}: {x} is not in 0..2^126", shown()), None));
        }
        for &index in alternatives {
            let alt = &self.alternatives[index];
            if alt.pattern.iter().zip(entries).any(|(p, e)| p.is_some_and(|p| p != *e)) {
                continue;
            }
            scratch.frame.clear();
            scratch.frame.extend_from_slice(entries);
            scratch.frame.resize(alt.frame, 0);
            let mut run =
                Run { moves: self, alt, scratch: &mut *scratch, sink: &mut *sink, kind, collecting: false };
            match run.alternative() {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Ok(()),
                Err(stop) => {
                    let span = Some(alt.span);
                    return Err(match stop {
                        Stop::Heap(e) => error(e.id, format!("heap {}: {}", shown(), e.message), span),
                        Stop::Leaf(e) => {
                            let values = alt.names.iter().zip(&scratch.frame[alt.arity..]);
                            let values: Vec<String> =
                                values.map(|(name, x)| format!("{name} = {x}")).collect();
                            let with = if values.is_empty() { "" } else { " with " };
                            error(
                                e.id,
                                format!("heap {}{with}{}: {}", shown(), values.join(", "), e.message),
                                span,
                            )
                        }
                        Stop::Unbounded(name) => error(
                            "unbounded",
                            format!("heap {}: nothing limits `{name}` from above", shown()),
                            span,
                        ),
                        Stop::Limit => {
                            error("limit", format!("heap {}: too many moves to put in order", shown()), span)
                        }
                        Stop::TurnedCoin => error(
                            "own-coin",
                            format!(
                                "coin {}: the move names the coin it turns, which it takes away anyway",
                                shown()
                            ),
                            span,
                        ),
                    });
                }
            }
        }
        Ok(())
    }

    /// The moves of the heap, in order.
    ///
    /// # Errors
    /// As [`Moves::visit`].
    pub fn moves(&self, heap: &Heap) -> Result<Vec<Move>, MoveError> {
        let mut all = AllMoves { coins: self.coins, moves: Vec::new(), heaps: Vec::new(), overflow: false };
        self.visit(&mut Scratch::default(), heap.kind, &heap.entries, &mut all)?;
        if all.overflow {
            return Err(MoveError {
                id: "overflow",
                message: format!(
                    "heap {}: too many equal heaps to count",
                    self.face.show_heap(heap.kind, &heap.entries)
                ),
                heap: heap.clone(),
                span: None,
            });
        }
        Ok(all.moves)
    }

    /// The distinct options of the heap, in order of first occurrence.
    ///
    /// # Errors
    /// As [`Moves::visit`].
    pub fn options(&self, heap: &Heap) -> Result<Vec<Sum>, MoveError> {
        let mut seen = std::collections::HashSet::new();
        let moves = self.moves(heap)?;
        Ok(moves.into_iter().map(|m| m.leaves).filter(|sum| seen.insert(sum.clone())).collect())
    }
}

impl Alt {
    fn new(
        rule: &Rule,
        (line, alternative): (usize, usize),
        of: &crate::rule::Line,
        alt: &crate::rule::Alternative,
        facts: &Facts,
    ) -> Alt {
        let params = &rule.params;
        let (arity, variables) = (of.pattern.len(), alt.variables.len());
        let cond = fold::cond(&alt.cond, params);
        let mut entries = Vec::new();
        entries_of(&alt.parts, params, &mut entries);
        let branches = alt
            .branches
            .iter()
            .map(|branch| {
                let atoms: Vec<Atom> = branch.atoms.iter().map(|a| fold::atom(a, params)).collect();
                let generators = (arity..arity + variables)
                    .map(|slot| atoms.iter().flat_map(|a| Generator::of(&a.kind, slot)).collect())
                    .collect();
                let nest = Nest::new(arity, variables, &atoms, &entries, facts);
                Branch { flat: Propagator::new(&atoms, facts), atoms, generators, nest }
            })
            .collect();
        let mut all_atoms = alt.branches.iter().flat_map(|b| &b.atoms).map(|a| fold::atom(a, params));
        let plain = all_atoms.all(|a| nest::always_has_value(&a.kind));
        Alt {
            line,
            alternative,
            arity,
            variables,
            names: alt.variables.iter().map(|v| v.name.clone()).collect(),
            frame: alt.frame.max(arity + variables),
            pattern: of.pattern.clone(),
            span: alt.span,
            test: code::cond(&cond, facts),
            cond,
            plain,
            parts: Parts::new(&alt.parts, params, facts),
            branches,
        }
    }
}

impl<S: Sink + ?Sized> Run<'_, S> {
    /// All branches of the alternative.
    fn alternative(&mut self) -> Result<ControlFlow<()>, Stop> {
        let alt = self.alt;
        if let [branch] = alt.branches.as_slice() {
            return self.branch(branch);
        }
        // Branches may find the same assignment, and not in order.
        self.collect();
        for branch in &alt.branches {
            if self.branch(branch)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        self.flush()
    }

    fn branch(&mut self, branch: &Branch) -> Result<ControlFlow<()>, Stop> {
        let nested = branch.nest.as_ref().and_then(|nest| self.nest(nest));
        nested.unwrap_or_else(|| self.search(branch))
    }
}

/// The entries of all heaps left, those in lists included.
fn entries_of(parts: &[Part], params: &[Param], entries: &mut Vec<Expr>) {
    for part in parts {
        match part {
            Part::Heap(heap) => entries.extend(heap.entries.iter().map(|e| fold::expr(e, params))),
            Part::List { parts, .. } => entries_of(parts, params, entries),
        }
    }
}

fn no_value(param: &Param) -> Diagnostic {
    use crate::ast::ParamType;
    let example = match param.ty {
        ParamType::Number => "3",
        ParamType::Set => "1,3,4",
        ParamType::List => "[1,1,2]",
        ParamType::Pairs => "(0,1),(0,2)",
    };
    Diagnostic::error("unknown-name", Span::default(), format!("`{}` has no value", param.name))
        .help(format!("give it one: `{}={example}`", param.name))
}

/// Collects moves.
struct AllMoves {
    coins: bool,
    moves: Vec<Move>,
    heaps: Vec<(Heap, u128)>,
    overflow: bool,
}

impl Sink for AllMoves {
    fn start(&mut self, line: usize, alternative: usize, assignment: &[Int]) {
        self.heaps.clear();
        self.moves.push(Move { line, alternative, assignment: assignment.to_vec(), leaves: Sum::default() });
    }

    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128) {
        // Only whether a coin is left matters, and a sum of counts may not fit.
        let count = if self.coins { count % 2 } else { count };
        self.heaps.push((Heap::new(kind, entries), count));
    }

    fn finish(&mut self) -> ControlFlow<()> {
        match (Sum::new(std::mem::take(&mut self.heaps)), self.moves.last_mut()) {
            (Some(sum), Some(last)) => {
                last.leaves = if self.coins { sum.odd() } else { sum };
                ControlFlow::Continue(())
            }
            _ => {
                self.overflow = true;
                ControlFlow::Break(())
            }
        }
    }
}
