//! One tensor of the header: its fields, each checked by itself.

use super::{cover::Found, dtype, fields::Fields, header::Reading};
use crate::{
    faults::{Argument, Code, Fault, quoted_str},
    tensor::{DType, count, shape_text},
};
use serde_json::value::RawValue;

/// What a tensor says of itself. `dtype` and `shape` are made up if a fault was found in them.
pub(super) struct Claim<'a> {
    pub name: &'a str,
    pub dtype: DType,
    pub shape: Vec<usize>,
    /// First byte of the data.
    pub begin: u64,
    /// Byte after the last.
    pub end: u64,
    /// Whether the name stands here for the first time.
    pub first: bool,
}

/// Most axes of a tensor; no framework knows nearly as many.
const AXES: usize = 1024;

/// Most axes of all tensors of a file together: a header of many axes takes no more memory than its text.
const AXES_IN_ALL: usize = 8_000_000;

/// Most fields of a tensor that are looked at; the format has three.
const FIELDS: usize = 16;

/// Checks a tensor; none if its place in the data can not be told.
pub(super) fn claim<'f>(file: &mut Reading<'_>, name: &'f str, value: &RawValue, first: bool) -> Option<Claim<'f>> {
    let at = file.at(value);
    let mut faults = Vec::new();
    let mut say = |code, message: String| {
        let message = format!("'{}' {message}", quoted_str(name));
        faults.push(Fault::new(code, message).path(name).place(name).offset(at));
    };
    let mut known = Known::default();
    match Fields::of(value.get(), FIELDS) {
        Ok(fields) if fields.count > FIELDS => say(Code::Limit, format!("holds {} fields.", fields.count)),
        Ok(fields) => known = Known::of(fields, &mut say),
        Err(_) => say(
            Code::Malformed,
            format!("is no object with dtype, shape and data_offsets: {}.", quoted_str(value.get())),
        ),
    }
    file.axes += known.shape.as_ref().map_or(0, Vec::len);
    if file.axes > AXES_IN_ALL {
        say(Code::Limit, format!("brings the axes of the file to more than {AXES_IN_ALL}."));
        known.shape = None;
    }
    if let (Some(dtype), Some(shape)) = (known.dtype, &known.shape) {
        match count(shape).and_then(|count| count.checked_mul(dtype.bits())) {
            None => {
                say(Code::Overflow, format!("has the shape {}, whose bytes no machine can count.", shape_text(shape)))
            }
            Some(bits) if bits % 8 != 0 => {
                say(
                    Code::Malformed,
                    format!("is {} of {}: {bits} bits, no whole bytes.", shape_text(shape), dtype.name()),
                );
            }
            Some(bits) => {
                let bytes = bits as u64 / 8;
                if let Some((begin, end)) = known.offsets.filter(|(begin, end)| end >= begin && end - begin != bytes) {
                    let (shape, there) = (shape_text(shape), end - begin);
                    say(Code::Malformed, format!("is {shape} of {}, {bytes} bytes, and has {there}.", dtype.name()));
                }
                if bytes > file.limits.tensor_bytes {
                    say(
                        Code::Limit,
                        format!("takes {bytes} bytes; the limit `tensor_bytes` is {}.", file.limits.tensor_bytes),
                    );
                }
            }
        }
    }
    let length = file.data.end - file.data.start;
    if let Some((begin, end)) = known.offsets {
        if end < begin {
            say(Code::Malformed, format!("lies at bytes {begin} to {end} of the data: it ends before it begins."));
        } else if end > length {
            say(Code::Truncated, format!("lies at bytes {begin} to {end} of the data, which is {length} bytes long."));
        }
    }
    let placed = known.offsets.filter(|(begin, end)| begin <= end);
    let begin = known.offsets.map(|(begin, _)| begin);
    for fault in faults {
        let fault = match begin {
            Some(begin) => fault.argument("begin", Argument::Text(begin.to_string().into())),
            None => fault,
        };
        file.found.push(Found { fault, begin, offsets_known: placed.is_some() });
    }
    let (begin, end) = placed?;
    let (dtype, shape) = (known.dtype.unwrap_or(DType::U8), known.shape.unwrap_or_default());
    Some(Claim { name, dtype, shape, begin, end, first })
}

/// The fields that could be read.
#[derive(Default)]
struct Known {
    dtype: Option<DType>,
    shape: Option<Vec<usize>>,
    offsets: Option<(u64, u64)>,
}

impl Known {
    fn of(fields: Fields<'_>, say: &mut impl FnMut(Code, String)) -> Known {
        let mut known = Known::default();
        let mut seen = Vec::new();
        for (key, value) in &fields.kept {
            let text = value.get();
            if seen.contains(&key.as_str()) {
                say(Code::Duplicate, format!("has the field '{}' twice.", quoted_str(key)));
                continue;
            }
            seen.push(key);
            match key.as_str() {
                "dtype" => match serde_json::from_str::<String>(text) {
                    Ok(name) => {
                        known.dtype = dtype::from_name(&name);
                        if known.dtype.is_none() {
                            say(
                                Code::DType,
                                format!("has the dtype '{}', which the format does not have.", quoted_str(&name)),
                            );
                        }
                    }
                    Err(_) => say(Code::Malformed, format!("has the dtype {}; a text is wanted.", quoted_str(text))),
                },
                "shape" if text.matches(',').count() >= AXES => {
                    say(Code::Limit, format!("has more than {AXES} axes."));
                }
                "shape" => match serde_json::from_str(text) {
                    Ok(shape) => known.shape = Some(shape),
                    Err(_) => {
                        say(Code::Malformed, format!("has the shape {}; whole numbers are wanted.", quoted_str(text)))
                    }
                },
                "data_offsets" => match serde_json::from_str(text) {
                    Ok(offsets) => known.offsets = Some(offsets),
                    Err(_) => {
                        let given = quoted_str(text);
                        say(
                            Code::Malformed,
                            format!("has the data_offsets {given}; two whole numbers from 0 on are wanted."),
                        );
                    }
                },
                // The reference reader passes over what it does not know.
                _ => {}
            }
        }
        for field in ["dtype", "shape", "data_offsets"] {
            if !seen.contains(&field) {
                say(Code::Absent, format!("has no {field}."));
            }
        }
        known
    }
}
