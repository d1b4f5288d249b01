//! How far a table must reach before it can say anything.
//!
//! Below the numbers that a rule names it may look simpler than it is: a heap of less than 3000 cannot tell
//! `take 1 or 3000` from `take 1`. So the first table of a search reaches four times the greatest number in the rule and in
//! the values of its parameters, and a rule with a number beyond every table has no law from a table at all.

use grundy_rule::Rule;
use grundy_rule::expr::{Atom, AtomKind, Cond, Expr, Int, Set};
use grundy_rule::rule::{Part, Value};

/// The greatest number that a rule names, in absolute value: in its lines and in the values of its parameters.
///
/// ```
/// let (rule, _) = grundy_rule::Rule::parse("n -> n - t where t in {1, 3000}", &[]).unwrap();
/// assert_eq!(grundy::law::discover::greatest_number(&rule), 3000);
/// ```
#[must_use]
pub fn greatest_number(rule: &Rule) -> Int {
    let mut greatest = Greatest(0);
    for param in &rule.params {
        match &param.value {
            None => {}
            Some(Value::Number(n)) => greatest.see(*n),
            Some(Value::Set(all) | Value::List(all)) => all.iter().for_each(|n| greatest.see(*n)),
            Some(Value::Pairs(pairs)) => pairs.iter().for_each(|(a, b)| {
                greatest.see(a);
                greatest.see(b);
            }),
        }
    }
    for line in &rule.lines {
        line.pattern.iter().flatten().for_each(|n| greatest.see(*n));
        for alternative in &line.alternatives {
            greatest.parts(&alternative.parts);
            greatest.cond(&alternative.cond);
        }
    }
    greatest.0
}

/// What was seen so far. The depths walked are those of the rule's text, which the parser bounds.
struct Greatest(Int);

impl Greatest {
    fn see(&mut self, n: Int) {
        self.0 = self.0.max(n.checked_abs().unwrap_or(Int::MAX));
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Heap(heap) => heap.entries.iter().for_each(|e| self.expr(e)),
                Part::List { parts, set, .. } => {
                    self.parts(parts);
                    self.set(set);
                }
            }
        }
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::And(all) | Cond::Or(all) => all.iter().for_each(|c| self.cond(c)),
            Cond::Not(inside) => self.cond(inside),
            Cond::Atom(Atom { kind, .. }) => match kind {
                AtomKind::Rel(a, _, b) | AtomKind::PairIn(a, b, ..) | AtomKind::Divides(a, _, b) => {
                    self.expr(a);
                    self.expr(b);
                }
                AtomKind::In(a, _, set) => {
                    self.expr(a);
                    self.set(set);
                }
            },
        }
    }

    fn set(&mut self, set: &Set) {
        match set {
            Set::List(all) | Set::Named(_, all) => all.iter().for_each(|e| self.expr(e)),
            Set::Range(lo, hi) => {
                self.expr(lo);
                hi.iter().for_each(|e| self.expr(e));
            }
            Set::Param(_) => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(n) => self.see(*n),
            Expr::Slot(_) | Expr::Param(_) | Expr::Len(_) => {}
            Expr::Item(_, a) | Expr::Neg(a) | Expr::Grundy(a) => self.expr(a),
            Expr::Binary(_, a, b) => {
                // `2^10` is one number.
                if let (Expr::Const(_), Expr::Const(_)) = (&**a, &**b)
                    && let Ok(n) = expr.eval(&[], &[])
                {
                    self.see(n);
                }
                self.expr(a);
                self.expr(b);
            }
            Expr::Call(_, all) => all.iter().for_each(|e| self.expr(e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rule::argument::Argument;

    #[test]
    fn numbers_are_seen_wherever_they_stand() {
        let of =
            |text: &str, args: &[(String, Argument)]| greatest_number(&Rule::parse(text, args).unwrap().0);
        assert_eq!(of("n -> n - t where t in {1, 3000}", &[]), 3000);
        assert_eq!(of("n -> n - t where t in 1..2^12", &[]), 4096);
        assert_eq!(of("7000 -> nothing\nn -> n - 1", &[]), 7000);
        assert_eq!(of("n -> [n - i for i in 1..900] where n >= 5", &[]), 900);
        assert_eq!(of("n -> max(n - 1, n - 5) where not n < 80 or n divides 60", &[]), 80);
        let k = ("k".to_string(), Argument::Number(10_i128.pow(18)));
        assert_eq!(of("n -> n - t where 1 <= t <= k", &[k]), 10_i128.pow(18));
        let set = ("S".to_string(), Argument::Numbers(vec![2, 50]));
        assert_eq!(of("n -> n - t where t in S", &[set]), 50);
    }
}
