//! Dictionaries: plain keys in the names of attributes, all others as pairs of a key and a value.

use super::{
    item::{Item, ItemId},
    reader::{Made, Reader},
    table::{At, TableId},
};
use crate::{
    faults::{Code, Refused},
    formats::{
        hdf5::Datatype,
        jaxon::{Atom, Entry, entry, older_atom},
    },
    params::escaped,
};
use std::collections::HashMap;

/// Where a key stands.
enum Key {
    Name(Atom),
    Attribute(At),
}

impl Reader<'_, '_> {
    /// A dictionary of the attributes of a group.
    pub(super) fn dict(&mut self, table: TableId) -> Made {
        let mark = self.faults.mark();
        let pairs = self.pairs(table);
        let keys: Option<Vec<String>> = pairs.iter().map(|(key, _)| self.plain(key)).collect();
        let mut entries: Vec<(ItemId, ItemId)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let path = self.path.len();
        for (index, (key, value)) in pairs.into_iter().enumerate() {
            let name = keys.as_ref().and_then(|keys| keys.get(index).cloned());
            self.path.push(b'/');
            match name {
                Some(name) => self.path.extend(escaped(name.as_bytes())),
                None => self.path.extend(index.to_string().into_bytes()),
            }
            let key = self.key(key, value);
            let value = self.node(value);
            self.path.truncate(path);
            let (Ok(key), Ok(value)) = (key, value) else { continue };
            match self.hash(key).map(|hash| (places.get(&hash).copied(), hash)) {
                Some((Some(place), _)) => {
                    if let Some(entry) = entries.get_mut(place) {
                        entry.1 = value;
                    }
                }
                Some((None, hash)) => {
                    places.insert(hash, entries.len());
                    entries.push((key, value));
                }
                None => entries.push((key, value)),
            }
        }
        self.faults.refused_since(mark)?;
        self.item(Item::Dict(entries))
    }

    /// The attributes of a dictionary as keys and values; what is out of order is said and left out.
    fn pairs(&mut self, table: TableId) -> Vec<(Key, At)> {
        let mut pairs: Vec<(Key, At)> = Vec::new();
        let mut open: Option<(usize, At)> = None;
        for index in 0..self.tables.table(table).map_or(0, |table| table.entries.len()) {
            let at = (table, index);
            let Some(name) = self.tables.entry(at).map(|entry| entry.name.clone()) else { continue };
            let pair = match (entry(&name), open.take()) {
                (None, _) => Err((Code::Malformed, "its name is neither a plain key nor `key(i)` or `value(i)`")),
                (Some(Some(Entry::Value(number))), Some((key, place))) if number == key => {
                    pairs.push((Key::Attribute(place), at));
                    Ok(())
                }
                (Some(Some(Entry::Value(_))), _) => Err((Code::Malformed, "its key does not stand before it")),
                (_, Some((_, key))) => {
                    self.fault(Code::Absent, key, "the value of the key does not stand behind it".into());
                    continue;
                }
                (Some(Some(Entry::Key(number))), None) if number == pairs.len() => {
                    open = Some((number, at));
                    Ok(())
                }
                (Some(Some(Entry::Key(_))), None) => Err((Code::Malformed, "its number is not that of the entry")),
                (Some(None), None) => {
                    let atom = if self.older { older_atom(&name) } else { Atom::parse(&name) };
                    match atom {
                        Ok(Atom::Reference(_) | Atom::Slice(_)) | Err(_) => {
                            Err((Code::Malformed, "its name is no key that is written plain"))
                        }
                        Ok(atom) => {
                            pairs.push((Key::Name(atom), at));
                            Ok(())
                        }
                    }
                }
            };
            if let Err((code, says)) = pair {
                self.fault(code, at, says.into());
            }
        }
        if let Some((_, key)) = open {
            self.fault(Code::Absent, key, "the key at the end has no value".into());
        }
        pairs
    }

    /// The text that a key plainly is, if it is one.
    fn plain(&mut self, key: &Key) -> Option<String> {
        match key {
            Key::Name(Atom::Text(text)) => Some(text.clone()),
            Key::Name(_) => None,
            Key::Attribute(at) => {
                let entry = self.tables.entry(*at).filter(|entry| entry.hint.is_empty())?;
                let value = entry.attribute.value();
                if !matches!(value.datatype(), Datatype::Text { .. }) {
                    return None;
                }
                let mut unsaid = crate::faults::Faults::default();
                let text = value.text(&mut unsaid).ok()?;
                let atom = if self.older { older_atom(text.as_str()?) } else { Atom::parse(text.as_str()?) };
                match atom {
                    Ok(Atom::Text(text)) => Some(text),
                    _ => None,
                }
            }
        }
    }

    /// The item of a key.
    fn key(&mut self, key: Key, value: At) -> Result<ItemId, Refused> {
        let at = match key {
            Key::Name(atom) => return self.said(atom, value),
            Key::Attribute(at) => at,
        };
        let path = self.path.len();
        self.path.extend(b"/~2");
        self.within_key += 1;
        let made = self.node(at);
        self.within_key -= 1;
        let made = made.and_then(|item| match self.is_hashable(item) {
            true => Ok(item),
            false => Err(self.fault(Code::Kind, at, "what can be changed, like a list, is no key".into())),
        });
        self.path.truncate(path);
        made
    }
}
