//! The promise of a shape, executable: the options of a heap, spelled out.
//!
//! Slow and obvious. Tests and engines compare with it, and every recognition is compared with the
//! enumerated options of small heaps before it is given out (see `small`).

use std::collections::BTreeSet;

use crate::expr::Int;
use crate::rule::{Rule, Value};

use super::{Digit, Shape};

/// The options of a heap: each a multiset of heaps, ascending.
pub type Options = BTreeSet<Vec<u64>>;

impl Shape {
    /// The options that this shape promises for heap `n` of the rule; `None` for [`Shape::General`], and
    /// where a parameter has no value. Heaps of 0 stand in a sum only if the shape says so; compare sums without
    /// them (except under `coins`).
    ///
    /// For tests: time and memory grow with the number of options.
    ///
    /// ```
    /// use grundy_rule::shape::Shape;
    /// # let rule = grundy_rule::Rule { source: String::new(), name: None, misere: false, loopy: false, coins: false,
    /// #     kinds: vec![], params: vec![], param_cond: grundy_rule::expr::Cond::always(), lines: vec![] };
    /// let options = Shape::Subtraction(vec![1, 3]).options(&rule, 2).unwrap();
    /// assert_eq!(options.into_iter().collect::<Vec<_>>(), [vec![1]]);
    /// ```
    #[must_use]
    pub fn options(&self, rule: &Rule, n: u64) -> Option<Options> {
        match self {
            Shape::TakeAndBreak(code) => {
                let mut found = Options::new();
                for t in 0..=n {
                    splits(code.digit(usize::try_from(t).ok()?), n - t, &mut found);
                }
                Some(if n == 0 { Options::new() } else { found })
            }
            Shape::XorClosure(closure) => {
                let mut found = Options::new();
                if n >= closure.least {
                    for count in &closure.counts {
                        combinations(closure.least, n, *count, closure.repeats, &mut found);
                    }
                }
                Some(found)
            }
            Shape::Runs(runs) => {
                let longest = n.checked_sub(runs.least).map(|most| most.min(runs.longest.unwrap_or(most)));
                let lengths = longest.map(|longest| runs.shortest..=longest);
                Some(lengths.into_iter().flatten().map(|d| (n - d..n).collect()).collect())
            }
            Shape::General => None,
            _ => Some(self.heaps_left(rule, n)?.into_iter().map(|heap| vec![heap]).collect()),
        }
    }

    /// Whether every option of this shape is one heap.
    pub(super) fn leaves_one_heap(&self) -> bool {
        match self {
            Shape::Subtraction(_)
            | Shape::AllBut(_)
            | Shape::SubtractionFrom(_)
            | Shape::SlidingWindow(_)
            | Shape::Window(_)
            | Shape::WindowExcept(_)
            | Shape::Graph(_) => true,
            Shape::TakeAndBreak(_) | Shape::XorClosure(_) | Shape::Runs(_) | Shape::General => false,
        }
    }

    /// As [`Shape::options`] where every option is one heap ([`Shape::leaves_one_heap`]): these heaps, ascending.
    pub(super) fn heaps_left(&self, rule: &Rule, n: u64) -> Option<Vec<u64>> {
        let heap = Int::from(n);
        Some(match self {
            Shape::Subtraction(set) => set.iter().rev().filter(|t| **t <= n).map(|t| n - t).collect(),
            Shape::AllBut(set) => (0..n).filter(|y| set.binary_search(&(n - y)).is_err()).collect(),
            Shape::SubtractionFrom(set) => {
                let mut found = Vec::new();
                for y in 0..n {
                    if set.contains(rule, Int::from(n - y))? {
                        found.push(y);
                    }
                }
                found
            }
            Shape::SlidingWindow(window) if n < window.first => Vec::new(),
            Shape::SlidingWindow(window) => {
                let left = window.left_at(heap).ok()?;
                (0..n).filter(|y| Int::from(*y) >= left).collect()
            }
            Shape::Window(window) if n < window.first => Vec::new(),
            Shape::Window(window) => {
                let (left, right) = (window.left.at(heap).ok()?, window.right.at(heap).ok()?);
                (0..n).filter(|y| (left..=right).contains(&Int::from(*y))).collect()
            }
            Shape::WindowExcept(window) => {
                (window.least..n).filter(|y| window.except.binary_search(&(n, *y)).is_err()).collect()
            }
            Shape::Graph(graph) => {
                let Value::Pairs(rows) = rule.params.get(graph.edges)?.value.as_ref()? else { return None };
                let ends = rows.iter().map(|(a, b)| if graph.reversed { (b, a) } else { (a, b) });
                let mut found: Vec<u64> =
                    ends.filter(|e| e.0 == heap).filter_map(|e| u64::try_from(e.1).ok()).collect();
                found.sort_unstable();
                found.dedup();
                found
            }
            Shape::TakeAndBreak(_) | Shape::XorClosure(_) | Shape::Runs(_) | Shape::General => return None,
        })
    }
}

impl super::TakenSet {
    /// Whether `t` may be taken; `None` if that takes more than a direct evaluation.
    #[must_use]
    pub fn contains(&self, rule: &Rule, t: Int) -> Option<bool> {
        for piece in &self.pieces {
            if piece.variables > 1 {
                return None;
            }
            // A natural that exists is at most t in every game that takes products, powers and sums of it.
            let last = if piece.variables == 0 { 0 } else { t.max(0) };
            for natural in 0..=last {
                let frame = [t, natural];
                let frame = &frame[..=piece.variables];
                // A condition that has no value here does not hold here.
                if piece.atoms.iter().all(|atom| atom.eval(frame, &rule.params) == Ok(true)) {
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}

/// All splits of `sum` that a digit allows.
fn splits(digit: Digit, sum: u64, found: &mut Options) {
    if digit.has(Digit::NOTHING) && sum == 0 {
        found.insert(Vec::new());
    }
    if digit.has(Digit::ONE) && sum >= 1 {
        found.insert(vec![sum]);
    }
    if digit.0 & Digit::TWO.0 != 0 {
        for a in 1..=sum / 2 {
            let b = sum - a;
            let pattern = if a == b { Digit::TWO_EQUAL } else { Digit::TWO_UNEQUAL };
            if digit.has(pattern) {
                found.insert(vec![a, b]);
            }
        }
    }
    if digit.0 & Digit::THREE.0 != 0 {
        for a in 1..=sum / 3 {
            for b in a..=(sum - a) / 2 {
                let c = sum - a - b;
                let pattern = match (a == b, b == c) {
                    (true, true) => Digit::THREE_EQUAL,
                    (false, false) => Digit::THREE_UNEQUAL,
                    _ => Digit::THREE_TWO_ALIKE,
                };
                if digit.has(pattern) {
                    found.insert(vec![a, b, c]);
                }
            }
        }
    }
}

/// All collections of `count` heaps of `least..n`.
fn combinations(least: u64, n: u64, count: u32, repeats: bool, found: &mut Options) {
    let mut begun: Vec<Vec<u64>> = vec![Vec::new()];
    for _ in 0..count {
        begun = begun
            .into_iter()
            .flat_map(|held| {
                let from = held.last().map_or(least, |last| if repeats { *last } else { last + 1 });
                (from..n).map(move |y| [held.as_slice(), &[y]].concat())
            })
            .collect();
    }
    found.extend(begun);
}
