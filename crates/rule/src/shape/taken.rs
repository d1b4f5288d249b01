//! Conditions on the number taken alone, made ready to be asked of many numbers.
//!
//! A set of thousands of numbers, or as many `t != c` one after the other, are asked about for every one of the numbers.
//! Going through them each time is quadratic; so constants are sorted once, and found by halving.

use crate::expr::{AtomKind, Expr, Int, RelOp, Set};
use crate::rule::Param;

/// A conjunction of conditions on slot 0.
pub(super) struct Taken<'a> {
    /// Numbers left out, ascending.
    left_out: Vec<Int>,
    /// Sets that hold it, each ascending.
    sets: Vec<Vec<Int>>,
    others: Vec<&'a AtomKind>,
    params: &'a [Param],
}

impl<'a> Taken<'a> {
    pub(super) fn new(atoms: &'a [AtomKind], params: &'a [Param]) -> Taken<'a> {
        let mut taken = Taken { left_out: Vec::new(), sets: Vec::new(), others: Vec::new(), params };
        for atom in atoms {
            match atom {
                AtomKind::Rel(Expr::Slot(0), RelOp::Ne, Expr::Const(c)) => taken.left_out.push(*c),
                AtomKind::In(Expr::Slot(0), negated, Set::List(list)) => match constants(list) {
                    Some(all) if *negated => taken.left_out.extend(all),
                    Some(mut all) => {
                        all.sort_unstable();
                        taken.sets.push(all);
                    }
                    None => taken.others.push(atom),
                },
                _ => taken.others.push(atom),
            }
        }
        taken.left_out.sort_unstable();
        taken
    }

    /// Whether all hold of `t`; `None` if one has no value.
    pub(super) fn allows(&self, t: Int) -> Option<bool> {
        // Constants always have a value: what may have none comes first, so that no order hides it.
        for atom in &self.others {
            if !atom.eval(&[t], self.params).ok()? {
                return Some(false);
            }
        }
        let out = self.left_out.binary_search(&t).is_ok();
        Some(!out && self.sets.iter().all(|set| set.binary_search(&t).is_ok()))
    }
}

fn constants(list: &[Expr]) -> Option<Vec<Int>> {
    let constant = |expr: &Expr| match expr {
        Expr::Const(c) => Some(*c),
        _ => None,
    };
    list.iter().map(constant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_constants_say_what_the_atoms_say() {
        let t = || Expr::Slot(0);
        let list = |all: &[Int]| Set::List(all.iter().map(|c| Expr::Const(*c)).collect());
        let atoms = [
            AtomKind::In(t(), false, list(&[9, 2, 5, 7, 5])),
            AtomKind::Rel(t(), RelOp::Ne, Expr::Const(7)),
            AtomKind::In(t(), true, list(&[3, 2])),
            AtomKind::Rel(t(), RelOp::Le, Expr::Const(8)),
        ];
        let taken = Taken::new(&atoms, &[]);
        for n in -1..12 {
            let plain = atoms.iter().all(|atom| atom.eval(&[n], &[]) == Ok(true));
            assert_eq!(taken.allows(n), Some(plain), "{n}");
        }
        assert_eq!((0..12).filter(|n| taken.allows(*n) == Some(true)).collect::<Vec<_>>(), [5]);
    }
}
