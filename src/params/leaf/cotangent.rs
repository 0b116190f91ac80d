//! Gradients of a whole set: a set and the cotangent that a reverse pass left, walked together.
//!
//! A cotangent may have gaps, and may say nothing of whole branches. A *hole* is nothing, a number that is 0, or a branch
//! without children; so is a key that is not there.

use super::{Registry, StructuredLeaf, sums::gradient_type};
use crate::{
    faults::{Code, Fault, Faults, Refused, quoted},
    params::{
        At, Kind, Leaf, NodeId, Params, Value,
        structured::{like, no_memory},
    },
    tensor::{DType, Tensor, shape_text},
};

/// A set of the shape and keys of `primal`; each leaf is what `make` makes of the primal's leaf and its cotangent. None if
/// the whole cotangent is a hole. Where it has a hole, `make` is not called and the leaf becomes zero: of the element type of
/// what `make` returned first, else of the leaf's (double precision for whole numbers); a leaf of nothing stays nothing.
///
/// A named branch takes a named branch whose keys are some of its own; a branch by place one of as many children; a set takes
/// a named branch of the one key `params`, or a set, which is passed on as it is: it holds gradients already. All else is a
/// fault.
pub fn map_cotangent(
    primal: &Params,
    cotangent: &Params,
    make: &mut dyn FnMut(At<'_>, At<'_>) -> Result<Leaf, Fault>,
    faults: &mut Faults,
) -> Result<Option<Params>, Refused> {
    if is_hole(cotangent, Params::ROOT) {
        return Ok(None);
    }
    let mark = faults.mark();
    let made = primal.clone();
    let mut walk = Walk { primal, cotangent, made, holes: Vec::new(), dtype: None, make, faults };
    walk.node(Params::ROOT, Some(Params::ROOT));
    let Walk { mut made, holes, dtype, .. } = walk;
    faults.refused_since(mark)?;
    for hole in holes {
        zero(&mut made, hole, dtype).map_err(|fault| faults.refuse(fault))?;
    }
    Ok(Some(made))
}

impl Registry {
    /// The gradient of a set over the numbers it stores, of the cotangent that a reverse pass left of it:
    /// [`map_cotangent`] with [`storage_gradient`].
    pub fn gradient(
        &self,
        primal: &Params,
        cotangent: &Params,
        faults: &mut Faults,
    ) -> Result<Option<Params>, Refused> {
        map_cotangent(primal, cotangent, &mut |leaf, cotangent| storage_gradient(self, leaf, cotangent), faults)
    }
}

/// The gradient of a leaf over its storage.
///
/// The cotangent of an array or number has its shape and is converted to its element type, whole numbers to double
/// precision; a complex one stays complex. That of a structured leaf is one over its matrix, which the type's own rule takes;
/// or a structured leaf of the same type, which holds the gradient already; or a branch of fields, which do too: blocks with
/// names by key, others by place, a single block as the only field that is there. A block without a field becomes zero.
pub fn storage_gradient(registry: &Registry, leaf: At<'_>, cotangent: At<'_>) -> Result<Leaf, Fault> {
    if leaf.params.kind(leaf.node) != Some(Kind::Structured) {
        return plain(leaf, cotangent).map(Leaf::Value);
    }
    let structured = StructuredLeaf { params: leaf.params, node: leaf.node };
    match cotangent.params.kind(cotangent.node) {
        Some(Kind::Structured) => {
            let (name, other) = (leaf.params.type_name(leaf.node), cotangent.params.type_name(cotangent.node));
            if name != other {
                let other = other.map(quoted).unwrap_or_default();
                return Err(misfit(
                    leaf,
                    &format!("of the type '{}' has a cotangent of '{other}'", structured.type_name()),
                ));
            }
            cotangent.params.subtree(cotangent.node).map(Leaf::Structured)
        }
        Some(kind) if kind.is_branch() => fields(registry, leaf, cotangent).map(Leaf::Structured),
        _ => {
            let Some(numbers) = cotangent.params.numbers(cotangent.node) else {
                return Err(no_numbers(leaf, cotangent));
            };
            registry.of(structured)?.gradient(structured, &numbers).map(Leaf::Structured)
        }
    }
}

/// The gradient of an array or number.
fn plain(leaf: At<'_>, cotangent: At<'_>) -> Result<Value, Fault> {
    let value = leaf.params.value(leaf.node);
    let Some((shape, dtype)) = value.and_then(|value| value.shape().zip(value.eltype())) else {
        return Err(misfit(leaf, "holds no numbers, and has a cotangent"));
    };
    let Some(numbers) = cotangent.params.numbers(cotangent.node) else { return Err(no_numbers(leaf, cotangent)) };
    if numbers.shape() != shape {
        let says = format!("has the shape {}, and its cotangent {}", shape_text(shape), shape_text(numbers.shape()));
        return Err(misfit(leaf, &says));
    }
    let to = gradient_type(dtype, numbers.dtype());
    let numbers = numbers
        .converted(to)
        .ok_or_else(|| misfit(leaf, &format!("takes no cotangent of {}", numbers.dtype().name())))?;
    Ok(like(value, numbers))
}

/// The gradient of a structured leaf whose cotangent speaks of its fields.
fn fields(registry: &Registry, leaf: At<'_>, cotangent: At<'_>) -> Result<Params, Fault> {
    let Some(storage) = leaf.params.storage(leaf.node) else { return Err(misfit(leaf, "has no 'storage'")) };
    let (params, kind) = (cotangent.params, leaf.params.kind(storage));
    let blocks = leaf.params.children(storage);
    let said = params.children(cotangent.node);
    let loud = |node: &&NodeId| !is_hole(params, **node);
    let too_many = || misfit(leaf, "has a cotangent with fields that belong to no block of its storage");
    // The blocks of the storage, each with its field.
    let pairs: Vec<(NodeId, Option<NodeId>)> = match kind {
        Some(kind) if kind.is_positional() => {
            if said.iter().skip(blocks.len()).any(|node| loud(&node)) {
                return Err(too_many());
            }
            blocks.iter().enumerate().map(|(place, &block)| (block, said.get(place).copied())).collect()
        }
        Some(kind) if kind.is_branch() && kind != Kind::Structured => {
            let field = |block: NodeId| params.child(cotangent.node, leaf.params.key(block)?);
            let pairs: Vec<_> = blocks.iter().map(|&block| (block, field(block))).collect();
            if said.iter().filter(loud).any(|node| pairs.iter().all(|(_, field)| *field != Some(*node))) {
                return Err(too_many());
            }
            pairs
        }
        _ => {
            let mut there = said.iter().filter(loud);
            let only = there.next().copied();
            if there.next().is_some() {
                return Err(too_many());
            }
            vec![(storage, only)]
        }
    };
    let mut made = leaf.params.subtree(leaf.node)?;
    let below = made.storage(Params::ROOT).unwrap_or(Params::ROOT);
    let places = if pairs.len() == 1 && pairs[0].0 == storage { vec![below] } else { made.children(below).to_vec() };
    let (mut silent, mut dtype) = (Vec::new(), None);
    for ((block, field), place) in pairs.into_iter().zip(places) {
        let Some(field) = field.filter(|&field| !is_hole(params, field)) else {
            silent.push(place);
            continue;
        };
        let block = At { params: leaf.params, node: block };
        made.put(place, storage_gradient(registry, block, At { params, node: field })?)?;
        dtype = dtype.or_else(|| held(&made, place));
    }
    silent.into_iter().try_for_each(|place| zero(&mut made, place, dtype))?;
    Ok(made)
}

struct Walk<'a> {
    primal: &'a Params,
    cotangent: &'a Params,
    made: Params,
    holes: Vec<NodeId>,
    /// Element type of what was made first.
    dtype: Option<DType>,
    make: &'a mut dyn FnMut(At<'_>, At<'_>) -> Result<Leaf, Fault>,
    faults: &'a mut Faults,
}

impl Walk<'_> {
    fn node(&mut self, node: NodeId, cotangent: Option<NodeId>) {
        let Some(other) = cotangent.filter(|&other| !is_hole(self.cotangent, other)) else {
            return self.holes.push(node);
        };
        let (Some(kind), Some(second)) = (self.primal.kind(node), self.cotangent.kind(other)) else { return };
        let named = |kind| matches!(kind, Kind::Named | Kind::Object);
        match kind {
            Kind::Parameters if second == Kind::Parameters => {
                if let Err(fault) = self.made.replace(node, self.cotangent, other) {
                    self.faults.push(fault);
                }
            }
            Kind::Parameters => match self.cotangent.children(other) {
                &[inner] if named(second) && self.cotangent.key(inner).is_some_and(|key| *key == *"params") => {
                    if is_hole(self.cotangent, inner) {
                        return self.holes.push(node);
                    }
                    match self.cotangent.kind(inner).is_some_and(named) {
                        true => self.by_key(node, inner),
                        false => self.misfit(node, inner),
                    }
                }
                _ => self.misfit(node, other),
            },
            kind if named(kind) && named(second) => self.by_key(node, other),
            kind if kind.is_positional() && second.is_positional() => self.by_place(node, other),
            kind if kind.is_branch() && kind != Kind::Structured => self.misfit(node, other),
            _ => {
                let pair = (At { params: self.primal, node }, At { params: self.cotangent, node: other });
                let made = (self.make)(pair.0, pair.1).and_then(|leaf| self.made.put(node, leaf));
                match made {
                    Ok(()) => self.dtype = self.dtype.or_else(|| held(&self.made, node)),
                    Err(fault) => self.faults.push(fault),
                }
            }
        }
    }

    fn by_key(&mut self, node: NodeId, other: NodeId) {
        for &child in self.cotangent.children(other) {
            let Some(key) = self.cotangent.key(child) else { continue };
            if self.primal.child(node, key).is_none() {
                let says = format!("has no '{}', which its cotangent has", quoted(key));
                self.faults.push(misfit(At { params: self.primal, node }, &says));
            }
        }
        for &child in self.primal.children(node) {
            let field = self.primal.key(child).and_then(|key| self.cotangent.child(other, key));
            self.node(child, field);
        }
    }

    fn by_place(&mut self, node: NodeId, other: NodeId) {
        let (children, others) = (self.primal.children(node), self.cotangent.children(other));
        if children.len() != others.len() {
            let says = format!("has {} children, and its cotangent {}", children.len(), others.len());
            return self.faults.push(misfit(At { params: self.primal, node }, &says));
        }
        for (&child, &other) in children.iter().zip(others) {
            self.node(child, Some(other));
        }
    }

    fn misfit(&mut self, node: NodeId, other: NodeId) {
        let kind = |kind: Option<Kind>| kind.map_or("nothing", Kind::name);
        let (primal, other) = (self.primal.kind(node), self.cotangent.kind(other));
        let helps = match primal {
            Some(Kind::Parameters) => {
                "; a named branch with the one key 'params' is wanted, or a parameter set of gradients"
            }
            _ => "",
        };
        let says = format!("is {}, and its cotangent {}{helps}", kind(primal), kind(other));
        self.faults.push(misfit(At { params: self.primal, node }, &says));
    }
}

/// Whether a cotangent says nothing here.
fn is_hole(params: &Params, node: NodeId) -> bool {
    match params.value(node) {
        Some(Value::None) => true,
        Some(Value::Tensor(_)) => false,
        Some(value) => value.seen(|view| view.bytes().iter().all(|&byte| byte == 0)) == Some(true),
        None => params.children(node).is_empty(),
    }
}

/// The element type of the first numbers below a node.
fn held(params: &Params, node: NodeId) -> Option<DType> {
    params.numbered(node).into_iter().find_map(|leaf| params.value(leaf)?.eltype())
}

/// Makes all numbers below a node zero, of this element type or of their gradients'.
fn zero(params: &mut Params, node: NodeId, dtype: Option<DType>) -> Result<(), Fault> {
    for leaf in params.numbered(node) {
        let value = params.value(leaf);
        let Some((shape, own)) = value.and_then(|value| Some((value.shape()?.to_vec(), value.eltype()?))) else {
            continue;
        };
        let zero = Tensor::zeroed(dtype.unwrap_or_else(|| gradient_type(own, own)), shape);
        let zero = like(value, zero.ok_or_else(|| no_memory(params.path(leaf).unwrap_or_default()))?);
        params.set(leaf, zero)?;
    }
    Ok(())
}

fn no_numbers(leaf: At<'_>, cotangent: At<'_>) -> Fault {
    let kind = cotangent.params.kind(cotangent.node).map_or("nothing", Kind::name);
    misfit(leaf, &format!("has {kind} as its cotangent, which is none"))
}

fn misfit(leaf: At<'_>, says: &str) -> Fault {
    let path = leaf.params.path(leaf.node).unwrap_or_default();
    let path = if path.is_empty() { "/".into() } else { path };
    Fault::new(Code::Shape, format!("'{}' {says}.", quoted(&path))).path(path)
}
