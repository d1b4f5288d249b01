//! Whole files: the header, the lines, and what the literature says; and the clauses of laws.

use crate::ast::{Clause, Cond, Entry, File, Header, Law, Param, ParamType, Subject};
use crate::diagnostic::Diagnostic;
use crate::lexer::Tok;
use crate::parser::Parser;

impl Parser<'_> {
    /// A game file or a bare rule.
    pub(super) fn file(&mut self) -> File {
        let mut file = File::default();
        self.skip_eols();
        if self.at_header() {
            file.header = self.header();
            self.line_end(file.header.is_some());
        }
        loop {
            self.skip_eols();
            match self.peek() {
                Tok::End => break,
                _ if self.at_header() => self.late_header(),
                Tok::Name if self.at_word("source") && self.peek_second() == Tok::Text => {
                    self.advance();
                    let source = self.string("a text in quotes");
                    self.line_end(source.is_some());
                    file.sources.extend(source);
                }
                Tok::Name if self.at_word("terms") && matches!(self.peek_second(), Tok::Number(_)) => {
                    let span = self.span();
                    self.advance();
                    let terms = self.numbers();
                    self.line_end(terms.is_some());
                    if file.terms.is_some() {
                        self.error(Diagnostic::error("twice", span, "`terms` stands twice"));
                    }
                    file.terms = terms;
                }
                Tok::Name
                    if self.at_word("law")
                        && matches!(self.peek_second(), Tok::Eol | Tok::End | Tok::Text) =>
                {
                    self.advance();
                    if self.peek() == Tok::Text {
                        file.law_source = self.string("a text in quotes");
                        self.line_end(file.law_source.is_some());
                    }
                    file.law = self.law();
                    break;
                }
                _ => self.line(&mut file.productions),
            }
        }
        file
    }

    /// Ends a line that was read, or gives up one that was not.
    pub(super) fn line_end(&mut self, read: bool) {
        if read {
            self.expect_eol();
        } else {
            self.broken = true;
            self.skip_line();
        }
    }

    /// `game`, `coins`, or what may stand before them.
    fn at_header(&self) -> bool {
        let word = |tok: Tok| matches!(tok, Tok::Misere | Tok::Game | Tok::Coins);
        word(self.peek()) || self.at_word("loopy") && word(self.peek_second())
    }

    fn late_header(&mut self) {
        let span = self.rest_of_line();
        let message = "the header stands before the lines, and only once";
        self.error(Diagnostic::error("header", span, message));
        self.broken = true;
        self.skip_line();
    }

    fn header(&mut self) -> Option<Header> {
        let start = self.span();
        let (mut misere, mut loopy) = (false, false);
        loop {
            if !misere && self.eat(Tok::Misere) {
                misere = true;
            } else if !loopy && self.eat_word("loopy") {
                loopy = true;
            } else {
                break;
            }
        }
        let coins = match self.peek() {
            Tok::Game => false,
            Tok::Coins => true,
            _ if loopy => return self.unexpected("`game` or `coins` after `loopy`"),
            _ => return self.unexpected("`game` or `coins` after `misere`"),
        };
        self.advance();
        let name = if self.at_name() { Some(self.name("a name")?) } else { None };
        let mut params = Vec::new();
        if self.eat(Tok::Open) {
            if self.peek() != Tok::Close {
                params.push(self.param()?);
                while self.eat(Tok::Comma) {
                    params.push(self.param()?);
                }
            }
            self.expect(Tok::Close, "`)`")?;
        }
        let cond = if self.eat(Tok::Where) { Some(self.cond()?) } else { None };
        Some(Header { misere, loopy, coins, name, params, cond, span: self.span_from(start) })
    }

    fn param(&mut self) -> Option<Param> {
        let name = self.name("the name of a parameter")?;
        if !self.eat(Tok::Colon) {
            return Some(Param { name, ty: None });
        }
        let types = [
            ("number", ParamType::Number),
            ("set", ParamType::Set),
            ("list", ParamType::List),
            ("pairs", ParamType::Pairs),
        ];
        for (word, ty) in types {
            if self.eat_word(word) {
                return Some(Param { name, ty: Some(ty) });
            }
        }
        self.unexpected("`number`, `set`, `list` or `pairs`")
    }

    fn numbers(&mut self) -> Option<Vec<crate::expr::Int>> {
        let mut out = vec![self.signed_number("a number")?];
        while self.eat(Tok::Comma) {
            out.push(self.signed_number("a number")?);
        }
        Some(out)
    }

    /// A law, to the end of the text.
    pub(super) fn law(&mut self) -> Law {
        let mut law = Law::default();
        self.in_law = true;
        self.skip_eols();
        if self.at_word("zeros") {
            law.subject = Subject::Zeros;
            self.advance();
            let ended = self.expect_eol();
            self.broken |= ended.is_none();
        }
        loop {
            self.skip_eols();
            if self.peek() == Tok::End {
                return law;
            }
            let clause = self.clause(law.subject);
            self.line_end(clause.is_some());
            law.clauses.extend(clause);
        }
    }

    /// One clause of a law about nimbers or zeros.
    pub fn clause(&mut self, of: Subject) -> Option<Clause> {
        let start = self.span();
        if of == Subject::Nimbers && self.at_block() {
            return self.block();
        }
        if of == Subject::Zeros && self.peek() == Tok::Open {
            let entries = self.tuple()?;
            let span = self.span_from(start);
            let Some(cond) = self.clause_cond()? else {
                return self.unexpected("`for`: which heaps are lost");
            };
            return Some(Clause::Lost { entries, cond, span: span.to(self.span_from(start)) });
        }
        if !self.eat_word(of.letter()) {
            return self.unexpected(match of {
                Subject::Nimbers => "a clause such as `g(2n) = g(n) + 1`",
                Subject::Zeros => "a clause such as `z(i + 2) = z(i + 1) + z(i)`",
            });
        }
        if of == Subject::Nimbers && self.partner().is_some_and(|close| self.comma_inside(close)) {
            let entries = self.tuple()?;
            self.clause_sign()?;
            let value = self.expr()?;
            let cond = self.clause_cond()?;
            return Some(Clause::Tuple { entries, value, cond, span: self.span_from(start) });
        }
        self.expect(Tok::Open, "`(`")?;
        if let Tok::Number(first) = self.peek()
            && self.peek_second() == Tok::DotDot
        {
            self.advance();
            self.advance();
            self.expect(Tok::Close, "`)`: the values are listed after `=`")?;
            self.clause_sign()?;
            let values = self.numbers()?;
            return Some(Clause::Values { of, start: first, values, span: self.span_from(start) });
        }
        let pattern = self.expr()?;
        self.expect(Tok::Close, "`)`")?;
        self.clause_sign()?;
        if of == Subject::Zeros
            && self.peek() == Tok::Open
            && self.partner().is_some_and(|close| self.comma_inside(close))
        {
            self.advance();
            let first = self.expr()?;
            self.expect(Tok::Comma, "`,`")?;
            let second = self.expr()?;
            self.expect(Tok::Close, "`)`: a heap of two entries")?;
            let cond = self.clause_cond()?;
            let pair = Box::new((first, second));
            return Some(Clause::Pair { pattern, pair, cond, span: self.span_from(start) });
        }
        let value = self.expr()?;
        let cond = self.clause_cond()?;
        Some(Clause::Equation { of, pattern, value, cond, span: self.span_from(start) })
    }

    /// `(a, b)`: the entries of a heap, each a name or a number.
    fn tuple(&mut self) -> Option<Vec<Entry>> {
        self.expect(Tok::Open, "`(`")?;
        let mut entries = Vec::new();
        loop {
            entries.push(match self.peek() {
                Tok::Number(value) => {
                    let span = self.span();
                    self.advance();
                    Entry::Number(value, span)
                }
                _ => Entry::Name(self.name("a name or a number for each entry, as in `g(a, b) = a xor b`")?),
            });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Close, "`)`")?;
        Some(entries)
    }

    /// `for cond`, if there is one.
    #[allow(clippy::option_option, reason = "the outer one says whether it could be read")]
    fn clause_cond(&mut self) -> Option<Option<Cond>> {
        if self.eat(Tok::For) {
            return Some(Some(self.cond()?));
        }
        if matches!(self.peek(), Tok::Where) || self.at_word("if") || self.at_word("when") {
            let span = self.span();
            self.habit("`for` in a law", span, "for");
            return Some(Some(self.cond()?));
        }
        Some(None)
    }

    fn clause_sign(&mut self) -> Option<()> {
        let span = self.span();
        if matches!(self.peek(), Tok::Foreign(crate::lexer::Foreign::EqEq)) {
            self.habit("`=`", span, "=");
            return Some(());
        }
        self.expect(Tok::Eq, "`=`")
    }
}
