//! SOS on a row of cells: a move writes S or O into an empty cell; who completes S-O-S in three neighbouring
//! cells wins; a full row without it is a draw. (EC-Final 2017, problem L; older: USAMO 1999, problem 5.)
//!
//! **Quiet boards.** If one letter completes S-O-S, the mover wins. Otherwise the board is *quiet*, and a move
//! is *safe* if the board stays quiet. On a quiet board an empty cell is unsafe for both letters exactly if
//! it lies in `S__S`: an unsafe S at a cell needs a neighbour that the opponent completes with O or S, an unsafe O
//! needs S beside it with the third cell empty, and walking through the cases only `S__S` has both.
//! So safe play ends with a full board, a draw, or with nothing but `S__S` left, where the player to move loses.
//! The cells that remain are then even in number, so only one player can ever win: the *maker*, who moves when
//! an odd number of cells is empty. The maker wins if and only if one `S__S` arises; the other, the *breaker*,
//! plays for the draw.
//!
//! **Solver.** An empty cell matters only through *live* windows, those that can still become S-O-S. Cells that
//! share a live window form a component. A component in which `S__S` can no longer arise always has a safe
//! letter for each of its cells, so it is worth its number of cells as waiting moves; two waiting moves cancel,
//! because the player who needs no waiting move answers one with the other. What is left is a multiset of
//! components (a row and its mirror image are one) and one bit. The search over these is an explicit stack
//! with a table.
//!
//! **Theorem** for empty boards: the first player wins for odd N >= 7, the second for even N >= 16, else it is
//! a draw. It answers any N; the tests compare it with the solver, and the solver with plain search of whole
//! boards. Dropped: searching whole boards with symmetry alone, which stops near 15 cells.

use std::collections::BTreeSet;

use grundy_rule::Int;
use rustc_hash::FxHashMap;

use super::{Answer, BuiltIn, Given, Outcome, Verdict};
use crate::error::Error;
use crate::limits::{Clock, Limits};

/// Empty boards up to this size list their best moves by search.
const LISTED_CELLS: Int = 40;
/// Longest board that is read as letters.
const LONGEST_BOARD: usize = 4096;

const EMPTY: u8 = b'.';
const S: u8 = b'S';
const O: u8 = b'O';

/// SOS; a position is a number of empty cells or a board such as `..S.O.`.
#[derive(Debug)]
pub struct Sos;

/// The result on an empty row of `cells` >= 1 cells, by the theorem.
#[must_use]
pub fn empty_board(cells: Int) -> Outcome {
    match cells % 2 {
        1 if cells >= 7 => Outcome::Win,
        0 if cells >= 16 => Outcome::Loss,
        _ => Outcome::Draw,
    }
}

/// Whether letters stand so that `window` could become, or is, S-O-S.
fn live(window: &[u8]) -> bool {
    let fits = |cell: u8, letter: u8| cell == EMPTY || cell == letter;
    fits(window[0], S) && fits(window[1], O) && fits(window[2], S)
}

/// Whether the window lacks exactly one letter of S-O-S.
fn threat(window: &[u8]) -> bool {
    live(window) && window.iter().filter(|&&cell| cell == EMPTY).count() == 1
}

/// Whether some letter completes S-O-S at once.
fn has_threat(board: &[u8]) -> bool {
    board.windows(3).any(threat)
}

/// Whether `S__S` stands on the board.
fn has_trap(board: &[u8]) -> bool {
    board.windows(4).any(|w| w == [S, EMPTY, EMPTY, S])
}

/// Whether `S__S` can still arise: two empty cells in a row, each side an S or an empty cell.
fn may_trap(board: &[u8]) -> bool {
    board
        .windows(4)
        .any(|w| w[1] == EMPTY && w[2] == EMPTY && [w[0], w[3]].iter().all(|&c| c == EMPTY || c == S))
}

/// A quiet board with one letter written, as components and waiting moves.
fn split(board: &[u8]) -> (Vec<Box<[u8]>>, usize) {
    let mut joined_with_next = vec![false; board.len()];
    let mut in_live_window = vec![false; board.len()];
    for (start, window) in board.windows(3).enumerate() {
        if live(window) {
            joined_with_next[start] = true;
            joined_with_next[start + 1] = true;
            in_live_window[start..start + 3].fill(true);
        }
    }
    let mut components = Vec::new();
    let mut waiting = 0;
    let mut start = 0;
    while start < board.len() {
        let mut end = start;
        // A written S is the end of windows on both sides and the middle of none: it parts its sides.
        while joined_with_next[end] && (end == start || board[end] != S) {
            end += 1;
        }
        let cells = &board[start..=end];
        let empty = cells.iter().filter(|&&cell| cell == EMPTY).count();
        if in_live_window[start] && may_trap(cells) {
            components.push(canonical(cells));
        } else {
            waiting += empty;
        }
        start = if end > start && joined_with_next[end] { end } else { end + 1 };
    }
    (components, waiting)
}

/// The lesser of a row and its mirror image.
fn canonical(cells: &[u8]) -> Box<[u8]> {
    let mirrored: Vec<u8> = cells.iter().rev().copied().collect();
    if mirrored.as_slice() < cells { mirrored.into() } else { cells.into() }
}

/// A component's number in the solver's table.
type Id = u32;

/// What a safe move in one component leaves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Reply {
    /// `S__S` stands: the maker has won.
    trap: bool,
    parts: Vec<Id>,
    waits: bool,
}

/// A multiset of components, ascending, and whether one waiting move is left over: packed as ids, then the bit.
type Key = Box<[Id]>;

struct Frame {
    key: Key,
    maker_moves: bool,
    next: Vec<Key>,
}

/// Decides whether the maker forces `S__S`, remembering every sum of components met.
struct Solver {
    ids: FxHashMap<Box<[u8]>, Id>,
    components: Vec<Box<[u8]>>,
    replies: Vec<Option<Vec<Reply>>>,
    decided: FxHashMap<Key, bool>,
    /// Estimated bytes of `decided`.
    bytes: u64,
    steps: u64,
}

impl Solver {
    fn new() -> Self {
        Solver {
            ids: FxHashMap::default(),
            components: Vec::new(),
            replies: Vec::new(),
            decided: FxHashMap::default(),
            bytes: 0,
            steps: 0,
        }
    }

    fn id(&mut self, component: Box<[u8]>) -> Id {
        if let Some(&id) = self.ids.get(&component) {
            return id;
        }
        let id = Id::try_from(self.components.len()).expect("fewer than 2^32 components fit in memory");
        self.ids.insert(component.clone(), id);
        self.components.push(component);
        self.replies.push(None);
        id
    }

    fn key(&mut self, board: &[u8]) -> Key {
        let (components, waiting) = split(board);
        let mut ids: Vec<Id> = components.into_iter().map(|c| self.id(c)).collect();
        ids.sort_unstable();
        ids.push(Id::from(waiting % 2 == 1));
        ids.into()
    }

    fn maker_moves(&self, key: &[Id]) -> bool {
        let (wait, ids) = key.split_last().expect("a key ends with its waiting bit");
        let empty = |id: &Id| self.components[*id as usize].iter().filter(|&&cell| cell == EMPTY).count();
        (ids.iter().map(empty).sum::<usize>() + *wait as usize) % 2 == 1
    }

    /// The distinct results of safe moves in one component.
    fn replies(&mut self, id: Id) -> Vec<Reply> {
        if let Some(known) = &self.replies[id as usize] {
            return known.clone();
        }
        let mut board = self.components[id as usize].to_vec();
        let mut found = BTreeSet::new();
        for cell in 0..board.len() {
            if board[cell] != EMPTY {
                continue;
            }
            for letter in [S, O] {
                board[cell] = letter;
                if !has_threat(&board) {
                    let (components, waiting) = split(&board);
                    let mut parts: Vec<Id> = components.into_iter().map(|c| self.id(c)).collect();
                    parts.sort_unstable();
                    found.insert(Reply { trap: has_trap(&board), parts, waits: waiting % 2 == 1 });
                }
                board[cell] = EMPTY;
            }
        }
        // A trap first: it decides at once when the maker moves.
        let list: Vec<Reply> = found.into_iter().rev().collect();
        self.replies[id as usize] = Some(list.clone());
        list
    }

    /// `Ok` the keys after each safe move, or `Err` the value if a trap decides. Breakers never set a trap.
    fn expand(&mut self, key: &[Id], maker_moves: bool) -> Result<Vec<Key>, bool> {
        let (&wait, ids) = key.split_last().expect("a key ends with its waiting bit");
        let mut next: Vec<Key> = Vec::new();
        let mut last = None;
        for (place, &id) in ids.iter().enumerate() {
            if last == Some(id) {
                continue;
            }
            last = Some(id);
            for reply in self.replies(id) {
                if reply.trap {
                    if maker_moves {
                        return Err(true);
                    }
                    continue;
                }
                let mut sum: Vec<Id> = Vec::with_capacity(key.len() + reply.parts.len());
                sum.extend_from_slice(&ids[..place]);
                sum.extend_from_slice(&ids[place + 1..]);
                sum.extend_from_slice(&reply.parts);
                sum.sort_unstable();
                sum.push(wait ^ Id::from(reply.waits));
                next.push(sum.into());
            }
        }
        if wait == 1 {
            let mut sum = ids.to_vec();
            sum.push(0);
            next.push(sum.into());
        }
        Ok(next)
    }

    /// Whether the maker wins from a sum without a trap.
    fn solve(&mut self, root: Key, clock: &Clock) -> Result<bool, Error> {
        let mut stack: Vec<Frame> = Vec::new();
        let mut value = self.enter(root, &mut stack);
        loop {
            self.steps += 1;
            if self.steps.is_multiple_of(4096) {
                clock
                    .check()
                    .and_then(|()| clock.memory(self.bytes))
                    .map_err(|e| e.so_far(format!("{} sums of components decided", self.decided.len())))?;
            }
            let Some(frame) = stack.last_mut() else {
                return Ok(value.expect("an empty stack leaves the value of the root"));
            };
            if value == Some(frame.maker_moves) {
                // The mover has what it wants.
                frame.next.clear();
            }
            if value != Some(frame.maker_moves) && !frame.next.is_empty() {
                let next = frame.next.pop().expect("checked not to be empty");
                value = self.enter(next, &mut stack);
                continue;
            }
            let result =
                if value == Some(frame.maker_moves) { frame.maker_moves } else { !frame.maker_moves };
            let done = stack.pop().expect("the frame just looked at");
            // Map entry, boxed key and spare capacity.
            self.bytes += 48 + 4 * done.key.len() as u64;
            self.decided.insert(done.key, result);
            value = Some(result);
        }
    }

    /// The value if it is known, else a new frame on the stack.
    fn enter(&mut self, key: Key, stack: &mut Vec<Frame>) -> Option<bool> {
        if key.len() == 1 {
            // Only waiting moves are left: a full board, a draw.
            return Some(false);
        }
        if let Some(&known) = self.decided.get(&key) {
            return Some(known);
        }
        let maker_moves = self.maker_moves(&key);
        match self.expand(&key, maker_moves) {
            Err(value) => {
                self.decided.insert(key, value);
                Some(value)
            }
            Ok(next) => {
                stack.push(Frame { key, maker_moves, next });
                None
            }
        }
    }

    /// The result for the player to move on any board.
    fn outcome(&mut self, board: &[u8], clock: &Clock) -> Result<Outcome, Error> {
        if has_threat(board) {
            return Ok(Outcome::Win);
        }
        let maker_moves = board.iter().filter(|&&cell| cell == EMPTY).count() % 2 == 1;
        let maker_wins = has_trap(board) || {
            let root = self.key(board);
            self.solve(root, clock)?
        };
        Ok(match (maker_wins, maker_moves) {
            (false, _) => Outcome::Draw,
            (true, true) => Outcome::Win,
            (true, false) => Outcome::Loss,
        })
    }
}

/// A move: the letter and the cell, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Writing {
    letter: u8,
    cell: usize,
}

impl std::fmt::Display for Writing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", char::from(self.letter), self.cell + 1)
    }
}

/// The result on a board and every best move, cell by cell, S before O. A lost position lists all moves.
fn analyse(solver: &mut Solver, board: &[u8], clock: &Clock) -> Result<(Outcome, Vec<Writing>), Error> {
    let best = solver.outcome(board, clock)?;
    let mut after = board.to_vec();
    let mut moves = Vec::new();
    for cell in (0..board.len()).filter(|&cell| board[cell] == EMPTY) {
        for letter in [S, O] {
            after[cell] = letter;
            let completes =
                (cell.saturating_sub(2)..=cell).any(|start| after.get(start..start + 3) == Some(&[S, O, S]));
            let result = if completes { Outcome::Win } else { solver.outcome(&after, clock)?.reversed() };
            if result == best {
                moves.push(Writing { letter, cell });
            }
            after[cell] = EMPTY;
        }
    }
    Ok((best, moves))
}

/// A line of best play from a board: the first best move of each step, until S-O-S or a full row.
fn line(solver: &mut Solver, board: &[u8], clock: &Clock) -> Result<Vec<String>, Error> {
    let mut board = board.to_vec();
    let mut line = Vec::new();
    while !board.windows(3).any(|w| w == [S, O, S]) {
        let (_, moves) = analyse(solver, &board, clock)?;
        let Some(first) = moves.first() else { break };
        board[first.cell] = first.letter;
        line.push(first.to_string());
    }
    Ok(line)
}

enum Board {
    Empty(Int),
    Written(Vec<u8>),
}

fn read(position: &Given) -> Result<Board, Error> {
    match position {
        Given::Numbers(numbers) => match numbers[..] {
            [cells] if cells >= 1 => Ok(Board::Empty(cells)),
            [cells] => Err(Error::new("position", format!("sos needs at least 1 cell, got {cells}"))),
            _ => Err(Error::new(
                "position",
                format!("sos takes one number of cells, got {} numbers", numbers.len()),
            )),
        },
        Given::Text(text) => {
            if text.len() > LONGEST_BOARD {
                return Err(Error::new(
                    "position",
                    format!("a board of sos has at most {LONGEST_BOARD} cells, got {}", text.len()),
                ));
            }
            let mut board = Vec::new();
            for (at, letter) in text.chars().enumerate() {
                board.push(match letter {
                    '.' | '_' => EMPTY,
                    'S' | 's' => S,
                    'O' | 'o' => O,
                    other => {
                        return Err(Error::new(
                            "position",
                            format!("cell {} of the board is `{other}`: cells are `.`, `S` or `O`", at + 1),
                        ));
                    }
                });
            }
            if board.is_empty() {
                return Err(Error::new("position", "sos needs at least 1 cell, got an empty board"));
            }
            if board.windows(3).any(|w| w == [S, O, S]) {
                return Err(Error::new(
                    "position",
                    format!("the board `{text}` holds SOS already: the game is over"),
                ));
            }
            Ok(Board::Written(board))
        }
    }
}

impl BuiltIn for Sos {
    fn name(&self) -> &'static str {
        "sos"
    }

    fn summary(&self) -> &'static str {
        "a row of cells; write S or O into an empty one; who completes S-O-S wins, a full row is a draw"
    }

    fn usage(&self) -> &'static str {
        "a number of empty cells, `14`, or a board of `.`, `S`, `O`: `..S.O.`"
    }

    fn verdict(&self, position: &Given, limits: &Limits) -> Result<Verdict, Error> {
        Ok(Verdict::Outcome(match read(position)? {
            Board::Empty(cells) => empty_board(cells),
            Board::Written(board) => Solver::new().outcome(&board, &limits.clock())?,
        }))
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let board = match read(position)? {
            Board::Empty(cells) if cells > LISTED_CELLS => {
                return Ok(Answer {
                    verdict: Verdict::Outcome(empty_board(cells)),
                    nimber: None,
                    moves: None,
                    line: None,
                    reason: "theorem: on an empty row of N cells the first player wins for odd N >= 7, the second \
                             for even N >= 16, else it is a draw"
                        .to_string(),
                });
            }
            Board::Empty(cells) => {
                vec![EMPTY; usize::try_from(cells).expect("at most LISTED_CELLS, just compared")]
            }
            Board::Written(board) => board,
        };
        let (mut solver, clock) = (Solver::new(), limits.clock());
        let (outcome, moves) = analyse(&mut solver, &board, &clock)?;
        let line = line(&mut solver, &board, &clock).map_err(|e| {
            e.only_so_far(format!("it is a {outcome}; a line of best play was not found to its end"))
        })?;
        let moves = moves.iter().map(Writing::to_string).collect();
        let reason = if has_threat(&board) {
            "one letter completes S-O-S".to_string()
        } else if outcome == Outcome::Draw {
            "exact search: the player who would profit from S__S cannot force it".to_string()
        } else {
            "exact search: one S__S can be forced, and whoever must write into it loses".to_string()
        };
        Ok(Answer {
            verdict: Verdict::Outcome(outcome),
            nimber: None,
            moves: Some(moves),
            line: Some(line),
            reason,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::explore::Explored;
    use super::super::game::{DRAW, Game, LOSS, Score};
    use super::super::memo::Memo;
    use super::super::proof_number::ProofNumber;
    use super::*;

    /// Results of all boards that fill `start`'s empty cells, by plain backward induction over whole boards.
    /// A board is its digits base 3 over the empty cells of `start`; a written letter raises the number.
    struct Plain {
        cells: Vec<usize>,
        start: Vec<u8>,
        rank: Vec<u8>,
    }

    impl Plain {
        fn new(start: &[u8]) -> Plain {
            let cells: Vec<usize> = (0..start.len()).filter(|&i| start[i] == EMPTY).collect();
            let total = 3usize.pow(u32::try_from(cells.len()).unwrap());
            let mut plain = Plain { cells, start: start.to_vec(), rank: vec![1; total] };
            let mut board = start.to_vec();
            for code in (0..total).rev() {
                let mut rest = code;
                for &cell in &plain.cells {
                    board[cell] = [EMPTY, S, O][rest % 3];
                    rest /= 3;
                }
                if board.windows(3).any(|w| w == [S, O, S]) {
                    // The player to move has just seen the other complete it.
                    plain.rank[code] = 0;
                    continue;
                }
                let mut best: Option<u8> = None;
                let mut place = 1;
                for &cell in &plain.cells {
                    if board[cell] == EMPTY {
                        for letter in [1, 2] {
                            best = best.max(Some(2 - plain.rank[code + letter * place]));
                        }
                    }
                    place *= 3;
                }
                plain.rank[code] = best.unwrap_or(1);
            }
            plain
        }

        fn rank(&self, board: &[u8]) -> u8 {
            let mut code = 0;
            for (&cell, place) in self.cells.iter().zip(std::iter::successors(Some(1), |p| Some(p * 3))) {
                code += place * [EMPTY, S, O].iter().position(|&c| c == board[cell]).unwrap();
            }
            self.rank[code]
        }
    }

    #[test]
    fn the_theorem_is_plain_search_of_whole_boards_to_15_cells() {
        for cells in 1..=15usize {
            let board = vec![EMPTY; cells];
            let plain = Plain::new(&board);
            assert_eq!(plain.rank(&plain.start), empty_board(cells as Int).rank(), "N={cells}");
        }
    }

    /// The rules over the trait: no components, no lemma.
    struct Row;

    impl Game for Row {
        type Position = Vec<u8>;
        type Move = (usize, u8);

        fn moves(&self, board: &Vec<u8>) -> Vec<(usize, u8)> {
            let empty = (0..board.len()).filter(|&cell| board[cell] == EMPTY);
            empty.flat_map(|cell| [(cell, S), (cell, O)]).collect()
        }

        fn after(&self, board: &Vec<u8>, &(cell, letter): &(usize, u8)) -> Vec<u8> {
            let mut board = board.clone();
            board[cell] = letter;
            board
        }

        fn end(&self, board: &Vec<u8>) -> Option<Score> {
            board.windows(3).any(|w| w == [S, O, S]).then_some(LOSS)
        }

        fn stuck(&self, _: &Vec<u8>) -> Score {
            DRAW
        }

        fn canonical(&self, board: Vec<u8>) -> Vec<u8> {
            canonical(&board).into()
        }
    }

    #[test]
    fn every_solver_of_the_trait_finds_the_same() {
        let limits = Limits::default();
        for cells in 1..=9usize {
            let board = vec![EMPTY; cells];
            let outcome = empty_board(cells as Int);
            let mut memo = Memo::new(&Row, &limits);
            assert_eq!(memo.outcome(&board).unwrap(), outcome, "memoised search, N={cells}");
            assert_eq!(
                ProofNumber::new(&Row, &limits).outcome(&board).unwrap(),
                outcome,
                "proof numbers, N={cells}"
            );
            let all = Explored::new(&Row, &board, &limits).unwrap();
            assert_eq!(all.outcome(&board), Some(outcome), "retrograde analysis, N={cells}");
            let best: Vec<String> = memo
                .best(&board)
                .unwrap()
                .moves
                .iter()
                .map(|&(cell, letter)| Writing { letter, cell }.to_string())
                .collect();
            assert_eq!(
                Sos.answer(&Given::Numbers(vec![cells as Int]), &limits).unwrap().moves,
                Some(best),
                "N={cells}"
            );
        }
    }

    #[test]
    fn the_solver_is_plain_search_on_every_board_of_9_cells() {
        for cells in 1..=9usize {
            let empty = vec![EMPTY; cells];
            let plain = Plain::new(&empty);
            let mut solver = Solver::new();
            let clock = Limits::default().clock();
            let mut board = empty.clone();
            for code in 0..3usize.pow(u32::try_from(cells).unwrap()) {
                let mut rest = code;
                for cell in &mut board {
                    *cell = [EMPTY, S, O][rest % 3];
                    rest /= 3;
                }
                if board.windows(3).any(|w| w == [S, O, S]) {
                    continue;
                }
                let found = solver.outcome(&board, &clock).unwrap();
                assert_eq!(found.rank(), plain.rank(&board), "{}", String::from_utf8_lossy(&board));
            }
        }
    }

    #[test]
    fn the_solver_is_the_theorem_to_40_cells() {
        let mut solver = Solver::new();
        for cells in 1..=40usize {
            let found = solver.outcome(&vec![EMPTY; cells], &Limits::default().clock()).unwrap();
            assert_eq!(found, empty_board(cells as Int), "N={cells}");
        }
    }

    #[test]
    fn boards_in_mid_game_have_their_result_and_exactly_their_best_moves() {
        let rows = include_str!("../../../../testdata/cases/sos/positions_extra.jsonl");
        let mut seen = 0;
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let board = row["board"].as_str().unwrap();
            let answer = Sos.answer(&Given::Text(board.to_string()), &Limits::default()).unwrap();
            let Verdict::Outcome(outcome) = answer.verdict else { panic!("sos has no score") };
            assert_eq!(outcome.word(), row["to_move_result"].as_str().unwrap(), "{board}");
            let mut best: Vec<&str> =
                row["best_moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
            let mut found: Vec<&str> = answer.moves.as_ref().unwrap().iter().map(String::as_str).collect();
            best.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, best, "{board}");
            seen += 1;
        }
        assert_eq!(seen, 48);
    }

    #[test]
    fn boards_that_are_none_are_refused() {
        for text in ["", "S.X", "SOS", "..SOS."] {
            assert!(Sos.verdict(&Given::Text(text.to_string()), &Limits::default()).is_err(), "{text}");
        }
        assert!(Sos.verdict(&Given::Numbers(vec![0]), &Limits::default()).is_err());
        assert!(Sos.verdict(&Given::Numbers(vec![-7]), &Limits::default()).is_err());
    }
}
