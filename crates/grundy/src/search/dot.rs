//! DOT: the part of Graphviz' language that says which vertices there are and what joins them.
//!
//! `graph { a -- b; b -- {c d} }`, `digraph { a -> b }`. Attributes in brackets, `name = value`, ports and comments are
//! read and left out; a subgraph stands for all the vertices in it. Groups are kept on an explicit stack.
//! (Grammar: the Graphviz documentation, "DOT language".)

use std::collections::{HashMap, HashSet};

use crate::error::Error;

/// What a DOT text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dot {
    /// `digraph`, not `graph`.
    pub directed: bool,
    /// The names of the vertices, in the order of first mention.
    pub names: Vec<String>,
    /// What is joined: numbers of names, an entry for each edge in the order of the text.
    pub edges: Vec<(usize, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    /// `{ } [ ] ; , = :`
    Mark(char),
    /// `--` or `->`
    Edge(bool),
}

/// Whether a text looks like DOT: it begins with `graph`, `digraph` or `strict` and holds a brace.
#[must_use]
pub fn is_dot(text: &str) -> bool {
    let first = text.split(|c: char| c.is_whitespace() || c == '{').find(|word| !word.is_empty());
    text.contains('{')
        && first
            .is_some_and(|word| ["graph", "digraph", "strict"].iter().any(|k| word.eq_ignore_ascii_case(k)))
}

/// A group that is open: the vertices in it, and those that wait on the left of an edge.
#[derive(Default)]
struct Group {
    members: Vec<usize>,
    left: Vec<usize>,
    /// An edge sign came last.
    joined: bool,
}

/// Reads a DOT text.
///
/// # Errors
/// `graph`, naming what was found where something else must stand.
///
/// ```
/// let dot = grundy::search::dot::read("graph g { a -- b -- {c; d} [color = red]; e }")?;
/// assert_eq!(dot.names, ["a", "b", "c", "d", "e"]);
/// assert_eq!(dot.edges, [(0, 1), (1, 2), (1, 3)]);
/// # Ok::<(), grundy::error::Error>(())
/// ```
pub fn read(text: &str) -> Result<Dot, Error> {
    let tokens = tokens(text)?;
    let mut at = 0;
    let keyword = |at: &mut usize, word: &str| {
        let found = matches!(tokens.get(*at), Some(Token::Word(w)) if w.eq_ignore_ascii_case(word));
        *at += usize::from(found);
        found
    };
    keyword(&mut at, "strict");
    let directed = keyword(&mut at, "digraph");
    if !directed && !keyword(&mut at, "graph") {
        return Err(fault("`graph` or `digraph`", tokens.get(at)));
    }
    if let Some(Token::Word(_)) = tokens.get(at) {
        at += 1;
    }
    if tokens.get(at) != Some(&Token::Mark('{')) {
        return Err(fault("`{`", tokens.get(at)));
    }
    at += 1;

    let mut dot = Dot { directed, names: Vec::new(), edges: Vec::new() };
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut groups = vec![Group::default()];
    while let Some(group) = groups.last_mut() {
        let token = tokens.get(at);
        at += 1;
        match token {
            None => return Err(fault("`}`", None)),
            Some(Token::Mark('}')) => {
                if group.joined {
                    return Err(fault("a vertex after the edge", token));
                }
                let mut done = groups.pop().expect("the group just looked at");
                if let Some(outer) = groups.last_mut() {
                    let mut seen = HashSet::new();
                    done.members.retain(|&vertex| seen.insert(vertex));
                    join(&mut dot.edges, outer, done.members);
                }
            }
            Some(Token::Mark('{')) => groups.push(Group::default()),
            Some(Token::Mark(';' | ',')) => {
                if group.joined {
                    return Err(fault("a vertex after the edge", token));
                }
                group.left.clear();
            }
            Some(Token::Mark('[')) => {
                let close = tokens[at..].iter().position(|t| *t == Token::Mark(']'));
                at += close.ok_or_else(|| fault("`]`", None))? + 1;
            }
            Some(Token::Mark(':')) => {
                // A port, with or without a compass point.
                if !matches!(tokens.get(at), Some(Token::Word(_))) {
                    return Err(fault("a port", tokens.get(at)));
                }
                at += 1;
            }
            Some(Token::Mark(_)) => return Err(fault("a vertex", token)),
            Some(Token::Edge(arrow)) => {
                if *arrow != directed {
                    let sign = if directed { "`->`" } else { "`--`" };
                    return Err(fault(sign, token));
                }
                if group.left.is_empty() || group.joined {
                    return Err(fault("a vertex before the edge", token));
                }
                group.joined = true;
            }
            Some(Token::Word(word)) => {
                if tokens.get(at) == Some(&Token::Mark('=')) {
                    at += 2;
                    continue;
                }
                let attributes = matches!(tokens.get(at), Some(Token::Mark('[')));
                if attributes && ["graph", "node", "edge"].iter().any(|k| word.eq_ignore_ascii_case(k)) {
                    continue;
                }
                if word.eq_ignore_ascii_case("subgraph") {
                    // Its name, if any; the brace comes next.
                    at += usize::from(matches!(tokens.get(at), Some(Token::Word(_))));
                    if tokens.get(at) != Some(&Token::Mark('{')) {
                        return Err(fault("`{`", tokens.get(at)));
                    }
                    continue;
                }
                let number = *numbers.entry(word.clone()).or_insert_with(|| {
                    dot.names.push(word.clone());
                    dot.names.len() - 1
                });
                join(&mut dot.edges, group, vec![number]);
            }
        }
    }
    match tokens.get(at) {
        None => Ok(dot),
        more => Err(fault("the end of the text", more)),
    }
}

/// Adds vertices to a group, as the right side of an edge if one is waiting.
fn join(edges: &mut Vec<(usize, usize)>, group: &mut Group, new: Vec<usize>) {
    if group.joined {
        for &from in &group.left {
            edges.extend(new.iter().map(|&to| (from, to)));
        }
        group.joined = false;
    }
    group.members.extend(&new);
    group.left = new;
}

fn fault(wanted: &str, found: Option<&Token>) -> Error {
    let found = match found {
        None => "the end of the text".to_string(),
        Some(Token::Word(word)) => format!("`{word}`"),
        Some(Token::Mark(mark)) => format!("`{mark}`"),
        Some(Token::Edge(arrow)) => if *arrow { "`->`" } else { "`--`" }.to_string(),
    };
    Error::new("graph", format!("DOT: {wanted} must stand where {found} is"))
}

fn tokens(text: &str) -> Result<Vec<Token>, Error> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut new_line = true;
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        let line_end =
            |from: usize| letters[from..].iter().position(|&c| c == '\n').map_or(letters.len(), |n| from + n);
        let starts_line = new_line;
        new_line = letter == '\n' || (new_line && letter.is_whitespace());
        match (letter, next) {
            ('#', _) if starts_line => at = line_end(at),
            ('/', Some('/')) => at = line_end(at),
            ('/', Some('*')) => {
                let close =
                    (at + 2..letters.len()).find(|&i| letters[i] == '*' && letters.get(i + 1) == Some(&'/'));
                at = close.ok_or_else(|| Error::new("graph", "DOT: a comment has no end"))? + 2;
            }
            ('-', Some('-')) => {
                tokens.push(Token::Edge(false));
                at += 2;
            }
            ('-', Some('>')) => {
                tokens.push(Token::Edge(true));
                at += 2;
            }
            ('{' | '}' | '[' | ']' | ';' | ',' | '=' | ':', _) => {
                tokens.push(Token::Mark(letter));
                at += 1;
            }
            ('"', _) => {
                let mut word = String::new();
                at += 1;
                loop {
                    match (letters.get(at), letters.get(at + 1)) {
                        (None, _) => return Err(Error::new("graph", "DOT: a quoted name has no end")),
                        (Some('\\'), Some('"')) => {
                            word.push('"');
                            at += 2;
                        }
                        (Some('"'), _) => break,
                        (Some(c), _) => {
                            word.push(*c);
                            at += 1;
                        }
                    }
                }
                at += 1;
                tokens.push(Token::Word(word));
            }
            (c, _) if c.is_whitespace() => at += 1,
            (c, _) if c.is_alphanumeric() || matches!(c, '_' | '.' | '-') => {
                let begin = at;
                while letters.get(at).is_some_and(|&c| c.is_alphanumeric() || matches!(c, '_' | '.'))
                    || (at == begin && letter == '-')
                {
                    at += 1;
                }
                tokens.push(Token::Word(letters[begin..at].iter().collect()));
            }
            (c, _) => return Err(Error::new("graph", format!("DOT: `{c}` stands outside every name"))),
        }
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_and_edges_are_read_and_the_rest_is_left_out() {
        let text = "strict digraph \"my graph\" {\n# a comment\nrankdir = LR; node [shape=box, label=\"a -> b\"];\n\
                    subgraph cluster_1 { a; b } -> c:n -> \"d e\" [label=\"x;y\"] // end\n /* } */ f\n}";
        let dot = read(text).unwrap();
        assert!(dot.directed && is_dot(text));
        assert_eq!(dot.names, ["a", "b", "c", "d e", "f"]);
        assert_eq!(dot.edges, [(0, 2), (1, 2), (2, 3)]);
        assert_eq!(read("graph{1--2 2--3}").unwrap().edges, [(0, 1), (1, 2)]);
        assert_eq!(read("graph {}").unwrap().names.len(), 0);
    }

    #[test]
    fn a_statement_ends_where_the_next_vertex_begins() {
        // Without a sign between them, two vertices are two statements.
        let dot = read("graph { a -- b c -- d }").unwrap();
        assert_eq!(dot.edges, [(0, 1), (2, 3)]);
    }

    #[test]
    fn texts_that_are_none_are_refused() {
        for text in [
            "graph",
            "graph {",
            "graph { a -- }",
            "graph { -- a }",
            "graph { a -> b }",
            "digraph { a -- b }",
            "graph { a [x }",
            "graph { \"a }",
            "graph { a } b",
            "graph { /* }",
            "graph { a = }",
            "graph { a -- ; b }",
            "nothing",
            "graph { ? }",
            "graph { a: }",
            "graph { subgraph x y }",
            "graph { a -- -- b }",
        ] {
            assert_eq!(read(text).unwrap_err().id(), "graph", "{text}");
        }
    }

    #[test]
    fn deep_groups_need_no_deep_stack() {
        let deep = format!("graph {} a {}", "{".repeat(100_000), "}".repeat(100_000));
        assert_eq!(read(&deep).unwrap().names, ["a"]);
    }
}
