//! `pontil demo`: the shipped Titanic network beside PyTorch's answers, and the faults of a spoiled twin of its file.

use crate::{
    activation,
    answer::Answer,
    args::RunArgs,
    array::{json_number, shortest},
    run,
};
use pontil::{
    describe::{self, Layout},
    faults::{Code, Fault, Faults, Refused},
    import::{Import, ImportOptions},
    limits::Limits,
    source::Source,
    tensor::{Storage, Tensor},
};
use serde_json::{Value, json};

const MODEL: &[u8] = include_bytes!("../../../fixtures/demo/model.safetensors");
const SPOILED: &[u8] = include_bytes!("../../../fixtures/demo/spoiled.safetensors");
const NETWORK: &[u8] = include_bytes!("../../../fixtures/demo/network.json");
/// Passengers, and what PyTorch answered for them.
const ANSWERS: &[u8] = include_bytes!("../../../fixtures/demo/io.safetensors");

/// Runs the command.
pub fn run(args: &RunArgs, faults: &mut Faults) -> Result<Answer, Refused> {
    let network = import(MODEL, true, faults)?.network(faults)?;
    let answers = import(ANSWERS, false, faults)?;
    let (input, logits) = (tensor(&answers, "input", faults)?, tensor(&answers, "output", faults)?);
    let passengers = input.shape().first().copied().unwrap_or(0);
    let mut made = run::run(&network, &[input], passengers, args, faults)?;
    for output in &mut made {
        activation::apply("sigmoid", output, args, faults)?;
    }
    let chances = made.into_iter().flat_map(|output| output.numbers);
    let theirs: Vec<f32> = logits.as_f32().unwrap_or_default().iter().map(|&logit| sigmoid(logit)).collect();

    let mut lines = vec!["passenger       Pontil      PyTorch  ulp".to_owned()];
    let (mut rows, mut largest) = (Vec::new(), 0);
    for (index, (ours, &theirs)) in chances.zip(&theirs).enumerate() {
        let (number, ulp) = (index + 1, distance(ours, theirs));
        largest = largest.max(ulp);
        lines.push(format!("{number:9} {:>12} {:>12} {ulp:4}", shortest(ours), shortest(theirs)));
        rows.push(json!({ "number": number, "chance": json_number(ours), "pytorch": json_number(theirs), "ulp": ulp }));
    }
    lines.push(format!("{passengers} passengers, largest difference {largest} ulp"));

    let mut found = Faults::default();
    let spoiled = import(SPOILED, true, &mut found).and_then(|import| import.network(&mut found));
    if spoiled.is_ok() {
        return Err(faults.refuse(Fault::new(Code::Internal, "The spoiled file was taken.")));
    }
    lines.push(format!("\nThe same file, spoiled, is refused with {} faults:", found.len()));
    lines.extend(found.iter().map(|fault| fault.message.clone()));
    let found: Value = serde_json::from_str(&found.json()).unwrap_or_default();
    Ok(Answer::new(lines.join("\n"), json!({ "passengers": rows, "largest_ulp": largest, "spoiled": found })))
}

fn import(file: &[u8], with_network: bool, faults: &mut Faults) -> Result<Import, Refused> {
    let description = describe::parse(NETWORK, &Limits::default(), faults)?;
    let network = with_network.then_some(&description);
    let options = ImportOptions { network, layout: Layout::AsFile, ..ImportOptions::default() };
    let storage = Storage::copied(file);
    let storage = storage.ok_or_else(|| faults.refuse(Fault::new(Code::Memory, "There is no memory for the demo.")))?;
    Import::open(&Source::memory(storage), options, faults)
}

fn tensor(import: &Import, name: &str, faults: &mut Faults) -> Result<Tensor, Refused> {
    let index = import.entries().iter().position(|entry| entry.path == *name).unwrap_or(usize::MAX);
    let tensor = import.tensor(index, faults)?;
    tensor.to_f32().ok_or_else(|| faults.refuse(Fault::new(Code::Memory, "There is no memory for the demo.")))
}

/// PyTorch's chance of its logit, in doubles and rounded once.
fn sigmoid(logit: f32) -> f32 {
    (1.0 / (1.0 + (-f64::from(logit)).exp())) as f32
}

/// How many singles lie between two, the second included.
fn distance(a: f32, b: f32) -> u32 {
    let place = |number: f32| {
        let bits = number.to_bits() as i32;
        if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits }
    };
    place(a).abs_diff(place(b))
}
