//! Files that lie: samples changed in a place or a few, with sound checksums. `PONTIL_MUTATIONS` is how many of each format.

use crate::{
    files,
    random::{Random, mutations},
    round::{back, written},
    samples::samples,
};
use cpu_time::ThreadTime;
use hdf5_reader::checksum::jenkins_lookup3;
use pontil::{capi::allocator::peak, faults::Faults};
use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

/// How many of each format, unless more are asked for.
const USUAL: usize = 10_000;

/// The most memory beyond the file.
const BEYOND: u64 = 16 << 20;

/// Where structures with a checksum begin and where it stands.
pub fn sealed(bytes: &[u8]) -> Vec<(usize, usize)> {
    const LONGEST: usize = 4096;
    let begins = |start: &usize| {
        let word = &bytes[*start..start + 4];
        [&b"OHDR"[..], b"OCHK", b"BTHD", b"BTLF", b"FRHP", b"FHIB"].contains(&word)
    };
    let end = |start: usize| {
        let mut ends = start + 8..bytes.len().saturating_sub(3).min(start + LONGEST);
        Some((start, ends.find(|&end| bytes[end..end + 4] == jenkins_lookup3(&bytes[start..end]).to_le_bytes())?))
    };
    (0..bytes.len().saturating_sub(4)).filter(begins).filter_map(end).collect()
}

/// What stands in keys and values, to be put in the place of other text.
const WORDS: [&[u8]; 14] = [
    b"'",
    b"\\",
    b"/",
    b":",
    b"#",
    b"[",
    b"]",
    b"key(0)",
    b"/JAXON_ROOT",
    b"dict",
    b"range(",
    b"nan",
    b"\xFF",
    b"9999999999",
];

fn changed(bytes: &[u8], sealed: &[(usize, usize)], seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut out = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let near = sealed.get(random.below(sealed.len())).map_or(0, |&(start, end)| start + random.below(end - start));
        let at = if random.below(4) == 0 { random.below(out.len()) } else { near.min(out.len() - 1) };
        match random.below(8) {
            0..=2 => out[at] ^= 1 << random.below(8),
            3 => out[at] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)],
            4 => {
                let (from, count) = (random.below(out.len()), 1 + random.below(48));
                let count = count.min(out.len() - at).min(out.len() - from);
                out.copy_within(from..from + count, at);
            }
            5 => {
                let end = out.len().min(at + 8);
                out[at..end].fill([0, 0xFF][random.below(2)]);
            }
            _ => {
                let word = WORDS[random.below(WORDS.len())];
                let count = word.len().min(out.len() - at);
                out[at..at + count].copy_from_slice(&word[..count]);
            }
        }
    }
    if random.below(10) > 0 {
        for &(start, end) in sealed {
            let sum = jenkins_lookup3(&out[start..end]);
            out[end..end + 4].copy_from_slice(&sum.to_le_bytes());
        }
    } else {
        out.truncate(out.len() - random.below(out.len() / 2));
    }
    out
}

/// Reads all there is and writes it again; gives a message that is no line of at most 1,000 characters.
fn meet(bytes: &[u8]) -> Option<String> {
    let mut faults = Faults::default();
    let _ = back(bytes, &mut faults).map(|tree| written(&tree, &mut faults));
    let bad = |message: &&str| message.chars().count() > 1000 || message.chars().any(char::is_control);
    faults.iter().map(|fault| fault.message.as_str()).find(bad).map(str::to_owned)
}

fn harm(bytes: &[u8]) -> Option<String> {
    let before = ThreadTime::now();
    let (outcome, held) = peak(|| catch_unwind(AssertUnwindSafe(|| meet(bytes))));
    let spent = before.elapsed();
    match outcome {
        Err(_) => Some("a panic".into()),
        // What is read and what is written stand beside the file.
        Ok(_) if held > 4 * bytes.len() as u64 + BEYOND => Some(format!("{held} bytes of memory")),
        Ok(_) if spent > Duration::from_secs(2) => Some(format!("{spent:?}")),
        Ok(message) => message,
    }
}

/// As many changes as are asked for, of the samples whose names `of` takes in turns: at least so many.
fn changes(least: usize, of: impl Fn(&str) -> bool) {
    const LARGEST: usize = 64 << 10;
    let count = mutations(USUAL);
    let read = |name: &str| fs::read(files::fixtures("jaxon").join(format!("{name}.h5"))).unwrap();
    let files: Vec<_> = samples()
        .into_iter()
        .filter(|(name, _)| of(name))
        .map(|(name, _)| (read(&name), name))
        .filter(|(bytes, _)| bytes.len() <= LARGEST)
        .map(|(bytes, name)| (sealed(&bytes), bytes, name))
        .collect();
    assert!(files.len() >= least, "{} samples", files.len());
    let mut failed = Vec::new();
    for ((sealed, bytes, name), seed) in files.iter().cycle().zip(0..count) {
        let harm = harm(&changed(bytes, sealed, seed as u64));
        failed.extend(harm.map(|harm| format!("{name}, seed {seed}: {harm}")));
    }
    assert!(failed.is_empty(), "{} of {count} did harm:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn no_change_of_the_current_format_does_harm() {
    changes(65, |name| !name.starts_with("v1_"));
}

#[test]
fn no_change_of_the_older_format_does_harm() {
    changes(2, |name| name.starts_with("v1_"));
}
