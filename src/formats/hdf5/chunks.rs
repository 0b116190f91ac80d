//! Datasets in pieces, put together.

use super::{
    cursor::UNDEFINED,
    dense::WIDTH,
    filter::{self, Undone},
    image::Image,
    layout::{Chunked, Index},
    value::Kept,
    wrong::{Read, Wrong},
};
use crate::{faults::Code, tensor::Storage};
use hdf5_reader::{
    btree_v1::{BTreeV1Key, collect_btree_v1_leaves_storage},
    chunk_index::{ChunkEntry, collect_implicit_chunk_entries, collect_v2_chunk_entries_storage, single_chunk_entry},
    error::Error,
    extensible_array::collect_extensible_array_chunk_entries_storage,
    fixed_array::collect_fixed_array_chunk_entries_storage,
};
use std::{collections::HashSet, sync::Arc};

/// The dataset that the pieces make.
pub(super) struct Whole<'a> {
    /// Lengths of its axes.
    pub shape: &'a [usize],
    /// How long they may grow; nothing if no longer.
    pub most: Option<&'a [u64]>,
    /// Bytes of an element.
    pub size: usize,
    /// Bytes of all elements.
    pub bytes: usize,
    /// Where its header is.
    pub place: u64,
}

/// A piece: the element it begins with, and where it is kept.
struct Piece {
    first: Vec<usize>,
    address: u64,
    length: u64,
    skipped: u32,
}

/// Reads all pieces into new memory.
pub(super) fn read(image: &Image, chunked: &Chunked, whole: &Whole<'_>) -> Read<Storage> {
    let place = whole.place;
    let lengths: Vec<usize> = chunked.lengths.iter().map(|&length| length as usize).collect();
    let one = lengths.iter().try_fold(whole.size, |all, &length| all.checked_mul(length));
    let one = one.filter(|&one| u32::try_from(one).is_ok() && lengths.len() == whole.shape.len());
    let Some(one) = one else {
        return Err(Wrong::damaged(place, "its pieces do not fit its axes"));
    };
    let axes = || whole.shape.iter().zip(&lengths).map(|(&all, &length)| all.div_ceil(length));
    let wanted = axes().try_fold(1_usize, usize::checked_mul).filter(|&count| count as u64 <= image.length());
    let Some(wanted) = wanted else {
        return Err(Wrong::with(Code::Hostile, place, "it says it has more pieces than the file has bytes"));
    };
    let pieces = pieces(image, chunked, whole, one)?;
    check(image, chunked, whole, (&pieces, wanted, one))?;
    if let ([piece], true) = (pieces.as_slice(), lengths == whole.shape) {
        return only(image, chunked, whole, piece);
    }
    let mut wrong = None;
    let storage = Storage::filled(whole.bytes, |out| {
        if pieces.len() < wanted && !chunked.fill.is_empty() {
            out.chunks_exact_mut(whole.size).for_each(|element| element.copy_from_slice(&chunked.fill));
        }
        for piece in &pieces {
            let kept = image.part(piece.address, piece.length, "a piece of it");
            let undone = kept.as_ref().map_err(Wrong::clone).and_then(|kept| {
                let place = image.place(piece.address);
                filter::undo(&chunked.filters, piece.skipped, kept.bytes(), (whole.size, one), place)
            });
            match undone {
                Ok(undone) => place_piece(out, &undone, whole, &lengths, &piece.first),
                Err(error) => {
                    wrong = Some(error);
                    return;
                }
            }
        }
    });
    match wrong {
        Some(wrong) => Err(wrong),
        None => storage.ok_or_else(|| no_memory(whole)),
    }
}

fn no_memory(whole: &Whole<'_>) -> Wrong {
    Wrong::with(Code::Memory, whole.place, format!("there is no memory for its {} bytes", whole.bytes))
}

/// The one piece that is all of the dataset: nothing is copied that was not compressed, and nothing twice.
fn only(image: &Image, chunked: &Chunked, whole: &Whole<'_>, piece: &Piece) -> Read<Storage> {
    const WHAT: &str = "a piece of it";
    if chunked.filters.is_empty() {
        return image.part(piece.address, piece.length, WHAT);
    }
    let kept = image.part(piece.address, piece.length, WHAT)?;
    let sizes = (whole.size, whole.bytes);
    let undone = filter::undo(&chunked.filters, piece.skipped, kept.bytes(), sizes, image.place(piece.address))?;
    match undone.plain() {
        Ok(bytes) => Ok(Storage::kept(Arc::new(Kept(bytes.into_owned())))),
        Err(shuffled) => Storage::filled(whole.bytes, |out| shuffled.write(0, out)).ok_or_else(|| no_memory(whole)),
    }
}

/// Every piece that belongs to the dataset, none twice.
fn pieces(image: &Image, chunked: &Chunked, whole: &Whole<'_>, one: usize) -> Read<Vec<Piece>> {
    if chunked.address == UNDEFINED {
        return Ok(Vec::new());
    }
    let index = image.place(chunked.address);
    image.holds(chunked.address, "the index of its pieces")?;
    let entries =
        entries(image, chunked, whole).map_err(|error| Wrong::crates(index, "the index of its pieces", &error))?;
    let mut seen = HashSet::new();
    let mut pieces = Vec::new();
    for entry in entries {
        if entry.address == UNDEFINED {
            continue;
        }
        let first: Vec<usize> = entry.offsets.iter().filter_map(|&offset| usize::try_from(offset).ok()).collect();
        let first = first.get(..whole.shape.len()).unwrap_or_default().to_vec();
        let fits = first.len() == whole.shape.len() && entry.offsets.len() >= first.len();
        let on = first.iter().zip(&chunked.lengths).all(|(&first, &length)| first % length as usize == 0);
        if !fits || !on {
            return Err(Wrong::damaged(index, "a piece of it does not stand where one can"));
        }
        // What a dataset had before it was made shorter may still stand in the index.
        if first.iter().zip(whole.shape).any(|(&first, &length)| first >= length) {
            continue;
        }
        if !seen.insert(first.clone()) {
            return Err(Wrong::damaged(index, "a piece of it is kept twice"));
        }
        let plain = chunked.filters.is_empty();
        let length = if plain { one as u64 } else { entry.size };
        pieces.push(Piece { first, address: entry.address, length, skipped: entry.filter_mask });
    }
    Ok(pieces)
}

/// The index as the crate reads it.
fn entries(image: &Image, chunked: &Chunked, whole: &Whole<'_>) -> Result<Vec<ChunkEntry>, Error> {
    let (at, lengths) = (chunked.address, chunked.lengths.as_slice());
    let shape: Vec<u64> = whole.shape.iter().map(|&length| length as u64).collect();
    let axes = shape.len() as u32;
    match chunked.index {
        Index::Tree => {
            let leaves = collect_btree_v1_leaves_storage(image, at, WIDTH, WIDTH, Some(axes), lengths, None)?;
            let entry = |(key, address)| match key {
                BTreeV1Key::RawData { chunk_size, filter_mask, offsets } => {
                    Ok(ChunkEntry { address, size: u64::from(chunk_size), filter_mask, offsets })
                }
                BTreeV1Key::Group { .. } => Err(Error::InvalidData("an index of links".into())),
            };
            leaves.into_iter().map(entry).collect()
        }
        Index::Single(filtered) => {
            let (size, mask) = filtered.unwrap_or_default();
            Ok(vec![single_chunk_entry(at, size, mask, shape.len())])
        }
        Index::Implicit => collect_implicit_chunk_entries(at, &shape, lengths, whole.size, None, image.reach()),
        Index::Fixed => collect_fixed_array_chunk_entries_storage(image, at, WIDTH, WIDTH, &shape, lengths, None),
        Index::Extensible => {
            collect_extensible_array_chunk_entries_storage(image, at, WIDTH, WIDTH, &shape, whole.most, lengths, None)
        }
        Index::NewTree => collect_v2_chunk_entries_storage(image, at, WIDTH, WIDTH, axes, lengths, None),
    }
}

/// Before any memory is taken: what is kept must lie in the file once, and can become as much as is said.
fn check(image: &Image, chunked: &Chunked, whole: &Whole<'_>, found: (&[Piece], usize, usize)) -> Read<()> {
    const SLACK: u64 = 1 << 20;
    let (pieces, wanted, one) = found;
    let mut kept = 0_u64;
    for piece in pieces {
        let place = image.place(piece.address);
        kept = kept.saturating_add(piece.length);
        if kept > image.length() {
            return Err(Wrong::with(Code::Hostile, place, "its pieces are longer together than the file"));
        }
        if filter::most(&chunked.filters, piece.length) < one as u64 {
            let says = format!("a piece of it is said to become {one} bytes, more than its {} can", piece.length);
            return Err(Wrong::with(Code::Hostile, place, says));
        }
    }
    if pieces.len() < wanted && whole.bytes as u64 > image.length().saturating_add(SLACK) {
        let says =
            format!("{} of its {wanted} pieces were never written, and the file is shorter", wanted - pieces.len());
        return Err(Wrong::with(Code::Hostile, whole.place, says));
    }
    if !chunked.fill.is_empty() && chunked.fill.len() != whole.size {
        return Err(Wrong::damaged(whole.place, "its fill value is of another size than an element"));
    }
    Ok(())
}

/// Copies the part of a piece that lies in the dataset, a row along the last axis at a time.
fn place_piece(out: &mut [u8], piece: &Undone<'_>, whole: &Whole<'_>, lengths: &[usize], first: &[usize]) {
    let inside: Vec<usize> = (whole.shape.iter().zip(first))
        .zip(lengths)
        .map(|((&all, &first), &length)| length.min(all.saturating_sub(first)))
        .collect();
    let (Some(&row), axes) = (inside.last(), inside.len()) else { return };
    let rows: usize = inside.iter().take(axes - 1).product();
    let mut index = vec![0_usize; axes];
    for _ in 0..rows {
        let (mut from, mut to) = (0, 0);
        for (((&at, &first), &length), &all) in index.iter().zip(first).zip(lengths).zip(whole.shape) {
            from = from * length + at;
            to = to * all + first + at;
        }
        if let Some(to) = out.get_mut(to * whole.size..(to + row) * whole.size) {
            piece.write(from, to);
        }
        for (at, &length) in index.iter_mut().zip(&inside).rev().skip(1) {
            *at += 1;
            if *at < length {
                break;
            }
            *at = 0;
        }
    }
}
