//! The `game` section: which game, and which names of the input are its parameters.

use grundy_rule::argument::Argument;
use grundy_rule::ast::{self, ParamType};
use grundy_rule::code;
use grundy_rule::diagnostic::{Diagnostic, Span};
use grundy_rule::lexer::Tok;
use grundy_rule::rule::Rule;
use grundy_rule::{parser, resolve};

use super::super::names::Meaning;
use super::super::{Bound, Game, RuleGame};
use super::{Load, Reading, Stop};
use crate::{catalogue, search};

/// The parameters that the input gives, with their places.
pub(super) type Asked = Vec<ast::Name>;

impl Reading<'_> {
    /// The game with its text resolved as far as that goes without the input.
    pub(super) fn game(&mut self, load: Load<'_>) -> Result<(Game, Asked), Stop> {
        self.parser.skip_eols();
        if !self.parser.eat(Tok::Game) {
            return Err(self.unexpected("`game`"));
        }
        let span = self.parser.span();
        let reference = if self.parser.at_name() {
            self.parser.name("the game's name").ok_or(Stop)?.text
        } else {
            self.parser.string("the game: its name, or a rule in quotes").ok_or(Stop)?
        };
        let mut asked = Asked::new();
        if self.parser.eat(Tok::Open) {
            loop {
                asked.push(self.parser.name("the name of a parameter").ok_or(Stop)?);
                if !self.parser.eat(Tok::Comma) {
                    break;
                }
            }
            self.need(Tok::Close, "`)`")?;
        }
        self.eol()?;
        let name = catalogue::entry(&reference).map_or(reference.as_str(), |(name, _)| name);
        if let Some(game) = search::built_in(name) {
            if let Some(name) = asked.first() {
                return Err(self.stop(name.span, "parameter", format!("`{reference}` has no parameters")));
            }
            return Ok((Game::BuiltIn(game), asked));
        }
        let text = self.text_of(&reference, span, load)?;
        let (file, said) = parser::parse_file(&text);
        if said.iter().any(Diagnostic::is_error) {
            return Err(self.in_game(span, &said));
        }
        // Names in a rule without a header become parameters when they get a value: one of any type, until the
        // input is known. Those of a header need none.
        let header: Vec<&str> =
            file.header.iter().flat_map(|h| &h.params).map(|param| param.name.text.as_str()).collect();
        let mut arguments = Vec::new();
        for name in asked.iter().filter(|name| !header.contains(&name.text.as_str())) {
            let one = Argument::parse("1").map_err(|d| self.say(d))?;
            arguments.push((name.text.clone(), one));
        }
        let rule = match resolve::resolve(&file, &text, &arguments) {
            Ok((rule, _)) => rule,
            Err(said) => return Err(self.in_game(span, &said)),
        };
        let misere = rule.misere;
        Ok((Game::Rule(Box::new(RuleGame { rule, file, misere, bound: Vec::new() })), asked))
    }

    fn text_of(&mut self, reference: &str, span: Span, load: Load<'_>) -> Result<String, Stop> {
        if ["->", "=>", "\u{2192}"].iter().any(|arrow| reference.contains(arrow)) {
            return Ok(reference.to_string());
        }
        if reference.ends_with(".game") {
            return load(reference).map_err(|message| self.stop(span, "file", message));
        }
        if let Some((_, catalogue::Kind::Rule(text))) = catalogue::entry(reference) {
            return Ok(text.to_string());
        }
        match code::to_rule_text(reference) {
            Some(Ok(text)) => Ok(text),
            Some(Err(said)) => Err(self.in_game(span, &[said])),
            None => Err(self.stop(span, "unknown-game", format!("no game is called `{reference}`"))),
        }
    }

    /// Ties the parameters to what the input reads.
    pub(super) fn bind(&mut self, game: &mut Game, asked: Asked) -> Result<(), Stop> {
        let Game::Rule(game) = game else { return Ok(()) };
        for name in &asked {
            let Some(param) = game.rule.param(&name.text) else {
                let message = format!("the game has no parameter `{}`", name.text);
                return Err(self.stop(name.span, "unknown-name", message));
            };
            let ty = game.rule.params[param].ty;
            let bound = match (self.names.get(&name.text), ty) {
                (Some(Meaning::Number(slot)), ParamType::Number) => Bound::Number(slot),
                (Some(Meaning::List(list)), _) if fits(self.names.lists[list].ty, ty) => Bound::List(list),
                (None, _) => {
                    let message = format!("the input reads no `{}`", name.text);
                    return Err(self.stop(name.span, "unknown-name", message));
                }
                (Some(_), _) => {
                    let message = format!("`{}` of the input is not a {}", name.text, resolve::type_name(ty));
                    return Err(self.stop(name.span, "type", message));
                }
            };
            game.bound.push((param, bound));
        }
        let missing = |rule: &Rule| {
            (0..rule.params.len())
                .find(|id| rule.params[*id].value.is_none() && !game.bound.iter().any(|(b, _)| b == id))
                .map(|id| rule.params[id].name.clone())
        };
        if let Some(name) = missing(&game.rule) {
            let message = format!("the game's parameter `{name}` has no value");
            let said = Diagnostic::error("unknown-name", self.game_span(&asked), message)
                .help(format!("name it after the game, `({name})`, and read it in the input"));
            return Err(self.say(said));
        }
        Ok(())
    }

    fn game_span(&self, asked: &Asked) -> Span {
        asked.first().map_or(Span::default(), |name| name.span)
    }

    /// Faults of the game's text, said at the place where the problem names it.
    fn in_game(&mut self, span: Span, said: &[Diagnostic]) -> Stop {
        for diagnostic in said.iter().filter(|d| d.is_error()) {
            let mut here =
                Diagnostic::error(diagnostic.id, span, format!("in the game: {}", diagnostic.message));
            here.help.clone_from(&diagnostic.help);
            self.parser.error(here);
        }
        Stop
    }
}

/// Whether a list of the input can be a parameter of that type.
fn fits(input: ParamType, param: ParamType) -> bool {
    match param {
        ParamType::Pairs => input == ParamType::Pairs,
        ParamType::List | ParamType::Set => input == ParamType::List,
        ParamType::Number => false,
    }
}
