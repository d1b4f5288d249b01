//! Sums of heaps: outcome, winning moves, explanation.
