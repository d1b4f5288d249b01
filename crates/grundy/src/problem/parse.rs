//! The text of a problem file: section by section, each name known from where it is read.

mod game;
mod items;
mod output;

use grundy_rule::ast;
use grundy_rule::diagnostic::{Diagnostic, Span};
use grundy_rule::expr::{Expr, Set};
use grundy_rule::heap::KindId;
use grundy_rule::lexer::Tok;
use grundy_rule::parser::Parser;

use super::names::{Meaning, Names};
use super::place::{Numbers, Place};
use super::{Bound, Game, Item, Problem, at};

/// Reads a file's content for its path as written.
pub(super) type Load<'a> = &'a mut dyn FnMut(&str) -> Result<String, String>;

/// The state of reading: the cursor and the names so far.
struct Reading<'a> {
    parser: Parser<'a>,
    names: Names,
    /// How many lists the place that is read stands in.
    depth: u32,
}

/// What cannot go on is said and given up: the sections depend on each other.
struct Stop;

pub(super) fn parse(text: &str, load: Load<'_>) -> Result<Problem, Vec<Diagnostic>> {
    let mut reading = Reading { parser: Parser::new(text), names: Names::default(), depth: 0 };
    let problem = reading.problem(text, load);
    let diagnostics = reading.parser.take_diagnostics();
    match problem {
        Ok(problem) if !diagnostics.iter().any(Diagnostic::is_error) => Ok(problem),
        _ if diagnostics.is_empty() => Err(vec![at(Span::default(), "syntax", "this is no problem file")]),
        _ => Err(diagnostics),
    }
}

impl<'a> Reading<'a> {
    fn problem(&mut self, source: &str, load: Load<'_>) -> Result<Problem, Stop> {
        self.parser.skip_eols();
        self.word("problem")?;
        let name = self.parser.string("the problem's name in quotes").ok_or(Stop)?;
        self.eol()?;
        let (mut game, asked) = self.game(load)?;
        if self.parser.eat(Tok::Misere) {
            match &mut game {
                Game::Rule(rule) => rule.misere = true,
                Game::BuiltIn(_) => {
                    return Err(self.stop(self.parser.span(), "misere", "this game has no misere play"));
                }
            }
            self.eol()?;
        }
        self.word("input")?;
        let (before, repeat, mut items) = self.input()?;
        self.bind(&mut game, asked)?;
        self.word("position")?;
        let places = self.places(&game)?;
        self.word("output")?;
        let (says, specials) = self.output(&game)?;
        self.parser.skip_eols();
        if !self.parser.at_end() {
            return Err(self.unexpected("win, lose, draw, score, each or the end"));
        }
        let mut before = before;
        for item in before.iter_mut().chain(&mut items) {
            self.keep(item, &game, &places);
        }
        let said = self.said(&says);
        Ok(Problem {
            source: source.to_string(),
            name,
            game,
            before,
            repeat,
            items,
            places,
            says,
            slots: self.names.slots,
            lists: std::mem::take(&mut self.names.lists),
            said,
            texts: self.names.texts,
            specials,
        })
    }

    /// Marks what later sections need of an item's list or rows.
    fn keep(&self, item: &mut Item, game: &Game, places: &[Place]) {
        let bound = |list| match game {
            Game::Rule(rule) => rule.bound.iter().any(|(_, b)| matches!(b, Bound::List(l) if *l == list)),
            Game::BuiltIn(_) => false,
        };
        let rows = match item {
            Item::List(list) => {
                list.narrow = !self.names.evaluated[list.list] && !bound(list.list);
                return;
            }
            Item::Rows(rows) => rows,
            Item::Number(_) | Item::Text(_) => return,
        };
        let placed = |list| places.iter().any(|place| mentions_list(place, list));
        rows.keep_pairs = bound(rows.pairs) || self.names.used[rows.pairs];
        rows.keep_columns =
            rows.columns.iter().any(|c| self.names.used[c.list] || bound(c.list) || placed(c.list));
    }

    fn places(&mut self, game: &Game) -> Result<Vec<Place>, Stop> {
        let mut places = vec![self.place(game)?];
        while self.parser.eat(Tok::Comma) {
            places.push(self.place(game)?);
        }
        if places.len() > 1 && places.iter().any(|p| matches!(p, Place::Text(_))) {
            return Err(self.stop(self.parser.span(), "position", "a string is a position alone"));
        }
        self.eol()?;
        Ok(places)
    }

    fn place(&mut self, game: &Game) -> Result<Place, Stop> {
        let raw = self.raw_place(game)?;
        self.resolve_place(raw, game)
    }

    /// Reads a place; its `for` names stand after what uses them, so names are looked up afterwards.
    fn raw_place(&mut self, game: &Game) -> Result<Raw, Stop> {
        let start = self.parser.span();
        if self.parser.eat(Tok::OpenList) {
            self.depth += 1;
            if self.depth > NESTED {
                return Err(self.stop(
                    start,
                    "nesting",
                    format!("more than {NESTED} lists inside one another"),
                ));
            }
            let place = self.raw_place(game)?;
            self.depth -= 1;
            self.need(Tok::For, "`for` and a name")?;
            let name = self.parser.name("a name after `for`").ok_or(Stop)?;
            self.need(Tok::In, "`in`")?;
            let set = self.parser.set().ok_or(Stop)?;
            self.need(Tok::CloseList, "`]`")?;
            return Ok(Raw::For(Box::new(place), name, set));
        }
        if let Some(found) = self.numbers(game)? {
            return match found {
                Found::Place(place) => Ok(Raw::Done(place)),
                Found::Numbers(numbers) => {
                    Ok(Raw::Done(Place::Numbers { kind: self.kind(game, None, 1, start)?, numbers }))
                }
            };
        }
        let heap = self.parser.heap().ok_or(Stop)?;
        if !self.parser.eat_word("x") {
            return Ok(Raw::Heap(None, heap));
        }
        match (heap.kind, <[ast::Expr; 1]>::try_from(heap.entries)) {
            (None, Ok([count])) => Ok(Raw::Heap(Some(count), self.parser.heap().ok_or(Stop)?)),
            _ => Err(self.stop(heap.span, "position", "how many heaps: a number before `x`")),
        }
    }

    /// Looks up the names of a place; the depth is that of its lists.
    fn resolve_place(&mut self, raw: Raw, game: &Game) -> Result<Place, Stop> {
        match raw {
            Raw::Done(place) => Ok(place),
            Raw::Heap(count, heap) => {
                let count = match count {
                    Some(count) => Some(self.names.expr(&count).map_err(|d| self.say(d))?),
                    None => None,
                };
                let name = heap.kind.as_ref().map(|k| k.text.as_str());
                let kind = self.kind(game, name, heap.entries.len(), heap.span)?;
                let mut entries = Vec::new();
                for entry in &heap.entries {
                    entries.push(self.names.expr(entry).map_err(|d| self.say(d))?);
                }
                Ok(Place::Heap { count, kind, entries })
            }
            Raw::For(place, name, set) => {
                let span = set.span;
                let set = self.names.set_of(&set).map_err(|d| self.say(d))?;
                if !matches!(set, Set::Range(_, Some(_)) | Set::List(_)) {
                    return Err(self.stop(span, "set", "a position counts over `a..b` or `{a, b}`"));
                }
                let hidden = self.names.get(&name.text);
                let slot = self.names.number(&name.text);
                let place = Box::new(self.resolve_place(*place, game)?);
                self.names.restore(&name.text, hidden);
                Ok(Place::For { place, slot, set })
            }
        }
    }

    /// A list, pairs or string by its name, or an adaptor; `None` if an expression stands here.
    fn numbers(&mut self, game: &Game) -> Result<Option<Found>, Stop> {
        if !self.parser.at_name() {
            return Ok(None);
        }
        let span = self.parser.span();
        let name = self.parser.text(span).to_string();
        if self.parser.peek_second() == Tok::Open && ADAPTORS.contains(&name.as_str()) {
            self.parser.advance();
            return self.adaptor(&name, game).map(|numbers| Some(Found::Numbers(numbers)));
        }
        let alone = !matches!(self.parser.peek_second(), Tok::Open | Tok::OpenList);
        match self.names.get(&name) {
            Some(Meaning::List(list)) if alone => {
                self.parser.advance();
                let first = self.names.firsts[list].clone();
                match self.names.columns_of(list) {
                    Some(columns) => {
                        let kind = self.kind(game, None, 2, span)?;
                        Ok(Some(Found::Place(Place::Rows { kind, columns, first })))
                    }
                    None => {
                        self.names.used[list] = true;
                        Ok(Some(Found::Numbers(Numbers::List(list, first))))
                    }
                }
            }
            Some(Meaning::Text(text)) if alone => {
                self.parser.advance();
                match game {
                    Game::BuiltIn(_) => Ok(Some(Found::Place(Place::Text(text)))),
                    Game::Rule(_) => Err(self.stop(
                        span,
                        "position",
                        format!("`{name}` is a string: `runs({name}, \"...\")`"),
                    )),
                }
            }
            _ => Ok(None),
        }
    }

    /// The arguments of an adaptor.
    fn adaptor(&mut self, name: &str, game: &Game) -> Result<Numbers, Stop> {
        self.need(Tok::Open, "`(`")?;
        let span = self.parser.span();
        let numbers = if name == "runs" {
            let text = self.parser.name("the name of a string").ok_or(Stop)?;
            let Some(Meaning::Text(text)) = self.names.get(&text.text) else {
                return Err(self.stop(text.span, "position", format!("`{}` is no string", text.text)));
            };
            self.need(Tok::Comma, "`,` and the character in quotes")?;
            let span = self.parser.span();
            let character = self.parser.string("the character in quotes").ok_or(Stop)?;
            let &[byte] = character.as_bytes() else {
                return Err(self.stop(span, "position", "runs are of one plain character"));
            };
            Numbers::Runs(text, byte)
        } else {
            self.depth += 1;
            if self.depth > NESTED {
                return Err(self.stop(
                    span,
                    "nesting",
                    format!("more than {NESTED} adaptors inside one another"),
                ));
            }
            let inner = self.numbers(game)?;
            self.depth -= 1;
            let Some(Found::Numbers(inner)) = inner else {
                return Err(self.stop(span, "position", format!("`{name}` is of a list")));
            };
            match name {
                "sorted" => Numbers::Sorted(Box::new(inner)),
                "unique" => Numbers::Unique(Box::new(inner)),
                _ => Numbers::Differences(Box::new(inner)),
            }
        };
        self.need(Tok::Close, "`)`")?;
        Ok(numbers)
    }

    /// The rule's kind of that name with so many entries; any for built-in games.
    fn kind(&mut self, game: &Game, name: Option<&str>, arity: usize, span: Span) -> Result<KindId, Stop> {
        match game {
            Game::BuiltIn(_) => Ok(KindId(0)),
            Game::Rule(rule) => rule.rule.kind(name, arity).ok_or_else(|| {
                let shown = name.map_or(String::new(), |name| format!(" called `{name}`"));
                let entries = if arity == 1 { "one number".to_string() } else { format!("{arity} numbers") };
                self.stop(span, "no-rule", format!("the game has no heaps{shown} of {entries}"))
            }),
        }
    }

    fn set(&mut self) -> Result<Set, Stop> {
        let set = self.parser.set().ok_or(Stop)?;
        self.names.set_of(&set).map_err(|d| self.say(d))
    }

    /// A range with both ends.
    fn range(&mut self) -> Result<(Expr, Expr), Stop> {
        let span = self.parser.span();
        match self.set()? {
            Set::Range(lo, Some(hi)) => Ok((lo, hi)),
            _ => Err(self.stop(span, "set", "indices are a range such as `1..n`")),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), Stop> {
        self.parser.skip_eols();
        if self.parser.eat_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    fn eol(&mut self) -> Result<(), Stop> {
        self.parser.expect_eol().ok_or(Stop)?;
        self.parser.skip_eols();
        Ok(())
    }

    fn need(&mut self, tok: Tok, what: &str) -> Result<(), Stop> {
        self.parser.expect(tok, what).ok_or(Stop)
    }

    fn say(&mut self, diagnostic: Diagnostic) -> Stop {
        self.parser.error(diagnostic);
        Stop
    }

    fn stop(&mut self, span: Span, id: &'static str, message: impl Into<String>) -> Stop {
        self.say(at(span, id, message))
    }

    fn unexpected(&mut self, what: &str) -> Stop {
        let _: Option<()> = self.parser.unexpected(what);
        Stop
    }
}

/// A place whose names are not looked up yet.
enum Raw {
    Done(Place),
    Heap(Option<ast::Expr>, ast::HeapExpr),
    For(Box<Raw>, ast::Name, ast::Set),
}

/// How deep lists may stand in one another in a position.
const NESTED: u32 = 16;

/// What a name or an adaptor at the beginning of a place gives.
enum Found {
    Numbers(Numbers),
    Place(Place),
}

const ADAPTORS: [&str; 4] = ["runs", "sorted", "unique", "differences"];

fn mentions_list(place: &Place, list: usize) -> bool {
    match place {
        Place::Rows { columns, .. } => columns.contains(&list),
        Place::For { place, .. } => mentions_list(place, list),
        Place::Heap { .. } | Place::Numbers { .. } | Place::Text(_) => false,
    }
}
