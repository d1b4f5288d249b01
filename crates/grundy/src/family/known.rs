//! Sequences that the notation has no word for, said in words; for families of one parameter.

use grundy_rule::expr::Int;

/// One of the sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The product of the primes up to k.
    PrimesUpTo,
    /// The product of the first k + c primes.
    FirstPrimes(Int),
    /// The least common multiple of 1 to k + c.
    LeastMultiple(Int),
    /// (k + c)!
    Factorial(Int),
}

/// In the order of trial.
const ALL: [Known; 10] = [
    Known::PrimesUpTo,
    Known::FirstPrimes(0),
    Known::FirstPrimes(1),
    Known::FirstPrimes(-1),
    Known::LeastMultiple(0),
    Known::LeastMultiple(1),
    Known::LeastMultiple(-1),
    Known::Factorial(0),
    Known::Factorial(1),
    Known::Factorial(-1),
];

impl Known {
    /// The sequence with these values at these parameters. At least three must differ: fewer are many things.
    pub(super) fn of(points: &[Vec<Int>], values: &[Int]) -> Option<Known> {
        let mut distinct = values.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < 3 || points.iter().any(|point| point.len() != 1) {
            return None;
        }
        let fits = |known: &Known| {
            points.iter().zip(values).all(|(point, value)| known.at(point[0]) == Some(*value))
        };
        ALL.into_iter().find(fits)
    }

    /// Its value at k.
    pub(super) fn at(self, k: Int) -> Option<Int> {
        match self {
            Known::PrimesUpTo => (2..=k.min(MOST)).filter(is_prime).try_fold(1, Int::checked_mul),
            Known::FirstPrimes(shift) => {
                let count = usize::try_from(k.checked_add(shift)?).ok().filter(|count| *count <= 40)?;
                (2..).filter(is_prime).take(count).try_fold(1, Int::checked_mul)
            }
            Known::LeastMultiple(shift) => {
                (1..=k.checked_add(shift)?.min(MOST)).try_fold(1, |all: Int, m| {
                    let (mut a, mut b) = (all, m);
                    while b != 0 {
                        (a, b) = (b, a % b);
                    }
                    (all / a).checked_mul(m)
                })
            }
            Known::Factorial(shift) => {
                let k = k.checked_add(shift).filter(|k| *k >= 0)?;
                (1..=k.min(MOST)).try_fold(1, Int::checked_mul)
            }
        }
    }

    /// In words, with the name of the parameter.
    pub(super) fn words(self, names: &[String]) -> String {
        let name = names.first().map_or("k", String::as_str);
        let with = |shift: Int| match shift {
            0 => name.to_string(),
            shift if shift < 0 => format!("{name} - {}", -shift),
            shift => format!("{name} + {shift}"),
        };
        match self {
            Known::PrimesUpTo => format!("the product of the primes up to {name}"),
            Known::FirstPrimes(shift) => format!("the product of the first {} primes", with(shift)),
            Known::LeastMultiple(shift) => format!("the least common multiple of 1 to {}", with(shift)),
            Known::Factorial(0) => format!("{name}!"),
            Known::Factorial(shift) => format!("({})!", with(shift)),
        }
    }
}

/// Beyond this all of them pass 128 bits.
const MOST: Int = 200;

fn is_prime(p: &Int) -> bool {
    *p >= 2 && (2..*p).take_while(|d| d * d <= *p).all(|d| p % d != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_by_name() {
        let points: Vec<Vec<Int>> = (2..=7).map(|k| vec![k]).collect();
        let words = |values: &[Int]| Known::of(&points, values).map(|known| known.words(&["y".to_string()]));
        assert_eq!(words(&[2, 6, 6, 30, 30, 210]).as_deref(), Some("the product of the primes up to y"));
        assert_eq!(
            words(&[30, 210, 2310, 30030, 510_510, 9_699_690]).as_deref(),
            Some("the product of the first y + 1 primes")
        );
        assert_eq!(words(&[2, 6, 12, 60, 60, 420]).as_deref(), Some("the least common multiple of 1 to y"));
        assert_eq!(words(&[2, 6, 24, 120, 720, 5040]).as_deref(), Some("y!"));
        assert_eq!(words(&[1, 2, 3, 4, 5, 6]), None);
        assert_eq!(words(&[2, 6, 6, 6, 6, 6]), None);
    }
}
