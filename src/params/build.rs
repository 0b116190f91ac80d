//! Changes of a tree: every one is whole or refused with nothing changed.

use super::{
    Kind, NodeId, Params, Value,
    tree::{Content, Node},
};
use crate::faults::{Code, Fault, Text, quoted};
use std::collections::{HashMap, HashSet};

/// How deep a tree may be, so that walks may go down it by calling themselves.
const DEEPEST: u16 = 512;

impl Params {
    /// A tree of an empty root; `kind` is that of a branch, any other is taken as [`Kind::Named`].
    pub fn new(kind: Kind) -> Params {
        Params::typed(if kind.is_branch() { kind } else { Kind::Named }, "")
    }

    /// A tree whose root is an empty structured leaf of this type.
    pub fn structured(type_name: impl Into<Text>) -> Params {
        Params::typed(Kind::Structured, type_name)
    }

    /// A tree whose root is an object of this type without fields.
    pub fn object(type_name: impl Into<Text>) -> Params {
        Params::typed(Kind::Object, type_name)
    }

    fn typed(kind: Kind, type_name: impl Into<Text>) -> Params {
        let content = Content::branch(kind, type_name.into());
        let root = Node { parent: Params::ROOT, key: Text::default(), depth: 0, content };
        let (by_key, key_trees, leaf_types) = (HashMap::new(), HashMap::new(), HashMap::new());
        Params { nodes: vec![Some(root)], by_key, key_trees, leaf_types, count: 1, references: 0 }
    }

    /// Makes the root a branch of another kind: of any without a type as long as it has no children; then of a named one
    /// a set, and the other way round.
    pub fn set_root(&mut self, to: Kind) -> Result<(), Fault> {
        branch(to, Text::default())?;
        let free = self.children(Params::ROOT).is_empty();
        let keyed = |kind| matches!(kind, Some(Kind::Named | Kind::Parameters));
        if !(free || keyed(self.kind(Params::ROOT)) && keyed(Some(to))) {
            return Err(Fault::new(Code::State, "The root has children, whose keys belong to what it is."));
        }
        if let Some(Content::Branch(root)) = self.node_mut(Params::ROOT).map(|root| &mut root.content) {
            (root.kind, root.type_name) = (to, Text::default());
        }
        Ok(())
    }

    /// Adds a leaf as the last child of a branch. The key counts where the branch has keys.
    pub fn add(&mut self, parent: NodeId, key: impl Into<Text>, value: Value) -> Result<NodeId, Fault> {
        self.attach(parent, key.into(), Content::Leaf(value))
    }

    /// Adds an empty branch as the last child of a branch.
    pub fn branch(&mut self, parent: NodeId, key: impl Into<Text>, kind: Kind) -> Result<NodeId, Fault> {
        self.branch_of(parent, key, kind, "")
    }

    /// Adds an empty structured leaf or object of a type with a name, or any other branch (whose `type_name` is empty).
    pub fn branch_of(
        &mut self,
        parent: NodeId,
        key: impl Into<Text>,
        kind: Kind,
        type_name: impl Into<Text>,
    ) -> Result<NodeId, Fault> {
        self.attach(parent, key.into(), branch(kind, type_name.into())?)
    }

    /// Gives a child of a map its key: a leaf.
    pub fn key_leaf(&mut self, child: NodeId, value: Value) -> Result<NodeId, Fault> {
        self.attach_key(child, Content::Leaf(value))
    }

    /// Gives a child of a map its key: an empty branch, which `type_name` belongs to as in [`Params::branch_of`].
    pub fn key_branch(&mut self, child: NodeId, kind: Kind, type_name: impl Into<Text>) -> Result<NodeId, Fault> {
        self.attach_key(child, branch(kind, type_name.into())?)
    }

    fn attach_key(&mut self, child: NodeId, content: Content) -> Result<NodeId, Fault> {
        let parent = self.node(child).ok_or_else(|| no_node(child))?.parent;
        if child == Params::ROOT || self.kind(parent) != Some(Kind::Map) || self.key_tree(parent) == Some(child) {
            return Err(Fault::new(Code::Kind, "A key that is a tree belongs to a child of a map alone."));
        }
        if self.key_tree(child).is_some() {
            return Err(Fault::new(Code::KeyTwice, "The child of the map has its key already."));
        }
        let id = self.hang(child, Text::default(), content)?;
        self.key_trees.insert(child, id);
        Ok(id)
    }

    pub(super) fn attach(&mut self, parent: NodeId, key: Text, content: Content) -> Result<NodeId, Fault> {
        let kind = self.kind(parent).ok_or_else(|| no_node(parent))?;
        if !kind.is_branch() {
            let message = format!("'{}' can not stand under {}: a branch is wanted.", quoted(&key), kind.name());
            return Err(Fault::new(Code::Kind, message).path(key));
        }
        let key = if kind.is_positional() { Text::default() } else { key };
        if !kind.is_positional() && self.by_key.contains_key(&(parent, key.clone())) {
            let message = format!("'{}' stands under this branch already.", quoted(&key));
            return Err(Fault::new(Code::KeyTwice, message).path(key));
        }
        let id = self.hang(parent, key.clone(), content)?;
        if let Some(children) = self.children_mut(parent) {
            children.push(id);
        }
        if !kind.is_positional() {
            self.by_key.insert((parent, key), id);
        }
        Ok(id)
    }

    /// A new node below `parent` that is not its child yet.
    fn hang(&mut self, parent: NodeId, key: Text, content: Content) -> Result<NodeId, Fault> {
        if let Content::Leaf(value) = &content {
            self.check(value)?;
        }
        let depth = self.node(parent).map_or(0, |node| node.depth) + 1;
        if depth > DEEPEST {
            return Err(Fault::new(Code::Limit, format!("The tree is {DEEPEST} nodes deep, which is the most.")));
        }
        let Ok(id) = NodeId::try_from(self.nodes.len()) else {
            return Err(Fault::new(Code::Limit, "The tree holds as many nodes as can be numbered."));
        };
        self.references += usize::from(matches!(content, Content::Leaf(Value::Reference(_))));
        self.nodes.push(Some(Node { parent, key, depth, content }));
        self.count += 1;
        Ok(id)
    }

    /// Puts another value into a leaf.
    pub fn set(&mut self, node: NodeId, value: Value) -> Result<(), Fault> {
        self.check(&value)?;
        let refers = |value: &Value| usize::from(matches!(value, Value::Reference(_)));
        let added = refers(&value);
        let replaced = match self.node_mut(node).map(|node| &mut node.content) {
            Some(Content::Leaf(leaf)) => std::mem::replace(leaf, value),
            Some(Content::Branch(branch)) => {
                let message = format!("Node {node} is {} and takes no value.", branch.kind.name());
                return Err(Fault::new(Code::Kind, message));
            }
            None => return Err(no_node(node)),
        };
        self.references = self.references + added - refers(&replaced);
        Ok(())
    }

    /// Says what a leaf is in the world it comes from, where its kind does not say all of it: `jax.Array`, `bytearray`. An
    /// empty name takes it back. A leaf keeps it when it gets another value.
    pub fn set_type(&mut self, leaf: NodeId, type_name: impl Into<Text>) -> Result<(), Fault> {
        match self.kind(leaf) {
            None => return Err(no_node(leaf)),
            Some(kind) if kind.is_branch() => {
                return Err(Fault::new(Code::Kind, format!("Node {leaf} is {}; a leaf is wanted.", kind.name())));
            }
            Some(_) => {}
        }
        let type_name = type_name.into();
        match type_name.is_empty() {
            true => self.leaf_types.remove(&leaf),
            false => self.leaf_types.insert(leaf, type_name),
        };
        Ok(())
    }

    /// What a value must be to stand in this tree.
    fn check(&self, value: &Value) -> Result<(), Fault> {
        match value {
            Value::Reference(node) if self.node(*node).is_none() => Err(no_node(*node)),
            Value::Scalar(tensor) if !tensor.shape().is_empty() || tensor.packed_bytes().is_none() => {
                Err(Fault::new(Code::Value, "A typed scalar is a packed tensor without axes."))
            }
            Value::Range(range) if range.step == 0 => Err(Fault::new(Code::Value, "The step of a range is not 0.")),
            _ => Ok(()),
        }
    }

    /// Takes a node and all below it away; not the root, and nothing that a leaf elsewhere refers to.
    pub fn remove(&mut self, node: NodeId) -> Result<(), Fault> {
        if node == Params::ROOT {
            return Err(Fault::new(Code::Value, "The root stays."));
        }
        let parent = self.node(node).ok_or_else(|| no_node(node))?.parent;
        let doomed = self.below(node);
        self.not_referred_to(&doomed)?;
        if self.key_tree(parent) == Some(node) {
            self.key_trees.remove(&parent);
        } else if let Some(children) = self.children_mut(parent) {
            children.retain(|&child| child != node);
        }
        doomed.into_iter().for_each(|id| self.forget(id));
        Ok(())
    }

    /// Takes a node out of the vector. A key that leads to another node by now stays.
    fn forget(&mut self, id: NodeId) {
        let Some(node) = self.nodes.get_mut(id as usize).and_then(Option::take) else { return };
        self.count -= 1;
        self.key_trees.remove(&id);
        self.leaf_types.remove(&id);
        self.references -= usize::from(matches!(node.content, Content::Leaf(Value::Reference(_))));
        let key = (node.parent, node.key);
        if self.by_key.get(&key) == Some(&id) {
            self.by_key.remove(&key);
        }
    }

    /// A node with all below it, keys too.
    fn below(&self, node: NodeId) -> Vec<NodeId> {
        let (mut all, mut at) = (vec![node], 0);
        while let Some(&id) = all.get(at) {
            all.extend(self.children(id));
            all.extend(self.key_tree(id));
            at += 1;
        }
        all
    }

    fn not_referred_to(&self, doomed: &[NodeId]) -> Result<(), Fault> {
        if self.references == 0 {
            return Ok(());
        }
        let doomed: HashSet<NodeId> = doomed.iter().copied().collect();
        for (id, node) in self.nodes.iter().enumerate() {
            let Some(Node { content: Content::Leaf(Value::Reference(target)), .. }) = node else { continue };
            let id = id as NodeId;
            if doomed.contains(target) && !doomed.contains(&id) {
                let path = self.path(id).unwrap_or_default();
                let message = format!("'{}' refers to what is to be removed; remove it first.", quoted(&path));
                return Err(Fault::new(Code::State, message).path(path));
            }
        }
        Ok(())
    }

    /// Copies a node of another tree, with all below it, as the last child of a branch; the numbers are shared. A reference
    /// keeps leading to the same object if that is copied too, and is refused otherwise.
    pub fn graft(
        &mut self,
        parent: NodeId,
        key: impl Into<Text>,
        from: &Params,
        node: NodeId,
    ) -> Result<NodeId, Fault> {
        let content = from.empty(node)?;
        let id = self.attach(parent, key.into(), content)?;
        self.fill(id, from, node).inspect_err(|_| {
            let _ = self.remove(id);
        })?;
        Ok(id)
    }

    /// A copy of a branch, with all below it, as a tree of its own; the numbers are shared.
    pub fn subtree(&self, node: NodeId) -> Result<Params, Fault> {
        let Content::Branch(branch) = self.empty(node)? else {
            let name = self.kind(node).map_or("nothing", Kind::name);
            return Err(Fault::new(Code::Kind, format!("Node {node} is {name}; a branch is wanted.")));
        };
        let mut tree = Params::typed(branch.kind, branch.type_name);
        tree.fill(Params::ROOT, self, node)?;
        Ok(tree)
    }

    /// Puts a copy of a node of another tree, with all below it, in the place of a node, which keeps its number and key.
    pub fn replace(&mut self, node: NodeId, from: &Params, source: NodeId) -> Result<(), Fault> {
        let content = from.empty(source)?;
        let children = self.children(node).to_vec();
        let doomed: Vec<NodeId> = children.iter().flat_map(|&child| self.below(child)).collect();
        self.not_referred_to(&doomed)?;
        let held = std::mem::replace(&mut self.node_mut(node).ok_or_else(|| no_node(node))?.content, content);
        let keys: Vec<(NodeId, Text)> =
            children.iter().filter_map(|&child| Some((node, self.key(child)?.clone()))).collect();
        let removed = keys.into_iter().filter_map(|key| self.by_key.remove_entry(&key)).collect::<Vec<_>>();
        let said = self.leaf_types.remove(&node);
        let filled = self.fill(node, from, source);
        if filled.is_err() {
            self.leaf_types.remove(&node);
            self.leaf_types.extend(said.map(|said| (node, said)));
            let added: Vec<NodeId> = self.children(node).iter().flat_map(|&child| self.below(child)).collect();
            added.into_iter().for_each(|id| self.forget(id));
            self.by_key.extend(removed);
            if let Some(node) = self.node_mut(node) {
                node.content = held;
            }
            return filled;
        }
        self.references -= usize::from(matches!(held, Content::Leaf(Value::Reference(_))));
        doomed.into_iter().for_each(|id| self.forget(id));
        Ok(())
    }

    /// What a node is, without children. A reference is empty until all is copied.
    fn empty(&self, node: NodeId) -> Result<Content, Fault> {
        Ok(match &self.node(node).ok_or_else(|| no_node(node))?.content {
            Content::Branch(branch) => Content::branch(branch.kind, branch.type_name.clone()),
            Content::Leaf(Value::Reference(_)) => Content::Leaf(Value::None),
            Content::Leaf(value) => Content::Leaf(value.clone()),
        })
    }

    /// Copies what stands below `node` of another tree under `id`.
    fn fill(&mut self, id: NodeId, from: &Params, node: NodeId) -> Result<(), Fault> {
        let mut copies = HashMap::from([(node, id)]);
        let (mut open, mut references) = (vec![(id, node)], Vec::new());
        while let Some((to, source)) = open.pop() {
            if let Some(name) = from.leaf_types.get(&source) {
                self.leaf_types.insert(to, name.clone());
            }
            if let Some(Value::Reference(target)) = from.value(source) {
                references.push((to, *target));
            }
            if let Some(key) = from.key_tree(source).filter(|_| source != node) {
                let copy = self.attach_key(to, from.empty(key)?)?;
                copies.insert(key, copy);
                open.push((copy, key));
            }
            for &child in from.children(source) {
                let key = from.key(child).cloned().unwrap_or_default();
                let copy = self.attach(to, key, from.empty(child)?)?;
                copies.insert(child, copy);
                open.push((copy, child));
            }
        }
        for (to, target) in references {
            let Some(&copy) = copies.get(&target) else {
                return Err(Fault::new(Code::State, "A reference leads to a node that is not copied with it."));
            };
            self.set(to, Value::Reference(copy))?;
        }
        Ok(())
    }
}

fn branch(kind: Kind, type_name: Text) -> Result<Content, Fault> {
    if !kind.is_branch() {
        return Err(Fault::new(Code::Value, format!("A branch is wanted, and {} is none.", kind.name())));
    }
    if kind.is_typed() == type_name.is_empty() {
        let says = if kind.is_typed() { "has a type with a name" } else { "has no type" };
        return Err(Fault::new(Code::Value, format!("{} {says}.", capital(kind.name()))));
    }
    Ok(Content::branch(kind, type_name))
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

pub(super) fn no_node(node: NodeId) -> Fault {
    Fault::new(Code::NoPath, format!("There is no node {node}."))
}
