//! Protobuf on the wire: fields one after another, each a number and a value. Nothing is copied and nothing entered.

use super::budget::Budget;
use crate::faults::{Code, Fault};
use std::ops::Range;

/// The fields of one message: a range of the file's bytes.
#[derive(Clone)]
pub(in crate::formats) struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    /// What the message is, for faults.
    what: &'static str,
}

/// A field.
pub(in crate::formats) struct Field {
    pub(in crate::formats) number: u64,
    wire: Wire,
    /// Where its value lies, without a length before it.
    range: Range<usize>,
    /// Byte of the file at which it begins.
    pub(in crate::formats) at: u64,
}

/// The wire types that files of networks have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wire {
    /// A whole number, with its value.
    Varint(u64),
    /// Eight bytes.
    Eight,
    /// Four bytes.
    Four,
    /// As many bytes as said.
    Bytes,
}

impl<'a> Fields<'a> {
    /// The fields of the message that lies in a range of the bytes.
    pub(in crate::formats) fn of(bytes: &'a [u8], range: Range<usize>, what: &'static str) -> Fields<'a> {
        let end = range.end.min(bytes.len());
        Fields { bytes, at: range.start.min(end), end, what }
    }

    /// The next field, none at the end.
    pub(in crate::formats) fn next(&mut self) -> Result<Option<Field>, Fault> {
        let at = self.at as u64;
        if self.at == self.end {
            return Ok(None);
        }
        let key = self.varint()?;
        let start = self.at;
        let (wire, range) = match key & 7 {
            0 => {
                let number = self.varint()?;
                (Wire::Varint(number), start..self.at)
            }
            1 => (Wire::Eight, self.part(8)?),
            2 => {
                let length = self.varint()?;
                (Wire::Bytes, self.part(length)?)
            }
            5 => (Wire::Four, self.part(4)?),
            other => {
                let message = format!("{}: wire type {other} at byte {at}, which no file of networks has.", self.what);
                return Err(Fault::new(Code::Malformed, message).offset(at));
            }
        };
        if key >> 3 == 0 {
            let message = format!("{}: a field of number 0 at byte {at}.", self.what);
            return Err(Fault::new(Code::Malformed, message).offset(at));
        }
        Ok(Some(Field { number: key >> 3, wire, range, at }))
    }

    /// The next varint, which must be there.
    fn varint(&mut self) -> Result<u64, Fault> {
        let (mut number, start) = (0u64, self.at as u64);
        for shift in (0..70).step_by(7) {
            let byte = self.part(1)?;
            let byte = self.bytes.get(byte.start).copied().unwrap_or_default();
            number |= u64::from(byte & 0x7F).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        let message = format!("{}: a number of more than ten bytes at byte {start}.", self.what);
        Err(Fault::new(Code::Malformed, message).offset(start))
    }

    fn part(&mut self, length: u64) -> Result<Range<usize>, Fault> {
        let end = usize::try_from(length).ok().and_then(|length| self.at.checked_add(length));
        let end = end.filter(|end| *end <= self.end).ok_or_else(|| {
            let (at, left) = (self.at, self.end - self.at);
            let message = format!(
                "{}: {length} bytes are promised at byte {at}, and {left} are left: the file is cut short, or of another format.",
                self.what
            );
            Fault::new(Code::Truncated, message).offset(at as u64)
        })?;
        Ok(std::mem::replace(&mut self.at, end)..end)
    }
}

impl Field {
    /// A whole number; a field of another wire type is a fault.
    pub(in crate::formats) fn whole(&self) -> Result<i64, Fault> {
        match self.wire {
            Wire::Varint(number) => Ok(number as i64),
            _ => Err(self.unlike("a whole number")),
        }
    }

    /// A single.
    pub(in crate::formats) fn single(&self, bytes: &[u8]) -> Result<f32, Fault> {
        let four = bytes.get(self.range.clone()).and_then(|bytes| bytes.try_into().ok());
        four.filter(|_| self.wire == Wire::Four).map(f32::from_le_bytes).ok_or_else(|| self.unlike("a single"))
    }

    /// A range: text, bytes, a message.
    pub(in crate::formats) fn range(&self) -> Result<Range<usize>, Fault> {
        match self.wire {
            Wire::Bytes => Ok(self.range.clone()),
            _ => Err(self.unlike("bytes with a length")),
        }
    }

    /// Text, copied.
    pub(in crate::formats) fn text(&self, bytes: &[u8], budget: &mut Budget) -> Result<String, Fault> {
        let range = self.range()?;
        budget.take(range.len(), self.at)?;
        let text = std::str::from_utf8(bytes.get(range).unwrap_or_default());
        text.map(str::to_owned).map_err(|_| {
            let message = format!("The name at byte {} is not UTF-8.", self.at);
            Fault::new(Code::Encoding, message).offset(self.at)
        })
    }

    /// One more of a list of singles: a packed run of them, or one alone.
    pub(in crate::formats) fn singles(&self, runs: &mut Runs, budget: &mut Budget) -> Result<(), Fault> {
        self.run(Wire::Four, runs, budget)
    }

    /// The same of doubles.
    pub(in crate::formats) fn doubles(&self, runs: &mut Runs, budget: &mut Budget) -> Result<(), Fault> {
        self.run(Wire::Eight, runs, budget)
    }

    /// The same of whole numbers.
    pub(in crate::formats) fn wholes(&self, runs: &mut Runs, budget: &mut Budget) -> Result<(), Fault> {
        match self.wire {
            Wire::Varint(_) => self.run(self.wire, runs, budget),
            _ => self.run(Wire::Bytes, runs, budget),
        }
    }

    fn run(&self, alone: Wire, runs: &mut Runs, budget: &mut Budget) -> Result<(), Fault> {
        if self.wire != alone && self.wire != Wire::Bytes {
            return Err(self.unlike("a list of numbers"));
        }
        budget.item::<Range<usize>>(self.at)?;
        runs.push(self.range.clone());
        Ok(())
    }

    fn unlike(&self, wanted: &str) -> Fault {
        let message =
            format!("Field {} at byte {} is not {wanted}: this is a file of another format.", self.number, self.at);
        Fault::new(Code::Malformed, message).offset(self.at)
    }
}

/// Where the numbers of a list lie: protobuf may write one in several runs.
pub(in crate::formats) type Runs = Vec<Range<usize>>;

/// The whole numbers of some runs, one after another. Ends early where a run is cut within a number.
pub(in crate::formats) fn varints<'a>(bytes: &'a [u8], runs: &'a [Range<usize>]) -> impl Iterator<Item = i64> + 'a {
    runs.iter().flat_map(move |run| {
        let mut fields = Fields::of(bytes, run.clone(), "numbers");
        std::iter::from_fn(move || (fields.at < fields.end).then(|| fields.varint().ok()).flatten().map(|n| n as i64))
    })
}

/// The bytes of some runs, one after another.
pub(in crate::formats) fn joined<'a>(bytes: &'a [u8], runs: &'a [Range<usize>]) -> impl Iterator<Item = u8> + 'a {
    runs.iter().filter_map(|run| bytes.get(run.clone())).flatten().copied()
}
