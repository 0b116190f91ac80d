//! Normalisations.

use super::{
    Row,
    function::{binary, power},
    passes,
};
use crate::{
    describe::{Binary, Op, ReduceKind, Unary},
    faults::Code,
    import::keras::{
        call::{Call, Var},
        flow::Flow,
    },
    network::Turn,
};

pub(super) const ROWS: &[Row] = &[
    passes("BatchNormalization", batch),
    passes("SyncBatchNormalization", batch),
    passes("LayerNormalization", layer),
    passes("GroupNormalization", group).beside(0),
    passes("UnitNormalization", unit),
    passes("RMSNormalization", rms),
];

/// Further statistics of a batch normalisation of Keras 2, which training alone reads.
pub(in crate::import::keras) const RENORM: [&str; 3] = ["moving_stddev", "renorm_mean", "renorm_stddev"];

/// A variable of one number for each of `features`.
fn each(slot: &'static str, name: &'static str, key: usize, features: usize) -> Var {
    Var { slot, name, key, turn: Turn::none(&[features]) }
}

/// A variable that a layer may have: its name and where it stands among them.
type Optional = Option<(&'static str, usize)>;

/// Multiplies by `gamma` and adds `beta`, whichever there are, along the axes that lie last.
fn affine(
    call: &mut Call<'_, '_, '_>,
    mut flow: Flow,
    shape: &[usize],
    written: &[usize],
    (scale, center): (Optional, Optional),
) -> Option<Flow> {
    let turn = || Turn::new(written, shape, (0..shape.len()).collect(), shape);
    if let Some((name, key)) = scale {
        let vars = vec![Var { slot: "gamma", name, key, turn: turn() }];
        flow = call.keep_with(&Op::Scale { shape: shape.to_vec() }, &flow, vars)?;
    }
    if let Some((name, key)) = center {
        let vars = vec![Var { slot: "table", name, key, turn: turn() }];
        flow = call.keep_with(&Op::PositionTable { shape: shape.to_vec() }, &flow, vars)?;
    }
    Some(flow)
}

/// Where `gamma` and `beta` stand among the variables.
fn keys(scale: bool, center: bool) -> (Optional, Optional) {
    (scale.then_some(("gamma", 0)), center.then_some(("beta", usize::from(scale))))
}

/// The one axis a layer works along, moved last, and its length.
fn channel(call: &mut Call<'_, '_, '_>, axes: &[i64], variable: Option<usize>) -> Option<(Flow, usize)> {
    let flow = call.input()?;
    let axes = call.axes(axes, flow.rank())?;
    let &[axis] = &axes[..] else {
        return call.unsupported("it normalises along several axes at once, which is not read: use one");
    };
    let features = call.length(&flow, axis, variable)?;
    Some((call.last(&flow, &[axis]), features))
}

fn batch(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axes = call.settings.wholes("axis", &[-1]);
    let epsilon = call.settings.real("epsilon", 1e-3);
    let momentum = 1.0 - call.settings.real("momentum", 0.99);
    let (center, scale) = (call.settings.flag("center", true), call.settings.flag("scale", true));
    let renorm = call.settings.flag("renorm", false);
    call.settings.ignore(&["renorm_clipping", "renorm_momentum", "fused"]);
    call.done()?;
    let (gamma, beta) = keys(scale, center);
    let first = usize::from(scale) + usize::from(center);
    let of_file = call.shape("moving_mean", first).and_then(|shape| shape.first().copied());
    let (flow, features) = channel(call, &axes, of_file)?;
    if renorm {
        for (at, name) in RENORM.into_iter().enumerate() {
            call.spare(name, first + 2 + at);
        }
    }
    let both = scale && center;
    let mut vars = Vec::new();
    if both {
        vars.extend([each("weight", "gamma", 0, features), each("bias", "beta", 1, features)]);
    }
    vars.push(each("running_mean", "moving_mean", first, features));
    vars.push(each("running_var", "moving_variance", first + 1, features));
    let made = call.keep_with(&Op::BatchNorm { features, epsilon, momentum, affine: both }, &flow, vars)?;
    if both { Some(made) } else { affine(call, made, &[features], &[features], (gamma, beta)) }
}

fn layer(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axes = call.settings.wholes("axis", &[-1]);
    let epsilon = call.settings.real("epsilon", 1e-3);
    let (center, scale) = (call.settings.flag("center", true), call.settings.flag("scale", true));
    let by_root = call.settings.flag("rms_scaling", false);
    call.done()?;
    let flow = call.input()?;
    let (gamma, beta) = keys(scale, center && !by_root);
    let (flow, shape, written) = over(call, &flow, &axes, ("gamma", "beta"))?;
    if by_root {
        // Keras divides by the root of the variance, and leaves the mean where it is.
        let across: Vec<i64> = (flow.rank() - shape.len()..flow.rank()).map(|place| place as i64 + 1).collect();
        let mean = Op::Reduce { kind: ReduceKind::Mean, axes: across.clone(), keep: true };
        let middle = call.make(&mean, &[&flow], flow.order())?;
        let off = binary(call, Binary::Subtract, &flow, &middle)?;
        let square = call.keep(&power(2.0, 1.0, 0.0), &off)?;
        let variance = call.make(&mean, &[&square], flow.order())?;
        let inverse = call.keep(&power(-0.5, 1.0, epsilon), &variance)?;
        let made = binary(call, Binary::Multiply, &flow, &inverse)?;
        return affine(call, made, &shape, &written, (gamma, None));
    }
    let turn = || Turn::new(&written, &shape, (0..shape.len()).collect(), &shape);
    let mut vars = Vec::new();
    vars.extend(gamma.map(|(name, key)| Var { slot: "weight", name, key, turn: turn() }));
    vars.extend(beta.map(|(name, key)| Var { slot: "bias", name, key, turn: turn() }));
    let op = Op::LayerNorm { shape: shape.clone(), epsilon, weight: scale, bias: center };
    call.keep_with(&op, &flow, vars)
}

/// The value with the axes a layer normalises over last, their lengths, and the shape its variables have in the file: in the
/// order the layer names the axes in.
fn over(
    call: &mut Call<'_, '_, '_>,
    flow: &Flow,
    axes: &[i64],
    (first, second): (&str, &str),
) -> Option<(Flow, Vec<usize>, Vec<usize>)> {
    let ascending = call.axes(axes, flow.rank())?;
    let of_file = call.shape(first, 0).or_else(|| call.shape(second, 0)).unwrap_or_default();
    let mut shape = Vec::new();
    for (at, &axis) in ascending.iter().enumerate() {
        let known = of_file.get(at).copied().filter(|_| of_file.len() == ascending.len());
        shape.push(call.length(flow, axis, known)?);
    }
    let mut written = Vec::new();
    for &axis in axes {
        let axis = call.axis(axis, flow.rank())?;
        written.extend(ascending.iter().position(|&other| other == axis).and_then(|at| shape.get(at)).copied());
    }
    if written.len() != shape.len() || shape.is_empty() {
        return call.refuse(Code::Attribute, "its axis names at least one axis, and each once");
    }
    Some((call.last(flow, &ascending), shape, written))
}

fn group(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axes = call.settings.wholes("axis", &[-1]);
    let epsilon = call.settings.real("epsilon", 1e-3);
    let (center, scale) = (call.settings.flag("center", true), call.settings.flag("scale", true));
    let groups = call.settings.wholes("groups", &[32]);
    call.done()?;
    let (gamma, beta) = keys(scale, center);
    let of_file = call.shape(if scale { "gamma" } else { "beta" }, 0).and_then(|shape| shape.first().copied());
    let (flow, features) = channel(call, &axes, of_file)?;
    // -1: as many groups as channels.
    let groups = match groups[..] {
        [-1] => features,
        [groups] => usize::try_from(groups).unwrap_or(0),
        _ => 0,
    };
    if groups == 0 || features % groups != 0 {
        return call.refuse(Code::Attribute, &format!("its groups do not divide the {features} channels"));
    }
    let both = scale && center;
    let vars = match both {
        true => vec![each("weight", "gamma", 0, features), each("bias", "beta", 1, features)],
        false => Vec::new(),
    };
    let made = call.keep_with(&Op::GroupNorm { groups, features, epsilon, affine: both }, &flow, vars)?;
    if both { Some(made) } else { affine(call, made, &[features], &[features], (gamma, beta)) }
}

fn unit(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    unit_of(call, 1e-12)
}

/// `x / max(length, epsilon)`, the length that over all its axes at once.
pub(super) fn unit_of(call: &mut Call<'_, '_, '_>, epsilon: f64) -> Option<Flow> {
    let axes = call.settings.wholes("axis", &[-1]);
    call.done()?;
    let flow = call.input()?;
    let axes = call.axes(&axes, flow.rank())?;
    if let &[axis] = &axes[..] {
        let axis = flow.written(axis);
        return call.keep(&Op::L2Normalize { axis, epsilon }, &flow);
    }
    let across = axes.iter().map(|&axis| flow.written(axis)).collect();
    let square = call.keep(&power(2.0, 1.0, 0.0), &flow)?;
    let sum = call.make(&Op::Reduce { kind: ReduceKind::Sum, axes: across, keep: true }, &[&square], flow.order())?;
    let root = call.keep(&Op::Unary(Unary::Sqrt), &sum)?;
    let root = call.keep(&Op::Unary(Unary::Clip { min: epsilon, max: f64::INFINITY }), &root)?;
    binary(call, Binary::Divide, &flow, &root)
}

/// `x / sqrt(mean(x²) + epsilon) · scale`.
fn rms(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let axes = call.settings.wholes("axis", &[-1]);
    let epsilon = call.settings.real("epsilon", 1e-6);
    call.done()?;
    let flow = call.input()?;
    let (flow, shape, written) = over(call, &flow, &axes, ("scale", "scale"))?;
    let across = (flow.rank() - shape.len()..flow.rank()).map(|place| place as i64 + 1).collect();
    let square = call.keep(&power(2.0, 1.0, 0.0), &flow)?;
    let mean = call.make(&Op::Reduce { kind: ReduceKind::Mean, axes: across, keep: true }, &[&square], flow.order())?;
    let inverse = call.keep(&power(-0.5, 1.0, epsilon), &mean)?;
    let made = binary(call, Binary::Multiply, &flow, &inverse)?;
    affine(call, made, &shape, &written, (Some(("scale", 0)), None))
}
