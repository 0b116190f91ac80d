//! Places of convolutions and pools.

use super::{Lengths, Shaped, is};
use crate::describe::words::{LONGEST, reach};
use crate::describe::{Border, Conv, Window};

pub(super) fn conv(conv: &mut Conv, input: Option<&Lengths>) -> Shaped {
    let lengths = window_axes(input, conv.window.size.len(), Some(conv.inputs))?;
    let mut output = slide(&mut conv.window, &lengths)?;
    output.push(Some(conv.outputs));
    Ok(Some(output))
}

pub(super) fn pool(window: &mut Window, input: Option<&Lengths>) -> Shaped {
    let lengths = window_axes(input, window.size.len(), None)?;
    let mut output = slide(window, &lengths)?;
    output.push(input.and_then(|lengths| lengths.last().copied().flatten()));
    Ok(Some(output))
}

pub(super) fn adaptive(places: &mut [Option<usize>], input: Option<&Lengths>) -> Shaped {
    let lengths = window_axes(input, places.len(), None)?;
    for (place, length) in places.iter_mut().zip(lengths) {
        *place = place.or(length);
    }
    let channels = input.and_then(|lengths| lengths.last().copied().flatten());
    Ok(Some([&*places, &[channels]].concat()))
}

pub(super) fn global(dims: usize, keep: bool, input: Option<&Lengths>) -> Shaped {
    window_axes(input, dims, None)?;
    let mut output = if keep { vec![Some(1); dims] } else { Vec::new() };
    output.push(input.and_then(|lengths| lengths.last().copied().flatten()));
    Ok(Some(output))
}

/// The window axes of the input, all free if its shape is unknown. The last axis is `channels` long, if that is said.
fn window_axes(input: Option<&Lengths>, dims: usize, channels: Option<usize>) -> Result<Lengths, String> {
    let Some(lengths) = input else { return Ok(vec![None; dims]) };
    let takes = || match channels {
        Some(channels) => format!("{dims} window axes and a last axis of {channels}"),
        None => format!("{dims} window axes and a last axis"),
    };
    match lengths.split_last() {
        Some((&last, axes)) if axes.len() == dims && channels.is_none_or(|channels| is(last, channels)) => {
            Ok(axes.to_vec())
        }
        _ => Err(takes()),
    }
}

/// Places along each window axis; makes the border explicit if every length is known.
fn slide(window: &mut Window, lengths: &Lengths) -> Result<Lengths, String> {
    let (mut output, mut sides) = (Lengths::new(), Vec::new());
    for (axis, &length) in lengths.iter().enumerate() {
        let stride = window.stride[axis];
        let reach = reach(window.size[axis], window.dilation[axis]);
        let side = match (&window.border, length) {
            (Border::Explicit(sides), _) => Some(sides[axis]),
            (Border::Causal, _) => Some([reach - 1, 0]),
            (Border::Same, Some(length)) => Some(same(length, reach, stride)),
            (Border::Same, None) => None,
        };
        let places = side.zip(length).map(|(side, length)| {
            let least = reach.saturating_sub(side[0] + side[1]).max(1);
            let takes = || format!("at least {least} places on window axis {axis}");
            places(length, reach, stride, side, window.ceil).ok_or_else(takes)
        });
        output.push(places.transpose()?);
        sides.push(side);
    }
    if let Some(sides) = sides.into_iter().collect() {
        window.border = Border::Explicit(sides);
    }
    Ok(output)
}

/// TensorFlow's border for `ceil(length/stride)` places; an odd place stands after.
fn same(length: usize, reach: usize, stride: usize) -> [usize; 2] {
    let places = length.div_ceil(stride);
    let total = (places.saturating_sub(1) * stride + reach).saturating_sub(length);
    [total / 2, total - total / 2]
}

/// How many windows there are; none if not one. With `ceil` a last one may hang over the far border if it starts within the
/// input or its near border.
fn places(length: usize, reach: usize, stride: usize, [before, after]: [usize; 2], ceil: bool) -> Option<usize> {
    let spare = if ceil { stride - 1 } else { 0 };
    let places = (length + before + after + spare).checked_sub(reach)? / stride + 1;
    let hangs = ceil && (places - 1) * stride >= length + before;
    let places = places - usize::from(hangs);
    (length > 0 && places > 0).then_some(places)
}

pub(super) fn transpose(conv: &mut Conv, extra: &mut [usize], input: Option<&Lengths>) -> Shaped {
    let window = &mut conv.window;
    let lengths = window_axes(input, window.size.len(), Some(conv.inputs))?;
    let mut output = Lengths::new();
    let mut sides = Vec::new();
    for (axis, &length) in lengths.iter().enumerate() {
        let stride = window.stride[axis];
        let reach = reach(window.size[axis], window.dilation[axis]);
        let side = match &window.border {
            Border::Explicit(sides) => sides[axis],
            Border::Same | Border::Causal => {
                extra[axis] = stride.saturating_sub(reach);
                let total = reach.saturating_sub(stride);
                [total / 2, total - total / 2]
            }
        };
        let places = length.map(|length| {
            let whole = length.checked_sub(1)?.checked_mul(stride)?.checked_add(reach + extra[axis])?;
            whole.checked_sub(side[0] + side[1]).filter(|&places| places > 0 && places as u64 <= LONGEST as u64)
        });
        if places == Some(None) {
            return Err(format!("more places on window axis {axis}, or fewer than its output could hold"));
        }
        output.push(places.flatten());
        sides.push(side);
    }
    window.border = Border::Explicit(sides);
    output.push(Some(conv.outputs));
    Ok(Some(output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_is_tensorflows() {
        for (size, stride, length, wanted, sides) in
            [(3, 2, 28, 14, [0, 1]), (2, 1, 28, 28, [0, 1]), (3, 2, 23, 12, [1, 1]), (1, 3, 5, 2, [0, 0])]
        {
            assert_eq!(same(length, size, stride), sides);
            assert_eq!(places(length, size, stride, sides, false), Some(wanted));
        }
    }

    #[test]
    fn ceil_is_pytorchs() {
        for (length, size, stride, border, wanted) in [
            (32, 3, 2, [0, 0], Some(16)),
            (5, 2, 2, [0, 0], Some(3)),
            (5, 3, 2, [1, 1], Some(3)),
            (1, 2, 2, [0, 0], Some(1)),
            (1, 4, 2, [0, 0], None),
            (6, 2, 5, [0, 0], Some(2)),
            (5, 2, 5, [0, 0], Some(1)),
        ] {
            assert_eq!(places(length, size, stride, border, true), wanted, "{length} {size} {stride}");
        }
    }
}
