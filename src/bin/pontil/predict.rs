//! `pontil predict`: the network of a file over an array of examples.

use crate::{
    activation,
    answer::{Answer, CALLERS},
    args::PredictArgs,
    array::{self, Array, Output},
    open, ports, run,
};
use pontil::{
    describe::Graph,
    faults::{Code, Fault, Faults, Refused, quoted_str},
    import::Import,
    limits::Limits,
    network::Network,
};
use serde_json::{Value, json};
use std::path::Path;

/// Runs the command.
pub fn run(args: &PredictArgs, faults: &mut Faults) -> Result<Answer, Refused> {
    let format = args.output.as_deref().map(|path| writable(path, args, faults)).transpose()?;
    let arrays = array::read(&args.input, faults)?;
    let (network, loss) = network(args, &arrays, faults)?;
    let graph = network.graph();
    if let Some(format) = format {
        format.takes(graph.outputs.len(), faults)?;
    }
    let word = activation::of(loss.as_deref());
    if let Some(word) = word {
        activation::check(word, graph, faults)?;
    }
    let (inputs, batch) = ports::fit(&arrays, graph, faults)?;
    let mut outputs = run::run(&network, &inputs, batch, &args.run, faults)?;
    if let Some(word) = word {
        for output in &mut outputs {
            activation::apply(word, output, &args.run, faults)?;
        }
    }
    if let (Some(format), Some(path)) = (format, args.output.as_deref()) {
        format.write(path, &outputs, faults)?;
    }
    Ok(answer(&outputs, word.unwrap_or("identity"), loss.as_deref(), args.output.as_deref()))
}

/// The network and its loss; where nothing says the shape of its inputs, the arrays do.
fn network(args: &PredictArgs, arrays: &[Array], faults: &mut Faults) -> Result<(Network, Option<String>), Refused> {
    let mut import = open::import(&args.file, None, faults)?;
    if args.file.example.is_none() {
        if let Some(example) = example(&import, arrays, faults)? {
            let mut again = Faults::default();
            import =
                open::import(&args.file, Some(example), &mut again).inspect_err(|_| open::hand_on(&again, faults))?;
        }
    }
    Ok((import.network(faults)?, import.loss().map(str::to_owned)))
}

/// One example's shape as the first array has it, if the network does not know it. An array that does not even fit what is
/// known is refused here: with its shape the network would look wrong.
fn example(import: &Import, arrays: &[Array], faults: &mut Faults) -> Result<Option<Vec<usize>>, Refused> {
    let mut unsaid = Faults::default();
    let graph = import.description(&mut unsaid).and_then(|d| Graph::of(&d, &Limits::default(), &mut unsaid));
    let each = |shape: &[usize]| shape.get(1..).map(<[usize]>::to_vec);
    match graph {
        Ok(graph) if graph.inputs.iter().all(|port| graph.values[port.value].known().is_some()) => Ok(None),
        Ok(graph) => {
            let (tensors, _) = ports::fit(arrays, &graph, faults)?;
            Ok(tensors.first().and_then(|tensor| each(tensor.shape())))
        }
        Err(_) => Ok(arrays.first().and_then(|array| each(array.tensor.shape()))),
    }
}

/// The format of OUT, which must be neither FILE nor IN.
fn writable(path: &Path, args: &PredictArgs, faults: &mut Faults) -> Result<array::Format, Refused> {
    let taken = [&args.file.file, &args.input];
    let same =
        |other: &&std::path::PathBuf| matches!((path.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if taken.iter().any(same) {
        let name = path.to_string_lossy();
        let message = format!("'{}' is read from and can not be the output.", quoted_str(&name));
        faults.push(Fault::new(Code::Value, message).place(name.as_ref()));
        return Err(CALLERS);
    }
    array::Format::of(path, faults)
}

fn answer(outputs: &[Output], word: &str, loss: Option<&str>, written: Option<&Path>) -> Answer {
    let said = loss.map(|loss| format!("the outputs are after {word}, as the loss {loss} has it"));
    let mut json = json!({ "activation": word });
    json["outputs"] = outputs.iter().map(|output| output.json(written.is_none())).collect();
    if let Some(path) = written {
        json["written"] = Value::from(path.to_string_lossy());
        let shapes: Vec<String> = outputs.iter().map(Output::title).collect();
        let text = format!("wrote '{}': {}", quoted_str(&path.to_string_lossy()), shapes.join(", "));
        return Answer { text, json, note: said };
    }
    let several = outputs.len() > 1;
    let block =
        |output: &Output| if several { format!("# {}\n{}", output.title(), output.text()) } else { output.text() };
    let text = outputs.iter().map(block).collect::<Vec<_>>().join("\n");
    Answer { text, json, note: said }
}
