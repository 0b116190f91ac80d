//! The values of a pickle as a tree, walked in order.
//!
//! A pickle may hold one value in many places, or within itself; as a tree each place counts. The walk therefore has a depth
//! and a budget of its own, measured like that of the pickle by the length of the file.

use crate::{
    faults::{Code, Fault, Text, quoted},
    formats::pickle::{Node, NodeId, Pickle},
    params::Kind,
};
use std::borrow::Cow;

/// What a walk may cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Deepest branch.
    pub depth: usize,
    /// How many bytes the places visited may take, their paths included.
    pub bytes: u64,
}

impl Bounds {
    /// For a file of so many bytes.
    pub fn of(file: u64, depth: usize) -> Bounds {
        Bounds { depth, bytes: file.saturating_mul(2).saturating_add(6 << 20) }
    }
}

/// Where the walk is.
pub(super) struct Place<'a> {
    /// Key under its branch; empty in lists and for the root.
    pub key: &'a [u8],
    /// Keys and places from the root, joined by dots.
    pub path: &'a [u8],
    /// The node.
    pub node: NodeId,
}

/// What the walk meets.
pub(super) enum Met<'a> {
    /// A branch; what is in it follows.
    Branch(Place<'a>, Kind),
    /// Its end.
    End,
    /// Anything else.
    Leaf(Place<'a>),
}

/// What a place takes, besides its path.
const PLACE: u64 = 192;

/// The children of a branch.
enum Children<'a> {
    ByPlace(&'a [NodeId]),
    ByKey(&'a [(NodeId, NodeId)]),
}

struct Open<'a> {
    children: Children<'a>,
    next: usize,
    /// Length of its path.
    path: usize,
}

/// Walks all that is below `root`, itself first.
pub(super) fn walk(
    pickle: &Pickle,
    root: NodeId,
    bounds: Bounds,
    mut visit: impl FnMut(Met<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let (mut open, mut path, mut left): (Vec<Open<'_>>, Vec<u8>, u64) = (Vec::new(), Vec::new(), bounds.bytes);
    let mut next = Some((Cow::Borrowed(&b""[..]), root));
    loop {
        if let Some((key, node)) = next.take() {
            let cost = PLACE + (path.len() + key.len()) as u64 + pickle.text(node).map_or(0, |text| text.len() as u64);
            let shown = || quoted(&Text::from_wtf8(&path));
            left = left.checked_sub(cost).ok_or_else(|| {
                let message = format!(
                    "'{}' stands in more places than a file of this length may fill: values hold one another over and over.",
                    shown()
                );
                Fault::new(Code::Limit, message).path(Text::from_wtf8(&path))
            })?;
            match branch(pickle, node) {
                None => visit(Met::Leaf(Place { key: &key, path: &path, node }))?,
                Some(_) if open.len() >= bounds.depth => {
                    let message = format!("'{}' stands more than {} deep, the limit `depth`.", shown(), bounds.depth);
                    return Err(Fault::new(Code::Limit, message).path(Text::from_wtf8(&path)));
                }
                Some((kind, children)) => {
                    visit(Met::Branch(Place { key: &key, path: &path, node }, kind))?;
                    open.push(Open { children, next: 0, path: path.len() });
                }
            }
        }
        let Some(last) = open.last_mut() else { return Ok(()) };
        path.truncate(last.path);
        let (place, child) = (last.next, last.children.at(last.next));
        last.next += 1;
        let Some((key, node)) = child else {
            open.pop();
            visit(Met::End)?;
            continue;
        };
        let key = key.map_or(Cow::Borrowed(&b""[..]), |key| key_text(pickle, key));
        if open.len() > 1 {
            path.push(b'.');
        }
        match open.last().map(|last| &last.children) {
            Some(Children::ByPlace(_)) => path.extend_from_slice(place.to_string().as_bytes()),
            _ => path.extend_from_slice(&key),
        }
        next = Some((key, node));
    }
}

impl Children<'_> {
    fn at(&self, place: usize) -> Option<(Option<NodeId>, NodeId)> {
        match self {
            Children::ByPlace(nodes) => nodes.get(place).map(|&node| (None, node)),
            Children::ByKey(items) => items.get(place).map(|&(key, node)| (Some(key), node)),
        }
    }
}

/// The children of a node that is a branch in a tree.
fn branch(pickle: &Pickle, node: NodeId) -> Option<(Kind, Children<'_>)> {
    if let Some(items) = pickle.items(node) {
        return Some((Kind::Named, Children::ByKey(items)));
    }
    match pickle.node(node) {
        Node::List(_) => Some((Kind::List, Children::ByPlace(pickle.elements(node)?))),
        Node::Tuple(_) => Some((Kind::Tuple, Children::ByPlace(pickle.elements(node)?))),
        Node::Set => Some((Kind::Set, Children::ByPlace(&[]))),
        Node::Call(_) => {
            let call = pickle.call(node)?;
            let kind = match call.name {
                "torch.Size" => Kind::Tuple,
                "builtins.set" | "__builtin__.set" => Kind::Set,
                _ => return None,
            };
            let &[elements] = call.arguments else { return None };
            Some((kind, Children::ByPlace(pickle.elements(elements)?)))
        }
        _ => None,
    }
}

/// A key as the path shows it: a text itself, anything else as Python prints it.
pub(super) fn key_text(pickle: &Pickle, key: NodeId) -> Cow<'_, [u8]> {
    if let Some(text) = pickle.text(key) {
        return Cow::Borrowed(text);
    }
    let text = match pickle.node(key) {
        Node::None => "None".into(),
        Node::Bool(true) => "True".into(),
        Node::Bool(false) => "False".into(),
        Node::Int(number) => number.to_string(),
        Node::Real(number) => format!("{number:?}"),
        _ => {
            let parts = pickle.tuple(key).unwrap_or_default().iter().map(|&part| match pickle.tuple(part) {
                // A key holds no tuples within its tuple.
                Some(_) => Cow::Borrowed(&b"()"[..]),
                None => key_text(pickle, part),
            });
            return Cow::Owned([&b"("[..], &parts.collect::<Vec<_>>().join(&b", "[..]), b")"].concat());
        }
    };
    Cow::Owned(text.into_bytes())
}
