//! Where the rows that a kernel makes lie in its output.

/// Rows one after another, or parts of longer rows, which other steps fill up: a value that is made where it will be joined
/// with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Numbers from one row to the next.
    pub step: usize,
    /// Where a row of the kernel's begins.
    pub start: usize,
}

impl Rows {
    /// Rows of so many numbers one after another.
    pub fn of(width: usize) -> Rows {
        Rows { step: width, start: 0 }
    }
}
