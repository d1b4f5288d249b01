//! Proof-number search: who wins, and nothing else, with as little looking as the shape of the game allows.
//!
//! For a question with two answers ("does the player to move win?") every position has a proof number and a
//! disproof number: how many positions at least must still be settled to answer yes, or no. Looking always where
//! the fewest are missing finds narrow wins deep in a game whose other branches are wide (Allis, van der Meulen and van
//! den Herik, "Proof-number search", Artificial Intelligence 66, 1994). This is the depth-first form df-pn with
//! thresholds and a table (Nagai 2002), as a loop over an explicit stack.
//!
//! Seen from the player to move, `phi` is what is missing for yes and `delta` for no; yes for one player is no for the
//! other, so phi is the least delta of the moves and delta the sum of their phis. A game that can be drawn
//! is two questions: does the player to move win, and if not, does it at least draw?
//!
//! It answers no more than that: for every best move, for nimbers and for scores there are the other solvers. Nothing is
//! thrown out of the table, see [`memo`](super::memo).

use rustc_hash::FxHashMap;

use super::Outcome;
use super::game::{self, Game, Score};
use super::memo::{came_again, wrong_score};
use crate::error::Error;
use crate::limits::{Clock, Limits};

/// The clock is asked once in so many steps.
const STEPS: u64 = 256;

/// "Cannot be proved": more than any count of positions.
const INFINITE: u32 = u32::MAX;

/// Who wins, in a game without loops and scores. One solver may be asked many questions; it remembers.
///
/// ```
/// use grundy::limits::Limits;
/// use grundy::search::{Outcome, game::Game, proof_number::ProofNumber};
///
/// /// Take one or two stones; whoever takes the last one wins.
/// struct Stones;
///
/// impl Game for Stones {
///     type Position = u32;
///     type Move = u32;
///
///     fn moves(&self, left: &u32) -> Vec<u32> {
///         (1..=2.min(*left)).collect()
///     }
///
///     fn after(&self, left: &u32, taken: &u32) -> u32 {
///         left - taken
///     }
/// }
///
/// let mut solver = ProofNumber::new(&Stones, &Limits::default());
/// assert_eq!(solver.outcome(&30)?, Outcome::Loss);
/// assert_eq!(solver.outcome(&31)?, Outcome::Win);
/// # Ok::<(), grundy::error::Error>(())
/// ```
pub struct ProofNumber<'g, G: Game> {
    game: &'g G,
    table: FxHashMap<Question<G::Position>, Entry>,
    clock: Clock,
    /// Bytes behind the positions of the table.
    behind: usize,
    steps: u64,
}

/// Does the player to move get at least this?
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question<P> {
    /// Canonical.
    position: P,
    wanted: Goal,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Goal {
    Win,
    Draw,
}

impl Goal {
    /// I get what I want unless the other gets what this is.
    fn denied(self) -> Goal {
        match self {
            Goal::Win => Goal::Draw,
            Goal::Draw => Goal::Win,
        }
    }

    fn met(self, score: Score) -> bool {
        match self {
            Goal::Win => score >= game::WIN,
            Goal::Draw => score >= game::DRAW,
        }
    }
}

/// What is missing for yes and for no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    phi: u32,
    delta: u32,
}

const YES: Numbers = Numbers { phi: 0, delta: INFINITE };
const NO: Numbers = Numbers { phi: INFINITE, delta: 0 };

#[derive(Clone, Copy)]
struct Entry {
    numbers: Numbers,
    on_line: bool,
}

struct Frame<P> {
    question: Question<P>,
    after: Vec<Reply<P>>,
    /// The search leaves when phi or delta reaches these.
    most: Numbers,
}

/// A move of a position on the line.
struct Reply<P> {
    /// The question that it leads to.
    question: Question<P>,
    /// Whether the same player answers that.
    again: bool,
    /// Its numbers when the position was entered; the table knows better once it was asked.
    first: Numbers,
}

impl<'g, G: Game> ProofNumber<'g, G> {
    /// A solver that knows nothing yet. The time starts now.
    #[must_use]
    pub fn new(game: &'g G, limits: &Limits) -> Self {
        ProofNumber { game, table: FxHashMap::default(), clock: limits.clock(), behind: 0, steps: 0 }
    }

    /// How many questions (a position, and win or draw) the table holds.
    #[must_use]
    pub fn questions(&self) -> usize {
        self.table.len()
    }

    /// Who wins.
    ///
    /// # Errors
    /// `loop` if a position can come again, `score` for a game with scores; `time`, `memory` or `cancelled`, with the
    /// proof numbers reached.
    pub fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Error> {
        if self.ask(position, Goal::Win)? {
            Ok(Outcome::Win)
        } else if self.ask(position, Goal::Draw).map_err(|e| {
            if e.is_limit() {
                let known = e.known().unwrap_or("not solved").to_string();
                e.only_so_far(format!("{known}; it is no win"))
            } else {
                e
            }
        })? {
            Ok(Outcome::Draw)
        } else {
            Ok(Outcome::Loss)
        }
    }

    /// Whether the player to move gets at least that: `Win`, or `Draw`. (`Loss` is always got.)
    ///
    /// # Errors
    /// As [`ProofNumber::outcome`].
    pub fn at_least(&mut self, position: &G::Position, wanted: Outcome) -> Result<bool, Error> {
        match wanted {
            Outcome::Loss => Ok(true),
            Outcome::Draw => self.ask(position, Goal::Draw),
            Outcome::Win => self.ask(position, Goal::Win),
        }
    }

    fn ask(&mut self, position: &G::Position, wanted: Goal) -> Result<bool, Error> {
        if self.game.scored() {
            return Err(Error::new("score", "proof-number search answers who wins, not how much one gets"));
        }
        let root = Question { position: self.game.canonical(position.clone()), wanted };
        let mut stack = Vec::new();
        let result = self.walk(root, &mut stack);
        if result.is_err() {
            for frame in &stack {
                if let Some(entry) = self.table.get_mut(&frame.question) {
                    entry.on_line = false;
                }
            }
        }
        result
    }

    fn walk(
        &mut self,
        root: Question<G::Position>,
        stack: &mut Vec<Frame<G::Position>>,
    ) -> Result<bool, Error> {
        // Only a proof reaches these.
        self.enter(root.clone(), Numbers { phi: INFINITE, delta: INFINITE }, stack)?;
        while let Some(frame) = stack.last() {
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS) {
                self.check(stack)?;
            }
            let (numbers, next) = self.look(frame);
            if numbers.phi >= frame.most.phi || numbers.delta >= frame.most.delta {
                let done = stack.pop().expect("the frame just looked at");
                self.table.insert(done.question, Entry { numbers, on_line: false });
                continue;
            }
            let next = next.expect("a position that is not settled has a move that is not");
            let most = next.most(frame.most, numbers);
            let question = frame.after[next.place].question.clone();
            self.enter(question, most, stack)?;
        }
        Ok(self.numbers(&root)?.phi == 0)
    }

    /// Puts a position on the line, unless it is settled at once.
    fn enter(
        &mut self,
        question: Question<G::Position>,
        most: Numbers,
        stack: &mut Vec<Frame<G::Position>>,
    ) -> Result<(), Error> {
        let numbers = match self.table.get(&question) {
            Some(entry) if entry.on_line => return Err(came_again()),
            Some(entry) => entry.numbers,
            None => {
                self.behind += self.game.heap_bytes(&question.position);
                self.first(&question)?
            }
        };
        let settled = numbers == YES || numbers == NO;
        self.table.insert(question.clone(), Entry { numbers, on_line: !settled });
        if settled {
            return Ok(());
        }
        let Question { position, wanted } = &question;
        let mut after = Vec::new();
        for chosen in self.game.moves(position) {
            let gain = self.game.gain(position, &chosen);
            if gain != 0 {
                return Err(wrong_score("a move gains", gain, false));
            }
            let again = self.game.again(position, &chosen);
            let wanted = if again { *wanted } else { wanted.denied() };
            let position = self.game.canonical(self.game.after(position, &chosen));
            let question = Question { position, wanted };
            let first = self.numbers(&question)?;
            after.push(Reply { question, again, first });
        }
        stack.push(Frame { question, after, most });
        Ok(())
    }

    /// The numbers of a question that was never asked: settled if the game is over, else one each.
    fn first(&self, question: &Question<G::Position>) -> Result<Numbers, Error> {
        let position = &question.position;
        let end = match self.game.end(position) {
            Some(end) => Some(end),
            None if self.game.moves(position).is_empty() => Some(self.game.stuck(position)),
            None => None,
        };
        if let Some(end) = end {
            if end.abs() > game::WIN {
                return Err(wrong_score("the game ends with", end, false));
            }
            return Ok(if question.wanted.met(end) { YES } else { NO });
        }
        let (least, most) = self.game.bounds(position);
        Ok(match (question.wanted.met(least), question.wanted.met(most)) {
            (true, _) => YES,
            (_, false) => NO,
            (false, true) => Numbers { phi: 1, delta: 1 },
        })
    }

    fn numbers(&self, question: &Question<G::Position>) -> Result<Numbers, Error> {
        match self.table.get(question) {
            Some(entry) => Ok(entry.numbers),
            None => self.first(question),
        }
    }

    /// What the moves come to, and the one to look at next.
    fn look(&self, frame: &Frame<G::Position>) -> (Numbers, Option<Next>) {
        let mut sum: u64 = 0;
        let mut never = true;
        let mut best: Option<Next> = None;
        let mut second = INFINITE;
        for (place, Reply { question, again, first }) in frame.after.iter().enumerate() {
            let numbers = self.table.get(question).map_or(*first, |entry| entry.numbers);
            // For the player to move here.
            let (phi, delta) =
                if *again { (numbers.phi, numbers.delta) } else { (numbers.delta, numbers.phi) };
            if phi == 0 {
                return (YES, None);
            }
            if delta != 0 {
                never = false;
            }
            sum += u64::from(delta);
            match &best {
                Some(known) if phi >= known.phi => second = second.min(phi),
                _ => {
                    second = best.map_or(INFINITE, |known| known.phi);
                    best = Some(Next { place, phi, delta, again: *again, second: INFINITE });
                }
            }
        }
        if never {
            return (NO, None);
        }
        let delta = u32::try_from(sum).unwrap_or(INFINITE).min(INFINITE - 1);
        let best = best.map(|next| Next { second, ..next });
        let phi = best.as_ref().map_or(INFINITE, |next| next.phi).min(INFINITE - 1);
        (Numbers { phi, delta }, best)
    }

    fn check(&self, stack: &[Frame<G::Position>]) -> Result<(), Error> {
        let entry = size_of::<Reply<G::Position>>();
        let frames = stack.iter().map(|frame| frame.after.capacity() * entry).sum::<usize>();
        let table = super::table_bytes::<(Question<G::Position>, Entry)>(self.table.capacity());
        let bytes = table + self.behind + frames + std::mem::size_of_val(stack);
        let enough =
            self.clock.check().and_then(|()| self.clock.memory(u64::try_from(bytes).unwrap_or(u64::MAX)));
        enough.map_err(|e| {
            let numbers = stack.first().map_or(YES, |frame| self.look(frame).0);
            e.so_far(format!(
                "not solved within {} questions; at least {} more for yes, {} for no",
                self.table.len(),
                numbers.phi,
                numbers.delta
            ))
        })
    }
}

/// The move to look at next, its numbers as the player to move sees them, and the phi of the second best.
struct Next {
    place: usize,
    phi: u32,
    delta: u32,
    again: bool,
    second: u32,
}

impl Next {
    /// How far to look there: until it is no longer the best, or this position is settled as far as `most` asks.
    fn most(&self, most: Numbers, here: Numbers) -> Numbers {
        let phi = most.phi.min(self.second.saturating_add(1));
        // The others' share of delta stays as it is.
        let delta = if most.delta == INFINITE {
            INFINITE
        } else {
            most.delta.saturating_sub(here.delta).saturating_add(self.delta)
        };
        if self.again { Numbers { phi, delta } } else { Numbers { phi: delta, delta: phi } }
    }
}

#[cfg(test)]
mod tests;
