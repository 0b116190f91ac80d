//! What a node becomes in the file: its attribute, and the group or dataset behind it.

use super::{
    graph,
    leaf::{self, Stored, Unfit},
};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted, quoted_str},
    formats::{
        hdf5::{Branch, Datatype, Datum, Node, Padding, Space},
        jaxon::{ROOT, VERSION, argument, escaped},
    },
    params::{Kind, NodeId, Params, Value},
    tensor::{DType, Storage},
};
use std::collections::{HashMap, HashSet};

/// The version that is written: that of the Jaxon whose files these are like.
const WRITTEN: &str = "2.1.0";

/// The group of the whole file; all faults said.
pub(super) fn root(params: &Params, faults: &mut Faults) -> Result<Branch, Refused> {
    let mark = faults.mark();
    graph::circles(params, faults);
    faults.refused_since(mark)?;
    let targets = graph::targets(params);
    let mut writer = Writer { params, targets, paths: HashMap::new(), faults };
    let top = writer.top();
    writer.name(top, format!("/{ROOT}"));
    let mut root = Branch::new(true);
    match Datum::text(&WRITTEN.into(), Padding::NulPadded, true) {
        Some(version) => root.attribute(VERSION, version),
        None => return Err(Refused(Code::Internal)),
    }
    writer.store(&mut root, ROOT, top);
    faults.refused_since(mark)?;
    Ok(root)
}

struct Writer<'a, 'f> {
    params: &'a Params,
    targets: HashSet<NodeId>,
    /// Where what is referred to stands in the file.
    paths: HashMap<NodeId, String>,
    faults: &'f mut Faults,
}

/// How a child stands in its group.
enum Place {
    /// Under a name of its own.
    Name(String),
    /// As a value of this number, behind a key.
    Pair(usize),
}

impl Writer<'_, '_> {
    /// What stands at the root: of a root that is no container the one child.
    fn top(&self) -> NodeId {
        let wrapped = self.params.type_name(Params::ROOT).is_some_and(|name| *name == *ROOT);
        self.alone(Params::ROOT).filter(|_| wrapped).unwrap_or(Params::ROOT)
    }

    /// The one child without a key of an object that stands upon no dictionary.
    fn alone(&self, node: NodeId) -> Option<NodeId> {
        match self.params.children(node) {
            [child] if self.params.kind(node) == Some(Kind::Object) => {
                self.params.key(*child).is_some_and(Text::is_empty).then_some(*child)
            }
            _ => None,
        }
    }

    fn type_name(&self, node: NodeId) -> &str {
        self.params.type_name(node).and_then(Text::as_str).unwrap_or_default()
    }

    /// What objects stand upon, the objects left out.
    fn base(&self, node: NodeId) -> NodeId {
        let mut base = node;
        while let Some(inner) = self.alone(base) {
            base = inner;
        }
        base
    }

    /// Notes where each node stands that is referred to.
    fn name(&mut self, node: NodeId, path: String) {
        if self.targets.contains(&node) {
            self.paths.insert(node, path.clone());
        }
        let branch = self.base(node);
        for (index, &child) in self.params.children(branch).iter().enumerate() {
            let key = self.params.key_tree(child);
            let name = match self.place(branch, index, child) {
                Place::Name(name) => name,
                Place::Pair(index) => {
                    if let Some(key) = key {
                        self.name(key, format!("{path}/key({index})"));
                    }
                    format!("value({index})")
                }
            };
            self.name(child, format!("{path}/{name}"));
        }
    }

    /// How a child of a branch stands in its group.
    fn place(&self, branch: NodeId, index: usize, child: NodeId) -> Place {
        let plain = match self.params.kind(branch) {
            Some(Kind::Named | Kind::Parameters | Kind::Object) => {
                self.params.key(child).map(|key| Value::Text(key.clone())).filter(|key| leaf::is_plain_key(key, ""))
            }
            Some(Kind::Map) => {
                let key = self.params.key_tree(child).filter(|key| !self.targets.contains(key));
                let plain = |key: &NodeId| {
                    Some(self.params.value(*key)?.clone())
                        .filter(|value| leaf::is_plain_key(value, self.type_name(*key)))
                };
                key.as_ref().and_then(plain)
            }
            _ => return Place::Name(index.to_string()),
        };
        match plain.and_then(|key| leaf::atom(&key, "")) {
            // A slash in the name of a link would lead through groups, which Jaxon itself can not read.
            Some(name) if !(name.contains('/') && self.has_link(child)) => Place::Name(name),
            _ => Place::Pair(index),
        }
    }

    /// Whether a group or a dataset stands behind a node's attribute.
    fn has_link(&self, node: NodeId) -> bool {
        let base = self.base(node);
        match self.params.value(base) {
            None => true,
            Some(value) => matches!(leaf::leaf(value, self.type_name(base)), Ok(Stored::Dataset(..))),
        }
    }

    /// Puts a node into a group under a name.
    fn store(&mut self, group: &mut Branch, name: &str, node: NodeId) {
        let mut hints = Vec::new();
        let mut base = node;
        while let Some(inner) = self.alone(base) {
            hints.insert(0, self.hint(base));
            base = inner;
        }
        if let Some(Value::Reference(target)) = self.params.value(base) {
            if !hints.is_empty() {
                return self.unfit(base, (Code::Kind, "is a reference, upon which no object can stand".into()));
            }
            return match self.paths.get(target) {
                Some(path) => match Datum::text(&path.into(), Padding::NulPadded, true) {
                    Some(path) => group.attribute(name, path),
                    None => self.unfit(base, (Code::Limit, "refers to what stands too deep".into())),
                },
                None => self.unfit(base, (Code::Kind, "refers to what only its object can be reached by".into())),
            };
        }
        let stored = match self.params.value(base) {
            Some(value) => match leaf::leaf(value, self.type_name(base)) {
                Ok(stored) => stored,
                Err(unfit) => return self.unfit(base, unfit),
            },
            None => {
                if self.params.kind(base) == Some(Kind::Object) {
                    hints.insert(0, self.hint(base));
                }
                let Some(word) = self.word(base) else { return };
                let inner = self.branch(base);
                group.group(name, inner);
                let Some(placeholder) = placeholder() else { return };
                return group.attribute(key(name, word, &hints), placeholder);
            }
        };
        if hints.iter().any(|hint| hint.starts_with("dclass")) {
            self.unfit(node, (Code::Kind, "is a dataclass, which stands upon a dictionary".into()));
        }
        match stored {
            Stored::Attribute(datum) => group.attribute(key(name, "", &hints), datum),
            Stored::Dataset(word, datum) => {
                group.members.push((name.to_owned(), Node::Dataset { datum, attributes: Vec::new(), tracked: false }));
                if let Some(placeholder) = placeholder() {
                    group.attribute(key(name, &word, &hints), placeholder);
                }
            }
        }
    }

    /// The hint of an object; said if it can be none.
    fn hint(&mut self, node: NodeId) -> String {
        let hint = self.type_name(node).to_owned();
        let word = argument(&hint).map(|(word, argument)| (word.to_owned(), argument.is_some()));
        let sound = match &word {
            None => false,
            Some((word, bracketed)) => {
                let own = word.starts_with("dclass") || word.starts_with("jaxon") || word.starts_with("dill");
                let known = matches!((word.as_str(), bracketed), ("dclass" | "jaxon", true) | ("dill", false));
                !word.is_empty() && (known || !own) && word != "slice" && word != ROOT
            }
        };
        if !sound || hint.contains([':', '#', '\'', '\0']) {
            let says = format!("is of the type '{}', which is no hint that Jaxon 2 reads", quoted_str(&hint));
            self.unfit(node, (Code::Type, says));
        }
        hint
    }

    /// What Jaxon calls a branch.
    fn word(&mut self, node: NodeId) -> Option<&'static str> {
        Some(match self.params.kind(node)? {
            Kind::Named | Kind::Parameters | Kind::Map | Kind::Object => "dict",
            Kind::List => "list",
            Kind::Tuple => "tuple",
            Kind::Set => "set",
            Kind::FrozenSet => "frozenset",
            kind => {
                let says = format!("is {}, which Python has not; make it a branch of its parts", kind.name());
                self.unfit(node, (Code::Kind, says));
                return None;
            }
        })
    }

    /// The group of a branch.
    fn branch(&mut self, node: NodeId) -> Branch {
        let mut group = Branch::new(true);
        let kind = self.params.kind(node);
        let mut names = HashSet::new();
        for (index, &child) in self.params.children(node).iter().enumerate() {
            if matches!(kind, Some(Kind::Set | Kind::FrozenSet)) && !self.is_hashable(child) {
                self.unfit(child, (Code::Kind, "can be changed, which no member of a set may".into()));
            }
            match self.place(node, index, child) {
                Place::Name(name) => match names.insert(name.clone()) {
                    true => self.store(&mut group, &name, child),
                    false => self.unfit(child, (Code::KeyTwice, "has a key that stands there twice".into())),
                },
                Place::Pair(index) => {
                    self.pair_key(&mut group, &format!("key({index})"), node, child);
                    self.store(&mut group, &format!("value({index})"), child);
                }
            }
        }
        group
    }

    /// The key of a pair.
    fn pair_key(&mut self, group: &mut Branch, name: &str, branch: NodeId, child: NodeId) {
        if self.params.kind(branch) == Some(Kind::Map) {
            return match self.params.key_tree(child) {
                Some(key) if self.is_hashable(key) => self.store(group, name, key),
                Some(key) => self.unfit(key, (Code::Kind, "can be changed, which no key may".into())),
                None => self.unfit(child, (Code::Missing, "has no key".into())),
            };
        }
        let key = self.params.key(child).and_then(Text::as_str).map(escaped);
        match key.and_then(|key| Datum::text(&key.into(), Padding::NulPadded, true)) {
            Some(key) => group.attribute(name, key),
            None => self.unfit(child, (Code::Encoding, "has a key that is not UTF-8".into())),
        }
    }

    /// Whether Python would take a node as a key or a member of a set.
    fn is_hashable(&self, node: NodeId) -> bool {
        let node = self.params.referred(node);
        match (self.params.value(node), self.params.kind(node)) {
            (Some(value), _) => leaf::is_hashable(value, self.type_name(node)),
            (None, Some(Kind::Tuple)) => self.params.children(node).iter().all(|&child| self.is_hashable(child)),
            (None, kind) => matches!(kind, Some(Kind::FrozenSet | Kind::Object)),
        }
    }

    fn unfit(&mut self, node: NodeId, (code, says): Unfit) {
        let path = self.params.path(node).unwrap_or_default();
        self.faults.push(Fault::new(code, format!("'{}' {says}.", quoted(&path))).path(path));
    }
}

/// The key of an attribute.
fn key(name: &str, word: &str, hints: &[String]) -> String {
    let mut key = name.to_owned();
    if !word.is_empty() || !hints.is_empty() {
        key.push(':');
        key.push_str(word);
    }
    hints.iter().for_each(|hint| {
        key.push('#');
        key.push_str(hint);
    });
    key
}

/// What stands in the value of an attribute whose value is elsewhere: no numbers.
fn placeholder() -> Option<Datum> {
    Datum::raw(Datatype::Number { dtype: DType::F64, big: false }, Space::Simple(vec![0]), Storage::filled(0, |_| ())?)
}
