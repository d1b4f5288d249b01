//! R3: a window whose left end moves by steps of 0 and 1. Nothing has to be found: a law that is not given names the window.

use grundy_check::certificate::{Proof as Data, SlidingWindow as NoData};
use grundy_rule::Rule;
use grundy_rule::heap::KindId;
use grundy_rule::shape::{self, LeftEnd, Shape, SlidingWindow};

use super::{Attempt, Goal};
use crate::error::Error;

pub(super) fn attempt(goal: &Goal) -> Result<Attempt, Error> {
    let window = goal.shapes.iter().find_map(|shape| match shape {
        Shape::SlidingWindow(window) => Some(window),
        _ => None,
    });
    let Some(window) = window else {
        return Ok(Attempt::Unfit("its options are no window that slides".to_string()));
    };
    let data = Data::SlidingWindow(NoData {});
    if let Some(law) = goal.law {
        return Ok(Attempt::Found { data, law: law.to_string(), first: 0 });
    }
    Ok(
        match in_parameters(goal.rule, goal.kind)
            .filter(|w| w.first == window.first)
            .as_ref()
            .and_then(named)
            .or_else(|| named(window))
        {
            Some(law) => Attempt::Found { data, law, first: window.first },
            None => Attempt::Unfit("the window has a parameter with the name of a heap, n".to_string()),
        },
    )
}

/// The window in the parameters' names, `ceil(n/k)` and not `ceil(n/2)`: it says more, and is read with the same values.
fn in_parameters(rule: &Rule, kind: KindId) -> Option<SlidingWindow> {
    if rule.params.is_empty() {
        return None;
    }
    let mut rule = rule.clone();
    rule.params.iter_mut().for_each(|param| param.value = None);
    shape::shapes_of(&rule, kind).into_iter().find_map(|shape| match shape {
        Shape::SlidingWindow(window) => Some(window),
        _ => None,
    })
}

/// The law that names the window; the heap is called n in it.
fn named(window: &SlidingWindow) -> Option<String> {
    if let LeftEnd::Formula(formula) = &window.left
        && formula.params.iter().any(|param| param.name == "n")
    {
        return None;
    }
    let from = if window.first > 0 { format!(" for n >= {}", window.first) } else { String::new() };
    // Heaps before it are 0; the law is about the others.
    Some(format!("window L(n) = {}{from}", window.left))
}
