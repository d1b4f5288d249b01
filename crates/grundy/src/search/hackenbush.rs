//! Green Hackenbush: a drawing whose edges hang together with the ground. Cut an edge; whatever no longer hangs on the
//! ground falls. Whoever cannot cut loses.
//!
//! It needs no search (Berlekamp, Conway and Guy, Winning Ways, ch. 2 and 7):
//!
//! * **Colon principle**: a vertex above which trees branch may have them replaced by one stalk of the nim-sum of their
//!   lengths. A tree is worth, at each vertex, the nim-sum over its children of (value + 1).
//! * **Fusion principle**: the vertices of a cycle may be fused into one; its edges become loops, each worth a stalk of
//!   1, so that an even number of them vanishes. The ground is one vertex from the start.
//!
//! So: fuse every part that no single cut parts (the 2-edge-connected components, found by one walk in depth), keep the
//! parity of the edges inside each, and what is left is a tree. O(edges), with an explicit stack. The tests compare
//! with search of the definition.
//!
//! *Winning cuts.* Along the tree of bridges one walk down is enough: it carries the value that each part would need for
//! the whole to become 0. An edge inside a cycle changes the tree, and the whole is worked out again without it.

use super::answer::{Answer, Outcome, Verdict, counted};
use super::network::Network;
use super::{BuiltIn, Given};
use crate::error::Error;
use crate::limits::{Clock, Limits};
use crate::nimber::Nimber;

/// Winning cuts inside cycles are looked for while edges of cycles, times all edges, are at most this many.
const CUT_WORK: usize = 2_000_000_000;

/// Lines of best play are told for drawings of at most so many edges.
const LINE_EDGES: usize = 200;

/// Green Hackenbush; a position is a graph and its ground.
#[derive(Debug)]
pub struct Hackenbush;

/// A drawing; vertex 0 is the ground.
#[derive(Clone, Debug)]
struct Drawing {
    /// The ends of each edge; `None` when it is cut or has fallen.
    edges: Vec<Option<(usize, usize)>>,
    vertices: usize,
}

/// A drawing with its cycles fused.
struct Fused {
    /// For each vertex the part that it lies in; the ground lies in part 0. `None` if it has fallen.
    part: Vec<Option<usize>>,
    /// For each part the bridge that it hangs by and the part below; `None` for the ground. Parts come after those below.
    below: Vec<Option<(usize, usize)>>,
    /// The nim-sum of what grows from the part: its loops, and stalks above its bridges.
    value: Vec<u64>,
}

impl Drawing {
    fn fuse(&self) -> Fused {
        let mut near: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.vertices];
        for (edge, ends) in self.edges.iter().enumerate() {
            if let Some((a, b)) = *ends {
                near[a].push((edge, b));
                if a != b {
                    near[b].push((edge, a));
                }
            }
        }
        // One walk in depth: when each vertex was entered, and the earliest that edges from above it lead back to.
        const NEVER: usize = usize::MAX;
        let mut entered = vec![NEVER; self.vertices];
        let mut low = vec![NEVER; self.vertices];
        let mut by: Vec<Option<(usize, usize)>> = vec![None; self.vertices];
        let mut order = Vec::new();
        let mut next = vec![0; self.vertices];
        let mut stack = vec![0];
        entered[0] = 0;
        low[0] = 0;
        order.push(0);
        while let Some(&vertex) = stack.last() {
            if let Some(&(edge, other)) = near[vertex].get(next[vertex]) {
                next[vertex] += 1;
                if entered[other] == NEVER {
                    entered[other] = order.len();
                    low[other] = order.len();
                    by[other] = Some((edge, vertex));
                    order.push(other);
                    stack.push(other);
                } else if by[vertex].is_none_or(|(back, _)| back != edge) {
                    low[vertex] = low[vertex].min(entered[other]);
                }
                continue;
            }
            stack.pop();
            if let Some((_, below)) = by[vertex] {
                low[below] = low[below].min(low[vertex]);
            }
        }
        // A vertex begins a part of its own exactly if its edge down is a bridge.
        let mut fused = Fused { part: vec![None; self.vertices], below: Vec::new(), value: Vec::new() };
        for &vertex in &order {
            fused.part[vertex] = match by[vertex] {
                Some((_, below)) if low[vertex] < entered[vertex] => fused.part[below],
                down => {
                    let under = down.map(|(edge, below)| {
                        (edge, fused.part[below].expect("the vertex below was entered before"))
                    });
                    fused.below.push(under);
                    Some(fused.below.len() - 1)
                }
            };
        }
        fused.value = vec![0; fused.below.len()];
        for &(a, b) in self.edges.iter().flatten() {
            if let (Some(a), Some(b)) = (fused.part[a], fused.part[b])
                && a == b
            {
                fused.value[a] ^= 1;
            }
        }
        for part in (1..fused.below.len()).rev() {
            let (_, below) = fused.below[part].expect("only the ground has no bridge");
            fused.value[below] ^= fused.value[part] + 1;
        }
        fused
    }

    /// The drawing after a cut; what falls is gone.
    fn cut(&self, edge: usize) -> Drawing {
        let mut left = self.clone();
        left.edges[edge] = None;
        let part = left.fuse().part;
        for ends in &mut left.edges {
            if ends.is_some_and(|(a, _)| part[a].is_none()) {
                *ends = None;
            }
        }
        left
    }

    /// The nimber and every cut that makes it 0; `None` for the cuts if there are too many to look at.
    fn winning(&self, clock: &Clock) -> Result<(u64, Option<Vec<usize>>), Error> {
        let fused = self.fuse();
        let nimber = fused.value[0];
        let inside = |ends: &Option<(usize, usize)>| {
            ends.is_some_and(|(a, b)| fused.part[a].is_some() && fused.part[a] == fused.part[b])
        };
        let cycles: Vec<usize> = (0..self.edges.len()).filter(|&edge| inside(&self.edges[edge])).collect();
        if nimber == 0 {
            return Ok((0, Some(Vec::new())));
        }
        if cycles.len().saturating_mul(self.edges.len()) > CUT_WORK {
            return Ok((nimber, None));
        }
        let mut cuts = Vec::new();
        // What the value of a part must become for the whole to be 0.
        let mut wanted: Vec<Option<u64>> = vec![Some(0)];
        for part in 1..fused.below.len() {
            let (bridge, below) = fused.below[part].expect("only the ground has no bridge");
            let stalk = wanted[below].map(|wanted| wanted ^ fused.value[below] ^ (fused.value[part] + 1));
            if stalk == Some(0) {
                cuts.push(bridge);
            }
            wanted.push(stalk.and_then(|stalk| stalk.checked_sub(1)));
        }
        let mut without = self.clone();
        for edge in cycles {
            clock.check().map_err(|e| {
                e.so_far(format!("the nimber is {nimber}; {} winning cuts were found", cuts.len()))
            })?;
            let ends = without.edges[edge].take();
            if without.fuse().value[0] == 0 {
                cuts.push(edge);
            }
            without.edges[edge] = ends;
        }
        cuts.sort_unstable();
        Ok((nimber, Some(cuts)))
    }

    fn standing(&self) -> Vec<usize> {
        (0..self.edges.len()).filter(|&edge| self.edges[edge].is_some()).collect()
    }
}

/// The drawing and the words for its edges.
fn read(given: &Given) -> Result<(Drawing, Vec<String>), Error> {
    let network = Network::read(given, &["ground"])?;
    let mut ground = network.vertices("ground")?;
    if ground.is_empty() {
        ground.extend(network.vertex("ground"));
    }
    if ground.is_empty() {
        return Err(Error::new("position", "which vertices stand on the ground?")
            .help(format!("say ground=, one or several of {}, or call one `ground`", network.some_names())));
    }
    let mut number = vec![0; network.names.len()];
    let mut vertices = 1;
    for (vertex, number) in number.iter_mut().enumerate() {
        if !ground.contains(&vertex) {
            *number = vertices;
            vertices += 1;
        }
    }
    let edges = network.both_ways()?.iter().map(|&(a, b)| Some((number[a], number[b]))).collect();
    let mut drawing = Drawing { edges, vertices };
    let part = drawing.fuse().part;
    if let Some(&(a, b)) = network.edges.iter().find(|(a, _)| part[number[*a]].is_none()) {
        return Err(Error::new(
            "position",
            format!(
                "the edge {}-{} does not hang together with the ground",
                network.names[a], network.names[b]
            ),
        ));
    }
    drawing.edges.shrink_to_fit();
    let words =
        network.edges.iter().map(|&(a, b)| format!("{}-{}", network.names[a], network.names[b])).collect();
    Ok((drawing, words))
}

impl BuiltIn for Hackenbush {
    fn name(&self) -> &'static str {
        "hackenbush"
    }

    fn summary(&self) -> &'static str {
        "cut an edge of a green drawing; what no longer hangs on the ground falls; whoever cannot cut loses"
    }

    fn usage(&self) -> &'static str {
        "a graph and its ground: `ground=a a-b b-c`, or ground=a and @FILE with edges or DOT"
    }

    fn verdict(&self, position: &Given, _limits: &Limits) -> Result<Verdict, Error> {
        let (drawing, _) = read(position)?;
        Ok(Verdict::Outcome(Outcome::won(drawing.fuse().value[0] != 0)))
    }

    fn answer(&self, position: &Given, limits: &Limits) -> Result<Answer, Error> {
        let (drawing, words) = read(position)?;
        let clock = limits.clock();
        let (nimber, cuts) = drawing.winning(&clock)?;
        let best = if nimber == 0 { Some(drawing.standing()) } else { cuts };
        let line =
            if drawing.edges.len() <= LINE_EDGES { Some(line(&drawing, &words, &clock)?) } else { None };
        let parts = counted(drawing.fuse().below.len(), "part", "parts");
        Ok(Answer {
            verdict: Verdict::Outcome(Outcome::won(nimber != 0)),
            nimber: Some(Nimber::from(nimber)),
            moves: best.map(|edges| edges.iter().map(|&edge| words[edge].clone()).collect()),
            line,
            reason: format!(
                "nimber {nimber} by the fusion and colon principles: fused into a tree of {parts}"
            ),
        })
    }
}

/// A line of best play: the first winning cut, or the first edge.
fn line(drawing: &Drawing, words: &[String], clock: &Clock) -> Result<Vec<String>, Error> {
    let mut at = drawing.clone();
    let mut line = Vec::new();
    loop {
        let (_, cuts) = at.winning(clock)?;
        let first = cuts.and_then(|cuts| cuts.first().copied());
        let Some(edge) = first.or_else(|| at.standing().first().copied()) else { return Ok(line) };
        line.push(words[edge].clone());
        at = at.cut(edge);
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    fn answer(text: &str) -> Answer {
        Hackenbush.answer(&Given::Text(text.to_string()), &Limits::default()).unwrap()
    }

    /// The nimber of the edges of `left` that hang on vertex 0, by the rule alone.
    fn plain(edges: &[(usize, usize)], left: u32, known: &mut std::collections::HashMap<u32, u32>) -> u32 {
        let mut standing = 0u32;
        let mut held = 1u32;
        loop {
            let before = standing;
            for (edge, &(a, b)) in edges.iter().enumerate() {
                if left >> edge & 1 == 1 && (held >> a | held >> b) & 1 == 1 {
                    held |= 1 << a | 1 << b;
                    standing |= 1 << edge;
                }
            }
            if standing == before {
                break;
            }
        }
        if let Some(&nimber) = known.get(&standing) {
            return nimber;
        }
        let seen: Vec<u32> = (0..edges.len())
            .filter(|edge| standing >> edge & 1 == 1)
            .map(|edge| plain(edges, standing & !(1 << edge), known))
            .collect();
        let nimber = (0..).find(|value| !seen.contains(value)).unwrap();
        known.insert(standing, nimber);
        nimber
    }

    #[test]
    fn fusion_and_colon_are_search_of_the_definition() {
        let random = &mut Random::new(9);
        for round in 0..600 {
            let vertices = 2 + random.below(6);
            // Every vertex hangs on an earlier one; more edges, loops and parallels among them, make cycles.
            let mut edges: Vec<(usize, usize)> =
                (1..vertices).map(|v| (v as usize, random.below(v) as usize)).collect();
            for _ in 0..random.below(if round % 3 == 0 { 1 } else { 6 }) {
                edges.push((random.below(vertices) as usize, random.below(vertices) as usize));
            }
            let text: String = edges.iter().map(|(a, b)| format!("{a}-{b} ")).collect();
            let known = &mut std::collections::HashMap::new();
            let all = (1u32 << edges.len()) - 1;
            let nimber = plain(&edges, all, known);
            let found = answer(&format!("ground=0 {text}"));
            assert_eq!(found.nimber, Some(nimber.into()), "{text}");
            let wins = |edge: &usize| nimber == 0 || plain(&edges, all & !(1 << edge), known) == 0;
            let cuts: Vec<usize> = (0..edges.len()).filter(wins).collect();
            let cuts: Vec<String> = cuts.iter().map(|&e| format!("{}-{}", edges[e].0, edges[e].1)).collect();
            assert_eq!(found.moves, Some(cuts), "{text}");
            assert_eq!(found.line.unwrap().len() % 2 == 1, nimber != 0, "{text}");
        }
    }

    #[test]
    fn several_vertices_may_stand_on_the_ground() {
        // A bridge over the ground is a cycle of three edges: worth 1.
        assert_eq!(answer("ground=a,d a-b b-c c-d").nimber, Some(1));
        assert_eq!(answer("ground-a a-b").nimber, Some(2));
    }

    #[test]
    fn long_stalks_need_no_deep_stack() {
        let text =
            format!("ground=0 {}", (0..100_000).map(|v| format!("{v}-{} ", v + 1)).collect::<String>());
        let found = answer(&text);
        assert_eq!((found.nimber, found.moves), (Some(100_000), Some(vec!["0-1".to_string()])));
    }

    #[test]
    fn drawings_that_are_none_are_refused() {
        for text in ["a-b", "ground=a a-b c-d", "ground=x a-b"] {
            assert!(Hackenbush.answer(&Given::Text(text.to_string()), &Limits::default()).is_err(), "{text}");
        }
    }
}
