//! Where the nimbers follow no law, the lost heaps may.
//!
//! The lost heaps in ascending order are a sequence of their own, z(0), z(1), ..., in which the same laws are looked for:
//! it may rise by the same amount again and again, be a recursion on i/k, a polynomial of the second degree, or satisfy
//! z(i + 2) = a z(i + 1) + b z(i) + c and grow fast (so that evaluation, term by term, takes few steps). For heaps of two entries the lost pairs are compared with sequences of
//! Beatty, floor of i times a quadratic irrational (Wythoff, 1907).

use super::fit::Fit;
use super::{FEWEST, Found, Law, linear, period};
use crate::error::Error;
use crate::limits::Clock;

/// The law of the lost heaps of a table.
///
/// # Errors
/// The limit that was reached.
///
/// ```
/// use grundy::limits::Limits;
/// // Lost at the numbers of Fibonacci.
/// let mut values = vec![1; 10_000];
/// let (mut a, mut b) = (1, 2);
/// while a < values.len() {
///     values[a] = 0;
///     (a, b) = (b, a + b);
/// }
/// let found = grundy::law::discover::zeros(&values, &Limits::default().clock()).unwrap().unwrap();
/// assert_eq!(found.law.to_string(), "zeros\nz(0..) = 1, 2\nz(i + 2) = z(i + 1) + z(i)");
/// ```
pub fn zeros(values: &[u32], clock: &Clock) -> Result<Option<Found>, Error> {
    let lost: Vec<u32> = (0..).zip(values).filter(|(_, v)| **v == 0).map(|(n, _)| n).collect();
    if lost.len() < FEWEST {
        return Ok(None);
    }
    let mut guess: Option<String> = quadratic(&lost).or_else(|| recurrence(&lost));
    if guess.is_none()
        && let Ok((law, _)) = period::arithmetic(&lost, clock)?
    {
        guess = Some(of_index(&law));
    }
    if guess.is_none()
        && let Ok((law, _)) = linear::recursion(&lost, clock)?
    {
        guess = Some(of_index(&law));
    }
    let Some(text) = guess else { return Ok(None) };
    let text = format!("zeros\n{text}");
    let law = Law::parse(&text, &[]).map_err(|error| Error::new("law", format!("{text}: {error}")))?;
    // All lost heaps of the table and no others.
    let last = u128::try_from(values.len() - 1).unwrap_or(u128::MAX);
    let mut said = law.heaps_with(0, 0, last);
    for heap in &lost {
        if said.next().transpose()? != Some(u128::from(*heap)) {
            return Ok(None);
        }
        clock.check()?;
    }
    if said.next().is_some() {
        return Ok(None);
    }
    drop(said);
    let half = u64::from(lost[lost.len() / 2]) + 1;
    Ok(Some(Found { law, evidence: half, checked_to: super::count(values) - 1 }))
}

/// The text of a law for g(n) as one for z(i). Such texts have no letters but `g`, `n`, `r` and words.
fn of_index(law: &Law) -> String {
    let text = law.to_string();
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_alphabetic() {
            word.push(c);
            continue;
        }
        out.push_str(match word.as_str() {
            "g" => "z",
            "n" => "i",
            other => other,
        });
        word.clear();
        out.push(c);
    }
    out.trim_end().to_string()
}

/// z(i) = (a i^2 + b i + c)/2
fn quadratic(lost: &[u32]) -> Option<String> {
    let at = |i: usize| i128::from(lost[i]);
    let (c, a) = (2 * at(0), at(2) - 2 * at(1) + at(0));
    let b = 2 * at(1) - c - a;
    let fits = (0..).zip(lost).all(|(i, z): (i128, _)| a * i * i + b * i + c == 2 * i128::from(*z));
    if a <= 0 || !fits {
        return None;
    }
    let halved = [a, b, c].iter().all(|v| v % 2 == 0);
    let (a, b, c) = if halved { (a / 2, b / 2, c / 2) } else { (a, b, c) };
    let square = if a == 1 { "i^2".to_string() } else { format!("{a}i^2") };
    let rest = Fit { a: 0, b, c, d: 1 }.write("").replace('n', "i");
    let sum = match rest.strip_prefix('-') {
        _ if rest == "0" => square,
        Some(rest) => format!("{square} - {rest}"),
        None => format!("{square} + {rest}"),
    };
    Some(if halved { format!("z(i) = {sum}") } else { format!("z(i) = floor(({sum})/2)") })
}

/// z(i + 2) = a z(i + 1) + b z(i) + c, or with one term less.
fn recurrence(lost: &[u32]) -> Option<String> {
    let at = |i: usize| i128::from(lost[i]);
    let half = lost.len() / 2;
    let first = |i: usize| (at(i), 0, at(i + 1));
    let second = |i: usize| (at(i), at(i + 1), at(i + 2));
    // The order, the fit of the first half, and from where on it holds.
    let fit = Fit::of((half / 4..half).map(first))?;
    let holds = |i: usize| fit.holds(first(i));
    let from = (0..lost.len() - 1).rev().find(|i| !holds(*i)).map_or(0, |i| i + 1);
    let (order, fit, from) = if from <= 3 {
        (1, fit, from)
    } else {
        let fit = Fit::of((half / 4..half).map(second))?;
        let holds = |i: usize| fit.holds(second(i));
        let from = (0..lost.len() - 2).rev().find(|i| !holds(*i)).map_or(0, |i| i + 1);
        (2, fit, from)
    };
    // Small whole numbers only: anything is a recurrence with large ones.
    let small = |v: i128| v.abs() <= 20;
    let slow = at(lost.len() - 1) < 2 * at(lost.len() - 9);
    if slow || from > 3 || fit.d > 1 || !small(fit.a) || !small(fit.b) {
        return None;
    }
    let list: Vec<String> = lost[..from + order].iter().map(ToString::to_string).collect();
    // `Fit` writes n for the older term.
    let x = if order == 2 { "z(i + 1)" } else { "" };
    let value = write(fit, x);
    let cond = if from > 0 { format!(" for i >= {from}") } else { String::new() };
    Some(format!("z(0..) = {}\nz(i + {order}) = {value}{cond}", list.join(", ")))
}

fn write(fit: Fit, x: &str) -> String {
    let newer = Fit { b: 0, c: 0, ..fit }.write(x);
    let older = Fit { a: fit.b, b: 0, c: fit.c, d: 1 }.write("z(i)");
    match (fit.a, older.as_str()) {
        (0, _) => older,
        (_, "0") => newer,
        (_, rest) => match rest.strip_prefix('-') {
            Some(rest) => format!("{newer} - {rest}"),
            None => format!("{newer} + {rest}"),
        },
    }
}

/// The law of lost pairs (a, b), a <= b, both orders meant, with ascending first entries: sequences of Beatty, exact.
///
/// At least 16 pairs are needed; the first half gives the guess and all must fit.
///
/// ```
/// use grundy::law::discover::beatty;
/// let golden = |i: u32| (i + (5 * i * i).isqrt()) / 2;
/// let wythoff: Vec<(u32, u32)> = (0..40).map(|i| (golden(i), golden(i) + i)).collect();
/// let law = beatty(&wythoff).unwrap();
/// assert_eq!(law.to_string(), "zeros\nz(i) = (floor((i + sqrt(5i^2))/2), floor((i + sqrt(5i^2))/2) + i)");
/// assert!(law.lost_pair(161_803_398_874_989_484, 261_803_398_874_989_484).unwrap());
/// ```
#[must_use]
pub fn beatty(lost: &[(u32, u32)]) -> Option<Law> {
    if lost.len() < FEWEST || lost.windows(2).any(|w| w[0].0 >= w[1].0) {
        return None;
    }
    let first: Vec<i64> = lost.iter().map(|(a, _)| i64::from(*a)).collect();
    let second: Vec<i64> = lost.iter().map(|(_, b)| i64::from(*b)).collect();
    let line = multiple(&first)?;
    let rest: Vec<i64> = first.iter().zip(&second).map(|(a, b)| b - a).collect();
    let other = match straight(&rest) {
        Some((0, c)) => format!("{line}{}", plus(c)),
        Some((1, c)) => format!("{line} + i{}", plus(c)),
        Some((s, c)) => format!("{line} + {s}i{}", plus(c)),
        None => multiple(&second)?,
    };
    Law::parse(&format!("zeros\nz(i) = ({line}, {other})"), &[]).ok()
}

fn plus(c: i64) -> String {
    match c {
        0 => String::new(),
        c if c > 0 => format!(" + {c}"),
        c => format!(" - {}", -c),
    }
}

/// s i + c, s >= 0
fn straight(sequence: &[i64]) -> Option<(i64, i64)> {
    let (c, s) = (*sequence.first()?, sequence.get(1)? - sequence.first()?);
    let fits = (0..).zip(sequence).all(|(i, v): (i64, _)| s * i + c == *v);
    (s >= 0 && fits).then_some((s, c))
}

/// floor((p i + sqrt(d i^2))/q) + c
fn multiple(sequence: &[i64]) -> Option<String> {
    let c = *sequence.first()?;
    if let Some((s, c)) = straight(sequence) {
        return Some(format!("{s}i{}", plus(c)));
    }
    for d in (2..=60_i64).filter(|d| d.isqrt().pow(2) != *d) {
        for q in 1..=6 {
            for p in -6..=12 {
                let fits = |(i, v): (i64, &i64)| (p * i + (d * i * i).isqrt()).div_euclid(q) + c == *v;
                if !(0..).zip(sequence).all(fits) {
                    continue;
                }
                let root = format!("sqrt({d}i^2)");
                let sum = match p {
                    0 => root,
                    1 => format!("i + {root}"),
                    -1 => format!("{root} - i"),
                    p if p > 0 => format!("{p}i + {root}"),
                    p => format!("{root} - {}i", -p),
                };
                let whole = if q == 1 { sum } else { format!("floor(({sum})/{q})") };
                return Some(format!("{whole}{}", plus(c)));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Kind;
    use crate::limits::Limits;

    fn law_of(lost: impl Fn(u32) -> bool, count: u32) -> Option<String> {
        let values: Vec<u32> = (0..count).map(|n| u32::from(!lost(n)) * (1 + n % 5)).collect();
        let found = zeros(&values, &Limits::default().clock()).unwrap()?;
        assert_eq!(found.law.kind(), Kind::Zeros);
        for n in (0..2 * count).step_by(1 + count as usize / 3000) {
            assert_eq!(found.law.lost(u128::from(n)).unwrap(), lost(n), "{}: {n}", found.law);
        }
        Some(found.law.to_string())
    }

    #[test]
    fn lost_heaps_follow_periods_recursions_and_recurrences() {
        let law = law_of(|n| matches!(n % 12, 3 | 4 | 9), 400);
        assert_eq!(law.as_deref(), Some("zeros\nz(0..) = 3, 4, 9\nz(i + 3) = z(i) + 12"));
        assert_eq!(law_of(|n| n % 5 == 2, 400).as_deref(), Some("zeros\nz(i) = 5i + 2"));
        let evil = law_of(|n| n.count_ones() % 2 == 0, 400);
        assert_eq!(evil.as_deref(), Some("zeros\nz(0) = 0\nz(2i) = z(i) + 2i\nz(2i + 1) = 6i + 3 - z(i)"));
        let powers = law_of(|n| n == 1 || n.is_power_of_two() && n > 4, 1 << 19);
        assert_eq!(powers.as_deref(), Some("zeros\nz(0..) = 1, 8\nz(i + 1) = 2z(i) for i >= 1"));
        let squares = law_of(|n| n.isqrt().pow(2) == n, 4000);
        assert_eq!(squares.as_deref(), Some("zeros\nz(i) = i^2"));
        let triangles = law_of(|n| (8 * n + 1).isqrt().pow(2) == 8 * n + 1 && n > 0, 4000);
        assert_eq!(triangles.as_deref(), Some("zeros\nz(i) = floor((i^2 + 3i + 2)/2)"));
    }

    #[test]
    fn lost_heaps_without_a_law_have_none() {
        let prime = |n: u32| n > 1 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        assert_eq!(law_of(prime, 4000), None);
        assert_eq!(law_of(|n| n < 5, 4000), None);
    }

    #[test]
    fn beatty_pairs_of_other_irrationals() {
        // Holladay's games: lost pairs differ by k i, first entries are the least unused.
        for k in 1..=4_u32 {
            let (mut used, mut lost) = (vec![false; 5000], Vec::new());
            let mut a = 0;
            for i in 0..200 {
                while used[a as usize] {
                    a += 1;
                }
                let b = a + k * i;
                (used[a as usize], used[b as usize]) = (true, true);
                lost.push((a, b));
            }
            let law = beatty(&lost).expect("a pair of Beatty");
            for (a, b) in &lost {
                assert!(law.lost_pair(u128::from(*b), u128::from(*a)).unwrap(), "{law}");
                assert!(!law.lost_pair(u128::from(*a), u128::from(*b) + 1).unwrap(), "{law}");
            }
        }
        let squares: Vec<(u32, u32)> = (0..40).map(|i| (i * i, i * i + i)).collect();
        assert!(beatty(&squares).is_none());
    }
}
