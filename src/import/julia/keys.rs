//! The members of a group in their order: as the attribute `keys` has them, else by a guess.

use super::tree::Reader;
use crate::{
    faults::{Code, Fault, Refused, Text, quoted},
    formats::hdf5::{Group, Object, Space},
};
use std::collections::{HashMap, HashSet};

impl Reader<'_, '_> {
    /// The members of a group, each with its key, those that are missing said and left out.
    pub(super) fn members(&mut self, group: &Group) -> Vec<(Text, Object)> {
        let Ok(keys) = self.keys(group) else { return Vec::new() };
        let keys = match keys {
            Some(keys) => keys,
            None => self.guessed(group),
        };
        let (mut members, mut opened) = (Vec::new(), HashMap::new());
        for key in keys {
            match self.led(group, &key, &mut opened) {
                Ok(Some(object)) => members.push((key, object)),
                Ok(None) => self.missing(group, &key),
                Err(_) => {}
            }
        }
        members
    }

    /// The member of this name.
    pub(super) fn member(&mut self, group: &Group, key: &Text) -> Result<Option<Object>, Refused> {
        key.as_str().map_or(Ok(None), |key| group.member(key, self.faults))
    }

    /// The same; a name with slashes leads through groups, as it does where it was written. Each of those is opened once.
    fn led(
        &mut self,
        group: &Group,
        key: &Text,
        opened: &mut HashMap<(u64, Text), Option<Group>>,
    ) -> Result<Option<Object>, Refused> {
        let Some(path) = key.as_str().filter(|path| path.contains('/')) else { return self.member(group, key) };
        let path = path.trim_end_matches('/');
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut at = group.clone();
        for name in above.split('/').filter(|name| !name.is_empty()) {
            let place = (at.address(), Text::from(name));
            let known = match opened.get(&place) {
                Some(known) => known.clone(),
                None => {
                    let found = at.member(name, self.faults)?.and_then(|object| object.group().cloned());
                    opened.insert(place, found.clone());
                    found
                }
            };
            match known {
                Some(inner) => at = inner,
                None => return Ok(None),
            }
        }
        at.member(name, self.faults)
    }

    /// What the attribute `keys` says; none if it is not there.
    fn keys(&mut self, group: &Group) -> Result<Option<Vec<Text>>, Refused> {
        let Some(attribute) = group.attribute("keys", self.faults)? else { return Ok(None) };
        let keys = match attribute.value().space() {
            Space::Null => Vec::new(),
            Space::Simple(lengths) if lengths.len() == 1 => attribute.value().texts(self.faults)?,
            _ => {
                let path = group.path();
                let message = format!(
                    "The attribute 'keys' of the group '{}' is not a list of texts with one axis, also where there is one key.",
                    quoted(path)
                );
                return Err(self
                    .faults
                    .refuse(Fault::new(Code::Metadata, message).path(path.clone()).place(path.clone())));
            }
        };
        let mut seen = HashSet::new();
        for key in &keys {
            if !seen.insert(key) {
                let path = group.path();
                let message =
                    format!("The attribute 'keys' of the group '{}' has '{}' twice.", quoted(path), quoted(key));
                return Err(self
                    .faults
                    .refuse(Fault::new(Code::KeyTwice, message).path(key.clone()).place(path.clone())));
            }
        }
        self.passed_over(group, &seen);
        Ok(Some(keys))
    }

    /// Warns of members that `keys` does not name.
    fn passed_over(&mut self, group: &Group, keys: &HashSet<&Text>) {
        let Ok(members) = group.members(self.faults) else { return };
        let first = |key: &&Text| Some(Text::from(key.as_str()?.trim_start_matches('/').split_once('/')?.0));
        let slashed: HashSet<Text> = keys.iter().filter_map(first).collect();
        let extra: Vec<&Text> = members
            .iter()
            .map(|link| &link.name)
            .filter(|name| !keys.contains(name) && !slashed.contains(*name))
            .collect();
        for name in extra {
            let path = group.path();
            let message = format!(
                "'{}' in the group '{}' is not among its 'keys' and is passed over.",
                quoted(name),
                quoted(path)
            );
            self.faults.push(Fault::new(Code::Unexpected, message).path(name.clone()).place(path.clone()).warning());
        }
    }

    /// The names of a group without `keys`: in order of creation if the group tracks that; if all are letters and then a
    /// number, by letters and number; else by name. Warns where the written order may have been another.
    pub(super) fn guessed(&mut self, group: &Group) -> Vec<Text> {
        let Ok(members) = group.members(self.faults) else { return Vec::new() };
        let mut names: Vec<Text> = members.iter().map(|link| link.name.clone()).collect();
        if group.is_tracked(self.faults).unwrap_or(false) {
            return names;
        }
        let numbered: Option<Vec<_>> = names.iter().map(numbered).collect();
        let sure = match numbered {
            Some(mut parts) => {
                let one = parts.windows(2).all(|pair| pair[0].0 == pair[1].0);
                parts.sort_by_key(|(prefix, number, _)| (prefix.clone(), number.len(), number.clone()));
                let twice = parts.windows(2).any(|pair| (&pair[0].0, &pair[0].1) == (&pair[1].0, &pair[1].1));
                names = parts.into_iter().map(|(_, _, name)| name).collect();
                one && !twice
            }
            None => false,
        };
        if !sure && names.len() > 1 && self.prototype.is_none() {
            let path = group.path();
            let message = format!(
                "The group '{}' does not say the order of its keys, so they stand by name; the order they were written in may \
                 be lost. A prototype brings it back.",
                quoted(path)
            );
            self.faults.push(Fault::new(Code::KeyOrder, message).path(path.clone()).place(path.clone()).warning());
        }
        names
    }
}

/// A name of letters and a number behind them: the letters, the number without noughts in front, and the name itself.
fn numbered(name: &Text) -> Option<(Vec<u8>, Vec<u8>, Text)> {
    let text = name.as_str()?;
    let start = text.find(|c: char| c.is_ascii_digit()).filter(|&start| start > 0)?;
    let (prefix, number) = text.split_at(start);
    let digits = number.trim_start_matches('0');
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| (prefix.into(), digits.into(), name.clone()))
}
