//! Which variables are bounded, and by what.
