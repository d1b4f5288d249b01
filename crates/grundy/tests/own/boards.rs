//! Strips, strings, boards and cards.

use grundy::search::Outcome;
use grundy::search::game::{Game, Score};

use super::Numbers;
use crate::{ask, score, wins};

pub(crate) fn crosses(input: &str) -> String {
    let cells = Numbers::of(input).next();
    let (outcome, _) = ask("treblecross-board", &".".repeat(cells));
    format!("{}\n", if outcome == Outcome::Win { 1 } else { 2 })
}

pub(crate) fn chomp(input: &str) -> String {
    let mut numbers = Numbers::of(input);
    let (rows, columns) = (numbers.next(), numbers.next());
    let (_, bites) = ask("chomp", &vec![columns.to_string(); rows].join(","));
    format!("{}\n", bites.join(" "))
}

pub(crate) fn ordinary(input: &str) -> String {
    let (outcome, _) = ask("strings", &format!("$x$y$z -> $x$z where $x != $z; start={}", input.trim()));
    format!("{}\n", if outcome == Outcome::Win { "First" } else { "Second" })
}

/// CF 1704F: whitens two neighbours of which one at least is of the player's own colour.
struct Colouring;

impl Game for Colouring {
    type Position = (Vec<u8>, u8); // cells R, B or white; the colour of the player to move
    type Move = usize; // the left one of the two cells

    fn moves(&self, (cells, own): &(Vec<u8>, u8)) -> Vec<usize> {
        (1..cells.len()).filter(|&at| cells[at - 1..=at].contains(own)).map(|at| at - 1).collect()
    }

    fn after(&self, (cells, own): &(Vec<u8>, u8), &at: &usize) -> (Vec<u8>, u8) {
        let mut cells = cells.clone();
        cells[at..at + 2].fill(b'.');
        (cells, if *own == b'R' { b'B' } else { b'R' })
    }
}

pub(crate) fn colouring(input: &str) -> String {
    let mut words = input.split_ascii_whitespace();
    let count = words.next().expect("the number of cases").parse().expect("a number");
    let mut answers = String::new();
    for _ in 0..count {
        let cells = words.nth(1).expect("a length and the cells").as_bytes().to_vec();
        answers += if wins(&Colouring, &(cells, b'R')) { "Alice\n" } else { "Bob\n" };
    }
    answers
}

/// CF 388C: one player takes the top card of a pile, the other the bottom card; each wants the greater sum.
struct Cards {
    piles: Vec<Vec<usize>>,
}

impl Game for Cards {
    type Position = (Vec<(usize, usize)>, bool); // what is left of each pile; whether the top is taken
    type Move = usize;

    fn moves(&self, (left, _): &(Vec<(usize, usize)>, bool)) -> Vec<usize> {
        (0..left.len()).filter(|&pile| left[pile].0 < left[pile].1).collect()
    }

    fn after(&self, (left, top): &(Vec<(usize, usize)>, bool), &pile: &usize) -> (Vec<(usize, usize)>, bool) {
        let mut left = left.clone();
        if *top {
            left[pile].0 += 1
        } else {
            left[pile].1 -= 1
        }
        (left, !top)
    }

    fn stuck(&self, _: &(Vec<(usize, usize)>, bool)) -> Score {
        0
    }

    fn scored(&self) -> bool {
        true
    }

    fn gain(&self, (left, top): &(Vec<(usize, usize)>, bool), &pile: &usize) -> Score {
        let (first, end) = left[pile];
        i64::try_from(self.piles[pile][if *top { first } else { end - 1 }]).expect("a small card")
    }
}

pub(crate) fn cards(input: &str) -> String {
    let mut numbers = Numbers::of(input);
    let count = numbers.next();
    let piles: Vec<Vec<usize>> = (0..count)
        .map(|_| {
            let cards = numbers.next();
            numbers.list(cards)
        })
        .collect();
    let start = (piles.iter().map(|pile| (0, pile.len())).collect(), true);
    let total: usize = piles.iter().flatten().sum();
    let total = i64::try_from(total).expect("a small sum");
    let lead = score(&Cards { piles }, &start);
    format!("{} {}\n", (total + lead) / 2, (total - lead) / 2)
}
