//! The forward core against references in doubles, written from the definitions.

mod array;
mod case;
mod linear;
