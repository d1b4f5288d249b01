//! Judges' problems as data: a game, how to read a position from the input, what to print.
//!
//! A problem file ([`Problem::parse`]) describes the input once, and [`Problem::solve`] makes of it a strict reader,
//! the position, and the answer in the judge's words. Nothing here knows a particular problem: heaps are valued by
//! [`Values`](crate::values::Values), games that are no sums by [`search`](crate::search), misere play by
//! [`position`](crate::position).
//!
//! The whole input is read and checked before the first byte is printed. An input of several cases is noted as plain
//! numbers while it is checked, or read a second time if it is long, so that memory holds one case at a time; the
//! alternatives were to hold all cases, or to answer before all is checked and to hold the answers.
//!
//! The parts: `parse` reads the file, with `names` for what its names mean; `tokens`, `read`, `narrow` and `tape` read a
//! judge's input; `place` turns a case into heaps; `answer` decides and finds moves; `template` prints.

mod answer;
mod names;
mod narrow;
mod parse;
mod place;
mod read;
mod tape;
mod template;
mod tokens;

use std::io::Write;

use grundy_rule::diagnostic::{Diagnostic, Span};
use grundy_rule::expr::{Cond, Expr, Int, ParamId, Set, Slot};
use grundy_rule::rule::Param;
use grundy_rule::{Rule, ast};

use crate::error::Error;
use crate::limits::Limits;
use crate::search::{BuiltIn, Verdict};
use narrow::Narrow;
use place::Place;
use template::Say;

/// A problem file, read and checked.
///
/// ```
/// use grundy::{limits::Limits, problem::Problem};
/// let text = r#"
/// problem "last-stone"
/// game      "n -> n - t where t in 1..m"(m)
/// input     T in 1..100 cases
///           n in 1..1000, m in 1..1000
/// position  n
/// output    win "first {to}"
///           lose "second"
/// "#;
/// let problem = Problem::parse(text).unwrap();
/// let mut out = Vec::new();
/// problem.solve(b"2\n23 2\n4 3\n", &mut out, &Limits::default()).unwrap();
/// assert_eq!(out, b"first 21\nsecond\n");
///
/// let error = problem.solve(b"1\n5 0", &mut out, &Limits::default()).unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 3: case 1: `m` = 0 is out of range 1..1000");
/// ```
#[derive(Debug)]
pub struct Problem {
    source: String,
    name: String,
    game: Game,
    /// Read once, before the cases.
    before: Vec<Item>,
    repeat: Repeat,
    /// Read for each case.
    items: Vec<Item>,
    places: Vec<Place>,
    says: Vec<Say>,
    /// How many numbers the frame of a case holds.
    slots: usize,
    /// The lists and pairs, empty.
    lists: Vec<Param>,
    /// Whether the output mentions the list.
    said: Vec<bool>,
    texts: usize,
    specials: Specials,
}

/// Where the names that only templates know live.
#[derive(Clone, Debug)]
struct Specials {
    index: Slot,
    from: (Slot, ParamId),
    to: (Slot, ParamId),
    count: Slot,
    nimber: Slot,
    score: Slot,
    case: Slot,
    /// The rule's variables by name.
    variables: Vec<(String, Slot)>,
}

/// What is played.
enum Game {
    /// A game with its own solver.
    BuiltIn(&'static dyn BuiltIn),
    /// A rule.
    Rule(Box<RuleGame>),
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Game::BuiltIn(game) => write!(f, "{}", game.name()),
            Game::Rule(game) => game.fmt(f),
        }
    }
}

#[derive(Debug)]
struct RuleGame {
    /// The rule; the parameters in `bound` get their values from each case.
    rule: Rule,
    /// The file it was read from, for the law that it cites.
    file: ast::File,
    misere: bool,
    /// The rule's parameters that the input gives.
    bound: Vec<(ParamId, Bound)>,
}

/// Where a parameter's value comes from.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Number(Slot),
    List(ParamId),
}

/// How often the items are read.
#[derive(Debug)]
enum Repeat {
    /// Once.
    Once,
    /// As often as a number says that is read before.
    Times(NumberItem),
    /// Until nothing is left: at least once, unless the judge's input may be empty.
    ToEnd {
        /// Whether there may be no case at all.
        none: bool,
    },
    /// Until a case fulfils the condition, which is no case itself and ends the input.
    Until(Cond),
}

/// What is read.
#[derive(Debug)]
enum Item {
    Number(NumberItem),
    List(ListItem),
    Rows(RowsItem),
    Text(TextItem),
}

/// `n in 1..10`
#[derive(Clone, Debug)]
struct NumberItem {
    name: String,
    slot: Slot,
    allowed: Allowed,
    /// Whether the condition that ends the input mentions it: then its range is checked afterwards.
    in_until: bool,
}

/// The set a number must be in.
#[derive(Clone, Debug)]
struct Allowed {
    set: Set,
    /// As written.
    text: String,
    /// Whether the text holds names, so that messages say what it comes to.
    named: bool,
}

/// `a[1..n] in 1..10 distinct`
#[derive(Debug)]
struct ListItem {
    name: String,
    list: ParamId,
    index: (Expr, Expr),
    allowed: Allowed,
    distinct: bool,
    /// Whether only the position needs the list, and no expression or parameter: then it is kept narrow.
    narrow: bool,
}

/// `banned[1..m] : (x in 1..10, y in 1..x) distinct`
#[derive(Debug)]
struct RowsItem {
    name: String,
    pairs: ParamId,
    index: (Expr, Expr),
    columns: [Column; 2],
    distinct: bool,
    /// Whether something needs the pairs, and each column as a list.
    keep_pairs: bool,
    keep_columns: bool,
}

#[derive(Debug)]
struct Column {
    name: String,
    /// Holds the number of the row that is read.
    slot: Slot,
    list: ParamId,
    allowed: Allowed,
    /// Whether its set depends on the row.
    varies: bool,
}

/// `s : string of "IX"`, `s[1..n] : string of "IX"`
#[derive(Debug)]
struct TextItem {
    name: String,
    text: usize,
    alphabet: String,
    /// The index range, which gives the length.
    index: Option<(Expr, Expr)>,
}

/// One case, read.
#[derive(Clone, Debug)]
struct Case {
    frame: Vec<Int>,
    lists: Vec<Param>,
    /// The lists that are kept narrow, which are empty in `lists`; one for each of `lists`.
    narrow: Vec<Narrow>,
    /// Byte ranges of the input.
    texts: Vec<(usize, usize)>,
    /// From 1.
    number: u64,
}

/// Takes a case that was answered: its verdict, and the output so far.
type Answered<'a> = dyn FnMut(Verdict, &mut Vec<u8>) -> Result<(), Error> + 'a;

impl Problem {
    /// Reads a problem file. The game is inline, in the catalogue, or a code; for files see
    /// [`Problem::parse_with`].
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn parse(text: &str) -> Result<Problem, Vec<Diagnostic>> {
        Problem::parse_with(text, &mut |path| Err(format!("`{path}`: files are not read here")))
    }

    /// Reads a problem file whose game may be a file: `load` gives the content of a path as written.
    ///
    /// # Errors
    /// All that is wrong with it, what `load` says included.
    pub fn parse_with(
        text: &str,
        load: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Result<Problem, Vec<Diagnostic>> {
        parse::parse(text, load)
    }

    /// The name in the first line.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file's text.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Answers a judge's input in the judge's words.
    ///
    /// # Errors
    /// `input`: what is wrong with the input, in one line with its place, before anything is printed. `io` if `out`
    /// fails. Else what the game says: a limit, a heap too large to be valued, a rule that loops.
    pub fn solve(&self, input: &[u8], out: &mut dyn Write, limits: &Limits) -> Result<(), Error> {
        let mut buffer = Vec::with_capacity(1 << 16);
        self.each_case(input, limits, &mut buffer, &mut |_, buffer| {
            if buffer.len() >= 1 << 15 {
                out.write_all(buffer)?;
                buffer.clear();
            }
            Ok(())
        })?;
        out.write_all(&buffer)?;
        out.flush()?;
        Ok(())
    }

    /// The answers to a judge's input, one for each case.
    ///
    /// # Errors
    /// As [`Problem::solve`].
    ///
    /// ```
    /// use grundy::{limits::Limits, problem::{self, Problem}, search::{Outcome, Verdict}};
    /// let problem = Problem::parse(problem::find("51nod-1661").unwrap()).unwrap();
    /// let cases = problem.answers(b"3 2  2 3 4\n2 2  5 5", &Limits::default()).unwrap();
    /// assert_eq!(cases[0].output, "Alice 3 2\n");
    /// assert_eq!((cases[1].case, cases[1].verdict), (2, Verdict::Outcome(Outcome::Loss)));
    /// ```
    pub fn answers(&self, input: &[u8], limits: &Limits) -> Result<Vec<CaseAnswer>, Error> {
        let mut answers = Vec::new();
        self.each_case(input, limits, &mut Vec::new(), &mut |verdict, buffer| {
            let output = String::from_utf8_lossy(buffer).into_owned();
            answers.push(CaseAnswer { case: answers.len() as u64 + 1, verdict, output });
            buffer.clear();
            Ok(())
        })?;
        Ok(answers)
    }

    /// Reads all of the input, then answers it case by case. `done` is told each verdict, with what was printed and is
    /// still in the buffer.
    fn each_case(
        &self,
        input: &[u8],
        limits: &Limits,
        buffer: &mut Vec<u8>,
        done: &mut Answered<'_>,
    ) -> Result<(), Error> {
        let mut reader = read::Reader::new(self, input);
        let mut tape = tape::Tape::new(self);
        let mut cases: u64 = 0;
        while reader.next_case()? {
            cases += 1;
            // The only case is still there when it is answered.
            if cases > 1 || reader.more_follows() {
                tape.note(reader.case());
            }
        }
        let mut answerer = answer::Answerer::new(self, limits);
        // The one case is still there, unless what ends the input was read over it.
        if cases == 1 && !matches!(self.repeat, Repeat::Until(_)) {
            let verdict = answerer.answer(reader.case(), input, buffer)?;
            return done(verdict, buffer);
        }
        let mut again = read::Reader::new(self, input);
        reader.case().number = 0;
        for _ in 0..cases {
            let case = if tape.is_whole() {
                tape.play(reader.case());
                reader.case()
            } else {
                again.next_case()?;
                again.case()
            };
            let verdict = answerer.answer(case, input, buffer)?;
            done(verdict, buffer)?;
        }
        Ok(())
    }
}

/// The answer to one case of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseAnswer {
    /// Which case, from 1.
    pub case: u64,
    /// Who wins, or the score.
    pub verdict: Verdict,
    /// What a judge expects to read.
    pub output: String,
}

/// The problems that come with the program: name and text.
#[must_use]
pub fn catalogue() -> &'static [(&'static str, &'static str)] {
    &CATALOGUE
}

/// The text of the problem with that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static str> {
    CATALOGUE.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

macro_rules! embedded {
    ($($file:literal),* $(,)?) => {
        [$(($file, include_str!(concat!("../../../problems/", $file, ".problem")))),*]
    };
}

/// One line a file of `problems/`; a test compares with the folder.
static CATALOGUE: [(&str, &str); 6] = embedded![
    "51nod-1661",
    "abc255-g",
    "codem-2017-melon",
    "ec-final-2017-l",
    "hdu-3537",
    "hnoi-2007-split",
];

/// A fault of the input, in one line with its place.
#[cold]
fn input_error(input: &[u8], at: usize, message: &str) -> Error {
    let (line, column) = tokens::place(input, at);
    Error::new("input", format!("line {line}, column {column}: {message}"))
}

/// The place of a name or text of a problem file.
fn at(span: Span, id: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(id, span, message)
}

#[cfg(test)]
mod tests;
