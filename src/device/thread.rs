//! A thread of ours, begun and joined by the pool.
//!
//! The standard library leaves a destructor with the thread that begins another, and so keeps an unloaded library mapped for
//! as long as that thread lives. On Unix ours are begun by the system's own call.

use std::{cell::Cell, io};

thread_local! {
    static OURS: Cell<bool> = const { Cell::new(false) };
}

/// Whether this is a thread of ours.
pub fn is_ours() -> bool {
    OURS.get()
}

#[cfg(unix)]
pub use unix::Thread;

#[cfg(unix)]
mod unix {
    use super::{OURS, io};
    use std::{
        ffi::c_void,
        mem::MaybeUninit,
        panic::{AssertUnwindSafe, catch_unwind},
        ptr,
    };

    type Body = Box<dyn FnOnce() + Send>;

    /// A running thread.
    pub struct Thread(libc::pthread_t);

    // SAFETY: the name of a thread, which any thread may join.
    unsafe impl Send for Thread {}
    // SAFETY: as above; nothing can be done by a shared reference.
    unsafe impl Sync for Thread {}

    impl Thread {
        /// Begins one.
        pub fn begin(body: impl FnOnce() + Send + 'static) -> io::Result<Thread> {
            let body = Box::into_raw(Box::new(Box::new(body) as Body));
            let mut thread = MaybeUninit::uninit();
            // SAFETY: a place for the thread's name, default attributes, and a body that `run` takes over.
            let error = unsafe { libc::pthread_create(thread.as_mut_ptr(), ptr::null(), run, body.cast()) };
            if error != 0 {
                // SAFETY: no thread was begun, so that nobody else has the body.
                drop(unsafe { Box::from_raw(body) });
                return Err(io::Error::from_raw_os_error(error));
            }
            // SAFETY: written, as the call went well.
            Ok(Thread(unsafe { thread.assume_init() }))
        }

        /// Waits for its end.
        pub fn join(self) {
            // SAFETY: begun above and joined once.
            unsafe { libc::pthread_join(self.0, ptr::null_mut()) };
        }
    }

    extern "C" fn run(body: *mut c_void) -> *mut c_void {
        OURS.set(true);
        // SAFETY: the body that `begin` handed over.
        let body = unsafe { Box::from_raw(body.cast::<Body>()) };
        let _ = catch_unwind(AssertUnwindSafe(body));
        ptr::null_mut()
    }
}

#[cfg(not(unix))]
pub use other::Thread;

#[cfg(not(unix))]
mod other {
    use super::{OURS, io};
    use std::thread::{Builder, JoinHandle};

    /// A running thread.
    pub struct Thread(JoinHandle<()>);

    impl Thread {
        /// Begins one.
        pub fn begin(body: impl FnOnce() + Send + 'static) -> io::Result<Thread> {
            let marked = move || {
                OURS.set(true);
                body();
            };
            Builder::new().spawn(marked).map(Thread)
        }

        /// Waits for its end.
        pub fn join(self) {
            let _ = self.0.join();
        }
    }
}
