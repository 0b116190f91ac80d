//! Convolutions and their transposes: the border in a step of its own, then tiles straight from the input, channels by
//! themselves, or at windows of one place the rows of a dense layer. Those of the exact precision unfold each window.

use super::{Compiler, Home, Work, windows};
use crate::{
    describe::{Conv, Node},
    kernels::{self, Axis, Kernel, POINTS, Phase, Precision, Rows, TILE, Winograd},
    plan::{phased::Phased, step::Place, weights::Number},
};

/// Channels in and out from which on Winograd's algorithm saves time.
const CHANNELS: usize = 16;

/// Tiles of an example from which on it does: a tile of sums takes about as many.
const TILES: usize = 4;

/// Transformed weights that no longer stay near the processor from one run to the next: 16 MiB.
const HEAVY: usize = 1 << 22;

impl Compiler<'_> {
    pub(super) fn conv(
        &mut self,
        node: &Node,
        conv: &Conv,
        x: &Home,
        shape: &[usize],
        mut places: Vec<Place>,
        transposed: bool,
    ) -> Option<(Kernel, Vec<Place>, Work)> {
        let axes = windows::axes(&conv.window, &x.shape, shape)?;
        let (inputs, outputs, groups) = (conv.inputs, conv.outputs, conv.groups);
        let unfolded = kernels::Conv { axes, inputs, outputs, groups, transposed };
        let work = Work { grain: outputs, cost: unfolded.terms() };
        let Place::Number(slot) = *places.get(1)? else { return None };
        let ways = axes.map(|axis| if transposed { Way::transposed(&axis) } else { Way::of(&axis) });
        let lengths: [usize; 3] = std::array::from_fn(|i| ways[i].length);
        let furthest = lengths.iter().try_fold(inputs, |count, &length| count.checked_mul(length))?;
        if self.plan.precision == Precision::Exact || u32::try_from(furthest).is_err() {
            if transposed && groups > 1 {
                places[1] = self.number(Number::Regroup { slot, inputs, groups });
            }
            return Some((Kernel::Conv(unfolded), places, work));
        }
        if !transposed && unfolded.is_pointwise() {
            let (kernel, places) = self.dense(inputs, outputs, places)?;
            return Some((kernel, places, work));
        }
        if let Some(winograd) = winograd(conv, &axes).filter(|_| !transposed) {
            places[1] = self.number(Number::Transformed(slot));
            let work = Work { grain: TILE * axes[2].output * outputs, ..work };
            return Some((Kernel::Winograd(winograd), places, work));
        }
        let is_alone = unfolded.is_depthwise();
        if is_alone && transposed {
            places[1] = self.number(Number::Regroup { slot, inputs, groups });
            return Some((Kernel::Conv(unfolded), places, work));
        }
        if is_alone && kernels::Depthwise::knows(&axes) {
            return Some((
                Kernel::Depthwise(kernels::Depthwise { axes, channels: inputs, rows: Rows::of(outputs) }),
                places,
                work,
            ));
        }
        let (ins, columns) = (inputs / groups, outputs / groups);
        let before = std::array::from_fn(|i| ways[i].before);
        let (x, lengths) = self.bordered(node, axes.map(|axis| axis.input), before, lengths, inputs, x)?;
        places[0] = x.place;
        let strides = [lengths[1] * lengths[2] * inputs, lengths[2] * inputs, inputs];
        let steps = std::array::from_fn(|i| ways[i].step * strides[i]);
        let (counts, each) = (axes.map(|axis| axis.output), lengths.iter().product::<usize>() * inputs);
        let (phases, numbers) = phases(&ways, &axes, &strides, ins).into_iter().unzip();
        places[1] = self.number(Number::Phased(slot, Phased { columns, groups, ins, transposed, phases: numbers }));
        let strides = std::array::from_fn(|i| ways[i].phases.stride);
        let kernel = kernels::Direct {
            counts,
            strides,
            steps,
            each,
            columns,
            groups,
            group_step: ins,
            phases,
            rows: Rows::of(outputs),
        };
        Some((Kernel::Direct(kernel), places, work))
    }

    /// `x` with a border and the lengths of its window axes; as it is where it is long enough and nothing stands before it.
    fn bordered(
        &mut self,
        node: &Node,
        input: [usize; 3],
        before: [usize; 3],
        output: [usize; 3],
        inner: usize,
        x: &Home,
    ) -> Option<(Home, [usize; 3])> {
        let fits = output.iter().zip(&input).all(|(wanted, input)| wanted <= input) && before == [0; 3];
        if fits || inner == 0 {
            return Some((x.clone(), input));
        }
        let shape = vec![output[0], output[1], output[2], inner];
        crate::tensor::count(&shape)?;
        let kernel = Kernel::Border(kernels::Border { input, output, before, inner });
        let work = Work { grain: output[2] * inner, cost: 1 };
        Some((self.step(&node.name, kernel, vec![x.place], shape, x.batched, work), output))
    }
}

/// The convolution by Winograd's algorithm, where it saves time: windows of 3 × 3 side by side, channels enough to pay for
/// the transforms, tiles that are mostly full, and enough of them for weights that take four times the room.
fn winograd(conv: &Conv, axes: &[Axis; 3]) -> Option<Winograd> {
    let [one, rows, columns] = axes;
    let is_plain = |axis: &Axis| axis.size == 3 && axis.stride == 1 && axis.dilation == 1;
    let alone = one.size == 1 && one.stride == 1 && one.before == 0 && one.input == 1 && one.output == 1;
    (alone && is_plain(rows) && is_plain(columns) && conv.groups == 1).then_some(())?;
    (conv.inputs >= CHANNELS && conv.outputs >= CHANNELS).then_some(())?;
    let tiles = rows.output.div_ceil(TILE).checked_mul(columns.output.div_ceil(TILE))?;
    let filled = tiles.checked_mul(TILE * TILE)? <= rows.output.checked_mul(columns.output)?.checked_mul(2)?;
    let weights = conv.inputs.checked_mul(conv.outputs)?.checked_mul(POINTS)?;
    let enough = if weights > HEAVY { 4 * TILES } else { TILES };
    (filled && tiles >= enough).then_some(Winograd {
        input: [rows.input, columns.input],
        output: [rows.output, columns.output],
        before: [rows.before, columns.before],
        inputs: conv.inputs,
        channels: (0..u32::try_from(conv.inputs).ok()?).collect(),
        columns: conv.outputs,
        rows: Rows::of(conv.outputs),
    })
}

/// How windows go along an axis of the input with its border.
struct Way {
    /// Border places before the first of the input.
    before: usize,
    /// Length with the border: as far as windows reach.
    length: usize,
    /// Places of the input from one window of a phase to the next.
    step: usize,
    /// The phases.
    phases: Phases,
}

/// The phases of an axis: for each the first place of the output, and the numbers of the window that it sees with their
/// places in the input.
struct Phases {
    stride: usize,
    all: Vec<(usize, Vec<(usize, usize)>)>,
}

impl Way {
    /// Of a convolution: all windows are one phase.
    fn of(axis: &Axis) -> Way {
        let taps: Vec<(usize, usize)> = (0..axis.size).map(|tap| (tap, tap.saturating_mul(axis.dilation))).collect();
        let reach = taps.last().map_or(0, |last| last.1.saturating_add(1));
        let length = axis.output.saturating_sub(1).saturating_mul(axis.stride).saturating_add(reach);
        let phases = Phases { stride: 1, all: vec![(0, taps)] };
        Way { before: axis.before, length, step: axis.stride, phases }
    }

    /// Of a transposed one: places of the output that lie a stride apart see the same numbers of the window. Place `o` sees
    /// number `t` on place `(o + before − t·dilation)/stride` of the input, where that is a whole number.
    fn transposed(axis: &Axis) -> Way {
        let stride = axis.stride.max(1) as i64;
        let seen = |phase: usize| -> Vec<(usize, i64)> {
            let from = |tap: usize| (phase + axis.before) as i64 - (tap as i64).saturating_mul(axis.dilation as i64);
            let whole = (0..axis.size).filter(|&tap| from(tap).rem_euclid(stride) == 0);
            whole.map(|tap| (tap, from(tap).div_euclid(stride))).collect()
        };
        let all: Vec<(usize, Vec<(usize, i64)>)> =
            (0..axis.stride.min(axis.output)).map(|phase| (phase, seen(phase))).collect();
        let before = all.iter().flat_map(|(_, taps)| taps).map(|tap| (-tap.1).max(0)).max().unwrap_or(0);
        let reach = all.iter().map(|(phase, taps)| {
            let windows = (axis.output - phase).div_ceil(axis.stride.max(1)) as i64;
            taps.iter().map(|tap| tap.1 + windows).max().unwrap_or(0)
        });
        let length = (before + reach.max().unwrap_or(0).max(0)) as usize;
        let placed =
            |taps: Vec<(usize, i64)>| taps.into_iter().map(|(tap, at)| (tap, (at + before) as usize)).collect();
        let all = all.into_iter().map(|(phase, taps)| (phase, placed(taps))).collect();
        Way { before: before as usize, length, step: 1, phases: Phases { stride: axis.stride, all } }
    }
}

/// The phases of all axes together, each with the numbers of the window that it sees.
fn phases(ways: &[Way; 3], axes: &[Axis; 3], strides: &[usize; 3], ins: usize) -> Vec<(Phase, Vec<usize>)> {
    let [a, b, c] = [0, 1, 2].map(|i| &ways[i].phases.all);
    let all = a.iter().flat_map(|a| b.iter().flat_map(move |b| c.iter().map(move |c| [a, b, c])));
    let made = all.map(|phase| {
        let [a, b, c] = phase.map(|(_, taps)| taps);
        let seen = || a.iter().flat_map(|a| b.iter().flat_map(move |b| c.iter().map(move |c| [*a, *b, *c])));
        let place = |tap: [(usize, usize); 3]| (0..3).map(|i| tap[i].1 * strides[i]).sum::<usize>();
        let taps = seen().flat_map(|tap| (0..ins).map(move |input| (place(tap) + input) as u32)).collect();
        let number = |[a, b, c]: [(usize, usize); 3]| (a.0 * axes[1].size + b.0) * axes[2].size + c.0;
        (Phase { first: phase.map(|(first, _)| *first), taps }, seen().map(number).collect())
    });
    made.collect()
}
