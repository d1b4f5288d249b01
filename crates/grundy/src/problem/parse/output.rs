//! The `output` section: lines with templates.

use std::collections::BTreeSet;

use grundy_rule::ast::Name;
use grundy_rule::diagnostic::{Diagnostic, Span};
use grundy_rule::expr::{Expr, Slot};
use grundy_rule::lexer::Tok;
use grundy_rule::parser::Parser;

use super::super::names::Meaning;
use super::super::template::{Needs, Piece, Say, When, mentions};
use super::super::{Game, Specials};
use super::{Reading, Stop};

impl Reading<'_> {
    pub(super) fn output(&mut self, game: &Game) -> Result<(Vec<Say>, Specials), Stop> {
        let specials = self.specials(game);
        let mut says = Vec::new();
        loop {
            self.parser.skip_eols();
            let span = self.parser.span();
            let when = match self.parser.text(span) {
                "win" => When::Win,
                "lose" => When::Lose,
                "draw" => When::Draw,
                "score" => When::Score,
                "each" => When::Each,
                _ => break,
            };
            self.parser.advance();
            says.push(self.line(when, &specials, span)?);
            if !self.parser.at_eol() {
                return Err(self.unexpected("the end of the line"));
            }
        }
        if says.is_empty() {
            return Err(self.unexpected("`win`, `lose`, `draw`, `score` or `each`"));
        }
        if let Game::Rule(rule) = game {
            for (when, word) in [(When::Win, "win"), (When::Lose, "lose")] {
                let each = when == When::Win && says.iter().any(|say| say.when == When::Each);
                if !each && !says.iter().any(|say| say.when == when) {
                    let message = format!("nothing says what to print when the first player would {word}");
                    return Err(self.stop(self.parser.span(), "output", message));
                }
            }
            if rule.misere && says.iter().any(|say| uses(say, specials.nimber)) {
                return Err(self.stop(self.parser.span(), "misere", "misere positions have no nimber"));
            }
        }
        Ok((says, specials))
    }

    /// Makes the names known that only templates have. The input's names come first.
    fn specials(&mut self, game: &Game) -> Specials {
        let mut number = |name: &str| match self.names.get(name) {
            Some(_) => self.names.slot(),
            None => self.names.number(name),
        };
        let (index, count, nimber) = (number("index"), number("count"), number("nimber"));
        let (score, case) = (number("score"), number("case"));
        let mut variables = Vec::new();
        if let Game::Rule(game) = game {
            let all = game.rule.lines.iter().flat_map(|line| &line.alternatives).flat_map(|a| &a.variables);
            let all: BTreeSet<String> = all.map(|variable| variable.name.clone()).collect();
            for name in all {
                if self.names.get(&name).is_none() {
                    let slot = self.names.number(&name);
                    variables.push((name, slot));
                }
            }
        }
        let (from, to) = (self.names.both("from"), self.names.both("to"));
        Specials { index, from, to, count, nimber, score, case, variables }
    }

    fn line(&mut self, when: When, specials: &Specials, span: Span) -> Result<Say, Stop> {
        let text_span = self.parser.span();
        let text = self.parser.string("what to print, in quotes").ok_or(Stop)?;
        let mut lets = Vec::new();
        let mut hidden: Vec<(Name, Option<Meaning>)> = Vec::new();
        if self.parser.eat(Tok::Where) {
            loop {
                let name = self.parser.name("a name").ok_or(Stop)?;
                self.need(Tok::Eq, "`=`")?;
                let expr = self.expr()?;
                hidden.push((name.clone(), self.names.get(&name.text)));
                lets.push((self.names.number(&name.text), expr));
                if !self.parser.eat(Tok::Comma) {
                    break;
                }
            }
        }
        let mut least = Vec::new();
        if self.parser.eat_word("least") {
            if when != When::Win {
                return Err(self.stop(span, "output", "`least` chooses among winning moves: after `win`"));
            }
            least.push(self.expr()?);
            while self.parser.eat(Tok::Comma) {
                least.push(self.expr()?);
            }
        }
        let pieces = self.pieces(&text, text_span)?;
        for (name, meaning) in hidden.into_iter().rev() {
            self.names.restore(&name.text, meaning);
        }
        let mut say = Say { when, pieces, lets, least, needs: Needs::default() };
        say.needs = self.needs(&say, specials);
        self.allow(&say, specials, span)?;
        Ok(say)
    }

    fn expr(&mut self) -> Result<Expr, Stop> {
        let expr = self.parser.expr().ok_or(Stop)?;
        self.names.expr(&expr).map_err(|d| self.say(d))
    }

    /// A template: text, and expressions in braces. `{{` and `}}` are braces.
    fn pieces(&mut self, text: &str, span: Span) -> Result<Vec<Piece>, Stop> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                plain.push_str(brace);
                rest = after;
                continue;
            }
            let inner = if brace == "{" { rest.split_once('}') } else { None };
            let Some((inner, after)) = inner else {
                return Err(self.stop(span, "output", "a brace without its partner: `{{` prints one"));
            };
            rest = after;
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::Value(self.inner(inner, span)?));
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(pieces)
    }

    fn inner(&mut self, text: &str, span: Span) -> Result<Expr, Stop> {
        let mut parser = Parser::new(text);
        let expr = parser.expr();
        let ended = parser.at_end();
        let said = parser.take_diagnostics();
        let wrong = said.into_iter().find(Diagnostic::is_error).map(|d| d.message);
        match (expr, wrong) {
            (Some(expr), None) if ended => self.names.expr(&expr).map_err(|mut d| {
                (d.span, d.patch) = (span, None);
                self.say(d)
            }),
            (_, wrong) => {
                let wrong = wrong.unwrap_or_else(|| "it is no expression".to_string());
                Err(self.stop(span, "output", format!("`{{{text}}}`: {wrong}")))
            }
        }
    }

    fn needs(&self, say: &Say, specials: &Specials) -> Needs {
        let mut needs = Needs { a_move: say.when == When::Each || !say.least.is_empty(), ..Needs::default() };
        let moved = [specials.index, specials.from.0, specials.to.0];
        let mut slot = |s: Slot| {
            needs.variables |= specials.variables.iter().any(|(_, variable)| *variable == s);
            needs.a_move |= moved.contains(&s);
            needs.count |= s == specials.count;
            needs.one_from |= s == specials.from.0;
            needs.one_to |= s == specials.to.0;
        };
        let mut lists = Vec::new();
        for expr in say.exprs() {
            mentions(expr, &mut slot, &mut |list| lists.push(list));
        }
        needs.a_move |= needs.variables || lists.contains(&specials.from.1) || lists.contains(&specials.to.1);
        needs
    }

    /// Whether what the line speaks about is known when it is said.
    fn allow(&mut self, say: &Say, specials: &Specials, span: Span) -> Result<(), Stop> {
        let moves = matches!(say.when, When::Win | When::Each);
        if !moves && (say.needs.a_move || say.needs.count && say.when != When::Lose) {
            return Err(self.stop(
                span,
                "output",
                "there is a winning move to speak about only after `win` and `each`",
            ));
        }
        if say.when == When::Each && say.needs.count {
            return Err(self.stop(
                span,
                "output",
                "how many moves win is known after the last: print it with `win`",
            ));
        }
        if say.when != When::Score && uses(say, specials.score) {
            return Err(self.stop(span, "output", "a score is known after `score` only"));
        }
        Ok(())
    }

    /// For each list whether the output mentions it.
    pub(super) fn said(&self, says: &[Say]) -> Vec<bool> {
        let mut said = vec![false; self.names.used.len()];
        for expr in says.iter().flat_map(Say::exprs) {
            mentions(expr, &mut |_| {}, &mut |list| said[list] = true);
        }
        said
    }
}

fn uses(say: &Say, wanted: Slot) -> bool {
    let mut found = false;
    for expr in say.exprs() {
        mentions(expr, &mut |slot| found |= slot == wanted, &mut |_| {});
    }
    found
}
