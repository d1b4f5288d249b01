//! The moves of a heap.
