//! Linear facts about the functions of the language.

use super::{Key, Translator};
use crate::ends::linear::Linear;
use crate::expr::{Expr, Func, Int};

impl Translator<'_> {
    /// The value of a function; `None`: nothing more is known of it.
    pub(super) fn call(&mut self, expr: &Expr, func: Func, args: &[Linear]) -> Option<Linear> {
        if let (Func::Min | Func::Max, [only]) = (func, args) {
            return Some(only.clone());
        }
        let value = self.named(Key::Expr(expr.clone()));
        let v = &value;
        let nonnegative: Vec<bool> =
            args.iter().map(|a| self.interval(a).0.is_some_and(|l| l >= 0)).collect();
        let at_least = |this: &Self, i: usize, low: Int| this.interval(&args[i]).0.is_some_and(|l| l >= low);
        match func {
            Func::Min | Func::Max => {
                let sign = if func == Func::Max { 1 } else { -1 };
                for a in args {
                    self.demand(v.minus(a).and_then(|f| f.times(sign)));
                }
                self.choose(args.iter().map(|a| vec![a.minus(v).and_then(|f| f.times(sign))]).collect());
            }
            Func::Abs => {
                let a = &args[0];
                self.demand(v.minus(a));
                self.demand(v.plus(a));
                self.choose(vec![vec![a.minus(v)], vec![a.plus(v).and_then(|f| f.times(-1))]]);
            }
            Func::Gcd => {
                self.between(v, Some(0), None);
                for (i, arg) in args.iter().enumerate() {
                    if at_least(self, i, 1) {
                        self.between(v, Some(1), None);
                        self.demand(arg.minus(v));
                    }
                }
                if nonnegative.iter().all(|n| *n) {
                    let sum = args.iter().try_fold(Linear::default(), |sum, a| sum.plus(a));
                    self.demand(sum.and_then(|s| s.minus(v)));
                }
            }
            Func::Lcm | Func::Fib => self.between(v, Some(0), None),
            Func::Sqrt => {
                // The argument of a root is at least 0.
                self.between(&args[0], Some(0), None);
                self.between(v, Some(0), None);
                self.demand(args[0].minus(v));
                if let Some(square) = self.product(v, v) {
                    self.demand(args[0].minus(&square));
                }
                if at_least(self, 0, 1) {
                    self.between(v, Some(1), None);
                }
            }
            Func::Root | Func::Log | Func::Popcount | Func::DigitSum => {
                self.between(&args[0], Some(0), None);
                self.between(v, Some(0), None);
                self.demand(args[0].minus(v));
                if func == Func::Log {
                    // b^e <= x with b >= 2 gives e + 1 <= x.
                    self.demand(args[0].minus(v).and_then(|f| f.add(-1)));
                }
            }
            Func::Xor | Func::BitAnd | Func::BitOr => {
                let (a, b) = (args.first()?, args.get(1)?);
                // The bit operations are for naturals.
                for e in [a, b, v] {
                    self.between(e, Some(0), None);
                }
                match func {
                    Func::BitAnd => {
                        self.demand(a.minus(v));
                        self.demand(b.minus(v));
                    }
                    Func::BitOr => {
                        self.demand(v.minus(a));
                        self.demand(v.minus(b));
                        self.demand(a.plus(b).and_then(|s| s.minus(v)));
                    }
                    _ => {
                        for (x, y, z) in [(a, b, v), (a, v, b), (b, v, a)] {
                            self.demand(x.plus(y).and_then(|s| s.minus(z)));
                        }
                    }
                }
            }
            Func::Bit => self.between(v, Some(0), Some(1)),
            Func::Valuation => self.between(v, Some(0), None),
            Func::Omega | Func::BigOmega => {
                self.between(v, Some(0), None);
                self.demand(args[0].minus(v));
            }
            Func::Lpf => {
                self.between(v, Some(2), None);
                self.demand(args[0].minus(v));
            }
        }
        Some(value)
    }
}
