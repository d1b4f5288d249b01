//! Which vertices of a graph some maximum matching leaves out.
//!
//! Edmonds' blossom algorithm ("Paths, trees, and flowers", Canad. J. Math. 17, 1965): from each vertex without partner
//! grow alternating paths, shrink odd cycles, and turn a path round that ends in another vertex without partner. When
//! none is left the matching is maximum, and the vertices at even distance from those without partner are exactly
//! those that some maximum matching leaves out: the set D of Gallai and Edmonds. O(V * E) growing steps with plain
//! arrays; queues, no recursion.

use std::collections::VecDeque;

use crate::error::Error;
use crate::limits::Clock;

/// For each vertex, whether some maximum matching of the graph leaves it out. `near` lists the neighbours.
///
/// # Errors
/// `time`, `cancelled`.
pub(super) fn left_out(near: &[Vec<usize>], clock: &Clock) -> Result<Vec<bool>, Error> {
    let mut matching = Matching::new(near);
    matching.pair_neighbours();
    for root in 0..near.len() {
        if matching.partner[root].is_none() {
            clock.check()?;
        }
        if matching.partner[root].is_none()
            && let Some(end) = matching.grow(root)
        {
            matching.turn(end);
        }
    }
    let mut even = vec![false; near.len()];
    for root in 0..near.len() {
        if matching.partner[root].is_none() {
            clock.check()?;
            let end = matching.grow(root);
            debug_assert!(end.is_none(), "the matching is maximum");
            for (out, &reached) in even.iter_mut().zip(&matching.even) {
                *out |= reached;
            }
        }
    }
    Ok(even)
}

struct Matching<'a> {
    near: &'a [Vec<usize>],
    partner: Vec<Option<usize>>,
    /// Reached at even distance from the root, by the last growth.
    even: Vec<bool>,
    /// The vertex before, on the way to the root.
    before: Vec<Option<usize>>,
    /// The base of the shrunk cycle that a vertex lies in; itself if in none.
    base: Vec<usize>,
}

impl<'a> Matching<'a> {
    fn new(near: &'a [Vec<usize>]) -> Self {
        let count = near.len();
        Matching {
            near,
            partner: vec![None; count],
            even: vec![false; count],
            before: vec![None; count],
            base: (0..count).collect(),
        }
    }

    /// Pairs each vertex with the first free neighbour, those with fewest neighbours first: most of a maximum matching.
    fn pair_neighbours(&mut self) {
        let mut order: Vec<usize> = (0..self.near.len()).collect();
        order.sort_by_key(|&vertex| self.near[vertex].len());
        for vertex in order {
            if self.partner[vertex].is_none()
                && let Some(&other) =
                    self.near[vertex].iter().find(|&&other| self.partner[other].is_none() && other != vertex)
            {
                self.partner[vertex] = Some(other);
                self.partner[other] = Some(vertex);
            }
        }
    }

    /// Grows alternating paths from a vertex without partner; the end of one that leads to another such vertex.
    fn grow(&mut self, root: usize) -> Option<usize> {
        self.even.fill(false);
        self.before.fill(None);
        for (vertex, base) in self.base.iter_mut().enumerate() {
            *base = vertex;
        }
        self.even[root] = true;
        let mut queue = VecDeque::from([root]);
        while let Some(vertex) = queue.pop_front() {
            let near: &'a [usize] = &self.near[vertex];
            for &other in near {
                if self.base[vertex] == self.base[other] || self.partner[vertex] == Some(other) {
                    continue;
                }
                let even = other == root || self.partner[other].is_some_and(|p| self.before[p].is_some());
                if even {
                    self.shrink(vertex, other, &mut queue);
                } else if self.before[other].is_none() {
                    self.before[other] = Some(vertex);
                    match self.partner[other] {
                        None => return Some(other),
                        Some(partner) => {
                            self.even[partner] = true;
                            queue.push_back(partner);
                        }
                    }
                }
            }
        }
        None
    }

    /// The first common base on the ways of two vertices to the root.
    fn common(&self, a: usize, b: usize) -> usize {
        let mut seen = vec![false; self.base.len()];
        let mut at = a;
        loop {
            at = self.base[at];
            seen[at] = true;
            match self.partner[at].and_then(|partner| self.before[partner]) {
                Some(next) => at = next,
                None => break,
            }
        }
        let mut at = self.base[b];
        while !seen[at] {
            let partner = self.partner[at].expect("only the root has none, and the root was seen");
            at = self.base[self.before[partner].expect("a way to the root has no gap")];
        }
        at
    }

    /// An edge between two vertices at even distance closes an odd cycle: all its vertices become even.
    fn shrink(&mut self, a: usize, b: usize, queue: &mut VecDeque<usize>) {
        let top = self.common(a, b);
        let mut inside = vec![false; self.base.len()];
        self.mark(a, b, top, &mut inside);
        self.mark(b, a, top, &mut inside);
        for vertex in 0..self.base.len() {
            if inside[self.base[vertex]] {
                self.base[vertex] = top;
                if !std::mem::replace(&mut self.even[vertex], true) {
                    queue.push_back(vertex);
                }
            }
        }
    }

    fn mark(&mut self, from: usize, across: usize, top: usize, inside: &mut [bool]) {
        let (mut at, mut child) = (from, across);
        while self.base[at] != top {
            let partner = self.partner[at].expect("below the top every vertex has a partner");
            inside[self.base[at]] = true;
            inside[self.base[partner]] = true;
            self.before[at] = Some(child);
            child = partner;
            at = self.before[partner].expect("a way to the root has no gap");
        }
    }

    /// Turns the path that ends in `end` round: one more pair.
    fn turn(&mut self, end: usize) {
        let mut at = Some(end);
        while let Some(vertex) = at {
            let before = self.before[vertex].expect("the path goes on to the root");
            let next = self.partner[before];
            self.partner[vertex] = Some(before);
            self.partner[before] = Some(vertex);
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;
    use crate::limits::Limits;

    fn out(near: &[Vec<usize>]) -> Vec<bool> {
        left_out(near, &Limits::default().clock()).unwrap()
    }

    /// The size of a maximum matching of the vertices of `left`, by trying everything.
    fn size(near: &[Vec<usize>], left: u32) -> u32 {
        let Some(first) = (0..near.len()).find(|v| left >> v & 1 == 1) else { return 0 };
        let rest = left & !(1 << first);
        let partners = near[first].iter().filter(|&&v| rest >> v & 1 == 1);
        partners.map(|v| 1 + size(near, rest & !(1 << v))).max().unwrap_or(0).max(size(near, rest))
    }

    #[test]
    fn vertices_left_out_are_those_whose_loss_costs_nothing() {
        let random = &mut Random::new(3);
        for _ in 0..2000 {
            let count = 1 + random.below(10) as usize;
            let one_in = 1 + random.below(5);
            let mut near = vec![Vec::new(); count];
            for a in 0..count {
                for b in 0..a {
                    if random.below(one_in) == 0 {
                        near[a].push(b);
                        near[b].push(a);
                    }
                }
            }
            let all = (1 << count) - 1;
            let most = size(&near, all);
            let wanted: Vec<bool> = (0..count).map(|v| size(&near, all & !(1 << v)) == most).collect();
            assert_eq!(out(&near), wanted, "{near:?}");
        }
    }

    #[test]
    fn long_paths_and_odd_cycles_are_quick() {
        let path: Vec<Vec<usize>> = (0..2001usize)
            .map(|v| [v.checked_sub(1), Some(v + 1).filter(|&w| w < 2001)].into_iter().flatten().collect())
            .collect();
        let out = out(&path);
        assert!((0..2001).all(|v| out[v] == (v % 2 == 0)));
    }
}
