//! Patterns of nodes, and their matching.

use super::super::constant::Constant;
use crate::formats::onnx::{Data, Graph, Node, Setting, Stored};
use crate::tensor::count;
use std::collections::HashMap;

/// A pattern of a value.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// Any value; the same one wherever the name stands.
    Value(&'static str),
    /// A constant; the same one wherever the name stands.
    Constant(&'static str),
    /// A constant of one number.
    Scalar(&'static str),
    /// The number itself, to a few parts in a thousand: constants are written in singles and in haste.
    Number(f64),
    /// A node of this operator; `Add` and `Mul` in either order.
    Op(&'static str, Vec<Form>),
    /// A reduction that keeps its axes, the same ones wherever one stands.
    Over(&'static str, Box<Form>),
    /// A node along one axis, which is one of these.
    Along(&'static str, Box<Form>, &'static [i64]),
    /// A node whose attributes are these, to a few parts in a thousand.
    With(&'static str, Vec<Form>, &'static [(&'static str, f64)]),
    /// Either of several.
    Either(Vec<Form>),
}

/// What a match has bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    values: HashMap<&'static str, String>,
    /// Axes of its reductions.
    pub(super) axes: Option<Vec<i64>>,
}

impl Bound {
    /// The value that a name of the pattern stands for.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        self.values.get(name).cloned()
    }

    fn bind(&self, name: &'static str, value: &str) -> Option<Bound> {
        match self.values.get(name) {
            Some(bound) => (bound == value).then(|| self.clone()),
            None => {
                let mut more = self.clone();
                more.values.insert(name, value.to_owned());
                Some(more)
            }
        }
    }
}

/// A graph that is searched.
pub(super) struct Seeker<'a> {
    makers: HashMap<&'a str, &'a Node>,
    stored: HashMap<&'a str, &'a Stored>,
    data: &'a Data<'a>,
}

/// Most nodes without effect that are passed over at one place.
const NOISE: usize = 32;

impl<'a> Seeker<'a> {
    pub(super) fn new(graph: &'a Graph, data: &'a Data<'a>) -> Seeker<'a> {
        let made = graph.nodes.iter().flat_map(|node| node.outputs.first().map(|output| (output.as_str(), node)));
        let stored = graph.initialisers.iter().map(|stored| (stored.name.as_str(), stored));
        Seeker { makers: made.collect(), stored: stored.collect(), data }
    }

    /// The node that makes a value.
    pub(super) fn maker(&self, value: &str) -> Option<&'a Node> {
        self.makers.get(value).copied().filter(|node| node.is_own())
    }

    /// The value that this one is, behind nodes that change nothing.
    pub(super) fn through<'v>(&'v self, value: &'v str) -> &'v str {
        let mut value = value;
        for _ in 0..NOISE {
            let Some(node) = self.maker(value) else { break };
            let real = |to: &Setting| matches!(to, Setting::Int(1 | 10 | 11 | 16));
            let nothing = match node.op.as_str() {
                "Identity" | "Dropout" => true,
                "Cast" => node.attributes.iter().any(|attribute| attribute.name == "to" && real(&attribute.setting)),
                _ => false,
            };
            match node.inputs.first() {
                Some(input) if nothing => value = input,
                _ => break,
            }
        }
        value
    }

    /// The tensor that a value is, as it is written.
    fn tensor(&self, value: &str) -> Option<&'a Stored> {
        let value = self.through(value);
        self.stored.get(value).copied().or_else(|| {
            let node = self.maker(value).filter(|node| node.op == "Constant")?;
            node.attributes.iter().find_map(|attribute| match &attribute.setting {
                Setting::Tensor(stored) => Some(&**stored),
                _ => None,
            })
        })
    }

    /// The shape of a constant.
    pub(super) fn shape(&self, value: &str) -> Option<Vec<usize>> {
        let stored = self.tensor(value)?;
        stored.lengths.iter().map(|length| usize::try_from(*length).ok()).collect()
    }

    /// The numbers of a small constant.
    pub(super) fn numbers(&self, value: &str) -> Option<Vec<f64>> {
        /// More are no axes and no bounds.
        const MOST: usize = 16;
        let alone = self.maker(self.through(value)).filter(|node| node.op == "Constant");
        let alone = alone.and_then(|node| node.attributes.first()).and_then(|attribute| match &attribute.setting {
            Setting::Float(number) => Some(vec![f64::from(*number)]),
            Setting::Int(number) => Some(vec![*number as f64]),
            Setting::Ints(numbers) => Some(numbers.iter().map(|number| *number as f64).collect()),
            _ => None,
        });
        alone.or_else(|| {
            let stored = self.tensor(value)?;
            count(&self.shape(value)?).filter(|count| *count <= MOST)?;
            let tensor = self.data.tensor(stored, &mut Default::default()).ok()?;
            Constant::stored(tensor, None).reals()
        })
    }

    /// The one number of a constant.
    pub(super) fn scalar(&self, value: &str) -> Option<f64> {
        match self.numbers(value)?[..] {
            [number] => Some(number),
            _ => None,
        }
    }

    /// Matches a value; gives what it binds beside what is bound already.
    pub(super) fn matches(&self, value: &str, form: &Form, bound: &Bound) -> Option<Bound> {
        let value = self.through(value);
        match form {
            Form::Value(name) => bound.bind(name, value),
            Form::Constant(name) => self.shape(value).and_then(|_| bound.bind(name, value)),
            Form::Scalar(name) => self.scalar(value).and_then(|_| bound.bind(name, value)),
            Form::Number(wanted) => self.scalar(value).filter(|number| near(*number, *wanted)).map(|_| bound.clone()),
            Form::Either(forms) => forms.iter().find_map(|form| self.matches(value, form, bound)),
            Form::Op(op, inputs) => {
                let node = self.maker(value).filter(|node| node.op == *op)?;
                self.all(node, inputs, bound)
            }
            Form::With(op, inputs, wanted) => {
                let node = self.maker(value).filter(|node| node.op == *op)?;
                let has = |(name, wanted): &(&str, f64)| {
                    node.attributes.iter().any(|attribute| match &attribute.setting {
                        Setting::Float(number) => attribute.name == *name && near(f64::from(*number), *wanted),
                        _ => false,
                    })
                };
                if wanted.iter().all(has) { self.all(node, inputs, bound) } else { None }
            }
            Form::Along(op, input, axes) => {
                let node = self.maker(value).filter(|node| node.op == *op)?;
                match self.axes(node)?[..] {
                    [axis] if axes.contains(&axis) => self.matches(node.inputs.first()?, input, bound),
                    _ => None,
                }
            }
            Form::Over(op, input) => {
                let node = self.maker(value).filter(|node| node.op == *op)?;
                let axes = self.axes(node)?;
                let mut more = bound.clone();
                if more.axes.get_or_insert_with(|| axes.clone()) != &axes {
                    return None;
                }
                self.matches(node.inputs.first()?, input, &more)
            }
        }
    }

    fn all(&self, node: &Node, inputs: &[Form], bound: &Bound) -> Option<Bound> {
        let given = |place: usize| node.inputs.get(place).filter(|name| !name.is_empty());
        if node.inputs.iter().filter(|name| !name.is_empty()).count() != inputs.len() {
            return None;
        }
        if let ([first, second], "Add" | "Mul") = (inputs, node.op.as_str()) {
            let (one, other) = (given(0)?, given(1)?);
            let both = |a: &str, b: &str| {
                let bound = self.matches(a, first, bound)?;
                self.matches(b, second, &bound)
            };
            return both(one, other).or_else(|| both(other, one));
        }
        inputs
            .iter()
            .enumerate()
            .try_fold(bound.clone(), |bound, (place, form)| self.matches(given(place)?, form, &bound))
    }

    /// The axes that a node names, but of a reduction that does not keep them.
    fn axes(&self, node: &Node) -> Option<Vec<i64>> {
        let attribute = |name: &str| {
            node.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &attribute.setting)
        };
        if matches!(attribute("keepdims"), Some(Setting::Int(0))) {
            return None;
        }
        match (attribute("axes"), node.inputs.get(1)) {
            (Some(Setting::Ints(axes)), _) => Some(axes.clone()),
            (None, Some(axes)) => Some(self.numbers(axes)?.into_iter().map(|axis| axis as i64).collect()),
            _ => None,
        }
    }
}

fn near(number: f64, wanted: f64) -> bool {
    (number - wanted).abs() <= 2e-3 * wanted.abs()
}
