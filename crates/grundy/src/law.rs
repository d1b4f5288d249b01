//! Laws: a closed description of all values.
