//! R1: a finite subtraction set. As many successive values as the greatest number taken settle a period for ever.

use grundy_check::certificate::{Period, Proof as Data};
use grundy_rule::shape::Shape;

use super::{Attempt, Goal, period};
use crate::error::Error;
use crate::values::periodic::Subtraction;

/// Listed values of the longest law that is written.
const LONGEST: usize = 1 << 20;

/// Largest set of successive numbers that is taken number by number; a larger one is better called a window.
const WINDOW: usize = 256;

pub(super) fn attempt(goal: &Goal) -> Result<Attempt, Error> {
    let set = goal.shapes.iter().find_map(|shape| match shape {
        Shape::Subtraction(set) => Some(set),
        _ => None,
    });
    let Some(set) = set else { return Ok(Attempt::Unfit("no finite set is subtracted".to_string())) };
    let slides = goal.shapes.iter().any(|shape| matches!(shape, Shape::SlidingWindow(_)));
    if slides && set.len() > WINDOW {
        return Ok(Attempt::Unfit("a subtraction set this large is proved as a window".to_string()));
    }
    let mut game = Subtraction::new(set);
    let clock = &goal.clock;
    let mut heaps = 1_u128;
    let (preperiod, length) = loop {
        if let Err(error) = game.nimber(heaps, clock) {
            return Ok(goal.limit(&error));
        }
        match game.period() {
            Some(found) => break found,
            None if game.tabulated() > LONGEST => {
                return Ok(Attempt::Unknown(format!("no period shows in {} heaps", game.tabulated())));
            }
            None => heaps = game.tabulated() as u128 * 2,
        }
    };
    let data = Data::FiniteSubtraction(Period { preperiod: preperiod as u64, period: length as u64 });
    let law = match goal.law {
        Some(law) => law.to_string(),
        None => {
            let mut values = Vec::with_capacity(preperiod + length);
            for n in 0..preperiod + length {
                values.push(game.nimber(n as u128, clock)?);
            }
            match period::law(&values, preperiod as u64, length as u64) {
                Some(law) => law,
                None => return Ok(Attempt::Unknown("the period is too long for a text".to_string())),
            }
        }
    };
    Ok(Attempt::Found { data, law, first: 0 })
}
