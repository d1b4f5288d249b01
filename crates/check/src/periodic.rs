//! Proof rules R1 and R2: a period that a finite check settles for ever.
//!
//! Both follow one argument. Let a move take at most `t` and leave at most `d` heaps, and let
//! `g(n + p) = g(n)` for all n with `n0 <= n < d*n0 + (d - 1)*p + t`. Then it holds for all `n >= n0`: take `n` beyond that
//! range and suppose it for all smaller ones. An option of `n + p` takes `r <= t` and its largest heap is at least
//! `(n + p - r)/d >= n0 + p`; with `p` less it is an option of `n` of the same value. An option of `n` has a
//! largest heap of at least `(n - r)/d >= n0`; with `p` more it is an option of `n + p` of the same value. So both have the
//! same options' values, hence the same mex.
//!
//! With d = 1 this is R1, finite subtraction sets; with d = 2 the theorem of Guy and Smith (The G-values of various
//! games, Proc. Cambridge Philos. Soc. 52, 1956) for octal codes; with d = 3 the same for hexadecimal codes. Heaps
//! of 0 are no heaps in a code, so that the heap that was made smaller must keep at least 1: `n0 >= 1` is taken there,
//! which loses nothing since heap 0 is compared by itself. Digits that tell equal parts from unequal ones do not
//! survive adding `p` to one part: they are refused.
//!
//! The values are computed here, by the plain definition, and not read from the certificate.

use grundy_rule::shape::{Digit, Shape, TakeAndBreak};

use crate::budget::Budget;
use crate::certificate::Period;
use crate::law::Law;
use crate::{Claim, Fault, Obligation, refuse};

/// Checks R1.
pub(crate) fn finite_subtraction(
    claim: &Claim,
    data: &Period,
    budget: &mut Budget,
) -> Result<Vec<Obligation>, Fault> {
    let set = claim.shapes().into_iter().find_map(|shape| match shape {
        Shape::Subtraction(set) => Some(set),
        _ => None,
    });
    let Some(set) = set else { return refuse("shape", "the rule is no finite subtraction game") };
    let most = set.last().copied().unwrap_or(0);
    let shape =
        Obligation::new("shape", format!("a subtraction game, {} numbers up to {most}", set.len()), 1);
    let end = sum(&[data.preperiod, data.period, most])?;
    let values = subtraction(&set, end, budget)?;
    let mut done = vec![shape];
    done.extend(settled(claim, data, data.preperiod, &values, budget)?);
    Ok(done)
}

/// Checks R2.
pub(crate) fn guy_smith(claim: &Claim, data: &Period, budget: &mut Budget) -> Result<Vec<Obligation>, Fault> {
    let code = claim.shapes().into_iter().find_map(|shape| match shape {
        Shape::TakeAndBreak(code) => Some(code),
        _ => None,
    });
    let Some(code) = code else { return refuse("shape", "the rule is no take-and-break code") };
    let Some(most_heaps) = heaps_left(&code) else {
        return refuse(
            "shape",
            format!("{code} has repeating digits, or tells equal parts from unequal ones"),
        );
    };
    let taken = code.digits.len() as u64 - 1;
    let shape = Obligation::new(
        "shape",
        format!("the code {code}: takes at most {taken}, leaves at most {most_heaps}"),
        1,
    );
    let begin = data.preperiod.max(1);
    let product = |a: u64, b: u64| a.checked_mul(b).ok_or_else(too_large);
    let end = sum(&[product(most_heaps, begin)?, product(most_heaps, data.period)?, taken])?;
    let values = take_and_break(&code, end, budget)?;
    let mut done = vec![shape];
    done.extend(settled(claim, data, begin, &values, budget)?);
    Ok(done)
}

/// Compares what was computed with its period and with the law. `values` reach as far as the theorem asks, plus a period.
fn settled(
    claim: &Claim,
    data: &Period,
    begin: u64,
    values: &[u32],
    budget: &mut Budget,
) -> Result<[Obligation; 2], Fault> {
    if data.period == 0 {
        return refuse("period", "the period is 0");
    }
    let index = |n: u64| usize::try_from(n).map_err(|_| too_large());
    let (begin, period) = (index(begin)?, index(data.period)?);
    let (early, later) = (&values[begin..values.len() - period], &values[begin + period..]);
    if let Some(at) = early.iter().zip(later).position(|(a, b)| a != b) {
        let n = begin + at;
        return refuse("period", format!("g({}) = {} and g({n}) = {}", n + period, later[at], early[at]));
    }
    let theorem =
        Obligation::new("period", format!("g(n + {period}) = g(n) for n >= {begin}"), early.len() as u64);

    // Two periodic sequences, q and p, that agree on p + q successive heaps of their periodic parts agree for ever: on
    // these the first has period p too, and a whole period of it, so it has period p for ever.
    let law = Law::new(&claim.law, &claim.rule.params)?;
    let (from, law_period) = law.period()?;
    let end = sum(&[from.max(begin as u64), law_period, period as u64])?;
    budget.hold(end.checked_mul(16).ok_or_else(too_large)?)?;
    budget.spend(end)?;
    let truth = |n: usize| if n < begin { values[n] } else { values[begin + (n - begin) % period] };
    let mut known = Vec::with_capacity(index(end)?);
    for n in 0..index(end)? {
        let value = if (n as u64) < claim.first { None } else { Some(law.value(n, &known)?) };
        if let Some(value) = value
            && value != i128::from(truth(n))
        {
            return refuse("law", format!("the law says g({n}) = {value}, but it is {}", truth(n)));
        }
        known.push(value);
    }
    Ok([theorem, Obligation::new("law", format!("the law has period {law_period} from {from} on"), end)])
}

fn too_large() -> Fault {
    Fault::Limit("a number of the certificate is far too large".to_string())
}

fn sum(numbers: &[u64]) -> Result<u64, Fault> {
    numbers.iter().try_fold(0_u64, |sum, n| sum.checked_add(*n)).ok_or_else(too_large)
}

/// Values of heaps 0..end of a subtraction game.
fn subtraction(set: &[u64], end: u64, budget: &mut Budget) -> Result<Vec<u32>, Fault> {
    budget.hold(end.checked_mul(4).ok_or_else(too_large)?)?;
    budget.spend(end.checked_mul(set.len() as u64 + 1).ok_or_else(too_large)?)?;
    let mut values: Vec<u32> = Vec::new();
    let mut seen = Seen::default();
    for n in 0..usize::try_from(end).map_err(|_| too_large())? {
        seen.clear();
        for t in set {
            match usize::try_from(*t).ok().and_then(|t| n.checked_sub(t)) {
                Some(left) => seen.add(values[left]),
                None => break,
            }
        }
        values.push(seen.mex());
    }
    Ok(values)
}

/// The most heaps that a move leaves; `None` if the theorem does not speak about the code.
fn heaps_left(code: &TakeAndBreak) -> Option<u64> {
    if !code.tail.is_empty() {
        return None;
    }
    let plain: Vec<u8> = code.digits.iter().map(|digit| digit.plain()).collect::<Option<_>>()?;
    let all = plain.iter().fold(0, |all, digit| all | digit);
    Some(if all & 8 != 0 {
        3
    } else if all & 4 != 0 {
        2
    } else {
        1
    })
}

/// Values of heaps 0..end of a code whose digits are plain.
fn take_and_break(code: &TakeAndBreak, end: u64, budget: &mut Budget) -> Result<Vec<u32>, Fault> {
    budget.hold(end.checked_mul(4).ok_or_else(too_large)?)?;
    let end = usize::try_from(end).map_err(|_| too_large())?;
    let three = code.digits.iter().any(|digit| digit.has(Digit::THREE));
    let mut values: Vec<u32> = Vec::new();
    // For each total the values of its splits into two heaps, where three heaps need them.
    let mut pairs: Vec<Vec<u32>> = Vec::new();
    let mut seen = Seen::default();
    for n in 0..end {
        seen.clear();
        for (t, digit) in code.digits.iter().enumerate() {
            let Some(rest) = n.checked_sub(t) else { break };
            if digit.has(Digit::NOTHING) && rest == 0 {
                seen.add(0);
            }
            // d0 has not this digit: a move leaves less than the heap.
            if digit.has(Digit::ONE) && 0 < rest && rest < n {
                seen.add(values[rest]);
            }
            if digit.has(Digit::TWO) && rest >= 2 {
                budget.spend(rest as u64 / 2)?;
                let half = rest / 2;
                for (a, b) in values[1..=half].iter().zip(values[rest - half..rest].iter().rev()) {
                    seen.add(a ^ b);
                }
            }
            if digit.has(Digit::THREE) && rest >= 3 {
                for a in 1..=rest - 2 {
                    budget.spend(pairs[rest - a].len() as u64)?;
                    for pair in &pairs[rest - a] {
                        seen.add(values[a] ^ pair);
                    }
                }
            }
        }
        values.push(seen.mex());
        if three {
            budget.spend(n as u64)?;
            // All splits of n, heap 0 left out; n itself is not a split of n + 1 yet.
            seen.clear();
            for a in 1..n {
                seen.add(values[a] ^ values[n - a]);
            }
            let found = seen.members();
            budget.hold(4 * found.len() as u64)?;
            pairs.push(found);
        }
    }
    Ok(values)
}

/// A set of nimbers that is emptied often: a value is in it if its mark is the present one.
#[derive(Default)]
struct Seen {
    marks: Vec<u32>,
    present: u32,
}

impl Seen {
    fn clear(&mut self) {
        if self.present == u32::MAX {
            self.marks.fill(0);
            self.present = 0;
        }
        self.present += 1;
    }

    fn add(&mut self, value: u32) {
        let value = value as usize;
        if value >= self.marks.len() {
            self.marks.resize((value + 1).next_power_of_two(), 0);
        }
        self.marks[value] = self.present;
    }

    /// The least value that is not in it.
    fn mex(&self) -> u32 {
        let first = self.marks.iter().position(|mark| *mark != self.present).unwrap_or(self.marks.len());
        u32::try_from(first).expect("a mex is at most the number of options, which was counted")
    }

    fn members(&self) -> Vec<u32> {
        let all = self.marks.iter().enumerate().filter(|(_, mark)| **mark == self.present);
        all.filter_map(|(value, _)| u32::try_from(value).ok()).collect()
    }
}
