//! Threads that wait parked for parts of a step, and the seam for a host's own threads.

use super::thread::Thread;
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

/// Runs parts of a step, on whatever threads.
pub trait Parallel: Send + Sync {
    /// Calls `part(0)` to `part(parts - 1)`, each once, on any threads, and returns when all are done. False if one of
    /// them panicked.
    fn run(&self, parts: usize, part: &(dyn Fn(usize) + Sync)) -> bool;
}

/// Threads of our own. They sleep until a step is cut, and end when the pool is dropped.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<Thread>,
}

struct Shared {
    state: Mutex<State>,
    called: Condvar,
    done: Condvar,
}

/// What is to be done. `round` tells one call from the next.
struct State {
    round: u64,
    part: Option<Task>,
    parts: usize,
    running: usize,
    panicked: bool,
    ending: bool,
}

/// A task that outlives the round it is set for: `run` returns after the last thread has left it.
#[derive(Clone, Copy)]
struct Task(*const (dyn Fn(usize) + Sync));

// SAFETY: the task behind the pointer is `Sync`, and `Pool::run` keeps it alive while any thread may call it.
unsafe impl Send for Task {}

impl Pool {
    /// A pool that cuts steps into up to `threads` parts: the caller's thread and `threads - 1` of its own.
    pub fn new(threads: usize) -> io::Result<Pool> {
        let state = State { round: 0, part: None, parts: 0, running: 0, panicked: false, ending: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), called: Condvar::new(), done: Condvar::new() });
        let mut pool = Pool { shared, threads: Vec::new() };
        for number in 1..threads {
            let shared = pool.shared.clone();
            pool.threads.push(Thread::begin(move || shared.work(number))?);
        }
        Ok(pool)
    }
}

impl Parallel for Pool {
    fn run(&self, parts: usize, part: &(dyn Fn(usize) + Sync)) -> bool {
        // SAFETY: only the lifetime is changed; the pointer is gone from `state` before this call returns.
        let task: Task = Task(unsafe {
            std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync + 'static)>(part)
        });
        let helpers = self.threads.len().min(parts.saturating_sub(1));
        let mut state = self.shared.lock();
        state.round += 1;
        (state.part, state.parts, state.running, state.panicked) = (Some(task), helpers + 1, helpers, false);
        drop(state);
        self.shared.called.notify_all();
        // What no thread of the pool takes falls to the caller: part 0 and those beyond the threads.
        let own = (0..parts).filter(|&number| number == 0 || number > helpers);
        let good = own.fold(true, |good, number| good & catch_unwind(AssertUnwindSafe(|| part(number))).is_ok());
        let mut state = self.shared.lock();
        while state.running > 0 {
            state = self.shared.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.part = None;
        good & !state.panicked
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, number: usize) {
        let mut seen = 0;
        let mut state = self.lock();
        loop {
            if state.ending {
                return;
            }
            match state.part {
                Some(Task(task)) if state.round != seen => {
                    seen = state.round;
                    if number >= state.parts {
                        continue;
                    }
                    drop(state);
                    // SAFETY: `run` waits until `running` is nought before it returns, so the task is alive.
                    let good = catch_unwind(AssertUnwindSafe(|| unsafe { (*task)(number) })).is_ok();
                    state = self.lock();
                    state.panicked |= !good;
                    state.running -= 1;
                    if state.running == 0 {
                        self.done.notify_all();
                    }
                }
                _ => state = self.called.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().ending = true;
        self.shared.called.notify_all();
        for thread in self.threads.drain(..) {
            thread.join();
        }
    }
}
