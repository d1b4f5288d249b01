//! What a rule is, for the purpose of speed and of proof: its shape.
//!
//! An engine that fills a table fast, and a lemma that settles all heaps at once, both need to know that a
//! rule *is* a subtraction game with set S, a window with left end L, an octal game of t digits. That
//! knowledge is a proof step, so it lives here, in the crate that the certificate checker trusts.
//!
//! **Promise.** Each variant of [`Shape`] says exactly which options a heap `n` has, so that its reader
//! needs neither the rule nor an enumeration. Two things hold for all variants:
//!
//! * They speak about one kind of heap with one entry, whose moves leave heaps of that same kind only.
//!   [`shape`] looks at rules with exactly one kind, [`shape_of`] at a named kind of any rule.
//! * Under `coins` the options are the promised ones to the letter. Without `coins`, if heap 0 has no
//!   option, heaps of 0 are left out of the sums that are compared: `a + b = n - t` with `a, b >= 0` is the
//!   same game as one that says "nothing, one heap or two heaps". If heap 0 has an option then no variant
//!   that leaves out heaps of 0 is given.
//!
//! **How.** Never from names or spelling. Each alternative is brought into a small internal form: the heaps
//! left become the variables, `n` becomes the sum of what is left and what is taken, linear definitions are
//! substituted, `max`, `min`, `abs` and `or` become cases. Then sets of options are compared by exact
//! reasoning over linear inequalities (see [`crate::ends`] for the procedure): a set of splits counts as
//! present only if what is missing of it is proved empty. Whatever cannot be decided is [`Shape::General`].
//! At the end the promise is compared with the enumerated options of small heaps; a disagreement, which
//! would be a fault of this module, also gives `General`. That comparison is a safety net and proves nothing.
//!
//! A rule in which the players have different moves, or a move ends the game, has no shape.
//!
//! Parameters are used with their values. [`Shape::SlidingWindow`] is also found while a parameter has
//! none, from what the header demands of it (`k >= 2`): that is what a proof for every `k` needs.

mod closure;
mod digits;
mod piece;
mod profile;
mod promise;
mod region;
mod small;
mod take_and_break;
mod taken;
mod taking;
#[cfg(test)]
mod tests;
mod window;
mod windows;

use std::fmt;

pub use promise::Options;
pub use take_and_break::{Digit, TakeAndBreak};
pub use window::{Formula, LeftEnd, Ratio, SlidingWindow, Window, WindowExcept};

use crate::expr::{AtomKind, ParamId};
use crate::heap::KindId;
use crate::rule::Rule;

use piece::View;
use small::SmallHeaps;

/// What a rule is. See the module for what every variant promises.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// Heap `n` has the options `n - t` for the `t` of this set with `t <= n`. Ascending, without repeats,
    /// each at least 1; may be empty (no moves at all).
    Subtraction(Vec<u64>),
    /// Heap `n` has the options `n - t` for every `t` in `1..=n` that is not in this set. Ascending, without
    /// repeats, each at least 1. Empty: Nim.
    AllBut(Vec<u64>),
    /// Heap `n` has the options `n - t` for the `t` of a set of positive numbers with `t <= n`; the set is
    /// infinite or given by a predicate (primes, squares, ..).
    SubtractionFrom(TakenSet),
    /// Heap `n` has the options `L(n)..=n-1`, where L moves by steps of 0 and 1.
    SlidingWindow(SlidingWindow),
    /// Heap `n` has the options `L(n)..=R(n)`, both ends never falling.
    Window(Window),
    /// Heap `n` has the options `0..=n-1` except finitely many pairs.
    WindowExcept(WindowExcept),
    /// A take-and-break code: octal, hexadecimal, with a repeated tail, equal or unequal splits.
    TakeAndBreak(TakeAndBreak),
    /// Up to so many lower heaps in any combination.
    XorClosure(XorClosure),
    /// The heaps directly below, as a run: Ruler.
    Runs(Runs),
    /// One token on a graph given as pairs.
    Graph(Graph),
    /// None of these: enumerate.
    General,
}

/// The numbers that may be taken, as a condition on the number alone.
///
/// The set does not depend on the heap, hence it can be read off one heap: the members up to `n` are
/// `n - y` for the options `y` of the heap `n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenSet {
    /// The set is the union of these.
    pub pieces: Vec<TakenPiece>,
}

/// One piece of a [`TakenSet`]: the numbers for which naturals exist so that the atoms hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenPiece {
    /// How many naturals must exist; 0 in all games in which the condition is about the number itself.
    pub variables: usize,
    /// What must hold, in the parameters of the rule and in slots: slot 0 is the number taken, slots
    /// `1..=variables` the naturals. It follows that the number is at least 1.
    pub atoms: Vec<AtomKind>,
}

/// Lower heaps in any combination: coin turning, Nim, the splitting game.
///
/// Let `counts` be C. Heap `n < least` has no options. Heap `n >= least` has as options all collections of
/// `c` heaps, each in `least..=n-1`, for every `c` in C: sets if `repeats` is false (the heaps of one option
/// differ), multisets if it is true. Heaps below `least` never appear. The turned coin itself is not
/// counted: Mock Turtles (turn 1, 2 or 3 coins) is C = {0, 1, 2}, the splitting game C = {2} with repeats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct XorClosure {
    /// How many heaps an option may have: ascending, without repeats, not empty.
    pub counts: Vec<u32>,
    /// Whether one option may hold the same heap twice. (Never under `coins`.)
    pub repeats: bool,
    /// The least heap that plays a part.
    pub least: u64,
}

/// Consecutive runs directly below the heap: Ruler.
///
/// Heap `n` has the options `{n-1, n-2, ..., n-d}` for every `d` with `shortest <= d <= n - least` (and
/// `d <= longest`, where there is a longest); `d = 0` is the empty option. Heaps below `least` have none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Runs {
    /// The least number of heaps left.
    pub shortest: u64,
    /// The greatest number of heaps left, if it is bounded apart from `n`.
    pub longest: Option<u64>,
    /// The least heap that a run may reach.
    pub least: u64,
}

/// A token on a graph: heap `n` has the options `m` for the rows `(n, m)` of a parameter of pairs (rows
/// with a negative second number do not count).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    /// The parameter.
    pub edges: ParamId,
    /// Whether the rows are to be read as `(m, n)`.
    pub reversed: bool,
}

/// The shape of a rule that has one kind of heap; [`Shape::General`] for all others.
#[must_use]
pub fn shape(rule: &Rule) -> Shape {
    shapes(rule).into_iter().next().unwrap_or(Shape::General)
}

/// All shapes that a rule has, the preferred one first; empty if there is none but [`Shape::General`].
///
/// Some games have several: Nim is a sliding window, all-but-nothing, the closure of one lower heap and
/// the code `0.[3]`.
#[must_use]
pub fn shapes(rule: &Rule) -> Vec<Shape> {
    match rule.kinds.len() {
        1 => shapes_of(rule, KindId(0)),
        _ => Vec::new(),
    }
}

/// The shape of one kind of a rule, if its moves leave heaps of that kind only.
#[must_use]
pub fn shape_of(rule: &Rule, kind: KindId) -> Shape {
    Shapes::of(rule, kind).preferred
}

/// All shapes of one kind of a rule, the preferred one first; see [`shapes`].
#[must_use]
pub fn shapes_of(rule: &Rule, kind: KindId) -> Vec<Shape> {
    let mut small = SmallHeaps::new(rule, kind);
    let mut found = recognised(rule, kind, Wanted::All);
    found.retain(|shape| small.agree(rule, shape));
    found
}

/// The shapes of one kind of a rule, for those who need them again and again: the preferred one is found at once, the
/// others when they are first asked for.
#[derive(Debug)]
pub struct Shapes {
    kind: KindId,
    preferred: Shape,
    /// All of them, once they have been looked for.
    all: Option<Vec<Shape>>,
    small: SmallHeaps,
}

impl Shapes {
    /// Looks for the preferred shape of a kind of heap.
    #[must_use]
    pub fn of(rule: &Rule, kind: KindId) -> Shapes {
        let mut small = SmallHeaps::new(rule, kind);
        let found = recognised(rule, kind, Wanted::Preferred);
        let preferred = found.into_iter().find(|shape| small.agree(rule, shape));
        let mut shapes = Shapes { kind, preferred: Shape::General, all: None, small };
        match preferred {
            Some(preferred) => shapes.preferred = preferred,
            None => shapes.preferred = shapes.all(rule).first().cloned().unwrap_or(Shape::General),
        }
        shapes
    }

    /// What [`shape_of`] gives.
    #[must_use]
    pub fn preferred(&self) -> &Shape {
        &self.preferred
    }

    /// What [`shapes_of`] gives; `rule` is the same as before.
    pub fn all(&mut self, rule: &Rule) -> &[Shape] {
        if self.all.is_none() {
            let mut found = recognised(rule, self.kind, Wanted::All);
            found.retain(|shape| *shape == self.preferred || self.small.agree(rule, shape));
            self.all = Some(found);
        }
        self.all.as_deref().unwrap_or_default()
    }
}

/// The highest ranks of shapes that are read off what is taken, and off one window of heaps left; see [`Shape::rank`].
const TAKING: u8 = 1;
const WINDOWS: u8 = 3;

/// How far to look for shapes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Every shape that fits.
    All,
    /// The preferred one; others only if they are found on the way.
    Preferred,
}

/// The shapes that are proved, before small heaps are compared.
fn recognised(rule: &Rule, kind: KindId, wanted: Wanted) -> Vec<Shape> {
    if rule.kinds.get(usize::from(kind.0)).is_none_or(|k| k.arity != 1) {
        return Vec::new();
    }
    // A shape tells which heaps are left, and here that is not all there is to tell.
    if rule.is_partisan() || rule.has_endings() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let add = |found: &mut Vec<Shape>, more: Vec<Shape>| {
        for shape in more {
            if !found.contains(&shape) {
                found.push(shape);
            }
        }
        found.sort_by_key(Shape::rank);
    };
    // The views are tried in the order of preference: a shape found so far that ranks as high as any shape of its
    // view is preferred to whatever the next ones can say.
    let settled = |found: &[Shape], highest: u8| {
        wanted == Wanted::Preferred && found.first().is_some_and(|shape| shape.rank() <= highest)
    };
    let by_taken = piece::pieces(rule, kind, View::Taken);
    if let Some(pieces) = &by_taken {
        add(&mut found, taking::shapes(rule, pieces));
    }
    if settled(&found, TAKING) {
        return found;
    }
    if let Some(pieces) = piece::pieces(rule, kind, View::Heap) {
        if let [only] = pieces.as_slice() {
            add(&mut found, windows::windows(rule, only));
        }
        if settled(&found, WINDOWS) {
            return found;
        }
        add(&mut found, closure::xor_closure(rule, &pieces).map(Shape::XorClosure).into_iter().collect());
    }
    add(&mut found, closure::runs(rule, kind).map(Shape::Runs).into_iter().collect());
    // A set given by a condition is the last resort of what can be taken apart from the heap.
    if let (true, Some(pieces)) = (found.is_empty(), &by_taken) {
        found.extend(closure::taken_set(rule, pieces).map(Shape::SubtractionFrom));
    }
    found.sort_by_key(Shape::rank);
    found
}

impl Shape {
    /// Which of several shapes is preferred: the one that says most.
    fn rank(&self) -> u8 {
        match self {
            Shape::Subtraction(_) => 0,
            Shape::AllBut(_) => 1,
            Shape::SlidingWindow(_) => 2,
            Shape::WindowExcept(_) => 3,
            Shape::XorClosure(_) => 4,
            Shape::Runs(_) => 5,
            Shape::Graph(_) => 6,
            Shape::TakeAndBreak(_) => 7,
            Shape::Window(_) => 8,
            Shape::SubtractionFrom(_) => 9,
            Shape::General => 10,
        }
    }
}

impl fmt::Display for Shape {
    /// The name of the shape in the field's terms, with its data where that is short.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Subtraction(set) => write!(f, "subtraction game with {}", Listed(set)),
            Shape::AllBut(set) if set.is_empty() => write!(f, "Nim"),
            Shape::AllBut(set) => write!(f, "subtraction game with all but {}", Listed(set)),
            Shape::SubtractionFrom(_) => write!(f, "subtraction game with a set given by a condition"),
            Shape::SlidingWindow(window) => window.fmt(f),
            Shape::Window(window) => window.fmt(f),
            Shape::WindowExcept(window) => window.fmt(f),
            Shape::TakeAndBreak(code) => {
                const SHOWN: usize = 60;
                let digits = code.digits.len() + code.tail.len();
                if digits <= SHOWN {
                    return write!(f, "take-and-break code {code}");
                }
                let begun: String = code.to_string().chars().take(SHOWN).collect();
                write!(f, "take-and-break code {begun}.. of {digits} digits")
            }
            Shape::XorClosure(closure) => closure.fmt(f),
            Shape::Runs(runs) => runs.fmt(f),
            Shape::Graph(_) => write!(f, "one token on a graph"),
            Shape::General => write!(f, "general"),
        }
    }
}

impl fmt::Display for XorClosure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.counts.iter().map(u32::to_string).collect();
        let kind = if self.repeats { "lower heaps, repeats allowed" } else { "different lower heaps" };
        write!(f, "any {} {kind}", words.join(" or "))
    }
}

impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.longest {
            Some(longest) => write!(f, "runs of {} to {longest} heaps directly below", self.shortest),
            None => write!(f, "runs of {} or more heaps directly below", self.shortest),
        }
    }
}

/// A set in braces, cut short when it is long.
pub(crate) struct Listed<'a>(pub(crate) &'a [u64]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 12;
        write!(f, "{{")?;
        for (i, t) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, "{}{t}", if i > 0 { ", " } else { "" })?;
        }
        if self.0.len() > SHOWN {
            write!(f, ", .. {} numbers", self.0.len())?;
        }
        write!(f, "}}")
    }
}
