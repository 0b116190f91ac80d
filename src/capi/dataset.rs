//! Data sets: batches of examples out of HDF5 files.

use super::{
    context::{self, Context, pon_context},
    dataset_options::{self, pon_dataset_options},
    dtype::pon_dtype,
    failure::{Answer, Failure},
    faults::pon_faults,
    handle::{self, Handle},
    options::{self, Target, sized},
    source::pon_source,
    status::pon_status,
    text::{Kept, pon_str},
    view::{self, Checked, pon_view},
};
use crate::{
    dataset::{Dataset, Options, Top},
    faults::{Code, Fault, Faults, quoted_str},
    tensor::{DType, shape_text},
};
use std::sync::{Arc, Mutex, PoisonError};

/// Examples, batch by batch and without end: behind the last comes the first.
pub struct pon_dataset(());

impl Handle for pon_dataset {
    type Inner = Held;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.dset");

    fn context(held: &Held) -> Option<&Context> {
        Some(&held.context)
    }
}

/// One kind of numbers of each example.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_top {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// What one number is in the files: PON_DTYPE_F32 or PON_DTYPE_F64.
    pub dtype: pon_dtype,
    /// Its name.
    pub name: pon_str,
    /// Lengths of one example, slowest axis first, the batch left out.
    pub shape: *const i64,
    /// How many.
    pub ndim: i32,
    /// 0.
    pub reserved: u32,
}
sized!(pon_top);

/// What stands behind a data set.
pub struct Held {
    /// Reached by calls that have the handle for themselves alone; the lock is never waited for.
    dataset: Mutex<Dataset>,
    tops: Vec<(Top, Kept)>,
    examples: u64,
    batch: usize,
    epoch: u64,
    context: Arc<Context>,
}

/// Opens the HDF5 files that a list names, a path a line, or a single HDF5 file, and looks at all of them: every top must be in
/// each, of one shape and type, and the tops of a file must have as many examples. No numbers are read.
/// Owns: the caller owns `*out` and frees it with `pon_dataset_free`, before or after `list`; texts and sources of the options
/// are used during the call only. The files must not be shortened or written while the set lives; a `list` that the host reads
/// must give its bytes until then, unless `ahead` is not 0: then all of them are read now.
/// Nullable: context (default limits), options (defaults), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_TEXT, PON_E_VALUE, PON_E_SHAPE, PON_E_LIMIT, PON_E_MEMORY, those of
/// 200 to 399.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_dataset_open(
    context: *const pon_context,
    list: *const pon_source,
    options: *const pon_dataset_options,
    out: *mut *mut pon_dataset,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, faults)?) };
        // SAFETY: the caller's promise.
        let (list, given) = unsafe { (handle::get(list, "list")?, options::read(options, "options")?) };
        // A reader of the host may free its own source while it is read.
        let list = list.source.clone();
        let options = match &given {
            // SAFETY: the caller's promise.
            Some(given) => unsafe { dataset_options::take(given, &context, faults)? },
            None => Options { batch: 1, limits: context.limits, ..Options::default() },
        };
        let dataset = Dataset::open(&list, options, faults)?;
        let tops = dataset.tops().iter().map(|top| (top.clone(), Kept::new(&top.name))).collect();
        let (examples, batch) = (dataset.examples(), dataset.batch());
        out.write(handle::give(Held { dataset: Mutex::new(dataset), tops, examples, batch, epoch: 0, context }));
        Ok(())
    })
}

/// How many kinds of numbers each example has.
/// Owns: nothing.
/// Nullable: dataset (0).
/// Threads: any.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_dataset_tops(dataset: *const pon_dataset) -> usize {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(dataset, "dataset")? }.tops.len()) })
}

/// One kind of numbers; what it lends lives as long as the data set.
/// Owns: nothing.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such top).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_dataset_top(dataset: *const pon_dataset, index: usize, out: *mut pon_top) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(dataset, "dataset")?, Target::new(out, "out")?) };
        let (top, name) = held.tops.get(index).ok_or(Failure::of(Code::Value, "index"))?;
        out.write(pon_top {
            struct_size: 0,
            dtype: top.dtype as pon_dtype,
            name: name.lend(),
            shape: top.shape.as_ptr().cast(),
            ndim: top.shape.len() as i32,
            reserved: 0,
        });
        Ok(())
    })
}

/// How many examples the set has.
/// Owns: nothing.
/// Nullable: dataset (0).
/// Threads: any.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_dataset_examples(dataset: *const pon_dataset) -> u64 {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(dataset, "dataset")? }.examples) })
}

/// How often the last example of the set has been given, the last batch among it.
/// Owns: nothing.
/// Nullable: dataset (0).
/// Threads: any.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_dataset_epoch(dataset: *const pon_dataset) -> u64 {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(dataset, "dataset")? }.epoch) })
}

/// Writes the next batch into the caller's views, a view a top in their order: the batch first, then the lengths of one example;
/// F32 or F64, numbers are rounded where that is less than the file has. Batches run across files and epochs. Of views of the
/// same numbers the last one counts.
/// Owns: the views and what they look at stay the caller's.
/// Nullable: faults.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_VALUE (a view that is no such), PON_E_TOO_SMALL (fewer views than tops), those of 200
/// to 399, PON_E_MEMORY, PON_E_STATE (the thread that reads ahead has met a fault before). After PON_E_VALUE, PON_E_NULL and
/// PON_E_TOO_SMALL the batch is still to come.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_dataset_next(
    dataset: *mut pon_dataset,
    views: *const pon_view,
    count: usize,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, views) = unsafe { (handle::get_mut(dataset, "dataset")?, handle::list(views, count, "views")?) };
        faults.limit_to(held.context.limits.faults);
        if count < held.tops.len() {
            return Err(Failure::of(Code::TooSmall, "count"));
        }
        let mut dtypes = Vec::new();
        for (view, (top, _)) in views.iter().zip(&held.tops) {
            // SAFETY: the caller's promise.
            let checked = unsafe { view::check(view, "views")? };
            fits(&checked, top, held.batch, faults)?;
            dtypes.push(checked.dtype);
        }
        let dataset = held.dataset.get_mut().unwrap_or_else(PoisonError::into_inner);
        let batch = dataset.next(faults)?;
        held.epoch = batch.epoch;
        let converted = batch.tops.iter().zip(dtypes).map(|(tensor, dtype)| tensor.converted(dtype));
        let tensors = converted.collect::<Option<Vec<_>>>().ok_or(Failure::of(Code::Memory, "views"))?;
        for (tensor, view) in tensors.iter().zip(views) {
            // SAFETY: the caller's promise; the views may be of the same numbers, and one alone is looked at here.
            let mut view = unsafe { view::seen_mut(view, "views")? };
            view.copy_from(tensor.packed_bytes().ok_or(Failure::of(Code::Internal, "views"))?);
        }
        Ok(())
    })
}

/// Whether a view takes a batch of a top.
fn fits(view: &Checked<'_>, top: &Top, batch: usize, faults: &mut Faults) -> Answer<()> {
    let wanted: Vec<usize> = [batch].into_iter().chain(top.shape.iter().copied()).collect();
    if !view.writable {
        return Err(Failure::of(Code::Value, "views"));
    }
    if matches!(view.dtype, DType::F32 | DType::F64) && *view.shape == *wanted {
        return Ok(());
    }
    let message = format!(
        "The view of '{}' is {} of {}; {} of F32 or F64 is wanted.",
        quoted_str(&top.name),
        shape_text(view.shape),
        view.dtype.name(),
        shape_text(&wanted)
    );
    Err(faults.refuse(Fault::new(Code::Value, message).path(&top.name)).into())
}

/// Frees a data set, and ends its thread if it has one.
/// Owns: takes `dataset`.
/// Nullable: dataset (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_dataset_free(dataset: *mut pon_dataset) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(dataset) } })
}
