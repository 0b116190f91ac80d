//! Items as a tree: the first way to an item becomes its node, every further one a reference to that.

use super::item::{Added, Data, Item, ItemId};
use crate::{
    faults::{Fault, Text},
    formats::jaxon::ROOT,
    params::{Kind, NodeId, Params, Value},
};
use std::collections::HashMap;

/// A tree, and what its leaves that were not loaded are read from.
pub(super) struct Grown {
    pub params: Params,
    pub data: Vec<(NodeId, Data)>,
}

/// The tree of the item at the root. A root that is no container stands alone, without a key, in an object of the type
/// `JAXON_ROOT`.
pub(super) fn grow(items: &[Item], root: ItemId, schema: Option<&Params>) -> Result<Grown, Fault> {
    let mut uses = vec![0; items.len()];
    count(items, root, &mut uses);
    let params = Params::new(Kind::Named);
    let mut growing = Growing { items, uses, schema, params, data: Vec::new(), nodes: HashMap::new() };
    match items.get(root) {
        Some(Item::Object { hint, .. }) => growing.params = Params::object(hint.clone()),
        Some(Item::Branch(..) | Item::Dict(_)) => growing.params = Params::new(growing.kind(root)),
        _ => {
            growing.params = Params::object(ROOT);
            growing.node(root, Slot::Child(Params::ROOT, Text::default()))?;
            return Ok(Grown { params: growing.params, data: growing.data });
        }
    }
    growing.fill(root, Params::ROOT)?;
    Ok(Grown { params: growing.params, data: growing.data })
}

/// How often each item is reached; what is reached twice is gone through once.
fn count(items: &[Item], root: ItemId, uses: &mut [u32]) {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let Some(count) = uses.get_mut(id) else { continue };
        *count += 1;
        if *count > 1 {
            continue;
        }
        match items.get(id) {
            Some(Item::Branch(_, children)) => open.extend(children),
            Some(Item::Dict(entries)) => open.extend(entries.iter().flat_map(|&(key, value)| [key, value])),
            Some(Item::Object { base, .. }) => open.push(*base),
            _ => {}
        }
    }
}

/// Where a node goes.
enum Slot {
    Child(NodeId, Text),
    Key(NodeId),
}

struct Growing<'a> {
    items: &'a [Item],
    uses: Vec<u32>,
    schema: Option<&'a Params>,
    params: Params,
    data: Vec<(NodeId, Data)>,
    nodes: HashMap<ItemId, NodeId>,
}

impl Growing<'_> {
    /// The kind of a container: a dictionary is a named branch if all its keys are texts that nothing refers to.
    fn kind(&self, id: ItemId) -> Kind {
        match self.items.get(id) {
            Some(Item::Branch(kind, _)) => *kind,
            Some(Item::Object { .. }) => Kind::Object,
            Some(Item::Dict(entries)) if !entries.iter().all(|(key, _)| self.plain(*key).is_some()) => Kind::Map,
            _ => Kind::Named,
        }
    }

    fn plain(&self, key: ItemId) -> Option<&Text> {
        match self.items.get(key)? {
            Item::Leaf { value: Value::Text(text), simple, .. } => {
                (*simple || self.uses.get(key) == Some(&1)).then_some(text)
            }
            _ => None,
        }
    }

    /// Adds the node of an item, with all below it.
    fn node(&mut self, id: ItemId, slot: Slot) -> Result<NodeId, Fault> {
        let node = self.empty(id, slot)?;
        self.fill(id, node)?;
        Ok(node)
    }

    /// Adds the node of an item without what stands below it, or a reference if it has one already.
    fn empty(&mut self, id: ItemId, slot: Slot) -> Result<NodeId, Fault> {
        let leaf = |params: &mut Params, value: Value| match &slot {
            Slot::Child(parent, key) => params.add(*parent, key.clone(), value),
            Slot::Key(child) => params.key_leaf(*child, value),
        };
        if let Some(&node) = self.nodes.get(&id) {
            return leaf(&mut self.params, Value::Reference(node));
        }
        let node = match self.items.get(id) {
            Some(Item::Leaf { value, type_name, simple }) => {
                let node = leaf(&mut self.params, value.clone())?;
                self.params.set_type(node, *type_name)?;
                if *simple {
                    return Ok(node);
                }
                node
            }
            Some(Item::Data(data)) => {
                let node = leaf(&mut self.params, Value::NotLoaded)?;
                self.params.set_type(node, data.type_name())?;
                self.data.push((node, data.clone()));
                node
            }
            Some(Item::Skipped) | None => return leaf(&mut self.params, Value::NotLoaded),
            Some(branch) => {
                let hint = match branch {
                    Item::Object { hint, .. } => hint.clone(),
                    _ => Text::default(),
                };
                let kind = self.kind(id);
                match slot {
                    Slot::Child(parent, key) => self.params.branch_of(parent, key, kind, hint)?,
                    Slot::Key(child) => self.params.key_branch(child, kind, hint)?,
                }
            }
        };
        self.nodes.insert(id, node);
        Ok(node)
    }

    /// Adds what stands below the node of an item, the first time.
    fn fill(&mut self, id: ItemId, node: NodeId) -> Result<(), Fault> {
        if self.params.value(node).is_some() || !self.params.children(node).is_empty() {
            return Ok(());
        }
        let items = self.items;
        match items.get(id) {
            Some(Item::Branch(_, children)) => {
                self.nodes.insert(id, node);
                children.iter().try_for_each(|&child| self.node(child, Slot::Child(node, Text::default())).map(drop))
            }
            Some(Item::Dict(entries)) => {
                self.nodes.insert(id, node);
                self.entries(entries, node)
            }
            Some(Item::Object { base, added, .. }) => {
                self.nodes.insert(id, node);
                match items.get(*base) {
                    Some(Item::Dict(entries)) if self.are_fields(*base, entries, added) => {
                        self.entries(entries, node)?;
                        added.iter().try_for_each(|field| self.added(field, node))
                    }
                    _ => self.node(*base, Slot::Child(node, Text::default())).map(drop),
                }
            }
            _ => Ok(()),
        }
    }

    /// Whether a dictionary's entries can be the fields of an object: all named, and not one alone without a name, which would
    /// be anything but a dictionary.
    fn are_fields(&self, base: ItemId, entries: &[(ItemId, ItemId)], added: &[Added]) -> bool {
        let nameless = |key: &ItemId| self.plain(*key).is_some_and(Text::is_empty);
        let alone = entries.len() + added.len() == 1;
        self.kind(base) == Kind::Named && !(alone && entries.iter().any(|(key, _)| nameless(key)))
    }

    fn entries(&mut self, entries: &[(ItemId, ItemId)], node: NodeId) -> Result<(), Fault> {
        let keyed = self.params.kind(node) == Some(Kind::Map);
        for &(key, value) in entries {
            if !keyed {
                let name = self.plain(key).cloned().unwrap_or_default();
                self.node(value, Slot::Child(node, name))?;
                continue;
            }
            // The key before what it leads to, so that the first way to an item is that of the file.
            let itself = key == value && !self.nodes.contains_key(&key);
            let child = match itself {
                true => self.params.add(node, "", Value::None)?,
                false => self.empty(value, Slot::Child(node, Text::default()))?,
            };
            let leads = self.node(key, Slot::Key(child))?;
            match itself {
                true => {
                    let value = match self.nodes.get(&key) {
                        Some(_) => Value::Reference(leads),
                        None => self.params.value(leads).cloned().unwrap_or(Value::None),
                    };
                    self.params.set(child, value)?;
                }
                false => self.fill(value, child)?,
            }
        }
        Ok(())
    }

    fn added(&mut self, field: &Added, node: NodeId) -> Result<(), Fault> {
        match self.schema {
            Some(schema) => self.params.graft(node, field.key.clone(), schema, field.default).map(drop),
            None => self.params.add(node, field.key.clone(), Value::NotLoaded).map(drop),
        }
    }
}
