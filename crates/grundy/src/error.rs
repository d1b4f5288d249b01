//! What can go wrong in this crate.
