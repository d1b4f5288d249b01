//! The notations of the literature and rule text.
