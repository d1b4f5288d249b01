//! Reading a judge's input: strict, fast, and with an error that says which field is wrong.
//!
//! Every message is one line with the place, the case if there are several, the field with the index as declared
//! (`p_0`, `a_1`), the value and the limit as written in the problem file. What only a message needs is worked out
//! after the fault is found.

use std::sync::Arc;

use grundy_rule::expr::{EvalError, Expr, Int, Set};
use grundy_rule::pairs::Pairs;
use grundy_rule::rule::{Param, Value};

use super::narrow::Narrow;
use super::tokens::{self, Number, Tokens, Word};
use super::{Allowed, Case, Item, ListItem, NumberItem, Problem, Repeat, RowsItem, TextItem, input_error};
use crate::error::Error;

/// Reads case after case.
pub(super) struct Reader<'a> {
    problem: &'a Problem,
    tokens: Tokens<'a>,
    case: Case,
    begun: bool,
    /// How many cases the input says it has.
    times: Option<Int>,
    /// Where the present case begins.
    start: usize,
    /// A number whose range is checked once the condition that ends the input is known.
    postponed: Option<Error>,
}

/// The numbers between which all must lie, or a set of another kind.
#[derive(Clone, Copy)]
enum Range {
    Between(Int, Int),
    Other,
}

impl Range {
    /// The natural numbers below 2^64 among them, from the least to the greatest, if they are an interval.
    fn natural(self) -> Option<(u64, u64)> {
        let Range::Between(lo, hi) = self else { return None };
        Some((u64::try_from(lo.max(0)).ok()?, u64::try_from(hi.min(Int::from(u64::MAX))).ok()?))
    }
}

/// What numbers are read into.
trait List {
    fn reserve(&mut self, more: usize);
    fn push(&mut self, number: Int);
    fn extend_longs(&mut self, numbers: &[u64]);
}

impl List for Vec<Int> {
    fn reserve(&mut self, more: usize) {
        self.reserve_exact(more);
    }
    #[inline]
    fn push(&mut self, number: Int) {
        Vec::push(self, number);
    }
    fn extend_longs(&mut self, numbers: &[u64]) {
        self.extend(numbers.iter().map(|number| Int::from(*number)));
    }
}

impl List for Narrow {
    fn reserve(&mut self, more: usize) {
        Narrow::reserve(self, more);
    }
    #[inline]
    fn push(&mut self, number: Int) {
        Narrow::push(self, number);
    }
    fn extend_longs(&mut self, numbers: &[u64]) {
        Narrow::extend_longs(self, numbers);
    }
}

/// Most numbers that one list may have: what a machine can hold.
const LONGEST: Int = 1 << 32;

impl<'a> Reader<'a> {
    pub(super) fn new(problem: &'a Problem, input: &'a [u8]) -> Reader<'a> {
        Reader {
            problem,
            tokens: Tokens::new(input),
            case: Case {
                frame: vec![0; problem.slots],
                lists: problem.lists.clone(),
                narrow: vec![Narrow::default(); problem.lists.len()],
                texts: vec![(0, 0); problem.texts],
                number: 0,
            },
            begun: false,
            times: None,
            start: 0,
            postponed: None,
        }
    }

    /// The case read last.
    pub(super) fn case(&mut self) -> &mut Case {
        &mut self.case
    }

    /// Whether there is more input after the case read last.
    pub(super) fn more_follows(&mut self) -> bool {
        !self.tokens.at_end()
    }

    /// Reads the next case; `false` if there is none and the input has ended as it should.
    pub(super) fn next_case(&mut self) -> Result<bool, Error> {
        let problem = self.problem;
        if !self.begun {
            self.begun = true;
            for item in &problem.before {
                self.item(item)?;
            }
            if let Repeat::Times(number) = &problem.repeat {
                self.number(number).map_err(|error| self.with_rest(number, error))?;
                self.times = Some(self.case.frame[number.slot]);
            }
        }
        let more = match (&problem.repeat, self.times) {
            (Repeat::Once, _) => self.case.number == 0,
            (Repeat::ToEnd { none }, _) => (self.case.number == 0 && !none) || !self.tokens.at_end(),
            (Repeat::Until(_), _) => true,
            (Repeat::Times(_), times) => times.is_some_and(|times| Int::from(self.case.number) < times),
        };
        if !more {
            self.end()?;
            return Ok(false);
        }
        self.case.number += 1;
        self.start = self.tokens.next_start();
        let mut waiting = problem.items.iter().filter(|item| in_until(item)).count();
        for item in &problem.items {
            self.item(item)?;
            if in_until(item) {
                waiting -= 1;
                if waiting == 0 && self.is_last()? {
                    self.end()?;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether the condition that ends the input holds; if not, the numbers it mentions must be in range.
    fn is_last(&mut self) -> Result<bool, Error> {
        if let Repeat::Until(cond) = &self.problem.repeat
            && self.evaluate(cond, |cond, case| cond.eval(&case.frame, &case.lists))?
        {
            return Ok(true);
        }
        self.postponed.take().map_or(Ok(false), Err)
    }

    fn end(&mut self) -> Result<(), Error> {
        match self.tokens.word() {
            None => Ok(()),
            Some(word) => {
                let text = self.shown(word);
                Err(self.error_without_case(
                    word.start,
                    &format!("trailing `{text}`: the input should end before it"),
                ))
            }
        }
    }

    fn item(&mut self, item: &Item) -> Result<(), Error> {
        match item {
            Item::Number(number) => self.number(number),
            Item::List(list) => self.list(list),
            Item::Rows(rows) => self.rows(rows),
            Item::Text(text) => self.text(text),
        }
    }

    fn number(&mut self, item: &NumberItem) -> Result<(), Error> {
        let Some((word, number)) = self.tokens.number() else {
            return Err(self.missing(&item.name, None));
        };
        let range = self.range(&item.allowed)?;
        let checked = self.check(&item.allowed, range, word, number, || item.name.clone());
        match (checked, number) {
            (Ok(value), _) => self.case.frame[item.slot] = value,
            // Whether this is the end is decided when all its numbers are known.
            (Err(error), Number::Is(value)) if item.in_until => {
                self.case.frame[item.slot] = value;
                self.postponed.get_or_insert(error);
            }
            (Err(error), _) => return Err(error),
        }
        Ok(())
    }

    /// The next number, if it is plainly one and in range; else nothing is read.
    #[inline]
    fn plain(&mut self, range: Range) -> Option<Int> {
        let (lo, hi) = range.natural()?;
        self.tokens.plain(lo, hi).map(Int::from)
    }

    fn list(&mut self, item: &ListItem) -> Result<(), Error> {
        let (first, count) = self.indices(&item.index)?;
        let range = self.range(&item.allowed)?;
        let start = self.tokens.next_start();
        if item.narrow {
            let mut values = std::mem::take(&mut self.case.narrow[item.list]);
            values.clear();
            self.numbers(item, first, count, range, &mut values)?;
            self.case.narrow[item.list] = values;
        } else {
            let mut values = take_list(&mut self.case.lists[item.list]);
            self.numbers(item, first, count, range, &mut values)?;
            self.case.lists[item.list].value = Some(Value::List(values));
        }
        if item.distinct {
            let mut sorted: Vec<Int> = match self.case.lists[item.list].value.as_ref() {
                Some(Value::List(values)) if !item.narrow => values.clone(),
                _ => self.case.narrow[item.list].iter().collect(),
            };
            sorted.sort_unstable();
            if sorted.windows(2).any(|w| w[0] == w[1]) {
                let rows = self.rows_again::<1>(start, count);
                return Err(self.duplicate(&item.name, first, start, &rows));
            }
        }
        Ok(())
    }

    /// Reads the numbers of a list.
    #[inline]
    fn numbers<L: List>(
        &mut self,
        item: &ListItem,
        first: Int,
        count: usize,
        range: Range,
        values: &mut L,
    ) -> Result<(), Error> {
        let start = self.tokens.next_start();
        // A number takes two bytes at least: what is announced but cannot be there takes no memory.
        values.reserve(count.min(self.tokens.bytes().len().saturating_sub(start) / 2 + 1));
        let natural = range.natural();
        let mut block = [0; 128];
        let mut place = 0;
        while place < count {
            if let Some((lo, hi)) = natural {
                let wanted = block.len().min(count - place);
                let read = self.tokens.plain_ones(lo, hi, &mut block[..wanted]);
                values.extend_longs(&block[..read]);
                place += read;
                if read == wanted {
                    continue;
                }
            }
            let Some((word, number)) = self.tokens.number() else {
                let name = named(&item.name, first, place);
                return Err(self.missing(&name, Some((&item.name, count, place, "number"))));
            };
            let name = || named(&item.name, first, place);
            values.push(self.check(&item.allowed, range, word, number, name)?);
            place += 1;
        }
        Ok(())
    }

    fn rows(&mut self, item: &RowsItem) -> Result<(), Error> {
        let (first, count) = self.indices(&item.index)?;
        let [left, right] = &item.columns;
        let ranges = [self.range(&left.allowed)?, Range::Other];
        let right_range = if right.varies { None } else { Some(self.range(&right.allowed)?) };
        let start = self.tokens.next_start();
        // The pairs of the case before may still be a rule's: these are new ones. A pair takes four bytes at least,
        // so what is announced but cannot be there takes no memory.
        let room = count.min(self.tokens.bytes().len().saturating_sub(start) / 4 + 1);
        let mut pairs = Vec::new();
        if item.keep_pairs || item.distinct {
            pairs.reserve_exact(room);
        }
        let (mut lefts, mut rights) =
            (take_list(&mut self.case.lists[left.list]), take_list(&mut self.case.lists[right.list]));
        for place in 0..count {
            for (column, range) in item.columns.iter().zip([Some(ranges[0]), right_range]) {
                let range = match range {
                    Some(range) => range,
                    None => self.range(&column.allowed)?,
                };
                if let Some(value) = self.plain(range) {
                    self.case.frame[column.slot] = value;
                    continue;
                }
                let Some((word, number)) = self.tokens.number() else {
                    let name = named(&column.name, first, place);
                    return Err(self.missing(&name, Some((&item.name, count, place, "pair"))));
                };
                let name = || named(&column.name, first, place);
                self.case.frame[column.slot] = self.check(&column.allowed, range, word, number, name)?;
            }
            let pair = (self.case.frame[left.slot], self.case.frame[right.slot]);
            if item.keep_columns {
                lefts.push(pair.0);
                rights.push(pair.1);
            }
            if item.keep_pairs || item.distinct {
                pairs.push(pair);
            }
        }
        if !pairs.is_sorted() {
            pairs.sort_unstable();
        }
        if item.distinct && pairs.windows(2).any(|w| w[0] == w[1]) {
            let rows = self.rows_again::<2>(start, count);
            return Err(self.duplicate(&item.name, first, start, &rows));
        }
        self.case.lists[item.pairs].value = Some(Value::Pairs(Arc::new(Pairs::new(pairs))));
        self.case.lists[left.list].value = Some(Value::List(lefts));
        self.case.lists[right.list].value = Some(Value::List(rights));
        Ok(())
    }

    /// The rows of `N` numbers from `start` on in the order of the input.
    #[cold]
    fn rows_again<const N: usize>(&self, start: usize, count: usize) -> Vec<[Int; N]> {
        let mut tokens = self.tokens.clone();
        tokens.go_to(start);
        let mut next = || match tokens.number() {
            Some((_, Number::Is(value))) => value,
            _ => 0,
        };
        (0..count).map(|_| std::array::from_fn(|_| next())).collect()
    }

    fn text(&mut self, item: &TextItem) -> Result<(), Error> {
        let range = match &item.index {
            Some(index) => Some(self.indices(index)?),
            None => None,
        };
        // A string without characters has no word.
        if range.is_some_and(|(_, count)| count == 0) {
            self.case.texts[item.text] = (0, 0);
            return Ok(());
        }
        let Some(word) = self.tokens.word() else { return Err(self.missing(&item.name, None)) };
        let text = &self.tokens.bytes()[word.start..word.end];
        let alphabet = item.alphabet.as_bytes();
        if let Some(place) = text.iter().position(|byte| !alphabet.contains(byte)) {
            let index = range.map_or(1, |(first, _)| first);
            let found = tokens::shown(&text[place..=place]);
            let name = named(&item.name, index, place);
            let message = format!("`{name}` is `{found}`, not one of `{}`", item.alphabet);
            return Err(self.error(word.start + place, &message));
        }
        if let Some((_, count)) = range.filter(|(_, count)| *count != text.len()) {
            let message =
                format!("`{}`: expected {}, found {}", item.name, counted(count, "character"), text.len());
            return Err(self.error(word.start, &message));
        }
        self.case.texts[item.text] = (word.start, word.end);
        Ok(())
    }

    /// The first index and how many there are.
    fn indices(&self, (lo, hi): &(Expr, Expr)) -> Result<(Int, usize), Error> {
        let lo = self.evaluate(lo, |lo, case| lo.eval(&case.frame, &case.lists))?;
        let hi = self.evaluate(hi, |hi, case| hi.eval(&case.frame, &case.lists))?;
        let count = hi.saturating_sub(lo).saturating_add(1).max(0);
        let count = usize::try_from(count).ok().filter(|_| count <= LONGEST);
        let at = self.tokens.clone().next_start();
        count
            .map(|count| (lo, count))
            .ok_or_else(|| self.error(at, &format!("{lo}..{hi} is more than can be read")))
    }

    fn range(&self, allowed: &Allowed) -> Result<Range, Error> {
        match &allowed.set {
            Set::Range(Expr::Const(lo), Some(Expr::Const(hi))) => Ok(Range::Between(*lo, *hi)),
            Set::Range(lo, hi) => {
                let lo = self.evaluate(lo, |lo, case| lo.eval(&case.frame, &case.lists))?;
                let hi = match hi {
                    Some(hi) => self.evaluate(hi, |hi, case| hi.eval(&case.frame, &case.lists))?,
                    None => Int::MAX,
                };
                Ok(Range::Between(lo, hi))
            }
            Set::List(_) | Set::Named(..) | Set::Param(_) => Ok(Range::Other),
        }
    }

    /// A number that must be there and be allowed.
    fn check(
        &self,
        allowed: &Allowed,
        range: Range,
        word: Word,
        number: Number,
        name: impl Fn() -> String,
    ) -> Result<Int, Error> {
        let inside = match (number, range) {
            (Number::Is(value), Range::Between(lo, hi)) => lo <= value && value <= hi,
            (Number::Is(value), Range::Other) => {
                self.evaluate(&allowed.set, |set, case| set.contains(value, &case.frame, &case.lists))?
            }
            (Number::Huge | Number::Not, _) => false,
        };
        match number {
            Number::Is(value) if inside => Ok(value),
            _ => Err(self.refuse(allowed, range, word, number, &name())),
        }
    }

    #[cold]
    fn refuse(&self, allowed: &Allowed, range: Range, word: Word, number: Number, name: &str) -> Error {
        let text = self.shown(word);
        let message = match number {
            Number::Not => format!("`{name}` is `{text}`, which is not a whole number"),
            Number::Is(_) | Number::Huge => {
                let mut message = format!("`{name}` = {text} is out of range {}", allowed.text);
                if let (true, Range::Between(lo, hi)) = (allowed.named, range) {
                    message += &format!(" ({lo}..{hi})");
                }
                message
            }
        };
        self.error(word.start, &message)
    }

    /// Says that the input ends too early. `of`: the list, how long it is, how many are there, what one is called.
    #[cold]
    fn missing(&mut self, name: &str, of: Option<(&str, usize, usize, &str)>) -> Error {
        let mut message = match of {
            Some((list, expected, found, what)) => {
                let expected = counted(expected, what);
                format!("`{list}`: expected {expected}, found {found}: `{name}` is missing")
            }
            None => format!("`{name}` is missing: the input ends here"),
        };
        let at = self.tokens.next_start();
        let empty = self.start == at;
        if let Some(times) = self.times {
            if empty {
                let found = self.case.number.saturating_sub(1);
                message = format!("expected {}, found {found}: {message}", counted_int(times, "case"));
            }
        } else if matches!(self.problem.repeat, Repeat::ToEnd { .. }) && self.case.number > 1 {
            let bytes = self.tokens.bytes();
            let (line, column) = tokens::place(bytes, self.start);
            message += &format!("; is what begins at line {line}, column {column} trailing?");
        } else if matches!(self.problem.repeat, Repeat::Until(_)) && empty {
            message += "; the case that ends the input is missing";
        }
        self.error(at, &message)
    }

    /// Says which row stands twice, and where.
    #[cold]
    fn duplicate<const N: usize>(
        &mut self,
        name: &str,
        first: Int,
        start: usize,
        rows: &[[Int; N]],
    ) -> Error {
        let mut seen = std::collections::HashMap::new();
        for (place, row) in rows.iter().enumerate() {
            let Some(before) = seen.insert(row, place) else { continue };
            let at = |row: usize| {
                let mut tokens = self.tokens.clone();
                tokens.go_to(start);
                for _ in 0..row * N {
                    tokens.word();
                }
                tokens.next_start()
            };
            let (line, column) = tokens::place(self.tokens.bytes(), at(before));
            let shown = row.iter().map(Int::to_string).collect::<Vec<_>>().join(", ");
            let shown = if N == 1 { shown } else { format!("({shown})") };
            let (here, there) = (named(name, first, place), named(name, first, before));
            let message =
                format!("`{here}` = {shown} is a duplicate of `{there}` (line {line}, column {column})");
            return self.error(at(place), &message);
        }
        self.error(start, &format!("`{name}` has a duplicate"))
    }

    /// A count of cases that is refused may explain what follows it.
    #[cold]
    fn with_rest(&self, item: &NumberItem, error: Error) -> Error {
        let rest = std::iter::from_fn({
            let mut tokens = self.tokens.clone();
            move || tokens.word()
        });
        match rest.count() {
            0 => error,
            words => Error::new(
                error.id(),
                format!("{} ({} trailing after `{}`)", error.message(), counted(words, "word"), item.name),
            ),
        }
    }

    fn shown(&self, word: Word) -> String {
        tokens::shown(&self.tokens.bytes()[word.start..word.end])
    }

    fn evaluate<T, E>(&self, what: &E, eval: impl Fn(&E, &Case) -> Result<T, EvalError>) -> Result<T, Error> {
        eval(what, &self.case).map_err(|error| {
            let at = self.tokens.clone().next_start();
            self.error(at, &format!("the description of the input has no meaning here: {error}"))
        })
    }

    #[cold]
    fn error(&self, at: usize, message: &str) -> Error {
        match self.problem.repeat {
            Repeat::Once => self.error_without_case(at, message),
            _ if self.case.number == 0 => self.error_without_case(at, message),
            _ => self.error_without_case(at, &format!("case {}: {message}", self.case.number)),
        }
    }

    #[cold]
    fn error_without_case(&self, at: usize, message: &str) -> Error {
        input_error(self.tokens.bytes(), at, message)
    }
}

fn in_until(item: &Item) -> bool {
    matches!(item, Item::Number(number) if number.in_until)
}

/// The list's memory, emptied.
fn take_list(param: &mut Param) -> Vec<Int> {
    match param.value.take() {
        Some(Value::List(mut values)) => {
            values.clear();
            values
        }
        _ => Vec::new(),
    }
}

/// `a_3`: the element at `place`, counted from `first`.
fn named(name: &str, first: Int, place: usize) -> String {
    let index = Int::try_from(place).map_or(first, |place| first.saturating_add(place));
    format!("{name}_{index}")
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn counted_int(count: Int, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
