//! The one module with vector instructions: looks for values among nim-sums of pairs.
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
