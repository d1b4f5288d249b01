//! A number for each member of a family as an expression in the parameters.
//!
//! Tried in this order: a constant; a sum of the parameters, their squares and products with coefficients of -4 to 4,
//! the fewest terms first; half of such a sum; a power of 2 or 3 with something added. The coefficients are tried one and
//! all: there are few, and no equations have to be solved.

use grundy_rule::expr::Int;

/// The greatest coefficient, and its negative the least.
const MOST: Int = 4;

/// An expression in the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fitted {
    /// As it can be typed.
    pub(super) text: String,
    /// Whether it needs brackets beside other operations.
    pub(super) loose: bool,
}

/// One term without its coefficient.
#[derive(Clone, Debug)]
struct Term {
    text: String,
    values: Vec<Int>,
}

/// Fits `values`, one for each member, whose parameters have the values `points` (one for each name).
pub(super) fn fit(names: &[String], points: &[Vec<Int>], values: &[Int]) -> Option<Fitted> {
    let first = *values.first()?;
    if values.iter().all(|value| *value == first) {
        return Some(Fitted { text: first.to_string(), loose: first < 0 });
    }
    let terms = terms(names, points);
    if let Some(text) = sum(&terms, values) {
        let loose = !names.contains(&text);
        return Some(Fitted { text, loose });
    }
    let doubled: Option<Vec<Int>> = values.iter().map(|value| value.checked_mul(2)).collect();
    if let Some(text) = doubled.and_then(|doubled| sum(&terms, &doubled)) {
        return Some(Fitted { text: format!("({text}) // 2"), loose: true });
    }
    power(names, points, values)
}

/// The parameters, then their squares and products.
fn terms(names: &[String], points: &[Vec<Int>]) -> Vec<Term> {
    let column =
        |at: usize| points.iter().map(|point| point.get(at).copied().unwrap_or(0)).collect::<Vec<Int>>();
    let single: Vec<Term> =
        names.iter().enumerate().map(|(at, name)| Term { text: name.clone(), values: column(at) }).collect();
    let mut all = single.clone();
    for (i, a) in single.iter().enumerate() {
        for b in &single[i..] {
            let values = a.values.iter().zip(&b.values).map(|(a, b)| a.saturating_mul(*b)).collect();
            let text =
                if a.text == b.text { format!("{}^2", a.text) } else { format!("{}*{}", a.text, b.text) };
            all.push(Term { text, values });
        }
    }
    all
}

/// Coefficients for at most three of the terms, and a constant, that give the values.
fn sum(terms: &[Term], values: &[Int]) -> Option<String> {
    // Terms by number: few terms first, and the parameters themselves before their products.
    let mut choices: Vec<Vec<usize>> = (0..terms.len()).map(|a| vec![a]).collect();
    for a in 0..terms.len() {
        for b in a + 1..terms.len() {
            choices.push(vec![a, b]);
        }
    }
    for a in 0..terms.len() {
        for b in a + 1..terms.len() {
            for c in b + 1..terms.len() {
                choices.push(vec![a, b, c]);
            }
        }
    }
    // As many numbers as unknowns always fit.
    choices.iter().filter(|chosen| chosen.len() + 1 < values.len()).find_map(|chosen| {
        let chosen: Vec<&Term> = chosen.iter().map(|at| &terms[*at]).collect();
        coefficients(chosen.len()).into_iter().find_map(|factors| {
            let at = |member: usize| {
                chosen.iter().zip(&factors).try_fold(0, |sum: Int, (term, factor)| {
                    sum.checked_add(factor.checked_mul(term.values[member])?)
                })
            };
            let constant = values[0].checked_sub(at(0)?)?;
            let fits =
                (0..values.len()).all(|m| at(m).and_then(|sum| sum.checked_add(constant)) == Some(values[m]));
            fits.then(|| written(&chosen, &factors, constant))
        })
    })
}

/// All lists of so many coefficients, small ones first, without 0.
fn coefficients(count: usize) -> Vec<Vec<Int>> {
    let each: Vec<Int> = (1..=MOST).flat_map(|size| [size, -size]).collect();
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .into_iter()
            .flat_map(|list: Vec<Int>| {
                each.iter().map(move |factor| list.iter().copied().chain([*factor]).collect::<Vec<Int>>())
            })
            .collect();
    }
    all.sort_by_key(|list| list.iter().map(|factor| factor.abs()).sum::<Int>());
    all
}

fn written(terms: &[&Term], factors: &[Int], constant: Int) -> String {
    let mut text = String::new();
    let mut add = |negative: bool, word: String| {
        let sign = match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text.push_str(sign);
        text.push_str(&word);
    };
    // A sum that begins with a minus reads badly.
    let mut order: Vec<usize> = (0..terms.len()).collect();
    order.sort_by_key(|at| factors[*at] < 0);
    for at in order {
        let size = factors[at].abs();
        let factor = if size == 1 { String::new() } else { format!("{size}*") };
        add(factors[at] < 0, format!("{factor}{}", terms[at].text));
    }
    if constant != 0 {
        add(constant < 0, constant.abs().to_string());
    }
    text
}

/// `2^k + c`, `3^k + c`, `fib(k + c)`
fn power(names: &[String], points: &[Vec<Int>], values: &[Int]) -> Option<Fitted> {
    for (at, name) in names.iter().enumerate() {
        for base in [2, 3] {
            let at = |member: usize| {
                let exponent = u32::try_from(*points[member].get(at)?).ok()?;
                Int::checked_pow(base, exponent)
            };
            let Some(constant) = at(0).and_then(|power| values[0].checked_sub(power)) else { continue };
            let fits = (0..values.len())
                .all(|m| at(m).and_then(|power| power.checked_add(constant)) == Some(values[m]));
            if fits {
                let text = match constant {
                    0 => format!("{base}^{name}"),
                    c if c < 0 => format!("{base}^{name} - {}", -c),
                    c => format!("{base}^{name} + {c}"),
                };
                return Some(Fitted { text, loose: true });
            }
        }
        for shift in 0..=FIBONACCI {
            let at = |member: usize| fibonacci(points[member].get(at)?.checked_add(shift)?);
            if (0..values.len()).all(|m| at(m) == Some(values[m])) {
                let index = if shift == 0 { name.clone() } else { format!("{name} + {shift}") };
                return Some(Fitted { text: format!("fib({index})"), loose: false });
            }
        }
    }
    None
}

/// How far the index of a Fibonacci number may lie above the parameter.
const FIBONACCI: Int = 4;

/// fib(1) = fib(2) = 1, as in the language.
fn fibonacci(i: Int) -> Option<Int> {
    let (mut a, mut b) = (0, 1);
    for _ in 0..(0..=180).contains(&i).then_some(i)? {
        (a, b) = (b, a + b);
    }
    Some(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(of: impl Fn(Int) -> Int) -> Option<String> {
        let points: Vec<Vec<Int>> = (1..=8).map(|k| vec![k]).collect();
        let values: Vec<Int> = (1..=8).map(of).collect();
        fit(&["k".to_string()], &points, &values).map(|fitted| fitted.text)
    }

    #[test]
    fn numbers_are_expressions_in_the_parameter() {
        assert_eq!(one(|_| 7).as_deref(), Some("7"));
        assert_eq!(one(|k| k).as_deref(), Some("k"));
        assert_eq!(one(|k| k + 1).as_deref(), Some("k + 1"));
        assert_eq!(one(|k| 10 - 2 * k).as_deref(), Some("-2*k + 10"));
        assert_eq!(one(|k| k * k + k).as_deref(), Some("k + k^2"));
        assert_eq!(one(|k| k * (k + 1) / 2).as_deref(), Some("(k + k^2) // 2"));
        assert_eq!(one(|k| (1 << k) - 1).as_deref(), Some("2^k - 1"));
        assert_eq!(
            one(|k| [2, 3, 5, 8, 13, 21, 34, 55][usize::try_from(k).unwrap() - 1]).as_deref(),
            Some("fib(k + 2)")
        );
        assert_eq!(one(|k| k * k * k), None);
    }

    #[test]
    fn two_parameters() {
        let names = ["l".to_string(), "r".to_string()];
        let points: Vec<Vec<Int>> = (1..=3).flat_map(|l| (l..=6).map(move |r| vec![l, r])).collect();
        let of = |f: &dyn Fn(Int, Int) -> Int| {
            let values: Vec<Int> = points.iter().map(|point| f(point[0], point[1])).collect();
            fit(&names, &points, &values).map(|fitted| fitted.text)
        };
        assert_eq!(of(&|l, r| l + r).as_deref(), Some("l + r"));
        assert_eq!(of(&|l, r| l * r + 2 * l - 1).as_deref(), Some("2*l + l*r - 1"));
        assert_eq!(of(&|l, _| l).as_deref(), Some("l"));
    }
}
