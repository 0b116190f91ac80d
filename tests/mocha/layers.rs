//! Cases of one layer.

use crate::{
    case::{Bench, Case, layer, near},
    forward::{blobs, in_both, judge, single},
};
use pontil::mocha::{Blob, Draws, Element};
use serde_json::json;

type Judged = Option<Result<(), String>>;

/// Judges a case of one layer; none of another.
pub fn judge_layer(case: &Case) -> Judged {
    let mut params = case.params();
    Some(match case.layer() {
        "InnerProductLayer" => {
            params.as_object_mut().unwrap().remove("frozen");
            let bench = parameters(case, single(case, params));
            let two = case.has("x2");
            match two {
                true => in_both(case, &bench, blobs(case, &["y1", "y2"])),
                false => judge(case, &bench, true, blobs(case, &["y1"])),
            }
        }
        "TiedInnerProductLayer" => tied(case),
        "ConvolutionLayer" => judge(case, &parameters(case, single(case, params)), true, blobs(case, &["y"])),
        "PoolingLayer" => pooling(case),
        "LRNLayer" if case.id() == "lrn_within_even_invalid" => {
            let shape = params.as_object_mut().unwrap().remove("input_shape").unwrap();
            let shape: Vec<usize> = serde_json::from_value(shape).unwrap();
            let x = Blob::noughts(&shape).unwrap();
            let made = Bench::new(vec![layer(case.layer(), "norm", &["x"], &["y"], params)]).input("x", x);
            match made.evaluation(Element::Double) {
                Err(faults) if faults.contains("layer norm") && faults.contains("odd") => Ok(()),
                other => Err(format!("{other:?}")),
            }
        }
        "ConcatLayer" => {
            let inner = case.id() == "concat_channel";
            judge(case, &single(case, params), inner, blobs(case, &["y"]))
        }
        "ArgmaxLayer" | "Index2OnehotLayer" => judge(case, &single(case, params), false, blobs(case, &["y"])),
        "ChannelPoolingLayer" | "LRNLayer" | "SoftmaxLayer" | "PowerLayer" | "ElementWiseLayer" | "ReshapeLayer" => {
            judge(case, &single(case, params), true, blobs(case, &["y"]))
        }
        "DropoutLayer" | "RandomMaskLayer" => masked(case),
        "CropLayer" => crop(case),
        "SplitLayer" => {
            let split = layer("SplitLayer", "split", &["x"], &["y1", "y2"], json!({ "no_copy": params["no_copy"] }));
            let bench = Bench::new(vec![split]).input("x", case.input("x")).output("y1").output("y2");
            judge(case, &bench, true, blobs(case, &["y1", "y2"]))
        }
        neuron if neuron.starts_with("Neurons.") => {
            let epsilon = params["epsilon"].as_f64().map(|epsilon| format!("({epsilon})")).unwrap_or_default();
            let bench = through_neuron(case.input("x"), &format!("{neuron}{epsilon}")).output("y");
            judge(case, &bench, true, blobs(case, &["y"]))
        }
        "InnerProductLayer(neuron=Sigmoid)+DropoutLayer" => {
            let mut bench = through_neuron(case.input("pre_activation"), "Sigmoid");
            bench.layers.push(layer("DropoutLayer", "drop", &["y"], &[], json!({ "ratio": params["ratio"] })));
            let bench = bench.draw("drop", case.input("rand_vals").numbers);
            in_both(case, &bench, blobs(case, &["y"]))
        }
        loss if loss.ends_with("LossLayer") => losses(case),
        "AccuracyLayer" => accuracy(case),
        "BinaryAccuracyLayer" => {
            let counts = layer(case.layer(), "a", &["pred", "label"], &[], params);
            let bench = Bench::new(vec![counts]).input("pred", case.input("pred")).input("label", case.input("label"));
            let should = (case.expected("accuracy"), case.expected("n"));
            in_both(case, &bench, move |evaluation, _| {
                let statistic = &evaluation.statistics()[0];
                vec![
                    ("a".into(), number(statistic.mean), should.0.clone()),
                    ("n".into(), number(statistic.count as f64), should.1.clone()),
                ]
            })
        }
        _ => return None,
    })
}

fn number(number: f64) -> Blob {
    Blob::new(vec![], vec![number]).unwrap()
}

fn parameters(case: &Case, bench: Bench) -> Bench {
    let names = [("weight", "layer.weight"), ("filter", "layer.weight"), ("bias", "layer.bias")];
    let given = names.into_iter().filter(|(name, _)| case.has(name));
    given.fold(bench, |bench, (name, path)| bench.number(path, case.input(name)))
}

fn tied(case: &Case) -> Result<(), String> {
    let encoder = layer("InnerProductLayer", "enc", &["e"], &["h"], json!({ "output_dim": 4 }));
    let decoder = layer("TiedInnerProductLayer", "dec", &["x"], &["y"], json!({ "tied_param_key": "enc" }));
    let bench = Bench::new(vec![encoder, decoder])
        .input("e", Blob::noughts(&[3, 12]).unwrap())
        .input("x", case.input("x"))
        .number("enc.weight", case.input("tied_weight"))
        .number("enc.bias", Blob::noughts(&[4]).unwrap())
        .number("dec.bias", case.input("bias"))
        .output("y");
    in_both(case, &bench, blobs(case, &["y"]))
}

fn pooling(case: &Case) -> Result<(), String> {
    let mut variants = vec![(json!({}), "y", None)];
    for (divisor, name) in [("padded", "y_caffe_denominator"), ("inside", "y_exclude_padding")] {
        if case.0["expected"].get(name).is_some() {
            variants.push((json!({ "divisor": divisor }), name, None));
        }
    }
    for (scan, name) in [("rows", "argmax_hw_index"), ("rows", "argmax_native_ext"), ("columns", "argmax_pure_julia")] {
        if case.0["expected"].get(name).is_some() {
            variants.push((json!({ "scan": scan }), "y", Some(case.expected(name))));
        }
    }
    for (settings, name, winners) in variants {
        let mut params = case.params();
        params.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        let mut bench = single(case, params);
        bench.layers[0]["tops"] = json!([name]);
        bench.outputs = vec![name.to_owned()];
        judge(case, &bench, true, |evaluation, _| {
            let mut pairs = vec![(name.to_owned(), evaluation.blob(name).unwrap().clone(), case.expected(name))];
            let places =
                winners.clone().map(|should| ("winners".into(), evaluation.winners(name).unwrap().clone(), should));
            pairs.extend(places);
            pairs
        })
        .map_err(|why| format!("{settings}: {why}"))?;
    }
    Ok(())
}

fn masked(case: &Case) -> Result<(), String> {
    let mask = layer(case.layer(), "mask", &["x"], &[], case.params());
    let bench = Bench::new(vec![mask]).input("x", case.input("x"));
    let unmasked = bench.run(Element::Double)?.0;
    near(unmasked.blob("x").unwrap(), &case.input("x"), 0.0).map_err(|why| format!("without draws: {why}"))?;
    let bench = bench.draw("mask", case.input("rand_vals").numbers);
    let should = case.expected("y");
    in_both(case, &bench, move |evaluation, _| {
        vec![("y".into(), evaluation.blob("x").unwrap().clone(), should.clone())]
    })
}

fn crop(case: &Case) -> Result<(), String> {
    judge(case, &single(case, case.params()), true, blobs(case, &["y"]))?;
    let mut params = case.params();
    params["random_mirror"] = json!(true);
    let mut bench = single(case, params).draw("layer", vec![0.0, 0.0, 0.25]);
    bench.layers[0]["tops"] = json!(["y_mirror"]);
    bench.outputs = vec!["y_mirror".into()];
    judge(case, &bench, false, blobs(case, &["y_mirror"]))
}

/// An inner product by ones on the diagonal, and what follows.
fn through_neuron(x: Blob, neuron: &str) -> Bench {
    let features = x.shape[1];
    let mut weight = Blob::noughts(&[features, features]).unwrap();
    (0..features).for_each(|at| weight.numbers[at * features + at] = 1.0);
    let settings = json!({ "output_dim": features, "neuron": neuron });
    Bench::new(vec![layer("InnerProductLayer", "ip", &["x"], &["y"], settings)])
        .input("x", x)
        .number("ip.weight", weight)
        .number("ip.bias", Blob::noughts(&[features]).unwrap())
}

fn losses(case: &Case) -> Result<(), String> {
    let bottoms: Vec<&str> =
        ["pred", "prob", "mu", "sigma", "label"].into_iter().filter(|name| case.has(name)).collect();
    let mut params = case.params();
    for name in ["weights", "M"] {
        if case.has(name) {
            params[name] = nested(&case.input(name));
        }
    }
    let made = layer(case.layer(), "loss", &bottoms, &[], params.clone());
    let bench = Bench::new(vec![made]);
    let bench = bottoms.iter().fold(bench, |bench, name| bench.input(name, case.input(name)));
    let should = case.expected("loss");
    in_both(case, &bench, move |_, loss| vec![("loss".into(), number(loss), should.clone())])?;
    if case.0["expected"].get("loss_mocha_cpu_quirk").is_some() {
        params["unweighted"] = json!(true);
        let mut bench = bench;
        bench.layers = vec![layer(case.layer(), "loss", &bottoms, &[], params)];
        let should = case.expected("loss_mocha_cpu_quirk");
        in_both(case, &bench, move |_, loss| vec![("quirk".into(), number(loss), should.clone())])?;
    }
    Ok(())
}

/// Numbers as lists within lists.
fn nested(blob: &Blob) -> serde_json::Value {
    let mut lists: Vec<serde_json::Value> = blob.numbers.iter().map(|number| json!(number)).collect();
    for length in blob.shape.iter().skip(1).rev() {
        lists = lists.chunks(*length).map(|chunk| json!(chunk)).collect();
    }
    json!(lists)
}

fn accuracy(case: &Case) -> Result<(), String> {
    let counts = layer(case.layer(), "test", &["pred", "label"], &[], case.params());
    let bench = Bench::new(vec![counts]).input("pred", case.input("pred1")).input("label", case.input("label1"));
    for element in [Element::Single, Element::Double] {
        let (mut evaluation, _) = bench.run(element)?;
        for (run, keys) in [("1", ["accuracy_after_1", "n_after_1"]), ("2", ["accuracy_after_2", "n_after_2"])] {
            if run == "2" {
                let given = [("pred".to_owned(), case.input("pred2")), ("label".to_owned(), case.input("label2"))];
                let mut faults = pontil::faults::Faults::default();
                evaluation.forward(given.into(), &Draws::default(), &mut faults).map_err(|_| faults.text())?;
            }
            let statistic = &evaluation.statistics()[0];
            assert_eq!(statistic.name, "test-accuracy");
            near(&number(statistic.mean), &case.expected(keys[0]), case.tolerance(element))?;
            near(&number(statistic.count as f64), &case.expected(keys[1]), 0.0)?;
        }
        evaluation.reset_statistics();
        assert_eq!(evaluation.statistics()[0].count, 0);
    }
    Ok(())
}
