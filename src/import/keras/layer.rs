//! A layer of the file: its class, and the row that knows what it means.

use super::{
    build::{At, Build},
    call::Call,
    flow::Flow,
    layers, model, policy,
};
use crate::{
    faults::{Code, quoted_str},
    formats::json::Json,
};

/// The classes of models.
const MODELS: [&str; 3] = ["Sequential", "Functional", "Model"];

/// Why a layer is not called with what the file states beside its values.
const STATED: &str = "it is called with a number, a flag or a text among its values, which is not read";

/// The class of a layer or model, as the file names it.
pub(super) fn class(layer: &Json) -> &str {
    layer.get("class_name").and_then(Json::text).unwrap_or_default()
}

/// The name of a layer.
pub(super) fn name(layer: &Json) -> &str {
    let within = || layer.get("config").and_then(|config| config.get("name"));
    layer.get("name").or_else(within).and_then(Json::text).unwrap_or_default()
}

/// Whether a layer is a model with layers of its own.
pub(super) fn is_model(layer: &Json) -> bool {
    MODELS.contains(&class(layer)) && layer.get("config").is_some_and(|config| config.get("layers").is_some())
}

/// Whether the model at the top is one whose layers the file says.
pub(super) fn is_known_model(json: &Json) -> bool {
    MODELS.contains(&class(json)) && is_own(json)
}

/// Whether the class of a layer is Keras's own, and not one of the same name from elsewhere.
fn is_own(layer: &Json) -> bool {
    let module = layer.get("module").and_then(Json::text).unwrap_or("keras");
    let registered = layer.get("registered_name").and_then(Json::text).unwrap_or_default();
    let root = module.split('.').next().unwrap_or_default();
    matches!(root, "keras" | "tensorflow" | "tf_keras") && !registered.contains('>')
}

/// Whether it is an operation of `keras.ops` and no layer. A legacy file does not say modules; every layer of it says whether
/// it is trained, no operation does.
fn is_operation(layer: &Json) -> bool {
    match layer.get("module").and_then(Json::text) {
        Some(module) => module.contains(".ops"),
        None => {
            let calls = layer.get("inbound_nodes").map_or(&[][..], Json::items);
            calls.iter().any(|call| call.get("args").is_some())
                && layer.get("config").is_some_and(|config| config.get("trainable").is_none())
        }
    }
}

/// What calling a layer makes.
pub(super) fn call<'a>(build: &mut Build<'a, '_>, layer: &'a Json, at: At<'a>) -> Option<Vec<Flow>> {
    build.afford(&at.path)?;
    let stated = !at.stated.is_empty();
    if is_model(layer) && is_own(layer) {
        if stated {
            build.fault(Code::Unsupported, &at.path, class(layer), STATED);
            return None;
        }
        return model::nested(build, layer, at);
    }
    let row = row(build, layer, &at.path)?;
    let config = layer.get("config").unwrap_or(layer);
    let masked = at.inputs.iter().any(|flow| flow.masked);
    let mut call = Call::new(build, class(layer), config, at);
    if stated && !row.stated {
        return call.unsupported(STATED);
    }
    if let Some(what) = policy::refused(config) {
        return call.unsupported(&what);
    }
    if masked && row.mask == layers::Mask::Read {
        return call.unsupported(
            "a mask reaches it (of an Embedding with mask_zero), which would change its answers and is not read",
        );
    }
    let made = (row.make)(&mut call)?;
    let masked = made.masked || masked && row.mask == layers::Mask::Passed;
    Some(vec![Flow { masked, ..made }])
}

/// Looks at a layer whose input could not be made: its class, and those within it, are told all the same. Gives whether all of
/// them are read.
pub(super) fn look(build: &mut Build<'_, '_>, layer: &Json, path: &str) -> bool {
    if build.afford(path).is_none() {
        return false;
    }
    let config = layer.get("config");
    let (known, within) = match is_model(layer) && is_own(layer) {
        true => (true, config.and_then(|config| config.get("layers")).map_or(&[][..], Json::items)),
        false if class(layer) == "InputLayer" => (true, &[][..]),
        false => {
            let wrapped = config.and_then(|config| config.get("layer"));
            (row(build, layer, path).is_some(), wrapped.map_or(&[][..], std::slice::from_ref))
        }
    };
    let within = if known { within } else { &[] };
    within.iter().fold(known, |all, held| look(build, held, &format!("{path}.{}", name(held))) && all)
}

/// The row of a layer's class; refused by name if there is none.
fn row(build: &mut Build<'_, '_>, layer: &Json, path: &str) -> Option<&'static layers::Row> {
    let class = class(layer);
    let own = is_own(layer);
    let find = if is_operation(layer) { layers::operation::find } else { layers::find };
    if let Some(row) = find(class).filter(|_| own) {
        return Some(row);
    }
    let from = layer.get("registered_name").and_then(Json::text).filter(|name| name.contains('>'));
    let from = from.or_else(|| layer.get("module").and_then(Json::text)).unwrap_or("elsewhere");
    let (code, what) = match class {
        "Lambda" => (
            Code::Hostile,
            "it holds Python code, which is never run: write what it computes with layers of Keras, and save the model anew".to_owned(),
        ),
        "" => (Code::Malformed, "it has no class".to_owned()),
        _ if !own => (
            Code::Unsupported,
            format!(
                "its class is none of Keras's layers ('{}'), and no code of a file's word is looked up: write it with layers of \
                 Keras, or export the model as ONNX",
                quoted_str(from)
            ),
        ),
        _ => (Code::Unsupported, format!("a {} is not read: {}", quoted_str(class), layers::advice(class))),
    };
    build.fault(code, path, class, &what);
    None
}
