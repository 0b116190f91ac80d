//! A tensor's message: its name, element type, shape, and where its numbers lie. No number is read.

use crate::faults::Fault;
use crate::formats::protobuf::{Budget, Fields, Runs, varints};
use crate::tensor::DType;
use std::ops::Range;

/// A tensor as the graph has it. Its numbers stay where they are.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    /// Its name.
    pub name: String,
    /// Number of its element type in ONNX.
    pub element: i64,
    /// Lengths of its axes as written.
    pub lengths: Vec<i64>,
    /// Where its numbers lie.
    pub(super) place: Place,
    /// Byte of the file at which its message begins.
    pub offset: u64,
}

/// Where numbers lie.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub(super) raw: Option<Range<usize>>,
    pub(super) floats: Runs,
    pub(super) int32: Runs,
    pub(super) int64: Runs,
    pub(super) doubles: Runs,
    pub(super) uint64: Runs,
    pub(super) strings: usize,
    /// Notes on a file beside the graph, as they come; with them the numbers are there.
    pub(super) external: Vec<(String, String)>,
    pub(super) elsewhere: bool,
    pub(super) segmented: bool,
}

/// Most axes of a tensor, most notes on a file beside the graph.
const MOST: usize = 64;

impl Stored {
    pub(super) fn read(bytes: &[u8], range: Range<usize>, at: u64, budget: &mut Budget) -> Result<Stored, Fault> {
        budget.item::<Stored>(at)?;
        let mut stored = Stored { offset: at, ..Stored::default() };
        let place = &mut stored.place;
        let mut lengths = Runs::new();
        let mut fields = Fields::of(bytes, range, "a tensor");
        while let Some(field) = fields.next()? {
            match field.number {
                1 => field.wholes(&mut lengths, budget)?,
                2 => stored.element = field.whole()?,
                3 => place.segmented = true,
                4 => field.singles(&mut place.floats, budget)?,
                5 => field.wholes(&mut place.int32, budget)?,
                6 => place.strings += 1,
                7 => field.wholes(&mut place.int64, budget)?,
                8 => stored.name = field.text(bytes, budget)?,
                9 => place.raw = Some(field.range()?),
                10 => field.doubles(&mut place.doubles, budget)?,
                11 => field.wholes(&mut place.uint64, budget)?,
                13 if place.external.len() < MOST => place.external.push(note(bytes, field.range()?, budget)?),
                14 => place.elsewhere = field.whole()? == 1,
                _ => {}
            }
        }
        // One more than is allowed, so that the fault of too many can be told.
        stored.lengths = varints(bytes, &lengths).take(MOST + 1).collect();
        budget.take(stored.lengths.len() * size_of::<i64>(), at)?;
        Ok(stored)
    }

    /// The element type; what it is called if this library has none for it.
    pub fn dtype(&self) -> Result<DType, String> {
        dtype(self.element)
    }

    /// Whether there are more axes than any tensor has.
    pub(super) fn has_too_many_axes(&self) -> bool {
        self.lengths.len() > MOST
    }
}

/// The element type of its number in ONNX; else what it is called there.
pub fn dtype(element: i64) -> Result<DType, String> {
    Ok(match element {
        1 => DType::F32,
        2 => DType::U8,
        3 => DType::I8,
        4 => DType::U16,
        5 => DType::I16,
        6 => DType::I32,
        7 => DType::I64,
        9 => DType::Bool,
        10 => DType::F16,
        11 => DType::F64,
        12 => DType::U32,
        13 => DType::U64,
        14 => DType::C64,
        15 => DType::C128,
        16 => DType::BF16,
        17 => DType::F8E4M3,
        18 => DType::F8E4M3Fnuz,
        19 => DType::F8E5M2,
        20 => DType::F8E5M2Fnuz,
        24 => DType::F8E8M0,
        8 => return Err("STRING".into()),
        21 => return Err("UINT4".into()),
        22 => return Err("INT4".into()),
        23 => return Err("FLOAT4E2M1".into()),
        other => return Err(format!("an element type of number {other}")),
    })
}

/// A key and its value.
pub(super) fn note(bytes: &[u8], range: Range<usize>, budget: &mut Budget) -> Result<(String, String), Fault> {
    let mut note = (String::new(), String::new());
    budget.item::<(String, String)>(range.start as u64)?;
    let mut fields = Fields::of(bytes, range, "a note");
    while let Some(field) = fields.next()? {
        match field.number {
            1 => note.0 = field.text(bytes, budget)?,
            2 => note.1 = field.text(bytes, budget)?,
            _ => {}
        }
    }
    Ok(note)
}
