//! Sources whose bytes a host reads for us and that are not what they were at the read before: shorter, changed, failing.

use super::{dump::dump, fixtures, *};
use crate::{
    faults::{Code, Fault},
    source::Reader,
};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// What becomes of the bytes from some read on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    Ends,
    Fails,
    Boasts,
    Halves,
    Zeros,
    Other,
}

struct Fickle {
    first: Vec<u8>,
    other: Vec<u8>,
    sized: bool,
    turn: Turn,
    after: usize,
    reads: Arc<AtomicUsize>,
}

impl Reader for Fickle {
    fn size(&self) -> Option<u64> {
        self.sized.then_some(self.first.len() as u64)
    }

    fn read(&self, at: u64, to: &mut [u8]) -> Option<usize> {
        const SMALL: usize = 1500;
        let turned = self.reads.fetch_add(1, Ordering::Relaxed) >= self.after;
        let bytes = match (turned, self.turn) {
            (true, Turn::Ends) => return Some(0),
            (true, Turn::Fails) => return None,
            (true, Turn::Boasts) => return Some(to.len() + 1),
            (true, Turn::Halves) => &self.first[..self.first.len() / 2],
            (true, Turn::Other) => &self.other,
            _ => &self.first,
        };
        let rest = bytes.get(at as usize..).unwrap_or_default();
        let count = rest.len().min(to.len()).min(SMALL);
        to[..count].copy_from_slice(&rest[..count]);
        if turned && self.turn == Turn::Zeros {
            to[..count].fill(0);
        }
        Some(count)
    }
}

/// Whether all is read, and how many reads there were.
fn outcome(name: &str, turn: Turn, after: usize, sized: bool) -> (Option<String>, usize) {
    let bytes = |name: &str| std::fs::read(fixtures().join(Path::new(name))).unwrap();
    let reads = Arc::new(AtomicUsize::new(0));
    let (first, other) = (bytes(name), bytes("julia_old.h5"));
    let reader = Fickle { first, other, sized, turn, after, reads: reads.clone() };
    let mut faults = Faults::default();
    let read = Source::reader(Box::new(reader), &Limits::default(), &mut faults)
        .and_then(|source| File::open(&source, &Limits::default(), &mut faults))
        .and_then(|file| dump(&file, &mut faults));
    assert!(read.is_ok() || !faults.is_empty(), "{name} {turn:?} {after}: refused without a fault");
    if turn == Turn::Fails {
        let told = |fault: &Fault| fault.code == Code::Io && fault.message.contains("The reader failed at byte");
        assert!(faults.iter().all(told), "{name} {after}: {}", faults.text());
    }
    let whole = read.ok().filter(|_| faults.is_empty());
    (whole, reads.load(Ordering::Relaxed))
}

#[test]
fn sources_that_change_between_reads() {
    for (name, sized) in [("julia_new.h5", true), ("julia_new.h5", false), ("chunks_earliest.h5", true)] {
        let (sound, reads) = outcome(name, Turn::Ends, usize::MAX, sized);
        assert!(sound.is_some() && reads > 2, "{name} {reads}");
        for turn in [Turn::Ends, Turn::Fails, Turn::Boasts, Turn::Halves, Turn::Zeros, Turn::Other] {
            for after in 0..reads {
                let (whole, _) = outcome(name, turn, after, sized);
                let refused = match turn {
                    Turn::Ends | Turn::Halves => sized || after < reads - 1,
                    Turn::Fails | Turn::Boasts => true,
                    Turn::Zeros | Turn::Other => false,
                };
                assert!(!refused || whole.is_none(), "{name} {turn:?} {after} of {reads}");
            }
        }
    }
}
