//! Files of both generations, cut and changed at every byte.

use super::{Model, recognises};
use crate::faults::Faults;
use crate::source::Source;
use crate::tensor::Storage;

fn read(bytes: &[u8]) -> Result<Model, String> {
    let source = Source::memory(Storage::copied(bytes).unwrap());
    let mut faults = Faults::default();
    Model::read(&source, &mut faults).map_err(|_| faults.text())
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/fixtures/mocha/caffe/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

const FILES: [&str; 3] = ["new.caffemodel", "old.caffemodel", "oldest.caffemodel"];

#[test]
fn generations_hold_the_same() {
    for name in FILES {
        let bytes = fixture(name);
        assert!(recognises(&bytes[..bytes.len().min(4096)]), "{name}");
        let model = read(&bytes).unwrap();
        let names: Vec<&str> = model.layers.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(names, ["conv1", "ip1", "ip2"], "{name}");
        assert_eq!(model.name, "tiny");
        for layer in &model.layers {
            assert_eq!(layer.blobs.len(), 2);
            layer.blobs.iter().for_each(|blob| assert!(blob.tensor(&model).is_some()));
        }
    }
}

#[test]
fn cut_and_changed_files_are_refused_or_read_and_never_more() {
    for name in FILES {
        let bytes = fixture(name);
        for end in 0..bytes.len() {
            recognises(&bytes[..end]);
            if let Ok(model) = read(&bytes[..end]) {
                assert!(model.layers.len() < 3, "{name} cut at {end}");
            }
        }
        let mut changed = bytes.clone();
        for at in 0..bytes.len() {
            for bits in [0x01, 0x80, 0xFF] {
                changed[at] ^= bits;
                if let Ok(model) = read(&changed) {
                    for layer in &model.layers {
                        layer.blobs.iter().for_each(|blob| drop(blob.tensor(&model)));
                    }
                }
                changed[at] = bytes[at];
            }
        }
    }
}
