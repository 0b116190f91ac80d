//! safetensors, byte for byte as the reference writer makes it.

use super::target::{Sink, Target};
use crate::{
    faults::{Code, Fault, Faults, Refused, quoted, quoted_str},
    formats::safetensors::{Piece, has, write_head},
    network::Entry,
    progress::Progress,
};
use std::collections::HashMap;

/// The longest header readers take.
const LONGEST: usize = 100_000_000;

/// Writes the numbers of `entries` under their paths, as they are: of a network that came from PyTorch `Network::written`
/// gives those PyTorch has, and the note `format` = `pt` says so. Order, sizes and padding are the reference writer's.
/// After a fault a path holds what it held before, and memory too.
pub fn safetensors(
    entries: &[Entry],
    notes: &[(&str, &str)],
    target: Target<'_>,
    progress: &Progress,
    faults: &mut Faults,
) -> Result<(), Refused> {
    let (mut pieces, by_name) = pieces(entries, notes, faults)?;
    let head = write_head(&mut pieces, notes).filter(|head| head.len() <= LONGEST + 8);
    let Some(head) = head else {
        return Err(faults.refuse(Fault::new(Code::Limit, "The names and shapes make a header no reader takes.")));
    };
    let total = head.len() as u64 + pieces.iter().map(|piece| piece.bytes).sum::<u64>();
    let mut sink = Sink::open(target, total, faults)?;
    let mut write = || {
        sink.write(&head, faults)?;
        let mut done = head.len() as u64;
        for piece in &pieces {
            progress.at(done, total, faults)?;
            let packed = by_name.get(piece.name).and_then(|entry| entry.tensor.to_packed());
            let Some(bytes) = packed.as_ref().and_then(|tensor| tensor.packed_bytes()) else {
                let message = format!("'{}' has no room: there is no memory for it.", quoted_str(piece.name));
                return Err(faults.refuse(Fault::new(Code::Memory, message).path(piece.name)));
            };
            sink.write(bytes, faults)?;
            done += piece.bytes;
        }
        progress.at(done, total, faults)
    };
    match write() {
        Ok(()) => sink.finish(faults),
        Err(refused) => {
            sink.undo();
            Err(refused)
        }
    }
}

/// What is to be written, checked; all faults at once.
fn pieces<'a>(
    entries: &'a [Entry],
    notes: &[(&str, &str)],
    faults: &mut Faults,
) -> Result<(Vec<Piece<'a>>, HashMap<&'a str, &'a Entry>), Refused> {
    let mark = faults.mark();
    let (mut pieces, mut by_name) = (Vec::with_capacity(entries.len()), HashMap::new());
    for entry in entries {
        let dtype = entry.tensor.dtype();
        let fault = match (entry.path.as_str(), dtype.bytes(entry.tensor.count())) {
            (None, _) => Some((Code::Encoding, "is not UTF-8, which names of safetensors are.".to_owned())),
            (Some("__metadata__"), _) => {
                Some((Code::Value, "is the name of the notes and can not be a tensor's.".into()))
            }
            (Some(name), Some(bytes)) if has(dtype) => {
                pieces.push(Piece { name, dtype, shape: entry.tensor.shape(), bytes: bytes as u64 });
                by_name.insert(name, entry).map(|_| (Code::KeyTwice, "is to be written twice.".into()))
            }
            _ => Some((Code::Unsupported, format!("is {}, which safetensors does not have.", dtype.name()))),
        };
        if let Some((code, says)) = fault {
            faults.push(Fault::new(code, format!("'{}' {says}", quoted(&entry.path))).path(entry.path.clone()));
        }
    }
    let mut keys: Vec<&str> = notes.iter().map(|(key, _)| *key).collect();
    keys.sort_unstable();
    if let Some(pair) = keys.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("The note '{}' is to be written twice.", quoted_str(pair[0]));
        faults.push(Fault::new(Code::KeyTwice, message));
    }
    faults.refused_since(mark)?;
    Ok((pieces, by_name))
}
