//! Adaptive pools to one place that were written out over images of one axis.

use super::super::flow::Flow;
use super::form::{Bound, Form};
use super::{Lift, Lifted, Made};
use Form::{Along, Over, Value};

pub(super) const LIFTS: &[Lift] = &[
    Lift {
        last: &["Squeeze"],
        forms: || framed("ReduceMean"),
        made: |bound, _| global(bound, "GlobalAveragePool"),
        fits: of_one_axis,
    },
    Lift {
        last: &["Squeeze"],
        forms: || framed("ReduceMax"),
        made: |bound, _| global(bound, "GlobalMaxPool"),
        fits: of_one_axis,
    },
];

/// A reduction within the frame of an axis that is put in and taken out again.
fn framed(reduction: &'static str) -> Vec<Form> {
    const SECOND: &[i64] = &[2, -2];
    let wider = Along("Unsqueeze", Box::new(Value("x")), SECOND);
    vec![Along("Squeeze", Box::new(Over(reduction, Box::new(wider))), SECOND)]
}

/// The reduction goes over both window axes of the four that there are within the frame.
fn global(bound: &Bound, op: &'static str) -> Option<Made> {
    let counted = |axis: &i64| if *axis < 0 { axis.saturating_add(4) } else { *axis };
    let axes: Vec<i64> = bound.axes.as_deref()?.iter().map(counted).collect();
    matches!(axes[..], [2, 3] | [3, 2]).then_some(())?;
    Some(Made { op, inputs: vec![bound.value("x")?], attributes: Vec::new(), features: None })
}

/// The value has the batch, channels and one window axis.
fn of_one_axis(_: &Lifted, flow: &Flow) -> bool {
    flow.rank() == 3 && flow.each() == 2
}
