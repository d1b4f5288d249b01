//! The one module with vector instructions: looks for values among nim-sums of pairs, for four of them or for a set.
//!
//! Wider vectors are used where the processor has them, found out at run time; every variant gives the same
//! answer as the plain one, and the tests hold them against each other.
#![allow(unsafe_code, reason = "the vector variants are called only after the processor was asked for them")]

/// Which of four values occur among `a[i] ^ b[i]`: bit k of the answer is set exactly if `targets[k]` does.
///
/// The slices have equal length; of unequal ones the shorter counts.
#[must_use]
pub(super) fn find4(a: &[u16], b: &[u16], targets: [u16; 4]) -> u8 {
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512bw") {
            // SAFETY: the processor has AVX-512BW.
            return unsafe { find4_avx512(a, b, targets) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { find4_avx2(a, b, targets) };
        }
    }
    find4_plain(a, b, targets)
}

/// Values below this can be [sifted](Wanted::sift).
pub(super) const WIDEST: usize = 4096;

/// A set of values below [`WIDEST`], one bit each: those that are looked for and have not been found.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Wanted {
    words: [u16; WIDEST / 16],
}

impl Wanted {
    fn new() -> Self {
        Wanted { words: [0; WIDEST / 16] }
    }

    /// Whether [`Wanted::sift`] is worth its while on this processor; it is right on all.
    pub(super) fn is_fast() -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            is_x86_feature_detected!("avx512bw")
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            false
        }
    }

    /// The values from `from` on, below the length of `marks`, that have no mark: how many of them are taken, which is
    /// the least `most` and a few, and where the others begin. Marks are bytes that are 0 or 1.
    pub(super) fn unmarked(marks: &[u8], from: usize, most: u32) -> (Self, u32, usize) {
        let mut wanted = Wanted::new();
        let (mut count, mut next) = (0, from);
        let words = wanted.words.iter_mut().zip(marks.as_chunks::<16>().0).enumerate();
        for (i, (word, bytes)) in words.skip(from / 16) {
            if count >= most {
                break;
            }
            *word = !(half(bytes.first_chunk()) | half(bytes.last_chunk()) << 8);
            if i == from / 16 {
                *word &= u16::MAX << (from % 16);
            }
            count += word.count_ones();
            next = 16 * (i + 1);
        }
        (wanted, count, next)
    }

    /// The values, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..).zip(&self.words).flat_map(|(i, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                word &= word.checked_sub(1)?;
                Some(16 * i + u16::try_from(bit).expect("a word has 16 bits"))
            })
        })
    }

    /// Takes a value out and says whether it was there.
    fn remove(&mut self, value: u16) -> bool {
        let word = &mut self.words[usize::from(value / 16)];
        let bit = 1 << (value % 16);
        let there = *word & bit != 0;
        *word &= !bit;
        there
    }

    /// Takes the values `a[i] ^ b[i]`, all below `universe`, out of the set, which holds `count` values; stops
    /// early when none is left. How many it took.
    pub(super) fn sift(&mut self, a: &[u16], b: &[u16], universe: usize, count: u32) -> u32 {
        debug_assert!(universe <= WIDEST);
        let length = a.len().min(b.len());
        let (a, b) = (&a[..length], &b[..length]);
        #[cfg(target_arch = "x86_64")]
        if Wanted::is_fast() {
            // SAFETY: the processor has AVX-512BW.
            return unsafe {
                if universe <= 1024 {
                    sift_avx512::<1>(self, a, b, count)
                } else if universe <= 2048 {
                    sift_avx512::<2>(self, a, b, count)
                } else {
                    sift_avx512::<4>(self, a, b, count)
                }
            };
        }
        self.sift_plain(a, b, count)
    }

    fn sift_plain(&mut self, a: &[u16], b: &[u16], count: u32) -> u32 {
        let mut taken = 0;
        for (a, b) in a.iter().zip(b) {
            if taken == count {
                break;
            }
            taken += u32::from(self.remove(a ^ b));
        }
        taken
    }
}

/// Eight bytes that are 0 or 1 as bits, the first byte in the lowest one.
fn half(bytes: Option<&[u8; 8]>) -> u16 {
    // The byte at 8i moves to the bit 56 + i.
    let bytes = u64::from_le_bytes(bytes.copied().unwrap_or_default());
    u16::try_from(bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56).expect("eight bits are left")
}

/// Pairs of which the hits are noted before they are taken out.
const NOTED: usize = 1024;

/// The same with 32 pairs at a time: the word of a value is picked out of registers that hold the whole set, `PAGES`
/// times 1024 bits, and its bit is tested. Whether a pair hits cannot be foreseen, so hits are noted for a thousand
/// pairs and taken out then: to stop for each would cost more than all the rest.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512bw")]
fn sift_avx512<const PAGES: usize>(wanted: &mut Wanted, a: &[u16], b: &[u16], count: u32) -> u32 {
    use std::arch::x86_64::{
        __m512i, _mm512_and_si512, _mm512_cmpeq_epi16_mask, _mm512_loadu_si512, _mm512_mask_mov_epi16,
        _mm512_permutex2var_epi16, _mm512_set1_epi16, _mm512_srli_epi16, _mm512_srlv_epi16,
        _mm512_test_epi16_mask, _mm512_test_epi32_mask, _mm512_xor_si512,
    };
    // SAFETY (of every load): it reads 64 bytes, which 32 numbers of 16 bits have, at any alignment.
    let load = |from: &[u16; 32]| unsafe { _mm512_loadu_si512(from.as_ptr().cast()) };
    let pages = |wanted: &Wanted| -> [[__m512i; 2]; PAGES] {
        let (halves, _) = wanted.words.as_chunks::<32>();
        std::array::from_fn(|page| [load(&halves[2 * page]), load(&halves[2 * page + 1])])
    };
    let (one, low) = (_mm512_set1_epi16(1), _mm512_set1_epi16(15));
    let (mut set, mut taken) = (pages(wanted), 0);
    let ((vectors_a, rest_a), (vectors_b, rest_b)) = (a.as_chunks::<32>(), b.as_chunks::<32>());
    for (a, b) in vectors_a.chunks(NOTED / 32).zip(vectors_b.chunks(NOTED / 32)) {
        let mut hits = [0_u32; NOTED / 32];
        for ((a, b), hit) in a.iter().zip(b).zip(&mut hits) {
            let values = _mm512_xor_si512(load(a), load(b));
            // The lowest six bits of this are the word of its page.
            let place = _mm512_srli_epi16::<4>(values);
            let mut word = _mm512_permutex2var_epi16(set[0][0], place, set[0][1]);
            // (Iterators that skip are calls here, and cost more than all the rest.)
            let mut page = 1;
            while page < PAGES {
                let number = _mm512_set1_epi16([0, 1, 2, 3][page]);
                let here = _mm512_cmpeq_epi16_mask(_mm512_srli_epi16::<10>(values), number);
                let there = _mm512_permutex2var_epi16(set[page][0], place, set[page][1]);
                word = _mm512_mask_mov_epi16(word, here, there);
                page += 1;
            }
            let bits = _mm512_srlv_epi16(word, _mm512_and_si512(values, low));
            *hit = _mm512_test_epi16_mask(bits, one);
        }
        let before = taken;
        for (group, hits) in hits.as_chunks::<16>().0.iter().enumerate() {
            // SAFETY: it reads 64 bytes, which 16 numbers of 32 bits have, at any alignment.
            let all = unsafe { _mm512_loadu_si512(hits.as_ptr().cast()) };
            let mut some = _mm512_test_epi32_mask(all, all);
            while some != 0 {
                let at = some.trailing_zeros() as usize;
                let (a, b, mut hit) = (&a[16 * group + at], &b[16 * group + at], hits[at]);
                while hit != 0 {
                    let lane = hit.trailing_zeros() as usize;
                    // Another pair may have had the same value.
                    taken += u32::from(wanted.remove(a[lane] ^ b[lane]));
                    hit &= hit - 1;
                }
                some &= some - 1;
            }
        }
        if taken == count {
            return taken;
        }
        if taken > before {
            set = pages(wanted);
        }
    }
    taken + wanted.sift_plain(rest_a, rest_b, count - taken)
}

/// Pairs between two looks at whether all targets have been found.
const CHUNK: usize = 256;
const ALL: u8 = 0b1111;

/// The variant for every processor, in a form that compilers turn into vectors.
#[inline(always)]
fn find4_plain(a: &[u16], b: &[u16], targets: [u16; 4]) -> u8 {
    let mut found = 0;
    let (chunks_a, rest_a) = a.as_chunks::<CHUNK>();
    let (chunks_b, rest_b) = b.as_chunks::<CHUNK>();
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        let mut hits = [0_u16; 4];
        for (a, b) in a.iter().zip(b) {
            for (hit, target) in hits.iter_mut().zip(targets) {
                *hit |= u16::from(a ^ b == target);
            }
        }
        for (k, hit) in hits.iter().enumerate() {
            found |= u8::from(*hit != 0) << k;
        }
        if found == ALL {
            return found;
        }
    }
    for (a, b) in rest_a.iter().zip(rest_b) {
        for (k, target) in targets.iter().enumerate() {
            found |= u8::from(a ^ b == *target) << k;
        }
    }
    found
}

/// The same with 16 pairs at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn find4_avx2(a: &[u16], b: &[u16], targets: [u16; 4]) -> u8 {
    // The compiler vectorises the plain form for this processor.
    find4_plain(a, b, targets)
}

/// The same with 32 pairs at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512bw")]
fn find4_avx512(a: &[u16], b: &[u16], targets: [u16; 4]) -> u8 {
    use std::arch::x86_64::{
        _mm512_cmpeq_epi16_mask, _mm512_loadu_si512, _mm512_set1_epi16, _mm512_xor_si512,
    };
    let wanted = targets.map(|target| _mm512_set1_epi16(target.cast_signed()));
    let mut hits = [0_u32; 4];
    let all = |hits: [u32; 4]| (0..4).fold(0, |found, k| found | u8::from(hits[k] != 0) << k);
    let (chunks_a, rest_a) = a.as_chunks::<CHUNK>();
    let (chunks_b, rest_b) = b.as_chunks::<CHUNK>();
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        for (a, b) in a.as_chunks::<32>().0.iter().zip(b.as_chunks::<32>().0) {
            // SAFETY: each points to 32 numbers of 16 bits, which is what is loaded, at any alignment.
            let pairs = unsafe {
                _mm512_xor_si512(_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast()))
            };
            for (hit, wanted) in hits.iter_mut().zip(wanted) {
                *hit |= _mm512_cmpeq_epi16_mask(pairs, wanted);
            }
        }
        if all(hits) == ALL {
            return ALL;
        }
    }
    all(hits) | find4_plain(rest_a, rest_b, targets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sifting_takes_what_occurs(
            pairs in prop::collection::vec((0_u16..4096, 0_u16..4096), 0..400),
            values in prop::collection::vec(0_u16..4096, 0..300),
            cut in 0_u32..3,
        ) {
            let universe = WIDEST >> cut;
            let below = |value: u16| value & u16::try_from(universe - 1).unwrap();
            let (a, b): (Vec<u16>, Vec<u16>) = pairs.iter().map(|(a, b)| (below(*a), below(*b))).unzip();
            let all: std::collections::BTreeSet<u16> = values.iter().map(|value| below(*value)).collect();
            let marks: Vec<u8> = (0..4096).map(|value| u8::from(!all.contains(&value))).collect();
            let (mut wanted, count, next) = Wanted::unmarked(&marks, 0, 4096);
            prop_assert!(wanted.iter().eq(all.iter().copied()));
            prop_assert_eq!((count as usize, next), (all.len(), 4096));
            let mut plain = wanted.clone();
            let left: Vec<u16> = all.iter().copied().filter(|v| !a.iter().zip(&b).any(|(a, b)| a ^ b == *v)).collect();
            let taken = u32::try_from(all.len() - left.len()).unwrap();
            prop_assert_eq!(wanted.sift(&a, &b, universe, count), taken);
            prop_assert_eq!(plain.sift_plain(&a, &b, count), taken);
            for value in 0..4096 {
                prop_assert_eq!(wanted.remove(value), left.contains(&value));
                prop_assert_eq!(plain.remove(value), left.contains(&value));
            }
        }

        #[test]
        fn the_least_unmarked(marks in prop::collection::vec(0_u8..2, 0..200), from in 0_usize..90, most in 0_u32..40) {
            let whole = marks.len() / 16 * 16;
            let (wanted, count, next) = Wanted::unmarked(&marks, from, most);
            let end = next.min(whole);
            let plain = (from..end).filter(|value| marks[*value] == 0).map(|value| u16::try_from(value).unwrap());
            prop_assert!(wanted.iter().eq(plain));
            prop_assert_eq!(count as usize, wanted.iter().count());
            prop_assert!(count >= most || next >= whole);
        }

        #[test]
        fn every_variant_finds_the_same(
            pairs in prop::collection::vec((0_u16..600, 0_u16..600), 0..1200),
            targets in prop::array::uniform4(0_u16..1030),
        ) {
            let (a, b): (Vec<u16>, Vec<u16>) = pairs.into_iter().unzip();
            let expected = (0..4).fold(0, |found, k| {
                found | u8::from(a.iter().zip(&b).any(|(a, b)| a ^ b == targets[k])) << k
            });
            prop_assert_eq!(find4_plain(&a, &b, targets), expected);
            prop_assert_eq!(find4(&a, &b, targets), expected);
            #[cfg(target_arch = "x86_64")]
            {
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has AVX2.
                    prop_assert_eq!(unsafe { find4_avx2(&a, &b, targets) }, expected);
                }
                if is_x86_feature_detected!("avx512bw") {
                    // SAFETY: the processor has AVX-512BW.
                    prop_assert_eq!(unsafe { find4_avx512(&a, &b, targets) }, expected);
                }
            }
        }
    }
}
