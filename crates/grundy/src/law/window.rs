//! Laws by a sliding window: g is that of the game `n -> y where L(n) <= y < n` (proof rule R3).
//!
//! A window is a law because its left end moves by steps of 0 or 1: then g(n + 1) = g(L(n)) where it steps, and
//! n + 1 - L(n + 1) where it stands still. That it does is not believed but recognised, by the same reasoning that
//! recognises rules; and the walks are those of [`crate::values::sliding`].

use grundy_rule::Rule;
use grundy_rule::argument::Argument;
use grundy_rule::expr::{Expr, Int, ParamId};
use grundy_rule::law_text;
use grundy_rule::rule::{Param, Value};
use grundy_rule::shape::{self, Shape};

use super::STEPS;
use crate::error::Error;
use crate::values::sliding::{Down, LeftEnd, Window as Sliding};

/// A window, ready.
#[derive(Clone, Debug)]
pub(super) struct Window {
    from: u128,
    sliding: Sliding,
    /// As written, for messages.
    shown: String,
}

impl Window {
    pub(super) fn new(window: &law_text::Window, params: &[Param]) -> Result<Window, Error> {
        let shown = law_text::Clause::Window(window.clone()).to_string();
        let shape = shape_of(window, params).ok_or_else(|| {
            Error::new(
                "law-window",
                format!("`{shown}`: its left end is not known to move by steps of 0 and 1"),
            )
            .help("write it with n, numbers, floor, ceil, sqrt, root and log: `window L(n) = n - sqrt(n)`")
        })?;
        let from = u128::try_from(window.from).unwrap_or(0);
        Ok(Window { from, sliding: Sliding::new(shape), shown })
    }

    /// The value of a heap; `None` below the first.
    pub(super) fn value(&self, n: Int) -> Result<Option<Int>, Error> {
        let mut heap = match u128::try_from(n) {
            Ok(heap) if heap >= self.from => heap,
            _ => return Ok(None),
        };
        for _ in 0..STEPS {
            if heap <= self.sliding.start() {
                return Ok(Some(0));
            }
            match self.sliding.down(heap)? {
                Down::Value(value) => return Ok(Int::try_from(value).ok()),
                Down::To(lower) => heap = lower,
            }
        }
        Err(self.slow(n))
    }

    /// The least heap in `from..=to` with that value.
    pub(super) fn least(&self, value: Int, from: Int, to: Int) -> Result<Option<Int>, Error> {
        let (Ok(value), Ok(to)) = (u128::try_from(value), u128::try_from(to)) else { return Ok(None) };
        let first = u128::try_from(from).unwrap_or(0).max(self.from);
        if first > to || value > to {
            return Ok(None);
        }
        let width = |n: u128| self.sliding.at(n).map(|left| n - left.min(n));
        if width(to.max(self.sliding.start()))? < value {
            return Ok(None);
        }
        let mut heap = self.sliding.start();
        if value > 0 {
            // The widths never fall, so the first heap with a value is found by bisection.
            let mut hi = to;
            while heap < hi {
                let mid = heap + (hi - heap) / 2;
                if width(mid)? >= value { hi = mid } else { heap = mid + 1 }
            }
        } else if self.from < heap && first < heap {
            // Heaps below the start of the window have no move.
            return Ok(Int::try_from(first).ok());
        }
        for _ in 0..STEPS {
            if heap >= first {
                return Ok((heap <= to).then(|| Int::try_from(heap).ok()).flatten());
            }
            if self.sliding.at(to)? <= heap {
                return Ok(None);
            }
            heap = self.sliding.up(heap, to)?;
        }
        Err(self.slow(from))
    }

    fn slow(&self, n: Int) -> Error {
        Error::new("law-slow", format!("`{}` takes more than {STEPS} steps for heap {n}", self.shown))
    }
}

/// Whether an expression speaks of a parameter.
fn mentions(expr: &Expr, param: ParamId) -> bool {
    match expr {
        Expr::Param(id) | Expr::Len(id) => *id == param,
        Expr::Item(id, of) => *id == param || mentions(of, param),
        Expr::Const(_) | Expr::Slot(_) => false,
        Expr::Neg(of) | Expr::Grundy(of) => mentions(of, param),
        Expr::Binary(_, a, b) => mentions(a, param) || mentions(b, param),
        Expr::Call(_, all) => all.iter().any(|of| mentions(of, param)),
    }
}

/// The shape of the rule that the window is.
fn shape_of(window: &law_text::Window, params: &[Param]) -> Option<shape::SlidingWindow> {
    let (heap, from, left) = (&window.heap, window.from, &window.left_written);
    // A name that nothing else has.
    let mut lower = "y".to_string();
    while *heap == lower || params.iter().any(|p| p.name == lower) {
        lower.push('y');
    }
    let text = format!("{heap} -> {lower} where {left} <= {lower} < {heap}, {lower} >= {from}");
    let arguments: Vec<(String, Argument)> = params
        .iter()
        .enumerate()
        // A rule refuses a value for a name that it does not have.
        .filter(|(id, _)| mentions(&window.left, *id))
        .filter_map(|(_, p)| {
            let argument = match p.value.as_ref()? {
                Value::Number(n) => Argument::Number(*n),
                Value::Set(all) | Value::List(all) => Argument::Numbers(all.clone()),
                // No left end speaks of pairs.
                Value::Pairs(_) => return None,
            };
            Some((p.name.clone(), argument))
        })
        .collect();
    let (rule, _) = Rule::parse(&text, &arguments).ok()?;
    shape::shapes(&rule).into_iter().find_map(|shape| match shape {
        Shape::SlidingWindow(sliding) => Some(sliding),
        // Any smaller heap from the first on.
        Shape::AllBut(except) if except.is_empty() => Some(shape::SlidingWindow {
            first: u64::try_from(from).ok()?,
            left: shape::LeftEnd::Ratio(shape::Ratio { a: 0, c: from, b: 1 }),
        }),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use grundy_rule::Rule;
    use grundy_rule::argument::Argument;

    use crate::law::Law;

    #[test]
    fn a_window_need_not_speak_of_the_parameters() {
        let k = [("k".to_string(), Argument::Number(3))];
        let (rule, _) = Rule::parse("x -> y where x/k <= y < x", &k).unwrap();
        for text in ["window L(n) = ceil(n/3)", "window L(n) = ceil(n/k)"] {
            assert_eq!(Law::parse(text, &rule.params).unwrap().value(9).unwrap(), 6, "{text}");
        }
    }
}
