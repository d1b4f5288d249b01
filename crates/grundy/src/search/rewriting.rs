//! String games: a move rewrites a part of a word by one of the rules of the game. Whoever cannot move loses.
//!
//! The rules come with the position, a rule a line (or parted by `;`):
//!
//! ```text
//! # Take two equal letters that stand side by side.
//! $x$x ->
//! start = abbacc
//! ```
//!
//! * Letters stand for themselves. `$x` (a dollar and a letter) stands for any one letter, the same wherever it occurs in
//!   the rule; `where $x != $y, ...` forbids two of them to be equal.
//! * `<` at the beginning of the left side is the beginning of the word, `>` at its end the end of the word.
//! * A rule applies wherever its left side stands; what it says on the right takes its place. Nothing on the right
//!   deletes.
//! * `start = word`, or `start=word` on the command line, is the position. `misere` on a line of its own makes the last
//!   mover lose. `part .` says that the letter `.` parts a word into independent words: no rule may mention it.
//!
//! Play may go on for ever or grow without end. Every word that can be reached is listed (within the limits) and
//! solved by retrograde analysis, so loops are draws. With `part` the words between the parting letters are
//! components, their nimbers are searched, and a word that comes again is an error; `part` and `misere` exclude one another,
//! because nimbers do not decide misère sums.

use std::collections::BTreeSet;

use super::answer::{self, Answer, Verdict, counted, spoken};
use super::explore::Explored;
use super::game::{Game, Impartial, LOSS, Score, WIN, Words};
use super::{BuiltIn, Given};
use crate::error::Error;
use crate::limits::Limits;

/// The longest word that is read.
const LONGEST: usize = 4096;

/// String games; a position is the rules and a word.
#[derive(Debug)]
pub struct Rewriting;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Letter(char),
    /// `$x`: a number of the rule's names.
    Any(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    at_start: bool,
    left: Vec<Symbol>,
    at_end: bool,
    right: Vec<Symbol>,
    unequal: Vec<(Symbol, Symbol)>,
    names: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rules {
    rules: Vec<Rule>,
    misere: bool,
    part: Option<char>,
}

/// A word, letter by letter.
type Word = Box<[char]>;

/// A move: where a rule applies (from 0), how many letters it takes, what it puts there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rewrite {
    at: usize,
    taken: usize,
    put: Word,
}

impl Rule {
    /// What the rule puts where its left side stands in the word from `at` on, if it does.
    fn apply(&self, word: &[char], at: usize) -> Option<Word> {
        let end = at + self.left.len();
        if end > word.len() || (self.at_start && at > 0) || (self.at_end && end < word.len()) {
            return None;
        }
        let mut bound: Vec<Option<char>> = vec![None; self.names];
        for (symbol, &letter) in self.left.iter().zip(&word[at..end]) {
            let fits = match *symbol {
                Symbol::Letter(wanted) => wanted == letter,
                Symbol::Any(name) => *bound[name].get_or_insert(letter) == letter,
            };
            if !fits {
                return None;
            }
        }
        let value = |symbol: &Symbol| match *symbol {
            Symbol::Letter(letter) => Some(letter),
            Symbol::Any(name) => bound[name],
        };
        if self.unequal.iter().any(|(a, b)| value(a) == value(b)) {
            return None;
        }
        self.right.iter().map(value).collect()
    }
}

impl Game for Rules {
    type Position = Word;
    type Move = Rewrite;

    fn moves(&self, word: &Word) -> Vec<Rewrite> {
        let mut found = BTreeSet::new();
        for at in 0..=word.len() {
            for rule in &self.rules {
                let inside = &word[at..(at + rule.left.len()).min(word.len())];
                if self.part.is_some_and(|part| inside.contains(&part)) {
                    continue;
                }
                if let Some(put) = rule.apply(word, at) {
                    found.insert(Rewrite { at, taken: rule.left.len(), put });
                }
            }
        }
        found.into_iter().collect()
    }

    fn after(&self, word: &Word, rewrite: &Rewrite) -> Word {
        let (before, after) = (&word[..rewrite.at], &word[rewrite.at + rewrite.taken..]);
        before.iter().chain(rewrite.put.iter()).chain(after).copied().collect()
    }

    fn stuck(&self, _: &Word) -> Score {
        if self.misere { WIN } else { LOSS }
    }

    fn heap_bytes(&self, word: &Word) -> usize {
        size_of::<char>() * word.len()
    }
}

impl Impartial for Rules {
    fn parts(&self, word: Word) -> Vec<Word> {
        match self.part {
            None => vec![word],
            Some(part) => word.split(|&letter| letter == part).map(Word::from).collect(),
        }
    }
}

impl Words for Rules {
    fn word(&self, word: &Word, rewrite: &Rewrite) -> String {
        let after: String = self.after(word, rewrite).iter().collect();
        if after.is_empty() { "(empty)".to_string() } else { after }
    }
}

/// Reads rules and the word to begin with.
fn read(text: &str) -> Result<(Rules, Word), Error> {
    let mut rules = Rules { rules: Vec::new(), misere: false, part: None };
    let mut start: Option<Word> = None;
    for line in text.split(['\n', ';']) {
        let line = line.split('#').next().unwrap_or(line);
        // `start=word` may stand among other words of a command line.
        let mut rest = String::new();
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("start") {
                Some("") if words.peek().is_some_and(|next| next.starts_with('=')) => {
                    let sign = words.next().expect("it was just seen");
                    match &sign[1..] {
                        "" => words.next().unwrap_or(""),
                        value => value,
                    }
                }
                Some(value) if value.starts_with('=') => match &value[1..] {
                    "" => words.next().unwrap_or(""),
                    value => value,
                },
                _ => {
                    rest += word;
                    rest.push(' ');
                    continue;
                }
            };
            if start.replace(value.chars().collect()).is_some() {
                return Err(fault("`start` is given twice"));
            }
        }
        let rest = rest.trim();
        if let Some((left, right)) = rest.split_once("->") {
            rules.rules.push(rule(left.trim(), right.trim())?);
        } else if rest == "misere" {
            rules.misere = true;
        } else if let Some(letter) = rest.strip_prefix("part ") {
            let mut letters = letter.trim().chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) => rules.part = Some(letter),
                _ => return Err(fault(format!("`part` is followed by one letter, not `{}`", letter.trim()))),
            }
        } else if !rest.is_empty() {
            return Err(fault(format!("`{rest}` is no rule")).help(HELP));
        }
    }
    if rules.rules.is_empty() {
        return Err(fault("no rule is given").help(HELP));
    }
    let start = start.ok_or_else(|| fault("which word?").help("say start=word"))?;
    if start.len() > LONGEST {
        return Err(fault(format!("a word has at most {LONGEST} letters, got {}", start.len())));
    }
    if let Some(part) = rules.part {
        if rules.misere {
            return Err(fault(
                "`part` and `misere` exclude one another: nimbers do not decide mis\u{e8}re sums",
            ));
        }
        let mentions = |rule: &Rule| {
            rule.at_start
                || rule.at_end
                || rule.left.iter().chain(&rule.right).any(|&s| s == Symbol::Letter(part))
        };
        if rules.rules.iter().any(mentions) {
            return Err(fault(format!(
                "`{part}` parts words: no rule may mention it, or the ends of the word"
            ))
            .help("put the parting letter between words only"));
        }
    }
    Ok((rules, start))
}

/// How rules are written, for advice.
const HELP: &str =
    "a rule is `left -> right`, as in `aab -> b`; `$x` is any letter, `<` and `>` are the ends of the word";

fn fault(message: impl Into<String>) -> Error {
    Error::new("position", message)
}

fn rule(left: &str, right: &str) -> Result<Rule, Error> {
    let (right, conditions) = match right.split_once("where") {
        Some((right, conditions)) => (right.trim(), conditions),
        None => (right, ""),
    };
    let mut names: Vec<char> = Vec::new();
    let at_start = left.starts_with('<');
    let left = left.strip_prefix('<').unwrap_or(left);
    let at_end = left.ends_with('>');
    let left = left.strip_suffix('>').unwrap_or(left);
    let left = symbols(left.trim(), &mut names, true)?;
    let right = symbols(right, &mut names, false)?;
    if left.is_empty() && !(at_start || at_end) {
        return Err(fault("the left side of a rule is empty: it would apply everywhere").help(HELP));
    }
    let mut unequal = Vec::new();
    for condition in conditions.split(',').map(str::trim).filter(|condition| !condition.is_empty()) {
        let sides = condition.split_once("!=").map(|(a, b)| (a.trim(), b.trim()));
        let one = |side: &str, names: &mut Vec<char>| match symbols(side, names, false)?[..] {
            [symbol] => Ok(symbol),
            _ => Err(fault(format!("`{side}` is no single letter"))),
        };
        let Some((a, b)) = sides else {
            return Err(fault(format!("`{condition}` is no condition: those are `$x != $y`")));
        };
        unequal.push((one(a, &mut names)?, one(b, &mut names)?));
    }
    Ok(Rule { at_start, left, at_end, right, unequal, names: names.len() })
}

/// The symbols of one side. The left side introduces names, the others may only use them.
fn symbols(side: &str, names: &mut Vec<char>, introduces: bool) -> Result<Vec<Symbol>, Error> {
    let mut found = Vec::new();
    let mut letters = side.chars();
    while let Some(letter) = letters.next() {
        found.push(match letter {
            '$' => {
                let name = letters
                    .next()
                    .filter(|name| name.is_alphanumeric())
                    .ok_or_else(|| fault(format!("`$` in `{side}` is followed by the letter of its name")))?;
                match names.iter().position(|&known| known == name) {
                    Some(number) => Symbol::Any(number),
                    None if introduces => {
                        names.push(name);
                        Symbol::Any(names.len() - 1)
                    }
                    None => {
                        return Err(fault(format!("`${name}` does not stand on the left side of its rule")));
                    }
                }
            }
            '<' | '>' => {
                return Err(fault(format!(
                    "`{letter}` is an end of the word: it stands at an end of the left side"
                )));
            }
            letter if letter.is_whitespace() => {
                return Err(fault(format!(
                    "`{side}` is no single word: a rule is written without blanks in it"
                ))
                .help("the word to begin with follows `start=`"));
            }
            letter => Symbol::Letter(letter),
        });
    }
    Ok(found)
}

impl BuiltIn for Rewriting {
    fn name(&self) -> &'static str {
        "strings"
    }

    fn summary(&self) -> &'static str {
        "rewrite a part of a word by one of the rules given; whoever cannot loses, play without end is a draw"
    }

    fn usage(&self) -> &'static str {
        "rules and a word: `'aa -> ; ab -> b' start=abba`, or @FILE and start=abba"
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let text = match position {
            Given::Text(text) => text,
            Given::Numbers(_) => return Err(fault("no rule is given").help(HELP)),
        };
        let (rules, start) = read(text)?;
        if rules.part.is_some() {
            return answer::by_nimbers(&rules, &start, limits, "words between the parting letters");
        }
        let all = Explored::new(&rules, &start, limits)?;
        let outcome = all.outcome(&start).expect("the start was reached");
        let best = all.best(&start);
        let distance = all.distance(&start);
        Ok(Answer {
            verdict: Verdict::Outcome(outcome),
            nimber: None,
            moves: Some(best.iter().map(|rewrite| rules.word(&start, rewrite)).collect()),
            line: Some(spoken(&rules, &start, &all.line(&start))),
            reason: format!(
                "retrograde analysis of {}{}",
                counted(all.positions(), "word", "words"),
                distance.map_or(String::new(), |moves| {
                    format!(
                        ": over after {moves} {}, if the loser delays it",
                        if moves == 1 { "move" } else { "moves" }
                    )
                })
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::*;

    fn answer(text: &str) -> Answer {
        Rewriting
            .answer(&Given::Text(text.to_string()), &Limits::default())
            .unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn outcome(text: &str) -> Outcome {
        match answer(text).verdict {
            Verdict::Outcome(outcome) => outcome,
            Verdict::Score(_) => panic!("no score"),
        }
    }

    #[test]
    fn rules_say_what_may_be_rewritten() {
        let moves = |text: &str| answer(text).moves.unwrap().join(" ");
        // From a lost word every move is best: these list all moves.
        assert_eq!(moves("aa -> ; start = aabaa"), "baa aab");
        assert_eq!(moves("$x$x -> $x start=aabb"), "abb aab");
        assert_eq!(moves("<a -> b; misere; start=aa"), "ba");
        assert_eq!(moves("a> -> b; misere; start=aa"), "ab");
        assert_eq!(moves("$x$y -> $y$x where $x != $y, $x != b; start=ab"), "ba");
        assert_eq!(moves("ab -> ; start=ab"), "(empty)");
        assert!(moves("ab -> ; start=ba").is_empty());
    }

    #[test]
    fn loops_are_draws_and_misere_turns_the_end_round() {
        assert_eq!(outcome("a -> b; b -> a; start=a"), Outcome::Draw);
        assert_eq!(outcome("a -> b; b -> a; b -> c; start=b"), Outcome::Win);
        assert_eq!(outcome("a -> ; start=aaa"), Outcome::Win);
        assert_eq!(outcome("misere; a -> ; start=aaa"), Outcome::Loss);
    }

    #[test]
    fn parts_have_nimbers() {
        // A row of 1s is a heap of Nim in which one letter is taken: worth its parity.
        let found = answer("part |; 1 -> ; start = 111|11|1");
        assert_eq!((found.nimber, found.verdict), (Some(0), Verdict::Outcome(Outcome::Loss)));
        assert_eq!(answer("part |; 1 -> ; 11 -> ; start = 11|1").nimber, Some(3));
        assert_eq!(outcome("1 -> ; 11 -> ; start = 11"), Outcome::Win);
    }

    #[test]
    fn nimbers_and_retrograde_analysis_agree() {
        // Kayles with pins `1`, gaps `.`: on one word with gaps, and as parts.
        for pins in 1..=12 {
            let row = "1".repeat(pins);
            let whole = outcome(&format!("1 -> .; 11 -> ..; start={row}"));
            let nimber = answer(&format!("part |; 1 -> .; 11 -> ..; start={row}|")).nimber;
            assert_eq!(whole, Outcome::won(nimber != Some(0)), "{pins}");
        }
    }

    #[test]
    fn words_that_grow_for_ever_reach_the_limit() {
        let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
        let error = Rewriting.answer(&Given::Text("a -> aa; start=a".into()), &limits).unwrap_err();
        assert_eq!(error.id(), "memory");
    }

    #[test]
    fn rules_that_are_none_are_refused() {
        for text in [
            "",
            "start=a",
            "a -> b",
            "a => b; start=a",
            "a -> b abba",
            "a -> $x; start=a",
            "$ -> a; start=a",
            "a < -> b; start=a",
            " -> a; start=a",
            "a -> b where a = b; start=a",
            "part ab; a -> ; start=a",
            "part |; a| -> ; start=a",
            "part |; misere; a -> ; start=a",
            "start=a; start=b; a -> b",
            "a -> b where ab != c; start=a",
            "part |; <a -> ; start=a",
        ] {
            assert_eq!(
                Rewriting.answer(&Given::Text(text.into()), &Limits::default()).unwrap_err().id(),
                "position",
                "{text}"
            );
        }
        assert!(Rewriting.answer(&Given::Numbers(vec![1]), &Limits::default()).is_err());
    }
}
