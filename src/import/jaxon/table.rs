//! The attributes of each group, parted into names and hints, and the way from a name to what stands behind it.

use super::item::ItemId;
use crate::{
    faults::{Code, Fault, Faults, Refused},
    formats::{
        hdf5::{Attribute, Group, Link, Object},
        jaxon::{split, strip},
    },
};
use std::collections::HashMap;

/// Number of a group that was opened.
pub(super) type TableId = usize;

/// An attribute: its group, and its place there.
pub(super) type At = (TableId, usize);

/// How far the reading of an attribute is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum State {
    Fresh,
    /// It is being read, further up.
    Busy,
    Done(ItemId),
    /// What is wrong has been said.
    Failed,
}

/// An attribute.
#[derive(Clone)]
pub(super) struct Entry {
    pub attribute: Attribute,
    /// Its name without white space and hint.
    pub name: String,
    pub hint: String,
    pub state: State,
}

/// A group and its attributes in order.
pub(super) struct Table {
    pub group: Group,
    pub entries: Vec<Entry>,
    /// The last attribute of each name: Jaxon 2 goes by names without hints, Jaxon 1 by whole keys.
    by_name: HashMap<String, usize>,
    /// Places of links by their names without white space, once they are wanted.
    links: Option<HashMap<String, usize>>,
    below: HashMap<String, Result<Below, Refused>>,
}

impl Table {
    /// Reads the attributes of a group. Those whose keys are no UTF-8 are said and left out.
    pub fn read(group: Group, older: bool, faults: &mut Faults) -> Result<Table, Refused> {
        let mark = faults.mark();
        let mut entries = Vec::new();
        for attribute in group.attributes(faults)? {
            let Some(key) = attribute.name().as_str() else {
                let message = "The key of an attribute is not UTF-8, which keys of Jaxon are.";
                let place = attribute.value().path().clone();
                faults.push(Fault::new(Code::Encoding, message).place(place).offset(attribute.value().place()));
                continue;
            };
            let (name, hint) = split(key);
            let (name, hint) = (name.to_owned(), hint.to_owned());
            entries.push(Entry { attribute, name, hint, state: State::Fresh });
        }
        faults.refused_since(mark)?;
        let name = |entry: &Entry| match older {
            true => entry.attribute.name().as_str().unwrap_or_default().to_owned(),
            false => entry.name.clone(),
        };
        let by_name = entries.iter().enumerate().map(|(at, entry)| (name(entry), at)).collect();
        Ok(Table { group, entries, by_name, links: None, below: HashMap::new() })
    }

    /// The attribute of a name, which may have a hint behind it.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).or_else(|| self.by_name.get(split(name).0)).copied()
    }

    /// The object behind a name: the link of that name, white space left out, else what stands at it as a path.
    pub fn object(&mut self, name: &str, faults: &mut Faults) -> Result<Option<Object>, Refused> {
        if let Some(object) = self.group.member(name, faults)? {
            return Ok(Some(object));
        }
        if self.links.is_none() {
            let named = |(at, link): (usize, &Link)| Some((strip(link.name.as_str()?).to_owned(), at));
            self.links = Some(self.group.members(faults)?.iter().enumerate().filter_map(named).collect());
        }
        let link = self.links.as_ref().and_then(|links| links.get(name)).copied();
        let link = link.map(|at| self.group.members(faults).map(|links| links.get(at).cloned())).transpose()?.flatten();
        match link {
            Some(link) => self.group.open(&link, faults).map(Some),
            None if name.contains('/') => self.group.find(name, faults),
            None => Ok(None),
        }
    }
}

/// What stands behind a name that should be a group's.
#[derive(Clone, Copy)]
pub(super) enum Below {
    Table(TableId),
    Nothing,
    /// Something that is no group.
    Other,
}

/// All groups that were opened.
pub(super) struct Tables {
    tables: Vec<Table>,
    older: bool,
}

impl Tables {
    /// The root alone.
    pub fn new(root: Group, older: bool, faults: &mut Faults) -> Result<Tables, Refused> {
        Ok(Tables { tables: vec![Table::read(root, older, faults)?], older })
    }

    pub fn table(&self, id: TableId) -> Option<&Table> {
        self.tables.get(id)
    }

    pub fn entry(&self, (table, at): At) -> Option<&Entry> {
        self.tables.get(table)?.entries.get(at)
    }

    pub fn set(&mut self, (table, at): At, state: State) {
        if let Some(entry) = self.tables.get_mut(table).and_then(|table| table.entries.get_mut(at)) {
            entry.state = state;
        }
    }

    /// The object behind the name of an attribute.
    pub fn object(&mut self, id: TableId, name: &str, faults: &mut Faults) -> Result<Option<Object>, Refused> {
        self.tables.get_mut(id).map_or(Ok(None), |table| table.object(name, faults))
    }

    /// The group behind a name, opened once, also if it can not be.
    pub fn below(&mut self, id: TableId, name: &str, faults: &mut Faults) -> Result<Below, Refused> {
        let table = self.tables.get_mut(id).ok_or(Refused(Code::Internal))?;
        if let Some(&known) = table.below.get(name) {
            return known;
        }
        let new = self.tables.len();
        let table = self.tables.get_mut(id).ok_or(Refused(Code::Internal))?;
        let found = match table.object(name, faults) {
            Ok(Some(Object::Group(group))) => Table::read(group, self.older, faults).map(Some),
            Ok(found) => {
                let below = if found.is_some() { Below::Other } else { Below::Nothing };
                table.below.insert(name.to_owned(), Ok(below));
                return Ok(below);
            }
            Err(refused) => Err(refused),
        };
        let below = found.map(|opened| {
            self.tables.extend(opened);
            Below::Table(new)
        });
        if let Some(table) = self.tables.get_mut(id) {
            table.below.insert(name.to_owned(), below);
        }
        below
    }
}
