//! Jaxon's texts: what stands in the keys and values of the attributes that Jaxon keeps a nested Python value in.
//!
//! ```text
//! key   `name:builtin#hint#hint`   atom   `'text'`, `5`, `None`, `range(0,3)`   number  Python's spelling, in and out
//! path  `/JAXON_ROOT/'a'/0`        dtype  JAX's names, and what they are kept as
//! ```
//!
//! Knows nothing of trees: the importer and the writer of Jaxon share it, so that they can not drift apart.

mod atom;
mod dtype;
mod key;
mod number;
mod path;

pub use atom::{Atom, escaped, older_atom};
pub use dtype::{jax_name, jax_type, stored};
pub use key::{Entry, argument, entry, split};
pub use number::{complex_text, real_text, strip};
pub use path::segments;

/// Name of the root's attribute and group.
pub const ROOT: &str = "JAXON_ROOT";

/// Name of the attribute that says which Jaxon wrote the file; files of Jaxon 1 have none.
pub const VERSION: &str = "JAXON_VERSION";

/// From this length on, in code points, a text is an object that can be referred to, and no plain key.
pub const LONG_TEXT: usize = 15;
