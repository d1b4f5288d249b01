//! CRC-64/XZ: the 64-bit checksum of the blocks of a long run.
//!
//! The reflected polynomial of ECMA-182, all ones before and after, as in the `.xz` format: any tool that knows
//! that format can check a block. It finds every error within 64 neighbouring bits, so every wrong byte. Eight
//! bytes are taken at a time through eight tables (Sarwate's method, sliced): some bytes a nanosecond, far above
//! what a disk takes. FNV-1a is shorter, but goes byte by byte through a multiplication.

/// The name, as the manifest has it.
pub(super) const NAME: &str = "CRC-64/XZ";

const POLYNOMIAL: u64 = 0xc96c_5795_d787_0f42;

/// Table k: a byte followed by k zero bytes.
static TABLES: [[u64; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            rest = rest >> 1 ^ if rest & 1 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        tables[0][byte] = rest;
        byte += 1;
    }
    let mut k = 1;
    while k < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[k - 1][byte];
            tables[k][byte] = before >> 8 ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        k += 1;
    }
    tables
};

/// The checksum of bytes that come in pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crc64(u64);

impl Crc64 {
    /// Of no bytes.
    pub(super) fn new() -> Self {
        Crc64(u64::MAX)
    }

    /// Adds bytes.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut crc = self.0;
        for word in words {
            let bytes = (crc ^ u64::from_le_bytes(*word)).to_le_bytes();
            crc =
                bytes.iter().zip(TABLES.iter().rev()).fold(0, |crc, (b, table)| crc ^ table[usize::from(*b)]);
        }
        for byte in rest {
            crc = crc >> 8 ^ TABLES[0][usize::from(crc.to_le_bytes()[0] ^ byte)];
        }
        self.0 = crc;
    }

    /// The checksum of what was added so far.
    pub(super) fn value(self) -> u64 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_check_value_of_the_catalogue_of_checksums() {
        let mut crc = Crc64::new();
        crc.update(b"123456789");
        assert_eq!(crc.value(), 0x995d_c9bb_df19_39fa);
        assert_eq!(Crc64::new().value(), 0);
    }

    proptest! {
        #[test]
        fn pieces_change_nothing_and_bits_do(bytes in prop::collection::vec(any::<u8>(), 1..100), cut: prop::sample::Index, bit in 0_u32..8) {
            let of = |pieces: &[&[u8]]| {
                let mut crc = Crc64::new();
                pieces.iter().for_each(|piece| crc.update(piece));
                crc.value()
            };
            let at = cut.index(bytes.len());
            prop_assert_eq!(of(&[&bytes]), of(&[&bytes[..at], &bytes[at..]]));
            let mut wrong = bytes.clone();
            wrong[at] ^= 1 << bit;
            prop_assert_ne!(of(&[&bytes]), of(&[&wrong]));
        }
    }
}
