//! Misere play: who makes the last move loses. Exact, by theorem or by search, never by the nim-sum.
//!
//! Nimbers do not add under misere play, and a program that applies them anyway is wrong in a way that nobody
//! notices. [`Misere`] answers in one of two ways:
//!
//! 1. **Tame heaps** ([`tame`]): if every heap that can be reached behaves like a heap of Nim under both
//!    conventions, a theorem gives the outcome of any sum from two numbers a heap. Nim (Bouton 1901) is the
//!    first case; many subtraction games and `n -> a, b where a + b < n` are others. Whether heaps are tame is
//!    computed from the rule, not assumed.
//! 2. **Search**: else the sums themselves are searched, memoised in a canonical form and with an explicit
//!    stack. Heaps with equal options are one heap, ended heaps are left out, two heaps that allow exactly one
//!    move each cancel (the star plus the star is the empty game under misere play too; Conway, On Numbers and
//!    Games, ch. 12), and a sum that is down to tame heaps is a leaf.
//!
//! Under `coins` the heaps of a position are not independent (a move may turn over a coin that lies there), so
//! only search answers, over sets of coins.
//!
//! Considered: the misere quotient of Plambeck and Siegel, which settles all sums at once, but is infinite or
//! unknown for many rules and says nothing about one position before it is complete; and Conway's full
//! canonical form, which prunes reversible options and costs more than it saves at the sizes that search
//! reaches.

mod arena;
mod heaps;
mod rules;
pub mod tame;

use rustc_hash::FxHashMap;

use grundy_rule::{Heap, Sum};

use crate::error::Error;
use crate::limits::{Clock, Limits};
use arena::{Arena, Place};
use heaps::Heaps;

/// Where the options come from: a compiled rule, or a closure in tests.
pub trait Play {
    /// The distinct options of a heap. Under `coins` sets.
    ///
    /// # Errors
    /// Those of the rule's expressions, and limits.
    fn options(&self, heap: &Heap, clock: &Clock) -> Result<Vec<Sum>, Error>;

    /// The heap as it is typed.
    fn show(&self, heap: &Heap) -> String;
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All heaps that can be reached are tame: two numbers a heap decide.
    Tame {
        /// How many heaps can be reached.
        heaps: usize,
    },
    /// By searching sums.
    Search {
        /// How many sums were searched so far.
        positions: usize,
    },
}

/// Answers about misere sums of one rule; keeps what it has found for the next question.
#[derive(Debug)]
pub struct Misere<P> {
    play: P,
    clock: Clock,
    heaps: Heaps,
    arena: Arena,
    /// Sums searched: whether the player to move loses.
    known: FxHashMap<Place, bool>,
    bytes: u64,
    searched: bool,
}

/// A sum whose options are being tried.
struct Frame {
    place: Place,
    component: usize,
    option: usize,
}

/// Memory that is used at most when nobody set a limit.
const DEFAULT_MEMORY: u64 = 2 << 30;

impl<P: Play> Misere<P> {
    /// Prepares for questions about the rule behind `play`; the clock starts now.
    #[must_use]
    pub fn new(play: P, coins: bool, limits: &Limits) -> Self {
        let limits = Limits { memory: limits.memory.or(Some(DEFAULT_MEMORY)), ..limits.clone() };
        Misere {
            play,
            clock: limits.clock(),
            heaps: Heaps::default(),
            arena: Arena::new(coins),
            known: FxHashMap::default(),
            bytes: 0,
            searched: false,
        }
    }

    /// Whether the player to move loses the sum of these heaps with these counts (under `coins`: the set of
    /// those with odd counts).
    ///
    /// # Errors
    /// `time`, `memory`, `cancelled`, each saying how far the search got; `loop`; those of the rule.
    pub fn loses(&mut self, position: &[(Heap, u128)]) -> Result<bool, Error> {
        let answer = self.answer(position);
        answer.map_err(|error| {
            let (heaps, sums) = (self.heaps.len(), self.known.len());
            if error.is_limit() {
                error.so_far(format!(
                    "{heaps} heaps explored and {sums} positions decided; under misere play the nim-sum does not \
                     answer instead"
                ))
            } else {
                error
            }
        })
    }

    fn answer(&mut self, position: &[(Heap, u128)]) -> Result<bool, Error> {
        self.heaps.explore(
            &self.play,
            position.iter().filter(|(_, n)| *n > 0).map(|(h, _)| h),
            &self.clock,
        )?;
        if !self.arena.coins && self.arena.theorem {
            let sum = position.iter().map(|(heap, count)| (self.heaps.genus(heap), *count));
            if let Some(genus) = tame::Genus::of_sum(sum).tame() {
                return Ok(genus.loses_misere());
            }
        }
        self.searched = true;
        self.bytes += self.arena.build(&self.play, &self.heaps, &self.clock, self.bytes)?;
        let start = self.arena.place(&self.heaps, position)?;
        self.search(start)
    }

    /// How the questions so far were answered.
    #[must_use]
    pub fn method(&self) -> Method {
        if self.searched {
            Method::Search { positions: self.known.len() }
        } else {
            Method::Tame { heaps: self.heaps.len() }
        }
    }

    /// The nimber of a heap under normal play, once a question has touched it.
    #[must_use]
    pub fn normal_nimber(&self, heap: &Heap) -> Option<u32> {
        self.heaps.known(heap).map(|genus| genus.plus)
    }

    /// What is known about a sum without searching it.
    fn decided(&self, place: &Place) -> Option<bool> {
        // Nothing can move: the other player made the last move and has lost.
        if place.is_empty() {
            return Some(false);
        }
        self.arena.tame(place).map(tame::TameGenus::loses_misere).or_else(|| self.known.get(place).copied())
    }

    fn search(&mut self, start: Place) -> Result<bool, Error> {
        if let Some(loses) = self.decided(&start) {
            return Ok(loses);
        }
        let mut stack = vec![Frame { place: start.clone(), component: 0, option: 0 }];
        let mut steps = 0u32;
        while let Some(top) = stack.last_mut() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(4096) {
                self.clock.check()?;
                self.clock.memory(self.bytes)?;
            }
            let loses = match self.arena.child(&top.place, top.component, top.option)? {
                arena::Child::Sum(child) => {
                    top.option += 1;
                    match self.decided(&child) {
                        Some(true) => false,
                        Some(false) => continue,
                        None => {
                            // It will be looked at again when it is known: go back by one.
                            top.option -= 1;
                            stack.push(Frame { place: child, component: 0, option: 0 });
                            continue;
                        }
                    }
                }
                arena::Child::NoMoreOptions => {
                    top.component += 1;
                    top.option = 0;
                    continue;
                }
                // Every option wins for the other player.
                arena::Child::NoMoreComponents => true,
            };
            let Some(frame) = stack.pop() else { break };
            self.bytes += arena::bytes(&frame.place);
            self.known.insert(frame.place, loses);
        }
        Ok(self.known.get(&start).copied().expect("the first frame was popped with its answer"))
    }
}

#[cfg(test)]
mod tests;
