//! Comma-separated values (RFC 4180 without its need for quotes: every field is a number).

use std::io::Write;

use super::Exporter;
use crate::error::Error;
use crate::table::Table;

/// Writes a header and a line a heap: the entries, then the value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Csv;

impl Exporter for Csv {
    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), Error> {
        if let [_] = table.dims() {
            writeln!(out, "n,g")?;
            for (n, value) in table.iter().enumerate() {
                writeln!(out, "{n},{value}")?;
            }
            return Ok(());
        }
        for i in 1..=table.dims().len() {
            write!(out, "n{i},")?;
        }
        writeln!(out, "g")?;
        for (index, value) in table.iter().enumerate() {
            for entry in table.entries(index) {
                write!(out, "{entry},")?;
            }
            writeln!(out, "{value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::written;

    #[test]
    fn heaps_and_tuples() {
        assert_eq!(written(&Csv, &Table::of(&[0, 1, 2])), "n,g\n0,0\n1,1\n2,2\n");
        let grid = Table::grid_of(&[0, 1, 2, 1, 2, 0], &[2, 3]);
        assert_eq!(written(&Csv, &grid), "n1,n2,g\n0,0,0\n0,1,1\n0,2,2\n1,0,1\n1,1,2\n1,2,0\n");
    }
}
