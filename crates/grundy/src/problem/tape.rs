//! The cases of an input as plain numbers, so that reading them again for the answers costs next to nothing.
//!
//! While the input is checked, the numbers of each case are noted in the order of the items; when all is known to be
//! right, they are played back without looking at the text. A tape that would grow long is given up, and the
//! text is read a second time.

use std::sync::Arc;

use grundy_rule::expr::Int;
use grundy_rule::pairs::Pairs;
use grundy_rule::rule::Value;

use super::{Case, Item, Problem};

/// Most numbers noted: 8 MiB.
const LONGEST: usize = 1 << 20;

/// Cases as numbers.
pub(super) struct Tape<'a> {
    problem: &'a Problem,
    numbers: Vec<i64>,
    at: usize,
    /// Whether all cases so far are on it.
    whole: bool,
}

impl<'a> Tape<'a> {
    pub(super) fn new(problem: &'a Problem) -> Tape<'a> {
        Tape { problem, numbers: Vec::new(), at: 0, whole: true }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// Notes a case.
    pub(super) fn note(&mut self, case: &Case) {
        if self.whole && self.note_items(case).is_none() {
            self.whole = false;
            self.numbers = Vec::new();
        }
    }

    fn note_items(&mut self, case: &Case) -> Option<()> {
        for item in &self.problem.items {
            match item {
                Item::Number(number) => self.numbers.push(i64::try_from(case.frame[number.slot]).ok()?),
                Item::List(list) => self.note_list(case, list.list)?,
                Item::Rows(rows) => {
                    self.note_list(case, rows.pairs)?;
                    for column in &rows.columns {
                        self.note_list(case, column.list)?;
                    }
                }
                Item::Text(text) => {
                    let (start, end) = case.texts[text.text];
                    self.numbers.push(i64::try_from(start).ok()?);
                    self.numbers.push(i64::try_from(end).ok()?);
                }
            }
        }
        (self.numbers.len() <= LONGEST).then_some(())
    }

    /// A list with its length before it; pairs one number after the other.
    fn note_list(&mut self, case: &Case, list: usize) -> Option<()> {
        let value = case.lists[list].value.as_ref()?;
        let length = match value {
            Value::List(values) | Value::Set(values) => values.len(),
            Value::Pairs(pairs) => pairs.len(),
            Value::Number(_) => return None,
        };
        if self.numbers.len() + 2 * length > LONGEST {
            return None;
        }
        self.numbers.push(i64::try_from(length).ok()?);
        match value {
            Value::List(values) | Value::Set(values) => {
                for value in values {
                    self.numbers.push(i64::try_from(*value).ok()?);
                }
            }
            Value::Pairs(pairs) => {
                for (x, y) in pairs.iter() {
                    self.numbers.push(i64::try_from(x).ok()?);
                    self.numbers.push(i64::try_from(y).ok()?);
                }
            }
            Value::Number(_) => return None,
        }
        Some(())
    }

    /// Makes `case` the next case noted. There must be one.
    pub(super) fn play(&mut self, case: &mut Case) {
        case.number += 1;
        for item in &self.problem.items {
            match item {
                Item::Number(number) => case.frame[number.slot] = Int::from(self.next()),
                Item::List(list) => self.play_list(case, list.list),
                Item::Rows(rows) => {
                    let length = self.length();
                    let pairs =
                        (0..length).map(|_| (Int::from(self.next()), Int::from(self.next()))).collect();
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
        let numbers = self.numbers[self.at..self.at + length].iter().map(|number| Int::from(*number));
        match &mut case.lists[list].value {
            Some(Value::List(values)) => {
                values.clear();
                values.extend(numbers);
            }
            other => *other = Some(Value::List(numbers.collect())),
        }
        self.at += length;
    }

    fn next(&mut self) -> i64 {
        self.at += 1;
        self.numbers[self.at - 1]
    }

    fn length(&mut self) -> usize {
        usize::try_from(self.next()).expect("lengths and places are noted from usize")
    }
}
