//! Grids whose law the literature knows.

use grundy_rule::Rule;

use super::*;
use crate::limits::Limits;
use crate::table::{self, Options};

fn look(text: &str, ends: &[u64]) -> Grid {
    let (rule, _) = Rule::parse(text, &[]).unwrap();
    let table = table::grid(&rule, ends, &Options::default()).unwrap();
    let found = grid(&table, &Limits::default().clock()).unwrap();
    // Whatever is said holds on a larger grid, too.
    let further: Vec<u64> = ends.iter().map(|end| end * 3 / 2).collect();
    let table = table::grid(&rule, &further, &Options::default()).unwrap();
    let cells = Cells { dims: table.dims(), values: table.iter().collect() };
    for law in found.nimbers.iter() {
        assert!(cells.agrees(law, &Limits::default().clock()).unwrap(), "{law}");
    }
    for law in found.lost.iter() {
        assert!(cells.tells_the_lost(law, &Limits::default().clock()).unwrap(), "{law}");
    }
    found
}

fn nimbers(text: &str, ends: &[u64]) -> Option<String> {
    look(text, ends).nimbers.map(|law| law.to_string())
}

#[test]
fn nim_sums_of_functions_of_the_entries() {
    let two = |set: &str| format!("(a, b) -> (a - t, b) | (a, b - t) where t {set}");
    assert_eq!(nimbers(&two(">= 1"), &[40, 40]).as_deref(), Some("g(a, b) = xor(a, b)"));
    assert_eq!(
        nimbers(&two("in 2..5"), &[60, 60]).as_deref(),
        Some("g(a, b) = xor(floor(a mod 7/2), floor(b mod 7/2))")
    );
    let three = "(a, b, c) -> (a - t, b, c) | (a, b - t, c) | (a, b, c - t) where t >= 1";
    assert_eq!(nimbers(three, &[16, 16, 16]).as_deref(), Some("g(a, b, c) = xor(a, b, c)"));
    let unequal = "(a, b) -> (a - t, b) where t in 1..2\n(a, b) -> (a, b - t) where t >= 1";
    assert_eq!(nimbers(unequal, &[40, 40]).as_deref(), Some("g(a, b) = xor(a mod 3, b)"));
    assert!(!look(unequal, &[40, 40]).symmetric);
    // Periodic, but not in the shape of stairs: said in words.
    let words = look(&two("in {1, 4}"), &[60, 60]);
    assert!(words.nimbers.is_none());
    assert_eq!(
        words.seen[0],
        "nim-sum of functions of the entries: f1(a) xor f2(b); f1 has period 5 from 0 on; f2 has period 5 from 0 on"
    );
}

#[test]
fn rectangles() {
    // Cut off a part along a grid line and throw it away: each side is a heap with one less.
    let cut = "(a, b) -> (i, b) where 1 <= i < a\n(a, b) -> (a, j) where 1 <= j < b";
    assert_eq!(nimbers(cut, &[30, 30]).as_deref(), Some("g(a, b) = xor(max(a - 1, 0), max(b - 1, 0))"));
    // Break into two rectangles until only single squares are left: a*b - 1 moves, whatever is done.
    let break_up = "(a, b) -> (i, b), (j, b) where i + j = a, i, j, b >= 1\n(a, b) -> (a, i), (a, j) where i + j = b, i, j, a >= 1";
    let law = nimbers(break_up, &[14, 14]).unwrap();
    assert!(law.ends_with("mod 2"), "{law}");
}

#[test]
fn lost_pairs() {
    let wythoff = "(a, b) -> (a - t, b) | (a, b - t) | (a - t, b - t) where t >= 1";
    let found = look(wythoff, &[60, 60]);
    assert!(found.nimbers.is_none() && found.symmetric);
    assert_eq!(
        found.lost.unwrap().to_string(),
        "zeros\nz(i) = (floor((i + sqrt(5i^2))/2), floor((i + sqrt(5i^2))/2) + i)"
    );
    let euclid =
        "(a, b) -> (a - k*b, b) where k >= 1, 1 <= b <= a\n(a, b) -> (a, b - k*a) where k >= 1, 1 <= a <= b";
    assert_eq!(
        look(euclid, &[40, 40]).lost.unwrap().to_string(),
        "zeros\n(a, 0) for a >= 0\n(0, b) for b >= 0\n(a, b) for a, b >= 1, a != b, max(a, b)^2 < min(a, b)^2 + a*b"
    );
}

#[test]
fn periods_in_every_entry() {
    let king = "(a, b) -> (a - 1, b) | (a, b - 1) | (a - 1, b - 1)";
    let found = look(king, &[24, 24]);
    let said = found.nimbers.or(found.lost).expect("a law of the king").to_string();
    assert!(said.contains("mod 2"), "{said}");
}

#[test]
fn rows_have_periods_with_a_saltus() {
    let wythoff = "(a, b) -> (a - t, b) | (a, b - t) | (a - t, b - t) where t >= 1";
    let (rule, _) = Rule::parse(wythoff, &[]).unwrap();
    let table = table::grid(&rule, &[2, 300], &Options::default()).unwrap();
    let rows = rows(&table);
    assert_eq!(rows[0], Row { entry: 0, period: Some((0, 1, 1)) });
    // 1 2 0 4 5 3 7 8 6 ...
    assert_eq!(rows[1], Row { entry: 1, period: Some((0, 3, 3)) });
    assert_eq!(rows[2].period.map(|(_, period, saltus)| (period, saltus)), Some((3, 3)));
}

#[test]
fn no_law_is_no_law() {
    // Nim multiplication has no formula here, and its lost heaps are those with an entry 0.
    let mut values = Vec::new();
    for a in 0..24_u64 {
        for b in 0..24_u64 {
            values.push(u32::try_from((a * a + 3 * b * a + b * b * b) * 2_654_435_761 % 1009).unwrap());
        }
    }
    let table = Table::grid_of(&values, &[24, 24]);
    let found = grid(&table, &Limits::default().clock()).unwrap();
    assert!(found.nimbers.is_none() && found.lost.is_none() && found.seen.is_empty());
    assert_eq!(found.tried.len(), 2);
}
