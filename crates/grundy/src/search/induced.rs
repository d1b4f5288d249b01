//! Parts of a graph: connected components, and one representative for all that look the same.
//!
//! In games that take vertices out of a graph a position is a set of the vertices that are left, and what play makes
//! of it depends only on the graph between them. Components that are isomorphic therefore share one entry: each is
//! relabelled into a *form*, and the first set of vertices seen with that form stands for all.
//!
//! The form is found by colour refinement: vertices are told apart by their degree, then by the colours of their
//! neighbours, until nothing changes; where several still look the same one of them is singled out and refinement
//! goes on. The form is the whole list of edges in the order of the final colours, so two components with one form are
//! isomorphic beyond doubt. The converse may fail: if vertices that look alike are not (in some regular graphs) the one
//! singled out matters, and the same graph gets two forms. That costs a second search and never a wrong answer.
//! (Weisfeiler and Leman 1968; McKay 1981 searches all choices, which is dearer than the searches it would save here.)

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::places::Places;

/// An undirected graph whose vertex sets are positions.
pub(super) struct Induced<const W: usize> {
    /// The neighbours of each vertex, the vertex itself not among them.
    near: Vec<Places<W>>,
    shared: RefCell<Shared<W>>,
}

struct Shared<const W: usize> {
    representative: FxHashMap<Places<W>, Places<W>>,
    first_with: FxHashMap<Form, Places<W>>,
    /// For each vertex: its colour, and its place in the component.
    scratch: Vec<(u64, u32)>,
}

/// How many vertices, and the edges between them by their numbers in the final order.
type Form = (u32, Box<[u32]>);

impl<const W: usize> Induced<W> {
    /// A graph on the vertices below `vertices`; loops and parallel edges are left out.
    pub(super) fn new(vertices: usize, edges: &[(usize, usize)]) -> Self {
        let mut near = vec![Places::NONE; vertices];
        for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
            near[a].insert(b);
            near[b].insert(a);
        }
        let shared = Shared {
            representative: FxHashMap::default(),
            first_with: FxHashMap::default(),
            scratch: vec![(0, 0); vertices],
        };
        Induced { near, shared: RefCell::new(shared) }
    }

    pub(super) fn vertices(&self) -> usize {
        self.near.len()
    }

    pub(super) fn near(&self, vertex: usize) -> Places<W> {
        self.near[vertex]
    }

    /// The connected components of a set of vertices.
    pub(super) fn components(&self, set: Places<W>) -> Vec<Places<W>> {
        let mut rest = set;
        let mut found = Vec::new();
        while let Some(seed) = rest.least() {
            let mut component = Places::NONE;
            component.insert(seed);
            rest.remove(seed);
            let mut fringe = component;
            while !fringe.is_empty() {
                let next =
                    fringe.iter().fold(Places::NONE, |all: Places<W>, vertex| all.or(self.near[vertex]));
                fringe = next.and(rest);
                rest = rest.without(fringe);
                component = component.or(fringe);
            }
            found.push(component);
        }
        found
    }

    /// A set of vertices that stands for all whose graphs have the same form.
    pub(super) fn representative(&self, set: Places<W>) -> Places<W> {
        let mut shared = self.shared.borrow_mut();
        if let Some(known) = shared.representative.get(&set) {
            return *known;
        }
        let form = self.form(set, &mut shared.scratch);
        let found = *shared.first_with.entry(form).or_insert(set);
        shared.representative.insert(set, found);
        found
    }

    /// About how many bytes the entries of one set take: two of the set, and its edges.
    pub(super) fn entry_bytes(&self, set: Places<W>) -> usize {
        let edges: usize = set.iter().map(|vertex| self.near[vertex].and(set).len()).sum();
        2 * edges + 6 * size_of::<Places<W>>() + 64
    }

    fn form(&self, set: Places<W>, scratch: &mut [(u64, u32)]) -> Form {
        let members: Vec<usize> = set.iter().collect();
        for &vertex in &members {
            scratch[vertex].0 = 1;
        }
        let mut order: Vec<(u64, usize)> = members.iter().map(|&vertex| (1, vertex)).collect();
        let mut classes = 1.min(members.len());
        loop {
            // Refine until the number of colours stands still.
            loop {
                for (colour, vertex) in &mut order {
                    let near = self.near[*vertex].and(set);
                    // A sum does not depend on the order of the neighbours.
                    let sum = near.iter().fold(0u64, |sum, other| sum.wrapping_add(mixed(scratch[other].0)));
                    *colour = mixed(scratch[*vertex].0.wrapping_mul(3).wrapping_add(sum));
                }
                for &(colour, vertex) in &order {
                    scratch[vertex].0 = colour;
                }
                order.sort_unstable();
                let now = 1 + order.windows(2).filter(|pair| pair[0].0 != pair[1].0).count();
                if now <= classes || now == members.len() {
                    classes = now.max(classes);
                    break;
                }
                classes = now;
            }
            let alike = order.windows(2).find(|pair| pair[0].0 == pair[1].0);
            let Some(pair) = alike else { break };
            scratch[pair[0].1].0 = mixed(pair[0].0 ^ 0x5bd1_e995);
        }
        for (place, &(_, vertex)) in (0..).zip(&order) {
            scratch[vertex].1 = place;
        }
        let count = u32::try_from(members.len()).expect("at most as many as places");
        let mut edges = Vec::new();
        for &vertex in &members {
            for other in self.near[vertex].and(set).iter().filter(|&other| other > vertex) {
                let (a, b) = (scratch[vertex].1, scratch[other].1);
                edges.push(a.max(b) * count + a.min(b));
            }
        }
        edges.sort_unstable();
        (count, edges.into())
    }
}

/// Mixes the bits of a colour (the finisher of splitmix64).
fn mixed(colour: u64) -> u64 {
    let mut z = colour.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::super::places::SMALL;
    use super::super::random::Random;
    use super::*;

    fn set(places: &[usize]) -> Places<SMALL> {
        let mut set = Places::NONE;
        places.iter().for_each(|&place| set.insert(place));
        set
    }

    #[test]
    fn components_are_found() {
        let graph = Induced::<SMALL>::new(6, &[(0, 2), (2, 4), (1, 3), (3, 3)]);
        assert_eq!(graph.components(Places::first(6)), [set(&[0, 2, 4]), set(&[1, 3]), set(&[5])]);
        assert_eq!(graph.components(set(&[0, 4])), [set(&[0]), set(&[4])]);
        assert!(graph.components(Places::NONE).is_empty());
    }

    #[test]
    fn parts_that_look_the_same_share_one_and_others_do_not() {
        // A path of three, a triangle, a path of three in another order, a star of three leaves.
        let edges = [(0, 1), (1, 2), (3, 4), (4, 5), (5, 3), (7, 6), (6, 8), (9, 10), (9, 11), (9, 12)];
        let graph = Induced::<SMALL>::new(13, &edges);
        let parts = graph.components(Places::first(13));
        let forms: Vec<_> = parts.iter().map(|&part| graph.representative(part)).collect();
        assert_eq!(forms, [parts[0], parts[1], parts[0], parts[3]]);
    }

    #[test]
    fn relabelled_trees_and_grids_share_one() {
        let random = &mut Random::new(7);
        let mut shared = 0;
        for _ in 0..200 {
            // Two copies of a random tree of 12 vertices under random names.
            let mut names: Vec<usize> = (0..24).collect();
            for i in (1..12).rev() {
                names.swap(i, random.below(u32::try_from(i + 1).unwrap()) as usize);
                names.swap(12 + i, 12 + random.below(u32::try_from(i + 1).unwrap()) as usize);
            }
            let mut edges = Vec::new();
            for vertex in 1..12usize {
                let parent = random.below(u32::try_from(vertex).unwrap()) as usize;
                edges.push((names[vertex], names[parent]));
                edges.push((names[12 + vertex], names[12 + parent]));
            }
            let graph = Induced::<SMALL>::new(24, &edges);
            let parts = graph.components(Places::first(24));
            shared += usize::from(graph.representative(parts[0]) == graph.representative(parts[1]));
        }
        assert_eq!(shared, 200);
    }
}
