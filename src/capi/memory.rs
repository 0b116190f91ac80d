//! The bytes behind a tensor that a caller may write: ours, or lent by the host.

use crate::tensor::Keeper;
use std::{
    alloc::{self, Layout},
    any::Any,
    ptr::NonNull,
    slice,
};

/// Bytes at a fixed address. Writing them is the caller's business while nobody else holds them, see
/// `pon_tensor_view_mut`; the library only reads them, inside its calls.
pub struct Memory {
    address: NonNull<u8>,
    length: usize,
    writable: bool,
    /// What ends with the memory.
    _owner: Box<dyn Any + Send + Sync>,
}

// SAFETY: bytes that are read from any thread; the header forbids to write them meanwhile.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

struct Block {
    address: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a block of the allocator, used by its `Memory` alone.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout in `Memory::new`, freed once.
        unsafe { alloc::dealloc(self.address.as_ptr(), self.layout) }
    }
}

impl Memory {
    /// `length` noughts at a multiple of 64; none if they can not be had.
    pub fn new(length: usize) -> Option<Memory> {
        let layout = Layout::from_size_align(length.max(1), 64).ok()?;
        // SAFETY: the layout is not empty.
        let address = NonNull::new(unsafe { alloc::alloc_zeroed(layout) })?;
        Some(Memory { address, length, writable: true, _owner: Box::new(Block { address, layout }) })
    }

    /// Bytes of the host, until `owner` is dropped.
    ///
    /// # Safety
    /// `length` readable bytes at `address` (which may be NULL if there are none) for as long as `owner` lives; nobody
    /// writes them while the library reads them.
    pub unsafe fn lent(address: *mut u8, length: usize, writable: bool, owner: Box<dyn Any + Send + Sync>) -> Memory {
        Memory { address: NonNull::new(address).unwrap_or(NonNull::dangling()), length, writable, _owner: owner }
    }

    /// Where it begins.
    pub fn address(&self) -> *mut u8 {
        self.address.as_ptr()
    }

    /// Whether the caller may write it while it holds it alone.
    pub fn writable(&self) -> bool {
        self.writable
    }

    /// The bytes, before anybody else has seen them.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: our own new block or the host's, which `&mut` says nobody else uses.
        unsafe { slice::from_raw_parts_mut(self.address.as_ptr(), self.length) }
    }
}

impl Keeper for Memory {
    fn bytes(&self) -> &[u8] {
        // SAFETY: alive as long as `self`, and not written meanwhile (see the type).
        unsafe { slice::from_raw_parts(self.address.as_ptr(), self.length) }
    }
}
