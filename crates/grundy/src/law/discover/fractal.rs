//! Sliding windows: sequences that are themselves again when the first occurrence of each value is deleted.
//!
//! If g is the sequence of a window `L(n)..n-1` (rule R3), then each heap either has a new value, the least so far unused,
//! and L stands still, or it has the value of the heap L(n - 1), and L steps. Both cannot be, so the table says step by
//! step what L is, and a single heap that is neither ends the matter (L. Levine, *Fractal sequences and
//! restricted Nim*, Ars Combin. 80, 2006).
//!
//! That explains a table, but a law needs L itself in closed form. Its values are compared with a fixed list of forms:
//! the floor of a line with a small divisor, which is found by narrowing the interval of its constants, and n less
//! a root or logarithm, moved by a few. If none fits, the law is unknown beyond the table, and that is said.

use super::{Guess, Law, least_prefix};
use crate::error::Error;
use crate::limits::Clock;

/// Greatest divisor of a line that is tried.
const MOST_DIVISOR: i64 = 64;

/// A window whose left end has a closed form.
pub(super) fn window(values: &[u32], clock: &Clock) -> Result<Guess, Error> {
    let last = values.len() - 1;
    let left = match left_ends(values) {
        Ok(left) => left,
        Err(heap) => {
            return Ok(Err(format!("heap {heap} has neither a new value nor that of a window's end")));
        }
    };
    let Some(form) = forms(learnt(&left)).into_iter().find(|form| form.agrees(&left)) else {
        return Ok(Err(format!(
            "the values up to heap {last} are those of a sliding window, but its left end has no known form, so \
             they say nothing about greater heaps"
        )));
    };
    clock.check()?;
    let text = match form {
        // A window of constant width is a period, of which eight need not be seen: each value follows from the window.
        Form::Line { a: 1, b: 1, c } if c < 0 => format!("g(n) = n mod {}", 1 - c),
        form => format!("window L(n) = {form}"),
    };
    let law = Law::parse(&text, &[]).map_err(|error| Error::new("law", format!("{text}: {error}")))?;
    let needed = least_prefix(left.len(), |n| {
        forms(learnt(&left[..n])).into_iter().find(|found| found.agrees(&left[..n])) == Some(form)
    });
    Ok(Ok((law, needed)))
}

/// The part that gives the form, which the rest tests: half, or three quarters where the left end first has to leave 0.
fn learnt(left: &[i64]) -> &[i64] {
    let (half, quarter) = (left.len() / 2, left.len() / 4);
    if left[half.saturating_sub(1)] > 0 { &left[..half] } else { &left[..half + quarter] }
}

/// L(0), L(1), ... as the values say; the first heap that fits no window.
fn left_ends(values: &[u32]) -> Result<Vec<i64>, usize> {
    if values.first() != Some(&0) {
        return Err(0);
    }
    let mut left = 0_usize;
    let mut all = vec![0];
    for (n, value) in values.iter().enumerate().skip(1) {
        if *value == values[left] {
            left += 1;
        } else if usize::try_from(*value) != Ok(n - left) {
            return Err(n);
        }
        all.push(i64::try_from(left).map_err(|_| n)?);
    }
    Ok(all)
}

/// A left end in closed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `floor((a n + c) / b)`, not below 0
    Line { a: i64, b: i64, c: i64 },
    /// `n - root(n + shift, degree) - less`
    Root { degree: u32, shift: i64, less: i64 },
    /// `n - log(n + shift, base) - less`
    Log { base: i64, shift: i64, less: i64 },
}

impl Form {
    /// The left end; `None` where the form says nothing.
    fn at(&self, n: i64) -> Option<i64> {
        let left = match *self {
            Form::Line { a, b, c } => (a * n + c).div_euclid(b),
            Form::Root { degree, shift, less } => {
                let under = u64::try_from(n + shift).ok()?;
                n - i64::try_from(root(under, degree)).ok()? - less
            }
            Form::Log { base, shift, less } => {
                let under = u64::try_from(n + shift).ok().filter(|under| *under > 0)?;
                n - i64::from(under.ilog(u64::try_from(base).ok()?)) - less
            }
        };
        Some(left.max(0))
    }

    fn agrees(&self, left: &[i64]) -> bool {
        (0..).zip(left).all(|(n, l)| self.at(n) == Some(*l))
    }

    /// Whether a width that grows has been seen to grow while the left end moved. With `less` large enough a logarithm
    /// that does not change in sight fits every window of constant width.
    fn is_seen(&self, left: &[i64]) -> bool {
        let width = |(n, l): (i64, &i64)| n - l;
        let mut moving = (0..).zip(left).filter(|(_, l)| **l > 0).map(width);
        matches!(self, Form::Line { .. }) || moving.next().is_some_and(|first| moving.any(|w| w != first))
    }
}

fn root(n: u64, degree: u32) -> u64 {
    // The binary logarithm bounds it from above.
    let (mut lo, mut hi) = (0, 1_u64 << (n.checked_ilog2().unwrap_or(0) / degree + 1));
    while lo < hi {
        let mid = (lo + hi).div_ceil(2);
        if mid.checked_pow(degree).is_some_and(|p| p <= n) { lo = mid } else { hi = mid - 1 }
    }
    lo
}

/// The forms that fit, lines first.
fn forms(left: &[i64]) -> Vec<Form> {
    let mut all = Vec::new();
    let (Some(last), Ok(n)) = (left.last(), i64::try_from(left.len())) else { return all };
    all.extend(line(left));
    // L(n) = n - f(n + shift) - less: for each shift the last value fixes what is less.
    for shift in -4..=4 {
        for degree in 2..=5 {
            all.extend(moved(Form::Root { degree, shift, less: 0 }, n - 1, *last));
        }
        for base in 2..=10 {
            all.extend(moved(Form::Log { base, shift, less: 0 }, n - 1, *last));
        }
    }
    all.retain(|form| form.is_seen(left) && form.agrees(left));
    // The plainest first.
    all.sort_by_key(|form| match *form {
        Form::Line { .. } => (0, 0),
        Form::Root { degree, shift, less } => (1, i64::from(degree) + 10 * shift.abs() + 10 * less.abs()),
        Form::Log { base, shift, less } => (2, base + 10 * shift.abs() + 10 * less.abs()),
    });
    all
}

/// The form moved so that it is right at `n`.
fn moved(form: Form, n: i64, left: i64) -> Option<Form> {
    let more = form.at(n)? - left;
    Some(match form {
        Form::Line { .. } => form,
        Form::Root { degree, shift, .. } => Form::Root { degree, shift, less: more },
        Form::Log { base, shift, .. } => Form::Log { base, shift, less: more },
    })
}

/// The line with the least divisor whose floor the values are: L <= (a n + c)/b < L + 1 for all n bounds c from
/// both sides, once a and b are chosen; and a/b is within 1 of the slope of the whole.
fn line(left: &[i64]) -> Option<Form> {
    let count = i64::try_from(left.len()).ok()?;
    for b in 1..=MOST_DIVISOR.min(count / 4) {
        let about = left.last()? * b / (count - 1).max(1);
        for a in [about, about + 1].into_iter().filter(|a| *a <= b) {
            let (mut low, mut high) = (i64::MIN, i64::MAX);
            for (n, l) in (0..).zip(left) {
                // Where the floor would be below 0, the left end is 0.
                if *l > 0 {
                    low = low.max(b * l - a * n);
                }
                high = high.min(b * (l + 1) - 1 - a * n);
                if low > high {
                    break;
                }
            }
            if low <= high {
                return Some(Form::Line { a, b, c: plainest(a, b, low, high) });
            }
        }
    }
    None
}

/// A constant that makes the line look like what people write.
fn plainest(a: i64, b: i64, low: i64, high: i64) -> i64 {
    let within = |c: &i64| (low..=high).contains(c);
    let known = if a + 1 == b { [b - 1, 0] } else { [0, b - 1] };
    known.into_iter().find(within).unwrap_or(if low > 0 { low } else { high.min(0).max(low) })
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plus = |c: i64| match c {
            0 => String::new(),
            c if c > 0 => format!(" + {c}"),
            c => format!(" - {}", -c),
        };
        match *self {
            Form::Line { a: 0, b: 1, c } => write!(f, "{}", c.max(0)),
            Form::Line { a: 1, b: 1, c } => write!(f, "n{}", plus(c)),
            Form::Line { a: 1, b, c: 0 } => write!(f, "floor(n/{b})"),
            Form::Line { a: 1, b, c } if c == b - 1 => write!(f, "ceil(n/{b})"),
            Form::Line { a, b, c } if a == b - 1 && c == b - 1 => write!(f, "n - floor(n/{b})"),
            Form::Line { a, b, c: 0 } if a == b - 1 => write!(f, "n - ceil(n/{b})"),
            Form::Line { a: 1, b, c } => write!(f, "floor((n{})/{b})", plus(c)),
            Form::Line { a, b, c: 0 } => write!(f, "floor({a}n/{b})"),
            Form::Line { a, b, c } => write!(f, "floor(({a}n{})/{b})", plus(c)),
            Form::Root { degree: 2, shift, less } => write!(f, "n - sqrt(n{}){}", plus(shift), plus(-less)),
            Form::Root { degree, shift, less } => {
                write!(f, "n - root(n{}, {degree}){}", plus(shift), plus(-less))
            }
            Form::Log { base, shift, less } => write!(f, "n - log(n{}, {base}){}", plus(shift), plus(-less)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of a window.
    fn table(left: impl Fn(usize) -> usize, count: usize) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::new();
        for n in 0..count {
            let window = &values[left(n).min(n)..n];
            values.push((0..).find(|v| !window.contains(v)).unwrap());
        }
        values
    }

    fn found(left: impl Fn(usize) -> usize) -> String {
        let clock = crate::limits::Limits::default().clock();
        let values = table(left, 400);
        let (law, _) = window(&values, &clock).unwrap().unwrap();
        for (n, v) in (0..).zip(&values) {
            assert_eq!(law.value(n).unwrap(), u128::from(*v), "{law}: {n}");
        }
        law.to_string()
    }

    #[test]
    fn left_ends_are_written_as_people_write_them() {
        assert_eq!(found(|n| n.div_ceil(3)), "window L(n) = ceil(n/3)");
        assert_eq!(found(|n| n - n / 3), "window L(n) = n - floor(n/3)");
        assert_eq!(found(|n| n.saturating_sub(89)), "g(n) = n mod 90");
        // No logarithm that stands still is read into a width that does.
        assert_eq!(found(|n| n.saturating_sub(200)), "g(n) = n mod 201");
        assert_eq!(found(|n| n - n.div_ceil(7)), "window L(n) = n - ceil(n/7)");
        assert_eq!(found(|n| 3 * n / 5), "window L(n) = floor(3n/5)");
        assert_eq!(found(|n| (3 * n).saturating_sub(20) / 11), "window L(n) = floor((3n - 20)/11)");
        assert_eq!(found(|n| n - n.isqrt()), "window L(n) = n - sqrt(n)");
        assert_eq!(found(|n| (n - n.isqrt()).saturating_sub(3)), "window L(n) = n - sqrt(n) - 3");
        assert_eq!(found(|n| n - (n + 1).ilog2() as usize), "window L(n) = n - log(n + 1, 2)");
        assert_eq!(
            found(|n| n - (0..).find(|r: &usize| (r + 1).pow(3) > n).unwrap()),
            "window L(n) = n - root(n, 3)"
        );
    }

    #[test]
    fn a_left_end_without_a_form_is_said_to_have_none() {
        let clock = crate::limits::Limits::default().clock();
        // L steps at the heaps of even digit sum: the pattern of Thue and Morse.
        let steps = |n: usize| (1..=n).filter(|m| m.count_ones() % 2 == 0).count();
        let why = window(&table(steps, 400), &clock).unwrap().unwrap_err();
        assert!(why.contains("no known form"), "{why}");
        let mut broken = table(|n| n.div_ceil(3), 400);
        broken[77] += 1;
        let why = window(&broken, &clock).unwrap().unwrap_err();
        assert!(why.starts_with("heap 77 has neither"), "{why}");
    }
}
