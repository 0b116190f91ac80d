//! The safetensors format: eight bytes of header length, a JSON header of names, types, shapes and places, then the numbers.
//!
//! Reading checks everything the reference reader checks, names each fault with tensor and byte, and refuses a name written
//! twice, of which the reference takes one. Nothing is copied: a tensor is a part of the source. `import` lists and reads
//! files through this module, `save` writes through [`write_head`].

mod cover;
mod dtype;
mod entry;
mod fields;
mod header;
mod write;

pub use dtype::has;
pub use header::{Safetensors, Stored};
pub use write::{Piece, write_head};

/// What the note `format` says of a network's numbers in the library's own layout; PyTorch's are `pt`.
pub const OWN_FORMAT: &str = "pontil";

#[cfg(test)]
mod tests;
