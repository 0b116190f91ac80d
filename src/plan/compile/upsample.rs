//! Places along the window axes made more or fewer.

use super::{
    Home, Work,
    layers::{moves, replaced},
    strides, tables,
};
use crate::{
    describe::{UpsampleMode, UpsampleSize},
    kernels::{self, AXES, Kernel},
    plan::step::Place,
};

/// The kernel of an upsampling: a move where each place takes one of the input, else a mean of neighbours.
pub(super) fn upsample(
    x: &Home,
    shape: &[usize],
    dims: usize,
    size: &UpsampleSize,
    mode: UpsampleMode,
) -> Option<(Kernel, Vec<Place>, Work)> {
    let factor = |axis: usize| match size {
        UpsampleSize::To(_) => None,
        UpsampleSize::By(factors) => factors.get(axis).copied(),
    };
    (dims < x.shape.len() && dims <= AXES && x.shape.len() == shape.len()).then_some(())?;
    (x.count() > 0 || shape.contains(&0)).then_some(())?;
    if matches!(mode, UpsampleMode::Nearest | UpsampleMode::NearestExact) {
        let near = (0..dims).map(|axis| (axis, tables::nearest(x.shape[axis], shape[axis], factor(axis), mode)));
        return Some(moves(x, replaced(x, near), 0.0));
    }
    let (strides, channels) = (strides(&x.shape), x.shape[dims..].iter().product());
    let between = |axis: usize| tables::linear(x.shape[axis], shape[axis], factor(axis), mode, strides[axis]);
    let linear = kernels::Linear { axes: (0..dims).map(between).collect(), channels, each: x.count() };
    Some((Kernel::Linear(linear), vec![x.place], Work { grain: channels, cost: 2 << dims }))
}
