//! Numbers somebody else keeps, for the length of a call.

use super::{DType, Storage, Tensor, gather};

/// A read-only look at strided numbers. Strides in elements; none means packed rows.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Element type.
    pub dtype: DType,
    /// Lengths of the axes, slowest first.
    pub shape: &'a [usize],
    /// Strides in elements, or none for packed rows.
    pub strides: Option<&'a [i64]>,
    first: usize,
    bytes: &'a [u8],
}

impl<'a> View<'a> {
    /// A view over `bytes`, whose element number `first` is the first of the array. The caller has made sure that every
    /// element lies within `bytes`; an element that does not is a panic at the time it is used, never a stray read.
    pub fn new(
        dtype: DType,
        shape: &'a [usize],
        strides: Option<&'a [i64]>,
        first: usize,
        bytes: &'a [u8],
    ) -> View<'a> {
        View { dtype, shape, strides, first, bytes }
    }

    /// Packed singles.
    pub fn of_f32(shape: &'a [usize], numbers: &'a [f32]) -> View<'a> {
        View::new(DType::F32, shape, None, 0, bytemuck::cast_slice(numbers))
    }

    /// How many numbers.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// The bytes from the first element on; exact for packed numbers.
    pub fn bytes(&self) -> &'a [u8] {
        &self.bytes[self.first * self.dtype.bits() / 8..]
    }

    /// Number of the first element, and the bytes that it and the strides count from.
    pub(super) fn whole(&self) -> (usize, &'a [u8]) {
        (self.first, self.bytes)
    }

    /// A part of a view of one axis: as many numbers as `shape`, the whole of which is one length, says, from place `at` on.
    pub fn part<'b>(&self, at: usize, shape: &'b [usize]) -> View<'b>
    where
        'a: 'b,
    {
        let stride = self.strides.and_then(<[i64]>::first).copied().unwrap_or(1);
        let first = (self.first as i64 + at as i64 * stride) as usize;
        // A part without numbers may begin behind the last one.
        let first = if shape.contains(&0) { self.first } else { first };
        View::new(self.dtype, shape, self.strides, first, self.bytes)
    }

    /// The numbers, packed, in memory of their own; none if that can not be had.
    pub fn to_tensor(&self) -> Option<Tensor> {
        let storage = Storage::filled(self.dtype.bytes(self.count())?, |to| self.copy_to(to))?;
        Tensor::packed(self.dtype, self.shape.to_vec(), storage)
    }

    /// Copies the numbers, packed, into `to`, which has the room of exactly that. Allocates nothing.
    pub fn copy_to(&self, to: &mut [u8]) {
        match self.strides {
            None => to.copy_from_slice(&self.bytes()[..to.len()]),
            Some(strides) => {
                let size = self.dtype.size().unwrap_or(1);
                let mut at = 0;
                gather(self.shape, strides, |offset, length, stride| {
                    let start = self.first as i64 + offset;
                    copy_row(self.bytes, start, stride, to, at as i64, 1, length, size);
                    at += length;
                });
            }
        }
    }
}

/// A writable look at strided numbers.
#[derive(Debug)]
pub struct ViewMut<'a> {
    /// Element type.
    pub dtype: DType,
    /// Lengths of the axes, slowest first.
    pub shape: &'a [usize],
    /// Strides in elements, or none for packed rows.
    pub strides: Option<&'a [i64]>,
    first: usize,
    bytes: &'a mut [u8],
}

impl<'a> ViewMut<'a> {
    /// As [`View::new`].
    pub fn new(
        dtype: DType,
        shape: &'a [usize],
        strides: Option<&'a [i64]>,
        first: usize,
        bytes: &'a mut [u8],
    ) -> ViewMut<'a> {
        ViewMut { dtype, shape, strides, first, bytes }
    }

    /// Packed singles.
    pub fn of_f32(shape: &'a [usize], numbers: &'a mut [f32]) -> ViewMut<'a> {
        ViewMut::new(DType::F32, shape, None, 0, bytemuck::cast_slice_mut(numbers))
    }

    /// How many numbers.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// Copies packed numbers of the same type into a view of one axis, from place `at` on. Allocates nothing.
    pub fn put(&mut self, at: usize, from: &[u8]) {
        let size = self.dtype.size().unwrap_or(1);
        let stride = self.strides.and_then(<[i64]>::first).copied().unwrap_or(1);
        let start = self.first as i64 + at as i64 * stride;
        if !from.is_empty() {
            copy_row(from, 0, 1, self.bytes, start, stride, from.len() / size, size);
        }
    }

    /// Copies packed numbers of the same type and count into the view. Allocates nothing; writes nothing outside of it.
    pub fn copy_from(&mut self, from: &[u8]) {
        match self.strides {
            None => {
                let start = self.first * self.dtype.bits() / 8;
                self.bytes[start..start + from.len()].copy_from_slice(from);
            }
            Some(strides) => {
                let size = self.dtype.size().unwrap_or(1);
                let (first, mut at) = (self.first as i64, 0);
                gather(self.shape, strides, |offset, length, stride| {
                    copy_row(from, at as i64, 1, self.bytes, first + offset, stride, length, size);
                    at += length;
                });
            }
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn copy_row(
    from: &[u8],
    start: i64,
    step: i64,
    to: &mut [u8],
    to_start: i64,
    to_step: i64,
    length: usize,
    size: usize,
) {
    if step == 1 && to_step == 1 {
        let (a, b, n) = (start as usize * size, to_start as usize * size, length * size);
        return to[b..b + n].copy_from_slice(&from[a..a + n]);
    }
    for i in 0..length as i64 {
        let (a, b) = ((start + i * step) as usize * size, (to_start + i * to_step) as usize * size);
        to[b..b + size].copy_from_slice(&from[a..a + size]);
    }
}
