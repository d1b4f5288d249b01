//! Laws about heaps of several entries: `g(a, b) = a xor b`, and `(a, b) for cond` of the lost ones.
//!
//! A clause is a pattern of names and numbers, one for each entry, with a condition; the first clause that speaks about
//! a heap decides. Values are expressions in the entries and ask about no other heap, so a heap of any size is answered
//! by one evaluation of each clause: what a recurrence over tuples would need (which of the many smaller tuples are met?)
//! is left to whoever finds a game whose law is one.

use grundy_rule::expr::{Cond, Expr, Int};
use grundy_rule::law_text::Subject;
use grundy_rule::rule::Param;

use super::{Clause, Law};
use crate::error::Error;
use crate::nimber::Nimber;

/// A clause about tuples.
#[derive(Clone, Debug)]
pub(super) struct Tuple {
    /// Slots and constants.
    entries: Vec<Expr>,
    /// How many names there are.
    names: usize,
    /// `None`: these heaps are lost.
    value: Option<Expr>,
    cond: Cond,
    /// The clause as written, for messages.
    shown: String,
}

impl Tuple {
    pub(super) fn new(
        (entries, value, cond, names): (&[Expr], Option<&Expr>, &Cond, usize),
        written: &str,
    ) -> Tuple {
        let (entries, value, cond) = (entries.to_vec(), value.cloned(), cond.clone());
        Tuple { entries, names, value, cond, shown: written.to_string() }
    }

    /// What the names are for this heap; `None` if the clause does not speak about it.
    fn names(&self, heap: &[Int], params: &[Param]) -> Result<Option<Vec<Int>>, Error> {
        let mut names: Vec<Option<Int>> = vec![None; self.names];
        for (pattern, entry) in self.entries.iter().zip(heap) {
            let fits = match pattern {
                Expr::Slot(slot) => {
                    names.get_mut(*slot).is_some_and(|name| *name.get_or_insert(*entry) == *entry)
                }
                Expr::Const(number) => number == entry,
                _ => false,
            };
            if !fits {
                return Ok(None);
            }
        }
        // Every name of a clause is an entry.
        let Some(names) = names.into_iter().collect::<Option<Vec<Int>>>() else { return Ok(None) };
        let holds = self
            .cond
            .eval(&names, params)
            .map_err(|error| Error::new(error.id, format!("`{}` at {}: {error}", self.shown, shown(heap))))?;
        Ok(holds.then_some(names))
    }

    /// What the clause says about the heap: nothing, its value, or (0) that it is lost.
    fn value(&self, heap: &[Int], params: &[Param]) -> Result<Option<Int>, Error> {
        let Some(names) = self.names(heap, params)? else { return Ok(None) };
        let Some(value) = &self.value else { return Ok(Some(0)) };
        let value = value.eval(&names, params);
        value
            .map(Some)
            .map_err(|error| Error::new(error.id, format!("`{}` at {}: {error}", self.shown, shown(heap))))
    }
}

/// The heap as it is typed.
fn shown(heap: &[Int]) -> String {
    let entries: Vec<String> = heap.iter().map(ToString::to_string).collect();
    format!("({})", entries.join(", "))
}

impl Law {
    /// How many entries the heaps have that the law speaks about.
    ///
    /// ```
    /// # use grundy::law::Law;
    /// assert_eq!(Law::parse("g(a, b) = a xor b", &[]).unwrap().arity(), 2);
    /// ```
    #[must_use]
    pub fn arity(&self) -> usize {
        self.text.arity()
    }

    /// Refuses heaps with another number of entries than those of the law.
    pub(super) fn needs_arity(&self, arity: usize) -> Result<(), Error> {
        let of = |count: usize| if count == 1 { "one entry".to_string() } else { format!("{count} entries") };
        if self.arity() == arity {
            return Ok(());
        }
        let message = format!("the law speaks about heaps of {}, not of {}", of(self.arity()), of(arity));
        Err(Error::new("law-arity", message))
    }

    /// The value of a heap of any number of entries.
    ///
    /// A law about zeros gives the value 0 of lost heaps only.
    ///
    /// # Errors
    /// As [`Law::value`]; `law-arity` if the law speaks about heaps of another number of entries.
    ///
    /// ```
    /// # use grundy::law::Law;
    /// let euclid = "g(a, 0) = 0\ng(0, b) = 0\ng(a, b) = floor(abs(a^2 - b^2)/(a*b))";
    /// let euclid = Law::parse(euclid, &[]).unwrap();
    /// assert_eq!(euclid.value_of(&[7, 3]).unwrap(), 1);
    /// assert_eq!(euclid.value_of(&[0, 3]).unwrap(), 0);
    /// ```
    pub fn value_of(&self, heap: &[u128]) -> Result<Nimber, Error> {
        if let [n] = heap {
            return self.value(*n);
        }
        self.needs_arity(heap.len())?;
        let entries: Vec<Int> = heap
            .iter()
            .map(|entry| Int::try_from(*entry))
            .collect::<Result<_, _>>()
            .map_err(|_| Error::new("overflow", "a law speaks about heaps below 2^127"))?;
        for clause in &self.clauses {
            let value = match clause {
                Clause::Tuple(tuple) => tuple.value(&entries, &self.params)?,
                Clause::Pair(pair) => match heap {
                    [a, b] => self.is_lost_pair(pair, *a, *b)?.then_some(0),
                    _ => None,
                },
                Clause::Pairs(pairs) => pairs.value_of(heap),
                _ => None,
            };
            if let Some(value) = value {
                return u128::try_from(value).map_err(|_| {
                    Error::new("law-negative", format!("the law gives {value} for heap {}", shown(&entries)))
                });
            }
        }
        Err(match self.speaks_of() {
            Subject::Nimbers => {
                Error::new("law-silent", format!("no clause of the law speaks about {}", shown(&entries)))
            }
            Subject::Zeros => Error::new(
                "law-outcome",
                format!(
                    "the law tells who wins, not nimbers: heap {} is won, of whatever nimber",
                    shown(&entries)
                ),
            ),
        })
    }

    /// Whether a heap of any number of entries is lost for who must move.
    ///
    /// # Errors
    /// As [`Law::value_of`], but never `law-outcome`.
    ///
    /// ```
    /// # use grundy::law::Law;
    /// let euclid = Law::parse("zeros\n(a, b) for max(a, b)^2 < min(a, b)^2 + a*b", &[]).unwrap();
    /// assert!(euclid.is_lost(&[13, 21]).unwrap() && !euclid.is_lost(&[12, 21]).unwrap());
    /// ```
    pub fn is_lost(&self, heap: &[u128]) -> Result<bool, Error> {
        match self.value_of(heap) {
            Ok(value) => Ok(value == 0),
            Err(error) if error.id() == "law-outcome" => Ok(false),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(text: &str) -> Law {
        Law::parse(text, &[]).unwrap()
    }

    #[test]
    fn the_first_clause_that_speaks_about_a_tuple_decides() {
        let law = law("g(a, 0) = a mod 3\ng(0, b) = b mod 2\ng(a, a) = 7\ng(a, b) = a xor b for a < b");
        let value = |a, b| law.value_of(&[a, b]);
        assert_eq!(value(5, 0).unwrap(), 2);
        assert_eq!(value(0, 5).unwrap(), 1);
        assert_eq!(value(4, 4).unwrap(), 7);
        assert_eq!(value(10_u128.pow(18), 10_u128.pow(18) + 1).unwrap(), 1);
        assert_eq!(value(5, 4).unwrap_err().id(), "law-silent");
        assert_eq!(value(1 << 127, 0).unwrap_err().id(), "overflow");
    }

    #[test]
    fn an_automaton_reads_all_entries() {
        let xor = "automaton base 2 entries 3 {
            0*: 0 0 0/0 to 0, 1 1 0/0 to 0, 1 0 1/0 to 0, 0 1 1/0 to 0, 1 0 0/1 to 0, 0 1 0/1 to 0, 0 0 1/1 to 0, 1 1 1/1 to 0
        }";
        let xor = law(xor);
        assert_eq!(xor.arity(), 3);
        for (a, b, c) in [(0, 0, 0), (5, 6, 7), (10_u128.pow(30), 3, 10_u128.pow(18))] {
            assert_eq!(xor.value_of(&[a, b, c]).unwrap(), a ^ b ^ c);
        }
        assert_eq!(xor.value(3).unwrap_err().id(), "law-arity");
        assert_eq!(law(&xor.to_string()).to_string(), xor.to_string());
        let gap = law("automaton base 2 entries 2 { 0*: 0 0/0 to 0, 1 0/1 to 0 }");
        assert_eq!(gap.value_of(&[1, 1]).unwrap_err().id(), "law-silent");
    }

    #[test]
    fn a_law_is_asked_about_heaps_with_its_number_of_entries() {
        let two = law("g(a, b) = a - b");
        assert_eq!(two.value(3).unwrap_err().id(), "law-arity");
        assert_eq!(two.value_of(&[3]).unwrap_err().id(), "law-arity");
        assert_eq!(two.value_of(&[3, 2, 1]).unwrap_err().id(), "law-arity");
        assert_eq!(two.value_of(&[2, 3]).unwrap_err().id(), "law-negative");
        assert_eq!(law("g(n) = n").value_of(&[3, 4]).unwrap_err().id(), "law-arity");
        assert_eq!(law("g(n) = n").value_of(&[3]).unwrap(), 3);
        assert_eq!(law("g(a, b) = a // b").value_of(&[3, 0]).unwrap_err().id(), "division");
    }

    #[test]
    fn lost_tuples() {
        let euclid =
            law("zeros\n(a, 0) for a >= 0\n(0, b) for b >= 1\n(a, b) for max(a, b)^2 < min(a, b)^2 + a*b");
        for (heap, lost) in [([0, 0], true), ([0, 9], true), ([5, 8], true), ([8, 5], true), ([8, 13], false)]
        {
            assert_eq!(euclid.is_lost(&heap).unwrap(), lost, "{heap:?}");
        }
        assert_eq!(euclid.value_of(&[1, 2]).unwrap_err().id(), "law-outcome");
        let wythoff = law("zeros\nz(i) = (floor((i + sqrt(5*i^2))/2), floor((3*i + sqrt(5*i^2))/2))");
        assert!(wythoff.is_lost(&[7, 4]).unwrap() && !wythoff.is_lost(&[7, 5]).unwrap());
        assert_eq!(wythoff.value(3).unwrap_err().id(), "law-arity");
        assert!(euclid.latex().contains("lost heaps are\n"), "{}", euclid.latex());
    }
}
