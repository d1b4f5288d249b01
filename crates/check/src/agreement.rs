//! Does the law say what the automaton says?
//!
//! An automatic proof shows that G accepts exactly the pairs (n, g(n)). The law may be written otherwise:
//! `g(2n) = g(n) + 2n`. If each clause is true with G for `g` wherever it speaks, asks only for the nimbers of smaller heaps, speaks about
//! no heap in two ways, and if some clause speaks about every heap, then the law gives what G gives, by induction along
//! the naturals - whichever clause comes first. (Clauses are therefore asked for more than they need to say; only
//! heaps whose values are listed are left to the lists.)

use std::collections::{HashSet, VecDeque};

use grundy_rule::diagnostic::Span;
use grundy_rule::expr::{Cond, Expr, Int};
use grundy_rule::formula::{Condition, Form, Linear, Statement, statements};
use grundy_rule::law_text::{self, Clause, Subject};

use crate::budget::Budget;
use crate::dfa::{DEAD, Dfa};
use crate::joint::{Component, Joint};
use crate::product::{Product, Values};
use crate::{Claim, Fault, Obligation, refuse};

/// Compares every clause of the law with the automaton.
pub(crate) fn agreement(
    claim: &Claim,
    values: &Values,
    budget: &mut Budget,
) -> Result<Vec<Obligation>, Fault> {
    if claim.law.subject != Subject::Nimbers {
        return refuse("law", "it is about zeros, not about nimbers");
    }
    let mut clauses = Clauses { claim, values, listed: Vec::new(), speaks: Vec::new(), all: false, met: 0 };
    for clause in &claim.law.clauses {
        clauses.agree(clause, budget)?;
    }
    let mut shown = vec![Obligation::new("law", "each clause says what the automaton says", clauses.met)];
    let met = clauses.cover(budget)?;
    shown.push(Obligation::new("law", "some clause speaks about every heap", met));
    Ok(shown)
}

struct Clauses<'a> {
    claim: &'a Claim,
    values: &'a Values,
    /// Heaps whose values are listed by the clauses so far.
    listed: Vec<Vec<Int>>,
    /// Where equations speak, as forms that leave nothing.
    speaks: Vec<Form>,
    /// Whether a block speaks about all heaps.
    all: bool,
    met: u64,
}

impl<'a> Clauses<'a> {
    /// The automaton of the kind that the law is about.
    fn g(&self) -> &'a Dfa {
        &self.values.kinds[usize::from(self.claim.kind.0)]
    }

    fn agree(&mut self, clause: &Clause, budget: &mut Budget) -> Result<(), Fault> {
        match clause {
            Clause::Values { start, values, .. } => {
                for (n, value) in (*start..).zip(values) {
                    self.listed(&[n], *value, budget)?;
                }
                Ok(())
            }
            Clause::Equation { names, pattern, value, cond, written, .. } => {
                self.equation((names.len(), std::slice::from_ref(pattern), value, cond), written, budget)
            }
            Clause::Tuple { names, entries, value, cond, written, .. } => {
                self.equation((names.len(), entries, value, cond), written, budget)
            }
            Clause::Automaton(block) => self.automaton(block, budget),
            Clause::Automatic(block) => self.automatic(block, budget),
            Clause::Pair { .. } | Clause::Lost { .. } | Clause::Window(_) => {
                refuse("law", "this clause is not about automata")
            }
        }
    }

    /// `g(patterns) = value for cond`
    fn equation(
        &mut self,
        (names, patterns, value, cond): (usize, &[Expr], &Expr, &Cond),
        written: &str,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        if let (Expr::Const(value), true) = (value, names == 0 && *cond == Cond::always()) {
            let number = |pattern: &Expr| if let Expr::Const(n) = pattern { Some(*n) } else { None };
            if let Some(heap) = patterns.iter().map(number).collect::<Option<Vec<Int>>>() {
                return self.listed(&heap, *value, budget);
            }
        }
        if patterns.len() != self.claim.arity() {
            return refuse("law", format!("`{written}` speaks about no heap of this kind"));
        }
        let all = statements(names, patterns, value, cond, &self.claim.rule.params)
            .or_else(|why| refuse("law", format!("`{written}`: {why}")))?;
        for statement in &all {
            self.statement(statement, written, budget)?;
        }
        if names > 1 { self.one_way(&all, written, budget) } else { Ok(()) }
    }

    /// A value that is written out, of the heap with these entries.
    fn listed(&mut self, heap: &[Int], value: Int, budget: &mut Budget) -> Result<(), Fault> {
        let said = || {
            let entries: Vec<String> = heap.iter().map(ToString::to_string).collect();
            format!("g({}) = {value}", entries.join(", "))
        };
        if heap.len() != self.claim.arity() || heap.iter().any(|n| *n < 0) || value < 0 {
            return refuse("law", format!("{} speaks about no heap of this kind", said()));
        }
        let base = Int::from(self.values.base);
        let mut rest = heap.to_vec();
        rest.push(self.coded(value)?);
        let mut state = 0;
        while rest.iter().any(|n| *n != 0) {
            budget.spend(1)?;
            let letter = rest.iter().rev().fold(0, |letter, n| letter * base + n % base);
            state = self.g().step(state, usize::try_from(letter).unwrap_or(usize::MAX));
            rest.iter_mut().for_each(|n| *n /= base);
        }
        if !self.g().accepts_at(state) {
            return refuse("law", format!("{} is not what the automaton says", said()));
        }
        self.met += 1;
        self.listed.push(heap.to_vec());
        Ok(())
    }

    fn coded(&self, value: Int) -> Result<Int, Fault> {
        if !self.values.coded {
            return Ok(value);
        }
        let power = u32::try_from(value).ok().and_then(|v| Int::from(self.values.base).checked_pow(v));
        power.map_or_else(|| refuse("law", format!("the value {value} is too large to be coded")), Ok)
    }

    /// The conditions of a statement, and that the heap is not listed before it.
    fn spoken(&self, statement: &Statement) -> Vec<Condition> {
        let mut conditions = statement.conditions.clone();
        conditions.extend(self.among_listed(false));
        conditions
    }

    /// That the heap is listed, or that it is not; nothing if none is.
    fn among_listed(&self, holds: bool) -> Option<Condition> {
        let mut rows = self.listed.clone();
        rows.sort_unstable();
        rows.dedup();
        let unknowns = (0..self.claim.arity()).collect();
        (!rows.is_empty()).then_some(Condition::Among { unknowns, rows, holds })
    }

    /// Where a clause speaks: a form that leaves nothing.
    fn speaks(&mut self, unknowns: usize, conditions: Vec<Condition>) {
        let (kind, arity) = (self.claim.kind, self.claim.arity());
        self.speaks.push(Form { kind, arity, unknowns, conditions, left: Vec::new(), span: Span::default() });
    }

    fn statement(&mut self, statement: &Statement, written: &str, budget: &mut Budget) -> Result<(), Fault> {
        if self.values.coded {
            return refuse("law", "equations are not compared with coded values");
        }
        let spoken = self.spoken(statement);
        let none = |form: Option<Linear>| match form {
            Some(form) => Ok(Condition::AtLeastZero(form)),
            None => refuse("law", format!("`{written}`: its numbers pass 128 bits")),
        };
        let arity = self.claim.arity();
        if arity > 1 && !statement.calls.is_empty() {
            return refuse("law", format!("`{written}` asks for the value of a heap with one entry"));
        }
        // Each heap asked for is a heap, and a smaller one.
        for (asked, _) in &statement.calls {
            for wrong in [asked.times(-1).and_then(|f| f.add(-1)), asked.minus(&Linear::unknown(0))] {
                let mut conditions = spoken.clone();
                conditions.push(none(wrong)?);
                if !self.never(&conditions, &[], statement.unknowns, budget)? {
                    return refuse("law", format!("`{written}` asks for a heap that is not smaller"));
                }
            }
        }
        // With v = G(heap), u = G(asked) for each heap asked for: v is the value.
        let value = statement.unknowns;
        let mut heaps = vec![(0..arity).chain([value]).collect()];
        let mut conditions = spoken;
        let mut unknowns = value + 1;
        for (asked, nimber) in &statement.calls {
            conditions.push(match asked.minus(&Linear::unknown(unknowns)) {
                Some(form) => Condition::Zero(form),
                None => return refuse("law", format!("`{written}`: its numbers pass 128 bits")),
            });
            heaps.push(vec![unknowns, *nimber]);
            unknowns += 1;
        }
        let more = Linear::unknown(value).minus(&statement.value);
        for wrong in [more.as_ref().and_then(|f| f.times(-1)), more.clone()] {
            let mut conditions = conditions.clone();
            conditions.push(none(wrong.and_then(|f| f.add(-1)))?);
            if !self.never(&conditions, &heaps, unknowns, budget)? {
                return refuse("law", format!("`{written}` does not say what the automaton says"));
            }
        }
        self.speaks(statement.unknowns, statement.conditions.clone());
        Ok(())
    }

    /// No heap is spoken about with different names.
    fn one_way(&mut self, all: &[Statement], written: &str, budget: &mut Budget) -> Result<(), Fault> {
        for one in all {
            for other in all {
                let arity = self.claim.arity();
                let moved = |unknown: usize| if unknown < arity { unknown } else { unknown + one.unknowns };
                let mut conditions = self.spoken(one);
                for condition in &other.conditions {
                    let renamed = rename(condition, &moved);
                    conditions.extend(renamed);
                    if conditions.len() > 1 << 12 {
                        return refuse("law", format!("`{written}` has too many conditions"));
                    }
                }
                for name in arity..arity + one.names {
                    let gap =
                        Linear::unknown(moved(name)).minus(&Linear::unknown(name)).and_then(|f| f.add(-1));
                    let Some(gap) = gap else { continue };
                    let mut conditions = conditions.clone();
                    conditions.push(Condition::AtLeastZero(gap));
                    if !self.never(&conditions, &[], one.unknowns + other.unknowns, budget)? {
                        return refuse("law", format!("`{written}` speaks about some heap in two ways"));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether no naturals satisfy the conditions, where the entries and values in `heaps` are accepted by G.
    fn never(
        &mut self,
        conditions: &[Condition],
        heaps: &[Vec<usize>],
        unknowns: usize,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let mut dfas = vec![self.g().clone()];
        let mut components: Vec<Component> =
            heaps.iter().map(|tracks| Component { dfa: 0, tracks: tracks.clone() }).collect();
        for condition in conditions {
            let (tracks, dfa) = Dfa::condition(condition, self.values.base, budget)?;
            components.push(Component { dfa: dfas.len(), tracks });
            dfas.push(dfa);
        }
        let joint = Joint::new(self.values.base, components, &vec![false; unknowns], &[]);
        let start = vec![0; joint.components.len()];
        let mut met: HashSet<Vec<u32>> = HashSet::from([start.clone()]);
        let mut queue = vec![start];
        let mut digits = vec![0; unknowns];
        while let Some(parts) = queue.pop() {
            if joint.accepts_at(&dfas, &parts) {
                return Ok(false);
            }
            let mut fresh = Vec::new();
            joint.steps(&dfas, &parts, &mut digits, budget, |_, to| {
                if !met.contains(to) {
                    met.insert(to.to_vec());
                    fresh.push(to.to_vec());
                }
            })?;
            budget.hold((fresh.len() * (joint.components.len() * 8 + 96)) as u64)?;
            queue.extend(fresh);
        }
        self.met += met.len() as u64;
        Ok(true)
    }

    /// The law is an automaton itself: both accept the same pairs.
    fn automaton(&mut self, block: &law_text::Automaton, budget: &mut Budget) -> Result<(), Fault> {
        let (base, g) = (self.values.base, self.g());
        if block.base != base || block.coded != self.values.coded || block.entries != self.claim.arity() {
            return refuse("law", "its automaton is not written as the one proved");
        }
        let digits = g.letters / base as usize;
        let mut next = vec![vec![-1; g.letters]; block.states.len()];
        for (row, state) in next.iter_mut().zip(&block.states) {
            for (heap, v, to) in &state.next {
                row[*heap as usize + digits * *v as usize] = i64::from(*to);
            }
        }
        let accepting = (0..).zip(&block.states).filter(|(_, s)| s.accepting).map(|(i, _)| i).collect();
        let tracks = u32::try_from(block.entries).unwrap_or(u32::MAX).saturating_add(1);
        let own = Dfa::read(&crate::certificate::Automaton { next, accepting }, base, tracks, budget)?;
        let mut met = HashSet::from([(0, 0)]);
        let mut queue = vec![(0, 0)];
        while let Some((one, other)) = queue.pop() {
            if own.accepts_at(one) != g.accepts_at(other) {
                return refuse("law", "its automaton accepts other pairs than the one proved");
            }
            for letter in 0..g.letters {
                let to = (own.step(one, letter), g.step(other, letter));
                if to != (DEAD, DEAD) && met.insert(to) {
                    budget.hold(16)?;
                    queue.push(to);
                }
            }
        }
        self.met += met.len() as u64;
        self.all = true;
        Ok(())
    }

    /// `g(n) = floor(p n / q) + output`: for each output there is no n with that output and another value.
    fn automatic(&mut self, block: &law_text::Automatic, budget: &mut Budget) -> Result<(), Fault> {
        if block.base != self.values.base || self.values.coded || self.claim.arity() != 1 {
            return refuse("law", "its automaton is not written as the one proved");
        }
        let b = block.base as usize;
        let rows = |accepting: Vec<u64>| crate::certificate::Automaton {
            next: block.states.iter().map(|s| s.next.iter().map(|to| i64::from(*to)).collect()).collect(),
            accepting,
        };
        if block.states.iter().any(|s| s.next.len() != b) {
            return refuse("law", "its automaton lacks a step");
        }
        let mut outputs: Vec<Int> = block.states.iter().map(|s| s.output).collect();
        outputs.sort_unstable();
        outputs.dedup();
        for output in outputs {
            let ends = (0..).zip(&block.states).filter(|(_, s)| s.output == output).map(|(i, _)| i).collect();
            let own = Dfa::read(&rows(ends), block.base, 1, budget)?;
            if !own.ignores_padding() {
                return refuse("law", "its automaton cares about zeros at the end");
            }
            // n, v = G(n), f = floor(p n / q): v is not f + output.
            let (p, q) = block.slope;
            let rest =
                Linear::unknown(0).times(p).zip(Linear::unknown(2).times(q)).and_then(|(a, f)| a.minus(&f));
            let floor = [rest.clone(), rest.and_then(|r| r.times(-1)).and_then(|r| r.add(q - 1))];
            let gap =
                Linear::unknown(1).minus(&Linear::unknown(2)).and_then(|g| g.add(output.checked_neg()?));
            for wrong in [gap.as_ref().and_then(|g| g.times(-1)), gap.clone()] {
                let mut conditions = Vec::new();
                for form in floor.iter().cloned().chain([wrong.and_then(|w| w.add(-1))]) {
                    let Some(form) = form else { return refuse("law", "its numbers pass 128 bits") };
                    conditions.push(Condition::AtLeastZero(form));
                }
                if !self.never_with(&own, &conditions, budget)? {
                    return refuse("law", "the automaton proved gives other values");
                }
            }
        }
        self.all = true;
        Ok(())
    }

    /// [`Clauses::never`] for the pair (0, 1) with one more automaton over unknown 0.
    fn never_with(
        &mut self,
        own: &Dfa,
        conditions: &[Condition],
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let g = self.g().clone();
        let mut values = self.values.clone();
        values.kinds[usize::from(self.claim.kind.0)] = g.and_of_first(own, budget)?;
        let mut narrowed = Clauses {
            claim: self.claim,
            values: &values,
            listed: Vec::new(),
            speaks: Vec::new(),
            all: false,
            met: 0,
        };
        let never = narrowed.never(conditions, &[vec![0, 1]], 3, budget)?;
        self.met += narrowed.met;
        Ok(never)
    }

    /// Whether every heap is spoken about; how many sets of states were met.
    fn cover(mut self, budget: &mut Budget) -> Result<u64, Fault> {
        if self.all {
            return Ok(1);
        }
        if let Some(listed) = self.among_listed(true) {
            self.speaks(self.claim.arity(), vec![listed]);
        }
        // Options that leave nothing, hence with w = 0: there is one exactly for the heaps spoken about.
        let plain = Values { coded: false, ..self.values.clone() };
        let own = (self.claim.kind, self.claim.arity());
        let mut spoken = Product::new(&self.speaks, own, &plain, budget)?;
        let mut smallest: Vec<Vec<u32>> = vec![vec![0]];
        let mut queue = VecDeque::from([vec![0_u32]]);
        let mut met = 0;
        while let Some(set) = queue.pop_front() {
            met += 1;
            let mut ends = false;
            for &state in &set {
                ends |= spoken.accepts_at(state, budget)?;
            }
            if !ends {
                return refuse("law", "no clause speaks about some heap");
            }
            for digits in 0..spoken.letters() / plain.base as usize {
                let mut next = Vec::new();
                for &state in &set {
                    next.extend(spoken.successors(state, digits, budget)?);
                }
                next.sort_unstable();
                next.dedup();
                budget.spend(smallest.len() as u64)?;
                if !smallest.contains(&next) {
                    budget.hold((next.len() * 8 + 64) as u64)?;
                    smallest.push(next.clone());
                    queue.push_back(next);
                }
            }
        }
        Ok(met)
    }
}

/// The condition about other unknowns; linear forms put the unknowns in order again.
fn rename(condition: &Condition, to: &impl Fn(usize) -> usize) -> Option<Condition> {
    let linear = |form: &Linear| {
        form.terms().iter().try_fold(Linear::constant(form.constant), |sum, (unknown, coefficient)| {
            sum.combine(1, &Linear::unknown(to(*unknown)), *coefficient)
        })
    };
    Some(match condition {
        Condition::Zero(form) => Condition::Zero(linear(form)?),
        Condition::AtLeastZero(form) => Condition::AtLeastZero(linear(form)?),
        Condition::Divisible { form, modulus, holds } => {
            Condition::Divisible { form: linear(form)?, modulus: *modulus, holds: *holds }
        }
        Condition::Power { base, unknown, holds } => {
            Condition::Power { base: *base, unknown: to(*unknown), holds: *holds }
        }
        Condition::Among { unknowns, rows, holds } => Condition::Among {
            unknowns: unknowns.iter().map(|u| to(*u)).collect(),
            rows: rows.clone(),
            holds: *holds,
        },
        Condition::Bits { op, left, right, result } => {
            Condition::Bits { op: *op, left: to(*left), right: to(*right), result: to(*result) }
        }
    })
}
