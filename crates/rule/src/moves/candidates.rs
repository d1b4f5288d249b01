//! The values that a variable may still take: an interval, the members of a set, divisors, rows of pairs.

use std::sync::Arc;

use crate::bounds::facts::{Facts, within};
use crate::bounds::interval::{Interval, LIMIT};
use crate::eval::{number, set};
use crate::expr::{AtomKind, EvalError, Expr, Int, NamedSet, ParamId, Set, Slot};
use crate::pairs::Pairs;

/// A way to list the candidates of a variable once the expressions in it are known.
#[derive(Clone, Debug)]
pub(crate) enum Generator {
    /// `x in {..}`
    List(Vec<Expr>),
    /// `x in squares`
    Named(NamedSet, Vec<Expr>),
    /// `x in S`
    Param(ParamId),
    /// `x divides e`
    Divides(Expr),
    /// `e divides x`
    Multiple(Expr),
    /// `(x, e) in P`; `true`: `(e, x) in P`.
    Pair(ParamId, bool, Expr),
}

impl Generator {
    /// The generators for `slot` that the atom gives.
    pub(crate) fn of(kind: &AtomKind, slot: Slot) -> Vec<Generator> {
        let this = Expr::Slot(slot);
        match kind {
            AtomKind::In(x, false, set) if *x == this => match set {
                Set::List(all) => vec![Generator::List(all.clone())],
                Set::Named(NamedSet::Naturals, _) | Set::Range(..) => vec![],
                Set::Named(name, args) => vec![Generator::Named(*name, args.clone())],
                Set::Param(id) => vec![Generator::Param(*id)],
            },
            AtomKind::Divides(a, false, b) => match (*a == this, *b == this) {
                (true, false) => vec![Generator::Divides(b.clone())],
                (false, true) => vec![Generator::Multiple(a.clone())],
                _ => vec![],
            },
            AtomKind::PairIn(a, b, false, id) => match (*a == this, *b == this) {
                (true, false) => vec![Generator::Pair(*id, false, b.clone())],
                (false, true) => vec![Generator::Pair(*id, true, a.clone())],
                _ => vec![],
            },
            _ => vec![],
        }
    }

    /// The expressions in it.
    pub(crate) fn expressions(&self) -> &[Expr] {
        match self {
            Generator::List(all) | Generator::Named(_, all) => all,
            Generator::Divides(e) | Generator::Multiple(e) | Generator::Pair(_, _, e) => {
                std::slice::from_ref(e)
            }
            Generator::Param(_) => &[],
        }
    }

    /// The expressions that must be known before it can be used.
    pub(crate) fn needs(&self) -> &[Expr] {
        match self {
            // Without the other side the rows still say which numbers occur on this side.
            Generator::Pair(..) => &[],
            other => other.expressions(),
        }
    }
}

/// Primes found so far, for all searches of a thread.
#[derive(Debug, Default)]
pub(crate) struct Primes {
    all: Vec<u32>,
    limit: u32,
}

impl Primes {
    /// Up to here primes are sieved and kept; beyond, each is tested.
    const MOST: Int = 1 << 24;

    /// The primes up to `hi`, at most [`Primes::MOST`].
    fn up_to(&mut self, hi: Int) -> Option<&[u32]> {
        let hi = u32::try_from(hi).ok().filter(|&hi| Int::from(hi) <= Primes::MOST)?;
        if hi > self.limit {
            let limit = hi.max(1 << 12).next_power_of_two();
            let mut composite = vec![false; limit as usize + 1];
            self.all.clear();
            for n in 2..=limit as usize {
                if !composite[n] {
                    self.all.push(u32::try_from(n).expect("n is at most 2^24"));
                    for multiple in (n * n..=limit as usize).step_by(n) {
                        composite[multiple] = true;
                    }
                }
            }
            self.limit = limit;
        }
        Some(&self.all)
    }

    pub(crate) fn get(&self, i: usize) -> Int {
        self.all.get(i).map_or(0, |&p| Int::from(p))
    }
}

/// Candidates in ascending order.
#[derive(Debug)]
pub(crate) enum Candidates {
    /// `next, next + step, .. <= end`
    Range { next: Int, end: Int, step: Int },
    /// Positions in a list.
    Shared { members: Arc<[Int]>, next: usize, end: usize },
    /// Positions in [`Primes`].
    Primes { next: usize, end: usize },
    /// An endless set as far as `end`.
    Walk { walk: set::Walk, end: Int },
    /// Rows of a set of pairs: the first numbers, each once.
    Firsts { pairs: Arc<Pairs>, turned: bool, next: usize, end: usize },
    /// Rows with the same first number: the others.
    Others { pairs: Arc<Pairs>, turned: bool, next: usize, end: usize },
}

impl Candidates {
    pub(crate) fn range(lo: Int, hi: Int) -> Self {
        Candidates::Range { next: lo, end: hi, step: 1 }
    }

    pub(crate) fn next(&mut self, primes: &Primes) -> Option<Int> {
        match self {
            Candidates::Range { next, end, step } => {
                if *next > *end {
                    return None;
                }
                let now = *next;
                // Ends are far from the limit of 128 bits.
                *next = now + *step;
                Some(now)
            }
            Candidates::Shared { members, next, end } => {
                if *next >= *end {
                    return None;
                }
                *next += 1;
                members.get(*next - 1).copied()
            }
            Candidates::Primes { next, end } => {
                if *next >= *end {
                    return None;
                }
                *next += 1;
                Some(primes.get(*next - 1))
            }
            Candidates::Walk { walk, end } => walk.next().filter(|x| x <= end),
            Candidates::Firsts { pairs, turned, next, end } => {
                if *next >= *end {
                    return None;
                }
                let rows = pairs.side(*turned);
                let now = rows.get(*next)?.0;
                *next += rows.slice(*next, *end).partition_point(|r| r.0 <= now);
                Some(now)
            }
            Candidates::Others { pairs, turned, next, end } => {
                if *next >= *end {
                    return None;
                }
                *next += 1;
                Some(pairs.side(*turned).get(*next - 1)?.1)
            }
        }
    }

    /// How many candidates the source has within `range` (for pairs and primes roughly), and which; `None`: it does
    /// not say (an endless set without an end to the range).
    pub(crate) fn within(
        source: &Source,
        range: Interval,
        primes: &mut Primes,
    ) -> Option<(u128, Candidates)> {
        let Interval { lo, hi } = range;
        match source {
            Source::Members(members) => {
                let next = members.partition_point(|&m| m < lo);
                let end = next + within(members, lo, hi).len();
                Some(((end - next) as u128, Candidates::Shared { members: members.clone(), next, end }))
            }
            Source::Endless(name, base) => endless(*name, *base, lo, hi, primes),
            Source::Step(step) => {
                if !range.is_numeric() {
                    return None;
                }
                let first = number::ceil_div(lo, *step)?.checked_mul(*step)?;
                let count = if first > hi { 0 } else { ((hi - first) / step).unsigned_abs() + 1 };
                Some((count, Candidates::Range { next: first, end: hi, step: *step }))
            }
            Source::Firsts(pairs, turned) => {
                let rows = pairs.side(*turned);
                let next = rows.partition_point(|r| r.0 < lo);
                let end = rows.partition_point(|r| r.0 <= hi).max(next);
                let count = (end - next) as u128;
                Some((count, Candidates::Firsts { turned: *turned, pairs: pairs.clone(), next, end }))
            }
            Source::Others(pairs, turned, known) => {
                let side = pairs.side(*turned);
                let next = side.partition_point(|r| r < (*known, lo));
                let end = side.partition_point(|r| r <= (*known, hi)).max(next);
                let count = (end - next) as u128;
                Some((count, Candidates::Others { turned: *turned, pairs: pairs.clone(), next, end }))
            }
        }
    }
}

/// A generator whose expressions are known: what it can list.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// Ascending, without repeats.
    Members(Arc<[Int]>),
    /// An endless named set.
    Endless(NamedSet, Int),
    /// The multiples of a positive number.
    Step(Int),
    /// The first numbers of the rows.
    Firsts(Arc<Pairs>, bool),
    /// The second numbers of the rows with that first number.
    Others(Arc<Pairs>, bool, Int),
}

impl Source {
    /// The source of a generator; `value` evaluates the expressions it needs. `None`: it gives nothing to go by,
    /// because an expression is open (`value` gives `None`) or has no value, or because everything divides 0.
    pub(crate) fn of(
        generator: &Generator,
        facts: &Facts,
        mut value: impl FnMut(&Expr) -> Option<Result<Int, EvalError>>,
    ) -> Option<Source> {
        let mut all = |exprs: &[Expr]| exprs.iter().map(|e| value(e)?.ok()).collect::<Option<Vec<Int>>>();
        let members = |mut all: Vec<Int>| {
            all.sort_unstable();
            all.dedup();
            Some(Source::Members(all.into()))
        };
        match generator {
            Generator::List(exprs) => members(all(exprs)?),
            Generator::Named(name, args) => {
                let known = all(args)?;
                match set::finite_members(*name, &known).ok()? {
                    Some(found) => members(found),
                    None => Some(Source::Endless(*name, set::base(*name, &known).ok()?)),
                }
            }
            Generator::Param(id) => Some(Source::Members(facts.get(*id)?.members.clone()?)),
            Generator::Divides(e) => match all(std::slice::from_ref(e))?[..] {
                [n] if n != 0 => members(number::divisors(n.unsigned_abs()).ok()?),
                _ => None,
            },
            Generator::Multiple(e) => match all(std::slice::from_ref(e))?[..] {
                [0] => members(vec![0]),
                [n] => n.checked_abs().filter(|&step| step <= LIMIT).map(Source::Step),
                _ => None,
            },
            Generator::Pair(id, turned, other) => {
                let pairs = facts.get(*id)?.pairs.clone()?;
                match value(other) {
                    None => Some(Source::Firsts(pairs, *turned)),
                    Some(known) => Some(Source::Others(pairs, !*turned, known.ok()?)),
                }
            }
        }
    }
}

/// The members of an endless set within `lo..=hi`.
fn endless(name: NamedSet, base: Int, lo: Int, hi: Int, primes: &mut Primes) -> Option<(u128, Candidates)> {
    if !(-LIMIT..=LIMIT).contains(&hi) {
        return None;
    }
    if name == NamedSet::Primes {
        if let Some(all) = primes.up_to(hi) {
            let next = all.partition_point(|&p| Int::from(p) < lo);
            let end = all.partition_point(|&p| Int::from(p) <= hi).max(next);
            return Some(((end - next) as u128, Candidates::Primes { next, end }));
        }
        // Beyond this primality is not decided; the test of the condition says so.
        if hi > 3_000_000_000_000_000_000_000_000 {
            return None;
        }
    }
    let Some(walk) = set::Walk::from(name, base, lo) else { return Some((0, Candidates::range(1, 0))) };
    let count = match name {
        NamedSet::Squares => index_count(lo, hi, 2),
        NamedSet::Cubes => index_count(lo, hi, 3),
        NamedSet::Triangular => {
            // Triangular numbers are as dense as doubled squares.
            index_count(lo.saturating_mul(2), hi.saturating_mul(2), 2)
        }
        // A rough count is enough to choose by: one in 40 numbers of that size is prime.
        NamedSet::Primes => (hi - lo).unsigned_abs() / 40 + 1,
        _ => walk.clone().take_while(|&x| x <= hi).count() as u128,
    };
    Some((count, Candidates::Walk { walk, end: hi }))
}

/// How many k-th powers of positive numbers lie in `lo..=hi`.
fn index_count(lo: Int, hi: Int, k: Int) -> u128 {
    let up_to = |x: Int| if x < 1 { 0 } else { number::root(x, k) };
    (up_to(hi) - up_to(lo.saturating_sub(1))).max(0).unsigned_abs()
}
