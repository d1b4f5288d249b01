//! Node Kayles: choose a vertex of a graph; it goes with all its neighbours. Whoever cannot choose loses.
//!
//! PSPACE-complete in general (Schaefer, "On the complexity of some two-person perfect-information games", J. Comput.
//! System Sci. 16, 1978), so it is searched: a position is the set of the vertices that are left, components are
//! independent, and those that look the same are searched once (`search/induced.rs`). On a path it is Dawson's
//! Kayles, on the squares of a chess board joined by queens' moves the placing of queens that do not attack one another.

use super::answer::Answer;
use super::induced::Induced;
use super::network::Network;
use super::places::Places;
use super::taking::{self, Taking};
use super::{BuiltIn, Given};
use crate::error::Error;
use crate::limits::Limits;

/// Node Kayles; a position is a graph.
#[derive(Debug)]
pub struct NodeKayles;

impl Taking for NodeKayles {
    type Move = usize;

    const LEAST: usize = 1;

    fn moves<const W: usize>(_: &Induced<W>, left: Places<W>) -> Vec<usize> {
        left.iter().collect()
    }

    fn take<const W: usize>(graph: &Induced<W>, left: Places<W>, &vertex: &usize) -> Places<W> {
        let mut left = left.without(graph.near(vertex));
        left.remove(vertex);
        left
    }

    fn known(vertices: usize) -> Option<u32> {
        // Every vertex takes all, or nothing is left.
        (vertices <= 2).then(|| u32::from(vertices > 0))
    }

    fn word(names: &[String], &vertex: &usize) -> String {
        names[vertex].clone()
    }
}

impl BuiltIn for NodeKayles {
    fn name(&self) -> &'static str {
        "node-kayles"
    }

    fn summary(&self) -> &'static str {
        "choose a vertex of a graph; it goes with all its neighbours; whoever cannot choose loses"
    }

    fn usage(&self) -> &'static str {
        "a graph: edges `a-b b-c`, `path 10`, `queens 8`, a graph6 word, or @FILE with edges or DOT"
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let network = Network::read(position, &[])?;
        network.both_ways()?;
        taking::answer::<NodeKayles>(network, limits, "components of the graph that is left", "vertices")
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::super::{Outcome, Verdict};
    use super::*;

    fn answer(text: &str) -> Answer {
        NodeKayles.answer(&Given::Text(text.to_string()), &Limits::default()).unwrap()
    }

    #[test]
    fn grids_and_queens_graphs_have_their_published_nimbers() {
        let rows = include_str!("../../../../testdata/board_nimbers.tsv");
        let mut seen = 0;
        for row in rows.lines().filter(|row| row.starts_with("node-kayles\t")) {
            let cells: Vec<&str> = row.split('\t').collect();
            assert_eq!(answer(cells[1]).nimber, Some(cells[2].parse().unwrap()), "{row}");
            seen += 1;
        }
        assert_eq!(seen, 41);
    }

    #[test]
    fn on_a_path_it_is_dawsons_kayles() {
        // 0.137: a vertex goes with its neighbours.
        let mut nimbers = vec![0u32, 1];
        for n in 2..=70usize {
            let option =
                |taken: usize| nimbers[taken.saturating_sub(1)] ^ nimbers[(n - taken).saturating_sub(2)];
            let seen: Vec<u32> = (0..n).map(option).collect();
            nimbers.push((0..).find(|value| !seen.contains(value)).unwrap());
        }
        for n in [1, 2, 3, 7, 14, 34, 63, 64, 65, 70] {
            assert_eq!(answer(&format!("path {n}")).nimber, Some(u128::from(nimbers[n])), "path of {n}");
        }
    }

    /// The nimber of the vertices of `left` by the rule alone.
    fn plain(near: &[u32], left: u32) -> u32 {
        let seen: Vec<u32> = (0..near.len())
            .filter(|v| left >> v & 1 == 1)
            .map(|v| plain(near, left & !near[v] & !(1 << v)))
            .collect();
        (0..).find(|value| !seen.contains(value)).unwrap()
    }

    #[test]
    fn random_graphs_are_answered_as_defined() {
        let random = &mut Random::new(11);
        for _ in 0..60 {
            let vertices = 1 + random.below(9) as usize;
            let mut near = vec![0u32; vertices];
            let mut text = (0..vertices).map(|v| format!("{v} ")).collect::<String>();
            for a in 0..vertices {
                for b in 0..a {
                    if random.below(3) == 0 {
                        near[a] |= 1 << b;
                        near[b] |= 1 << a;
                        text += &format!("{a}-{b} ");
                    }
                }
            }
            text += "0-0";
            let all = (1 << vertices) - 1;
            let found = answer(&text);
            let nimber = plain(&near, all);
            assert_eq!(found.nimber, Some(u128::from(nimber)), "{text}");
            assert_eq!(found.verdict, Verdict::Outcome(Outcome::won(nimber != 0)));
            let wins = |v: &usize| nimber == 0 || plain(&near, all & !near[*v] & !(1 << v)) == 0;
            let best: Vec<String> = (0..vertices).filter(wins).map(|v| v.to_string()).collect();
            assert_eq!(found.moves, Some(best), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_searched_is_said() {
        let error = NodeKayles.answer(&Given::Text("path 513".into()), &Limits::default()).unwrap_err();
        assert_eq!(error.id(), "graph");
        let limits = Limits { memory: Some(10_000), ..Limits::default() };
        let error = NodeKayles.answer(&Given::Text("queens 8".into()), &limits).unwrap_err();
        assert!(error.id() == "memory" && error.known().unwrap().starts_with("not solved within"), "{error}");
    }
}
