//! The raw layers of C# and Julia, written from the header.

pub mod csharp;
pub mod julia;
mod kind;
