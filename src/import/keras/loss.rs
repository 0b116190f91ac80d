//! The loss a model was compiled with, and the activation at its end that a loss takes over.

use super::{layer, model::Model};
use crate::{
    faults::{Code, Fault, Faults, quoted_str},
    formats::json::Json,
    import::loss::activation,
};

/// A loss as the file says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Loss<'a> {
    /// One the library has a word for.
    Known {
        /// The word.
        word: &'static str,
        /// Whether it takes what an activation has not been applied to.
        from_logits: bool,
    },
    /// Another, by its name.
    Other(&'a str),
}

/// The loss in the settings a model was compiled with; none if it was not compiled, or for several outputs.
pub(super) fn compiled(settings: &Json) -> Option<Loss<'_>> {
    let mut said = settings.get("loss").filter(|said| !said.is_null())?;
    // One output may have its loss in a list of one.
    while let Json::List(items) = said {
        let [one] = &items[..] else { return None };
        said = one;
    }
    let config = said.get("config");
    let name = said
        .text()
        .or_else(|| said.get("class_name").and_then(Json::text).filter(|class| *class != "function"))
        .or_else(|| config.and_then(Json::text))?;
    let setting = |key: &str| config.and_then(|config| config.get(key));
    let from_logits = setting("from_logits") == Some(&Json::Bool(true));
    let plain = setting("label_smoothing").and_then(Json::real).unwrap_or(0.0) == 0.0;
    let word = match name {
        "binary_crossentropy" | "BinaryCrossentropy" if plain => "binaryCrossEntropy",
        "categorical_crossentropy" | "CategoricalCrossentropy" if plain => "crossEntropy",
        "sparse_categorical_crossentropy" | "SparseCategoricalCrossentropy" => "crossEntropy",
        "mean_squared_error" | "mse" | "MSE" | "MeanSquaredError" => "meanSquaredError",
        other => return Some(Loss::Other(other)),
    };
    Some(Loss::Known { word, from_logits })
}

/// The last activation of a model: the layer it stands at, and its name.
fn end<'a>(model: &Model<'a>) -> Option<(&'a Json, &'a str)> {
    let mut last = model.last()?;
    while let Some(inner) = Some(last).filter(|last| layer::is_model(last)).and_then(Model::of) {
        last = inner.last()?;
    }
    let config = last.get("config")?;
    let name = match layer::class(last) {
        "Softmax" => "softmax",
        _ => config
            .get("activation")
            .and_then(|said| said.text().or_else(|| said.get("config")?.text()))
            .unwrap_or("linear"),
    };
    Some((last, name))
}

/// What of the model's end the loss takes over.
pub(super) struct Lift {
    /// The word of the loss.
    pub(super) word: &'static str,
    /// Whether the last layer's activation is left out.
    pub(super) activation: bool,
}

/// What is said of a loss: by the file, and by the host.
pub(super) struct Said<'a> {
    /// The settings the model was compiled with.
    pub(super) compiled: Option<&'a Json>,
    /// The loss that the host states instead.
    pub(super) stated: Option<&'static str>,
    /// Whether the loss shall take the last activation over.
    pub(super) lift: bool,
    /// What the faults call the settings.
    pub(super) place: &'static str,
}

/// Holds a loss against the model's end, and says what of it the loss takes over: nothing unless that is asked for. A loss that
/// the host states stands above the file's, and is held against the end only where it takes over.
pub(super) fn held(model: &Model<'_>, said: &Said<'_>, faults: &mut Faults) -> Option<Lift> {
    let Said { compiled: settings, stated, lift, place } = *said;
    if stated.is_some() && !lift {
        return None;
    }
    let mut refuse = |code, what: String, path: &str| {
        faults.push(Fault::new(code, format!("{place}: {what}.")).path(path).place(place));
        None
    };
    let (word, from_logits) = match (stated, settings.and_then(compiled)) {
        (Some(word), _) => (word, None),
        (None, Some(Loss::Known { word, from_logits })) => (word, Some(from_logits)),
        _ if !lift => return None,
        (None, None) => {
            let what = "no loss was kept with the model, and the option `lift_loss` wants one: state it by the option `loss`, or leave \
                        both out";
            return refuse(Code::Absent, what.into(), "loss");
        }
        (None, Some(Loss::Other(name))) => {
            let what =
                format!("the loss '{}' takes no activation over: leave the option `lift_loss` out", quoted_str(name));
            return refuse(Code::Loss, what, "loss");
        }
    };
    let Some((last, end)) = end(model) else {
        if lift {
            let what =
                "the model has several outputs, and a loss takes the end of one over: leave the option `lift_loss` out";
            return refuse(Code::Loss, what.into(), "loss");
        }
        return None;
    };
    let taken = activation(word);
    let odd = matches!(end, "sigmoid" | "softmax");
    let agrees = match (taken, from_logits) {
        (None, _) => true,
        (Some(_), Some(true)) => !odd,
        (Some(taken), Some(false)) if lift => end == taken,
        (Some(taken), _) => !odd || end == taken,
    };
    if !agrees {
        let (name, class) = (layer::name(last), layer::class(last));
        let wanted =
            if from_logits == Some(true) { "nothing, for it takes logits" } else { taken.unwrap_or("nothing") };
        let what = format!(
            "layer '{}' ({}): the model ends in {}, and its loss, {word}, wants {wanted} there: state what is right by the option `loss`",
            quoted_str(name),
            quoted_str(class),
            quoted_str(end),
        );
        return refuse(Code::Loss, what, name);
    }
    lift.then_some(Lift { word, activation: taken == Some(end) })
}
