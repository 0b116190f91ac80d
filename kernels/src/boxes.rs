//! What is made of a box of numbers: the largest, the sum or the mean of it. Under the pools and reductions of
//! [`super::window`].
//!
//! Boxes that are alike share one list of distances from a box's first number to the others. Tiles: 32 or sixteen channels of
//! one box, with AVX2 four or two registers of sums; where there are few channels, neighbouring places side by side. A box of
//! more than [`TAPS`] numbers is walked through axis by axis instead, 64 channels at a time: eight registers.
//!
//! Order of summation: a box in its order, slowest axis first, in blocks as [`Gathered`] has them. One channel whose box
//! consists of lines of neighbours goes sixteen of them at a time, whose totals are joined at the end.

use super::{
    after::{load, store},
    isa::{LANES, Vector},
    sums::{BLOCK, Gathered, Sums, filled},
    window::{AXES, Span, along, offset, visit},
};

/// Most numbers of a box whose distances are listed: one block of a sum.
pub const TAPS: usize = BLOCK;

/// Vectors of channels of a long box that go together.
const STRIPS: usize = 4;

/// Distances of a box's numbers from its first, in their order.
pub struct Taps {
    at: [usize; TAPS],
    count: usize,
    /// The furthest.
    reach: usize,
    /// Count and step of each axis of the box they are those of.
    shape: [(usize, usize); AXES],
}

impl Taps {
    /// Those of no box yet.
    pub fn new() -> Taps {
        Taps { at: [0; TAPS], count: 0, reach: 0, shape: [(usize::MAX, 0); AXES] }
    }

    /// Lists those of a box of at most [`TAPS`] numbers, unless they are listed already.
    pub fn list(&mut self, place: &[(Span, usize)]) {
        if self.shape.iter().zip(place).all(|(shape, (span, _))| *shape == (span.count, span.step)) {
            return;
        }
        (self.at[0], self.count, self.reach) = (0, 1, 0);
        for (&(span, stride), shape) in place.iter().zip(&mut self.shape) {
            *shape = (span.count, span.step);
            let step = span.step * stride;
            for number in (0..self.count).rev() {
                let base = self.at[number];
                for tap in 0..span.count {
                    self.at[number * span.count + tap] = base + tap * step;
                }
            }
            self.count *= span.count;
            self.reach += span.count.saturating_sub(1) * step;
        }
    }
}

/// What is made of a box.
pub struct How<V> {
    /// Whether it is the largest number.
    pub most: bool,
    /// What a sum is multiplied by.
    pub scale: V,
}

/// Where the numbers of boxes side by side lie.
trait Strips {
    /// Those at a tap.
    ///
    /// # Safety
    /// The tap lies within what the maker has promised.
    unsafe fn numbers<V: Vector>(&self, tap: usize, strip: usize) -> V;
}

/// Whole vectors one after another, of which the caller promises that they are there at every tap.
struct Whole(*const f32);

impl Strips for Whole {
    #[inline(always)]
    unsafe fn numbers<V: Vector>(&self, tap: usize, strip: usize) -> V {
        // SAFETY: what the maker has promised.
        V::load(unsafe { &*self.0.add(tap + strip * LANES).cast() })
    }
}

/// At most sixteen neighbours.
struct Narrow<'a>(&'a [f32], usize);

impl Strips for Narrow<'_> {
    #[inline(always)]
    unsafe fn numbers<V: Vector>(&self, tap: usize, _: usize) -> V {
        load(&self.0[tap..][..self.1])
    }
}

/// Numbers that lie apart.
struct Apart<'a>(&'a [f32], &'a [usize]);

impl Strips for Apart<'_> {
    #[inline(always)]
    unsafe fn numbers<V: Vector>(&self, tap: usize, _: usize) -> V {
        let x = &self.0[tap..];
        let mut lanes = [0.0; LANES];
        for (lane, &at) in lanes.iter_mut().zip(self.1) {
            *lane = x[at];
        }
        V::load(&lanes)
    }
}

impl<V: Vector> How<V> {
    /// What is made of boxes side by side, `N` vectors of them.
    ///
    /// # Safety
    /// Every tap lies within what `strips` has.
    #[inline(always)]
    unsafe fn of<S: Sums<V>, const N: usize>(&self, taps: &Taps, strips: impl Strips) -> [V; N] {
        let mut made = [V::splat(f32::NEG_INFINITY); N];
        if self.most {
            for &tap in &taps.at[..taps.count] {
                for (strip, most) in made.iter_mut().enumerate() {
                    // SAFETY: what the caller has promised.
                    *most = most.largest(unsafe { strips.numbers(tap, strip) });
                }
            }
            return made;
        }
        let mut sums = [S::nought(); N];
        for &tap in &taps.at[..taps.count] {
            for (strip, sum) in sums.iter_mut().enumerate() {
                // SAFETY: what the caller has promised.
                *sum = sum.add(S::of(unsafe { strips.numbers(tap, strip) }));
            }
        }
        for (made, sum) in made.iter_mut().zip(sums) {
            *made = sum.rounded().mul(self.scale);
        }
        made
    }
}

/// One place, whose box begins with `x`.
#[inline(always)]
pub fn one<V: Vector, S: Sums<V>>(how: &How<V>, x: &[f32], taps: &Taps, out: &mut [f32]) {
    let channels = out.len();
    if channels < LANES {
        // SAFETY: a slice looks after itself.
        let [made] = unsafe { how.of::<S, 1>(taps, Narrow(x, channels)) };
        return store(made, out);
    }
    assert!(taps.count == 0 || taps.reach + channels <= x.len(), "a box within the input");
    let mut channel = 0;
    while channels - channel >= 2 * LANES {
        // SAFETY: no tap is further than `reach`, and from there on all channels are there.
        let made: [V; 2] = unsafe { how.of::<S, 2>(taps, Whole(x.as_ptr().add(channel))) };
        for (made, out) in made.into_iter().zip(out[channel..][..2 * LANES].chunks_exact_mut(LANES)) {
            store(made, out);
        }
        channel += 2 * LANES;
    }
    while channel < channels {
        // The last strip reaches back over channels that are done, to the same numbers.
        let from = channel.min(channels - LANES);
        // SAFETY: as above.
        let [made] = unsafe { how.of::<S, 1>(taps, Whole(x.as_ptr().add(from))) };
        store(made, &mut out[from..][..LANES]);
        channel += LANES;
    }
}

/// Places of a few channels, whose boxes are alike and lie `apart`; the first begins with `x`.
#[inline(always)]
pub fn side_by_side<V: Vector, S: Sums<V>>(
    how: &How<V>,
    x: &[f32],
    taps: &Taps,
    [channels, apart]: [usize; 2],
    out: &mut [f32],
) {
    if apart == channels {
        for (strip, out) in out.chunks_mut(LANES).enumerate() {
            let x = &x[strip * LANES..];
            // SAFETY: a slice looks after itself.
            let [made] = unsafe { how.of::<S, 1>(taps, Narrow(x, out.len())) };
            store(made, out);
        }
        return;
    }
    let places = LANES / channels;
    let mut lanes = [0; LANES];
    for (number, lane) in lanes.iter_mut().enumerate() {
        *lane = number / channels * apart + number % channels;
    }
    for (strip, out) in out.chunks_mut(places * channels).enumerate() {
        let x = &x[strip * places * apart..];
        // SAFETY: a slice looks after itself.
        let [made] = unsafe { how.of::<S, 1>(taps, Apart(x, &lanes[..out.len()])) };
        store(made, out);
    }
}

/// One place whose box is long.
#[inline(always)]
pub fn long<V: Vector, S: Sums<V>>(how: &How<V>, x: &[f32], place: &[(Span, usize)], out: &mut [f32]) {
    if let ([out], Some((&(span, 1), rest))) = (&mut *out, place.split_last()) {
        if span.step == 1 {
            let made =
                if how.most { line_most::<V>(x, rest, span) } else { line_sum::<V, S>(x, rest, span).mul(how.scale) };
            return store(made, std::slice::from_mut(out));
        }
    }
    let channels = out.len();
    let mut strips = out.chunks_exact_mut(STRIPS * LANES);
    for (number, out) in strips.by_ref().enumerate() {
        let made = several::<V, S, STRIPS>(how, &x[number * STRIPS * LANES..], place, LANES);
        for (made, out) in made.into_iter().zip(out.chunks_exact_mut(LANES)) {
            store(made, out);
        }
    }
    let rest = strips.into_remainder();
    let first = channels - rest.len();
    for (strip, out) in rest.chunks_mut(LANES).enumerate() {
        let [made] = several::<V, S, 1>(how, &x[first + strip * LANES..], place, out.len());
        store(made, out);
    }
}

/// `N` vectors of channels of a box, the last `width` wide.
#[inline(always)]
fn several<V: Vector, S: Sums<V>, const N: usize>(
    how: &How<V>,
    x: &[f32],
    place: &[(Span, usize)],
    width: usize,
) -> [V; N] {
    let mut made = [V::splat(f32::NEG_INFINITY); N];
    if how.most {
        visit!(place, 0, at => {
            let x = &x[at..];
            for (strip, most) in made.iter_mut().enumerate() {
                *most = most.largest(load(&x[strip * LANES..][..width]));
            }
        });
        return made;
    }
    let mut sums = [Gathered::<S>::new(); N];
    visit!(place, 0, at => {
        let x = &x[at..];
        for (strip, sum) in sums.iter_mut().enumerate() {
            sum.add(S::of(load(&x[strip * LANES..][..width])));
        }
    });
    for (made, sum) in made.iter_mut().zip(sums) {
        *made = sum.all().rounded().mul(how.scale);
    }
    made
}

/// The largest of lines of neighbours, in every lane; of numbers that are equal any.
#[inline(always)]
fn line_most<V: Vector>(x: &[f32], place: &[(Span, usize)], line: Span) -> V {
    let mut most = V::splat(f32::NEG_INFINITY);
    visit!(place, line.first, at => {
        for x in x[at..][..line.count].chunks(LANES) {
            most = most.largest(filled(x, f32::NEG_INFINITY));
        }
    });
    let mut lanes = [0.0; LANES];
    most.store(&mut lanes);
    V::splat(lanes.into_iter().fold(f32::NEG_INFINITY, |most, x| if (x > most) | x.is_nan() { x } else { most }))
}

/// The sum over lines of neighbours.
#[inline(always)]
fn line_sum<V: Vector, S: Sums<V>>(x: &[f32], place: &[(Span, usize)], line: Span) -> V {
    let mut sums = Gathered::<S>::new();
    visit!(place, line.first, at => {
        for x in x[at..][..line.count].chunks(LANES) {
            sums.add(S::of(load(x)));
        }
    });
    sums.all().joined().rounded()
}
