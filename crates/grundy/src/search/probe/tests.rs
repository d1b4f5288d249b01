use super::super::game::Game;
use super::super::random::{Heap, Heaps, Random, Round};
use super::*;

#[test]
fn nimbers_are_those_of_the_definition() {
    let mut great = 0;
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let game = Heaps::new(random, 50);
        let nimbers = game.nimbers();
        let mut solver = Probe::new(&game, &Limits::default());
        for _ in 0..30 {
            let sum: Vec<u32> = (0..1 + random.below(3)).map(|_| random.below(50)).collect();
            let nimber = sum.iter().fold(0, |total, &heap| total ^ nimbers[heap as usize]);
            great = great.max(nimber);
            // Asked in either order, and once more.
            if random.below(2) == 0 {
                assert_eq!(solver.is_lost(&sum).unwrap(), nimber == 0, "seed {seed}, {sum:?}");
            }
            if random.below(2) == 0 {
                assert_eq!(solver.nimber(&sum).unwrap(), nimber, "seed {seed}, {sum:?}");
            }
            assert_eq!(solver.is_lost(&sum).unwrap(), nimber == 0, "seed {seed}, {sum:?}");
            let winning = solver.winning(&sum).unwrap();
            for chosen in game.moves(&sum) {
                let left =
                    game.after(&sum, &chosen).iter().fold(0, |total, &heap| total ^ nimbers[heap as usize]);
                assert_eq!(winning.contains(&chosen), left == 0, "seed {seed}, {sum:?}");
            }
            // Whoever can win makes the last move of the line.
            assert_eq!(solver.line(&sum).unwrap().len() % 2 == 1, nimber != 0, "seed {seed}, {sum:?}");
        }
        for heap in 0..50 {
            assert_eq!(
                solver.nimber(&vec![heap]).unwrap(),
                nimbers[heap as usize],
                "seed {seed}, heap {heap}"
            );
        }
    }
    assert!(great >= 7, "{great}");
}

#[test]
fn a_position_that_comes_again_is_an_error_each_time() {
    let mut solver = Probe::new(&Round, &Limits::default());
    for _ in 0..2 {
        assert_eq!(solver.nimber(&true).unwrap_err().id(), "loop");
        assert_eq!(solver.is_lost(&false).unwrap_err().id(), "loop");
    }
}

#[test]
fn nimbers_above_63_are_left_to_another_solver() {
    let mut solver = Probe::new(&Heap, &Limits::default());
    assert_eq!(solver.nimber(&63).unwrap(), 63);
    assert_eq!(solver.nimber(&64).unwrap_err().id(), WIDE);
    // It goes on with what fits.
    assert_eq!(solver.nimber(&40).unwrap(), 40);
    assert!(!solver.is_lost(&64).unwrap());
}

#[test]
fn a_limit_is_said_and_the_solver_goes_on() {
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    let mut solver = Probe::new(&Heap, &limits);
    let error = solver.nimber(&100_000).unwrap_err();
    assert_eq!(error.id(), "memory");
    assert!(error.known().unwrap().starts_with("not solved within "), "{error}");
    assert_eq!(solver.nimber(&50).unwrap(), 50);
}
