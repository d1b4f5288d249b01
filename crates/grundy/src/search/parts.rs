//! What the solvers of impartial games share: the parts that count, and the moves that a solver's answers choose.

use super::game::Impartial;
use crate::error::Error;

/// Canonical parts, equal ones cancelled in pairs.
pub(super) fn odd<G: Impartial>(game: &G, position: G::Position) -> Vec<G::Position> {
    let mut odd: Vec<G::Position> = Vec::new();
    for part in game.parts(position) {
        let part = game.canonical(part);
        match odd.iter().position(|known| *known == part) {
            Some(at) => drop(odd.swap_remove(at)),
            None => odd.push(part),
        }
    }
    odd
}

/// The moves to lost positions, in the game's order. Errors are those of `is_lost`.
pub(super) fn winning<G: Impartial>(
    game: &G,
    position: &G::Position,
    mut is_lost: impl FnMut(&G::Position) -> Result<bool, Error>,
) -> Result<Vec<G::Move>, Error> {
    let mut winning = Vec::new();
    for chosen in game.moves(position) {
        if is_lost(&game.after(position, &chosen))? {
            winning.push(chosen);
        }
    }
    Ok(winning)
}

/// A line of best play: a winning move where there is one, else the first move. Errors are those of `is_lost`.
pub(super) fn line<G: Impartial>(
    game: &G,
    position: &G::Position,
    mut is_lost: impl FnMut(&G::Position) -> Result<bool, Error>,
) -> Result<Vec<G::Move>, Error> {
    let mut line = Vec::new();
    let mut at = position.clone();
    loop {
        let moves = game.moves(&at);
        let mut best = moves.first().cloned();
        if best.is_some() && !is_lost(&at)? {
            for chosen in moves {
                if is_lost(&game.after(&at, &chosen))? {
                    best = Some(chosen);
                    break;
                }
            }
        }
        let Some(chosen) = best else { return Ok(line) };
        at = game.after(&at, &chosen);
        line.push(chosen);
    }
}
