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
    drops("MaxPooling1D", |call| pool(call, 1, true)),
    drops("MaxPooling2D", |call| pool(call, 2, true)),
    drops("MaxPooling3D", |call| pool(call, 3, true)),
    drops("MaxPool1D", |call| pool(call, 1, true)),
    drops("MaxPool2D", |call| pool(call, 2, true)),
    drops("MaxPool3D", |call| pool(call, 3, true)),
    drops("AveragePooling1D", |call| pool(call, 1, false)),
    drops("AveragePooling2D", |call| pool(call, 2, false)),
    drops("AveragePooling3D", |call| pool(call, 3, false)),
    drops("AvgPool1D", |call| pool(call, 1, false)),
    drops("AvgPool2D", |call| pool(call, 2, false)),
    drops("AvgPool3D", |call| pool(call, 3, false)),
    drops("GlobalMaxPooling1D", |call| global(call, 1, true)),
    drops("GlobalMaxPooling2D", |call| global(call, 2, true)),
    drops("GlobalMaxPooling3D", |call| global(call, 3, true)),
    drops("GlobalMaxPool1D", |call| global(call, 1, true)),
    drops("GlobalMaxPool2D", |call| global(call, 2, true)),
    drops("GlobalMaxPool3D", |call| global(call, 3, true)),
    reads("GlobalAveragePooling1D", |call| global(call, 1, false)),
    drops("GlobalAveragePooling2D", |call| global(call, 2, false)),
    drops("GlobalAveragePooling3D", |call| global(call, 3, false)),
    reads("GlobalAvgPool1D", |call| global(call, 1, false)),
    drops("GlobalAvgPool2D", |call| global(call, 2, false)),
    drops("GlobalAvgPool3D", |call| global(call, 3, false)),
    drops("AdaptiveMaxPooling1D", |call| adaptive(call, 1, true)),
    drops("AdaptiveMaxPooling2D", |call| adaptive(call, 2, true)),
    drops("AdaptiveMaxPooling3D", |call| adaptive(call, 3, true)),
    drops("AdaptiveAveragePooling1D", |call| adaptive(call, 1, false)),
    drops("AdaptiveAveragePooling2D", |call| adaptive(call, 2, false)),
    drops("AdaptiveAveragePooling3D", |call| adaptive(call, 3, false)),
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
