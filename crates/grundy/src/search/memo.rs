//! Memoised search: the score of a position by looking ahead, each position once.
//!
//! Alpha-beta search with a table (Knuth and Moore 1975; Slagle and Dixon 1969), written as a loop over an
//! explicit stack. For each position the table keeps two bounds on its score rather than the score: a cut-off
//! proves only one of them, and a later question with another window may be settled by it all the same. For
//! games that are won, drawn or lost the window is closed after a handful of comparisons, so the same code
//! serves outcomes and scores.
//!
//! The bounds and the symmetry of [`Game`] enter here: a position is looked up under its canonical form, and its
//! bounds are where the table begins. Games that fall into independent parts have
//! [`Nimbers`](super::nimbers::Nimbers).
//!
//! A position that comes again on the line being searched is error `loop`: what such a game is worth is a
//! question for [`Explored`](super::explore::Explored). Memory is counted by what the table holds; nothing is ever
//! thrown out of it, because a search that forgets may take forever without saying so.

use rustc_hash::FxHashMap;

use super::Outcome;
use super::game::{self, Between, Game, Score, UNKNOWN};
use crate::error::Error;
use crate::limits::{Clock, Limits};

/// The clock is asked once in so many steps.
const STEPS: u64 = 1024;

/// The score of a position and every move that reaches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best<M> {
    /// The score for the player to move.
    pub score: Score,
    /// Every best move, in the game's order; empty where the game is over.
    pub moves: Vec<M>,
}

/// Memoised search in a game without loops. One solver may be asked many questions; it remembers.
pub struct Memo<'g, G: Game> {
    game: &'g G,
    table: FxHashMap<G::Position, Known>,
    clock: Clock,
    /// Bytes behind the positions of the table.
    behind: usize,
    steps: u64,
}

#[derive(Clone, Copy)]
struct Known {
    between: Between,
    on_line: bool,
}

/// A position on the line being searched.
struct Frame<G: Game> {
    /// Canonical.
    position: G::Position,
    moves: Vec<G::Move>,
    /// How many of them are settled.
    next: usize,
    alpha: Score,
    beta: Score,
    /// The table's bounds when the position was entered.
    known: Between,
    /// What the moves settled so far come to.
    best: Between,
    /// How the move that is being looked at changes the score.
    gain: Score,
    again: bool,
}

impl<'g, G: Game> Memo<'g, G> {
    /// A solver that knows nothing yet. The time starts now.
    #[must_use]
    pub fn new(game: &'g G, limits: &Limits) -> Self {
        Memo { game, table: FxHashMap::default(), clock: limits.clock(), behind: 0, steps: 0 }
    }

    /// How many positions the table holds.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.table.len()
    }

    /// The score for the player to move.
    ///
    /// # Errors
    /// `loop` if a position can come again, `score` if the game breaks a promise of [`Game`]; `time`, `memory` or
    /// `cancelled`, with what is known about the position by then.
    pub fn score(&mut self, position: &G::Position) -> Result<Score, Error> {
        let found = self.search(position, -UNKNOWN - 1, UNKNOWN + 1).map_err(|e| self.so_far(e, position))?;
        debug_assert!(found.is_exact(), "a full window settles the score");
        Ok(found.least)
    }

    /// Who wins; for games without scores, and otherwise the sign of the score.
    ///
    /// # Errors
    /// As [`Memo::score`].
    pub fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Error> {
        let found =
            self.search(position, game::LOSS - 1, game::WIN + 1).map_err(|e| self.so_far(e, position))?;
        Ok(match (found.least, found.most) {
            (1.., _) => Outcome::Win,
            (_, ..=-1) => Outcome::Loss,
            _ => Outcome::Draw,
        })
    }

    /// Whether the score is at least `wanted`: cheaper than the score itself.
    ///
    /// # Errors
    /// As [`Memo::score`].
    pub fn at_least(&mut self, position: &G::Position, wanted: Score) -> Result<bool, Error> {
        let found =
            self.search(position, wanted.saturating_sub(1), wanted).map_err(|e| self.so_far(e, position))?;
        Ok(found.least >= wanted)
    }

    /// The score and every best move.
    ///
    /// # Errors
    /// As [`Memo::score`].
    pub fn best(&mut self, position: &G::Position) -> Result<Best<G::Move>, Error> {
        let score = self.score(position)?;
        let mut moves = Vec::new();
        if self.game.end(position).is_none() {
            let all = self.game.moves(position);
            let count = all.len();
            for (settled, chosen) in all.into_iter().enumerate() {
                let reaches = self.reaches(position, &chosen, score);
                if reaches.map_err(|e| {
                    e.only_so_far(format!(
                        "the score is {score}; {settled} of {count} moves compared with it"
                    ))
                })? {
                    moves.push(chosen);
                }
            }
        }
        Ok(Best { score, moves })
    }

    /// A line of best play: at each step the first best move, to the end.
    ///
    /// # Errors
    /// As [`Memo::score`].
    pub fn line(&mut self, position: &G::Position) -> Result<Vec<G::Move>, Error> {
        let mut line = Vec::new();
        let mut at = position.clone();
        while self.game.end(&at).is_none() {
            let score = self.score(&at)?;
            let mut found = None;
            for chosen in self.game.moves(&at) {
                if self.reaches(&at, &chosen, score)? {
                    found = Some(chosen);
                    break;
                }
            }
            let Some(chosen) = found else { break };
            at = self.game.after(&at, &chosen);
            line.push(chosen);
        }
        Ok(line)
    }

    /// Whether a move is worth at least `score`, the score of its position: whether it is best.
    fn reaches(&mut self, position: &G::Position, chosen: &G::Move, score: Score) -> Result<bool, Error> {
        let gain = self.game.gain(position, chosen);
        let after = self.game.after(position, chosen);
        if self.game.again(position, chosen) {
            let found = self.search(&after, score - gain - 1, score - gain)?;
            Ok(found.least >= score - gain)
        } else {
            // gain - value >= score, that is value <= gain - score.
            let found = self.search(&after, gain - score, gain - score + 1)?;
            Ok(found.most <= gain - score)
        }
    }

    /// What is known about a position when a limit is reached.
    fn so_far(&self, error: Error, position: &G::Position) -> Error {
        if !error.is_limit() {
            return error;
        }
        let searched = self.table.len();
        let mut known = self.known(position);
        // The table learns about a position when it is left; its moves may be known before that.
        for chosen in self.game.moves(position) {
            let after = self.known(&self.game.after(position, &chosen));
            let gain = self.game.gain(position, &chosen);
            known.least = known.least.max(after.before(gain, self.game.again(position, &chosen)).least);
        }
        let known = match (self.game.scored(), known.least, known.most) {
            (true, ..) if known.least <= -UNKNOWN && known.most >= UNKNOWN => {
                "nothing about its score".to_string()
            }
            (true, ..) => format!("its score is {known}"),
            (false, 1.., _) => "it is a win".to_string(),
            (false, 0, 0) => "it is a draw".to_string(),
            (false, 0, _) => "it is a draw or a win".to_string(),
            (false, _, ..=-1) => "it is a loss".to_string(),
            (false, _, 0) => "it is a loss or a draw".to_string(),
            (false, ..) => "nothing about its outcome".to_string(),
        };
        error.only_so_far(format!("not solved within {searched} positions; {known}"))
    }

    fn known(&self, position: &G::Position) -> Between {
        let position = self.game.canonical(position.clone());
        if let Some(known) = self.table.get(&position) {
            return known.between;
        }
        let (least, most) = self.game.bounds(&position);
        Between { least, most }
    }

    /// Bounds on the score that settle it for the window: exact, or at least `beta`, or at most `alpha`.
    fn search(&mut self, root: &G::Position, alpha: Score, beta: Score) -> Result<Between, Error> {
        let mut stack: Vec<Frame<G>> = Vec::new();
        let result = self.walk(root, alpha, beta, &mut stack);
        if result.is_err() {
            // The line is given up: its positions may be entered again.
            for frame in &stack {
                if let Some(known) = self.table.get_mut(&frame.position) {
                    known.on_line = false;
                }
            }
        }
        result
    }

    fn walk(
        &mut self,
        root: &G::Position,
        alpha: Score,
        beta: Score,
        stack: &mut Vec<Frame<G>>,
    ) -> Result<Between, Error> {
        let mut value = self.enter(root.clone(), alpha, beta, stack)?;
        loop {
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS) {
                self.check(stack)?;
            }
            let Some(frame) = stack.last_mut() else {
                return Ok(value.expect("an empty stack leaves the value of the root"));
            };
            if let Some(after) = value.take() {
                let worth = after.before(frame.gain, frame.again);
                frame.best.least = frame.best.least.max(worth.least);
                frame.best.most = frame.best.most.max(worth.most);
                frame.next += 1;
            }
            let cut = frame.best.least >= frame.beta.min(frame.known.most);
            if cut || frame.next == frame.moves.len() {
                let done = stack.pop().expect("the frame just looked at");
                value = Some(self.leave(done, cut)?);
                continue;
            }
            let chosen = &frame.moves[frame.next];
            frame.gain = self.game.gain(&frame.position, chosen);
            frame.again = self.game.again(&frame.position, chosen);
            if frame.gain.abs() > game::GREATEST || (frame.gain != 0 && !self.game.scored()) {
                return Err(wrong_score("a move gains", frame.gain, self.game.scored()));
            }
            let position = self.game.after(&frame.position, chosen);
            let floor = frame.alpha.max(frame.best.least);
            let (low, high) = (floor.saturating_sub(frame.gain), frame.beta.saturating_sub(frame.gain));
            let (alpha, beta) = if frame.again { (low, high) } else { (-high, -low) };
            value = self.enter(position, alpha, beta, stack)?;
        }
    }

    /// The bounds of a position if they settle the window, else a new frame on the stack.
    fn enter(
        &mut self,
        position: G::Position,
        alpha: Score,
        beta: Score,
        stack: &mut Vec<Frame<G>>,
    ) -> Result<Option<Between>, Error> {
        let position = self.game.canonical(position);
        let known = match self.table.get(&position) {
            Some(known) if known.on_line => return Err(came_again()),
            Some(known) => known.between,
            None => {
                if let Some(end) = self.game.end(&position) {
                    return self.checked(end).map(Some);
                }
                let (least, most) = self.game.bounds(&position);
                Between { least, most }
            }
        };
        if known.is_exact() || known.least >= beta || known.most <= alpha {
            return Ok(Some(known));
        }
        let moves = self.game.moves(&position);
        if moves.is_empty() {
            return self.checked(self.game.stuck(&position)).map(Some);
        }
        let entry = Known { between: known, on_line: true };
        if self.table.insert(position.clone(), entry).is_none() {
            self.behind += self.game.heap_bytes(&position);
        }
        let best = Between { least: -UNKNOWN - 1, most: -UNKNOWN - 1 };
        stack.push(Frame { position, moves, next: 0, alpha, beta, known, best, gain: 0, again: false });
        Ok(None)
    }

    /// Writes what was found into the table. After a cut only the lower bound was found.
    fn leave(&mut self, done: Frame<G>, cut: bool) -> Result<Between, Error> {
        let least = done.best.least.max(done.known.least);
        let most = if cut { done.known.most } else { done.best.most.min(done.known.most) };
        if least > most {
            return Err(Error::new(
                "bounds",
                format!(
                    "the bounds that the game gives for a position are wrong: it was said to be {}, and is {}",
                    done.known, done.best
                ),
            )
            .help("`bounds` must hold for every position"));
        }
        let between = Between { least, most };
        self.table.insert(done.position, Known { between, on_line: false });
        Ok(between)
    }

    fn checked(&self, end: Score) -> Result<Between, Error> {
        let greatest = if self.game.scored() { game::GREATEST } else { game::WIN };
        if end.abs() > greatest {
            return Err(wrong_score("the game ends with", end, self.game.scored()));
        }
        Ok(Between::exactly(end))
    }

    fn check(&self, stack: &[Frame<G>]) -> Result<(), Error> {
        self.clock.check()?;
        let frames = stack.iter().map(|frame| frame.moves.capacity() * size_of::<G::Move>()).sum::<usize>();
        let table = super::table_bytes::<(G::Position, Known)>(self.table.capacity());
        let bytes = table + self.behind + frames + std::mem::size_of_val(stack);
        self.clock.memory(u64::try_from(bytes).unwrap_or(u64::MAX))
    }
}

/// The error for a game in which a position can come again.
pub(super) fn came_again() -> Error {
    Error::new("loop", "a position can come again, so this game need not end")
        .help("games with loops are solved by retrograde analysis: `search::explore`")
}

/// The error for a game whose scores break what `Game` asks for.
pub(super) fn wrong_score(what: &str, score: Score, scored: bool) -> Error {
    if scored {
        Error::new("score", format!("{what} {score}, and a single score is at most {}", game::GREATEST))
    } else {
        Error::new("score", format!("{what} {score} in a game that says it is only won, drawn or lost"))
            .help("a game about how much one gets says so: `scored`")
    }
}

#[cfg(test)]
mod tests;
