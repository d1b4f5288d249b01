//! One option of a heap with a given value, where there are too many to be tried or put in order.
//!
//! From a row of 10^9 pins there are 10^9 moves of Kayles, and the first that wins is among the first dozen. The moves of a
//! rule come in the order of the variable first mentioned, but they are not always *found* in that order, and setting a
//! thousand million of them aside to sort them is out of reach. So each line is asked by itself, in order:
//!
//! * if it leaves one heap and a law is known, the law names the heaps of that value;
//! * otherwise the rule is asked for the moves whose first variable is 0, then 1, then 2, .. ([`widened`]): few at a time, and
//!   in rule order.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use grundy_rule::expr::{AtomKind, Expr, Int, RelOp};
use grundy_rule::heap::KindId;
use grundy_rule::moves::Moves;
use grundy_rule::{Heap, Sum};

use super::Values;
use super::options::{MOVES, Walked, one};
use super::target::{self, Targets};
use super::widened;
use crate::error::Error;
use crate::nimber::Nimber;
use crate::table::normal_play;

/// Values of the first variable that are tried for each alternative.
const PINS: Int = 1 << 18;

/// Heaps of a value that a law names, of which the rule may reach one.
const NAMED: usize = 1 << 10;

impl Values {
    /// An option of `heap` with that nimber: the first in rule order, unless its line has so many moves that those of
    /// another line are looked at before all of them.
    ///
    /// # Errors
    /// As [`Values::options_with`].
    pub fn first_option_with(&mut self, heap: &Heap, value: Nimber) -> Result<Option<Sum>, Error> {
        normal_play(&self.rule)?;
        let mut first = None;
        let mut take = |option: &Sum| {
            first = Some(option.clone());
            ControlFlow::Break(())
        };
        if self.by_closed_form(heap, value, &mut take)? {
            return Ok(first);
        }
        let moves = Arc::clone(&self.moves);
        let mut seen = FxHashSet::default();
        let budget = Some(self.inverse.moves);
        let tried = self.walk(&moves, (heap.kind, &heap.entries), value, budget, &mut seen, &mut take);
        match tried {
            Ok(Walked::Done) => return Ok(first),
            Ok(Walked::Budget) => {}
            Err(error) if error.id() == "limit" => {}
            Err(error) => return Err(error),
        }
        if let Some(option) = self.by_lines(heap, value)? {
            return Ok(Some(option));
        }
        self.options_with(heap, value, &mut take)?;
        Ok(first)
    }

    /// The first option of that value that a law or a small first variable shows.
    fn by_lines(&mut self, heap: &Heap, value: Nimber) -> Result<Option<Sum>, Error> {
        let alternatives: Vec<(usize, usize)> = (0..self.rule.lines.len())
            .filter(|&line| self.rule.lines[line].kind == heap.kind)
            .flat_map(|line| (0..self.rule.lines[line].alternatives.len()).map(move |at| (line, at)))
            .collect();
        for place in alternatives {
            let found = match self.named(heap, value, place)? {
                Some(found) => found,
                None => self.pinned(heap, value, place)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// By the law, where the alternative leaves one heap. `None`: it does not speak.
    fn named(
        &mut self,
        heap: &Heap,
        value: Nimber,
        (line, at): (usize, usize),
    ) -> Result<Option<Option<Sum>>, Error> {
        let alternative = &self.rule.lines[line].alternatives[at];
        let cited = self.cited.as_ref().filter(|cited| cited.inverts(value));
        let (Some(n), Some(cited)) = (self.single_entry(heap), cited) else { return Ok(None) };
        let (true, Some(below)) = (target::leaves_one(alternative, heap.kind), n.checked_sub(1)) else {
            return Ok(None);
        };
        let chosen = |other: usize, alternative: usize| (other, alternative) == (line, at);
        let Some(targets) = Targets::among(&self.rule, heap.kind, chosen).transpose()? else {
            return Ok(None);
        };
        let (mut best, mut from) = (None, 0);
        for _ in 0..NAMED {
            let Some(y) = cited.next_with(value, from, below)? else {
                self.used.cited = true;
                return Ok(Some(best.map(|(_, y)| one(heap.kind, y))));
            };
            from = y + 1;
            let Ok(to) = Int::try_from(y) else { break };
            for made in targets.moves(heap.entries.first().copied().unwrap_or(0), to)?.into_iter().take(1) {
                if best.as_ref().is_none_or(|(least, _)| made.assignment < *least) {
                    best = Some((made.assignment, y));
                }
            }
        }
        // More heaps of that value than may be looked at: one that the rule reaches will do.
        self.used.cited |= best.is_some();
        Ok(best.map(|(_, y)| Some(one(heap.kind, y))))
    }

    /// By the moves whose first variable is small.
    fn pinned(
        &mut self,
        heap: &Heap,
        value: Nimber,
        (line, at): (usize, usize),
    ) -> Result<Option<Sum>, Error> {
        let kind: KindId = heap.kind;
        let arity = heap.entries.len();
        let free = self.rule.lines[line].alternatives[at].variables.is_empty();
        let wanted = |other: usize, alternative: usize| (other, alternative) == (line, at);
        let asked = widened::widened(&self.rule, kind, wanted, |_, pin| {
            // Without a variable there is one move at most, and every pin finds it.
            let first = if free { pin } else { arity + 1 };
            Some(AtomKind::Rel(Expr::Slot(first), RelOp::Eq, Expr::Slot(pin)))
        });
        let Some((wider, asked)) = asked else { return Ok(None) };
        let moves = Arc::new(Moves::new(&wider)?);
        let mut entries = heap.entries.to_vec();
        entries.push(0);
        let mut first = None;
        let mut seen = FxHashSet::default();
        let most = if free { 0 } else { heap.entries.iter().copied().max().unwrap_or(0).min(PINS) };
        for pin in 0..=most {
            if pin % 256 == 0 {
                self.clock.check()?;
            }
            entries[arity] = pin;
            let mut take = |option: &Sum| {
                first = Some(option.clone());
                ControlFlow::Break(())
            };
            match self.walk(&moves, (asked, &entries), value, Some(MOVES), &mut seen, &mut take) {
                Ok(_) => {}
                // Too many for one value of the variable, too.
                Err(error) if error.id() == "limit" => break,
                Err(error) => return Err(error),
            }
            if first.is_some() {
                break;
            }
        }
        Ok(first)
    }
}
