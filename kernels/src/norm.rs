//! Normalisations. Totals are doubles in both precisions: numbers that hardly differ from their mean would lose all their
//! digits to a mean of singles. The exact precision then goes operation by operation in singles, a mean being the total
//! times the rounded reciprocal; the standard one rounds what is left after the mean is taken away.
//!
//! Order of summation: sixteen sums side by side over neighbours, row after row, joined at the end.

use super::{
    Part,
    after::{load, store},
    isa::{LANES, Vector, Wide},
    sums::Sums,
};

/// By statistics of the training, per channel. Inputs: `x`, `running_mean`, `sqrt(running_var + epsilon)`, then weight and
/// bias if it is affine; each has the length of the last axis.
#[derive(Clone, Debug)]
pub struct BatchNorm {
    /// Length of the last axis.
    pub features: usize,
}

/// Runs it; the part consists of whole rows.
#[inline(always)]
pub fn batch_norm<V: Vector>(norm: &BatchNorm, part: Part<'_>) {
    let (x, mean, deviation) = (&part.inputs[0][part.at..], part.inputs[1], part.inputs[2]);
    let scale = Scale { weight: part.inputs.get(3).copied(), bias: part.inputs.get(4).copied() };
    for (out, x) in part.out.chunks_exact_mut(norm.features).zip(x.chunks_exact(norm.features)) {
        for (strip, (out, x)) in out.chunks_mut(LANES).zip(x.chunks(LANES)).enumerate() {
            let (column, lanes) = (strip * LANES, out.len());
            let centred = load::<V>(x).sub(load(&mean[column..][..lanes]));
            store(scale.of(centred.div(load(&deviation[column..][..lanes])), column, lanes), out);
        }
    }
}

/// Each row of the last axes by its own mean and variance. Inputs: `x`, weight, bias.
#[derive(Clone, Debug)]
pub struct LayerNorm {
    /// Numbers of a row.
    pub row: usize,
    /// Added to the variance.
    pub epsilon: f32,
    /// Whether there is a weight.
    pub weight: bool,
}

/// Runs it; the part consists of whole rows.
#[inline(always)]
pub fn layer_norm<V: Vector, S: Sums<V>>(norm: &LayerNorm, part: Part<'_>) {
    let x = &part.inputs[0][part.at..];
    let (weight, bias) = if norm.weight { (1, 2) } else { (usize::MAX, 1) };
    let scale = Scale { weight: part.inputs.get(weight).copied(), bias: part.inputs.get(bias).copied() };
    let by = By { count: norm.row, epsilon: norm.epsilon, exact: S::EXACT };
    for (out, x) in part.out.chunks_exact_mut(norm.row).zip(x.chunks_exact(norm.row)) {
        let strips = || x.chunks(LANES);
        let mut sums = V::Wide::splat(0.0);
        for x in strips() {
            sums = sums.add(V::Wide::of(load(x)));
        }
        let mean = V::Wide::splat(by.mean(sums.total()));
        let mut squares = V::Wide::splat(0.0);
        for (out, x) in out.chunks_mut(LANES).zip(strips()) {
            store(centred::<V>(load(x), mean), out);
            squares = squares.add(by.square(load::<V>(out)));
        }
        let deviation = V::splat(by.deviation(squares.total()));
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            store(scale.of(load::<V>(out).div(deviation), strip * LANES, out.len()), out);
        }
    }
}

/// Each example over its places and a group of neighbouring channels. Inputs: `x`, then weight and bias if it is affine.
#[derive(Clone, Debug)]
pub struct GroupNorm {
    /// Numbers of one example.
    pub each: usize,
    /// Length of the last axis.
    pub features: usize,
    /// How many groups.
    pub groups: usize,
    /// Added to the variance.
    pub epsilon: f32,
}

/// Runs it; the part consists of whole examples.
#[inline(always)]
pub fn group_norm<V: Vector, S: Sums<V>>(norm: &GroupNorm, part: Part<'_>) {
    let x = &part.inputs[0][part.at..];
    let width = norm.features / norm.groups;
    let by = By { count: norm.each / norm.groups, epsilon: norm.epsilon, exact: S::EXACT };
    let scale = Scale { weight: part.inputs.get(1).copied(), bias: part.inputs.get(2).copied() };
    // Groups of a few channels go together, as many as sixteen lanes hold.
    let together = if width < LANES { LANES / width * width } else { width };
    for (out, x) in part.out.chunks_exact_mut(norm.each).zip(x.chunks_exact(norm.each)) {
        for first in (0..norm.features).step_by(together) {
            let columns = first..(first + together).min(norm.features);
            let mut sums = V::Wide::splat(0.0);
            for x in x.chunks_exact(norm.features) {
                for x in x[columns.clone()].chunks(LANES) {
                    sums = sums.add(V::Wide::of(load(x)));
                }
            }
            let mean = each_group(sums, width, |total| by.mean(total));
            let mut squares = V::Wide::splat(0.0);
            for (out, x) in out.chunks_exact_mut(norm.features).zip(x.chunks_exact(norm.features)) {
                for (out, x) in out[columns.clone()].chunks_mut(LANES).zip(x[columns.clone()].chunks(LANES)) {
                    store(centred::<V>(load(x), mean), out);
                    squares = squares.add(by.square(load::<V>(out)));
                }
            }
            let deviation = each_group(squares, width, |total| f64::from(by.deviation(total))).rounded();
            for out in out.chunks_exact_mut(norm.features) {
                for (strip, out) in out[columns.clone()].chunks_mut(LANES).enumerate() {
                    store(scale.of(load::<V>(out).div(deviation), first + strip * LANES, out.len()), out);
                }
            }
        }
    }
}

/// What `of` makes of the total of each group of `width` lanes (or of all lanes), in the group's lanes.
#[inline(always)]
fn each_group<W: Wide>(sums: W, width: usize, of: impl Fn(f64) -> f64) -> W {
    if width >= LANES {
        return W::splat(of(sums.total()));
    }
    let mut lanes = sums.lanes();
    for group in lanes.chunks_mut(width) {
        let made = of(group.iter().sum());
        group.fill(made);
    }
    W::load(&lanes)
}

/// How a mean and a deviation come of totals.
#[derive(Clone, Copy)]
struct By {
    count: usize,
    epsilon: f32,
    exact: bool,
}

impl By {
    #[inline(always)]
    fn mean(self, total: f64) -> f64 {
        let count = self.count;
        if self.exact { f64::from(total as f32 * (1.0 / count as f32)) } else { total / count as f64 }
    }

    /// The square of a difference from the mean, as it is summed.
    #[inline(always)]
    fn square<V: Vector>(self, x: V) -> V::Wide {
        if self.exact {
            return V::Wide::of(x.mul(x));
        }
        let x = V::Wide::of(x);
        x.mul(x)
    }

    #[inline(always)]
    fn deviation(self, squares: f64) -> f32 {
        if self.exact {
            (squares as f32 * (1.0 / self.count as f32) + self.epsilon).sqrt()
        } else {
            (squares / self.count as f64 + f64::from(self.epsilon)).sqrt() as f32
        }
    }
}

/// Rounded once: a difference of two singles taken in doubles is the same single.
#[inline(always)]
fn centred<V: Vector>(x: V, mean: V::Wide) -> V {
    V::Wide::of(x).sub(mean).rounded()
}

/// Weight and bias per channel, each applied by itself.
#[derive(Clone, Copy)]
struct Scale<'a> {
    weight: Option<&'a [f32]>,
    bias: Option<&'a [f32]>,
}

impl Scale<'_> {
    #[inline(always)]
    fn of<V: Vector>(self, mut x: V, column: usize, lanes: usize) -> V {
        if let Some(weight) = self.weight {
            x = x.mul(load(&weight[column..][..lanes]));
        }
        if let Some(bias) = self.bias {
            x = x.add(load(&bias[column..][..lanes]));
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        Kernel, Precision,
        isa::{Isa, Kernels},
    };
    use super::*;

    #[test]
    fn a_row_of_one_number_again_and_again_is_its_own_mean() {
        for isa in Isa::ALL {
            let Some(kernels) = Kernels::of(Precision::Standard, isa) else { continue };
            for row in (1..300).step_by(7) {
                for number in [0.1_f32, -7.3, 1e-30, 3.4e38] {
                    let (x, mut out) = (vec![number; row], vec![1.0; row]);
                    let kernel = Kernel::LayerNorm(LayerNorm { row, epsilon: 1e-5, weight: false });
                    let (out_now, inputs) = (&mut out[..], [&x[..]]);
                    let part = Part { inputs: &inputs, whole: &[], at: 0, out: out_now, scratch: &mut [], after: &[] };
                    kernels.run(&kernel, part);
                    assert!(out.iter().all(|&x| x == 0.0), "{isa:?} {row} times {number}");
                }
            }
        }
    }
}
