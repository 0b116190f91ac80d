//! Deflated bytes, taken out into exactly as much memory as they are said to need.

use super::entry::Entry;
use crate::{
    faults::{Code, Fault},
    tensor::Storage,
};
use flate2::bufread::DeflateDecoder;
use std::io::Read;

/// Inflates all of `packed`; that it is affordable has been seen to.
pub(super) fn inflate(entry: &Entry, packed: &[u8]) -> Result<Storage, Fault> {
    let no_memory = || entry.say(Code::Memory, &format!("needs {} bytes, which can not be had.", entry.size));
    let mut decoder = DeflateDecoder::new(packed);
    let mut read = Ok(());
    let size = usize::try_from(entry.size).map_err(|_| no_memory())?;
    let bytes = Storage::filled(size, |out| read = decoder.read_exact(out)).ok_or_else(no_memory)?;
    // The decoder says nothing more only after it has seen the end of the stream.
    let over = read.and_then(|()| decoder.read(&mut [0]));
    match over {
        Ok(0) if decoder.total_in() == entry.packed => Ok(bytes),
        Ok(0) => Err(entry.say(Code::Malformed, "has further bytes after the end of its deflated ones.")),
        Ok(_) => {
            let rest = format!("is said to hold {} bytes, and holds more.", entry.size);
            Err(entry.say(Code::Malformed, &rest))
        }
        Err(_) => {
            let rest = format!("can not be inflated to the {} bytes it is said to hold.", entry.size);
            Err(entry.say(Code::Malformed, &rest))
        }
    }
}
