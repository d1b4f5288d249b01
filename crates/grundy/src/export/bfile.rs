//! The OEIS's b-file: one line `n a(n)` for each term, as <https://oeis.org/SubmitB.html> asks.
//!
//! A line is the index, one space, the term; no spaces before or after, no blank lines, no comments, lines
//! end in a line feed, the last one too. The first index is the offset: heap 0.

use std::io::Write;

use super::Exporter;
use crate::error::Error;
use crate::table::Table;

/// Writes a b-file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bfile;

impl Exporter for Bfile {
    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), Error> {
        if table.dims().len() != 1 {
            return Err(Error::new(
                "format",
                "a b-file holds one sequence, and this table has several entries a heap",
            )
            .help("take --format csv, json or npy"));
        }
        for (n, value) in table.iter().enumerate() {
            writeln!(out, "{n} {value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::written;

    #[test]
    fn lines_are_those_of_the_oeis() {
        assert_eq!(written(&Bfile, &Table::of(&[0, 1, 2, 3, 1, 4])), "0 0\n1 1\n2 2\n3 3\n4 1\n5 4\n");
    }

    #[test]
    fn a_grid_is_refused() {
        let grid = Table::grid_of(&[0, 1, 2, 3], &[2, 2]);
        assert_eq!(Bfile.write(&grid, &mut Vec::new()).unwrap_err().id(), "format");
    }
}
