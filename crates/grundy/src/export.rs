//! Tables as text and files, one format a file.
//!
//! Every format is an [`Exporter`]: it is given a finished [`Table`] and a place to write. What is written is
//! complete or an error; nothing is shortened. Formats other than [`Text`] are meant for programs and are
//! exact: the b-file follows the rules of the OEIS, the `.npy` file those of numpy's format 1.0.

mod bfile;
mod csv;
mod digest;
mod json;
mod npy;
mod text;

use std::io::Write;
use std::str::FromStr;

pub use bfile::Bfile;
pub use csv::Csv;
pub use digest::{Digest, DigestLine};
pub use json::Json;
pub use npy::Npy;
pub use text::{Text, View};

use crate::error::Error;
use crate::table::Table;

/// Writes a table in one format.
pub trait Exporter {
    /// Writes the whole table.
    ///
    /// # Errors
    /// `io` if writing fails; `format` if the format cannot hold this table.
    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), Error>;
}

/// The formats, for a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// For the eye.
    #[default]
    Text,
    /// A header and a line a heap.
    Csv,
    /// One object.
    Json,
    /// The OEIS's `n a(n)` lines.
    Bfile,
    /// numpy's binary format.
    Npy,
    /// One line with a hash of all values.
    Digest,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] =
        [Format::Text, Format::Csv, Format::Json, Format::Bfile, Format::Npy, Format::Digest];

    /// The name, as `--format` takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Bfile => "bfile",
            Format::Npy => "npy",
            Format::Digest => "digest",
        }
    }

    /// Whether it is binary: not for a terminal.
    #[must_use]
    pub fn is_binary(self) -> bool {
        self == Format::Npy
    }

    /// The exporter; `text` says how the text format is to look.
    #[must_use]
    pub fn exporter(self, text: Text) -> Box<dyn Exporter> {
        match self {
            Format::Text => Box::new(text),
            Format::Csv => Box::new(Csv),
            Format::Json => Box::new(Json),
            Format::Bfile => Box::new(Bfile),
            Format::Npy => Box::new(Npy),
            Format::Digest => Box::new(DigestLine),
        }
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
            Error::new("format", format!("there is no format `{text}`; there are {}", names.join(", ")))
        })
    }
}

#[cfg(test)]
fn written(exporter: &dyn Exporter, table: &Table) -> String {
    let mut out = Vec::new();
    exporter.write(table, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}
