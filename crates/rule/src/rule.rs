//! A rule: the moves of every heap, with all names resolved.
//!
//! This is the one source that engines, shapes, proofs and the checker read. A [`Rule`] is plain data. Its
//! parameters may have values or not: `show` and proofs for all values of a parameter need none,
//! enumeration needs all.

use std::sync::Arc;

use crate::ast::ParamType;
pub use crate::ast::{Ending, Player};
use crate::diagnostic::Span;
use crate::expr::{Atom, Cond, Expr, Int, ParamId, Set, Slot};
use crate::heap::KindId;
use crate::pairs::Pairs;

/// A checked rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The text it was read from; every span points into it.
    pub source: String,
    /// The name in the header.
    pub name: Option<String>,
    /// Last mover loses.
    pub misere: bool,
    /// Play may go on for ever, and is then a draw.
    pub loopy: bool,
    /// Positions are sets; a move takes the turned coin away and heaps left twice vanish.
    pub coins: bool,
    /// The kinds, in the order of their first mention.
    pub kinds: Vec<Kind>,
    /// The parameters: those of the header, then those that only the caller names.
    pub params: Vec<Param>,
    /// What the header demands of the parameters.
    pub param_cond: Cond,
    /// The lines, in the order written.
    pub lines: Vec<Line>,
}

/// A kind of heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// Its name; most rules have one kind without a name.
    pub name: Option<String>,
    /// How many entries its heaps have.
    pub arity: usize,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type: declared, or inferred from how it is used.
    pub ty: ParamType,
    /// Its value, if the caller gave one.
    pub value: Option<Value>,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(Int),
    /// A set: ascending, without repeats.
    Set(Vec<Int>),
    /// A list, in order.
    List(Vec<Int>),
    /// Pairs. Shared, because they may be many (millions of edges) and rules are copied when their parameters get
    /// values.
    Pairs(Arc<Pairs>),
}

/// One line, `left -> alternatives where cond`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Whose moves they are; `None`: both players'.
    pub player: Option<Player>,
    /// The kind on the left.
    pub kind: KindId,
    /// For each entry: `None` binds it to the slot of the same index, a number restricts the line. (The slot
    /// of a restricted entry still holds the entry.)
    pub pattern: Vec<Option<Int>>,
    /// Names of the entries (empty where a number stands).
    pub entry_names: Vec<String>,
    /// The alternatives, in the order written.
    pub alternatives: Vec<Alternative>,
    /// Where.
    pub span: Span,
}

/// One alternative of a line with the line's condition.
///
/// Frame: slots `0..arity` are the entries, then the variables in order of first mention, then the `for`
/// names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The variables: slots `arity..arity + variables.len()`. They range over the naturals.
    pub variables: Vec<Variable>,
    /// Size of the frame, `for` names included.
    pub frame: usize,
    /// What the move leaves. Empty: nothing.
    pub parts: Vec<Part>,
    /// Whether the move ends the whole game, and how. Then it leaves nothing.
    pub ending: Option<Ending>,
    /// The condition as written, evaluated from left to right; decides at a leaf.
    pub cond: Cond,
    /// The same in disjunctive form, `not` pushed inward: bounds and enumeration work on these. Never empty
    /// (an always-true condition is one branch without atoms), at most 64.
    pub branches: Vec<Branch>,
    /// Where.
    pub span: Span,
}

/// A variable of an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its first mention.
    pub span: Span,
}

/// A conjunction of atoms; includes `0 <= entry` for each entry of a heap left that mentions no `for` name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The atoms, in the order written; the `0 <= entry` ones last.
    pub atoms: Vec<Atom>,
}

/// A part of what a move leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// One heap.
    Heap(HeapExpr),
    /// `[parts for slot in set]`, spliced.
    List {
        /// The body.
        parts: Vec<Part>,
        /// The slot of the `for` name.
        slot: Slot,
        /// Its range.
        set: Set,
        /// Whether the body mentions the `for` name; if not, the range is only counted.
        unrolled: bool,
        /// Where.
        span: Span,
    },
}

/// A heap to be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapExpr {
    /// Its kind.
    pub kind: KindId,
    /// Its entries.
    pub entries: Vec<Expr>,
    /// Where.
    pub span: Span,
}

impl Rule {
    /// Whether some lines are one player's alone.
    #[must_use]
    pub fn is_partisan(&self) -> bool {
        self.lines.iter().any(|line| line.player.is_some())
    }

    /// Whether some moves end the whole game.
    #[must_use]
    pub fn has_endings(&self) -> bool {
        self.lines.iter().flat_map(|line| &line.alternatives).any(|move_| move_.ending.is_some())
    }

    /// Whether the theory of nimbers speaks about it, as far as the rule shows: both players have the same moves, the
    /// last mover wins, and no move ends the game before. (Play must also end, which is [`crate::ends`]' question.)
    ///
    /// ```
    /// # use grundy_rule::Rule;
    /// let has = |text: &str| Rule::parse(text, &[]).unwrap().0.has_nimbers();
    /// assert!(has("n -> n - t where t in 1..3"));
    /// assert!(!has("misere game; n -> n - 1") && !has("left: n -> n - 1") && !has("n -> win where n = 3"));
    /// ```
    #[must_use]
    pub fn has_nimbers(&self) -> bool {
        !self.misere && !self.is_partisan() && !self.has_endings()
    }

    /// The kind with that name and number of entries.
    #[must_use]
    pub fn kind(&self, name: Option<&str>, arity: usize) -> Option<KindId> {
        let found = self.kinds.iter().position(|k| k.name.as_deref() == name && k.arity == arity)?;
        u16::try_from(found).ok().map(KindId)
    }

    /// The parameter with that name.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<ParamId> {
        self.params.iter().position(|p| p.name == name)
    }

    /// Writes a heap the way it is typed: `5`, `(3, 8)`, `row(7)`.
    #[must_use]
    pub fn show_heap(&self, kind: KindId, entries: &[Int]) -> String {
        struct Shown<'a>(Option<&'a str>, &'a [Int]);
        impl std::fmt::Display for Shown<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                crate::heap::write_heap(f, self.0, self.1)
            }
        }
        let name = self.kinds.get(usize::from(kind.0)).and_then(|k| k.name.as_deref());
        Shown(name, entries).to_string()
    }
}
