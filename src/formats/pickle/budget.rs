//! How much memory the values of a pickle may take: a measure of the file that holds it, not of anything it says.

/// Bytes that may still be taken.
pub(super) struct Budget(u64);

/// What a file of no length may take.
const LEAST: u64 = 6 << 20;

impl Budget {
    /// For a pickle in a file of so many bytes.
    pub fn of(file: u64) -> Budget {
        Budget(file.saturating_mul(2).saturating_add(LEAST))
    }

    /// Takes so many bytes; none if there are not as many.
    pub fn take(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.checked_sub(bytes as u64)?;
        Some(())
    }
}
