//! numpy's `.npy`, format 1.0: a header padded so that the data begin at a multiple of 64 bytes, then the
//! values, little endian, at the width in which the table keeps them. `numpy.load(.., mmap_mode="r")` maps it.
//!
//! The format is described in numpy's `numpy/lib/format.py`.

use std::io::Write;

use super::Exporter;
use crate::error::Error;
use crate::table::{Table, Values, Width};

/// Writes a `.npy` file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Npy;

impl Npy {
    /// The header for values of that width and shape (heaps along each entry); its length is a multiple of
    /// 64.
    #[must_use]
    pub fn header(width: Width, dims: &[usize]) -> Vec<u8> {
        const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
        const ALIGN: usize = 64;
        let descr = match width {
            Width::U8 => "|u1",
            Width::U16 => "<u2",
            Width::U32 => "<u4",
        };
        // A Python tuple: one entry needs its comma.
        let shape: String = dims.iter().map(|dim| format!("{dim}, ")).collect();
        let shape = if dims.len() == 1 { shape.trim_end() } else { shape.trim_end_matches(", ") };
        let dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
        let total = (MAGIC.len() + 2 + dict.len() + 1).next_multiple_of(ALIGN);
        let length = total - MAGIC.len() - 2;
        let length = u16::try_from(length).expect("a shape of fewer than 1000 entries fits the header");
        let mut header = MAGIC.to_vec();
        header.extend(length.to_le_bytes());
        header.extend(dict.as_bytes());
        header.resize(total - 1, b' ');
        header.push(b'\n');
        header
    }

    /// Writes values as the data of the file has them.
    ///
    /// # Errors
    /// `io` if writing fails.
    pub fn data(values: Values<'_>, out: &mut dyn Write) -> Result<(), Error> {
        /// Values turned at a time: keeps the buffer in the cache.
        const BLOCK: usize = 4096;
        let mut bytes = Vec::with_capacity(BLOCK * 4);
        match values {
            Values::U8(v) => out.write_all(v)?,
            Values::U16(v) => {
                for block in v.chunks(BLOCK) {
                    bytes.clear();
                    block.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
                    out.write_all(&bytes)?;
                }
            }
            Values::U32(v) => {
                for block in v.chunks(BLOCK) {
                    bytes.clear();
                    block.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
                    out.write_all(&bytes)?;
                }
            }
        }
        Ok(())
    }
}

impl Exporter for Npy {
    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), Error> {
        out.write_all(&Npy::header(table.values().width(), table.dims()))?;
        Npy::data(table.values(), out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(table: &Table) -> Vec<u8> {
        let mut out = Vec::new();
        Npy.write(table, &mut out).unwrap();
        out
    }

    #[test]
    fn the_header_is_numpys() {
        let out = bytes(&Table::of(&[0, 1, 258]));
        assert_eq!(&out[..8], b"\x93NUMPY\x01\x00");
        let length = usize::from(u16::from_le_bytes([out[8], out[9]]));
        assert_eq!((10 + length) % 64, 0);
        let text = std::str::from_utf8(&out[10..10 + length]).unwrap();
        assert!(text.starts_with("{'descr': '<u2', 'fortran_order': False, 'shape': (3,), }"), "{text}");
        assert!(text.ends_with(" \n"));
        assert_eq!(&out[10 + length..], [0, 0, 1, 0, 2, 1]);
    }

    #[test]
    fn every_width_and_shape() {
        assert!(String::from_utf8_lossy(&bytes(&Table::of(&[255]))).contains("'|u1'"));
        let wide = bytes(&Table::of(&[65_536]));
        assert!(String::from_utf8_lossy(&wide).contains("'<u4'"));
        assert_eq!(&wide[wide.len() - 4..], [0, 0, 1, 0]);
        let grid = bytes(&Table::grid_of(&[0, 1, 2, 3, 4, 5], &[2, 3]));
        assert!(String::from_utf8_lossy(&grid).contains("'shape': (2, 3), }"));
        // The header grows by whole steps of 64, at every length of the shape.
        for digits in 0..18 {
            assert_eq!(Npy::header(Width::U8, &[10_usize.pow(digits); 3]).len() % 64, 0);
        }
    }
}
