//! What a call may cost. Every bound is on what the library would *do*, never a number a file states.

/// Bounds of a context; see each for its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest file or source, in bytes. Default 1 TiB (a mapped file costs nothing until used).
    pub file_bytes: u64,
    /// Largest single tensor, in bytes. Default 64 GiB.
    pub tensor_bytes: u64,
    /// Largest header or text that must be parsed as a whole, in bytes. Default 100,000,000.
    pub header_bytes: u64,
    /// Deepest nesting of JSON, containers or trees. Default 64.
    pub depth: usize,
    /// Most entries, nodes or layers. Default 1,000,000.
    pub entries: usize,
    /// Most faults that are kept. Default 10,000.
    pub faults: usize,
    /// Largest memory of one session, in bytes. Default 16 GiB.
    pub session_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_bytes: 1 << 40,
            tensor_bytes: 64 << 30,
            header_bytes: 100_000_000,
            depth: 64,
            entries: 1_000_000,
            faults: 10_000,
            session_bytes: 16 << 30,
        }
    }
}
