//! Limits on time and memory, and cancellation.
