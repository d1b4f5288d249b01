//! One branch of a line, case by case.
//!
//! Translation is written as if it could ask which of several cases holds ([`Case::choose`]). It is run once for
//! each sequence of answers, like the hands of a clock: the last question with an answer left moves on, and what comes after it starts anew.

use super::expression::Values;
use super::{Condition, Form, Left, Linear, Unfit, tidy};
use crate::ast::RelOp;
use crate::expr::{AtomKind, Expr, Int, NamedSet, ParamId, Set};
use crate::rule::{Alternative, Branch, HeapExpr, Line, Param, Part, Rule, Value};

/// Copies and members of a list that are written out.
const WRITTEN_OUT: Int = 16;

/// Members of a set that become a case each.
const SPLIT: usize = 16;

/// Why a case gives no form.
pub(super) enum Stop {
    /// No move is of this case.
    Never,
    /// The rule is outside the class.
    Unfit(String),
}

/// Outside the class.
pub(super) fn unfit<T>(reason: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unfit(reason.into()))
}

/// A number that does not fit.
pub(super) fn fits<T>(value: Option<T>) -> Result<T, Stop> {
    value.ok_or_else(|| Stop::Unfit("its numbers pass 128 bits".to_owned()))
}

/// The same, as a bare reason.
pub(super) fn fits_or<T>(value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| "its numbers pass 128 bits".to_owned())
}

/// A case in the making.
pub(super) struct Case<'a> {
    pub(super) params: &'a [Param],
    /// What stands in each slot of the frame; `None` for a `for` name outside its list.
    pub(super) slots: Vec<Option<Linear>>,
    pub(super) unknowns: usize,
    pub(super) conditions: Vec<Condition>,
    /// The numbers whose nimbers are asked for, each with its nimber; `None` where there are no nimbers to be had.
    pub(super) calls: Option<Vec<(Linear, usize)>>,
    /// Whether an error of evaluation matters: then what could be one is outside the class.
    pub(super) strict: bool,
    /// Expressions that have their value already.
    pub(super) values: Values,
    /// The answers: which case, of how many.
    answers: Vec<(usize, usize)>,
    asked: usize,
}

/// Runs through all cases: `run` is called for each sequence of answers, and what it gives is handed to `done`.
pub(super) fn each_case<'a, T>(
    params: &'a [Param],
    slots: &[Option<Linear>],
    unknowns: usize,
    mut run: impl FnMut(&mut Case<'a>) -> Result<T, Stop>,
    mut done: impl FnMut(Case<'a>, T) -> Result<(), String>,
) -> Result<(), String> {
    let mut answers = Vec::new();
    for _ in 0..16 * super::MOST_FORMS {
        let mut case = Case {
            params,
            slots: slots.to_vec(),
            unknowns,
            conditions: Vec::new(),
            calls: None,
            strict: false,
            values: Values::default(),
            answers,
            asked: 0,
        };
        let result = run(&mut case);
        answers = std::mem::take(&mut case.answers);
        match result {
            Ok(made) => done(case, made)?,
            Err(Stop::Never) => {}
            Err(Stop::Unfit(reason)) => return Err(reason),
        }
        while answers.last().is_some_and(|&(answer, of)| answer + 1 == of) {
            answers.pop();
        }
        match answers.last_mut() {
            Some(last) => last.0 += 1,
            None => return Ok(()),
        }
    }
    Err(super::too_many())
}

/// Adds the forms of one branch.
pub(super) fn cases(
    rule: &Rule,
    line: &Line,
    alternative: &Alternative,
    branch: &Branch,
    forms: &mut Vec<Form>,
) -> Result<(), Unfit> {
    let arity = line.pattern.len();
    let named = arity + alternative.variables.len();
    let slots: Vec<Option<Linear>> =
        (0..alternative.frame).map(|s| (s < named).then(|| Linear::unknown(s))).collect();
    each_case(
        &rule.params,
        &slots,
        named,
        |case| case.run(line, alternative, branch),
        |case, left| {
            let form = Form {
                kind: line.kind,
                arity,
                unknowns: case.unknowns,
                conditions: case.conditions,
                left,
                span: line.span,
            };
            tidy::tidy(form, forms)?;
            if forms.len() > super::MOST_FORMS { Err(super::too_many()) } else { Ok(()) }
        },
    )
    .map_err(|reason| Unfit { reason, span: line.span })
}

impl Case<'_> {
    /// Which of `of` cases is looked at in this run.
    pub(super) fn choose(&mut self, of: usize) -> Result<usize, Stop> {
        if of == 0 {
            return Err(Stop::Never);
        }
        if self.asked == self.answers.len() {
            self.answers.push((0, of));
        }
        self.asked += 1;
        Ok(self.answers[self.asked - 1].0)
    }

    pub(super) fn demand(&mut self, condition: Condition) {
        self.conditions.push(condition);
    }

    pub(super) fn at_least_zero(&mut self, form: Option<Linear>) -> Result<(), Stop> {
        let form = fits(form)?;
        self.demand(Condition::AtLeastZero(form));
        Ok(())
    }

    pub(super) fn zero(&mut self, form: Option<Linear>) -> Result<(), Stop> {
        let form = fits(form)?;
        self.demand(Condition::Zero(form));
        Ok(())
    }

    pub(super) fn fresh(&mut self) -> usize {
        self.unknowns += 1;
        self.unknowns - 1
    }

    /// The unknown that equals a form which is a natural.
    pub(super) fn natural(&mut self, form: &Linear) -> Result<usize, Stop> {
        if let ([(unknown, 1)], 0) = (form.terms(), form.constant) {
            return Ok(*unknown);
        }
        let unknown = self.fresh();
        self.zero(form.minus(&Linear::unknown(unknown)))?;
        Ok(unknown)
    }

    /// Whether a form is seen to be at least 0.
    pub(super) fn is_plainly_natural(form: &Linear) -> bool {
        form.constant >= 0 && form.terms().iter().all(|t| t.1 > 0)
    }

    /// Whether a form is at least 0, asked where its coefficients do not show it.
    pub(super) fn is_natural(&mut self, form: &Linear) -> Result<bool, Stop> {
        if Self::is_plainly_natural(form) {
            return Ok(true);
        }
        if form.constant < 0 && form.terms().iter().all(|t| t.1 < 0) {
            return Ok(false);
        }
        if self.choose(2)? == 0 {
            self.at_least_zero(Some(form.clone()))?;
            return Ok(true);
        }
        self.at_least_zero(form.times(-1).and_then(|f| f.add(-1)))?;
        Ok(false)
    }

    fn run(&mut self, line: &Line, alternative: &Alternative, branch: &Branch) -> Result<Vec<Left>, Stop> {
        for (slot, entry) in line.pattern.iter().enumerate() {
            if let Some(number) = entry {
                self.zero(number.checked_neg().and_then(|n| Linear::unknown(slot).add(n)))?;
            }
        }
        for atom in &branch.atoms {
            self.atom(&atom.kind)?;
        }
        let mut left = Vec::new();
        for part in &alternative.parts {
            self.part(part, &mut left)?;
        }
        Ok(left)
    }

    pub(super) fn atom(&mut self, atom: &AtomKind) -> Result<(), Stop> {
        match atom {
            AtomKind::Rel(a, op, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.relation(&a, *op, &b)
            }
            AtomKind::In(e, negated, set) => {
                let e = self.value(e)?;
                if *negated { self.outside(&e, set) } else { self.member(&e, set) }
            }
            AtomKind::PairIn(a, b, negated, id) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.pair(&a, &b, !negated, *id)
            }
            AtomKind::Divides(a, negated, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.divides(&a, !negated, &b)
            }
        }
    }

    pub(super) fn relation(&mut self, a: &Linear, op: RelOp, b: &Linear) -> Result<(), Stop> {
        let (up, down) = (b.minus(a), a.minus(b));
        let less = |form: Option<Linear>| form.and_then(|f| f.add(-1));
        match op {
            RelOp::Eq => self.zero(down),
            RelOp::Le => self.at_least_zero(up),
            RelOp::Ge => self.at_least_zero(down),
            RelOp::Lt => self.at_least_zero(less(up)),
            RelOp::Gt => self.at_least_zero(less(down)),
            RelOp::Ne => {
                let form = if self.choose(2)? == 0 { up } else { down };
                self.at_least_zero(less(form))
            }
        }
    }

    fn member(&mut self, e: &Linear, set: &Set) -> Result<(), Stop> {
        match set {
            Set::List(items) => {
                let items = self.all(items)?;
                match items.iter().map(Linear::as_constant).collect::<Option<Vec<Int>>>() {
                    Some(numbers) => self.among(e, &numbers),
                    None => {
                        let item = &items[self.choose(items.len())?];
                        self.zero(e.minus(item))
                    }
                }
            }
            Set::Range(low, high) => {
                let low = self.value(low)?;
                self.relation(&low, RelOp::Le, e)?;
                match high {
                    Some(high) => {
                        let high = self.value(high)?;
                        self.relation(e, RelOp::Le, &high)
                    }
                    None => Ok(()),
                }
            }
            Set::Named(NamedSet::Naturals, _) => self.at_least_zero(Some(e.clone())),
            Set::Named(NamedSet::Powers, args) => {
                let base = self.base(args)?;
                let unknown = self.natural(e)?;
                self.demand(Condition::Power { base, unknown, holds: true });
                Ok(())
            }
            Set::Named(..) => unfit("of the named sets only the naturals and powers(b) have automata"),
            Set::Param(id) => {
                let numbers = self.numbers(*id)?.to_vec();
                self.among(e, &numbers)
            }
        }
    }

    fn outside(&mut self, e: &Linear, set: &Set) -> Result<(), Stop> {
        match set {
            Set::List(items) => {
                let items = self.all(items)?;
                match items.iter().map(Linear::as_constant).collect::<Option<Vec<Int>>>() {
                    Some(numbers) => self.not_among(e, &numbers),
                    None => items.iter().try_for_each(|item| self.relation(e, RelOp::Ne, item)),
                }
            }
            Set::Range(low, high) => {
                let low = self.value(low)?;
                match high {
                    Some(high) => {
                        let high = self.value(high)?;
                        // An empty range is left by everything; the cases may overlap.
                        if self.choose(2)? == 0 {
                            self.relation(e, RelOp::Lt, &low)
                        } else {
                            self.relation(e, RelOp::Gt, &high)
                        }
                    }
                    None => self.relation(e, RelOp::Lt, &low),
                }
            }
            Set::Named(NamedSet::Naturals, _) => self.at_least_zero(e.times(-1).and_then(|f| f.add(-1))),
            Set::Named(NamedSet::Powers, args) => {
                let base = self.base(args)?;
                if self.is_natural(e)? {
                    let unknown = self.natural(e)?;
                    self.demand(Condition::Power { base, unknown, holds: false });
                }
                Ok(())
            }
            Set::Named(..) => unfit("of the named sets only the naturals and powers(b) have automata"),
            Set::Param(id) => {
                let numbers = self.numbers(*id)?.to_vec();
                self.not_among(e, &numbers)
            }
        }
    }

    fn all(&mut self, items: &[Expr]) -> Result<Vec<Linear>, Stop> {
        items.iter().map(|item| self.value(item)).collect()
    }

    fn base(&mut self, args: &[Expr]) -> Result<Int, Stop> {
        let args = self.all(args)?;
        match args.first().and_then(Linear::as_constant) {
            Some(base) if base >= 2 => Ok(base),
            _ => unfit("powers(b) needs a base that is a number of at least 2"),
        }
    }

    fn numbers(&self, id: ParamId) -> Result<&[Int], Stop> {
        match self.params.get(id).and_then(|p| p.value.as_ref()) {
            Some(Value::Set(values) | Value::List(values)) => Ok(values),
            _ => self.no_value(id),
        }
    }

    pub(super) fn no_value<T>(&self, id: ParamId) -> Result<T, Stop> {
        unfit(format!(
            "the parameter `{}` has no value",
            self.params.get(id).map_or("?", |p| p.name.as_str())
        ))
    }

    fn among(&mut self, e: &Linear, numbers: &[Int]) -> Result<(), Stop> {
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.len() <= SPLIT {
            let number = numbers[self.choose(numbers.len())?];
            return self.zero(number.checked_neg().and_then(|n| e.add(n)));
        }
        if self.is_natural(e)? {
            let unknown = self.natural(e)?;
            let rows = numbers.into_iter().filter(|&n| n >= 0).map(|n| vec![n]).collect();
            self.demand(Condition::Among { unknowns: vec![unknown], rows, holds: true });
            return Ok(());
        }
        numbers.retain(|&n| n < 0);
        if numbers.len() > SPLIT {
            return unfit(format!("a set with more than {SPLIT} negative numbers"));
        }
        let number = numbers[self.choose(numbers.len())?];
        self.zero(number.checked_neg().and_then(|n| e.add(n)))
    }

    fn not_among(&mut self, e: &Linear, numbers: &[Int]) -> Result<(), Stop> {
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        if self.is_natural(e)? {
            numbers.retain(|&n| n >= 0);
            if !numbers.is_empty() {
                let unknown = self.natural(e)?;
                let rows = numbers.into_iter().map(|n| vec![n]).collect();
                self.demand(Condition::Among { unknowns: vec![unknown], rows, holds: false });
            }
            return Ok(());
        }
        for number in numbers.into_iter().filter(|&n| n < 0) {
            self.relation(e, RelOp::Ne, &Linear::constant(number))?;
        }
        Ok(())
    }

    fn pair(&mut self, a: &Linear, b: &Linear, holds: bool, id: ParamId) -> Result<(), Stop> {
        let Some(Value::Pairs(pairs)) = self.params.get(id).and_then(|p| p.value.as_ref()) else {
            return self.no_value(id);
        };
        if pairs.iter().any(|(x, y)| x < 0 || y < 0) {
            return unfit("pairs with negative numbers");
        }
        let pairs = std::sync::Arc::clone(pairs);
        if !(self.is_natural(a)? && self.is_natural(b)?) {
            return if holds { Err(Stop::Never) } else { Ok(()) };
        }
        let unknowns = vec![self.natural(a)?, self.natural(b)?];
        let rows = pairs.iter().map(|(x, y)| vec![x, y]).collect();
        self.demand(Condition::Among { unknowns, rows, holds });
        Ok(())
    }

    fn divides(&mut self, a: &Linear, holds: bool, b: &Linear) -> Result<(), Stop> {
        match a.as_constant() {
            // Only 0 is a multiple of 0.
            Some(0) => self.relation(b, if holds { RelOp::Eq } else { RelOp::Ne }, &Linear::constant(0)),
            Some(-1 | 1) => {
                if holds {
                    Ok(())
                } else {
                    Err(Stop::Never)
                }
            }
            Some(modulus) => {
                let modulus = fits(modulus.checked_abs())?;
                self.demand(Condition::Divisible { form: b.clone(), modulus, holds });
                Ok(())
            }
            None => unfit("`divides` by an unknown is not linear"),
        }
    }

    fn part(&mut self, part: &Part, left: &mut Vec<Left>) -> Result<(), Stop> {
        match part {
            Part::Heap(heap) => {
                left.push(self.heap(heap)?);
                Ok(())
            }
            Part::List { parts, slot, set: Set::Range(low, Some(high)), unrolled, .. } => {
                let (low, high) = (self.value(low)?, self.value(high)?);
                match (low.as_constant(), high.as_constant()) {
                    (Some(low), Some(high)) if high.saturating_sub(low) < WRITTEN_OUT => {
                        self.written_out(parts, *slot, low, high, left)
                    }
                    _ if *unrolled => self.list(parts, *slot, &low, &high, left),
                    _ => unfit("a list whose length is not a small number"),
                }
            }
            Part::List { .. } => unfit("a list that does not run over a range a..b"),
        }
    }

    fn heap(&mut self, heap: &HeapExpr) -> Result<Left, Stop> {
        let mut entries = Vec::with_capacity(heap.entries.len());
        for entry in &heap.entries {
            let entry = self.value(entry)?;
            entries.push(self.natural(&entry)?);
        }
        Ok(Left::Heap(heap.kind, entries))
    }

    fn written_out(
        &mut self,
        parts: &[Part],
        slot: usize,
        low: Int,
        high: Int,
        left: &mut Vec<Left>,
    ) -> Result<(), Stop> {
        for number in low..=high {
            self.slots[slot] = Some(Linear::constant(number));
            self.values.forget();
            for part in parts {
                let Part::Heap(heap) = part else { return unfit("a list within a list") };
                left.push(self.heap(heap)?);
            }
        }
        self.slots[slot] = None;
        self.values.forget();
        Ok(())
    }

    /// `[e for i in low..high]` where the heaps are successive numbers.
    fn list(
        &mut self,
        parts: &[Part],
        slot: usize,
        low: &Linear,
        high: &Linear,
        left: &mut Vec<Left>,
    ) -> Result<(), Stop> {
        let [Part::Heap(heap)] = parts else { return unfit("a list of more than one heap for each number") };
        let [entry] = heap.entries.as_slice() else { return unfit("a list of heaps with several entries") };
        let gap = fits(high.minus(low))?;
        if !self.is_natural(&gap)? {
            return Ok(());
        }
        // The `for` name as an unknown of its own, which is then replaced by its ends.
        let name = self.fresh();
        self.slots[slot] = Some(Linear::unknown(name));
        self.values.forget();
        let conditions = self.conditions.len();
        let form = self.value(entry)?;
        if self.conditions.len() > conditions {
            return unfit("a list whose heaps are not linear in the `for` name");
        }
        self.slots[slot] = None;
        self.values.forget();
        let (first, last) = (fits(form.replace(name, low))?, fits(form.replace(name, high))?);
        let (least, greatest) = match form.coefficient(name) {
            1 => (first, last),
            -1 => (last, first),
            _ => return unfit("a list whose heaps are not successive numbers"),
        };
        let from = self.natural(&least)?;
        let to = fits(greatest.add(1))?;
        let to = self.natural(&to)?;
        left.push(Left::Run(heap.kind, from, to));
        Ok(())
    }
}
