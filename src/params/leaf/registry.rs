//! Types of structured leaves by their names.

use super::{
    LeafType, StructuredLeaf,
    form::Form,
    grassmann_lift::GRASSMANN_LIFT,
    lower::LOWER,
    manifold::{GRASSMANN, STIEFEL},
    skew::SKEW,
    stiefel_lift::STIEFEL_LIFT,
    symmetric::SYMMETRIC,
    upper::UPPER,
};
use crate::{
    faults::{Argument, Code, Fault, Faults, Refused, Text, quoted},
    limits::Limits,
    params::{Kind, NodeId, Params},
    tensor::{Tensor, count},
};
use std::{collections::HashMap, fmt, sync::Arc};

/// The types that are built in.
const BUILT_IN: [&Form; 8] = [&STIEFEL, &GRASSMANN, &SYMMETRIC, &SKEW, &LOWER, &UPPER, &STIEFEL_LIFT, &GRASSMANN_LIFT];

/// The types that are known; the eight built-in ones from the start. Cloning shares the types.
#[derive(Clone)]
pub struct Registry {
    types: HashMap<Text, Arc<dyn LeafType>>,
}

impl Default for Registry {
    fn default() -> Registry {
        let types = BUILT_IN.map(|form| (Text::from(form.name), Arc::new(form) as Arc<dyn LeafType>));
        Registry { types: types.into() }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<&Text> = self.types.keys().collect();
        names.sort();
        f.debug_tuple("Registry").field(&names).finish()
    }
}

impl Registry {
    /// Registers a type; one of the same name is forgotten.
    pub fn register(&mut self, name: impl Into<Text>, leaf_type: Arc<dyn LeafType>) {
        self.types.insert(name.into(), leaf_type);
    }

    /// The type of a name.
    pub fn get(&self, name: &Text) -> Option<&Arc<dyn LeafType>> {
        self.types.get(name)
    }

    /// Checks every structured leaf of a tree against its type. A type that is not registered is a fault, unless `keep`.
    pub fn check(&self, params: &Params, keep: bool, faults: &mut Faults) -> Result<(), Refused> {
        let mark = faults.mark();
        let mut open = vec![Params::ROOT];
        while let Some(node) = open.pop() {
            open.extend(params.children(node).iter().rev());
            if params.kind(node) == Some(Kind::Structured) {
                let leaf = StructuredLeaf { params, node };
                match self.of(leaf) {
                    Ok(leaf_type) => {
                        let before = faults.mark();
                        leaf_type.check(leaf, faults);
                        if faults.refused_since(before).is_err() {
                            // What stands within it is likely the same fault again.
                            open.truncate(open.len() - params.children(node).len());
                        }
                    }
                    Err(_) if keep => {}
                    Err(fault) => faults.push(fault),
                }
            }
        }
        faults.refused_since(mark)
    }

    /// A structured leaf as its matrix, in the element type of its storage; a tensor as itself. Shape: slowest axis first,
    /// `[columns, rows]` of a matrix of Julia.
    pub fn dense(&self, params: &Params, node: NodeId, limits: &Limits) -> Result<Tensor, Fault> {
        if let Some(numbers) = params.numbers(node) {
            return Ok(numbers);
        }
        let leaf = structured(params, node)?;
        let leaf_type = self.of(leaf)?;
        let shape = leaf_type.dense_shape(leaf)?;
        let most = limits.tensor_bytes / 16;
        if count(&shape).is_none_or(|count| count as u64 > most) {
            let message = format!("'{}' has a matrix beyond the limit `tensor_bytes`.", quoted(&leaf.path()));
            return Err(Fault::new(Code::Limit, message).path(leaf.path()));
        }
        leaf_type.dense(leaf)
    }

    /// The shape of what [`Registry::dense`] gives.
    pub fn dense_shape(&self, params: &Params, node: NodeId) -> Result<Vec<usize>, Fault> {
        if let Some(shape) = params.value(node).and_then(|value| value.shape()) {
            return Ok(shape.to_vec());
        }
        let leaf = structured(params, node)?;
        Ok(self.of(leaf)?.dense_shape(leaf)?.to_vec())
    }

    /// The structured leaf of a type that is nearest to a matrix, as a tree of its own: of a symmetric matrix half the sum
    /// with its transpose, of a skew-symmetric one half the difference, of a triangular one its triangle; of a lift those of
    /// its blocks, `told` naming its `n`. Whole numbers become double precision. A fault for a type that has no such rule.
    pub fn project(&self, name: &str, matrix: &Tensor, told: &[(&str, i64)]) -> Result<Params, Fault> {
        let text = Text::from(name);
        let leaf_type = self.get(&text).ok_or_else(|| unregistered(&text, Text::default()))?;
        leaf_type.project(&text, matrix, told).unwrap_or_else(|| {
            let message = format!("The type '{}' has no rule that makes a leaf of any matrix.", quoted(&text));
            Err(Fault::new(Code::Type, message))
        })
    }

    /// The type of a leaf.
    pub(super) fn of(&self, leaf: StructuredLeaf<'_>) -> Result<&dyn LeafType, Fault> {
        let name = leaf.type_name();
        self.get(&name).map(|known| &**known).ok_or_else(|| unregistered(&name, leaf.path()))
    }
}

fn structured(params: &Params, node: NodeId) -> Result<StructuredLeaf<'_>, Fault> {
    match params.kind(node) {
        Some(Kind::Structured) => Ok(StructuredLeaf { params, node }),
        Some(kind) => {
            let path = params.path(node).unwrap_or_default();
            let message = format!("'{}' is {}, which is no matrix.", quoted(&path), kind.name());
            Err(Fault::new(Code::Kind, message).path(path))
        }
        None => Err(crate::params::build::no_node(node)),
    }
}

/// The fault of a type that nobody registered.
fn unregistered(name: &Text, path: Text) -> Fault {
    let message = format!(
        "Nobody registered the type '{}' of the structured leaf '{}'. Register it, load against a prototype, or ask for leaves \
         of unknown types to be kept as they are.",
        quoted(name),
        quoted(&path)
    );
    Fault::new(Code::Type, message).path(path).argument("type", Argument::Text(name.clone()))
}
