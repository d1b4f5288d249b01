//! Names find their meaning: [`ast`](crate::ast) to [`Rule`](crate::Rule).
