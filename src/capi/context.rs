//! What calls may cost and whom they tell.

use super::{
    failure::{Answer, Failure},
    handle::{self, Handle},
    options::{self, sized},
    parallel::{Parallel, pon_parallel_fn},
    status::pon_status,
    text::{Kept, pon_str},
};
use crate::{
    describe,
    faults::{Code, Faults},
    limits::Limits,
    params::leaf::{LeafType, Registry},
};
use std::{
    ffi::c_void,
    sync::{
        Arc, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// Limits, threads and log of the calls it is given to. NULL stands for the defaults: silent, one thread, stated limits.
pub struct pon_context(());

impl Handle for pon_context {
    type Inner = Arc<Context>;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.cont");

    fn context(inner: &Arc<Context>) -> Option<&Context> {
        Some(inner)
    }
}

/// No log.
pub const PON_LOG_SILENT: i32 = 0;
/// Defects of the library.
pub const PON_LOG_ERROR: i32 = 1;

/// Hears what happens. Called on a thread that is in a call, only during the call; must not unwind.
pub type pon_log_fn = Option<unsafe extern "C" fn(userdata: *mut c_void, level: i32, message: *const pon_str)>;

/// Ends what the caller lent, exactly once; must not unwind.
pub type pon_drop_fn = Option<unsafe extern "C" fn(userdata: *mut c_void)>;

/// Tells how far a call has come; an answer that is not 0 ends it with PON_STOPPED. Must not unwind.
pub type pon_progress_fn = Option<unsafe extern "C" fn(userdata: *mut c_void, done: u64, total: u64) -> i32>;

/// Options of a context; noughts are defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_context_options {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// Threads of a session that does not say; 0 and 1: the calling thread only.
    pub threads: u32,
    /// PON_LOG_SILENT or PON_LOG_ERROR.
    pub log_level: i32,
    /// 0.
    pub reserved: u32,
    /// Hears what `log_level` lets through, or NULL.
    pub log: pon_log_fn,
    /// Handed to `log` and `log_drop`.
    pub log_userdata: *mut c_void,
    /// Called once when nothing needs the log any more, or NULL.
    pub log_drop: pon_drop_fn,
    /// The host's own pool, instead of threads of ours, or NULL.
    pub parallel: pon_parallel_fn,
    /// Handed to `parallel`; must stay until the last session that was made with the context is freed.
    pub parallel_userdata: *mut c_void,
    /// Longest file or source, in bytes; 0: 1 TiB.
    pub max_file_bytes: u64,
    /// Largest single tensor, in bytes; 0: 64 GiB.
    pub max_tensor_bytes: u64,
    /// Largest header or text that is parsed as a whole, in bytes; 0: 100,000,000.
    pub max_header_bytes: u64,
    /// Deepest nesting; 0: 64.
    pub max_depth: u64,
    /// Most entries, nodes or layers; 0: 1,000,000.
    pub max_entries: u64,
    /// Most faults that a call keeps; 0: 10,000.
    pub max_faults: u64,
    /// Largest memory of one session, in bytes; 0: 16 GiB.
    pub max_session_bytes: u64,
}
sized!(pon_context_options);

/// A pointer of the host, handed back to its own functions.
#[derive(Clone, Copy)]
pub struct Userdata(pub *mut c_void);

// SAFETY: never looked at; the header says on which threads the functions that get it are called.
unsafe impl Send for Userdata {}
// SAFETY: as above.
unsafe impl Sync for Userdata {}

/// Ends what the host lent when it is dropped.
pub struct Release {
    call: pon_drop_fn,
    userdata: Userdata,
    armed: AtomicBool,
}

impl Release {
    /// Calls `call`, if there is one, with `userdata`.
    pub fn new(call: pon_drop_fn, userdata: *mut c_void) -> Release {
        Release { call, userdata: Userdata(userdata), armed: true.into() }
    }

    /// The same, but only once it is armed: what fails before that was never taken.
    pub fn later(call: pon_drop_fn, userdata: *mut c_void) -> Release {
        Release { call, userdata: Userdata(userdata), armed: false.into() }
    }

    /// From now on the host's function will be called.
    pub fn arm(&self) {
        self.armed.store(true, Ordering::Release);
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        if let (Some(call), true) = (self.call, *self.armed.get_mut()) {
            // SAFETY: the function and the userdata the host gave for this, called once.
            unsafe { call(self.userdata.0) }
        }
    }
}

/// How grave a line of the log is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i32)]
pub enum Level {
    /// A defect of the library.
    Error = PON_LOG_ERROR,
}

/// What stands behind a context.
#[derive(Default)]
pub struct Context {
    /// What a call may cost.
    pub limits: Limits,
    /// Threads of a session that does not say.
    pub threads: usize,
    /// The host's pool.
    pub parallel: Option<Parallel>,
    log: Option<Log>,
    words: OnceLock<Words>,
    leaf_types: RwLock<Registry>,
}

/// Layer words and their schemas.
type Words = Vec<(Kept, Kept)>;

/// The words as they are lent to callers without a context.
static WORDS: OnceLock<Words> = OnceLock::new();

struct Log {
    level: i32,
    call: pon_log_fn,
    release: Release,
}

impl Context {
    /// Tells the host's log, if there is one that wants to know.
    pub fn log(&self, level: Level, message: &str) {
        let Some(log) = &self.log else { return };
        let Some(call) = log.call else { return };
        if level as i32 <= log.level {
            let message = Kept::new(message);
            // SAFETY: the function and the userdata the host gave; the message lives through the call.
            unsafe { call(log.release.userdata.0, level as i32, &message.lend()) }
        }
    }

    /// The types of structured leaves that are known by now.
    pub fn leaf_types(&self) -> Registry {
        self.leaf_types.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Registers a type of structured leaves.
    pub fn register(&self, name: &str, leaf_type: Arc<dyn LeafType>) {
        self.leaf_types.write().unwrap_or_else(PoisonError::into_inner).register(name, leaf_type);
    }

    fn new(options: &pon_context_options) -> Answer<Context> {
        if options.reserved != 0 {
            return Err(Failure::of(Code::Value, "reserved"));
        }
        if !(PON_LOG_SILENT..=PON_LOG_ERROR).contains(&options.log_level) {
            return Err(Failure::of(Code::Value, "log_level"));
        }
        let defaults = Limits::default();
        let long = |said: u64, default: u64| if said == 0 { default } else { said };
        let short = |said: u64, default: usize| usize::try_from(long(said, default as u64)).unwrap_or(usize::MAX);
        Ok(Context {
            limits: Limits {
                file_bytes: long(options.max_file_bytes, defaults.file_bytes),
                tensor_bytes: long(options.max_tensor_bytes, defaults.tensor_bytes),
                header_bytes: long(options.max_header_bytes, defaults.header_bytes),
                depth: short(options.max_depth, defaults.depth),
                entries: short(options.max_entries, defaults.entries),
                faults: short(options.max_faults, defaults.faults),
                session_bytes: long(options.max_session_bytes, defaults.session_bytes),
            },
            threads: options.threads as usize,
            parallel: Parallel::new(options.parallel, options.parallel_userdata),
            log: Some(Log {
                level: options.log_level,
                call: options.log,
                release: Release::new(options.log_drop, options.log_userdata),
            }),
            words: OnceLock::new(),
            leaf_types: RwLock::default(),
        })
    }
}

/// The context of a call, the default one for NULL; the call's faults are held to its limit.
///
/// # Safety
/// As `handle::get`.
pub unsafe fn of(context: *const pon_context, faults: &mut Faults) -> Answer<Arc<Context>> {
    if context.is_null() {
        return Ok(Arc::default());
    }
    // SAFETY: passed on.
    let context = unsafe { handle::get(context, "context")? };
    faults.limit_to(context.limits.faults);
    Ok(context.clone())
}

/// The layer words and their schemas, as they are lent to callers of this context, which may be NULL.
///
/// # Safety
/// As `handle::get`.
pub unsafe fn words<'a>(context: *const pon_context) -> Answer<&'a [(Kept, Kept)]> {
    let place = match context.is_null() {
        true => &WORDS,
        // SAFETY: passed on.
        false => &unsafe { handle::get(context, "context")? }.words,
    };
    let kept = |word: &describe::Word| (Kept::new(word.name), Kept::new(word.schema()));
    Ok(place.get_or_init(|| describe::words().iter().map(kept).collect()))
}

/// Makes a context.
/// Owns: the caller owns `*out` and frees it with `pon_context_free`; what is made with it keeps what it needs of it.
/// On failure `log_drop` is not called.
/// Nullable: options (defaults).
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_STRUCT_SIZE, PON_E_VALUE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_context_new(
    options: *const pon_context_options,
    out: *mut *mut pon_context,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (out, options) = unsafe { (handle::out(out, "out")?, options::read(options, "options")?) };
        let context = options.map_or_else(|| Ok(Context::default()), |options| Context::new(&options))?;
        out.write(handle::give(Arc::new(context)));
        Ok(())
    })
}

/// Frees a context.
/// Owns: takes `context`; `log_drop` is called when nothing that was made with it is left.
/// Nullable: context (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_context_free(context: *mut pon_context) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(context) } })
}
