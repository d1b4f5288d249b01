//! R4: an automaton that accepts exactly the pairs (n, g(n)).
//!
//! Let G be an automaton over pairs of naturals and let every play of the rule end. If
//!
//! * **P** G does not care about zeros at the end,
//! * **F** G accepts at most one v for each n, and **T** at least one,
//! * **O2** no option of a heap n has the value v with G(n, v),
//! * **O3** every w < v with G(n, v) is the value of an option of n,
//!
//! where the value of an option is the nim-sum of what G gives to its heaps, then G accepts exactly the pairs of heaps and
//! their Grundy values: by induction along play, which ends, the value of n is the least number that no
//! option has. Each is a question about finite automata (Buchi; Bruyere, Hansel, Michaux and Villemaire 1994), because the options
//! come from the rule as formulas ([`grundy_rule::formula`]) for which there are automata ([`crate::dfa`]).
//!
//! P, F and O2 are searches for a word that should not be there. T and O3 ask whether a nondeterministic automaton
//! accepts all that a deterministic one does; sets of states are followed, smaller ones first kept, and for O3 they are cut
//! down to the *pool* of the certificate. A pool can leave out too much, and then the certificate is refused; it
//! cannot make a false law pass, since what is kept are true runs.

use std::collections::{HashMap, HashSet, VecDeque};

use grundy_rule::Rule;
use grundy_rule::expr::Int;
use grundy_rule::formula;
use grundy_rule::heap::KindId;

use crate::budget::Budget;
use crate::certificate::{Automatic, Automaton, Pool};
use crate::dfa::{DEAD, Dfa, letters};
use crate::product::{Product, Values};
use crate::{Claim, Fault, Obligation, refuse};

/// The automaton that is compared with the options: (entries, v, w) with G(entries, v) and w < v. A state is a state
/// of G and whether the digits of w read so far are below those of v; numbered as reading meets them.
#[derive(Debug)]
pub struct Smaller {
    /// The automaton, without states from which nothing is accepted.
    pub dfa: Dfa,
    /// What the options read for each of its letters: the entries and w.
    pub project: Vec<usize>,
}

impl Smaller {
    /// For a law with these values.
    ///
    /// # Errors
    /// The limits, or too many letters.
    pub fn new(values: &Values, kind: KindId, arity: usize, budget: &mut Budget) -> Result<Smaller, Fault> {
        let base = values.base;
        let g = &values.kinds[usize::from(kind.0)];
        let arity = u32::try_from(arity).unwrap_or(u32::MAX - 2);
        let Some(own) = letters(base, arity) else { return refuse("automaton", "too many letters") };
        // Whether w < v so far; and, if values are coded, how often w had a digit 1 (2: too often or another digit).
        let step = |&(state, less, ones): &(u32, bool, u8), digits: &[i128]| {
            let at = digits.len() - 2;
            let (v, w) = (digits[at], digits[at + 1]);
            let letter = digits[..=at]
                .iter()
                .rev()
                .fold(0, |l, d| l * base as usize + usize::try_from(*d).unwrap_or(0));
            let to = g.step(state, letter);
            let ones = match (values.coded, w) {
                (false, _) => 1,
                (true, 0) => ones,
                (true, 1) if ones == 0 => 1,
                (true, _) => return None,
            };
            (to != DEAD).then_some((to, if w == v { less } else { w < v }, ones))
        };
        let start = (0, false, u8::from(!values.coded));
        let ends = |&(state, less, ones): &(u32, bool, u8)| g.accepts_at(state) && less && ones == 1;
        let dfa = Dfa::explore((base, arity + 2), start, step, ends, budget)?.trimmed();
        let b = base as usize;
        let project = (0..dfa.letters).map(|l| l % own + l / (own * b) * own).collect();
        Ok(Smaller { dfa, project })
    }
}

/// What a certificate gives for one kind.
#[derive(Clone, Copy)]
struct Given<'a> {
    automaton: &'a Automaton,
    prefix: Option<&'a Automaton>,
    pool: Option<&'a Pool>,
}

/// For each kind of the rule what the certificate gives for it: exactly one automaton.
fn given<'a>(data: &'a Automatic, kind: KindId, rule: &Rule) -> Result<Vec<Given<'a>>, Fault> {
    let mut all = vec![None; rule.kinds.len()];
    let own = Given { automaton: &data.automaton, prefix: data.prefix.as_ref(), pool: data.pool.as_ref() };
    all[usize::from(kind.0)] = Some(own);
    for other in &data.others {
        let place = rule.kind(other.kind.as_deref(), other.entries).map(|kind| &mut all[usize::from(kind.0)]);
        let Some(place @ None) = place else {
            return refuse("automaton", "an automaton for a kind that the rule has not, or a second one");
        };
        let (prefix, pool) = (other.prefix.as_ref(), other.pool.as_ref());
        *place = Some(Given { automaton: &other.automaton, prefix, pool });
    }
    let all: Option<Vec<Given>> = all.into_iter().collect();
    all.map_or_else(|| refuse("automaton", "each kind of heap in the rule needs one"), Ok)
}

/// The values that a certificate gives, with the obligations about them alone.
///
/// # Errors
/// What does not hold, or the limits.
pub fn values(
    data: &Automatic,
    kind: KindId,
    rule: &Rule,
    budget: &mut Budget,
) -> Result<(Values, Vec<Obligation>), Fault> {
    if !(2..=10).contains(&data.base) {
        return refuse("base", format!("{} is no base from 2 to 10", data.base));
    }
    let base = data.base;
    let mut shown = Vec::new();
    let mut values = Values { base, kinds: Vec::new(), prefixes: Vec::new(), coded: data.coded };
    for (given, kind) in given(data, kind, rule)?.into_iter().zip(&rule.kinds) {
        let of = kind.name.as_ref().map_or_else(String::new, |name| format!(" of {name}"));
        let tracks = u32::try_from(kind.arity).unwrap_or(u32::MAX).saturating_add(1);
        let g = Dfa::read(given.automaton, base, tracks, budget)?;
        let g = function(&g, base, &format!("the value{of}"), &mut shown, budget)?;
        let prefix = match given.prefix {
            Some(_) if kind.arity != 1 => return refuse("prefix", "runs are of heaps with one entry"),
            Some(prefix) => {
                let x = Dfa::read(prefix, base, 2, budget)?;
                let x = function(&x, base, &format!("the nim-sum of values{of}"), &mut shown, budget)?;
                sums(&g, &x, base, &mut shown, budget)?;
                Some(x)
            }
            None => None,
        };
        if data.coded {
            powers(&g, base, &mut shown, budget)?;
        }
        values.kinds.push(g);
        values.prefixes.push(prefix);
    }
    Ok((values, shown))
}

/// Settles the proof; the law itself is compared with the automaton elsewhere.
///
/// # Errors
/// What does not hold, or the limits.
pub(crate) fn automatic(
    claim: &Claim,
    data: &Automatic,
    budget: &mut Budget,
) -> Result<(Values, Vec<Obligation>), Fault> {
    let rule = &claim.rule;
    let forms = match formula::forms(rule) {
        Ok(forms) => forms,
        Err(unfit) => return refuse("formula", unfit.reason),
    };
    if claim.first != 0 {
        return refuse("first", "an automaton speaks about all heaps from 0 on");
    }
    let (values, mut shown) = values(data, claim.kind, rule, budget)?;
    shown.push(Obligation::new("formula", "the ways to move, as formulas", forms.len() as u64));
    for (at, given) in given(data, claim.kind, rule)?.into_iter().enumerate() {
        let kind = KindId(u16::try_from(at).unwrap_or(u16::MAX));
        let mut options = Product::new(&forms, (kind, rule.kinds[at].arity), &values, budget)?;
        let before = shown.len();
        no_option_has_the_value(&values, &mut options, &mut shown, budget)?;
        every_smaller_value(&values, &mut options, given.pool, &mut shown, budget)?;
        if let (Some(name), true) = (&rule.kinds[at].name, rule.kinds.len() > 1) {
            shown[before..].iter_mut().for_each(|done| done.says = format!("{name}: {}", done.says));
        }
    }
    Ok((values, shown))
}

/// P, F and T for an automaton over (n, v), or several entries in place of n; trimmed.
fn function(
    g: &Dfa,
    base: u32,
    what: &str,
    shown: &mut Vec<Obligation>,
    budget: &mut Budget,
) -> Result<Dfa, Fault> {
    // Letters of n, then digits of v.
    let b = base as usize;
    let own = g.letters / b;
    if !g.ignores_padding() {
        return refuse("P", format!("the automaton of {what} cares about zeros at the end"));
    }
    let size = g.states() as u64;
    shown.push(Obligation::new("P", format!("the automaton of {what} ignores zeros at the end"), size));
    let g = g.clone().trimmed();
    // F: two runs with the same n, of which v has differed or not.
    let mut met = HashSet::from([(0_u32, 0_u32, false)]);
    let mut queue = vec![(0_u32, 0_u32, false)];
    while let Some((one, other, differ)) = queue.pop() {
        budget.spend((own * b * b) as u64)?;
        if differ && g.accepts_at(one) && g.accepts_at(other) {
            return refuse("F", format!("the automaton of {what} accepts two values for one heap"));
        }
        for n in 0..own {
            for (v, w) in (0..b * b).map(|x| (x % b, x / b)) {
                let to = (g.step(one, n + own * v), g.step(other, n + own * w), differ || v != w);
                if to.0 != DEAD && to.1 != DEAD && met.insert(to) {
                    budget.hold(24)?;
                    queue.push(to);
                }
            }
        }
    }
    shown.push(Obligation::new("F", format!("{what} is one at most"), met.len() as u64));
    // T: all heaps, digit by digit; a value may have more digits than its heap.
    let mut ends: Vec<bool> = g.numbers().map(|s| g.accepts_at(s)).collect();
    loop {
        let before = ends.clone();
        for (state, ends) in g.numbers().zip(&mut ends) {
            *ends |= (0..b).any(|v| {
                let to = g.step(state, own * v);
                to != DEAD && before[to as usize]
            });
        }
        if ends == before {
            break;
        }
    }
    let mut met: HashSet<Vec<u32>> = HashSet::from([vec![0]]);
    let mut queue = vec![vec![0]];
    while let Some(set) = queue.pop() {
        if !set.iter().any(|s: &u32| ends[*s as usize]) {
            return refuse("T", format!("the automaton of {what} accepts no value for some heap"));
        }
        for n in 0..own {
            budget.spend((set.len() * b) as u64)?;
            let mut to: Vec<u32> = set
                .iter()
                .flat_map(|s| (0..b).map(|v| g.step(*s, n + own * v)))
                .filter(|s| *s != DEAD)
                .collect();
            to.sort_unstable();
            to.dedup();
            if !met.contains(&to) {
                budget.hold((to.len() * 8 + 64) as u64)?;
                met.insert(to.clone());
                queue.push(to);
            }
        }
    }
    shown.push(Obligation::new("T", format!("{what} is one at least"), met.len() as u64));
    Ok(g)
}

/// X(0) = 0 and X(n + 1) = X(n) xor g(n).
fn sums(g: &Dfa, x: &Dfa, base: u32, shown: &mut Vec<Obligation>, budget: &mut Budget) -> Result<(), Fault> {
    let b = base as usize;
    if !base.is_power_of_two() {
        return refuse("prefix", "nim-sums have an automaton in bases 2, 4, 8 only");
    }
    if !x.accepts_at(0) {
        return refuse("prefix", "the nim-sum of no values is not 0");
    }
    // Runs of X on (n, p), of X on (n + 1, q), of G on (n, v); whether 1 is still carried, whether q was p xor v.
    let start = (0_u32, 0_u32, 0_u32, true, true);
    let mut met = HashSet::from([start]);
    let mut queue = vec![start];
    while let Some((now, after, value, carry, equal)) = queue.pop() {
        if !carry && !equal && x.accepts_at(now) && x.accepts_at(after) && g.accepts_at(value) {
            return refuse("prefix", "X(n + 1) = X(n) xor g(n) fails for some n");
        }
        budget.spend((b * b * b * b) as u64)?;
        for n in 0..b {
            let next = n + usize::from(carry);
            let (digit, carried) = (next % b, next >= b);
            for p in 0..b {
                let now = x.step(now, n + b * p);
                if now == DEAD {
                    continue;
                }
                for (q, v) in (0..b * b).map(|both| (both % b, both / b)) {
                    let to = (
                        now,
                        x.step(after, digit + b * q),
                        g.step(value, n + b * v),
                        carried,
                        equal && q == p ^ v,
                    );
                    if to.1 != DEAD && to.2 != DEAD && met.insert(to) {
                        budget.hold(32)?;
                        queue.push(to);
                    }
                }
            }
        }
    }
    shown.push(Obligation::new("prefix", "X(n + 1) = X(n) xor g(n), X(0) = 0", met.len() as u64));
    Ok(())
}

/// Coded values are powers of the base.
fn powers(g: &Dfa, base: u32, shown: &mut Vec<Obligation>, budget: &mut Budget) -> Result<(), Fault> {
    let b = base as usize;
    let mut met = HashSet::from([(0_u32, 0_u8)]);
    let mut queue = vec![(0_u32, 0_u8)];
    while let Some((state, ones)) = queue.pop() {
        if g.accepts_at(state) && ones != 1 {
            return refuse("coded", "a coded value is no power of the base");
        }
        budget.spend(g.letters as u64)?;
        for letter in 0..g.letters {
            let digit = letter / (g.letters / b);
            let digit = if digit > 1 { 2 } else { u8::from(digit == 1) };
            let to = (g.step(state, letter), (ones + digit).min(2));
            if to.0 != DEAD && met.insert(to) {
                budget.hold(16)?;
                queue.push(to);
            }
        }
    }
    shown.push(Obligation::new("coded", "coded values are powers of the base", met.len() as u64));
    Ok(())
}

/// O2.
fn no_option_has_the_value(
    values: &Values,
    options: &mut Product,
    shown: &mut Vec<Obligation>,
    budget: &mut Budget,
) -> Result<(), Fault> {
    match conflict(values, options, budget)? {
        Conflict::None { met } => {
            shown.push(Obligation::new("O2", "no option has the value of its heap", met));
            Ok(())
        }
        Conflict::Heap { word } => {
            let heap = heap(&word, values.base, options.arity());
            let heap = heap.map_or_else(String::new, |entries| format!(" {entries:?}"));
            refuse("O2", format!("the heap{heap} has an option of its own value"))
        }
    }
}

/// Whether some heap has an option of its own value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// No; so many pairs of states were met.
    None {
        /// How many.
        met: u64,
    },
    /// This heap, as letters over (n, v).
    Heap {
        /// The letters.
        word: Vec<usize>,
    },
}

/// Looks for a run of G on (n, v) beside a run of the options on (n, v).
///
/// # Errors
/// The limits.
pub fn conflict(values: &Values, options: &mut Product, budget: &mut Budget) -> Result<Conflict, Fault> {
    let g = &values.kinds[usize::from(options.kind().0)];
    let mut met = HashSet::from([(0_u32, 0_u32)]);
    // The pairs in the order met; for each the place of the one before and the letter between.
    let mut queue = vec![(0_u32, 0_u32, 0_usize, 0_usize)];
    let mut at = 0;
    while let Some(&(state, option, ..)) = queue.get(at) {
        if g.accepts_at(state) && options.accepts_at(option, budget)? {
            let mut word = Vec::new();
            let mut place = at;
            while place != 0 {
                word.push(queue[place].3);
                place = queue[place].2;
            }
            word.reverse();
            return Ok(Conflict::Heap { word });
        }
        for letter in 0..g.letters {
            let to = g.step(state, letter);
            if to == DEAD {
                continue;
            }
            for &next in options.successors(option, letter, budget)? {
                if met.insert((to, next)) {
                    queue.push((to, next, at, letter));
                }
            }
        }
        at += 1;
        if at.is_multiple_of(1024) {
            budget.hold(1024 * 64)?;
        }
    }
    Ok(Conflict::None { met: met.len() as u64 })
}

/// The entries of the heap that a word speaks about, if they are below 2^127; letters hold their digits first.
#[must_use]
pub fn heap(word: &[usize], base: u32, arity: usize) -> Option<Vec<Int>> {
    let base = base as usize;
    let mut entries = vec![0; arity];
    for letter in word.iter().rev() {
        let mut rest = *letter;
        for entry in &mut entries {
            *entry = Int::checked_mul(*entry, base as Int)?.checked_add((rest % base) as Int)?;
            rest /= base;
        }
    }
    Some(entries)
}

/// O3: every (n, v, w) with G(n, v) and w < v has an option of value w.
fn every_smaller_value(
    values: &Values,
    options: &mut Product,
    pool: Option<&Pool>,
    shown: &mut Vec<Obligation>,
    budget: &mut Budget,
) -> Result<(), Fault> {
    let smaller = Smaller::new(values, options.kind(), options.arity(), budget)?;
    let all = &smaller.dfa;
    let allowed = pool.map(|pool| shelves(pool, all.states(), options, budget)).transpose()?;
    let is_allowed = |state: u32, option: u32| {
        allowed.as_ref().is_none_or(|shelves: &Vec<HashSet<u32>>| shelves[state as usize].contains(&option))
    };
    let mut smallest: HashMap<u32, Vec<Vec<u32>>> = HashMap::new();
    let mut queue = VecDeque::from([(0_u32, vec![0_u32])]);
    let mut sets: u64 = 0;
    while let Some((state, set)) = queue.pop_front() {
        sets += 1;
        if all.accepts_at(state) {
            let mut ends = false;
            for &option in &set {
                ends |= options.accepts_at(option, budget)?;
            }
            if !ends {
                return refuse("O3", "for some heap a smaller value is not shown to be that of an option");
            }
        }
        for letter in 0..all.letters {
            let to = all.step(state, letter);
            if to == DEAD {
                continue;
            }
            let mut next = Vec::new();
            for &option in &set {
                let reached = options.successors(option, smaller.project[letter], budget)?;
                budget.spend(reached.len() as u64)?;
                next.extend(reached.iter().copied().filter(|option| is_allowed(to, *option)));
            }
            next.sort_unstable();
            next.dedup();
            let known = smallest.entry(to).or_default();
            budget.spend(known.len() as u64)?;
            if known.iter().any(|less| within(less, &next)) {
                continue;
            }
            known.retain(|more| !within(&next, more));
            budget.hold((next.len() * 8 + 64) as u64)?;
            known.push(next.clone());
            queue.push_back((to, next));
        }
    }
    shown.push(Obligation::new("O3", "every smaller value is that of an option", sets));
    Ok(())
}

/// For each state the options that the pool allows beside it.
fn shelves(
    pool: &Pool,
    states: usize,
    options: &mut Product,
    budget: &mut Budget,
) -> Result<Vec<HashSet<u32>>, Fault> {
    let mut known = Vec::with_capacity(pool.states.len());
    for written in &pool.states {
        known.push(options.read(written, budget)?);
    }
    let mut shelves = vec![HashSet::new(); states];
    for row in &pool.allowed {
        let [state, beside @ ..] = row.as_slice() else { return refuse("pool", "a row without a state") };
        let Some(shelf) = shelves.get_mut(*state as usize) else {
            return refuse("pool", format!("there is no state {state} of the heap"));
        };
        budget.hold(beside.len() as u64 * 16)?;
        for &option in beside {
            match known.get(option as usize) {
                Some(&option) => shelf.insert(option),
                None => return refuse("pool", format!("there is no state {option} of the options")),
            };
        }
    }
    Ok(shelves)
}

/// Whether each member of the one, ascending, is one of the other.
fn within(less: &[u32], more: &[u32]) -> bool {
    let mut rest = more.iter();
    less.len() <= more.len() && less.iter().all(|member| rest.by_ref().any(|other| other == member))
}
