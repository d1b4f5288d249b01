//! A table for the eye.
//!
//! Patterns are found by looking: columns of a chosen width show periods (a period of 12 is straight lines
//! in 12 columns), bases 2 and 3 show what depends on digits, factors show what depends on divisors, and the
//! heaps by value show what a contestant asks first: which positions are lost. Zero positions carry a `*`.

use std::fmt::Write as _;
use std::io::Write;

use super::Exporter;
use crate::error::Error;
use crate::table::Table;

/// How the text format arranges a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum View {
    /// Values in rows of [`Text::columns`]; a grid in rows of its last entry.
    #[default]
    Rows,
    /// A line a heap: heap and value in base 10 and base 2.
    Binary,
    /// The same in base 3.
    Ternary,
    /// A line a heap: its factors, its value and the factors of that.
    Factors,
    /// A line a value: the heaps that have it.
    ByValue,
}

impl View {
    /// The views that have a name.
    pub const ALL: [View; 5] = [View::Rows, View::Binary, View::Ternary, View::Factors, View::ByValue];

    /// The name, as `--view` takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            View::Rows => "rows",
            View::Binary => "binary",
            View::Ternary => "ternary",
            View::Factors => "factors",
            View::ByValue => "by-value",
        }
    }
}

impl std::str::FromStr for View {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        View::ALL.into_iter().find(|view| view.name() == text).ok_or_else(|| {
            let names: Vec<&str> = View::ALL.iter().map(|view| view.name()).collect();
            Error::new("view", format!("there is no view `{text}`; there are {}", names.join(", ")))
        })
    }
}

/// Writes a table as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// The arrangement.
    pub view: View,
    /// Values a row for [`View::Rows`] of heaps with one entry; at least 1 (0 is read as 1).
    pub columns: usize,
}

impl Default for Text {
    fn default() -> Self {
        Text { view: View::Rows, columns: 10 }
    }
}

impl Exporter for Text {
    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<(), Error> {
        match self.view {
            View::Rows => rows(table, self.columns.max(1), out),
            View::Binary => lines(table, |n| in_base(n, 2), out),
            View::Ternary => lines(table, |n| in_base(n, 3), out),
            View::Factors => lines(table, factors, out),
            View::ByValue => by_value(table, out),
        }
    }
}

/// Rows of values under a row of column numbers; one block for each choice of the entries before the last
/// two.
fn rows(table: &Table, columns: usize, out: &mut dyn Write) -> Result<(), Error> {
    let dims = table.dims();
    let (columns, before) = match dims {
        [n] => (columns.min((*n).max(1)), &dims[..0]),
        [before @ .., _, last] => ((*last).max(1), before),
        [] => return Ok(()),
    };
    let block = before.iter().product::<usize>();
    let size = table.len() / block.max(1);
    let step = if dims.len() == 1 { columns } else { 1 };
    let height = size.div_ceil(columns);
    // A value has one place more than its digits, for the mark.
    let cell = digits(table.max() as usize).max(digits(columns - 1)) + 1;
    let label = digits(height.saturating_sub(1) * step);
    let mut line = String::new();
    for i in 0..block {
        if !before.is_empty() {
            let fixed = table.entries(i * size);
            let fixed: Vec<String> = fixed[..before.len()].iter().map(ToString::to_string).collect();
            writeln!(out, "{}{}, row, column:", if i > 0 { "\n" } else { "" }, fixed.join(", "))?;
        }
        line.clear();
        let _ = write!(line, "{:label$} |", "");
        for c in 0..columns {
            let _ = write!(line, " {c:>width$} ", width = cell - 1);
        }
        writeln!(out, "{}", line.trim_end())?;
        writeln!(out, "{}", "-".repeat(label + 1) + "+" + &"-".repeat((cell + 1) * columns))?;
        for row in 0..height {
            line.clear();
            let _ = write!(line, "{:>label$} |", row * step);
            for c in row * columns..size.min((row + 1) * columns) {
                let value = table.get(i * size + c);
                let mark = if value == 0 { '*' } else { ' ' };
                let _ = write!(line, " {value:>width$}{mark}", width = cell - 1);
            }
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

/// A line a heap: the heap, its entries rewritten, its value, and the value rewritten, in columns.
fn lines(table: &Table, rewrite: impl Fn(usize) -> String, out: &mut dyn Write) -> Result<(), Error> {
    let shown = |index: usize| -> [String; 4] {
        let entries: Vec<String> = table.entries(index).into_iter().map(&rewrite).collect();
        let value = table.get(index);
        let mark = if value == 0 { "*" } else { " " };
        [table.heap(index), entries.join(", "), format!("{value}{mark}"), rewrite(value as usize)]
    };
    let mut widths = [1; 4];
    for index in 0..table.len() {
        for (width, text) in widths.iter_mut().zip(shown(index)) {
            *width = text.len().max(*width);
        }
    }
    for index in 0..table.len() {
        let [heap, entries, value, rewritten] = shown(index);
        let [a, b, c, d] = widths;
        writeln!(out, "{heap:>a$}  {entries:>b$}  |  {value:>c$} {rewritten:>d$}")?;
    }
    Ok(())
}

/// A line a value, in ascending order, with its heaps.
fn by_value(table: &Table, out: &mut dyn Write) -> Result<(), Error> {
    let mut heaps: Vec<(u32, usize)> = table.iter().enumerate().map(|(n, value)| (value, n)).collect();
    heaps.sort_unstable();
    let width = digits(table.max() as usize);
    for same in heaps.chunk_by(|a, b| a.0 == b.0) {
        let value = same[0].0;
        let mark = if value == 0 { '*' } else { ' ' };
        write!(out, "{value:>width$}{mark}|")?;
        for (_, n) in same {
            write!(out, " {}", table.heap(*n))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// How many decimal digits.
fn digits(n: usize) -> usize {
    n.checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// A number in a base of at most 10.
fn in_base(n: usize, base: usize) -> String {
    let mut rest = n;
    let mut text = Vec::new();
    loop {
        let digit = u32::try_from(rest % base).ok().and_then(|digit| char::from_digit(digit, 10));
        text.push(digit.expect("a remainder by at most 10"));
        rest /= base;
        if rest == 0 {
            return text.iter().rev().collect();
        }
    }
}

/// A number as a product of powers of primes.
fn factors(n: usize) -> String {
    if n < 2 {
        return n.to_string();
    }
    let (mut rest, mut prime) = (n, 2);
    let mut text = String::new();
    while rest > 1 {
        if prime * prime > rest {
            prime = rest;
        }
        let mut power = 0;
        while rest % prime == 0 {
            rest /= prime;
            power += 1;
        }
        if power > 0 {
            let _ = write!(text, "{}{prime}", if text.is_empty() { "" } else { "*" });
        }
        if power > 1 {
            let _ = write!(text, "^{power}");
        }
        prime += 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::written;

    fn table() -> Table {
        Table::of(&[0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4])
    }

    fn view(view: View) -> Text {
        Text { view, ..Text::default() }
    }

    #[test]
    fn rows_mark_the_zero_positions() {
        let text = Text { columns: 4, ..Text::default() };
        let expected = "   | 0  1  2  3
---+------------
 0 | 0* 1  2  3
 4 | 1  4  3  2
 8 | 1  4  2  6
12 | 4
";
        assert_eq!(written(&text, &table()), expected);
    }

    #[test]
    fn a_grid_has_its_entries_as_rows_and_columns() {
        let grid = Table::grid_of(&[0, 1, 2, 1, 2, 0], &[2, 3]);
        let expected = "  | 0  1  2
--+---------
0 | 0* 1  2
1 | 1  2  0*
";
        assert_eq!(written(&Text::default(), &grid), expected);
        let cube = Table::grid_of(&[0, 1, 2, 3, 4, 5, 6, 7], &[2, 2, 2]);
        let cube = written(&Text::default(), &cube);
        assert!(cube.starts_with("0, row, column:\n  | 0  1\n"), "{cube}");
        assert!(cube.ends_with("\n\n1, row, column:\n  | 0  1\n--+------\n0 | 4  5\n1 | 6  7\n"), "{cube}");
    }

    #[test]
    fn views_rewrite_heaps_and_values() {
        let binary = written(&view(View::Binary), &table());
        assert!(binary.starts_with(" 0     0  |  0*   0\n 1     1  |  1    1\n"), "{binary}");
        assert!(binary.ends_with("12  1100  |  4  100\n"), "{binary}");
        assert!(written(&view(View::Ternary), &table()).ends_with("12  110  |  4  11\n"));
        assert!(written(&view(View::Factors), &table()).ends_with("12  2^2*3  |  4  2^2\n"));
        let by_value = written(&view(View::ByValue), &table());
        assert!(by_value.starts_with("0*| 0\n1 | 1 4 8\n2 | 2 7 10\n"), "{by_value}");
    }

    #[test]
    fn factors_multiply_back() {
        for n in 0..2000_usize {
            let product: usize = factors(n)
                .split('*')
                .map(|f| match f.split_once('^') {
                    Some((prime, power)) => prime.parse::<usize>().unwrap().pow(power.parse().unwrap()),
                    None => f.parse().unwrap(),
                })
                .product();
            assert_eq!(product, n);
        }
        assert_eq!(factors(usize::MAX), "3*5*17*257*641*65537*6700417");
    }

    #[test]
    fn one_heap_is_a_table() {
        assert_eq!(written(&Text::default(), &Table::of(&[0])), "  | 0\n--+---\n0 | 0*\n");
    }
}
