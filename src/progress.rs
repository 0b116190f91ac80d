//! How far a long call is, and whether it shall go on.

use crate::{
    cancel::Cancel,
    faults::{Code, Fault, Faults, Refused},
};
use std::{fmt, sync::Arc};

/// Told what is done and what there is to do, in bytes; true ends the call.
type Tell = dyn Fn(u64, u64) -> bool + Send + Sync;

/// Looked at between the tensors of a load or a save.
#[derive(Clone, Default)]
pub struct Progress {
    /// Ends the call when raised.
    pub cancel: Option<Arc<Cancel>>,
    /// Told how far the call is; ends it by giving true.
    pub tell: Option<Arc<Tell>>,
}

impl Progress {
    /// Says that `done` of `total` bytes are done. Refused with [`Code::Stopped`] if the call shall end.
    pub fn at(&self, done: u64, total: u64, faults: &mut Faults) -> Result<(), Refused> {
        let raised = self.cancel.as_ref().is_some_and(|cancel| cancel.is_raised());
        if raised || self.tell.as_ref().is_some_and(|tell| tell(done, total)) {
            faults.push(Fault::new(Code::Stopped, format!("Stopped by the caller after {done} of {total} bytes.")));
            return Err(Refused(Code::Stopped));
        }
        Ok(())
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Progress(cancel: {}, tell: {})", self.cancel.is_some(), self.tell.is_some())
    }
}
