//! Where every byte of a file goes that is written: sizes first, then the bytes in order, with little memory.

use super::{
    Branch, Datum, Node,
    datum::Data,
    dense::{self, Dense},
    encode,
    heap::Heap,
    message::{self, Header, LONGEST, sealed},
};
use crate::{
    faults::{Code, Fault, Faults, Refused, quoted_str},
    formats::hdf5::{SIGNATURE, cursor::UNDEFINED},
};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

/// A file that can be written: [`Plan::length`] bytes, the same at each [`Plan::write`].
pub struct Plan<'a> {
    objects: Vec<Object<'a>>,
    by_path: HashMap<String, usize>,
    heap: Heap<'a>,
    collections: Vec<u64>,
    length: u64,
}

/// Takes the next bytes of a file.
pub type Put<'a> = dyn FnMut(&[u8], &mut Faults) -> Result<(), Refused> + 'a;

/// An object with the places of its parts.
struct Object<'a> {
    path: String,
    attributes: &'a [(String, Datum)],
    /// Whether its attributes keep their order.
    tracked: bool,
    kind: Kind<'a>,
    /// For each attribute and then the dataset: where its texts went in the heap.
    leads: Vec<Leads>,
    header: u64,
    dense: Option<Dense>,
    data: u64,
}

type Leads = Vec<(usize, u32)>;

enum Kind<'a> {
    Group { tracked: bool, members: Vec<(&'a str, usize)> },
    Dataset(&'a Datum),
}

const SUPERBLOCK: u64 = 48;

impl<'a> Plan<'a> {
    /// Gives every part of the tree its place. Faults: names that are empty, twice, too long or hold `/` or NUL (of links),
    /// references to what is not in the tree, datatypes and counts that the format can not say.
    pub fn of(root: &'a Branch, faults: &mut Faults) -> Result<Plan<'a>, Refused> {
        let mark = faults.mark();
        let mut plan = Plan {
            objects: Vec::new(),
            by_path: HashMap::new(),
            heap: Heap::default(),
            collections: Vec::new(),
            length: SUPERBLOCK,
        };
        plan.take(root, faults);
        faults.refused_since(mark)?;
        plan.place(faults);
        faults.refused_since(mark)?;
        Ok(plan)
    }

    /// How many bytes the file has.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Gives all bytes to `put`, in order.
    pub fn write(&self, put: &mut Put<'_>, faults: &mut Faults) -> Result<(), Refused> {
        let mut at = 0;
        let mut put = |place: u64, bytes: &[u8], faults: &mut Faults| {
            const NOUGHTS: [u8; 8] = [0; 8];
            let gap = usize::try_from(place.saturating_sub(at)).unwrap_or_default();
            put(NOUGHTS.get(..gap).unwrap_or_default(), faults)?;
            at = place + bytes.len() as u64;
            put(bytes, faults)
        };
        put(0, &self.superblock(), faults)?;
        for object in &self.objects {
            put(object.header, &self.header(object, faults)?, faults)?;
            if let Some(dense) = &object.dense {
                let [place, ..] = dense.addresses();
                put(place, &dense.bytes(self.attributes(object, faults)?), faults)?;
            }
            if let (Kind::Dataset(datum), true) = (&object.kind, object.data != UNDEFINED) {
                let leads = object.leads.last().map(Vec::as_slice).unwrap_or_default();
                put(object.data, &self.value(datum, leads, &object.path, faults)?, faults)?;
            }
        }
        for (index, &place) in self.collections.iter().enumerate() {
            put(place, &self.heap.collection(index), faults)?;
        }
        put(self.length, &[], faults)
    }

    /// Lists the objects, each before what it holds.
    fn take(&mut self, root: &'a Branch, faults: &mut Faults) {
        let group = |tracked| Kind::Group { tracked, members: Vec::new() };
        self.add("/".into(), &root.attributes, root.tracked, group(root.tracked), faults);
        let mut open = vec![(0, root)];
        while let Some((parent, branch)) = open.pop() {
            let mut seen = HashSet::new();
            for (name, node) in &branch.members {
                let path = self.objects.get(parent).map(|object| object.path.trim_end_matches('/'));
                let path = format!("{}/{name}", path.unwrap_or_default());
                if name.is_empty() || name == "." || name.contains(['/', '\0']) || name.len() > LONGEST - 32 {
                    let says = "is no name of a link: one is not empty, not '.', short, and free of '/' and NUL";
                    wrong(Code::Value, &path, says, faults);
                }
                if !seen.insert(name) {
                    wrong(Code::KeyTwice, &path, "is to be written twice", faults);
                }
                let index = match node {
                    Node::Group(inner) => {
                        let index = self.add(path, &inner.attributes, inner.tracked, group(inner.tracked), faults);
                        open.push((index, inner));
                        index
                    }
                    Node::Dataset { datum, attributes, tracked } => {
                        self.add(path, attributes, *tracked, Kind::Dataset(datum), faults)
                    }
                };
                if let Some(Kind::Group { members, .. }) = self.objects.get_mut(parent).map(|object| &mut object.kind) {
                    members.push((name, index));
                }
            }
        }
    }

    fn add(
        &mut self,
        path: String,
        attributes: &'a [(String, Datum)],
        tracked: bool,
        kind: Kind<'a>,
        faults: &mut Faults,
    ) -> usize {
        let mut seen = HashSet::new();
        for (name, _) in attributes {
            if name.is_empty() || name.contains('\0') || name.len() >= LONGEST {
                wrong(
                    Code::Value,
                    &path,
                    "has an attribute without a name, with NUL in it, or too long a name",
                    faults,
                );
            }
            if !seen.insert(name) {
                wrong(Code::KeyTwice, &path, &format!("has the attribute '{}' twice", quoted_str(name)), faults);
            }
        }
        if attributes.len() > dense::MOST {
            wrong(Code::Limit, &path, "has more attributes than HDF5 can number, 65,535", faults);
        }
        let dataset = if let Kind::Dataset(datum) = kind { Some(datum) } else { None };
        let mut leads = Vec::new();
        for datum in attributes.iter().map(|(_, datum)| datum).chain(dataset) {
            if encode::datatype(&datum.datatype).is_none_or(|bytes| bytes.len() > LONGEST) {
                wrong(Code::DType, &path, &format!("is {}, which can not be written", datum.datatype.says()), faults);
            }
            leads.push(match &datum.data {
                Data::Texts(texts) => texts.iter().map(|text| self.heap.add(text)).collect(),
                _ => Vec::new(),
            });
        }
        self.by_path.insert(path.clone(), self.objects.len());
        self.objects.push(Object { path, attributes, tracked, kind, leads, header: 0, dense: None, data: UNDEFINED });
        self.objects.len() - 1
    }

    /// Sizes everything and gives it its place. The sizes do not depend on the places.
    fn place(&mut self, faults: &mut Faults) {
        let mut at = SUPERBLOCK;
        for index in 0..self.objects.len() {
            let Some(object) = self.objects.get(index) else { continue };
            let Ok(messages) = self.attributes(object, faults) else { continue };
            let lengths: Vec<u64> = messages.iter().map(|(_, message)| message.len() as u64).collect();
            let large = lengths.iter().any(|&length| length > LONGEST as u64);
            let dense = large.then(|| Dense::new(0, lengths.clone()));
            let empty = Object { dense, ..object.bare() };
            let Ok(header) = self.header(if large { &empty } else { object }, faults) else { continue };
            let data = if let Kind::Dataset(datum) = object.kind { datum.bytes() } else { 0 };
            let Some(object) = self.objects.get_mut(index) else { continue };
            object.header = at;
            at = (at + header.len() as u64).next_multiple_of(8);
            if large {
                let dense = Dense::new(at, lengths);
                at += dense.length();
                object.dense = Some(dense);
            }
            if data > 0 {
                object.data = at;
                at = at.saturating_add(data).checked_next_multiple_of(8).unwrap_or(UNDEFINED);
            }
        }
        for length in self.heap.lengths() {
            self.collections.push(at);
            at = at.saturating_add(length);
        }
        if at >= i64::MAX as u64 {
            wrong(Code::Overflow, "/", "is longer than any file", faults);
        }
        self.length = at;
    }

    fn superblock(&self) -> Vec<u8> {
        let mut out = SIGNATURE.to_vec();
        out.extend([2, 8, 8, 0]);
        let root = self.objects.first().map_or(UNDEFINED, |root| root.header);
        for word in [0, UNDEFINED, self.length, root] {
            out.extend(u64::to_le_bytes(word));
        }
        sealed(out)
    }

    fn header(&self, object: &Object<'a>, faults: &mut Faults) -> Result<Vec<u8>, Refused> {
        let mut header = Header::new(object.tracked);
        match &object.kind {
            Kind::Group { tracked, members } => {
                header.group(*tracked, members.len());
                for (order, (name, index)) in members.iter().enumerate() {
                    let address = self.objects.get(*index).map_or(UNDEFINED, |object| object.header);
                    header.link(name, tracked.then_some(order), address);
                }
            }
            Kind::Dataset(datum) => {
                let datatype = encode::datatype(&datum.datatype).unwrap_or_default();
                header.dataset(&encode::space(&datum.space), &datatype, (object.data, datum.bytes()));
            }
        }
        header.attributes(object.attributes.len(), object.dense.as_ref().map(Dense::addresses));
        if object.dense.is_none() {
            for (order, (_, message)) in self.attributes(object, faults)?.iter().enumerate() {
                header.attribute(order, message);
            }
        }
        Ok(header.done())
    }

    /// The messages of an object's attributes, with their names.
    fn attributes(&self, object: &Object<'a>, faults: &mut Faults) -> Result<Vec<(&'a str, Vec<u8>)>, Refused> {
        let mut messages = Vec::new();
        for ((name, datum), leads) in object.attributes.iter().zip(&object.leads) {
            let datatype = encode::datatype(&datum.datatype).unwrap_or_default();
            let value = self.value(datum, leads, &object.path, faults)?;
            messages.push((name.as_str(), message::attribute(name, &datum.space, &datatype, &value)));
        }
        Ok(messages)
    }

    /// The elements as the file keeps them.
    fn value<'b>(
        &self,
        datum: &'b Datum,
        leads: &[(usize, u32)],
        path: &str,
        faults: &mut Faults,
    ) -> Result<Cow<'b, [u8]>, Refused> {
        match &datum.data {
            Data::Bytes(bytes) => Ok(Cow::Borrowed(bytes.bytes())),
            Data::Numbers(tensor) => match tensor.packed_bytes() {
                Some(bytes) => Ok(Cow::Borrowed(bytes)),
                None => {
                    let packed = tensor.to_packed();
                    let bytes = packed.as_ref().and_then(|packed| packed.packed_bytes());
                    let bytes = bytes.map(<[u8]>::to_vec);
                    bytes.map(Cow::Owned).ok_or_else(|| wrong(Code::Memory, path, "has no room in memory", faults))
                }
            },
            Data::Texts(texts) => {
                let mut out = Vec::new();
                for (text, &(collection, object)) in texts.iter().zip(leads) {
                    let address = self.collections.get(collection).copied().unwrap_or_default();
                    out.extend((text.as_bytes().len() as u32).to_le_bytes());
                    out.extend(address.to_le_bytes());
                    out.extend(object.to_le_bytes());
                }
                Ok(Cow::Owned(out))
            }
            Data::Paths(paths) => {
                let mut out = Vec::new();
                for to in paths {
                    let known = self.by_path.get(to).and_then(|&index| self.objects.get(index));
                    let Some(object) = known else {
                        let says = format!("refers to '{}', which is not in the tree", quoted_str(to));
                        return Err(wrong(Code::NoPath, path, &says, faults));
                    };
                    out.extend(object.header.to_le_bytes());
                }
                Ok(Cow::Owned(out))
            }
        }
    }
}

impl<'a> Object<'a> {
    /// The same without places, to be sized.
    fn bare(&self) -> Object<'a> {
        let kind = match &self.kind {
            Kind::Group { tracked, members } => Kind::Group { tracked: *tracked, members: members.clone() },
            Kind::Dataset(datum) => Kind::Dataset(datum),
        };
        let (path, leads) = (self.path.clone(), self.leads.clone());
        Object {
            path,
            attributes: self.attributes,
            tracked: self.tracked,
            kind,
            leads,
            header: 0,
            dense: None,
            data: 0,
        }
    }
}

fn wrong(code: Code, path: &str, says: &str, faults: &mut Faults) -> Refused {
    faults.refuse(Fault::new(code, format!("'{}' {says}.", quoted_str(path))).path(path).place(path))
}
