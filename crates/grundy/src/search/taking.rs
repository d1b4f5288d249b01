//! Games that take vertices out of a graph: what Node Kayles and Arc Kayles have in common.
//!
//! A position is the set of the vertices that are left. Components are independent, and those that look the same are searched
//! once ([`Induced`]), by questions ([`probe`](super::probe)). A game says what a move takes; sets of up to 64 vertices fit one machine word, larger ones several.

use std::marker::PhantomData;

use super::answer::{self, Answer};
use super::game::{Game, Impartial, Words};
use super::induced::Induced;
use super::network::Network;
use super::places::{LARGE, MOST, Places, SMALL};
use crate::error::Error;
use crate::limits::Limits;

/// What a move takes.
pub(super) trait Taking {
    /// A move.
    type Move: Clone;

    /// Parts with fewer vertices have no move.
    const LEAST: usize;

    /// The moves in a set of vertices.
    fn moves<const W: usize>(graph: &Induced<W>, left: Places<W>) -> Vec<Self::Move>;

    /// What a move leaves of a set.
    fn take<const W: usize>(graph: &Induced<W>, left: Places<W>, chosen: &Self::Move) -> Places<W>;

    /// The nimber of every connected part of so many vertices, where it is the same for all.
    fn known(vertices: usize) -> Option<u32>;

    /// The word for a move, from the names of the vertices.
    fn word(names: &[String], chosen: &Self::Move) -> String;
}

struct Board<const W: usize, T> {
    graph: Induced<W>,
    names: Vec<String>,
    taking: PhantomData<T>,
}

impl<const W: usize, T: Taking> Game for Board<W, T> {
    type Position = Places<W>;
    type Move = T::Move;

    fn moves(&self, left: &Places<W>) -> Vec<T::Move> {
        T::moves(&self.graph, *left)
    }

    fn after(&self, left: &Places<W>, chosen: &T::Move) -> Places<W> {
        T::take(&self.graph, *left, chosen)
    }

    fn canonical(&self, left: Places<W>) -> Places<W> {
        self.graph.representative(left)
    }

    fn heap_bytes(&self, left: &Places<W>) -> usize {
        self.graph.entry_bytes(*left)
    }
}

impl<const W: usize, T: Taking> Impartial for Board<W, T> {
    fn parts(&self, left: Places<W>) -> Vec<Places<W>> {
        let mut parts = self.graph.components(left);
        parts.retain(|part| part.len() >= T::LEAST);
        parts
    }

    fn known(&self, part: &Places<W>) -> Option<u32> {
        T::known(part.len())
    }
}

impl<const W: usize, T: Taking> Words for Board<W, T> {
    fn word(&self, _: &Places<W>, chosen: &T::Move) -> String {
        T::word(&self.names, chosen)
    }
}

fn solve<const W: usize, T: Taking>(network: Network, limits: &Limits, what: &str) -> Result<Answer, Error> {
    let graph = Induced::<W>::new(network.names.len(), &network.edges);
    let all = Places::first(graph.vertices());
    answer::by_probes(&Board { graph, names: network.names, taking: PhantomData::<T> }, &all, limits, what)
}

/// The answer about a graph; `what` names its parts, `places` its vertices.
pub(super) fn answer<T: Taking>(
    network: Network,
    limits: &Limits,
    what: &str,
    places: &str,
) -> Result<Answer, Error> {
    match network.names.len() {
        0..=64 => solve::<SMALL, T>(network, limits, what),
        65..=MOST => solve::<LARGE, T>(network, limits, what),
        many => Err(too_large(places, many)),
    }
}

/// The error for a graph that is too large to be searched.
pub(super) fn too_large(what: &str, count: usize) -> Error {
    Error::new(
        "graph",
        format!("the position has {count} {what}, and positions of at most {MOST} are searched"),
    )
}
