//! A flag that any thread may raise to end a running call.

use std::sync::atomic::{AtomicBool, Ordering};

/// Looked at between the steps of a run and between the tensors of a load. Raising it is a single atomic store.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// A flag that is down.
    pub const fn new() -> Cancel {
        Cancel(AtomicBool::new(false))
    }

    /// Raises the flag; any thread, any time, from a signal handler too.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Takes the flag down.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Release);
    }

    /// Whether the flag is up.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
