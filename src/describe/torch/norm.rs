//! Normalisations in evaluation mode.

use super::call::Call;
use crate::describe::Op;
use crate::describe::lowering::Value;
use crate::faults::Code;

/// What normalisations over channels share: `eps`, and whether there are weight and bias.
fn epsilon(call: &mut Call) -> f64 {
    let epsilon = call.args.real("eps", Some(1e-5));
    if epsilon < 0.0 {
        call.args.wrong("eps", "wants a number from 0");
    }
    epsilon
}

/// Moves statistics in training alone; None (a plain mean over all batches) makes no difference here.
fn momentum(call: &mut Call) -> f64 {
    let default = 0.1;
    call.args.maybe_real("momentum").unwrap_or(default)
}

/// `BatchNorm2d` and `BatchNorm3d`.
pub(super) fn batch_norm<const D: usize>(call: &mut Call) -> Option<Value> {
    let op = statistics(call)?;
    let value = call.windows(D)?;
    call.keep(&op, &value)
}

/// `BatchNorm1d` takes `[batch, features]` as well as `[batch, features, length]`.
pub(super) fn batch_norm1d(call: &mut Call) -> Option<Value> {
    let op = statistics(call)?;
    let (value, rank) = call.channels()?;
    if rank > 2 {
        return call.refuse(Code::LayerShape, &format!("it wants 2 or 3 axes and gets {}", rank + 1));
    }
    call.keep(&op, &value)
}

fn statistics(call: &mut Call) -> Option<Op> {
    let features = call.args.length("num_features", None);
    let epsilon = epsilon(call);
    let momentum = momentum(call);
    let affine = call.args.flag("affine", true);
    if !call.args.flag("track_running_stats", true) {
        let why = "is false: it would normalise by the batch it sits in, and examples are never mixed";
        call.args.wrong("track_running_stats", why);
    }
    call.done()?;
    Some(Op::BatchNorm { features, epsilon, momentum, affine })
}

/// By the example's own places, or, with kept statistics, by those.
pub(super) fn instance_norm<const D: usize>(call: &mut Call) -> Option<Value> {
    let features = call.args.length("num_features", None);
    let epsilon = epsilon(call);
    let momentum = momentum(call);
    let affine = call.args.flag("affine", false);
    let kept = call.args.flag("track_running_stats", false);
    call.done()?;
    let value = call.windows(D)?;
    let op = if kept {
        Op::BatchNorm { features, epsilon, momentum, affine }
    } else {
        Op::GroupNorm { groups: features, features, epsilon, affine }
    };
    call.keep(&op, &value)
}

pub(super) fn group_norm(call: &mut Call) -> Option<Value> {
    let groups = call.args.length("num_groups", None);
    let features = call.args.length("num_channels", None);
    let epsilon = epsilon(call);
    let affine = call.args.flag("affine", true);
    if features % groups != 0 {
        call.args.wrong("num_channels", &format!("is no multiple of num_groups ({groups})"));
    }
    call.done()?;
    let (value, _) = call.channels()?;
    call.keep(&Op::GroupNorm { groups, features, epsilon, affine }, &value)
}

pub(super) fn layer_norm(call: &mut Call) -> Option<Value> {
    let shape = call.args.shape("normalized_shape");
    let epsilon = epsilon(call);
    let weight = call.args.flag("elementwise_affine", true);
    let bias = call.args.flag("bias", true) && weight;
    call.done()?;
    let value = call.input()?;
    if value.axes.as_ref().is_some_and(|axes| axes.rank() < shape.len()) {
        return call.refuse(Code::LayerShape, &format!("it normalises over {} axes and gets fewer", shape.len()));
    }
    let value = call.plain_tail(&value, shape.len());
    call.keep(&Op::LayerNorm { shape, epsilon, weight, bias }, &value)
}

/// PyTorch divides the total over neighbouring channels by their number.
pub(super) fn local_response_norm(call: &mut Call) -> Option<Value> {
    let size = call.args.length("size", None);
    let alpha = call.args.real("alpha", Some(1e-4));
    let beta = call.args.real("beta", Some(0.75));
    let k = call.args.real("k", Some(1.0));
    call.done()?;
    let (value, rank) = call.channels()?;
    if rank < 2 {
        return call.refuse(Code::LayerShape, "it wants at least 3 axes and gets 2");
    }
    call.keep(&Op::Lrn { across: true, size, later: false, alpha, beta, k, mean: true }, &value)
}

/// Caffe's and Mocha's, within the channel.
pub(super) fn lrn_within_channel(call: &mut Call) -> Option<Value> {
    let size = call.args.length("size", None);
    let alpha = call.args.real("alpha", None);
    let beta = call.args.real("beta", None);
    let k = call.args.real("k", Some(1.0));
    call.done()?;
    let value = call.windows(2)?;
    call.keep(&Op::Lrn { across: false, size, later: false, alpha, beta, k, mean: true }, &value)
}
