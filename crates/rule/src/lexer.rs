//! Text to tokens: signs, words, numbers, and which line ends count.
//!
//! Everything that depends on layout is settled here, so that the parser sees a flat stream: a line end inside
//! brackets is dropped, a line that begins with `where`, `|`, `and`, `or` or `,` is joined to the one before it,
//! and a number directly before a name or `(` gets its `*`. An unclosed bracket does not swallow the lines after
//! it: brackets are paired first, and only paired ones hide line ends. That keeps one mistake from hiding the next.
//!
//! Signs that people paste from statements (`≤`, `→`, `∈`, full-width forms) become their plain ones silently;
//! a token's span is always that of the original text. Signs of other languages (`&&`, `==`) are tokens too, so
//! that the parser can say what they are called here.
//!
//! The lexer never fails: what it cannot read becomes [`Tok::Other`] with a diagnostic.

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Int;

/// What a token is. Names and strings are read back from the source by their span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tok {
    /// A number.
    Number(Int),
    /// A name that is not reserved.
    Name,
    /// `"..."`, quotes included in the span.
    Text,
    /// `game`
    Game,
    /// `coins`
    Coins,
    /// `misere`
    Misere,
    /// `where`
    Where,
    /// `nothing`
    Nothing,
    /// `for`
    For,
    /// `in`, `∈`
    In,
    /// `not`; `∉` is `not` and `in` in one place
    Not,
    /// `and`
    And,
    /// `or`
    Or,
    /// `divides`
    Divides,
    /// `mod`
    Mod,
    /// `->`, `→`
    Arrow,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `[`
    OpenList,
    /// `]`
    CloseList,
    /// `{`
    OpenSet,
    /// `}`
    CloseSet,
    /// `|`
    Bar,
    /// `+`
    Plus,
    /// `-`, `−`
    Minus,
    /// `*`, `×`, `·`, or implied between a number and a name (then the span is empty)
    Star,
    /// `/`
    Slash,
    /// `//`
    SlashSlash,
    /// `%`
    Percent,
    /// `^`
    Caret,
    /// `..`
    DotDot,
    /// `=`
    Eq,
    /// `!=`, `≠`
    Ne,
    /// `<`
    Lt,
    /// `<=`, `≤`
    Le,
    /// `>`
    Gt,
    /// `>=`, `≥`
    Ge,
    /// A sign of another language, such as `&&`; the parser names the one used here.
    Foreign(Foreign),
    /// A line end that counts, or `;`.
    Eol,
    /// The end of the text.
    End,
    /// Something already complained about.
    Other,
}

/// Signs of other languages that people type by habit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// `=>`, `⇒`: an arrow, or `>=` in a condition.
    FatArrow,
    /// `==`
    EqEq,
    /// `=<`
    EqLess,
    /// `<>`
    LessGreater,
    /// `&&`, `∧`
    AndAnd,
    /// `||`, `∨`
    OrOr,
    /// `!`, `¬`
    Bang,
    /// `**`
    StarStar,
    /// `...`
    Dots,
    /// `⊕`
    Oplus,
    /// `&`
    Ampersand,
}

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub tok: Tok,
    /// Where, in the original text.
    pub span: Span,
}

/// The words with a fixed meaning, which no name may be.
pub const RESERVED: [(&str, Tok); 12] = [
    ("game", Tok::Game),
    ("coins", Tok::Coins),
    ("misere", Tok::Misere),
    ("where", Tok::Where),
    ("nothing", Tok::Nothing),
    ("for", Tok::For),
    ("in", Tok::In),
    ("not", Tok::Not),
    ("and", Tok::And),
    ("or", Tok::Or),
    ("divides", Tok::Divides),
    ("mod", Tok::Mod),
];

/// The plain sign for a full-width or similar one; other characters stay.
#[must_use]
pub fn plain_char(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xff01 + 0x21)
            .expect("the block of full-width forms maps onto ASCII"),
        '\u{3000}' | '\u{a0}' | '\u{2009}' | '\u{202f}' => ' ',
        '\u{3001}' => ',',
        '\u{2212}' | '\u{2010}' | '\u{2011}' => '-',
        '\u{d7}' | '\u{b7}' | '\u{22c5}' => '*',
        _ => c,
    }
}

/// The text of a name, with full-width letters made plain.
#[must_use]
pub fn name_text(source: &str, span: Span) -> String {
    source.get(span.start..span.end).unwrap_or("").chars().map(plain_char).collect()
}

/// The tokens of a text, ending with [`Tok::End`], and what could not be read.
#[must_use]
pub fn lex(source: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer =
        Lexer { source, at: 0, tokens: Vec::with_capacity(source.len() / 3 + 2), diagnostics: Vec::new() };
    if source.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    while lexer.token() {}
    let end = Span::new(source.len(), source.len());
    lexer.tokens.push(Token { tok: Tok::End, span: end });
    (layout(&lexer.tokens), lexer.diagnostics)
}

fn name_start(c: char) -> bool {
    c == '_' || c.is_ascii_alphabetic() || (!c.is_ascii() && c.is_alphabetic())
}

fn name_part(c: char) -> bool {
    name_start(c) || c.is_ascii_digit()
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    /// The character at `at`, made plain; `'\0'` at the end.
    fn peek(&self) -> char {
        self.source[self.at..].chars().next().map_or('\0', plain_char)
    }

    /// The character after the next one, made plain.
    fn peek_second(&self) -> char {
        let mut chars = self.source[self.at..].chars();
        chars.next();
        chars.next().map_or('\0', plain_char)
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.source[self.at..].chars().next()?;
        self.at += c.len_utf8();
        Some(plain_char(c))
    }

    fn bump_if(&mut self, wanted: char) -> bool {
        let found = self.at < self.source.len() && self.peek() == wanted;
        if found {
            self.bump();
        }
        found
    }

    fn push(&mut self, tok: Tok, start: usize) {
        self.tokens.push(Token { tok, span: Span::new(start, self.at) });
    }

    /// Reads one token (or white space); false at the end.
    fn token(&mut self) -> bool {
        let start = self.at;
        let Some(c) = self.bump() else { return false };
        match c {
            '\n' | ';' => self.push(Tok::Eol, start),
            '#' => {
                let rest = &self.source[self.at..];
                self.at += rest.find('\n').unwrap_or(rest.len());
            }
            '"' => self.text(start),
            '0'..='9' => self.number(start),
            _ if name_start(c) => self.name(start),
            _ if c.is_whitespace() => {}
            _ => self.sign(c, start),
        }
        true
    }

    fn name(&mut self, start: usize) {
        while name_part(self.peek()) {
            self.bump();
        }
        let after_header_word = self.tokens.last().is_some_and(|t| matches!(t.tok, Tok::Game | Tok::Coins));
        if after_header_word {
            while self.peek() == '-' && name_part(self.peek_second()) {
                self.bump();
                while name_part(self.peek()) {
                    self.bump();
                }
            }
        }
        let text = &self.source[start..self.at];
        let tok = if text.is_ascii() {
            word(text)
        } else {
            word(&name_text(self.source, Span::new(start, self.at)))
        };
        self.push(tok, start);
    }

    fn number(&mut self, start: usize) {
        self.at = start;
        let mut value: Option<Int> = Some(0);
        while let c @ '0'..='9' = self.peek() {
            self.bump();
            let digit = Int::from(u32::from(c) - u32::from('0'));
            value = value.and_then(|v| v.checked_mul(10)).and_then(|v| v.checked_add(digit));
        }
        if self.peek() == '.' && self.peek_second().is_ascii_digit() {
            while self.peek().is_ascii_digit() || (self.peek() == '.' && self.peek_second().is_ascii_digit())
            {
                self.bump();
            }
            let span = Span::new(start, self.at);
            self.diagnostics.push(
                Diagnostic::error(
                    "decimal",
                    span,
                    format!("`{}` is no whole number", &self.source[start..self.at]),
                )
                .help("numbers are whole; a ratio is written `a/b`, a range `1..3`"),
            );
        }
        if value.is_none() {
            let span = Span::new(start, self.at);
            self.diagnostics.push(Diagnostic::error("overflow", span, "this number is beyond 128 bits"));
        }
        let before = self.tokens.last().map_or(Tok::Eol, |t| t.tok);
        self.push(Tok::Number(value.unwrap_or(0)), start);
        if self.implies_product() {
            let span = Span::new(self.at, self.at);
            if matches!(before, Tok::Slash | Tok::SlashSlash | Tok::Percent | Tok::Caret | Tok::Mod) {
                self.diagnostics.push(
                    Diagnostic::error("product", Span::new(start, self.at), "a `*` is missing after this number")
                        .help("after `/`, `//`, `%`, `^` and `mod` it must be clear what belongs together: use brackets"),
                );
            }
            self.tokens.push(Token { tok: Tok::Star, span });
        }
    }

    /// Whether what follows a number at once is a name or `(`.
    fn implies_product(&self) -> bool {
        let next = self.peek();
        if next == '(' {
            return true;
        }
        if !name_start(next) {
            return false;
        }
        let rest = &self.source[self.at..];
        let end = rest.find(|c| !name_part(plain_char(c))).unwrap_or(rest.len());
        word(&name_text(rest, Span::new(0, end))) == Tok::Name
    }

    fn text(&mut self, start: usize) {
        loop {
            match self.source[self.at..].chars().next() {
                None | Some('\n') => {
                    let span = Span::new(start, self.at);
                    self.diagnostics.push(Diagnostic::error(
                        "text",
                        span,
                        "this text has no closing `\"` on its line",
                    ));
                    break;
                }
                Some('\\') => {
                    self.bump();
                    if self.source[self.at..].chars().next().is_some_and(|c| c != '\n') {
                        self.bump();
                    }
                }
                Some(c) => {
                    self.bump();
                    if plain_char(c) == '"' {
                        break;
                    }
                }
            }
        }
        self.push(Tok::Text, start);
    }

    fn sign(&mut self, c: char, start: usize) {
        let tok = match c {
            '(' => Tok::Open,
            ')' => Tok::Close,
            '[' => Tok::OpenList,
            ']' => Tok::CloseList,
            '{' => Tok::OpenSet,
            '}' => Tok::CloseSet,
            ',' => Tok::Comma,
            ':' => Tok::Colon,
            '+' => Tok::Plus,
            '%' => Tok::Percent,
            '^' => Tok::Caret,
            '-' if self.bump_if('>') => Tok::Arrow,
            '-' => Tok::Minus,
            '*' if self.bump_if('*') => Tok::Foreign(Foreign::StarStar),
            '*' => Tok::Star,
            '/' if self.bump_if('/') => Tok::SlashSlash,
            '/' => Tok::Slash,
            '|' if self.bump_if('|') => Tok::Foreign(Foreign::OrOr),
            '|' => Tok::Bar,
            '&' if self.bump_if('&') => Tok::Foreign(Foreign::AndAnd),
            '&' => Tok::Foreign(Foreign::Ampersand),
            '=' if self.bump_if('=') => Tok::Foreign(Foreign::EqEq),
            '=' if self.bump_if('>') => Tok::Foreign(Foreign::FatArrow),
            '=' if self.bump_if('<') => Tok::Foreign(Foreign::EqLess),
            '=' => Tok::Eq,
            '!' if self.bump_if('=') => Tok::Ne,
            '!' => Tok::Foreign(Foreign::Bang),
            '<' if self.bump_if('=') => Tok::Le,
            '<' if self.bump_if('>') => Tok::Foreign(Foreign::LessGreater),
            '<' => Tok::Lt,
            '>' if self.bump_if('=') => Tok::Ge,
            '>' => Tok::Gt,
            '.' if self.bump_if('.') => {
                if self.bump_if('.') {
                    Tok::Foreign(Foreign::Dots)
                } else {
                    Tok::DotDot
                }
            }
            '\u{2264}' | '\u{2a7d}' => Tok::Le,
            '\u{2265}' | '\u{2a7e}' => Tok::Ge,
            '\u{2260}' => Tok::Ne,
            '\u{2192}' => Tok::Arrow,
            '\u{2208}' => Tok::In,
            '\u{2209}' => {
                self.push(Tok::Not, start);
                Tok::In
            }
            '\u{21d2}' => Tok::Foreign(Foreign::FatArrow),
            '\u{2227}' => Tok::Foreign(Foreign::AndAnd),
            '\u{2228}' => Tok::Foreign(Foreign::OrOr),
            '\u{ac}' => Tok::Foreign(Foreign::Bang),
            '\u{2026}' => Tok::Foreign(Foreign::Dots),
            '\u{2295}' => Tok::Foreign(Foreign::Oplus),
            _ => {
                self.stranger(start);
                Tok::Other
            }
        };
        self.push(tok, start);
    }
}

impl Lexer<'_> {
    /// Complains about a character without meaning; a run of them is one complaint.
    fn stranger(&mut self, start: usize) {
        let previous = self.diagnostics.last_mut().filter(|d| d.id == "character" && d.span.end == start);
        let from = previous.as_ref().map_or(start, |d| d.span.start);
        let span = Span::new(from, self.at);
        if let Some(previous) = previous {
            previous.span = span;
            "these are no signs of the language".clone_into(&mut previous.message);
        } else {
            let shown: String = self.source[start..self.at].escape_debug().collect();
            let message = format!("`{shown}` is no sign of the language");
            self.diagnostics.push(Diagnostic::error("character", span, message));
        }
    }
}

fn word(text: &str) -> Tok {
    RESERVED.iter().find(|(word, _)| *word == text).map_or(Tok::Name, |(_, tok)| *tok)
}

/// For each token, the index of the bracket it is paired with (`usize::MAX`: none).
#[must_use]
pub fn brackets(tokens: &[Token]) -> Vec<usize> {
    let mut paired = vec![usize::MAX; tokens.len()];
    let mut open: Vec<(Tok, usize)> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let wanted = match token.tok {
            Tok::Open | Tok::OpenList | Tok::OpenSet => {
                open.push((token.tok, i));
                continue;
            }
            Tok::Close => Tok::Open,
            Tok::CloseList => Tok::OpenList,
            Tok::CloseSet => Tok::OpenSet,
            // A line end of the raw stream is no reason to give up, but an arrow is: a production never stands in
            // brackets, so whatever is open was forgotten.
            Tok::Arrow => {
                open.clear();
                continue;
            }
            _ => continue,
        };
        // The top few are enough: `([)` has lost one bracket, and a long search would be quadratic.
        let near = open.len().saturating_sub(4);
        if let Some(found) = open[near..].iter().rposition(|(tok, _)| *tok == wanted) {
            let (_, at) = open[near + found];
            open.truncate(near + found);
            paired[at] = i;
            paired[i] = at;
        }
    }
    paired
}

/// Drops the line ends that do not count.
fn layout(raw: &[Token]) -> Vec<Token> {
    let paired = brackets(raw);
    let mut out: Vec<Token> = Vec::with_capacity(raw.len());
    let mut depth = 0_usize;
    for (i, token) in raw.iter().enumerate() {
        match token.tok {
            Tok::Eol => {
                let repeated = out.last().is_none_or(|t| t.tok == Tok::Eol);
                if depth == 0 && !repeated {
                    out.push(*token);
                }
                continue;
            }
            Tok::Open | Tok::OpenList | Tok::OpenSet if paired[i] != usize::MAX => depth += 1,
            Tok::Close | Tok::CloseList | Tok::CloseSet if paired[i] != usize::MAX => depth -= 1,
            Tok::Where
            | Tok::Bar
            | Tok::And
            | Tok::Or
            | Tok::Comma
            | Tok::Foreign(Foreign::AndAnd | Foreign::OrOr)
                if out.last().is_some_and(|t| t.tok == Tok::Eol) =>
            {
                out.pop();
            }
            _ => {}
        }
        out.push(*token);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toks(source: &str) -> Vec<Tok> {
        let (tokens, diagnostics) = lex(source);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        tokens.iter().map(|t| t.tok).filter(|t| *t != Tok::End).collect()
    }

    #[test]
    fn pasted_signs_are_plain_ones_in_their_own_place() {
        assert_eq!(
            toks("\u{ff4e}\u{2192}\u{ff4e}\u{ff0d}\u{ff11} where \u{ff4e}\u{ff1e}\u{ff1d}2"),
            toks("n->n-1 where n>=2")
        );
        assert_eq!(toks("a \u{2209} S \u{00d7} 2\u{3000}\u{2260} 3"), toks("a not in S * 2 != 3"));
        let (tokens, _) = lex("\u{ff4e}\u{2264}3");
        assert_eq!((tokens[1].span, tokens[2].span), (Span::new(3, 6), Span::new(6, 7)));
    }

    #[test]
    fn a_product_is_implied_after_a_number_only() {
        assert_eq!(toks("2n"), toks("2*n"));
        assert_eq!(toks("2(n)"), toks("2*(n)"));
        assert_eq!(toks("7mod 2"), toks("7 mod 2"));
        assert_eq!(toks("n2"), [Tok::Name]);
        assert_eq!(toks("2 n"), [Tok::Number(2), Tok::Name]);
        assert_eq!(lex("n/2k").1[0].id, "product");
        assert_eq!(lex("n mod 2(k)").1[0].id, "product");
    }

    #[test]
    fn numbers_ranges_and_decimals() {
        assert_eq!(toks("1..3"), [Tok::Number(1), Tok::DotDot, Tok::Number(3)]);
        let (_, said) = lex("n -> n*1.5");
        assert_eq!((said[0].id, said[0].span), ("decimal", Span::new(7, 10)));
        assert_eq!(lex("170141183460469231731687303715884105728").1[0].id, "overflow");
        assert!(lex("170141183460469231731687303715884105727").1.is_empty());
    }

    #[test]
    fn lines_go_on_inside_brackets_and_before_continuing_words() {
        assert_eq!(
            toks("n -> (a,\n b)\r\n  where a\n , b\n\n  # why\n and c"),
            toks("n -> (a, b) where a, b and c")
        );
        assert_eq!(toks("a; b\n\n\n;c"), [Tok::Name, Tok::Eol, Tok::Name, Tok::Eol, Tok::Name]);
        let lines = toks("n -> (n - 1\nn -> f(n)").iter().filter(|t| **t == Tok::Eol).count();
        assert_eq!(lines, 1, "an unclosed bracket hides no line end");
    }

    #[test]
    fn hyphens_belong_to_the_name_of_a_game_only() {
        assert_eq!(toks("game ring-kayles-2"), [Tok::Game, Tok::Name]);
        assert_eq!(toks("ring-kayles"), [Tok::Name, Tok::Minus, Tok::Name]);
        assert_eq!(
            toks("coins a\nn->n"),
            [Tok::Coins, Tok::Name, Tok::Eol, Tok::Name, Tok::Arrow, Tok::Name]
        );
    }
}
