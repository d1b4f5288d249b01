//! The text of a rule as a tree: names are still names, and every node knows its place.
//!
//! The parser builds it for rules, laws, positions and the expressions of problem files; [`crate::resolve`]
//! turns it into a [`crate::Rule`]. Nothing here is checked beyond the grammar.

pub mod block;
mod display;

use crate::diagnostic::Span;
use crate::expr::Int;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name as written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number.
    Number(Int),
    /// A name.
    Name(String),
    /// `c[i]`.
    Index(Name, Box<Expr>),
    /// `f(a, b)`: a function of [`crate::expr::Func`] by its written name; in laws also `g(n)`.
    Call(Name, Vec<Expr>),
    /// `-a`.
    Neg(Box<Expr>),
    /// `a op b`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// Binary operators as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`: an exact ratio, allowed only as a side of a relation, an end of a range, or inside floor and ceil.
    Ratio,
    /// `//`
    FloorDiv,
    /// `%`, `mod`
    Mod,
    /// `^`
    Pow,
}

/// A relation sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelOp {
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// A set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// What it is.
    pub kind: SetKind,
    /// Where.
    pub span: Span,
}

/// The forms of sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetKind {
    /// `{a, b, c}`
    List(Vec<Expr>),
    /// `lo..hi`, or `lo..` without an upper end.
    Range(Expr, Option<Expr>),
    /// `primes`, `powers(2)`, or a parameter of type set or list.
    Named(Name, Vec<Expr>),
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cond {
    /// What it is.
    pub kind: CondKind,
    /// Where.
    pub span: Span,
}

/// The forms of conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CondKind {
    /// All of them, evaluated from left to right (`,` and `and`).
    And(Vec<Cond>),
    /// One of them, evaluated from left to right.
    Or(Vec<Cond>),
    /// Not.
    Not(Box<Cond>),
    /// `a, b <= c < d`: a chain; the expressions before the first sign share it.
    Relation(Vec<Expr>, Vec<(RelOp, Expr)>),
    /// `a, b in set`, `a not in set`.
    In(Vec<Expr>, bool, Set),
    /// `(a, b) in pairs`; `true`: `not in`.
    PairIn(Box<(Expr, Expr)>, bool, Name),
    /// `a, b divides c`.
    Divides(Vec<Expr>, Box<Expr>),
}

/// One heap on the right side of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapExpr {
    /// The name of its kind, if written.
    pub kind: Option<Name>,
    /// Its entries.
    pub entries: Vec<Expr>,
    /// Where.
    pub span: Span,
}

/// A part of a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// One heap.
    Heap(HeapExpr),
    /// `[sum for i in set]`.
    List(Vec<Part>, Name, Set, Span),
}

/// How a move ends the whole game, whatever else lies on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// `win`: whoever makes the move has won.
    Win,
    /// `lose`: whoever makes the move has lost.
    Lose,
    /// `draw`: nobody wins.
    Draw,
}

impl Ending {
    /// All of them.
    pub const ALL: [Ending; 3] = [Ending::Win, Ending::Lose, Ending::Draw];

    /// The word for it in a rule.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Ending::Win => "win",
            Ending::Lose => "lose",
            Ending::Draw => "draw",
        }
    }
}

/// One of two players who have different moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// `left:`
    Left,
    /// `right:`
    Right,
}

impl Player {
    /// The word for the player in a rule.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Player::Left => "left",
            Player::Right => "right",
        }
    }

    /// The one who moves next.
    #[must_use]
    pub fn other(self) -> Player {
        match self {
            Player::Left => Player::Right,
            Player::Right => Player::Left,
        }
    }
}

/// One alternative of a line: what one move leaves. Empty: `nothing`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumExpr {
    /// Its parts in the order written; none if the move ends the game.
    pub parts: Vec<Part>,
    /// Whether the move ends the game, and how.
    pub ending: Option<Ending>,
    /// Where.
    pub span: Span,
}

/// An entry on the left side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Binds the entry.
    Name(Name),
    /// Restricts the line to heaps with that entry.
    Number(Int, Span),
}

/// A line of a rule: `left -> sum | sum where cond`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Production {
    /// Whose moves they are, if not both players'.
    pub player: Option<Player>,
    /// The kind on the left, if named.
    pub kind: Option<Name>,
    /// The entries on the left.
    pub entries: Vec<Entry>,
    /// Place of the left side.
    pub left_span: Span,
    /// The alternatives.
    pub alternatives: Vec<SumExpr>,
    /// The condition, which all alternatives share.
    pub cond: Option<Cond>,
    /// Where.
    pub span: Span,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParamType {
    /// One number.
    Number,
    /// A finite set of numbers.
    Set,
    /// Numbers in order, indexed from 0.
    List,
    /// A finite set of pairs.
    Pairs,
}

/// A parameter in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type, if declared.
    pub ty: Option<ParamType>,
}

/// The header of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Last mover loses.
    pub misere: bool,
    /// Play may go on for ever.
    pub loopy: bool,
    /// Positions are sets of coins.
    pub coins: bool,
    /// The name (hyphens allowed).
    pub name: Option<Name>,
    /// The parameters.
    pub params: Vec<Param>,
    /// What the parameters must satisfy.
    pub cond: Option<Cond>,
    /// Where.
    pub span: Span,
}

/// What a law speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Subject {
    /// `g(n)`: the nimber of heap n.
    #[default]
    Nimbers,
    /// `z(i)`: the i-th heap, from 0, that is lost for who must move, in ascending order.
    Zeros,
}

impl Subject {
    /// The letter of its clauses.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Subject::Nimbers => "g",
            Subject::Zeros => "z",
        }
    }
}

/// A law as written.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Law {
    /// What it speaks about: zeros if it begins with a line `zeros`.
    pub subject: Subject,
    /// Its clauses.
    pub clauses: Vec<Clause>,
}

impl Law {
    /// Whether there is no law.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }
}

/// One clause of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "a law has few clauses, and most are equations")]
pub enum Clause {
    /// `g(start..) = v, v, ...`: the values from `start` on.
    Values {
        /// `g` or `z`.
        of: Subject,
        /// The first heap spoken about.
        start: Int,
        /// Their values.
        values: Vec<Int>,
        /// Where.
        span: Span,
    },
    /// `g(pattern) = value for cond`.
    Equation {
        /// `g` or `z`.
        of: Subject,
        /// The pattern: an expression in names that range over the naturals.
        pattern: Expr,
        /// The value; may hold `g(..)` as calls.
        value: Expr,
        /// The condition.
        cond: Option<Cond>,
        /// Where.
        span: Span,
    },
    /// `z(pattern) = (first, second) for cond`: heaps of two entries.
    Pair {
        /// The pattern: an expression in names that range over the naturals.
        pattern: Expr,
        /// The two entries.
        pair: Box<(Expr, Expr)>,
        /// The condition.
        cond: Option<Cond>,
        /// Where.
        span: Span,
    },
    /// `g(a, b) = value for cond`: heaps of several entries.
    Tuple {
        /// The entries: names, and numbers for the heaps that have just these there.
        entries: Vec<Entry>,
        /// The value.
        value: Expr,
        /// The condition.
        cond: Option<Cond>,
        /// Where.
        span: Span,
    },
    /// `(a, b) for cond` in a law about zeros: these heaps are lost.
    Lost {
        /// As in a clause about tuples.
        entries: Vec<Entry>,
        /// Which of the heaps.
        cond: Cond,
        /// Where.
        span: Span,
    },
    /// `window L(heap) = left for heap >= from`: the nimbers of the game `heap -> left..heap - 1`.
    Window {
        /// The name of the heap.
        heap: Name,
        /// The least heap that a move may leave.
        left: Expr,
        /// The first heap spoken about.
        from: Int,
        /// Where.
        span: Span,
    },
    /// `automaton base b { ... }`
    Automaton(block::Automaton),
    /// `automatic base b slope c { ... }`
    Automatic(block::Automatic),
}

impl Clause {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Clause::Values { span, .. }
            | Clause::Equation { span, .. }
            | Clause::Pair { span, .. }
            | Clause::Tuple { span, .. }
            | Clause::Lost { span, .. }
            | Clause::Window { span, .. } => *span,
            Clause::Automaton(block) => block.span,
            Clause::Automatic(block) => block.span,
        }
    }
}

/// A game file: header, lines, and what the literature says.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct File {
    /// The header, if there is one.
    pub header: Option<Header>,
    /// The lines.
    pub productions: Vec<Production>,
    /// `source "..."` lines: where the game or its law is described.
    pub sources: Vec<String>,
    /// `terms 0, 1, 2, ...`: the first values, for heaps 0, 1, 2, ...
    pub terms: Option<Vec<Int>>,
    /// What stands after `law`.
    pub law: Law,
    /// `law "..."`: which source states the law.
    pub law_source: Option<String>,
}

impl File {
    /// Who states the law: the source named beside `law`, else the only `source` there is. (With several, the game may
    /// come from one and its law from another.)
    #[must_use]
    pub fn law_source(&self) -> Option<&str> {
        match (&self.law_source, self.sources.as_slice()) {
            (Some(source), _) => Some(source),
            (None, [only]) => Some(only),
            (None, _) => None,
        }
    }
}
