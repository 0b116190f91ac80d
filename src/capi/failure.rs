//! Why an entry refuses: a code, and the name of the parameter where the caller is to blame.

use crate::faults::{Code, Fault, Refused};

/// What an entry's body answers.
pub type Answer<T> = Result<T, Failure>;

/// A refusal on its way to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The status returned.
    pub code: Code,
    /// The parameter or field at fault; none if the fault list says it already.
    argument: Option<&'static str>,
}

impl Failure {
    /// The caller's parameter or field `name` is at fault.
    pub fn of(code: Code, name: &'static str) -> Failure {
        Failure { code, argument: Some(name) }
    }

    /// The fault to be listed, if there is one that is not listed yet.
    pub fn fault(&self) -> Option<Fault> {
        let Some(name) = self.argument else {
            let defect = || Fault::new(Code::Internal, "a defect of this library ended the call");
            return (self.code == Code::Internal).then(defect);
        };
        let rest = match self.code {
            Code::Null => "is NULL",
            Code::Handle => "is a handle of another kind, or was freed",
            Code::StructSize => "has a struct_size that this library does not know",
            Code::Text => "is not UTF-8, or holds a NUL",
            Code::Shared => "is shared and can not be changed",
            Code::TooSmall => "has too little room",
            Code::TooLate => "comes too late",
            Code::Limit => "meets a limit of the context",
            Code::Memory => "asks for memory that can not be had",
            Code::Poisoned => "is unusable after a defect of this library; reset or free it",
            Code::State => "is not in a state that allows the call",
            _ => "has a value that the call does not take",
        };
        Some(Fault::new(self.code, format!("`{name}` {rest}")))
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        Failure { code: refused.0, argument: None }
    }
}

impl From<Code> for Failure {
    fn from(code: Code) -> Failure {
        Failure { code, argument: None }
    }
}
