//! Names into numbers: where each layer and output takes its values from.

use crate::describe::words::nearest;
use crate::describe::{Description, Form, Position, ValueId, at, word};
use crate::faults::{Code, Faults, quoted_str};
use std::collections::HashMap;

/// Where everything comes from. Inputs are the values 0, 1, …; layer `i` makes value `inputs + i`.
pub(crate) struct Wiring {
    /// How many inputs.
    pub inputs: usize,
    /// Their names.
    pub input_names: Vec<String>,
    /// For each layer, its values; one that is nowhere to be found is none.
    pub sources: Vec<Vec<Option<ValueId>>>,
    /// Names and values of the outputs.
    pub outputs: Vec<(String, Option<ValueId>)>,
}

/// Resolves all names of a description. One without inputs gets one, `input`; one without outputs the last layer's, `output`.
pub(crate) fn wire(description: &Description, faults: &mut Faults) -> Wiring {
    let code = description.form == Form::Code;
    let mut input_names: Vec<String> = description.inputs.iter().map(|input| input.name.clone()).collect();
    if input_names.is_empty() && !code {
        input_names.push("input".into());
    }
    let inputs = input_names.len();
    let mut table: HashMap<&str, ValueId> = HashMap::new();
    let stated = description.inputs.iter().map(|input| (input.name.as_str(), "input", input.position));
    let layers = description.layers.iter().map(|layer| (layer.name.as_str(), "layer", layer.position));
    for (value, (name, what, position)) in
        stated.enumerate().chain(layers.enumerate().map(|(i, layer)| (inputs + i, layer)))
    {
        if table.insert(name, value).is_some() {
            let message = format!("{what} {}: the name is taken already", quoted_str(name));
            faults.push(at(position, Code::Connection, message).path(name));
        }
    }
    if description.inputs.is_empty() && !code {
        table.entry("input").or_insert(0);
    }
    let mut names: Vec<&str> = table.keys().copied().collect();
    names.sort_unstable();
    let mut find = |name: &str, who: String, position: Position| {
        let found = table.get(name).copied();
        if found.is_none() {
            let near = if names.len() <= 1000 { nearest(name, names.iter().copied()) } else { None };
            let advice = near.map_or_else(String::new, |near| format!("; the nearest name is {}", quoted_str(near)));
            let message = format!("{who} takes {}, which is no layer and no input{advice}", quoted_str(name));
            faults.push(at(position, Code::Connection, message).path(name));
        }
        found
    };
    let mut sources = Vec::new();
    for (i, layer) in description.layers.iter().enumerate() {
        let who = || format!("layer {}", quoted_str(&layer.name));
        let takes_none = code || word(&layer.kind).is_some_and(|word| word.most == 0);
        sources.push(match layer.from.is_empty() {
            true if takes_none => Vec::new(),
            true => vec![Some(if i == 0 { 0 } else { inputs + i - 1 })],
            false => layer.from.iter().map(|name| find(name, who(), layer.position)).collect(),
        });
    }
    let last = (inputs + description.layers.len()).checked_sub(1);
    let mut outputs: Vec<(String, Option<ValueId>)> = Vec::new();
    for output in &description.outputs {
        let who = format!("output {}", quoted_str(&output.name));
        outputs.push((output.name.clone(), find(&output.from, who, output.position)));
    }
    if outputs.is_empty() && !code {
        outputs.push(("output".into(), last));
    }
    Wiring { inputs, input_names, sources, outputs }
}
