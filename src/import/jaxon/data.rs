//! Leaves whose elements stand in datasets: what is there is checked when the file is opened, and read when it is wanted.

use super::{
    item::{Data, From, Item, Wanted},
    reader::{Made, Reader},
    table::{At, Entry},
};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted, quoted_str},
    formats::hdf5::{Datatype, Object, Space, Value as Stored},
    params::{Opaque, Value},
    tensor::{DType, Storage, Tensor, convert},
};

/// An array of JAX; of Jaxon 1 its element type is that of the elements.
pub(super) fn jax(reader: &mut Reader<'_, '_>, entry: &Entry, dtype: Option<DType>, at: At) -> Made {
    let from = from(reader, entry, at)?;
    let dtype = match dtype {
        Some(dtype) => dtype,
        None => reader.own_type(from.element(), at)?,
    };
    add(reader, from, Wanted::Jax(dtype), at)
}

/// A leaf of another kind.
pub(super) fn found(reader: &mut Reader<'_, '_>, entry: &Entry, wanted: Wanted, at: At) -> Made {
    let from = from(reader, entry, at)?;
    add(reader, from, wanted, at)
}

/// Where the elements of an attribute stand.
fn from(reader: &mut Reader<'_, '_>, entry: &Entry, at: At) -> Result<From, Refused> {
    if reader.older && !entry.hint.is_empty() {
        return Ok(From::Attribute(entry.attribute.value().clone()));
    }
    let object = reader.tables.object(at.0, &entry.name, reader.faults).map_err(|refused| reader.lead(refused))?;
    let name = quoted_str(&entry.name);
    match object {
        Some(Object::Dataset(dataset)) => Ok(From::Dataset(dataset)),
        Some(_) => {
            Err(reader.fault(Code::Kind, at, format!("a dataset '{name}' must stand behind it, and that is none")))
        }
        None => {
            Err(reader.fault(Code::Absent, at, format!("a dataset '{name}' must stand behind it, and there is none")))
        }
    }
}

fn add(reader: &mut Reader<'_, '_>, from: From, wanted: Wanted, at: At) -> Made {
    if !fits(&from, wanted) {
        let (what, found) = (wanted.name(), from.datatype().says());
        let says = match from.space() {
            Space::Null => format!("{what} is wanted, and the dataset is empty (a null dataspace)"),
            _ => format!("{what} is wanted, and the file has {found}"),
        };
        return Err(reader.fault(Code::DType, at, says));
    }
    reader.item(Item::Data(Data { from, wanted }))
}

/// Whether elements can become what is wanted.
fn fits(from: &From, wanted: Wanted) -> bool {
    let (datatype, null) = (from.datatype(), *from.space() == Space::Null);
    let scalar = *from.space() == Space::Scalar;
    let numbers = from.element().dtype();
    match wanted {
        Wanted::Numpy => !null && (numbers.is_some() || from.element().descr().is_some()),
        Wanted::Jax(dtype) => !null && numbers.is_some_and(|found| found == dtype || convert::can(found, dtype)),
        Wanted::Text => null || scalar && matches!(datatype, Datatype::Text { .. } | Datatype::LongText { .. }),
        Wanted::Bytes("numpy.bytes_") => null || scalar && matches!(datatype, Datatype::Text { .. }),
        Wanted::Bytes(_) => null || matches!(datatype, Datatype::Opaque { .. }) || numbers.is_some(),
        Wanted::Void => {
            let record = matches!(datatype, Datatype::Compound { .. }) && datatype.descr().is_some();
            null || scalar && (record || matches!(datatype, Datatype::Opaque { .. }))
        }
    }
}

impl Wanted {
    fn name(self) -> &'static str {
        match self {
            Wanted::Numpy => "an array of NumPy",
            Wanted::Jax(_) => "an array of numbers",
            Wanted::Bytes(_) => "a run of bytes",
            Wanted::Text => "one text",
            Wanted::Void => "one record or run of bytes",
        }
    }
}

impl From {
    /// What an element is.
    pub(super) fn datatype(&self) -> &Datatype {
        match self {
            From::Dataset(dataset) => dataset.datatype(),
            From::Attribute(value) => value.datatype(),
        }
    }

    /// The same without arrays within elements, which become further axes.
    fn element(&self) -> &Datatype {
        innermost(self.datatype())
    }

    fn space(&self) -> &Space {
        match self {
            From::Dataset(dataset) => dataset.space(),
            From::Attribute(value) => value.space(),
        }
    }

    /// Lengths of the axes with those of arrays within elements; none of an empty value.
    fn shape(&self) -> Option<Vec<usize>> {
        let mut shape = self.space().shape()?.to_vec();
        let mut element = self.datatype();
        while let Datatype::Array { lengths, element: inner } = element {
            shape.extend(lengths);
            element = inner;
        }
        Some(shape)
    }

    fn value(&self, faults: &mut Faults) -> Result<Stored, Refused> {
        match self {
            From::Dataset(dataset) => dataset.value(faults),
            From::Attribute(value) => Ok(value.clone()),
        }
    }
}

impl Data {
    /// Where it stands, in the file's words.
    pub(super) fn place(&self) -> &Text {
        match &self.from {
            From::Dataset(dataset) => dataset.path(),
            From::Attribute(value) => value.path(),
        }
    }

    /// How many bytes the file has of it.
    pub(super) fn bytes(&self) -> u64 {
        match &self.from {
            From::Dataset(dataset) => dataset.bytes() as u64,
            From::Attribute(value) => value.bytes().len() as u64,
        }
    }

    /// Element type, shape and first byte, if it is an array of numbers.
    pub(super) fn numbers(&self) -> Option<(DType, Vec<usize>, Option<u64>)> {
        let dtype = match self.wanted {
            Wanted::Jax(dtype) => dtype,
            Wanted::Numpy => self.from.element().dtype()?,
            _ => return None,
        };
        let offset = match &self.from {
            From::Dataset(dataset) => dataset.offset(),
            From::Attribute(value) => Some(value.place()),
        };
        Some((dtype, self.from.shape()?, offset))
    }

    /// The array of numbers.
    pub(super) fn tensor(&self, faults: &mut Faults) -> Result<Tensor, Refused> {
        match self.read(faults)? {
            Value::Tensor(tensor) => Ok(tensor),
            _ => Err(Refused(Code::Internal)),
        }
    }

    /// The value of the leaf.
    pub(super) fn read(&self, faults: &mut Faults) -> Result<Value, Refused> {
        let stored = self.from.value(faults)?;
        if stored.shape().is_none() {
            return Ok(match self.wanted {
                Wanted::Text => Value::Text(Text::default()),
                _ => Value::Bytes(Box::default()),
            });
        }
        match self.wanted {
            Wanted::Numpy if self.from.element().dtype().is_none() => opaque(&stored, self.from.shape(), faults),
            Wanted::Numpy => stored.tensor(faults).map(Value::Tensor),
            Wanted::Jax(dtype) => {
                let numbers = stored.tensor(faults)?;
                let cast = numbers.converted(dtype).ok_or_else(|| no_memory(stored.path(), faults))?;
                Ok(Value::Tensor(cast))
            }
            Wanted::Text => {
                let text = stored.text(faults)?;
                match text.as_str() {
                    Some(_) => Ok(Value::Text(text)),
                    None => {
                        let message = format!("The text '{}' is not UTF-8.", quoted(stored.path()));
                        Err(faults.refuse(Fault::new(Code::Encoding, message).place(stored.path().clone())))
                    }
                }
            }
            Wanted::Bytes("numpy.bytes_") => Ok(Value::Bytes(stored.text(faults)?.as_bytes().into())),
            Wanted::Void if matches!(stored.datatype(), Datatype::Compound { .. }) => {
                opaque(&stored, Some(Vec::new()), faults)
            }
            Wanted::Bytes(_) | Wanted::Void => Ok(Value::Bytes(stored.bytes().into())),
        }
    }

    /// What the leaf is beyond its kind.
    pub(super) fn type_name(&self) -> &'static str {
        match self.wanted {
            Wanted::Jax(_) => "jax.Array",
            Wanted::Numpy if self.from.element().dtype().is_none() => "numpy.ndarray",
            Wanted::Numpy if self.from.element().is_big() => "numpy.ndarray[>]",
            Wanted::Numpy => "",
            Wanted::Text => "numpy.str_",
            Wanted::Void => "numpy.void",
            Wanted::Bytes(name) => name,
        }
    }
}

/// One number of an attribute.
pub(super) fn scalar(value: &Stored, faults: &mut Faults) -> Result<Value, Refused> {
    match value.datatype().dtype() {
        Some(_) => value.tensor(faults).map(Value::Scalar),
        None => opaque(value, Some(Vec::new()), faults),
    }
}

/// What stands in arrays, and in arrays of arrays.
fn innermost(mut datatype: &Datatype) -> &Datatype {
    while let Datatype::Array { element, .. } = datatype {
        datatype = element;
    }
    datatype
}

/// Elements that are none of tensors'.
fn opaque(stored: &Stored, shape: Option<Vec<usize>>, faults: &mut Faults) -> Result<Value, Refused> {
    let element = innermost(stored.datatype());
    let Some((descr, shape)) = element.descr().zip(shape) else {
        let message = format!("'{}' holds {}, which is not read.", quoted(stored.path()), element.says());
        return Err(faults.refuse(Fault::new(Code::Unsupported, message).place(stored.path().clone())));
    };
    let mut bytes = stored.storage().clone();
    if matches!(descr.as_str(), "<f16" | "<c32") {
        // Six bytes of sixteen are no part of the number, and whatever they are.
        let cleared = Storage::filled(bytes.len(), |to| {
            to.copy_from_slice(bytes.bytes());
            to.chunks_exact_mut(16).for_each(|number| number[10..].fill(0));
        });
        bytes = cleared.ok_or_else(|| no_memory(stored.path(), faults))?;
    }
    Ok(Value::Opaque(Box::new(Opaque { descr: descr.into(), shape, bytes })))
}

fn no_memory(path: &Text, faults: &mut Faults) -> Refused {
    let message = format!("There is no memory for the numbers of '{}'.", quoted(path));
    faults.refuse(Fault::new(Code::Memory, message).place(path.clone()))
}
