//! Threads that wait for parts of a step or of a run, and the seam for a host's own threads.
//!
//! Parts are taken one by one by whoever is free, the caller among them: a thread that comes late, for it slept or has no
//! processor, holds nobody up. A thread that waits looks for work for [`SPIN`], then sleeps; so does the caller at the end.
//! Steps of a run follow one another within that time, and a session that rests costs nothing.

use super::thread::Thread;
use std::{
    cell::UnsafeCell,
    hint, io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// Runs parts of a step or of a run, on whatever threads.
pub trait Parallel: Send + Sync {
    /// Calls `part(0)` to `part(parts - 1)`, each once, on any threads, and returns when all are done. False if one of
    /// them panicked.
    fn run(&self, parts: usize, part: &(dyn Fn(usize) + Sync)) -> bool;
}

/// How long a thread looks for work before it sleeps.
const SPIN: Duration = Duration::from_micros(40);

/// Most parts of a step.
const PARTS: usize = 1 << 15;

/// Threads of our own. They end when the pool is dropped.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<Thread>,
}

#[derive(Default)]
struct Shared {
    /// Parts and the next that nobody has taken, see [`Round`].
    round: AtomicU64,
    task: UnsafeCell<Option<Task>>,
    done: AtomicUsize,
    panicked: AtomicBool,
    /// Whether a caller is at it.
    busy: AtomicBool,
    ending: AtomicBool,
    /// Threads that sleep, and whether the caller does.
    sleeping: AtomicUsize,
    waiting: AtomicBool,
    lock: Mutex<()>,
    called: Condvar,
    finished: Condvar,
}

// SAFETY: `task` is written by the one caller that is at it while no part is left to take, and read by who has taken one.
unsafe impl Sync for Shared {}

/// A round of parts in one word, so that nobody takes a part of a round that has passed.
#[derive(Clone, Copy)]
struct Round {
    number: u32,
    parts: u16,
    next: u16,
}

impl Round {
    fn of(word: u64) -> Round {
        Round { number: (word >> 32) as u32, parts: (word >> 16) as u16, next: word as u16 }
    }

    fn word(self) -> u64 {
        u64::from(self.number) << 32 | u64::from(self.parts) << 16 | u64::from(self.next)
    }
}

/// A task that outlives the parts of its round: `run` returns after the last of them is done.
#[derive(Clone, Copy)]
struct Task(*const (dyn Fn(usize) + Sync));

// SAFETY: the task behind the pointer is `Sync`, and `Pool::run` keeps it alive while any thread may call it.
unsafe impl Send for Task {}

impl Pool {
    /// A pool for `threads` threads: the caller's and `threads - 1` of its own.
    pub fn new(threads: usize) -> io::Result<Pool> {
        let shared = Arc::<Shared>::default();
        let mut pool = Pool { shared, threads: Vec::new() };
        for _ in 1..threads {
            let shared = pool.shared.clone();
            pool.threads.push(Thread::begin(move || shared.work())?);
        }
        Ok(pool)
    }
}

impl Parallel for Pool {
    fn run(&self, parts: usize, part: &(dyn Fn(usize) + Sync)) -> bool {
        let shared = &*self.shared;
        if parts > PARTS || shared.busy.swap(true, Ordering::Acquire) {
            return (0..parts).fold(true, |good, number| good & is_good(|| part(number)));
        }
        // SAFETY: only the lifetime is changed; whoever calls the task has taken a part, and this call ends after all parts.
        let task: Task = Task(unsafe {
            std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync + 'static)>(part)
        });
        // SAFETY: all parts of the round before are done, and `busy` keeps other callers away.
        unsafe { *shared.task.get() = Some(task) };
        shared.done.store(0, Ordering::Relaxed);
        shared.panicked.store(false, Ordering::Relaxed);
        let number = Round::of(shared.round.load(Ordering::Relaxed)).number.wrapping_add(1);
        shared.round.store(Round { number, parts: parts as u16, next: 0 }.word(), Ordering::SeqCst);
        if shared.sleeping.load(Ordering::SeqCst) > 0 {
            drop(shared.lock());
            shared.called.notify_all();
        }
        while shared.take() {}
        let done = || shared.done.load(Ordering::SeqCst) == parts;
        if !spin(done) {
            let mut lock = shared.lock();
            shared.waiting.store(true, Ordering::SeqCst);
            while !done() {
                lock = shared.finished.wait(lock).unwrap_or_else(PoisonError::into_inner);
            }
            shared.waiting.store(false, Ordering::SeqCst);
        }
        let good = !shared.panicked.load(Ordering::Relaxed);
        shared.busy.store(false, Ordering::Release);
        good
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a part is left to take.
    fn is_open(&self) -> bool {
        let round = Round::of(self.round.load(Ordering::SeqCst));
        round.next < round.parts
    }

    /// Takes a part and does it; false if none is left.
    fn take(&self) -> bool {
        let next = |word: u64| {
            let round = Round::of(word);
            (round.next < round.parts).then(|| Round { next: round.next + 1, ..round }.word())
        };
        let Ok(word) = self.round.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next) else { return false };
        let Round { parts, next, .. } = Round::of(word);
        // SAFETY: a part of this round has been taken and is not done, so that its caller keeps the task where it is.
        let good = match unsafe { *self.task.get() } {
            // SAFETY: as above.
            Some(Task(task)) => is_good(|| unsafe { (*task)(usize::from(next)) }),
            None => false,
        };
        if !good {
            self.panicked.store(true, Ordering::Relaxed);
        }
        if self.done.fetch_add(1, Ordering::SeqCst) + 1 == usize::from(parts) && self.waiting.load(Ordering::SeqCst) {
            drop(self.lock());
            self.finished.notify_all();
        }
        true
    }

    fn work(&self) {
        let ending = || self.ending.load(Ordering::SeqCst);
        loop {
            while self.take() {}
            if spin(|| self.is_open() || ending()) {
                if ending() {
                    return;
                }
                continue;
            }
            let mut lock = self.lock();
            self.sleeping.fetch_add(1, Ordering::SeqCst);
            while !self.is_open() && !ending() {
                lock = self.called.wait(lock).unwrap_or_else(PoisonError::into_inner);
            }
            self.sleeping.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Whether it ends without a panic.
fn is_good(part: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(part)).is_ok()
}

/// Looks for [`SPIN`] whether something is so.
fn spin(is_so: impl Fn() -> bool) -> bool {
    let begin = Instant::now();
    loop {
        for _ in 0..32 {
            if is_so() {
                return true;
            }
            hint::spin_loop();
        }
        if begin.elapsed() > SPIN {
            return false;
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.ending.store(true, Ordering::SeqCst);
        drop(self.shared.lock());
        self.shared.called.notify_all();
        for thread in self.threads.drain(..) {
            thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of any size, back to back and after a rest: every part once, and no part of a round that has passed.
    #[test]
    fn every_part_once() {
        let pool = Pool::new(3).unwrap();
        for round in 0..2000usize {
            let counts: Vec<AtomicUsize> = (0..round % 9).map(|_| AtomicUsize::new(0)).collect();
            assert!(pool.run(counts.len(), &|number| {
                counts[number].fetch_add(1, Ordering::Relaxed);
            }));
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
            if round % 500 == 0 {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    #[test]
    fn a_panic_is_told() {
        let pool = Pool::new(2).unwrap();
        assert!(!pool.run(4, &|number| assert_ne!(number, 2)));
        assert!(pool.run(4, &|_| ()));
    }

    #[test]
    fn two_callers_at_once() {
        let pool = Pool::new(2).unwrap();
        let sum = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        assert!(pool.run(3, &|number| {
                            sum.fetch_add(number, Ordering::Relaxed);
                        }));
                    }
                });
            }
        });
        assert_eq!(sum.load(Ordering::Relaxed), 3000);
    }
}
