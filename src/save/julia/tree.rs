//! What a node of a set becomes in the file.

use crate::{
    faults::{Argument, Code, Fault, Faults, Text, quoted},
    formats::hdf5::{Bools, Branch, Datum, Node, Padding},
    params::{Kind, METADATA, NodeId, Params, STORAGE},
    tensor::DType,
};

/// The group that a set becomes; none, and all faults said, if it is no set of Julia.
pub(super) fn root(params: &Params, faults: &mut Faults) -> Option<Branch> {
    let mark = faults.mark();
    let mut writer = Writer { params, faults };
    let kind = params.kind(Params::ROOT);
    let branch = match kind {
        Some(Kind::Parameters | Kind::Named) => writer.branch(Params::ROOT),
        kind => {
            let name = kind.map_or("nothing", Kind::name);
            let message = format!("The set begins with {name}; Julia's begin with a named branch or a parameter set.");
            writer.faults.push(Fault::new(Code::Kind, message));
            None
        }
    };
    let _ = params.eltype(Params::ROOT, faults);
    branch.filter(|_| faults.refused_since(mark).is_ok())
}

struct Writer<'a, 'f> {
    params: &'a Params,
    faults: &'f mut Faults,
}

impl Writer<'_, '_> {
    fn node(&mut self, node: NodeId) -> Option<Node> {
        match self.params.kind(node)? {
            Kind::Structured => self.structured(node).map(Node::Group),
            Kind::Parameters | Kind::Named | Kind::Tuple => self.branch(node).map(Node::Group),
            _ => self.leaf(node),
        }
    }

    /// A branch: its kind, its keys in order, its members.
    fn branch(&mut self, node: NodeId) -> Option<Branch> {
        let children = self.params.children(node);
        let (kind, keys): (&str, Vec<Text>) = match self.params.kind(node)? {
            Kind::Tuple => ("Tuple", (1..=children.len()).map(|place| place.to_string().into()).collect()),
            kind => {
                let name = if kind == Kind::Parameters { "NetworkParameters" } else { "NamedTuple" };
                (name, children.iter().filter_map(|&child| self.params.key(child).cloned()).collect())
            }
        };
        let mut group = Branch::new(false);
        group.attribute("kind", self.text(&kind.into(), node)?);
        group.attribute("keys", Datum::long_texts(keys.clone(), true));
        for (&child, key) in children.iter().zip(&keys) {
            let Some(member) = self.node(child) else { continue };
            self.put(&mut group, key, member, child);
        }
        Some(group)
    }

    /// A structured leaf: the name of its type, its storage, and its metadata if there is any.
    fn structured(&mut self, node: NodeId) -> Option<Branch> {
        let mut group = Branch::new(false);
        group.attribute("kind", self.text(&"wrapped".into(), node)?);
        let name = self.params.type_name(node).cloned().unwrap_or_default();
        group.attribute("parameter_type", self.text(&name, node)?);
        match self.params.storage(node) {
            Some(storage) => {
                let member = self.node(storage);
                group.members.extend(member.map(|member| (STORAGE.to_owned(), member)));
            }
            None => self.fault(Code::NoPath, node, "has no 'storage'"),
        }
        if let Some(metadata) = self.params.metadata(node) {
            let member = self.node(metadata);
            group.members.extend(member.map(|member| (METADATA.to_owned(), member)));
        }
        Some(group)
    }

    /// An array or a number.
    fn leaf(&mut self, node: NodeId) -> Option<Node> {
        let kind = self.params.kind(node)?;
        let Some(numbers) = self.params.numbers(node) else {
            let says = format!("is {}, which Julia's sets do not hold: arrays and numbers alone", kind.name());
            self.fault(Code::Kind, node, &says);
            return None;
        };
        let dtype = numbers.dtype();
        use DType::*;
        let read = matches!(dtype, F16 | F32 | F64 | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | Bool | C64 | C128);
        match Datum::numbers(numbers, Bools::Bits).filter(|_| read) {
            Some(datum) => Some(Node::Dataset { datum, attributes: Vec::new(), tracked: false }),
            None => {
                let path = self.path(node);
                let message =
                    format!("'{}' is {}, which Julia's HDF5 does not have. Convert it.", quoted(&path), dtype.name());
                let fault = Fault::new(Code::DType, message).path(path);
                self.faults.push(fault.argument("found", Argument::Text(dtype.name().into())));
                None
            }
        }
    }

    /// Puts a member under its key; one with slashes under groups in between, as HDF5.jl does.
    fn put(&mut self, group: &mut Branch, key: &Text, member: Node, node: NodeId) {
        let parts: Option<Vec<&str>> = key.as_str().map(|key| key.split('/').collect());
        let sound =
            parts.filter(|parts| parts.iter().all(|part| !matches!(*part, "" | "." | "..") && !part.contains('\0')));
        let Some((name, above)) = sound.as_deref().and_then(<[&str]>::split_last) else {
            return self.fault(Code::Value, node, "has a key that can not be a name in HDF5");
        };
        let mut inner = group;
        for part in above {
            let place = inner.members.iter().position(|(other, _)| other == part).unwrap_or_else(|| {
                inner.group(*part, Branch::new(false));
                inner.members.len() - 1
            });
            match inner.members.get_mut(place) {
                Some((_, Node::Group(next))) => inner = next,
                _ => return self.fault(Code::KeyTwice, node, "has a key that leads through an array"),
            }
        }
        match inner.members.iter().any(|(other, _)| other == name) {
            true => self.fault(Code::KeyTwice, node, "has a key that is taken by the parts of another"),
            false => inner.members.push(((*name).to_owned(), member)),
        }
    }

    /// A text as HDF5.jl keeps one.
    fn text(&mut self, text: &Text, node: NodeId) -> Option<Datum> {
        let datum = Datum::text(text, Padding::NulTerminated, true).filter(|_| !text.as_bytes().contains(&0));
        if datum.is_none() {
            self.fault(Code::Value, node, "has a name that can not be a text in HDF5");
        }
        datum
    }

    fn path(&self, node: NodeId) -> Text {
        self.params.path(node).unwrap_or_default()
    }

    fn fault(&mut self, code: Code, node: NodeId, says: &str) {
        let path = self.path(node);
        self.faults.push(Fault::new(code, format!("'{}' {says}.", quoted(&path))).path(path));
    }
}
