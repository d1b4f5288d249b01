//! Judges' problems as data.
