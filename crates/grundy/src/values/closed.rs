//! Closed forms: the shapes of which a lemma says the nimber of every heap.

use std::fmt;

use grundy_rule::Rule;
use grundy_rule::shape::{LeftEnd as ShapeEnd, Ratio, Shape, Shapes, SlidingWindow};

use super::deleted::DeletedPoints;
use super::interval::Interval;
use super::periodic::Subtraction;
use super::sliding::{self, Window};
use crate::error::Error;
use crate::limits::Clock;
use crate::nimber::Nimber;

/// A rule with a closed form, for the heaps of one kind with one entry.
#[derive(Clone, Debug)]
pub(super) enum Closed {
    Sliding(Window),
    Deleted(Box<DeletedPoints>),
    Interval(Interval),
    Subtraction(Subtraction),
}

impl Closed {
    /// The best closed form of a kind of heap, if one of its shapes has one.
    pub(super) fn of(rule: &Rule, shapes: &mut Shapes) -> Option<Closed> {
        let needs_table = |form: &Closed| matches!(form, Closed::Subtraction(_));
        // The preferred shape is found soonest and often has one that answers at once.
        let preferred = Closed::of_shape(shapes.preferred()).filter(|form| !needs_table(form));
        preferred.or_else(|| shapes.all(rule).iter().filter_map(Closed::of_shape).min_by_key(needs_table))
    }

    fn of_shape(shape: &Shape) -> Option<Closed> {
        match shape {
            Shape::SlidingWindow(window) => Some(Closed::Sliding(Window::new(window.clone()))),
            Shape::AllBut(banned) if banned.is_empty() => {
                let left = ShapeEnd::Ratio(Ratio { a: 0, c: 0, b: 1 });
                Some(Closed::Sliding(Window::new(SlidingWindow { first: 0, left })))
            }
            Shape::WindowExcept(window) => {
                Some(Closed::Deleted(Box::new(DeletedPoints::new(window.least, window.except.clone()))))
            }
            Shape::Window(window) => match (&window.left, &window.right) {
                // n - r ..= n - l. Below l there is no option, so `first` changes nothing up to there.
                (
                    ShapeEnd::Ratio(Ratio { a: 1, c: most, b: 1 }),
                    ShapeEnd::Ratio(Ratio { a: 1, c: least, b: 1 }),
                ) if *most <= *least && *least < 0 && u128::from(window.first) <= least.unsigned_abs() => {
                    Interval::new(least.unsigned_abs(), most.unsigned_abs()).map(Closed::Interval)
                }
                _ => None,
            },
            Shape::Subtraction(set) => {
                let (least, most) = (*set.first()?, *set.last()?);
                let run = u64::try_from(set.len()).is_ok_and(|len| most - least == len - 1);
                if run {
                    return Interval::new(u128::from(least), u128::from(most)).map(Closed::Interval);
                }
                Some(Closed::Subtraction(Subtraction::new(set)))
            }
            _ => None,
        }
    }

    /// The nimber of a heap where a few operations on 64 bits give it.
    #[inline]
    pub(super) fn small(&self, n: u64) -> Option<u64> {
        match self {
            Closed::Sliding(window) => window.small(u128::from(n)),
            Closed::Deleted(_) | Closed::Interval(_) | Closed::Subtraction(_) => None,
        }
    }

    /// The nimber of a heap of any size.
    pub(super) fn nimber(&mut self, n: u128, clock: &Clock) -> Result<Nimber, Error> {
        match self {
            // Heaps below the first have no options.
            Closed::Sliding(window) => match window.small(n) {
                Some(value) => Ok(Nimber::from(value)),
                None => Ok(sliding::nimber(window, n, clock)?.unwrap_or(0)),
            },
            Closed::Deleted(game) => Ok(game.nimber(n)),
            Closed::Interval(game) => Ok(game.nimber(n)),
            Closed::Subtraction(game) => game.nimber(n, clock).map(Nimber::from),
        }
    }

    /// A bound of the nimbers of the options of `n`, where it costs next to nothing.
    #[inline]
    pub(super) fn most(&self, n: u128) -> Option<Nimber> {
        match self {
            Closed::Sliding(window) => window.most(n).map(Nimber::from),
            Closed::Deleted(_) | Closed::Interval(_) | Closed::Subtraction(_) => None,
        }
    }

    /// The heaps that `n` may become and whose nimber is `value`, as ascending ranges `lo..=hi`; `None` if they are
    /// better found by trying the moves.
    pub(super) fn options_with(
        &self,
        n: u128,
        value: Nimber,
        clock: &Clock,
    ) -> Result<Option<Vec<(u128, u128)>>, Error> {
        Ok(match self {
            Closed::Sliding(window) => {
                let option = sliding::option_with(window, n, value, clock)?;
                Some(option.into_iter().map(|y| (y, y)).collect())
            }
            Closed::Deleted(game) => match n.checked_sub(1) {
                Some(below) => {
                    let heaps = game.heaps_with(value, 0, below).filter(|&y| game.has_option(n, y));
                    Some(heaps.map(|y| (y, y)).collect())
                }
                None => Some(Vec::new()),
            },
            Closed::Interval(game) => Some(game.options_with(n, value)),
            Closed::Subtraction(_) => None,
        })
    }

    /// Whether this is Nim on the heaps from some number on: the value of a heap is how far it is above it.
    pub(super) fn is_nim(&self) -> bool {
        match self {
            Closed::Sliding(window) => {
                matches!(window.shape().left, ShapeEnd::Ratio(Ratio { a: 0, c, b: 1 })
                    if c <= i128::from(window.shape().first))
            }
            Closed::Deleted(_) | Closed::Interval(_) | Closed::Subtraction(_) => false,
        }
    }

    /// How far a table was filled, if answers come from one that has shown no period yet.
    pub(super) fn table_only(&self) -> Option<usize> {
        match self {
            Closed::Subtraction(game) if game.period().is_none() => Some(game.tabulated()),
            _ => None,
        }
    }
}

/// The lemma by name.
impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Closed::Sliding(_) if self.is_nim() => write!(f, "Nim"),
            Closed::Sliding(window) => write!(f, "{} (lemma R3)", window.shape()),
            Closed::Deleted(game) => {
                let (pairs, deleted) = (game.exceptions(), game.deleted().len());
                write!(f, "Nim with {pairs} moves taken out, {deleted} deleted heaps (lemma)")
            }
            Closed::Interval(game) => {
                let (least, most) = game.ends();
                write!(f, "take {least} to {most}: floor((n mod {}) / {least}) (lemma)", least + most)
            }
            Closed::Subtraction(game) => match game.period() {
                Some((preperiod, period)) => {
                    write!(f, "period {period} after preperiod {preperiod}, proved by a repeated window (R1)")
                }
                None => write!(f, "table of the subtraction set to {}", game.tabulated().saturating_sub(1)),
            },
        }
    }
}
