//! What a rule is, for engines and proofs.
