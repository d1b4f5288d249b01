//! Closed forms as laws: the lemma's values in the notation in which laws are read.

use grundy_rule::rule::Param;
use grundy_rule::shape::SlidingWindow;

use super::closed::Closed;
use super::deleted::DeletedPoints;
use super::periodic::Subtraction;
use crate::error::Error;
use crate::law::Law;
use crate::limits::Clock;

/// A subtraction set with a longer period, and a game with more deleted heaps, has no law that anybody would read.
const LONGEST: usize = 1 << 18;
const DELETED: usize = 1 << 12;

/// The law of a closed form; `None` if it is too long to be written down.
///
/// # Errors
/// Limits, while a table is filled until it repeats.
pub(super) fn law(form: &mut Closed, params: &[Param], clock: &Clock) -> Result<Option<Law>, Error> {
    let text = match form {
        Closed::Sliding(window) => Some(sliding(window.shape())),
        Closed::Interval(interval) => {
            let (least, most) = interval.ends();
            let period = least + most;
            Some(match least {
                1 => format!("g(n) = n mod {period}"),
                _ => format!("g(n) = n mod {period} // {least}"),
            })
        }
        Closed::Deleted(game) => deleted(game),
        Closed::Subtraction(game) => subtraction(game, clock)?,
    };
    // A form whose numbers pass 128 bits is no law.
    Ok(text.and_then(|text| Law::parse(&text, params).ok()))
}

fn sliding(window: &SlidingWindow) -> String {
    let first = window.first;
    let nothing = |first: u64| format!("g(n) = 0 for n < {first}\n");
    let left = window.left.to_string();
    let below = if first == 0 { String::new() } else { nothing(first) };
    // Any lower heap from the first on: Nim.
    let nim = left == "0" || left.parse::<u64>().is_ok_and(|left| left <= first);
    match (nim, first) {
        (true, 0) => "g(n) = n".to_string(),
        (true, _) => format!("{below}g(n + {first}) = n"),
        (false, 0) => format!("window L(n) = {left}"),
        (false, _) => format!("{below}window L(n) = {left} for n >= {first}"),
    }
}

/// The deleted heaps one by one, then the stretches between them from above.
fn deleted(game: &DeletedPoints) -> Option<String> {
    let (start, deleted) = (game.start(), game.deleted());
    if deleted.len() > DELETED {
        return None;
    }
    let mut lines: Vec<String> = deleted.iter().map(|(heap, value)| format!("g({heap}) = {value}")).collect();
    for (gone, (heap, _)) in (1..).zip(deleted).collect::<Vec<_>>().into_iter().rev() {
        lines.push(format!("g(n) = n - {} for n > {heap}", start.checked_add(gone)?));
    }
    lines.push(match start {
        0 => "g(n) = n".to_string(),
        start => format!("g(n) = max(n - {start}, 0)"),
    });
    Some(lines.join("\n"))
}

fn subtraction(game: &mut Subtraction, clock: &Clock) -> Result<Option<String>, Error> {
    // Any heap far out asks for the period.
    game.nimber(u128::MAX >> 2, clock)?;
    let Some((preperiod, period)) = game.period() else { return Ok(None) };
    let Some(listed) = preperiod.checked_add(period).filter(|listed| *listed <= LONGEST) else {
        return Ok(None);
    };
    let mut values = Vec::with_capacity(listed);
    for n in 0..listed {
        values.push(game.nimber(u128::try_from(n).unwrap_or(0), clock)?.to_string());
    }
    let from = if preperiod > 0 { format!(" for n >= {preperiod}") } else { String::new() };
    Ok(Some(format!("g(0..) = {}\ng(n + {period}) = g(n){from}", values.join(", "))))
}

#[cfg(test)]
mod tests {
    use grundy_rule::Rule;
    use grundy_rule::argument::Argument;

    use crate::limits::Limits;
    use crate::standing::lemma;
    use crate::table::{Options, tabulate};

    fn law(text: &str, args: &[(&str, &str)]) -> String {
        let args: Vec<(String, Argument)> =
            args.iter().map(|(name, value)| (name.to_string(), Argument::parse(value).unwrap())).collect();
        let (rule, _) = Rule::parse(text, &args).unwrap();
        let stated = lemma(&rule, None, &Limits::default()).unwrap().expect("a lemma speaks about it");
        let table = tabulate(&rule, 400, &Options::default()).unwrap();
        for (n, right) in (0_u128..).zip(table.iter()) {
            assert_eq!(stated.law.value(n).unwrap(), u128::from(right), "{text} at {n}: {}", stated.law);
        }
        stated.law.to_string()
    }

    #[test]
    fn every_lemma_states_a_law_that_is_the_table() {
        assert_eq!(law("n -> a where a < n", &[]), "g(n) = n");
        assert_eq!(law("x -> y where x/k <= y < x", &[("k", "3")]), "window L(n) = ceil(n/3)");
        assert_eq!(law("n -> n - t where 1 <= t <= n/3", &[]), "window L(n) = n - floor(n/3)");
        assert_eq!(law("n -> n - t where 1 <= t, t*t <= n", &[]), "window L(n) = n - sqrt(n)");
        assert_eq!(law("n -> n - t where t in 1..3", &[]), "g(n) = n mod 4");
        assert_eq!(law("n -> n - t where t in 2..5", &[]), "g(n) = n mod 7 // 2");
        let set = law("n -> n - t where t in {1, 3, 4}", &[]);
        assert_eq!(set, "g(0..) = 0, 1, 0, 1, 2, 3, 2\ng(n + 7) = g(n)");
        law("n -> a where 7 <= a < n", &[]);
        law("n -> n - t where 1 <= t <= 5, n - t >= 4", &[]);
        let banned =
            law("x -> x - t where t >= 1, (x, t) not in banned", &[("banned", "(1,1),(3,2),(3,3),(9,4)")]);
        assert!(banned.starts_with("g(1) = 0\n"), "{banned}");
    }
}
