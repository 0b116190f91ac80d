//! A description into JSON: two spaces, LF, keys in a fixed order, numbers in their shortest form.

use crate::describe::{Description, Form, Layer, Value};
use crate::tensor::DType;
use serde_json::{Map, Value as Json, json};

/// The description as text; [`super::parse`] makes the same description of it.
pub fn print(description: &Description) -> String {
    let mut root = Map::new();
    let (key, form) = match description.form {
        Form::Stack => ("kind", "stack"),
        Form::Graph => ("kind", "graph"),
        Form::Code => ("kind", "code"),
        Form::Torch => ("style", "torch"),
        Form::Mocha => ("style", "mocha"),
    };
    root.insert(key.into(), json!(form));
    if !description.inputs.is_empty() {
        let inputs = description.inputs.iter().map(|input| {
            let mut object = Map::new();
            object.insert("name".into(), json!(input.name));
            if let Some(shape) = &input.shape {
                object.insert("shape".into(), json!(shape));
            }
            if input.dtype != DType::F32 {
                object.insert("dtype".into(), json!(input.dtype.name()));
            }
            Json::Object(object)
        });
        root.insert("inputs".into(), inputs.collect());
    }
    let layers: Json = match description.form {
        Form::Stack => stack(&mut &description.layers[..], ""),
        Form::Graph | Form::Code => description.layers.iter().map(|layer| one(layer, Some(&layer.name))).collect(),
        Form::Torch => description.layers.iter().map(torch).collect(),
        Form::Mocha => description.layers.iter().map(mocha).collect(),
    };
    root.insert("layers".into(), layers);
    if !description.outputs.is_empty() {
        let outputs = description.outputs.iter().map(|output| json!({ "name": output.name, "from": output.from }));
        root.insert("outputs".into(), outputs.collect());
    }
    format!("{:#}\n", Json::Object(root))
}

/// The layers whose names stand behind `before`, as many as follow one another. A name that is not the layer's place is
/// written; layers of inner stacks go into those, down to a depth no reader minds.
fn stack(layers: &mut &[Layer], before: &str) -> Json {
    const DEEPEST: usize = 16;
    let nests = before.matches('.').count() < DEEPEST;
    let mut made = Vec::new();
    while let Some((layer, rest)) = layers.split_first() {
        let place = format!("{before}{}", made.len());
        let inner = format!("{place}.");
        if nests && layer.name.starts_with(&inner) {
            made.push(json!({ "kind": "stack", "layers": stack(layers, &inner) }));
        } else if layer.name == place && layer.kind != "stack" {
            made.push(one(layer, None));
            *layers = rest;
        } else if before.is_empty() || layer.name.starts_with(before) {
            made.push(one(layer, Some(&layer.name)));
            *layers = rest;
        } else {
            break;
        }
    }
    Json::Array(made)
}

fn one(layer: &Layer, name: Option<&str>) -> Json {
    let mut object = Map::new();
    object.insert("kind".into(), json!(layer.kind));
    if let Some(name) = name {
        object.insert("name".into(), json!(name));
    }
    if let Some(slots) = &layer.slots {
        object.insert("slots".into(), json!(slots));
    }
    if !layer.from.is_empty() {
        object.insert("from".into(), json!(layer.from));
    }
    object.extend(layer.attributes.iter().map(|attribute| (attribute.key.clone(), value(&attribute.value))));
    Json::Object(object)
}

fn mocha(layer: &Layer) -> Json {
    let mut object = Map::new();
    object.insert("kind".into(), json!(layer.kind));
    if !layer.name.is_empty() {
        object.insert("name".into(), json!(layer.name));
    }
    if let Some(key) = &layer.slots {
        object.insert("param_key".into(), json!(key));
    }
    if !layer.from.is_empty() {
        object.insert("bottoms".into(), json!(layer.from));
    }
    object.extend(layer.attributes.iter().map(|attribute| (attribute.key.clone(), value(&attribute.value))));
    Json::Object(object)
}

fn torch(layer: &Layer) -> Json {
    let mut object = Map::new();
    object.insert("id".into(), json!(layer.name));
    object.insert("kind".into(), json!(layer.kind));
    if let Some(module) = &layer.slots {
        object.insert("module".into(), json!(module));
    }
    let (tied, arguments): (Vec<_>, Vec<_>) = layer.attributes.iter().partition(|attribute| attribute.key == "tied");
    if !arguments.is_empty() {
        let arguments = arguments.iter().map(|attribute| (attribute.key.clone(), value(&attribute.value)));
        object.insert("args".into(), Json::Object(arguments.collect()));
    }
    for attribute in tied {
        let Value::List(pairs) = &attribute.value else { continue };
        let pairs = pairs.iter().filter_map(|pair| match pair {
            Value::List(pair) => match &pair[..] {
                [Value::Text(slot), path] => Some((slot.clone(), value(path))),
                _ => None,
            },
            _ => None,
        });
        object.insert("tied".into(), Json::Object(pairs.collect()));
    }
    if !layer.from.is_empty() {
        object.insert("inputs".into(), json!(layer.from));
    }
    Json::Object(object)
}

fn value(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Int(number) => json!(number),
        Value::Real(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::List(list) => list.iter().map(self::value).collect(),
    }
}
