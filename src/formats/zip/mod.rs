//! Zip archives: what lies behind a `.pt` and a `.keras` file.
//!
//! An archive is seen here more narrowly than a general reader sees it, which takes one of two records of a name, or skips
//! what precedes the first record, without a word: it begins with its first record, no name stands twice (upper and lower
//! case alike), nothing overlaps, and the directory and the header before each record say the same. Encrypted archives and
//! names that lead elsewhere are refused; no name is ever used as a path. The directory is read at once and each record when
//! it is asked for: a stored one is a part of the source, a deflated one is inflated to just the size it is said to have,
//! all of them together to no more than the archive's own length.
//!
//! The walk over the directory is our own: the crate `zip` hides repeated names and the bytes before an archive, and reads
//! through a stream where a mapped file needs a place. Inflating and checksums are `flate2`'s.

mod archive;
mod bytes;
mod end;
mod entry;
mod inflate;

pub use archive::Zip;

#[cfg(test)]
mod tests;
