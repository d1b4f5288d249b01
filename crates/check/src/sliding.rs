//! Proof rule R3: a window whose left end moves by steps of 0 and 1.
//!
//! Heaps `n >= n0` have the options `L(n)..=n-1`, with `L(n0) = n0`, steps of 0 and 1, and `L(n) <= n`; heaps below n0 have none
//! (that is what the shape promises). Then g maps `L(n)..=n` one-to-one onto `0..=n-L(n)`, and for `n > n0`
//!
//! * the end stands, `L(n) = L(n-1)`: `g(n) = n - L(n)`;
//! * the end steps, `L(n) = L(n-1) + 1`: `g(n) = g(L(n-1))`.
//!
//! Proof: in the first case the window's values were `0..=n-1-L(n)`, so the mex is the next number; in the second exactly
//! the value of `L(n-1)` drops out of the window, and is the mex.
//!
//! So a law is right if it is right up to n0 and each clause beyond is one of these two facts. A clause tells what `L(n-1)`
//! must be: `Y = L(n-1)` is the argument of `g` in its value, or heap less value. With `L(m) = floor(P(m)/Q)` that is
//! `Q*Y <= P(n-1) < Q*(Y+1)` and the same for `L(n)`, four inequalities between polynomials in the names and parameters,
//! which must follow from the clause's condition and the header. That is how a law is proved for all values of a
//! parameter at once. A left end that is no such quotient (`n - sqrt(n)`) is proved by the law that names the window itself,
//! `window L(n) = n - sqrt(n)`: its meaning is the value in that window's game, so that only the windows are compared.
//!
//! Some clause must speak about every heap from `first` on: those that share a factor K must tile `K*q + 0..K`.

use grundy_rule::expr::{Cond, Expr, Int, Op};
use grundy_rule::law_text::Clause;
use grundy_rule::polynomial::{Facts, Polynomial, Unknown};
use grundy_rule::rule::Param;
use grundy_rule::shape::{LeftEnd, Ratio, Shape, SlidingWindow};

use crate::{Claim, Fault, Obligation, refuse};

/// The most heaps whose values are computed one by one to compare listed values.
const LISTED: usize = 1 << 20;

/// The heap, in the left end of a window; names of a clause are slots from 0 on.
const HEAP: Unknown = Unknown::Slot(usize::MAX);

/// Checks R3.
pub(crate) fn sliding_window(claim: &Claim) -> Result<Vec<Obligation>, Fault> {
    let window = claim.shapes().into_iter().find_map(|shape| match shape {
        Shape::SlidingWindow(window) => Some(window),
        _ => None,
    });
    let Some(window) = window else { return refuse("shape", "the rule is no sliding window") };
    let mut done = vec![Obligation::new("shape", format!("{window}, from heap {} on", window.first), 1)];
    if let [Clause::Window(said)] = claim.law.clauses.as_slice() {
        if said.from != Int::from(window.first) || !same_end(&said.left, &window.left, &claim.rule.params) {
            return refuse("law", format!("the law speaks about another window than {window}"));
        }
        if said.from > Int::from(claim.first) {
            return refuse("speaks", format!("the law says nothing about heap {}", claim.first));
        }
        done.push(Obligation::new("law", "it names the same window", 1));
        return Ok(done);
    }
    let Some(quotient) = Quotient::of(&window.left, &claim.rule.params) else {
        return refuse("law", "the left end is no quotient: only a law that names the window is read");
    };
    let mut header = Facts::default();
    header.add_condition(&claim.rule.param_cond, &claim.rule.params);
    if !minus(&quotient.divisor, 1).is_some_and(|above| header.imply(&above)) {
        return refuse("shape", "the divisor of the left end is not known to be positive");
    }
    let mut lemma =
        Lemma { claim, window, quotient, header, settled: Polynomial::number(claim.first.into()) };
    let mut classes = Vec::new();
    for clause in &claim.law.clauses {
        let shown = |why: &str| Fault::Refused("law".to_string(), format!("`{clause}`: {why}"));
        match clause {
            Clause::Values { start, values, .. } => {
                lemma.listed(*start, values).map_err(|why| shown(&why))?;
            }
            Clause::Equation { names, pattern, value, cond, .. } => {
                let number = |e: &Expr| e.eval(&[], &claim.rule.params).ok();
                if let (true, Some(heap), Some(value)) = (names.is_empty(), number(pattern), number(value)) {
                    lemma.listed(heap, &[value]).map_err(|why| shown(&why))?;
                    continue;
                }
                let heap = lemma.case(names.len(), pattern, value, cond).map_err(shown)?;
                if let Some((start, end)) = lemma.stretch(&heap, cond) {
                    lemma.settle(&start, &end);
                }
                classes.extend((0..names.len()).filter_map(|q| lemma.class(&heap, names.len(), q, cond)));
            }
            _ => return Err(shown("this proof rule reads listed values and equations only")),
        }
    }
    let cases = claim.law.clauses.len() as u64;
    done.push(Obligation::new("law", "each clause is a case of the lemma", cases));
    if !lemma.covered(&classes) {
        return refuse("speaks", "it is not shown that some clause speaks about every heap");
    }
    done.push(Obligation::new("speaks", "some clause speaks about every heap", classes.len() as u64));
    Ok(done)
}

/// Whether a left end as written is that of the shape: the same quotient, or the same expression.
fn same_end(written: &Expr, left: &LeftEnd, params: &[Param]) -> bool {
    if let LeftEnd::Formula(formula) = left
        && formula.expr == *written
    {
        return true;
    }
    match (Quotient::of_expr(written, params), Quotient::of(left, params)) {
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}

/// `floor(numerator / divisor)`, the heap being [`HEAP`].
#[derive(PartialEq, Eq)]
struct Quotient {
    numerator: Polynomial,
    divisor: Polynomial,
}

impl Quotient {
    fn of(left: &LeftEnd, params: &[Param]) -> Option<Quotient> {
        match left {
            LeftEnd::Ratio(Ratio { a, c, b }) => {
                let heap = Polynomial::unknown(HEAP).times(&Polynomial::number(*a))?;
                Some(Quotient {
                    numerator: heap.plus(&Polynomial::number(*c))?,
                    divisor: Polynomial::number(*b),
                })
            }
            LeftEnd::Formula(formula) => Quotient::of_expr(&formula.expr, params),
        }
    }

    /// The divisors met must be positive: that of the result is a product of them, and is checked by the caller;
    /// for a sum only one of the two may have a divisor, so that it is the only one.
    fn of_expr(expr: &Expr, params: &[Param]) -> Option<Quotient> {
        let whole = |p: Polynomial| {
            Some(Quotient {
                numerator: p.replace(Unknown::Slot(0), &Polynomial::unknown(HEAP))?,
                divisor: Polynomial::number(1),
            })
        };
        if let Some(polynomial) = Polynomial::of(expr, params) {
            return whole(polynomial);
        }
        match expr {
            Expr::Binary(op @ (Op::FloorDiv | Op::CeilDiv), a, b) => {
                let (a, divisor) = (Polynomial::of(a, params)?, Polynomial::of(b, params)?);
                let numerator = whole(a)?.numerator;
                if divisor.terms().any(|(monomial, _)| monomial.contains(&Unknown::Slot(0))) {
                    return None;
                }
                // ceil(a/b) = floor((a + b - 1)/b)
                let up = if *op == Op::CeilDiv { minus(&divisor, 1)? } else { Polynomial::default() };
                Some(Quotient { numerator: numerator.plus(&up)?, divisor })
            }
            // w + floor(x/y) = floor((w*y + x)/y)
            Expr::Binary(Op::Add, a, b) => {
                let (a, b) = (Quotient::of_expr(a, params)?, Quotient::of_expr(b, params)?);
                let (w, x) = if a.divisor.as_number() == Some(1) { (a, b) } else { (b, a) };
                (w.divisor.as_number() == Some(1)).then_some(())?;
                Some(Quotient {
                    numerator: w.numerator.times(&x.divisor)?.plus(&x.numerator)?,
                    divisor: x.divisor,
                })
            }
            // w - floor(x/y) = w + floor((-x + y - 1)/y)
            Expr::Binary(Op::Sub, a, b) => {
                let (w, x) = (Quotient::of_expr(a, params)?, Quotient::of_expr(b, params)?);
                (w.divisor.as_number() == Some(1)).then_some(())?;
                let negated = minus(&x.divisor.minus(&x.numerator)?, 1)?;
                Some(Quotient {
                    numerator: w.numerator.times(&x.divisor)?.plus(&negated)?,
                    divisor: x.divisor,
                })
            }
            _ => None,
        }
    }
}

fn minus(polynomial: &Polynomial, number: Int) -> Option<Polynomial> {
    polynomial.minus(&Polynomial::number(number))
}

struct Lemma<'a> {
    claim: &'a Claim,
    window: SlidingWindow,
    quotient: Quotient,
    /// What the header says of the parameters.
    header: Facts,
    /// Some clause speaks about each heap below this one, or the law is not about it.
    settled: Polynomial,
}

impl Lemma<'_> {
    /// Compares listed values with the lemma, heap by heap.
    fn listed(&mut self, start: Int, values: &[Int]) -> Result<(), String> {
        let end = start
            .checked_add(values.len() as Int)
            .filter(|end| *end <= LISTED as Int)
            .ok_or("too many values")?;
        let first = Int::from(self.window.first);
        let mut truth: Vec<Int> = Vec::new();
        let mut before = first;
        for n in 0..end {
            let value = if n <= first {
                0
            } else {
                let left = self.left(n, before).ok_or("the left end of the window is not known")?;
                let dropped = usize::try_from(before).ok().and_then(|i| truth.get(i)).copied();
                let value = if left == before { n.checked_sub(left) } else { dropped };
                before = left;
                value.ok_or("the left end is beyond the heap")?
            };
            truth.push(value);
            let said = n.checked_sub(start).and_then(|i| usize::try_from(i).ok()).and_then(|i| values.get(i));
            if let Some(said) = said.filter(|said| **said != value && n >= Int::from(self.claim.first)) {
                return Err(format!("it says g({n}) = {said}, but it is {value}"));
            }
        }
        self.settle(&Polynomial::number(start), &Polynomial::number(end));
        Ok(())
    }

    /// Notes that `start..end` are spoken about, if that adds to the heaps that are.
    fn settle(&mut self, start: &Polynomial, end: &Polynomial) {
        let follows = |a: &Polynomial, b: &Polynomial| a.minus(b).is_some_and(|gap| self.header.imply(&gap));
        if follows(&self.settled, start) && follows(end, &self.settled) {
            self.settled = end.clone();
        }
    }

    /// L(n), which is L(n - 1) = `before` or one more; by proof where a parameter has no value.
    fn left(&self, n: Int, before: Int) -> Option<Int> {
        if let Ok(left) = self.window.left_at(n) {
            return Some(left);
        }
        let is = |left: &Int| {
            self.is_left(&Polynomial::number(n), &Polynomial::number(*left), &self.header) == Some(true)
        };
        [before, before + 1].into_iter().find(is)
    }

    /// Shows that a clause is one of the two cases of the lemma; gives the heap that it speaks about.
    fn case(
        &self,
        names: usize,
        pattern: &Expr,
        value: &Expr,
        cond: &Cond,
    ) -> Result<Polynomial, &'static str> {
        let params = &self.claim.rule.params;
        let heap = Polynomial::of(pattern, params).ok_or("its left side is no polynomial")?;
        let mut facts = self.header.clone();
        for name in (0..names).map(|slot| Polynomial::unknown(Unknown::Slot(slot))) {
            // Names are naturals; so is a product with what the header knows to be at least 0.
            self.header.all().iter().filter_map(|fact| fact.times(&name)).for_each(|fact| facts.add(fact));
            facts.add(name);
        }
        facts.add_condition(cond, params);
        // Smaller heaps are settled by the clauses before it.
        const OVERFLOW: &str = "a number passes 128 bits";
        facts.add(heap.minus(&self.settled).ok_or(OVERFLOW)?);
        // Up to the first heap all have the value 0; beyond it the lemma speaks.
        let first = Int::from(self.window.first);
        let beyond = minus(&heap, first + 1).ok_or(OVERFLOW)?;
        let mut up_to_first = facts.clone();
        up_to_first.add(minus(&Polynomial::default().minus(&beyond).ok_or(OVERFLOW)?, 1).ok_or(OVERFLOW)?);
        let nothing = up_to_first.imply(&Polynomial::number(-1));
        let zero = Polynomial::of(value, params).and_then(|value| {
            let negative = Polynomial::default().minus(&value)?;
            Some(up_to_first.imply(&value) && up_to_first.imply(&negative))
        });
        if !nothing && zero != Some(true) {
            return Err("that it gives 0 for the first heaps cannot be shown");
        }
        facts.add(beyond);
        let (left, steps) = match value {
            Expr::Grundy(argument) => (Polynomial::of(argument, params), 1),
            _ => (Polynomial::of(value, params).and_then(|value| heap.minus(&value)), 0),
        };
        let left = left.ok_or("its value is neither a polynomial nor g of one")?;
        let after = left.plus(&Polynomial::number(steps)).ok_or(OVERFLOW)?;
        let below = minus(&heap, 1).ok_or(OVERFLOW)?;
        if self.is_left(&below, &left, &facts) != Some(true) {
            return Err(
                "it is not shown that the window of the heap before begins where the clause needs it",
            );
        }
        if self.is_left(&heap, &after, &facts) != Some(true) {
            return Err("it is not shown that the window of the heap begins where the clause needs it");
        }
        Ok(heap)
    }

    /// Whether L(heap) = left follows.
    fn is_left(&self, heap: &Polynomial, left: &Polynomial, facts: &Facts) -> Option<bool> {
        let numerator = self.quotient.numerator.replace(HEAP, heap)?;
        let divisor = &self.quotient.divisor;
        let at_least = |a: &Polynomial, b: &Polynomial| Some(facts.imply(&a.minus(b)?));
        // numerator < divisor * (left + 1)
        let not_above = at_least(&minus(&divisor.times(left)?.plus(divisor)?, 1)?, &numerator)?;
        let first = Polynomial::number(self.window.first.into());
        let reached = at_least(&numerator, &divisor.times(left)?)? && at_least(left, &first)?;
        Some(not_above && (reached || *left == first))
    }

    /// The heaps `start..end` of a clause `g(n + c)` with a greatest n.
    fn stretch(&self, heap: &Polynomial, cond: &Cond) -> Option<(Polynomial, Polynomial)> {
        let name = Polynomial::unknown(Unknown::Slot(0));
        let offset = heap.minus(&name).filter(|offset| !mentions_names(offset))?;
        let bounds = bounds(cond, &self.claim.rule.params)?;
        // high - n >= 0, and nothing else.
        let [bound] = bounds.as_slice() else { return None };
        let high = bound.plus(&name).filter(|high| !mentions_names(high))?;
        let end = high.plus(&offset)?.plus(&Polynomial::number(1))?;
        Some((offset, end))
    }

    /// Whether the classes and the settled heaps are all heaps.
    fn covered(&self, classes: &[Class]) -> bool {
        classes.iter().any(|start| {
            let mut last = start;
            let mut met = 0;
            loop {
                met += 1;
                // What of this class comes before its first q must be settled.
                let tiles = self.starts_settled(last) == Some(true);
                let length = last.high.minus(&start.low).and_then(|gap| gap.plus(&Polynomial::number(1)));
                let (true, Some(length)) = (tiles && met <= classes.len(), length) else { return false };
                if length == start.factor {
                    return self.settled.minus(&start.low).is_some_and(|gap| self.header.imply(&gap));
                }
                let follows = |class: &&Class| {
                    class.factor == start.factor
                        && minus(&class.low, 1).is_some_and(|before| before == last.high)
                };
                match classes.iter().find(follows) {
                    Some(next) => last = next,
                    None => return false,
                }
            }
        })
    }

    fn starts_settled(&self, class: &Class) -> Option<bool> {
        let header = &self.header;
        // At least one heap in a block, and blocks that do not end before they begin.
        let sound = header.imply(&minus(&class.factor, 1)?)
            && header.imply(&class.high.minus(&class.low)?.plus(&Polynomial::number(1))?);
        let early = class.factor.times(&Polynomial::number(class.from - 1))?.plus(&class.high)?;
        let settled = self.settled.minus(&early)?;
        Some(sound && (class.from == 0 || header.imply(&minus(&settled, 1)?)))
    }
}

/// The heaps `factor*q + r` with `q >= from` and `low <= r <= high`, about which a clause speaks.
struct Class {
    factor: Polynomial,
    from: Int,
    low: Polynomial,
    high: Polynomial,
}

impl Lemma<'_> {
    /// The heaps about which a clause speaks, with slot `q` as the name that counts the blocks.
    fn class(&self, heap: &Polynomial, names: usize, q: usize, cond: &Cond) -> Option<Class> {
        let q = Unknown::Slot(q);
        let (mut factor, mut rest) = (Polynomial::default(), Polynomial::default());
        for (monomial, coefficient) in heap.terms() {
            let mut term = Polynomial::number(coefficient);
            let mut holds = 0;
            for unknown in monomial {
                holds += usize::from(*unknown == q);
                if *unknown != q {
                    term = term.times(&Polynomial::unknown(*unknown))?;
                }
            }
            match holds {
                0 => rest = rest.plus(&term)?,
                1 => factor = factor.plus(&term)?,
                _ => return None,
            }
        }
        if mentions_names(&factor) {
            return None;
        }
        // r is a number, or another name and a number.
        let other = (0..names).map(Unknown::Slot).filter(|name| *name != q).collect::<Vec<_>>();
        let (offset, free) = match other.as_slice() {
            [] => (rest, None),
            [name] => (rest.minus(&Polynomial::unknown(*name))?, Some(*name)),
            _ => return None,
        };
        if mentions_names(&offset) {
            return None;
        }
        // The condition: lower bounds of q by numbers, bounds of r by what holds no names.
        let (mut from, mut low, mut high) = (0, Polynomial::default(), None);
        for bound in bounds(cond, &self.claim.rule.params)? {
            let names: Vec<Unknown> = bound.terms().flat_map(|term| term.0.iter().copied()).collect();
            let of =
                |name: Unknown| bound.minus(&Polynomial::unknown(name)).filter(|rest| !mentions_names(rest));
            if names.contains(&q) {
                // q - number >= 0
                from = from.max(of(q)?.as_number()?.checked_neg()?);
            } else if let Some(rest) = free.and_then(of) {
                // r - low >= 0: only one such bound, else the greater one would be wanted.
                (low == Polynomial::default()).then_some(())?;
                low = Polynomial::default().minus(&rest)?;
            } else {
                let rest = bound.plus(&Polynomial::unknown(free?))?;
                (high.is_none() && !mentions_names(&rest)).then_some(())?;
                high = Some(rest);
            }
        }
        // A name begins at 0.
        if !self.header.imply(&low) {
            return None;
        }
        let high = match free {
            None => Polynomial::default(),
            Some(_) => high?,
        };
        Some(Class { factor, from, low: low.plus(&offset)?, high: high.plus(&offset)? })
    }
}

fn mentions_names(polynomial: &Polynomial) -> bool {
    polynomial.terms().any(|(monomial, _)| monomial.iter().any(|u| matches!(u, Unknown::Slot(_))))
}

/// The polynomials that a condition demands to be at least 0; `None` if it demands anything else.
fn bounds(cond: &Cond, params: &[Param]) -> Option<Vec<Polynomial>> {
    let mut facts = Facts::default();
    facts.add_condition(cond, params).then(|| facts.all().to_vec())
}
