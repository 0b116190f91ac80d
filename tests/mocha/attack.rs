//! Files and descriptions that lie: changed ones of each family. A fault or numbers; never a panic, no more than two seconds, no
//! more memory than the file and 16 MiB.
//! `PONTIL_MUTATIONS` says how many of each, 300 if it is not set.

use crate::{
    case::storage,
    support::{
        files,
        random::{Random, mutations},
    },
};
use cpu_time::ThreadTime;
use pontil::{
    capi::allocator::peak,
    dataset::{Dataset, Options},
    describe::{
        self, Layout,
        mocha::{Net, Shapes},
    },
    faults::{Faults, Refused},
    import::{Import, ImportOptions},
    limits::Limits,
    mocha::{Element, Evaluation},
    source::Source,
};
use std::{
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

/// The longest a file may take.
const LONGEST: Duration = Duration::from_secs(2);

/// The most memory beyond the file.
const BEYOND: u64 = 16 << 20;

/// A file cut, overwritten with numbers that mean something, or with a piece of it elsewhere.
fn changed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    let length = 1 + random.below(8).min(bytes.len() - 1);
    let (from, to) = (random.below(bytes.len() - length), random.below(bytes.len() - length));
    match random.below(6) {
        0 => changed.truncate(random.below(bytes.len())),
        1 => {
            let long = [[0xFF; 8], [0x80; 8], [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], [0; 8]];
            changed[to..to + length].copy_from_slice(&long[random.below(4)][..length]);
        }
        2 => changed.copy_within(from..from + length, to),
        3 => {
            let piece = changed[from..from + length].to_vec();
            changed.splice(to..to, piece);
        }
        4 => drop(changed.drain(to..to + length)),
        _ => (0..=random.below(4)).for_each(|_| {
            let at = random.below(bytes.len());
            changed[at] = random.below(256) as u8;
        }),
    }
    changed
}

/// A JSON text with a value of it changed for one that is too large, of another kind, or another's.
fn reworded(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut words: Vec<String> = vec![String::new()];
    for &byte in text {
        let word = words.last_mut().unwrap();
        match byte {
            b'"' | b',' | b':' | b'[' | b']' | b'{' | b'}' => {
                words.push((byte as char).to_string());
                words.push(String::new());
            }
            _ => word.push(byte as char),
        }
    }
    let full: Vec<usize> = (0..words.len()).filter(|&at| !words[at].trim().is_empty()).collect();
    for _ in 0..=random.below(3) {
        let (at, other) = (full[random.below(full.len())], full[random.below(full.len())]);
        let new = ["0", "-1", "4294967296", "18446744073709551615", "1e308", "null", "[]", "1.5", "\"\"", "65536"];
        words[at] = if random.below(2) == 0 { words[other].clone() } else { new[random.below(new.len())].to_owned() };
    }
    words.concat().into_bytes()
}

/// Reads a family's changed files, some of which are sound all the same; every other one has a fault, in one line.
fn family(
    name: &str,
    kept: &[Vec<u8>],
    change: fn(&[u8], &mut Random) -> Vec<u8>,
    each: impl Fn(&[u8], &mut Faults) -> Result<(), Refused>,
) {
    let count = mutations(300);
    let mut random = Random(7);
    let mut read = 0;
    for number in 0..count {
        let bytes = change(&kept[number % kept.len()], &mut random);
        let began = ThreadTime::now();
        let mut faults = Faults::default();
        let (judged, held) = peak(|| catch_unwind(AssertUnwindSafe(|| each(&bytes, &mut faults))));
        let took = began.elapsed();
        let bad = |message: &str| message.chars().count() > 1000 || message.chars().any(char::is_control);
        let harm = match &judged {
            Err(_) => Some("a panic".to_owned()),
            Ok(Err(_)) if faults.is_empty() => Some("refused without a fault".to_owned()),
            Ok(_) if took > LONGEST => Some(format!("{took:?}")),
            Ok(_) if held > bytes.len() as u64 + BEYOND => Some(format!("{held} bytes of memory")),
            Ok(_) => faults.iter().map(|fault| fault.message.clone()).find(|message| bad(message)),
        };
        if let Some(harm) = harm {
            let place = env::temp_dir().join(format!("pontil_{name}_{number}"));
            fs::write(&place, &bytes).unwrap();
            panic!("{name} {number} ({}): {harm}", place.display());
        }
        read += usize::from(matches!(judged, Ok(Ok(()))));
    }
    assert!(read > 0 && read < count, "{name}: {read} of {count} are read");
}

fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let all = files::within(&files::fixtures("mocha").join(folder), ending);
    all.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn words(name: &str) -> Vec<u8> {
    fs::read(files::fixtures("mocha").join(format!("networks/{name}.json"))).unwrap()
}

/// A tiny network's file, read as far as it goes.
fn imported(bytes: &[u8], tiny: &describe::Description, faults: &mut Faults) -> Result<(), Refused> {
    let source = Source::memory(storage(bytes));
    let options = ImportOptions { network: Some(tiny), layout: Layout::AsFile, ..ImportOptions::default() };
    let import = Import::open(&source, options, faults)?;
    let entries = import.numbers(faults)?;
    let net = Net::of(tiny, faults)?;
    let whole = Evaluation::new(net, &entries, Element::Double, &Limits::default(), faults);
    import.network(faults).and(whole.map(|_| ()))
}

#[test]
fn changed_models_of_every_generation() {
    let text = serde_json::json!({ "style": "mocha", "inputs": [{ "name": "data", "shape": [1, 6, 6] }],
        "layers": crate::whole::tiny() });
    let tiny = describe::parse(text.to_string().as_bytes(), &Limits::default(), &mut Faults::default()).unwrap();
    let mut models = files("files", "hdf5");
    models.retain(|bytes| bytes.len() > 2500);
    for (name, kept) in [("caffe", files("caffe", "caffemodel")), ("jld", files("files", "jld")), ("model", models)] {
        family(name, &kept, changed, |bytes, faults| imported(bytes, &tiny, faults));
    }
}

#[test]
fn changed_descriptions() {
    let kept: Vec<Vec<u8>> =
        ["lenet", "vae", "autoencoder_pretrain_2", "dropout_mlp", "cifar10_full"].map(words).to_vec();
    for (name, change) in [("bytes", changed as fn(&[u8], &mut Random) -> Vec<u8>), ("words", reworded)] {
        family(name, &kept, change, |text, faults| {
            let limits = Limits { session_bytes: 1 << 26, ..Limits::default() };
            let net = Net::of(&describe::parse(text, &limits, faults)?, faults)?;
            net.shapes(net.batch().unwrap_or(1), &Shapes::new(), faults)?;
            // Nobody gives its parameters numbers.
            let mut said = Faults::default();
            let made = Evaluation::new(net, &[], Element::Single, &limits, &mut said);
            assert!(made.is_ok() || !said.is_empty());
            Ok(())
        });
    }
}

#[test]
fn changed_lists_and_data() {
    let options = |batch| Options { batch, folder: Some(files::fixtures("mocha")), ..Options::default() };
    let batches = |bytes: &[u8], faults: &mut Faults| {
        let mut set = Dataset::open(&Source::memory(storage(bytes)), options(3), faults)?;
        (0..4).try_for_each(|_| set.next(faults).map(|_| ()))
    };
    let list = b"files/data_a.hdf5\n\n  files/data_b.hdf5  \n\t\nfiles/data_c.hdf5\n".to_vec();
    family("lists", &[list], changed, batches);
    let mut data = files("files", "hdf5");
    data.retain(|bytes| bytes.len() < 2500);
    family("data", &data, changed, batches);
}
