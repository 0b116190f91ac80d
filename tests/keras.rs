//! Files of Keras beyond their cases: the same numbers from every form of a model, the loss at its end, what is told of it, and
//! files that cost more than they should.

mod support;

use pontil::{
    describe::{Description, Layout},
    faults::{Code, Faults, Refused},
    import::{Import, ImportOptions},
    limits::Limits,
    network::Network,
    plan::{Isa, Precision},
    source::{Reader, Source},
    tensor::Storage,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{
    answers::{self, network, slots, ulp},
    files, keras,
};

fn source(bytes: &[u8]) -> Source {
    Source::memory(Storage::copied(bytes).unwrap())
}

/// A model file of a case, as it was written.
fn model(case: &str, file: &str) -> Vec<u8> {
    std::fs::read(files::fixtures("cases").join(case).join(file)).unwrap()
}

fn open(bytes: &[u8], options: ImportOptions<'_>) -> (Result<Import, Refused>, Faults) {
    let mut faults = Faults::default();
    (Import::open(&source(bytes), options, &mut faults), faults)
}

fn read(bytes: &[u8], options: ImportOptions<'_>) -> Network {
    network(bytes, options).unwrap_or_else(|faults| panic!("{}", faults.text()))
}

/// Why a file is refused: the first fault and all paths; none if it is read.
fn refused(bytes: &[u8], options: ImportOptions<'_>) -> Option<(Code, Vec<String>)> {
    let faults = network(bytes, options).err()?;
    let first = faults.iter().next().map(|fault| fault.code)?;
    Some((first, faults.iter().map(|fault| fault.path.to_string()).collect()))
}

/// Whether a case says that its file is refused.
fn is_refused(case: &str) -> bool {
    let told = files::json(&files::fixtures("cases").join(case).join("case.json"));
    !told["expect"]["faults"].is_null()
}

#[test]
fn both_forms_of_a_model_fill_the_same_slots() {
    let mut met = 0;
    for folder in files::within(&files::fixtures("cases"), "") {
        let case = files::stem(&folder);
        let both = folder.join("model.keras").exists() && folder.join("model.h5").exists();
        if !both || !case.starts_with("keras") {
            continue;
        }
        let (one, other) = (model(&case, "model.keras"), model(&case, "model.h5"));
        if is_refused(&case) {
            assert!([&one, &other].iter().all(|bytes| network(bytes, ImportOptions::default()).is_err()), "{case}");
            continue;
        }
        let [one, other] = [one, other].map(|bytes| slots(&read(&bytes, ImportOptions::default())));
        assert_eq!(one, other, "{case}");
        met += 1;
    }
    assert!(met >= 14, "only {met}");
}

#[test]
fn titanic_is_within_eight_places_of_keras() {
    let io = files::tensors(&files::fixtures("cases").join("keras_titanic/io.safetensors"));
    let (inputs, outputs) = (files::numbered(&io, "input"), files::numbered(&io, "output"));
    for (file, precision) in [("model.keras", Precision::Standard), ("model.h5", Precision::Exact)] {
        let network = read(&model("keras_titanic", file), ImportOptions::default());
        let answer = &answers::run_by(&network, precision, Isa::best(), &inputs).unwrap()[0];
        for (is, should) in answer.numbers.iter().zip(outputs[0].as_f32().unwrap()) {
            let places = (f64::from(*is) - f64::from(*should)).abs() / ulp(f64::from(*should));
            assert!(places <= 8.0, "{is} is {places} places from {should}");
        }
    }
}

#[test]
fn a_loss_takes_the_end_over_where_it_is_asked_to() {
    let lift = || ImportOptions { lift_loss: true, ..ImportOptions::default() };
    let last = |bytes: &[u8], options| {
        let (import, mut faults) = open(bytes, options);
        let import = import.unwrap();
        let description = import.description(&mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
        let from = &description.outputs[0].from;
        let last = description.layers.iter().find(|layer| layer.name == *from).unwrap();
        (last.kind.clone(), import.loss().map(str::to_owned))
    };
    let titanic = model("keras_titanic", "model.keras");
    assert_eq!(last(&titanic, ImportOptions::default()), ("sigmoid".into(), None));
    assert_eq!(last(&titanic, lift()), ("dense".into(), Some("binaryCrossEntropy".into())));
    let stated = ImportOptions { loss: Some("meanSquaredError"), ..lift() };
    assert_eq!(last(&titanic, stated), ("sigmoid".into(), Some("meanSquaredError".into())));

    let why = |case: &str, options| refused(&model(case, "model.keras"), options);
    assert_eq!(why("keras_not_compiled", ImportOptions::default()), None);
    assert_eq!(why("keras_not_compiled", lift()), Some((Code::Absent, vec!["loss".into()])));
    let disagrees = Some((Code::Loss, vec!["dense_1".into()]));
    assert_eq!(why("keras_loss_disagrees", ImportOptions::default()), disagrees);
    assert_eq!(why("keras_loss_disagrees", lift()), disagrees);
    let stated = ImportOptions { loss: Some("crossEntropy"), ..ImportOptions::default() };
    assert_eq!(why("keras_loss_disagrees", stated), None);
}

#[test]
fn a_model_is_told_as_keras_tells_it() {
    let (import, _) = open(&model("keras_shared_nested", "model.keras"), ImportOptions::default());
    let summary = import.unwrap().summary().unwrap();
    let told: Vec<_> = summary.lines.iter().map(|line| (&*line.name, &*line.class)).collect();
    assert_eq!(told[..3], [("left", "InputLayer"), ("right", "InputLayer"), ("shared", "Dense")]);
    let shared = summary.lines.iter().find(|line| line.name == "shared").unwrap();
    assert_eq!((shared.shape.clone(), shared.counts), (Some(vec![Some(6)]), [42, 0]));
    let tower = summary.lines.iter().find(|line| line.name == "tower").unwrap();
    assert_eq!(tower.counts, [35, 10]);
    assert!(summary.connected);
    let (import, _) = open(&model("keras_weights_h5", "model.weights.h5"), ImportOptions::default());
    assert_eq!(import.unwrap().summary(), None);
}

#[test]
fn the_hosts_axis_order_turns_the_ports_of_images() {
    let bytes = model("keras_channels_first", "model.keras");
    for (layout, shape) in [
        (Layout::AsFile, vec![3, 10, 9]),
        (Layout::ChannelsFirst, vec![3, 10, 9]),
        (Layout::ChannelsLast, vec![10, 9, 3]),
    ] {
        let network = read(&bytes, ImportOptions { layout, ..ImportOptions::default() });
        let input = network.graph().inputs[0].value;
        assert_eq!(network.graph().values[input].known(), Some(shape), "{layout:?}");
    }
}

#[test]
fn what_costs_too_much_is_refused_and_said() {
    for (name, bytes) in keras::bombs() {
        let faults = network(&bytes, ImportOptions::default()).err().unwrap_or_else(|| panic!("{name}"));
        assert!(!faults.is_empty(), "{name}");
        if name.contains("within one another") {
            assert!(
                faults.iter().any(|fault| fault.code == Code::Limit && fault.place == *"config.json"),
                "{name}: {}",
                faults.text()
            );
        }
    }
}

#[test]
fn numbers_alone_fill_what_the_whole_model_does() {
    let mut met = 0;
    for folder in files::within(&files::fixtures("cases"), "") {
        let case = files::stem(&folder);
        // Names of layers are what goes from one file to the other; some crafted files have none.
        let skipped = !case.starts_with("keras") || case.starts_with("keras_crafted");
        if skipped || !folder.join("model.keras").exists() {
            continue;
        }
        let whole = model(&case, "model.keras");
        if is_refused(&case) {
            assert!(network(&whole, ImportOptions::default()).is_err(), "{case}");
            continue;
        }
        let filled = read(&whole, ImportOptions::default());
        let at = keras::within(&whole, "model.weights.h5");
        let description = filled.description();
        let options = ImportOptions { network: Some(description), ..ImportOptions::default() };
        assert_eq!(slots(&read(&whole[at], options)), slots(&filled), "{case}");
        met += 1;
    }
    assert!(met >= 15, "only {met}");
}

/// The description of a file's network with the names of two layers exchanged.
fn exchanged(description: &Description, one: &str, other: &str) -> Description {
    let mut description = description.clone();
    let turned = |name: &str| match name {
        name if name == one => other.to_owned(),
        name if name == other => one.to_owned(),
        name => name.to_owned(),
    };
    for layer in &mut description.layers {
        layer.name = turned(&layer.name);
        layer.slots = layer.slots.as_deref().map(turned);
        layer.from.iter_mut().for_each(|from| *from = turned(from));
    }
    description.outputs.iter_mut().for_each(|output| output.from = turned(&output.from));
    description
}

#[test]
fn numbers_whose_layers_have_no_names_go_by_the_order_of_their_groups_alone() {
    let whole = model("keras_crafted_no_names", "model.keras");
    let filled = read(&whole, ImportOptions::default());
    let numbers = &whole[keras::within(&whole, "model.weights.h5")];
    let into = |description| network(numbers, ImportOptions { network: Some(description), ..ImportOptions::default() });
    assert_eq!(slots(&into(filled.description()).unwrap()), slots(&filled));
    let faults = into(&exchanged(filled.description(), "dense", "dense_1")).unwrap_err();
    assert!(faults.iter().any(|fault| fault.code == Code::SlotLayout && fault.path == *"dense_1"), "{}", faults.text());
}

/// Bytes of which one read fails, after so many that do not.
struct FailsOnce {
    bytes: Vec<u8>,
    after: AtomicUsize,
}

impl Reader for FailsOnce {
    fn size(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }

    fn read(&self, at: u64, to: &mut [u8]) -> Option<usize> {
        if self.after.fetch_sub(1, Ordering::Relaxed) == 0 {
            return None;
        }
        let rest = self.bytes.get(at as usize..)?;
        let count = rest.len().min(to.len());
        to[..count].copy_from_slice(&rest[..count]);
        Some(count)
    }
}

#[test]
fn what_can_not_be_read_is_not_taken_for_absent() {
    let (mut refusals, mut cases) = (0, 0);
    for folder in files::within(&files::fixtures("cases"), "") {
        let case = files::stem(&folder);
        if !folder.join("model.h5").exists() || is_refused(&case) {
            continue;
        }
        let bytes = model(&case, "model.h5");
        let whole = open(&bytes, ImportOptions::default()).0.unwrap();
        cases += 1;
        for after in 0..20 {
            let mut faults = Faults::default();
            let reader = Box::new(FailsOnce { bytes: bytes.clone(), after: after.into() });
            let source = Source::reader(reader, &Limits::default(), &mut faults).unwrap();
            let options = ImportOptions { format: Some("keras"), ..ImportOptions::default() };
            match Import::open(&source, options, &mut faults) {
                Ok(import) => assert_eq!(import.notes(), whole.notes(), "{case}: read {after}"),
                Err(_) => refusals += 1,
            }
        }
    }
    assert!(cases > 0 && refusals > cases, "{refusals} of {cases}");
}

#[test]
fn a_loss_goes_along_the_last_axis() {
    let softmax = |axis: &str| {
        let config = format!(
            r#"{{"class_name":"Sequential","config":{{"name":"a","layers":[{{"class_name":"InputLayer","config":{{"batch_shape":[null,4,3],"name":"i"}}}},{{"class_name":"Softmax","config":{{"name":"s","axis":{axis}}}}}]}}}}"#
        );
        let titanic = model("keras_crafted_no_names", "model.keras");
        let weights = &titanic[keras::within(&titanic, "model.weights.h5")];
        let options = ImportOptions { loss: Some("crossEntropy"), lift_loss: true, ..ImportOptions::default() };
        let (import, mut faults) = open(&keras::archive(config.as_bytes(), weights), options);
        let description = import.unwrap().description(&mut faults).ok();
        description.map(|description| description.layers.len())
    };
    assert_eq!(softmax("-1"), Some(0));
    assert_eq!(softmax("1"), None);
    assert_eq!(softmax("[1,2]"), None);
}

#[test]
fn numbers_alone_go_by_names() {
    let numbers = model("keras_weights_h5", "model.weights.h5");
    assert_eq!(refused(&numbers, ImportOptions::default()).map(|(code, _)| code), Some(Code::State));
    let whole = model("keras_weights_h5", "network.keras");
    let (import, mut faults) = open(&whole, ImportOptions::default());
    let description = import.unwrap().description(&mut faults).unwrap();
    let options = || ImportOptions { network: Some(&description), ..ImportOptions::default() };
    assert_eq!(read(&numbers, options()).numbers().len(), 10);
    let mut other = description.clone();
    other.layers[0].name = "elsewhere".into();
    let readers = other.layers.iter_mut().flat_map(|layer| &mut layer.from).filter(|from| **from == "dense");
    readers.for_each(|from| *from = "elsewhere".into());
    let faults = network(&numbers, ImportOptions { network: Some(&other), ..ImportOptions::default() }).unwrap_err();
    assert_eq!(faults.iter().next().map(|fault| fault.code), Some(Code::SlotUnknown), "{}", faults.text());
    assert!(faults.iter().any(|fault| fault.code == Code::SlotMissing && fault.path == *"elsewhere.weight"));
}
