//! Tokens to a tree: recursive descent that goes on after a mistake.
//!
//! A person who types a rule should learn of all mistakes at once, so the parser knows the forms that people bring
//! from other notations (`=>`, `&&`, `if`, `[1, 3]` as a set) and reads them as what they must mean after saying
//! so. Only what it cannot read makes a line *broken*: then the line is dropped and, to avoid complaints that
//! merely follow from it, names are not resolved.
//!
//! Where the grammar needs to look ahead - a `(` may open a pair, an expression or a condition - the brackets are
//! paired beforehand and a count of relation signs tells in O(1) what stands inside, so no input makes the parser
//! try twice. Depth is bounded by [`DEPTH`], for brackets as for the height of the tree.
//!
//! The building blocks are public because problem files and positions use the same expressions.

mod block;
mod cond;
mod expr;
mod file;
mod production;

use crate::ast;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Int;
use crate::lexer::{self, Foreign, Tok, Token};

/// How deep brackets may nest, and how many operators one expression may stack on another.
///
/// Every later stage walks the tree recursively; this keeps its stack small on any input.
pub const DEPTH: u32 = 200;

/// How many conditions one line may hold, and how many heaps one option. What is proved of a line (its bounds, that play
/// ends, its shape) compares them with each other; members of written sets do not count.
pub const LONGEST: usize = 500;

/// After so many messages the parser falls silent: nobody reads more, and garbage should not cost memory.
const MESSAGES: usize = 64;

/// Reads a game file or a bare rule.
///
/// The file holds whatever could be read; it is complete exactly if no diagnostic is an error.
#[must_use]
pub fn parse_file(source: &str) -> (ast::File, Vec<Diagnostic>) {
    let (file, diagnostics, _) = parse_file_marked(source);
    (file, diagnostics)
}

/// What a mistake has cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Loss {
    /// Nothing: everything was read.
    None,
    /// Some lines are missing.
    Lines,
    /// The header is missing, and with it the parameters.
    Header,
}

/// As [`parse_file`], and what was lost.
pub(crate) fn parse_file_marked(source: &str) -> (ast::File, Vec<Diagnostic>, Loss) {
    let mut parser = Parser::new(source);
    parser.skip_eols();
    let headed = matches!(parser.peek(), Tok::Misere | Tok::Game | Tok::Coins);
    let file = parser.file();
    let loss = match (parser.broken, headed && file.header.is_none()) {
        (_, true) => Loss::Header,
        (true, _) => Loss::Lines,
        _ => Loss::None,
    };
    (file, parser.take_diagnostics(), loss)
}

/// Reads a law.
///
/// # Errors
/// All that is wrong with it.
pub fn parse_law(source: &str) -> Result<ast::Law, Vec<Diagnostic>> {
    let mut parser = Parser::new(source);
    let law = parser.law();
    let diagnostics = parser.take_diagnostics();
    if diagnostics.iter().any(Diagnostic::is_error) { Err(diagnostics) } else { Ok(law) }
}

/// A cursor over the tokens of a text, with the productions of the grammar as methods.
///
/// A method that returns `Option` has recorded an error when it returns `None`.
///
/// ```
/// use grundy_rule::parser::Parser;
/// let mut parser = Parser::new("2n + 1, k in 1..3");
/// assert!(parser.expr().is_some());
/// assert!(parser.eat(grundy_rule::lexer::Tok::Comma));
/// assert!(parser.cond().is_some() && parser.at_end());
/// assert!(parser.take_diagnostics().is_empty());
/// ```
pub struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    /// For each bracket its partner.
    paired: Vec<usize>,
    /// How many relation signs and words stand before each token.
    relations: Vec<usize>,
    at: usize,
    depth: u32,
    /// How many conditions were counted in the line that ends at the token before.
    conditions: (usize, usize),
    /// Whether a condition is being read: there `|` means divides.
    in_cond: bool,
    /// Whether a law is being read: there `a xor b` is a nim-sum.
    in_law: bool,
    /// Whether something was dropped.
    broken: bool,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    /// A parser at the beginning of the text.
    #[must_use]
    pub fn new(source: &'a str) -> Self {
        let (tokens, mut diagnostics) = lexer::lex(source);
        let paired = lexer::brackets(&tokens);
        let mut relations = Vec::with_capacity(tokens.len());
        let mut count = 0;
        for (i, token) in tokens.iter().enumerate() {
            relations.push(count);
            // A `|` relates if it stands between two operands; those of `|a - b|` do not.
            let bar = token.tok == Tok::Bar
                && i.checked_sub(1).is_some_and(|before| ends_operand(tokens[before].tok))
                && tokens.get(i + 1).is_some_and(|after| begins_operand(after.tok));
            count += usize::from(bar || is_relational(token.tok));
        }
        diagnostics.truncate(MESSAGES);
        let broken = diagnostics.iter().any(|d| matches!(d.id, "character" | "text"));
        Parser {
            source,
            tokens,
            paired,
            relations,
            at: 0,
            depth: 0,
            conditions: (0, 0),
            in_cond: false,
            in_law: false,
            broken,
            diagnostics,
        }
    }

    /// The text that is read.
    #[must_use]
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// The next token.
    #[must_use]
    pub fn peek(&self) -> Tok {
        self.tokens.get(self.at).map_or(Tok::End, |t| t.tok)
    }

    /// The token after the next one.
    #[must_use]
    pub fn peek_second(&self) -> Tok {
        self.tokens.get(self.at + 1).map_or(Tok::End, |t| t.tok)
    }

    /// The place of the next token.
    #[must_use]
    pub fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(Span::new(self.source.len(), self.source.len()), |t| t.span)
    }

    /// From `start` to the end of the last token read.
    #[must_use]
    pub fn span_from(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        Span::new(start.start, last.map_or(start.end, |t| t.span.end.max(start.start)))
    }

    /// The text of a place.
    #[must_use]
    pub fn text(&self, span: Span) -> &'a str {
        self.source.get(span.start..span.end).unwrap_or("")
    }

    /// Moves past the next token; never past the end.
    pub fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Takes the next token if it is this one.
    pub fn eat(&mut self, tok: Tok) -> bool {
        let found = self.peek() == tok && tok != Tok::End;
        if found {
            self.advance();
        }
        found
    }

    /// Takes the next token or says that it is missing.
    pub fn expect(&mut self, tok: Tok, what: &str) -> Option<()> {
        if self.eat(tok) { Some(()) } else { self.unexpected(what) }
    }

    /// Takes the opening bracket that comes next, or says that it is never closed.
    fn open(&mut self) -> Option<()> {
        if self.partner().is_none() {
            self.broken = true;
            let span = self.span();
            let message = format!("`{}` is never closed", self.text(span));
            self.error(Diagnostic::error("syntax", span, message));
            return None;
        }
        self.advance();
        Some(())
    }

    /// Takes a closing bracket or says that it is missing and where it was opened.
    pub(crate) fn expect_close(&mut self, tok: Tok, what: &str, open: Span) -> Option<()> {
        if self.eat(tok) {
            return Some(());
        }
        let before = self.diagnostics.len();
        let said = self.unexpected(what);
        if let Some(last) = self.diagnostics.get_mut(before) {
            last.notes.push((Span::new(open.start, open.start + 1), "opened here".to_string()));
        }
        said
    }

    /// Whether the next token is the name `word` (one of those that are special only in their place).
    #[must_use]
    pub fn at_word(&self, word: &str) -> bool {
        self.peek() == Tok::Name && self.text(self.span()) == word
    }

    /// Takes the next token if it is the name `word`.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Whether the next token is a name.
    #[must_use]
    pub fn at_name(&self) -> bool {
        self.peek() == Tok::Name
    }

    /// A name.
    pub fn name(&mut self, what: &str) -> Option<ast::Name> {
        let span = self.span();
        if self.peek() == Tok::Name {
            self.advance();
            return Some(ast::Name { text: lexer::name_text(self.source, span), span });
        }
        let text = self.text(span);
        if lexer::RESERVED.iter().any(|(word, _)| *word == text) {
            self.error(Diagnostic::error(
                "reserved",
                span,
                format!("`{text}` is a word of the language, no name"),
            ));
            self.broken = true;
            return None;
        }
        self.unexpected(what)
    }

    /// A number without sign.
    pub fn number(&mut self, what: &str) -> Option<Int> {
        if let Tok::Number(value) = self.peek() {
            self.advance();
            return Some(value);
        }
        self.unexpected(what)
    }

    /// A number that may have a sign.
    pub fn signed_number(&mut self, what: &str) -> Option<Int> {
        let negative = self.eat(Tok::Minus);
        let value = self.number(what)?;
        Some(if negative { -value } else { value })
    }

    /// A text in quotes, with `\n`, `\t`, `\"` and `\\` read as what they stand for.
    pub fn string(&mut self, what: &str) -> Option<String> {
        if self.peek() != Tok::Text {
            return self.unexpected(what);
        }
        let raw = self.text(self.span());
        self.advance();
        let mut out = String::with_capacity(raw.len());
        let mut chars = raw.chars().skip(1).peekable();
        while let Some(c) = chars.next() {
            match c {
                _ if chars.peek().is_none() => break,
                '\\' => match chars.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some(other) => out.push(other),
                    None => break,
                },
                other => out.push(other),
            }
        }
        Some(out)
    }

    /// Whether nothing is left but line ends.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.tokens[self.at..].iter().all(|t| matches!(t.tok, Tok::Eol | Tok::End))
    }

    /// Whether the line is over.
    #[must_use]
    pub fn at_eol(&self) -> bool {
        matches!(self.peek(), Tok::Eol | Tok::End)
    }

    /// The end of a line; whatever stands before it is an error and skipped.
    pub fn expect_eol(&mut self) -> Option<()> {
        if self.at_eol() {
            self.advance();
            return Some(());
        }
        let said = self.unexpected("the end of the line");
        self.skip_line();
        said
    }

    /// Skips to the beginning of the next line.
    pub fn skip_line(&mut self) {
        while !self.at_eol() {
            self.advance();
        }
        self.advance();
    }

    /// Skips empty lines.
    pub fn skip_eols(&mut self) {
        while self.eat(Tok::Eol) {}
    }

    /// Records a message.
    pub fn error(&mut self, diagnostic: Diagnostic) {
        if !self.is_silent() {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether so much was said that nothing more will be.
    fn is_silent(&self) -> bool {
        self.diagnostics.len() >= MESSAGES
    }

    /// The messages so far, those about signs first, otherwise in the order found.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.sort_by_key(|d| d.span.start);
        diagnostics
    }

    /// Says that something else was expected here; `None` for use with `?`.
    pub fn unexpected<T>(&mut self, what: &str) -> Option<T> {
        self.broken = true;
        let span = self.span();
        let found = match self.peek() {
            // The lexer has spoken about it.
            Tok::Other => return None,
            Tok::Eol => "the end of the line".to_string(),
            Tok::End => "the end".to_string(),
            Tok::Star if span.start == span.end => "a product".to_string(),
            _ => format!("`{}`", self.text(span)),
        };
        let mut diagnostic = Diagnostic::error("syntax", span, format!("expected {what}, found {found}"));
        let before = self.at.checked_sub(1).map_or(Tok::Eol, |i| self.tokens[i].tok);
        if let Tok::Foreign(foreign) = self.peek() {
            diagnostic = diagnostic.help(foreign_help(foreign));
        } else if matches!(before, Tok::Number(_)) && begins_operand(self.peek()) {
            diagnostic = diagnostic.help("a product is written `2*t` or `2t`, without a blank");
        } else if ends_operand(before) && begins_operand(self.peek()) {
            diagnostic = diagnostic.help("a product is written `a*b`");
        }
        self.error(diagnostic);
        None
    }

    /// Says that a sign or word is written otherwise here, and goes on past it.
    fn habit(&mut self, here: &str, patch_span: Span, patch: &str) {
        let span = self.span();
        let message = format!("`{}` is written {here}", self.text(span));
        self.error(Diagnostic::error("habit", span, message).patch(patch_span, patch));
        self.advance();
    }

    /// Goes one level deeper, or says that it is too deep and gives the line up.
    fn enter(&mut self) -> Option<()> {
        if self.depth >= DEPTH {
            return self.too_deep();
        }
        self.depth += 1;
        Some(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn too_deep<T>(&mut self) -> Option<T> {
        let span = self.span();
        let message = format!("more than {DEPTH} levels inside one another");
        self.give_up(Diagnostic::error("nesting", span, message).help("introduce a variable: `x = ...`"))
    }

    /// Counts a condition of the line, or says that the line has too many and gives it up.
    fn count_condition(&mut self) -> Option<()> {
        let (end, count) = self.conditions;
        self.conditions = if self.at < end {
            (end, count + 1)
        } else {
            let line = self.tokens[self.at..].iter();
            (self.at + line.take_while(|t| !matches!(t.tok, Tok::Eol | Tok::End)).count().max(1), 1)
        };
        if self.conditions.1 <= LONGEST { Some(()) } else { self.too_many("conditions in one line") }
    }

    /// More of something than a line may hold.
    fn too_many<T>(&mut self, what: &str) -> Option<T> {
        let span = self.span();
        let help = "a condition on many numbers is a set, `t in {1, 3, 4}` or `t in S`; many heaps are a list, \
                    `[a for i in 1..9]`";
        self.give_up(Diagnostic::error("size", span, format!("more than {LONGEST} {what}")).help(help))
    }

    fn give_up<T>(&mut self, error: Diagnostic) -> Option<T> {
        self.broken = true;
        self.error(error);
        while !self.at_eol() {
            self.advance();
        }
        None
    }

    /// The index of the partner of the bracket that comes next.
    fn partner(&self) -> Option<usize> {
        self.paired.get(self.at).copied().filter(|i| *i != usize::MAX && *i > self.at)
    }

    /// Whether a comma stands directly inside the bracket that comes next.
    fn comma_inside(&self, close: usize) -> bool {
        let mut i = self.at + 1;
        while i < close {
            match self.tokens[i].tok {
                Tok::Comma => return true,
                Tok::Open | Tok::OpenList | Tok::OpenSet if self.paired[i] != usize::MAX => {
                    i = self.paired[i]
                }
                _ => {}
            }
            i += 1;
        }
        false
    }

    /// The place from the next token to the last one of the line.
    fn rest_of_line(&self) -> Span {
        let start = self.span();
        let last = self.tokens[self.at..].iter().take_while(|t| !matches!(t.tok, Tok::Eol | Tok::End)).last();
        Span::new(start.start, last.map_or(start.end, |t| t.span.end))
    }

    /// The span with the blanks before it, for patches that put a comma.
    fn with_blanks_before(&self, span: Span) -> Span {
        let before = &self.source[..span.start];
        Span::new(before.trim_end_matches([' ', '\t']).len(), span.end)
    }
}

fn ends_operand(tok: Tok) -> bool {
    matches!(tok, Tok::Number(_) | Tok::Name | Tok::Close | Tok::CloseList)
}

fn begins_operand(tok: Tok) -> bool {
    matches!(tok, Tok::Number(_) | Tok::Name | Tok::Open)
}

fn is_relational(tok: Tok) -> bool {
    matches!(
        tok,
        Tok::Eq
            | Tok::Ne
            | Tok::Lt
            | Tok::Le
            | Tok::Gt
            | Tok::Ge
            | Tok::In
            | Tok::Not
            | Tok::And
            | Tok::Or
            | Tok::Divides
            | Tok::Foreign(
                Foreign::FatArrow
                    | Foreign::EqEq
                    | Foreign::EqLess
                    | Foreign::LessGreater
                    | Foreign::AndAnd
                    | Foreign::OrOr
                    | Foreign::Bang
            )
    )
}

fn foreign_help(foreign: Foreign) -> &'static str {
    match foreign {
        Foreign::FatArrow => "an arrow is written `->`, at least `>=`",
        Foreign::EqEq => "equality is written `=`, in conditions only",
        Foreign::EqLess => "at most is written `<=`",
        Foreign::LessGreater => "different is written `!=`",
        Foreign::AndAnd => "conditions are joined by `,` or `and`",
        Foreign::OrOr => "conditions are parted by `or`, options by `|`",
        Foreign::Bang => "`not` denies a condition; there is no factorial",
        Foreign::StarStar => "power is written `^`",
        Foreign::Dots => "a range is written `1..3`",
        Foreign::Oplus => "nim-sum is written `xor(a, b)`",
        Foreign::Ampersand => "conditions are joined by `and`, bits by `bitand(a, b)`",
    }
}
