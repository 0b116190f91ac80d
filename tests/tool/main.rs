//! The tool as a shell sees it: the built program, its outputs and its exit codes.

mod commands;
mod convert;
mod evaluate;
mod inputs;
mod outputs;
mod support;
