//! Pontil through its C functions, as a host would call it: bound once, then run.

use super::Random;
use pontil::capi::{
    bind::{pon_session_bind, pon_session_port},
    change::pon_params_set,
    description::{pon_description, pon_description_free, pon_description_parse},
    network::{
        PON_INPUT, PON_OUTPUT, pon_network, pon_network_build, pon_network_free, pon_network_params, pon_network_with,
    },
    node::{pon_params_path, pon_params_view},
    params::{pon_params, pon_params_count, pon_params_free},
    session::{
        PON_PRECISION_EXACT, PON_PRECISION_STANDARD, pon_session, pon_session_bytes, pon_session_free, pon_session_new,
        pon_session_options, pon_session_run,
    },
    tensor::{pon_tensor, pon_tensor_free, pon_tensor_new, pon_tensor_view_mut},
    value::{PON_KIND_TENSOR, pon_value},
    view::pon_view,
};
use serde_json::{Value, json};
use std::{
    mem::MaybeUninit,
    ptr, slice,
    time::{Duration, Instant},
};

/// A network of made-up numbers.
pub struct Network {
    network: *mut pon_network,
    /// How long it took to build it.
    pub built: Duration,
}

/// What a function of the header gives through its last pointer.
fn made<T>(call: impl FnOnce(*mut T) -> i32) -> T {
    let mut made = MaybeUninit::uninit();
    assert_eq!(call(made.as_mut_ptr()), 0, "a status");
    // SAFETY: written, as the status says.
    unsafe { made.assume_init() }
}

impl Network {
    /// Layers one after another, with numbers that keep values near one.
    pub fn new(input: &[usize], layers: &[Value]) -> Network {
        let named = layers.iter().enumerate().map(|(number, layer)| {
            let mut layer = layer.clone();
            layer["name"] = json!(number.to_string());
            let before = number.checked_sub(1).map_or("input".to_owned(), |before| before.to_string());
            layer["from"] = json!([before]);
            layer
        });
        let text = json!({ "kind": "graph", "inputs": [{ "name": "input", "shape": input }],
                           "layers": named.collect::<Vec<_>>() })
        .to_string();
        let none = ptr::null_mut::<u8>();
        // SAFETY: handles that the functions made and nobody freed, and text that is there.
        unsafe {
            let description: *mut pon_description =
                made(|out| pon_description_parse(none.cast(), text.as_ptr().cast(), text.len(), out, none.cast()));
            let empty: *mut pon_network = made(|out| pon_network_build(description, ptr::null(), out, none.cast()));
            let params: *mut pon_params = made(|out| pon_network_params(empty, out));
            let mut random = Random(1);
            for node in 0..pon_params_count(params) {
                fill(params, node, &mut random);
            }
            let begin = Instant::now();
            let network = made(|out| pon_network_with(empty, params, out, none.cast()));
            let built = begin.elapsed();
            pon_params_free(params);
            pon_network_free(empty);
            pon_description_free(description);
            Network { network, built }
        }
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // SAFETY: made in `new`.
        unsafe { pon_network_free(self.network) }
    }
}

/// Puts made-up numbers into a leaf.
///
/// # Safety
/// A set and a node of it.
unsafe fn fill(params: *mut pon_params, node: u32, random: &mut Random) {
    let mut view = MaybeUninit::<pon_view>::uninit();
    // SAFETY: as the caller promises; what is no tensor has no view.
    unsafe {
        if pon_params_view(params, node, view.as_mut_ptr()) != 0 {
            return;
        }
        let view = view.assume_init();
        let (mut path, mut need) = ([0u8; 64], 0);
        assert_eq!(pon_params_path(params, node, path.as_mut_ptr().cast(), path.len(), &mut need), 0);
        let positive = path[..need - 1].ends_with(b"running_var");
        let shape = slice::from_raw_parts(view.shape, view.ndim as usize);
        let count = shape.iter().product::<i64>() as usize;
        let terms = shape[..shape.len() - 1].iter().product::<i64>().max(1);
        let tensor: *mut pon_tensor = made(|out| pon_tensor_new(ptr::null(), view.dtype, view.ndim, view.shape, out));
        let own: pon_view = made(|out| pon_tensor_view_mut(tensor, out));
        for to in slice::from_raw_parts_mut(own.data.cast::<f32>(), count) {
            let x = random.next();
            *to = if positive { 0.5 + x.abs() } else { x * (3.0 / terms as f32).sqrt() };
        }
        let value = pon_value {
            struct_size: size_of::<pon_value>() as u32,
            kind: PON_KIND_TENSOR,
            tensor,
            ..std::mem::zeroed()
        };
        assert_eq!(pon_params_set(params, node, &value), 0);
        pon_tensor_free(tensor);
    }
}

/// A session with its numbers bound.
pub struct Session {
    session: *mut pon_session,
    /// The input of all examples.
    pub x: Vec<f32>,
    /// The answers.
    pub y: Vec<f32>,
    /// Bytes of its memory.
    pub bytes: u64,
}

impl Session {
    /// For runs of so many examples.
    pub fn new(network: &Network, batch: usize, threads: u32, exact: bool) -> Session {
        let precision = if exact { PON_PRECISION_EXACT } else { PON_PRECISION_STANDARD };
        // SAFETY: the network lives; vectors that stay where they are while they are bound.
        unsafe {
            let options = pon_session_options {
                struct_size: size_of::<pon_session_options>() as u32,
                precision,
                threads,
                max_batch: batch as u64,
                ..std::mem::zeroed()
            };
            let bytes = made(|out| pon_session_bytes(network.network, &options, out, ptr::null_mut()));
            let session: *mut pon_session =
                made(|out| pon_session_new(network.network, &options, out, ptr::null_mut()));
            let bound = |direction: i32| {
                let view: pon_view = made(|out| pon_session_port(session, direction, 0, out));
                let shape = slice::from_raw_parts(view.shape, view.ndim as usize).to_vec();
                let mut numbers = vec![0f32; shape.iter().product::<i64>() as usize];
                let view =
                    pon_view { data: numbers.as_mut_ptr().cast(), shape: shape.as_ptr(), strides: ptr::null(), ..view };
                assert_eq!(pon_session_bind(session, direction, 0, &view), 0);
                numbers
            };
            let (x, y) = (bound(PON_INPUT), bound(PON_OUTPUT));
            Session { session, x, y, bytes }
        }
    }

    /// Runs once.
    #[inline(always)]
    pub fn run(&mut self) {
        // SAFETY: made in `new`, with the numbers it is bound to.
        assert_eq!(unsafe { pon_session_run(self.session, ptr::null()) }, 0);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: made in `new`.
        unsafe { pon_session_free(self.session) }
    }
}
