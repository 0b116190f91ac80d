//! Files that lie: changed ones of each family. A fault or a set; never a panic, no more than two seconds, and no more memory
//! than the file and 16 MiB. `PONTIL_MUTATIONS` says how many of each, 1,000 if it is not set.

use crate::{
    files,
    files_out::written,
    random::{Random, mutations},
    sets::{add, branch, number},
};
use cpu_time::ThreadTime;
use pontil::{
    capi::allocator::peak,
    faults::Faults,
    import::{Import, ImportOptions},
    params::{Kind, Params},
    save::{self, Target},
    source::Source,
    tensor::Storage,
};
use std::{
    collections::HashMap,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    time::Duration,
};

/// The samples of a family, of both superblocks.
fn family(prefix: &str) -> Vec<Vec<u8>> {
    let folders = [files::fixtures("julia"), files::fixtures("julia/v0"), files::fixtures("julia/real")];
    let paths = folders.iter().flat_map(|folder| files::within(folder, "h5"));
    let named = |path: &PathBuf| files::stem(path).starts_with(prefix);
    paths.filter(named).map(|path| fs::read(path).unwrap()).collect()
}

pub fn changed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    match random.below(8) {
        0 => changed.truncate(random.below(bytes.len())),
        1 => {
            let at = random.below(bytes.len().saturating_sub(8));
            let number = [0u64, 1, 2, u64::MAX, u64::MAX - 7, 1 << 31, 1 << 40, bytes.len() as u64][random.below(8)];
            changed[at..at + 8].copy_from_slice(&number.to_le_bytes());
        }
        2 => {
            let (from, to) = (random.below(bytes.len() - 64), random.below(bytes.len() - 64));
            let length = random.below(64);
            changed.copy_within(from..from + length, to);
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

/// Reads a file in every way there is.
fn harm(bytes: &[u8]) -> Result<bool, String> {
    let storage = Storage::copied(bytes).unwrap();
    let source = Source::memory(storage);
    let start = ThreadTime::now();
    let (read, beyond) = peak(|| {
        catch_unwind(AssertUnwindSafe(|| {
            let mut faults = Faults::default();
            let options = ImportOptions { keep_unknown_types: true, ..ImportOptions::default() };
            let set = Import::open(&source, options, &mut faults).and_then(|import| {
                let _ = import.outline(&mut faults);
                import.params(&mut faults)
            });
            if set.is_err() && faults.is_empty() { Err("refused without a fault") } else { Ok(set.ok()) }
        }))
    });
    let set = read.map_err(|_| "a panic")??;
    if beyond > (16 << 20) + bytes.len() as u64 {
        return Err(format!("{beyond} bytes of memory"));
    }
    if let Some(set) = &set {
        let saved = || save::julia(set, Target::Bytes(&mut Vec::new()), &Default::default(), &mut Faults::default());
        let _ = catch_unwind(AssertUnwindSafe(saved)).map_err(|_| "a panic on saving")?;
    }
    let taken = start.elapsed();
    if taken > Duration::from_secs(2) { Err(format!("took {taken:?}")) } else { Ok(set.is_some()) }
}

/// Many keys that lead through one group, and many members that are no keys: the time grows with the file alone.
#[test]
fn many_keys_with_slashes_cost_little() {
    const MANY: usize = 6000;
    let mut set = Params::new(Kind::Parameters);
    let inner = branch(&mut set, Params::ROOT, "a", Kind::Named);
    for index in 0..MANY {
        add(&mut set, inner, &format!("{index:04}"), number(1.0));
        add(&mut set, Params::ROOT, &format!("k{index:05}"), number(1.0));
    }
    let mut bytes = written(&set);
    // The text of a key stands behind the name of its member.
    let places: HashMap<Vec<u8>, usize> = (0..bytes.len() - 6)
        .filter(|&at| bytes[at] == b'k' && bytes[at + 1].is_ascii_digit())
        .map(|at| (bytes[at..at + 6].to_vec(), at))
        .collect();
    for index in 0..MANY {
        let at = places[format!("k{index:05}").as_bytes()];
        bytes[at..at + 6].copy_from_slice(format!("a/{index:04}").as_bytes());
    }
    let start = ThreadTime::now();
    let storage = Storage::copied(&bytes).unwrap();
    let mut faults = Faults::default();
    let read = Import::open(&Source::memory(storage), ImportOptions::default(), &mut faults)
        .and_then(|import| import.params(&mut faults));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert!(read.is_ok() && faults.len() >= MANY, "{}", faults.len());
}

#[test]
fn changed_files_do_no_harm() {
    let each = mutations(1000);
    for (seed, prefix) in ["nnp_", "ann_", "gml_", "odd_", "transformer"].into_iter().enumerate() {
        let (samples, mut random, mut whole) = (family(prefix), Random(seed as u64 + 11), 0);
        assert!(!samples.is_empty(), "{prefix}");
        for run in 0..each {
            let bytes = changed(&samples[run % samples.len()], &mut random);
            match harm(&bytes) {
                Ok(read) => whole += usize::from(read),
                Err(harm) => panic!("{prefix} {run}: {harm}"),
            }
        }
        assert!(whole > 0 && whole < each, "{prefix}: {whole} of {each} were read");
    }
}
