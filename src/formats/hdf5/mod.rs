//! HDF5, read and written without libhdf5: the one seam over it for every format that is kept in such files.
//!
//! [`File`] opens a source; [`Group`], [`Dataset`] and [`Attribute`] give what is in it, [`Value`] the numbers, texts and
//! references. Superblocks 0 to 3, groups and attributes of either kind, contiguous, compact and chunked data; a user
//! block before it all.
//!
//! The only module that names the crate `hdf5-reader`, of which it takes the parts that are laborious and hold no policy:
//! B-trees, heaps, indices of chunks, filters, checksums. Object headers and their messages are read here, for these gaps
//! of its upper half: attributes in the header come in the file's order and not in that of creation; a child that can not
//! be read hides its siblings; attributes of a committed type are refused; soft links are followed and kinds of links
//! hidden; floats are told apart by size alone, so that bfloat16 reads as half; named datatypes can not be reached; there
//! is no LZF, and no place in the file for a fault. Refused by name: soft, external and user-defined links, external
//! storage, virtual datasets, tables of shared messages, filters of plug-ins, szip, addresses of other than 8 bytes.
//!
//! Cost is bounded by the file: see [`File`] and [`Dataset::value`]. Nothing is followed out of it.

mod attribute;
mod chunks;
mod cursor;
mod dataset;
mod datatype;
mod datatype_read;
mod dense;
mod descr;
mod file;
mod filter;
mod group;
mod header;
mod heap;
mod image;
mod layout;
mod link;
mod lzf;
mod object;
mod space;
mod superblock;
mod value;
mod write;
mod wrong;

pub use attribute::Attribute;
pub use dataset::Dataset;
pub use datatype::{Datatype, Field, Padding};
pub use file::{File, SIGNATURE};
pub use group::Group;
pub use link::{Link, Target};
pub use object::Object;
pub use space::Space;
pub use value::Value;
pub use write::{Bools, Branch, Datum, Node, Plan};

#[cfg(test)]
mod tests;
