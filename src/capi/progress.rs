//! What a long call looks at between its pieces.

use super::context::{Userdata, pon_progress_fn};
use crate::{cancel::Cancel, progress::Progress};
use std::{ffi::c_void, sync::Arc};

/// The host's function and flag.
pub fn of(call: pon_progress_fn, userdata: *mut c_void, cancel: Option<&Arc<Cancel>>) -> Progress {
    let userdata = Userdata(userdata);
    let tell = call.map(|call| {
        Arc::new(move |done, total| {
            let Userdata(userdata) = { userdata };
            // SAFETY: the function and the userdata the host gave; called on the thread of the call alone.
            unsafe { call(userdata, done, total) != 0 }
        }) as Arc<dyn Fn(u64, u64) -> bool + Send + Sync>
    });
    Progress { cancel: cancel.cloned(), tell }
}
