//! Everything that can be wrong, and how it is said.
//!
//! A reader gathers *all* faults of its input in a [`Faults`] and, if one of them is an error, returns [`Refused`] with the
//! code of the first. Text from a file is shown through [`quoted`] alone. Every other module calls this one; it calls none.

mod code;
mod fault;
mod list;
mod quoted;
mod text;

pub use code::Code;
pub use fault::{Argument, Fault, Severity};
pub use list::{Faults, Mark, Refused};
pub use quoted::{quoted, quoted_path, quoted_str};
pub use text::Text;
