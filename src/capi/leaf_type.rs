//! Structured leaves: types of the host's own, matrices, gradients.

use super::{
    context::{self, Context, Release, Userdata, pon_context, pon_drop_fn},
    failure::Failure,
    faults::{List, pon_faults},
    handle,
    options::{self, flag, sized},
    params::{self, pon_params},
    status::{PON_OK, pon_status},
    tensor::{self, pon_tensor},
    text,
    value::pon_node,
    view::{self, pon_view},
};
use crate::{
    faults::{Code, Fault, Faults, quoted},
    params::{
        Params,
        leaf::{LeafType, StructuredLeaf},
    },
    tensor::{Storage, Tensor, count},
};
use std::{
    ffi::{c_char, c_void},
    ptr,
    sync::Arc,
};

/// Teaches the library one type of structured leaves. Every function may be NULL: what needs it is refused. They are called on
/// threads that are in a call with something made with the context, several at once, and must not unwind; what they are
/// handed lives through their call. `params` is a set whose root, `leaf`, is the structured leaf.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_leaf_type {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Handed to all functions.
    pub userdata: *mut c_void,
    /// Called once when nothing needs the type any more, or NULL.
    pub drop: pon_drop_fn,
    /// Answers PON_OK if storage and metadata fit; any other status is a fault.
    pub check: Option<
        unsafe extern "C" fn(
            userdata: *mut c_void,
            params: *const pon_params,
            leaf: pon_node,
            faults: *mut pon_faults,
        ) -> pon_status,
    >,
    /// Tells the rows and columns of the matrix.
    pub dense_shape: Option<
        unsafe extern "C" fn(
            userdata: *mut c_void,
            params: *const pon_params,
            leaf: pon_node,
            rows: *mut i64,
            columns: *mut i64,
        ) -> pon_status,
    >,
    /// Writes the matrix: `out` is packed, of the shape columns, rows and of the element type of the storage.
    pub dense: Option<
        unsafe extern "C" fn(
            userdata: *mut c_void,
            params: *const pon_params,
            leaf: pon_node,
            out: *const pon_view,
        ) -> pon_status,
    >,
    /// Puts the gradient over the storage into `out`, whose node `out_leaf` is a copy of the leaf: dL/dS_k, the sum of
    /// G_ij dD_ij/dS_k over the entries of the matrix D and its cotangent G, which has the shape columns, rows.
    pub gradient: Option<
        unsafe extern "C" fn(
            userdata: *mut c_void,
            params: *const pon_params,
            leaf: pon_node,
            cotangent: *const pon_view,
            out: *mut pon_params,
            out_leaf: pon_node,
            faults: *mut pon_faults,
        ) -> pon_status,
    >,
}
sized!(pon_leaf_type);

/// A type of the host's.
struct HostType {
    calls: pon_leaf_type,
    userdata: Userdata,
    _release: Release,
}

// SAFETY: functions of the host, which the header says are called on any thread, and their userdata.
unsafe impl Send for HostType {}
// SAFETY: as above.
unsafe impl Sync for HostType {}

/// A set that is lent to the host for a call.
pub(super) struct LentSet(pub(super) *mut pon_params);

impl LentSet {
    /// A set of this context.
    pub fn new(params: Params, context: Arc<Context>) -> LentSet {
        LentSet(handle::give(params::Held::new(params, context)))
    }

    /// The set as the host left it.
    pub fn take(mut self) -> Result<Params, Fault> {
        let handle = std::mem::replace(&mut self.0, ptr::null_mut());
        // SAFETY: made in `new`; a host that freed it is seen by the mark.
        let held = unsafe { handle::take(handle, "out") }
            .map_err(|_| Fault::new(Code::State, "The host freed what it was lent."))?;
        Ok(held.params)
    }
}

impl Drop for LentSet {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: as in `take`.
            let _ = unsafe { handle::free(self.0) };
        }
    }
}

impl HostType {
    /// Calls the host with a list of faults of its own, and says what it answered.
    fn called(
        &self,
        leaf: StructuredLeaf<'_>,
        call: impl FnOnce(*const pon_params, *mut pon_faults) -> pon_status,
    ) -> Result<(), Faults> {
        let one = |fault: Fault| {
            let mut faults = Faults::default();
            faults.push(fault);
            faults
        };
        let set = LentSet::new(leaf.params.subtree(leaf.node).map_err(one)?, Arc::default());
        let list = handle::give::<pon_faults>(List::default());
        let status = call(set.0, list);
        let mut said = Faults::default();
        // SAFETY: made above; a host that freed it is seen by the mark.
        if let Ok(list) = unsafe { handle::take(list, "faults") } {
            said.append(list.into_faults());
        }
        if status == PON_OK {
            return Ok(());
        }
        if said.is_empty() {
            let path = leaf.path();
            let message = format!("The host refused the leaf '{}' of the type '{}'.", quoted(&path), leaf.type_name());
            said.push(Fault::new(Code::from_number(status).unwrap_or(Code::Value), message).path(path));
        }
        Err(said)
    }

    fn lacks(&self, leaf: StructuredLeaf<'_>, what: &str) -> Fault {
        let path = leaf.path();
        let message =
            format!("The type '{}' of '{}' was registered without `{what}`.", leaf.type_name(), quoted(&path));
        Fault::new(Code::Type, message).path(path)
    }
}

fn first(faults: Faults) -> Fault {
    faults.iter().next().cloned().unwrap_or_else(|| Fault::new(Code::Value, "The host refused a leaf."))
}

impl LeafType for HostType {
    fn check(&self, leaf: StructuredLeaf<'_>, faults: &mut Faults) {
        let Some(check) = self.calls.check else { return };
        // SAFETY: the function and the userdata the host gave; what it is handed lives through the call.
        let called = self.called(leaf, |set, list| unsafe { check(self.userdata.0, set, Params::ROOT, list) });
        if let Err(said) = called {
            faults.append(said);
        }
    }

    fn dense_shape(&self, leaf: StructuredLeaf<'_>) -> Result<[usize; 2], Fault> {
        let call = self.calls.dense_shape.ok_or_else(|| self.lacks(leaf, "dense_shape"))?;
        let (mut rows, mut columns) = (-1, -1);
        // SAFETY: as above.
        let called = self.called(leaf, |set, _| unsafe {
            call(self.userdata.0, set, Params::ROOT, &raw mut rows, &raw mut columns)
        });
        called.map_err(first)?;
        match (usize::try_from(columns), usize::try_from(rows)) {
            (Ok(columns), Ok(rows)) => Ok([columns, rows]),
            _ => Err(Fault::new(Code::Shape, "The host gave a matrix of less than no rows or columns.")),
        }
    }

    fn dense(&self, leaf: StructuredLeaf<'_>) -> Result<Tensor, Fault> {
        let call = self.calls.dense.ok_or_else(|| self.lacks(leaf, "dense"))?;
        let shape = self.dense_shape(leaf)?;
        let mut faults = Faults::default();
        let dtype = leaf.params.eltype(leaf.node, &mut faults).map_err(|_| first(faults))?;
        let dtype = dtype.ok_or_else(|| Fault::new(Code::Eltype, "A leaf without numbers has no matrix."))?;
        let length = count(&shape).and_then(|numbers| dtype.bytes(numbers));
        let mut called = Ok(());
        let storage = length.and_then(|length| {
            Storage::filled(length, |bytes| {
                let out = view::over(dtype, &shape, bytes);
                // SAFETY: as above; the bytes are written by this call alone.
                called =
                    self.called(leaf, |set, _| unsafe { call(self.userdata.0, set, Params::ROOT, &raw const out) });
            })
        });
        called.map_err(first)?;
        let dense = storage.and_then(|storage| Tensor::packed(dtype, shape.to_vec(), storage));
        dense.ok_or_else(|| Fault::new(Code::Memory, "There is no memory for the matrix of a leaf."))
    }

    fn gradient(&self, leaf: StructuredLeaf<'_>, cotangent: &Tensor) -> Result<Params, Fault> {
        let call = self.calls.gradient.ok_or_else(|| self.lacks(leaf, "gradient"))?;
        let out = LentSet::new(leaf.params.subtree(leaf.node)?, Arc::default());
        let lent = view::lend(cotangent);
        // SAFETY: as above.
        let called = self.called(leaf, |set, list| unsafe {
            call(self.userdata.0, set, Params::ROOT, &raw const lent, out.0, Params::ROOT, list)
        });
        called.map_err(first)?;
        out.take()
    }
}

/// Registers a type of structured leaves for all that is made with the context; one of the same name is forgotten. The eight
/// of GeometricOptimizers.jl are there from the start.
/// Owns: the context keeps a copy of `*leaf_type` until it and all that was made with it are freed, then calls `drop`. On
/// failure `drop` is not called.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_context_register_leaf(
    context: *mut pon_context,
    name: *const c_char,
    name_len: usize,
    leaf_type: *const pon_leaf_type,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (context, name) = unsafe { (handle::get_mut(context, "context")?, text::take(name, name_len, "name")?) };
        // SAFETY: the caller's promise.
        let calls = unsafe { options::need(leaf_type, "leaf_type")? };
        if calls.reserved != 0 || name.is_empty() {
            return Err(Failure::of(Code::Value, if name.is_empty() { "name" } else { "reserved" }));
        }
        let release = Release::new(calls.drop, calls.userdata);
        let host = HostType { calls, userdata: Userdata(calls.userdata), _release: release };
        context.register(name, Arc::new(host));
        Ok(())
    })
}

/// Checks every structured leaf of a set against its type. `keep` is 1 to pass over types that nobody registered, else 0.
/// Owns: nothing.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_TYPE, PON_E_SHAPE, PON_E_KIND, PON_E_NO_PATH, PON_E_ELTYPE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_check(params: *const pon_params, keep: i32, faults: *mut pon_faults) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let held = unsafe { handle::get(params, "params")? };
        let keep = flag(keep, "keep")?;
        Ok(held.context.leaf_types().check(&held.params, keep, faults)?)
    })
}

/// Gives a structured leaf as its matrix, in the element type of its storage, of the shape columns, rows; an array or number as
/// itself.
/// Owns: the caller owns `*out` and frees it with `pon_tensor_free`.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_KIND, PON_E_TYPE (nobody registered it), PON_E_SHAPE, PON_E_ELTYPE,
/// PON_E_LIMIT, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_dense(
    params: *const pon_params,
    node: pon_node,
    out: *mut *mut pon_tensor,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(params, "params")?, handle::out(out, "out")?) };
        let types = held.context.leaf_types();
        let dense = types.dense(&held.params, node, &held.context.limits).map_err(|fault| faults.refuse(fault))?;
        out.write(handle::give(tensor::Held::shared(dense)));
        Ok(())
    })
}

/// Makes the structured leaf of a type that is nearest to a matrix (of the shape columns, rows), as the root of a set: of a
/// symmetric matrix half the sum with its transpose, of a skew-symmetric one half the difference, of a triangular one its
/// triangle; a lift has the number `n` of columns of its blocks, others take 0.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`.
/// Nullable: context (the built-in types), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE, PON_E_TYPE (unknown, or without such a rule), PON_E_SHAPE,
/// PON_E_ELTYPE, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_project(
    context: *const pon_context,
    type_name: *const c_char,
    type_name_len: usize,
    matrix: *const pon_view,
    n: i64,
    out: *mut *mut pon_params,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (context, out) = unsafe { (context::of(context, faults)?, handle::out(out, "out")?) };
        // SAFETY: the caller's promise.
        let (name, seen) =
            unsafe { (text::take(type_name, type_name_len, "type_name")?, view::seen(matrix, "matrix")?) };
        let copy = seen.to_tensor().ok_or(Failure::of(Code::Memory, "matrix"))?;
        let made = context.leaf_types().project(name, &copy, &[("n", n)]).map_err(|fault| faults.refuse(fault))?;
        out.write(handle::give(params::Held::new(made, context)));
        Ok(())
    })
}

/// Makes a structured leaf of the type and metadata of another, with a storage of the host's: that node of `numbers` with all
/// below it, in any element type. It is the root of the set that is made; `pon_params_replace` puts it where it belongs, and
/// `pon_params_check` says whether the storage fits.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`; the numbers are shared.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_KIND (no structured leaf), PON_E_STATE (a reference leads out of the
/// storage).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_rebuild(
    params: *const pon_params,
    leaf: pon_node,
    numbers: *const pon_params,
    storage: pon_node,
    out: *mut *mut pon_params,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, numbers) = unsafe { (handle::get(params, "params")?, handle::get(numbers, "numbers")?) };
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        let made = held.params.rebuild(leaf, &numbers.params, storage).map_err(|fault| faults.refuse(fault))?;
        out.write(handle::give(params::Held::new(made, held.context.clone())));
        Ok(())
    })
}
