//! The cases of an input as plain numbers, so that reading them again for the answers costs next to nothing.
//!
//! While the input is checked, the numbers of each case are noted in the order of the items; when all is known to be
//! right, they are played back without looking at the text. A tape that would grow long is given up, and the
//! text is read a second time.

use std::sync::Arc;

use grundy_rule::expr::Int;
use grundy_rule::pairs::Pairs;
use grundy_rule::rule::Value;

use super::narrow::Narrow;
use super::{Case, Item, Problem};

/// Most numbers noted: at most 8 MiB, or twice that if there are such beyond 64 bits.
const LONGEST: usize = 1 << 20;

/// Cases as numbers.
pub(super) struct Tape<'a> {
    problem: &'a Problem,
    numbers: Narrow,
    at: usize,
    /// Whether all cases so far are on it.
    whole: bool,
}

impl<'a> Tape<'a> {
    pub(super) fn new(problem: &'a Problem) -> Tape<'a> {
        Tape { problem, numbers: Narrow::default(), at: 0, whole: true }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// Notes a case.
    pub(super) fn note(&mut self, case: &Case) {
        if self.whole && self.note_items(case).is_none() {
            self.whole = false;
            self.numbers = Narrow::default();
        }
    }

    fn note_items(&mut self, case: &Case) -> Option<()> {
        for item in &self.problem.items {
            match item {
                Item::Number(number) => self.put(case.frame[number.slot])?,
                Item::List(list) => self.note_list(case, list.list)?,
                Item::Rows(rows) => {
                    self.note_list(case, rows.pairs)?;
                    for column in &rows.columns {
                        self.note_list(case, column.list)?;
                    }
                }
                Item::Text(text) => {
                    let (start, end) = case.texts[text.text];
                    self.put_length(start)?;
                    self.put_length(end)?;
                }
            }
        }
        (self.numbers.len() <= LONGEST).then_some(())
    }

    /// A list with its length before it; pairs one number after the other.
    fn note_list(&mut self, case: &Case, list: usize) -> Option<()> {
        let narrow = &case.narrow[list];
        let value = case.lists[list].value.as_ref()?;
        let length = match value {
            _ if narrow.len() > 0 => narrow.len(),
            Value::List(values) | Value::Set(values) => values.len(),
            Value::Pairs(pairs) => pairs.len(),
            Value::Number(_) => return None,
        };
        if self.numbers.len() + 2 * length > LONGEST {
            return None;
        }
        self.put_length(length)?;
        if narrow.len() > 0 {
            self.numbers.extend_from(narrow, 0, length);
            return Some(());
        }
        match value {
            Value::List(values) | Value::Set(values) => {
                for value in values {
                    self.put(*value)?;
                }
            }
            Value::Pairs(pairs) => {
                for (x, y) in pairs.iter() {
                    self.put(x)?;
                    self.put(y)?;
                }
            }
            Value::Number(_) => return None,
        }
        Some(())
    }

    /// Notes a number, if it is a natural one below 2^64.
    #[inline]
    fn put(&mut self, number: Int) -> Option<()> {
        self.numbers.push_long(u64::try_from(number).ok()?);
        Some(())
    }

    fn put_length(&mut self, length: usize) -> Option<()> {
        self.numbers.push_long(u64::try_from(length).ok()?);
        Some(())
    }

    /// Makes `case` the next case noted. There must be one.
    pub(super) fn play(&mut self, case: &mut Case) {
        case.number += 1;
        for item in &self.problem.items {
            match item {
                Item::Number(number) => case.frame[number.slot] = self.next(),
                Item::List(list) if list.narrow => self.play_narrow(case, list.list),
                Item::List(list) => self.play_list(case, list.list),
                Item::Rows(rows) => {
                    let length = self.length();
                    let pairs = (0..length).map(|_| (self.next(), self.next())).collect();
                    case.lists[rows.pairs].value = Some(Value::Pairs(Arc::new(Pairs::new(pairs))));
                    for column in &rows.columns {
                        self.play_list(case, column.list);
                    }
                }
                Item::Text(text) => case.texts[text.text] = (self.length(), self.length()),
            }
        }
    }

    fn play_list(&mut self, case: &mut Case, list: usize) {
        let length = self.length();
        let numbers = (self.at..self.at + length).map(|place| self.numbers.at(place));
        match &mut case.lists[list].value {
            Some(Value::List(values)) => {
                values.clear();
                values.extend(numbers);
            }
            other => *other = Some(Value::List(numbers.collect())),
        }
        self.at += length;
    }

    fn play_narrow(&mut self, case: &mut Case, list: usize) {
        let length = self.length();
        let narrow = &mut case.narrow[list];
        narrow.clear();
        narrow.extend_from(&self.numbers, self.at, length);
        self.at += length;
    }

    fn next(&mut self) -> Int {
        self.at += 1;
        self.numbers.at(self.at - 1)
    }

    fn length(&mut self) -> usize {
        usize::try_from(self.next()).expect("lengths and places are noted from usize")
    }
}
