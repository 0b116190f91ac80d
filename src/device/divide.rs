//! The examples of a run, divided between threads: each takes its own through all steps.

use super::{Parallel, cut::Taken};
use crate::kernels::Memory;

/// Calls `each(number, memory)` for every number below `parts`, on the threads of `parallel`: each with a way to the same
/// values, and `room` numbers of working memory of its own. What `each` writes of the values nobody else may use: the steps
/// it runs are those of examples that no other number has, in a slot that no other number has.
pub fn divide(
    parallel: &dyn Parallel,
    parts: usize,
    memory: Memory<'_>,
    room: usize,
    each: impl Fn(usize, Memory<'_>) + Sync,
) -> bool {
    let taken = Taken::new();
    parallel.run(parts, &|number| {
        if number >= parts || !taken.take(number) {
            return;
        }
        // SAFETY: `number` is taken once, so that its examples, its slot and its stretch of `room` are used here alone.
        let (values, scratch) =
            unsafe { (memory.values.again(0, usize::MAX), memory.scratch.again(number * room, room)) };
        each(number, Memory { values, scratch, numbers: memory.numbers, whole: memory.whole });
    }) && taken.all(parts)
}
