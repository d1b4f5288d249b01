//! The reference engine: reads the rule alone, serves every rule, and is the judge of all other engines.
//!
//! The value of a heap is the mex of the nim-sums of its options, and that is all this engine knows. It
//! enumerates the moves that the rule gives, keeps the value of every heap it has settled, and settles others
//! only when asked. Depth is an explicit stack, so that a chain of 10^7 heaps is no stack overflow; a heap that
//! is met while it is itself being settled has reached itself, and the error prints the way round.
//!
//! A heap is enumerated once if its options are known already, twice if not: first to learn which are
//! missing, then to take the mex. Keeping the half-done enumeration of each heap on the stack instead was
//! dropped: it needs enumeration that can be suspended, for a saving that ascending order gives for free.
//! The missing ones are settled smallest first (largest first where moves go upward), so that most of them
//! find their own options known and the stack stays near the number of options of one heap.

mod memo;

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_rule::Rule;
use grundy_rule::ends::{Ends, ends};
use grundy_rule::expr::Int;
use grundy_rule::heap::{Heap, KindId};
use grundy_rule::moves::{Moves, Scratch, Sink};
use grundy_rule::rule::Kind;

use self::memo::{Known, Memo};
use super::engine::Engine;
use super::{EngineName, SoFar, Store, Table, Values};
use crate::error::Error;
use crate::limits::{Clock, Limits};
use crate::nimber::Mex;

/// Nimbers of any heaps of a rule, settled when asked for and kept.
///
/// The clock of the limits starts when it is made.
pub struct Reference {
    rule: Rule,
    moves: Arc<Moves>,
    scratch: Scratch,
    kinds: Vec<Kind>,
    clock: Clock,
    memo: Memo,
    mex: Mex,
    missing: Vec<Heap>,
    steps: u64,
}

/// How many heaps on the stack are so many that one looks whether they only rise.
const DEEP: usize = 1 << 18;

/// What looking at the options of a heap gave.
enum Look {
    /// All values were known: this is the heap's own.
    Value(u32),
    /// Some were not: they are in `missing`.
    Missing,
    /// One is being settled itself.
    Loop(Heap),
}

/// A heap on the way to its value.
struct Frame {
    heap: Heap,
    /// It has been looked at, and what was missing lies above it.
    open: bool,
}

impl Reference {
    /// For that rule; every parameter must have its value.
    ///
    /// # Errors
    /// `misere`, and whatever compiling the moves gives.
    pub fn new(rule: &Rule, limits: &Limits) -> Result<Self, Error> {
        Reference::with_moves(rule, Arc::new(Moves::new(rule)?), limits)
    }

    /// The same with the moves of the rule compiled before.
    ///
    /// # Errors
    /// `misere`.
    pub fn with_moves(rule: &Rule, moves: Arc<Moves>, limits: &Limits) -> Result<Self, Error> {
        super::normal_play(rule)?;
        Ok(Reference {
            rule: rule.clone(),
            moves,
            scratch: Scratch::default(),
            kinds: rule.kinds.clone(),
            clock: limits.clock(),
            memo: Memo::new(rule.kinds.iter().map(|kind| kind.arity)),
            mex: Mex::new(),
            missing: Vec::new(),
            steps: 0,
        })
    }

    /// How many heaps are settled.
    #[must_use]
    pub fn settled(&self) -> u64 {
        self.memo.settled()
    }

    /// How many values of variables were tried so far: a measure of work that does not depend on the machine.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.scratch.candidates
    }

    /// The moves it reads.
    #[must_use]
    pub fn moves(&self) -> &Arc<Moves> {
        &self.moves
    }

    /// The value of a heap, if it was settled before.
    #[must_use]
    pub fn known(&self, heap: &Heap) -> Option<u32> {
        match self.memo.get(heap.kind, &heap.entries) {
            Known::Value(value) => Some(value),
            Known::Open | Known::Unknown => None,
        }
    }

    /// The nimber of a heap of any kind.
    ///
    /// # Errors
    /// `loop` if the heap can reach a heap that reaches itself; `width` if a value passes 2^32 - 3; limits,
    /// saying how many heaps were settled; and what the rule's own expressions give. What was settled before
    /// the error stays settled.
    pub fn nimber(&mut self, heap: &Heap) -> Result<u32, Error> {
        self.nimber_of(heap.kind, &heap.entries)
    }

    /// The same for a kind and entries.
    ///
    /// # Errors
    /// As for [`Reference::nimber`].
    pub fn nimber_of(&mut self, kind: KindId, entries: &[Int]) -> Result<u32, Error> {
        if let Known::Value(value) = self.memo.get(kind, entries) {
            return Ok(value);
        }
        let mut stack = Vec::new();
        let result = self.settle(kind, entries, &mut stack);
        if result.is_err() {
            // The next question must not take these for heaps on its own way.
            for frame in stack.iter().filter(|frame| frame.open) {
                self.memo.forget(frame.heap.kind, &frame.heap.entries);
            }
        }
        match self.settled() {
            1.. => {
                result.map_err(|error| if error.is_limit() { error.so_far(self.progress()) } else { error })
            }
            0 => result,
        }
    }

    fn progress(&self) -> String {
        format!("the values of {} heaps", self.settled())
    }

    fn settle(&mut self, kind: KindId, entries: &[Int], stack: &mut Vec<Frame>) -> Result<u32, Error> {
        // Most heaps of a table filled in order need no stack.
        if let Look::Value(value) = self.look(kind, entries)? {
            self.memo.set(kind, entries, value, &self.clock)?;
            return Ok(value);
        }
        stack.push(Frame { heap: Heap::new(kind, entries), open: false });
        let mut deep = DEEP;
        while let Some(frame) = stack.last() {
            let (kind, entries) = (frame.heap.kind, &frame.heap.entries);
            // Known by now: it lay on the stack twice.
            if let Known::Value(_) = self.memo.get(kind, entries) {
                stack.pop();
                continue;
            }
            match self.look(kind, entries)? {
                Look::Value(value) => {
                    self.memo.set(kind, entries, value, &self.clock)?;
                    stack.pop();
                }
                Look::Missing => {
                    self.memo.open(kind, entries, &self.clock)?;
                    self.open_last(stack)?;
                    if stack.len() >= deep {
                        self.must_not_rise(stack)?;
                        deep = 2 * stack.len();
                    }
                }
                Look::Loop(again) => return Err(self.round(&again, stack)),
            }
        }
        match self.memo.get(kind, entries) {
            Known::Value(value) => Ok(value),
            Known::Open | Known::Unknown => unreachable!("the first heap leaves the stack with a value"),
        }
    }

    /// Refuses to follow moves that only make the heap greater, of a rule for which nothing shows that play ends:
    /// they would be followed until a limit is reached. (Nobody can tell for every rule: what rises and falls runs on.)
    fn must_not_rise(&self, stack: &[Frame]) -> Result<(), Error> {
        let way: Vec<&Heap> = stack.iter().filter(|frame| frame.open).map(|frame| &frame.heap).collect();
        let size = |heap: &Heap| heap.entries.iter().fold(0, |sum: Int, entry| sum.saturating_add(*entry));
        let rises = |pair: &[&Heap]| pair[0].kind == pair[1].kind && size(pair[0]) < size(pair[1]);
        if !way.windows(2).all(rises) || matches!(ends(&self.rule), Ends::Proved(_)) {
            return Ok(());
        }
        let shown: Vec<String> = way.iter().take(4).map(|heap| self.show(heap.kind, &heap.entries)).collect();
        let last = way.last().map_or_else(String::new, |heap| self.show(heap.kind, &heap.entries));
        Err(Error::new(
            "endless",
            format!("no measure falls and the heap grows: {} -> .. -> {last}", shown.join(" -> ")),
        )
        .help("make every move lead to a smaller heap, or bound the heap: `where n < 1000`"))
    }

    /// Puts what the last heap of the stack misses above it.
    fn open_last(&mut self, stack: &mut Vec<Frame>) -> Result<(), Error> {
        let frame = stack.last_mut().expect("the caller looked at the last heap");
        frame.open = true;
        self.missing.sort_unstable();
        self.missing.dedup();
        // The last one pushed is settled first.
        if self.missing.last().is_some_and(|largest| *largest <= frame.heap) {
            self.missing.reverse();
        }
        let arity = self.missing.iter().map(|heap| heap.entries.len()).max().unwrap_or(0);
        let each = size_of::<Frame>() + arity * size_of::<Int>() + 16;
        let bytes = (stack.len() + 2 * self.missing.len()) as u64 * each as u64;
        self.clock.memory(self.memo.bytes() + self.mex.bytes() + bytes)?;
        stack.extend(self.missing.drain(..).map(|heap| Frame { heap, open: false }));
        Ok(())
    }

    /// Enumerates the moves of a heap.
    fn look(&mut self, kind: KindId, entries: &[Int]) -> Result<Look, Error> {
        self.steps += 1;
        if self.steps.is_multiple_of(1024) {
            self.clock.check()?;
        }
        self.mex.clear();
        self.missing.clear();
        let mut look = Looker {
            memo: &self.memo,
            mex: &mut self.mex,
            missing: &mut self.missing,
            clock: &self.clock,
            sum: 0,
            complete: true,
            again: None,
            stop: None,
        };
        let visited = self.moves.visit(&mut self.scratch, kind, entries, &mut look);
        let (again, stop) = (look.again, look.stop);
        visited.map_err(|error| error.to_diagnostic())?;
        match (stop, again) {
            (Some(error), _) => Err(error),
            (None, Some(again)) => Ok(Look::Loop(again)),
            (None, None) if !self.missing.is_empty() => Ok(Look::Missing),
            (None, None) => match u32::try_from(self.mex.mex()) {
                Ok(value) if value <= memo::MAX => Ok(Look::Value(value)),
                _ => Err(Error::new(
                    "width",
                    format!("the value of heap {} passes {}", self.show(kind, entries), memo::MAX),
                )),
            },
        }
    }

    /// The error for a heap that reaches itself: the open heaps from it to the top of the stack, and it again.
    fn round(&self, again: &Heap, stack: &[Frame]) -> Error {
        let start = stack.iter().position(|frame| frame.open && frame.heap == *again);
        let way: Vec<&Heap> = match (start, stack.last()) {
            (Some(start), Some(last)) => {
                let between = stack[start..stack.len() - 1].iter().filter(|frame| frame.open);
                between.chain([last]).map(|frame| &frame.heap).collect()
            }
            _ => vec![again],
        };
        let show = |i: usize| {
            let heap = way[i % way.len()];
            self.show(heap.kind, &heap.entries)
        };
        loop_error(&show, way.len())
    }

    fn show(&self, kind: KindId, entries: &[Int]) -> String {
        let name = self.kinds.get(usize::from(kind.0)).and_then(|kind| kind.name.as_deref());
        match (name, entries) {
            (None, [one]) => one.to_string(),
            (name, entries) => {
                let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
                format!("{}({})", name.unwrap_or(""), entries.join(", "))
            }
        }
    }
}

/// The error for a heap that reaches itself in `length` moves; `show` gives the heap after so many of them.
pub(super) fn loop_error(show: &dyn Fn(usize) -> String, length: usize) -> Error {
    /// A longer way round is cut in the middle, and its length is said.
    const SHOWN: usize = 12;
    let join = |range: std::ops::RangeInclusive<usize>| range.map(show).collect::<Vec<_>>().join(" -> ");
    let way = if length < SHOWN {
        join(0..=length)
    } else {
        let (head, tail) = (join(0..=SHOWN / 2), join(length - SHOWN / 2..=length));
        format!("{head} -> ... -> {tail} ({length} moves)")
    };
    let heap = show(0);
    Error::new("loop", format!("heap {heap} reaches itself, so it has no Grundy value: {way}")).help(
        "make every move lead to a smaller heap; for rules whose play may go round, \
         `grundy outcome --loopy` says who wins, loses or draws",
    )
}

/// Takes the moves of one heap and looks the heaps they leave up.
struct Looker<'a> {
    memo: &'a Memo,
    mex: &'a mut Mex,
    missing: &'a mut Vec<Heap>,
    clock: &'a Clock,
    sum: u32,
    complete: bool,
    again: Option<Heap>,
    stop: Option<Error>,
}

impl Sink for Looker<'_> {
    #[inline]
    fn start(&mut self, _line: usize, _alternative: usize, _assignment: &[Int]) {
        self.sum = 0;
        self.complete = true;
    }

    #[inline]
    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128) {
        match self.memo.get(kind, entries) {
            // An even number of equal heaps has nim-sum 0 - once it is known that they have a value at all.
            Known::Value(value) => self.sum ^= if count % 2 == 1 { value } else { 0 },
            Known::Unknown => {
                self.complete = false;
                self.missing.push(Heap::new(kind, entries));
            }
            Known::Open => self.again = Some(Heap::new(kind, entries)),
        }
    }

    #[inline]
    fn finish(&mut self) -> ControlFlow<()> {
        if self.again.is_some() {
            return ControlFlow::Break(());
        }
        if self.complete {
            self.mex.insert(self.sum);
        }
        ControlFlow::Continue(())
    }

    fn tick(&mut self) -> ControlFlow<()> {
        // One heap alone may have more options than time or memory allow.
        let missing = self.missing.len() * (size_of::<Heap>() + 48);
        let bytes = self.memo.bytes() + self.mex.bytes() + missing as u64;
        match self.clock.check().and_then(|()| self.clock.memory(bytes)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.stop = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// The engine that asks the reference for heap after heap of a kind with one entry.
pub(super) struct InOrder {
    reference: Reference,
    kind: KindId,
    next: usize,
}

impl InOrder {
    /// For that kind.
    pub(super) fn new(rule: &Rule, kind: KindId, limits: &Limits) -> Result<Self, Error> {
        Ok(InOrder { reference: Reference::new(rule, limits)?, kind, next: 0 })
    }
}

impl Engine for InOrder {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        self.reference.memo.lengthen(self.kind, self.next + more, &self.reference.clock)?;
        for _ in 0..more {
            let heap = Int::try_from(self.next).expect("a usize fits 128 bits");
            store.push(u64::from(self.reference.nimber_of(self.kind, &[heap])?))?;
            self.next += 1;
        }
        Ok(())
    }

    fn learn(&mut self, values: Values<'_>) -> Result<bool, Error> {
        // Each value saves the enumeration of a heap.
        self.reference.memo.lengthen(self.kind, self.next + values.len(), &self.reference.clock)?;
        for value in values.iter() {
            let heap = Int::try_from(self.next).expect("a usize fits 128 bits");
            self.reference.memo.set(self.kind, &[heap], value.min(memo::MAX), &self.reference.clock)?;
            self.next += 1;
        }
        Ok(true)
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        self.reference.memo.bytes() + self.reference.mex.bytes()
    }
}

/// The values of all tuples up to the ends.
pub(super) fn grid(rule: &Rule, kind: KindId, ends: &[u64], limits: &Limits) -> Result<SoFar, Error> {
    let too_many = || {
        let ends: Vec<String> = ends.iter().map(ToString::to_string).collect();
        Error::new("memory", format!("the heaps up to {} are more than any memory holds", ends.join(", ")))
    };
    let dims: Option<Vec<usize>> =
        ends.iter().map(|end| usize::try_from(*end).ok().and_then(|end| end.checked_add(1))).collect();
    let mut dims = dims.ok_or_else(too_many)?;
    let count =
        dims.iter().try_fold(1_usize, |product, dim| product.checked_mul(*dim)).ok_or_else(too_many)?;
    let mut reference = Reference::new(rule, limits)?;
    reference.memo.make_dense(kind, &dims, &reference.clock)?;
    let mut store = Store::new();
    store.reserve(count)?;
    let mut entries: Vec<Int> = vec![0; dims.len()];
    let mut stopped = None;
    for _ in 0..count {
        match reference.nimber_of(kind, &entries) {
            Ok(value) => store.push(u64::from(value))?,
            Err(error) if error.is_limit() => {
                stopped = Some(error);
                break;
            }
            Err(error) => return Err(error),
        }
        // The next tuple in row order.
        for (entry, end) in entries.iter_mut().zip(ends).rev() {
            *entry += 1;
            if *entry <= Int::from(*end) {
                break;
            }
            *entry = 0;
        }
    }
    if stopped.is_some() {
        // Whole rows are kept: a table has one shape.
        let row: usize = dims.iter().skip(1).product();
        let rows = store.len() / row;
        store.truncate(rows * row);
        if let Some(first) = dims.first_mut() {
            *first = rows;
        }
    }
    let name = rule.kinds.get(usize::from(kind.0)).and_then(|kind| kind.name.as_deref());
    Ok(SoFar { table: Table::new(store, dims.into(), name, EngineName::Reference), stopped })
}
