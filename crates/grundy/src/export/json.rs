//! One JSON object: what the table is of, its shape, and the values in order.

use std::io::Write;

use super::Exporter;
use crate::error::Error;
use crate::table::Table;

/// Writes `{"kind": .., "shape": [..], "engine": .., "max": .., "observed": .., "values": [..]}` and a line
/// feed. `kind` is null for heaps without a name; `observed` is true if values were taken unchecked; `values`
/// is in row order (the last entry runs fastest).
#[derive(Clone, Copy, Debug, Default)]
pub struct Json;

impl Exporter for Json {
    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), Error> {
        // Names of kinds are letters, digits and underscores: nothing in them needs escaping.
        let kind = table.kind().map_or("null".to_string(), |kind| format!("\"{kind}\""));
        let shape: Vec<String> = table.dims().iter().map(ToString::to_string).collect();
        write!(
            out,
            "{{\"kind\": {kind}, \"shape\": [{}], \"engine\": \"{}\", \"max\": {}, \"observed\": {}, \"values\": [",
            shape.join(", "),
            table.engine(),
            table.max(),
            table.is_observed()
        )?;
        for (index, value) in table.iter().enumerate() {
            write!(out, "{}{value}", if index > 0 { ", " } else { "" })?;
        }
        writeln!(out, "]}}")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::written;

    #[test]
    fn an_object_on_one_line() {
        assert_eq!(
            written(&Json, &Table::of(&[0, 1, 0])),
            "{\"kind\": null, \"shape\": [3], \"engine\": \"reference\", \"max\": 1, \"observed\": false, \"values\": [0, 1, 0]}\n"
        );
    }
}
