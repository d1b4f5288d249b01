//! Interval propagation: what the atoms of a branch leave of the range of every entry and variable.
//!
//! The atoms are flattened once into arrays of nodes, children before parents. Narrowing an atom is one pass
//! up (the interval of every node from those of its children) and one pass down (what the relation leaves of
//! a node narrows its children); this is the HC4 scheme of interval constraint solving (Benhamou, Goualard,
//! Granvilliers and Puget, ICLP 1999). Down-narrowing goes through `+ - * // ceil ^ min max abs sqrt bitor`;
//! whatever stands below another function is bounded only by what else is said about it.
//!
//! Pruning may only drop assignments for which an atom is false or has no value.

mod narrow;

use super::facts::Facts;
use super::interval::Interval;
use crate::expr::{Atom, AtomKind, Expr, Func, NamedSet, Op, ParamId, RelOp, Set, Slot};
use narrow::Pass;

/// How often all atoms are gone through before a slow descent is broken off.
const ROUNDS: usize = 40;

type NodeId = usize;

#[derive(Clone, Debug)]
enum Node {
    Known(Interval),
    Slot(Slot),
    Item(ParamId, NodeId),
    Neg(NodeId),
    Binary(Op, NodeId, NodeId),
    /// The children are `kids[start..end]`.
    Call(Func, usize, usize),
}

#[derive(Clone, Debug)]
enum Shape {
    Rel(NodeId, RelOp, NodeId),
    List(NodeId, bool, Vec<NodeId>),
    Range(NodeId, bool, NodeId, Option<NodeId>),
    Named(NodeId, bool, NamedSet, Vec<NodeId>),
    Param(NodeId, bool, ParamId),
    Pair(NodeId, NodeId, bool, ParamId),
    Divides(NodeId, bool, NodeId),
}

#[derive(Clone, Debug)]
struct FlatAtom {
    shape: Shape,
    /// Its nodes.
    start: NodeId,
    end: NodeId,
    /// The slots it mentions, as bits; slots from 63 on share the last bit.
    slots: u64,
}

/// The bit of a slot.
pub(crate) fn slot_bit(slot: Slot) -> u64 {
    1 << slot.min(63)
}

/// The flattened atoms of a branch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Propagator {
    nodes: Vec<Node>,
    kids: Vec<NodeId>,
    atoms: Vec<FlatAtom>,
}

/// A branch in which some atom cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Empty;

type Narrowed = Result<(), Empty>;

impl Propagator {
    /// Flattens the atoms.
    pub(crate) fn new(atoms: &[Atom], facts: &Facts) -> Propagator {
        let mut flat = Propagator::default();
        for atom in atoms {
            let start = flat.nodes.len();
            let shape = flat.shape(&atom.kind, facts);
            let end = flat.nodes.len();
            let slots = flat.nodes[start..end].iter().fold(0, |bits, node| match node {
                Node::Slot(slot) => bits | slot_bit(*slot),
                _ => bits,
            });
            flat.atoms.push(FlatAtom { shape, start, end, slots });
        }
        flat
    }

    fn shape(&mut self, kind: &AtomKind, facts: &Facts) -> Shape {
        match kind {
            AtomKind::Rel(a, op, b) => {
                let (a, b) = (self.flatten(a, facts), self.flatten(b, facts));
                Shape::Rel(a, *op, b)
            }
            AtomKind::In(x, negated, set) => {
                let x = self.flatten(x, facts);
                match set {
                    Set::List(all) => Shape::List(x, *negated, self.flatten_all(all, facts)),
                    Set::Range(lo, hi) => {
                        let lo = self.flatten(lo, facts);
                        let hi = hi.as_ref().map(|hi| self.flatten(hi, facts));
                        Shape::Range(x, *negated, lo, hi)
                    }
                    Set::Named(name, args) => Shape::Named(x, *negated, *name, self.flatten_all(args, facts)),
                    Set::Param(id) => Shape::Param(x, *negated, *id),
                }
            }
            AtomKind::PairIn(a, b, negated, id) => {
                let (a, b) = (self.flatten(a, facts), self.flatten(b, facts));
                Shape::Pair(a, b, *negated, *id)
            }
            AtomKind::Divides(a, negated, b) => {
                let (a, b) = (self.flatten(a, facts), self.flatten(b, facts));
                Shape::Divides(a, *negated, b)
            }
        }
    }

    fn flatten_all(&mut self, all: &[Expr], facts: &Facts) -> Vec<NodeId> {
        all.iter().map(|e| self.flatten(e, facts)).collect()
    }

    fn flatten(&mut self, expr: &Expr, facts: &Facts) -> NodeId {
        let node = match expr {
            Expr::Const(x) => Node::Known(Interval::point(*x)),
            Expr::Slot(slot) => Node::Slot(*slot),
            Expr::Param(id) => Node::Known(facts.get(*id).map_or(Interval::FINITE, |f| f.number)),
            Expr::Len(id) => Node::Known(facts.get(*id).map_or(Interval::FINITE, |f| f.len)),
            Expr::Item(id, index) => Node::Item(*id, self.flatten(index, facts)),
            Expr::Neg(a) => Node::Neg(self.flatten(a, facts)),
            // A square says more about its root than a product about a factor.
            Expr::Binary(Op::Mul, a, b) if a == b => {
                let a = self.flatten(a, facts);
                self.nodes.push(Node::Known(Interval::point(2)));
                Node::Binary(Op::Pow, a, self.nodes.len() - 1)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.flatten(a, facts), self.flatten(b, facts));
                Node::Binary(*op, a, b)
            }
            Expr::Call(func, args) => {
                let kids = self.flatten_all(args, facts);
                let start = self.kids.len();
                self.kids.extend(kids);
                Node::Call(*func, start, self.kids.len())
            }
            // A rule holds no g(..).
            Expr::Grundy(_) => Node::Known(Interval::FINITE),
        };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Narrows `ranges` (one interval a slot) until nothing changes, at most [`ROUNDS`] times; `changed` says
    /// which slots are new since the last time (all bits: everything).
    pub(crate) fn narrow(
        &self,
        facts: &Facts,
        ranges: &mut [Interval],
        work: &mut Vec<Interval>,
        changed: u64,
    ) -> Narrowed {
        work.resize(self.nodes.len(), Interval::ALL);
        let mut pass = Pass { flat: self, facts, ranges, work, changed: 0 };
        let mut before = changed;
        for _ in 0..ROUNDS {
            pass.changed = 0;
            for atom in &self.atoms {
                // Atoms without names are looked at once.
                if atom.slots & (before | pass.changed) != 0 || before == u64::MAX {
                    pass.atom(atom)?;
                }
            }
            if pass.changed == 0 {
                break;
            }
            before = pass.changed;
        }
        Ok(())
    }
}

/// The hull of an expression over these ranges.
pub(crate) fn hull(e: &Expr, facts: &Facts, ranges: &[Interval]) -> Interval {
    let mut flat = Propagator::default();
    let root = flat.flatten(e, facts);
    let mut ranges = ranges.to_vec();
    let mut work = vec![Interval::ALL; flat.nodes.len()];
    let pass = Pass { flat: &flat, facts, ranges: &mut ranges, work: &mut work, changed: 0 };
    for id in 0..flat.nodes.len() {
        let up = pass.up(id);
        pass.work[id] = up;
    }
    pass.work[root]
}
