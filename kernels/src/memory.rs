//! The memory of a session: one row of singles that holds every value of a run.
//!
//! Inputs and outputs lie in it with all examples of a run; what lies between is there for a block of them, once for each
//! thread that runs blocks of its own: its slot.

use super::Numbers;
use std::{cell::UnsafeCell, marker::PhantomData, ops::Range};

/// Singles that stay where they are for as long as this lives, wherever it is moved to.
pub struct Values(Vec<UnsafeCell<f32>>);

// SAFETY: of a shared one numbers are only read.
unsafe impl Sync for Values {}

impl Values {
    /// So many noughts; none if there is no memory for them.
    pub fn noughts(count: usize) -> Option<Values> {
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(count).ok()?;
        numbers.resize_with(count, UnsafeCell::default);
        Some(Values(numbers))
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Some of them; panics if they are not there.
    #[inline(always)]
    pub fn part(&self, range: Range<usize>) -> &[f32] {
        let part = &self.0[range];
        // SAFETY: numbers of a shared one are only read.
        unsafe { std::slice::from_raw_parts(part.as_ptr().cast(), part.len()) }
    }

    /// Some of them, to be written; panics if they are not there.
    #[inline(always)]
    pub fn part_mut(&mut self, range: Range<usize>) -> &mut [f32] {
        let part = &self.0[range];
        // SAFETY: nobody else has a way to them.
        unsafe { std::slice::from_raw_parts_mut(UnsafeCell::raw_get(part.as_ptr()), part.len()) }
    }

    /// A way to all of them.
    #[inline(always)]
    pub fn shared(&mut self) -> Shared<'_> {
        Shared { numbers: UnsafeCell::raw_get(self.0.as_ptr()), count: self.0.len(), lent: PhantomData }
    }
}

/// Values that several threads may hold a way to, each to parts of its own.
pub struct Shared<'a> {
    pub(super) numbers: *mut f32,
    pub(super) count: usize,
    lent: PhantomData<&'a mut [f32]>,
}

// SAFETY: a way to singles; who holds it twice has promised that nobody uses the same part.
unsafe impl Send for Shared<'_> {}
// SAFETY: numbers are reached only by steps, for which the same has been promised, and through [`Shared::again`].
unsafe impl Sync for Shared<'_> {}

impl<'a> Shared<'a> {
    /// Another way to the same numbers.
    ///
    /// # Safety
    /// No number that is written through one of the two is used through the other meanwhile.
    pub unsafe fn again(&self) -> Shared<'a> {
        Shared { ..*self }
    }
}

/// What steps read and write.
pub struct Memory<'a> {
    /// The values.
    pub values: Shared<'a>,
    /// Working memory of this thread.
    pub scratch: &'a mut [f32],
    /// The network's numbers.
    pub numbers: &'a [Numbers],
    /// The inputs of whole numbers.
    pub whole: &'a [Vec<i64>],
}
