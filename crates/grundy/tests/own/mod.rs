//! The problems as programs: input in, output out.

mod boards;
mod heaps;
mod loops;
mod trees;

pub(crate) use boards::{cards, chomp, colouring, crosses, ordinary};
pub(crate) use heaps::{circle, georgia, merge, moore, pebbles};
pub(crate) use loops::{berzerk, square_but_one};
pub(crate) use trees::{cut_the_tree, other_side, poachers};

/// The numbers of an input.
struct Numbers<'a>(std::str::SplitAsciiWhitespace<'a>);

impl<'a> Numbers<'a> {
    fn of(input: &'a str) -> Self {
        Numbers(input.split_ascii_whitespace())
    }

    fn next(&mut self) -> usize {
        self.0.next().expect("the input is complete").parse().expect("a number")
    }

    fn list(&mut self, count: usize) -> Vec<usize> {
        (0..count).map(|_| self.next()).collect()
    }
}

/// One line a case, after their number.
fn cases(input: &str, mut one: impl FnMut(usize, &mut Numbers<'_>) -> String) -> String {
    let mut numbers = Numbers::of(input);
    let count = numbers.next();
    (1..=count).map(|case| one(case, &mut numbers) + "\n").collect()
}
