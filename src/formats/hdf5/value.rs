//! What an attribute or dataset holds: numbers, texts, references, records or plain bytes, each taken out by its own door.

use super::{
    cursor::{Cursor, UNDEFINED},
    datatype::{Datatype, Padding},
    file::File,
    heap::Heaps,
    space::Space,
    wrong::{Read, Wrong},
};
use crate::{
    faults::{Code, Faults, Refused, Text, quoted},
    tensor::{DType, Keeper, Storage, Tensor},
};
use std::sync::Arc;

/// Elements of one datatype, packed, slowest axis first, in the byte order of the file. Cloning shares the bytes.
#[derive(Clone, Debug)]
pub struct Value {
    file: File,
    path: Text,
    datatype: Arc<Datatype>,
    space: Space,
    bytes: Storage,
    place: u64,
}

/// Bytes that were put together by the reader.
pub(super) struct Kept(pub Vec<u8>);

impl Keeper for Kept {
    fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Value {
    /// `bytes` must be as many as datatype and space say; `place` is where they begin in the source, or what leads to them.
    pub(super) fn new(
        file: File,
        path: Text,
        datatype: Arc<Datatype>,
        space: Space,
        bytes: Storage,
        place: u64,
    ) -> Value {
        Value { file, path, datatype, space, bytes, place }
    }

    /// Where it stands: the path of its object, for an attribute with `@` and its name.
    pub fn path(&self) -> &Text {
        &self.path
    }

    /// The byte of the source where it begins, or the nearest known.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// What one element is.
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// How its elements lie.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Lengths of the axes, slowest first, none of a scalar; nothing for an empty value.
    pub fn shape(&self) -> Option<&[usize]> {
        self.space.shape()
    }

    /// How many elements.
    pub fn count(&self) -> usize {
        self.space.count().unwrap_or_default()
    }

    /// The elements as the file keeps them. Of texts and sequences of any length this is what leads to them.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.bytes()
    }

    /// The same, to be kept.
    pub fn storage(&self) -> &Storage {
        &self.bytes
    }

    /// The numbers, little-endian: see [`Datatype::dtype`] for which types are some. Arrays within elements become further,
    /// faster axes. Copies nothing unless bytes must be turned round.
    pub fn tensor(&self, faults: &mut Faults) -> Result<Tensor, Refused> {
        self.numbers().map_err(|wrong| wrong.refuse(&self.path, faults))
    }

    /// The texts, in order of the elements, padding taken away. They are the file's bytes and need not be UTF-8.
    pub fn texts(&self, faults: &mut Faults) -> Result<Vec<Text>, Refused> {
        self.all_texts().map_err(|wrong| wrong.refuse(&self.path, faults))
    }

    /// The one text that is all of it; an array of another count is refused.
    pub fn text(&self, faults: &mut Faults) -> Result<Text, Refused> {
        let one = self.all_texts().and_then(|texts| match <[Text; 1]>::try_from(texts) {
            Ok([text]) => Ok(text),
            Err(texts) => Err(self.other("one text", &format!("{} texts", texts.len()))),
        });
        one.map_err(|wrong| wrong.refuse(&self.path, faults))
    }

    /// The addresses of the objects that it refers to, for [`File::object`]; none where a reference leads nowhere.
    pub fn references(&self, faults: &mut Faults) -> Result<Vec<Option<u64>>, Refused> {
        match *self.datatype {
            Datatype::Reference => {
                let address = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
                let known = |address: u64| (address != 0 && address != UNDEFINED).then_some(address);
                Ok(self.bytes().chunks_exact(8).map(|bytes| known(address(bytes))).collect())
            }
            _ => Err(self.unlike("references to objects").refuse(&self.path, faults)),
        }
    }

    /// The sequences, in order of the elements, each a value with one axis.
    pub fn sequences(&self, faults: &mut Faults) -> Result<Vec<Value>, Refused> {
        self.all_sequences().map_err(|wrong| wrong.refuse(&self.path, faults))
    }

    fn numbers(&self) -> Read<Tensor> {
        let Some(shape) = self.shape() else {
            return Err(Wrong::with(Code::Absent, self.place, "it is empty where numbers are wanted"));
        };
        let (mut shape, mut element) = (shape.to_vec(), &*self.datatype);
        while let Datatype::Array { lengths, element: inner } = element {
            shape.extend(lengths);
            element = inner;
        }
        let dtype = element.dtype().ok_or_else(|| self.unlike("numbers"))?;
        let most = self.file.limits().tensor_bytes;
        if self.bytes.len() as u64 > most {
            let says = format!("it has {} bytes, more than {most}, the limit `max_tensor_bytes`", self.bytes.len());
            return Err(Wrong::with(Code::Limit, self.place, says));
        }
        let neither = || self.bytes().iter().position(|&byte| byte > 1);
        if let Some(at) = (dtype == DType::Bool).then(neither).flatten() {
            let says = format!("element {at} is neither false (0) nor true (1)");
            return Err(Wrong::damaged(self.place.saturating_add(at as u64), says));
        }
        let bytes = match element.turned() {
            None => self.bytes.clone(),
            Some(size) => Storage::filled(self.bytes.len(), |to| {
                to.copy_from_slice(self.bytes());
                to.chunks_exact_mut(size).for_each(<[u8]>::reverse);
            })
            .ok_or_else(|| self.memory())?,
        };
        Tensor::packed(dtype, shape, bytes).ok_or_else(|| Wrong::damaged(self.place, "its bytes do not fill its axes"))
    }

    fn all_texts(&self) -> Read<Vec<Text>> {
        match *self.datatype {
            Datatype::Text { bytes, padding, .. } => {
                Ok(self.bytes().chunks_exact(bytes).map(|text| Text::from_wtf8(unpadded(text, padding))).collect())
            }
            Datatype::LongText { .. } => {
                self.resolved(1, |bytes| Text::from_wtf8(unpadded(bytes.bytes(), Padding::NulTerminated)))
            }
            _ => Err(self.unlike("texts")),
        }
    }

    fn all_sequences(&self) -> Read<Vec<Value>> {
        let Datatype::Sequence(element) = &*self.datatype else { return Err(self.unlike("sequences")) };
        let (size, element) = (element.bytes(), Arc::new((**element).clone()));
        self.resolved(size, |bytes| {
            let space = Space::Simple(vec![bytes.len() / size]);
            Value::new(self.file.clone(), self.path.clone(), element.clone(), space, bytes, self.place)
        })
    }

    /// What each element leads to, of `size` bytes a piece.
    fn resolved<T>(&self, size: usize, make: impl Fn(Storage) -> T) -> Read<Vec<T>> {
        let mut heaps = Heaps::default();
        // What leads to them is 16 bytes each, and could be compressed.
        let mut all = self.bytes.len() as u64;
        self.file.within(self.place, all)?;
        let mut values = Vec::new();
        for (index, lead) in self.bytes().chunks_exact(16).enumerate() {
            let place = self.place.saturating_add(16 * index as u64);
            let mut lead = Cursor::new(lead, place);
            let (count, collection, object) = (lead.u32()?, lead.u64()?, lead.u32()?);
            let length = (count as usize).checked_mul(size).ok_or_else(|| Wrong::damaged(place, "it is too long"))?;
            let bytes = match length {
                0 => self.bytes.part(0..0),
                _ => {
                    let bytes = heaps.object(self.file.image(), collection, object, place)?;
                    bytes.part(0..length)
                }
            };
            let bytes =
                bytes.ok_or_else(|| Wrong::damaged(place, "a text or sequence is longer than what is kept of it"))?;
            all += bytes.len() as u64;
            self.file.within(self.place, all)?;
            values.push(make(bytes));
        }
        self.file.resolve(self.place, all)?;
        Ok(values)
    }

    fn unlike(&self, wanted: &str) -> Wrong {
        self.other(wanted, &self.datatype.says())
    }

    fn other(&self, wanted: &str, found: &str) -> Wrong {
        Wrong::with(Code::DType, self.place, format!("it holds {found} where {wanted} are wanted"))
    }

    fn memory(&self) -> Wrong {
        Wrong::with(Code::Memory, self.place, format!("there is no memory for its {} bytes", self.bytes.len()))
    }
}

impl std::fmt::Display for Value {
    /// Its path, quoted.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&quoted(&self.path))
    }
}

fn unpadded(text: &[u8], padding: Padding) -> &[u8] {
    let end = match padding {
        Padding::NulTerminated => text.iter().position(|&byte| byte == 0).unwrap_or(text.len()),
        Padding::NulPadded => text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1),
        Padding::BlankPadded => text.iter().rposition(|&byte| byte != b' ').map_or(0, |last| last + 1),
    };
    text.get(..end).unwrap_or_default()
}
