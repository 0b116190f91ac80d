//! Names into numbers: where each layer and output takes its values from.

use crate::describe::words::nearest;
use crate::describe::{Description, Form, Position, ValueId, at, word};
use crate::faults::{Code, Faults, quoted_str};
use std::collections::{HashMap, HashSet};

/// Where everything comes from. Inputs are the values 0, 1, …; layer `i` makes value `inputs.len() + i`.
pub(super) struct Wiring {
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// For each layer, its values; one that is nowhere to be found is none.
    pub sources: Vec<Vec<Option<ValueId>>>,
    /// Names and values of the outputs.
    pub outputs: Vec<(String, Option<ValueId>)>,
}

/// Resolves all names of a description. One without inputs gets one, `input`; one without outputs gets the last layer's,
/// `output`. A network written as code has neither, and no connections.
pub(super) fn wire(description: &Description, faults: &mut Faults) -> Wiring {
    let code = description.form == Form::Code;
    let mut inputs: Vec<String> = description.inputs.iter().map(|input| input.name.clone()).collect();
    if inputs.is_empty() && !code {
        inputs.push("input".into());
    }
    let mut table = table(description, inputs.len(), faults);
    if code {
        connections_of_code(description, faults);
        return Wiring { sources: vec![Vec::new(); description.layers.len()], inputs: Vec::new(), outputs: Vec::new() };
    }
    if description.inputs.is_empty() {
        table.entry("input").or_insert(0);
    }
    let sources = description.layers.iter().enumerate().map(|(i, layer)| {
        let takes_none = word(&layer.kind).is_some_and(|word| word.most == 0);
        match (layer.from.is_empty(), takes_none) {
            (true, true) => Vec::new(),
            (true, false) => vec![Some(if i == 0 { 0 } else { inputs.len() + i - 1 })],
            (false, _) => {
                let find = |name: &String| find(&table, name, ("layer", &layer.name), layer.position, faults);
                layer.from.iter().map(find).collect()
            }
        }
    });
    let sources = sources.collect();
    let mut names = HashSet::new();
    let mut outputs: Vec<(String, Option<ValueId>)> = Vec::new();
    for output in &description.outputs {
        if !names.insert(output.name.as_str()) {
            let message = format!("output {}: the name is taken already", quoted_str(&output.name));
            faults.push(at(output.position, Code::Connection, message).path(&output.name));
        }
        let source = find(&table, &output.from, ("output", &output.name), output.position, faults);
        outputs.push((output.name.clone(), source));
    }
    if outputs.is_empty() {
        let last = description.layers.len().checked_sub(1).map_or(0, |last| inputs.len() + last);
        outputs.push(("output".into(), Some(last)));
    }
    Wiring { inputs, sources, outputs }
}

/// The value behind each name; a name taken twice is a fault.
fn table<'a>(description: &'a Description, inputs: usize, faults: &mut Faults) -> HashMap<&'a str, ValueId> {
    let mut table = HashMap::new();
    let stated = description.inputs.iter().map(|input| (input.name.as_str(), "input", input.position));
    let layers = description.layers.iter().map(|layer| (layer.name.as_str(), "layer", layer.position));
    let numbered = layers.enumerate().map(|(layer, named)| (inputs + layer, named));
    for (value, (name, what, position)) in stated.enumerate().chain(numbered) {
        if table.insert(name, value).is_some() {
            let message = format!("{what} {}: the name is taken already", quoted_str(name));
            faults.push(at(position, Code::Connection, message).path(name));
        }
    }
    table
}

fn find(
    table: &HashMap<&str, ValueId>,
    name: &str,
    (what, who): (&str, &str),
    position: Position,
    faults: &mut Faults,
) -> Option<ValueId> {
    /// Most names among which the nearest is looked for.
    const NAMES: usize = 1000;
    let found = table.get(name).copied();
    if found.is_none() && !faults.is_full() {
        let mut names: Vec<&str> = if table.len() <= NAMES { table.keys().copied().collect() } else { Vec::new() };
        names.sort_unstable();
        let near = nearest(name, names.into_iter(), faults);
        let advice = near.map_or_else(String::new, |near| format!("; the nearest name is {}", quoted_str(near)));
        let (who, name) = (quoted_str(who), quoted_str(name));
        let message = format!("{what} {who} takes {name}, which is no layer and no input{advice}");
        faults.push(at(position, Code::Connection, message).path(&*who));
    }
    found
}

/// What a network written as code can not have.
fn connections_of_code(description: &Description, faults: &mut Faults) {
    let layers = description.layers.iter().filter(|layer| !layer.from.is_empty());
    let layers = layers.map(|layer| ("layer", layer.name.as_str(), layer.position));
    let inputs = description.inputs.iter().map(|input| ("input", input.name.as_str(), input.position));
    let outputs = description.outputs.iter().map(|output| ("output", output.name.as_str(), output.position));
    for (what, name, position) in layers.chain(inputs).chain(outputs) {
        let quoted = quoted_str(name);
        let message = format!("{what} {quoted}: a network written as code has no connections, inputs or outputs");
        faults.push(at(position, Code::Connection, message).path(name));
    }
}
