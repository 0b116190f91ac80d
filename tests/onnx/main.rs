//! ONNX: the official operator tests, known architectures, changed files, and files written.

#[path = "../support/mod.rs"]
mod support;

mod architectures;
mod bombs;
mod mutations;
mod operators;
mod stack;
mod written;
