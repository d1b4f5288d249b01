//! A branch whose atoms are linear, compiled to nested loops.
//!
//! Most rules people write are of this kind: sums, comparisons, a variable in a set, and tests that no bound can
//! be read from (`gcd(n, t) = 1`). For them the general search does too much: here the bounds of every variable,
//! given any others, are linear forms found at compile time ([`System::without`]), equations with a coefficient
//! of 1 are solved, and all that is left to do on a heap is to evaluate forms and count. Which variable comes next
//! is still decided on the heap, by the fewest candidates. A nest needs no propagation and tries at most as many
//! values as the search; where it does not apply (or numbers might not fit) the search does the work.

pub(crate) mod run;

use super::candidates::{Generator, Source};
use super::code::{self, Test};
use super::fold;
use super::linear::{Form, Symbols, System};
use crate::bounds::facts::Facts;
use crate::bounds::interval::Interval;
use crate::bounds::propagate;
use crate::expr::{Atom, AtomKind, Expr, Func, Int, NamedSet, Op, RelOp, Set};

/// The most variables that are looped over; those that equations determine do not count.
pub(crate) const FREE: usize = 4;

/// Indices of forms that bound a variable.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) lower: Vec<usize>,
    pub(crate) upper: Vec<usize>,
}

/// A variable that an equation determines.
#[derive(Debug)]
pub(crate) struct Determined {
    /// Its index among the variables.
    pub(crate) variable: usize,
    /// Its value, as an index of a form over the free variables.
    pub(crate) form: usize,
    /// Depends on no free variable.
    pub(crate) fixed: bool,
}

/// A test that bounds nothing.
pub(crate) struct Filter {
    /// The free variables it needs, as bits.
    pub(crate) needs: u8,
    /// It needs a determined variable, so it waits for the end.
    pub(crate) late: bool,
    pub(crate) test: Test,
}

/// A list of candidates for a free variable.
pub(crate) struct Listed {
    pub(crate) generator: Generator,
    /// If it does not depend on the heap.
    pub(crate) source: Option<Source>,
}

/// A compiled branch.
pub(crate) struct Nest {
    /// The variables looped over, ascending.
    pub(crate) free: Vec<usize>,
    pub(crate) determined: Vec<Determined>,
    /// Expressions in entries, worked out first: the known symbols after the entries.
    pub(crate) opaque: Vec<code::Number>,
    /// All forms; coefficients over the free variables.
    pub(crate) forms: Vec<Compiled>,
    /// No form has coefficients whose sizes sum to more.
    pub(crate) weight: Int,
    /// Forms without variables that must be at least 0.
    pub(crate) conditions: Vec<usize>,
    /// `bounds[mask][v]`: of free variable v when those of the mask have values.
    pub(crate) bounds: Vec<Vec<Bounds>>,
    /// For each free variable.
    pub(crate) listed: Vec<Vec<Listed>>,
    pub(crate) filters: Vec<Filter>,
    /// Looping over the free variables in ascending order gives the assignments in ascending order.
    pub(crate) ascending: bool,
    /// Every entry left that mentions no `for` name is a natural.
    pub(crate) natural: bool,
}

/// A form over free variables and known symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compiled {
    pub(crate) free: [i64; FREE],
    pub(crate) known: Vec<(usize, Int)>,
    pub(crate) constant: Int,
}

impl std::fmt::Debug for Nest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Nest").field("free", &self.free).field("determined", &self.determined).finish()
    }
}

/// What the atoms of a branch come to.
struct Parsed {
    symbols: Symbols,
    equations: Vec<Form>,
    /// At least 0.
    inequalities: Vec<Form>,
    generators: Vec<(usize, Generator)>,
    /// The atoms of the generators.
    listed_atoms: Vec<Atom>,
    tests: Vec<Atom>,
    natural: bool,
}

impl Nest {
    /// Compiles a branch, if it is of the kind. `entries` are the entries of the heaps left.
    pub(crate) fn new(
        arity: usize,
        variables: usize,
        atoms: &[Atom],
        entries: &[Expr],
        facts: &Facts,
    ) -> Option<Nest> {
        if variables > 2 * FREE {
            return None;
        }
        let mut parsed = parse(arity, variables, atoms, entries, facts)?;
        for v in 0..variables {
            parsed.inequalities.push(Form::variable(v, variables));
        }
        let solved = solve(&mut parsed)?;
        let free: Vec<usize> = (0..variables).filter(|v| !solved.iter().any(|s| s.0 == *v)).collect();
        if free.len() > FREE {
            return None;
        }
        let mut system = System::new(arity);
        for form in &parsed.inequalities {
            system.add(form.clone());
        }
        for form in &parsed.equations {
            system.add(form.clone());
            system.add(form.times(-1)?);
        }
        let mut forms = Forms { free: free.clone(), list: Vec::new() };
        let (bounds, conditions) = bounds(&system, &mut forms)?;
        let mut determined = Vec::new();
        for (variable, form) in &solved {
            let fixed = form.variables.iter().all(|&c| c == 0);
            determined.push(Determined { variable: *variable, form: forms.index(form), fixed });
        }
        let mut listed: Vec<Vec<Listed>> = free.iter().map(|_| Vec::new()).collect();
        for (variable, generator) in std::mem::take(&mut parsed.generators) {
            let place = free.iter().position(|&f| f == variable)?;
            let constant = generator.expressions().iter().all(|e| matches!(e, Expr::Const(_)));
            let value = |e: &Expr| if let Expr::Const(x) = e { Some(Ok(*x)) } else { None };
            let source = if constant { Source::of(&generator, facts, value) } else { None };
            listed[place].push(Listed { generator, source });
        }
        if listed.iter().any(|l| l.len() > 1) {
            // One list is gone through, membership in the others is tested.
            parsed.tests.append(&mut parsed.listed_atoms);
        }
        let filters = parsed.tests.iter().map(|atom| filter(atom, arity, &free, facts)).collect();
        let ascending = solved.iter().all(|(v, form)| is_ascending(*v, form));
        let opaque = parsed.symbols.opaque.iter().map(|e| code::number(e, facts)).collect();
        let natural = parsed.natural;
        let sizes = |f: &Compiled| f.free.iter().map(|c| Int::from(c.unsigned_abs())).sum();
        let weight = forms.list.iter().map(sizes).max().unwrap_or(0);
        Some(Nest {
            free,
            determined,
            opaque,
            forms: forms.list,
            weight,
            conditions,
            bounds,
            listed,
            filters,
            ascending,
            natural,
        })
    }
}

/// Whether the atom has a value for all numbers of moderate size.
pub(crate) fn always_has_value(kind: &AtomKind) -> bool {
    let set_is_plain = match kind {
        AtomKind::In(_, _, Set::Named(name, _)) => {
            !matches!(name, NamedSet::Primes | NamedSet::Powers | NamedSet::Divisors | NamedSet::Digits)
        }
        _ => true,
    };
    // All slots count as entries here.
    set_is_plain
        && fold::sides(kind).into_iter().all(|e| {
            let mut symbols = Symbols { arity: usize::MAX, ..Symbols::default() };
            Form::of(e, &mut symbols).is_some() && symbols.opaque.is_empty()
        })
}

/// Whether rows stay in order when the free variables run in order: what comes before decides the value, or the
/// next free variable raises it.
fn is_ascending(variable: usize, form: &Form) -> bool {
    let later: Vec<Int> = form.variables.iter().skip(variable + 1).copied().filter(|&c| c != 0).collect();
    let next = form.variables.iter().enumerate().skip(variable + 1).find(|(_, c)| **c != 0);
    match later[..] {
        [] => true,
        // It must be the very next variable that is not determined; a neighbour surely is.
        [c] => c > 0 && next.is_some_and(|(at, _)| at == variable + 1),
        _ => false,
    }
}

fn filter(atom: &Atom, arity: usize, free: &[usize], facts: &Facts) -> Filter {
    let mentions = |slot: usize| fold::sides(&atom.kind).iter().any(|e| fold::mentions(e, &|s| s == slot));
    let mut needs = 0;
    for (i, &v) in free.iter().enumerate() {
        if mentions(arity + v) {
            needs |= 1 << i;
        }
    }
    let late = fold::sides(&atom.kind)
        .iter()
        .any(|e| fold::mentions(e, &|s| s >= arity && !free.contains(&(s - arity))));
    Filter { needs, late, test: code::atom(&atom.kind, facts) }
}

fn parse(arity: usize, variables: usize, atoms: &[Atom], entries: &[Expr], facts: &Facts) -> Option<Parsed> {
    let mut parsed = Parsed {
        symbols: Symbols { arity, variables, opaque: Vec::new() },
        equations: Vec::new(),
        inequalities: Vec::new(),
        generators: Vec::new(),
        listed_atoms: Vec::new(),
        tests: Vec::new(),
        natural: true,
    };
    for atom in atoms {
        parsed.atom(atom, entries, facts)?;
    }
    // The entries of heaps are among the atoms; make sure rather than trust.
    for e in entries.iter().filter(|e| !fold::mentions(e, &|slot| slot >= arity + variables)) {
        let stated =
            atoms.iter().any(|a| matches!(&a.kind, AtomKind::Rel(Expr::Const(0), RelOp::Le, x) if x == e));
        parsed.natural &= stated || is_natural(e, arity + variables, facts);
    }
    Some(parsed)
}

/// Whether an expression is at least 0 for all naturals, wherever it has a value.
fn is_natural(e: &Expr, slots: usize, facts: &Facts) -> bool {
    propagate::hull(e, facts, &vec![Interval::NATURALS; slots]).lo >= 0
}

impl Parsed {
    fn has_variable(&self, e: &Expr) -> bool {
        let arity = self.symbols.arity;
        fold::mentions(e, &|slot| slot >= arity)
    }

    /// Takes an atom in; `None`: the branch is not of the kind.
    fn atom(&mut self, atom: &Atom, entries: &[Expr], facts: &Facts) -> Option<()> {
        let test = |parsed: &mut Parsed| {
            parsed.tests.push(atom.clone());
            Some(())
        };
        match &atom.kind {
            AtomKind::Rel(_, RelOp::Ne, _) | AtomKind::In(_, true, _) => test(self),
            AtomKind::PairIn(_, _, true, _) | AtomKind::Divides(_, true, _) => test(self),
            AtomKind::Rel(a, op, b) => {
                if self.relation(a, *op, b).is_some() {
                    return Some(());
                }
                if *op == RelOp::Le
                    && *a == Expr::Const(0)
                    && entries.contains(b)
                    && is_natural(b, self.symbols.arity + self.symbols.variables, facts)
                {
                    // Said of an entry that is a natural anyway; evaluating the entry shows its errors.
                    return Some(());
                }
                if self.narrows(a) || self.narrows(b) { None } else { test(self) }
            }
            AtomKind::In(x, false, Set::Range(lo, hi)) => {
                let linear = self.relation(lo, RelOp::Le, x).is_some()
                    && hi.as_ref().is_none_or(|hi| self.relation(x, RelOp::Le, hi).is_some());
                let ends = std::iter::once(lo).chain(hi);
                if linear {
                    Some(())
                } else if self.narrows(x) || ends.into_iter().any(|e| self.narrows(e)) {
                    None
                } else {
                    test(self)
                }
            }
            AtomKind::In(_, false, _) | AtomKind::PairIn(_, _, false, _) | AtomKind::Divides(_, false, _) => {
                let arity = self.symbols.arity;
                for v in 0..self.symbols.variables {
                    for generator in Generator::of(&atom.kind, arity + v) {
                        if !generator.expressions().iter().any(|e| self.has_variable(e)) {
                            self.hull(v, &generator, facts);
                            self.generators.push((v, generator));
                            self.listed_atoms.push(atom.clone());
                            return Some(());
                        }
                    }
                }
                if fold::sides(&atom.kind).into_iter().any(|e| self.narrows(e)) { None } else { test(self) }
            }
        }
    }

    /// `a op b` as forms.
    fn relation(&mut self, a: &Expr, op: RelOp, b: &Expr) -> Option<()> {
        let (a, b) = (Form::of(a, &mut self.symbols)?, Form::of(b, &mut self.symbols)?);
        let (low, high, strict) = match op {
            RelOp::Eq => {
                self.equations.push(b.plus(&a, -1)?);
                return Some(());
            }
            RelOp::Ne => return None,
            RelOp::Lt => (a, b, 1),
            RelOp::Le => (a, b, 0),
            RelOp::Gt => (b, a, 1),
            RelOp::Ge => (b, a, 0),
        };
        let mut form = high.plus(&low, -1)?;
        form.constant = form.constant.checked_sub(strict)?;
        self.inequalities.push(form);
        Some(())
    }

    /// The ends of a generator that are known now, as forms.
    fn hull(&mut self, variable: usize, generator: &Generator, facts: &Facts) {
        let n = self.symbols.variables;
        let ends = match generator {
            Generator::List(all) => {
                let known = all.iter().map(|e| if let Expr::Const(x) = e { Some(*x) } else { None });
                known.collect::<Option<Vec<Int>>>().and_then(|k| Some((*k.iter().min()?, *k.iter().max()?)))
            }
            Generator::Param(id) => facts.get(*id).map(|f| (f.hull.lo, f.hull.hi)),
            Generator::Named(NamedSet::Digits, args) => match args.get(1) {
                Some(Expr::Const(b)) => Some((0, b - 1)),
                None => Some((0, 9)),
                _ => None,
            },
            _ => None,
        };
        if let Some((lo, hi)) = ends
            && lo.checked_abs().is_some_and(|x| x < 1 << 70)
            && hi.checked_abs().is_some_and(|x| x < 1 << 70)
        {
            let x = Form::variable(variable, n);
            self.inequalities.extend(x.plus(&Form::constant(lo, n), -1));
            self.inequalities.extend(Form::constant(hi, n).plus(&x, -1));
        }
        if matches!(generator, Generator::Named(name, _) if !matches!(name, NamedSet::Digits | NamedSet::Naturals))
        {
            self.inequalities.extend(Form::variable(variable, n).plus(&Form::constant(1, n), -1));
        }
    }

    /// Whether propagation could narrow a variable through this expression.
    fn narrows(&self, e: &Expr) -> bool {
        match e {
            Expr::Slot(slot) => *slot >= self.symbols.arity,
            Expr::Neg(a) => self.narrows(a),
            Expr::Binary(Op::Mod, ..) => false,
            Expr::Binary(_, a, b) => self.narrows(a) || self.narrows(b),
            Expr::Call(Func::Min | Func::Max | Func::Abs | Func::Sqrt | Func::BitOr, args) => {
                args.iter().any(|a| self.narrows(a))
            }
            _ => false,
        }
    }
}

/// Solves equations for variables with coefficient 1 or -1, the last mentioned first; those with a list of
/// candidates or two plain ends are kept for looping. Gives (variable, form over the others).
fn solve(parsed: &mut Parsed) -> Option<Vec<(usize, Form)>> {
    let n = parsed.symbols.variables;
    let mut solved: Vec<(usize, Form)> = Vec::new();
    loop {
        let plain = |v: usize| {
            let ends = |sign: Int| {
                parsed.inequalities.iter().any(|f| {
                    f.known.is_empty()
                        && f.variables
                            .iter()
                            .enumerate()
                            .all(|(i, &c)| if i == v { c * sign > 0 } else { c == 0 })
                })
            };
            ends(1) && ends(-1)
        };
        let mut best: Option<(bool, usize, usize)> = None;
        for (e, equation) in parsed.equations.iter().enumerate() {
            for v in 0..n {
                let unit = equation.variables[v].abs() == 1;
                if unit && !parsed.generators.iter().any(|g| g.0 == v) {
                    let rank = (!plain(v), v, e);
                    if best.is_none_or(|b| (b.0, b.1) < (rank.0, rank.1)) {
                        best = Some(rank);
                    }
                }
            }
        }
        let Some((_, v, e)) = best else { return Some(solved) };
        let equation = parsed.equations.swap_remove(e);
        // c * v + rest = 0, so v = -c * rest for c = 1, -1.
        let c = equation.variables[v];
        let mut rest = equation;
        rest.variables[v] = 0;
        let form = rest.times(-c)?;
        for f in parsed.equations.iter_mut().chain(&mut parsed.inequalities) {
            *f = f.substitute(v, &form)?;
        }
        for s in &mut solved {
            s.1 = s.1.substitute(v, &form)?;
        }
        solved.push((v, form));
    }
}

/// Collects compiled forms, equal ones once.
struct Forms {
    free: Vec<usize>,
    list: Vec<Compiled>,
}

impl Forms {
    fn index(&mut self, form: &Form) -> usize {
        let mut free = [0; FREE];
        for (c, &v) in free.iter_mut().zip(&self.free) {
            // Coefficients are below 2^40.
            *c = i64::try_from(form.variables[v]).unwrap_or(i64::MAX);
        }
        let compiled = Compiled { free, known: form.known.clone(), constant: form.constant };
        self.list.iter().position(|f| *f == compiled).unwrap_or_else(|| {
            self.list.push(compiled);
            self.list.len() - 1
        })
    }
}

type BoundsTable = (Vec<Vec<Bounds>>, Vec<usize>);

/// The bounds of every free variable given any others; `None`: one lacks an end.
fn bounds(system: &System, forms: &mut Forms) -> Option<BoundsTable> {
    let free = forms.free.clone();
    let full = (1usize << free.len()) - 1;
    let mut shadows: Vec<System> = vec![System::default(); full + 1];
    shadows[full] = system.clone();
    for mask in (0..full).rev() {
        let missing = (0..free.len()).find(|i| mask & (1 << i) == 0)?;
        shadows[mask] = shadows[mask | (1 << missing)].without(free[missing]);
    }
    let mut table = Vec::with_capacity(full + 1);
    for mask in 0..=full {
        let mut row = Vec::with_capacity(free.len());
        for (i, &v) in free.iter().enumerate() {
            let mut found = Bounds::default();
            if mask & (1 << i) == 0 {
                for form in &shadows[mask | (1 << i)].forms {
                    match form.variables[v] {
                        0 => {}
                        1.. => found.lower.push(forms.index(form)),
                        _ => found.upper.push(forms.index(form)),
                    }
                }
                if found.lower.is_empty() || found.upper.is_empty() {
                    return None;
                }
            }
            row.push(found);
        }
        table.push(row);
    }
    let conditions = shadows[0].forms.iter().map(|f| forms.index(f)).collect();
    Some((table, conditions))
}
