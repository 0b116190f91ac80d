//! Every row of the table lowered once and accepted by the check.

use super::table;
use crate::describe::{Graph, Layout, Ports, lower, parse};
use crate::faults::Faults;
use crate::limits::Limits;
use std::collections::HashSet;

/// Kinds (`#` stands for 1, 2 and 3), arguments, and the shape of an example, of which kinds with `#` take as many lengths
/// as they have axes.
const CASES: &[(&str, &str, &[usize])] = &[
    ("Linear", r#""in_features":6,"out_features":2,"bias":false"#, &[4, 6]),
    ("Embedding", r#""num_embeddings":9,"embedding_dim":2,"padding_idx":0"#, &[4]),
    ("ScaleParam PositionTable", r#""shape":[4,6]"#, &[4, 6]),
    ("ScaleParam PositionTable", r#""shape":[1,4,6]"#, &[4, 6]),
    (
        "Identity identity ReLU relu ReLU6 relu6 LeakyReLU leaky_relu RReLU ELU elu SELU selu CELU celu GELU gelu SiLU \
         silu Mish mish Softplus softplus Softsign softsign Hardtanh hardtanh Hardsigmoid hardsigmoid Hardswish hardswish \
         Sigmoid sigmoid Tanh tanh LogSigmoid logsigmoid Tanhshrink tanhshrink Softshrink softshrink Hardshrink \
         hardshrink exp log sqrt abs erf neg PReLU l2normalize normalize Softmax2d",
        "",
        &[4, 6, 5],
    ),
    ("Dropout dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout", r#""p":0.1"#, &[4, 6]),
    ("Threshold threshold", r#""threshold":0.1,"value":2"#, &[4]),
    ("clamp", r#""max":2.5"#, &[4]),
    ("scale", r#""factor":2"#, &[4]),
    ("pow", r#""exponent":-0.75"#, &[4]),
    ("Softmax softmax LogSoftmax log_softmax Softmin softmin", r#""dim":-2"#, &[4, 6]),
    ("PReLU", r#""num_parameters":4"#, &[4, 6]),
    ("add sub mul div", r#""other":2"#, &[4, 6]),
    ("max2 max maximum min minimum mean2 cat matmul", "", &[4, 4]),
    ("stack", r#""dim":1"#, &[4, 4]),
    ("Conv#d", r#""in_channels":4,"out_channels":6,"kernel_size":3,"padding":"same","groups":2"#, &[4, 6, 5, 7]),
    (
        "Conv#d",
        r#""in_channels":4,"out_channels":6,"kernel_size":2,"padding":1,"padding_mode":"reflect""#,
        &[4, 6, 5, 7],
    ),
    (
        "ConvTranspose#d",
        r#""in_channels":4,"out_channels":6,"kernel_size":3,"stride":2,"output_padding":1"#,
        &[4, 6, 5, 7],
    ),
    ("MaxPool#d max_pool#d", r#""kernel_size":3,"padding":1,"dilation":2,"ceil_mode":true"#, &[4, 6, 5, 7]),
    ("AvgPool#d avg_pool#d", r#""kernel_size":3,"padding":1,"count_include_pad":false"#, &[4, 6, 5, 7]),
    (
        "AdaptiveMaxPool#d adaptive_max_pool#d AdaptiveAvgPool#d adaptive_avg_pool#d",
        r#""output_size":2"#,
        &[4, 6, 5, 7],
    ),
    ("AdaptiveAvgPool2d", r#""output_size":[null,2]"#, &[4, 6, 5]),
    ("BatchNorm#d InstanceNorm#d", r#""num_features":4,"affine":true"#, &[4, 6, 5, 7]),
    ("BatchNorm1d", r#""num_features":4,"momentum":null"#, &[4]),
    ("GroupNorm", r#""num_groups":2,"num_channels":4"#, &[4, 6]),
    ("LayerNorm", r#""normalized_shape":[4,6],"bias":false"#, &[4, 6]),
    ("LocalResponseNorm", r#""size":3"#, &[4, 6]),
    ("lrn_within_channel", r#""size":3,"alpha":0.1,"beta":0.75"#, &[4, 6, 5]),
    ("ZeroPad#d ReflectionPad#d ReplicationPad#d CircularPad#d", r#""padding":1"#, &[4, 6, 5, 7]),
    ("ConstantPad#d", r#""padding":1,"value":0.5"#, &[4, 6, 5, 7]),
    ("pad", r#""pad":[1,2,0,1],"mode":"replicate""#, &[4, 6, 5]),
    ("pad", r#""pad":[-1,0,2,-3]"#, &[4, 6, 5]),
    ("Upsample interpolate", r#""scale_factor":2"#, &[4, 6, 5]),
    ("interpolate", r#""size":[3,4],"mode":"bilinear","align_corners":true"#, &[4, 6, 5]),
    ("UpsamplingNearest2d UpsamplingBilinear2d", r#""size":9"#, &[4, 6, 5]),
    ("PixelShuffle", r#""upscale_factor":2"#, &[4, 6, 5]),
    ("PixelUnshuffle", r#""downscale_factor":2"#, &[4, 6, 8]),
    ("ChannelShuffle", r#""groups":2"#, &[4, 6]),
    ("Flatten flatten", "", &[4, 6, 5]),
    ("Unflatten", r#""dim":2,"unflattened_size":[2,-1]"#, &[4, 6]),
    ("unflatten", r#""dim":2,"sizes":[2,-1]"#, &[4, 6]),
    ("reshape", r#""each":[2,-1]"#, &[4, 6]),
    ("permute", r#""dims":[0,2,1]"#, &[4, 6]),
    ("transpose", r#""dim0":1,"dim1":-1"#, &[4, 6]),
    ("unsqueeze squeeze", r#""dim":-2"#, &[1, 6]),
    ("select", r#""dim":1,"index":-1"#, &[4, 6]),
    ("narrow", r#""dim":1,"start":-3,"length":2"#, &[4, 6]),
    ("mean amax sum", r#""dim":[1,-1],"keepdim":true"#, &[4, 6]),
];

/// Kinds that take two values here.
const TWO: &[&str] = &["max2", "max", "maximum", "min", "minimum", "mean2", "cat", "stack", "matmul"];

/// A case as one or three.
fn spelled(kind: &str, example: &[usize]) -> Vec<(String, Vec<usize>)> {
    match kind.contains('#') {
        true => (1..=3).map(|dims| (kind.replace('#', &dims.to_string()), example[..=dims].to_vec())).collect(),
        false => vec![(kind.to_owned(), example.to_vec())],
    }
}

#[test]
fn every_kind_lowers_to_words_that_are_right() {
    let mut seen = HashSet::new();
    for (kinds, arguments, example) in CASES {
        for (kind, example) in kinds.split_whitespace().flat_map(|kind| spelled(kind, example)) {
            let inputs = if TWO.contains(&kind.as_str()) { r#","inputs":["input","input"]"# } else { "" };
            let text = format!(
                r#"{{"style":"torch","layers":[{{"id":"a","kind":"{kind}","args":{{{arguments}}}{inputs}}}]}}"#
            );
            let (limits, mut faults) = (Limits::default(), Faults::default());
            let ports = Ports { examples: vec![example], layout: Layout::AsFile };
            let checked = parse(text.as_bytes(), &limits, &mut faults)
                .and_then(|description| lower(&description, &ports, &limits, &mut faults))
                .and_then(|lowered| Graph::of(&lowered, &limits, &mut faults));
            assert!(checked.is_ok(), "{text}: {}", faults.text());
            seen.insert(kind);
        }
    }
    let left: Vec<&str> = table::kinds().filter(|kind| !seen.contains(*kind)).collect();
    assert!(left.is_empty(), "no case for {left:?}");
}
