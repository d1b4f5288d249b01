//! The names of functions and sets.

use crate::expr::{Func, NamedSet};

/// What stands before the brackets of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Callee {
    Func(Func),
    Floor,
    Ceil,
    Len,
}

/// Names of functions with the least and greatest number of arguments.
pub(super) const FUNCTIONS: [(&str, Callee, usize, usize); 22] = [
    ("min", Callee::Func(Func::Min), 1, usize::MAX),
    ("max", Callee::Func(Func::Max), 1, usize::MAX),
    ("abs", Callee::Func(Func::Abs), 1, 1),
    ("gcd", Callee::Func(Func::Gcd), 1, usize::MAX),
    ("lcm", Callee::Func(Func::Lcm), 1, usize::MAX),
    ("floor", Callee::Floor, 1, 1),
    ("ceil", Callee::Ceil, 1, 1),
    ("sqrt", Callee::Func(Func::Sqrt), 1, 1),
    ("root", Callee::Func(Func::Root), 2, 2),
    ("log", Callee::Func(Func::Log), 2, 2),
    ("xor", Callee::Func(Func::Xor), 1, usize::MAX),
    ("bitand", Callee::Func(Func::BitAnd), 1, usize::MAX),
    ("bitor", Callee::Func(Func::BitOr), 1, usize::MAX),
    ("popcount", Callee::Func(Func::Popcount), 1, 1),
    ("bit", Callee::Func(Func::Bit), 2, 2),
    ("digitsum", Callee::Func(Func::DigitSum), 1, 2),
    ("valuation", Callee::Func(Func::Valuation), 2, 2),
    ("omega", Callee::Func(Func::Omega), 1, 1),
    ("bigomega", Callee::Func(Func::BigOmega), 1, 1),
    ("lpf", Callee::Func(Func::Lpf), 1, 1),
    ("fib", Callee::Func(Func::Fib), 1, 1),
    ("len", Callee::Len, 1, 1),
];

/// Names of sets with the least and greatest number of arguments.
pub(super) const SETS: [(&str, NamedSet, usize, usize); 10] = [
    ("naturals", NamedSet::Naturals, 0, 0),
    ("primes", NamedSet::Primes, 0, 0),
    ("squares", NamedSet::Squares, 0, 0),
    ("cubes", NamedSet::Cubes, 0, 0),
    ("triangular", NamedSet::Triangular, 0, 0),
    ("fibonacci", NamedSet::Fibonacci, 0, 0),
    ("factorials", NamedSet::Factorials, 0, 0),
    ("powers", NamedSet::Powers, 1, 1),
    ("divisors", NamedSet::Divisors, 1, 1),
    ("digits", NamedSet::Digits, 1, 2),
];

/// Whether the name is that of a function.
#[must_use]
pub fn is_function_name(name: &str) -> bool {
    FUNCTIONS.iter().any(|f| f.0 == name)
}

/// Whether the name is that of a set.
#[must_use]
pub fn is_set_name(name: &str) -> bool {
    SETS.iter().any(|s| s.0 == name)
}

/// The written name of a function; floor, ceil and len are no [`Func`].
#[must_use]
pub fn function_name(func: Func) -> &'static str {
    FUNCTIONS.iter().find(|f| f.1 == Callee::Func(func)).map_or("?", |f| f.0)
}

/// The written name of a set.
#[must_use]
pub fn set_name(set: NamedSet) -> &'static str {
    SETS.iter().find(|s| s.1 == set).map_or("?", |s| s.0)
}
