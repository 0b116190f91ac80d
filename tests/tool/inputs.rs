//! What `predict` takes: formats, element types, shapes, and what does not fit.

use crate::support::*;

#[test]
fn every_kind_of_input_gives_the_same() {
    let folder = Folder::new();
    let (input, made) = answers();
    let rows: Vec<String> =
        input.chunks(14).map(|row| row.iter().map(f32::to_string).collect::<Vec<_>>().join(",")).collect();
    let names = (0..14).map(|column| format!("column {column}")).collect::<Vec<_>>().join(",");
    let big: Vec<u8> = input.iter().flat_map(|number| number.to_be_bytes()).collect();
    let wide: Vec<u8> = input.iter().flat_map(|&number| f64::from(number).to_le_bytes()).collect();
    let columns: Vec<f32> = (0..14).flat_map(|column| input.iter().skip(column).step_by(14).copied()).collect();
    let files = [
        folder.file("plain.csv", rows.join("\n")),
        folder.file("named.csv", format!("{names}\r\n{}\r\n", rows.join("\r\n"))),
        folder.file("c.npy", npy("<f4", false, "(135, 14)", &singles(&input))),
        folder.file("fortran.npy", npy("<f4", true, "(135, 14)", &singles(&columns))),
        folder.file("big.npy", npy(">f4", false, "(135, 14)", &big)),
        folder.file("wide.npy", npy("<f8", false, "(135, 14)", &wide)),
        folder.file("lone.safetensors", safetensors(&[("whatever", "F32", &[135, 14], singles(&input))])),
    ];
    for file in &files {
        let text = good(&predict(file, &[]));
        let found: Vec<f32> = text.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(found, made, "{file}");
    }
}

#[test]
fn whole_numbers_and_halves_are_cast() {
    let folder = Folder::new();
    let ones = good(&predict(&folder.file("ones.csv", vec!["1"; 14].join(",")), &[]));
    let halves = [0x3C00u16.to_le_bytes(); 14].concat();
    for file in [
        folder.file("u1.npy", npy("|u1", false, "(1, 14)", &[1; 14])),
        folder.file("b1.npy", npy("|b1", false, "(1, 14)", &[1; 14])),
        folder.file("i4.npy", npy("<i4", false, "(1, 14)", &[1i32.to_le_bytes(); 14].concat())),
        folder.file("i8.npy", npy(">i8", false, "(1, 14)", &[1i64.to_be_bytes(); 14].concat())),
        folder.file("f2.npy", npy("<f2", false, "(1, 14)", &halves)),
        folder.file("f16.safetensors", safetensors(&[("input", "F16", &[1, 14], halves.clone())])),
    ] {
        assert_eq!(good(&predict(&file, &[])), ones, "{file}");
    }
}

#[test]
fn inputs_that_do_not_fit() {
    let folder = Folder::new();
    let full = |count: usize| singles(&vec![1.0; count]);
    for file in [
        folder.file("narrow.csv", "1,2,3\n"),
        folder.file("ragged.csv", "1,2\n1\n"),
        folder.file("word.csv", "1,2\n1,x\n"),
        folder.file("empty.csv", ""),
        folder.file("narrow.npy", npy("<f4", false, "(1, 13)", &full(13))),
        folder.file("flat.npy", npy("<f4", false, "(14,)", &full(14))),
        folder.file("scalar.npy", npy("<f4", false, "()", &full(1))),
        folder.file("cut.npy", npy("<f4", false, "(2, 14)", &full(14))),
        folder.file("text.npy", npy("<U3", false, "(1, 14)", &[0; 168])),
        folder.file("noise.npy", "noise"),
        folder.file("two.safetensors", safetensors(&[("a", "F32", &[1], full(1)), ("b", "F32", &[1], full(1))])),
        folder.file(
            "more.safetensors",
            safetensors(&[("input", "F32", &[1, 14], full(14)), ("input.1", "F32", &[1, 14], full(14))]),
        ),
        folder.file("noise.safetensors", "noise"),
        folder.file("input.txt", "1"),
        folder.path("missing.npy"),
    ] {
        refused(1, &predict(&file, &["--output", &folder.path("out.npy")]));
    }
    assert!(!folder.names().contains(&"out.npy".to_owned()));
    let faults = refused(1, &predict(&folder.file("bad.csv", "a,b\n1,2\n3\n4,x\n"), &[]));
    let places: Vec<&str> = faults.iter().map(|fault| fault["place"].as_str().unwrap()).collect();
    assert_eq!(places, ["line 3", "line 4"]);
}

#[test]
fn rows_take_the_shape_of_the_input_and_ids_stay_whole() {
    let folder = Folder::new();
    let empty = folder.file("empty.safetensors", safetensors(&[]));
    let network = r#"{"kind":"stack","layers":[{"kind":"flatten"}]}"#;
    let network = folder.file("n.json", network);
    let rows = folder.file("rows.csv", "1,2,3,4\n5,6,7,8\n");
    let arguments = ["predict", &empty, "--network", &network, "--input", &rows];
    assert_eq!(good(&arguments), "1,2,3,4\n5,6,7,8\n");
    assert_eq!(good(&[&arguments[..], &["--example", "2,2"]].concat()), "1,2,3,4\n5,6,7,8\n");
    refused(1, &[&arguments[..], &["--example", "2,3"]].concat());

    let pool = folder.file("pool.json", r#"{"kind":"stack","layers":[{"kind":"globalavgpool2d"}]}"#);
    let arguments = ["predict", &empty, "--network", &pool, "--input", &rows, "--layout", "channels_last"];
    assert_eq!(good(&[&arguments[..], &["--example", "2,2,1"]].concat()), "2.5\n6.5\n");
    let images = folder.file("images.npy", npy("<f4", false, "(1, 2, 2, 1)", &singles(&[1., 2., 3., 4.])));
    assert_eq!(good(&["predict", &empty, "--network", &pool, "--input", &images]), "2.5\n");

    let network = folder.file(
        "ids.json",
        r#"{"kind":"graph","inputs":[{"name":"ids","shape":[2],"dtype":"I64"}],
            "layers":[{"name":"e","kind":"embedding","count":3,"features":2}]}"#,
    );
    let model =
        folder.file("e.safetensors", safetensors(&[("e.weight", "F32", &[3, 2], singles(&[0., 1., 2., 3., 4., 5.]))]));
    let ids = folder.file("ids.csv", "2,0\n");
    let arguments = ["predict", &model, "--network", &network, "--input"];
    assert_eq!(good(&[&arguments[..], &[&ids]].concat()), "4,5,0,1\n");
    for bad in ["2,0.5\n", "2,3\n", "2,-1\n"] {
        refused(1, &[&arguments[..], &[&folder.file("bad.csv", bad)]].concat());
    }
}

#[test]
fn several_inputs_and_outputs() {
    let folder = Folder::new();
    let empty = folder.file("empty.safetensors", safetensors(&[]));
    let network = folder.file(
        "n.json",
        r#"{"kind":"graph","inputs":[{"name":"a","shape":[2]},{"name":"b","shape":[2]}],
            "layers":[{"name":"sum","kind":"add","from":["a","b"]},{"name":"join","kind":"concat","axis":1,"from":["a","b"]}],
            "outputs":[{"name":"s","from":"sum"},{"name":"j","from":"join"}]}"#,
    );
    let two = |a: &[f32], b: &[f32]| {
        safetensors(&[
            ("input.1", "F32", &[b.len() / 2, 2], singles(b)),
            ("output", "F32", &[1], singles(&[0.0])),
            ("input", "F32", &[a.len() / 2, 2], singles(a)),
        ])
    };
    let io = folder.file("io.safetensors", two(&[1., 2.], &[10., 20.]));
    let arguments = ["predict", &empty, "--network", &network, "--input", &io];
    assert_eq!(good(&arguments), "# output 1x2\n11,22\n# output.1 1x4\n1,2,10,20\n");
    let out = folder.path("out.safetensors");
    good(&[&arguments[..], &["--output", &out]].concat());
    assert_eq!(tensor(&out, "output.1"), (vec![1, 4], vec![1., 2., 10., 20.]));
    refused(1, &[&arguments[..], &["--output", &folder.path("out.npy")]].concat());
    let uneven = folder.file("uneven.safetensors", two(&[1., 2.], &[1., 2., 3., 4.]));
    refused(1, &["predict", &empty, "--network", &network, "--input", &uneven]);
}

/// A file of a convolution of 1 to 2 channels over 1 place, a flatten and a dense layer of 12 to 1; its network in words.
fn convolution(folder: &Folder) -> (String, String) {
    let file = safetensors(&[
        ("0.weight", "F32", &[2, 1, 1, 1], singles(&[1., 10.])),
        ("0.bias", "F32", &[2], singles(&[0.; 2])),
        ("2.weight", "F32", &[1, 12], singles(&(0..12u8).map(f32::from).collect::<Vec<_>>())),
        ("2.bias", "F32", &[1], singles(&[0.])),
    ]);
    let network = r#"{"kind":"stack","layers":[{"kind":"conv2d","inChannels":1,"outChannels":2,"height":1,"width":1},
        {"kind":"flatten"},{"kind":"dense","inputs":12,"outputs":1}]}"#;
    (folder.file("c.safetensors", file), folder.file("c.json", network))
}

#[test]
fn what_a_flatten_is_handed_is_channels_last() {
    let folder = Folder::new();
    let (model, network) = convolution(&folder);
    let image = folder.file("image.npy", npy("<f4", false, "(1, 2, 3, 1)", &singles(&[1., 2., 3., 4., 5., 6.])));
    let check = ["check", &model, "--network", &network, "--flattened"];
    let predict = ["predict", &model, "--network", &network, "--input", &image, "--flattened"];
    good(&[&check[..], &["1=2,3,2"]].concat());
    // Places 0 to 5 by 1 to 6, and by ten times that for the second channel, whose weights are 6 to 11.
    assert_eq!(good(&[&predict[..], &["1=2,3,2"]].concat()), "2030\n");
    for wrong in ["1=2,2,3", "1=12", "1=6,2"] {
        refused(1, &[&check[..], &[wrong]].concat());
        refused(1, &[&predict[..], &[wrong]].concat());
    }
    let faults = refused(1, &[&predict[..], &["1=3,2,2"]].concat());
    let message = faults[0]["message"].as_str().unwrap();
    assert!(message.contains("3x2x2 is stated, and 2x3x2 reaches it of an example of 2x3x1"), "{message}");
}

#[test]
fn a_shape_the_layers_do_not_take_is_the_inputs_mistake() {
    let folder = Folder::new();
    let (model, network) = convolution(&folder);
    let image = folder.file("image.npy", npy("<f4", false, "(1, 2, 2, 1)", &singles(&[1.; 4])));
    let faults = refused(1, &["predict", &model, "--network", &network, "--input", &image]);
    let messages: Vec<&str> = faults.iter().map(|fault| fault["message"].as_str().unwrap()).collect();
    assert!(messages[0].contains("image.npy' has the shape 1x2x2x1"), "{messages:?}");
    assert!(messages[1].contains("c.json, line 2, column ") && messages[1].contains("12"), "{messages:?}");
    let flat = folder.file("flat.npy", npy("<f4", false, "(14,)", &singles(&[1.; 14])));
    let faults = refused(1, &predict(&flat, &[]));
    assert!(faults[0]["message"].as_str().unwrap().contains("1x14 for one"), "{faults:?}");
}

#[test]
fn further_inputs_in_pytorchs_words_have_the_shapes_of_their_arrays() {
    let folder = Folder::new();
    let empty = folder.file("empty.safetensors", safetensors(&[]));
    let network = r#"{"style":"torch","layers":[{"id":"0","kind":"add","inputs":["input","input.1"]}]}"#;
    let network = folder.file("add.json", network);
    let two = safetensors(&[
        ("input", "F32", &[1, 2], singles(&[1., 2.])),
        ("input.1", "F32", &[1, 2], singles(&[10., 20.])),
    ]);
    let io = folder.file("io.safetensors", two);
    let arguments = ["predict", &empty, "--network", &network, "--input", &io];
    assert_eq!(good(&arguments), "11,22\n");
    assert_eq!(good(&[&arguments[..], &["--example", "2"]].concat()), "11,22\n");
    assert_eq!(good(&[&arguments[..], &["--example", "2", "--example", "2"]].concat()), "11,22\n");
    refused(1, &[&arguments[..], &["--example", "2", "--example", "2", "--example", "2"]].concat());
}
