//! Numbers across the boundary: [`pon_view`] in, checked before a byte of it is touched, and out.

use super::{
    dtype::{self, pon_dtype},
    failure::{Answer, Failure},
    handle,
};
use crate::{
    faults::Code,
    tensor::{DType, Tensor, View, ViewMut, count, packed_strides},
};
use std::ffi::c_void;

/// Memory of the machine itself.
pub const PON_DEVICE_CPU: i32 = 0;
/// In `flags`: the numbers must not be written.
pub const PON_VIEW_READ_ONLY: u64 = 1;
/// Most axes of a view.
pub const PON_MAX_AXES: i32 = 32;

/// A look at strided numbers. The library never reads or writes outside of it and demands no alignment.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_view {
    /// The first number: the one at place 0 of every axis. May be NULL if there is none.
    pub data: *mut c_void,
    /// What one number is.
    pub dtype: pon_dtype,
    /// How many axes, 0 to PON_MAX_AXES.
    pub ndim: i32,
    /// `ndim` lengths, slowest axis first.
    pub shape: *const i64,
    /// `ndim` steps in numbers, negative ones too; NULL: packed rows. A step of 0 repeats one number: such a view can be read
    /// and not written. Not for types of less than a byte.
    pub strides: *const i64,
    /// PON_DEVICE_CPU.
    pub device_kind: i32,
    /// 0.
    pub device_index: i32,
    /// PON_VIEW_READ_ONLY or 0.
    pub flags: u64,
    /// 0.
    pub reserved: u64,
}

/// A view of the caller after its checks.
pub struct Checked<'a> {
    /// What one number is.
    pub dtype: DType,
    /// Lengths of the axes.
    pub shape: &'a [usize],
    /// Steps in numbers; none: packed rows.
    pub strides: Option<&'a [i64]>,
    /// Number of the first element, counted from the lowest address.
    pub first: usize,
    /// Lowest address of all elements.
    pub lowest: *mut u8,
    /// Bytes from there to the end of the highest.
    pub length: usize,
    /// Whether the caller lets it be written, and no axis repeats one place over and over.
    pub writable: bool,
}

/// A shape of the caller, in place.
///
/// # Safety
/// NULL, or `ndim` readable lengths that nobody writes for as long as `'a`.
pub unsafe fn shape<'a>(ndim: i32, lengths: *const i64, name: &'static str) -> Answer<&'a [usize]> {
    // SAFETY: passed on.
    let lengths = unsafe { handle::list(lengths, axes(ndim)?, name)? };
    if lengths.iter().any(|&length| length < 0) {
        return Err(Failure::of(Code::Value, name));
    }
    // SAFETY: the same memory; no length is negative, and both types have 64 bits (checked in `mod.rs`).
    Ok(unsafe { std::slice::from_raw_parts(lengths.as_ptr().cast(), lengths.len()) })
}

fn axes(ndim: i32) -> Answer<usize> {
    if (0..=PON_MAX_AXES).contains(&ndim) { Ok(ndim as usize) } else { Err(Failure::of(Code::Value, "ndim")) }
}

/// Checks a view: every number of it must have an address.
///
/// # Safety
/// NULL, or a view whose shape and strides can be read and are not written for as long as `'a`.
pub unsafe fn check<'a>(view: *const pon_view, name: &'static str) -> Answer<Checked<'a>> {
    // SAFETY: passed on.
    let view = unsafe { handle::list(view, 1, name)? }.first().ok_or(Failure::of(Code::Null, name))?;
    let wrong = Failure::of(Code::Value, name);
    let dtype = dtype::of(view.dtype, name)?;
    let other = view.device_kind != PON_DEVICE_CPU || view.device_index != 0;
    if other || view.flags & !PON_VIEW_READ_ONLY != 0 || view.reserved != 0 {
        return Err(wrong);
    }
    // SAFETY: passed on.
    let shape = unsafe { self::shape(view.ndim, view.shape, "shape")? };
    let numbers = count(shape).ok_or(wrong)?;
    let strides = match view.strides.is_null() {
        true => None,
        // SAFETY: passed on.
        false => Some(unsafe { handle::list(view.strides, shape.len(), "strides")? }),
    };
    let (first, length) = match (strides, dtype.size()) {
        (None, _) => (0, dtype.bytes(numbers).ok_or(wrong)?),
        (Some(_), None) => return Err(wrong),
        (Some(_), _) if numbers == 0 => (0, 0),
        (Some(strides), Some(size)) => {
            let (before, span) = span(shape, strides).ok_or(wrong)?;
            (before, span.checked_mul(size).ok_or(wrong)?)
        }
    };
    if length > isize::MAX as usize {
        return Err(wrong);
    }
    if length > 0 && view.data.is_null() {
        return Err(Failure::of(Code::Null, "data"));
    }
    let below = first * dtype.bits() / 8;
    let address = view.data.addr();
    if length > 0 && (address < below || (address - below).checked_add(length).is_none()) {
        return Err(wrong);
    }
    let lowest = view.data.cast::<u8>().wrapping_sub(below);
    let repeats =
        strides.is_some_and(|strides| shape.iter().zip(strides).any(|(&length, &stride)| length > 1 && stride == 0));
    let writable = view.flags & PON_VIEW_READ_ONLY == 0 && !repeats;
    Ok(Checked { dtype, shape, strides, first, lowest, length, writable })
}

/// Numbers before the first, and from the lowest to the highest, of an array that is not empty.
fn span(shape: &[usize], strides: &[i64]) -> Option<(usize, usize)> {
    let (mut low, mut high) = (0i128, 0i128);
    for (&length, &stride) in shape.iter().zip(strides) {
        let reach = (length as i128 - 1).checked_mul(i128::from(stride))?;
        let end = if reach < 0 { &mut low } else { &mut high };
        *end = end.checked_add(reach)?;
    }
    Some((usize::try_from(-low).ok()?, usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?))
}

/// A view that is read during a call.
///
/// # Safety
/// As [`check`], and the numbers can be read and are not written for as long as `'a`.
pub unsafe fn seen<'a>(view: *const pon_view, name: &'static str) -> Answer<View<'a>> {
    // SAFETY: passed on.
    let checked = unsafe { check(view, name)? };
    // SAFETY: the caller promises the numbers; `length` is the extent of exactly them, and 0 if there is none.
    let bytes = unsafe { handle::list(checked.lowest, checked.length, name)? };
    Ok(View::new(checked.dtype, checked.shape, checked.strides, checked.first, bytes))
}

/// A view that is written during a call.
///
/// # Safety
/// As [`check`], and the numbers belong to this call alone for as long as `'a`.
pub unsafe fn seen_mut<'a>(view: *const pon_view, name: &'static str) -> Answer<ViewMut<'a>> {
    // SAFETY: passed on.
    let checked = unsafe { check(view, name)? };
    if !checked.writable {
        return Err(Failure::of(Code::Value, name));
    }
    let bytes = match checked.length {
        0 => &mut [],
        // SAFETY: not NULL, as `check` has seen, and as in `seen`.
        length => unsafe { std::slice::from_raw_parts_mut(checked.lowest, length) },
    };
    Ok(ViewMut::new(checked.dtype, checked.shape, checked.strides, checked.first, bytes))
}

/// A view for a caller, who must not look at it for longer than `data`, `shape` and `strides` stay.
pub fn told(dtype: DType, data: *mut c_void, shape: &[usize], strides: Option<&[i64]>, writable: bool) -> pon_view {
    pon_view {
        data,
        dtype: dtype as pon_dtype,
        ndim: shape.len() as i32,
        shape: shape.as_ptr().cast(),
        strides: strides.map_or(std::ptr::null(), <[i64]>::as_ptr),
        device_kind: PON_DEVICE_CPU,
        device_index: 0,
        flags: if writable { 0 } else { PON_VIEW_READ_ONLY },
        reserved: 0,
    }
}

/// Lends a tensor to be read; valid as long as the tensor.
pub fn lend(tensor: &Tensor) -> pon_view {
    let view = tensor.view();
    told(view.dtype, view.bytes().as_ptr().cast_mut().cast(), view.shape, view.strides, false)
}

/// A view of packed numbers that the host is to write; valid as long as shape and bytes.
pub fn over(dtype: DType, shape: &[usize], bytes: &mut [u8]) -> pon_view {
    told(dtype, bytes.as_mut_ptr().cast(), shape, None, true)
}

/// The strides of a tensor, written out.
pub fn strides(tensor: &Tensor) -> Vec<i64> {
    tensor.view().strides.map_or_else(|| packed_strides(tensor.shape()), <[i64]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(numbers: &mut [f32], shape: &[i64], strides: &[i64]) -> pon_view {
        pon_view {
            data: numbers.as_mut_ptr().cast(),
            dtype: DType::F32 as i32,
            ndim: shape.len() as i32,
            shape: shape.as_ptr(),
            strides: if strides.is_empty() { std::ptr::null() } else { strides.as_ptr() },
            device_kind: 0,
            device_index: 0,
            flags: 0,
            reserved: 0,
        }
    }

    fn code(view: &pon_view) -> Code {
        // SAFETY: only the shape and the strides are read, which are real.
        unsafe { check(view, "view") }.map_or_else(|failure| failure.code, |_| Code::Ok)
    }

    #[test]
    fn backwards() {
        let mut numbers = [0., 1., 2., 3., 4., 5.];
        let (shape, strides) = ([3, 2], [-2, 1]);
        let mut seen_from = view(&mut numbers, &shape, &strides);
        seen_from.data = seen_from.data.cast::<f32>().wrapping_add(4).cast();
        let mut out = [0; 24];
        // SAFETY: rows 2, 1, 0 of `numbers`.
        unsafe { seen(&seen_from, "view") }.unwrap().copy_to(&mut out);
        let read: Vec<f32> = out.chunks(4).map(|four| f32::from_ne_bytes(four.try_into().unwrap())).collect();
        assert_eq!(read, [4., 5., 2., 3., 0., 1.]);
    }

    #[test]
    fn refusals() {
        let mut n = [0.0; 4];
        let n = &mut n;
        assert_eq!(code(&view(n, &[2, 2], &[])), Code::Ok);
        assert_eq!(code(&view(n, &[-1], &[])), Code::Value);
        assert_eq!(code(&view(n, &[i64::MAX, i64::MAX], &[])), Code::Value);
        assert_eq!(code(&view(n, &[i64::MAX, i64::MAX, 0], &[])), Code::Value);
        assert_eq!(code(&view(n, &[i64::MAX], &[])), Code::Value);
        assert_eq!(code(&view(n, &[i64::MAX], &[i64::MIN])), Code::Value);
        assert_eq!(code(&view(n, &[2], &[i64::MIN])), Code::Value);
        assert_eq!(code(&view(n, &[2], &[i64::MAX])), Code::Value);
        assert_eq!(code(&view(n, &[1; 33], &[])), Code::Value);
        assert_eq!(code(&pon_view { ndim: -1, ..view(n, &[2], &[]) }), Code::Value);
        assert_eq!(code(&pon_view { data: std::ptr::null_mut(), ..view(n, &[2], &[]) }), Code::Null);
        assert_eq!(code(&pon_view { data: std::ptr::null_mut(), ..view(n, &[0, 2], &[]) }), Code::Ok);
        assert_eq!(code(&pon_view { shape: std::ptr::null(), ..view(n, &[2], &[]) }), Code::Null);
        assert_eq!(code(&pon_view { dtype: 99, ..view(n, &[2], &[]) }), Code::Value);
        assert_eq!(code(&pon_view { device_kind: 2, ..view(n, &[2], &[]) }), Code::Value);
        assert_eq!(code(&pon_view { flags: 2, ..view(n, &[2], &[]) }), Code::Value);
        assert_eq!(code(&pon_view { reserved: 1, ..view(n, &[2], &[]) }), Code::Value);
        assert_eq!(code(&pon_view { dtype: DType::F4 as i32, ..view(n, &[3], &[]) }), Code::Value);
        assert_eq!(code(&pon_view { dtype: DType::F4 as i32, ..view(n, &[4], &[1]) }), Code::Value);
        assert_eq!(code(&pon_view { dtype: DType::F4 as i32, ..view(n, &[0], &[1]) }), Code::Value);
    }
}
