//! The values of parameters as typed by a caller.
