//! Standard output: buffered, with colours only where they belong, and JSON whose numbers keep all their digits.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Writes data: bytes go out as they are.
pub(crate) fn data(write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write(&mut out)?;
    out.flush()?;
    Ok(())
}

/// Writes text for people; styles are taken out unless a terminal that wants them reads it.
pub(crate) fn text(write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, anstream::AutoStream::auto(io::stdout().lock()));
    write(&mut out)?;
    out.flush()?;
    Ok(())
}

/// Writes one JSON object on a line. Numbers are integers of any size, never floats or strings.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    data(|out| {
        serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
        writeln!(out)?;
        Ok(())
    })
}
