//! graph6: an undirected graph as one word of printable letters.
//!
//! The first letter holds the number n of vertices (or `~` and three letters do), the others the upper triangle of
//! the adjacency matrix column by column, six bits a letter, 63 added to each. (B. McKay, "Description of graph6,
//! sparse6 and digraph6 encodings", 2015; used by nauty, SageMath, NetworkX.)

use crate::error::Error;

/// The number of vertices and the edges of a graph6 word; a header `>>graph6<<` is skipped.
///
/// # Errors
/// `graph`: a letter outside `?` to `~`, a length that does not fit the number of vertices.
///
/// ```
/// let (vertices, edges) = grundy::search::graph6::read("Ch")?; // the path of four
/// assert_eq!((vertices, edges), (4, vec![(0, 1), (1, 2), (2, 3)]));
/// # Ok::<(), grundy::error::Error>(())
/// ```
pub fn read(word: &str) -> Result<(usize, Vec<(usize, usize)>), Error> {
    let body = word.strip_prefix(">>graph6<<").unwrap_or(word);
    let mut digits = Vec::with_capacity(body.len());
    for letter in body.chars() {
        match u8::try_from(letter) {
            Ok(byte @ 63..=126) => digits.push(byte - 63),
            _ => {
                return Err(Error::new(
                    "graph",
                    format!("`{letter}` is no letter of graph6: those are `?` to `~`"),
                ));
            }
        }
    }
    let number = |digits: &[u8]| digits.iter().fold(0, |sum, &digit| 64 * sum + usize::from(digit));
    let (vertices, bits) = match digits.as_slice() {
        [63, 63, ..] => {
            return Err(Error::new(
                "graph",
                "a graph6 word of more than 258047 vertices is too long to be searched",
            ));
        }
        [63, a, b, c, bits @ ..] => (number(&[*a, *b, *c]), bits),
        [63, ..] | [] => return Err(Error::new("graph", format!("the graph6 word `{word}` is cut short"))),
        [vertices, bits @ ..] => (usize::from(*vertices), bits),
    };
    let pairs = vertices * vertices.saturating_sub(1) / 2;
    if bits.len() != pairs.div_ceil(6) {
        return Err(Error::new(
            "graph",
            format!(
                "the graph6 word `{word}` is for {vertices} vertices, which take {} letters after the first, not {}",
                pairs.div_ceil(6),
                bits.len()
            ),
        ));
    }
    let mut edges = Vec::new();
    let mut at = 0;
    for column in 1..vertices {
        for row in 0..column {
            if bits[at / 6] >> (5 - at % 6) & 1 == 1 {
                edges.push((row, column));
            }
            at += 1;
        }
    }
    Ok((vertices, edges))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_format_description_are_read() {
        // "DQc" is the example of the description: 0-2, 0-4, 1-3, 3-4.
        assert_eq!(read(">>graph6<<DQc").unwrap(), (5, vec![(0, 2), (1, 3), (0, 4), (3, 4)]));
        assert_eq!(read("?").unwrap(), (0, vec![]));
        assert_eq!(read("@").unwrap(), (1, vec![]));
        // The Petersen graph: every vertex has degree 3.
        let (vertices, edges) = read("IsP@OkWHG").unwrap();
        assert_eq!((vertices, edges.len()), (10, 15));
        for vertex in 0..10 {
            assert_eq!(edges.iter().filter(|(a, b)| *a == vertex || *b == vertex).count(), 3);
        }
    }

    #[test]
    fn words_that_are_none_are_refused() {
        for word in ["", "D", "DQ", "DQcc", "D Qc", "~", "~~?????", "A1"] {
            assert_eq!(read(word).unwrap_err().id(), "graph", "{word}");
        }
    }
}
