//! The strict door: numbers into slots, all or none, with every fault named.
//!
//! Rules and sentences are those hosts of the DeepSharp kind compare byte for byte. Each entry has at most one fault, the
//! first of: no such slot, written twice, order not told, element type, shape, a number that is not finite. Faults come in
//! the order of the entries, then the slots nobody wrote in the order of the network. An entry that was refused has still
//! written its slot, so that is not said to be missing as well.

use super::{Entry, Turn};
use crate::{
    describe::Slot,
    faults::{Argument, Code, Fault, Faults, Refused, quoted_str},
    tensor::{Tensor, shape_text},
};
use std::collections::{HashMap, HashSet};

/// Fills `slots` from `entries`, whose numbers are kept as `turns` say (one for each slot). Gives packed, aligned singles in
/// the canonical layout, in the order of the slots; numbers that lie so already are shared and not copied.
pub fn load(slots: &[Slot], turns: &[Turn], entries: &[Entry], faults: &mut Faults) -> Result<Vec<Tensor>, Refused> {
    let mark = faults.mark();
    let by_path: HashMap<&[u8], usize> = slots.iter().enumerate().map(|(i, slot)| (slot.path.as_bytes(), i)).collect();
    let mut written = vec![false; slots.len()];
    let mut filled = vec![None; slots.len()];
    for entry in entries {
        let Some(&slot) = by_path.get(entry.path.as_bytes()) else {
            faults.push(unknown(entry));
            continue;
        };
        if std::mem::replace(&mut written[slot], true) {
            let sentence = "is written twice here, and only one of the two would be read.";
            faults.push(entry.fault(Code::SlotTwice, sentence));
            continue;
        }
        match fill(entry, &turns[slot]) {
            Ok(numbers) => filled[slot] = Some(numbers),
            Err(fault) => faults.push(fault),
        }
    }
    for (slot, _) in slots.iter().zip(&written).filter(|(_, written)| !**written) {
        faults.push(missing(slot));
    }
    faults.refused_since(mark)?;
    Ok(filled.into_iter().flatten().collect())
}

/// Says which entries are of no slot and which slots have none, as the load does: for importers that make other slots of these.
pub(crate) fn named<'a>(
    slots: &[Slot],
    entries: impl Iterator<Item = &'a Entry>,
    faults: &mut Faults,
) -> Result<(), Refused> {
    let mark = faults.mark();
    let mut unwritten: HashSet<&[u8]> = slots.iter().map(|slot| slot.path.as_bytes()).collect();
    let known = unwritten.clone();
    for entry in entries {
        unwritten.remove(entry.path.as_bytes());
        if !known.contains(entry.path.as_bytes()) {
            faults.push(unknown(entry));
        }
    }
    slots.iter().filter(|slot| unwritten.contains(slot.path.as_bytes())).for_each(|slot| faults.push(missing(slot)));
    faults.refused_since(mark)
}

fn unknown(entry: &Entry) -> Fault {
    entry.fault(Code::SlotUnknown, "is no slot of this network.")
}

fn missing(slot: &Slot) -> Fault {
    let message = format!("'{}' is missing: every slot of the network is written.", quoted_str(&slot.path));
    Fault::new(Code::SlotMissing, message).path(&slot.path)
}

/// The numbers of one entry, or its one fault.
fn fill(entry: &Entry, turn: &Turn) -> Result<Tensor, Fault> {
    if let Some(reason) = turn.reason() {
        return Err(entry.fault(Code::SlotLayout, &format!("is not read: its order can not be told: {reason}")));
    }
    let given = &entry.tensor;
    let no_memory = || entry.fault(Code::Memory, "has no room: there is no memory for it.");
    if !given.dtype().is_real() {
        let sentence = format!("holds F32, F16, BF16 or F64, and is written as {}.", given.dtype().name());
        let fault = entry.fault(Code::SlotDtype, &sentence);
        return Err(fault.argument("given", Argument::Text(given.dtype().name().into())));
    }
    if given.shape() != turn.written() {
        let (slot, written) = (shape_text(turn.written()), shape_text(given.shape()));
        let fault = entry.fault(Code::SlotShape, &format!("is a {slot} slot here, and is written as {written}."));
        let (slot, written) = (turn.written().to_vec(), given.shape().to_vec());
        return Err(fault.argument("slot_shape", Argument::Shape(slot)).argument("given", Argument::Shape(written)));
    }
    let numbers = given.to_f32().ok_or_else(no_memory)?;
    if let Some((index, value)) = first_bad(numbers.as_f32().ok_or_else(no_memory)?) {
        let sentence = format!("holds finite numbers, and its value at {index} is {value}.");
        let fault = entry.fault(Code::SlotNonfinite, &sentence).argument("index", Argument::Int(index as i64));
        return Err(fault.argument("value", Argument::Text(value.into())));
    }
    turn.turn(&numbers).ok_or_else(no_memory)
}

/// The first number that is not finite, and its name.
fn first_bad(numbers: &[f32]) -> Option<(usize, &'static str)> {
    // Whole runs first, without a way out of the loop, so that many numbers are looked at in one step.
    const RUN: usize = 1024;
    let bad = |run: &[f32]| run.iter().fold(false, |bad, number| bad | !number.is_finite());
    let run = numbers.chunks(RUN).position(bad)? * RUN;
    let index = run + numbers[run..].iter().position(|number| !number.is_finite())?;
    let name = match numbers[index] {
        number if number.is_nan() => "NaN",
        number if number > 0.0 => "Infinity",
        _ => "-Infinity",
    };
    Some((index, name))
}

#[cfg(test)]
mod tests;
