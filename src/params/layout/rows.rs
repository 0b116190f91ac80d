//! A matrix over the flat order, a Jacobian for one, split into the blocks of the leaves.

use super::{Layout, Part};
use crate::{
    faults::{Code, Fault, Faults, Refused},
    params::{Kind, NodeId, Params, Value},
    tensor::{Tensor, shape_text},
};

impl Layout {
    /// Splits a matrix along `axis`, 0 or 1, which counts the flat numbers: each leaf becomes the block that is its own, with
    /// the other axis whole. A structured leaf is not rebuilt: the blocks of its storage stand in its place. The blocks are
    /// views of the matrix and copy nothing.
    pub fn unflatten_rows(&self, matrix: &Tensor, axis: usize, faults: &mut Faults) -> Result<Params, Refused> {
        let shape = matrix.shape();
        if shape.len() != 2 || axis > 1 || shape[axis] != self.count() {
            let message = format!(
                "A matrix is wanted whose axis {axis} counts the {} numbers of the layout, and {} was given.",
                self.count(),
                shape_text(shape)
            );
            return Err(faults.refuse(Fault::new(Code::Shape, message)));
        }
        let mut made = Params::new(self.root.kind);
        for part in &self.root.parts {
            put(&mut made, Params::ROOT, part, part, matrix, axis).map_err(|fault| faults.refuse(fault))?;
        }
        Ok(made)
    }
}

/// Adds the blocks of `part`, under the key of `named`.
fn put(
    made: &mut Params,
    parent: NodeId,
    named: &Part,
    part: &Part,
    matrix: &Tensor,
    axis: usize,
) -> Result<(), Fault> {
    if part.dtype.is_some() {
        let block = matrix.part(axis, part.first, part.count);
        let block = block.ok_or_else(|| Fault::new(Code::Eltype, "The numbers of the matrix are no whole bytes."))?;
        made.add(parent, named.key.clone(), Value::Tensor(block))?;
        return Ok(());
    }
    if part.kind == Kind::Structured {
        return part.parts.iter().try_for_each(|storage| put(made, parent, named, storage, matrix, axis));
    }
    let branch = made.branch(parent, named.key.clone(), part.kind)?;
    part.parts.iter().try_for_each(|below| put(made, branch, below, below, matrix, axis))
}
