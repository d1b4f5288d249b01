//! A hash of all values, so that two programs can see that they made the same table.
//!
//! With 64 bits that wrap, h starts at 0 and becomes h * 1000003 + g(i) for i = 0, 1, .., n. It is printed in
//! lower-case hexadecimal without leading zeros. The plain loop waits for one multiplication a value; eight
//! values at a time are the same polynomial with the powers of the factor known beforehand.

use std::io::Write;

use super::Exporter;
use crate::error::Error;
use crate::table::{Table, Values};

const FACTOR: u64 = 1_000_003;

/// FACTOR^0, FACTOR^1, .., FACTOR^8, wrapping.
const POWERS: [u64; 9] = {
    let mut powers = [1; 9];
    let mut i = 1;
    while i < 9 {
        powers[i] = FACTOR.wrapping_mul(powers[i - 1]);
        i += 1;
    }
    powers
};

/// The hash of the values seen so far.
///
/// ```
/// use grundy::export::Digest;
/// use grundy::table::Table;
/// let mut digest = Digest::default();
/// digest.update(Table::of(&[0, 1, 2]).values());
/// assert_eq!(digest.to_string(), "N=2 hash=f4245 last=2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Digest {
    hash: u64,
    count: u64,
    last: u32,
}

impl Digest {
    /// Adds the next values.
    pub fn update(&mut self, values: Values<'_>) {
        fn run<T: Copy + Into<u64>>(mut hash: u64, values: &[T]) -> u64 {
            let (blocks, rest) = values.as_chunks::<8>();
            for block in blocks {
                let mut sum = hash.wrapping_mul(POWERS[8]);
                for (i, value) in block.iter().enumerate() {
                    sum = sum.wrapping_add(POWERS[7 - i].wrapping_mul((*value).into()));
                }
                hash = sum;
            }
            rest.iter().fold(hash, |hash, value| hash.wrapping_mul(FACTOR).wrapping_add((*value).into()))
        }
        let Some(last) = values.len().checked_sub(1) else { return };
        self.hash = match values {
            Values::U8(v) => run(self.hash, v),
            Values::U16(v) => run(self.hash, v),
            Values::U32(v) => run(self.hash, v),
        };
        self.count += values.len() as u64;
        self.last = values.get(last);
    }

    /// The hash.
    #[must_use]
    pub fn hash(self) -> u64 {
        self.hash
    }

    /// How many values were added.
    #[must_use]
    pub fn count(self) -> u64 {
        self.count
    }
}

impl std::fmt::Display for Digest {
    /// `N=<greatest heap> hash=<hex> last=<its value>`; N=-1 if there was no value.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "N={} hash={:x} last={}", i128::from(self.count) - 1, self.hash, self.last)
    }
}

/// Writes the digest of a table as one line.
#[derive(Clone, Copy, Debug, Default)]
pub struct DigestLine;

impl Exporter for DigestLine {
    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), Error> {
        let mut digest = Digest::default();
        digest.update(table.values());
        writeln!(out, "{digest}")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_change_nothing(values in prop::collection::vec(any::<u32>(), 0..60), cut in 0_usize..60) {
            let plain = values.iter().fold(0_u64, |h, v| h.wrapping_mul(FACTOR).wrapping_add(u64::from(*v)));
            let mut digest = Digest::default();
            let cut = cut.min(values.len());
            digest.update(Values::U32(&values[..cut]));
            digest.update(Values::U32(&values[cut..]));
            prop_assert_eq!(digest.hash(), plain);
            prop_assert_eq!(digest.count(), values.len() as u64);
        }
    }

    #[test]
    fn the_line_is_that_of_the_naive_programs() {
        // Made by a plain C++ program: `octal 77 100`.
        let mut kayles = vec![0_u32];
        for n in 1..=100_usize {
            let mut set = crate::nimber::Mex::new();
            for take in 1..=n.min(2) {
                (0..=n - take).for_each(|a| set.insert(kayles[a] ^ kayles[n - take - a]));
            }
            kayles.push(u32::try_from(set.mex()).unwrap());
        }
        let line = crate::export::written(&DigestLine, &Table::of(&kayles));
        assert_eq!(line, "N=100 hash=5dd7a6fad59b10be last=1\n");
    }
}
