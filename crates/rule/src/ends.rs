//! Must play stop?
