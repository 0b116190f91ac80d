//! Settings of the layers that bring data.

use super::{Reader, text};
use crate::describe::mocha::kind::{Feed, Kind, Transformer};
use crate::describe::words::number;
use crate::describe::{LONGEST, Value};

/// Examples the asynchronous layer mixes together by default.
const CHUNK: usize = 1 << 20;

pub(in super::super) fn hdf5(read: &mut Reader) -> Kind {
    let source = Some(read.text("source"));
    Kind::Data(Feed { source, ..feed(read) })
}

pub(in super::super) fn hdf5_async(read: &mut Reader) -> Kind {
    let source = Some(read.text("source"));
    let chunk = Some(read.args.length("chunk_size", Some(CHUNK)));
    Kind::Data(Feed { source, chunk, ..feed(read) })
}

pub(in super::super) fn memory(read: &mut Reader) -> Kind {
    Kind::Data(feed(read))
}

pub(in super::super) fn random_normal(read: &mut Reader) -> Kind {
    read.made("eltype", &["Float32", "Float64"]);
    let shape = read.shape("output_dims");
    let batches = read.args.shape("batch_sizes");
    let each = crate::tensor::count(&shape).unwrap_or(1).max(1);
    if batches.iter().any(|batch| batch.checked_mul(each).is_none_or(|count| count > LONGEST as usize)) {
        read.args.wrong("batch_sizes", "makes blobs larger than any");
    }
    Kind::RandomNormal { shape, batches }
}

fn feed(read: &mut Reader) -> Feed {
    let batch = read.args.length("batch_size", None);
    let shuffle = read.args.flag("shuffle", false);
    let Some(attribute) = read.args.get("transformers") else {
        return Feed { batch, shuffle, ..Feed::default() };
    };
    let transformers = match &attribute.value {
        Value::List(list) => list.iter().map(transformer).collect::<Option<Vec<_>>>(),
        _ => None,
    };
    let transformers = transformers.unwrap_or_else(|| {
        let wants = "wants a list of [top, \"Scale\", number] and [top, \"SubMean\", file]";
        read.args.wrong("transformers", wants);
        Vec::new()
    });
    Feed { batch, shuffle, transformers, ..Feed::default() }
}

fn transformer(value: &Value) -> Option<(String, Transformer)> {
    let Value::List(parts) = value else { return None };
    let [top, what, of] = parts.as_slice() else { return None };
    let what = match (text(what)?, of) {
        ("Scale", of) => Transformer::Scale(number(of)?),
        ("SubMean", Value::Text(file)) => Transformer::SubMean(file.clone()),
        _ => return None,
    };
    Some((text(top)?.trim_start_matches(':').to_owned(), what))
}
