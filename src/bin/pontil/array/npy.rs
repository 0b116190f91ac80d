//! NumPy's `.npy`: its header read by `npyz`, its numbers taken where they lie.
//!
//! `npyz` makes room for whatever length a header states and descends once per bracket, so both are bounded here first;
//! its own multiplication of the lengths is not relied on (`Cargo.toml` lets it wrap).

use npyz::{DType as Kind, Endianness, NpyHeader, Order, TypeChar, WriterBuilder};
use pontil::tensor::{DType, Storage, Tensor, count, packed_strides, shape_text};
use std::io;

/// NumPy's own bound.
const LONGEST_HEADER: usize = 10_000;

/// Brackets in a header of plain numbers: one dictionary, one tuple. Arrays of records, which have more, are not read.
const MOST_BRACKETS: usize = 2;

/// Reads an array; the fault is a sentence without its subject.
pub fn read(file: &Storage) -> Result<Tensor, String> {
    let bytes = file.bytes();
    let (start, length) = match *bytes {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _, a, b, ..] => (10, usize::from(u16::from_le_bytes([a, b]))),
        [0x93, b'N', b'U', b'M', b'P', b'Y', 2 | 3, _, a, b, c, d, ..] => {
            (12, usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX))
        }
        _ => return Err("is no .npy file of version 1 to 3".into()),
    };
    if length > LONGEST_HEADER {
        return Err(format!("has a header of {length} bytes; at most {LONGEST_HEADER} are read"));
    }
    let text = bytes.get(start..start + length).ok_or("ends within its header")?;
    if text.iter().filter(|byte| b"([{".contains(byte)).count() > MOST_BRACKETS {
        return Err("does not hold plain numbers; an array of one number type is needed".into());
    }
    let header = NpyHeader::from_reader(bytes)
        .map_err(|_| "has a header that is no dictionary of 'descr', 'fortran_order' and 'shape'")?;
    let (dtype, big) = kind(&header.dtype()).ok_or("holds another type than floats, whole numbers or bools")?;
    let shape: Option<Vec<usize>> = header.shape().iter().map(|&length| usize::try_from(length).ok()).collect();
    let shape = shape.ok_or("has a shape that no machine can hold")?;
    let wanted = count(&shape).and_then(|count| dtype.bytes(count)).ok_or("has a shape that no machine can hold")?;
    let body = start + length;
    if bytes.len() - body != wanted {
        let (said, there) = (shape_text(&shape), bytes.len() - body);
        return Err(format!("says {said} numbers of {}, {wanted} bytes, and holds {there}", dtype.name()));
    }
    let packed = if big { turned(&bytes[body..], dtype) } else { file.part(body..bytes.len()) };
    packed.and_then(|numbers| arranged(dtype, shape, header.order(), numbers)).ok_or("is too large for memory".into())
}

/// The element type, and whether its bytes stand the other way round.
fn kind(kind: &Kind) -> Option<(DType, bool)> {
    let Kind::Plain(plain) = kind else { return None };
    let dtype = match (plain.type_char(), plain.size_field()) {
        (TypeChar::Float, 2) => DType::F16,
        (TypeChar::Float, 4) => DType::F32,
        (TypeChar::Float, 8) => DType::F64,
        (TypeChar::Int, 1) => DType::I8,
        (TypeChar::Int, 2) => DType::I16,
        (TypeChar::Int, 4) => DType::I32,
        (TypeChar::Int, 8) => DType::I64,
        (TypeChar::Uint, 1) => DType::U8,
        (TypeChar::Uint, 2) => DType::U16,
        (TypeChar::Uint, 4) => DType::U32,
        (TypeChar::Uint, 8) => DType::U64,
        (TypeChar::Bool, 1) => DType::Bool,
        _ => return None,
    };
    Some((dtype, plain.endianness() == Endianness::Big))
}

/// Big-endian numbers as little-endian ones.
fn turned(bytes: &[u8], dtype: DType) -> Option<Storage> {
    let size = dtype.size()?;
    Storage::filled(bytes.len(), |to| {
        to.copy_from_slice(bytes);
        to.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    })
}

fn arranged(dtype: DType, shape: Vec<usize>, order: Order, numbers: Storage) -> Option<Tensor> {
    if order == Order::C {
        return Tensor::packed(dtype, shape, numbers);
    }
    let backwards: Vec<usize> = shape.iter().rev().copied().collect();
    let strides = packed_strides(&backwards).into_iter().rev().collect();
    Tensor::strided(dtype, shape, strides, 0, numbers)?.to_packed()
}

/// The bytes of a file that holds singles.
pub fn write(shape: &[usize], numbers: &[f32]) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let lengths: Vec<u64> = shape.iter().map(|&length| length as u64).collect();
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(&lengths).writer(&mut file).begin_nd()?;
    writer.extend(numbers)?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, body: &[u8]) -> Storage {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(body);
        Storage::copied(&bytes).unwrap()
    }

    fn header(descr: &str, fortran: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n")
    }

    #[test]
    fn orders_and_ends() {
        let big: Vec<u8> = (0..6i16).flat_map(i16::to_be_bytes).collect();
        let tensor = read(&file(&header(">i2", "True", "(2, 3)"), &big)).unwrap();
        let expected: Vec<u8> = [0i16, 2, 4, 1, 3, 5].into_iter().flat_map(i16::to_le_bytes).collect();
        assert_eq!((tensor.dtype(), tensor.shape()), (DType::I16, &[2, 3][..]));
        assert_eq!(tensor.packed_bytes().unwrap(), expected);
        let scalar = read(&file(&header("<f4", "False", "()"), &1f32.to_le_bytes())).unwrap();
        assert_eq!(scalar.to_f32().unwrap().as_f32().unwrap(), [1.0]);
        let written = write(&[2, 1], &[0.5, f32::NAN]).unwrap();
        let back = read(&Storage::copied(&written).unwrap()).unwrap();
        assert_eq!(back.shape(), [2, 1]);
        assert_eq!(back.to_f32().unwrap().as_f32().unwrap()[0], 0.5);
    }

    #[test]
    fn refuses() {
        let deep = format!("{}1{}", "(".repeat(4000), ")".repeat(4000));
        for (header, body) in [
            (header("<f4", "False", "(2,)"), 4),
            (header("<f4", "False", "(1,)"), 8),
            (header("<f4", "False", "(4294967296, 4294967296, 4294967296)"), 4),
            (header("|O", "False", "(1,)"), 8),
            (header("<c8", "False", "(1,)"), 8),
            (header("<f4", "False", &deep), 4),
            (header("<f4", "False", "(-1,)"), 4),
            ("nonsense".into(), 4),
        ] {
            assert!(read(&file(&header, &vec![0; body])).is_err(), "{header}");
        }
        assert!(read(&file("", &[])).is_err());
        let cut = Storage::copied(b"\x93NUMPY\x01\x00\xff").unwrap();
        assert!(read(&cut).is_err());
    }
}
