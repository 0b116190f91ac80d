//! The values of a pickle as a tree, walked in order.
//!
//! A pickle may hold one value in many places, or within itself; as a tree each place counts. The walk therefore has a depth,
//! and a measure of how far it goes that is the length of the file.

use crate::{
    faults::{Code, Fault, Text, quoted},
    formats::{
        Budget,
        pickle::{Node, NodeId, Pickle},
    },
    limits::Limits,
    params::Kind,
};
use std::borrow::Cow;

/// Most bytes of a path that a fault tells.
const LONGEST: usize = 1 << 16;

/// What a walk may cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Deepest branch.
    pub depth: usize,
    /// Most values, the root left out.
    pub entries: usize,
    /// How far the walk may go, in what [`Place::passed`] counts.
    pub way: u64,
}

impl Bounds {
    /// For a file of so many bytes.
    pub fn of(file: u64, limits: &Limits) -> Bounds {
        let way = file.saturating_mul(2).saturating_add(6 << 20);
        Bounds { depth: limits.depth, entries: limits.entries, way }
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
    /// A branch and how many children it has; they follow.
    Branch(Place<'a>, Kind, usize),
    /// Its end.
    End,
    /// Anything else.
    Leaf(Place<'a>),
}

impl Place<'_> {
    /// How long passing it takes. A value takes at least half as many bytes of a file, so that each may be passed once.
    fn passed(&self) -> u64 {
        2 + self.key.len() as u64 / 8
    }
}

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

/// Walks all that is below `root`, itself first. The path to where it is, is borrowed from `budget`.
pub(super) fn walk(
    pickle: &Pickle,
    root: NodeId,
    bounds: Bounds,
    budget: &Budget,
    visit: impl FnMut(Met<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut path = Vec::new();
    let walked = below(pickle, root, bounds, budget, &mut path, visit);
    budget.give(path.capacity() as u64);
    walked
}

fn below(
    pickle: &Pickle,
    root: NodeId,
    bounds: Bounds,
    budget: &Budget,
    path: &mut Vec<u8>,
    mut visit: impl FnMut(Met<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let (mut open, mut left, mut passed): (Vec<Open<'_>>, _, _) = (Vec::new(), bounds.way, 0);
    let mut next = Some((Cow::Borrowed(&b""[..]), root));
    loop {
        if let Some((key, node)) = next.take() {
            let place = Place { key: &key, path, node };
            left = left.checked_sub(place.passed()).ok_or_else(|| one_more(path))?;
            if passed > bounds.entries {
                let (path, most) = (told(path), bounds.entries);
                let message = format!("'{}' is one value more than {most}, the limit `entries`.", quoted(&path));
                return Err(Fault::new(Code::Limit, message).path(path));
            }
            passed += 1;
            match branch(pickle, node) {
                None => visit(Met::Leaf(place))?,
                Some(_) if open.len() >= bounds.depth => {
                    let path = told(path);
                    let shown = quoted(&path);
                    let message = format!("'{shown}' stands more than {} deep, the limit `depth`.", bounds.depth);
                    return Err(Fault::new(Code::Limit, message).path(path));
                }
                Some((kind, children)) => {
                    visit(Met::Branch(place, kind, children.count()))?;
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
        let by_place = matches!(open.last().map(|last| &last.children), Some(Children::ByPlace(_)));
        let place = if by_place { place.to_string() } else { String::new() };
        let name = if by_place { place.as_bytes() } else { &key[..] };
        budget.room(path, name.len() + 1).ok_or_else(|| one_more(path))?;
        if open.len() > 1 {
            path.push(b'.');
        }
        path.extend_from_slice(name);
        next = Some((key, node));
    }
}

/// A path as a fault tells it: of one that is longer than anything to be read, the beginning.
fn told(path: &[u8]) -> Text {
    Text::from_wtf8(path.get(..LONGEST).unwrap_or(path))
}

/// The refusal of a value for which there is no room any more.
pub(super) fn one_more(path: &[u8]) -> Fault {
    let path = told(path);
    let shown = quoted(&path);
    let message = format!(
        "'{shown}' is one value more than the tree of a file of this length may hold; the option `key` reads a part of it."
    );
    Fault::new(Code::Limit, message).path(path)
}

impl Children<'_> {
    fn count(&self) -> usize {
        match self {
            Children::ByPlace(nodes) => nodes.len(),
            Children::ByKey(items) => items.len(),
        }
    }

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

#[cfg(test)]
mod tests {
    use super::{super::names::Names, Bounds, walk};
    use crate::{
        faults::{Code, Faults, Text},
        formats::{
            Budget,
            pickle::{Pickle, Setting},
        },
        limits::Limits,
        tensor::Storage,
    };

    /// How many places are passed, or why not all are.
    fn passed(bytes: &[u8]) -> Result<usize, Code> {
        let storage = Storage::copied(bytes).unwrap();
        let (place, limits, file) = (Text::from("data.pkl"), Limits::default(), bytes.len() as u64);
        let budget = Budget::of(file);
        let setting = Setting { place: &place, offset: None, budget: &budget, world: &Names, limits: &limits };
        let pickle = Pickle::read(&storage, &setting, &mut Faults::default()).unwrap();
        let mut places = 0;
        let walked = walk(&pickle, pickle.root(), Bounds::of(file, &limits), &budget, |_| {
            places += 1;
            Ok(())
        });
        walked.map(|()| places).map_err(|fault| fault.code)
    }

    #[test]
    fn what_is_written_out_is_passed_whatever_its_length() {
        let numbers = [b"G\x3F\xF0\0\0\0\0\0\x01".repeat(200_000), b"N".repeat(200_000)].concat();
        assert_eq!(passed(&[b"](", &numbers[..], b"e."].concat()), Ok(400_002));
    }

    #[test]
    fn what_holds_itself_over_and_over_is_not() {
        let doubled = |level: u8| [b']', b'(', b'h', level, b'h', level, b'e', b'q', level + 1];
        let laughs: Vec<u8> = (0..60).flat_map(doubled).collect();
        // Each list is left below the next; the last is what the pickle holds.
        assert_eq!(passed(&[b"Nq\0", &laughs[..], b"."].concat()), Err(Code::Limit));
    }
}
