//! A slice cut into parts that several threads write.

use super::Parallel;

struct Shared(*mut f32);

// SAFETY: the pointer is only used for the disjoint parts that `split` hands out.
unsafe impl Sync for Shared {}

impl Shared {
    /// Numbers `start..end`.
    ///
    /// # Safety
    /// The range lies within the slice, and no other part in use overlaps it.
    #[allow(clippy::mut_from_ref)]
    unsafe fn part(&self, start: usize, end: usize) -> &mut [f32] {
        // SAFETY: what the caller has promised.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(start), end - start) }
    }
}

/// Calls `each(number, part of out, part of scratch)` for every number below `parts`, on the threads of `parallel`: part
/// `n` of `out` lies from `cut(n)` to `cut(n + 1)`, and `scratch` is cut evenly. Cuts that do not rise, or lie outside of
/// `out`, make empty parts.
pub fn split(
    parallel: &dyn Parallel,
    parts: usize,
    out: &mut [f32],
    cut: impl Fn(usize) -> usize + Sync,
    scratch: &mut [f32],
    each: impl Fn(usize, &mut [f32], &mut [f32]) + Sync,
) -> bool {
    let (length, room) = (out.len(), scratch.len() / parts.max(1));
    let (out, scratch) = (Shared(out.as_mut_ptr()), Shared(scratch.as_mut_ptr()));
    let taken = Taken::new();
    parallel.run(parts, &|number| {
        if number >= parts || !taken.take(number) {
            return;
        }
        // Every cut is held at or above those before it, so that parts never overlap.
        let at = |number: usize| (0..=number).map(&cut).max().unwrap_or(0).min(length);
        let (start, end) = (at(number), at(number + 1));
        // SAFETY: `number` is taken once, `at` never falls and never passes `length`, and each number has a stretch of
        // `room` numbers of `scratch` for itself.
        let (out, scratch) = unsafe { (out.part(start, end), scratch.part(number * room, (number + 1) * room)) };
        each(number, out, scratch);
    }) && taken.all(parts)
}

/// Which parts have been handed out: a host's `parallel` is not trusted to call each number once.
struct Taken([std::sync::atomic::AtomicU64; Taken::MOST / 64]);

impl Taken {
    /// Most parts.
    const MOST: usize = 1024;

    fn new() -> Taken {
        Taken([const { std::sync::atomic::AtomicU64::new(0) }; Taken::MOST / 64])
    }

    /// Whether `number` had not been taken before.
    fn take(&self, number: usize) -> bool {
        let bit = 1 << (number % 64);
        self.0.get(number / 64).is_some_and(|word| word.fetch_or(bit, std::sync::atomic::Ordering::AcqRel) & bit == 0)
    }

    /// Whether every number below `parts` has been taken.
    fn all(&self, parts: usize) -> bool {
        let count = |word: &std::sync::atomic::AtomicU64| word.load(std::sync::atomic::Ordering::Acquire).count_ones();
        self.0.iter().map(count).sum::<u32>() as usize == parts
    }
}
