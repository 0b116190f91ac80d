//! `pontil inspect`: what a file says it holds; no numbers are read, unless the plan is asked for.

use crate::{answer::Answer, args::InspectArgs, open, summary};
use pontil::{
    describe::{
        Description, Form, Graph, Port, dot,
        mocha::{Net, Shapes},
    },
    faults::{Faults, Refused, Text, quoted, quoted_path, quoted_str},
    import::Import,
    limits::Limits,
    network::Listed,
    params::{self, Kind, Params},
    plan::{Plan, Row, Told},
    tensor::{lengths_text, shape_text},
};
use serde_json::{Value, json};

/// Longest name that a column is made wide enough for.
const WIDEST: usize = 48;

/// Runs the command.
pub fn run(args: &InspectArgs, faults: &mut Faults) -> Result<Answer, Refused> {
    let import = open::listing(&args.file, faults)?;
    let mocha = import.stated().filter(|stated| stated.form == Form::Mocha);
    let mocha = mocha.map(|stated| drawn(stated, faults)).transpose()?;
    if args.dot {
        let text = match mocha {
            Some([_, drawn]) => drawn,
            None => dot(&Graph::of(&import.description(faults)?, &Limits::default(), faults)?),
        };
        return Ok(Answer::new(text.clone(), json!({ "dot": text })));
    }
    let mut lines = Vec::new();
    let mut json = json!({ "format": import.format() });
    tensors(&import, &mut lines, &mut json);
    if let Some(tree) = import.outline(faults)? {
        branches(&tree, &mut lines, &mut json);
        values(&tree, &mut lines, &mut json);
    }
    if let Some(told) = import.summary() {
        let (rows, told) = summary::summary(&told);
        lines.extend(rows);
        json["summary"] = told;
    }
    if let Some([listing, _]) = &mocha {
        lines.push(listing.trim_end().to_owned());
    }
    if let Some(description) = open::layers(&import, faults)? {
        let graph = Graph::of(&description, &Limits::default(), faults)?;
        let kinds: Vec<&str> = description.layers.iter().map(|layer| layer.kind.as_str()).collect();
        layers(&graph, &kinds, &mut lines, &mut json);
    }
    notes(&import, &mut lines, &mut json);
    if args.plan {
        let network = import.network(faults)?;
        plan(&Plan::told(&network, args.precision.into(), faults)?, &mut lines, &mut json);
    }
    Ok(Answer::new(lines.join("\n"), json))
}

/// A network in Mocha's words as its listing and as a drawing, for a run of one batch.
fn drawn(stated: &Description, faults: &mut Faults) -> Result<[String; 2], Refused> {
    let net = Net::of(stated, faults)?;
    let shapes = net.shapes(net.batch().unwrap_or(1), &Shapes::new(), faults)?;
    Ok([net.listing(&shapes), net.dot(&shapes)])
}

fn tensors(import: &Import, lines: &mut Vec<String>, json: &mut Value) {
    let entries = import.entries();
    let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    lines.push(format!("format: {}", import.format()));
    lines.push(format!("tensors: {}, {bytes} bytes", entries.len()));
    let names: Vec<String> = entries.iter().map(|entry| quoted(&entry.path)).collect();
    let rows = names.iter().zip(entries).map(|(name, entry)| {
        let size = format!("{} bytes", entry.bytes);
        [name.clone(), entry.dtype.name().into(), shape_text(&entry.shape), size, place(entry)]
    });
    lines.extend(table(rows.collect()));
    json["bytes"] = json!(bytes);
    json["tensors"] = entries
        .iter()
        .map(|entry| {
            json!({
                "name": raw(&entry.path),
                "dtype": entry.dtype.name(),
                "shape": entry.shape,
                "bytes": entry.bytes,
                "place": raw(&entry.place),
                "offset": entry.offset,
            })
        })
        .collect();
}

/// Where the file has it, as far as its name does not say that.
fn place(entry: &Listed) -> String {
    let offset = entry.offset.map(|offset| format!("at byte {offset}"));
    let place =
        (entry.place != entry.path && !entry.place.is_empty()).then(|| format!("in '{}'", quoted(&entry.place)));
    [place, offset].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The branches and structured leaves of a set, where there is more than one.
fn branches(tree: &Params, lines: &mut Vec<String>, json: &mut Value) {
    let mut found = Vec::new();
    let mut open = vec![Params::ROOT];
    while let Some(node) = open.pop() {
        open.extend(tree.children(node).iter().rev());
        let Some(kind) = tree.kind(node).filter(|kind| kind.is_branch()) else { continue };
        found.push((tree.path(node).unwrap_or_default(), kind, tree.type_name(node)));
    }
    if found.len() < 2 {
        return;
    }
    lines.push(format!("branches: {}", found.len()));
    let rows = found.iter().map(|(path, kind, type_name)| {
        let path = quoted_path(path);
        let name = type_name.filter(|_| kind.is_typed()).map(|name| format!("of the type {}", quoted(name)));
        [path, kind.name().to_owned(), name.unwrap_or_default(), String::new(), String::new()]
    });
    lines.extend(table(rows.collect()));
    let shown = |(path, kind, name): &(Text, Kind, Option<&Text>)| json!({ "path": raw(path), "kind": kind.name(), "type": name.map(raw) });
    json["branches"] = found.iter().map(shown).collect();
}

/// What a checkpoint holds beside its tensors.
fn values(tree: &Params, lines: &mut Vec<String>, json: &mut Value) {
    let shown = |value: &params::Value| match value {
        params::Value::Text(text) => format!("'{}'", quoted(text)),
        params::Value::Int(number) => number.to_string(),
        params::Value::BigInt(digits) => digits.clone(),
        params::Value::Real(number) => number.to_string(),
        params::Value::Complex(re, im) => format!("{re} + {im}i"),
        params::Value::Bool(flag) => flag.to_string(),
        params::Value::Bytes(bytes) => format!("{} bytes", bytes.len()),
        params::Value::Range(range) => format!("from {} before {} in steps of {}", range.first, range.end, range.step),
        params::Value::Reference(to) => {
            format!("what stands at {}", tree.path(*to).map_or_else(String::new, |to| quoted(&to)))
        }
        params::Value::Tensor(tensor) => format!("{} {}", tensor.dtype().name(), shape_text(tensor.shape())),
        other => other.kind().name().to_owned(),
    };
    let leaves = tree.leaves().into_iter();
    let leaves: Vec<_> = leaves.filter_map(|(node, path)| Some((path, tree.value(node)?))).collect();
    let values = leaves.iter().filter(|(_, value)| value.kind() != Kind::NotLoaded);
    let rows: Vec<(String, String)> = values.map(|(path, value)| (raw(path), shown(value))).collect();
    lines.push(format!("values: {}", rows.len()));
    lines.extend(rows.iter().map(|(path, value)| format!("  {} = {value}", quoted_str(path))));
    json["values"] = rows.iter().map(|(path, value)| json!({ "path": path, "value": value })).collect();
}

fn layers(graph: &Graph, kinds: &[&str], lines: &mut Vec<String>, json: &mut Value) {
    let shape = |value: usize| graph.values[value].shape.as_deref();
    let shown = |value: usize| shape(value).map_or("of any shape".into(), lengths_text);
    lines.push(format!("layers: {}", graph.nodes.len()));
    let rows = graph.nodes.iter().map(|node| {
        [quoted_str(&node.name), kinds[node.layer].to_owned(), shown(node.output), String::new(), String::new()]
    });
    lines.extend(table(rows.collect()));
    let port = |port: &Port| json!({ "name": port.name, "dtype": graph.values[port.value].dtype.name(), "shape": shape(port.value) });
    for (word, key, ports) in [("input", "inputs", &graph.inputs), ("output", "outputs", &graph.outputs)] {
        let line = |port: &Port| {
            let (name, dtype) = (quoted_str(&port.name), graph.values[port.value].dtype.name());
            format!("{word}: '{name}' {dtype} {}", shown(port.value))
        };
        lines.extend(ports.iter().map(line));
        json[key] = ports.iter().map(port).collect();
    }
    let layer = graph
        .nodes
        .iter()
        .map(|node| json!({ "name": node.name, "kind": kinds[node.layer], "shape": shape(node.output) }));
    json["layers"] = layer.collect();
}

/// What will run.
fn plan(told: &Told, lines: &mut Vec<String>, json: &mut Value) {
    lines.push(told.to_string());
    let step = |row: &Row| {
        let then = |[kernel, layer]: &[String; 2]| json!({ "kernel": kernel, "layer": layer });
        json!({
            "kernel": row.kernel,
            "layer": row.layer,
            "shape": row.shape,
            "bytes": row.bytes,
            "weight_bytes": row.weight_bytes,
            "of": row.takes,
            "folded": row.folded,
            "then": row.then.iter().map(then).collect::<Vec<_>>(),
            "in_place": row.in_place,
            "within": row.within,
        })
    };
    json["plan"] = json!({
        "precision": told.precision.name(),
        "instruction_set": told.isa.name(),
        "layers": told.layers,
        "steps": told.rows.iter().map(step).collect::<Vec<_>>(),
        "weight_bytes": told.weight_bytes,
        "session_bytes": told.session_bytes,
        "working_bytes": told.working_bytes,
    });
}

fn notes(import: &Import, lines: &mut Vec<String>, json: &mut Value) {
    let notes = import.notes();
    if !notes.is_empty() {
        lines.push(format!("notes: {}", notes.len()));
        lines.extend(notes.iter().map(|(key, value)| format!("  {} = {}", quoted(key), quoted(value))));
    }
    json["notes"] = notes.iter().map(|(key, value)| json!({ "key": raw(key), "value": raw(value) })).collect();
}

/// Columns side by side, indented; a name beyond [`WIDEST`] pushes its own row alone.
fn table(rows: Vec<[String; 5]>) -> impl Iterator<Item = String> {
    let width = |column: usize| {
        let longest = rows.iter().map(|row| row[column].chars().count()).max();
        longest.unwrap_or(0).min(WIDEST)
    };
    let widths: [usize; 5] = std::array::from_fn(width);
    rows.into_iter().map(move |row| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("  {cell:width$}"));
        cells.collect::<String>().trim_end().to_owned()
    })
}

/// Text of a file for a program: as it is, quoted only where it is no UTF-8.
fn raw(text: &Text) -> String {
    text.as_str().map_or_else(|| quoted(text), str::to_owned)
}
