//! Take-and-break games with one or two heaps left: octal codes, Grundy's game and their relatives.
//!
//! Two methods share the values and are both exact: [`dense`] works for every game, [`sparse`] is far faster where
//! nearly all values lie on one side of a [`parity`]. At heaps that grow by halves the engine trains the parity
//! anew and takes the method that will do better. It also looks whether the game has become periodic for ever
//! ([`period`]); then the rest is copied. A long sparse run ends by keeping only the values that are still read, so that
//! its memory no longer grows; should it need others after all, it makes all values again and keeps them.

mod dense;
mod game;
mod parity;
mod period;
mod sparse;

use grundy_rule::shape::TakeAndBreak;

use self::dense::Dense;
use self::game::{Game, Known};
use self::parity::Parity;
use self::sparse::{PREFIX, Sparse, Stop};
use super::engine::Engine;
use super::repeat::Cycle;
use super::{Store, Values};
use crate::error::Error;

/// Which of the two methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Whichever will do better.
    Either,
    /// All splits.
    Dense,
    /// Rare heaps first.
    Sparse,
}

/// The engine.
pub(super) struct Breaking {
    game: Game,
    known: Known,
    method: Method,
    /// Leaves the check of candidates out.
    candidates: bool,
    dense: Dense,
    sparse: Option<Sparse>,
    cycle: Option<Cycle<u16>>,
    /// The next heap at which to look for a period and a better parity.
    look: usize,
    /// From this heap on values that are no longer read may go; none if that has failed.
    forget: Option<usize>,
}

/// The first heap from which on values may be forgotten: up to here they take 130 MB.
const FORGET: usize = 1 << 25;
/// The first heap at which to look.
const FIRST_LOOK: usize = 256;
/// Values made at a time; no fewer are known of the last heaps ([`PREFIX`]).
const MOST: usize = PREFIX;
/// Sparse pays if at most one heap in so many is rare.
const SPARSE: usize = 8;

impl Breaking {
    /// Whether it is an engine for that code.
    pub(super) fn serves(code: &TakeAndBreak) -> bool {
        Game::new(code).is_some()
    }

    /// For that code; `None` if it leaves three heaps or its digits never end. `candidates`: the values of the
    /// sparse method need not be checked.
    pub(super) fn new(code: &TakeAndBreak, method: Method, candidates: bool, cores: usize) -> Option<Self> {
        let game = Game::new(code)?;
        let (known, dense) = (Known::default(), Dense::new(cores));
        Some(Breaking {
            game,
            known,
            method,
            candidates,
            dense,
            sparse: None,
            cycle: None,
            look: FIRST_LOOK,
            forget: Some(FORGET),
        })
    }

    /// Looks whether all is known, or what will do better from here on.
    fn look(&mut self) {
        self.look += self.look / 2;
        // A period of values that are not known to be right proves nothing.
        if self.game.plain
            && !self.is_observed()
            && let Some(found) = period::find(self.known.all(), self.game.longest)
        {
            self.cycle = Some(Cycle::new(self.known.since(self.known.len() - found.period), 0));
            self.known = Known::default();
            return;
        }
        if self.method == Method::Dense {
            return;
        }
        let Some((parity, rare)) = Parity::train(&self.game, &self.known) else { return };
        if self.method == Method::Either && rare * SPARSE > self.known.len() {
            self.sparse = None;
        } else if self.sparse.as_ref().is_none_or(|sparse| rare < sparse.rare()) {
            self.sparse = Some(Sparse::new(parity, &self.known, self.candidates));
        }
        if let Some(sparse) = &self.sparse
            && self.forget.is_some_and(|from| self.known.len() >= from)
        {
            let tail = sparse.reach() + self.game.longest + PREFIX;
            if tail <= self.known.len() / 4 {
                self.known.forget(PREFIX + 1, tail);
                // There is no way to look for anything any more.
                self.look = usize::MAX;
            }
        }
    }

    /// Makes the values of all heaps so far again and keeps them from now on.
    #[cold]
    fn again(&mut self) -> Result<(), Error> {
        let end = self.known.len();
        self.known = Known::default();
        // Marks are only ever cleared as far as values reach, and those begin anew.
        self.dense = self.dense.anew();
        (self.sparse, self.look, self.forget) = (None, FIRST_LOOK, None);
        self.make(end, None)
    }

    /// The values of the next heaps, for the store if there is one.
    fn make(&mut self, mut more: usize, mut store: Option<&mut Store>) -> Result<(), Error> {
        while more > 0 {
            if let Some(cycle) = &mut self.cycle {
                match store {
                    Some(store) => cycle.fill(store, more)?,
                    None => cycle.pass(more),
                }
                return Ok(());
            }
            let start = self.known.len();
            // So few that they are still known afterwards.
            let piece = more.min(self.look - start).min(MOST);
            let filled = match &mut self.sparse {
                Some(sparse) => sparse.fill(&self.game, &mut self.known, piece),
                None => self.dense.fill(&self.game, &mut self.known, piece).map_err(|()| Stop::Wide),
            };
            let made = self.known.len() - start;
            if let Some(store) = store.as_deref_mut() {
                store.extend(self.known.since(start))?;
            }
            more -= made;
            match filled {
                Ok(()) => {}
                Err(Stop::Wide) => return Err(too_wide(self.known.len())),
                Err(Stop::Gap) => self.again()?,
            }
            if self.known.len() == self.look {
                self.look();
            }
        }
        Ok(())
    }
}

impl Engine for Breaking {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        self.make(more, Some(store))
    }

    fn learn(&mut self, values: Values<'_>) -> Result<bool, Error> {
        // The values are all that is kept, and each saves a search among the splits of a heap. The looks are taken
        // where they would have been.
        for value in values.iter() {
            let heap = self.known.len();
            let value = u16::try_from(value).map_err(|_| too_wide(heap))?;
            if self.known.has_gap() && self.sparse.as_ref().is_some_and(|sparse| sparse.is_rare(heap, value))
            {
                self.again()?;
            }
            if let Some(cycle) = &mut self.cycle {
                cycle.pass(1);
                continue;
            }
            self.known.push(value);
            if let Some(sparse) = &mut self.sparse {
                sparse.sort(heap, value);
            }
            if self.known.len() == self.look {
                self.look();
            }
        }
        Ok(true)
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        let sparse = self.sparse.as_ref().map_or(0, Sparse::bytes);
        self.known.bytes() + sparse + self.cycle.as_ref().map_or(0, Cycle::bytes)
    }

    fn is_observed(&self) -> bool {
        self.candidates && self.sparse.is_some()
    }
}

fn too_wide(heap: usize) -> Error {
    Error::new("width", format!("the value of heap {heap} passes 65535, the greatest of this engine"))
        .help("--engine reference holds values up to 2^32 - 3")
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, goes_on, naive};
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

    fn engine(digits: &[u8], method: Method, cores: usize) -> Breaking {
        let digits = digits.iter().map(|d| Digit(*d)).collect();
        Breaking::new(&TakeAndBreak::new(digits, Vec::new()), method, false, cores).unwrap()
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
            for method in [Method::Either, Method::Dense, Method::Sparse] {
                agrees(&mut engine(&digits, method, 1), &plain, cut)?;
                // Known from before: everything, nothing, something.
                for known in [plain.len(), 0, plain.len() * cut / 300] {
                    goes_on(&mut engine(&digits, method, 1), &plain, known, cut)?;
                }
            }
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
            for (method, cores) in
                [(Method::Either, 1), (Method::Dense, 1), (Method::Dense, 2), (Method::Sparse, 1)]
            {
                agrees(&mut engine(digits, method, cores), &plain, 5000).unwrap();
            }
            for sifts in [false, true] {
                let mut engine = engine(digits, Method::Dense, 2);
                engine.dense.look_as(sifts);
                agrees(&mut engine, &plain, 5000).unwrap();
            }
        }
    }

    #[test]
    fn rare_heaps_are_those_of_the_literature() {
        // Masks and rare heaps as published (our count leaves heap 0 out, which is rare for .156 and .16).
        let games: [(&[u8], u16, usize); 4] = [
            (&[0, 1, 0, 14], 0xd, 15),
            (&[0, 1, 0, 12], 0x17, 20),
            (&[0, 1, 13, 14], 0x1b, 14),
            (&[0, 1, 14], 0x1e, 52),
        ];
        for (digits, mask, rare) in games {
            let mut engine = engine(digits, Method::Sparse, 1);
            engine.game.plain = false; // Keep it from copying a period.
            engine.fill(&mut Store::new(), 20_000).unwrap();
            let sparse = engine.sparse.unwrap();
            assert_eq!((sparse.parity().mask, sparse.rare()), (mask, rare), "{digits:?}");
        }
    }

    #[test]
    fn what_is_not_read_is_forgotten() {
        // .106, .104, .16, .127, .156, .6, Grundy's game: with few rare heaps, with late ones, periodic.
        let codes: [&[u8]; 7] =
            [&[0, 1, 0, 14], &[0, 1, 0, 12], &[0, 1, 14], &[0, 1, 2, 15], &[0, 1, 13, 14], &[0, 14], &[8]];
        let (mut forgot, mut again) = (0, 0);
        for digits in codes {
            let plain = plain(digits, 9000);
            for (from, known) in [(300, 0), (3000, 0), (3000, 5000), (300, 9001)] {
                let mut engine = engine(digits, Method::Sparse, 1);
                engine.forget = Some(from);
                goes_on(&mut engine, &plain, known, 700).unwrap();
                forgot += usize::from(engine.known.has_gap());
                again += usize::from(engine.forget.is_none());
                if engine.known.has_gap() {
                    assert!(engine.bytes() < 4 * 9000, "{digits:?}: {}", engine.bytes());
                }
            }
        }
        assert!(forgot >= 5 && again >= 3, "{forgot} {again}");
    }

    #[test]
    fn candidates_are_observed_only() {
        let digits: Vec<Digit> = [0, 14].map(Digit).to_vec();
        let code = TakeAndBreak::new(digits, Vec::new());
        let mut engine = Breaking::new(&code, Method::Sparse, true, 1).unwrap();
        assert!(!engine.is_observed());
        engine.fill(&mut Store::new(), 2000).unwrap();
        assert!(engine.is_observed());
    }
}
