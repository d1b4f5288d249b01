//! Chomp: bite into a bar of chocolate; the square and all to its right and below go. Whoever eats the top left square,
//! which is poisoned, loses.
//!
//! (Schuh, "Spel van delers", 1952; Gale, "A curious Nim-type game", Amer. Math. Monthly 81, 1974.) The first player wins every
//! rectangle but 1 x 1, because a bite of the last square would be a gift: if it does not win, the answer to it
//! was a first bite itself. *Which* bite wins is not known in general and must be searched. Nobody eats the
//! poison of one's own will, so it is a game of normal play on the other squares, with nimbers.
//!
//! A position is the lengths of the rows, longest first; turned over (rows for columns) it is the same game. Up to
//! 200 000 positions the nimber is found; beyond that who wins and every winning bite only.

use super::answer::{self, Answer};
use super::board::sides;
use super::game::{Game, Impartial, Words};
use super::{BuiltIn, Given};
use crate::error::Error;
use crate::limits::Limits;

/// The most positions for which nimbers are found and not only who wins.
const NIMBERS: usize = 200_000;

/// The most rows and columns.
const LONGEST: usize = 200;

/// Chomp; a position is a rectangle or the lengths of its rows.
#[derive(Debug)]
pub struct Chomp;

/// The lengths of the rows, longest first, none empty.
type Bar = Box<[u8]>;

/// A bite: row and column, from 0.
type Bite = (usize, usize);

impl Game for Chomp {
    type Position = Bar;
    type Move = Bite;

    fn moves(&self, bar: &Bar) -> Vec<Bite> {
        let row = |(row, &length): (usize, &u8)| (0..usize::from(length)).map(move |column| (row, column));
        bar.iter().enumerate().flat_map(row).skip(1).collect()
    }

    fn after(&self, bar: &Bar, &(row, column): &Bite) -> Bar {
        let column = u8::try_from(column).expect("columns are fewer than 256");
        let cut = |(at, &length): (usize, &u8)| if at < row { length } else { length.min(column) };
        bar.iter().enumerate().map(cut).take_while(|&length| length > 0).collect()
    }

    fn canonical(&self, bar: Bar) -> Bar {
        let longest = bar.first().copied().unwrap_or(0);
        let column = |at: u8| bar.iter().filter(|&&length| length > at).count();
        let turned: Bar =
            (0..longest).map(|at| u8::try_from(column(at)).expect("rows are fewer than 256")).collect();
        bar.max(turned)
    }

    fn heap_bytes(&self, bar: &Bar) -> usize {
        bar.len().max(16)
    }
}

impl Impartial for Chomp {}

impl Words for Chomp {
    fn word(&self, _: &Bar, &(row, column): &Bite) -> String {
        format!("{},{}", row + 1, column + 1)
    }
}

/// How many positions a rectangle around the bar has: the ways to walk from corner to corner; stops counting.
fn positions(bar: &Bar) -> usize {
    let (rows, columns) = (bar.len(), usize::from(bar.first().copied().unwrap_or(0)));
    let (small, large) = (rows.min(columns), rows.max(columns));
    let mut ways: usize = 1;
    for i in 1..=small {
        // The binomial of large + i over i, which is a whole number at each step.
        match ways.checked_mul(large + i) {
            Some(product) if product / i <= NIMBERS => ways = product / i,
            _ => return usize::MAX,
        }
    }
    ways
}

fn read(given: &Given) -> Result<Bar, Error> {
    let too_long =
        || Error::new("position", format!("a bar of chomp has at most {LONGEST} rows and {LONGEST} columns"));
    let lengths: Vec<usize> = match given {
        Given::Numbers(numbers) => {
            let [rows, columns] = sides(numbers, "chomp")?;
            vec![columns; rows]
        }
        Given::Text(text) => {
            let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
            let lengths = words.map(|word| {
                let length = word.parse::<usize>().ok().filter(|&length| length >= 1);
                length.ok_or_else(|| {
                    Error::new("position", format!("`{word}` is no length of a row: those are 1, 2, ..."))
                })
            });
            lengths.collect::<Result<_, _>>()?
        }
    };
    if lengths.is_empty() {
        return Err(Error::new("position", "chomp needs a bar with at least 1 square"));
    }
    if let Some(pair) = lengths.windows(2).find(|pair| pair[0] < pair[1]) {
        return Err(Error::new(
            "position",
            format!("a row of {} cannot stand below a row of {}: no bites leave that", pair[1], pair[0]),
        ));
    }
    if lengths.len() > LONGEST || lengths[0] > LONGEST {
        return Err(too_long());
    }
    Ok(lengths.iter().map(|&length| u8::try_from(length).expect("at most LONGEST")).collect())
}

impl BuiltIn for Chomp {
    fn name(&self) -> &'static str {
        "chomp"
    }

    fn summary(&self) -> &'static str {
        "bite a square off a bar, with all to its right and below; whoever eats the top left one loses"
    }

    fn usage(&self) -> &'static str {
        "rows and columns, `4 6`, or the lengths of the rows, longest first: `6,6,4,1`"
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let bar = read(position)?;
        if positions(&bar) <= NIMBERS {
            answer::by_nimbers(self, &bar, limits, "what is left of the bar, up to turning it over")
        } else {
            answer::by_memo(self, &bar, limits, "what is left of the bar, up to turning it over")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Outcome, Verdict};
    use super::*;

    fn answer(given: &Given) -> Answer {
        Chomp.answer(given, &Limits::default()).unwrap()
    }

    /// Whether the player to move wins, by backward induction over all bars with `lengths` as they are written, poison
    /// and all: the empty bar is a win, for the other has eaten the poison.
    fn plain(lengths: &[usize], known: &mut std::collections::HashMap<Vec<usize>, bool>) -> bool {
        if lengths.iter().all(|&length| length == 0) {
            return true;
        }
        if let Some(&won) = known.get(lengths) {
            return won;
        }
        let mut won = false;
        for row in 0..lengths.len() {
            for column in 0..lengths[row] {
                let mut left = lengths.to_vec();
                left[row..].iter_mut().for_each(|length| *length = (*length).min(column));
                won |= !plain(&left, known);
            }
        }
        known.insert(lengths.to_vec(), won);
        won
    }

    #[test]
    fn every_board_to_7_by_7_has_its_winning_first_bites() {
        let known = &mut std::collections::HashMap::new();
        for rows in 1..=7usize {
            for columns in 1..=7usize {
                let found = answer(&Given::Text(vec![columns.to_string(); rows].join(",")));
                let mut bites = Vec::new();
                for row in 0..rows {
                    for column in 0..columns {
                        let mut left = vec![columns; rows];
                        left[row..].iter_mut().for_each(|length| *length = column);
                        if !plain(&left, known) {
                            bites.push(format!("{},{}", row + 1, column + 1));
                        }
                    }
                }
                let won = rows * columns > 1;
                assert_eq!(found.verdict, Verdict::Outcome(Outcome::won(won)), "{rows} x {columns}");
                assert_eq!(found.moves.unwrap(), bites, "{rows} x {columns}");
                assert_eq!(found.nimber == Some(0), !won);
            }
        }
    }

    #[test]
    fn squares_and_two_rows_are_won_as_known() {
        // Square: the bite next to the corner leaves two equal arms. Two rows: the last square.
        for n in 2..=9 {
            assert_eq!(answer(&Given::Numbers(vec![n, n])).moves, Some(vec!["2,2".to_string()]));
            assert_eq!(answer(&Given::Numbers(vec![2, n])).moves, Some(vec![format!("2,{n}")]));
        }
    }

    #[test]
    fn large_bars_are_answered_without_nimbers_and_the_same() {
        let bar = |rows: usize, columns: u8| vec![columns; rows].into_boxed_slice();
        assert_eq!((positions(&bar(7, 7)), positions(&bar(2, 3))), (3432, 10));
        assert!(positions(&bar(3, 104)) <= NIMBERS && positions(&bar(3, 105)) > NIMBERS);
        assert!(positions(&bar(200, 200)) > NIMBERS);
        for (rows, columns) in [(1, 1), (1, 7), (3, 20), (4, 9), (6, 6)] {
            let (limits, bar) = (Limits::default(), bar(rows, columns));
            let searched = answer::by_memo(&Chomp, &bar, &limits, "").unwrap();
            let found = Chomp.answer(&Given::Numbers(vec![rows as i128, columns.into()]), &limits).unwrap();
            assert_eq!(
                (searched.verdict, searched.moves),
                (found.verdict, found.moves),
                "{rows} x {columns}"
            );
            assert_eq!(searched.nimber, None);
        }
        assert_eq!(answer(&Given::Text("2,1".into())).verdict, Verdict::Outcome(Outcome::Loss));
    }

    #[test]
    fn bars_that_are_none_are_refused() {
        for given in [
            Given::Text("1,2".into()),
            Given::Text("3,0".into()),
            Given::Text("x".into()),
            Given::Text(",".into()),
            Given::Numbers(vec![0, 1]),
            Given::Numbers(vec![3]),
            Given::Numbers(vec![1, 201]),
        ] {
            assert_eq!(Chomp.answer(&given, &Limits::default()).unwrap_err().id(), "position", "{given:?}");
        }
    }
}
