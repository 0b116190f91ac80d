//! What a host hands a run: blobs in the place of what layers make, batches of other shapes, draws of another count. Each is
//! refused with its name and changes nothing.

use crate::case::{Bench, layer};
use pontil::{
    faults::{Code, Faults},
    mocha::{Blob, Draws, Element, Evaluation},
};
use serde_json::json;
use std::path::Path;

fn blob(shape: &[usize]) -> Blob {
    let mut blob = Blob::noughts(shape).unwrap();
    blob.numbers.iter_mut().enumerate().for_each(|(place, number)| *number = place as f64);
    blob
}

/// Runs an evaluation on blobs and draws; what is wrong with them.
fn run(evaluation: &mut Evaluation, blobs: &[(&str, Blob)], draws: &[(&str, usize)]) -> Result<f64, (Code, String)> {
    let mut given = Draws::default();
    draws.iter().for_each(|(layer, count)| given.give(layer, vec![0.75; *count]));
    let blobs = blobs.iter().map(|(name, blob)| ((*name).to_owned(), blob.clone())).collect();
    let mut faults = Faults::default();
    evaluation.forward(blobs, &given, &mut faults).map_err(|refused| (refused.0, faults.text()))
}

/// A run that is refused with a code and these words, after which the evaluation is as before.
fn refused(evaluation: &mut Evaluation, blobs: &[(&str, Blob)], draws: &[(&str, usize)], code: Code, says: &[&str]) {
    let before = format!("{evaluation:?}");
    let (found, text) = run(evaluation, blobs, draws).expect_err("it runs");
    assert!(found == code && says.iter().all(|word| text.contains(word)), "{found:?}: {text}");
    assert_eq!(format!("{evaluation:?}"), before, "{text}");
}

#[test]
fn a_blob_in_the_place_of_one_that_a_layer_makes_has_its_shape() {
    let noise = layer("RandomNormalLayer", "noise", &[], &["n"], json!({ "output_dims": [2, 3], "batch_sizes": [2] }));
    let kinds = [
        layer("ReshapeLayer", "view", &["n"], &["y"], json!({ "shape": [6] })),
        layer("IdentityLayer", "same", &["n"], &["z"], json!({})),
    ];
    let bench = Bench::new([vec![noise], kinds.to_vec()].concat());
    let mut evaluation = bench.evaluation(Element::Double).unwrap();
    run(&mut evaluation, &[("n", blob(&[2, 3, 2]))], &[]).unwrap();
    assert_eq!(evaluation.blob("y").unwrap(), &Blob { shape: vec![2, 6], ..blob(&[2, 3, 2]) });
    for shape in [&[1, 3, 2][..], &[2, 2, 3], &[2, 6], &[4, 3, 2], &[0, 3, 2], &[]] {
        refused(&mut evaluation, &[("n", blob(shape))], &[], Code::LayerShape, &["'n'", "2x3x2"]);
    }
    let lying = Blob { shape: vec![2, 3, 2], numbers: vec![0.0; 11] };
    refused(&mut evaluation, &[("n", lying)], &[], Code::Value, &["'n'", "11 numbers"]);
}

#[test]
fn parameters_are_held_to_the_shapes_of_each_run() {
    let settings = [
        layer("InnerProductLayer", "ip", &["a"], &["y"], json!({ "output_dim": 2 })),
        layer("ConvolutionLayer", "conv", &["b"], &["z"], json!({ "n_filter": 2, "kernel": [2, 2] })),
    ];
    let bench = Bench::new(settings.to_vec())
        .input("a", blob(&[1, 3]))
        .input("b", blob(&[1, 2, 3, 3]))
        .number("ip.weight", blob(&[2, 3]))
        .number("ip.bias", blob(&[2]))
        .number("conv.weight", blob(&[2, 2, 2, 2]))
        .number("conv.bias", blob(&[2]));
    let mut evaluation = bench.evaluation(Element::Double).unwrap();
    let fits = [("a", blob(&[4, 3])), ("b", blob(&[4, 2, 5, 4]))];
    run(&mut evaluation, &fits, &[]).unwrap();
    assert_eq!(evaluation.blob("z").unwrap().shape, [4, 2, 4, 3]);
    for wide in [2, 4, 6] {
        let given = [("a", blob(&[2, wide])), ("b", blob(&[2, 2, 3, 3]))];
        refused(&mut evaluation, &given, &[], Code::LayerShape, &["layer ip", "weight", "2x3"]);
    }
    for channels in [1, 3, 4] {
        let given = [("a", blob(&[2, 3])), ("b", blob(&[2, channels, 3, 3]))];
        refused(&mut evaluation, &given, &[], Code::LayerShape, &["layer conv", "filter", "2x2x2x2"]);
    }
    let both = [("a", blob(&[2, 4])), ("b", blob(&[2, 3, 3, 3]))];
    refused(&mut evaluation, &both, &[], Code::LayerShape, &["layer ip", "layer conv"]);
}

#[test]
fn draws_are_as_many_as_a_layer_takes() {
    let layers = [
        layer("RandomNormalLayer", "noise", &[], &["n"], json!({ "output_dims": [2], "batch_sizes": [1] })),
        layer("CropLayer", "crop", &["x"], &["y"], json!({ "crop_size": [2, 2], "random_crop": true })),
        layer("DropoutLayer", "drop", &["y"], &[], json!({ "ratio": 0.5 })),
    ];
    let bench = Bench::new(layers.to_vec()).input("x", blob(&[1, 1, 3, 3]));
    let mut evaluation = bench.evaluation(Element::Double).unwrap();
    let given = [("x", blob(&[1, 1, 3, 3]))];
    run(&mut evaluation, &given, &[("noise", 2), ("crop", 3), ("drop", 4)]).unwrap();
    assert_eq!(evaluation.blob("n").unwrap().numbers, [0.75; 2]);
    assert_eq!(evaluation.blob("y").unwrap().numbers, [8.0, 10.0, 14.0, 16.0]);
    for (layer, takes) in [("noise", 2), ("crop", 3), ("drop", 4)] {
        for count in [takes - 1, takes + 1] {
            let says = [&format!("layer {layer}"), &format!("{count} draws"), &format!("takes {takes}")];
            refused(&mut evaluation, &given, &[(layer, count)], Code::Value, &says.map(String::as_str));
        }
    }
    // None at all take back what was given.
    run(&mut evaluation, &given, &[("noise", 2), ("crop", 3), ("drop", 9), ("drop", 0)]).unwrap();
    assert_eq!(evaluation.blob("y").unwrap().numbers, [4.0, 5.0, 7.0, 8.0]);
}

fn rows(file: &Path) -> Vec<usize> {
    let mut faults = Faults::default();
    let source = pontil::source::Source::path(file, &Default::default(), &mut faults).unwrap();
    let import = pontil::import::Import::open(&source, Default::default(), &mut faults).unwrap();
    import.entries()[0].shape.clone()
}

#[test]
fn outputs_of_batches_of_other_lengths_are_joined_and_of_other_shapes_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.hdf5");
    let settings = json!({ "filename": file.to_str().unwrap(), "datasets": ["out___weight"] });
    let bench = Bench::new(vec![layer("HDF5OutputLayer", "file", &["x"], &[], settings)]).input("x", blob(&[2, 3]));
    let mut evaluation = bench.evaluation(Element::Single).unwrap();
    for examples in [2, 1, 4] {
        run(&mut evaluation, &[("x", blob(&[examples, 3]))], &[]).unwrap();
    }
    evaluation.write_outputs(&mut Faults::default()).unwrap();
    assert_eq!(rows(&file), [7, 3]);
    for other in [blob(&[2, 2]), blob(&[2, 3, 1])] {
        let mut evaluation = evaluation.clone();
        run(&mut evaluation, &[("x", other)], &[]).unwrap();
        let mut faults = Faults::default();
        assert_eq!(evaluation.write_outputs(&mut faults).unwrap_err().0, Code::Shape);
        let text = faults.text();
        assert!(text.contains("layer file") && text.contains("2x3"), "{text}");
        assert_eq!(rows(&file), [7, 3]);
    }
}
