//! One alternative on one heap: what happens where an assignment is found.

use std::ops::ControlFlow;

use super::collect::Collector;
use super::{Alt, Moves, Scratch, Sink};
use crate::expr::{EvalError, Int};
use crate::heap::KindId;

/// Values tried between two calls of [`Sink::tick`].
const TICK: u64 = 1 << 16;

/// Why a visit cannot go on.
#[derive(Debug)]
pub(crate) enum Stop {
    /// An expression has no value for the assignment in the frame.
    Leaf(EvalError),
    /// An expression of the heap alone has no value.
    Heap(EvalError),
    /// That variable has no upper end.
    Unbounded(String),
    /// More rows than may be set aside.
    Limit,
    /// A coin's move names the coin.
    TurnedCoin,
}

impl From<EvalError> for Stop {
    fn from(error: EvalError) -> Self {
        Stop::Leaf(error)
    }
}

/// An alternative on a heap, on its way to a sink.
pub(crate) struct Run<'a, S: ?Sized> {
    pub(crate) moves: &'a Moves,
    pub(crate) alt: &'a Alt,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) sink: &'a mut S,
    /// The heap that moves.
    pub(crate) kind: KindId,
    /// Rows are set aside now.
    pub(crate) collecting: bool,
}

impl<S: Sink + ?Sized> AsMut<[Int]> for Run<'_, S> {
    /// The frame.
    fn as_mut(&mut self) -> &mut [Int] {
        &mut self.scratch.frame
    }
}

impl<S: Sink + ?Sized> Run<'_, S> {
    /// Counts values tried.
    #[inline]
    pub(crate) fn count(&mut self, tried: u64) -> ControlFlow<()> {
        let before = self.scratch.candidates;
        self.scratch.candidates = before.wrapping_add(tried);
        if before / TICK == self.scratch.candidates / TICK {
            ControlFlow::Continue(())
        } else {
            self.sink.tick()
        }
    }

    /// Begins to set rows aside, unless that is happening already.
    pub(crate) fn collect(&mut self) -> bool {
        if self.collecting {
            return false;
        }
        self.collecting = true;
        self.scratch.collector.reset(self.alt.variables);
        true
    }

    /// The assignment in the frame: is it a move? `holds`: the condition is known to hold; `natural`: so are the
    /// entries to be naturals.
    #[inline]
    pub(crate) fn leaf(&mut self, holds: bool, natural: bool) -> Result<ControlFlow<()>, Stop> {
        let alt = self.alt;
        if !holds {
            let holds = match (alt.test)(&self.scratch.frame) {
                Some(holds) => holds,
                None => alt.cond.eval(&self.scratch.frame, &self.moves.params)?,
            };
            if !holds {
                return Ok(ControlFlow::Continue(()));
            }
        }
        if !natural && !alt.parts.natural(&mut self.scratch.frame, &self.moves.params)? {
            return Ok(ControlFlow::Continue(()));
        }
        if self.collecting {
            let row = &self.scratch.frame[alt.arity..alt.arity + alt.variables];
            self.scratch.collector.push(row);
            if self.scratch.collector.len() > self.scratch.limit {
                return Err(Stop::Limit);
            }
            return Ok(ControlFlow::Continue(()));
        }
        self.give()
    }

    /// Gives the move of the assignment in the frame.
    #[inline(always)]
    pub(crate) fn give(&mut self) -> Result<ControlFlow<()>, Stop> {
        let Run { moves, alt, scratch, sink, kind, .. } = self;
        let Scratch { frame, entries, options, .. } = &mut **scratch;
        *options += 1;
        sink.start(alt.line, alt.alternative, &frame[alt.arity..alt.arity + alt.variables]);
        if moves.coins {
            let turned: Vec<Int> = frame[..alt.arity].to_vec();
            let mut named = false;
            alt.parts.each(frame, &moves.params, entries, &mut |k, e, count| {
                named |= k == *kind && *e == turned[..];
                sink.heap(k, e, count);
                !named
            })?;
            if named {
                return Err(Stop::TurnedCoin);
            }
        } else if alt.parts.is_flat() {
            // The entries had their values when the move was found natural.
            let given = alt.parts.each_flat(frame, &mut |k, e| sink.heap(k, e, 1));
            if given.is_none() {
                alt.parts.each(frame, &moves.params, entries, &mut |_, _, _| true)?;
            }
        } else {
            alt.parts.each(frame, &moves.params, entries, &mut |k, e, count| {
                sink.heap(k, e, count);
                true
            })?;
        }
        Ok(sink.finish())
    }

    /// Gives the rows set aside, in order.
    pub(crate) fn flush(&mut self) -> Result<ControlFlow<()>, Stop> {
        self.collecting = false;
        let mut collector: Collector = std::mem::take(&mut self.scratch.collector);
        // One branch finds an assignment once.
        collector.order(self.alt.branches.len() > 1);
        let mut result = Ok(ControlFlow::Continue(()));
        let arity = self.alt.arity;
        collector.each(self, arity, |run| {
            result = run.give();
            matches!(result, Ok(ControlFlow::Continue(())))
        });
        collector.reset(0);
        self.scratch.collector = collector;
        result
    }
}
