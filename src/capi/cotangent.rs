//! Gradients of a parameter set: its own over storage, and the host's over each leaf and its cotangent.

use super::{
    failure::Failure,
    faults::{List, pon_faults},
    handle,
    leaf_type::LentSet,
    params::{self, pon_params},
    status::{PON_OK, pon_status},
    value::pon_node,
};
use crate::{
    faults::{Code, Fault, Faults, Severity, quoted},
    params::{
        At, Kind, Leaf, Params,
        leaf::{map_cotangent, storage_gradient},
    },
};
use std::{ffi::c_void, ptr, sync::Arc};

/// Called for a leaf and its cotangent, never for a hole; puts what it makes into the leaf `out_leaf` of `out`, which begins as
/// a copy of the leaf: with `pon_params_storage_gradient`, `pon_params_set` or `pon_params_replace`. An answer that is not
/// PON_OK is a fault of that leaf; the walk goes on to find all. Called on the thread of the call alone; must not unwind.
pub type pon_cotangent_fn = Option<
    unsafe extern "C" fn(
        userdata: *mut c_void,
        params: *const pon_params,
        leaf: pon_node,
        cotangent: *const pon_params,
        cotangent_leaf: pon_node,
        out: *mut pon_params,
        out_leaf: pon_node,
        faults: *mut pon_faults,
    ) -> pon_status,
>;

/// Makes the gradient of a set over the numbers it stores, of the cotangent that a reverse pass left of it. A structured leaf
/// takes a cotangent of its matrix by its type's rule, one of its fields, or a structured leaf that holds gradients already. A
/// hole (nothing, a number 0, a branch without children, a key that is not there) becomes zero; `*out` is NULL if the whole
/// cotangent is one. A parameter set takes a named branch of the one key `params`, or a parameter set, which is passed on
/// as it is.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_SHAPE, PON_E_TYPE, PON_E_KIND, PON_E_ELTYPE, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_gradient(
    params: *const pon_params,
    cotangent: *const pon_params,
    out: *mut *mut pon_params,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, cotangent) = unsafe { (handle::get(params, "params")?, handle::get(cotangent, "cotangent")?) };
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        let made = held.context.leaf_types().gradient(&held.params, &cotangent.params, faults)?;
        let give = |made| handle::give(params::Held::new(made, held.context.clone()));
        out.write(made.map_or(ptr::null_mut(), give));
        Ok(())
    })
}

/// Walks over a set and its cotangent as `pon_params_gradient` does, and makes a set of the same shape and keys; each leaf is
/// what the callback makes of the leaf and its cotangent. A hole becomes zero, of the element type of what the callback made
/// first, else of the leaf's (double precision for whole numbers), without a call; a leaf of nothing stays nothing. `*out` is
/// NULL if the whole cotangent is a hole.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`.
/// Nullable: userdata, faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_SHAPE (every misfit), PON_E_MEMORY, and what the callback answers.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_map_cotangent(
    params: *const pon_params,
    cotangent: *const pon_params,
    call: pon_cotangent_fn,
    userdata: *mut c_void,
    out: *mut *mut pon_params,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        let call = call.ok_or(Failure::of(Code::Null, "call"))?;
        // SAFETY: the caller's promise.
        let (held, other) = unsafe { (handle::get(params, "params")?, handle::get(cotangent, "cotangent")?) };
        // SAFETY: the caller's promise.
        let out = unsafe { handle::out(out, "out")? };
        // Copies, so that a host that changes a set in its callback harms nothing here.
        let (context, primal, second) = (held.context.clone(), held.params.clone(), other.params.clone());
        let mut told = Faults::default();
        let mut make = |leaf: At<'_>, at: At<'_>| {
            let mut holder = Params::new(Kind::List);
            let node = holder.graft(Params::ROOT, "", leaf.params, leaf.node)?;
            let (set, list) = (LentSet::new(holder, Arc::default()), handle::give::<pon_faults>(List::default()));
            // SAFETY: the function and the userdata the host gave; what is made for it lives through the call.
            let status = unsafe { call(userdata, params, leaf.node, cotangent, at.node, set.0, node, list) };
            // SAFETY: made above; a host that freed it is seen by the mark.
            let said = unsafe { handle::take(list, "faults") }.map(List::into_faults).unwrap_or_default();
            if status != PON_OK {
                return Err(refused(status, leaf, &said));
            }
            told.append(said);
            let made = set.take()?;
            match made.value(node) {
                Some(value) => Ok(Leaf::Value(value.clone())),
                None => made.subtree(node).map(Leaf::Structured),
            }
        };
        let made = map_cotangent(&primal, &second, &mut make, faults);
        faults.append(told);
        let give = |made| handle::give(params::Held::new(made, context));
        out.write(made?.map_or(ptr::null_mut(), give));
        Ok(())
    })
}

/// Puts the gradient of one leaf over its storage in the place of a leaf of another set: of an array or number its cotangent
/// in the leaf's element type, of a structured leaf what its type's rule makes, as `pon_params_gradient` says.
/// Owns: ends what `out` has lent.
/// Nullable: faults.
/// Threads: one at a time for `out`, which is another set than the two.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NO_PATH, PON_E_SHAPE, PON_E_TYPE, PON_E_KIND (a branch), PON_E_ELTYPE, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_storage_gradient(
    params: *const pon_params,
    leaf: pon_node,
    cotangent: *const pon_params,
    cotangent_leaf: pon_node,
    out: *mut pon_params,
    out_leaf: pon_node,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, other) = unsafe { (handle::get(params, "params")?, handle::get(cotangent, "cotangent")?) };
        // SAFETY: the caller's promise; looked up anew when it is changed, in case it is one of the two.
        unsafe { handle::get::<pon_params>(out, "out")? };
        let kind = held.params.kind(leaf).ok_or(Failure::of(Code::NoPath, "leaf"))?;
        other.params.kind(cotangent_leaf).ok_or(Failure::of(Code::NoPath, "cotangent_leaf"))?;
        if kind.is_branch() && kind != Kind::Structured {
            return Err(Failure::of(Code::Kind, "leaf"));
        }
        let pair = (At { params: &held.params, node: leaf }, At { params: &other.params, node: cotangent_leaf });
        let made =
            storage_gradient(&held.context.leaf_types(), pair.0, pair.1).map_err(|fault| faults.refuse(fault))?;
        // SAFETY: the caller's promise.
        let into = unsafe { handle::get_mut(out, "out")? };
        into.change(|params| params.put(out_leaf, made))
    })
}

/// The fault of a leaf that the host refused: the first it listed, the others gone with it.
fn refused(status: pon_status, leaf: At<'_>, said: &Faults) -> Fault {
    let path = leaf.params.path(leaf.node).unwrap_or_default();
    let first = said.iter().find(|fault| fault.severity == Severity::Error).cloned();
    first.unwrap_or_else(|| {
        let message = format!("The host refused the leaf '{}'.", quoted(&path));
        Fault::new(Code::from_number(status).unwrap_or(Code::Stopped), message).path(path)
    })
}
