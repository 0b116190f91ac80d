//! A counted, immutable array.

use super::{DType, Storage, View, convert, count, packed_strides, to_f32};
use std::sync::Arc;

/// An array of numbers, slowest axis first, packed or strided, little-endian. Cloning shares the numbers and copies nothing.
#[derive(Clone, Debug)]
pub struct Tensor(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    dtype: DType,
    shape: Vec<usize>,
    strides: Option<Vec<i64>>,
    first: usize,
    storage: Storage,
}

impl Tensor {
    /// Packed numbers that fill `storage` exactly; none if they do not.
    pub fn packed(dtype: DType, shape: Vec<usize>, storage: Storage) -> Option<Tensor> {
        let fits = dtype.bytes(count(&shape)?)? == storage.len();
        fits.then(|| Tensor(Arc::new(Parts { dtype, shape, strides: None, first: 0, storage })))
    }

    /// Strided numbers: `strides` and `first` (of the first element) in elements. None if any of them lies outside of
    /// `storage`, or if one number is no whole number of bytes.
    pub fn strided(
        dtype: DType,
        shape: Vec<usize>,
        strides: Vec<i64>,
        first: usize,
        storage: Storage,
    ) -> Option<Tensor> {
        let size = dtype.size()?;
        count(&shape)?;
        if strides.len() != shape.len() {
            return None;
        }
        if !shape.contains(&0) {
            let (mut low, mut high) = (i128::try_from(first).ok()?, i128::try_from(first).ok()?);
            for (&length, &stride) in shape.iter().zip(&strides) {
                let reach = (length as i128 - 1) * i128::from(stride);
                if reach < 0 { low += reach } else { high += reach }
            }
            if low < 0 || (high + 1) * size as i128 > storage.len() as i128 {
                return None;
            }
        }
        Some(Tensor(Arc::new(Parts { dtype, shape, strides: Some(strides), first, storage })))
    }

    /// New numbers, written by `fill`; none if the memory can not be had or is too large to count.
    pub fn filled_f32(shape: Vec<usize>, fill: impl FnOnce(&mut [f32])) -> Option<Tensor> {
        let storage =
            Storage::filled(DType::F32.bytes(count(&shape)?)?, |bytes| fill(bytemuck::cast_slice_mut(bytes)))?;
        Tensor::packed(DType::F32, shape, storage)
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// Lengths of the axes, slowest first.
    pub fn shape(&self) -> &[usize] {
        &self.0.shape
    }

    /// How many numbers.
    pub fn count(&self) -> usize {
        self.0.shape.iter().product()
    }

    /// A view of it.
    pub fn view(&self) -> View<'_> {
        View::new(self.0.dtype, &self.0.shape, self.0.strides.as_deref(), self.0.first, self.0.storage.bytes())
    }

    /// The bytes of packed numbers; none if strided.
    pub fn packed_bytes(&self) -> Option<&[u8]> {
        self.0.strides.is_none().then(|| self.0.storage.bytes())
    }

    /// Packed bytes to be written in place: none if strided, or if anyone else looks at them (see [`Tensor::own`]).
    pub fn packed_bytes_mut(&mut self) -> Option<&mut [u8]> {
        let parts = Arc::get_mut(&mut self.0)?;
        if parts.strides.is_some() { None } else { parts.storage.bytes_mut() }
    }

    /// Whether no other tensor stands for the same numbers.
    pub fn is_alone(&mut self) -> bool {
        Arc::get_mut(&mut self.0).is_some()
    }

    /// Makes the numbers packed and this array's own, so that they can be written: copied if they are not. False if the
    /// memory can not be had.
    pub fn own(&mut self) -> bool {
        if self.packed_bytes_mut().is_some() {
            return true;
        }
        let copy = self.view().to_tensor();
        copy.map(|copy| *self = copy).is_some()
    }

    /// The same numbers, packed, in another element type; shares them if they are that already. None if
    /// [`convert::can`] refuses the types, or if memory can not be had.
    pub fn converted(&self, to: DType) -> Option<Tensor> {
        if self.0.dtype == to {
            return self.to_packed();
        }
        if !convert::can(self.0.dtype, to) {
            return None;
        }
        let storage = Storage::filled(to.bytes(self.count())?, |out| {
            let mut at = 0;
            convert::convert(&self.view(), to, |piece| {
                out[at..at + piece.len()].copy_from_slice(piece);
                at += piece.len();
            });
        })?;
        Tensor::packed(to, self.0.shape.clone(), storage)
    }

    /// New noughts; none if the memory can not be had or is too large to count.
    pub fn zeroed(dtype: DType, shape: Vec<usize>) -> Option<Tensor> {
        let storage = Storage::filled(dtype.bytes(count(&shape)?)?, |_| ())?;
        Tensor::packed(dtype, shape, storage)
    }

    /// The numbers in place: none unless packed F32 at an aligned address of a little-endian machine.
    pub fn as_f32(&self) -> Option<&[f32]> {
        if self.0.dtype != DType::F32 || cfg!(target_endian = "big") {
            return None;
        }
        bytemuck::try_cast_slice(self.packed_bytes()?).ok()
    }

    /// The same numbers packed, in new memory unless they are packed already; none if memory can not be had.
    pub fn to_packed(&self) -> Option<Tensor> {
        if self.0.strides.is_none() { Some(self.clone()) } else { self.view().to_tensor() }
    }

    /// The same numbers as packed, aligned F32 by [`to_f32`]; shares memory where they are that already. None for a type
    /// that is no real float, or if memory can not be had.
    pub fn to_f32(&self) -> Option<Tensor> {
        if self.as_f32().is_some() {
            return Some(self.clone());
        }
        let packed = self.to_packed()?;
        let mut good = false;
        let out =
            Tensor::filled_f32(self.0.shape.clone(), |out| good = to_f32(self.0.dtype, packed.0.storage.bytes(), out))?;
        good.then_some(out)
    }

    /// Packed numbers in another shape of the same count; none if strided or of another count.
    pub fn reshaped(&self, shape: Vec<usize>) -> Option<Tensor> {
        let fits = self.0.strides.is_none() && count(&shape)? == self.count();
        if fits { Tensor::packed(self.0.dtype, shape, self.0.storage.clone()) } else { None }
    }

    /// The part from place `first` of an axis on, `count` long. Copies nothing. None if it is not within the axis, or a number
    /// is no whole number of bytes.
    pub fn part(&self, axis: usize, first: usize, count: usize) -> Option<Tensor> {
        let strides = self.0.strides.clone().unwrap_or_else(|| packed_strides(&self.0.shape));
        let mut shape = self.0.shape.clone();
        let length =
            shape.get_mut(axis).filter(|length| first.checked_add(count).is_some_and(|end| end <= **length))?;
        *length = count;
        let begins = self.0.first as i64 + if count == 0 { 0 } else { first as i64 * strides[axis] };
        Tensor::strided(self.0.dtype, shape, strides, usize::try_from(begins).ok()?, self.0.storage.clone())
    }

    /// The axes in the opposite order, as a host sees them whose own order is column-major. Copies nothing. None if a number
    /// is no whole number of bytes.
    pub fn reversed(&self) -> Option<Tensor> {
        self.permuted(&(0..self.0.shape.len()).rev().collect::<Vec<_>>())
    }

    /// The axes in another order: axis `i` of the result is axis `axes[i]` of this. Copies nothing. None if `axes` is no
    /// order of all axes, or a number is no whole number of bytes.
    pub fn permuted(&self, axes: &[usize]) -> Option<Tensor> {
        let mut seen = vec![false; self.0.shape.len()];
        if axes.len() != self.0.shape.len()
            || !axes.iter().all(|&a| a < seen.len() && !std::mem::replace(&mut seen[a], true))
        {
            return None;
        }
        let strides = self.0.strides.clone().unwrap_or_else(|| packed_strides(&self.0.shape));
        let pick = |axis: &usize| strides[*axis];
        let shape = axes.iter().map(|&axis| self.0.shape[axis]).collect();
        Tensor::strided(self.0.dtype, shape, axes.iter().map(pick).collect(), self.0.first, self.0.storage.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutes_and_packs() {
        let t = Tensor::filled_f32(vec![2, 3], |n| n.copy_from_slice(&[0., 1., 2., 3., 4., 5.])).unwrap();
        let turned = t.permuted(&[1, 0]).unwrap().to_f32().unwrap();
        assert_eq!(turned.shape(), [3, 2]);
        assert_eq!(turned.as_f32().unwrap(), [0., 3., 1., 4., 2., 5.]);
        assert!(t.permuted(&[0, 0]).is_none());
        assert!(Tensor::strided(DType::F32, vec![2], vec![6], 0, t.0.storage.clone()).is_none());
        assert!(Tensor::strided(DType::F32, vec![2], vec![-1], 0, t.0.storage.clone()).is_none());
    }
}
