//! The notation of laws, read and resolved.
