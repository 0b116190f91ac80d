//! Files made to be too much: lists within lists without end, circles of references and of links, chains, more values than
//! the limits allow, huge claims.

use crate::{
    mutants::sealed,
    round::{back, kept, written},
};
use cpu_time::ThreadTime;
use hdf5_reader::checksum::jenkins_lookup3;
use pontil::{
    capi::allocator::peak,
    faults::{Code, Faults, Refused},
    import::{Import, ImportOptions},
    limits::Limits,
    params::{Kind, NodeId, Params, Value},
    source::Source,
};
use std::time::Duration;

/// What opening may take besides the file.
const MEMORY: u64 = 16 << 20;
const TIME: Duration = Duration::from_secs(1);

fn file(tree: &Params) -> Vec<u8> {
    let mut faults = Faults::default();
    written(tree, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()))
}

fn lists(depth: usize) -> (Params, NodeId) {
    let mut tree = Params::new(Kind::List);
    let mut at = Params::ROOT;
    for _ in 0..depth {
        at = tree.branch(at, "", Kind::List).unwrap();
    }
    (tree, at)
}

/// Opens a file that must be refused, within time and memory; gives the codes of its faults.
fn refused(bytes: &[u8], limits: Limits) -> Vec<Code> {
    let source = Source::memory(kept(bytes));
    let mut faults = Faults::default();
    let before = ThreadTime::now();
    let options = ImportOptions { limits, ..ImportOptions::default() };
    let (opened, held) = peak(|| Import::open(&source, options, &mut faults).is_ok());
    let spent = before.elapsed();
    assert!(!opened && held < MEMORY && spent < TIME, "opened: {opened}, {held} bytes, {spent:?}");
    faults.iter().map(|fault| fault.code).collect()
}

/// A file of four lists within one another: the header of the third, and where in it the address of the fourth stands.
struct Template {
    bytes: Vec<u8>,
    header: (usize, usize),
    link: usize,
}

impl Template {
    fn new() -> Template {
        let bytes = file(&lists(3).0);
        let headers: Vec<_> =
            sealed(&bytes).into_iter().filter(|&(start, _)| bytes[start..].starts_with(b"OHDR")).collect();
        let link = |(start, end): (usize, usize), to: usize| {
            let place = bytes[start..end].windows(8).position(|word| word == (to as u64).to_le_bytes())?;
            Some(start + place)
        };
        let leads = |from: (usize, usize)| headers.iter().find_map(|&(to, _)| Some((from, to, link(from, to)?)));
        let ways: Vec<_> = headers.iter().filter_map(|&from| leads(from)).collect();
        let is_third = |(from, to, _): &&((usize, usize), usize, usize)| {
            ways.iter().any(|way| way.1 == from.0) && !ways.iter().any(|way| way.0.0 == *to)
        };
        let &(header, _, link) = ways.iter().find(is_third).unwrap();
        Template { header, link, bytes }
    }

    /// Lets a header that stands at `at` in `bytes` lead to an address.
    fn point(&self, bytes: &mut [u8], at: usize, to: usize) {
        let (start, end) = self.header;
        let (link, end) = (at + self.link - start, at + end - start);
        bytes[link..link + 8].copy_from_slice(&(to as u64).to_le_bytes());
        let sum = jenkins_lookup3(&bytes[at..end]).to_le_bytes();
        bytes[end..end + 4].copy_from_slice(&sum);
    }

    /// So many lists more, each in the one before.
    fn deeper(&self, count: usize) -> Vec<u8> {
        let (start, end) = self.header;
        let (size, first) = ((end + 4 - start).next_multiple_of(8), self.bytes.len().next_multiple_of(8));
        let last = u64::from_le_bytes(self.bytes[self.link..self.link + 8].try_into().unwrap()) as usize;
        let mut bytes = self.bytes.clone();
        bytes.resize(first + count * size, 0);
        self.point(&mut bytes, start, first);
        for index in 0..count {
            let at = first + index * size;
            bytes.copy_within(start..end, at);
            self.point(&mut bytes, at, if index + 1 < count { at + size } else { last });
        }
        bytes
    }
}

#[test]
fn lists_within_lists_are_bounded() {
    let template = Template::new();
    let mut faults = Faults::default();
    let few = back(&template.deeper(40), &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
    assert_eq!(few.count(), 44);
    let endless = template.deeper(1_000_000);
    assert_eq!(refused(&endless, Limits::default()), [Code::Limit]);
    assert_eq!(refused(&endless, Limits { depth: usize::MAX, ..Limits::default() }), [Code::Limit]);
    let (deep, _) = lists(100);
    let bytes = file(&deep);
    assert_eq!(back(&bytes, &mut faults).unwrap_err(), Refused(Code::Limit));
    let options =
        ImportOptions { limits: Limits { depth: 1_000_000, ..Limits::default() }, ..ImportOptions::default() };
    assert!(Import::open(&Source::memory(kept(&bytes)), options, &mut faults).is_ok());
}

#[test]
fn circles_are_faults() {
    // A list whose only member is the list.
    let (mut tree, at) = lists(2);
    tree.add(at, "", Value::Text("123456789".into())).unwrap();
    let mut bytes = file(&tree);
    let places = sealed(&bytes);
    let text = bytes.windows(11).position(|word| word == b"'123456789'").unwrap();
    bytes[text..text + 11].copy_from_slice(b"/JAXON_ROOT");
    let (start, end) = places.into_iter().find(|&(start, end)| (start..end).contains(&text)).unwrap();
    let sum = jenkins_lookup3(&bytes[start..end]).to_le_bytes();
    bytes[end..end + 4].copy_from_slice(&sum);
    assert_eq!(refused(&bytes, Limits::default()), [Code::Circle]);

    // A group that is a member of itself.
    let template = Template::new();
    let mut bytes = template.bytes.clone();
    template.point(&mut bytes, template.header.0, template.header.0);
    assert_eq!(refused(&bytes, Limits::default()), [Code::Hostile]);
    let deep = Limits { depth: usize::MAX, ..Limits::default() };
    assert_eq!(refused(&bytes, deep), [Code::Hostile]);

    // What would be written with a circle.
    let (mut tree, at) = lists(2);
    tree.add(at, "", Value::Reference(tree.children(Params::ROOT)[0])).unwrap();
    let mut faults = Faults::default();
    assert_eq!(written(&tree, &mut faults).unwrap_err(), Refused(Code::Circle));
}

#[test]
fn chains_and_many_values_are_bounded() {
    // Ten thousand references, each before what it leads to.
    let mut chain = Params::new(Kind::List);
    let nodes: Vec<_> = (0..10_000).map(|_| chain.add(Params::ROOT, "", Value::None).unwrap()).collect();
    let end = chain.branch(Params::ROOT, "", Kind::Tuple).unwrap();
    for (index, &node) in nodes.iter().enumerate() {
        let to = nodes.get(index + 1).copied().unwrap_or(end);
        chain.set(node, Value::Reference(to)).unwrap();
    }
    let bytes = file(&chain);
    let mut faults = Faults::default();
    let read = back(&bytes, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text()));
    assert_eq!(read.children(Params::ROOT).len(), 10_001);
    assert_eq!(refused(&bytes, Limits { entries: 1000, ..Limits::default() }), [Code::Limit]);
}

/// Digits are decimal text, whatever their number; no more are written than Python reads.
#[test]
fn a_million_digits_are_read() {
    const COUNT: usize = 1_000_000;
    let mut tree = Params::default();
    tree.add(Params::ROOT, "n", Value::Text("7".repeat(COUNT).into())).unwrap();
    let mut bytes = file(&tree);
    let quote = bytes.windows(3).position(|word| word == b"'77").unwrap();
    bytes[quote] = b'-';
    bytes[quote + COUNT + 1] = b' ';
    let mut faults = Faults::default();
    let before = ThreadTime::now();
    let (read, held) = peak(|| back(&bytes, &mut faults).unwrap_or_else(|_| panic!("{}", faults.text())));
    assert!(held < MEMORY && before.elapsed() < TIME, "{held} bytes, {:?}", before.elapsed());
    let digits = read.value(read.children(Params::ROOT)[0]).unwrap();
    assert!(matches!(digits, Value::BigInt(digits) if digits.len() == COUNT + 1));
    assert_eq!(written(&read, &mut faults).unwrap_err(), Refused(Code::Limit));
}
