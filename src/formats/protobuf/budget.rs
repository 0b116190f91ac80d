//! How much memory the messages of a file may take, said with the byte at which there is no more.

use crate::faults::{Code, Fault};
use crate::formats;

/// Bytes that may still be taken.
pub(in crate::formats) struct Budget(formats::Budget);

impl Budget {
    /// For a file of so many bytes. A node of a hundred bytes takes some four hundred here.
    pub(in crate::formats) fn of(file: u64) -> Budget {
        let budget = formats::Budget::of(file.saturating_mul(4));
        // What is made of the messages later takes as much again.
        budget.take(8 << 20);
        Budget(budget)
    }

    /// Takes so many bytes, for what stands at byte `at`.
    pub(in crate::formats) fn take(&mut self, bytes: usize, at: u64) -> Result<(), Fault> {
        self.0.take(bytes as u64).ok_or_else(|| {
            let message =
                "The file is made of so many small parts that their memory is out of all proportion to its length.";
            Fault::new(Code::Limit, message).offset(at)
        })
    }

    /// Takes what one more item of a list needs.
    pub(in crate::formats) fn item<T>(&mut self, at: u64) -> Result<(), Fault> {
        self.take(size_of::<T>(), at)
    }
}
