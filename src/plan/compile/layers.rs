//! An arm for each operation: its kernel, its operands, and how its output may be cut.

use super::{Compiler, Home, Work, axis, products, strides, tables, upsample, windows};
use crate::{
    describe::{Binary, Divisor, Node, Op, PadMode, PoolKind, ReduceKind, Unary},
    kernels::{self, AXES, BinaryJoin, Boxes, FILLED, Folded, Kernel, Over, Precision, Reach, Rows, Spread, Take},
    plan::{step::Place, weights::Number},
    tensor::Tensor,
};

/// Columns of a row that are computed together at least.
const COLUMNS: usize = 64;

/// Numbers of a function of one number that are computed together at least.
const STRETCH: usize = 1024;

/// Multiplications that a function costs.
const FUNCTION: usize = 12;

impl Compiler<'_> {
    /// The value a node makes. `None` if the graph is not what it should be.
    pub(super) fn layer(&mut self, node: &Node, inputs: &[Home], shape: Vec<usize>, batched: bool) -> Option<Home> {
        let slots: Vec<Place> = node.slots.iter().map(|&slot| Place::Number(slot)).collect();
        if let Op::Constant { shape, values } = &node.op {
            return Some(Home { place: self.constant(shape, values)?, shape: shape.clone(), batched: false });
        }
        if let Op::Parameter { shape } = &node.op {
            return Some(Home { place: *slots.first()?, shape: shape.clone(), batched: false });
        }
        let x = inputs.first()?;
        match &node.op {
            Op::Identity | Op::Flatten { .. } | Op::Reshape { .. } | Op::Squeeze { .. } | Op::Unsqueeze { .. } => {
                return (x.count() == shape.iter().product::<usize>()).then(|| Home { shape, ..x.clone() });
            }
            Op::Embedding { count, features } => {
                let kernel = Kernel::Embedding(kernels::Embedding { count: *count, features: *features });
                matches!(x.place, Place::Whole(_)).then_some(())?;
                let work = Work { grain: *features, cost: 1 };
                return Some(self.step(&node.name, kernel, vec![x.place, *slots.first()?], shape, batched, work));
            }
            _ if inputs.iter().any(|input| matches!(input.place, Place::Whole(_))) => return None,
            Op::Binary(function) => return self.binary(node, *function, inputs, shape, batched),
            Op::Where => {
                let (select, work) = products::select(inputs, &shape, batched)?;
                let places = inputs.iter().map(|input| input.place).collect();
                return Some(self.step(&node.name, Kernel::Select(select), places, shape, batched, work));
            }
            Op::Concat { axis } => return self.concat(node, *axis, inputs, shape, batched),
            _ => {}
        }
        let places: Vec<Place> = [x.place].into_iter().chain(slots.iter().copied()).collect();
        let (kernel, places, work) = match &node.op {
            Op::Dense { inputs, outputs, .. } => {
                let grain = if shape.len() == 1 { COLUMNS } else { *outputs };
                let (kernel, places) = self.dense(*inputs, *outputs, places)?;
                (kernel, places, Work { grain, cost: *inputs })
            }
            Op::MatMul => {
                let (matmul, work) = products::matmul(x, inputs.get(1)?, &shape, batched)?;
                (Kernel::MatMul(matmul), vec![x.place, inputs[1].place], work)
            }
            Op::Conv(conv) => self.conv(node, conv, x, &shape, places, false)?,
            Op::ConvTranspose { conv, .. } => self.conv(node, conv, x, &shape, places, true)?,
            Op::Pool { kind, window } => {
                let (take, divisor) = match *kind {
                    PoolKind::Max => (Take::Max, Divisor::Inside),
                    PoolKind::Mean(divisor @ Divisor::Fixed(count)) => (Take::Mean(Some(count)), divisor),
                    PoolKind::Mean(divisor) => (Take::Mean(None), divisor),
                };
                boxes(x, windows::pool(window, divisor, &x.shape, &shape)?, *x.shape.last()?, take, places)?
            }
            Op::AdaptivePool { max, places: wanted } => {
                let lengths = wanted.iter().zip(&x.shape).zip(&shape);
                let spans = lengths.map(|((_, &length), &made)| windows::adaptive(length, made)).collect();
                let axes = windows::boxes(spans, &x.shape);
                boxes(x, axes, *x.shape.last()?, most_or_mean(*max), places)?
            }
            Op::GlobalPool { max, dims, .. } => {
                let reduced: Vec<bool> = (0..x.shape.len()).map(|axis| axis < *dims).collect();
                let (axes, channels) = windows::reduce(&x.shape, &reduced);
                boxes(x, axes, channels, most_or_mean(*max), places)?
            }
            Op::Reduce { kind, axes, .. } => {
                let mut reduced = vec![false; x.shape.len()];
                for &resolved in axes {
                    reduced[axis(resolved, x.shape.len())?] = true;
                }
                let (axes, channels) = windows::reduce(&x.shape, &reduced);
                match kind {
                    ReduceKind::Mean => boxes(x, axes, channels, Take::Mean(None), places)?,
                    ReduceKind::Max => boxes(x, axes, channels, Take::Max, places)?,
                    ReduceKind::Sum => boxes(x, axes, channels, Take::Sum, places)?,
                    ReduceKind::Product => windows::folded(x, axes, channels, Folded::Product, places)?,
                    ReduceKind::Place => windows::folded(x, axes, channels, Folded::Place, places)?,
                }
            }
            Op::BatchNorm { features, epsilon, affine, .. } => {
                let (affine, [mean, variance]) = node
                    .slots
                    .split_at_checked(if *affine { 2 } else { 0 })
                    .and_then(|(affine, statistics)| Some((affine, <[usize; 2]>::try_from(statistics).ok()?)))?;
                if self.plan.precision == Precision::Standard {
                    let weight = affine.first().copied();
                    let scale = self.number(Number::Scale { weight, variance, epsilon: *epsilon });
                    let bias = match affine.get(1) {
                        Some(&bias) => Place::Number(bias),
                        None => self.number(Number::Given(Tensor::filled_f32(vec![*features], |_| ())?)),
                    };
                    let operands = [Place::Number(mean), scale, bias];
                    let (kernel, work) = (Kernel::Affine(kernels::Affine { features: *features }), rows(*features));
                    let first = *node.inputs.first()?;
                    if let Some(home) = self.in_place(first, x, &shape, || kernel.clone(), &operands, work) {
                        return Some(home);
                    }
                    let places = [x.place].into_iter().chain(operands).collect();
                    return Some(self.step(&node.name, kernel, places, shape, batched, work));
                }
                let deviation = self.number(Number::Deviation { slot: variance, epsilon: *epsilon as f32 });
                let mut places = vec![x.place, Place::Number(mean), deviation];
                places.extend(affine.iter().map(|&slot| Place::Number(slot)));
                (Kernel::BatchNorm(kernels::BatchNorm { features: *features }), places, rows(*features))
            }
            Op::LayerNorm { shape, epsilon, weight, .. } => {
                let row = shape.iter().product();
                let norm = kernels::LayerNorm { row, epsilon: *epsilon as f32, weight: *weight };
                (Kernel::LayerNorm(norm), places, rows(row))
            }
            Op::GroupNorm { groups, features, epsilon, .. } => {
                let each = x.count();
                let (features, groups) = (*features, *groups);
                let norm = kernels::GroupNorm { each, features, groups, epsilon: *epsilon as f32 };
                (Kernel::GroupNorm(norm), places, rows(each))
            }
            Op::Lrn { across, size, later, alpha, beta, k, mean } => {
                let (more, less) = (size / 2, size.checked_sub(1)? / 2);
                let (before, after) = if *later { (less, more) } else { (more, less) };
                let (&channels, window) = x.shape.split_last()?;
                let over = if *across {
                    Over::Channels { before, after }
                } else {
                    (window.len() <= AXES).then_some(())?;
                    let spans = window.iter().map(|&length| windows::around(length, before, after)).collect();
                    Over::Places(windows::boxes(spans, &x.shape))
                };
                let dims = if *across { 1 } else { i32::try_from(window.len()).ok()? };
                let alpha = if *mean { alpha / (*size as f64).powi(dims) } else { *alpha };
                let lrn = kernels::Lrn { channels, over, alpha, beta: *beta, k: *k };
                (Kernel::Lrn(lrn), places, Work { grain: channels, cost: FUNCTION + size })
            }
            Op::Softmax { axis, log } => {
                along(x, *axis, if *log { Reach::LogSoftmax } else { Reach::Softmax }, places)?
            }
            Op::L2Normalize { axis, epsilon } => along(x, *axis, Reach::Unit { epsilon: *epsilon as f32 }, places)?,
            Op::Unary(function) => {
                let cheap = matches!(function, Unary::Relu | Unary::LeakyRelu { .. } | Unary::Clip { .. } | Unary::Abs);
                let work = Work { grain: STRETCH, cost: if cheap { 1 } else { FUNCTION } };
                let kernel = Kernel::Map(kernels::Map { function: *function });
                if let Some(home) = self.in_place(*node.inputs.first()?, x, &shape, || kernel.clone(), &[], work) {
                    return Some(home);
                }
                (kernel, places, work)
            }
            Op::Prelu { features } => {
                return self.with_slot(node, BinaryJoin::Prelu, x, &[*features], shape, batched);
            }
            Op::Scale { shape: slot } => return self.with_slot(node, BinaryJoin::Multiply, x, slot, shape, batched),
            Op::PositionTable { shape: slot } => return self.with_slot(node, BinaryJoin::Add, x, slot, shape, batched),
            Op::Permute { axes } => {
                let order = axes.iter().map(|&resolved| axis(resolved, x.shape.len()));
                let order = order.collect::<Option<Vec<usize>>>()?;
                let strides = strides(&x.shape);
                let tables = order.iter().map(|&axis| skips(0..x.shape[axis], strides[axis])).collect();
                moves(x, tables, 0.0)
            }
            Op::Slice { axis: resolved, start, end, step } => {
                let along = axis(*resolved, x.shape.len())?;
                let places = tables::slice(x.shape[along], *start, *end, *step)?;
                moves(x, replaced(x, [(along, places)]), 0.0)
            }
            Op::Pad { border, mode } => {
                let fill = if let PadMode::Constant(fill) = mode { *fill as f32 } else { 0.0 };
                let padded = border.iter().zip(&x.shape).map(|(&border, &length)| tables::pad(length, border, *mode));
                let padded = padded.collect::<Option<Vec<_>>>()?;
                moves(x, replaced(x, padded.into_iter().enumerate()), fill)
            }
            Op::Upsample { dims, size, mode } => upsample::upsample(x, &shape, *dims, size, *mode)?,
            Op::Identity | Op::Flatten { .. } | Op::Reshape { .. } | Op::Squeeze { .. } | Op::Unsqueeze { .. } => {
                return None;
            }
            Op::Constant { .. }
            | Op::Parameter { .. }
            | Op::Embedding { .. }
            | Op::Binary(_)
            | Op::Where
            | Op::Concat { .. } => return None,
        };
        Some(self.step(&node.name, kernel, places, shape, batched, work))
    }

    /// Joins the operands from the left, each step taking one more in.
    fn binary(
        &mut self,
        node: &Node,
        function: Binary,
        inputs: &[Home],
        shape: Vec<usize>,
        batched: bool,
    ) -> Option<Home> {
        let alike = inputs.iter().all(|input| input.count() == 1 || input.shape == shape);
        let seen = if alike { vec![shape.iter().product()] } else { shape.clone() };
        let spreads = inputs.iter().map(|input| {
            let from = if alike { vec![input.count()] } else { input.shape.clone() };
            spread(&from, &seen, input.batched || !batched)
        });
        let spreads = spreads.collect::<Option<Vec<Spread>>>()?;
        let work = Work { grain: *seen.last().unwrap_or(&1), cost: 1 };
        let join = |last: bool| match function {
            Binary::Average if last => BinaryJoin::AddThenScale(1.0 / inputs.len() as f32),
            Binary::Add | Binary::Average => BinaryJoin::Add,
            Binary::Subtract => BinaryJoin::Subtract,
            Binary::Multiply => BinaryJoin::Multiply,
            Binary::Divide => BinaryJoin::Divide,
            Binary::Maximum => BinaryJoin::Maximum,
            Binary::Minimum => BinaryJoin::Minimum,
            Binary::Equal => BinaryJoin::Equal,
            Binary::Less => BinaryJoin::Less,
            Binary::Greater => BinaryJoin::Greater,
            Binary::Power => BinaryJoin::Power,
            Binary::Remainder => BinaryJoin::Remainder,
        };
        if let ([a, b], [first, second]) = (inputs, node.inputs.as_slice()) {
            // The later of two summands takes the other in while it is made.
            let mut order = vec![(first, a, b, 1)];
            if function == Binary::Add {
                order.insert(usize::from(self.is_later(a, b)), (second, b, a, 0));
            }
            let whole = |own: &Home| own.shape == shape && own.batched == batched;
            for (value, own, other, spread) in order.into_iter().filter(|(_, own, ..)| whole(own)) {
                let (shape_seen, b) = (seen_shape(&seen), spreads[spread].clone());
                let kernel = || Kernel::Binary(kernels::Binary { join: join(true), shape: shape_seen, a: None, b });
                if let Some(home) = self.in_place(*value, own, &shape, kernel, &[other.place], work) {
                    return Some(home);
                }
            }
        }
        let mut made: Option<Home> = None;
        for (i, b) in spreads.iter().enumerate().skip(1) {
            let join = join(i + 1 == inputs.len());
            let kernel = |a| Kernel::Binary(kernels::Binary { join, shape: seen_shape(&seen), a, b: b.clone() });
            match &made {
                None => {
                    let places = vec![inputs[0].place, inputs[i].place];
                    let kernel = kernel(Some(spreads[0].clone()));
                    made = Some(self.step(&node.name, kernel, places, shape.clone(), batched, work));
                }
                Some(home) => self.step_into(home, kernel(None), vec![inputs[i].place], work),
            }
        }
        made
    }

    /// `x` joined with a slot, which is broadcast from the last axes.
    fn with_slot(
        &mut self,
        node: &Node,
        join: BinaryJoin,
        x: &Home,
        slot: &[usize],
        shape: Vec<usize>,
        batched: bool,
    ) -> Option<Home> {
        let seen = seen_shape(&shape);
        let a = spread(&x.shape, &seen, x.batched || !batched)?;
        let (b, number) = (spread(slot, &seen, false)?, Place::Number(*node.slots.first()?));
        let work = Work { grain: *seen.last()?, cost: 1 };
        let binary = |a| Kernel::Binary(kernels::Binary { join, shape: seen.clone(), a, b: b.clone() });
        if x.shape == shape && x.batched == batched {
            let first = *node.inputs.first()?;
            if let Some(home) = self.in_place(first, x, &shape, || binary(None), &[number], work) {
                return Some(home);
            }
        }
        Some(self.step(&node.name, binary(Some(a)), vec![x.place, number], shape, batched, work))
    }
}

pub(super) fn seen_shape(seen: &[usize]) -> Vec<usize> {
    if seen.is_empty() { vec![1] } else { seen.to_vec() }
}

fn rows(row: usize) -> Work {
    Work { grain: row, cost: 8 }
}

fn most_or_mean(max: bool) -> Take {
    if max { Take::Max } else { Take::Mean(None) }
}

/// A kernel over boxes of `x`.
fn boxes(
    x: &Home,
    mut axes: Vec<Boxes>,
    channels: usize,
    take: Take,
    places: Vec<Place>,
) -> Option<(Kernel, Vec<Place>, Work)> {
    (axes.len() <= AXES).then_some(())?;
    if axes.is_empty() {
        axes = windows::boxes(vec![windows::whole(1)], &[1, channels]);
    }
    let cost = windows::cost(&axes);
    let window = kernels::Window { axes, channels, each: x.count(), take, rows: Rows::of(channels) };
    Some((Kernel::Window(window), places, Work { grain: channels, cost }))
}

fn along(x: &Home, resolved: i64, what: Reach, places: Vec<Place>) -> Option<(Kernel, Vec<Place>, Work)> {
    let axis = axis(resolved, x.shape.len())?;
    let (length, inner) = (x.shape[axis], x.shape[axis + 1..].iter().product());
    let kernel = Kernel::Along(kernels::Along { length, inner, what });
    Some((kernel, places, Work { grain: length * inner, cost: FUNCTION }))
}

/// How an operand of some shape lies under the output; `own`: each example has its own.
pub(super) fn spread(from: &[usize], shape: &[usize], own: bool) -> Option<Spread> {
    let extra = from.len().saturating_sub(shape.len());
    from[..extra].iter().all(|&length| length == 1).then_some(())?;
    let from = &from[extra..];
    let own_strides = strides(from);
    let mut strides = vec![0; shape.len()];
    let first = shape.len() - from.len();
    for (i, (&length, stride)) in from.iter().zip(own_strides).enumerate() {
        (length == 1 || length == shape[first + i]).then_some(())?;
        strides[first + i] = if length == 1 { 0 } else { stride };
    }
    let last = from.last().is_some_and(|length| shape.last() == Some(length));
    strides.pop();
    let each = if own { from.iter().product() } else { 0 };
    Some(Spread { each, strides, last })
}

/// Numbers to skip for places of an axis.
fn skips(places: impl IntoIterator<Item = usize>, stride: usize) -> Vec<usize> {
    places.into_iter().map(|place| if place == FILLED { FILLED } else { place * stride }).collect()
}

/// The tables that give `x` as it is, but for some axes, whose places are said.
pub(super) fn replaced(x: &Home, places: impl IntoIterator<Item = (usize, Vec<usize>)>) -> Vec<Vec<usize>> {
    let strides = strides(&x.shape);
    let mut tables: Vec<Vec<usize>> =
        x.shape.iter().zip(&strides).map(|(&length, &stride)| skips(0..length, stride)).collect();
    for (axis, places) in places {
        tables[axis] = skips(places, strides[axis]);
    }
    tables
}

pub(super) fn moves(x: &Home, mut tables: Vec<Vec<usize>>, fill: f32) -> (Kernel, Vec<Place>, Work) {
    if tables.is_empty() {
        tables.push(vec![0]);
    }
    let grain = tables.last().map_or(1, Vec::len);
    (Kernel::Move(kernels::Move { tables, fill, each: x.count() }), vec![x.place], Work { grain, cost: 1 })
}
