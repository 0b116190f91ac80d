//! The settings of Mocha's layers, read by name and type: what all the rows of `table` share.
//!
//! Things that Mocha makes by a constructor are written as text, with or without module and parentheses (`Max`,
//! `Pooling.Max()`, `Neurons.ReLU(0.25)`), or as a list of the name and its numbers (`["ReLU", 0.25]`).

pub(super) mod computation;
pub(super) mod data;
pub(super) mod loss;
pub(super) mod sink;
pub(super) mod utility;

use super::kind::{Divisor, Initial, Neuron, Numbers, Pool};
use crate::describe::args::Args;
use crate::describe::words::number;
use crate::describe::{LONGEST, Value};

/// A layer's settings being read.
pub(super) struct Reader<'a> {
    pub(super) args: Args<'a>,
    /// What a bias begins with.
    pub(super) bias: Initial,
    /// What a weight or filter begins with.
    pub(super) weight: Initial,
}

/// Numbers of a description in lists within lists, at most so many axes.
const MOST_AXES: usize = 8;

impl<'a> Reader<'a> {
    pub(super) fn new(args: Args<'a>) -> Reader<'a> {
        Reader { args, bias: Initial::Constant(0.0), weight: Initial::Drawn }
    }

    /// A thing made by one of some constructors, with its numbers; the first by default.
    pub(super) fn made(&mut self, key: &'static str, names: &[&'static str]) -> (&'static str, Vec<f64>) {
        let first = names.first().copied().unwrap_or_default();
        let Some(attribute) = self.args.get(key) else { return (first, Vec::new()) };
        let known = call(&attribute.value).and_then(|(name, numbers)| {
            let name = names.iter().copied().find(|known| *known == name)?;
            Some((name, numbers))
        });
        known.unwrap_or_else(|| {
            self.args.wrong(key, &format!("wants one of {}", names.join(", ")));
            (first, Vec::new())
        })
    }

    /// The function that follows a layer.
    pub(super) fn neuron(&mut self) -> Neuron {
        let names = ["Identity", "ReLU", "LReLU", "Sigmoid", "Tanh", "Exponential"];
        let (name, numbers) = self.made("neuron", &names);
        match (name, numbers.as_slice()) {
            ("ReLU", []) => Neuron::Relu(0.0),
            ("ReLU", [epsilon]) => Neuron::Relu(*epsilon),
            ("LReLU", []) => Neuron::LRelu,
            ("Sigmoid", []) => Neuron::Sigmoid,
            ("Tanh", []) => Neuron::Tanh,
            ("Exponential", []) => Neuron::Exponential,
            ("Identity", []) => Neuron::Identity,
            _ => {
                self.args.wrong("neuron", "has more numbers than it takes");
                Neuron::Identity
            }
        }
    }

    /// What is taken of a window.
    pub(super) fn pool(&mut self) -> Pool {
        let (name, _) = self.made("pooling", &["Max", "Mean"]);
        let divisor = match self.args.word("divisor", &["window", "padded", "inside"]) {
            "padded" => Divisor::Padded,
            "inside" => Divisor::Inside,
            _ => Divisor::Window,
        };
        let columns = self.args.word("scan", &["rows", "columns"]) == "columns";
        let ignore_nan = self.args.flag("ignore_nan", false);
        match name {
            "Mean" => Pool::Mean(divisor),
            _ => Pool::Max { columns, ignore_nan },
        }
    }

    /// Two whole numbers that Mocha writes (width, height), as `[height, width]`.
    pub(super) fn pair(&mut self, key: &'static str, least: usize, default: usize) -> [usize; 2] {
        let given = self.args.each(key, 2, least);
        match given.as_deref() {
            Some(&[width, height]) => [height, width],
            _ => [default; 2],
        }
    }

    /// An axis as Mocha counts it.
    pub(super) fn dim(&mut self, key: &'static str, default: i64) -> i64 {
        let dim = self.args.whole(key, Some(default));
        if dim == 0 || dim.abs() > MOST_AXES as i64 {
            self.args.wrong(key, "wants an axis, counted from 1, or from the end with -1");
        }
        dim
    }

    /// What training alone needs of parameters: read for their form, and what a missing bias begins with.
    pub(super) fn parameters(&mut self, weight: &[&'static str; 4], bias: bool) {
        let [init, regu, cons, lr] = *weight;
        if !init.is_empty() {
            self.weight = self.initial(init, "Xavier").unwrap_or(Initial::Drawn);
            self.training(regu, cons, lr);
        }
        if bias {
            self.bias = self.initial("bias_init", "Constant").unwrap_or(Initial::Constant(0.0));
            self.training("bias_regu", "bias_cons", "bias_lr");
        }
    }

    fn initial(&mut self, key: &'static str, first: &'static str) -> Option<Initial> {
        let mut names = vec![first];
        names.extend(["Constant", "Xavier", "Gaussian", "Orthogonal", "Null"].iter().filter(|name| **name != first));
        self.args.has(key).then(|| match self.made(key, &names) {
            ("Constant", numbers) => Initial::Constant(numbers.first().copied().unwrap_or(0.0)),
            _ => Initial::Drawn,
        })
    }

    fn training(&mut self, regu: &'static str, cons: &'static str, lr: &'static str) {
        self.made(regu, &["NoRegu", "L2Regu", "L1Regu"]);
        self.made(cons, &["NoCons", "L2Cons"]);
        self.args.real(lr, Some(1.0));
    }

    /// Numbers in lists within lists, the outermost the slowest axis.
    pub(super) fn numbers(&mut self, key: &'static str) -> Option<Numbers> {
        let attribute = self.args.get(key)?;
        if matches!(&attribute.value, Value::List(list) if list.is_empty()) {
            return None;
        }
        let mut read = Numbers { shape: Vec::new(), numbers: Vec::new() };
        match gathered(&attribute.value, 0, &mut read) {
            true if !read.shape.is_empty() => Some(read),
            _ => {
                self.args.wrong(key, "wants numbers in lists of equal lengths");
                None
            }
        }
    }

    /// Texts, one or a list.
    pub(super) fn texts(&mut self, key: &'static str) -> Vec<String> {
        let Some(attribute) = self.args.get(key) else { return Vec::new() };
        let texts = match &attribute.value {
            Value::Text(text) => Some(vec![text.clone()]),
            Value::List(list) => list.iter().map(|item| text(item).map(str::to_owned)).collect(),
            _ => None,
        };
        texts.unwrap_or_else(|| {
            self.args.wrong(key, "wants a text or a list of texts");
            Vec::new()
        })
    }

    /// A text that must be there.
    pub(super) fn text(&mut self, key: &'static str) -> String {
        match self.texts(key).as_slice() {
            [one] => one.clone(),
            _ => {
                self.args.wrong(key, "wants a text");
                String::new()
            }
        }
    }

    /// A number above 0 that must be there.
    pub(super) fn above_nought(&mut self, key: &'static str) -> f64 {
        let number = self.args.real(key, None);
        if number.is_nan() || number <= 0.0 {
            self.args.wrong(key, "wants a number above 0");
        }
        number
    }

    /// A share between 0 and 1.
    pub(super) fn ratio(&mut self) -> f64 {
        let ratio = self.args.real("ratio", Some(0.5));
        if !(ratio > 0.0 && ratio < 1.0) {
            self.args.wrong("ratio", "wants a number between 0 and 1");
        }
        ratio
    }

    /// Lengths from 1 as Mocha writes them, fastest first; here slowest first.
    pub(super) fn shape(&mut self, key: &'static str) -> Vec<usize> {
        let mut shape = self.args.shape(key);
        shape.reverse();
        if shape.len() > MOST_AXES || crate::tensor::count(&shape).is_none_or(|count| count > LONGEST as usize) {
            self.args.wrong(key, "is larger than any blob");
        }
        shape
    }
}

/// The text of a value.
pub(super) fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// The name and the numbers of a constructor's call.
pub(super) fn call(value: &Value) -> Option<(String, Vec<f64>)> {
    let (head, numbers) = match value {
        Value::List(list) => {
            let (name, numbers) = list.split_first()?;
            (text(name)?, numbers.iter().map(number).collect::<Option<_>>()?)
        }
        Value::Text(text) => match text.split_once('(') {
            None => (text.as_str(), Vec::new()),
            Some((head, rest)) => {
                let inner = rest.strip_suffix(')')?.trim();
                let parts = inner.split(',').filter(|_| !inner.is_empty());
                (head, parts.map(|part| part.trim().parse().ok()).collect::<Option<_>>()?)
            }
        },
        _ => return None,
    };
    let name = head.rsplit('.').next().unwrap_or(head).trim_start_matches(':');
    Some((name.to_owned(), numbers))
}

fn gathered(value: &Value, depth: usize, to: &mut Numbers) -> bool {
    match value {
        Value::List(list) if depth < MOST_AXES && !list.is_empty() => {
            match to.shape.get(depth) {
                None if to.numbers.is_empty() => to.shape.push(list.len()),
                Some(length) if *length == list.len() => {}
                _ => return false,
            }
            list.iter().all(|item| gathered(item, depth + 1, to))
        }
        value => number(value).filter(|_| depth == to.shape.len()).map(|number| to.numbers.push(number)).is_some(),
    }
}
