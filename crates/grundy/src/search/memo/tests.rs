use super::super::random::{Arc, Listed, Random, Round};
use super::game::{DRAW, LOSS, WIN};
use super::*;

#[test]
fn scores_and_best_moves_are_those_of_the_definition() {
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let game = Listed::ending(random, 60, seed % 2 == 0);
        let scores = game.scores();
        let mut solver = Memo::new(&game, &Limits::default());
        for node in (0..60).rev() {
            let best = solver.best(&node).unwrap();
            assert_eq!(best.score, scores[node as usize], "seed {seed}, node {node}");
            assert_eq!(solver.outcome(&node).unwrap(), game::outcome(scores[node as usize]), "seed {seed}");
            let worth = |arc: &Arc| {
                let after = scores[arc.to as usize];
                arc.gain + if arc.again { after } else { -after }
            };
            let mut wanted = game.arcs[node as usize].clone();
            wanted.retain(|arc| game.ends[node as usize].is_none() && worth(arc) == best.score);
            assert_eq!(best.moves, wanted, "seed {seed}, node {node}");
            for score in -4..=4 {
                let fresh = &mut Memo::new(&game, &Limits::default());
                assert_eq!(fresh.at_least(&node, score).unwrap(), best.score >= score, "seed {seed}");
            }
        }
    }
}

#[test]
fn a_line_of_best_play_earns_the_score() {
    for seed in 0..200 {
        let game = Listed::ending(&mut Random::new(seed), 60, true);
        let mut solver = Memo::new(&game, &Limits::default());
        let (mut at, mut sign, mut total) = (59, 1, 0);
        for arc in solver.line(&59).unwrap() {
            assert!(game.arcs[at as usize].contains(&arc));
            total += sign * arc.gain;
            sign = if arc.again { sign } else { -sign };
            at = arc.to;
        }
        let end = game.ends[at as usize].or_else(|| game.arcs[at as usize].is_empty().then_some(game.stuck));
        assert_eq!(
            total + sign * end.expect("the line goes to the end"),
            solver.score(&59).unwrap(),
            "seed {seed}"
        );
    }
}

#[test]
fn a_position_that_comes_again_is_an_error_each_time() {
    let mut solver = Memo::new(&Round, &Limits::default());
    for _ in 0..2 {
        assert_eq!(solver.score(&true).unwrap_err().id(), "loop");
        assert_eq!(solver.outcome(&false).unwrap_err().id(), "loop");
    }
}

/// A heap from which one to nine are taken; what breaks a promise is said by the fields.
struct Heap {
    gain: Score,
    end: Score,
    bounds: (Score, Score),
}

impl Game for Heap {
    type Position = u32;
    type Move = u32;

    fn moves(&self, left: &u32) -> Vec<u32> {
        (1..=9.min(*left)).collect()
    }

    fn after(&self, left: &u32, taken: &u32) -> u32 {
        left - taken
    }

    fn stuck(&self, _: &u32) -> Score {
        self.end
    }

    fn gain(&self, _: &u32, _: &u32) -> Score {
        self.gain
    }

    fn bounds(&self, _: &u32) -> (Score, Score) {
        self.bounds
    }
}

#[test]
fn broken_promises_are_named() {
    let sound = Heap { gain: 0, end: LOSS, bounds: (LOSS, WIN) };
    assert_eq!(Memo::new(&sound, &Limits::default()).score(&20).unwrap(), LOSS);
    let id = |game: &Heap| Memo::new(game, &Limits::default()).score(&20).unwrap_err().id();
    assert_eq!(id(&Heap { gain: 1, ..sound }), "score");
    assert_eq!(id(&Heap { end: -2, ..sound }), "score");
    assert_eq!(id(&Heap { bounds: (DRAW, WIN), ..sound }), "bounds");
}

#[test]
fn limits_are_said_with_what_is_known() {
    let game = Heap { gain: 0, end: LOSS, bounds: (LOSS, WIN) };
    let limits = Limits { memory: Some(1 << 16), ..Limits::default() };
    let mut solver = Memo::new(&game, &limits);
    let error = solver.score(&1_000_000).unwrap_err();
    assert_eq!(error.id(), "memory");
    let known = error.known().unwrap();
    assert!(
        known.starts_with("not solved within ") && known.ends_with("nothing about its outcome"),
        "{known}"
    );
    // What was on the line may be asked again.
    assert_eq!(solver.score(&30).unwrap(), LOSS);
}
