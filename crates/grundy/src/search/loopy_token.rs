//! A token on a directed graph that may have loops: move it along an arc; whoever cannot loses, and play without end is a
//! draw.
//!
//! The plainest game with loops, and what [`retrograde`] is made for: any game whose positions and
//! moves are written out as a graph. Positions may be a million.

use super::answer::{Answer, Outcome, Verdict, counted};
use super::graph::Digraph;
use super::network::Network;
use super::retrograde::{self, Solved};
use super::{BuiltIn, Given};
use crate::error::Error;
use crate::limits::Limits;

/// A token on a graph; a position is a graph and the token's vertex.
#[derive(Debug)]
pub struct LoopyToken;

impl BuiltIn for LoopyToken {
    fn name(&self) -> &'static str {
        "loopy-token"
    }

    fn summary(&self) -> &'static str {
        "move a token along an arc of a graph, loops allowed; whoever cannot loses, play without end is a draw"
    }

    fn usage(&self) -> &'static str {
        "a graph and where the token is: `start=a a->b b->a b->c`, or start=a and @FILE with arcs or DOT"
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let network = Network::read(position, &["start"])?;
        let start = match network.vertices("start")?[..] {
            [start] => start,
            _ => {
                return Err(Error::new("position", "where is the token?")
                    .help(format!("say start=, one of {}", network.some_names())));
            }
        };
        let number = |vertex: usize| u32::try_from(vertex).expect("a text holds fewer than 2^32 names");
        let arcs: Vec<(u32, u32)> = network.arcs().into_iter().map(|(a, b)| (number(a), number(b))).collect();
        let graph = Digraph::from_arcs(number(network.names.len()), &arcs)?;
        let solved = retrograde::solve(&graph, |_| None, limits)?;
        let (token, name) = (number(start), |node: u32| network.names[node as usize].clone());
        let outcome = solved.outcome(token);
        let mut best: Vec<u32> = Vec::new();
        for &to in graph.after(token) {
            if solved.outcome(to) == outcome.reversed() && !best.contains(&to) {
                best.push(to);
            }
        }
        let reason = match (outcome, solved.distance(token)) {
            (Outcome::Draw, _) => {
                "retrograde analysis: neither can be brought to a vertex without arcs".to_string()
            }
            (_, Some(moves)) => {
                let moves = usize::try_from(moves).expect("distances are below 2^32");
                format!(
                    "retrograde analysis: over after {}, if the loser delays it",
                    counted(moves, "move", "moves")
                )
            }
            (_, None) => "retrograde analysis".to_string(),
        };
        Ok(Answer {
            verdict: Verdict::Outcome(outcome),
            nimber: None,
            moves: Some(best.into_iter().map(name).collect()),
            line: Some(line(&graph, &solved, token).into_iter().map(name).collect()),
            reason,
        })
    }
}

/// The vertices of a line of best play, in which the winner hurries and the loser delays; in a draw until one comes again.
fn line(graph: &Digraph, solved: &Solved, start: u32) -> Vec<u32> {
    let mut seen = vec![false; graph.nodes()];
    let mut line = Vec::new();
    let mut token = start;
    while !std::mem::replace(&mut seen[token as usize], true) {
        // The first of the best ones.
        let best = graph.after(token).iter().rev().max_by_key(|&&to| solved.merit(to));
        let Some(&to) = best else { break };
        token = to;
        line.push(to);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Answer {
        LoopyToken.answer(&Given::Text(text.to_string()), &Limits::default()).unwrap()
    }

    #[test]
    fn wins_losses_and_draws_are_told_apart() {
        let arcs = "a->b b->a b->c d->d d->b e->e";
        let result = |start: &str| {
            let answer = answer(&format!("start={start} {arcs}"));
            (answer.verdict, answer.moves.unwrap().join(" "), answer.line.unwrap().join(" "))
        };
        assert_eq!(result("b"), (Verdict::Outcome(Outcome::Win), "a c".into(), "c".into()));
        assert_eq!(result("a"), (Verdict::Outcome(Outcome::Loss), "b".into(), "b c".into()));
        assert_eq!(result("d"), (Verdict::Outcome(Outcome::Draw), "d".into(), "d".into()));
        assert_eq!(result("c"), (Verdict::Outcome(Outcome::Loss), String::new(), String::new()));
        assert_eq!(result("e").0, Verdict::Outcome(Outcome::Draw));
    }

    #[test]
    fn the_token_must_stand_somewhere() {
        assert_eq!(
            LoopyToken.answer(&Given::Text("a->b".into()), &Limits::default()).unwrap_err().id(),
            "position"
        );
    }
}
