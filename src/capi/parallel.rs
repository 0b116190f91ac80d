//! The host's own pool, that runs the parts of a task in place of threads of ours.

use super::context::Userdata;
use crate::device;
use std::{
    ffi::c_void,
    sync::atomic::{AtomicBool, Ordering},
};

/// A part of a task; must be called once for each part, and not after the call that handed it out.
pub type pon_task_fn = Option<unsafe extern "C" fn(task: *mut c_void, part: u32)>;

/// Runs `run(task, 0)` to `run(task, parts - 1)` on threads of the host and comes back when all are done. Must not unwind.
pub type pon_parallel_fn =
    Option<unsafe extern "C" fn(userdata: *mut c_void, parts: u32, run: pon_task_fn, task: *mut c_void)>;

/// The host's pool.
#[derive(Clone, Copy)]
pub struct Parallel {
    call: unsafe extern "C" fn(*mut c_void, u32, pon_task_fn, *mut c_void),
    userdata: Userdata,
}

/// Parts that are on their way.
struct Parts<'a> {
    task: &'a (dyn Fn(usize) + Sync),
    panicked: AtomicBool,
}

impl Parallel {
    /// The pool of a host that gave one.
    pub fn new(call: pon_parallel_fn, userdata: *mut c_void) -> Option<Parallel> {
        call.map(|call| Parallel { call, userdata: Userdata(userdata) })
    }
}

impl device::Parallel for Parallel {
    fn run(&self, parts: usize, part: &(dyn Fn(usize) + Sync)) -> bool {
        let Ok(count) = u32::try_from(parts) else { return false };
        let parts = Parts { task: part, panicked: AtomicBool::new(false) };
        let pointer = (&raw const parts).cast_mut().cast();
        // SAFETY: the function and the userdata the host gave; the header wants all parts done when it comes back, so that
        // `parts` outlives them.
        unsafe { (self.call)(self.userdata.0, count, Some(one), pointer) };
        !parts.panicked.load(Ordering::Acquire)
    }
}

unsafe extern "C" fn one(task: *mut c_void, part: u32) {
    // SAFETY: the `Parts` that `run` gave the host, which is still in that call.
    let parts = unsafe { &*task.cast::<Parts<'_>>() };
    let done = guard!(or false, {
        (parts.task)(part as usize);
        Ok(true)
    });
    if !done {
        parts.panicked.store(true, Ordering::Release);
    }
}
