//! Convolutions: the border in a step of its own, then rows of stretches or channels by themselves; transposed ones and those
//! of the exact precision unfold each window.

use super::{Compiler, Home, Work, windows};
use crate::{
    describe::{Conv, Node},
    kernels::{self, Axis, Kernel, Places, Precision, stretches},
    plan::{
        step::Place,
        weights::{Number, Order},
    },
};

impl Compiler<'_> {
    pub(super) fn conv(
        &mut self,
        node: &Node,
        conv: &Conv,
        x: &Home,
        shape: &[usize],
        mut places: Vec<Place>,
        transposed: bool,
    ) -> Option<(Kernel, Vec<Place>, Work)> {
        let axes = windows::axes(&conv.window, &x.shape, shape)?;
        let (inputs, outputs, groups) = (conv.inputs, conv.outputs, conv.groups);
        let unfolded = kernels::Conv { axes, inputs, outputs, groups, transposed };
        let work = Work { grain: outputs, cost: unfolded.terms() };
        if transposed && groups > 1 {
            let Place::Number(slot) = *places.get(1)? else { return None };
            places[1] = self.number(Number::Regroup { slot, inputs, groups });
        }
        if transposed || self.plan.precision == Precision::Exact {
            return Some((Kernel::Conv(unfolded), places, work));
        }
        let (x, lengths) = self.bordered(node, &axes, inputs, x)?;
        places[0] = x.place;
        let strides = [lengths[1] * lengths[2] * inputs, lengths[2] * inputs, inputs];
        let at = Places {
            counts: axes.map(|axis| axis.output),
            steps: std::array::from_fn(|i| axes[i].stride * strides[i]),
            each: lengths.iter().product::<usize>() * inputs,
        };
        let offsets = offsets(&axes, &strides);
        if groups > 1 && inputs == groups && outputs == groups {
            let kernel = kernels::Depthwise { offsets, channels: inputs, places: at };
            return Some((Kernel::Depthwise(kernel), places, work));
        }
        let (ins, columns) = (inputs / groups, outputs / groups);
        let Place::Number(slot) = *places.get(1)? else { return None };
        places[1] = self.number(Number::Packed { slot, columns, groups, order: Order::Panels });
        let kernel = kernels::Packed {
            stretches: stretches(offsets.into_iter().map(|offset| (offset, ins))),
            terms: unfolded.terms(),
            columns,
            groups,
            group_step: ins,
            places: at,
        };
        Some((Kernel::Packed(kernel), places, work))
    }

    /// `x` with a border, where a window reaches over its ends, and the lengths of its window axes.
    fn bordered(&mut self, node: &Node, axes: &[Axis; 3], inner: usize, x: &Home) -> Option<(Home, [usize; 3])> {
        let [input, before] = [axes.map(|axis| axis.input), axes.map(|axis| axis.before)];
        let reach = |axis: &Axis| {
            let window = axis.dilation.checked_mul(axis.size.checked_sub(1)?)?.checked_add(1)?;
            axis.output.saturating_sub(1).checked_mul(axis.stride)?.checked_add(window)
        };
        let [a, b, c] = [reach(&axes[0])?, reach(&axes[1])?, reach(&axes[2])?];
        let output = [a, b, c];
        let fits = output.iter().zip(&input).all(|(reach, input)| reach <= input) && before == [0; 3];
        if fits || x.count() == 0 {
            return Some((x.clone(), input));
        }
        let shape = vec![a, b, c, inner];
        crate::tensor::count(&shape)?;
        let kernel = Kernel::Border(kernels::Border { input, output, before, inner });
        let work = Work { grain: c * inner, cost: 1 };
        Some((self.step(&node.name, kernel, vec![x.place], shape, x.batched, work), output))
    }
}

/// Numbers from the start of a window to each of its places.
fn offsets(axes: &[Axis; 3], strides: &[usize; 3]) -> Vec<usize> {
    let along = |i: usize| (0..axes[i].size).map(move |place| place * axes[i].dilation * strides[i]);
    along(0).flat_map(|a| along(1).flat_map(move |b| along(2).map(move |c| a + b + c))).collect()
}
