//! Melons: two eaters share n melons, and a larger take keeps one busy longer.
//!
//! A player who is free takes j melons, 1 <= j <= min(L, rest), and is busy for j time units. Both are free
//! at time 0; at equal times the first player goes first. Each wants most, so the two totals add to n and
//! the game is one of score. (CodeM 2017, "melons"; the judge's own input format is lost.)
//!
//! **Formula.** Write r for the melons left and d for how much longer the other player is busy. The player
//! who takes now still gets
//!
//! * first player:  min(r, max(L + d, ceil((r + d) / 2)))       for 0 <= d <= L,
//! * second player: min(r, max(L + d - 1, floor((r + d) / 2)))  for 1 <= d <= L
//!
//! (the second takes at d = 0 never: ties go to the first). It holds for all n and L >= 1; the tests compare
//! it with exhaustive search. From it every best first take follows without search: a take is best exactly if
//! the reply's formula leaves the first player the value of the game.

use grundy_rule::Int;

use super::{Answer, BuiltIn, Given, Verdict};
use crate::error::Error;
use crate::limits::Limits;

/// Best first takes are listed when there are at most this many takes to look at.
const LISTED_TAKES: Int = 100_000;

/// Longer lines of play are not told, and no more takes than this are tried for each step of one.
const LONGEST_LINE: usize = 1000;

/// The game of melons; a position is `n L`.
#[derive(Debug)]
pub struct Melon;

/// What the player who takes now still gets: `rest` melons left, the other busy for `delay` more, takes of at
/// most `limit`. Numbers up to 2^120.
#[must_use]
pub fn still_gets(first: bool, rest: Int, delay: Int, limit: Int) -> Int {
    if first {
        let half = (rest + delay) / 2 + (rest + delay) % 2;
        rest.min(half.max(limit + delay))
    } else {
        rest.min(((rest + delay) / 2).max(limit + delay - 1))
    }
}

/// All best first takes of `n` melons with takes of at most `limit`, ascending; `None` if there are more than
/// 100 000 takes to look at.
#[must_use]
pub fn best_takes(n: Int, limit: Int) -> Option<Vec<Int>> {
    let most = n.min(limit);
    if most > LISTED_TAKES {
        return None;
    }
    let value = still_gets(true, n, 0, limit);
    Some((1..=most).filter(|&take| n - still_gets(false, n - take, take, limit) == value).collect())
}

/// A line of best play: the first player's takes as `A3`, the second's as `B1`, each the least best one. `None` if it
/// is longer than [`LONGEST_LINE`].
fn line(n: Int, limit: Int) -> Option<Vec<String>> {
    let (mut rest, mut first, mut delay) = (n, true, 0);
    let mut line = Vec::new();
    while rest > 0 {
        if line.len() == LONGEST_LINE {
            return None;
        }
        let value = still_gets(first, rest, delay, limit);
        // What a take leads to: who takes next, and how much longer the other is busy then.
        let next = |take: Int| {
            if take > delay || (take == delay && !first) {
                (!first, take - delay)
            } else {
                (first, delay - take)
            }
        };
        let gets = |take: &Int| {
            let (who, delay) = next(*take);
            let other = still_gets(who, rest - take, delay, limit);
            if who == first { take + other } else { rest - other }
        };
        let take = (1..=limit.min(rest)).take(LONGEST_LINE).find(|take| gets(take) == value)?;
        line.push(format!("{}{take}", if first { 'A' } else { 'B' }));
        (first, delay) = next(take);
        rest -= take;
    }
    Some(line)
}

fn read(position: &Given) -> Result<(Int, Int), Error> {
    const BOUND: Int = 1 << 120;
    match position {
        Given::Numbers(numbers) => match numbers[..] {
            [n, limit] if (1..BOUND).contains(&n) && (1..BOUND).contains(&limit) => Ok((n, limit)),
            [n, limit] => Err(Error::new(
                "position",
                format!("melon takes n and L from 1 to 2^120 - 1, got n = {n}, L = {limit}"),
            )),
            _ => Err(Error::new(
                "position",
                format!("melon takes two numbers, n and L, got {}", numbers.len()),
            )),
        },
        Given::Text(text) => {
            Err(Error::new("position", format!("melon takes two numbers, n and L, got `{text}`")))
        }
    }
}

impl BuiltIn for Melon {
    fn name(&self) -> &'static str {
        "melon"
    }

    fn summary(&self) -> &'static str {
        "n melons; a free player takes 1..L and is busy as long; at equal times the first goes first; most melons count"
    }

    fn usage(&self) -> &'static str {
        "two numbers, n melons and the most one may take at a time, L: `20 3`"
    }

    fn verdict(&self, position: &Given, _limits: &Limits) -> Result<Verdict, Error> {
        let (n, limit) = read(position)?;
        Ok(Verdict::Score(still_gets(true, n, 0, limit)))
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let (n, limit) = read(position)?;
        let verdict = self.verdict(position, limits)?;
        let moves = best_takes(n, limit).map(|takes| takes.iter().map(Int::to_string).collect());
        let half = n / 2 + n % 2;
        Ok(Answer {
            verdict,
            nimber: None,
            moves,
            line: line(n, limit),
            reason: format!(
                "the first player gets min(n, max(L, ceil(n/2))) = min({n}, max({limit}, {half})), \
                 a formula proved for all n and L"
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::{Game, Score};
    use super::super::memo::Memo;
    use super::*;

    /// gets[first][rest][delay] by backward induction from the rules alone.
    fn exhaustive(n: usize, limit: usize) -> Vec<[Vec<usize>; 2]> {
        let mut gets: Vec<[Vec<usize>; 2]> = vec![[vec![0; limit + 1], vec![0; limit + 1]]];
        for rest in 1..=n {
            let mut now = [vec![0; limit + 1], vec![0; limit + 1]];
            for first in [false, true] {
                for delay in 0..=limit {
                    let mut best = 0;
                    for take in 1..=limit.min(rest) {
                        let left = rest - take;
                        let other_next = take > delay || (take == delay && !first);
                        let total = if other_next {
                            take + left - gets[left][usize::from(!first)][take - delay]
                        } else {
                            take + gets[left][usize::from(first)][delay - take]
                        };
                        best = best.max(total);
                    }
                    now[usize::from(first)][delay] = best;
                }
            }
            gets.push(now);
        }
        gets
    }

    #[test]
    fn the_formula_is_exhaustive_search_in_every_state() {
        for limit in 1..=60usize {
            let gets = exhaustive(300, limit);
            let l = limit as Int;
            for (rest, state) in gets.iter().enumerate() {
                for (delay, (second, first)) in state[0].iter().zip(&state[1]).enumerate().take(limit + 1) {
                    let (r, d) = (rest as Int, delay as Int);
                    assert_eq!(still_gets(true, r, d, l), *first as Int, "first, r={r} d={d} L={l}");
                    if delay >= 1 {
                        assert_eq!(still_gets(false, r, d, l), *second as Int, "second, r={r} d={d} L={l}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_line_of_best_play_takes_everything_and_earns_the_value() {
        for limit in 1..=12 {
            for n in 1..=60 {
                let line = line(n, limit).expect("short");
                let takes = |who: char| -> Int {
                    line.iter().filter_map(|step| step.strip_prefix(who)?.parse::<Int>().ok()).sum()
                };
                let value = still_gets(true, n, 0, limit);
                assert_eq!((takes('A'), takes('B')), (value, n - value), "n={n} L={limit}: {line:?}");
            }
        }
    }

    /// The rules over the trait; the score is the taker's lead.
    struct Eaters {
        limit: i64,
    }

    /// Melons left, whether the first player takes, how much longer the other is busy.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    struct Table {
        rest: i64,
        first: bool,
        delay: i64,
    }

    impl Game for Eaters {
        type Position = Table;
        type Move = i64;

        fn moves(&self, at: &Table) -> Vec<i64> {
            (1..=self.limit.min(at.rest)).collect()
        }

        fn after(&self, at: &Table, take: &i64) -> Table {
            let (first, delay) =
                if self.again(at, take) { (at.first, at.delay - take) } else { (!at.first, take - at.delay) };
            Table { rest: at.rest - take, first, delay }
        }

        fn stuck(&self, _: &Table) -> Score {
            0
        }

        fn scored(&self) -> bool {
            true
        }

        fn gain(&self, _: &Table, take: &i64) -> Score {
            *take
        }

        fn again(&self, at: &Table, take: &i64) -> bool {
            *take < at.delay || (*take == at.delay && at.first)
        }

        fn bounds(&self, at: &Table) -> (Score, Score) {
            (-at.rest, at.rest)
        }
    }

    #[test]
    fn the_formula_is_memoised_search_over_the_trait() {
        for limit in 1..=8 {
            let game = Eaters { limit };
            let mut solver = Memo::new(&game, &Limits::default());
            for rest in 1..=40 {
                let best = solver.best(&Table { rest, first: true, delay: 0 }).unwrap();
                let gets = still_gets(true, rest.into(), 0, limit.into());
                assert_eq!(Int::from(best.score), 2 * gets - Int::from(rest), "n={rest} L={limit}");
                let takes: Vec<Int> = best.moves.into_iter().map(Int::from).collect();
                assert_eq!(best_takes(rest.into(), limit.into()), Some(takes), "n={rest} L={limit}");
            }
        }
    }

    #[test]
    fn every_best_take_and_no_other_is_listed() {
        for limit in 1..=60usize {
            let gets = exhaustive(300, limit);
            for n in 1..=300usize {
                let best: Vec<Int> = (1..=limit.min(n))
                    .filter(|&take| n - gets[n - take][0][take] == gets[n][1][0])
                    .map(|take| take as Int)
                    .collect();
                assert_eq!(best_takes(n as Int, limit as Int), Some(best), "n={n} L={limit}");
            }
        }
        assert_eq!(best_takes(8, 3), Some(vec![1, 2]));
    }
}
