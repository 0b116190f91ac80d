//! What a host says about a file of nested Python values, which Jaxon's are.

use crate::{
    faults::{Fault, Text},
    params::{Kind, Leaf, NodeId, Params, Value},
};
use std::{
    collections::{HashMap, hash_map::Entry},
    fmt,
    sync::Arc,
};

/// Asked for each node before it is read, in the order of the file, from the root (an empty path) down: whether it is wanted.
/// Not asked below a node that is not, nor within keys.
#[derive(Clone, Copy)]
pub struct Filter<'a>(pub &'a dyn Fn(&Text) -> bool);

/// What a host makes of an object.
pub enum Unmarshaled {
    /// Nothing: it does not know the hint.
    Unknown,
    /// It stays what it is: an object with its fields.
    Kept,
    /// This takes its place.
    Replaced(Leaf),
}

/// Makes something of an object, which is the root of a tree of its own: its type is the hint, e.g. `mymodule.Plain` or
/// `dclass[module.Class]`, its fields those of the dictionary it stands upon, or one child without a key for anything else.
/// What it shares with other parts of the file stands there once more. Objects within it have been unmarshaled before.
pub type Unmarshal = dyn Fn(&Params) -> Result<Unmarshaled, Fault> + Send + Sync;

/// How a file of nested Python values is to be read.
#[derive(Clone, Default)]
pub struct PytreeOptions<'a> {
    /// If there are any, only what stands at or below one of these paths is read, and what leads there; all else is
    /// [`Kind::NotLoaded`].
    pub prefixes: Vec<String>,
    /// Asked which nodes are wanted; what is not is [`Kind::NotLoaded`]. Called while the file is opened.
    pub filter: Option<Filter<'a>>,
    /// Asked first what to make of each object. Called when the tree is read.
    pub unmarshal: Option<Arc<Unmarshal>>,
    /// The classes that are known: each object in the tree has the name of one as its type (`module.Class`), its children are
    /// the fields with their defaults, and a field that is [`Kind::NotLoaded`] has none.
    pub schema: Option<&'a Params>,
    /// Whether a field that a class of the schema does not have is left out with a warning, and not refused.
    pub allow_missing_fields: bool,
    /// Whether a field that the file does not have takes its default with a warning, and is not refused.
    pub allow_unknown_fields: bool,
    /// Whether data of dill are given as opaque bytes, and not refused. They are never run.
    pub allow_dill: bool,
    /// Which leaf fills which slot of a network: paths of the tree with paths of slots. Empty: the dotted path of each array is
    /// its slot.
    pub slots: Vec<(String, String)>,
}

/// The node of a tree with all below it as a tree of its own. What a reference in it leads to outside of it is copied to the
/// first place that refers to it.
pub(super) fn detached(params: &Params, node: NodeId) -> Result<Params, Fault> {
    let mut copy = Params::object(params.type_name(node).cloned().unwrap_or_default());
    let mut copying = Copying { from: params, copies: HashMap::from([(node, Params::ROOT)]) };
    copying.children(node, &mut copy, Params::ROOT)?;
    Ok(copy)
}

struct Copying<'a> {
    from: &'a Params,
    copies: HashMap<NodeId, NodeId>,
}

impl Copying<'_> {
    fn children(&mut self, node: NodeId, to: &mut Params, branch: NodeId) -> Result<(), Fault> {
        for &child in self.from.children(node) {
            let source = self.from.referred(child);
            let key = self.from.key(child).cloned().unwrap_or_default();
            let made = match (self.copies.get(&source), self.from.value(source)) {
                (Some(&copy), _) => to.add(branch, key, Value::Reference(copy))?,
                (None, Some(value)) => to.add(branch, key, value.clone())?,
                (None, None) => {
                    let kind = self.from.kind(source).unwrap_or(Kind::Named);
                    let type_name = self.from.type_name(source).cloned().unwrap_or_default();
                    to.branch_of(branch, key, kind, type_name)?
                }
            };
            if let Entry::Vacant(place) = self.copies.entry(source) {
                place.insert(made);
                if let (Some(name), true) = (self.from.type_name(source), self.from.value(source).is_some()) {
                    to.set_type(made, name.clone())?;
                }
                self.children(source, to, made)?;
            }
            if let Some(key) = self.from.key_tree(child) {
                self.key(key, to, made)?;
            }
        }
        Ok(())
    }

    fn key(&mut self, key: NodeId, to: &mut Params, child: NodeId) -> Result<(), Fault> {
        let source = self.from.referred(key);
        let made = match (self.copies.get(&source), self.from.value(source)) {
            (Some(&copy), _) => return to.key_leaf(child, Value::Reference(copy)).map(drop),
            (None, Some(value)) => to.key_leaf(child, value.clone())?,
            (None, None) => {
                let kind = self.from.kind(source).unwrap_or(Kind::Named);
                to.key_branch(child, kind, self.from.type_name(source).cloned().unwrap_or_default())?
            }
        };
        self.copies.insert(source, made);
        self.children(source, to, made)
    }
}

impl fmt::Debug for PytreeOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PytreeOptions")
            .field("prefixes", &self.prefixes)
            .field("filter", &self.filter.is_some())
            .field("unmarshal", &self.unmarshal.is_some())
            .field("schema", &self.schema.is_some())
            .field("allow", &[self.allow_missing_fields, self.allow_unknown_fields, self.allow_dill])
            .field("slots", &self.slots)
            .finish()
    }
}
