//! Tic-tac-toe as a game of one's own: `cargo run -p grundy --example tic_tac_toe`.
//!
//! The board has nine cells; a position is the cells of the player to move and those of the other, so that the same code
//! is right for both players and X and O need no names.

use grundy::error::Error;
use grundy::limits::Limits;
use grundy::search::Outcome;
use grundy::search::game::{DRAW, Game, LOSS, Score};
use grundy::search::memo::Memo;

/// Cells as bits, row by row.
type Cells = u16;

/// The rules.
struct TicTacToe;

/// What stands on the board, as the player to move sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Board {
    mine: Cells,
    theirs: Cells,
}

const LINES: [Cells; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];

impl Game for TicTacToe {
    type Position = Board;
    type Move = u8; // the cell

    fn moves(&self, board: &Board) -> Vec<u8> {
        (0..9).filter(|cell| (board.mine | board.theirs) >> cell & 1 == 0).collect()
    }

    fn after(&self, board: &Board, cell: &u8) -> Board {
        Board { mine: board.theirs, theirs: board.mine | 1 << cell }
    }

    // Only the other player can have completed a line.
    fn end(&self, board: &Board) -> Option<Score> {
        LINES.iter().any(|line| board.theirs & line == *line).then_some(LOSS)
    }

    // A full board.
    fn stuck(&self, _: &Board) -> Score {
        DRAW
    }

    // The eight symmetries of the square; any one of the boards may stand for all, here the least.
    fn canonical(&self, board: Board) -> Board {
        let turned = |cells: Cells| spread(cells, |row, column| (column, 2 - row));
        let mirrored = |cells: Cells| spread(cells, |row, column| (row, 2 - column));
        let mut least = board;
        let mut one = board;
        for _ in 0..4 {
            one = Board { mine: turned(one.mine), theirs: turned(one.theirs) };
            let other = Board { mine: mirrored(one.mine), theirs: mirrored(one.theirs) };
            least = least.min(one).min(other);
        }
        least
    }
}

/// The cells after each has gone from its row and column to others.
fn spread(cells: Cells, to: impl Fn(u16, u16) -> (u16, u16)) -> Cells {
    let set = (0..9).filter(|cell| cells >> cell & 1 == 1);
    set.map(|cell| to(cell / 3, cell % 3)).fold(0, |all, (row, column)| all | 1 << (3 * row + column))
}

/// Solves the empty board and the board after a first move into the middle of a side.
pub(crate) fn main() -> Result<(), Error> {
    let mut solver = Memo::new(&TicTacToe, &Limits::default());
    let empty = Board::default();
    let outcome = solver.outcome(&empty)?;
    println!("the empty board is a {outcome} ({} positions up to symmetry)", solver.positions());
    assert_eq!(outcome, Outcome::Draw);

    let side = TicTacToe.after(&empty, &1);
    let best = solver.best(&side)?;
    println!("after the first player took cell 1, the second may take {:?}", best.moves);
    assert_eq!((best.score, best.moves), (DRAW, vec![0, 2, 4, 7]));

    // Cells 0 and 4 against 1: the other corner wins at once.
    let won = Board { mine: 0b1_0001, theirs: 0b10 };
    assert_eq!(solver.outcome(&won)?, Outcome::Win);
    println!("a line of best play: {:?}", solver.line(&empty)?);
    Ok(())
}
