//! What a host says about a file that the file does not say itself.

use super::{
    cancel::{self, pon_cancel},
    context::{Context, pon_progress_fn},
    description::pon_description,
    failure::{Answer, Failure},
    handle,
    options::{flag, sized},
    params::pon_params,
    progress,
    pytree::pon_pytree_options,
    text::{self, pon_str},
    view,
};
use crate::{
    describe::{Description, Layout},
    faults::Code,
    import::ImportOptions,
};
use std::ffi::c_void;

/// Ports of a network in `[batch, window axes, channels]`.
pub const PON_LAYOUT_CHANNELS_LAST: i32 = 0;
/// Ports of a network in `[batch, channels, window axes]`.
pub const PON_LAYOUT_CHANNELS_FIRST: i32 = 1;
/// Ports of a network in the order of the framework it comes from.
pub const PON_LAYOUT_AS_FILE: i32 = 2;

/// A structured leaf of a type that nobody registered is a fault.
pub const PON_TYPES_REFUSE: i32 = 0;
/// A structured leaf of a type that nobody registered is kept as it is: it can be flattened and saved.
pub const PON_TYPES_KEEP: i32 = 1;

/// What a flatten is handed, where a file does not say it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_flattened {
    /// The path of the flatten, or of the dense or normalisation layer after it in a network written as code.
    pub path: pon_str,
    /// Lengths of one example as the description has them, whatever the file: window axes first and channels last.
    pub shape: *const i64,
    /// How many.
    pub ndim: i32,
    /// 0.
    pub reserved: u32,
}

/// What a host says about a file that the file does not say; noughts are defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_import_options {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// PON_LAYOUT_CHANNELS_LAST, _CHANNELS_FIRST or _AS_FILE: the axis order the host wants at the ports.
    pub layout: i32,
    /// The format; "": told from the bytes.
    pub format: pon_str,
    /// The loss the network was trained with; "": the file's own.
    pub loss: pon_str,
    /// Taken away from each name that begins with it, e.g. `module.`; "": nothing.
    pub strip_prefix: pon_str,
    /// The entry of a checkpoint that holds the numbers, a key at its root or a path like `/ema/state_dict`; of
    /// an HDF5 file the group that holds the set, of Jaxon the path of a value in its tree; "": the whole.
    pub key: pon_str,
    /// The layers, for formats of numbers only, or NULL.
    pub network: *const pon_description,
    /// Shape of one example of the first input in the host's order, the batch left out, or NULL; those of further inputs
    /// stand in the description's own `inputs`.
    pub example: *const i64,
    /// How many lengths `example` has.
    pub example_ndim: i32,
    /// How many `flattened` there are.
    pub flattened_count: u32,
    /// What flattens are handed, or NULL.
    pub flattened: *const pon_flattened,
    /// Told how far a call on the import is, on the thread of that call, or NULL.
    pub progress: pon_progress_fn,
    /// Handed to `progress`; must stay until the import is freed.
    pub progress_userdata: *mut c_void,
    /// Ends a call on the import when raised, or NULL. The import keeps what it needs of it.
    pub cancel: *const pon_cancel,
    /// 1: weights that PyTorch keeps in parts (`weight_norm`, `spectral_norm`, pruning) are put together for a network; 0: not.
    pub fold_weight_norm: i32,
    /// PON_TYPES_REFUSE or PON_TYPES_KEEP: what becomes of a structured leaf of a type that nobody registered.
    pub unknown_types: i32,
    /// A set that the one in the file must fit, or NULL: kinds, order of keys and types of structured leaves are taken from it.
    pub prototype: *const pon_params,
    /// How a file of nested Python values is read, or NULL.
    pub pytree: *const pon_pytree_options,
    /// 1: the loss takes the last activation of the network over, a sigmoid or softmax, which is left out, for hosts that train
    /// on; of files that say their layers, with the loss they or `loss` say; refused of others. 0: the network as it stands.
    pub lift_loss: i32,
    /// 1: the network is put in a row of layers, `0`, `1`, …, for hosts that hold a stack and no graph: every bias is there,
    /// channels are last throughout, and what is no row is refused; of files that say their layers, refused of others. 0: the
    /// network as it stands.
    pub stack: i32,
}
sized!(pon_import_options);

/// The description of the options, which outlives the call.
///
/// # Safety
/// As `pon_import_open`.
unsafe fn layers<'a>(given: &pon_import_options) -> Answer<Option<&'a Description>> {
    if given.network.is_null() {
        return Ok(None);
    }
    // SAFETY: passed on.
    Ok(Some(&unsafe { handle::get(given.network, "network")? }.description))
}

/// Options of the caller.
///
/// # Safety
/// As `pon_import_open`.
pub unsafe fn take<'a>(given: &'a pon_import_options, context: &Context) -> Answer<ImportOptions<'a>> {
    // SAFETY: passed on.
    let said = |text: &'a pon_str, name| unsafe { text.said(name) };
    let examples = match given.example.is_null() && given.example_ndim == 0 {
        true => Vec::new(),
        // SAFETY: passed on.
        false => vec![unsafe { view::shape(given.example_ndim, given.example, "example")? }.to_vec()],
    };
    let mut flattened = Vec::new();
    // SAFETY: passed on.
    for row in unsafe { handle::list(given.flattened, given.flattened_count as usize, "flattened")? } {
        if row.reserved != 0 {
            return Err(Failure::of(Code::Value, "flattened"));
        }
        // SAFETY: passed on.
        let (path, shape) = unsafe {
            (text::take(row.path.data, row.path.len, "flattened")?, view::shape(row.ndim, row.shape, "flattened")?)
        };
        flattened.push((path.to_owned(), shape.to_vec()));
    }
    // SAFETY: passed on.
    let (network, cancel) = unsafe { (layers(given)?, cancel::flag(given.cancel, "cancel")?) };
    Ok(ImportOptions {
        format: said(&given.format, "format")?,
        network,
        strip_prefix: said(&given.strip_prefix, "strip_prefix")?,
        key: said(&given.key, "key")?,
        fold_weight_norm: flag(given.fold_weight_norm, "fold_weight_norm")?,
        lift_loss: flag(given.lift_loss, "lift_loss")?,
        stack: flag(given.stack, "stack")?,
        keep_unknown_types: flag(given.unknown_types, "unknown_types")?,
        prototype: match given.prototype.is_null() {
            true => None,
            // SAFETY: passed on.
            false => Some(&unsafe { handle::get(given.prototype, "prototype")? }.params),
        },
        leaf_types: context.leaf_types(),
        pytree: Default::default(),
        examples,
        flattened,
        layout: match given.layout {
            PON_LAYOUT_CHANNELS_LAST => Layout::ChannelsLast,
            PON_LAYOUT_CHANNELS_FIRST => Layout::ChannelsFirst,
            PON_LAYOUT_AS_FILE => Layout::AsFile,
            _ => return Err(Failure::of(Code::Value, "layout")),
        },
        loss: said(&given.loss, "loss")?,
        limits: context.limits,
        progress: progress::of(given.progress, given.progress_userdata, cancel),
    })
}
