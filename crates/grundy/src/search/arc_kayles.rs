//! Arc Kayles: choose an edge of a graph; its two ends go, with all edges that meet them. Whoever cannot choose loses.
//!
//! (Schaefer 1978, as Node Kayles; whether it is PSPACE-complete is open.) Vertices that are left form components, which
//! are independent; those that look the same are searched once (`search/induced.rs`). On a path it is the octal
//! game 0.07, Dawson's Kayles with another count; on a board of cells it is [`cram`](super::cram), which is this file
//! with another way to write positions.

use super::answer::{self, Answer};
use super::game::{Game, Impartial, Words};
use super::induced::Induced;
use super::network::Network;
use super::node_kayles::too_large;
use super::places::{LARGE, MOST, Places, SMALL};
use super::{BuiltIn, Given};
use crate::error::Error;
use crate::limits::Limits;

/// Arc Kayles; a position is a graph.
#[derive(Debug)]
pub struct ArcKayles;

struct Board<const W: usize> {
    graph: Induced<W>,
    names: Vec<String>,
}

impl<const W: usize> Game for Board<W> {
    type Position = Places<W>;
    type Move = (usize, usize);

    fn moves(&self, left: &Places<W>) -> Vec<(usize, usize)> {
        let later = |a: usize| self.graph.near(a).and(*left).iter().filter(move |&b| b > a);
        left.iter().flat_map(|a| later(a).map(move |b| (a, b))).collect()
    }

    fn after(&self, left: &Places<W>, &(a, b): &(usize, usize)) -> Places<W> {
        let mut left = *left;
        left.remove(a);
        left.remove(b);
        left
    }

    fn canonical(&self, left: Places<W>) -> Places<W> {
        self.graph.representative(left)
    }

    fn heap_bytes(&self, left: &Places<W>) -> usize {
        self.graph.entry_bytes(*left)
    }
}

impl<const W: usize> Impartial for Board<W> {
    fn parts(&self, left: Places<W>) -> Vec<Places<W>> {
        let mut parts = self.graph.components(left);
        // A vertex alone has no edge.
        parts.retain(|part| part.len() > 1);
        parts
    }

    fn known(&self, part: &Places<W>) -> Option<u32> {
        // Two or three vertices that hang together: any edge is the last.
        (part.len() <= 3).then_some(1)
    }
}

impl<const W: usize> Words for Board<W> {
    fn word(&self, _: &Places<W>, &(a, b): &(usize, usize)) -> String {
        format!("{}-{}", self.names[a], self.names[b])
    }
}

fn solve<const W: usize>(network: Network, limits: &Limits, what: &str) -> Result<Answer, Error> {
    let graph = Induced::<W>::new(network.names.len(), &network.edges);
    let all = Places::first(graph.vertices());
    answer::by_nimbers(&Board { graph, names: network.names }, &all, limits, what)
}

/// The answer about a graph; `what` names its parts, `places` its vertices.
pub(super) fn answer(network: Network, limits: &Limits, what: &str, places: &str) -> Result<Answer, Error> {
    match network.names.len() {
        0..=64 => solve::<SMALL>(network, limits, what),
        65..=MOST => solve::<LARGE>(network, limits, what),
        many => Err(too_large(places, many)),
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
        answer(network, limits, "components of the graph that is left", "vertices")
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
