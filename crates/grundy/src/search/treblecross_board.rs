//! Treblecross on a board: write X into a free cell of a row; who completes three in a row wins.
//!
//! **What decides.** If one X completes three, the mover wins. Otherwise a cell at distance 1 or 2 from an X is poison: with
//! three cells or more the other player can then complete three. All other cells are safe, and a move into one of
//! them makes it and the two cells on either side unsafe. So as long as somebody has a safe cell, the game is a sum of
//! runs of safe cells in which a move takes a cell with at most two on each side, and whoever has none left must
//! give the game away: normal play, and nimbers decide (Winning Ways ch. 4: the octal game 0.007 in disguise). A full
//! board without three X is impossible from three cells on, so there are no draws.
//!
//! The runs' nimbers are tabulated by length. In the catalogue `treblecross` is the sum of runs as heaps; here the board
//! may be any one met in play.

use super::answer::{Answer, Outcome, Verdict};
use super::{BuiltIn, Given};
use crate::error::Error;
use crate::limits::{Clock, Limits};
use crate::nimber::{Mex, Nimber};

/// The longest board that is read.
const LONGEST: usize = 1 << 16;

/// Lines of best play are told for boards of at most so many cells.
const LINE_CELLS: usize = 1000;

/// Treblecross; a position is a number of free cells or a board such as `..X.....`.
#[derive(Debug)]
pub struct TreblecrossBoard;

/// Nimbers of runs of safe cells, by length.
fn runs(longest: usize, clock: &Clock) -> Result<Vec<u32>, Error> {
    let mut nimbers: Vec<u32> = vec![0];
    let mut mex = Mex::new();
    for length in 1..=longest {
        clock.check().map_err(|e| e.so_far(format!("runs of 0 to {} cells", length - 1)))?;
        for cell in 0..length.div_ceil(2) {
            mex.insert(nimbers[cell.saturating_sub(2)] ^ nimbers[(length - cell).saturating_sub(3)]);
        }
        nimbers.push(u32::try_from(mex.mex()).expect("at most the number of moves"));
        mex.clear();
    }
    Ok(nimbers)
}

/// The cells where an X completes three.
fn completing(board: &[bool]) -> Vec<usize> {
    let x = |cell: Option<usize>| cell.and_then(|cell| board.get(cell)).copied().unwrap_or(false);
    let completes = |&cell: &usize| {
        let (l2, l1) = (x(cell.checked_sub(2)), x(cell.checked_sub(1)));
        let (r1, r2) = (x(Some(cell + 1)), x(Some(cell + 2)));
        !board[cell] && [(l2, l1), (l1, r1), (r1, r2)].contains(&(true, true))
    };
    (0..board.len()).filter(completes).collect()
}

/// The runs of safe cells: first cell, length.
fn safe(board: &[bool]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for cell in 0..board.len() {
        let near = cell.saturating_sub(2)..(cell + 3).min(board.len());
        if board[near].iter().any(|&x| x) {
            continue;
        }
        match runs.last_mut() {
            Some((start, length)) if *start + *length == cell => *length += 1,
            _ => runs.push((cell, 1)),
        }
    }
    runs
}

/// Whether the player to move wins, the nimber if it decides, and every best cell; all free ones in a lost board.
fn best(board: &[bool], nimbers: &[u32]) -> (bool, Option<u32>, Vec<usize>) {
    let now = completing(board);
    if !now.is_empty() {
        return (true, None, now);
    }
    let runs = safe(board);
    let sum = runs.iter().fold(0, |sum, &(_, length)| sum ^ nimbers[length]);
    if sum == 0 {
        return (false, Some(0), (0..board.len()).filter(|&cell| !board[cell]).collect());
    }
    let mut cells = Vec::new();
    for (start, length) in runs {
        for cell in 0..length {
            let left = nimbers[cell.saturating_sub(2)] ^ nimbers[(length - cell).saturating_sub(3)];
            if sum ^ nimbers[length] ^ left == 0 {
                cells.push(start + cell);
            }
        }
    }
    (true, Some(sum), cells)
}

fn read(given: &Given) -> Result<Vec<bool>, Error> {
    let board: Vec<bool> = match given {
        Given::Numbers(numbers) => match numbers[..] {
            [cells] => {
                let cells =
                    usize::try_from(cells).ok().filter(|&cells| cells <= LONGEST).ok_or_else(|| {
                        Error::new("position", format!("treblecross takes 3 to {LONGEST} cells, got {cells}"))
                    })?;
                vec![false; cells]
            }
            _ => {
                return Err(Error::new(
                    "position",
                    format!("treblecross takes one number of cells, got {}", numbers.len()),
                ));
            }
        },
        Given::Text(text) => {
            let cell = |(at, letter): (usize, char)| match letter {
                '.' | '_' => Ok(false),
                'X' | 'x' => Ok(true),
                other => Err(Error::new(
                    "position",
                    format!("cell {} of the board is `{other}`: cells are `.` or `X`", at + 1),
                )),
            };
            text.chars().enumerate().map(cell).collect::<Result<_, _>>()?
        }
    };
    if !(3..=LONGEST).contains(&board.len()) {
        return Err(Error::new(
            "position",
            format!("treblecross takes 3 to {LONGEST} cells, got {}", board.len()),
        ));
    }
    if board.windows(3).any(|three| three == [true; 3]) {
        return Err(Error::new("position", "the board holds three in a row already: the game is over"));
    }
    Ok(board)
}

impl BuiltIn for TreblecrossBoard {
    fn name(&self) -> &'static str {
        "treblecross-board"
    }

    fn summary(&self) -> &'static str {
        "write X into a free cell of a row; who completes three in a row wins"
    }

    fn usage(&self) -> &'static str {
        "a number of free cells, `20`, or a board of `.` and `X`: `..X.....`"
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let board = read(position)?;
        let clock = limits.clock();
        let longest = safe(&board).iter().map(|&(_, length)| length).max().unwrap_or(0);
        let nimbers = runs(longest, &clock)?;
        let (won, nimber, cells) = best(&board, &nimbers);
        let words = |cells: &[usize]| cells.iter().map(|cell| (cell + 1).to_string()).collect::<Vec<_>>();
        let mut line = Vec::new();
        let mut at = board.clone();
        while board.len() <= LINE_CELLS && !at.windows(3).any(|three| three == [true; 3]) {
            let (_, _, cells) = best(&at, &nimbers);
            let first = *cells.first().expect("a board without three in a row has a free cell");
            at[first] = true;
            line.push(first);
        }
        Ok(Answer {
            verdict: Verdict::Outcome(Outcome::won(won)),
            nimber: nimber.map(Nimber::from),
            moves: Some(words(&cells)),
            line: (!line.is_empty()).then(|| words(&line)),
            reason: match nimber {
                None => "one X completes three in a row".to_string(),
                Some(0) => "the runs of safe cells (octal game 0.007) have nim-sum 0".to_string(),
                Some(sum) => format!("the runs of safe cells (octal game 0.007) have nim-sum {sum}"),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the player to move wins, by the rule alone.
    fn plain(board: u32, cells: u32, known: &mut [Option<bool>]) -> bool {
        if let Some(won) = known[board as usize] {
            return won;
        }
        let moves = (0..cells).filter(|cell| board >> cell & 1 == 0).map(|cell| board | 1 << cell);
        let mut won = false;
        for after in moves {
            won |= after & after >> 1 & after >> 2 != 0 || !plain(after, cells, known);
        }
        known[board as usize] = Some(won);
        won
    }

    #[test]
    fn every_board_to_13_cells_has_its_result_and_best_cells() {
        for cells in 3..=13u32 {
            let mut known = vec![None; 1 << cells];
            for board in 0..1u32 << cells {
                if board & board >> 1 & board >> 2 != 0 {
                    continue;
                }
                let text: String = (0..cells).map(|c| if board >> c & 1 == 1 { 'X' } else { '.' }).collect();
                let found = TreblecrossBoard.answer(&Given::Text(text.clone()), &Limits::default()).unwrap();
                let won = plain(board, cells, &mut known);
                assert_eq!(found.verdict, Verdict::Outcome(Outcome::won(won)), "{text}");
                let keeps = |cell: &u32| {
                    let after = board | 1 << cell;
                    let wins = after & after >> 1 & after >> 2 != 0 || !plain(after, cells, &mut known);
                    board >> cell & 1 == 0 && wins == won
                };
                let wanted: Vec<String> =
                    (0..cells).filter(keeps).map(|cell| (cell + 1).to_string()).collect();
                assert_eq!(found.moves, Some(wanted), "{text}");
                assert_eq!(found.line.unwrap().len() % 2 == 1, won, "{text}");
            }
        }
    }

    #[test]
    fn boards_that_are_none_are_refused() {
        for given in [
            Given::Numbers(vec![2]),
            Given::Numbers(vec![-1]),
            Given::Numbers(vec![3, 4]),
            Given::Text("..O".into()),
            Given::Text("..".into()),
            Given::Text("XXX.".into()),
        ] {
            assert_eq!(
                TreblecrossBoard.answer(&given, &Limits::default()).unwrap_err().id(),
                "position",
                "{given:?}"
            );
        }
    }
}
