//! Take-and-break games with one or two heaps left: octal codes, Grundy's game and their relatives.
//!
//! Two methods share the values: [`dense`] works for every game, [`sparse`] is far faster where nearly all values
//! lie on one side of a parity. At heaps that double the engine looks which of them will do better, and whether
//! the game has become periodic for ever ([`period`]); then the rest is copied.

mod dense;
mod game;
mod period;

use grundy_rule::shape::TakeAndBreak;

use self::dense::Dense;
use self::game::{Game, Known};
use super::Store;
use super::engine::Engine;
use super::repeat::Cycle;
use crate::error::Error;

/// The engine.
pub(super) struct Breaking {
    game: Game,
    known: Known,
    dense: Dense,
    cycle: Option<Cycle<u16>>,
    /// The next heap at which to look for a period.
    look: usize,
}

impl Breaking {
    /// For that code; `None` if it leaves three heaps or its digits never end.
    pub(super) fn new(code: &TakeAndBreak, cores: usize) -> Option<Self> {
        let game = Game::new(code)?;
        Some(Breaking { game, known: Known::default(), dense: Dense::new(cores), cycle: None, look: 256 })
    }
}

impl Engine for Breaking {
    fn fill(&mut self, store: &mut Store, mut more: usize) -> Result<(), Error> {
        while more > 0 {
            if let Some(cycle) = &mut self.cycle {
                return cycle.fill(store, more);
            }
            let start = self.known.len();
            let piece = more.min(self.look - start);
            self.dense.fill(&self.game, &mut self.known, piece).map_err(|()| too_wide(self.known.len()))?;
            store.extend(&self.known.forward[start..])?;
            more -= piece;
            if self.known.len() == self.look {
                self.look += self.look / 2;
                if self.game.plain
                    && let Some(found) = period::find(&self.known.forward, self.game.longest)
                {
                    let period = &self.known.forward[self.known.len() - found.period..];
                    self.cycle = Some(Cycle::new(period, 0));
                    self.known = Known::default();
                }
            }
        }
        Ok(())
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        self.known.bytes() + self.cycle.as_ref().map_or(0, Cycle::bytes)
    }
}

fn too_wide(heap: usize) -> Error {
    Error::new("width", format!("the value of heap {heap} passes 65535, the greatest of this engine"))
        .help("--engine reference holds values up to 2^32 - 3")
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use grundy_rule::shape::Digit;
    use proptest::prelude::*;

    /// The options by the meaning of the digits.
    fn options(digits: &[u8], n: u64) -> Vec<Vec<u64>> {
        let mut all = Vec::new();
        for (taken, digit) in (0..=n).zip(digits) {
            let m = n - taken;
            if digit & 1 != 0 && m == 0 {
                all.push(vec![]);
            }
            if digit & 2 != 0 && m > 0 {
                all.push(vec![m]);
            }
            let equal = digit & 4 != 0;
            let unequal = digit & 8 != 0;
            all.extend((1..m).map(|i| vec![i, m - i]).filter(|p| if p[0] == p[1] { equal } else { unequal }));
        }
        all
    }

    fn engine(digits: &[u8], cores: usize) -> Breaking {
        let digits = digits.iter().map(|d| Digit(*d)).collect();
        Breaking::new(&TakeAndBreak::new(digits, Vec::new()), cores).unwrap()
    }

    /// Digits with d0 leaving two heaps or nothing at all.
    fn digits() -> impl Strategy<Value = Vec<u8>> {
        (prop_oneof![Just(0_u8), Just(12), Just(8), Just(4)], prop::collection::vec(0_u8..16, 1..5))
            .prop_map(|(first, rest)| [first].into_iter().chain(rest).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn equals_the_definition(digits in digits(), n in 0_u64..700, cut in 1_usize..300) {
            let plain = naive(n, |n| options(&digits, n));
            agrees(&mut engine(&digits, 1), &plain, cut)?;
        }
    }

    /// The values by the definition, fast enough for long tables.
    fn plain(digits: &[u8], n: usize) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::new();
        let mut set = crate::nimber::Mex::new();
        for heap in 0..=n {
            set.clear();
            for (taken, digit) in digits.iter().enumerate().take(heap + 1) {
                let m = heap - taken;
                if digit & 1 != 0 && m == 0 {
                    set.insert(0);
                }
                if digit & 2 != 0 && m > 0 {
                    set.insert(values[m]);
                }
                for i in 1..=m / 2 {
                    if digit & if 2 * i == m { 4 } else { 8 } != 0 {
                        set.insert(values[i] ^ values[m - i]);
                    }
                }
            }
            values.push(u32::try_from(set.mex()).unwrap());
        }
        values
    }

    #[test]
    fn long_tables_equal_the_definition() {
        // .007, .04, .6, Grundy's game, .106, .156: dense and sparse, on one core and on two.
        let codes: [&[u8]; 6] =
            [&[0, 0, 0, 15], &[0, 0, 12], &[0, 14], &[8], &[0, 1, 0, 14], &[0, 1, 13, 14]];
        for digits in codes {
            let plain = plain(digits, 12_000);
            for cores in [1, 2] {
                agrees(&mut engine(digits, cores), &plain, 5000).unwrap();
            }
        }
    }
}
