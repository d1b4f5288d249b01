//! The games of `games/`, embedded.
