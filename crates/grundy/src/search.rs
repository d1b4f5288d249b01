//! Games that nimbers do not settle.
