//! The tree: nodes in one vector, named by number. What is asked of it; `build` changes it.

use super::{
    Kind, Value, escaped,
    path::{KEY_TREE, keys},
};
use crate::{faults::Text, tensor::Tensor};
use std::collections::HashMap;

/// Number of a node; stays the node's own as long as it is there, and is never given to another.
pub type NodeId = u32;

/// An ordered tree of parameters. Cloning shares the numbers and nothing else.
#[derive(Clone, Debug)]
pub struct Params {
    pub(super) nodes: Vec<Option<Node>>,
    pub(super) by_key: HashMap<(NodeId, Text), NodeId>,
    /// Roots of the trees that are the keys of maps' children, by child.
    pub(super) key_trees: HashMap<NodeId, NodeId>,
    /// What leaves are in the world they come from, where their kind does not say all of it.
    pub(super) leaf_types: HashMap<NodeId, Text>,
    pub(super) count: usize,
    /// How many leaves refer to other nodes.
    pub(super) references: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: NodeId,
    pub(super) key: Text,
    /// How many nodes stand above it.
    pub(super) depth: u16,
    pub(super) content: Content,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Branch(Box<Branch>),
    Leaf(Value),
}

#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) kind: Kind,
    pub(super) type_name: Text,
    pub(super) children: Vec<NodeId>,
}

impl Content {
    /// A branch without children.
    pub(super) fn branch(kind: Kind, type_name: Text) -> Content {
        Content::Branch(Box::new(Branch { kind, type_name, children: Vec::new() }))
    }
}

impl Default for Params {
    fn default() -> Params {
        Params::new(Kind::Named)
    }
}

impl Params {
    /// The node everything hangs from.
    pub const ROOT: NodeId = 0;

    /// What a node takes in memory, its key left out, and of its value what is no plain number.
    pub const NODE: usize = size_of::<Option<Node>>();

    /// What a branch takes besides its node, children left out.
    pub const BRANCH: usize = size_of::<Branch>();

    /// Makes room for so many further nodes, of which `keyed` stand under keys, so that adding them asks for less memory.
    pub fn reserve(&mut self, nodes: usize, keyed: usize) {
        self.nodes.reserve_exact(nodes);
        self.by_key.reserve(keyed);
    }

    /// Makes room for so many further children of a branch.
    pub fn reserve_children(&mut self, branch: NodeId, count: usize) {
        if let Some(children) = self.children_mut(branch) {
            children.reserve_exact(count);
        }
    }

    /// How many nodes there are, the root counted.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The kind of a node; none if it is not there.
    pub fn kind(&self, node: NodeId) -> Option<Kind> {
        Some(match &self.node(node)?.content {
            Content::Branch(branch) => branch.kind,
            Content::Leaf(value) => value.kind(),
        })
    }

    /// The key of a node; empty for the root and in branches that go by place.
    pub fn key(&self, node: NodeId) -> Option<&Text> {
        Some(&self.node(node)?.key)
    }

    /// The name of the type of a structured leaf or an object; of another leaf what [`Params::set_type`] said of it; none of
    /// another node.
    pub fn type_name(&self, node: NodeId) -> Option<&Text> {
        match &self.node(node)?.content {
            Content::Branch(branch) => branch.kind.is_typed().then_some(&branch.type_name),
            Content::Leaf(_) => self.leaf_types.get(&node),
        }
    }

    /// The root of the tree that is the key of a map's child, if it has been given one.
    pub fn key_tree(&self, node: NodeId) -> Option<NodeId> {
        self.key_trees.get(&node).copied()
    }

    /// The branch a node stands under; none for the root. That of a key tree's root is the child it is the key of.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).filter(|_| node != Params::ROOT).map(|node| node.parent)
    }

    /// The children of a branch in order; none of a leaf.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        match self.node(node).map(|node| &node.content) {
            Some(Content::Branch(branch)) => &branch.children,
            _ => &[],
        }
    }

    pub(super) fn children_mut(&mut self, node: NodeId) -> Option<&mut Vec<NodeId>> {
        match &mut self.node_mut(node)?.content {
            Content::Branch(branch) => Some(&mut branch.children),
            Content::Leaf(_) => None,
        }
    }

    /// The value of a leaf.
    pub fn value(&self, node: NodeId) -> Option<&Value> {
        match &self.node(node)?.content {
            Content::Leaf(value) => Some(value),
            Content::Branch(_) => None,
        }
    }

    /// What a node is the same object as: the end of the references it begins, or itself. References that lead round in a
    /// circle end where they have been.
    pub fn referred(&self, node: NodeId) -> NodeId {
        let (mut at, mut left) = (node, self.references);
        while let (Some(Value::Reference(target)), 1..) = (self.value(at), left) {
            (at, left) = (*target, left - 1);
        }
        at
    }

    /// The tensor of a leaf that is one.
    pub fn tensor(&self, node: NodeId) -> Option<&Tensor> {
        match self.value(node)? {
            Value::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The child of a branch by its key, or by its place where the branch has no keys.
    pub fn child(&self, node: NodeId, key: &Text) -> Option<NodeId> {
        if !self.kind(node)?.is_positional() {
            return self.by_key.get(&(node, key.clone())).copied();
        }
        let place = key.as_str().filter(|place| *place == "0" || !place.starts_with(['0', '+']))?;
        self.children(node).get(place.parse::<usize>().ok()?).copied()
    }

    /// The node at a path that starts at `from`.
    pub fn find(&self, from: NodeId, path: &[u8]) -> Option<NodeId> {
        self.node(from)?;
        keys(path)?.iter().try_fold(from, |node, key| self.step(node, key.as_ref()))
    }

    /// The same, where each node of the path but the last may be a reference to the one that is meant.
    pub fn find_referred(&self, from: NodeId, path: &[u8]) -> Option<NodeId> {
        self.node(from)?;
        keys(path)?.iter().try_fold(from, |node, key| self.step(self.referred(node), key.as_ref()))
    }

    /// The child of a branch by its key; without one the tree that is its own key.
    fn step(&self, node: NodeId, key: Option<&Text>) -> Option<NodeId> {
        match key {
            Some(key) => self.child(node, key),
            None => self.key_tree(node),
        }
    }

    /// The path of a node from the root.
    pub fn path(&self, node: NodeId) -> Option<Text> {
        self.node(node)?;
        let (mut parts, mut at) = (Vec::new(), node);
        while let Some(parent) = self.parent(at) {
            parts.push(if self.key_tree(parent) == Some(at) {
                KEY_TREE.to_vec()
            } else {
                escaped(&self.name(parent, at))
            });
            at = parent;
        }
        let mut path = Vec::new();
        for part in parts.iter().rev() {
            path.push(b'/');
            path.extend_from_slice(part);
        }
        Some(Text::from_wtf8(&path))
    }

    /// What a path calls `node` under `parent`: its key, or its place.
    fn name(&self, parent: NodeId, node: NodeId) -> Vec<u8> {
        if self.kind(parent).is_some_and(Kind::is_positional) {
            let children = self.children(parent);
            // Children mostly stand in the order in which they were made.
            let place = children.binary_search(&node).ok().or_else(|| children.iter().position(|&child| child == node));
            return place.unwrap_or_default().to_string().into_bytes();
        }
        self.key(node).map(|key| key.as_bytes().to_vec()).unwrap_or_default()
    }

    /// All leaves in order, each with its dotted path: keys and places joined by dots. Trees that are keys are left out.
    pub fn leaves(&self) -> Vec<(NodeId, Text)> {
        let mut leaves = Vec::new();
        let mut open = vec![(Params::ROOT, Vec::new())];
        while let Some((node, path)) = open.pop() {
            if self.value(node).is_some() {
                leaves.push((node, Text::from_wtf8(&path)));
            }
            let positional = self.kind(node).is_some_and(Kind::is_positional);
            for (place, &child) in self.children(node).iter().enumerate().rev() {
                let mut longer = path.clone();
                if node != Params::ROOT {
                    longer.push(b'.');
                }
                if positional {
                    longer.extend_from_slice(place.to_string().as_bytes());
                } else if let Some(key) = self.key(child) {
                    longer.extend_from_slice(key.as_bytes());
                }
                open.push((child, longer));
            }
        }
        leaves
    }

    pub(super) fn node(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node as usize)?.as_ref()
    }

    pub(super) fn node_mut(&mut self, node: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(node as usize)?.as_mut()
    }
}
