//! Nimbers of an impartial game by questions: "is the nimber of this part k?" instead of "which is it?".
//!
//! To find that a position is won, one option of nimber 0 is enough; [`Nimbers`](super::nimbers::Nimbers) would find the
//! nimbers of all options, and of all theirs. So an option that falls into parts is asked in this way: the nimbers of all
//! parts but the largest are found, and the largest is asked whether its nimber is the one that makes the sum what is looked
//! for. Whether a part has nimber k is two questions about its options: has none of them nimber k, and has for each j < k
//! one of them nimber j? The first option that says otherwise ends it. (Lemoine and Viennot, "Nimbers are inevitable", Theoret.
//! Comput. Sci. 462, 2012, who look at sums with a Nim heap instead.)
//!
//! A table keeps for each part which nimbers some option *has* and which all options *lack*: the nimber is the first one
//! that no option has, once it is known to be lacking. Both are sets of numbers below 64, one machine word each; a part with a
//! greater nimber is error `probe`, and whoever asked turns to the plain search. It pays where most of a position need never be
//! looked at (boards and graphs), and costs where all of it is looked at anyway (Chomp).

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::game::Impartial;
use super::memo::came_again;
use super::parts;
use crate::error::Error;
use crate::limits::{Clock, Limits};

/// The clock is asked once in so many steps.
const STEPS: u64 = 256;

/// The id of the error for nimbers that do not fit the table.
pub(super) const WIDE: &str = "probe";

/// What is known of a part's options.
#[derive(Clone, Copy, Default)]
struct Facts {
    /// The nimbers that some option has.
    has: u64,
    /// The nimbers that no option has.
    lacks: u64,
    /// On the line being searched.
    open: bool,
}

/// What is asked about a part.
#[derive(Clone, Copy)]
enum Goal {
    /// Its nimber.
    Nimber,
    /// Whether it is this.
    Is(u32),
}

/// What is known of a part after it was asked about.
enum Found {
    Nimber(u32),
    /// Not the one that was asked for.
    Other,
}

impl Facts {
    fn nimber(self) -> Option<u32> {
        let first = self.has.trailing_ones();
        (first < 64 && self.lacks >> first & 1 == 1).then_some(first)
    }

    fn found(self, goal: Goal) -> Option<Found> {
        match (self.nimber(), goal) {
            (Some(nimber), _) => Some(Found::Nimber(nimber)),
            (None, Goal::Is(k)) if self.has >> k & 1 == 1 => Some(Found::Other),
            (None, _) => None,
        }
    }

    /// The nimber to look for next among the options.
    fn wanted(self, goal: Goal) -> Result<u32, Error> {
        match goal {
            Goal::Is(k) if self.lacks >> k & 1 == 0 => Ok(k),
            _ => narrow(self.has.trailing_ones()),
        }
    }
}

fn narrow(nimber: u32) -> Result<u32, Error> {
    if nimber < 64 { Ok(nimber) } else { Err(Error::new(WIDE, "a part has a nimber above 63")) }
}

/// A solver of a game; it remembers what it found.
pub(super) struct Probe<'g, G: Impartial> {
    game: &'g G,
    table: FxHashMap<G::Position, Facts>,
    clock: Clock,
    /// Bytes behind the positions of the table.
    behind: usize,
    steps: u64,
}

/// A part on the line being searched.
struct Frame<G: Impartial> {
    part: G::Position,
    goal: Goal,
    moves: Vec<G::Move>,
    /// The nimber that is looked for among the options, from the first on.
    want: Option<u32>,
    next: usize,
    /// The option in hand: its parts that are still to be asked, the largest first, and the nim-sum of the others.
    option: Option<(Vec<G::Position>, u32)>,
}

impl<'g, G: Impartial> Probe<'g, G> {
    pub(super) fn new(game: &'g G, limits: &Limits) -> Self {
        Probe { game, table: FxHashMap::default(), clock: limits.clock(), behind: 0, steps: 0 }
    }

    /// How many parts the table holds.
    pub(super) fn parts(&self) -> usize {
        self.table.len()
    }

    /// The nimber of a position.
    ///
    /// # Errors
    /// `loop` if a position can come again; `probe` for a nimber above 63; `time`, `memory` or `cancelled`.
    pub(super) fn nimber(&mut self, position: &G::Position) -> Result<u32, Error> {
        let mut sum = 0;
        for part in self.split(position.clone()) {
            match self.ask(part, Goal::Nimber)? {
                Found::Nimber(nimber) => sum ^= nimber,
                Found::Other => unreachable!("no nimber was asked for"),
            }
        }
        Ok(sum)
    }

    /// Whether the player to move loses.
    ///
    /// # Errors
    /// As [`Probe::nimber`].
    pub(super) fn is_lost(&mut self, position: &G::Position) -> Result<bool, Error> {
        let mut parts = self.split(position.clone());
        let mut sum = 0;
        while let Some(part) = parts.pop() {
            let goal = if parts.is_empty() { Goal::Is(sum) } else { Goal::Nimber };
            match self.ask(part, goal)? {
                Found::Nimber(nimber) => sum ^= nimber,
                Found::Other => return Ok(false),
            }
        }
        Ok(sum == 0)
    }

    /// The moves to lost positions, in the game's order.
    ///
    /// # Errors
    /// As [`Probe::nimber`].
    pub(super) fn winning(&mut self, position: &G::Position) -> Result<Vec<G::Move>, Error> {
        let game = self.game;
        parts::winning(game, position, |position| self.is_lost(position))
    }

    /// A line of best play: a winning move where there is one, else the first move.
    ///
    /// # Errors
    /// As [`Probe::nimber`].
    pub(super) fn line(&mut self, position: &G::Position) -> Result<Vec<G::Move>, Error> {
        let game = self.game;
        parts::line(game, position, |position| self.is_lost(position))
    }

    /// Canonical parts, equal ones cancelled in pairs, the largest first.
    fn split(&self, position: G::Position) -> Vec<G::Position> {
        let mut odd = parts::odd(self.game, position);
        if odd.len() > 1 {
            odd.sort_by_cached_key(|part| std::cmp::Reverse(self.game.heap_bytes(part)));
        }
        odd
    }

    fn ask(&mut self, part: G::Position, goal: Goal) -> Result<Found, Error> {
        let mut stack: Vec<Frame<G>> = Vec::new();
        let result = self.walk(part, goal, &mut stack);
        for frame in &stack {
            self.facts(&frame.part).open = false;
        }
        result
    }

    fn facts(&mut self, part: &G::Position) -> &mut Facts {
        self.table.get_mut(part).expect("a part on the line is in the table")
    }

    fn walk(&mut self, root: G::Position, goal: Goal, stack: &mut Vec<Frame<G>>) -> Result<Found, Error> {
        if let Some(found) = self.enter(root, goal, stack)? {
            return Ok(found);
        }
        loop {
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS) {
                self.check(stack)?;
            }
            let frame = stack.last_mut().expect("the loop ends with the frame of the root");
            let facts = self.table.get_mut(&frame.part).expect("a part on the line is in the table");
            if let Some(found) = facts.found(frame.goal) {
                facts.open = false;
                stack.pop();
                match stack.last_mut() {
                    None => return Ok(found),
                    Some(above) => above.told(&found),
                }
                continue;
            }
            let Some((parts, sum)) = &mut frame.option else {
                let want = match frame.want.filter(|want| facts.has >> want & 1 == 0) {
                    Some(want) => want,
                    None => {
                        frame.next = 0;
                        *frame.want.insert(facts.wanted(frame.goal)?)
                    }
                };
                match frame.moves.get(frame.next) {
                    Some(chosen) => {
                        let after = self.game.after(&frame.part, chosen);
                        frame.option = Some((self.split(after), 0));
                    }
                    None => {
                        facts.lacks |= 1 << want;
                        frame.want = None;
                    }
                }
                continue;
            };
            match parts.pop() {
                Some(part) => {
                    let last = parts.is_empty();
                    let goal = match frame.want {
                        Some(want) if last => Goal::Is(want ^ *sum),
                        _ => Goal::Nimber,
                    };
                    if let Some(found) = self.enter(part, goal, stack)? {
                        stack.last_mut().expect("nothing was entered").told(&found);
                    }
                }
                None => {
                    facts.has |= 1 << *sum;
                    frame.option = None;
                    frame.next += 1;
                }
            }
        }
    }

    /// What is known of a part if that is enough, else a new frame on the stack.
    fn enter(
        &mut self,
        part: G::Position,
        goal: Goal,
        stack: &mut Vec<Frame<G>>,
    ) -> Result<Option<Found>, Error> {
        match self.table.entry(part) {
            Entry::Occupied(mut known) => {
                if let Some(found) = known.get().found(goal) {
                    return Ok(Some(found));
                }
                if std::mem::replace(&mut known.get_mut().open, true) {
                    return Err(came_again());
                }
                let part = known.key().clone();
                let moves = self.game.moves(&part);
                stack.push(Frame { part, goal, moves, want: None, next: 0, option: None });
            }
            Entry::Vacant(new) => {
                if let Some(nimber) = self.game.known(new.key()) {
                    return Ok(Some(Found::Nimber(narrow(nimber)?)));
                }
                let part = new.key().clone();
                self.behind += self.game.heap_bytes(&part);
                new.insert(Facts { open: true, ..Facts::default() });
                let moves = self.game.moves(&part);
                stack.push(Frame { part, goal, moves, want: None, next: 0, option: None });
            }
        }
        Ok(None)
    }

    fn check(&self, stack: &[Frame<G>]) -> Result<(), Error> {
        let frames = stack.iter().map(|frame| frame.moves.capacity() * size_of::<G::Move>()).sum::<usize>();
        let table = super::table_bytes::<(G::Position, Facts)>(self.table.capacity());
        let bytes = table + self.behind + frames + std::mem::size_of_val(stack);
        let enough =
            self.clock.check().and_then(|()| self.clock.memory(u64::try_from(bytes).unwrap_or(u64::MAX)));
        enough.map_err(|e| {
            let solved = self.table.values().filter(|facts| facts.nimber().is_some()).count();
            e.so_far(format!(
                "not solved within {} parts, {solved} of them with their nimbers",
                self.table.len()
            ))
        })
    }
}

impl<G: Impartial> Frame<G> {
    /// What was found about a part of the option in hand.
    fn told(&mut self, found: &Found) {
        match (found, &mut self.option) {
            (Found::Nimber(nimber), Some((_, sum))) => *sum ^= nimber,
            // The option has another nimber than the one that is looked for.
            _ => {
                self.option = None;
                self.next += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
