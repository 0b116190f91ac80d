//! Reads a datatype message into [`Datatype`]. Floats are told apart by every field of the message, never by size alone.

use super::{
    cursor::Cursor,
    datatype::{Datatype, Field, Padding},
    wrong::{Read, Wrong},
};
use crate::{faults::Text, tensor::DType};

/// How deep types stand within types.
const DEEPEST: usize = 16;

/// Reads one datatype from the message's body.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Read<Datatype> {
    inner(cursor, DEEPEST)
}

struct Head {
    version: u8,
    bits: u32,
    bytes: usize,
    place: u64,
}

fn inner(cursor: &mut Cursor<'_>, depth: usize) -> Read<Datatype> {
    let place = cursor.place();
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Wrong::damaged(place, format!("its datatype is nested deeper than {DEEPEST}")));
    };
    let first = cursor.u8()?;
    let (version, class) = (first >> 4, first & 15);
    let bits = cursor.uint(3)? as u32;
    let bytes = cursor.u32()? as usize;
    let head = Head { version, bits, bytes, place };
    if !(1..=5).contains(&version) {
        return Err(Wrong::unsupported(place, format!("its datatype is of version {version}")));
    }
    if bytes == 0 {
        return Err(Wrong::damaged(place, "its datatype has no bytes"));
    }
    match class {
        0 => fixed(&head, cursor),
        1 => float(&head, cursor),
        2 => cursor.skip(2).map(|()| Datatype::Other { bytes, says: "a time" }),
        3 => Ok(Datatype::Text { bytes, padding: padding(bits & 15), utf8: bits >> 4 & 15 == 1 }),
        4 => cursor.skip(4).map(|()| Datatype::Bits { bytes, big: bits & 1 != 0 }),
        5 => {
            let tag = cursor.take((bits & 255) as usize)?;
            let end = tag.iter().position(|&byte| byte == 0).unwrap_or(tag.len());
            Ok(Datatype::Opaque { bytes, tag: Text::from_wtf8(tag.get(..end).unwrap_or_default()) })
        }
        6 => compound(&head, cursor, depth),
        7 if bits & 15 == 0 && bytes == 8 => Ok(Datatype::Reference),
        7 => Ok(Datatype::Other { bytes, says: "a reference to a region or attribute" }),
        8 => named(&head, cursor, depth),
        9 => {
            let element = inner(cursor, depth)?;
            match (bytes, bits & 15) {
                (16, 1) => Ok(Datatype::LongText { utf8: bits >> 8 & 15 == 1 }),
                (16, 0) => Ok(Datatype::Sequence(Box::new(element))),
                _ => Ok(Datatype::Other { bytes, says: "a sequence of an unknown kind" }),
            }
        }
        10 => array(&head, cursor, depth),
        11 => complex(&head, cursor, depth),
        _ => Err(Wrong::unsupported(place, format!("its datatype is of class {class}"))),
    }
}

fn padding(bits: u32) -> Padding {
    match bits {
        1 => Padding::NulPadded,
        2 => Padding::BlankPadded,
        _ => Padding::NulTerminated,
    }
}

fn fixed(head: &Head, cursor: &mut Cursor<'_>) -> Read<Datatype> {
    let (first, precision) = (cursor.u16()?, cursor.u16()?);
    let signed = head.bits & 8 != 0;
    let dtype = match (head.bytes, signed) {
        (1, true) => Some(DType::I8),
        (2, true) => Some(DType::I16),
        (4, true) => Some(DType::I32),
        (8, true) => Some(DType::I64),
        (1, false) => Some(DType::U8),
        (2, false) => Some(DType::U16),
        (4, false) => Some(DType::U32),
        (8, false) => Some(DType::U64),
        _ => None,
    };
    let whole = first == 0 && usize::from(precision) == head.bytes * 8;
    Ok(match dtype.filter(|_| whole) {
        Some(dtype) => Datatype::Number { dtype, big: head.bits & 1 != 0 },
        None => Datatype::Other { bytes: head.bytes, says: "a whole number of an odd width" },
    })
}

fn float(head: &Head, cursor: &mut Cursor<'_>) -> Read<Datatype> {
    let (first, precision) = (cursor.u16()?, cursor.u16()?);
    let exponent = (cursor.u8()?, cursor.u8()?);
    let mantissa = (cursor.u8()?, cursor.u8()?);
    let bias = cursor.u32()?;
    let sign = head.bits >> 8 & 255;
    let dtype = match (head.bytes, exponent, mantissa, bias) {
        (2, (10, 5), (0, 10), 15) => Some(DType::F16),
        (2, (7, 8), (0, 7), 127) => Some(DType::BF16),
        (4, (23, 8), (0, 23), 127) => Some(DType::F32),
        (8, (52, 11), (0, 52), 1023) => Some(DType::F64),
        (1, (3, 4), (0, 3), 7) => Some(DType::F8E4M3),
        (1, (2, 5), (0, 2), 15) => Some(DType::F8E5M2),
        (1, (3, 4), (0, 3), 8) => Some(DType::F8E4M3Fnuz),
        (1, (2, 5), (0, 2), 16) => Some(DType::F8E5M2Fnuz),
        _ => None,
    };
    // The first bit of the mantissa is written, the order is plain, and the bits above the sign are left over.
    if (head.bytes, exponent, mantissa, bias) == (16, (64, 15), (0, 64), 16383) {
        const LITTLE: u32 = 79 << 8;
        if head.bits == LITTLE && (first, precision) == (0, 80) {
            return Ok(Datatype::Extended);
        }
    }
    // The first bit of the mantissa is implied, the order is plain, and no bit is left over.
    let plain = head.bits >> 4 & 3 == 2 && head.bits & 0x40 == 0;
    let whole = first == 0 && usize::from(precision) == head.bytes * 8 && sign as usize + 1 == head.bytes * 8;
    Ok(match dtype.filter(|_| plain && whole) {
        Some(dtype) => Datatype::Number { dtype, big: head.bits & 1 != 0 },
        None => Datatype::Other { bytes: head.bytes, says: "a float that is none of IEEE's or of machine learning's" },
    })
}

/// A name; the first two versions fill it up to a multiple of 8 bytes.
fn name(head: &Head, cursor: &mut Cursor<'_>) -> Read<Text> {
    let text = cursor.text()?;
    if head.version < 3 {
        let length = text.len() + 1;
        cursor.skip(length.next_multiple_of(8) - length)?;
    }
    Ok(Text::from_wtf8(text))
}

fn compound(head: &Head, cursor: &mut Cursor<'_>, depth: usize) -> Read<Datatype> {
    let count = (head.bits & 0xFFFF) as usize;
    let mut fields: Vec<Field> = Vec::new();
    for _ in 0..count {
        let place = cursor.place();
        let name = name(head, cursor)?;
        let width = if head.version < 3 { 4 } else { (head.bytes.ilog2() / 8 + 1) as usize };
        let offset = cursor.uint(width)? as usize;
        let mut lengths = Vec::new();
        if head.version == 1 {
            let axes = usize::from(cursor.u8()?);
            cursor.skip(11)?;
            let all = [cursor.u32()?, cursor.u32()?, cursor.u32()?, cursor.u32()?];
            let used = all.get(..axes).ok_or_else(|| Wrong::damaged(place, "a field has more than 4 axes"))?;
            lengths.extend(used.iter().map(|&length| length as usize));
        }
        let mut datatype = inner(cursor, depth)?;
        if !lengths.is_empty() {
            datatype = arrayed(lengths, datatype, None, place)?;
        }
        if offset.checked_add(datatype.bytes()).is_none_or(|end| end > head.bytes) {
            return Err(Wrong::damaged(place, "a field lies outside of its compound"));
        }
        fields.push(Field { name, offset, datatype });
    }
    Ok(Datatype::Compound { bytes: head.bytes, fields })
}

fn named(head: &Head, cursor: &mut Cursor<'_>, depth: usize) -> Read<Datatype> {
    let base = inner(cursor, depth)?;
    if base.bytes() != head.bytes || base.turned().is_none() && base.dtype().is_none() {
        return Err(Wrong::damaged(head.place, "an enum is of another size than its numbers"));
    }
    let count = (head.bits & 0xFFFF) as usize;
    let mut names = Vec::new();
    for _ in 0..count {
        names.push((name(head, cursor)?, Vec::new()));
    }
    for (_, number) in &mut names {
        *number = cursor.take(head.bytes)?.to_vec();
    }
    Ok(Datatype::Enum { base: Box::new(base), names })
}

fn array(head: &Head, cursor: &mut Cursor<'_>, depth: usize) -> Read<Datatype> {
    let axes = usize::from(cursor.u8()?);
    cursor.skip(if head.version < 3 { 3 } else { 0 })?;
    let mut lengths = Vec::new();
    for _ in 0..axes {
        lengths.push(cursor.u32()? as usize);
    }
    cursor.skip(if head.version < 3 { 4 * axes } else { 0 })?;
    arrayed(lengths, inner(cursor, depth)?, Some(head.bytes), head.place)
}

fn arrayed(lengths: Vec<usize>, element: Datatype, bytes: Option<usize>, place: u64) -> Read<Datatype> {
    let all = lengths.iter().try_fold(element.bytes(), |all, &length| all.checked_mul(length));
    match all.filter(|&all| all > 0 && bytes.is_none_or(|bytes| bytes == all)) {
        Some(_) => Ok(Datatype::Array { lengths, element: Box::new(element) }),
        None => Err(Wrong::damaged(place, "an array's lengths do not make its size")),
    }
}

/// The complex class of HDF5 2.0, given as the compound that older files use.
fn complex(head: &Head, cursor: &mut Cursor<'_>, depth: usize) -> Read<Datatype> {
    let part = inner(cursor, depth)?;
    let half = part.bytes();
    if half.checked_mul(2) != Some(head.bytes) {
        return Err(Wrong::damaged(head.place, "a complex number is not twice its parts"));
    }
    let field = |name: &str, offset| Field { name: name.into(), offset, datatype: part.clone() };
    Ok(Datatype::Compound { bytes: head.bytes, fields: vec![field("r", 0), field("i", half)] })
}
