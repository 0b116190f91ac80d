//! Settings of the layers that compute.

use super::Reader;
use crate::describe::Binary;
use crate::describe::mocha::kind::{Kind, Window};

pub(in super::super) fn inner_product(read: &mut Reader) -> Kind {
    let outputs = read.args.length("output_dim", None);
    read.parameters(&["weight_init", "weight_regu", "weight_cons", "weight_lr"], true);
    Kind::InnerProduct { outputs, neuron: read.neuron() }
}

pub(in super::super) fn tied_inner_product(read: &mut Reader) -> Kind {
    let tied = read.text("tied_param_key");
    read.parameters(&[""; 4], true);
    Kind::TiedInnerProduct { tied, neuron: read.neuron() }
}

pub(in super::super) fn convolution(read: &mut Reader) -> Kind {
    let (filters, groups) = (read.args.length("n_filter", Some(1)), read.args.length("n_group", Some(1)));
    if filters % groups != 0 {
        read.args.wrong("n_filter", &format!("is no multiple of n_group ({groups})"));
    }
    read.parameters(&["filter_init", "filter_regu", "filter_cons", "filter_lr"], true);
    Kind::Convolution { filters, groups, window: window(read), neuron: read.neuron() }
}

pub(in super::super) fn pooling(read: &mut Reader) -> Kind {
    let window = window(read);
    for (pad, kernel) in window.pad.iter().zip(window.kernel) {
        if *pad >= kernel {
            read.args.wrong("pad", "must be less than the kernel, or a window would lie outside of the input");
            break;
        }
    }
    Kind::Pooling { window, pool: read.pool(), neuron: read.neuron() }
}

fn window(read: &mut Reader) -> Window {
    Window { kernel: read.pair("kernel", 1, 1), stride: read.pair("stride", 1, 1), pad: read.pair("pad", 0, 0) }
}

pub(in super::super) fn channel_pooling(read: &mut Reader) -> Kind {
    let (kernel, stride) = (read.args.length("kernel", Some(1)), read.args.length("stride", Some(1)));
    let pad = match read.args.each("pad", 2, 0).as_deref() {
        Some(&[before, after]) => [before, after],
        _ => [0; 2],
    };
    if pad.iter().any(|pad| *pad >= kernel) {
        read.args.wrong("pad", "must be less than the kernel, or a window would lie outside of the input");
    }
    let dim = read.dim("channel_dim", -2);
    if dim == -1 {
        read.args.wrong("channel_dim", "is the batch, along which nothing is pooled");
    }
    Kind::ChannelPooling { kernel, stride, pad, dim, pool: read.pool() }
}

pub(in super::super) fn lrn(read: &mut Reader) -> Kind {
    let kernel = read.args.length("kernel", Some(5));
    let (scale, shift) = (read.args.real("scale", Some(1.0)), read.args.real("shift", Some(1.0)));
    let power = read.args.real("power", Some(0.75));
    let across = read.made("mode", &["AcrossChannel", "WithinChannel"]).0 == "AcrossChannel";
    if !across && kernel % 2 == 0 {
        read.args.wrong("kernel", "must be odd within a channel: an even window has no middle");
    }
    Kind::Lrn { across, kernel, scale, shift, power, dim: read.dim("channel_dim", -2) }
}

pub(in super::super) fn softmax(read: &mut Reader) -> Kind {
    let dim = read.dim("dim", -2);
    if dim == -1 {
        read.args.wrong("dim", "is the batch; examples are never mixed");
    }
    Kind::Softmax { dim }
}

pub(in super::super) fn power(read: &mut Reader) -> Kind {
    let (power, scale) = (read.args.real("power", Some(1.0)), read.args.real("scale", Some(1.0)));
    let shift = read.args.real("shift", Some(0.0));
    Kind::Power { power, scale, shift, quotient: read.args.flag("quotient", false) }
}

pub(in super::super) fn element_wise(read: &mut Reader) -> Kind {
    Kind::ElementWise(match read.made("operation", &["Add", "Subtract", "Multiply", "Divide"]).0 {
        "Subtract" => Binary::Subtract,
        "Multiply" => Binary::Multiply,
        "Divide" => Binary::Divide,
        _ => Binary::Add,
    })
}

pub(in super::super) fn dropout(read: &mut Reader) -> Kind {
    let ratio = read.ratio();
    Kind::Dropout { ratio, auto_scale: read.args.flag("auto_scale", true) }
}

pub(in super::super) fn random_mask(read: &mut Reader) -> Kind {
    Kind::Dropout { ratio: read.ratio(), auto_scale: false }
}

pub(in super::super) fn crop(read: &mut Reader) -> Kind {
    let size = match read.args.each_needed("crop_size", 2).as_slice() {
        &[width, height] => [height, width],
        _ => [1; 2],
    };
    let random = read.args.flag("random_crop", false);
    Kind::Crop { size, random, mirror: read.args.flag("random_mirror", false) }
}
