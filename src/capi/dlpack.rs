//! DLPack 1.x, both ways, without a copy.

use super::{
    failure::{Answer, Failure},
    handle,
    memory::Memory,
    status::pon_status,
    tensor::{Held, pon_tensor},
    view::{self, pon_view},
};
use crate::{
    faults::Code,
    tensor::{DType, Tensor},
};
use std::ffi::c_void;

/// The number of DLPack's own interface that this file speaks; the minor one tells what is exported.
const MAJOR: u32 = 1;
const MINOR: u32 = 1;
/// `kDLCPU`.
const CPU: i32 = 1;
const READ_ONLY: u64 = 1;

/// `DLManagedTensorVersioned` of dlpack.h.
#[repr(C)]
#[allow(missing_docs)]
pub struct DLManagedTensorVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
    flags: u64,
    data: *mut c_void,
    device_kind: i32,
    device_index: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// Element types by DLPack's code and bits.
const TYPES: &[(u8, u8, DType)] = &[
    (0, 8, DType::I8),
    (0, 16, DType::I16),
    (0, 32, DType::I32),
    (0, 64, DType::I64),
    (1, 8, DType::U8),
    (1, 16, DType::U16),
    (1, 32, DType::U32),
    (1, 64, DType::U64),
    (2, 16, DType::F16),
    (2, 32, DType::F32),
    (2, 64, DType::F64),
    (4, 16, DType::BF16),
    (5, 64, DType::C64),
    (5, 128, DType::C128),
    (6, 8, DType::Bool),
    (10, 8, DType::F8E4M3),
    (11, 8, DType::F8E4M3Fnuz),
    (12, 8, DType::F8E5M2),
    (13, 8, DType::F8E5M2Fnuz),
    (14, 8, DType::F8E8M0),
];

/// A tensor of another library, to be given back.
struct Taken(*mut DLManagedTensorVersioned);

// SAFETY: only its deleter is called, which DLPack lets be called from any thread.
unsafe impl Send for Taken {}
// SAFETY: as above.
unsafe impl Sync for Taken {}

impl Drop for Taken {
    fn drop(&mut self) {
        // SAFETY: ours since `pon_tensor_from_dlpack` took it, given back once.
        unsafe {
            if let Some(deleter) = (*self.0).deleter {
                deleter(self.0);
            }
        }
    }
}

/// What stands behind a tensor of ours in other hands; the first field is what they see.
#[repr(C)]
struct Given {
    managed: DLManagedTensorVersioned,
    tensor: Tensor,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

/// Takes an array of another library over, without a copy.
/// Owns: the caller owns `*out` and frees it with `pon_tensor_free`; `managed` is taken on success only, and its deleter is
/// called once, on whichever thread uses the numbers last.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_ABI (another major version), PON_E_VALUE (another device, type or shape than the library takes).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_tensor_from_dlpack(
    managed: *mut DLManagedTensorVersioned,
    out: *mut *mut pon_tensor,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        // SAFETY: the caller's promise.
        let theirs = unsafe { handle::list(managed.cast_const(), 1, "managed")? };
        let [theirs] = theirs else { return Err(Failure::of(Code::Null, "managed")) };
        if theirs.major != MAJOR {
            return Err(Failure::of(Code::Abi, "managed"));
        }
        let (view, writable) = (as_view(theirs)?, theirs.flags & READ_ONLY == 0);
        // SAFETY: the caller's promise: DLPack's rules for shape and strides.
        let checked = unsafe { view::check(&view, "managed")? };
        let writable = writable && checked.writable;
        // SAFETY: the numbers stay until the deleter is called, which `Taken` does.
        let memory = unsafe { Memory::lent(checked.lowest, checked.length, writable, Box::new(Taken(managed))) };
        out.write(handle::give(Held::over(&checked, memory)?));
        Ok(())
    })
}

fn as_view(managed: &DLManagedTensorVersioned) -> Answer<pon_view> {
    let wrong = Failure::of(Code::Value, "managed");
    let same = |row: &&(u8, u8, DType)| (row.0, row.1) == (managed.code, managed.bits);
    let &(_, _, dtype) = TYPES.iter().find(same).ok_or(wrong)?;
    if managed.device_kind != CPU || managed.lanes != 1 {
        return Err(wrong);
    }
    let offset = usize::try_from(managed.byte_offset).map_err(|_| wrong)?;
    let data = match managed.data.is_null() {
        true => managed.data,
        false if managed.data.addr().checked_add(offset).is_none() => return Err(wrong),
        false => managed.data.cast::<u8>().wrapping_add(offset).cast(),
    };
    Ok(pon_view {
        data,
        dtype: dtype as i32,
        ndim: managed.ndim,
        shape: managed.shape,
        strides: managed.strides,
        device_kind: view::PON_DEVICE_CPU,
        device_index: 0,
        flags: 0,
        reserved: 0,
    })
}

/// Hands an array to another library, without a copy and read only.
/// Owns: the caller owns `*out` and calls its deleter once, on any thread, before or after `tensor` is freed.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (a type that DLPack has not, or of no whole bytes).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_tensor_to_dlpack(
    tensor: *const pon_tensor,
    out: *mut *mut DLManagedTensorVersioned,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(tensor, "tensor")?, handle::out(out, "out")?) };
        let dtype = held.tensor.dtype();
        let row = TYPES.iter().find(|row| row.2 == dtype).ok_or(Failure::of(Code::Value, "tensor"))?;
        let lent = view::lend(&held.tensor);
        let given = Given {
            managed: DLManagedTensorVersioned {
                major: MAJOR,
                minor: MINOR,
                context: std::ptr::null_mut(),
                deleter: Some(give_back),
                flags: READ_ONLY,
                data: lent.data,
                device_kind: CPU,
                device_index: 0,
                ndim: lent.ndim,
                code: row.0,
                bits: row.1,
                lanes: 1,
                shape: std::ptr::null_mut(),
                strides: std::ptr::null_mut(),
                byte_offset: 0,
            },
            tensor: held.tensor.clone(),
            shape: held.tensor.shape().iter().map(|&length| length as i64).collect(),
            strides: view::strides(&held.tensor),
        };
        let given = Box::into_raw(Box::new(given));
        // SAFETY: just made, and nobody else has it yet. The vectors are not touched again before they are dropped.
        unsafe {
            (*given).managed.shape = (*given).shape.as_mut_ptr();
            (*given).managed.strides = (*given).strides.as_mut_ptr();
            (*given).managed.context = given.cast();
        }
        out.write(given.cast());
        Ok(())
    })
}

/// The deleter of what `pon_tensor_to_dlpack` made.
unsafe extern "C" fn give_back(managed: *mut DLManagedTensorVersioned) {
    guard!(or(), {
        if !managed.is_null() {
            // SAFETY: the first field of a `Given` that `pon_tensor_to_dlpack` boxed, given back once.
            let given = unsafe { Box::from_raw(managed.cast::<Given>()) };
            drop(given.tensor);
        }
        Ok(())
    })
}
