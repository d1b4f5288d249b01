//! Trees and forests.

use grundy::limits::Limits;
use grundy::search::Outcome;
use grundy::search::game::{Game, Impartial, Score, WIN};
use grundy::search::nimbers::Nimbers;

use super::{Numbers, cases};
use crate::{ask, wins};

/// AGC 017 D: green Hackenbush on a tree.
pub(crate) fn cut_the_tree(input: &str) -> String {
    let edges: String = input.split_ascii_whitespace().skip(1).map(|word| format!("{word} ")).collect();
    let (outcome, _) = ask("hackenbush", &format!("ground=1 {edges}"));
    format!("{}\n", if outcome == Outcome::Win { "Alice" } else { "Bob" })
}

/// CF 1585G: take the vertices of a tree down to a depth that no leaf is above.
struct Poachers {
    children: Vec<Vec<usize>>,
}

impl Poachers {
    /// The vertices at each depth below a root, down to the least depth of a leaf.
    fn levels(&self, root: usize) -> Vec<Vec<usize>> {
        let mut levels = vec![vec![root]];
        loop {
            let last = levels.last().expect("it begins with one");
            if last.iter().any(|&vertex| self.children[vertex].is_empty()) {
                return levels;
            }
            levels.push(last.iter().flat_map(|&vertex| self.children[vertex].iter().copied()).collect());
        }
    }
}

impl Game for Poachers {
    type Position = Vec<usize>; // the roots
    type Move = (usize, usize); // which tree, how many levels

    fn moves(&self, roots: &Vec<usize>) -> Vec<(usize, usize)> {
        let of = |(at, &root): (usize, &usize)| (1..=self.levels(root).len()).map(move |depth| (at, depth));
        roots.iter().enumerate().flat_map(of).collect()
    }

    fn after(&self, roots: &Vec<usize>, &(at, depth): &(usize, usize)) -> Vec<usize> {
        let mut left = roots.clone();
        let root = left.remove(at);
        let lowest = self.levels(root).swap_remove(depth - 1);
        left.extend(lowest.iter().flat_map(|&vertex| &self.children[vertex]));
        left
    }
}

impl Impartial for Poachers {
    fn parts(&self, roots: Vec<usize>) -> Vec<Vec<usize>> {
        roots.into_iter().map(|root| vec![root]).collect()
    }
}

pub(crate) fn poachers(input: &str) -> String {
    cases(input, |_, numbers| {
        let count = numbers.next();
        let mut game = Poachers { children: vec![Vec::new(); count + 1] };
        let mut roots = Vec::new();
        for vertex in 1..=count {
            match numbers.next() {
                0 => roots.push(vertex),
                parent => game.children[parent].push(vertex),
            }
        }
        let outcome = Nimbers::new(&game, &Limits::default()).outcome(&roots).expect("small trees");
        if outcome == Outcome::Win { "YES" } else { "NO" }.to_string()
    })
}

/// Luogu P8347: delete a vertex of a tree and keep one of the parts; who leaves a single vertex loses.
struct OtherSide {
    near: Vec<Vec<usize>>,
}

impl OtherSide {
    /// The part of `set` that hangs together with a vertex.
    fn part(&self, set: u32, vertex: usize) -> u32 {
        let mut part = 1 << vertex;
        let mut open = vec![vertex];
        while let Some(at) = open.pop() {
            for &other in &self.near[at] {
                if set >> other & 1 == 1 && part >> other & 1 == 0 {
                    part |= 1 << other;
                    open.push(other);
                }
            }
        }
        part
    }
}

impl Game for OtherSide {
    type Position = u32; // the vertices that are left
    type Move = u32; // those that are kept

    fn moves(&self, set: &u32) -> Vec<u32> {
        let inside = |vertex: &usize| set >> vertex & 1 == 1;
        let parts = |vertex: usize| {
            let rest = set & !(1 << vertex);
            self.near[vertex].iter().copied().filter(inside).map(move |root| self.part(rest, root))
        };
        (0..self.near.len()).filter(inside).flat_map(parts).collect()
    }

    fn after(&self, _: &u32, kept: &u32) -> u32 {
        *kept
    }

    // One vertex: the other player has just lost.
    fn stuck(&self, _: &u32) -> Score {
        WIN
    }
}

pub(crate) fn other_side(input: &str) -> String {
    cases(input, |_, numbers: &mut Numbers<'_>| {
        let count = numbers.next();
        let mut near = vec![Vec::new(); count];
        for _ in 1..count {
            let (a, b) = (numbers.next() - 1, numbers.next() - 1);
            near[a].push(b);
            near[b].push(a);
        }
        let all = (1 << count) - 1;
        if wins(&OtherSide { near }, &all) { "Hifuu" } else { "Luna" }.to_string()
    })
}
