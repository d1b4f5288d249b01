//! The named sets and the members of any set, in ascending order.

use super::number;
use crate::expr::{EvalError, Int, NamedSet};

/// Whether `x` belongs to the named set with these arguments.
pub(crate) fn named_contains(name: NamedSet, args: &[Int], x: Int) -> Result<bool, EvalError> {
    match name {
        NamedSet::Divisors => {
            let n = positive(args)?;
            Ok(x >= 1 && n % x == 0)
        }
        NamedSet::Digits => {
            let (mut n, b) = number_and_base(args)?;
            while n > 0 {
                if n % b == x {
                    return Ok(true);
                }
                n /= b;
            }
            Ok(false)
        }
        NamedSet::Primes => number::is_prime(u128::try_from(x).unwrap_or(0)),
        NamedSet::Naturals => Ok(x >= 0),
        _ => Ok(at_least(name, base(name, args)?, x) == Some(x)),
    }
}

/// The first member that is not below `x`; `None`: it does not fit 128 bits or is not decided. Endless sets only.
pub(crate) fn at_least(name: NamedSet, base: Int, x: Int) -> Option<Int> {
    if name == NamedSet::Primes {
        let mut n = x.max(2);
        loop {
            if number::is_prime(n.unsigned_abs()).ok()? {
                return Some(n);
            }
            n = n.checked_add(1 + (n & 1))?;
        }
    }
    if name == NamedSet::Naturals {
        return Some(x.max(0));
    }
    Walk::from(name, base, x)?.next()
}

/// The last member that is not above `x`; `None`: there is none, or it is not decided. Endless sets only.
pub(crate) fn at_most(name: NamedSet, base: Int, x: Int) -> Option<Int> {
    if x < 1 {
        return if name == NamedSet::Naturals && x == 0 { Some(0) } else { None };
    }
    match name {
        NamedSet::Naturals => Some(x),
        NamedSet::Primes => {
            let mut n = x;
            while n >= 2 {
                if number::is_prime(n.unsigned_abs()).ok()? {
                    return Some(n);
                }
                n -= 1;
            }
            None
        }
        NamedSet::Squares => x.isqrt().checked_mul(x.isqrt()),
        NamedSet::Cubes => number::pow(number::root(x, 3), 3),
        NamedSet::Triangular => {
            let i = triangular_index(x);
            triangular(i)
        }
        NamedSet::Fibonacci | NamedSet::Factorials | NamedSet::Powers => {
            let mut last = None;
            for member in Walk::from(name, base, 1)? {
                if member > x {
                    break;
                }
                last = Some(member);
            }
            last
        }
        NamedSet::Divisors | NamedSet::Digits => None,
    }
}

/// The greatest i with i (i + 1) / 2 <= x, for x >= 0.
fn triangular_index(x: Int) -> Int {
    // Near 2^127 the discriminant does not fit; the index found from x / 4 is mended upwards.
    let mut i = match x.checked_mul(8).and_then(|y| y.checked_add(1)) {
        Some(discriminant) => (discriminant.isqrt() - 1) / 2,
        None => (x / 2).isqrt() * 2 - 2,
    };
    while triangular(i + 1).is_some_and(|t| t <= x) {
        i += 1;
    }
    i
}

fn triangular(i: Int) -> Option<Int> {
    // One of the two is even; halving it first keeps the product small.
    if i % 2 == 0 { (i / 2).checked_mul(i + 1) } else { i.checked_mul((i + 1) / 2) }
}

/// The argument of `powers(b)`, checked; 0 where there is none.
pub(crate) fn base(name: NamedSet, args: &[Int]) -> Result<Int, EvalError> {
    match (name, args) {
        (NamedSet::Powers, [b, ..]) if *b >= 2 => Ok(*b),
        (NamedSet::Powers, [b, ..]) => Err(EvalError::domain(format!("powers({b}): the base is below 2"))),
        (NamedSet::Powers, []) => Err(EvalError::domain("powers without a base")),
        _ => Ok(0),
    }
}

fn positive(args: &[Int]) -> Result<Int, EvalError> {
    match args {
        [n, ..] if *n >= 1 => Ok(*n),
        [n, ..] => Err(EvalError::domain(format!("divisors({n})"))),
        [] => Err(EvalError::domain("divisors without a number")),
    }
}

fn number_and_base(args: &[Int]) -> Result<(Int, Int), EvalError> {
    let (n, b) = match args {
        [n] => (*n, 10),
        [n, b, ..] => (*n, *b),
        [] => return Err(EvalError::domain("digits without a number")),
    };
    if n < 0 {
        return Err(EvalError::domain(format!("digits of the negative number {n}")));
    }
    if b < 2 {
        return Err(EvalError::domain(format!("digits({n}, {b}): the base is below 2")));
    }
    Ok((n, b))
}

/// The members of a finite named set, ascending.
pub(crate) fn finite_members(name: NamedSet, args: &[Int]) -> Result<Option<Vec<Int>>, EvalError> {
    match name {
        NamedSet::Divisors => Ok(Some(number::divisors(positive(args)?.unsigned_abs())?)),
        NamedSet::Digits => {
            let (mut n, b) = number_and_base(args)?;
            let mut digits = Vec::new();
            while n > 0 {
                digits.push(n % b);
                n /= b;
            }
            digits.sort_unstable();
            digits.dedup();
            Ok(Some(digits))
        }
        _ => Ok(None),
    }
}

/// The members of a set, ascending, without repeats.
#[derive(Clone, Debug)]
pub struct Members(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// `next..=end`
    Range {
        next: Int,
        end: Int,
        endless: bool,
    },
    Listed(std::vec::IntoIter<Int>),
    Walk(Walk),
}

impl Members {
    pub(crate) fn range(lo: Int, hi: Option<Int>) -> Self {
        Members(Kind::Range { next: lo, end: hi.unwrap_or(Int::MAX), endless: hi.is_none() })
    }

    pub(crate) fn listed(mut all: Vec<Int>) -> Self {
        all.sort_unstable();
        all.dedup();
        Members(Kind::Listed(all.into_iter()))
    }

    pub(crate) fn named(name: NamedSet, args: &[Int]) -> Result<Self, EvalError> {
        if let Some(all) = finite_members(name, args)? {
            return Ok(Members::listed(all));
        }
        if name == NamedSet::Naturals {
            return Ok(Members::range(0, None));
        }
        Ok(match Walk::from(name, base(name, args)?, 1) {
            Some(walk) => Members(Kind::Walk(walk)),
            None => Members::listed(Vec::new()),
        })
    }

    /// How many members are left; `None`: without end.
    #[must_use]
    pub fn count_left(&self) -> Option<u128> {
        match &self.0 {
            Kind::Range { endless: true, .. } | Kind::Walk(_) => None,
            Kind::Range { next, end, .. } if next > end => Some(0),
            // All of 128 bits would be 2^128 members: one too many to say, and nobody will see them.
            Kind::Range { next, end, .. } => Some(end.abs_diff(*next).saturating_add(1)),
            Kind::Listed(all) => Some(all.len() as u128),
        }
    }

    /// The last member left, of a finite set that is not used up.
    pub(crate) fn last_left(&self) -> Option<Int> {
        match &self.0 {
            Kind::Range { next, end, endless: false } => (next <= end).then_some(*end),
            Kind::Range { .. } | Kind::Walk(_) => None,
            Kind::Listed(all) => all.as_slice().last().copied(),
        }
    }
}

impl Iterator for Members {
    type Item = Int;

    fn next(&mut self) -> Option<Int> {
        match &mut self.0 {
            Kind::Range { next, end, .. } => {
                let now = *next;
                if now > *end {
                    return None;
                }
                match now.checked_add(1) {
                    Some(after) => *next = after,
                    None => (*next, *end) = (1, 0),
                }
                Some(now)
            }
            Kind::Listed(all) => all.next(),
            Kind::Walk(walk) => walk.next(),
        }
    }
}

/// A walk along an endless set from some number on: constant work a member (but for large primes).
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    name: NamedSet,
    /// Index (squares, cubes, triangular, factorials), base (powers), next Fibonacci number; unused for primes.
    a: Int,
    /// The member to give next.
    next: Option<Int>,
}

impl Walk {
    /// From the first member that is not below `x`; `None` if it does not fit.
    pub(crate) fn from(name: NamedSet, base: Int, x: Int) -> Option<Walk> {
        let x = x.max(1);
        let walk = |a, next| Walk { name, a, next };
        let mut walk = match name {
            NamedSet::Naturals | NamedSet::Divisors | NamedSet::Digits => walk(0, Some(x)),
            NamedSet::Primes => walk(0, at_least(name, 0, x)),
            NamedSet::Squares => {
                let i = x.isqrt();
                walk(i, i.checked_mul(i))
            }
            NamedSet::Cubes => {
                let i = number::root(x, 3);
                walk(i, number::pow(i, 3))
            }
            NamedSet::Triangular => {
                let i = triangular_index(x);
                walk(i, triangular(i))
            }
            NamedSet::Fibonacci => walk(2, Some(1)),
            NamedSet::Factorials => walk(1, Some(1)),
            NamedSet::Powers => walk(base, Some(1)),
        };
        while walk.next? < x {
            walk.next();
        }
        Some(walk)
    }
}

impl Iterator for Walk {
    type Item = Int;

    fn next(&mut self) -> Option<Int> {
        let now = self.next?;
        self.next = match self.name {
            NamedSet::Naturals | NamedSet::Divisors | NamedSet::Digits => now.checked_add(1),
            NamedSet::Primes => now.checked_add(1).and_then(|x| at_least(NamedSet::Primes, 0, x)),
            NamedSet::Squares => {
                self.a += 1;
                self.a.checked_mul(self.a)
            }
            NamedSet::Cubes => {
                self.a += 1;
                number::pow(self.a, 3)
            }
            NamedSet::Triangular => {
                self.a += 1;
                triangular(self.a)
            }
            NamedSet::Fibonacci => {
                let after = self.a;
                // A sum that does not fit is marked by 0 and ends the walk one step later.
                self.a = after.checked_add(now).unwrap_or(0);
                if after == 0 { None } else { Some(after) }
            }
            NamedSet::Factorials => {
                self.a += 1;
                now.checked_mul(self.a)
            }
            NamedSet::Powers => now.checked_mul(self.a),
        };
        Some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDLESS: [(NamedSet, Int); 8] = [
        (NamedSet::Naturals, 0),
        (NamedSet::Primes, 0),
        (NamedSet::Squares, 0),
        (NamedSet::Cubes, 0),
        (NamedSet::Triangular, 0),
        (NamedSet::Fibonacci, 0),
        (NamedSet::Factorials, 0),
        (NamedSet::Powers, 3),
    ];

    #[test]
    fn successor_predecessor_and_membership_agree_with_the_members() {
        for (name, base) in ENDLESS {
            let members: Vec<Int> = Members::named(name, &[base]).unwrap().take_while(|&m| m < 800).collect();
            assert!(members.is_sorted_by(|a, b| a < b), "{name:?}");
            for x in 0..700 {
                if let Some(after) = members.iter().copied().find(|&m| m >= x) {
                    assert_eq!(at_least(name, base, x), Some(after), "{name:?} {x}");
                }
                assert_eq!(
                    at_most(name, base, x),
                    members.iter().copied().rfind(|&m| m <= x),
                    "{name:?} {x}"
                );
                assert_eq!(named_contains(name, &[base], x).unwrap(), members.contains(&x), "{name:?} {x}");
            }
        }
    }

    #[test]
    fn the_first_members() {
        let first = |name, args: &[Int]| Members::named(name, args).unwrap().take(6).collect::<Vec<_>>();
        assert_eq!(first(NamedSet::Primes, &[]), [2, 3, 5, 7, 11, 13]);
        assert_eq!(first(NamedSet::Fibonacci, &[]), [1, 2, 3, 5, 8, 13]);
        assert_eq!(first(NamedSet::Factorials, &[]), [1, 2, 6, 24, 120, 720]);
        assert_eq!(first(NamedSet::Triangular, &[]), [1, 3, 6, 10, 15, 21]);
        assert_eq!(first(NamedSet::Powers, &[2]), [1, 2, 4, 8, 16, 32]);
        assert_eq!(first(NamedSet::Naturals, &[]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(first(NamedSet::Divisors, &[12]), [1, 2, 3, 4, 6, 12]);
        assert_eq!(first(NamedSet::Digits, &[2010, 10]), [0, 1, 2]);
        assert_eq!(first(NamedSet::Digits, &[0, 10]), [] as [Int; 0]);
    }

    #[test]
    fn endless_sets_end_where_the_numbers_do() {
        for (name, base) in ENDLESS {
            if name == NamedSet::Primes || name == NamedSet::Naturals {
                continue;
            }
            let start = Int::MAX - (Int::MAX >> 20);
            for near in [Int::MAX, Int::MAX - 1, start] {
                let _ = (at_least(name, base, near), at_most(name, base, near));
            }
        }
        assert_eq!(Members::named(NamedSet::Powers, &[2]).unwrap().count(), 127);
        assert_eq!(
            Members::named(NamedSet::Fibonacci, &[]).unwrap().last(),
            number::fib(184).filter(|f| *f > 0)
        );
    }
}
