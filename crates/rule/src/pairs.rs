//! Sets of pairs: the edges of a graph, the forbidden moves of a heap. There may be millions.
//!
//! Rows are kept ascending and without repeats, so that a row is found by halving and the rows with one first number
//! stand together. Numbers below 2^32, which the nodes of graphs are, take one word a row: that is a quarter of
//! what two numbers of 128 bits take, and rows of one word are sorted as numbers. Everything else is kept as it
//! came. The rows turned round and the hull of the differences are made when somebody first asks.
//!
//! A file of edges is nearly always written node after node. Then the rows are in order but for the few of each
//! node, which are put in order by a network of comparisons without branches: a general sort would spend most of its
//! time on predictions that fail.

use std::sync::OnceLock;

use crate::expr::Int;

/// A set of pairs, searchable from either side.
///
/// ```
/// use grundy_rule::pairs::Pairs;
/// let pairs = Pairs::new(vec![(3, 1), (0, 2), (3, 1)]);
/// assert_eq!(pairs.iter().collect::<Vec<_>>(), [(0, 2), (3, 1)]);
/// assert!(pairs.contains(3, 1) && !pairs.contains(1, 3));
/// ```
#[derive(Clone, Default)]
pub struct Pairs {
    rows: Rows,
    turned: OnceLock<Rows>,
    hulls: OnceLock<Option<Hulls>>,
}

#[derive(Clone, Debug)]
enum Rows {
    /// The first number in the high half of a word, the second in the low half.
    Narrow(Vec<u64>),
    Wide(Vec<(Int, Int)>),
}

impl Default for Rows {
    fn default() -> Self {
        Rows::Narrow(Vec::new())
    }
}

/// The least and the greatest number of each column, and of `first - second`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hulls {
    /// Of the first numbers.
    pub first: (Int, Int),
    /// Of the second numbers.
    pub second: (Int, Int),
    /// Of the differences; `None` if one of them is beyond 128 bits.
    pub difference: Option<(Int, Int)>,
}

/// A row as one word, if both numbers fit.
fn narrow((a, b): (Int, Int)) -> Option<u64> {
    Some(u64::from(u32::try_from(a).ok()?) << 32 | u64::from(u32::try_from(b).ok()?))
}

fn wide(word: u64) -> (Int, Int) {
    (Int::from(word >> 32), Int::from(word & 0xffff_ffff))
}

impl Pairs {
    /// The set of those rows, in whatever order they come.
    #[must_use]
    pub fn new(mut rows: Vec<(Int, Int)>) -> Pairs {
        if let Some(words) = rows.iter().copied().map(narrow).collect() {
            return Pairs::of_words(words);
        }
        if !rows.is_sorted_by(|a, b| a < b) {
            rows.sort_unstable();
            rows.dedup();
        }
        Pairs { rows: Rows::Wide(rows), ..Pairs::default() }
    }

    /// The same of rows whose numbers are below 2^32: the first in the high half of a word, the second in the low.
    #[must_use]
    pub fn of_words(mut words: Vec<u64>) -> Pairs {
        sort(&mut words);
        Pairs { rows: Rows::Narrow(words), ..Pairs::default() }
    }

    /// How many rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.side(false).len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows, ascending.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Int, Int)> + '_ {
        let side = self.side(false);
        (0..side.len()).map(move |index| side.at(index))
    }

    /// The rows as words, as [`Pairs::of_words`] takes them, if all numbers are below 2^32.
    #[must_use]
    pub fn words(&self) -> Option<&[u64]> {
        match &self.rows {
            Rows::Narrow(words) => Some(words),
            Rows::Wide(_) => None,
        }
    }

    /// Whether `(a, b)` is a row.
    #[must_use]
    pub fn contains(&self, a: Int, b: Int) -> bool {
        match &self.rows {
            Rows::Narrow(words) => narrow((a, b)).is_some_and(|word| words.binary_search(&word).is_ok()),
            Rows::Wide(rows) => rows.binary_search(&(a, b)).is_ok(),
        }
    }

    /// Where the numbers lie; `None` if there is no row.
    #[must_use]
    pub fn hulls(&self) -> Option<Hulls> {
        *self.hulls.get_or_init(|| match &self.rows {
            Rows::Narrow(words) => narrow_hulls(words),
            Rows::Wide(rows) => wide_hulls(rows),
        })
    }

    /// The rows by first number, or turned round: the second number first, and ascending by that.
    #[must_use]
    pub fn side(&self, turned: bool) -> Side<'_> {
        let rows = if turned { self.turned.get_or_init(|| self.rows.turned()) } else { &self.rows };
        match rows {
            Rows::Narrow(words) => Side::Narrow(words),
            Rows::Wide(rows) => Side::Wide(rows),
        }
    }
}

impl From<Vec<(Int, Int)>> for Pairs {
    fn from(rows: Vec<(Int, Int)>) -> Self {
        Pairs::new(rows)
    }
}

impl PartialEq for Pairs {
    fn eq(&self, other: &Pairs) -> bool {
        // Whether rows are narrow depends on their numbers alone.
        match (&self.rows, &other.rows) {
            (Rows::Narrow(a), Rows::Narrow(b)) => a == b,
            (Rows::Wide(a), Rows::Wide(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Pairs {}

impl std::fmt::Debug for Pairs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Rows {
    fn turned(&self) -> Rows {
        match self {
            Rows::Narrow(words) => {
                let mut turned: Vec<u64> = words.iter().map(|word| word.rotate_left(32)).collect();
                turned.sort_unstable();
                Rows::Narrow(turned)
            }
            Rows::Wide(rows) => {
                let mut turned: Vec<_> = rows.iter().map(|&(a, b)| (b, a)).collect();
                turned.sort_unstable();
                Rows::Wide(turned)
            }
        }
    }
}

/// Some successive rows, ascending.
#[derive(Clone, Copy, Debug)]
pub enum Side<'a> {
    /// As words.
    Narrow(&'a [u64]),
    /// As they are.
    Wide(&'a [(Int, Int)]),
}

impl<'a> Side<'a> {
    /// How many.
    #[must_use]
    pub fn len(self) -> usize {
        match self {
            Side::Narrow(words) => words.len(),
            Side::Wide(rows) => rows.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The row of that index, which is below [`Side::len`] as for a slice.
    #[must_use]
    pub fn at(self, index: usize) -> (Int, Int) {
        match self {
            Side::Narrow(words) => wide(words[index]),
            Side::Wide(rows) => rows[index],
        }
    }

    /// The row of that index, if there is one.
    #[must_use]
    pub fn get(self, index: usize) -> Option<(Int, Int)> {
        (index < self.len()).then(|| self.at(index))
    }

    /// The first and the last row, if there are any.
    #[must_use]
    pub fn ends(self) -> Option<((Int, Int), (Int, Int))> {
        let last = self.len().checked_sub(1)?;
        Some((self.at(0), self.at(last)))
    }

    /// Those of the indices `start..end`; none if there are no such indices.
    #[must_use]
    pub fn slice(self, start: usize, end: usize) -> Side<'a> {
        match self {
            Side::Narrow(words) => Side::Narrow(words.get(start..end).unwrap_or(&[])),
            Side::Wide(rows) => Side::Wide(rows.get(start..end).unwrap_or(&[])),
        }
    }

    /// How many rows from the start on satisfy a condition that no row after the first failure does.
    #[must_use]
    pub fn partition_point(self, holds: impl Fn((Int, Int)) -> bool) -> usize {
        match self {
            Side::Narrow(words) => words.partition_point(|word| holds(wide(*word))),
            Side::Wide(rows) => rows.partition_point(|row| holds(*row)),
        }
    }
}

fn narrow_hulls(words: &[u64]) -> Option<Hulls> {
    let (first, last) = (words.first()?, words.last()?);
    let (mut low, mut high) = (u32::MAX, 0);
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    for word in words {
        let (a, b) = halves(*word);
        let difference = i64::from(a) - i64::from(b);
        (low, high) = (low.min(b), high.max(b));
        (least, most) = (least.min(difference), most.max(difference));
    }
    Some(Hulls {
        first: (wide(*first).0, wide(*last).0),
        second: (Int::from(low), Int::from(high)),
        difference: Some((Int::from(least), Int::from(most))),
    })
}

/// The two numbers of a word.
#[must_use]
#[inline]
pub fn halves(word: u64) -> (u32, u32) {
    #[allow(clippy::cast_possible_truncation, reason = "each half of a word has 32 bits")]
    ((word >> 32) as u32, word as u32)
}

fn wide_hulls(rows: &[(Int, Int)]) -> Option<Hulls> {
    let (first, last) = (rows.first()?, rows.last()?);
    let mut second = (first.1, first.1);
    let mut difference = first.0.checked_sub(first.1).map(|d| (d, d));
    for (a, b) in rows {
        second = (second.0.min(*b), second.1.max(*b));
        difference = difference
            .zip(a.checked_sub(*b))
            .map(|((least, most), between)| (least.min(between), most.max(between)));
    }
    Some(Hulls { first: (first.0, last.0), second, difference })
}

/// Groups of up to so many words are put in order by the network.
const GROUP: usize = 24;

/// Makes words ascending, each once.
fn sort(words: &mut Vec<u64>) {
    // Equal or falling neighbours, and neighbours whose high halves fall.
    let (mut wrong, mut ungrouped) = (false, false);
    for two in words.windows(2) {
        wrong |= two[0] >= two[1];
        ungrouped |= two[0] >> 32 > two[1] >> 32;
    }
    if !wrong {
        return;
    }
    if ungrouped {
        words.sort_unstable();
        words.dedup();
        return;
    }
    let mut repeated = false;
    let mut start = 0;
    while start < words.len() {
        let high = words[start] >> 32;
        let count = words[start..].iter().take_while(|word| **word >> 32 == high).count();
        let group = &mut words[start..start + count];
        if count > GROUP {
            group.sort_unstable();
        } else {
            // Each pass moves the greatest of those before `end` there.
            for end in (1..count).rev() {
                let mut most = group[0];
                for i in 0..end {
                    let next = group[i + 1];
                    group[i] = most.min(next);
                    most = most.max(next);
                }
                group[end] = most;
            }
        }
        for two in group.windows(2) {
            repeated |= two[0] == two[1];
        }
        start += count;
    }
    if repeated {
        words.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Numbers of which some leave 32 bits.
    fn number() -> impl Strategy<Value = Int> {
        prop_oneof![8 => 0..9_i128, 1 => Just(-3), 1 => Just(1 << 32), 1 => Just(u32::MAX.into()), 1 => Just(Int::MIN), 1 => Just(Int::MAX)]
    }

    fn agrees(rows: Vec<(Int, Int)>) -> Result<(), TestCaseError> {
        let plain: BTreeSet<(Int, Int)> = rows.iter().copied().collect();
        let pairs = Pairs::new(rows);
        prop_assert!(pairs.iter().eq(plain.iter().copied()));
        prop_assert_eq!(pairs.len(), plain.len());
        let turned: BTreeSet<(Int, Int)> = plain.iter().map(|(a, b)| (*b, *a)).collect();
        let side = pairs.side(true);
        prop_assert!((0..side.len()).map(|i| side.at(i)).eq(turned.iter().copied()));
        for a in [-3, 0, 1, 4, 1 << 32, Int::MAX] {
            for b in [-3, 0, 2, 3, u32::MAX.into()] {
                prop_assert_eq!(pairs.contains(a, b), plain.contains(&(a, b)));
            }
            let below = pairs.side(false).partition_point(|row| row < (a, 2));
            prop_assert_eq!(below, plain.iter().filter(|row| **row < (a, 2)).count());
        }
        let hull = |values: Vec<Int>| values.iter().min().copied().zip(values.iter().max().copied());
        let differences: Option<Vec<Int>> = plain.iter().map(|(a, b)| a.checked_sub(*b)).collect();
        let wanted = hull(plain.iter().map(|r| r.0).collect()).map(|first| Hulls {
            first,
            second: hull(plain.iter().map(|r| r.1).collect()).unwrap(),
            difference: differences.and_then(hull),
        });
        prop_assert_eq!(pairs.hulls(), wanted);
        Ok(())
    }

    proptest! {
        #[test]
        fn rows_are_a_sorted_set(rows in prop::collection::vec((number(), number()), 0..40)) {
            agrees(rows)?;
        }

        #[test]
        fn grouped_rows_too(groups in prop::collection::vec(prop::collection::vec(0..30_i128, 0..40), 0..12)) {
            let rows = groups.iter().enumerate().flat_map(|(a, group)| group.iter().map(move |b| (a as Int, *b)));
            agrees(rows.collect())?;
        }
    }
}
