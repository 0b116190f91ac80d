//! The host's own pool, that runs the parts of a task in place of threads of ours.

use super::context::Userdata;
use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

/// A part of a task; must be called once for each part.
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

/// Up to 64 parts that are on their way.
struct Round<'a> {
    task: &'a (dyn Fn(usize) + Sync),
    first: usize,
    parts: u32,
    taken: AtomicU64,
    panicked: AtomicBool,
}

impl Parallel {
    /// The pool of a host that gave one.
    pub fn new(call: pon_parallel_fn, userdata: *mut c_void) -> Option<Parallel> {
        call.map(|call| Parallel { call, userdata: Userdata(userdata) })
    }

    /// Runs `task(0)` to `task(parts - 1)`, each once whatever the host does: a part it asks for twice or that is none does
    /// nothing, and those it leaves out run here. A panic in a part is a panic here.
    pub fn run(&self, parts: usize, task: &(dyn Fn(usize) + Sync)) {
        for first in (0..parts).step_by(64) {
            let round = Round {
                task,
                first,
                parts: (parts - first).min(64) as u32,
                taken: AtomicU64::new(0),
                panicked: AtomicBool::new(false),
            };
            let pointer = (&raw const round).cast_mut().cast();
            // SAFETY: the function and the userdata the host gave; the header wants all parts done when it comes back, so
            // that `round` outlives them.
            unsafe { (self.call)(self.userdata.0, round.parts, Some(one), pointer) };
            (0..round.parts).for_each(|part| round.run(part));
            assert!(!round.panicked.load(Ordering::Acquire), "a part of a task panicked");
        }
    }
}

impl Round<'_> {
    fn run(&self, part: u32) {
        if part >= self.parts || self.taken.fetch_or(1 << part, Ordering::AcqRel) & 1 << part != 0 {
            return;
        }
        if catch_unwind(AssertUnwindSafe(|| (self.task)(self.first + part as usize))).is_err() {
            self.panicked.store(true, Ordering::Release);
        }
    }
}

unsafe extern "C" fn one(task: *mut c_void, part: u32) {
    guard!(or(), {
        // SAFETY: the `Round` that `Parallel::run` gave the host, which is still in that call.
        unsafe { &*task.cast::<Round<'_>>() }.run(part);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    unsafe extern "C" fn odd(_: *mut c_void, parts: u32, run: pon_task_fn, task: *mut c_void) {
        for part in [0, 0, 2, parts, u32::MAX] {
            // SAFETY: the task of this call.
            unsafe { run.unwrap()(task, part) }
        }
    }

    #[test]
    fn each_part_once() {
        let pool = Parallel::new(Some(odd), std::ptr::null_mut()).unwrap();
        let counts: Vec<AtomicU32> = (0..130).map(|_| AtomicU32::new(0)).collect();
        pool.run(130, &|part| {
            counts[part].fetch_add(1, Ordering::Relaxed);
        });
        assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
        assert!(catch_unwind(|| pool.run(3, &|part| assert!(part != 2))).is_err());
    }
}
