//! Deterministic automata over tuples of naturals, digits least significant first, as dense tables.
//!
//! Every condition of a rule becomes one, by walking through all that can be left to say after some digits: a carry for
//! a linear condition, a remainder for a congruence, what is left of the rows for a table. States are numbered in the
//! order in which that walk meets them, letters counting upwards, so that a certificate can name them.

use std::collections::HashMap;
use std::hash::Hash;

use grundy_rule::expr::Int;
use grundy_rule::formula::{Bits, Condition, Linear};

use crate::Fault;
use crate::budget::Budget;
use crate::certificate::Automaton;
use crate::refuse;

/// No state: everything that starts here is refused.
pub const DEAD: u32 = u32::MAX;

/// Most letters that an automaton may have.
const MOST_LETTERS: usize = 1 << 12;

/// A deterministic automaton; state 0 begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dfa {
    /// The letters: one digit of each number, packed as d0 + d1*base + d2*base^2 + ...
    pub letters: usize,
    next: Vec<u32>,
    accepting: Vec<bool>,
}

impl Dfa {
    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// The states.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        0..u32::try_from(self.states()).unwrap_or(DEAD)
    }

    /// Where the letter leads.
    #[must_use]
    pub fn step(&self, state: u32, letter: usize) -> u32 {
        if state == DEAD { DEAD } else { self.next[state as usize * self.letters + letter] }
    }

    /// Whether a word may end here.
    #[must_use]
    pub fn accepts_at(&self, state: u32) -> bool {
        state != DEAD && self.accepting[state as usize]
    }

    /// Whether zeros at the end never change the verdict.
    #[must_use]
    pub fn ignores_padding(&self) -> bool {
        (0..)
            .zip(&self.accepting)
            .all(|(state, accepting)| *accepting == self.accepts_at(self.step(state, 0)))
    }

    /// The automaton in a certificate, over `tracks` numbers.
    ///
    /// # Errors
    /// A table that does not fit.
    pub fn read(given: &Automaton, base: u32, tracks: u32, budget: &mut Budget) -> Result<Dfa, Fault> {
        let Some(letters) = letters(base, tracks) else {
            return refuse("automaton", "too many letters");
        };
        let states = given.next.len();
        if states == 0 || states >= DEAD as usize || given.next.iter().any(|row| row.len() != letters) {
            return refuse("automaton", format!("each state needs one row of {letters} numbers"));
        }
        budget.hold((states * letters * 4) as u64)?;
        let mut next = Vec::with_capacity(states * letters);
        for &to in given.next.iter().flatten() {
            match u32::try_from(to) {
                Ok(to) if (to as usize) < states => next.push(to),
                _ if to == -1 => next.push(DEAD),
                _ => return refuse("automaton", format!("there is no state {to}")),
            }
        }
        let mut accepting = vec![false; states];
        for &state in &given.accepting {
            match usize::try_from(state).ok().and_then(|s| accepting.get_mut(s)) {
                Some(accepts) => *accepts = true,
                None => return refuse("automaton", format!("there is no state {state}")),
            }
        }
        Ok(Dfa { letters, next, accepting })
    }

    /// The automaton of all that `step` can lead to.
    ///
    /// # Errors
    /// The limits.
    pub fn explore<S: Clone + Eq + Hash>(
        (base, tracks): (u32, u32),
        start: S,
        mut step: impl FnMut(&S, &[Int]) -> Option<S>,
        accepts: impl Fn(&S) -> bool,
        budget: &mut Budget,
    ) -> Result<Dfa, Fault> {
        let Some(letters) = letters(base, tracks) else {
            return refuse("formula", "a condition speaks about too many numbers at once");
        };
        let mut digits = vec![0; tracks as usize];
        let by_letter = |state: &S, letter: usize| {
            split(letter, base, &mut digits);
            step(state, &digits)
        };
        Dfa::explore_letters(letters, start, by_letter, accepts, budget)
    }

    fn explore_letters<S: Clone + Eq + Hash>(
        letters: usize,
        start: S,
        mut step: impl FnMut(&S, usize) -> Option<S>,
        accepts: impl Fn(&S) -> bool,
        budget: &mut Budget,
    ) -> Result<Dfa, Fault> {
        let mut number: HashMap<S, u32> = HashMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut next = Vec::new();
        while next.len() < states.len() * letters {
            let state = states[next.len() / letters].clone();
            budget.hold((letters * 4) as u64)?;
            budget.spend(letters as u64)?;
            for letter in 0..letters {
                let to = match step(&state, letter) {
                    None => DEAD,
                    Some(to) => {
                        let fresh = u32::try_from(states.len()).unwrap_or(DEAD);
                        *number.entry(to.clone()).or_insert_with(|| {
                            states.push(to);
                            fresh
                        })
                    }
                };
                next.push(to);
            }
        }
        let accepting = states.iter().map(accepts).collect();
        Ok(Dfa { letters, next, accepting })
    }

    /// The automaton of a condition: its unknowns, ascending, and the automaton over them.
    ///
    /// # Errors
    /// A condition that has none in this base, or the limits.
    pub fn condition(
        condition: &Condition,
        base: u32,
        budget: &mut Budget,
    ) -> Result<(Vec<usize>, Dfa), Fault> {
        let b = Int::from(base);
        match condition {
            Condition::Zero(form) => {
                let step = |carry: &Int, digits: &[Int]| {
                    let sum = add(*carry, form, digits)?;
                    (sum.rem_euclid(b) == 0).then(|| sum.div_euclid(b))
                };
                linear(form, base, form.constant, step, |carry| *carry == 0, budget)
            }
            Condition::AtLeastZero(form) => {
                let step = |carry: &Int, digits: &[Int]| Some(add(*carry, form, digits)?.div_euclid(b));
                linear(form, base, form.constant, step, |carry| *carry >= 0, budget)
            }
            Condition::Divisible { form, modulus, holds } => {
                let (m, holds) = (*modulus, *holds);
                if m > 1 << 20 {
                    return refuse("formula", format!("a congruence modulo {m}"));
                }
                // What the digits read so far come to, and the weight of the next ones.
                let step = |state: &(Int, Int), digits: &[Int]| {
                    let more = add(0, form, digits)?.rem_euclid(m);
                    Some(((state.0 + state.1 * more).rem_euclid(m), (state.1 * b).rem_euclid(m)))
                };
                let start = (form.constant.rem_euclid(m), 1 % m);
                linear(form, base, start, step, |state| (state.0 == 0) == holds, budget)
            }
            Condition::Power { base: of, unknown, holds } => power(*of, *unknown, *holds, base, budget),
            Condition::Among { unknowns, rows, holds } => {
                // What is left of the rows that agree so far.
                let step = |left: &Vec<Vec<Int>>, digits: &[Int]| {
                    let agree = |row: &&Vec<Int>| row.iter().zip(digits).all(|(n, d)| n.rem_euclid(b) == *d);
                    let rest: Vec<Vec<Int>> = left
                        .iter()
                        .filter(agree)
                        .map(|row| row.iter().map(|n| n.div_euclid(b)).collect())
                        .collect();
                    (!*holds || !rest.is_empty()).then_some(rest)
                };
                let ends =
                    |left: &Vec<Vec<Int>>| left.iter().any(|row| row.iter().all(|n| *n == 0)) == *holds;
                // Each row is kept once for each of its digits at most, and once more at the end of each.
                let digits = rows.iter().flatten().map(|n| u64::from(128 - n.leading_zeros())).max();
                let row = 48 + 16 * unknowns.len() as u64;
                let all = (rows.len() as u64).checked_mul(row * (digits.unwrap_or(0) + 2));
                budget.spend(all.unwrap_or(u64::MAX))?;
                budget.hold(all.unwrap_or(u64::MAX))?;
                let dfa = Dfa::explore((base, count(unknowns)), rows.clone(), step, ends, budget)?;
                Ok((unknowns.clone(), dfa))
            }
            Condition::Bits { op, left, right, result } => {
                if !base.is_power_of_two() {
                    return refuse("formula", format!("bits have no automaton in base {base}"));
                }
                let step = |(): &(), digits: &[Int]| {
                    let joined = match op {
                        Bits::Xor => digits[0] ^ digits[1],
                        Bits::And => digits[0] & digits[1],
                        Bits::Or => digits[0] | digits[1],
                    };
                    (joined == digits[2]).then_some(())
                };
                let dfa = Dfa::explore((base, 3), (), step, |()| true, budget)?;
                Ok((vec![*left, *right, *result], dfa))
            }
        }
    }

    /// What both accept, where `other` reads the first of the numbers only.
    ///
    /// # Errors
    /// The limits.
    pub fn and_of_first(&self, other: &Dfa, budget: &mut Budget) -> Result<Dfa, Fault> {
        let step = |&(a, b): &(u32, u32), letter: usize| {
            let to = (self.step(a, letter), other.step(b, letter % other.letters));
            (to.0 != DEAD && to.1 != DEAD).then_some(to)
        };
        let accepts = |&(a, b): &(u32, u32)| self.accepts_at(a) && other.accepts_at(b);
        Dfa::explore_letters(self.letters, (0, 0), step, accepts, budget)
    }

    /// The same language without states from which nothing is accepted.
    #[must_use]
    pub fn trimmed(mut self) -> Dfa {
        let mut useful = self.accepting.clone();
        loop {
            let mut changed = false;
            for state in 0..self.states() {
                let row = &self.next[state * self.letters..(state + 1) * self.letters];
                if !useful[state] && row.iter().any(|&to| to != DEAD && useful[to as usize]) {
                    useful[state] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for to in &mut self.next {
            if *to != DEAD && !useful[*to as usize] {
                *to = DEAD;
            }
        }
        self
    }
}

/// The number of letters over so many tracks.
#[must_use]
pub fn letters(base: u32, tracks: u32) -> Option<usize> {
    (base as usize).checked_pow(tracks).filter(|&letters| letters <= MOST_LETTERS)
}

/// The digits of a letter.
pub fn split(letter: usize, base: u32, digits: &mut [Int]) {
    let mut rest = letter;
    for digit in digits {
        *digit = (rest % base as usize) as Int;
        rest /= base as usize;
    }
}

fn count<T>(all: &[T]) -> u32 {
    u32::try_from(all.len()).unwrap_or(u32::MAX)
}

/// `carry + sum of coefficient * digit`, the digits in the order of the terms.
fn add(carry: Int, form: &Linear, digits: &[Int]) -> Option<Int> {
    form.terms()
        .iter()
        .zip(digits)
        .try_fold(carry, |sum, ((_, coefficient), digit)| sum.checked_add(coefficient.checked_mul(*digit)?))
}

fn linear<S: Clone + Eq + Hash>(
    form: &Linear,
    base: u32,
    start: S,
    step: impl FnMut(&S, &[Int]) -> Option<S>,
    accepts: impl Fn(&S) -> bool,
    budget: &mut Budget,
) -> Result<(Vec<usize>, Dfa), Fault> {
    // Far from overflow, so that a missing sum always means a missing carry.
    const MOST: Int = 1 << 100;
    let numbers = form.terms().iter().map(|t| t.1).chain([form.constant]);
    if numbers.into_iter().any(|n| !(-MOST..=MOST).contains(&n)) {
        return refuse("formula", "a condition with numbers beyond 2^100");
    }
    let unknowns: Vec<usize> = form.terms().iter().map(|t| t.0).collect();
    let dfa = Dfa::explore((base, count(&unknowns)), start, step, accepts, budget)?;
    Ok((unknowns, dfa))
}

/// 1, of, of^2, ... in a base that is a power of `of`, or of which `of` is a power.
fn power(
    of: Int,
    unknown: usize,
    holds: bool,
    base: u32,
    budget: &mut Budget,
) -> Result<(Vec<usize>, Dfa), Fault> {
    let b = Int::from(base);
    let exponent = |x: Int, y: Int| {
        // y = x^e for some e >= 1
        let mut power = x;
        let mut e = 1;
        while power < y {
            power = power.checked_mul(x)?;
            e += 1;
        }
        (power == y).then_some(e)
    };
    let (period, digits) = if let Some(period) = exponent(b, of) {
        (period, vec![1])
    } else if exponent(of, b).is_some() {
        let digits = std::iter::successors(Some(1), |d: &Int| d.checked_mul(of)).take_while(|d| *d < b);
        (1, digits.collect())
    } else {
        return refuse("formula", format!("the powers of {of} have no automaton in base {base}"));
    };
    // 0..period: the place of the next digit, nothing met; period: one digit met; period + 1: no power any more.
    let step = |state: &Int, digit: &[Int]| {
        let to = match digit[0] {
            0 if *state < period => (state + 1) % period,
            0 => *state,
            d if *state == 0 && digits.contains(&d) => period,
            _ => period + 1,
        };
        (!holds || to <= period).then_some(to)
    };
    let dfa = Dfa::explore((base, 1), 0, step, |state| (*state == period) == holds, budget)?;
    Ok((vec![unknown], dfa))
}
