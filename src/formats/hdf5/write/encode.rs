//! Datatypes and dataspaces as bytes. Version 1 of the datatype message, 3 where names stand in it.

use super::super::{Datatype, Padding, Space};
use crate::tensor::DType;

/// A dataspace message of the second version.
pub(super) fn space(space: &Space) -> Vec<u8> {
    let (kind, lengths): (u8, &[usize]) = match space {
        Space::Null => (2, &[]),
        Space::Scalar => (0, &[]),
        Space::Simple(lengths) => (1, lengths),
    };
    let mut out = vec![2, lengths.len() as u8, 0, kind];
    lengths.iter().for_each(|&length| out.extend((length as u64).to_le_bytes()));
    out
}

/// A datatype message; none if the format can not say it.
pub(super) fn datatype(datatype: &Datatype) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    encode(datatype, &mut out)?;
    Some(out)
}

fn encode(datatype: &Datatype, out: &mut Vec<u8>) -> Option<()> {
    let bytes = u32::try_from(datatype.bytes()).ok()?;
    let mut head = |version: u8, class: u8, bits: u32| {
        out.push(version << 4 | class);
        out.extend(&bits.to_le_bytes()[..3]);
        out.extend(bytes.to_le_bytes());
    };
    match datatype {
        Datatype::Number { dtype, big } => {
            let order = u32::from(*big && bytes > 1);
            match float(*dtype) {
                Some((exponent, mantissa, bias)) => {
                    const IMPLIED: u32 = 0x20;
                    let precision = (bytes * 8) as u16;
                    head(1, 1, order | IMPLIED | (u32::from(precision) - 1) << 8);
                    out.extend([0, 0]);
                    out.extend(precision.to_le_bytes());
                    out.extend([mantissa, exponent, 0, mantissa]);
                    out.extend(u32::to_le_bytes(bias));
                }
                None => {
                    const SIGNED: u32 = 8;
                    let signed = matches!(dtype, DType::I8 | DType::I16 | DType::I32 | DType::I64);
                    head(1, 0, order | if signed { SIGNED } else { 0 });
                    whole(bytes, out);
                }
            }
        }
        Datatype::Extended => {
            const SIGN: u32 = 79;
            head(1, 1, SIGN << 8);
            out.extend([0, 0, 80, 0, 64, 15, 0, 64]);
            out.extend(u32::to_le_bytes(16383));
        }
        Datatype::Bits { big, .. } => {
            head(1, 4, u32::from(*big));
            whole(bytes, out);
        }
        Datatype::Text { padding: fill, utf8, .. } => head(1, 3, padding(*fill) | u32::from(*utf8) << 4),
        Datatype::LongText { utf8 } => {
            const TEXT: u32 = 1;
            head(1, 9, TEXT | u32::from(*utf8) << 8);
            encode(&Datatype::Number { dtype: DType::U8, big: false }, out)?;
        }
        Datatype::Opaque { tag, .. } => {
            let length = tag.as_bytes().len().next_multiple_of(8);
            head(1, 5, u8::try_from(length).ok()?.into());
            out.extend(tag.as_bytes());
            out.extend(std::iter::repeat_n(0, length - tag.as_bytes().len()));
        }
        Datatype::Compound { fields, .. } => {
            head(3, 6, u16::try_from(fields.len()).ok()?.into());
            let width = (bytes.ilog2() / 8 + 1) as usize;
            for field in fields {
                name(field.name.as_bytes(), out)?;
                out.extend(&(field.offset as u32).to_le_bytes()[..width]);
                encode(&field.datatype, out)?;
            }
        }
        Datatype::Enum { base, names } => {
            head(3, 8, u16::try_from(names.len()).ok()?.into());
            encode(base, out)?;
            names.iter().try_for_each(|(text, _)| name(text.as_bytes(), out))?;
            for (_, number) in names {
                (number.len() == base.bytes()).then(|| out.extend(number))?;
            }
        }
        Datatype::Array { lengths, element } => {
            head(3, 10, 0);
            out.push(u8::try_from(lengths.len()).ok()?);
            for &length in lengths {
                out.extend(u32::try_from(length).ok()?.to_le_bytes());
            }
            encode(element, out)?;
        }
        Datatype::Sequence(element) => {
            head(1, 9, 0);
            encode(element, out)?;
        }
        Datatype::Reference => head(1, 7, 0),
        Datatype::Other { .. } => return None,
    }
    Some(())
}

/// First bit and precision: every bit.
fn whole(bytes: u32, out: &mut Vec<u8>) {
    out.extend([0, 0]);
    out.extend(((bytes * 8) as u16).to_le_bytes());
}

fn name(text: &[u8], out: &mut Vec<u8>) -> Option<()> {
    (!text.contains(&0)).then(|| {
        out.extend(text);
        out.push(0);
    })
}

fn padding(padding: Padding) -> u32 {
    match padding {
        Padding::NulTerminated => 0,
        Padding::NulPadded => 1,
        Padding::BlankPadded => 2,
    }
}

/// Bits of exponent and mantissa, and the bias.
fn float(dtype: DType) -> Option<(u8, u8, u32)> {
    match dtype {
        DType::F16 => Some((5, 10, 15)),
        DType::BF16 => Some((8, 7, 127)),
        DType::F32 => Some((8, 23, 127)),
        DType::F64 => Some((11, 52, 1023)),
        DType::F8E4M3 => Some((4, 3, 7)),
        DType::F8E5M2 => Some((5, 2, 15)),
        DType::F8E4M3Fnuz => Some((4, 3, 8)),
        DType::F8E5M2Fnuz => Some((5, 2, 16)),
        _ => None,
    }
}
