//! Keeps panics from crossing the boundary.
//!
//! Every entry is one `guard!`: `guard!({ … })` answers a status, `guard!(list, faults, { … })` too and gathers faults for
//! the caller's list, `guard!(or value, { … })` answers the value if anything goes wrong, `guard!(bare, { … })` answers nothing
//! and takes no lock: it is for signal handlers.

use super::{
    failure::Answer,
    faults::{self, pon_faults},
    hook,
    status::pon_status,
};
use crate::faults::{Code, Faults};
use std::panic::{AssertUnwindSafe, catch_unwind};

macro_rules! guard {
    (or $default:expr, $body:block) => {
        $crate::capi::guard::or($default, || $body)
    };
    (bare, $body:block) => {
        $crate::capi::guard::bare(|| $body)
    };
    ($list:expr, $faults:ident, $body:block) => {
        $crate::capi::guard::gathering($list, |$faults| $body)
    };
    ($body:block) => {
        $crate::capi::guard::status(|| $body)
    };
}

/// Runs `body`; `default` if it fails or panics.
pub fn or<T>(default: T, body: impl FnOnce() -> Answer<T>) -> T {
    match protected(body) {
        Some(Ok(value)) => value,
        _ => default,
    }
}

/// Runs `body` and makes a status of its answer.
pub fn status(body: impl FnOnce() -> Answer<()>) -> pon_status {
    match protected(body) {
        Some(Ok(())) => Code::Ok.number(),
        Some(Err(failure)) => failure.code.number(),
        None => Code::Internal.number(),
    }
}

/// As [`status`]; the faults of `body` come to the end of `list`, which may be NULL. A list that is none refuses first.
pub fn gathering(list: *mut pon_faults, body: impl FnOnce(&mut Faults) -> Answer<()>) -> pon_status {
    status(|| {
        // SAFETY: the entries pass their caller's list on, under the contract of `pon_faults`.
        unsafe { faults::list(list)? };
        let mut gathered = Faults::default();
        let answer = catch_unwind(AssertUnwindSafe(|| body(&mut gathered))).unwrap_or(Err(Code::Internal.into()));
        if let Some(fault) = answer.err().and_then(|failure| failure.fault()) {
            gathered.push(fault);
        }
        // SAFETY: as above; looked up anew, since a callback of the host may have used the list meanwhile.
        if let Some(list) = unsafe { faults::list(list)? } {
            list.append(gathered);
        }
        answer
    })
}

/// Runs `body`, which may interrupt anything.
pub fn bare(body: impl FnOnce() -> Answer<()>) {
    let _ = catch_unwind(AssertUnwindSafe(body));
}

fn protected<T>(body: impl FnOnce() -> T) -> Option<T> {
    hook::install();
    let _inside = hook::enter();
    catch_unwind(AssertUnwindSafe(body)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capi::{faults::List, handle};

    #[test]
    fn a_panic_is_listed() {
        let list = handle::give::<pon_faults>(List::default());
        assert_eq!(gathering(list, |_| panic!()), Code::Internal.number());
        // SAFETY: made above, and used here alone.
        assert_eq!(unsafe { faults::pon_faults_count(list) }, 1);
        // SAFETY: as above.
        unsafe { faults::pon_faults_free(list) };
    }
}
