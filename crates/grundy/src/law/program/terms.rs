//! Expressions and conditions of laws in the words of a language. Names stand for the slots of the clause.

use grundy_rule::expr::{AtomKind, Cond, Expr, Func, Int, NamedSet, Op, RelOp, Set};
use grundy_rule::rule::Value;

use super::code::Code;
use super::{Language, natural, refused};
use crate::error::Error;
use crate::law::Law;
use crate::law::affine::mentions_names;

/// How tightly the outermost operation of a text binds: sums, products, atoms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tight {
    Sum,
    Product,
    Atom,
}

/// What a clause is written with.
pub(super) struct Terms<'a> {
    pub(super) law: &'a Law,
    pub(super) names: &'a [String],
    /// What `g(..)` on the right is called.
    pub(super) function: &'a str,
}

impl Terms<'_> {
    /// The expression; safe beside `+`, `-` and comparisons.
    pub(super) fn expr(&self, expr: &Expr, code: &mut Code) -> Result<String, Error> {
        Ok(self.term(expr, code)?.0)
    }

    /// The expression, in brackets unless it binds that tightly.
    fn at(&self, expr: &Expr, least: Tight, code: &mut Code) -> Result<String, Error> {
        let (text, tight) = self.term(expr, code)?;
        Ok(if tight >= least && !text.starts_with('-') { text } else { format!("({text})") })
    }

    fn term(&self, expr: &Expr, code: &mut Code) -> Result<(String, Tight), Error> {
        let params = &self.law.params;
        // What mentions no name has its value now, exactly, and not later, in a narrower type.
        if !mentions_names(expr)
            && let Ok(value) = expr.eval(&[], params)
        {
            return Ok((code.int(value), Tight::Atom));
        }
        Ok(match expr {
            Expr::Const(value) => (code.int(*value), Tight::Atom),
            Expr::Slot(slot) => {
                (self.names.get(*slot).cloned().ok_or_else(|| refused("a name is missing"))?, Tight::Atom)
            }
            Expr::Param(_) | Expr::Len(_) => return Err(refused("a parameter has no value")),
            Expr::Item(param, index) => {
                let Some(Value::List(items) | Value::Set(items)) =
                    params.get(*param).and_then(|param| param.value.as_ref())
                else {
                    return Err(refused("a parameter has no value"));
                };
                let table =
                    code.table(items.iter().copied()).ok_or_else(|| refused("a list holds large numbers"))?;
                let index = self.expr(index, code)?;
                (code.item(&table, &index), Tight::Atom)
            }
            Expr::Neg(of) => (format!("-{}", self.at(of, Tight::Atom, code)?), Tight::Sum),
            Expr::Binary(op, a, b) => self.binary(*op, a, b, code)?,
            Expr::Call(func, args) => self.call(*func, args, code)?,
            Expr::Grundy(of) => (format!("{}({})", self.function, self.expr(of, code)?), Tight::Atom),
        })
    }

    fn binary(&self, op: Op, a: &Expr, b: &Expr, code: &mut Code) -> Result<(String, Tight), Error> {
        let python = code.language == Language::Python;
        // Machine division cuts off; that is rounding down where both sides are natural.
        let plain = python
            || natural(a, self.law)
                && !mentions_names(b)
                && b.eval(&[], &self.law.params).is_ok_and(|b| b > 0);
        let (sign, helper, tight) = match op {
            Op::Add => ("+", "", Tight::Sum),
            Op::Sub => ("-", "", Tight::Sum),
            Op::Mul => ("*", "", Tight::Product),
            Op::FloorDiv if plain => (if python { "//" } else { "/" }, "", Tight::Product),
            Op::Mod if plain => ("%", "", Tight::Product),
            Op::FloorDiv => ("", "fdiv", Tight::Atom),
            Op::CeilDiv => ("", "cdiv", Tight::Atom),
            Op::Mod => ("", "modulo", Tight::Atom),
            Op::Pow => ("", "ipow", Tight::Atom),
        };
        if !helper.is_empty() {
            code.uses(helper);
            return Ok((format!("{helper}({}, {})", self.expr(a, code)?, self.expr(b, code)?), tight));
        }
        let right = if op == Op::Add { Tight::Sum } else { Tight::Product };
        let right = if op == Op::Add || op == Op::Sub { right } else { Tight::Atom };
        Ok((format!("{} {sign} {}", self.at(a, tight, code)?, self.at(b, right, code)?), tight))
    }

    fn call(&self, func: Func, args: &[Expr], code: &mut Code) -> Result<(String, Tight), Error> {
        let mut words = Vec::with_capacity(args.len());
        for arg in args {
            words.push(self.expr(arg, code)?);
        }
        let (helper, folded) = match func {
            Func::Min => ("imin", true),
            Func::Max => ("imax", true),
            Func::Gcd => ("gcd", true),
            Func::Lcm => ("lcm", true),
            Func::Abs => ("iabs", false),
            Func::Sqrt => ("isqrt", false),
            Func::Root => ("iroot", false),
            Func::Log => ("ilog", false),
            Func::Popcount => ("popcount", false),
            Func::Bit => ("bit", false),
            Func::DigitSum => ("digitsum", false),
            Func::Valuation => ("valuation", false),
            Func::Omega => ("omega", false),
            Func::BigOmega => ("bigomega", false),
            Func::Lpf => ("lpf", false),
            Func::Fib => ("fib", false),
            Func::Xor | Func::BitAnd | Func::BitOr => {
                let sign = match func {
                    Func::Xor => " ^ ",
                    Func::BitAnd => " & ",
                    _ => " | ",
                };
                let words: Vec<String> = words.into_iter().map(|word| format!("({word})")).collect();
                return Ok((format!("({})", words.join(sign)), Tight::Atom));
            }
        };
        code.uses(helper);
        if !folded {
            return Ok((format!("{helper}({})", words.join(", ")), Tight::Atom));
        }
        let all = words.into_iter().reduce(|a, b| format!("{helper}({a}, {b})"));
        // Of one number alone gcd and lcm are the absolute value, and min and max the number.
        let all = match (func, args) {
            (Func::Gcd | Func::Lcm, [_]) => {
                code.uses("iabs");
                all.map(|one| format!("iabs({one})"))
            }
            (_, [_]) => all.map(|one| format!("({one})")),
            _ => all,
        };
        Ok((all.ok_or_else(|| refused("a function has no argument"))?, Tight::Atom))
    }

    /// The condition; `None` if it always holds. Safe beside `and`.
    pub(super) fn cond(&self, cond: &Cond, code: &mut Code) -> Result<Option<String>, Error> {
        match cond {
            Cond::And(all) => {
                let mut words = Vec::new();
                for part in all {
                    words.extend(self.cond(part, code)?);
                }
                Ok((!words.is_empty()).then(|| words.join(code.and())))
            }
            Cond::Or(all) => {
                let mut words = Vec::new();
                for part in all {
                    match self.cond(part, code)? {
                        Some(word) => words.push(format!("({word})")),
                        None => return Ok(None),
                    }
                }
                let none = if code.language == Language::Python { "False" } else { "false" };
                Ok(Some(if words.is_empty() {
                    none.to_string()
                } else {
                    format!("({})", words.join(code.or()))
                }))
            }
            Cond::Not(of) => {
                let word = self.cond(of, code)?.unwrap_or_else(|| code.truth().to_string());
                Ok(Some(self.not(&word, code)))
            }
            Cond::Atom(atom) => self.atom(&atom.kind, code).map(Some),
        }
    }

    fn not(&self, word: &str, code: &Code) -> String {
        format!("{}({word})", code.not())
    }

    fn atom(&self, kind: &AtomKind, code: &mut Code) -> Result<String, Error> {
        Ok(match kind {
            AtomKind::Rel(a, op, b) => {
                let sign = match op {
                    RelOp::Eq => "==",
                    RelOp::Ne => "!=",
                    RelOp::Lt => "<",
                    RelOp::Le => "<=",
                    RelOp::Gt => ">",
                    RelOp::Ge => ">=",
                };
                format!("{} {sign} {}", self.expr(a, code)?, self.expr(b, code)?)
            }
            AtomKind::Divides(a, negated, b) => {
                code.uses("divides");
                let word = format!("divides({}, {})", self.expr(a, code)?, self.expr(b, code)?);
                if *negated { self.not(&word, code) } else { word }
            }
            AtomKind::In(of, negated, set) => {
                let word = self.member(of, set, code)?;
                if *negated { self.not(&word, code) } else { format!("({word})") }
            }
            AtomKind::PairIn(..) => return Err(refused("it speaks about pairs")),
        })
    }

    fn member(&self, of: &Expr, set: &Set, code: &mut Code) -> Result<String, Error> {
        let n = self.expr(of, code)?;
        Ok(match set {
            Set::List(items) => {
                let mut words = Vec::new();
                for item in items {
                    words.push(format!("{n} == {}", self.expr(item, code)?));
                }
                words.join(code.or())
            }
            Set::Range(low, high) => {
                let low = format!("{} <= {n}", self.expr(low, code)?);
                match high {
                    Some(high) => format!("{low}{}{n} <= {}", code.and(), self.expr(high, code)?),
                    None => low,
                }
            }
            Set::Param(param) => {
                let Some(Value::Set(items) | Value::List(items)) =
                    self.law.params.get(*param).and_then(|param| param.value.as_ref())
                else {
                    return Err(refused("a parameter has no value"));
                };
                code.uses("contains");
                let table =
                    code.table(items.iter().copied()).ok_or_else(|| refused("a set holds large numbers"))?;
                format!("contains({table}, {}, {n})", code.length(&table))
            }
            Set::Named(named, args) => {
                let mut words = vec![n];
                for arg in args {
                    words.push(self.expr(arg, code)?);
                }
                named_set(*named, &words, code)
            }
        })
    }
}

/// `words[0] in named(words[1], ..)`
fn named_set(named: NamedSet, words: &[String], code: &mut Code) -> String {
    let n = &words[0];
    let (helper, more): (&'static str, &[&str]) = match named {
        NamedSet::Naturals => return format!("{n} >= 0"),
        NamedSet::Divisors => {
            code.uses("divides");
            let and = code.and();
            return format!("{n} >= 1{and}{} >= 1{and}divides({n}, {})", words[1], words[1]);
        }
        NamedSet::Triangular => {
            // n = k (k + 1) / 2 exactly if 8 n + 1 is a square.
            code.uses("is_kth_power");
            return format!("{n} >= 1{}is_kth_power(8 * ({n}) + 1, 2)", code.and());
        }
        NamedSet::Primes => ("is_prime", &[]),
        NamedSet::Squares => ("is_kth_power", &["2"]),
        NamedSet::Cubes => ("is_kth_power", &["3"]),
        NamedSet::Fibonacci => ("is_fibonacci", &[]),
        NamedSet::Factorials => ("is_factorial", &[]),
        NamedSet::Powers => ("is_power", &[]),
        NamedSet::Digits => ("has_digit", &[]),
    };
    code.uses(helper);
    let words: Vec<&str> = words.iter().map(String::as_str).chain(more.iter().copied()).collect();
    format!("{helper}({})", words.join(", "))
}

/// How often `g` stands in an expression.
pub(super) fn grundy_terms(expr: &Expr) -> usize {
    match expr {
        Expr::Grundy(of) => 1 + grundy_terms(of),
        Expr::Const(_) | Expr::Slot(_) | Expr::Param(_) | Expr::Len(_) => 0,
        Expr::Item(_, of) | Expr::Neg(of) => grundy_terms(of),
        Expr::Binary(_, a, b) => grundy_terms(a) + grundy_terms(b),
        Expr::Call(_, all) => all.iter().map(grundy_terms).sum(),
    }
}

/// Words that mean something in one of the languages or in the programs.
const TAKEN: &[&str] = &[
    "heap", "Int", "Nat", "g", "z", "main", "next", "COINS", "as", "auto", "bool", "break", "case", "char",
    "class", "const", "def", "del", "do", "double", "elif", "else", "enum", "except", "fail", "fn", "float",
    "from", "global", "if", "impl", "import", "int", "is", "lambda", "let", "long", "match", "mod", "mut",
    "new", "None", "pass", "pub", "raise", "ref", "return", "self", "short", "show", "signed", "static",
    "struct", "super", "switch", "this", "trait", "true", "True", "try", "type", "union", "use", "void",
    "while", "with", "yield", "std", "sys", "map", "box", "in", "bit", "fib", "lost", "print", "min", "max",
    "abs", "len", "pow", "sum", "set",
];

/// A name that each language takes.
pub(super) fn safe(name: &str) -> String {
    let plain = name.is_ascii() && !name.starts_with('_') && !name.starts_with("TABLE");
    // Names with an underscore are the program's own.
    match (plain, TAKEN.contains(&name) || name.contains('_')) {
        (true, false) => name.to_string(),
        (true, true) => format!("{name}_"),
        (false, _) => {
            let codes: Vec<String> = name.chars().map(|c| format!("{:x}", u32::from(c))).collect();
            format!("name_{}", codes.join("_"))
        }
    }
}

/// The value of a constant.
pub(super) fn constant(expr: &Expr, law: &Law) -> Option<Int> {
    if mentions_names(expr) { None } else { expr.eval(&[], &law.params).ok() }
}
