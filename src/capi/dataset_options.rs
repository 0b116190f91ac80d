//! How a data set is read.

use super::{
    context::{Context, Userdata},
    failure::{Answer, Failure},
    handle,
    options::sized,
    source::pon_source,
    text::pon_str,
};
use crate::{
    dataset::{Options, Shuffle, Transform},
    faults::{Code, Faults},
};
use std::{ffi::c_void, path::PathBuf};

/// Examples in the order of the files.
pub const PON_SHUFFLE_NONE: i32 = 0;
/// Examples in an order that is drawn from `seed`, the same on every machine.
pub const PON_SHUFFLE_SEED: i32 = 1;
/// Examples in an order that is drawn from `bits`.
pub const PON_SHUFFLE_BITS: i32 = 2;

/// Numbers of a top are multiplied by `scale`.
pub const PON_TRANSFORM_SCALE: i32 = 0;
/// The dataset `mean` of an HDF5 file is taken from each example.
pub const PON_TRANSFORM_SUB_MEAN: i32 = 1;

/// Gives 64 drawn bits.
pub type pon_bits_fn = Option<unsafe extern "C" fn(userdata: *mut c_void) -> u64>;

/// A change of every number of a top, before it is handed out.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_transform {
    /// The top.
    pub top: pon_str,
    /// PON_TRANSFORM_SCALE or PON_TRANSFORM_SUB_MEAN.
    pub kind: i32,
    /// 0.
    pub reserved: u32,
    /// The factor.
    pub scale: f64,
    /// The HDF5 file that holds the mean, or NULL.
    pub mean: *const pon_source,
}

/// How a data set is read; noughts are defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_dataset_options {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// Examples of a batch; 0: 1.
    pub batch: u32,
    /// Names of the datasets that are read, or NULL: `data` and `label`.
    pub tops: *const pon_str,
    /// How many.
    pub tops_count: u32,
    /// How many `transforms` there are.
    pub transforms_count: u32,
    /// What is done to the tops, in order, or NULL.
    pub transforms: *const pon_transform,
    /// Where the paths of the list begin; "": the folder the process works in.
    pub folder: pon_str,
    /// PON_SHUFFLE_NONE, _SEED or _BITS.
    pub shuffle: i32,
    /// Batches that a thread of the set's own keeps ready; 0: none, and no thread. It calls nothing of the host
    /// but its `pon_allocator`: not with PON_SHUFFLE_BITS, and a `list` that the host reads is read whole before.
    pub ahead: u32,
    /// Shuffles in chunks of so many examples, files anew in each epoch; 0: the files once, and all examples of a file.
    pub chunk: u64,
    /// From which an order is drawn.
    pub seed: u64,
    /// Gives the bits an order is drawn from, on the thread of `pon_dataset_open` and `pon_dataset_next`, or NULL.
    pub bits: pon_bits_fn,
    /// Handed to `bits`; must stay until the data set is freed.
    pub bits_userdata: *mut c_void,
}
sized!(pon_dataset_options);

/// Options of the caller.
///
/// # Safety
/// As `pon_dataset_open`.
pub unsafe fn take(given: &pon_dataset_options, context: &Context, faults: &mut Faults) -> Answer<Options> {
    let wrong = |name| Failure::of(Code::Value, name);
    let mut tops = Vec::new();
    // SAFETY: passed on.
    for top in unsafe { handle::list(given.tops, given.tops_count as usize, "tops")? } {
        // SAFETY: passed on.
        tops.push(unsafe { top.said("tops")? }.ok_or(wrong("tops"))?.to_owned());
    }
    let mut transforms = Vec::new();
    // SAFETY: passed on.
    for one in unsafe { handle::list(given.transforms, given.transforms_count as usize, "transforms")? } {
        // SAFETY: passed on.
        let top = unsafe { one.top.said("top")? }.ok_or(wrong("top"))?.to_owned();
        let transform = match (one.kind, one.reserved) {
            (PON_TRANSFORM_SCALE, 0) => Transform::Scale(one.scale),
            (PON_TRANSFORM_SUB_MEAN, 0) => {
                // SAFETY: passed on.
                let mean = unsafe { handle::get(one.mean, "mean")? }.source.clone();
                Transform::mean_file(&mean, &context.limits, faults)?
            }
            _ => return Err(wrong("transforms")),
        };
        transforms.push((top, transform));
    }
    let shuffle = match (given.shuffle, given.bits) {
        (PON_SHUFFLE_NONE, _) => None,
        (PON_SHUFFLE_SEED, _) => Some(Shuffle::Seed(given.seed)),
        (PON_SHUFFLE_BITS, None) => return Err(Failure::of(Code::Null, "bits")),
        (PON_SHUFFLE_BITS, Some(_)) if given.ahead > 0 => return Err(wrong("ahead")),
        (PON_SHUFFLE_BITS, Some(bits)) => {
            let userdata = Userdata(given.bits_userdata);
            Some(Shuffle::Given(Box::new(move || {
                let Userdata(userdata) = { userdata };
                // SAFETY: the function and the userdata the host gave, on the thread of its own call.
                unsafe { bits(userdata) }
            })))
        }
        _ => return Err(wrong("shuffle")),
    };
    Ok(Options {
        tops,
        batch: given.batch.max(1) as usize,
        shuffle,
        chunk: match usize::try_from(given.chunk) {
            Ok(0) => None,
            chunk => Some(chunk.map_err(|_| wrong("chunk"))?),
        },
        transforms,
        // SAFETY: passed on.
        folder: unsafe { given.folder.said("folder")? }.map(PathBuf::from),
        ahead: given.ahead as usize,
        limits: context.limits,
    })
}
