//! Walks over one tree or several of the same shape at once, and what is made on the way.

use super::{
    Kind, NodeId, Params, Value,
    equal::{keys_text, same_keys},
    layout::no_storage,
};
use crate::faults::{Code, Fault, quoted};

/// How far a walk goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// To whole leaves: a structured one is one leaf.
    Leaves,
    /// To the arrays and numbers of which the storage of structured leaves is made.
    Storage,
}

/// What stands in the place of a leaf.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// A leaf with a value.
    Value(Value),
    /// A structured leaf: a tree with it as its root.
    Structured(Params),
}

/// A leaf of one of the trees that are walked.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The tree.
    pub params: &'a Params,
    /// The leaf.
    pub node: NodeId,
}

/// A tree of the shape and kinds of the first one; each leaf is what `make` makes of the leaves at its place, the first
/// tree's first. The trees have the same keys in the same order; a set may stand beside a named branch. A leaf of nothing is
/// handed over as any other; where a whole branch of a later tree is nothing, that is a fault. With [`Depth::Storage`] a
/// structured leaf is rebuilt around what is made of its storage, and stands beside a structured leaf alone.
pub fn map(
    trees: &[&Params],
    depth: Depth,
    mut make: impl FnMut(&[At<'_>]) -> Result<Leaf, Fault>,
) -> Result<Params, Fault> {
    let Some(first) = trees.first() else { return Err(no_tree()) };
    let mut made = Params::clone(first);
    for place in places(trees, depth, false)? {
        made.put(place[0], make(&at(trees, &place))?)?;
    }
    Ok(made)
}

/// The same into the first tree, whose leaves are handed over too. Where a later tree has nothing, as a leaf or in the place
/// of a branch, the leaves there stay as they are. If `make` fails, the tree is as it was.
pub fn map_into(
    into: &mut Params,
    sources: &[&Params],
    depth: Depth,
    mut make: impl FnMut(&[At<'_>]) -> Result<Leaf, Fault>,
) -> Result<(), Fault> {
    let mut made = Vec::new();
    {
        let trees: Vec<&Params> = [&*into].into_iter().chain(sources.iter().copied()).collect();
        for place in places(&trees, depth, true)? {
            made.push((place[0], make(&at(&trees, &place))?));
        }
    }
    made.into_iter().try_for_each(|(node, leaf)| into.put(node, leaf))
}

/// Calls `call` for the leaves at each place, in flat order; gaps are passed over as in [`map_into`].
pub fn each(
    trees: &[&Params],
    depth: Depth,
    mut call: impl FnMut(&[At<'_>]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    places(trees, depth, true)?.iter().try_for_each(|place| call(&at(trees, place)))
}

/// A left fold over whole leaves in flat order.
pub fn fold<T>(tree: &Params, first: T, mut fold: impl FnMut(T, At<'_>) -> T) -> T {
    let mut sum = first;
    let mut open = vec![Params::ROOT];
    while let Some(node) = open.pop() {
        match is_leaf(tree, node, Depth::Leaves) {
            true => sum = fold(sum, At { params: tree, node }),
            false => open.extend(tree.children(node).iter().rev()),
        }
    }
    sum
}

/// The leaves of trees of the same shape, place by place, each place with a node of every tree. With `gaps`, places where a
/// later tree has nothing are left out; without, a leaf of nothing is one, and nothing in the place of a branch a fault.
pub fn places(trees: &[&Params], depth: Depth, gaps: bool) -> Result<Vec<Vec<NodeId>>, Fault> {
    let Some((first, rest)) = trees.split_first() else { return Err(no_tree()) };
    let (mut places, mut open) = (Vec::new(), vec![vec![Params::ROOT; trees.len()]]);
    'places: while let Some(place) = open.pop() {
        let node = place[0];
        let leaf = is_leaf(first, node, depth);
        for (other, &second) in rest.iter().zip(&place[1..]) {
            let nothing = other.kind(second) == Some(Kind::None);
            if nothing && gaps {
                continue 'places;
            }
            if !(nothing && leaf) {
                beside(first, node, other, second, depth)?;
            }
        }
        if leaf {
            places.push(place);
        } else if first.kind(node) == Some(Kind::Structured) {
            let storages = trees.iter().zip(&place).map(|(tree, &node)| tree.storage(node));
            open.push(storages.collect::<Option<_>>().ok_or_else(|| no_storage(first, node))?);
        } else {
            for index in (0..first.children(node).len()).rev() {
                let child = |(tree, &node): (&&Params, &NodeId)| tree.children(node).get(index).copied();
                open.push(trees.iter().zip(&place).map(child).collect::<Option<_>>().ok_or_else(no_tree)?);
            }
        }
    }
    Ok(places)
}

/// Whether the node of another tree may stand beside one of the first.
fn beside(first: &Params, node: NodeId, other: &Params, second: NodeId, depth: Depth) -> Result<(), Fault> {
    let (Some(kind), Some(beside)) = (first.kind(node), other.kind(second)) else { return Err(no_tree()) };
    let path = || first.path(node).unwrap_or_default();
    let set = |kind| matches!(kind, Kind::Named | Kind::Parameters);
    let fits = match is_leaf(first, node, depth) {
        true => is_leaf(other, second, depth),
        false => kind == beside || set(kind) && set(beside),
    };
    if !fits {
        let message = format!("'{}' is {}, and {} stands beside it.", quoted(&path()), kind.name(), beside.name());
        return Err(Fault::new(Code::Kind, message).path(path()));
    }
    if !is_leaf(first, node, depth) && kind != Kind::Structured && !same_keys(first, node, other, second) {
        let (keys, others) = (keys_text(first, node), keys_text(other, second));
        let message = format!("'{}' has {keys}, and beside it stand {others}.", quoted(&path()));
        return Err(Fault::new(Code::Shape, message).path(path()));
    }
    Ok(())
}

fn is_leaf(params: &Params, node: NodeId, depth: Depth) -> bool {
    match params.kind(node) {
        Some(Kind::Structured) => depth == Depth::Leaves,
        kind => !kind.is_some_and(Kind::is_branch),
    }
}

fn at<'a>(trees: &[&'a Params], place: &[NodeId]) -> Vec<At<'a>> {
    trees.iter().zip(place).map(|(&params, &node)| At { params, node }).collect()
}

impl Params {
    /// Puts a leaf in the place of another, which keeps its number and key.
    pub fn put(&mut self, node: NodeId, leaf: Leaf) -> Result<(), Fault> {
        match leaf {
            Leaf::Value(value) if self.value(node).is_some() => self.set(node, value),
            Leaf::Value(value) => {
                let mut holder = Params::new(Kind::List);
                let holds = holder.add(Params::ROOT, "", value)?;
                self.replace(node, &holder, holds)
            }
            Leaf::Structured(tree) => self.replace(node, &tree, Params::ROOT),
        }
    }
}

fn no_tree() -> Fault {
    Fault::new(Code::Value, "A walk needs a tree.")
}
