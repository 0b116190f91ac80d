//! Which part of a checkpoint holds the numbers of a network.

use super::{
    super::{EXTRA, is_beside},
    walk::key_text,
};
use crate::{
    faults::{Argument, Code, Fault, Faults, Refused, Text, quoted},
    formats::pickle::{Node, NodeId, Pickle},
};
use std::collections::HashSet;

/// Most parts that are proposed, and most parts of a dictionary that are looked into.
const PROPOSED: usize = 8;
const PARTS: usize = 1000;

/// Most names that a note tells, and most bytes of each.
const TOLD: usize = 8;
const LONGEST: usize = 200;

/// The value under `key`: a key of the dictionary at the root, or a path like `/ema/state_dict`.
pub(super) fn under(pickle: &Pickle, key: &str, faults: &mut Faults) -> Result<NodeId, Refused> {
    let child = |node: NodeId, name: &[u8]| {
        let items = pickle.items(node).unwrap_or_default();
        let by_key = items.iter().find(|(key, _)| *key_text(pickle, *key) == *name).map(|(_, value)| *value);
        let by_place = || pickle.elements(node)?.get(std::str::from_utf8(name).ok()?.parse::<usize>().ok()?).copied();
        by_key.or_else(by_place)
    };
    let by_path = || {
        let plain = |part: &str| part.replace("~1", "/").replace("~0", "~");
        key.strip_prefix('/')?.split('/').try_fold(pickle.root(), |node, part| child(node, plain(part).as_bytes()))
    };
    child(pickle.root(), key.as_bytes()).or_else(by_path).ok_or_else(|| {
        let shown = crate::faults::quoted_str(key);
        let states = match &proposed(pickle)[..] {
            [] => String::new(),
            states => format!("; what may be meant: {}", quoted_all(states, " or ")),
        };
        let message = format!("The file has no '{shown}', which the option `key` names{states}.");
        faults.refuse(Fault::new(Code::NoPath, message).path(key))
    })
}

/// Whether a node is a tensor, or was one before something was done to it that is not read.
pub(super) fn is_tensor(pickle: &Pickle, node: NodeId) -> bool {
    matches!(pickle.node(node), Node::Persistent(_))
        || pickle.call(node).is_some_and(|call| {
            call.name.starts_with("torch._utils._rebuild") || call.name.starts_with("torch._tensor._rebuild")
        })
}

/// What kind of value a node is, for a message.
fn kind(pickle: &Pickle, node: NodeId) -> &'static str {
    if is_tensor(pickle, node) { "a tensor" } else { pickle.kind(node) }
}

/// Whether a node is a dictionary of tensors by name and of nothing else.
pub(super) fn is_flat(pickle: &Pickle, node: NodeId) -> bool {
    holds_tensors(pickle, node, |_| false)
}

/// Whether a node is a dictionary of tensors by name, and of what modules keep for themselves.
fn is_state(pickle: &Pickle, node: NodeId) -> bool {
    holds_tensors(pickle, node, |key| is_extra(pickle, key))
}

/// Whether a node is a dictionary of tensors by name, at least one, and of what else may be there by its key.
fn holds_tensors(pickle: &Pickle, node: NodeId, may_be: impl Fn(NodeId) -> bool) -> bool {
    pickle.items(node).is_some_and(|items| {
        let is_one = |&(_, value): &(NodeId, NodeId)| is_tensor(pickle, value);
        items.iter().any(is_one)
            && items.iter().all(|item| pickle.text(item.0).is_some() && (is_one(item) || may_be(item.0)))
    })
}

/// Whether a key is that of what a module keeps for itself, whatever that is.
fn is_extra(pickle: &Pickle, key: NodeId) -> bool {
    pickle.text(key).is_some_and(|key| key.rsplit(|&byte| byte == b'.').next() == Some(EXTRA))
}

/// The note of what a state dict holds and no network takes.
pub(super) fn left_out(pickle: &Pickle, state: NodeId) -> Option<(Text, Text)> {
    if !is_state(pickle, state) {
        return None;
    }
    let keys = || {
        let keys = pickle.items(state).unwrap_or_default().iter().filter_map(|&(key, _)| pickle.text(key));
        keys.filter(|key| is_beside(key))
    };
    let told = keys().take(TOLD).map(|key| Text::from_wtf8(key.get(..LONGEST).unwrap_or(key))).collect::<Vec<_>>();
    let (names, more) = (quoted_all(&told, ", "), keys().count() - told.len());
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let says = format!("{names}{more}: modules keep this for themselves, and no network takes it.");
    (!told.is_empty()).then(|| ("left out".into(), says.into()))
}

/// Says what keeps a value from being a state dict: one fault with the parts that are, or one for each entry.
pub(super) fn fits(pickle: &Pickle, state: NodeId, faults: &mut Faults) -> Result<(), Refused> {
    let mark = faults.mark();
    if is_state(pickle, state) {
        return Ok(());
    }
    let states = if state == pickle.root() { proposed(pickle) } else { Vec::new() };
    if let Some(first) = states.first() {
        let message = format!(
            "The file is a checkpoint, whose numbers stand in a part of it: set the option `key` to {}.",
            quoted_all(&states, " or ")
        );
        let fault = Fault::new(Code::Kind, message).path(first.clone());
        return Err(faults.refuse(fault.argument("key", Argument::Text(first.clone()))));
    }
    let Some(items) = pickle.items(state) else {
        let message =
            format!("What is to be read is {}; a dictionary of tensors by name is wanted.", kind(pickle, state));
        return Err(faults.refuse(Fault::new(Code::Kind, message)));
    };
    for &(key, value) in items {
        let path = Text::from_wtf8(&key_text(pickle, key));
        let fault = if is_extra(pickle, key) {
            continue;
        } else if !is_tensor(pickle, value) {
            format!("'{}' is {}; a dictionary of tensors by name is wanted.", quoted(&path), pickle.kind(value))
        } else if pickle.text(key).is_none() {
            format!("'{}' is the name of a tensor and {}; a text is wanted.", quoted(&path), pickle.kind(key))
        } else {
            continue;
        };
        faults.push(Fault::new(Code::Kind, fault).path(path));
    }
    faults.refused_since(mark)
}

/// The parts of a checkpoint that are state dicts, as `key` takes them: those at the root, and those one branch below.
fn proposed(pickle: &Pickle) -> Vec<Text> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let outer = pickle.items(pickle.root()).unwrap_or_default().iter().copied();
    let outer: Vec<_> =
        outer.filter(|(_, value)| pickle.items(*value).is_some() && seen.insert(*value)).take(PARTS).collect();
    for &(key, value) in &outer {
        if is_state(pickle, value) {
            found.push(Text::from_wtf8(&key_text(pickle, key)));
        }
    }
    let part = |key| crate::params::escaped(&key_text(pickle, key));
    for &(outer_key, outer) in &outer {
        let inner = pickle.items(outer).unwrap_or_default();
        for &(key, value) in inner.iter().filter(|(_, value)| pickle.items(*value).is_some()).take(PARTS) {
            if found.len() < PROPOSED && seen.insert(value) && is_state(pickle, value) {
                found.push(Text::from_wtf8(&[&b"/"[..], &part(outer_key), b"/", &part(key)].concat()));
            }
        }
    }
    found.truncate(PROPOSED);
    found
}

fn quoted_all(names: &[Text], between: &str) -> String {
    names.iter().map(|name| format!("'{}'", quoted(name))).collect::<Vec<_>>().join(between)
}
