//! Laws in LaTeX, for papers: equations aligned, automata as tables of their states.
//!
//! The text of the law is read once more as a tree, because the tree keeps what the resolved form has lost: names,
//! ratios, the way conditions are grouped.

use std::fmt::Write;

use grundy_rule::ast::{BinaryOp, Clause, Cond, CondKind, Entry, Expr, ExprKind, RelOp, Set, SetKind};
use grundy_rule::law_text::{Automatic, Automaton, Subject};
use grundy_rule::parser;

use super::Law;

impl Law {
    /// The law as LaTeX for a paragraph of its own; needs `amsmath`.
    ///
    /// ```
    /// use grundy::law::Law;
    /// let law = Law::parse("g(0) = 0\ng(3a+b) = 2a for 1 <= b <= 2\ng(3a) = floor(a/2)", &[]).unwrap();
    /// assert_eq!(law.latex(), r"\begin{align*}
    /// g(0) &= 0 \\
    /// g(3 a + b) &= 2 a && \text{for } 1 \le b \le 2 \\
    /// g(3 a) &= \left\lfloor \frac{a}{2} \right\rfloor
    /// \end{align*}
    /// ");
    /// ```
    #[must_use]
    pub fn latex(&self) -> String {
        let text = self.to_string();
        // A law prints in the notation in which it is read.
        let law = parser::parse_law(&text).unwrap_or_default();
        let mut out = String::new();
        let mut equations: Vec<String> = Vec::new();
        for clause in &law.clauses {
            match clause {
                Clause::Automaton(block) => {
                    flush(&mut equations, &mut out);
                    pairs(block, &mut out);
                }
                Clause::Automatic(block) => {
                    flush(&mut equations, &mut out);
                    outputs(block, &mut out);
                }
                clause => equations.extend(lines(clause)),
            }
        }
        flush(&mut equations, &mut out);
        if law.subject == Subject::Zeros {
            let described = law.clauses.iter().any(|clause| matches!(clause, Clause::Lost { .. }));
            let words = if described {
                "The lost heaps are"
            } else {
                "The lost heaps are $z(0) < z(1) < \\dots$ with"
            };
            out.insert_str(0, &format!("{words}\n"));
        }
        out
    }
}

fn flush(equations: &mut Vec<String>, out: &mut String) {
    if !equations.is_empty() {
        let _ = writeln!(out, "\\begin{{align*}}\n{}\n\\end{{align*}}", equations.join(" \\\\\n"));
        equations.clear();
    }
}

fn lines(clause: &Clause) -> Vec<String> {
    let with = |cond: &Option<Cond>| cond.as_ref().map_or(String::new(), |c| format!(" && {}", for_cond(c)));
    match clause {
        Clause::Values { of, start, values, .. } => {
            let g = of.letter();
            let last = start + values.len() as i128 - 1;
            let list = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            vec![if values.len() == 1 {
                format!("{g}({start}) &= {list}")
            } else {
                format!("{g}({start}), \\dots, {g}({last}) &= {list}")
            }]
        }
        Clause::Equation { of, pattern, value, cond, .. } => {
            vec![format!("{}({}) &= {}{}", of.letter(), math(pattern), math(value), with(cond))]
        }
        Clause::Pair { pattern, pair, cond, .. } => {
            let (a, b) = (math(&pair.0), math(&pair.1));
            vec![format!("z({}) &= ({a}, {b}){}", math(pattern), with(cond))]
        }
        Clause::Tuple { entries, value, cond, .. } => {
            vec![format!("g({}) &= {}{}", tuple(entries), math(value), with(cond))]
        }
        Clause::Lost { entries, cond, .. } => vec![format!("({}) & {}", tuple(entries), for_cond(cond))],
        Clause::Window { heap, left, from, .. } => {
            let n = name(&heap.text);
            let heaps = if *from > 0 { format!(" && \\text{{for }} {n} \\ge {from}") } else { String::new() };
            vec![
                format!(
                    "g({n}) &= \\operatorname{{mex}} \\{{ g(y) : L({n}) \\le y < {n} \\}}{}",
                    heaps.clone()
                ),
                format!("L({n}) &= {}", math(left)),
            ]
        }
        Clause::Automaton(_) | Clause::Automatic(_) => Vec::new(),
    }
}

fn tuple(entries: &[Entry]) -> String {
    let each = entries.iter().map(|entry| match entry {
        Entry::Name(entry) => name(&entry.text),
        Entry::Number(number, _) => number.to_string(),
    });
    each.collect::<Vec<_>>().join(", ")
}

fn pairs(block: &Automaton, out: &mut String) {
    let heap = super::names_of(block.entries);
    let second = if block.coded { format!("{}^{{g({heap})}}", block.base) } else { format!("g({heap})") };
    let tuples = if block.entries == 1 { "pairs" } else { "tuples" };
    let _ = writeln!(
        out,
        "The automaton that reads the {tuples} $({heap}, {second})$ in base {}, least significant digits first; \
         states that accept are marked $*$.\n\\[\\begin{{array}}{{r|l}}",
        block.base
    );
    for (i, state) in block.states.iter().enumerate() {
        let mark = if state.accepting { "{}^*" } else { "" };
        let arrow = |(n, v, to): &(u32, u32, u32)| match block.entries {
            1 => format!("{n}/{v} \\to {to}"),
            _ => format!("({})/{v} \\to {to}", block.digits(*n).replace(' ', ",")),
        };
        let arrows: Vec<String> = state.next.iter().map(arrow).collect();
        let _ = writeln!(out, "{i}{mark} & {} \\\\", arrows.join(",\\ "));
    }
    let _ = writeln!(out, "\\end{{array}}\\]");
}

fn outputs(block: &Automatic, out: &mut String) {
    let line = match block.slope {
        (0, _) => String::new(),
        (p, 1) => format!("{p} n + "),
        (p, q) => format!("\\left\\lfloor \\frac{{{p} n}}{{{q}}} \\right\\rfloor + "),
    };
    let columns = "r".repeat(usize::try_from(block.base).unwrap_or(0));
    let digits: Vec<String> = (0..block.base).map(|d| d.to_string()).collect();
    let _ = writeln!(
        out,
        "$g(n) = {line}a(n)$, where $a(n)$ is the output after the digits of $n$ in base {}, least \
         significant digit first.\n\\[\\begin{{array}}{{rr|{columns}}}\n\\text{{state}} & a & {} \\\\ \\hline",
        block.base,
        digits.join(" & ")
    );
    for (i, state) in block.states.iter().enumerate() {
        let next: Vec<String> = state.next.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "{i} & {} & {} \\\\", state.output, next.join(" & "));
    }
    let _ = writeln!(out, "\\end{{array}}\\]");
}

fn for_cond(cond: &Cond) -> String {
    format!("\\text{{for }} {}", condition(cond))
}

/// A name of several letters stands upright; `_` begins an index nowhere.
fn name(text: &str) -> String {
    let plain = text.replace('_', "\\_");
    if text.chars().count() == 1 { plain } else { format!("\\mathit{{{plain}}}") }
}

fn math(expr: &Expr) -> String {
    write(expr, 0)
}

fn strength(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => 1,
        ExprKind::Binary(BinaryOp::Mul | BinaryOp::Mod, ..) => 2,
        ExprKind::Neg(_) => 3,
        ExprKind::Binary(BinaryOp::Pow, ..) => 4,
        _ => 5,
    }
}

/// The depth is that of the tree, which the parser bounds.
fn write(expr: &Expr, wanted: u8) -> String {
    if strength(expr) < wanted {
        return format!("({})", write(expr, 0));
    }
    match &expr.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Name(text) => name(text),
        ExprKind::Index(list, i) => format!("{}_{{{}}}", name(&list.text), math(i)),
        ExprKind::Neg(a) => format!("-{}", write(a, 3)),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::Add => format!("{} + {}", write(a, 1), write(b, 2)),
            BinaryOp::Sub => format!("{} - {}", write(a, 1), write(b, 2)),
            BinaryOp::Mul => match (&a.kind, &b.kind) {
                (_, ExprKind::Number(_)) => format!("{} \\cdot {}", write(a, 2), write(b, 3)),
                _ => format!("{} {}", write(a, 2), write(b, 3)),
            },
            BinaryOp::Ratio => format!("\\frac{{{}}}{{{}}}", math(a), math(b)),
            BinaryOp::FloorDiv => {
                format!("\\left\\lfloor \\frac{{{}}}{{{}}} \\right\\rfloor", math(a), math(b))
            }
            BinaryOp::Mod => format!("{} \\bmod {}", write(a, 2), write(b, 3)),
            BinaryOp::Pow => format!("{}^{{{}}}", write(a, 5), math(b)),
        },
        ExprKind::Call(func, all) => call(&func.text, all),
    }
}

fn call(func: &str, all: &[Expr]) -> String {
    let list = || all.iter().map(math).collect::<Vec<_>>().join(", ");
    match (func, all) {
        ("floor", [a]) => format!("\\left\\lfloor {} \\right\\rfloor", math(a)),
        ("ceil", [a]) => format!("\\left\\lceil {} \\right\\rceil", math(a)),
        ("sqrt", [a]) => format!("\\left\\lfloor \\sqrt{{{}}} \\right\\rfloor", math(a)),
        ("root", [a, k]) => format!("\\left\\lfloor \\sqrt[{}]{{{}}} \\right\\rfloor", math(k), math(a)),
        ("log", [a, b]) => format!("\\left\\lfloor \\log_{{{}}} {} \\right\\rfloor", math(b), write(a, 2)),
        ("abs", [a]) => format!("\\left| {} \\right|", math(a)),
        ("xor", [a, b]) => format!("{} \\oplus {}", write(a, 3), write(b, 3)),
        ("valuation", [a, p]) => format!("v_{{{}}}({})", math(p), math(a)),
        ("omega", [a]) => format!("\\omega({})", math(a)),
        ("bigomega", [a]) => format!("\\Omega({})", math(a)),
        ("fib", [i]) => format!("F_{{{}}}", math(i)),
        ("min" | "max" | "gcd", _) => format!("\\{func}({})", list()),
        ("g" | "z", _) => format!("{func}({})", list()),
        _ => format!("\\operatorname{{{func}}}({})", list()),
    }
}

fn condition(cond: &Cond) -> String {
    let joined = |all: &[Cond], word: &str| all.iter().map(inner).collect::<Vec<_>>().join(word);
    match &cond.kind {
        CondKind::And(all) => joined(all, ",\\ "),
        CondKind::Or(all) => joined(all, " \\text{ or } "),
        CondKind::Not(inside) => format!("\\text{{not }} {}", inner(inside)),
        CondKind::Relation(first, rest) => {
            let mut out = list(first);
            for (op, expr) in rest {
                let _ = write!(out, " {} {}", sign(*op), math(expr));
            }
            out
        }
        CondKind::In(members, negated, set) => {
            format!("{} {} {}", list(members), if *negated { "\\notin" } else { "\\in" }, members_of(set))
        }
        CondKind::PairIn(pair, negated, name_of) => {
            let sign = if *negated { "\\notin" } else { "\\in" };
            format!("({}, {}) {sign} {}", math(&pair.0), math(&pair.1), name(&name_of.text))
        }
        CondKind::Divides(divisors, multiple) => format!("{} \\mid {}", list(divisors), math(multiple)),
    }
}

fn inner(cond: &Cond) -> String {
    match &cond.kind {
        CondKind::And(_) | CondKind::Or(_) => format!("({})", condition(cond)),
        _ => condition(cond),
    }
}

fn list(all: &[Expr]) -> String {
    all.iter().map(math).collect::<Vec<_>>().join(", ")
}

fn sign(op: RelOp) -> &'static str {
    match op {
        RelOp::Eq => "=",
        RelOp::Ne => "\\ne",
        RelOp::Lt => "<",
        RelOp::Le => "\\le",
        RelOp::Gt => ">",
        RelOp::Ge => "\\ge",
    }
}

fn members_of(set: &Set) -> String {
    match &set.kind {
        SetKind::List(all) => format!("\\{{{}\\}}", list(all)),
        SetKind::Range(lo, Some(hi)) => format!("\\{{{}, \\dots, {}\\}}", math(lo), math(hi)),
        SetKind::Range(lo, None) => format!("\\{{{}, \\dots\\}}", math(lo)),
        SetKind::Named(set_name, arguments) if arguments.is_empty() => {
            format!("\\text{{{}}}", set_name.text.replace('_', "\\_"))
        }
        SetKind::Named(set_name, arguments) => {
            format!("\\text{{{}}}({})", set_name.text.replace('_', "\\_"), list(arguments))
        }
    }
}
