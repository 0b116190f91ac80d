//! A bar for work that takes longer than a second, where the standard error is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

/// Work that is under way. The bar goes when this does.
pub struct Progress {
    what: &'static str,
    start: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Work that starts now; `what` stands before the bar.
    pub fn new(what: &'static str) -> Progress {
        Progress { what, start: Instant::now(), bar: OnceLock::new() }
    }

    /// The same for the library, which tells how far it is and is never stopped.
    pub fn told(what: &'static str) -> pontil::progress::Progress {
        let progress = Progress::new(what);
        let tell = move |done, total| {
            progress.at(done, total);
            false
        };
        pontil::progress::Progress { cancel: None, tell: Some(Arc::new(tell)) }
    }

    /// `done` of `total`.
    pub fn at(&self, done: u64, total: u64) {
        if self.start.elapsed() < Duration::from_secs(1) {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::new(total).with_message(self.what);
            match ProgressStyle::with_template("{msg} {wide_bar} {percent}% {eta}") {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        bar.set_length(total);
        bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
