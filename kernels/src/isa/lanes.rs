//! A register's worth of singles, as a tile of sums takes it: all sixteen of a [`Vector`], or eight where few columns are
//! wanted.

use super::vector::{LANES, Vector};

/// Some singles side by side.
pub trait Lanes: Copy {
    /// How many.
    const COUNT: usize;

    /// The same number in every lane.
    fn splat(x: f32) -> Self;
    /// [`Lanes::COUNT`] numbers.
    ///
    /// # Safety
    /// They are there.
    unsafe fn read(from: *const f32) -> Self;
    /// All lanes.
    ///
    /// # Safety
    /// [`Lanes::COUNT`] numbers have room.
    unsafe fn write(self, to: *mut f32);
    /// At most [`Lanes::COUNT`] numbers, then noughts.
    fn load(from: &[f32]) -> Self;
    /// As many lanes as `to` takes, at most all.
    fn store(self, to: &mut [f32]);
    /// Lane by lane.
    fn add(self, other: Self) -> Self;
    /// Lane by lane.
    fn sub(self, other: Self) -> Self;
    /// Lane by lane.
    fn mul(self, other: Self) -> Self;
    /// `self·factor + term`, as [`Vector::mul_add`].
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// `self` where it is greater than `other`, else `other`: a NaN in `other` passes.
    fn max(self, other: Self) -> Self;
}

/// All lanes of a vector.
#[derive(Clone, Copy)]
pub struct All<V>(V);

impl<V: Vector> Lanes for All<V> {
    const COUNT: usize = LANES;

    #[inline(always)]
    fn splat(x: f32) -> All<V> {
        All(V::splat(x))
    }
    #[inline(always)]
    unsafe fn read(from: *const f32) -> All<V> {
        // SAFETY: what the caller has promised.
        All(V::load(unsafe { &*from.cast() }))
    }
    #[inline(always)]
    unsafe fn write(self, to: *mut f32) {
        // SAFETY: what the caller has promised.
        self.0.store(unsafe { &mut *to.cast() });
    }
    #[inline(always)]
    fn load(from: &[f32]) -> All<V> {
        All(crate::after::load(from))
    }
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        crate::after::store(self.0, to);
    }
    #[inline(always)]
    fn add(self, other: All<V>) -> All<V> {
        All(self.0.add(other.0))
    }
    #[inline(always)]
    fn sub(self, other: All<V>) -> All<V> {
        All(self.0.sub(other.0))
    }
    #[inline(always)]
    fn mul(self, other: All<V>) -> All<V> {
        All(self.0.mul(other.0))
    }
    #[inline(always)]
    fn mul_add(self, factor: All<V>, term: All<V>) -> All<V> {
        All(self.0.mul_add(factor.0, term.0))
    }
    #[inline(always)]
    fn max(self, other: All<V>) -> All<V> {
        All(self.0.max(other.0))
    }
}

/// Eight numbers in an array; a multiplication and an addition round separately.
#[derive(Clone, Copy)]
pub struct Eight([f32; 8]);

impl Eight {
    #[inline(always)]
    fn both(self, other: Eight, f: impl Fn(f32, f32) -> f32) -> Eight {
        Eight(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl Lanes for Eight {
    const COUNT: usize = 8;

    #[inline(always)]
    fn splat(x: f32) -> Eight {
        Eight([x; 8])
    }
    #[inline(always)]
    unsafe fn read(from: *const f32) -> Eight {
        // SAFETY: what the caller has promised.
        Eight(unsafe { from.cast::<[f32; 8]>().read() })
    }
    #[inline(always)]
    unsafe fn write(self, to: *mut f32) {
        // SAFETY: what the caller has promised.
        unsafe { to.cast::<[f32; 8]>().write(self.0) }
    }
    #[inline(always)]
    fn load(from: &[f32]) -> Eight {
        let mut all = [0.0; 8];
        all[..from.len()].copy_from_slice(from);
        Eight(all)
    }
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        to.copy_from_slice(&self.0[..to.len()]);
    }
    #[inline(always)]
    fn add(self, other: Eight) -> Eight {
        self.both(other, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, other: Eight) -> Eight {
        self.both(other, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, other: Eight) -> Eight {
        self.both(other, |a, b| a * b)
    }
    #[inline(always)]
    fn mul_add(self, factor: Eight, term: Eight) -> Eight {
        self.mul(factor).add(term)
    }
    #[inline(always)]
    fn max(self, other: Eight) -> Eight {
        self.both(other, |a, b| if a > b { a } else { b })
    }
}
