//! Sessions: one thread's memory to run a network with.

use super::{
    allocator,
    bound::{Side, Tap, run_bound, run_with},
    cancel::{self, pon_cancel},
    context::Context,
    failure::{Answer, Failure},
    faults::pon_faults,
    handle::{self, Handle},
    network::{PON_INPUT, PON_OUTPUT, pon_network},
    options::{self, Target, sized},
    status::pon_status,
    text::pon_str,
    view::{self, PON_DEVICE_CPU, pon_view},
};
use crate::{
    device::Parallel,
    faults::Code,
    plan::{Isa, Precision},
    session::{Session, SessionOptions},
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// A network made ready to run in memory of its own. One thread at a time.
pub struct pon_session(());

impl Handle for pon_session {
    type Inner = Held;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.sess");

    fn context(held: &Held) -> Option<&Context> {
        Some(&held.context)
    }
}

/// Sums of `float`, in one fixed order.
pub const PON_PRECISION_STANDARD: i32 = 0;
/// Sums of `double`, rounded once to `float`; slower.
pub const PON_PRECISION_EXACT: i32 = 1;

/// The best instruction set that the processor has; AVX-512 is taken on request alone, for its kernels have never been run.
pub const PON_ISA_BEST: i32 = 0;
/// What every processor has.
pub const PON_ISA_PORTABLE: i32 = 1;
/// AVX2 and FMA of x86-64.
pub const PON_ISA_AVX2: i32 = 2;
/// The foundation of AVX-512 of x86-64.
pub const PON_ISA_AVX512: i32 = 3;
/// NEON of AArch64.
pub const PON_ISA_NEON: i32 = 4;

/// In `flags` of the options: each run is timed, which takes longer than a small network.
pub const PON_SESSION_TIMED: u32 = 1;

/// Options of a session; noughts are defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_session_options {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// PON_DEVICE_CPU.
    pub device_kind: i32,
    /// 0.
    pub device_index: i32,
    /// PON_PRECISION_STANDARD or PON_PRECISION_EXACT.
    pub precision: i32,
    /// Threads that the examples of a run are divided between, or a large step of one, the caller's among them; 0: as the context
    /// says. With one, the calling thread only.
    /// Threads of ours look for work for 40 microseconds before they sleep.
    pub threads: u32,
    /// PON_ISA_BEST, or for tests another of PON_ISA_*: PON_E_UNSUPPORTED if the processor has it not.
    pub isa: i32,
    /// PON_SESSION_TIMED or 0.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
    /// Most examples of a run; memory is laid out for them once. 0: 1.
    pub max_batch: u64,
}

/// What a session has done.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_session_stats {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Bytes of the session's memory for values.
    pub workspace_bytes: u64,
    /// Runs that ended well.
    pub runs: u64,
    /// Nanoseconds of the last of them; 0 unless the session was made with PON_SESSION_TIMED.
    pub last_ns: u64,
    /// Nanoseconds of the longest of them; 0 unless the session was made with PON_SESSION_TIMED.
    pub worst_ns: u64,
    /// Allocations of the library on the calling threads during all runs; 0 unless the library has a defect.
    pub allocations: u64,
}
sized!(pon_session_options, pon_session_stats);

/// What stands behind a session.
pub struct Held {
    /// The session.
    pub session: Session,
    context: Arc<Context>,
    inputs: Side,
    outputs: Side,
    /// Taps of its layers.
    pub taps: Vec<Tap>,
    poisoned: bool,
    timed: bool,
    stats: Stats,
}

#[derive(Default)]
struct Stats {
    runs: u64,
    last: Duration,
    worst: Duration,
    allocations: u64,
}

impl Held {
    /// The session and its inputs or outputs.
    pub fn side(&mut self, direction: i32) -> Answer<(&Session, &mut Side)> {
        match direction {
            PON_INPUT => Ok((&self.session, &mut self.inputs)),
            PON_OUTPUT => Ok((&self.session, &mut self.outputs)),
            _ => Err(Failure::of(Code::Value, "direction")),
        }
    }

    /// Counts `run`, and times it if that is asked for; a panic in it leaves the session poisoned.
    fn counted(&mut self, run: impl FnOnce(&mut Held) -> Answer<()>) -> Answer<()> {
        if self.poisoned {
            return Err(Failure::of(Code::Poisoned, "session"));
        }
        self.poisoned = true;
        let (begin, before) = (self.timed.then(Instant::now), allocator::count());
        let answer = run(self);
        self.stats.allocations += allocator::count() - before;
        self.poisoned = false;
        if answer.is_ok() {
            self.stats.runs += 1;
            if let Some(begin) = begin {
                self.stats.last = begin.elapsed();
                self.stats.worst = self.stats.worst.max(self.stats.last);
            }
        }
        answer
    }
}

/// Options of the caller, as a session of this context wants them.
///
/// # Safety
/// As [`options::read`].
unsafe fn take(options: *const pon_session_options, context: &Context) -> Answer<(SessionOptions, bool)> {
    // SAFETY: passed on.
    let given = unsafe { options::read(options, "options")? };
    let mut taken = SessionOptions { threads: context.threads.max(1), ..SessionOptions::default() };
    let mut timed = false;
    if let Some(given) = given {
        if given.device_kind != PON_DEVICE_CPU || given.device_index != 0 {
            return Err(Failure::of(Code::NoDevice, "device_kind"));
        }
        taken.isa = match given.isa {
            PON_ISA_BEST => None,
            number => {
                let known = Isa::ALL.into_iter().find(|isa| *isa as i32 == number);
                Some(known.ok_or(Failure::of(Code::Value, "isa"))?)
            }
        };
        if given.flags & !PON_SESSION_TIMED != 0 {
            return Err(Failure::of(Code::Value, "flags"));
        }
        timed = given.flags & PON_SESSION_TIMED != 0;
        if given.reserved != 0 {
            return Err(Failure::of(Code::Value, "reserved"));
        }
        taken.precision = match given.precision {
            PON_PRECISION_STANDARD => Precision::Standard,
            PON_PRECISION_EXACT => Precision::Exact,
            _ => return Err(Failure::of(Code::Value, "precision")),
        };
        if given.threads != 0 {
            taken.threads = given.threads as usize;
        }
        taken.max_batch = usize::try_from(given.max_batch.max(1)).map_err(|_| Failure::of(Code::Value, "max_batch"))?;
    }
    if taken.threads > 1 {
        taken.parallel = context.parallel.map(|parallel| Arc::new(parallel) as Arc<dyn Parallel>);
    }
    Ok((taken, timed))
}

/// Tells how much memory for values a session of these options would hold, in bytes; nothing is laid out yet.
/// Owns: nothing.
/// Nullable: options (defaults), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE, PON_E_NO_DEVICE, PON_E_LIMIT, those of 500 to 549.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_bytes(
    network: *const pon_network,
    options: *const pon_session_options,
    size: *mut u64,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (network, size) = unsafe { (handle::get(network, "network")?, handle::out(size, "size")?) };
        // SAFETY: the caller's promise.
        let (options, _) = unsafe { take(options, &network.context)? };
        size.write(Session::needs(&network.network, &options, &network.context.limits, faults)?);
        Ok(())
    })
}

/// Makes a session, with all the memory it will ever need.
/// Owns: the caller owns `*out` and frees it with `pon_session_free`, before or after `network`.
/// Nullable: options (defaults), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE, PON_E_NO_DEVICE, PON_E_UNSUPPORTED, PON_E_LIMIT,
/// PON_E_MEMORY, those of 500 to 549.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_new(
    network: *const pon_network,
    options: *const pon_session_options,
    out: *mut *mut pon_session,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (network, out) = unsafe { (handle::get(network, "network")?, handle::out(out, "out")?) };
        let context = network.context.clone();
        // SAFETY: the caller's promise.
        let (options, timed) = unsafe { take(options, &context)? };
        let session = Session::new(&network.network, &options, &context.limits, faults)?;
        out.write(handle::give(Held {
            inputs: Side::new(session.inputs().len()),
            outputs: Side::new(session.outputs().len()),
            taps: Vec::new(),
            poisoned: false,
            timed,
            stats: Stats::default(),
            session,
            context,
        }));
        Ok(())
    })
}

/// Runs with the bound views. No allocation, lock, system call or print, with one thread.
/// Owns: nothing.
/// Nullable: cancel.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_NOT_BOUND, PON_E_VALUE (views of different batches, or a whole number outside of its
/// table), PON_STOPPED, PON_E_POISONED. Outputs are written on success only.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_run(session: *mut pon_session, cancel: *const pon_cancel) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, cancel) =
            unsafe { (handle::get_mut(session, "session")?, cancel::flag(cancel, "cancel")?.map(AsRef::as_ref)) };
        held.counted(|held| {
            let Held { session, taps, inputs, outputs, .. } = held;
            // SAFETY: the caller's promise, given when the views were bound.
            unsafe { run_bound(session, taps, inputs, outputs, cancel) }
        })
    })
}

/// Runs with these views, one for each input and output, and leaves the bound ones alone. The batch is the first axis of all.
/// No allocation, lock, system call or print, with one thread.
/// Owns: the views are used during the call only.
/// Nullable: inputs (if input_count is 0), outputs (if output_count is 0), cancel.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (other counts, shapes or types, or a whole number outside of its table),
/// PON_STOPPED, PON_E_POISONED. Outputs are written on success only.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_run_with(
    session: *mut pon_session,
    inputs: *const pon_view,
    input_count: usize,
    outputs: *const pon_view,
    output_count: usize,
    cancel: *const pon_cancel,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, cancel) =
            unsafe { (handle::get_mut(session, "session")?, cancel::flag(cancel, "cancel")?.map(AsRef::as_ref)) };
        // SAFETY: the caller's promise.
        let inputs = unsafe { handle::list(inputs, input_count, "inputs")? };
        // SAFETY: the caller's promise.
        let outputs = unsafe { handle::list(outputs, output_count, "outputs")? };
        held.counted(|held| {
            let first = inputs.first().or(outputs.first());
            let batch = match first {
                // SAFETY: the caller's promise.
                Some(view) => unsafe { view::check(view, "inputs")? }.shape.first().copied().unwrap_or(0),
                None => 1,
            };
            // SAFETY: the caller's promise.
            unsafe { run_with(&mut held.session, &mut held.taps, batch, inputs, outputs, cancel) }
        })
    })
}

/// Tells the instruction set of a session's kernels: `portable`, `avx2`, `avx512`, `neon`.
/// Owns: the text is static.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_isa(session: *const pon_session, out: *mut pon_str) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(session, "session")?, handle::out(out, "out")?) };
        out.write(pon_str::fixed(held.session.isa().c_name()));
        Ok(())
    })
}

/// Goes on with the numbers of another network of the same plan, made by `pon_network_with`; on failure all stays as it was.
/// Owns: the session keeps what it needs of `network`.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (another plan), PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_swap(session: *mut pon_session, network: *const pon_network) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, network) = unsafe { (handle::get_mut(session, "session")?, handle::get(network, "network")?) };
        Ok(held.session.swap(&network.network)?)
    })
}

/// Makes a session usable again after PON_E_INTERNAL, which poisons it.
/// Owns: nothing.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_reset(session: *mut pon_session) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        unsafe { handle::get_mut(session, "session")? }.poisoned = false;
        Ok(())
    })
}

/// Tells what a session has done; `out->struct_size` is set before the call.
/// Owns: nothing.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_stats_get(session: *const pon_session, out: *mut pon_session_stats) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(session, "session")?, Target::new(out, "out")?) };
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        out.write(pon_session_stats {
            struct_size: 0,
            reserved: 0,
            workspace_bytes: held.session.workspace_bytes(),
            runs: held.stats.runs,
            last_ns: nanoseconds(held.stats.last),
            worst_ns: nanoseconds(held.stats.worst),
            allocations: held.stats.allocations,
        });
        Ok(())
    })
}

/// Frees a session.
/// Owns: takes `session`.
/// Nullable: session (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_session_free(session: *mut pon_session) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(session) } })
}
