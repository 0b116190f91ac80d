//! The memory of a session, and the network's numbers beside it.

use crate::{
    kernels::{Memory, Values},
    plan::Weights,
};
use std::sync::Arc;

/// All that the steps of a session read and write.
pub(super) struct Store {
    pub(super) weights: Arc<Weights>,
    /// All buffers.
    pub(super) arena: Values,
    /// The inputs of whole numbers.
    pub(super) whole: Vec<Vec<i64>>,
    /// Working memory, a stretch for each thread.
    pub(super) scratch: Vec<f32>,
    /// Numbers of such a stretch.
    pub(super) room: usize,
}

impl Store {
    /// As steps take it, with the working memory of so many threads.
    #[inline(always)]
    pub(super) fn memory(&mut self, threads: usize) -> Memory<'_> {
        Memory {
            values: self.arena.shared(),
            scratch: &mut self.scratch[..self.room * threads],
            numbers: self.weights.all(),
            whole: &self.whole,
        }
    }
}
