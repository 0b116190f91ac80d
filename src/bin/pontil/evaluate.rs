//! `pontil evaluate`: a network in Mocha's words over a data set, with its losses and statistics.

use crate::{answer::Answer, args::EvaluateArgs, open, progress::Progress};
use pontil::{
    dataset::{Dataset, Options, Shuffle, Transform},
    describe::mocha::{Feed, Kind, Net, NetLayer, Transformer},
    faults::{Code, Fault, Faults, Refused, quoted_str},
    import::{Import, ImportOptions},
    limits::Limits,
    mocha::{Blob, Draws, Element, Evaluation},
    network::Entry,
    tensor::Tensor,
};
use serde_json::json;
use std::{collections::HashMap, path::Path};

/// Batches that a thread reads ahead.
const AHEAD: usize = 2;

/// Runs the command.
pub fn run(args: &EvaluateArgs, faults: &mut Faults) -> Result<Answer, Refused> {
    let description = open::described(&args.network, faults)?;
    let net = Net::of(&description, faults)?;
    let mut feeds = feeds(&net, args, faults)?;
    let element = if args.double { Element::Double } else { Element::Single };
    let mut evaluation = Evaluation::new(net, &numbers(&args.file, faults)?, element, &Limits::default(), faults)?;
    evaluation.seed(args.seed);
    let progress = Progress::new("evaluating");
    let (mut runs, mut examples) = (0u64, 0u64);
    let mut totals: Vec<(String, f64)> = Vec::new();
    let first = feeds.first();
    let total = args.runs.unwrap_or_else(|| first.map_or(1, |(_, set)| set.examples().div_ceil(set.batch() as u64)));
    while runs < total {
        let mut given = HashMap::new();
        for (tops, set) in &mut feeds {
            let batch = set.next(faults)?;
            for (top, tensor) in tops.iter().zip(&batch.tops) {
                given.insert(top.clone(), blob(tensor, faults)?);
            }
        }
        examples += feeds.first().map_or(1, |(_, set)| set.batch() as u64);
        evaluation.forward(given, &Draws::default(), faults)?;
        for (place, (name, loss)) in evaluation.losses().iter().enumerate() {
            match totals.get_mut(place) {
                Some((_, total)) => *total += loss,
                None => totals.push((name.clone(), *loss)),
            }
        }
        runs += 1;
        progress.at(runs, total);
    }
    evaluation.write_outputs(faults)?;
    let epochs = feeds.first().map_or(0, |(_, set)| set.epoch());
    Ok(answer(&evaluation, &totals, [runs, examples, epochs]))
}

/// What is told: the mean loss of all batches, and the statistics.
fn answer(evaluation: &Evaluation, totals: &[(String, f64)], [runs, examples, epochs]: [u64; 3]) -> Answer {
    let mut lines = vec![format!("batches: {runs}, {examples} examples, {epochs} epochs")];
    let mut told = json!({ "batches": runs, "examples": examples, "epochs": epochs });
    let mut losses = serde_json::Map::new();
    for (name, total) in totals {
        let mean = total / runs.max(1) as f64;
        lines.push(format!("loss '{}': {mean:.8}", quoted_str(name)));
        losses.insert(name.clone(), json!(mean));
    }
    let mut statistics = serde_json::Map::new();
    for statistic in evaluation.statistics() {
        let name = quoted_str(&statistic.name);
        let shown = match statistic.name.ends_with("-loss") {
            true => format!("{:.8}", statistic.mean),
            false => format!("{:.4}%", statistic.mean * 100.0),
        };
        lines.push(format!("'{name}' over {}: {shown}", statistic.count));
        statistics.insert(statistic.name.clone(), json!(statistic.mean));
    }
    told["losses"] = losses.into();
    told["statistics"] = statistics.into();
    Answer::new(lines.join("\n"), told)
}

/// The data layers' tops, each with the set that feeds them.
fn feeds(net: &Net, args: &EvaluateArgs, faults: &mut Faults) -> Result<Vec<(Vec<String>, Dataset)>, Refused> {
    let mark = faults.mark();
    let mut feeds = Vec::new();
    for layer in net.layers() {
        let Kind::Data(feed) = &layer.kind else { continue };
        if let Ok(set) = feed_of(layer, feed, args, faults) {
            feeds.push((layer.tops.clone(), set));
        }
    }
    faults.refused_since(mark)?;
    if feeds.is_empty() {
        let message = "the network has no data layer: there is nothing to run it on.";
        return Err(faults.refuse(Fault::new(Code::Value, message)));
    }
    Ok(feeds)
}

fn feed_of(layer: &NetLayer, feed: &Feed, args: &EvaluateArgs, faults: &mut Faults) -> Result<Dataset, Refused> {
    let list = args.data.as_deref().or(feed.source.as_deref().map(Path::new)).ok_or_else(|| {
        let what = format!("layer {}: its data lies in memory; say a list by --data", quoted_str(&layer.name));
        faults.refuse(Fault::new(Code::Value, what).path(&layer.name))
    })?;
    let within = |path: &str| args.folder.as_deref().map_or_else(|| path.into(), |folder| folder.join(path));
    let mut transforms = Vec::new();
    for (top, transformer) in &feed.transformers {
        let transform = match transformer {
            Transformer::Scale(factor) => Transform::Scale(*factor),
            Transformer::SubMean(file) => {
                Transform::mean_file(&open::source(&within(file), faults)?, &Limits::default(), faults)?
            }
        };
        transforms.push((top.clone(), transform));
    }
    let options = Options {
        tops: layer.tops.clone(),
        batch: feed.batch,
        shuffle: feed.shuffle.then_some(Shuffle::Seed(args.seed)),
        chunk: feed.chunk,
        transforms,
        folder: args.folder.clone(),
        ahead: AHEAD,
        limits: Limits::default(),
    };
    Dataset::open(&open::source(list, faults)?, options, faults)
}

/// All numbers of a file.
fn numbers(file: &Path, faults: &mut Faults) -> Result<Vec<Entry>, Refused> {
    let options = ImportOptions { progress: Progress::told("reading"), ..ImportOptions::default() };
    Import::open(&open::source(file, faults)?, options, faults)?.numbers(faults)
}

fn blob(tensor: &Tensor, faults: &mut Faults) -> Result<Blob, Refused> {
    Blob::of(tensor).ok_or_else(|| faults.refuse(Fault::new(Code::Memory, "there is no memory for a batch.")))
}
