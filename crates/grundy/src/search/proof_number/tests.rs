use super::super::random::{Listed, Random, Round};
use super::*;

#[test]
fn outcomes_are_those_of_the_definition() {
    for seed in 0..400 {
        let game = Listed::ending(&mut Random::new(seed), 60, false);
        let scores = game.scores();
        let mut solver = ProofNumber::new(&game, &Limits::default());
        for node in (0..60).rev() {
            let outcome = game::outcome(scores[node as usize]);
            let fresh = &mut ProofNumber::new(&game, &Limits::default());
            assert_eq!(fresh.outcome(&node).unwrap(), outcome, "seed {seed}, node {node}");
            assert_eq!(solver.outcome(&node).unwrap(), outcome, "seed {seed}, node {node}");
            assert_eq!(
                solver.at_least(&node, Outcome::Draw).unwrap(),
                outcome != Outcome::Loss,
                "seed {seed}"
            );
        }
    }
}

#[test]
fn games_with_scores_are_refused() {
    let game = Listed::ending(&mut Random::new(1), 10, true);
    assert_eq!(ProofNumber::new(&game, &Limits::default()).outcome(&9).unwrap_err().id(), "score");
}

#[test]
fn a_position_that_comes_again_is_an_error_each_time() {
    let mut solver = ProofNumber::new(&Round, &Limits::default());
    for _ in 0..2 {
        assert_eq!(solver.outcome(&true).unwrap_err().id(), "loop");
    }
}

/// A row of lamps; a move puts out one, two or three of them, anywhere.
struct Lamps;

impl Game for Lamps {
    type Position = u32;
    type Move = u32;

    fn moves(&self, lit: &u32) -> Vec<u32> {
        let one = |i: u32| (lit >> i & 1 == 1).then_some(1 << i);
        let single: Vec<u32> = (0..24).filter_map(one).collect();
        let pairs = single.iter().flat_map(|a| single.iter().filter(move |b| *b > a).map(move |b| a | b));
        single.iter().copied().chain(pairs).collect()
    }

    fn after(&self, lit: &u32, out: &u32) -> u32 {
        lit & !out
    }
}

#[test]
fn a_limit_is_said_with_the_numbers_reached() {
    let limits = Limits { memory: Some(1 << 18), ..Limits::default() };
    let error = ProofNumber::new(&Lamps, &limits).outcome(&0xff_ffff).unwrap_err();
    assert_eq!(error.id(), "memory");
    let known = error.known().unwrap();
    assert!(known.starts_with("not solved within ") && known.contains(" more for yes, "), "{known}");
}
