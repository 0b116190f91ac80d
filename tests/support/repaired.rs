//! Archives changed where it hurts, their checksums put right so that the change is seen.

use super::random::Random;
use flate2::Crc;
use std::ops::Range;

/// Bytes a pickle is made of: every instruction that is followed, and some that are not.
const INSTRUCTIONS: &[u8] =
    b"(.GJKMNQRUX]abcehjqrsut}\x80\x81\x85\x86\x87\x88\x89\x8A\x8F)0123BCFILPSTVdgilop\x82\x8B\x8C\x8E\x90\x93\x94\x95";

/// A record of an archive: where the directory lists it, where its header stands, and its bytes.
struct Record {
    listed: usize,
    header: usize,
    bytes: Range<usize>,
    name: Vec<u8>,
}

/// Calls `each` with `turns` archives for each record whose name ends so, changed within, and as many whose headers are changed.
pub fn changed(bytes: &[u8], endings: &[&str], turns: usize, mut each: impl FnMut(&str, &[u8])) {
    let records = records(bytes);
    let mut random = Random(11);
    for ending in endings {
        let record = records.iter().find(|record| record.name.ends_with(ending.as_bytes())).expect("a record");
        for turn in 0..turns {
            let mut changed = bytes.to_vec();
            for _ in 0..1 + random.below(3) {
                let at = record.bytes.start + random.below(record.bytes.len());
                changed[at] = match random.below(3) {
                    0 => random.below(256) as u8,
                    1 => bytes[record.bytes.start + random.below(record.bytes.len())],
                    _ => INSTRUCTIONS[random.below(INSTRUCTIONS.len())],
                };
            }
            let mut crc = Crc::new();
            crc.update(&changed[record.bytes.clone()]);
            for at in [record.listed + 16, record.header + 14] {
                changed[at..at + 4].copy_from_slice(&crc.sum().to_le_bytes());
            }
            each(&format!("{ending} {turn}"), &changed);
        }
    }
    // Every header, the directory and the end record, and nothing of what the records hold.
    let headers: Vec<usize> =
        (0..bytes.len()).filter(|at| !records.iter().any(|record| record.bytes.contains(at))).collect();
    for turn in 0..turns {
        let mut changed = bytes.to_vec();
        for _ in 0..1 + random.below(3) {
            let at = headers[random.below(headers.len())];
            changed[at] = match random.below(3) {
                0 => random.below(256) as u8,
                1 => changed[at] ^ 1 << random.below(8),
                _ => [0, 1, 0x7F, 0x80, 0xFF][random.below(5)],
            };
        }
        each(&format!("headers {turn}"), &changed);
    }
}

/// The records of an archive that is good.
fn records(bytes: &[u8]) -> Vec<Record> {
    let short = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let long = |at: usize| short(at) + (short(at + 2) << 16);
    let listed = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"PK\x01\x02"));
    listed
        .map(|listed| {
            let header = long(listed + 42);
            let start = header + 30 + short(header + 26) + short(header + 28);
            let name = &bytes[listed + 46..][..short(listed + 28)];
            let bytes = start..start + long(listed + 20);
            Record { listed, header, bytes, name: name.to_vec() }
        })
        .collect()
}
