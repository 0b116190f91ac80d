//! Graphs that lie: changed ones of each family of exporters. A fault or a network; never a panic, no more than two seconds, and
//! no more memory than the file, the network and 16 MiB. `PONTIL_MUTATIONS` says how many of each, 300 if it is not set.

use crate::support::{
    case::Case,
    files,
    random::{Random, mutations},
};
use cpu_time::ThreadTime;
use pontil::{
    capi::allocator::peak,
    describe::Layout,
    faults::Faults,
    import::{Import, ImportOptions},
    source::Source,
    tensor::Storage,
};
use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

/// The longest a file may take.
const LONGEST: Duration = Duration::from_secs(2);

/// The most memory beyond the file and the network.
const BEYOND: u64 = 16 << 20;

/// Models by who wrote them: both of PyTorch's exporters, Keras over each of its backends, and by hand.
const FAMILIES: [&[&str]; 4] = [
    &["onnx_torch_"],
    &["onnx_kerastorch_"],
    &["onnx_keras_"],
    &["onnx_mobilenet", "onnx_transformer", "onnx_unet", "onnx_shapes", "onnx_conv", "onnx_gemm", "onnx_pools"],
];

/// The models of a family.
fn models(family: &[&str]) -> Vec<Vec<u8>> {
    let folders = files::within(&files::fixtures("cases"), "");
    let cases = folders.iter().map(|folder| Case::of(folder));
    let of = cases.filter(|case| family.iter().any(|prefix| case.name().starts_with(prefix)));
    of.flat_map(|case| case.models(".onnx")).map(|model| fs::read(model).unwrap()).collect()
}

fn changed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    match random.below(8) {
        0 => changed.truncate(random.below(bytes.len())),
        1 => {
            // A long varint: a length, a dimension, a number of elements.
            let at = random.below(bytes.len() - 9);
            let long = [[0xFF; 8], [0x80; 8], [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], [0; 8]];
            let length = 1 + random.below(8);
            changed[at..at + length].copy_from_slice(&long[random.below(4)][..length]);
        }
        2 => {
            let (from, to) = (random.below(bytes.len() - 64), random.below(bytes.len() - 64));
            let length = random.below(64);
            changed.copy_within(from..from + length, to);
        }
        3 => {
            let at = random.below(bytes.len() - 1);
            let length = random.below((bytes.len() - at).min(40));
            let piece = changed[at..at + length].to_vec();
            changed.splice(at..at, piece);
        }
        _ => {
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                changed[at] ^= 1 << random.below(8);
            }
        }
    }
    changed
}

/// Reads a file into a network: whether it becomes one, or what harm it does.
pub fn harm(bytes: &[u8], layout: Layout) -> Result<bool, String> {
    let storage = Storage::copied(bytes).unwrap();
    let (source, start) = (Source::memory(storage), ThreadTime::now());
    let (read, beyond) = peak(|| {
        catch_unwind(AssertUnwindSafe(|| {
            let mut faults = Faults::default();
            let options = ImportOptions { layout, ..ImportOptions::default() };
            let network = Import::open(&source, options, &mut faults).and_then(|import| import.network(&mut faults));
            if network.is_err() && faults.is_empty() { Err("refused without a fault") } else { Ok(network.ok()) }
        }))
    });
    let network = read.map_err(|_| "a panic")??;
    let numbers = network.iter().flat_map(|network| network.numbers()).map(|numbers| numbers.count() as u64 * 4);
    if beyond > BEYOND + bytes.len() as u64 + numbers.sum::<u64>() {
        return Err(format!("{beyond} bytes of memory"));
    }
    let taken = start.elapsed();
    if taken > LONGEST { Err(format!("took {taken:?}")) } else { Ok(network.is_some()) }
}

#[test]
fn changed_graphs_do_no_harm() {
    let each = mutations(300);
    for (seed, family) in FAMILIES.into_iter().enumerate() {
        let samples = models(family);
        assert!(!samples.is_empty(), "{family:?}");
        let (mut random, mut whole) = (Random(seed as u64 + 11), 0);
        for run in 0..each {
            let bytes = changed(&samples[run % samples.len()], &mut random);
            let layout = if run % 2 == 0 { Layout::AsFile } else { Layout::ChannelsLast };
            match harm(&bytes, layout) {
                Ok(read) => whole += usize::from(read),
                Err(harm) => panic!("{family:?} {run}: {harm}"),
            }
        }
        assert!(whole > 0 && whole < each, "{family:?}: {whole} of {each} were read");
    }
}
