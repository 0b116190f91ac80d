//! An operation back in Pontil's words: what a reader of another framework's network writes its description with.
//!
//! The reverse of the rows in `words`: the word and settings given here make the same operation again.

use super::{
    Attribute, Binary, Border, Divisor, Op, PadMode, PoolKind, Position, ReduceKind, Unary, UpsampleMode, UpsampleSize,
    Value, Window,
};

/// The word of an operation and its settings, each said to stand at `position`.
pub(crate) fn spell(op: &Op, position: Position) -> (String, Vec<Attribute>) {
    let mut settings = Settings(Vec::new());
    let word = word(op, &mut settings);
    let attributes = settings.0.into_iter().map(|(key, value)| Attribute { key: key.into(), value, position });
    (word, attributes.collect())
}

/// Settings as they come.
struct Settings(Vec<(&'static str, Value)>);

impl Settings {
    fn put(&mut self, key: &'static str, value: Value) -> &mut Settings {
        self.0.push((key, value));
        self
    }

    fn length(&mut self, key: &'static str, length: usize) -> &mut Settings {
        self.put(key, whole(length))
    }

    fn lengths(&mut self, key: &'static str, lengths: &[usize]) -> &mut Settings {
        self.put(key, list(lengths, |length| whole(*length)))
    }

    fn wholes(&mut self, key: &'static str, wholes: &[i64]) -> &mut Settings {
        self.put(key, list(wholes, |number| Value::Int(*number)))
    }

    fn real(&mut self, key: &'static str, number: f64) -> &mut Settings {
        self.put(key, Value::Real(number))
    }

    fn flag(&mut self, key: &'static str, flag: bool) -> &mut Settings {
        self.put(key, Value::Bool(flag))
    }

    fn text(&mut self, key: &'static str, text: &str) -> &mut Settings {
        self.put(key, Value::Text(text.into()))
    }

    /// A length for each window axis, under the names of the axes.
    fn sides(&mut self, sides: &[usize]) -> &mut Settings {
        for (key, side) in axes(sides.len()).iter().zip(sides) {
            self.length(key, *side);
        }
        self
    }

    fn window(&mut self, window: &Window) -> &mut Settings {
        self.sides(&window.size).lengths("stride", &window.stride);
        match &window.border {
            Border::Explicit(border) => self.put("padding", borders(border)),
            Border::Same => self.text("padding", "same"),
            Border::Causal => self.text("padding", "causal"),
        }
    }

    fn dilation(&mut self, window: &Window) -> &mut Settings {
        self.lengths("dilation", &window.dilation)
    }
}

fn word(op: &Op, s: &mut Settings) -> String {
    let plain = match op {
        Op::Identity => "identity",
        Op::Constant { shape, values } => {
            s.lengths("shape", shape).put("values", list(values, |number| Value::Real(f64::from(*number))));
            "constant"
        }
        Op::Parameter { shape } => {
            s.lengths("shape", shape);
            "parameter"
        }
        Op::Dense { inputs, outputs, bias } => {
            s.length("inputs", *inputs).length("outputs", *outputs).flag("bias", *bias);
            "dense"
        }
        Op::Conv(conv) => {
            s.length("inChannels", conv.inputs).length("outChannels", conv.outputs);
            s.window(&conv.window).dilation(&conv.window).length("groups", conv.groups).flag("bias", conv.bias);
            return format!("conv{}d", conv.window.size.len());
        }
        Op::ConvTranspose { conv, extra } => {
            s.length("inChannels", conv.inputs).length("outChannels", conv.outputs);
            s.window(&conv.window).dilation(&conv.window).lengths("outputPadding", extra);
            s.length("groups", conv.groups).flag("bias", conv.bias);
            return format!("convTranspose{}d", conv.window.size.len());
        }
        Op::Pool { kind, window } => return pool(*kind, window, s),
        Op::AdaptivePool { max, places } => {
            for (key, place) in axes(places.len()).iter().zip(places) {
                s.put(key, place.map_or(Value::Null, whole));
            }
            return format!("adaptive{}Pool{}d", if *max { "Max" } else { "Avg" }, places.len());
        }
        Op::GlobalPool { max, dims, keep } => {
            s.flag("keepsAxes", *keep);
            return format!("global{}pool{dims}d", if *max { "max" } else { "avg" });
        }
        Op::BatchNorm { features, epsilon, momentum, affine } => {
            s.length("features", *features).real("momentum", *momentum).real("epsilon", *epsilon);
            s.flag("affine", *affine);
            "batchNorm"
        }
        Op::LayerNorm { shape, epsilon, weight, bias } => {
            s.lengths("shape", shape).real("epsilon", *epsilon).flag("weight", *weight).flag("bias", *bias);
            "layerNorm"
        }
        Op::GroupNorm { groups, features, epsilon, affine } => {
            s.length("groups", *groups).length("features", *features).real("epsilon", *epsilon);
            s.flag("affine", *affine);
            "groupNorm"
        }
        Op::Lrn { across, size, later, alpha, beta, k, mean } => {
            s.text("mode", if *across { "across" } else { "within" }).length("size", *size);
            s.real("alpha", *alpha).real("beta", *beta).real("k", *k).flag("mean", *mean).flag("later", *later);
            "lrn"
        }
        Op::Softmax { axis, log } => {
            s.put("axis", Value::Int(*axis));
            if *log { "logSoftmax" } else { "softmax" }
        }
        Op::Unary(unary) => function(*unary, s),
        Op::Prelu { features } => {
            s.length("features", *features);
            "prelu"
        }
        Op::Binary(binary) => match binary {
            Binary::Add => "add",
            Binary::Subtract => "subtract",
            Binary::Multiply => "multiply",
            Binary::Divide => "divide",
            Binary::Maximum => "maximum",
            Binary::Minimum => "minimum",
            Binary::Average => "average",
            Binary::Equal => "equal",
            Binary::Less => "less",
            Binary::Greater => "greater",
            Binary::Power => "raise",
            Binary::Remainder => "remainder",
        },
        Op::Where => "where",
        Op::MatMul => "matmul",
        Op::Concat { axis } => {
            s.put("axis", Value::Int(*axis));
            "concat"
        }
        Op::Permute { axes } => {
            s.wholes("axes", axes);
            "permute"
        }
        Op::Flatten { start, end } => {
            s.put("start", Value::Int(*start)).put("end", Value::Int(*end));
            "flatten"
        }
        Op::Reshape { each } => {
            s.wholes("each", each);
            "reshape"
        }
        Op::Squeeze { axes } => {
            s.wholes("axes", axes);
            "squeeze"
        }
        Op::Unsqueeze { axes } => {
            s.wholes("axes", axes);
            "unsqueeze"
        }
        Op::Slice { axis, start, end, step } => {
            s.put("axis", Value::Int(*axis)).put("start", Value::Int(*start));
            if let Some(end) = end {
                s.put("end", Value::Int(*end));
            }
            s.length("step", *step);
            "slice"
        }
        Op::Pad { border, mode } => {
            s.put("border", borders(border));
            match mode {
                PadMode::Constant(number) => s.text("mode", "constant").real("value", *number),
                PadMode::Reflect => s.text("mode", "reflect"),
                PadMode::Edge => s.text("mode", "edge"),
                PadMode::Circular => s.text("mode", "circular"),
            };
            "pad"
        }
        Op::Upsample { size, mode, .. } => {
            match size {
                UpsampleSize::To(lengths) => s.lengths("size", lengths),
                UpsampleSize::By(factors) => s.put("scale", list(factors, |factor| Value::Real(*factor))),
            };
            match mode {
                UpsampleMode::Nearest => s.text("mode", "nearest"),
                UpsampleMode::NearestExact => s.text("mode", "nearestExact"),
                UpsampleMode::Linear => s.text("mode", "linear"),
                UpsampleMode::LinearCorners => s.text("mode", "linear").flag("alignCorners", true),
            };
            "upsample"
        }
        Op::Reduce { kind, axes, keep } => {
            match (kind, &axes[..]) {
                (ReduceKind::Place, [axis]) => s.put("axis", Value::Int(*axis)),
                _ => s.wholes("axes", axes),
            };
            s.flag("keepsAxes", *keep);
            match kind {
                ReduceKind::Mean => "mean",
                ReduceKind::Max => "max",
                ReduceKind::Sum => "sum",
                ReduceKind::Product => "product",
                ReduceKind::Place => "argMax",
            }
        }
        Op::L2Normalize { axis, epsilon } => {
            s.put("axis", Value::Int(*axis)).real("epsilon", *epsilon);
            "l2Normalize"
        }
        Op::Scale { shape } => {
            s.lengths("shape", shape);
            "scale"
        }
        Op::PositionTable { shape } => {
            s.lengths("shape", shape);
            "positionTable"
        }
        Op::Embedding { count, features } => {
            s.length("count", *count).length("features", *features);
            "embedding"
        }
    };
    plain.to_owned()
}

fn pool(kind: PoolKind, window: &Window, s: &mut Settings) -> String {
    s.window(window).flag("ceil", window.ceil);
    let dims = window.size.len();
    match kind {
        PoolKind::Max => {
            s.dilation(window);
            format!("maxpool{dims}d")
        }
        PoolKind::Mean(divisor) => {
            if window.dilation.iter().any(|step| *step != 1) {
                s.dilation(window);
            }
            match divisor {
                Divisor::Inside => s.text("divisor", "inside"),
                Divisor::Padded => s.text("divisor", "padded"),
                Divisor::Window => s.text("divisor", "window"),
                Divisor::Fixed(number) => s.length("divisor", number),
            };
            format!("avgpool{dims}d")
        }
    }
}

fn function(unary: Unary, s: &mut Settings) -> &'static str {
    match unary {
        Unary::Relu => "relu",
        Unary::Tanh => "tanh",
        Unary::Sigmoid => "sigmoid",
        Unary::Selu => "selu",
        Unary::Silu => "silu",
        Unary::Mish => "mish",
        Unary::Softsign => "softsign",
        Unary::HardSwish => "hardSwish",
        Unary::Exp => "exp",
        Unary::Log => "log",
        Unary::Sqrt => "sqrt",
        Unary::Abs => "abs",
        Unary::Erf => "erf",
        Unary::Sin => "sin",
        Unary::Cos => "cos",
        Unary::Floor => "floor",
        Unary::Ceil => "ceil",
        Unary::Round => "round",
        Unary::Sign => "sign",
        Unary::LogSigmoid => "logSigmoid",
        Unary::TanhShrink => "tanhShrink",
        Unary::LeakyRelu { slope } => {
            s.real("negativeSlope", slope);
            "leakyRelu"
        }
        Unary::Elu { alpha, width } => {
            s.real("alpha", alpha);
            if width == 1.0 { "elu" } else { "celu" }
        }
        Unary::Gelu { tanh } => {
            s.text("approximate", if tanh { "tanh" } else { "none" });
            "gelu"
        }
        Unary::Softplus { beta, threshold } => {
            s.real("beta", beta).real("threshold", threshold);
            "softplus"
        }
        Unary::HardSigmoid { slope, shift } => {
            s.real("slope", slope).real("shift", shift);
            "hardSigmoid"
        }
        Unary::Clip { min, max } => {
            for (key, bound) in [("min", min), ("max", max)] {
                if bound.is_finite() {
                    s.real(key, bound);
                }
            }
            "clip"
        }
        Unary::Power { power, scale, shift } => {
            s.real("power", power).real("scale", scale).real("shift", shift);
            "power"
        }
        Unary::HardShrink { lambda } => {
            s.real("lambda", lambda);
            "hardShrink"
        }
        Unary::SoftShrink { lambda } => {
            s.real("lambda", lambda);
            "softShrink"
        }
        Unary::Threshold { threshold, value } => {
            s.real("threshold", threshold).real("value", value);
            "threshold"
        }
    }
}

/// Names of the window axes.
fn axes(dims: usize) -> &'static [&'static str] {
    match dims {
        1 => &["length"],
        2 => &["height", "width"],
        _ => &["depth", "height", "width"],
    }
}

fn whole(length: usize) -> Value {
    Value::Int(i64::try_from(length).unwrap_or(i64::MAX))
}

fn list<T>(items: &[T], each: impl Fn(&T) -> Value) -> Value {
    Value::List(items.iter().map(each).collect())
}

fn borders(border: &[[usize; 2]]) -> Value {
    list(border, |sides| list(sides, |side| whole(*side)))
}
