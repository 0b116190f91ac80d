//! The examples of a run, divided between threads: each takes its own through all steps.

use super::{Parallel, split};
use crate::kernels::Memory;

/// Calls `each(number, memory)` for every number below `parts`, on the threads of `parallel`: each with a way to the same
/// values, and an even share of the working memory.
///
/// # Safety
/// What `each` writes of the values for one number, it uses for no other.
pub unsafe fn divide(
    parallel: &dyn Parallel,
    parts: usize,
    memory: Memory<'_>,
    each: impl Fn(usize, Memory<'_>) + Sync,
) -> bool {
    let Memory { values, scratch, numbers, whole } = memory;
    split(
        parallel,
        parts,
        &mut [],
        |_| 0,
        scratch,
        |number, _, scratch| {
            // SAFETY: what the caller has promised.
            let values = unsafe { values.again() };
            each(number, Memory { values, scratch, numbers, whole });
        },
    )
}
