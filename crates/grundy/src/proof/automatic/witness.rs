//! The pool of witnesses for one automaton: everything that a certificate holds beside it.

use std::collections::BTreeMap;

use grundy_check::Fault;
use grundy_check::automatic::{Conflict, Smaller, conflict, heap, values};
use grundy_check::budget::{Budget, Limits as CheckLimits};
use grundy_check::certificate::{Automatic, Automaton, Other, Pool};
use grundy_check::dfa;
use grundy_check::product::{Product, Values};
use grundy_rule::Rule;
use grundy_rule::formula::Form;
use grundy_rule::heap::{Heap, KindId};

use crate::automaton::inclusion::{Inclusion, Nondeterministic, inclusion};
use crate::automaton::{DEAD, Dfa, State};
use crate::error::Error;
use crate::limits::Clock;

/// What one automaton comes to.
pub(super) enum Verdict {
    /// The data of a certificate.
    Witnessed(Box<Automatic>),
    /// The automaton is wrong for this heap.
    Refuted(Heap),
    /// It is wrong, or nothing that can be shown; why.
    Unfit(String),
}

/// The options as an automaton that is read through the letters of the automaton they are compared with.
struct Options<'a> {
    product: Product,
    budget: Budget,
    clock: &'a Clock,
    asked: u32,
}

impl Options<'_> {
    fn tick(&mut self) -> Result<(), Error> {
        self.asked += 1;
        if self.asked.is_multiple_of(256) { self.clock.check() } else { Ok(()) }
    }
}

impl Nondeterministic for Options<'_> {
    fn start(&self) -> State {
        0
    }
    fn letters(&self) -> usize {
        self.product.letters()
    }
    fn successors(&mut self, state: State, letter: usize) -> Result<Vec<State>, Error> {
        self.tick()?;
        let found =
            self.product.successors(state, letter, &mut self.budget).map_err(|fault| limit(&fault))?;
        Ok(found.to_vec())
    }
    fn accepting(&mut self, state: State) -> Result<bool, Error> {
        self.tick()?;
        self.product.accepts_at(state, &mut self.budget).map_err(|fault| limit(&fault))
    }
}

fn limit(fault: &Fault) -> Error {
    Error::new("memory", fault.to_string())
}

/// An automaton as certificates write it.
pub(super) fn written(automaton: &Dfa) -> Automaton {
    let states = 0..State::try_from(automaton.states()).unwrap_or(DEAD);
    let row = |state: State| {
        (0..automaton.letters())
            .map(|letter| match automaton.step(state, letter) {
                DEAD => -1,
                to => i64::from(to),
            })
            .collect()
    };
    Automaton {
        next: states.clone().map(row).collect(),
        accepting: states.filter(|s| automaton.accepting(*s)).map(u64::from).collect(),
    }
}

/// What is guessed for one kind of heap: the automaton of (entries, value), and, where moves leave runs of such heaps, that
/// of the nim-sums.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Guess {
    pub(super) g: Dfa,
    pub(super) prefix: Option<Dfa>,
}

/// Looks for the pools of these guesses, one for each kind of the rule, for a law about `kind`; with `coded` the values are
/// powers of the base.
pub(super) fn witness(
    (rule, kind): (&Rule, KindId),
    forms: &[Form],
    guesses: &[Guess],
    coded: bool,
    clock: &Clock,
) -> Result<Verdict, Error> {
    let base = guesses[usize::from(kind.0)].g.base();
    let mut others: Vec<Other> = Vec::new();
    for (of, guess) in rule.kinds.iter().zip(guesses) {
        others.push(Other {
            kind: of.name.clone(),
            entries: of.arity,
            automaton: written(&guess.g),
            prefix: guess.prefix.as_ref().map(written),
            pool: None,
        });
    }
    let Other { automaton, prefix, .. } = others.remove(usize::from(kind.0));
    let mut data = Automatic { base, automaton, coded, prefix, pool: None, others };
    // The memory is kept within reason, and the time is that of the clock.
    let mut budget = Budget::new(CheckLimits { bytes: 6 << 30, steps: u64::MAX, until: clock.end() });
    let values = match values(&data, kind, rule, &mut budget) {
        Ok((values, _)) => values,
        Err(Fault::Limit(why)) => return Err(Error::new("memory", why)),
        Err(fault) => return Ok(Verdict::Unfit(fault.to_string())),
    };
    let mut pools = Vec::new();
    for (at, of) in rule.kinds.iter().enumerate() {
        let own = KindId(u16::try_from(at).expect("a rule has fewer than 2^16 kinds"));
        match pool((own, of.arity), forms, &values, budget, clock)? {
            Pooled::Holds(pool, left) => {
                pools.push(pool);
                budget = left;
            }
            Pooled::Fails(word) => {
                return Ok(match heap(&word, base, of.arity) {
                    Some(entries) => Verdict::Refuted(Heap::new(own, &entries)),
                    None => Verdict::Unfit("the automaton is wrong for some heap beyond 2^127".to_owned()),
                });
            }
            Pooled::Unfit(why) => return Ok(Verdict::Unfit(why)),
        }
    }
    data.pool = Some(pools.remove(usize::from(kind.0)));
    for (other, pool) in data.others.iter_mut().zip(pools) {
        other.pool = Some(pool);
    }
    Ok(Verdict::Witnessed(Box::new(data)))
}

/// What comes of one kind.
enum Pooled {
    /// Its pool, and what is left of the budget.
    Holds(Pool, Budget),
    /// The values are wrong for the heap of which this word speaks.
    Fails(Vec<usize>),
    /// Nothing can be shown; why.
    Unfit(String),
}

fn pool(
    (kind, arity): (KindId, usize),
    forms: &[Form],
    values: &Values,
    mut budget: Budget,
    clock: &Clock,
) -> Result<Pooled, Error> {
    let mut read = || -> Result<_, Fault> {
        let smaller = Smaller::new(values, kind, arity, &mut budget)?;
        Ok((smaller, Product::new(forms, (kind, arity), values, &mut budget)?))
    };
    let (smaller, product) = match read() {
        Ok(read) => read,
        Err(Fault::Limit(why)) => return Err(Error::new("memory", why)),
        Err(fault) => return Ok(Pooled::Unfit(fault.to_string())),
    };
    let all = smaller_dfa(&smaller.dfa, values.base, arity);
    let mut options = Options { product, budget, clock, asked: 0 };
    let pool = match inclusion(&all, &smaller.project, &mut options, clock)? {
        Inclusion::Fails(word) => return Ok(Pooled::Fails(word)),
        Inclusion::Holds(pool) => pool_of(&pool, &options.product),
    };
    let Options { mut product, mut budget, .. } = options;
    match conflict(values, &mut product, &mut budget) {
        Ok(Conflict::None { .. }) => Ok(Pooled::Holds(pool, budget)),
        Ok(Conflict::Heap { word }) => Ok(Pooled::Fails(word)),
        Err(fault) => Err(limit(&fault)),
    }
}

/// The same automaton for the search of pools; states keep their numbers.
fn smaller_dfa(from: &dfa::Dfa, base: u32, arity: usize) -> Dfa {
    let tracks = u32::try_from(arity).unwrap_or(u32::MAX - 2) + 2;
    let states = u32::try_from(from.states()).unwrap_or(DEAD);
    let next = (0..states).flat_map(|s| (0..from.letters).map(move |l| from.step(s, l))).collect();
    Dfa::new(base, tracks, next, (0..states).map(|s| from.accepts_at(s)).collect())
        .expect("it was an automaton of so many tracks before")
}

fn pool_of(pairs: &[(State, State)], options: &Product) -> Pool {
    let mut number: BTreeMap<State, u32> = BTreeMap::new();
    let mut states = Vec::new();
    let mut allowed: Vec<Vec<u32>> = Vec::new();
    for &(state, option) in pairs {
        let fresh = u32::try_from(states.len()).unwrap_or(DEAD);
        let option = *number.entry(option).or_insert_with(|| {
            states.push(options.written(option).to_vec());
            fresh
        });
        match allowed.last_mut() {
            Some(row) if row[0] == state => row.push(option),
            _ => allowed.push(vec![state, option]),
        }
    }
    Pool { states, allowed }
}
