//! The pool of witnesses for one automaton: everything that a certificate holds beside it.

use std::collections::BTreeMap;

use grundy_check::Fault;
use grundy_check::automatic::{Conflict, Smaller, conflict, has_runs, number, values};
use grundy_check::budget::{Budget, Limits as CheckLimits};
use grundy_check::certificate::{Automatic, Automaton, Pool};
use grundy_check::dfa;
use grundy_check::product::Product;
use grundy_rule::formula::Form;
use grundy_rule::heap::KindId;

use crate::automaton::inclusion::{Inclusion, Nondeterministic, inclusion};
use crate::automaton::{DEAD, Dfa, State};
use crate::error::Error;
use crate::limits::Clock;

/// What one automaton comes to.
pub(super) enum Verdict {
    /// The data of a certificate.
    Witnessed(Box<Automatic>),
    /// The automaton is wrong for this heap.
    Refuted(u128),
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

/// Looks for the pool of `g`, an automaton of (n, g(n)) or, if `coded`, of (n, 2^g(n)).
pub(super) fn witness(
    forms: &[Form],
    g: &Dfa,
    prefix: Option<&Dfa>,
    coded: bool,
    clock: &Clock,
) -> Result<Verdict, Error> {
    let mut data =
        Automatic { base: g.base(), automaton: written(g), coded, prefix: prefix.map(written), pool: None };
    // Limits of the prover are those of the clock; these only keep the memory within reason.
    let mut budget = Budget::new(CheckLimits { bytes: 6 << 30, steps: u64::MAX });
    let read = || -> Result<_, Fault> {
        let (values, _) = values(&data, 0, 1, &mut budget)?;
        let smaller = Smaller::new(&values, 0, 1, &mut budget)?;
        let product = Product::new(forms, KindId(0), &values, &mut budget)?;
        Ok((values, smaller, product, budget))
    };
    let (values, smaller, product, mut budget) = match read() {
        Ok(read) => read,
        Err(Fault::Limit(why)) => return Err(Error::new("memory", why)),
        Err(fault) => return Ok(Verdict::Unfit(fault.to_string())),
    };
    debug_assert_eq!(values.prefixes[0].is_some(), has_runs(forms) && prefix.is_some());
    let all = smaller_dfa(&smaller.dfa, g.base());
    let mut options = Options {
        product,
        budget: std::mem::replace(&mut budget, Budget::new(CheckLimits::default())),
        clock,
        asked: 0,
    };
    match inclusion(&all, &smaller.project, &mut options, clock)? {
        Inclusion::Fails(word) => return Ok(refuted(&word, g.base())),
        Inclusion::Holds(pool) => data.pool = Some(pool_of(&pool, &options.product)),
    }
    let Options { mut product, mut budget, .. } = options;
    match conflict(&values, &mut product, &mut budget) {
        Ok(Conflict::None { .. }) => Ok(Verdict::Witnessed(Box::new(data))),
        Ok(Conflict::Heap { word }) => Ok(refuted(&word, g.base())),
        Err(fault) => Err(limit(&fault)),
    }
}

fn refuted(word: &[usize], base: u32) -> Verdict {
    number(word, base).map_or_else(
        || Verdict::Unfit("the automaton is wrong for some heap beyond 2^127".to_owned()),
        Verdict::Refuted,
    )
}

/// The same automaton for the search of pools; states keep their numbers.
fn smaller_dfa(from: &dfa::Dfa, base: u32) -> Dfa {
    let states = u32::try_from(from.states()).unwrap_or(DEAD);
    let next = (0..states).flat_map(|s| (0..from.letters).map(move |l| from.step(s, l))).collect();
    Dfa::new(base, 3, next, (0..states).map(|s| from.accepts_at(s)).collect())
        .expect("it was an automaton of three tracks before")
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
