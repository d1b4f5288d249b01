//! Lines of a rule, `left -> sum | sum where cond`, and what people write instead.

use crate::ast::{Ending, Entry, ExprKind, HeapExpr, Name, Part, Player, Production, Set, SumExpr};
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::{Foreign, Tok, name_text};
use crate::parser::Parser;

/// `for NAME in set`.
type Range = (Name, Set);

impl Parser<'_> {
    /// One line and its end.
    pub(super) fn line(&mut self, productions: &mut Vec<Production>) {
        let line = self.rest_of_line();
        let arrow = |t: &crate::lexer::Token| matches!(t.tok, Tok::Arrow | Tok::Foreign(Foreign::FatArrow));
        let has_arrow =
            self.tokens[self.at..].iter().take_while(|t| !matches!(t.tok, Tok::Eol | Tok::End)).any(arrow);
        if !has_arrow {
            self.missing_left(line, productions.last());
            self.skip_line();
            return;
        }
        let production = self.production(line);
        self.line_end(production.is_some());
        productions.extend(production);
    }

    fn missing_left(&mut self, line: Span, before: Option<&Production>) {
        let mut said = Diagnostic::error("missing-left", line, "a line needs `left ->`");
        if let Some(before) = before {
            let patch = format!("{} -> {}", self.text(before.left_span), self.text(line));
            said = said.help(format!("`{patch}`")).patch(line, patch);
        } else {
            said = said.help("a line says what one move makes of a heap: `n -> n - 1`");
            self.broken = true;
        }
        self.error(said);
    }

    fn production(&mut self, line: Span) -> Option<Production> {
        let start = self.span();
        let player = [Player::Left, Player::Right]
            .into_iter()
            .find(|player| self.at_word(player.word()) && self.peek_second() == Tok::Colon);
        if player.is_some() {
            self.advance();
            self.advance();
        }
        let kind =
            if self.at_name() && self.peek_second() == Tok::Open { Some(self.name("a kind")?) } else { None };
        let mut entries = Vec::new();
        if self.eat(Tok::Open) {
            entries.push(self.entry()?);
            while self.eat(Tok::Comma) {
                entries.push(self.entry()?);
            }
            self.expect(Tok::Close, "`)`")?;
        } else {
            entries.push(self.entry()?);
        }
        let left_span = self.span_from(start);
        if self.peek() == Tok::Foreign(Foreign::FatArrow) {
            let span = self.span();
            self.habit("`->`", span, "->");
        } else {
            self.expect(Tok::Arrow, "`->`")?;
        }
        let alternatives = self.alternatives()?;
        self.where_habit();
        let mut cond = if self.eat(Tok::Where) { Some(self.cond()?) } else { None };
        while self.peek() == Tok::Where && cond.is_some() {
            cond = self.second_where(cond);
        }
        if matches!(self.peek(), Tok::Bar | Tok::Foreign(Foreign::OrOr)) {
            self.second_alternative(left_span);
        }
        let span = Span::new(line.start, self.span_from(start).end);
        Some(Production { player, kind, entries, left_span, alternatives, cond, span })
    }

    fn entry(&mut self) -> Option<Entry> {
        let span = self.span();
        if let Tok::Number(value) = self.peek() {
            self.advance();
            return Some(Entry::Number(value, span));
        }
        self.name("the left side: a name or a number for each entry of the heap").map(Entry::Name)
    }

    fn alternatives(&mut self) -> Option<Vec<SumExpr>> {
        let mut out = Vec::new();
        loop {
            if self.peek() == Tok::OpenSet {
                self.braces(&mut out)?;
            } else {
                out.push(self.sum()?);
            }
            let span = self.span();
            match self.peek() {
                Tok::Bar => self.advance(),
                Tok::Or => {
                    self.error(
                        Diagnostic::error("or-option", span, "`or` belongs to conditions")
                            .help("options are parted by `|`")
                            .patch(span, "|"),
                    );
                    self.advance();
                }
                Tok::Foreign(Foreign::OrOr) => self.habit("`|` between options", span, "|"),
                _ => return Some(out),
            }
        }
    }

    /// `{n-1, n-2}`: options in braces.
    fn braces(&mut self, out: &mut Vec<SumExpr>) -> Option<()> {
        let start = self.span();
        self.open()?;
        let mut texts = Vec::new();
        loop {
            let part_start = self.span();
            let parts = self.part()?;
            let span = self.span_from(part_start);
            texts.push(self.text(span));
            out.push(SumExpr { parts, ending: None, span });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_close(Tok::CloseSet, "`}`", start)?;
        let span = self.span_from(start);
        let patch = texts.join(" | ");
        self.error(
            Diagnostic::error("braces", span, "options are parted by `|`")
                .help(format!("`{patch}`"))
                .patch(span, patch),
        );
        Some(())
    }

    /// What one move leaves.
    fn sum(&mut self) -> Option<SumExpr> {
        let start = self.span();
        if self.at_eol() || matches!(self.peek(), Tok::Where | Tok::Bar) {
            return self.unexpected("what a move leaves (`nothing`, if it is nothing)");
        }
        if let Some(ending) = Ending::ALL.into_iter().find(|ending| self.at_word(ending.word()))
            && matches!(
                self.peek_second(),
                Tok::Bar | Tok::Where | Tok::Eol | Tok::End | Tok::Or | Tok::Foreign(Foreign::OrOr)
            )
        {
            self.advance();
            return Some(SumExpr { parts: Vec::new(), ending: Some(ending), span: self.span_from(start) });
        }
        let parts = if self.eat(Tok::Nothing) { Vec::new() } else { self.heap_parts()? };
        self.ending_among(&parts);
        Some(SumExpr { parts, ending: None, span: self.span_from(start) })
    }

    /// `n - 1, win`: whoever wins at once leaves nothing.
    fn ending_among(&mut self, parts: &[Part]) {
        for part in parts.iter().filter(|_| parts.len() > 1) {
            if let Part::Heap(HeapExpr { kind: None, entries, span }) = part
                && let [entry] = entries.as_slice()
                && let ExprKind::Name(name) = &entry.kind
                && let Some(ending) = Ending::ALL.into_iter().find(|ending| ending.word() == name)
            {
                let word = ending.word();
                let message = format!("`{word}` ends the whole game: nothing stands beside it");
                self.error(
                    Diagnostic::error("ending", *span, message)
                        .help(format!("a move that ends it is an option of its own: `n -> {word} where ..`")),
                );
            }
        }
    }

    /// One or more parts of a sum, parted by commas; lists without `for` are spliced.
    pub fn heap_parts(&mut self) -> Option<Vec<Part>> {
        let mut parts = self.part()?;
        while self.eat(Tok::Comma) {
            parts.extend(self.part()?);
            if parts.len() > super::LONGEST {
                return self.too_many("heaps in one option");
            }
        }
        Some(parts)
    }

    fn part(&mut self) -> Option<Vec<Part>> {
        if self.peek() != Tok::OpenList {
            return self.heap().map(|heap| vec![Part::Heap(heap)]);
        }
        let start = self.span();
        self.open()?;
        self.enter()?;
        let body = self.list_body();
        self.leave();
        let (parts, range) = body?;
        self.expect_close(Tok::CloseList, "`]`", start)?;
        match range {
            None => Some(parts),
            Some((name, set)) => Some(vec![Part::List(parts, name, set, self.span_from(start))]),
        }
    }

    fn list_body(&mut self) -> Option<(Vec<Part>, Option<Range>)> {
        if self.peek() == Tok::CloseList {
            return Some((Vec::new(), None));
        }
        let parts = if self.eat(Tok::Nothing) { Vec::new() } else { self.heap_parts()? };
        if !self.eat(Tok::For) {
            return Some((parts, None));
        }
        let name = self.name("a name after `for`")?;
        self.expect(Tok::In, "`in`")?;
        let set = self.set()?;
        Some((parts, Some((name, set))))
    }

    /// One heap: `5`, `n - 1`, `(a, b)`, `row(n)`.
    pub fn heap(&mut self) -> Option<HeapExpr> {
        let start = self.span();
        let named = self.peek() == Tok::Name && self.peek_second() == Tok::Open;
        if named && !crate::resolve::is_function_name(self.text(start)) && !self.is_operand() {
            let kind = Name { text: name_text(self.source, start), span: start };
            self.advance();
            let entries = self.heap_entries()?;
            return Some(HeapExpr { kind: Some(kind), entries, span: self.span_from(start) });
        }
        if self.peek() == Tok::Open
            && let Some(close) = self.partner()
            && self.comma_inside(close)
        {
            let entries = self.heap_entries()?;
            return Some(HeapExpr { kind: None, entries, span: self.span_from(start) });
        }
        let entry = self.expr()?;
        Some(HeapExpr { kind: None, entries: vec![entry], span: self.span_from(start) })
    }

    /// Whether the brackets after the next name are followed by an operator: then it is a function's name,
    /// though none that is known.
    fn is_operand(&self) -> bool {
        let close = self.paired.get(self.at + 1).copied().unwrap_or(usize::MAX);
        let after = close.checked_add(1).and_then(|i| self.tokens.get(i)).map_or(Tok::End, |t| t.tok);
        matches!(
            after,
            Tok::Plus
                | Tok::Minus
                | Tok::Star
                | Tok::Slash
                | Tok::SlashSlash
                | Tok::Percent
                | Tok::Mod
                | Tok::Caret
                | Tok::Foreign(Foreign::StarStar | Foreign::Oplus)
        )
    }

    fn heap_entries(&mut self) -> Option<Vec<crate::ast::Expr>> {
        let start = self.span();
        self.open()?;
        let entries = self.exprs()?;
        self.expect_close(Tok::Close, "`)`", start)?;
        Some(entries)
    }

    /// `n -> n - k for k in 1..3`, `n -> n - 1 if n > 1`.
    fn where_habit(&mut self) {
        let words = ["if", "when", "with", "provided", "whenever"];
        if self.peek() != Tok::For && !words.iter().any(|word| self.at_word(word)) {
            return;
        }
        let span = self.span();
        self.error(Diagnostic::error("where", span, "the condition follows `where`").patch(span, "where"));
        // Read on as if it were `where`.
        self.tokens[self.at].tok = Tok::Where;
    }

    fn second_where(&mut self, first: Option<crate::ast::Cond>) -> Option<crate::ast::Cond> {
        let span = self.span();
        let patch = self.with_blanks_before(span);
        self.error(
            Diagnostic::error("where", span, "one `where` is enough: its parts are joined by `,`")
                .patch(patch, ","),
        );
        self.advance();
        let first = first?;
        let second = self.cond()?;
        let span = first.span.to(second.span);
        Some(crate::ast::Cond { kind: crate::ast::CondKind::And(vec![first, second]), span })
    }

    /// `n -> n-1 where n > 1 | n-2`: read as far as the condition; the rest is told.
    fn second_alternative(&mut self, left: Span) {
        let span = self.rest_of_line();
        let sign = self.span();
        let rest = self.text(Span::new(sign.end, span.end)).trim();
        let line = format!("{} -> {rest}", self.text(left));
        let patch_span = self.with_blanks_before(span);
        self.error(
            Diagnostic::error("second-alternative", span, "`where` ends the line")
                .help(format!("another option with another condition is another line: `{line}`"))
                .patch(patch_span, format!("\n{line}")),
        );
        while !self.at_eol() {
            self.advance();
        }
    }
}
