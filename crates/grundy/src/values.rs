//! The nimber of a heap of any size, and where it comes from.
