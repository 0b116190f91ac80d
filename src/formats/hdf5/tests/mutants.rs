//! Files that are changed in one place or a few, their checksums set right again so that the damage is reached: no panic,
//! an answer within two seconds, no more memory than the file and 16 MiB. `PONTIL_MUTATIONS` is how many of each file.

use super::{dump::dump, fixtures, mutate::Mutator, open_bytes};
#[cfg(test)]
use crate::capi::allocator::peak;
use crate::faults::Faults;
use cpu_time::ThreadTime;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

/// How many of each file, unless more are asked for.
const USUAL: u64 = 200;

/// Files longer than this are changed too rarely where it matters.
const LONGEST: usize = 64 << 10;

#[test]
fn no_change_does_harm() {
    const BEYOND: u64 = 16 << 20;
    let count = std::env::var("PONTIL_MUTATIONS").map_or(USUAL, |count| count.parse().unwrap());
    let (mut failed, mut ran, mut most) = (Vec::new(), 0, (0, Duration::ZERO));
    for (name, bytes) in bases() {
        let mut mutator = Mutator::of(&bytes);
        for seed in 0..count {
            let changed = mutator.changed(seed);
            let length = changed.len() as u64;
            let before = ThreadTime::now();
            let (outcome, held) = peak(|| catch_unwind(AssertUnwindSafe(|| read(changed))));
            let spent = before.elapsed();
            ran += 1;
            most = (most.0.max(held.saturating_sub(length)), most.1.max(spent));
            let harm = match outcome {
                Err(_) => "a panic".to_owned(),
                Ok(_) if spent > Duration::from_secs(2) => format!("{spent:?}"),
                Ok(_) if held > length + BEYOND => format!("{held} bytes of memory"),
                Ok(shown) => match shown {
                    Some(long) => format!("a message that breaks the rules: {long}"),
                    None => continue,
                },
            };
            failed.push(format!("{name}, seed {seed}: {harm}"));
        }
    }
    assert!(failed.is_empty(), "{} of {ran} did harm:\n{}", failed.len(), failed.join("\n"));
    assert!(ran > 0 && most.0 > 0, "{most:?}");
    if std::env::var_os("PONTIL_MUTATIONS").is_some() {
        std::fs::write(std::env::temp_dir().join("pontil-mutants.txt"), format!("{ran} files, {most:?}\n")).unwrap();
    }
}

/// Reads all there is; gives a message that is no line of at most 1,000 characters.
fn read(bytes: Vec<u8>) -> Option<String> {
    let mut faults = Faults::default();
    if let Ok(file) = open_bytes(&bytes, &mut faults) {
        let _ = dump(&file, &mut faults);
    }
    let bad = |message: &&str| message.chars().count() > 1000 || message.chars().any(char::is_control);
    faults.iter().map(|fault| fault.message.as_str()).find(bad).map(str::to_owned)
}

pub fn bases() -> Vec<(String, Vec<u8>)> {
    let folder = std::env::var_os("PONTIL_HDF5").map_or_else(fixtures, Into::into);
    let mut bases = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending == "txt") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() <= LONGEST {
            bases.push((path.file_name().unwrap().to_string_lossy().into_owned(), bytes));
        }
    }
    bases.sort();
    bases
}
