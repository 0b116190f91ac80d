//! Messages of ONNX, written: nodes, ports, and the heads of tensors whose numbers follow. Called by `save::onnx`.
//!
//! Every message is small but for the numbers, which are never held here: the head of a tensor says how long they are.

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// A whole number.
    Int(i64),
    /// A single.
    Float(f32),
    /// Text.
    Text(&'static str),
    /// Whole numbers.
    Ints(Vec<i64>),
}

/// Element types by the numbers that ONNX has for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Elements {
    /// Singles.
    Singles = 1,
    /// Whole numbers of four bytes.
    Wholes32 = 6,
    /// Whole numbers of eight bytes.
    Wholes = 7,
    /// True or false.
    Truths = 9,
}

/// The length of an axis of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Axis {
    /// So many places.
    Length(usize),
    /// Open, under this name.
    Named(String),
}

/// Version of the representation that is written.
const IR: u64 = 9;

const VARINT: u64 = 0;
const BYTES: u64 = 2;
const FOUR: u64 = 5;

fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn key(field: u64, wire: u64, out: &mut Vec<u8>) {
    varint(field << 3 | wire, out);
}

fn whole(field: u64, number: i64, out: &mut Vec<u8>) {
    key(field, VARINT, out);
    varint(number as u64, out);
}

/// The key and the length of a field of bytes that follow.
fn head(field: u64, length: u64, out: &mut Vec<u8>) {
    key(field, BYTES, out);
    varint(length, out);
}

fn bytes(field: u64, bytes: &[u8], out: &mut Vec<u8>) {
    head(field, bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// A node as a field of its graph.
pub fn node(
    op: &str,
    name: &str,
    inputs: &[&str],
    output: &str,
    attributes: &[(&'static str, Written)],
    out: &mut Vec<u8>,
) {
    let mut message = Vec::new();
    inputs.iter().for_each(|input| bytes(1, input.as_bytes(), &mut message));
    bytes(2, output.as_bytes(), &mut message);
    bytes(3, name.as_bytes(), &mut message);
    bytes(4, op.as_bytes(), &mut message);
    for (name, value) in attributes {
        let mut inner = Vec::new();
        bytes(1, name.as_bytes(), &mut inner);
        let kind = match value {
            Written::Float(number) => {
                key(2, FOUR, &mut inner);
                inner.extend_from_slice(&number.to_le_bytes());
                1
            }
            Written::Int(number) => {
                whole(3, *number, &mut inner);
                2
            }
            Written::Text(text) => {
                bytes(4, text.as_bytes(), &mut inner);
                3
            }
            Written::Ints(numbers) => {
                numbers.iter().for_each(|number| whole(8, *number, &mut inner));
                7
            }
        };
        whole(20, kind, &mut inner);
        bytes(5, &inner, &mut message);
    }
    bytes(1, &message, out);
}

/// An input or output as a field of its graph; no axes: their number is not known.
pub fn port(is_input: bool, name: &str, elements: Elements, axes: Option<&[Axis]>, out: &mut Vec<u8>) {
    let mut tensor = Vec::new();
    whole(1, elements as i64, &mut tensor);
    if let Some(axes) = axes {
        let mut shape = Vec::new();
        for axis in axes {
            let mut dim = Vec::new();
            match axis {
                Axis::Length(length) => whole(1, *length as i64, &mut dim),
                Axis::Named(name) => bytes(2, name.as_bytes(), &mut dim),
            }
            bytes(1, &dim, &mut shape);
        }
        bytes(2, &shape, &mut tensor);
    }
    let (mut kind, mut message) = (Vec::new(), Vec::new());
    bytes(1, &tensor, &mut kind);
    bytes(1, name.as_bytes(), &mut message);
    bytes(2, &kind, &mut message);
    bytes(if is_input { 11 } else { 12 }, &message, out);
}

/// All of a tensor as a field of its graph but its numbers, `length` bytes that are to follow.
pub fn tensor_head(name: &str, elements: Elements, shape: &[usize], length: u64) -> Vec<u8> {
    let mut message = Vec::new();
    shape.iter().for_each(|length| whole(1, *length as i64, &mut message));
    whole(2, elements as i64, &mut message);
    bytes(8, name.as_bytes(), &mut message);
    head(9, length, &mut message);
    let mut out = Vec::new();
    head(5, message.len() as u64 + length, &mut out);
    out.extend(message);
    out
}

/// All of a model before the fields of its graph, which are `length` bytes beside its name.
pub fn model_head(opset: i64, producer: (&str, &str), notes: &[(&str, &str)], graph: &str, length: u64) -> Vec<u8> {
    let (mut out, mut versions, mut name) = (Vec::new(), Vec::new(), Vec::new());
    whole(1, IR as i64, &mut out);
    bytes(2, producer.0.as_bytes(), &mut out);
    bytes(3, producer.1.as_bytes(), &mut out);
    bytes(1, b"", &mut versions);
    whole(2, opset, &mut versions);
    bytes(8, &versions, &mut out);
    for (key, text) in notes {
        let mut note = Vec::new();
        bytes(1, key.as_bytes(), &mut note);
        bytes(2, text.as_bytes(), &mut note);
        bytes(14, &note, &mut out);
    }
    bytes(2, graph.as_bytes(), &mut name);
    head(7, name.len() as u64 + length, &mut out);
    out.extend(name);
    out
}
