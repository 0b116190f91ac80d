//! Mocha's networks evaluated whole: losses and statistics, and every blob on the way.

use super::{
    context::{self, Context, pon_context},
    description::pon_description,
    dtype::{PON_DTYPE_F32, PON_DTYPE_F64, PON_DTYPE_NONE, pon_dtype},
    failure::{Answer, Failure},
    faults::pon_faults,
    handle::{self, Handle},
    import::pon_import,
    options::{self, Target, sized},
    status::pon_status,
    text::{self, Kept, pon_str},
    view::{self, pon_view},
};
use crate::{
    describe::mocha::Net,
    faults::Code,
    mocha::{Blob, Draws, Element, Evaluation},
    tensor::{DType, View},
};
use std::{collections::HashMap, ffi::c_char, sync::Arc};

/// A network in Mocha's words with its numbers, and what its last run left.
pub struct pon_evaluation(());

impl Handle for pon_evaluation {
    type Inner = Held;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.eval");

    fn context(held: &Held) -> Option<&Context> {
        Some(&held.context)
    }
}

/// How a network is evaluated; noughts are defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_evaluation_options {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// What its numbers are: PON_DTYPE_F32 or PON_DTYPE_F64; 0: F32.
    pub dtype: pon_dtype,
    /// From which numbers are drawn where none are given.
    pub seed: u64,
}

/// Numbers under a name.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_blob {
    /// The blob.
    pub name: pon_str,
    /// Its numbers, the batch first.
    pub view: pon_view,
}

/// A loss of the last run.
pub const PON_FIGURE_LOSS: i32 = 0;
/// A mean over all runs since the last reset.
pub const PON_FIGURE_STATISTIC: i32 = 1;

/// A loss or a statistic.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_figure {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// PON_FIGURE_LOSS or PON_FIGURE_STATISTIC.
    pub kind: i32,
    /// The loss layer's name, or the layer's and what it counts: `test-accuracy`.
    pub name: pon_str,
    /// The number; a loss has its layer's weight in it.
    pub value: f64,
    /// Over how many a statistic is the mean; 0 of a loss.
    pub count: u64,
}
sized!(pon_evaluation_options, pon_figure);

/// What stands behind an evaluation.
pub struct Held {
    evaluation: Evaluation,
    /// Drawn numbers for the next run that succeeds.
    draws: Draws,
    figures: Vec<Figure>,
    context: Arc<Context>,
}

struct Figure {
    kind: i32,
    name: Kept,
    value: f64,
    count: u64,
}

impl Held {
    /// Writes the figures down anew.
    fn tell(&mut self) {
        let losses = self.evaluation.losses().iter().map(|(name, value)| Figure {
            kind: PON_FIGURE_LOSS,
            name: Kept::new(name),
            value: *value,
            count: 0,
        });
        let statistics = self.evaluation.statistics().into_iter().map(|statistic| Figure {
            kind: PON_FIGURE_STATISTIC,
            name: Kept::new(&statistic.name),
            value: statistic.mean,
            count: statistic.count,
        });
        self.figures = losses.chain(statistics).collect();
    }
}

/// Makes a network in Mocha's words ready to be evaluated, with the numbers of a file by the names of its layers: losses,
/// statistics and layers that a session does not run among them. Shapes count as similar whose outer lengths of 1 differ.
/// Files that output layers are to write must not be there, unless they say that they replace them.
/// Owns: the caller owns `*out` and frees it with `pon_evaluation_free`, before or after `description` and `import`.
/// Nullable: context (default limits), import (no layer has numbers), options (defaults), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE, PON_E_LIMIT, PON_E_MEMORY, those of 200 to 549,
/// PON_STOPPED.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_evaluation_new(
    context: *const pon_context,
    description: *const pon_description,
    import: *const pon_import,
    options: *const pon_evaluation_options,
    out: *mut *mut pon_evaluation,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (out, context) = unsafe { (handle::out(out, "out")?, context::of(context, faults)?) };
        // SAFETY: the caller's promise.
        let (words, given) = unsafe { (handle::get(description, "description")?, options::read(options, "options")?) };
        let element = match given.map_or(PON_DTYPE_NONE, |given| given.dtype) {
            PON_DTYPE_NONE | PON_DTYPE_F32 => Element::Single,
            PON_DTYPE_F64 => Element::Double,
            _ => return Err(Failure::of(Code::Value, "dtype")),
        };
        let net = Net::of(&words.description, faults)?;
        let entries = match import.is_null() {
            true => Vec::new(),
            // SAFETY: the caller's promise.
            false => unsafe { handle::get(import, "import")? }.import.numbers(faults)?,
        };
        let mut evaluation = Evaluation::new(net, &entries, element, &context.limits, faults)?;
        evaluation.seed(given.map_or(0, |given| given.seed));
        let mut held = Held { evaluation, draws: Draws::default(), figures: Vec::new(), context };
        held.tell();
        out.write(handle::give(held));
        Ok(())
    })
}

/// Gives a layer that draws its numbers, for the next run that succeeds alone: a dropout one from 0 to 1 for each number it
/// takes, a crop three from 0 to 1 (its place along width and height, the mirror), a layer of normal numbers these themselves,
/// top after top. A run refuses more or fewer; none take back what was given. Without them dropouts pass all on, and the others
/// draw from the seed.
/// Owns: nothing.
/// Nullable: numbers (if `count` is 0).
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no layer of this name draws).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_evaluation_draw(
    evaluation: *mut pon_evaluation,
    layer: *const c_char,
    layer_len: usize,
    numbers: *const f64,
    count: usize,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, layer) =
            unsafe { (handle::get_mut(evaluation, "evaluation")?, text::take(layer, layer_len, "layer")?) };
        if !held.evaluation.net().layers().iter().any(|one| one.name == layer && one.kind.draws()) {
            return Err(Failure::of(Code::Value, "layer"));
        }
        // SAFETY: the caller's promise.
        let numbers = unsafe { handle::list(numbers, count, "numbers")? };
        held.draws.give(layer, numbers.to_vec());
        Ok(())
    })
}

/// Runs every layer once on the blobs that come from outside: the tops of data layers and the inputs, each with the batch first.
/// `*loss` becomes the total of the losses. After a failure blobs, losses, statistics and given draws are those of before.
/// Owns: `blobs` and what they look at are used during the call only; ends what the evaluation has lent.
/// Nullable: loss, faults.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (a view that holds no real numbers, a label that is no class, draws
/// that are not as many as a layer takes), PON_E_LIMIT, PON_E_LAYER_SHAPE (also a blob that is not what its layer makes, or
/// blobs that fit no parameters), PON_E_INPUT, PON_E_NOT_BOUND, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_evaluation_run(
    evaluation: *mut pon_evaluation,
    blobs: *const pon_blob,
    count: usize,
    loss: *mut f64,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, blobs) =
            unsafe { (handle::get_mut(evaluation, "evaluation")?, handle::list(blobs, count, "blobs")?) };
        faults.limit_to(held.context.limits.faults);
        let mut given = HashMap::new();
        for one in blobs {
            // SAFETY: the caller's promise.
            let (name, view) = unsafe { (one.name.said("name")?, view::seen(&one.view, "view")?) };
            let name = name.ok_or(Failure::of(Code::Value, "name"))?;
            if given.insert(name.to_owned(), taken(&view)?).is_some() {
                return Err(Failure::of(Code::Value, "name"));
            }
        }
        let total = held.evaluation.forward(given, &held.draws, faults)?;
        held.draws = Draws::default();
        held.tell();
        // SAFETY: the caller's promise.
        unsafe { handle::put(loss, total) };
        Ok(())
    })
}

/// A copy of numbers of the caller.
fn taken(view: &View<'_>) -> Answer<Blob> {
    let none = Failure::of(Code::Memory, "view");
    if !view.dtype.is_real() {
        return Err(Failure::of(Code::Value, "view"));
    }
    view.to_tensor().and_then(|tensor| Blob::of(&tensor)).ok_or(none)
}

/// How many losses and statistics there are.
/// Owns: nothing.
/// Nullable: evaluation (0).
/// Threads: any.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_evaluation_figures(evaluation: *const pon_evaluation) -> usize {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(evaluation, "evaluation")? }.figures.len()) })
}

/// Gives a loss or a statistic: first the losses of the last run, then the statistics, each in running order.
/// Owns: the name belongs to the evaluation, until the next run or reset.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such figure).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_evaluation_figure(
    evaluation: *const pon_evaluation,
    index: usize,
    out: *mut pon_figure,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(evaluation, "evaluation")?, Target::new(out, "out")?) };
        let figure = held.figures.get(index).ok_or(Failure::of(Code::Value, "index"))?;
        let Figure { kind, name, value, count } = figure;
        out.write(pon_figure { struct_size: 0, kind: *kind, name: name.lend(), value: *value, count: *count });
        Ok(())
    })
}

/// Lends a blob of the last run, as packed doubles: of a network of singles each is one that a single holds.
/// Owns: the numbers belong to the evaluation, until the next run; they must not be written.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_NO_PATH (no such blob, or nothing has run).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_evaluation_blob(
    evaluation: *const pon_evaluation,
    name: *const c_char,
    name_len: usize,
    out: *mut pon_view,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(evaluation, "evaluation")?, handle::out(out, "out")?) };
        // SAFETY: the caller's promise.
        let name = unsafe { text::take(name, name_len, "name")? };
        let blob = held.evaluation.blob(name).ok_or(Failure::of(Code::NoPath, "name"))?;
        let numbers = blob.numbers.as_ptr().cast_mut().cast();
        out.write(view::told(DType::F64, numbers, &blob.shape, None, false));
        Ok(())
    })
}

/// Begins all statistics anew, and forgets what output layers have kept.
/// Owns: ends the figures that were lent.
/// Nullable: none.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_evaluation_reset(evaluation: *mut pon_evaluation) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let held = unsafe { handle::get_mut(evaluation, "evaluation")? };
        held.evaluation.reset_statistics();
        held.evaluation.reset_outputs();
        held.tell();
        Ok(())
    })
}

/// Writes the files of the network's HDF5 output layers: the batches of all runs since the last reset, one after another.
/// Owns: nothing.
/// Nullable: faults.
/// Threads: one at a time.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_IO, PON_E_NOT_FOUND, PON_E_MEMORY, PON_E_SHAPE (runs of examples of unlike shapes).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_evaluation_write(evaluation: *mut pon_evaluation, faults: *mut pon_faults) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let held = unsafe { handle::get_mut(evaluation, "evaluation")? };
        faults.limit_to(held.context.limits.faults);
        Ok(held.evaluation.write_outputs(faults)?)
    })
}

/// Frees an evaluation.
/// Owns: takes `evaluation`.
/// Nullable: evaluation (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_evaluation_free(evaluation: *mut pon_evaluation) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(evaluation) } })
}
