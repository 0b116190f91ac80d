//! Parameter sets of Julia: the leaf protocol, flat vectors, gradients and HDF5 files, each test of
//! NeuralNetworkParameters.jl under its name and with its numbers.

#[allow(dead_code)]
#[path = "../support/files.rs"]
mod files;
#[allow(dead_code)]
#[path = "../support/random.rs"]
mod random;

mod derivatives;
mod files_in;
mod files_out;
mod finite;
mod flat_parameters;
mod flatten;
mod layout;
mod leaves;
mod mutations;
mod parameters;
mod properties;
mod sets;
mod store;
mod threads;
mod vectors;
mod walks;
