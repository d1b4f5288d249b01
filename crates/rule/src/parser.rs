//! Tokens to an [`ast`](crate::ast), with recovery.
