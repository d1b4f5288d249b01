//! The `input` section: how often, and what is read.

use grundy_rule::ast::ParamType;
use grundy_rule::diagnostic::Span;
use grundy_rule::expr::{Cond, Expr, Set};
use grundy_rule::lexer::Tok;

use super::super::names::Meaning;
use super::super::template::{cond_mentions, set_mentions};
use super::super::{Allowed, Column, Item, ListItem, NumberItem, Repeat, RowsItem, TextItem};
use super::{Reading, Stop};

/// A word that ends the section.
const NEXT: &str = "position";

impl Reading<'_> {
    /// The items before the cases, how many cases, the items of a case.
    pub(super) fn input(&mut self) -> Result<(Vec<Item>, Repeat, Vec<Item>), Stop> {
        let (mut before, mut repeat, mut items) = (Vec::new(), Repeat::Once, Vec::new());
        // The condition that ends the input speaks of names that are read after it.
        let mut until = None;
        loop {
            self.parser.skip_eols();
            if self.parser.at_word(NEXT) {
                break;
            }
            let found = if self.parser.eat_word("cases") {
                if self.parser.eat_word("to") {
                    if !self.parser.eat_word("eof") {
                        return Err(self.unexpected("`eof`"));
                    }
                    let none = self.parser.eat(Tok::Or);
                    if none && !self.parser.eat_word("none") {
                        return Err(self.unexpected("`none`"));
                    }
                    Some(Repeat::ToEnd { none })
                } else if self.parser.eat_word("until") {
                    until = Some(self.parser.cond().ok_or(Stop)?);
                    Some(Repeat::Until(Cond::always()))
                } else {
                    return Err(self.unexpected("`to eof` or `until`"));
                }
            } else {
                let span = self.parser.span();
                if self.parser.at_name() && self.parser.peek_second() == Tok::Comma {
                    self.shared(&mut items)?;
                    continue;
                }
                let item = self.item()?;
                if self.parser.eat_word("cases") {
                    let Item::Number(number) = item else {
                        return Err(self.stop(span, "syntax", "the number of cases is one number"));
                    };
                    Some(Repeat::Times(number))
                } else {
                    items.push(item);
                    None
                }
            };
            if let Some(found) = found {
                if !matches!(repeat, Repeat::Once) {
                    let span = self.parser.span();
                    return Err(self.stop(span, "syntax", "cases are announced once"));
                }
                repeat = found;
                before = std::mem::take(&mut items);
            }
            if !self.parser.eat(Tok::Comma) && !self.parser.at_eol() {
                return Err(self.unexpected("`,` or the end of the line"));
            }
        }
        if let Some(until) = until {
            let cond = self.names.cond(&until).map_err(|d| self.say(d))?;
            self.mark(&cond, &mut items, until.span)?;
            repeat = Repeat::Until(cond);
        }
        if items.is_empty() {
            return Err(self.unexpected("what is read: `n in 1..10`, `a[1..n] in 1..10`"));
        }
        Ok((before, repeat, items))
    }

    /// `n, m in 1..10`: each is in the set.
    fn shared(&mut self, items: &mut Vec<Item>) -> Result<(), Stop> {
        let mut names = vec![self.new_name("what is read: a name")?];
        while self.parser.eat(Tok::Comma) {
            let span = self.parser.span();
            let name = self.new_name("a name")?;
            if names.contains(&name) {
                return Err(self.stop(span, "twice", format!("`{name}` is read twice")));
            }
            names.push(name);
        }
        self.need(Tok::In, "`in` and a set")?;
        let allowed = self.allowed()?;
        for name in names {
            let slot = self.names.number(&name);
            items.push(Item::Number(NumberItem { name, slot, allowed: allowed.clone(), in_until: false }));
        }
        if self.parser.eat(Tok::Comma) || self.parser.at_eol() {
            return Ok(());
        }
        Err(self.unexpected("`,` or the end of the line"))
    }

    /// The name of something read, which must be new.
    fn new_name(&mut self, what: &str) -> Result<String, Stop> {
        let name = self.parser.name(what).ok_or(Stop)?;
        if self.names.get(&name.text).is_some() {
            return Err(self.stop(name.span, "twice", format!("`{}` is read twice", name.text)));
        }
        Ok(name.text)
    }

    /// Marks the numbers that the condition that ends the input mentions.
    fn mark(&mut self, cond: &Cond, items: &mut [Item], span: Span) -> Result<(), Stop> {
        let (mut slots, mut lists) = (Vec::new(), false);
        cond_mentions(cond, &mut |slot| slots.push(slot), &mut |_| lists = true);
        for item in items {
            if let Item::Number(number) = item
                && slots.contains(&number.slot)
            {
                number.in_until = true;
                slots.retain(|slot| *slot != number.slot);
            }
        }
        if lists || !slots.is_empty() {
            let message = "the condition that ends the input speaks of numbers that each case reads";
            return Err(self.stop(span, "syntax", message));
        }
        Ok(())
    }

    fn item(&mut self) -> Result<Item, Stop> {
        let name = self.new_name("what is read: a name")?;
        if self.parser.eat(Tok::In) {
            let allowed = self.allowed()?;
            let slot = self.names.number(&name);
            return Ok(Item::Number(NumberItem { name, slot, allowed, in_until: false }));
        }
        if self.parser.eat(Tok::Colon) {
            return self.text(name, None);
        }
        if !self.parser.eat(Tok::OpenList) {
            return Err(self.unexpected("`in` and a set, `[` and an index range, or `: string of`"));
        }
        let index = self.range()?;
        self.need(Tok::CloseList, "`]`")?;
        if self.parser.eat(Tok::Colon) {
            return if self.parser.peek() == Tok::Open {
                self.rows(name, index)
            } else {
                self.text(name, Some(index))
            };
        }
        self.need(Tok::In, "`in` and a set")?;
        let allowed = self.allowed()?;
        let distinct = self.parser.eat_word("distinct");
        let list = self.names.list(&name, ParamType::List, index.0.clone());
        self.names.set(&name, Meaning::List(list));
        Ok(Item::List(ListItem { name, list, index, allowed, distinct, narrow: false }))
    }

    fn text(&mut self, name: String, index: Option<(Expr, Expr)>) -> Result<Item, Stop> {
        for word in ["string", "of"] {
            if !self.parser.eat_word(word) {
                return Err(self.unexpected("`string of` and the characters in quotes"));
            }
        }
        let span = self.parser.span();
        let alphabet = self.parser.string("the characters in quotes").ok_or(Stop)?;
        if alphabet.is_empty() || !alphabet.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(self.stop(span, "syntax", "a string is of plain printable characters"));
        }
        let text = self.names.texts;
        self.names.texts += 1;
        self.names.set(&name, Meaning::Text(text));
        Ok(Item::Text(TextItem { name, text, alphabet, index }))
    }

    /// `(X in set, Y in set)`
    fn rows(&mut self, name: String, index: (Expr, Expr)) -> Result<Item, Stop> {
        self.need(Tok::Open, "`(`")?;
        let pairs = self.names.list(&name, ParamType::Pairs, index.0.clone());
        let first_slot = self.names.slots;
        let left = self.column(&index.0, first_slot)?;
        self.need(Tok::Comma, "`,` and the second number of a pair")?;
        let right = self.column(&index.0, first_slot)?;
        self.need(Tok::Close, "`)`")?;
        let distinct = self.parser.eat_word("distinct");
        // From here on the columns are lists.
        for column in [&left, &right] {
            self.names.set(&column.name, Meaning::List(column.list));
        }
        self.names.set(&name, Meaning::List(pairs));
        self.names.rows.push((pairs, [left.list, right.list]));
        let columns = [left, right];
        Ok(Item::Rows(RowsItem {
            name,
            pairs,
            index,
            columns,
            distinct,
            keep_pairs: false,
            keep_columns: false,
        }))
    }

    fn column(&mut self, first: &Expr, first_slot: usize) -> Result<Column, Stop> {
        let name = self.new_name("a name for a number of the pair")?;
        self.need(Tok::In, "`in` and a set")?;
        let allowed = self.allowed()?;
        let mut varies = false;
        set_mentions(&allowed.set, &mut |slot| varies |= slot >= first_slot, &mut |_| {});
        let slot = self.names.number(&name);
        let list = self.names.list(&name, ParamType::List, first.clone());
        Ok(Column { name, slot, list, allowed, varies })
    }

    fn allowed(&mut self) -> Result<Allowed, Stop> {
        let start = self.parser.span();
        let set = self.set()?;
        let text =
            self.parser.text(self.parser.span_from(start)).split_whitespace().collect::<Vec<_>>().join(" ");
        let mut named = false;
        set_mentions(&set, &mut |_| named = true, &mut |_| {});
        let mut lists = false;
        set_mentions(&set, &mut |_| {}, &mut |_| lists = true);
        let named = named || lists;
        let set = fold(set);
        Ok(Allowed { set, text, named })
    }
}

/// Constant ends are worked out once.
fn fold(set: Set) -> Set {
    let constant = |e: Expr| e.eval(&[], &[]).map_or(e, Expr::Const);
    match set {
        Set::Range(lo, hi) => Set::Range(constant(lo), hi.map(constant)),
        other => other,
    }
}
