//! Counted arrays.

use super::{
    context::{self, Release, pon_context, pon_drop_fn},
    dtype::{self, pon_dtype},
    failure::{Answer, Failure},
    handle::{self, Handle},
    memory::Memory,
    status::pon_status,
    view::{self, Checked, PON_VIEW_READ_ONLY, pon_view},
};
use crate::{
    faults::{Code, Faults},
    tensor::{DType, Storage, Tensor, cast, count},
};
use std::{ffi::c_void, sync::Arc};

/// A counted array of numbers.
pub struct pon_tensor(());

impl Handle for pon_tensor {
    type Inner = Held;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.tens");
}

/// What stands behind a tensor.
pub struct Held {
    /// The array.
    pub tensor: Tensor,
    /// Its bytes, if they were made or lent here.
    memory: Option<Arc<Memory>>,
}

impl Held {
    /// An array whose bytes belong to something else as well.
    pub fn shared(tensor: Tensor) -> Held {
        Held { tensor, memory: None }
    }

    /// New memory of at most so many bytes, written by `fill`.
    fn filled(dtype: DType, shape: &[usize], most: u64, fill: impl FnOnce(&mut [u8])) -> Answer<Held> {
        let length = count(shape).and_then(|count| dtype.bytes(count)).ok_or(Failure::of(Code::Value, "shape"))?;
        if length as u64 > most {
            return Err(Failure::of(Code::Limit, "shape"));
        }
        let mut memory = Memory::new(length).ok_or(Failure::of(Code::Memory, "shape"))?;
        fill(memory.bytes_mut());
        let memory = Arc::new(memory);
        let tensor = Tensor::packed(dtype, shape.to_vec(), Storage::kept(memory.clone())).ok_or(Code::Internal)?;
        Ok(Held { tensor, memory: Some(memory) })
    }

    /// An array over memory that was checked.
    pub fn over(checked: &Checked<'_>, memory: Memory) -> Answer<Held> {
        let memory = Arc::new(memory);
        let (shape, storage) = (checked.shape.to_vec(), Storage::kept(memory.clone()));
        let tensor = match checked.strides {
            None => Tensor::packed(checked.dtype, shape, storage),
            Some(strides) => Tensor::strided(checked.dtype, shape, strides.to_vec(), checked.first, storage),
        };
        Ok(Held { tensor: tensor.ok_or(Code::Internal)?, memory: Some(memory) })
    }
}

/// Makes an array of noughts.
/// Owns: the caller owns `*out` and frees it with `pon_tensor_free`.
/// Nullable: context (default limits), shape (if ndim is 0).
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_LIMIT, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_tensor_new(
    context: *const pon_context,
    dtype: pon_dtype,
    ndim: i32,
    shape: *const i64,
    out: *mut *mut pon_tensor,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, &mut Faults::default())?) };
        // SAFETY: the caller's promise.
        let shape = unsafe { view::shape(ndim, shape, "shape")? };
        let held = Held::filled(dtype::of(dtype, "dtype")?, shape, context.limits.tensor_bytes, |_| ())?;
        out.write(handle::give(held));
        Ok(())
    })
}

/// Copies numbers into an array of its own, packed.
/// Owns: the caller owns `*out` and frees it with `pon_tensor_free`; `from` is used during the call only.
/// Nullable: context (default limits).
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_LIMIT, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_tensor_copy(
    context: *const pon_context,
    from: *const pon_view,
    out: *mut *mut pon_tensor,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, &mut Faults::default())?) };
        // SAFETY: the caller's promise.
        let from = unsafe { view::seen(from, "from")? };
        out.write(handle::give(Held::filled(from.dtype, from.shape, context.limits.tensor_bytes, |to| {
            from.copy_to(to)
        })?));
        Ok(())
    })
}

/// Makes an array over numbers of the caller, without a copy.
/// Owns: the caller owns `*out` and frees it with `pon_tensor_free`. The numbers must stay until `release` is called, once,
/// on whichever thread uses them last; `shape` and `strides` are used during the call only. On failure `release` is not called.
/// Nullable: release, userdata.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_VALUE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_tensor_wrap(
    from: *const pon_view,
    release: pon_drop_fn,
    userdata: *mut c_void,
    out: *mut *mut pon_tensor,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (out, from) = unsafe { (handle::out(out, "out")?, view::check(from, "from")?) };
        let owner = Box::new(Release::new(release, userdata));
        // SAFETY: the caller promises the numbers until `release`.
        let memory = unsafe { Memory::lent(from.lowest, from.length, from.writable, owner) };
        out.write(handle::give(Held::over(&from, memory)?));
        Ok(())
    })
}

/// Makes one more handle of the same numbers.
/// Owns: the caller owns `*out` and frees it with `pon_tensor_free`, before or after `tensor`.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_tensor_share(tensor: *const pon_tensor, out: *mut *mut pon_tensor) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(tensor, "tensor")?, handle::out(out, "out")?) };
        out.write(handle::give(Held { tensor: held.tensor.clone(), memory: held.memory.clone() }));
        Ok(())
    })
}

/// Lends the numbers to be read.
/// Owns: the view belongs to `tensor` and ends with it.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_tensor_view(tensor: *const pon_tensor, out: *mut pon_view) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(tensor, "tensor")?, handle::out(out, "out")?) };
        out.write(view::lend(&held.tensor));
        Ok(())
    })
}

/// Lends the numbers to be written; refused while anything else holds them or if they are read only.
/// Owns: the view belongs to `tensor` and ends with it, or when `tensor` is shared, saved, or put into anything.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_SHARED.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_tensor_view_mut(tensor: *mut pon_tensor, out: *mut pon_view) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get_mut(tensor, "tensor")?, handle::out(out, "out")?) };
        let shared = Failure::of(Code::Shared, "tensor");
        let memory = held.memory.as_ref().ok_or(shared)?;
        // One count for `memory`, one for the storage of `tensor`.
        if !memory.writable() || !held.tensor.is_alone() || Arc::strong_count(memory) > 2 {
            return Err(shared);
        }
        let lent = view::lend(&held.tensor);
        let below = lent.data.addr() - memory.address().addr();
        let data = memory.address().wrapping_add(below).cast();
        out.write(pon_view { data, flags: lent.flags & !PON_VIEW_READ_ONLY, ..lent });
        Ok(())
    })
}

/// Makes an array of the same numbers in another element type; shares them if the type is theirs already.
/// Real and whole numbers and BOOL are taken. To a float: nearest, ties to even. To a whole number: towards 0, held within
/// its range, NaN is 0. To BOOL: whether it is not 0.
/// Owns: the caller owns `*out` and frees it with `pon_tensor_free`.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (a type that is not taken), PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_tensor_cast(
    tensor: *const pon_tensor,
    to: pon_dtype,
    out: *mut *mut pon_tensor,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(tensor, "tensor")?, handle::out(out, "out")?) };
        let (from, to) = (&held.tensor, dtype::of(to, "to")?);
        if from.dtype() == to {
            out.write(handle::give(Held { tensor: from.clone(), memory: held.memory.clone() }));
            return Ok(());
        }
        if !cast::can(from.dtype(), to) {
            return Err(Failure::of(Code::Value, "to"));
        }
        let packed = from.to_packed().ok_or(Failure::of(Code::Memory, "tensor"))?;
        let bytes = packed.packed_bytes().ok_or(Code::Internal)?;
        let fill = |room: &mut [u8]| cast::cast(from.dtype(), bytes, to, room);
        out.write(handle::give(Held::filled(to, from.shape(), u64::MAX, fill)?));
        Ok(())
    })
}

/// Frees a handle; the numbers go with the last one that holds them.
/// Owns: takes `tensor`.
/// Nullable: tensor (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_tensor_free(tensor: *mut pon_tensor) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(tensor) } })
}
