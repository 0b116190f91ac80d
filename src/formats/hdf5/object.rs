//! What a link or reference leads to: a group, a dataset, or a datatype with a name.

use super::{
    attribute::{self, Attribute},
    dataset::Dataset,
    datatype::Datatype,
    file::File,
    group::Group,
    header::{self, Header},
    wrong::{Read, Wrong},
};
use crate::faults::{Code, Faults, Refused, Text};

/// An object of a file.
#[derive(Clone, Debug)]
pub enum Object {
    /// A group: links to other objects.
    Group(Group),
    /// A dataset: numbers, texts or records.
    Dataset(Dataset),
    /// A datatype that was given a name.
    Datatype(Committed),
}

impl Object {
    /// Where it was found, e.g. `/layers/dense/vars/0`.
    pub fn path(&self) -> &Text {
        &self.handle().path
    }

    /// Its address: equal for equal objects of one file.
    pub fn address(&self) -> u64 {
        self.handle().address
    }

    /// Its attributes; see [`Group::attributes`].
    pub fn attributes(&self, faults: &mut Faults) -> Result<Vec<Attribute>, Refused> {
        self.handle().attributes(faults)
    }

    /// The group, if it is one.
    pub fn group(&self) -> Option<&Group> {
        match self {
            Object::Group(group) => Some(group),
            _ => None,
        }
    }

    /// The dataset, if it is one.
    pub fn dataset(&self) -> Option<&Dataset> {
        match self {
            Object::Dataset(dataset) => Some(dataset),
            _ => None,
        }
    }

    pub(super) fn handle(&self) -> &Handle {
        match self {
            Object::Group(group) => group.handle(),
            Object::Dataset(dataset) => dataset.handle(),
            Object::Datatype(committed) => &committed.handle,
        }
    }
}

/// A datatype that was given a name (`_types` of JLD).
#[derive(Clone, Debug)]
pub struct Committed {
    handle: Handle,
    datatype: Datatype,
}

impl Committed {
    /// What it is.
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }
}

/// Where an object is and how it was reached.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    pub file: File,
    pub address: u64,
    pub path: Text,
    pub depth: usize,
    /// Where the group it was found in keeps a copy of what stands here.
    pub cached: Option<u64>,
}

impl Handle {
    pub fn new(file: File, address: u64, path: Text, depth: usize) -> Handle {
        Handle { file, address, path, depth, cached: None }
    }

    /// Reads the header and says what the object is.
    pub fn open(self) -> Read<Object> {
        if self.depth > self.file.limits().depth {
            let says = format!("it lies deeper than {}, the limit `max_depth`", self.file.limits().depth);
            return Err(Wrong::with(Code::Limit, self.file.place(self.address), says));
        }
        let file = self.file.clone();
        let header = file.header(self.address)?;
        let has = |kinds: &[u16]| kinds.iter().any(|&kind| header.find(kind).is_some());
        if has(&[header::LAYOUT]) {
            return Dataset::read(self, &header).map(Object::Dataset);
        }
        if has(&[header::SYMBOL_TABLE, header::LINK_INFO, header::LINK]) {
            return Ok(Object::Group(Group::new(self)));
        }
        match datatype(&file, &header)? {
            Some(datatype) => Ok(Object::Datatype(Committed { handle: self, datatype })),
            None => {
                let place = self.file.place(self.address);
                Err(Wrong::damaged(place, "it is neither a group nor a dataset nor a datatype"))
            }
        }
    }

    pub fn attributes(&self, faults: &mut Faults) -> Result<Vec<Attribute>, Refused> {
        attribute::all(self).map_err(|wrong| wrong.refuse(&self.path, faults))
    }
}

/// The datatype of a header, wherever it is kept; none if it has none.
pub(super) fn datatype(file: &File, header: &Header<'_>) -> Read<Option<Datatype>> {
    let Some(message) = header.find(header::DATATYPE) else { return Ok(None) };
    let mut walk = message.walk();
    match message.shared {
        true => committed(file, header::shared(&mut walk)?).map(Some),
        false => super::datatype_read::read(&mut walk).map(Some),
    }
}

/// The datatype that has a name, at the address of its header.
pub(super) fn committed(file: &File, address: u64) -> Read<Datatype> {
    let header = file.header(address)?;
    match header.find(header::DATATYPE) {
        Some(message) if !message.shared => super::datatype_read::read(&mut message.walk()),
        _ => Err(Wrong::damaged(file.place(address), "there is no datatype where one is said to be kept")),
    }
}
