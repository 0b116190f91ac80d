//! What a session is asked for.

use crate::{
    device::Parallel,
    plan::{Isa, Precision},
};
use std::sync::Arc;

/// Options of a session.
#[derive(Clone)]
pub struct SessionOptions {
    /// Most examples of a run. Default 1.
    pub max_batch: usize,
    /// In which precision sums are gathered. Default standard.
    pub precision: Precision,
    /// The instruction set of its kernels. Default the best that the processor has, AVX-512 left out.
    pub isa: Option<Isa>,
    /// Threads that the examples of a run are divided between, or a large step of one, the caller's among them. Default 1.
    pub threads: usize,
    /// The host's threads instead of threads of the session's own. Default none.
    pub parallel: Option<Arc<dyn Parallel>>,
    /// Whether every layer runs by itself, so that taps see what the answers are made of. Default no: layers are taken into
    /// one another, and taps look at a second run.
    pub layers: bool,
}

impl Default for SessionOptions {
    fn default() -> SessionOptions {
        SessionOptions {
            max_batch: 1,
            precision: Precision::Standard,
            isa: None,
            threads: 1,
            parallel: None,
            layers: false,
        }
    }
}
