//! The superblock: where the file begins, how long it must be, where its root is. Versions 0 to 3.

use super::{
    cursor::Cursor,
    file::SIGNATURE,
    image::Image,
    wrong::{Read, Wrong},
};
use crate::{
    faults::{Code, Faults},
    source::Source,
};
use hdf5_reader::checksum::jenkins_lookup3;

/// Finds and reads the superblock: the file behind its user block, the addresses of the root's header and of the end.
pub(super) fn read(source: &Source) -> Read<(Image, u64, u64)> {
    const LONGEST: u64 = 128;
    let found = find(source)?.and_then(|start| Some((start, Image::new(source.clone(), start)?)));
    let Some((start, image)) = found else {
        return Err(Wrong::with(Code::Unrecognised, 0, "the file is not HDF5: its signature is missing"));
    };
    let length = image.length();
    let mut cursor = image.walk(0, LONGEST, "the superblock")?;
    cursor.skip(SIGNATURE.len())?;
    let place = cursor.place();
    let version = cursor.u8()?;
    let (base, end, root) = match version {
        0 | 1 => old(&mut cursor, version)?,
        2 | 3 => new(&mut cursor, version, image.walk(0, LONGEST, "the superblock")?)?,
        _ => return Err(Wrong::unsupported(place, format!("the superblock is of version {version}"))),
    };
    // A user block put before a finished file moves it without changing its own numbers.
    let end = end.saturating_sub(base).saturating_add(start);
    if end > length {
        let says = format!("the file is cut short: it should end at byte {end}, and has {length}");
        return Err(Wrong::with(Code::Truncated, length, says));
    }
    Ok((image, root, end.saturating_sub(start)))
}

/// Where the signature stands: at the beginning, or at 512 bytes and its doubles.
pub(super) fn find(source: &Source) -> Read<Option<u64>> {
    let mut faults = Faults::default();
    let mut at = 0_u64;
    while let Some(end) = at.checked_add(SIGNATURE.len() as u64).filter(|&end| end <= source.len()) {
        let bytes = source.look(at..end, &mut faults).map_err(|refused| Wrong::source(refused, &faults))?;
        if bytes == SIGNATURE {
            return Ok(Some(at));
        }
        at = if at == 0 { 512 } else { at.saturating_mul(2) };
    }
    Ok(None)
}

fn widths(cursor: &mut Cursor<'_>) -> Read<()> {
    let place = cursor.place();
    match (cursor.u8()?, cursor.u8()?) {
        (8, 8) => Ok(()),
        (offsets, lengths) => {
            let says = format!("its addresses have {offsets} bytes and its lengths {lengths}; 8 and 8 are read");
            Err(Wrong::unsupported(place, says))
        }
    }
}

/// Base address, end of the file, address of the root.
fn old(cursor: &mut Cursor<'_>, version: u8) -> Read<(u64, u64, u64)> {
    cursor.skip(4)?;
    widths(cursor)?;
    cursor.skip(if version == 0 { 9 } else { 13 })?;
    let base = cursor.u64()?;
    cursor.skip(8)?;
    let end = cursor.u64()?;
    cursor.skip(16)?;
    Ok((base, end, cursor.u64()?))
}

fn new(cursor: &mut Cursor<'_>, version: u8, mut all: Cursor<'_>) -> Read<(u64, u64, u64)> {
    const WRITING: u8 = 0x05;
    widths(cursor)?;
    let place = cursor.place();
    let flags = cursor.u8()?;
    if version == 3 && flags & WRITING != 0 {
        let says = "the file is still open for writing, or its writer died; close it, or clear it with h5clear";
        return Err(Wrong::with(Code::State, place, says));
    }
    let base = cursor.u64()?;
    cursor.skip(8)?;
    let (end, root) = (cursor.u64()?, cursor.u64()?);
    let covered = all.take(cursor.walked())?;
    let place = cursor.place();
    match jenkins_lookup3(covered) == cursor.u32()? {
        true => Ok((base, end, root)),
        false => Err(Wrong::damaged(place, "the checksum of the superblock is wrong")),
    }
}
