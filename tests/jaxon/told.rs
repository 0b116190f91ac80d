//! A tree as the tagged JSON in which the samples' manifest tells them, identity included.

use pontil::{
    faults::Text,
    params::{Kind, NodeId, Params, Value},
    tensor::{DType, Tensor},
};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes beyond this stand as their sum.
const LONGEST: usize = 4096;

/// What a tree says; every node has its number as `id`.
pub fn tree(params: &Params) -> Json {
    node(params, Params::ROOT)
}

fn node(params: &Params, at: NodeId) -> Json {
    let mut said = match params.value(at) {
        Some(Value::Reference(to)) => return json!({ "ref": to }),
        Some(value) => leaf(value, params.type_name(at).and_then(Text::as_str).unwrap_or_default()),
        None => branch(params, at),
    };
    if let Some(said) = said.as_object_mut() {
        said.entry("id").or_insert(json!(at));
    }
    said
}

fn branch(params: &Params, at: NodeId) -> Json {
    let items = || params.children(at).iter().map(|&child| node(params, child)).collect::<Vec<_>>();
    let sequence = |name: &str| json!({ "t": name, "items": items() });
    match params.kind(at).unwrap() {
        Kind::List => sequence("list"),
        Kind::Tuple => sequence("tuple"),
        Kind::Set => sequence("set"),
        Kind::FrozenSet => sequence("frozenset"),
        Kind::Named | Kind::Parameters => named(params, at),
        Kind::Map => {
            let pair = |&child: &NodeId| {
                let key = node(params, params.key_tree(child).unwrap());
                json!([key, node(params, child)])
            };
            json!({ "t": "dict", "items": params.children(at).iter().map(pair).collect::<Vec<_>>() })
        }
        Kind::Object => object(params, at),
        kind => panic!("{kind:?}"),
    }
}

fn named(params: &Params, at: NodeId) -> Json {
    let pair = |&child: &NodeId| {
        let key = params.key(child).unwrap().as_str().unwrap();
        json!([{ "t": "str", "v": key }, node(params, child)])
    };
    json!({ "t": "dict", "items": params.children(at).iter().map(pair).collect::<Vec<_>>() })
}

fn object(params: &Params, at: NodeId) -> Json {
    let name = params.type_name(at).unwrap().as_str().unwrap();
    let children = params.children(at);
    let alone = matches!(children, [child] if params.key(*child).is_some_and(Text::is_empty));
    if name == "JAXON_ROOT" {
        return node(params, children[0]);
    }
    if name == "slice" {
        let part = |&child: &NodeId| match params.value(child).unwrap() {
            Value::Int(number) => json!(number.to_string()),
            _ => json!("None"),
        };
        return json!({ "t": "slice", "v": children.iter().map(part).collect::<Vec<_>>() });
    }
    let base = if alone { node(params, children[0]) } else { named(params, at) };
    let inner = alone && params.kind(children[0]) == Some(Kind::Object);
    let mut hints = if inner { base["hints"].as_array().unwrap().clone() } else { Vec::new() };
    hints.push(json!(name));
    json!({ "t": "marshaled", "hints": hints, "base": if inner { base["base"].clone() } else { base } })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn long(bytes: &[u8]) -> String {
    if bytes.len() <= LONGEST { hex(bytes) } else { format!("sha256:{}", hex(&Sha256::digest(bytes))) }
}

fn numpy(dtype: DType, big: bool) -> String {
    let letter = match dtype {
        DType::Bool => 'b',
        DType::F16 | DType::F32 | DType::F64 => 'f',
        DType::C64 | DType::C128 => 'c',
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => 'u',
        _ => 'i',
    };
    let size = dtype.size().unwrap();
    let order = if size == 1 {
        '|'
    } else if big {
        '>'
    } else {
        '<'
    };
    format!("{order}{letter}{size}")
}

fn packed(tensor: &Tensor, big: bool) -> Vec<u8> {
    let mut bytes = tensor.packed_bytes().unwrap().to_vec();
    let dtype = tensor.dtype();
    let half = if matches!(dtype, DType::C64 | DType::C128) { 2 } else { 1 };
    if big {
        bytes.chunks_exact_mut(dtype.size().unwrap() / half).for_each(<[u8]>::reverse);
    }
    bytes
}

const JAX: [(DType, &str); 28] = [
    (DType::Bool, "bool"),
    (DType::I8, "int8"),
    (DType::I16, "int16"),
    (DType::I32, "int32"),
    (DType::I64, "int64"),
    (DType::U8, "uint8"),
    (DType::U16, "uint16"),
    (DType::U32, "uint32"),
    (DType::U64, "uint64"),
    (DType::F16, "float16"),
    (DType::F32, "float32"),
    (DType::F64, "float64"),
    (DType::C64, "complex64"),
    (DType::C128, "complex128"),
    (DType::BF16, "bfloat16"),
    (DType::F8E3M4, "float8_e3m4"),
    (DType::F8E4M3Ieee, "float8_e4m3"),
    (DType::F8E4M3, "float8_e4m3fn"),
    (DType::F8E4M3Fnuz, "float8_e4m3fnuz"),
    (DType::F8E4M3B11Fnuz, "float8_e4m3b11fnuz"),
    (DType::F8E5M2, "float8_e5m2"),
    (DType::F8E5M2Fnuz, "float8_e5m2fnuz"),
    (DType::F8E8M0, "float8_e8m0fnu"),
    (DType::F4E2M1, "float4_e2m1fn"),
    (DType::I2, "int2"),
    (DType::I4, "int4"),
    (DType::U2, "uint2"),
    (DType::U4, "uint4"),
];

fn leaf(value: &Value, type_name: &str) -> Json {
    match (value, type_name) {
        (Value::None, _) => json!({ "t": "none" }),
        (Value::Ellipsis, _) => json!({ "t": "ellipsis" }),
        (Value::Bool(is), _) => json!({ "t": "bool", "v": is }),
        (Value::Int(number), _) => json!({ "t": "int", "v": number.to_string() }),
        (Value::BigInt(digits), _) => json!({ "t": "int", "v": digits }),
        (Value::Real(number), _) => json!({ "t": "float", "bits": bits(*number) }),
        (Value::Complex(re, im), _) => json!({ "t": "complex", "re": bits(*re), "im": bits(*im) }),
        (Value::Range(range), _) => json!({ "t": "range", "v": [range.first, range.end, range.step] }),
        (Value::Text(text), "") => json!({ "t": "str", "v": text.as_str().unwrap() }),
        (Value::Text(text), name) => json!({ "t": name, "v": text.as_str().unwrap() }),
        (Value::Bytes(bytes), "") => json!({ "t": "bytes", "hex": hex(bytes) }),
        (Value::Bytes(bytes), "numpy.void") => {
            json!({ "t": "numpy.void", "dtype": format!("|V{}", bytes.len()), "hex": hex(bytes) })
        }
        (Value::Bytes(bytes), name) => json!({ "t": name, "hex": hex(bytes) }),
        (Value::Scalar(number), _) => {
            json!({ "t": "np", "dtype": numpy(number.dtype(), false), "hex": hex(&packed(number, false)) })
        }
        (Value::Tensor(numbers), "jax.Array") => {
            let (_, name) = JAX.iter().find(|(dtype, _)| *dtype == numbers.dtype()).unwrap();
            let native = hex(&packed(numbers, false));
            json!({ "t": "jax", "dtype": name, "shape": numbers.shape(), "native_hex": native })
        }
        (Value::Tensor(numbers), name) => {
            let big = name == "numpy.ndarray[>]";
            let (dtype, bytes) = (numpy(numbers.dtype(), big), packed(numbers, big));
            json!({ "t": "ndarray", "dtype": dtype, "shape": numbers.shape(), "hex": long(&bytes) })
        }
        (Value::Opaque(opaque), name) => {
            let descr = opaque.descr.as_str().unwrap();
            let dtype = serde_json::from_str(descr).unwrap_or_else(|_| json!(descr));
            let bytes = opaque.bytes.bytes();
            match name {
                "numpy.generic" => json!({ "t": "np", "dtype": dtype, "hex": hex(bytes) }),
                "numpy.void" => json!({ "t": "numpy.void", "dtype": dtype, "hex": hex(bytes) }),
                _ => json!({ "t": "ndarray", "dtype": dtype, "shape": opaque.shape, "hex": long(bytes) }),
            }
        }
        (other, _) => json!({ "t": other.kind().name() }),
    }
}

fn bits(number: f64) -> String {
    if number.is_nan() { "nan".into() } else { format!("{:016x}", number.to_bits()) }
}

/// The same with numbers of first use for ids, those without a use left out, and numbers as bits.
pub fn plain(said: &Json) -> Json {
    let mut used = BTreeSet::new();
    uses(said, &mut used);
    renamed(said, &used, &mut BTreeMap::new())
}

fn uses(said: &Json, used: &mut BTreeSet<u64>) {
    match said {
        Json::Object(fields) => {
            used.extend(fields.get("ref").and_then(Json::as_u64));
            fields.values().for_each(|value| uses(value, used));
        }
        Json::Array(items) => items.iter().for_each(|item| uses(item, used)),
        _ => {}
    }
}

fn renamed(said: &Json, used: &BTreeSet<u64>, names: &mut BTreeMap<u64, usize>) -> Json {
    match said {
        Json::Array(items) => items.iter().map(|item| renamed(item, used, names)).collect(),
        Json::Object(fields) => {
            if let Some(to) = fields.get("ref").and_then(Json::as_u64) {
                return json!({ "ref": names.get(&to) });
            }
            let mut out = Map::new();
            if let Some(id) = fields.get("id").and_then(Json::as_u64).filter(|id| used.contains(id)) {
                let next = names.len();
                out.insert("id".into(), json!(names.entry(id).or_insert(next)));
            }
            let jax = fields.get("t") == Some(&json!("jax"));
            for (key, value) in fields {
                match (key.as_str(), value.as_str()) {
                    ("id" | "original_native_hex" | "stored", _) => {}
                    ("hex", _) if jax => {}
                    ("hex", Some(text)) if fields["t"] == "float" => {
                        out.insert("bits".into(), json!(bits(float(text))));
                    }
                    ("re" | "im", Some(text)) if text.contains('x') || text.ends_with(['n', 'f']) && text.len() < 5 => {
                        out.insert(key.clone(), json!(bits(float(text))));
                    }
                    _ => {
                        out.insert(key.clone(), renamed(value, used, names));
                    }
                }
            }
            Json::Object(out)
        }
        plain => plain.clone(),
    }
}

/// A number as Python's `float.hex` writes it.
fn float(text: &str) -> f64 {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let number = match rest.strip_prefix("0x") {
        None => rest.parse().unwrap(),
        Some(rest) => {
            let (digits, exponent) = rest.split_once('p').unwrap();
            let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
            let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).unwrap() as f64;
            let exponent = exponent.parse::<i32>().unwrap() - 4 * fraction.len() as i32;
            // In two steps: the smallest numbers have no power of two of their own.
            mantissa * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
        }
    };
    if negative { -number } else { number }
}
