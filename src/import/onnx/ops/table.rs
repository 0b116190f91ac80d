//! A row for each operator.

use super::{
    Lower, Row, activation, arithmetic, axes, conv, einsum, linear, norm, places, pool, reduce, resize, shuffle,
    softmax, truth,
};

const fn row(name: &'static str, since: i64, lower: Lower) -> Row {
    Row { name, since, lower: Some(lower) }
}

const fn computed(name: &'static str, since: i64) -> Row {
    Row { name, since, lower: None }
}

const ROWS: &[Row] = &[
    row("Abs", 6, activation::plain),
    row("Add", 7, arithmetic::add),
    row("And", 7, truth::both),
    row("ArgMax", 1, reduce::place),
    row("AveragePool", 7, pool::average),
    row("BatchNormalization", 7, norm::batch),
    row("Cast", 6, axes::cast),
    row("CastLike", 15, axes::cast_like),
    row("Ceil", 6, activation::plain),
    row("Celu", 12, activation::celu),
    row("Clip", 6, activation::clip),
    row("Concat", 4, places::concat),
    computed("Constant", 1),
    computed("ConstantOfShape", 9),
    row("Conv", 1, conv::conv),
    row("ConvTranspose", 1, conv::transpose),
    row("Cos", 7, activation::plain),
    row("DepthToSpace", 1, shuffle::depth_to_space),
    computed("DequantizeLinear", 10),
    row("Div", 7, arithmetic::divide),
    row("Dropout", 7, axes::dropout),
    row("Einsum", 12, einsum::einsum),
    row("Elu", 6, activation::elu),
    row("Equal", 7, truth::compare),
    row("Erf", 9, activation::plain),
    row("Exp", 6, activation::plain),
    row("Expand", 8, axes::expand),
    row("Flatten", 1, axes::flatten),
    row("Floor", 6, activation::plain),
    row("Gather", 1, places::gather),
    row("Gelu", 20, activation::gelu),
    row("Gemm", 7, linear::gemm),
    row("GlobalAveragePool", 1, pool::global_average),
    row("GlobalMaxPool", 1, pool::global_max),
    row("Greater", 7, truth::compare),
    row("GreaterOrEqual", 12, truth::compare),
    row("GroupNormalization", 18, norm::group),
    row("HardSigmoid", 6, activation::hard_sigmoid),
    row("HardSwish", 14, activation::plain),
    row("Identity", 1, axes::identity),
    row("InstanceNormalization", 6, norm::instance),
    row("LRN", 1, norm::lrn),
    row("LayerNormalization", 17, norm::layer),
    row("LeakyRelu", 6, activation::leaky_relu),
    row("Less", 7, truth::compare),
    row("LessOrEqual", 12, truth::compare),
    row("Log", 6, activation::plain),
    row("LogSoftmax", 1, softmax::log_softmax),
    row("LpNormalization", 1, norm::length),
    row("MatMul", 1, linear::matmul),
    row("Max", 6, arithmetic::maximum),
    row("MaxPool", 1, pool::max),
    row("Mean", 6, arithmetic::mean),
    row("Min", 6, arithmetic::minimum),
    row("Mish", 18, activation::plain),
    row("Mod", 10, arithmetic::remainder),
    row("Mul", 7, arithmetic::multiply),
    row("Neg", 6, activation::plain),
    row("Not", 1, truth::not),
    row("Or", 7, truth::either),
    row("PRelu", 7, activation::prelu),
    row("Pad", 2, places::pad),
    row("Pow", 7, arithmetic::raise),
    computed("Range", 11),
    row("Reciprocal", 6, activation::plain),
    row("ReduceL1", 1, reduce::reduce),
    row("ReduceL2", 1, reduce::reduce),
    row("ReduceLogSum", 1, reduce::reduce),
    row("ReduceLogSumExp", 1, reduce::reduce),
    row("ReduceMax", 1, reduce::reduce),
    row("ReduceMean", 1, reduce::reduce),
    row("ReduceMin", 1, reduce::reduce),
    row("ReduceProd", 1, reduce::reduce),
    row("ReduceSum", 1, reduce::reduce),
    row("ReduceSumSquare", 1, reduce::reduce),
    row("Relu", 6, activation::plain),
    row("Reshape", 5, axes::reshape),
    row("Resize", 10, resize::resize),
    row("Round", 11, activation::plain),
    row("Selu", 6, activation::selu),
    // Found by rewrites; no version of ONNX has it.
    row("ScaleShift", i64::MAX, norm::scale_shift),
    computed("Shape", 1),
    row("Shrink", 9, activation::shrink),
    row("Sigmoid", 6, activation::plain),
    row("Sign", 9, activation::plain),
    row("Sin", 7, activation::plain),
    computed("Size", 1),
    row("Slice", 1, places::slice),
    row("Softmax", 1, softmax::softmax),
    row("Softplus", 1, activation::plain),
    row("Softsign", 1, activation::plain),
    row("SpaceToDepth", 1, shuffle::space_to_depth),
    row("Split", 2, places::split),
    row("Sqrt", 6, activation::plain),
    row("Squeeze", 1, axes::squeeze),
    row("Sub", 7, arithmetic::subtract),
    row("Sum", 6, arithmetic::sum),
    row("Swish", 24, activation::swish),
    row("Tanh", 6, activation::plain),
    row("ThresholdedRelu", 10, activation::thresholded),
    row("Tile", 6, axes::tile),
    row("Transpose", 1, axes::transpose),
    row("Unsqueeze", 1, axes::unsqueeze),
    row("Upsample", 7, resize::upsample),
    row("Where", 9, truth::choose),
    row("Xor", 7, truth::one),
];

/// The row of an operator.
pub(crate) fn find(op: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == op)
}

/// Operators that are known and not read, by what they belong to, and why.
const NOT: &[(&[&str], &str)] = &[
    (&["If", "Loop", "Scan"], "control flow is not read: export the network with what it does written out"),
    (
        &[
            "SequenceAt",
            "SequenceConstruct",
            "SequenceEmpty",
            "SequenceErase",
            "SequenceInsert",
            "SequenceLength",
            "SequenceMap",
            "SplitToSequence",
            "ConcatFromSequence",
            "Optional",
            "OptionalGetElement",
            "OptionalHasElement",
        ],
        "sequences and optional values are not read",
    ),
    (
        &["QuantizeLinear", "DynamicQuantizeLinear", "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger"],
        "computing with quantised numbers is not read: export the network before it is quantised",
    ),
    (
        &[
            "StringNormalizer",
            "StringConcat",
            "StringSplit",
            "RegexFullMatch",
            "TfIdfVectorizer",
            "LabelEncoder",
            "ImageDecoder",
        ],
        "texts and pictures are not read",
    ),
    (&["RNN", "LSTM", "GRU"], "recurrent layers are not run yet"),
    (&["Attention", "RotaryEmbedding", "TensorScatter"], "attention layers are not run yet"),
    (
        &["RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Bernoulli", "Multinomial"],
        "numbers drawn at random are not made",
    ),
    (&["Gradient", "Momentum", "Adagrad", "Adam"], "training is not read"),
];

/// Why an operator without a row is not read.
pub(crate) fn why_not(op: &str) -> &'static str {
    let found = NOT.iter().find(|(ops, _)| ops.contains(&op));
    found.map_or("the operator is not known to this library, or not read by it", |(_, why)| why)
}
