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
    tensor::{Tensor, shape_text},
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

/// The network and its loss; where nothing says the shapes of its inputs, the arrays do.
fn network(args: &PredictArgs, arrays: &[Array], faults: &mut Faults) -> Result<(Network, Option<String>), Refused> {
    let mut import = open::import(&args.file, faults)?;
    let graph = graph(&import, &mut Faults::default());
    let examples = examples(graph.as_ref().ok(), arrays, faults)?;
    let stated = args.file.example.iter().map(|shape| shape.0.clone());
    if examples.len() > stated.len() {
        import = import.with_examples(stated.chain(examples.into_iter().skip(args.file.example.len())).collect());
        if graph.is_ok() {
            taken(&import, arrays, faults)?;
        }
    }
    Ok((import.network(faults)?, import.loss().map(str::to_owned)))
}

fn graph(import: &Import, faults: &mut Faults) -> Result<Graph, Refused> {
    let description = import.description(faults)?;
    Graph::of(&description, &Limits::default(), faults)
}

/// Shapes of one example as the arrays have them; none if the network knows its own. An array that does not even fit what is
/// known is refused here: with its shape the network would look wrong.
fn examples(graph: Option<&Graph>, arrays: &[Array], faults: &mut Faults) -> Result<Vec<Vec<usize>>, Refused> {
    let each = |tensor: &Tensor| tensor.shape().get(1..).unwrap_or_default().to_vec();
    match graph {
        Some(graph) if graph.inputs.iter().all(|port| graph.values[port.value].known().is_some()) => Ok(Vec::new()),
        Some(graph) => Ok(ports::fit(arrays, graph, faults)?.0.iter().map(each).collect()),
        None => Ok(arrays.iter().map(|array| each(&array.tensor)).collect()),
    }
}

/// Refuses arrays of whose shape a network that was right without them becomes wrong; its layers say what they take.
fn taken(import: &Import, arrays: &[Array], faults: &mut Faults) -> Result<(), Refused> {
    let mut found = Faults::default();
    if graph(import, &mut found).is_ok() {
        return Ok(());
    }
    for array in arrays {
        let shape = shape_text(array.tensor.shape());
        let message = format!("{} has the shape {shape}, which the network does not take.", array.name);
        faults.push(Fault::new(Code::Value, message));
    }
    faults.append(found);
    Err(CALLERS)
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
