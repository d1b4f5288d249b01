//! A compiled rule as the source of moves for misere search.

use grundy_rule::moves::Scratch;
use grundy_rule::{Heap, Sum};

use super::Play;
use crate::error::Error;
use crate::limits::Clock;
use crate::search::rule_moves::RuleMoves;

/// Every move is both players' and none ends the game: other rules are searched as whole positions
/// ([`rule_positions`](crate::search::rule_positions)).
impl Play for RuleMoves {
    fn options(&self, heap: &Heap, clock: &Clock) -> Result<Vec<Sum>, Error> {
        let options = RuleMoves::options(self, heap, &mut Scratch::default(), clock)?;
        Ok(options.into_iter().map(|option| option.to).collect())
    }

    fn show(&self, heap: &Heap) -> String {
        self.rule().show_heap(heap.kind, &heap.entries)
    }
}
