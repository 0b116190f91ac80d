//! Functions of one number: the activation classes of `torch.nn` and PyTorch's functions of the same meaning.

use super::call::Call;
use crate::describe::lowering::{Axes, Value};
use crate::describe::{Op, Unary};
use crate::faults::Code;

/// A function without a setting.
fn bare(call: &mut Call, unary: Unary) -> Option<Value> {
    call.args.ignore(&["inplace"]);
    call.done()?;
    let value = call.input()?;
    call.keep(&Op::Unary(unary), &value)
}

macro_rules! bare {
    ($($name:ident = $unary:expr;)*) => {
        $(pub(super) fn $name(call: &mut Call) -> Option<Value> { bare(call, $unary) })*
    };
}

bare! {
    relu = Unary::Relu;
    relu6 = Unary::Clip { min: 0.0, max: 6.0 };
    tanh = Unary::Tanh;
    sigmoid = Unary::Sigmoid;
    selu = Unary::Selu;
    silu = Unary::Silu;
    mish = Unary::Mish;
    softsign = Unary::Softsign;
    hardsigmoid = Unary::HardSigmoid { slope: 1.0 / 6.0, shift: 0.5 };
    hardswish = Unary::HardSwish;
    log_sigmoid = Unary::LogSigmoid;
    tanhshrink = Unary::TanhShrink;
    exp = Unary::Exp;
    log = Unary::Log;
    sqrt = Unary::Sqrt;
    abs = Unary::Abs;
    erf = Unary::Erf;
    negative = Unary::Power { power: 1.0, scale: -1.0, shift: 0.0 };
}

/// Gives on what it gets: `Identity` and, in evaluation mode, every dropout.
pub(super) fn identity(call: &mut Call) -> Option<Value> {
    call.done()?;
    let value = call.input()?;
    call.keep(&Op::Identity, &value)
}

pub(super) fn dropout(call: &mut Call) -> Option<Value> {
    call.args.ignore(&["inplace", "training"]);
    if !(0.0..=1.0).contains(&call.args.real("p", Some(0.5))) {
        call.args.wrong("p", "wants a number from 0 to 1");
    }
    identity(call)
}

/// `make` of one setting with its default.
fn one(call: &mut Call, key: &'static str, default: f64, make: impl Fn(f64) -> Unary) -> Option<Value> {
    let setting = call.args.real(key, Some(default));
    bare(call, make(setting))
}

pub(super) fn leaky_relu(call: &mut Call) -> Option<Value> {
    one(call, "negative_slope", 0.01, |slope| Unary::LeakyRelu { slope })
}

pub(super) fn elu(call: &mut Call) -> Option<Value> {
    one(call, "alpha", 1.0, |alpha| Unary::Elu { alpha, width: 1.0 })
}

pub(super) fn celu(call: &mut Call) -> Option<Value> {
    let alpha = call.args.real("alpha", Some(1.0));
    if alpha == 0.0 {
        call.args.wrong("alpha", "is divided by and must not be 0");
    }
    bare(call, Unary::Elu { alpha, width: alpha })
}

pub(super) fn hardshrink(call: &mut Call) -> Option<Value> {
    one(call, "lambd", 0.5, |lambda| Unary::HardShrink { lambda })
}

pub(super) fn softshrink(call: &mut Call) -> Option<Value> {
    let lambda = call.args.real("lambd", Some(0.5));
    if lambda < 0.0 {
        call.args.wrong("lambd", "wants a number from 0");
    }
    bare(call, Unary::SoftShrink { lambda })
}

pub(super) fn gelu(call: &mut Call) -> Option<Value> {
    let approximate = call.args.word("approximate", &["none", "tanh"]);
    bare(call, Unary::Gelu { tanh: approximate == "tanh" })
}

pub(super) fn softplus(call: &mut Call) -> Option<Value> {
    let beta = call.args.real("beta", Some(1.0));
    let threshold = call.args.real("threshold", Some(20.0));
    bare(call, Unary::Softplus { beta, threshold })
}

pub(super) fn hardtanh(call: &mut Call) -> Option<Value> {
    let min = call.args.real("min_val", Some(-1.0));
    let max = call.args.real("max_val", Some(1.0));
    if min > max {
        call.args.wrong("max_val", "is below min_val");
    }
    bare(call, Unary::Clip { min, max })
}

/// `clamp(min, max)`, either of which may be None.
pub(super) fn clamp(call: &mut Call) -> Option<Value> {
    let min = call.args.maybe_real("min");
    let max = call.args.maybe_real("max");
    if min.is_none() && max.is_none() {
        call.args.wrong("min", "or max must be given");
    }
    // PyTorch gives `max` where the two cross.
    let (min, max) = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
    bare(call, Unary::Clip { min: min.min(max), max })
}

pub(super) fn threshold(call: &mut Call) -> Option<Value> {
    let threshold = call.args.real("threshold", None);
    let value = call.args.real("value", None);
    bare(call, Unary::Threshold { threshold, value })
}

/// `RReLU` in evaluation mode: a leaky ReLU with the mean of its bounds.
pub(super) fn rrelu(call: &mut Call) -> Option<Value> {
    let lower = call.args.real("lower", Some(1.0 / 8.0));
    let upper = call.args.real("upper", Some(1.0 / 3.0));
    bare(call, Unary::LeakyRelu { slope: (lower + upper) / 2.0 })
}

/// `pow(exponent)`.
pub(super) fn pow(call: &mut Call) -> Option<Value> {
    let power = call.args.real("exponent", None);
    bare(call, Unary::Power { power, scale: 1.0, shift: 0.0 })
}

/// `scale(factor)`.
pub(super) fn scale(call: &mut Call) -> Option<Value> {
    let scale = call.args.real("factor", None);
    bare(call, Unary::Power { power: 1.0, scale, shift: 0.0 })
}

/// A slope for each channel (axis 1), or one for all.
pub(super) fn prelu(call: &mut Call) -> Option<Value> {
    let features = call.args.length("num_parameters", Some(1));
    call.args.ignore(&["init"]);
    call.done()?;
    let value = match features {
        1 => call.input()?,
        _ => call.channels()?.0,
    };
    call.keep(&Op::Prelu { features }, &value)
}

/// Along PyTorch's `dim`; without one along axis 1, or the last where there are two axes, as PyTorch still does.
fn softmax_along(call: &mut Call, value: &Value, dim: Option<i64>, log: bool) -> Option<Value> {
    let dim = match (dim, &value.axes) {
        (Some(dim), _) => dim,
        (None, Some(axes)) if axes.rank() != 2 => 1,
        (None, _) => {
            call.args.wrong("dim", "must be given here");
            call.done()?;
            return None;
        }
    };
    let axis = call.lying(dim, value)?;
    call.keep(&Op::Softmax { axis, log }, value)
}

fn softmax_of(call: &mut Call, log: bool) -> Option<Value> {
    let dim = call.args.maybe_whole("dim");
    call.done()?;
    let value = call.input()?;
    softmax_along(call, &value, dim, log)
}

pub(super) fn softmax(call: &mut Call) -> Option<Value> {
    softmax_of(call, false)
}

pub(super) fn log_softmax(call: &mut Call) -> Option<Value> {
    softmax_of(call, true)
}

/// The softmax of the negative.
pub(super) fn softmin(call: &mut Call) -> Option<Value> {
    let dim = call.args.maybe_whole("dim");
    call.done()?;
    let value = call.input()?;
    let order = value.axes.as_ref().map(|axes| axes.order.clone());
    let negative = Op::Unary(Unary::Power { power: 1.0, scale: -1.0, shift: 0.0 });
    let value = call.step("negative", &negative, &[&value], order);
    softmax_along(call, &value, dim, false)
}

/// A softmax over the channels of images.
pub(super) fn softmax2d(call: &mut Call) -> Option<Value> {
    call.done()?;
    let mut value = call.input()?;
    value.axes.get_or_insert_with(|| Axes::plain(vec![None; 3]));
    let rank = call.axes(&value)?.rank();
    if rank != 3 {
        return call.refuse(Code::LayerShape, "it wants images, [batch, channels, height, width]");
    }
    softmax_along(call, &value, Some(1), false)
}

/// `x / max(‖x‖₂, eps)` along `dim`.
pub(super) fn l2_normalize(call: &mut Call) -> Option<Value> {
    if call.args.real("p", Some(2.0)) != 2.0 {
        call.args.wrong("p", "wants 2; other norms are not run");
    }
    let dim = call.args.whole("dim", Some(1));
    let epsilon = call.args.real("eps", Some(1e-12));
    call.done()?;
    let value = call.input()?;
    let axis = call.lying(dim, &value)?;
    call.keep(&Op::L2Normalize { axis, epsilon }, &value)
}
