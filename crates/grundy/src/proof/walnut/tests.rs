//! The files are read back by a reader of their own and compared with the rule: automata run on numbers, formulas are evaluated with
//! every quantifier tried out over a small range.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::{BTreeMap, BTreeSet};

use grundy_rule::moves::Moves;

use super::super::{By, Outcome, Request, prove_request};
use super::*;
use crate::limits::Limits;
use crate::table::reference::Reference;

/// An automaton as its file says.
struct Read {
    base: u64,
    accepting: Vec<bool>,
    next: BTreeMap<(usize, Vec<u64>), usize>,
}

impl Read {
    fn new(text: &str) -> Read {
        let mut lines = text.lines();
        let systems: Vec<&str> = lines.next().unwrap().split(' ').collect();
        let base = systems[0].strip_prefix("lsd_").unwrap().parse().unwrap();
        assert!(systems.iter().all(|system| *system == systems[0]));
        let mut read = Read { base, accepting: Vec::new(), next: BTreeMap::new() };
        for line in lines.filter(|line| !line.is_empty()) {
            match line.split_once(" -> ") {
                Some((digits, to)) => {
                    let digits: Vec<u64> = digits.split(' ').map(|d| d.parse().unwrap()).collect();
                    assert!(digits.len() == systems.len() && digits.iter().all(|d| *d < base));
                    let from = read.accepting.len() - 1;
                    assert!(read.next.insert((from, digits), to.parse().unwrap()).is_none());
                }
                None => {
                    let (state, output) = line.split_once(' ').unwrap();
                    assert_eq!(state.parse::<usize>().unwrap(), read.accepting.len());
                    read.accepting.push(output == "1");
                }
            }
        }
        read
    }

    fn accepts(&self, numbers: &[u64]) -> bool {
        let mut rest = numbers.to_vec();
        let mut state = 0;
        while rest.iter().any(|n| *n > 0) {
            let digits = rest.iter().map(|n| n % self.base).collect();
            let Some(to) = self.next.get(&(state, digits)) else { return false };
            state = *to;
            rest.iter_mut().for_each(|n| *n /= self.base);
        }
        self.accepting[state]
    }
}

/// A formula.
enum Formula {
    Quantified(bool, Vec<String>, Box<Formula>),
    Not(Box<Formula>),
    /// `&`, `|`, `=>` or `<=>`
    Joined(Box<Formula>, String, Box<Formula>),
    Compared(Sum, String, Sum),
    Call(String, Vec<Sum>),
}

/// Terms: a number times a name, or a number.
type Sum = Vec<(u64, Option<String>)>;

struct Reader<'a> {
    words: Vec<&'a str>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let mut words = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = match rest.chars().next().unwrap() {
                c if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
                '=' | '<' | '>' => rest.find(|c| !"<=>".contains(c)).unwrap(),
                _ => 1,
            };
            words.push(&rest[..length]);
            rest = rest[length..].trim_start();
        }
        Reader { words, at: 0 }
    }

    fn peek(&self) -> &'a str {
        self.words.get(self.at).copied().unwrap_or("")
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        self.at += usize::from(found);
        found
    }

    fn next(&mut self) -> &'a str {
        self.at += 1;
        self.words[self.at - 1]
    }

    /// Joined by one sign only, as they are written: nobody need know which binds tighter.
    fn formula(&mut self) -> Formula {
        let mut left = self.single();
        let mut joined_by: Option<&str> = None;
        while ["&", "|", "=>", "<=>"].contains(&self.peek()) {
            let sign = self.next();
            assert!(joined_by.is_none_or(|before| before == sign && sign != "=>"), "{:?}", self.words);
            joined_by = Some(sign);
            left = Formula::Joined(Box::new(left), sign.to_string(), Box::new(self.single()));
        }
        left
    }

    fn single(&mut self) -> Formula {
        match self.peek() {
            quantifier @ ("E" | "A") => {
                self.next();
                let mut names = vec![self.next().to_string()];
                while self.eat(",") {
                    names.push(self.next().to_string());
                }
                Formula::Quantified(quantifier == "A", names, Box::new(self.single()))
            }
            "~" => {
                self.next();
                Formula::Not(Box::new(self.single()))
            }
            "(" => {
                self.next();
                let inner = self.formula();
                assert!(self.eat(")"));
                inner
            }
            "$" => {
                self.next();
                let name = self.next().to_string();
                assert!(self.eat("("));
                let mut arguments = vec![self.sum()];
                while self.eat(",") {
                    arguments.push(self.sum());
                }
                assert!(self.eat(")"));
                Formula::Call(name, arguments)
            }
            _ => {
                let left = self.sum();
                let sign = self.next().to_string();
                Formula::Compared(left, sign, self.sum())
            }
        }
    }

    fn sum(&mut self) -> Sum {
        let mut terms = Vec::new();
        loop {
            let word = self.next();
            terms.push(match word.parse() {
                Ok(factor) if self.eat("*") => (factor, Some(self.next().to_string())),
                Ok(number) => (number, None),
                Err(_) => (1, Some(word.to_string())),
            });
            if !self.eat("+") {
                return terms;
            }
        }
    }
}

/// What the files say.
struct World {
    automata: BTreeMap<String, Read>,
    defined: BTreeMap<String, (Vec<String>, Formula)>,
    /// Entries are tried up to the first, everything else up to the second.
    ends: (u64, u64),
}

type Known = BTreeMap<String, u64>;

impl World {
    fn sum(known: &Known, sum: &Sum) -> u64 {
        sum.iter().map(|(factor, name)| factor * name.as_ref().map_or(1, |name| known[name])).sum()
    }

    fn holds(&self, formula: &Formula, known: &mut Known) -> bool {
        match formula {
            Formula::Quantified(all, names, inner) => self.tried(*all, names, inner, known),
            Formula::Not(inner) => !self.holds(inner, known),
            Formula::Joined(a, sign, b) => match sign.as_str() {
                "&" => self.holds(a, known) && self.holds(b, known),
                "|" => self.holds(a, known) || self.holds(b, known),
                "=>" => !self.holds(a, known) || self.holds(b, known),
                _ => self.holds(a, known) == self.holds(b, known),
            },
            Formula::Compared(a, sign, b) => {
                let (a, b) = (World::sum(known, a), World::sum(known, b));
                match sign.as_str() {
                    "=" => a == b,
                    ">=" => a >= b,
                    "<" => a < b,
                    other => panic!("{other}"),
                }
            }
            Formula::Call(name, arguments) => {
                let numbers: Vec<u64> = arguments.iter().map(|sum| World::sum(known, sum)).collect();
                match self.defined.get(name) {
                    None => self.automata[name].accepts(&numbers),
                    Some((names, formula)) => {
                        let mut inner = names.iter().cloned().zip(numbers).collect();
                        self.holds(formula, &mut inner)
                    }
                }
            }
        }
    }

    fn tried(&self, all: bool, names: &[String], inner: &Formula, known: &mut Known) -> bool {
        let Some((name, rest)) = names.split_first() else { return self.holds(inner, known) };
        let end = if name.starts_with('n') { self.ends.0 } else { self.ends.1 };
        let before = known.get(name).copied();
        let mut result = all;
        for value in 0..=end {
            known.insert(name.clone(), value);
            result = self.tried(all, rest, inner, known);
            if result != all {
                break;
            }
        }
        match before {
            Some(before) => known.insert(name.clone(), before),
            None => known.remove(name),
        };
        result
    }
}

/// The names in a formula that no quantifier binds, as Walnut sorts them.
fn free(formula: &Formula, bound: &[String], all: &mut BTreeSet<String>) {
    let mut sum = |sum: &Sum| {
        let names = sum.iter().filter_map(|(_, name)| name.clone());
        all.extend(names.filter(|name| !bound.contains(name)));
    };
    match formula {
        Formula::Quantified(_, names, inner) => {
            // Walnut refuses to bind a name that does not occur.
            let mut within = BTreeSet::new();
            free(inner, &[], &mut within);
            assert!(names.iter().all(|name| within.contains(name)), "{names:?}");
            free(inner, &[bound, names].concat(), all);
        }
        Formula::Not(inner) => free(inner, bound, all),
        Formula::Joined(a, _, b) => {
            free(a, bound, all);
            free(b, bound, all);
        }
        Formula::Compared(a, _, b) => {
            sum(a);
            sum(b);
        }
        Formula::Call(_, arguments) => arguments.iter().for_each(sum),
    }
}

/// Reads the files, evaluates every statement, and compares automata and options with the rule. Gives the number of statements.
fn compared(text: &str, ends: (u64, u64)) -> usize {
    let rule = Rule::parse(text, &[]).unwrap().0;
    let request = Request { by: Some(By::Automatic), ..Request::default() };
    let Outcome::Proved(proof) = prove_request(&rule, &request, &Limits::default()).unwrap() else {
        panic!("{text}")
    };
    let files = export(&proof.certificate, "It's me").unwrap();
    let mut world = World { automata: BTreeMap::new(), defined: BTreeMap::new(), ends };
    for file in files.iter().filter(|file| file.folder == AUTOMATA) {
        let name = file.name.strip_suffix(".txt").unwrap().to_string();
        world.automata.insert(name, Read::new(&file.text));
    }
    let commands = files.last().unwrap();
    assert_eq!((commands.folder, commands.name.as_str()), (COMMANDS, "it_s_me.txt"));
    let mut statements = 0;
    for command in commands.text.lines() {
        let (head, quoted) = command.split_once(" \"?lsd_").unwrap();
        let formula = quoted.strip_suffix("\";").unwrap().split_once(' ').unwrap().1;
        let (command, name) = head.split_once(' ').unwrap();
        let mut reader = Reader::new(formula);
        let formula = reader.formula();
        assert_eq!(reader.at, reader.words.len(), "{command}");
        let mut names = BTreeSet::new();
        free(&formula, &[], &mut names);
        if command == "def" {
            world.defined.insert(name.to_string(), (names.into_iter().collect(), formula));
        } else {
            assert!(names.is_empty() && world.holds(&formula, &mut Known::new()), "{text}: {name}");
            statements += 1;
        }
    }
    let (moves, mut reference) =
        (Moves::new(&rule).unwrap(), Reference::new(&rule, &Limits::default()).unwrap());
    for (at, kind) in rule.kinds.iter().enumerate() {
        let id = KindId(u16::try_from(at).unwrap());
        let number = if rule.kinds.len() > 1 { (at + 1).to_string() } else { String::new() };
        let g = &world.automata[&format!("it_s_me_g{number}")];
        let arity = u32::try_from(kind.arity).unwrap();
        for index in 0..(ends.0 + 1).pow(arity) {
            let heap: Vec<u64> = (0..arity).map(|i| index / (ends.0 + 1).pow(i) % (ends.0 + 1)).collect();
            let entries: Vec<Int> = heap.iter().map(|n| Int::from(*n)).collect();
            let own = u64::from(reference.nimber_of(id, &entries).unwrap());
            let mut reached = BTreeSet::new();
            for sum in moves.options(&grundy_rule::heap::Heap::new(id, &entries)).unwrap() {
                let value = |(heap, count): &(grundy_rule::heap::Heap, u128)| {
                    if count % 2 == 1 { reference.nimber(heap).unwrap() } else { 0 }
                };
                reached.insert(u64::from(sum.heaps().iter().map(value).fold(0, |a, b| a ^ b)));
            }
            let mut known = Known::new();
            for (name, n) in super::entries(kind.arity).into_iter().zip(&heap) {
                known.insert(name, *n);
            }
            for w in 0..=ends.1 {
                let tuple = [heap.as_slice(), &[w]].concat();
                assert_eq!(g.accepts(&tuple), w == own, "{text}: g{heap:?} = {w}");
                known.insert("w".to_string(), w);
                let options = &world.defined[&format!("it_s_me_options{number}")].1;
                assert_eq!(world.holds(options, &mut known), reached.contains(&w), "{text}: {heap:?} to {w}");
            }
        }
    }
    statements
}

#[test]
fn the_files_say_what_the_rule_says() {
    for (text, ends, statements) in [
        ("n -> n - t where t in powers(2)", (12, 15), 4),
        ("n -> n - t where t >= 1, t not in {2, 3}", (12, 12), 4),
        ("n -> m where m < n, 3 divides m + 2n or m = 4", (10, 40), 4),
        ("n -> floor(n/2) where n >= 1\nn -> floor(n/3) where n >= 1", (12, 12), 4),
        ("n -> a, b where a + b = n - t, t in 1..2", (7, 8), 4),
        ("coins\nn -> nothing\nn -> a where a < n\nn -> a, b where a < b < n", (4, 9), 4),
        ("n -> nothing", (5, 5), 4),
        ("x -> xor(x, y) where 1 <= y <= x, xor(x, y) < x", (8, 8), 4),
        ("(a, b) -> (a - t, b) | (a, b - t) where t >= 1", (4, 7), 4),
        ("red(n) -> blue(m) where m < n\nblue(n) -> red(n - t), red(n) where t in 1..2", (6, 8), 8),
        ("coins\nn -> [n - i for i in 1..d] where d in 0..n-1", (6, 8), 7),
    ] {
        assert_eq!(compared(text, ends), statements, "{text}");
    }
}

#[test]
fn names_are_those_that_walnut_reads() {
    for (name, plain) in [("mock-turtles", "mock_turtles"), ("0.77", "game_0_77"), ("Euclid", "euclid")] {
        assert_eq!(super::plain(name), plain);
    }
}

#[test]
fn what_walnut_cannot_read_is_an_error() {
    let rule = Rule::parse("n -> n - t where t in {1, 2}", &[]).unwrap().0;
    let Outcome::Proved(proof) = super::super::prove(&rule, None, &Limits::default()).unwrap() else {
        panic!("a subtraction game")
    };
    assert_eq!(export(&proof.certificate, "x").unwrap_err().id(), "walnut");
    assert_eq!(number(1 << 31).unwrap_err().id(), "walnut");
}
