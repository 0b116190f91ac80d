//! The C boundary: every `pon_*` symbol, and nothing that decides anything about networks.
//!
//! One file per noun. `guard` keeps panics in, `handle` turns opaque pointers into references, `text`, `options` and `view`
//! read what a caller hands in. Sees every other module and is seen by none. `include/pontil.h` is made from the doc
//! comments in here: a sentence, then the lines `Owns`, `Nullable`, `Threads`, `Errors` and `Since`, which also are the
//! safety contract of the functions.
#![allow(non_camel_case_types, clippy::missing_safety_doc, clippy::too_many_arguments)]

#[cfg(not(target_pointer_width = "64"))]
compile_error!("shapes cross the boundary in place, which needs 64-bit lengths");

#[macro_use]
mod guard;
mod bound;
mod failure;
mod handle;
mod hook;
mod memory;
mod options;
mod progress;

pub mod allocator;
pub mod bind;
pub mod cancel;
pub mod change;
pub mod context;
pub mod cotangent;
pub mod dataset;
pub mod dataset_options;
#[cfg(feature = "debug-entries")]
pub mod debug;
pub mod description;
pub mod dlpack;
pub mod dtype;
pub mod evaluation;
pub mod faults;
pub mod import;
pub mod import_options;
pub mod layout;
pub mod leaf_type;
pub mod library;
pub mod network;
pub mod node;
pub mod parallel;
pub mod params;
pub mod plan;
pub mod port;
pub mod pytree;
pub mod save;
pub mod session;
pub mod setting;
pub mod source;
pub mod status;
pub mod tensor;
pub mod text;
pub mod value;
pub mod view;
pub mod walk;
