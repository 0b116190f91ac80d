//! What convolutions and pools share: strides, dilations, borders.

use super::super::call::Call;
use super::super::flow::Flow;
use crate::describe::{Border, Window};
use crate::faults::Code;

/// The attributes of a window over `dims` axes, the lengths of its sides known.
pub(super) fn window(call: &mut Call<'_, '_, '_>, size: Vec<usize>, flow: &Flow) -> Option<Window> {
    let dims = size.len();
    let stride = call.attributes.lengths("strides", dims, 1, 1);
    let dilation = call.attributes.lengths("dilations", dims, 1, 1);
    let pads = call.attributes.lengths("pads", 2 * dims, 0, 0);
    let auto = call.attributes.text("auto_pad", "NOTSET");
    let reach = |axis: usize| {
        size.get(axis)
            .zip(dilation.get(axis))
            .map_or(1, |(size, dilation)| (size.max(&1) - 1).saturating_mul(*dilation) + 1)
    };
    let border = match auto {
        "NOTSET" | "" => Border::Explicit(sides(&pads)),
        "VALID" => Border::Explicit(vec![[0, 0]; dims]),
        "SAME_UPPER" => Border::Same,
        "SAME_LOWER" => {
            let lengths = flow.lengths();
            let mut sides = Vec::new();
            for axis in 0..dims {
                let Some(length) = lengths.get(axis + 1).copied().flatten() else {
                    let what = "auto_pad SAME_LOWER wants lengths that are not known: state the shape of one example of the input";
                    return call.refuse(Code::Input, what);
                };
                let stride = stride.get(axis).copied().unwrap_or(1);
                let places = length.div_ceil(stride);
                let total = (places.saturating_sub(1).saturating_mul(stride).saturating_add(reach(axis)))
                    .saturating_sub(length);
                sides.push([total - total / 2, total / 2]);
            }
            Border::Explicit(sides)
        }
        other => {
            let what =
                format!("{}: NOTSET, VALID, SAME_UPPER and SAME_LOWER are read", crate::faults::quoted_str(other));
            call.attributes.wrong("auto_pad", &what);
            Border::Explicit(vec![[0, 0]; dims])
        }
    };
    Some(Window { size, stride, dilation, border, ceil: false })
}

/// `[before…, after…]` as pairs.
pub(super) fn sides(pads: &[usize]) -> Vec<[usize; 2]> {
    let (before, after) = pads.split_at(pads.len() / 2);
    before.iter().zip(after).map(|(before, after)| [*before, *after]).collect()
}
