//! What a combinatorial game is: rule text becomes a [`Rule`], a rule gives the moves of a heap.
//!
//! The stages, each in its file and each readable alone:
//!
//! 1. [`lexer`] and [`parser`] turn text into an [`ast`], collecting [`diagnostic`]s on the way;
//! 2. [`resolve`] gives every name its meaning and yields a [`Rule`] (in [`rule`]) made of [`expr`]essions;
//! 3. `bounds` and `moves` enumerate the moves of a heap; [`ends`] asks whether play must stop;
//! 4. [`shape`] recognises what a rule is, for engines and for proofs.
//!
//! [`code`] translates the notations of the literature (`0.77`, `S(2,5)`, `1-3`) into rule text, and
//! [`law_text`] reads the notation of laws. This crate is trusted by the certificate checker; it has no
//! dependencies and does no input or output.

pub mod argument;
pub mod ast;
pub mod bounds;
pub mod code;
mod cursor;
pub mod diagnostic;
pub mod ends;
pub mod eval;
pub mod expr;
pub mod formula;
pub mod heap;
pub mod law_text;
pub mod lexer;
pub mod moves;
pub mod pairs;
pub mod parser;
pub mod polynomial;
pub mod position_text;
pub mod resolve;
pub mod rule;
pub mod shape;
pub mod words;

pub use diagnostic::{Diagnostic, Severity, Span};
pub use expr::{Expr, Int};
pub use heap::{Heap, Sum};
pub use rule::Rule;
