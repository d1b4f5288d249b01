//! R2: a take-and-break code with finitely many digits, by the theorem of Guy and Smith. The table is doubled until it
//! shows a period as far as the theorem asks; where it never does, the answer is "unknown".

use grundy_check::certificate::{Period, Proof as Data};
use grundy_rule::shape::{Shape, TakeAndBreak};

use super::period::{self, Theorem};
use super::{Attempt, Goal};
use crate::error::Error;
use crate::table::{self, Options};

/// Heaps of the first table and of the last. Beyond, the checker's plain code would take minutes.
const HEAPS: (u64, u64) = (256, 1 << 17);

/// The same where moves leave three heaps, whose tables cost more.
const HEAPS_OF_THREE: (u64, u64) = (256, 1 << 12);

pub(super) fn attempt(goal: &Goal) -> Result<Attempt, Error> {
    let code = goal.shapes.iter().find_map(|shape| match shape {
        Shape::TakeAndBreak(code) => Some(code),
        _ => None,
    });
    let Some(code) = code else { return Ok(Attempt::Unfit("it is no take-and-break code".to_string())) };
    let Some(theorem) = theorem(code) else {
        return Ok(Attempt::Unfit(format!(
            "the code {code} has repeating digits, or tells equal parts from unequal ones"
        )));
    };
    let (mut heaps, last) = if theorem.heaps > 2 { HEAPS_OF_THREE } else { HEAPS };
    heaps = heaps.max(theorem.taken.saturating_mul(4)).min(last);
    loop {
        let kind = goal.rule.kinds[usize::from(goal.kind.0)].name.clone();
        let options = Options { kind, limits: goal.clock.left(), ..Options::default() };
        let values: Vec<u32> = match table::tabulate(goal.rule, heaps, &options) {
            Ok(table) => table.iter().collect(),
            Err(error) if error.is_limit() => return Ok(goal.limit(&error)),
            Err(error) => return Err(error),
        };
        if let Some((preperiod, period)) = theorem.settled(&values) {
            let law = goal.law.map(ToString::to_string).or_else(|| period::law(&values, preperiod, period));
            let data = Data::GuySmith(Period { preperiod, period });
            return Ok(match law {
                Some(law) => Attempt::Found { data, law, first: 0 },
                None => Attempt::Unknown("the period is too long for a text".to_string()),
            });
        }
        if heaps >= last {
            return Ok(Attempt::Unknown(format!("the code {code} shows no period in {heaps} heaps")));
        }
        heaps = (heaps * 2).min(last);
    }
}

/// What the theorem asks of a code; `None` if it does not speak about it.
fn theorem(code: &TakeAndBreak) -> Option<Theorem> {
    let plain: Vec<u8> = code.digits.iter().map(|digit| digit.plain()).collect::<Option<_>>()?;
    let all = plain.iter().fold(0, |all, digit| all | digit);
    let heaps = if all & 8 != 0 {
        3
    } else if all & 4 != 0 {
        2
    } else {
        1
    };
    code.tail.is_empty().then_some(Theorem { heaps, taken: code.digits.len() as u64 - 1, from: 1 })
}
