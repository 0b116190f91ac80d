//! Nested Python values as Jaxon keeps them: the samples, what is written, what Jaxon itself says of that, what is left out on
//! purpose, and files that lie.

#[allow(dead_code)]
#[path = "../support/files.rs"]
mod files;
#[allow(dead_code)]
#[path = "../support/random.rs"]
mod random;

mod bounds;
mod mutants;
mod partial;
mod round;
mod samples;
mod told;
