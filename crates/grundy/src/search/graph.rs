//! A directed graph of positions and moves, in compressed rows.
//!
//! Nodes are numbers from 0; the arcs of a node lie one after another in one long list (CSR, "compressed sparse
//! row"), so that a million nodes with five million arcs take 24 MB and are walked in the order of memory. Several
//! arcs between the same two nodes are allowed, and so are arcs from a node to itself.

use crate::error::Error;
use crate::limits::reserve;

/// A directed graph with up to 2^32 - 1 nodes and as many arcs.
///
/// ```
/// use grundy::search::graph::Digraph;
/// let graph = Digraph::from_arcs(4, &[(2, 1), (2, 0), (3, 3)])?;
/// assert_eq!((graph.nodes(), graph.arcs()), (4, 3));
/// assert_eq!(graph.after(2), [1, 0]);
/// assert!(graph.after(0).is_empty());
/// # Ok::<(), grundy::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digraph {
    /// The arcs of node v are those from `starts[v]` to `starts[v + 1]`.
    starts: Vec<u32>,
    heads: Vec<u32>,
}

impl Default for Digraph {
    fn default() -> Self {
        Digraph { starts: vec![0], heads: Vec::new() }
    }
}

impl Digraph {
    /// The graph without nodes, for [`Digraph::push`].
    #[must_use]
    pub fn new() -> Self {
        Digraph::default()
    }

    /// Adds a node, numbered by the nodes before it, with its arcs. They may lead to nodes that are added later.
    ///
    /// # Errors
    /// `graph` for more than 2^32 - 1 nodes or arcs.
    pub fn push(&mut self, heads: impl IntoIterator<Item = u32>) -> Result<(), Error> {
        self.heads.extend(heads);
        let end = u32::try_from(self.heads.len()).map_err(|_| too_many())?;
        if self.starts.len() == u32::MAX as usize {
            return Err(too_many());
        }
        self.starts.push(end);
        Ok(())
    }

    /// A graph from a list of arcs in any order, by counting; the arcs of a node keep their order.
    ///
    /// # Errors
    /// `graph` for an arc that leads outside, or for more than 2^32 - 1 nodes or arcs; `memory`.
    pub fn from_arcs(nodes: u32, arcs: &[(u32, u32)]) -> Result<Digraph, Error> {
        if nodes == u32::MAX || u32::try_from(arcs.len()).is_err() {
            return Err(too_many());
        }
        let count = nodes as usize;
        let mut starts = Vec::new();
        let mut heads = Vec::new();
        reserve(&mut starts, count + 1)?;
        reserve(&mut heads, arcs.len())?;
        starts.resize(count + 1, 0);
        heads.resize(arcs.len(), 0);
        for &(from, to) in arcs {
            if from >= nodes || to >= nodes {
                return Err(Error::new(
                    "graph",
                    format!(
                        "the arc from {from} to {to} leads outside the graph: its nodes are 0 to {}",
                        nodes.max(1) - 1
                    ),
                ));
            }
            starts[from as usize] += 1;
        }
        // Counts become ends; filling from the back turns ends into starts.
        let mut total = 0;
        for entry in &mut starts {
            total += *entry;
            *entry = total;
        }
        for &(from, to) in arcs.iter().rev() {
            let at = &mut starts[from as usize];
            *at -= 1;
            heads[*at as usize] = to;
        }
        Ok(Digraph { starts, heads })
    }

    /// Reads arcs from text: numbers in white space or commas, two by two. The nodes are 0 to the greatest number.
    /// `#` begins a comment.
    ///
    /// # Errors
    /// `graph`, naming the line, for what is no number below 2^32 - 1 and for a number without its second; `memory`.
    ///
    /// ```
    /// use grundy::search::graph::Digraph;
    /// let graph = Digraph::read(b"# a triangle and its way out\n0 1\n1 2\n2 0\n2 3\n")?;
    /// assert_eq!(graph.after(2), [0, 3]);
    /// assert_eq!(Digraph::read(b"0 1\n1 x").unwrap_err().message(), "line 2: `x` is no node: nodes are numbers below 2^32 - 1");
    /// # Ok::<(), grundy::error::Error>(())
    /// ```
    pub fn read(text: &[u8]) -> Result<Digraph, Error> {
        let mut arcs: Vec<(u32, u32)> = Vec::new();
        let mut nodes = 0;
        let mut from = None;
        let mut line = 1;
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            match byte {
                b'\n' => line += 1,
                b' ' | b'\t' | b'\r' | b',' => {}
                b'#' => {
                    at += text[at..].iter().position(|&b| b == b'\n').unwrap_or(text.len() - at);
                    continue;
                }
                _ => {
                    let begin = at;
                    let mut number: Option<u32> = Some(0);
                    while let Some(&byte) = text.get(at).filter(|b| !b" \t\r\n,#".contains(b)) {
                        number = match byte {
                            b'0'..=b'9' => number
                                .and_then(|n| n.checked_mul(10))
                                .and_then(|n| n.checked_add(u32::from(byte - b'0'))),
                            _ => None,
                        };
                        at += 1;
                    }
                    let Some(node) = number.filter(|&n| n < u32::MAX - 1) else {
                        let word = String::from_utf8_lossy(&text[begin..at]);
                        return Err(Error::new(
                            "graph",
                            format!("line {line}: `{word}` is no node: nodes are numbers below 2^32 - 1"),
                        ));
                    };
                    nodes = nodes.max(node + 1);
                    match from.take() {
                        None => from = Some(node),
                        Some(from) => arcs.push((from, node)),
                    }
                    continue;
                }
            }
            at += 1;
        }
        if let Some(node) = from {
            return Err(Error::new("graph", format!("line {line}: the arc from {node} has no second node")));
        }
        Digraph::from_arcs(nodes, &arcs)
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many arcs there are.
    #[must_use]
    pub fn arcs(&self) -> usize {
        self.heads.len()
    }

    /// The nodes that the arcs of a node lead to, in order.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn after(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.heads[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The graph with every arc turned round, the arcs of a node in falling order. `None` if an arc leads to a node that was never added.
    pub(super) fn reversed(&self) -> Result<Option<Digraph>, Error> {
        let count = self.nodes();
        let mut starts: Vec<u32> = Vec::new();
        let mut heads: Vec<u32> = Vec::new();
        reserve(&mut starts, count + 1)?;
        reserve(&mut heads, self.heads.len())?;
        starts.resize(count + 1, 0);
        heads.resize(self.heads.len(), 0);
        for &to in &self.heads {
            match starts[..count].get_mut(to as usize) {
                Some(entry) => *entry += 1,
                None => return Ok(None),
            }
        }
        let mut total = 0;
        for entry in &mut starts {
            total += *entry;
            *entry = total;
        }
        for (from, rows) in (0..).zip(self.starts.windows(2)) {
            for &to in &self.heads[rows[0] as usize..rows[1] as usize] {
                let at = &mut starts[to as usize];
                *at -= 1;
                heads[*at as usize] = from;
            }
        }
        Ok(Some(Digraph { starts, heads }))
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<u32>() * (self.starts.capacity() + self.heads.capacity())
    }
}

fn too_many() -> Error {
    Error::new("graph", "the graph has more than 2^32 - 1 nodes or arcs")
}
