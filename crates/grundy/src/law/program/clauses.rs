//! The clauses of a law as lines of its function, one after the other: the first that speaks about the heap returns.

use grundy_rule::expr::{Expr, Func, Int, Op};
use grundy_rule::law_text::{self, Automatic, Automaton, Subject};

use super::code::Code;
use super::terms::{Terms, constant, safe};
use super::{GREATEST, Language, refused};
use crate::error::Error;
use crate::law::affine::Affine;
use crate::law::equation::{Equation, Shift};
use crate::law::pattern::{Interval, Pattern, gcd, inverse};
use crate::law::{Clause, Law};

/// Most turns of the loop that solves a pattern of two names.
const TURNS: Int = 1 << 12;

/// Writes the function of the law; `remembering` if its clauses need several values.
pub(super) fn function(law: &Law, name: &str, remembering: bool, code: &mut Code) -> Result<(), Error> {
    let inner = if remembering && code.language != Language::Python { "value" } else { name };
    if remembering {
        match code.language {
            Language::Cpp => {
                code.line(format_args!("Int {name}(Int heap);"));
                code.line("");
            }
            Language::Rust => {}
            Language::Python => code.remembering(),
        }
    }
    code.open_function(inner);
    // Whether a clause speaks about every heap: what comes after it is never asked.
    let mut complete = false;
    for (clause, text) in law.clauses.iter().zip(&law.text.clauses) {
        match clause {
            Clause::Values { start, values } => {
                code.comment(&text.to_string());
                listed(*start, values, code)?;
            }
            Clause::Equation(equation) => {
                code.comment(&equation.shown);
                let law_text::Clause::Equation { names, .. } = text else {
                    return Err(refused("its text is another law's"));
                };
                let mut writer = Writer { law, function: name, equation, code: &mut *code };
                if writer.equation(names)? {
                    complete = true;
                    break;
                }
            }
            Clause::Pair(_) | Clause::Tuple(_) => {
                return Err(refused("it speaks about heaps of several entries"));
            }
            Clause::Window(_) => {
                code.comment(&text.to_string());
                let law_text::Clause::Window(window) = text else {
                    return Err(refused("its text is another law's"));
                };
                sliding(law, window, code)?;
            }
            Clause::Pairs(_) if text.arity() != 1 => {
                return Err(refused("it speaks about heaps of several entries"));
            }
            Clause::Pairs(_) => {
                let law_text::Clause::Automaton(block) = text else {
                    return Err(refused("its text is another law's"));
                };
                pairs(block, code)?;
            }
            Clause::Outputs(_) => {
                let law_text::Clause::Automatic(block) = text else {
                    return Err(refused("its text is another law's"));
                };
                outputs(block, code)?;
                complete = true;
                break;
            }
        }
    }
    match law.speaks_of() {
        _ if complete => {}
        Subject::Nimbers => {
            code.uses("no_value");
            code.give("no_value(heap)");
        }
        Subject::Zeros => code.give("-1"),
    }
    code.close();
    if remembering {
        memo(name, inner, code);
    }
    Ok(())
}

/// The function around `value` that remembers; Python has a word for it.
fn memo(name: &str, inner: &str, code: &mut Code) {
    let lines: &[&str] = match code.language {
        Language::Python => return,
        Language::Cpp => &[
            "",
            "Int NAME(Int heap) {",
            "    static std::map<Int, Int> known;",
            "    auto found = known.find(heap);",
            "    if (found != known.end()) return found->second;",
            "    Int result = INNER(heap);",
            "    return known[heap] = result;",
            "}",
        ],
        Language::Rust => &[
            "",
            "thread_local! {",
            "    static KNOWN: std::cell::RefCell<std::collections::HashMap<Int, Int>> = Default::default();",
            "}",
            "",
            "fn NAME(heap: Int) -> Int {",
            "    if let Some(known) = KNOWN.with_borrow(|known| known.get(&heap).copied()) {",
            "        return known;",
            "    }",
            "    let result = INNER(heap);",
            "    KNOWN.with_borrow_mut(|known| known.insert(heap, result));",
            "    result",
            "}",
        ],
    };
    for line in lines {
        code.line(line.replace("NAME", name).replace("INNER", inner));
    }
}

/// `g(start..) = values`
fn listed(start: Int, values: &[Int], code: &mut Code) -> Result<(), Error> {
    let end = start + Int::try_from(values.len()).unwrap_or(Int::MAX);
    let place = if start == 0 { "heap".to_string() } else { format!("heap - {}", code.int(start)) };
    let from = if start == 0 { String::new() } else { format!("heap >= {}{}", code.int(start), code.and()) };
    let to = code.int(end);
    code.open_if(&format!("{from}heap < {to}"));
    let table =
        code.table(values.iter().copied()).ok_or_else(|| refused("a listed value is beyond 64 bits"))?;
    let item = code.item(&table, &place);
    code.give(&item);
    code.close();
    Ok(())
}

/// One equation on its way into the program.
struct Writer<'a> {
    law: &'a Law,
    function: &'a str,
    equation: &'a Equation,
    code: &'a mut Code,
}

impl Writer<'_> {
    /// Whether it speaks about every heap.
    fn equation(&mut self, names: &[String]) -> Result<bool, Error> {
        if let Some(shift) = &self.equation.shift {
            self.shift(*shift);
            return Ok(false);
        }
        let names: Vec<String> = names.iter().map(|name| safe(name)).collect();
        match &self.equation.pattern {
            Pattern::Affine(affine) => match affine.coefficients.as_slice() {
                [] => {
                    let constant = self.code.int(affine.constant);
                    self.code.open_if(&format!("heap == {constant}"));
                    self.decide(&names)?;
                    self.code.close();
                }
                [1] if affine.constant == 0 => return self.decide(&["heap".to_string()]),
                [c] => self.one(*c, affine.constant, &names)?,
                [c, d] => self.two((*c, *d), affine, &names)?,
                _ => return Err(refused(format!("`{}` has a pattern of three names", self.equation.shown))),
            },
            Pattern::Growing(pattern) => match names.as_slice() {
                [name] => self.growing(pattern, name)?,
                _ => {
                    let shown = &self.equation.shown;
                    return Err(refused(format!("`{shown}` has a pattern of several names that is no sum")));
                }
            },
        }
        Ok(false)
    }

    /// `return value`, under the condition of the clause; whether there is none.
    fn decide(&mut self, names: &[String]) -> Result<bool, Error> {
        let terms = Terms { law: self.law, names, function: self.function };
        let value = terms.expr(&self.equation.value, self.code)?;
        match terms.cond(&self.equation.cond, self.code)? {
            None => {
                self.code.give(&value);
                Ok(true)
            }
            Some(cond) => {
                self.code.open_if(&cond);
                self.code.give(&value);
                self.code.close();
                Ok(false)
            }
        }
    }

    /// `g(n + p) = g(n) + s for n >= m`: as often as it applies.
    fn shift(&mut self, shift: Shift) {
        let function = self.function;
        let first = shift.from.saturating_add(shift.period);
        let alone = shift.alone_from.map(|alone| alone.max(first)).filter(|alone| *alone < Int::MAX);
        let period = self.code.int(shift.period);
        if let Some(least) = alone {
            let (least_text, times) = (self.code.int(least), self.code.fresh("times"));
            self.code.open_if(&format!("heap >= {least_text}"));
            let quotient = if self.code.language == Language::Python { "//" } else { "/" };
            self.code.variable(&times, &format!("(heap - {least_text}) {quotient} {period} + 1"));
            let rise = match shift.saltus {
                0 => String::new(),
                saltus => format!(" + {times} * ({})", self.code.int(saltus)),
            };
            self.code.give(&format!("{function}(heap - {times} * {period}){rise}"));
            self.code.close();
        }
        if alone != Some(first) {
            let first = self.code.int(first);
            self.code.open_if(&format!("heap >= {first}"));
            let rise = match shift.saltus {
                0 => String::new(),
                saltus => format!(" + ({})", self.code.int(saltus)),
            };
            self.code.give(&format!("{function}(heap - {period}){rise}"));
            self.code.close();
        }
    }

    /// `c name + k = heap`
    fn one(&mut self, c: Int, k: Int, names: &[String]) -> Result<(), Error> {
        let code = &mut *self.code;
        let rest = match k {
            0 => "heap".to_string(),
            k if k < 0 => format!("heap + {}", code.int(-k)),
            k => format!("heap - {}", code.int(k)),
        };
        let enough = if k > 0 { Some(format!("heap >= {}", code.int(k))) } else { None };
        let (bracketed, c_text) = (if k == 0 { rest.clone() } else { format!("({rest})") }, code.int(c));
        let whole = (c > 1).then(|| format!("{bracketed} % {c_text} == 0"));
        let cond: Vec<String> = enough.into_iter().chain(whole).collect();
        let cond = if cond.is_empty() { code.truth().to_string() } else { cond.join(code.and()) };
        code.open_if(&cond);
        let quotient = if code.language == Language::Python { "//" } else { "/" };
        let value = if c == 1 { rest } else { format!("{bracketed} {quotient} {c_text}") };
        code.variable(&names[0], &value);
        self.decide(names)?;
        self.code.close();
        Ok(())
    }

    /// `c x + d y + k = heap`: the name of the fewest candidates in a loop, the other by division.
    fn two(&mut self, (c, d): (Int, Int), affine: &Affine, names: &[String]) -> Result<(), Error> {
        let common = gcd(c, d);
        let (c, d) = (c / common, d / common);
        let greatest = Int::try_from(GREATEST).unwrap_or(Int::MAX) / common;
        // In the loop a name moves by the other's coefficient.
        let turns = |interval: Interval, own: Int, other: Int| {
            (interval.hi.min(greatest / own).saturating_sub(interval.lo)).max(0) / other
        };
        let (xs, ys) = (self.equation.intervals[0], self.equation.intervals[1]);
        let first = turns(xs, c, d) < turns(ys, d, c);
        let ((own, other), looped, bound) = if first { ((c, d), 0, xs) } else { ((d, c), 1, ys) };
        if turns(bound, own, other) > TURNS {
            return Err(refused(format!("`{}` leaves too many ways for one heap", self.equation.shown)));
        }
        let and = self.code.and();
        let rest = self.code.fresh("rest");
        let shown = |code: &Code, value: Int| code.int(value);
        let constant = shown(self.code, affine.constant);
        self.code.variable(&rest, &format!("heap - {constant}"));
        let common_text = shown(self.code, common);
        let whole = if common > 1 { format!("{and}{rest} % {common_text} == 0") } else { String::new() };
        self.code.open_if(&format!("{rest} >= 0{whole}"));
        let quotient = if self.code.language == Language::Python { "//" } else { "/" };
        if common > 1 {
            self.code.set(&rest, &format!("{rest} {quotient} {common_text}"));
        }
        let (y, x) = (&names[looped], &names[1 - looped]);
        // own y = rest modulo other.
        let (own_text, other_text, lo) =
            (shown(self.code, own), shown(self.code, other), shown(self.code, bound.lo));
        let start = if other == 1 {
            lo
        } else {
            let inverse = shown(self.code, inverse(own % other, other));
            self.code.uses("modulo");
            format!("{lo} + modulo({rest} % {other_text} * {inverse} - {lo}, {other_text})")
        };
        self.code.variable(y, &start);
        let most = if bound.hi < Int::MAX {
            format!("{and}{y} <= {}", shown(self.code, bound.hi))
        } else {
            String::new()
        };
        self.code.open_while(&format!("{own_text} * {y} <= {rest}{most}"));
        self.code.variable(x, &format!("({rest} - {own_text} * {y}) {quotient} {other_text}"));
        self.decide(names)?;
        self.code.set(y, &format!("{y} + {other_text}"));
        self.code.close();
        self.code.close();
        Ok(())
    }

    /// `2^k = heap` and the like: by bisection between ends that are known now.
    fn growing(&mut self, pattern: &Expr, name: &str) -> Result<(), Error> {
        let Interval { lo, hi } = self.equation.intervals[0];
        let greatest = Int::try_from(GREATEST).unwrap_or(Int::MAX);
        // Beyond 128 bits is beyond the greatest heap.
        let fits = |x: Int| pattern.eval(&[x], &self.law.params).is_ok_and(|value| value <= greatest);
        if lo > hi || !fits(lo) {
            return Ok(());
        }
        let (mut below, mut reach) = (lo, 1);
        while below < hi && fits(below.saturating_add(reach).min(hi)) {
            below = below.saturating_add(reach).min(hi);
            reach = Int::saturating_mul(reach, 2);
        }
        let mut above = below.saturating_add(reach).min(hi);
        while below < above {
            let middle = below + (above - below + 1) / 2;
            if fits(middle) { below = middle } else { above = middle - 1 }
        }
        let names = [name.to_string()];
        let (low, high, middle) = (name.to_string(), self.code.fresh("high"), self.code.fresh("middle"));
        let terms = Terms { law: self.law, names: &names, function: self.function };
        let at_name = terms.expr(pattern, self.code)?;
        let middle_names = [middle.clone()];
        let at_middle = Terms { law: self.law, names: &middle_names, function: self.function }
            .expr(pattern, self.code)?;
        let code = &mut *self.code;
        let quotient = if code.language == Language::Python { "//" } else { "/" };
        let (first, last, truth) = (code.int(lo), code.int(below), code.truth());
        // A block of its own for the names.
        code.open_if(truth);
        code.variable(&low, &first);
        code.variable(&high, &last);
        code.open_while(&format!("{low} < {high}"));
        code.variable(&middle, &format!("{low} + ({high} - {low}) {quotient} 2"));
        code.open_if(&format!("{at_middle} < heap"));
        code.set(&low, &format!("{middle} + 1"));
        code.close();
        code.open_if(&format!("{at_middle} >= heap"));
        code.set(&high, &middle);
        code.close();
        code.close();
        // Several names may give the same heap: all are looked at.
        code.open_while(&format!("{low} <= {last}{}{at_name} == heap", code.and()));
        self.decide(&names)?;
        self.code.set(&low, &format!("{low} + 1"));
        self.code.close();
        self.code.close();
        Ok(())
    }
}

/// `window L(n) = left for n >= from`: down to `L(n - 1)` until the left end stands still.
fn sliding(law: &Law, window: &law_text::Window, code: &mut Code) -> Result<(), Error> {
    let from = code.int(window.from);
    let (and, truth) = (code.and(), code.truth());
    code.open_if(&if window.from == 0 { truth.to_string() } else { format!("heap >= {from}") });
    let place = |code: &mut Code, heap: &str| {
        let names = [heap.to_string()];
        let left = Terms { law, names: &names, function: "g" }.expr(&window.left, code)?;
        code.uses("imax");
        Ok::<String, Error>(format!("imax({left}, {from})"))
    };
    if let Some(most) = most_taken(window, law) {
        let period = code.int(most.saturating_add(1));
        code.give(&format!("(heap - {from}) % {period}"));
        code.close();
        return Ok(());
    }
    let x = code.fresh("x");
    code.variable(&x, "heap");
    if window.from == 0 && is_minus_sqrt(&window.left) {
        root_window(&x, code);
        code.close();
        return Ok(());
    }
    code.open_while(&format!("{x} > {from}"));
    let (left, before) = (code.fresh("left"), code.fresh("before"));
    let here = place(code, &x)?;
    code.variable(&left, &here);
    let there = place(code, &format!("({x} - 1)"))?;
    code.variable(&before, &there);
    code.open_if(&format!("{left} == {before}{}{left} == {x}", code.or()));
    code.give(&format!("{x} - {left}"));
    code.close();
    code.set(&x, &before);
    code.close();
    code.give("0");
    code.close();
    let _ = and;
    Ok(())
}

/// `m` in `n - m`.
fn most_taken(window: &law_text::Window, law: &Law) -> Option<Int> {
    match &window.left {
        Expr::Binary(Op::Sub, n, most) if **n == Expr::Slot(0) => {
            constant(most, law).filter(|most| *most >= 1)
        }
        _ => None,
    }
}

fn is_minus_sqrt(left: &Expr) -> bool {
    matches!(left, Expr::Binary(Op::Sub, n, root)
        if **n == Expr::Slot(0)
            && matches!(&**root, Expr::Call(Func::Sqrt, of) if of.as_slice() == [Expr::Slot(0)]))
}

/// `n - sqrt(n)`: with n = q^2 + r the walk goes from square to square, and the root is halved each time
/// (the proof is beside [`crate::values::sliding`]).
fn root_window(x: &str, code: &mut Code) {
    code.uses("isqrt");
    let quotient = if code.language == Language::Python { "//" } else { "/" };
    let (q, r) = (code.fresh("q"), code.fresh("r"));
    code.open_while(&format!("{x} > 0"));
    code.variable(&q, &format!("isqrt({x})"));
    code.variable(&r, &format!("({x} - {q} * {q}) % ({q} + 1)"));
    code.set(&q, &format!("{q} - {r} {quotient} 2"));
    code.open_if(&format!("{r} % 2 == 0"));
    code.give(&q);
    code.close();
    code.set(x, &format!("({q} - 1) * {q}"));
    code.close();
    code.give("0");
}

/// `automaton base b { .. }`
fn pairs(block: &Automaton, code: &mut Code) -> Result<(), Error> {
    let base = usize::try_from(block.base).unwrap_or(usize::MAX);
    let letters = base.saturating_mul(base);
    let size = block.states.len().saturating_mul(letters);
    if size > super::ENTRIES {
        return Err(refused(format!("its automaton has {} states", block.states.len())));
    }
    let mut next = vec![-1; size];
    for (from, state) in block.states.iter().enumerate() {
        for (n, v, to) in &state.next {
            let letter = usize::try_from(*v * block.base + *n).unwrap_or(usize::MAX);
            if let Some(slot) =
                next.get_mut(from * letters..(from + 1) * letters).and_then(|row| row.get_mut(letter))
            {
                *slot = Int::from(*to);
            }
        }
    }
    // Leading zeros may lead on to acceptance.
    let mut ends: Vec<bool> = block.states.iter().map(|state| state.accepting).collect();
    for _ in 0..ends.len() {
        let padded: Vec<bool> = (0..ends.len())
            .map(|s| {
                let zero = next.get(s * letters).and_then(|to| usize::try_from(*to).ok());
                ends[s] || zero.is_some_and(|to| ends.get(to) == Some(&true))
            })
            .collect();
        if padded == ends {
            break;
        }
        ends = padded;
    }
    let too_large = || refused("its automaton is too large");
    let next = code.table(next).ok_or_else(too_large)?;
    let ends = code.table(ends.into_iter().map(Int::from)).ok_or_else(too_large)?;
    let helper = if block.coded { "run_coded" } else { "run_pairs" };
    code.uses(helper);
    code.comment(&format!(
        "an automaton of {} states in base {} that accepts the pairs (n, {})",
        block.states.len(),
        block.base,
        if block.coded { "base^g(n)" } else { "g(n)" }
    ));
    let value = code.fresh("value");
    code.variable(&value, &format!("{helper}({next}, {ends}, {}, {}, heap)", block.states.len(), block.base));
    code.open_if(&format!("{value} >= 0"));
    code.give(&value);
    code.close();
    Ok(())
}

/// `automatic base b slope p/q { .. }`
fn outputs(block: &Automatic, code: &mut Code) -> Result<(), Error> {
    let too_large = || refused("its automaton is too large");
    let next = block.states.iter().flat_map(|state| state.next.iter().map(|to| Int::from(*to)));
    let next = code.table(next).ok_or_else(too_large)?;
    let output = code.table(block.states.iter().map(|state| state.output)).ok_or_else(too_large)?;
    code.uses("run_outputs");
    let (p, q) = block.slope;
    let (p_text, q_text) = (code.int(p), code.int(q));
    let plus = if p == 0 { String::new() } else { format!("floor({p} n / {q}) and ") };
    code.comment(&format!("{plus}what an automaton of {} states puts out", block.states.len()));
    let quotient = if code.language == Language::Python { "//" } else { "/" };
    let line = match (p, q) {
        (0, _) => String::new(),
        (1, 1) => "heap + ".to_string(),
        (_, 1) => format!("{p_text} * heap + "),
        _ => format!("{p_text} * heap {quotient} {q_text} + "),
    };
    code.give(&format!("{line}run_outputs({next}, {output}, {}, heap)", block.base));
    Ok(())
}
