//! The tree: nodes in one vector, named by number.

use super::{Kind, Value, escaped, path::keys};
use crate::{
    faults::{Code, Fault, Text, quoted},
    tensor::Tensor,
};
use std::collections::HashMap;

/// Number of a node; stays the node's own as long as it is there, and is never given to another.
pub type NodeId = u32;

/// An ordered tree of parameters. Cloning shares the numbers and nothing else.
#[derive(Clone, Debug)]
pub struct Params {
    nodes: Vec<Option<Node>>,
    by_key: HashMap<(NodeId, Text), NodeId>,
    count: usize,
}

#[derive(Clone, Debug)]
struct Node {
    parent: NodeId,
    key: Text,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Branch(Kind, Vec<NodeId>),
    Leaf(Value),
}

impl Default for Params {
    fn default() -> Params {
        Params::new(Kind::Named)
    }
}

impl Params {
    /// The node everything hangs from.
    pub const ROOT: NodeId = 0;

    /// A tree of an empty root; `kind` is that of a branch, any other is taken as [`Kind::Named`].
    pub fn new(kind: Kind) -> Params {
        let kind = if kind.is_branch() { kind } else { Kind::Named };
        let root = Node { parent: Params::ROOT, key: Text::default(), content: Content::Branch(kind, Vec::new()) };
        Params { nodes: vec![Some(root)], by_key: HashMap::new(), count: 1 }
    }

    /// Adds a leaf as the last child of a branch. The key counts where the branch has keys.
    pub fn add(&mut self, parent: NodeId, key: impl Into<Text>, value: Value) -> Result<NodeId, Fault> {
        self.attach(parent, key.into(), Content::Leaf(value))
    }

    /// Adds an empty branch as the last child of a branch.
    pub fn branch(&mut self, parent: NodeId, key: impl Into<Text>, kind: Kind) -> Result<NodeId, Fault> {
        if !kind.is_branch() {
            return Err(Fault::new(Code::Value, format!("A branch is wanted, and {} is none.", kind.name())));
        }
        self.attach(parent, key.into(), Content::Branch(kind, Vec::new()))
    }

    fn attach(&mut self, parent: NodeId, key: Text, content: Content) -> Result<NodeId, Fault> {
        let kind = self.kind(parent).ok_or_else(|| no_node(parent))?;
        let Ok(id) = NodeId::try_from(self.nodes.len()) else {
            return Err(Fault::new(Code::Limit, "The tree holds as many nodes as can be numbered."));
        };
        let key = if kind.is_positional() { Text::default() } else { key };
        if !kind.is_positional() && self.by_key.contains_key(&(parent, key.clone())) {
            let message = format!("'{}' stands under this branch already.", quoted(&key));
            return Err(Fault::new(Code::KeyTwice, message).path(key));
        }
        match self.node_mut(parent).map(|node| &mut node.content) {
            Some(Content::Branch(_, children)) => children.push(id),
            _ => {
                let message = format!("'{}' can not stand under {}: a branch is wanted.", quoted(&key), kind.name());
                return Err(Fault::new(Code::Kind, message).path(key));
            }
        }
        if !kind.is_positional() {
            self.by_key.insert((parent, key.clone()), id);
        }
        self.nodes.push(Some(Node { parent, key, content }));
        self.count += 1;
        Ok(id)
    }

    /// Puts another value into a leaf.
    pub fn set(&mut self, node: NodeId, value: Value) -> Result<(), Fault> {
        match self.node_mut(node).map(|node| &mut node.content) {
            Some(Content::Leaf(leaf)) => {
                *leaf = value;
                Ok(())
            }
            Some(Content::Branch(kind, _)) => {
                Err(Fault::new(Code::Kind, format!("Node {node} is {} and takes no value.", kind.name())))
            }
            None => Err(no_node(node)),
        }
    }

    /// Takes a node and all below it away; not the root.
    pub fn remove(&mut self, node: NodeId) -> Result<(), Fault> {
        if node == Params::ROOT {
            return Err(Fault::new(Code::Value, "The root stays."));
        }
        let parent = self.node(node).ok_or_else(|| no_node(node))?.parent;
        if let Some(Content::Branch(_, children)) = self.node_mut(parent).map(|node| &mut node.content) {
            children.retain(|&child| child != node);
        }
        let mut doomed = vec![node];
        while let Some(id) = doomed.pop() {
            if let Some(node) = self.nodes.get_mut(id as usize).and_then(Option::take) {
                self.by_key.remove(&(node.parent, node.key));
                self.count -= 1;
                if let Content::Branch(_, children) = node.content {
                    doomed.extend(children);
                }
            }
        }
        Ok(())
    }

    /// How many nodes there are, the root counted.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The kind of a node; none if it is not there.
    pub fn kind(&self, node: NodeId) -> Option<Kind> {
        Some(match &self.node(node)?.content {
            Content::Branch(kind, _) => *kind,
            Content::Leaf(value) => value.kind(),
        })
    }

    /// The key of a node; empty for the root and in lists.
    pub fn key(&self, node: NodeId) -> Option<&Text> {
        Some(&self.node(node)?.key)
    }

    /// The branch a node stands under; none for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).filter(|_| node != Params::ROOT).map(|node| node.parent)
    }

    /// The children of a branch in order; none of a leaf.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        match self.node(node).map(|node| &node.content) {
            Some(Content::Branch(_, children)) => children,
            _ => &[],
        }
    }

    /// The value of a leaf.
    pub fn value(&self, node: NodeId) -> Option<&Value> {
        match &self.node(node)?.content {
            Content::Leaf(value) => Some(value),
            Content::Branch(..) => None,
        }
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
        keys(path)?.iter().try_fold(from, |node, key| self.child(node, key))
    }

    /// The path of a node from the root.
    pub fn path(&self, node: NodeId) -> Option<Text> {
        self.node(node)?;
        let (mut parts, mut at) = (Vec::new(), node);
        while let Some(parent) = self.parent(at) {
            parts.push(escaped(&self.name(parent, at)));
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
            let place = self.children(parent).iter().position(|&child| child == node);
            return place.unwrap_or_default().to_string().into_bytes();
        }
        self.key(node).map(|key| key.as_bytes().to_vec()).unwrap_or_default()
    }

    /// All leaves in order, each with its dotted path: keys and places joined by dots.
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

    fn node(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node as usize)?.as_ref()
    }

    fn node_mut(&mut self, node: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(node as usize)?.as_mut()
    }
}

fn no_node(node: NodeId) -> Fault {
    Fault::new(Code::NoPath, format!("There is no node {node}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> Value {
        Value::Text(value.into())
    }

    #[test]
    fn order_paths_and_places() {
        let mut params = Params::new(Kind::Parameters);
        let layer = params.branch(Params::ROOT, "L/1~", Kind::Named).unwrap();
        let weight = params.add(layer, "W", text("w")).unwrap();
        let list = params.branch(Params::ROOT, "A", Kind::List).unwrap();
        let items: Vec<_> = (0..3).map(|i| params.add(list, "ignored", Value::Int(i)).unwrap()).collect();
        assert_eq!(params.path(weight).unwrap(), *"/L~11~0/W");
        assert_eq!(params.find(Params::ROOT, b"/L~11~0/W"), Some(weight));
        assert_eq!(params.find(layer, b"/W"), Some(weight));
        assert_eq!(params.find(layer, b""), Some(layer));
        assert_eq!(params.path(items[2]).unwrap(), *"/A/2");
        assert_eq!(params.find(Params::ROOT, b"/A/2"), Some(items[2]));
        for path in [&b"A"[..], b"/A/3", b"/A/02", b"/A/+1", b"/A/-1", b"/~2", b"/~", b"/", b"/A/0/x"] {
            assert_eq!(params.find(Params::ROOT, path), None, "{path:?}");
        }
        let leaves: Vec<_> = params.leaves().into_iter().map(|(_, path)| path.to_string()).collect();
        assert_eq!(leaves, ["L/1~.W", "A.0", "A.1", "A.2"]);
        assert_eq!(params.count(), 7);
    }

    #[test]
    fn misuse_is_told_and_changes_nothing() {
        let mut params = Params::default();
        let leaf = params.add(Params::ROOT, "a", Value::None).unwrap();
        assert_eq!(params.add(Params::ROOT, "a", Value::None).unwrap_err().code, Code::KeyTwice);
        assert_eq!(params.add(leaf, "b", Value::None).unwrap_err().code, Code::Kind);
        assert_eq!(params.add(99, "b", Value::None).unwrap_err().code, Code::NoPath);
        assert_eq!(params.branch(Params::ROOT, "b", Kind::Int).unwrap_err().code, Code::Value);
        assert_eq!(params.set(Params::ROOT, Value::None).unwrap_err().code, Code::Kind);
        assert_eq!(params.remove(Params::ROOT).unwrap_err().code, Code::Value);
        assert_eq!((params.count(), params.children(Params::ROOT)), (2, &[leaf][..]));
    }

    #[test]
    fn what_is_removed_is_gone_with_all_below() {
        let mut params = Params::default();
        let branch = params.branch(Params::ROOT, "a", Kind::Named).unwrap();
        let leaf = params.add(branch, "b", Value::Bool(true)).unwrap();
        let copy = params.clone();
        params.remove(branch).unwrap();
        assert_eq!((params.count(), params.kind(leaf), params.find(0, b"/a")), (1, None, None));
        let again = params.add(Params::ROOT, "a", Value::Real(1.0)).unwrap();
        assert!(again > leaf);
        assert_eq!(copy.count(), 3);
    }

    #[test]
    fn kinds_have_their_numbers() {
        for number in 0..100 {
            assert!(Kind::from_number(number).is_none_or(|kind| kind as i32 == number && !kind.name().is_empty()));
        }
        assert!(Kind::Structured.is_branch() && !Kind::Tensor.is_branch());
    }
}
