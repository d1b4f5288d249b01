//! Take-and-break codes of every other sort: three heaps left, and digits that repeat for ever.
//!
//! For every m, the nim-sums of two heaps that add up to m are a set of values, kept as a bit set; those of three
//! heaps are the union, over the smallest heap i, of the two-heap sets of m - i translated by g(i). The options of n
//! are then unions of such sets, for m = n - t. Digits that repeat with a period r would need all m from n down:
//! there the sets of one residue modulo r are joined into one as they fall out of the finite part, so that each heap
//! joins r sets and not n.
//!
//! For codes with one or two heaps and finitely many digits [`super::take_and_break`] is faster: it need not know
//! the whole sets.

use grundy_rule::shape::{Digit, TakeAndBreak};

use super::Store;
use super::engine::Engine;
use super::xor_closure::join_translated;
use crate::error::Error;
use crate::limits::Clock;

/// The engine.
pub(super) struct Splits {
    code: TakeAndBreak,
    values: Vec<u32>,
    /// For each m, what a sum of m may leave, by pattern; sets of old m are dropped where none needs them.
    sums: Vec<Sets>,
    /// The sets of all m that only the repeating digits reach, joined by m modulo the length of the tail.
    joined: Vec<Sets>,
    /// Whether three heaps may be left somewhere.
    triples: bool,
    clock: Clock,
    bytes: u64,
}

/// Nim-sums as bits, by pattern.
#[derive(Clone, Debug, Default)]
struct Sets {
    one: Vec<u64>,
    equal: bool,
    unequal: Vec<u64>,
    three: Vec<u64>,
}

impl Sets {
    fn bytes(&self) -> u64 {
        ((self.one.capacity() + self.unequal.capacity() + self.three.capacity()) * 8 + size_of::<Sets>())
            as u64
    }

    fn join(&mut self, other: &Sets) {
        join(&mut self.one, &other.one);
        self.equal |= other.equal;
        join(&mut self.unequal, &other.unequal);
        join(&mut self.three, &other.three);
    }

    /// Adds to `set` what the patterns of a digit allow.
    fn allowed(&self, digit: Digit, set: &mut Vec<u64>) {
        if digit.has(Digit::ONE) {
            join(set, &self.one);
        }
        if digit.has(Digit::TWO_EQUAL) && self.equal {
            insert(set, 0);
        }
        if digit.has(Digit::TWO_UNEQUAL) {
            join(set, &self.unequal);
        }
        if digit.has(Digit::THREE) {
            join(set, &self.three);
        }
    }
}

fn join(to: &mut Vec<u64>, from: &[u64]) {
    if to.len() < from.len() {
        to.resize(from.len(), 0);
    }
    to.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
}

fn insert(set: &mut Vec<u64>, value: u32) {
    let word = (value / 64) as usize;
    if word >= set.len() {
        set.resize(word + 1, 0);
    }
    set[word] |= 1 << (value % 64);
}

fn mex(set: &[u64]) -> u64 {
    let full = set.iter().take_while(|word| **word == u64::MAX).count();
    full as u64 * 64 + u64::from(set.get(full).map_or(0, |word| word.trailing_ones()))
}

impl Splits {
    /// For that code; `None` if some but not all sorts of three heaps may be left.
    pub(super) fn new(code: &TakeAndBreak, clock: &Clock) -> Option<Self> {
        let digits = || code.digits.iter().chain(&code.tail);
        let sorts = [Digit::THREE_EQUAL, Digit::THREE_TWO_ALIKE, Digit::THREE_UNEQUAL];
        let some = |digit: &Digit| sorts.iter().any(|sort| digit.has(*sort));
        if digits().any(|digit| some(digit) && !digit.has(Digit::THREE)) {
            return None;
        }
        Some(Splits {
            code: code.clone(),
            values: Vec::new(),
            sums: Vec::new(),
            joined: vec![Sets::default(); code.tail.len()],
            triples: digits().any(some),
            clock: clock.clone(),
            bytes: 0,
        })
    }

    /// What a sum of `m` may leave in two or three heaps; all smaller heaps have their values.
    fn sets(&self, m: usize) -> Sets {
        let mut sets = Sets { equal: m >= 2 && m.is_multiple_of(2), ..Sets::default() };
        for i in 1..m.div_ceil(2) {
            insert(&mut sets.unequal, self.values[i] ^ self.values[m - i]);
        }
        if self.triples {
            for i in 1..=m / 3 {
                let two = &self.sums[m - i];
                // The universe of a translation is a power of 2 above both.
                let value = self.values[i];
                let words = two.unequal.len().max(value as usize / 64 + 1).next_power_of_two();
                let mut from = two.unequal.clone();
                from.resize(words, 0);
                if two.equal {
                    insert(&mut from, 0);
                }
                if sets.three.len() < words {
                    sets.three.resize(words, 0);
                }
                join_translated(&mut sets.three[..words], &from, value as usize);
            }
        }
        sets
    }

    /// The value of the next heap.
    fn step(&mut self) -> Result<u32, Error> {
        let n = self.values.len();
        let finite = self.code.digits.len();
        let sets = self.sets(n);
        self.bytes += sets.bytes() + 4;
        self.sums.push(sets);
        let mut set = Vec::new();
        if self.code.digit(n).has(Digit::NOTHING) {
            insert(&mut set, 0);
        }
        for (taken, digit) in self.code.digits.iter().enumerate().take(n + 1) {
            self.sums[n - taken].allowed(*digit, &mut set);
        }
        let tail = self.code.tail.len();
        if let Some(m) = n.checked_sub(finite).filter(|_| tail > 0) {
            self.joined[m % tail].join(&self.sums[m]);
            for (q, digit) in self.code.tail.iter().enumerate().take(m + 1) {
                self.joined[(m - q) % tail].allowed(*digit, &mut set);
            }
        }
        if let Some(old) = n.checked_sub(finite).filter(|_| !self.triples) {
            // Nothing reads it any more.
            self.bytes -= self.sums[old].bytes().min(self.bytes);
            self.sums[old] = Sets::default();
        }
        let value = u32::try_from(mex(&set)).map_err(|_| super::store::too_wide(n))?;
        self.values.push(value);
        if n > 0 {
            insert(&mut self.sums[n].one, value);
        }
        Ok(value)
    }
}

impl Engine for Splits {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        for i in 0..more {
            if i % 64 == 0 {
                self.clock.check()?;
                self.clock.memory(self.bytes + store.bytes())?;
            }
            let value = self.step()?;
            store.push(u64::from(value))?;
        }
        Ok(())
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;

    fn digit() -> impl Strategy<Value = Digit> {
        // One, equal and unequal pairs, all triples.
        (0_u8..16, any::<bool>())
            .prop_map(|(low, three)| Digit(low).union(if three { Digit::THREE } else { Digit::NONE }))
    }

    fn options(code: &TakeAndBreak, n: u64) -> Vec<Vec<u64>> {
        let mut all = Vec::new();
        for taken in 0..=n {
            let (digit, m) = (code.digit(usize::try_from(taken).unwrap()), n - taken);
            if digit.has(Digit::NOTHING) && m == 0 {
                all.push(vec![]);
            }
            if digit.has(Digit::ONE) && m > 0 {
                all.push(vec![m]);
            }
            for i in 1..=m / 2 {
                let pattern = if 2 * i == m { Digit::TWO_EQUAL } else { Digit::TWO_UNEQUAL };
                if digit.has(pattern) {
                    all.push(vec![i, m - i]);
                }
                if digit.has(Digit::THREE) {
                    all.extend((i..).take_while(|j| i + 2 * j <= m).map(|j| vec![i, j, m - i - j]));
                }
            }
        }
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn equals_the_definition(
            first in digit(),
            digits in prop::collection::vec(digit(), 0..4),
            tail in prop::collection::vec(digit(), 0..3),
            n in 0_u64..60,
            cut in 1_usize..30,
        ) {
            // d0 may neither leave nothing nor one heap.
            let first = Digit(first.0 & !3);
            let code = TakeAndBreak::new([first].into_iter().chain(digits).collect(), tail);
            let plain = naive(n, |n| options(&code, n));
            agrees(&mut Splits::new(&code, &Limits::default().clock()).unwrap(), &plain, cut)?;
        }
    }
}
