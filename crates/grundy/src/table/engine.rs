//! The engines by name, the choice among them, and the loop that drives one.
//!
//! An `Engine` appends the values of the next heaps, block after block; the driver looks after limits,
//! progress and memory between blocks. Engines that keep what they need of the past themselves can run in
//! constant memory: the driver empties the store when its reader has seen a block.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grundy_rule::Rule;
use grundy_rule::heap::KindId;
use grundy_rule::rule::Value;
use grundy_rule::shape::{Shape, Shapes, TakeAndBreak};

use super::all_but::AllBut;
use super::graph::Token;
use super::reach::{self, Reach};
use super::reference::InOrder;
use super::runs::OfRuns;
use super::sliding_window::Sliding;
use super::splits::Splits;
use super::subtraction::{Masks, Pull};
use super::take_and_break::{Breaking, Method};
use super::window::TwoEnds;
use super::window_except::Except;
use super::xor_closure::Closure;
use super::{Options, SoFar, Store, Table, Values};
use crate::error::Error;
use crate::limits::Clock;

/// A way to fill a table from heap 0 on.
pub(crate) trait Engine {
    /// Appends the values of the next `more` heaps. Whoever [reads back](Engine::reads_back) finds the values
    /// of all heaps before in the store.
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error>;

    /// Takes the values of the next heaps as given and puts itself into the state after them, which is worth
    /// having where that is far cheaper than to [fill](Engine::fill); the caller appends them to the store.
    /// `false`: it cannot, and nothing has changed. It is able to always or never.
    fn learn(&mut self, _values: Values<'_>) -> Result<bool, Error> {
        Ok(false)
    }

    /// Whether it reads earlier values in the store; else the store may be emptied between calls.
    fn reads_back(&self) -> bool;

    /// Told before the first heap that no table is kept: goes a way on which it need not read back, if it has one.
    fn let_go(&mut self) {}

    /// Bytes of its own that grow with the work.
    fn bytes(&self) -> u64;

    /// Whether some values were left unchecked, as [`Options::candidates`] allows.
    fn is_observed(&self) -> bool {
        false
    }
}

/// Declares the engines with their names.
macro_rules! engines {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal,)*) => {
        /// One way to fill a table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum EngineName {
            $($(#[doc = $doc])* $variant,)*
        }

        impl EngineName {
            /// All of them, the most general last.
            pub const ALL: &[EngineName] = &[$(EngineName::$variant),*];

            /// The name, as `--engine` takes it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(EngineName::$variant => $name,)*
                }
            }
        }
    };
}

engines! {
    /// Finite subtraction sets: masks of reached values, and the period once it shows.
    Subtraction = "subtraction",
    /// Large and infinite subtraction sets: for each value the heaps that reach it, as a bit set.
    Reach = "reach",
    /// All numbers but finitely many may be taken.
    AllBut = "all-but",
    /// Options `L(n)..=n-1` with steps of 0 and 1: one value is freed and at once reused.
    SlidingWindow = "sliding-window",
    /// Options between two ends that never fall.
    Window = "window",
    /// Nim with finitely many exceptions: how many heaps of a value are forbidden.
    WindowExcept = "window-except",
    /// Lower heaps in any combination: the set of reachable nim-sums as a bit set.
    XorClosure = "xor-closure",
    /// Runs directly below the heap: the mex of a translated set.
    Runs = "runs",
    /// Take-and-break codes that leave one or two heaps: dense or sparse, as the values are.
    TakeAndBreak = "take-and-break",
    /// The same by going through all splits.
    Dense = "dense",
    /// The same by rare and common heaps.
    Sparse = "sparse",
    /// Take-and-break codes with three heaps or repeating digits: whole sets of nim-sums.
    Splits = "splits",
    /// One token on a graph: nodes in the order of a depth-first walk.
    Graph = "graph",
    /// Reads the rule alone and serves every rule.
    Reference = "reference",
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EngineName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        EngineName::ALL.iter().copied().find(|engine| engine.name() == text).ok_or_else(|| {
            let names: Vec<&str> = EngineName::ALL.iter().map(|engine| engine.name()).collect();
            Error::new("engine", format!("there is no engine `{text}`; there are {}", names.join(", ")))
        })
    }
}

/// The error for an engine that was asked for by name and does not serve the rule.
pub(crate) fn does_not_fit(name: EngineName, why: &str) -> Error {
    Error::new("engine", format!("the engine `{name}` does not fit this rule: {why}"))
        .help("leave --engine out, or take --engine reference, which serves every rule")
}

/// The engines that serve a shape, the best first.
fn of_shape(shape: &Shape) -> &'static [EngineName] {
    match shape {
        Shape::Subtraction(_) => &[EngineName::Subtraction, EngineName::Reach],
        Shape::SubtractionFrom(_) => &[EngineName::Reach],
        Shape::AllBut(_) => &[EngineName::AllBut],
        Shape::SlidingWindow(_) => &[EngineName::SlidingWindow],
        Shape::Window(_) => &[EngineName::Window],
        Shape::WindowExcept(_) => &[EngineName::WindowExcept],
        Shape::TakeAndBreak(code) if !Breaking::serves(code) => &[EngineName::Splits],
        Shape::TakeAndBreak(_) => {
            &[EngineName::TakeAndBreak, EngineName::Dense, EngineName::Sparse, EngineName::Splits]
        }
        Shape::Runs(_) => &[EngineName::Runs],
        Shape::Graph(_) => &[EngineName::Graph],
        Shape::XorClosure(_) => &[EngineName::XorClosure],
        _ => &[],
    }
}

/// The engine that [`super::tabulate`] takes for heaps of a kind if none is asked for.
#[must_use]
pub fn engine_for(rule: &Rule, kind: KindId) -> EngineName {
    engine_of(rule, &mut Shapes::of(rule, kind))
}

/// The same for shapes that are known.
pub(crate) fn engine_of(rule: &Rule, shapes: &mut Shapes) -> EngineName {
    let first = |shape: &Shape| of_shape(shape).first().copied();
    let preferred = first(shapes.preferred());
    preferred.or_else(|| shapes.all(rule).iter().find_map(first)).unwrap_or(EngineName::Reference)
}

/// Makes the engine of that name for that shape; `n` is the last heap it will be asked for.
fn make(
    name: EngineName,
    shape: &Shape,
    (rule, kind): (&Rule, KindId),
    n: u64,
    options: &Options,
    clock: &Clock,
) -> Result<Option<Box<dyn Engine>>, Error> {
    Ok(match (name, shape) {
        (EngineName::Subtraction, Shape::Subtraction(set)) => Some(match Masks::new(set, n) {
            Some(masks) => Box::new(masks),
            None if Reach::is_better(set, n) => Box::new(Reach::new(set, n, clock)?),
            None => Box::new(Pull::new(set, n)),
        }),
        (EngineName::Reach, Shape::Subtraction(set)) => Some(Box::new(Reach::new(set, n, clock)?)),
        (EngineName::Reach, Shape::SubtractionFrom(_)) => {
            // All values are needed to the end, a byte each at least: that is known before the set is listed.
            clock.memory(n)?;
            let set = reach::taken(rule, kind, n, clock)?;
            Some(if Reach::is_better(&set, n) {
                Box::new(Reach::new(&set, n, clock)?)
            } else {
                Box::new(Pull::new(&set, n))
            })
        }
        (EngineName::Splits, Shape::TakeAndBreak(code)) => {
            Splits::new(code, clock).map(|engine| Box::new(engine) as Box<dyn Engine>)
        }
        (EngineName::AllBut, Shape::AllBut(set)) => Some(Box::new(AllBut::new(set, n, clock)?)),
        (EngineName::SlidingWindow, Shape::SlidingWindow(window)) => Some(Box::new(Sliding::new(window)?)),
        (EngineName::Window, Shape::Window(window)) => Some(Box::new(TwoEnds::new(window))),
        (EngineName::WindowExcept, Shape::WindowExcept(window)) => Some(Box::new(Except::new(window, n))),
        (EngineName::TakeAndBreak, Shape::TakeAndBreak(code)) => breaking(code, Method::Either, options),
        (EngineName::Dense, Shape::TakeAndBreak(code)) => breaking(code, Method::Dense, options),
        (EngineName::Sparse, Shape::TakeAndBreak(code)) => breaking(code, Method::Sparse, options),
        (EngineName::Runs, Shape::Runs(runs)) => Some(Box::new(OfRuns::new(runs))),
        (EngineName::Graph, Shape::Graph(graph)) => {
            match rule.params.get(graph.edges).map(|param| &param.value) {
                Some(Some(Value::Pairs(pairs))) => {
                    Some(Box::new(Token::new(pairs, graph.reversed, n, clock)?))
                }
                _ => None,
            }
        }
        (EngineName::XorClosure, Shape::XorClosure(closure)) => {
            Closure::new(closure, clock).map(|engine| Box::new(engine) as Box<dyn Engine>)
        }
        _ => None,
    })
}

fn breaking(code: &TakeAndBreak, method: Method, options: &Options) -> Option<Box<dyn Engine>> {
    let cores = options.threads.unwrap_or_else(rayon::current_num_threads);
    let engine = Breaking::new(code, method, options.candidates, cores)?;
    Some(Box::new(engine))
}

/// Takes the values as they are made.
pub trait Reader {
    /// The values of the heaps `first..first + values.len()`.
    ///
    /// # Errors
    /// Whatever the reader finds; it ends the run.
    fn block(&mut self, first: u64, values: Values<'_>) -> Result<(), Error>;
}

/// The values of the heaps `0..len()`, known from before.
pub(crate) trait Past {
    /// How many heaps have values.
    fn len(&self) -> u64;

    /// The values of the heaps `first..first + count`, all below [`Past::len`]; asked for in order.
    ///
    /// # Errors
    /// Whatever keeps it from giving them; it ends the run.
    fn values(&mut self, first: u64, count: usize) -> Result<Values<'_>, Error>;
}

/// The heaps per block: as many as take about this long.
const BLOCK_TIME: Duration = Duration::from_millis(30);
const SMALLEST_BLOCK: usize = 1 << 8;
const LARGEST_BLOCK: usize = 1 << 20;

/// A chosen engine on its way through the heaps `0..=n`.
pub(crate) struct Run {
    name: EngineName,
    engine: Box<dyn Engine>,
    n: u64,
    clock: Clock,
    progress: Option<Arc<AtomicU64>>,
}

impl Run {
    /// Chooses the engine.
    pub(crate) fn new(rule: &Rule, kind: KindId, n: u64, options: &Options) -> Result<Self, Error> {
        Run::of(rule, kind, &mut Shapes::of(rule, kind), n, options)
    }

    /// The same for shapes that are known.
    pub(crate) fn of(
        rule: &Rule,
        kind: KindId,
        shapes: &mut Shapes,
        n: u64,
        options: &Options,
    ) -> Result<Self, Error> {
        let clock = options.limits.clock();
        let wanted = |name: &EngineName| options.engine.is_none_or(|engine| engine == *name);
        let progress = options.progress.clone();
        // The preferred shape is found soonest and nearly always serves.
        let mut engine = None;
        let mut try_shape = |shape: &Shape| {
            for name in of_shape(shape).iter().filter(|name| wanted(name)) {
                if let Some(made) = make(*name, shape, (rule, kind), n, options, &clock)? {
                    engine = Some((*name, made));
                    return Ok::<_, Error>(true);
                }
            }
            Ok(false)
        };
        if !try_shape(shapes.preferred())? {
            for shape in shapes.all(rule) {
                if try_shape(shape)? {
                    break;
                }
            }
        }
        if let Some((name, engine)) = engine {
            return Ok(Run { name, engine, n, clock, progress });
        }
        let name = EngineName::Reference;
        match options.engine {
            Some(other) if other != name => {
                let shapes: Vec<String> = shapes.all(rule).iter().map(ToString::to_string).collect();
                let shapes = if shapes.is_empty() { "of no known shape".into() } else { shapes.join("; ") };
                Err(does_not_fit(other, &format!("the rule is {shapes}")))
            }
            _ => {
                let engine = Box::new(InOrder::new(rule, kind, &options.limits)?);
                Ok(Run { name, engine, n, clock, progress })
            }
        }
    }

    /// Fills a table, or as much of it as the limits allow.
    pub(super) fn table(mut self, kind: Option<&str>) -> Result<SoFar, Error> {
        let count = usize::try_from(self.n).ok().and_then(|n| n.checked_add(1));
        let too_many = || Error::new("memory", format!("{} heaps are more than any memory holds", self.n));
        let count = count.ok_or_else(too_many)?;
        let mut store = Store::new();
        self.clock.memory(count as u64)?;
        store.reserve(count)?;
        let stopped = match self.drive(&mut store, true, None, &mut Ignore) {
            Ok(()) => None,
            Err(error) if error.is_limit() => Some(error),
            Err(error) => return Err(error),
        };
        let dims = [store.len()].into();
        let mut table = Table::new(store, dims, kind, self.name);
        table.observed = self.engine.is_observed();
        Ok(SoFar { table, stopped })
    }

    /// Gives the values to a reader, those of the `past` excepted, and keeps only what the engine needs.
    ///
    /// Engines to which each value costs much are told the past. All others compute it again, at many millions of
    /// values a second, and it is the error `other-values` if the past is not the same.
    pub(crate) fn stream(
        mut self,
        past: Option<&mut dyn Past>,
        reader: &mut dyn Reader,
    ) -> Result<(), Error> {
        let mut store = Store::new();
        self.engine.let_go();
        let keep = self.engine.reads_back();
        self.drive(&mut store, keep, past, reader)
    }

    fn drive(
        &mut self,
        store: &mut Store,
        keep: bool,
        mut past: Option<&mut dyn Past>,
        reader: &mut dyn Reader,
    ) -> Result<(), Error> {
        let known = past.as_ref().map_or(0, |past| past.len());
        let (mut next, mut block) = (0_u64, SMALLEST_BLOCK);
        while next <= self.n {
            // A block lies in the past or after it.
            let rest = if next < known { known - next } else { (self.n - next).saturating_add(1) };
            let more = usize::try_from(rest).map_or(block, |rest| rest.min(block));
            let start = Instant::now();
            let checked =
                self.clock.check().and_then(|()| self.clock.memory(self.engine.bytes() + store.bytes()));
            let so_far = |error: Error| match next.max(known) {
                0 => error,
                heaps if error.is_limit() => error.so_far(format!("the values of heaps 0 to {}", heaps - 1)),
                _ => error,
            };
            checked.map_err(so_far)?;
            match past.as_mut().filter(|_| next < known) {
                Some(past) => self.relive(store, next, past.values(next, more)?).map_err(so_far)?,
                None => {
                    self.engine.fill(store, more).map_err(so_far)?;
                    let len = store.len();
                    reader.block(next, store.values().slice(len - more..len))?;
                }
            }
            if !keep {
                store.clear();
            }
            next += more as u64;
            if let Some(progress) = &self.progress {
                progress.store(next, Ordering::Relaxed);
            }
            let time = start.elapsed();
            if time < BLOCK_TIME / 2 {
                block = (block * 2).min(LARGEST_BLOCK);
            } else if time > BLOCK_TIME * 2 {
                block = (block / 2).max(SMALLEST_BLOCK);
            }
        }
        Ok(())
    }

    /// Brings the engine past values that are known: told where it can learn, else by doing the work again, which
    /// must then give the same.
    fn relive(&mut self, store: &mut Store, first: u64, values: Values<'_>) -> Result<(), Error> {
        if self.engine.learn(values)? {
            return store.append(values);
        }
        self.engine.fill(store, values.len())?;
        let start = store.len() - values.len();
        let again = store.values().slice(start..store.len());
        // Equal widths are compared as bytes; else value by value.
        if again == values || again.iter().eq(values.iter()) {
            return Ok(());
        }
        let wrong = again.iter().zip(values.iter()).position(|(a, b)| a != b).unwrap_or(0);
        let heap = first + wrong as u64;
        Err(Error::new(
            "other-values",
            format!(
                "heap {heap} has the value {} by this rule, and {} was kept for it",
                again.get(wrong),
                values.get(wrong)
            ),
        ))
    }
}

/// Reads nothing.
struct Ignore;

impl Reader for Ignore {
    fn block(&mut self, _first: u64, _values: Values<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// What the tests of all engines share.
#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::nimber::Mex;
    use proptest::test_runner::TestCaseError;

    /// The values of heaps `0..=n` by the definition.
    pub(in super::super) fn naive(n: u64, options: impl Fn(u64) -> Vec<Vec<u64>>) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::new();
        let mut set = Mex::new();
        for heap in 0..=n {
            set.clear();
            for option in options(heap) {
                set.insert(option.iter().fold(0, |sum, part| sum ^ values[usize::try_from(*part).unwrap()]));
            }
            values.push(u32::try_from(set.mex()).unwrap());
        }
        values
    }

    /// Whether an engine gives these values, asked for `cut` at a time.
    pub(in super::super) fn agrees(
        engine: &mut dyn Engine,
        plain: &[u32],
        cut: usize,
    ) -> Result<(), TestCaseError> {
        let mut store = Store::new();
        let mut values = Vec::new();
        while values.len() < plain.len() {
            let more = cut.min(plain.len() - values.len());
            engine.fill(&mut store, more).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let start = if engine.reads_back() { values.len() } else { 0 };
            values.extend(store.values().iter().skip(start));
            if !engine.reads_back() {
                store.clear();
            }
        }
        let wrong = plain.iter().zip(&values).position(|(a, b)| a != b);
        proptest::prop_assert!(wrong.is_none(), "heap {:?}: {values:?} instead of {plain:?}", wrong);
        proptest::prop_assert_eq!(values.len(), plain.len());
        Ok(())
    }

    /// Whether an engine that is told the first `known` values gives these, both `cut` at a time.
    pub(in super::super) fn goes_on(
        engine: &mut dyn Engine,
        plain: &[u32],
        known: usize,
        cut: usize,
    ) -> Result<(), TestCaseError> {
        for values in plain[..known].chunks(cut) {
            let learned = engine.learn(Values::U32(values));
            proptest::prop_assert!(learned.map_err(|error| TestCaseError::fail(error.to_string()))?);
        }
        let (mut store, mut next) = (Store::new(), known);
        while next < plain.len() {
            let more = cut.min(plain.len() - next);
            engine.fill(&mut store, more).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let values: Vec<u32> = store.values().iter().collect();
            proptest::prop_assert_eq!(&values, &plain[next..next + more], "after {} of {}", next, known);
            store.clear();
            next += more;
        }
        Ok(())
    }
}
