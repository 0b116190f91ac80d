//! Structs that open with `struct_size`, so that they may grow.
//!
//! In: a size of an earlier version is taken, its missing tail is nought, which is the default everywhere; a larger struct is
//! taken if all that this library does not know is nought. Out: what the caller's struct has no room for is left out, what
//! is beyond ours becomes nought.

use super::failure::{Answer, Failure};
use crate::faults::Code;
use std::{mem::MaybeUninit, ptr};

/// A struct of the header that opens with its size.
///
/// # Safety
/// `repr(C)`, opens with a `u32` size, has no padding, and all noughts is a value of it.
pub unsafe trait Sized32: Copy {
    /// Sizes of the versions published before this one.
    const EARLIER: &'static [usize] = &[];
}

/// Declares structs that open with their size.
macro_rules! sized {
    ($($name:ty),* $(,)?) => { $(
        // SAFETY: `repr(C)`, the size first, all of it plain numbers, pointers and nullable functions; `-Wpadded` in the
        // tests of the header refuses padding.
        unsafe impl $crate::capi::options::Sized32 for $name {}
    )* };
}
pub(super) use sized;

/// Reads a struct of the caller; `None` for NULL.
///
/// # Safety
/// NULL, or as many readable bytes as its `struct_size` says, at least four.
pub unsafe fn read<T: Sized32>(from: *const T, name: &'static str) -> Answer<Option<T>> {
    if from.is_null() {
        return Ok(None);
    }
    // SAFETY: passed on.
    let size = unsafe { size(from, name)? };
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the caller promises `size` bytes, and the copy is not longer than either side.
    unsafe {
        ptr::copy_nonoverlapping(from.cast::<u8>(), value.as_mut_ptr().cast::<u8>(), size.min(size_of::<T>()));
    }
    for at in size_of::<T>()..size {
        // SAFETY: below the size that the caller promises.
        if unsafe { from.cast::<u8>().add(at).read() } != 0 {
            return Err(Failure::of(Code::StructSize, name));
        }
    }
    // SAFETY: all noughts is a value, and what was copied is the caller's value of the same struct.
    Ok(Some(unsafe { value.assume_init() }))
}

/// Reads a struct of the caller that must be there.
///
/// # Safety
/// As [`read`].
pub unsafe fn need<T: Sized32>(from: *const T, name: &'static str) -> Answer<T> {
    // SAFETY: passed on.
    unsafe { read(from, name)? }.ok_or(Failure::of(Code::Null, name))
}

/// A field or argument that is 0 or 1.
pub fn flag(said: i32, name: &'static str) -> Answer<bool> {
    if (0..=1).contains(&said) { Ok(said == 1) } else { Err(Failure::of(Code::Value, name)) }
}

/// A struct of the caller to be written.
pub struct Target<T> {
    to: *mut T,
    size: usize,
}

impl<T: Sized32> Target<T> {
    /// Checks it; nothing is written yet.
    ///
    /// # Safety
    /// NULL, or as many bytes as its `struct_size` says, at least four, that nobody else uses while this lives.
    pub unsafe fn new(to: *mut T, name: &'static str) -> Answer<Target<T>> {
        if to.is_null() {
            return Err(Failure::of(Code::Null, name));
        }
        // SAFETY: passed on.
        Ok(Target { to, size: unsafe { size(to, name)? } })
    }

    /// Writes it; the size in the caller's struct stays.
    pub fn write(self, value: T) {
        let (head, known) = (size_of::<u32>(), self.size.min(size_of::<T>()));
        let from = (&raw const value).cast::<u8>();
        // SAFETY: `new` was promised `size` bytes; `known` bytes are in both, and the head of both is the size.
        unsafe {
            ptr::copy_nonoverlapping(from.add(head), self.to.cast::<u8>().add(head), known - head);
            ptr::write_bytes(self.to.cast::<u8>().add(known), 0, self.size - known);
        }
    }
}

/// The size that a struct states, if it is one of ours or larger.
///
/// # Safety
/// At least four readable bytes.
unsafe fn size<T: Sized32>(from: *const T, name: &'static str) -> Answer<usize> {
    if !from.is_aligned() {
        return Err(Failure::of(Code::Value, name));
    }
    // SAFETY: aligned, and the caller promises four bytes.
    let size = unsafe { from.cast::<u32>().read() } as usize;
    if size >= size_of::<T>() && size <= 1 << 16 || T::EARLIER.contains(&size) {
        return Ok(size);
    }
    Err(Failure::of(Code::StructSize, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C)]
    #[derive(Clone, Copy, Debug, Default)]
    struct Two {
        struct_size: u32,
        first: u32,
        second: u64,
    }

    // SAFETY: `repr(C)`, size first, numbers alone.
    unsafe impl Sized32 for Two {
        const EARLIER: &'static [usize] = &[8];
    }

    #[repr(C)]
    #[derive(Clone, Copy, Debug, Default)]
    struct Larger {
        two: Two,
        later: u64,
    }

    fn taken(larger: &Larger) -> Answer<Option<Two>> {
        // SAFETY: no size in these tests is above that of `Larger`.
        unsafe { read((&raw const *larger).cast::<Two>(), "o") }
    }

    #[test]
    fn sizes() {
        let mut larger = Larger { two: Two { struct_size: 8, first: 5, second: 6 }, later: 0 };
        assert_eq!(taken(&larger).unwrap().map(|two| (two.first, two.second)), Some((5, 0)));
        larger.two.struct_size = 24;
        assert_eq!(taken(&larger).unwrap().map(|two| (two.first, two.second)), Some((5, 6)));
        larger.later = 1;
        assert_eq!(taken(&larger).unwrap_err().code, Code::StructSize);
        for size in [0, 4, 7, 9, 12, 15, u32::MAX] {
            larger.two.struct_size = size;
            assert_eq!(taken(&larger).unwrap_err().code, Code::StructSize);
        }
    }

    #[test]
    fn written() {
        for (size, second, later) in [(8, 6, 7), (16, 9, 7), (24, 9, 0)] {
            let mut larger = Larger { two: Two { struct_size: size, first: 5, second: 6 }, later: 7 };
            // SAFETY: as above.
            let target = unsafe { Target::new((&raw mut larger).cast::<Two>(), "o") }.unwrap();
            target.write(Two { struct_size: 0, first: 8, second: 9 });
            let Two { struct_size, first, second: got } = larger.two;
            assert_eq!((struct_size, first, got, larger.later), (size, 8, second, later));
        }
    }
}
