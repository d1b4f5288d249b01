//! Cram: place a domino on two neighbouring free cells of a board. Whoever cannot place one loses.
//!
//! Also called Plugg; the impartial sister of Domineering (Gardner, "Mathematical Games", Scientific American, February
//! 1974; Winning Ways ch. 15). Taking a pair of neighbouring cells is choosing an edge of the graph of free cells, so this
//! is [`arc_kayles`](super::arc_kayles) on that graph: regions are its components, and a region shares its
//! entry with all its turned and mirrored copies, and even with regions of another outline that hang together in
//! the same way. On two even sides the second player answers every domino by its half turn and wins, also where taken cells
//! lie evenly: nothing is searched there. On an even and an odd side the first takes the middle and does the same; all its
//! winning moves are searched, and if that takes too long, this is what is known.

use super::answer::{Answer, Outcome, Verdict};
use super::arc_kayles::ArcKayles;
use super::network::Network;
use super::{BuiltIn, Given, board, taking};
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
        let columns = board.first().map_or(0, String::len);
        let symmetric = symmetric(&board);
        if symmetric && board.len() % 2 == 0 && columns % 2 == 0 {
            return Ok(answered_by_half_turns(&board));
        }
        let middle = symmetric && (board.len() + columns) % 2 == 1 && middle_is_free(&board);
        taking::answer::<ArcKayles>(cells(&board), limits, "regions of the board", "free cells").map_err(
            |error| match error.known() {
                Some(known) if middle => {
                    let known = format!(
                        "the first player wins: the two cells in the middle, then half turns; {known}"
                    );
                    error.only_so_far(known)
                }
                _ => error,
            },
        )
    }
}

/// Whether a board is a rectangle that half a turn leaves as it is.
fn symmetric(board: &[String]) -> bool {
    let half_turn = |row: &String| row.bytes().rev().collect::<Vec<u8>>();
    board.iter().zip(board.iter().rev()).all(|(row, last)| row.as_bytes() == half_turn(last))
        && board.iter().all(|row| row.len() == board[0].len())
}

/// Whether the two cells in the middle of a symmetric board with one even side are free.
fn middle_is_free(board: &[String]) -> bool {
    let middle = (board.len() - 1) / 2;
    board[middle].as_bytes()[(board[middle].len() - 1) / 2] == b'.'
}

/// The answer about a symmetric board with two even sides. No domino covers a cell together with the half turn of that
/// cell, so its own half turn is free for the answer.
fn answered_by_half_turns(board: &[String]) -> Answer {
    let network = cells(board);
    let mut edges = network.edges.clone();
    edges.sort_unstable();
    let last = network.names.len().saturating_sub(1);
    let word = |&(a, b): &(usize, usize)| format!("{}-{}", network.names[a], network.names[b]);
    let mut taken = vec![false; network.names.len()];
    let mut line = Vec::new();
    for &(a, b) in &edges {
        if !taken[a] && !taken[b] {
            // Cells are numbered row by row, so half a turn reverses their numbers.
            let answer = (last - b, last - a);
            for cell in [a, b, answer.0, answer.1] {
                taken[cell] = true;
            }
            line.extend([word(&(a, b)), word(&answer)]);
        }
    }
    Answer {
        verdict: Verdict::Outcome(Outcome::Loss),
        nimber: Some(0),
        moves: Some(edges.iter().map(word).collect()),
        line: Some(line),
        reason: "by symmetry: the second player answers each domino by its half turn".to_string(),
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

    #[test]
    fn half_turns_answer_as_the_search_does() {
        let limits = Limits::default();
        for text in [
            "../..",
            "..../....",
            "..../..../..../....",
            "#.../...#",
            "..#./.#..",
            "..../.##./.##./....",
            "##/##",
        ] {
            let board = board::read(&Given::Text(text.into()), "cram", "#").unwrap();
            let searched = taking::answer::<ArcKayles>(cells(&board), &limits, "", "").unwrap();
            let found = answer(text);
            assert!(found.reason.contains("half turn"), "{text}");
            assert_eq!((found.verdict, found.nimber), (searched.verdict, searched.nimber), "{text}");
            assert_eq!(found.moves, searched.moves, "{text}");
            // Played to the end, each domino on free cells.
            let mut left: Vec<String> = cells(&board).names;
            let line = found.line.unwrap();
            for cell in line.iter().flat_map(|domino| domino.split('-')) {
                let at = left.iter().position(|free| free == cell).unwrap();
                left.remove(at);
            }
            assert!(line.len().is_multiple_of(2), "{text}");
            let free: Vec<String> = (1..=board.len())
                .map(|r| {
                    (1..=board[0].len())
                        .map(|c| if left.contains(&format!("{r},{c}")) { '.' } else { '#' })
                        .collect()
                })
                .collect();
            assert!(cells(&free).edges.is_empty(), "{text}: {free:?}");
        }
        // No search, however large; and what is known of a board that cannot be searched in time.
        assert_eq!(answer(&vec![".".repeat(100); 100].join("/")).nimber, Some(0));
        let limits = Limits { memory: Some(1 << 20), ..limits };
        let error = Cram.answer(&Given::Numbers(vec![7, 8]), &limits).unwrap_err();
        assert!(
            error.known().unwrap().starts_with("the first player wins: the two cells in the middle"),
            "{error}"
        );
        // The middle is taken: nothing is known.
        let error = Cram.answer(
            &Given::Text("...##.../......../......../...##.../......../......../...##...".into()),
            &limits,
        );
        assert!(!error.unwrap_err().known().unwrap().contains("middle"));
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
        assert_eq!(Cram.answer(&Given::Numbers(vec![31, 30]), &Limits::default()).unwrap_err().id(), "graph");
    }
}
