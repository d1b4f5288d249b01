//! A compiled rule as the source of moves for misere search.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use grundy_rule::heap::KindId;
use grundy_rule::moves::{Moves, Scratch, Sink};
use grundy_rule::{Heap, Int, Rule, Sum};

use super::Play;
use crate::error::Error;
use crate::limits::Clock;

/// The moves of a rule, whatever its header says about who wins.
#[derive(Clone, Debug)]
pub struct Rules {
    rule: Rule,
    moves: Arc<Moves>,
}

impl Rules {
    /// The rule with its compiled moves.
    #[must_use]
    pub fn new(rule: &Rule, moves: Arc<Moves>) -> Self {
        Rules { rule: rule.clone(), moves }
    }
}

impl Play for Rules {
    fn options(&self, heap: &Heap, clock: &Clock) -> Result<Vec<Sum>, Error> {
        let mut list = List {
            coins: self.rule.coins,
            clock,
            parts: Vec::new(),
            seen: FxHashSet::default(),
            options: Vec::new(),
            bytes: 0,
            stop: None,
        };
        let visited = self.moves.visit(&mut Scratch::default(), heap.kind, &heap.entries, &mut list);
        let (options, stop) = (list.options, list.stop);
        visited.map_err(|error| error.to_diagnostic())?;
        stop.map_or(Ok(options), Err)
    }

    fn show(&self, heap: &Heap) -> String {
        self.rule.show_heap(heap.kind, &heap.entries)
    }
}

/// Collects distinct options, within the limits.
struct List<'a> {
    coins: bool,
    clock: &'a Clock,
    parts: Vec<(Heap, u128)>,
    seen: FxHashSet<Sum>,
    options: Vec<Sum>,
    bytes: u64,
    stop: Option<Error>,
}

impl List<'_> {
    fn check(&mut self) -> ControlFlow<()> {
        if let Err(error) = self.clock.check().and_then(|()| self.clock.memory(self.bytes)) {
            self.stop = Some(error);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Sink for List<'_> {
    fn start(&mut self, _line: usize, _alternative: usize, _assignment: &[Int]) {
        self.parts.clear();
    }

    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128) {
        self.parts.push((Heap::new(kind, entries), count));
    }

    fn finish(&mut self) -> ControlFlow<()> {
        let Some(option) = Sum::new(std::mem::take(&mut self.parts)) else {
            self.stop = Some(Error::new("overflow", "an option has more than 2^128 equal heaps"));
            return ControlFlow::Break(());
        };
        let option = if self.coins { option.odd() } else { option };
        if self.seen.insert(option.clone()) {
            // Twice: in the set and in the list.
            self.bytes += 128 + 160 * u64::try_from(option.heaps().len()).unwrap_or(u64::MAX);
            self.options.push(option);
            if self.options.len().is_multiple_of(1024) {
                return self.check();
            }
        }
        ControlFlow::Continue(())
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.check()
    }
}
