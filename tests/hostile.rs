//! Files that lie. Whatever a file says: no panic, an answer within two seconds, no message that breaks the rules, and no
//! more memory than the file, the network and 16 MiB. `PONTIL_FILES` names a folder of further files.

mod support;

use cpu_time::ThreadTime;
use pontil::{
    capi::allocator::peak,
    describe::{Description, Layout},
    faults::{Faults, Refused},
    import::{Import, ImportOptions},
    limits::Limits,
    source::{Reader, Source},
    tensor::Storage,
};
use std::{
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};
use support::{bombs, case::Case, files, floods, keras, messages, random::Random, repaired};

/// The most memory beyond the file and the network.
const BEYOND: u64 = 16 << 20;

/// The longest a file may take.
const LONGEST: Duration = Duration::from_secs(2);

/// How many random files are made.
const RANDOM: usize = 4000;

#[test]
fn no_file_does_harm() {
    let mut failed = Vec::new();
    let mut ran = 0;
    let mut meet = |name: &str, bytes: &[u8], description: Option<&Description>| {
        ran += 1;
        failed.extend(harm(&memory(bytes), description).err().map(|harm| format!("{name}: {harm}")));
    };
    for folder in files::within(&files::fixtures("cases"), "") {
        let case = Case::of(&folder);
        let description = case.description().ok().flatten();
        for model in
            [".safetensors", ".pt", ".pt2", ".onnx", ".keras", ".h5"].iter().flat_map(|ending| case.models(ending))
        {
            meet(&case.name(), &fs::read(model).unwrap(), description.as_ref());
        }
    }
    if let Some(folder) = env::var_os("PONTIL_FILES") {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            meet(&path.to_string_lossy(), &fs::read(&path).unwrap(), None);
        }
    }
    for (name, header) in headers() {
        meet(name, &file(&header, &[0; 64]), None);
    }
    for (name, bytes) in bombs::all().into_iter().chain(floods::all()) {
        meet(name, &bytes, None);
    }
    let case = Case::of(&files::fixtures("cases").join("titanic_mlp_bn"));
    let (description, bytes) = (case.description().unwrap(), fs::read(&case.models(".safetensors")[0]).unwrap());
    changed(&bytes, |name, changed| meet(name, changed, description.as_ref()));
    let case = Case::of(&files::fixtures("cases").join("pt_byteorder_absent_ok"));
    let (description, bytes) = (case.description().unwrap(), fs::read(&case.models(".pt")[0]).unwrap());
    changed(&bytes, |name, changed| meet(name, changed, description.as_ref()));
    for name in ["values", "nested", "archive_without_byteorder"] {
        let bytes = fs::read(files::fixtures("pt").join(format!("{name}.pt"))).unwrap();
        repaired::changed(&bytes, &["/data.pkl"], RANDOM, |change, changed| {
            meet(&format!("{name}, {change}"), changed, None)
        });
    }
    let case = Case::of(&files::fixtures("cases").join("onnx_kerastorch_conv_flatten"));
    changed(&fs::read(&case.models(".onnx")[0]).unwrap(), |name, changed| meet(name, changed, None));
    assert!(failed.is_empty(), "\n{} of {ran} did harm:\n{}\n", failed.len(), failed.join("\n"));
    assert!(ran > RANDOM, "only {ran} files");
}

/// How many random files are made of each kind that Keras writes.
const OF_KERAS: usize = 10_000;

#[test]
fn no_file_of_keras_does_harm() {
    let mut failed = Vec::new();
    let mut meet = |name: &str, bytes: &[u8], description: Option<&Description>| {
        failed.extend(harm(&memory(bytes), description).err().map(|harm| format!("{name}: {harm}")));
    };
    for (name, bytes) in keras::bombs() {
        meet(name, &bytes, None);
    }
    let model = |case: &str, file: &str| files::fixtures("cases").join(case).join(file);
    for case in ["keras_shared_nested", "keras_titanic", "keras_operations", "keras_time_apart"] {
        let whole = fs::read(model(case, "model.keras")).unwrap();
        let inside = ["config.json", "model.weights.h5"];
        repaired::changed(&whole, &inside, OF_KERAS / 8, |change, changed| {
            meet(&format!("{case}, {change}"), changed, None)
        });
        keras::retold(&whole, OF_KERAS / 4, |change, changed| meet(&format!("{case}, {change}"), changed, None));
        let legacy = fs::read(model(case, "model.h5")).unwrap();
        spliced(&legacy, OF_KERAS / 4, |change, changed| meet(&format!("{case}, legacy, {change}"), changed, None));
    }
    let case = Case::of(&files::fixtures("cases").join("keras_weights_h5"));
    let description = case.description().unwrap();
    let bytes = fs::read(&case.models(".h5")[0]).unwrap();
    spliced(&bytes, OF_KERAS, |change, changed| meet(&format!("weights, {change}"), changed, description.as_ref()));
    assert!(failed.is_empty(), "\n{} did harm:\n{}\n", failed.len(), failed.join("\n"));
}

/// A host that reads a file for the library, whose copies count.
struct Host(Vec<u8>);

impl Reader for Host {
    fn size(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }

    fn read(&self, at: u64, to: &mut [u8]) -> Option<usize> {
        let rest = self.0.get(usize::try_from(at).ok()?..)?;
        let count = rest.len().min(to.len());
        to[..count].copy_from_slice(&rest[..count]);
        Some(count)
    }
}

#[test]
fn what_a_reader_copies_is_counted() {
    let mut failed = Vec::new();
    let numbers = floods::numbers(200_000);
    let storage = bombs::stored(24 << 20);
    let files = [("200,000 numbers", numbers), ("a storage of 24 MiB", storage)];
    for (name, bytes) in bombs::all().into_iter().chain(floods::all()).chain(files) {
        let source = Source::reader(Box::new(Host(bytes)), &Limits::default(), &mut Faults::default()).unwrap();
        failed.extend(harm(&source, None).err().map(|harm| format!("{name}: {harm}")));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn many_values_and_nothing_else_are_read() {
    let source = memory(&floods::numbers(200_000));
    let import = Import::open(&source, ImportOptions::default(), &mut Faults::default()).unwrap();
    let (params, beyond) = peak(|| import.params(&mut Faults::default()));
    assert_eq!(params.unwrap().count(), 200_001);
    assert!(beyond < BEYOND, "{beyond}");
}

#[test]
fn every_change_of_a_byte_does_no_harm() {
    let mut failed = Vec::new();
    for name in ["archive_without_byteorder", "archive_before_1_6"] {
        let mut bytes = fs::read(files::fixtures("pt").join(format!("{name}.pt"))).unwrap();
        for at in 0..bytes.len() {
            for change in 1..=u8::MAX {
                bytes[at] ^= change;
                failed.extend(harm(&memory(&bytes), None).err().map(|harm| format!("{name}, byte {at}: {harm}")));
                bytes[at] ^= change;
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn memory(bytes: &[u8]) -> Source {
    Source::memory(Storage::copied(bytes).unwrap())
}

/// Reads a file in every way there is, and says what harm it did.
fn harm(source: &Source, description: Option<&Description>) -> Result<(), String> {
    let start = ThreadTime::now();
    let mut faults = Faults::default();
    let (read, beyond) = peak(|| catch_unwind(AssertUnwindSafe(|| read(source, description, &mut faults))));
    let taken = start.elapsed();
    let read = read.map_err(|_| "a panic".to_owned())?;
    // The file itself is held already. The numbers of the network are no more than those of the file, widened from half
    // precision, and are held once more while they are turned.
    let network = if description.is_some() { 4 * source.len() } else { 0 };
    let most = BEYOND + source.len() + network;
    if beyond > most {
        return Err(format!("{beyond} bytes of memory, allowed {most}"));
    }
    if taken > LONGEST {
        return Err(format!("took {taken:?}"));
    }
    if read.is_err() && faults.is_empty() {
        return Err("refused without a fault".into());
    }
    let wrong = messages::wrong(&faults);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}

fn read(source: &Source, description: Option<&Description>, faults: &mut Faults) -> Result<(), Refused> {
    let options = ImportOptions { network: description, layout: Layout::AsFile, ..ImportOptions::default() };
    let import = Import::open(source, options, faults)?;
    for at in 0..import.entries().len() {
        import.tensor(at, faults)?;
    }
    let params = import.params(faults).map(|_| ());
    if description.is_some() || matches!(import.format(), "onnx" | "keras") {
        import.network(faults)?;
    }
    params
}

/// Every byte changed in several ways, every length, and random splices.
fn changed(bytes: &[u8], mut each: impl FnMut(&str, &[u8])) {
    for at in 0..bytes.len() {
        for to in [bytes[at] ^ 1, bytes[at] ^ 0x80, !bytes[at], b'9', b'"', b'-', 0] {
            let mut changed = bytes.to_vec();
            changed[at] = to;
            each(&format!("byte {at} as {to}"), &changed);
        }
        each(&format!("cut at {at}"), &bytes[..at]);
    }
    spliced(bytes, RANDOM, each);
}

/// Random splices.
fn spliced(bytes: &[u8], turns: usize, mut each: impl FnMut(&str, &[u8])) {
    let mut random = Random(7);
    for turn in 0..turns {
        let mut changed = bytes.to_vec();
        for _ in 0..1 + random.below(4) {
            splice(&mut changed, &mut random);
        }
        each(&format!("splice {turn}"), &changed);
    }
}

/// Replaces a random range by a random range of the same bytes, or by random bytes.
fn splice(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut range = || {
        let start = random.below(bytes.len().max(1));
        start..(start + random.below(24)).min(bytes.len())
    };
    let (away, from) = (range(), range());
    let mut put = bytes[from].to_vec();
    if random.below(2) == 0 {
        put.fill_with(|| random.below(256) as u8);
    }
    bytes.splice(away, put);
}

/// A file of this header.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

/// Headers no writer writes.
fn headers() -> Vec<(&'static str, String)> {
    let entry = |name: &str, shape: &str, offsets: &str| {
        format!(r#""{name}":{{"dtype":"F32","shape":{shape},"data_offsets":{offsets}}}"#)
    };
    let one = |name: &str, shape: &str, offsets: &str| format!("{{{}}}", entry(name, shape, offsets));
    let many = |count: usize, offsets: &str| {
        let entries: Vec<String> = (0..count).map(|i| entry(&i.to_string(), "[0]", offsets)).collect();
        format!("{{{}}}", entries.join(","))
    };
    vec![
        ("a length past 64 bits", one("a", "[18446744073709551616]", "[0,64]")),
        ("a product past 64 bits", one("a", "[4294967296,4294967296,4]", "[0,64]")),
        ("a nought beside a length past all", one("a", "[0,9223372036854775807,9223372036854775807]", "[0,0]")),
        ("a length of -1", one("a", "[-1]", "[0,64]")),
        ("a length of 1e30", one("a", "[1e30]", "[0,64]")),
        ("a length of 1.5", one("a", "[1.5]", "[0,64]")),
        ("an end past 64 bits", one("a", "[16]", "[0,99999999999999999999]")),
        ("an end of the largest", one("a", "[16]", "[18446744073709551551,18446744073709551615]")),
        ("three offsets", one("a", "[16]", "[0,64,64]")),
        ("a shape that is a text", one("a", "\"16\"", "[0,64]")),
        ("200,000 axes", one("a", &format!("[{}1]", "1,".repeat(200_000)), "[0,4]")),
        ("100,000 empty tensors", many(100_000, "[0,0]")),
        ("a list 200,000 deep", one("a", &"[".repeat(200_000), "[0,64]")),
        ("objects 200,000 deep", r#"{"a":"#.repeat(200_000)),
        ("a name of a megabyte", one(&"m".repeat(1 << 20), "[16]", "[0,64]")),
        ("a name of line ends", one(&r"\n".repeat(500), "[17]", "[0,64]")),
        ("a name that turns the text", one(&"\u{202e}".repeat(500), "[17]", "[0,64]")),
        ("a name with half a surrogate", one(r"a\ud800b", "[17]", "[0,64]")),
        ("a name with a nought", one(r"a\u0000b", "[17]", "[0,64]")),
        (
            "a type that turns the text",
            "{\"a\":{\"dtype\":\"\u{202e}F32\",\"shape\":[16],\"data_offsets\":[0,64]}}".into(),
        ),
        ("a note of a megabyte", format!(r#"{{"__metadata__":{{"format":"{}"}}}}"#, "p".repeat(1 << 20))),
        ("a note that is a list", r#"{"__metadata__":[1,2]}"#.into()),
        ("nothing", "{}".into()),
        ("no header", String::new()),
        ("another key", r#"{"a":{"dtype":"F32","shape":[16],"data_offsets":[0,64],"more":1}}"#.into()),
    ]
}
