//! Positions as typed: `5 7 12`, `3x5`, `(3,8) row(7)`.
