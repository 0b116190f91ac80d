//! Cases of whole networks, of files and of data.

use crate::case::{Bench, Case, layer, near};
use crate::{data, files};
use pontil::{
    describe::{
        self,
        mocha::{Net, Shapes},
    },
    faults::Faults,
    limits::Limits,
    mocha::{Blob, Element},
};
use serde_json::json;

/// Judges a case that is not of one layer.
pub fn judge_whole(case: &Case) -> Option<Result<(), String>> {
    Some(match case.id() {
        "shapes_lenet_mnist" => shapes(case, "lenet"),
        "shapes_cifar10_full" => shapes(case, "cifar10_full"),
        "shapes_caffenet_227" => shapes(case, "caffenet"),
        "train_tiny_lenet" => before_training(case),
        "hdf5_source_list" => data::source_list(case),
        "data_shuffle_property" => data::shuffled(case),
        "hdf5_model_import" => files::models(case),
        "jld_snapshot" => files::snapshot(case),
        "jld_statistics" => files::statistics(case),
        _ => return None,
    })
}

/// The tiny network of the training case.
pub fn tiny() -> Vec<serde_json::Value> {
    vec![
        layer("ConvolutionLayer", "conv1", &["data"], &["conv1"], json!({ "n_filter": 2, "kernel": [3, 3] })),
        layer("PoolingLayer", "pool1", &["conv1"], &["pool1"], json!({ "kernel": [2, 2], "stride": [2, 2] })),
        layer("InnerProductLayer", "ip1", &["pool1"], &["ip1"], json!({ "output_dim": 5, "neuron": "Neurons.ReLU()" })),
        layer("InnerProductLayer", "ip2", &["ip1"], &["ip2"], json!({ "output_dim": 3 })),
    ]
}

/// Of the training case: the loss that the first run gives. Its gradients and solver are not run yet.
fn before_training(case: &Case) -> Result<(), String> {
    let mut layers = tiny();
    layers.push(layer("SoftmaxLossLayer", "loss", &["ip2", "label"], &[], json!({})));
    let mut bench = Bench::new(layers).input("data", case.input("data")).input("label", case.input("label"));
    for (name, path) in [
        ("conv1___filter", "conv1.weight"),
        ("conv1___bias", "conv1.bias"),
        ("ip1___weight", "ip1.weight"),
        ("ip1___bias", "ip1.bias"),
        ("ip2___weight", "ip2.weight"),
        ("ip2___bias", "ip2.bias"),
    ] {
        bench = bench.number(path, case.input(name));
    }
    let should = case.0["expected"]["obj_val_iter0..3"][0].as_f64().unwrap();
    for element in [Element::Single, Element::Double] {
        let (_, loss) = bench.run(element)?;
        let number = |number| Blob::new(vec![], vec![number]).unwrap();
        near(&number(loss), &number(should), case.tolerance(element))?;
    }
    Ok(())
}

/// A network of `fixtures/mocha/networks`.
pub fn network(name: &str) -> Result<Net, String> {
    let path = crate::support::files::fixtures("mocha").join("networks").join(format!("{name}.json"));
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let mut faults = Faults::default();
    let net = describe::parse(&text, &Limits::default(), &mut faults)
        .and_then(|description| Net::of(&description, &mut faults));
    net.map_err(|_| faults.text())
}

fn shapes(case: &Case, name: &str) -> Result<(), String> {
    let net = network(name)?;
    let mut faults = Faults::default();
    let shaped = net.shapes(7, &Shapes::new(), &mut faults).map_err(|_| faults.text())?;
    for row in case.0["expected"]["layers"].as_array().unwrap() {
        let name = row[0].as_str().unwrap();
        let place = net.layers().iter().position(|layer| layer.name == name).ok_or(format!("no layer {name}"))?;
        let top = &shaped.blobs[&net.layers()[place].tops[0]];
        if json!(top[1..]) != row[1] || top[0] != 7 {
            return Err(format!("{name} makes {top:?} instead of {}", row[1]));
        }
        let has: serde_json::Map<String, serde_json::Value> = shaped
            .parameters
            .iter()
            .filter(|parameter| parameter.layer == place)
            .map(|parameter| (parameter.name.to_owned(), json!(parameter.shape)))
            .collect();
        if json!(has) != row[2] {
            return Err(format!("{name} has {has:?} instead of {}", row[2]));
        }
    }
    match json!(net.numbers(&shaped)) == case.0["expected"]["n_parameters"] {
        true => Ok(()),
        false => Err(format!("{} numbers", net.numbers(&shaped))),
    }
}

#[test]
fn lenet_recognises_as_many_digits_as_the_reference() {
    use pontil::{
        dataset::{Dataset, Options},
        import::{Import, ImportOptions},
        mocha::{Draws, Evaluation},
        source::Source,
    };
    let folder = crate::support::files::fixtures("mocha");
    let (limits, mut faults) = (Limits::default(), Faults::default());
    let source = Source::path(&folder.join("lenet/model.hdf5"), &limits, &mut faults).unwrap();
    let import = Import::open(&source, ImportOptions::default(), &mut faults).unwrap();
    let entries = import.numbers(&mut faults).unwrap();
    let mut evaluation =
        Evaluation::new(network("lenet").unwrap(), &entries, Element::Single, &limits, &mut faults).unwrap();
    let list = Source::path(&folder.join("lenet/test.txt"), &limits, &mut faults).unwrap();
    let options = Options { batch: 100, folder: Some(folder.clone()), ahead: 2, ..Options::default() };
    let mut digits = Dataset::open(&list, options, &mut faults).unwrap();
    let mut loss = 0.0;
    while digits.epoch() == 0 {
        let batch = digits.next(&mut faults).unwrap();
        let names = ["data", "label"].map(str::to_owned).into_iter();
        let given = names.zip(batch.tops.iter().map(|top| Blob::of(top).unwrap())).collect();
        loss += evaluation.forward(given, &Draws::default(), &mut faults).unwrap() / 10.0;
    }
    let text = std::fs::read_to_string(folder.join("lenet/answers.json")).unwrap();
    let should: serde_json::Value = serde_json::from_str(&text).unwrap();
    let statistic = &evaluation.statistics()[0];
    assert_eq!((statistic.count, (statistic.mean * 1000.0).round() as u64), (1000, should["hits"].as_u64().unwrap()));
    assert!((loss - should["loss"].as_f64().unwrap()).abs() < 1e-4, "{loss}");
}
