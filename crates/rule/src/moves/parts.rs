//! What a move leaves, compiled: the entries of each heap, lists, multiplicities.
//!
//! A move counts only if every entry is a natural number, so the parts are gone through twice: [`Parts::natural`]
//! looks, [`Parts::each`] hands out. A list whose body does not mention its `for` name is a multiplicity and is
//! never unrolled; a list whose entries are sums and differences of names is looked at in its two ends only. What is
//! unrolled is counted: an option of very many heaps is an error before it fills the memory.

use super::code::{self, Number};
use super::fold;
use crate::bounds::facts::Facts;
use crate::expr::{EvalError, Expr, Int, Op, Set, Slot};
use crate::heap::KindId;
use crate::rule::{Param, Part};

/// An entry of a heap left.
enum Entry {
    Const(Int),
    Slot(Slot),
    /// Sum of `plus` less sum of `minus`, plus the constant.
    Sum {
        plus: Vec<Slot>,
        minus: Vec<Slot>,
        constant: Int,
    },
    Code(Number),
}

impl Entry {
    #[inline]
    fn value(&self, frame: &[Int]) -> Option<Int> {
        match self {
            Entry::Const(x) => Some(*x),
            Entry::Slot(slot) => frame.get(*slot).copied(),
            Entry::Sum { plus, minus, constant } => {
                let mut sum = *constant;
                for &slot in plus {
                    sum = sum.checked_add(*frame.get(slot)?)?;
                }
                for &slot in minus {
                    sum = sum.checked_sub(*frame.get(slot)?)?;
                }
                Some(sum)
            }
            Entry::Code(code) => code(frame),
        }
    }

    fn new(e: &Expr, facts: &Facts) -> Entry {
        let (mut plus, mut minus, mut constant) = (Vec::new(), Vec::new(), 0);
        if unit_sum(e, false, &mut plus, &mut minus, &mut constant).is_none() || plus.len() + minus.len() > 8
        {
            return Entry::Code(code::number(e, facts));
        }
        match (plus.as_slice(), minus.as_slice(), constant) {
            ([], [], x) => Entry::Const(x),
            ([slot], [], 0) => Entry::Slot(*slot),
            _ => Entry::Sum { plus, minus, constant },
        }
    }
}

/// Splits sums and differences of names.
fn unit_sum(
    e: &Expr,
    negative: bool,
    plus: &mut Vec<Slot>,
    minus: &mut Vec<Slot>,
    constant: &mut Int,
) -> Option<()> {
    match e {
        Expr::Const(x) => {
            *constant = if negative { constant.checked_sub(*x)? } else { constant.checked_add(*x)? };
        }
        Expr::Slot(slot) => if negative { &mut *minus } else { &mut *plus }.push(*slot),
        Expr::Neg(a) => unit_sum(a, !negative, plus, minus, constant)?,
        Expr::Binary(Op::Add, a, b) => {
            unit_sum(a, negative, plus, minus, constant)?;
            unit_sum(b, negative, plus, minus, constant)?;
        }
        Expr::Binary(Op::Sub, a, b) => {
            unit_sum(a, negative, plus, minus, constant)?;
            unit_sum(b, !negative, plus, minus, constant)?;
        }
        _ => return None,
    }
    Some(())
}

enum Code {
    Heap {
        kind: KindId,
        entries: Vec<Entry>,
        source: Vec<Expr>,
    },
    List {
        body: Vec<Code>,
        slot: Slot,
        set: Set,
        unrolled: bool,
        /// The body holds only heaps whose entries are sums and differences of names.
        even: bool,
    },
}

/// The compiled parts of an alternative.
pub(crate) struct Parts {
    codes: Vec<Code>,
    /// Entries of heaps outside lists: looked at first, because that is cheap and often decides.
    fixed: Vec<(Entry, Expr)>,
    /// No lists.
    flat: bool,
    /// If all parts are heaps of one entry: these once more, close together.
    singles: Vec<(KindId, Entry)>,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").field("parts", &self.codes.len()).field("flat", &self.flat).finish()
    }
}

/// The most heaps to which the lists of one option are unrolled.
const MOST_UNROLLED: u64 = 1 << 22;

/// Working memory for entries.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    values: Vec<Int>,
    /// Members of lists gone through so far.
    unrolled: u64,
}

impl Parts {
    /// Compiles the parts.
    pub(crate) fn new(parts: &[Part], params: &[Param], facts: &Facts) -> Parts {
        let mut fixed = Vec::new();
        let codes = compile(parts, params, facts, &mut fixed);
        let flat = codes.iter().all(|c| matches!(c, Code::Heap { .. }));
        let one = |code: &Code| match code {
            Code::Heap { kind, source, .. } => match source.as_slice() {
                [e] => Some((*kind, Entry::new(e, facts))),
                _ => None,
            },
            Code::List { .. } => None,
        };
        let singles = codes.iter().map(one).collect::<Option<Vec<_>>>().unwrap_or_default();
        Parts { codes, fixed, flat, singles }
    }

    /// Whether there are no lists.
    pub(crate) fn is_flat(&self) -> bool {
        self.flat
    }

    /// Whether all entries are naturals.
    pub(crate) fn natural(&self, frame: &mut [Int], params: &[Param]) -> Result<bool, EvalError> {
        for (entry, source) in &self.fixed {
            if value(entry, source, frame, params)? < 0 {
                return Ok(false);
            }
        }
        if self.flat {
            return Ok(true);
        }
        let mut entries = Entries::default();
        let mut all = true;
        let mut look = |_: KindId, entries: &[Int], _: u128| {
            all &= entries.iter().all(|&x| x >= 0);
            all
        };
        walk(&self.codes, frame, params, 1, true, &mut entries, &mut look)?;
        Ok(all)
    }

    /// Hands out the heaps of parts without lists; `None`: an entry has no value, [`Parts::each`] says why.
    #[inline(always)]
    pub(crate) fn each_flat(&self, frame: &[Int], out: &mut impl FnMut(KindId, &[Int])) -> Option<()> {
        for (kind, entry) in &self.singles {
            out(*kind, &[entry.value(frame)?]);
        }
        if self.singles.len() == self.codes.len() {
            return Some(());
        }
        for code in &self.codes {
            let Code::Heap { kind, entries, .. } = code else { return None };
            match entries.as_slice() {
                [a, b] => out(*kind, &[a.value(frame)?, b.value(frame)?]),
                [a, b, c] => out(*kind, &[a.value(frame)?, b.value(frame)?, c.value(frame)?]),
                more => out(*kind, &more.iter().map(|e| e.value(frame)).collect::<Option<Vec<_>>>()?),
            }
        }
        Some(())
    }

    /// Hands out every heap with its count, until `out` says `false`. The parts are natural.
    pub(crate) fn each(
        &self,
        frame: &mut [Int],
        params: &[Param],
        entries: &mut Entries,
        out: &mut impl FnMut(KindId, &[Int], u128) -> bool,
    ) -> Result<(), EvalError> {
        entries.unrolled = 0;
        walk(&self.codes, frame, params, 1, false, entries, out).map(|_| ())
    }
}

fn compile(parts: &[Part], params: &[Param], facts: &Facts, fixed: &mut Vec<(Entry, Expr)>) -> Vec<Code> {
    let mut codes = Vec::with_capacity(parts.len());
    for part in parts {
        codes.push(match part {
            Part::Heap(heap) => {
                let source: Vec<Expr> = heap.entries.iter().map(|e| fold::expr(e, params)).collect();
                fixed.extend(source.iter().map(|e| (Entry::new(e, facts), e.clone())));
                let entries = source.iter().map(|e| Entry::new(e, facts)).collect();
                Code::Heap { kind: heap.kind, entries, source }
            }
            Part::List { parts, slot, set, unrolled, .. } => {
                // A list may be empty, and then its entries are none.
                let body = compile(parts, params, facts, &mut Vec::new());
                let even = body.iter().all(|code| match code {
                    Code::Heap { entries, .. } => !entries.iter().any(|e| matches!(e, Entry::Code(_))),
                    Code::List { .. } => false,
                });
                Code::List { body, slot: *slot, set: fold::set(set, params), unrolled: *unrolled, even }
            }
        });
    }
    codes
}

fn value(entry: &Entry, source: &Expr, frame: &[Int], params: &[Param]) -> Result<Int, EvalError> {
    entry.value(frame).map_or_else(|| source.eval(frame, params), Ok)
}

/// Goes through the parts, nested lists by recursion (the parser limits how deep they nest). With `ends`, lists
/// that allow it are entered for their first and last `for` value only, and multiplicities not at all.
fn walk(
    codes: &[Code],
    frame: &mut [Int],
    params: &[Param],
    count: u128,
    ends: bool,
    entries: &mut Entries,
    out: &mut impl FnMut(KindId, &[Int], u128) -> bool,
) -> Result<bool, EvalError> {
    for code in codes {
        match code {
            Code::Heap { kind, entries: compiled, source } => {
                entries.values.clear();
                for (entry, source) in compiled.iter().zip(source) {
                    entries.values.push(value(entry, source, frame, params)?);
                }
                if !out(*kind, &entries.values, count) {
                    return Ok(false);
                }
            }
            Code::List { body, slot, set, unrolled, even } => {
                let mut members = set.members(frame, params)?;
                let size = members.count_left();
                if !*unrolled {
                    let size = size.ok_or_else(|| EvalError::domain("a list without an end"))?;
                    let count =
                        count.checked_mul(size).ok_or_else(|| EvalError::overflow("the number of heaps"))?;
                    if count > 0 && !walk(body, frame, params, count, ends, entries, out)? {
                        return Ok(false);
                    }
                    continue;
                }
                if size.is_none() {
                    return Err(EvalError::domain("a list without an end"));
                }
                if ends
                    && *even
                    && let Some(last) = members.last_left()
                {
                    let first = members.next();
                    members = crate::eval::Members::listed(first.into_iter().chain([last]).collect());
                }
                for member in members {
                    entries.unrolled += 1;
                    if entries.unrolled > MOST_UNROLLED {
                        return Err(EvalError::too_many(format!(
                            "a move leaves more than {MOST_UNROLLED} heaps one by one"
                        )));
                    }
                    if let Some(place) = frame.get_mut(*slot) {
                        *place = member;
                    }
                    if !walk(body, frame, params, count, ends, entries, out)? {
                        return Ok(false);
                    }
                }
            }
        }
    }
    Ok(true)
}
