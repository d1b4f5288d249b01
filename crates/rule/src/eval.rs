//! Exact evaluation of expressions.
