//! Networks: a description with its numbers, immutable and shared.

use super::{
    context::Context,
    description::{self, PON_LAYER_INPUT, pon_description, pon_layer},
    dtype::pon_dtype,
    failure::{Answer, Failure},
    faults::pon_faults,
    handle::{self, Handle},
    options::{Target, sized},
    params::{self, pon_params},
    port::{LentPort, pon_port, port, ports},
    status::pon_status,
    text::{self, Kept, pon_str},
    view::{self, pon_view},
};
use crate::{
    faults::{Code, Faults},
    network::{Entry, Network},
};
use std::{
    ffi::c_char,
    sync::{Arc, OnceLock},
};

/// A description with its numbers; never changes, and is shared by any number of sessions.
pub struct pon_network(());

impl Handle for pon_network {
    type Inner = Held;
    const MAGIC: u64 = u64::from_le_bytes(*b"pon.netw");

    fn context(held: &Held) -> Option<&Context> {
        Some(&held.context)
    }
}

/// What goes into a network.
pub const PON_INPUT: i32 = 1;
/// What comes out of it.
pub const PON_OUTPUT: i32 = 2;
/// A slot whose numbers are trained.
pub const PON_ROLE_PARAMETER: i32 = 1;
/// A slot whose numbers training moves by the forward pass.
pub const PON_ROLE_STATISTIC: i32 = 2;

/// A place of a network for numbers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct pon_slot {
    /// Size of the struct, set by the caller.
    pub struct_size: u32,
    /// PON_ROLE_PARAMETER or PON_ROLE_STATISTIC.
    pub role: i32,
    /// Its dotted path, e.g. `0.weight`.
    pub path: pon_str,
    /// The first layer that uses it.
    pub layer: pon_layer,
    /// What one number is.
    pub dtype: pon_dtype,
    /// The numbers, read only.
    pub view: pon_view,
}

sized!(pon_slot);

/// What stands behind a network.
pub struct Held {
    /// The network.
    pub network: Network,
    /// Where it was made.
    pub context: Arc<Context>,
    /// The plan of each precision in words, once it has been asked for.
    pub plans: Arc<[OnceLock<Kept>; 2]>,
    lent: Arc<OnceLock<Lent>>,
}

struct Lent {
    slots: Vec<(Kept, pon_layer)>,
    inputs: Vec<LentPort>,
    outputs: Vec<LentPort>,
    layers: Vec<(pon_layer, LentPort)>,
}

impl Held {
    /// A handle's worth of a network.
    pub fn new(network: Network, context: Arc<Context>) -> Held {
        Held { network, context, plans: Arc::default(), lent: Arc::default() }
    }

    fn lent(&self) -> &Lent {
        self.lent.get_or_init(|| {
            let graph = self.network.graph();
            let first = |slot: usize| graph.nodes.iter().find(|node| node.slots.contains(&slot));
            let layer = |slot| first(slot).map_or(PON_LAYER_INPUT - 1, |node| node.layer as pon_layer);
            let slots = graph.slots.iter().enumerate().map(|(at, slot)| (Kept::new(&slot.path), layer(at)));
            let made = graph.nodes.iter().map(|node| (node.layer as pon_layer, port(graph, &node.name, node.output)));
            Lent {
                slots: slots.collect(),
                inputs: ports(graph, &graph.inputs),
                outputs: ports(graph, &graph.outputs),
                layers: made.collect(),
            }
        })
    }

    fn ports(&self, direction: i32) -> Answer<&[LentPort]> {
        match direction {
            PON_INPUT => Ok(&self.lent().inputs),
            PON_OUTPUT => Ok(&self.lent().outputs),
            _ => Err(Failure::of(Code::Value, "direction")),
        }
    }
}

/// The entries of a set for the strict load.
fn entries(params: &params::Held, faults: &mut Faults) -> Answer<Vec<Entry>> {
    Ok(Entry::of_params(&params.params, faults)?)
}

/// Builds a network: each slot once, in its shape, finite, and nothing else, or all that is wrong in `faults`. The leaves of
/// `params` are tensors, by dotted path and in the library's own layout (see `pon_network_slot`).
/// Owns: the caller owns `*out` and frees it with `pon_network_free`; numbers are shared where they fit as they are.
/// Nullable: params (noughts, for work on shapes alone), faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, those of 400 to 549, PON_E_LIMIT, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_build(
    description: *const pon_description,
    params: *const pon_params,
    out: *mut *mut pon_network,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(description, "description")?, handle::out(out, "out")?) };
        let limits = &held.context.limits;
        faults.limit_to(limits.faults);
        let network = if params.is_null() {
            Network::zeroed(&held.description, limits, faults)?
        } else {
            // SAFETY: the caller's promise.
            let params = unsafe { handle::get(params, "params")? };
            let entries = entries(params, faults)?;
            Network::build(&held.description, &entries, limits, faults)?
        };
        out.write(handle::give(Held::new(network, held.context.clone())));
        Ok(())
    })
}

/// Makes a network of the same plan with other numbers in the library's own layout, all or none; sessions may swap to it.
/// `network` stays as it is. Numbers of a newer file: import it as a network of its own and hand over `pon_network_params` of it.
/// Owns: the caller owns `*out` and frees it with `pon_network_free`.
/// Nullable: faults.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, those of 400 to 549, PON_E_MEMORY.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_with(
    network: *const pon_network,
    params: *const pon_params,
    out: *mut *mut pon_network,
    faults: *mut pon_faults,
) -> pon_status {
    guard!(faults, faults, {
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(network, "network")?, handle::out(out, "out")?) };
        // SAFETY: the caller's promise.
        let params = unsafe { handle::get(params, "params")? };
        faults.limit_to(held.context.limits.faults);
        let network = held.network.with(&entries(params, faults)?, faults)?;
        out.write(handle::give(Held::new(network, held.context.clone())));
        Ok(())
    })
}

/// Makes one more handle of the same network.
/// Owns: the caller owns `*out` and frees it with `pon_network_free`, before or after `network`.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_share(network: *const pon_network, out: *mut *mut pon_network) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(network, "network")?, handle::out(out, "out")?) };
        let share = Held {
            network: held.network.clone(),
            context: held.context.clone(),
            plans: held.plans.clone(),
            lent: held.lent.clone(),
        };
        out.write(handle::give(share));
        Ok(())
    })
}

/// Gives the numbers of a network as a set of leaves by slot path, in the library's own layout.
/// Owns: the caller owns `*out` and frees it with `pon_params_free`; the numbers are shared.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_params(network: *const pon_network, out: *mut *mut pon_params) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(network, "network")?, handle::out(out, "out")?) };
        let params = Entry::to_params(held.network.entries(), &mut Faults::default())?;
        out.write(handle::give(params::Held::new(params, held.context.clone())));
        Ok(())
    })
}

/// Gives the description of a network, in the library's own words.
/// Owns: the caller owns `*out` and frees it with `pon_description_free`.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_description(
    network: *const pon_network,
    out: *mut *mut pon_description,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(network, "network")?, handle::out(out, "out")?) };
        let copy = description::Held::new(held.network.description().clone(), held.context.clone());
        out.write(handle::give(copy));
        Ok(())
    })
}

/// Finds a layer of a network by its name: that of the description, `id` in PyTorch's words. Numbers count the layers that
/// were put in for the order of axes too.
/// Owns: nothing.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_TEXT, PON_E_VALUE (no such layer).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_layer(
    network: *const pon_network,
    name: *const c_char,
    name_len: usize,
    out: *mut pon_layer,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(network, "network")?, handle::out(out, "out")?) };
        // SAFETY: the caller's promise.
        let name = unsafe { text::take(name, name_len, "name")? };
        let layer = held.network.graph().nodes.iter().find(|node| node.name == name);
        out.write(layer.ok_or(Failure::of(Code::Value, "name"))?.layer as pon_layer);
        Ok(())
    })
}

/// Tells about what a layer makes, as a tap of it sees it: its name, and its shape with the batch first (1 where the value is
/// the same for all examples), channels last whatever order the ports have; `out->struct_size` is set before the call.
/// Owns: name and shape belong to the network and end with this handle.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such layer).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_layer_port(
    network: *const pon_network,
    layer: pon_layer,
    out: *mut pon_port,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(network, "network")?, Target::new(out, "out")?) };
        let made = held.lent().layers.iter().find(|(number, _)| *number == layer);
        out.write(made.ok_or(Failure::of(Code::Value, "layer"))?.1.lend());
        Ok(())
    })
}

/// Tells how many slots a network has.
/// Owns: nothing.
/// Nullable: network (0).
/// Threads: any.
/// Errors: none; 0.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_slots(network: *const pon_network) -> usize {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(network, "network")? }.network.graph().slots.len()) })
}

/// Tells about a slot; `out->struct_size` is set before the call.
/// Owns: path and view belong to the network and end with this handle.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such slot).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_slot(network: *const pon_network, index: usize, out: *mut pon_slot) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(network, "network")?, Target::new(out, "out")?) };
        let none = Failure::of(Code::Value, "index");
        let slot = held.network.graph().slots.get(index).ok_or(none)?;
        let ((path, layer), numbers) =
            held.lent().slots.get(index).zip(held.network.numbers().get(index)).ok_or(none)?;
        let view = view::lend(numbers);
        let role = slot.role as i32;
        out.write(pon_slot { struct_size: 0, role, path: path.lend(), layer: *layer, dtype: view.dtype, view });
        Ok(())
    })
}

/// Tells how many inputs (PON_INPUT) or outputs (PON_OUTPUT) a network has.
/// Owns: nothing.
/// Nullable: network (0).
/// Threads: any.
/// Errors: none; 0.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_ports(network: *const pon_network, direction: i32) -> usize {
    // SAFETY: the caller's promise.
    guard!(or 0, { Ok(unsafe { handle::get(network, "network")? }.ports(direction)?.len()) })
}

/// Tells about an input or output; `out->struct_size` is set before the call.
/// Owns: name and shape belong to the network and end with this handle.
/// Nullable: none.
/// Threads: any.
/// Errors: PON_E_NULL, PON_E_HANDLE, PON_E_STRUCT_SIZE, PON_E_VALUE (no such port).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_port(
    network: *const pon_network,
    direction: i32,
    index: usize,
    out: *mut pon_port,
) -> pon_status {
    guard!({
        // SAFETY: the caller's promise.
        let (held, out) = unsafe { (handle::get(network, "network")?, Target::new(out, "out")?) };
        let port = held.ports(direction)?.get(index).ok_or(Failure::of(Code::Value, "index"))?;
        out.write(port.lend());
        Ok(())
    })
}

/// Frees a handle; the network goes with the last one, and with the last session of it.
/// Owns: takes `network`.
/// Nullable: network (nothing happens).
/// Threads: one at a time.
/// Errors: none.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pon_network_free(network: *mut pon_network) {
    // SAFETY: the caller's promise.
    guard!(or(), { unsafe { handle::free(network) } })
}
