//! Arc Kayles: choose an edge of a graph; its two ends go, with all edges that meet them. Whoever cannot choose loses.
//!
//! (Schaefer 1978, as Node Kayles; whether it is PSPACE-complete is open.) Vertices that are left form components, which
//! are independent; those that look the same are searched once (`search/induced.rs`). On a path it is the octal
//! game 0.07, Dawson's Kayles with another count; on a board of cells it is [`cram`](super::cram), which is this file
//! with another way to write positions.

use super::answer::Answer;
use super::induced::Induced;
use super::network::Network;
use super::places::Places;
use super::taking::{self, Taking};
use super::{BuiltIn, Given};
use crate::error::Error;
use crate::limits::Limits;

/// Arc Kayles; a position is a graph.
#[derive(Debug)]
pub struct ArcKayles;

impl Taking for ArcKayles {
    type Move = (usize, usize);

    /// A vertex alone has no edge.
    const LEAST: usize = 2;

    fn moves<const W: usize>(graph: &Induced<W>, left: Places<W>) -> Vec<(usize, usize)> {
        let later = |a: usize| graph.near(a).and(left).iter().filter(move |&b| b > a);
        left.iter().flat_map(|a| later(a).map(move |b| (a, b))).collect()
    }

    fn take<const W: usize>(_: &Induced<W>, mut left: Places<W>, &(a, b): &(usize, usize)) -> Places<W> {
        left.remove(a);
        left.remove(b);
        left
    }

    fn known(vertices: usize) -> Option<u32> {
        // Two or three vertices that hang together: any edge is the last.
        (vertices <= 3).then_some(1)
    }

    fn word(names: &[String], &(a, b): &(usize, usize)) -> String {
        format!("{}-{}", names[a], names[b])
    }
}

impl BuiltIn for ArcKayles {
    fn name(&self) -> &'static str {
        "arc-kayles"
    }

    fn summary(&self) -> &'static str {
        "choose an edge of a graph; its ends go with all edges that meet them; whoever cannot choose loses"
    }

    fn usage(&self) -> &'static str {
        "a graph: edges `a-b b-c`, `path 10`, `grid 3 4`, a graph6 word, or @FILE with edges or DOT"
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let network = Network::read(position, &[])?;
        network.both_ways()?;
        taking::answer::<ArcKayles>(network, limits, "components of the graph that is left", "vertices")
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    fn nimber(text: &str) -> u128 {
        let answer = ArcKayles.answer(&Given::Text(text.to_string()), &Limits::default()).unwrap();
        answer.nimber.unwrap()
    }

    #[test]
    fn on_a_path_it_is_the_octal_game_07() {
        let mut nimbers = vec![0u32, 0];
        for n in 2..=70usize {
            let seen: Vec<u32> = (0..n - 1).map(|a| nimbers[a] ^ nimbers[n - 2 - a]).collect();
            nimbers.push((0..).find(|value| !seen.contains(value)).unwrap());
        }
        for n in [1, 2, 3, 8, 15, 35, 70] {
            assert_eq!(nimber(&format!("path {n}")), u128::from(nimbers[n]), "path of {n}");
        }
    }

    fn plain(edges: &[(u32, u32)]) -> u32 {
        let after = |&(a, b): &(u32, u32)| {
            let left: Vec<_> = edges
                .iter()
                .copied()
                .filter(|&(c, d)| ![c, d].contains(&a) && ![c, d].contains(&b))
                .collect();
            plain(&left)
        };
        let seen: Vec<u32> = edges.iter().map(after).collect();
        (0..).find(|value| !seen.contains(value)).unwrap()
    }

    #[test]
    fn random_graphs_are_answered_as_defined() {
        let random = &mut Random::new(12);
        for _ in 0..60 {
            let vertices = 2 + random.below(7);
            let mut edges = vec![(0, 1)];
            for a in 1..vertices {
                edges.extend((0..a).filter(|_| random.below(2) == 0).map(|b| (a, b)));
            }
            let numbers = edges.iter().flat_map(|&(a, b)| [a.into(), b.into()]).collect();
            let found = ArcKayles.answer(&Given::Numbers(numbers), &Limits::default()).unwrap();
            assert_eq!(found.nimber, Some(plain(&edges).into()), "{edges:?}");
        }
    }
}
