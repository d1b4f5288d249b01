//! Nimbers: mex, nim-sum and nim-product.
//!
//! The mex is taken with a bit set of 64-bit words that is cleared by the words it touched, so that a heap
//! with k options costs k bit operations and no allocation. A sort of the options, a hash set, and an array
//! of stamps (one word a value) were the alternatives: the first two cost a logarithm or a hash an option,
//! the third takes 32 times the cache and reads it value by value.

/// A Grundy value as it is answered. Tables hold narrower ones, see [`crate::table::Table`].
pub type Nimber = u128;

/// The nim-sum of any number of nimbers: their bitwise exclusive or, 0 if there are none.
///
/// ```
/// assert_eq!(grundy::nimber::nim_sum([5, 7, 12]), 14);
/// ```
pub fn nim_sum(values: impl IntoIterator<Item = Nimber>) -> Nimber {
    values.into_iter().fold(0, |sum, value| sum ^ value)
}

/// A set of small nimbers that gives its mex and is emptied cheaply: one is made and used for all heaps.
///
/// Takes 1 bit for each number up to the greatest ever inserted: at most 512 MiB.
///
/// ```
/// use grundy::nimber::Mex;
/// let mut set = Mex::new();
/// for value in [0, 1, 3, 1] {
///     set.insert(value);
/// }
/// assert_eq!(set.mex(), 2);
/// set.clear();
/// assert_eq!(set.mex(), 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Mex {
    words: Vec<u64>,
    /// Words from here on are zero.
    used: usize,
}

impl Mex {
    /// The empty set.
    #[must_use]
    pub fn new() -> Self {
        Mex::default()
    }

    /// Adds a value.
    #[inline]
    pub fn insert(&mut self, value: u32) {
        let word = (value >> 6) as usize;
        if word >= self.used {
            self.grow(word);
        }
        self.words[word] |= 1 << (value & 63);
    }

    #[cold]
    fn grow(&mut self, word: usize) {
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.used = word + 1;
    }

    /// Whether the value is in the set.
    #[must_use]
    pub fn contains(&self, value: u32) -> bool {
        self.words.get((value >> 6) as usize).is_some_and(|word| word >> (value & 63) & 1 == 1)
    }

    /// The least number that is not in the set. At most 2^32, which only the full set reaches.
    #[must_use]
    pub fn mex(&self) -> u64 {
        let full = self.words[..self.used].iter().take_while(|word| **word == u64::MAX).count();
        let rest = self.words[..self.used].get(full).map_or(0, |word| word.trailing_ones());
        full as u64 * 64 + u64::from(rest)
    }

    /// Empties the set; its memory is kept.
    pub fn clear(&mut self) {
        self.words[..self.used].fill(0);
        self.used = 0;
    }

    /// The bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.words.capacity() as u64 * 8
    }
}

/// The nim-product, under which the nimbers below 2^128 are a field.
///
/// Products of coin-turning games multiply their nimbers so (Tartan theorem; Winning Ways, ch. 14). The
/// method is Conway's: with F = 2^(2^k) and numbers below F^2 written a F + b, F * F = F + F/2 and F * b is
/// the ordinary product. The depth of the recursion is 7.
///
/// ```
/// use grundy::nimber::nim_product;
/// assert_eq!(nim_product(2, 2), 3);
/// assert_eq!(nim_product(4, 4), 6);
/// assert_eq!(nim_product(5, 7), nim_product(7, 5));
/// ```
#[must_use]
pub fn nim_product(a: Nimber, b: Nimber) -> Nimber {
    product_below(a, b, 64)
}

/// The nim-product of two nimbers below 2^(2 * half), where `half` is a power of 2 or 0.
fn product_below(a: u128, b: u128, half: u32) -> u128 {
    if a <= 1 || b <= 1 {
        return a * b;
    }
    let low = (1 << half) - 1;
    let (a1, a0, b1, b0) = (a >> half, a & low, b >> half, b & low);
    let quarter = half / 2;
    if a1 == 0 && b1 == 0 {
        return product_below(a, b, quarter);
    }
    let (high, both) = (product_below(a1, b1, quarter), product_below(a0, b0, quarter));
    // (a1 F + a0)(b1 F + b0) with F F = F + F/2: the F part is (a1 + a0)(b1 + b0) + a0 b0.
    let cross = product_below(a1 ^ a0, b1 ^ b0, quarter) ^ both;
    (cross << half) ^ both ^ product_below(high, 1 << (half - 1), quarter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn products_are_those_of_the_definition() {
        // a (x) b = mex { a' b + a b' + a' b' : a' < a, b' < b }
        const N: usize = 64;
        let mut table = [[0_u32; N]; N];
        let mut set = Mex::new();
        for a in 0..N {
            for b in 0..N {
                set.clear();
                for x in 0..a {
                    for y in 0..b {
                        set.insert(table[x][b] ^ table[a][y] ^ table[x][y]);
                    }
                }
                table[a][b] = u32::try_from(set.mex()).expect("small");
                assert_eq!(nim_product(a as u128, b as u128), u128::from(table[a][b]), "{a} * {b}");
            }
        }
    }

    proptest! {
        #[test]
        fn products_form_a_field(a: u128, b: u128, c: u128) {
            prop_assert_eq!(nim_product(a, nim_product(b, c)), nim_product(nim_product(a, b), c));
            prop_assert_eq!(nim_product(a, b ^ c), nim_product(a, b) ^ nim_product(a, c));
            prop_assert!((nim_product(a, b) == 0) == (a == 0 || b == 0));
        }

        #[test]
        fn mex_is_the_least_absent(rounds in prop::collection::vec(prop::collection::vec(0_u32..300, 0..400), 1..4)) {
            let mut set = Mex::new();
            for values in rounds {
                set.clear();
                let plain: BTreeSet<u32> = values.iter().copied().collect();
                values.iter().for_each(|v| set.insert(*v));
                let least = (0..).find(|v| !plain.contains(v)).expect("finitely many are present");
                prop_assert_eq!(set.mex(), u64::from(least));
                prop_assert!((0..310).all(|v| set.contains(v) == plain.contains(&v)));
            }
        }
    }
}
