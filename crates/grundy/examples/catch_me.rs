//! A game that need not end, as a game of one's own: `cargo run -p grundy --example catch_me`.
//!
//! A cat and a mouse stand on the vertices of a graph and in turns walk along an edge or stay. The cat wins where they
//! meet; a mouse that is never caught has drawn. On a path the cat wins, on a ring of four or more it cannot. (Cops and
//! robbers: Quilliot 1978; Nowakowski and Winkler, Discrete Math. 43, 1983.)

use grundy::error::Error;
use grundy::limits::Limits;
use grundy::search::Outcome;
use grundy::search::explore::Explored;
use grundy::search::game::{Game, LOSS, Score, WIN};

/// The graph: the neighbours of each vertex.
struct Chase {
    near: Vec<Vec<usize>>,
}

/// Where they are. The players move differently, so the position says whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    cat: usize,
    mouse: usize,
    cat_moves: bool,
}

impl Game for Chase {
    type Position = Place;
    type Move = usize; // the vertex to go to

    fn moves(&self, at: &Place) -> Vec<usize> {
        let from = if at.cat_moves { at.cat } else { at.mouse };
        std::iter::once(from).chain(self.near[from].iter().copied()).collect()
    }

    fn after(&self, at: &Place, to: &usize) -> Place {
        if at.cat_moves {
            Place { cat: *to, cat_moves: false, ..*at }
        } else {
            Place { mouse: *to, cat_moves: true, ..*at }
        }
    }

    // The cat has won, whoever would move.
    fn end(&self, at: &Place) -> Option<Score> {
        (at.cat == at.mouse).then_some(if at.cat_moves { WIN } else { LOSS })
    }
}

/// Solves a path and a ring of six.
pub(crate) fn main() -> Result<(), Error> {
    let path: Vec<Vec<usize>> = (0..6usize)
        .map(|v| [v.checked_sub(1), Some(v + 1).filter(|&w| w < 6)].into_iter().flatten().collect())
        .collect();
    let ring: Vec<Vec<usize>> = (0..6).map(|v| vec![(v + 5) % 6, (v + 1) % 6]).collect();
    let start = Place { cat: 0, mouse: 3, cat_moves: true };

    let chase = Chase { near: path };
    let all = Explored::new(&chase, &start, &Limits::default())?;
    println!(
        "on a path of six: {} for the cat, in {} moves; {} positions",
        all.outcome(&start).expect("the start was reached"),
        all.distance(&start).expect("it is no draw"),
        all.positions()
    );
    assert_eq!((all.outcome(&start), all.distance(&start)), (Some(Outcome::Win), Some(9)));
    // Staying does not throw the win away, but the shortest way begins with a step.
    assert_eq!((all.best(&start), all.line(&start)[0]), (vec![0, 1], 1));

    let chase = Chase { near: ring };
    let all = Explored::new(&chase, &start, &Limits::default())?;
    println!("on a ring of six: {}", all.outcome(&start).expect("the start was reached"));
    assert_eq!((all.outcome(&start), all.distance(&start)), (Some(Outcome::Draw), None));
    println!("the cat runs in vain: {:?}", all.line(&start));
    Ok(())
}
