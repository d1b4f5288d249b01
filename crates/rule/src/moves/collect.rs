//! Assignments set aside until they can be given in order.
//!
//! Variables are tried in the order that costs least, which need not be the order in which moves are listed;
//! and two branches of a condition may find the same assignment. What is found is kept as rows of numbers, 64
//! bits wide while they fit. The runs in which a search finds its rows are ascending pieces, so the standard
//! stable sort, which merges runs, is nearly linear.

use crate::expr::Int;

/// Rows of `width` numbers.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    width: usize,
    narrow: Vec<i64>,
    /// Used instead of `narrow` from the first number on that needs it.
    wide: Vec<Int>,
    is_wide: bool,
    /// Rows of width 0 are only counted.
    empty_rows: usize,
}

impl Collector {
    /// Makes it empty, for rows of that width.
    pub(crate) fn reset(&mut self, width: usize) {
        self.width = width;
        self.narrow.clear();
        self.wide.clear();
        self.is_wide = false;
        self.empty_rows = 0;
    }

    /// How many numbers it holds.
    pub(crate) fn len(&self) -> usize {
        self.narrow.len() + self.wide.len() + self.empty_rows
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push(&mut self, row: &[Int]) {
        if row.is_empty() {
            self.empty_rows = 1;
            return;
        }
        if !self.is_wide {
            let before = self.narrow.len();
            for &x in row {
                let Ok(x) = i64::try_from(x) else {
                    self.narrow.truncate(before);
                    self.widen();
                    break;
                };
                self.narrow.push(x);
            }
        }
        if self.is_wide {
            self.wide.extend_from_slice(row);
        }
    }

    /// Adds `count` rows: the first, and each of the others by `steps` larger than the one before. `row` is working
    /// memory.
    pub(crate) fn push_run(&mut self, first: &[Int], steps: &[i64], count: u64, row: &mut Vec<i64>) {
        if first.is_empty() || count == 0 {
            self.empty_rows |= usize::from(count > 0);
            return;
        }
        let last = |(x, step): (&Int, &i64)| x.checked_add(Int::from(*step).checked_mul(Int::from(count))?);
        row.clear();
        row.extend(first.iter().map_while(|&x| i64::try_from(x).ok()));
        let fits = first.iter().zip(steps).all(|pair| last(pair).is_some_and(|x| i64::try_from(x).is_ok()));
        if self.is_wide || row.len() < first.len() || !fits {
            let mut row = first.to_vec();
            for _ in 0..count {
                self.push(&row);
                for (x, &step) in row.iter_mut().zip(steps) {
                    *x += Int::from(step);
                }
            }
            return;
        }
        match row.len() {
            1 => run::<1>(&mut self.narrow, row, steps, count),
            2 => run::<2>(&mut self.narrow, row, steps, count),
            3 => run::<3>(&mut self.narrow, row, steps, count),
            4 => run::<4>(&mut self.narrow, row, steps, count),
            _ => {
                for _ in 0..count {
                    self.narrow.extend_from_slice(row);
                    row.iter_mut().zip(steps).for_each(|(x, step)| *x += step);
                }
            }
        }
    }

    fn widen(&mut self) {
        self.is_wide = true;
        self.wide.extend(self.narrow.iter().map(|&x| Int::from(x)));
        self.narrow.clear();
    }

    /// Puts the rows in ascending order; `once`: drops repeats.
    pub(crate) fn order(&mut self, once: bool) {
        if self.is_wide {
            order(&mut self.wide, self.width, once);
        } else {
            order(&mut self.narrow, self.width, once);
        }
    }

    /// Copies each row to `out` in turn, as long as `go` gives `true` for what `out` is part of.
    #[inline]
    pub(crate) fn each<T: AsMut<[Int]>>(&self, out: &mut T, from: usize, mut go: impl FnMut(&mut T) -> bool) {
        if self.width == 0 {
            if self.empty_rows > 0 {
                go(out);
            }
        } else if self.is_wide {
            for row in self.wide.chunks_exact(self.width) {
                out.as_mut()[from..from + self.width].copy_from_slice(row);
                if !go(out) {
                    return;
                }
            }
        } else {
            for row in self.narrow.chunks_exact(self.width) {
                for (to, &x) in out.as_mut()[from..].iter_mut().zip(row) {
                    *to = Int::from(x);
                }
                if !go(out) {
                    return;
                }
            }
        }
    }
}

/// A run of rows of a width known to the compiler.
fn run<const N: usize>(out: &mut Vec<i64>, first: &[i64], steps: &[i64], count: u64) {
    let (mut row, mut by) = ([0; N], [0; N]);
    row.copy_from_slice(first);
    by.copy_from_slice(steps);
    let more = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(N);
    out.reserve(more);
    for _ in 0..count {
        out.extend_from_slice(&row);
        for i in 0..N {
            row[i] += by[i];
        }
    }
}

fn order<T: Copy + Ord + Default>(flat: &mut Vec<T>, width: usize, once: bool) {
    let rows = match width {
        0 => return,
        1 => order_fixed::<T, 1>(flat, once),
        2 => order_fixed::<T, 2>(flat, once),
        3 => order_fixed::<T, 3>(flat, once),
        4 => order_fixed::<T, 4>(flat, once),
        _ => {
            let mut rows: Vec<&[T]> = flat.chunks_exact(width).collect();
            rows.sort();
            if once {
                rows.dedup();
            }
            *flat = rows.concat();
            return;
        }
    };
    flat.truncate(rows * width);
}

/// Sorts rows of a width known to the compiler; how many are left.
fn order_fixed<T: Copy + Ord, const N: usize>(flat: &mut [T], once: bool) -> usize {
    let rows = flat.as_chunks_mut::<N>().0;
    if !rows.is_sorted() {
        rows.sort();
    }
    if !once {
        return rows.len();
    }
    // Rows up to `kept` are done.
    let mut kept = 0;
    for i in 1..rows.len() {
        if rows[i] != rows[kept] {
            kept += 1;
            rows[kept] = rows[i];
        }
    }
    if rows.is_empty() { 0 } else { kept + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_sorted_once_at_every_width() {
        for width in 1..7usize {
            for big in [0, Int::from(i64::MAX)] {
                let mut rows: Vec<Vec<Int>> = (0..200i128)
                    .map(|i| {
                        (0..width as Int)
                            .map(|j| i * 7919 % (5 + j) + if i % 3 == 0 { big } else { 0 })
                            .collect()
                    })
                    .collect();
                let mut collector = Collector::default();
                collector.reset(width);
                for row in &rows {
                    collector.push(row);
                }
                rows.sort();
                for once in [false, true] {
                    collector.order(once);
                    if once {
                        rows.dedup();
                    }
                    let mut found = Vec::new();
                    collector.each(&mut vec![0; width + 1], 1, |row| {
                        found.push(row[1..].to_vec());
                        true
                    });
                    assert_eq!(found, rows);
                }
            }
        }
        let mut nothing = Collector::default();
        nothing.reset(0);
        nothing.push(&[]);
        nothing.push(&[]);
        nothing.order(true);
        let mut rows = 0;
        nothing.each(&mut vec![], 0, |_| {
            rows += 1;
            true
        });
        assert_eq!(rows, 1);
    }
}
