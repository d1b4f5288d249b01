//! Retrograde analysis: win, loss or draw of every node of a graph with loops, from the ends backwards.
//!
//! A token stands on a node; the players in turn move it along an arc; whoever cannot move has lost, unless the node
//! says otherwise. Play may go on for ever, and then nobody wins. Knowledge spreads from the ends against the
//! arcs: a node with an arc to a loss is a win; a node all of whose arcs lead to wins is a loss; what is never
//! reached in this way is a draw, for each player there can avoid losing for ever. Each arc is looked at once and each
//! node once: O(nodes + arcs). The order is that of a queue, so that the number of moves to the end comes with it: the
//! winner makes it least and the loser greatest. (Zermelo 1913 for the idea; Smith, "Graphs and composite games",
//! J. Combin. Theory 1, 1966, for loops; Ströhlein 1970 for the method, in chess.)
//!
//! Considered and dropped: sweeping over all nodes until nothing changes (O(arcs) for each move of the longest
//! win; it is the fixpoint that the tests compare with).

use super::Outcome;
use super::graph::Digraph;
use crate::error::Error;
use crate::limits::{Limits, reserve};

/// The clock is asked once in so many nodes.
const NODES: usize = 1 << 16;

/// The results of all nodes of a graph.
#[derive(Clone, Debug)]
pub struct Solved {
    outcomes: Vec<Outcome>,
    /// Moves to the end; `NEVER` for draws.
    distances: Vec<u32>,
}

const NEVER: u32 = u32::MAX;

impl Solved {
    /// The result for the player to move from a node.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn outcome(&self, node: u32) -> Outcome {
        self.outcomes[node as usize]
    }

    /// The results of all nodes, by their numbers.
    #[must_use]
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// How many moves a won or lost game still takes if the winner hurries and the loser delays. `None` for a draw.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn distance(&self, node: u32) -> Option<u32> {
        Some(self.distances[node as usize]).filter(|&moves| moves != NEVER)
    }

    /// How well a move to `node` serves the player who makes it: greater is better. A win sooner rather than
    /// later, then a draw, then a loss later rather than sooner.
    #[must_use]
    pub fn merit(&self, node: u32) -> i64 {
        let moves = i64::from(self.distances[node as usize]);
        match self.outcomes[node as usize] {
            Outcome::Loss => (1 << 33) - moves,
            Outcome::Draw => 0,
            Outcome::Win => moves - (1 << 33),
        }
    }
}

/// Solves a graph. `end` says where the game is over, and how for the player who would move there, whatever arcs
/// the node has; a node without arcs of which it says nothing is a loss. A node with `Some(Draw)` is drawn.
///
/// # Errors
/// `graph` if an arc leads to a node that was never added; `time`, `memory`, `cancelled`.
///
/// ```
/// use grundy::limits::Limits;
/// use grundy::search::{Outcome, graph::Digraph, retrograde};
///
/// // 0 and 1 lead to one another, 1 also to 2, and 2 is the end.
/// let graph = Digraph::from_arcs(3, &[(0, 1), (1, 0), (1, 2)])?;
/// let solved = retrograde::solve(&graph, |_| None, &Limits::default())?;
/// assert_eq!(solved.outcomes(), [Outcome::Loss, Outcome::Win, Outcome::Loss]);
/// assert_eq!(solved.distance(0), Some(2));
/// # Ok::<(), grundy::error::Error>(())
/// ```
pub fn solve(
    graph: &Digraph,
    end: impl Fn(u32) -> Option<Outcome>,
    limits: &Limits,
) -> Result<Solved, Error> {
    let clock = limits.clock();
    let nodes = graph.nodes();
    // The graph, the same turned round, and for each node: outcome, distance, arcs left, place in the queue.
    let bytes = 2 * graph.bytes() + nodes * (size_of::<Outcome>() + 3 * size_of::<u32>());
    clock.memory(u64::try_from(bytes).unwrap_or(u64::MAX))?;
    let reversed = graph.reversed()?.ok_or_else(nowhere)?;
    clock.check()?;

    let mut solved = Solved { outcomes: Vec::new(), distances: Vec::new() };
    let mut queue: Vec<u32> = Vec::new();
    // Arcs of a node that are not yet known to lead to a win; 0 for nodes that are settled.
    let mut left: Vec<u32> = Vec::new();
    reserve(&mut solved.outcomes, nodes)?;
    reserve(&mut solved.distances, nodes)?;
    reserve(&mut queue, nodes)?;
    reserve(&mut left, nodes)?;
    solved.outcomes.resize(nodes, Outcome::Draw);
    solved.distances.resize(nodes, NEVER);

    for node in (0..).take(nodes) {
        let arcs = graph.after(node).len();
        let result = end(node).or_else(|| (arcs == 0).then_some(Outcome::Loss));
        left.push(if result.is_some() {
            0
        } else {
            u32::try_from(arcs).expect("a graph has fewer than 2^32 arcs")
        });
        if let Some(result) = result.filter(|&result| result != Outcome::Draw) {
            solved.outcomes[node as usize] = result;
            solved.distances[node as usize] = 0;
            queue.push(node);
        }
    }

    let mut taken = 0;
    while let Some(&node) = queue.get(taken) {
        taken += 1;
        if taken.is_multiple_of(NODES) {
            clock.check().map_err(|e| {
                e.so_far(format!(
                    "{} of {nodes} nodes are won or lost, the others are not decided",
                    queue.len()
                ))
            })?;
        }
        let lost = solved.outcomes[node as usize] == Outcome::Loss;
        let moves = solved.distances[node as usize].saturating_add(1);
        for &before in reversed.after(node) {
            let before = before as usize;
            if left[before] == 0 {
                continue;
            }
            let result = if lost {
                left[before] = 0;
                Outcome::Win
            } else {
                left[before] -= 1;
                if left[before] > 0 {
                    continue;
                }
                Outcome::Loss
            };
            solved.outcomes[before] = result;
            solved.distances[before] = moves;
            queue.push(u32::try_from(before).expect("it came from a u32"));
        }
    }
    Ok(solved)
}

/// The error for an arc that leads to a node that was never added.
pub(super) fn nowhere() -> Error {
    Error::new("graph", "an arc leads to a node that was never added: nodes are numbered from 0")
}

#[cfg(test)]
mod tests;
