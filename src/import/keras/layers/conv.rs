//! Convolutions: plain, depthwise, separable, transposed.

use super::{
    Row, drops, function,
    window::{self, Image, border, channels, image},
};
use crate::{
    describe::{Border, Conv, Op},
    faults::Code,
    import::keras::{
        call::{Call, Var},
        flow::Flow,
    },
    network::Turn,
};

pub(super) const ROWS: &[Row] = &[
    drops("Conv1D", |call| conv(call, 1)).over(1),
    drops("Conv2D", |call| conv(call, 2)).over(2),
    drops("Conv3D", |call| conv(call, 3)).over(3),
    drops("Convolution1D", |call| conv(call, 1)).over(1),
    drops("Convolution2D", |call| conv(call, 2)).over(2),
    drops("Convolution3D", |call| conv(call, 3)).over(3),
    drops("DepthwiseConv1D", |call| depthwise(call, 1)).over(1),
    drops("DepthwiseConv2D", |call| depthwise(call, 2)).over(2),
    drops("SeparableConv1D", |call| separable(call, 1)).over(1),
    drops("SeparableConv2D", |call| separable(call, 2)).over(2),
    drops("SeparableConvolution1D", |call| separable(call, 1)).over(1),
    drops("SeparableConvolution2D", |call| separable(call, 2)).over(2),
    drops("Conv1DTranspose", |call| transpose(call, 1)).over(1),
    drops("Conv2DTranspose", |call| transpose(call, 2)).over(2),
    drops("Conv3DTranspose", |call| transpose(call, 3)).over(3),
    drops("Convolution1DTranspose", |call| transpose(call, 1)).over(1),
    drops("Convolution2DTranspose", |call| transpose(call, 2)).over(2),
    drops("Convolution3DTranspose", |call| transpose(call, 3)).over(3),
];

/// A kernel whose numbers lie as the slot's do, axes of length 1 apart.
fn kernel(name: &'static str, key: usize, written: Vec<usize>, shape: &[usize]) -> Var {
    let turn = Turn::new(&written, shape, (0..shape.len()).collect(), shape);
    Var { slot: "weight", name, key, turn }
}

/// A bias.
fn bias(key: usize, outputs: usize) -> Var {
    Var { slot: "bias", name: "bias", key, turn: Turn::none(&[outputs]) }
}

/// Channels of the kernel in the file, its last axis but one.
fn kernel_channels(call: &Call<'_, '_, '_>, name: &str) -> Option<usize> {
    let shape = call.shape(name, 0)?;
    shape.len().checked_sub(2).and_then(|at| shape.get(at)).copied()
}

/// A product of channels.
fn times(call: &mut Call<'_, '_, '_>, a: usize, b: usize) -> Option<usize> {
    match a.checked_mul(b).filter(|&count| count <= 1 << 31) {
        Some(count) => Some(count),
        None => call.refuse(Code::Overflow, "it has more channels than can be counted"),
    }
}

/// Writes a convolution of an image.
fn put(call: &mut Call<'_, '_, '_>, image: &Image, op: Op, vars: Vec<Var>) -> Option<Flow> {
    let made = call.make_with(&op, &[&image.flow], image.order(), vars)?;
    Some(image.made(made))
}

fn conv(call: &mut Call<'_, '_, '_>, dims: usize) -> Option<Flow> {
    let outputs = call.settings.length("filters");
    let size = call.settings.needed_lengths("kernel_size", dims);
    let (stride, dilation) = (call.settings.lengths("strides", dims), call.settings.lengths("dilation_rate", dims));
    let groups = call.settings.maybe_length("groups").unwrap_or(1);
    let has_bias = call.settings.flag("use_bias", true);
    let image = image(call, dims)?;
    let border = border(call, dims + image.lead, dims == 1);
    let activation = function::setting(call, "activation");
    call.done()?;
    let of_kernel = kernel_channels(call, "kernel").and_then(|each| each.checked_mul(groups));
    let inputs = channels(call, &image, of_kernel)?;
    if inputs % groups != 0 || outputs % groups != 0 {
        let what = format!("its {groups} groups do not divide the channels, {inputs} in and {outputs} out");
        return call.refuse(Code::LayerShape, &what);
    }
    let written = [&size[..], &[inputs / groups, outputs]].concat();
    let window = window::window(&image, size, stride, dilation, border);
    let shape = [&window.size[..], &[inputs / groups, outputs]].concat();
    let mut vars = vec![kernel("kernel", 0, written, &shape)];
    vars.extend(has_bias.then(|| bias(1, outputs)));
    let made = put(call, &image, Op::Conv(Conv { inputs, outputs, groups, window, bias: has_bias }), vars)?;
    function::apply(call, activation, made)
}

/// Settings of a window that walks over each channel by itself.
struct Depthwise {
    size: Vec<usize>,
    stride: Vec<usize>,
    dilation: Vec<usize>,
    multiplier: usize,
    has_bias: bool,
}

fn depthwise_settings(call: &mut Call<'_, '_, '_>, dims: usize) -> Depthwise {
    Depthwise {
        size: call.settings.needed_lengths("kernel_size", dims),
        stride: call.settings.lengths("strides", dims),
        dilation: call.settings.lengths("dilation_rate", dims),
        multiplier: call.settings.maybe_length("depth_multiplier").unwrap_or(1),
        has_bias: call.settings.flag("use_bias", true),
    }
}

/// Writes the window over each channel; the kernel is `[k…, channels, multiplier]`. Gives how many channels come out.
fn each_channel(
    call: &mut Call<'_, '_, '_>,
    image: &Image,
    depthwise: Depthwise,
    border: Border,
    name: &'static str,
    with_bias: bool,
) -> Option<(Flow, usize)> {
    let Depthwise { size, stride, dilation, multiplier, .. } = depthwise;
    let inputs = {
        let of_kernel = kernel_channels(call, name);
        channels(call, image, of_kernel)?
    };
    let outputs = times(call, inputs, multiplier)?;
    let written = [&size[..], &[inputs, multiplier]].concat();
    let window = window::window(image, size, stride, dilation, border);
    let shape = [&window.size[..], &[1, outputs]].concat();
    let mut vars = vec![kernel(name, 0, written, &shape)];
    vars.extend(with_bias.then(|| bias(1, outputs)));
    let op = Op::Conv(Conv { inputs, outputs, groups: inputs, window, bias: with_bias });
    Some((put(call, image, op, vars)?, outputs))
}

fn depthwise(call: &mut Call<'_, '_, '_>, dims: usize) -> Option<Flow> {
    let settings = depthwise_settings(call, dims);
    let image = image(call, dims)?;
    let border = border(call, dims + image.lead, dims == 1);
    let activation = function::setting(call, "activation");
    // What a depthwise layer of Keras 2 keeps of the class it is made of.
    call.settings.ignore(&["filters", "groups"]);
    call.done()?;
    let name = if call.shape("depthwise_kernel", 0).is_some() { "depthwise_kernel" } else { "kernel" };
    let has_bias = settings.has_bias;
    let (made, _) = each_channel(call, &image, settings, border, name, has_bias)?;
    function::apply(call, activation, made)
}

fn separable(call: &mut Call<'_, '_, '_>, dims: usize) -> Option<Flow> {
    let outputs = call.settings.length("filters");
    let settings = depthwise_settings(call, dims);
    let image = image(call, dims)?;
    let border = border(call, dims + image.lead, dims == 1);
    let activation = function::setting(call, "activation");
    call.settings.ignore(&["groups"]);
    call.done()?;
    let has_bias = settings.has_bias;
    let (made, inputs) = each_channel(call, &image, settings, border, "depthwise_kernel", false)?;
    let (ones, no_border) = (vec![1; dims], vec![[0, 0]; dims + image.lead]);
    let window = window::window(&image, ones.clone(), ones.clone(), ones, Border::Explicit(no_border));
    let written = [&vec![1; dims][..], &[inputs, outputs]].concat();
    let shape = [&window.size[..], &[inputs, outputs]].concat();
    let mut vars = vec![kernel("pointwise_kernel", 1, written, &shape)];
    vars.extend(has_bias.then(|| bias(2, outputs)));
    let image = Image { flow: made, ..image };
    let made = put(call, &image, Op::Conv(Conv { inputs, outputs, groups: 1, window, bias: has_bias }), vars)?;
    function::apply(call, activation, made)
}

/// A transposed convolution. Keras's kernel is `[k…, outputs, inputs]`. Without `output_padding` the output has `L·s` places with
/// `same`, `L·s + max(k − s, 0)` with `valid`; with it `(L − 1)·s + k − 2p + output_padding`, `p` being `k / 2` with `same`. Of what
/// is cut off an odd place is cut after (TensorFlow's gradient of a convolution).
fn transpose(call: &mut Call<'_, '_, '_>, dims: usize) -> Option<Flow> {
    let outputs = call.settings.length("filters");
    let size = call.settings.needed_lengths("kernel_size", dims);
    let (stride, dilation) = (call.settings.lengths("strides", dims), call.settings.lengths("dilation_rate", dims));
    let added = call.settings.maybe_lengths("output_padding", dims, 0);
    let has_bias = call.settings.flag("use_bias", true);
    let image = image(call, dims)?;
    let same = border(call, dims + image.lead, false) == Border::Same;
    let activation = function::setting(call, "activation");
    call.settings.ignore(&["groups"]);
    call.done()?;
    let inputs = call.shape("kernel", 0).and_then(|shape| shape.last().copied());
    let inputs = channels(call, &image, inputs)?;
    let (mut sides, mut extra) = (vec![[0, 0]; image.lead], vec![0; image.lead]);
    for (axis, (&size, &stride)) in size.iter().zip(&stride).enumerate() {
        let reach = dilation.get(axis).map_or(1, |&dilation| dilation.saturating_mul(size - 1).saturating_add(1));
        let (cut, more) = match added.as_ref().and_then(|added| added.get(axis)) {
            None if same => (reach.saturating_sub(stride), stride.saturating_sub(reach)),
            None => (0, stride.saturating_sub(reach)),
            Some(&more) => {
                let cut = if same { 2 * (reach / 2) } else { 0 };
                (cut.saturating_sub(more), more.saturating_sub(cut))
            }
        };
        sides.push([cut / 2, cut - cut / 2]);
        extra.push(more);
    }
    let written = [&size[..], &[outputs, inputs]].concat();
    let window = window::window(&image, size, stride, dilation, Border::Explicit(sides));
    let cut = [&window.size[..], &[outputs, inputs]].concat();
    let shape = [&window.size[..], &[inputs, outputs]].concat();
    let axes = window.size.len();
    let turn = Turn::new(&written, &cut, (0..axes).chain([axes + 1, axes]).collect(), &shape);
    let mut vars = vec![Var { slot: "weight", name: "kernel", key: 0, turn }];
    vars.extend(has_bias.then(|| bias(1, outputs)));
    let op = Op::ConvTranspose { conv: Conv { inputs, outputs, groups: 1, window, bias: has_bias }, extra };
    let made = put(call, &image, op, vars)?;
    function::apply(call, activation, made)
}
