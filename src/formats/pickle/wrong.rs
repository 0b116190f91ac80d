//! What an instruction answers that can not be followed.

use crate::faults::Code;

/// A refusal, before it is known to be of which instruction.
pub(super) struct Wrong(pub Code, pub String);

pub(super) type Step<T> = Result<T, Wrong>;

/// The refusal of what would take more than there is.
pub(super) fn too_much() -> Wrong {
    Wrong(Code::Limit, "would take more memory than a file of this length is given.".into())
}

pub(super) fn wrong<T>(code: Code, message: impl Into<String>) -> Step<T> {
    Err(Wrong(code, message.into()))
}
