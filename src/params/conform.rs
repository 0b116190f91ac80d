//! A set as it was read, put into the shape of another that says what it must be.

use super::{Kind, NodeId, Params, structured::like};
use crate::{
    faults::{Argument, Code, Fault, Faults, Refused, Text, quoted},
    tensor::shape_text,
};

/// The numbers of `loose` in the shape of `prototype`: kinds, order of keys, types and metadata of structured leaves are the
/// prototype's, the numbers those of `loose`. Strict: a fault for each node that is missing, that is not expected, or that
/// has another kind, type, element type, shape or metadata than the prototype's; then nothing is made. A named branch serves
/// as a tuple if its keys are `1` to `n`, and the blocks of a structured leaf may stand in a tuple or a named branch.
pub fn conform(loose: &Params, prototype: &Params, faults: &mut Faults) -> Result<Params, Refused> {
    let mark = faults.mark();
    let mut conforming = Conforming { loose, prototype, made: prototype.clone(), faults };
    conforming.node(Params::ROOT, Params::ROOT);
    let Conforming { made, .. } = conforming;
    faults.refused_since(mark)?;
    Ok(made)
}

struct Conforming<'a> {
    loose: &'a Params,
    prototype: &'a Params,
    made: Params,
    faults: &'a mut Faults,
}

impl Conforming<'_> {
    fn node(&mut self, wanted: NodeId, found: NodeId) {
        let (Some(kind), Some(other)) = (self.prototype.kind(wanted), self.loose.kind(found)) else { return };
        if !kind.is_branch() {
            return self.leaf(wanted, found);
        }
        if kind == Kind::Structured {
            return if other == Kind::Structured { self.structured(wanted, found) } else { self.misfit(wanted, found) };
        }
        if !other.is_branch() || other == Kind::Structured {
            return self.misfit(wanted, found);
        }
        if kind.is_positional() { self.by_place(wanted, found) } else { self.by_key(wanted, found) }
    }

    fn by_key(&mut self, wanted: NodeId, found: NodeId) {
        if self.loose.kind(found).is_some_and(Kind::is_positional) {
            return self.misfit(wanted, found);
        }
        for &child in self.prototype.children(wanted) {
            match self.prototype.key(child).and_then(|key| self.loose.child(found, key)) {
                Some(other) => self.node(child, other),
                None => self.missing(child),
            }
        }
        for &child in self.loose.children(found) {
            if self.loose.key(child).is_some_and(|key| self.prototype.child(wanted, key).is_none()) {
                self.unexpected(child);
            }
        }
    }

    fn by_place(&mut self, wanted: NodeId, found: NodeId) {
        let children = self.loose.children(found).to_vec();
        let places = match self.loose.kind(found).is_some_and(Kind::is_positional) {
            true => children,
            false => {
                let named = (1..=children.len()).map_while(|i| self.loose.child(found, &i.to_string().into()));
                let named: Vec<NodeId> = named.collect();
                if named.len() < children.len() {
                    return self.misfit(wanted, found);
                }
                named
            }
        };
        self.places(wanted, &places);
    }

    /// Children by place: `found` beside those of `wanted`.
    fn places(&mut self, wanted: NodeId, found: &[NodeId]) {
        let children = self.prototype.children(wanted).to_vec();
        for (&child, &other) in children.iter().zip(found) {
            self.node(child, other);
        }
        children.iter().skip(found.len()).for_each(|&child| self.missing(child));
        found.iter().skip(children.len()).for_each(|&child| self.unexpected(child));
    }

    fn structured(&mut self, wanted: NodeId, found: NodeId) {
        let (name, other) = (self.prototype.type_name(wanted), self.loose.type_name(found));
        if name != other {
            let shown = |name: Option<&Text>| name.map(quoted).unwrap_or_default();
            let path = self.path(wanted);
            let message =
                format!("'{}' is of the type '{}', and '{}' is wanted.", quoted(&path), shown(other), shown(name));
            return self.faults.push(Fault::new(Code::Type, message).path(path));
        }
        self.metadata(wanted, found);
        match (self.prototype.storage(wanted), self.loose.storage(found)) {
            (Some(wanted), Some(found)) => {
                let blocks = |params: &Params, node| {
                    params.kind(node).is_some_and(|kind| kind.is_branch() && kind != Kind::Structured)
                };
                if blocks(self.prototype, wanted)
                    && blocks(self.loose, found)
                    && self.prototype.kind(wanted).is_some_and(Kind::is_positional)
                        != self.loose.kind(found).is_some_and(Kind::is_positional)
                {
                    let found = self.loose.children(found).to_vec();
                    return self.places(wanted, &found);
                }
                self.node(wanted, found);
            }
            (wanted_storage, _) => self.missing(wanted_storage.unwrap_or(wanted)),
        }
    }

    /// Metadata that was read says the same as the prototype's, as far as both say anything.
    fn metadata(&mut self, wanted: NodeId, found: NodeId) {
        let Some((wanted_data, found_data)) = self.prototype.metadata(wanted).zip(self.loose.metadata(found)) else {
            return;
        };
        for &child in self.prototype.children(wanted_data) {
            let Some(key) = self.prototype.key(child).cloned() else { continue };
            let other = self.loose.child(found_data, &key).and_then(|other| self.loose.whole(other));
            let Some((number, other)) = self.prototype.whole(child).zip(other).filter(|(a, b)| a != b) else {
                continue;
            };
            let path = self.path(wanted);
            let message = format!("'{}' has {} = {other}, and {number} is wanted.", quoted(&path), quoted(&key));
            let fault = Fault::new(Code::Shape, message).path(path);
            self.faults.push(fault.argument("found", Argument::Int(other)).argument("wanted", Argument::Int(number)));
        }
    }

    fn leaf(&mut self, wanted: NodeId, found: NodeId) {
        let (Some(value), Some(other)) = (self.prototype.value(wanted), self.loose.value(found)) else {
            return self.misfit(wanted, found);
        };
        let path = self.path(wanted);
        match (value.shape(), other.shape()) {
            (Some(shape), Some(second)) => {
                if shape != second {
                    let (shape, second) = (shape.to_vec(), second.to_vec());
                    let message = format!(
                        "'{}' has the shape {}, and {} is wanted.",
                        quoted(&path),
                        shape_text(&second),
                        shape_text(&shape)
                    );
                    let fault = Fault::new(Code::Shape, message).path(path.clone());
                    let fault = fault.argument("found", Argument::Shape(second));
                    self.faults.push(fault.argument("wanted", Argument::Shape(shape)));
                }
                if let Some((dtype, second)) = value.eltype().zip(other.eltype()).filter(|(a, b)| a != b) {
                    let message = format!("'{}' is {}, and {} is wanted.", quoted(&path), second.name(), dtype.name());
                    let fault = Fault::new(Code::Eltype, message).path(path);
                    let fault = fault.argument("found", Argument::Text(second.name().into()));
                    self.faults.push(fault.argument("wanted", Argument::Text(dtype.name().into())));
                }
            }
            _ if value.kind() != other.kind() => return self.misfit(wanted, found),
            _ => {}
        }
        let numbers = self.loose.numbers(found);
        let value = numbers.map_or_else(|| other.clone(), |numbers| like(Some(value), numbers));
        if let Err(fault) = self.made.set(wanted, value) {
            self.faults.push(fault);
        }
    }

    fn path(&self, wanted: NodeId) -> Text {
        self.prototype.path(wanted).unwrap_or_default()
    }

    fn missing(&mut self, wanted: NodeId) {
        let path = self.path(wanted);
        self.faults.push(Fault::new(Code::Missing, format!("'{}' is missing.", quoted(&path))).path(path));
    }

    fn unexpected(&mut self, found: NodeId) {
        let path = self.loose.path(found).unwrap_or_default();
        let message = format!("'{}' is not in the set that was given as a prototype.", quoted(&path));
        self.faults.push(Fault::new(Code::Unexpected, message).path(path));
    }

    fn misfit(&mut self, wanted: NodeId, found: NodeId) {
        let name = |kind: Option<Kind>| kind.map_or("nothing", Kind::name);
        let (kind, other) = (self.prototype.kind(wanted), self.loose.kind(found));
        let path = self.path(wanted);
        let message = format!("'{}' is {}, and {} is wanted.", quoted(&path), name(other), name(kind));
        self.faults.push(Fault::new(Code::Kind, message).path(path));
    }
}
