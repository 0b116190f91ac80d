//! Running a network on fixtures and comparing what it says.

use pontil::{
    faults::{Faults, Refused},
    import::{Import, ImportOptions},
    limits::Limits,
    network::Network,
    plan::{Isa, Precision},
    session::{Session, SessionOptions},
    source::Source,
    tensor::{DType, Storage, Tensor, View, ViewMut},
};
use std::path::Path;

/// Numbers with their shape, the batch included.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub shape: Vec<usize>,
    pub numbers: Vec<f32>,
}

/// The precisions, each with its name.
pub const PRECISIONS: [(Precision, &str); 2] = [(Precision::Standard, "standard"), (Precision::Exact, "exact")];

/// The instruction sets that this processor has, the one that is taken by itself last.
pub fn sets() -> Vec<Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_here()).collect()
}

/// The network of a file in memory, or all that is wrong.
pub fn network(bytes: &[u8], options: ImportOptions<'_>) -> Result<Network, Faults> {
    of_source(Ok(Source::memory(Storage::copied(bytes).unwrap())), options, Faults::default())
}

/// The network of a file at a path, or all that is wrong.
pub fn network_at(path: &Path, options: ImportOptions<'_>) -> Result<Network, Faults> {
    let mut faults = Faults::default();
    of_source(Source::path(path, &Limits::default(), &mut faults), options, faults)
}

fn of_source(
    source: Result<Source, Refused>,
    options: ImportOptions<'_>,
    mut faults: Faults,
) -> Result<Network, Faults> {
    let import = source.and_then(|source| Import::open(&source, options, &mut faults));
    import.and_then(|import| import.network(&mut faults)).map_err(|_| faults)
}

/// Every slot of a network with its path and the bits of its numbers.
pub fn slots(network: &Network) -> Vec<(String, Vec<u32>)> {
    let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect();
    network.entries().iter().map(|entry| (entry.path.to_string(), bits(entry.tensor.as_f32().unwrap()))).collect()
}

/// Every number of a tensor, widened.
pub fn doubles(tensor: &Tensor) -> Vec<f64> {
    let bytes = tensor.packed_bytes().unwrap();
    match tensor.dtype() {
        DType::F64 => bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect(),
        _ => tensor.to_f32().unwrap().as_f32().unwrap().iter().copied().map(f64::from).collect(),
    }
}

/// Runs all examples of the inputs at once in a new session.
pub fn run(network: &Network, precision: Precision, inputs: &[Tensor]) -> Result<Vec<Answer>, String> {
    run_by(network, precision, Isa::best(), inputs)
}

/// The same by an instruction set.
pub fn run_by(network: &Network, precision: Precision, isa: Isa, inputs: &[Tensor]) -> Result<Vec<Answer>, String> {
    let batch = inputs[0].shape()[0];
    let options = SessionOptions { max_batch: batch, precision, isa: Some(isa), ..SessionOptions::default() };
    run_on(&mut session(network, &options)?, inputs)
}

/// A session, or why there is none.
pub fn session(network: &Network, options: &SessionOptions) -> Result<Session, String> {
    let mut faults = Faults::default();
    Session::new(network, options, &Limits::default(), &mut faults).map_err(|_| faults.text())
}

/// Runs all examples of the inputs in a session.
pub fn run_on(session: &mut Session, inputs: &[Tensor]) -> Result<Vec<Answer>, String> {
    let batch = inputs[0].shape()[0];
    let outputs = session.outputs().len();
    let mut answers: Vec<Answer> = (0..outputs)
        .map(|port| {
            let shape: Vec<usize> = std::iter::once(batch).chain(session.output_shape(port).iter().copied()).collect();
            Answer { numbers: vec![f32::NAN; shape.iter().product()], shape }
        })
        .collect();
    let views: Vec<View> = inputs.iter().map(Tensor::view).collect();
    let mut into: Vec<ViewMut> =
        answers.iter_mut().map(|answer| ViewMut::of_f32(&answer.shape, &mut answer.numbers)).collect();
    session.run(&views, &mut into, None).map_err(|code| code.name().to_owned())?;
    Ok(answers)
}

/// How far the worst number lies from the expected one, or what else is wrong. What is no number, or without end, must be
/// the same.
pub fn distance(answer: &Answer, expected: &Tensor) -> Result<f64, String> {
    if answer.shape != expected.shape() {
        return Err(format!("shape {:?} instead of {:?}", answer.shape, expected.shape()));
    }
    let mut worst = 0.0;
    for (place, (is, should)) in answer.numbers.iter().map(|&is| f64::from(is)).zip(doubles(expected)).enumerate() {
        if is == should || is.is_nan() && should.is_nan() {
            continue;
        }
        if !(is - should).is_finite() {
            return Err(format!("{is} instead of {should} at {place}"));
        }
        worst = (is - should).abs().max(worst);
    }
    Ok(worst)
}

/// The largest magnitude that is finite.
pub fn largest(tensor: &Tensor) -> f64 {
    doubles(tensor).into_iter().map(f64::abs).filter(|number| number.is_finite()).fold(0.0, f64::max)
}

/// From a number's magnitude to the next single above it.
pub fn ulp(number: f64) -> f64 {
    let near = (number.abs() as f32).max(f32::MIN_POSITIVE);
    f64::from(f32::from_bits(near.to_bits() + 1)) - f64::from(near)
}
