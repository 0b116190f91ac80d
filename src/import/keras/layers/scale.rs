//! Numbers shifted and scaled before the network proper.

use super::{
    Row,
    function::{binary, constant, power},
    passes,
};
use crate::{
    describe::{Binary, Op, Unary, lowering::plain},
    faults::Code,
    import::keras::{
        call::{Call, Var},
        flow::Flow,
    },
    network::Turn,
};

pub(super) const ROWS: &[Row] = &[passes("Rescaling", rescaling), passes("Normalization", normalization)];

/// Keras's smallest deviation.
const EPSILON: f64 = 1e-7;

/// `x·scale + offset`.
fn rescaling(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let scale = call.settings.reals("scale").unwrap_or_else(|| vec![1.0]);
    let offset = call.settings.reals("offset").unwrap_or_else(|| vec![0.0]);
    call.settings.ignore(&["data_format"]);
    call.done()?;
    let flow = call.input()?;
    if let (&[scale], &[offset]) = (&scale[..], &offset[..]) {
        return call.keep(&power(1.0, scale, offset), &flow);
    }
    if scale.is_empty() || offset.is_empty() {
        return call.refuse(Code::Attribute, "its scale and offset are numbers, at least one");
    }
    let flow = call.plain(&flow);
    let factors = constant(call, vec![scale.len()], &scale)?;
    let scaled = binary(call, Binary::Multiply, &flow, &factors)?;
    let addends = constant(call, vec![offset.len()], &offset)?;
    binary(call, Binary::Add, &scaled, &addends)
}

/// `(x − mean) / max(sqrt(variance), 1e-7)`, or the way back.
fn normalization(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let along: Vec<i64> = match call.settings.get("axis") {
        None => Vec::new(),
        Some(_) => call.settings.wholes("axis", &[]),
    };
    let (mean, variance) = (call.settings.reals("mean"), call.settings.reals("variance"));
    let invert = call.settings.flag("invert", false);
    call.done()?;
    let flow = call.input()?;
    let kept = call.axes(&along, flow.rank())?;
    let flow = call.plain(&flow);
    // One number for each place of the axes that are kept, all others shared.
    let (mut shape, mut written) = (vec![1; flow.rank()], Vec::new());
    let of_file = call.shape("mean", 0).unwrap_or_default();
    for (at, &axis) in kept.iter().enumerate() {
        let length = call.length(&flow, axis, of_file.get(at).copied())?;
        written.push(length);
        if let Some(place) = shape.get_mut(axis) {
            *place = length;
        }
    }
    let (mean, deviation) = match (mean, variance) {
        (Some(mean), Some(variance)) => {
            let count = crate::tensor::count(&shape);
            let spread = |numbers: Vec<f64>| match (numbers.len(), written.last()) {
                (1, _) => Some((vec![1; flow.rank()], numbers)),
                (given, _) if Some(given) == count => Some((shape.clone(), numbers)),
                (given, Some(&last)) if given == last => {
                    let mut own = vec![1; flow.rank()];
                    if let Some(place) = kept.last().and_then(|&axis| own.get_mut(axis)) {
                        *place = last;
                    }
                    Some((own, numbers))
                }
                _ => None,
            };
            let deviation = variance.iter().map(|variance| variance.sqrt().max(EPSILON)).collect();
            let (Some(mean), Some(deviation)) = (spread(mean), spread(deviation)) else {
                return call.refuse(Code::LayerShape, "its mean and variance do not fit the axes it keeps");
            };
            (constant(call, mean.0, &mean.1)?, constant(call, deviation.0, &deviation.1)?)
        }
        (None, None) => {
            call.spare("count", 2);
            let mut parameter = |name: &'static str, key: usize| {
                let turn = Turn::new(&written, &shape, (0..shape.len()).collect(), &shape);
                let vars = vec![Var { slot: "value", name, key, turn }];
                call.make_with(&Op::Parameter { shape: shape.clone() }, &[], plain(shape.len()), vars)
            };
            let (mean, variance) = (parameter("mean", 0)?, parameter("variance", 1)?);
            let root = call.keep(&Op::Unary(Unary::Sqrt), &variance)?;
            (mean, call.keep(&Op::Unary(Unary::Clip { min: EPSILON, max: f64::INFINITY }), &root)?)
        }
        _ => return call.refuse(Code::Attribute, "it has one of mean and variance, and wants both"),
    };
    if invert {
        let scaled = binary(call, Binary::Multiply, &flow, &deviation)?;
        return binary(call, Binary::Add, &scaled, &mean);
    }
    let off = binary(call, Binary::Subtract, &flow, &mean)?;
    binary(call, Binary::Divide, &off, &deviation)
}
