//! What Keras's `model.summary()` tells of a model.

use super::{
    flow::Flow,
    layer,
    variables::{Scope, Variables},
};
use crate::formats::json::Json;

/// A model as `model.summary()` lays it out.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The name of the model.
    pub name: String,
    /// A line for each layer of the model; models within it are one line each.
    pub lines: Vec<Line>,
    /// Whether the layers are connected otherwise than one after another.
    pub connected: bool,
    /// How many numbers are trained, and how many are not.
    pub counts: [u64; 2],
}

/// Variables that training moves otherwise than by a gradient, or not at all.
const STILL: [&str; 6] = ["moving_mean", "moving_variance", "mean", "variance", "count", "vector_u"];

/// A layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: String,
    /// Lengths of what it makes, in Keras's order, the batch left out; none where that could not be told.
    pub shape: Option<Vec<Option<usize>>>,
    /// How many numbers it has, trained and not.
    pub counts: [u64; 2],
    /// The layers whose values it takes, where they are said.
    pub from: Vec<String>,
}

impl Line {
    pub(super) fn of(
        held: &Json,
        made: Option<&Flow>,
        scope: &Scope<'_>,
        from: Vec<String>,
        (variables, names): (&Variables, &[Option<String>]),
    ) -> Line {
        let fixed = held.get("config").and_then(|config| config.get("trainable")) == Some(&Json::Bool(false));
        let mut counts = [0u64; 2];
        for number in scope.within() {
            let Some(variable) = variables.all.get(number) else { continue };
            let name = names.get(number).and_then(|name| name.as_deref()?.rsplit('.').next()).unwrap_or(&variable.key);
            let count = crate::tensor::count(variable.shape()).unwrap_or(0) as u64;
            let [trained, still] = &mut counts;
            let counted = if fixed || STILL.contains(&name) { still } else { trained };
            *counted = counted.saturating_add(count);
        }
        Line {
            name: layer::name(held).to_owned(),
            class: layer::class(held).to_owned(),
            shape: made.map(|flow| flow.lengths().to_vec()),
            counts,
            from,
        }
    }
}
