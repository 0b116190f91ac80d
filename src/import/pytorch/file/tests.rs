//! The 49 files of `fixtures/pt`, values of checkpoints, the part of one that is chosen, and every way to spoil a small file.

use crate::{
    describe::{Description, parse},
    faults::{Code, Faults, Refused},
    import::{Import, ImportOptions},
    limits::Limits,
    network::Network,
    params::{Kind, NodeId, Params, Value},
    source::Source,
    tensor::{DType, Storage, Tensor},
};
use serde_json::Value as Json;
use std::{fs, path::PathBuf};

const LAYERS: &str =
    r#"{"style":"torch","layers":[{"id":"0","kind":"Linear","module":"0","args":{"in_features":2,"out_features":2}}]}"#;
const WEIGHT: [f32; 4] = [1.5, -2.0, 0.25, 3.0];
const BIAS: [f32; 2] = [0.5, -0.5];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/pt")
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{name}.pt"))).unwrap()
}

fn open(bytes: &[u8], options: ImportOptions<'_>, faults: &mut Faults) -> Result<Import, Refused> {
    let storage = Storage::copied(bytes).unwrap();
    Import::open(&Source::memory(storage), options, faults)
}

fn layers() -> Description {
    parse(LAYERS.as_bytes(), &Limits::default(), &mut Faults::default()).unwrap()
}

fn network(bytes: &[u8], key: Option<&str>, faults: &mut Faults) -> Result<Network, Refused> {
    let layers = layers();
    open(bytes, ImportOptions { network: Some(&layers), key, ..ImportOptions::default() }, faults)?.network(faults)
}

fn singles(tensor: &Tensor) -> Vec<f32> {
    tensor.to_f32().unwrap().as_f32().unwrap().to_vec()
}

/// The tree of a file, or what is wrong with it.
fn tree(bytes: &[u8]) -> Result<Params, String> {
    let mut faults = Faults::default();
    let params = open(bytes, ImportOptions::default(), &mut faults).and_then(|import| import.params(&mut faults));
    params.map_err(|_| faults.text())
}

fn at(params: &Params, path: &str) -> NodeId {
    params.find(Params::ROOT, path.as_bytes()).unwrap_or_else(|| panic!("{path} is not there"))
}

#[test]
fn forty_nine_files() {
    let all: Json = serde_json::from_slice(&fs::read(folder().join("cases.json")).unwrap()).unwrap();
    let cases = all["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 49);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let bytes = fixture(name);
        let mut faults = Faults::default();
        let network = network(&bytes, case["key"].as_str(), &mut faults);
        let said = faults.text();
        match case["expect"].as_str().unwrap() {
            "read" => {
                let network = network.unwrap_or_else(|_| panic!("{name}: {said}"));
                let written = network.written().unwrap();
                assert_eq!(singles(&written[0].tensor), WEIGHT, "{name}");
                assert_eq!(singles(&written[1].tensor), BIAS, "{name}");
            }
            "dtype" => {
                assert_eq!(network.err(), Some(Refused(Code::SlotDtype)), "{name}");
                assert!(tree(&bytes).is_ok(), "{name}");
            }
            "tree" => {
                assert!(network.is_err() && said.contains("'x' is"), "{name}: {said}");
                tree(&bytes).unwrap_or_else(|said| panic!("{name}: {said}"));
            }
            _ => {
                let names = case["names"].as_str().unwrap();
                assert!(network.is_err() && said.contains(names), "{name}: {said}");
                assert!(faults.iter().all(|fault| fault.message.len() <= 1000));
            }
        }
        // What PyTorch's own reader refuses is refused.
        assert!(case["torch"] == "reads" || case["expect"] == "refused", "{name}");
    }
}

#[test]
fn what_a_value_is_in_the_tree() {
    let size = tree(&fixture("shape_size")).unwrap();
    assert_eq!(size.kind(at(&size, "/x")), Some(Kind::Tuple));
    assert!(matches!(size.value(at(&size, "/x/1")), Some(Value::Int(2))));
    let bytes = tree(&fixture("shape_bytes")).unwrap();
    assert!(matches!(bytes.value(at(&bytes, "/x")), Some(Value::Bytes(bytes)) if **bytes == *b"ab\xFF"));
    let counter = tree(&fixture("shape_counter")).unwrap();
    assert!(matches!(counter.value(at(&counter, "/x/a")), Some(Value::Int(2))));
    let checkpoint = tree(&fixture("archive_checkpoint")).unwrap();
    assert!(matches!(checkpoint.value(at(&checkpoint, "/epoch")), Some(Value::Int(3))));
    assert_eq!(singles(checkpoint.tensor(at(&checkpoint, "/state_dict/0.bias")).unwrap()), BIAS);
}

#[test]
fn every_kind_of_value() {
    let tree = tree(&fixture("values")).unwrap();
    let value = |path: &str| tree.value(at(&tree, path)).unwrap_or_else(|| panic!("{path} is a branch"));
    let text = |path: &str| match value(path) {
        Value::Text(text) => text.to_string(),
        other => panic!("{path}: {other:?}"),
    };
    let tensor = |path: &str| tree.tensor(at(&tree, path)).unwrap_or_else(|| panic!("{path}: {:?}", value(path)));
    assert!(matches!(value("/none"), Value::None));
    assert!(matches!(value("/flag"), Value::Bool(true)));
    assert!(matches!(value("/real"), Value::Real(number) if *number == 0.25));
    assert!(matches!(value("/long"), Value::BigInt(digits) if digits == "-1180591620717411303424"));
    assert!(matches!(value("/complex"), Value::Complex(re, im) if (*re, *im) == (1.0, 2.0)));
    assert!(matches!(value("/bytearray"), Value::Bytes(bytes) if **bytes == *b"x\xFE"));
    assert_eq!(text("/device"), "cuda:1");
    assert_eq!(text("/dtype"), "torch.float16");
    assert_eq!(text("/layout"), "torch.strided");
    assert_eq!(text("/numpy_dtype"), "f8");
    assert_eq!((tensor("/numpy_scalar").shape(), singles(tensor("/numpy_scalar"))), (&[][..], vec![1.5]));
    assert_eq!(singles(tensor("/numpy_fortran")), [0., 1., 2., 3., 4., 5.]);
    assert_eq!(tensor("/numpy_array").dtype(), DType::I64);
    assert_eq!(tensor("/numpy_array").shape(), [3]);
    assert_eq!(tree.kind(at(&tree, "/set")), Some(Kind::Set));
    assert_eq!(tree.kind(at(&tree, "/defaultdict")), Some(Kind::Named));
    assert!(matches!(value("/keys/1"), Value::Int(1)));
    assert!(matches!(value("/keys/(1, a)"), Value::Int(2)));
    assert_eq!(tensor("/storage").shape(), [8]);
    for (path, dtype) in [("/u16", DType::U16), ("/f8", DType::F8E4M3), ("/c64", DType::C64), ("/flagged", DType::Bool)]
    {
        assert_eq!(tensor(path).dtype(), dtype, "{path}");
    }
    for path in ["/parameter", "/attributed", "/turned"] {
        assert_eq!(tensor(path).count(), 4, "{path}");
    }
    assert_eq!(tensor("/turned").to_packed().unwrap().to_f32().unwrap().as_f32().unwrap(), [1.5, 0.25, -2.0, 3.0]);
}

#[test]
fn the_state_is_chosen_and_proposed() {
    let bytes = fixture("nested");
    for key in ["model", "/ema/shadow", "/list/0"] {
        let mut faults = Faults::default();
        let network = network(&bytes, Some(key), &mut faults).unwrap_or_else(|_| panic!("{key}: {}", faults.text()));
        assert_eq!(singles(&network.written().unwrap()[1].tensor), BIAS);
    }
    let mut faults = Faults::default();
    assert!(network(&bytes, None, &mut faults).is_err());
    let fault = faults.iter().next().unwrap();
    assert_eq!((fault.code, fault.path.to_string()), (Code::Kind, "model".into()));
    assert!(fault.message.contains("'model' or '/ema/shadow'"), "{}", fault.message);
    let mut faults = Faults::default();
    assert!(network(&bytes, Some("modle"), &mut faults).is_err());
    assert!(faults.text().contains("'model' or '/ema/shadow'"), "{}", faults.text());
    let import = open(&bytes, ImportOptions::default(), &mut faults).unwrap();
    let paths: Vec<_> = import.entries().iter().map(|entry| entry.path.to_string()).collect();
    assert_eq!(paths[..3], ["model.0.weight", "model.0.bias", "ema.shadow.0.weight"]);
}

#[test]
fn what_modules_keep_for_themselves_is_left_out_with_a_note() {
    let mut bytes = fixture("archive_before_1_6");
    assert!(open(&bytes, ImportOptions::default(), &mut Faults::default()).unwrap().notes().is_empty());
    // The end of the third pickle, whose dictionary gets one item more.
    let state = bytes.windows(8).position(|window| window == b"0.weight").unwrap();
    let at = (state..bytes.len()).find(|&at| bytes[at..].starts_with(b"u.\x80\x02")).unwrap();
    bytes.splice(at..at, *b"X\x0E\0\0\x000._extra_state}");
    let mut faults = Faults::default();
    let network = network(&bytes, None, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
    assert_eq!(singles(&network.written().unwrap()[1].tensor), BIAS);
    let import = open(&bytes, ImportOptions::default(), &mut faults).unwrap();
    let [(key, note)] = import.notes() else { panic!("{:?}", import.notes()) };
    assert_eq!(key.to_string(), "left out");
    assert!(note.to_string().starts_with("'0._extra_state': "), "{note}");
}

#[test]
fn values_are_limited_by_entries() {
    let bytes = fixture("nested");
    let least = |entries| {
        let limits = Limits { entries, ..Limits::default() };
        open(&bytes, ImportOptions { limits, ..ImportOptions::default() }, &mut Faults::default()).map(|_| ())
    };
    assert_eq!((least(100), least(5)), (Ok(()), Err(Refused(Code::Limit))));
}

#[test]
fn storages_are_shared_and_stay_in_place() {
    let bytes = fixture("values");
    let import = open(&bytes, ImportOptions::default(), &mut Faults::default()).unwrap();
    let place = |path: &str| {
        let at = import.entries().iter().position(|entry| entry.path == *path).unwrap();
        let tensor = import.tensor(at, &mut Faults::default()).unwrap();
        (import.entries()[at].offset.unwrap(), tensor.view().bytes().as_ptr() as usize)
    };
    let ((first, there), (second, here)) = (place("parameter"), place("turned"));
    assert_eq!((first, there), (second, here));
    assert_eq!(bytes[first as usize..][..4], WEIGHT[0].to_le_bytes());
}

/// Reads a file in every way; whatever it says, there is an answer.
fn read(bytes: &[u8]) -> Result<Vec<f32>, String> {
    let mut faults = Faults::default();
    let network = network(bytes, None, &mut faults);
    let tree = tree(bytes);
    assert_eq!(network.is_err(), !faults.is_empty());
    network.map_err(|_| faults.text())?;
    let tree = tree?;
    Ok(["/0.weight", "/0.bias"].iter().flat_map(|path| singles(tree.tensor(at(&tree, path)).unwrap())).collect())
}

#[test]
fn cut_and_changed_at_every_byte() {
    let numbers: Vec<f32> = WEIGHT.iter().chain(&BIAS).copied().collect();
    for name in ["archive_without_byteorder", "archive_before_1_6"] {
        let whole = fixture(name);
        assert_eq!(read(&whole).as_ref(), Ok(&numbers));
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{name} cut to {length}");
        }
        for at in 0..whole.len() {
            for change in 1..=u8::MAX {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                // The archive keeps checksums of its records; what was before keeps none.
                if let Ok(read) = read(&bytes) {
                    assert!(read == numbers || name == "archive_before_1_6", "{name}, byte {at}: {read:?}");
                }
            }
        }
    }
}
