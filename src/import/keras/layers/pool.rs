//! Pools, over windows and over all places.

use super::{
    Row, drops, reads,
    window::{self, border, image},
};
use crate::{
    describe::{Divisor, Op, PoolKind, ReduceKind},
    import::keras::{call::Call, flow::Flow},
};

pub(super) const ROWS: &[Row] = &[
    drops("MaxPooling1D", |call| pool(call, 1, true)).over(1),
    drops("MaxPooling2D", |call| pool(call, 2, true)).over(2),
    drops("MaxPooling3D", |call| pool(call, 3, true)).over(3),
    drops("MaxPool1D", |call| pool(call, 1, true)).over(1),
    drops("MaxPool2D", |call| pool(call, 2, true)).over(2),
    drops("MaxPool3D", |call| pool(call, 3, true)).over(3),
    drops("AveragePooling1D", |call| pool(call, 1, false)).over(1),
    drops("AveragePooling2D", |call| pool(call, 2, false)).over(2),
    drops("AveragePooling3D", |call| pool(call, 3, false)).over(3),
    drops("AvgPool1D", |call| pool(call, 1, false)).over(1),
    drops("AvgPool2D", |call| pool(call, 2, false)).over(2),
    drops("AvgPool3D", |call| pool(call, 3, false)).over(3),
    drops("GlobalMaxPooling1D", |call| global(call, 1, true)).over(1),
    drops("GlobalMaxPooling2D", |call| global(call, 2, true)).over(2),
    drops("GlobalMaxPooling3D", |call| global(call, 3, true)).over(3),
    drops("GlobalMaxPool1D", |call| global(call, 1, true)).over(1),
    drops("GlobalMaxPool2D", |call| global(call, 2, true)).over(2),
    drops("GlobalMaxPool3D", |call| global(call, 3, true)).over(3),
    reads("GlobalAveragePooling1D", |call| global(call, 1, false)).over(1),
    drops("GlobalAveragePooling2D", |call| global(call, 2, false)).over(2),
    drops("GlobalAveragePooling3D", |call| global(call, 3, false)).over(3),
    reads("GlobalAvgPool1D", |call| global(call, 1, false)).over(1),
    drops("GlobalAvgPool2D", |call| global(call, 2, false)).over(2),
    drops("GlobalAvgPool3D", |call| global(call, 3, false)).over(3),
    drops("AdaptiveMaxPooling1D", |call| adaptive(call, 1, true)).beside(0),
    drops("AdaptiveMaxPooling2D", |call| adaptive(call, 2, true)).beside(0),
    drops("AdaptiveMaxPooling3D", |call| adaptive(call, 3, true)).beside(0),
    drops("AdaptiveAveragePooling1D", |call| adaptive(call, 1, false)).beside(0),
    drops("AdaptiveAveragePooling2D", |call| adaptive(call, 2, false)).beside(0),
    drops("AdaptiveAveragePooling3D", |call| adaptive(call, 3, false)).beside(0),
];

fn pool(call: &mut Call<'_, '_, '_>, dims: usize, max: bool) -> Option<Flow> {
    let size = call.settings.needed_lengths("pool_size", dims);
    let stride = call.settings.maybe_lengths("strides", dims, 1).unwrap_or_else(|| size.clone());
    let image = image(call, dims)?;
    let border = border(call, dims + image.lead, false);
    call.done()?;
    // A border never counts.
    let kind = if max { PoolKind::Max } else { PoolKind::Mean(Divisor::Inside) };
    let window = window::window(&image, size, stride, vec![1; dims], border);
    let made = call.make(&Op::Pool { kind, window }, &[&image.flow], image.order())?;
    Some(image.made(made))
}

fn global(call: &mut Call<'_, '_, '_>, dims: usize, max: bool) -> Option<Flow> {
    let keep = call.settings.flag("keepdims", false);
    let image = image(call, dims)?;
    call.done()?;
    if image.lead == 0 {
        let order = if keep { image.order() } else { vec![0] };
        let made = call.make(&Op::GlobalPool { max, dims, keep }, &[&image.flow], order)?;
        return Some(if keep { image.made(made) } else { made });
    }
    let kind = if max { ReduceKind::Max } else { ReduceKind::Mean };
    let axes = (image.lead..image.lead + image.dims).map(|place| place as i64 + 1).collect();
    let order = if keep { image.order() } else { (0..=image.lead).collect() };
    let made = call.make(&Op::Reduce { kind, axes, keep }, &[&image.flow], order)?;
    Some(if keep { image.made(made) } else { made })
}

fn adaptive(call: &mut Call<'_, '_, '_>, dims: usize, max: bool) -> Option<Flow> {
    let places = call.settings.needed_lengths("output_size", dims);
    let image = image(call, dims)?;
    call.done()?;
    let places = places.into_iter().map(Some).collect();
    let made = call.make(&Op::AdaptivePool { max, places }, &[&image.flow], image.order())?;
    Some(image.made(made))
}
