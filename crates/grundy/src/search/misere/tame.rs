//! Tame heaps: when two numbers a heap decide a misere sum.
//!
//! For a game `G` let `g+(G)` be its nimber, the mex of its options' `g+`, and `g-(G)` the same mex under misere play,
//! where a game without options has 1. `G` is lost for the player to move under misere play exactly if
//! `g-(G) = 0`. Heaps of Nim have the pairs (0,1), (1,0), (2,2), (3,3), ...; the first two are *fickle*, those
//! with `g+ = g-` *firm*. Call a game *tame* here if it and all games reachable from it have fickle or firm pairs.
//! (Conway's notion is wider; this one can be read off pairs alone.)
//!
//! **Theorem.** For a sum `X` of tame games let `x` be the nim-sum of their `g+`. If all are fickle, `X` has the
//! pair `(x, x xor 1)`, else `(x, x)`. In particular a sum of tame games is tame, and it is lost under misere
//! play exactly if `x = 1` and all are fickle, or `x = 0` and some are firm: Bouton's rule for Nim.
//!
//! **Proof** by induction on the options; `g+` is the theory of normal play. In `X = G + R` let `G` be the game moved
//! in, `G'` its option and `r` the nim-sum of `R`.
//!
//! *Some are firm.* No option has `g- = x`: if `G' + R` holds a firm game its `g-` is `g+(G') xor r`, and `g+(G')` is not
//! `g+(G)`. If it is all fickle then `G` was the only firm game, and its `g-` is `g-(G') xor r`, where `g-(G')` is not
//! `g-(G) = g+(G)`. Every `w < x` occurs: as in Nim there is a `G` with `u = w xor r < g+(G)`. If `R` holds a firm
//! game, take `G'` with `g+(G') = u`. Else `G` is the only firm one; then `g-(G' + R) = g-(G') xor r` whether `G'` is firm
//! or not, and as `u < g+(G) = g-(G)` some `G'` has `g-(G') = u`.
//!
//! *All are fickle.* No option has `g- = x xor 1`: for a fickle `G'` the nim-sum changes, so `g-` is `x`; for a firm one
//! `g-` is `g-(G') xor r`, not `g-(G) xor r = x xor 1`. That settles `x = 1`, where `g-` is 0. If `x = 0` and something can
//! move, 0 must occur: if some `G` has the pair (1,0), its option with `g+ = 0` has `g-` other than `g-(G) = 0`, so the pair
//! (0,1), and with `r = 1` the sum has `g- = 0`. Else all pairs are (0,1), a game that can move has an option with
//! `g- = 0`, and `r = 0`. If nothing can move, `g- = 1` by definition. QED.
//!
//! The theorem goes back to Ferguson (On sums of graph games with last player losing, 1974) and Conway (On
//! Numbers and Games, ch. 12).

/// The nimbers of a game under both conventions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Genus {
    /// The nimber under normal play.
    pub plus: u32,
    /// The misere nimber, if the game is tame.
    minus: Option<u32>,
}

/// The pair of a tame game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TameGenus {
    /// The nimber under normal play.
    pub plus: u32,
    /// The nimber under misere play.
    pub minus: u32,
}

impl TameGenus {
    /// Whether the player to move loses under misere play.
    #[must_use]
    pub fn loses_misere(self) -> bool {
        self.minus == 0
    }
}

impl Genus {
    /// The game without options.
    pub const ENDED: Genus = Genus { plus: 0, minus: Some(1) };

    /// A game whose options have these nimbers as their mex; `minus` is `None` if one of them is not tame.
    #[must_use]
    pub fn of_mex(plus: u32, minus: Option<u32>) -> Genus {
        let tame = minus.filter(|&minus| minus == plus || (plus <= 1 && minus == 1 - plus));
        Genus { plus, minus: tame }
    }

    /// The sum of games with these counts: the theorem.
    #[must_use]
    pub fn of_sum(games: impl IntoIterator<Item = (Genus, u128)>) -> Genus {
        let (mut plus, mut firm, mut tame) = (0, false, true);
        for (game, count) in games {
            if count == 0 {
                continue;
            }
            if count % 2 == 1 {
                plus ^= game.plus;
            }
            // Two firm games cancel under normal play only: their sum is firm, too.
            firm |= game.minus == Some(game.plus);
            tame &= game.minus.is_some();
        }
        Genus { plus, minus: tame.then_some(if firm { plus } else { plus ^ 1 }) }
    }

    /// Both nimbers, if the game is tame.
    #[must_use]
    pub fn tame(self) -> Option<TameGenus> {
        self.minus.map(|minus| TameGenus { plus: self.plus, minus })
    }
}
