//! Nimbers of an impartial game by search: each part once, sums by nim-sum.
//!
//! A position is split into its parts, each part is looked up under its canonical form, and the nimber of a part
//! is the mex of its options' nim-sums (Sprague 1935, Grundy 1939). What makes it fast is not the search but
//! that play falls apart: a board with two empty corners costs the sum of the corners, not their product.
//!
//! The search is a loop over an explicit stack, depth first; a part that comes again on the line being searched is
//! error `loop`. Equal parts of an option cancel before they are searched.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::Outcome;
use super::game::Impartial;
use super::memo::came_again;
use super::parts;
use crate::error::Error;
use crate::limits::{Clock, Limits};
use crate::nimber::Mex;

/// The clock is asked once in so many steps.
const STEPS: u64 = 256;

/// Stands in the table for a part on the line being searched.
const OPEN: u32 = u32::MAX;

/// The nimbers of a game's positions. One solver may be asked many questions; it remembers.
pub struct Nimbers<'g, G: Impartial> {
    game: &'g G,
    table: FxHashMap<G::Position, u32>,
    clock: Clock,
    /// Bytes behind the positions of the table.
    behind: usize,
    steps: u64,
}

/// A part on the line being searched.
struct Frame<G: Impartial> {
    part: G::Position,
    moves: Vec<G::Move>,
    /// The next move to look at.
    next: usize,
    /// What the move before that left: parts whose nimbers are still wanted, and the nim-sum of the others.
    wanted: Vec<G::Position>,
    sum: u32,
    seen: Mex,
}

impl<'g, G: Impartial> Nimbers<'g, G> {
    /// A solver that knows nothing yet. The time starts now.
    #[must_use]
    pub fn new(game: &'g G, limits: &Limits) -> Self {
        Nimbers { game, table: FxHashMap::default(), clock: limits.clock(), behind: 0, steps: 0 }
    }

    /// How many parts the table holds.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.table.len()
    }

    /// The nimber of a position.
    ///
    /// # Errors
    /// `loop` if a position can come again; `time`, `memory` or `cancelled`.
    pub fn nimber(&mut self, position: &G::Position) -> Result<u32, Error> {
        let mut sum = 0;
        for part in parts::odd(self.game, position.clone()) {
            sum ^= self.part(part)?;
        }
        Ok(sum)
    }

    /// Who wins: the player to move, unless the nimber is 0.
    ///
    /// # Errors
    /// As [`Nimbers::nimber`].
    pub fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Error> {
        Ok(if self.nimber(position)? == 0 { Outcome::Loss } else { Outcome::Win })
    }

    /// The moves that make the nimber 0, in the game's order.
    ///
    /// # Errors
    /// As [`Nimbers::nimber`].
    pub fn winning(&mut self, position: &G::Position) -> Result<Vec<G::Move>, Error> {
        let game = self.game;
        parts::winning(game, position, |position| Ok(self.nimber(position)? == 0))
    }

    /// A line of best play: a winning move where there is one, else the first move.
    ///
    /// # Errors
    /// As [`Nimbers::nimber`].
    pub fn line(&mut self, position: &G::Position) -> Result<Vec<G::Move>, Error> {
        let game = self.game;
        parts::line(game, position, |position| Ok(self.nimber(position)? == 0))
    }

    /// The nimber of one canonical part.
    fn part(&mut self, part: G::Position) -> Result<u32, Error> {
        let mut stack: Vec<Frame<G>> = Vec::new();
        let result = self.walk(part, &mut stack);
        if result.is_err() {
            for frame in &stack {
                self.table.remove(&frame.part);
            }
        }
        result
    }

    fn walk(&mut self, root: G::Position, stack: &mut Vec<Frame<G>>) -> Result<u32, Error> {
        if let Some(known) = self.enter(root, stack)? {
            return Ok(known);
        }
        loop {
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS) {
                self.check(stack)?;
            }
            let frame = stack.last_mut().expect("the loop ends with the frame of the root");
            if let Some(part) = frame.wanted.pop() {
                if let Some(nimber) = self.enter(part, stack)? {
                    stack.last_mut().expect("nothing was entered").sum ^= nimber;
                }
                continue;
            }
            if frame.next > 0 {
                frame.seen.insert(frame.sum);
            }
            if let Some(chosen) = frame.moves.get(frame.next) {
                let after = self.game.after(&frame.part, chosen);
                frame.next += 1;
                frame.sum = 0;
                frame.wanted = parts::odd(self.game, after);
                continue;
            }
            let done = stack.pop().expect("the frame just looked at");
            let nimber =
                u32::try_from(done.seen.mex()).expect("at most the number of moves, which lie in memory");
            self.table.insert(done.part, nimber);
            match stack.last_mut() {
                None => return Ok(nimber),
                Some(above) => above.sum ^= nimber,
            }
        }
    }

    /// The nimber of a part if it is known, else a new frame on the stack.
    fn enter(&mut self, part: G::Position, stack: &mut Vec<Frame<G>>) -> Result<Option<u32>, Error> {
        match self.table.entry(part) {
            Entry::Occupied(known) => match *known.get() {
                OPEN => Err(came_again()),
                nimber => Ok(Some(nimber)),
            },
            Entry::Vacant(new) => {
                if let Some(nimber) = self.game.known(new.key()) {
                    return Ok(Some(nimber));
                }
                let part = new.key().clone();
                self.behind += self.game.heap_bytes(&part);
                new.insert(OPEN);
                let moves = self.game.moves(&part);
                stack.push(Frame { part, moves, next: 0, wanted: Vec::new(), sum: 0, seen: Mex::new() });
                Ok(None)
            }
        }
    }

    fn check(&self, stack: &[Frame<G>]) -> Result<(), Error> {
        let frames = stack.iter().map(|frame| frame.moves.capacity() * size_of::<G::Move>()).sum::<usize>();
        let table = super::table_bytes::<(G::Position, u32)>(self.table.capacity());
        let bytes = table + self.behind + frames + std::mem::size_of_val(stack);
        let enough =
            self.clock.check().and_then(|()| self.clock.memory(u64::try_from(bytes).unwrap_or(u64::MAX)));
        enough.map_err(|e| {
            // Open parts are those of the stack.
            let solved = self.table.len() - stack.len();
            let moves = stack.first().map_or(0, |frame| frame.moves.len());
            let done = stack.first().map_or(0, |frame| frame.next.saturating_sub(1));
            e.so_far(format!(
                "not solved within {solved} parts whose nimbers were found; {done} of {moves} moves of the part in hand"
            ))
        })
    }
}

#[cfg(test)]
mod tests;
