//! Measures: numbers of a heap that no move raises and some move lowers.
//!
//! For a set of kinds that reach each other a measure gives each kind a linear form of its entries. The
//! candidates, in this order: the sum of the entries; one entry of each kind; the sum of two entries; a
//! bound minus an entry, where the condition keeps the entry below it; the greatest entry; and for heaps of two
//! entries small weights such as `5*a + 3*b`. (The last two are no part of the language's description: two
//! contest games ask for them, SDOI 2009's pairs of stones and HDU 4111.)

use super::Measure;
use super::edges::Edge;
use super::linear::Linear;
use crate::expr::{Expr, Int};
use crate::heap::KindId;
use crate::rule::Rule;

/// A form of the entries for each kind of a component.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// For each kind of the component: factors of its entries.
    factors: Vec<(KindId, Vec<Int>)>,
    /// The greatest entry instead of a linear form.
    greatest: bool,
    /// If set, the measure is this bound (by its index) minus the form.
    below: Option<usize>,
}

/// More combinations of entries than this are not tried.
const MOST_COMBINATIONS: usize = 64;

/// The greatest weight tried.
const MOST_WEIGHT: Int = 7;

/// All candidates for a component, the simplest first.
pub(super) fn candidates(rule: &Rule, component: &[KindId], bounds: usize) -> Vec<Candidate> {
    let arity = |kind: &KindId| rule.kinds[usize::from(kind.0)].arity;
    let all = |factors: &dyn Fn(usize) -> Vec<Int>| Candidate {
        factors: component.iter().map(|k| (*k, factors(arity(k)))).collect(),
        greatest: false,
        below: None,
    };
    let mut found = vec![all(&|n| vec![1; n])];
    let single = |n: usize| (0..n).map(move |i| (0..n).map(|j| Int::from(i == j)).collect::<Vec<_>>());
    let pairs = |n: usize| {
        (0..n)
            .flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
            .map(move |(i, j)| (0..n).map(|k| Int::from(k == i || k == j)).collect::<Vec<_>>())
    };
    let singles = combinations(component, |k| single(arity(k)).collect());
    found.extend(singles.clone());
    found.extend(combinations(component, |k| pairs(arity(k)).collect()));
    for below in 0..bounds {
        found.extend(singles.iter().map(|c| Candidate { below: Some(below), ..c.clone() }));
    }
    if component.iter().any(|kind| arity(kind) > 1) && component.iter().all(|kind| arity(kind) > 0) {
        found.push(Candidate { greatest: true, ..all(&|n| vec![1; n]) });
    }
    if let [only] = component
        && arity(only) == 2
    {
        for total in 3..=2 * MOST_WEIGHT {
            for a in 1..=MOST_WEIGHT {
                let b = total - a;
                if (1..=MOST_WEIGHT).contains(&b) && super::linear::gcd(a, b) == 1 {
                    found.push(all(&|_| vec![a, b]));
                }
            }
        }
    }
    found
}

/// Every way to choose one form for each kind; none if there are too many.
fn combinations(component: &[KindId], forms: impl Fn(&KindId) -> Vec<Vec<Int>>) -> Vec<Candidate> {
    let mut found = vec![Candidate { factors: Vec::new(), greatest: false, below: None }];
    for kind in component {
        let choices = forms(kind);
        if found.len() * choices.len() > MOST_COMBINATIONS {
            return Vec::new();
        }
        found = found
            .iter()
            .flat_map(|begun| {
                choices.iter().map(|form| {
                    let mut more = begun.clone();
                    more.factors.push((*kind, form.clone()));
                    more
                })
            })
            .collect();
    }
    found
}

/// What a measure does along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It may rise, or nothing is known.
    Unknown,
    /// It does not rise.
    Keeps,
    /// It falls by at least 1, and is bounded.
    Lowers,
}

impl Candidate {
    fn of(&self, kind: KindId, entries: &[Linear], edge: &Edge) -> Option<Linear> {
        let factors = &self.factors.iter().find(|f| f.0 == kind)?.1;
        let mut sum = Linear::default();
        for (entry, factor) in entries.iter().zip(factors) {
            sum = sum.combine(1, entry, *factor)?;
        }
        match self.below {
            Some(bound) => edge.bounds.get(bound)?.1.minus(&sum),
            None => Some(sum),
        }
    }

    /// What it does along an edge.
    pub(super) fn effect(&self, edge: &Edge) -> Effect {
        self.effect_or_none(edge).unwrap_or(Effect::Unknown)
    }

    fn effect_or_none(&self, edge: &Edge) -> Option<Effect> {
        if self.greatest {
            // It falls if no entry after can be as great as all entries before.
            return Some(if self.no_entry_reaches(edge, 0)? {
                Effect::Lowers
            } else if self.no_entry_reaches(edge, 1)? {
                Effect::Keeps
            } else {
                Effect::Unknown
            });
        }
        let before = self.of(edge.from, &edge.before, edge)?;
        let after = self.of(edge.to, &edge.after, edge)?;
        let fall = before.minus(&after)?;
        if edge.implies(&fall.add(-1)?) {
            // Entries are naturals; a bound minus an entry needs a proof that it cannot fall for ever.
            let bounded = self.below.is_none() || edge.implies(&before) || edge.implies(&after);
            return Some(if bounded { Effect::Lowers } else { Effect::Keeps });
        }
        Some(if edge.implies(&fall) { Effect::Keeps } else { Effect::Unknown })
    }

    /// Whether no entry after is at least `more` greater than every entry before.
    fn no_entry_reaches(&self, edge: &Edge, more: Int) -> Option<bool> {
        for case in &edge.cases {
            for after in &edge.after {
                let mut system = case.clone();
                for before in &edge.before {
                    system.demand(after.minus(before)?.add(-more)?);
                }
                if !system.refuted() {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// The measure in the names of the rule.
    pub(super) fn measure(&self, rule: &Rule, bounds: &[Expr]) -> Measure {
        let several = rule.kinds.len() > 1;
        let mut texts: Vec<String> = Vec::new();
        for (kind, factors) in &self.factors {
            let names = entry_names(rule, *kind);
            let mut terms: Vec<String> = Vec::new();
            for (name, factor) in names.iter().zip(factors) {
                match factor {
                    0 => {}
                    1 => terms.push(name.clone()),
                    _ => terms.push(format!("{factor}*{name}")),
                }
            }
            let form = if self.greatest {
                format!("max({})", names.join(", "))
            } else if terms.is_empty() {
                "0".to_string()
            } else {
                terms.join(" + ")
            };
            texts.push(if several { format!("{form} in {}", shown(rule, *kind, &names)) } else { form });
        }
        let text = texts.join(" and ");
        let text = match self.below.and_then(|b| bounds.get(b)) {
            Some(Expr::Param(id)) => format!("{} - {text}", rule.params[*id].name),
            Some(Expr::Const(number)) => format!("{number} - {text}"),
            _ => text,
        };
        Measure { text }
    }
}

/// The names of a kind's entries: those of its first line that names them.
fn entry_names(rule: &Rule, kind: KindId) -> Vec<String> {
    let arity = rule.kinds[usize::from(kind.0)].arity;
    (0..arity)
        .map(|i| {
            let mut lines = rule.lines.iter().filter(|line| line.kind == kind);
            let named = lines.find_map(|line| line.entry_names.get(i).filter(|name| !name.is_empty()));
            named.cloned().unwrap_or_else(|| format!("entry {}", i + 1))
        })
        .collect()
}

/// `row(n)`, `(a, b)`.
fn shown(rule: &Rule, kind: KindId, names: &[String]) -> String {
    match (&rule.kinds[usize::from(kind.0)].name, names) {
        (None, [only]) => only.clone(),
        (name, names) => format!("{}({})", name.as_deref().unwrap_or(""), names.join(", ")),
    }
}

/// A kind as it is written on the left of its lines.
pub(super) fn shown_kind(rule: &Rule, kind: KindId) -> String {
    shown(rule, kind, &entry_names(rule, kind))
}
