//! Normalisations that were written out.

use super::super::flow::Flow;
use super::form::{Bound, Form, Seeker};
use super::{Lift, Lifted, Made};
use crate::formats::onnx::Setting;
use crate::tensor::count;
use Form::{Constant, Either, Number, Op, Over, Scalar, Value};

pub(super) const LIFTS: &[Lift] = &[
    // layer normalisation
    Lift { last: &["Add"], forms: layer, made: layer_norm, fits: over_last },
    // batch normalisation
    Lift { last: &["Add"], forms: batch, made: scale_shift, fits: channel_last },
];

fn op<const N: usize>(name: &'static str, inputs: [Form; N]) -> Form {
    Op(name, inputs.into())
}

fn mean(form: Form) -> Form {
    Over("ReduceMean", Box::new(form))
}

/// `(x − mean)/√(variance + ε)·γ + β`, as PyTorch writes it and as TensorFlow does.
fn layer() -> Vec<Form> {
    let x = || Value("x");
    let less = || op("Sub", [x(), mean(x())]);
    let square = || Either(vec![op("Mul", [less(), less()]), op("Pow", [less(), Number(2.0)])]);
    let spread = || op("Sqrt", [op("Add", [mean(square()), Scalar("epsilon")])]);
    let (gamma, beta) = (|| Constant("gamma"), || Constant("beta"));
    let factor = || Either(vec![op("Mul", [op("Reciprocal", [spread()]), gamma()]), op("Div", [gamma(), spread()])]);
    vec![
        op("Add", [op("Mul", [op("Div", [less(), spread()]), gamma()]), beta()]),
        op("Add", [op("Mul", [op("Mul", [less(), op("Reciprocal", [spread()])]), gamma()]), beta()]),
        op("Add", [op("Mul", [less(), factor()]), beta()]),
        op("Add", [op("Mul", [x(), factor()]), op("Add", [op("Mul", [op("Neg", [mean(x())]), factor()]), beta()])]),
        op("Add", [op("Mul", [x(), factor()]), op("Sub", [beta(), op("Mul", [mean(x()), factor()])])]),
    ]
}

fn layer_norm(bound: &Bound, seeker: &Seeker<'_>) -> Option<Made> {
    let epsilon = seeker.scalar(&bound.value("epsilon")?)? as f32;
    let axis = *bound.axes.as_deref()?.first()?;
    let inputs = vec![bound.value("x")?, bound.value("gamma")?, bound.value("beta")?];
    let attributes = vec![("axis", Setting::Int(axis)), ("epsilon", Setting::Float(epsilon))];
    let features = same_count(&["gamma", "beta"], bound, seeker)?;
    Some(Made { op: "LayerNormalization", inputs, attributes, features: Some(features) })
}

/// How many numbers each of several constants has, if that is the same.
fn same_count(names: &[&str], bound: &Bound, seeker: &Seeker<'_>) -> Option<usize> {
    let mut counts = names.iter().map(|name| count(&seeker.shape(&bound.value(name)?)?));
    let first = counts.next()??;
    counts.all(|other| other == Some(first)).then_some(first)
}

/// The axes, in order, are the last ones of the value.
fn over_last(lifted: &Lifted, flow: &Flow) -> bool {
    let rank = i64::try_from(flow.rank()).unwrap_or(0);
    let axes = lifted.axes.as_deref().unwrap_or_default();
    let from_front = axes.iter().map(|axis| if *axis < 0 { axis.saturating_add(rank) } else { *axis });
    let first = rank - i64::try_from(axes.len()).unwrap_or(0);
    let lengths = flow.lengths();
    let last = lengths.get(lengths.len().saturating_sub(axes.len())..).unwrap_or_default();
    let known = last.iter().copied().collect::<Option<Vec<usize>>>();
    first > 0 && from_front.eq(first..rank) && known.is_none_or(|known| count(&known) == lifted.features)
}

/// `x·s + b` and `(x − m)·s + b`, all constants with a number for each place of one axis.
fn batch() -> Vec<Form> {
    let (x, scale, shift) = (|| Value("x"), || Constant("scale"), || Constant("shift"));
    let less = op("Sub", [x(), Constant("mean")]);
    vec![op("Add", [op("Mul", [less, scale()]), shift()]), op("Add", [op("Mul", [x(), scale()]), shift()])]
}

fn scale_shift(bound: &Bound, seeker: &Seeker<'_>) -> Option<Made> {
    let names = ["scale", "shift", "mean"].into_iter().filter_map(|name| bound.value(name));
    let names: Vec<String> = names.collect();
    let shapes = names.iter().map(|name| seeker.shape(name)).collect::<Option<Vec<_>>>()?;
    let features = |shape: &Vec<usize>| {
        let mut long = shape.iter().enumerate().filter(|(_, length)| **length != 1);
        let (axis, length) = long.next()?;
        long.next().is_none().then_some((shape.len() - axis, *length))
    };
    let mut all = shapes.iter().map(features);
    let first = all.next()??;
    all.all(|other| other == Some(first)).then_some(())?;
    let from_end = i64::try_from(first.0).ok()?;
    let inputs = [bound.value("x")?].into_iter().chain(names).collect();
    let attributes = vec![("axis", Setting::Int(-from_end))];
    Some(Made { op: "ScaleShift", inputs, attributes, features: Some(first.1) })
}

/// The axis of the numbers lies last.
fn channel_last(lifted: &Lifted, flow: &Flow) -> bool {
    let axis = lifted.node.attributes.iter().find_map(|attribute| match attribute.setting {
        Setting::Int(axis) => Some(axis),
        _ => None,
    });
    let rank = i64::try_from(flow.each()).unwrap_or(0);
    let axis = axis.map(|axis| axis + rank).and_then(|axis| usize::try_from(axis).ok());
    let axes = flow.axes();
    let fits = axis.and_then(|axis| axes.length(axis)).is_none_or(|length| Some(length) == lifted.features);
    axis.is_some() && fits && axes.order.last().copied() == axis && axis >= Some(flow.merged)
}
