//! The networks that are measured: small and large dense ones, images of digits, of things, and a deep one.

use serde_json::{Value, json};

/// Name, shape of an example, layers, batches.
pub type Measured = (&'static str, Vec<usize>, Vec<Value>, Vec<usize>);

/// All of them.
pub fn networks() -> Vec<Measured> {
    let dense = |inputs: usize, outputs: usize| json!({ "kind": "dense", "inputs": inputs, "outputs": outputs });
    let conv = |ins: usize, outs: usize, size: usize, border: usize, bias: bool| {
        json!({ "kind": "conv2d", "inChannels": ins, "outChannels": outs, "height": size, "width": size,
                "padding": border, "bias": bias })
    };
    let pool = |kind: &str, size: usize, ceil: bool| json!({ "kind": kind, "height": size, "width": size, "stride": 2, "ceil": ceil });
    let plain = |kind: &str| json!({ "kind": kind });
    let mlp = |activation: &str| {
        vec![
            dense(48, 256),
            plain(activation),
            dense(256, 128),
            plain(activation),
            dense(128, 64),
            plain(activation),
            dense(64, 12),
        ]
    };
    let lrn =
        json!({ "kind": "lrn", "mode": "across", "size": 3, "alpha": 5e-5, "beta": 0.75, "k": 1.0, "mean": true });
    let mut vgg = Vec::new();
    let mut channels = 3;
    for width in [32, 64, 128, 256] {
        for _ in 0..2 {
            vgg.push(conv(channels, width, 3, 1, false));
            vgg.push(json!({ "kind": "batchNorm", "features": width }));
            vgg.push(plain("relu"));
            channels = width;
        }
        vgg.push(pool("maxpool2d", 2, false));
    }
    vgg.extend([plain("globalavgpool2d"), plain("flatten"), dense(256, 100)]);
    let lenet = vec![
        conv(1, 20, 5, 0, true),
        pool("maxpool2d", 2, false),
        conv(20, 50, 5, 0, true),
        pool("maxpool2d", 2, false),
        plain("flatten"),
        dense(800, 500),
        plain("relu"),
        dense(500, 10),
        json!({ "kind": "softmax", "axis": 1 }),
    ];
    let cifar = vec![
        conv(3, 32, 5, 2, true),
        pool("maxpool2d", 3, true),
        plain("relu"),
        lrn.clone(),
        conv(32, 32, 5, 2, true),
        plain("relu"),
        pool("avgpool2d", 3, true),
        lrn,
        conv(32, 64, 5, 2, true),
        plain("relu"),
        pool("avgpool2d", 3, true),
        plain("flatten"),
        dense(1024, 10),
    ];
    vec![
        ("w1", vec![14], vec![dense(14, 16), plain("relu"), dense(16, 1), plain("sigmoid")], vec![1, 135]),
        ("w2", vec![48], mlp("elu"), vec![1, 4096]),
        ("w2t", vec![48], mlp("tanh"), vec![1, 4096]),
        ("w3", vec![28, 28, 1], lenet, vec![1, 64]),
        ("w4", vec![32, 32, 3], cifar, vec![1, 100]),
        ("w5", vec![128, 128, 3], vgg, vec![1, 8]),
        (
            "w6",
            vec![1024],
            vec![dense(1024, 4096), plain("relu"), dense(4096, 4096), plain("relu"), dense(4096, 1024)],
            vec![1, 256],
        ),
    ]
}
