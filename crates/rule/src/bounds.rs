//! Bounds of variables: interval propagation, and the check that every variable is limited.
//!
//! A variable ranges over all naturals, so a rule makes sense only if its condition limits every variable once
//! the heap is known. [`check`] finds that out before any heap is: every entry is "finite, not known yet", and
//! the propagation that enumeration uses is run once on these. Enumeration itself may still meet a heap for
//! which a bound is lost (a divisor of 0, say) and then says so for that heap.

pub(crate) mod facts;
pub(crate) mod interval;
pub(crate) mod propagate;

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Atom, AtomKind, Cond, Expr, NamedSet, Set, Slot};
use crate::rule::{Alternative, Line, Part, Rule};
use facts::Facts;
use interval::{Interval, POS, POS_FINITE};
use propagate::Propagator;

/// Finds the variables that nothing limits from above once the heap is known: `error[unbounded]`.
///
/// Parameters need no values; what the header demands of them is used.
#[must_use]
pub fn check(rule: &Rule) -> Vec<Diagnostic> {
    let mut facts = Facts::new(&rule.params);
    narrow_params(rule, &mut facts);
    let mut found = Vec::new();
    for line in &rule.lines {
        for alternative in &line.alternatives {
            check_alternative(rule, line, alternative, &facts, &mut found);
        }
    }
    found
}

/// Uses the header's condition (as far as it is a conjunction) on parameters without a value.
fn narrow_params(rule: &Rule, facts: &mut Facts) {
    let mut atoms: Vec<Atom> = Vec::new();
    conjuncts(&rule.param_cond, &mut atoms);
    let mut ranges: Vec<Interval> = facts.0.iter().map(|f| f.number).collect();
    let lifted: Vec<Atom> =
        atoms.iter().filter_map(|a| Some(Atom { kind: params_as_slots(&a.kind)?, span: a.span })).collect();
    let narrowed =
        Propagator::new(&lifted, facts).narrow(facts, &mut ranges, &mut Vec::new(), u64::MAX).is_ok();
    if narrowed {
        for (fact, range) in facts.0.iter_mut().zip(ranges) {
            fact.number = range;
        }
    }
}

/// The atoms of a conjunction; what is no conjunction is left out.
fn conjuncts(cond: &Cond, atoms: &mut Vec<Atom>) {
    match cond {
        Cond::And(all) => all.iter().for_each(|c| conjuncts(c, atoms)),
        Cond::Atom(atom) => atoms.push(atom.clone()),
        Cond::Or(_) | Cond::Not(_) => {}
    }
}

/// A relation between numbers in which every parameter has become the slot of the same index.
fn params_as_slots(kind: &AtomKind) -> Option<AtomKind> {
    fn lift(expr: &Expr) -> Option<Expr> {
        Some(match expr {
            Expr::Const(x) => Expr::Const(*x),
            Expr::Param(id) => Expr::Slot(*id),
            Expr::Neg(a) => Expr::Neg(Box::new(lift(a)?)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, Box::new(lift(a)?), Box::new(lift(b)?)),
            Expr::Call(func, args) => Expr::Call(*func, args.iter().map(lift).collect::<Option<_>>()?),
            Expr::Slot(_) | Expr::Item(..) | Expr::Len(_) | Expr::Grundy(_) => return None,
        })
    }
    match kind {
        AtomKind::Rel(a, op, b) => Some(AtomKind::Rel(lift(a)?, *op, lift(b)?)),
        AtomKind::In(x, negated, Set::Range(lo, hi)) => {
            let hi = match hi {
                Some(hi) => Some(lift(hi)?),
                None => None,
            };
            Some(AtomKind::In(lift(x)?, *negated, Set::Range(lift(lo)?, hi)))
        }
        _ => None,
    }
}

fn check_alternative(
    rule: &Rule,
    line: &Line,
    alt: &Alternative,
    facts: &Facts,
    found: &mut Vec<Diagnostic>,
) {
    let arity = line.pattern.len();
    let mut work = Vec::new();
    let mut reported: Vec<usize> = Vec::new();
    let mut ended_list = false;
    for branch in &alt.branches {
        let mut ranges = vec![Interval::NATURALS; alt.frame.max(arity + alt.variables.len())];
        for (range, restricted) in ranges.iter_mut().zip(&line.pattern) {
            *range = restricted.map_or(Interval { lo: 0, hi: POS_FINITE }, Interval::point);
        }
        let flat = Propagator::new(&branch.atoms, facts);
        if flat.narrow(facts, &mut ranges, &mut work, u64::MAX).is_err() {
            continue;
        }
        let open: Vec<usize> = (0..alt.variables.len())
            .filter(|&v| ranges.get(arity + v).is_some_and(|r| r.hi == POS))
            .collect();
        // Bounding one variable may bound the others; the first is the one to speak about.
        if let Some(&first) = open.first() {
            if !reported.contains(&first) {
                reported.push(first);
                found.push(unbounded(rule, line, alt, first));
            }
        } else if !ended_list && let Some(span) = endless_list(&alt.parts, &ranges, facts) {
            ended_list = true;
            found.push(
                Diagnostic::error("unbounded", span, "this list has no end")
                    .help("give its range an upper end: `1..n`"),
            );
        }
    }
}

/// A list whose `for` name has no last value.
fn endless_list(parts: &[Part], ranges: &[Interval], facts: &Facts) -> Option<Span> {
    let mut open: Vec<(&Part, Vec<Interval>)> = parts.iter().rev().map(|p| (p, ranges.to_vec())).collect();
    while let Some((part, mut ranges)) = open.pop() {
        let Part::List { parts, slot, set, span, .. } = part else { continue };
        let member = AtomKind::In(Expr::Slot(*slot), false, set.clone());
        if let Some(range) = ranges.get_mut(*slot) {
            *range = Interval::ALL;
        }
        let flat = Propagator::new(&[Atom { kind: member, span: *span }], facts);
        let bounded = flat.narrow(facts, &mut ranges, &mut Vec::new(), u64::MAX).is_err()
            || ranges.get(*slot).is_none_or(|r| r.hi != POS);
        // An error in the argument of a finite set is said at the heap.
        if !bounded && !matches!(set, Set::Named(NamedSet::Divisors | NamedSet::Digits, _)) {
            return Some(*span);
        }
        open.extend(parts.iter().rev().map(|p| (p, ranges.clone())));
    }
    None
}

fn unbounded(rule: &Rule, line: &Line, alt: &Alternative, variable: usize) -> Diagnostic {
    let arity = line.pattern.len();
    let Some(var) = alt.variables.get(variable) else {
        return Diagnostic::error("unbounded", alt.span, "a variable has no upper bound");
    };
    let name = &var.name;
    let error = Diagnostic::error("unbounded", var.span, format!("nothing limits `{name}` from above"));
    let entry = line.entry_names.iter().find(|n| !n.is_empty());
    match added_to_entry(&alt.parts, arity, arity + variable) {
        Some((slot, heap, entries)) => {
            let entry = line.entry_names.get(slot).map_or("n", String::as_str);
            let text = format!("{entry} - {name}");
            let error = error.help(format!("a move must make the heap smaller: `{text}`"));
            // In a tuple the sum is looked for in the text; a heap of one entry is its text.
            let written = rule.source.get(heap.start..heap.end).unwrap_or("");
            let place = if entries == 1 && written.trim_start_matches('(').len() == written.len() {
                Some(heap)
            } else {
                [format!("{entry} + {name}"), format!("{entry}+{name}"), format!("{name} + {entry}")]
                    .iter()
                    .find_map(|sum| written.find(sum.as_str()).map(|at| (at, sum.len())))
                    .map(|(at, len)| Span::new(heap.start + at, heap.start + at + len))
            };
            match place {
                Some(place) => error.patch(place, text),
                None => error,
            }
        }
        None => match entry {
            Some(entry) => {
                error.help(format!("say how far it goes: `{name} <= {entry}`, or `{name} in 1..3`"))
            }
            None => error.help(format!("say how far it goes: `{name} in 1..3`")),
        },
    }
}

/// An entry of the form `n + t` for a name of the left side and that variable: its slot, the heap, how many
/// entries the heap has.
fn added_to_entry(parts: &[Part], arity: usize, variable: Slot) -> Option<(Slot, Span, usize)> {
    let mut open: Vec<&Part> = parts.iter().rev().collect();
    while let Some(part) = open.pop() {
        match part {
            Part::List { parts, .. } => open.extend(parts.iter().rev()),
            Part::Heap(heap) => {
                for entry in &heap.entries {
                    let Expr::Binary(crate::expr::Op::Add, a, b) = entry else { continue };
                    let slot = match (&**a, &**b) {
                        (Expr::Slot(e), Expr::Slot(v)) | (Expr::Slot(v), Expr::Slot(e)) if *v == variable => {
                            *e
                        }
                        _ => continue,
                    };
                    if slot < arity {
                        return Some((slot, heap.span, heap.entries.len()));
                    }
                }
            }
        }
    }
    None
}
