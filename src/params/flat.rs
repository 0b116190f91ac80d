//! A flat vector that knows its layout.

use super::{Kind, Layout, NodeId, Params, equal::keys_text};
use crate::{
    faults::{Code, Fault, Faults, Refused, Text, quoted},
    tensor::Tensor,
};
use std::sync::Arc;

/// A vector of numbers with the layout of the set it stands for; cloning shares both.
#[derive(Clone, Debug)]
pub struct Flat {
    numbers: Tensor,
    layout: Arc<Layout>,
}

impl Flat {
    /// A vector and its layout: as many numbers as that has.
    pub fn new(numbers: Tensor, layout: Arc<Layout>) -> Result<Flat, Fault> {
        layout.fits(numbers.shape())?;
        Ok(Flat { numbers, layout })
    }

    /// The numbers of a set, which have one element type.
    pub fn of(params: &Params, faults: &mut Faults) -> Result<Flat, Refused> {
        let layout = Layout::of(params, Params::ROOT, faults)?;
        let numbers = layout.flatten(params, Params::ROOT, faults)?;
        Ok(Flat { numbers, layout: Arc::new(layout) })
    }

    /// The vector.
    pub fn numbers(&self) -> &Tensor {
        &self.numbers
    }

    /// Its layout.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Other numbers in the same layout, in any element type; as many.
    pub fn with(&self, numbers: Tensor) -> Result<Flat, Fault> {
        Flat::new(numbers, self.layout.clone())
    }

    /// The numbers in the shape of the set, with the node of the child of the root that has this key.
    pub fn entry(&self, key: &Text, faults: &mut Faults) -> Result<(Params, NodeId), Refused> {
        let params = self.layout.unflatten(&self.numbers.view(), faults)?;
        match params.child(Params::ROOT, key) {
            Some(node) => Ok((params, node)),
            None => {
                let there = keys_text(&params, Params::ROOT);
                let message = format!("There is no '{}' in the vector; it has {there}.", quoted(key));
                Err(faults.refuse(Fault::new(Code::NoPath, message).path(key.clone())))
            }
        }
    }

    /// The numbers as a parameter set: a fault if the layout was made of a bare branch.
    pub fn to_set(&self, faults: &mut Faults) -> Result<Params, Refused> {
        let params = self.layout.unflatten(&self.numbers.view(), faults)?;
        match params.kind(Params::ROOT) {
            Some(Kind::Parameters) => Ok(params),
            kind => {
                let name = kind.map_or("nothing", Kind::name);
                let message = format!("The layout was made of {name}, which does not become a parameter set.");
                Err(faults.refuse(Fault::new(Code::Kind, message)))
            }
        }
    }
}
