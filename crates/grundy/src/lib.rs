//! Tables, laws, positions and search for combinatorial games.

pub mod automaton;
pub mod catalogue;
pub mod comparison;
pub mod error;
pub mod export;
pub mod family;
pub mod law;
pub mod likeness;
pub mod limits;
pub mod long_run;
pub mod nimber;
pub mod position;
pub mod problem;
pub mod proof;
pub mod search;
pub mod standing;
pub mod survey;
pub mod table;
pub mod values;
