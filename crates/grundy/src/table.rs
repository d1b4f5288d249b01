//! Tables of Grundy values: the engine is chosen from the shape of the rule.
//!
//! [`tabulate`] fills the values of heaps `0..=n`, [`grid`] those of all tuples up to given ends. Both give a
//! [`Table`], whose values are kept at the narrowest [`Width`] that holds them. Which engine does the work
//! is decided by what the rule *is*, not by its spelling; [`reference`](mod@reference) reads the rule alone and serves
//! every rule, and all others are tested against it. An engine can be forced by name, which is an error if
//! the rule is not of its shape: never a wrong table.

mod all_but;
mod ends;
pub mod engine;
mod graph;
mod present;
mod reach;
pub mod reference;
mod repeat;
mod runs;
mod simd;
mod sliding_window;
mod splits;
mod store;
mod subtraction;
mod take_and_break;
mod window;
mod window_except;
mod xor_closure;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use grundy_rule::Rule;
use grundy_rule::heap::KindId;
use grundy_rule::shape::Shapes;

pub use engine::{EngineName, Reader, engine_for};
pub(crate) use engine::{Past, Run, engine_of};
pub(crate) use store::Store;
pub use store::{Values, Width};

use crate::error::Error;
use crate::limits::Limits;

/// How a table is to be made.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The kind of heap, by name; needed only if the rule has several with that number of entries.
    pub kind: Option<String>,
    /// The engine; `None`: the best for the shape of the rule.
    pub engine: Option<EngineName>,
    /// Take the candidates of the sparse take-and-break method unchecked: twice as fast, and the table is then
    /// [observed](Table::is_observed), not proved.
    pub candidates: bool,
    /// How many threads may work; `None`: as many as the machine has.
    pub threads: Option<usize>,
    /// Time, memory, cancellation.
    pub limits: Limits,
    /// Where the number of heaps that are done is kept for whoever watches; tables of single heaps only.
    pub progress: Option<Arc<AtomicU64>>,
}

/// The Grundy values of heaps `0..=n`, or of all tuples up to given ends.
///
/// ```
/// use grundy::table::Table;
/// let table = Table::of(&[0, 1, 2, 3, 1, 4]);
/// assert_eq!((table.len(), table.get(5), table.max()), (6, 4, 4));
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    store: Store,
    /// Heaps along each entry; the product is the number of values.
    dims: Box<[usize]>,
    kind: Option<Arc<str>>,
    engine: EngineName,
    max: u32,
    observed: bool,
}

impl Table {
    fn new(store: Store, dims: Box<[usize]>, kind: Option<&str>, engine: EngineName) -> Self {
        let max = store::each_width!(Store, &store, v => v.iter().max().map_or(0, |m| store::Cell::wide(*m)));
        Table { store, dims, kind: kind.map(Arc::from), engine, max, observed: false }
    }

    /// A table of given values of heaps 0, 1, 2, ...: for tests and for values that come from elsewhere.
    #[must_use]
    pub fn of(values: &[u32]) -> Self {
        let mut store = Store::new();
        for value in values {
            store.push(u64::from(*value)).expect("a u32 fits the widest, and the slice fits the memory");
        }
        Table::new(store, [values.len()].into(), None, EngineName::Reference)
    }

    /// A grid of given values in row order; the product of `dims` is their number.
    #[cfg(test)]
    pub(crate) fn grid_of(values: &[u32], dims: &[usize]) -> Self {
        assert_eq!(dims.iter().product::<usize>(), values.len());
        Table { dims: dims.into(), ..Table::of(values) }
    }

    /// The value of heap `n`, for a grid that of the `n`-th tuple in row order.
    ///
    /// # Panics
    /// If `n` is not below [`Table::len`], as a slice does.
    #[must_use]
    #[inline]
    pub fn get(&self, n: usize) -> u32 {
        self.values().get(n)
    }

    /// How many values: `n + 1` for heaps `0..=n`.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The greatest value; 0 if there are none.
    #[must_use]
    pub fn max(&self) -> u32 {
        self.max
    }

    /// The values at the width in which they are kept; a grid in row order (the last entry runs fastest).
    #[must_use]
    pub fn values(&self) -> Values<'_> {
        self.store.values()
    }

    /// All values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.values().iter()
    }

    /// Heaps along each entry: `[n + 1]`, or `[n + 1, m + 1]` for the pairs up to `(n, m)`, and so on.
    #[must_use]
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The name of the kind of heap, if it has one.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    /// The engine that made it.
    #[must_use]
    pub fn engine(&self) -> EngineName {
        self.engine
    }

    /// Whether some values were left unchecked because [`Options::candidates`] allowed it.
    #[must_use]
    pub fn is_observed(&self) -> bool {
        self.observed
    }

    /// The heap of an index, the way it is typed: `5`, `(3, 8)`, `row(7)`.
    #[must_use]
    pub fn heap(&self, index: usize) -> String {
        struct Tuple<'a>(&'a [usize]);
        impl fmt::Display for Tuple<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let entries: Vec<String> = self.0.iter().map(ToString::to_string).collect();
                write!(f, "({})", entries.join(", "))
            }
        }
        let entries = self.entries(index);
        match (&self.kind, entries.as_slice()) {
            (None, [n]) => n.to_string(),
            (kind, entries) => format!("{}{}", kind.as_deref().unwrap_or(""), Tuple(entries)),
        }
    }

    /// The index of a heap, if the table covers it.
    pub(crate) fn place(&self, entries: &[grundy_rule::Int]) -> Option<usize> {
        if entries.len() != self.dims.len() {
            return None;
        }
        let place = entries.iter().zip(&self.dims).try_fold(0_usize, |place, (entry, dim)| {
            let entry = usize::try_from(*entry).ok().filter(|entry| entry < dim)?;
            place.checked_mul(*dim)?.checked_add(entry)
        });
        place.filter(|place| *place < self.len())
    }

    /// The entries of the heap of an index.
    #[must_use]
    pub fn entries(&self, index: usize) -> Vec<usize> {
        let mut rest = index;
        let mut entries: Vec<usize> = self
            .dims
            .iter()
            .rev()
            .map(|dim| {
                let entry = rest % dim.max(&1);
                rest /= dim.max(&1);
                entry
            })
            .collect();
        entries.reverse();
        entries
    }
}

/// A table, or what there is of it.
#[derive(Debug)]
pub struct SoFar {
    /// The values: all of them, or those of the first heaps (of a grid, its first whole rows).
    pub table: Table,
    /// The limit that was reached, if the table is cut short.
    pub stopped: Option<Error>,
}

impl SoFar {
    /// The table, if it is whole.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn whole(self) -> Result<Table, Error> {
        match self.stopped {
            None => Ok(self.table),
            Some(error) => Err(error),
        }
    }
}

/// The values of heaps `0..=n` of the rule's kind with one entry.
///
/// # Errors
/// `misere` (nimbers do not add there), `kind` (none or several with one entry), `engine` (a forced one does
/// not fit), `loop`, `width`, whatever the rule's own expressions give, and limits.
pub fn tabulate(rule: &Rule, n: u64, options: &Options) -> Result<Table, Error> {
    so_far(rule, &[n], options)?.whole()
}

/// Gives the values of heaps `0..=n` to a reader, block after block, and keeps only what the engine itself
/// needs: in constant memory for subtraction sets, sliding windows, windows with exceptions, sparse take-and-break games
/// and others whose engines do not read the table back.
///
/// # Errors
/// As for [`tabulate`], and the reader's own.
pub fn stream(rule: &Rule, n: u64, options: &Options, reader: &mut dyn Reader) -> Result<(), Error> {
    normal_play(rule)?;
    let kind = choose_kind(rule, 1, options.kind.as_deref())?;
    engine::Run::new(rule, kind, n, options)?.stream(None, reader)
}

/// The values of all heaps `(a, b, ..)` with `a <= ends[0]`, `b <= ends[1]`, ...
///
/// # Errors
/// As for [`tabulate`].
pub fn grid(rule: &Rule, ends: &[u64], options: &Options) -> Result<Table, Error> {
    so_far(rule, ends, options)?.whole()
}

/// The same, but what was computed before a limit was reached is kept.
///
/// # Errors
/// As for [`tabulate`], except limits that are reached while the table is being filled.
pub fn so_far(rule: &Rule, ends: &[u64], options: &Options) -> Result<SoFar, Error> {
    normal_play(rule)?;
    let kind = choose_kind(rule, ends.len(), options.kind.as_deref())?;
    if let [n] = ends {
        return heaps_so_far(rule, kind, &mut Shapes::of(rule, kind), *n, options);
    }
    if let Some(name) = options.engine.filter(|name| *name != EngineName::Reference) {
        return Err(engine::does_not_fit(name, "it tabulates heaps with one entry only"));
    }
    reference::grid(rule, kind, ends, &options.limits)
}

/// The values of heaps `0..=n` of a kind with one entry, whose shapes are known.
pub(crate) fn heaps_so_far(
    rule: &Rule,
    kind: KindId,
    shapes: &mut Shapes,
    n: u64,
    options: &Options,
) -> Result<SoFar, Error> {
    let name = rule.kinds.get(usize::from(kind.0)).and_then(|kind| kind.name.as_deref());
    engine::Run::of(rule, kind, shapes, n, options)?.table(name)
}

/// Refuses rules of which the theory of nimbers does not speak at all: loopy ones, those whose players have different
/// moves, and those with moves that end the game.
pub(crate) fn has_nimbers(rule: &Rule) -> Result<(), Error> {
    let (id, why) = if rule.is_partisan() {
        ("partisan", "the players have different moves (`left:`, `right:`), so heaps have no nimbers")
    } else if rule.has_endings() {
        ("ending", "some moves end the game at once (`win`, `lose`, `draw`), so heaps have no nimbers")
    } else if rule.loopy {
        ("loopy", "play may go on for ever (`loopy`), so not every heap has a nimber")
    } else {
        return Ok(());
    };
    Err(Error::new(id, why).help("`grundy moves RULE POSITION` searches a position exactly"))
}

/// Refuses misere rules as well: a table of nimbers would be right and useless.
pub(crate) fn normal_play(rule: &Rule) -> Result<(), Error> {
    if rule.misere {
        return Err(Error::new(
            "misere",
            "under misere play nimbers do not add up, so there is no table of them",
        )
        .help("`grundy moves --misere RULE POSITION` searches a position exactly"));
    }
    has_nimbers(rule)
}

/// The kind with that number of entries and, if given, that name.
pub(crate) fn choose_kind(rule: &Rule, arity: usize, name: Option<&str>) -> Result<KindId, Error> {
    let entries = |count: usize| format!("{count} {}", if count == 1 { "entry" } else { "entries" });
    let show = |kind: &grundy_rule::rule::Kind| {
        format!("{} ({})", kind.name.as_deref().unwrap_or("the nameless one"), entries(kind.arity))
    };
    let all = || rule.kinds.iter().map(show).collect::<Vec<_>>().join(", ");
    let fits: Vec<(usize, &grundy_rule::rule::Kind)> = rule
        .kinds
        .iter()
        .enumerate()
        .filter(|(_, kind)| kind.arity == arity && (name.is_none() || kind.name.as_deref() == name))
        .collect();
    let chosen = match (fits.as_slice(), name) {
        ([(index, _)], _) => Some(*index),
        (several, None) => several.iter().find(|(_, kind)| kind.name.is_none()).map(|(index, _)| *index),
        _ => None,
    };
    if let Some(index) = chosen {
        return Ok(KindId(u16::try_from(index).expect("a rule has fewer than 2^16 kinds")));
    }
    if let Some((_, first)) = fits.first() {
        let option = first.name.as_deref().unwrap_or_default();
        let count = fits.len();
        return Err(Error::new(
            "kind",
            format!("the rule has {count} kinds of heap with {}: {}", entries(arity), all()),
        )
        .help(format!("choose one: --kind {option}")));
    }
    let message = match name {
        Some(name) => format!("the rule has no kind `{name}` with {}; it has {}", entries(arity), all()),
        None => format!("the rule has no kind of heap with {}; it has {}", entries(arity), all()),
    };
    let help = match (name, rule.kinds.first()) {
        (Some(_), _) | (None, None) => None,
        (None, Some(first)) => {
            Some(format!("give an end for each entry: -n {}", vec!["20"; first.arity].join(",")))
        }
    };
    let error = Error::new("kind", message);
    Err(match help {
        Some(help) => error.help(help),
        None => error,
    })
}
