//! A board of cells as a position gives it: two numbers for an empty rectangle, or its rows as text.
//!
//! Rows are parted by white space or `/`; `.` (or `_`) is a free cell, any other letter is what the game says. Rows
//! may differ in length.

use super::Given;
use crate::error::Error;

/// The greatest number of cells that is read.
const MOST_CELLS: usize = 1 << 20;

/// Reads the rows of a board, free cells as `.`; `letters` are those that a cell may hold besides.
///
/// # Errors
/// `position` for other letters, other numbers than two, no cell at all.
///
/// ```
/// use grundy::search::{Given, board};
/// assert_eq!(board::read(&Given::Numbers(vec![2, 3]), "cram", "#")?, ["...", "..."]);
/// assert_eq!(board::read(&Given::Text("../.#".into()), "cram", "#")?, ["..", ".#"]);
/// # Ok::<(), grundy::error::Error>(())
/// ```
pub fn read(given: &Given, game: &str, letters: &str) -> Result<Vec<String>, Error> {
    match given {
        Given::Numbers(numbers) => {
            let [rows, columns] = sides(numbers, game)?;
            Ok(vec![".".repeat(columns); rows])
        }
        Given::Text(text) => {
            let mut board = Vec::new();
            for row in text.split(|c: char| c.is_whitespace() || c == '/').filter(|row| !row.is_empty()) {
                let cell = |letter: char| match letter {
                    '.' | '_' => Ok('.'),
                    letter if letters.contains(letter) => Ok(letter),
                    other => {
                        let list = letters.chars().map(|l| format!(" or `{l}`")).collect::<String>();
                        Err(Error::new(
                            "position",
                            format!(
                                "row {} of the board holds `{other}`: cells are `.`{list}",
                                board.len() + 1
                            ),
                        ))
                    }
                };
                board.push(row.chars().map(cell).collect::<Result<String, Error>>()?);
            }
            if board.is_empty() {
                return Err(Error::new("position", format!("{game} needs a board with at least 1 cell")));
            }
            Ok(board)
        }
    }
}

/// The sides of a rectangle: rows, columns.
///
/// # Errors
/// `position` for other numbers than two from 1 on, or more than 2^20 cells.
pub fn sides(numbers: &[grundy_rule::Int], game: &str) -> Result<[usize; 2], Error> {
    let sides: Option<Vec<usize>> =
        numbers.iter().map(|&side| usize::try_from(side).ok().filter(|&side| side >= 1)).collect();
    match sides.as_deref() {
        Some(&[rows, columns]) if rows.checked_mul(columns).is_some_and(|cells| cells <= MOST_CELLS) => {
            Ok([rows, columns])
        }
        Some(&[_, _]) => {
            Err(Error::new("position", format!("a board of {game} has at most {MOST_CELLS} cells")))
        }
        _ => {
            let list = numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            Err(Error::new(
                "position",
                format!("{game} takes two numbers from 1 on, rows and columns, not `{list}`"),
            ))
        }
    }
}
