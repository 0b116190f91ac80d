//! Attributes: small values that stand beside an object, each with a name. Their order of creation is that of the creation
//! index in each message (or in the index of those kept outside of the header), which need not be the file's.

use super::{
    cursor::Cursor,
    dense::Dense,
    header,
    object::{Handle, committed},
    space::Space,
    value::{Kept, Value},
    wrong::{Read, Wrong},
};
use crate::{
    faults::{Code, Text, quoted},
    tensor::Storage,
};
use std::{collections::HashSet, sync::Arc};

/// An attribute of an object.
#[derive(Clone, Debug)]
pub struct Attribute {
    name: Text,
    order: Option<u64>,
    value: Value,
}

impl Attribute {
    /// Its name.
    pub fn name(&self) -> &Text {
        &self.name
    }

    /// What it holds.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

/// All attributes of an object: in order of creation where that is tracked, else by the bytes of their names.
pub(super) fn all(handle: &Handle) -> Read<Vec<Attribute>> {
    let file = &handle.file;
    let header = file.header(handle.address)?;
    let mut tracked = header.tracked;
    let mut attributes = Vec::new();
    if let Some(message) = header.find(header::ATTRIBUTE_INFO) {
        const INDEX: usize = 2;
        let dense = Dense::read(&mut message.walk(), INDEX)?;
        tracked |= dense.tracked;
        for kept in dense.all(file.image(), file.limits().entries)? {
            let storage = Storage::kept(Arc::new(Kept(kept.message)));
            let order = kept.order.filter(|_| dense.tracked);
            attributes.push(one(handle, storage, kept.place, order)?);
        }
    }
    for message in header.messages.iter().filter(|message| message.kind == header::ATTRIBUTE) {
        if message.shared {
            let says = "an attribute lies in a table of shared messages, which is not read; save the file anew";
            return Err(Wrong::unsupported(message.place(), says));
        }
        let address = message.place() - file.place(0);
        let storage = file.image().part(address, message.walk().left() as u64, "an attribute")?;
        let order = header.tracked.then(|| u64::from(message.order));
        attributes.push(one(handle, storage, message.place(), order)?);
    }
    match tracked && attributes.iter().all(|attribute| attribute.order.is_some()) {
        true => attributes.sort_by_key(|attribute| attribute.order),
        false => attributes.sort_by(|a, b| a.name.cmp(&b.name)),
    }
    let mut names = HashSet::new();
    if let Some(twice) = attributes.iter().find(|attribute| !names.insert(&attribute.name)) {
        let says = format!("the attribute '{}' stands in it twice", quoted(&twice.name));
        return Err(Wrong::with(Code::Duplicate, twice.value.place(), says));
    }
    Ok(attributes)
}

/// An attribute message.
fn one(handle: &Handle, message: Storage, place: u64, order: Option<u64>) -> Read<Attribute> {
    const SHARED_TYPE: u8 = 0x01;
    const SHARED_SPACE: u8 = 0x02;
    let mut cursor = Cursor::new(message.bytes(), place);
    let (version, flags) = (cursor.u8()?, cursor.u8()?);
    let (name, datatype, space) = (cursor.u16()?, cursor.u16()?, cursor.u16()?);
    let step = match version {
        1 => 8,
        2 => 1,
        3 => cursor.skip(1).map(|()| 1)?,
        _ => return Err(Wrong::unsupported(place, format!("an attribute is of version {version}"))),
    };
    let mut piece = |length: u16| -> Read<Cursor<'_>> {
        let first = cursor.place();
        let bytes = cursor.take(usize::from(length))?;
        cursor.skip(usize::from(length).next_multiple_of(step) - usize::from(length))?;
        Ok(Cursor::new(bytes, first))
    };
    let mut name = piece(name)?;
    let bytes = name.take(name.left())?;
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let name = Text::from_wtf8(bytes.get(..end).unwrap_or_default());
    let (mut datatype, mut space) = (piece(datatype)?, piece(space)?);
    let datatype = match version > 1 && flags & SHARED_TYPE != 0 {
        true => header::shared(&mut datatype).and_then(|address| committed(&handle.file, address)),
        false => super::datatype_read::read(&mut datatype),
    };
    let datatype = datatype.map_err(|wrong| wrong.of(&format!("its attribute '{}'", quoted(&name))))?;
    if version > 1 && flags & SHARED_SPACE != 0 {
        let says = format!("the attribute '{}' shares its dataspace, which is not read", quoted(&name));
        return Err(Wrong::unsupported(place, says));
    }
    let space = Space::read(&mut space)?;
    let length = length(&datatype, &space, place)?;
    let first = cursor.place();
    let start = cursor.walked();
    let end = start.checked_add(length).filter(|_| length <= cursor.left());
    let bytes = end.and_then(|end| message.part(start..end)).ok_or_else(|| {
        let says =
            format!("the attribute '{}' is cut short: {length} bytes where {} are left", quoted(&name), cursor.left());
        Wrong::damaged(first, says)
    })?;
    let path = Text::from_wtf8(&[handle.path.as_bytes(), b"@", name.as_bytes()].concat());
    let value = Value::new(handle.file.clone(), path, Arc::new(datatype), space, bytes, first);
    Ok(Attribute { name, order, value })
}

/// How many bytes the elements take.
pub(super) fn length(datatype: &super::Datatype, space: &Space, place: u64) -> Read<usize> {
    let length = space.count().and_then(|count| count.checked_mul(datatype.bytes()));
    length
        .filter(|&length| length <= isize::MAX as usize)
        .ok_or_else(|| Wrong::with(Code::Overflow, place, "its axes make more bytes than any memory holds"))
}
