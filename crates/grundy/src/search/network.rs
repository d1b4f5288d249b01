//! A graph as a position gives it: vertices with names, what joins them, and words about single vertices.
//!
//! One reader for all games on graphs. It takes
//!
//! * numbers, two by two: `0 1 1 2 2 0`;
//! * links: `a-b-c c->d e` (`e` stands alone);
//! * lines of two names, `a b`, a name alone on its line being a vertex without edges;
//! * DOT: `graph { a -- b }`, see [`dot`];
//! * graph6, see [`graph6`];
//! * families: `path 10`, `cycle 5`, `complete 4`, `star 6`, `grid 3 4`, and the chess graphs `queens 8`, `kings`,
//!   `knights`, `rooks`, `bishops` (two vertices are joined if the piece moves from one square to the other).
//!
//! Before or after it, words such as `start=a` or `ground=a,b` name vertices. `#` begins a comment on a line of its own.

use std::collections::HashMap;

use grundy_rule::Int;

use super::{Given, dot, graph6};
use crate::error::Error;

/// A family with more vertices than this is refused: no game on it can be searched.
const MOST_VERTICES: usize = 10_000;

/// A graph with named vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The names, by number.
    pub names: Vec<String>,
    /// The edges in the order given; loops and parallel edges are kept.
    pub edges: Vec<(usize, usize)>,
    /// Whether edges have a direction, where the text says so: yes for `a->b` and `digraph`, no for `a-b`, `graph`, graph6
    /// and families. Plain pairs leave it open.
    pub directed: Option<bool>,
    /// `start=a`: words about vertices.
    words: Vec<(String, String)>,
}

impl Network {
    /// Reads a graph; `words` are the names that may stand before `=`.
    ///
    /// # Errors
    /// `graph`, saying what was found where something else must stand.
    ///
    /// ```
    /// use grundy::search::{Given, network::Network};
    /// let network = Network::read(&Given::Text("start=a a-b b-c".into()), &["start"])?;
    /// assert_eq!(network.names, ["a", "b", "c"]);
    /// assert_eq!(network.edges, [(0, 1), (1, 2)]);
    /// assert_eq!(network.vertices("start")?, [0]);
    /// let queens = Network::read(&Given::Text("queens 8".into()), &[])?;
    /// assert_eq!((queens.names.len(), queens.edges.len()), (64, 728));
    /// # Ok::<(), grundy::error::Error>(())
    /// ```
    pub fn read(given: &Given, words: &[&str]) -> Result<Network, Error> {
        match given {
            Given::Numbers(numbers) => Network::pairs(numbers),
            Given::Text(text) => {
                let (text, found) = take_words(text, words)?;
                let mut network = Network::from_text(&text)?;
                network.words = found;
                Ok(network)
            }
        }
    }

    fn from_text(text: &str) -> Result<Network, Error> {
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        if dot::is_dot(&lines.join("\n")) {
            let dot::Dot { directed, names, edges } = dot::read(text)?;
            return Ok(Network { names, edges, directed: Some(directed), words: Vec::new() });
        }
        let tokens: Vec<&str> = lines.iter().flat_map(|line| parts(line)).collect();
        if let Some(network) = family(&tokens)? {
            return Ok(network);
        }
        if let [word] = tokens[..] {
            let word = word.strip_prefix("graph6:").unwrap_or(word);
            let letters = word.strip_prefix(">>graph6<<").unwrap_or(word);
            if tokens[0] != word || letters != word || letters.bytes().all(|b| (63..=126).contains(&b)) {
                let (vertices, edges) = graph6::read(word).map_err(|error| neither(tokens[0], &error))?;
                return Ok(Network::numbered(vertices, edges));
            }
        }
        let mut builder = Builder::default();
        if tokens.iter().any(|token| token.contains('-')) {
            tokens.iter().try_for_each(|token| builder.chain(token))?;
        } else if lines.len() == 1 {
            builder.two_by_two(&tokens)?;
        } else {
            for line in lines {
                match parts(line).collect::<Vec<_>>()[..] {
                    [alone] => drop(builder.vertex(alone)),
                    [from, to] => builder.edge(from, to),
                    _ => {
                        return Err(Error::new(
                            "graph",
                            format!("the line `{line}` holds more than two names"),
                        )
                        .help("an edge a line, `a b`, or links such as a-b-c"));
                    }
                }
            }
        }
        if builder.network.names.is_empty() {
            return Err(Error::new("graph", "no graph is given").help(HELP));
        }
        Ok(builder.sorted())
    }

    fn pairs(numbers: &[Int]) -> Result<Network, Error> {
        let words: Vec<String> = numbers.iter().map(Int::to_string).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut builder = Builder::default();
        builder.two_by_two(&words)?;
        Ok(builder.sorted())
    }

    fn numbered(vertices: usize, edges: Vec<(usize, usize)>) -> Network {
        let names = (0..vertices).map(|vertex| vertex.to_string()).collect();
        Network { names, edges, directed: Some(false), words: Vec::new() }
    }

    /// The arcs: the edges as they are written, and the other way too where the text says that they have no direction.
    #[must_use]
    pub fn arcs(&self) -> Vec<(usize, usize)> {
        let back =
            self.edges.iter().filter(|(a, b)| self.directed == Some(false) && a != b).map(|&(a, b)| (b, a));
        self.edges.iter().copied().chain(back).collect()
    }

    /// The edges, for a game in which they have no direction.
    ///
    /// # Errors
    /// `graph` if the text says that they have one.
    pub fn both_ways(&self) -> Result<&[(usize, usize)], Error> {
        match self.directed {
            Some(true) => {
                Err(Error::new("graph", "the edges of this game have no direction, and those given do")
                    .help("write a-b, or `graph` with `--`"))
            }
            _ => Ok(&self.edges),
        }
    }

    /// The vertices that a word such as `start=a,b` names; empty if the word was not given.
    ///
    /// # Errors
    /// `graph` for a name that no vertex has.
    pub fn vertices(&self, word: &str) -> Result<Vec<usize>, Error> {
        let mut found = Vec::new();
        for (_, value) in self.words.iter().filter(|(key, _)| key == word) {
            if let Some(vertex) = self.vertex(value) {
                // A name with a comma in it, as squares have.
                found.push(vertex);
                continue;
            }
            for name in value.split(',') {
                let at = self.names.iter().position(|known| known == name);
                found.push(at.ok_or_else(|| {
                    Error::new("graph", format!("{word}={name} names no vertex of the graph"))
                        .help(format!("its vertices are {}", self.some_names()))
                })?);
            }
        }
        Ok(found)
    }

    /// The vertex of that name.
    #[must_use]
    pub fn vertex(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The first names, for messages.
    #[must_use]
    pub fn some_names(&self) -> String {
        let mut list = self.names.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        if self.names.len() > 8 {
            list += ", ...";
        }
        list
    }
}

/// What may be given, for advice.
const HELP: &str = "edges as a-b b-c or a->b, two numbers an edge, a DOT text, a graph6 word, or a family such as \
                    `path 10`, `queens 8`; @FILE reads a file";

/// The error for a single word that is no graph6.
fn neither(word: &str, why: &Error) -> Error {
    let message =
        format!("`{word}` is no family of graphs that is known, and no graph6 word: {}", why.message());
    Error::new("graph", message).help(format!("{HELP} (`@{word}`, if that is the name of a file)"))
}

/// The names of a line: parted by white space, commas and semicolons.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty())
}

/// Words and what they name: `start=a` as `("start", "a")`.
type Named = Vec<(String, String)>;

/// Takes `word=value` out of a text, before and after a graph in braces.
fn take_words(text: &str, words: &[&str]) -> Result<(String, Named), Error> {
    let mut found = Named::new();
    let mut rest = String::new();
    let mut depth = 0usize;
    for piece in text.split_inclusive(|c: char| c.is_whitespace()) {
        let trimmed = piece.trim_end();
        match trimmed.split_once('=') {
            Some((key, value)) if depth == 0 && words.contains(&key) && !value.is_empty() => {
                found.push((key.to_string(), value.to_string()));
                rest += &piece[trimmed.len()..];
            }
            Some((key, value)) if depth == 0 && !trimmed.contains(['{', '"']) && !value.is_empty() => {
                return Err(Error::new("graph", format!("`{key}=` is no word of this game")).help(
                    match words {
                        [] => "it takes a graph and nothing else".to_string(),
                        list => format!(
                            "it knows {}",
                            list.iter().map(|w| format!("{w}=")).collect::<Vec<_>>().join(", ")
                        ),
                    },
                ));
            }
            _ => {
                depth = (depth + trimmed.matches('{').count()).saturating_sub(trimmed.matches('}').count());
                rest += piece;
            }
        }
    }
    Ok((rest, found))
}

#[derive(Default)]
struct Builder {
    network: Network,
    numbers: HashMap<String, usize>,
}

impl Default for Network {
    /// The graph without vertices.
    fn default() -> Self {
        Network { names: Vec::new(), edges: Vec::new(), directed: None, words: Vec::new() }
    }
}

impl Builder {
    fn vertex(&mut self, name: &str) -> usize {
        *self.numbers.entry(name.to_string()).or_insert_with(|| {
            self.network.names.push(name.to_string());
            self.network.names.len() - 1
        })
    }

    fn edge(&mut self, from: &str, to: &str) {
        let edge = (self.vertex(from), self.vertex(to));
        self.network.edges.push(edge);
    }

    fn two_by_two(&mut self, words: &[&str]) -> Result<(), Error> {
        if let Some(alone) = words.last().filter(|_| words.len() % 2 == 1) {
            return Err(Error::new(
                "graph",
                format!("names come two by two, an edge each, and `{alone}` stands alone"),
            )
            .help(HELP));
        }
        words.chunks_exact(2).for_each(|pair| self.edge(pair[0], pair[1]));
        Ok(())
    }

    /// `a-b--c->d`: each joined to the next.
    fn chain(&mut self, text: &str) -> Result<(), Error> {
        let mut from: Option<String> = None;
        let mut rest = text;
        loop {
            let end = rest.find('-').unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if name.is_empty() {
                return Err(
                    Error::new("graph", format!("`{text}` lacks a vertex at one end of an edge")).help(HELP)
                );
            }
            match &from {
                None => drop(self.vertex(name)),
                Some(from) => self.edge(&from.clone(), name),
            }
            from = Some(name.to_string());
            if after.is_empty() {
                return Ok(());
            }
            let (directed, next) = match after.strip_prefix("->") {
                Some(next) => (true, next),
                None => (
                    false,
                    after.strip_prefix("--").or_else(|| after.strip_prefix('-')).expect("it was cut at `-`"),
                ),
            };
            if self.network.directed.replace(directed) == Some(!directed) {
                return Err(Error::new("graph", "some edges are written `-` and some `->`")
                    .help("an edge for both ways is two: a->b b->a"));
            }
            rest = next;
        }
    }

    /// Vertices whose names are all numbers, in the order of these.
    fn sorted(self) -> Network {
        let mut network = self.network;
        let values: Option<Vec<u64>> = network.names.iter().map(|name| name.parse().ok()).collect();
        let Some(values) = values else { return network };
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|&vertex| values[vertex]);
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        network.names = order.iter().map(|&old| network.names[old].clone()).collect();
        for (from, to) in &mut network.edges {
            (*from, *to) = (place[*from], place[*to]);
        }
        network
    }
}

/// A graph named by its family, or `None` if the first word is no family.
fn family(tokens: &[&str]) -> Result<Option<Network>, Error> {
    let Some((&name, sizes)) = tokens.split_first() else { return Ok(None) };
    let sides = match name {
        "path" | "cycle" | "complete" | "star" => 1,
        "grid" | "queens" | "kings" | "knights" | "rooks" | "bishops" => 2,
        _ => return Ok(None),
    };
    let numbers: Option<Vec<usize>> = sizes.iter().map(|size| size.parse().ok()).collect();
    let (rows, columns) = match numbers.as_deref() {
        Some([n]) if sides == 1 => (1, *n),
        Some([n]) => (*n, *n),
        Some([rows, columns]) if sides == 2 => (*rows, *columns),
        _ => {
            return Err(Error::new("graph", format!("`{name}` is followed by its size"))
                .help(if sides == 1 { format!("{name} 10") } else { format!("{name} 8, or {name} 3 5") }));
        }
    };
    let vertices = rows.checked_mul(columns).filter(|&vertices| vertices <= MOST_VERTICES);
    let vertices = vertices.ok_or_else(|| {
        Error::new(
            "graph",
            format!("this graph has more than {MOST_VERTICES} vertices, too many to be searched"),
        )
    })?;
    let mut edges = Vec::new();
    for a in 0..vertices {
        for b in a + 1..vertices {
            let (down, across) = (b / columns - a / columns, (b % columns).abs_diff(a % columns));
            let joined = match name {
                "path" => across == 1,
                "cycle" => (across == 1 && vertices > 1) || (across == vertices - 1 && vertices > 2),
                "complete" => true,
                "star" => a == 0,
                "grid" => down + across == 1,
                "queens" => down == 0 || across == 0 || down == across,
                "kings" => down <= 1 && across <= 1,
                "knights" => down * across == 2,
                "rooks" => down == 0 || across == 0,
                "bishops" => down == across,
                _ => false,
            };
            if joined {
                edges.push((a, b));
            }
        }
    }
    let mut network = Network::numbered(vertices, edges);
    if sides == 2 {
        network.names = (0..vertices).map(|v| format!("{},{}", v / columns + 1, v % columns + 1)).collect();
    }
    Ok(Some(network))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Network, Error> {
        Network::read(&Given::Text(text.to_string()), &["start", "ground"])
    }

    #[test]
    fn every_way_of_writing_gives_the_same_graph() {
        let path = Network::read(&Given::Numbers(vec![0, 1, 1, 2, 2, 3]), &[]).unwrap();
        for text in [
            "0-1-2-3",
            "0-1 1-2 2-3",
            "3-2 2--1, 1-0",
            "0 1\n1 2\n2 3\n",
            "path 4",
            "Ch",
            "graph6:Ch",
            ">>graph6<<Ch",
        ] {
            let found = read(text).unwrap();
            let mut edges: Vec<_> = found.edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
            edges.sort_unstable();
            assert_eq!((&found.names, &edges), (&path.names, &path.edges), "{text}");
        }
        assert_eq!((read("a->b").unwrap().directed, path.directed), (Some(true), None));
        assert_eq!(read("a-b").unwrap().arcs(), [(0, 1), (1, 0)]);
        assert_eq!((path.arcs().len(), read("a->b").unwrap().arcs().len()), (3, 1));
        assert!(read("a->b").unwrap().both_ways().is_err() && path.both_ways().is_ok());
        assert_eq!(read("graph { b -- a; c }").unwrap().names, ["b", "a", "c"]);
        assert_eq!(read("# two, and one alone\na b\nc\n").unwrap().names, ["a", "b", "c"]);
        assert_eq!(read("a-b c").unwrap().names, ["a", "b", "c"]);
    }

    #[test]
    fn words_name_vertices() {
        let network = read("ground=a,c start=b digraph { a [x=y] -> b; b -> c }").unwrap();
        assert_eq!(
            (network.vertices("ground").unwrap(), network.vertices("start").unwrap()),
            (vec![0, 2], vec![1])
        );
        assert_eq!(read("start=x a-b").unwrap().vertices("start").unwrap_err().id(), "graph");
        assert_eq!(read("start=1,2 queens 2").unwrap().vertices("start").unwrap(), [1]);
        assert_eq!(read("begin=a a-b").unwrap_err().id(), "graph");
    }

    #[test]
    fn families_have_their_edges() {
        let edges = |text: &str| read(text).unwrap().edges.len();
        assert_eq!(
            (edges("cycle 5"), edges("complete 5"), edges("star 5"), edges("grid 3 4")),
            (5, 10, 4, 17)
        );
        assert_eq!((edges("cycle 2"), edges("cycle 1"), edges("path 1")), (1, 0, 0));
        assert_eq!(
            (edges("kings 3"), edges("knights 3"), edges("rooks 3"), edges("bishops 3")),
            (20, 8, 18, 10)
        );
        assert_eq!(edges("queens 3"), 28);
    }

    #[test]
    fn texts_that_are_no_graph_are_refused() {
        for text in [
            "",
            "a b c",
            "a-",
            "-a",
            "a--",
            "queens",
            "queens x",
            "grid 1000 1000",
            "path 3 4",
            "a b\nc d e",
            "abc",
            "graph { a",
        ] {
            assert_eq!(read(text).unwrap_err().id(), "graph", "{text}");
        }
        assert!(Network::read(&Given::Numbers(vec![1, 2, 3]), &[]).is_err());
    }
}
