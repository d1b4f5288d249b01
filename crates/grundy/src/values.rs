//! The nimber of a heap of any size, and where it comes from.
//!
//! [`Values`] answers with the first of these that serves:
//!
//! 1. a **lemma** about the shape of the rule: the sliding window ([`sliding`]), Nim with finitely many moves
//!    taken out ([`deleted`]), take `l` to `r` ([`interval`]), a finite subtraction set whose window of values repeats
//!    ([`periodic`]). Each is proved in its file for all heaps and compared with the rule in its tests;
//! 2. a law **cited** in the game file, for heaps beyond what a first comparison with the rule covers. A
//!    cited law that the rule contradicts is an error, not an answer. Or a law that the caller brings, proved or
//!    trusted ([`Values::trust`]);
//! 3. a **table** from heap 0 on, where the shape of the rule has an engine;
//! 4. the heaps that play can **reach** from the one asked about, by the reference engine, within the limits. Beyond
//!    them the error names the size that can be reached.
//!
//! What was used is said by [`Values::sources`]. [`Values::options_with`] goes the other way, from a value to the moves
//! that make it, which is what a winning move is.

use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use grundy_rule::heap::KindId;
use grundy_rule::law_text::Subject;
use grundy_rule::moves::{Moves, Scratch, Sink};
use grundy_rule::shape::Shapes;
use grundy_rule::{Heap, Int, Rule, ast};

use crate::error::Error;
use crate::law::Law;
use crate::limits::{Clock, Limits};
use crate::nimber::Nimber;
use crate::standing::{Standing, Stated};
use crate::table::reference::Reference;
use crate::table::{EngineName, Options, SoFar, Table, engine_of, has_nimbers, heaps_so_far, normal_play};
use cited::Cited;
use closed::Closed;
use options::Inverse;

mod cited;
mod closed;
pub mod deleted;
mod first;
pub mod interval;
mod options;
pub mod periodic;
pub mod sliding;
mod stated;
mod target;
mod widened;

/// What a nimber rests upon. Printed beside every answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Source {
    /// The heaps that play can reach were settled from the rule alone.
    Reached {
        /// How many heaps.
        heaps: u64,
    },
    /// A table of heaps `0..=n`.
    Table {
        /// The greatest heap.
        n: u64,
    },
    /// A lemma about the shape of the rule, true for all heaps.
    Lemma {
        /// Which, in words: `sliding window ceil(n/3)..n-1 (lemma R3)`.
        name: String,
    },
    /// A law that was proved for all heaps.
    Proved {
        /// How: the proof rule, or the lemma.
        by: String,
    },
    /// A law that agrees with the rule for heaps `0..=to`, and that the caller chose to trust beyond.
    Observed {
        /// The last heap that was compared.
        to: u64,
    },
    /// A law that the literature states and nobody here has proved.
    Cited {
        /// Where it is stated.
        source: String,
        /// It agrees with the rule for heaps `0..=tested_to`.
        tested_to: u64,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Reached { heaps: 1 } => write!(f, "the rule, 1 heap reached"),
            Source::Reached { heaps } => write!(f, "the rule, {heaps} heaps reached"),
            Source::Table { n } => write!(f, "table to {n}"),
            Source::Lemma { name } => write!(f, "{name}"),
            Source::Proved { by } => write!(f, "a law that is proved ({by})"),
            Source::Observed { to } => write!(f, "a law that is only observed, to {to}"),
            Source::Cited { source, tested_to } => write!(f, "cited ({source}), tested to {tested_to}"),
        }
    }
}

/// The nimbers of a rule's heaps, found in the best way that the rule allows.
///
/// The clock of the limits starts when it is made.
pub struct Values {
    rule: Rule,
    moves: Arc<Moves>,
    limits: Limits,
    clock: Clock,
    /// The kind of heap that the closed form or the law speaks about.
    single: Option<KindId>,
    /// The shapes of that kind.
    shapes: Option<Shapes>,
    closed: Option<Closed>,
    cited: Option<Cited>,
    /// Laws about other kinds of heap: those with several entries, and those of which a rule has a second one.
    others: Vec<Other>,
    reference: Reference,
    /// Whether heaps have nimbers, misere or not.
    nimbers: bool,
    /// Whether an engine fits the shape, and what it has filled.
    tables: bool,
    table: Option<Table>,
    scratch: Scratch,
    inverse: Inverse,
    used: Used,
}

/// Which ways have answered.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    closed: bool,
    cited: bool,
    tabulated: bool,
    reached: bool,
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values")
            .field("closed", &self.closed)
            .field("used", &self.used)
            .finish_non_exhaustive()
    }
}

/// A law about a kind of heap that is not the one with tables and lemmas.
#[derive(Debug)]
struct Other {
    kind: KindId,
    cited: Cited,
    /// Whether an answer rests upon it.
    used: bool,
}

impl Values {
    /// Prepares for questions about a rule. `file` is the game file it was read from, if there is one: its cited
    /// law is used for large heaps.
    ///
    /// # Errors
    /// A parameter without a value; a cited law that cannot be read.
    pub fn new(rule: &Rule, file: Option<&ast::File>, limits: Limits) -> Result<Self, Error> {
        let moves = Arc::new(Moves::new(rule)?);
        let reference = Reference::with_moves(&normal(rule), Arc::clone(&moves), &limits)?;
        let single = single_kind(rule);
        let mut shapes = single.map(|kind| Shapes::of(rule, kind));
        let closed = shapes.as_mut().and_then(|shapes| Closed::of(rule, shapes));
        let tables = closed.is_none()
            && shapes.as_mut().is_some_and(|shapes| engine_of(rule, shapes) != EngineName::Reference);
        let stated = file.map(|file| Cited::of(rule, file)).transpose()?.flatten();
        let (cited, other) = match stated {
            Some(cited) if cited.arity() == 1 => (Some(cited).filter(|_| single.is_some()), None),
            Some(cited) => {
                (None, kind_with(rule, cited.arity()).map(|kind| Other { kind, cited, used: false }))
            }
            None => (None, None),
        };
        Ok(Values {
            nimbers: has_nimbers(rule).is_ok(),
            rule: rule.clone(),
            moves,
            clock: limits.clock(),
            limits,
            single,
            shapes,
            closed,
            cited,
            others: other.into_iter().collect(),
            reference,
            tables,
            table: None,
            scratch: Scratch::default(),
            inverse: Inverse::default(),
            used: Used::default(),
        })
    }

    /// The nimber of a heap.
    ///
    /// # Errors
    /// `misere` for a misere rule; a limit, naming the size that can be reached; `loop`; `law-false` for a cited law
    /// that the rule contradicts; whatever the rule's own expressions give.
    pub fn nimber(&mut self, heap: &Heap) -> Result<Nimber, Error> {
        normal_play(&self.rule)?;
        self.value(heap.kind, &heap.entries)
    }

    /// Whether a lemma that needs no table, or a law of the game file, speaks about large heaps of that kind.
    #[must_use]
    pub fn reaches_far(&self, kind: KindId) -> bool {
        let own = self.single == Some(kind) && (self.cited.is_some() || self.closed.is_some());
        own || self.others.iter().any(|other| other.kind == kind)
    }

    /// Uses a law for heaps of that kind that are larger than those it was compared with. Whoever calls vouches for it:
    /// what rests on it is said to do so ([`Values::sources`]). A law that tells the outcome alone is of no use here.
    pub fn trust(&mut self, stated: &Stated, kind: KindId) {
        let source = match &stated.standing {
            Standing::Proved { by, .. } => Source::Proved { by: by.clone() },
            Standing::Cited { source, tested_to } => {
                Source::Cited { source: source.clone(), tested_to: *tested_to }
            }
            Standing::Observed { to } => Source::Observed { to: *to },
        };
        if stated.law.speaks_of() == Subject::Nimbers {
            let cited = Cited::vouched(stated.law.clone(), source, stated.checked_to);
            if self.single == Some(kind) {
                self.cited = Some(cited);
            } else {
                self.others.push(Other { kind, cited, used: false });
            }
        }
    }

    /// What the answers so far rest upon, each once.
    #[must_use]
    pub fn sources(&self) -> Vec<Source> {
        let mut sources = Vec::new();
        if let Some(closed) = self.closed.as_ref().filter(|_| self.used.closed) {
            sources.push(match closed.table_only() {
                Some(heaps) => {
                    Source::Table { n: u64::try_from(heaps.saturating_sub(1)).unwrap_or(u64::MAX) }
                }
                None => Source::Lemma { name: closed.to_string() },
            });
        }
        if let Some(cited) = self.cited.as_ref().filter(|_| self.used.cited) {
            sources.push(cited.source());
        }
        sources.extend(self.others.iter().filter(|other| other.used).map(|other| other.cited.source()));
        if let Some(table) = self.table.as_ref().filter(|_| self.used.tabulated) {
            sources
                .push(Source::Table { n: u64::try_from(table.len().saturating_sub(1)).unwrap_or(u64::MAX) });
        }
        if self.used.reached {
            sources.push(Source::Reached { heaps: self.reference.settled() });
        }
        sources
    }

    /// The compiled moves of the rule.
    #[must_use]
    pub fn moves(&self) -> &Arc<Moves> {
        &self.moves
    }

    /// The limits that were given.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether heaps of this kind are Nim heaps by the shape of the rule: the nimber of a heap is how far it is
    /// above the least one, and every smaller nimber is that of exactly one option.
    #[must_use]
    pub fn is_nim(&self, kind: KindId) -> bool {
        self.single == Some(kind) && self.closed.as_ref().is_some_and(Closed::is_nim)
    }

    /// The nimber under normal play, also of a misere rule.
    pub(crate) fn value(&mut self, kind: KindId, entries: &[Int]) -> Result<Nimber, Error> {
        if !self.nimbers {
            has_nimbers(&self.rule)?;
        }
        if self.single == Some(kind)
            && let [n] = entries
            && let Ok(n) = u128::try_from(*n)
        {
            if let Some(closed) = &mut self.closed {
                self.used.closed = true;
                return closed.nimber(n, &self.clock);
            }
            if let Some(cited) = &self.cited
                && cited.speaks_beyond(n)
            {
                self.test_law(kind)?;
                if let Some(cited) = self.cited.as_ref().filter(|cited| cited.speaks_beyond(n))
                    && let Some(value) = cited.value(n)?
                {
                    self.used.cited = true;
                    return Ok(value);
                }
            }
            if let Some(value) = self.tabulated(kind, n)? {
                self.used.tabulated = true;
                return Ok(value);
            }
        }
        if let Some(value) = self.by_other_law(kind, entries)? {
            return Ok(value);
        }
        self.used.reached = true;
        match self.reference.nimber_of(kind, entries) {
            Ok(value) => Ok(Nimber::from(value)),
            Err(error) if error.is_limit() && error.id() != "cancelled" => {
                Err(self.out_of_reach(error, kind, entries))
            }
            Err(error) => Err(error),
        }
    }

    /// What a law says about a large heap of another kind; one that is cited stands a comparison with small heaps first.
    fn by_other_law(&mut self, kind: KindId, entries: &[Int]) -> Result<Option<Nimber>, Error> {
        let Some(other) = self.others.iter_mut().find(|other| other.kind == kind) else { return Ok(None) };
        let heap: Option<Vec<u128>> = entries.iter().map(|n| u128::try_from(*n).ok()).collect();
        let Some(heap) = heap.filter(|heap| heap.iter().any(|n| other.cited.speaks_beyond(*n))) else {
            return Ok(None);
        };
        if !other.cited.is_tested() {
            let reference = &mut self.reference;
            let value = |entries: &[Int]| Ok(reference.nimber_of(kind, entries)?.into());
            other.cited.test_tuples(entries.len(), value)?;
        }
        let value = other.cited.value_of(&heap)?;
        other.used |= value.is_some();
        Ok(value)
    }

    /// The nimber of a heap of one entry, as [`Values::value`]; long lists of heaps are quicker this way.
    #[inline]
    pub(crate) fn long(&mut self, kind: KindId, n: u64) -> Result<Nimber, Error> {
        if self.single == Some(kind) {
            if let Some(closed) = &self.closed {
                if let Some(value) = closed.small(n) {
                    self.used.closed = true;
                    return Ok(Nimber::from(value));
                }
            } else if let Some(value) = self.cited.as_ref().and_then(|cited| cited.long(n)) {
                self.used.cited = true;
                return Ok(Nimber::from(value));
            }
        }
        self.value(kind, &[Int::from(n)])
    }

    /// Whether the heap has a move. A rule that cannot say so has one here: what is wrong shows elsewhere.
    pub(crate) fn can_move(&mut self, heap: &Heap) -> bool {
        struct Any(bool);
        impl Sink for Any {
            fn start(&mut self, _line: usize, _alternative: usize, _assignment: &[Int]) {}
            fn heap(&mut self, _kind: KindId, _entries: &[Int], _count: u128) {}
            fn finish(&mut self) -> ControlFlow<()> {
                self.0 = true;
                ControlFlow::Break(())
            }
        }
        let mut any = Any(false);
        let visited = self.moves.visit(&mut self.scratch, heap.kind, &heap.entries, &mut any);
        any.0 || visited.is_err()
    }

    /// As [`Values::reaches_less`], for a heap of one entry.
    #[inline]
    pub(crate) fn long_reaches_less(&self, kind: KindId, n: u64, value: Nimber) -> bool {
        let closed = self.closed.as_ref().filter(|_| self.single == Some(kind));
        closed.and_then(|closed| closed.most(u128::from(n))).is_some_and(|most| most < value)
    }

    /// Whether a closed form says at once that all options of the heap have nimbers below `value`. Most heaps of a
    /// large position are far too small to make up for one large heap.
    #[inline]
    pub(crate) fn reaches_less(&self, kind: KindId, entries: &[Int], value: Nimber) -> bool {
        match (&self.closed, entries) {
            (Some(closed), [n]) if self.single == Some(kind) => {
                u128::try_from(*n).ok().and_then(|n| closed.most(n)).is_some_and(|most| most < value)
            }
            _ => false,
        }
    }

    /// The value from a table, if the shape of the rule has an engine that is better than asking the rule.
    fn tabulated(&mut self, kind: KindId, n: u128) -> Result<Option<Nimber>, Error> {
        let Some(shapes) = self.shapes.as_mut().filter(|_| self.tables) else { return Ok(None) };
        let place = |table: &Table| usize::try_from(n).ok().filter(|&n| n < table.len());
        if let Some(table) = &self.table
            && let Some(at) = place(table)
        {
            return Ok(Some(Nimber::from(table.get(at))));
        }
        let Ok(wanted) = u64::try_from(n) else {
            return Err(
                Error::new("memory", format!("no table reaches heap {n}")).help("a law would answer it")
            );
        };
        let len = self.table.as_ref().map_or(0, |table| u64::try_from(table.len()).unwrap_or(u64::MAX));
        // Half as far again as before, so that growing step by step costs little.
        let further = wanted.max(len.saturating_add(len / 2));
        let options = Options { limits: self.limits.clone(), ..Options::default() };
        let rule = normal(&self.rule);
        let mut tabulate = |n: u64| heaps_so_far(&rule, kind, shapes, n, &options).and_then(SoFar::whole);
        let table = match tabulate(further) {
            Err(error) if error.is_limit() && further > wanted => tabulate(wanted),
            other => other,
        };
        let table = table.map_err(|error| match self.limits.memory {
            // A value takes a byte at least.
            Some(most) if error.id() == "memory" && u128::from(most) < n => {
                error.help(format!("no table goes beyond heap {most} in that, and heap {n} needs a law"))
            }
            _ => error,
        })?;
        let table = self.table.insert(table);
        Ok(place(table).map(|at| Nimber::from(table.get(at))))
    }

    /// Compares the cited law with the rule, once: as far as an engine comes quickly, or as far as two million
    /// moves of the rule reach.
    fn test_law(&mut self, kind: KindId) -> Result<(), Error> {
        const MOVES: u64 = 1 << 21;
        let Some(mut cited) = self.cited.take_if(|cited| !cited.is_tested()) else { return Ok(()) };
        if self.tables {
            self.tabulated(kind, u128::from(cited::TESTED))?;
        }
        let start = self.reference.tried();
        let tested = cited.test(|n| match &self.table {
            Some(table) => Ok(usize::try_from(n).ok().map(|n| Nimber::from(table.get(n)))),
            None if self.reference.tried() - start > MOVES => Ok(None),
            None => self.reference.nimber_of(kind, &[Int::from(n)]).map(|value| Some(Nimber::from(value))),
        });
        self.cited = Some(cited);
        tested
    }

    /// Adds to a limit that was reached which heaps can be had.
    fn out_of_reach(&self, error: Error, kind: KindId, entries: &[Int]) -> Error {
        let [_] = entries else { return error };
        let known_to = |reference: &Reference| {
            (0..Int::MAX).take_while(|&n| reference.known(&Heap::new(kind, &[n])).is_some()).last()
        };
        let reached = known_to(&self.reference).or_else(|| {
            // One heap alone was too much. See how far a table comes in half a second.
            let limits = Limits { time: Some(Duration::from_millis(500)), ..self.limits.clone() };
            let mut reference =
                Reference::with_moves(&normal(&self.rule), Arc::clone(&self.moves), &limits).ok()?;
            (0..Int::MAX).take_while(|&n| reference.nimber_of(kind, &[n]).is_ok()).last()
        });
        let Some(reached) = reached else { return error };
        let option = if error.id() == "time" { "--time" } else { "--memory" };
        let (heap, last) = (self.rule.show_heap(kind, entries), self.rule.show_heap(kind, &[reached]));
        error.help(format!(
            "heaps to {last} were reached, {heap} needs a law (`law` in the game file) or more with {option}"
        ))
    }
}

/// The same moves under normal play: nobody asks for nimbers of a misere rule, but they help to say what they
/// would have answered.
fn normal(rule: &Rule) -> Cow<'_, Rule> {
    if rule.has_nimbers() && !rule.loopy {
        return Cow::Borrowed(rule);
    }
    let mut normal = Rule { misere: false, loopy: false, ..rule.clone() };
    // (Nobody asks for those of a rule that [`has_nimbers`] refuses.)
    if has_nimbers(&normal).is_err() {
        normal.lines.clear();
    }
    Cow::Owned(normal)
}

/// The law of a kind of heap of which a lemma says every value, with the lemma's name.
///
/// # Errors
/// Limits.
pub(crate) fn closed_law(rule: &Rule, kind: KindId, clock: &Clock) -> Result<Option<(Law, String)>, Error> {
    let Some(mut form) = Closed::of(rule, &mut Shapes::of(rule, kind)) else { return Ok(None) };
    let law = stated::law(&mut form, &rule.params, clock)?;
    Ok(law.map(|law| (law, form.to_string())))
}

/// The kind that shapes and laws speak about: the first with one entry that can move.
fn single_kind(rule: &Rule) -> Option<KindId> {
    kind_with(rule, 1)
}

/// The first kind with so many entries that can move.
fn kind_with(rule: &Rule, arity: usize) -> Option<KindId> {
    let moves = |kind: &KindId| rule.kinds.get(usize::from(kind.0)).is_some_and(|kind| kind.arity == arity);
    let kinds = rule.lines.iter().map(|line| line.kind);
    kinds.filter(moves).min()
}

#[cfg(test)]
mod tests;
