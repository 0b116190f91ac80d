//! Products with a matrix, and tables of rows.

use super::{Row, function, passes};
use crate::{
    describe::Op,
    faults::Code,
    import::keras::{
        call::{Call, Var},
        flow::Flow,
    },
    network::Turn,
};

pub(super) const ROWS: &[Row] = &[passes("Dense", dense), passes("Embedding", embedding)];

fn dense(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let outputs = call.settings.length("units");
    let bias = call.settings.flag("use_bias", true);
    let activation = function::setting(call, "activation");
    call.settings.ignore(&["input_dim"]);
    call.done()?;
    let flow = call.input()?;
    let Some(axis) = flow.rank().checked_sub(1).filter(|&axis| axis >= call.at.lead) else {
        return call
            .refuse(Code::LayerShape, "what reaches it has the batch alone, and no axis to take the product over");
    };
    let rows = call.shape("kernel", 0).and_then(|shape| shape.first().copied());
    let inputs = call.length(&flow, axis, rows)?;
    let flow = call.last(&flow, &[axis]);
    let mut vars = vec![Var { slot: "weight", name: "kernel", key: 0, turn: Turn::none(&[inputs, outputs]) }];
    vars.extend(bias.then(|| Var { slot: "bias", name: "bias", key: 1, turn: Turn::none(&[outputs]) }));
    let made = call.make_with(&Op::Dense { inputs, outputs, bias }, &[&flow], flow.order(), vars)?;
    function::apply(call, activation, Flow { masked: flow.masked, ..made })
}

fn embedding(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let (count, features) = (call.settings.length("input_dim"), call.settings.length("output_dim"));
    let masked = call.settings.flag("mask_zero", false);
    call.settings.ignore(&["input_length"]);
    call.done()?;
    let flow = call.single()?;
    // Keras makes whole numbers of whatever it gets; here an input that it reads is one of whole numbers.
    match flow.origin.filter(|_| flow.is_input) {
        Some(origin) => call.build.reads_ids(origin),
        None => {
            return call
                .unsupported("numbers that a layer has made reach it, and whole numbers of an input are wanted");
        }
    }
    let order = [flow.order(), vec![flow.rank()]].concat();
    let turn = Turn::none(&[count, features]);
    let vars = vec![Var { slot: "weight", name: "embeddings", key: 0, turn }];
    let made = call.make_with(&Op::Embedding { count, features }, &[&flow], order, vars)?;
    Some(Flow { masked, ..made })
}
