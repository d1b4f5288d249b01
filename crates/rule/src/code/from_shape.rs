//! From a rule back to a code, by way of its shape.
//!
//! A shape says what the options of every heap are, so a code that promises the same options is the same
//! game; nothing is guessed from spelling. A rule may have a shape and no code: a digit of the literature
//! demands the same of two heaps as of three, a shape need not.

use super::{Code, Digit, Mode, Spacing, TakeAndBreak, Turn, Turning};
use crate::rule::Rule;
use crate::shape::{self, Shape, XorClosure};

/// The code of a rule that has one kind of heap; `None` if the rule has none, or none is recognised.
///
/// The options are the same; under codes that are not for coins, heaps of 0 do not count. Whether the rule is
/// played misere does not matter.
#[must_use]
pub fn of_rule(rule: &Rule) -> Option<Code> {
    shape::shapes(rule).iter().find_map(|shape| of_shape(shape, rule.coins))
}

fn of_shape(shape: &Shape, coins: bool) -> Option<Code> {
    match shape {
        Shape::XorClosure(closure) if coins => turning_of(closure),
        Shape::Runs(runs) if coins => {
            let number = |heaps: u64| u32::try_from(heaps.checked_add(1)?).ok();
            let most = match runs.longest {
                Some(longest) => Some(number(longest)?),
                None => None,
            };
            let turn = Turn {
                least: number(runs.shortest)?,
                most,
                spacing: Spacing::Consecutive,
                within: None,
                first: false,
            };
            let code = Turning::new(vec![turn])?;
            (u64::from(code.first_coin()) == runs.least).then_some(Code::Turning(code))
        }
        _ if coins => None,
        // `S()` is not written: a game without moves is the code 0.0.
        Shape::Subtraction(set) if set.is_empty() => {
            TakeAndBreak::new(vec![Digit::ZERO], Vec::new()).map(Code::TakeAndBreak)
        }
        Shape::Subtraction(set) => Some(Code::Subtraction(set.clone())),
        Shape::AllBut(set) if set.is_empty() => {
            let three = Digit::new(3, Mode::Any)?;
            TakeAndBreak::new(vec![Digit::ZERO], vec![three]).map(Code::TakeAndBreak)
        }
        Shape::AllBut(set) => Some(Code::AllBut(set.clone())),
        Shape::TakeAndBreak(code) => {
            let digits = |digits: &[shape::Digit]| {
                digits.iter().map(|digit| digit_of(*digit)).collect::<Option<Vec<_>>>()
            };
            TakeAndBreak::new(digits(&code.digits)?, digits(&code.tail)?).map(Code::TakeAndBreak)
        }
        _ => None,
    }
}

/// The digit of the literature that allows these patterns.
fn digit_of(patterns: shape::Digit) -> Option<Digit> {
    let one = |pattern: shape::Digit, bit: u8| if patterns.has(pattern) { bit } else { 0 };
    let low = one(shape::Digit::NOTHING, 1) | one(shape::Digit::ONE, 2);
    // Try the few digits there are: the patterns of each are known.
    [0, 4, 8, 12].into_iter().find_map(|high: u8| {
        [Mode::Any, Mode::AllUnequal, Mode::NotAllEqual, Mode::AllEqual].into_iter().find_map(|mode| {
            let digit = Digit::new(low | high, mode)?;
            (patterns_of(digit) == patterns).then_some(digit)
        })
    })
}

/// The patterns that a digit of the literature allows.
pub(super) fn patterns_of(digit: Digit) -> shape::Digit {
    use shape::Digit as P;
    let two = match digit.mode() {
        Mode::Any => P::TWO,
        Mode::AllUnequal | Mode::NotAllEqual => P::TWO_UNEQUAL,
        Mode::AllEqual => P::TWO_EQUAL,
    };
    let three = match digit.mode() {
        Mode::Any => P::THREE,
        Mode::AllUnequal => P::THREE_UNEQUAL,
        Mode::NotAllEqual => P::THREE_TWO_ALIKE.union(P::THREE_UNEQUAL),
        Mode::AllEqual => P::THREE_EQUAL,
    };
    let mut patterns = P::NONE;
    for (heaps, pattern) in [(0, P::NOTHING), (1, P::ONE), (2, two), (3, three)] {
        if digit.leaves(heaps) {
            patterns = patterns.union(pattern);
        }
    }
    patterns
}

/// Coins below the turned one in any combination: an element for each run of numbers of coins.
fn turning_of(closure: &XorClosure) -> Option<Code> {
    if closure.least != 0 || closure.repeats {
        return None;
    }
    let mut elements: Vec<Turn> = Vec::new();
    for count in &closure.counts {
        let coins = count.checked_add(1)?;
        match elements.last_mut() {
            Some(last) if last.most == coins.checked_sub(1) => last.most = Some(coins),
            _ => elements.push(Turn {
                least: coins,
                most: Some(coins),
                spacing: Spacing::Free,
                within: None,
                first: false,
            }),
        }
    }
    Turning::new(elements).map(Code::Turning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_become_patterns_and_back() {
        for bits in 0..16 {
            for mode in [Mode::Any, Mode::AllUnequal, Mode::NotAllEqual, Mode::AllEqual] {
                let digit = Digit::new(bits, mode).expect("bits below 16");
                assert_eq!(digit_of(patterns_of(digit)), Some(digit), "{digit}");
            }
        }
        // Two unequal heaps or three equal ones: no digit says that.
        assert_eq!(digit_of(shape::Digit::TWO_UNEQUAL.union(shape::Digit::THREE_EQUAL)), None);
    }
}
