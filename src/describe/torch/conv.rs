//! Convolutions and transposed convolutions.

use super::call::Call;
use crate::describe::lowering::Value;
use crate::describe::{Border, Conv, Op, PadMode, Window};

/// What both kinds take.
fn shared(call: &mut Call, dims: usize) -> Conv {
    let inputs = call.args.length("in_channels", None);
    let outputs = call.args.length("out_channels", None);
    let size = call.args.each_needed("kernel_size", dims);
    let stride = call.args.each("stride", dims, 1).unwrap_or_else(|| vec![1; dims]);
    let dilation = call.args.each("dilation", dims, 1).unwrap_or_else(|| vec![1; dims]);
    let groups = call.args.length("groups", Some(1));
    for (key, channels) in [("in_channels", inputs), ("out_channels", outputs)] {
        if channels % groups != 0 {
            call.args.wrong(key, &format!("is no multiple of groups ({groups})"));
        }
    }
    let bias = call.args.flag("bias", true);
    let window = Window { size, stride, dilation, border: Border::Explicit(Vec::new()), ceil: false };
    Conv { inputs, outputs, groups, window, bias }
}

pub(super) fn conv<const D: usize>(call: &mut Call) -> Option<Value> {
    let mut conv = shared(call, D);
    let border = border(call, &conv.window);
    let mode = match call.args.word("padding_mode", &["zeros", "reflect", "replicate", "circular"]) {
        "reflect" => Some(PadMode::Reflect),
        "replicate" => Some(PadMode::Edge),
        "circular" => Some(PadMode::Circular),
        _ => None,
    };
    call.done()?;
    let mut value = call.windows(D)?;
    let order = value.axes.as_ref().map(|axes| axes.order.clone());
    conv.window.border = match mode {
        Some(mode) if border.iter().any(|sides| *sides != [0, 0]) => {
            let border = border.into_iter().chain([[0, 0]]).collect();
            value = call.step("pad", &Op::Pad { border, mode }, &[&value], order.clone());
            Border::Explicit(vec![[0, 0]; D])
        }
        _ => Border::Explicit(border),
    };
    call.make(&Op::Conv(conv), &[&value], order)
}

/// `padding`: a number, one for each axis, `valid`, or `same`, whose odd place PyTorch puts behind.
fn border(call: &mut Call, window: &Window) -> Vec<[usize; 2]> {
    let dims = window.size.len();
    let text = match call.args.get("padding").map(|attribute| &attribute.value) {
        Some(crate::describe::Value::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    match text {
        None => {
            let sides = call.args.each("padding", dims, 0).unwrap_or_else(|| vec![0; dims]);
            sides.into_iter().map(|side| [side, side]).collect()
        }
        Some("valid") => vec![[0, 0]; dims],
        Some("same") => {
            if window.stride.iter().any(|stride| *stride != 1) {
                call.args.wrong("padding", "can not be 'same' with a stride");
            }
            let total = |(size, dilation): (&usize, &usize)| (size - 1).saturating_mul(*dilation);
            let totals = window.size.iter().zip(&window.dilation).map(total);
            totals.map(|total| [total / 2, total - total / 2]).collect()
        }
        Some(_) => {
            call.args.wrong("padding", "wants numbers from 0, 'same' or 'valid'");
            vec![[0, 0]; dims]
        }
    }
}

pub(super) fn conv_transpose<const D: usize>(call: &mut Call) -> Option<Value> {
    let mut conv = shared(call, D);
    let sides = call.args.each("padding", D, 0).unwrap_or_else(|| vec![0; D]);
    let extra = call.args.each("output_padding", D, 0).unwrap_or_else(|| vec![0; D]);
    call.args.word("padding_mode", &["zeros"]);
    let steps = conv.window.stride.iter().zip(&conv.window.dilation);
    if extra.iter().zip(steps).any(|(extra, (stride, dilation))| extra >= stride && extra >= dilation) {
        call.args.wrong("output_padding", "must be below stride or dilation");
    }
    call.done()?;
    let value = call.windows(D)?;
    conv.window.border = Border::Explicit(sides.into_iter().map(|side| [side, side]).collect());
    call.keep(&Op::ConvTranspose { conv, extra }, &value)
}
