//! Formats told apart, options held against a file, and networks of whole files.

use super::*;
use crate::{
    describe::{Description, Layout, parse},
    faults::{Code, Faults, Refused},
    formats::safetensors::{Piece, write_head},
    limits::Limits,
    network::Network,
    source::Source,
    tensor::{DType, Storage},
};

const STACK: &str =
    r#"{"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":1},{"kind":"batchNorm","features":1}]}"#;

fn source(bytes: &[u8]) -> Source {
    Source::memory(Storage::copied(bytes).unwrap())
}

type Single = (String, Vec<usize>, Vec<f32>);

/// A file of singles.
fn file(note: Option<&str>, tensors: &[Single]) -> Source {
    let mut pieces = Vec::new();
    for (name, shape, numbers) in tensors {
        pieces.push(Piece { name, dtype: DType::F32, shape, bytes: numbers.len() as u64 * 4 });
    }
    let notes: Vec<(&str, &str)> = note.map(|note| ("format", note)).into_iter().collect();
    let mut bytes = write_head(&mut pieces, &notes).unwrap();
    for piece in pieces {
        let (.., numbers) = tensors.iter().find(|(name, ..)| *name == piece.name).unwrap();
        numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    }
    source(&bytes)
}

fn stack() -> Description {
    parse(STACK.as_bytes(), &Limits::default(), &mut Faults::default()).unwrap()
}

fn state(prefix: &str) -> Vec<Single> {
    let slots: [(&str, &[usize], &[f32]); 7] = [
        ("0.weight", &[1, 2], &[1.5, -2.0]),
        ("0.bias", &[1], &[0.5]),
        ("1.weight", &[1], &[1.0]),
        ("1.bias", &[1], &[2.0]),
        ("1.running_mean", &[1], &[3.0]),
        ("1.running_var", &[1], &[4.0]),
        ("1.num_batches_tracked", &[], &[9.0]),
    ];
    slots.iter().map(|(name, shape, numbers)| (format!("{prefix}{name}"), shape.to_vec(), numbers.to_vec())).collect()
}

fn network(source: &Source, options: ImportOptions<'_>) -> (Result<Network, Refused>, Faults) {
    let mut faults = Faults::default();
    let import = Import::open(source, options, &mut faults);
    (import.and_then(|import| import.network(&mut faults)), faults)
}

#[test]
fn formats_are_told_by_their_bytes() {
    for (bytes, code, word) in [
        (&b""[..], Code::Truncated, "empty"),
        (b"\x01\x02\x03", Code::Unrecognised, "no format"),
        (b"PK\x03\x04.....model/data.pkl", Code::Truncated, "archive has no end record"),
        (b"PK\x03\x04.....metadata.json", Code::Truncated, "archive has no end record"),
        (b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", Code::Absent, "no data.pkl"),
        (b"\x89HDF\r\n\x1a\n\0\0", Code::Malformed, "bytes are wanted"),
        (b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", Code::Truncated, "the protocol, byte 0"),
        (b"\x80\x04\x95\x10", Code::Unsupported, "pickle"),
        (b"\x08\x0a\x12\x07pytorch", Code::Absent, "no graph"),
        (b"GGUF\x03\0\0\0", Code::Unsupported, "GGUF"),
        (b"version https://git-lfs.github.com/spec/v1\n", Code::Unsupported, "Git LFS"),
        ("{\"kind\": \"stack\", \"\u{e9}\": 1}".as_bytes(), Code::Unsupported, "text"),
        (b"\x02\0\0\0\0\0\0\0[]", Code::Malformed, "no object"),
    ] {
        let mut faults = Faults::default();
        let refused = Import::open(&source(bytes), ImportOptions::default(), &mut faults).err();
        assert_eq!(refused, Some(Refused(code)), "{}", faults.text());
        assert!(faults.text().contains(word), "{}", faults.text());
    }
}

#[test]
fn options_are_held_against_the_caller() {
    let source = file(Some("pt"), &state(""));
    for options in [
        ImportOptions { format: Some("none\n"), ..Default::default() },
        ImportOptions { loss: Some("mse"), ..Default::default() },
    ] {
        let mut faults = Faults::default();
        assert_eq!(Import::open(&source, options, &mut faults).err(), Some(Refused(Code::Value)));
    }
    let mut faults = Faults::default();
    let of_layers = ImportOptions { stack: true, lift_loss: true, ..Default::default() };
    assert_eq!(Import::open(&source, of_layers, &mut faults).err(), Some(Refused(Code::Value)));
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert!(
        messages.len() == 2 && messages[0].contains("`lift_loss`") && messages[1].contains("`stack`"),
        "{messages:?}"
    );
    let (key, loss) = (Some("model"), Some("crossEntropy"));
    let mut faults = Faults::default();
    let import = Import::open(&source, ImportOptions { key, loss, ..Default::default() }, &mut faults).unwrap();
    assert_eq!((import.loss(), import.format(), faults.len()), (loss, "safetensors", 1));
    assert_eq!(import.network(&mut Faults::default()).err(), Some(Refused(Code::State)));
    assert_eq!(import.tensor(99, &mut Faults::default()).err(), Some(Refused(Code::Value)));
}

#[test]
fn a_network_of_a_file_and_the_file_of_a_network() {
    let (stack, tensors) = (stack(), state(""));
    let options = || ImportOptions { network: Some(&stack), ..Default::default() };
    for note in [Some("pt"), None] {
        let (network, faults) = network(&file(note, &tensors), options());
        let network = network.unwrap_or_else(|_| panic!("{}", faults.text()));
        assert_eq!(network.number(0).shape(), [2, 1]);
        for entry in network.written().unwrap() {
            let (_, shape, numbers) = tensors.iter().find(|(name, ..)| entry.path == **name).unwrap();
            assert_eq!((entry.tensor.shape(), entry.tensor.as_f32().unwrap()), (&shape[..], &numbers[..]));
        }
        assert!(network.same_plan(&network.with(&network.entries(), &mut Faults::default()).unwrap()));
        assert!(network.with_written(&network.written().unwrap(), &mut Faults::default()).is_ok());
    }
    let (refused, faults) = network(&file(Some("np"), &tensors), options());
    assert_eq!(refused.err(), Some(Refused(Code::Metadata)), "{}", faults.text());
    let mut faults = Faults::default();
    let raw = Import::open(&file(Some("np"), &tensors), ImportOptions::default(), &mut faults).unwrap();
    assert_eq!(raw.params(&mut faults).unwrap().count(), 8);
}

#[test]
fn prefixes_are_stripped_or_proposed() {
    let stack = stack();
    let source = file(Some("pt"), &state("module."));
    let of =
        |strip_prefix| network(&source, ImportOptions { network: Some(&stack), strip_prefix, ..Default::default() });
    assert!(of(Some("module.")).0.is_ok());
    for stripped in [Some("module"), Some("x"), None] {
        let (refused, faults) = of(stripped);
        assert_eq!(refused.err(), Some(Refused(Code::SlotUnknown)));
        let last = faults.iter().last().unwrap();
        assert_eq!((last.code, last.path.as_bytes()), (Code::SlotPrefix, &b"module."[..]));
        let warned = faults.iter().any(|fault| fault.message.contains("begins with 'x'"));
        assert_eq!(warned, stripped == Some("x"));
    }
    let (_, faults) = of(None);
    assert_eq!(faults.iter().filter(|fault| fault.code == Code::SlotMissing).count(), 6);
}

#[test]
fn a_call_is_stopped_between_tensors() {
    let (stack, source) = (stack(), file(Some("pt"), &state("")));
    let progress = crate::progress::Progress { cancel: None, tell: Some(std::sync::Arc::new(|done, _| done > 8)) };
    let (refused, _) = network(&source, ImportOptions { network: Some(&stack), progress, ..Default::default() });
    assert_eq!(refused.err(), Some(Refused(Code::Stopped)));
}

#[test]
fn the_hosts_axis_order_changes_no_number() {
    let text = r#"{"kind":"stack","layers":[{"kind":"conv2d","inChannels":1,"outChannels":2,"height":1,"width":1},{"kind":"flatten"},
        {"kind":"dense","inputs":12,"outputs":1}]}"#;
    let description = parse(text.as_bytes(), &Limits::default(), &mut Faults::default()).unwrap();
    let numbers: Vec<f32> = (0..12u8).map(f32::from).collect();
    let state = [
        ("0.weight".to_owned(), vec![2, 1, 1, 1], vec![1.0, 2.0]),
        ("0.bias".to_owned(), vec![2], vec![0.0, 0.0]),
        ("2.weight".to_owned(), vec![1, 12], numbers),
        ("2.bias".to_owned(), vec![1], vec![0.0]),
    ];
    let source = file(Some("pt"), &state);
    for (layout, example) in [(Layout::ChannelsLast, vec![2, 3, 1]), (Layout::ChannelsFirst, vec![1, 2, 3])] {
        let options =
            ImportOptions { network: Some(&description), layout, examples: vec![example], ..Default::default() };
        let (network, faults) = network(&source, options);
        let network = network.unwrap_or_else(|_| panic!("{}", faults.text()));
        let turned = [0., 6., 1., 7., 2., 8., 3., 9., 4., 10., 5., 11.];
        assert_eq!(network.number(2).as_f32().unwrap(), turned, "{layout:?}");
    }
}
