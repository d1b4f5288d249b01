//! The heaps of a rule as the nodes of a graph, for rules whose moves leave one heap at most.
//!
//! Then each heap is a token of its own that walks on that graph, a position is a sum of tokens, and what is known
//! about graphs with loops ([`smith`](super::smith), [`retrograde`](super::retrograde)) speaks about the rule. The
//! heaps are numbered as a walk in breadth from those of the position finds them. A rule that *is* a graph, given as
//! pairs, is taken as it comes: its numbers are the nodes.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use grundy_rule::heap::KindId;
use grundy_rule::moves::{Moves, Scratch, Sink};
use grundy_rule::pairs::{Pairs, halves};
use grundy_rule::rule::Value;
use grundy_rule::shape::{self, Shape};
use grundy_rule::{Heap, Int, Rule, Sum};

use super::graph::Digraph;
use crate::error::Error;
use crate::limits::Clock;

/// The heaps that can be reached and their moves.
#[derive(Clone, Debug)]
pub struct RuleGraph {
    /// An arc for each option.
    pub graph: Digraph,
    numbering: Numbering,
}

#[derive(Clone, Debug)]
enum Numbering {
    /// Node 0 is the empty sum; heaps have the numbers from 1 on.
    Found(FxHashMap<Heap, u32>),
    /// Heaps of that kind are their numbers.
    Numbers(KindId),
}

impl RuleGraph {
    /// Walks through all heaps that can be reached from some; `None` if a move leaves several heaps.
    ///
    /// # Errors
    /// Those of the rule's expressions; `time`, `memory`, `cancelled`, with what is known so far.
    pub fn reached(
        rule: &Rule,
        moves: &Arc<Moves>,
        starts: &[Heap],
        clock: &Clock,
    ) -> Result<Option<RuleGraph>, Error> {
        if let Some(graph) = RuleGraph::given(rule, starts, clock)? {
            return Ok(Some(graph));
        }
        let mut walk = Walk {
            numbers: FxHashMap::default(),
            queue: Vec::new(),
            heads: Vec::new(),
            parts: 0,
            splits: false,
            clock,
            stop: None,
        };
        let mut graph = Digraph::new();
        graph.push([])?;
        for heap in starts {
            walk.number(heap.clone())?;
        }
        let mut scratch = Scratch::default();
        while let Some(heap) = walk.queue.get(graph.nodes() - 1).cloned() {
            if graph.nodes().is_multiple_of(1024) {
                let each = size_of::<Heap>() + heap.entries.len() * size_of::<Int>();
                let bytes = walk.queue.len() * 2 * (each + 16) + 3 * 4 * graph.arcs();
                let checked =
                    clock.check().and_then(|()| clock.memory(u64::try_from(bytes).unwrap_or(u64::MAX)));
                checked.map_err(|e| e.so_far(format!("{} heaps reached, none decided", walk.queue.len())))?;
            }
            walk.heads.clear();
            let visited = moves.visit(&mut scratch, heap.kind, &heap.entries, &mut walk);
            if walk.splits {
                return Ok(None);
            }
            visited.map_err(|error| error.to_diagnostic())?;
            if let Some(stop) = walk.stop.take() {
                return Err(stop);
            }
            walk.heads.sort_unstable();
            walk.heads.dedup();
            graph.push(walk.heads.iter().copied())?;
        }
        Ok(Some(RuleGraph { graph, numbering: Numbering::Found(walk.numbers) }))
    }

    /// The graph of a rule that is one, if its numbers are not far apart.
    fn given(rule: &Rule, starts: &[Heap], clock: &Clock) -> Result<Option<RuleGraph>, Error> {
        let kind = KindId(0);
        let Shape::Graph(shape) = shape::shape_of(rule, kind) else { return Ok(None) };
        let Some(Some(Value::Pairs(pairs))) = rule.params.get(shape.edges).map(|param| &param.value) else {
            return Ok(None);
        };
        let (Some(words), Some(hulls)) = (pairs.words(), pairs.hulls()) else { return Ok(None) };
        let heaps = starts.iter().flat_map(|heap| heap.entries.iter().copied());
        let last = heaps.chain([hulls.first.1, hulls.second.1]).max().unwrap_or(0);
        let room = Int::try_from(words.len()).unwrap_or(Int::MAX).saturating_mul(4) + 1024;
        if starts.iter().any(|heap| heap.kind != kind) || last > room {
            return Ok(None);
        }
        let bytes = u64::try_from(last).unwrap_or(u64::MAX).saturating_add(words.len() as u64) * 4;
        clock.memory(bytes)?;
        let turned;
        let words = if shape.reversed {
            turned = Pairs::of_words(words.iter().map(|word| word.rotate_left(32)).collect());
            turned.words().unwrap_or_default()
        } else {
            words
        };
        let mut graph = Digraph::new();
        let mut at = 0;
        for node in (0..=last).filter_map(|node| u32::try_from(node).ok()) {
            let row = words[at..].iter().take_while(|word| halves(**word).0 == node);
            graph.push(row.map(|word| halves(*word).1))?;
            at += graph.after(node).len();
        }
        Ok(Some(RuleGraph { graph, numbering: Numbering::Numbers(kind) }))
    }

    /// The node of a heap that was reached.
    #[must_use]
    pub fn node(&self, heap: &Heap) -> Option<u32> {
        match &self.numbering {
            Numbering::Found(numbers) => numbers.get(heap).copied(),
            Numbering::Numbers(kind) => {
                let [number] = heap.entries[..] else { return None };
                let node = u32::try_from(number).ok()?;
                (heap.kind == *kind && (node as usize) < self.graph.nodes()).then_some(node)
            }
        }
    }

    /// The node of what a move leaves: one heap that was reached, or nothing.
    #[must_use]
    pub fn node_of(&self, sum: &Sum) -> Option<u32> {
        match sum.heaps() {
            [] => Some(0),
            [(heap, 1)] => self.node(heap),
            _ => None,
        }
    }
}

/// Numbers the heaps that moves leave.
struct Walk<'a> {
    numbers: FxHashMap<Heap, u32>,
    queue: Vec<Heap>,
    heads: Vec<u32>,
    parts: u128,
    splits: bool,
    clock: &'a Clock,
    stop: Option<Error>,
}

impl Walk<'_> {
    fn number(&mut self, heap: Heap) -> Result<u32, Error> {
        if let Some(number) = self.numbers.get(&heap) {
            return Ok(*number);
        }
        let number = u32::try_from(self.queue.len() + 1)
            .map_err(|_| Error::new("memory", "more than 2^32 heaps can be reached"))?;
        self.queue.push(heap.clone());
        self.numbers.insert(heap, number);
        Ok(number)
    }
}

impl Sink for Walk<'_> {
    fn start(&mut self, _line: usize, _alternative: usize, _assignment: &[Int]) {
        self.parts = 0;
        // Nothing, until a heap says otherwise.
        self.heads.push(0);
    }

    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128) {
        self.parts = self.parts.saturating_add(count);
        match self.number(Heap::new(kind, entries)) {
            Ok(number) => *self.heads.last_mut().expect("a move has begun") = number,
            Err(error) => self.stop = Some(error),
        }
    }

    fn finish(&mut self) -> ControlFlow<()> {
        self.splits |= self.parts > 1;
        if self.splits || self.stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.stop = self.clock.check().err();
        if self.stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
