//! Names that stand behind a prefix nobody spoke of.

use crate::{
    describe::Slot,
    faults::{Code, Fault, Faults, Text, quoted_str},
    network::Listed,
};
use std::collections::{HashMap, HashSet};

/// Longest name that is looked into.
const LONGEST: usize = 1000;

/// Takes `prefix` away from each name that begins with it, and warns if none does.
pub(super) fn strip(prefix: &str, entries: &mut [Listed], faults: &mut Faults) {
    let mut any = false;
    for entry in entries {
        if let Some(rest) = entry.path.as_bytes().strip_prefix(prefix.as_bytes()) {
            entry.path = Text::from_wtf8(rest);
            any = true;
        }
    }
    if !any {
        let message =
            format!("No name begins with '{}': the option `strip_prefix` changes nothing.", quoted_str(prefix));
        faults.push(Fault::new(Code::Value, message).path(prefix).warning());
    }
}

/// The prefix, dot included, without which most of the names that are no slots would be slots that nobody writes.
pub(super) fn proposed<'a>(slots: &[Slot], names: impl Iterator<Item = &'a Text> + Clone) -> Option<String> {
    let slots: HashSet<&[u8]> = slots.iter().map(|slot| slot.path.as_bytes()).collect();
    let written: HashSet<&[u8]> = names.clone().map(Text::as_bytes).filter(|name| slots.contains(name)).collect();
    let (mut fits, mut strays) = (HashMap::<&str, usize>::new(), 0);
    for name in names.filter(|name| !slots.contains(name.as_bytes())) {
        strays += 1;
        let Some(name) = name.as_str().filter(|name| name.len() <= LONGEST) else { continue };
        for (dot, _) in name.match_indices('.') {
            let (prefix, rest) = name.split_at(dot + 1);
            if slots.contains(rest.as_bytes()) && !written.contains(rest.as_bytes()) {
                *fits.entry(prefix).or_default() += 1;
            }
        }
    }
    // Of two that fit as many names the shorter one, so that the answer does not depend on the order of a hash.
    let (prefix, count) = fits.into_iter().max_by(|a, b| (a.1, b.0.len(), b.0).cmp(&(b.1, a.0.len(), a.0)))?;
    (count * 2 > strays).then(|| prefix.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::Role;

    fn told(slots: &[&str], names: &[&str]) -> Option<String> {
        let slot = |path: &&str| Slot { path: (*path).into(), role: Role::Parameter, shape: vec![] };
        let names: Vec<Text> = names.iter().map(|name| Text::from(*name)).collect();
        proposed(&slots.iter().map(slot).collect::<Vec<_>>(), names.iter())
    }

    #[test]
    fn proposes_what_most_names_share() {
        let slots = ["0.weight", "0.bias", "1.0.weight"];
        assert_eq!(told(&slots, &["module.0.weight", "module.0.bias"]), Some("module.".into()));
        assert_eq!(told(&slots, &["a.b.0.weight", "a.b.0.bias", "x"]), Some("a.b.".into()));
        assert_eq!(told(&slots, &["2.weight", "0.weight"]), None);
        assert_eq!(told(&slots, &["m.0.weight", "0.weight"]), None);
        assert_eq!(told(&slots, &[]), None);
    }
}
