//! Loopy nimbers: which nodes of a graph with loops have a nimber all the same, and what the others are in sums.
//!
//! A token on a graph may go round for ever, and then nobody wins. Yet sums of such games can be settled (Smith,
//! "Graphs and composite games", J. Combin. Theory 1, 1966; Fraenkel and Perl 1975; Winning Ways ch. 12). A node has the
//! nimber m if m is the least number that no option has, *and* every option without a nimber can be answered by a move to a
//! node of nimber m: whoever moves away from m by such an option gains nothing. Nodes that get no nimber in this way are
//! *infinity(K)*, K the nimbers of their options. In a sum nimbers add as ever, and
//!
//! * infinity(K) + n is infinity(K xor n): a win exactly if 0 is in the set, else a draw;
//! * infinity(K) + infinity(L) is a draw.
//!
//! So an infinity is never lost. The nimbers are found one after the other: whether a node has the nimber m depends on
//! lower nimbers and on m itself alone. For each m it is a retrograde analysis: a node whose options have all lower
//! nimbers, and of whose options each other one has been seen to lead to a node of nimber m, has nimber m; then all nodes
//! with an option of nimber m have been seen to. That is O(arcs) for each m, and only nodes that have all lower nimbers
//! among their options are looked at.
//!
//! Considered and dropped: to sweep over all nodes until no further label can be given (it is what the tests compare with),
//! and the counter functions of Fraenkel and Yesha, which tell the winner how to make progress; the distances of
//! [`retrograde`](super::retrograde) do that for a single token.

use super::Outcome;
use super::graph::Digraph;
use crate::error::Error;
use crate::limits::{Limits, reserve};
use crate::nimber::Nimber;

/// What a node is in a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopyNimber {
    /// A nimber.
    Nimber(u32),
    /// infinity(K): the nimbers of the options, ascending.
    Infinity(Vec<u32>),
}

impl std::fmt::Display for LoopyNimber {
    /// `3`, `infinity(0, 2)`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoopyNimber::Nimber(nimber) => nimber.fmt(f),
            LoopyNimber::Infinity(set) => {
                f.write_str("infinity(")?;
                for (i, nimber) in set.iter().enumerate() {
                    write!(f, "{}{nimber}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}

/// A graph with the nimbers of its nodes.
#[derive(Clone, Debug)]
pub struct Labelled<'g> {
    graph: &'g Digraph,
    nimbers: Vec<u32>,
}

/// Not a nimber.
const NONE: u32 = u32::MAX;

/// The clock is asked once in so many nodes.
const NODES: usize = 1 << 16;

impl<'g> Labelled<'g> {
    /// Finds the nimbers of all nodes.
    ///
    /// # Errors
    /// `graph` if an arc leads to a node that was never added; `time`, `memory`, `cancelled`.
    ///
    /// ```
    /// use grundy::limits::Limits;
    /// use grundy::search::{graph::Digraph, smith::{Labelled, LoopyNimber}};
    ///
    /// // 1 and 2 lead to one another, 1 also to 0, the end.
    /// let graph = Digraph::from_arcs(3, &[(1, 0), (1, 2), (2, 1)])?;
    /// let labelled = Labelled::new(&graph, &Limits::default())?;
    /// assert_eq!(labelled.at(0), LoopyNimber::Nimber(0));
    /// // From 2 there is only the move to 1, and it is answered by the move to 0.
    /// assert_eq!(labelled.at(2), LoopyNimber::Nimber(0));
    /// assert_eq!(labelled.at(1), LoopyNimber::Nimber(1));
    /// # Ok::<(), grundy::error::Error>(())
    /// ```
    pub fn new(graph: &'g Digraph, limits: &Limits) -> Result<Self, Error> {
        let clock = limits.clock();
        let nodes = graph.nodes();
        // The graph turned round, and for each node: nimber, arcs left, mark, place in the lists.
        let bytes = 2 * graph.bytes() + nodes * 5 * size_of::<u32>();
        clock.memory(u64::try_from(bytes).unwrap_or(u64::MAX))?;
        let before = graph.reversed()?.ok_or_else(super::retrograde::nowhere)?;
        let (mut nimbers, mut left, mut seen) = (Vec::new(), Vec::new(), Vec::new());
        let mut candidates: Vec<u32> = Vec::new();
        reserve(&mut nimbers, nodes)?;
        reserve(&mut left, nodes)?;
        reserve(&mut seen, nodes)?;
        reserve(&mut candidates, nodes)?;
        nimbers.resize(nodes, NONE);
        // Arcs to nodes that may still lead away from m; 0 for nodes that are no candidates.
        left.resize(nodes, 0_u32);
        // The greatest m, plus 1, that an option has.
        seen.resize(nodes, 0_u32);
        candidates.extend((0..).take(nodes));
        let mut queue: Vec<u32> = Vec::new();
        for m in 0.. {
            clock.check()?;
            for &node in &candidates {
                let unlabelled = graph.after(node).iter().filter(|to| nimbers[**to as usize] == NONE).count();
                left[node as usize] = u32::try_from(unlabelled).expect("a graph has fewer than 2^32 arcs");
                if unlabelled == 0 {
                    queue.push(node);
                }
            }
            for &node in &queue {
                nimbers[node as usize] = m;
            }
            let mut taken = 0;
            while let Some(&node) = queue.get(taken) {
                taken += 1;
                if taken.is_multiple_of(NODES) {
                    clock.check()?;
                }
                for &answered in before.after(node) {
                    if nimbers[answered as usize] != NONE || seen[answered as usize] == m + 1 {
                        continue;
                    }
                    seen[answered as usize] = m + 1;
                    for &other in before.after(answered) {
                        let left = &mut left[other as usize];
                        if *left == 0 {
                            continue;
                        }
                        *left -= 1;
                        if *left == 0 {
                            nimbers[other as usize] = m;
                            queue.push(other);
                        }
                    }
                }
            }
            if queue.is_empty() {
                // No node has an option of nimber m, so none can have a greater one.
                break;
            }
            queue.clear();
            for &node in &candidates {
                left[node as usize] = 0;
            }
            candidates.retain(|node| nimbers[*node as usize] == NONE && seen[*node as usize] == m + 1);
        }
        Ok(Labelled { graph, nimbers })
    }

    /// The nimber of a node, if it has one.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn nimber(&self, node: u32) -> Option<u32> {
        Some(self.nimbers[node as usize]).filter(|nimber| *nimber != NONE)
    }

    /// What a node is in a sum.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn at(&self, node: u32) -> LoopyNimber {
        if let Some(nimber) = self.nimber(node) {
            return LoopyNimber::Nimber(nimber);
        }
        let mut set: Vec<u32> = self.graph.after(node).iter().filter_map(|to| self.nimber(*to)).collect();
        set.sort_unstable();
        set.dedup();
        LoopyNimber::Infinity(set)
    }
}

/// A sum of loopy nimbers, to which parts are added and from which they are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopySum {
    /// The nim-sum of the parts with nimbers.
    pub nimber: Nimber,
    /// How many parts have none.
    pub infinities: u128,
    /// The nodes of those parts, joined by exclusive or: of one part it is the node, whatever came and went.
    joined: u32,
}

impl LoopySum {
    /// The sum with `count` further parts of that node.
    #[must_use]
    pub fn with(mut self, labelled: &Labelled<'_>, node: u32, count: u128) -> LoopySum {
        let odd = count % 2 == 1;
        match labelled.nimber(node) {
            Some(nimber) if odd => self.nimber ^= Nimber::from(nimber),
            Some(_) => {}
            None => {
                self.infinities = self.infinities.saturating_add(count);
                self.joined ^= if odd { node } else { 0 };
            }
        }
        self
    }

    /// The sum without one part of that node, which must be in it.
    #[must_use]
    pub fn without(mut self, labelled: &Labelled<'_>, node: u32) -> LoopySum {
        match labelled.nimber(node) {
            Some(nimber) => self.nimber ^= Nimber::from(nimber),
            None => {
                self.infinities -= 1;
                self.joined ^= node;
            }
        }
        self
    }

    /// What the sum is: its nimber, or the set K of infinity(K), ascending.
    ///
    /// # Errors
    /// K where there is no nimber.
    pub fn value(self, labelled: &Labelled<'_>) -> Result<Nimber, Vec<Nimber>> {
        match self.infinities {
            0 => Ok(self.nimber),
            1 => {
                let LoopyNimber::Infinity(set) = labelled.at(self.joined) else { return Ok(self.nimber) };
                let mut set: Vec<Nimber> = set.iter().map(|n| Nimber::from(*n) ^ self.nimber).collect();
                set.sort_unstable();
                Err(set)
            }
            _ => Err(Vec::new()),
        }
    }

    /// Who wins it.
    #[must_use]
    pub fn outcome(self, labelled: &Labelled<'_>) -> Outcome {
        match self.value(labelled) {
            Ok(0) => Outcome::Loss,
            Ok(_) => Outcome::Win,
            Err(set) if set.first() == Some(&0) => Outcome::Win,
            Err(_) => Outcome::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::{Listed, Random};
    use super::super::retrograde;
    use super::*;

    fn graph(random: &mut Random, nodes: u32) -> Digraph {
        let listed = Listed::looping(random, nodes);
        let mut graph = Digraph::new();
        for arcs in &listed.arcs {
            graph.push(arcs.iter().map(|arc| arc.to)).unwrap();
        }
        graph
    }

    /// Labels by the definition: any node that can have one gets it, until none can.
    fn naive(graph: &Digraph) -> Vec<Option<u32>> {
        let mut labels: Vec<Option<u32>> = vec![None; graph.nodes()];
        let has = |labels: &[Option<u32>], node: u32, m: u32| {
            graph.after(node).iter().any(|to| labels[*to as usize] == Some(m))
        };
        loop {
            let fits = |node: &u32| {
                let m = (0..).find(|m| !has(&labels, *node, *m)).unwrap();
                let answered = |to: &u32| labels[*to as usize].is_some() || has(&labels, *to, m);
                (labels[*node as usize].is_none() && graph.after(*node).iter().all(answered)).then_some(m)
            };
            let found =
                (0..u32::try_from(graph.nodes()).unwrap()).find_map(|node| Some((node, fits(&node)?)));
            let Some((node, m)) = found else { return labels };
            labels[node as usize] = Some(m);
        }
    }

    #[test]
    fn a_thousand_random_graphs_are_labelled_as_defined() {
        let mut greatest = 0;
        let mut infinities = 0;
        for seed in 0..1000 {
            let random = &mut Random::new(seed);
            let nodes = 1 + random.below(40);
            let graph = graph(random, nodes);
            let labelled = Labelled::new(&graph, &Limits::default()).unwrap();
            for (node, wanted) in (0..).zip(naive(&graph)) {
                assert_eq!(labelled.nimber(node), wanted, "seed {seed}, node {node}");
                greatest = greatest.max(wanted.unwrap_or(0));
                infinities += usize::from(wanted.is_none());
            }
        }
        assert!(greatest >= 3 && infinities >= 1000, "{greatest}, {infinities}");
    }

    #[test]
    fn sums_are_what_retrograde_analysis_says_of_the_product() {
        let mut seen = [0; 3];
        for seed in 0..120 {
            let random = &mut Random::new(seed);
            let (a, b) = (1 + random.below(14), 1 + random.below(14));
            let (a, b) = (graph(random, a), graph(random, b));
            let width = u32::try_from(b.nodes()).unwrap();
            let mut product = Digraph::new();
            let mut both = Digraph::new();
            for x in 0..u32::try_from(a.nodes()).unwrap() {
                both.push(a.after(x).iter().copied()).unwrap();
                for y in 0..width {
                    let left = a.after(x).iter().map(|x| x * width + y);
                    product.push(left.chain(b.after(y).iter().map(|y| x * width + y))).unwrap();
                }
            }
            let offset = u32::try_from(a.nodes()).unwrap();
            for y in 0..width {
                both.push(b.after(y).iter().map(|y| y + offset)).unwrap();
            }
            let solved = retrograde::solve(&product, |_| None, &Limits::default()).unwrap();
            let labelled = Labelled::new(&both, &Limits::default()).unwrap();
            for x in 0..offset {
                for y in 0..width {
                    let sum = LoopySum::default().with(&labelled, x, 1).with(&labelled, y + offset, 1);
                    let wanted = solved.outcome(x * width + y);
                    assert_eq!(sum.outcome(&labelled), wanted, "seed {seed}: {x} + {y}");
                    seen[usize::from(wanted.rank())] += 1;
                    // Three parts, of which two are taken back.
                    let more = sum.with(&labelled, x, 2).without(&labelled, x).without(&labelled, x);
                    assert_eq!((more, more.outcome(&labelled)), (sum, wanted));
                }
            }
        }
        assert!(seen.iter().all(|count| *count > 300), "{seen:?}");
    }

    #[test]
    fn words_for_them() {
        assert_eq!(LoopyNimber::Nimber(3).to_string(), "3");
        assert_eq!(LoopyNimber::Infinity(vec![0, 2]).to_string(), "infinity(0, 2)");
        assert_eq!(LoopyNimber::Infinity(vec![]).to_string(), "infinity()");
    }
}
