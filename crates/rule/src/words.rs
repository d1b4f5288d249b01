//! Numbers parted by white space, as files hold them: edges by the million.
//!
//! Two numbers below 2^32 are kept in one word, in the way of [`Pairs`], so that a file of edges becomes a set of pairs
//! without a copy; a greater or negative number makes all of them wide.
//!
//! Reading looks at 64 bytes at a time and notes in one word which of them are no digits: where a number ends is
//! then a bit and not a loop over its digits, whose length no processor can foresee. The digits of a number are
//! joined to pairs, pairs to fours, fours to the eight, in one word (the method is D. Lemire's).

use crate::expr::Int;
use crate::pairs::{Pairs, halves};

/// How many numbers may be held.
pub const LIMIT: usize = 20_000_000;

/// Numbers in the order in which they came.
///
/// ```
/// use grundy_rule::words::Words;
/// let mut words = Words::default();
/// assert_eq!(words.read(b"1 2\n3 4x", true), 6);
/// assert_eq!(words.iter().collect::<Vec<_>>(), [1, 2, 3]);
/// assert_eq!(words.read(b"40", false), 0);
/// assert_eq!(words.read(b"40", true), 2);
/// assert_eq!(words.into_pairs().unwrap().iter().collect::<Vec<_>>(), [(1, 2), (3, 40)]);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Words(Kept);

#[derive(Clone, PartialEq, Eq)]
enum Kept {
    /// All below 2^32: two to a word, the earlier one in the high half, and the last one if it stands alone.
    Narrow(Vec<u64>, Option<u32>),
    Wide(Vec<Int>),
}

impl Default for Words {
    fn default() -> Self {
        Words(Kept::Narrow(Vec::new(), None))
    }
}

impl std::fmt::Debug for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl FromIterator<Int> for Words {
    fn from_iter<I: IntoIterator<Item = Int>>(numbers: I) -> Self {
        let mut words = Words::default();
        numbers.into_iter().for_each(|number| words.push(number));
        words
    }
}

impl Words {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Narrow(words, odd) => 2 * words.len() + usize::from(odd.is_some()),
            Kept::Wide(numbers) => numbers.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = Int> + '_ {
        let (words, odd, wide): (&[u64], _, &[Int]) = match &self.0 {
            Kept::Narrow(words, odd) => (words, *odd, &[]),
            Kept::Wide(numbers) => (&[], None, numbers),
        };
        let both = |word: &u64| <[u32; 2]>::from(halves(*word));
        words.iter().flat_map(both).chain(odd).map(Int::from).chain(wide.iter().copied())
    }

    /// The numbers two by two; `None` if their number is odd.
    #[must_use]
    pub fn into_pairs(self) -> Option<Pairs> {
        match self.0 {
            Kept::Narrow(words, None) => Some(Pairs::of_words(words)),
            Kept::Narrow(..) => None,
            Kept::Wide(numbers) if numbers.len() % 2 == 1 => None,
            Kept::Wide(numbers) => {
                Some(Pairs::new(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()))
            }
        }
    }

    /// Adds a number.
    pub fn push(&mut self, number: Int) {
        if let (Kept::Narrow(words, odd), Ok(number)) = (&mut self.0, u32::try_from(number)) {
            push(words, odd, number);
            return;
        }
        if let Kept::Narrow(..) = self.0 {
            let all = self.iter().collect();
            self.0 = Kept::Wide(all);
        }
        if let Kept::Wide(numbers) = &mut self.0 {
            numbers.push(number);
        }
    }

    /// Takes plain numbers (up to 18 digits, parted by blanks, line ends and commas) from the start of `bytes` and
    /// says how many bytes they and what parts them fill: it stops before whatever else comes, when there are more
    /// than [`LIMIT`] numbers, and before a number that touches the end of the bytes, unless these are the `last`.
    pub fn read(&mut self, bytes: &[u8], last: bool) -> usize {
        // Where the number begins that is being read.
        let mut start = 0;
        let (blocks, rest) = bytes.as_chunks::<64>();
        for (block, base) in blocks.iter().zip((0..).step_by(64)) {
            let mut others = others(block);
            while others != 0 {
                let end = base + others.trailing_zeros() as usize;
                others &= others - 1;
                if !parts(bytes[end]) || !self.take(bytes, start, end) {
                    return start;
                }
                start = end + 1;
            }
            if self.len() > LIMIT {
                return start;
            }
        }
        for end in bytes.len() - rest.len()..bytes.len() {
            if !bytes[end].is_ascii_digit() {
                if !parts(bytes[end]) || !self.take(bytes, start, end) {
                    return start;
                }
                start = end + 1;
            }
        }
        if last && self.take(bytes, start, bytes.len()) { bytes.len() } else { start }
    }

    /// Adds the number with the digits `start..end`, if there are any; `false` if there are more than 18.
    #[inline]
    fn take(&mut self, bytes: &[u8], start: usize, end: usize) -> bool {
        let digits = end - start;
        if digits == 0 {
            return true;
        }
        let eight = end.checked_sub(8).and_then(|from| bytes[from..end].first_chunk());
        match (&mut self.0, eight) {
            (Kept::Narrow(words, odd), Some(eight)) if digits <= 8 => {
                push(words, odd, joined(*eight, digits));
                true
            }
            _ if digits > 18 => false,
            _ => {
                let value =
                    bytes[start..end].iter().fold(0, |value, byte| 10 * value + u64::from(byte - b'0'));
                self.push(Int::from(value));
                true
            }
        }
    }
}

#[inline]
fn push(words: &mut Vec<u64>, odd: &mut Option<u32>, number: u32) {
    match odd.take() {
        Some(first) => words.push(u64::from(first) << 32 | u64::from(number)),
        None => *odd = Some(number),
    }
}

/// What may stand between numbers.
fn parts(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b',')
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// Which of the bytes are no digits, the first byte in the lowest bit.
fn others(block: &[u8; 64]) -> u64 {
    let (words, _) = block.as_chunks::<8>();
    let mut all = 0;
    for (word, shift) in words.iter().zip((0..).step_by(8)) {
        // A digit is below 10 now; adding 0x76 to what lies below 0x80 reaches 0x80 from 10 on.
        let plain = u64::from_le_bytes(*word) ^ (0x30 * ONES);
        let other = (((plain & (0x7f * ONES)) + 0x76 * ONES) | plain) & (0x80 * ONES);
        // Moves bit 8i to bit 56 + i.
        let bits = (other >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        all |= bits << shift;
    }
    all
}

/// The number that the last `digits` of eight bytes spell, 1 to 8 of them.
#[inline]
fn joined(bytes: [u8; 8], digits: usize) -> u32 {
    // What comes before is cut off, the first byte being the lowest one, and counts as zeros.
    let other = 64 - 8 * digits;
    let word = (u64::from_le_bytes(bytes) ^ (0x30 * ONES)) >> other << other;
    let pairs = word.wrapping_mul(10).wrapping_add(word >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    let eight = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF;
    u32::try_from(eight).expect("it was cut to 32 bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same by the definition: what is read, and how far.
    fn plain(text: &[u8], last: bool) -> (Vec<Int>, usize) {
        let (mut numbers, mut done, mut at) = (Vec::new(), 0, 0);
        loop {
            let start = at;
            while text.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            let ends = text.get(at).map_or(last, |byte| parts(*byte));
            if !ends || at - start > 18 {
                return (numbers, done);
            }
            if at > start {
                numbers.push(std::str::from_utf8(&text[start..at]).unwrap().parse().unwrap());
            }
            if at == text.len() {
                return (numbers, at);
            }
            at += 1;
            done = at;
        }
    }

    fn agrees(text: &[u8], last: bool) -> Result<(), TestCaseError> {
        let mut words = Words::default();
        let done = words.read(text, last);
        let (numbers, wanted) = plain(text, last);
        prop_assert_eq!(words.iter().collect::<Vec<_>>(), &*numbers);
        prop_assert_eq!(words.len(), numbers.len());
        prop_assert_eq!(done, wanted);
        prop_assert_eq!(&words, &numbers.iter().copied().collect::<Words>());
        let pairs = (numbers.len() % 2 == 0)
            .then(|| Pairs::new(numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()));
        prop_assert_eq!(words.into_pairs(), pairs);
        Ok(())
    }

    proptest! {
        #[test]
        fn equals_the_definition(text in "([0-9]{1,7}[ \n,]{1,2}){0,60}", last: bool) {
            agrees(text.as_bytes(), last)?;
        }

        #[test]
        fn stops_before_anything_else(text in "([0-9]{1,9}[ \r\t,]{1,2}){0,12}(-3|x|[0-9]{17,20}|é)?( [0-9]{1,9}){0,9}", last: bool) {
            agrees(text.as_bytes(), last)?;
        }

        #[test]
        fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), last: bool) {
            agrees(&bytes, last)?;
        }
    }

    #[test]
    fn every_byte_is_a_digit_or_is_not() {
        for byte in 0..=255_u8 {
            let mut block = [b'7'; 64];
            block[5] = byte;
            block[6] = byte;
            assert_eq!(others(&block), if byte.is_ascii_digit() { 0 } else { 0b110_0000 }, "{byte}");
        }
    }
}
