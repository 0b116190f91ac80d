//! A network over arrays of any number of examples, in chunks: `predict` and `demo` run it.

use crate::{args::RunArgs, array::Output, progress::Progress};
use pontil::{
    faults::{Code, Fault, Faults, Refused},
    limits::Limits,
    network::Network,
    session::{Session, SessionOptions},
    tensor::{Tensor, View, ViewMut},
};
use std::ops::Range;

/// Most examples of one run.
const CHUNK: usize = 256;

/// Most memory of a session that runs more than one example at once.
const MEMORY: u64 = 1 << 30;

/// The outputs for `batch` examples; `inputs` are packed and fit. The answers do not depend on the chunks.
pub fn run(
    network: &Network,
    inputs: &[Tensor],
    batch: usize,
    args: &RunArgs,
    faults: &mut Faults,
) -> Result<Vec<Output>, Refused> {
    let mut session = session(network, batch, args, faults)?;
    let mut outputs = Vec::new();
    for port in 0..network.graph().outputs.len() {
        let shape: Vec<usize> = std::iter::once(batch).chain(session.output_shape(port).iter().copied()).collect();
        outputs.push(Output::empty(port, shape).ok_or_else(|| {
            faults.refuse(Fault::new(Code::Memory, "There is no memory for the outputs of so many examples."))
        })?);
    }
    let progress = Progress::new("predicting");
    for start in (0..batch).step_by(session.max_batch()) {
        let count = session.max_batch().min(batch - start);
        chunk(&mut session, inputs, &mut outputs, start..start + count).map_err(|code| {
            let examples = format!("the examples {start} to {}", start + count - 1);
            let message = match code {
                Code::Value => format!("A whole number among {examples} lies outside of the table it is looked up in."),
                _ => format!("The run of {examples} ended: {}.", code.name()),
            };
            faults.refuse(Fault::new(code, message))
        })?;
        progress.at((start + count) as u64, batch as u64);
    }
    Ok(outputs)
}

/// A session for as many examples at once as memory is meant for: one, if need be.
fn session(network: &Network, batch: usize, args: &RunArgs, faults: &mut Faults) -> Result<Session, Refused> {
    let options = |max_batch| SessionOptions {
        max_batch,
        precision: args.precision.into(),
        threads: args.threads.into(),
        ..SessionOptions::default()
    };
    let tight = Limits { session_bytes: MEMORY, ..Limits::default() };
    let mut max_batch = batch.clamp(1, CHUNK);
    while max_batch > 1 {
        if let Ok(session) = Session::new(network, &options(max_batch), &tight, &mut Faults::default()) {
            return Ok(session);
        }
        max_batch /= 2;
    }
    Session::new(network, &options(1), &Limits::default(), faults)
}

fn chunk(session: &mut Session, inputs: &[Tensor], outputs: &mut [Output], examples: Range<usize>) -> Result<(), Code> {
    let taken: Vec<Vec<usize>> = inputs.iter().map(|input| chunk_shape(input.shape(), examples.len())).collect();
    let made: Vec<Vec<usize>> = outputs.iter().map(|output| chunk_shape(&output.shape, examples.len())).collect();
    let views: Vec<View<'_>> =
        inputs.iter().zip(&taken).map(|(input, shape)| part(input, shape, examples.start)).collect();
    let mut rooms: Vec<ViewMut<'_>> = outputs
        .iter_mut()
        .zip(&made)
        .map(|(output, shape)| ViewMut::of_f32(shape, output.examples(examples.clone())))
        .collect();
    session.run(&views, &mut rooms, None)
}

fn chunk_shape(whole: &[usize], count: usize) -> Vec<usize> {
    std::iter::once(count).chain(whole.iter().skip(1).copied()).collect()
}

/// The examples from `start` on that `shape` counts.
fn part<'a>(input: &'a Tensor, shape: &'a [usize], start: usize) -> View<'a> {
    let each = shape.iter().skip(1).product::<usize>();
    View::new(input.dtype(), shape, None, start * each, input.packed_bytes().unwrap_or_default())
}
