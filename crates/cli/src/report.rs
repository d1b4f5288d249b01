//! Text for people: headings, facts in two columns, tables of words.

use std::io::{self, Write};

use clap::builder::styling::{AnsiColor, Style};

/// A heading.
pub(crate) const HEADING: Style = Style::new().bold();
/// What decides: a result, a winning move.
pub(crate) const RESULT: Style = AnsiColor::Green.on_default().bold();
/// What may be skipped.
pub(crate) const QUIET: Style = Style::new().dimmed();

/// Facts as `name   value`, the values under one another; a value of several lines is indented.
#[derive(Default)]
pub(crate) struct Facts(Vec<(&'static str, String)>);

impl Facts {
    /// Adds a fact.
    pub(crate) fn add(&mut self, name: &'static str, value: impl Into<String>) {
        self.0.push((name, value.into()));
    }

    /// Writes them.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.0.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in &self.0 {
            for (i, line) in value.lines().enumerate() {
                let name = if i == 0 { *name } else { "" };
                writeln!(out, "  {QUIET}{name:width$}{QUIET:#}  {line}")?;
            }
        }
        Ok(())
    }
}

/// Rows of words in columns: the first to the left, those of `right` to the right.
pub(crate) fn columns(out: &mut dyn Write, rows: &[Vec<String>], right: &[usize]) -> io::Result<()> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| {
        rows.iter().filter_map(|row| row.get(i)).map(|word| word.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (i, (word, width)) in row.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(width - word.chars().count());
            let cell =
                if right.contains(&i) { format!("{padding}{word}") } else { format!("{word}{padding}") };
            line += &format!("  {cell}");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// `1 heap`, `2 heaps`.
pub(crate) fn count(number: impl Into<u128>, one: &str, many: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A text indented by two, without its blank ends.
pub(crate) fn indented(text: &str) -> String {
    text.trim_matches('\n').lines().map(|line| format!("  {line}\n").replace("  \n", "\n")).collect()
}
