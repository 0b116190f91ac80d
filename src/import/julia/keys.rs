//! The members of a group in their order: as the attribute `keys` has them, else by a guess.

use super::tree::Reader;
use crate::{
    faults::{Code, Fault, Text, quoted},
    formats::hdf5::{Group, Object, Space},
};
use std::collections::HashSet;

impl Reader<'_, '_> {
    /// The members of a group, each with its key, those that are missing said and left out.
    pub(super) fn members(&mut self, group: &Group) -> Vec<(Text, Object)> {
        let Ok(keys) = self.keys(group) else { return Vec::new() };
        let keys = match keys {
            Some(keys) => keys,
            None => self.guessed(group),
        };
        let mut members = Vec::new();
        for key in keys {
            match self.member(group, &key) {
                Ok(Some(object)) => members.push((key, object)),
                Ok(None) => self.missing(group, &key),
                Err(_) => {}
            }
        }
        members
    }

    /// A member of this name; a name with slashes leads through groups, as it does where it was written.
    pub(super) fn member(&mut self, group: &Group, key: &Text) -> Result<Option<Object>, crate::faults::Refused> {
        match key.as_str() {
            Some(key) if key.contains('/') => group.find(key, self.faults),
            Some(key) => group.member(key, self.faults),
            None => Ok(None),
        }
    }

    /// What the attribute `keys` says; none if it is not there.
    fn keys(&mut self, group: &Group) -> Result<Option<Vec<Text>>, crate::faults::Refused> {
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
        let slashed = |name: &Text| {
            let begins = [name.as_bytes(), b"/"].concat();
            keys.iter().any(|key| key.as_bytes().starts_with(&begins))
        };
        let extra: Vec<&Text> =
            members.iter().map(|link| &link.name).filter(|name| !keys.contains(name) && !slashed(name)).collect();
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
