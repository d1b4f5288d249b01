//! Conditions and sets.

use crate::ast::{BinaryOp, Cond, CondKind, Expr, ExprKind, RelOp, Set, SetKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::{Foreign, Tok};
use crate::parser::Parser;

impl Parser<'_> {
    /// A condition: parts joined by commas.
    pub fn cond(&mut self) -> Option<Cond> {
        let outer = std::mem::replace(&mut self.in_cond, true);
        let found = self.joined(Tok::Comma, CondKind::And, Self::disj);
        self.in_cond = outer;
        found
    }

    fn disj(&mut self) -> Option<Cond> {
        self.joined(Tok::Or, CondKind::Or, Self::conj)
    }

    fn conj(&mut self) -> Option<Cond> {
        self.joined(Tok::And, CondKind::And, Self::neg)
    }

    /// One or more of the same, parted by `sign` (or by what other languages write for it).
    fn joined(
        &mut self,
        sign: Tok,
        kind: fn(Vec<Cond>) -> CondKind,
        part: fn(&mut Self) -> Option<Cond>,
    ) -> Option<Cond> {
        let start = self.span();
        let first = part(self)?;
        let mut parts = vec![first];
        loop {
            match (sign, self.peek()) {
                (Tok::And, Tok::Foreign(Foreign::AndAnd | Foreign::Ampersand)) => self.habit_and(),
                (Tok::Or, Tok::Foreign(Foreign::OrOr)) => {
                    let span = self.span();
                    self.habit("`or`", span, "or");
                }
                (_, found) if found == sign => self.advance(),
                _ => break,
            }
            parts.push(part(self)?);
        }
        if parts.len() == 1 {
            return parts.pop();
        }
        Some(Cond { kind: kind(parts), span: self.span_from(start) })
    }

    /// `&&`. A comma is what people here write, but it binds more loosely than `or`.
    fn habit_and(&mut self) {
        if self.is_silent() {
            // The search below is not worth its time then.
            return self.advance();
        }
        let rest = &self.tokens[self.at..];
        let line = |t: &&crate::lexer::Token| !matches!(t.tok, Tok::Eol | Tok::End | Tok::Where);
        let is_or = |t: &crate::lexer::Token| matches!(t.tok, Tok::Or | Tok::Foreign(Foreign::OrOr));
        let mixed = rest.iter().take_while(line).any(is_or)
            || self.tokens[..self.at].iter().rev().take_while(line).any(is_or);
        let span = self.span();
        if mixed {
            self.habit("`and`", span, "and");
        } else {
            let span = self.with_blanks_before(span);
            self.habit("`and`", span, ",");
        }
    }

    fn neg(&mut self) -> Option<Cond> {
        let start = self.span();
        if self.at_eol() {
            return self.unexpected("a condition");
        }
        match self.peek() {
            Tok::Not => self.advance(),
            Tok::Foreign(Foreign::Bang) => {
                let span = self.span();
                self.habit("`not`", span, "not ");
            }
            _ => return self.bracketed_or_relation(),
        }
        self.enter()?;
        let inner = self.neg();
        self.leave();
        Some(Cond { kind: CondKind::Not(Box::new(inner?)), span: self.span_from(start) })
    }

    /// At `(`: a pair, a relation or a condition; what stands inside and after the brackets tells.
    fn bracketed_or_relation(&mut self) -> Option<Cond> {
        let start = self.span();
        if self.peek() == Tok::Open
            && let Some(close) = self.partner()
        {
            let after = self.tokens.get(close + 1).map_or(Tok::End, |t| t.tok);
            let after_not = self.tokens.get(close + 2).map_or(Tok::End, |t| t.tok);
            let member = after == Tok::In || (after == Tok::Not && after_not == Tok::In);
            if member && self.comma_inside(close) {
                return self.pair_in();
            }
            if self.relations[close] > self.relations[self.at] {
                self.enter()?;
                self.advance();
                let inner = self.cond();
                self.leave();
                let inner = inner?;
                self.expect_close(Tok::Close, "`)`", start)?;
                return Some(inner);
            }
        }
        self.relation()
    }

    fn pair_in(&mut self) -> Option<Cond> {
        let start = self.span();
        self.expect(Tok::Open, "`(`")?;
        let first = self.expr()?;
        self.expect(Tok::Comma, "`,`")?;
        let second = self.expr()?;
        self.expect(Tok::Close, "`)`: pairs have two entries")?;
        let not = self.eat(Tok::Not);
        self.expect(Tok::In, "`in`")?;
        let name = self.name("the name of a parameter that holds pairs")?;
        Some(Cond {
            kind: CondKind::PairIn(Box::new((first, second)), not, name),
            span: self.span_from(start),
        })
    }

    fn relation(&mut self) -> Option<Cond> {
        self.count_condition()?;
        let start = self.span();
        let left = self.exprs()?;
        let kind = match self.peek() {
            Tok::In | Tok::Not => {
                let not = self.eat(Tok::Not);
                self.expect(Tok::In, "`in`")?;
                CondKind::In(left, not, self.set()?)
            }
            Tok::Divides | Tok::Bar => {
                self.advance();
                CondKind::Divides(left, Box::new(self.expr()?))
            }
            _ => {
                let mut links = Vec::new();
                while let Some(op) = self.relop() {
                    links.push((op, self.expr()?));
                }
                if links.is_empty() {
                    return self.no_relation(&left);
                }
                CondKind::Relation(left, links)
            }
        };
        Some(Cond { kind, span: self.span_from(start) })
    }

    fn no_relation<T>(&mut self, left: &[Expr]) -> Option<T> {
        if left.len() > 1 && self.at_eol() {
            // `t = 1, 2, 3`: the list was meant as a set.
            let span = left[0].span.to(left[left.len() - 1].span);
            let message = format!("nothing is said about `{}`", self.text(span));
            self.broken = true;
            self.error(
                Diagnostic::error("syntax", span, message).help(
                    "several values are a set: `t in {1, 2, 3}`; a condition relates them: `a, b >= 1`",
                ),
            );
            return None;
        }
        self.unexpected("a relation such as `<=`, `in` or `divides`")
    }

    fn relop(&mut self) -> Option<RelOp> {
        let span = self.span();
        let op = match self.peek() {
            Tok::Eq => RelOp::Eq,
            Tok::Ne => RelOp::Ne,
            Tok::Lt => RelOp::Lt,
            Tok::Le => RelOp::Le,
            Tok::Gt => RelOp::Gt,
            Tok::Ge => RelOp::Ge,
            Tok::Foreign(Foreign::EqEq) => {
                self.error(
                    Diagnostic::error("habit", span, "equality is written with one `=`").patch(span, "="),
                );
                RelOp::Eq
            }
            Tok::Foreign(foreign @ (Foreign::FatArrow | Foreign::EqLess | Foreign::LessGreater)) => {
                let (op, sign) = match foreign {
                    Foreign::FatArrow => (RelOp::Ge, ">="),
                    Foreign::EqLess => (RelOp::Le, "<="),
                    _ => (RelOp::Ne, "!="),
                };
                self.habit(&format!("`{sign}`"), span, sign);
                return Some(op);
            }
            _ => return None,
        };
        self.advance();
        Some(op)
    }

    /// A set.
    pub fn set(&mut self) -> Option<Set> {
        let start = self.span();
        match self.peek() {
            Tok::OpenSet => {
                self.open()?;
                let members = self.exprs()?;
                if let [low] = members.as_slice()
                    && self.at_dots()
                {
                    // `{1..3}`: the braces are one pair too many.
                    let low = low.clone();
                    return self.braced_range(start, low);
                }
                self.expect_close(Tok::CloseSet, "`}`", start)?;
                return Some(Set { kind: SetKind::List(members), span: self.span_from(start) });
            }
            Tok::OpenList => return self.list_as_set(start),
            Tok::Name => {
                let alone = !matches!(
                    self.peek_second(),
                    Tok::DotDot
                        | Tok::Foreign(Foreign::Dots)
                        | Tok::Plus
                        | Tok::Minus
                        | Tok::Star
                        | Tok::Slash
                        | Tok::SlashSlash
                        | Tok::Percent
                        | Tok::Mod
                        | Tok::Caret
                        | Tok::OpenList
                );
                let text = self.text(start);
                let is_call = self.peek_second() == Tok::Open;
                if alone && (!is_call || crate::resolve::is_set_name(text)) {
                    return self.named_set(start);
                }
            }
            _ => {}
        }
        let low = self.expr()?;
        self.range(start, low)
    }

    fn named_set(&mut self, start: Span) -> Option<Set> {
        let name = self.name("a set")?;
        let args = if self.peek() == Tok::Open {
            self.open()?;
            let args = self.exprs()?;
            self.expect_close(Tok::Close, "`)`", start)?;
            args
        } else {
            if self.at_word("to") {
                let low = Expr { kind: ExprKind::Name(name.text), span: name.span };
                return self.range(start, low);
            }
            Vec::new()
        };
        Some(Set { kind: SetKind::Named(name, args), span: self.span_from(start) })
    }

    fn at_dots(&self) -> bool {
        matches!(self.peek(), Tok::DotDot | Tok::Foreign(Foreign::Dots))
    }

    /// What follows the lower end of a range.
    fn range(&mut self, start: Span, low: Expr) -> Option<Set> {
        match self.peek() {
            Tok::DotDot => self.advance(),
            Tok::Foreign(Foreign::Dots) => {
                let span = self.span();
                self.habit("`..`", span, "..");
            }
            _ if self.at_word("to") => {
                self.advance();
                let high = self.expr()?;
                let span = self.span_from(start);
                let patch = format!("{}..{}", self.text(low.span), self.text(high.span));
                self.set_error(span, patch);
                return Some(Set { kind: SetKind::Range(low, Some(high)), span });
            }
            _ => {
                let mut members = vec![low];
                while self.peek() == Tok::Comma
                    && matches!(self.peek_second(), Tok::Number(_))
                    && self.lone_comma()
                {
                    self.advance();
                    members.push(self.expr()?);
                }
                let span = self.span_from(start);
                let texts: Vec<&str> = members.iter().map(|e| self.text(e.span)).collect();
                let mut patch = format!("{{{}}}", texts.join(", "));
                if let [Expr { kind: ExprKind::Binary(BinaryOp::Sub, from, to), .. }] = members.as_slice()
                    && matches!(from.kind, ExprKind::Number(_))
                {
                    // `1-3` is a range to the eye.
                    patch = format!("{}..{}", self.text(from.span), self.text(to.span));
                }
                self.set_error(span, patch);
                return Some(Set { kind: SetKind::List(members), span });
            }
        }
        let high = if self.at_expr() { Some(self.expr()?) } else { None };
        Some(Set { kind: SetKind::Range(low, high), span: self.span_from(start) })
    }

    /// Whether the number after the comma is followed by another comma or the end: `t in 1, 2, 3`.
    fn lone_comma(&self) -> bool {
        let after = self.tokens.get(self.at + 2).map_or(Tok::End, |t| t.tok);
        matches!(after, Tok::Comma | Tok::Eol | Tok::End | Tok::Close)
    }

    fn set_error(&mut self, span: Span, patch: String) {
        self.error(
            Diagnostic::error("set", span, "sets are written `{1, 3}` or `1..3`")
                .help(format!("`{patch}`"))
                .patch(span, patch),
        );
    }

    /// `[1, 3]` where a set is wanted.
    fn list_as_set(&mut self, start: Span) -> Option<Set> {
        self.advance();
        let members = self.exprs()?;
        if self.at_dots() {
            let low = members.into_iter().next()?;
            let set = self.range(low.span, low)?;
            self.expect_close(Tok::CloseList, "`]`", start)?;
            let span = self.span_from(start);
            let patch = self.text(set.span).to_string();
            self.set_error(span, patch);
            return Some(Set { kind: set.kind, span });
        }
        // `[1, 3)` is one more way to write an interval.
        if !self.eat(Tok::Close) {
            self.expect_close(Tok::CloseList, "`]`", start)?;
        }
        let span = self.span_from(start);
        let texts: Vec<&str> = members.iter().map(|e| self.text(e.span)).collect();
        let listed = format!("{{{}}}", texts.join(", "));
        let mut said = Diagnostic::error("set", span, "sets are written `{1, 3}` or `1..3`");
        said = match texts.as_slice() {
            [low, high] => said.help(format!("`{listed}` has two members, `{low}..{high}` is a range")),
            _ => said.help(format!("`{listed}`")),
        };
        self.error(said.patch(span, listed));
        Some(Set { kind: SetKind::List(members), span })
    }

    fn braced_range(&mut self, start: Span, low: Expr) -> Option<Set> {
        let set = self.range(low.span, low)?;
        if !self.eat(Tok::CloseSet) {
            return self.unexpected("`}` (a set is either `{1, 3}` or `1..3`)");
        }
        let span = self.span_from(start);
        let patch = self.text(set.span).to_string();
        self.set_error(span, patch);
        Some(Set { kind: set.kind, span })
    }
}
