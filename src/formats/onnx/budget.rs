//! How much memory the messages of a file may take: a measure of the file, not of anything it says.

use crate::faults::{Code, Fault};

/// Bytes that may still be taken.
pub(super) struct Budget(u64);

/// What a file of no length may take.
const LEAST: u64 = 6 << 20;

impl Budget {
    /// For a file of so many bytes.
    pub(super) fn of(file: u64) -> Budget {
        Budget(file.saturating_mul(3).saturating_add(LEAST))
    }

    /// Takes so many bytes, for what stands at byte `at`.
    pub(super) fn take(&mut self, bytes: usize, at: u64) -> Result<(), Fault> {
        let left = self.0.checked_sub(bytes as u64).ok_or_else(|| {
            let message =
                "The graph is made of so many small parts that their memory is out of all proportion to the file.";
            Fault::new(Code::Limit, message).offset(at)
        })?;
        self.0 = left;
        Ok(())
    }

    /// Takes what one more item of a list needs.
    pub(super) fn item<T>(&mut self, at: u64) -> Result<(), Fault> {
        self.take(size_of::<T>(), at)
    }
}
