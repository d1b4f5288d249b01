//! Random games for the tests of the solvers, and their meaning read straight from the definition.

use super::game::{DRAW, Game, Impartial, LOSS, Score, WIN};

/// A small generator with a fixed seed (xorshift64*), so that every run tests the same games.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number from 0 to `end - 1`.
    pub(super) fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = u32::try_from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32).unwrap();
        high % end
    }
}

/// Two positions that lead to one another.
pub(super) struct Round;

impl Game for Round {
    type Position = bool;
    type Move = ();

    fn moves(&self, _: &bool) -> Vec<()> {
        vec![()]
    }

    fn after(&self, at: &bool, (): &()) -> bool {
        !at
    }
}

impl Impartial for Round {}

/// Nim with one heap.
pub(super) struct Heap;

impl Game for Heap {
    type Position = u32;
    type Move = u32;

    fn moves(&self, left: &u32) -> Vec<u32> {
        (0..*left).rev().collect()
    }

    fn after(&self, _: &u32, left: &u32) -> u32 {
        *left
    }
}

impl Impartial for Heap {}

/// A move of a [`Listed`] game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    pub(super) to: u32,
    pub(super) gain: Score,
    pub(super) again: bool,
}

/// A game written out: its positions are numbers.
pub(super) struct Listed {
    pub(super) arcs: Vec<Vec<Arc>>,
    pub(super) ends: Vec<Option<Score>>,
    pub(super) stuck: Score,
    pub(super) scored: bool,
}

impl Listed {
    /// Arcs lead to lower numbers only: play ends.
    pub(super) fn ending(random: &mut Random, nodes: u32, scored: bool) -> Listed {
        let mut game = Listed { arcs: Vec::new(), ends: Vec::new(), stuck: LOSS, scored };
        game.stuck = if random.below(3) == 0 { WIN } else { LOSS };
        for node in 0..nodes {
            let count = if node == 0 { 0 } else { random.below(5) };
            let arcs = (0..count).map(|_| Arc {
                to: node - 1 - random.below(node.min(8)),
                gain: if scored { Score::from(random.below(7)) - 3 } else { 0 },
                again: random.below(4) == 0,
            });
            game.arcs.push(arcs.collect());
            let end =
                if scored { Score::from(random.below(9)) - 4 } else { Score::from(random.below(3)) - 1 };
            game.ends.push((random.below(8) == 0).then_some(end));
        }
        game
    }

    /// Arcs lead anywhere: play may go on for ever. Few arcs, so that all results occur.
    pub(super) fn looping(random: &mut Random, nodes: u32) -> Listed {
        let mut game = Listed { arcs: Vec::new(), ends: Vec::new(), stuck: LOSS, scored: false };
        for _ in 0..nodes {
            let count = [0, 1, 1, 2, 2, 3][random.below(6) as usize];
            let arcs = (0..count).map(|_| Arc { to: random.below(nodes), gain: 0, again: false });
            game.arcs.push(arcs.collect());
            let end = [WIN, DRAW, LOSS][random.below(3) as usize];
            game.ends.push((random.below(12) == 0).then_some(end));
        }
        game
    }

    /// The scores of all positions of a game that ends, by the definition.
    pub(super) fn scores(&self) -> Vec<Score> {
        let mut scores: Vec<Score> = Vec::new();
        for (arcs, end) in self.arcs.iter().zip(&self.ends) {
            let worth = |arc: &Arc| {
                let after = scores[arc.to as usize];
                arc.gain + if arc.again { after } else { -after }
            };
            scores.push(end.unwrap_or_else(|| arcs.iter().map(worth).max().unwrap_or(self.stuck)));
        }
        scores
    }
}

impl Game for Listed {
    type Position = u32;
    type Move = Arc;

    fn moves(&self, node: &u32) -> Vec<Arc> {
        self.arcs[*node as usize].clone()
    }

    fn after(&self, _: &u32, arc: &Arc) -> u32 {
        arc.to
    }

    fn end(&self, node: &u32) -> Option<Score> {
        self.ends[*node as usize]
    }

    fn stuck(&self, _: &u32) -> Score {
        self.stuck
    }

    fn scored(&self) -> bool {
        self.scored
    }

    fn gain(&self, _: &u32, arc: &Arc) -> Score {
        arc.gain
    }

    fn again(&self, _: &u32, arc: &Arc) -> bool {
        arc.again
    }
}

/// Heaps with listed options, each a sum of heaps: an impartial game that falls apart.
pub(super) struct Heaps {
    pub(super) options: Vec<Vec<Vec<u32>>>,
}

impl Heaps {
    pub(super) fn new(random: &mut Random, heaps: u32) -> Heaps {
        let option = |random: &mut Random, heap: u32| {
            (0..random.below(4)).map(|_| random.below(heap)).collect::<Vec<u32>>()
        };
        let options = |heap| {
            let count = if heap == 0 { 0 } else { random.below(6) };
            (0..count).map(|_| option(random, heap)).collect()
        };
        Heaps { options: (0..heaps).map(options).collect() }
    }

    /// The nimbers of all heaps, by the definition.
    pub(super) fn nimbers(&self) -> Vec<u32> {
        let mut nimbers: Vec<u32> = Vec::new();
        for options in &self.options {
            let values: Vec<u32> = options
                .iter()
                .map(|option| option.iter().fold(0, |sum, &heap| sum ^ nimbers[heap as usize]))
                .collect();
            nimbers.push((0..).find(|value| !values.contains(value)).unwrap());
        }
        nimbers
    }
}

impl Game for Heaps {
    type Position = Vec<u32>;
    type Move = (usize, usize);

    fn moves(&self, heaps: &Vec<u32>) -> Vec<(usize, usize)> {
        let of = |(place, &heap): (usize, &u32)| {
            (0..self.options[heap as usize].len()).map(move |option| (place, option))
        };
        heaps.iter().enumerate().flat_map(of).collect()
    }

    fn after(&self, heaps: &Vec<u32>, &(place, option): &(usize, usize)) -> Vec<u32> {
        let mut left = heaps.clone();
        let heap = left.swap_remove(place);
        left.extend(&self.options[heap as usize][option]);
        left
    }

    fn canonical(&self, mut heaps: Vec<u32>) -> Vec<u32> {
        heaps.sort_unstable();
        heaps
    }

    fn heap_bytes(&self, heaps: &Vec<u32>) -> usize {
        4 * heaps.capacity()
    }
}

impl Impartial for Heaps {
    fn parts(&self, heaps: Vec<u32>) -> Vec<Vec<u32>> {
        heaps.into_iter().map(|heap| vec![heap]).collect()
    }
}
