//! NumPy's numbers and arrays as PyTorch's pickles hold them, and bytes, which stand in them as text.

use super::storages::{Wrong, whole, wrong};
use crate::{
    faults::{Code, Text, quoted},
    formats::{
        Loan,
        pickle::{Node, NodeId, Pickle},
    },
    params::Value,
    tensor::{DType, Storage, Tensor, count, packed_strides},
};
use std::borrow::Cow;

/// The bytes of `_codecs.encode(text, 'latin1')`, of `bytes` of nothing, or of `bytearray` of any of these: each character of
/// the text is one. None if it is nothing of the kind.
pub(super) fn bytes(pickle: &Pickle, node: NodeId, loan: &mut Loan<'_>) -> Result<Option<Vec<u8>>, Wrong> {
    let Some(text) = latin(pickle, node) else { return Ok(None) };
    if loan.take(2 * text.len() as u64).is_none() {
        return wrong(Code::Limit, "takes more memory than a file of this length is given.");
    }
    let Ok(text) = std::str::from_utf8(text) else { return Ok(None) };
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        match u8::try_from(u32::from(letter)) {
            Ok(byte) => bytes.push(byte),
            Err(_) => return Ok(None),
        }
    }
    Ok(Some(bytes))
}

/// The text that bytes are written as.
fn latin(pickle: &Pickle, node: NodeId) -> Option<&[u8]> {
    let encoded = |node: NodeId| {
        let call = pickle.call(node)?;
        match (call.name, call.arguments) {
            ("_codecs.encode", &[text, encoding]) if pickle.text(encoding) == Some(b"latin1") => pickle.text(text),
            ("builtins.bytes" | "__builtin__.bytes", []) => Some(&b""[..]),
            _ => None,
        }
    };
    let call = pickle.call(node)?;
    match (call.name, call.arguments) {
        ("builtins.bytearray" | "__builtin__.bytearray", []) => Some(b""),
        ("builtins.bytearray" | "__builtin__.bytearray", &[inner]) => encoded(inner),
        ("builtins.bytearray" | "__builtin__.bytearray", &[text, encoding])
            if pickle.text(encoding) == Some(b"latin-1") =>
        {
            pickle.text(text)
        }
        _ => encoded(node),
    }
}

/// A number, an array or an element type of NumPy; none if it is nothing of the kind.
pub(super) fn value(pickle: &Pickle, node: NodeId, loan: &mut Loan<'_>) -> Result<Option<Value>, Wrong> {
    let Some(call) = pickle.call(node) else { return Ok(None) };
    let name = call.name.replace("._core.", ".core.");
    match (&name[..], call.arguments) {
        ("numpy.core.multiarray.scalar", &[dtype, data]) => {
            array(pickle, dtype, vec![], data, false, loan).map(|tensor| Some(Value::Tensor(tensor)))
        }
        ("numpy.core.multiarray._reconstruct", _) => {
            let state = call.state.and_then(|state| pickle.tuple(state));
            let Some(&[_, shape, dtype, fortran, data]) = state else {
                return wrong(Code::Malformed, "is a NumPy array without its numbers.");
            };
            let shape = pickle.tuple(shape).unwrap_or_default().iter().map(|&length| whole(pickle, length));
            let Some(shape) = shape.collect() else {
                return wrong(Code::Malformed, "is a NumPy array whose shape is none.");
            };
            let fortran = matches!(pickle.node(fortran), Node::Bool(true));
            array(pickle, dtype, shape, data, fortran, loan).map(|tensor| Some(Value::Tensor(tensor)))
        }
        ("numpy.dtype", _) => {
            let (big, name) = dtype(pickle, node)?;
            let order = if big { ">" } else { "" };
            Ok(Some(Value::Text(format!("{order}{name}").into())))
        }
        _ => Ok(None),
    }
}

/// An array of numbers that stand one after the other, in C's order or in Fortran's.
fn array(
    pickle: &Pickle,
    element: NodeId,
    shape: Vec<usize>,
    data: NodeId,
    fortran: bool,
    loan: &mut Loan<'_>,
) -> Result<Tensor, Wrong> {
    let (big, name) = dtype(pickle, element)?;
    let Some(dtype) = number(&name) else {
        return wrong(Code::Unsupported, format!("is a NumPy array of the type '{name}', which is not read."));
    };
    let (Some(mut bytes), Some(size)) = (bytes(pickle, data, loan)?, dtype.size()) else {
        return wrong(Code::Malformed, "is a NumPy array whose numbers are no bytes.");
    };
    if count(&shape).and_then(|count| dtype.bytes(count)) != Some(bytes.len()) {
        return wrong(
            Code::Malformed,
            format!("is a NumPy array of {} bytes, which do not fill its shape.", bytes.len()),
        );
    }
    if big {
        let size = if matches!(dtype, DType::C64 | DType::C128) { size / 2 } else { size };
        bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    let storage = Storage::copied(&bytes);
    let tensor = storage.and_then(|storage| {
        if !fortran {
            return Tensor::packed(dtype, shape, storage);
        }
        let turned: Vec<usize> = shape.iter().rev().copied().collect();
        let strides = packed_strides(&turned).into_iter().rev().collect();
        Tensor::strided(dtype, shape, strides, 0, storage)
    });
    tensor.map_or_else(|| wrong(Code::Memory, "is a NumPy array for which there is no memory."), Ok)
}

/// Whether the greatest byte comes first, and the name of an element type.
fn dtype(pickle: &Pickle, node: NodeId) -> Result<(bool, Cow<'_, str>), Wrong> {
    let call = pickle.call(node).filter(|call| call.name == "numpy.dtype");
    let name = call.and_then(|call| pickle.text(*call.arguments.first()?));
    let Some((call, name)) = call.zip(name) else {
        return wrong(Code::Malformed, "is a NumPy value without an element type.");
    };
    let order = call.state.and_then(|state| pickle.text(*pickle.tuple(state)?.get(1)?));
    let shown = std::str::from_utf8(name).map_or_else(|_| quoted(&Text::from_wtf8(name)).into(), Cow::Borrowed);
    Ok((order == Some(b">"), shown))
}

fn number(name: &str) -> Option<DType> {
    Some(match name {
        "f8" => DType::F64,
        "f4" => DType::F32,
        "f2" => DType::F16,
        "i8" => DType::I64,
        "i4" => DType::I32,
        "i2" => DType::I16,
        "i1" => DType::I8,
        "u8" => DType::U64,
        "u4" => DType::U32,
        "u2" => DType::U16,
        "u1" => DType::U8,
        "b1" => DType::Bool,
        "c8" => DType::C64,
        "c16" => DType::C128,
        _ => return None,
    })
}
