//! One token on a graph: heap n has the options m for the rows (n, m) of a list of pairs.
//!
//! The rows are laid out by node (one array of targets, one of where each node's begin), and the nodes are
//! settled in the order in which a depth-first walk leaves them: each is then looked at once, and an edge to a
//! node that is still being walked closes a loop, which is printed. Values below 64 are collected in one word.
//! If every edge leads to a smaller number, counting up is such an order and there is no walk.

use grundy_rule::expr::Int;
use grundy_rule::pairs::{Pairs, halves};

use super::Store;
use super::engine::Engine;
use super::reference::loop_error;
use crate::error::Error;
use crate::limits::{self, Clock};
use crate::nimber::Mex;

/// The engine: all values are known when it is made.
pub(super) struct Token {
    values: Vec<u32>,
    next: usize,
}

/// The edges as they were given.
struct Edges<'a> {
    pairs: &'a Pairs,
    reversed: bool,
}

impl Edges<'_> {
    /// Each edge as (heap, option).
    fn each(&self, mut take: impl FnMut(u64, u64)) {
        if let Some(words) = self.pairs.words() {
            for word in words {
                let (from, to) = halves(if self.reversed { word.rotate_left(32) } else { *word });
                take(from.into(), to.into());
            }
            return;
        }
        for (a, b) in self.pairs.iter() {
            let (from, to) = if self.reversed { (b, a) } else { (a, b) };
            // What is no natural number is no heap.
            if let (Ok(from), Ok(to)) = (u64::try_from(from), u64::try_from(to)) {
                take(from, to);
            }
        }
    }
}

/// The graph, nodes numbered without gaps: the heaps `0..=n` first, then those beyond that edges lead to.
struct Layout {
    /// Heaps beyond `n`, ascending.
    beyond: Vec<u64>,
    heaps: usize,
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Layout {
    /// Of the edges, as (heap, option), that start at heaps up to `n` or at heaps they lead to.
    fn new(edges: &Edges<'_>, n: u64, clock: &Clock) -> Result<Self, Error> {
        let many = || Error::new("memory", "the graph has more than 2^32 nodes or edges");
        let heaps = u32::try_from(n).ok().and_then(|n| n.checked_add(1)).ok_or_else(many)? as usize;
        let (mut count, mut beyond) = (0_usize, Vec::new());
        edges.each(|from, to| {
            count += 1;
            for node in [from, to] {
                if node > n {
                    beyond.push(node);
                }
            }
        });
        beyond.sort_unstable();
        beyond.dedup();
        let nodes = heaps + beyond.len();
        if u32::try_from(nodes).is_err() || u32::try_from(count).is_err() {
            return Err(many());
        }
        clock.memory((nodes as u64 + count as u64) * 4 + beyond.len() as u64 * 8)?;
        let (mut starts, mut targets) = (Vec::new(), Vec::new());
        limits::reserve(&mut starts, nodes + 2)?;
        limits::reserve(&mut targets, count)?;
        starts.resize(nodes + 2, 0_u32);
        targets.resize(count, 0_u32);
        let mut layout = Layout { beyond, heaps, starts, targets };
        // Counting sort by node, in two passes; `starts` is shifted by one until the second is done.
        let mut starts = std::mem::take(&mut layout.starts);
        edges.each(|from, _| starts[layout.node(from) + 2] += 1);
        for node in 2..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut targets = std::mem::take(&mut layout.targets);
        edges.each(|from, to| {
            let start = &mut starts[layout.node(from) + 1];
            targets[*start as usize] = u32::try_from(layout.node(to)).expect("fewer than 2^32 nodes");
            *start += 1;
        });
        layout.starts = starts;
        layout.targets = targets;
        Ok(layout)
    }

    fn node(&self, heap: u64) -> usize {
        match usize::try_from(heap) {
            Ok(heap) if heap < self.heaps => heap,
            _ => self.heaps + self.beyond.partition_point(|other| *other < heap),
        }
    }

    fn heap(&self, node: usize) -> u64 {
        node.checked_sub(self.heaps).map_or(node as u64, |index| self.beyond[index])
    }

    fn targets(&self, node: usize) -> &[u32] {
        &self.targets[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    fn nodes(&self) -> usize {
        self.starts.len() - 2
    }
}

/// Not a value: the node has not been met.
const NEW: u32 = u32::MAX;
/// Not a value: the walk is below the node.
const OPEN: u32 = u32::MAX - 1;

impl Token {
    /// For that list of pairs, read as (heap, option), or the other way round if `reversed`.
    pub(super) fn new(pairs: &Pairs, reversed: bool, n: u64, clock: &Clock) -> Result<Self, Error> {
        let edges = Edges { pairs, reversed };
        let greatest = pairs.hulls().map_or(0, |hulls| hulls.first.1.max(hulls.second.1));
        if greatest > Int::from(u64::MAX) {
            return Err(Error::new("graph", format!("the node {greatest} of the graph passes 2^64 - 1")));
        }
        if let Some(words) = pairs.words().filter(|_| !reversed && falls(pairs)) {
            let heaps = n.checked_add(1).and_then(|heaps| usize::try_from(heaps).ok());
            let heaps = heaps
                .ok_or_else(|| Error::new("memory", "the graph has more nodes than any memory holds"))?;
            clock.memory(heaps as u64 * 4)?;
            let mut values = Vec::new();
            limits::reserve(&mut values, heaps)?;
            values.resize(heaps, 0);
            upwards(words, &mut values);
            return Ok(Token { values, next: 0 });
        }
        let layout = Layout::new(&edges, n, clock)?;
        clock.memory(layout.nodes() as u64 * 4 + pairs.len() as u64 * 4)?;
        let mut values = Vec::new();
        limits::reserve(&mut values, layout.nodes())?;
        values.resize(layout.nodes(), NEW);
        let mut mex = Mex::new();
        let targets_fall =
            (0..layout.nodes()).all(|node| layout.targets(node).iter().all(|to| (*to as usize) < node));
        if targets_fall {
            for node in 0..layout.heaps {
                values[node] = value(layout.targets(node).iter().copied(), &values, &mut mex);
            }
        } else {
            walk(&layout, &mut values, &mut mex, clock)?;
        }
        values.truncate(layout.heaps);
        Ok(Token { values, next: 0 })
    }
}

/// Whether every row leads from a number to a smaller one.
fn falls(pairs: &Pairs) -> bool {
    pairs.hulls().is_none_or(|hulls| hulls.difference.is_some_and(|(least, _)| least >= 1))
}

/// The values of heaps `0..`, all 0 so far, where every edge leads to a smaller heap: the rows stand in the order in
/// which they are needed.
fn upwards(words: &[u64], values: &mut [u32]) {
    let mut mex = Mex::new();
    let mut start = 0;
    while let Some(word) = words.get(start) {
        let node = halves(*word).0;
        if node as usize >= values.len() {
            return;
        }
        let count = words[start..].iter().take_while(|word| halves(**word).0 == node).count();
        let row = &words[start..start + count];
        values[node as usize] = value(row.iter().map(|word| halves(*word).1), values, &mut mex);
        start += count;
    }
}

/// The mex of the values of nodes that all have one.
fn value(targets: impl Iterator<Item = u32> + Clone, values: &[u32], mex: &mut Mex) -> u32 {
    let mut mask = 0_u64;
    let mut large = false;
    for to in targets.clone() {
        match values[to as usize] {
            small @ 0..64 => mask |= 1 << small,
            _ => large = true,
        }
    }
    if mask != u64::MAX || !large {
        return mask.trailing_ones();
    }
    mex.clear();
    targets.for_each(|to| mex.insert(values[to as usize]));
    u32::try_from(mex.mex()).expect("a node has fewer than 2^32 edges")
}

/// Settles the heaps `0..=n` and whatever they lead to.
fn walk(layout: &Layout, values: &mut [u32], mex: &mut Mex, clock: &Clock) -> Result<(), Error> {
    // A node and how many of its edges have been walked.
    let mut stack: Vec<(u32, u32)> = Vec::new();
    for start in 0..layout.heaps {
        if values[start] != NEW {
            continue;
        }
        clock.check()?;
        stack.push((u32::try_from(start).expect("fewer than 2^32 nodes"), 0));
        while let Some((node, walked)) = stack.last_mut() {
            let index = *node as usize;
            values[index] = OPEN;
            match layout.targets(index).get(*walked as usize) {
                Some(to) => {
                    *walked += 1;
                    match values[*to as usize] {
                        NEW => stack.push((*to, 0)),
                        OPEN => {
                            let at = stack.iter().position(|(node, _)| node == to).unwrap_or(0);
                            let length = stack.len() - at;
                            let show = |i: usize| layout.heap(stack[at + i % length].0 as usize).to_string();
                            return Err(loop_error(&show, length));
                        }
                        _ => {}
                    }
                }
                None => {
                    values[index] = value(layout.targets(index).iter().copied(), values, mex);
                    stack.pop();
                }
            }
        }
    }
    Ok(())
}

impl Engine for Token {
    fn fill(&mut self, store: &mut Store, more: usize) -> Result<(), Error> {
        store.extend(&self.values[self.next..self.next + more])?;
        self.next += more;
        Ok(())
    }

    fn reads_back(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        self.values.capacity() as u64 * 4
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::testing::{agrees, naive};
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;

    fn engine(pairs: &[(Int, Int)], reversed: bool, n: u64) -> Result<Token, Error> {
        Token::new(&Pairs::new(pairs.to_vec()), reversed, n, &Limits::default().clock())
    }

    proptest! {
        #[test]
        fn equals_the_definition(
            pairs in prop::collection::btree_set((0_u64..100, 0_u64..100), 0..600),
            order in Just((0..100_u64).collect::<Vec<_>>()).prop_shuffle(),
            falling: bool,
            cut in 1_usize..90,
        ) {
            let pairs: Vec<(u64, u64)> = pairs.into_iter().filter(|(a, b)| b < a).collect();
            let plain = naive(99, |n| pairs.iter().filter(|(a, _)| *a == n).map(|(_, b)| vec![*b]).collect());
            // The same graph with its nodes renamed: edges then lead up and down.
            let name = |node: u64| if falling { node } else { order[usize::try_from(node).unwrap()] };
            let renamed: Vec<(Int, Int)> = pairs.iter().map(|(a, b)| (Int::from(name(*a)), Int::from(name(*b)))).collect();
            let mut values = vec![0; 100];
            for (node, value) in plain.iter().enumerate() {
                values[usize::try_from(name(node as u64)).unwrap()] = *value;
            }
            agrees(&mut engine(&renamed, false, 99).unwrap(), &values, cut)?;
            // Fewer heaps asked for: the others lie beyond.
            agrees(&mut engine(&renamed, false, 30).unwrap(), &values[..31], cut)?;
            let turned: Vec<(Int, Int)> = renamed.iter().map(|(a, b)| (*b, *a)).collect();
            agrees(&mut engine(&turned, true, 99).unwrap(), &values, cut)?;
        }
    }

    #[test]
    fn values_beyond_a_word() {
        let pairs: Vec<(Int, Int)> = (0..150).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        agrees(&mut engine(&pairs, false, 149).unwrap(), &(0..150).collect::<Vec<_>>(), 64).unwrap();
    }

    #[test]
    fn a_loop_is_printed_and_others_do_not_matter() {
        let error = engine(&[(0, 5), (5, 9), (9, 7), (7, 5), (2, 2)], false, 1).err().unwrap();
        assert_eq!(error.id(), "loop");
        assert!(error.to_string().contains("5 -> 9 -> 7 -> 5"), "{error}");
        // The loop at 2 is not reached from the heaps asked for, nor does a negative row count.
        agrees(&mut engine(&[(0, 5), (2, 2), (1, -1)], false, 1).unwrap(), &[1, 0], 2).unwrap();
        // A long chain needs no deep call.
        let chain: Vec<(Int, Int)> = (0..200_000).map(|n| (n, n + 1)).collect();
        assert_eq!(engine(&chain, false, 0).unwrap().values, [0]);
    }
}
