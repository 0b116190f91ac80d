//! Formats that are known by their first bytes and not read: refused by name, with what helps.

use super::{
    ImportOptions,
    format::{Format, Opened},
};
use crate::{
    faults::{Code, Fault, Faults, Refused},
    source::Source,
};

/// A format that is refused.
pub(super) struct Elsewhere {
    name: &'static str,
    recognises: fn(&[u8]) -> bool,
    /// What the file is, and what helps: the whole message.
    says: &'static str,
}

impl Format for Elsewhere {
    fn name(&self) -> &'static str {
        self.name
    }

    fn recognises(&self, head: &[u8]) -> bool {
        (self.recognises)(head)
    }

    fn open(&self, _: &Source, _: &ImportOptions<'_>, faults: &mut Faults) -> Result<Box<dyn Opened>, Refused> {
        Err(faults.refuse(Fault::new(Code::Unsupported, self.says).offset(0)))
    }
}

pub(super) const GGUF: Elsewhere = Elsewhere {
    name: "gguf",
    recognises: |head| head.starts_with(b"GGUF"),
    says: "The file is GGUF, a format for language models, which this library does not read. Its numbers can be saved as \
           safetensors and listed.",
};

pub(super) const PICKLE: Elsewhere = Elsewhere {
    name: "pickle",
    recognises: |head| matches!(head, [0x80, 2..=5, ..]),
    says: "The file is a Python pickle, which can run code and is not read. Save the numbers as safetensors.",
};

pub(super) const POINTER: Elsewhere = Elsewhere {
    name: "git-lfs",
    recognises: |head| head.starts_with(b"version https://git-lfs"),
    says: "The file is a pointer of Git LFS and not the model itself. Fetch it with `git lfs pull`.",
};

pub(super) const TEXT: Elsewhere = Elsewhere {
    name: "text",
    recognises: |head| {
        let whole = match std::str::from_utf8(head) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
        };
        // The head may end within a character.
        whole.len() + 4 > head.len() && whole.chars().all(|c| !c.is_control() || c.is_whitespace())
    },
    says: "The file is text. Models are read from their binary files; a description goes into the option `network`.",
};
