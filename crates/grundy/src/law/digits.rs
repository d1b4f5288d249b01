//! Laws that divide all heaps by one number: `g(2n) = g(n) + 2n`, `g(2n+1) = 6n + 3 - g(n)`.
//!
//! When every residue r modulo c has a clause `g(cn + r) = a g(n) + b n + d`, the value of a heap is found by
//! walking its digits in base c, least significant first, carrying an affine form. Two steps make one of base c^2
//! and the same kind, so a table of the steps for a block of digits takes several at once: 27 binary digits are
//! three steps. The alternative, following the clauses one by one, costs a solved pattern and an evaluation for
//! each digit; it remains the meaning, and the tests compare.

use grundy_rule::expr::Int;

use super::{Clause, Law, pattern};

/// `g(c n + r) = a g(n) + b n + d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) a: i64,
    pub(super) b: i64,
    pub(super) d: i64,
}

impl Step {
    /// `a value + b rest + d`
    fn apply(&self, value: i64, rest: i64) -> Option<i64> {
        let here = self.b.checked_mul(rest)?.checked_add(self.d)?;
        self.a.checked_mul(value)?.checked_add(here)
    }
}

/// A law of this form, ready.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    /// The base, from 2 to 64.
    pub(super) base: u64,
    /// One step for each residue.
    pub(super) steps: Vec<Step>,
    /// `base` to the number of digits in a block, at most 1024.
    block: u64,
    /// One step for each residue modulo `block`.
    blocks: Vec<Step>,
    /// The values of the first heaps; `steps` decide from the end of this list on, or before.
    small: Vec<i64>,
    /// From here on `blocks` decide.
    blocks_from: u64,
    /// The binary logarithm of `block`, if it is a power of two: a shift is several times a division.
    shift: Option<u32>,
}

/// Most values kept in `small`.
const SMALL: u64 = 4096;

/// Most entries of the table of blocks: 24 kilobytes stay in the nearest cache.
const BLOCK: u64 = 1024;

impl Digits {
    pub(super) fn of(law: &Law) -> Option<Digits> {
        let base = law.clauses.iter().find_map(|clause| match clause {
            Clause::Equation(e) if !e.intervals.is_empty() => {
                e.pattern.affine()?.coefficients.first().copied()
            }
            _ => None,
        })?;
        let base = u64::try_from(base).ok().filter(|b| (2..=64).contains(b))?;
        let mut steps = vec![None; usize::try_from(base).ok()?];
        // Heaps below this may be spoken about by other clauses.
        let mut from: Int = 0;
        for clause in &law.clauses {
            match clause {
                Clause::Values { start, values } => {
                    from = from.max(start.checked_add(values.len().try_into().ok()?)?)
                }
                Clause::Equation(e) => {
                    let left = e.pattern.affine()?;
                    if e.intervals.is_empty() {
                        from = from.max(left.constant.checked_add(1)?);
                        continue;
                    }
                    let [c] = left.coefficients[..] else { return None };
                    if c != Int::from(base) || !pattern::only_from(&e.cond, &law.params) {
                        return None;
                    }
                    // c x + k is the heap c y + r with y = x + j.
                    let (j, r) = (left.constant.div_euclid(c), left.constant.rem_euclid(c));
                    let slot = &mut steps[usize::try_from(r).ok()?];
                    if slot.is_some() {
                        continue;
                    }
                    let form = e.form.as_ref()?;
                    let a = match &form.terms[..] {
                        [] => 0,
                        [(a, argument)] if argument.coefficients == [1] && argument.constant == j => *a,
                        _ => return None,
                    };
                    let b = form.rest.coefficients[0];
                    let d = form.rest.constant.checked_sub(b.checked_mul(j)?)?;
                    *slot =
                        Some(Step { a: a.try_into().ok()?, b: b.try_into().ok()?, d: d.try_into().ok()? });
                    from = from.max(c.checked_mul(e.intervals[0].lo.max(0))?.checked_add(left.constant)?);
                }
                _ => return None,
            }
        }
        let steps: Vec<Step> = steps.into_iter().collect::<Option<_>>()?;
        // The step from heap 0 with digit 0 would lead to itself.
        let from = u64::try_from(from.max(1)).ok().filter(|from| *from <= SMALL)?;
        let mut small = Vec::new();
        for heap in 0..from {
            small.push(i64::try_from(law.by_clauses(Int::from(heap)).ok()?).ok()?);
        }
        let (mut block, mut blocks, mut blocks_from) = (base, steps.clone(), from);
        while block * base <= BLOCK {
            let Some(longer) = extend(&steps, &blocks, base, block) else { break };
            blocks_from = blocks_from.checked_mul(base)?;
            (block, blocks) = (block * base, longer);
        }
        // All heaps that the blocks do not reach, so that they end in a table and not in single digits.
        for heap in from..blocks_from.min(SMALL) {
            let (rest, digit) = (heap / base, heap % base);
            let (Some(step), Some(value)) =
                (steps.get(usize::try_from(digit).ok()?), small.get(usize::try_from(rest).ok()?))
            else {
                break;
            };
            let said = i64::try_from(rest).ok().and_then(|rest| step.apply(*value, rest));
            let Some(said) = said else { break };
            small.push(said);
        }
        let shift = block.is_power_of_two().then(|| block.trailing_zeros());
        Some(Digits { base, steps, block, blocks, small, blocks_from, shift })
    }

    /// The values of the heaps that the steps do not reach.
    pub(super) fn small(&self) -> &[i64] {
        &self.small
    }

    /// The value of `n`, unless something passes 64 bits on the way.
    pub(super) fn at(&self, n: Int) -> Option<Int> {
        self.long(u64::try_from(n).ok()?).map(Int::from)
    }

    /// The value of `n`, unless something passes 64 bits on the way.
    pub(super) fn long(&self, mut n: u64) -> Option<i64> {
        // g of the heap asked for is `factor * g(n) + sum`.
        let (mut factor, mut sum) = (1_i64, 0_i64);
        let mut apply = |step: &Step, rest: u64| {
            let rest = i64::try_from(rest).ok()?;
            let here = step.b.checked_mul(rest)?.checked_add(step.d)?;
            sum = sum.checked_add(factor.checked_mul(here)?)?;
            factor = factor.checked_mul(step.a)?;
            Some(())
        };
        while n >= self.blocks_from {
            let (rest, digits) = match self.shift {
                Some(shift) => (n >> shift, n & (self.block - 1)),
                None => (n / self.block, n % self.block),
            };
            apply(self.blocks.get(usize::try_from(digits).ok()?)?, rest)?;
            n = rest;
        }
        let mut small = self.small.get(usize::try_from(n).ok()?);
        while small.is_none() {
            apply(self.steps.get(usize::try_from(n % self.base).ok()?)?, n / self.base)?;
            n /= self.base;
            small = self.small.get(usize::try_from(n).ok()?);
        }
        factor.checked_mul(*small?)?.checked_add(sum)
    }
}

/// The steps of one more digit, which comes in above the others.
fn extend(steps: &[Step], blocks: &[Step], base: u64, block: u64) -> Option<Vec<Step>> {
    let block = i64::try_from(block).ok()?;
    let mut longer = Vec::with_capacity(steps.len() * blocks.len());
    for (digit, high) in (0_i64..).zip(steps) {
        for low in blocks {
            // n = block * m + rest with m = base * x + digit: a g(m) + b m + d, and g(m) by `high`.
            let base = i64::try_from(base).ok()?;
            longer.push(Step {
                a: low.a.checked_mul(high.a)?,
                b: low.a.checked_mul(high.b)?.checked_add(low.b.checked_mul(base)?)?,
                d: low.a.checked_mul(high.d)?.checked_add(low.b.checked_mul(digit)?)?.checked_add(low.d)?,
            });
        }
    }
    debug_assert_eq!(i64::try_from(longer.len()).ok(), block.checked_mul(i64::try_from(base).ok()?));
    Some(longer)
}
