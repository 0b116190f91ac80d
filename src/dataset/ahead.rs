//! A thread that reads batches before they are asked for. The count of epochs goes with each batch, so that nobody sees that
//! the next ones have been read already.

use super::batch::Batch;
use super::reader::Reader;
use crate::faults::{Code, Fault, Faults, Refused};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, JoinHandle};

type Read = Result<Batch, Faults>;

/// The thread and the batches it has read.
pub(super) struct Ahead {
    batches: Option<Receiver<Read>>,
    /// Gives its reader back at its end: what that holds of the host is let go of on the thread of the host's own call.
    thread: Option<JoinHandle<Reader>>,
}

impl Ahead {
    /// Begins a thread that keeps `count` batches ready.
    pub fn new(mut reader: Reader, count: usize, faults: &mut Faults) -> Result<Ahead, Refused> {
        let (give, batches) = sync_channel::<Read>(count.saturating_sub(1));
        let work = move || {
            loop {
                let mut faults = Faults::default();
                let next = catch_unwind(AssertUnwindSafe(|| reader.next(&mut faults)));
                let read = next.unwrap_or_else(|_| {
                    let message = "The thread that reads ahead has panicked; this is a defect of the library.";
                    Err(faults.refuse(Fault::new(Code::Internal, message)))
                });
                let read = read.map_err(|_| faults);
                let failed = read.is_err();
                // Nobody takes batches any more, or there are none after a fault.
                if give.send(read).is_err() || failed {
                    return reader;
                }
            }
        };
        match Builder::new().name("pontil-dataset".into()).spawn(work) {
            Ok(thread) => Ok(Ahead { batches: Some(batches), thread: Some(thread) }),
            Err(error) => {
                let message = format!("No thread can be begun that reads ahead: {error}.");
                Err(faults.refuse(Fault::new(Code::Memory, message)))
            }
        }
    }

    /// The next batch. After a fault there are no more.
    pub fn next(&mut self, faults: &mut Faults) -> Result<Batch, Refused> {
        match self.batches.as_ref().map(Receiver::recv) {
            Some(Ok(Ok(batch))) => Ok(batch),
            Some(Ok(Err(said))) => {
                let mark = faults.mark();
                faults.append(said);
                Err(faults.refused_since(mark).err().unwrap_or(Refused(Code::Internal)))
            }
            _ => {
                let message = "The data set was refused before and gives no more batches: open it anew.";
                Err(faults.refuse(Fault::new(Code::State, message)))
            }
        }
    }
}

impl Drop for Ahead {
    /// Ends the thread and waits for the batch it is at.
    fn drop(&mut self) {
        self.batches = None;
        if let Some(thread) = self.thread.take() {
            // The reader goes with what is joined, here.
            drop(thread.join());
        }
    }
}
