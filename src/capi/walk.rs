//! Walks over parameter sets of the same shape, through callbacks.

use super::{
    failure::{Answer, Failure},
    faults::pon_faults,
    handle,
    params::{self, pon_params},
    status::{PON_OK, pon_status},
    value::pon_node,
};
use crate::{
    faults::{Code, Faults},
    params::{self as tree, Depth, Params},
};
use std::ffi::c_void;

/// A walk goes to whole leaves: a structured one is one leaf.
pub const PON_WALK_LEAVES: i32 = 0;
/// A walk goes to the arrays and numbers that the storage of structured leaves is made of.
pub const PON_WALK_STORAGE: i32 = 1;

/// Called for the leaves at one place, `nodes[i]` that of the set number i; an answer that is not PON_OK ends the walk with it.
/// Called on the thread of the call alone; must not unwind. The sets may be used, and their leaves be set, but no node be
/// added, replaced or removed.
pub type pon_walk_fn =
    Option<unsafe extern "C" fn(userdata: *mut c_void, nodes: *const pon_node, count: usize) -> pon_status>;

/// Called for the leaves at one place as a `pon_walk_fn`; puts what it makes into the leaf `out_leaf` of `out`, with
/// `pon_params_set` or `pon_params_replace`. That begins as the leaf of the first set.
pub type pon_map_fn = Option<
    unsafe extern "C" fn(
        userdata: *mut c_void,
        nodes: *const pon_node,
        count: usize,
        out: *mut pon_params,
        out_leaf: pon_node,
    ) -> pon_status,
>;

/// Walks over the leaves of sets of the same shape in flat order: a fold keeps its sum in `userdata`; a map in place sets the
/// leaves of the first set. Keys are the same in the same order; a parameter set may stand beside a named branch. Where a later
/// set has nothing, as a leaf or in the place of a branch, the place is passed over.
/// Owns: nothing.
/// Nullable: userdata, faults.
/// Threads: the sets are used by this call and its callback alone, if that changes one.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_KIND, PON_E_SHAPE (keys differ: both lists are named), and what the
/// callback answers.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_each(
    sets: *const *const pon_params,
    count: usize,
    depth: i32,
    call: pon_walk_fn,
    userdata: *mut c_void,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        let call = call.ok_or(Failure::of(Code::Null, "call"))?;
        // SAFETY: the caller's promise.
        for place in unsafe { places(sets, count, depth, true, faults)? } {
            // SAFETY: the function and the userdata the host gave; the nodes live through the call.
            answered(unsafe { call(userdata, place.as_ptr(), place.len()) })?;
        }
        Ok(())
    })
}

/// Makes a set of the shape of the first one; each leaf is what the callback makes of the leaves at its place. Keys are the same
/// in the same order; a parameter set may stand beside a named branch. A leaf of nothing is handed over as any other; a branch
/// that is nothing is refused.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`.
/// Nullable: userdata, faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE, PON_E_KIND, PON_E_SHAPE (keys differ: both lists are named), and what the
/// callback answers.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_params_map(
    sets: *const *const pon_params,
    count: usize,
    depth: i32,
    call: pon_map_fn,
    userdata: *mut c_void,
    out: *mut *mut pon_params,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        let call = call.ok_or(Failure::of(Code::Null, "call"))?;
        // SAFETY: the caller's promise.
        let (out, places) = unsafe { (handle::out(out, "out")?, places(sets, count, depth, false, faults)?) };
        // SAFETY: the caller's promise; `places` has seen that there is a first set.
        let first = unsafe { handle::get(*handle::list(sets, count, "sets")?.first().ok_or(Code::Internal)?, "sets")? };
        let made = handle::give::<pon_params>(params::Held::new(first.params.clone(), first.context.clone()));
        for place in places {
            // SAFETY: the function and the userdata the host gave; what it is handed lives through the call.
            let answer = answered(unsafe { call(userdata, place.as_ptr(), place.len(), made, place[0]) });
            if answer.is_err() {
                // SAFETY: made above; a host that freed it is seen by the mark.
                unsafe { handle::free(made)? };
                return answer;
            }
        }
        out.write(made);
        Ok(())
    })
}

fn answered(status: pon_status) -> Answer<()> {
    match status {
        PON_OK => Ok(()),
        other => Err(Code::from_number(other).unwrap_or(Code::Stopped).into()),
    }
}

/// The leaves of the caller's sets, place by place.
///
/// # Safety
/// `count` readable pointers to sets that nobody changes during the call.
unsafe fn places(
    sets: *const *const pon_params,
    count: usize,
    depth: i32,
    gaps: bool,
    faults: &mut Faults,
) -> Answer<Vec<Vec<pon_node>>> {
    let depth = match depth {
        PON_WALK_LEAVES => Depth::Leaves,
        PON_WALK_STORAGE => Depth::Storage,
        _ => return Err(Failure::of(Code::Value, "depth")),
    };
    if count == 0 {
        return Err(Failure::of(Code::Value, "count"));
    }
    // SAFETY: passed on.
    let sets = unsafe { handle::list(sets, count, "sets")? };
    // SAFETY: passed on.
    let trees = sets.iter().map(|&set| unsafe { handle::get(set, "sets") }.map(|held| &held.params));
    let trees: Vec<&Params> = trees.collect::<Answer<_>>()?;
    Ok(tree::places(&trees, depth, gaps).map_err(|fault| faults.refuse(fault))?)
}
