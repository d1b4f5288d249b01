//! Expressions.

use crate::ast::{BinaryOp, Expr, ExprKind, Name};
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::{Foreign, Tok, name_text};
use crate::parser::{DEPTH, Parser};

/// An expression with the height of its tree.
struct Tall {
    expr: Expr,
    height: u32,
}

impl Parser<'_> {
    /// An expression.
    pub fn expr(&mut self) -> Option<Expr> {
        self.sum_expr().map(|tall| tall.expr)
    }

    /// Whether the next token can begin an expression.
    pub(super) fn at_expr(&self) -> bool {
        matches!(self.peek(), Tok::Number(_) | Tok::Name | Tok::Open | Tok::Minus)
    }

    /// Expressions parted by commas.
    pub(super) fn exprs(&mut self) -> Option<Vec<Expr>> {
        let mut out = vec![self.expr()?];
        while self.eat(Tok::Comma) {
            out.push(self.expr()?);
        }
        Some(out)
    }

    fn sum_expr(&mut self) -> Option<Tall> {
        let mut left = self.term()?;
        // Which signs stand between the terms so far: nim-sums, others.
        let (mut nim_sums, mut sums) = (false, false);
        loop {
            let op = match self.peek() {
                Tok::Plus => BinaryOp::Add,
                Tok::Minus => BinaryOp::Sub,
                Tok::Foreign(Foreign::Oplus) => {
                    left = self.nim_sum(left, nim_sums, sums)?;
                    nim_sums = true;
                    continue;
                }
                Tok::Name if self.at_word("xor") => {
                    left = self.nim_sum(left, nim_sums, sums)?;
                    nim_sums = true;
                    continue;
                }
                _ => return Some(left),
            };
            if nim_sums && self.in_law {
                self.needs_brackets();
            }
            sums = true;
            self.advance();
            let right = self.term()?;
            left = self.join(op, left, right)?;
        }
    }

    /// `a xor b`: the nim-sum in laws, where people write it so; in rules it is a habit that is corrected.
    /// `more`: what stands on the left is such a sum already; `sums`: `+` or `-` stands before it.
    fn nim_sum(&mut self, left: Tall, more: bool, sums: bool) -> Option<Tall> {
        let sign = self.span();
        if self.in_law && sums {
            self.needs_brackets();
        }
        self.advance();
        let right = self.term()?;
        let span = left.expr.span.to(right.expr.span);
        if !self.in_law {
            let patch = format!("xor({}, {})", self.text(left.expr.span), self.text(right.expr.span));
            let message = format!("`{}` is written `xor(a, b)`", self.text(sign));
            self.error(Diagnostic::error("habit", sign, message).patch(span, patch));
        }
        let height = left.height.max(right.height) + 1;
        if height > DEPTH {
            return self.too_deep();
        }
        let name = Name { text: "xor".to_string(), span: sign };
        let kind = match left.expr.kind {
            ExprKind::Call(name, mut terms) if more && self.in_law => {
                terms.push(right.expr);
                ExprKind::Call(name, terms)
            }
            kind => ExprKind::Call(name, vec![Expr { kind, span: left.expr.span }, right.expr]),
        };
        Some(Tall { expr: Expr { kind, span }, height })
    }

    /// Nobody agrees on what `a + b xor c` means.
    fn needs_brackets(&mut self) {
        let span = self.span();
        let message = "a nim-sum beside `+` or `-` needs brackets".to_string();
        self.error(Diagnostic::error("habit", span, message).help("write `xor(a, b) + c`"));
    }

    fn term(&mut self) -> Option<Tall> {
        let mut left = self.unary()?;
        loop {
            let op = match self.peek() {
                Tok::Star => BinaryOp::Mul,
                Tok::Slash => BinaryOp::Ratio,
                Tok::SlashSlash => BinaryOp::FloorDiv,
                Tok::Percent | Tok::Mod => BinaryOp::Mod,
                _ => return Some(left),
            };
            self.advance();
            let right = self.unary()?;
            left = self.join(op, left, right)?;
        }
    }

    fn join(&mut self, op: BinaryOp, left: Tall, right: Tall) -> Option<Tall> {
        let height = left.height.max(right.height) + 1;
        if height > DEPTH {
            return self.too_deep();
        }
        let span = left.expr.span.to(right.expr.span);
        let kind = ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr));
        Some(Tall { expr: Expr { kind, span }, height })
    }

    /// `-` binds more loosely than `^`: `-2^2` is -4.
    fn unary(&mut self) -> Option<Tall> {
        let mut signs: Vec<Span> = Vec::new();
        while self.peek() == Tok::Minus {
            signs.push(self.span());
            self.advance();
        }
        let mut tall = self.power()?;
        let levels = u32::try_from(signs.len()).unwrap_or(u32::MAX);
        if tall.height.saturating_add(levels) > DEPTH {
            return self.too_deep();
        }
        for sign in signs.into_iter().rev() {
            let span = sign.to(tall.expr.span);
            tall = Tall {
                expr: Expr { kind: ExprKind::Neg(Box::new(tall.expr)), span },
                height: tall.height + 1,
            };
        }
        Some(tall)
    }

    fn power(&mut self) -> Option<Tall> {
        let base = self.atom()?;
        match self.peek() {
            Tok::Caret => self.advance(),
            Tok::Foreign(Foreign::StarStar) => {
                let span = self.span();
                self.habit("`^`", span, "^");
            }
            _ => return Some(base),
        }
        self.enter()?;
        let exponent = self.unary();
        self.leave();
        self.join(BinaryOp::Pow, base, exponent?)
    }

    fn atom(&mut self) -> Option<Tall> {
        let start = self.span();
        match self.peek() {
            Tok::Number(value) => {
                self.advance();
                Some(Tall { expr: Expr { kind: ExprKind::Number(value), span: start }, height: 1 })
            }
            Tok::Name => self.named_atom(start),
            Tok::Open => {
                self.open()?;
                self.enter()?;
                let inner = self.sum_expr();
                self.leave();
                let mut inner = inner?;
                self.expect_close(Tok::Close, "`)`", start)?;
                inner.expr.span = self.span_from(start);
                Some(inner)
            }
            Tok::Bar => self.bars(start),
            _ => self.unexpected("a number, a name or `(`"),
        }
    }

    fn named_atom(&mut self, start: Span) -> Option<Tall> {
        let name = Name { text: name_text(self.source, start), span: start };
        self.advance();
        let open = self.span();
        match self.peek() {
            Tok::OpenList => {
                self.open()?;
                self.enter()?;
                let index = self.sum_expr();
                self.leave();
                let index = index?;
                self.expect_close(Tok::CloseList, "`]`", open)?;
                let kind = ExprKind::Index(name, Box::new(index.expr));
                Some(Tall { expr: Expr { kind, span: self.span_from(start) }, height: index.height + 1 })
            }
            Tok::Open => {
                self.open()?;
                self.enter()?;
                let args = self.call_args();
                self.leave();
                let (args, height) = args?;
                self.expect_close(Tok::Close, "`)`", open)?;
                let kind = ExprKind::Call(name, args);
                Some(Tall { expr: Expr { kind, span: self.span_from(start) }, height: height + 1 })
            }
            _ => Some(Tall { expr: Expr { kind: ExprKind::Name(name.text), span: start }, height: 1 }),
        }
    }

    fn call_args(&mut self) -> Option<(Vec<Expr>, u32)> {
        let first = self.sum_expr()?;
        let mut height = first.height;
        let mut args = vec![first.expr];
        while self.eat(Tok::Comma) {
            let next = self.sum_expr()?;
            height = height.max(next.height);
            args.push(next.expr);
        }
        Some((args, height))
    }

    /// `|a - b|`, which means something else here.
    fn bars(&mut self, start: Span) -> Option<Tall> {
        self.enter()?;
        self.advance();
        let inner = self.sum_expr();
        self.leave();
        let inner = inner?;
        self.expect(Tok::Bar, "`|`")?;
        let span = self.span_from(start);
        let text = self.text(inner.expr.span);
        let message = if self.in_cond { "`|` means divides here" } else { "`|` parts alternatives here" };
        self.error(
            Diagnostic::error("bars", span, message)
                .help(format!("the absolute value is `abs({text})`"))
                .patch(span, format!("abs({text})")),
        );
        let name = Name { text: "abs".to_string(), span: start };
        let height = inner.height + 1;
        Some(Tall { expr: Expr { kind: ExprKind::Call(name, vec![inner.expr]), span }, height })
    }
}
