//! What a leaf becomes: the value of an attribute, or a dataset behind a hint.

use crate::{
    faults::{Code, Text},
    formats::{
        hdf5::{Bools, Datatype, Datum, Padding, Space},
        jaxon::{Atom, complex_text, escaped, jax_name, real_text, stored},
    },
    params::{Opaque, Value},
    tensor::{DType, Storage, Tensor},
};

/// What stands in a file for a leaf.
pub(super) enum Stored {
    /// The value of its attribute.
    Attribute(Datum),
    /// Its hint, and the dataset.
    Dataset(String, Datum),
}

/// Why a leaf can not be written: half a sentence.
pub(super) type Unfit = (Code, String);

/// The atom of a leaf that is one, as text.
pub(super) fn atom(value: &Value, type_name: &str) -> Option<String> {
    Some(match value {
        Value::None => "None".into(),
        Value::Ellipsis => "Ellipsis".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Int(number) => number.to_string(),
        Value::BigInt(digits) => digits.clone(),
        Value::Real(number) => real_text(*number),
        Value::Complex(re, im) => complex_text(*re, *im),
        Value::Text(text) if type_name.is_empty() => escaped(text.as_str()?),
        Value::Range(range) if range.step == 1 => format!("range({},{})", range.first, range.end),
        Value::Range(range) => format!("range({},{},{})", range.first, range.end, range.step),
        _ => return None,
    })
}

/// Whether a leaf may stand as a key in the name of an attribute.
pub(super) fn is_plain_key(value: &Value, type_name: &str) -> bool {
    match value {
        Value::Text(text) => {
            type_name.is_empty()
                && text.as_str().is_some_and(|text| Atom::Text(text.into()).is_simple() && !text.contains('\0'))
        }
        Value::Real(number) => !number.is_nan(),
        Value::Complex(re, im) => !re.is_nan() && !im.is_nan(),
        Value::Range(_) => false,
        value => atom(value, type_name).is_some(),
    }
}

/// Whether Python would take a leaf as a key or a member of a set.
pub(super) fn is_hashable(value: &Value, type_name: &str) -> bool {
    match value {
        Value::Tensor(_) => false,
        Value::Opaque(_) => type_name == "numpy.generic" || type_name == "numpy.void",
        _ => type_name != "bytearray",
    }
}

/// What a leaf becomes.
pub(super) fn leaf(value: &Value, type_name: &str) -> Result<Stored, Unfit> {
    /// Python refuses to read longer ones.
    const DIGITS: usize = 4300;
    match value {
        Value::Text(text) if text.as_str().is_none() => Err((Code::Encoding, "is a text that is not UTF-8".into())),
        Value::BigInt(digits) if digits.trim_start_matches('-').len() > DIGITS => {
            Err((Code::Limit, format!("has more than {DIGITS} digits, which is the most that Python reads")))
        }
        Value::Text(text) if !type_name.is_empty() => match type_name {
            "numpy.str_" => run(text, true).map(|datum| Stored::Dataset("numpy.str_".into(), datum)),
            other => Err(unknown(other)),
        },
        Value::Bytes(bytes) => run_of(bytes, type_name),
        Value::Tensor(tensor) => array(tensor, type_name),
        Value::Scalar(tensor) if is_numpy(tensor.dtype()) => {
            Datum::numbers(tensor.clone(), Bools::Enum).map(Stored::Attribute).ok_or_else(no_memory)
        }
        Value::Scalar(tensor) => array(tensor, "jax.Array"),
        Value::Opaque(opaque) => elements(opaque, type_name),
        Value::NotLoaded => Err((Code::Kind, "was not loaded: load it, or take it out".into())),
        Value::Reference(_) => Err((Code::Internal, "is a reference".into())),
        value => {
            let text = atom(value, type_name).unwrap_or_default();
            Datum::text(&text.into(), Padding::NulPadded, true).map(Stored::Attribute).ok_or_else(no_memory)
        }
    }
}

fn unknown(type_name: &str) -> Unfit {
    let name = crate::faults::quoted_str(type_name);
    (Code::Type, format!("is of the type '{name}', which Jaxon 2 does not have"))
}

/// A text of NumPy's of just the bytes it has.
fn run(text: &Text, utf8: bool) -> Result<Datum, Unfit> {
    if text.as_bytes().last() == Some(&0) {
        return Err((Code::Value, "ends with a NUL, which NumPy's texts lose".into()));
    }
    let empty = || Datum::null(Datatype::Text { bytes: 1, padding: Padding::NulPadded, utf8 });
    let datum = if text.is_empty() { empty() } else { Datum::text(text, Padding::NulPadded, utf8) };
    datum.ok_or((Code::Limit, "is longer than HDF5 allows".into()))
}

fn run_of(bytes: &[u8], type_name: &str) -> Result<Stored, Unfit> {
    let name = match type_name {
        "" => "bytes",
        "bytearray" | "numpy.void" => type_name,
        "numpy.bytes_" => {
            let text = Text::from_wtf8(bytes);
            return run(&text, false).map(|datum| Stored::Dataset("numpy.bytes_".into(), datum));
        }
        "memoryview" => return Err((Code::Type, "is a memoryview, which Jaxon 2 does not have; make it bytes".into())),
        other => return Err(unknown(other)),
    };
    let datum = match bytes.len() {
        0 => Datum::null(Datatype::Number { dtype: DType::F64, big: false }),
        bytes_of => {
            let datatype = Datatype::Opaque { bytes: bytes_of, tag: Text::default() };
            let kept = Storage::copied(bytes);
            kept.filter(|_| u32::try_from(bytes_of).is_ok()).and_then(|kept| Datum::raw(datatype, Space::Scalar, kept))
        }
    };
    let datum = datum.ok_or((Code::Limit, "is longer than HDF5 allows".to_owned()))?;
    Ok(Stored::Dataset(name.into(), datum))
}

/// Whether NumPy has such numbers without further packages.
fn is_numpy(dtype: DType) -> bool {
    jax_name(dtype).is_some() && stored(dtype) == Some(dtype)
}

fn array(tensor: &Tensor, type_name: &str) -> Result<Stored, Unfit> {
    let dtype = tensor.dtype();
    let big = match type_name {
        "" | "jax.Array" => false,
        "numpy.ndarray[>]" => true,
        other => return Err(unknown(other)),
    };
    if type_name == "jax.Array" || !is_numpy(dtype) {
        let Some((name, kept)) = jax_name(dtype).zip(stored(dtype)) else {
            return Err((Code::DType, format!("is {}, which neither NumPy nor JAX has; convert it", dtype.name())));
        };
        let numbers = tensor.converted(kept).ok_or_else(no_memory)?;
        // Jaxon keeps powers of two as halves, which do not reach as far.
        if dtype == DType::F8E8M0 && !comes_back(tensor, &numbers) {
            return Err((Code::Value, "has powers of two that Jaxon's files can not hold".into()));
        }
        let kept = Datum::numbers(numbers, Bools::Enum).ok_or_else(no_memory)?;
        return Ok(Stored::Dataset(format!("jax.Array[{name}]"), kept));
    }
    let datum = match big {
        false => Datum::numbers(tensor.clone(), Bools::Enum),
        true => turned(tensor),
    };
    datum.map(|datum| Stored::Dataset("numpy.ndarray".into(), datum)).ok_or_else(no_memory)
}

fn no_memory() -> Unfit {
    (Code::Memory, "has no room: there is no memory for it".to_owned())
}

/// Whether numbers are the same again when they are read from what is kept of them.
fn comes_back(numbers: &Tensor, kept: &Tensor) -> bool {
    let again = kept.converted(numbers.dtype()).zip(numbers.to_packed());
    again.is_some_and(|(again, numbers)| again.packed_bytes() == numbers.packed_bytes())
}

/// Numbers with their most significant byte first.
fn turned(tensor: &Tensor) -> Option<Datum> {
    let packed = tensor.to_packed()?;
    let bytes = packed.packed_bytes()?;
    let parts = if matches!(tensor.dtype(), DType::C64 | DType::C128) { 2 } else { 1 };
    let size = tensor.dtype().size()? / parts;
    let kept = Storage::filled(bytes.len(), |to| {
        to.copy_from_slice(bytes);
        to.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    })?;
    let datatype = Datatype::of(tensor.dtype(), Bools::Enum)?.ordered(true);
    Datum::raw(datatype, Space::of(tensor.shape()), kept)
}

fn elements(opaque: &Opaque, type_name: &str) -> Result<Stored, Unfit> {
    let descr = opaque.descr.as_str().unwrap_or_default();
    let Some(datatype) = Datatype::of_descr(descr) else {
        let shown = crate::faults::quoted(&opaque.descr);
        return Err((
            Code::DType,
            format!("has elements of the type '{shown}', which is none that NumPy keeps in HDF5"),
        ));
    };
    let datum = Datum::raw(datatype, Space::of(&opaque.shape), opaque.bytes.clone());
    let datum = datum.ok_or((Code::Shape, "has other bytes than its type and axes make".to_owned()))?;
    match type_name {
        "numpy.generic" if opaque.shape.is_empty() => Ok(Stored::Attribute(datum)),
        "numpy.void" if opaque.shape.is_empty() => Ok(Stored::Dataset("numpy.void".into(), datum)),
        "" | "numpy.ndarray" => Ok(Stored::Dataset("numpy.ndarray".into(), datum)),
        other => Err(unknown(other)),
    }
}
