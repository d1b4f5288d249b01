//! Geography: a token moves along the edges of a graph; what it has used is gone. Whoever cannot move it loses.
//!
//! Four games under one roof. In *vertex* Geography a vertex may be visited once, in *edge* Geography an edge may be
//! used once; edges may have a direction or none. Directed and edge Geography are PSPACE-complete (Schaefer 1978;
//! Lichtenstein and Sipser, "GO is polynomial-space hard", J. ACM 27, 1980; Fraenkel, Scheinerman and Ullman,
//! "Undirected edge geography", Theoret. Comput. Sci. 112, 1993) and are searched: what the token can no longer reach does
//! not count, so positions are kept without it.
//!
//! **Undirected vertex Geography** is easy (Fraenkel, Scheinerman and Ullman 1993): the player to move wins exactly if every
//! maximum matching covers the token's vertex v. For if all do, move along the edge of one of them; the
//! other player then always arrives at a vertex that the matching covers, since a maximum matching that
//! missed v would arise otherwise. If one misses v, every move leads to a covered vertex w, for else v-w could be added;
//! so the other player has the winning strategy just described in the graph without v, where that matching is still
//! maximum. `search/matching.rs` finds the vertices that some maximum matching leaves out; the tests compare
//! with search.

use super::answer::{self, Answer, Outcome, Verdict};
use super::game::{Game, Words};
use super::matching::left_out;
use super::network::Network;
use super::places::{LARGE, MOST, Places, SMALL};
use super::proof_number::ProofNumber;
use super::taking::too_large;
use super::{BuiltIn, Given};
use crate::error::Error;
use crate::limits::{Clock, Limits};

/// Lines of best play by matchings are told for graphs of at most so many vertices.
const LINE_VERTICES: usize = 500;

/// What may be used once, and whether edges have a direction.
#[derive(Debug)]
pub struct Geography {
    edges_once: bool,
    directed: bool,
}

/// Vertices once, edges in their direction.
pub static DIRECTED_VERTEX: Geography = Geography { edges_once: false, directed: true };
/// Vertices once, edges both ways.
pub static UNDIRECTED_VERTEX: Geography = Geography { edges_once: false, directed: false };
/// Edges once, in their direction.
pub static DIRECTED_EDGE: Geography = Geography { edges_once: true, directed: true };
/// Edges once, either way.
pub static UNDIRECTED_EDGE: Geography = Geography { edges_once: true, directed: false };

/// A way for the token: the place that it uses up (a vertex or an edge), and where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    place: usize,
    to: usize,
}

/// The places that are left, and the token's vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct At<const W: usize> {
    left: Places<W>,
    token: usize,
}

struct Board {
    ways: Vec<Vec<Way>>,
    /// Vertices or edges.
    places: usize,
    names: Vec<String>,
}

/// The board for sets of places of a certain width.
struct Sized<'a, const W: usize>(&'a Board);

impl<const W: usize> Game for Sized<'_, W> {
    type Position = At<W>;
    type Move = Way;

    fn moves(&self, at: &At<W>) -> Vec<Way> {
        self.0.ways[at.token].iter().copied().filter(|way| at.left.contains(way.place)).collect()
    }

    fn after(&self, at: &At<W>, way: &Way) -> At<W> {
        let mut left = at.left;
        left.remove(way.place);
        At { left, token: way.to }
    }

    fn canonical(&self, at: At<W>) -> At<W> {
        let mut seen = Places::NONE;
        let mut open = vec![at.token];
        let mut visited = vec![false; self.0.ways.len()];
        visited[at.token] = true;
        while let Some(vertex) = open.pop() {
            for way in &self.0.ways[vertex] {
                if at.left.contains(way.place) {
                    seen.insert(way.place);
                    if !std::mem::replace(&mut visited[way.to], true) {
                        open.push(way.to);
                    }
                }
            }
        }
        At { left: seen, token: at.token }
    }
}

impl<const W: usize> Words for Sized<'_, W> {
    fn word(&self, at: &At<W>, way: &Way) -> String {
        format!("{}-{}", self.0.names[at.token], self.0.names[way.to])
    }
}

impl Geography {
    /// The board and the token's vertex.
    fn read(&self, given: &Given) -> Result<(Network, usize), Error> {
        let network = Network::read(given, &["start"])?;
        match network.vertices("start")?[..] {
            [start] => Ok((network, start)),
            [] => Err(Error::new("position", "where is the token?")
                .help(format!("say start=, one of {}", network.some_names()))),
            _ => Err(Error::new("position", "there is one token: start= names one vertex")),
        }
    }

    fn board(&self, network: Network) -> Result<Board, Error> {
        let edges = if self.directed { network.arcs() } else { network.both_ways()?.to_vec() };
        let names = network.names;
        let mut ways: Vec<Vec<Way>> = vec![Vec::new(); names.len()];
        for (edge, &(a, b)) in edges.iter().enumerate() {
            let mut add = |from: usize, to: usize| {
                let way = Way { place: if self.edges_once { edge } else { to }, to };
                // Parallel edges are one way to a vertex, but each a way of its own where edges are used up.
                if !ways[from].contains(&way) {
                    ways[from].push(way);
                }
            };
            add(a, b);
            if !self.directed && a != b {
                add(b, a);
            }
        }
        let places = if self.edges_once { edges.len() } else { names.len() };
        Ok(Board { ways, places, names })
    }

    fn start<const W: usize>(&self, board: &Board, token: usize) -> At<W> {
        let mut left = Places::first(board.places);
        if !self.edges_once {
            left.remove(token);
        }
        At { left, token }
    }

    fn too_large(&self, board: &Board) -> Error {
        too_large(if self.edges_once { "edges" } else { "vertices" }, board.places)
    }

    fn by_matching(&self) -> bool {
        !self.edges_once && !self.directed
    }
}

/// The graph without the vertices that are gone, which keep their numbers and lose their edges.
fn near(board: &Board, gone: &[bool]) -> Vec<Vec<usize>> {
    let ways = board.ways.iter().enumerate();
    ways.map(|(from, ways)| {
        let open = ways.iter().map(|way| way.to).filter(|&to| to != from && !gone[to] && !gone[from]);
        open.collect()
    })
    .collect()
}

/// The token's best moves in undirected vertex Geography: those to a vertex that some maximum matching of what is left
/// leaves out, if there is one, else all. Whether the player to move wins comes with it.
fn best_by_matching(
    board: &Board,
    gone: &mut [bool],
    token: usize,
    clock: &Clock,
) -> Result<(bool, Vec<usize>), Error> {
    gone[token] = true;
    let out = left_out(&near(board, gone), clock)?;
    let open: Vec<usize> = board.ways[token].iter().map(|way| way.to).filter(|&to| !gone[to]).collect();
    let winning: Vec<usize> = open.iter().copied().filter(|&to| out[to]).collect();
    Ok(if winning.is_empty() { (false, open) } else { (true, winning) })
}

fn matching_answer(board: &Board, start: usize, clock: &Clock) -> Result<Answer, Error> {
    let mut gone = vec![false; board.names.len()];
    let word = |from: usize, to: usize| format!("{}-{}", board.names[from], board.names[to]);
    let (won, best) = best_by_matching(board, &mut gone, start, clock)?;
    let outcome = Outcome::won(won);
    let mut line = Vec::new();
    let (mut token, mut next) = (start, best.first().copied());
    while let Some(to) = next.filter(|_| board.names.len() <= LINE_VERTICES) {
        line.push(word(token, to));
        token = to;
        let after = best_by_matching(board, &mut gone, token, clock);
        let known =
            |e: Error| e.so_far(format!("it is a {outcome}; a line of best play was not found to its end"));
        next = after.map_err(known)?.1.first().copied();
    }
    let token = &board.names[start];
    Ok(Answer {
        verdict: Verdict::Outcome(outcome),
        nimber: None,
        moves: Some(best.iter().map(|&to| word(start, to)).collect()),
        line: (board.names.len() <= LINE_VERTICES).then_some(line),
        reason: if won {
            format!("theorem (Fraenkel, Scheinerman, Ullman 1993): every maximum matching covers {token}")
        } else {
            format!("theorem (Fraenkel, Scheinerman, Ullman 1993): a maximum matching leaves {token} out")
        },
    })
}

impl BuiltIn for Geography {
    fn name(&self) -> &'static str {
        match (self.edges_once, self.directed) {
            (false, true) => "geography",
            (false, false) => "undirected-geography",
            (true, true) => "edge-geography",
            (true, false) => "undirected-edge-geography",
        }
    }

    fn summary(&self) -> &'static str {
        match (self.edges_once, self.directed) {
            (false, true) => {
                "move a token along an arc to a vertex that was not visited; whoever cannot loses"
            }
            (false, false) => {
                "move a token along an edge to a vertex that was not visited; whoever cannot loses"
            }
            (true, true) => "move a token along an arc that was not used; whoever cannot loses",
            (true, false) => "move a token along an edge that was not used; whoever cannot loses",
        }
    }

    fn usage(&self) -> &'static str {
        "a graph and where the token is: `start=a a->b b->c`, or start=a and @FILE with edges or DOT"
    }

    fn verdict(&self, position: &Given, limits: &Limits) -> Result<Verdict, Error> {
        fn prove<const W: usize>(
            geography: &Geography,
            board: &Board,
            start: usize,
            limits: &Limits,
        ) -> Result<Outcome, Error> {
            ProofNumber::new(&Sized::<W>(board), limits).outcome(&geography.start(board, start))
        }
        let (network, start) = self.read(position)?;
        let board = self.board(network)?;
        Ok(Verdict::Outcome(if self.by_matching() {
            let mut gone = vec![false; board.names.len()];
            Outcome::won(best_by_matching(&board, &mut gone, start, &limits.clock())?.0)
        } else {
            match board.places {
                0..=64 => prove::<SMALL>(self, &board, start, limits)?,
                65..=MOST => prove::<LARGE>(self, &board, start, limits)?,
                _ => return Err(self.too_large(&board)),
            }
        }))
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let (network, start) = self.read(position)?;
        let board = self.board(network)?;
        if self.by_matching() {
            return matching_answer(&board, start, &limits.clock());
        }
        let what = format!(
            "the token and the {} it can still use",
            if self.edges_once { "edges" } else { "vertices" }
        );
        match board.places {
            0..=64 => answer::by_memo(&Sized::<SMALL>(&board), &self.start(&board, start), limits, &what),
            65..=MOST => answer::by_memo(&Sized::<LARGE>(&board), &self.start(&board, start), limits, &what),
            _ => Err(self.too_large(&board)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::memo::Memo;
    use super::super::random::Random;
    use super::*;

    const ALL: [&Geography; 4] = [&DIRECTED_VERTEX, &UNDIRECTED_VERTEX, &DIRECTED_EDGE, &UNDIRECTED_EDGE];

    /// Whether the player to move wins, by the rule alone.
    fn plain(game: &Geography, edges: &[(usize, usize)], gone: &mut Vec<usize>, token: usize) -> bool {
        let mut won = false;
        for (edge, &(a, b)) in edges.iter().enumerate() {
            for (from, to) in [(a, b), (b, a)] {
                let open =
                    if game.edges_once { !gone.contains(&edge) } else { !gone.contains(&to) && to != token };
                if from == token && open && (!game.directed || (from, to) == (a, b)) {
                    gone.push(if game.edges_once { edge } else { token });
                    won |= !plain(game, edges, gone, to);
                    gone.pop();
                }
            }
        }
        won
    }

    #[test]
    fn random_graphs_are_answered_as_defined() {
        let random = &mut Random::new(5);
        for _ in 0..400 {
            let vertices = 2 + random.below(5);
            let edges: Vec<(usize, usize)> = (0..1 + random.below(8))
                .map(|_| (random.below(vertices) as usize, random.below(vertices) as usize))
                .collect();
            let start = edges[0].0;
            for game in ALL {
                let sign = if game.directed { "->" } else { "-" };
                let text: String = edges.iter().map(|(a, b)| format!("{a}{sign}{b} ")).collect();
                let given = Given::Text(format!("start={start} {text}"));
                let won = plain(game, &edges, &mut Vec::new(), start);
                let answer = game.answer(&given, &Limits::default()).unwrap();
                assert_eq!(answer.verdict, Verdict::Outcome(Outcome::won(won)), "{} {text}", game.name());
                assert_eq!(game.verdict(&given, &Limits::default()).unwrap(), answer.verdict);
                let mut best: Vec<String> = Vec::new();
                for (edge, &(a, b)) in edges.iter().enumerate() {
                    for (from, to) in [(a, b), (b, a)] {
                        let open = game.edges_once || to != start;
                        if from != start || !open || (game.directed && (from, to) != (a, b)) {
                            continue;
                        }
                        let mut gone = vec![if game.edges_once { edge } else { start }];
                        if plain(game, &edges, &mut gone, to) != won {
                            best.push(format!("{start}-{to}"));
                        }
                    }
                }
                let mut found = answer.moves.unwrap();
                let line = answer.line.unwrap();
                // The winner makes the last move.
                assert_eq!(line.len() % 2 == 1, won, "{} {text}: {line:?}", game.name());
                for list in [&mut best, &mut found] {
                    list.sort();
                    list.dedup();
                }
                assert_eq!(found, best, "{} {text}", game.name());
            }
        }
    }

    #[test]
    fn the_theorem_is_search_on_larger_graphs() {
        let random = &mut Random::new(6);
        for _ in 0..200 {
            let vertices = 8 + random.below(5);
            let text: String = (0..vertices + random.below(8))
                .map(|i| format!("{}-{} ", i % vertices, random.below(vertices)))
                .collect();
            let given = Given::Text(format!("start=0 {text}"));
            let (network, start) = UNDIRECTED_VERTEX.read(&given).unwrap();
            let board = UNDIRECTED_VERTEX.board(network).unwrap();
            let position = UNDIRECTED_VERTEX.start::<SMALL>(&board, start);
            let searched = Memo::new(&Sized(&board), &Limits::default()).outcome(&position).unwrap();
            let found = UNDIRECTED_VERTEX.verdict(&given, &Limits::default()).unwrap();
            assert_eq!(found, Verdict::Outcome(searched), "{text}");
        }
    }

    #[test]
    fn large_graphs_need_the_theorem() {
        let given = Given::Text("start=0 path 2000".to_string());
        let answer = UNDIRECTED_VERTEX.verdict(&given, &Limits::default()).unwrap();
        assert_eq!(answer, Verdict::Outcome(Outcome::Win));
        assert_eq!(DIRECTED_VERTEX.verdict(&given, &Limits::default()).unwrap_err().id(), "graph");
    }

    #[test]
    fn the_token_must_stand_somewhere() {
        for text in ["a-b", "start=c a-b", "start=a,b a-b"] {
            assert!(
                DIRECTED_VERTEX.answer(&Given::Text(text.to_string()), &Limits::default()).is_err(),
                "{text}"
            );
        }
    }
}
