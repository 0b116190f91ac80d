//! Inputs and outputs of networks, and what layers make: name, element type, shape. Lent by `network`.

use super::{
    description::PON_SHAPE_UNKNOWN,
    dtype::pon_dtype,
    options::sized,
    text::{Kept, pon_str},
};
use crate::{
    describe::{Graph, Port, ValueId},
    tensor::DType,
};
use std::ptr;

/// An input or output of a network.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_port {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// What one number is.
    pub dtype: pon_dtype,
    /// Its name.
    pub name: pon_str,
    /// How many axes, the batch counted; PON_SHAPE_UNKNOWN if nothing says it.
    pub ndim: i32,
    /// 0.
    pub reserved: u32,
    /// Lengths, the batch first; -1 is free.
    pub shape: *const i64,
}
sized!(pon_port);

/// A port as it is kept for the host.
pub struct LentPort {
    name: Kept,
    dtype: DType,
    shape: Option<Vec<i64>>,
}

/// All of a kind.
pub fn ports(graph: &Graph, ports: &[Port]) -> Vec<LentPort> {
    ports.iter().map(|each| port(graph, &each.name, each.value)).collect()
}

/// A value under a name.
pub fn port(graph: &Graph, name: &str, value: ValueId) -> LentPort {
    let value = &graph.values[value];
    let batch = if value.batched { -1 } else { 1 };
    let free = |length: &Option<usize>| length.map_or(-1, |length| length as i64);
    let shape = value.shape.as_ref().map(|shape| [batch].into_iter().chain(shape.iter().map(free)).collect());
    LentPort { name: Kept::new(name), dtype: value.dtype, shape }
}

impl LentPort {
    /// What the host sees.
    pub fn lend(&self) -> pon_port {
        pon_port {
            struct_size: 0,
            dtype: self.dtype as pon_dtype,
            name: self.name.lend(),
            ndim: self.shape.as_ref().map_or(PON_SHAPE_UNKNOWN, |shape| shape.len() as i32),
            reserved: 0,
            shape: self.shape.as_ref().map_or(ptr::null(), Vec::as_ptr),
        }
    }
}
