//! Rows of heaps that a move touches together, or whose order binds them.

use grundy::search::Outcome;
use grundy::search::game::{Game, Score, WIN};

use super::{Numbers, cases};
use crate::{outcome, wins};

/// POJ 1704: chips on a strip slide to the left and never jump.
struct Strip;

impl Game for Strip {
    type Position = Vec<usize>; // ascending
    type Move = (usize, usize); // which chip, where to

    fn moves(&self, chips: &Vec<usize>) -> Vec<(usize, usize)> {
        let free = |at: usize| if at == 0 { 1 } else { chips[at - 1] + 1 };
        (0..chips.len()).flat_map(|at| (free(at)..chips[at]).map(move |to| (at, to))).collect()
    }

    fn after(&self, chips: &Vec<usize>, &(at, to): &(usize, usize)) -> Vec<usize> {
        let mut chips = chips.clone();
        chips[at] = to;
        chips
    }
}

pub(crate) fn georgia(input: &str) -> String {
    cases(input, |_, numbers| {
        let count = numbers.next();
        let mut chips = numbers.list(count);
        chips.sort_unstable();
        format!("{} will win", if wins(&Strip, &chips) { "Georgia" } else { "Bob" })
    })
}

/// Luogu P3480: heaps stay in order.
struct Ordered;

impl Game for Ordered {
    type Position = Vec<usize>;
    type Move = (usize, usize);

    fn moves(&self, heaps: &Vec<usize>) -> Vec<(usize, usize)> {
        let least = |at: usize| if at == 0 { 0 } else { heaps[at - 1] };
        (0..heaps.len()).flat_map(|at| (least(at)..heaps[at]).map(move |left| (at, left))).collect()
    }

    fn after(&self, heaps: &Vec<usize>, &(at, left): &(usize, usize)) -> Vec<usize> {
        let mut heaps = heaps.clone();
        heaps[at] = left;
        heaps
    }
}

pub(crate) fn pebbles(input: &str) -> String {
    cases(input, |_, numbers| {
        let count = numbers.next();
        let heaps = numbers.list(count);
        if wins(&Ordered, &heaps) { "TAK" } else { "NIE" }.to_string()
    })
}

/// Nim in which a move takes from 1 to `most` heaps.
struct Moore {
    most: usize,
}

impl Game for Moore {
    type Position = Vec<usize>; // ascending, without empty heaps
    type Move = Vec<usize>; // the heaps that are left

    fn moves(&self, heaps: &Vec<usize>) -> Vec<Vec<usize>> {
        // Every way to lower each heap, those that touch none or too many left out.
        let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
        for &heap in heaps {
            ways = ways
                .iter()
                .flat_map(|way| (0..=heap).map(move |left| way.iter().copied().chain([left]).collect()))
                .collect();
        }
        let touched = |way: &Vec<usize>| way.iter().zip(heaps).filter(|(left, heap)| left < heap).count();
        ways.retain(|way| (1..=self.most).contains(&touched(way)));
        ways
    }

    fn after(&self, _: &Vec<usize>, left: &Vec<usize>) -> Vec<usize> {
        left.clone()
    }

    fn canonical(&self, mut heaps: Vec<usize>) -> Vec<usize> {
        heaps.retain(|&heap| heap > 0);
        heaps.sort_unstable();
        heaps
    }
}

pub(crate) fn moore(input: &str) -> String {
    let mut numbers = Numbers::of(input);
    let most = numbers.next();
    let heaps = numbers.list(input.split_ascii_whitespace().count() - 1);
    format!("{}\n", if wins(&Moore { most }, &heaps) { "First" } else { "Second" })
}

/// HDU 4111: take one coin, or put two heaps together.
struct Merge;

impl Game for Merge {
    type Position = Vec<usize>; // ascending, without empty heaps
    type Move = Vec<usize>; // the heaps that are left

    fn moves(&self, heaps: &Vec<usize>) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        for a in 0..heaps.len() {
            let mut left = heaps.clone();
            left[a] -= 1;
            found.push(left);
            for b in a + 1..heaps.len() {
                let mut left = heaps.clone();
                left[a] += left.remove(b);
                found.push(left);
            }
        }
        found
    }

    fn after(&self, _: &Vec<usize>, left: &Vec<usize>) -> Vec<usize> {
        left.clone()
    }

    fn canonical(&self, mut heaps: Vec<usize>) -> Vec<usize> {
        heaps.retain(|&heap| heap > 0);
        heaps.sort_unstable();
        heaps
    }
}

pub(crate) fn merge(input: &str) -> String {
    cases(input, |case, numbers| {
        let count = numbers.next();
        let heaps = numbers.list(count);
        format!("Case #{case}: {}", if wins(&Merge, &heaps) { "Alice" } else { "Bob" })
    })
}

/// POJ 2068: players in a circle, each with a limit of their own; who takes the last stone loses.
struct Circle {
    limits: Vec<usize>,
}

impl Game for Circle {
    type Position = (usize, usize); // stones left, whose turn
    type Move = usize;

    fn moves(&self, &(left, turn): &(usize, usize)) -> Vec<usize> {
        (1..=self.limits[turn].min(left)).collect()
    }

    fn after(&self, &(left, turn): &(usize, usize), taken: &usize) -> (usize, usize) {
        (left - taken, (turn + 1) % self.limits.len())
    }

    fn stuck(&self, _: &(usize, usize)) -> Score {
        WIN
    }
}

pub(crate) fn circle(input: &str) -> String {
    let mut numbers = Numbers::of(input);
    let mut answers = String::new();
    loop {
        let team = numbers.next();
        if team == 0 {
            return answers;
        }
        let stones = numbers.next();
        let game = Circle { limits: numbers.list(2 * team) };
        answers += if outcome(&game, &(stones, 0)) == Outcome::Win { "1\n" } else { "0\n" };
    }
}
