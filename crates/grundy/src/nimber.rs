//! Nimbers: mex and nim-sum.
