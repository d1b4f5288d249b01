//! What a table has not seen yet: the next number that may be taken.
//!
//! A law of `take a factorial` that holds to heap 4000 knows of takes up to 720, and 5040 may break it (it does, at heap
//! 5050). And where every number up to the end of the table may be taken, the table is that of Nim, whatever comes after. So
//! for sets of numbers that do not depend on the heap the next change is looked for: the next member of a set that is sparse
//! at the end of the table, the first number left out of one that has all so far. The search then goes beyond it, or says
//! that it has not.

use std::fmt;

use grundy_rule::Rule;
use grundy_rule::expr::Int;
use grundy_rule::rule::Param;
use grundy_rule::shape::{self, Shape, TakenSet};

use crate::error::Error;
use crate::limits::Clock;
use crate::table::{self, Options};

/// How many times the length of the table is looked through, and the most numbers.
const TIMES: u64 = 64;
const NUMBERS: u64 = 1 << 22;

/// The numbers that may be taken.
pub(super) struct Takes {
    set: TakenSet,
    params: Vec<Param>,
}

/// The first number beyond a table that is another matter than those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It may be taken, as few before it.
    Taken(u64),
    /// It may not be taken, unlike all before it.
    LeftOut(u64),
}

impl Next {
    pub(super) fn number(self) -> u64 {
        match self {
            Next::Taken(number) | Next::LeftOut(number) => number,
        }
    }
}

impl fmt::Display for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Next::Taken(number) => write!(f, "the next number that may be taken is {number}"),
            Next::LeftOut(number) => write!(f, "every smaller number may be taken, and {number} may not"),
        }
    }
}

impl Takes {
    /// The numbers that may be taken from the kind of heap that a search tabulates, if they do not depend on the heap and
    /// each is decided by itself.
    pub(super) fn of(rule: &Rule, options: &Options) -> Result<Option<Takes>, Error> {
        let kind = table::choose_kind(rule, 1, options.kind.as_deref())?;
        let set = shape::shapes_of(rule, kind).into_iter().find_map(|shape| match shape {
            Shape::SubtractionFrom(set) => Some(set),
            _ => None,
        });
        let set = set.filter(|set| set.pieces.iter().all(|piece| piece.variables == 0));
        Ok(set.map(|set| Takes { set, params: rule.params.clone() }))
    }

    fn has(&self, number: u64) -> bool {
        let frame = [Int::from(number)];
        let holds = |atom: &grundy_rule::expr::AtomKind| atom.eval(&frame, &self.params).unwrap_or(false);
        self.set.pieces.iter().any(|piece| piece.atoms.iter().all(holds))
    }

    /// The next change beyond heap `last`, if the end of the table does not show the like of it.
    pub(super) fn next(&self, last: u64, clock: &Clock) -> Result<Option<Next>, Error> {
        let members = (last / 2 + 1..=last).filter(|number| self.has(*number)).take(2).count();
        let sparse = members <= 1;
        let full = !sparse && (1..=last).all(|number| self.has(number));
        if !sparse && !full {
            return Ok(None);
        }
        let end = last.saturating_mul(TIMES).min(last.saturating_add(NUMBERS));
        for number in last + 1..=end {
            if number % 4096 == 0 {
                clock.check()?;
            }
            if self.has(number) == sparse {
                return Ok(Some(if sparse { Next::Taken(number) } else { Next::LeftOut(number) }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn next(text: &str, last: u64) -> Option<Next> {
        let (rule, _) = Rule::parse(text, &[]).unwrap();
        Takes::of(&rule, &Options::default()).unwrap()?.next(last, &Limits::default().clock()).unwrap()
    }

    #[test]
    fn the_next_change_is_seen() {
        assert_eq!(next("n -> n - t where t in factorials", 3999), Some(Next::Taken(5040)));
        assert_eq!(next("n -> n - t where t in powers(10)", 3999), Some(Next::Taken(10_000)));
        assert_eq!(next("n -> n - t where t >= 1, omega(t) <= 3", 200), Some(Next::LeftOut(210)));
        // Squares and primes come often enough, and after 210 the numbers left out are seen.
        assert_eq!(next("n -> n - t where t in squares", 3999), None);
        assert_eq!(next("n -> n - t where t in primes", 3999), None);
        assert_eq!(next("n -> n - t where t >= 1, omega(t) <= 3", 300), None);
        assert_eq!(next("n -> n - t where t in 1..3", 3999), None);
    }
}
