//! Where every byte of a file goes that is written: sizes first, then the bytes in order, with little memory.

use super::{
    Branch, Datum, Node,
    base::Base,
    datum::Data,
    dense::{self, Dense},
    encode,
    heap::Heap,
    message::{self, Header, LONGEST, sealed},
    onto::{LONGEST_OLD, Onto},
};
use crate::{
    faults::{Code, Fault, Faults, Mark, Refused, quoted_str},
    formats::hdf5::{File, Group, SIGNATURE, Target, cursor::UNDEFINED},
};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// A file that can be written: [`Plan::length`] bytes, the same at each [`Plan::write`].
pub struct Plan<'a> {
    /// The file it begins with, if that is not a new one.
    base: Option<Base>,
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
    /// The group of the file that is there already, if it is one of those.
    onto: Option<Rc<Onto>>,
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
        let mut plan = Plan::new(None);
        plan.take("/", root, None, faults);
        plan.placed(SUPERBLOCK, mark, faults)
    }

    /// The same bytes as a file that is there already and what is new in some of its groups, each once, behind them: all that
    /// the file holds stays as it is and where it is. The groups have none of the names, of links and of attributes, that they
    /// get. Faults: as [`Plan::of`], and files and groups that nothing can be added to.
    pub fn onto(file: &File, additions: &'a [(Group, Branch)], faults: &mut Faults) -> Result<Plan<'a>, Refused> {
        let mark = faults.mark();
        let mut plan = Plan::new(Some(Base::new(file.clone())));
        for (group, branch) in additions {
            match Onto::read(group, branch.members.len(), branch.attributes.len()) {
                Ok(onto) => plan.take(&group.path().to_string(), branch, Some(Rc::new(onto)), faults),
                Err(wrong) => drop(wrong.refuse(group.path(), faults)),
            }
        }
        plan.placed(file.end().next_multiple_of(8), mark, faults)
    }

    fn new(base: Option<Base>) -> Plan<'a> {
        let (objects, by_path, collections) = (Vec::new(), HashMap::new(), Vec::new());
        Plan { base, objects, by_path, heap: Heap::default(), collections, length: 0 }
    }

    /// Places all from an address on.
    fn placed(mut self, start: u64, mark: Mark, faults: &mut Faults) -> Result<Plan<'a>, Refused> {
        faults.refused_since(mark)?;
        self.place(start, faults);
        faults.refused_since(mark)?;
        self.rebase(faults)?;
        Ok(self)
    }

    /// Says what changes in the file that is there already.
    fn rebase(&mut self, faults: &mut Faults) -> Result<(), Refused> {
        let Some(base) = &self.base else { return Ok(()) };
        let mut changes = Vec::new();
        for object in &self.objects {
            let Some(onto) = &object.onto else { continue };
            let header = self.header(object, faults)?;
            let (count, length) = (header.count(), header.done().len() as u64);
            changes.extend(onto.changes((object.header, length), count));
        }
        let changed = base.superblock(self.length).map(|superblock| changes.push(superblock));
        let base = self.base.as_mut().map(|base| changed.and_then(|()| base.change(changes)));
        base.transpose().map(drop).map_err(|wrong| wrong.refuse(&"/".into(), faults))
    }

    /// How many bytes the file has.
    pub fn length(&self) -> u64 {
        self.length + self.base.as_ref().map_or(0, Base::user_block)
    }

    /// Gives all bytes to `put`, in order.
    pub fn write(&self, put: &mut Put<'_>, faults: &mut Faults) -> Result<(), Refused> {
        let mut at = self.base.as_ref().map_or(0, Base::end);
        if let Some(base) = &self.base {
            base.write(put, faults)?;
        }
        let mut put = |place: u64, bytes: &[u8], faults: &mut Faults| {
            const NOUGHTS: [u8; 8] = [0; 8];
            let gap = usize::try_from(place.saturating_sub(at)).unwrap_or_default();
            put(NOUGHTS.get(..gap).unwrap_or_default(), faults)?;
            at = place + bytes.len() as u64;
            put(bytes, faults)
        };
        if self.base.is_none() {
            put(0, &self.superblock(), faults)?;
        }
        for object in &self.objects {
            put(object.header, &self.header(object, faults)?.done(), faults)?;
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
    fn take(&mut self, path: &str, root: &'a Branch, onto: Option<Rc<Onto>>, faults: &mut Faults) {
        let group = |tracked| Kind::Group { tracked, members: Vec::new() };
        let first = self.add(path.into(), &root.attributes, root.tracked, group(root.tracked), faults);
        if let Some(object) = self.objects.get_mut(first) {
            object.onto = onto;
        }
        let mut open = vec![(first, root)];
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
        let (header, dense, data) = (0, None, UNDEFINED);
        self.objects.push(Object { path, attributes, tracked, kind, onto: None, leads, header, dense, data });
        self.objects.len() - 1
    }

    /// Sizes everything and gives it its place. The sizes do not depend on the places.
    fn place(&mut self, start: u64, faults: &mut Faults) {
        let mut at = start;
        for index in 0..self.objects.len() {
            let Some(object) = self.objects.get(index) else { continue };
            let Ok(messages) = self.attributes(object, faults) else { continue };
            let lengths: Vec<u64> = messages.iter().map(|(_, message)| message.len() as u64).collect();
            let most = if object.onto.is_some() { LONGEST_OLD } else { LONGEST };
            let large = lengths.iter().any(|&length| length > most as u64);
            if large && object.onto.is_some() {
                let path = object.path.clone();
                wrong(Code::Limit, &path, "gets an attribute that its header can not hold; choose a new group", faults);
                continue;
            }
            let dense = large.then(|| Dense::new(0, lengths.clone()));
            let empty = Object { dense, ..object.bare() };
            let Ok(header) = self.header(if large { &empty } else { object }, faults) else { continue };
            let data = if let Kind::Dataset(datum) = object.kind { datum.bytes() } else { 0 };
            let Some(object) = self.objects.get_mut(index) else { continue };
            object.header = at;
            at = (at + header.done().len() as u64).next_multiple_of(8);
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

    fn header(&self, object: &Object<'a>, faults: &mut Faults) -> Result<Header, Refused> {
        let onto = object.onto.as_deref();
        let mut header = onto.map_or_else(|| Header::new(object.tracked), Onto::header);
        match &object.kind {
            Kind::Group { tracked, members } => {
                let first = onto.map_or(tracked.then_some(0), |onto| onto.links);
                if onto.is_none() {
                    header.group(*tracked, members.len());
                }
                for (order, (name, index)) in (0..).zip(members) {
                    let address = self.objects.get(*index).map_or(UNDEFINED, |object| object.header);
                    header.link(name.as_bytes(), first.map(|first| first + order), &Target::Object(address));
                }
            }
            Kind::Dataset(datum) => {
                let datatype = encode::datatype(&datum.datatype).unwrap_or_default();
                header.dataset(&encode::space(&datum.space), &datatype, (object.data, datum.bytes()));
            }
        }
        let first = onto.map_or(0, |onto| usize::from(onto.attributes));
        if onto.is_none_or(|onto| onto.uncounted && !object.attributes.is_empty()) {
            header.attributes(first + object.attributes.len(), object.dense.as_ref().map(Dense::addresses));
        }
        if object.dense.is_none() {
            for (order, (_, message)) in self.attributes(object, faults)?.iter().enumerate() {
                header.attribute(first + order, message);
            }
        }
        Ok(header)
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
                    let address = object.onto.as_ref().map_or(object.header, |onto| onto.address);
                    out.extend(address.to_le_bytes());
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
            onto: self.onto.clone(),
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
