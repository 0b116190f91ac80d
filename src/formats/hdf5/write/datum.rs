//! What a dataset or attribute is to hold.

use super::super::{Datatype, Field, Padding, Space};
use crate::{
    faults::Text,
    tensor::{DType, Storage, Tensor},
};

/// Elements of one datatype that are to be written.
#[derive(Clone, Debug)]
pub struct Datum {
    pub(super) datatype: Datatype,
    pub(super) space: Space,
    pub(super) data: Data,
}

#[derive(Clone, Debug)]
pub(super) enum Data {
    /// The elements as the file is to keep them.
    Bytes(Storage),
    /// Numbers, packed when they are written.
    Numbers(Tensor),
    /// Texts of any length.
    Texts(Vec<Text>),
    /// Objects of the same tree, by their paths from `/`.
    Paths(Vec<String>),
}

/// How Bool is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bools {
    /// As a byte of bits, as HDF5.jl keeps it.
    Bits,
    /// As an enum of FALSE and TRUE, as h5py keeps it.
    Enum,
}

impl Datum {
    /// Numbers in the shape of the tensor (a scalar if it has no axes), little-endian; complex ones as compounds of `r` and
    /// `i`. None if HDF5 has no such type (floats of less than a byte, exponents alone).
    pub fn numbers(tensor: Tensor, bools: Bools) -> Option<Datum> {
        let datatype = Datatype::of(tensor.dtype(), bools)?;
        let space = Space::of(tensor.shape());
        Some(Datum { datatype, space, data: Data::Numbers(tensor) })
    }

    /// One text of just the bytes it has, at least one. Julia's are [`Padding::NulTerminated`] (without a NUL), Jaxon's
    /// [`Padding::NulPadded`], both `utf8`. None if it is longer than HDF5 allows.
    pub fn text(text: &Text, padding: Padding, utf8: bool) -> Option<Datum> {
        let bytes = text.as_bytes().len().max(1);
        u32::try_from(bytes).ok()?;
        let fill = |to: &mut [u8]| to.iter_mut().zip(text.as_bytes()).for_each(|(to, from)| *to = *from);
        let data = Data::Bytes(Storage::filled(bytes, fill)?);
        Some(Datum { datatype: Datatype::Text { bytes, padding, utf8 }, space: Space::Scalar, data })
    }

    /// One text of any length.
    pub fn long_text(text: Text, utf8: bool) -> Datum {
        Datum { datatype: Datatype::LongText { utf8 }, space: Space::Scalar, data: Data::Texts(vec![text]) }
    }

    /// Texts of any length along one axis, which may be none.
    pub fn long_texts(texts: Vec<Text>, utf8: bool) -> Datum {
        let space = Space::Simple(vec![texts.len()]);
        Datum { datatype: Datatype::LongText { utf8 }, space, data: Data::Texts(texts) }
    }

    /// References along one axis to objects of the same tree, by their paths from `/`, e.g. `/JAXON_ROOT/0`.
    pub fn references(paths: Vec<String>) -> Datum {
        let space = Space::Simple(vec![paths.len()]);
        Datum { datatype: Datatype::Reference, space, data: Data::Paths(paths) }
    }

    /// An empty value: a datatype and no element.
    pub fn null(datatype: Datatype) -> Option<Datum> {
        Datum::raw(datatype, Space::Null, Storage::filled(0, |_| ())?)
    }

    /// Elements as the file is to keep them, e.g. opaque bytes. None if they are not as many bytes as datatype and space
    /// say, or if their bytes would have to lead elsewhere.
    pub fn raw(datatype: Datatype, space: Space, bytes: Storage) -> Option<Datum> {
        let fits = space.count()?.checked_mul(datatype.bytes())? == bytes.len() && !leads(&datatype);
        fits.then_some(Datum { datatype, space, data: Data::Bytes(bytes) })
    }

    /// How many bytes the elements take in the file, without the texts that they lead to.
    pub(super) fn bytes(&self) -> u64 {
        (self.space.count().unwrap_or_default() as u64).saturating_mul(self.datatype.bytes() as u64)
    }
}

fn leads(datatype: &Datatype) -> bool {
    match datatype {
        Datatype::LongText { .. } | Datatype::Sequence(_) | Datatype::Reference | Datatype::Other { .. } => true,
        Datatype::Compound { fields, .. } => fields.iter().any(|field| leads(&field.datatype)),
        Datatype::Array { element, .. } => leads(element),
        _ => false,
    }
}

impl Datatype {
    /// How numbers of an element type are kept; none if HDF5 has no such type.
    pub fn of(dtype: DType, bools: Bools) -> Option<Datatype> {
        let number = |dtype| Datatype::Number { dtype, big: false };
        let complex = |half, bytes: usize| {
            let field = |name: &str, offset| Field { name: name.into(), offset, datatype: number(half) };
            Datatype::Compound { bytes, fields: vec![field("r", 0), field("i", bytes / 2)] }
        };
        match dtype {
            DType::Bool if bools == Bools::Bits => Some(Datatype::Bits { bytes: 1, big: false }),
            DType::Bool => {
                let names = vec![("FALSE".into(), vec![0]), ("TRUE".into(), vec![1])];
                Some(Datatype::Enum { base: Box::new(number(DType::I8)), names })
            }
            DType::C64 => Some(complex(DType::F32, 8)),
            DType::C128 => Some(complex(DType::F64, 16)),
            DType::F4 | DType::F6E2M3 | DType::F6E3M2 | DType::F8E8M0 | DType::F4E2M1 => None,
            DType::F8E3M4 | DType::F8E4M3Ieee | DType::F8E4M3B11Fnuz => None,
            DType::I4 | DType::U4 | DType::I2 | DType::U2 => None,
            plain => Some(number(plain)),
        }
    }
}
