use super::super::game::Game;
use super::super::random::{Heap, Heaps, Random, Round};
use super::*;

#[test]
fn nimbers_are_those_of_the_definition() {
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let game = Heaps::new(random, 50);
        let nimbers = game.nimbers();
        let mut solver = Nimbers::new(&game, &Limits::default());
        for heap in (0..50).rev() {
            assert_eq!(
                solver.nimber(&vec![heap]).unwrap(),
                nimbers[heap as usize],
                "seed {seed}, heap {heap}"
            );
        }
        for _ in 0..20 {
            let sum: Vec<u32> = (0..3).map(|_| random.below(50)).collect();
            let nimber = sum.iter().fold(0, |total, &heap| total ^ nimbers[heap as usize]);
            assert_eq!(solver.nimber(&sum).unwrap(), nimber);
            let winning = solver.winning(&sum).unwrap();
            for chosen in game.moves(&sum) {
                let after = game.after(&sum, &chosen);
                let left = after.iter().fold(0, |total, &heap| total ^ nimbers[heap as usize]);
                assert_eq!(winning.contains(&chosen), left == 0, "seed {seed}, {sum:?}");
            }
            assert_eq!(winning.is_empty(), nimber == 0);
            // Whoever can win makes the last move of the line.
            assert_eq!(solver.line(&sum).unwrap().len() % 2 == 1, nimber != 0, "seed {seed}, {sum:?}");
        }
    }
}

#[test]
fn a_position_that_comes_again_is_an_error_each_time() {
    let mut solver = Nimbers::new(&Round, &Limits::default());
    for _ in 0..2 {
        assert_eq!(solver.nimber(&true).unwrap_err().id(), "loop");
    }
}

#[test]
fn a_limit_is_said_and_the_solver_goes_on() {
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    let mut solver = Nimbers::new(&Heap, &limits);
    let error = solver.nimber(&100_000).unwrap_err();
    assert_eq!(error.id(), "memory");
    assert!(error.known().unwrap().starts_with("not solved within "), "{error}");
    assert_eq!(solver.nimber(&50).unwrap(), 50);
}
