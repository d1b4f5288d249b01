//! From a grid of tuples to its law.
//!
//! What a grid can show is more than one thing, and each is looked for by itself:
//!
//! * a law of the nimbers: a nim-sum or a sum of functions of the entries, read off the lines through a corner
//!   (`g(a, b) = g(a, 0) xor g(0, b)` leaves no freedom); one of a short list of formulas; or a period in every entry;
//! * a law of the lost heaps: pairs of Beatty ([`beatty`]), a bound on the ratio of the entries (Euclid's game: Cole and
//!   Davie, 1969), or residues; heaps with an entry 0 may be another matter and have clauses of their own;
//! * symmetry, and the periods of rows (the rows of Wythoff's game have a saltus: Dress, Flammenkamp and Pink, *Additive
//!   periodicity of the Sprague-Grundy function of certain Nim games*, 1999).
//!
//! A candidate is compared with the whole grid. It is observed and no more.

use std::fmt::Write;

use grundy_rule::law_text::Subject;

use super::period::{self, Period};
use super::{FEWEST, Tried, beatty, number};
use crate::error::Error;
use crate::law::{Kind, Law};
use crate::limits::Clock;
use crate::table::Table;

/// Names for entries.
const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "h", "i"];

/// Fewest heaps along each entry from which anything is guessed.
const SIDE: usize = 6;

/// Most combinations of residues that are written as clauses.
const CLAUSES: usize = 16;

/// What a grid shows.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The law of the nimbers.
    pub nimbers: Option<Law>,
    /// The law of the lost heaps, where that of the nimbers is not known.
    pub lost: Option<Law>,
    /// What is seen although it has no notation, in words.
    pub seen: Vec<String>,
    /// What was tried and dropped.
    pub tried: Vec<Tried>,
    /// Whether the order of the entries does not matter, as far as the grid reaches.
    pub symmetric: bool,
}

/// One row of a grid of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first entry.
    pub entry: usize,
    /// The period of g(entry, b) in b: preperiod, period, saltus.
    pub period: Option<(u64, u64, u64)>,
}

/// Looks for the law of a grid of heaps with two entries or more.
///
/// ```
/// use grundy::{law::discover, limits::Limits, table};
/// let rule = "(a, b) -> (a - t, b) | (a, b - t) where t in 1..3";
/// let (rule, _) = grundy_rule::Rule::parse(rule, &[]).unwrap();
/// let table = table::grid(&rule, &[40, 40], &table::Options::default()).unwrap();
/// let found = discover::grid(&table, &Limits::default().clock()).unwrap();
/// assert_eq!(found.nimbers.unwrap().to_string(), "g(a, b) = xor(a mod 4, b mod 4)");
/// assert!(found.symmetric);
/// ```
///
/// # Errors
/// The limit that was reached.
pub fn grid(table: &Table, clock: &Clock) -> Result<Grid, Error> {
    let cells = Cells { dims: table.dims(), values: table.iter().collect() };
    let mut found = Grid { symmetric: cells.is_symmetric(), ..Grid::default() };
    if cells.dims.len() < 2 || cells.dims.len() > NAMES.len() || cells.dims.iter().any(|dim| *dim < SIDE) {
        return Ok(found);
    }
    for base in [0, 1] {
        clock.check()?;
        let from = Corner { cells: &cells, base };
        for text in [from.split(Join::NimSum, &mut found.seen), from.split(Join::Sum, &mut found.seen)] {
            if found.nimbers.is_none()
                && let Some(text) = text
            {
                found.nimbers = from.with_edges(&text, clock)?;
            }
        }
        for formula in from.formulas() {
            if found.nimbers.is_none() {
                found.nimbers = from.with_edges(&formula, clock)?;
            }
        }
        if found.nimbers.is_none()
            && let Some(text) = from.periodic(&mut found.seen)
        {
            found.nimbers = from.with_edges(&text, clock)?;
        }
        if found.nimbers.is_some() {
            found.seen.clear();
            return Ok(found);
        }
    }
    let why = "no nim-sum or sum of functions of the entries that have a formula, none of a list of formulas, no period in \
               every entry";
    found.tried.push(Tried { kind: Kind::Formula, why: why.to_string() });
    found.lost = cells.lost(clock)?;
    if found.lost.is_none() {
        let mut why = match cells.dims {
            [_, _] => {
                "the lost heaps are no pairs of Beatty, no bound on the ratio of the entries, no residues"
            }
            _ => "the lost heaps of longer tuples are not looked at by themselves",
        }
        .to_string();
        let pairs = cells.values.iter().filter(|value| **value == 0).count();
        if pairs < 2 * FEWEST && cells.dims.len() == 2 {
            why = format!("a larger grid than one with {pairs} lost heaps may show more; here {why}");
        }
        found.tried.push(Tried { kind: Kind::Zeros, why });
    }
    found.seen.dedup();
    Ok(found)
}

/// The first heap of a grid, by its place, for which a law is wrong or silent; a law about lost heaps is asked for the
/// outcome.
///
/// # Errors
/// The limit that was reached.
pub fn first_wrong(law: &Law, table: &Table, clock: &Clock) -> Result<Option<usize>, Error> {
    for (place, value) in table.iter().enumerate() {
        if place % 4096 == 0 {
            clock.check()?;
        }
        let heap = wide(&table.entries(place));
        let right = match law.speaks_of() {
            Subject::Nimbers => law.value_of(&heap).ok() == Some(u128::from(value)),
            Subject::Zeros => law.is_lost(&heap).ok() == Some(value == 0),
        };
        if !right {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// The periods of the rows of a grid of pairs.
#[must_use]
pub fn rows(table: &Table) -> Vec<Row> {
    let [_, width] = table.dims() else { return Vec::new() };
    let values: Vec<u32> = table.iter().collect();
    let small = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let rows = values.chunks(*width).enumerate();
    rows.map(|(entry, row)| Row {
        entry,
        period: period::find(row).and_then(|Period { preperiod, period, saltus }| {
            Some((small(preperiod), small(period), u64::try_from(saltus).ok()?))
        }),
    })
    .collect()
}

/// The values in row order.
struct Cells<'a> {
    dims: &'a [usize],
    values: Vec<u32>,
}

/// The heaps with entries of at least `base`.
#[derive(Clone, Copy)]
struct Corner<'a> {
    cells: &'a Cells<'a>,
    base: usize,
}

/// How functions of the entries are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    NimSum,
    Sum,
}

impl Cells<'_> {
    fn at(&self, heap: &[usize]) -> u32 {
        let place = heap.iter().zip(self.dims).fold(0, |place, (entry, dim)| place * dim + entry);
        self.values.get(place).copied().unwrap_or(0)
    }

    /// All heaps in row order.
    fn heaps(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        (0..self.values.len()).map(|place| {
            let mut rest = place;
            let mut heap: Vec<usize> =
                self.dims.iter().rev().map(|dim| (rest % dim, rest /= dim).0).collect();
            heap.reverse();
            heap
        })
    }

    /// Whether neighbours among the entries may change places, as far as the grid reaches.
    fn is_symmetric(&self) -> bool {
        self.dims.len() > 1
            && self.heaps().all(|heap| {
                (1..heap.len()).all(|i| {
                    let mut other = heap.clone();
                    other.swap(i - 1, i);
                    let inside = other.iter().zip(self.dims).all(|(entry, dim)| entry < dim);
                    !inside || self.at(&other) == self.at(&heap)
                })
            })
    }

    /// Whether a law gives every value.
    fn agrees(&self, law: &Law, clock: &Clock) -> Result<bool, Error> {
        for (done, heap) in self.heaps().enumerate() {
            if done % 4096 == 0 {
                clock.check()?;
            }
            if law.value_of(&wide(&heap)).ok() != Some(u128::from(self.at(&heap))) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The law of the lost heaps of pairs.
    fn lost(&self, clock: &Clock) -> Result<Option<Law>, Error> {
        let [rows, columns] = *self.dims else { return Ok(None) };
        let is_lost = |a: usize, b: usize| self.at(&[a, b]) == 0;
        // Pairs with a <= b; where the partner of a lies outside the grid, the list ends.
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut single = self.is_symmetric();
        for a in 0..rows.min(columns) {
            let mut partners = (a..columns).filter(|b| is_lost(a, *b));
            if let Some(b) = partners.next() {
                single &= partners.next().is_none();
                pairs.extend(u32::try_from(a).ok().zip(u32::try_from(b).ok()));
            }
        }
        let ascending = pairs.windows(2).all(|w| w[0].1 < w[1].1);
        if single
            && ascending
            && pairs.len() >= FEWEST
            && let Some(law) = beatty(&pairs)
            && self.tells_the_lost(&law, clock)?
        {
            return Ok(Some(law));
        }
        for base in [0, 1] {
            let edges = if base == 0 { Some(String::new()) } else { self.lost_edges() };
            let Some(edges) = edges else { continue };
            for cond in self.lost_conditions(base) {
                let inner = if base == 0 { String::new() } else { "a, b >= 1, ".to_string() };
                let text = format!("zeros\n{edges}(a, b) for {inner}{cond}");
                let law =
                    Law::parse(&text, &[]).map_err(|error| Error::new("law", format!("{text}: {error}")))?;
                if self.tells_the_lost(&law, clock)? {
                    return Ok(Some(law));
                }
            }
        }
        Ok(None)
    }

    /// Whether a law is right about which heaps are lost.
    fn tells_the_lost(&self, law: &Law, clock: &Clock) -> Result<bool, Error> {
        for (done, heap) in self.heaps().enumerate() {
            if done % 4096 == 0 {
                clock.check()?;
            }
            if law.is_lost(&wide(&heap)).ok() != Some(self.at(&heap) == 0) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Clauses for the lost pairs with an entry 0: all of them, or (0, 0) only, or none.
    fn lost_edges(&self) -> Option<String> {
        let [rows, columns] = *self.dims else { return None };
        let column: Vec<bool> = (0..rows).map(|a| self.at(&[a, 0]) == 0).collect();
        let row: Vec<bool> = (0..columns).map(|b| self.at(&[0, b]) == 0).collect();
        let mut text = String::new();
        for (name, edge) in [("(a, 0) for a", &column), ("(0, b) for b", &row)] {
            let (corner, rest) = edge.split_first()?;
            match (corner, rest.iter().all(|lost| *lost), rest.iter().any(|lost| *lost)) {
                (true, true, _) => text.push_str(&format!("{name} >= 0\n")),
                (false, true, _) => text.push_str(&format!("{name} >= 1\n")),
                (true, _, false) => text.push_str(&format!("{name} = 0\n")),
                (false, _, false) => {}
                _ => return None,
            }
        }
        Some(text)
    }

    /// Conditions that may describe the lost pairs with entries of at least `base`.
    fn lost_conditions(&self, base: usize) -> Vec<String> {
        let mut all: Vec<String> = vec!["a = b".to_string()];
        // The first is `max < phi*min`, for x^2 < x + 1 if x < phi.
        let mut ratios = vec!["max(a, b)^2 < min(a, b)^2 + a*b".to_string()];
        for c in 2..=5 {
            ratios.push(format!("max(a, b) < {c}*min(a, b)"));
            ratios.push(format!("max(a, b) <= {c}*min(a, b)"));
        }
        // Equal entries may be another matter.
        let unequal: Vec<String> = ratios.iter().map(|ratio| format!("a != b, {ratio}")).collect();
        all.extend(ratios);
        all.extend(unequal);
        let [rows, columns] = *self.dims else { return all };
        let is_lost = |a: usize, b: usize| self.at(&[a, b]) == 0;
        for m in 2..=24 {
            let residues: Vec<usize> = (0..m)
                .filter(|r| (base..columns).any(|b| (base + b) % m == *r && is_lost(base, b)))
                .collect();
            match residues.as_slice() {
                [] => {}
                [r] => all.push(format!("(a + b) mod {m} = {r}")),
                several if several.len() < m && several.len() <= 4 => {
                    let list: Vec<String> = several.iter().map(ToString::to_string).collect();
                    all.push(format!("(a + b) mod {m} in {{{}}}", list.join(", ")));
                }
                _ => {}
            }
        }
        let lost = Cells {
            dims: self.dims,
            values: self.values.iter().map(|value| u32::from(*value != 0)).collect(),
        };
        let corner = Corner { cells: &lost, base };
        if let Some(periods) = corner.periods()
            && let [p, q] = *periods
            && p < rows / 2
            && q < columns / 2
        {
            let mut parts = Vec::new();
            for a in base..base + p {
                for b in base..base + q {
                    if is_lost(a, b) {
                        parts.push((a % p, b % q));
                    }
                }
            }
            parts.sort_unstable();
            if !parts.is_empty() && parts.len() <= 6 {
                let each = |(i, j): &(usize, usize)| match (p, q) {
                    (1, 1) => "a >= 0".to_string(),
                    (1, _) => format!("b mod {q} = {j}"),
                    (_, 1) => format!("a mod {p} = {i}"),
                    _ => format!("a mod {p} = {i} and b mod {q} = {j}"),
                };
                let parts: Vec<String> = parts.iter().map(each).collect();
                all.push(parts.join(" or "));
            }
        }
        all
    }
}

fn wide(heap: &[usize]) -> Vec<u128> {
    heap.iter().map(|entry| u128::try_from(*entry).unwrap_or(u128::MAX)).collect()
}

impl Corner<'_> {
    /// How many entries heaps have.
    fn entries(&self) -> usize {
        self.cells.dims.len()
    }

    /// Its heaps.
    fn heaps(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        self.cells.heaps().filter(|heap| heap.iter().all(|entry| *entry >= self.base))
    }

    /// An entry counted from the corner: `a`, `(a - 1)`.
    fn entry(&self, i: usize) -> String {
        if self.base == 0 { NAMES[i].to_string() } else { format!("({} - {})", NAMES[i], self.base) }
    }

    /// The heap at the corner.
    fn corner(&self) -> Vec<usize> {
        vec![self.base; self.entries()]
    }

    /// Values along one entry, the others being as at the corner.
    fn line(&self, i: usize) -> Vec<u32> {
        let along = (self.base..self.cells.dims[i]).map(|entry| {
            let mut heap = self.corner();
            heap[i] = entry;
            self.cells.at(&heap)
        });
        along.collect()
    }

    /// g as a nim-sum or a sum of one function of each entry, as an expression.
    fn split(&self, join: Join, seen: &mut Vec<String>) -> Option<String> {
        let first = self.cells.at(&self.corner());
        // The first function has the value at the corner in it, the others begin with 0.
        let mut lines: Vec<Vec<u32>> = (0..self.entries()).map(|i| self.line(i)).collect();
        for line in lines.iter_mut().skip(1) {
            for value in line {
                *value = match join {
                    Join::NimSum => *value ^ first,
                    Join::Sum => value.checked_sub(first)?,
                };
            }
        }
        let is_split = self.heaps().all(|heap| {
            let mut parts = heap.iter().zip(&lines).map(|(entry, line)| line[*entry - self.base]);
            let joined = match join {
                Join::NimSum => parts.try_fold(0, |all: u32, part| Some(all ^ part)),
                Join::Sum => parts.try_fold(0, u32::checked_add),
            };
            joined == Some(self.cells.at(&heap))
        });
        if !is_split {
            return None;
        }
        let formulas: Vec<Option<String>> =
            lines.iter().enumerate().map(|(i, line)| formula(line, &self.entry(i))).collect();
        let Some(mut terms) = formulas.into_iter().collect::<Option<Vec<String>>>() else {
            let (word, sign) = match join {
                Join::NimSum => ("nim-sum", "xor"),
                Join::Sum => ("sum", "+"),
            };
            let functions: Vec<String> =
                (0..self.entries()).map(|i| format!("f{}({})", i + 1, NAMES[i])).collect();
            let mut text =
                format!("{word} of functions of the entries: {}", functions.join(&format!(" {sign} ")));
            for (i, line) in lines.iter().enumerate() {
                if let Some(Period { preperiod, period, saltus }) = period::find(line) {
                    let saltus = if saltus > 0 { format!(", saltus {saltus}") } else { String::new() };
                    let from = preperiod + self.base;
                    let _ = write!(text, "; f{} has period {period}{saltus} from {from} on", i + 1);
                }
            }
            seen.push(text);
            return None;
        };
        terms.retain(|term| term != "0");
        Some(match (terms.as_slice(), join) {
            ([], _) => "0".to_string(),
            ([one], _) => one.clone(),
            (several, Join::NimSum) => format!("xor({})", several.join(", ")),
            (several, Join::Sum) => several.join(" + "),
        })
    }

    /// Formulas worth a look.
    fn formulas(&self) -> Vec<String> {
        let entries: Vec<String> = (0..self.entries()).map(|i| self.entry(i)).collect();
        let list = entries.join(", ");
        let m = self.cells.values.iter().max().map_or(1, |max| max.saturating_add(1));
        let mut plain = vec![
            format!("max({list})"),
            format!("min({list})"),
            format!("gcd({list})"),
            entries.join("*"),
            format!("xor({list})"),
            entries.join(" + "),
        ];
        if let [a, b] = entries.as_slice() {
            plain.push(format!("abs({a} - {b})"));
            if self.base == 1 {
                plain.push("floor(max(a, b)/min(a, b))".to_string());
                plain.push("floor(max(a, b)/min(a, b)) - 1".to_string());
                plain.push("floor(abs(a^2 - b^2)/(a*b))".to_string());
                plain.push("a*b - 1".to_string());
                plain.push("max(a, b)".to_string());
                plain.push("min(a, b)".to_string());
                plain.push("gcd(a, b)".to_string());
            }
        }
        let reduced: Vec<String> = plain.iter().map(|formula| format!("({formula}) mod {m}")).collect();
        if (2..=64).contains(&m) {
            plain.extend(reduced);
        }
        plain
    }

    /// The least period of each entry, if each has one that is seen four times.
    fn periods(&self) -> Option<Vec<usize>> {
        let mut periods = Vec::new();
        for (i, dim) in self.cells.dims.iter().enumerate() {
            let repeats = |p: usize| {
                self.heaps().filter(|heap| heap[i] + p < *dim).all(|mut heap| {
                    let value = self.cells.at(&heap);
                    heap[i] += p;
                    self.cells.at(&heap) == value
                })
            };
            periods.push((1..=(dim - self.base) / 4).find(|p| repeats(*p))?);
        }
        Some(periods)
    }

    /// Clauses for the residues of a grid that repeats in every entry; the value alone where one is left.
    fn periodic(&self, seen: &mut Vec<String>) -> Option<String> {
        let periods = self.periods()?;
        let count: usize = periods.iter().product();
        if count > CLAUSES {
            let list: Vec<String> = periods.iter().map(ToString::to_string).collect();
            let from = if self.base == 0 { "" } else { ", from 1 on" };
            seen.push(format!("periods in the entries: {}{from}", list.join(", ")));
            return None;
        }
        let mut text = String::new();
        for place in 0..count {
            let mut rest = place;
            let mut heap: Vec<usize> =
                periods.iter().rev().map(|p| ((rest % p) + self.base, rest /= p).0).collect();
            heap.reverse();
            let conds: Vec<String> = (0..heap.len())
                .filter(|i| periods[*i] > 1)
                .map(|i| format!("{} mod {} = {}", NAMES[i], periods[i], heap[i] % periods[i]))
                .collect();
            let cond = if conds.is_empty() { String::new() } else { format!(" for {}", conds.join(", ")) };
            let head = if place == 0 { String::new() } else { format!("\ng({}) = ", self.names()) };
            let _ = write!(text, "{head}{}{cond}", self.cells.at(&heap));
        }
        Some(text)
    }

    fn names(&self) -> String {
        NAMES[..self.entries()].join(", ")
    }

    /// The law `g(a, b) = formula`, with clauses for the heaps below the corner, if it gives every value.
    fn with_edges(&self, formula: &str, clock: &Clock) -> Result<Option<Law>, Error> {
        let mut text = String::new();
        if self.base == 1 {
            let Some(edges) = self.edges() else { return Ok(None) };
            text = edges;
        }
        let _ = write!(text, "g({}) = {formula}", self.names());
        // A sum of functions may have signs that do not go together: such a candidate says nothing.
        let Ok(law) = Law::parse(&text, &[]) else { return Ok(None) };
        Ok(self.cells.agrees(&law, clock)?.then_some(law))
    }

    /// Clauses for heaps with an entry 0: a formula for pairs, one value for longer tuples.
    fn edges(&self) -> Option<String> {
        let mut text = String::new();
        for i in (0..self.entries()).rev() {
            let entries: Vec<&str> =
                (0..self.entries()).map(|j| if i == j { "0" } else { NAMES[j] }).collect();
            let value = match self.cells.dims {
                [_, _] => {
                    let other = 1 - i;
                    let line: Vec<u32> = (0..self.cells.dims[other])
                        .map(|entry| self.cells.at(&if other == 0 { [entry, 0] } else { [0, entry] }))
                        .collect();
                    super::grid::formula(&line, NAMES[other])?
                }
                _ => {
                    let mut edge =
                        self.cells.heaps().filter(|heap| heap[i] == 0).map(|heap| self.cells.at(&heap));
                    let first = edge.next()?;
                    edge.all(|value| value == first).then(|| first.to_string())?
                }
            };
            let _ = writeln!(text, "g({}) = {value}", entries.join(", "));
        }
        Some(text)
    }
}

/// Values for 0, 1, 2, ... as an expression in `name`.
fn formula(values: &[u32], name: &str) -> Option<String> {
    let first = *values.first()?;
    if values.iter().all(|value| *value == first) {
        return Some(first.to_string());
    }
    let text = if let Some(found) = period::find(values) {
        match period::formula(values, found) {
            Some(text) => text,
            // From some number on a line: `max(n - 2, 0)`.
            None if found.period == 1 && found.saltus == 1 && first == 0 => {
                let late = found.preperiod;
                values[..late].iter().all(|value| *value == 0).then_some(())?;
                format!("g(n) = max(n - {late}, 0)")
            }
            None => return None,
        }
    } else {
        let law =
            number::function(values, &crate::limits::Limits::default().clock()).ok()?.ok()?.0.to_string();
        // One clause, which asks for no other value.
        let (_, value) = law.split_once(" = ")?;
        if law.contains('\n') || value.contains("g(") {
            return None;
        }
        law
    };
    let value = text.strip_prefix("g(n) = ")?;
    let mut out = String::with_capacity(value.len());
    let mut word = String::new();
    for c in value.chars().chain([' ']) {
        if c.is_ascii_alphabetic() {
            word.push(c);
            continue;
        }
        out.push_str(if word == "n" { name } else { &word });
        word.clear();
        out.push(c);
    }
    Some(out.trim_end().to_string())
}

#[cfg(test)]
mod tests;
