use crate::ast::RelOp;
use crate::expr::{AtomKind, Expr, Int, Op};
use crate::parser::Parser;
use crate::resolve::{Binding, Scope, branches, cond};
use crate::rule::{Param, Value};
use crate::{Diagnostic, Rule};

/// Names of single letters, `a` in slot 0; entries and variables as in a rule if `natural`.
struct Letters {
    natural: bool,
}

impl Scope for Letters {
    fn find(&mut self, name: &str) -> Option<Binding> {
        let letter = name.bytes().next().filter(|_| name.len() == 1)?;
        Some(Binding::Slot(usize::from(letter - b'a')))
    }

    fn is_natural(&self, _: usize) -> bool {
        self.natural
    }
}

fn condition(text: &str, natural: bool) -> crate::expr::Cond {
    let mut parser = Parser::new(text);
    let tree = parser.cond().expect("a condition");
    assert!(parser.at_end());
    cond(&tree, &mut Letters { natural }).expect("a condition")
}

/// Whether x op y for fractions with positive denominators.
fn holds(x: (Int, Int), op: &str, y: (Int, Int)) -> bool {
    let (left, right) = (x.0 * y.1, y.0 * x.1);
    match op {
        "=" => left == right,
        "!=" => left != right,
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        _ => left >= right,
    }
}

const SIGNS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

#[test]
fn ratios_mean_exact_fractions_and_need_a_positive_divisor() {
    for op in SIGNS {
        let right = condition(&format!("a {op} b/c"), false);
        let left = condition(&format!("b/c {op} a"), false);
        let denied = condition(&format!("not a {op} b/c"), false);
        for a in -4..=4 {
            for b in -7..=7 {
                for c in -2..=3 {
                    let frame = [a, b, c];
                    let said = [right.eval(&frame, &[]), left.eval(&frame, &[]), denied.eval(&frame, &[])];
                    if c <= 0 {
                        assert!(said.iter().all(Result::is_err), "{a} {op} {b}/{c}: {said:?}");
                        continue;
                    }
                    let expected = holds((a, 1), op, (b, c));
                    assert_eq!(said[0], Ok(expected), "{a} {op} {b}/{c}");
                    assert_eq!(said[1], Ok(holds((b, c), op, (a, 1))), "{b}/{c} {op} {a}");
                    assert_eq!(said[2], Ok(!expected), "not {a} {op} {b}/{c}");
                }
            }
        }
    }
}

#[test]
fn two_ratios_are_compared_crosswise() {
    for op in SIGNS {
        let both = condition(&format!("a/b {op} c/d"), false);
        for a in -3..=3 {
            for b in -1..=3 {
                for c in -3..=3 {
                    for d in -1..=3 {
                        let found = both.eval(&[a, b, c, d], &[]);
                        if b <= 0 || d <= 0 {
                            assert!(found.is_err(), "{a}/{b} {op} {c}/{d}");
                        } else {
                            assert_eq!(found, Ok(holds((a, b), op, (c, d))), "{a}/{b} {op} {c}/{d}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn ranges_round_inward() {
    let range = condition("a in b/3..c/2", false);
    for a in -3..=3 {
        for b in -5..=5 {
            for c in -5..=5 {
                let expected = b <= 3 * a && 2 * a <= c;
                assert_eq!(range.eval(&[a, b, c], &[]), Ok(expected), "{a} in {b}/3..{c}/2");
            }
        }
    }
}

#[test]
fn what_is_natural_is_divided_plainly() {
    use crate::expr::Cond;
    let Cond::Atom(atom) = condition("a <= b/c", true) else { panic!("an atom") };
    let quotient = Expr::Binary(Op::FloorDiv, Box::new(Expr::Slot(1)), Box::new(Expr::Slot(2)));
    assert_eq!(atom.kind, AtomKind::Rel(Expr::Slot(0), RelOp::Le, quotient));
    let Cond::Atom(atom) = condition("a = b/2", true) else { panic!("an atom") };
    let doubled = Expr::Binary(Op::Mul, Box::new(Expr::Slot(0)), Box::new(Expr::Const(2)));
    assert_eq!(atom.kind, AtomKind::Rel(doubled, RelOp::Eq, Expr::Slot(1)));
}

#[test]
fn branches_hold_where_the_condition_does() {
    let texts = [
        "a < b or b < c, a != 1",
        "not (a < b and b < c or a = c)",
        "not (a in {1, 2}, b not in 1..c) or 2 divides a",
        "a <= b < c, not a, b >= 2",
        "not a = b/2 or not b/2 < c/3",
        "(a = 1 or b = 1) and (a = 2 or c = 1), not not c >= 1",
        "a, b in {0, 3} or c | a",
    ];
    for text in texts {
        let whole = condition(text, true);
        let found = branches(&whole).expect("few");
        for a in 0..4 {
            for b in 0..4 {
                for c in 0..4 {
                    let frame = [a, b, c];
                    let some = found.iter().any(|atoms| {
                        atoms.iter().all(|atom| atom.kind.eval(&frame, &[]).expect("numbers are small"))
                    });
                    assert_eq!(whole.eval(&frame, &[]), Ok(some), "{text} at {frame:?}");
                }
            }
        }
    }
}

#[test]
fn branches_are_few_or_none() {
    let many = |n: usize| vec!["(a = 1 or a = 2)"; n].join(", ");
    assert_eq!(branches(&condition(&many(6), true)).map(|b| b.len()), Some(64));
    assert_eq!(branches(&condition(&many(7), true)), None);
    let denied = format!("not ({})", vec!["a = 1"; 65].join(", "));
    assert_eq!(branches(&condition(&denied, true)), None);
    assert_eq!(branches(&condition(&vec!["a = 1"; 500].join(", "), true)).map(|b| b[0].len()), Some(500));
}

fn errors(source: &str) -> Vec<(&'static str, String)> {
    let shown = |d: &Diagnostic| (d.id, source[d.span.start..d.span.end].to_string());
    Rule::parse(source, &[]).err().unwrap_or_default().iter().map(shown).collect()
}

#[test]
fn names_of_the_condition_alone_are_introduced_in_every_branch() {
    for good in [
        "n -> n - 1 where k in 1..3, 2*k < n",
        "n -> n - 1 where k = 3, 2*k < n",
        "n -> n - 1 where n = 2*k or k in {1, 2}, k = n - 1",
        "n -> n - 1 where k = 1 and n >= k or k in primes and k <= n",
        "n -> n - 1 where not (k not in {1, 2} or k != 1)",
        "n -> n - 1 where 1 <= m = k, k = 1, m <= n",
        "game x(p: pairs)\nn -> n - 1 where (n, k) in p, k >= 2",
    ] {
        assert!(errors(good).iter().all(|(id, _)| *id != "unknown-name"), "{good}: {:?}", errors(good));
    }
    for bad in [
        "n -> n - 1 where k <= n",
        "n -> n - 1 where k = 1 or k <= n",
        "n -> n - 1 where not k in {1, 2}",
        "n -> n - 1 where n = 2*k",
        "n -> n - 1 where k divides n",
        "n -> n - 1 where not (k in 1..2 and n = 3)",
    ] {
        assert_eq!(errors(bad), [("unknown-name", "k".to_string())], "{bad}");
    }
}

#[test]
fn entries_left_are_bounded_from_below_in_every_branch() {
    let (rule, _) = Rule::parse("n -> n - t, [t - i for i in 1..2] where t = 1 or t = 2", &[]).unwrap();
    let alternative = &rule.lines[0].alternatives[0];
    assert_eq!(alternative.branches.len(), 2);
    for branch in &alternative.branches {
        let last = branch.atoms.last().unwrap();
        let entry = Expr::Binary(Op::Sub, Box::new(Expr::Slot(0)), Box::new(Expr::Slot(1)));
        assert_eq!((branch.atoms.len(), &last.kind), (2, &AtomKind::Rel(Expr::Const(0), RelOp::Le, entry)));
    }
}

#[test]
fn a_ratio_by_a_parameter_that_is_not_positive_fails_when_evaluated() {
    let source = "x -> y where x/k <= y < x";
    for (k, fails) in [(2, false), (1, false), (0, true), (-3, true)] {
        let args = [("k".to_string(), crate::argument::Argument::Number(k))];
        let (rule, _) = Rule::parse(source, &args).unwrap();
        assert_eq!(
            rule.params,
            [Param { name: "k".into(), ty: crate::ast::ParamType::Number, value: Some(Value::Number(k)) }]
        );
        let found = rule.lines[0].alternatives[0].cond.eval(&[6, 5], &rule.params);
        assert_eq!(found.is_err(), fails, "k = {k}: {found:?}");
    }
}
