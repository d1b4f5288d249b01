//! Checks certificates, trusting nothing but the rule crate.
