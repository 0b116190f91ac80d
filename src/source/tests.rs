//! Readers that lie, files that are none, neighbours that lead away.

use super::*;
use std::{
    fs,
    io::Write,
    sync::atomic::{AtomicU64, Ordering},
};

/// Gives `pace` bytes at a time, from `bytes`.
struct Slow {
    bytes: Vec<u8>,
    size: Option<u64>,
    pace: usize,
}

impl Reader for Slow {
    fn size(&self) -> Option<u64> {
        self.size
    }

    fn read(&self, at: u64, to: &mut [u8]) -> Option<usize> {
        let rest = self.bytes.get(at as usize..)?;
        let count = rest.len().min(to.len()).min(self.pace);
        to[..count].copy_from_slice(&rest[..count]);
        Some(count)
    }
}

fn first(faults: &Faults) -> Code {
    faults.iter().next().unwrap().code
}

#[test]
fn readers() {
    let bytes: Vec<u8> = (0..=255).cycle().take(3_000_000).collect();
    let (limits, mut faults) = (Limits::default(), Faults::default());
    for size in [None, Some(3_000_000)] {
        let slow = Slow { bytes: bytes.clone(), size, pace: 777_777 };
        let source = Source::reader(Box::new(slow), &limits, &mut faults).unwrap();
        assert_eq!(source.len(), 3_000_000);
        assert_eq!(source.bytes(5..2_999_999, &mut faults).unwrap().bytes(), &bytes[5..2_999_999]);
        assert!(source.bytes(5..3_000_001, &mut faults).is_err());
    }
    // A byte at a time costs a byte at a time.
    let drops = Slow { bytes: bytes.clone(), size: None, pace: 1 };
    let source = Source::reader(Box::new(drops), &limits, &mut faults).unwrap();
    assert_eq!(source.bytes(0..3_000_000, &mut faults).unwrap().bytes(), bytes);
    let lying = Slow { bytes: vec![1; 10], size: Some(u64::MAX >> 30), pace: 4 };
    let source = Source::reader(Box::new(lying), &limits, &mut faults).unwrap();
    let mut faults = Faults::default();
    assert!(source.bytes(0..1 << 33, &mut faults).is_err());
    assert_eq!(first(&faults), Code::Truncated);
    let mut faults = Faults::default();
    assert!(source.bytes(20..21, &mut faults).is_err());
    assert_eq!(first(&faults), Code::Io);
    let mut faults = Faults::default();
    let endless = Slow { bytes: vec![1; 100], size: None, pace: 4 };
    let tight = Limits { file_bytes: 99, ..limits };
    assert!(Source::reader(Box::new(endless), &tight, &mut faults).is_err());
    assert_eq!(first(&faults), Code::Limit);
}

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits::default();
    let path = folder.path().join("a.bin");
    fs::write(&path, b"hello").unwrap();
    fs::write(folder.path().join("b.bin"), b"").unwrap();
    let mut faults = Faults::default();
    let source = Source::path(&path, &limits, &mut faults).unwrap();
    assert_eq!(source.bytes(1..4, &mut faults).unwrap().bytes(), b"ell");
    assert_eq!(source.neighbour("b.bin", &mut faults).unwrap().len(), 0);
    for (name, code) in
        [("../a.bin", Code::Hostile), ("/etc/passwd", Code::Hostile), ("", Code::Hostile), ("c", Code::NotFound)]
    {
        let mut faults = Faults::default();
        assert!(source.neighbour(name, &mut faults).is_err());
        assert_eq!(first(&faults), code, "{name}");
    }
    for (path, code) in [(folder.path().to_path_buf(), Code::Io), (folder.path().join("none"), Code::NotFound)] {
        let mut faults = Faults::default();
        assert!(Source::path(&path, &limits, &mut faults).is_err());
        assert_eq!(first(&faults), code);
    }
    let mut faults = Faults::default();
    assert!(Source::path(&path, &Limits { file_bytes: 4, ..limits }, &mut faults).is_err());
    assert_eq!(first(&faults), Code::Limit);
    assert!(Source::path(&path, &Limits { file_bytes: 5, ..limits }, &mut Faults::default()).is_ok());
}

#[cfg(unix)]
#[test]
fn devices_and_links() {
    let limits = Limits::default();
    assert!(Source::path(Path::new("/dev/zero"), &limits, &mut Faults::default()).is_err());
    let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut file = fs::File::create(outside.path().join("far")).unwrap();
    file.write_all(b"x").unwrap();
    std::os::unix::fs::symlink(outside.path().join("far"), inside.path().join("near")).unwrap();
    fs::write(inside.path().join("a"), b"x").unwrap();
    let source = Source::path(&inside.path().join("a"), &limits, &mut Faults::default()).unwrap();
    let mut faults = Faults::default();
    assert!(source.neighbour("near", &mut faults).is_err());
    assert_eq!(first(&faults), Code::Hostile);
}

/// Gives the low byte of each place, and counts what it is asked for.
struct Counted {
    size: u64,
    asked: Arc<AtomicU64>,
}

impl Reader for Counted {
    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    fn read(&self, at: u64, to: &mut [u8]) -> Option<usize> {
        let count = to.len().min(self.size.checked_sub(at)? as usize);
        to[..count].iter_mut().zip(at..).for_each(|(byte, at)| *byte = at as u8);
        self.asked.fetch_add(count as u64, Ordering::Relaxed);
        Some(count)
    }
}

#[test]
fn what_is_looked_at_is_fetched_once() {
    const BLOCK: u64 = looked::BLOCK;
    let asked = Arc::new(AtomicU64::new(0));
    let counted = |size| Box::new(Counted { size, asked: asked.clone() });
    let mut faults = Faults::default();
    let source = Source::reader(counted(100_000), &Limits::default(), &mut faults).unwrap();
    let said: Vec<u8> = (0..100_000_u64).map(|at| at as u8).collect();
    for (range, all) in [
        (10..20, BLOCK),
        (12..BLOCK, BLOCK),
        (5..5, BLOCK),
        (BLOCK - 4..BLOCK + 4, 3 * BLOCK),
        (99_990..100_000, 3 * BLOCK + 100_000 % BLOCK),
    ] {
        let place = range.start as usize..range.end as usize;
        assert_eq!(source.look(range.clone(), &mut faults).unwrap(), &said[place.clone()]);
        assert_eq!(source.bytes(range, &mut faults).unwrap().bytes(), &said[place]);
        assert_eq!(asked.load(Ordering::Relaxed), all);
    }
    source.bytes(50_000..60_000, &mut faults).unwrap();
    assert_eq!(asked.swap(0, Ordering::Relaxed), 3 * BLOCK + 100_000 % BLOCK + 10_000);
    assert_eq!(source.look(0..100_001, &mut faults).unwrap_err(), Refused(Code::Truncated));

    // Looked at everywhere it is read whole, once.
    const SIZE: u64 = 20 << 20;
    let source = Source::reader(counted(SIZE), &Limits::default(), &mut faults).unwrap();
    for at in (0..SIZE).step_by(BLOCK as usize) {
        assert_eq!(source.look(at + 1..at + 2, &mut faults).unwrap(), [1]);
    }
    assert_eq!(asked.load(Ordering::Relaxed), (8 << 20) + SIZE);
    assert_eq!(source.bytes(3..5, &mut faults).unwrap().bytes(), [3, 4]);
}
