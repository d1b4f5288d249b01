//! Cram: place a domino on two neighbouring free cells of a board. Whoever cannot place one loses.
//!
//! Also called Plugg; the impartial sister of Domineering (Gardner, "Mathematical Games", Scientific American, February
//! 1974; Winning Ways ch. 15). Taking a pair of neighbouring cells is choosing an edge of the graph of free cells, so this
//! is [`arc_kayles`] on that graph: regions are its components, and a region shares its
//! entry with all its turned and mirrored copies, and even with regions of another outline that hang together in
//! the same way. On two even sides the second player wins by symmetry, on an even and an odd side the
//! first; the tests compare.

use super::answer::Answer;
use super::network::Network;
use super::{BuiltIn, Given, arc_kayles, board};
use crate::error::Error;
use crate::limits::Limits;

/// Cram; a position is a board.
#[derive(Debug)]
pub struct Cram;

/// The free cells, joined to their neighbours; cells are named `row,column` from 1.
fn cells(board: &[String]) -> Network {
    let mut network = Network::default();
    let mut above: Vec<Option<usize>> = Vec::new();
    for (row, cells) in (1..).zip(board) {
        let mut left = None;
        let mut here = Vec::new();
        for (column, letter) in cells.chars().enumerate() {
            let number = (letter == '.').then_some(network.names.len());
            if let Some(number) = number {
                network.names.push(format!("{row},{}", column + 1));
                let up = above.get(column).copied().flatten();
                network.edges.extend([left, up].into_iter().flatten().map(|other| (other, number)));
            }
            left = number;
            here.push(number);
        }
        above = here;
    }
    network
}

impl BuiltIn for Cram {
    fn name(&self) -> &'static str {
        "cram"
    }

    fn summary(&self) -> &'static str {
        "place a domino on two neighbouring free cells of a board; whoever cannot loses"
    }

    fn usage(&self) -> &'static str {
        "rows and columns, `4 5`, or the rows of a board of free `.` and taken `#` cells: `..#/...`"
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let board = board::read(position, "cram", "#")?;
        arc_kayles::answer(cells(&board), limits, "regions of the board", "free cells")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Answer {
        Cram.answer(&Given::Text(text.to_string()), &Limits::default()).unwrap()
    }

    #[test]
    fn boards_have_their_published_nimbers() {
        let rows = include_str!("../../../../testdata/board_nimbers.tsv");
        let mut seen = 0;
        for row in rows.lines().filter(|row| row.starts_with("cram\t")) {
            let cells: Vec<&str> = row.split('\t').collect();
            let sides = cells[1].split(' ').map(|side| side.parse().unwrap()).collect();
            let found = Cram.answer(&Given::Numbers(sides), &Limits::default()).unwrap();
            assert_eq!(found.nimber, Some(cells[2].parse().unwrap()), "{row}");
            seen += 1;
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn symmetry_decides_even_boards() {
        for (rows, columns) in [(2, 2), (2, 4), (2, 10), (4, 4), (2, 3), (2, 9), (4, 3), (4, 5)] {
            let found = Cram.answer(&Given::Numbers(vec![rows, columns]), &Limits::default()).unwrap();
            assert_eq!(found.nimber == Some(0), columns % 2 == 0, "{rows} x {columns}");
        }
    }

    /// The nimber of a board by the rule alone.
    fn plain(board: &mut Vec<Vec<bool>>) -> u32 {
        let mut seen = Vec::new();
        for r in 0..board.len() {
            for c in 0..board[r].len() {
                for (r2, c2) in [(r, c + 1), (r + 1, c)] {
                    let free = |board: &Vec<Vec<bool>>, r: usize, c: usize| {
                        board.get(r).and_then(|row| row.get(c)).copied().unwrap_or(false)
                    };
                    if free(board, r, c) && free(board, r2, c2) {
                        (board[r][c], board[r2][c2]) = (false, false);
                        seen.push(plain(board));
                        (board[r][c], board[r2][c2]) = (true, true);
                    }
                }
            }
        }
        (0..).find(|value| !seen.contains(value)).unwrap()
    }

    #[test]
    fn boards_with_taken_cells_are_answered_as_defined() {
        for text in [
            "...",
            "../..",
            ".../...",
            "..#/...",
            ".#./...",
            "..../..",
            "..#../.....",
            ".../.#./...",
            "#.#/...",
            "#/#",
        ] {
            let mut board: Vec<Vec<bool>> =
                text.split('/').map(|row| row.chars().map(|c| c == '.').collect()).collect();
            assert_eq!(answer(text).nimber, Some(plain(&mut board).into()), "{text}");
        }
        assert_eq!(answer("....").moves, Some(vec!["1,2-1,3".to_string()]));
        assert_eq!(answer("....").line, Some(vec!["1,2-1,3".to_string()]));
    }

    #[test]
    fn boards_that_are_none_are_refused() {
        for given in [
            Given::Text("..x".into()),
            Given::Text(String::new()),
            Given::Numbers(vec![3]),
            Given::Numbers(vec![0, 3]),
        ] {
            assert_eq!(Cram.answer(&given, &Limits::default()).unwrap_err().id(), "position", "{given:?}");
        }
        assert_eq!(Cram.answer(&Given::Numbers(vec![30, 30]), &Limits::default()).unwrap_err().id(), "graph");
    }
}
