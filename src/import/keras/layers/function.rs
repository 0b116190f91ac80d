//! Activations: functions by name, and layers written where a function is wanted.

use crate::{
    describe::{Binary, Op, Unary, lowering},
    faults::{Code, quoted_str},
    formats::json::Json,
    import::keras::{call::Call, flow::Flow, variables::Scope},
};

/// What stands where an activation is wanted.
#[derive(Clone, Copy)]
pub(super) enum Activation<'a> {
    /// None, or the function that does nothing.
    Linear,
    /// A function by its name.
    Named(&'a str),
    /// A layer.
    Layer(&'a Json),
    /// Refused; that has been said.
    Refused,
}

/// The activation a setting names. Functions of other modules are refused, and none is ever looked up.
pub(super) fn setting<'a>(call: &mut Call<'_, 'a, '_>, key: &'static str) -> Activation<'a> {
    let Some(said) = call.settings.get(key) else { return Activation::Linear };
    let class = said.get("class_name").and_then(Json::text);
    let name = match (said.text(), class) {
        (Some(name), _) => name,
        (None, Some("function")) => {
            let module = said.get("module").and_then(Json::text).unwrap_or("keras");
            let name = said.get("config").and_then(Json::text).unwrap_or_default();
            let keras = module == "keras" || module.starts_with("keras.") || module.starts_with("tf_keras");
            if !(keras || module == "builtins" && known(name)) {
                let (name, module) = (quoted_str(name), quoted_str(module));
                let what = format!(
                    "its {key} is the function '{name}' of the module '{module}', which is never looked up: use one of Keras's activations"
                );
                let code = if module == "builtins" { Code::Unsupported } else { Code::Hostile };
                call.refuse::<()>(code, &what);
                return Activation::Refused;
            }
            name
        }
        (None, Some(_)) => return Activation::Layer(said),
        (None, None) => {
            call.settings.wrong(key, "wants the name of a function");
            return Activation::Refused;
        }
    };
    match name {
        "linear" => Activation::Linear,
        name if known(name) => Activation::Named(name),
        name => {
            let what = format!(
                "its {key} '{}' is not read: use one of Keras's activations, or export the model as ONNX",
                quoted_str(name)
            );
            call.refuse::<()>(Code::Unsupported, &what);
            Activation::Refused
        }
    }
}

/// The value after an activation.
pub(super) fn apply<'a>(call: &mut Call<'_, 'a, '_>, activation: Activation<'a>, flow: Flow) -> Option<Flow> {
    match activation {
        Activation::Linear => Some(flow),
        Activation::Refused => None,
        Activation::Layer(layer) => {
            let lead = call.at.lead;
            call.part(layer, vec![flow], Scope::Nowhere, lead)
        }
        Activation::Named(name) => named(call, name, flow),
    }
}

/// Whether a function is known by this name.
fn known(name: &str) -> bool {
    plain(name, false).is_some() || COMPOSED.contains(&name)
}

/// Functions that are no single word.
const COMPOSED: [&str; 7] = ["linear", "softmax", "log_softmax", "glu", "squareplus", "sparse_plus", "hard_tanh"];

/// Functions of one number that are a word. Keras 2 has another hard sigmoid.
fn plain(name: &str, before_3: bool) -> Option<Unary> {
    Some(match name {
        "relu" => Unary::Relu,
        "relu6" => Unary::Clip { min: 0.0, max: 6.0 },
        "leaky_relu" => Unary::LeakyRelu { slope: 0.2 },
        "elu" => Unary::Elu { alpha: 1.0, width: 1.0 },
        "celu" => Unary::Elu { alpha: 1.0, width: 1.0 },
        "selu" => Unary::Selu,
        "gelu" => Unary::Gelu { tanh: false },
        "silu" | "swish" => Unary::Silu,
        "mish" => Unary::Mish,
        "softplus" => Unary::Softplus { beta: 1.0, threshold: 20.0 },
        "softsign" => Unary::Softsign,
        "tanh" => Unary::Tanh,
        "tanh_shrink" => Unary::TanhShrink,
        "sigmoid" => Unary::Sigmoid,
        "log_sigmoid" => Unary::LogSigmoid,
        "hard_sigmoid" if before_3 => Unary::HardSigmoid { slope: 0.2, shift: 0.5 },
        "hard_sigmoid" => Unary::HardSigmoid { slope: 1.0 / 6.0, shift: 0.5 },
        "sparse_sigmoid" => Unary::HardSigmoid { slope: 0.5, shift: 0.5 },
        "hard_silu" | "hard_swish" => Unary::HardSwish,
        "hard_shrink" => Unary::HardShrink { lambda: 0.5 },
        "soft_shrink" => Unary::SoftShrink { lambda: 0.5 },
        "exponential" => Unary::Exp,
        _ => return None,
    })
}

/// The value after the function of this name.
pub(super) fn named(call: &mut Call<'_, '_, '_>, name: &str, flow: Flow) -> Option<Flow> {
    if let Some(unary) = plain(name, call.build.before_3) {
        return call.keep(&Op::Unary(unary), &flow);
    }
    let last = flow.rank().checked_sub(1).filter(|&last| last >= call.at.lead);
    let Some(last) = last else {
        return call
            .refuse(Code::LayerShape, "its activation works along the last axis, and there is none beside the batch");
    };
    match name {
        "softmax" | "log_softmax" => {
            let axis = flow.written(last);
            call.keep(&Op::Softmax { axis, log: name == "log_softmax" }, &flow)
        }
        "hard_tanh" => call.keep(&Op::Unary(Unary::Clip { min: -1.0, max: 1.0 }), &flow),
        "squareplus" => {
            let square = call.keep(&power(2.0, 1.0, 0.0), &flow)?;
            let root = call.keep(&power(0.5, 1.0, 4.0), &square)?;
            let sum = binary(call, Binary::Add, &flow, &root)?;
            call.keep(&power(1.0, 0.5, 0.0), &sum)
        }
        // 0 up to -1, (x + 1)² / 4 between, x from 1 on.
        "sparse_plus" => {
            let within = call.keep(&Op::Unary(Unary::Clip { min: -1.0, max: 1.0 }), &flow)?;
            let square = call.keep(&power(2.0, 0.5, 0.5), &within)?;
            let over = call.keep(&power(1.0, 1.0, -1.0), &flow)?;
            let over = call.keep(&Op::Unary(Unary::Relu), &over)?;
            binary(call, Binary::Add, &square, &over)
        }
        // The first half of the last axis, each times the sigmoid of its fellow in the second half.
        _ => {
            let length = call.length(&flow, last, None)?;
            if length % 2 != 0 {
                return call.refuse(Code::LayerShape, "glu halves the last axis, which has an odd length");
            }
            let (axis, half) = (flow.written(last), (length / 2) as i64);
            let cut = |start, end| Op::Slice { axis, start, end, step: 1 };
            let first = call.make(&cut(0, Some(half)), &[&flow], flow.order())?;
            let second = call.make(&cut(half, None), &[&flow], flow.order())?;
            let second = call.keep(&Op::Unary(Unary::Sigmoid), &second)?;
            binary(call, Binary::Multiply, &first, &second)
        }
    }
}

/// `(shift + scale·x)^power`.
pub(super) fn power(power: f64, scale: f64, shift: f64) -> Op {
    Op::Unary(Unary::Power { power, scale, shift })
}

/// Numbers of the file, broadcast from the last axes.
pub(super) fn constant(call: &mut Call<'_, '_, '_>, shape: Vec<usize>, numbers: &[f64]) -> Option<Flow> {
    let order = lowering::plain(shape.len());
    let values = numbers.iter().map(|&number| number as f32).collect();
    call.make(&Op::Constant { shape, values }, &[], order)
}

/// Two values whose axes lie alike, number by number.
pub(super) fn binary(call: &mut Call<'_, '_, '_>, binary: Binary, first: &Flow, second: &Flow) -> Option<Flow> {
    let made = call.make(&Op::Binary(binary), &[first, second], first.order())?;
    Some(made.like(first))
}
