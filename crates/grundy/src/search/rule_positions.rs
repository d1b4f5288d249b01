//! Whole positions of a rule, solved by retrograde analysis: for play that is no sum of heaps.
//!
//! Where a move ends the game at once, where the players have different moves, under misere play and wherever heaps split
//! and come back, a heap alone says nothing: what counts is everything that lies on the table. Every position that can be
//! reached is a node (the heaps with their counts, and whose turn it is if the players differ), and
//! [`retrograde`] does the rest; play without end is a draw. The number of positions grows as the
//! product of what each heap can become, so this is for a few heaps. Heaps that nobody can ever move are left out.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use grundy_rule::Heap;
use grundy_rule::moves::Scratch;
use grundy_rule::rule::{Ending, Player};

use super::Outcome;
use super::graph::Digraph;
use super::retrograde::{self, Solved};
use super::rule_moves::{RuleMoves, RuleOption};
use crate::error::Error;
use crate::limits::{Clock, Limits};

/// Heaps by their numbers, ascending, with their counts.
type Place = Box<[(u32, u32)]>;

/// The positions that can be reached from one, with their results.
pub struct RulePositions {
    heaps: Heaps,
    numbers: FxHashMap<(Place, Player), u32>,
    solved: Solved,
    partisan: bool,
}

/// A heap's moves: an option, and the numbers of the heaps it leaves.
type Moves = Rc<[(RuleOption, Place)]>;

/// Numbers the positions in the order in which they are met.
#[derive(Default)]
struct Reached {
    numbers: FxHashMap<(Place, Player), u32>,
    queue: Vec<(Place, Player)>,
    bytes: usize,
}

impl Reached {
    fn number(&mut self, key: (Place, Player)) -> Result<u32, Error> {
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        let new = u32::try_from(self.queue.len() + ENDS.len())
            .map_err(|_| Error::new("memory", "the game has more than 2^32 positions"))?;
        // Its heaps twice, on the heap; the key in the list and in the map, both of which may just have doubled.
        self.bytes +=
            2 * (key.0.len() * size_of::<(u32, u32)>() + 16) + 4 * (size_of::<(Place, Player)>() + 4);
        self.queue.push(key.clone());
        self.numbers.insert(key, new);
        Ok(new)
    }
}

struct Heaps {
    moves: RuleMoves,
    numbers: FxHashMap<Heap, u32>,
    list: Vec<Heap>,
    /// Of heaps that were asked for.
    options: Vec<Option<Moves>>,
    scratch: Scratch,
    clock: Clock,
    bytes: usize,
}

/// Nodes for a game that was ended by a move: how it stands for the player who would move next.
const ENDS: [Outcome; 3] = [Outcome::Loss, Outcome::Win, Outcome::Draw];

fn end_node(ending: Ending) -> u32 {
    match ending {
        Ending::Win => 0,
        Ending::Lose => 1,
        Ending::Draw => 2,
    }
}

/// Memory that is used at most when nobody set a limit.
const DEFAULT_MEMORY: u64 = 2 << 30;

impl RulePositions {
    /// Walks through every position that `start` leads to with `first` to move, and solves them all. `misere`: whoever
    /// cannot move wins.
    ///
    /// # Errors
    /// Those of the rule's expressions; `time`, `memory`, `cancelled`, with what is known so far.
    pub fn new(
        moves: RuleMoves,
        start: &[(Heap, u128)],
        first: Player,
        misere: bool,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let limits = Limits { memory: limits.memory.or(Some(DEFAULT_MEMORY)), ..limits.clone() };
        let (clock, partisan) = (limits.clock(), moves.rule().is_partisan());
        let mut heaps = Heaps {
            moves,
            numbers: FxHashMap::default(),
            list: Vec::new(),
            options: Vec::new(),
            scratch: Scratch::default(),
            clock: clock.clone(),
            bytes: 0,
        };
        let mut graph = Digraph::new();
        for _ in ENDS {
            graph.push([])?;
        }
        let mut reached = Reached::default();
        let first = if partisan { first } else { Player::Left };
        let start = heaps.place(start)?;
        reached.number((start, first))?;
        let mut heads = Vec::new();
        while let Some((place, player)) = reached.queue.get(graph.nodes() - ENDS.len()).cloned() {
            if graph.nodes().is_multiple_of(256) {
                let all = reached.bytes + heaps.bytes + 3 * 4 * graph.arcs() + 16 * graph.nodes();
                let checked =
                    clock.check().and_then(|()| clock.memory(u64::try_from(all).unwrap_or(u64::MAX)));
                checked.map_err(|e| {
                    e.so_far(format!("{} positions reached, none decided", reached.queue.len()))
                })?;
            }
            let next = if partisan { player.other() } else { player };
            heads.clear();
            for at in 0..place.len() {
                let options = heaps.options(place[at].0)?;
                for (option, parts) in options.iter().filter(|(option, _)| option.is_for(player)) {
                    heads.push(match option.ending {
                        Some(ending) => end_node(ending),
                        None => reached.number((heaps.after(&place, at, parts)?, next))?,
                    });
                }
            }
            heads.sort_unstable();
            heads.dedup();
            graph.push(heads.iter().copied())?;
        }
        let stuck = misere.then_some(Outcome::Win);
        let end = |node: u32| match ENDS.get(node as usize) {
            Some(outcome) => Some(*outcome),
            None => stuck.filter(|_| graph.after(node).is_empty()),
        };
        let solved = retrograde::solve(&graph, end, &limits)?;
        Ok(RulePositions { heaps, numbers: reached.numbers, solved, partisan })
    }

    /// How many positions were reached.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.numbers.len()
    }

    fn node(&mut self, position: &[(Heap, u128)], player: Player) -> Result<u32, Error> {
        let player = if self.partisan { player } else { Player::Left };
        let place = self.heaps.place(position)?;
        self.numbers
            .get(&(place, player))
            .copied()
            .ok_or_else(|| Error::new("position", "this position was not reached by the walk"))
    }

    /// The result for `player`, who is to move in a position that was reached.
    ///
    /// # Errors
    /// `position` if it was not; those of the rule.
    pub fn outcome(&mut self, position: &[(Heap, u128)], player: Player) -> Result<Outcome, Error> {
        self.node(position, player).map(|node| self.solved.outcome(node))
    }

    /// How many moves the game still takes if the winner hurries and the loser delays; `None` in a draw.
    ///
    /// # Errors
    /// As for [`RulePositions::outcome`].
    pub fn distance(&mut self, position: &[(Heap, u128)], player: Player) -> Result<Option<u32>, Error> {
        self.node(position, player).map(|node| self.solved.distance(node))
    }

    /// The result for the *other* player after `player` has made a move in one of the heaps of a position that was
    /// reached.
    ///
    /// # Errors
    /// As for [`RulePositions::outcome`].
    pub fn after(
        &mut self,
        position: &[(Heap, u128)],
        moved: usize,
        option: &RuleOption,
        player: Player,
    ) -> Result<Outcome, Error> {
        if let Some(ending) = option.ending {
            return Ok(ENDS[end_node(ending) as usize]);
        }
        let mut left = position.to_vec();
        left[moved].1 -= 1;
        left.extend(option.to.heaps().iter().cloned());
        self.outcome(&left, player.other())
    }
}

impl Heaps {
    fn number(&mut self, heap: &Heap) -> Result<u32, Error> {
        if let Some(number) = self.numbers.get(heap) {
            return Ok(*number);
        }
        let number = u32::try_from(self.list.len())
            .map_err(|_| Error::new("memory", "more than 2^32 heaps can be reached"))?;
        self.list.push(heap.clone());
        self.options.push(None);
        self.numbers.insert(heap.clone(), number);
        self.bytes += 2 * (size_of::<Heap>() + 16 * heap.entries.len()) + 24;
        Ok(number)
    }

    fn options(&mut self, heap: u32) -> Result<Moves, Error> {
        let at = heap as usize;
        if let Some(options) = &self.options[at] {
            return Ok(Rc::clone(options));
        }
        let found = self.moves.options(&self.list[at].clone(), &mut self.scratch, &self.clock)?;
        let mut options = Vec::with_capacity(found.len());
        for option in found {
            let mut parts = Vec::with_capacity(option.to.heaps().len());
            for (heap, count) in option.to.heaps() {
                parts.push((self.number(heap)?, narrow(*count)?));
            }
            parts.sort_unstable();
            self.bytes += size_of::<(RuleOption, Place)>() + 80 * parts.len();
            options.push((option, parts.into()));
        }
        let options: Moves = options.into();
        self.options[at] = Some(Rc::clone(&options));
        Ok(options)
    }

    /// The heaps with their counts, without those that cannot move.
    fn place(&mut self, position: &[(Heap, u128)]) -> Result<Place, Error> {
        let mut parts: Vec<(u32, u128)> = Vec::with_capacity(position.len());
        for (heap, count) in position.iter().filter(|(_, count)| *count > 0) {
            parts.push((self.number(heap)?, *count));
        }
        self.settle(parts)
    }

    /// The place after a move in one of its heaps that leaves `parts`.
    fn after(&mut self, place: &Place, moved: usize, parts: &Place) -> Result<Place, Error> {
        let mut left: Vec<(u32, u128)> =
            place.iter().chain(parts.iter()).map(|&(heap, count)| (heap, u128::from(count))).collect();
        left[moved].1 -= 1;
        self.settle(left)
    }

    fn settle(&mut self, mut parts: Vec<(u32, u128)>) -> Result<Place, Error> {
        let coins = self.moves.rule().coins;
        parts.sort_unstable();
        let mut place: Vec<(u32, u128)> = Vec::with_capacity(parts.len());
        for (heap, count) in parts {
            match place.last_mut() {
                Some((last, total)) if *last == heap => *total = total.saturating_add(count),
                _ => place.push((heap, count)),
            }
        }
        let mut settled = Vec::with_capacity(place.len());
        for (heap, count) in place {
            // Two equal coins are none.
            let count = if coins { count % 2 } else { count };
            if count > 0 && !self.options(heap)?.is_empty() {
                settled.push((heap, narrow(count)?));
            }
        }
        Ok(settled.into())
    }
}

fn narrow(count: u128) -> Result<u32, Error> {
    u32::try_from(count)
        .map_err(|_| Error::new("memory", format!("{count} equal heaps are too many to search")))
}
