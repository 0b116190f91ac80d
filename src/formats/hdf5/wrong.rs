//! What is wrong with a file, before it is known which object of it suffers; every part of the reader makes them, the
//! public doors turn them into faults.

use crate::faults::{Code, Fault, Faults, Refused, Text, quoted, quoted_str};
use hdf5_reader::error::Error;
use std::fmt;

/// A thing that is wrong, where, and half a sentence that says so: it follows the object's name and a colon.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    code: Code,
    says: String,
    at: Option<u64>,
}

/// What a part of the reader gives.
pub(super) type Read<T> = Result<T, Wrong>;

impl Wrong {
    /// The format's own rules are broken at this byte of the source.
    pub fn damaged(at: impl Into<Option<u64>>, says: impl Into<String>) -> Wrong {
        Wrong { code: Code::Malformed, says: says.into(), at: at.into() }
    }

    /// Sound, and not read by this library.
    pub fn unsupported(at: impl Into<Option<u64>>, says: impl Into<String>) -> Wrong {
        Wrong { code: Code::Unsupported, says: says.into(), at: at.into() }
    }

    /// Any other outcome.
    pub fn with(code: Code, at: impl Into<Option<u64>>, says: impl Into<String>) -> Wrong {
        Wrong { code, says: says.into(), at: at.into() }
    }

    /// What the crate says of the structure at this byte; or what the source said that did not give the crate its bytes.
    pub fn crates(at: u64, what: &str, error: &Error) -> Wrong {
        let (code, at, says) = match error {
            Error::Io(io) => match io.get_ref().and_then(|inner| inner.downcast_ref::<Wrong>()) {
                Some(wrong) => (wrong.code, wrong.at, wrong.says.clone()),
                None => (Code::Io, Some(at), quoted_str(&io.to_string())),
            },
            other => (Code::Malformed, Some(at), quoted_str(&other.to_string())),
        };
        Wrong::with(code, at, format!("{what} can not be read: {says}"))
    }

    /// What the source says that did not give its bytes.
    pub fn source(refused: Refused, faults: &Faults) -> Wrong {
        let fault = faults.iter().next();
        let says = fault.map_or("its bytes can not be read", |fault| fault.message.trim_end_matches('.'));
        Wrong::with(refused.0, fault.and_then(|fault| fault.offset), says)
    }

    /// The same, said of a part of the object.
    pub fn of(self, part: &str) -> Wrong {
        Wrong { says: format!("{part}: {}", self.says), ..self }
    }

    /// The fault of the object at `path`.
    pub fn fault(self, path: &Text) -> Fault {
        let message = format!("'{}': {}.", quoted(path), self.says);
        Fault::new(self.code, message).path(path.clone()).place(path.clone()).offset(self.at)
    }

    /// Adds the fault of the object at `path` and says that the call is refused.
    pub fn refuse(self, path: &Text, faults: &mut Faults) -> Refused {
        faults.refuse(self.fault(path))
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.says)
    }
}

impl std::error::Error for Wrong {}
