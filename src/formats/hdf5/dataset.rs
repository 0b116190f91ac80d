//! Datasets: what their elements are, how they lie, and where the file keeps them.

use super::{
    attribute::{self, Attribute},
    chunks::{self, Whole},
    datatype::Datatype,
    header::Header,
    layout::Layout,
    object::{self, Handle},
    space::Space,
    value::Value,
    wrong::{Read, Wrong},
};
use crate::{
    faults::{Code, Faults, Refused, Text},
    tensor::{Storage, Tensor},
};
use std::{fmt, sync::Arc};

/// A dataset of a file; cloning shares it. Nothing of its elements is read before [`Dataset::value`].
#[derive(Clone)]
pub struct Dataset(Arc<Inner>);

struct Inner {
    handle: Handle,
    datatype: Arc<Datatype>,
    space: Space,
    /// How long its axes may grow; the order of some indices depends on it.
    most: Option<Vec<u64>>,
    /// How many bytes its elements take.
    bytes: usize,
    /// Refused only when it is read, so that it hides nothing.
    layout: Read<Layout>,
}

impl Dataset {
    pub(super) fn read(handle: Handle, header: &Header<'_>) -> Read<Dataset> {
        let place = handle.file.place(handle.address);
        let missing = |what: &str| Wrong::damaged(place, format!("it is a dataset without {what}"));
        let datatype = object::datatype(&handle.file, header)?.ok_or_else(|| missing("a datatype"))?;
        let space = header.find(super::header::SPACE).ok_or_else(|| missing("a dataspace"))?;
        if space.shared {
            return Err(Wrong::unsupported(space.place(), "its dataspace lies in a table of shared messages"));
        }
        let (space, most) = Space::read_growing(&mut space.walk())?;
        let bytes = attribute::length(&datatype, &space, place)?;
        let layout = Layout::read(handle.file.image(), header, datatype.bytes());
        Ok(Dataset(Arc::new(Inner { handle, datatype: Arc::new(datatype), space, most, bytes, layout })))
    }

    /// Where it was found, e.g. `/layers/dense/vars/0`.
    pub fn path(&self) -> &Text {
        &self.handle().path
    }

    /// Its address: equal for equal objects of one file.
    pub fn address(&self) -> u64 {
        self.handle().address
    }

    /// The byte of the source where its header begins.
    pub fn place(&self) -> u64 {
        self.handle().file.place(self.address())
    }

    /// What one element is.
    pub fn datatype(&self) -> &Datatype {
        &self.0.datatype
    }

    /// How its elements lie.
    pub fn space(&self) -> &Space {
        &self.0.space
    }

    /// Lengths of the axes, slowest first, none of a scalar; nothing for an empty dataset.
    pub fn shape(&self) -> Option<&[usize]> {
        self.space().shape()
    }

    /// How many bytes its elements take when they are read.
    pub fn bytes(&self) -> usize {
        self.0.bytes
    }

    /// The byte of the source where its elements begin, if they stand there side by side.
    pub fn offset(&self) -> Option<u64> {
        let place = |address: u64| Some(self.handle().file.place(address));
        match &self.0.layout {
            Ok(Layout::Together { address: Some(address), .. } | Layout::Within { address, .. }) => place(*address),
            _ => None,
        }
    }

    /// Its attributes; see [`super::Group::attributes`].
    pub fn attributes(&self, faults: &mut Faults) -> Result<Vec<Attribute>, Refused> {
        self.handle().attributes(faults)
    }

    /// What it holds. Copies nothing where the file keeps the elements side by side; chunks are put together, and
    /// decompressed, in new memory. Its size is bounded by what the file keeps of it: every chunk must be there.
    pub fn value(&self, faults: &mut Faults) -> Result<Value, Refused> {
        self.whole().map_err(|wrong| wrong.refuse(self.path(), faults))
    }

    /// Its numbers; see [`Value::tensor`].
    pub fn tensor(&self, faults: &mut Faults) -> Result<Tensor, Refused> {
        self.value(faults)?.tensor(faults)
    }

    pub(super) fn handle(&self) -> &Handle {
        &self.0.handle
    }

    fn whole(&self) -> Read<Value> {
        let Inner { handle, datatype, space, most: growing, bytes, layout } = &*self.0;
        let length = *bytes as u64;
        let most = handle.file.limits().tensor_bytes;
        if length > most {
            let says = format!("it has {length} bytes, more than {most}, the limit `max_tensor_bytes`");
            return Err(Wrong::with(Code::Limit, self.place(), says));
        }
        let image = handle.file.image();
        let (storage, place) = match layout.as_ref().map_err(Wrong::clone)? {
            _ if *bytes == 0 => (image.part(0, 0, "its elements")?, self.place()),
            Layout::Within { address, length: kept } => {
                if *kept < length {
                    let says = format!("{kept} bytes are kept of it, and it has {length}");
                    return Err(Wrong::damaged(image.place(*address), says));
                }
                (image.part(*address, length, "its elements")?, image.place(*address))
            }
            Layout::Together { address: Some(address), length: kept, .. } => {
                if kept.is_some_and(|kept| kept < length) {
                    let says = format!("{} bytes are kept of it, and it has {length}", kept.unwrap_or_default());
                    return Err(Wrong::damaged(self.place(), says));
                }
                (image.part(*address, length, "its elements")?, image.place(*address))
            }
            Layout::Together { address: None, fill, .. } => (self.filled(fill)?, self.place()),
            Layout::Chunked(chunked) => {
                let whole = Whole {
                    shape: space.shape().unwrap_or_default(),
                    most: growing.as_deref(),
                    size: datatype.bytes(),
                    bytes: *bytes,
                    place: self.place(),
                };
                (chunks::read(image, chunked, &whole)?, self.place())
            }
        };
        let path = handle.path.clone();
        Ok(Value::new(handle.file.clone(), path, datatype.clone(), space.clone(), storage, place))
    }

    /// Elements that were never written: the file holds one for all.
    fn filled(&self, fill: &[u8]) -> Read<Storage> {
        const SLACK: usize = 1 << 20;
        let size = self.datatype().bytes();
        if self.bytes() as u64 > self.handle().file.image().length().saturating_add(SLACK as u64) {
            let says = format!("its {} bytes were never written, and the file is shorter", self.bytes());
            return Err(Wrong::with(Code::Hostile, self.place(), says));
        }
        if !fill.is_empty() && fill.len() != size {
            return Err(Wrong::damaged(self.place(), "its fill value is of another size than an element"));
        }
        let storage = Storage::filled(self.bytes(), |to| {
            if !fill.is_empty() {
                to.chunks_exact_mut(size).for_each(|element| element.copy_from_slice(fill));
            }
        });
        storage.ok_or_else(|| Wrong::with(Code::Memory, self.place(), "there is no memory for its elements"))
    }
}

impl fmt::Debug for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dataset({:?}, {:?}, {:?})", self.path(), self.datatype(), self.space())
    }
}
