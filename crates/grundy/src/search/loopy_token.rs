//! A token on a directed graph that may have loops: move it along an arc; whoever cannot loses, and play without end is a
//! draw.
//!
//! The plainest game with loops, and what [`retrograde`] is made for: any game whose positions and
//! moves are written out as a graph. Positions may be a million; where they are numbers not far apart, they are read as
//! nodes and need no names.

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
        if let Some((graph, start)) = numbered(position) {
            return token(&graph, start, limits, |node| node.to_string());
        }
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
        token(&graph, number(start), limits, |node| network.names[node as usize].clone())
    }
}

/// The answer about a token on a graph.
fn token(
    graph: &Digraph,
    token: u32,
    limits: &Limits,
    name: impl Fn(u32) -> String + Copy,
) -> Result<Answer, Error> {
    let solved = retrograde::solve(graph, |_| None, limits)?;
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
        line: Some(line(graph, &solved, token).into_iter().map(name).collect()),
        reason,
    })
}

/// The graph and the token's node, if the text is `start=5` and pairs of numbers not far apart, a pair a line or all in one
/// line. `None` for any other text: names are read by [`Network`], which also says what is wrong.
fn numbered(position: &Given) -> Option<(Digraph, u32)> {
    let Given::Text(text) = position else { return None };
    let (word, rest) = text.trim_start().split_once(char::is_whitespace)?;
    let start: u32 = word.strip_prefix("start=")?.parse().ok()?;
    let mut lines = rest.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let pair = |line: &str| line.split_ascii_whitespace().count() == 2;
    let digits = |line: &str| line.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ' || byte == b'\t');
    let (first, mut others) = (lines.next()?, lines.peekable());
    let alone = others.peek().is_none();
    if !digits(first) || !(alone || pair(first)) || !others.all(|line| digits(line) && pair(line)) {
        return None;
    }
    // The longest number of all: as many nodes as it says, most of them without arcs, would take memory for nothing.
    let most = rest.split_ascii_whitespace().filter_map(|word| word.parse::<u64>().ok()).max()?;
    let numbers = u64::try_from(rest.len() / 2).unwrap_or(u64::MAX);
    if most > numbers.saturating_mul(4).saturating_add(1024) {
        return None;
    }
    let graph = Digraph::read(rest.as_bytes()).ok()?;
    let known = |node: u32| {
        (node as usize) < graph.nodes()
            && (!graph.after(node).is_empty()
                || (0..).take(graph.nodes()).any(|from| graph.after(from).contains(&node)))
    };
    known(start).then_some(())?;
    Some((graph, start))
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
    fn numbers_are_nodes_and_mean_the_same_as_names() {
        let arcs = [(0, 1), (1, 0), (1, 2), (3, 3), (3, 1), (4, 4), (12, 3)];
        let text = |name: &dyn Fn(u32) -> String, between: &str| {
            let arcs: Vec<String> = arcs.iter().map(|&(a, b)| format!("{} {}", name(a), name(b))).collect();
            arcs.join(between)
        };
        let number = |n: u32| n.to_string();
        let named = |n: u32| format!("v{n}");
        for start in [0, 1, 2, 3, 4, 12] {
            let wanted = answer(&format!("start=v{start}\n{}", text(&named, "\n")));
            for between in [" ", "\n"] {
                let given = Given::Text(format!("start={start}\n{}", text(&number, between)));
                assert!(numbered(&given).is_some());
                let found = LoopyToken.answer(&given, &Limits::default()).unwrap();
                let plain = |list: Option<Vec<String>>| list.unwrap().join(" ").replace('v', "");
                assert_eq!((found.verdict, found.reason), (wanted.verdict, wanted.reason.clone()));
                assert_eq!(plain(found.moves), plain(wanted.moves.clone()));
                assert_eq!(plain(found.line), plain(wanted.line.clone()));
            }
        }
        // Nodes that stand nowhere, numbers far apart, a name alone on its line: read with names.
        for other in
            ["start=5\n0 1\n7 1", "start=0 0 99999999", "start=0\n0 1\n2\n3", "start=0 0 1 2", "start=0 a b"]
        {
            assert!(numbered(&Given::Text(other.into())).is_none(), "{other}");
        }
        assert_eq!(
            LoopyToken.answer(&Given::Text("start=5\n0 1\n7 1".into()), &Limits::default()).unwrap_err().id(),
            "graph"
        );
    }

    #[test]
    fn the_token_must_stand_somewhere() {
        assert_eq!(
            LoopyToken.answer(&Given::Text("a->b".into()), &Limits::default()).unwrap_err().id(),
            "position"
        );
    }
}
