//! What a panic says, and to whom: message and place go to the log of the context in use, if it has one.
//!
//! The standard hook prints and, with `RUST_BACKTRACE` set, keeps a mapping of the library alive after it was unloaded; ours
//! does neither. A cdylib has a standard library of its own, so no hook of a Rust host is touched; a Rust host that links
//! the crate keeps its hook for every panic outside of our entries. Nothing here allocates before a panic, and no
//! thread-local value has a destructor, so that the library can be unloaded.

use super::context::{Context, Level};
use crate::device;
use std::{
    cell::Cell,
    panic::{self, PanicHookInfo},
    ptr,
    sync::OnceLock,
};

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// The hook there was before ours.
static BEFORE: OnceLock<Hook> = OnceLock::new();

/// The entries that run on a thread: in one place, for the way to a thread's own takes longer than what is done there.
struct Running {
    depth: Cell<u32>,
    context: Cell<*const Context>,
}

thread_local! {
    static RUNNING: Running = const { Running { depth: Cell::new(0), context: Cell::new(ptr::null()) } };
}

/// Puts our hook in place, once.
pub fn install() {
    BEFORE.get_or_init(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(on_panic));
        before
    });
}

/// Names the context that the running entry of this thread works for; the entry keeps it alive until it ends.
#[inline]
pub fn speak_for(context: &Context) {
    RUNNING.with(|running| running.context.set(context));
}

/// The mark of a running entry.
pub struct Inside(*const Context);

/// Marks that an entry of this thread runs, until the mark is dropped. Entries nest through callbacks.
#[inline]
pub fn enter() -> Inside {
    RUNNING.with(|running| {
        running.depth.set(running.depth.get() + 1);
        Inside(running.context.replace(ptr::null()))
    })
}

impl Drop for Inside {
    #[inline]
    fn drop(&mut self) {
        RUNNING.with(|running| {
            running.depth.set(running.depth.get() - 1);
            running.context.set(self.0);
        });
    }
}

fn on_panic(info: &PanicHookInfo<'_>) {
    let (depth, context) = RUNNING.with(|running| (running.depth.get(), running.context.get()));
    if depth == 0 && !device::is_ours() {
        if let Some(before) = BEFORE.get() {
            before(info);
        }
        return;
    }
    // SAFETY: `speak_for` was told that the context outlives the running entry, and `Inside` clears it at the end.
    let Some(context) = (unsafe { context.as_ref() }) else { return };
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = crate::faults::quoted_str(text.unwrap_or("no text"));
    match info.location() {
        Some(place) => context.log(Level::Error, &format!("panic at {}:{}: {text}", place.file(), place.line())),
        None => context.log(Level::Error, &format!("panic: {text}")),
    }
}
