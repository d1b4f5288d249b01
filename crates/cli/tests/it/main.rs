//! Runs the real program and compares everything it shows: exit status, standard output, standard error.

mod docs;
mod errors;
mod feature;
mod json;
mod law;
mod misc;
mod program;
mod prove;
